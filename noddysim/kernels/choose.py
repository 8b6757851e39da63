"""What a card scores as it is laid, and which card a strategy lays.

A strategy is a stack of levels (``game.features.StrategyTable``): each level keeps the legal cards it values most, the
next level chooses among those. All values are integers, millionths of a point, so every processor chooses alike.

The cards laid lie in one integer, the *trail*: four bits a rank, the last card lowest. Sets of ranks are integers with
four bits a rank too, all set or none, so that a set can be turned into run lengths by rank with one multiplication.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import inlined, kernel
from noddysim.kernels.dealing import CHOICE, below, below_many
from noddysim.kernels.hands import card_at, holds
from noddysim.kernels.lines import BOOK_SIZE, book_at, place_in_book
from noddysim.kernels.records import (
    AT_STARTER,
    AT_SUIT,
    AT_SUITED,
    COUNT_MASK,
    FOLLOW,
    HAND_MASK,
    LEAD,
    LOW,
    NEEDS_COUNTS,
    NEEDS_OFFERS_RUN,
    NEEDS_PAIRED,
    NEEDS_PARTS,
    NEEDS_RANKS,
    NEEDS_REPLY,
    NEEDS_RESERVE,
    NOBODY,
    PARTS,
    PARTS_AT,
    PLAY_BITS,
    PLAY_MASK,
    PLAY_SHIFT,
    RANDOM,
    RANK_MASK,
    SEAT_MASK,
    SOLVED,
    TOTAL_MASK,
    W_OFFERS_RUN,
    W_PAIRED,
    W_PARTS,
    W_POINTS,
    W_REPLY,
    W_REPLY_PARTS,
    W_RESERVE,
)

FIFTEEN_AT, TWENTYFIVE_AT, THIRTYONE_AT, PAIR_AT, RUN_AT, FLUSH_AT, LAST_AT = PLAY_SHIFT

RANK_BITS = 4
TRAIL_MASK = (1 << 56) - 1
"""The trail keeps fourteen ranks besides the one added: no run is longer than thirteen."""
NO_RANK = 13
FULL_PACK = 0x4444444444444
"""Four cards of each rank, four bits a rank."""
LEAST = -(1 << 62)
SHORTLIST = 256
"""More than the cards of any hand."""


@kernel
def pips_of(rank):
    """What a rank adds to the count."""
    return min(rank + 1, 10)


@kernel
def longer(trail, rank):
    """The trail with one more card."""
    return ((trail & TRAIL_MASK) << RANK_BITS) | rank


@kernel
def runs_open(trail, window):
    """Length of the longest run that each rank would make after the last ``window`` cards of the trail.

    Four bits a rank, nought where there is no run of three. The last cards and the next are a run if they are
    different ranks in sequence, so the first repeated rank ends the look-back. A set is in sequence if adding its
    lowest bit carries through all of it; if it is not, one rank can still fill its only gap.
    """
    runs = 0
    last = trail & RANK_MASK
    apart = abs(last - ((trail >> RANK_BITS) & RANK_MASK))
    if window < 2 or apart == 0 or apart > window:
        return runs
    held = RANK_MASK << (RANK_BITS * last)
    for length in range(3, window + 2):
        trail = trail >> RANK_BITS
        rank = RANK_MASK << (RANK_BITS * (trail & RANK_MASK))
        if held & rank:
            break
        held |= rank
        lowest = held & -held
        above = held + lowest
        gap = above & ~held
        ends = 0
        if above & held == 0:
            ends = gap | (lowest >> RANK_BITS)
        else:
            filled = held | (gap * RANK_MASK)
            if (filled + lowest) & filled == 0:
                ends = gap
        runs = (runs & ~(ends * RANK_MASK)) | (ends * length)
    return runs


@inlined
def run_made(trail, window, rank):
    """Length of the longest run that a card of ``rank`` makes with the last ``window`` cards of the trail, or nought.

    As ``runs_open`` for a single rank: the last cards are a run if all are different and they span as many ranks.
    """
    last = trail & RANK_MASK
    before = (trail >> RANK_BITS) & RANK_MASK
    lowest = min(rank, last, before)
    highest = max(rank, last, before)
    longest = np.int64(0)
    # Most cards stop here: three that lie too far apart are part of no run among so few.
    if window < 2 or rank == last or highest - lowest > window:
        return longest
    held = (1 << rank) | (1 << last)
    for length in range(3, window + 2):
        trail = trail >> RANK_BITS
        rank = trail & RANK_MASK
        if held >> rank & 1:
            break
        held |= 1 << rank
        lowest = min(lowest, rank)
        highest = max(highest, rank)
        if highest - lowest == length - 1:
            longest = length
    return longest


@kernel
def card_points(rules, total, cards, rank, runs, last_rank, same_points):
    """Packed points of a card of ``rank``, without the last-card point.

    total, cards : count and cards of the pile with it; runs : ``runs_open`` before it; last_rank, same_points : the
    rank that would make a pair or more, or NO_RANK, and the packed points of that
    """
    total &= COUNT_MASK
    points = rules.play_flat[total] + rules.play_each[total] * cards
    points += rules.play_run[(runs >> (RANK_BITS * rank)) & RANK_MASK]
    return points + (same_points if rank == last_rank else 0)


@kernel
def suited_with(table, window, suit):
    """How many of the last cards are of one suit once a card of ``suit`` is laid, that card among them."""
    if window > 0 and table.state[AT_SUIT] == suit:
        return table.state[AT_SUITED] + 1
    return np.int64(1)


@kernel
def passed_on(rules, table, seat, laid):
    """The card that a seat has passed to the other one in exchange, while it is not laid; NOBODY if there is none."""
    if not rules.mog:
        return np.int64(NOBODY)
    # What a seat has passed is what the other one has received.
    card = table.received[1 - seat]
    for i in range(laid):
        if table.cards[i] == card:
            return np.int64(NOBODY)
    return card


@kernel
def number_unseen(rules, table, seat, laid):
    """How many cards a seat has not seen: not turned, not laid, not in its hand, not laid away or passed on by it."""
    passed = 0 if passed_on(rules, table, seat, laid) == NOBODY else 1
    return 51 - laid - table.left[seat] - rules.discard - passed


@kernel
def is_unseen(rules, table, seat, card, laid):
    """Whether ``seat`` has not seen a card, see ``number_unseen``."""
    if card == table.state[AT_STARTER] or card == passed_on(rules, table, seat, laid):
        return False
    if rules.discard:
        for place in range(rules.dealt):
            if table.away[seat] >> place & 1 and card_at(table.dealt[seat], place) == card:
                return False
    for i in range(laid):
        if table.cards[i] == card:
            return False
    return not holds(table.hand[seat], card)


@kernel
def flush_reply(rules, table, seat, suit, suited, room, laid):
    """Points for flushes, added up over all unseen cards, that the next card would score; ``suited`` before it."""
    points = rules.play_flush[suited + 1] & TOTAL_MASK
    if points == 0:
        return np.int64(0)
    number = np.int64(0)
    for rank in range(13 if room >= 10 else room):
        number += is_unseen(rules, table, seat, 4 * rank + suit, laid)
    return points * number


@kernel
def worth_of_parts(weights, at, points):
    """Weighted sum of the parts of packed points; ``at`` is the place of the first part's weight."""
    worth = np.int64(0)
    for part in range(PARTS):
        worth += weights[at + part] * ((points >> (PARTS_AT + PLAY_BITS * part)) & PLAY_MASK)
    return worth


@kernel
def reply_sum(rules, minds, mind, level, total, cards, trail, window, same, unseen):
    """Weighted points, added up over all unseen cards, that the next card would score.

    total, cards, trail, window, same : the pile after the card in question, see ``choose``; unseen : cards of each rank
    that the player has not seen, four bits a rank
    """
    room = rules.limit - total
    weights = minds.weights[mind, level]
    with_parts = minds.reply_parts[mind, level]
    runs = runs_open(trail, window)
    same_points = rules.play_same[min(same + 1, 4)]
    last_rank = trail & RANK_MASK
    number = np.int64(0)
    worth = np.int64(0)
    for rank in range(13 if room >= 10 else room):
        points = card_points(rules, total + pips_of(rank), cards + 1, rank, runs, last_rank, same_points)
        cards_left = (unseen >> (RANK_BITS * rank)) & RANK_MASK
        number += (points & TOTAL_MASK) * cards_left
        if with_parts and points:
            worth += worth_of_parts(weights, np.int64(W_REPLY_PARTS), points) * cards_left
    return worth + weights[W_REPLY] * number


@kernel
def offers_run(trail, window, room):
    """1 if a card of some rank, left or not, would make a run within the ``room`` left below the limit, else 0."""
    fitting = (1 << (RANK_BITS * (13 if room >= 10 else room))) - 1
    return 1 if runs_open(trail, window) & fitting else 0


@kernel
def keeps_no_reserve(hand, left, index):
    """1 if the card is a 5 or ten-card and the hand would hold no other, else 0."""
    rank = card_at(hand, index) >> 2
    if rank != 4 and rank < 9:
        return 0
    for i in range(left):
        other = card_at(hand, i) >> 2
        if i != index and (other == 4 or other >= 9):
            return 0
    return 1


@kernel
def is_paired(hand, left, index):
    """1 if the hand, which is sorted, holds another card of the same rank, else 0."""
    rank = card_at(hand, index) >> 2
    if index > 0 and card_at(hand, index - 1) >> 2 == rank:
        return 1
    return 1 if index + 1 < left and card_at(hand, index + 1) >> 2 == rank else 0


@kernel
def level_value(rules, minds, mind, level, table, seat, index, count, cards, trail, window, same, unseen, laid):
    """Value of a card at a level in millionths of a point, times the unseen cards if the level looks at replies."""
    needs = minds.needs[mind, level]
    weights = minds.weights[mind, level]
    hand = table.hand[seat]
    rank = card_at(hand, index) >> 2
    points = table.worth[index]
    total = count + pips_of(rank)
    value = weights[W_POINTS] * (points & TOTAL_MASK)
    if needs & NEEDS_PARTS:
        value += worth_of_parts(weights, np.int64(W_PARTS), points)
    if needs & NEEDS_RANKS:
        value += minds.ranks[mind, level, rank]
    if needs & NEEDS_COUNTS:
        value += minds.counts[mind, level, total]
    if needs & NEEDS_PAIRED:
        value += weights[W_PAIRED] * is_paired(hand, table.left[seat], index)
    if needs & NEEDS_RESERVE:
        value += weights[W_RESERVE] * keeps_no_reserve(hand, table.left[seat], index)
    if needs & NEEDS_OFFERS_RUN:
        value += weights[W_OFFERS_RUN] * offers_run(longer(trail, rank), window + 1, rules.limit - total)
    if needs & NEEDS_REPLY:
        value *= number_unseen(rules, table, seat, laid)
        if total != rules.limit:
            equal = same + 1 if window > 0 and trail & RANK_MASK == rank else 1
            value += reply_sum(
                rules, minds, mind, level, total, cards + 1, longer(trail, rank), window + 1, equal, unseen
            )
            if rules.flushes:
                suit = card_at(hand, index) & 3
                suited = suited_with(table, window, suit)
                value += weights[W_REPLY] * flush_reply(rules, table, seat, suit, suited, rules.limit - total, laid)
    return value


@kernel
def break_tie(hand, alive, left, rule, key, counter):
    """Choose among the first ``left`` of ``alive``: the lowest card, the lowest card of the highest rank, or any.

    The word of a random choice belongs to the deal, the seat and the number of the card laid, never to the strategy.
    """
    if left == 1 or rule == LOW:
        return alive[0]
    if rule == RANDOM:
        return alive[below(key, CHOICE, np.uint64(counter), np.int64(left))]
    best = alive[0]
    for j in range(1, left):
        if card_at(hand, alive[j]) >> 2 > card_at(hand, best) >> 2:
            best = alive[j]
    return best


@kernel
def blind_choice(minds, mind, table, seat, fits, laid, key):
    """Index in the hand of the card that a strategy lays which looks at nothing: the lowest, the highest, or any."""
    ties = minds.ties[mind]
    if ties == LOW:
        return np.int64(0)
    if ties == RANDOM:
        return below(key, CHOICE, np.uint64((seat << 16) | (laid << 8)), np.int64(fits))
    highest = fits - 1
    hand = table.hand[seat & SEAT_MASK]
    while highest > 0 and card_at(hand, highest - 1) >> 2 == card_at(hand, highest) >> 2:
        highest -= 1
    return highest


@kernel
def best_by_points(minds, mind, table, seat, fits, key, counter):
    """Index in the hand of the card that a strategy marked ``by_points`` lays: the greatest points."""
    best = np.int64(-1)
    first = np.int64(0)
    for i in range(fits):
        points = table.worth[i] & TOTAL_MASK
        first = i if points > best else first
        best = max(best, points)
    ties = minds.ties[mind]
    if ties == LOW:
        return first
    kept = np.int64(0)
    for i in range(fits):
        table.alive[kept & HAND_MASK] = i
        kept += table.worth[i] & TOTAL_MASK == best
    return break_tie(table.hand[seat], table.alive, kept, ties, key, counter)


@kernel
def keep_best(table, left, best, spares):
    """Keep of the first ``left`` of ``table.alive`` those worth ``best``; return how many stay.

    spares : 1 if a card that makes points itself stays whatever it is worth, else 0
    """
    kept = np.int64(0)
    for j in range(left):
        index = table.alive[j]
        if table.value[j] == best or (spares and table.worth[index] & TOTAL_MASK):
            table.alive[kept] = index
            kept += 1
    return kept


@kernel
def unseen_by(rules, table, seat, unlaid, laid):
    """The cards that a seat has not seen, four bits a rank; ``unlaid`` : those neither laid nor turned, likewise."""
    unseen = unlaid
    for i in range(table.left[seat]):
        unseen -= 1 << (RANK_BITS * (card_at(table.hand[seat], i) >> 2))
    if rules.discard:
        for place in range(rules.dealt):
            gone = table.away[seat] >> place & 1
            unseen -= gone << (RANK_BITS * (card_at(table.dealt[seat], place) >> 2))
    passed = passed_on(rules, table, seat, laid)
    if passed != NOBODY:
        unseen -= 1 << (RANK_BITS * (passed >> 2))
    return unseen


@kernel
def shortlist(rules, minds, mind, table, seat, fits, laid, count, cards, trail, window, same, unlaid):
    """Leave in ``table.alive`` the cards that the levels of a strategy find equally good; arguments as in ``choose``.

    Returns how many they are plus ``SHORTLIST`` times the rule that parts them.
    """
    hand = table.hand[seat]
    alive = table.alive
    left = fits
    for i in range(fits):
        alive[i] = i
    unseen = unseen_by(rules, table, seat, unlaid, laid)
    for level in range(minds.levels[mind]):
        when = minds.when[mind, level]
        if (when == LEAD and count > 0) or (when == FOLLOW and count == 0):
            continue
        if minds.needs[mind, level] and left > 1:
            best = np.int64(LEAST)
            value = np.int64(0)
            rank = NO_RANK
            for j in range(left):
                index = alive[j]
                # Two cards of one rank are worth the same, and they lie side by side; suits count in flushes only.
                if card_at(hand, index) >> 2 != rank or rules.flushes:
                    rank = card_at(hand, index) >> 2
                    value = level_value(
                        rules,
                        minds,
                        mind,
                        level,
                        table,
                        seat,
                        index,
                        count,
                        cards,
                        trail,
                        window,
                        same,
                        unseen,
                        laid,
                    )
                table.value[j] = value
                best = max(best, value)
            left = keep_best(table, left, best, minds.spares[mind, level])
        final = minds.final[mind, level]
        if left == 1 or final >= 0:
            return left + SHORTLIST * max(final, 0)
    return left + SHORTLIST * minds.ties[mind]


@kernel
def solved_choice(rules, minds, mind, table, seat, left, laid, count, key, counter):
    """Choose among the first ``left`` of ``table.alive`` by the book of a strategy.

    Each rank has its share of the word of the choice; where the book gives none to the ranks left, the lowest is laid.
    """
    book = book_at(minds.book[mind], BOOK_SIZE)
    hand = table.hand[seat]
    total = np.int64(0)
    rank = NO_RANK
    for j in range(left):
        index = table.alive[j]
        share = np.int64(0)
        if card_at(hand, index) >> 2 != rank:
            rank = card_at(hand, index) >> 2
            share = np.int64(book[place_in_book(book, rules, table, seat, index, laid, count)])
        table.value[j] = share
        total += share
    if total > 0:
        word = below_many(key, CHOICE, np.uint64(counter), total)
        for j in range(left):
            word -= table.value[j]
            if word < 0:
                return table.alive[j]
    return table.alive[0]


@kernel
def choose(rules, minds, mind, table, seat, fits, laid, count, cards, trail, window, same, unlaid, key):
    """Index in the hand of ``seat`` of the card that strategy ``mind`` of the record ``minds`` lays.

    The hand is sorted, so the cards that fit are its first ``fits``; ``table.worth`` holds their packed points.

    laid : cards laid in the deal; count, cards : count and cards of the pile; trail : the cards laid, of which pairs
    and runs look back over the last ``window``; same : how many equal cards end it; unlaid : cards neither laid nor
    turned, four bits a rank; key : of the deal
    """
    seat &= SEAT_MASK
    counter = (seat << 16) | (laid << 8)
    if minds.blind[mind]:
        return blind_choice(minds, mind, table, seat, fits, laid, key)
    if minds.by_points[mind]:
        return best_by_points(minds, mind, table, seat, fits, key, counter)
    found = shortlist(rules, minds, mind, table, seat, fits, laid, count, cards, trail, window, same, unlaid)
    left, rule = found & (SHORTLIST - 1), found // SHORTLIST
    if rule == SOLVED and left > 1:
        return solved_choice(rules, minds, mind, table, seat, left, laid, count, key, counter)
    return break_tie(table.hand[seat], table.alive, left, rule, key, counter)
