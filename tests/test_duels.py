"""Duels: exact values, nought against itself, verdicts that say what they should."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import table

from noddysim.engine import batch
from noddysim.engine.games import peg_game
from noddysim.engine.measures import MAX_ARMS, DuelCount
from noddysim.game.errors import InputError
from noddysim.game.experiment import Experiment
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.game.strategies import builtin_strategies, builtin_tips, lead_probes
from noddysim.insight.duels import Duel, Limits, Setting, duel, duels
from noddysim.insight.duplicates import FEWEST
from noddysim.insight.study import run_experiment
from noddysim.kernels.dealing import deal_key

NODDY = load_variant("noddy")


def test_greedy_beside_low_is_within_four_standard_errors_of_the_counted_value() -> None:
    found = duel(NODDY, "greedy", "low", deals=200_000, seed=1)
    assert found.effect is not None
    assert found.effect.half_width is not None
    error = found.effect.half_width / 1.96
    assert abs(found.effect.estimate - 0.3213848846) < 4 * error
    assert error < 0.003
    assert found.verdict == "helps"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("games", [False, True])
def test_any_strategy_is_worth_nought_beside_itself_on_every_duplicate(players: int, games: bool) -> None:
    game = peg_game(NODDY, players)
    solved = ["optimal", "lead-low@optimal"] if players == 2 else []
    names = [
        *(set(builtin_strategies()) - {"optimal"}),
        *solved,
        "save-fives@random",
        "random:lead@lookahead",
        "lead-from-pair@greedy-random",
    ]
    for name in names:
        strategy = parse_strategy(name)
        tally = batch.run(DuelCount(game, (strategy,), strategy, parse_strategy("random"), 3, games), 60)
        assert tally["squares"].sum() == tally["changed"].sum() == 0, name


def test_two_names_for_one_choice_are_one_strategy() -> None:
    found = duel(NODDY, "take-points@low", "greedy", deals=2_000)
    assert found.effect is not None
    assert found.effect.estimate == 0
    assert found.verdict == "no-difference"


def test_without_an_opponent_the_two_meet() -> None:
    alone = duel(NODDY, "greedy", "low", deals=500)
    against = duel(NODDY, "greedy", "low", against="low", deals=500)
    assert alone.effect == against.effect


def test_the_value_of_a_meeting_is_points_minus_the_mean_of_the_others() -> None:
    game = peg_game(NODDY, 3)
    arm, base = parse_strategy("greedy"), parse_strategy("low")
    rows = DuelCount(game, (arm,), base, base, 1).rows(0, 200)[0]

    def scores(number: int, who: list[int]) -> list[int]:
        key = int(deal_key(np.uint64(1), number))
        return table.by_key(game, [(arm, base)[mind] for mind in who], key).scores

    for number in range(200):
        total = Fraction(0)
        for seat in range(3):
            own = scores(number, [0 if s == seat else 1 for s in range(3)])
            total += own[seat] - Fraction(sum(own) - own[seat], 2)
        assert Fraction(int(rows[number, :3].sum()), 2 * 3) == total / 3


def test_hold_his_nob_is_vacuous_where_nothing_is_discarded() -> None:
    found = duel(NODDY, "hold-nob@greedy", "greedy", deals=100)
    assert found.verdict == "vacuous"
    assert found.effect is None
    assert found.to_json()["estimate"] is None


@pytest.mark.parametrize(
    ("arm", "baseline", "variant", "players", "verdict"),
    [
        ("random+greedy", "keep-best+greedy", "noddy-four", 2, "vacuous"),
        ("mog-never+greedy", "mog-always+greedy", "cribbage", 2, "vacuous"),
        ("random+mog-never+greedy", "greedy", "noddy", 3, "vacuous"),
        ("hold-nob@greedy", "take-points@low", "noddy", 2, "vacuous"),
        # Laying away is a decision of cribbage, and mogging one of Costly Colours.
        ("random+mog-never+greedy", "keep-best+greedy", "cribbage", 3, "helps hurts undecided"),
        ("mog-never+greedy", "mog-always+greedy", "costly-colours", 2, "helps hurts undecided"),
        # They differ in the play too.
        ("mog-never+greedy", "low", "noddy", 2, "helps"),
        # Two ways of saying the same.
        ("keep-best-crib+greedy", "greedy", "noddy", 2, "no-difference"),
    ],
)
def test_what_decides_nothing_is_vacuous(arm: str, baseline: str, variant: str, players: int, verdict: str) -> None:
    found = duel(variant, arm, baseline, players=players, deals=1_500)
    assert found.verdict in verdict.split()
    assert (found.effect is None) == (found.n == 0) == (verdict == "vacuous")


def test_arms_that_decide_nothing_are_not_tested_together_with_the_others() -> None:
    arms = [["lead-low@greedy-random", "greedy-random"], ["random+greedy-random", "greedy-random"]]

    def answers(number: int) -> tuple[Duel, ...]:
        asked = {"question": "?", "kind": "duel", "variants": ["noddy"], "deals": 500, "arms": arms[:number]}
        return run_experiment(Experiment.model_validate(asked)).duels

    alone, both = answers(1), answers(2)
    assert [found.verdict == "vacuous" for found in both] == [False, True]
    assert both[0].corrected == alone[0].corrected


def test_leading_low_is_already_followed_by_greedy() -> None:
    found = duel(NODDY, "lead-low@greedy", "greedy", against="lookahead", deals=2_000)
    assert found.verdict == "already-followed"
    assert found.occasion is None


def test_a_tip_on_another_baseline_than_the_one_beside_it_is_no_tip_of_it() -> None:
    found = duel(NODDY, "lead-low@greedy", "greedy-high", deals=500)
    assert found.tip is None


def test_effect_is_occasions_times_effect_an_occasion() -> None:
    found = duel(NODDY, "save-fives@greedy-random", "greedy-random", against="greedy", deals=20_000)
    assert found.effect and found.occasion and found.changed
    assert found.effect.estimate == pytest.approx(found.occasion.estimate * found.changed.estimate)
    assert sum(seat.estimate for seat in found.seats) / 2 == pytest.approx(found.effect.estimate)


def test_the_scale_puts_a_random_choice_at_nought_and_the_best_at_a_hundred() -> None:
    setting = Setting(NODDY, 2, "greedy-random", "greedy", 1)
    low, high = duels(
        setting, ["lead-low@greedy-random", "lead-high@greedy-random"], 20_000, Limits(0.02, 2), scale="careful"
    )
    assert low.scale and high.scale
    assert low.scale.estimate > high.scale.estimate
    zero = duels(setting, ["lead-low@greedy-random"], 20_000, Limits(0.02), scale="lead-low@greedy-random")[0]
    assert zero.scale is None or zero.scale.estimate == pytest.approx(100)


def test_the_seat_concerned_of_a_lead_is_the_eldest() -> None:
    found = duel(NODDY, "lead-high@lookahead", "lookahead", against="greedy", players=3, deals=2_000)
    assert found.seat_concerned == "eldest"
    assert found.concerned == found.seats[0]
    assert duel(NODDY, "save-fives@greedy", "greedy", deals=500).concerned is not None


def test_verdicts_tested_together_look_at_wider_intervals() -> None:
    setting = Setting(NODDY, 2, "greedy-random", "greedy", 1)
    alone = duels(setting, ["lead-low@greedy-random"], 2_000, Limits(0.02))[0]
    among = duels(setting, ["lead-low@greedy-random"], 2_000, Limits(0.02, 60))[0]
    assert alone.effect == among.effect
    assert alone.corrected[0] is not None and among.corrected[0] is not None
    assert among.corrected[0] < alone.corrected[0]


def test_games_give_a_chance_to_win() -> None:
    found = duel(NODDY, "greedy", "random", games=4_000, seed=2)
    assert found.effect is not None
    assert found.effect.unit == "chance to win"
    assert found.effect.low is not None
    assert 0.08 < found.effect.low < found.effect.estimate < 0.13


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"players": 5}, "not by 5"),
        ({"deals": 0}, "whole number from 1"),
        ({"games": -1}, "whole number from 1"),
        ({"seed": -1}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"against": "gready"}, "greedy"),
        ({"zone": float("nan")}, "nan is not a zone; a zone is a number from 0 to 1000"),
        ({"zone": -1.0}, "not a zone"),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        duel(NODDY, "greedy", "low", **{"deals": 10, **changes})  # type: ignore[arg-type]


def test_every_tip_plays_on_every_number_of_players() -> None:
    for players in (2, 3, 4):
        setting = Setting(NODDY, players, "greedy-random", "greedy", 1)
        arms = [f"{name}@greedy-random" for name in builtin_tips()]
        found = duels(setting, arms, 200, Limits(0.02, len(arms)), scale=None)
        assert [one.arm for one in found] == arms
        assert {one.verdict for one in found if one.tip and one.tip.decision == "discard"} == {"vacuous"}


def test_a_table_and_json_hold_the_same_numbers() -> None:
    found = duel(NODDY, "greedy", "low", deals=300)
    table = found.table.set_index("what")
    assert table.loc["all seats", "estimate"] == found.to_json()["estimate"]
    assert {"estimate", "low", "high", "unit", "n", "method", "verdict"} <= found.to_json().keys()
    assert "<table" in found._repr_html_()


def test_a_few_games_without_a_difference_prove_nothing() -> None:
    found = duel(NODDY, "take-runs@lookahead", "lookahead", against="careful", games=40)
    assert found.effect is not None
    if found.effect.estimate == 0 and found.changed is not None and found.changed.estimate > 0:
        assert found.effect.low is not None
        assert found.effect.low < -0.05
        assert found.verdict == "undecided"


@pytest.mark.parametrize(
    ("arm", "baseline", "deals"),
    [
        ("greedy", "low", 1), ("greedy", "low", 2), ("greedy", "low", 20),
        ("refuse-runs@greedy-random", "greedy-random", 6), ("refuse-runs@greedy-random", "greedy-random", 40),
        ("lead-low@greedy-random", "greedy-random", 1), ("take-runs@greedy-random", "greedy-random", 1_000),
    ],
)  # fmt: skip
def test_a_handful_of_deals_decides_nothing(arm: str, baseline: str, deals: int) -> None:
    for seed in range(20):
        found = duel(NODDY, arm, baseline, deals=deals, seed=seed)
        assert found.verdict == "undecided"
        assert found.effect is not None
        for value in (found.effect, *found.seats):
            assert (value.low is None) == (deals < FEWEST)
            assert value.low is None or value.low < value.estimate < value.high  # type: ignore[operator]


@pytest.mark.parametrize("games", [1, 2, 9, 10, 15])
def test_no_chance_to_win_is_beyond_what_can_be(games: int) -> None:
    for seed in range(10):
        found = duel(NODDY, "greedy", "low", games=games, seed=seed)
        assert found.effect is not None
        for value in (found.effect, *found.seats, *([found.occasion] if found.occasion else [])):
            if value.low is None:
                assert value.n < FEWEST or "alike" in value.method
            else:
                assert -1 <= value.low <= value.high <= 1  # type: ignore[operator]
        assert found.effect.low is None or games >= FEWEST
        assert {seat.low is None for seat in found.seats} == {games < FEWEST}, "one rule for seats and for the whole"


def test_a_rare_change_is_no_difference_once_the_bound_lies_inside_the_zone() -> None:
    found = duel(NODDY, "take-runs@greedy-random", "greedy-random", deals=70_000)
    assert found.verdict == "no-difference"
    assert "bound by the share" in found.effect.method  # type: ignore[union-attr]
    assert found.effect.low < -0.001 < 0.001 < found.effect.high < 0.01  # type: ignore[union-attr,operator]


def test_advice_is_already_followed_only_if_that_was_looked_at_long_enough() -> None:
    few = duel(NODDY, "lead-low@greedy", "greedy", against="lookahead", deals=1_000)
    many = duel(NODDY, "lead-low@greedy", "greedy", against="lookahead", deals=1_500)
    assert (few.verdict, many.verdict) == ("undecided", "already-followed")


def test_one_strategy_under_two_names_is_known_exactly_to_make_no_difference() -> None:
    for players in (2, 3):
        found = duel(NODDY, "take-points@low", "greedy", players=players, deals=1)
        assert found.verdict == "no-difference"
        assert found.effect is not None and found.effect.exact
        assert all(seat.exact for seat in found.seats)


def test_more_arms_than_the_kernels_hold_are_played_in_groups() -> None:
    setting = Setting(NODDY, 2, "greedy", "low", 1)
    names = [f"{probe}@greedy" for probe in lead_probes()]
    arms = [
        *names,
        *(f"{tip}@{name}" for tip in ("save-fives", "save-tens", "take-runs", "lead-low") for name in names),
    ]
    assert len(arms) > MAX_ARMS
    found = duels(setting, arms, 100, Limits(0.02, len(arms)), scale=None)
    assert [one.arm for one in found] == arms
    alone = duels(setting, arms[-1:], 100, Limits(0.02, len(arms)), scale=None)
    assert alone[0].effect == found[-1].effect
