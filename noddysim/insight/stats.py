"""Estimates and their intervals, made from whole-number counts.

Kernels and tallies hold integers only; every fraction this project prints starts here. Sums, sums of squares and sums
of products are kept as Python integers and the variance is a fraction of integers, so that a result depends on the
counts alone: the order of the rows, the number of chunks and the number of workers cannot change a single bit. One
rounding happens at the very end.

Where the formulas come from:

* mean of paired differences: Student's t interval on one difference per duplicate ("Student", Biometrika 1908). The
  duplicate (one deal, seats exchanged) is the unit; the deals inside it are not independent of each other.
* ratio of two sums (effect per occasion, place on the scale): first-order Taylor ("delta") variance of a ratio of
  means, as in Cochran, *Sampling Techniques*, 3rd ed. 1977, section 6.3.
* share of a count: Wilson's score interval (JASA 1927).
* greatest likely share: Clopper and Pearson (Biometrika 1934), a quantile of the beta distribution, from scipy; with
  none seen it is the "rule of three" (Hanley and Lippman-Hand, JAMA 1983).
* difference of two independent shares: Newcombe's method 10 (Statistics in Medicine 1998), from statsmodels.
* difference of two independent means: Welch's t (Biometrika 1947) with Satterthwaite's degrees of freedom.
* several tips together: Bonferroni for the intervals and Holm (Scandinavian J. of Statistics 1979) for the p values.

scipy and statsmodels are loaded inside the functions that need them, so importing this module costs nothing. What every
command prints needs scipy's special functions only: statsmodels brings pandas and all distributions of scipy with it,
which takes longer than a small duel.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from noddysim.insight.counts import Integers, check_level, check_share, integer_columns, integers
from noddysim.insight.estimates import CHANCE, PER_OCCASION, POINTS, SCALE, Estimate

ALIKE: Final = "alike in all"
"""Method of a mean whose observations are all equal, before their number."""


class Sums(NamedTuple):
    """Count, sum and sum of squares of whole-number observations. ``+`` merges two sets of observations."""

    n: int
    total: int
    squares: int

    def __add__(self, other: tuple[Any, ...]) -> Sums:
        """The sums of both sets of observations together (not a longer tuple)."""
        return Sums(*(a + b for a, b in zip(self, other, strict=True)))


# --------------------------------------------------------------------------------------------------------------------
# Means


def counted(total: int, cases: int, unit: str = POINTS, *, divisor: int = 1, method: str = "counted") -> Estimate:
    """Exact mean ``total / (cases * divisor)`` over all cases there are; also for exact quotients of any two sums.

    Raises ValueError if there is no case or the divisor is below 1.
    """
    check_level(cases, divisor, 0.95)
    total, cases, divisor = integers(total, cases, divisor)
    value = float(Fraction(total, cases * divisor))
    return Estimate(value, value, value, cases, unit, method, exact=True)


def sums_of_histogram(values: Integers, counts: Integers) -> Sums:
    """Sums of a histogram: ``values`` and ``counts`` are integer arrays of one shape, any number of axes."""
    value, count = integer_columns(values, counts)
    return Sums(
        sum(count),
        sum(v * c for v, c in zip(value, count, strict=True)),
        sum(v * v * c for v, c in zip(value, count, strict=True)),
    )


def mean_count(counts: npt.NDArray[np.integer[Any]], unit: str, *, confidence: float = 0.95) -> Estimate:
    """Mean of what a row of counts counts: ``counts[k]`` cases of the value k. Not paired, hence plain t."""
    seen = np.flatnonzero(counts)
    return mean_from_histogram(seen, counts[seen], unit=unit, confidence=confidence, method="t")


def mean_from_histogram(
    values: Integers,
    counts: Integers,
    divisor: int = 1,
    unit: str = POINTS,
    *,
    confidence: float = 0.95,
    method: str = "paired t",
) -> Estimate:
    """Mean of ``values / divisor`` with Student's t interval; ``values[i]`` was seen ``counts[i]`` times.

    For a duplicate the value is the paired difference, so this is the paired interval. See mean_from_sums.
    """
    return mean_from_sums(*sums_of_histogram(values, counts), divisor, unit, confidence=confidence, method=method)


paired_difference_from_histogram = mean_from_histogram
"""A paired difference is the mean of one difference per duplicate: the same computation under its other name."""


def mean_from_sums(
    n: int,
    total: int,
    squares: int,
    divisor: int = 1,
    unit: str = POINTS,
    *,
    confidence: float = 0.95,
    method: str = "paired t",
) -> Estimate:
    """Mean ``total / (n * divisor)`` of n whole-number observations, with Student's t interval.

    The variance is the exact fraction ``(n * squares - total**2) / (n * (n - 1))``. With n = 1, or if all n
    observations are equal, there is no interval (None): nothing is then known of the spread, and a rare event that has
    not yet come up cannot show in it. ``method`` says so. Pass ``method="t"`` for plain averages (cards a game) that
    are no paired difference. For duplicates see ``duplicates.mean_of_duplicates``. Raises ValueError for n below 1, a
    divisor below 1, or sums that no whole numbers can have.
    """
    check_level(n, divisor, confidence)
    n, total, squares, divisor = integers(n, total, squares, divisor)
    mean = Fraction(total, n * divisor)
    if n == 1:
        return Estimate(float(mean), None, None, 1, unit, "one observation, no interval", confidence=confidence)
    variance = _variance_of_mean(n, total, squares) / divisor**2
    if variance == 0:
        return Estimate(float(mean), None, None, n, unit, f"{ALIKE} {n:,}, no interval", confidence=confidence)
    return _with_t(mean, variance, Shape(n, n - 1, unit, method, confidence))


def p_value_from_sums(n: int, total: int, squares: int) -> float:
    """Two-sided p value of Student's t test that the mean is nought. 1.0 for a single observation.

    Where all observations are equal, so that there is no t, it is that of the sign test.
    """
    check_level(n, 1, 0.95)
    n, total, squares = integers(n, total, squares)
    if n == 1 or total == 0:
        return 1.0
    variance = _variance_of_mean(n, total, squares)
    if variance == 0:
        return math.ldexp(1.0, 1 - n)
    from scipy.special import stdtr  # type: ignore[import-untyped, unused-ignore]

    t = abs(total) / n / math.sqrt(variance)
    return float(min(1.0, 2 * stdtr(n - 1, -t)))


def difference_of_means(
    a: Sums, b: Sums, divisor: int = 1, unit: str = POINTS, *, confidence: float = 0.95
) -> Estimate:
    """Mean of ``a`` minus mean of ``b`` from two *independent* samples, each with at least two observations (Welch).

    Not for two arms on the same deals: take their difference deal by deal and use mean_from_sums. ``n`` is the
    smaller sample. Without any spread there is no interval, as in mean_from_sums.
    """
    a, b = Sums(*integers(*a)), Sums(*integers(*b))
    (divisor,) = integers(divisor)
    for sums in (a, b):
        check_level(sums.n, divisor, confidence)
        if sums.n < 2:
            raise ValueError("the difference of two samples needs two observations in each")
    parts = [_variance_of_mean(*sums) / divisor**2 for sums in (a, b)]
    difference = (Fraction(a.total, a.n) - Fraction(b.total, b.n)) / divisor
    variance = sum(parts, Fraction(0))
    n = min(a.n, b.n)
    if variance == 0:
        method = f"{ALIKE} {a.n:,} and {b.n:,}, no interval"
        return Estimate(float(difference), None, None, n, unit, method, confidence=confidence)
    # Satterthwaite.
    df = float(variance**2 / sum(p**2 / (s.n - 1) for p, s in zip(parts, (a, b), strict=True)))
    return _with_t(difference, variance, Shape(n, df, unit, "unpaired, Welch t", confidence))


# --------------------------------------------------------------------------------------------------------------------
# Ratios


def ratio_from_joint(
    values: Integers,
    changed: Integers,
    counts: Integers,
    divisor: int = 1,
    *,
    unit: str = PER_OCCASION,
    confidence: float = 0.95,
) -> Estimate | None:
    """Effect per occasion: ``sum(values) / sum(changed) / divisor`` over all duplicates, with a delta interval.

    In ``counts[i]`` duplicates the paired difference was ``values[i]`` while the advice changed ``changed[i]`` cards
    (0 or more). With R the ratio, k the duplicates that are not (0, 0), V and M the two sums:

        variance of R = k / (k - 1) * sum(counts * (values - R * changed)**2) / M**2

    and t with k - 1 degrees of freedom. A duplicate in which nothing was changed and nothing gained says nothing
    about what a change is worth, so neither k nor the reported ``n`` counts it. The interval is None when k = 1, or
    where every change was worth the same.
    Returns None if no card was ever changed.
    """
    value, change, count = integer_columns(values, changed, counts)
    if min(change, default=0) < 0:
        raise ValueError("a number of changed cards is never negative")
    check_level(1, divisor, confidence)
    (divisor,) = integers(divisor)
    rows = [(v, m, c) for v, m, c in zip(value, change, count, strict=True) if c and (v or m)]
    pair = PairSums(
        sum(c for _, _, c in rows),
        sum(v * c for v, _, c in rows),
        sum(m * c for _, m, c in rows),
        sum(v * v * c for v, _, c in rows),
        sum(v * m * c for v, m, c in rows),
        sum(m * m * c for _, m, c in rows),
    )
    return ratio_from_sums(pair, divisor, unit=unit, confidence=confidence)


def ratio_from_sums(
    pair: PairSums, divisor: int = 1, *, unit: str = PER_OCCASION, confidence: float = 0.95
) -> Estimate | None:
    """The same as ``ratio_from_joint`` from the moments of the duplicates in which a card was changed.

    ``pair`` holds their number, and as (a, b) their values and cards changed. Returns None if no card was ever changed.
    """
    return None if pair.b == 0 else _ratio(pair, Fraction(1, divisor), unit, confidence)


def scale_from_paired(
    n: int, sums: Integers, products: Integers | Sequence[Sequence[int]], *, confidence: float = 0.95
) -> Estimate | None:
    """Where the tip stands between a random choice (0) and the best strategy known (100), at the same decision.

    ``sums[j]`` is the sum, ``products[j][k]`` the sum of products, over the same n duplicates, of three whole-number
    results in the order *tip, random choice, best known*. The place is 100 * (tip - random) / (best - random), a ratio
    of two paired means with a delta interval, n - 1 degrees of freedom. It may lie below 0 or above 100.

    Returns None if the interval of ``best - random`` (at the same confidence) is not wholly above nought: the scale
    then has no length, or stands on its head. For counted cases use ``counted(100 * (tip - random), best - random)``.
    """
    check_level(n, 1, confidence)
    (n,) = integers(n)
    (t, z, h) = integer_columns(sums)[0]
    table = np.array(products, dtype=object)
    if table.shape != (3, 3) or not np.array_equal(table, table.T):
        raise ValueError("products must be a symmetric 3 by 3 table")
    (tt, tz, th, _, zz, zh, _, _, hh) = integer_columns(table)[0]
    length = Sums(n, h - z, hh - 2 * zh + zz)
    low = mean_from_sums(*length, confidence=confidence).low
    if low is None or low <= 0:
        return None
    pair = PairSums(n, t - z, length.total, tt - 2 * tz + zz, th - tz - zh + zz, length.squares)
    return _ratio(pair, Fraction(100), SCALE, confidence)


# --------------------------------------------------------------------------------------------------------------------
# Shares


def proportion(k: int, n: int, unit: str = CHANCE, *, confidence: float = 0.95) -> Estimate:
    """Share k of n independent cases, with Wilson's interval: inside 0 … 1 and never without width."""
    check_share(k, n)
    check_level(n, 1, confidence)
    k, n = integers(k, n)
    low, high = wilson_interval(k, n, confidence)
    # At k = 0 and k = n one end is the share itself; rounding must not put it a hair inside.
    share = k / n
    return Estimate(
        share, max(0.0, min(low, share)), min(1.0, max(high, share)), n, unit, "Wilson", confidence=confidence
    )


def wilson_interval(k: float, n: float, confidence: float) -> tuple[float, float]:
    """Both ends of Wilson's score interval for k of n > 0 cases, neither of which need be whole.

    They are the shares p for which ``|k / n - p|`` is z standard errors ``sqrt(p (1 - p) / n)``, z being the point of
    the normal distribution that ``confidence`` asks for.
    """
    from scipy.special import ndtri  # type: ignore[import-untyped, unused-ignore]

    share, squared = k / n, float(ndtri((1 - confidence) / 2)) ** 2
    above = 1 + squared / n
    middle = (share + squared / (2 * n)) / above
    half = math.sqrt(squared) * math.sqrt(share * (1 - share) / n + squared / (4 * n**2)) / above
    return middle - half, middle + half


def share_at_most(k: int, n: int, *, confidence: float = 0.95) -> float:
    """The greatest share that k of n cases leave likely: the upper end of Clopper and Pearson's exact interval.

    One-sided: the share lies above it with a chance of ``1 - confidence`` at most. For k = 0 it is
    ``1 - (1 - confidence) ** (1 / n)``, at 0.95 nearly 3 / n, the "rule of three".
    """
    check_share(k, n)
    check_level(n, 1, confidence)
    k, n = integers(k, n)
    return _share_at_most(k, n, confidence)


@functools.lru_cache(maxsize=4096)
def _share_at_most(k: int, n: int, confidence: float) -> float:
    # The arms of a study have the same n, and most of those with hardly a difference the same k.
    from scipy.special import betainccinv

    return 1.0 if k == n else float(betainccinv(k + 1, n - k, 1 - confidence))


def difference_of_proportions(
    k1: int, n1: int, k2: int, n2: int, unit: str = CHANCE, *, confidence: float = 0.95
) -> Estimate:
    """Share k1 of n1 minus share k2 of n2 from *independent* samples, with Newcombe's interval.

    Not for two arms on the same deals (paired data): use mean_from_histogram of their differences. ``n`` is the
    smaller sample.
    """
    check_share(k1, n1)
    check_share(k2, n2)
    check_level(min(n1, n2), 1, confidence)
    k1, n1, k2, n2 = integers(k1, n1, k2, n2)
    from statsmodels.stats.proportion import confint_proportions_2indep  # type: ignore[import-untyped, unused-ignore]

    low, high = confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff", alpha=1 - confidence)
    difference = float(Fraction(k1, n1) - Fraction(k2, n2))
    return Estimate(
        difference, max(-1.0, min(float(low), difference)), min(1.0, max(float(high), difference)),
        min(n1, n2), unit, "unpaired, Newcombe", confidence=confidence,
    )  # fmt: skip


def one_in(chance: float) -> str:
    """How often a player would notice: "one game in 40", "30 games in 100", "no game". The sign is left out.

    ``chance`` is between -1 and 1. The number is rounded to two figures, which is all that such a phrase can carry.
    """
    size = abs(chance)
    if not size <= 1:
        raise ValueError(f"a chance lies between -1 and 1, not {chance}")
    if size == 0:
        return "no game"
    if size == 1:
        return "every game"
    games = 1 / size
    if (games < 10 and abs(games - round(games)) > 0.05 * games) or games < 1.5:
        share = round(100 * size)
        return f"{share} games in 100" if share < 100 else "nearly every game"
    step = 10 ** max(0, math.floor(math.log10(games)) - 1)
    return f"one game in {round(games / step) * step:,}"


# --------------------------------------------------------------------------------------------------------------------
# Several at once


def family_confidence(m: int, confidence: float = 0.95) -> float:
    """Level of each interval when m are read together and all shall hold with ``confidence`` (Bonferroni).

    For 20 tips at 0.95: 0.9975, each error rate 0.0025, z = 3.023.
    """
    check_level(m, 1, confidence)
    return 1 - (1 - confidence) / m


def holm(p_values: Sequence[float]) -> list[float]:
    """P values corrected for being read together (Holm), in the order given. None given, none returned."""
    if not p_values:
        return []
    from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped, unused-ignore]

    return [float(p) for p in multipletests(p_values, method="holm")[1]]


# --------------------------------------------------------------------------------------------------------------------
# Arithmetic shared by the above


class Shape(NamedTuple):
    """What an interval needs beside its centre and variance: evidence, degrees of freedom, unit, method, level."""

    n: int
    freedom: float
    unit: str
    method: str
    confidence: float


class PairSums(NamedTuple):
    """n paired observations (a, b): their sums and the sums of their products, all integers."""

    n: int
    a: int
    b: int
    aa: int
    ab: int
    bb: int


def _with_t(centre: Fraction, variance: Fraction, shape: Shape) -> Estimate:
    """The interval centre ± t · √variance; the one place where fractions become floats."""
    from scipy.special import stdtrit

    middle = float(centre)
    reach = float(stdtrit(shape.freedom, (1 + shape.confidence) / 2)) * math.sqrt(variance)
    return Estimate(
        middle, middle - reach, middle + reach, shape.n, shape.unit, shape.method, confidence=shape.confidence
    )


def _ratio(pair: PairSums, factor: Fraction, unit: str, confidence: float) -> Estimate:
    """``factor * a / b`` with its delta interval (formula in ratio_from_joint). ``b`` is not nought."""
    n, a, b, aa, ab, bb = pair
    centre = factor * Fraction(a, b)
    if n == 1:
        return Estimate(float(centre), None, None, 1, unit, "one observation, no interval", confidence=confidence)
    # The sum of squared residuals, times b² so that it stays whole.
    residuals = b * b * aa - 2 * a * b * ab + a * a * bb
    if residuals == 0:
        return Estimate(float(centre), None, None, n, unit, f"{ALIKE} {n:,}, no interval", confidence=confidence)
    variance = factor**2 * Fraction(n * residuals, (n - 1) * b**4)
    return _with_t(centre, variance, Shape(n, n - 1, unit, "paired ratio, delta method", confidence))


def _variance_of_mean(n: int, total: int, squares: int) -> Fraction:
    """Variance of one observation, n - 1 below, divided by n."""
    spread = n * squares - total**2
    if spread < 0:
        raise ValueError(f"no {n} numbers have the sum {total} and the sum of squares {squares}")
    return Fraction(spread, n**2 * (n - 1))
