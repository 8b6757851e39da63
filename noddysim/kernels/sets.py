"""Sets of two cards: deals and whole games to the target, turn by turn.

Cards are ``8 * rank + 2 * suit + copy`` (two packs, rank 0 the ace to 12 the king), then the jokers from 104 on, as
rank 13. Seats are numbered clockwise from the dealer's left, the dealer last; persons keep their number through a game,
in which the first dealer is drawn by lot. The pack is shuffled only as far as cards are asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from noddysim.kernels.compiler import inlined, kernel
from noddysim.kernels.dealing import CHOICE, CUT, GAMES, below, mix, next_card, restore, stream_key
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
from noddysim.kernels.records import Fields, new_record

SET_SEATS = 8
NATURALS = 104
MOST_JOKERS = 4
DOUBLE_PACK = NATURALS + MOST_JOKERS
FULL_HAND, MOST_HELD = 3, 4
ACE, DEUCE, JOKER = 0, 1, 13
N_RANKS = 14
NO_RANK = -1
NO_CARD = -1
S_HAND, S_DISCARD, S_OWN = 0, 1, 2
"""Where the cards of a move come from: two of the hand; one, and the top discard; one wild, to a set of one's own."""
SOURCES_OF_SETS = ("hand", "discard", "own")
BY_VALUE, HAND_FIRST, DISCARD_FIRST = 0, 1, 2
D_LOW, D_HIGH, D_RANDOM, D_UNPAIRED = 0, 1, 2, 3
MOST_TURNS = 400
MAX_SET_DEALS = 1000
GAP_STEP = 50
"""Points behind that are told together."""

SET_RULES = (
    Fields("pack", (), "cards of the two packs with their jokers"),
    Fields("joker_pair", (), "1: two jokers are a set"),
    Fields("match_only", (), "1: after sets the next player may lay the rank of the last of them only"),
    Fields("refill_each", (), "1: a hand is filled after every set; 0: after the turn"),
    Fields("max_sets", (), "most sets of a turn, 0 for as many as one can"),
    Fields("discard_then_set", (), "1: after a discard sets may be laid"),
    Fields("first_discard", (), "1: a card is turned for the discards"),
    Fields("extend", (), "1: a wild card alone may join a set of one's own"),
    Fields("value", (N_RANKS,), "points of a card in a set by rank"),
    Fields("no_set_ends", (), "1: a deal ends when nobody holds a set; 0: when all have passed in a row"),
    Fields("share", (), "1: equal highest scores share a game; 0: another deal is played"),
    Fields("target", (), "points that end the game"),
    Fields("head_start", (SET_SEATS,), "points with which everybody begins"),
    Fields("head_by_seat", (), "1: the head starts are by seat of the first deal; 0: by person"),
)

SET_TABLE = (
    Fields("deck", (DOUBLE_PACK,), "the packs in their standing order"),
    Fields("digits", (128,), "swaps of the shuffle"),
    Fields("drawn", (), "cards of the packs that have been dealt or drawn"),
    Fields("cards", (SET_SEATS, MOST_HELD), "cards held by each seat, lowest first"),
    Fields("held", (SET_SEATS,), "how many"),
    Fields("discards", (DOUBLE_PACK,), "the discards, the top one last"),
    Fields("n_discards", (), "how many"),
    Fields("sets", (SET_SEATS,), "cards in the sets of each seat"),
    Fields("ranks", (SET_SEATS,), "ranks of these sets, a bit a rank"),
    Fields("last_rank", (), "rank of the set laid last in the turn, or NO_RANK"),
    Fields("wanted", (), "the rank that this turn may lay, or NO_RANK if it is free"),
    Fields("points", (SET_SEATS,), "points of the deal by seat"),
    Fields("total", (SET_SEATS,), "points of the game by person"),
    Fields("score", (SET_SEATS,), "the same by seat"),
    Fields("person", (SET_SEATS,), "who sits where"),
    Fields("mind", (SET_SEATS,), "which strategy plays there"),
    Fields("turn", (), "turns of this deal"),
    Fields("move", (4,), "a move: its source, the places of its cards in the hand, its points"),
    Fields("choice", (MOST_HELD,), "cards that a discard is chosen among"),
    *COURSE_FIELDS,
    Fields("story", (), "a number that tells games apart in which other cards were laid or discarded"),
    Fields("logged", (), "events written down"),
)

SETTERS = (
    Fields("use", (), "BY_VALUE, HAND_FIRST or DISCARD_FIRST"),
    Fields("most", (), "1: the move of the most points; 0: the first"),
    Fields("save_wilds", (), "1: wild cards go with aces only while there is a stock"),
    Fields("discard", (), "D_LOW, D_HIGH, D_RANDOM or D_UNPAIRED"),
    Fields("watch", (), "1: discards no rank of which the next player has laid a set, and no wild card"),
)
MAX_SETTERS = 64

SET_EVENTS = ("deal", "discard", "draw", "set", "pass", "fill", "deal_end", "game")
S_DEAL, S_THROW, S_DRAW, S_SET, S_PASS, S_FILL, S_END, S_GAME = range(len(SET_EVENTS))
SET_COLUMNS = 2 + SET_SEATS

SET_FIELDS = (
    "winners", "deals", "turns", "passes", "wilds_left", "cards_left", "best", "second", "first_dealer", "cards",
    "lead_changes", "trace", "worst", "trailing", "taken", "last_gap",
)  # fmt: skip
(
    S_WINNERS, S_DEALS, S_TURNS, S_PASSES, S_WILDS_LEFT, S_CARDS_LEFT, S_BEST, S_SECOND, S_FIRST_DEALER, S_CARDS,
    S_LEAD_CHANGES, S_TRACE, S_WORST, S_TRAILING, S_TAKEN, S_LAST_GAP,
) = range(len(SET_FIELDS))  # fmt: skip


def new_set_table() -> Any:
    """A fresh table for one thread."""
    table = new_record(SET_TABLE)
    table.deck[:] = np.arange(DOUBLE_PACK)
    return table


def new_setters() -> Any:
    """Room for MAX_SETTERS strategies."""
    return new_record(tuple(Fields(name, (MAX_SETTERS, *shape), holds) for name, shape, holds in SETTERS))


@inlined
def rank_of(card):
    """0 (ace) to 12 (king), 13 for a joker."""
    return min(card >> 3, JOKER)


@inlined
def is_wild(card):
    """Whether a card may stand for another."""
    return card >> 3 == DEUCE or card >= NATURALS


@kernel
def set_rank(rules, one, other):
    """The rank of the set that two cards make, or NO_RANK."""
    first, second = rank_of(one), rank_of(other)
    if is_wild(one):
        if is_wild(other):
            return np.int64(JOKER if rules.joker_pair and first == JOKER and second == JOKER else NO_RANK)
        return np.int64(second)
    if is_wild(other) or first == second:
        return np.int64(first)
    return np.int64(NO_RANK)


@kernel
def lay_off(table, seat, place):
    """Take the card at a place out of a hand."""
    table.held[seat] -= 1
    for i in range(place, table.held[seat]):
        table.cards[seat, i] = table.cards[seat, i + 1]


@inlined
def draw(rules, table, key):
    """The next card of the stock, which must not be empty."""
    card = next_card(key, table.deck[: rules.pack], table.digits, table.drawn)
    table.drawn += 1
    return card


@kernel
def fill_hand(rules, table, seat, key, log):
    """Bring a hand back to three cards, as far as there are any."""
    drawn = 0
    row = log_event(table, log, S_FILL, seat)
    while table.held[seat] < FULL_HAND and table.drawn < rules.pack:
        card = draw(rules, table, key)
        take_up(table, seat, card)
        if row >= 0:
            log[row, 3 + drawn] = card
        drawn += 1
    if row >= 0:
        log[row, 2] = drawn


@kernel
def deal_sets(rules, table, n, key):
    """Deal three cards to each seat in turn; the table is swept."""
    table.drawn = 0
    for seat in range(n):
        table.held[seat] = 0
        table.sets[seat] = 0
        table.ranks[seat] = 0
        table.points[seat] = 0
    for place in range(FULL_HAND * n):
        take_up(table, place % n, draw(rules, table, key))
    table.n_discards = 0
    if rules.first_discard:
        table.discards[0] = draw(rules, table, key)
        table.n_discards = 1
    table.wanted = NO_RANK
    table.turn = 0


# --- sets -----------------------------------------------------------------------------------------------------------


@inlined
def wilds_allowed(rules, minds, mind, table, one, other):
    """Whether a strategy parts with the wild cards of a move now; ``other`` may be NO_CARD."""
    if not minds.save_wilds[mind] or table.drawn == rules.pack:
        return True
    if not is_wild(one) and (other == NO_CARD or not is_wild(other)):
        return True
    return one >> 3 == ACE or (other != NO_CARD and other >> 3 == ACE)


@kernel
def consider(rules, minds, mind, table, seat, source, first, second):
    """Look at one move; it becomes ``table.move`` if it is legal and better than that. Returns whether it is legal."""
    one = table.cards[seat, first]
    other = np.int64(NO_CARD)
    if source == S_HAND:
        other = table.cards[seat, second]
    elif source == S_DISCARD:
        other = table.discards[table.n_discards - 1]
    points = rules.value[rank_of(one)]
    if source == S_OWN:
        if not is_wild(one):
            return False
    else:
        rank = set_rank(rules, one, other)
        if rank == NO_RANK or (table.wanted != NO_RANK and table.wanted != rank):
            return False
        points += rules.value[rank_of(other)]
    if not wilds_allowed(rules, minds, mind, table, one, other):
        return False
    if table.move[0] < 0 or (minds.most[mind] and points > table.move[3]):
        table.move[0] = source
        table.move[1] = first
        table.move[2] = second
        table.move[3] = points
    return True


@kernel
def consider_source(rules, minds, mind, table, seat, source, main):
    """Look at all moves of one source; returns whether there is any."""
    found = False
    held = table.held[seat]
    if source == S_HAND:
        for first in range(held):
            for second in range(first + 1, held):
                found |= consider(rules, minds, mind, table, seat, source, np.int64(first), np.int64(second))
    elif source == S_DISCARD:
        if main and table.n_discards:
            for first in range(held):
                found |= consider(rules, minds, mind, table, seat, source, np.int64(first), np.int64(0))
    elif rules.extend and table.sets[seat] and table.wanted == NO_RANK:
        for first in range(held):
            found |= consider(rules, minds, mind, table, seat, source, np.int64(first), np.int64(0))
    return found


@kernel
def choose_set(rules, minds, table, seat, main):
    """The move of a player, into ``table.move``; False if he lays nothing (more). main : discards may be used."""
    mind = table.mind[seat]
    table.move[0] = -1
    use = minds.use[mind]
    first, second = np.int64(S_HAND), np.int64(S_DISCARD)
    if use == DISCARD_FIRST:
        first, second = second, first
    found = consider_source(rules, minds, mind, table, seat, first, main)
    if not found or use == BY_VALUE:
        found |= consider_source(rules, minds, mind, table, seat, second, main)
    if not found or use == BY_VALUE:
        found |= consider_source(rules, minds, mind, table, seat, np.int64(S_OWN), main)
    return found


@kernel
def lay_set(rules, table, seat, log, by_rank, by_source):
    """Make the move in ``table.move``."""
    source, first, second, points = table.move[0], table.move[1], table.move[2], table.move[3]
    one = table.cards[seat, first]
    other = np.int64(NO_CARD)
    if source == S_HAND:
        other = table.cards[seat, second]
        lay_off(table, seat, second)
    elif source == S_DISCARD:
        table.n_discards -= 1
        other = table.discards[table.n_discards]
    lay_off(table, seat, first)
    table.sets[seat] += 1 if source == S_OWN else 2
    table.points[seat] += points
    rank = np.int64(rank_of(one))
    if source != S_OWN:
        rank = set_rank(rules, one, other)
        table.ranks[seat] |= 1 << rank
        table.last_rank = rank
    by_rank[table.person[seat], rank, 0] += 1
    by_rank[table.person[seat], rank, 1] += points
    by_source[table.person[seat], source] += 1
    table.story = traced(table.story, table.turn * 4 + source, one * 256 + other)
    row = log_event(table, log, S_SET, seat)
    if row >= 0:
        log[row, 2] = one
        log[row, 3] = other
        log[row, 4] = source
        log[row, 5] = points


@kernel
def lay_sets(rules, minds, table, seat, main, laid, key, log, by_rank, by_source):
    """After ``laid`` moves, lay as much as the rules and the player allow; returns how many moves that then were."""
    while rules.max_sets == 0 or laid < rules.max_sets:
        if not choose_set(rules, minds, table, seat, main):
            break
        lay_set(rules, table, seat, log, by_rank, by_source)
        laid += 1
        if rules.refill_each:
            fill_hand(rules, table, seat, key, log)
    return laid


# --- discards -------------------------------------------------------------------------------------------------------


@kernel
def keep_choices(table, seat, number, ranks_of_next, of_single_ranks):
    """Keep of the first ``number`` choices those that are safe or of a single rank, all if there is none.

    ranks_of_next : ranks that are not safe, a bit each, with ``of_single_ranks`` False
    """
    kept = 0
    for i in range(number):
        rank = rank_of(table.choice[i])
        if of_single_ranks:
            equal = 0
            for j in range(table.held[seat]):
                equal += rank_of(table.cards[seat, j]) == rank
            good = equal == 1
        else:
            good = ranks_of_next >> rank & 1 == 0
        if good:
            card = table.choice[kept]
            table.choice[kept] = table.choice[i]
            table.choice[i] = card
            kept += 1
    return kept if kept else number


@kernel
def choose_discard(rules, minds, table, n, seat, key):
    """The card that a player discards."""
    mind = table.mind[seat]
    way = minds.discard[mind]
    number = 0
    for place in range(table.held[seat]):
        if not is_wild(table.cards[seat, place]):
            table.choice[number] = table.cards[seat, place]
            number += 1
    natural = number > 0
    if not natural or (way == D_RANDOM and not minds.watch[mind]):
        number = table.held[seat]
        for place in range(number):
            table.choice[place] = table.cards[seat, place]
    elif minds.watch[mind]:
        number = keep_choices(table, seat, number, table.ranks[(seat + 1) % n], False)
    if natural and way == D_UNPAIRED:
        number = keep_choices(table, seat, number, 0, True)
    if way == D_RANDOM:
        return table.choice[below(key, CHOICE, np.uint64(table.turn << 16), np.int64(number))]
    best = table.choice[0]
    for i in range(1, number):
        card = table.choice[i]
        ahead = rules.value[rank_of(card)] - rules.value[rank_of(best)]
        if way != D_HIGH:
            ahead = -ahead
        if ahead > 0 or (ahead == 0 and card < best):
            best = card
    return best


@kernel
def throw(rules, minds, table, n, seat, key, log):
    """Discard a card, then draw one."""
    throw_card(rules, table, seat, choose_discard(rules, minds, table, n, seat, key), key, log)


@kernel
def throw_card(rules, table, seat, card, key, log):
    """Discard a card of the hand, then draw one."""
    place = 0
    while table.cards[seat, place] != card:
        place += 1
    lay_off(table, seat, place)
    table.discards[table.n_discards] = card
    table.n_discards += 1
    table.story = traced(table.story, table.turn * 4 + 3, card)
    row = log_event(table, log, S_THROW, seat)
    if row >= 0:
        log[row, 2] = card
    card = draw(rules, table, key)
    take_up(table, seat, card)
    row = log_event(table, log, S_DRAW, seat)
    if row >= 0:
        log[row, 2] = card


# --- turns, deals and games -----------------------------------------------------------------------------------------


@kernel
def take_turn(rules, minds, table, n, seat, key, log, by_rank, by_source):
    """The turn of a player; returns whether he has passed."""
    main = table.drawn < rules.pack
    nought = np.int64(0)
    table.last_rank = NO_RANK
    laid = lay_sets(rules, minds, table, seat, main, nought, key, log, by_rank, by_source)
    passed = laid == 0 and not main
    if laid == 0 and main:
        throw(rules, minds, table, n, seat, key, log)
        if rules.discard_then_set:
            laid = lay_sets(rules, minds, table, seat, main, nought, key, log, by_rank, by_source)
    if passed:
        log_event(table, log, S_PASS, seat)
    end_turn(rules, table, seat, laid, key, log)
    return passed


@kernel
def end_turn(rules, table, seat, laid, key, log):
    """Fill the hand after sets, and say what the next player may lay."""
    if laid and not rules.refill_each:
        fill_hand(rules, table, seat, key, log)
    table.wanted = table.last_rank if rules.match_only else NO_RANK
    table.turn += 1


@kernel
def somebody_holds_a_set(rules, table, n):
    """Whether anybody could lay something of his hand."""
    for seat in range(n):
        for first in range(table.held[seat]):
            if rules.extend and table.sets[seat] and is_wild(table.cards[seat, first]):
                return True
            for second in range(first + 1, table.held[seat]):
                if set_rank(rules, table.cards[seat, first], table.cards[seat, second]) != NO_RANK:
                    return True
    return False


@kernel
def deal_is_over(rules, table, n, passes):
    """Whether the deal has ended before the next turn."""
    if table.turn >= MOST_TURNS:
        return True
    if table.drawn < rules.pack:
        return False
    if rules.no_set_ends:
        return not somebody_holds_a_set(rules, table, n)
    if passes == n:
        return True
    for seat in range(n):
        if table.held[seat]:
            return False
    return True


@kernel
def play_set_deal(rules, minds, table, n, key, log, record, by_rank, by_source):
    """One deal, its points by seat in ``table.points``.

    record : int64 (len(SET_FIELDS),), turns, passes and what is left in hand are added to; by_rank : int64
    (n, N_RANKS, 2), sets and their points by person and rank, added to; by_source : int64 (n, 3), moves by person
    """
    deal_sets(rules, table, n, key)
    take_turns(rules, minds, table, n, np.int64(0), np.int64(0), key, log, record, by_rank, by_source)
    restore(table.deck, table.digits, table.drawn)
    record[S_TURNS] += table.turn
    for seat in range(n):
        record[S_CARDS] += table.sets[seat]
        record[S_CARDS_LEFT] += table.held[seat]
        for place in range(table.held[seat]):
            record[S_WILDS_LEFT] += is_wild(table.cards[seat, place])


@kernel
def take_turns(rules, minds, table, n, seat, passes, key, log, record, by_rank, by_source):
    """Turns from a seat on, after ``passes`` in a row, to the end of the deal."""
    while not deal_is_over(rules, table, n, passes):
        if take_turn(rules, minds, table, n, seat, key, log, by_rank, by_source):
            passes += 1
            record[S_PASSES] += 1
        else:
            passes = np.int64(0)
        seat = seat + 1 if seat + 1 < n else np.int64(0)


@kernel
def winners_of(rules, table, n):
    """Who has won after a deal, a bit a person; 0 if the game goes on."""
    best = np.int64(0)
    for person in range(n):
        best = max(best, table.total[person])
    if best < rules.target:
        return np.int64(0)
    won = np.int64(0)
    number = 0
    for person in range(n):
        if table.total[person] == best:
            won |= 1 << person
            number += 1
    return won if number == 1 or rules.share else np.int64(0)


@kernel
def seat_persons(who, table, n, dealer):
    """Seat persons for a deal."""
    for seat in range(n):
        person = (dealer + 1 + seat) % n
        table.person[seat] = person
        table.mind[seat] = who[person]


@kernel
def play_set_game(rules, minds, who, table, n, key, log, record, by_rank, by_source):
    """One game; the first dealer is drawn by lot.

    who : int64 (n,), strategy of each person; record : int64 (len(SET_FIELDS),), filled in the order of
    SET_FIELDS, the winners a bit a person, none if the game was given up
    """
    for column in range(record.shape[0]):
        record[column] = 0
    table.logged = 0
    dealer = below(key, CUT, np.uint64(0), np.int64(n))
    record[S_FIRST_DEALER] = dealer
    begin_course(table, n)
    table.story = 0
    for person in range(n):
        place = (person - dealer - 1) % n if rules.head_by_seat else person
        table.total[person] = rules.head_start[place]
    play_set_deals(rules, minds, who, table, n, np.int64(0), dealer, key, log, record, by_rank, by_source)
    row = log_event(table, log, S_GAME, 0)
    if row >= 0:
        log[row, 2] = record[S_WINNERS]
    note_scores(table, n, record)
    note_course(table, n, record)
    record[S_LEAD_CHANGES] = table.lead_changes
    record[S_TRACE] = table.story


@kernel
def play_set_deals(rules, minds, who, table, n, first, dealer, key, log, record, by_rank, by_source):
    """The deals of a game from number ``first`` on, which ``dealer`` deals; totals lie on the table by person."""
    for number in range(first, MAX_SET_DEALS):
        seat_persons(who, table, n, dealer)
        row = log_event(table, log, S_DEAL, 0)
        if row >= 0:
            log[row, 2] = number
            log[row, 3] = dealer
        play_set_deal(rules, minds, table, n, mix(key, np.uint64(number)), log, record, by_rank, by_source)
        count_deal(table, n, record[S_CARDS])
        row = log_event(table, log, S_END, 0)
        if row >= 0:
            for person in range(n):
                log[row, 2 + person] = table.total[person]
        record[S_DEALS] = number + 1
        record[S_WINNERS] = winners_of(rules, table, n)
        if record[S_WINNERS]:
            break
        note_gaps(table, n, np.bool_(True))
        note_start(table, n)
        dealer = dealer + 1 if dealer + 1 < n else np.int64(0)


@kernel
def count_deal(table, n, cards):
    """Add the points of a deal to the scores, and look who leads by them; cards : laid in the game so far."""
    for seat in range(n):
        table.total[table.person[seat]] += table.points[seat]
        table.score[seat] = table.total[table.person[seat]]
    for seat in range(n):
        look_who_leads(table, n, seat, cards)
    note_gaps(table, n, np.bool_(False))


@kernel
def note_course(table, n, record):
    """Write down how the game went for its winner; of several, for the one who was behind the most."""
    record[S_TAKEN] = table.taken
    for person in range(n):
        if record[S_WINNERS] >> person & 1:
            record[S_WORST] = max(record[S_WORST], table.worst[person])
            record[S_TRAILING] = max(record[S_TRAILING], table.trailing[person])
            record[S_LAST_GAP] = max(record[S_LAST_GAP], table.last_gap[person])


@kernel
def note_scores(table, n, record):
    """Write down the highest score and the next."""
    best = np.int64(-1)
    second = np.int64(-1)
    for person in range(n):
        total = table.total[person]
        if total > best:
            second = best
            best = total
        else:
            second = max(second, total)
    record[S_BEST] = best
    record[S_SECOND] = second


@kernel
def record_set_games(rules, minds, who, table, n, seed, start, stop, records, totals, by_rank, by_source, comebacks):
    """Play games ``start … stop - 1`` of a seed.

    records : int64 (stop - start, len(SET_FIELDS)), a row a game; totals : int64 (stop - start, n), final scores;
    comebacks : as in ``laying.count_starts``, by points behind as a deal begins, the first of a game apart, GAP_STEP
    points together; added to
    """
    root = stream_key(seed, GAMES)
    log = np.zeros((0, SET_COLUMNS), np.int64)
    for number in range(start, stop):
        play_set_game(
            rules, minds, who, table, n, mix(root, np.uint64(number)), log, records[number - start], by_rank, by_source
        )
        for person in range(n):
            totals[number - start, person] = table.total[person]
        count_starts(table, n, records[number - start, S_WINNERS], np.int64(GAP_STEP), comebacks)


@kernel
def count_jokers(rules, table, n, seed, stop, found):
    """Jokers dealt to each person in the first deal of games ``0 … stop - 1``; found : int64 (stop, n)."""
    root = stream_key(seed, GAMES)
    for number in range(stop):
        key = mix(root, np.uint64(number))
        dealer = below(key, CUT, np.uint64(0), np.int64(n))
        deal_sets(rules, table, n, mix(key, np.uint64(0)))
        for seat in range(n):
            for place in range(table.held[seat]):
                found[number, (dealer + 1 + seat) % n] += table.cards[seat, place] >= NATURALS
        restore(table.deck, table.digits, table.drawn)
