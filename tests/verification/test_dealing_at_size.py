"""A million deals: places, pairs of places and neighbouring deals are as even as chance has them.

The functions that measure evenness are those of test_dealing.py, where planted faults make them fail.
"""

from __future__ import annotations

import itertools
import math

import evenness
import numpy as np
import pytest
import table
from evenness import ALARM, p_value

DEALS = 1_000_000
PLACES = 17


@pytest.fixture(scope="module")
def decks() -> np.ndarray:
    return table.decks(2**64 - 1589, 2**33, 2**33 + DEALS, PLACES)


def test_every_place(decks: np.ndarray) -> None:
    assert min(evenness.of_places(decks)) > ALARM


def test_every_pair_of_places(decks: np.ndarray) -> None:
    values = evenness.of_pairs(decks, itertools.combinations(range(PLACES), 2))
    assert min(values) > ALARM
    # p-values are themselves even: their mean is 1/2, with a deviation of 0.289 over the root of their number.
    assert abs(np.mean(values) - 0.5) < 4.5 * 0.289 / math.sqrt(len(values))


SOME_PLACES = list(itertools.product((0, 1, 6, 7, 13), repeat=2))


@pytest.mark.parametrize("apart", [1, 2, 3, 7, 64, 1024])
def test_deals_some_way_apart(decks: np.ndarray, apart: int) -> None:
    assert min(evenness.of_neighbours(decks, SOME_PLACES, apart)) > ALARM


def test_three_cards_of_the_first_seat(decks: np.ndarray) -> None:
    # All 22,100 hands of the eldest of two players.
    hands = np.sort(decks[:, [1, 3, 5]], axis=1)
    index = {hand: place for place, hand in enumerate(itertools.combinations(range(52), 3))}
    met = np.bincount([index[hand] for hand in map(tuple, hands.tolist())], minlength=22_100)
    assert len(met) == 22_100
    assert p_value(met) > ALARM


def test_seeds_side_by_side() -> None:
    first, second = (table.decks(seed, 0, 200_000, 8) for seed in (2**32 - 1, 2**32))
    for one, other in itertools.product((0, 1, 7), repeat=2):
        assert p_value(evenness.together(first[:, one], second[:, other])) > ALARM


def test_a_deal_and_a_game_of_the_same_number() -> None:
    deals = table.decks(5, 0, 200_000, 8)
    games = table.first_decks_of_games(5, 0, 200_000, 8)
    for one, other in itertools.product((0, 1, 7), repeat=2):
        assert p_value(evenness.together(deals[:, one], games[:, other])) > ALARM
