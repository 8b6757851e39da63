"""Functions that look at the starter: thirteen books of each are filled by asking, which takes a minute."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest
from functions_setup import FILE, written

import noddysim as ns
from noddysim.engine.games import peg_game
from noddysim.engine.measures import DealCount
from noddysim.game.cards import parse_card, pips, rank_of
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant

GAME = peg_game(load_variant("noddy"), 2)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file of functions."""
    return written(tmp_path)


def test_every_card_of_a_deal_is_the_one_that_the_function_names(mine: Path) -> None:
    names = f"{mine}:turned", f"{mine}:high"
    functions = {}
    exec(compile(textwrap.dedent(FILE), "mine", "exec"), functions)
    turned = 0
    for number in range(150):
        deal = ns.replay("noddy", 8, deal=number, strategies=names).deal
        hands = [sorted(rank_of(parse_card(card)) for card in hand) for hand in deal.hands]
        starter, laid = rank_of(parse_card(deal.starter)), []
        for event in deal.events:
            seat, rank = event.seat - 1, rank_of(parse_card(event.card))
            count, hand = event.count - pips(rank), hands[seat]
            if seat == 0:
                wanted = functions["turned"](seat, hand, laid, count, starter)
                turned += wanted == starter
            else:
                wanted = functions["high"](seat, hand, laid, count)
            assert rank == wanted, (number, deal)
            laid.append(rank)
            hand.remove(rank)
    assert turned > 10


def test_exact_counts_take_the_same_words(mine: Path) -> None:
    name = f"{mine}:turned"
    found = ns.exact.play("noddy", name, "greedy")
    deals = 20_000
    tally = DealCount(GAME, (parse_strategy(name), parse_strategy("greedy")), 5).count(0, deals)
    for seat, mean in enumerate((found.pone, found.dealer)):
        counts, points = tally["by_source"][seat, -4], np.arange(1024)
        sampled = (counts * points).sum() / deals
        error = np.sqrt((counts * (points - sampled) ** 2).sum()) / deals
        assert abs(sampled - mean) < 4 * error
