"""A choice of the games in which melds or sets are laid, tried out: the unseen cards dealt anew many times.

Every candidate is tried on the same cards. The others are taken to hold three cards, any of the unseen ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import mix, stream_key
from noddysim.kernels.laying import take_up
from noddysim.kernels.melding import (
    EVENT_COLUMNS,
    FULL_HAND,
    M_WINNER,
    lay_found,
    lay_melds,
    pass_scores_on,
    play_meld_deals,
)
from noddysim.kernels.melding import end_turn as end_meld_turn
from noddysim.kernels.melding import take_turns as take_meld_turns
from noddysim.kernels.melds import N_KINDS
from noddysim.kernels.records import NOBODY, PACK
from noddysim.kernels.rollout import ROLLOUTS, next_unseen
from noddysim.kernels.sets import (
    N_RANKS,
    NO_RANK,
    S_WINNERS,
    SET_COLUMNS,
    end_turn,
    fill_hand,
    lay_set,
    lay_sets,
    play_set_deals,
    take_turns,
    throw_card,
    winners_of,
)

DRAW = -1
"""Stands for the kind of a meld: none is laid, a card is drawn."""
THROW = 3
"""Stands for the source of a set: none is laid, a card is thrown away."""
PASS = -1
"""Stands for the source of a set: nothing is laid, and nothing can be thrown."""
RECORD = 16
"""More places than any record of a game has."""


class LayingPlan(NamedTuple):
    """What is known before a turn of one seat."""

    seat: Any
    """int64: who is to play."""
    hand: Any
    """int64 (h,): his cards, lowest first."""
    pile: Any
    """int64 (s,): cards laid in melds, of which a new stock may be made; or the discards, the top one last."""
    unseen: Any
    """int64 (U,): all other cards."""
    stock: Any
    """int64: 1 if there are cards to draw."""
    starter: Any
    """int64: the turned card of the melding game."""
    choices: Any
    """int64 (C, 4): a meld's set, kind and points; or a set's source, its places in the hand and points; or a throw."""
    scores: Any
    """int64 (n,): scores as they stand, by seat."""


@kernel
def stack(table, plan, pack, key, pool):
    """Lay the pack so that the cards seen come first, and behind them the unseen ones as they fall.

    The swaps of the shuffle are nought for the places already drawn: what comes later goes on from there.
    """
    for i in range(len(plan.unseen)):
        pool[i] = plan.unseen[i]
    place = pack - len(pool)
    for i in range(len(pool)):
        table.deck[place + i] = next_unseen(pool, key, np.int64(i))
    table.digits[:] = 0
    table.drawn = place


@kernel
def hand_out(table, plan, n, pack):
    """Give every seat its cards: the one who chooses his own, the others three from the top."""
    for seat in range(n):
        table.held[seat] = 0
        table.person[seat] = seat
        if seat == plan.seat:
            for i in range(len(plan.hand)):
                take_up(table, seat, plan.hand[i])
        else:
            for _ in range(FULL_HAND):
                if table.drawn < pack:
                    take_up(table, seat, table.deck[table.drawn])
                    table.drawn += 1
    if not plan.stock:
        table.drawn = pack


@kernel
def set_in_order(table):
    """Put the pack in its standing order."""
    for place in range(len(table.deck)):
        table.deck[place] = place


@kernel
def roll_melds(rules, minds, who, table, search, n, plan, seed, start, stop, wins):
    """Try every choice of a turn of the melding game; wins : int64 (stop - start, C), 1 for a game won.

    who : int64 (n,), strategy of each seat
    """
    root = stream_key(seed, ROLLOUTS)
    log = np.zeros((0, EVENT_COLUMNS), np.int64)
    record = np.zeros(RECORD, np.int64)
    by_kind = np.zeros((n, 2, N_KINDS), np.int64)
    by_jack = np.zeros(n, np.int64)
    pool = np.zeros(len(plan.unseen), np.int64)
    for number in range(start, stop):
        game_key = mix(root, np.uint64(number))
        key = mix(game_key, np.uint64(0))
        for option in range(len(plan.choices)):
            stack(table, plan, np.int64(PACK), key, pool)
            hand_out(table, plan, n, np.int64(PACK))
            winner = meld_turns(rules, minds, who, table, search, n, plan, option, key, log, record, by_kind)
            set_in_order(table)
            if winner == NOBODY:
                record[M_WINNER] = NOBODY
                pass_scores_on(table, n)
                play_meld_deals(
                    rules,
                    minds,
                    who,
                    table,
                    search,
                    n,
                    np.int64(1),
                    np.int64(0),
                    game_key,
                    log,
                    record,
                    by_kind,
                    by_jack,
                )
                winner = record[M_WINNER]
            wins[number - start, option] = winner == plan.seat


@kernel
def meld_turns(rules, minds, who, table, search, n, plan, option, key, log, record, by_kind):
    """The rest of the deal, after one choice; the seat that has reached the target, or NOBODY."""
    table.trump = plan.starter
    table.trump_there = 1
    table.n_laid = 0
    for i in range(len(plan.pile)):
        table.laid[i] = plan.pile[i]
        table.n_laid += 1
    table.stock_at = 0
    table.stock_end = 0
    table.reshuffles = 0
    table.turn = 0
    table.turns = n
    table.melds_laid = 0
    table.logged = 0
    for seat in range(n):
        table.mind[seat] = who[seat]
        table.score[seat] = plan.scores[seat]
    laid = np.int64(0)
    seat = plan.seat
    if plan.choices[option, 1] != DRAW:
        search.held = len(plan.hand)
        for i in range(search.held):
            search.hand[i] = plan.hand[i]
        search.trump = plan.starter
        search.found_mask = plan.choices[option, 0]
        search.found_kind = plan.choices[option, 1]
        search.found_points = plan.choices[option, 2]
        if lay_found(rules, table, search, n, seat, log, by_kind):
            return seat
        laid = lay_melds(rules, minds, table, search, n, seat, np.int64(1), key, log, by_kind)
        if laid < 0:
            return seat
    nought = np.int64(0)
    passes = np.int64(1) if end_meld_turn(rules, table, seat, laid, key, log, record) else nought
    seat = seat + 1 if seat + 1 < n else nought
    return take_meld_turns(rules, minds, table, search, n, seat, passes, key, log, record, by_kind)


@kernel
def roll_sets(rules, minds, who, table, n, plan, own_cards, own_ranks, race, share, seed, start, stop, margins, wins):
    """Try every choice of a turn of a game of sets.

    own_cards, own_ranks : cards in the seat's sets, and their ranks, a bit each; race : 1 to play the game on; share :
    what a game won alone counts; margins : int64 (stop - start, C), points still made in the deal times n - 1, less
    those of the others; wins : int64 likewise
    """
    root = stream_key(seed, ROLLOUTS)
    log = np.zeros((0, SET_COLUMNS), np.int64)
    record = np.zeros(RECORD, np.int64)
    by_rank = np.zeros((n, N_RANKS, 2), np.int64)
    by_source = np.zeros((n, 3), np.int64)
    pool = np.zeros(len(plan.unseen), np.int64)
    for number in range(start, stop):
        row = number - start
        game_key = mix(root, np.uint64(number))
        key = mix(game_key, np.uint64(0))
        for option in range(len(plan.choices)):
            stack(table, plan, rules.pack, key, pool)
            hand_out(table, plan, n, rules.pack)
            for seat in range(n):
                table.mind[seat] = who[seat]
                table.sets[seat] = 0
                table.ranks[seat] = 0
                table.points[seat] = 0
                table.total[seat] = plan.scores[seat]
            table.sets[plan.seat] = own_cards
            table.ranks[plan.seat] = own_ranks
            set_turns(rules, minds, table, n, plan, option, key, log, record, by_rank, by_source)
            set_in_order(table)
            others = np.int64(0)
            for seat in range(n):
                others += table.points[seat]
                table.total[seat] += table.points[seat]
            margins[row, option] = n * table.points[plan.seat] - others
            if not race:
                continue
            won = winners_of(rules, table, n)
            if won == 0:
                record[S_WINNERS] = 0
                play_set_deals(
                    rules, minds, who, table, n, np.int64(1), np.int64(0), game_key, log, record, by_rank, by_source
                )
                won = record[S_WINNERS]
            number_won = 0
            for seat in range(n):
                number_won += won >> seat & 1
            wins[row, option] = share // number_won if won >> plan.seat & 1 else 0


@kernel
def set_turns(rules, minds, table, n, plan, option, key, log, record, by_rank, by_source):
    """The rest of the deal, after one choice."""
    seat = plan.seat
    table.n_discards = 0
    for i in range(len(plan.pile)):
        table.discards[i] = plan.pile[i]
        table.n_discards += 1
    table.wanted = NO_RANK
    table.last_rank = NO_RANK
    table.turn = 0
    table.logged = 0
    main = table.drawn < rules.pack
    nought = np.int64(0)
    laid = nought
    if plan.choices[option, 0] == THROW:
        throw_card(rules, table, seat, plan.hand[plan.choices[option, 1]], key, log)
        if rules.discard_then_set:
            laid = lay_sets(rules, minds, table, seat, main, nought, key, log, by_rank, by_source)
    elif plan.choices[option, 0] != PASS:
        for column in range(4):
            table.move[column] = plan.choices[option, column]
        lay_set(rules, table, seat, log, by_rank, by_source)
        if rules.refill_each:
            fill_hand(rules, table, seat, key, log)
        laid = lay_sets(rules, minds, table, seat, main, np.int64(1), key, log, by_rank, by_source)
    end_turn(rules, table, seat, laid, key, log)
    passes = np.int64(1) if plan.choices[option, 0] == PASS else nought
    seat = seat + 1 if seat + 1 < n else nought
    take_turns(rules, minds, table, n, seat, passes, key, log, record, by_rank, by_source)
