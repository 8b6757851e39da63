"""The melds of a hand: every legal combination of its cards, one after the other, whatever the size of the hand.

A meld is a set of cards of a sorted hand, a bit a place, with the turned card as bit TRUMP_BIT where the rules let it
join; a *kind*; and points. Sets are met in rising order of their bits. The search goes down one card at a time, from
the highest card of a set to its lowest, and gives up as soon as no kind can still be made, so that the melds of thirty
cards are found as the melds of three are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from noddysim.kernels.bits import bits_set, lowest_bit
from noddysim.kernels.compiler import inlined, kernel
from noddysim.kernels.records import Fields, new_record

MELD_KINDS = ("trump-jack", "fifteen", "twenty-five", "thirty-one", "pair", "three", "four", "suit", "run")
TRUMP_JACK, FIFTEEN, TWENTYFIVE, THIRTYONE, PAIR, THREE, FOUR, SUIT, RUN = range(len(MELD_KINDS))
N_KINDS = len(MELD_KINDS)
SINGLE, WHOLE_SET, ALL_SUBSETS = 0, 1, 2
JACK = 10
MOST_HELD = 52
TRUMP_BIT = 60
HIGHEST_SUM = 31
LONGEST_SUIT = 4

MELD_RULES = (
    Fields("pips", (13,), "what a rank adds to a sum"),
    Fields("sum_flat", (3,), "points of a sum of 15, 25, 31"),
    Fields("sum_each", (3,), "points of such a sum for each of its cards"),
    Fields("group", (5,), "points by number of cards of one rank"),
    Fields("run", (16,), "points by length of run"),
    Fields("suit_flat", (), "points of three or four cards of a suit"),
    Fields("suit_each", (), "points of these for each card"),
    Fields("jack_meld", (), "1: the jack of trumps is a meld by itself, of 1 point"),
    Fields("jack_bonus", (), "1: it brings 1 point inside another meld"),
    Fields("scoring", (), "SINGLE, WHOLE_SET or ALL_SUBSETS"),
    Fields("trump_in_melds", (), "1: the turned card may join a meld"),
)

SEARCH = (
    Fields("hand", (MOST_HELD,), "the cards held, lowest first"),
    Fields("held", (), "how many"),
    Fields("trump", (), "the turned card"),
    Fields("trump_joins", (), "1 while sets with the turned card are still to come"),
    Fields("depth", (), "cards of the set that is looked at, the turned card not counted"),
    Fields("next", (MOST_HELD + 1,), "by depth: the place to try next"),
    Fields("place", (MOST_HELD + 1,), "by depth: the place of the card added last"),
    Fields("mask", (MOST_HELD + 1,), "by depth: the set"),
    Fields("cards", (MOST_HELD + 1,), "by depth: cards of the set"),
    Fields("total", (MOST_HELD + 1,), "by depth: their sum"),
    Fields("ranks", (MOST_HELD + 1,), "by depth: their ranks, a bit a rank"),
    Fields("suits", (MOST_HELD + 1,), "by depth: their suits, a bit a suit"),
    Fields("made", (N_KINDS,), "points of the set that is looked at, by the kinds that it is of"),
    Fields("parts", (N_KINDS,), "the same of one of its subsets"),
    Fields("kinds", (), "kinds of the set that are still to be given, a bit a kind"),
    Fields("found_mask", (), "the meld found last: its set"),
    Fields("found_kind", (), "its kind"),
    Fields("found_points", (), "its points"),
)


def new_search() -> Any:
    """Fresh scratch for one search."""
    return new_record(SEARCH)


@inlined
def follow_each_other(ranks):
    """Whether ranks, a bit each, are in sequence."""
    return (ranks + (ranks & -ranks)) & ranks == 0


@inlined
def kinds_made(rules, trump, mask_of_one, cards, total, ranks, suits, made):
    """The kinds that a set is of, a bit a kind; writes the points of each of them, by itself, to ``made``.

    mask_of_one : the set is one card of the hand, which then is the card of ``ranks`` and ``suits``
    """
    kinds = np.int64(0)
    if mask_of_one:
        if rules.jack_meld and ranks == 1 << JACK and suits == 1 << (trump & 3):
            made[TRUMP_JACK] = 1
            kinds |= 1 << TRUMP_JACK
        return kinds
    sum_kind = 0
    if total == 15 and cards >= 2:
        sum_kind = FIFTEEN
    elif total == 25 and cards >= 3:
        sum_kind = TWENTYFIVE
    elif total == 31 and cards >= 4:
        sum_kind = THIRTYONE
    if sum_kind:
        made[sum_kind] = rules.sum_flat[sum_kind - FIFTEEN] + rules.sum_each[sum_kind - FIFTEEN] * cards
        kinds |= 1 << sum_kind
    different = bits_set(ranks)
    if different == 1 and 2 <= cards <= 4:
        made[PAIR + cards - 2] = rules.group[cards]
        kinds |= 1 << (PAIR + cards - 2)
    if cards >= 3:
        if cards <= LONGEST_SUIT and bits_set(suits) == 1:
            made[SUIT] = rules.suit_flat + rules.suit_each * cards
            kinds |= 1 << SUIT
        if different == cards and follow_each_other(ranks):
            made[RUN] = rules.run[cards]
            kinds |= 1 << RUN
    return kinds


@inlined
def may_grow(trump, has_trump, cards, total, ranks, suits):
    """Whether a set can be of some kind, or become so by lower cards."""
    if total <= HIGHEST_SUM:
        return True
    if cards <= 4 and (bits_set(ranks) == 1 or bits_set(suits) == 1):
        return True
    if bits_set(ranks) != cards:
        return False
    return follow_each_other(ranks) or (has_trump and follow_each_other(ranks & ~(1 << (trump >> 2))))


@kernel
def begin_search(rules, search, trump_there):
    """Begin with the melds of ``search.hand``; trump_there : the turned card still lies on the table."""
    search.depth = 0
    search.next[0] = 0
    search.place[0] = search.held
    search.mask[0] = 0
    search.cards[0] = 0
    search.total[0] = 0
    search.ranks[0] = 0
    search.suits[0] = 0
    search.trump_joins = 1 if rules.trump_in_melds and trump_there else 0
    search.kinds = 0


@kernel
def join_trump(rules, search):
    """Begin once more, with the sets that the turned card has joined."""
    rank = search.trump >> 2
    search.trump_joins = 0
    search.next[0] = 0
    search.mask[0] = 1 << TRUMP_BIT
    search.cards[0] = 1
    search.total[0] = rules.pips[rank]
    search.ranks[0] = 1 << rank
    search.suits[0] = 1 << (search.trump & 3)


@kernel
def next_set(rules, search):
    """Go to the next set that may grow; False after the last."""
    depth = search.depth
    has_trump = search.mask[0] != 0
    while True:
        place = search.next[depth]
        if place < search.place[depth]:
            search.next[depth] = place + 1
            card = search.hand[place]
            cards = search.cards[depth] + 1
            total = search.total[depth] + rules.pips[card >> 2]
            ranks = search.ranks[depth] | 1 << (card >> 2)
            suits = search.suits[depth] | 1 << (card & 3)
            if may_grow(search.trump, has_trump, cards, total, ranks, suits):
                below = search.mask[depth]
                depth += 1
                search.depth = depth
                search.next[depth] = 0
                search.place[depth] = place
                search.mask[depth] = below | (np.int64(1) << place)
                search.cards[depth] = cards
                search.total[depth] = total
                search.ranks[depth] = ranks
                search.suits[depth] = suits
                return True
        elif depth > 0:
            depth -= 1
        elif search.trump_joins:
            join_trump(rules, search)
            has_trump = True
        else:
            return False


@kernel
def holds_trump_jack(search, mask):
    """Whether the jack of trumps is among the cards of the hand in a set."""
    jack = 4 * JACK + (search.trump & 3)
    for place in range(search.held):
        if mask >> place & 1 and search.hand[place] == jack:
            return True
    return False


@kernel
def sum_of_subsets(rules, search, mask):
    """Points of every subset of a set that is of some kind, all kinds added up."""
    points = np.int64(0)
    subset = mask
    while subset:
        cards = 0
        total = 0
        ranks = 0
        suits = 0
        for place in range(search.held):
            if subset >> place & 1:
                card = search.hand[place]
                cards += 1
                total += rules.pips[card >> 2]
                ranks |= 1 << (card >> 2)
                suits |= 1 << (card & 3)
        of_one = cards == 1
        if subset >> TRUMP_BIT & 1:
            cards += 1
            of_one = False
            total += rules.pips[search.trump >> 2]
            ranks |= 1 << (search.trump >> 2)
            suits |= 1 << (search.trump & 3)
        kinds = kinds_made(rules, search.trump, of_one, cards, total, ranks, suits, search.parts)
        while kinds:
            points += search.parts[lowest_bit(kinds)]
            kinds &= kinds - 1
        subset = (subset - 1) & mask
    return points


@kernel
def join_kinds(rules, search):
    """Where one meld scores all that its set has: leave its best kind only, with the points of all."""
    best = lowest_bit(search.kinds)
    points = np.int64(0)
    kinds = search.kinds
    while kinds:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        if search.made[kind] > search.made[best]:
            best = kind
        points += search.made[kind]
    if rules.scoring == ALL_SUBSETS:
        points = sum_of_subsets(rules, search, search.mask[search.depth])
    search.made[best] = points
    search.kinds = np.int64(1) << best


@kernel
def next_meld(rules, search):
    """Find the next meld, into ``found_mask``, ``found_kind`` and ``found_points``; False after the last.

    Melds come in rising order of their sets, those of one set in the order of MELD_KINDS.
    """
    while search.kinds == 0:
        if not next_set(rules, search):
            return False
        depth = search.depth
        of_one = depth == 1 and search.cards[depth] == 1
        search.kinds = kinds_made(
            rules, search.trump, of_one, search.cards[depth], search.total[depth], search.ranks[depth],
            search.suits[depth], search.made,
        )  # fmt: skip
        if search.kinds and rules.scoring != SINGLE:
            join_kinds(rules, search)
    kind = lowest_bit(search.kinds)
    search.kinds &= search.kinds - 1
    search.found_mask = search.mask[search.depth]
    search.found_kind = kind
    search.found_points = search.made[kind]
    if rules.jack_bonus and holds_trump_jack(search, search.found_mask):
        search.found_points += 1
    return True
