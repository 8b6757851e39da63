"""A choice of the pegging family tried out: the unseen cards dealt anew many times, every candidate on the same cards.

What the other seats have laid is believed of their hands: a deal counts only if their strategies, asked with the hands
it gives them, lay cards of the same ranks. Candidates are then laid one after the other on the same deal, with the same
words for every later choice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noddysim.kernels.away import CHOICE_BITS, discard_of, mogging
from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import CUT, below, mix, stream_key
from noddysim.kernels.hands import NO_CARDS, card_at, from_set, holds, with_card
from noddysim.kernels.noddy import MAX_DEALS, next_dealer, prepare, sit_down
from noddysim.kernels.pegging import deal_by_phases, deal_cards, look_at_shows, pick_up, take_seats
from noddysim.kernels.records import (
    AT_DEAL,
    AT_FIRST_DEAL,
    AT_LAID,
    AT_STARTER,
    HEELS,
    MAX_HAND,
    NO_RACE,
    NOBODY,
    PLAY,
    TOTAL_MASK,
)

LAY, AWAY, MOG = 0, 1, 2
"""Kinds of choices: a card laid, cards laid away to the crib, a card passed to the other player."""
ROLLOUTS = np.uint64(2)
"""The stream of keys of rollouts, beside those of deals and games."""
REJECTED, TAKEN = 0, 1
SUIT_WORDS = 128
"""The words by which suits are chosen lie behind those of all unseen cards."""


class Plan(NamedTuple):
    """What is known before a choice of one seat."""

    kind: Any
    """int64: LAY, AWAY or MOG."""
    seat: Any
    """int64: who chooses."""
    starter: Any
    """int64: the turned card, NOBODY if it is not turned yet."""
    known: Any
    """int64 (n, MAX_HAND): cards known to have been kept by each seat; before cards are laid away, those dealt."""
    number: Any
    """int64 (n,): how many those are."""
    gone: Any
    """int64 (d,): cards that the seat has laid away, none if they are not known."""
    unseen: Any
    """int64 (U,): all other cards."""
    laid: Any
    """int64 (k,): cards laid, in order."""
    seats: Any
    """int64 (k,): who laid them."""
    choices: Any
    """int64 (C,): cards to lay; or places to lay away, a bit each; or 0 to stay and one more than the place to pass."""
    scores: Any
    """int64 (sides,): scores as they stand, by side."""
    race: Any
    """int64: 1 to play the game on to its target."""


@kernel
def next_unseen(pool, key, place):
    """The card at a place of the shuffled unseen cards, of which all places before it have been asked for."""
    other = place + below(key, CUT, np.uint64(place << 8), np.int64(len(pool) - place))
    card = pool[other]
    pool[other] = pool[place]
    pool[place] = card
    return card


@kernel
def deal_unseen(rules, table, n, plan, key, pool):
    """Deal the unseen cards to all places that are not known; what the seat has laid away is marked."""
    at = np.int64(0)
    for i in range(len(plan.unseen)):
        pool[i] = plan.unseen[i]
    table.state[AT_STARTER] = plan.starter
    if plan.starter == NOBODY:
        table.state[AT_STARTER] = next_unseen(pool, key, at)
        at += 1
    for seat in range(n):
        held = np.int64(0)
        for i in range(plan.number[seat]):
            held |= 1 << plan.known[seat, i]
        kept = held
        number = plan.number[seat]
        if seat == plan.seat:
            for i in range(len(plan.gone)):
                held |= 1 << plan.gone[i]
                number += 1
        while number < rules.dealt:
            held |= 1 << next_unseen(pool, key, at)
            at += 1
            number += 1
        table.dealt[seat] = from_set(held, rules.dealt)
        if seat == plan.seat:
            away = np.int64(0)
            for place in range(rules.dealt):
                if not kept >> card_at(table.dealt[seat], place) & 1:
                    away |= 1 << place
            table.away[seat] = away
    table.crib_dealt = np.int64(NO_CARDS)
    for i in range(rules.to_crib):
        table.crib_dealt = with_card(table.crib_dealt, i, next_unseen(pool, key, at))
        at += 1
    table.state[AT_DEAL] += 1
    table.state[AT_FIRST_DEAL] = 0


@kernel
def lay_out(rules, shows, minds, table, n, plan, key, choice):
    """Everything up to the first card: what is laid away and exchanged, with the seat's own choice where it is that."""
    if rules.discard:
        for seat in range(n):
            if seat != plan.seat:
                table.away[seat] = discard_of(rules, shows, minds, table.mind[seat], table, n, seat, key)
            elif plan.kind == AWAY:
                table.away[seat] = choice
    pick_up(rules, table, n)
    if rules.mog:
        # Kept choices are not asked for again: so the seat passes what it is told to.
        table.cut[plan.seat, minds.mog[table.mind[plan.seat]]] = (table.state[AT_DEAL] << CHOICE_BITS) | choice
        mogging(rules, shows, minds, table, key, np.int64(NOBODY), np.int64(0))


@kernel
def write_script(table, n, plan, choice, others):
    """Write down what has been laid, of the other seats only if asked for, and the candidate behind it."""
    for seat in range(n):
        for i in range(MAX_HAND):
            table.script[seat, i] = NOBODY
        number = 0
        for card in range(len(plan.laid)):
            if plan.seats[card] == seat and (others or seat == plan.seat):
                table.script[seat, number] = plan.laid[card]
                number += 1
        if seat == plan.seat:
            table.script[seat, number] = choice


@kernel
def play_out(rules, minds, table, n, key):
    """Play the whole deal with no target, as far as scripts go by them."""
    nobody, nought = np.int64(NOBODY), np.int64(0)
    return deal_by_phases(rules, minds, table, n, key, np.int64(NO_RACE), nobody, nought, np.bool_(True))


@kernel
def chosen_suits(table, n, plan, key):
    """Whether the suits seen were laid, where others of their rank were held: any of them is as likely."""
    for card in range(len(plan.laid)):
        seat, rank = plan.seats[card], plan.laid[card] >> 2
        if seat == plan.seat:
            continue
        equal = np.int64(0)
        for place in range(table.left[seat]):
            equal += card_at(table.hand[seat], place) >> 2 == rank
        for before in range(card):
            equal -= plan.seats[before] == seat and plan.laid[before] >> 2 == rank
        if equal > 1 and below(key, CUT, np.uint64((SUIT_WORDS + card) << 8), equal) != 0:
            return False
    return True


@kernel
def may_be(rules, shows, minds, table, n, plan, key, believing):
    """Whether the hands just dealt may be those: they allow, or with ``believing`` explain, all that has been done."""
    second = plan.kind == MOG and rules.mog_first != plan.seat
    if len(plan.laid) == 0 and not second:
        return True
    lay_out(rules, shows, minds, table, n, plan, key, plan.choices[len(plan.choices) - 1])
    if second:
        return table.passed[1 - plan.seat] != NOBODY
    for card in range(len(plan.laid)):
        if not holds(table.hand[plan.seats[card]], plan.laid[card]):
            return False
    if believing and not chosen_suits(table, n, plan, key):
        return False
    write_script(table, n, plan, plan.choices[0], not believing)
    play_out(rules, minds, table, n, key)
    if table.state[AT_LAID] <= len(plan.laid):
        return False
    for card in range(len(plan.laid)):
        if table.seats[card] != plan.seats[card] or table.ranks[card] != plan.laid[card] >> 2:
            return False
        if not believing and table.cards[card] != plan.laid[card]:
            return False
    return table.seats[len(plan.laid)] == plan.seat


@kernel
def margin_of(rules, table, n, seat, whole):
    """Points of a seat's side, times the number of the others, less those of all others: play, or ``whole`` deal."""
    own = np.int64(0)
    others = np.int64(0)
    for other in range(n):
        points = table.gain[other] & TOTAL_MASK
        if whole:
            points += table.heels[other] + table.start[other] + table.mog[other] + (table.show[other] & TOTAL_MASK)
            if other == n - 1 and rules.crib:
                points += table.crib_gain & TOTAL_MASK
        if other % rules.sides == seat % rules.sides:
            own += points
        else:
            others += points
    return own * (rules.sides - 1) - others


@kernel
def give(rules, totals, seat, points, target):
    """Add points to the score of a seat's side; whether it reaches the target."""
    totals[seat % rules.sides] += points
    return points > 0 and totals[seat % rules.sides] >= target


@kernel
def race_deal(rules, table, n, plan, totals):
    """Give what the deal still brings after the choice, award by award; the side that reaches the target, or NOBODY.

    totals : int64 (4,), scores by side, changed in place
    """
    target = rules.target
    begun = plan.kind == AWAY
    mogged = rules.mog == 0
    for turn in range(3):
        phase = rules.order[turn]
        if phase == HEELS:
            for seat in range(n):
                if begun and give(rules, totals, seat, table.heels[seat], target):
                    return seat % rules.sides
            continue
        if not mogged:
            mogged = True
            begun = True
            for seat in range(n):
                if give(rules, totals, seat, table.mog[seat], target):
                    return seat % rules.sides
        if phase == PLAY:
            begun = True
            first = len(plan.laid) if plan.kind == LAY else 0
            for card in range(first, table.state[AT_LAID]):
                if give(rules, totals, table.seats[card], table.points[card] & TOTAL_MASK, target):
                    return table.seats[card] % rules.sides
        elif begun:
            for seat in range(n):
                if give(rules, totals, seat, table.show[seat] & TOTAL_MASK, target):
                    return seat % rules.sides
            if rules.crib and give(rules, totals, n - 1, table.crib_gain & TOTAL_MASK, target):
                return (n - 1) % rules.sides
    return NOBODY


@kernel
def race_on(rules, shows, minds, who, table, n, key, totals):
    """Play the deals after this one to the target; the side that wins, or NOBODY if nobody does.

    rules : those of whole deals; who : int64 (n,), strategy of each person, numbered by his seat in the deal before
    """
    dealer = next_dealer(rules, n, n - 1, totals)
    nobody, nought = np.int64(NOBODY), np.int64(0)
    for number in range(1, MAX_DEALS):
        deal_key = mix(key, np.uint64(number))
        sit_down(rules, who, table, n, dealer, totals)
        deal_cards(rules, table, n, deal_key)
        prepare(rules, shows, minds, table, n, deal_key, nobody, nought)
        look_at_shows(rules, shows, table, n)
        phase = deal_by_phases(rules, minds, table, n, deal_key, rules.target, nobody, nought, np.bool_(False))
        for side in range(rules.sides):
            totals[table.person[side]] = table.score[side]
        if phase >= 0:
            for side in range(rules.sides):
                if totals[side] >= rules.target:
                    return side
        dealer = next_dealer(rules, n, dealer, totals)
    return NOBODY


@kernel
def roll_out(
    rules, whole_rules, shows, minds, who, table, n, plan, believing, seed, start, stop, status, margins, wins
):
    """Deal the unseen cards ``stop - start`` times and try every choice of the plan on each deal.

    rules : those of this deal, whole_rules : those of later ones (they differ where an exchange is past); who : int64
    (n,), strategy of each seat; believing : whether hands must explain what their seats have laid; status : int64
    (stop - start,), TAKEN or REJECTED; margins : int64 (stop - start, C), ``margin_of``; wins : int64 likewise, 1 for a
    game won, filled only if ``plan.race``
    """
    root = stream_key(seed, ROLLOUTS)
    pool = np.zeros(len(plan.unseen), np.int64)
    totals = np.zeros(4, np.int64)
    for number in range(start, stop):
        row = number - start
        game_key = mix(root, np.uint64(number))
        key = mix(game_key, np.uint64(0))
        take_seats(who, table, n)
        deal_unseen(rules, table, n, plan, key, pool)
        status[row] = TAKEN if may_be(rules, shows, minds, table, n, plan, key, believing) else REJECTED
        if status[row] == REJECTED:
            continue
        for option in range(len(plan.choices)):
            choice = plan.choices[option]
            take_seats(who, table, n)
            lay_out(rules, shows, minds, table, n, plan, key, choice)
            look_at_shows(rules, shows, table, n)
            write_script(table, n, plan, choice if plan.kind == LAY else np.int64(NOBODY), True)
            play_out(rules, minds, table, n, key)
            margins[row, option] = margin_of(rules, table, n, plan.seat, plan.kind != LAY)
            if not plan.race:
                continue
            for side in range(rules.sides):
                totals[side] = plan.scores[side]
            winner = race_deal(rules, table, n, plan, totals)
            if winner == NOBODY:
                winner = race_on(whole_rules, shows, minds, who, table, n, game_key, totals)
                # The next choice looks at the deal itself again.
                deal_unseen(rules, table, n, plan, key, pool)
            wins[row, option] = winner == plan.seat % rules.sides


@kernel
def lay_once(rules, shows, minds, who, table, n, plan, key):
    """Lay what has been laid, whatever the hands; strategies go on. The table then tells what it scored."""
    pool = np.zeros(len(plan.unseen), np.int64)
    take_seats(who, table, n)
    deal_unseen(rules, table, n, plan, key, pool)
    lay_out(rules, shows, minds, table, n, plan, key, np.int64(0))
    write_script(table, n, plan, np.int64(NOBODY), True)
    return play_out(rules, minds, table, n, key)


@kernel
def play_given(rules, shows, minds, who, table, n, starter, cards, seed, start, stop, margins):
    """Play given hands, no target, with a strategy in each seat; margins : int64 (stop - start, n), of whole deals.

    cards : int64 (n, rules.hand), hands as they are played; the rules must be those of hands that are given
    """
    root = stream_key(seed, ROLLOUTS)
    nobody, nought = np.int64(NOBODY), np.int64(0)
    table.state[AT_STARTER] = starter
    for seat in range(n):
        held = np.int64(0)
        for place in range(rules.hand):
            held |= 1 << cards[seat, place]
        table.dealt[seat] = from_set(held, rules.hand)
    for number in range(start, stop):
        take_seats(who, table, n)
        pick_up(rules, table, n)
        look_at_shows(rules, shows, table, n)
        key = mix(root, np.uint64(number))
        deal_by_phases(rules, minds, table, n, key, np.int64(NO_RACE), nobody, nought, np.bool_(False))
        for seat in range(n):
            margins[number - start, seat] = margin_of(rules, table, n, np.int64(seat), True)
