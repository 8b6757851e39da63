"""Sentences for players, made from the numbers: what a piece of advice is worth, to whom, and how one knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from noddysim.insight import stats, verdicts
from noddysim.insight.document import Text, badge, code, link, strong
from noddysim.insight.duels import Duel
from noddysim.insight.estimates import Estimate
from noddysim.insight.evidence import (
    NUMBERS,
    SOURCE_MARK,
    Case,
    Evidence,
    Panel,
    from_source,
    panel_words,
    players_words,
)
from noddysim.insight.numbers import format_count, format_estimate

BOTH_WAYS: Final = "played both ways"
FINDINGS_TOLD: Final = 3
"""How many pieces of advice the first sentences of the report name."""

SAYS: Final = {
    verdicts.VACUOUS: "has nothing to decide",
    verdicts.ALREADY_FOLLOWED: "is followed already",
    verdicts.NO_DIFFERENCE: "makes no difference",
    verdicts.HELPS: "helps",
    verdicts.HURTS: "hurts",
    verdicts.UNDECIDED: "is undecided",
    verdicts.DEPENDS: "depends",
}
"""Each verdict as what a piece of advice does."""


def and_words(names: Sequence[str]) -> str:
    """``a, b and c``."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def spaced(name: str) -> str:
    """A verdict or the like as words: ``contradicted-by-a-source`` without its hyphens."""
    return name.replace("-", " ")


def flipped(estimate: Estimate) -> Estimate:
    """The same with its sign changed: a gain of -0.1 is a cost of 0.1."""
    low, high = estimate.interval
    ends = (None, None) if low is None or high is None else (-high, -low)
    return replace(estimate, estimate=-estimate.estimate, low=ends[0], high=ends[1])


def how_known(duel: Duel) -> str:
    """On what a number rests: counted, so many deals played both ways, or nothing to play."""
    if duel.verdict == verdicts.VACUOUS:
        return "from the rules"
    if duel.sampled is not None:
        return f"counted; {format_count(duel.n)} deals {BOTH_WAYS} gave {format_estimate(duel.sampled)}"
    if duel.effect is not None and duel.effect.exact:
        return "known exactly"
    return f"{format_count(duel.n)} {'games' if duel.setting.games else 'deals'} {BOTH_WAYS}"


def unit_words(duel: Duel) -> str:
    """What the effect of a duel is measured in."""
    if duel.setting.games:
        return "of all games"
    return f"points a deal as {duel.seat_concerned}" if duel.concerns_eldest else "points a deal"


def effect_words(duel: Duel, *, unit: bool = True) -> str:
    """``gains 0.031 (0.020 … 0.042) points a deal``, and the like for every verdict."""
    effect = duel.concerned
    if duel.verdict == verdicts.VACUOUS:
        return "decides nothing under these rules"
    if duel.verdict == verdicts.ALREADY_FOLLOWED:
        return f"never changes a card, since {duel.setting.baseline} plays so already"
    assert effect is not None
    tail = f" {unit_words(duel)}" if unit else ""
    if duel.verdict == verdicts.HELPS:
        return f"gains {format_estimate(effect, signed=False)}{tail}"
    if duel.verdict == verdicts.HURTS:
        return f"costs {format_estimate(flipped(effect), signed=False)}{tail}"
    amount = f"{format_estimate(effect)}{tail}"
    return f"makes no difference ({amount})" if duel.verdict == verdicts.NO_DIFFERENCE else f"is undecided at {amount}"


# --- what was found, first of all -----------------------------------------------------------------------------------


def opening(evidence: Evidence) -> list[Text]:
    """Three or four sentences for the head of the page, the greatest effects first."""
    if not evidence.panels:
        return []
    panel = evidence.panels[0]
    cases = [case for (where, _), case in evidence.cases.items() if where == panel and from_source(case.tip)] or [
        case for (where, _), case in evidence.cases.items() if where == panel
    ]
    told = [case for case in cases if case.finding.verdict in (verdicts.HELPS, verdicts.HURTS, verdicts.DEPENDS)]
    told.sort(key=lambda case: -_size(case))
    found: list[Text] = [_balance_sheet(cases, panel, evidence.panels)]
    found += [told_case(case) for case in told[:FINDINGS_TOLD]]
    nob = evidence.facts.get("nob-worth")
    idle = [case for case in cases if case.finding.verdict == verdicts.VACUOUS]
    if idle and nob:
        titles = and_words([case.tip.title for case in idle])
        found.append((link(titles, anchor(idle[0].tip.name)), ": nothing to decide. ", nob.words, " Known exactly."))
    return found


def _size(case: Case) -> float:
    effects = [case.main(baseline).concerned for baseline in case.baselines]
    return max((abs(effect.estimate) for effect in effects if effect), default=0.0)


def _balance_sheet(cases: Sequence[Case], panel: Panel, panels: Sequence[Panel]) -> Text:
    """How many pieces of advice help, hurt, and so on."""
    source = any(from_source(case.tip) for case in cases)
    parts = []
    for verdict in (verdicts.HELPS, verdicts.HURTS, verdicts.DEPENDS, verdicts.NO_DIFFERENCE, verdicts.UNDECIDED):
        number = sum(case.finding.verdict == verdict for case in cases)
        if number:
            parts.append(f"{count_words(number)} {verb(verdict, number)}")
    idle = sum(case.finding.verdict in (verdicts.VACUOUS, verdicts.ALREADY_FOLLOWED) for case in cases)
    if idle:
        parts.append(f"{count_words(idle)} {'changes' if idle == 1 else 'change'} nothing")
    where = strong(f"{panel_words(panel, panels)}.")
    whose = " of the rules page" if source else ""
    if len(cases) == 1:
        return (where, f" The one piece of advice{whose} that was tested {parts[0].removeprefix('one ')}.")
    return (where, f" Of the {count_words(len(cases))} pieces of advice{whose} that were tested, {and_words(parts)}.")


def count_words(number: int) -> str:
    """``three``, or figures from eleven up."""
    return NUMBERS[number] if 0 < number < len(NUMBERS) else format_count(number)


def verb(verdict: str, number: int) -> str:
    """The verb of a verdict for one or several."""
    one, several = {
        verdicts.HELPS: ("helps", "help"),
        verdicts.HURTS: ("hurts", "hurt"),
        verdicts.DEPENDS: ("depends on who plays", "depend on who plays"),
        verdicts.NO_DIFFERENCE: ("makes no difference", "make no difference"),
        verdicts.UNDECIDED: ("is undecided", "are undecided"),
    }[verdict]
    return one if number == 1 else several


def told_case(case: Case) -> Text:
    """One finding in a sentence or two: its verdict, its price on each baseline, how it is known."""
    mains = [case.main(baseline) for baseline in case.baselines]
    acting = [main for main in mains if main.verdict != verdicts.ALREADY_FOLLOWED]
    parts = [
        f"it {effect_words(main, unit=place == 0)} if {main.setting.baseline} follows it"
        for place, main in enumerate(acting)
    ]
    head = link(case.tip.title, anchor(case.tip.name))
    split = "" if stands_in(case, mains) else after_verdict(case)
    met = and_words(list(dict.fromkeys(main.setting.against for main in acting)))
    return (
        head, ": ", strong(SAYS[case.finding.verdict]), f"{split}. Against {met} {and_words(parts)}. ",
        f"{how_known(case.headline).capitalize()}.",
    )  # fmt: skip


def anchor(tip: str) -> str:
    """The name of a tip's section."""
    return f"tip-{tip}"


# --- in the section of a tip ----------------------------------------------------------------------------------------


def verdict_line(case: Case, panels: Sequence[Panel]) -> tuple[Text, tuple[Text, ...]]:
    """Number of players and the verdict; below it, for each baseline, what it is worth against whom."""
    start: Text = (strong(panel_words(case.panel, panels)), ": ", badge(case.finding.verdict))
    if case.finding.verdict == verdicts.VACUOUS:
        return (*start, ". The decision does not exist under these rules."), ()
    return start, tuple(_on_baseline(case, baseline) for baseline in case.baselines)


def _on_baseline(case: Case, baseline: str) -> Text:
    """What the advice does for one baseline: against each opponent in words, against the best with its number."""
    duels = case.on(baseline)
    groups: dict[str, list[str]] = {}
    for duel in duels:
        groups.setdefault(duel.verdict, []).append(duel.setting.against)
    main = case.main(baseline)
    if set(groups) == {verdicts.ALREADY_FOLLOWED}:
        return ("If ", code(baseline), f" follows it: no card changes in {how_known(main)}, it plays so already.")
    if len(groups) == 1:
        words = SAYS[main.verdict] + (" against every opponent" if len(duels) > 1 else "")
    else:
        words = ", ".join(f"{SAYS[verdict]} against {and_words(names)}" for verdict, names in groups.items())
    tail = (
        "" if main.verdict == verdicts.ALREADY_FOLLOWED else f". Against {main.setting.against} it {effect_words(main)}"
    )
    return ("If ", code(baseline), f" follows it: {words}{tail}.")


def stands_in(case: Case, duels: Sequence[Duel]) -> bool:
    """Whether the duels told beside a verdict on all opponents bear it out, so that nothing needs to be added.

    One that is undecided gainsays a finding, and *depends* takes two of them that differ.
    """
    whole = case.finding.verdict
    if whole == verdicts.DEPENDS:
        return len({duel.verdict for duel in duels if duel.verdict in _FINDINGS}) > 1
    return whole not in (verdicts.HELPS, verdicts.HURTS) or any(duel.verdict == whole for duel in duels)


def exceptions(case: Case, baseline: str) -> str:
    """Findings on a baseline that differ from the one which is told of it: ``no difference against greedy``.

    Empty if those told of all baselines show already that it depends.
    """
    if stands_in(case, [case.main(one) for one in case.baselines]):
        return ""
    told = case.main(baseline).verdict
    others = {verdict: [duel for duel in case.on(baseline) if duel.verdict == verdict] for verdict in _FINDINGS}
    return "; ".join(
        f"{spaced(verdict)} against {and_words([duel.setting.against for duel in duels])}"
        for verdict, duels in others.items()
        if duels and verdict != told
    )


def by_opponent(case: Case) -> str:
    """Who gave which verdict: ``helps against random and greedy, undecided against careful``, findings first."""
    order = (*_FINDINGS, verdicts.UNDECIDED, verdicts.ALREADY_FOLLOWED)
    groups = [(verdict, [duel for duel in case.duels if duel.verdict == verdict]) for verdict in order]
    met = [(verdict, duels) for verdict, duels in groups if duels]
    parts = []
    for place, (verdict, duels) in enumerate(met):
        name = verdict.replace("-", " ")
        if 0 < place == len(met) - 1 and len(duels) > 2:
            parts.append(f"{name} in the other {count_words(len(duels))} comparisons")
        else:
            parts.append(f"{name} {_against(case, duels)}")
    return ", ".join(parts)


def after_verdict(case: Case) -> str:
    """The same as it follows the verdict on the whole: ``helps`` `` against random, undecided against careful``."""
    split, whole = by_opponent(case), case.finding.verdict.replace("-", " ")
    return split.removeprefix(whole) if split.startswith(f"{whole} ") else f", {split}"


_FINDINGS: Final = (verdicts.HELPS, verdicts.HURTS, verdicts.NO_DIFFERENCE)


def _against(case: Case, duels: Sequence[Duel]) -> str:
    """Against whom; and if who follows it, where that is not alike for all who were tried."""
    met = {
        baseline: tuple(duel.setting.against for duel in duels if duel.setting.baseline == baseline)
        for baseline in case.baselines
    }
    if len(set(met.values())) == 1:
        return f"against {and_words(met[case.baselines[0]])}"
    parts = [f"against {and_words(names)} if {baseline} follows it" for baseline, names in met.items() if names]
    return and_words(parts)


def notice(case: Case, panels: Sequence[Panel]) -> tuple[Text, tuple[Text, ...]] | None:
    """What a player would notice over many games, a line for each baseline; None if nothing was found to change."""
    lines = [line for baseline in case.baselines if (line := _notice_on(case, case.main(baseline)))]
    return ((strong(f"{panel_words(case.panel, panels)}."),), tuple(lines)) if lines else None


def _notice_on(case: Case, duel: Duel) -> Text | None:
    """The same for one baseline; an effect is told where the interval that verdicts look at leaves nought outside."""
    game = duel if duel.setting.games else case.game(duel)
    idle = (verdicts.ALREADY_FOLLOWED, verdicts.VACUOUS)
    if duel.verdict in idle or game is None or game.effect is None or game.verdict in idle:
        return None
    who: Text = (code(game.setting.baseline), f" against {game.setting.against}: ")
    amount = f"({format_estimate(game.effect)}, {how_known(game)})."
    low, high = game.corrected
    if low is None or high is None:
        return (*who, f"too few games to tell an effect {amount}")
    if low <= 0 <= high:
        most = stats.one_in(min(1.0, max(-low, high)))
        return (*who, f"no effect on games could be told; {most} either way is the most that it may come to {amount}")
    turned = "wins" if game.effect.estimate > 0 else "loses"
    return (*who, f"with it he {turned} {stats.one_in(game.effect.estimate)} more {amount}")


NOTICE_NOTE: Final = (
    "In brackets the plain 95\N{NO-BREAK SPACE}% interval. Whether there is an effect, and how great it may be at "
    "most, is read from the wider interval that allows for all the advice tested together."
)
"""Small print below what a player would notice."""


def opposite_line(case: Case, panels: Sequence[Panel]) -> Text:
    """Verdict and price of an opposite, short."""
    duel = case.headline
    split = "" if case.finding.verdict == duel.verdict else after_verdict(case)
    tail = f"{split}: given to {duel.setting.baseline}, against {duel.setting.against} it {effect_words(duel)}"
    return (strong(panel_words(case.panel, panels)), ": ", badge(case.finding.verdict), tail, ".")


def answer(cases: Sequence[Case], panels: Sequence[Panel]) -> str:
    """The verdicts in one line, for the head of a plot: ``Hurts in noddy for three and four players``."""
    said: dict[str, dict[str, list[str]]] = {}
    several = len({panel.variant for panel in panels}) > 1
    for case in cases:
        variant = case.panel.variant if several else ""
        numbers = said.setdefault(case.finding.verdict, {}).setdefault(variant, [])
        numbers.append(NUMBERS[case.panel.players])
    parts = []
    for verdict, found in said.items():
        where = [
            f"in {variant} for {and_words(numbers)}" if variant else f"with {and_words(numbers)}"
            for variant, numbers in found.items()
        ]
        parts.append(f"{SAYS[verdict]} {', '.join(where)} players")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def alt_words(case: Case) -> str:
    """The main numbers of a panel for those who do not see the picture."""
    parts = []
    for baseline in case.baselines:
        duel = case.main(baseline)
        parts.append(f"given to {baseline} against {duel.setting.against} it {effect_words(duel)}")
    return f"{players_words(case.panel.players).capitalize()}: {'; '.join(parts)}."


def source_words(source: str) -> str:
    """A source as a reader knows it: the page of rules by its name, unless that has just been given."""
    text = source.removeprefix(f"{SOURCE_MARK}, ").replace(SOURCE_MARK, "the rules page")
    return text[:1].upper() + text[1:]
