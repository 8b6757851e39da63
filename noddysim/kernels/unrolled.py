"""The tables of the rolled-out play: points of every line and of every pair of hands, and books of strategies.

Lines, lanes, pairs, rows and books are explained in ``kernels.lines``. All points come from the one play of the cards,
``pegging.play_cards``: nothing of the rules is repeated here.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.choose import (
    FULL_PACK,
    RANK_BITS,
    SHORTLIST,
    longer,
    shortlist,
)
from noddysim.kernels.compiler import kernel
from noddysim.kernels.hands import NO_CARDS, card_at, with_card
from noddysim.kernels.lines import (
    BOOK_SIZE,
    DIFFERENT,
    FIRST_AT,
    LANES,
    LEAD_AT,
    PAIRS,
    REPLY_AT,
    SECOND_AT,
    book_at,
    lane_of,
    pair_of,
    pips,
    place_in_book,
)
from noddysim.kernels.pegging import look_at_hand, play_cards, take_seats
from noddysim.kernels.records import (
    AT_LAID,
    AT_STARTER,
    FINISHED,
    HIGH,
    LOW,
    NO_RACE,
    NOBODY,
    RANDOM,
    TOTAL_MASK,
)

EVENT_BITS = 8
EVENT_SEAT = 7
EVENT_POINTS = 127
"""Points of a line card by card, a byte each: the seat in the top bit, its points below."""


@kernel
def hold(table, seat, ranks, size):
    """Put a hand of the first ``size`` ranks, lowest first, on the table. Suits are not looked at."""
    held = np.int64(NO_CARDS)
    for place in range(size):
        held = with_card(held, place, 4 * ranks[place])
    table.hand[seat] = held
    table.left[seat] = size
    table.gain[seat] = 0
    table.score[seat] = 0


@kernel
def lay(rules, minds, table, scripted):
    """Play the hands that lie on the table, with no target; the status of ``play_cards``."""
    table.state[AT_LAID] = 0
    nobody, nought = np.int64(NOBODY), np.int64(0)
    return play_cards(
        rules, minds, table, np.int64(2), np.uint64(0), np.int64(NO_RACE), nobody, nought, np.bool_(scripted)
    )


@kernel
def fill_pairs(rules, minds, who, table, starter, hands, first, last, points):
    """Points of the play for every pair of hands, by two strategies without chance.

    who : int64 (2,), the strategies of pone and dealer; starter : its rank; hands : int64 (H, rules.hand), the ranks of
    each hand, lowest first; points : uint8 (H, H, 2), filled for pone's hands ``first … last - 1``
    """
    take_seats(who, table, np.int64(2))
    table.state[AT_STARTER] = 4 * starter
    for one in range(first, last):
        for other in range(len(hands)):
            hold(table, np.int64(0), hands[one], rules.hand)
            hold(table, np.int64(1), hands[other], rules.hand)
            lay(rules, minds, table, False)
            for seat in range(2):
                points[one, other, seat] = table.gain[seat] & TOTAL_MASK


@kernel
def sort_three(one, two, three, out):
    """Three ranks, lowest first."""
    out[0], out[2] = min(one, two, three), max(one, two, three)
    out[1] = one + two + three - out[0] - out[2]


@kernel
def fill_lines(rules, minds, table, ordered, first, last, margin, pone, events):
    """Points of every line that begins with p1 in ``first … last - 1``; nought for an order that the rules forbid.

    ordered : int64 (169, 2), the two ranks of each lane; margin, pone : float32 (28561, 169), pone's points less
    dealer's, and pone's, by p1 * 2197 + d1 * 169 + pone's lane, and dealer's lane; events : int64 of that shape
    """
    sorted_hand = np.zeros(3, np.int64)
    table.state[AT_STARTER] = 0
    for place in range(first * 13 * LANES, last * 13 * LANES):
        p1, d1, plane = place // (13 * LANES), place // LANES % 13, place % LANES
        for dlane in range(LANES):
            ours, theirs = ordered[plane], ordered[dlane]
            sort_three(p1, ours[0], ours[1], sorted_hand)
            hold(table, np.int64(0), sorted_hand, np.int64(3))
            sort_three(d1, theirs[0], theirs[1], sorted_hand)
            hold(table, np.int64(1), sorted_hand, np.int64(3))
            table.script[0, 0], table.script[1, 0] = 4 * p1, 4 * d1
            for j in range(2):
                table.script[0, 1 + j], table.script[1, 1 + j] = 4 * ours[j], 4 * theirs[j]
            code = np.int64(0)
            own = other = np.int64(0)
            if lay(rules, minds, table, True) == FINISHED:
                own, other = table.gain[0] & TOTAL_MASK, table.gain[1] & TOTAL_MASK
                for card in range(table.state[AT_LAID]):
                    event = (table.seats[card] << EVENT_SEAT) | (table.points[card] & TOTAL_MASK)
                    code |= event << (EVENT_BITS * card)
            margin[place, dlane] = own - other
            pone[place, dlane] = own
            events[place, dlane] = code


# --- books of strategies ----------------------------------------------------------------------------------------------


@kernel
def lay_down(table, ranks, number):
    """Put ``number`` cards, laid by the seats in turn, on the table."""
    for card in range(number):
        table.ranks[card] = ranks[card]
        table.cards[card] = 4 * ranks[card]
    table.state[AT_LAID] = number


@kernel
def weigh(rules, minds, mind, table, seat, laid, count, cards, window, same, kept, chances):
    """Chances by rank with which a strategy lays the cards that fit, into ``chances`` (float64 (13,)).

    The hand of the seat, the starter and the ``laid`` cards lie on the table; count, cards, window, same : as in
    ``choose``; kept : whether a kept book has to be looked up
    """
    trail = np.int64(0)
    unlaid = np.int64(FULL_PACK) - (1 << (RANK_BITS * (table.state[AT_STARTER] >> 2)))
    for card in range(laid):
        trail = longer(trail, table.ranks[card])
        unlaid -= 1 << (RANK_BITS * table.ranks[card])
    hand = table.hand[seat]
    fits = np.int64(0)
    while fits < table.left[seat] and count + pips(card_at(hand, fits) >> 2) <= rules.limit:
        fits += 1
    chances[:] = 0.0
    look_at_hand(rules, table, seat, fits, count, cards, trail, window, same)
    found = shortlist(rules, minds, mind, table, seat, fits, laid, count, cards, trail, window, same, unlaid)
    left, rule = found & (SHORTLIST - 1), found // SHORTLIST
    if left == 1 or rule == LOW:
        chances[card_at(hand, table.alive[0]) >> 2] = 1.0
    elif rule == HIGH:
        chances[card_at(hand, table.alive[left - 1]) >> 2] = 1.0
    elif rule == RANDOM:
        for j in range(left):
            chances[card_at(hand, table.alive[j]) >> 2] += 1.0 / left
    elif kept:
        share_by_book(rules, minds, mind, table, seat, left, laid, count, chances)


@kernel
def share_by_book(rules, minds, mind, table, seat, left, laid, count, chances):
    """As ``choose.solved_choice``, but the chances themselves."""
    book = book_at(minds.book[mind], BOOK_SIZE)
    total = 0.0
    for j in range(left):
        index = table.alive[j]
        rank = card_at(table.hand[seat], index) >> 2
        chances[rank] = book[place_in_book(book, rules, table, seat, index, laid, count)]
    for rank in range(13):
        total += chances[rank]
    if total == 0.0:
        chances[card_at(table.hand[seat], table.alive[0]) >> 2] = 1.0
        total = 1.0
    for rank in range(13):
        chances[rank] /= total


@kernel
def spread_first(book, at, hand, chances):
    """Write the chances of a hand of three into the places of its first card."""
    for i in range(3):
        if i > 0 and hand[i] == hand[i - 1]:
            continue
        one, two = hand[1 if i == 0 else 0], hand[1 if i == 2 else 2]
        book[at + hand[i] * PAIRS + pair_of(one, two)] = chances[hand[i]]


@kernel
def spread_second(book, at, one, two, chances):
    """Write the chances of two cards into their two lanes."""
    book[at + lane_of(one, two)] = chances[one]
    if one != two:
        book[at + lane_of(two, one)] = chances[two]


@kernel
def fill_first(rules, minds, mind, table, sets, seat, kept, chances, book):
    """Chances of a seat's first card, for every hand."""
    nought = np.int64(0)
    for p1 in range(13 if seat else 1):
        if seat:
            table.ranks[0], table.cards[0] = p1, 4 * p1
        for number in range(len(sets)):
            hand = sets[number]
            hold(table, seat, hand, np.int64(3))
            weigh(
                rules, minds, mind, table, seat, seat, nought + pips(p1) if seat else nought, seat, seat,
                np.int64(1), kept, chances,
            )  # fmt: skip
            at = FIRST_AT + p1 * 13 * PAIRS if seat else LEAD_AT
            spread_first(book, at, hand, chances)


@kernel
def fill_second(rules, minds, mind, table, ordered, kept, chances, book):
    """Chances of pone's second card, whatever lies and whatever two cards it holds."""
    two = np.zeros(2, np.int64)
    laid = np.zeros(4, np.int64)
    for p1 in range(13):
        for d1 in range(13):
            laid[0], laid[1] = p1, d1
            lay_down(table, laid, np.int64(2))
            for lane in range(LANES):
                if DIFFERENT <= lane < 2 * DIFFERENT:
                    continue
                two[0], two[1] = ordered[lane, 0], ordered[lane, 1]
                hold(table, np.int64(0), two, np.int64(2))
                same = np.int64(2 if p1 == d1 else 1)
                weigh(
                    rules, minds, mind, table, np.int64(0), np.int64(2), pips(p1) + pips(d1), np.int64(2), np.int64(2),
                    same, kept, chances,
                )  # fmt: skip
                spread_second(book, SECOND_AT + (p1 * 13 + d1) * LANES, two[0], two[1], chances)


@kernel
def tail(ranks, number, window):
    """How many equal cards end the last ``window`` of ``number`` cards, at least one."""
    same = np.int64(1)
    while same < window and ranks[number - 1 - same] == ranks[number - 1]:
        same += 1
    return same


@kernel
def fill_reply(rules, minds, mind, table, ordered, starts, kept, chances, book):
    """Chances of dealer's second card, row by row.

    Where neither card fits, the pile has ended: its goes and the rules decide how far pairs and runs look back.
    """
    two = np.zeros(2, np.int64)
    laid = np.zeros(4, np.int64)
    for triple in range(len(starts) - 1):
        laid[0], laid[1], laid[2] = triple // 169, triple // 13 % 13, triple % 13
        count = pips(laid[0]) + pips(laid[1]) + pips(laid[2])
        room = rules.limit - count
        for row in range(starts[triple], starts[triple + 1]):
            slot = row - starts[triple]
            for lane in range(LANES):
                if DIFFERENT <= lane < 2 * DIFFERENT:
                    continue
                two[0], two[1] = ordered[lane, 0], ordered[lane, 1]
                hold(table, np.int64(1), two, np.int64(2))
                number, total, cards, window = np.int64(3), count, np.int64(3), np.int64(3)
                if pips(two[0]) > room:
                    begun = np.int64(0)
                    if slot < room:
                        laid[3] = slot
                        number = np.int64(4)
                        begun = np.int64(3 if rules.go_breaks else 0)
                    total, cards = np.int64(0), np.int64(0)
                    window = number - begun if rules.combos_cross_piles else np.int64(0)
                lay_down(table, laid, number)
                same = tail(laid, number, window)
                weigh(rules, minds, mind, table, np.int64(1), number, total, cards, window, same, kept, chances)
                spread_second(book, REPLY_AT + row * LANES, two[0], two[1], chances)


@kernel
def fill_book(rules, minds, mind, table, starter, sets, ordered, starts, kept, book):
    """The book of a strategy for one rank of the starter, both seats.

    sets : int64 (455, 3), the hands; ordered : int64 (169, 2), the lanes; starts : int64 (2198,), the rows; book :
    float64 (REPLY_AT + rows * 169,)
    """
    chances = np.zeros(13, np.float64)
    table.state[AT_STARTER] = 4 * starter
    fill_first(rules, minds, mind, table, sets, np.int64(0), kept, chances, book)
    fill_second(rules, minds, mind, table, ordered, kept, chances, book)
    fill_first(rules, minds, mind, table, sets, np.int64(1), kept, chances, book)
    fill_reply(rules, minds, mind, table, ordered, starts, kept, chances, book)
