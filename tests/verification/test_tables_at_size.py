"""Deals, duplicates and games by table, at size and under every reading: the counts are those of card by card."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from noddysim.engine import measures, tabled
from noddysim.engine.games import peg_game
from noddysim.engine.measures import DealCount, DuelCount, GameCount
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import Variant, load_variant

DEALS, GAMES, DUELS = 50_000, 10_000, 10_000
NEVER = 10**12


def readings() -> Iterator[tuple[str, Variant]]:
    """Noddy with each of its readings switched, those that other games are about left out."""
    noddy = load_variant("noddy")
    yield "noddy", noddy
    for reading in noddy.family.readings:
        for choice in reading.choices if reading.built else ():
            if choice.value != noddy.readings_in_force[reading.option]:
                try:
                    yield f"{reading.option}={choice.value}", noddy.replace(**{reading.option: choice.value})
                except InputError:  # an answer that only another game can have
                    continue


EVERY = dict(readings())


@pytest.mark.parametrize("name", list(EVERY))
def test_every_reading_counts_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = peg_game(EVERY[name], 2)
    greedy, low = parse_strategy("greedy"), parse_strategy("low")
    if not tabled.wants_table(game, (greedy, low), DEALS, 1):
        pytest.skip("is not looked up")
    deals, games = DealCount(game, (greedy, low), 5), GameCount((game,), greedy, 5)
    duels = DuelCount(game, (low, parse_strategy("save-five")), greedy, greedy, 5)
    looked_up = [deals.count(7, DEALS), games.count(7, GAMES), duels.for_amount(NEVER).count(7, DUELS)]
    monkeypatch.setattr(measures, "DEALS_WORTH_IT", NEVER)
    monkeypatch.setattr(measures, "GAMES_WORTH_IT", NEVER)
    played = [deals.count(7, DEALS), games.count(7, GAMES), duels.count(7, DUELS)]
    for one, other in zip(looked_up, played, strict=True):
        assert one.counts.keys() == other.counts.keys()
        assert all(np.array_equal(one[what], counts) for what, counts in other.counts.items())


def test_most_readings_are_looked_up() -> None:
    blind = [parse_strategy("greedy")] * 2
    known = [name for name, variant in EVERY.items() if tabled.wants_table(peg_game(variant, 2), blind, DEALS, 1)]
    assert len(known) >= 15 and "noddy" in known


@pytest.mark.parametrize("names", [("greedy", "high"), ("lookahead", "low"), ("careful", "greedy-high")])
def test_half_a_million_deals_and_sixty_thousand_games(names: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    game, seats = peg_game(load_variant("noddy"), 2), tuple(map(parse_strategy, names))
    deals, who, numbers = DealCount(game, seats, 3), np.array([0, 1]), (3, 0, 60_000)
    counts, rows = deals.count(0, 500_000), measures.game_rows(game, seats, who, numbers)
    monkeypatch.setattr(measures, "DEALS_WORTH_IT", NEVER)
    monkeypatch.setattr(measures, "GAMES_WORTH_IT", NEVER)
    assert np.array_equal(counts["by_source"], deals.count(0, 500_000)["by_source"])
    assert np.array_equal(rows, measures.game_rows(game, seats, who, numbers))
