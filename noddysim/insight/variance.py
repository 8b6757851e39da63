"""How much luck each device takes out of a duel, measured: duplicates, and a control variate that is known exactly.

On the same deals every lineup of a duel is played: the arm and its baseline in each seat against one opponent. From
the spreads of those margins come the variances of four ways to estimate what the arm gains, at the same number of deals
played:

* independent deals: every lineup on deals of its own, ``sum of Var(margin) / sides**2``;
* the same with a control variate: from each margin a multiple of the difference of the shows and of the turned jack is
  taken, whose mean is known exactly (nought, and the points of a jack times 1/13), ``Var * (1 - rho**2)``;
* duplicates: all lineups on the same deals, the variance of the difference itself;
* duplicates with the same control variate.

A *factor* is the first variance over another: how many times as many independent deals give the same precision. (Owen,
*Monte Carlo theory, methods and examples*, chapter 8.) Intervals: delete-a-block jackknife of the logarithm (Efron and
Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 11).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from noddysim.engine.games import PegGame, peg_game
from noddysim.engine.measures import SOURCE_NAMES, DealCount
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.game.strategy_data import Strategy
from noddysim.insight.estimates import Estimate
from noddysim.insight.numbers import format_estimate

VARIANT: Final = "noddy"
DUELS: Final = (("greedy", "low", None), ("lead-low@greedy-random", "greedy-random", "careful"))
"""Arm, baseline, and the opponent of both; None where the two meet."""
SEED: Final = 1589
DEALS: Final = 6_000
QUICK_DEALS: Final = 1_000
BLOCKS: Final = 40
PAYS: Final = 1.05
"""A factor that is not above this is not worth its trouble."""
FACTOR: Final = "times as many deals without it"

MEANING: Final = (
    "A factor says how many times as many deals would be needed without the device for the same precision. The control "
    "variate is the difference of the two shows and the turned jack, whose means are known exactly. These do not "
    "depend on who plays, so they are alike in all plays of a duplicate and cancel there by themselves."
)
"""What a reader of the factors needs to know."""

Values = npt.NDArray[np.float64]
Columns = dict[str, Values]


@dataclass(frozen=True)
class Device:
    """One way to take luck out: its name, what it is beside, and the factor gained."""

    name: str
    words: str
    factor: Estimate

    @property
    def pays(self) -> str:
        """``gains``, ``gains nothing to speak of``, or ``is undecided``."""
        low, high = self.factor.interval
        assert low is not None and high is not None
        return "gains" if low > PAYS else "gains nothing to speak of" if high <= PAYS else "is undecided"

    def to_json(self) -> dict[str, Any]:
        """An entry of ``devices``."""
        return {"name": self.name, "verdict": self.pays, **self.factor.to_json()}


@dataclass(frozen=True)
class Variance:
    """What every device gains in one duel of two players."""

    arm: str
    baseline: str
    against: str | None
    deals: int
    seed: int
    devices: tuple[Device, ...]

    def to_json(self) -> dict[str, Any]:
        """An entry of ``variance`` in the JSON of ``noddysim verify``."""
        return {
            "variant": VARIANT, "arm": self.arm, "baseline": self.baseline, "against": self.against,
            "deals": self.deals, "seed": self.seed, "devices": [one.to_json() for one in self.devices],
        }  # fmt: skip

    @property
    def duel_words(self) -> str:
        """Who was compared with whom."""
        met = "who meet" if self.against is None else f"both against {self.against}"
        return f"{self.arm} beside {self.baseline}, {met}"

    def words(self, *, terminal: bool = False) -> str:
        """What pays and what does not, in a few sentences."""
        told = [
            f"{one.words} {one.pays}, a factor of {format_estimate(one.factor, signed=False, terminal=terminal)}"
            for one in self.devices
        ]
        return f"{self.duel_words}: {'; '.join(told)}."


def variances(deals: int = DEALS, seed: int = SEED) -> tuple[Variance, ...]:
    """Play the duels of DUELS on deals ``0 … deals - 1`` of a seed and measure every device."""
    return tuple(_measure(arm, base, against, deals, seed) for arm, base, against in DUELS)


def _measure(arm: str, baseline: str, against: str | None, deals: int, seed: int) -> Variance:
    game = peg_game(load_variant(VARIANT), 2)
    one, base, other = map(parse_strategy, (arm, baseline, against or baseline))
    columns = {f"arm {seat}": _margins(game, one, other, seat, deals, seed) for seat in (0, 1)}
    if against is not None:
        columns |= {f"base {seat}": _margins(game, base, other, seat, deals, seed) for seat in (0, 1)}
    columns["control"] = _control(game, other, deals, seed)

    def factor(of: Callable[[Columns], float]) -> Estimate:
        return _with_interval(columns, lambda some: independent(some) / of(some))

    more = _with_interval(columns, lambda some: duplicates(some) / controlled_duplicates(some))
    return Variance(
        arm, baseline, against, deals, seed,
        (
            Device("duplicates", "playing duplicates in place of independent deals", factor(duplicates)),
            Device("control variate", "a control variate on independent deals", factor(controlled)),
            Device("control variate beside duplicates", "a control variate on top of duplicates", more),
        ),
    )  # fmt: skip


# --- what is played -------------------------------------------------------------------------------------------------


def _points(game: PegGame, seats: tuple[Strategy, Strategy], deals: int, seed: int) -> dict[str, Values]:
    """Points of the pone less those of the dealer in each deal, all of them and those of the show and turned card."""
    measure = DealCount(game, seats, seed)
    wanted = {name: SOURCE_NAMES.index(name) for name in ("heels", "show", "deal")}
    found = {name: np.zeros(deals) for name in wanted}
    for number in range(deals):
        by_source = measure.count(number, number + 1)["by_source"]
        for name, place in wanted.items():
            pone, dealer = (int(np.flatnonzero(by_source[seat, place])[0]) for seat in (0, 1))
            found[name][number] = pone - dealer
    return found


def _margins(game: PegGame, one: Strategy, other: Strategy, seat: int, deals: int, seed: int) -> Values:
    """Margins of a strategy in a seat (0 the pone's) over the other."""
    pone = seat == 0
    margins = _points(game, (one, other) if pone else (other, one), deals, seed)["deal"]
    return margins if pone else -margins


def _control(game: PegGame, mind: Strategy, deals: int, seed: int) -> Values:
    """What does not depend on who plays: the pone's show less the dealer's, and less the turned jack."""
    points = _points(game, (mind, mind), deals, seed)
    return points["show"] + points["heels"]


# --- variances of one duplicate -------------------------------------------------------------------------------------


def _lineups(columns: Columns) -> list[Values]:
    return [values for name, values in columns.items() if name != "control"]


def independent(columns: Columns) -> float:
    """Every lineup on deals of its own."""
    return sum(float(values.var(ddof=1)) for values in _lineups(columns)) / 4


def controlled(columns: Columns) -> float:
    """The same, the control variate taken out of each."""
    control = columns["control"]
    return sum(_residual(values, control) for values in _lineups(columns)) / 4


def difference(columns: Columns) -> Values:
    """The value of each duplicate: the arm's margin less the baseline's, mean of the seats."""
    value = columns["arm 0"] + columns["arm 1"]
    if "base 0" in columns:
        value = value - columns["base 0"] - columns["base 1"]
    return np.asarray(value / 2)


def duplicates(columns: Columns) -> float:
    """All lineups on the same deals."""
    return float(difference(columns).var(ddof=1))


def controlled_duplicates(columns: Columns) -> float:
    """The same, the control variate taken out of the difference."""
    return _residual(difference(columns), columns["control"])


def _residual(values: Values, control: Values) -> float:
    """Variance of what the best multiple of the control variate leaves."""
    cross = np.cov(values, control)
    return float(cross[0, 0] - cross[0, 1] ** 2 / cross[1, 1])


def _with_interval(columns: Columns, ratio: Callable[[Columns], float]) -> Estimate:
    """A factor with its interval by leaving out one block of deals after the other."""
    from scipy.special import stdtrit  # type: ignore[import-untyped, unused-ignore]

    n = len(columns["control"])
    blocks = np.arange(n) * BLOCKS // n
    middle = math.log(ratio(columns))
    left = [
        math.log(ratio({name: values[blocks != block] for name, values in columns.items()})) for block in range(BLOCKS)
    ]
    spread = math.sqrt((BLOCKS - 1) / BLOCKS * sum((one - sum(left) / BLOCKS) ** 2 for one in left))
    reach = float(stdtrit(BLOCKS - 1, 0.975)) * spread
    return Estimate(math.exp(middle), math.exp(middle - reach), math.exp(middle + reach), n, FACTOR, "jackknife")
