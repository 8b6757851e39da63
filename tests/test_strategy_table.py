"""Strategies as the arrays that the kernels read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_setup import FIVES_BACK, saved

from noddysim.game import features as f
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy, read_strategy_file
from noddysim.game.strategy_data import AwayLevel, Level, Policy, Strategy
from noddysim.game.strategy_table import encode

ROOT = Path(__file__).resolve().parents[1]


def test_shapes_and_codes() -> None:
    table = encode([parse_strategy(name) for name in ("greedy-leadhigh", "lead-low@greedy-random", "low")])
    assert {field: getattr(table, field).shape for field in table._fields} == {
        "weights": (3, 8, 17),
        "ranks": (3, 8, 13),
        "counts": (3, 8, 64),
        "when": (3, 8),
        "final": (3, 8),
        "levels": (3,),
        "ties": (3,),
        "needs": (3, 8),
        "spares": (3, 8),
        "discard": (3,),
        "mog": (3,),
        "away_weights": (2, 8, 11),
        "away_ranks": (2, 8, 13),
        "away_when": (2, 8),
        "away_final": (2, 8),
        "away_levels": (2,),
        "away_ties": (2,),
    }
    assert {str(array.dtype) for array in table} == {"int64"}
    assert table.levels.tolist() == [2, 2, 0]
    assert table.ties.tolist() == [0, 2, 0]
    assert table.when[:, :2].tolist() == [[1, 0], [1, 0], [0, 0]]
    assert table.final[:, :2].tolist() == [[1, -1], [-1, -1], [-1, -1]]
    assert table.weights[0, 1].tolist() == [10**6] + [0] * 16
    assert table.weights.sum() == 2 * 10**6  # the weight of the rank has gone into the table of ranks
    assert table.ranks[1, 0].tolist() == [-(10**6) * rank for rank in range(1, 14)]


def test_rank_and_pips_are_folded_into_ranks(tmp_path: Path) -> None:
    text = "name='m'\nweights={rank=0.5, pips=-2, points=1}\nranks={J=3}\ncounts={31=7}"
    table = encode([read_strategy_file(saved(tmp_path, text))])
    expected = [500_000 * (rank + 1) - 2_000_000 * min(rank + 1, 10) for rank in range(13)]
    expected[10] += 3_000_000
    assert table.ranks[0, 0].tolist() == expected
    assert table.weights[0, 0].nonzero()[0].tolist() == [0]
    assert table.counts[0, 0].nonzero()[0].tolist() == [31]
    assert table.needs[0, 0] == f.NEED_POINTS | f.NEED_RANKS | f.NEED_COUNTS


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("greedy", [1]),
        ("lookahead", [1 | 4]),
        ("greedy-safe", [1, 8 | 128]),
        ("take-runs@low", [1 | 2]),
        ("avoid-pairable@low", [1 | 4, 0]),
        ("avoid-pairable-strict@low", [4]),
        ("lead-from-pair@low", [16]),
        ("keep-reserve@low", [1 | 32]),
        ("save-fives@low", [1 | 64]),
        ("save-fives-strict@low", [64]),
        ("lead-low@low", [64]),
        ("high:lead@low", [0]),
    ],
)
def test_needs(expression: str, expected: list[int]) -> None:
    assert encode([parse_strategy(expression)]).needs[0, : len(expected)].tolist() == expected


def test_a_level_that_spares_needs_points_and_weighs_none() -> None:
    table = encode([parse_strategy(name) for name in ("lead-low@save-fives@greedy", "save-fives-strict@greedy")])
    assert table.spares[:, :4].tolist() == [[0, 1, 0, 0], [0, 0, 0, 0]]
    assert not table.weights[0, 1].any()


def test_policies_that_decide_alike_are_one() -> None:
    names = ("greedy", "keep-best+low", "keep-best+mog-never+greedy", "lead-low@keep-best-crib+high", "hold-nob@low")
    table = encode([parse_strategy(name) for name in names])
    assert table.discard.tolist() == [0, 2, 2, 0, 4]
    assert table.mog.tolist() == [1, 1, 3, 1, 1]
    assert table.away_levels.tolist() == [1, 1, 1, 1, 2]
    assert table.away_ties.tolist() == [2, 0, 2, 0, 2]
    # Without any level both could decide alike, but they are asked for in different games.
    table = encode([parse_strategy("random+mog-random+low")])
    assert (table.discard.tolist(), table.mog.tolist(), table.away_levels.tolist()) == ([0], [1], [0, 0])


def test_levels_of_policies_land_in_their_rows() -> None:
    levels = (
        AwayLevel(when="own", weights=(("crib", 3), ("away_pairs", 5)), ranks=FIVES_BACK),
        AwayLevel(when="theirs", final="high"),
    )
    mogging = (AwayLevel(when="answer", weights=(("gift", 7), ("stay", 9)), final="random"), AwayLevel(when="offer"))
    strategy = parse_strategy("low").with_policy(Policy("", "", "", "", "discard", levels, "high"))
    strategy = strategy.with_policy(Policy("", "", "", "", "mog", mogging, "low"))
    table = encode([strategy])
    assert table.away_weights[0, 0].tolist() == [0, 3, 0, 0, 0, 0, 0, 5, 0, 0, 0]
    assert table.away_weights[1, 0].tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 9]
    assert table.away_ranks[0, 0].tolist() == list(FIVES_BACK)
    assert table.away_when[:, :2].tolist() == [[1, 2], [2, 1]]
    assert table.away_final[:, :3].tolist() == [[-1, 1, -1], [2, -1, -1]]
    assert (table.away_levels.tolist(), table.away_ties.tolist()) == ([2, 2], [1, 0])


def test_order_of_the_features_is_fixed() -> None:
    assert " ".join(f.FEATURES) == (
        "points fifteen twentyfive thirtyone pair run reply reply_fifteen reply_twentyfive reply_thirtyone "
        "reply_pair reply_run offers_run rank pips paired last_reserve"
    )


def test_no_strategy_at_all_is_an_empty_table() -> None:
    assert encode([]).weights.shape == (0, 8, 17)
    assert encode([]).away_weights.shape == (0, 8, 11)


def test_a_stack_too_tall_is_refused_by_the_arrays_too() -> None:
    tall = Strategy("tall", "", "", "", (Level(final="low"),) * 9, "low")
    with pytest.raises(InputError, match="tall: 9 levels"):
        encode([tall])


@given(st.lists(st.sampled_from(["points", "fifteen", "pair", "reply", "offers_run", "paired"]), unique=True))
def test_weights_land_in_their_columns(names: list[str]) -> None:
    level = Level(weights=tuple((name, f.FEATURES.index(name) + 1) for name in names))
    table = encode([Strategy("x", "", "", "", (level,), "low")])
    assert {f.FEATURES[c]: int(w) for c, w in enumerate(table.weights[0, 0]) if w} == dict(level.weights)


def test_kernels_can_import_the_features_without_any_library() -> None:
    code = "import sys, noddysim.game.features; print(*({'numpy', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""
