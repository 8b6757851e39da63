"""Games whose plays and shows are looked up: several hundred side by side, deal by deal, a lane for each game.

Whatever a deal brings is given to all games at once, award by award in the order of the rules, without a branch
(``kernels.blocks`` says why): to a game that is won already it gives nothing. A game that ends makes room for the next.
Each function does its part for all lanes, also where that is rare: an array that is handed to a function, or taken out
of a tuple, has its references counted, which takes longer than what is done with one game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noddysim.kernels.blocks import BLOCK
from noddysim.kernels.compiler import inlined, kernel, wide
from noddysim.kernels.dealing import GAMES, mix, stream_key
from noddysim.kernels.lanes import HANDS, RANK_AT, deal_hands, look_at_shows, new_lanes
from noddysim.kernels.noddy import (
    CARDS,
    CHANGED,
    LEAD_CHANGES,
    MARGIN,
    MAX_DEALS,
    N_DEALS,
    PHASE,
    SECOND,
    WINNER,
    WINNER_SEAT,
)
from noddysim.kernels.records import HEELS, NOBODY, PLAY
from noddysim.kernels.tabled import CARD_BITS, LAID_AT, LAST_AWARD_AT, MOST_CARDS, MOST_FIRST, MOST_LAST, SEAT_AT

PONE, DEALER, LEADER, CHANGES, LAID, WON = range(6)
"""Rows of the state of the games: points of both seats, which of them leads, how often that has changed, cards laid in
this deal, and the phase in which the game was won. Rows begin with the seats, so that a seat is a row."""
ROWS = 6
CARD_ROWS, COUNT_ROW, PONE_ROW, DEALER_ROW, TURNED_ROW, TURNED_SEAT_ROW, NOUGHT_ROW, ONE_ROW = 0, 6, 7, 8, 9, 10, 11, 12
"""Rows of what a deal brings: the code of each card, how many there are, points of both shows, points of the turned
card and whose they are, noughts and ones."""
DEAL_ROWS = 13

GOING, NEITHER = np.int16(-1), np.int16(2)
"""Not won yet; the leader before anyone is ahead."""
ZERO, ONE = np.int16(0), np.int16(1)
CARD_MASK = np.int64((1 << CARD_BITS) - 1)
FIRST_MASK, LAST_MASK, LAST_SHIFT, SEAT_SHIFT = (
    np.int16(MOST_FIRST), np.int16(MOST_LAST), np.int16(LAST_AWARD_AT), np.int16(SEAT_AT)
)  # fmt: skip
MOST_SCORE = 32_767
"""Points of a seat fit 16 bits; so do changes of the lead, of which each takes a point."""


class KnownDeals(NamedTuple):
    """What is known of every deal of two persons."""

    number: Any
    """uint16 (1 or 2, 1 or 13 times HANDS * HANDS): the number of the play at every place, with person 0 as pone and
    with person 1; one row serves persons of one strategy."""
    code: Any
    """int64 (N,): the code of every play."""
    total: Any
    """uint16 (PLACES,): all points of the show at every place."""
    turned: Any
    """int64 (2, 13): points for the turned card, and the seat that has them."""


class Field(NamedTuple):
    """Games under way, a lane each."""

    games: Any
    """int16 (ROWS, BLOCK): their state."""
    laid: Any
    """int32 (BLOCK,): cards laid in the deals before this one."""
    number: Any
    """int64 (BLOCK,): their numbers."""
    key: Any
    """uint64 (BLOCK,): their keys."""
    deal: Any
    """int64 (BLOCK,): the number of the deal that is played, from 0 on."""
    codes: Any
    """int64 (BLOCK,): the codes of the plays of the deal."""
    brings: Any
    """int16 (DEAL_ROWS, BLOCK): what the deal brings."""


@kernel
def new_field():
    """A field of games none of which goes on."""
    field = Field(
        np.zeros((ROWS, BLOCK), np.int16),
        np.zeros(BLOCK, np.int32),
        np.zeros(BLOCK, np.int64),
        np.zeros(BLOCK, np.uint64),
        np.zeros(BLOCK, np.int64),
        np.zeros(BLOCK, np.int64),
        np.zeros((DEAL_ROWS, BLOCK), np.int16),
    )
    field.brings[ONE_ROW] = 1
    return field


@wide
def next_keys(key, deal, keys):
    """The keys of the deals that come next."""
    for i in range(BLOCK):
        keys[i] = mix(key[i], np.uint64(deal[i]))


@inlined
def given(game, seat, points, more, target, phase):
    """A game after points for a seat, and more points if those do not win it; nothing changes in a game that is won.

    game : points of pone and dealer, leader, changes of the lead, phase won in; all int16
    """
    one, two, leader, changes, won = game
    own, other = (two, one) if seat else (one, two)
    going = won == GOING
    own = np.int16(own + (points if going else ZERO))
    own = np.int16(own + (more if going & (own < target) else ZERO))
    overtakes = (own > other) & (leader != seat)
    changes = np.int16(changes + (ONE if overtakes & (leader != NEITHER) else ZERO))
    leader = seat if overtakes else leader
    won = phase if going & (own >= target) else won
    return other if seat else own, own if seat else other, leader, changes, won


@wide
def award(games, seats, points, target, phase):
    """Give points to a seat of every game; seats, points : int16 (BLOCK,); target, phase : int16."""
    for i in range(BLOCK):
        game = games[PONE, i], games[DEALER, i], games[LEADER, i], games[CHANGES, i], games[WON, i]
        one, two, leader, changes, won = given(game, seats[i], points[i], ZERO, target, phase)
        games[PONE, i], games[DEALER, i], games[LEADER, i] = one, two, leader
        games[CHANGES, i], games[WON, i] = changes, won


@wide
def award_card(games, codes, counts, card, target, phase):
    """Give what a card brings in every game, and count it as laid; codes : int16 (BLOCK,), of card number ``card``."""
    for i in range(BLOCK):
        code, going = codes[i], games[WON, i] == GOING
        first, last = np.int16(code & FIRST_MASK), np.int16(np.int16(code >> LAST_SHIFT) & LAST_MASK)
        games[LAID, i] = np.int16(games[LAID, i] + (ONE if going & (counts[i] > card) else ZERO))
        game = games[PONE, i], games[DEALER, i], games[LEADER, i], games[CHANGES, i], games[WON, i]
        one, two, leader, changes, won = given(game, np.int16(code >> SEAT_SHIFT), first, last, target, phase)
        games[PONE, i], games[DEALER, i], games[LEADER, i] = one, two, leader
        games[CHANGES, i], games[WON, i] = changes, won


@wide
def part_codes(codes, brings):
    """Part the codes of whole plays into those of their cards."""
    for i in range(BLOCK):
        code = codes[i]
        brings[0, i] = np.int16(code & CARD_MASK)
        brings[1, i] = np.int16((code >> CARD_BITS) & CARD_MASK)
        brings[2, i] = np.int16((code >> (2 * CARD_BITS)) & CARD_MASK)
        brings[3, i] = np.int16((code >> (3 * CARD_BITS)) & CARD_MASK)
        brings[4, i] = np.int16((code >> (4 * CARD_BITS)) & CARD_MASK)
        brings[5, i] = np.int16((code >> (5 * CARD_BITS)) & CARD_MASK)
        brings[COUNT_ROW, i] = np.int16(code >> LAID_AT)


@wide
def change_seats(games, laid, deal):
    """Pone deals next."""
    for i in range(BLOCK):
        one, other, leader, cards = games[PONE, i], games[DEALER, i], games[LEADER, i], games[LAID, i]
        games[PONE, i], games[DEALER, i], games[LAID, i] = other, one, ZERO
        games[LEADER, i] = NEITHER if leader == NEITHER else np.int16(ONE - leader)
        laid[i] += cards
        deal[i] += 1


@kernel
def begin_games(field, lanes, head_start, root, first, stop):
    """Begin games ``first … stop - 1`` in some lanes, one in each, from the last lane down; person 0 is pone at first.

    lanes : int64 (>= stop - first,)
    """
    games, laid, number, key, deal = field.games, field.laid, field.number, field.key, field.deal
    one, other = head_start[0], head_start[1]
    for game in range(first, stop):
        lane = lanes[len(lanes) - 1 - (game - first)]
        games[PONE, lane], games[DEALER, lane] = one, other
        games[LEADER, lane] = NEITHER if one == other else 0 if one > other else 1
        games[CHANGES, lane], games[LAID, lane], games[WON, lane] = 0, 0, GOING
        laid[lane], deal[lane] = 0, 0
        number[lane], key[lane] = game, mix(root, np.uint64(game))


@kernel
def find_ended(won, deal, going, late, ended):
    """Write the lanes whose games are won, or ``late`` given up, to ``ended``; returns how many."""
    gone = 0
    for lane in range(going):
        if won[lane] != GOING or (late and deal[lane] == MAX_DEALS - 1):
            ended[gone] = lane
            gone += 1
    return gone


@kernel
def finish(field, ended, records, start):
    """Write the rows of games that have ended, in the order of ``noddy.FIELDS``; returns how many have no winner.

    The first row is that of game ``start``.
    """
    games, laid, number, deal = field.games, field.laid, field.number, field.deal
    endless = np.int64(0)
    for lane in ended:
        one, other, phase = np.int64(games[PONE, lane]), np.int64(games[DEALER, lane]), games[WON, lane]
        row, seat = number[lane] - start, 0 if one > other else 1
        records[row, WINNER] = seat ^ (deal[lane] & 1) if phase != GOING else NOBODY
        records[row, N_DEALS] = deal[lane] + 1
        records[row, CARDS] = np.int64(laid[lane]) + games[LAID, lane]
        records[row, LEAD_CHANGES] = games[CHANGES, lane]
        records[row, PHASE] = phase
        records[row, MARGIN] = abs(one - other)
        records[row, CHANGED] = 0
        records[row, WINNER_SEAT] = seat
        records[row, SECOND] = min(one, other)
        endless += phase == GOING
    return endless


@kernel
def look_up(field, lanes, going, known):
    """Look up what the deals of the first ``going`` lanes bring."""
    starters, pairs, places, others = lanes.block[0, 0], lanes.pairs, lanes.shows[0], lanes.shows[1]
    codes, deal, numbers = field.codes, field.deal, lanes.numbers[0]
    pone, dealer = field.brings[PONE_ROW], field.brings[DEALER_ROW]
    points, seats = field.brings[TURNED_ROW], field.brings[TURNED_SEAT_ROW]
    number, code, total = known.number, known.code, known.total
    turned, whose = known.turned[0], known.turned[1]
    last = len(number) - 1
    # Apart, so that the processor waits for many places of the large table at a time.
    for i in range(going):
        numbers[i] = number[deal[i] & last, pairs[i]]
    for i in range(going):
        codes[i] = code[numbers[i]]
        pone[i], dealer[i] = total[places[i]], total[others[i]]
        points[i], seats[i] = turned[starters[i] >> RANK_AT], whose[starters[i] >> RANK_AT]


@kernel
def play_deal(rules, field):
    """Give what a deal brings, in the order of the rules."""
    games, brings = field.games, field.brings
    counts, nought, one = brings[COUNT_ROW], brings[NOUGHT_ROW], brings[ONE_ROW]
    target = np.int16(rules.target)
    part_codes(field.codes, brings)
    for turn in range(3):
        phase = np.int16(rules.order[turn])
        if phase == PLAY:
            for card in range(MOST_CARDS):
                award_card(games, brings[CARD_ROWS + card], counts, np.int16(card), target, phase)
        elif phase == HEELS:
            award(games, brings[TURNED_SEAT_ROW], brings[TURNED_ROW], target, phase)
        else:
            award(games, nought, brings[PONE_ROW], target, phase)
            award(games, one, brings[DEALER_ROW], target, phase)


@kernel
def move_game(field, lane, source):
    """Put the game of another lane into this one."""
    for row in range(ROWS):
        field.games[row, lane] = field.games[row, source]
    field.number[lane], field.key[lane] = field.number[source], field.key[source]
    field.laid[lane], field.deal[lane] = field.laid[source], field.deal[source]


@kernel
def record_games_known(rules, known, table, seed, start, stop, records):
    """As ``noddy.record_games`` for two persons, looked up; returns how many games nobody wins.

    records : int64 (stop - start, len(FIELDS)), written to
    """
    root = stream_key(seed, GAMES)
    lanes, field = new_lanes(), new_field()
    games, won, laid, deal, key = field.games, field.games[WON], field.laid, field.deal, field.key
    ended = np.arange(BLOCK)
    by_starter = known.number.shape[1] > HANDS * HANDS
    going = min(np.int64(BLOCK), stop - start)
    following = start + going
    begin_games(field, ended[:going], rules.head_start, root, start, following)
    rounds, endless = np.int64(0), np.int64(0)
    while going:
        next_keys(key, deal, lanes.keys)
        deal_hands(lanes, table, by_starter)
        look_at_shows(lanes)
        look_up(field, lanes, going, known)
        play_deal(rules, field)
        rounds += 1
        gone = find_ended(won, deal, going, rounds >= MAX_DEALS, ended)
        endless += finish(field, ended[:gone], records, start)
        change_seats(games, laid, deal)
        begun = min(gone, stop - following)
        begin_games(field, ended[:gone], rules.head_start, root, following, following + begun)
        following += begun
        # From the last lane down, so that what is moved into a lane that is left empty is a game that goes on.
        for place in range(gone - begun - 1, -1, -1):
            going -= 1
            move_game(field, ended[place], going)
    return endless
