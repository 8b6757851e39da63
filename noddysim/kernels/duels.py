"""Duplicates of deals and of games: arms and their baseline in each seat in turn, on the same cards.

Strategy 0 is the opponent in all other seats, 1 the baseline, 2 … K + 1 are the arms. Where the baseline would lay the
same ranks as an arm at every turn, both games are one game and need not be played twice; where it would not, the
baseline's own game is played once for all arms.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import DEALS, GAMES, mix, stream_key
from noddysim.kernels.noddy import CHANGED, FIELDS, WINNER, play_game
from noddysim.kernels.pegging import NOBODY, deal_cards, pick_up, play_cards
from noddysim.kernels.records import AT_CHANGED, NO_RACE, TOTAL_MASK

OPPONENT, BASELINE, FIRST_ARM = 0, 1, 2


@kernel
def play_out(rules, strategies, table, n, key, watch):
    """Play the dealt cards with no target, choices of seat ``watch`` compared with the baseline's.

    Heels and show are left out: they do not depend on who plays, so they are the same for arm and baseline.
    """
    table.state[AT_CHANGED] = 0
    pick_up(rules, table, n)
    play_cards(
        rules, strategies, table, n, key, np.int64(NO_RACE), np.int64(watch), np.int64(BASELINE), np.bool_(False)
    )


@kernel
def play_margin(table, n, seat):
    """Points of a seat in the play times (n - 1) minus those of all others: its margin over their mean."""
    total = np.int64(0)
    for other in range(n):
        total += table.gain[other] & TOTAL_MASK
    return n * (table.gain[seat] & TOTAL_MASK) - total


@kernel
def duel_deals(rules, strategies, table, n, seed, start, stop, rows):
    """Duplicates ``start … stop - 1`` of whole deals.

    rows : int64 (K, stop - start, 2 n); columns 0 … n-1: for each seat of the arm its margin there minus the
    baseline's, times n - 1 (a margin is the seat's points minus the mean of the others'); columns n … 2n-1: cards that
    the arm laid otherwise there
    """
    root = stream_key(seed, DEALS)
    for seat in range(n):
        table.mind[seat] = OPPONENT
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        for seat in range(n):
            known = False
            baseline = np.int64(0)
            for arm in range(rows.shape[0]):
                table.mind[seat] = FIRST_ARM + arm
                play_out(rules, strategies, table, n, key, seat)
                changed = table.state[AT_CHANGED]
                value = np.int64(0)
                if changed:
                    value = play_margin(table, n, seat)
                    if not known:
                        table.mind[seat] = BASELINE
                        play_out(rules, strategies, table, n, key, NOBODY)
                        baseline = play_margin(table, n, seat)
                        known = True
                    value -= baseline
                rows[arm, number - start, seat] = value
                rows[arm, number - start, n + seat] = changed
            table.mind[seat] = OPPONENT


@kernel
def duel_games(rules, shows, strategies, table, n, seed, start, stop, rows):
    """Duplicates ``start … stop - 1`` of games to the target; returns how many games were given up as endless.

    rows : int64 (K, stop - start, 2 n); columns 0 … n-1: for each seat of the arm in the first deal, games won by the
    arm minus games won by the baseline (-1, 0 or 1); columns n … 2n-1: cards that the arm laid otherwise there
    """
    root = stream_key(seed, GAMES)
    who = np.full(n, OPPONENT)
    record = np.zeros(len(FIELDS), np.int64)
    endless = 0
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        for seat in range(n):
            known = False
            baseline = np.int64(0)
            for arm in range(rows.shape[0]):
                who[seat] = FIRST_ARM + arm
                play_game(rules, shows, strategies, who, table, n, key, np.int64(seat), np.int64(BASELINE), record)
                endless += record[WINNER] == NOBODY
                changed = record[CHANGED]
                value = np.int64(0)
                if changed:
                    value = np.int64(record[WINNER] == seat)
                    if not known:
                        who[seat] = BASELINE
                        play_game(
                            rules, shows, strategies, who, table, n, key, np.int64(NOBODY), np.int64(BASELINE), record
                        )
                        endless += record[WINNER] == NOBODY
                        baseline = np.int64(record[WINNER] == seat)
                        known = True
                    value -= baseline
                rows[arm, number - start, seat] = value
                rows[arm, number - start, n + seat] = changed
            who[seat] = OPPONENT
    return endless
