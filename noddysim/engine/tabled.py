"""Tables of duplicates: where two hands of three decide a duplicate, it is looked up instead of played.

That is so for two players, where ranks alone count in the play, no strategy leaves anything to chance, and none looks
at the starter. A table costs as much as playing some hundred thousand duplicates, so it is made for long runs only.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from noddysim.engine.books import has_chance, is_blind
from noddysim.engine.games import PegGame
from noddysim.engine.minds import minds_of
from noddysim.engine.rolled import RANK_COUNT, hands_of, in_threads
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import records as rec

WORTH_IT: Final = 400_000
"""Duplicates from which on a table pays."""


@dataclass(frozen=True)
class DuelTables:
    """Duplicates by the hands of pone and dealer: int16 and uint8 (K, 2, 455, 455), as of ``kernels.tabled``."""

    values: np.ndarray
    changed: np.ndarray

    def rows(self, game: PegGame, table: object, seed: int, start: int, stop: int) -> np.ndarray:
        """The rows of ``kernels.duels.duel_deals`` (K, stop - start, 4), looked up."""
        from noddysim.kernels.tabled import look_up_duels

        rows = np.empty((len(self.values), stop - start, 4), np.int64)
        look_up_duels(
            game.rules, table, number_of(), np.uint64(seed), start, stop, self.values, self.changed, rows
        )  # fmt: skip
        return rows


def applies(game: PegGame, strategies: Sequence[Strategy]) -> bool:
    """Whether two hands decide what all these strategies make of a deal."""
    rules = game.rules
    plain = game.players == 2 and rules.hand == 3 and not (rules.discard or rules.mog or rules.flushes)
    return bool(plain) and all(is_blind(one) and not has_chance(one) for one in strategies)


def duel_tables(game: PegGame, arms: Sequence[Strategy], baseline: Strategy, opponent: Strategy) -> DuelTables:
    """The tables of some arms beside a baseline against an opponent."""
    from noddysim.kernels.tabled import fill_duel

    minds = minds_of(game, (opponent, baseline, *arms))
    hands = hands_of(3)
    values = np.zeros((len(arms), 2, len(hands), len(hands)), np.int16)
    changed = np.zeros(values.shape, np.uint8)

    def fill(number: int) -> None:
        arm, side = divmod(number, 2)
        fill_duel(game.rules, minds, rec.new_table(), hands, side, 2 + arm, values[arm, side], changed[arm, side])

    in_threads(fill, range(2 * len(arms)))
    return DuelTables(values, changed)


@functools.cache
def number_of() -> np.ndarray:
    """The number of a hand by its three ranks, lowest first: int64 (13, 13, 13), -1 elsewhere."""
    numbers = np.full((RANK_COUNT,) * 3, -1, np.int64)
    for number, ranks in enumerate(hands_of(3).tolist()):
        numbers[tuple(ranks)] = number
    return numbers
