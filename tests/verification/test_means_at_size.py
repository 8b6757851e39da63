"""Means of millions of deals within four standard errors of the exact values."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import table

from noddysim.kernels.noddy import SOURCES, WINNER

TRUTH = Path(__file__).parent.parent / "golden" / "truth" / "noddy_play_exact.csv"
with TRUTH.open(encoding="utf-8", newline="") as file:
    EXACT_PAIRS = list(csv.DictReader(file))

SEED = 20_000
PLAY = SOURCES.index("play")
GREEDY_PLAY = 25_319_161_024, 50_344_293_360
"""Points in the play of pone and dealer over all two-player deals, greedy against greedy."""
ALL_DEALS = 18_729_838_400


@pytest.mark.parametrize("row", EXACT_PAIRS, ids=lambda row: f"{row['pone']}-{row['dealer']}")
def test_mean_play_of_every_pair(row: dict[str, str]) -> None:
    counts = table.count_deals(table.noddy_game(2), [row["pone"], row["dealer"]], SEED, 0, 2_000_000)
    for seat, name in enumerate(("pone_points", "dealer_points")):
        mean, error = table.mean_and_error(counts[seat, PLAY])
        assert abs(mean - float(row[name])) < 4 * error


def test_mean_play_of_greedy_players() -> None:
    two = table.count_deals(table.noddy_game(2), ["greedy"] * 2, SEED + 1, 0, 10_000_000)
    three = table.count_deals(table.noddy_game(3), ["greedy"] * 3, SEED + 1, 0, 5_000_000)
    four_cards = table.count_deals(table.game_with({"hand": 4}, 2), ["greedy"] * 2, SEED + 1, 0, 5_000_000)
    exact = [points / ALL_DEALS for points in GREEDY_PLAY]
    exact += [1.144952394, 2.103153289, 3.090107277, 2.368434333, 3.745266311]
    for seat, truth in zip([*two, *three, *four_cards], exact, strict=True):
        mean, error = table.mean_and_error(seat[PLAY])
        assert abs(mean - truth) < 4 * error


def test_first_dealer_wins_as_often_as_counted() -> None:
    won, number = 0, 3_000_000
    for start in range(0, number, 100_000):
        records = table.record_games(table.noddy_game(2), ["greedy"] * 2, SEED, start, start + 100_000)
        won += int(records[:, WINNER].sum())
    assert abs(won / number - 0.5275470017) < 4 * (0.25 / number) ** 0.5


def test_greedy_against_low_is_worth_what_was_counted() -> None:
    total, squares, number = 0, 0, 5_000_000
    for start in range(0, number, 100_000):
        rows = table.duel_deals(table.noddy_game(2), "greedy", "low", "low", SEED, start, start + 100_000)
        values = rows[:, :2].sum(axis=1)
        total, squares = total + int(values.sum()), squares + int((values * values).sum())
    mean = total / number
    error = ((squares / number - mean**2) / (number - 1)) ** 0.5
    # A duplicate's value over n (n - 1) = 2 is the worth in points a deal.
    assert abs(mean / 2 - 0.3213848846) < 4 * error / 2
