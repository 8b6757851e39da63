"""The play of three cards each, rolled out: every order in which two hands can be laid, and the places of choices.

A *line* is the six ranks that pone and dealer lay in turn, p1 d1 p2 d2 p3 d3, each seat's cards in the order in which
that seat lays them. There are 13 ** 6 lines, and each stands for one pair of rank hands and one way to play them. As
no three cards pass a count of 30, only the dealer's second card can find no room; so each seat has two choices, and
what it knows at each is part of the line:

* pone's first card (``LEAD``): its own hand;
* dealer's first (``FIRST``): p1 and its own hand;
* pone's second (``SECOND``): p1, d1 and its two cards;
* dealer's second (``REPLY``): p1, d1, p2 and its two cards; where neither of them fits, the pile ends before it
  chooses, and it has seen p3 too, or that p3 does not fit.

Two cards in order are a *lane*: first the 78 pairs of different ranks with the lower one first, then the same with the
higher one first, then the 13 equal ones. Two cards without order are a *pair*: the first 78 and the last 13 lanes.
A *book* is how a player plays everywhere: the chance of each card, at the place of its choice. It is flat:

    LEAD_AT    [p1][pair]            chance to lead p1, the other two being the pair
    SECOND_AT  [p1][d1][lane]        chance of the first of the lane
    FIRST_AT   [p1][d1][pair]        chance of d1, the other two being the pair
    REPLY_AT   [row][lane]           chance of the first of the lane

``row_start`` gives the first row of each p1, d1, p2. If some rank finds no room there, rows follow for each rank of p3
that does, and one for all that do not. Lanes of which a card fits are the same choice in all those rows.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from noddysim.kernels.compiler import kernel
from noddysim.kernels.hands import card_at
from noddysim.kernels.records import AT_STARTER

DIFFERENT = 78
PAIRS = 91
LANES = 169
SETS = 455
TRIPLES = 2197

LEAD_AT = 0
SECOND_AT = LEAD_AT + 13 * PAIRS
FIRST_AT = SECOND_AT + 169 * LANES
REPLY_AT = FIRST_AT + 169 * PAIRS
HEADER = TRIPLES + 1
"""A kept book is uint16: the first row of each p1, d1, p2, the number of rows, then a book for each starter."""
BOOK_SIZE = 1 << 25
"""More places than any kept book has; none past its end is read."""


def plain_book_at(address: int, size: int) -> Any:
    """As ``book_at``, in Python; ``size`` is not used, since nothing is read past the end."""
    header = np.ctypeslib.as_array((ctypes.c_uint16 * HEADER).from_address(int(address)))
    places = HEADER + 13 * (REPLY_AT + int(header[TRIPLES]) * LANES)
    return np.ctypeslib.as_array((ctypes.c_uint16 * places).from_address(int(address)))


@intrinsic
def pointer(_typing: Any, address: Any) -> Any:
    """An address as a pointer."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.int64), generate


@overload(plain_book_at)
def _overload_book_at(address: Any, size: Any) -> Any:
    def compiled_book_at(address: Any, size: Any) -> Any:
        return carray(pointer(address), (size,), np.uint16)

    return compiled_book_at


book_at = plain_book_at
"""A kept book as an array, from its address: one number that any record can carry, and no count of references."""


@kernel
def lane_of(first, second):
    """The lane of two ranks in their order."""
    low, high = min(first, second), max(first, second)
    if low == high:
        return 2 * DIFFERENT + low
    pair = low * (25 - low) // 2 + high - low - 1
    return pair if first < second else DIFFERENT + pair


@kernel
def pair_of(first, second):
    """The pair of two ranks."""
    lane = lane_of(min(first, second), max(first, second))
    return lane if lane < DIFFERENT else lane - DIFFERENT


@kernel
def pips(rank):
    """What a rank adds to the count."""
    return min(rank + 1, 10)


@kernel
def place_in_book(book, rules, table, seat, index, laid, count):
    """Place in a kept book of a card of a hand that its seat may lay; ``laid``, ``count`` : before it.

    The last card of a hand has no place: it is no choice.
    """
    rows = np.int64(book[TRIPLES])
    start = HEADER + (table.state[AT_STARTER] >> 2) * (REPLY_AT + rows * LANES)
    hand = table.hand[seat]
    rank = card_at(hand, index) >> 2
    one = card_at(hand, 1 if index == 0 else 0) >> 2
    p1, d1, p2 = table.ranks[0], table.ranks[1], table.ranks[2]
    if table.left[seat] == 3:
        two = card_at(hand, 1 if index == 2 else 2) >> 2
        if seat == 0:
            return start + LEAD_AT + rank * PAIRS + pair_of(one, two)
        return start + FIRST_AT + (p1 * 13 + rank) * PAIRS + pair_of(one, two)
    if seat == 0:
        return start + SECOND_AT + (p1 * 13 + d1) * LANES + lane_of(rank, one)
    row = np.int64(book[(p1 * 13 + d1) * 13 + p2])
    if count == 0:
        room = rules.limit - pips(p1) - pips(d1) - pips(p2)
        row += table.ranks[3] if laid == 4 else room
    return start + REPLY_AT + row * LANES + lane_of(rank, one)
