"""Up to eight cards in one integer: a byte a card, the first card lowest, EMPTY above the last.

A hand in a processor's register is sorted, parted and looked through without a loop or a branch: every byte is compared
at once by one subtraction, since cards are far below the top bit of a byte (Lamport 1975 and many since).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from noddysim.kernels.bits import bits_set, lowest_bit
from noddysim.kernels.compiler import inlined, kernel

MOST_CARDS = 8
CARD_MASK = EMPTY = 0x7F
CARD_SHIFT = 3
"""Place p begins at bit ``p << CARD_SHIFT``."""
NO_CARDS = 0x7F7F7F7F7F7F7F7F
ONES = 0x0101010101010101
TOPS = -0x7F7F7F7F7F7F7F80
"""The top bit of every byte, as a signed integer."""
PLACE_MASK = 63
"""A place in a pack of at most 64 cards: an index masked with it is seen not to be negative."""


def pack(cards: Iterable[int]) -> np.int64:
    """Cards (0 … 126, at most eight) as one integer, in the order given."""
    packed = NO_CARDS
    for place, card in enumerate(cards):
        packed ^= (EMPTY ^ int(card)) << (place << CARD_SHIFT)
    return np.int64(packed)


def unpack(packed: int) -> list[int]:
    """The cards of an integer made by ``pack``."""
    places = (int(packed) >> (place << CARD_SHIFT) & CARD_MASK for place in range(MOST_CARDS))
    return [card for card in places if card != EMPTY]


@kernel
def card_at(cards, place):
    """The card at a place, EMPTY behind the last."""
    return cards >> (place << CARD_SHIFT) & CARD_MASK


@kernel
def with_card(cards, place, card):
    """Cards with one more at a place, which must be empty."""
    return cards ^ ((EMPTY ^ card) << (place << CARD_SHIFT))


@inlined
def gathered(cards, first, step, size):
    """``size`` cards of an array of at most 64 from a place on, ``step`` places apart, in one integer, lowest first."""
    held = np.int64(0)
    for place in range(size):
        held |= 1 << cards[(first + place * step) & PLACE_MASK]
    return from_set(held, size)


@inlined
def from_set(held, size):
    """The ``size`` cards whose bits are set, lowest first."""
    out = np.int64(NO_CARDS)
    for place in range(size):
        out = with_card(out, place, lowest_bit(held))
        held &= held - 1
    return out


@kernel
def without(cards, place):
    """Cards without the one at a place; those behind it move up."""
    before = (1 << (place << CARD_SHIFT)) - 1
    return (cards & before) | (cards >> (1 << CARD_SHIFT) & ~before) | (EMPTY << ((MOST_CARDS - 1) << CARD_SHIFT))


@kernel
def inserted(cards, card):
    """Sorted cards, at most seven, with one more in its place."""
    place = number_below(cards, card)
    before = (1 << (place << CARD_SHIFT)) - 1
    moved = (cards & ~before) << (1 << CARD_SHIFT) & NO_CARDS
    return (cards & before) | (card << (place << CARD_SHIFT)) | moved


@kernel
def number_below(cards, bound):
    """How many cards are lower than ``bound`` (0 … 126)."""
    others = ((cards | TOPS) - bound * ONES) & TOPS
    return MOST_CARDS - bits_set(others)


@kernel
def holds(cards, card):
    """Whether a card is among some cards."""
    return (((cards ^ card * ONES) | TOPS) - ONES) & TOPS != TOPS


@inlined
def as_set(cards, size):
    """The first ``size`` cards as a set: a bit a card."""
    held = np.int64(0)
    for place in range(size):
        held |= 1 << card_at(cards, place)
    return held


@inlined
def in_order(cards, size):
    """The first ``size`` cards, all different, lowest first."""
    return from_set(as_set(cards, size), size)


@inlined
def parted(cards, away):
    """Part cards by the places marked in ``away``, one bit a place: those that stay, and those that go, in order."""
    gone = np.int64(NO_CARDS)
    number = np.int64(0)
    while away:
        place = lowest_bit(away)
        gone = with_card(gone, number, card_at(cards, place))
        cards = without(cards, place)
        number += 1
        # The marks above are of cards that have moved up.
        away = (away & (away - 1)) >> 1
    return cards, gone
