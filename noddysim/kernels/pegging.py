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
    blind_choice,
    card_points,
    choose,
    longer,
    pips_of,
    run_made,
    runs_open,
    suited_with,
)
from noddysim.kernels.compiler import inlined, kernel
from noddysim.kernels.dealing import restore, shuffle_places
from noddysim.kernels.hands import card_at, gathered, in_order, number_below, parted, with_card, without
from noddysim.kernels.records import (
    AT_BEFORE,
    AT_CHANGED,
    AT_DEAL,
    AT_FAULT_CARD,
    AT_FAULT_SEAT,
    AT_FIRST_DEAL,
    AT_FOLLOWED,
    AT_LAID,
    AT_LEAD_CHANGES,
    AT_LEADER,
    AT_STARTER,
    AT_SUIT,
    AT_SUITED,
    AT_TAKEN,
    COUNT_MASK,
    CRIB,
    EVERY_DEAL,
    FINISHED,
    FIRST_DEAL,
    HAND_MASK,
    HEELS,
    ILLEGAL,
    ILLEGAL_ORDER,
    LAID_MASK,
    MOG,
    MULTI,
    NO_RACE,
    NOBODY,
    PACK,
    PLAY,
    RANK_MASK,
    SEAT_MASK,
    SHOW,
    SINGLE_FIRST_STUCK,
    START,
    STOPPED,
    THREE,
    TO_DEALER,
    TO_ELDEST,
    TO_OPPONENTS,
    TOTAL_MASK,
)
from noddysim.kernels.show import HONOURS_AT, crib_points, honour_points, packed, show_points


@kernel
def deal_cards(rules, table, n, key):
    """Deal ``n`` hands and the starter: place 0 of the shuffle is the starter, then a card to each seat in turn.

    Cards dealt straight to the crib come last.
    """
    asked = 1 + n * rules.dealt + rules.to_crib
    shuffle_places(key, table.deck, table.digits, asked)
    table.state[AT_STARTER] = table.deck[0]
    for seat in range(n):
        table.dealt[seat] = gathered(table.deck, np.int64(1 + seat), n, rules.dealt)
    table.crib_dealt = gathered(table.deck, 1 + n * rules.dealt, np.int64(1), rules.to_crib)
    restore(table.deck, table.digits, asked)
    table.state[AT_DEAL] += 1


@kernel
def pick_up(rules, table, n):
    """Each seat takes the cards it keeps in hand, lowest first, and what is laid away goes to the crib."""
    crib_cards = rules.to_crib
    crib = table.crib_dealt
    for seat in range(n):
        table.left[seat] = rules.hand
        table.hand[seat], gone = parted(table.dealt[seat], table.away[seat] if rules.discard else 0)
        for j in range(rules.discard):
            crib = with_card(crib, crib_cards & HAND_MASK, card_at(gone, j))
            crib_cards += 1
        table.gain[seat] = 0
        table.show[seat] = 0
        table.heels[seat] = 0
        table.start[seat] = 0
        table.mog[seat] = 0
    table.crib = crib
    table.crib_gain = 0
    table.state[AT_LAID] = 0


@inlined
def award(rules, table, seat, points, target):
    """Give points to the side of a seat and note a change of the lead; True if the target is reached.

    With the target NO_RACE only the points are noted.
    """
    sides = rules.sides
    side = (seat if seat < sides else seat - sides) & SEAT_MASK
    score = table.score[side] + points
    table.score[side] = score
    if target == NO_RACE:
        return False
    # Who leads already goes on leading: only another side can change anything.
    if table.state[AT_LEADER] != table.person[side]:
        look_who_leads(table, sides, side)
    if table.state[AT_FOLLOWED]:
        note_gaps(table, sides, side)
    return score >= target


@kernel
def look_who_leads(table, sides, side):
    """Note that a side has taken the lead, if it has more points than every other."""
    for other in range(sides):
        if other != side and table.score[other] >= table.score[side]:
            return
    table.state[AT_LEAD_CHANGES] += table.state[AT_LEADER] != NOBODY
    table.state[AT_LEADER] = table.person[side]
    table.state[AT_TAKEN] = table.state[AT_BEFORE] + table.state[AT_LAID]


@kernel
def note_gaps(table, sides, side):
    """Note how far the others are now behind a side that has just scored, if they never were as far."""
    for other in range(sides):
        gap = table.score[side] - table.score[other]
        person = table.person[other] & SEAT_MASK
        if gap > table.worst[person]:
            table.worst[person] = gap


@kernel
def next_with_cards(table, n, seat):
    """The next seat clockwise after ``seat`` that still holds cards (it may come round to ``seat`` itself)."""
    other = seat
    for _ in range(n):
        other = other + 1 if other + 1 < n else 0
        if table.left[other & SEAT_MASK]:
            return other
    return seat


@inlined
def take_from_hand(table, seat, index):
    """Remove a card from a hand, keeping the rest in order, and return it."""
    hand = table.hand[seat & SEAT_MASK]
    table.hand[seat & SEAT_MASK] = without(hand, index)
    table.left[seat & SEAT_MASK] -= 1
    return card_at(hand, index)


@kernel
def last_card(rules, table, laid, points, target):
    """An award for having laid the last of ``laid`` cards; True if it reaches the target."""
    last = (laid - 1) & LAID_MASK
    seat = table.seats[last] & SEAT_MASK
    table.points[last] += packed(points, LAST_AT)
    table.gain[seat] += packed(points, LAST_AT)
    return award(rules, table, seat, points, target)


@kernel
def next_scripted(rules, table, seat):
    """The next card of the seat's script, NOBODY where its strategy is to choose."""
    return table.script[seat, rules.hand - table.left[seat]]


@kernel
def scripted_index(rules, table, seat, fits):
    """Index in hand of the next card of the seat's script, or NOBODY if that card does not fit."""
    wanted = next_scripted(rules, table, seat)
    for i in range(fits):
        if card_at(table.hand[seat], i) == wanted:
            return i
    table.state[AT_FAULT_SEAT] = seat
    table.state[AT_FAULT_CARD] = wanted
    return NOBODY


@inlined
def cards_that_fit(rules, table, seat, count):
    """How many cards of a hand fit; the hand is sorted, so those are its first."""
    room = rules.limit - count
    # Ranks below ``room`` fit: no card has more than ten pips.
    return number_below(table.hand[seat & SEAT_MASK], np.int64(4 * room if room < 10 else PACK))


@inlined
def worth_of_card(rules, table, card, count, cards, trail, window, same):
    """Packed points that a card would score, laid now."""
    rank = card >> 2
    total = (count + pips_of(rank)) & COUNT_MASK
    points = rules.play_flat[total] + rules.play_each[total] * (cards + 1)
    if window > 0:
        points += rules.play_run[run_made(trail, window, rank) & RANK_MASK]
        if trail & RANK_MASK == rank:
            points += rules.play_same[min(same + 1, 4) & HAND_MASK]
    if rules.flushes:
        points += rules.play_flush[suited_with(table, window, card & 3)]
    return points


@kernel
def look_at_hand(rules, table, seat, fits, count, cards, trail, window, same):
    """Work out what each of the first ``fits`` cards of a hand would score into ``table.worth``."""
    hand = table.hand[seat & SEAT_MASK]
    runs = runs_open(trail, window)
    last_rank = trail & RANK_MASK if window > 0 else NO_RANK
    same_points = rules.play_same[min(same + 1, 4) & HAND_MASK]
    for i in range(fits):
        rank = card_at(hand, i) >> 2 & RANK_MASK
        table.worth[i] = card_points(rules, count + pips_of(rank), cards + 1, rank, runs, last_rank, same_points)
    if rules.flushes:
        for i in range(fits):
            table.worth[i] += rules.play_flush[suited_with(table, window, card_at(hand, i) & 3)]


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

    watch : the side whose choices are compared with strategy ``rival``'s (differences are added to
    ``state[AT_CHANGED]``), or NOBODY; scripted : lay the cards in the order of the script, not by ``table.mind``;
    where that holds NOBODY, the strategy chooses
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
        fits = cards_that_fit(rules, table, seat, count)
        if fits == 0:
            silent += 1
            stuck = table.left[seat & SEAT_MASK] > 0
            first_go = seat if stuck and first_go == NOBODY else first_go
            combo_start = laid if stuck and rules.go_breaks else combo_start
            if silent == n or (stuck and rules.piles == SINGLE_FIRST_STUCK):
                if last_card(rules, table, laid, rules.last, target):
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
        weighed = False
        if scripted and next_scripted(rules, table, seat) != NOBODY:
            index = scripted_index(rules, table, seat, fits)
            if index == NOBODY:
                return ILLEGAL
        else:
            mind = table.mind[seat & SEAT_MASK]
            watched = watch != NOBODY and fits > 1 and seat % rules.sides == watch
            if minds.blind[mind] and not watched:
                # Where one card fits, this is not asked apart: the processor would guess wrongly too often.
                index = blind_choice(minds, mind, table, seat, fits, laid, key)
            elif fits > 1:
                look_at_hand(rules, table, seat, fits, count, cards, trail, window, same)
                weighed = True
                index = choose(
                    rules, minds, mind, table, seat, fits, laid, count, cards, trail, window, same, unlaid, key
                )
            if watched:
                other = choose(
                    rules, minds, rival, table, seat, fits, laid, count, cards, trail, window, same, unlaid, key
                )
                one, two = card_at(table.hand[seat], index), card_at(table.hand[seat], other)
                # Cards of one rank are worth the same, but for suits in rows.
                table.state[AT_CHANGED] += one != two if rules.flushes else one >> 2 != two >> 2
        if weighed:
            points = table.worth[index & HAND_MASK]
        else:
            card = card_at(table.hand[seat & SEAT_MASK], index)
            points = worth_of_card(rules, table, card, count, cards, trail, window, same)
        card = take_from_hand(table, seat, index)
        rank = card >> 2
        same = same + 1 if window > 0 and trail & RANK_MASK == rank else 1
        trail = longer(trail, rank)
        if rules.flushes:
            table.state[AT_SUITED] = suited_with(table, window, card & 3)
            table.state[AT_SUIT] = card & 3
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
            if award(rules, table, seat, points & TOTAL_MASK, target):
                return STOPPED
        open_start = combo_start
        if count == rules.limit:
            if rules.limit_extra and last_card(rules, table, laid, rules.limit_extra, target):
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
        if last_card(rules, table, laid, rules.last, target):
            return STOPPED
    return FINISHED


@inlined
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
                or (to == TO_OPPONENTS and seat % rules.sides != (n - 1) % rules.sides)
            ):
                table.heels[seat] += points
                if award(rules, table, seat, points, target):
                    return STOPPED
    return FINISHED


@kernel
def look_at_shows(rules, shows, table, n):
    """Work out what each hand just picked up, and the crib, make with the starter, into ``table.shown``."""
    starter = table.state[AT_STARTER]
    for seat in range(n):
        table.shown[seat] = show_points(rules, shows, table.hand[seat], rules.hand, starter)
    if rules.mog:
        forget_honours(rules, table, n)
    if rules.crib:
        table.crib_shown = crib_points(rules, shows, in_order(table.crib, rules.crib), starter)


@kernel
def forget_honours(rules, table, n):
    """Take off the shows what a card taken in exchange scores for its rank, where its giver has pegged that."""
    for seat in range(n):
        card = table.received[seat]
        if card != NOBODY and not rules.mog_taker:
            table.shown[seat] -= packed(honour_points(rules, card, table.state[AT_STARTER]), HONOURS_AT)


@inlined
def show(rules, table, n, target):
    """Count the hands from eldest to dealer, then the crib; returns the phase that reached the target, or NOBODY."""
    for seat in range(n):
        points = table.shown[seat]
        table.show[seat] = points
        if award(rules, table, seat, points & TOTAL_MASK, target):
            return np.int64(SHOW)
    if rules.crib:
        points = table.crib_shown
        table.crib_gain = points
        if award(rules, table, n - 1, points & TOTAL_MASK, target):
            return np.int64(CRIB)
    return np.int64(NOBODY)


@kernel
def three_for_last(rules, table, target):
    """The eldest's three points before a deal is begun, where the rules give them; True if they reach the target."""
    if rules.three_for_last == EVERY_DEAL or (rules.three_for_last == FIRST_DEAL and table.state[AT_FIRST_DEAL]):
        table.start[0] = THREE
        return award(rules, table, np.int64(0), np.int64(THREE), target)
    return False


@kernel
def mog_awards(rules, table, n, target):
    """The points that the mogging has brought, eldest first; True if they reach the target."""
    for seat in range(n):
        points = table.mog_due[seat]
        if points:
            table.mog[seat] = points
            if award(rules, table, seat, points, target):
                return True
    return False


@kernel
def deal_by_phases(rules, minds, table, n, key, target, watch, rival, scripted):
    """The awards of a deal in their order; returns the phase that reached the target, or NOBODY.

    Before it the cards must be ready: ``take_seats``, ``noddy.prepare`` and, where shows matter, ``look_at_shows``.
    ILLEGAL_ORDER is returned for a script that breaks the rules. It takes records only, which cost nothing to hand on;
    an array has its references counted at every call.
    """
    if rules.three_for_last and three_for_last(rules, table, target):
        return np.int64(START)
    mog_pending = rules.mog
    for i in range(3):
        phase = rules.order[i]
        if phase == HEELS:
            if heels(rules, table, n, target) == STOPPED:
                return phase
            continue
        if mog_pending:
            mog_pending = 0
            if mog_awards(rules, table, n, target):
                return np.int64(MOG)
        if phase == PLAY:
            status = play_cards(rules, minds, table, n, key, target, watch, rival, scripted)
            if status == STOPPED:
                return phase
            if status == ILLEGAL:
                return np.int64(ILLEGAL_ORDER)
        else:
            stopped = show(rules, table, n, target)
            if stopped != NOBODY:
                return stopped
    return np.int64(NOBODY)
