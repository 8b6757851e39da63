"""Every hand of Noddy with every starter, three ways: by table, from the rules, and by the twin; and hands of four."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
import reference
import table
import twin_work
from bugs_cases import FOUR, FOUR_GROVES, FOUR_WHOLE, Differences
from reference_setup import COSTLY

from noddysim.kernels.hands import pack
from noddysim.kernels.records import SHOW_SHIFT
from noddysim.kernels.show import count_every_show, show_from_rules, show_points

HANDS = list(itertools.combinations(range(52), 3))


def packed(parts: dict[str, int]) -> int:
    """Points by kind as the kernels pack them."""
    return sum(points | points << shift for points, shift in zip(parts.values(), SHOW_SHIFT, strict=True))


def test_all_1_082_900_hands_equal_the_twin() -> None:
    game = table.noddy_game(2)
    cases = 0
    with twin_work.workers() as pool:
        for hand, shows in zip(HANDS, pool.imap(twin_work.shows, HANDS, chunksize=200), strict=True):
            cards = pack(hand)
            starters = [starter for starter in range(52) if starter not in hand]
            for starter, parts in zip(starters, shows, strict=True):
                expected = packed(parts)
                assert show_points(game.rules, game.shows, cards, 3, starter) == expected
                assert show_from_rules(game.rules, cards, 3, starter) == expected
                cases += 1
    assert cases == 1_082_900


def counted(game: Any, by_table: bool) -> list[np.ndarray]:
    totals, parts = np.zeros(4096, np.int64), np.zeros((7, 4096), np.int64)
    count_every_show(game.rules, game.shows, 4, False, by_table, totals, parts)
    return [totals, parts]


@pytest.mark.parametrize("rules", [FOUR, FOUR_WHOLE, FOUR_GROVES], ids=["subset", "whole", "groves"])
def test_every_four_card_hand_by_table_and_from_the_rules(rules: Differences) -> None:
    game = table.game_with(rules, 2)
    by_table, by_rules = counted(game, True), counted(game, False)
    assert int(by_table[0].sum()) == math.comb(52, 4) * 48 == 12_994_800
    assert all(np.array_equal(one, other) for one, other in zip(by_table, by_rules, strict=True))


def test_every_show_of_costly_colours_by_the_twin() -> None:
    # All suits of the starter are alike, so clubs stand for them: a quarter of the 1,082,900 hands.
    totals: Counter[int] = Counter()
    for starter in range(0, 52, 4):
        others = [card for card in range(52) if card != starter]
        for hand in itertools.combinations(others, 3):
            totals[reference.show(hand, starter, COSTLY)["total"]] += 4
    assert sum(totals.values()) == 1_082_900
    assert sum(points * hands for points, hands in totals.items()) == 6_562_120
    assert (totals[0], totals[34], max(totals)) == (61_728, 8, 34)
    assert not totals.keys() & {1, 29, 31, 33}
