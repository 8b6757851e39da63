"""The race to the target of two fixed strategies: every award of every deal, in its order.

A deal is a path of awards. With the pone at ``a`` and the dealer at ``b`` points since the deal began, an award that
takes the pone to ``c`` wins the game for him if he needed more than ``a`` and at most ``c`` points, and the dealer more
than ``b``. Over all needs of both that is a rectangle, and a rectangle is four changes in a table of differences: so
one walk over all lines of play serves every score. What nobody wins is kept as the points of both.

The kernels of the play know the order of the points in it; the shows are counted by rank, and what suits add to both
hands depends only on which of the seven ranks are equal and which are special: it is counted once for each such
pattern.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import GAMMA
from noddysim.kernels.hands import NO_CARDS, with_card
from noddysim.kernels.lines import DIFFERENT, LANES
from noddysim.kernels.records import PLAY, SHOW, TOTAL_MASK
from noddysim.kernels.show import show_part, show_points
from noddysim.kernels.unrolled import EVENT_BITS, EVENT_POINTS, EVENT_SEAT


class Suits(NamedTuple):
    """What suits add to the shows of every two hands with a starter, pattern by pattern."""

    which: Any
    """int64 (455, 455): the pattern of two hands, -1 if they cannot be held together."""
    ways: Any
    """float64 (K,): in how many ways suits can be given."""
    start: Any
    """int64 (K + 1,): the first entry of each pattern."""
    own: Any
    """int64 (entries,): what suits add to the pone's hand."""
    other: Any
    """int64 (entries,): to the dealer's."""
    number: Any
    """float64 (entries,): in how many ways they do."""


RANK_KINDS = 3
"""Fifteens, pairs and runs come first among the kinds of the show: they depend on ranks alone."""
SPREAD_SHIFT = np.uint64(40)
"""A code is spread over the slots by multiplying it by GAMMA; the upper bits of the product are the best mixed."""
MOST_EXTRA = 64
"""More points than suits can add to a hand."""


@kernel
def pattern_of(one, other, starter, special, scratch):
    """A number that two triples of hands and starter share only if suits can do the same for them.

    one, other : int64 (3,) ranks, lowest first; special : int64 (13,), what marks a rank for which suits may count
    """
    number = 0
    for i in range(7):
        rank = starter if i == 6 else one[i] if i < 3 else other[i - 3]
        code = 16 if i == 6 else 1 if i < 3 else 4
        known = 0
        while known < number and scratch[8 + known] != rank:
            known += 1
        if known == number:
            scratch[8 + known] = rank
            scratch[known] = 32 * special[rank]
            number += 1
        scratch[known] += code
    for i in range(1, number):
        for j in range(i, 0, -1):
            if scratch[j - 1] > scratch[j]:
                scratch[j - 1], scratch[j] = scratch[j], scratch[j - 1]
    code = 0
    for i in range(number):
        code = code * 256 + scratch[i]
    return code


@kernel
def patterns(sets, starter, special, out):
    """The pattern of every two hands with a starter, int64 (455, 455)."""
    scratch = np.zeros(16, np.int64)
    for one in range(len(sets)):
        for other in range(len(sets)):
            out[one, other] = pattern_of(sets[one], sets[other], starter, special, scratch)


@kernel
def ranks_alone(points):
    """Points of a show that come from ranks alone."""
    total = 0
    for kind in range(RANK_KINDS):
        total += show_part(points, kind)
    return total


@kernel
def fill_base(rules, shows, sets, starter, base):
    """Points that each hand shows by ranks alone, int64 (455,): its suits are as different as can be."""
    for number in range(len(sets)):
        cards = np.int64(NO_CARDS)
        for i in range(3):
            cards = with_card(cards, i, 4 * sets[number, i] + i)
        base[number] = ranks_alone(show_points(rules, shows, cards, np.int64(3), 4 * starter + 3))


@kernel
def suits_of(rules, shows, one, other, starter, joint):
    """What suits add to both hands, over all ways to give the seven cards suits: joint (E, E), int64, is added to.

    Returns the most points that suits add to a hand.
    """
    most = 0
    for way in range(1 << 12):
        hands = (np.int64(NO_CARDS), np.int64(NO_CARDS))
        mine, theirs = hands
        good = True
        for i in range(3):
            suit, opposite = way >> (2 * i) & 3, way >> (6 + 2 * i) & 3
            mine = with_card(mine, i, 4 * one[i] + suit)
            theirs = with_card(theirs, i, 4 * other[i] + opposite)
            # Equal ranks lie side by side: their suits must rise, so that every set of cards comes once.
            if i > 0 and one[i] == one[i - 1] and suit <= way >> (2 * i - 2) & 3:
                good = False
            if i > 0 and other[i] == other[i - 1] and opposite <= way >> (4 + 2 * i) & 3:
                good = False
        for i in range(3):
            for j in range(3):
                if one[i] == other[j] and way >> (2 * i) & 3 == way >> (6 + 2 * j) & 3:
                    good = False
        if not good:
            continue
        for suit in range(4):
            taken = False
            for i in range(3):
                taken |= one[i] == starter and way >> (2 * i) & 3 == suit
                taken |= other[i] == starter and way >> (6 + 2 * i) & 3 == suit
            if taken:
                continue
            turned = 4 * starter + suit
            own = show_points(rules, shows, mine, np.int64(3), turned)
            foreign = show_points(rules, shows, theirs, np.int64(3), turned)
            extra, opposite = (own & TOTAL_MASK) - ranks_alone(own), (foreign & TOTAL_MASK) - ranks_alone(foreign)
            most = max(most, extra, opposite)
            joint[min(extra, MOST_EXTRA - 1), min(opposite, MOST_EXTRA - 1)] += 1
    return most


@kernel
def award(won, reached, seat, points, weight):
    """Note an award to a seat: the needs for which it wins the game.

    won : float64 (2, T + 2, T + 2), differences by what pone and dealer need; reached : int64 (2,), points of both so
    far, changed in place
    """
    top = won.shape[1] - 1
    before, other = reached[seat], reached[1 - seat]
    after = before + points
    low, high, least = min(before + 1, top), min(after + 1, top), min(other + 1, top)
    if seat == 0:
        won[0, low, least] += weight
        won[0, high, least] -= weight
    else:
        won[1, least, low] += weight
        won[1, least, high] -= weight
    reached[seat] = after


@kernel
def award_play(won, reached, code, weight):
    """Note the awards of a line, card by card."""
    while code:
        points = code & EVENT_POINTS
        if points:
            award(won, reached, code >> EVENT_SEAT & 1, points, weight)
        code >>= EVENT_BITS


@kernel
def award_phase(won, reached, phase, heels, code, shows, weight):
    """Note the awards of heels, play or show. heels, shows : int64 (2,), points of both."""
    if phase == PLAY:
        award_play(won, reached, code, weight)
        return
    for seat in range(2):
        points = shows[seat] if phase == SHOW else heels[seat]
        if points:
            award(won, reached, np.int64(seat), points, weight)


class Met(NamedTuple):
    """What meets in the deals of one rank of the starter: plays and shows. Plays are told apart by their codes."""

    slots: Any
    """int64 (a power of two,): where a code is found by its hash, its number and one; nought where there is none."""
    codes: Any
    """int64 (N,): the codes met, by their numbers."""
    shares: Any
    """float64 (N, S, S): deals by number of the code and points of pone and dealer in the show."""


@kernel
def number_of(code, slots, codes, known):
    """The number of a code, ``known`` if it is a new one; -1 if there is no room for it. See ``Met``."""
    slot = (np.uint64(code) * GAMMA) >> SPREAD_SHIFT & np.uint64(len(slots) - 1)
    while slots[slot]:
        if codes[slots[slot] - 1] == code:
            return slots[slot] - 1
        slot = (slot + np.uint64(1)) & np.uint64(len(slots) - 1)
    if known == len(codes):
        return np.int64(-1)
    slots[slot] = known + 1
    codes[known] = code
    return np.int64(known)


@kernel
def walk(rolled, events, pone, reach, base, suits, met):
    """Count every deal of one rank of the starter; how many codes were met, or -1 if there was no room for them.

    events : int64 (28561, 169), lines; pone : float64 (169, 169) and reach : float64 (R, 169), how both play; base :
    int64 (455,), shows by rank; suits : ``Suits``; met : ``Met``, with nothing in it
    """
    slots, codes, size = met.slots, met.codes, met.shares.shape[1]
    shares = met.shares.reshape(-1)
    which, start, number, hand_of, row_of = suits.which, suits.start, suits.number, rolled.hand_of, rolled.row_of
    beside = suits.own * size + suits.other
    known = np.int64(0)
    for laid in range(169):
        for plane in range(LANES):
            own = pone[laid, plane]
            if own == 0:
                continue
            place = laid * LANES + plane
            row = row_of[place]
            mine = hand_of[laid // 13, plane if plane < DIFFERENT else plane - DIFFERENT]
            for lane in range(LANES):
                chance = own * reach[row, lane]
                if chance == 0:
                    continue
                theirs = hand_of[laid % 13, lane if lane < DIFFERENT else lane - DIFFERENT]
                pattern = which[mine, theirs]
                if pattern < 0:
                    continue
                code = number_of(events[place, lane], slots, codes, known)
                if code < 0:
                    return np.int64(-1)
                known = max(known, code + 1)
                cell = (code * size + base[mine]) * size + base[theirs]
                for entry in range(start[pattern], start[pattern + 1]):
                    shares[cell + beside[entry]] += chance * number[entry]
    return known


@kernel
def award_met(met, known, order, heels, won, totals):
    """Note the awards of all deals that have been counted, in the order of the rules.

    order : int64 (3,), the phases; heels : int64 (2,); won, totals : float64 (2, T + 2, T + 2) and (P, P), are added to
    """
    reached = np.zeros(2, np.int64)
    begun = np.zeros(2, np.int64)
    shown = np.zeros(2, np.int64)
    shared = 0
    while order[shared] != SHOW:
        shared += 1
    for number in range(known):
        code, shares = met.codes[number], met.shares[number]
        begun[:] = 0
        whole = shares.sum()
        for turn in range(shared):
            award_phase(won, begun, order[turn], heels, code, shown, whole)
        for own in range(shares.shape[0]):
            for other in range(shares.shape[1]):
                weight = shares[own, other]
                if weight == 0:
                    continue
                shown[0], shown[1] = own, other
                reached[0], reached[1] = begun[0], begun[1]
                for turn in range(shared, 3):
                    award_phase(won, reached, order[turn], heels, code, shown, weight)
                totals[reached[0], reached[1]] += weight


@kernel
def race(won, totals, chances):
    """Chance that the first dealer wins, by what his opponent and he need; deals alternate.

    won : float64 (2, 2, T + 1, T + 1), shares of all deals in which pone or dealer wins, by what pone and dealer need,
    with the first dealer dealing and with the other dealing; totals : float64 (2, P, P), shares by points of pone and
    dealer in deals nobody has won; chances : float64 (2, T + 1, T + 1), filled for needs from 1 on: the first dealer
    deals, or his opponent does, by what the opponent and the first dealer need
    """
    size = totals.shape[1]
    for other in range(1, chances.shape[1]):
        for mine in range(1, chances.shape[2]):
            dealing = won[0, 1, other, mine]
            leading = won[1, 0, mine, other]
            for a in range(min(size, other)):
                for b in range(min(size, mine)):
                    if a + b:
                        dealing += totals[0, a, b] * chances[1, other - a, mine - b]
            for a in range(min(size, mine)):
                for b in range(min(size, other)):
                    if a + b:
                        leading += totals[1, a, b] * chances[0, other - b, mine - a]
            # A deal without points leaves the scores and passes the deal: both chances are solved together.
            still, again = totals[0, 0, 0], totals[1, 0, 0]
            chances[0, other, mine] = (dealing + still * leading) / (1 - still * again)
            chances[1, other, mine] = leading + again * chances[0, other, mine]
