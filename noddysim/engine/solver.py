"""Best play for points: the equilibrium of the play of two hands of three, by regret, and the proof of how good it is.

The starter is seen by both, so there are thirteen games, one for each of its ranks. Each is played over and over by two
learners (``kernels.regret``: discounted counterfactual regret minimisation, Brown and Sandholm 2019); the average of
how they play is rounded to shares of ``SHARES``. What is certified is that rounded strategy: a perfect opponent of
each seat is worked out, and the value of the game lies between what they leave and what they get.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from noddysim.engine.counting import (
    reach_of_pone,
    values_for_dealer,
    values_for_pone,
)
from noddysim.engine.games import PegGame
from noddysim.engine.rolled import (
    RANK_COUNT,
    SUITS,
    all_deals,
    book_size,
    deals_of,
    first_places,
    in_threads,
    lanes,
    lines_of,
    rolled,
    spread_weights,
)
from noddysim.kernels import lines as at

EXPONENTS: Final = (1.5, 0.0, 2.0)
"""Of old gains, old losses and old strategies; these came near fastest in trials of the project."""
STEPS: Final = 600
TREMBLE: Final = 1e-6
"""Added to the chance of every card while learning, so that what best play never does is answered well too. The bounds
include what that costs."""
SHARES: Final = 4095
"""Chances are kept as whole shares of this many."""
CHUNK: Final = 25
"""Steps between two looks at progress."""

Progress = Callable[[int], None]


# --- books of shares --------------------------------------------------------------------------------------------------


def empty_book(limit: int) -> np.ndarray:
    """A book, float64, in which every choice is made with equal chances among the legal cards."""
    found = rolled(limit)
    book = np.zeros(book_size(limit), np.float64)
    even = found.choices / found.choices.sum(axis=0)
    for part in first_parts(book):
        put_first(part, even)
    seconds, replies = lane_parts(book)
    seconds[:, : 2 * at.DIFFERENT] = 0.5
    replies[:, : 2 * at.DIFFERENT] = _flat(found.legal / found.legal.sum(axis=1, keepdims=True))
    seconds[:, 2 * at.DIFFERENT :] = replies[:, 2 * at.DIFFERENT :] = 1.0
    return book


def first_parts(book: np.ndarray) -> list[np.ndarray]:
    """The places of first cards in a book: pone's leads, then dealer's first cards by the lead; 14 of (1183,)."""
    size = RANK_COUNT * at.PAIRS
    starts = [at.LEAD_AT, *(at.FIRST_AT + p1 * size for p1 in range(RANK_COUNT))]
    return [book[start : start + size] for start in starts]


def lane_parts(book: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The places of second cards in a book: pone's, (169, 169), and dealer's, (R, 169)."""
    seconds = book[at.SECOND_AT : at.FIRST_AT].reshape(169, at.LANES)
    return seconds, book[at.REPLY_AT :].reshape(-1, at.LANES)


def put_first(part: np.ndarray, chances: np.ndarray) -> None:
    """Write chances (3, 455) of the different ranks of each hand into places of first cards."""
    place = first_places()[1]
    there = place >= 0
    part[place[there]] = chances[there]


def get_first(part: np.ndarray) -> np.ndarray:
    """The chances (3, 455) out of places of first cards, nought where a hand has fewer ranks."""
    place = first_places()[1]
    return np.where(place >= 0, part[np.maximum(place, 0)], 0)


def _flat(pairs: np.ndarray) -> np.ndarray:
    return pairs.reshape(len(pairs), 2 * at.DIFFERENT)


def rounded(book: np.ndarray, limit: int, shares: int = SHARES) -> np.ndarray:
    """A book with every chance rounded to whole shares of ``shares``, uint16; those of a choice add up to all."""
    out = np.zeros(len(book), np.uint16)
    for part, target in zip(first_parts(book), first_parts(out), strict=True):
        chances = get_first(part)
        whole = np.floor(chances * shares + 0.5).astype(np.int64)
        # What rounding has left over goes to the likeliest card.
        likeliest = np.argmax(chances, axis=0)
        whole[likeliest, np.arange(whole.shape[1])] += shares - whole.sum(axis=0)
        put_first(target, whole)
    half = at.DIFFERENT
    for part, target in zip(lane_parts(book), lane_parts(out), strict=True):
        target[:, :half] = np.floor(part[:, :half] * shares + 0.5)
        target[:, half : 2 * half] = shares - target[:, :half]
        target[:, 2 * half :] = shares
    illegal = _flat(rolled(limit).legal) == 0
    lane_parts(out)[1][:, : 2 * half][illegal] = 0
    return out


# --- learning ---------------------------------------------------------------------------------------------------------


def learn_starter(game: PegGame, starter: int, steps: int = STEPS, progress: Progress | None = None) -> np.ndarray:
    """The average strategy of both seats after some steps, for one rank of the starter: a book, float64."""
    return learn_deals(game, deals_of(3, starter), steps, progress)


def learn_deals(
    game: PegGame,
    deals: np.ndarray,
    steps: int = STEPS,
    progress: Progress | None = None,
    points: np.ndarray | None = None,
) -> np.ndarray:
    """As ``learn_starter``, for any weights of the deals by the hands of pone and dealer, (455, 455).

    points : float32 (28561, 169), what each line brings the pone, instead of his margin in points
    """
    from noddysim.kernels.regret import Learner, learn

    limit = int(game.rules.limit)
    found = rolled(limit)
    weights = spread_weights(deals / deals.sum(), np.float32)
    rows = int(found.starts[-1])
    shapes = (2, 3, at.SETS), (RANK_COUNT, 2, 3, at.SETS), (2, 169, 2, at.DIFFERENT), (2, rows, 2, at.DIFFERENT)
    lead, first, second, reply = (np.zeros(shape, np.float32) for shape in shapes)
    learner = Learner(lead, first, second, reply, empty_book(limit).astype(np.float32))
    margin = lines_of(game).margin if points is None else points
    for begin in range(1, steps + 1, CHUNK):
        end = min(begin + CHUNK, steps + 1)
        learn(found, margin, weights, learner, begin, end, np.array(EXPONENTS), np.float32(TREMBLE))
        if progress:
            progress(end - begin)
    sums = [learner.lead[1], *learner.first[:, 1]], [learner.second[1], learner.reply[1]]
    return _average(limit, *sums)


def _average(limit: int, firsts: list[np.ndarray], pairs: list[np.ndarray]) -> np.ndarray:
    book = empty_book(limit)
    for part, total in zip(first_parts(book), firsts, strict=True):
        put_first(part, total.astype(np.float64) / total.sum(axis=0, dtype=np.float64))
    for part, total in zip(lane_parts(book), pairs, strict=True):
        part[:, : 2 * at.DIFFERENT] = _flat(total / total.sum(axis=1, keepdims=True, dtype=np.float64))
    return book


# --- proof ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bounds:
    """What a strategy of both seats is worth to the pone, in points a deal: against itself, and against perfection.

    ``low`` is what a perfect dealer leaves its pone, ``high`` what a perfect pone gets from its dealer: the value of
    the game, which perfect players of both seats would reach, lies between them.
    """

    value: float
    low: float
    high: float

    @property
    def exploitability(self) -> float:
        """How much the strategy loses on average over both seats against perfect play."""
        return (self.high - self.low) / 2


def certify(game: PegGame, books: Callable[[int], np.ndarray], starters: range = range(RANK_COUNT)) -> Bounds:
    """The bounds of a strategy given by its book for each rank of the starter, over all deals."""

    def one(starter: int) -> tuple[float, float, float]:
        return bounds_of_deals(game, deals_of(3, starter) * SUITS, books(starter))

    sums = np.array(in_threads(one, starters)).sum(axis=0) / all_deals(3)
    return Bounds(*(float(total) for total in sums))


def bounds_of_deals(
    game: PegGame, deals: np.ndarray, book: np.ndarray, points: np.ndarray | None = None
) -> tuple[float, float, float]:
    """Value, low and high of a book, as sums of points over deals given by the hands of pone and dealer, (455, 455).

    points : float32 (28561, 169), what each line brings the pone, instead of his margin in points
    """
    from noddysim.kernels.response import best_dealer, best_pone

    margin, found = lines_of(game).margin if points is None else points, rolled(int(game.rules.limit))
    weights = spread_weights(deals, np.float64)
    best = np.zeros_like(book)
    against_dealer = values_for_pone(game, margin, weights, book)
    high = best_pone(found, against_dealer, np.zeros((1, RANK_COUNT * at.PAIRS)), best)
    against_pone = values_for_dealer(game, margin, weights, book)
    low = best_dealer(found, against_pone, np.zeros((RANK_COUNT, RANK_COUNT * at.PAIRS)), best)
    value = float((reach_of_pone(book) * against_dealer).sum())
    return value, float(low), float(high)


def kept_lanes(limit: int) -> np.ndarray:
    """Which replies are choices that have to be kept, bool (R, 78): once each, where both cards may be laid."""
    found = rolled(limit)
    once = found.counted[:, : at.DIFFERENT] > 0
    kept: np.ndarray = once & (found.legal.min(axis=1) > 0) & _possible(limit)
    return kept


def _possible(limit: int) -> np.ndarray:
    """Which pairs a dealer can still hold beside the cards laid, bool (R, 78): no rank comes five times."""
    starts = rolled(limit).starts
    triple = np.repeat(np.arange(at.TRIPLES), np.diff(starts))
    laid = np.stack([triple // 169, triple // RANK_COUNT % RANK_COUNT, triple % RANK_COUNT], axis=1)
    held = lanes()[: at.DIFFERENT]
    most = np.zeros((len(triple), at.DIFFERENT), np.int64)
    for rank in range(RANK_COUNT):
        number = (laid == rank).sum(axis=1)[:, None] + (held == rank).sum(axis=1)[None, :]
        most = np.maximum(most, number)
    return most <= 4
