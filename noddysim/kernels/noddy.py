"""Chunks of deals, duplicates and games of the pegging family: ranges of numbers in, integer counts out.

Every counting array is added to, never reset, so a caller may go on with the same arrays. A value that does not fit its
array is counted in ``lost[0]``; callers must refuse a result in which ``lost[0]`` is not nought.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.away import lay_away, mogging
from noddysim.kernels.choose import FIFTEEN_AT, THIRTYONE_AT
from noddysim.kernels.compiler import inlined, kernel
from noddysim.kernels.dealing import DEALS, GAMES, mix, stream_key
from noddysim.kernels.pegging import deal_by_phases, deal_cards, look_at_shows, pick_up, take_seats
from noddysim.kernels.records import (
    AT_BEFORE,
    AT_CHANGED,
    AT_FIRST_DEAL,
    AT_FOLLOWED,
    AT_LAID,
    AT_LEAD_CHANGES,
    AT_LEADER,
    AT_TAKEN,
    GAPS,
    HIGHEST,
    LEFT,
    MAX_STARTS,
    NO_RACE,
    NO_TARGET,
    NOBODY,
    NOTES,
    PARTS_AT,
    PLAY_BITS,
    PLAY_KINDS,
    PLAY_MASK,
    RIGHT,
    SAME,
    SEAT_MASK,
    SHOW_KINDS,
    TOTAL_MASK,
)
from noddysim.kernels.show import show_part

SOURCES = (
    "heels",
    *PLAY_KINDS,
    *(f"show_{kind}" for kind in SHOW_KINDS),
    *(f"crib_{kind}" for kind in SHOW_KINDS),
    "start",
    "mog",
    "play",
    "show",
    "crib",
    "deal",
)
N_PLAY, N_SHOW = len(PLAY_KINDS), len(SHOW_KINDS)
AT_START, AT_MOG, AT_PLAY_TOTAL, AT_SHOW_TOTAL, AT_CRIB_TOTAL, AT_DEAL_TOTAL = range(len(SOURCES) - 6, len(SOURCES))
PLAY_NOTES, SHOW_NOTES, CRIB_NOTES = 0, 1, 2

FIELDS = ("winner", "deals", "cards", "lead_changes", "phase", "margin", "changed", "winner_seat", "second")
WINNER, N_DEALS, CARDS, LEAD_CHANGES, PHASE, MARGIN, CHANGED, WINNER_SEAT, SECOND = range(len(FIELDS))
COURSE = ("worst", "trailing", "taken", "last_gap")
"""How a game went, of its winner: the most points that he was behind, the deals after the first that he began behind,
the cards laid when he took the lead for good, and how far he was behind when the last deal began."""
COMEBACK = ("games", "won", "times", "won_squared", "won_times", "times_squared")
"""Of deals after the first, by points behind at their start: games with such a start, starts in games that were won,
all starts, and the sums over the games of the squares and products of the last two."""
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
    table.state[AT_FIRST_DEAL] = 0
    table.state[AT_BEFORE] = 0
    table.state[AT_TAKEN] = 0


@inlined
def prepare(rules, shows, minds, table, n, key, watch, rival):
    """All that is decided before the first point: what is laid away, hands taken up, what is exchanged.

    watch : the side whose choices are compared with strategy ``rival``'s, or NOBODY
    """
    if rules.discard:
        lay_away(rules, shows, minds, table, n, key, watch, rival)
    pick_up(rules, table, n)
    if rules.mog:
        mogging(rules, shows, minds, table, key, watch, rival)


@kernel
def add(by_source, seat, source, points, times, lost):
    """Count the points of a seat from a source ``times`` times, or as lost if they do not fit."""
    if points < by_source.shape[2]:
        by_source[seat, source, points] += times
    else:
        lost[0] += times


@kernel
def spread_play(by_source, seat, points, times, lost):
    """Count packed points of the play of a seat, in all and by kind."""
    for kind in range(N_PLAY):
        add(by_source, seat, 1 + kind, (points >> (PARTS_AT + PLAY_BITS * kind)) & PLAY_MASK, times, lost)
    add(by_source, seat, np.int64(AT_PLAY_TOTAL), points & TOTAL_MASK, times, lost)


@kernel
def spread_show(by_source, seat, first, total, points, times, lost):
    """Count packed points of a hand or crib; first, total : the sources of its first kind and of its total."""
    for kind in range(N_SHOW):
        add(by_source, seat, first + kind, show_part(points, kind), times, lost)
    add(by_source, seat, np.int64(total), points & TOTAL_MASK, times, lost)


@kernel
def spread(by_source, seat, column, points, times, lost):
    """Count packed points of the play, the show or the crib (columns ``*_NOTES``) of a seat, in all and by kind."""
    if column == PLAY_NOTES:
        spread_play(by_source, seat, points, times, lost)
    elif column == SHOW_NOTES:
        spread_show(by_source, seat, 1 + N_PLAY, AT_SHOW_TOTAL, points, times, lost)
    else:
        spread_show(by_source, seat, 1 + N_PLAY + N_SHOW, AT_CRIB_TOTAL, points, times, lost)


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
        for column in range(3):
            for place in range(NOTES):
                note = table.notes[seat, column, place]
                if note[1]:
                    spread(by_source, seat, column, note[0], note[1], lost)
                    note[1] = 0


@kernel
def note_points(table, by_source, seat, column, points, lost):
    """Note packed points of a seat, or bring what stands in their place into the histograms first."""
    if not noted(table, seat, column, points):
        note_anew(table, by_source, seat, column, points, lost)


@kernel
def count_nothing(rules, by_source, n, deals):
    """Count nought for the sources that a game does not have: they are not looked at deal by deal."""
    for seat in range(n):
        if not rules.crib:
            for kind in range(N_SHOW):
                by_source[seat, 1 + N_PLAY + N_SHOW + kind, 0] += deals
            by_source[seat, AT_CRIB_TOTAL, 0] += deals
        if not (rules.mog or rules.three_for_last):
            by_source[seat, AT_START, 0] += deals
            by_source[seat, AT_MOG, 0] += deals


@kernel
def count_deals(rules, shows, minds, who, table, n, seed, start, stop, by_source, lost):
    """Play whole deals ``start … stop - 1`` of a seed and count points by seat and source.

    who : int64 (n,), strategy of each seat; by_source : int64 (n, len(SOURCES), W); lost : int64 (1,)
    """
    root = stream_key(seed, DEALS)
    once = np.int64(1)
    nobody = np.int64(NOBODY)
    nought = np.int64(0)
    take_seats(who, table, n)
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        fresh_scores(table, n)
        prepare(rules, shows, minds, table, n, key, nobody, nought)
        look_at_shows(rules, shows, table, n)
        deal_by_phases(rules, minds, table, n, key, np.int64(NO_RACE), nobody, nought, np.bool_(False))
        for seat in range(n):
            crib = table.crib_gain if rules.crib and seat == n - 1 else nought
            total = table.heels[seat] + (table.gain[seat] & TOTAL_MASK) + (table.show[seat] & TOTAL_MASK)
            note_points(table, by_source, seat, PLAY_NOTES, table.gain[seat], lost)
            note_points(table, by_source, seat, SHOW_NOTES, table.show[seat], lost)
            add(by_source, seat, nought, table.heels[seat], once, lost)
            if rules.crib:
                note_points(table, by_source, seat, CRIB_NOTES, crib, lost)
                total += crib & TOTAL_MASK
            if rules.mog or rules.three_for_last:
                add(by_source, seat, np.int64(AT_START), table.start[seat], once, lost)
                add(by_source, seat, np.int64(AT_MOG), table.mog[seat], once, lost)
                total += table.start[seat] + table.mog[seat]
            add(by_source, seat, np.int64(AT_DEAL_TOTAL), total, once, lost)
    spread_notes(table, by_source, n, lost)
    count_nothing(rules, by_source, n, stop - start)


@kernel
def count_by_lead(rules, shows, minds, who, table, n, seed, start, stop, by_lead, lost):
    """As ``count_deals``, but by the rank that eldest leads to the first pile.

    by_lead : int64 (13 * n, 3, W), row ``rank * n + seat``: points of a seat in the play from fifteens, from
        thirty-ones, and in all
    """
    root = stream_key(seed, DEALS)
    once = np.int64(1)
    nobody = np.int64(NOBODY)
    nought = np.int64(0)
    take_seats(who, table, n)
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        fresh_scores(table, n)
        prepare(rules, shows, minds, table, n, key, nobody, nought)
        deal_by_phases(rules, minds, table, n, key, np.int64(NO_RACE), nobody, nought, np.bool_(False))
        row = table.ranks[0] * n
        for seat in range(n):
            points = table.gain[seat]
            add(by_lead, row + seat, nought, (points >> FIFTEEN_AT) & PLAY_MASK, once, lost)
            add(by_lead, row + seat, np.int64(1), (points >> THIRTYONE_AT) & PLAY_MASK, once, lost)
            add(by_lead, row + seat, np.int64(2), points & TOTAL_MASK, once, lost)


@kernel
def next_dealer(rules, n, dealer, totals):
    """Who deals next, as a person; totals : int64 (sides,), scores by side (person % sides).

    Between equal scores the deal goes to the first of them clockwise, the old dealer last.
    """
    left = dealer + 1 if dealer + 1 < n else 0
    if rules.next_dealer == LEFT:
        return left
    if rules.next_dealer == RIGHT:
        return dealer - 1 if dealer > 0 else n - 1
    if rules.next_dealer == SAME:
        return dealer
    sign = 1 if rules.next_dealer == HIGHEST else -1
    best = left
    for step in range(2, n + 1):
        person = (dealer + step) % n
        if sign * totals[person % rules.sides] > sign * totals[best % rules.sides]:
            best = person
    return best


@kernel
def start_game(rules, table, totals):
    """Scores of a game before its first card, by side in the first deal, and who is ahead by them."""
    fresh_scores(table, rules.sides)
    leader = NOBODY
    for side in range(rules.sides):
        totals[side] = rules.head_start[side]
    for side in range(rules.sides):
        ahead = True
        for other in range(rules.sides):
            if other != side and totals[other] >= totals[side]:
                ahead = False
        if ahead:
            leader = side
    table.state[AT_LEADER] = leader


@inlined
def sit_down(rules, who, table, n, dealer, totals):
    """Seat persons and the scores of their sides for a deal."""
    for seat in range(n):
        person = dealer + 1 + seat
        person = person if person < n else person - n
        table.mind[seat] = who[person & SEAT_MASK]
    for side in range(rules.sides):
        person = dealer + 1 + side
        while person >= rules.sides:
            person -= rules.sides
        table.person[side] = person
        table.score[side] = totals[person & SEAT_MASK]


@kernel
def side_of(table, sides, person):
    """At which side of the table a side of the game sits, or NOBODY for nobody."""
    for side in range(sides):
        if table.person[side] == person:
            return np.int64(side)
    return np.int64(NOBODY)


@kernel
def play_game(rules, shows, minds, who, table, n, key, watch, rival, record, totals):
    """One game to the target. Persons are numbered by their seat in the first deal; the last of them deals first.

    who : int64 (n,), strategy of each person; watch : the side whose choices are compared with ``rival``'s; sides of a
        game are numbered by the first deal too
    record : int64 (9,), filled in the order of FIELDS; the winner is a side, NOBODY if the game was given up
    totals : int64 (4,) scratch, receives the scores by side
    """
    start_game(rules, table, totals)
    dealer = n - 1
    cards = 0
    table.state[AT_FIRST_DEAL] = 1
    record[WINNER] = NOBODY
    for number in range(MAX_DEALS):
        deal_number_key = mix(key, np.uint64(number))
        table.state[AT_BEFORE] = cards
        if table.state[AT_FOLLOWED]:
            note_start(table, rules.sides, totals, np.int64(number))
        sit_down(rules, who, table, n, dealer, totals)
        watched = side_of(table, rules.sides, watch)
        deal_cards(rules, table, n, deal_number_key)
        prepare(rules, shows, minds, table, n, deal_number_key, watched, np.int64(rival))
        look_at_shows(rules, shows, table, n)
        phase = deal_by_phases(
            rules, minds, table, n, deal_number_key, rules.target, watched, np.int64(rival), np.bool_(False)
        )
        table.state[AT_FIRST_DEAL] = 0
        cards += table.state[AT_LAID]
        for side in range(rules.sides):
            totals[table.person[side] & SEAT_MASK] = table.score[side]
        if phase >= 0:
            finish_record(rules, table, totals, record)
            record[N_DEALS] = number + 1
            record[CARDS] = cards
            record[LEAD_CHANGES] = table.state[AT_LEAD_CHANGES]
            record[PHASE] = phase
            record[CHANGED] = table.state[AT_CHANGED]
            return
        dealer = next_dealer(rules, n, dealer, totals)


@kernel
def note_start(table, sides, totals, number):
    """Note how far each side of the game is behind the best of the others when a deal begins, below nought if ahead.

    number : of the deal, 0 for the first, which counts only for how far a side has ever been behind
    """
    for side in range(sides):
        gap = np.int64(-NO_TARGET)
        for other in range(sides):
            if other != side:
                gap = max(gap, totals[other] - totals[side])
        if number == 0:
            table.worst[side] = max(gap, 0)
            table.trailing[side] = 0
            table.last_gap[side] = 0
            continue
        table.trailing[side] += gap > 0
        table.last_gap[side] = max(gap, 0)
        if number <= MAX_STARTS:
            table.gaps[number - 1, side] = gap


@kernel
def count_comebacks(table, sides, winner, deals, comebacks):
    """Add the starts of the deals of a finished game by points behind; comebacks : int64 (GAPS, len(COMEBACK)).

    A game may begin several deals alike, and those are no independent evidence: hence the squares and products.
    """
    starts = min(deals - 1, MAX_STARTS)
    for number in range(starts):
        for side in range(sides):
            gap = min(table.gaps[number, side], GAPS - 1)
            if gap >= 0:
                table.times[gap] += 1
                table.wins[gap] += side == winner
    for number in range(starts):
        for side in range(sides):
            gap = min(table.gaps[number, side], GAPS - 1)
            if gap >= 0 and table.times[gap]:
                times, won = table.times[gap], table.wins[gap]
                comebacks[gap, 0] += 1
                comebacks[gap, 1] += won
                comebacks[gap, 2] += times
                comebacks[gap, 3] += won * won
                comebacks[gap, 4] += won * times
                comebacks[gap, 5] += times * times
                table.times[gap] = 0
                table.wins[gap] = 0


@kernel
def finish_record(rules, table, totals, record):
    """Write the winning side, where it sat in the last deal, the best score of the others, and the margin over it."""
    second = np.int64(-1)
    for side in range(rules.sides):
        if table.score[side] >= rules.target:
            record[WINNER] = table.person[side]
            record[WINNER_SEAT] = side
    winner = record[WINNER]
    for side in range(rules.sides):
        if side != winner and totals[side] > second:
            second = totals[side]
    record[SECOND] = second
    record[MARGIN] = totals[winner] - second


@kernel
def record_games(rules, shows, minds, who, table, n, seed, start, stop, records):
    """Play games ``start … stop - 1`` of a seed; records : int64 (stop - start, 9), a row a game, order of FIELDS."""
    root = stream_key(seed, GAMES)
    totals = np.zeros(4, np.int64)
    for number in range(start, stop):
        play_game(
            rules,
            shows,
            minds,
            who,
            table,
            n,
            mix(root, np.uint64(number)),
            np.int64(NOBODY),
            np.int64(0),
            records[number - start],
            totals,
        )


@kernel
def record_courses(rules, shows, minds, who, table, n, seed, start, stop, records, courses, comebacks):
    """As ``record_games``, and how the games went.

    courses : int64 (stop - start, len(COURSE)), a row a game, all -1 if it was given up; comebacks : int64
    (GAPS, len(COMEBACK)), added to
    """
    root = stream_key(seed, GAMES)
    totals = np.zeros(4, np.int64)
    nobody = np.int64(NOBODY)
    nought = np.int64(0)
    table.state[AT_FOLLOWED] = 1
    for number in range(start, stop):
        record, course = records[number - start], courses[number - start]
        play_game(rules, shows, minds, who, table, n, mix(root, np.uint64(number)), nobody, nought, record, totals)
        winner = record[WINNER]
        if winner == NOBODY:
            course[:] = -1
            continue
        course[0] = table.worst[winner]
        course[1] = table.trailing[winner]
        course[2] = table.state[AT_TAKEN]
        course[3] = table.last_gap[winner]
        count_comebacks(table, rules.sides, winner, record[N_DEALS], comebacks)
    table.state[AT_FOLLOWED] = 0
