"""Exact points of the play of two where chance plays, for hands of any size: every branch of every two hands, weighed.

For strategies that do not look at the starter. Hands of three to a usual limit are counted line by line instead
(``counting``), which serves best play, functions and strategies that look at the starter too.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from noddysim.engine.books import is_blind
from noddysim.engine.counting import PlayPoints
from noddysim.engine.games import PegGame
from noddysim.engine.minds import minds_of
from noddysim.engine.rolled import LEAST_LIMIT, RANK_COUNT, SUITS, deals_of, hands_of, in_threads
from noddysim.game.errors import InputError
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import records as rec

LINED: Final = 3
"""Cards of the hands that are counted line by line."""
PARTS: Final = 52
"""Parts that the work is cut into; always as many, so that sums come out the same on every machine."""


def needs_branches(game: PegGame) -> bool:
    """Whether the hands of a game cannot be counted line by line."""
    return int(game.rules.hand) != LINED or int(game.rules.limit) < LEAST_LIMIT


def branching(game: PegGame, one: object) -> Strategy:
    """A strategy that can be followed branch by branch.

    Raises InputError for others: functions, those that play by a book, and those that look at the starter.
    """
    where = f"hands of {int(game.rules.hand)} and a play to {int(game.rules.limit)}"
    if not isinstance(one, Strategy) or one.plays_by_book:
        name = getattr(one, "name", getattr(one, "__name__", "it"))
        raise InputError(f"{name}: best play and functions are counted for hands of three; here are {where}")
    if not is_blind(one):
        raise InputError(f"{one.name} looks at the starter: with chance in the play, {where} need two that do not")
    return one


def count_branches(game: PegGame, pone: Strategy, dealer: Strategy) -> PlayPoints:
    """Mean points of both seats over all deals; both strategies as ``branching`` lets them be."""
    size = int(game.rules.hand)
    ways = np.sum([deals_of(size, starter) for starter in range(RANK_COUNT)], axis=0)
    return count_weighed(game, pone, dealer, SUITS * ways)


def count_weighed(game: PegGame, pone: Strategy, dealer: Strategy, ways: np.ndarray) -> PlayPoints:
    """As ``count_branches``, two hands coming up in ``ways`` ways: int64 (H, H), by the numbers of ``hands_of``."""
    from noddysim.kernels.branches import COLUMNS, STATES, Waiting, add_expected

    hands = hands_of(int(game.rules.hand))
    minds, who = minds_of(game, (pone, dealer)), np.arange(2)
    bounds = np.linspace(0, len(hands), PARTS + 1).astype(np.int64)

    def count(part: int) -> np.ndarray:
        waiting = Waiting(np.zeros((STATES, COLUMNS), np.int64), np.zeros(STATES), np.zeros(RANK_COUNT))
        sums = np.zeros(2, np.float64)
        # The starter is not looked at, so it is any: an ace stands for it.
        add_expected(
            game.rules, minds, who, rec.new_table(), waiting, 0, hands, ways, bounds[part], bounds[part + 1], sums
        )  # fmt: skip
        return sums

    totals = np.sum(in_threads(count, range(PARTS)), axis=0)
    deals = int(ways.sum())
    return PlayPoints(deals, float(totals[0]) / deals, float(totals[1]) / deals)
