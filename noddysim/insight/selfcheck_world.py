"""Duplicates that were really played, as worlds of which every truth is known because all of it was counted.

A self-check draws its experiments from these duplicates, with replacement: their differences have the shape of real
ones (mostly nought, small whole numbers, long tails), and the mean of a world is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from noddysim.engine.games import peg_game
from noddysim.engine.measures import DuelCount
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.insight.selfcheck import SEED, IntArray

VARIANT: Final = "noddy"
BASELINE: Final = "greedy-random"
TIP: Final = f"lead-low@{BASELINE}"
ARMS: Final = (TIP, f"random:lead@{BASELINE}", f"careful:lead@{BASELINE}", "lookahead", "greedy-safe")
"""Played against BASELINE on the same deals."""
SOME: Final = 10_000
"""Duplicates drawn at a time, so that memory stays small."""


@dataclass(frozen=True)
class World:
    """Duplicates that were played, as int64 (K, N) values of the arms and (K, N) cards that each arm changed."""

    values: IntArray
    changed: IntArray

    @property
    def size(self) -> int:
        """How many duplicates there are."""
        return int(self.values.shape[1])

    def arm(self, place: int) -> IntArray:
        """The values of one arm."""
        return np.asarray(self.values[place])

    @cached_property
    def squeezed(self) -> IntArray:
        """The first arm's values with nine of ten of those that are not nought made nought: hardly any differ."""
        values = self.values[0].copy()
        differing = np.flatnonzero(values)
        values[differing[np.arange(len(differing)) % 10 != 0]] = 0
        return np.asarray(values)


def played(duplicates: int) -> World:
    """Play the first duplicates of SEED."""
    game, base = peg_game(load_variant(VARIANT), 2), parse_strategy(BASELINE)
    measure = DuelCount(game, tuple(map(parse_strategy, ARMS)), base, base, SEED)
    rows = measure.rows(0, duplicates)
    return World(rows[:, :, : game.sides].sum(axis=2), rows[:, :, game.sides :].sum(axis=2))


def draws(world: World, trials: int, n: int, stream: Sequence[int]) -> Iterator[IntArray]:
    """For each trial the places of n duplicates of the world, drawn with replacement; ``stream`` names the numbers."""
    generator = np.random.default_rng([SEED, *stream])
    step = max(1, SOME // n)
    for first in range(0, trials, step):
        yield from generator.integers(world.size, size=(min(step, trials - first), n))
