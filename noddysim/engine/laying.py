"""What can be counted of the games in which melds or sets are laid: games by person, and duels on the same cards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from noddysim.engine import melding, sets
from noddysim.engine.tally import Tally
from noddysim.game.errors import InputError
from noddysim.game.laying import Melder, Setter
from noddysim.game.meldmodels import MeldRules
from noddysim.game.rules import Variant
from noddysim.game.snitchmodels import SnitchRules

WHOLE: Final = math.lcm(*range(1, 9))
"""A game won, in parts that equal winners can share."""
Mind = Melder | Setter


def is_laying(variant: Variant) -> bool:
    """Whether melds or sets are laid in a game, so that this module counts it."""
    return isinstance(variant.rules, MeldRules | SnitchRules)


def won(variant: Variant, minds: Sequence[Mind], seed: int, start: int, stop: int) -> np.ndarray:
    """What each person has of games ``start … stop - 1``, int64 (games, persons): WHOLE for a game won alone."""
    if isinstance(variant.rules, MeldRules):
        melders = [mind for mind in minds if isinstance(mind, Melder)]
        return won_by_melds(melding.count_games(variant, melders, seed, stop, start), len(minds))
    setters = [mind for mind in minds if isinstance(mind, Setter)]
    return won_by_sets(sets.count_games(variant, setters, seed, stop, start), len(minds))


def won_by_melds(counts: melding.MeldCounts, players: int) -> np.ndarray:
    """As ``won``, of games of the melding game that have been played."""
    winner = counts.column("winner")
    _refuse_endless(int((winner < 0).sum()))
    return np.asarray((winner[:, None] == np.arange(players)) * np.int64(WHOLE))


def won_by_sets(counts: sets.SetCounts, players: int) -> np.ndarray:
    """As ``won``, of games of sets that have been played."""
    bits = counts.column("winners")
    _refuse_endless(int((bits == 0).sum()))
    shares = bits[:, None] >> np.arange(players) & 1
    return np.asarray(shares * (WHOLE // shares.sum(axis=1, keepdims=True)))


def margins(variant: Variant, minds: Sequence[Mind], seed: int, start: int, stop: int) -> np.ndarray:
    """Margin of each person in single deals over the mean of the others, times persons - 1, int64 (deals, persons).

    Only games of sets have deals of their own; a game to one point is one deal.
    """
    setters = [mind for mind in minds if isinstance(mind, Setter)]
    one_deal = variant.replace(target=1, tie="share")
    totals = sets.count_games(one_deal, setters, seed, stop, start).totals
    return np.asarray(len(minds) * totals - totals.sum(axis=1, keepdims=True))


def _refuse_endless(games: int) -> None:
    if games:
        raise RuntimeError(f"{games} games had no winner: under these rules hardly anybody scores")


@dataclass(frozen=True)
class LayingDuel:
    """Duplicates of an arm and a baseline: each in the place of every person in turn, the opponent in all others.

    With n persons the tally holds ``n`` (1,) duplicates, ``sums`` and ``squares`` (1,) of their values, ``gained`` and
    ``lost`` (1,) above and below nought, ``person_sums`` and ``person_squares`` (n,). A value is the sum over the
    persons of what the arm has there less what the baseline has: parts of a game (``won``), or ``margins``.
    """

    variant: Variant
    players: int
    arm: Mind
    baseline: Mind
    opponent: Mind
    seed: int
    games: bool
    chunk: int = 8_192

    @property
    def by_lot(self) -> bool:
        """Whether the first dealer is drawn by lot, so that a person's number says nothing of his seat."""
        return isinstance(self.variant.rules, SnitchRules)

    @property
    def divisor(self) -> int:
        """What a value is divided by to give a chance to win, or points a deal, over all persons."""
        return self.players * self.person_divisor

    @property
    def person_divisor(self) -> int:
        """What the value of one person is divided by."""
        return WHOLE if self.games else self.players - 1

    def values(self, start: int, stop: int) -> np.ndarray:
        """Values of duplicates ``start … stop - 1`` by person, int64 (duplicates, persons)."""
        count = won if self.games else margins
        rows = np.zeros((stop - start, self.players), np.int64)
        for person in range(self.players):
            for mind, sign in ((self.arm, 1), (self.baseline, -1)):
                minds = [mind if place == person else self.opponent for place in range(self.players)]
                rows[:, person] += sign * count(self.variant, minds, self.seed, start, stop)[:, person]
        return rows

    def count(self, start: int, stop: int) -> Tally:
        """Play duplicates ``start … stop - 1``."""
        rows = self.values(start, stop)
        whole = rows.sum(axis=1)
        return Tally(
            {
                "n": np.array([stop - start]),
                "sums": np.array([whole.sum()]),
                "squares": np.array([(whole * whole).sum()]),
                "gained": np.array([(whole > 0).sum()]),
                "lost": np.array([(whole < 0).sum()]),
                "person_sums": rows.sum(axis=0),
                "person_squares": (rows * rows).sum(axis=0),
            }
        )

    def identity(self) -> dict[str, Any]:
        """What changes the counts."""
        return {
            "measure": "laying-games" if self.games else "laying-deals",
            "rules": self.variant.rules.model_dump(),
            "players": self.players,
            **{name: asdict(getattr(self, name)) for name in ("arm", "baseline", "opponent")},
            "seed": self.seed,
        }


def deals_allowed(variant: Variant) -> None:
    """Raise InputError where single deals are no measure: a melding game is won in the midst of a deal."""
    if not isinstance(variant.rules, SnitchRules):
        raise InputError(f"{variant.name} is measured by games won; give --games instead of --deals")
