"""What each card is worth at any choice of the play, for somebody who plays on perfectly.

The other player is fixed: best play, or any strategy. What he holds is believed exactly: every hand he can have,
weighed by the number of ways to be dealt it and by the chance that he would have laid the cards that he has laid.
Values are margins of the whole play of the deal, own points less the other's, with all later cards of one's own laid
as well as can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noddysim.engine.books import Player
from noddysim.engine.counting import starter_weights, values_for_dealer, values_for_pone
from noddysim.engine.games import PegGame
from noddysim.engine.rolled import RANK_COUNT, lines_of, rolled
from noddysim.engine.solver import lane_parts
from noddysim.game.cards import RANKS, pips
from noddysim.game.errors import InputError
from noddysim.kernels import lines as at

PONE: Final = 0
DEALER: Final = 1
TREMBLE: Final = 1e-9
"""Added to the chance of every legal card of the other player: so a card that he would never lay leaves a belief."""


@dataclass(frozen=True)
class CardValue:
    """A rank that may be laid (0 ace … 12 king) and the margin of the deal it leads to; None without a choice."""

    rank: int
    value: float | None


@dataclass(frozen=True)
class Position:
    """A choice of the play as ranks: who is to lay, what he still holds, the starter, and all cards laid in order.

    ``seat`` is 0 for the pone, 1 for the dealer. Raises InputError for a position that cannot come up.
    """

    seat: int
    hand: tuple[int, ...]
    starter: int
    laid: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse ranks that do not exist, five of a rank, and a wrong number of cards."""
        object.__setattr__(self, "hand", tuple(sorted(self.hand)))
        seen = [*self.hand, self.starter, *self.laid]
        for rank in seen:
            if not 0 <= rank < RANK_COUNT:
                raise InputError(f"no rank has the number {rank}; they go from 0 (ace) to 12 (king)")
            if seen.count(rank) > 4:
                raise InputError(f"{seen.count(rank)} cards of rank {RANKS[rank]}: there are four")
        if self.seat not in (PONE, DEALER):
            raise InputError(f"seat {self.seat}: the pone is 0, the dealer 1")


def place_of(position: Position, limit: int) -> tuple[int, ...]:
    """The choice as kernels number it: (lead), (p1, d1), (p1) or (row); empty where only one rank may be laid.

    Raises InputError for a position that cannot come up.
    """
    hand, laid = position.hand, position.laid
    number = {PONE: {0: 3, 2: 2}, DEALER: {1: 3, 3: 2, 4: 2}}[position.seat].get(len(laid))
    if len(hand) == 1 and len(laid) in (3, 4, 5):
        return ()
    if number is None or number != len(hand):
        who = ("pone", "dealer")[position.seat]
        raise InputError(
            f"{len(laid)} cards laid and {len(hand)} in the {who}'s hand: it cannot be the {who}'s turn so"
        )
    if position.seat == DEALER and len(laid) >= 3:
        return _reply_place(position, limit)
    return laid if len(laid) < 2 else laid[:2]


def _reply_place(position: Position, limit: int) -> tuple[int, ...]:
    laid = position.laid
    room = limit - sum(pips(rank) for rank in laid[:3])
    fitting = [rank for rank in position.hand if pips(rank) <= room]
    if len(laid) == 4 and (fitting or pips(laid[3]) > room):
        card = RANKS[laid[3]]
        raise InputError(
            f"{card} does not fit: the count would pass {limit}"
            if pips(laid[3]) > room
            else f"the dealer holds a card that fits after three, so the pone cannot have laid {card} before it"
        )
    if len(fitting) == 1:
        return ()
    start = int(rolled(limit).starts[(laid[0] * RANK_COUNT + laid[1]) * RANK_COUNT + laid[2]])
    if fitting:
        return (start,)
    return (start + (laid[3] if len(laid) == 4 else room),)


def lane(first: int, second: int) -> int:
    """The lane of two ranks in their order (``kernels.lines``)."""
    from noddysim.kernels.lines import lane_of

    return int(lane_of(first, second))


def pair(first: int, second: int) -> int:
    """The pair of two ranks."""
    from noddysim.kernels.lines import pair_of

    return int(pair_of(first, second))


def _others(hand: Sequence[int], rank: int) -> list[int]:
    rest = list(hand)
    rest.remove(rank)
    return rest


class Values:
    """Values of every choice of one seat for one rank of the starter, against one player: a sweep over all lines.

    Made once (some hundredths of a second), it answers every position of that seat and starter.
    """

    def __init__(self, game: PegGame, seat: int, starter: int, other: Player) -> None:
        self.game, self.seat, self.starter, self.name = game, seat, starter, other.name
        self.limit = int(game.rules.limit)
        book = trembling(other.book(starter), self.limit)
        points, weights = lines_of(game).margin, starter_weights([starter])
        sweep = values_for_pone if seat == PONE else values_for_dealer
        self._sums = sweep(game, points, weights, book)
        self._deals = sweep(game, np.ones_like(points), weights, book)
        self._firsts = self._first_sums(self._sums)
        self._first_deals = self._first_sums(self._deals)

    def _first_sums(self, sums: np.ndarray) -> np.ndarray:
        """Sums of first cards with the best later card, by what is laid before them, and by rank and pair."""
        from noddysim.kernels.response import best_dealer, best_pone

        found = rolled(self.limit)
        book = np.zeros(at.REPLY_AT + sums.size if self.seat == DEALER else at.REPLY_AT, np.float64)
        firsts = np.zeros((1 if self.seat == PONE else RANK_COUNT, RANK_COUNT * at.PAIRS))
        # Of deals there are as many whichever card is laid later, so that the best of them is any.
        best: Any = best_pone if self.seat == PONE else best_dealer
        best(found, sums, firsts, book)
        return firsts

    def first_values(self) -> np.ndarray:
        """What each first card is worth, (1, 1183) for the pone and (13, 1183), by the card led, for the dealer.

        By rank and pair of the other two cards, in margins of this seat; NaN where the ranks cannot be held together.
        """
        sign = 1.0 if self.seat == PONE else -1.0
        possible = self._first_deals > 0
        return np.where(possible, sign * self._firsts / np.where(possible, self._first_deals, 1.0), np.nan)

    def at(self, position: Position) -> tuple[CardValue, ...]:
        """Every rank that may be laid at a position of this seat and starter, lowest first, with its value."""
        where = place_of(position, self.limit)
        ranks = sorted(set(position.hand))
        sign = 1.0 if self.seat == PONE else -1.0
        if not where and (len(position.hand) == 1 or position.seat == DEALER):
            return (CardValue(self._only(position), None),)
        if len(ranks) == 1:
            return (CardValue(ranks[0], None),)
        found = []
        for rank in ranks:
            rest = _others(position.hand, rank)
            if len(rest) == 2:
                row, place = (where[0] if where else 0), rank * at.PAIRS + pair(*rest)
                total, deals = self._firsts[row, place], self._first_deals[row, place]
            else:
                row = where[0] * RANK_COUNT + where[1] if self.seat == PONE else where[0]
                total, deals = self._sums[row, lane(rank, rest[0])], self._deals[row, lane(rank, rest[0])]
            if deals <= 0:
                raise InputError("the other player cannot hold any hand here")
            found.append(CardValue(rank, sign * float(total / deals)))
        return tuple(found)

    def _only(self, position: Position) -> int:
        room = self.limit - sum(pips(rank) for rank in position.laid[:3])
        fitting = [rank for rank in position.hand if pips(rank) <= room]
        return fitting[0] if fitting else position.hand[0]


def trembling(book: np.ndarray, limit: int) -> np.ndarray:
    """A book in which every legal card has a little chance (TREMBLE) more."""
    out = book + TREMBLE
    replies = lane_parts(out)[1]
    legal = rolled(limit).legal
    replies[:, : 2 * at.DIFFERENT] *= legal.reshape(len(legal), 2 * at.DIFFERENT) > 0
    return out


def chances_at(book: np.ndarray, position: Position, limit: int) -> dict[int, float]:
    """With what chance a player lays each rank at a position, by his book for its starter; ranks that may be laid."""
    where = place_of(position, limit)
    ranks = sorted(set(position.hand))
    if len(ranks) == 1 or (not where and (len(position.hand) == 1 or position.seat == DEALER)):
        room = limit - sum(pips(rank) for rank in position.laid[:3])
        fitting = [rank for rank in ranks if len(ranks) == 1 or pips(rank) <= room]
        return {fitting[0]: 1.0}
    found = {}
    for rank in ranks:
        rest = _others(position.hand, rank)
        if len(rest) == 2:
            start = at.LEAD_AT if position.seat == PONE else at.FIRST_AT + where[0] * RANK_COUNT * at.PAIRS
            place = start + rank * at.PAIRS + pair(*rest)
        elif position.seat == PONE:
            place = at.SECOND_AT + (where[0] * RANK_COUNT + where[1]) * at.LANES + lane(rank, rest[0])
        else:
            place = at.REPLY_AT + where[0] * at.LANES + lane(rank, rest[0])
        found[rank] = float(book[place])
    return found
