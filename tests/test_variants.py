"""The built-in variants as games: what a variant changes in the rules changes the games, and nothing else does."""

from __future__ import annotations

import numpy as np
import pytest
import reference
import table
from bugs_cases import rules_with

from noddysim.engine.games import PegGame, peg_game, show_game
from noddysim.game.rules import load_variant, variant_names
from noddysim.kernels.noddy import FIELDS, N_DEALS, PHASE, SOURCES, WINNER

PAIR = ["greedy-random", "lookahead"]


@pytest.mark.parametrize("name", variant_names("pegging"))
def test_every_variant_is_a_game_for_each_of_its_numbers_of_players(name: str) -> None:
    variant = load_variant(name)
    for players in variant.rules.players:
        partners = players == 4 and variant.rules.partners
        assert show_game(variant, players).sides == (2 if partners else players)


@pytest.mark.parametrize("name", variant_names("pegging"))
def test_a_summary_says_from_where_values_are_kept_that_the_source_has_not(name: str) -> None:
    variant = load_variant(name)
    kept = {source.note.partition("kept as in ")[2] for source in variant.sources.values()} - {""}
    assert all(f"kept as in {other}" in variant.summary for other in kept)
    assert bool(kept) == (name == "costly-1674")


def game(name: str, players: int = 2) -> PegGame:
    return peg_game(load_variant(name), players)


def games(name: str, number: int = 3_000) -> np.ndarray:
    """Records of games on the same cards for every variant."""
    return table.record_games(game(name), PAIR, 1589, 0, number)


def heels(game: PegGame) -> np.ndarray:
    """Points for a turned jack in 13,000 deals, by seat."""
    counts = table.count_deals(game, PAIR, 1, 0, 13_000)[:, SOURCES.index("heels")]
    return (counts * np.arange(counts.shape[1])).sum(axis=1)


def test_noddy_61() -> None:
    assert load_variant("noddy-61").rules.model_dump() == rules_with({"target": 61})
    short, long = games("noddy"), games("noddy-61")
    # On the same cards the game to 61 takes more deals, every time, and about twice as many on average.
    assert (long[:, N_DEALS] > short[:, N_DEALS]).all()
    assert 1.8 < long[:, N_DEALS].mean() / short[:, N_DEALS].mean() < 2.2
    for number in range(20):
        twin = reference.play_game(1589, number, 2, rules_with({"target": 61}), [table.as_data(one) for one in PAIR])
        assert twin.scores[twin.winner] >= 61
        assert (twin.winner, twin.deals) == (long[number, WINNER], long[number, N_DEALS])
    # Deals without a target are the same in both.
    both = [table.count_deals(game(name), PAIR, 3, 0, 500) for name in ("noddy", "noddy-61")]
    assert np.array_equal(*both)


def test_noddy_no_jack() -> None:
    assert load_variant("noddy-no-jack").rules.model_dump() == rules_with({"turned": []})
    # With the jack the dealer gets a point in one deal of 13: 1,000 of 13,000, with a deviation of 30.
    pone, dealer = heels(game("noddy"))
    assert pone == 0 and abs(dealer - 1_000) < 4 * 30
    assert heels(game("noddy-no-jack")).tolist() == [0, 0]
    # All else is the same, and no game is won by the turned card.
    with_jack, without = (table.count_deals(game(name), PAIR, 1, 0, 2_000) for name in ("noddy", "noddy-no-jack"))
    kinds = [place for place, source in enumerate(SOURCES) if source not in ("heels", "deal")]
    assert np.array_equal(with_jack[:, kinds], without[:, kinds])
    assert (games("noddy")[:, PHASE] == 0).any()
    assert not (games("noddy-no-jack")[:, PHASE] == 0).any()


def test_a_game_may_be_won_in_its_first_deal() -> None:
    rows = table.record_games(table.game_with({"target": 1}, 3), ["low"] * 3, 1, 0, 500)
    assert set(rows[:, N_DEALS]) == {1}
    assert rows.shape == (500, len(FIELDS))
