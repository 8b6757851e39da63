"""Deals as pure functions of a seed and a number.

SplitMix64 (Steele, Lea, Flood 2014) is used at a counter: word *k* of a purpose of deal *i* of seed *s* is a hash of
the four numbers, so any deal can be made alone, in any order, on any machine. A word is cut into places of a
Fisher-Yates shuffle by multiply-and-shift; words that would make some order likelier are rejected (Lemire 2019), so
every order is exactly equally likely.

A word gives seven places: ``N ** 7`` for a pack of up to 128 cards stays far below the 57 bits kept of it. Place *p*
therefore never depends on how many cards are asked for.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import inlined, kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
ONE = np.uint64(1)
U27, U30, U31, U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)

WORD_BITS = np.uint64(57)
DROPPED_BITS = np.uint64(7)
WORD_SIZE = np.uint64(1 << 57)
WORD_MASK = np.uint64((1 << 57) - 1)
SPARED_BITS, SHORT_BITS = np.uint64(12), np.uint64(45)
SHORT_SIZE = np.uint64(1 << 45)
SHORT_MASK = np.uint64((1 << 45) - 1)
PLACES_A_WORD = 7
MOST_WAYS = np.uint64(1 << 49)
"""128 ** 7: no seven places can be filled in more ways, so a remainder of at least this is accepted unseen."""
PLACE_MASK = 127
"""An index masked with it is seen not to be negative: numba then leaves out what lets an index count from the end."""
ATTEMPT_BITS = np.uint64(8)

SHUFFLE = np.uint64(0)
CHOICE = np.uint64(1)
CUT = np.uint64(2)

DEALS = np.uint64(0)
GAMES = np.uint64(1)


@kernel
def mix(state, counter):
    """Output number ``counter`` of the SplitMix64 stream that starts at ``state`` (both uint64)."""
    z = np.uint64(state) + GAMMA * (np.uint64(counter) + ONE)
    z = (z ^ (z >> U30)) * MIX_1
    z = (z ^ (z >> U27)) * MIX_2
    return z ^ (z >> U31)


@kernel
def stream_key(seed, stream):
    """Key of a whole stream (DEALS or GAMES) of a seed."""
    return mix(np.uint64(seed), stream)


@kernel
def word(key, purpose, counter):
    """Word ``counter`` (below 2**32) of one purpose of a deal's key: 57 random bits as uint64."""
    return mix(key, (purpose << U32) | np.uint64(counter)) >> DROPPED_BITS


@kernel
def below(key, purpose, counter, size):
    """A whole number in ``0 … size - 1``, each exactly equally likely; ``counter`` must be a multiple of 256.

    size : at most 128, or the product of word and size has no room
    """
    bound = np.uint64(size)
    attempt = np.uint64(0)
    while True:
        product = word(key, purpose, np.uint64(counter) | attempt) * bound
        rest = product & WORD_MASK
        if rest >= bound or rest >= WORD_SIZE % bound:
            return np.int64(product >> WORD_BITS)
        attempt += ONE


@kernel
def below_many(key, purpose, counter, size):
    """As ``below``, for sizes up to 2 ** 19: the same word without its lowest bits, so that the product has room."""
    bound = np.uint64(size)
    attempt = np.uint64(0)
    while True:
        product = (word(key, purpose, np.uint64(counter) | attempt) >> SPARED_BITS) * bound
        rest = product & SHORT_MASK
        if rest >= bound or rest >= SHORT_SIZE % bound:
            return np.int64(product >> SHORT_BITS)
        attempt += ONE


@kernel
def ways_to_fill(size, place, end):
    """In how many ways the places ``place … end - 1`` of a shuffle of ``size`` cards can be filled, as uint64."""
    ways = ONE
    for p in range(place, end):
        ways = ways * np.uint64(size - p)
    return ways


@kernel
def shuffle_places(key, deck, digits, asked):
    """Bring the first ``asked`` cards of a shuffled pack to the front of ``deck``.

    deck : int64 (N,), N <= 128, holding 0 … N - 1 in order on entry; changed in place
    digits : int64 (N + 7,) scratch; receives the swaps, for ``restore``
    """
    place = np.int64(0)
    while place < asked:
        draw_digits(key, len(deck), digits, place)
        place += PLACES_A_WORD
    for p in range(asked):
        swap_place(deck, digits, p)


@kernel
def draw_digits(key, size, digits, place):
    """Draw the swaps of the seven places from ``place`` on, a multiple of seven, or of those that are left."""
    end = min(place + PLACES_A_WORD, size)
    block = np.uint64(place // PLACES_A_WORD)
    attempt = np.uint64(0)
    while True:
        rest = word(key, SHUFFLE, (block << ATTEMPT_BITS) | attempt)
        for p in range(place, end):
            rest = rest * np.uint64(size - p)
            digits[p & PLACE_MASK] = np.int64(rest >> WORD_BITS)
            rest = rest & WORD_MASK
        # The remainder is hardly ever this small, so the exact bound (a slow division) is worked out only then.
        if rest >= MOST_WAYS or rest >= WORD_SIZE % ways_to_fill(size, place, end):
            return
        attempt += ONE


@inlined
def swap_place(deck, digits, place):
    """Bring the card that belongs to a place there, by the swap drawn for it."""
    other = (place + digits[place & PLACE_MASK]) & PLACE_MASK
    card = deck[other]
    deck[other] = deck[place & PLACE_MASK]
    deck[place & PLACE_MASK] = card


@inlined
def next_card(key, deck, digits, place):
    """The card at a place of a shuffled pack of which all places before it have been asked for, in order."""
    if place % PLACES_A_WORD == 0:
        draw_digits(key, len(deck), digits, place)
    swap_place(deck, digits, place)
    return deck[place & PLACE_MASK]


@inlined
def restore(deck, digits, asked):
    """Put the deck, whose standing order is 0, 1, 2, … , in order again after ``shuffle_places``.

    Only the places that were swapped are written, and nothing is read: a processor is slow to read what it wrote at
    a place it could not foresee.
    """
    for p in range(asked):
        other = (p + digits[p & PLACE_MASK]) & PLACE_MASK
        deck[other] = other
        deck[p & PLACE_MASK] = p


@kernel
def shuffled(key, size, asked, out):
    """The first ``asked`` cards of deal ``key`` from a pack of ``size`` cards, written to ``out`` (int64)."""
    deck = np.arange(size)
    digits = np.empty(size + PLACES_A_WORD, np.int64)
    shuffle_places(key, deck, digits, asked)
    for p in range(asked):
        out[p] = deck[p]


@kernel
def deal_key(seed, number):
    """Key of deal ``number`` of ``seed``."""
    return mix(stream_key(seed, DEALS), np.uint64(number))


@kernel
def game_key(seed, number):
    """Key of game ``number`` of ``seed``; ``mix(game_key, d)`` is the key of its deal ``d``."""
    return mix(stream_key(seed, GAMES), np.uint64(number))
