"""Games of several variants on the same numbers, of one family of games or of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from noddysim.engine.batch import ready_for
from noddysim.engine.laying import LAID_METRICS, WHOLE, LaidGames
from noddysim.engine.lineups import moments_of_pairs
from noddysim.engine.measures import GameCount
from noddysim.engine.tally import Tally, joined, sliced
from noddysim.kernels.moments import METRICS

Games = GameCount | LaidGames
Place = tuple[int, int]
"""A group, and a variant by its place in it."""
COMMON: Final = tuple(name for name in METRICS if name in LAID_METRICS)
"""Metrics of the games of all families; ``first_dealer`` is his part of the game, in parts of WHOLE."""
ACROSS: Final = ("across_sums", "across_squares")


@dataclass(frozen=True)
class Beside:
    """Groups that are counted on the same numbers: each holds variants of one family with as many sides.

    The runs are those of the groups, and each pair of variants of two groups whose differences are asked for, in the
    metrics of COMMON. The tally holds ``n`` (1,), the counts of group i under names that begin with its number, and
    ``across_sums`` and ``across_squares`` (pairs, K) of the metrics of the first less those of the second, left out
    where there is no pair.
    """

    groups: tuple[Games, ...]
    across: tuple[tuple[Place, Place], ...] = ()

    def for_amount(self, amount: int) -> Beside:
        """The same measure, every group made ready for so many games."""
        return replace(self, groups=tuple(ready_for(group, amount) for group in self.groups))

    @property
    def chunk(self) -> int:
        """Some tenths of a second of work."""
        return min(group.chunk for group in self.groups)

    def count(self, start: int, stop: int) -> Tally:
        """Play games ``start … stop - 1`` of every variant."""
        counts = {"n": np.array([stop - start])}
        common: list[np.ndarray] = []
        for number, group in enumerate(self.groups):
            tally, metrics = group.counted(start, stop)
            counts |= _marked(number, tally)
            common.append(_in_common(group, metrics))
        less = [common[group][a] - common[other][b] for (group, a), (other, b) in self.across]
        return Tally(counts | moments_of_pairs("across_", less))

    def parts(self) -> list[dict[str, Any]]:
        """The identities of its runs: those of each group, then one for each pair across groups."""
        across = [
            {"measure": "games-across", "games": [self.groups[group].variant_identity(place) for group, place in pair]}
            for pair in self.across
        ]
        return [*(run for group in self.groups for run in group.parts()), *across]

    def only(self, parts: Sequence[int]) -> Beside:
        """The measure of some of its runs, by their places in ``parts()`` in rising order."""
        sizes = self._sizes()
        wanted = [self.across[part - sum(sizes)] for part in parts if part >= sum(sizes)]
        groups: list[Games] = []
        moved: dict[Place, Place] = {}
        first = 0
        for number, (group, size) in enumerate(zip(self.groups, sizes, strict=True)):
            own = [part - first for part in parts if first <= part < first + size]
            also = [place for pair in wanted for which, place in pair if which == number]
            if own or also:
                kept, played = group.narrowed(own, also)
                moved.update({(number, old): (len(groups), new) for new, old in enumerate(played)})
                groups.append(kept)
            first += size
        return Beside(tuple(groups), tuple((moved[a], moved[b]) for a, b in wanted))

    def split(self, tally: Tally) -> list[Tally]:
        """The tallies of its runs, in the order of ``parts()``: each as if its group had been counted alone."""
        found = [run for number, group in enumerate(self.groups) for run in group.split(part_of(tally, number))]
        return found + [sliced(tally, ACROSS, place) for place in range(len(self.across))]

    def join(self, tallies: Sequence[Tally]) -> Tally:
        """The tally of all its runs out of theirs: ``split`` undone."""
        counts: dict[str, np.ndarray] = {}
        first = 0
        for number, (group, size) in enumerate(zip(self.groups, self._sizes(), strict=True)):
            if size:
                counts |= _marked(number, group.join(tallies[first : first + size]))
            first += size
        across = joined(tallies[first:]).counts if self.across else {}
        return Tally({"n": joined([Tally({"n": tally["n"]}) for tally in tallies])["n"], **counts, **across})

    def _sizes(self) -> list[int]:
        """How many runs each group has."""
        return [len(group.places) + len(group.paired) for group in self.groups]


def _marked(number: int, tally: Tally) -> dict[str, np.ndarray]:
    """The counts of one group under the names that they have beside others."""
    return {f"{number} {name}": array for name, array in tally.counts.items() if name != "n"}


def part_of(tally: Tally, number: int) -> Tally:
    """The counts of one group: ``_marked`` undone."""
    mark = f"{number} "
    names = [name for name in tally.counts if name.startswith(mark)]
    return Tally({"n": tally["n"], **{name.removeprefix(mark): tally[name] for name in names}})


def _in_common(group: Games, metrics: np.ndarray) -> np.ndarray:
    """The metrics of COMMON of every game, int64 (variants, games, K), the first dealer's part in parts of WHOLE."""
    names, parts = (METRICS, WHOLE) if isinstance(group, GameCount) else (LAID_METRICS, 1)
    found = metrics[:, :, [names.index(name) for name in COMMON]]
    found[:, :, COMMON.index("first_dealer")] *= parts
    return found
