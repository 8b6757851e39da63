"""Means of duplicates: never too sure, however few there are and however few differ."""

from __future__ import annotations

import numpy as np
import pytest

from noddysim.engine.games import peg_game, show_game
from noddysim.engine.measures import DuelCount
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant, variant_names
from noddysim.insight import stats
from noddysim.insight.duplicates import FEWEST, SELDOM, Extremes, mean_of_duplicates, unchanged_long_enough
from noddysim.insight.estimates import Estimate
from noddysim.insight.stats import Sums
from noddysim.insight.swings import largest_swing, most_for_a_card

LARGEST = 90


def of(values: list[int], largest: int = LARGEST, confidence: float = 0.95) -> Estimate:
    """The mean of these differences."""
    sums = Sums(len(values), sum(values), sum(value * value for value in values))
    gained, lost = (sum(sign * value > 0 for value in values) for sign in (1, -1))
    return mean_of_duplicates(sums, Extremes(gained, lost, largest), confidence=confidence)


@pytest.mark.parametrize("values", [[0], [0, 0], [3, 3], [5, -2], [1, 0, 0, 0, 0, 0, 0, 0, 0]])
def test_few_duplicates_have_no_interval(values: list[int]) -> None:
    found = of(values)
    assert found.interval == (None, None)
    assert found.estimate == sum(values) / len(values)
    assert "no interval" in found.method


def test_where_none_differs_the_bound_is_the_rule_of_three_times_the_largest_swing() -> None:
    found = of([0] * 1_000)
    share = 1 - 0.0125 ** (1 / 1_000)
    assert found.interval == pytest.approx((-LARGEST * share, LARGEST * share))
    assert "bound by the share" in found.method


def test_all_alike_is_no_certainty() -> None:
    found = of([4] * 50)
    assert found.low is not None and found.high is not None
    assert found.low < 4 < found.high


def test_enough_that_differ_have_students_interval() -> None:
    values = [0] * 100 + [1, -2, 3, 4, -1, 2, 2, 2, 1, 5]
    assert of(values).interval == stats.mean_from_histogram(values, [1] * len(values)).interval
    assert of([*values[:-1], 0]).interval != stats.mean_from_histogram([*values[:-1], 0], [1] * len(values)).interval


def test_an_interval_keeps_within_what_is_possible() -> None:
    found = of([1] * 9 + [-1], largest=1)
    assert found.high == 1
    assert found.low is not None and found.low > -1


@pytest.mark.parametrize(
    ("n", "values", "chances"),
    [
        (10, [0, 1, -1], [0.98, 0.01, 0.01]),
        (200, [0, 12], [0.998, 0.002]),
        (500, [0, -1, 80], [0.99, 0.0095, 0.0005]),
        (2_000, [0, 3, -3, 60], [0.9985, 0.0007, 0.0007, 0.0001]),
    ],
)
def test_bounds_cover_where_students_interval_does_not(n: int, values: list[int], chances: list[float]) -> None:
    """1,000 repeats of a known truth: at least 95 in 100 intervals hold it, the naive ones far fewer."""
    truth = float(np.dot(values, chances))
    ours = naive = 0
    for counts in np.random.default_rng(n).multinomial(n, chances, size=1_000):
        sums = stats.sums_of_histogram(values, counts)
        gained, lost = (int(sum(c for v, c in zip(values, counts, strict=True) if sign * v > 0)) for sign in (1, -1))
        found = mean_of_duplicates(sums, Extremes(gained, lost, LARGEST))
        assert found.low is not None and found.high is not None
        assert found.low <= found.estimate <= found.high
        ours += found.low <= truth <= found.high
        plain = stats.mean_from_sums(*sums)
        low, high = (plain.estimate, plain.estimate) if plain.low is None else plain.interval
        naive += low <= truth <= high  # type: ignore[operator]
    assert ours >= 950
    assert naive < 950 or truth == 0


def test_a_wider_level_gives_a_wider_bound() -> None:
    one, other = of([0] * 99 + [2]), of([0] * 99 + [2], confidence=0.999)
    assert one.low > other.low and one.high < other.high  # type: ignore[operator]


def test_how_long_advice_must_go_unchanged() -> None:
    first = next(n for n in range(1, 10_000) if unchanged_long_enough(n))
    assert first == 1_497
    assert 1 - 0.05 ** (1 / first) < SELDOM
    assert FEWEST < first


# --- the largest swing ----------------------------------------------------------------------------------------------


def test_the_bound_of_a_card_by_hand() -> None:
    """Noddy: a double pair royal (12), a count of fifteen or thirty-one (2) and the last card (1)."""
    game = show_game(load_variant("noddy"))
    assert most_for_a_card(game) == 15
    assert largest_swing(game) == 2 * 15
    # Cribbage: hand and crib change too, each with 32 by ranks (five fives, had the pack as many), flush and nob.
    assert largest_swing(show_game(load_variant("cribbage"))) == 2 * (15 + 2 * (32 + 6 + 1))


@pytest.mark.parametrize("name", variant_names("pegging"))
def test_no_duplicate_swings_further_than_the_bound(name: str) -> None:
    variant = load_variant(name)
    greedy, low, random = map(parse_strategy, ("keep-best+greedy", "random+low", "random+random"))
    for players in variant.rules.players:
        game = peg_game(variant, players)
        measure = DuelCount(game, (greedy, low), random, greedy, 1)
        values = measure.rows(0, 300)[:, :, : game.sides]
        assert 0 < np.abs(values).max() < largest_swing(game) * (game.sides - 1)
