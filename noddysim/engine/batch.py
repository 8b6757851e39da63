"""Ranges of deal numbers, cut into chunks and shared out to threads.

A chunk is a range of numbers and its counts are integers, so the total is the same bits for any number of workers, any
chunk size and any order of arrival.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from noddysim.engine.tally import Tally

Progress = Callable[[int], None]
"""Called with the number of deals, duplicates or games that have just been finished."""


class Measure(Protocol):
    """Something that can be counted over any range of numbers."""

    @property
    def chunk(self) -> int:
        """Numbers in a chunk by default: some tenths of a second of work."""
        ...

    def count(self, start: int, stop: int) -> Tally:
        """Counts over the numbers ``start … stop - 1``; depends on nothing else."""
        ...


def default_workers() -> int:
    """One worker for each processor this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def chunks(start: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut ``start … stop - 1`` into ranges of at most ``size`` numbers."""
    for first in range(start, stop, size):
        yield first, min(first + size, stop)


SMALLEST = 4
"""A small batch is cut into smaller chunks for all workers to have some, but no smaller than this part of the usual."""


def chunk_for(usual: int, amount: int, workers: int) -> int:
    """Numbers in a chunk of a batch of so many, where ``usual`` would be in one: small enough for all to have some."""
    if workers == 1:
        return usual
    return min(usual, max(1, usual // SMALLEST, amount // (4 * workers)))


def ready_for(measure: Any, amount: int) -> Any:
    """A measure made ready for an amount of work, if it is one that can be; the counts are the same."""
    for_amount = getattr(measure, "for_amount", None)
    return for_amount(amount) if for_amount else measure


def run(
    measure: Measure,
    stop: int,
    *,
    start: int = 0,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> Tally:
    """Count ``measure`` over ``start … stop - 1`` with threads and return the sum.

    A measure with ``for_amount`` is first made ready for the whole amount, which changes no count. Only a few chunks
    are under way at a time, so memory does not grow with the number of deals. An interrupt stops after the chunks under
    way.
    """
    workers = workers or default_workers()
    measure = ready_for(measure, stop - start)
    ranges = chunks(start, stop, chunk or chunk_for(measure.chunk, stop - start, workers))
    total = Tally()
    if workers == 1:
        for first, end in ranges:
            total = total + measure.count(first, end)
            if progress:
                progress(end - first)
        return total
    pool = ThreadPoolExecutor(workers)
    waiting: dict[Future[Tally], int] = {}
    try:
        for first, end in ranges:
            waiting[pool.submit(measure.count, first, end)] = end - first
            if len(waiting) >= 2 * workers:
                total = _collect(waiting, total, progress)
        while waiting:
            total = _collect(waiting, total, progress)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return total


def _collect(waiting: dict[Future[Tally], int], total: Tally, progress: Progress | None) -> Tally:
    """Add what has been finished, waiting for at least one chunk."""
    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
        size = waiting.pop(future)
        total = total + future.result()
        if progress:
            progress(size)
    return total
