"""What a block of deals of two hands of three holds: numbers of hands and classes of suits, a lane for each deal.

The starter is dealt first, then three cards in turn to pone and dealer (seats 0 and 1). As in ``kernels.blocks``, no
loop branches and every step says how wide its number is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noddysim.kernels.blocks import BLOCK, CARDS, deal_block
from noddysim.kernels.compiler import kernel, wide
from noddysim.kernels.show import JACK

HANDS = 455
"""Hands of three by their ranks, in the order of ``itertools.combinations_with_replacement``."""
NOB, SUITED, WHOLE = 1, 2, 4
"""Bits of a class of suits: the jack of the starter's suit, three cards of a suit, all four cards of a suit."""
CLASSES = 8
PLACES = HANDS * 13 * CLASSES
"""Hands with a starter and a class of suits: all that the show looks at."""

RANK_AT, SUIT_MASK, JACKS = np.uint8(2), np.uint8(3), np.uint8(4 * JACK)
SUITED_AT, WHOLE_AT = np.uint8(1), np.uint8(2)
ONE, TWO, SIX, HIGHEST, LAST = np.uint16(1), np.uint16(2), np.uint16(6), np.uint16(12), np.uint16(HANDS - 1)
STARTERS, CLASS_COUNT = np.uint16(13), np.uint16(CLASSES)
PAIRS_A_ROW, PAIRS = np.uint32(HANDS), np.uint32(HANDS * HANDS)


@wide
def number_hands(cards, seat, numbers):
    """The number of a seat's hand in every lane: uint16 (BLOCK,), below HANDS.

    Of the 455 hands those after a sorted one begin higher, or as high and go on higher, or differ in the last card
    alone: three sums of triangular numbers of what lies above each card.
    """
    for i in range(BLOCK):
        one, two = np.uint8(cards[1 + seat, i] >> RANK_AT), np.uint8(cards[3 + seat, i] >> RANK_AT)
        three = np.uint8(cards[5 + seat, i] >> RANK_AT)
        low, high = min(one, two), max(one, two)
        middle, high = min(high, three), max(high, three)
        low, middle = min(low, middle), max(low, middle)
        x, y, z = (
            np.uint16(HIGHEST - np.uint16(low)), np.uint16(HIGHEST - np.uint16(middle)),
            np.uint16(HIGHEST - np.uint16(high)),
        )  # fmt: skip
        higher = np.uint16(np.uint16(np.uint16(x * np.uint16(x + ONE)) * np.uint16(x + TWO)) // SIX)
        higher = np.uint16(higher + np.uint16(np.uint16(y * np.uint16(y + ONE)) >> ONE))
        numbers[i] = np.uint16(LAST - np.uint16(higher + z))


@wide
def sort_suits(cards, seat, classes):
    """The class of suits of a seat's hand with the starter in every lane: uint8 (BLOCK,), bits NOB, SUITED, WHOLE."""
    for i in range(BLOCK):
        one, two, three = cards[1 + seat, i], cards[3 + seat, i], cards[5 + seat, i]
        suit = np.uint8(cards[0, i] & SUIT_MASK)
        jack = np.uint8(JACKS | suit)
        nob = np.uint8(np.uint8(one == jack) | np.uint8(two == jack) | np.uint8(three == jack))
        differ = np.uint8(np.uint8(np.uint8(one ^ two) | np.uint8(one ^ three)) & SUIT_MASK)
        strange = np.uint8(differ | np.uint8(np.uint8(one & SUIT_MASK) ^ suit))
        suited, whole = np.uint8(np.uint8(differ == 0) << SUITED_AT), np.uint8(np.uint8(strange == 0) << WHOLE_AT)
        classes[i] = np.uint8(nob | np.uint8(suited | whole))


@wide
def place_shows(cards, numbers, classes, places):
    """The place of a hand with starter and class of suits among PLACES: uint16 (BLOCK,)."""
    for i in range(BLOCK):
        turned = np.uint16(np.uint16(numbers[i] * STARTERS) + np.uint16(cards[0, i] >> RANK_AT))
        places[i] = np.uint16(np.uint16(turned * CLASS_COUNT) + np.uint16(classes[i]))


@wide
def place_pairs(one, other, places):
    """The place of pone's hand and dealer's, whose numbers are given, among HANDS * HANDS: uint32 (BLOCK,)."""
    for i in range(BLOCK):
        places[i] = np.uint32(np.uint32(one[i]) * PAIRS_A_ROW) + np.uint32(other[i])


@wide
def place_by_starter(cards, places):
    """Turn places of pairs into places by starter and pair, among 13 * HANDS * HANDS."""
    for i in range(BLOCK):
        places[i] = np.uint32(places[i] + np.uint32(np.uint32(cards[0, i] >> RANK_AT) * PAIRS))


class Lanes(NamedTuple):
    """A block of deals, a lane for each."""

    keys: Any
    """uint64 (BLOCK,): the keys of the deals."""
    block: Any
    """uint8 (2, CARDS, BLOCK): the cards, and scratch."""
    numbers: Any
    """uint16 (2, BLOCK): the hands of pone and dealer by their ranks."""
    classes: Any
    """uint8 (BLOCK,): scratch."""
    pairs: Any
    """uint32 (BLOCK,): both hands, and the starter's rank if the play depends on it."""
    shows: Any
    """uint16 (2, BLOCK): what the shows of pone and dealer look at, among PLACES."""


@kernel
def new_lanes():
    """Lanes with nothing in them."""
    return Lanes(
        np.zeros(BLOCK, np.uint64),
        np.zeros((2, CARDS, BLOCK), np.uint8),
        np.zeros((2, BLOCK), np.uint16),
        np.zeros(BLOCK, np.uint8),
        np.zeros(BLOCK, np.uint32),
        np.zeros((2, BLOCK), np.uint16),
    )


@kernel
def deal_hands(lanes, table, by_starter):
    """Deal the keys of all lanes and find out which two hands each of them brings."""
    cards = lanes.block[0]
    deal_block(lanes.keys, lanes.block, table)
    for seat in range(2):
        number_hands(cards, seat, lanes.numbers[seat])
    place_pairs(lanes.numbers[0], lanes.numbers[1], lanes.pairs)
    if by_starter:
        place_by_starter(cards, lanes.pairs)


@kernel
def look_at_shows(lanes):
    """Find out what the shows of the deals look at."""
    cards = lanes.block[0]
    for seat in range(2):
        sort_suits(cards, seat, lanes.classes)
        place_shows(cards, lanes.numbers[seat], lanes.classes, lanes.shows[seat])
