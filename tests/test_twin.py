"""The kernels equal the slow twin card by card; they meet the exact means; and a strategy gains nothing on itself."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import behaviour
import numpy as np
import pytest
import table
import twin_work
import twins
from hypothesis import given, settings
from hypothesis import strategies as st

from noddysim.engine import games
from noddysim.game.strategies import builtin_strategies, builtin_tips
from noddysim.kernels.noddy import SOURCES, WINNER

PLAYERS = [2, 3, 4]


# ---------------------------------------------------------------------------------------------------------------------
# The twin


@pytest.fixture(scope="module")
def pool() -> Iterator[Any]:
    with twin_work.workers() as pool:
        yield pool


@pytest.mark.parametrize("players", PLAYERS)
def test_deals_equal_the_twin(players: int, pool: Any) -> None:
    # Together some 5,000 deals of Noddy; ten times as many are compared in the verification.
    batches = twins.batches(players, 1_800, seed=100 + players, sizes=(9, 2))
    assert len(batches) > 2 * len(twins.strategies())
    for batch, twin in twins.in_step(batches, pool, twin_work.deals):
        twins.compare_deals(batch, twin)


def test_deals_of_the_family_equal_the_twin(pool: Any) -> None:
    # As many strategies and policies meet as in seven times as many deals, which are compared in the verification.
    batches = twins.family_batches(400, seed=300, size=9)
    assert len(batches) > 550
    assert sum(batch.stop - batch.start for batch in batches) >= 400 * len({name for name, _ in twins.FAMILY})
    for batch, twin in twins.in_step(batches, pool, twin_work.deals):
        twins.compare_deals(batch, twin)


def test_duplicates_of_the_family_equal_the_twin(pool: Any) -> None:
    changed = 0
    for batch, twin in twins.in_step(twins.family_batches(80, seed=301, size=16, seats=3), pool, twin_work.duplicates):
        twins.compare_duplicates(batch, twin)
        changed += sum(cards for _, cards in twin)
    assert changed > 200


def test_duplicates_of_games_of_the_family_equal_the_twin(pool: Any) -> None:
    batches = twins.family_batches(3, seed=302, size=3, seats=3)
    for batch, twin in twins.in_step(batches, pool, twin_work.game_duplicates):
        twins.compare_game_duplicates(batch, twin)


@pytest.mark.parametrize("players", PLAYERS)
def test_duplicates_equal_the_twin(players: int, pool: Any) -> None:
    batches = twins.batches(players, 200, seed=200 + players, sizes=(4, 1), seats=3)
    changed = 0
    for batch, twin in twins.in_step(batches, pool, twin_work.duplicates):
        twins.compare_duplicates(batch, twin)
        changed += sum(cards for _, cards in twin)
    assert changed > 200


@pytest.mark.parametrize("players", PLAYERS)
def test_duplicates_of_games_equal_the_twin(players: int, pool: Any) -> None:
    minds = [["random", "low", "greedy"], ["greedy", "greedy-high", "random"], ["lead-high@random", "random", "high"]]
    rules = [{}, {"target": 15, "next_dealer": "lowest", "head_start": {"eldest": 2}}, {"target": 9}]
    batches = [
        twin_work.Batch(differences, players, [table.as_data(one) for one in three], 300 + players, 0, 8)
        for three, differences in itertools.product(minds, rules)
    ]
    for batch, twin in twins.in_step(batches, pool, twin_work.game_duplicates):
        twins.compare_game_duplicates(batch, twin)


# ---------------------------------------------------------------------------------------------------------------------
# Exact means, counted elsewhere over all deals


def play_means(game: games.PegGame, strategies: Sequence[str], deals: int) -> list[tuple[float, float]]:
    """Mean and standard error of each seat's points in the play."""
    counts = table.count_deals(game, strategies, 1589, 0, deals)
    return [table.mean_and_error(seat[SOURCES.index("play")]) for seat in counts]


TRUTH = Path(__file__).parent / "golden" / "truth"
with (TRUTH / "noddy_play_exact.csv").open(encoding="utf-8", newline="") as file:
    EXACT_PAIRS = list(csv.DictReader(file))


@pytest.mark.parametrize("row", EXACT_PAIRS, ids=lambda row: f"{row['pone']}-{row['dealer']}")
def test_mean_play_of_every_pair(row: dict[str, str]) -> None:
    means = play_means(table.noddy_game(2), [row["pone"], row["dealer"]], 100_000)
    for (mean, error), seat in zip(means, ("pone_points", "dealer_points"), strict=True):
        assert 0 < error < 0.01
        assert abs(mean - float(row[seat])) < 4 * error


def test_every_pair_of_the_truth_is_there() -> None:
    names = ["random", "low", "high", "greedy", "greedy-high", "save-five"]
    assert [(row["pone"], row["dealer"]) for row in EXACT_PAIRS] == list(itertools.product(names, names))


def test_mean_play_of_three_and_of_four_cards() -> None:
    three = play_means(table.noddy_game(3), ["greedy"] * 3, 200_000)
    four_cards = play_means(table.game_with({"hand": 4}, 2), ["greedy"] * 2, 200_000)
    exact = [1.144952394, 2.103153289, 3.090107277, 2.368434333, 3.745266311]
    for (mean, error), truth in zip([*three, *four_cards], exact, strict=True):
        assert abs(mean - truth) < 4 * error


def test_mean_play_of_four_players() -> None:
    # Sampled elsewhere, each to within 0.0005.
    means = play_means(table.noddy_game(4), ["greedy"] * 4, 200_000)
    for (mean, error), truth in zip(means, [1.265206, 2.142004, 2.635304, 2.899766], strict=True):
        assert abs(mean - truth) < 4 * (error**2 + 0.0005**2) ** 0.5


def test_first_dealer_wins_as_often_as_counted() -> None:
    number = 200_000
    winners = table.record_games(table.noddy_game(2), ["greedy", "greedy"], 1589, 0, number)[:, WINNER]
    assert abs(winners.mean() - 0.5275470017) < 4 * (0.25 / number) ** 0.5


def test_greedy_against_low_is_worth_what_was_counted() -> None:
    # In points a deal: the value of a duplicate over n (n - 1).
    rows = table.duel_deals(table.noddy_game(2), "greedy", "low", "low", 1589, 0, 200_000)
    values = rows[:, :2].sum(axis=1) / 2
    assert abs(values.mean() - 0.3213848846) < 4 * values.std(ddof=1) / len(values) ** 0.5


def test_heels_and_shows_are_worth_what_was_counted() -> None:
    counts = table.count_deals(table.noddy_game(4), ["random"] * 4, 1589, 0, 200_000)
    for seat in range(4):
        for source, truth in (("heels", (seat == 3) / 13), ("show", 701814 / 270725), ("show_nob", 12 / 221)):
            mean, error = table.mean_and_error(counts[seat, SOURCES.index(source)])
            assert abs(mean - truth) <= 4 * error


# ---------------------------------------------------------------------------------------------------------------------
# A strategy against itself


# Best play needs its solution, which the helpers here do not lay on the table; it has this test in test_duels.py.
EVERY_STRATEGY = [
    *(name for name in builtin_strategies() if name != "optimal"),
    *(f"{tip}@random" for tip in builtin_tips()),
]


@pytest.mark.parametrize("players", PLAYERS)
def test_a_strategy_gains_nothing_on_itself(players: int) -> None:
    game = table.noddy_game(players)
    for name in EVERY_STRATEGY:
        # No card may change either: a random choice that knew whether it is the arm's would change some.
        assert not table.duel_deals(game, name, name, "greedy-random", 6, 0, 400).any()
        assert not table.duel_games(game, name, name, "random", 6, 0, 40).any()


@pytest.mark.parametrize("players", PLAYERS)
def test_random_against_random_is_nought_on_every_duplicate(players: int) -> None:
    game = table.noddy_game(players)
    for name in ("random", "greedy-random", "lookahead-random"):
        assert not table.duel_deals(game, name, name, name, 7, 0, 3_000).any()
        assert not table.duel_games(game, name, name, name, 7, 0, 200).any()


def test_arm_and_baseline_exchanged_change_the_sign() -> None:
    # With the arm's cards changed the baseline's game is played as well, and its score is the same as when it is arm.
    game = table.noddy_game(3)
    there = table.duel_deals(game, "greedy", "random", "lookahead", 8, 0, 3_000)[:, :3]
    back = table.duel_deals(game, "random", "greedy", "lookahead", 8, 0, 3_000)[:, :3]
    assert there.any() and np.array_equal(there, -back)


@pytest.mark.parametrize("players", PLAYERS)
def test_several_arms_at_once_are_each_what_they_are_alone(players: int) -> None:
    # One arm is the baseline itself, and one stands twice: none may disturb another.
    game, arms = table.noddy_game(players), ["greedy", "random", "lookahead", "greedy"]
    for together, alone, number in (
        (table.duel_deals_of_arms, table.duel_deals, 500),
        (table.duel_games_of_arms, table.duel_games, 60),
    ):
        rows = together(game, arms, "random", "low", 9, 0, number)
        for arm, found in zip(arms, rows, strict=True):
            assert np.array_equal(found, alone(game, arm, "random", "low", 9, 0, number))
        assert rows[0].any() and not rows[1].any()


# ---------------------------------------------------------------------------------------------------------------------
# A chunk is a range: any way to cut it gives the same counts


CUTS = st.lists(st.integers(0, 40), max_size=6).map(lambda cuts: [0, *sorted(cuts), 40])
STARTS = st.sampled_from([0, 7, 2**32 - 20, 2**40])
SETTINGS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["greedy-random", "lookahead"]),
    ({"target": 9, "next_dealer": "highest"}, ["random", "lead-high@random", "greedy"]),
    ({"play": {"combo_scope": "deal"}, "target": 21}, ["random", "keep-reserve@random", "high", "greedy-safe"]),
]


@settings(max_examples=30)
@given(st.sampled_from(SETTINGS), STARTS, CUTS, st.sampled_from([0, 1589, 2**64 - 1]))
def test_counts_of_a_range_are_the_sum_of_its_parts(
    setting: tuple[dict[str, Any], list[str]], start: int, cuts: list[int], seed: int
) -> None:
    rules, seats = setting
    game = table.game_with(rules, len(seats))
    duel = seats[1], seats[0], seats[-1]
    ranges = [(start + one, start + other) for one, other in itertools.pairwise(cuts)]
    for count, join in (
        (partial(table.count_deals, game, seats, seed), sum),
        (partial(table.count_by_lead, game, seats, seed), sum),
        (partial(table.record_games, game, seats, seed), np.concatenate),
        (partial(table.duel_deals, game, *duel, seed), np.concatenate),
        (partial(table.duel_games, game, *duel, seed), np.concatenate),
    ):
        parts = [count(*one) for one in ranges]
        assert np.array_equal(join(parts), count(start, start + 40))


# ---------------------------------------------------------------------------------------------------------------------
# The version of behaviour


def test_counts_are_those_of_the_version_of_behaviour() -> None:
    golden = json.loads(behaviour.GOLDEN.read_text(encoding="utf-8"))
    counts = behaviour.in_short()
    moved = [name for name in golden["counts"] if counts.get(name) != golden["counts"][name]]
    assert not moved, f"counts have moved in {moved}: see tests/behaviour.py"
    assert set(counts) == set(golden["counts"])
    assert games.BEHAVIOUR == golden["behaviour"], "renew tests/golden/behaviour.json: see tests/behaviour.py"
