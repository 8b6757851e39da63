"""Variants with a play of cards to a count beside each other, with one strategy and one number of players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from noddysim.engine.games import PHASES, peg_game, same_cards, show_game
from noddysim.engine.laying import WHOLE
from noddysim.engine.measures import SOURCE_NAMES, DealCount, GameCount, content_id
from noddysim.engine.runner import Runner, Unplayed
from noddysim.game.strategy_data import Strategy
from noddysim.insight import stats
from noddysim.insight.duplicates import Extremes, mean_of_duplicates
from noddysim.insight.estimates import POINTS, Estimate
from noddysim.insight.rows import LENGTHS, MAIN_PHASES, SHARE, TOTALS, UNITS, Difference, Row, less
from noddysim.insight.stats import Sums
from noddysim.kernels.moments import METRICS

if TYPE_CHECKING:
    from noddysim.engine.tally import Tally
    from noddysim.game.rules import Variant


def by_sides(variants: Sequence[Variant], players: int) -> list[list[Variant]]:
    """Variants with the same number of sides together: winning chances of others cannot be subtracted."""
    groups: dict[int, list[Variant]] = {}
    for variant in variants:
        groups.setdefault(show_game(variant, players).sides, []).append(variant)
    return list(groups.values())


def unlike(variants: Sequence[Variant], players: int) -> list[str]:
    """Notes on pairs of variants that the same cards do not reach, or that cannot be subtracted."""
    notes = []
    for a, b in combinations(variants, 2):
        who = f"{a.name} and {b.name}, {players} players"
        if show_game(a, players).sides != show_game(b, players).sides:
            notes.append(f"{who}: partners in one of them only, so there is nothing to subtract")
        elif not same_cards(a, b, players):
            notes.append(
                f"{who}: different numbers of cards are dealt or kept, so the same cards do not reach the same seats"
            )
    return notes


@dataclass(frozen=True)
class PeggingCell:
    """The variants that are compared for one number of players and one strategy."""

    variants: tuple[Variant, ...]
    players: int
    strategy: Strategy
    seed: int

    @property
    def family(self) -> str:
        """The name of the family of games."""
        return self.variants[0].family.name

    @property
    def sides(self) -> int:
        """How many sides play."""
        return show_game(self.variants[0], self.players).sides

    @property
    def measure(self) -> GameCount:
        """Games of all variants on the same numbers."""
        games = tuple(peg_game(variant, self.players) for variant in self.variants)
        return GameCount(games, self.strategy, self.seed)

    def edge(self, tally: Tally) -> Estimate:
        """The first dealer's edge in the first variant of a tally."""
        wins = [int(count) for count in tally["wins"][0]]
        return less(stats.proportion(wins[-1], int(tally["n"][0])), 1 / len(wins))

    def row(self, place: int, tally: Tally, asked: int, runner: Runner) -> Row:
        """Estimates of one variant; ``asked`` is the number of games, and of deals for the points a deal."""
        games = int(tally["n"][0])
        wins = [int(count) for count in tally["wins"][place]]
        shares = tuple(stats.proportion(count, games) for count in wins)
        phases = tally["phase_wins"][place].sum(axis=0)
        return Row(
            variant=self.variants[place],
            players=self.players,
            strategy=self.strategy.name,
            games=games,
            seat_wins=shares,
            side_names=peg_game(self.variants[place], self.players).side_names,
            edge=less(shares[-1], 1 / len(shares)),
            metrics={name: self._mean(place, name, tally) for name in self._looked_at(place)},
            points=self._points(place, asked, runner),
            id=content_id(self.measure.variant_identity(place))[0],
            phases={
                name: stats.proportion(int(phases[i]), games, SHARE)
                for i, name in enumerate(PHASES)
                if name in MAIN_PHASES or phases[i]
            },
            edge_moments=Sums(games, WHOLE * wins[-1], WHOLE**2 * wins[-1]),
        )

    def _looked_at(self, place: int) -> tuple[str, ...]:
        """Metrics of a variant besides the edge: how many games a game counts as says something with skunks only."""
        return (*LENGTHS, "games") if self.variants[place].pegging.skunk else LENGTHS

    def _mean(self, place: int, name: str, tally: Tally) -> Estimate:
        column = METRICS.index(name)
        sums = Sums(int(tally["n"][0]), int(tally["sums"][place, column]), int(tally["squares"][place, column]))
        return stats.mean_from_sums(*sums, unit=UNITS[name], method="t")

    def _points(self, place: int, deals: int, runner: Runner) -> tuple[dict[str, Estimate], ...]:
        """Points a deal by seat and source, from as many whole deals as there were games; none after an interrupt."""
        game = peg_game(self.variants[place], self.players)
        title = f"{self.variants[place].name}, {self.players} players, {self.strategy.name}: points a deal"
        try:
            tally = runner.run(DealCount(game, (self.strategy,) * self.players, self.seed), deals, title=title)
        except Unplayed:
            return ()
        counts = tally["by_source"]
        return tuple(
            {
                source: stats.mean_count(counts[seat, i], POINTS)
                for i, source in enumerate(SOURCE_NAMES)
                if source in TOTALS or counts[seat, i, 1:].any()
            }
            for seat in range(self.players)
        )

    def differences(self, tally: Tally) -> list[Difference]:
        """Every pair of variants in every metric."""
        found = []
        n = int(tally["n"][0])
        for pair, (a, b) in enumerate(self.measure.paired):
            for column, metric in enumerate(METRICS):
                total, squares = (int(tally[name][pair, column]) for name in ("pair_sums", "pair_squares"))
                if metric == "games" and not {"games"} & {*self._looked_at(a), *self._looked_at(b)}:
                    continue
                name = "edge" if metric == "first_dealer" else metric
                sums = Sums(n, total, squares)
                value = _of_winning(sums) if name == "edge" else stats.mean_from_sums(*sums, unit=UNITS[name])
                one, other = self.variants[a], self.variants[b]
                paired = same_cards(one, other, self.players)
                found.append(Difference(one.name, other.name, self.players, self.strategy.name, name, value, paired))
        return found


def _of_winning(sums: Sums) -> Estimate:
    """The mean of differences of games won by the first dealer, each -1, 0 or 1."""
    gained, lost = (sums.squares + sums.total) // 2, (sums.squares - sums.total) // 2
    return mean_of_duplicates(sums, Extremes(gained, lost, 1), unit=UNITS["edge"])
