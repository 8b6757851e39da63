"""Skill against luck: how much better strategies win, and how far who plays decides who wins.

A *ladder* is a few strategies from the best known to a random one. Each rung is played over each lower one: one player
of the better among players of the worse, in every seat in turn, on the same games.

The *share that skill explains* is the share of the variance of winning that is due to who plays, where both kinds of
players are drawn at random from the ladder: with e the chance to win above the fair share 1/s of s sides, and K rungs,

    share = 2 / K² * (sum of e² over the pairs of rungs) / (1/s * (1 - 1/s))

It is the correlation ratio of the analysis of variance with the pair of strategies as its factor: 0 for a game of
chance, near 1 where the better always wins. (On measures of skill and chance: Larkey, Kadane, Austin and Zamir, Skill
in games, Management Science 1997; Duersch, Lambrecht and Oechssler, Measuring skill and chance in games, 2020.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noddysim.engine.games import same_cards
from noddysim.engine.laying import WHOLE, same_layout
from noddysim.engine.runner import Runner
from noddysim.engine.skill import LaidSkill, PegSkill
from noddysim.game.errors import InputError
from noddysim.game.families import PEGGING
from noddysim.game.laying_data import MELDING, SETS
from noddysim.game.minds import BEST_MINDS, Mind, read_mind
from noddysim.game.strategy_data import Strategy
from noddysim.insight import stats
from noddysim.insight.duplicates import Extremes, mean_of_duplicates
from noddysim.insight.estimates import CHANCE, Estimate
from noddysim.insight.pegging_balance import PeggingCell
from noddysim.insight.rows import Difference, Row
from noddysim.insight.stats import Sums

if TYPE_CHECKING:
    from noddysim.engine.tally import Tally
    from noddysim.insight.laying_balance import LaidCell

LADDERS: Final[Mapping[str, tuple[str, ...]]] = {
    PEGGING.name: (BEST_MINDS[PEGGING.name], "keep-best+greedy", "random+mog-random+random"),
    MELDING: (BEST_MINDS[MELDING], "random", "first"),
    SETS: (BEST_MINDS[SETS], "first", "random-discards"),
}
"""By family: the best known strategy first, and each stronger than those behind it."""
EXPLAINED: Final = "share of the variance of winning"
MOST_RUNGS: Final = 6


@dataclass(frozen=True)
class Rung:
    """How often one player of a strategy wins among players of another."""

    better: str
    worse: str
    chance: Estimate

    def to_json(self) -> dict[str, Any]:
        """An entry of ``ladder``."""
        return {"better": self.better, "worse": self.worse, **self.chance.to_json()}


@dataclass(frozen=True)
class Ladder:
    """The skill of one row: its rungs, the widest step first."""

    rungs: tuple[Rung, ...]
    fair: float
    share: Estimate

    @property
    def widest(self) -> Rung:
        """The first strategy of the ladder over the last."""
        return self.rungs[0]

    def to_json(self) -> dict[str, Any]:
        """The key ``skill`` of a row: the chance of the first strategy over the last, and all the rest."""
        return {
            **self.widest.to_json(),
            "fair": self.fair,
            "ladder": [rung.to_json() for rung in self.rungs],
            "share": self.share.to_json(),
        }


def ladder_of(family: str) -> tuple[Mind, ...]:
    """The usual ladder of a family of games, the best known strategy first."""
    return tuple(read_mind(family, name) for name in LADDERS[family])


def check_ladder(minds: Sequence[Mind]) -> Sequence[Mind]:
    """The same strategies. Raises InputError for fewer than two, more than MOST_RUNGS, or one that comes twice."""
    names = [mind.name for mind in minds]
    if not 2 <= len(names) <= MOST_RUNGS or len(set(names)) < len(names):
        raise InputError(f"a ladder has 2 to {MOST_RUNGS} different strategies, the best first; got {', '.join(names)}")
    return minds


def with_skill(
    cell: PeggingCell | LaidCell, rows: Sequence[Row], ladder: Sequence[Mind], games: int, runner: Runner
) -> tuple[list[Row], list[Difference]]:
    """The rows of a cell with the skill that counts in their games, and the differences in that.

    ladder : the best strategy first; games : duplicates of every pair of its strategies
    """
    measure = skill_measure(cell, ladder)
    title = f"what skill is worth, {cell.players} players: duplicates of games"
    tally = runner.run(measure, games, title=title, labels=[None])
    names = [(one.name, other.name) for one, other in measure.pairs]
    found = Moments(tally, len(names), measure.sides)
    ladders = [_ladder(found, place, names) for place in range(len(cell.variants))]
    told = [replace(row, skill=one) for row, one in zip(rows, ladders, strict=True)]
    differences = []
    for a, b in combinations(range(len(cell.variants)), 2):
        one, other = cell.variants[a], cell.variants[b]
        pegging = isinstance(cell, PeggingCell)
        paired = same_cards(one, other, cell.players) if pegging else same_layout(one, other)
        for name, value in (("skill", found.difference(a, b)), ("skill_share", found.share_difference(a, b))):
            differences.append(Difference(one.name, other.name, cell.players, "ladder", name, value, paired))
    return told, differences


def skill_measure(cell: PeggingCell | LaidCell, ladder: Sequence[Mind]) -> PegSkill | LaidSkill:
    """The measure of all pairs of a ladder, the first over the last to begin with."""
    pairs = sorted(combinations(range(len(ladder)), 2), key=lambda pair: pair[0] - pair[1])
    if isinstance(cell, PeggingCell):
        minds = [mind for mind in ladder if isinstance(mind, Strategy)]
        return PegSkill(cell.variants, cell.players, tuple((minds[a], minds[b]) for a, b in pairs), cell.seed)
    laid = [mind for mind in ladder if not isinstance(mind, Strategy)]
    return LaidSkill(cell.variants, cell.players, tuple((laid[a], laid[b]) for a, b in pairs), cell.seed)


def _ladder(found: Moments, place: int, names: Sequence[tuple[str, str]]) -> Ladder:
    rungs = [Rung(*pair, found.chance(place, i)) for i, pair in enumerate(names)]
    return Ladder(tuple(rungs), 1 / found.sides, found.share(place))


@dataclass(frozen=True)
class Moments:
    """A tally of ``engine.skill`` read: P pairs for each variant, s sides."""

    tally: Tally
    pairs: int
    sides: int

    @property
    def n(self) -> int:
        """Duplicates of every pair."""
        return int(self.tally["n"][0])

    def _column(self, variant: int, pair: int) -> int:
        return variant * self.pairs + pair

    def above(self, variant: int, pair: int, confidence: float = 0.95) -> Estimate:
        """Chance to win above the fair share."""
        place = self._column(variant, pair)
        total, squares = int(self.tally["sums"][place]), int(self.tally["products"][place, place])
        sums = Sums(self.n, total - self.n * WHOLE, squares - 2 * WHOLE * total + self.n * WHOLE**2)
        extremes = Extremes(int(self.tally["gained"][place]), int(self.tally["lost"][place]), (self.sides - 1) * WHOLE)
        return mean_of_duplicates(sums, extremes, self.sides * WHOLE, CHANCE, confidence=confidence)

    def chance(self, variant: int, pair: int) -> Estimate:
        """Chance to win."""
        found, fair = self.above(variant, pair), 1 / self.sides
        if found.low is None or found.high is None:
            return replace(found, estimate=found.estimate + fair)
        low, high = max(0.0, found.low + fair), min(1.0, found.high + fair)
        return replace(found, estimate=min(max(found.estimate + fair, low), high), low=low, high=high)

    @property
    def factor(self) -> float:
        """What the sum of squares of ``above`` is multiplied with to give the share that skill explains."""
        rungs = (1 + math.isqrt(1 + 8 * self.pairs)) // 2
        return 2 / rungs**2 / (1 / self.sides * (1 - 1 / self.sides))

    def share(self, variant: int) -> Estimate:
        """The share that skill explains; its interval holds all shares that joint intervals of the chances allow."""
        level = stats.family_confidence(self.pairs)
        each = [self.above(variant, pair, level) for pair in range(self.pairs)]
        value = self.factor * sum(one.estimate**2 for one in each)
        if any(one.low is None for one in each):
            return Estimate(value, None, None, self.n, EXPLAINED, "too few duplicates, no interval")
        low = high = 0.0
        for one in each:
            assert one.low is not None and one.high is not None
            ends = one.low**2, one.high**2
            low += 0.0 if one.low <= 0 <= one.high else min(ends)
            high += max(ends)
        low, high = min(self.factor * low, value), max(value, min(1.0, self.factor * high))
        return Estimate(value, low, high, self.n, EXPLAINED, "joint intervals of the chances")

    def difference(self, one: int, other: int) -> Estimate:
        """First strategy over last: chance to win in one variant less that in another, duplicate by duplicate."""
        a, b = self._column(one, 0), self._column(other, 0)
        products = self.tally["products"]
        sums = Sums(
            self.n,
            int(self.tally["sums"][a] - self.tally["sums"][b]),
            int(products[a, a] - 2 * products[a, b] + products[b, b]),
        )
        return stats.mean_from_sums(*sums, self.sides * WHOLE, CHANCE)

    def share_difference(self, one: int, other: int) -> Estimate:
        """Share that skill explains in one variant less that in another, by the delta method on joint duplicates."""
        columns = [self._column(variant, pair) for variant in (one, other) for pair in range(self.pairs)]
        scale = self.sides * WHOLE
        totals = self.tally["sums"][columns].astype(float)
        products = self.tally["products"][np.ix_(columns, columns)].astype(float)
        above = totals / (self.n * scale) - 1 / self.sides
        signs = np.repeat([1.0, -1.0], self.pairs)
        value = float(self.factor * (signs * above**2).sum())
        if self.n < 2:
            return Estimate(value, None, None, self.n, EXPLAINED, "one duplicate, no interval")
        centred = products / self.n - np.outer(totals, totals) / self.n**2
        covariance = centred / scale**2 / (self.n - 1)
        slope = 2 * self.factor * signs * above
        reach = 1.959963984540054 * math.sqrt(max(0.0, float(slope @ covariance @ slope)))
        return Estimate(value, value - reach, value + reach, self.n, EXPLAINED, "paired, delta method")
