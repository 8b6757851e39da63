"""A round robin: every strategy against every other on the same deals, for any family of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noddysim.engine.games import peg_game
from noddysim.engine.laying import LayingDuel, is_laying
from noddysim.engine.measures import MAX_ARMS, DuelCount
from noddysim.engine.tally import Tally
from noddysim.game.laying_data import Melder, Setter
from noddysim.game.meldmodels import MeldRules
from noddysim.game.minds import Mind
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy


@dataclass(frozen=True)
class RoundRobin:
    """Duplicates of all pairs of strategies on the same numbers: one in each seat in turn, the other in all others.

    With K strategies the tally holds ``n`` (1,) duplicates; ``sums``, ``squares``, ``gained`` and ``lost`` (K, K) of
    the values of the row's strategy among the column's (the diagonal is nought); and of each strategy's total over all
    others ``all_sums``, ``all_gained`` and ``all_lost`` (K,), ``all_products`` (K, K) and ``all_above`` (K, K), the
    duplicates in which the row's total was above the column's. A value is that of a duel, in which the column's
    strategy is baseline and opponent; ``divisor`` turns it into printed units.
    """

    variant: Variant
    players: int
    minds: tuple[Mind, ...]
    seed: int
    games: bool

    @property
    def chunk(self) -> int:
        """Some tenths of a second of work."""
        if is_laying(self.variant):
            return 512 if isinstance(self.variant.rules, MeldRules) else 32
        return 256 if self.games else 1_024

    @property
    def divisor(self) -> int:
        """What the value of a pair is divided by to give points a deal (or a chance to win) over all seats."""
        if is_laying(self.variant):
            return self._laid(0, ()).divisor
        return self._pegged(0, ()).divisor

    def values(self, start: int, stop: int) -> np.ndarray:
        """Values of duplicates ``start … stop - 1``, int64 (K, K, duplicates)."""
        k = len(self.minds)
        found = np.zeros((k, k, stop - start), np.int64)
        for other in range(k):
            rest = [place for place in range(k) if place != other]
            for first in range(0, len(rest), MAX_ARMS):
                some = rest[first : first + MAX_ARMS]
                found[some, other] = self._against(other, some, start, stop)
        return found

    def _against(self, other: int, some: Sequence[int], start: int, stop: int) -> np.ndarray:
        """Values of some strategies, each among one other."""
        if is_laying(self.variant):
            rows, _ = self._laid(other, some).values(start, stop)
            return np.asarray(rows.sum(axis=2))
        duel = self._pegged(other, some)
        return np.asarray(duel.rows(start, stop)[:, :, : duel.game.sides].sum(axis=2))

    def _pegged(self, other: int, some: Sequence[int]) -> DuelCount:
        game = peg_game(self.variant, self.players)
        one = self.minds[other]
        arms = tuple(mind for place in some if isinstance(mind := self.minds[place], Strategy))
        assert isinstance(one, Strategy) and len(arms) == len(some)
        return DuelCount(game, arms, one, one, self.seed, self.games)

    def _laid(self, other: int, some: Sequence[int]) -> LayingDuel:
        one = self.minds[other]
        arms = tuple(mind for place in some if isinstance(mind := self.minds[place], Melder | Setter))
        assert isinstance(one, Melder | Setter) and len(arms) == len(some)
        return LayingDuel(self.variant, self.players, arms, one, one, self.seed, self.games)

    def count(self, start: int, stop: int) -> Tally:
        """Play duplicates ``start … stop - 1`` of every pair."""
        values = self.values(start, stop)
        whole = values.sum(axis=1)
        return Tally(
            {
                "n": np.array([stop - start]),
                "sums": values.sum(axis=2),
                "squares": (values * values).sum(axis=2),
                "gained": (values > 0).sum(axis=2),
                "lost": (values < 0).sum(axis=2),
                "all_sums": whole.sum(axis=1),
                "all_products": whole @ whole.T,
                "all_above": (whole[:, None] > whole[None]).sum(axis=2),
                "all_gained": (whole > 0).sum(axis=1),
                "all_lost": (whole < 0).sum(axis=1),
            }
        )

    @property
    def most(self) -> int:
        """The most that the value of a pair can be where melds or sets are laid, or games are played."""
        if is_laying(self.variant):
            return self._laid(0, ()).most * self.players
        return self.divisor
