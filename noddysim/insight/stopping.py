"""When a comparison stops: the rule of its experiment file, looked at only at numbers fixed beforehand.

Looks happen at fixed deal numbers, which no chunk straddles. So where an arm stops depends on its counts alone, not on
timing, workers or the size of chunks, and a batch that is resumed stops where an unbroken one does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from noddysim.engine.measures import DuelCount
from noddysim.engine.runner import Runner
from noddysim.engine.tally import Tally
from noddysim.game.experiment import Stop

FIRST_LOOK: Final = 4_096
"""Duplicates before the first look."""

Decided = Callable[[int, Tally], bool]
"""Called with the place of an arm and its tally up to a look: whether it may stop there."""


def looks(most: int) -> Iterator[int]:
    """Numbers after which one looks: from FIRST_LOOK on, each about a quarter more than the last, up to ``most``."""
    look = FIRST_LOOK
    while look < most:
        yield look
        look += max(1_024, look // 4 // 1_024 * 1_024)
    yield most


def play(
    measure: DuelCount,
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
