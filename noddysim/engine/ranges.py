"""Sets of whole numbers as ranges ``(start, stop)``, stop not included: what is done, and what is missing."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

Range: TypeAlias = tuple[int, int]


def merged(ranges: Iterable[Range]) -> list[Range]:
    """The same numbers in the fewest ranges, in rising order. Ranges may touch or overlap; empty ones vanish."""
    found: list[Range] = []
    for start, stop in sorted(ranges):
        if start >= stop:
            continue
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(stop, found[-1][1])
        else:
            found.append((start, stop))
    return found


def missing(within: Range, done: Iterable[Range]) -> list[Range]:
    """The numbers of ``within`` that are in none of the ranges ``done``, in rising order."""
    found: list[Range] = []
    start, stop = within
    for first, end in merged(done):
        if first >= stop:
            break
        if first > start:
            found.append((start, first))
        start = max(start, end)
    return [*found, (start, stop)] if start < stop else found


def size(ranges: Iterable[Range]) -> int:
    """How many numbers are in ranges that do not overlap."""
    return sum(stop - start for start, stop in ranges)


def cells(within: Range, step: int) -> Iterator[Range]:
    """Cut a range at the multiples of ``step``, so that where it begins does not move the cuts."""
    start, stop = within
    while start < stop:
        end = min(stop, (start // step + 1) * step)
        yield start, end
        start = end


def shared_out(ranges: Sequence[Sequence[Range]]) -> list[tuple[Range, list[int]]]:
    """Cut several sets into ranges that each belong wholly to the same sets: each range with the places of its sets.

    In rising order; what belongs to no set is left out. Each set must be as ``merged`` gives it.
    """
    cuts = sorted({number for one in ranges for pair in one for number in pair})
    found = []
    for start, stop in itertools.pairwise(cuts):
        owners = [
            place for place, one in enumerate(ranges) if any(first <= start and stop <= end for first, end in one)
        ]
        if owners:
            found.append(((start, stop), owners))
    return found
