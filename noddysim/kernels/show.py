"""The show: a hand or a crib and the starter, by table, and from the rules to build and to check it.

A table holds what ranks alone make, for every set of ranks in hand and every rank of the starter; what suits make is
worked out card by card. Hands and cribs come as one integer (kernels.hands). Where hand and crib are of different
sizes, the table of cribs stands behind that of hands.
"""

from __future__ import annotations

import math

import numpy as np

from noddysim.kernels.compiler import inlined, kernel
from noddysim.kernels.hands import card_at, gathered, holds
from noddysim.kernels.records import (
    FLUSH_ALL,
    FLUSH_GROVES,
    FLUSH_OFF,
    FLUSH_WHOLE,
    PARTS_AT,
    SHOW_BITS,
    SHOW_KINDS,
    SHOW_MASK,
    SHOW_SHIFT,
    SUMS_SHIFT,
    TOTAL_MASK,
)

SUMS_AT, PAIRS_AT, RUNS_AT, FLUSH_AT, NOB_AT, HONOURS_AT, COLOURS_AT = SHOW_SHIFT
JACK = 10
KINDS = len(SHOW_KINDS)
SUIT_BITS, SUIT_MASK = 4, 15
PLACE = np.array([[math.comb(rank + i, i + 1) for rank in range(13)] for i in range(8)])
"""What the rank at each place of a sorted hand adds to the number of its set of ranks (the combinatorial number
system): sets of h ranks, repeats allowed, are numbered 0 … C(12 + h, h) - 1."""
FIVE_OF_EACH, EIGHT_OF_EACH = 0x5555, 0x8888


@kernel
def packed(points, shift):
    """Points as a packed value: in the total and in the part that begins at ``shift``."""
    return points | (points << shift)


@kernel
def show_part(points, kind):
    """The part of packed points of a show that belongs to kind number ``kind`` of SHOW_KINDS."""
    if kind == 0:
        return points >> SUMS_SHIFT
    return (points >> (PARTS_AT + SHOW_BITS * (kind - 1))) & SHOW_MASK


@kernel
def sums_points(rules, ranks, size):
    """Packed points of all subsets of two or more of the first ``size`` ranks whose pips make a scoring sum."""
    points = np.int64(0)
    for subset in range(1, 1 << size):
        total = 0
        cards = 0
        for i in range(size):
            if subset >> i & 1:
                total += min(ranks[i] + 1, 10)
                cards += 1
        if cards > 1 and total < len(rules.show_flat):
            points += rules.show_flat[total] + rules.show_each[total] * cards
    return points


@kernel
def runs_points(rules, held):
    """Packed points of the longest runs; ``held`` (13,) counts the cards of each rank."""
    longest = 0
    length = 0
    for rank in range(13):
        length = length + 1 if held[rank] else 0
        longest = max(longest, length)
    if longest < 3:
        return np.int64(0)
    ways = 0
    for first in range(13 - longest + 1):
        choices = 1
        for rank in range(first, first + longest):
            choices *= held[rank]
        if choices and not rules.run_each:
            choices = 1
        ways += choices
    return rules.show_run[longest] * ways


@kernel
def show_same_points(rules, equal):
    """Packed points of ``equal`` cards of one rank."""
    return rules.show_same[min(equal, 4)]


@kernel
def ranks_points(rules, ranks, size, held):
    """Packed points of what ranks alone make: sums, pairs and runs.

    ranks : int64 (>= size,), hand and starter; held : int64 (13,) scratch
    """
    held[:] = 0
    for i in range(size):
        held[ranks[i]] += 1
    points = sums_points(rules, ranks, size) + runs_points(rules, held)
    for rank in range(13):
        if held[rank] > 1:
            points += show_same_points(rules, held[rank])
    return points


@kernel
def flush_points(rules, suits, size, starter):
    """Packed points of a flush; ``suits`` holds the hand's cards of each suit, four bits a suit, one of them 3 or more.

    Where two suits have as many cards (hands of six and more), the lower suit counts.
    """
    longest = 0
    suit_of_longest = 0
    for suit in range(4):
        cards = suits >> (SUIT_BITS * suit) & SUIT_MASK
        if cards > longest:
            longest = cards
            suit_of_longest = suit
    if rules.flush_kind == FLUSH_OFF or (rules.flush_kind == FLUSH_WHOLE and longest != size):
        return np.int64(0)
    suited = longest
    matches = starter & 3 == suit_of_longest
    if matches and (rules.flush_kind != FLUSH_GROVES or (longest == size and size > 3)):
        suited += 1
    return np.int64(packed(rules.flush_points[suited], FLUSH_AT))


@kernel
def nob_points(rules, hand, starter):
    """Packed points of the jack of the starter's suit in hand."""
    return packed(rules.nob, NOB_AT) if holds(hand, 4 * JACK + (starter & 3)) else np.int64(0)


@inlined
def suits_points(rules, hand, size, starter):
    """Packed points of flush and nob of a hand of ``size`` cards."""
    suits = np.int64(0)
    for i in range(size):
        suits += 1 << (SUIT_BITS * (card_at(hand, i) & 3))
    points = nob_points(rules, hand, starter)
    # A field of the sum has its top bit set where a suit has three cards or more, the least a flush needs.
    if (suits + FIVE_OF_EACH) & EIGHT_OF_EACH:
        points += flush_points(rules, suits, size, starter)
    return points


@kernel
def crib_suits_points(rules, crib, starter):
    """Packed points of flush and nob of a crib, in which a flush takes all cards."""
    size = rules.crib
    points = nob_points(rules, crib, starter)
    suited = np.int64(1)
    for i in range(1, size):
        suited += card_at(crib, i) & 3 == card_at(crib, 0) & 3
    matches = starter & 3 == card_at(crib, 0) & 3
    if suited == size and (rules.crib_flush == FLUSH_WHOLE or (rules.crib_flush == FLUSH_ALL and matches)):
        points += packed(rules.flush_points[size + matches], FLUSH_AT)
    return points


@kernel
def honour_points(rules, card, starter):
    """What a card in hand scores for its rank alone."""
    return rules.honour[card >> 2, 1 if card & 3 == starter & 3 else 0]


@kernel
def is_red(card):
    """1 for a heart or diamond, 0 for a club or spade: suits are clubs, diamonds, hearts, spades."""
    suit = card & 3
    return 1 if suit == 1 or suit == 2 else 0


@kernel
def colours_points(rules, hand, starter):
    """Points of the best colour of three hand cards and the starter; see ``colour_points`` of the rules."""
    red = is_red(starter)
    suits = np.int64(1 << (SUIT_BITS * (starter & 3)))
    for i in range(3):
        red += is_red(card_at(hand, i))
        suits += 1 << (SUIT_BITS * (card_at(hand, i) & 3))
    longest = 0
    for suit in range(4):
        longest = max(longest, suits >> (SUIT_BITS * suit) & SUIT_MASK)
    if red == 0 or red == 4:
        return rules.colour_points[longest]
    if red == 1 or red == 3:
        return rules.colour_points[1 if longest == 3 else 0]
    return np.int64(0)


@kernel
def extra_points(rules, hand, size, starter):
    """Packed points of honours and colours, which only some games have."""
    points = np.int64(0)
    if rules.honours:
        for i in range(size):
            points += packed(honour_points(rules, card_at(hand, i), starter), HONOURS_AT)
    if rules.colours:
        points += packed(colours_points(rules, hand, starter), COLOURS_AT)
    return points


@inlined
def cards_points(rules, hand, size, starter):
    """Packed points of a hand that its ranks alone do not make."""
    points = suits_points(rules, hand, size, starter)
    if rules.honours or rules.colours:
        points += extra_points(rules, hand, size, starter)
    return points


@inlined
def table_index(hand, size, starter):
    """Place of a sorted hand and a starter in the table of ranks: thirteen starters stand together."""
    index = np.int64(0)
    for i in range(size):
        index += PLACE[i, card_at(hand, i) >> 2]
    return index * 13 + (starter >> 2)


@kernel
def table_points(shows, index):
    """Packed points at a place of the table of ranks (``records.show_record``)."""
    return shows.points[shows.which[index]]


@inlined
def show_points(rules, shows, hand, size, starter):
    """Packed points of a sorted hand with the starter, by table."""
    return table_points(shows, table_index(hand, size, starter)) + cards_points(rules, hand, size, starter)


@inlined
def crib_points(rules, shows, crib, starter):
    """Packed points of a sorted crib of ``rules.crib`` cards with the starter, by table."""
    ranks = table_points(shows, rules.crib_table + table_index(crib, rules.crib, starter))
    return ranks + crib_suits_points(rules, crib, starter)


@kernel
def ranks_from_rules(rules, cards, size, starter):
    """Packed points that the ranks of cards and starter make, without the table."""
    ranks = np.empty(size + 1, np.int64)
    for i in range(size):
        ranks[i] = card_at(cards, i) >> 2
    ranks[size] = starter >> 2
    held = np.zeros(13, np.int64)
    return ranks_points(rules, ranks, size + 1, held)


@kernel
def show_from_rules(rules, hand, size, starter):
    """As ``show_points`` without the table: what the table is checked against."""
    return ranks_from_rules(rules, hand, size, starter) + cards_points(rules, hand, size, starter)


@kernel
def crib_from_rules(rules, crib, starter):
    """As ``crib_points`` without the table."""
    return ranks_from_rules(rules, crib, rules.crib, starter) + crib_suits_points(rules, crib, starter)


@kernel
def next_ranks(ranks, size):
    """Step ``ranks`` to the next rising choice of ``size`` ranks, repeats allowed; False after the last."""
    i = size - 1
    while i >= 0 and ranks[i] == 12:
        i -= 1
    if i < 0:
        return False
    rank = ranks[i] + 1
    for j in range(i, size):
        ranks[j] = rank
    return True


@kernel
def fill_show_table(rules, cards, table):
    """Fill ``table`` (13 * C(12 + cards, cards),) with the packed points of every set of ranks and every starter."""
    ranks = np.zeros(cards + 1, np.int64)
    held = np.zeros(13, np.int64)
    while True:
        index = 0
        for i in range(cards):
            index += PLACE[i, ranks[i]]
        for starter in range(13):
            ranks[cards] = starter
            table[index * 13 + starter] = ranks_points(rules, ranks, cards + 1, held)
        if not next_ranks(ranks, cards):
            break


@kernel
def next_hand(hand, size):
    """Step ``hand`` to the next ascending choice of ``size`` cards of 52; False after the last."""
    i = size - 1
    while i >= 0 and hand[i] == 52 - size + i:
        i -= 1
    if i < 0:
        return False
    hand[i] += 1
    for j in range(i + 1, size):
        hand[j] = hand[j - 1] + 1
    return True


@kernel
def points_of_show(rules, shows, hand, size, starter, is_crib, by_table):
    """Packed points of a hand or a crib, by table or from the rules."""
    if is_crib:
        if by_table:
            return crib_points(rules, shows, hand, starter)
        return crib_from_rules(rules, hand, starter)
    if by_table:
        return show_points(rules, shows, hand, size, starter)
    return show_from_rules(rules, hand, size, starter)


@kernel
def count_every_show(rules, shows, size, is_crib, by_table, totals, parts):
    """Count the points of every hand of ``size`` cards with every starter.

    is_crib : count them as cribs (``size`` must be ``rules.crib``); by_table : use the table, or work from the rules
    totals : int64 (W,) hands by total, added to; parts : int64 (7, V) hands by points of each part, added to
    """
    cards = np.arange(size)
    while True:
        hand = gathered(cards, np.int64(0), np.int64(1), size)
        for starter in range(52):
            if holds(hand, starter):
                continue
            points = points_of_show(rules, shows, hand, size, starter, is_crib, by_table)
            totals[points & TOTAL_MASK] += 1
            for kind in range(KINDS):
                parts[kind, show_part(points, kind)] += 1
        if not next_hand(cards, size):
            break
