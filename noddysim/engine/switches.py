"""One variant and others that differ from it in a rule or two, on the same game numbers: each beside the first only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from noddysim.engine import laying
from noddysim.engine.games import PegGame, peg_game
from noddysim.engine.laying import WHOLE
from noddysim.engine.measures import GameCount
from noddysim.engine.tally import Tally
from noddysim.game.laying_data import Laid, Melder
from noddysim.game.minds import Mind
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import noddy

SWITCHED: Final = ("edge", "deals", "cards")
"""What is looked at in a game: the first dealer's part of it less his fair share, in parts of WHOLE; deals; cards."""
EDGE, DEALS, CARDS = range(len(SWITCHED))


@dataclass(frozen=True)
class SwitchCount:
    """Games of V variants, the first of which is the base, with one strategy in every seat.

    The tally holds ``n`` (1,) games, ``sums`` and ``squares`` (V, 3) in the order of SWITCHED, and ``pair_sums``,
    ``pair_squares`` (V, 3) of each variant less the base, game by game.
    """

    variants: tuple[Variant, ...]
    players: int
    mind: Mind
    seed: int

    @property
    def chunk(self) -> int:
        """Some tenths of a second of work."""
        return 4_096 if isinstance(self.mind, Strategy | Melder) else 128

    def count(self, start: int, stop: int) -> Tally:
        """Play games ``start … stop - 1`` of every variant."""
        rows = np.stack(
            [outcomes(variant, self.players, self.mind, (self.seed, start, stop)) for variant in self.variants]
        )
        less = rows - rows[0]
        return Tally(
            {
                "n": np.array([stop - start]),
                "sums": rows.sum(axis=1),
                "squares": (rows * rows).sum(axis=1),
                "pair_sums": less.sum(axis=1),
                "pair_squares": (less * less).sum(axis=1),
            }
        )


def outcomes(variant: Variant, players: int, mind: Mind, numbers: tuple[int, int, int]) -> np.ndarray:
    """What came of games of a variant, int64 (games, 3), columns SWITCHED; numbers : a seed, ``start``, ``stop``."""
    if isinstance(mind, Strategy):
        game = peg_game(variant, players)
        return _pegged(game, mind, numbers)
    return _laid(variant, players, mind, numbers)


def _pegged(game: PegGame, mind: Strategy, numbers: tuple[int, int, int]) -> np.ndarray:
    seed, start, stop = numbers
    rows = GameCount((game,), mind, seed).records_of(game, start, stop)
    edge = WHOLE * (rows[:, noddy.WINNER] == game.sides - 1) - WHOLE // game.sides
    return np.stack([edge, rows[:, noddy.N_DEALS], rows[:, noddy.CARDS]], axis=1)


def _laid(variant: Variant, players: int, mind: Laid, numbers: tuple[int, int, int]) -> np.ndarray:
    played = laying.play_games(variant, [mind] * players, *numbers)
    column = played.counts.column
    edge = played.shares[:, -1] - WHOLE // players
    return np.stack([edge, column("deals"), column("cards")], axis=1).astype(np.int64)
