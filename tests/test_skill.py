"""Skill: one player among others of another kind, on the same games."""

from __future__ import annotations

import numpy as np
import pytest

from noddysim.engine.games import peg_game
from noddysim.engine.laying import WHOLE
from noddysim.engine.measures import DuelCount
from noddysim.engine.skill import LaidSkill, PegSkill
from noddysim.engine.tally import Tally
from noddysim.game.errors import InputError
from noddysim.game.laying_data import MELDING, SETS, Laid
from noddysim.game.minds import read_mind
from noddysim.game.rules import load_variant
from noddysim.game.strategy_data import Strategy
from noddysim.insight.balance import compare
from noddysim.insight.skill import Moments, ladder_of

NODDY = load_variant("noddy")


def peg(name: str) -> Strategy:
    mind = read_mind("pegging", name)
    assert isinstance(mind, Strategy)
    return mind


def laid(family: str, name: str) -> Laid:
    mind = read_mind(family, name)
    assert not isinstance(mind, Strategy)
    return mind


@pytest.mark.parametrize("players", [2, 3])
def test_players_who_are_alike_win_their_fair_share_of_every_duplicate(players: int) -> None:
    measure = PegSkill((NODDY,), players, ((peg("greedy-random"), peg("greedy-random")),), 5)
    tally = measure.count(0, 200)
    assert tally["sums"].tolist() == [200 * WHOLE]
    assert tally["products"].tolist() == [[200 * WHOLE**2]]
    assert tally["gained"].tolist() == tally["lost"].tolist() == [0]


def test_the_chance_is_that_of_a_duel_of_games() -> None:
    one, other = peg("greedy"), peg("random")
    tally = PegSkill((NODDY,), 2, ((one, other),), 9).count(0, 300)
    duel = DuelCount(peg_game(NODDY, 2), (one,), other, other, 9, games=True).count(0, 300)
    assert tally["sums"][0] - 300 * WHOLE == WHOLE * duel["sums"][0]
    found = Moments(tally, 1, 2)
    assert found.above(0, 0).estimate == pytest.approx(duel["sums"][0] / 600)
    assert found.chance(0, 0).estimate == pytest.approx(0.5 + duel["sums"][0] / 600)


def test_partners_play_alike() -> None:
    four = load_variant("noddy").replace(partners=True, players=[4])
    measure = PegSkill((four,), 4, ((peg("greedy"), peg("low")),), 9)
    assert measure.sides == 2
    tally = measure.count(0, 200)
    assert tally["sums"][0] > 200 * WHOLE


@pytest.mark.parametrize(
    ("family", "variant", "strong", "weak"),
    [(MELDING, "innocence", "most-points", "first"), (SETS, "snitch", "most-points", "random-discards")],
)
def test_games_of_melds_and_sets_reward_skill_too(family: str, variant: str, strong: str, weak: str) -> None:
    loaded = load_variant(variant)
    alike = LaidSkill((loaded,), 3, ((laid(family, weak), laid(family, weak)),), 1).count(0, 20)
    assert alike["products"].tolist() == [[20 * WHOLE**2]]
    skilled = LaidSkill((loaded,), 3, ((laid(family, strong), laid(family, weak)),), 1).count(0, 60)
    assert skilled["sums"][0] > 60 * WHOLE


def test_the_share_that_skill_explains_is_that_of_an_analysis_of_variance() -> None:
    """Two rungs of which the better always wins: half the tables have one of each, and there all is decided."""
    n = 50
    sums = {"n": np.array([n]), "sums": np.array([2 * n * WHOLE]), "products": np.array([[4 * n * WHOLE**2]])}
    always = Moments(type_tally(sums, n), 1, 2)
    assert always.above(0, 0).estimate == 0.5
    assert always.factor * 0.25 == pytest.approx(0.5)


def type_tally(counts: dict[str, np.ndarray], n: int) -> Tally:
    return Tally({**counts, "gained": np.array([n]), "lost": np.array([0])})


def test_the_share_and_its_differences_have_intervals_that_fit() -> None:
    found = compare(["noddy", "noddy-61"], games=200, skill=1_500, ladder=["lookahead", "greedy", "random"])
    short, long = (row.skill for row in found.rows)
    assert short is not None and long is not None
    assert short.widest.better == "lookahead" and short.widest.worse == "random"
    assert len(short.rungs) == 3
    share, other = short.share, long.share
    assert share.low is not None and share.high is not None
    assert 0 <= share.low < share.estimate < share.high < 1
    by_name = {one.metric: one for one in found.differences}
    assert by_name["skill_share"].value.estimate == pytest.approx(share.estimate - other.estimate)
    difference = short.widest.chance.estimate - long.widest.chance.estimate
    assert by_name["skill"].value.estimate == pytest.approx(difference)
    assert by_name["skill"].paired


def test_every_family_has_a_ladder_and_a_faulty_one_is_refused() -> None:
    assert [len(ladder_of(family)) for family in ("pegging", MELDING, SETS)] == [3, 3, 3]
    for ladder in (["greedy"], ["greedy", "greedy"]):
        with pytest.raises(InputError, match="a ladder has 2 to 6 different strategies"):
            compare(["noddy"], games=10, skill=10, ladder=ladder)
