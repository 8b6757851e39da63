"""The whole self-check: all families of checks in order, with the right formulas or with a planted error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noddysim.insight import stats
from noddysim.insight.estimates import Estimate
from noddysim.insight.selfcheck import PLANTS, SEED, Check, Family, Formulas
from noddysim.insight.selfcheck_alarms import alarm_checks, power_checks
from noddysim.insight.selfcheck_intervals import interval_checks
from noddysim.insight.selfcheck_noughts import nought_checks
from noddysim.insight.selfcheck_world import played
from noddysim.insight.variance import DEALS, QUICK_DEALS, Variance, variances

QUICK_TRIALS: Final = 1_500
TRIALS: Final = 20_000
QUICK_WORLD: Final = 20_000
WORLD: Final = 50_000
"""Duplicates from which experiments are drawn."""

Tell = Callable[[int], object]
"""Called with the number of checks that have just been made."""


@dataclass(frozen=True)
class SelfCheck:
    """What a self-check found."""

    checks: tuple[Check, ...]
    quick: bool
    plant: str | None = None
    variance: tuple[Variance, ...] = ()
    """How much luck duplicates and a control variate take out; measured, not checked."""

    @property
    def ok(self) -> bool:
        """Whether every check holds."""
        return all(check.ok for check in self.checks)

    def of(self, family: Family) -> list[Check]:
        """The checks of one family."""
        return [check for check in self.checks if check.family == family]

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim verify --json``."""
        return {
            "checks": [check.to_json() for check in self.checks], "ok": self.ok, "quick": self.quick,
            "plant": self.plant, "seed": SEED, "variance": [one.to_json() for one in self.variance],
        }  # fmt: skip


def self_check(quick: bool = False, plant: str | None = None, tell: Tell | None = None) -> SelfCheck:
    """Make all checks: up to QUICK_TRIALS experiments each if ``quick``, else up to TRIALS, and more games.

    plant : the name of an error of ``PLANTS`` that takes the place of the right formula; a check must then fail.
    Raises KeyError for another name.
    """
    formulas = PLANTS[plant] if plant else Formulas()
    found = []
    for check in _checks(quick, formulas):
        found.append(check)
        if tell:
            tell(1)
    measured = () if plant else variances(QUICK_DEALS if quick else DEALS)
    return SelfCheck(tuple(found), quick, plant, measured)


def _checks(quick: bool, formulas: Formulas) -> Iterator[Check]:
    trials, world = QUICK_TRIALS if quick else TRIALS, played(QUICK_WORLD if quick else WORLD)
    yield from interval_checks(world, formulas, trials)
    yield from nought_checks(not quick)
    yield from alarm_checks(world, formulas, trials)
    yield from power_checks(world, trials)
    yield from _cases(formulas)


def _cases(formulas: Formulas) -> Iterator[Check]:
    """Worked cases that other programs got wrong, with what each must give, as far as it was published."""
    share = formulas.share(110, 200)
    assert share.low is not None and share.high is not None
    yield _case("score-interval-low", "110 of 200: lower end of the score interval", share.low, 0.4808, 4)
    yield _case("score-interval-high", "110 of 200: upper end of the score interval", share.high, 0.6174, 4)
    pairs = stats.mean_from_histogram([0, 1, 2, 3, 4], [365, 16_618, 36_229, 16_974, 390], divisor=4)
    # A match engine's pairs of games, from none to two points each: the mean is a share of the points.
    yield _case("error-of-pairs", "70,576 pairs of games: the paired standard error", _error(pairs), 0.000678, 6)
    a, b = np.array([10, 12, 8, 14]), np.array([9, 11, 7, 13])
    same = formulas.paired(a, b)
    width = 0.0 if same.half_width is None else same.half_width
    yield Check("same-cards-no-error", "cases", "a difference of 1 on every deal: half-width", width, 0, 0, 0, False)
    level = 1 - stats.family_confidence(20)
    yield _case("level-of-twenty", "twenty tips read together: the level of each", level, 0.0025, 4)


def _error(found: Estimate) -> float:
    """The standard error of an estimate with Student's interval."""
    from scipy.special import stdtrit  # type: ignore[import-untyped, unused-ignore]

    assert found.half_width is not None
    quantile = float(stdtrit(found.n - 1, (1 + found.confidence) / 2))
    return found.half_width / quantile


def _case(name: str, what: str, observed: float, published: float, places: int) -> Check:
    """A worked case, right as far as the published figure was rounded."""
    rounding: float = 0.5 * 10.0**-places
    return Check(name, "cases", what, observed, published - rounding, published + rounding, 0, False)
