"""Intervals that stay right however often one looks, and whenever one stops because of what one saw.

An ordinary 95 % interval is right for a number of duplicates that was fixed beforehand. Whoever looks after every
chunk, and stops when it excludes nought, is misled far more often than in 5 cases of 100. A *confidence sequence* holds
the true mean at all looks together with the stated chance, so stopping at any look does no harm. It is wider: about
half as much again at the number where it is tightest.

The closed form is the asymptotic sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central
limit theory and asymptotic confidence sequences" (Annals of Statistics 2024), from count, sum and sum of squares alone:

    half-width = s * sqrt(2 (n r + 1) / (n**2 r) * log(sqrt(n r + 1) / alpha))

with s the standard deviation seen, and r chosen so that the sequence is tightest at a number fixed beforehand.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Final

from noddysim.insight import stats
from noddysim.insight.counts import check_level, integers
from noddysim.insight.duplicates import Extremes, kept_within, mean_of_duplicates
from noddysim.insight.estimates import POINTS, Estimate
from noddysim.insight.stats import Sums

METHOD: Final = "confidence sequence, right at whatever look one stops"
TIGHTEST: Final = 100_000
"""Duplicates at which the sequence is tightest, unless the experiment file says otherwise."""
ENOUGH: Final = 100
"""With fewer duplicates that differ from nought the closed form is not to be trusted, and nothing is decided."""


def rate(alpha: float, tightest: int) -> float:
    """The number r of the formula for which the sequence at level ``1 - alpha`` is tightest after ``tightest``."""
    from scipy.special import lambertw  # type: ignore[import-untyped, unused-ignore]

    return float((-lambertw(-(alpha**2) / math.e, -1).real - 1) / tightest)


def sequence_from_sums(
    n: int,
    total: int,
    squares: int,
    divisor: int = 1,
    unit: str = POINTS,
    *,
    confidence: float = 0.95,
    tightest: int = TIGHTEST,
) -> Estimate:
    """Mean ``total / (n * divisor)`` of n whole-number observations with the confidence sequence at this look.

    Arguments and errors as for ``stats.mean_from_sums``; ``tightest`` must be fixed before anything is seen. There is
    no interval (None) for one observation, or where all are equal.
    """
    check_level(n, divisor, confidence)
    n, total, squares, divisor = integers(n, total, squares, divisor)
    plain = stats.mean_from_sums(n, total, squares, divisor, unit, confidence=confidence)
    if plain.low is None:
        return plain
    alpha = 1 - confidence
    variance = float(Fraction(n * squares - total**2, n * (n - 1) * divisor**2))
    grown = n * rate(alpha, tightest) + 1
    reach = math.sqrt(variance * 2 * grown / (n * (grown - 1)) * math.log(math.sqrt(grown) / alpha))
    return replace(plain, low=plain.estimate - reach, high=plain.estimate + reach, method=METHOD)


def sequence_of_duplicates(
    sums: Sums,
    extremes: Extremes,
    divisor: int = 1,
    unit: str = POINTS,
    *,
    confidence: float = 0.95,
    tightest: int = TIGHTEST,
) -> Estimate:
    """As ``duplicates.mean_of_duplicates``, with the confidence sequence where ENOUGH duplicates differ from nought.

    Where fewer do, the interval is the bound by their share; ``decisive`` tells the two apart.
    """
    if not decisive(extremes):
        return mean_of_duplicates(sums, extremes, divisor, unit, confidence=confidence)
    found = sequence_from_sums(*sums, divisor, unit, confidence=confidence, tightest=tightest)
    most = float(Fraction(extremes.largest, divisor))
    return kept_within(found, -most, most)


def decisive(extremes: Extremes) -> bool:
    """Whether enough duplicates differ from nought for a decision."""
    return extremes.gained + extremes.lost >= ENOUGH
