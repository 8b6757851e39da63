"""What a self-check is made of: checks with their bounds, the formulas on trial, and the errors that can be planted.

A check repeats an experiment whose truth is known many times, through the functions that all answers of this project go
through, and counts how often something happened: an interval held the truth, a null tip was called a help. What the
formula claims gives the bounds within which that count lies unless the program is wrong: binomial bounds, each passed
by a right program with a chance of EACH at most. With fewer than ``ALARM / EACH`` checks a right program fails at most
once in a million seeds; the seed is fixed, so the answer is the same every time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from noddysim.insight import stats
from noddysim.insight.duplicates import Extremes, mean_of_duplicates
from noddysim.insight.estimates import Estimate
from noddysim.insight.sequences import sequence_from_sums
from noddysim.insight.stats import Sums

IntArray = npt.NDArray[np.int64]

SEED: Final = 1589
ALARM: Final = 1e-6
"""How often a right program may fail the whole self-check, over all seeds."""
EACH: Final = 2e-8
"""How often it may fail one check."""
SLACK: Final = 0.01
"""By how much the true level of an approximate formula may differ from the one it claims, since n is finite."""
LEVEL: Final = 0.95

Family = Literal["intervals", "nought", "alarms", "power", "cases"]
FAMILIES: Final[Mapping[Family, str]] = {
    "intervals": "Intervals hold the truth as often as they say",
    "nought": "A strategy against itself gains nothing",
    "alarms": "Nothing is found where there is nothing",
    "power": "What is there is found",
    "cases": "Worked cases",
}
"""What each family of checks shows."""


@dataclass(frozen=True)
class Check:
    """One check: what was observed and between what it must lie.

    ``trials`` is how many experiments were made (0: none, a worked case); ``share`` tells whether ``observed`` is a
    share of them, else it is a number of its own.
    """

    name: str
    family: Family
    what: str
    observed: float
    low: float
    high: float
    trials: int = 0
    share: bool = True

    @property
    def ok(self) -> bool:
        """Whether the observed lies between its bounds; what is not a number does not."""
        return self.low <= self.observed <= self.high

    def to_json(self) -> dict[str, Any]:
        """An entry of ``checks`` in ``noddysim verify --json``."""
        return {
            "name": self.name, "observed": self.observed, "low": self.low, "high": self.high, "ok": self.ok,
            "family": self.family, "what": self.what, "trials": self.trials,
        }  # fmt: skip


class Claim(NamedTuple):
    """Between what the chance of an event lies, by what the formula on trial claims."""

    least: float
    most: float


ABOUT_95: Final = Claim(LEVEL - SLACK, LEVEL + SLACK)
"""An interval by an approximation: 95 % within SLACK."""
AT_LEAST_95: Final = Claim(LEVEL, 1.0)
"""A bound: 95 % or more."""
ABOUT_5: Final = Claim(1 - LEVEL - SLACK, 1 - LEVEL + SLACK)
AT_MOST_5: Final = Claim(0.0, 1 - LEVEL)


def bounds(claim: Claim, trials: int) -> tuple[float, float]:
    """Between what the share of an event in so many trials lies, but for a chance of EACH."""
    from scipy.stats import binom  # type: ignore[import-untyped, unused-ignore]

    low = 0.0 if claim.least <= 0 else float(binom.ppf(EACH / 2, trials, claim.least)) / trials
    high = 1.0 if claim.most >= 1 else float(binom.isf(EACH / 2, trials, claim.most)) / trials
    return low, high


def counted(name: str, family: Family, what: str, events: int, trials: int, claim: Claim) -> Check:
    """A check of how often something happened in independent trials."""
    return Check(name, family, what, int(events) / trials, *bounds(claim, trials), trials)


def holds(found: Estimate | None, truth: float) -> bool:
    """Whether an estimate has an interval that holds the truth."""
    return found is not None and found.low is not None and found.high is not None and found.low <= truth <= found.high


def sums_of(values: IntArray) -> Sums:
    """Count, sum and sum of squares of whole numbers."""
    return Sums(len(values), int(values.sum()), int((values * values).sum()))


# --- formulas on trial ----------------------------------------------------------------------------------------------


def _paired(a: IntArray, b: IntArray) -> Estimate:
    return stats.mean_from_sums(*sums_of(a - b))


def _mean(sums: Sums) -> Estimate:
    return stats.mean_from_sums(*sums)


def _at_the_end(looks: Sequence[Sums]) -> Estimate:
    """The rule of a fixed number: whatever was seen on the way, the last look alone is read."""
    last = looks[-1]
    return mean_of_duplicates(last, Extremes(last.n, last.n, last.squares), confidence=LEVEL)


def _by_sequence(looks: Sequence[Sums]) -> Estimate:
    """The rule of a decision: a confidence sequence is read at every look, and ends it when nought is outside."""
    tightest = looks[len(looks) // 2].n
    found = sequence_from_sums(*looks[0], confidence=LEVEL, tightest=tightest)
    for look in looks[1:]:
        if not holds(found, 0.0):
            break
        found = sequence_from_sums(*look, confidence=LEVEL, tightest=tightest)
    return found


@dataclass(frozen=True)
class Formulas:
    """The formulas in which an error can be planted; by default the project's own.

    paired : the mean of a - b on the same cards; mean : the mean from count, sum and sum of squares; share : k of n;
    settle, decide : the estimate one stops with, from the sums at every look, where the number is fixed and where a
    decision ends it.
    """

    paired: Callable[[IntArray, IntArray], Estimate] = _paired
    mean: Callable[[Sums], Estimate] = _mean
    share: Callable[[int, int], Estimate] = stats.proportion
    settle: Callable[[Sequence[Sums]], Estimate] = _at_the_end
    decide: Callable[[Sequence[Sums]], Estimate] = _by_sequence


def _unpaired(a: IntArray, b: IntArray) -> Estimate:
    """Two arms on the same cards, read as if each had cards of its own."""
    return stats.difference_of_means(sums_of(a), sums_of(b))


def _variance_for_deviation(sums: Sums) -> Estimate:
    """The interval with the variance of the mean where its root belongs."""
    from scipy.special import stdtrit  # type: ignore[import-untyped, unused-ignore]

    found = stats.mean_from_sums(*sums)
    if found.half_width is None:
        return found
    quantile = float(stdtrit(sums.n - 1, (1 + LEVEL) / 2))
    reach = quantile * (found.half_width / quantile) ** 2
    return replace(found, low=found.estimate - reach, high=found.estimate + reach)


def _normal_share(k: int, n: int) -> Estimate:
    """The share with its normal interval, which has no width where none or all were seen."""
    share = k / n
    reach = 1.959964 * math.sqrt(share * (1 - share) / n)
    return replace(stats.proportion(k, n), low=share - reach, high=share + reach)


def _when_it_looks_good(looks: Sequence[Sums]) -> Estimate:
    """Stop at the first look whose ordinary interval excludes nought."""
    found = _at_the_end(looks[:1])
    for look in looks:
        found = _at_the_end([look])
        if not holds(found, 0.0):
            break
    return found


PLANTS: Final[Mapping[str, Formulas]] = {
    "unpaired": Formulas(paired=_unpaired),
    "variance": Formulas(mean=_variance_for_deviation),
    "normal": Formulas(share=_normal_share),
    "peeking": Formulas(settle=_when_it_looks_good, decide=_when_it_looks_good),
}
"""Known errors of other programs, each in place of one right formula."""

PLANT_WORDS: Final[Mapping[str, str]] = {
    "unpaired": "the formula for independent samples on paired data",
    "variance": "the variance where the standard deviation belongs",
    "normal": "a normal interval for a share",
    "peeking": "stopping as soon as it looks good",
}
