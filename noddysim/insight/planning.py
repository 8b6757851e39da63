"""How many duplicates a wished precision or power needs, from a short pilot, and how long that takes here.

The pilot plays duplicates of its own, whose numbers no run reaches, so that what it says of the spread is independent
of the run that follows. From its standard deviation s:

* precision: the least n with ``t(n - 1) * s / sqrt(n) <= precision``, the half-width of Student's interval ("Student",
  Biometrika 1908);
* power: the n at which Student's test of one sample finds a true effect with the wished chance, by the noncentral t
  distribution (statsmodels' ``TTestPower``; Cohen, *Statistical Power Analysis*, 2nd ed. 1988, chapter 2).

Differences of duplicates have long tails, so how well s is known comes from their fourth moment: the variance of a
sample variance is nearly ``(m4 - s**4) / n`` (Cramér, *Mathematical Methods of Statistics*, 1946, section 27.4). It
is taken for the logarithm of s, so that no end falls below nought.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from noddysim.engine import batch
from noddysim.engine.games import check_players, peg_game
from noddysim.engine.laying import LayingDuel
from noddysim.engine.measures import DuelCount
from noddysim.engine.scoring import as_variant
from noddysim.game.errors import InputError
from noddysim.game.experiment import check_seed
from noddysim.game.families import PEGGING
from noddysim.game.laying_data import MELDING, SETS, Melder, Setter
from noddysim.game.minds import read_mind
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy
from noddysim.game.userfiles import strategy_files
from noddysim.insight.duels import is_vacuous, usual_amount
from noddysim.insight.estimates import CHANCE, POINTS
from noddysim.insight.settings import Setting

FIRST_NUMBER: Final = 10**12
"""Number of the first duplicate of a pilot; runs end before it."""
PILOT: Final = 1_000
LONGEST_PILOT: Final[Mapping[str, int]] = {PEGGING.name: 64_000, MELDING: 32_000, SETS: 4_000}
"""By family: games of sets take a hundred times as long as the others."""
DIFFERING: Final = 2_000
"""A pilot is doubled until so many of its duplicates differ from nought, or it is as long as one may be."""
FEWEST_DIFFERING: Final = 20
"""With fewer that differ nothing is planned."""
POWER: Final = 0.9
GREATEST: Final = 1e15
"""Numbers of duplicates beyond this are refused: nobody plays them."""

Values = npt.NDArray[np.int64]


# --- formulas -------------------------------------------------------------------------------------------------------


def duplicates_for_precision(deviation: float, precision: float, *, confidence: float = 0.95) -> int:
    """The least number of duplicates whose interval is at most ``precision`` to each side.

    deviation : standard deviation of one duplicate, above nought, in the unit of ``precision``. Raises ValueError for
    numbers that are not above nought.
    """
    from scipy.special import ndtri, stdtrit  # type: ignore[import-untyped, unused-ignore]

    _check_above_nought(deviation=deviation, precision=precision)
    level = (1 + confidence) / 2
    n = max(2, math.ceil((float(ndtri(level)) * deviation / precision) ** 2))
    # Student's quantile is a little greater than the normal one: a few steps up at most.
    while float(stdtrit(n - 1, level)) * deviation > precision * math.sqrt(n):
        n += max(1, n // 10_000)
    return n


def duplicates_for_power(deviation: float, effect: float, *, power: float = POWER, confidence: float = 0.95) -> int:
    """How many duplicates find a true effect of this size with this chance, looked at once, two-sided.

    deviation and effect in one unit, both above nought; power between ``1 - confidence`` and 1. Raises ValueError else.
    """
    from scipy.special import ndtri

    _check_above_nought(deviation=deviation, effect=effect)
    if not 1 - confidence < power < 1:
        raise ValueError(f"a power lies between {1 - confidence:g} and 1, not {power}")
    size = effect / deviation
    normal = ((float(ndtri((1 + confidence) / 2)) + float(ndtri(power))) / size) ** 2
    if normal > 10_000:  # Student's distribution is the normal one there, and the noncentral one is hard to compute
        return math.ceil(normal)
    from statsmodels.stats.power import TTestPower  # type: ignore[import-untyped, unused-ignore]

    if float(TTestPower().power(size, 3, 1 - confidence)) >= power:
        return 3
    return math.ceil(float(TTestPower().solve_power(size, None, 1 - confidence, power)))


def _check_above_nought(**given: float) -> None:
    for name, value in given.items():
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"the {name} is a number above nought, not {value}")


# --- the pilot ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pilot:
    """What a pilot saw of one comparison, in printed units, with its cost on this machine."""

    n: int
    differing: int
    mean: float
    deviation: float
    kurtosis: float
    """Fourth moment about the mean by the square of the variance."""
    cpu_seconds: float

    @property
    def deviation_ends(self) -> tuple[float, float]:
        """The 95 % interval of the standard deviation."""
        from scipy.special import ndtri

        reach = float(ndtri(0.975)) * math.sqrt(max(0.0, self.kurtosis - 1) / self.n) / 2
        return self.deviation * math.exp(-reach), self.deviation * math.exp(reach)

    @property
    def seconds_each(self) -> float:
        """CPU seconds for one duplicate."""
        return self.cpu_seconds / self.n


def pilot_of(values: Values, divisor: int, cpu_seconds: float) -> Pilot:
    """A pilot from its whole-number differences, one a duplicate, which ``divisor`` turns into printed units."""
    about = values - values.mean()
    second = float((about**2).mean())
    kurtosis = float((about**4).mean()) / second**2 if second else 0.0
    n = len(values)
    deviation = math.sqrt(second * n / (n - 1)) / divisor
    return Pilot(n, int(np.count_nonzero(values)), float(values.mean()) / divisor, deviation, kurtosis, cpu_seconds)


@dataclass(frozen=True)
class Comparison:
    """One arm beside the baseline of a setting, as something that can be played from any number on."""

    setting: Setting
    arm: str

    @property
    def in_seat(self) -> bool:
        """Whether the verdict looks at the eldest's seat alone, as it does for advice that bears on it."""
        tip = self.setting.tip(self.arm)
        return tip is not None and tip.seat == "eldest" and not self.setting.games

    @property
    def seat_concerned(self) -> str:
        """Name of the seat whose points are looked at."""
        return self.setting.side_names[0] if self.in_seat else "every seat"

    def values(self, start: int, stop: int) -> tuple[Values, int]:
        """Differences of the duplicates ``start … stop - 1``, and what they are divided by."""
        rows, divisor, seat_divisor = self._rows(start, stop)
        return (rows[:, 0], seat_divisor) if self.in_seat else (rows.sum(axis=1), divisor)

    def _rows(self, start: int, stop: int) -> tuple[Values, int, int]:
        """Differences by seat."""
        setting = self.setting
        arm, base, opponent = (setting.read(name) for name in (self.arm, setting.baseline, setting.against))
        if isinstance(arm, Strategy) and isinstance(base, Strategy) and isinstance(opponent, Strategy):
            game = peg_game(setting.variant, setting.players)
            pegging = DuelCount(game, (arm,), base, opponent, setting.seed, setting.games)
            return pegging.rows(start, stop)[0, :, : game.sides], pegging.divisor, pegging.seat_divisor
        assert isinstance(arm, Melder | Setter) and isinstance(base, Melder | Setter)
        assert isinstance(opponent, Melder | Setter)
        laid = LayingDuel(setting.variant, setting.players, (arm,), base, opponent, setting.seed, setting.games)
        return laid.values(start, stop)[0][0], laid.divisor, laid.seat_divisor


def run_pilot(comparison: Comparison, first: int = PILOT) -> Pilot:
    """Play a pilot; its length depends on what it sees and not on the machine, its cost is measured on one thread."""
    comparison.values(FIRST_NUMBER - 1, FIRST_NUMBER)  # compiles or loads the kernels
    longest = LONGEST_PILOT[comparison.setting.family]
    parts: list[Values] = []
    seconds, done, size = 0.0, 0, first
    while True:
        start = time.process_time()
        found, divisor = comparison.values(FIRST_NUMBER + done, FIRST_NUMBER + done + size)
        seconds += time.process_time() - start
        parts.append(found)
        done += size
        values = np.concatenate(parts)
        if np.count_nonzero(values) >= DIFFERING or 2 * done > longest:
            return pilot_of(values, divisor, seconds)
        size = done


# --- the plan -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """How many duplicates are needed for what was wished, and what they cost.

    ``low`` and ``high`` are the numbers at the two ends of the interval of the pilot's standard deviation.
    """

    comparison: Comparison
    pilot: Pilot
    unit: str
    duplicates: int
    low: int
    high: int
    workers: int
    precision: float | None = None
    effect: float | None = None
    power: float | None = None

    @property
    def cpu_seconds(self) -> float:
        """Time on one processor."""
        return self.duplicates * self.pilot.seconds_each

    @property
    def seconds(self) -> float:
        """Time with all workers, if each has a processor of its own."""
        return self.cpu_seconds / self.workers

    @property
    def command(self) -> list[str]:
        """The arguments that play what is planned."""
        setting = self.comparison.setting
        words = ["noddysim", "duel", self.comparison.arm, setting.baseline]
        if setting.against != setting.baseline:
            words += ["--against", setting.against]
        words += ["--variant", setting.variant.name, "--players", str(setting.players)]
        return [*words, "--games" if setting.games else "--deals", str(self.duplicates), "--seed", str(setting.seed)]

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim plan --json``."""
        setting, pilot = self.comparison.setting, self.pilot
        return {
            "variant": setting.variant.name, "players": setting.players, "arm": self.comparison.arm,
            "baseline": setting.baseline, "against": setting.against, "seed": setting.seed,
            "duplicates_of": "games" if setting.games else "deals", "unit": self.unit,
            "seat_concerned": self.comparison.seat_concerned,
            "precision": self.precision, "effect": self.effect, "power": self.power,
            "duplicates": self.duplicates, "low": self.low, "high": self.high,
            "cpu_seconds": self.cpu_seconds, "workers": self.workers, "seconds": self.seconds,
            "pilot": {
                "n": pilot.n, "differing": pilot.differing, "mean": pilot.mean, "deviation": pilot.deviation,
                "deviation_low": pilot.deviation_ends[0], "deviation_high": pilot.deviation_ends[1],
                "cpu_seconds": pilot.cpu_seconds,
            },
            "command": self.command,
        }  # fmt: skip


@dataclass(frozen=True)
class Wish:
    """What a plan shall reach: a precision, or an effect to be found with a power."""

    precision: float | None = None
    effect: float | None = None
    power: float = POWER

    def __post_init__(self) -> None:
        """Refuse a wish for both or neither, and numbers that cannot be."""
        if (self.precision is None) == (self.effect is None):
            raise InputError("give --precision or --effect: how narrow the interval shall be, or what shall be found")
        for name, value in (("--precision", self.precision), ("--effect", self.effect)):
            if value is not None and not (math.isfinite(value) and value > 0):
                raise InputError(f"{name}: {value:g} must be a number above 0")
        if not 0.05 < self.power < 1:
            raise InputError(f"--power: {self.power:g} must lie between 0.05 and 1")

    def duplicates(self, deviation: float) -> int:
        """How many duplicates of this standard deviation are needed."""
        size = self.precision if self.precision is not None else self.effect
        assert size is not None
        if (deviation / size) ** 2 > GREATEST:
            raise InputError(f"{size:g} is so small that more than {GREATEST:.0e} duplicates are needed; wish for less")
        if self.precision is not None:
            return duplicates_for_precision(deviation, size)
        return duplicates_for_power(deviation, size, power=self.power)


def plan(
    variant: Variant | str,
    arm: str,
    baseline: str,
    wish: Wish,
    *,
    against: str | None = None,
    players: int | None = None,
    games: bool = False,
    seed: int = 1589,
    workers: int | None = None,
) -> Plan:
    """Play a pilot of ``arm`` beside ``baseline`` and say how many duplicates the wish needs.

    Arguments as for ``duels.duel``; games : whether whole games are played (games of melds always are). Raises
    InputError for names that do not exist, for a comparison in which there is nothing to decide, and where hardly any
    duplicate of the longest pilot came out otherwise.
    """
    rules = as_variant(variant)
    n = rules.rules.players[0] if players is None else check_players(rules, players)
    names = arm, baseline, against or baseline
    files = strategy_files(names)
    one, base, opponent = (read_mind(rules.family.name, name, files).name for name in names)
    _, by_games = usual_amount(rules, None, 1 if games else None)
    setting = Setting(rules, n, base, opponent, check_seed(seed), by_games, files)
    if is_vacuous(one, setting):
        raise InputError(f"{one} beside {base}: the decision does not exist in {rules.name}, so there is no number")
    comparison = Comparison(setting, one)
    pilot = run_pilot(comparison)
    if pilot.differing < FEWEST_DIFFERING or not pilot.deviation:
        raise InputError(
            f"{one} beside {base}: {pilot.differing} of {pilot.n:,} duplicates of the pilot came out otherwise; "
            f"nothing can be planned from fewer than {FEWEST_DIFFERING}"
        )
    needed, low, high = (wish.duplicates(deviation) for deviation in (pilot.deviation, *pilot.deviation_ends))
    power = None if wish.effect is None else wish.power
    return Plan(
        comparison, pilot, CHANCE if by_games else POINTS, needed, low, high, workers or batch.default_workers(),
        wish.precision, wish.effect, power,
    )  # fmt: skip
