"""Duplicates of deals and of games: an arm and its baseline in each seat in turn, on the same cards.

Strategy 0 is the arm, 1 the baseline, 2 the opponent in all other seats. Where the baseline would lay the same ranks as
the arm at every turn, both games are one game and are played once.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import DEALS, GAMES, mix, stream_key
from noddysim.kernels.noddy import CHANGED, FIELDS, WINNER, margin_of, play_game, whole_deal
from noddysim.kernels.pegging import NOBODY, deal_cards
from noddysim.kernels.records import AT_CHANGED


@kernel
def duel_deals(rules, shows, strategies, table, n, seed, start, stop, rows):
    """Duplicates ``start … stop - 1`` of whole deals.

    rows : int64 (stop - start, 2 n); columns 0 … n-1: for each seat of the arm its margin there minus the baseline's,
    times n - 1 (a margin is the seat's points minus the mean of the others'); columns n … 2n-1: cards changed there
    """
    root = stream_key(seed, DEALS)
    who = np.full(n, 2)
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        for seat in range(n):
            who[seat] = 0
            whole_deal(rules, shows, strategies, who, table, n, key, seat, 1)
            changed = table.state[AT_CHANGED]
            value = np.int64(0)
            if changed:
                value = margin_of(table, n, seat)
                who[seat] = 1
                whole_deal(rules, shows, strategies, who, table, n, key, NOBODY, 0)
                value -= margin_of(table, n, seat)
            who[seat] = 2
            rows[number - start, seat] = value
            rows[number - start, n + seat] = changed


@kernel
def duel_games(rules, shows, strategies, table, n, seed, start, stop, rows):
    """Duplicates ``start … stop - 1`` of games to the target; returns how many games were given up as endless.

    rows : int64 (stop - start, 2 n); columns 0 … n-1: for each seat of the arm in the first deal, games won by the arm
    minus games won by the baseline (-1, 0 or 1); columns n … 2n-1: cards changed there
    """
    root = stream_key(seed, GAMES)
    who = np.full(n, 2)
    record = np.zeros(len(FIELDS), np.int64)
    endless = 0
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        for seat in range(n):
            who[seat] = 0
            play_game(rules, shows, strategies, who, table, n, key, seat, 1, record)
            changed = record[CHANGED]
            value = np.int64(0)
            endless += record[WINNER] == NOBODY
            if changed:
                value = np.int64(record[WINNER] == seat)
                who[seat] = 1
                play_game(rules, shows, strategies, who, table, n, key, NOBODY, 0, record)
                endless += record[WINNER] == NOBODY
                value -= np.int64(record[WINNER] == seat)
            who[seat] = 2
            rows[number - start, seat] = value
            rows[number - start, n + seat] = changed
    return endless
