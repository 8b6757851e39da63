"""One deal at the table: heels, the play card by card, the show, each point looked at as it falls.

The scratch ``Table`` (kernels.records) holds the cards and the scores by seat, eldest = 0 … dealer = n - 1.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.choose import (
    FULL_PACK,
    LAST_AT,
    NO_RANK,
    RANK_BITS,
    card_points,
    choose,
    longer,
    pips_of,
    runs_open,
)
from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import restore, shuffle_places
from noddysim.kernels.records import (
    AT_CHANGED,
    AT_FAULT_CARD,
    AT_FAULT_SEAT,
    AT_LAID,
    AT_LEAD_CHANGES,
    AT_LEADER,
    AT_STARTER,
    FINISHED,
    HAND_MASK,
    HEELS,
    ILLEGAL,
    LAID_MASK,
    MULTI,
    NO_RACE,
    PLAY,
    RANK_MASK,
    SEAT_MASK,
    SINGLE_FIRST_STUCK,
    STOPPED,
    TO_DEALER,
    TO_ELDEST,
    TO_OPPONENTS,
    TOTAL_MASK,
)
from noddysim.kernels.show import packed, show_points

NOBODY = -1


@kernel
def deal_cards(rules, table, n, key):
    """Deal ``n`` hands and the starter: place 0 of the shuffle is the starter, then a card to each seat in turn."""
    asked = 1 + n * rules.hand
    shuffle_places(key, table.deck, table.digits, asked)
    table.state[AT_STARTER] = table.deck[0]
    place = 1
    for j in range(rules.hand):
        for seat in range(n):
            table.dealt[seat, j] = table.deck[place]
            place += 1
    restore(table.deck, table.digits, asked)


@kernel
def pick_up(rules, table, n):
    """Each seat takes its dealt cards in hand, lowest first; nothing is laid."""
    for seat in range(n):
        table.left[seat] = rules.hand
        for j in range(rules.hand):
            # The place of a card is the number of lower ones: no branch that the processor could guess wrongly.
            card = table.dealt[seat, j]
            place = 0
            for k in range(rules.hand):
                place += table.dealt[seat, k] < card
            table.hand[seat, place & HAND_MASK] = card
        table.gain[seat] = 0
        table.show[seat] = 0
        table.heels[seat] = 0
    table.state[AT_LAID] = 0


@kernel
def award(table, n, seat, points, target):
    """Give points to a seat and note a change of the lead; True if the target is reached.

    With the target NO_RACE only the points are noted.
    """
    seat &= SEAT_MASK
    table.score[seat] += points
    if target == NO_RACE:
        return False
    score = table.score[seat]
    ahead = True
    for other in range(n):
        if other != seat and table.score[other] >= score:
            ahead = False
    if ahead:
        leader = table.state[AT_LEADER]
        if leader != table.person[seat]:
            if leader != NOBODY:
                table.state[AT_LEAD_CHANGES] += 1
            table.state[AT_LEADER] = table.person[seat]
    return score >= target


@kernel
def next_with_cards(table, n, seat):
    """The next seat clockwise after ``seat`` that still holds cards (it may come round to ``seat`` itself)."""
    other = seat
    for _ in range(n):
        other = other + 1 if other + 1 < n else 0
        if table.left[other & SEAT_MASK]:
            return other
    return seat


@kernel
def take_from_hand(table, seat, index):
    """Remove a card from a hand, keeping the rest in order, and return it."""
    hand = table.hand[seat & SEAT_MASK]
    card = hand[index & HAND_MASK]
    left = table.left[seat & SEAT_MASK] - 1
    table.left[seat & SEAT_MASK] = left
    for i in range(left):
        hand[i] = hand[i + (i >= index)]
    return card


@kernel
def last_card(table, n, laid, points, target):
    """An award for having laid the last of ``laid`` cards; True if it reaches the target."""
    last = (laid - 1) & LAID_MASK
    seat = table.seats[last] & SEAT_MASK
    table.points[last] += packed(points, LAST_AT)
    table.gain[seat] += packed(points, LAST_AT)
    return award(table, n, seat, points, target)


@kernel
def scripted_index(rules, table, seat, fits):
    """Index in hand of the next card of the seat's script, or NOBODY if that card does not fit."""
    wanted = table.script[seat, rules.hand - table.left[seat]]
    for i in range(fits):
        if table.hand[seat, i] == wanted:
            return i
    table.state[AT_FAULT_SEAT] = seat
    table.state[AT_FAULT_CARD] = wanted
    return NOBODY


@kernel
def look_at_hand(rules, table, seat, count, cards, trail, window, same):
    """Work out what each card of a hand would score into ``table.worth``; return how many of its cards fit.

    The hand is sorted, so those that fit come first; what is written for the others means nothing.
    """
    seat &= SEAT_MASK
    hand = table.hand[seat]
    left = table.left[seat]
    room = rules.limit - count
    if left == 0 or pips_of(hand[0] >> 2) > room:
        return 0
    runs = runs_open(trail, window)
    last_rank = trail & RANK_MASK if window > 0 else NO_RANK
    same_points = rules.play_same[min(same + 1, 4) & HAND_MASK]
    fits = 0
    for i in range(left):
        rank = hand[i] >> 2 & RANK_MASK
        pips = pips_of(rank)
        fits += pips <= room
        table.worth[i] = card_points(rules, count + pips, cards + 1, rank, runs, last_rank, same_points)
    return fits


@kernel
def play(rules, strategies, who, table, n, key, target, watch, rival, scripted):
    """As ``play_cards``; who : int64 (n,), strategy of each seat."""
    take_seats(who, table, n)
    return play_cards(rules, strategies, table, n, key, target, watch, rival, scripted)


@kernel
def take_seats(who, table, n):
    """Put down which strategy plays in each seat."""
    for seat in range(n):
        table.mind[seat] = who[seat]


@kernel
def play_cards(rules, minds, table, n, key, target, watch, rival, scripted):
    """Play all cards; returns FINISHED, STOPPED at the target, or ILLEGAL (a script that breaks the rules).

    watch : the seat whose choices are compared with strategy ``rival``'s (differences are added to
    ``state[AT_CHANGED]``), or NOBODY; scripted : lay the cards in the order of the script, not by ``table.mind``
    """
    to_lay = n * rules.hand
    # A plain 0 would have a type of its own as an argument, and every helper would be compiled once more for it.
    nought = np.int64(0)
    laid = nought
    count = nought
    pile_start = nought
    combo_start = nought
    open_start = nought
    trail = nought
    same = np.int64(1)
    unlaid = FULL_PACK - (1 << (RANK_BITS * (table.state[AT_STARTER] >> 2)))
    seat = nought
    last_seat = np.int64(NOBODY)
    first_go = np.int64(NOBODY)
    silent = 0
    while laid < to_lay:
        cards = laid - pile_start
        window = laid - combo_start
        fits = look_at_hand(rules, table, seat, count, cards, trail, window, same)
        if fits == 0:
            silent += 1
            stuck = table.left[seat & SEAT_MASK] > 0
            if stuck:
                if first_go == NOBODY:
                    first_go = seat
                if rules.go_breaks:
                    combo_start = laid
            if silent == n or (stuck and rules.piles == SINGLE_FIRST_STUCK):
                if last_card(table, n, laid, rules.last, target):
                    return STOPPED
                if rules.piles != MULTI:
                    return FINISHED
                seat = next_with_cards(table, n, last_seat)
                if rules.first_go_leads and first_go != NOBODY:
                    seat = first_go
                count = nought
                silent = 0
                first_go = np.int64(NOBODY)
                pile_start = laid
                # The goes that close a pile are not said inside it, so they break nothing.
                combo_start = open_start if rules.combos_cross_piles else laid
            else:
                seat = seat + 1 if seat + 1 < n else nought
            continue

        silent = 0
        index = nought
        if scripted:
            index = scripted_index(rules, table, seat, fits)
            if index == NOBODY:
                return ILLEGAL
        elif fits > 1:
            mind = table.mind[seat & SEAT_MASK]
            index = choose(rules, minds, mind, table, seat, fits, laid, count, cards, trail, window, same, unlaid, key)
            if seat == watch:
                other = choose(
                    rules, minds, rival, table, seat, fits, laid, count, cards, trail, window, same, unlaid, key
                )
                table.state[AT_CHANGED] += table.hand[seat, other] >> 2 != table.hand[seat, index] >> 2
        points = table.worth[index & HAND_MASK]
        card = take_from_hand(table, seat, index)
        rank = card >> 2
        same = same + 1 if window > 0 and trail & RANK_MASK == rank else 1
        trail = longer(trail, rank)
        unlaid -= 1 << (RANK_BITS * rank)
        count += pips_of(rank)
        place = laid & LAID_MASK
        table.ranks[place] = rank
        table.cards[place] = card
        table.seats[place] = seat
        table.counts[place] = count
        table.points[place] = points
        laid += 1
        table.state[AT_LAID] = laid
        last_seat = seat
        if points:
            table.gain[seat & SEAT_MASK] += points
            if award(table, n, seat, points & TOTAL_MASK, target):
                return STOPPED
        open_start = combo_start
        if count == rules.limit:
            if rules.limit_extra and last_card(table, n, laid, rules.limit_extra, target):
                return STOPPED
            if rules.piles != MULTI:
                return FINISHED
            seat = next_with_cards(table, n, last_seat)
            if rules.first_go_leads and first_go != NOBODY and table.left[first_go & SEAT_MASK]:
                seat = first_go
            count = nought
            first_go = np.int64(NOBODY)
            pile_start = laid
            combo_start = combo_start if rules.combos_cross_piles else laid
        else:
            seat = seat + 1 if seat + 1 < n else nought
    if count > 0 and rules.final_card_point:  # noqa: SIM102 (one test a line: the second pays points)
        if last_card(table, n, laid, rules.last, target):
            return STOPPED
    return FINISHED


@kernel
def heels(rules, table, n, target):
    """Points for the turned card, award by award; STOPPED if one reaches the target."""
    rank = table.state[AT_STARTER] >> 2
    for i in range(rules.turned):
        if rules.turned_rank[i] != rank:
            continue
        points = rules.turned_points[i]
        to = rules.turned_to[i]
        for seat in range(n):
            is_dealer = seat == n - 1
            if (
                (to == TO_DEALER and is_dealer)
                or (to == TO_ELDEST and seat == 0)
                or (to == TO_OPPONENTS and not is_dealer)
            ):
                table.heels[seat] += points
                if award(table, n, seat, points, target):
                    return STOPPED
    return FINISHED


@kernel
def look_at_shows(rules, shows, table, n):
    """Work out what each hand just picked up makes with the starter, into ``table.shown``.

    Sorted hands need a small part of the table of shows only, which then stays in the processor's cache.
    """
    for seat in range(n):
        table.shown[seat] = show_points(rules, shows, table.hand[seat], rules.hand, table.state[AT_STARTER])


@kernel
def show(table, n, target):
    """Count the hands from eldest to dealer; STOPPED at the hand that reaches the target."""
    for seat in range(n):
        points = table.shown[seat]
        table.show[seat] = points
        if award(table, n, seat, points & TOTAL_MASK, target):
            return STOPPED
    return FINISHED


@kernel
def deal(rules, shows, strategies, who, table, n, key, target, watch, rival, scripted):
    """A whole deal whose cards lie in ``table.dealt``; returns the phase that reached the target, or -1.

    -2 is returned for a script that breaks the rules. who : int64 (n,), strategy of each seat
    """
    take_seats(who, table, n)
    pick_up(rules, table, n)
    look_at_shows(rules, shows, table, n)
    return deal_by_phases(rules, strategies, table, n, key, target, watch, rival, scripted)


@kernel
def deal_by_phases(rules, minds, table, n, key, target, watch, rival, scripted):
    """As ``deal``, after ``take_seats``, ``pick_up`` and, where shows matter, ``look_at_shows``.

    It takes records only, which cost nothing to hand on; an array has its references counted at every call.
    """
    for i in range(3):
        phase = rules.order[i]
        if phase == HEELS:
            status = heels(rules, table, n, target)
        elif phase == PLAY:
            status = play_cards(rules, minds, table, n, key, target, watch, rival, scripted)
        else:
            status = show(table, n, target)
        if status == STOPPED:
            return phase
        if status == ILLEGAL:
            return np.int64(-2)
    return np.int64(-1)
