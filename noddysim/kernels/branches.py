"""The play of two hands with chance: every way it can go, each weighed by the chance that it goes so.

Points are what ``pegging.play_cards`` gives, one award after the other; here a turn is taken from a list of states, so
that where a strategy may lay one of several cards, all of them are followed. Sums are of chances times points.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noddysim.kernels.choose import FULL_PACK, RANK_BITS, SHORTLIST, longer, pips_of, shortlist
from noddysim.kernels.compiler import kernel
from noddysim.kernels.hands import card_at, without
from noddysim.kernels.pegging import cards_that_fit, look_at_hand, next_with_cards, worth_of_card
from noddysim.kernels.records import (
    AT_STARTER,
    HIGH,
    LOW,
    MULTI,
    NOBODY,
    RANK_MASK,
    SINGLE_FIRST_STUCK,
    TOTAL_MASK,
)
from noddysim.kernels.unrolled import hold

STATES = 64
"""More states than can wait at a time: of eight cards laid, each leaves at most three others behind."""
HANDS_AT, LEFT_AT = 0, 2
LAID, COUNT, PILE, COMBO, OPEN, TRAIL, SAME, UNLAID, SEAT, LAST_SEAT, FIRST_GO = range(4, 15)
COLUMNS = 15


class Waiting(NamedTuple):
    """Scratch: states whose turn is still to come."""

    state: Any
    """int64 (STATES, COLUMNS): both hands, how many cards they have, and what ``play_cards`` keeps between turns."""
    chance: Any
    """float64 (STATES,): how likely it is to come there."""
    chances: Any
    """float64 (13,): those of the cards of a turn, by rank."""


@kernel
def chances_of_cards(rules, minds, mind, table, state, seat, fits, chances):
    """Chances by rank with which a strategy lays the cards that fit, into ``chances``."""
    chances[:] = 0.0
    hand = table.hand[seat]
    if minds.levels[mind] == 0:
        for i in range(fits):
            table.alive[i] = i
        left, rule = fits, minds.ties[mind]
    else:
        cards, window = state[LAID] - state[PILE], state[LAID] - state[COMBO]
        look_at_hand(rules, table, seat, fits, state[COUNT], cards, state[TRAIL], window, state[SAME])
        found = shortlist(
            rules, minds, mind, table, seat, fits, state[LAID], state[COUNT], cards, state[TRAIL], window, state[SAME],
            state[UNLAID],
        )  # fmt: skip
        left, rule = found & (SHORTLIST - 1), found // SHORTLIST
    if left == 1 or rule == LOW:
        chances[card_at(hand, table.alive[0]) >> 2] = 1.0
    elif rule == HIGH:
        chances[card_at(hand, table.alive[left - 1]) >> 2] = 1.0
    else:
        for j in range(left):
            chances[card_at(hand, table.alive[j]) >> 2] += 1.0 / left


@kernel
def say_go(rules, table, state, chance, points):
    """Goes until somebody can lay a card: how many cards fit then, or nought if the play has ended."""
    silent = 0
    while True:
        seat = state[SEAT]
        fits = cards_that_fit(rules, table, seat, state[COUNT])
        if fits:
            return fits
        silent += 1
        stuck = table.left[seat] > 0
        if stuck and state[FIRST_GO] == NOBODY:
            state[FIRST_GO] = seat
        if stuck and rules.go_breaks:
            state[COMBO] = state[LAID]
        if silent == 2 or (stuck and rules.piles == SINGLE_FIRST_STUCK):
            points[state[LAST_SEAT]] += chance * rules.last
            if rules.piles != MULTI:
                return fits
            state[SEAT] = next_with_cards(table, np.int64(2), state[LAST_SEAT])
            if rules.first_go_leads and state[FIRST_GO] != NOBODY:
                state[SEAT] = state[FIRST_GO]
            silent = 0
            # The goes that close a pile are not said inside it, so they break nothing.
            begin_pile(state, state[OPEN] if rules.combos_cross_piles else state[LAID])
        else:
            state[SEAT] = 1 - seat


@kernel
def begin_pile(state, combo):
    """The state at the head of a new pile; pairs and runs look back as far as the card ``combo``."""
    state[COUNT] = 0
    state[FIRST_GO] = NOBODY
    state[PILE] = state[LAID]
    state[COMBO] = combo


@kernel
def lay_card(rules, table, state, index, chance, points):
    """Lay a card of the hand whose turn it is; whether cards are left to be laid."""
    seat, laid = state[SEAT], state[LAID]
    window = laid - state[COMBO]
    card = card_at(state[HANDS_AT + seat], index)
    made = worth_of_card(
        rules, table, card, state[COUNT], laid - state[PILE], state[TRAIL], window, state[SAME]
    )  # fmt: skip
    points[seat] += chance * (made & TOTAL_MASK)
    rank = card >> 2
    state[HANDS_AT + seat] = without(state[HANDS_AT + seat], index)
    state[LEFT_AT + seat] -= 1
    state[SAME] = state[SAME] + 1 if window > 0 and state[TRAIL] & RANK_MASK == rank else 1
    state[TRAIL] = longer(state[TRAIL], rank)
    state[UNLAID] -= 1 << (RANK_BITS * rank)
    state[COUNT] += pips_of(rank)
    state[LAID] += 1
    state[LAST_SEAT] = seat
    state[OPEN] = state[COMBO]
    more = state[LEFT_AT] + state[LEFT_AT + 1] > 0
    if state[COUNT] == rules.limit:
        points[seat] += chance * rules.limit_extra
        if rules.piles != MULTI:
            return False
        following = seat
        if state[LEFT_AT + 1 - seat]:
            following = 1 - seat
        if rules.first_go_leads and state[FIRST_GO] != NOBODY and state[LEFT_AT + state[FIRST_GO]]:
            following = state[FIRST_GO]
        state[SEAT] = following
        begin_pile(state, state[COMBO] if rules.combos_cross_piles else state[LAID])
    else:
        state[SEAT] = 1 - seat
    if not more and state[COUNT] > 0 and rules.final_card_point:
        points[seat] += chance * rules.last
    return more


@kernel
def expect(rules, minds, who, table, waiting, points):
    """Mean points of both seats in the play of the two hands on the table, into ``points`` (float64 (2,)).

    who : int64 (2,), the strategies of pone and dealer, which must not play by a book
    """
    points[:] = 0.0
    state = waiting.state
    state[0, :] = 0
    for seat in range(2):
        state[0, HANDS_AT + seat] = table.hand[seat]
        state[0, LEFT_AT + seat] = rules.hand
    state[0, SAME] = 1
    state[0, UNLAID] = np.int64(FULL_PACK) - (1 << (RANK_BITS * (table.state[AT_STARTER] >> 2)))
    state[0, LAST_SEAT] = state[0, FIRST_GO] = NOBODY
    waiting.chance[0] = 1.0
    number = 1
    now = np.zeros(COLUMNS, np.int64)
    while number:
        number -= 1
        now[:] = state[number]
        chance = waiting.chance[number]
        for seat in range(2):
            table.hand[seat], table.left[seat] = now[HANDS_AT + seat], now[LEFT_AT + seat]
        fits = say_go(rules, table, now, chance, points)
        if fits == 0:
            continue
        seat = now[SEAT]
        if fits == 1:
            waiting.chances[card_at(now[HANDS_AT + seat], np.int64(0)) >> 2] = 1.0
        else:
            chances_of_cards(rules, minds, who[seat], table, now, seat, fits, waiting.chances)
        before = np.int64(NOBODY)
        for index in range(fits):
            rank = card_at(now[HANDS_AT + seat], np.int64(index)) >> 2
            part = waiting.chances[rank]
            if rank == before or part == 0.0:
                continue
            before = rank
            state[number] = now
            waiting.chance[number] = chance * part
            if lay_card(rules, table, state[number], np.int64(index), chance * part, points):
                number += 1


@kernel
def add_expected(rules, minds, who, table, waiting, starter, hands, ways, first, last, sums):
    """Add up mean points, weighed, of pone's hands ``first … last - 1`` with all of the dealer's.

    starter : its rank; hands : int64 (H, rules.hand), the ranks of each hand, lowest first; ways : int64 (H, H), in how
    many ways both are dealt; sums : float64 (2,), by seat
    """
    table.state[AT_STARTER] = 4 * starter
    points = np.zeros(2, np.float64)
    for one in range(first, last):
        for other in range(len(hands)):
            if ways[one, other] == 0:
                continue
            hold(table, np.int64(0), hands[one], rules.hand)
            hold(table, np.int64(1), hands[other], rules.hand)
            expect(rules, minds, who, table, waiting, points)
            sums[0] += ways[one, other] * points[0]
            sums[1] += ways[one, other] * points[1]
