"""Sentences of the report: a verdict and what is told beside it never gainsay each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product

from noddysim.game.rules import load_variant
from noddysim.game.strategies import builtin_tips
from noddysim.insight import tables, words
from noddysim.insight.document import Text, plain
from noddysim.insight.duels import Duel, Setting
from noddysim.insight.estimates import CHANCE, POINTS, Estimate
from noddysim.insight.evidence import Case, Evidence, Panel
from noddysim.insight.study import findings

BASELINES = ("greedy-random", "lookahead")
OPPONENTS = ("random", "greedy", "careful")
FIVE_OF_SIX = {("greedy-random", "greedy"): "hurts"}
FOUR_OF_SIX = {pair: "helps" for pair in product(BASELINES, ("random", "greedy"))}
OF_VERDICT = {
    "no-difference": (-0.004, -0.001, 0.002),
    "helps": (0.03, 0.05, 0.07),
    "hurts": (-0.07, -0.05, -0.03),
    "undecided": (-0.03, -0.007, 0.02),
}


def of_points(verdict: str) -> Estimate:
    low, middle, high = OF_VERDICT[verdict]
    return Estimate(middle, low, high, 1_000, POINTS, "paired t")


def case_of(
    given: Mapping[tuple[str, str], str],
    variant: str = "noddy",
    players: int = 4,
    games: Mapping[str, tuple[Estimate, tuple[float, float]]] | None = None,
) -> Case:
    """A tip on two baselines against three opponents, undecided where nothing else is given; games by baseline."""
    tip = builtin_tips()["save-fives"]
    rules = load_variant(variant)
    duels = []
    for baseline, against in product(BASELINES, OPPONENTS):
        verdict = given.get((baseline, against), "undecided")
        setting = Setting(rules, players, baseline, against, 1)
        effect = of_points(verdict)
        duels.append(Duel(setting, f"save-fives@{baseline}", tip, "id", 1_000, verdict, 0.02, effect))
    for baseline, (effect, corrected) in (games or {}).items():
        setting = Setting(rules, players, baseline, "careful", 1, games=True)
        arm = f"save-fives@{baseline}"
        duels.append(Duel(setting, arm, tip, "id", 6_000, "undecided", 0.005, effect, corrected=corrected))
    (finding,) = findings(duels)
    return Case(finding, "careful")


def text_of(text: Text) -> str:
    return plain(text)


PANELS = [Panel("noddy", 2), Panel("noddy", 3), Panel("noddy", 4), Panel("cribbage", 2)]


def test_a_tip_that_is_mostly_undecided_is_called_undecided_and_the_exception_is_named() -> None:
    case = case_of(FIVE_OF_SIX)
    assert case.finding.verdict == "undecided"
    line = text_of(words.opposite_line(case_of({**FIVE_OF_SIX, ("greedy-random", "careful"): "hurts"}), PANELS))
    assert line.startswith(
        "noddy, four players: undecided, hurts against greedy and careful if greedy-random follows it"
    )
    assert "undecided in the other four comparisons" in line
    assert words.by_opponent(case) == (
        "hurts against greedy if greedy-random follows it, undecided in the other five comparisons"
    )


def test_a_finding_with_an_undecided_example_says_where_it_was_found() -> None:
    case = case_of(FOUR_OF_SIX, players=3)
    assert case.finding.verdict == "helps"
    line = text_of(words.opposite_line(case, PANELS))
    assert "helps against random and greedy, undecided against careful: given to greedy-random" in line
    told = text_of(words.told_case(case))
    assert "helps against random and greedy, undecided against careful. Against careful it is undecided" in told


def test_a_finding_that_all_share_needs_no_such_words() -> None:
    case = case_of({pair: "hurts" for pair in product(BASELINES, OPPONENTS)})
    assert "against" not in text_of(words.opposite_line(case, PANELS)).partition(": given to")[0]
    assert text_of(words.told_case(case)).startswith("Save fives: hurts. Against careful it costs ")


def test_a_table_says_where_its_own_row_is_undecided() -> None:
    case = case_of(FOUR_OF_SIX, players=3)
    table = tables.verdict_table(Evidence((), {(case.panel, case.tip.name): case}), case.panel, source=True)
    assert table is not None
    assert {plain(row[1]) for row in table.rows} == {"helps; here undecided"}  # type: ignore[arg-type]


def test_what_depends_on_a_case_that_is_not_told_names_that_case() -> None:
    hurts = {pair: "hurts" for pair in product(BASELINES, OPPONENTS)}
    case = case_of({**hurts, ("greedy-random", "greedy"): "no-difference"})
    assert case.finding.verdict == "depends"
    told = text_of(words.told_case(case))
    assert "no difference against greedy if greedy-random follows it. Against careful it costs" in told
    assert "hurts against random and careful if greedy-random follows it" in told
    table = tables.verdict_table(Evidence((), {(case.panel, case.tip.name): case}), case.panel, source=True)
    assert table is not None
    assert [plain(row[1]) for row in table.rows] == ["depends; no difference against greedy", "depends"]  # type: ignore[arg-type]


def test_what_is_told_needs_no_exception_where_it_disagrees_itself() -> None:
    split = {(baseline, other): said for baseline, said in zip(BASELINES, ("helps", "hurts"), strict=True)
             for other in OPPONENTS}  # fmt: skip
    case = case_of(split)
    assert case.finding.verdict == "depends"
    assert text_of(words.told_case(case)).startswith("Save fives: depends. Against careful it gains")
    assert not words.exceptions(case, "lookahead")


# --- what a player would notice -------------------------------------------------------------------------------------


def of_games(middle: float, low: float, high: float) -> Estimate:
    return Estimate(middle, low, high, 6_000, CHANCE, "paired t")


def test_every_player_is_named_before_what_he_would_notice() -> None:
    games = {
        "greedy-random": (of_games(0.006, 0.0, 0.012), (-0.003, 0.015)),
        "lookahead": (of_games(-0.025, -0.029, -0.021), (-0.032, -0.018)),
    }
    found = words.notice(case_of({}, players=2, games=games), PANELS)
    assert found is not None
    head, lines = found
    assert text_of(head) == "noddy, two players."
    first, second = map(text_of, lines)
    assert first.startswith(
        "greedy-random against careful: no effect on games could be told; one game in 67 either way"
    )
    assert second.startswith("lookahead against careful: with it he loses one game in 40 more (−2.5")


def test_an_effect_is_told_by_the_interval_that_verdicts_look_at() -> None:
    """The plain interval leaves nought outside, the wider one does not."""
    games = {"greedy-random": (of_games(-0.007, -0.014, -0.001), (-0.018, 0.004))}
    found = words.notice(case_of({}, players=2, games=games), PANELS)
    assert found is not None
    assert "no effect on games could be told; one game in 56 either way is the most" in text_of(found[1][0])
    assert "wider interval" in words.NOTICE_NOTE


def test_too_few_games_tell_nothing() -> None:
    games = {"lookahead": (Estimate(0.5, None, None, 2, CHANCE, "fewer"), (None, None))}
    found = words.notice(case_of({}, games=games), PANELS)  # type: ignore[arg-type]
    assert found is not None and "too few games to tell an effect" in text_of(found[1][0])


# --- the line below the question of a picture -----------------------------------------------------------------------


def test_an_answer_names_each_variant_once_with_its_numbers_of_players() -> None:
    hurts = {pair: "hurts" for pair in product(BASELINES, OPPONENTS)}
    cases = [case_of(hurts, "noddy", 3), case_of(hurts, "noddy", 4), case_of(hurts, "cribbage", 2)]
    assert words.answer(cases, PANELS) == "Hurts in noddy for three and four, in cribbage for two players"
    alone = [case_of({}, players=2), *cases[:2]]
    assert words.answer(alone, PANELS[:3]) == "Is undecided with two players; hurts with three and four players"
    assert not re.search(r"\(noddy\)", words.answer(cases, PANELS))
