"""Checks that a strategy gains exactly nothing against itself, played for real by the kernels, mixed ones too.

Duels leave out what they need not play, so two things are looked at. Every duplicate of a strategy with itself must be
nought, in each seat, with no card laid otherwise. And whole deals are played out card by card with the strategy and its
twin of another name, once as they sit and once with their seats exchanged: every count must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from noddysim.engine.games import peg_game
from noddysim.engine.laying import LayingDuel
from noddysim.engine.measures import DealCount, DuelCount
from noddysim.game.laying_data import Melder, Setter
from noddysim.game.minds import LAYING, read_mind
from noddysim.game.rules import load_variant
from noddysim.game.strategy_data import Strategy
from noddysim.insight.selfcheck import SEED, Check


@dataclass(frozen=True)
class Table:
    """Where strategies play themselves: duplicates of deals, of games, and deals for the exchange of seats."""

    variant: str
    players: int
    strategies: tuple[str, ...]
    deals: int = 0
    games: int = 0


PLAY: Final = ("random", "greedy-random", "lookahead-random", "low", "careful")
QUICK: Final = (
    Table("noddy", 2, PLAY, 2_000, 200),
    Table("noddy", 3, PLAY, 1_000, 100),
    Table("cribbage", 2, ("random+random", "keep-best-crib+greedy-random"), 400),
)
"""Played in a quick self-check."""
MORE: Final = (
    Table("noddy", 4, PLAY, 1_000, 100),
    Table("noddy-four", 2, PLAY, 1_000, 100),
    Table("cribbage", 2, ("random+random", "keep-best-crib+greedy-random"), 1_000, 50),
    Table("cribbage", 3, ("random+random",), 500),
    Table("cribbage", 4, ("random+random",), 500),
    Table("costly-colours", 2, ("random", "mog-random+greedy-random"), 500, 50),
    Table("innocence", 2, ("random", "most-points"), 0, 500),
    Table("innocence", 4, ("random", "most-points"), 0, 200),
    Table("snitch", 4, ("random-discards", "most-points"), 200, 20),
)
"""Played besides in a full one."""


def nought_checks(full: bool) -> Iterator[Check]:
    """One check a table."""
    for table in (*QUICK, *(MORE if full else ())):
        yield _check(table)


def _check(table: Table) -> Check:
    wrong = trials = 0
    for name in table.strategies:
        found, played = strange(table, name, name)
        wrong += found
        trials += played
    game = f"{table.variant} for {table.players}"
    what = f"{game}, {', '.join(table.strategies)}: duplicates with themselves that are not nought"
    return Check(f"nought-{table.variant}-{table.players}", "nought", what, wrong, 0, 0, trials, share=False)


def strange(table: Table, arm: str, baseline: str) -> tuple[int, int]:
    """How many duplicates of an arm with a baseline are not nought, or change with the seats; and of how many."""
    family = load_variant(table.variant).family.name
    one, other = read_mind(family, arm), read_mind(family, baseline)
    if family in LAYING:
        assert isinstance(one, Melder | Setter) and isinstance(other, Melder | Setter)
        return _laid(table, one, other)
    assert isinstance(one, Strategy) and isinstance(other, Strategy)
    return _pegged(table, one, other)


def _pegged(table: Table, arm: Strategy, baseline: Strategy) -> tuple[int, int]:
    game = peg_game(load_variant(table.variant), table.players)
    wrong = 0
    for amount, games in ((table.deals, False), (table.games, True)):
        if amount:
            rows = DuelCount(game, (arm,), baseline, baseline, SEED, games).rows(0, amount)
            wrong += int(rows.any(axis=(0, 2)).sum())
    if table.deals:
        wrong += _exchanged(table, [replace(arm, name="itself"), *[baseline] * (table.players - 1)])
    return wrong, 2 * table.deals + table.games


def _exchanged(table: Table, seats: Sequence[Strategy]) -> int:
    """No more deals than those whose points by seat and source change with the order of the players."""
    game = peg_game(load_variant(table.variant), table.players)
    counts = [
        DealCount(game, (*seats[turn:], *seats[:turn]), SEED).count(0, table.deals)["by_source"]
        for turn in range(table.players)
    ]
    # Each deal that comes out otherwise moves one count down and another up.
    return max(int(np.abs(one - counts[0]).sum(axis=2).max()) // 2 for one in counts)


def _laid(table: Table, arm: Melder | Setter, baseline: Melder | Setter) -> tuple[int, int]:
    variant = load_variant(table.variant)
    wrong = 0
    for amount, games in ((table.deals, False), (table.games, True)):
        if amount:
            twin = replace(arm, name="itself")
            duel = LayingDuel(variant, table.players, (twin,), baseline, baseline, SEED, games)
            values, other = duel.values(0, amount)
            wrong += int((values.any(axis=(0, 2)) | other.any(axis=(0, 2))).sum())
    return wrong, table.deals + table.games
