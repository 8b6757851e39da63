"""Strategies as the arrays of whole numbers that the kernels read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from noddysim.game import features as f
from noddysim.game.cards import pips
from noddysim.game.features import StrategyTable
from noddysim.game.strategy_data import NO_RANKS, USUAL, AwayLevel, Level, Policy, PolicyKind, Strategy, Ties
from noddysim.game.strategy_file import refuse_tall

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def encode(strategies: Sequence[Strategy]) -> StrategyTable:
    """Strategies as the integer arrays that the kernels read; see `StrategyTable` for shapes and codes.

    The weights of ``rank`` and ``pips`` go into the table of ranks. Policies that decide alike are one policy.
    """
    numbers: dict[_PolicyKey, int] = {}
    for strategy in strategies:
        for kind in USUAL:
            policy = strategy.policy(kind)
            refuse_tall(policy.levels, f"{strategy.name}: {kind}")
            numbers.setdefault(_policy_key(policy), len(numbers))
    table = _empty_table(len(strategies), len(numbers))
    for s, strategy in enumerate(strategies):
        refuse_tall(strategy.levels, strategy.name)
        table.levels[s] = len(strategy.levels)
        table.ties[s] = f.TIES.index(strategy.ties)
        for place, level in enumerate(strategy.levels):
            _fill(table, s, place, level)
        table.discard[s] = numbers[_policy_key(strategy.discard)]
        table.mog[s] = numbers[_policy_key(strategy.mog)]
    for (kind, levels, ties), number in numbers.items():
        table.away_levels[number] = len(levels)
        table.away_ties[number] = f.TIES.index(ties)
        for place, away in enumerate(levels):
            _fill_away(table, number, place, away, f.DISCARD_WHEN if kind == "discard" else f.MOG_WHEN)
    return table


_PolicyKey = tuple[PolicyKind, tuple[AwayLevel, ...], Ties]


def _policy_key(policy: Policy) -> _PolicyKey:
    return policy.kind, policy.levels, policy.ties


def _empty_table(size: int, policies: int) -> StrategyTable:
    import numpy as np  # here, so that reading strategies stays quick

    def noughts(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, dtype=np.int64)

    tall = f.MAX_LEVELS
    return StrategyTable(
        weights=noughts(size, tall, len(f.FEATURES)),
        ranks=noughts(size, tall, 13),
        counts=noughts(size, tall, f.MAX_COUNT + 1),
        when=noughts(size, tall),
        final=noughts(size, tall) + f.NO_FINAL,
        levels=noughts(size),
        ties=noughts(size),
        needs=noughts(size, tall),
        spares=noughts(size, tall),
        discard=noughts(size),
        mog=noughts(size),
        away_weights=noughts(policies, tall, len(f.AWAY_FEATURES)),
        away_ranks=noughts(policies, tall, 13),
        away_when=noughts(policies, tall),
        away_final=noughts(policies, tall) + f.NO_FINAL,
        away_levels=noughts(policies),
        away_ties=noughts(policies),
    )


def _fill_away(table: StrategyTable, number: int, place: int, level: AwayLevel, whens: Sequence[str]) -> None:
    """Write one level of a policy into row ``[number, place]`` of the arrays."""
    for name, weight in level.weights:
        table.away_weights[number, place, f.AWAY_FEATURES.index(name)] = weight
    table.away_ranks[number, place] = level.ranks
    table.away_when[number, place] = whens.index(level.when)
    table.away_final[number, place] = f.NO_FINAL if level.final is None else f.TIES.index(level.final)


def _fill(table: StrategyTable, s: int, place: int, level: Level) -> None:
    """Write one level into row ``[s, place]`` of the arrays."""
    weights = dict(level.weights)
    by_rank, by_pips = weights.pop("rank", 0), weights.pop("pips", 0)
    for name, weight in weights.items():
        table.weights[s, place, f.FEATURES.index(name)] = weight
    for rank, weight in enumerate(level.ranks):
        table.ranks[s, place, rank] = weight + by_rank * (rank + 1) + by_pips * pips(rank)
    for count, weight in level.counts:
        table.counts[s, place, count] = weight
    table.when[s, place] = f.WHEN.index(level.when)
    table.final[s, place] = f.NO_FINAL if level.final is None else f.TIES.index(level.final)
    table.needs[s, place] = needs(level)
    table.spares[s, place] = level.spares


def needs(level: Level) -> int:
    """The sum of the ``NEED_…`` marks of a level: which kinds of features it has to compute."""
    names = {name for name, _ in level.weights}
    marks = {
        f.NEED_POINTS: level.spares or names & {"points", *f.PARTS},
        f.NEED_PARTS: names & {*f.PARTS},
        f.NEED_REPLY: names & {*f.REPLIES},
        f.NEED_OFFERS_RUN: names & {"offers_run"},
        f.NEED_PAIRED: names & {"paired"},
        f.NEED_LAST_RESERVE: names & {"last_reserve"},
        f.NEED_RANKS: level.ranks != NO_RANKS or names & {"rank", "pips"},
        f.NEED_COUNTS: level.counts,
    }
    return sum(mark for mark, wanted in marks.items() if wanted)
