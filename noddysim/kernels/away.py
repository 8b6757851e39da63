"""Which cards leave a hand before the play: laid away to a crib, or passed to the other player (mogging).

A policy is a stack of levels like those of the play. Its candidates are *choices*: the ways to lay one or two of the
sorted cards away, in the order of their places; or, in mogging, to stay and then to pass each card in turn. Values are
integers: millionths of a point times a thousand (cribs are known in thousandths) times the number of unseen cards.

What a policy chooses depends on the cards and the seat alone, so it is kept for the deal in ``table.cut``: arms of a
duel that lay away alike ask once.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.choose import pips_of
from noddysim.kernels.compiler import inlined, kernel
from noddysim.kernels.dealing import CHOICE, below
from noddysim.kernels.hands import card_at, holds, inserted, parted, without
from noddysim.kernels.records import (
    A_AWAY_FIFTEENS,
    A_AWAY_PAIRS,
    A_CRIB,
    A_FIFTEENS,
    A_FLUSH,
    A_GIFT,
    A_HAND,
    A_PAIRS,
    A_PEG,
    A_RUNS,
    A_STAY,
    ANY,
    AT_CHANGED,
    AT_DEAL,
    AT_STARTER,
    FLUSH_OFF,
    LOW,
    NOBODY,
    OURS,
    PACK,
    RANDOM,
    THEIRS,
    THOUSAND,
    TOTAL_MASK,
)
from noddysim.kernels.show import (
    cards_points,
    honour_points,
    runs_points,
    show_points,
    show_same_points,
    table_index,
    table_points,
)

CHOICE_BITS = 8
DISCARD_WORD, MOG_WORD = 255, 254
"""Numbers of the words for these choices, where a choice in the play has the number of cards laid."""
LEAST = -(1 << 62)


@kernel
def list_choices(rules, table):
    """Write every way to lay cards away, one bit a place, to ``table.choices``; returns how many there are."""
    for i in range(rules.ways):
        table.choices[i] = rules.way[i]
    return rules.ways


# --- features -------------------------------------------------------------------------------------------------------


@kernel
def sum_of_shows(rules, shows, kept, cards, dealt):
    """Points that the kept cards show, added up over all starters that are not among the ``dealt`` cards.

    Ranks and suits of a starter score apart, so 13 ranks and 4 suits stand for all starters.
    """
    base = table_index(kept, rules.hand, 0)
    total = np.int64(0)
    for rank in range(13):
        unseen = 4
        for i in range(dealt):
            unseen -= card_at(cards, i) >> 2 == rank
        total += unseen * (table_points(shows, base + rank) & TOTAL_MASK)
    for suit in range(4):
        unseen = 13
        for i in range(dealt):
            unseen -= card_at(cards, i) & 3 == suit
        total += unseen * (cards_points(rules, kept, rules.hand, suit) & TOTAL_MASK)
    return total


@kernel
def crib_worth(rules, laid_away, ours):
    """Mean crib of the cards laid away in thousandths of a point, less than nought if the crib is the others'."""
    low = card_at(laid_away, 0) >> 2
    high = card_at(laid_away, 1) >> 2 if rules.discard == 2 else 0
    worth = rules.crib_worth[1 if ours else 0, low, high]
    return worth if ours else -worth


@kernel
def own_fifteens(rules, cards, size):
    """Points for sums that some cards make by themselves, without a starter."""
    points = np.int64(0)
    for subset in range(1, 1 << size):
        total = 0
        number = 0
        for i in range(size):
            if subset >> i & 1:
                total += pips_of(card_at(cards, i) >> 2)
                number += 1
        if number > 1 and total < len(rules.show_flat):
            points += (rules.show_flat[total] + rules.show_each[total] * number) & TOTAL_MASK
    return points


@kernel
def own_pairs(rules, cards, size):
    """Points for equal cards that some sorted cards make by themselves."""
    points = np.int64(0)
    first = 0
    while first < size:
        equal = 1
        while first + equal < size and card_at(cards, first + equal) >> 2 == card_at(cards, first) >> 2:
            equal += 1
        points += show_same_points(rules, equal) & TOTAL_MASK
        first += equal
    return points


@kernel
def own_runs(rules, cards, size):
    """Points for runs that some cards make by themselves."""
    held = np.zeros(13, np.int64)
    for i in range(size):
        held[card_at(cards, i) >> 2] += 1
    return runs_points(rules, held) & TOTAL_MASK


@kernel
def own_flush(rules, cards, size):
    """Points for the kept cards being of one suit; none where hands have no flush."""
    if rules.flush_kind == FLUSH_OFF:
        return np.int64(0)
    for i in range(1, size):
        if card_at(cards, i) & 3 != card_at(cards, 0) & 3:
            return np.int64(0)
    return rules.flush_points[size]


# --- laying away ----------------------------------------------------------------------------------------------------


@kernel
def discard_value(rules, shows, minds, policy, level, table, seat, away, ours):
    """Value of laying away the places of ``away``, by one level of a policy."""
    weights = minds.away_weights[policy, level]
    cards = table.dealt[seat]
    kept, laid_away = parted(cards, away)
    size, gone = rules.hand, rules.discard
    unseen = PACK - rules.dealt
    plain = np.int64(0)
    for i in range(size):
        plain += minds.away_ranks[policy, level, card_at(kept, i) >> 2]
    if weights[A_FIFTEENS]:
        plain += weights[A_FIFTEENS] * own_fifteens(rules, kept, size)
    if weights[A_PAIRS]:
        plain += weights[A_PAIRS] * own_pairs(rules, kept, size)
    if weights[A_RUNS]:
        plain += weights[A_RUNS] * own_runs(rules, kept, size)
    if weights[A_FLUSH]:
        plain += weights[A_FLUSH] * own_flush(rules, kept, size)
    if weights[A_AWAY_FIFTEENS]:
        plain += weights[A_AWAY_FIFTEENS] * own_fifteens(rules, laid_away, gone)
    if weights[A_AWAY_PAIRS]:
        plain += weights[A_AWAY_PAIRS] * own_pairs(rules, laid_away, gone)
    value = plain * THOUSAND * unseen
    if weights[A_HAND]:
        value += weights[A_HAND] * THOUSAND * sum_of_shows(rules, shows, kept, cards, rules.dealt)
    if weights[A_CRIB] and rules.crib:
        value += weights[A_CRIB] * unseen * crib_worth(rules, laid_away, ours)
    return value


@kernel
def break_choice(table, left, ties, key, counter):
    """One of the first ``left`` of ``table.choices``: the first, the last, or any by chance."""
    if left == 1 or ties == LOW:
        return table.choices[0]
    if ties == RANDOM:
        return table.choices[below(key, CHOICE, np.uint64(counter), left)]
    return table.choices[left - 1]


@kernel
def keep_best_choices(table, left):
    """Keep of the first ``left`` choices those of the greatest merit; returns how many stay."""
    best = np.int64(LEAST)
    for i in range(left):
        best = max(best, table.merits[i])
    kept = np.int64(0)
    for i in range(left):
        if table.merits[i] == best:
            table.choices[kept] = table.choices[i]
            kept += 1
    return kept


@kernel
def level_holds(minds, policy, level, ours, theirs):
    """Whether a level speaks, by whose the crib is (or who was asked first)."""
    when = minds.away_when[policy, level]
    return when == ANY or (when == OURS and ours) or (when == THEIRS and theirs)


@kernel
def choose_discard(rules, shows, minds, policy, table, n, seat, key):
    """The places of the sorted dealt cards that a policy lays away, one bit a place."""
    ours = rules.crib > 0 and seat % rules.sides == (n - 1) % rules.sides
    theirs = rules.crib > 0 and not ours
    counter = (seat << 16) | (DISCARD_WORD << 8)
    left = list_choices(rules, table)
    for level in range(minds.away_levels[policy]):
        if not level_holds(minds, policy, level, ours, theirs):
            continue
        if left > 1:
            for i in range(left):
                table.merits[i] = discard_value(rules, shows, minds, policy, level, table, seat, table.choices[i], ours)
            left = keep_best_choices(table, left)
        final = minds.away_final[policy, level]
        if left == 1 or final >= 0:
            return break_choice(table, left, final, key, counter)
    return break_choice(table, left, minds.away_ties[policy], key, counter)


@inlined
def discard_of(rules, shows, minds, mind, table, n, seat, key):
    """What strategy ``mind`` lays away in a seat, asked at most once a deal and policy."""
    policy = minds.discard[mind]
    if minds.away_levels[policy] == 0 and minds.away_ties[policy] == RANDOM:
        return rules.way[below(key, CHOICE, np.uint64((seat << 16) | (DISCARD_WORD << 8)), rules.ways)]
    known = table.cut[seat, policy]
    if known >> CHOICE_BITS == table.state[AT_DEAL]:
        return known & ((1 << CHOICE_BITS) - 1)
    away = choose_discard(rules, shows, minds, policy, table, n, seat, key)
    table.cut[seat, policy] = (table.state[AT_DEAL] << CHOICE_BITS) | away
    return away


@kernel
def places_in(away, dealt):
    """How many places are marked."""
    number = np.int64(0)
    for place in range(dealt):
        number += away >> place & 1
    return number


@inlined
def lay_away(rules, shows, minds, table, n, key, watch, rival):
    """Every seat decides what it lays away, into ``table.away``.

    watch : the side whose choices are compared with strategy ``rival``'s (cards that differ are added to
    ``state[AT_CHANGED]``), or NOBODY
    """
    for seat in range(n):
        away = discard_of(rules, shows, minds, table.mind[seat], table, n, seat, key)
        table.away[seat] = away
        if watch != NOBODY and seat % rules.sides == watch:
            other = discard_of(rules, shows, minds, rival, table, n, seat, key)
            table.state[AT_CHANGED] += places_in(away & ~other, rules.dealt)


# --- mogging --------------------------------------------------------------------------------------------------------


@kernel
def sum_of_swaps(rules, shows, hand, place, starter):
    """Points the hand shows with the starter if the card at a place is exchanged, added up over all unseen cards."""
    size = rules.hand
    total = np.int64(0)
    for card in range(PACK):
        if card == starter or holds(hand, card):
            continue
        total += show_points(rules, shows, inserted(without(hand, place), card), size, starter) & TOTAL_MASK
        if not rules.mog_taker:
            total -= honour_points(rules, card, starter)
    return total


@kernel
def mog_value(rules, shows, minds, policy, level, table, hand, choice):
    """Value of staying (``choice`` 0) or of passing the card at place ``choice - 1``, by one level of a policy."""
    weights = minds.away_weights[policy, level]
    starter = table.state[AT_STARTER]
    size = rules.hand
    unseen = PACK - size - 1
    plain = np.int64(0)
    for i in range(size):
        if i != choice - 1:
            plain += minds.away_ranks[policy, level, card_at(hand, i) >> 2]
    if choice == 0:
        plain += weights[A_STAY] - weights[A_PEG] * rules.mog_refusal
    else:
        honour = honour_points(rules, card_at(hand, choice - 1), starter)
        plain += weights[A_PEG] * honour * rules.mog_giver + weights[A_GIFT] * honour * rules.mog_taker
    value = plain * THOUSAND * unseen
    if weights[A_HAND]:
        if choice == 0:
            shown = unseen * (show_points(rules, shows, hand, size, starter) & TOTAL_MASK)
        else:
            shown = sum_of_swaps(rules, shows, hand, choice - 1, starter)
        value += weights[A_HAND] * THOUSAND * shown
    return value


@kernel
def choose_mog(rules, shows, minds, policy, table, seat, key):
    """Whether and what a policy passes: 0 to stay, else one more than the place in the sorted hand."""
    hand = table.hand[seat]
    first = seat == rules.mog_first
    counter = (seat << 16) | (MOG_WORD << 8)
    left = rules.hand + 1
    for i in range(left):
        table.choices[i] = i
    for level in range(minds.away_levels[policy]):
        if not level_holds(minds, policy, level, first, not first):
            continue
        if left > 1:
            for i in range(left):
                table.merits[i] = mog_value(rules, shows, minds, policy, level, table, hand, table.choices[i])
            left = keep_best_choices(table, left)
        final = minds.away_final[policy, level]
        if left == 1 or final >= 0:
            return break_choice(table, left, final, key, counter)
    return break_choice(table, left, minds.away_ties[policy], key, counter)


@kernel
def mog_of(rules, shows, minds, mind, table, seat, key):
    """What strategy ``mind`` passes in a seat, asked at most once a deal and policy."""
    policy = minds.mog[mind]
    known = table.cut[seat, policy]
    if known >> CHOICE_BITS == table.state[AT_DEAL]:
        return known & ((1 << CHOICE_BITS) - 1)
    choice = choose_mog(rules, shows, minds, policy, table, seat, key)
    table.cut[seat, policy] = (table.state[AT_DEAL] << CHOICE_BITS) | choice
    return choice


@kernel
def ask_to_mog(rules, shows, minds, table, seat, key, watch, rival):
    """Ask one seat; returns 0 if it stays, else one more than the place of the card it passes."""
    choice = mog_of(rules, shows, minds, table.mind[seat], table, seat, key)
    if seat == watch:
        table.state[AT_CHANGED] += choice != mog_of(rules, shows, minds, rival, table, seat, key)
    return choice


@kernel
def mogging(rules, shows, minds, table, key, watch, rival):
    """The exchange between two players: who declines pays, who agree pass a card each, both at the same moment.

    What it brings is noted in ``table.mog_due``. watch : the seat whose choices are compared with ``rival``'s
    """
    first = rules.mog_first
    second = 1 - first
    for seat in range(2):
        table.mog_due[seat] = 0
        table.passed[seat] = NOBODY
        table.received[seat] = NOBODY
    offer = ask_to_mog(rules, shows, minds, table, first, key, watch, rival)
    if offer == 0:
        table.mog_due[second] = rules.mog_refusal
        return
    answer = ask_to_mog(rules, shows, minds, table, second, key, watch, rival)
    if answer == 0:
        table.mog_due[first] = rules.mog_refusal
        return
    table.passed[first] = offer - 1
    table.passed[second] = answer - 1
    exchange(rules, table)


@kernel
def exchange(rules, table):
    """Pass the cards at ``table.passed`` and put both hands in order again."""
    for seat in range(2):
        card = card_at(table.hand[seat], table.passed[seat])
        table.received[1 - seat] = card
        if rules.mog_giver:
            table.mog_due[seat] = honour_points(rules, card, table.state[AT_STARTER])
    for seat in range(2):
        table.hand[seat] = inserted(without(table.hand[seat], table.passed[seat]), table.received[seat])
