"""Cribbage's rarest hands, counted exactly: how seldom the best four of the cards dealt show 28 or 29.

A player who is dealt six cards keeps four of them. Here he knows the starter beforehand and keeps the best four, so
that these are the odds that such a hand *can* be shown; they are the ones that are usually quoted.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from noddysim.engine.exact import show_distribution
from noddysim.engine.games import PegGame, show_game
from noddysim.engine.scoring import as_variant
from noddysim.game.cards import PACK_SIZE, RANKS
from noddysim.kernels.hands import pack
from noddysim.kernels.records import TOTAL_MASK
from noddysim.kernels.show import show_points

VARIANT: Final = "cribbage"
KEPT: Final = 4
RARE: Final = (28, 29)
FIVE: Final = RANKS.index("5")


@functools.cache
def rare_odds(dealt: int) -> dict[int, Fraction]:
    """For each of RARE: in how many deals of ``dealt`` cards and a starter the best four score it once.

    Raises RuntimeError if the hands gathered here are not as many as those counted over all hands.
    """
    best: dict[tuple[int, int], int] = {}
    for hand, starter, points in _rare_hands():
        held = sum(1 << card for card in hand)
        left = [card for card in range(PACK_SIZE) if card != starter and card not in hand]
        for more in itertools.combinations(left, dealt - KEPT):
            deal = starter, held | sum(1 << card for card in more)
            best[deal] = max(points, best.get(deal, 0))
    found = Counter(best.values())
    deals = math.comb(PACK_SIZE, dealt) * (PACK_SIZE - dealt)
    return {points: Fraction(deals, found[points]) for points in RARE}


def _rare_hands() -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Every hand of four with a starter that scores one of RARE. All of them hold three fives or more."""
    variant = as_variant(VARIANT)
    game = show_game(variant)
    fives = [4 * FIVE + suit for suit in range(4)]
    others = [card for card in range(PACK_SIZE) if card not in fives]
    hands = [(*three, other) for three in itertools.combinations(fives, 3) for other in others] + [tuple(fives)]
    found = [
        (hand, starter, points)
        for hand in hands
        for starter in range(PACK_SIZE)
        if starter not in hand and (points := _points(game, hand, starter)) in RARE
    ]
    met = Counter(points for _, _, points in found)
    counts = show_distribution(variant).counts
    if any(met[points] != counts[points] for points in RARE):
        raise RuntimeError(f"{dict(met)} hands were gathered, not as many as there are")
    yield from found


def _points(game: PegGame, hand: tuple[int, ...], starter: int) -> int:
    packed = show_points(game.rules, game.shows, pack(sorted(hand)), len(hand), starter)
    return int(packed) & TOTAL_MASK
