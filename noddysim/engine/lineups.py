"""Variants whose games are counted on the same numbers: each a run of its own, and so is each pair of them.

What the measures of whole games share, whatever the family of the games.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from noddysim.engine.tally import Tally, by_prefix, joined, sliced

Pairs = tuple[tuple[int, int], ...]


class Lineup(ABC):
    """Variants of one family, the same strategy in every seat.

    A tally holds ``n`` (1,) games; arrays whose first axis is the variants shown; and ``pair_sums`` and
    ``pair_squares`` (pairs, metrics) of the metrics of the first less those of the second, left out where there is no
    pair.
    """

    shown: tuple[int, ...] | None
    """Places of the variants that are counted for themselves; None: all."""
    pairs: Pairs | None
    """Pairs of places whose differences are asked for; None: every two."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many variants are played."""

    @abstractmethod
    def of(self, played: Sequence[int], shown: tuple[int, ...], pairs: Pairs) -> Self:
        """The measure of the variants at some places; ``shown`` and ``pairs`` are places among those."""

    @abstractmethod
    def counted(self, start: int, stop: int) -> tuple[Tally, np.ndarray]:
        """The counts of games ``start … stop - 1``, and the metrics of every game, int64 (variants, games, metrics)."""

    @abstractmethod
    def variant_identity(self, place: int) -> dict[str, Any]:
        """What changes the counts of one variant."""

    @abstractmethod
    def pair_identity(self, one: int, other: int) -> dict[str, Any]:
        """What changes the counts of one pair."""

    @property
    def places(self) -> tuple[int, ...]:
        """Places of the variants shown."""
        return tuple(range(self.size)) if self.shown is None else self.shown

    @property
    def paired(self) -> Pairs:
        """The pairs."""
        return tuple(itertools.combinations(range(self.size), 2)) if self.pairs is None else self.pairs

    def count(self, start: int, stop: int) -> Tally:
        """Play games ``start … stop - 1`` of every variant."""
        return self.counted(start, stop)[0]

    def pair_counts(self, metrics: np.ndarray) -> dict[str, np.ndarray]:
        """The counts of the pairs, out of the metrics of every game."""
        return moments_of_pairs("pair_", [metrics[a] - metrics[b] for a, b in self.paired])

    def parts(self) -> list[dict[str, Any]]:
        """The identities of its runs: one for each variant shown, then one for each pair."""
        return [*map(self.variant_identity, self.places), *(self.pair_identity(a, b) for a, b in self.paired)]

    def only(self, parts: Sequence[int]) -> Self:
        """The measure of some of its runs, by their places in ``parts()`` in rising order."""
        return self.narrowed(parts)[0]

    def narrowed(self, parts: Sequence[int], also: Sequence[int] = ()) -> tuple[Self, list[int]]:
        """As ``only``, with the variants at the places ``also`` played besides; and the old place of each variant."""
        shown = [self.places[part] for part in parts if part < len(self.places)]
        pairs = [self.paired[part - len(self.places)] for part in parts if part >= len(self.places)]
        played = list(dict.fromkeys([*shown, *itertools.chain.from_iterable(pairs), *also]))
        moved = tuple((played.index(a), played.index(b)) for a, b in pairs)
        return self.of(played, tuple(range(len(shown))), moved), played

    def split(self, tally: Tally) -> list[Tally]:
        """The tallies of its runs, in the order of ``parts()``."""
        variants, pairs = by_prefix(tally, "pair_")
        found = [sliced(tally, variants, place) for place in range(len(self.places))]
        return found + [sliced(tally, pairs, place) for place in range(len(self.paired))]

    def join(self, tallies: Sequence[Tally]) -> Tally:
        """The tally of all its runs out of theirs: ``split`` undone."""
        return joined(tallies)


def moments_of_pairs(prefix: str, less: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Sums and sums of squares (pairs, metrics) of differences game by game, one array (games, metrics) a pair."""
    if not less:
        return {}
    whole = np.stack(less)
    return {f"{prefix}sums": whole.sum(axis=1), f"{prefix}squares": (whole * whole).sum(axis=1)}
