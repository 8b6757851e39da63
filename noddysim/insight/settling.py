"""Choices tried on common deals until the best is settled: what can be told from it is no longer tried.

One looks several times and stops because of what one sees, so all intervals are those of confidence sequences
(``sequences``), which hold at all looks together. Where the number of deals is asked for beforehand there is one look
and the ordinary paired interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from noddysim.insight import sequences, stats
from noddysim.insight.duplicates import kept_within
from noddysim.insight.estimates import CHANCE, POINTS, Estimate

FIRST_LOOK: Final = 500
"""Deals before the first look; each later look comes after twice as many."""
TIGHTEST: Final = 1_000
"""Deals at which the intervals of a settling are narrowest."""


class Source(Protocol):
    """Something that tries options on deals, lot by lot, the same deals for all (``Rollouts``, ``Turns``)."""

    divisor: int
    share: int
    race: bool
    believed: bool

    def more(self, places: Sequence[int], amount: int) -> tuple[np.ndarray, np.ndarray]:
        """Margins and wins of the options at some places on the next deals, int64 (n, places)."""
        ...


@dataclass(frozen=True)
class Measured:
    """What is known of an option: its worth, its loss against the best, and whether it can be told from the best.

    ``value`` and ``loss`` are in points, ``chance`` and ``chance_loss`` in games; None where that was not measured.
    """

    value: Estimate | None
    loss: Estimate | None
    chance: Estimate | None
    chance_loss: Estimate | None
    apart: bool


class Settling:
    """Options on their way to being settled.

    points : whether margins are told; looking : whether one looks several times.
    """

    def __init__(self, source: Source, options: int, points: bool, looking: bool) -> None:
        self.source, self.points, self.looking = source, points, looking
        self.margins: list[np.ndarray] = [np.zeros(0, np.int64)] * options
        self.wins: list[np.ndarray] = [np.zeros(0, np.int64)] * options

    @property
    def deals(self) -> int:
        """Deals on which the options that were tried longest were tried."""
        return max(map(len, self.margins))

    def play(self, most: int) -> list[Measured]:
        """Try all options on ``most`` deals, or on fewer until the best is settled."""
        open_ones = list(range(len(self.margins)))
        look = min(FIRST_LOOK, most) if self.looking else most
        while True:
            room = most - self.deals
            margins, wins = (part[:room] for part in self.source.more(open_ones, look - self.deals))
            for column, place in enumerate(open_ones):
                self.margins[place] = np.concatenate([self.margins[place], margins[:, column]])
                self.wins[place] = np.concatenate([self.wins[place], wins[:, column]])
            if self.deals >= most:
                break
            open_ones = self._unsettled(open_ones)
            if len(open_ones) == 1:
                break
            look = min(max(2 * look, self.deals + 1), most)
        return [self._measured(place) for place in range(len(self.margins))]

    def _unsettled(self, open_ones: Sequence[int]) -> list[int]:
        """The best, and those that cannot be told from it; none that did as well on every deal."""
        best = self._best(self._deciding)
        others = [place for place in open_ones if place != best and not self._is_settled(place, best)]
        return sorted([best, *others])

    def _is_settled(self, place: int, best: int) -> bool:
        less = self._less(self._deciding, place, best)
        if not less.any():
            return True
        return bool(np.count_nonzero(less) >= sequences.ENOUGH) and _is_apart(self._mean(less, 1, POINTS))

    @property
    def _deciding(self) -> list[np.ndarray]:
        return self.wins if self.source.race else self.margins

    def _best(self, values: Sequence[np.ndarray]) -> int:
        """The best of the options that were tried longest."""
        longest = [place for place, one in enumerate(values) if len(one) == self.deals]
        return max(longest, key=lambda place: int(values[place].sum()))

    def _less(self, values: Sequence[np.ndarray], place: int, best: int) -> np.ndarray:
        """What the best has more than an option, on the deals on which both were tried."""
        return np.asarray(values[best][: len(values[place])] - values[place])

    def _measured(self, place: int) -> Measured:
        value = loss = chance = chance_loss = None
        divisor, share = self.source.divisor, self.source.share
        if self.points:
            value = self._mean(self.margins[place], divisor, POINTS)
            loss = self._mean(self._less(self.margins, place, self._best(self.margins)), divisor, POINTS)
        if self.source.race:
            chance = self._chance(self.wins[place], share)
            chance_loss = self._mean(self._less(self.wins, place, self._best(self.wins)), share, CHANCE)
        by = chance_loss or loss
        return Measured(value, loss, chance, chance_loss, by is not None and _is_apart(by))

    def _mean(self, values: np.ndarray, divisor: int, unit: str) -> Estimate:
        sums = len(values), int(values.sum()), int((values * values).sum())
        if self.looking:
            return sequences.sequence_from_sums(*sums, divisor, unit, tightest=TIGHTEST)
        return stats.mean_from_sums(*sums, divisor, unit)

    def _chance(self, wins: np.ndarray, share: int) -> Estimate:
        """Chance to win; where equal winners share a game, the mean of the shares."""
        if share == 1 and not self.looking:
            return stats.proportion(int(wins.sum()), len(wins))
        return kept_within(self._mean(wins, share, CHANCE), 0.0, 1.0)


def _is_apart(loss: Estimate) -> bool:
    """Whether a loss is more than nought: its interval is, or it is the same on every deal."""
    return loss.estimate > 0 if loss.low is None else loss.low > 0
