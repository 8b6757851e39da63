"""Ratings: a round robin of strategies on common deals, as a matrix of pairs and a ladder.

The ladder goes by a strategy's mean result against all others, each other counting alike. The duplicate is the unit of
evidence throughout: what a strategy makes of one deal against all others is one number, so that the interval of a place
on the ladder, and that of the difference of two places, respects that all were played on the same cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from noddysim.engine import batch
from noddysim.engine.games import check_players, peg_game
from noddysim.engine.laying import is_laying
from noddysim.engine.rolled import three_each
from noddysim.engine.roundrobin import RoundRobin
from noddysim.engine.scoring import as_variant
from noddysim.engine.tally import Tally
from noddysim.game.errors import InputError
from noddysim.game.experiment import check_amount, check_seed
from noddysim.game.laying import laid_strategies
from noddysim.game.laying_data import SETS
from noddysim.game.minds import LAYING, read_mind
from noddysim.game.rules import Variant
from noddysim.game.strategies import builtin_strategies
from noddysim.game.userfiles import strategy_files
from noddysim.insight import stats
from noddysim.insight.document import csv_text, exact_text
from noddysim.insight.duels import usual_amount
from noddysim.insight.duplicates import Extremes, mean_of_duplicates
from noddysim.insight.estimates import CHANCE, POINTS, Estimate
from noddysim.insight.stats import Sums
from noddysim.insight.swings import largest_swing
from noddysim.insight.words import and_words

if TYPE_CHECKING:
    import pandas as pd

USUAL_DEALS: Final = 20_000
USUAL_GAMES: Final = 4_000
USUAL_SET_DEALS: Final = 400
ALL_OTHERS: Final = "all others"


@dataclass(frozen=True)
class Neighbours:
    """Two strategies next to each other on the ladder, and the difference of the upper one to the lower.

    The interval is widened so that those of all neighbours hold together with 95 %.
    """

    upper: str
    lower: str
    difference: Estimate

    @property
    def told_apart(self) -> bool:
        """Whether the interval excludes nought."""
        return self.difference.low is not None and self.difference.low > 0


@dataclass(frozen=True)
class Ratings:
    """A round robin that has been played."""

    robin: RoundRobin
    tally: Tally

    @property
    def n(self) -> int:
        """Duplicates of every pair."""
        return int(self.tally["n"][0])

    @property
    def names(self) -> list[str]:
        """The strategies in the order in which they were given."""
        return [mind.name for mind in self.robin.minds]

    @property
    def unit(self) -> str:
        """Unit of all results."""
        return CHANCE if self.robin.games else POINTS

    @cached_property
    def _most(self) -> int:
        """The most that the value of a pair can be."""
        if self.robin.games or is_laying(self.robin.variant):
            return self.robin.most
        return largest_swing(peg_game(self.robin.variant, self.robin.players)) * self.robin.divisor

    def pair(self, one: str, other: str) -> Estimate:
        """What a strategy gains among players of another, beside one of them in its place."""
        a, b = self.names.index(one), self.names.index(other)
        sums = Sums(self.n, int(self.tally["sums"][a, b]), int(self.tally["squares"][a, b]))
        if a == b:
            return Estimate(0.0, 0.0, 0.0, self.n, self.unit, "one strategy", exact=True)
        extremes = Extremes(int(self.tally["gained"][a, b]), int(self.tally["lost"][a, b]), self._most)
        return mean_of_duplicates(sums, extremes, self.robin.divisor, self.unit)

    def rating(self, name: str) -> Estimate:
        """The mean result against all others."""
        a = self.names.index(name)
        sums = Sums(self.n, int(self.tally["all_sums"][a]), int(self.tally["all_products"][a, a]))
        extremes = Extremes(int(self.tally["all_gained"][a]), int(self.tally["all_lost"][a]), self._others * self._most)
        return mean_of_duplicates(sums, extremes, self.robin.divisor * self._others, self.unit)

    @property
    def _others(self) -> int:
        return len(self.names) - 1

    @cached_property
    def ladder(self) -> list[tuple[str, Estimate]]:
        """The strategies with their ratings, the best first; equal ones in the order given."""
        rated = [(name, self.rating(name)) for name in self.names]
        return sorted(rated, key=lambda one: -one[1].estimate)

    @cached_property
    def neighbours(self) -> list[Neighbours]:
        """Each two next to each other on the ladder."""
        names = [name for name, _ in self.ladder]
        return [Neighbours(a, b, self._difference(a, b)) for a, b in pairwise(names)]

    def _difference(self, upper: str, lower: str) -> Estimate:
        a, b = self.names.index(upper), self.names.index(lower)
        products, totals = self.tally["all_products"], self.tally["all_sums"]
        squares = int(products[a, a]) - 2 * int(products[a, b]) + int(products[b, b])
        sums = Sums(self.n, int(totals[a]) - int(totals[b]), squares)
        confidence = stats.family_confidence(self._others)
        above = self.tally["all_above"]
        extremes = Extremes(int(above[a, b]), int(above[b, a]), 2 * self._others * self._most)
        return mean_of_duplicates(sums, extremes, self.robin.divisor * self._others, self.unit, confidence=confidence)

    @property
    def groups(self) -> list[list[str]]:
        """The ladder cut wherever two neighbours can be told apart."""
        found = [[self.ladder[0][0]]]
        for two in self.neighbours:
            if two.told_apart:
                found.append([])
            found[-1].append(two.lower)
        return found

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim ratings --json``."""
        names = [name for name, _ in self.ladder]
        pairs = [(a, b) for a in names for b in names if a != b]
        return {
            "variant": self.robin.variant.name, "players": self.robin.players, "seed": self.robin.seed,
            "n": self.n, "unit": self.unit,
            "ladder": [
                {"place": place, "strategy": name, **found.to_json()}
                for place, (name, found) in enumerate(self.ladder, 1)
            ],
            "neighbours": [
                {"a": two.upper, "b": two.lower, **two.difference.to_json(), "told_apart": two.told_apart}
                for two in self.neighbours
            ],
            "matrix": [{"a": a, "b": b, **self.pair(a, b).to_json()} for a, b in pairs],
        }  # fmt: skip

    @property
    def table(self) -> pd.DataFrame:
        """The ladder: place, strategy, estimate, low, high, unit, n."""
        import pandas as pd

        return pd.DataFrame(self.to_json()["ladder"])[["place", "strategy", "estimate", "low", "high", "unit", "n"]]

    def _repr_html_(self) -> str:
        from noddysim.insight.notebook import ratings_html

        return ratings_html(self)

    def to_csv(self) -> str:
        """One row for each place on the ladder, then one for each pair."""
        names = [name for name, _ in self.ladder]
        rows = [(name, ALL_OTHERS, found) for name, found in self.ladder]
        rows += [(a, b, self.pair(a, b)) for a in names for b in names if a != b]
        lines = [["strategy", "against", "estimate", "low", "high", "unit", "n", "method"]]
        for one, other, found in rows:
            numbers = map(exact_text, (found.estimate, found.low, found.high))
            lines.append([one, other, *numbers, found.unit, str(found.n), found.method])
        return csv_text(lines)


def is_solvable(variant: Variant, players: int) -> bool:
    """Whether best play can be worked out for a game."""
    try:
        return players == 2 and bool(three_each(variant))
    except InputError:
        return False


def usual_names(variant: Variant, players: int) -> list[str]:
    """The built-in strategies of the family of a variant; best play only where there is a solution."""
    family = variant.family.name
    if family in LAYING:
        return list(laid_strategies(family))
    solved = is_solvable(variant, players)
    return [name for name, one in builtin_strategies().items() if solved or not one.plays_by_book]


def ratings_amount(variant: Variant, deals: int | None, games: int | None) -> tuple[int, bool]:
    """How many duplicates of every pair are played, and whether they are whole games."""
    _, by_games = usual_amount(variant, deals, games)
    given = games if by_games else deals
    if given is not None:
        return check_amount(given), by_games
    if by_games:
        return USUAL_GAMES, True
    return USUAL_SET_DEALS if variant.family.name == SETS else USUAL_DEALS, False


def ratings(
    variant: Variant | str,
    strategies: Sequence[str] | None = None,
    *,
    players: int | None = None,
    deals: int | None = None,
    games: int | None = None,
    seed: int = 1589,
    workers: int | None = None,
    progress: batch.Progress | None = None,
) -> Ratings:
    """Play every strategy against every other on the same deals.

    strategies : expressions, two or more (default: all built-in ones of the family); players : the fewest that the
    variant allows if left out; deals or games : duplicates of every pair (default 20,000 deals; 4,000 games where melds
    are laid, 400 deals where sets are). With more than two players one strategy sits among players of another. Raises
    InputError for names or numbers that do not exist.
    """
    rules = as_variant(variant)
    n = rules.rules.players[0] if players is None else check_players(rules, players)
    names = usual_names(rules, n) if strategies is None else list(strategies)
    files: tuple[Path, ...] = strategy_files(names)
    minds = tuple(read_mind(rules.family.name, name, files) for name in names)
    shown = [mind.name for mind in minds]
    twice = next((name for name in shown if shown.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"strategies: {twice} is named twice")
    if len(minds) < 2:
        raise InputError("strategies: a round robin needs two or more")
    amount, by_games = ratings_amount(rules, deals, games)
    robin = RoundRobin(rules, n, minds, check_seed(seed), by_games)
    return Ratings(robin, batch.run(robin, amount, workers=workers, progress=progress))


def ladder_words(found: Ratings) -> str:
    """The answer in a sentence or two."""
    first, last = found.groups[0], found.ladder[-1][0]
    head = f"{first[0]} is best" if len(first) == 1 else f"{and_words(first)} share the first place"
    together = [group for group in found.groups if len(group) > 1]
    if not together:
        return f"{head}, {last} last; all neighbours on the ladder can be told apart."
    told = "; ".join(and_words(group) for group in together)
    return f"{head}; {last} stands last. Neighbours that cannot be told apart: {told}."
