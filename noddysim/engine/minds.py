"""Strategies as the record that kernels take, with the solution of the play where a strategy plays by it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from noddysim.engine.games import PegGame
from noddysim.game.strategy_data import Strategy
from noddysim.game.strategy_table import encode
from noddysim.kernels import records as rec


def plays_by_book(strategy: Strategy) -> bool:
    """Whether a strategy parts some cards as best play does, by the solution of the play."""
    return "solved" in {strategy.ties, *(level.final for level in strategy.levels)}


def minds_of(game: PegGame, strategies: Sequence[Strategy]) -> Any:
    """Strategies as the kernels take them for a game.

    The solution of its play is looked up, or worked out at its first use, where a strategy plays by it; raises
    InputError where the play has no solution.
    """
    if not any(map(plays_by_book, strategies)):
        return _without_book(tuple(strategies))
    from noddysim.engine.solution import solution_for

    return _with_book(tuple(strategies), solution_for(game).address)


def book_of(game: PegGame, strategy: Strategy) -> dict[str, str]:
    """What a strategy's play depends on beside its own data: the solution, where it plays by it."""
    if not plays_by_book(strategy):
        return {}
    from noddysim.engine.solution import solution_for

    return {"solution": solution_for(game).checksum}


@functools.lru_cache(maxsize=512)
def _without_book(strategies: tuple[Strategy, ...]) -> Any:
    return rec.strategy_records(encode(strategies))


@functools.lru_cache(maxsize=64)
def _with_book(strategies: tuple[Strategy, ...], address: int) -> Any:
    return rec.strategy_records(encode(strategies), address)
