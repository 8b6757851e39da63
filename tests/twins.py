"""The kernels held against the twin on batches of deals with all kinds of rules and strategies.

test_twin.py does it on a few thousand deals, tests/verification/ on a few hundred thousand.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import reference
import table
from bugs_cases import NONE, Differences
from twin_work import EVENT_KINDS, Batch, TwinDeal

from noddysim.game.features import FEATURES
from noddysim.game.strategies import builtin_strategies, builtin_tips
from noddysim.kernels.noddy import SOURCES
from noddysim.kernels.records import PLAY_KINDS

# ---------------------------------------------------------------------------------------------------------------------
# Rules and strategies


NAMED_RULES: list[Differences] = [
    {"play": {"piles": "single"}},
    {"play": {"piles": "single_first_stuck"}},
    {"play": {"next_lead": "first_go"}},
    {"play": {"combo_scope": "deal"}},
    {"play": {"go_breaks": True}},
    {"play": {"combo_scope": "deal", "go_breaks": True, "next_lead": "first_go"}},
    {"play": {"thirtyone_extra": 1, "final_card_point": False}},
    {"play": {"fifteen": "per_card", "twentyfive": "per_card", "thirtyone": "per_card"}},
    {"play": {"run": [2, 4, 5]}, "show": {"run": [2, 4, 5], "run_multiplicity": "once", "fifteen": "per_card"}},
    {"play": {"limit": 21, "same_rank": [1, 0, 7]}, "show": {"twentyfive": 3, "thirtyone": "per_card"}},
    {"hand": 4, "show": {"hand_flush": "subset"}},
    {"hand": 4, "show": {"hand_flush": "groves"}, "play": {"piles": "single"}},
    {"hand": 2, "turned": [{"rank": "J", "to": "opponents", "points": 2}, {"rank": "2", "to": "eldest", "points": 4}]},
]


def random_rules(chance: random.Random) -> Differences:
    """Rules nobody plays by, for what the named ones leave out."""

    def points() -> int:
        return chance.choice([0, 1, 2, 3, 31])

    def total() -> int | str:
        return chance.choice([points(), "per_card"])

    def scale() -> str | list[int]:
        return chance.choice(["length", [points() for _ in range(chance.randint(1, 6))]])

    play = {
        "limit": chance.choice([15, 25, 31, 37, 60]),
        "piles": chance.choice(["multi", "multi", "single", "single_first_stuck"]),
        "fifteen": total(), "twentyfive": total(), "thirtyone": total(), "thirtyone_extra": points(),
        "same_rank": [points() for _ in range(3)], "run": scale(), "last": points(),
        "final_card_point": chance.random() < 0.5, "next_lead": chance.choice(["left_of_last", "first_go"]),
        "combo_scope": chance.choice(["pile", "deal"]), "go_breaks": chance.random() < 0.5,
    }  # fmt: skip
    show = {
        "fifteen": total(), "twentyfive": total(), "thirtyone": total(), "same_rank": [points() for _ in range(3)],
        "run": scale(), "run_multiplicity": chance.choice(["each", "once"]), "flush": scale(), "nob": points(),
        "hand_flush": chance.choice(["whole", "subset", "groves", "off"]),
    }  # fmt: skip
    turned = [{"rank": "J", "to": chance.choice(["dealer", "eldest", "opponents"]), "points": points()}]
    return {"hand": chance.choice([1, 2, 3, 3, 3]), "play": play, "show": show, "turned": turned}


def rule_sets() -> list[Differences]:
    """The named rules and as many at random."""
    chance = random.Random(1674)
    return [*NAMED_RULES, *(random_rules(chance) for _ in range(len(NAMED_RULES)))]


def random_strategy(chance: random.Random) -> dict[str, Any]:
    """Weights nobody would choose on features of every kind, as plain data."""

    def weight() -> str:
        return chance.choice(["-2", "-1", "-0.5", "-0.041667", "0.000001", "0.3", "1", "2.5"])

    def level() -> dict[str, Any]:
        return {
            "when": chance.choice(["any", "any", "lead", "follow"]),
            "weights": {name: weight() for name in chance.sample(FEATURES, chance.choice([0, 1, 1, 2, 3]))},
            "ranks": {letter: weight() for letter in chance.sample(reference.RANK_LETTERS, chance.choice([0, 0, 3]))},
            "counts": {count: weight() for count in chance.sample(range(1, 31), chance.choice([0, 0, 9]))},
            "final": chance.choice([None, None, None, "low", "high", "random"]),
            "spares": chance.random() < 0.4,
        }

    return {
        "levels": [level() for _ in range(chance.choice([1, 2, 3]))],
        "ties": chance.choice(["low", "high", "random"]),
    }


def strategies() -> list[dict[str, Any]]:
    """All built-in strategies, all tips on two baselines, some limited to leads or the rest, and some at random."""
    chance = random.Random(1589)
    names = [*builtin_strategies()]
    names += [f"{tip}@{base}" for tip in builtin_tips() for base in ("greedy-random", "high")]
    names += ["high:lead@greedy", "greedy-random:follow@high", "lead-rank-5@random", "lead-low@save-fives@greedy-high"]
    return [*map(table.as_data, names), *(random_strategy(chance) for _ in range(20))]


def batches(players: int, numbers: int, seed: int, sizes: tuple[int, int], seats: int | None = None) -> list[Batch]:
    """Batches of ``numbers`` deals in all, each second batch by Noddy's own rules; every strategy sits in every seat.

    ``sizes`` of a batch without and with a strategy that looks at replies, for which the twin takes ten times as long;
    ``seats`` strategies in each batch, if it is not one a player.
    """
    chance = random.Random(seed)
    sets = itertools.cycle(rule_sets())
    columns = [_in_turn(chance) for _ in range(seats or players)]
    found: list[Batch] = []
    start = 0
    while start < numbers:
        minds = [next(column) for column in columns]
        stop = min(start + sizes[any(map(_is_slow, minds))], numbers)
        found.append(Batch(next(sets) if len(found) % 2 else NONE, players, minds, seed, start, stop))
        start = stop
    return found


def _is_slow(mind: dict[str, Any]) -> bool:
    return any(name.startswith("reply") for level in mind["levels"] for name in level["weights"])


def _in_turn(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Strategies without end, each as often as any other, in an order of their own."""
    pool = strategies()
    while True:
        yield from chance.sample(pool, len(pool))


# ---------------------------------------------------------------------------------------------------------------------
# Comparisons


def games_of(batch: Batch) -> Any:
    """What the kernels take of the rules of a batch."""
    return table.game_with(batch.rules, batch.players)


def compare_deals(batch: Batch, twin: Sequence[TwinDeal]) -> None:
    """Every card, every point by kind, every score of a batch; and the counts of the chunk kernel over it."""
    assert PLAY_KINDS == EVENT_KINDS
    game = games_of(batch)
    minds = [table.strategy_of(one) for one in batch.strategies]
    counts = np.zeros((batch.players, len(SOURCES), table.WIDTH), np.int64)
    for number, expected in zip(range(batch.start, batch.stop), twin, strict=True):
        key = reference.deal_key(batch.seed, number)
        starter, hands = table.dealt(game, key)
        found = table.by_strategies(game, hands, starter, minds, key)
        laid = [(one.seat, one.card, one.count, tuple(one.points.values())) for one in found.laid]
        assert laid == expected.laid, (batch, number)
        points = [
            [found.heels[seat], *found.gains[seat].values(), *found.shows[seat].values()]
            for seat in range(batch.players)
        ]
        assert points == expected.points, (batch, number)
        assert found.scores == expected.scores, (batch, number)
        for seat, by_source in enumerate(expected.points):
            play, show = sum(by_source[1:7]), sum(by_source[7:])
            for source, value in enumerate([*by_source, play, show, sum(by_source)]):
                counts[seat, source, value] += 1
    assert np.array_equal(table.count_deals(game, minds, batch.seed, batch.start, batch.stop), counts), batch


def compare_duplicates(batch: Batch, twin: Sequence[tuple[list[int], int]]) -> None:
    """Value by seat and cards changed of every duplicate of a batch."""
    minds = [table.strategy_of(one) for one in batch.strategies]
    rows = table.duel_deals(games_of(batch), *minds, batch.seed, batch.start, batch.stop)
    n = batch.players
    found = [(row[:n].tolist(), int(row[n:].sum())) for row in rows]
    assert found == list(twin), batch


def compare_game_duplicates(batch: Batch, twin: Sequence[list[int]]) -> None:
    """Who won in each seat, arm and baseline, in every duplicate of a batch."""
    minds = [table.strategy_of(one) for one in batch.strategies]
    rows = table.duel_games(games_of(batch), *minds, batch.seed, batch.start, batch.stop)
    assert rows[:, : batch.players].tolist() == list(twin), batch


def in_step(batches: Sequence[Batch], pool: Any, work: Any) -> Iterator[tuple[Batch, Any]]:
    """Each batch with what the twin found, the twin running ahead in the processes of the pool."""
    yield from zip(batches, pool.imap(work, batches), strict=True)
