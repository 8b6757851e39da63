"""The self-check: a right program passes, every planted error fails by name, and its bounds are what they say."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import binom

from noddysim.cli import cli
from noddysim.commands.verify import PLANT_NAMES
from noddysim.insight import selfcheck_alarms, selfcheck_intervals, selfcheck_noughts
from noddysim.insight.selfcheck import (
    ABOUT_5,
    ABOUT_95,
    ALARM,
    AT_LEAST_95,
    EACH,
    PLANT_WORDS,
    PLANTS,
    Check,
    Formulas,
    bounds,
)
from noddysim.insight.selfcheck_run import SelfCheck, self_check
from noddysim.insight.selfcheck_world import World, draws, played

TRIALS = 600
GUILTY = {
    "unpaired": "intervals-of-paired-differences",
    "variance": "intervals-of-means",
    "normal": "none-of-twenty",
    "peeking": "false-alarms-of-looks",
}
"""The check that each planted error must fail."""


@pytest.fixture(scope="module")
def world() -> World:
    return played(5_000)


@pytest.fixture(scope="module")
def quick() -> SelfCheck:
    told: list[int] = []
    found = self_check(quick=True, tell=told.append)
    assert sum(told) == len(found.checks)
    return found


def test_a_right_program_passes(quick: SelfCheck) -> None:
    assert [check.name for check in quick.checks if not check.ok] == []
    names = [check.name for check in quick.checks]
    assert len(set(names)) == len(names)
    assert len(names) * EACH < ALARM
    assert {check.family for check in quick.checks} == {"intervals", "nought", "alarms", "power", "cases"}


def test_every_plant_has_words_and_a_name_on_the_command_line() -> None:
    assert set(PLANTS) == set(PLANT_WORDS) == set(PLANT_NAMES) == set(GUILTY)


@pytest.mark.parametrize("plant", PLANT_NAMES)
def test_a_planted_error_fails_where_it_must_and_nowhere_else(plant: str, world: World) -> None:
    formulas = PLANTS[plant]
    checks = {
        check.name: check
        for check in (
            selfcheck_intervals._paired(world, formulas, TRIALS),
            selfcheck_intervals._means(world, formulas, TRIALS),
            *selfcheck_intervals._shares(formulas, TRIALS),
            selfcheck_alarms._looks(world, formulas, TRIALS),
        )
    }
    assert not checks[GUILTY[plant]].ok
    others = set(GUILTY.values()) - {GUILTY[plant]}
    assert all(checks[name].ok for name in others)


def test_the_command_fails_loudly(quick: SelfCheck, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = Check("intervals-of-means", "intervals", "mean of duplicates", 0.2, 0.9, 0.98, 2_000)
    failed = SelfCheck((*quick.checks[1:], bad), True, "variance")
    for found, code in ((quick, 0), (failed, 1)):
        monkeypatch.setattr("noddysim.insight.selfcheck_run.self_check", lambda *_, found=found: found)
        done = CliRunner().invoke(cli, ["verify", "--quick", "--json"], catch_exceptions=False)
        assert done.exit_code == code
        data = json.loads(done.stdout)
        assert data["ok"] is (code == 0)
        assert {"name", "observed", "low", "high", "ok"} <= data["checks"][0].keys()
        words = CliRunner().invoke(cli, ["verify", "--quick"], catch_exceptions=False)
        assert words.exit_code == code
        lines = words.stdout.splitlines()
        assert sum(line.startswith(("ok  ", "FAIL ")) for line in lines) == len(found.checks)
        assert ("FAILED: intervals-of-means (1 of" in lines[-1]) == (code == 1)
    assert CliRunner().invoke(cli, ["verify", "--plant", "nothing"]).exit_code == 2


# --- the parts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("claim", [ABOUT_95, AT_LEAST_95, ABOUT_5])
def test_bounds_are_passed_by_a_right_program_with_the_stated_chance_at_most(claim: tuple[float, float]) -> None:
    trials = 2_000
    low, high = bounds(ABOUT_95.__class__(*claim), trials)
    below = binom.cdf(round(low * trials) - 1, trials, claim[0]) if low else 0.0
    above = binom.sf(round(high * trials), trials, claim[1]) if high < 1 else 0.0
    assert below <= EACH / 2 and above <= EACH / 2
    # And they are no wider than that asks for.
    assert high == 1 or binom.sf(round(high * trials) - 1, trials, claim[1]) > EACH / 2


def test_what_is_no_number_is_not_ok() -> None:
    assert not Check("x", "cases", "", float("nan"), 0, 1).ok


def test_draws_are_the_same_for_a_stream_and_in_the_world(world: World) -> None:
    one, again, other = (list(draws(world, 5, 7_000, (stream,))) for stream in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(one[0], other[0])
    assert len(one) == 5 and all(of.shape == (7_000,) and of.min() >= 0 and of.max() < world.size for of in one)


def test_a_world_is_what_the_kernels_play(world: World) -> None:
    assert world.values.shape == world.changed.shape == (5, 5_000)
    assert not world.values[1].any()  # a random lead on a baseline that leads at random
    assert not world.values[world.changed == 0].any()
    assert 0 < (world.squeezed != 0).mean() < 0.06


def test_other_strategies_are_not_nought() -> None:
    """The check that finds nothing between a strategy and itself finds something between two."""
    table = selfcheck_noughts.Table("noddy", 2, (), 300, 30)
    for arm, baseline in (("greedy", "low"), ("random", "greedy-random")):
        wrong, trials = selfcheck_noughts.strange(table, arm, baseline)
        assert wrong > 30 and trials == 630
    laid = selfcheck_noughts.Table("innocence", 2, (), 0, 40)
    assert selfcheck_noughts.strange(laid, "random", "most-points")[0] > 10
    assert selfcheck_noughts.strange(laid, "random", "random") == (0, 40)


def test_the_looks_are_those_of_a_growing_sample() -> None:
    null = np.arange(selfcheck_alarms.CHUNK * 3, dtype=np.int64)
    looks = selfcheck_alarms.looks_of(null)
    assert [look.n for look in looks] == [100, 200, 300]
    assert looks[1].total == null[:200].sum() and looks[2].squares == (null * null).sum()
    assert Formulas().settle(looks).n == 300
