"""The built-in variants as data and as games: each differs from Noddy in what its sources say, and in nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import reference
import table
from bugs_cases import NODDY, rules_with
from click.testing import CliRunner

from noddysim.cli import cli
from noddysim.engine.games import PegGame, peg_game, show_game
from noddysim.game.readings import look_up
from noddysim.game.rules import load_variant, variant_names
from noddysim.kernels.noddy import FIELDS, N_DEALS, PHASE, SOURCES, WINNER

PAIR = ["greedy-random", "lookahead"]


HEELS = {"rank": "J", "to": "dealer", "points": 2}
CRIBBAGE: dict[str, Any] = {
    "hand": 4, "partners": True, "crib": True, "target": 121, "turned": [HEELS],
    "discard": {"two": 2, "three": 1, "four": 1}, "deal_to_crib": {"two": 0, "three": 1, "four": 0},
}  # fmt: skip
COSTLY_PLAY: dict[str, Any] = {
    "piles": "single", "fifteen": "per_card", "twentyfive": "per_card", "thirtyone": "per_card",
    "same_rank": [2, 9, 18],
}  # fmt: skip
COSTLY: dict[str, Any] = {
    "players": [2], "target": 61, "mog": {"exchange": "opponent", "first": "elder", "refusal": 1, "bonus": "giver"},
    "turned": [{"rank": rank, "to": "dealer", "points": 4} for rank in "J2"], "play": COSTLY_PLAY,
    "show": {
        "fifteen": "per_card", "twentyfive": "per_card", "thirtyone": "per_card", "same_rank": [2, 9, 18],
        "run": "off", "hand_flush": "off", "nob": 0, "colours": [2, 3, 4, 5, 6],
        "jacks_deuces": [{"rank": rank, "points": 2, "suited": 4} for rank in "J2"],
    },
}  # fmt: skip
DIFFERENCES: dict[str, dict[str, Any]] = {
    "noddy": {},
    "noddy-15": {"target": 15},
    "noddy-21": {"target": 21},
    "noddy-61": {"target": 61},
    "noddy-no-jack": {"turned": []},
    "noddy-four": {"hand": 4, "show": {"hand_flush": "subset"}},
    "noddy-groves": {
        "hand": 4, "target": 61, "order": ["heels", "show", "play"], "turned": [HEELS],
        "play": {"piles": "single", "fifteen": "per_card", "twentyfive": "per_card", "thirtyone": "per_card",
                 "flush": "length"},
        "show": {"fifteen": "per_card", "hand_flush": "groves"},
    },
    "cribbage-five": {
        "players": [2], "hand": 3, "crib": True, "target": 61, "three_for_last": "first_deal", "turned": [HEELS],
        "discard": {"two": 2, "three": 0, "four": 0}, "play": {"piles": "single"},
    },
    "cribbage": CRIBBAGE,
    "cribbage-61": {**CRIBBAGE, "target": 61},
    "cribbage-alone": {**CRIBBAGE, "partners": False},
    "costly-colours": COSTLY,
    "costly-121": {**COSTLY, "target": 121},
    "costly-1674": {
        **COSTLY, "mog": {**COSTLY["mog"], "bonus": "taker"},
        "play": {**COSTLY_PLAY, "same_rank": [0, 0, 0], "run": "off"},
    },
}  # fmt: skip
"""What each built-in variant changes in Noddy, by the sections of the rule sheet that are its sources."""


def test_every_built_in_variant_stands_in_the_table() -> None:
    assert set(variant_names()) == set(DIFFERENCES)


@pytest.mark.parametrize("name", variant_names())
def test_the_rules_of_a_variant(name: str) -> None:
    variant = load_variant(name)
    rules = variant.rules.model_dump()
    assert rules == rules_with(DIFFERENCES[name])
    # What is not Noddy's is not laid at the door of the page on Noddy.
    for key, source in variant.sources.items():
        if look_up(rules, key) != look_up(NODDY, key):
            assert source.key != "seed-b" or name.startswith("noddy"), key


@pytest.mark.parametrize("name", variant_names())
def test_the_command_shows_every_variant(name: str) -> None:
    result = CliRunner().invoke(cli, ["variants", name])
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"# {load_variant(name).title}\n\nName: {name}\n")
    listed = CliRunner().invoke(cli, ["variants"])
    assert f"{name} " in listed.output


@pytest.mark.parametrize("name", variant_names())
def test_every_variant_is_a_game_for_each_of_its_numbers_of_players(name: str) -> None:
    variant = load_variant(name)
    for players in variant.rules.players:
        partners = players == 4 and variant.rules.partners
        assert show_game(variant, players).sides == (2 if partners else players)


def game(name: str, players: int = 2) -> PegGame:
    return peg_game(load_variant(name), players)


def games(name: str, number: int = 3_000) -> np.ndarray:
    """Records of games on the same cards for every variant."""
    return table.record_games(game(name), PAIR, 1589, 0, number)


def heels(game: PegGame) -> np.ndarray:
    """Points for a turned jack in 13,000 deals, by seat."""
    counts = table.count_deals(game, PAIR, 1, 0, 13_000)[:, SOURCES.index("heels")]
    return (counts * np.arange(counts.shape[1])).sum(axis=1)


def test_noddy() -> None:
    assert load_variant("noddy").rules.model_dump() == NODDY
    assert load_variant("noddy").replace() == load_variant("noddy")


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
