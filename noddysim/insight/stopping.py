"""When a comparison stops: the rule of its experiment file, looked at only at numbers fixed beforehand.

Looks happen at fixed deal numbers, which no chunk straddles. So where an arm stops depends on its counts alone, not on
timing, workers or the size of chunks, and a batch that is resumed stops where an unbroken one does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from noddysim.engine.runner import Parted, Runner
from noddysim.engine.tally import Tally
from noddysim.game.experiment import Stop
from noddysim.insight import sequences, stats, verdicts
from noddysim.insight.duplicates import Extremes, kept_within, mean_of_duplicates
from noddysim.insight.estimates import Estimate, Interval
from noddysim.insight.settings import Duel, Limits
from noddysim.insight.stats import Sums

ALPHA: Final = 0.05
"""Error rate of a verdict where the number of duplicates was fixed beforehand."""
FIRST_LOOK: Final = 4_096
"""Duplicates before the first look."""

Decided = Callable[[int, Tally], bool]
"""Called with the place of an arm and its tally up to a look: whether it may stop there."""


class Duplicates(Parted, Protocol):
    """A measure of duplicates: its runs are its arms, then the scales that some of them have."""

    @property
    def places(self) -> tuple[int, ...]:
        """One place for each arm."""
        ...

    @property
    def scales(self) -> tuple[tuple[int, int, int], ...]:
        """The place of an arm between two others, by their places: the arm comes first."""
        ...


def looks(most: int) -> Iterator[int]:
    """Numbers after which one looks: from FIRST_LOOK on, each about a quarter more than the last, up to ``most``."""
    look = FIRST_LOOK
    while look < most:
        yield look
        look += max(1_024, look // 4 // 1_024 * 1_024)
    yield most


def play(
    measure: Duplicates,
    most: int,
    stop: Stop,
    decided: Decided,
    runner: Runner,
    *,
    title: str = "",
    labels: Sequence[Mapping[str, Any]] = (),
    watch: Callable[[int, Tally], tuple[str, Any]] | None = None,
) -> list[Tally]:
    """Play every arm of a measure until it is decided, at most ``most`` duplicates; the tallies of its parts.

    A fixed number is one look at the end. An arm that has stopped is not played on with the others; the scale of an arm
    ends with it. ``watch`` makes the name and the current estimate of an arm out of its place and tally. After an
    interrupt the tallies hold what there is.
    """
    arms = len(measure.places)
    totals = [Tally()] * len(measure.parts())
    open_arms = list(range(arms))
    advance = runner.announce(title, most)
    before = 0
    for look in (most,) if stop.rule == "fixed" else looks(most):
        scales = [arms + place for place, scale in enumerate(measure.scales) if scale[0] in open_arms]
        parts = [*open_arms, *scales]
        names = [labels[part] if part < len(labels) else None for part in parts]
        first = open_arms[0]
        found = runner.parts(
            measure.only(parts), look, start=before, most=most, labels=names, advance=advance,
            watch=functools.partial(watch, first) if watch else None, before=totals[first],
        )  # fmt: skip
        for part, tally in zip(parts, found, strict=True):
            totals[part] = totals[part] + tally
        if runner.interrupted and not runner.reached(measure.only(parts), look):
            break
        ending = [arm for arm in open_arms if look == most or decided(arm, totals[arm])]
        if stop.rule != "fixed" and ending:
            runner.ended(measure.only(ending), look, most, [labels[arm] if labels else None for arm in ending])
        open_arms = [arm for arm in open_arms if arm not in ending]
        if not open_arms:
            break
        before = look
    advance(most - look)
    return totals


# --- what is read at a look -----------------------------------------------------------------------------------------


def is_sequential(stop: Stop) -> bool:
    """Whether the number of duplicates is decided by looking at the effect."""
    return stop.rule == "sequential"


def mean_at_look(
    stop: Stop, sums: Sums, extremes: Extremes, divisor: int, unit: str, *, confidence: float = 0.95
) -> Estimate:
    """A mean of duplicates with the interval that is right under the rule."""
    if is_sequential(stop):
        return sequences.sequence_of_duplicates(
            sums, extremes, divisor, unit, confidence=confidence, tightest=stop.tightest
        )
    return mean_of_duplicates(sums, extremes, divisor, unit, confidence=confidence)


def share_at_look(stop: Stop, seen: int, n: int, unit: str) -> Estimate:
    """A share of duplicates with the interval that is right under the rule."""
    if is_sequential(stop):
        found = sequences.sequence_from_sums(n, seen, seen, unit=unit, tightest=stop.tightest)
        return kept_within(found, 0.0, 1.0)
    return stats.proportion(seen, n, unit)


def intervals_of_verdict(limits: Limits, at: Callable[[float], Interval]) -> tuple[Interval, Interval | None]:
    """The interval that a verdict looks at, and that of *no difference* where it has an error rate of its own.

    ``at`` gives the interval of an effect at a level of confidence; both are widened for all that is tested together.
    """
    alpha, beta = (limits.stop.alpha, limits.stop.beta) if is_sequential(limits.stop) else (ALPHA, ALPHA)

    def widened(rate: float) -> Interval:
        return at(stats.family_confidence(limits.family, 1 - rate))

    return widened(alpha), None if beta == alpha else widened(beta)


def may_stop(found: Duel, stop: Stop) -> bool:
    """Whether a stopping rule ends a comparison that looks like this."""
    seen = found.concerned
    if stop.rule == "precision":
        return seen is not None and seen.half_width is not None and seen.half_width <= (stop.half_width or 0)
    # A bound is right for one look only, and decides nothing before the last.
    sure = seen is not None and (seen.exact or seen.method == sequences.METHOD)
    return found.verdict == verdicts.ALREADY_FOLLOWED or (sure and found.verdict != verdicts.UNDECIDED)
