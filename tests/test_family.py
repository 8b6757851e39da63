"""Cribbage and Costly Colours against figures found elsewhere: every show, mean cribs, points a deal, mogging."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
import reference
import table

from noddysim.engine import batch, cribs
from noddysim.engine.cribs import CribTable, crib_table
from noddysim.engine.exact import show_distribution
from noddysim.engine.games import PegGame, peg_game
from noddysim.engine.measures import SOURCE_NAMES, DealCount
from noddysim.engine.peg import peg
from noddysim.engine.replay import replay_deal, replay_game
from noddysim.engine.scoring import score
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant, variant_names
from noddysim.insight.discards import discards
from noddysim.insight.duels import duel
from noddysim.insight.sensitivity import alternatives
from noddysim.kernels.moments import games_worth

TRUTH = Path(__file__).parent / "golden" / "truth"
CRIBBAGE, COSTLY = load_variant("cribbage"), load_variant("costly-colours")


def rows(name: str) -> list[dict[str, str]]:
    with (TRUTH / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ---------------------------------------------------------------------------------------------------------------------
# Every show


@pytest.mark.parametrize("crib", [False, True])
def test_every_cribbage_hand_and_crib_by_score(crib: bool) -> None:
    name = "dist_cribbage_crib_4_plus_starter.csv" if crib else "dist_cribbage_hand_4_plus_starter.csv"
    published = {int(row["points"]): int(row["hands"]) for row in rows(name) if int(row["hands"])}
    found = show_distribution("cribbage", crib)
    assert found.cases == 12_994_800
    assert {points: number for points, number in found.counts.items() if number} == published


def test_every_show_of_costly_colours() -> None:
    found = show_distribution("costly-colours")
    assert found.cases == 1_082_900
    assert sum(points * number for points, number in found.counts.items()) == 6_562_120
    assert (found.counts[0], found.counts[34], max(found.counts)) == (61_728, 8, 34)
    assert [points for points in range(34) if not found.counts[points]] == [1, 29, 31, 33]


@pytest.mark.parametrize(
    ("variant", "mean", "some"),
    [
        ("noddy-four", 5.297892, {0: 816_816, 26: 24, 27: 360}),
        ("cribbage-five", 2.592350, {0: 260_220}),
        ("cribbage", 4.769152, {0: 1_009_008, 24: 3_680, 28: 76, 29: 4}),
    ],
)
def test_means_of_shows(variant: str, mean: float, some: dict[int, int]) -> None:
    found = show_distribution(variant)
    assert found.mean == pytest.approx(mean, abs=5e-7)
    assert {points: found.counts[points] for points in some} == some


def test_the_suits_of_hand_and_crib() -> None:
    assert score("QC TC 8C 4C", "2D", CRIBBAGE).total == 4
    assert score("QC TC 8C 4C", "2D", CRIBBAGE, crib=True).total == 0
    assert score("QC TC 8C 4C", "2C", CRIBBAGE, crib=True).parts["flush"] == 5
    assert score("2H 4H 9H KH", "8S", CRIBBAGE, crib=True).total == 2
    with pytest.raises(InputError, match="no crib in noddy"):
        score("5H 5D 5C", "5S", "noddy", crib=True)
    with pytest.raises(InputError, match="a crib of cribbage-five has 4 cards"):
        score("5H 5D 5C", "5S", "cribbage-five", crib=True)


@pytest.mark.parametrize("row", rows("costly_show_examples.csv"), ids=lambda row: row["id"])
def test_shows_of_costly_colours(row: dict[str, str]) -> None:
    found = score(row["hand"], row["starter"], COSTLY)
    kinds = ("sums", "pairs", "jacks_deuces", "colours")
    assert found.parts == {kind: int(row[kind]) for kind in kinds}
    assert found.total == int(row["total"]) == sum(made.points for made in found.combinations)


@pytest.mark.parametrize("row", rows("show_examples.csv"), ids=lambda row: row["id"])
def test_shows_by_the_rules_of_their_variant(row: dict[str, str]) -> None:
    found = score(row["hand"], row["starter"], row["variant"], crib=row["what"] == "crib")
    assert found.total == int(row["total"])
    assert found.parts == {kind: int(row[kind]) for kind in ("fifteens", "pairs", "runs", "flush", "nob")}


@pytest.mark.parametrize("row", rows("play_examples.csv"), ids=lambda row: row["id"])
def test_plays_by_the_rules_of_their_variant(row: dict[str, str]) -> None:
    start = [int(part) for part in row["start"].split("-")] if row["start"] else None
    found = peg(row["hands"], row["variant"], start)
    assert [event.points for event in found.events] == [int(part) for part in row["points"].split(",")]
    assert found.points == tuple(int(part) for part in row["gain"].split("/"))


def test_partners_share_a_score() -> None:
    hands = "8H 2S 5C KD / 7D 9S 3H JC / 9C 6D QS 4H / 5D 8C TH AS"
    found = peg(hands, CRIBBAGE, [118, 100])
    assert found.sides == (118 + sum(found.points[0::2]), 100 + sum(found.points[1::2]))
    assert peg(hands, CRIBBAGE).sides == (8, 6)
    assert peg(hands, "cribbage-alone").sides == ()
    assert peg(hands, CRIBBAGE, [118, 100, 118, 100]) == found
    with pytest.raises(InputError, match="partners share one score"):
        peg(hands, CRIBBAGE, [118, 100, 117, 100])
    # P3 has 2 points when his side reaches 121.
    assert peg(hands, CRIBBAGE, [119, 100]).winner == 3


# ---------------------------------------------------------------------------------------------------------------------
# Mean cribs


def test_mean_cribs_agree_with_the_self_consistent_and_with_published_tables() -> None:
    found = {row.laid.replace("-", ""): row for row in discards("cribbage", 2).rows}
    published = {row["pair"]: row for row in rows("discard_tables.csv")}
    assert found.keys() == published.keys()
    for pair, row in published.items():
        own, theirs = found[pair].own.estimate, found[pair].theirs.estimate
        assert abs(own - float(row["selfconsistent_own"])) < 0.1, pair
        assert abs(theirs - float(row["selfconsistent_opp"])) < 0.1, pair
        assert min(abs(own - float(row[f"{who}_own"])) for who in ("hessel", "schell")) < 0.3, pair
        assert min(abs(theirs - float(row[f"{who}_opp"])) for who in ("hessel", "schell")) < 0.3, pair


def test_how_often_a_pair_is_laid_away_agrees() -> None:
    found = {row.laid.replace("-", ""): row for row in discards("cribbage", 2).rows}
    assert sum(row.own_share for row in found.values()) == pytest.approx(1)
    for row in rows("discard_frequency.csv"):
        assert 100 * found[row["pair"]].own_share == pytest.approx(float(row["selfconsistent_dealer_percent"]), abs=0.5)
        assert 100 * found[row["pair"]].theirs_share == pytest.approx(
            float(row["selfconsistent_pone_percent"]), abs=0.5
        )


def test_every_built_in_variant_with_a_crib_has_its_table_shipped() -> None:
    from crib_tables import games_with_cribs

    from noddysim.engine.cribs import _shipped

    keys = [key for key, _ in games_with_cribs()]
    assert keys == list(_shipped())
    for _, game in games_with_cribs():
        kept = crib_table(game)
        seats = game.players * kept.deals
        assert int(kept.counts["chosen"].sum()) == seats
        assert int(kept.counts["tries"].sum()) == seats * int(game.rules.ways)


@pytest.mark.parametrize("name", ["cribbage", "cribbage-five"])
def test_no_reading_for_two_needs_a_table_of_cribs_worked_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(game: PegGame) -> CribTable:
        raise AssertionError(f"worked out anew: {game.text}")

    monkeypatch.setattr(cribs, "work_out", refuse)
    monkeypatch.setattr(cribs, "_read_kept", lambda path: None)
    base = load_variant(name)
    tables = {reading.option: peg_game(other, 2).cribs for reading, _, _, other in alternatives(base, 2)[0]}
    shared = peg_game(base, 2).cribs
    assert {option for option, table in tables.items() if table != shared} == {
        "run_multiplicity", "fifteen", "run_scale", "hand_flush", "crib_flush",
    }  # fmt: skip


def test_no_table_of_cribs_without_a_crib() -> None:
    with pytest.raises(InputError, match="there is no crib in noddy"):
        discards("noddy")


# ---------------------------------------------------------------------------------------------------------------------
# Points a deal


def test_points_a_deal_of_cribbage_are_near_the_published_ones() -> None:
    strategy = parse_strategy("careful")
    counts = batch.run(DealCount(peg_game(CRIBBAGE, 2), (strategy,) * 2, 1), 40_000)["by_source"]
    means = (counts * np.arange(counts.shape[2])).sum(axis=2) / counts.sum(axis=2)
    pone, dealer = ({name: means[seat, i] for i, name in enumerate(SOURCE_NAMES)} for seat in (0, 1))
    assert dealer["deal"] == pytest.approx(16.2, abs=0.4)
    assert pone["deal"] == pytest.approx(10.2, abs=0.4)
    assert dealer["play"] == pytest.approx(3.5, abs=0.4)
    assert pone["play"] == pytest.approx(2.1, abs=0.4)
    assert (dealer["show"], pone["show"]) == (pytest.approx(7.880, abs=0.2), pytest.approx(8.026, abs=0.2))
    assert dealer["crib"] == pytest.approx(4.808, abs=0.1)
    assert dealer["heels"] == pytest.approx(2 / 13, abs=0.01)
    for seat in (pone, dealer):
        assert seat["deal"] == pytest.approx(
            sum(seat[kind] for kind in ("heels", "play", "show", "crib", "start", "mog"))
        )


@pytest.mark.parametrize("name", variant_names("pegging"))
def test_duels_and_replays_run_for_every_number_of_players(name: str) -> None:
    variant = load_variant(name)
    for players in variant.rules.players:
        found = duel(variant, "greedy", "random", players=players, deals=600, seed=3)
        assert found.n == 600 and found.effect is not None and found.effect.estimate > 0
        assert duel(variant, "random", "random", players=players, deals=20).effect.estimate == 0  # type: ignore[union-attr]
        record = replay_deal(variant, 1, 5, players, "random").deal
        assert len({*sum(record.hands, ()), *sum(record.away, ()), record.starter}) == (
            1 + sum(map(len, (*record.hands, *record.away)))
        )
        game = replay_game(variant, 1, 2, players)
        assert max(game.scores) >= variant.rules.target


# ---------------------------------------------------------------------------------------------------------------------
# Decisions before the play


def test_tips_on_discards_are_vacuous_where_nothing_is_laid_away() -> None:
    for name, decisions in (("noddy", False), ("cribbage", True), ("costly-colours", False)):
        found = duel(name, "hold-nob@greedy", "greedy", deals=200)
        assert (found.verdict != "vacuous") == decisions
    assert duel("cribbage", "mog-offer@greedy", "greedy", deals=20).verdict == "vacuous"
    assert duel("costly-colours", "mog-offer@greedy", "greedy", deals=400).verdict != "vacuous"


def test_laying_away_well_is_worth_points() -> None:
    best = duel("cribbage", "keep-best-crib+greedy", "random+greedy", deals=2_000, seed=2)
    assert best.effect is not None and best.effect.low is not None and best.effect.low > 3
    crib = duel("cribbage", "keep-best-crib+greedy", "keep-best+greedy", deals=20_000, seed=2)
    assert crib.effect is not None and crib.effect.low is not None and crib.effect.low > 0


def test_mogging_by_the_worked_lines() -> None:
    game = peg_game(COSTLY, 2)
    never, always = parse_strategy("mog-never+low"), parse_strategy("mog-always+low")
    for number in range(40):
        key = reference.deal_key(9, number)
        declined = table.by_key(game, [never, always], key)
        assert (declined.mog, declined.passed) == ([0, 1], [None, None])
        refused = table.by_key(game, [always, never], key)
        assert (refused.mog, refused.passed) == ([1, 0], [None, None])
        both = table.by_key(game, [always, always], key)
        assert all(card is not None for card in both.passed)


def test_skunks() -> None:
    bands = np.array([(91, 2), (61, 3)])
    for every in (bands, bands[::-1].copy()):
        assert [games_worth(second, every) for second in (60, 61, 90, 91)] == [3, 2, 2, 1]
    assert [games_worth(second, np.empty((0, 2), np.int64)) for second in (0, 120)] == [1, 1]
