"""Play by table and deals in blocks: the same cards and the same counts as card by card."""

from __future__ import annotations

import numpy as np
import pytest

from noddysim.engine import batch, exact, measures, tabled
from noddysim.engine.games import PegGame, peg_game
from noddysim.engine.measures import DealCount, DuelCount, GameCount, game_rows
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.kernels.blocks import BLOCK, CARDS, deal_block, deal_keys
from noddysim.kernels.dealing import DEALS, deal_key, shuffled, stream_key
from noddysim.kernels.records import new_table

NEVER = 10**12
REDRAWN = 497_298
NOTHING = {"fifteen": 0, "thirtyone": 0, "same_rank": [0, 0, 0], "run": "off"}
BLIND = ("greedy", "low")
LOOKING = ("lookahead", "greedy-high")
"""The first of them looks at the starter, so that there are thirteen tables."""


def game_of(name: str, **changes: object) -> PegGame:
    variant = load_variant(name)
    return peg_game(variant.replace(**changes) if changes else variant, 2)


GAME = game_of("noddy")


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Nothing is looked up while this is in force; ``undo`` ends it."""
    monkeypatch.setattr(measures, "DEALS_WORTH_IT", NEVER)
    monkeypatch.setattr(measures, "GAMES_WORTH_IT", NEVER)
    return monkeypatch


def test_a_block_holds_the_deals_of_the_plain_kernel() -> None:
    keys, block = np.empty(BLOCK, np.uint64), np.empty((2, CARDS, BLOCK), np.uint8)
    table, expected = new_table(), np.empty(CARDS, np.int64)
    root = np.uint64(stream_key(np.uint64(5), DEALS))
    # Deal 497,298 is the first of this seed whose word is drawn again: its last remainder is below 2^57 mod 52!/45!.
    for first in (*range(1_000, 1_000 + 20 * BLOCK, BLOCK), REDRAWN - BLOCK // 2, REDRAWN):
        deal_keys(root, np.uint64(first), keys)
        deal_block(keys, block, table)
        for column in range(BLOCK):
            key = np.uint64(deal_key(np.uint64(5), np.uint64(first + column)))
            shuffled(key, np.int64(52), np.int64(CARDS), expected)
            assert block[0, :, column].tolist() == expected.tolist()


@pytest.mark.parametrize(("variant", "names"), [("noddy", LOOKING), ("noddy", BLIND), ("noddy-no-jack", BLIND)])
def test_deals_by_table_are_those_played(variant: str, names: tuple[str, str], by_hand: pytest.MonkeyPatch) -> None:
    seats = tuple(map(parse_strategy, names))
    measure = DealCount(game_of(variant), seats, 11)
    played = measure.count(3, 40_000)["by_source"]
    by_hand.setattr(measures, "DEALS_WORTH_IT", 1)
    assert np.array_equal(measure.count(3, 40_000)["by_source"], played)


@pytest.mark.parametrize(
    ("variant", "changes", "names"),
    [
        ("noddy", {}, LOOKING),
        ("noddy", {}, ("save-five", "save-five")),
        ("noddy-no-jack", {}, BLIND),
        ("noddy-61", {}, BLIND),
        ("noddy", {"target": 5}, BLIND),
        ("noddy", {"next_dealer": "right"}, BLIND),
        ("noddy", {"target": 121, "head_start": {"pone": 7}}, BLIND),
        ("noddy", {"order": ["show", "heels", "play"]}, BLIND),
    ],
)
def test_games_by_table_are_those_played(
    variant: str, changes: dict[str, object], names: tuple[str, str], by_hand: pytest.MonkeyPatch
) -> None:
    game, persons = game_of(variant, **changes), tuple(map(parse_strategy, names))
    asked = game, persons, np.array([1, 0]), (7, 50, 50 + 3_001)
    played = game_rows(*asked)
    by_hand.setattr(measures, "GAMES_WORTH_IT", 1)
    assert np.array_equal(game_rows(*asked), played)


def test_a_long_run_is_looked_up_and_a_short_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    found = tabled.plays_of

    def noted(game: PegGame, pone: object, dealer: object) -> object:
        asked.append((pone.name, dealer.name))  # type: ignore[attr-defined]
        return found(game, pone, dealer)  # type: ignore[arg-type]

    monkeypatch.setattr(tabled, "plays_of", noted)
    monkeypatch.setattr(tabled, "_CODES", {})
    low, high = parse_strategy("low"), parse_strategy("high")
    DealCount(GAME, (low, high), 1).count(0, 1_000)
    GameCount((GAME,), low, 1).counted(0, 500)
    assert asked == []
    DealCount(GAME, (low, high), 1).count(0, tabled.DEALS_WORTH_IT)
    GameCount((GAME,), low, 1).counted(0, tabled.GAMES_WORTH_IT)
    assert asked == [("low", "high"), ("low", "low")]


@pytest.mark.parametrize("names", [("random", "low"), ("optimal", "low")])
def test_chance_is_never_looked_up(names: tuple[str, str]) -> None:
    assert not tabled.wants_table(GAME, list(map(parse_strategy, names)), NEVER, 1)


@pytest.mark.parametrize("variant", ["noddy-four", "cribbage", "costly-colours"])
def test_other_games_are_never_looked_up(variant: str) -> None:
    assert not tabled.wants_table(game_of(variant), [parse_strategy("low")] * 2, NEVER, 1)


def test_duplicates_by_table_are_those_played() -> None:
    arms = tuple(map(parse_strategy, ("greedy", "low", "save-five")))
    low, safe = parse_strategy("greedy-high"), parse_strategy("greedy-safe")
    played = DuelCount(GAME, arms, low, safe, 7, scales=((0, 1, 2),))
    ready = played.for_amount(tabled.DUELS_WORTH_IT)
    assert ready.tables is not None and played.for_amount(1000).tables is None
    one, other = ready.count(5, 3_000), played.count(5, 3_000)
    assert one.counts.keys() == other.counts.keys() and len(one.counts) > 12
    for name, counts in other.counts.items():
        assert np.array_equal(one[name], counts) and one[name].dtype == counts.dtype, name
    assert ready.identity() == played.identity()


@pytest.mark.parametrize("names", [("random", "low"), ("lookahead", "low"), ("optimal", "low")])
def test_no_table_of_duplicates_where_chance_plays_or_the_starter_is_looked_at(names: tuple[str, str]) -> None:
    one, other = map(parse_strategy, names)
    assert DuelCount(GAME, (one,), other, other, 7).for_amount(10**9).tables is None
    assert DuelCount(GAME, (other,), other, other, 7, games=True).for_amount(10**9).tables is None


def test_a_game_that_nobody_wins_is_refused_by_table_too(by_hand: pytest.MonkeyPatch) -> None:
    low = parse_strategy("low")
    dull = game_of("noddy", play={**NOTHING, "last": 0}, show={**NOTHING, "nob": 0, "hand_flush": "off"}, turned=[])
    for worth in (NEVER, 1):
        by_hand.setattr(measures, "GAMES_WORTH_IT", worth)
        with pytest.raises(RuntimeError, match="3 games had no winner"):
            game_rows(dull, (low, low), np.array([0, 1]), (1, 0, 3))


@pytest.mark.parametrize("order", [["heels", "play", "show"], ["show", "heels", "play"], ["heels", "show", "play"]])
def test_games_by_table_are_won_as_often_as_counted(order: list[str]) -> None:
    variant = load_variant("noddy").replace(order=order)
    greedy = parse_strategy("greedy")
    games = batch.run(GameCount((peg_game(variant, 2),), greedy, 3), 400_000, workers=1)
    chance = exact.game(variant, greedy, greedy).first_dealer_wins
    error = (chance * (1 - chance) / 400_000) ** 0.5
    assert abs(games["wins"][0, 1] / 400_000 - chance) < 4 * error
