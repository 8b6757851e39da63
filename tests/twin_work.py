"""What the slow twin does in processes of its own, beside the kernels: plain data in, plain data out.

Nothing here but the twin is imported, so that a worker starts at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, NamedTuple

import reference
from bugs_cases import NODDY, Differences, rules_with
from reference import SOURCES

EVENT_KINDS = (*reference.PLAY_KINDS, "last")


class Batch(NamedTuple):
    """Numbers ``start … stop - 1`` of a seed under rules that differ from Noddy, with strategies as plain data.

    One strategy a seat; for duplicates arm, baseline and opponent.
    """

    rules: Differences
    players: int
    strategies: Sequence[dict[str, Any]]
    seed: int
    start: int
    stop: int


class TwinDeal(NamedTuple):
    """Cards laid as (seat, card, count, points by EVENT_KINDS); points by seat and SOURCES; scores by side; cards laid
    away and passed on by seat.
    """

    laid: list[tuple[int, int, int, tuple[int, ...]]]
    points: list[list[int]]
    scores: list[int]
    away: list[list[int]]
    passed: list[int | None]


def deals(batch: Batch) -> list[TwinDeal]:
    """Every deal of a batch, played out by the twin."""
    rules = rules_with(batch.rules)
    found = []
    for number in range(batch.start, batch.stop):
        key = reference.deal_key(batch.seed, number)
        cards = reference.dealt_by_rules(key, batch.players, rules)
        result = reference.play_dealt(cards, rules, batch.strategies, key)
        laid = [(e.seat, e.card, e.count, tuple(e.points[kind] for kind in EVENT_KINDS)) for e in result.events]
        points = [[seat[source] for source in SOURCES] for seat in result.points]
        away, passed = result.prepared.away, result.prepared.given
        found.append(TwinDeal(laid, points, result.scores, away, passed))
    return found


def duplicates(batch: Batch) -> list[tuple[list[int], int]]:
    """Value by seat and cards changed of every duplicate of a batch."""
    rules = rules_with(batch.rules)
    found = []
    for number in range(batch.start, batch.stop):
        result = reference.duplicate(batch.seed, number, *batch.strategies, rules, batch.players)  # type: ignore[misc]
        found.append((result.seats, result.changed))
    return found


def game_duplicates(batch: Batch) -> list[list[int]]:
    """Games won by the arm less games won by the baseline, by side of the first deal, for each duplicate of a batch."""
    rules = rules_with(batch.rules)
    arm, baseline, opponent = batch.strategies
    found = []
    for number in range(batch.start, batch.stop):
        row = []
        sides = reference.sides_of(rules, batch.players)
        for side in range(sides):
            won = []
            for one in (arm, baseline):
                strategies = [one if other % sides == side else opponent for other in range(batch.players)]
                game = reference.play_game(batch.seed, number, batch.players, rules, strategies)
                won.append(int(game.winner == side))
            row.append(won[0] - won[1])
        found.append(row)
    return found


def shows(hand: Sequence[int]) -> list[dict[str, int]]:
    """Points by kind of a hand of Noddy with each starter it leaves, in their order."""
    found = []
    for starter in range(52):
        if starter not in hand:
            parts = reference.show(hand, starter, NODDY)
            del parts["total"]
            found.append(parts)
    return found


@contextmanager
def workers(number: int = 2) -> Iterator[Any]:
    """A pool of processes for the functions above."""
    # A process is started anew, not copied: a copy of one with threads may hang.
    with get_context("spawn").Pool(number) as pool:
        yield pool
