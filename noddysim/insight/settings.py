"""What a duel is asked and what it answers: the setting, the limits of its verdict, and the estimates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from noddysim.engine.games import show_game
from noddysim.game.experiment import FIXED, Stop
from noddysim.game.laying_data import seat_names
from noddysim.game.minds import LAYING, Mind, read_mind, tip_in
from noddysim.game.strategy_data import Tip
from noddysim.insight.estimates import CHANCE, NO_INTERVAL, POINTS, Estimate

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.game.rules import Variant

CARDS_A_DEAL: Final = "cards changed a deal"
SHARE_OF_DEALS: Final = "share of duplicates"
PLAYED_OTHERWISE: Final = "share of duplicates played otherwise"


@dataclass(frozen=True)
class Setting:
    """Where duels are fought: a variant, a number of players, the baseline, the opponent, the seed."""

    variant: Variant
    players: int
    baseline: str
    against: str
    seed: int
    games: bool = False
    files: tuple[Path, ...] = ()
    """The user's strategy files whose names the expressions use."""

    @property
    def family(self) -> str:
        """The name of the family of games."""
        return self.variant.family.name

    @property
    def is_laying(self) -> bool:
        """Whether melds or sets are laid, and there is no play of cards to a count."""
        return self.family in LAYING

    @property
    def side_names(self) -> tuple[str, ...]:
        """Names of the sides, the eldest's first: seats where everybody is alone, else pairs of partners."""
        if self.is_laying:
            return tuple(seat_names(self.players))
        return show_game(self.variant, self.players).side_names

    def read(self, expression: str) -> Mind:
        """The strategy of an expression, the user's own by name too."""
        return read_mind(self.family, expression, self.files)

    def tip(self, expression: str) -> Tip | None:
        """The tip of ``TIP@BASE`` if it stands on the baseline of this setting."""
        parts = tip_in(self.family, expression, self.files)
        return parts[0] if parts and parts[1] == self.baseline else None

    @property
    def played_in(self) -> str:
        """What a duplicate is made of."""
        return "games" if self.games else "deals"

    @property
    def title(self) -> str:
        """What a progress line says of the duels of this setting."""
        return f"{self.variant.name}, {self.players} players, {self.baseline} v. {self.against}: {self.played_in}"

    def label(self, arm: str) -> dict[str, Any]:
        """What ``noddysim runs`` shows of an arm of that name."""
        return {
            "arm": arm, "variant": self.variant.name, "players": self.players, "baseline": self.baseline,
            "against": self.against, "of": self.played_in,
        }  # fmt: skip


@dataclass(frozen=True)
class Duel:
    """The answer to one comparison. Every Estimate comes from the same duplicates; None where there is none."""

    setting: Setting
    arm: str
    tip: Tip | None
    id: str
    n: int
    verdict: str
    zone: float
    effect: Estimate | None = None
    """Per deal (or the chance to win a game) over all sides."""
    seats: tuple[Estimate, ...] = ()
    """The same at each side, the eldest's first; without partners a side is a seat."""
    occasion: Estimate | None = None
    """For each card that the arm lays otherwise than the baseline."""
    changed: Estimate | None = None
    """How many cards a deal (or a game) a player lays otherwise; where melds or sets are laid, the share of duplicates
    in which any choice is another."""
    gained: Estimate | None = None
    lost: Estimate | None = None
    scale: Estimate | None = None
    """Where the arm stands from 0 (any card at that decision) to 100 (the best strategy known)."""
    corrected: tuple[float | None, float | None] = NO_INTERVAL
    """The interval that the verdict looks at, widened for the number of arms tested together."""
    sampled: Estimate | None = None
    """Where the effects were counted over all deals: what the deals played gave in the seat concerned, as a check."""

    @property
    def concerned(self) -> Estimate | None:
        """The effect in the seat concerned: eldest for advice on the lead, else (and for games) that over all seats."""
        in_seat = self.seats and self.concerns_eldest and not self.setting.games
        return self.seats[0] if in_seat else self.effect

    @property
    def concerns_eldest(self) -> bool:
        """Whether the advice bears on one seat only."""
        return self.tip is not None and self.tip.seat == "eldest"

    @property
    def seat_concerned(self) -> str:
        """Name of the seat concerned."""
        return self.setting.side_names[0] if self.concerns_eldest else "every seat"

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim duel --json``; seats are numbered from 1 = eldest."""
        head = self.effect.to_json() if self.effect else {
            "estimate": None, "low": None, "high": None, "unit": CHANCE if self.setting.games else POINTS,
            "n": self.n, "method": "nothing to measure", "exact": False, "confidence": 0.95,
        }  # fmt: skip
        return {
            **head,
            "verdict": self.verdict,
            "id": self.id,
            "variant": self.setting.variant.name,
            "players": self.setting.players,
            "arm": self.arm,
            "baseline": self.setting.baseline,
            "against": self.setting.against,
            "seed": self.setting.seed,
            "zone": self.zone,
            "seats": [{"seat": place + 1, **seat.to_json()} for place, seat in enumerate(self.seats)],
            "seat_concerned": self.seat_concerned,
            "in_seat_concerned": _json(self.concerned),
            "per_occasion": _json(self.occasion),
            "changed": _json(self.changed),
            "gained": _json(self.gained),
            "lost": _json(self.lost),
            "scale": _json(self.scale),
        }

    @property
    def table(self) -> pd.DataFrame:
        """One row an estimate: what, estimate, low, high, unit, n."""
        import pandas as pd

        rows = {"all seats": self.effect, "seat concerned": self.concerned}
        names = self.setting.side_names
        rows.update({f"as {name}": seat for name, seat in zip(names, self.seats, strict=False)})
        rows.update({"per occasion": self.occasion, "cards changed": self.changed, "scale": self.scale})
        found = [{"what": what, **value.to_json()} for what, value in rows.items() if value is not None]
        return pd.DataFrame(found, columns=["what", "estimate", "low", "high", "unit", "n"])

    def plot(self, ax: Any = None) -> Any:
        """Draw the effect by seat with its intervals; returns the matplotlib axes."""
        from noddysim.insight.plots import plot_duel

        return plot_duel(self, ax)

    def _repr_html_(self) -> str:
        from noddysim.insight.notebook import duel_html

        return duel_html(self)


def _json(value: Estimate | None) -> dict[str, Any] | None:
    return None if value is None else value.to_json()


@dataclass(frozen=True)
class Limits:
    """How verdicts are given: the zone that does not matter, how many arms are tested together, when they stop."""

    zone: float
    family: int = 1
    stop: Stop = FIXED
