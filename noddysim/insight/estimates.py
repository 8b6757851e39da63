"""Numbers with their intervals, and the units they are told in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

Interval: TypeAlias = tuple[float | None, float | None]

NO_INTERVAL: Final[Interval] = (None, None)

POINTS: Final = "points a deal"
POINTS_IN_SEAT: Final = "points a deal in the seat concerned"
PER_OCCASION: Final = "points an occasion"
CHANCE: Final = "chance to win"
SCALE: Final = "of 100"


@dataclass(frozen=True)
class Estimate:
    """A number with its interval, and how it was come by.

    ``low`` and ``high`` are both None when no interval can be given (a single duplicate). ``n`` is the number of
    independent pieces of evidence (duplicates, games), or of cases counted if ``exact``. An exact value has
    ``low == high == estimate``. ``confidence`` is the level of the interval, between 0 and 1.
    """

    estimate: float
    low: float | None
    high: float | None
    n: int
    unit: str
    method: str
    exact: bool = False
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError(f"an estimate needs at least one observation, not n = {self.n}")
        if not math.isfinite(self.estimate):
            raise ValueError(f"an estimate is a finite number, not {self.estimate}")
        if self.low is None or self.high is None:
            if self.low is not self.high or self.exact:
                raise ValueError("an interval has two ends; only a sampled value may have none")
        elif not self.low <= self.estimate <= self.high:
            raise ValueError(f"{self.estimate} lies outside its own interval {self.low} … {self.high}")
        elif self.exact and self.low != self.high:
            raise ValueError("an exact value has no width")

    @property
    def interval(self) -> Interval:
        """``(low, high)``."""
        return self.low, self.high

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval: what "plus or minus" means at this level. None without an interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def to_json(self) -> dict[str, float | int | str | bool | None]:
        """The fields under the names that ``--json`` prints; a missing interval is null."""
        return {
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "unit": self.unit,
            "n": self.n,
            "method": self.method,
            "exact": self.exact,
            "confidence": self.confidence,
        }
