"""What a strategy may weigh, and the plain integer arrays in which the kernels read strategies.

Nothing here imports more than the standard library, so that kernels can use the names and the record freely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MICRO: Final = 1_000_000
"""One point in the unit of all weights: a millionth of a point."""

MAX_LEVELS: Final = 8
MAX_COUNT: Final = 63
"""The greatest count a strategy can name; the arrays have a place for each count from 0 to this."""

FEATURE_MEANINGS: Final[dict[str, str]] = {
    "points": "points the card itself makes when laid (fifteen, twenty-five, thirty-one, pairs, runs), "
    "without the last-card point",
    "fifteen": "the part of those points that is for fifteen",
    "twentyfive": "the part of those points that is for twenty-five",
    "thirtyone": "the part of those points that is for thirty-one",
    "pair": "the part of those points that is for pairs, pair royals and double pair royals",
    "run": "the part of those points that is for runs",
    "reply": "points the next card would make, on average over all cards the player has not seen "
    "(nothing if it does not fit or the count is at the limit)",
    "reply_fifteen": "the part of the reply that is for fifteen",
    "reply_twentyfive": "the part of the reply that is for twenty-five",
    "reply_thirtyone": "the part of the reply that is for thirty-one",
    "reply_pair": "the part of the reply that is for pairs, pair royals and double pair royals",
    "reply_run": "the part of the reply that is for runs",
    "offers_run": "1 if a card of some rank, left or not, laid next would make a run without passing the limit, else 0",
    "rank": "rank of the card: ace 1, jack 11, queen 12, king 13",
    "pips": "what the card adds to the count: ace 1, ten, jack, queen and king 10",
    "paired": "1 if the player holds another card of the same rank, else 0",
    "last_reserve": "1 if the card is the only 5 or ten-card (T J Q K) left in the player's hand, else 0",
}

FEATURES: Final[tuple[str, ...]] = tuple(FEATURE_MEANINGS)
"""Order of the features in `StrategyTable.weights`."""

PARTS: Final = ("fifteen", "twentyfive", "thirtyone", "pair", "run")
REPLIES: Final = ("reply", "reply_fifteen", "reply_twentyfive", "reply_thirtyone", "reply_pair", "reply_run")

AWAY_MEANINGS: Final[dict[str, str]] = {
    "hand": "points of the show: of the cards kept, on average over all starters not seen; in mogging, of the hand as "
    "it stands, or without the card passed and with any card not seen in its place, on average",
    "crib": "mean points of a crib with the cards laid away in it, below nought if the crib is the other side's",
    "fifteens": "points that sums such as fifteen make in the cards kept, without a starter",
    "pairs": "points of pairs in the cards kept, without a starter",
    "runs": "points of runs in the cards kept, without a starter",
    "flush": "points for the cards kept being of one suit, without the starter",
    "away_fifteens": "points that sums such as fifteen make in the cards laid away themselves",
    "away_pairs": "points of a pair in the cards laid away themselves",
    "peg": "points pegged at once: by passing a card what the giver gets for it, by staying less what a refusal costs",
    "gift": "points that the card passed can earn the other player for itself in his hand",
    "stay": "1 for keeping all one's cards, 0 for passing one",
}
"""What the choice of the cards laid away before the play, or of a card passed on (mogging), may weigh."""

AWAY_FEATURES: Final[tuple[str, ...]] = tuple(AWAY_MEANINGS)
"""Order of the features in `StrategyTable.away_weights`."""

DISCARD_FEATURES: Final = AWAY_FEATURES[:8]
MOG_FEATURES: Final = ("hand", "peg", "gift", "stay")

WHEN: Final = ("any", "lead", "follow")
"""When a level holds; the place is its code (a lead is a card on an empty pile)."""

DISCARD_WHEN: Final = ("any", "own", "theirs")
MOG_WHEN: Final = ("any", "offer", "answer")
"""When a level of a policy holds, the place is its code: whose the crib is; whether one is asked first or second."""

TIES: Final = ("low", "high", "random", "solved")
"""How equal cards are parted; the place is its code."""

NO_FINAL: Final = -1

NEED_POINTS: Final = 1
NEED_PARTS: Final = 2
NEED_REPLY: Final = 4
NEED_OFFERS_RUN: Final = 8
NEED_PAIRED: Final = 16
NEED_LAST_RESERVE: Final = 32
NEED_RANKS: Final = 64
NEED_COUNTS: Final = 128


class StrategyTable(NamedTuple):
    """Strategies as arrays of 64-bit integers, S strategies of at most 8 levels; weights in millionths of a point.

    The discard and mog policies of all strategies stand in the ``away_…`` arrays, A policies of at most 8 levels, each
    once: strategies that lay away alike have the same number in ``discard``.

    The weights of ``rank`` and ``pips`` are added into ``ranks``, so a card's value needs the table ``ranks`` and never
    those two columns of ``weights``, which are nought.
    """

    weights: NDArray[np.int64]
    """[S, 8, F]: weight of each feature, in the order of `FEATURES`."""
    ranks: NDArray[np.int64]
    """[S, 8, 13]: what a card of each rank is worth, 0 ace to 12 king."""
    counts: NDArray[np.int64]
    """[S, 8, 64]: what each count after the card is worth."""
    when: NDArray[np.int64]
    """[S, 8]: 0 any, 1 lead, 2 follow."""
    final: NDArray[np.int64]
    """[S, 8]: -1 none, 0 low, 1 high, 2 random: how this level parts equal cards at once."""
    levels: NDArray[np.int64]
    """[S]: levels in use, 0 to 8."""
    ties: NDArray[np.int64]
    """[S]: 0 low, 1 high, 2 random."""
    needs: NDArray[np.int64]
    """[S, 8]: the sum of the ``NEED_…`` marks of what the level has to compute."""
    spares: NDArray[np.int64]
    """[S, 8]: 1 if the level also keeps every card that makes points itself (`points` above 0), else 0. Such a level
    has the mark ``NEED_POINTS`` even if it weighs no points."""
    discard: NDArray[np.int64]
    """[S]: which policy lays cards away, 0 to A - 1."""
    mog: NDArray[np.int64]
    """[S]: which policy mogs, 0 to A - 1."""
    away_weights: NDArray[np.int64]
    """[A, 8, 11]: weight of each feature, in the order of `AWAY_FEATURES`."""
    away_ranks: NDArray[np.int64]
    """[A, 8, 13]: what keeping a card of each rank is worth, 0 ace to 12 king."""
    away_when: NDArray[np.int64]
    """[A, 8]: 0 any; 1 own crib, or asked first; 2 the other side's crib, or asked second."""
    away_final: NDArray[np.int64]
    """[A, 8]: -1 none, 0 low (the first choice in order), 1 high (the last), 2 random."""
    away_levels: NDArray[np.int64]
    """[A]: levels in use, 0 to 8."""
    away_ties: NDArray[np.int64]
    """[A]: 0 low, 1 high, 2 random."""
