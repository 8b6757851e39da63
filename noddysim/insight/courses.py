"""How games go, told of a comparison's rows: drama, comebacks, when the lead was settled, and the spread of lengths.

Definitions stand in docs/metrics.md. They follow Browne (Automatic generation and evaluation of recombination games,
2008; Browne and Maire, Evolutionary game design, 2010), told in points and cards, which can be counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noddysim.engine.courses import COURSE_METRICS, GAP_STEP, LENGTHS, PARTS, LaidCourse, PeggingCourse
from noddysim.engine.games import peg_game, same_cards
from noddysim.engine.laying import same_layout
from noddysim.engine.runner import Runner
from noddysim.game.laying_data import SETS
from noddysim.insight import stats
from noddysim.insight.duplicates import Extremes, kept_within, mean_of_duplicates
from noddysim.insight.estimates import Estimate
from noddysim.insight.pegging_balance import PeggingCell
from noddysim.insight.rows import SHARE, UNITS, Difference, Row
from noddysim.insight.spreads import clustered_share, quantile
from noddysim.insight.stats import PairSums, Sums

if TYPE_CHECKING:
    from noddysim.engine.tally import Tally
    from noddysim.insight.laying_balance import LaidCell

PER_CENTS: Final = (5, 50, 95)
FEWEST_COMEBACKS: Final = 30
"""Games with a start so far behind from which a comeback chance is told."""


@dataclass(frozen=True)
class Spread:
    """The whole distribution of a length: how many games were so long, and its percentiles.

    The greatest length, LONGEST - 1, stands for all above too.
    """

    counts: Mapping[int, int]
    percentiles: Mapping[int, Estimate]

    def to_json(self) -> dict[str, Any]:
        """``p5``, ``p50``, ``p95`` and the games by length, lengths that did not occur left out."""
        seen = {str(length): games for length, games in self.counts.items()}
        return {**{f"p{p}": value.to_json() for p, value in self.percentiles.items()}, "counts": seen}


@dataclass(frozen=True)
class Course:
    """How the games of one row went, besides its metrics."""

    spreads: Mapping[str, Spread]
    """By name of the length: deals, cards, and turns where melds or sets are laid."""
    comebacks: Mapping[int, Estimate]
    """Chance to win by points behind the best of the others when a deal other than the first begins; where melds are
    laid, when a round of turns begins, since most games are one deal."""
    step: int = 1
    """Points behind that are told together: a chance is for those at most so far behind as it says."""

    def to_json(self) -> dict[str, Any]:
        """The keys ``spreads`` and ``comebacks`` of a row."""
        return {
            "spreads": {name: spread.to_json() for name, spread in self.spreads.items()},
            "comebacks": [{"behind": gap, **chance.to_json()} for gap, chance in self.comebacks.items()],
            "comeback_step": self.step,
        }


def with_course(
    cell: PeggingCell | LaidCell, rows: Sequence[Row], games: int, runner: Runner
) -> tuple[list[Row], list[Difference]]:
    """The rows of a cell with how their games went, and the differences in that, game by game."""
    title = f"how games go, {cell.players} players, {cell.strategy.name}: games"
    tally = runner.run(_measure(cell), games, title=title, labels=[None])
    found = [
        replace(row, metrics={**row.metrics, **_metrics(tally, place)}, course=_course(tally, place, row))
        for place, row in enumerate(rows)
    ]
    return found, _differences(cell, tally)


def _measure(cell: PeggingCell | LaidCell) -> PeggingCourse | LaidCourse:
    if isinstance(cell, PeggingCell):
        games = tuple(peg_game(variant, cell.players) for variant in cell.variants)
        return PeggingCourse(games, cell.strategy, cell.seed)
    return LaidCourse(cell.variants, cell.players, cell.strategy, cell.seed)


def _metrics(tally: Tally, place: int) -> dict[str, Estimate]:
    n = int(tally["n"][0])
    found = {}
    for column, name in enumerate(COURSE_METRICS):
        sums = Sums(n, int(tally["sums"][place, column]), int(tally["squares"][place, column]))
        if UNITS[name] == SHARE:
            found[name] = stats.proportion(sums.total, n, SHARE)
        else:
            found[name] = _within(name, stats.mean_from_sums(*sums, _divisor(name), UNITS[name], method="t"))
    trailing = clustered_share(PairSums(n, *map(int, tally["trailing"][place])), UNITS["trailing"])
    return found if trailing is None else {**found, "trailing": trailing}


def _divisor(name: str) -> int:
    return PARTS if name == "decided" else 1


def _within(name: str, found: Estimate) -> Estimate:
    """A mean of parts of a whole lies between 0 and 1, whatever Student says."""
    return kept_within(found, 0.0, 1.0) if name == "decided" else found


def _course(tally: Tally, place: int, row: Row) -> Course:
    spreads = {}
    for name in LENGTHS:
        if name in tally.counts:
            counts = tally[name][place]
            found = {p: quantile(counts, p / 100, UNITS[name]) for p in PER_CENTS}
            spreads[name] = Spread({int(k): int(counts[k]) for k in np.flatnonzero(counts)}, found)
    step = GAP_STEP if row.variant.family.name == SETS else 1
    return Course(spreads, _comebacks(tally["comebacks"][place], step), step)


def _comebacks(counts: np.ndarray, step: int) -> dict[int, Estimate]:
    """By points behind, as far as there are enough games; the last place, for all above, is left out."""
    found = {}
    for gap, (games, won, times, won_squared, won_times, times_squared) in enumerate(counts[:-1].tolist()):
        if games >= FEWEST_COMEBACKS:
            share = clustered_share(PairSums(games, won, times, won_squared, won_times, times_squared))
            assert share is not None
            found[step * gap] = share
    return found


def _differences(cell: PeggingCell | LaidCell, tally: Tally) -> list[Difference]:
    n = int(tally["n"][0])
    found = []
    for pair, (one, other) in enumerate(combinations(cell.variants, 2)):
        pegging = isinstance(cell, PeggingCell)
        paired = same_cards(one, other, cell.players) if pegging else same_layout(one, other)
        for column, name in enumerate(COURSE_METRICS):
            sums = Sums(n, int(tally["pair_sums"][pair, column]), int(tally["pair_squares"][pair, column]))
            if UNITS[name] == SHARE:
                gained, lost = (sums.squares + sums.total) // 2, (sums.squares - sums.total) // 2
                value = mean_of_duplicates(sums, Extremes(gained, lost, 1), unit=UNITS[name])
            else:
                value = stats.mean_from_sums(*sums, _divisor(name), UNITS[name])
            found.append(Difference(one.name, other.name, cell.players, cell.strategy.name, name, value, paired))
    return found
