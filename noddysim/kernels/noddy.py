"""Chunks of deals, duplicates and games of the pegging family: ranges of numbers in, integer counts out.

Every counting array is added to, never reset, so a caller may go on with the same arrays. A value that does not fit its
array is counted in ``lost[0]``; callers must refuse a result in which ``lost[0]`` is not nought.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import DEALS, GAMES, mix, stream_key
from noddysim.kernels.pegging import NOBODY, deal, deal_cards
from noddysim.kernels.records import (
    AT_CHANGED,
    AT_LAID,
    AT_LEAD_CHANGES,
    AT_LEADER,
    HIGHEST,
    LEFT,
    NO_TARGET,
    PLAY_KINDS,
    PLAY_MASK,
    PARTS_AT,
    PLAY_BITS,
    RIGHT,
    SAME,
    SHOW_KINDS,
    SHOW_MASK,
    SHOW_BITS,
    TOTAL_MASK,
)

SOURCES = ("heels", *PLAY_KINDS, *(f"show_{kind}" for kind in SHOW_KINDS), "play", "show", "deal")
N_PLAY, N_SHOW = len(PLAY_KINDS), len(SHOW_KINDS)
AT_PLAY_TOTAL, AT_SHOW_TOTAL, AT_DEAL_TOTAL = len(SOURCES) - 3, len(SOURCES) - 2, len(SOURCES) - 1
N_SOURCES = len(SOURCES)
LEAD_SOURCES = (SOURCES.index("fifteen"), SOURCES.index("thirtyone"), AT_PLAY_TOTAL)

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
    deal(rules, shows, strategies, who, table, n, key, NO_TARGET, watch, rival, False)


@kernel
def points_from(table, seat, source):
    """Points of a seat in a deal from one source, an index of SOURCES."""
    if source == 0:
        return table.heels[seat]
    if source <= N_PLAY:
        return (table.gain[seat] >> (PARTS_AT + PLAY_BITS * (source - 1))) & PLAY_MASK
    if source <= N_PLAY + N_SHOW:
        return (table.show[seat] >> (PARTS_AT + SHOW_BITS * (source - 1 - N_PLAY))) & SHOW_MASK
    if source == AT_PLAY_TOTAL:
        return table.gain[seat] & TOTAL_MASK
    if source == AT_SHOW_TOTAL:
        return table.show[seat] & TOTAL_MASK
    return table.score[seat]


@kernel
def count_deals(rules, shows, strategies, who, table, n, seed, start, stop, by_source, lost):
    """Play whole deals ``start … stop - 1`` of a seed and count points by seat and source.

    who : int64 (n,), strategy of each seat; by_source : int64 (n, 15, W); lost : int64 (1,)
    """
    root = stream_key(seed, DEALS)
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        whole_deal(rules, shows, strategies, who, table, n, key, NOBODY, 0)
        for seat in range(n):
            for source in range(N_SOURCES):
                value = points_from(table, seat, source)
                if value < by_source.shape[2]:
                    by_source[seat, source, value] += 1
                else:
                    lost[0] += 1


@kernel
def count_by_lead(rules, shows, strategies, who, table, n, seed, start, stop, by_lead, lost):
    """As ``count_deals``, but by the rank that eldest leads to the first pile.

    by_lead : int64 (13 * n, 3, W), row ``rank * n + seat``: points of a seat in the play from fifteens, from
        thirty-ones, and in all
    """
    root = stream_key(seed, DEALS)
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        whole_deal(rules, shows, strategies, who, table, n, key, NOBODY, 0)
        row = table.ranks[0] * n
        for seat in range(n):
            for column in range(3):
                value = points_from(table, seat, LEAD_SOURCES[column])
                if value < by_lead.shape[2]:
                    by_lead[row + seat, column, value] += 1
                else:
                    lost[0] += 1


@kernel
def margin_of(table, n, seat):
    """Points of a seat times (n - 1) minus the points of all others: the margin over their mean, as an integer."""
    total = np.int64(0)
    for other in range(n):
        total += table.score[other]
    return n * table.score[seat] - total


@kernel
def count_duel_deals(rules, shows, strategies, table, n, seed, start, stop, joint, by_seat, lost):
    """Duplicates ``start … stop - 1`` of strategy 0 (the arm) and 1 (the baseline), each against strategy 2.

    The value of a seat is the arm's margin there minus the baseline's margin there on the same deal, times (n - 1);
    the value of a duplicate is the sum over the seats. If the baseline would lay the same ranks wherever the arm lays,
    both games are one and the value is nought.

    joint : int64 (V, C), duplicates by value (nought in the middle row) and by cards changed over all seats
    by_seat : int64 (n, V, C'), the same for each seat alone
    """
    root = stream_key(seed, DEALS)
    middle = joint.shape[0] // 2
    who = np.full(n, 2)
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        value = np.int64(0)
        changed = np.int64(0)
        for seat in range(n):
            who[seat] = 0
            whole_deal(rules, shows, strategies, who, table, n, key, seat, 1)
            seat_changed = table.state[AT_CHANGED]
            seat_value = np.int64(0)
            if seat_changed:
                seat_value = margin_of(table, n, seat)
                who[seat] = 1
                whole_deal(rules, shows, strategies, who, table, n, key, NOBODY, 0)
                seat_value -= margin_of(table, n, seat)
            who[seat] = 2
            if 0 <= middle + seat_value < joint.shape[0]:
                by_seat[seat, middle + seat_value, seat_changed] += 1
            else:
                lost[0] += 1
            value += seat_value
            changed += seat_changed
        if 0 <= middle + value < joint.shape[0]:
            joint[middle + value, changed] += 1
        else:
            lost[0] += 1


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
        watched_seat = NOBODY
        for seat in range(n):
            person = (dealer + 1 + seat) % n
            table.person[seat] = person
            table.score[seat] = totals[person]
            seated[seat] = who[person]
            if person == watch:
                watched_seat = seat
        deal_cards(rules, table, n, deal_number_key)
        phase = deal(
            rules, shows, strategies, seated, table, n, deal_number_key, rules.target, watched_seat, rival, False
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
        play_game(rules, shows, strategies, who, table, n, mix(root, np.uint64(number)), NOBODY, 0, records[number - start])


@kernel
def count_duel_games(rules, shows, strategies, table, n, seed, start, stop, joint, by_seat, lost):
    """Duplicates of games: strategy 0 in each seat in turn, then strategy 1, each against strategy 2.

    joint : int64 (n + 1, n + 1), duplicates by games won by the arm and by the baseline over all seats
    by_seat : int64 (n, 2, 2), the same for each seat; lost[0] counts games given up as endless
    """
    root = stream_key(seed, GAMES)
    who = np.full(n, 2)
    record = np.zeros(len(FIELDS), np.int64)
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        arm_wins = 0
        baseline_wins = 0
        for seat in range(n):
            who[seat] = 0
            play_game(rules, shows, strategies, who, table, n, key, seat, 1, record)
            arm_won = 1 if record[WINNER] == seat else 0
            baseline_won = arm_won
            lost[0] += record[WINNER] == NOBODY
            if record[CHANGED]:
                who[seat] = 1
                play_game(rules, shows, strategies, who, table, n, key, NOBODY, 0, record)
                baseline_won = 1 if record[WINNER] == seat else 0
                lost[0] += record[WINNER] == NOBODY
            who[seat] = 2
            by_seat[seat, arm_won, baseline_won] += 1
            arm_wins += arm_won
            baseline_wins += baseline_won
        joint[arm_wins, baseline_wins] += 1
