"""Tallies add; chunks, workers and order change nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noddysim.engine import batch
from noddysim.engine.games import peg_game
from noddysim.engine.measures import DealCount, DuelCount, GameCount, LeadCount, content_id
from noddysim.engine.tally import Tally
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant

NODDY = load_variant("noddy")
arrays = st.lists(st.integers(-(2**40), 2**40), min_size=3, max_size=3).map(lambda xs: Tally({"x": np.array(xs)}))


def measures(players: int, seed: int = 5) -> list[batch.Measure]:
    """One of each kind."""
    game = peg_game(NODDY, players)
    tip, base, other = (parse_strategy(name) for name in ("lead-low@greedy-random", "greedy-random", "lookahead"))
    seats = (other, *[base] * (players - 1))
    return [
        DealCount(game, seats, seed),
        LeadCount(game, seats, seed),
        DuelCount(game, (tip, other), base, other, seed),
        DuelCount(game, (tip, other), base, other, seed, games=True),
        GameCount((game, peg_game(NODDY.replace(turned_jack="off"), players)), base, seed),
    ]


@given(arrays, arrays, arrays)
def test_tallies_add_like_numbers(a: Tally, b: Tally, c: Tally) -> None:
    zero = Tally()
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + zero == a == zero + a


def test_a_sum_is_exact_only_if_every_part_is() -> None:
    counted = Tally({"x": np.array([1])}, exact=True)
    assert (counted + counted).exact
    assert not (counted + Tally({"x": np.array([1])})).exact


def test_a_tally_refuses_floats_and_other_shapes() -> None:
    with pytest.raises(TypeError, match="integers"):
        Tally({"x": np.array([0.5])})
    with pytest.raises(ValueError, match="different kinds"):
        Tally({"x": np.array([1])}) + Tally({"y": np.array([1])})
    with pytest.raises(ValueError, match="shape"):
        Tally({"x": np.array([1])}) + Tally({"x": np.array([1, 2])})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_same_counts_for_any_workers_and_chunks(players: int) -> None:
    for measure in measures(players):
        whole = batch.run(measure, 300, workers=1, chunk=300)
        for workers, chunk in [(1, 7), (2, 64), (2, 299), (7, 13)]:
            assert batch.run(measure, 300, workers=workers, chunk=chunk) == whole
        parts = batch.run(measure, 100, workers=1) + batch.run(measure, 300, start=100, workers=2, chunk=50)
        assert parts == whole


def test_another_seed_gives_other_counts_and_the_same_seed_the_same() -> None:
    for measure, again, other in zip(measures(2), measures(2), measures(2, seed=6), strict=True):
        counts = batch.run(measure, 500)
        assert counts == batch.run(again, 500)
        assert counts != batch.run(other, 500)


def test_progress_rises_to_exactly_the_total() -> None:
    done: list[int] = []
    batch.run(measures(2)[0], 1_000, workers=3, chunk=130, progress=done.append)
    assert sum(done) == 1_000
    assert len(done) == 8


def test_an_error_in_a_chunk_is_passed_on() -> None:
    class Broken:
        chunk = 10

        def count(self, start: int, stop: int) -> Tally:
            if start >= 30:
                raise ArithmeticError("chunk 30")
            return Tally({"x": np.array([stop - start])})

    with pytest.raises(ArithmeticError, match="chunk 30"):
        batch.run(Broken(), 100, workers=2)


def test_an_interrupt_is_passed_on() -> None:
    class Interrupted:
        chunk = 10

        def count(self, start: int, stop: int) -> Tally:
            raise KeyboardInterrupt

    for workers in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            batch.run(Interrupted(), 100, workers=workers)


def test_points_too_large_for_the_counts_are_refused_not_lost() -> None:
    game = peg_game(NODDY, 2)
    measure = DealCount(game, (parse_strategy("greedy"),) * 2, 1)
    from noddysim.kernels import noddy

    narrow = np.zeros((2, len(noddy.SOURCES), 4), np.int64)
    lost = np.zeros(1, np.int64)
    from noddysim.engine.measures import scratch
    from noddysim.engine.minds import minds_of

    noddy.count_deals(
        game.rules,
        game.shows,
        minds_of(game, measure.seats),
        np.arange(2),
        scratch(),
        2,
        np.uint64(1),
        0,
        200,
        narrow,
        lost,
    )
    assert lost[0] > 0
    assert narrow.sum() + lost[0] == 200 * 2 * len(noddy.SOURCES)


def test_a_game_nobody_can_win_is_refused() -> None:
    nothing = {
        "fifteen": 0,
        "thirtyone": 0,
        "same_rank": [0, 0, 0],
        "run": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        "last": 0,
    }
    shows = {"fifteen": 0, "same_rank": [0, 0, 0], "run": [0, 0], "flush": [0, 0], "nob": 0}
    dull = NODDY.replace(play=nothing, show=shows, turned_jack="off")
    measure = GameCount((peg_game(dull, 2),), parse_strategy("low"), 1)
    with pytest.raises(RuntimeError, match="no winner"):
        batch.run(measure, 1)


def test_a_run_is_named_by_what_changes_its_counts() -> None:
    game = peg_game(NODDY, 2)
    greedy, low = parse_strategy("greedy"), parse_strategy("low")
    one = DuelCount(game, (greedy,), low, low, 1)
    name, text = content_id(one.identity())
    assert content_id(DuelCount(game, (greedy,), low, low, 1, chunk=99).identity())[0] == name
    assert content_id(DuelCount(game, (greedy,), low, low, 2).identity())[0] != name
    assert content_id(DuelCount(game, (low,), greedy, greedy, 1).identity())[0] != name
    assert content_id(DuelCount(peg_game(NODDY, 3), (greedy,), low, low, 1).identity())[0] != name
    assert '"seed":1' in text
    assert '"behaviour":' in text
