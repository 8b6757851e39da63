"""Means of duplicates that stay honest where few were played, or where few came out otherwise.

In most duplicates an arm changes nothing and the difference is nought. As long as enough differ, Student's interval is
right. Where hardly any does, the spread that was seen says nothing about what may yet come up: two deals that happen to
come out alike would look like certainty. There the interval is a bound that holds for any distribution of differences
up to a largest one:

    mean <= share(gained) * seen + share(beyond) * (largest - seen)

``gained`` is how many of the n duplicates were above nought, ``seen`` is no less than the largest difference among them
and ``largest`` the most that one can be. ``share(gained)`` is Clopper and Pearson's upper limit of the share of
such duplicates (Biometrika 1934). ``share(beyond)``, that limit for none of n, is the greatest likely share of
duplicates beyond the largest one seen (Wilks, Annals of Mathematical Statistics 1941): the "rule of three" (Hanley and
Lippman-Hand, JAMA 1983). The lower end is made alike from the duplicates below nought, and each of the four limits
takes a quarter of the error allowed.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from noddysim.insight import stats
from noddysim.insight.estimates import POINTS, Estimate
from noddysim.insight.stats import Sums

FEWEST: Final = 10
"""With fewer duplicates there is no interval; with fewer that differ from nought it is the bound."""

SELDOM: Final = 1 / 500
"""Advice is already followed if it would change a card in less than this share of duplicates, as far as was seen."""


class Extremes(NamedTuple):
    """What is known of the differences besides their moments.

    gained, lost : how many of them were above and below nought, or no fewer than that; largest : the most by which one
    can differ from nought, in the unit of the differences.
    """

    gained: int
    lost: int
    largest: int


def mean_of_duplicates(
    sums: Sums, extremes: Extremes, divisor: int = 1, unit: str = POINTS, *, confidence: float = 0.95
) -> Estimate:
    """Mean ``total / (n * divisor)`` of the differences of n duplicates, with an interval that is never too sure.

    With fewer than FEWEST duplicates there is none (None). If at least FEWEST differ from nought, and not all alike, it
    is Student's, kept within the largest difference; else the bound above, and ``method`` says so.
    """
    mean = stats.mean_from_sums(*sums, divisor, unit, confidence=confidence)
    most = float(Fraction(extremes.largest, divisor))
    enough = mean.low is not None and extremes.gained + extremes.lost >= FEWEST
    if enough or sums.n < FEWEST:
        return kept_within(mean, -most, most)
    low, high = (_bound(side, sums, extremes, confidence) / divisor for side in (extremes.lost, extremes.gained))
    method = f"too few of {sums.n:,} differ for a t interval; bound by the share of those that do"
    return replace(mean, low=-low, high=high, method=method)


def kept_within(found: Estimate, least: float, most: float) -> Estimate:
    """An estimate whose interval keeps within what is possible; from fewer than FEWEST duplicates it has none."""
    if found.low is None or found.high is None:
        return found
    if found.n < FEWEST:
        return replace(found, low=None, high=None, method=f"fewer than {FEWEST} duplicates, no interval")
    return replace(found, low=max(least, found.low), high=min(most, found.high))


def _bound(differing: int, sums: Sums, extremes: Extremes, confidence: float) -> float:
    """How far from nought the mean may lie on one side, in the unit of the differences."""
    # No single difference is greater than the root of the sum of all squares.
    seen = min(extremes.largest, math.isqrt(max(0, sums.squares - 1)) + 1) if sums.squares else 0
    level = 1 - (1 - confidence) / 4
    share = stats.share_at_most(min(differing, sums.n), sums.n, confidence=level)
    beyond = stats.share_at_most(0, sums.n, confidence=level)
    return share * seen + beyond * (extremes.largest - seen)


def unchanged_long_enough(n: int) -> bool:
    """Whether n duplicates without a change show that a change is rarer than SELDOM, with 95 per cent confidence."""
    return stats.share_at_most(0, n) < SELDOM
