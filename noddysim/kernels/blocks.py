"""Deals in blocks: the same cards as ``dealing.shuffle_places``, several hundred deals at a time.

Every loop does the same plain steps for every deal of the block and never branches, so that the compiler works on four
to thirty-two deals at once. A deal then takes a seventh of the time. That can be lost silently (one condition too many,
and the loops are plain again with the same results), so ``noddysim bench`` sets one beside the other.

The words that must be drawn again, so that every order stays equally likely, are rare: such a deal is dealt by the
plain kernel.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel, wide
from noddysim.kernels.dealing import (
    DROPPED_BITS,
    MOST_WAYS,
    PLACES_A_WORD,
    SHUFFLE,
    U32,
    WORD_BITS,
    WORD_MASK,
    mix,
    restore,
    shuffle_places,
)
from noddysim.kernels.records import PACK

BLOCK = 256
"""Deals in a block."""
CARDS = PLACES_A_WORD
"""Cards of a deal: as many as one word gives."""
FIRST_WORD = SHUFFLE << U32
P0, P1, P2, P3, P4, P5, P6 = (np.uint64(PACK - place) for place in range(CARDS))


@wide
def deal_keys(root, first, keys):
    """The keys of the deals from number ``first`` on, uint64 (BLOCK,)."""
    for i in range(BLOCK):
        keys[i] = mix(root, first + np.uint64(i))


@wide
def draw_block(keys, digits, rests):
    """As ``dealing.draw_digits`` for the first seven places of every key.

    digits : uint8 (CARDS, BLOCK); rests : uint64 (BLOCK,), what is left of each word
    """
    for i in range(BLOCK):
        rest = mix(keys[i], FIRST_WORD) >> DROPPED_BITS
        rest = rest * P0
        digits[0, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * P1
        digits[1, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * P2
        digits[2, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * P3
        digits[3, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * P4
        digits[4, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * P5
        digits[5, i] = rest >> WORD_BITS
        rest = (rest & WORD_MASK) * P6
        digits[6, i] = rest >> WORD_BITS
        rests[i] = rest & WORD_MASK


@wide
def begin_place(targets, cards, left, place):
    """The card at a place and the one it is swapped with, had no card been moved before."""
    for i in range(BLOCK):
        target = np.uint8(targets[i] + place)
        targets[i] = target
        cards[i] = target
        left[i] = place


@wide
def see_card(earlier, moved, targets, cards):
    """Where an earlier swap has brought a card to the target of this one, that card is drawn."""
    for i in range(BLOCK):
        one, other, at, wanted = moved[i], cards[i], earlier[i], targets[i]
        cards[i] = one if at == wanted else other


@wide
def see_left(earlier, moved, left, place):
    """Where an earlier swap has brought a card to this place, that card is the one to be moved away."""
    for i in range(BLOCK):
        one, other, at = moved[i], left[i], earlier[i]
        left[i] = one if at == place else other


@kernel
def deal_block(keys, number, block, table):
    """Deal the first ``number`` (at most BLOCK) of the keys; what is dealt for the others means nothing.

    keys : uint64 (BLOCK,); block : uint8 (3, CARDS, BLOCK), of which ``block[0]`` receives the cards by place and deal,
    as ``dealing.shuffle_places`` brings them to the front; table : for its deck and digits
    """
    cards, targets, left = block[0], block[1], block[2]
    rests = np.empty(BLOCK, np.uint64)
    draw_block(keys, targets, rests)
    for place in range(CARDS):
        begin_place(targets[place], cards[place], left[place], np.uint8(place))
        for earlier in range(place):
            see_card(targets[earlier], left[earlier], targets[place], cards[place])
            see_left(targets[earlier], left[earlier], left[place], np.uint8(place))
    for i in range(number):
        if rests[i] < MOST_WAYS:
            deal_again(keys[i], i, cards, table)


@kernel
def deal_again(key, column, cards, table):
    """Deal one key by the plain kernel into its column."""
    shuffle_places(key, table.deck, table.digits, np.int64(CARDS))
    for place in range(CARDS):
        cards[place, column] = table.deck[place]
    restore(table.deck, table.digits, np.int64(CARDS))
