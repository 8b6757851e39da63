"""Best responses in the rolled-out play: what a player gets who knows how the other plays.

The values come from the sweeps of ``kernels.regret``: sums over all deals, weighed by how the other plays.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.lines import DIFFERENT, FIRST_AT, LANES, LEAD_AT, PAIRS, REPLY_AT, SECOND_AT


@kernel
def best_of_two(values, sign, legal, out, book):
    """The better of each two lanes of different ranks: into ``out`` (91,) its value is added, into ``book`` it is put.

    values, book : (169,); sign : 1 if high is good, -1 if low is; legal : (2, 78); equal choices: the lower rank
    """
    for i in range(DIFFERENT):
        one, two = sign * values[i], sign * values[DIFFERENT + i]
        first = legal[0, i] > 0 and (legal[1, i] == 0 or one >= two)
        out[i] += values[i] if first else values[DIFFERENT + i]
        book[i] = 1.0 if first else 0.0
        book[DIFFERENT + i] = 0.0 if first else 1.0
    for i in range(DIFFERENT, PAIRS):
        out[i] += values[DIFFERENT + i]
        book[DIFFERENT + i] = 1.0


@kernel
def best_first(rolled, values, sign, book):
    """The best first card of every hand, by values (1183,) of rank and pair; returns the sum over all hands."""
    total = 0.0
    for hand in range(rolled.place.shape[1]):
        best = rolled.place[0, hand]
        for choice in range(1, 3):
            place = rolled.place[choice, hand]
            if place >= 0:
                book[place] = 0.0
                if sign * values[place] > sign * values[best]:
                    book[best] = 0.0
                    best = place
        book[best] = 1.0
        total += values[best]
    return total


@kernel
def best_pone(rolled, values, first, book):
    """What a perfect pone gets; values (169, 169) as from ``pone_values``.

    first : float64 (1, 1183), filled with what each lead is worth; book : float64, its pone's places are filled
    """
    both = np.ones((2, DIFFERENT), np.float64)
    first[:] = 0.0
    for laid in range(169):
        at = laid // 13 * PAIRS
        place = SECOND_AT + laid * LANES
        best_of_two(values[laid], 1.0, both, first[0, at : at + PAIRS], book[place : place + LANES])
    return best_first(rolled, first[0], 1.0, book[LEAD_AT : LEAD_AT + 13 * PAIRS])


@kernel
def best_dealer(rolled, values, first, book):
    """What is left to the pone by a perfect dealer; values (R, 169) as from ``dealer_values``, in pone's points.

    first : float64 (13, 1183), filled with what each first card is worth after each lead; book : float64, its dealer's
    places are filled
    """
    first[:] = 0.0
    scratch = np.zeros(PAIRS, np.float64)
    for triple in range(len(rolled.starts) - 1):
        laid = triple // 13
        out = first[laid // 13, laid % 13 * PAIRS : (laid % 13 + 1) * PAIRS]
        for row in range(rolled.starts[triple], rolled.starts[triple + 1]):
            place = REPLY_AT + row * LANES
            scratch[:] = 0.0
            best_of_two(values[row], -1.0, rolled.legal[row], scratch, book[place : place + LANES])
            for i in range(PAIRS):
                own = rolled.counted[row, i if i < DIFFERENT else DIFFERENT + i]
                out[i] += scratch[i] * own
    total = 0.0
    for p1 in range(13):
        at = FIRST_AT + p1 * 13 * PAIRS
        total += best_first(rolled, first[p1], -1.0, book[at : at + 13 * PAIRS])
    return total
