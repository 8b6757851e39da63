"""Variants in which melds or sets are laid beside each other, with one strategy and one number of players."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from noddysim.engine.laying import WHOLE, LaidGames, laid_metrics, same_layout
from noddysim.engine.measures import content_id
from noddysim.game.laying_data import Laid, seat_names
from noddysim.insight import stats
from noddysim.insight.duplicates import kept_within
from noddysim.insight.estimates import CHANCE, Estimate
from noddysim.insight.rows import SHARE, UNITS, Difference, Row, less
from noddysim.insight.stats import Sums

if TYPE_CHECKING:
    from noddysim.engine.tally import Tally
    from noddysim.game.rules import Variant

EDGE: Final = "first_dealer"


@dataclass(frozen=True)
class LaidCell:
    """The variants of one family that are compared for one number of players and one strategy."""

    variants: tuple[Variant, ...]
    players: int
    strategy: Laid
    seed: int

    @property
    def sides(self) -> int:
        """How many sides play: everybody is alone."""
        return self.players

    @property
    def measure(self) -> LaidGames:
        """Games of all variants on the same numbers."""
        return LaidGames(self.variants, self.players, self.strategy, self.seed)

    @property
    def metrics(self) -> tuple[str, ...]:
        """What is looked at in a game, in the order of the tally."""
        return laid_metrics(self.variants[0])

    def row(self, place: int, tally: Tally, games: int, workers: int | None) -> Row:
        """Estimates of one variant."""
        wins, squares = tally["wins"][place], tally["win_squares"][place]
        shares = tuple(_share(Sums(games, int(a), int(b))) for a, b in zip(wins, squares, strict=True))
        sums = {name: self._sums(place, name, tally) for name in self.metrics}
        return Row(
            variant=self.variants[place],
            players=self.players,
            strategy=self.strategy.name,
            games=games,
            seat_wins=shares,
            side_names=tuple(seat_names(self.players)),
            edge=less(shares[-1], 1 / self.players),
            metrics={name: _metric(name, sums[name]) for name in self.metrics if name != EDGE},
            points=(),
            phases={},
            id=content_id(self.measure.identity(place))[0],
            moments={"edge" if name == EDGE else name: moments for name, moments in sums.items()},
        )

    def _sums(self, place: int, name: str, tally: Tally) -> Sums:
        column = self.metrics.index(name)
        squares = int(tally["products"][place, place, column])
        return Sums(int(tally["n"][0]), int(tally["sums"][place, column]), squares)

    def differences(self, tally: Tally) -> list[Difference]:
        """Every pair of variants in every metric, game by game."""
        found = []
        for a, b in combinations(range(len(self.variants)), 2):
            one, other = self.variants[a], self.variants[b]
            for column, metric in enumerate(self.metrics):
                products = tally["products"][:, :, column]
                sums = Sums(
                    int(tally["n"][0]),
                    int(tally["sums"][a, column] - tally["sums"][b, column]),
                    int(products[a, a] - 2 * products[a, b] + products[b, b]),
                )
                name = "edge" if metric == EDGE else metric
                value = difference_by_game(name, sums)
                paired = same_layout(one, other)
                found.append(Difference(one.name, other.name, self.players, self.strategy.name, name, value, paired))
        return found


def difference_by_game(name: str, sums: Sums) -> Estimate:
    """The mean of differences game by game; those of the edge in parts of WHOLE."""
    if name == "edge":
        found = stats.mean_from_sums(*sums, WHOLE, unit=UNITS[name])
        return kept_within(found, -1.0, 1.0)
    return stats.mean_from_sums(*sums, unit=UNITS[name])


def _share(sums: Sums) -> Estimate:
    """A chance to win, in parts of WHOLE: Wilson's interval where no game was shared, else Student's."""
    won, rest = divmod(sums.total, WHOLE)
    if rest == 0 and sums.squares == WHOLE * sums.total:
        return stats.proportion(won, sums.n, CHANCE)
    return kept_within(stats.mean_from_sums(*sums, WHOLE, CHANCE, method="t"), 0.0, 1.0)


def _metric(name: str, sums: Sums) -> Estimate:
    """Mean of a metric, or a share of games of one that is 0 or 1."""
    if UNITS[name] == SHARE:
        return stats.proportion(sums.total, sums.n, SHARE)
    return stats.mean_from_sums(*sums, unit=UNITS[name], method="t")
