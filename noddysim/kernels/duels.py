"""Duplicates of deals and of games: arms and their baseline in each seat in turn, on the same cards.

Strategy 0 is the opponent in all other seats, 1 the baseline, 2 … K + 1 are the arms. Where the baseline would lay the
same ranks as an arm at every turn, both games are one game and need not be played twice; where it would not, the
baseline's own game is played once for all arms.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import DEALS, GAMES, mix, stream_key
from noddysim.kernels.noddy import CHANGED, FIELDS, WINNER, fresh_scores, play_game, prepare
from noddysim.kernels.pegging import deal_by_phases, deal_cards, look_at_shows, play_cards
from noddysim.kernels.records import AT_CHANGED, NO_RACE, NOBODY

OPPONENT, BASELINE, FIRST_ARM = 0, 1, 2


@kernel
def play_out(rules, shows, minds, table, n, key, watch):
    """Play the dealt cards with no target, choices of side ``watch`` compared with the baseline's.

    Where nobody parts with a card, heels and show are left out: they do not depend on who plays, so they are the same
    for arm and baseline.
    """
    fresh_scores(table, n)
    race, watch, rival, script = np.int64(NO_RACE), np.int64(watch), np.int64(BASELINE), np.bool_(False)
    prepare(rules, shows, minds, table, n, key, watch, rival)
    if rules.discard or rules.mog:
        look_at_shows(rules, shows, table, n)
        deal_by_phases(rules, minds, table, n, key, race, watch, rival, script)
    else:
        play_cards(rules, minds, table, n, key, race, watch, rival, script)


@kernel
def margin(rules, table, side):
    """Points of a side times (sides - 1) minus those of all others: its margin over their mean."""
    total = np.int64(0)
    for other in range(rules.sides):
        total += table.score[other]
    return rules.sides * table.score[side] - total


@kernel
def seat_side(rules, table, n, side, mind):
    """Let a strategy play in all seats of a side."""
    for seat in range(n):
        if seat % rules.sides == side:
            table.mind[seat] = mind


@kernel
def duel_deals(rules, shows, minds, table, n, seed, start, stop, rows):
    """Duplicates ``start … stop - 1`` of whole deals.

    rows : int64 (K, stop - start, 2 U) for U sides; columns 0 … U - 1: for each side of the arm its margin there minus
    the baseline's, times U - 1 (a margin is the side's points minus the mean of the others'); columns U … 2U - 1: cards
    that the arm laid, laid away or passed otherwise there
    """
    root = stream_key(seed, DEALS)
    sides = rules.sides
    for seat in range(n):
        table.mind[seat] = OPPONENT
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        for side in range(sides):
            known = False
            baseline = np.int64(0)
            for arm in range(rows.shape[0]):
                seat_side(rules, table, n, side, FIRST_ARM + arm)
                play_out(rules, shows, minds, table, n, key, side)
                changed = table.state[AT_CHANGED]
                value = np.int64(0)
                if changed:
                    value = margin(rules, table, side)
                    if not known:
                        seat_side(rules, table, n, side, BASELINE)
                        play_out(rules, shows, minds, table, n, key, NOBODY)
                        baseline = margin(rules, table, side)
                        known = True
                    value -= baseline
                rows[arm, number - start, side] = value
                rows[arm, number - start, sides + side] = changed
            seat_side(rules, table, n, side, OPPONENT)


@kernel
def seat_game(rules, who, n, side, mind):
    """Let a strategy play for all persons of a side of a game."""
    for person in range(n):
        if person % rules.sides == side:
            who[person] = mind


@kernel
def duel_games(rules, shows, minds, table, n, seed, start, stop, rows):
    """Duplicates ``start … stop - 1`` of games to the target; returns how many games were given up as endless.

    rows : int64 (K, stop - start, 2 U); columns 0 … U - 1: for each side of the arm in the first deal, games won by the
    arm minus games won by the baseline (-1, 0 or 1); columns U … 2U - 1: cards that the arm laid otherwise there
    """
    root = stream_key(seed, GAMES)
    who = np.full(n, OPPONENT)
    record = np.zeros(len(FIELDS), np.int64)
    totals = np.zeros(4, np.int64)
    sides = rules.sides
    rival = np.int64(BASELINE)
    endless = 0
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        for side in range(sides):
            known = False
            baseline = np.int64(0)
            for arm in range(rows.shape[0]):
                seat_game(rules, who, n, side, FIRST_ARM + arm)
                play_game(rules, shows, minds, who, table, n, key, np.int64(side), rival, record, totals)
                endless += record[WINNER] == NOBODY
                changed = record[CHANGED]
                value = np.int64(0)
                if changed:
                    value = np.int64(record[WINNER] == side)
                    if not known:
                        seat_game(rules, who, n, side, BASELINE)
                        play_game(rules, shows, minds, who, table, n, key, np.int64(NOBODY), rival, record, totals)
                        endless += record[WINNER] == NOBODY
                        baseline = np.int64(record[WINNER] == side)
                        known = True
                    value -= baseline
                rows[arm, number - start, side] = value
                rows[arm, number - start, sides + side] = changed
            seat_game(rules, who, n, side, OPPONENT)
    return endless
