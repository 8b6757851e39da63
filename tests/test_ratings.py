"""Ratings: known exact margins, the laws of a round robin, and the same numbers as duels."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats as scipy_stats

from noddysim.cli import cli
from noddysim.engine import batch
from noddysim.game.errors import InputError
from noddysim.insight.duels import duel
from noddysim.insight.ratings import Ratings, ladder_words, ratings, usual_names

GREEDY_LOW = 0.3213848846
"""Points a deal that greedy gains over low, counted over all deals (tests/golden/truth/README.md)."""
NAMES = ["low", "greedy", "careful", "random"]


@pytest.fixture(scope="module")
def noddy_ratings() -> Ratings:
    return ratings("noddy", NAMES, deals=4_000, seed=4, workers=1)


def test_the_exact_margin_lies_within_the_interval_and_four_errors(noddy_ratings: Ratings) -> None:
    found = noddy_ratings.pair("greedy", "low")
    assert found.low is not None and found.high is not None
    assert abs(found.estimate - GREEDY_LOW) < 4 * (found.high - found.low) / 2 / 1.96


def test_a_pair_is_a_duel_of_the_two(noddy_ratings: Ratings) -> None:
    for one, other in (("greedy", "low"), ("random", "careful")):
        same = duel("noddy", one, other, deals=4_000, seed=4, workers=1)
        assert same.effect is not None
        assert noddy_ratings.pair(one, other) == same.effect


def test_for_two_players_the_matrix_is_its_own_mirror(noddy_ratings: Ratings) -> None:
    """Row against column is minus column against row, and nought with itself."""
    values = noddy_ratings.robin.values(0, 50)
    assert np.array_equal(values, -values.transpose(1, 0, 2))
    assert values.any(axis=2).sum() == len(NAMES) * (len(NAMES) - 1)
    total = sum(found.estimate for _, found in noddy_ratings.ladder)
    assert total == pytest.approx(0, abs=1e-12)


def test_the_ladder_is_the_mean_over_all_others_with_the_deal_as_unit(noddy_ratings: Ratings) -> None:
    """Against a plain computation from the values of every deal."""
    values = noddy_ratings.robin.values(0, 4_000)
    by_deal = values.sum(axis=1) / (len(NAMES) - 1) / noddy_ratings.robin.divisor
    for place, name in enumerate(NAMES):
        found = noddy_ratings.rating(name)
        interval = scipy_stats.t.interval(0.95, 3_999, loc=by_deal[place].mean(), scale=scipy_stats.sem(by_deal[place]))
        assert found.estimate == pytest.approx(by_deal[place].mean())
        assert (found.low, found.high) == pytest.approx(interval)
    first = noddy_ratings.neighbours[0]
    a, b = (NAMES.index(name) for name in (first.upper, first.lower))
    gap = by_deal[a] - by_deal[b]
    interval = scipy_stats.t.interval(1 - 0.05 / 3, 3_999, loc=gap.mean(), scale=scipy_stats.sem(gap))
    assert (first.difference.low, first.difference.high) == pytest.approx(interval)
    assert [name for name, _ in noddy_ratings.ladder] == ["careful", "greedy", "random", "low"]


def test_a_notebook_shows_the_ladder(noddy_ratings: Ratings) -> None:
    assert list(noddy_ratings.table["strategy"]) == [name for name, _ in noddy_ratings.ladder]
    assert "<table" in noddy_ratings._repr_html_()


def test_what_plays_alike_cannot_be_told_apart() -> None:
    found = ratings("noddy", ["greedy", "low", "greedy:follow@low"], deals=300, workers=1)
    assert [two.told_apart for two in found.neighbours] == [
        two.difference.low is not None and two.difference.low > 0 for two in found.neighbours
    ]
    few = ratings("noddy", ["greedy", "low", "random"], deals=12, workers=1)
    assert few.groups == [[name for name, _ in few.ladder]]
    assert "cannot be told apart" in ladder_words(few)


def test_counts_are_the_same_for_any_chunk(noddy_ratings: Ratings) -> None:
    robin = noddy_ratings.robin
    assert batch.run(robin, 600, workers=1, chunk=7) == batch.run(robin, 600, workers=2, chunk=250)


@pytest.mark.parametrize(
    ("variant", "names", "players", "amount", "unit"),
    [
        ("noddy", ["greedy", "low"], 3, {"deals": 300}, "points a deal"),
        ("noddy", ["greedy", "low"], 2, {"games": 100}, "chance to win"),
        ("innocence", ["first", "most-points"], 2, {}, "chance to win"),
        ("snitch", ["first", "most-points"], 3, {"deals": 40}, "points a deal"),
    ],
)
def test_every_family(variant: str, names: list[str], players: int, amount: dict[str, int], unit: str) -> None:
    amount = amount or {"games": 200}
    found = ratings(variant, names, players=players, seed=2, workers=1, **amount)
    assert found.unit == unit
    same = duel(variant, *names, players=players, seed=2, workers=1, **amount)
    assert same.effect is not None
    pair = found.pair(*names)
    assert pair.estimate == same.effect.estimate
    assert pair.n == same.effect.n == next(iter(amount.values()))


def test_all_built_in_strategies_are_rated_if_none_is_named() -> None:
    from noddysim.game.rules import load_variant

    assert len(usual_names(load_variant("noddy"), 2)) >= 14
    assert "wait-for-sums" in usual_names(load_variant("innocence"), 2)


@pytest.mark.parametrize("names", [["greedy"], ["greedy", "greedy"], ["greedy", "nobody"]])
def test_names_that_make_no_round_robin(names: list[str]) -> None:
    with pytest.raises(InputError):
        ratings("noddy", names, deals=10)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    arguments = ["ratings", "noddy", "--strategies", "greedy, low,random", "--deals", "300", "--workers", "1"]
    done = CliRunner().invoke(cli, [*arguments, "--csv", str(file), "--json"], catch_exceptions=False)
    data = json.loads(done.stdout)
    assert [row["place"] for row in data["ladder"]] == [1, 2, 3]
    assert len(data["matrix"]) == 6 and len(data["neighbours"]) == 2
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["against"] for row in rows].count("all others") == 3
    assert float(rows[0]["estimate"]) == data["ladder"][0]["estimate"]
    words = CliRunner().invoke(cli, arguments, catch_exceptions=False).stdout
    assert words.startswith("greedy is best")
    for wrong in (["--deals", "1", "--games", "1"], ["--csv", str(tmp_path / "none" / "r.csv")]):
        done = CliRunner().invoke(cli, [*arguments, *wrong])
        assert done.exit_code == 2 and done.stdout == ""
