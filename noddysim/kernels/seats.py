"""The play of three hands without chance, all hands of all three counted."""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.pegging import play_cards, take_seats
from noddysim.kernels.records import AT_LAID, AT_STARTER, NO_RACE, NOBODY, TOTAL_MASK
from noddysim.kernels.unrolled import hold

SEATS = 3


@kernel
def ways_of(held, hand, left, choose):
    """In how many ways a hand is dealt from what is left of each rank.

    held : int64 (H, 13), cards of each rank in each hand; left : int64 (13,); choose : int64 (5, 5), binomials
    """
    ways = np.int64(1)
    for rank in range(13):
        ways *= choose[left[rank], held[hand, rank]]
    return ways


@kernel
def add_triples(rules, minds, who, table, hands, held, choose, first, last, totals):
    """Add up points and deals of eldest's hands ``first … last - 1`` with all hands of the two others.

    who : int64 (3,), the strategies by seat, which leave nothing to chance and do not look at the starter; hands :
    int64 (H, 3), ranks, lowest first; totals : int64 (4,), points by seat and the number of ways to deal the three
    hands; the starter is any of the other cards
    """
    take_seats(who, table, np.int64(SEATS))
    table.state[AT_STARTER] = 0
    nobody, nought = np.int64(NOBODY), np.int64(0)
    left = np.zeros(13, np.int64)
    rest = np.zeros(13, np.int64)
    for one in range(first, last):
        left[:] = 4
        ways_one = ways_of(held, one, left, choose)
        for rank in range(13):
            left[rank] -= held[one, rank]
        for two in range(len(hands)):
            ways_two = ways_one * ways_of(held, two, left, choose)
            if ways_two == 0:
                continue
            for rank in range(13):
                rest[rank] = left[rank] - held[two, rank]
            for three in range(len(hands)):
                ways = ways_two
                for place in range(SEATS):
                    # Equal ranks lie side by side: each is looked at once.
                    rank = hands[three, place]
                    if place == 0 or hands[three, place - 1] != rank:
                        ways *= choose[rest[rank], held[three, rank]]
                if ways == 0:
                    continue
                hold(table, np.int64(0), hands[one], rules.hand)
                hold(table, np.int64(1), hands[two], rules.hand)
                hold(table, np.int64(2), hands[three], rules.hand)
                table.state[AT_LAID] = 0
                play_cards(
                    rules, minds, table, np.int64(SEATS), np.uint64(0), np.int64(NO_RACE), nobody, nought,
                    np.bool_(False),
                )  # fmt: skip
                totals[SEATS] += ways
                for seat in range(SEATS):
                    totals[seat] += ways * (table.gain[seat] & TOTAL_MASK)
