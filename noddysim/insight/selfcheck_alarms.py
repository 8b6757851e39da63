"""Checks that nothing is found where there is nothing, and that what is there is found as often as planned.

Null experiments are differences of two duplicates that were drawn independently of each other from the same world: they
have the shape of real differences, and their true mean is exactly nought.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from noddysim.insight import stats, verdicts
from noddysim.insight.planning import POWER, duplicates_for_power, duplicates_for_precision
from noddysim.insight.selfcheck import (
    ABOUT_5,
    AT_MOST_5,
    LEVEL,
    SLACK,
    Check,
    Claim,
    Formulas,
    IntArray,
    counted,
    sums_of,
)
from noddysim.insight.selfcheck_world import World, draws
from noddysim.insight.stats import Sums
from noddysim.insight.verdicts import HELPS, HURTS

SAMPLE: Final = 300
TIPS: Final = 20
"""Null tips that are read together."""
LOOKS: Final = 40
CHUNK: Final = 100
"""Duplicates between two looks."""
ARM: Final = 3
"""Place of an arm of the world that differs often and gains."""
FINDINGS: Final = (HELPS, HURTS)


def alarm_checks(world: World, formulas: Formulas, trials: int) -> Iterator[Check]:
    """False alarms: of one null tip, of a whole family of them, and of one that is looked at again and again,
    by a fixed number and by a decision."""
    yield _one(world, trials)
    yield _families(world, max(200, trials // 2))
    yield _looks(world, formulas, trials)
    yield _decisions(world, formulas, max(200, trials // 4))


def power_checks(world: World, trials: int) -> Iterator[Check]:
    """What the plan promises: the power at the stated effect, and the wished precision."""
    values = world.arm(ARM)
    effect, deviation = float(values.mean()), float(values.std())
    n = duplicates_for_power(deviation, effect, power=POWER)
    found = sum(_verdict(sums_of(values[of])) == HELPS for of in draws(world, trials, n, (31,)))
    what = f"an effect of {effect:.2f} points with the {n} duplicates that the plan asks for: it is found"
    yield counted("power-as-planned", "power", what, found, trials, Claim(POWER - SLACK, POWER + SLACK))
    wrong = sum(_verdict(sums_of(-values[of])) == HELPS for of in draws(world, trials, n, (32,)))
    what = "the same effect with its sign turned: it is called a help"
    yield counted("sign-never-turned", "power", what, wrong, trials, Claim(0.0, 0.001))
    yield _precision(world, deviation, trials)


def _precision(world: World, deviation: float, trials: int) -> Check:
    """Half-widths of planned experiments: their mean beside the one that was wished."""
    values, wished = world.arm(ARM), deviation / 10
    n = duplicates_for_precision(deviation, wished)
    widths = []
    for of in draws(world, trials, n, (33,)):
        half = stats.mean_from_sums(*sums_of(values[of])).half_width
        widths.append(math.inf if half is None else half / wished)
    # The half-width follows the deviation seen, whose own spread shrinks with the trials.
    reach = 6 * float(np.std(widths)) / math.sqrt(trials) + SLACK
    what = f"half-width of {n} duplicates that the plan asks for, as a part of the one wished, on average"
    return Check("precision-as-planned", "power", what, float(np.mean(widths)), 1 - reach, 1 + reach, trials, False)


def _verdict(sums: Sums, tips: int = 1) -> str:
    found = stats.mean_from_sums(*sums, confidence=stats.family_confidence(tips, LEVEL))
    return verdicts.verdict(found.interval, 0.0)


def _null(world: World, trials: int, n: int, stream: int) -> Iterator[IntArray]:
    """Experiments of n null differences each."""
    values = world.arm(ARM)
    for of in draws(world, trials, 2 * n, (stream,)):
        yield values[of[:n]] - values[of[n:]]


def _one(world: World, trials: int) -> Check:
    found = sum(_verdict(sums_of(null)) in FINDINGS for null in _null(world, trials, SAMPLE, 21))
    what = f"a null tip, {SAMPLE} duplicates: it is called a help or a hurt"
    return counted("false-alarms-of-one-tip", "alarms", what, found, trials, ABOUT_5)


def _families(world: World, trials: int) -> Check:
    found = 0
    for null in _null(world, trials, TIPS * SAMPLE, 22):
        found += any(_verdict(sums_of(part), TIPS) in FINDINGS for part in null.reshape(TIPS, SAMPLE))
    what = f"{TIPS} null tips read together by corrected intervals: any is called a help or a hurt"
    return counted("false-alarms-of-twenty-tips", "alarms", what, found, trials, ABOUT_5)


def looks_of(null: IntArray) -> list[Sums]:
    """Sums of a growing sample at every look, a chunk more each time."""
    parts = null.reshape(-1, CHUNK)
    totals, squares = parts.sum(axis=1).cumsum(), (parts * parts).sum(axis=1).cumsum()
    return [Sums(CHUNK * k, int(a), int(b)) for k, (a, b) in enumerate(zip(totals, squares, strict=True), 1)]


def _looks(world: World, formulas: Formulas, trials: int) -> Check:
    found = 0
    for null in _null(world, trials, LOOKS * CHUNK, 23):
        found += verdicts.verdict(formulas.settle(looks_of(null)).interval, 0.0) in FINDINGS
    what = f"a null tip played in {LOOKS} chunks with a fixed number: it is called a help or a hurt"
    return counted("false-alarms-of-looks", "alarms", what, found, trials, ABOUT_5)


def _decisions(world: World, formulas: Formulas, trials: int) -> Check:
    found = 0
    for null in _null(world, trials, LOOKS * CHUNK, 24):
        found += verdicts.verdict(formulas.decide(looks_of(null)).interval, 0.0) in FINDINGS
    what = f"a null tip that may be decided at any of {LOOKS} looks, by a confidence sequence: a help or a hurt"
    return counted("false-alarms-of-decisions", "alarms", what, found, trials, AT_MOST_5)
