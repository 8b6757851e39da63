"""Margins of many players against one who is met in both seats: his side is worked out once, the rest is a product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from noddysim.engine.books import Player
from noddysim.engine.counting import (
    reach_of_dealer,
    reach_of_pone,
    starter_weights,
    starters_of,
    values_for_dealer,
    values_for_pone,
)
from noddysim.engine.games import PegGame
from noddysim.engine.rolled import RANK_COUNT, all_deals, in_threads, lines_of, rolled

EVERY: Final = tuple(range(RANK_COUNT))


class Margins(NamedTuple):
    """Points a deal in the play: a player's own less the other's, as pone and as dealer."""

    pone: float
    dealer: float

    def less(self, other: Margins) -> Margins:
        """What is left of these margins after others are taken away, seat by seat."""
        return Margins(self.pone - other.pone, self.dealer - other.dealer)

    @property
    def mean(self) -> float:
        """Over both seats, each held half of the time."""
        return (self.pone + self.dealer) / 2


class Met:
    """A player who is met: what every way to play against him brings, summed over all deals."""

    def __init__(self, game: PegGame, player: Player) -> None:
        self.game, self.player = game, player
        self.limit = int(game.rules.limit)
        self._swept: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]] = {}

    def margins(self, player: Player) -> Margins:
        """Exact margins of a player who meets this one, every deal counted."""
        groups = [EVERY] if player.blind else [tuple(group) for group in starters_of(player, self.player)]
        found = [self._of_group(group, player) for group in groups]
        pone, dealer = (sum(part[seat] for part in found) / all_deals(3) for seat in range(2))
        return Margins(pone, dealer)

    def _of_group(self, group: tuple[int, ...], player: Player) -> tuple[float, float]:
        """Sums of margins over the deals of some ranks of the starter, for which the player plays alike."""
        leading, dealing = self._values(group)
        book = player.book(group[0])
        pone = float(np.vdot(reach_of_pone(book), leading))
        return pone, -float(np.vdot(reach_of_dealer(self.limit, book), dealing))

    def _values(self, group: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        if group not in self._swept:
            # A choice that lies in several rows has its whole value in each of them: it counts in the first alone.
            own = rolled(self.limit).counted
            self._swept[group] = self._sweep(group, values_for_pone), self._sweep(group, values_for_dealer) * own
        return self._swept[group]

    def _sweep(self, group: tuple[int, ...], values: Callable[..., np.ndarray]) -> np.ndarray:
        """The values of all ways to play against this player, summed over some ranks of the starter."""
        margin = lines_of(self.game).margin
        if self.player.blind:
            return values(self.game, margin, starter_weights(group), self.player.book(group[0]))

        def one(starter: int) -> np.ndarray:
            return values(self.game, margin, starter_weights([starter]), self.player.book(starter))

        parts = in_threads(one, group)
        total = np.zeros_like(parts[0])
        for part in parts:
            total += part
        return total


def margins_of_all(game: PegGame, players: Sequence[Player], met: Sequence[Player]) -> np.ndarray:
    """Exact margins of every player against everybody who is met: float64 (players, met, 2), as pone and as dealer.

    Starter by starter (all at once where nobody looks at it), so that the values of many who are met need not all be
    kept; a book is asked for once each.
    """
    limit = int(game.rules.limit)
    margin, own = lines_of(game).margin, rolled(limit).counted

    groups = starters_of(*players, *met)

    def one(number: int) -> np.ndarray:
        weights, starter = starter_weights(groups[number]), groups[number][0]
        books = [other.book(starter) for other in met]
        leading = [values_for_pone(game, margin, weights, book) for book in books]
        dealing = [values_for_dealer(game, margin, weights, book) * own for book in books]
        sums = np.zeros((len(players), len(met), 2))
        for place, player in enumerate(players):
            book = player.book(starter)
            pone, dealer = reach_of_pone(book), reach_of_dealer(limit, book)
            for other in range(len(met)):
                sums[place, other] = np.vdot(pone, leading[other]), -np.vdot(dealer, dealing[other])
        return sums

    found: np.ndarray = np.sum(in_threads(one, range(len(groups))), axis=0) / all_deals(3)
    return found
