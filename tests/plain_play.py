"""Noddy's play of two once more, in plain words, for checks of the solver: a tree of histories, and its best play.

Nothing here knows lines, lanes or books. What a player knows is his own hand and all that has been said and laid.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, lil_matrix

Hand = tuple[int, ...]
Event = tuple[int, int]
"""Seat and rank laid; rank -1 for a go."""
GO = -1


def pips(rank: int) -> int:
    return min(rank + 1, 10)


def card_points(pile: Sequence[int]) -> int:
    """What the last card of a pile makes: fifteen, thirty-one, equal cards, the longest run."""
    count = sum(map(pips, pile))
    points = 2 * (count in (15, 31))
    same = 1
    while same < len(pile) and pile[-1 - same] == pile[-1]:
        same += 1
    points += {1: 0, 2: 2, 3: 6, 4: 12}[same]
    for length in range(len(pile), 2, -1):
        ranks = sorted(pile[-length:])
        if ranks == list(range(ranks[0], ranks[0] + length)):
            return points + length
    return points


@dataclass(frozen=True)
class State:
    """The play at a moment: hands, whose turn, the open pile, all that was said, pone's points less dealer's."""

    hands: tuple[Hand, Hand]
    turn: int = 0
    pile: tuple[int, ...] = ()
    said: tuple[Event, ...] = ()
    last: int = 0
    margin: int = 0

    def gain(self, seat: int, points: int) -> int:
        return self.margin + (points if seat == 0 else -points)

    def legal(self) -> list[int]:
        room = 31 - sum(map(pips, self.pile))
        return sorted({rank for rank in self.hands[self.turn] if pips(rank) <= room})

    def lay(self, rank: int) -> State:
        mine = list(self.hands[self.turn])
        mine.remove(rank)
        hands = (tuple(mine), self.hands[1]) if self.turn == 0 else (self.hands[0], tuple(mine))
        pile = (*self.pile, rank)
        margin = self.gain(self.turn, card_points(pile))
        said = (*self.said, (self.turn, rank))
        turn = 1 - self.turn
        if sum(map(pips, pile)) == 31:
            return State(hands, turn if hands[turn] else 1 - turn, (), said, self.turn, margin)
        return State(hands, turn, pile, said, self.turn, margin)

    def go(self) -> State:
        """Nothing fits: the other goes on, or the pile is closed."""
        other = State(self.hands, 1 - self.turn, self.pile, (*self.said, (self.turn, GO)), self.last, self.margin)
        if other.legal():
            return other
        margin = self.gain(self.last, 1)
        turn = 1 - self.last if self.hands[1 - self.last] else self.last
        return State(self.hands, turn, (), (*other.said, (other.turn, GO)), self.last, margin)

    def end(self) -> int | None:
        """Pone's points less dealer's when all is laid."""
        if self.hands != ((), ()):
            return None
        return self.gain(self.last, 1) if self.pile else self.margin


def weight(one: Hand, other: Hand, starter: int) -> int:
    """In how many ways two hands of ranks can be dealt beside one card of the starter's rank."""
    ways = 1
    for rank in range(13):
        left = 4 - (rank == starter)
        ways *= math.comb(left, one.count(rank)) * math.comb(max(left - one.count(rank), 0), other.count(rank))
    return ways


def hands_of(ranks: Sequence[int]) -> list[Hand]:
    return list(itertools.combinations_with_replacement(sorted(ranks), 3))


@dataclass
class Side:
    """One player's sequences of choices, for the sequence form (Koller, Megiddo and von Stengel 1996)."""

    numbers: dict[object, int] = field(default_factory=lambda: {(): 0})
    sets: dict[object, tuple[int, list[int]]] = field(default_factory=dict)

    def choose(self, known: object, before: int, ranks: Sequence[int]) -> list[int]:
        """Numbers of the sequences that go on from ``before`` by laying each rank."""
        if known not in self.sets:
            found = [self.numbers.setdefault((known, rank), len(self.numbers)) for rank in ranks]
            self.sets[known] = before, found
        return self.sets[known][1]


Leaf = tuple[int, int, float]


def leaves(state: State, sides: tuple[Side, Side], held: tuple[Hand, Hand], at: tuple[int, int]) -> Iterator[Leaf]:
    """Every end of the play: the last sequences of both, and the margin."""
    end = state.end()
    if end is not None:
        yield *at, end
        return
    ranks = state.legal()
    if not ranks:
        yield from leaves(state.go(), sides, held, at)
        return
    if len(ranks) == 1:
        yield from leaves(state.lay(ranks[0]), sides, held, at)
        return
    seat = state.turn
    known = held[seat], state.said
    for rank, number in zip(ranks, sides[seat].choose(known, at[seat], ranks), strict=True):
        yield from leaves(state.lay(rank), sides, held, (number, at[1]) if seat == 0 else (at[0], number))


def value_of_play(ranks: Sequence[int], starter: int) -> float:
    """The value of the play to the pone when only cards of some ranks are dealt: by a linear programme."""
    sides = Side(), Side()
    found: list[Leaf] = []
    total = 0
    for one, other in itertools.product(hands_of(ranks), repeat=2):
        ways = weight(one, other, starter)
        if ways:
            total += ways
            ends = leaves(State((one, other)), sides, (one, other), (0, 0))
            found += [(mine, theirs, ways * margin) for mine, theirs, margin in ends]
    pone, dealer = (len(side.numbers) for side in sides)
    mine, theirs, worth = (np.array(column) for column in zip(*found, strict=True))
    payoff = coo_matrix((worth / total, (theirs, mine)), shape=(dealer, pone)).tocsr()
    flows = [_flows(side) for side in sides]
    # The pone chooses how to play so that the least the dealer can leave, by the duals of the dealer's flows, is most.
    duals = flows[1].shape[0]
    upper = np.concatenate([-payoff.toarray(), flows[1].toarray().T], axis=1)
    equal = np.concatenate([flows[0].toarray(), np.zeros((flows[0].shape[0], duals))], axis=1)
    goal = np.zeros(pone + duals)
    goal[pone] = -1.0
    start = np.zeros(flows[0].shape[0])
    start[0] = 1.0
    bounds = [(0, None)] * pone + [(None, None)] * duals
    answer = linprog(goal, upper, np.zeros(dealer), equal, start, bounds, method="highs")
    assert answer.status == 0, answer.message
    return float(-answer.fun)


def _flows(side: Side) -> lil_matrix:
    """What a plan must keep to: the empty sequence has weight one, and each set passes its weight on."""
    rows = lil_matrix((1 + len(side.sets), len(side.numbers)))
    rows[0, 0] = 1.0
    for row, (before, after) in enumerate(side.sets.values(), 1):
        rows[row, before] = -1.0
        rows[row, after] = 1.0
    return rows
