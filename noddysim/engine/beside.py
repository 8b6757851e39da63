"""Games of several variants on the same numbers, of one family of games or of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from noddysim.engine.laying import LAID_METRICS, LaidGames
from noddysim.engine.measures import METRICS, GameCount
from noddysim.engine.tally import Tally

Games = GameCount | LaidGames
COMMON: Final = tuple(name for name in METRICS if name in LAID_METRICS)
"""Metrics of the games of all families."""


@dataclass(frozen=True)
class Beside:
    """Parts that are counted on the same numbers: each holds variants of one family with as many sides.

    The tally holds the counts of part i under names that begin with its number, and for two parts i < j under
    ``crossed(i, j)`` the products of their metrics, (variants of i, variants of j, K) in the order of COMMON.
    """

    parts: tuple[Games, ...]

    @property
    def chunk(self) -> int:
        """Some tenths of a second of work."""
        return min(part.chunk for part in self.parts)

    def count(self, start: int, stop: int) -> Tally:
        """Play games ``start … stop - 1`` of every variant."""
        counts: dict[str, np.ndarray] = {}
        seen: list[np.ndarray] = []
        for place, part in enumerate(self.parts):
            tally, metrics = part.counted(start, stop)
            counts |= {f"{place} {name}": array for name, array in tally.counts.items()}
            names = METRICS if isinstance(part, GameCount) else LAID_METRICS
            common = metrics[:, :, [names.index(name) for name in COMMON]]
            for other, earlier in enumerate(seen):
                counts[crossed(other, place)] = np.einsum("agm,bgm->abm", earlier, common)
            seen.append(common)
        return Tally(counts)


def crossed(one: int, other: int) -> str:
    """The name of the products of two parts."""
    return f"{one} x {other}"


def part_of(tally: Tally, place: int) -> Tally:
    """The counts of one part."""
    mark = f"{place} "
    names = [name for name in tally.counts if name.startswith(mark) and " x " not in name]
    return Tally({name.removeprefix(mark): tally[name] for name in names})
