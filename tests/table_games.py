"""The kernels of the melding game and of Snitch held against their twins, event by event: any rules and strategies."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import reference_innocence
import reference_snitch

from noddysim.engine import melding, sets
from noddysim.game.laying_data import Melder, Setter
from noddysim.game.rules import Variant, load_variant
from noddysim.kernels import melding as meld_kernel
from noddysim.kernels import sets as set_kernel
from noddysim.kernels.dealing import game_key
from noddysim.kernels.melds import new_search

Event = tuple[Any, ...]

MELD_OPTIONS: dict[str, list[Any]] = {
    "face_value": ["10", "rank"], "meld_scoring": ["single", "whole_set", "all_subsets"],
    "sum_value": ["face", "flat2", "per_card"], "must_meld": [True, True, False], "melds_per_turn": [1, 1, 2, 3],
    "trump_in_melds": [False, True], "trump_drawable": [True, False], "stock_out": ["redeal", "reshuffle"],
    "turned_jack": ["opponents2", "dealer2", "dealer1"], "trump_jack": ["meld", "bonus"],
    "suit_value": ["flat", "per_card"], "target": [31, 31, 61, 15], "rounds": [60, 5],
    "group": [[2, 6, 12], [1, 3, 5]], "run": [[2, 4, 10], [3, 6, 12]],
}  # fmt: skip
SET_OPTIONS: dict[str, list[Any]] = {
    "jokers": [4, 2], "joker_pair": [False, True], "response": ["free", "match_only"], "refill": ["turn", "set"],
    "max_sets": [3, 0, 1, 2], "discard_then_set": [False, True], "first_discard": [False, True],
    "action4": ["stack", "extend"], "deuce_points": [20, 25], "deal_end": ["all_pass", "no_set"],
    "tie": ["play_on", "share"], "target": [1000, 300, 60],
}  # fmt: skip
WEIGHTS = ("points", "cards", "sum", "pair", "three", "four", "suit", "run", "trump-jack")
MOST_HELD = 11
"""Cards in hand up to which the twin, which looks at every subset, is asked."""


class TooManyCards(Exception):
    """A hand has grown beyond what the twin can look at."""


# ---------------------------------------------------------------------------------------------------------------------
# The melding game


def meld_twin_rules(variant: Variant) -> dict[str, Any]:
    return {**variant.rules.model_dump(), "next_dealer": "left"}


def meld_twin_strategy(one: Melder) -> dict[str, Any]:
    weights = {("jack" if name == "trump-jack" else name): worth for name, worth in one.weights.items()}
    return {
        "want": "sums" if one.sums_only else "always", "weights": weights, "keep_trump_jack": one.keep_trump_jack,
        "ties": one.ties,
    }  # fmt: skip


def random_melder(rnd: random.Random) -> Melder:
    weights = {name: rnd.randint(-3, 3) for name in rnd.sample(WEIGHTS, 3)}
    ties = rnd.choice(["first", "last", "random"])
    return Melder("any", "", weights, ties, rnd.random() < 0.3, rnd.random() < 0.3)


def meld_game(variant: Variant, minds: list[Melder], seed: int, game: int) -> tuple[list[Event], list[int]]:
    """Events of a game by the kernel, as the twin tells them, and the points of each person by the kernel's counts."""
    n = len(minds)
    table, log = meld_kernel.new_meld_table(), np.zeros((20_000, meld_kernel.EVENT_COLUMNS), np.int64)
    record = np.zeros(len(meld_kernel.MELD_FIELDS), np.int64)
    by_kind, by_jack = np.zeros((n, 2, 9), np.int64), np.zeros(n, np.int64)
    meld_kernel.play_meld_game(
        melding.rules_record(variant), melding.melders_record(minds), np.arange(n), table, new_search(), n,
        np.uint64(game_key(np.uint64(seed), np.uint64(game))), log, record, by_kind, by_jack,
    )  # fmt: skip
    assert table.logged < len(log)
    assert list(table.deck) == list(range(52))
    events = [_meld_event(row) for row in log[: table.logged].tolist()]
    return events, (by_kind[:, 1].sum(axis=1) + by_jack).tolist()


def _meld_event(row: list[int]) -> Event:
    name = meld_kernel.MELD_EVENTS[row[0]]
    columns = {
        "deal": (2, 3), "jack": (1, 2), "meld": (1, 2, 3, 4), "draw": (1, 2), "fill": (1, 2), "pass": (1,),
        "game": (2,),
    }  # fmt: skip
    return (name, *(row[column] for column in columns.get(name, ())))


def meld_twin_game(variant: Variant, minds: list[Melder], seed: int, game: int) -> tuple[list[Event], list[int]]:
    """The same by the twin. Raises TooManyCards for a game in which a hand grows beyond MOST_HELD."""
    return reference_innocence.play_game(meld_twin_rules(variant), list(map(meld_twin_strategy, minds)), seed, game)


def meld_games(number: int, seed: int) -> Iterator[tuple[Variant, list[Melder], int, int]]:
    """Random games: every third by the rules as they stand, the others with any mix of readings."""
    rnd = random.Random(seed)
    plain = load_variant("innocence")
    for place in range(number):
        changes = {name: rnd.choice(values) for name, values in MELD_OPTIONS.items()} if place % 3 else {}
        minds = [random_melder(rnd) for _ in range(rnd.choice([2, 3, 4]))]
        yield plain.replace(**changes), minds, rnd.randrange(2**64), rnd.randrange(1000)


def compare_meld_games(number: int, seed: int) -> int:
    """Compare so many random games event by event; returns how many the twin could not play (hands too large)."""
    skipped = 0
    listed = reference_innocence.melds

    def small_hands_only(rules: Any, hand: Any, trump: int, there: bool) -> Any:
        if len(hand) > MOST_HELD:
            raise TooManyCards
        return listed(rules, hand, trump, there)

    reference_innocence.melds = small_hands_only
    try:
        for case in meld_games(number, seed):
            try:
                expected = meld_twin_game(*case)
            except TooManyCards:
                skipped += 1
                continue
            assert meld_game(*case) == expected, case
    finally:
        reference_innocence.melds = listed
    return skipped


# ---------------------------------------------------------------------------------------------------------------------
# Snitch


def set_twin_rules(variant: Variant) -> dict[str, Any]:
    data = variant.rules.model_dump()
    values = {name: data[f"{name}_points"] for name in ("low", "high", "ace", "joker")}
    return {**data, "values": values}


def set_twin_strategy(one: Setter) -> dict[str, Any]:
    return {
        "use": one.use, "order": "points" if one.most else "first",
        "wild": "save_for_aces" if one.save_wilds else "free",
        "discard": "unpaired_low" if one.discard == "unpaired" else one.discard, "watch": one.watch,
    }  # fmt: skip


def random_setter(rnd: random.Random) -> Setter:
    discard = rnd.choice(["low", "high", "random", "unpaired"])
    use = rnd.choice(["value", "hand", "discard"])
    return Setter("any", "", use, rnd.random() < 0.5, rnd.random() < 0.5, discard, rnd.random() < 0.5)


def set_game(variant: Variant, minds: list[Setter], seed: int, game: int) -> tuple[list[Event], list[int]]:
    """Events of a game by the kernel, as the twin tells them, and the points of each person by the kernel's counts."""
    n = len(minds)
    table, log = set_kernel.new_set_table(), np.zeros((60_000, set_kernel.SET_COLUMNS), np.int64)
    record = np.zeros(len(set_kernel.SET_FIELDS), np.int64)
    by_rank, by_source = np.zeros((n, set_kernel.N_RANKS, 2), np.int64), np.zeros((n, 3), np.int64)
    set_kernel.play_set_game(
        sets.rules_record(variant), sets.setters_record(minds), np.arange(n), table, n,
        np.uint64(game_key(np.uint64(seed), np.uint64(game))), log, record, by_rank, by_source,
    )  # fmt: skip
    assert table.logged < len(log)
    assert list(table.deck) == list(range(108))
    assert by_source.sum() == by_rank[:, :, 0].sum()
    events = [_set_event(row, n) for row in log[: table.logged].tolist()]
    return events, by_rank[:, :, 1].sum(axis=1).tolist()


def _set_event(row: list[int], players: int) -> Event:
    name = set_kernel.SET_EVENTS[row[0]]
    if name == "set":
        return (name, row[1], row[2], row[3], "STE"[row[4]], row[5])
    if name == "deal_end":
        return (name, tuple(row[2 : 2 + players]))
    if name == "game":
        return (name, tuple(person for person in range(players) if row[2] >> person & 1))
    columns = {"deal": (2, 3), "discard": (1, 2), "draw": (1, 2), "fill": (1, 2), "pass": (1,)}[name]
    return (name, *(row[column] for column in columns))


def compare_set_games(number: int, seed: int) -> None:
    """Compare so many random games of two to seven players event by event."""
    rnd = random.Random(seed)
    plain = load_variant("snitch")
    for place in range(number):
        changes = {name: rnd.choice(values) for name, values in SET_OPTIONS.items()} if place % 3 else {}
        variant = plain.replace(**changes)
        minds = [random_setter(rnd) for _ in range(rnd.choice([2, 3, 4, 5, 6, 7]))]
        seed_of, game = rnd.randrange(2**64), rnd.randrange(1000)
        twins = list(map(set_twin_strategy, minds))
        expected = reference_snitch.play_game(set_twin_rules(variant), twins, seed_of, game)
        assert set_game(variant, minds, seed_of, game) == expected, (variant.name, minds, seed_of, game)
