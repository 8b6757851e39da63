"""The table of mean cribs by what is laid away, as estimates: ``noddysim exact discards``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from noddysim.engine.cribs import CribTable, crib_table, laid_away, work_out
from noddysim.engine.games import check_players, show_game
from noddysim.engine.scoring import as_variant, no_crib
from noddysim.insight import stats
from noddysim.insight.estimates import Estimate
from noddysim.kernels.records import THOUSAND

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.game.rules import Variant

CRIB: Final = "points in the crib"
SHARE: Final = "share of deals"
THEIRS, OWN = 0, 1


@dataclass(frozen=True)
class Discard:
    """Something to lay away: its mean crib where the crib is one's own side's and where it is the others'.

    ``own_share`` and ``theirs_share`` say in what share of deals a player who weighs hand and crib lays it away, in a
    seat of the dealer's side and in another one.
    """

    laid: str
    own: Estimate
    theirs: Estimate
    own_share: float
    theirs_share: float

    def to_json(self) -> dict[str, Any]:
        """The keys of a row of ``noddysim exact discards --json``."""
        return {
            "laid": self.laid, "own": self.own.to_json(), "theirs": self.theirs.to_json(),
            "own_share": self.own_share, "theirs_share": self.theirs_share,
        }  # fmt: skip


@dataclass(frozen=True)
class Discards:
    """The whole table of a variant, and how it was worked out."""

    variant: str
    players: int
    rows: tuple[Discard, ...]
    rounds: int
    deals: int
    gap: float
    """The most, in points, by which the table differs from the one by which the others laid away."""

    def to_json(self) -> dict[str, Any]:
        """The JSON of ``noddysim exact discards``."""
        return {
            "variant": self.variant, "players": self.players, "rounds": self.rounds, "deals": self.deals,
            "gap": self.gap,            "rows": [row.to_json() for row in self.rows],
        }  # fmt: skip

    @property
    def table(self) -> pd.DataFrame:
        """One row for each thing to lay away: laid, own, theirs, half the width of both intervals, and the shares."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "laid": row.laid, "own": row.own.estimate, "own_plus_minus": row.own.half_width,
                    "theirs": row.theirs.estimate, "theirs_plus_minus": row.theirs.half_width,
                    "own_share": row.own_share, "theirs_share": row.theirs_share,
                }
                for row in self.rows
            ]
        )  # fmt: skip


def discards(variant: Variant | str = "cribbage", players: int | None = None, again: bool = False) -> Discards:
    """The table of mean cribs of a variant for a number of players (the fewest it allows if left out).

    again : work it out from nothing instead of reading the table that is shipped or kept. Raises InputError for
    a variant in which nothing is laid away to a crib.
    """
    rules = as_variant(variant)
    number = rules.rules.players[0] if players is None else check_players(rules, players)
    game = show_game(rules, number)
    if not game.rules.crib:
        raise no_crib(rules)
    table = work_out(game) if again else crib_table(game)
    rows = tuple(_row(table, name, cell) for name, cell in laid_away(int(game.rules.discard)))
    return Discards(rules.name, number, rows, table.rounds, table.deals, table.gap / THOUSAND)


def _row(table: CribTable, name: str, cell: tuple[int, int]) -> Discard:
    totals = [int(table.counts["chosen"][whose].sum()) for whose in (THEIRS, OWN)]
    theirs_share, own_share = (int(table.counts["chosen"][w, *cell]) / totals[w] for w in (THEIRS, OWN))
    return Discard(name, mean_crib(table, OWN, cell), mean_crib(table, THEIRS, cell), own_share, theirs_share)


def mean_crib(table: CribTable, whose: int, cell: tuple[int, int]) -> Estimate:
    """One cell as a ratio over deals, since the tries of one deal lean on each other."""
    names = ("points", "tries", "squares", "cross", "tries_squared")
    moments = stats.PairSums(table.deals, *(int(table.counts[name][whose, *cell]) for name in names))
    found = stats.ratio_from_sums(moments, table.starters, unit=CRIB)
    if found is None:
        raise RuntimeError("nothing was laid away in any deal")
    return found
