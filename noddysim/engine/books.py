"""Books: how a strategy plays everywhere, card by card, as chances. Every kind of strategy becomes one.

A book is flat float64, laid out as ``kernels.lines`` says, for one rank of the starter. Strategies that are data are
asked by the kernels that play them; so the book and the play of sampled deals cannot differ.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from noddysim.engine.games import PegGame
from noddysim.engine.minds import minds_of
from noddysim.engine.rolled import book_size, hands_of, lanes, rolled
from noddysim.game.features import NEED_REPLY
from noddysim.game.strategy_data import Strategy
from noddysim.game.strategy_table import needs
from noddysim.kernels import records as rec


class Player(Protocol):
    """Somebody whose play can be counted."""

    @property
    def name(self) -> str:
        """What he is called."""
        ...

    @property
    def blind(self) -> bool:
        """Whether he never looks at the starter."""
        ...

    def book(self, starter: int) -> np.ndarray:
        """His book for a rank of the starter (0 ace … 12 king), float64; a blind player's is the same for all."""
        ...


class DataPlayer:
    """A strategy that is data, as a player of a game of hands of three."""

    def __init__(self, game: PegGame, strategy: Strategy) -> None:
        self.game = game
        self.strategy = strategy
        self.name = strategy.name
        self.blind = is_blind(strategy)
        self._books: dict[int, np.ndarray] = {}

    def book(self, starter: int) -> np.ndarray:
        """Filled by asking the strategy at every choice; a blind one's book is kept."""
        from noddysim.kernels.unrolled import fill_book

        if self.blind and self._books:
            return self._books[0]
        limit = int(self.game.rules.limit)
        book = np.zeros(book_size(limit), np.float64)
        minds = minds_of(self.game, (self.strategy,))
        fill_book(
            self.game.rules, minds, 0, rec.new_table(), starter, hands_of(3), lanes(), rolled(limit).starts,
            self.strategy.plays_by_book, book,
        )  # fmt: skip
        if self.blind:
            self._books[0] = book
        return book


def is_blind(strategy: Strategy) -> bool:
    """Whether a strategy never looks at the starter: it weighs no reply, and does not play by the solution."""
    return not strategy.plays_by_book and not any(needs(level) & NEED_REPLY for level in strategy.levels)


def has_chance(strategy: Strategy) -> bool:
    """Whether a strategy may leave a card to chance: at random, or by the solution."""
    rules = {strategy.ties, *(level.final for level in strategy.levels)}
    return bool(rules & {"random", "solved"})
