"""The kernels held against the twin on batches of deals with all kinds of rules and strategies.

test_twin.py does it on a few thousand deals, tests/verification/ on a few hundred thousand.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import reference
import table
from bugs_cases import NONE, Differences
from reference import SOURCES as SOURCES_OF_TWIN
from twin_work import EVENT_KINDS, Batch, TwinDeal

from noddysim.engine.games import show_game, with_crib_worth
from noddysim.game.features import DISCARD_FEATURES, DISCARD_WHEN, FEATURES, MOG_FEATURES, MOG_WHEN
from noddysim.game.rules import load_variant
from noddysim.game.strategies import builtin_strategies, builtin_tips
from noddysim.kernels.noddy import SOURCES
from noddysim.kernels.records import PLAY_KINDS


def at_size(usual: int, full: int) -> int:
    """How much the verification compares: ``full`` where NODDYSIM_VERIFY=full is set in the environment."""
    return full if os.environ.get("NODDYSIM_VERIFY") == "full" else usual


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
    {"play": {"flush": "length", "combo_scope": "deal"}, "show": {"run": "off"}},
    {"hand": 2, "turned": [{"rank": "J", "to": "opponents", "points": 2}, {"rank": "2", "to": "eldest", "points": 4}]},
]


def random_rules(chance: random.Random) -> Differences:
    """Rules nobody plays by, for what the named ones leave out."""

    def points() -> int:
        return chance.choice([0, 1, 2, 3, 31])

    def total() -> int | str:
        return chance.choice([points(), "per_card"])

    def scale() -> str | list[int]:
        return chance.choice(["length", "off", [chance.choice([0, 1, 2, 3, 20]) for _ in range(chance.randint(1, 6))]])

    play = {
        "limit": chance.choice([15, 25, 31, 37, 60]),
        "piles": chance.choice(["multi", "multi", "single", "single_first_stuck"]),
        "fifteen": total(), "twentyfive": total(), "thirtyone": total(), "thirtyone_extra": points(),
        "same_rank": [points() for _ in range(3)], "run": scale(), "last": points(),
        "final_card_point": chance.random() < 0.5, "next_lead": chance.choice(["left_of_last", "first_go"]),
        "combo_scope": chance.choice(["pile", "deal"]), "go_breaks": chance.random() < 0.5,
        "flush": chance.choice(["off", scale()]),
    }  # fmt: skip
    show = {
        "fifteen": total(), "twentyfive": total(), "thirtyone": total(), "same_rank": [points() for _ in range(3)],
        "run": scale(), "run_multiplicity": chance.choice(["each", "once"]), "flush": scale(), "nob": points(),
        "hand_flush": chance.choice(["whole", "subset", "groves", "off"]),
        "jacks_deuces": chance.choice([[], [{"rank": "J", "points": points(), "suited": points()}]]),
    }  # fmt: skip
    turned = [{"rank": "J", "to": chance.choice(["dealer", "eldest", "opponents"]), "points": points()}]
    return {"hand": chance.choice([1, 2, 3, 3, 3]), "play": play, "show": show, "turned": turned}


def rule_sets() -> list[Differences]:
    """The named rules and as many at random."""
    chance = random.Random(1674)
    return [*NAMED_RULES, *(random_rules(chance) for _ in range(len(NAMED_RULES)))]


def cribs_at_random(chance: random.Random) -> dict[str, list[list[int]]]:
    """A table of mean cribs that nobody would believe, so that a wrong cell shows."""
    return {whose: [[chance.randint(2000, 9000) for _ in range(13)] for _ in range(13)] for whose in ("own", "theirs")}


FAMILY: list[tuple[str, int]] = [
    ("noddy-four", 2), ("noddy-four", 4), ("noddy-groves", 2), ("noddy-groves", 3), ("cribbage-five", 2),
    ("cribbage", 2), ("cribbage", 3), ("cribbage", 4), ("cribbage-alone", 4), ("costly-colours", 2), ("costly-1674", 2),
]  # fmt: skip
"""Built-in variants besides Noddy with a number of players."""

ODD_FAMILY: list[tuple[str, int, Differences]] = [
    ("cribbage", 2, {"three_for_last": "every_deal", "order": ["show", "heels", "play"], "skunk": "double_skunk"}),
    ("cribbage", 2, {"play": {"flush": "length", "go_breaks": True}, "show": {"crib_flush": "four_or_five"}}),
    (
        "cribbage",
        4,
        {"crib": False, "deal_to_crib": 0, "play": {"flush": [1, 2], "combo_scope": "deal"}, "next_dealer": "lowest"},
    ),
    ("cribbage-five", 2, {"three_for_last": "every_deal", "show": {"crib_flush": "off", "hand_flush": "off"}}),
    ("costly-colours", 2, {"mog": {"first": "dealer", "bonus": "both", "refusal": 3}, "play": {"piles": "multi"}}),
    ("costly-colours", 2, {"order": ["show", "play", "heels"], "hand": 3, "show": {"nob": 2, "run": "length"}}),
    ("noddy", 4, {"partners": True, "target": 61}),
]
"""Variants with readings of which nobody asks all at once."""


def family_rules(name: str, players: int, changes: Differences, chance: random.Random) -> Differences:
    """The rules of a variant with some changes as what differs from Noddy, which is everything."""
    rules = load_variant(name).replace(**changes).rules.model_dump()
    rules.update(players=[players], partners=rules["partners"] and players == 4)
    return {**rules, "cribs": cribs_at_random(chance)} if rules["crib"] else rules


def random_policy(chance: random.Random, features: Sequence[str], when: Sequence[str]) -> dict[str, Any]:
    """Levels nobody would choose for what leaves a hand before the play."""

    def level() -> dict[str, Any]:
        return {
            "when": chance.choice(["any", *when]),
            "weights": {name: chance.choice(["-1", "0.5", "1", "0.000001"]) for name in chance.sample(features, 2)},
            "ranks": {letter: chance.choice(["-0.3", "1"]) for letter in chance.sample(reference.RANK_LETTERS, 3)},
            "final": chance.choice([None, None, None, "low", "high", "random"]),
        }

    levels = [level() for _ in range(chance.choice([0, 1, 1, 2]))]
    return {"levels": levels, "ties": chance.choice(["low", "high", "random"])}


QUICK_FEATURES = [name for name in DISCARD_FEATURES if name != "hand"]


def with_policies(mind: dict[str, Any], chance: random.Random, slow: bool) -> dict[str, Any]:
    """A strategy with policies at random; those that weigh the hand take the twin a hundred times as long."""
    discard = random_policy(chance, DISCARD_FEATURES if slow else QUICK_FEATURES, DISCARD_WHEN[1:])
    mog = random_policy(
        chance, MOG_FEATURES if slow else [name for name in MOG_FEATURES if name != "hand"], MOG_WHEN[1:]
    )
    return {**mind, "discard": discard, "mog": mog}


def family_batches(numbers: int, seed: int, size: int, seats: int | None = None) -> list[Batch]:
    """Batches of ``numbers`` deals a variant of the family, and a tenth of that with odd readings.

    ``size`` of a batch; those with strategies or policies that take the twin long, one in ten at least, are far
    smaller.
    ``seats`` strategies in each batch, if it is not one a player.
    """
    chance = random.Random(seed)
    columns = [_in_turn(chance) for _ in range(seats or 4)]
    names = [name for name, _ in FAMILY]
    amounts: list[tuple[str, int, Differences, int]] = []
    amounts += [(name, players, {}, -(-numbers // names.count(name))) for name, players in FAMILY]
    amounts += [(*odd, -(-numbers // 10)) for odd in ODD_FAMILY]
    found: list[Batch] = []
    for name, players, changes, amount in amounts:
        start = 0
        while start < amount:
            slow = len(found) % 10 == 9
            minds = [with_policies(next(column), chance, slow) for column in columns[: seats or players]]
            patient = not any(map(_is_slow, minds))
            stop = min(start + (size if patient and not slow else max(1, size // 60)), amount)
            found.append(Batch(family_rules(name, players, changes, chance), players, minds, seed, start, stop))
            start = stop
    return found


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
    # The twin knows no solution: how best play chooses is held against its book in test_exact_play.py.
    names = [name for name in builtin_strategies() if name != "optimal"]
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


PARTS_OF_TWIN = ((1, 8), (8, 15), (15, 22))
"""Where the sources of play, show and crib begin and end."""


def games_of(batch: Batch) -> Any:
    """What the kernels take of the rules of a batch, with its table of mean cribs if it brings one."""
    rules = {key: value for key, value in batch.rules.items() if key != "cribs"}
    game = show_game(table.variant_with(rules), batch.players)
    cribs = batch.rules.get("cribs")
    return game if cribs is None else with_crib_worth(game, np.array([cribs["theirs"], cribs["own"]], np.int64))


def compare_deals(batch: Batch, twin: Sequence[TwinDeal]) -> None:
    """Every card, every point by kind, every score of a batch; and the counts of the chunk kernel over it."""
    assert [source.replace(".", "_").removeprefix("play_") for source in SOURCES_OF_TWIN] == [*SOURCES[:-4]]
    assert PLAY_KINDS == EVENT_KINDS
    game = games_of(batch)
    minds = [table.strategy_of(one) for one in batch.strategies]
    counts = np.zeros((batch.players, len(SOURCES), table.WIDTH), np.int64)
    for number, expected in zip(range(batch.start, batch.stop), twin, strict=True):
        key = reference.deal_key(batch.seed, number)
        found = table.by_key(game, minds, key)
        laid = [(one.seat, one.card, one.count, tuple(one.points.values())) for one in found.laid]
        assert found.away == [sorted(cards) for cards in expected.away], (batch, number)
        assert found.passed == expected.passed, (batch, number)
        assert laid == expected.laid, (batch, number)
        assert [found.points(seat) for seat in range(batch.players)] == expected.points, (batch, number)
        assert found.scores == expected.scores, (batch, number)
        for seat, by_source in enumerate(expected.points):
            totals = [sum(by_source[first:end]) for first, end in PARTS_OF_TWIN]
            for source, value in enumerate([*by_source, *totals, sum(by_source)]):
                counts[seat, source, value] += 1
    assert np.array_equal(table.count_deals(game, minds, batch.seed, batch.start, batch.stop), counts), batch


def compare_duplicates(batch: Batch, twin: Sequence[tuple[list[int], int]]) -> None:
    """Value by seat and cards changed of every duplicate of a batch."""
    minds = [table.strategy_of(one) for one in batch.strategies]
    rows = table.duel_deals(games_of(batch), *minds, batch.seed, batch.start, batch.stop)
    sides = games_of(batch).sides
    found = [(row[:sides].tolist(), int(row[sides:].sum())) for row in rows]
    assert found == list(twin), batch


def compare_game_duplicates(batch: Batch, twin: Sequence[list[int]]) -> None:
    """Who won in each seat, arm and baseline, in every duplicate of a batch."""
    minds = [table.strategy_of(one) for one in batch.strategies]
    rows = table.duel_games(games_of(batch), *minds, batch.seed, batch.start, batch.stop)
    assert rows[:, : games_of(batch).sides].tolist() == list(twin), batch


def in_step(batches: Sequence[Batch], pool: Any, work: Any) -> Iterator[tuple[Batch, Any]]:
    """Each batch with what the twin found, the twin running ahead in the processes of the pool."""
    yield from zip(batches, pool.imap(work, batches), strict=True)
