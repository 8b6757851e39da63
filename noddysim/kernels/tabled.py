"""Play by table: where no chance plays and ranks alone are looked at, two hands and the starter's rank decide the play.

The tables are filled by the play of the cards itself, for every two hands of three. Then a deal only has to be dealt
(``kernels.blocks``) and looked up: its awards are kept in their order, so that a game can be stopped at the right one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noddysim.kernels.blocks import BLOCK, deal_block, deal_keys
from noddysim.kernels.choose import LAST_AT
from noddysim.kernels.compiler import inlined, kernel, wide
from noddysim.kernels.dealing import DEALS, GAMES, mix, stream_key
from noddysim.kernels.duels import BASELINE, OPPONENT
from noddysim.kernels.hands import NO_CARDS, with_card
from noddysim.kernels.noddy import (
    AT_DEAL_TOTAL,
    CARDS,
    CHANGED,
    LEAD_CHANGES,
    MARGIN,
    MAX_DEALS,
    N_DEALS,
    PHASE,
    PLAY_NOTES,
    SECOND,
    SHOW_NOTES,
    WINNER,
    WINNER_SEAT,
    count_nothing,
    note_anew,
    noted,
    spread_notes,
)
from noddysim.kernels.pegging import play_cards
from noddysim.kernels.records import (
    AT_CHANGED,
    AT_LAID,
    AT_STARTER,
    HEELS,
    NO_RACE,
    NOBODY,
    PLAY,
    PLAY_MASK,
    TOTAL_MASK,
)
from noddysim.kernels.show import cards_points, table_index, table_points
from noddysim.kernels.unrolled import hold, lay

CARD_BITS, SEAT_AT, LAST_AWARD_AT, MOST_FIRST, MOST_LAST = 10, 9, 5, 31, 15
"""A code of a play holds ten bits a card: what it scores, what it scores for being the last, and whose it is."""
LAID_AT = 60
"""Above them stands how many cards are laid."""
NO_CODE = -1


class Known(NamedTuple):
    """What is known of every deal of two hands of three by ranks."""

    number: Any
    """int16 (2197,): the number of the hand of three ranks, in any order, first * 169 + second * 13 + third."""
    turned: Any
    """int64 (13, 2): points of pone and dealer for the turned card; at most one of them has any."""
    base: Any
    """int64 (455, 13): packed points that the ranks of a hand and the starter make in the show."""


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
def fill_shown(shows, hands, base):
    """Packed points of the show by ranks alone; base : int64 (H, 13)."""
    for number in range(len(hands)):
        held = np.int64(NO_CARDS)
        for place in range(3):
            held = with_card(held, place, 4 * hands[number, place])
        for starter in range(13):
            base[number, starter] = table_points(shows, table_index(held, np.int64(3), 4 * starter))


# --- deals ------------------------------------------------------------------------------------------------------------
#
# What is done for every deal is written into the loops (``inlined``), and arrays are taken out of ``Known`` once: an
# array that is handed to a function has its references counted, which takes longer than all the rest.


@inlined
def hand_number(numbers, cards, i, seat):
    """The number of a seat's hand in column ``i`` of a block: its cards are dealt in turn, behind the starter."""
    one, two, three = cards[1 + seat, i] >> 2, cards[3 + seat, i] >> 2, cards[5 + seat, i] >> 2
    return np.int64(numbers[(np.int64(one) * 13 + two) * 13 + three])


@inlined
def held_by(cards, i, seat):
    """A seat's three cards in column ``i`` of a block, in one integer."""
    held = np.int64(NO_CARDS)
    for place in range(3):
        held = with_card(held, place, np.int64(cards[1 + seat + 2 * place, i]))
    return held


@kernel
def count_pairs(known, table, seed, start, stop, counts):
    """Count deals ``start … stop - 1`` by the hands of pone and dealer; counts : uint32 (H * H,), added to."""
    root = stream_key(seed, DEALS)
    keys = np.empty(BLOCK, np.uint64)
    block = np.empty((3, 7, BLOCK), np.uint8)
    cards, numbers = block[0], known.number
    size = known.base.shape[0]
    for first in range(start, stop, BLOCK):
        number = min(BLOCK, stop - first)
        deal_keys(root, np.uint64(first), keys)
        deal_block(keys, number, block, table)
        for i in range(number):
            counts[hand_number(numbers, cards, i, 0) * size + hand_number(numbers, cards, i, 1)] += 1


@kernel
def count_deals_known(rules, known, gains, table, seed, start, stop, by_source, lost):
    """As ``noddy.count_deals``, looked up; gains : int64 (1 or 13, H, H, 2), by rank of the starter if they differ."""
    root = stream_key(seed, DEALS)
    keys = np.empty(BLOCK, np.uint64)
    block = np.empty((3, 7, BLOCK), np.uint8)
    cards, numbers, turned, base = block[0], known.number, known.turned, known.base
    apart = len(gains) > 1
    for first in range(start, stop, BLOCK):
        number = min(BLOCK, stop - first)
        deal_keys(root, np.uint64(first), keys)
        deal_block(keys, number, block, table)
        for i in range(number):
            starter = np.int64(cards[0, i])
            rank = starter >> 2
            one, other = hand_number(numbers, cards, i, 0), hand_number(numbers, cards, i, 1)
            for seat in range(2):
                played = gains[rank if apart else 0, one, other, seat]
                shown = base[one if seat == 0 else other, rank]
                shown += cards_points(rules, held_by(cards, i, seat), np.int64(3), starter)
                if not noted(table, np.int64(seat), np.int64(PLAY_NOTES), played):
                    note_anew(table, by_source, np.int64(seat), np.int64(PLAY_NOTES), played, lost)
                if not noted(table, np.int64(seat), np.int64(SHOW_NOTES), shown):
                    note_anew(table, by_source, np.int64(seat), np.int64(SHOW_NOTES), shown, lost)
                heels = turned[rank, seat]
                total = heels + (played & TOTAL_MASK) + (shown & TOTAL_MASK)
                if total < by_source.shape[2]:
                    by_source[seat, 0, heels] += 1
                    by_source[seat, AT_DEAL_TOTAL, total] += 1
                else:
                    lost[0] += 1
    spread_notes(table, by_source, np.int64(2), lost)
    count_nothing(rules, by_source, np.int64(2), stop - start)


# --- games ------------------------------------------------------------------------------------------------------------

LEADER, CHANGES, LAID = 2, 3, 4
"""Behind the scores of both persons: who is ahead, how often that has changed, cards laid in earlier deals."""


@inlined
def give(games, game, person, points):
    """Give points to a person of a game and note a change of the lead; his score."""
    score = games[game, person] + points
    games[game, person] = score
    if games[game, LEADER] != person and score > games[game, 1 - person]:
        games[game, CHANGES] += games[game, LEADER] != NOBODY
        games[game, LEADER] = person
    return score


@inlined
def give_play(games, game, code, pone, target):
    """Give the points of a play in their order; how many cards are laid when the target is reached, 0 if it is not."""
    laid = code >> LAID_AT
    stopped = np.int64(0)
    card = np.int64(0)
    while card < laid:
        first, last = code & MOST_FIRST, (code >> LAST_AWARD_AT) & MOST_LAST
        person = pone ^ ((code >> SEAT_AT) & 1)
        card += 1
        code >>= CARD_BITS
        if (first and give(games, game, person, first) >= target) or (
            last and give(games, game, person, last) >= target
        ):
            stopped = card
            card = laid
    return stopped


@kernel
def finish(games, game, deals, phase, pone, target, records, row):
    """Write the row of a game that has been won, in the order of ``noddy.FIELDS``."""
    winner = 0 if games[game, 0] >= target else 1
    records[row, WINNER] = winner
    records[row, N_DEALS] = deals
    records[row, CARDS] = games[game, LAID]
    records[row, LEAD_CHANGES] = games[game, CHANGES]
    records[row, PHASE] = phase
    records[row, MARGIN] = games[game, winner] - games[game, 1 - winner]
    records[row, CHANGED] = 0
    records[row, WINNER_SEAT] = 0 if winner == pone else 1
    records[row, SECOND] = games[game, 1 - winner]


@kernel
def begin_games(rules, games, alive, number):
    """Scores of ``number`` games before their first card."""
    one, other = rules.head_start[0], rules.head_start[1]
    leader = NOBODY if one == other else 0 if one > other else 1
    for i in range(number):
        alive[i] = i
        games[i, 0], games[i, 1], games[i, LEADER], games[i, CHANGES], games[i, LAID] = one, other, leader, 0, 0


@wide
def next_keys(game_keys, alive, number, deal, keys):
    """The keys of deal number ``deal`` of the games that go on."""
    for i in range(number):
        keys[i] = mix(game_keys[alive[i]], deal)


@kernel
def record_games_known(rules, known, codes, table, seed, start, stop, records):
    """As ``noddy.record_games`` for two persons, looked up; a block of games goes on side by side, deal by deal.

    codes : int64 (2, 1 or 13, H, H), person 0 being pone, and person 1; records : int64 (stop - start, len(FIELDS))
    """
    root = stream_key(seed, GAMES)
    keys, game_keys = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    block = np.empty((3, 7, BLOCK), np.uint8)
    games = np.zeros((BLOCK, 5), np.int64)
    alive = np.zeros(BLOCK, np.int64)
    cards, numbers, turned, base = block[0], known.number, known.turned, known.base
    apart = codes.shape[1] > 1
    target = rules.target
    for first in range(start, stop, BLOCK):
        number = min(BLOCK, stop - first)
        deal_keys(root, np.uint64(first), game_keys)
        begin_games(rules, games, alive, number)
        pone = np.int64(0)
        deal = 0
        while number and deal < MAX_DEALS:
            next_keys(game_keys, alive, number, np.uint64(deal), keys)
            deal_block(keys, number, block, table)
            deal += 1
            left = 0
            for i in range(number):
                game = alive[i]
                starter = np.int64(cards[0, i])
                rank = starter >> 2
                one, other = hand_number(numbers, cards, i, 0), hand_number(numbers, cards, i, 1)
                won = np.int64(NOBODY)
                laid = np.int64(0)
                for turn in range(3):
                    phase = rules.order[turn]
                    if won != NOBODY:
                        continue
                    if phase == PLAY:
                        code = codes[pone, rank if apart else 0, one, other]
                        laid = give_play(games, game, code, pone, target)
                        if laid:
                            won = np.int64(PLAY)
                        else:
                            laid = code >> LAID_AT
                        continue
                    for seat in range(2):
                        if phase == HEELS:
                            points = turned[rank, seat]
                        else:
                            held = held_by(cards, i, seat)
                            points = base[one if seat == 0 else other, rank]
                            points = (points + cards_points(rules, held, np.int64(3), starter)) & TOTAL_MASK
                        if won == NOBODY and points and give(games, game, pone ^ seat, points) >= target:
                            won = np.int64(phase)
                games[game, LAID] += laid
                if won == NOBODY:
                    alive[left] = game
                    left += 1
                else:
                    finish(games, game, deal, won, pone, target, records, first - start + game)
            number = left
            pone = 1 - pone
        for i in range(number):
            records[first - start + alive[i], WINNER] = NOBODY
