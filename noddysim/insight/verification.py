"""Our numbers held against published ones: exact counts, points a deal, games won, and the table of mean cribs.

A published figure *agrees* if it lies within our interval widened by its own rounding, or misses it by no more than a
stated tolerance, which is needed where other players than ours made the figure. Counts have no tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from noddysim.engine import batch
from noddysim.engine.cribs import CribTable, crib_table, laid_away
from noddysim.engine.exact import ShowDistribution, show_distribution
from noddysim.engine.games import PegGame, peg_game
from noddysim.engine.measures import SOURCE_NAMES, DealCount, GameCount, content_id
from noddysim.engine.runner import Announce, silent
from noddysim.engine.scoring import as_variant
from noddysim.engine.tally import Tally
from noddysim.game.experiment import check_amount, check_seed
from noddysim.game.expressions import parse_strategy
from noddysim.insight import stats
from noddysim.insight.discards import OWN, THEIRS, mean_crib
from noddysim.insight.estimates import CHANCE, POINTS, Estimate
from noddysim.insight.published import CRIB, PERCENT, CribFigures, Figure, Published, Section, Whose, load_published
from noddysim.insight.rare_hands import rare_odds
from noddysim.kernels import noddy

DEALS: Final = 150_000
"""Deals by each of STRATEGIES."""
GAMES: Final = 50_000
SEED: Final = 1632
STRATEGY: Final = "keep-best-crib+careful"
"""Who plays in both seats: the best discards and the best play there are."""
STRATEGIES: Final = (STRATEGY, "keep-best-crib+lookahead", "keep-best-crib+greedy")
"""Players beside each other, to show how much of a deal's points is due to who plays. STRATEGY comes first."""
VARIANT: Final = "cribbage"
SKUNK: Final = 91
"""A loser below this score is skunked."""

AGREES: Final = "agrees"
DIFFERS: Final = "differs"
DEAL_NUMBERS: Final = ("deal", "play", "show", "crib")
WHOSE: Final[Mapping[Whose, int]] = {"own": OWN, "theirs": THEIRS}
HANDS: Final = "hands"
DEALS_A_GAME: Final = "deals a game"


@dataclass(frozen=True)
class Extent:
    """How much is played for the verification."""

    deals: int = DEALS
    games: int = GAMES
    seed: int = SEED

    def __post_init__(self) -> None:
        """Refuse what is no amount or no seed."""
        check_amount(self.deals)
        check_amount(self.games)
        check_seed(self.seed)

    @property
    def work(self) -> int:
        """Deals and games that will be announced in all."""
        return self.deals * len(STRATEGIES) + self.games


def extent_of(deals: int | None = None, games: int | None = None, seed: int | None = None) -> Extent:
    """The usual extent with what is given in place of it."""
    usual = Extent()
    return Extent(
        usual.deals if deals is None else deals,
        usual.games if games is None else games,
        usual.seed if seed is None else seed,
    )


# --- verdicts -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Span:
    """Where a published number may lie: the printed value, and its ends by rounding or by an interval of its own."""

    value: Fraction
    low: Fraction
    high: Fraction

    def scaled(self, factor: Fraction) -> Span:
        """The same in another unit."""
        return Span(self.value * factor, self.low * factor, self.high * factor)


def span_of(value: str, low: str | None = None, high: str | None = None, *, whole: bool = False) -> Span:
    """What a printed number stands for: ``"4.77"`` is 4.765 to 4.775, unless it came with an interval.

    whole : a number without a decimal point is meant as it stands (a count), and was not rounded.
    """
    middle, places = Fraction(value), len(value.partition(".")[2])
    half = Fraction(0) if whole and not places else Fraction(1, 2 * 10**places)
    return Span(
        middle, middle - half if low is None else Fraction(low), middle + half if high is None else Fraction(high)
    )


def distance(ours: Estimate, theirs: Span) -> float:
    """How far our interval and the published span lie apart; nought where they meet."""
    low, high = (ours.estimate, ours.estimate) if ours.low is None or ours.high is None else (ours.low, ours.high)
    return max(0.0, float(theirs.low) - high, low - float(theirs.high))


def verdict_of(ours: Estimate, theirs: Span, allowed: float = 0.0) -> str:
    """AGREES if interval and span come as near as ``allowed`` (nought: if they meet), else DIFFERS."""
    slack = 1e-9 * max(1.0, abs(ours.estimate))
    return AGREES if distance(ours, theirs) <= allowed + slack else DIFFERS


@dataclass(frozen=True)
class Check:
    """One published figure beside our number, both in our unit (shares of one for percentages)."""

    figure: Figure
    ours: Estimate
    theirs: Span
    allowed: float
    """By how much, in our unit, the figure may miss our interval."""
    allowed_printed: str
    """The same in the unit of the figure, as the file gives it."""
    reason: str

    @property
    def verdict(self) -> str:
        """AGREES or DIFFERS."""
        return verdict_of(self.ours, self.theirs, self.allowed)

    @property
    def by_tolerance(self) -> bool:
        """Whether it agrees only since a difference is allowed."""
        return self.verdict == AGREES and verdict_of(self.ours, self.theirs) == DIFFERS

    @property
    def difference(self) -> Estimate:
        """The published value less ours, with our interval."""
        return _less(float(self.theirs.value), self.ours)


def _less(value: float, ours: Estimate) -> Estimate:
    ends = None if ours.low is None or ours.high is None else (value - ours.high, value - ours.low)
    low, high = ends or (None, None)
    return Estimate(value - ours.estimate, low, high, ours.n, ours.unit, ours.method, ours.exact, ours.confidence)


def check_figure(figure: Figure, ours: Mapping[str, Estimate], published: Published) -> Check:
    """Hold one figure against the number of ours that it names; raises KeyError if there is none of that name."""
    factor = Fraction(1, 100) if figure.unit == PERCENT else Fraction(1)
    allowed = published.allowed_for(figure)
    return Check(
        figure,
        ours[figure.ours],
        span_of(figure.value, figure.low, figure.high, whole=figure.status == "counted").scaled(factor),
        float(Fraction(allowed) * factor),
        allowed,
        published.reason_for(figure),
    )


# --- exact counts ---------------------------------------------------------------------------------------------------

SHOWS: Final = {
    "hand": ("cribbage, hand", VARIANT, False),
    "crib": ("cribbage, crib", VARIANT, True),
    "noddy": ("Noddy, hand", "noddy", False),
    "costly": ("Costly Colours, hand", "costly-colours", False),
}
"""Shows that are counted whole: name, what a reader calls it, the variant, and whether it is of the crib."""
NO_FLUSH: Final = "no-flush"


def counted_shows() -> dict[str, ShowDistribution]:
    """Every hand with every starter of the SHOWS, and cribbage hands without flushes."""
    found = {name: show_distribution(variant, crib) for name, (_, variant, crib) in SHOWS.items()}
    return {**found, NO_FLUSH: show_distribution(as_variant(VARIANT).replace(show={"hand_flush": "off"}))}


def show_numbers(shows: Mapping[str, ShowDistribution]) -> dict[str, Estimate]:
    """What the figures of the section ``counted`` are held against, by name."""
    found: dict[str, Estimate] = {}
    for name, show in shows.items():
        most = max(show.counts)
        found[f"{name}.cases"] = _number(show.cases, show, HANDS)
        found[f"{name}.mean"] = _exact(float(show.exact_mean), show, POINTS)
        found[f"{name}.deviation"] = _exact(math.sqrt(show.variance), show, POINTS)
        found[f"{name}.nothing"] = _number(show.counts[0], show, HANDS)
        found[f"{name}.most"] = _number(most, show, POINTS)
        found[f"{name}.most-hands"] = _number(show.counts[most], show, HANDS)
        for points, word in ((0, "share-of-nothing"), (2, "two"), (4, "four")):
            found[f"{name}.{word}"] = stats.counted(show.counts[points], show.cases, CHANCE)
    return found


DEALT: Final = {"five": 5, "six": 6}
"""Cards dealt to a player of cribbage who keeps four: with three or four players, and with two."""
DEALS_FOR_ONE: Final = "deals for one such hand"


def odds_numbers() -> dict[str, Estimate]:
    """In how many deals the best hand is met once, by cards dealt and points: ``six.odds-29``."""
    return {
        f"{name}.odds-{points}": stats.counted(odds.numerator, odds.denominator, DEALS_FOR_ONE)
        for name, dealt in DEALT.items()
        for points, odds in rare_odds(dealt).items()
    }


def _exact(value: float, show: ShowDistribution, unit: str) -> Estimate:
    return Estimate(value, value, value, show.cases, unit, "counted", exact=True)


def _number(value: int, show: ShowDistribution, unit: str) -> Estimate:
    return _exact(float(value), show, unit)


# --- deals ----------------------------------------------------------------------------------------------------------

SEATS: Final = ("pone", "dealer")


def deal_numbers(tally: Tally) -> dict[str, Estimate]:
    """Points a deal by seat and source, and of both seats together, by name."""
    counts = tally["by_source"]
    found = {
        f"{who}.{source}": stats.mean_count(counts[seat, SOURCE_NAMES.index(source)], POINTS)
        for seat, who in enumerate(SEATS)
        for source in DEAL_NUMBERS
        if who == "dealer" or source != "crib"
    }
    found["both.deal"] = added(found["pone.deal"], found["dealer.deal"])
    found["either.show"] = added(found["pone.show"], found["dealer.show"], 2)
    return found


def added(a: Estimate, b: Estimate, divisor: int = 1) -> Estimate:
    """``(a + b) / divisor`` with the intervals added: never too narrow, however the two go together."""
    both = (a.estimate + b.estimate) / divisor
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Estimate(both, None, None, a.n, a.unit, a.method)
    return Estimate(both, (a.low + b.low) / divisor, (a.high + b.high) / divisor, a.n, a.unit, "t, intervals added")


# --- games ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Ends:
    """Games by how they end. Tally: ``deals`` (D,) by number of deals; ``losers`` (2, T) by winner and loser's score.

    ``measure`` is of one variant for two players.
    """

    measure: GameCount
    target: int

    @property
    def chunk(self) -> int:
        """Games in a chunk."""
        return self.measure.chunk

    def count(self, start: int, stop: int) -> Tally:
        """Play games ``start … stop - 1``."""
        rows = self.measure.records_of(self.measure.games[0], start, stop)
        deals = np.bincount(rows[:, noddy.N_DEALS], minlength=self.measure.longest)
        if len(deals) > self.measure.longest:
            raise OverflowError(f"a game of more than {self.measure.longest} deals")
        place = rows[:, noddy.WINNER] * self.target + rows[:, noddy.SECOND]
        losers = np.bincount(place, minlength=2 * self.target).reshape(2, self.target)
        return Tally({"deals": deals, "losers": losers})


def game_numbers(tally: Tally) -> dict[str, Estimate]:
    """What the figures of the section ``game`` are held against, by name."""
    deals, losers = tally["deals"], tally["losers"]
    games = int(losers.sum())
    of_first = np.arange(len(deals))
    of_first = (of_first + 1) // 2  # the deal alternates, so the first dealer has the odd ones
    by_margin = losers.sum(axis=0)[::-1]  # by one point, by two … : a winner stops at the target
    return {
        "first-dealer.wins": stats.proportion(int(losers[1].sum()), games),
        "first-dealer.skunks": stats.proportion(int(losers[1, :SKUNK].sum()), games),
        "first-dealer.deals": stats.mean_from_histogram(of_first, deals, unit=DEALS_A_GAME, method="t"),
        "game.deals": stats.mean_count(deals, DEALS_A_GAME),
        "game.by-one": stats.proportion(int(by_margin[0]), games),
        "game.by-two": stats.proportion(int(by_margin[1]), games),
    }


# --- cribs ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CribCheck:
    """One half of a published table of mean cribs beside ours, pair by pair."""

    table: CribFigures
    whose: Whose
    printed: Mapping[str, str]
    ours: Mapping[str, Estimate]
    allowed: float
    reason: str

    def verdict_of(self, laid: str) -> str:
        """The verdict on one pair."""
        return verdict_of(self.ours[laid], span_of(self.printed[laid]), self.allowed)

    @property
    def agreeing(self) -> int:
        """How many of the pairs agree."""
        return sum(self.verdict_of(laid) == AGREES for laid in self.printed)

    @property
    def verdict(self) -> str:
        """AGREES if every pair does."""
        return AGREES if self.agreeing == len(self.printed) else DIFFERS

    def difference(self, laid: str) -> float:
        """The published mean of a pair less ours."""
        return float(self.printed[laid]) - self.ours[laid].estimate

    @property
    def furthest(self) -> str:
        """The pair whose means lie furthest apart."""
        return max(self.printed, key=lambda laid: abs(self.difference(laid)))

    @property
    def mean_difference(self) -> float:
        """Mean of the published table less ours over all pairs."""
        return math.fsum(map(self.difference, self.printed)) / len(self.printed)


def crib_means(table: CribTable, whose: Whose) -> dict[str, Estimate]:
    """Our mean cribs of one half of the table, by pair."""
    return {name: mean_crib(table, WHOSE[whose], cell) for name, cell in laid_away(2)}


def _crib_checks(published: Published, ours: Mapping[Whose, Mapping[str, Estimate]]) -> tuple[CribCheck, ...]:
    allowed = float(published.allowed[CRIB])
    return tuple(
        CribCheck(table, whose, published.means(table, whose), ours[whose], allowed, published.reason_for(table, whose))
        for table in published.tables
        for whose in WHOSE
        if table.work(whose)
    )


# --- everything -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verification:
    """All published figures beside our numbers."""

    extent: Extent
    published: Published
    shows: Mapping[str, ShowDistribution]
    numbers: Mapping[str, Estimate]
    """Exact numbers of the shows and of the rarest hands, by name."""
    checks: tuple[Check, ...]
    by_strategy: Mapping[str, Mapping[str, Estimate]]
    """Points a deal by each of STRATEGIES."""
    table: CribTable
    cribs: tuple[CribCheck, ...]
    runs: tuple[dict[str, Any], ...]
    """What was played, with the ids of the runs."""

    def of(self, section: Section) -> list[Check]:
        """The checks of one section."""
        return [check for check in self.checks if check.figure.section == section]

    @property
    def counts(self) -> list[tuple[int, int, int]]:
        """Points, our number of hands and the published one."""
        given = self.published.distribution
        return [(points, self.shows[given.ours].counts.get(points, 0), n) for points, n in enumerate(given.counts)]


def verify(extent: Extent | None = None, *, workers: int | None = None, announce: Announce = silent) -> Verification:
    """Count, play, and hold all published figures against what comes of it.

    extent : how much to play; announce : told of each part with its amount of deals or games.
    """
    extent = extent or Extent()
    published = load_published()
    shows = counted_shows()
    numbers = {**show_numbers(shows), **odds_numbers()}
    by_strategy, runs = _play_deals(extent, workers, announce)
    games, run = _play_games(extent, workers, announce)
    ours = {**numbers, **by_strategy[STRATEGY], **games}
    table = crib_table(_game())
    means: dict[Whose, dict[str, Estimate]] = {whose: crib_means(table, whose) for whose in WHOSE}
    return Verification(
        extent=extent,
        published=published,
        shows=shows,
        numbers=numbers,
        checks=tuple(check_figure(figure, ours, published) for figure in published.figures),
        by_strategy=by_strategy,
        table=table,
        cribs=_crib_checks(published, means),
        runs=(*runs, run),
    )


def _game() -> PegGame:
    return peg_game(as_variant(VARIANT), len(SEATS))


def _play_deals(
    extent: Extent, workers: int | None, announce: Announce
) -> tuple[dict[str, dict[str, Estimate]], list[dict[str, Any]]]:
    """Points a deal by each of the STRATEGIES in both seats, and the runs."""
    found: dict[str, dict[str, Estimate]] = {}
    runs = []
    for name in STRATEGIES:
        measure = DealCount(_game(), (parse_strategy(name),) * len(SEATS), extent.seed)
        progress = announce(f"verification, {name}: deals", extent.deals)
        found[name] = deal_numbers(batch.run(measure, extent.deals, workers=workers, progress=progress))
        runs.append(_run(measure, name, "deals", extent.deals))
    return found, runs


def _play_games(extent: Extent, workers: int | None, announce: Announce) -> tuple[dict[str, Estimate], dict[str, Any]]:
    """How games between two of STRATEGY go, and the run."""
    game = _game()
    ends = _Ends(GameCount((game,), parse_strategy(STRATEGY), extent.seed), int(game.rules.target))
    progress = announce(f"verification, {STRATEGY}: games", extent.games)
    found = game_numbers(batch.run(ends, extent.games, workers=workers, progress=progress))
    return found, _run(ends.measure, STRATEGY, "games", extent.games)


def _run(measure: DealCount | GameCount, strategy: str, unit: str, n: int) -> dict[str, Any]:
    return {
        "experiment": "verification", "id": content_id(measure.identity())[0], "variant": VARIANT,
        "players": len(SEATS), "strategy": strategy, "unit": unit, "n": n,
    }  # fmt: skip
