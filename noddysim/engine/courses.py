"""How games of several variants went, on the same game numbers: length, drama, comebacks, when the lead was settled.

The counts of wins, deals and lead changes are ``measures.GameCount``'s; these are told beside them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from noddysim.engine import laying
from noddysim.engine.games import PegGame
from noddysim.engine.measures import GameCount, refuse_endless, scratch
from noddysim.engine.minds import minds_of
from noddysim.engine.tally import Tally
from noddysim.game.laying_data import Laid, Melder
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import noddy, sets
from noddysim.kernels.records import GAPS

COURSE_METRICS: Final = ("drama", "decided", "from_behind")
"""Of every game: the most points that the winner was behind; the cards laid when he took the lead for good, in parts of
PARTS of all cards laid; 1 if he was behind when the last deal began."""
PARTS: Final = 10_000
COMEBACK: Final = noddy.COMEBACK
GAP_STEP: Final = sets.GAP_STEP
"""Points behind that are told together in games of sets."""
LONGEST: Final = 1_024
"""Places of a histogram of lengths; the last is for all above."""
LENGTHS: Final = ("deals", "cards", "turns")
"""What is told of the length of games; in a play of cards to a count a turn is a card laid, so turns are left out."""


class Went(NamedTuple):
    """What is known of games that were played, a row a game.

    metrics : int64 (games, len(COURSE_METRICS)); trailing, starts : int64 (games,), deals after the first, in all and
    begun behind by the winner; lengths : by name; comebacks : int64 (GAPS, len(COMEBACK)), None where not counted
    """

    metrics: np.ndarray
    trailing: np.ndarray
    starts: np.ndarray
    lengths: dict[str, np.ndarray]
    comebacks: np.ndarray | None = None


class Course(Protocol):
    """A measure of how games went."""

    @property
    def chunk(self) -> int:
        """Some tenths of a second of work."""
        ...

    def count(self, start: int, stop: int) -> Tally:
        """Counts over games ``start … stop - 1``."""
        ...


@dataclass(frozen=True)
class PeggingCourse:
    """Games of several variants with a play of cards to a count, the same strategy in every seat.

    The tally is that of ``tally_of``, with ``comebacks`` (V, GAPS, len(COMEBACK)).
    """

    games: tuple[PegGame, ...]
    strategy: Strategy
    seed: int
    chunk: int = 8_192

    def count(self, start: int, stop: int) -> Tally:
        """Play games ``start … stop - 1`` of every variant."""
        return tally_of([self._went(game, start, stop) for game in self.games])

    def _went(self, game: PegGame, start: int, stop: int) -> Went:
        n = game.players
        rows = np.empty((stop - start, len(noddy.FIELDS)), np.int64)
        courses = np.empty((stop - start, len(noddy.COURSE)), np.int64)
        comebacks = np.zeros((GAPS, len(COMEBACK)), np.int64)
        noddy.record_courses(
            game.rules, game.shows, minds_of(game, (self.strategy,)), np.zeros(n, np.int64), scratch(), n,
            np.uint64(self.seed), start, stop, rows, courses, comebacks,
        )  # fmt: skip
        refuse_endless(int((rows[:, noddy.WINNER] < 0).sum()))
        worst, trailing, taken, last_gap = courses.T
        deals, cards = rows[:, noddy.N_DEALS], rows[:, noddy.CARDS]
        metrics = _metrics(worst, taken, cards, last_gap)
        return Went(metrics, trailing, deals - 1, {"deals": deals, "cards": cards}, comebacks)

    def identity(self) -> dict[str, Any]:
        """What changes the counts."""
        lineup = GameCount(self.games, self.strategy, self.seed)
        return {"measure": "courses", "games": [lineup.variant_identity(place) for place in range(len(self.games))]}


@dataclass(frozen=True)
class LaidCourse:
    """Games of several variants in which melds or sets are laid; in games of sets scores stand after each deal."""

    variants: tuple[Variant, ...]
    players: int
    mind: Laid
    seed: int

    @property
    def chunk(self) -> int:
        """Some tenths of a second of work."""
        return 8_192 if isinstance(self.mind, Melder) else 256

    def count(self, start: int, stop: int) -> Tally:
        """Play games ``start … stop - 1`` of every variant."""
        return tally_of([self._went(variant, start, stop) for variant in self.variants])

    def _went(self, variant: Variant, start: int, stop: int) -> Went:
        played = laying.play_games(variant, [self.mind] * self.players, self.seed, start, stop)
        column = played.counts.column
        metrics = _metrics(column("worst"), column("taken"), column("cards"), column("last_gap"))
        lengths = {name: column(name) for name in LENGTHS}
        return Went(metrics, column("trailing"), column("deals") - 1, lengths, played.counts.comebacks)

    def identity(self) -> dict[str, Any]:
        """What changes the counts."""
        lineup = laying.LaidGames(self.variants, self.players, self.mind, self.seed)
        return {
            "measure": "courses and comebacks",
            "games": [lineup.variant_identity(place) for place in range(len(self.variants))],
        }


def _metrics(worst: np.ndarray, taken: np.ndarray, cards: np.ndarray, last_gap: np.ndarray) -> np.ndarray:
    """One column for each of COURSE_METRICS; a game that is won before a card is laid was never open."""
    decided = np.where(cards > 0, (2 * PARTS * taken + cards) // np.maximum(2 * cards, 1), 0)
    return np.stack([worst, decided, (last_gap > 0).astype(np.int64)], axis=1)


def tally_of(went: Sequence[Went]) -> Tally:
    """Counts of variants beside each other.

    With V variants, Q pairs of them in the order of ``itertools.combinations`` and K = len(COURSE_METRICS): ``n`` (1,)
    games; ``sums``, ``squares`` (V, K); ``pair_sums``, ``pair_squares`` (Q, K) of differences game by game, first less
    second; ``trailing`` (V, 5), sums over the games of a, b, aa, ab, bb for a deals that the winner began behind of b
    after the first; a histogram (V, LONGEST) for each length; and ``comebacks`` where they are counted.
    """
    metrics = np.stack([one.metrics for one in went])
    counts = {
        "n": np.array([metrics.shape[1]]),
        "sums": metrics.sum(axis=1),
        "squares": (metrics * metrics).sum(axis=1),
        "trailing": np.stack([_moments(one.trailing, one.starts) for one in went]),
    }
    for name in went[0].lengths:
        counts[name] = np.stack(
            [np.bincount(np.minimum(one.lengths[name], LONGEST - 1), minlength=LONGEST) for one in went]
        )
    if len(went) > 1:
        less = np.stack([metrics[a] - metrics[b] for a, b in itertools.combinations(range(len(went)), 2)])
        counts |= {"pair_sums": less.sum(axis=1), "pair_squares": (less * less).sum(axis=1)}
    comebacks = [one.comebacks for one in went if one.comebacks is not None]
    if comebacks:
        counts["comebacks"] = np.stack(comebacks)
    return Tally(counts)


def _moments(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.array([a.sum(), b.sum(), (a * a).sum(), (a * b).sum(), (b * b).sum()])
