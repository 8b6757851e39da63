"""Duplicates of deals by table: where no chance plays and nobody looks at the starter, two hands decide a duplicate.

The tables are filled by the play of the cards itself; a deal then only has to be dealt and looked up.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import DEALS, mix, stream_key
from noddysim.kernels.duels import BASELINE, OPPONENT
from noddysim.kernels.hands import card_at
from noddysim.kernels.pegging import deal_cards, play_cards
from noddysim.kernels.records import AT_CHANGED, AT_LAID, AT_STARTER, NO_RACE, NOBODY
from noddysim.kernels.unrolled import hold


@kernel
def play_pair(rules, minds, table, one, other, watch):
    """Play two hands of ranks by the strategies at the table; side ``watch`` is compared with BASELINE."""
    hold(table, np.int64(0), one, rules.hand)
    hold(table, np.int64(1), other, rules.hand)
    table.state[AT_LAID] = 0
    table.state[AT_STARTER] = 0
    table.state[AT_CHANGED] = 0
    play_cards(
        rules, minds, table, np.int64(2), np.uint64(0), np.int64(NO_RACE), watch, np.int64(BASELINE), np.bool_(False)
    )


@kernel
def fill_duel(rules, minds, table, hands, side, arm, values, changed):
    """The duplicates of an arm at one side, for every two hands.

    hands : int64 (H, hand); values : int16 (H, H), the arm's margin there less the baseline's, nought where no card
    changes; changed : uint8 (H, H), cards that the arm lays otherwise
    """
    nobody = np.int64(NOBODY)
    for one in range(len(hands)):
        for other in range(len(hands)):
            table.mind[0] = table.mind[1] = OPPONENT
            table.mind[side] = arm
            play_pair(rules, minds, table, hands[one], hands[other], np.int64(side))
            moved = table.state[AT_CHANGED]
            value = np.int64(0)
            if moved:
                value = table.score[side] - table.score[1 - side]
                table.mind[side] = BASELINE
                play_pair(rules, minds, table, hands[one], hands[other], nobody)
                value -= table.score[side] - table.score[1 - side]
            values[one, other] = value
            changed[one, other] = moved


@kernel
def look_up_duels(rules, table, number_of, seed, start, stop, values, changed, rows):
    """Duplicates ``start … stop - 1`` of whole deals, as ``duels.duel_deals`` counts them.

    number_of : int64 (13, 13, 13), the hand of three ranks, lowest first; values, changed : (K, 2, H, H) as above;
    rows : int64 (K, stop - start, 4)
    """
    root = stream_key(seed, DEALS)
    numbers = np.zeros(2, np.int64)
    for number in range(start, stop):
        deal_cards(rules, table, np.int64(2), mix(root, np.uint64(number)))
        for seat in range(2):
            hand = table.dealt[seat]
            numbers[seat] = number_of[card_at(hand, 0) >> 2, card_at(hand, 1) >> 2, card_at(hand, 2) >> 2]
        for arm in range(rows.shape[0]):
            for side in range(2):
                rows[arm, number - start, side] = values[arm, side, numbers[0], numbers[1]]
                rows[arm, number - start, 2 + side] = changed[arm, side, numbers[0], numbers[1]]
