"""What a card leads to when both players are fixed: every hand of the other one, and every line of play, counted.

For the play of two with three cards each. What the other one holds is believed by how he has played; suits are
believed as dealt. So the chance to win a game from any score is exact for two given strategies.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noddysim.engine.books import Player
from noddysim.engine.counting import reach_of_dealer, reach_of_pone
from noddysim.engine.games import PegGame
from noddysim.engine.rolled import RANK_COUNT, SUITS, hands_of, lines_of, rolled
from noddysim.engine.situation import Situation
from noddysim.engine.values import PONE, lane, trembling
from noddysim.game.cards import PACK_SIZE, rank_of
from noddysim.kernels import lines as at
from noddysim.kernels import records as rec
from noddysim.kernels.hands import pack
from noddysim.kernels.unrolled import EVENT_BITS, EVENT_POINTS, EVENT_SEAT

Ranks = tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """One way in which the play can go: how likely it is beside others, the other's hand, and where its points are."""

    weight: float
    theirs: Ranks
    place: int
    lane: int


@dataclass(frozen=True)
class Race:
    """What decides a game: target, scores now, and the chance to win by scores (own, other's) before the next deal."""

    target: int
    scores: tuple[int, int]
    chances: np.ndarray


class Continuation:
    """Everything that can follow a choice of a card, with a player in each seat.

    situation : a choice of the play of two; mine, other : how the chooser goes on, and how the other one plays.
    """

    def __init__(self, game: PegGame, situation: Situation, mine: Player, other: Player) -> None:
        self.game, self.situation = game, situation
        self.seat, self.limit = situation.seat, int(game.rules.limit)
        if situation.starter is None:
            raise ValueError("cards are laid with a starter")
        starter = rank_of(situation.starter)
        book = trembling(other.book(starter), self.limit)
        self.own = mine.book(starter)
        self.reach = reach_of_dealer(self.limit, book) if self.seat == PONE else reach_of_pone(book)
        self.mine = tuple(map(rank_of, situation.mine))
        others = zip(situation.laid, situation.seats, strict=True)
        self.their_cards = tuple(card for card, seat in others if seat != self.seat)
        self.theirs = tuple(map(rank_of, self.their_cards))

    def margin(self, rank: int) -> float:
        """Mean points of the whole play, own less the other's, if a card of a rank is laid now."""
        points, sign = lines_of(self.game).margin, 1 if self.seat == PONE else -1
        return self._mean(rank, lambda line: sign * float(points[line.place, line.lane]))

    def chance(self, rank: int, race: Race) -> float:
        """Chance to win the game if a card of a rank is laid now."""
        return self._mean(rank, lambda line: self._wins(line, race))

    def made(self) -> tuple[int, int]:
        """Points that pone and dealer have made with the cards laid so far."""
        line = next(line for rank in set(map(rank_of, self.situation.hand)) for line in self._lines(rank))
        code = int(lines_of(self.game).events[line.place, line.lane])
        points = [0, 0]
        for card in range(len(self.situation.laid)):
            event = code >> (EVENT_BITS * card)
            points[event >> EVENT_SEAT & 1] += event & EVENT_POINTS
        return points[0], points[1]

    def _mean(self, rank: int, value: Any) -> float:
        total = weights = 0.0
        for line in self._lines(rank):
            weights += line.weight
            total += line.weight * value(line)
        return total / weights

    # --- lines ----------------------------------------------------------------------------------------------------

    @cached_property
    def _hands(self) -> tuple[tuple[Ranks, int], ...]:
        """Hands of the other one by rank, and in how many ways each is dealt."""
        known = [self.situation.starter, *self.situation.hand, *self.situation.mine]
        left = [SUITS - sum(rank_of(card) == rank for card in known if card is not None) for rank in range(RANK_COUNT)]
        found = []
        for hand in map(tuple, hands_of(3).tolist()):
            ways = math.prod(math.comb(left[rank], hand.count(rank)) for rank in set(hand))
            if ways and all(hand.count(rank) >= self.theirs.count(rank) for rank in self.theirs):
                found.append((hand, ways))
        return tuple(found)

    def _lines(self, rank: int) -> Iterator[Line]:
        events = lines_of(self.game).events
        held = [rank_of(card) for card in self.situation.hand]
        held.remove(rank)
        begun = (*self.mine, rank)
        mine = sorted({(*begun, *rest) for rest in itertools.permutations(held)})
        for hand, ways in self._hands:
            for theirs in _orders(hand, self.theirs):
                for own in mine:
                    pone, dealer = (own, theirs) if self.seat == PONE else (theirs, own)
                    place = (pone[0] * RANK_COUNT + dealer[0]) * at.LANES + lane(*pone[1:])
                    dealers = lane(*dealer[1:])
                    if events[place, dealers] == 0:
                        continue
                    weight = ways * self._believed(place, dealers) * self._goes_on(place, dealers)
                    if weight > 0:
                        yield Line(weight, hand, place, dealers)

    def _believed(self, place: int, dealers: int) -> float:
        """With what chance the other one plays his part of a line."""
        if self.seat == PONE:
            return float(self.reach[rolled(self.limit).row_of[place], dealers])
        return float(self.reach[place // at.LANES, place % at.LANES])

    def _goes_on(self, place: int, dealers: int) -> float:
        """With what chance the chooser lays his later cards as a line says."""
        if len(self.mine):
            return 1.0
        if self.seat == PONE:
            return float(self.own[at.SECOND_AT + place])
        row = rolled(self.limit).row_of[place]
        return float(self.own[at.REPLY_AT + row * at.LANES + dealers])

    # --- the race -------------------------------------------------------------------------------------------------

    def _wins(self, line: Line, race: Race) -> float:
        """Chance to win along a line: the cards still to be laid, the hands where they come after, the next deals."""
        code = int(lines_of(self.game).events[line.place, line.lane])
        code >>= EVENT_BITS * len(self.situation.laid)
        scores = list(race.scores)
        while code:
            seat, points = code >> EVENT_SEAT & 1, code & EVENT_POINTS
            scores[seat] += points
            if scores[seat] >= race.target:
                return float(seat == self.seat)
            code >>= EVENT_BITS
        if self._show_is_past:
            return self._next_deals(scores, race)
        total = 0.0
        for points, share in self._shows(line.theirs):
            total += share * self._after_show(scores, points, race)
        return total

    def _after_show(self, scores: Sequence[int], theirs: int, race: Race) -> float:
        made = (self._own_show, theirs) if self.seat == PONE else (theirs, self._own_show)
        now = list(scores)
        for seat in range(2):
            now[seat] += made[seat]
            if made[seat] and now[seat] >= race.target:
                return float(seat == self.seat)
        return self._next_deals(now, race)

    def _next_deals(self, scores: Sequence[int], race: Race) -> float:
        return float(race.chances[scores[self.seat], scores[1 - self.seat]])

    @cached_property
    def _show_is_past(self) -> bool:
        order = [int(phase) for phase in self.game.rules.order]
        return order.index(rec.SHOW) < order.index(rec.PLAY)

    def _show(self, cards: Sequence[int]) -> int:
        from noddysim.kernels.show import show_points

        rules, shows, size = self.game.rules, self.game.shows, np.int64(3)
        starter = np.int64(self.situation.starter or 0)
        return int(show_points(rules, shows, pack(sorted(cards)), size, starter)) & rec.TOTAL_MASK

    @cached_property
    def _own_show(self) -> int:
        return self._show((*self.situation.hand, *self.situation.mine))

    def _shows(self, hand: Ranks) -> tuple[tuple[int, float], ...]:
        """Points that a hand of the other one shows, each with its share of the suits it can have."""
        return self._all_shows[hand]

    @cached_property
    def _all_shows(self) -> dict[Ranks, tuple[tuple[int, float], ...]]:
        unseen = [card for card in range(PACK_SIZE) if card not in self.situation.seen]
        found: dict[Ranks, dict[int, int]] = {}
        for rest in itertools.combinations(unseen, 3 - len(self.their_cards)):
            cards = (*self.their_cards, *rest)
            counts = found.setdefault(tuple(sorted(map(rank_of, cards))), {})
            points = self._show(cards)
            counts[points] = counts.get(points, 0) + 1
        return {
            hand: tuple((points, number / sum(counts.values())) for points, number in counts.items())
            for hand, counts in found.items()
        }


def _orders(hand: Ranks, begun: Ranks) -> list[Ranks]:
    """All orders of a hand that begin with the cards laid."""
    rest = list(hand)
    for rank in begun:
        rest.remove(rank)
    return sorted({(*begun, *order) for order in itertools.permutations(rest)})
