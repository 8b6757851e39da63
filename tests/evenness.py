"""How evenly cards fall: p-values of counts, of places of the pack, of pairs of places, and of one deal with the next.

test_dealing.py gives each of these functions a shuffle with a known fault, which it must find.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.stats import chi2

ALARM = 1e-6
"""A p-value below this is an alarm; several hundred are looked at, all at fixed seeds."""

Pairs = Iterable[tuple[int, int]]


def p_value(counts: np.ndarray) -> float:
    """Chance of counts at least as uneven as these if all cells are equally likely."""
    expected = counts.sum() / counts.size
    return float(chi2.sf(float(((counts - expected) ** 2).sum() / expected), counts.size - 1))


def of_places(decks: np.ndarray) -> list[float]:
    """For each place: is each card as likely there as any other? ``decks`` has a row a deal."""
    return [p_value(np.bincount(decks[:, place], minlength=52)) for place in range(decks.shape[1])]


def of_pairs(decks: np.ndarray, pairs: Pairs) -> list[float]:
    """For each pair of places of one deal: the 52 × 51 pairs of cards that may lie there."""
    apart = ~np.eye(52, dtype=bool)
    values = []
    for one, other in pairs:
        cells = together(decks[:, one], decks[:, other]).reshape(52, 52)
        assert not cells.diagonal().any(), "a card lies in two places"
        values.append(p_value(cells[apart]))
    return values


def of_neighbours(decks: np.ndarray, pairs: Pairs, apart: int = 1) -> list[float]:
    """For each pair of places, one of a deal, one of the deal ``apart`` numbers on: 52 × 52 pairs of cards."""
    return [p_value(together(decks[:-apart, one], decks[apart:, other])) for one, other in pairs]


def together(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """How often each card of one column met each card of another, int64 (2704,)."""
    return np.bincount(52 * first + second, minlength=52 * 52)
