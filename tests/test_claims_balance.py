"""Numbers on the balance of variants in the remarks on claims, played again on fewer games."""

from __future__ import annotations

import pytest

from noddysim.engine.games import peg_game
from noddysim.engine.measures import GAME_FIELDS, GameCount
from noddysim.game.claims import load_claims
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.insight.balance import compare
from noddysim.insight.rows import Row

REMARKS = {claim.id: claim.remark for claim in load_claims().claims}


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    """Two careful players of each variant."""
    names = ["noddy", "noddy-61", "cribbage", "cribbage-five", "costly-colours"]
    found = compare(
        names, strategies=["careful"], games=1_500, skill=300, ladder=["careful", "random+mog-random+random"]
    )
    return {row.variant.name: row for row in found.rows}


@pytest.mark.parametrize(
    ("claim", "variant", "deals", "edge", "skill"),
    [
        ("b-vary-08", "noddy", "6.6", "2.8", "68.6"),
        ("b-vary-08", "cribbage", "9.0", "5.7", "99.4"),
        ("b-vary-11", "costly-colours", "6.1", "1.8", "85.3"),
        ("b-vary-11", "cribbage-five", "6.9", "-1.8", "96.9"),
        ("b-vary-14", "noddy-61", "", "", "74.0"),
        ("b-vary-14", "noddy", "", "", "68.6"),
    ],
)
def test_what_a_variant_changes_is_as_the_claim_says(
    rows: dict[str, Row], claim: str, variant: str, deals: str, edge: str, skill: str
) -> None:
    row = rows[variant]
    assert row.skill is not None and row.edge.half_width is not None
    chance = row.skill.widest.chance
    assert chance.half_width is not None
    assert f"{skill} %" in REMARKS[claim]
    assert abs(100 * chance.estimate - float(skill)) < 200 * chance.half_width + 0.1
    if deals:
        assert deals in REMARKS[claim] and abs(row.metrics["deals"].estimate - float(deals)) < 0.2
        assert edge.lstrip("-") in REMARKS[claim]
        assert abs(100 * row.edge.estimate - float(edge)) < 200 * row.edge.half_width


def test_how_often_the_turned_jack_decides_a_game() -> None:
    with_it, without = (
        GameCount((peg_game(load_variant(name), 2),), parse_strategy("greedy"), 1)
        for name in ("noddy", "noddy-no-jack")
    )
    one, other = (measure.records_of(measure.games[0], 0, 40_000) for measure in (with_it, without))
    winner, phase = GAME_FIELDS.index("winner"), GAME_FIELDS.index("phase")
    assert (one[:, winner] != other[:, winner]).mean() == pytest.approx(0.019, abs=0.003)
    assert (one[:, phase] == 0).mean() == pytest.approx(0.007, abs=0.002)
    assert "0.7 %" in REMARKS["b-vary-17"] and "1.9 %" in REMARKS["b-vary-17"]
