"""What skill is worth in several variants: one player of one strategy among players of another, on the same games.

A *duplicate* is one game number played with the one player in each seat (or on each side) in turn. What he wins of all
these games over the number of seats is his chance to win; with players who are all alike it is 1/n in every duplicate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noddysim.engine import laying
from noddysim.engine.games import PegGame, peg_game, with_rules
from noddysim.engine.laying import WHOLE
from noddysim.engine.measures import GameCount, game_rows
from noddysim.engine.tally import Tally
from noddysim.game.laying_data import Laid
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import noddy
from noddysim.kernels.records import MAX_SEATS

PegPair = tuple[Strategy, Strategy]
LaidPair = tuple[Laid, Laid]


@dataclass(frozen=True)
class PegSkill:
    """Duplicates of one player against another kind of players, for each pair and each variant of a pegging game.

    ``variants`` all have as many sides. The tally is that of ``skill_tally``.
    """

    variants: tuple[Variant, ...]
    players: int
    pairs: tuple[PegPair, ...]
    seed: int
    chunk: int = 1_024

    @property
    def sides(self) -> int:
        """How many sides play."""
        return self._games[0].sides

    @cached_property
    def _games(self) -> tuple[PegGame, ...]:
        return tuple(peg_game(variant, self.players) for variant in self.variants)

    def count(self, start: int, stop: int) -> Tally:
        """Play duplicates ``start … stop - 1``."""
        rows = [games_of_one(game, pair, self.seed, start, stop) for game in self._games for pair in self.pairs]
        return skill_tally(WHOLE * np.stack(rows))

    def identity(self) -> dict[str, Any]:
        """What changes the counts."""
        games = [
            [GameCount((game,), one, self.seed).identity() for one in pair]
            for game in self._games
            for pair in self.pairs
        ]
        return {"measure": "skill", "games": games}


def games_of_one(game: PegGame, pair: PegPair, seed: int, start: int, stop: int) -> np.ndarray:
    """Games won by the first of a pair among players of the second, over all sides, int64 (duplicates,)."""
    won = np.zeros(stop - start, np.int64)
    for side in range(game.sides):
        won += games_of_side(game, pair, side, (seed, start, stop))
    return won


def games_of_side(game: PegGame, pair: PegPair, side: int, numbers: tuple[int, int, int]) -> np.ndarray:
    """1 for each game that a side wins which plays as the first of a pair, all others as the second, int64 (games,).

    side : by its place in the first deal; numbers : a seed, and the games ``start … stop - 1``
    """
    who = np.array([int(seat % game.sides != side) for seat in range(game.players)], np.int64)
    rows = game_rows(game, pair, who, numbers)
    return np.asarray(rows[:, noddy.WINNER] == side, np.int64)


@dataclass(frozen=True)
class LaidSkill:
    """As ``PegSkill``, of games in which melds or sets are laid; equal winners share a game."""

    variants: tuple[Variant, ...]
    players: int
    pairs: tuple[LaidPair, ...]
    seed: int

    @property
    def chunk(self) -> int:
        """Some tenths of a second of work."""
        return max(16, laying.LaidGames(self.variants, self.players, self.pairs[0][0], 0).chunk // 16)

    @property
    def sides(self) -> int:
        """How many sides play: everybody is alone."""
        return self.players

    def count(self, start: int, stop: int) -> Tally:
        """Play duplicates ``start … stop - 1``."""
        rows = [self._won(variant, pair, start, stop) for variant in self.variants for pair in self.pairs]
        return skill_tally(np.stack(rows))

    def identity(self) -> dict[str, Any]:
        """What changes the counts."""
        games = [
            [laying.LaidGames((variant,), self.players, one, self.seed).variant_identity(0) for one in pair]
            for variant in self.variants
            for pair in self.pairs
        ]
        return {"measure": "skill", "games": games}

    def _won(self, variant: Variant, pair: LaidPair, start: int, stop: int) -> np.ndarray:
        one, other = pair
        numbers = np.arange(stop - start)
        won = np.zeros(stop - start, np.int64)
        for person in range(self.players):
            minds = [one if place == person else other for place in range(self.players)]
            played = laying.play_games(variant, minds, self.seed, start, stop)
            won += played.shares[numbers, laying.seats_of(played.counts, person, self.players)]
        return won


def skill_tally(rows: np.ndarray) -> Tally:
    """Moments of what was won, in parts of WHOLE; rows : int64 (V * P, duplicates), pairs of one variant together.

    ``n`` (1,) duplicates, ``sums`` (V * P,), ``products`` (V * P, V * P), and ``gained``, ``lost`` (V * P,) duplicates
    in which more, or less, than one game was won.
    """
    counts = {"n": np.array([rows.shape[1]]), "sums": rows.sum(axis=1), "products": rows @ rows.T}
    counts |= {"gained": (rows > WHOLE).sum(axis=1), "lost": (rows < WHOLE).sum(axis=1)}
    return Tally(counts)


@dataclass(frozen=True)
class HandicapCount:
    """Games of one side that gives every other side a head start; below nought it has one itself.

    The tally holds ``n`` (1,) duplicates, and ``sums``, ``squares`` (1,) of the games won by the side. It plays as the
    first of ``pair``, the others as the second. A duplicate has it in each place in turn, or, with ``seats``, only as
    the first dealer.
    """

    game: PegGame
    pair: PegPair
    head_start: int
    seed: int
    seats: bool
    chunk: int = 4_096

    def count(self, start: int, stop: int) -> Tally:
        """Play duplicates ``start … stop - 1``."""
        last = self.game.sides - 1
        won = np.zeros(stop - start, np.int64)
        for side in [last] if self.seats else range(self.game.sides):
            given = [max(0, -self.head_start if place == side else self.head_start) for place in range(last + 1)]
            game = with_rules(self.game, head_start=[*given, *[0] * (MAX_SEATS - len(given))])
            won += games_of_side(game, self.pair, side, (self.seed, start, stop))
        return Tally({"n": np.array([stop - start]), "sums": won.sum(keepdims=True), "squares": _squares(won)})


@dataclass(frozen=True)
class LaidHandicapCount:
    """As ``HandicapCount``, of games in which melds or sets are laid; what is won is in parts of WHOLE.

    A duplicate has one person as the first of ``pair`` in turn, who gives a head start, or with ``seats`` the first
    dealer only, who is the same as all others but for what he gives.
    """

    variant: Variant
    players: int
    pair: LaidPair
    head_start: int
    seed: int
    seats: bool

    @property
    def chunk(self) -> int:
        """Some tenths of a second of work."""
        return max(16, laying.LaidGames((self.variant,), self.players, self.pair[0], 0).chunk // 4)

    def count(self, start: int, stop: int) -> Tally:
        """Play duplicates ``start … stop - 1``."""
        last = self.players - 1
        numbers = np.arange(stop - start)
        won = np.zeros(stop - start, np.int64)
        for place in [last] if self.seats else range(self.players):
            given = [max(0, -self.head_start if one == place else self.head_start) for one in range(self.players)]
            minds = [self.pair[int(one != place)] for one in range(self.players)]
            if self.seats:
                minds = [self.pair[0]] * self.players
            played = laying.play_games(self.variant, minds, self.seed, start, stop, given, seated=self.seats)
            seat = last if self.seats else laying.seats_of(played.counts, place, self.players)
            won += played.shares[numbers, seat]
        return Tally({"n": np.array([stop - start]), "sums": won.sum(keepdims=True), "squares": _squares(won)})


def _squares(won: np.ndarray) -> np.ndarray:
    return np.array([(won * won).sum()])
