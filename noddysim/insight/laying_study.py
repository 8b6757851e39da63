"""What the report asks of the games in which melds or sets are laid: seats, lengths, points, the best strategy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import stats as scipy_stats

from noddysim.engine import melding, sets
from noddysim.engine.laying import WHOLE, by_seat, play_deals, won_by_melds, won_by_sets
from noddysim.engine.runner import Announce
from noddysim.game import laying
from noddysim.game.rules import Variant, load_variant
from noddysim.insight import stats
from noddysim.insight.estimates import CHANCE, POINTS, Estimate
from noddysim.kernels.melds import MELD_KINDS

PARTS: Final = 4
FEWEST_JOKER_DEALS: Final = 400
SHARE: Final = "share of games"
MELDING: Final = ("innocence", "innocence-flat", "innocence-per-card")
READINGS: Final[Mapping[str, Mapping[str, object]]] = {
    "one meld scores all its cards make": {"meld_scoring": "whole_set"},
    "one meld scores all that any of its cards make": {"meld_scoring": "all_subsets"},
    "a player may draw instead": {"must_meld": False},
    "up to three melds a turn": {"melds_per_turn": 3},
    "the turned card joins melds": {"trump_in_melds": True},
    "courts count 11, 12, 13": {"face_value": "rank"},
    "a turned jack pays the dealer 2": {"turned_jack": "dealer2"},
    "61 up": {"target": 61},
}
"""Readings of the melding game beside the rules as they stand, with two players."""


@dataclass(frozen=True)
class LayingExtent:
    """How much is played: games of the melding game, and games of sets."""

    meld_games: int = 20_000
    set_games: int = 4_000
    seed: int = 1589

    @property
    def work(self) -> int:
        """Parts of the work, for a progress bar."""
        return PARTS


def laying_extent(games: int | None = None, seed: int | None = None) -> LayingExtent:
    """The usual extent with what is given in place of it."""
    usual = LayingExtent()
    return LayingExtent(
        meld_games=games or usual.meld_games,
        set_games=games or usual.set_games,
        seed=usual.seed if seed is None else seed,
    )


@dataclass(frozen=True)
class Seats:
    """Games of one variant with one strategy for all: chance to win by seat in the first deal, left of the dealer
    first, and means or shares a game by name."""

    label: str
    variant: Variant
    players: int
    strategy: str
    games: int
    wins: tuple[Estimate, ...]
    facts: Mapping[str, Estimate]
    parts: Mapping[str, tuple[float, float]]
    """By kind of meld or rank of set: how many a game, and points a game, all persons together."""


@dataclass(frozen=True)
class JokerWorth:
    """Margin of a deal by jokers dealt: none, one, and the difference, in points a deal."""

    players: int
    none: Estimate
    one: Estimate
    difference: Estimate


@dataclass(frozen=True)
class LayingStudy:
    """Everything the two pages tell."""

    extent: LayingExtent
    melding: tuple[Seats, ...]
    readings: tuple[Seats, ...]
    sets: tuple[Seats, ...]
    jokers: tuple[JokerWorth, ...]


def lay(extent: LayingExtent, announce: Announce) -> LayingStudy:
    """Play all that the pages need; the same numbers come out every time."""
    progress = announce("melds and sets", PARTS)
    seed = extent.seed
    meld_seats = tuple(
        _melding_seats(_label(variant), variant, players, extent.meld_games, seed)
        for variant in map(load_variant, MELDING)
        for players in (2, 3, 4)
    )
    progress(1)
    plain = load_variant(MELDING[0])
    readings = tuple(
        _melding_seats(label, plain.replace(**changes), 2, extent.meld_games, seed)
        for label, changes in READINGS.items()
    )
    progress(2)
    snitch = load_variant("snitch")
    set_seats = tuple(_set_seats(snitch, players, extent.set_games, seed) for players in snitch.rules.players)
    progress(3)
    # One player in nine is dealt a joker, and one player of each deal is looked at: fewer deals would show hardly any.
    deals = max(extent.set_games, FEWEST_JOKER_DEALS)
    jokers = tuple(_joker_worth(snitch, players, deals, seed) for players in snitch.rules.players)
    progress(4)
    return LayingStudy(extent, meld_seats, readings, set_seats, jokers)


def _label(variant: Variant) -> str:
    """What the rules are called among their like: what their title says after a comma, or the whole of it."""
    return variant.title.partition(", ")[2] or variant.title


def _mean(values: np.ndarray, unit: str) -> Estimate:
    """Mean of whole numbers, one a game, with Student's interval."""
    whole = values.astype(np.int64)
    return stats.mean_from_sums(len(whole), int(whole.sum()), int((whole * whole).sum()), 1, unit)


def _share(flags: np.ndarray) -> Estimate:
    return stats.proportion(int(flags.sum()), len(flags), SHARE)


def _wins(rows: np.ndarray) -> tuple[Estimate, ...]:
    """Chance to win by column; a game shared counts in parts."""
    return tuple(
        stats.mean_from_sums(len(rows), int(column.sum()), int((column * column).sum()), WHOLE, CHANCE)
        for column in rows.T
    )


def _melding_seats(label: str, variant: Variant, players: int, games: int, seed: int) -> Seats:
    minds = [laying.melder(laying.FIRST_MELDER)] * players
    counts = melding.count_games(variant, minds, seed, games)
    winner, first = counts.column("winner"), counts.column("first_melder")
    kinds = {
        kind: (
            round(float(counts.melds[:, place].sum()) / games, 2),
            round(float(counts.points[:, place].sum()) / games, 2),
        )
        for place, kind in enumerate(MELD_KINDS)
    }
    facts = {
        "turns": _mean(counts.column("turns"), "turns a game"),
        "melds": _mean(counts.column("melds"), "melds a game"),
        "draws": _mean(counts.column("draws"), "draws a game"),
        "deals": _mean(counts.column("deals"), "deals a game"),
        "first melder wins": _share(winner == first),
        "won by the first meld": _share(counts.column("melds") == 1),
        "over in the first round": _share(counts.column("first_round") == 1),
        "stock runs out": _share(counts.column("empty") > 0),
        "won by a turned jack": _share(counts.column("by_jack") == 1),
    }
    rows = won_by_melds(counts, players)
    return Seats(label, variant, players, laying.FIRST_MELDER, games, _wins(rows), facts, kinds)


RANK_NAMES: Final = ("aces", "deuces", *map(str, range(3, 10)), "tens", "jacks", "queens", "kings", "jokers")


def _set_seats(variant: Variant, players: int, games: int, seed: int) -> Seats:
    minds = [laying.setter(laying.FIRST_SETTER)] * players
    counts = sets.count_games(variant, minds, seed, games)
    deals = counts.column("deals")
    wilds = counts.column("wilds_left")
    parts = {
        name: (
            round(float(counts.sets[:, place].sum()) / games, 2),
            round(float(counts.points[:, place].sum()) / games, 2),
        )
        for place, name in enumerate(RANK_NAMES)
        if counts.sets[:, place].sum()
    }
    facts = {
        "deals": _mean(deals, "deals a game"),
        "turns": _mean(counts.column("turns"), "turns a game"),
        "wild cards left in hand": _mean(wilds, "cards a game"),
        "best score": _mean(counts.column("best"), "points"),
        "lead over the second": _mean(counts.column("best") - counts.column("second"), "points"),
    }
    rows = won_by_sets(counts, players)
    return Seats(
        _label(variant), variant, players, laying.FIRST_SETTER, games, _wins(by_seat(counts, rows)), facts, parts
    )


def _joker_worth(variant: Variant, players: int, deals: int, seed: int) -> JokerWorth:
    """Mean margin of a deal of those dealt no joker and of those dealt one, and their difference with its interval.

    Seats of one deal are not independent, so one seat of each deal is looked at, in turn. The difference has
    Welch's interval (Biometrika 1947).
    """
    minds = [laying.setter(laying.FIRST_SETTER)] * players
    margin, played = play_deals(variant, minds, seed, 0, deals)
    assert isinstance(played.counts, sets.SetCounts)
    held = by_seat(played.counts, sets.jokers_dealt(variant, players, seed, deals))
    place = np.arange(deals), np.arange(deals) % players
    own, jokers = margin[place] / (players - 1), held[place]
    none, one = own[jokers == 0], own[jokers == 1]
    found = scipy_stats.ttest_ind(one, none, equal_var=False)
    interval = found.confidence_interval(0.95)
    difference = float(one.mean() - none.mean())
    return JokerWorth(
        players,
        _mean_of(none),
        _mean_of(one),
        Estimate(difference, float(interval.low), float(interval.high), len(one) + len(none), POINTS, "Welch's t"),
    )


def _mean_of(values: np.ndarray) -> Estimate:
    low, high = scipy_stats.t.interval(0.95, len(values) - 1, values.mean(), scipy_stats.sem(values))
    return Estimate(float(values.mean()), float(low), float(high), len(values), POINTS, "t")
