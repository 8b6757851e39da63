"""Balance of variants: who wins by seat, how long a game is, where points come from, and what a change of rules moves.

All variants are played on the same game numbers. Where the same cards reach the same seats the differences between
variants are due to the rules alone; they are always taken game by game. The *edge* is the chance of the first dealer to
win less his fair share 1/n.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

from noddysim.engine.games import PHASES, check_players, peg_game, same_cards, show_game
from noddysim.engine.measures import METRICS, SOURCE_NAMES, DealCount, GameCount, content_id
from noddysim.engine.runner import Runner, Unplayed
from noddysim.engine.scoring import as_variant
from noddysim.game.errors import InputError
from noddysim.game.experiment import check_amount, check_seed, refuse_twice
from noddysim.game.expressions import parse_strategy
from noddysim.game.strategy_data import Strategy
from noddysim.insight import stats
from noddysim.insight.duplicates import Extremes, mean_of_duplicates
from noddysim.insight.estimates import CHANCE, POINTS, Estimate
from noddysim.insight.numbers import format_estimate, format_percent
from noddysim.insight.stats import Sums

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.engine.tally import Tally
    from noddysim.game.rules import Variant

T = TypeVar("T")

UNITS = {
    "edge": CHANCE,
    "deals": "deals a game",
    "cards": "cards laid a game",
    "lead_changes": "lead changes a game",
    "margin": "points between winner and next",
    "games": "games that a game counts as",
}
LENGTHS = ("deals", "cards", "lead_changes", "margin")
TOTALS = ("heels", "play", "show", "deal")
MAIN_PHASES = ("heels", "play", "show")
SHARE = "share of games"
FAIR_BAND = 0.01
"""An edge inside plus or minus this chance is called fair: one game in a hundred."""


@dataclass(frozen=True)
class Row:
    """One variant with one number of players and one strategy in every seat."""

    variant: Variant
    players: int
    strategy: str
    games: int
    seat_wins: tuple[Estimate, ...]
    """Chance to win by side in the first deal, the eldest's first, the first dealer's last."""
    side_names: tuple[str, ...]
    """Names of the sides: seats where everybody is alone, else pairs of partners."""
    edge: Estimate
    metrics: dict[str, Estimate]
    """Means of LENGTHS, and of ``games`` where the rules know skunks."""
    points: tuple[dict[str, Estimate], ...]
    """Points a deal by seat and source, whole deals with no target."""
    phases: dict[str, Estimate]
    """Share of games won at the heels, in the play, in the show, and in other phases where the rules have them."""
    id: str

    @property
    def verdict(self) -> str:
        """Whether it matters who deals first: *fair* if the whole interval of the edge lies inside the band."""
        low, high = self.edge.interval
        assert low is not None and high is not None
        if low >= -FAIR_BAND and high <= FAIR_BAND:
            return "fair"
        if low > 0:
            return "favours-dealer"
        return "favours-others" if high < 0 else "undecided"

    @property
    def words(self) -> str:
        """The answer in one sentence."""
        wins = format_estimate(self.seat_wins[-1], signed=False, terminal=True)
        deals = format_estimate(self.metrics["deals"], signed=False, terminal=True)
        answer = {
            "fair": "it hardly matters who deals first",
            "favours-dealer": "dealing first is an advantage",
            "favours-others": "dealing first is a drawback",
            "undecided": "who deals first may matter; these games do not tell",
        }[self.verdict]
        fair = format_percent(1 / len(self.side_names), terminal=True)
        dealer = "first dealer" if len(self.side_names) == self.players else "first dealer's side"
        return f"{answer}. The {dealer} wins {wins}, {fair} would be fair; {deals} deals a game."

    def to_json(self) -> dict[str, Any]:
        """The keys of a row of ``noddysim compare --json``."""
        return {
            "id": self.id,
            "verdict": self.verdict,
            "variant": self.variant.name,
            "players": self.players,
            "strategy": self.strategy,
            "games": self.games,
            "seat_wins": [
                {"seat": place + 1, "side": name, **share.to_json()}
                for place, (name, share) in enumerate(zip(self.side_names, self.seat_wins, strict=True))
            ],
            "edge": self.edge.to_json(),
            **{name: value.to_json() for name, value in self.metrics.items()},
            "points": [
                {"seat": place + 1, "source": source, **value.to_json()}
                for place, sources in enumerate(self.points)
                for source, value in sources.items()
            ],
            "phases": {phase: share.to_json() for phase, share in self.phases.items()},
        }


@dataclass(frozen=True)
class Difference:
    """Variant ``a`` minus variant ``b`` in one metric, game by game."""

    a: str
    b: str
    players: int
    strategy: str
    metric: str
    value: Estimate
    paired: bool
    """Whether the same cards reach the same seats in both."""

    def to_json(self) -> dict[str, Any]:
        """The keys of a difference of ``noddysim compare --json``."""
        return {
            "a": self.a, "b": self.b, "players": self.players, "strategy": self.strategy, "metric": self.metric,
            **self.value.to_json(), "paired": self.paired,
        }  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """Rows and differences of several variants, with what could not be compared."""

    rows: tuple[Row, ...]
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    seed: int

    def to_json(self) -> dict[str, Any]:
        """The JSON of ``noddysim compare``."""
        return {
            "rows": [row.to_json() for row in self.rows],
            "differences": [difference.to_json() for difference in self.differences],
            "notes": list(self.notes),
            "seed": self.seed,
        }

    @property
    def table(self) -> pd.DataFrame:
        """One row a variant, number of players, strategy and metric."""
        import pandas as pd

        rows = []
        for row in self.rows:
            head = {"variant": row.variant.name, "players": row.players, "strategy": row.strategy}
            named = {f"wins {name}": share for name, share in zip(row.side_names, row.seat_wins, strict=True)}
            for metric, value in {**named, "edge": row.edge, **row.metrics}.items():
                rows.append({**head, "metric": metric, **value.to_json()})
        return pd.DataFrame(rows)

    def _repr_html_(self) -> str:
        return str(self.table.to_html(index=False))


def compare(
    variants: Sequence[Variant | str],
    *,
    players: Sequence[int] = (2,),
    strategies: Sequence[str | Strategy] = ("greedy",),
    games: int = 100_000,
    seed: int = 1589,
    workers: int | None = None,
    runner: Runner | None = None,
) -> Comparison:
    """Play ``games`` games of each variant for each number of players and strategy (the same in every seat).

    variants : variants, or their names or paths; runner : how it is run (workers, store, listener), in place of
    ``workers``. After an interrupt it compares what was played by then.

    Variants that are not played by some number are left out there, with a note. Raises InputError if nothing is left,
    for names or numbers that do not exist, and for two variants of one name, whose rows could not be told apart.
    """
    check_amount(games)
    check_seed(seed)
    runner = runner or Runner(workers)
    loaded = [as_variant(variant) for variant in _listed("variants", variants, '["noddy", "noddy-61"]')]
    players = _listed("players", players, "[2, 3]")
    strategies = _listed("strategies", strategies, '["greedy"]')
    refuse_twice(
        [variant.name for variant in loaded],
        lambda place: InputError(f"two variants are named {loaded[place].name}; leave one out, or rename one"),
    )
    rows: list[Row] = []
    differences: list[Difference] = []
    notes: list[str] = []
    for n in players:
        fit = [variant for variant in loaded if n in variant.rules.players]
        missing = [variant.name for variant in loaded if variant not in fit]
        if missing:
            notes.append(f"{' and '.join(missing)}: not played by {n}")
        if not fit:
            check_players(loaded[0], n)
        notes += _unlike(fit, n)
        for given in strategies:
            strategy = given if isinstance(given, Strategy) else parse_strategy(given)
            for alike in _by_sides(fit, n):
                cell = Cell(tuple(alike), n, strategy, seed)
                try:
                    tally = cell.play(games, runner)
                    played = [cell.row(place, tally, games, runner) for place in range(len(alike))]
                except Unplayed:
                    continue
                rows += played
                differences += cell.differences(tally)
    return Comparison(tuple(rows), tuple(differences), tuple(notes), seed)


def _listed(what: str, given: Sequence[T], example: str) -> list[T]:
    """An argument that is a list of one or more; raises InputError for anything else, a text too."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        shown = repr(given) if isinstance(given, str | int | None) else f"a {type(given).__name__}"
        raise InputError(f"{what}: {shown} is no list; write for example {what}={example}")
    found = list(given)
    if not found:
        raise InputError(f"{what}: the list is empty; write for example {what}={example}")
    return found


def _by_sides(variants: Sequence[Variant], players: int) -> list[list[Variant]]:
    """Variants with the same number of sides together: winning chances of others cannot be subtracted."""
    groups: dict[int, list[Variant]] = {}
    for variant in variants:
        groups.setdefault(show_game(variant, players).sides, []).append(variant)
    return list(groups.values())


def _unlike(variants: Sequence[Variant], players: int) -> list[str]:
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
class Cell:
    """The variants that are compared for one number of players and one strategy."""

    variants: tuple[Variant, ...]
    players: int
    strategy: Strategy
    seed: int

    @property
    def measure(self) -> GameCount:
        """Games of all variants on the same numbers."""
        games = tuple(peg_game(variant, self.players) for variant in self.variants)
        return GameCount(games, self.strategy, self.seed)

    def play(self, games: int, runner: Runner) -> Tally:
        """Play the games."""
        labels = [
            {"arm": f"{variant.name}, {self.players} players, {self.strategy.name}", "of": "games"}
            for variant in self.variants
        ]
        title = f"balance, {self.players} players, {self.strategy.name}: games"
        return runner.run(self.measure, games, title=title, labels=labels, watch=self._edge)

    def _edge(self, tally: Tally) -> tuple[str, Estimate]:
        """The first dealer's edge in the first variant, as far as it has been played."""
        wins = [int(count) for count in tally["wins"][0]]
        share = stats.proportion(wins[-1], int(tally["n"][0]))
        return f"{self.variants[0].name}, edge", less(share, 1 / len(wins))

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
            id=content_id(
                GameCount((peg_game(self.variants[place], self.players),), self.strategy, self.seed).identity()
            )[0],
            phases={
                name: stats.proportion(int(phases[i]), games, SHARE)
                for i, name in enumerate(PHASES)
                if name in MAIN_PHASES or phases[i]
            },
        )

    def _looked_at(self, place: int) -> tuple[str, ...]:
        """Metrics of a variant besides the edge: how many games a game counts as says something with skunks only."""
        return (*LENGTHS, "games") if self.variants[place].pegging.skunk else LENGTHS

    def _mean(self, place: int, name: str, tally: Tally) -> Estimate:
        column = METRICS.index(name)
        sums = Sums(int(tally["n"][0]), int(tally["sums"][place, column]), int(tally["squares"][place, column]))
        return stats.mean_from_sums(*sums, unit=UNITS[name], method="t")

    def _points(self, place: int, deals: int, runner: Runner) -> tuple[dict[str, Estimate], ...]:
        """Points a deal by seat and source, from as many whole deals as there were games."""
        game = peg_game(self.variants[place], self.players)
        title = f"{self.variants[place].name}, {self.players} players, {self.strategy.name}: points a deal"
        tally = runner.run(DealCount(game, (self.strategy,) * self.players, self.seed), deals, title=title)
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
        for pair, (a, b) in enumerate(combinations(range(len(self.variants)), 2)):
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


def less(share: Estimate, fair: float) -> Estimate:
    """A share less a fixed number, with its interval moved along."""
    assert share.low is not None and share.high is not None
    low, high = share.low - fair, share.high - fair
    return replace(share, estimate=share.estimate - fair, low=low, high=high)
