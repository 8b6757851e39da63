"""What a crib is worth on average, by the ranks laid away to it.

In every deal each seat in turn tries all its ways of laying cards away while the others lay away what their policy
tells them; each try is counted with every starter that nobody holds. So rare pairs are met as often as they are dealt,
not only when somebody chooses to lay them away.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.away import discard_of, list_choices
from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import DEALS, mix, stream_key
from noddysim.kernels.hands import card_at, in_order, parted, with_card
from noddysim.kernels.pegging import deal_cards
from noddysim.kernels.records import TOTAL_MASK
from noddysim.kernels.show import crib_suits_points, table_index, table_points


@kernel
def ranks_laid_away(rules, cards, away):
    """Lowest and highest rank of the places laid away; 0 for the second where it is one card."""
    _, gone = parted(cards, away)
    return card_at(gone, 0) >> 2, card_at(gone, 1) >> 2 if rules.discard == 2 else 0


@kernel
def mark_cards(seen, cards, size):
    """Mark some cards as seen."""
    for i in range(size):
        seen[card_at(cards, i)] = 1


@kernel
def unseen_by_rank_and_suit(seen, ranks, suits):
    """Count the unseen cards of each rank and of each suit; returns how many there are."""
    ranks[:] = 0
    suits[:] = 0
    number = 0
    for card in range(52):
        if not seen[card]:
            ranks[card >> 2] += 1
            suits[card & 3] += 1
            number += 1
    return number


@kernel
def sum_of_cribs(rules, shows, crib, ranks, suits):
    """Points of a crib added up over all unseen starters; ranks, suits : how many of each are unseen."""
    base = rules.crib_table + table_index(crib, rules.crib, 0)
    total = np.int64(0)
    for rank in range(13):
        total += ranks[rank] * (table_points(shows, base + rank) & TOTAL_MASK)
    for suit in range(4):
        total += suits[suit] * (crib_suits_points(rules, crib, suit) & TOTAL_MASK)
    return total


@kernel
def lay_away_to(rules, crib, filled, cards, away):
    """The crib of ``filled`` cards with those that a seat lays away of its sorted cards dealt."""
    _, gone = parted(cards, away)
    for j in range(rules.discard):
        crib = with_card(crib, filled + j, card_at(gone, j))
    return crib


@kernel
def crib_of_others(rules, table, n, seat):
    """The crib of what was dealt to it and what all seats but one lay away."""
    crib = table.crib_dealt
    filled = rules.to_crib
    for other in range(n):
        if other != seat:
            crib = lay_away_to(rules, crib, filled, table.dealt[other], table.away[other])
            filled += rules.discard
    return crib


@kernel
def add_deal(points, tries, counts):
    """Add what one deal gave each cell to the counts (see ``count_cribs``) and leave the cells of the deal empty."""
    for ours in range(2):
        for low in range(13):
            for high in range(13):
                tried = tries[ours, low, high]
                if tried:
                    made = points[ours, low, high]
                    counts[0, ours, low, high] += made
                    counts[1, ours, low, high] += tried
                    counts[2, ours, low, high] += made * made
                    counts[3, ours, low, high] += made * tried
                    counts[4, ours, low, high] += tried * tried
                    points[ours, low, high] = 0
                    tries[ours, low, high] = 0


@kernel
def count_cribs(rules, shows, minds, table, n, seed, start, stop, counts):
    """Try every way to lay away in deals ``start … stop - 1``; all seats but the one that tries follow strategy 0.

    counts : int64 (6, 2, 13, 13), by whose the crib is (0 the others', 1 one's own side's) and by the lowest and
        highest rank laid away (or the rank and 0): points of a deal, summed over the unseen starters of each try; its
        tries; the squares of the points of a deal, points times tries, and squares of its tries; how often the policy
        chose it
    Returns how many starters are unseen in every deal.
    """
    root = stream_key(seed, DEALS)
    seen = np.zeros(52, np.int64)
    ranks = np.zeros(13, np.int64)
    suits = np.zeros(4, np.int64)
    made = np.zeros((2, 13, 13), np.int64)
    tries = np.zeros((2, 13, 13), np.int64)
    starters = 0
    for number in range(start, stop):
        key = mix(root, np.uint64(number))
        deal_cards(rules, table, n, key)
        seen[:] = 0
        mark_cards(seen, table.crib_dealt, rules.to_crib)
        for seat in range(n):
            table.away[seat] = discard_of(rules, shows, minds, np.int64(0), table, n, np.int64(seat), key)
            mark_cards(seen, table.dealt[seat], rules.dealt)
        starters = unseen_by_rank_and_suit(seen, ranks, suits)
        for seat in range(n):
            ours = 1 if seat % rules.sides == (n - 1) % rules.sides else 0
            others = crib_of_others(rules, table, n, seat)
            choices = list_choices(rules, table)
            for i in range(choices):
                away = table.choices[i]
                low, high = ranks_laid_away(rules, table.dealt[seat], away)
                crib = lay_away_to(rules, others, rules.crib - rules.discard, table.dealt[seat], away)
                crib = in_order(crib, rules.crib)
                made[ours, low, high] += sum_of_cribs(rules, shows, crib, ranks, suits)
                tries[ours, low, high] += 1
                counts[5, ours, low, high] += away == table.away[seat]
        add_deal(made, tries, counts)
    return starters
