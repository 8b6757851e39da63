"""The picture at the head of the report: every piece of advice of the rules page, and what it is worth to whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from noddysim.insight import verdicts
from noddysim.insight.estimates import Estimate
from noddysim.insight.evidence import Case, Evidence, from_source, players_words
from noddysim.insight.numbers import format_number
from noddysim.insight.plots import (
    HIDDEN,
    MARKS,
    PALE,
    QUIET,
    Body,
    Dot,
    Frame,
    draw,
    heights,
    in_lines,
    put,
    room_for,
    rows,
)
from noddysim.insight.words import count_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME: Final = "verdicts"
FEWEST: Final = 2
"""Pieces of advice below which there is nothing to look over."""
CAPTION: Final = (
    "Each row is a piece of advice; each dot a player who follows it, beside himself without it, on the same cards. "
    f"Lines are 95 % intervals ({HIDDEN}); what was counted over all deals has none."
)


def shown_cases(evidence: Evidence) -> list[Case]:
    """The advice of the rules page in the first game of the report, what gains most first; none where games are won.

    Left out is what has nothing to decide there, or never changes a card.
    """
    if not evidence.panels:
        return []
    cases = [evidence.cases.get((evidence.panels[0], tip.name)) for tip in evidence.tips if from_source(tip)]
    found = [case for case in cases if case and _worth(case)]
    return sorted(found, key=lambda case: -sum(_estimates(case)) / len(_estimates(case)))


def _worth(case: Case) -> list[tuple[str, Estimate]]:
    """What the advice is worth in the seat concerned, by the player who is given it, against the best opponent."""
    duels = [(baseline, case.main(baseline)) for baseline in case.baselines]
    idle = (verdicts.ALREADY_FOLLOWED, verdicts.VACUOUS)
    return [
        (baseline, duel.concerned)
        for baseline, duel in duels
        if not duel.setting.games and duel.verdict not in idle and duel.concerned is not None
    ]


def _estimates(case: Case) -> list[float]:
    return [value.estimate for _, value in _worth(case)]


def reply_of(cases: Sequence[Case]) -> str:
    """The answer in a line: how many pieces of advice help, hurt, and so on."""
    told = [case.finding.verdict for case in cases]
    says = {
        verdicts.HELPS: "help{s}", verdicts.HURTS: "hurt{s}", verdicts.DEPENDS: "depend{s} on who plays",
        verdicts.NO_DIFFERENCE: "make{s} no difference", verdicts.UNDECIDED: "{are} undecided",
    }  # fmt: skip
    parts = []
    for verdict, words in says.items():
        if number := told.count(verdict):
            ending = {"s": "s", "are": "is"} if number == 1 else {"s": "", "are": "are"}
            parts.append(f"{count_words(number)} {words.format(**ending)}")
    return f"Of {count_words(len(cases))} pieces of advice that change anything, {', '.join(parts)}"


def alt_of(cases: Sequence[Case]) -> str:
    """The picture in words."""
    parts = [
        f"{case.tip.title}: "
        + ", ".join(f"{format_number(v.estimate, 3, signed=True)} to {who}" for who, v in _worth(case))
        for case in cases
    ]
    return f"{reply_of(cases)}. Points a deal: {'; '.join(parts)}."


def plot_overview(cases: Sequence[Case], evidence: Evidence) -> str:
    """A row for each piece of advice, a dot for each kind of player who is given it."""
    family = cases[0].duels[0].setting.family
    labels = [in_lines(case.tip.title) for case in cases]
    players = list(dict.fromkeys(who for case in cases for who, _ in _worth(case)))[: len(MARKS)]
    zone = min(case.main(case.baselines[0]).zone for case in cases)

    def fill(axes: Sequence[Axes]) -> None:
        (ax,) = axes
        rows(ax, labels, "")
        ax.axvspan(-zone, zone, color=PALE, linewidth=0)
        ax.axvline(0, color=QUIET, linewidth=0.8)
        dots = [
            Dot(place, value, players.index(who), 0.22 * (players.index(who) - (len(players) - 1) / 2))
            for place, case in enumerate(cases)
            for who, value in _worth(case)
            if who in players
        ]
        put(ax, dots)

    panel = cases[0].panel
    against = cases[0].best
    axis = f"points a deal gained (right) or lost (left) against {against}; grey: too small to matter"
    frame = Frame(
        f"Does the advice help? {panel.variant.capitalize()}, {players_words(panel.players)}", reply_of(cases),
        tuple(f"given to {who}: {evidence.minds[family, who].title}" for who in players),
    )  # fmt: skip
    return draw(NAME, frame, Body(heights([labels], 0.3), room_for(labels), axis), fill)
