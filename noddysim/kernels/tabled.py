"""Play by table: where no chance plays and ranks alone are looked at, two hands and the starter's rank decide the play.

The tables are filled by the play of the cards itself, for every two hands of three. Then a deal only has to be dealt
and looked up (``kernels.lookup``): its awards are kept in their order, so that a game can be stopped at the right one
(``kernels.lookup_games``).
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.choose import LAST_AT
from noddysim.kernels.compiler import kernel
from noddysim.kernels.duels import BASELINE, OPPONENT
from noddysim.kernels.hands import NO_CARDS, with_card
from noddysim.kernels.pegging import play_cards
from noddysim.kernels.records import (
    AT_CHANGED,
    AT_LAID,
    AT_STARTER,
    NO_RACE,
    NOBODY,
    PLAY_MASK,
    TOTAL_MASK,
)
from noddysim.kernels.show import cards_points, table_index, table_points
from noddysim.kernels.unrolled import hold, lay

CARD_BITS, SEAT_AT, LAST_AWARD_AT, MOST_FIRST, MOST_LAST = 10, 9, 5, 31, 15
"""A code of a play holds ten bits a card: what it scores, what it scores for being the last, and whose it is."""
MOST_CARDS = 6
LAID_AT = CARD_BITS * MOST_CARDS
"""Above them stands how many cards are laid."""
NO_CODE = -1


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
def code_of(table):
    """The play that has just ended as a code, or NO_CODE if its points do not fit."""
    code = np.int64(table.state[AT_LAID]) << LAID_AT
    for card in range(table.state[AT_LAID]):
        last = (table.points[card] >> LAST_AT) & PLAY_MASK
        first = (table.points[card] & TOTAL_MASK) - last
        if first > MOST_FIRST or last > MOST_LAST:
            return np.int64(NO_CODE)
        award = first | (last << LAST_AWARD_AT) | (np.int64(table.seats[card]) << SEAT_AT)
        code |= award << (CARD_BITS * card)
    return code


@kernel
def fill_play(rules, minds, who, table, starter, hands, first, last, codes, gains):
    """The play of every two hands by two strategies without chance, for pone's hands ``first … last - 1``.

    who : int64 (2,), the strategies of pone and dealer; starter : its rank; hands : int64 (H, 3), ranks, lowest first;
    codes : int64 (H, H), ``code_of``; gains : int64 (H, H, 2), packed points of both
    """
    table.mind[0], table.mind[1] = who[0], who[1]
    table.state[AT_STARTER] = 4 * starter
    for one in range(first, last):
        for other in range(len(hands)):
            hold(table, np.int64(0), hands[one], rules.hand)
            hold(table, np.int64(1), hands[other], rules.hand)
            lay(rules, minds, table, False)
            codes[one, other] = code_of(table)
            gains[one, other, 0], gains[one, other, 1] = table.gain[0], table.gain[1]


@kernel
def fill_shows(rules, shows, hands, suited, base, extra):
    """The show of three cards, by ranks and by suits.

    hands : int64 (455, 3), ranks; base : int64 (455, 13), receives the packed points that ranks make with a starter;
    suited : int64 (C, 4), cards and a starter of each class of suits; extra : int64 (C,), receives those of suits
    """
    for number in range(len(hands)):
        held = np.int64(NO_CARDS)
        for place in range(3):
            held = with_card(held, place, 4 * hands[number, place])
        for starter in range(13):
            base[number, starter] = table_points(shows, table_index(held, np.int64(3), 4 * starter))
    for one in range(len(suited)):
        held = np.int64(NO_CARDS)
        for place in range(3):
            held = with_card(held, place, suited[one, place])
        extra[one] = cards_points(rules, held, np.int64(3), suited[one, 3])
