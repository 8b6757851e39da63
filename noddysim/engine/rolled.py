"""The rolled-out play of two hands of three: its fixed tables, its points by rules, its weights by starter.

``kernels.lines`` explains lines, lanes, pairs, rows and books.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import math
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np

from noddysim.engine.batch import default_workers
from noddysim.engine.games import PegGame, show_game
from noddysim.game.cards import PACK_SIZE
from noddysim.game.errors import InputError
from noddysim.game.rules import Variant
from noddysim.kernels import lines as at
from noddysim.kernels import records as rec
from noddysim.kernels.regret import Rolled

RANK_COUNT: Final = 13
SUITS: Final = 4
LEAST_LIMIT: Final = 30
"""Three cards never pass this count: below it the places of choices would be others."""
Result = TypeVar("Result")


# --- which variants ---------------------------------------------------------------------------------------------------


def two_hands(variant: Variant, most: int = 4) -> PegGame:
    """The game of a variant whose play can be counted: two players, hands dealt and kept, ranks alone.

    Raises InputError that says why another variant's cannot; ``most`` is the most cards of a hand.
    """
    if 2 not in variant.pegging.players:
        raise InputError(f"{variant.name}: its play cannot be counted: it is not a game for two")
    game = show_game(variant, 2)
    rules = game.rules
    reasons = {
        "cards are laid away before it": rules.discard,
        "a card may be exchanged before it": rules.mog,
        "flushes score in it, and only ranks can be looked at": rules.flushes,
        f"hands have {int(rules.hand)} cards, and at most {most} can be rolled out": rules.hand > most,
    }
    for reason, holds in reasons.items():
        if holds:
            raise InputError(f"{variant.name}: its play cannot be counted: {reason}")
    return game


def three_each(variant: Variant) -> PegGame:
    """As ``two_hands`` for hands of three, which are rolled out line by line: for chance, best play and games."""
    game = two_hands(variant)
    if game.rules.hand != 3 or game.rules.limit < LEAST_LIMIT:
        found = (
            f"hands have {int(game.rules.hand)} cards"
            if game.rules.hand != 3
            else f"the play ends at {int(game.rules.limit)}"
        )
        raise InputError(
            f"{variant.name}: {found}; strategies with chance, best play and whole games are counted for hands of "
            f"three and a play to {LEAST_LIMIT} or more"
        )
    return game


PLAY_FIELDS: Final = (
    "limit", "piles", "first_go_leads", "combos_cross_piles", "go_breaks", "last", "final_card_point", "limit_extra",
    "play_flat", "play_each", "play_same", "play_run",
)  # fmt: skip
"""Fields of ``kernels.records.PEG_RULES`` on which the points of a line depend."""


def play_key(game: PegGame) -> str:
    """Name of all that the play of a game depends on: sixteen hex digits. Targets and shows change nothing."""
    content = {name: np.asarray(game.rules[name]).tolist() for name in (*PLAY_FIELDS, "hand")}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


# --- fixed tables -----------------------------------------------------------------------------------------------------


@functools.cache
def hands_of(size: int) -> np.ndarray:
    """The ranks of every hand that can be held, lowest first: int64 (H, size); 455 for three cards."""
    found = itertools.combinations_with_replacement(range(RANK_COUNT), size)
    return np.array([ranks for ranks in found if all(ranks.count(rank) <= SUITS for rank in ranks)], np.int64)


@functools.cache
def lanes() -> np.ndarray:
    """The two ranks of every lane, int64 (169, 2)."""
    pairs = list(itertools.combinations(range(RANK_COUNT), 2))
    ordered = [*pairs, *((high, low) for low, high in pairs), *((rank, rank) for rank in range(RANK_COUNT))]
    return np.array(ordered, np.int64)


@functools.cache
def first_places() -> tuple[np.ndarray, np.ndarray]:
    """Number of the hand of a rank and a pair, int64 (13, 91), and the places of each hand's first cards, (3, 455)."""
    number = {tuple(hand): place for place, hand in enumerate(hands_of(3).tolist())}
    pairs = np.concatenate([lanes()[: at.DIFFERENT], lanes()[2 * at.DIFFERENT :]])
    hand_of = np.zeros((RANK_COUNT, at.PAIRS), np.int64)
    place = np.full((3, at.SETS), -1, np.int64)
    for rank in range(RANK_COUNT):
        for pair, (one, two) in enumerate(pairs.tolist()):
            hand = tuple(sorted((rank, one, two)))
            hand_of[rank, pair] = number[hand]
            choice = sorted(set(hand)).index(rank)
            place[choice, number[hand]] = rank * at.PAIRS + pair
    return hand_of, place


@functools.lru_cache(maxsize=8)
def rolled(limit: int) -> Rolled:
    """Where things lie in the rolled-out play to a limit."""
    hand_of, place = first_places()
    ordered = lanes()
    pips = np.minimum(np.arange(RANK_COUNT) + 1, 10)
    rooms = (limit - pips[:, None, None] - pips[None, :, None] - pips[None, None, :]).reshape(-1)
    sizes = np.where(rooms < 10, rooms + 1, 1)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    row_of = np.zeros((RANK_COUNT * RANK_COUNT, at.LANES), np.int64)
    for lane, (p2, p3) in enumerate(ordered.tolist()):
        triples = np.arange(RANK_COUNT * RANK_COUNT) * RANK_COUNT + p2
        slots = np.where(rooms[triples] < 10, np.minimum(p3, rooms[triples]), 0)
        row_of[:, lane] = starts[triples] + slots
    triple = np.repeat(np.arange(at.TRIPLES), sizes)
    room = rooms[triple]
    fits = pips[ordered][None, :, :] <= room[:, None, None]
    either = fits.any(axis=2)
    later = np.arange(len(triple)) > starts[triple]
    counted = np.where(later[:, None] & either, 0.0, 1.0)
    may = fits[:, :, 0] | ~either
    legal = may[:, : 2 * at.DIFFERENT].reshape(len(triple), 2, at.DIFFERENT).astype(np.float64)
    choices = (place >= 0).astype(np.float64)
    return Rolled(hand_of, row_of.reshape(-1), starts, counted, legal, place, choices)


def book_size(limit: int) -> int:
    """Places of a book for one rank of the starter."""
    return at.REPLY_AT + int(rolled(limit).starts[-1]) * at.LANES


# --- weights ----------------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=32)
def deals_of(size: int, starter: int) -> np.ndarray:
    """In how many ways two hands of some ranks can be dealt beside one card of the starter's rank: int64 (H, H).

    Times four for the starter's suits and added up over its thirteen ranks: all deals of two hands, 18,729,838,400 for
    hands of three.
    """
    ranks = hands_of(size)
    held = np.stack([(ranks == rank).sum(axis=1) for rank in range(RANK_COUNT)], axis=1)
    ways = np.ones((len(ranks), len(ranks)), np.int64)
    for rank in range(RANK_COUNT):
        left = SUITS - (rank == starter)
        table = np.array(
            [[math.comb(left, a) * math.comb(max(left - a, 0), b) for b in range(5)] for a in range(5)], np.int64
        )
        ways *= table[held[:, rank]][:, held[:, rank]]
    ways.setflags(write=False)
    return ways


def all_deals(size: int) -> int:
    """The number of deals of two hands and a starter."""
    return PACK_SIZE * math.comb(PACK_SIZE - 1, size) * math.comb(PACK_SIZE - 1 - size, size)


def spread_weights(deals: np.ndarray, kind: type) -> np.ndarray:
    """Deals by pone's hand, d1 and dealer's lane, (455, 13, 169), out of those by the hands of both."""
    hand_of = first_places()[0]
    lane_hands = np.concatenate([hand_of[:, : at.DIFFERENT], hand_of], axis=1)
    return np.ascontiguousarray(deals[:, lane_hands].astype(kind))


# --- points of lines --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lines:
    """Points of every line: pone's less dealer's, and pone's, float32 (28561, 169), and the events, int64 likewise."""

    margin: np.ndarray
    pone: np.ndarray
    events: np.ndarray


_LINES: dict[str, Lines] = {}
_FILLING: Final = threading.Lock()


def lines_of(game: PegGame) -> Lines:
    """The points of every line by the rules of a game; kept, since the play of many variants is the same."""
    key = play_key(game)
    with _FILLING:
        if key not in _LINES:
            _LINES[key] = _fill_lines(game)
        return _LINES[key]


def _fill_lines(game: PegGame) -> Lines:
    from noddysim.kernels.unrolled import fill_lines

    shape = RANK_COUNT**4, at.LANES
    margin, pone, events = np.zeros(shape, np.float32), np.zeros(shape, np.float32), np.zeros(shape, np.int64)
    minds = no_minds()

    def fill(p1: int) -> None:
        fill_lines(game.rules, minds, rec.new_table(), lanes(), p1, p1 + 1, margin, pone, events)

    in_threads(fill, range(RANK_COUNT))
    return Lines(margin, pone, events)


def heels_points(game: PegGame, starter: int) -> np.ndarray:
    """Points of pone and dealer for a turned card of a rank, int64 (2,)."""
    from noddysim.kernels.pegging import heels, pick_up

    table = rec.new_table()
    pick_up(game.rules, table, 2)
    table.state[rec.AT_STARTER] = SUITS * starter
    heels(game.rules, table, 2, rec.NO_TARGET)
    return np.array([int(table.heels[0]), int(table.heels[1])])


@functools.cache
def no_minds() -> Any:
    """A record of strategies for a play in which none is asked."""
    from noddysim.game.expressions import parse_strategy
    from noddysim.game.strategy_table import encode

    return rec.strategy_records(encode([parse_strategy("low")]))


def in_threads(work: Callable[[int], Result], numbers: Iterable[int], workers: int | None = None) -> list[Result]:
    """Results of some work for each number, in order; kernels let threads run side by side.

    An interrupt stops after what is under way.
    """
    todo = list(numbers)
    number = min(workers or default_workers(), len(todo))
    if number == 1:
        return [work(one) for one in todo]
    pool = ThreadPoolExecutor(number)
    try:
        return list(pool.map(work, todo))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
