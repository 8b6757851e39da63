"""Deals in blocks: the same cards as ``dealing.shuffle_places``, several hundred deals at a time.

Every loop does the same plain steps for every deal of the block and never branches, so that the compiler works on four
to thirty-two deals at once. A deal then takes a twentieth of the time. That can be lost silently (one condition too
many, and the loops are plain again with the same results), so ``noddysim bench`` sets one beside the other.

Numbers are kept narrow by writing every step's type: numba makes 64 bits of them otherwise, and a vector holds fewer.

The words that must be drawn again, so that every order stays equally likely, are rare: such a deal is dealt by the
plain kernel.
"""

from __future__ import annotations

import math

import numpy as np

from noddysim.kernels.compiler import inlined, kernel, wide
from noddysim.kernels.dealing import (
    DROPPED_BITS,
    PLACES_A_WORD,
    SHUFFLE,
    U32,
    WORD_BITS,
    WORD_MASK,
    WORD_SIZE,
    mix,
    restore,
    shuffle_places,
)
from noddysim.kernels.records import PACK

BLOCK = 512
"""Deals in a block."""
CARDS = PLACES_A_WORD
"""Cards of a deal: as many as one word gives."""
FIRST_WORD = SHUFFLE << U32
REFUSED = np.uint64(int(WORD_SIZE) % math.perm(PACK, CARDS))
"""A word that leaves less than this is drawn again: about one in two hundred thousand."""
WAYS_0, WAYS_1, WAYS_2, WAYS_3, WAYS_4, WAYS_5, WAYS_6 = (np.uint64(PACK - place) for place in range(CARDS))
P0, P1, P2, P3, P4, P5, P6 = (np.uint8(place) for place in range(CARDS))


@wide
def deal_keys(root, first, keys):
    """The keys of the deals from number ``first`` on, uint64 (BLOCK,)."""
    for i in range(BLOCK):
        keys[i] = mix(root, first + np.uint64(i))


@wide
def draw_block(keys, digits):
    """As ``dealing.draw_digits`` for the first seven places of every key.

    digits : uint8 (CARDS, BLOCK). Returns how many of the words must be drawn again.
    """
    refused = np.uint64(0)
    for i in range(BLOCK):
        rest = mix(keys[i], FIRST_WORD) >> DROPPED_BITS
        rest = rest * WAYS_0
        digits[0, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * WAYS_1
        digits[1, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * WAYS_2
        digits[2, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * WAYS_3
        digits[3, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * WAYS_4
        digits[4, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * WAYS_5
        digits[5, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * WAYS_6
        digits[6, i] = rest >> WORD_BITS
        refused += np.uint64((rest & WORD_MASK) < REFUSED)
    return refused


@inlined
def seen(at, wanted, moved, card):
    """What lies at place ``wanted`` once a swap has put ``moved`` at place ``at``; before it, ``card`` lay there."""
    return moved if at == wanted else card


@wide
def swap_block(digits, cards):
    """The cards that the swaps bring to the front, uint8 (CARDS, BLOCK) both.

    ``t`` is the place that a swap reaches, ``m`` the card that it moves there from the front: both out of all swaps
    before it.
    """
    for i in range(BLOCK):
        t0, t1, t2 = digits[0, i], np.uint8(digits[1, i] + P1), np.uint8(digits[2, i] + P2)
        t3, t4, t5 = np.uint8(digits[3, i] + P3), np.uint8(digits[4, i] + P4), np.uint8(digits[5, i] + P5)
        t6 = np.uint8(digits[6, i] + P6)
        m1 = seen(t0, P1, P0, P1)
        m2 = seen(t1, P2, m1, seen(t0, P2, P0, P2))
        m3 = seen(t2, P3, m2, seen(t1, P3, m1, seen(t0, P3, P0, P3)))
        m4 = seen(t3, P4, m3, seen(t2, P4, m2, seen(t1, P4, m1, seen(t0, P4, P0, P4))))
        m5 = seen(t4, P5, m4, seen(t3, P5, m3, seen(t2, P5, m2, seen(t1, P5, m1, seen(t0, P5, P0, P5)))))
        cards[0, i] = t0
        cards[1, i] = seen(t0, t1, P0, t1)
        cards[2, i] = seen(t1, t2, m1, seen(t0, t2, P0, t2))
        cards[3, i] = seen(t2, t3, m2, seen(t1, t3, m1, seen(t0, t3, P0, t3)))
        cards[4, i] = seen(t3, t4, m3, seen(t2, t4, m2, seen(t1, t4, m1, seen(t0, t4, P0, t4))))
        cards[5, i] = seen(t4, t5, m4, seen(t3, t5, m3, seen(t2, t5, m2, seen(t1, t5, m1, seen(t0, t5, P0, t5)))))
        last = seen(t2, t6, m2, seen(t1, t6, m1, seen(t0, t6, P0, t6)))
        cards[6, i] = seen(t5, t6, m5, seen(t4, t6, m4, seen(t3, t6, m3, last)))


@kernel
def deal_block(keys, block, table):
    """Deal every key.

    keys : uint64 (BLOCK,); block : uint8 (2, CARDS, BLOCK), of which ``block[0]`` receives the cards by place and deal,
    as ``dealing.shuffle_places`` brings them to the front; table : for its deck and digits
    """
    refused = draw_block(keys, block[1])
    swap_block(block[1], block[0])
    if refused:
        for i in range(BLOCK):
            deal_again(keys[i], i, block[0], table)


@kernel
def deal_again(key, column, cards, table):
    """Deal one key by the plain kernel into its column."""
    shuffle_places(key, table.deck, table.digits, np.int64(CARDS))
    for place in range(CARDS):
        cards[place, column] = table.deck[place]
    restore(table.deck, table.digits, np.int64(CARDS))
