"""Four cards with chance and three players, counted over all deals: against whole points, the truth and samples."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from command_line import answer

import noddysim as ns
from noddysim.engine.branches import count_branches
from noddysim.engine.exactseats import play_of_three
from noddysim.engine.games import peg_game
from noddysim.engine.measures import DealCount
from noddysim.engine.rolled import two_hands
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant

FOUR = two_hands(load_variant("noddy-four"))


def sampled_agree(variant: str, names: Sequence[str], exact: Sequence[float], deals: int = 40_000) -> None:
    """Means of sampled deals lie within four standard errors of the exact ones."""
    strategies = tuple(map(parse_strategy, names))
    tally = DealCount(peg_game(load_variant(variant), len(names)), strategies, 1589).count(0, deals)
    for seat, mean in enumerate(exact):
        counts = tally["by_source"][seat, -4]
        points = np.arange(len(counts))
        sampled = (counts * points).sum() / deals
        error = math.sqrt((counts * (points - sampled) ** 2).sum()) / deals
        assert 0 < abs(sampled - mean) < 4 * error, (names, seat, sampled, mean)


@pytest.mark.parametrize("names", [("greedy", "low"), ("high", "greedy")])
def test_branches_of_a_play_without_chance_are_its_whole_points(names: tuple[str, str]) -> None:
    one, other = map(parse_strategy, names)
    whole = ns.exact.play("noddy-four", *names)
    found = count_branches(FOUR, one, other)
    assert whole.points.pone_points is not None and found.deals == whole.deals
    assert (found.pone, found.dealer) == pytest.approx((whole.pone, whole.dealer), abs=1e-10)


def test_sampled_deals_of_four_cards_agree() -> None:
    names = "random:lead@greedy", "greedy"
    found = ns.exact.play("noddy-four", *names)
    assert found.points.pone_points is None and found.deals == ns.exact.play("noddy-four", "low", "low").deals
    sampled_agree("noddy-four", names, (found.pone, found.dealer))


def test_greedy_by_three_is_the_truth() -> None:
    found = play_of_three("noddy", ["greedy"])
    assert found.deals == 43 * math.comb(52, 3) * math.comb(49, 3) * math.comb(46, 3)
    assert found.means == pytest.approx((1.144952394, 2.103153289, 3.090107277), abs=5e-10)


def test_sampled_deals_of_three_agree() -> None:
    names = "low", "greedy", "high"
    found = answer("exact", "play", "noddy", "--players", "3", "--seats", ",".join(names))
    assert found["strategies"] == {"eldest": "low", "second": "greedy", "dealer": "high"}
    means = [found[seat] for seat in ("eldest", "second", "dealer")]
    assert means == [found[f"{seat}_points"] / found["deals"] for seat in ("eldest", "second", "dealer")]
    sampled_agree("noddy", names, means)
