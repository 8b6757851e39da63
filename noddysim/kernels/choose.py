"""What a card scores as it is laid, and which card a strategy lays.

A strategy is a stack of levels (``game.features.StrategyTable``): each level keeps the legal cards it values most, the
next level chooses among those. All values are integers, millionths of a point, so every processor chooses alike.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import CHOICE, below
from noddysim.kernels.records import (
    AT_LAID,
    AT_STARTER,
    PLAY_MASK,
    PARTS_AT,
    PLAY_BITS,
    PLAY_SHIFT,
    TOTAL_MASK,
)

FIFTEEN_AT, TWENTYFIVE_AT, THIRTYONE_AT, PAIR_AT, RUN_AT, LAST_AT = PLAY_SHIFT

NEEDS_POINTS, NEEDS_PARTS, NEEDS_REPLY, NEEDS_OFFERS_RUN = 1, 2, 4, 8
NEEDS_PAIRED, NEEDS_RESERVE, NEEDS_RANKS, NEEDS_COUNTS = 16, 32, 64, 128
W_POINTS, W_PARTS, W_REPLY, W_REPLY_PARTS = 0, 1, 6, 7
W_OFFERS_RUN, W_PAIRED, W_RESERVE = 12, 15, 16
PARTS = 5
LEAD, FOLLOW = 1, 2
LOW, HIGH, RANDOM = 0, 1, 2
NOT_YET = -1
LEAST = -(1 << 62)


@kernel
def pips_of(rank):
    """What a rank adds to the count."""
    return min(rank + 1, 10)


@kernel
def run_length(ranks, start, laid, rank):
    """Length of the longest run that ``rank`` makes with the cards just before it, 0 if none.

    ranks : int64, the ranks laid; only those from ``start`` to ``laid - 1`` may be used. The last n cards are a run if
    they are n different ranks in sequence; the first repeated rank ends the look-back. A set of ranks is in sequence
    if, as bits, adding its lowest bit carries through all of them.
    """
    seen = np.int64(1) << rank
    longest = 0
    for i in range(laid - 1, start - 1, -1):
        bit = np.int64(1) << ranks[i]
        if seen & bit:
            break
        seen |= bit
        if (seen + (seen & -seen)) & seen == 0:
            longest = laid - i + 1
    return longest if longest >= 3 else 0


@kernel
def card_points(rules, ranks, pile_start, combo_start, laid, count, rank):
    """Packed points that a card of ``rank`` scores when laid next, without the last-card point.

    ranks : int64, ranks laid in the deal, ``laid`` of them; the pile began at ``pile_start``; pairs and runs look back
    to ``combo_start``; count : running total before the card
    """
    total = count + pips_of(rank)
    points = rules.play_flat[total] + rules.play_each[total] * (laid - pile_start + 1)
    if laid > combo_start:
        if ranks[laid - 1] == rank:
            same = 2
            i = laid - 2
            while i >= combo_start and same < 4 and ranks[i] == rank:
                same += 1
                i -= 1
            points += rules.play_same[same]
        elif laid - combo_start >= 2:
            points += rules.play_run[run_length(ranks, combo_start, laid, rank)]
    return points


@kernel
def count_unseen(rules, table, seat):
    """Fill ``table.unseen`` with the cards of each rank that ``seat`` has not seen; return how many in all."""
    unseen = table.unseen
    unseen[:] = 4
    unseen[table.state[AT_STARTER] >> 2] -= 1
    laid = table.state[AT_LAID]
    for i in range(laid):
        unseen[table.ranks[i]] -= 1
    for i in range(table.left[seat]):
        unseen[table.hand[seat, i] >> 2] -= 1
    return 51 - laid - table.left[seat]


@kernel
def reply_sum(rules, table, weights, pile_start, combo_start, count, rank):
    """Weighted points, added up over all unseen cards, that the next card would score after one of ``rank``."""
    laid = table.state[AT_LAID]
    total = count + pips_of(rank)
    if total == rules.limit:
        return np.int64(0)
    table.ranks[laid] = rank
    value = np.int64(0)
    for reply in range(13):
        if table.unseen[reply] and total + pips_of(reply) <= rules.limit:
            points = card_points(rules, table.ranks, pile_start, combo_start, laid + 1, total, reply)
            if points:
                worth = weights[W_REPLY] * (points & TOTAL_MASK)
                for part in range(PARTS):
                    worth += weights[W_REPLY_PARTS + part] * ((points >> (PARTS_AT + PLAY_BITS * part)) & PLAY_MASK)
                value += worth * table.unseen[reply]
    return value


@kernel
def offers_run(rules, table, combo_start, count, rank):
    """1 if after this card a card of some rank, left or not, would make a run within the limit, else 0."""
    total = count + pips_of(rank)
    if total == rules.limit:
        return 0
    laid = table.state[AT_LAID]
    table.ranks[laid] = rank
    for reply in range(13):
        if total + pips_of(reply) <= rules.limit and run_length(table.ranks, combo_start, laid + 1, reply):
            return 1
    return 0


@kernel
def keeps_no_reserve(table, seat, index):
    """1 if the card is a 5 or ten-card and the hand would hold no other, else 0."""
    rank = table.hand[seat, index] >> 2
    if rank != 4 and rank < 9:
        return 0
    for i in range(table.left[seat]):
        other = table.hand[seat, i] >> 2
        if i != index and (other == 4 or other >= 9):
            return 0
    return 1


@kernel
def is_paired(table, seat, index):
    """1 if the hand holds another card of the same rank, else 0."""
    rank = table.hand[seat, index] >> 2
    for i in range(table.left[seat]):
        if i != index and table.hand[seat, i] >> 2 == rank:
            return 1
    return 0


@kernel
def points_if_laid(rules, table, seat, index, pile_start, combo_start, count):
    """Packed points of a card of the hand, worked out once a turn and kept in ``table.worth``."""
    points = table.worth[index]
    if points == NOT_YET:
        rank = table.hand[seat, index] >> 2
        points = card_points(rules, table.ranks, pile_start, combo_start, table.state[AT_LAID], count, rank)
        table.worth[index] = points
    return points


@kernel
def level_value(rules, mind, level, table, seat, index, pile_start, combo_start, count, unseen):
    """Value of a card at one level in millionths of a point, times ``unseen`` where the level looks at replies."""
    needs = mind.needs[level]
    if needs == NEEDS_POINTS:
        points = points_if_laid(rules, table, seat, index, pile_start, combo_start, count)
        return mind.weights[level, W_POINTS] * (points & TOTAL_MASK)
    weights = mind.weights[level]
    rank = table.hand[seat, index] >> 2
    value = np.int64(0)
    if needs & NEEDS_RANKS:
        value += mind.ranks[level, rank]
    if needs & NEEDS_COUNTS:
        value += mind.counts[level, count + pips_of(rank)]
    if needs & NEEDS_POINTS:
        points = points_if_laid(rules, table, seat, index, pile_start, combo_start, count)
        value += weights[W_POINTS] * (points & TOTAL_MASK)
        if needs & NEEDS_PARTS:
            for part in range(PARTS):
                value += weights[W_PARTS + part] * ((points >> (PARTS_AT + PLAY_BITS * part)) & PLAY_MASK)
    if needs & NEEDS_PAIRED:
        value += weights[W_PAIRED] * is_paired(table, seat, index)
    if needs & NEEDS_RESERVE:
        value += weights[W_RESERVE] * keeps_no_reserve(table, seat, index)
    if needs & NEEDS_OFFERS_RUN:
        value += weights[W_OFFERS_RUN] * offers_run(rules, table, combo_start, count, rank)
    if needs & NEEDS_REPLY:
        value = value * unseen + reply_sum(rules, table, weights, pile_start, combo_start, count, rank)
    return value


@kernel
def break_tie(table, seat, left, rule, key):
    """Choose among the first ``left`` of ``table.alive``: the lowest card, the lowest card of the highest rank, or any.

    The word of a random choice belongs to the deal, the seat and the number of the card laid, never to the strategy.
    """
    if left == 1 or rule == LOW:
        return table.alive[0]
    if rule == RANDOM:
        counter = np.uint64((seat << 16) | (table.state[AT_LAID] << 8))
        return table.alive[below(key, CHOICE, counter, left)]
    best = table.alive[0]
    for j in range(1, left):
        if table.hand[seat, table.alive[j]] >> 2 > table.hand[seat, best] >> 2:
            best = table.alive[j]
    return best


@kernel
def choose(rules, mind, table, seat, fits, pile_start, combo_start, count, key):
    """Index in the hand of ``seat`` of the card that a strategy (the record ``mind``) lays.

    The hand is sorted, so the cards that fit are its first ``fits``. ``table.worth`` must be NOT_YET for cards not
    looked at in this turn.
    """
    if fits == 1:
        return 0
    alive = table.alive
    left = fits
    for i in range(fits):
        alive[i] = i
    unseen = -1
    for level in range(mind.levels):
        when = mind.when[level]
        if (when == LEAD and count > 0) or (when == FOLLOW and count == 0):
            continue
        if mind.needs[level] & NEEDS_REPLY and unseen < 0:
            unseen = count_unseen(rules, table, seat)
        if mind.needs[level]:
            best = np.int64(LEAST)
            kept = 0
            for j in range(left):
                index = alive[j]
                value = level_value(
                    rules, mind, level, table, seat, index, pile_start, combo_start, count, unseen
                )
                if value > best:
                    best = value
                    kept = 0
                if value == best:
                    alive[kept] = index
                    kept += 1
            left = kept
        final = mind.final[level]
        if left == 1 or final >= 0:
            return break_tie(table, seat, left, final, key)
    return break_tie(table, seat, left, mind.ties, key)
