"""Percentiles with their intervals, and shares of occasions of which one game may bring several."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from noddysim.insight.counts import check_level
from noddysim.insight.estimates import CHANCE, Estimate
from noddysim.insight.stats import PairSums, wilson_interval


def quantile(counts: npt.NDArray[np.integer], share: float, unit: str, *, confidence: float = 0.95) -> Estimate:
    """The least value that at least a ``share`` of the cases do not pass; counts[k] cases of the value k.

    The interval lies between two values of the sample, in order of size: how many cases lie below the true percentile
    is binomial (Conover, Practical Nonparametric Statistics). It holds for any distribution. Raises ValueError without
    a case, or for a share that is not between 0 and 1.
    """
    if not 0 < share < 1:
        raise ValueError(f"a percentile is taken between 0 and 1, not at {share}")
    from scipy.stats import binom  # type: ignore[import-untyped, unused-ignore]

    up_to = np.cumsum(counts)
    n = int(up_to[-1])
    check_level(n, 1, confidence)
    tail = (1 - confidence) / 2
    ranks = max(1, int(binom.ppf(tail, n, share))), min(n, int(binom.ppf(1 - tail, n, share)) + 1)
    value = float(np.searchsorted(up_to, share * n - 1e-9))
    low, high = (float(np.searchsorted(up_to, rank)) for rank in ranks)
    return Estimate(value, min(low, value), max(high, value), n, unit, "order statistics", confidence=confidence)


def clustered_share(pair: PairSums, unit: str = CHANCE, *, confidence: float = 0.95) -> Estimate | None:
    """Share ``a / b`` of occasions, where games bring several that are not independent; None without an occasion.

    ``pair`` sums over games a occasions that counted of b. The variance of the ratio is that of ratio_from_joint; the
    interval is Wilson's for as many independent cases as would have that variance (the effective sample of Korn and
    Graubard, Survey Methodology 1998), at most as many as there were occasions. Without any variance a game counts as
    one case. So it keeps within 0 … 1 and always has a width.
    """
    check_level(pair.n, 1, confidence)
    if pair.b == 0:
        return None
    share = pair.a / pair.b
    # The sum of squared residuals, times b² so that it stays whole.
    residuals = pair.b**2 * pair.aa - 2 * pair.a * pair.b * pair.ab + pair.a**2 * pair.bb
    effective = float(min(pair.n, pair.b))
    if residuals > 0 and pair.n > 1:
        variance = pair.n / (pair.n - 1) * (residuals / pair.b**4)
        effective = min(share * (1 - share) / variance, float(pair.b))
    low, high = wilson_interval(share * effective, effective, confidence)
    return Estimate(
        share, max(0.0, min(low, share)), min(1.0, max(high, share)), pair.n, unit,
        "Wilson, effective sample of games", confidence=confidence,
    )  # fmt: skip
