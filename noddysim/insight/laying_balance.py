"""Variants in which melds or sets are laid beside each other, with one strategy and one number of players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from noddysim.engine.laying import WHOLE, LaidGames, laid_metrics, same_layout
from noddysim.engine.measures import content_id
from noddysim.engine.runner import Runner
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
    def family(self) -> str:
        """The name of the family of games."""
        return self.variants[0].family.name

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

    def edge(self, tally: Tally) -> Estimate:
        """The first dealer's edge in the first variant of a tally."""
        return less(_shares(0, tally)[-1], 1 / self.players)

    def row(self, place: int, tally: Tally, asked: int, runner: Runner) -> Row:
        """Estimates of one variant; nothing needs playing besides its games."""
        games = int(tally["n"][0])
        shares = _shares(place, tally)
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
            id=content_id(self.measure.variant_identity(place))[0],
            edge_moments=sums[EDGE],
        )

    def _sums(self, place: int, name: str, tally: Tally) -> Sums:
        column = self.metrics.index(name)
        return Sums(int(tally["n"][0]), int(tally["sums"][place, column]), int(tally["squares"][place, column]))

    def differences(self, tally: Tally) -> list[Difference]:
        """Every pair of variants in every metric, game by game."""
        found = []
        n = int(tally["n"][0])
        for pair, (a, b) in enumerate(self.measure.paired):
            one, other = self.variants[a], self.variants[b]
            for column, metric in enumerate(self.metrics):
                sums = Sums(n, int(tally["pair_sums"][pair, column]), int(tally["pair_squares"][pair, column]))
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


def _shares(place: int, tally: Tally) -> tuple[Estimate, ...]:
    """Chance to win by seat of one variant."""
    n, wins, squares = int(tally["n"][0]), tally["wins"][place], tally["win_squares"][place]
    return tuple(_share(Sums(n, int(a), int(b))) for a, b in zip(wins, squares, strict=True))


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
