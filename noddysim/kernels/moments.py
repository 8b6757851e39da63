"""Counts, sums and sums of squares of many games or duplicates, in one look at each."""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.noddy import CARDS, LEAD_CHANGES, MARGIN, N_DEALS, PHASE, SECOND, WINNER, WINNER_SEAT

METRICS = ("first_dealer", "deals", "cards", "lead_changes", "margin", "games")
"""What is looked at in a game. ``first_dealer`` is 1 if the first dealer's side wins; ``games`` is how many games the
game counts as, by the rule on skunks."""
SPREADS = (N_DEALS, LEAD_CHANGES, MARGIN)
"""Columns of a game's row whose histograms are kept."""
VALUES, SQUARES, CARDS_CHANGED, CARDS_SQUARED, CROSS, OCCASIONS, GAINED, LOST = range(8)
"""Moments of the duplicates of an arm: of their values, of the cards changed, and of both; how many there are in which
a card changed, above nought and below."""


@kernel
def games_worth(second, skunks):
    """How many games a game counts as; second : the losers' best score; skunks : int64 (S, 2), bounds and worths."""
    worth = np.int64(1)
    for band in range(len(skunks)):
        if second < skunks[band, 0]:
            worth = max(worth, skunks[band, 1])
    return worth


@kernel
def add_games(rows, skunks, wins, phase_wins, sums, squares, spreads, metrics):
    """Add up games, given by the rows of ``noddy.FIELDS``; all but the first two are written to.

    wins : int64 (n,) by side in the first deal; phase_wins : int64 (n, P) by side in the last deal and phase; sums,
    squares : int64 (K,) of METRICS; spreads : int64 (3, D), histograms of SPREADS, the last place for all above;
    metrics : int64 (games, K)
    """
    dealer, top, kinds = len(wins) - 1, spreads.shape[1] - 1, metrics.shape[1]
    for game in range(len(rows)):
        winner, deals, changes, margin = (
            rows[game, WINNER], rows[game, N_DEALS], rows[game, LEAD_CHANGES], rows[game, MARGIN]
        )  # fmt: skip
        wins[winner] += 1
        phase_wins[rows[game, WINNER_SEAT], rows[game, PHASE]] += 1
        spreads[0, min(deals, top)] += 1
        spreads[1, min(changes, top)] += 1
        spreads[2, min(margin, top)] += 1
        metrics[game, 0] = winner == dealer
        metrics[game, 1] = deals
        metrics[game, 2] = rows[game, CARDS]
        metrics[game, 3] = changes
        metrics[game, 4] = margin
        metrics[game, 5] = games_worth(rows[game, SECOND], skunks)
        for kind in range(kinds):
            sums[kind] += metrics[game, kind]
            squares[kind] += metrics[game, kind] * metrics[game, kind]


@kernel
def add_duplicates(values, changed, dealt, moments, seats):
    """Add up the duplicates of an arm that are looked up, each as often as its two hands are dealt.

    values : int16 (2, P), by the side at which the arm plays and the place of the hands; changed : uint8 (2, P), cards
    changed; dealt : uint32 (P,), how often the hands are; moments : int64 (8,), written to: the sums named above;
    seats : int64 (3, 2), written to: values, their squares and cards changed by side
    """
    for place in range(len(dealt)):
        times = np.int64(dealt[place])
        one, other = np.int64(values[0, place]), np.int64(values[1, place])
        cards, more = np.int64(changed[0, place]), np.int64(changed[1, place])
        if times and (cards or more):
            value, both = one + other, cards + more
            moments[VALUES] += times * value
            moments[SQUARES] += times * value * value
            moments[CARDS_CHANGED] += times * both
            moments[CARDS_SQUARED] += times * both * both
            moments[CROSS] += times * value * both
            moments[OCCASIONS] += times
            moments[GAINED] += times if value > 0 else 0
            moments[LOST] += times if value < 0 else 0
            seats[0, 0] += times * one
            seats[0, 1] += times * other
            seats[1, 0] += times * one * one
            seats[1, 1] += times * other * other
            seats[2, 0] += times * cards
            seats[2, 1] += times * more


@kernel
def add_scale(values, dealt, sums, products):
    """Add up the values of three arms; values : int16 (3, 2, P); sums : int64 (3,); products : int64 (3, 3)."""
    for place in range(len(dealt)):
        times = np.int64(dealt[place])
        if times:
            for one in range(3):
                value = times * (np.int64(values[one, 0, place]) + np.int64(values[one, 1, place]))
                sums[one] += value
                for other in range(3):
                    products[one, other] += value * (
                        np.int64(values[other, 0, place]) + np.int64(values[other, 1, place])
                    )
