"""Regret minimisation, and the sweeps over all lines that it and every exact count of strategies with chance rest on.

Discounted counterfactual regret minimisation (Brown and Sandholm 2019): each player follows his regrets in turn; old
gains are weighed by t^a / (t^a + 1), old losses by t^b / (t^b + 1), old strategies by (t / (t + 1))^g. Their average
comes near an equilibrium; how near it is is for a best response to say, never for the regrets.

A *set* is all that a player cannot tell apart. ``regret_step`` knows no game: its rows are choices, its columns sets.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noddysim.kernels.compiler import summing, wide
from noddysim.kernels.lines import DIFFERENT, FIRST_AT, LANES, LEAD_AT, PAIRS, REPLY_AT, SECOND_AT, SETS


class Rolled(NamedTuple):
    """Where things lie in the rolled-out play; see ``kernels.lines``."""

    hand_of: Any
    """int64 (13, 91): number of the hand of a rank and a pair."""
    row_of: Any
    """int64 (28561,): the row of dealer's reply by p1 * 2197 + d1 * 169 + pone's lane."""
    starts: Any
    """int64 (2198,): first row of each p1, d1, p2."""
    counted: Any
    """float64 (R, 169): 1 for the lanes of a row that are choices of their own, 0 where an earlier row has the same."""
    legal: Any
    """float64 (R, 2, 78): 1 for a card that may be laid, 0 for one that does not fit where the other does."""
    place: Any
    """int64 (3, 455): place of each first card of a hand in a book, -1 where a hand has fewer different ranks."""
    choices: Any
    """float64 (3, 455): 1 where there is such a card, else 0."""


class Learner(NamedTuple):
    """What the solver knows for one starter: regrets, sums of strategies, and the present strategy as a book."""

    lead: Any
    """float32 (2, 3, 455): regrets, sums."""
    first: Any
    """float32 (13, 2, 3, 455)."""
    second: Any
    """float32 (2, 169, 2, 78)."""
    reply: Any
    """float32 (2, R, 2, 78)."""
    book: Any
    """float32 (REPLY_AT + R * 169,)."""


class Rates(NamedTuple):
    """Weights of one step, float32."""

    gains: Any
    losses: Any
    sums: Any
    sign: Any
    """1 for the player who wants the value high, -1 for the other."""
    least: Any
    """What is added to the reach of every set, so that sets never reached still keep their latest strategies."""


@wide
def regret_step(regret, sums, strategy, value, even, reach, rates, expected, scratch):
    """One step of regret minimisation for many sets at once; every array float32, choices x sets, or sets.

    regret, sums : changed in place; strategy : the present one, replaced by the next after it has been added to sums;
    value : what each choice brings, weighed by how the others reach the set; even : shares of all legal choices alike,
    nought for illegal ones; reach : how the player himself reaches the set; expected : (sets,), receives the value of
    the present strategy; scratch : (sets,)

    Each loop touches few arrays, so that the compiler can prove them apart and work on several sets at once.
    """
    nought = np.float32(0)
    size = regret.shape[1]
    for i in range(size):
        expected[i] = nought
        scratch[i] = nought
    for a in range(regret.shape[0]):
        add_products(expected, strategy[a], value[a])
    for a in range(regret.shape[0]):
        add_weighed(sums[a], reach, strategy[a], rates.sums, rates.least)
        add_regrets(regret[a], value[a], expected, rates)
        add_gains(scratch, regret[a], even[a])
    for i in range(size):
        scratch[i] = np.float32(1) / scratch[i] if scratch[i] > nought else nought
    for a in range(regret.shape[0]):
        follow(strategy[a], regret[a], even[a], scratch)


@wide
def add_products(out, one, two):
    """Add the products of two rows to a third."""
    for i in range(len(out)):
        out[i] += one[i] * two[i]


@wide
def add_weighed(sums, reach, strategy, kept, least):
    """Add a choice's chances to their weighed sums."""
    for i in range(len(sums)):
        sums[i] = sums[i] * kept + (reach[i] + least) * strategy[i]


@wide
def add_regrets(regret, value, expected, rates):
    """Add what a choice would have brought more than the present strategy."""
    for i in range(len(regret)):
        old = regret[i]
        kept = rates.gains if old > np.float32(0) else rates.losses
        regret[i] = old * kept + rates.sign * (value[i] - expected[i])


@wide
def add_gains(out, regret, even):
    """Add the regrets above nought of a legal choice."""
    for i in range(len(out)):
        gain = max(regret[i], np.float32(0))
        out[i] += gain if even[i] > np.float32(0) else np.float32(0)


@wide
def follow(strategy, regret, even, inverse):
    """Choose in proportion to the regrets above nought; all alike where there is none (``inverse`` is nought)."""
    for i in range(len(strategy)):
        gain = max(regret[i], np.float32(0)) * inverse[i]
        share = gain if inverse[i] > np.float32(0) else even[i]
        strategy[i] = share if even[i] > np.float32(0) else np.float32(0)


@summing
def product_of_three(one, two, three):
    """Sum of the products of three rows."""
    total = np.float32(0)
    for i in range(len(one)):
        total += one[i] * two[i] * three[i]
    return total


@wide
def add_product(out, factor, one, two):
    """Add ``factor`` times the product of two rows to a third."""
    for i in range(len(out)):
        out[i] += factor * one[i] * two[i]


@wide
def dealer_reach(rolled, book, tremble, reach):
    """How the dealer plays to the end of each row and lane: (R, 169), from a book.

    tremble : what is added to the chance of every card, so that nothing is out of reach; 0 for the book as it is
    """
    for triple in range(len(rolled.starts) - 1):
        at = FIRST_AT + triple // 13 * PAIRS
        first = book[at : at + PAIRS]
        for row in range(rolled.starts[triple], rolled.starts[triple + 1]):
            chain(first, book[REPLY_AT + row * LANES : REPLY_AT + (row + 1) * LANES], tremble, reach[row])


@wide
def pone_reach(book, tremble, reach):
    """How the pone plays to the end of each p1, d1 and lane: (169, 169), from a book; ``tremble`` as above."""
    for laid in range(169):
        at = LEAD_AT + laid // 13 * PAIRS
        second = book[SECOND_AT + laid * LANES : SECOND_AT + (laid + 1) * LANES]
        chain(book[at : at + PAIRS], second, tremble, reach[laid])


@wide
def chain(first, second, tremble, out):
    """Chances of a first card, by pair, times those of the second, by lane; to each of them ``tremble`` is added."""
    for i in range(DIFFERENT):
        chance = first[i] + tremble
        out[i] = chance * (second[i] + tremble)
        out[DIFFERENT + i] = chance * (second[DIFFERENT + i] + tremble)
    for i in range(2 * DIFFERENT, LANES):
        out[i] = (first[i - DIFFERENT] + tremble) * (second[i] + tremble)


@wide
def pone_values(rolled, points, weights, reach, values):
    """What each way to play is worth to the pone against a dealer: values (169, 169) by p1 * 13 + d1, and lane.

    points : (28561, 169); weights : (455, 13, 169), deals by pone's hand, d1 and dealer's lane; reach : (R, 169)
    """
    for laid in range(169):
        d1 = laid % 13
        for lane in range(LANES):
            pair = lane if lane < DIFFERENT else lane - DIFFERENT
            place = laid * LANES + lane
            hand = rolled.hand_of[laid // 13, pair]
            values[laid, lane] = product_of_three(points[place], weights[hand, d1], reach[rolled.row_of[place]])


@wide
def dealer_values(rolled, points, weights, reach, values):
    """What each reply brings against a pone: values (R, 169), in pone's points.

    reach : (169, 169), the pone's; other arrays as in ``pone_values``. A choice that lies in several rows has its whole
    value in each of them.
    """
    values[:] = 0
    for laid in range(169):
        d1 = laid % 13
        for lane in range(LANES):
            factor = reach[laid, lane]
            if factor == 0:
                continue
            pair = lane if lane < DIFFERENT else lane - DIFFERENT
            place = laid * LANES + lane
            hand = rolled.hand_of[laid // 13, pair]
            add_product(values[rolled.row_of[place]], factor, points[place], weights[hand, d1])
    for triple in range(len(rolled.starts) - 1):
        first, last = rolled.starts[triple], rolled.starts[triple + 1]
        if last - first > 1:
            share_rows(values[first:last], rolled.counted[last - 1])


@wide
def share_rows(values, own):
    """Give every row the sums over all rows, in lanes that are no choices of their own (``own`` is nought there)."""
    for row in range(1, values.shape[0]):
        for i in range(values.shape[1]):
            values[0, i] += values[row, i] * (1 - own[i])
    for row in range(1, values.shape[0]):
        for i in range(values.shape[1]):
            values[row, i] = values[0, i] if own[i] == 0 else values[row, i]


@wide
def two_choices(row):
    """The two choices of each pair of different ranks in a row of lanes, (2, 78)."""
    return row[: 2 * DIFFERENT].reshape(2, DIFFERENT)


@wide
def first_step(rolled, learner, book, value, choices, rates, work, three):
    """A regret step for first cards of one seat. book, value : (1183,) by rank and pair; learner : (2, 3, 455)."""
    for a in range(3):
        for i in range(SETS):
            place = rolled.place[a, i]
            three[0, a, i] = value[place] if place >= 0 else np.float32(0)
            three[1, a, i] = book[place] if place >= 0 else np.float32(0)
    work[2, :SETS] = 1
    regret_step(
        learner[0], learner[1], three[1], three[0], choices, work[2, :SETS], rates, work[0, :SETS], work[1, :SETS]
    )
    for a in range(3):
        for i in range(SETS):
            place = rolled.place[a, i]
            if place >= 0:
                book[place] = three[1, a, i]


@wide
def pone_step(rolled, learner, values, rates, work, three, choices, both):
    """Let the pone learn from ``values`` (169, 169). choices, both : float32 (3, 455), (2, 78), shares of
    all choices alike."""
    first = np.zeros(13 * PAIRS, np.float32)
    for laid in range(169):
        at = laid // 13 * PAIRS
        lead = learner.book[LEAD_AT + at : LEAD_AT + at + PAIRS]
        strategy = two_choices(learner.book[SECOND_AT + laid * LANES : SECOND_AT + (laid + 1) * LANES])
        regret_step(
            learner.second[0, laid], learner.second[1, laid], strategy, two_choices(values[laid]), both,
            lead[:DIFFERENT], rates, work[0, :DIFFERENT], work[1, :DIFFERENT],
        )  # fmt: skip
        for i in range(DIFFERENT):
            first[at + i] += work[0, i]
        for i in range(DIFFERENT, PAIRS):
            first[at + i] += values[laid, DIFFERENT + i]
    first_step(rolled, learner.lead, learner.book[LEAD_AT : LEAD_AT + 13 * PAIRS], first, choices, rates, work, three)


@wide
def dealer_step(rolled, learner, values, rates, work, three, choices, legal):
    """Let the dealer learn from ``values`` (R, 169). choices, legal : float32 (3, 455), (R, 2, 78), likewise."""
    first = np.zeros((13, 13 * PAIRS), np.float32)
    for triple in range(len(rolled.starts) - 1):
        laid = triple // 13
        at = laid % 13 * PAIRS
        reach = learner.book[FIRST_AT + laid * PAIRS : FIRST_AT + (laid + 1) * PAIRS]
        out = first[laid // 13]
        for row in range(rolled.starts[triple], rolled.starts[triple + 1]):
            strategy = two_choices(learner.book[REPLY_AT + row * LANES : REPLY_AT + (row + 1) * LANES])
            regret_step(
                learner.reply[0, row], learner.reply[1, row], strategy, two_choices(values[row]), legal[row],
                reach[:DIFFERENT], rates, work[0, :DIFFERENT], work[1, :DIFFERENT],
            )  # fmt: skip
            counted = rolled.counted[row]
            for i in range(DIFFERENT):
                out[at + i] += work[0, i] * np.float32(counted[i])
            for i in range(DIFFERENT, PAIRS):
                out[at + i] += values[row, DIFFERENT + i] * np.float32(counted[DIFFERENT + i])
    for p1 in range(13):
        at = FIRST_AT + p1 * 13 * PAIRS
        first_step(
            rolled, learner.first[p1], learner.book[at : at + 13 * PAIRS], first[p1], choices, rates, work, three
        )


@wide
def rates_of(step, sign, exponents, tremble):
    """The weights of a step, numbered from 1; exponents : float64 (3,), of gains, losses and sums."""
    before = float(step - 1)
    gains, losses = before ** exponents[0], before ** exponents[1]
    return Rates(
        np.float32(gains / (gains + 1)), np.float32(losses / (losses + 1)),
        np.float32((before / step) ** exponents[2]), np.float32(sign), tremble,
    )  # fmt: skip


@wide
def evenly(legal):
    """Shares of all legal choices alike, float32, out of marks for them (choices x sets)."""
    out = np.zeros(legal.shape, np.float32)
    for i in range(legal.shape[1]):
        number = legal[0, i]
        for a in range(1, legal.shape[0]):
            number += legal[a, i]
        for a in range(legal.shape[0]):
            out[a, i] = legal[a, i] / number
    return out


@wide
def learn(rolled, margin, weights, learner, first, last, exponents, tremble):
    """Steps ``first … last - 1``, numbered from 1, of both players for one starter.

    margin : float32 (28561, 169); weights : float32 (455, 13, 169), shares of all deals of the starter; tremble :
    float32, added to the chance of every card of the other player: so what he would never do is answered well too
    """
    rows = rolled.starts[-1]
    reach = np.zeros((rows, LANES), np.float32)
    replies = np.zeros((rows, LANES), np.float32)
    values = np.zeros((169, LANES), np.float32)
    played = np.zeros((169, LANES), np.float32)
    work = np.zeros((3, SETS), np.float32)
    three = np.zeros((2, 3, SETS), np.float32)
    choices = evenly(rolled.choices)
    legal = np.zeros((rows, 2, DIFFERENT), np.float32)
    for row in range(rows):
        legal[row] = evenly(rolled.legal[row])
    both = np.full((2, DIFFERENT), np.float32(0.5))
    for step in range(first, last):
        dealer_reach(rolled, learner.book, tremble, reach)
        pone_values(rolled, margin, weights, reach, values)
        pone_step(rolled, learner, values, rates_of(step, 1, exponents, tremble), work, three, choices, both)
        pone_reach(learner.book, tremble, played)
        dealer_values(rolled, margin, weights, played, replies)
        dealer_step(rolled, learner, replies, rates_of(step, -1, exponents, tremble), work, three, choices, legal)
