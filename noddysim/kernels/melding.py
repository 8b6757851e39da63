"""The melding game: deals and whole games to the target, turn by turn.

Seats are numbered clockwise from the dealer's left, the dealer last; persons by their seat in the first deal of a game.
Every deal is a pure function of its key. The pack is shuffled only as far as cards are asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from noddysim.kernels.compiler import inlined, kernel
from noddysim.kernels.dealing import CHOICE, GAMES, below, mix, next_card, restore, stream_key
from noddysim.kernels.laying import (
    COURSE_FIELDS,
    begin_course,
    count_starts,
    log_event,
    look_who_leads,
    note_gaps,
    note_start,
    take_up,
    traced,
)
from noddysim.kernels.melds import (
    FIFTEEN,
    JACK,
    MELD_RULES,
    MOST_HELD,
    N_KINDS,
    THIRTYONE,
    TRUMP_JACK,
    begin_search,
    holds_trump_jack,
    next_meld,
)
from noddysim.kernels.records import LOW, MAX_SEATS, NOBODY, PACK, RANDOM, Fields, new_record

MELDING_RULES = (
    *MELD_RULES,
    Fields("must_meld", (), "1: who holds a meld must lay one"),
    Fields("melds_per_turn", (), "most melds of a turn"),
    Fields("trump_drawable", (), "1: the turned card is the last card of the stock"),
    Fields("reshuffle", (), "1: the laid cards become the stock when it runs out; 0: the deal ends"),
    Fields("jack_to_opponents", (), "1: a turned jack pays the dealer's opponents; 0: the dealer"),
    Fields("jack_points", (), "points for it, to each"),
    Fields("target", (), "points that win the game"),
    Fields("rounds", (), "rounds after which a deal is ended"),
    Fields("head_start", (MAX_SEATS,), "points with which each seat of the first deal begins"),
)

MELD_TABLE = (
    Fields("deck", (PACK,), "the pack in its standing order"),
    Fields("digits", (64,), "swaps of the shuffle"),
    Fields("drawn", (), "cards of the pack that have been dealt or drawn"),
    Fields("trump", (), "the turned card"),
    Fields("trump_there", (), "1 while it lies on the table"),
    Fields("cards", (MAX_SEATS, MOST_HELD), "cards held by each seat, lowest first"),
    Fields("held", (MAX_SEATS,), "how many"),
    Fields("laid", (PACK,), "cards laid in this deal, in order"),
    Fields("n_laid", (), "how many"),
    Fields("stock", (PACK,), "the stock after the laid cards have been shuffled"),
    Fields("stock_at", (), "its next card"),
    Fields("stock_end", (), "behind its last card"),
    Fields("reshuffles", (), "how often that was done in this deal"),
    Fields("filled", (3,), "cards that fill a hand up"),
    Fields("score", (MAX_SEATS,), "scores by seat"),
    Fields("person", (MAX_SEATS,), "who sits there"),
    Fields("mind", (MAX_SEATS,), "which strategy plays there"),
    Fields("turn", (), "turns of this deal"),
    Fields("melds_laid", (), "melds of this game"),
    Fields("turns", (), "turns of this game"),
    Fields("jack_decides", (), "1 if the turned jack has reached the target"),
    Fields("first_melder", (), "who laid the first meld of this game, or NOBODY"),
    Fields("cards_laid", (), "cards laid in this game"),
    *COURSE_FIELDS,
    Fields("story", (), "a number that tells games apart in which other melds were laid, or at other times"),
    Fields("logged", (), "events written down"),
)

MELDERS = (
    Fields("sums_only", (), "1: waits for a sum of 15 or more, or for a meld that wins, where it may"),
    Fields("points", (), "worth of a point"),
    Fields("cards", (), "worth of each card of the meld"),
    Fields("kind", (N_KINDS,), "worth of each kind"),
    Fields("keep_trump_jack", (), "1: parts with the jack of trumps only if nothing else is there"),
    Fields("ties", (), "LOW: the first of equal melds, HIGH: the last, RANDOM: any"),
)
"""The fields of one strategy; a record of several has one more dimension in front."""
MAX_MELDERS = 64

MELD_EVENTS = ("deal", "jack", "meld", "draw", "fill", "pass", "reshuffle", "deal_end", "game")
E_DEAL, E_JACK, E_MELD, E_DRAW, E_FILL, E_PASS, E_RESHUFFLE, E_END, E_GAME = range(len(MELD_EVENTS))
EVENT_COLUMNS = 6
"""An event, its seat, and what belongs to it: see ``engine.melding``."""

MELD_FIELDS = (
    "winner", "deals", "turns", "draws", "passes", "empty", "reshuffles", "melds", "first_round", "by_jack", "second",
    "winner_seat", "first_melder", "best", "cards", "lead_changes", "trace", "worst", "trailing", "taken", "last_gap",
)  # fmt: skip
(
    M_WINNER, M_DEALS, M_TURNS, M_DRAWS, M_PASSES, M_EMPTY, M_RESHUFFLES, M_MELDS, M_FIRST_ROUND, M_BY_JACK, M_SECOND,
    M_WINNER_SEAT, M_FIRST_MELDER, M_BEST, M_CARDS, M_LEAD_CHANGES, M_TRACE, M_WORST, M_TRAILING, M_TAKEN, M_LAST_GAP,
) = range(len(MELD_FIELDS))  # fmt: skip

FULL_HAND = 3
BIG_SUM = 15
MAX_MELD_DEALS = 1000
NO_CARD = -1
RESHUFFLE_WORDS = 0x7F << 24
SPARING = 56
"""The jack of trumps that is kept weighs 2**56 against a meld, more than all that weights can come to."""
MOST_RESHUFFLES = 255


def new_meld_table() -> Any:
    """A fresh table for one thread."""
    table = new_record(MELD_TABLE)
    table.deck[:] = np.arange(PACK)
    return table


def new_melders() -> Any:
    """Room for MAX_MELDERS strategies."""
    return new_record(tuple(Fields(name, (MAX_MELDERS, *shape), holds) for name, shape, holds in MELDERS))


@kernel
def note(table, log, event, seat, first, second, third, fourth):
    """Write an event down with all that belongs to it."""
    row = log_event(table, log, event, seat)
    if row >= 0:
        log[row, 2] = first
        log[row, 3] = second
        log[row, 4] = third
        log[row, 5] = fourth


@kernel
def reshuffle(table, key):
    """Make a stock of the laid cards."""
    round_of = min(table.reshuffles, MOST_RESHUFFLES)
    size = table.n_laid
    for place in range(size):
        table.stock[place] = table.laid[place]
    for place in range(size - 1):
        counter = RESHUFFLE_WORDS | (round_of << 16) | (place << 8)
        other = place + below(key, CHOICE, np.uint64(counter), np.int64(size - place))
        card = table.stock[other]
        table.stock[other] = table.stock[place]
        table.stock[place] = card
    table.stock_at = 0
    table.stock_end = size
    table.n_laid = 0
    table.reshuffles += 1


@kernel
def draw_card(rules, table, key, log):
    """The next card of the stock, or NO_CARD."""
    if table.drawn < PACK:
        card = next_card(key, table.deck, table.digits, table.drawn)
        table.drawn += 1
        return card
    if rules.trump_drawable and table.trump_there:
        table.trump_there = 0
        return table.trump
    if table.stock_at == table.stock_end and rules.reshuffle and table.n_laid:
        reshuffle(table, key)
        note(table, log, E_RESHUFFLE, 0, 0, 0, 0, 0)
    if table.stock_at < table.stock_end:
        card = table.stock[table.stock_at]
        table.stock_at += 1
        return card
    return np.int64(NO_CARD)


@kernel
def deal_hands(table, n, key):
    """Turn a card and deal three to each seat in turn."""
    table.trump = next_card(key, table.deck, table.digits, np.int64(0))
    table.trump_there = 1
    for seat in range(n):
        table.held[seat] = 0
    for place in range(1, 1 + FULL_HAND * n):
        take_up(table, (place - 1) % n, next_card(key, table.deck, table.digits, np.int64(place)))
    table.drawn = 1 + FULL_HAND * n
    table.n_laid = 0
    table.stock_at = 0
    table.stock_end = 0
    table.reshuffles = 0
    table.turn = 0


@inlined
def is_wanted(rules, minds, mind, search, score):
    """Whether a strategy would lay the meld just found rather than draw."""
    if rules.must_meld or score + search.found_points >= rules.target:
        return True
    if minds.keep_trump_jack[mind] and search.found_kind == TRUMP_JACK:
        return False
    is_sum = FIFTEEN <= search.found_kind <= THIRTYONE and search.found_points >= BIG_SUM
    return is_sum or not minds.sums_only[mind]


@inlined
def worth_of_meld(minds, mind, search):
    """What a strategy gives for the meld just found: the jack of trumps set apart above all else."""
    spared = 0
    if minds.keep_trump_jack[mind]:
        if search.found_kind == TRUMP_JACK and search.cards[search.depth] == 1:
            spared = 2
        elif holds_trump_jack(search, search.found_mask):
            spared = 1
    worth = minds.points[mind] * search.found_points + minds.kind[mind, search.found_kind]
    return worth + minds.cards[mind] * search.depth - (np.int64(spared) << SPARING)


@kernel
def choose_meld(rules, minds, mind, search, trump_there, score, key, counter):
    """Find the meld that a strategy lays of ``search.hand``, into ``found_*``; False if it lays none."""
    best = np.int64(0)
    number = np.int64(0)
    mask = np.int64(0)
    kind = np.int64(0)
    points = np.int64(0)
    last = minds.ties[mind] != LOW
    begin_search(rules, search, trump_there)
    while next_meld(rules, search):
        if not is_wanted(rules, minds, mind, search, score):
            continue
        worth = worth_of_meld(minds, mind, search)
        if number == 0 or worth > best:
            number = np.int64(0)
            best = worth
        if worth == best:
            number += 1
            if number == 1 or last:
                mask, kind, points = search.found_mask, search.found_kind, search.found_points
    if number > 1 and minds.ties[mind] == RANDOM:
        wanted = below(key, CHOICE, np.uint64(counter), number)
        begin_search(rules, search, trump_there)
        while next_meld(rules, search):
            if is_wanted(rules, minds, mind, search, score) and worth_of_meld(minds, mind, search) == best:
                if wanted == 0:
                    return True
                wanted -= 1
    search.found_mask = mask
    search.found_kind = kind
    search.found_points = points
    return number > 0


@kernel
def lay_down(table, search, seat):
    """Take the cards of the meld found out of a hand."""
    kept = 0
    for place in range(search.held):
        card = table.cards[seat, place]
        if search.found_mask >> place & 1:
            table.laid[table.n_laid] = card
            table.n_laid += 1
        else:
            table.cards[seat, kept] = card
            kept += 1
    table.held[seat] = kept
    table.cards_laid += search.held - kept


@kernel
def lay_melds(rules, minds, table, search, n, seat, laid, key, log, by_kind):
    """Lay the melds of a turn in which ``laid`` are laid; returns how many then are, or -1 if one ends the game."""
    while laid < rules.melds_per_turn:
        search.held = table.held[seat]
        for place in range(table.held[seat]):
            search.hand[place] = table.cards[seat, place]
        search.trump = table.trump
        counter = (table.turn << 16) | (laid << 8)
        score = table.score[seat]
        if not choose_meld(rules, minds, table.mind[seat], search, table.trump_there, score, key, counter):
            break
        laid += 1
        if lay_found(rules, table, search, n, seat, log, by_kind):
            return np.int64(-1)
    return laid


@kernel
def lay_found(rules, table, search, n, seat, log, by_kind):
    """Lay the meld found of ``search.hand``, which is the seat's; whether it has reached the target."""
    lay_down(table, search, seat)
    if table.melds_laid == 0:
        table.first_melder = table.person[seat]
    table.melds_laid += 1
    table.score[seat] += search.found_points
    by_kind[table.person[seat], 0, search.found_kind] += 1
    by_kind[table.person[seat], 1, search.found_kind] += search.found_points
    table.story = traced(table.story, table.turns * N_KINDS + search.found_kind, search.found_mask)
    look_who_leads(table, n, seat, table.cards_laid)
    note_gaps(table, n, np.bool_(False))
    note(table, log, E_MELD, seat, search.found_mask, search.found_kind, search.found_points, 0)
    return table.score[seat] >= rules.target


@kernel
def turned_jack(rules, table, n, log, by_jack):
    """Points for a jack turned as trump; the seat that reaches the target by them, or NOBODY."""
    if table.trump >> 2 != JACK or rules.jack_points == 0:
        return NOBODY
    for seat in range(n):
        if (seat < n - 1) == (rules.jack_to_opponents == 1):
            table.score[seat] += rules.jack_points
            by_jack[table.person[seat]] += rules.jack_points
            look_who_leads(table, n, seat, table.cards_laid)
            note_gaps(table, n, np.bool_(False))
            note(table, log, E_JACK, seat, rules.jack_points, 0, 0, 0)
            if table.score[seat] >= rules.target:
                table.jack_decides = 1
                return seat
    return NOBODY


@kernel
def end_turn(rules, table, seat, laid, key, log, record):
    """Fill up the hand of a seat that has laid melds, or draw a card; returns whether it has passed."""
    table.turn += 1
    table.turns += 1
    if laid:
        filled = 0
        while table.held[seat] < FULL_HAND:
            card = draw_card(rules, table, key, log)
            if card == NO_CARD:
                break
            take_up(table, seat, card)
            table.filled[filled] = card
            filled += 1
        note(table, log, E_FILL, seat, filled, table.filled[0], table.filled[1], table.filled[2])
        return False
    card = draw_card(rules, table, key, log)
    if card == NO_CARD:
        record[M_PASSES] += 1
        note(table, log, E_PASS, seat, 0, 0, 0, 0)
        return True
    record[M_DRAWS] += 1
    take_up(table, seat, card)
    note(table, log, E_DRAW, seat, card, 0, 0, 0)
    return False


@kernel
def take_turns(rules, minds, table, search, n, seat, passes, key, log, record, by_kind):
    """Turns from a seat on, after ``passes`` in a row; the seat that has reached the target, or NOBODY at the end."""
    nought = np.int64(0)
    while passes < n and table.turn < rules.rounds * n:
        if seat == 0 and table.turns:
            note_start(table, n)
        laid = lay_melds(rules, minds, table, search, n, seat, nought, key, log, by_kind)
        if laid < 0:
            table.turn += 1
            table.turns += 1
            return seat
        passes = passes + 1 if end_turn(rules, table, seat, laid, key, log, record) else nought
        seat = seat + 1 if seat + 1 < n else nought
    return np.int64(NOBODY)


@kernel
def play_meld_deal(rules, minds, table, search, n, key, log, record, by_kind, by_jack):
    """One deal; returns the seat that has reached the target, or NOBODY.

    record : int64 (len(MELD_FIELDS),), draws, passes, empty and reshuffles are added to
    """
    deal_hands(table, n, key)
    winner = turned_jack(rules, table, n, log, by_jack)
    if winner == NOBODY:
        winner = take_turns(rules, minds, table, search, n, np.int64(0), np.int64(0), key, log, record, by_kind)
    restore(table.deck, table.digits, table.drawn)
    record[M_RESHUFFLES] += table.reshuffles
    if winner == NOBODY:
        record[M_EMPTY] += 1
        note(table, log, E_END, 0, 0, 0, 0, 0)
    return winner


@kernel
def play_meld_game(rules, minds, who, table, search, n, key, log, record, by_kind, by_jack):
    """One game to the target. Persons are numbered by their seat in the first deal; the last of them deals first.

    who : int64 (n,), strategy of each person; log : int64 (R, 5), takes up to R events; record : int64
    (len(MELD_FIELDS),), filled in the order of MELD_FIELDS; by_kind : int64 (n, 2, N_KINDS), melds and their points by
    person, added to; by_jack : int64 (n,), points for turned jacks, added to
    """
    for column in range(record.shape[0]):
        record[column] = 0
    table.logged = 0
    table.turns = 0
    table.melds_laid = 0
    table.jack_decides = 0
    table.first_melder = NOBODY
    table.cards_laid = 0
    begin_course(table, n)
    table.story = 0
    record[M_WINNER] = NOBODY
    for seat in range(n):
        table.score[seat] = rules.head_start[seat]
    play_meld_deals(rules, minds, who, table, search, n, np.int64(0), n - 1, key, log, record, by_kind, by_jack)
    record[M_TURNS] = table.turns
    record[M_MELDS] = table.melds_laid
    record[M_FIRST_MELDER] = table.first_melder
    record[M_CARDS] = table.cards_laid
    record[M_LEAD_CHANGES] = table.lead_changes
    record[M_TRACE] = table.story
    note(table, log, E_GAME, 0, record[M_WINNER], 0, 0, 0)


@kernel
def play_meld_deals(rules, minds, who, table, search, n, first, dealer, key, log, record, by_kind, by_jack):
    """The deals of a game from number ``first`` on, which ``dealer`` deals; scores lie on the table by its seats."""
    for number in range(first, MAX_MELD_DEALS):
        for seat in range(n):
            table.person[seat] = (dealer + 1 + seat) % n
            table.mind[seat] = who[table.person[seat]]
        note(table, log, E_DEAL, 0, number, dealer, 0, 0)
        winner = play_meld_deal(
            rules, minds, table, search, n, mix(key, np.uint64(number)), log, record, by_kind, by_jack
        )
        record[M_DEALS] = number + 1
        if winner != NOBODY:
            finish_meld_game(table, n, winner, record)
            break
        note_gaps(table, n, np.bool_(True))
        pass_scores_on(table, n)
        dealer = dealer + 1 if dealer + 1 < n else 0


@kernel
def pass_scores_on(table, n):
    """The next dealer sits to the left: every person and his score move one seat."""
    first = table.score[0]
    for seat in range(n - 1):
        table.score[seat] = table.score[seat + 1]
    table.score[n - 1] = first


@kernel
def finish_meld_game(table, n, winner, record):
    """Write down who has won, and how."""
    second = np.int64(0)
    for seat in range(n):
        if seat != winner:
            second = max(second, table.score[seat])
    record[M_WINNER] = table.person[winner]
    record[M_WORST] = table.worst[table.person[winner]]
    record[M_TRAILING] = table.trailing[table.person[winner]]
    record[M_TAKEN] = table.taken
    record[M_LAST_GAP] = table.last_gap[table.person[winner]]
    record[M_WINNER_SEAT] = winner
    record[M_BEST] = table.score[winner]
    record[M_SECOND] = second
    record[M_BY_JACK] = table.jack_decides
    record[M_FIRST_ROUND] = 1 if record[M_DEALS] == 1 and table.turns <= n else 0


@kernel
def record_meld_games(rules, minds, who, table, search, n, seed, start, stop, records, by_kind, by_jack, comebacks):
    """Play games ``start … stop - 1`` of a seed.

    records : int64 (stop - start, len(MELD_FIELDS)), a row a game; comebacks : as in ``laying.count_starts``, by points
    behind as a round of turns begins, the first of a game apart; added to
    """
    root = stream_key(seed, GAMES)
    log = np.zeros((0, EVENT_COLUMNS), np.int64)
    for number in range(start, stop):
        play_meld_game(
            rules, minds, who, table, search, n, mix(root, np.uint64(number)), log, records[number - start],
            by_kind, by_jack,
        )  # fmt: skip
        winner = records[number - start, M_WINNER]
        if winner != NOBODY:
            count_starts(table, n, np.int64(1) << winner, np.int64(1), comebacks)


@kernel
def list_melds(rules, search, trump_there, out):
    """Write every meld of ``search.hand`` to rows of ``out`` (int64 (R, 3)): set, kind, points; returns how many."""
    number = 0
    begin_search(rules, search, trump_there)
    while next_meld(rules, search):
        if number < out.shape[0]:
            out[number, 0] = search.found_mask
            out[number, 1] = search.found_kind
            out[number, 2] = search.found_points
        number += 1
    return number
