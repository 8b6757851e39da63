"""Plans: formulas against closed forms, and what a plan promises is what the run then has."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import nct, t
from statsmodels.stats.power import TTestPower

from noddysim.cli import cli
from noddysim.commands.plan import time_words
from noddysim.game.errors import InputError
from noddysim.insight.duels import duel
from noddysim.insight.planning import (
    FIRST_NUMBER,
    Comparison,
    Wish,
    duplicates_for_power,
    duplicates_for_precision,
    pilot_of,
    plan,
)


@pytest.mark.parametrize(("deviation", "precision"), [(0.74, 0.005), (2.3, 0.1), (1.0, 0.9), (1.0, 5.0), (3.0, 0.0007)])
def test_the_planned_number_is_the_least_that_is_precise_enough(deviation: float, precision: float) -> None:
    def half(n: int) -> float:
        return float(t.ppf(0.975, n - 1)) * deviation / math.sqrt(n)

    n = duplicates_for_precision(deviation, precision)
    assert half(n) <= precision
    assert n == 2 or half(n - max(1, n // 10_000)) > precision


@pytest.mark.parametrize(("size", "power"), [(0.2, 0.9), (0.05, 0.8), (0.7, 0.95), (0.02, 0.9)])
def test_the_planned_number_has_the_power(size: float, power: float) -> None:
    n = duplicates_for_power(1.0, size, power=power)

    def chance(n: int) -> float:
        limit = t.ppf(0.975, n - 1)
        return float(nct.sf(limit, n - 1, size * math.sqrt(n)) + nct.cdf(-limit, n - 1, size * math.sqrt(n)))

    assert chance(n) == pytest.approx(power, abs=0.015)
    assert chance(n) >= power - 0.0005
    assert TTestPower().power(size, n, 0.05) == pytest.approx(chance(n), abs=1e-6)


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.nan, math.inf])
def test_what_cannot_be_planned_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="above nought"):
        duplicates_for_precision(1.0, wrong)
    with pytest.raises(ValueError, match="above nought"):
        duplicates_for_power(1.0, wrong)


def test_the_interval_of_the_deviation_covers_long_tails() -> None:
    """1,000 pilots of a long-tailed world: by the fourth moment about 95 in 100 hold the true deviation."""
    values, chances = np.array([0, 1, -1, 8]), np.array([0.8, 0.1, 0.06, 0.04])
    truth = math.sqrt(np.dot(values**2, chances) - np.dot(values, chances) ** 2)
    draws = np.random.default_rng(5).choice(values, p=chances, size=(1_000, 2_000))
    held = sum(low <= truth <= high for low, high in (pilot_of(one, 1, 1.0).deviation_ends for one in draws))
    assert 920 <= held <= 975


@pytest.mark.parametrize(
    ("names", "more"),
    [
        (("greedy", "low"), {}),
        (("lead-low@greedy-random", "greedy-random"), {"against": "lookahead"}),
        (("greedy", "low"), {"games": True}),
        (("most-points", "first"), {"variant": "innocence"}),
    ],
)
def test_the_run_is_as_precise_as_planned(names: tuple[str, str], more: dict[str, Any]) -> None:
    """The second run, on other deals than the pilot's."""
    asked = {"variant": "noddy", **more}
    games = asked.pop("games", False)
    wished = 0.02
    found = plan(asked.pop("variant"), *names, Wish(precision=wished), games=games, seed=3, workers=1, **asked)
    assert found.low < found.duplicates < found.high
    setting = found.comparison.setting
    amount = {"games" if setting.games else "deals": found.duplicates}
    run = duel(setting.variant, *names, seed=3, workers=1, **asked, **amount)
    shown = run.concerned
    assert shown is not None and shown.half_width is not None
    assert shown.half_width == pytest.approx(wished, rel=0.1)
    assert shown.n == found.duplicates


def test_a_pilot_meets_deals_that_no_run_meets_and_is_the_same_every_time() -> None:
    one, other = (plan("noddy", "greedy", "low", Wish(precision=0.1), workers=1) for _ in range(2))
    assert (one.duplicates, one.pilot.mean) == (other.duplicates, other.pilot.mean)
    first, _ = one.comparison.values(FIRST_NUMBER, FIRST_NUMBER + 50)
    assert not np.array_equal(first, one.comparison.values(0, 50)[0])
    assert isinstance(one.comparison, Comparison)
    assert one.cpu_seconds > 0 and one.seconds == one.cpu_seconds


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({}, "--precision or --effect"),
        ({"precision": 1.0, "effect": 1.0}, "--precision or --effect"),
        ({"precision": 0.0}, "--precision: 0 must"),
        ({"effect": math.nan}, "--effect: nan must"),
        ({"effect": 1.0, "power": 1.0}, "--power: 1 must"),
    ],
)
def test_a_wish_that_cannot_be(wish: dict[str, float], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Wish(**wish)


def test_the_command() -> None:
    arguments = ["plan", "greedy", "low", "--effect", "0.05", "--workers", "1"]
    data = json.loads(CliRunner().invoke(cli, [*arguments, "--json"], catch_exceptions=False).stdout)
    assert data["low"] <= data["duplicates"] <= data["high"]
    assert data["power"] == 0.9 and data["precision"] is None
    assert data["command"][-4:] == ["--deals", str(data["duplicates"]), "--seed", "1589"]
    words = CliRunner().invoke(cli, arguments, catch_exceptions=False).stdout
    assert f"takes about {data['duplicates']:,} duplicates of deals" in words
    for wrong in (
        ["plan", "greedy", "greedy", "--precision", "0.1"],
        ["plan", "greedy", "low", "--precision", "1e-12"],
        ["plan", "keep-best+low", "random+low", "--precision", "0.1"],
        ["plan", "greedy", "nobody", "--precision", "0.1"],
    ):
        done = CliRunner().invoke(cli, wrong)
        assert done.exit_code == 2
        assert done.stdout == "" and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0123, "0.012 seconds"),
        (99.7, "100 seconds"),
        (150, "2.5 minutes"),
        (9_000, "2.5 hours"),
        (864_000, "10 days"),
    ],
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert time_words(seconds) == words
