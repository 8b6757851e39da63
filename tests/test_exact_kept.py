"""What is kept of a counted game: deals between strategies that are data, never those of a function."""

from __future__ import annotations

import numpy as np
import pytest

from noddysim.engine import exactgame
from noddysim.engine.books import Player
from noddysim.engine.exactplay import player_of
from noddysim.engine.games import PegGame
from noddysim.engine.rolled import three_each
from noddysim.game.rules import load_variant


def lowest(seat: int, hand: np.ndarray, laid: np.ndarray, count: int) -> int:
    """A function that plays; tomorrow it may play otherwise."""
    return int(hand[0])


def test_deals_between_two_strategies_are_counted_once_and_those_of_a_function_every_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: list[tuple[str, str, int]] = []

    def ends(game: PegGame, pone: Player, dealer: Player, target: int) -> tuple[np.ndarray, np.ndarray]:
        counted.append((pone.name, dealer.name, target))
        return np.zeros((2, target + 1, target + 1)), np.zeros((4, 4))

    monkeypatch.setattr(exactgame, "ends_of_deals", ends)
    monkeypatch.setattr(exactgame, "_ENDS", {})
    game = three_each(load_variant("noddy"))
    for _ in range(2):
        low, high, best, mine = (player_of(game, one) for one in ("low", "high", "optimal", lowest))
        asked = [(low, high, 31), (high, low, 31), (low, high, 61), (low, best, 31), (low, mine, 31)]
        for pone, dealer, target in asked:
            exactgame.kept_ends(game, pone, dealer, target)
    assert len(counted) == 6 and counted.count(("low", "lowest", 31)) == 2


def test_the_oldest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exactgame, "ends_of_deals", lambda *asked: (np.zeros(1), np.zeros(1)))
    monkeypatch.setattr(exactgame, "_ENDS", {})
    game = three_each(load_variant("noddy"))
    low = player_of(game, "low")
    for target in range(1, exactgame.MOST_ENDS + 3):
        exactgame.kept_ends(game, low, low, target)
    assert [key[-1] for key in exactgame._ENDS] == list(range(3, exactgame.MOST_ENDS + 3))
