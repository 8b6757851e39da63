"""Chunks of deals, duplicates and games of the pegging family: ranges of numbers in, integer counts out.

Every counting array is added to, never reset, so a caller may go on with the same arrays. A value that does not fit its
array is counted in ``lost[0]``; callers must refuse a result in which ``lost[0]`` is not nought.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.choose import FIFTEEN_AT, THIRTYONE_AT
from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import DEALS, GAMES, mix, stream_key
from noddysim.kernels.pegging import NOBODY, deal, deal_by_phases, deal_cards, look_at_shows, pick_up, take_seats
from noddysim.kernels.records import (
    AT_CHANGED,
    AT_LAID,
    AT_LEAD_CHANGES,
    AT_LEADER,
    HIGHEST,
    LEFT,
    NO_RACE,
    NOTES,
    PARTS_AT,
    PLAY_BITS,
    PLAY_KINDS,
    PLAY_MASK,
    RIGHT,
    SAME,
    SEAT_MASK,
    SHOW_BITS,
    SHOW_KINDS,
    SHOW_MASK,
    TOTAL_MASK,
)

SOURCES = ("heels", *PLAY_KINDS, *(f"show_{kind}" for kind in SHOW_KINDS), "play", "show", "deal")
N_PLAY, N_SHOW = len(PLAY_KINDS), len(SHOW_KINDS)
AT_PLAY_TOTAL, AT_SHOW_TOTAL, AT_DEAL_TOTAL = len(SOURCES) - 3, len(SOURCES) - 2, len(SOURCES) - 1

FIELDS = ("winner", "deals", "cards", "lead_changes", "phase", "margin", "changed", "winner_seat")
WINNER, N_DEALS, CARDS, LEAD_CHANGES, PHASE, MARGIN, CHANGED, WINNER_SEAT = range(len(FIELDS))
MAX_DEALS = 20_000
"""Deals after which a game is given up as endless (some rules let nobody score)."""


@kernel
def fresh_scores(table, n):
    """All scores nought, nobody ahead, everybody in his first seat."""
    for seat in range(n):
        table.score[seat] = 0
        table.person[seat] = seat
    table.state[AT_LEADER] = NOBODY
    table.state[AT_LEAD_CHANGES] = 0
    table.state[AT_CHANGED] = 0


@kernel
def whole_deal(rules, shows, strategies, who, table, n, key, watch, rival):
    """Play the dealt cards out with no target; scores are left in ``table.score``."""
    fresh_scores(table, n)
    deal(
        rules,
        shows,
        strategies,
        who,
        table,
        n,
        key,
        np.int64(NO_RACE),
        np.int64(watch),
        np.int64(rival),
        np.bool_(False),
    )


@kernel
def add(by_source, seat, source, points, times, lost):
    """Count the points of a seat from a source ``times`` times, or as lost if they do not fit."""
    if points < by_source.shape[2]:
        by_source[seat, source, points] += times
    else:
        lost[0] += times


@kernel
def spread(by_source, seat, column, points, times, lost):
    """Count packed points of the play (column 0) or the show (column 1) of a seat, in all and by kind."""
    if column == 0:
        first, kinds, bits, mask, at_total = 1, N_PLAY, PLAY_BITS, PLAY_MASK, AT_PLAY_TOTAL
    else:
        first, kinds, bits, mask, at_total = 1 + N_PLAY, N_SHOW, SHOW_BITS, SHOW_MASK, AT_SHOW_TOTAL
    for kind in range(kinds):
        add(by_source, seat, first + kind, (points >> (PARTS_AT + bits * kind)) & mask, times, lost)
    add(by_source, seat, np.int64(at_total), points & TOTAL_MASK, times, lost)


@kernel
def noted(table, seat, column, points):
    """Note packed points once more; False if their place is taken by others.

    Few different values occur, so nearly every deal adds one to one number, where histograms by source take fifteen.
    """
    note = table.notes[seat & SEAT_MASK, column, points % NOTES]
    if note[0] != points:
        return False
    note[1] += 1
    return True


@kernel
def note_anew(table, by_source, seat, column, points, lost):
    """Bring what stands in the place of ``points`` into the histograms, and note them there."""
    note = table.notes[seat, column, points % NOTES]
    spread(by_source, seat, column, note[0], note[1], lost)
    note[0] = points
    note[1] = 1


@kernel
def spread_notes(table, by_source, n, lost):
    """Bring all that is noted into the histograms and leave nothing noted."""
    for seat in range(n):
        for column in range(2):
            for place in range(NOTES):
                note = table.notes[seat, column, place]
                if note[1]:
                    spread(by_source, seat, column, note[0], note[1], lost)
                    note[1] = 0


@kernel
def count_deals(rules, shows, strategies, who, table, n, seed, start, stop, by_source, lost):
    """Play whole deals ``start … stop - 1`` of a seed and count points by seat and source.

    who : int64 (n,), strategy of each seat; by_source : int64 (n, 15, W); lost : int64 (1,)
    """
    root = stream_key(seed, DEALS)
    once = np.int64(1)
    take_seats(who, table, n)
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        pick_up(rules, table, n)
        look_at_shows(rules, shows, table, n)
        fresh_scores(table, n)
        deal_by_phases(
            rules, strategies, table, n, key, np.int64(NO_RACE), np.int64(NOBODY), np.int64(0), np.bool_(False)
        )
        for seat in range(n):
            for column in range(2):
                points = table.show[seat] if column else table.gain[seat]
                if not noted(table, seat, column, points):
                    note_anew(table, by_source, seat, column, points, lost)
            add(by_source, seat, np.int64(0), table.heels[seat], once, lost)
            add(by_source, seat, np.int64(AT_DEAL_TOTAL), table.score[seat], once, lost)
    spread_notes(table, by_source, n, lost)


@kernel
def count_by_lead(rules, shows, strategies, who, table, n, seed, start, stop, by_lead, lost):
    """As ``count_deals``, but by the rank that eldest leads to the first pile.

    by_lead : int64 (13 * n, 3, W), row ``rank * n + seat``: points of a seat in the play from fifteens, from
        thirty-ones, and in all
    """
    root = stream_key(seed, DEALS)
    once = np.int64(1)
    take_seats(who, table, n)
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        pick_up(rules, table, n)
        fresh_scores(table, n)
        deal_by_phases(
            rules, strategies, table, n, key, np.int64(NO_RACE), np.int64(NOBODY), np.int64(0), np.bool_(False)
        )
        row = table.ranks[0] * n
        for seat in range(n):
            points = table.gain[seat]
            add(by_lead, row + seat, np.int64(0), (points >> FIFTEEN_AT) & PLAY_MASK, once, lost)
            add(by_lead, row + seat, np.int64(1), (points >> THIRTYONE_AT) & PLAY_MASK, once, lost)
            add(by_lead, row + seat, np.int64(2), points & TOTAL_MASK, once, lost)


@kernel
def next_dealer(rules, n, dealer, totals):
    """Who deals next, as a person; totals : int64 (n,), scores by person.

    Between equal scores the deal goes to the first of them clockwise, the old dealer last.
    """
    left = (dealer + 1) % n
    if rules.next_dealer == LEFT:
        return left
    if rules.next_dealer == RIGHT:
        return (dealer + n - 1) % n
    if rules.next_dealer == SAME:
        return dealer
    sign = 1 if rules.next_dealer == HIGHEST else -1
    best = left
    for step in range(2, n + 1):
        person = (dealer + step) % n
        if sign * totals[person] > sign * totals[best]:
            best = person
    return best


@kernel
def play_game(rules, shows, strategies, who, table, n, key, watch, rival, record):
    """One game to the target. Persons are numbered by their seat in the first deal; the last of them deals first.

    who : int64 (n,), strategy of each person; watch : the person whose choices are compared with ``rival``'s
    record : int64 (8,), filled in the order of FIELDS; the winner is NOBODY if the game was given up
    """
    fresh_scores(table, n)
    totals = np.empty(n, np.int64)
    seated = np.empty(n, np.int64)
    for person in range(n):
        totals[person] = rules.head_start[person]
    leader = NOBODY
    for person in range(n):
        ahead = True
        for other in range(n):
            if other != person and totals[other] >= totals[person]:
                ahead = False
        if ahead:
            leader = person
    table.state[AT_LEADER] = leader
    dealer = n - 1
    cards = 0
    record[WINNER] = NOBODY
    for number in range(MAX_DEALS):
        deal_number_key = mix(key, np.uint64(number))
        watched_seat = np.int64(NOBODY)
        for seat in range(n):
            person = (dealer + 1 + seat) % n
            table.person[seat] = person
            table.score[seat] = totals[person]
            seated[seat] = who[person]
            if person == watch:
                watched_seat = seat
        deal_cards(rules, table, n, deal_number_key)
        phase = deal(
            rules,
            shows,
            strategies,
            seated,
            table,
            n,
            deal_number_key,
            rules.target,
            watched_seat,
            np.int64(rival),
            np.bool_(False),
        )
        cards += table.state[AT_LAID]
        for seat in range(n):
            totals[table.person[seat]] = table.score[seat]
        if phase >= 0:
            finish_record(table, n, totals, rules.target, record)
            record[N_DEALS] = number + 1
            record[CARDS] = cards
            record[LEAD_CHANGES] = table.state[AT_LEAD_CHANGES]
            record[PHASE] = phase
            record[CHANGED] = table.state[AT_CHANGED]
            return
        dealer = next_dealer(rules, n, dealer, totals)


@kernel
def finish_record(table, n, totals, target, record):
    """Write winner, his seat in the last deal, and the margin over the best of the others."""
    second = np.int64(-1)
    for seat in range(n):
        if table.score[seat] >= target:
            record[WINNER] = table.person[seat]
            record[WINNER_SEAT] = seat
    winner = record[WINNER]
    for person in range(n):
        if person != winner and totals[person] > second:
            second = totals[person]
    record[MARGIN] = totals[winner] - second


@kernel
def record_games(rules, shows, strategies, who, table, n, seed, start, stop, records):
    """Play games ``start … stop - 1`` of a seed; records : int64 (stop - start, 8), a row a game, order of FIELDS."""
    root = stream_key(seed, GAMES)
    for number in range(start, stop):
        play_game(
            rules,
            shows,
            strategies,
            who,
            table,
            n,
            mix(root, np.uint64(number)),
            np.int64(NOBODY),
            np.int64(0),
            records[number - start],
        )
