"""Balance: shares, lengths, points by source, and differences on the same cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from noddysim.engine import batch, exact
from noddysim.engine.games import peg_game
from noddysim.engine.measures import GAME_FIELDS, GameCount
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.insight import counted_games
from noddysim.insight.balance import Comparison, compare
from noddysim.insight.balance_words import difference_words
from noddysim.insight.titles import by_title

NODDY, NO_JACK, LONG = (load_variant(name) for name in ("noddy", "noddy-no-jack", "noddy-61"))


@pytest.fixture(scope="module")
def found() -> Comparison:
    """The three variants, two players."""
    return compare([NODDY, NO_JACK, LONG], games=20_000, seed=1)


def test_the_first_dealer_wins_as_often_as_counted(found: Comparison) -> None:
    row = found.rows[0]
    dealer = row.seat_wins[-1]
    assert dealer.half_width is not None
    assert abs(dealer.estimate - 0.5275470017) < 4 * dealer.half_width / 1.96
    assert row.edge.estimate == pytest.approx(dealer.estimate - 0.5)
    assert row.verdict == "favours-dealer"


def test_shares_of_the_seats_and_of_the_phases_add_to_one(found: Comparison) -> None:
    for row in found.rows:
        assert sum(share.estimate for share in row.seat_wins) == pytest.approx(1)
        assert sum(share.estimate for share in row.phases.values()) == pytest.approx(1)


def test_points_by_source_add_up(found: Comparison) -> None:
    kinds = {
        "play": ("fifteen", "twentyfive", "thirtyone", "pair", "run", "last"),
        "show": ("show_fifteens", "show_pairs", "show_runs", "show_flush", "show_nob"),
        "deal": ("heels", "play", "show"),
    }
    for row in found.rows:
        for seat in row.points:
            for total, parts in kinds.items():
                assert seat[total].estimate == pytest.approx(sum(seat[part].estimate for part in parts if part in seat))


def test_without_the_turned_jack_nobody_is_paid_for_heels(found: Comparison) -> None:
    with_jack, without, _ = found.rows
    assert with_jack.points[1]["heels"].estimate == pytest.approx(1 / 13, abs=0.01)
    assert without.points[1]["heels"].estimate == 0
    assert without.phases["heels"].estimate == 0


def test_paired_differences_are_the_differences_of_the_rows_with_less_error(found: Comparison) -> None:
    rows = {row.variant.name: row for row in found.rows}
    for one in found.differences:
        a, b = rows[one.a], rows[one.b]
        pair = (a.edge, b.edge) if one.metric == "edge" else (a.metrics[one.metric], b.metrics[one.metric])
        assert one.value.estimate == pytest.approx(pair[0].estimate - pair[1].estimate)
        assert one.paired
    jack = next(one.value for one in found.differences if one.b == "noddy-no-jack" and one.metric == "edge")
    assert jack.half_width is not None and rows["noddy"].edge.half_width is not None
    assert jack.half_width < rows["noddy"].edge.half_width / 2


def test_a_variant_beside_itself_differs_in_nothing() -> None:
    twin = replace(NODDY, name="twin")
    same = compare([NODDY, twin], games=300)
    assert {one.value.estimate for one in same.differences} == {0}


def test_a_few_games_that_end_alike_prove_nothing() -> None:
    """Two games won by the same side under both rules do not make a difference of exactly nought."""
    for games in (1, 2, 9):
        few = compare([NODDY, NO_JACK], games=games)
        assert all(one.value.interval == (None, None) for one in few.differences if one.metric == "edge")
    for seed in range(5):
        found = compare([NODDY, NO_JACK], games=20, seed=seed)
        (edge,) = (one.value for one in found.differences if one.metric == "edge")
        assert edge.low is not None and edge.high is not None
        assert -1 <= edge.low < -0.1 and 0.1 < edge.high <= 1


def test_other_hands_are_said_to_be_other_cards() -> None:
    four = compare([NODDY, NODDY.replace(hand=4)], games=300)
    assert not any(one.paired for one in four.differences)
    assert any("do not reach the same seats" in note for note in four.notes)


def test_a_variant_that_a_number_cannot_play_is_left_out_and_said() -> None:
    two_only = NODDY.replace(players=[2])
    found = compare([NODDY, two_only], players=[2, 3], games=200)
    assert [(row.variant.name, row.players) for row in found.rows] == [
        ("noddy", 2), (two_only.name, 2), ("noddy", 3),
    ]  # fmt: skip
    assert any("not played by 3" in note for note in found.notes)
    with pytest.raises(InputError, match="not by 4"):
        compare([two_only], players=[4], games=10)


def test_a_designers_rules_move_the_edge_the_way_they_should() -> None:
    gift = NODDY.replace(head_start={"pone": 12})
    standing = NODDY.replace(next_dealer="same")
    heels = standing.replace(turned=[{"rank": "J", "to": "pone", "points": 31}])
    found = compare([NODDY, gift, standing, heels], games=4_000)
    plain, given, same, paid = (row.edge.estimate for row in found.rows)
    assert given < plain - 0.1
    assert same > plain + 0.05
    assert paid < same - 0.1


def test_histograms_count_every_game_once() -> None:
    measure = GameCount((peg_game(NODDY, 4), peg_game(LONG, 4)), parse_strategy("greedy"), 1)
    tally = batch.run(measure, 500)
    for name in ("deals", "lead_changes", "margins"):
        assert tally[name].sum(axis=1).tolist() == [500, 500]
    assert tally["wins"].sum(axis=1).tolist() == [500, 500]
    rows = measure.records_of(measure.games[0], 0, 500)
    assert np.array_equal(np.bincount(rows[:, GAME_FIELDS.index("deals")], minlength=256), tally["deals"][0])


def test_the_json_has_its_keys(found: Comparison) -> None:
    data = found.to_json()
    assert {"rows", "differences"} <= data.keys()
    assert {
        "variant", "players", "strategy", "games", "seat_wins", "edge", "deals", "cards", "lead_changes",
    } <= data["rows"][0].keys()  # fmt: skip
    assert {"a", "b", "metric", "estimate", "low", "high", "paired"} <= data["differences"][0].keys()
    assert [seat["seat"] for seat in data["rows"][0]["seat_wins"]] == [1, 2]
    assert not found.table.empty


@pytest.mark.parametrize(("games", "seed"), [(0, 1), (10, -1), (2.5, 1), (True, 1)])
def test_amounts_that_cannot_be_are_refused(games: int, seed: int) -> None:
    with pytest.raises(InputError):
        compare([NODDY], games=games, seed=seed)


def test_names_serve_in_place_of_variants() -> None:
    by_name = compare(["noddy", "noddy-no-jack"], games=100)
    assert by_name.to_json() == compare([NODDY, NO_JACK], games=100).to_json()
    with pytest.raises(InputError, match="nody"):
        compare(["nody"], games=1)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"variants": []}, 'variants: the list is empty; write for example variants=["noddy", "noddy-61"]'),
        ({"variants": "noddy"}, "variants: 'noddy' is no list; write for example variants="),
        ({"variants": NODDY}, "variants: a Variant is no list"),
        ({"variants": [None]}, "None is no variant; give a variant, its name or the path of its file"),
        ({"variants": ["noddy"], "players": 2}, "players: 2 is no list; write for example players=[2, 3]"),
        ({"variants": ["noddy"], "players": []}, "players: the list is empty"),
        ({"variants": ["noddy"], "strategies": "greedy"}, "strategies: 'greedy' is no list"),
        ({"variants": ["noddy", NODDY]}, "two variants are named noddy; leave one out, or rename one"),
        ({"variants": [NO_JACK, replace(LONG, name="noddy-no-jack")]}, "two variants are named noddy-no-jack"),
    ],
)
def test_what_is_no_list_of_different_variants_is_refused(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as caught:
        compare(**arguments, games=10)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------------------------------------------------------------
# Counted beside played


def test_the_first_dealers_chance_is_counted_where_it_can_be(found: Comparison) -> None:
    chances = [row.counted.estimate for row in found.rows if row.counted]
    assert chances[0] == pytest.approx(0.5275470017, abs=1e-9)
    assert chances[1:] == [exact.game(one, "greedy", "greedy").first_dealer_wins for one in (NO_JACK, LONG)]
    edge = next(one for one in found.differences if one.metric == "edge")
    assert edge.counted is not None and edge.counted.exact
    assert edge.counted.estimate == pytest.approx(0.0015834618, abs=1e-9)
    assert edge.value.low < edge.counted.estimate < edge.value.high
    assert "wins more often, by 0.1583 percentage points (exact)" in difference_words(found, terminal=True)[0]
    assert found.rows[0].to_json()["counted"]["exact"] and "counted 52.7547 % (exact)" in found.rows[0].words


def test_few_games_are_not_counted_and_games_that_contradict_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(["noddy"], strategies=["greedy"], games=200).rows[0].counted is None
    monkeypatch.setattr(counted_games, "FEWEST_GAMES", 200)
    assert compare(["noddy"], players=[3], strategies=["greedy"], games=200).rows[0].counted is None
    assert compare(["noddy-four"], strategies=["greedy"], games=200).rows[0].counted is None
    monkeypatch.setattr(counted_games, "STANDARD_ERRORS", 0)
    with pytest.raises(RuntimeError, match="0 standard errors apart"):
        compare(["noddy"], strategies=["greedy"], games=200)


def test_titles_stand_for_names_on_pages_and_tell_twins_apart() -> None:
    twin = replace(LONG, name="noddy-slow")
    found = by_title(compare([NODDY, LONG, twin, NO_JACK], games=20, workers=1))
    names = [row.variant.name for row in found.rows]
    assert names == ["Noddy", "Noddy (61 up) [noddy-61]", "Noddy (61 up) [noddy-slow]", "Noddy without the turned jack"]
    assert {one.a for one in found.differences} | {one.b for one in found.differences} == set(names)
