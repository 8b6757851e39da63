"""What a comparison of variants answers: rows, differences, and the words and units they are told in.

The *edge* is the chance of the first dealer to win less his fair share 1/n.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from noddysim.engine.laying import WHOLE
from noddysim.insight.estimates import CHANCE, Estimate
from noddysim.insight.numbers import format_estimate, format_percent
from noddysim.insight.stats import Sums, p_value_from_sums

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.game.rules import Variant
    from noddysim.insight.courses import Course
    from noddysim.insight.skill import Ladder

SHARE: Final = "share of games"
UNITS = {
    "edge": CHANCE,
    "deals": "deals a game",
    "cards": "cards laid a game",
    "lead_changes": "lead changes a game",
    "margin": "points between winner and next",
    "games": "games that a game counts as",
    "turns": "turns a game",
    "melds": "melds a game",
    "draws": "draws a game",
    "passes": "passes a game",
    "first_melder_wins": SHARE,
    "won_by_first_meld": SHARE,
    "first_round": SHARE,
    "stock_out": SHARE,
    "by_jack": SHARE,
    "wilds_left": "wild cards left in hand a game",
    "cards_left": "cards left in hand a game",
    "best": "points of the winner",
    "drama": "points that the winner was behind at most",
    "decided": "share of the cards laid",
    "from_behind": SHARE,
    "trailing": "share of deals after the first",
    "skill": CHANCE,
    "skill_share": "share of the variance of winning",
}
LENGTHS = ("deals", "cards", "lead_changes", "margin")
TOTALS = ("heels", "play", "show", "deal")
MAIN_PHASES = ("heels", "play", "show")
FAIR_BAND = 0.01
"""An edge inside plus or minus this chance is called fair, unless another band is asked for: one game in a hundred."""


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
    """Means of LENGTHS, and what else there is: ``games`` where the rules know skunks, turns where melds or sets are
    laid, and so on."""
    points: tuple[dict[str, Estimate], ...]
    """Points a deal by seat and source, whole deals with no target; none where melds or sets are laid."""
    phases: dict[str, Estimate]
    """Share of games won at the heels, in the play, in the show, and in other phases where the rules have them."""
    id: str
    edge_moments: Sums | None = field(default=None, repr=False)
    """Moments by game of the first dealer's part of it, in parts of WHOLE."""
    band: float = FAIR_BAND
    counted: Estimate | None = None
    """The first dealer's chance to win counted over all deals, where that can be done."""
    course: Course | None = None
    skill: Ladder | None = None

    @property
    def verdict(self) -> str:
        """Whether it matters who deals first: *fair* if the whole interval of the edge lies inside the band.

        Where the chance is counted, that decides.
        """
        low, high = (less(self.counted, 1 / len(self.side_names)) if self.counted else self.edge).interval
        assert low is not None and high is not None
        if low >= -self.band and high <= self.band:
            return "fair"
        if low > 0:
            return "favours-dealer"
        return "favours-others" if high < 0 else "undecided"

    @property
    def edge_p(self) -> float | None:
        """Two-sided p value of Student's t test that the first dealer wins his fair share; None where not counted."""
        if self.edge_moments is None:
            return None
        n, total, squares = self.edge_moments
        sides = len(self.side_names)
        less_fair = sides * total - n * WHOLE
        return p_value_from_sums(n, less_fair, sides**2 * squares - 2 * sides * WHOLE * total + n * WHOLE**2)

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
        counted = f", counted {format_estimate(self.counted, signed=False, terminal=True)}" if self.counted else ""
        return f"{answer}. The {dealer} wins {wins}{counted}; {fair} would be fair. {deals} deals a game."

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
            "edge": {**self.edge.to_json(), "p": self.edge_p, "band": self.band},
            "counted": self.counted.to_json() if self.counted else None,
            **{name: value.to_json() for name, value in self.metrics.items()},
            "points": [
                {"seat": place + 1, "source": source, **value.to_json()}
                for place, sources in enumerate(self.points)
                for source, value in sources.items()
            ],
            "phases": {phase: share.to_json() for phase, share in self.phases.items()},
            **(self.course.to_json() if self.course else {}),
            **({"skill": self.skill.to_json()} if self.skill else {}),
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
    counted: Estimate | None = None
    """The same difference counted over all deals, where that can be done; of the edge only."""

    @property
    def told(self) -> Estimate:
        """What is told in words: the counted difference, or else the one of the games that were played."""
        return self.counted or self.value

    def to_json(self) -> dict[str, Any]:
        """The keys of a difference of ``noddysim compare --json``."""
        return {
            "a": self.a, "b": self.b, "players": self.players, "strategy": self.strategy, "metric": self.metric,
            **self.value.to_json(), "paired": self.paired,
            "counted": self.counted.to_json() if self.counted else None,
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
            skill = {"skill": row.skill.widest.chance, "skill_share": row.skill.share} if row.skill else {}
            counted = {"wins counted": row.counted} if row.counted else {}
            for metric, value in {**named, **counted, "edge": row.edge, **row.metrics, **skill}.items():
                rows.append({**head, "metric": metric, **value.to_json()})
        return pd.DataFrame(rows)

    def plot(self, ax: Any = None) -> Any:
        """Draw the first dealer's edge of every row with its interval; returns the matplotlib axes."""
        from noddysim.insight.plots import plot_comparison

        return plot_comparison(self, ax)

    def _repr_html_(self) -> str:
        from noddysim.insight.notebook import comparison_html

        return comparison_html(self)


def less(share: Estimate, fair: float) -> Estimate:
    """A share less a fixed number, with its interval moved along."""
    assert share.low is not None and share.high is not None
    low, high = share.low - fair, share.high - fair
    return replace(share, estimate=share.estimate - fair, low=low, high=high)
