"""Strategies as the record that kernels take, with the book where a strategy plays by one: best play, or a function."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from noddysim.engine.games import PegGame
from noddysim.game.strategy_data import Strategy
from noddysim.game.strategy_table import encode
from noddysim.kernels import records as rec

if TYPE_CHECKING:
    from noddysim.engine.solution import Solution


def kept_book(game: PegGame, strategy: Strategy) -> Solution:
    """The book by which a strategy plays: the solution of the play, or a function of the user's asked everywhere.

    The solution is looked up, a function is asked at its first use. Raises InputError where the play has no solution,
    where a function cannot play, and for a function that breaks the rules.
    """
    if strategy.book:
        from noddysim.engine.functions import book_of_function

        return book_of_function(game, strategy.book)
    from noddysim.engine.solution import solution_for

    return solution_for(game)


def minds_of(game: PegGame, strategies: Sequence[Strategy]) -> Any:
    """Strategies as the kernels take them for a game. Raises InputError as ``kept_book`` does."""
    if not any(one.plays_by_book for one in strategies):
        return _without_book(tuple(strategies))
    books = [kept_book(game, one).address if one.plays_by_book else 0 for one in strategies]
    return _with_books(tuple(strategies), tuple(books))


def book_of(game: PegGame, strategy: Strategy) -> dict[str, Any]:
    """What a strategy's play depends on beside its own data: its book, where it plays by one.

    Of a function ``function`` is what it is, None where that cannot be told (``game.userfunctions``).
    """
    if not strategy.plays_by_book:
        return {}
    book = kept_book(game, strategy)
    if not strategy.book:
        return {"solution": book.checksum}
    from noddysim.game.userfunctions import function_named

    found = function_named(strategy.book)
    called = {"called": found.name} if found.identity is None else {}
    return {"function": found.identity, "book": book.checksum, **called}


@functools.lru_cache(maxsize=512)
def _without_book(strategies: tuple[Strategy, ...]) -> Any:
    return rec.strategy_records(encode(strategies))


@functools.lru_cache(maxsize=64)
def _with_books(strategies: tuple[Strategy, ...], addresses: tuple[int, ...]) -> Any:
    return rec.strategy_records(encode(strategies), addresses)
