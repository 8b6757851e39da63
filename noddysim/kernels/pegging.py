"""One deal at the table: heels, the play card by card, the show, each point looked at as it falls.

The scratch ``Table`` (kernels.records) holds the cards and the scores by seat, eldest = 0 … dealer = n - 1.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.choose import LAST_AT, NOT_YET, choose, pips_of, points_if_laid
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
    HEELS,
    ILLEGAL,
    MULTI,
    PLAY,
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
            card = table.dealt[seat, j]
            k = j
            while k > 0 and table.hand[seat, k - 1] > card:
                table.hand[seat, k] = table.hand[seat, k - 1]
                k -= 1
            table.hand[seat, k] = card
        table.gain[seat] = 0
        table.show[seat] = 0
        table.heels[seat] = 0
    table.state[AT_LAID] = 0


@kernel
def award(table, n, seat, points, target):
    """Give points to a seat and note a change of the lead; True if the target is reached."""
    table.score[seat] += points
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
    for step in range(1, n + 1):
        other = (seat + step) % n
        if table.left[other]:
            return other
    return seat


@kernel
def take_from_hand(table, seat, index):
    """Remove a card from a hand, keeping the rest in order, and return it."""
    card = table.hand[seat, index]
    table.left[seat] -= 1
    for i in range(index, table.left[seat]):
        table.hand[seat, i] = table.hand[seat, i + 1]
    return card


@kernel
def last_card(table, n, laid, points, target):
    """An award for having laid the last of ``laid`` cards; True if it reaches the target."""
    seat = table.seats[laid - 1]
    table.points[laid - 1] += packed(points, LAST_AT)
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
def rival_differs(rules, strategies, rival, table, seat, fits, pile_start, combo_start, count, key, index):
    """1 if strategy ``rival`` would lay a card of another rank here than the one at ``index``, else 0."""
    other = choose(rules, strategies[rival], table, seat, fits, pile_start, combo_start, count, key)
    return 1 if table.hand[seat, other] >> 2 != table.hand[seat, index] >> 2 else 0


@kernel
def play(rules, strategies, who, table, n, key, target, watch, rival, scripted):
    """Play all cards; returns FINISHED, STOPPED at the target, or ILLEGAL (a script that breaks the rules).

    who : int64 (n,), strategy of each seat; watch : the seat whose choices are compared with strategy ``rival``'s
    (differences are added to ``state[AT_CHANGED]``), or NOBODY; scripted : lay the cards in the order of the script
    """
    to_lay = n * rules.hand
    laid = 0
    count = 0
    pile_start = 0
    combo_start = 0
    open_start = 0
    seat = 0
    last_seat = NOBODY
    first_go = NOBODY
    silent = 0
    while laid < to_lay:
        left = table.left[seat]
        fits = 0
        while fits < left and count + pips_of(table.hand[seat, fits] >> 2) <= rules.limit:
            table.worth[fits] = NOT_YET
            fits += 1
        if fits == 0:
            silent += 1
            stuck = left > 0
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
                count = 0
                silent = 0
                first_go = NOBODY
                pile_start = laid
                # The goes that close a pile are not said inside it, so they break nothing.
                combo_start = open_start if rules.combos_cross_piles else laid
            else:
                seat = seat + 1 if seat + 1 < n else 0
            continue

        silent = 0
        if scripted:
            index = scripted_index(rules, table, seat, fits)
            if index == NOBODY:
                return ILLEGAL
        else:
            index = choose(rules, strategies[who[seat]], table, seat, fits, pile_start, combo_start, count, key)
            if seat == watch and fits > 1:
                table.state[AT_CHANGED] += rival_differs(
                    rules, strategies, rival, table, seat, fits, pile_start, combo_start, count, key, index
                )
        points = points_if_laid(rules, table, seat, index, pile_start, combo_start, count)
        card = take_from_hand(table, seat, index)
        count += pips_of(card >> 2)
        table.ranks[laid] = card >> 2
        table.cards[laid] = card
        table.seats[laid] = seat
        table.counts[laid] = count
        table.points[laid] = points
        laid += 1
        table.state[AT_LAID] = laid
        last_seat = seat
        if points:
            table.gain[seat] += points
            if award(table, n, seat, points & TOTAL_MASK, target):
                return STOPPED
        open_start = combo_start
        if count == rules.limit:
            if rules.limit_extra and last_card(table, n, laid, rules.limit_extra, target):
                return STOPPED
            if rules.piles != MULTI:
                return FINISHED
            seat = next_with_cards(table, n, last_seat)
            if rules.first_go_leads and first_go != NOBODY and table.left[first_go]:
                seat = first_go
            count = 0
            first_go = NOBODY
            pile_start = laid
            combo_start = combo_start if rules.combos_cross_piles else laid
        else:
            seat = seat + 1 if seat + 1 < n else 0
    if count > 0 and rules.final_card_point:
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
def show(rules, shows, table, n, target):
    """Count the hands from eldest to dealer; STOPPED at the hand that reaches the target."""
    for seat in range(n):
        points = show_points(rules, shows, table.dealt[seat], rules.hand, table.state[AT_STARTER])
        table.show[seat] = points
        if award(table, n, seat, points & TOTAL_MASK, target):
            return STOPPED
    return FINISHED


@kernel
def deal(rules, shows, strategies, who, table, n, key, target, watch, rival, scripted):
    """A whole deal whose cards lie in ``table.dealt``; returns the phase that reached the target, or -1.

    -2 is returned for a script that breaks the rules.
    """
    pick_up(rules, table, n)
    for i in range(3):
        phase = rules.order[i]
        if phase == HEELS:
            status = heels(rules, table, n, target)
        elif phase == PLAY:
            status = play(rules, strategies, who, table, n, key, target, watch, rival, scripted)
        else:
            status = show(rules, shows, table, n, target)
        if status == STOPPED:
            return phase
        if status == ILLEGAL:
            return np.int64(-2)
    return np.int64(-1)
