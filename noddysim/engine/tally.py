"""Named integer counts that add up: what enumeration and sampling both give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Tally:
    """Integer arrays by name, with ``+`` and a zero (``Tally()``).

    ``exact`` marks counts of all cases; a sum is exact only if every part is.
    """

    counts: Mapping[str, np.ndarray] = field(default_factory=dict)
    exact: bool = False

    def __post_init__(self) -> None:
        """Refuse anything but integers: floats are born in ``insight`` only."""
        for name, array in self.counts.items():
            if not np.issubdtype(array.dtype, np.integer):
                raise TypeError(f"counts must be integers; {name} is {array.dtype}")

    def __add__(self, other: Tally) -> Tally:
        """Add two tallies of the same names and shapes; the zero adds to any."""
        if not self.counts:
            return other
        if not other.counts:
            return self
        if self.counts.keys() != other.counts.keys():
            raise ValueError(f"tallies of different kinds: {sorted(self.counts)} and {sorted(other.counts)}")
        for name, array in self.counts.items():
            if array.shape != other.counts[name].shape:
                raise ValueError(
                    f"{name} has shape {array.shape} in one tally and {other.counts[name].shape} in the other"
                )
        total = {name: array + other.counts[name] for name, array in self.counts.items()}
        return Tally(total, self.exact and other.exact)

    def __getitem__(self, name: str) -> np.ndarray:
        """The counts of one name."""
        return self.counts[name]

    def __eq__(self, other: object) -> bool:
        """Equal names and counts."""
        if not isinstance(other, Tally):
            return NotImplemented
        return self.counts.keys() == other.counts.keys() and all(
            np.array_equal(array, other.counts[name]) for name, array in self.counts.items()
        )

    __hash__ = None  # type: ignore[assignment]  # counts are arrays


def by_prefix(tally: Tally, prefix: str) -> tuple[list[str], list[str]]:
    """Names of a tally other than ``n``, its number of observations: those without the prefix, and those with it."""
    names = [name for name in tally.counts if name != "n"]
    return [name for name in names if not name.startswith(prefix)], [name for name in names if name.startswith(prefix)]


def sliced(tally: Tally, names: Sequence[str], place: int) -> Tally:
    """The number of observations, and one place of the first axis of each of the names."""
    return Tally({"n": tally["n"], **{name: tally[name][place : place + 1] for name in names}})


def joined(tallies: Sequence[Tally]) -> Tally:
    """Tallies over the same observations put behind each other, name by name; raises ValueError for other numbers."""
    numbers = {int(tally["n"][0]) for tally in tallies}
    if len(numbers) != 1:
        raise ValueError(f"tallies of different numbers of observations: {sorted(numbers)}")
    names = dict.fromkeys(name for tally in tallies for name in tally.counts if name != "n")
    parts = {name: [tally[name] for tally in tallies if name in tally.counts] for name in names}
    return Tally({"n": tallies[0]["n"], **{name: np.concatenate(arrays) for name, arrays in parts.items()}})
