"""Checks that intervals hold the truth as often as they claim, for each kind of interval that the project prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from noddysim.engine.games import peg_game
from noddysim.engine.measures import DuelCount
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.insight import stats
from noddysim.insight.duplicates import FEWEST, Extremes, mean_of_duplicates
from noddysim.insight.estimates import Estimate
from noddysim.insight.pegging_duels import Reading
from noddysim.insight.selfcheck import (
    ABOUT_95,
    AT_LEAST_95,
    SEED,
    Check,
    Formulas,
    IntArray,
    counted,
    holds,
    sums_of,
)
from noddysim.insight.selfcheck_world import VARIANT, World, draws

SAMPLE: Final = 400
"""Duplicates in a simulated experiment."""
FEW: Final = 20
"""Cases in a small experiment on a share."""
LARGEST: Final = 30 * 2
"""The largest swing of a duplicate that a bound reckons with, in whole-number differences: 30 points for two sides."""
DUELS: Final = 500
"""Duels whose deals together give the truth of each, at least."""
ARM, BASE = "greedy", "low"
LOOKAHEAD, SAFE = 3, 4
"""Places of two arms of a world that differ often."""


def interval_checks(world: World, formulas: Formulas, trials: int) -> Iterator[Check]:
    """Every check of this family; ``trials`` is how many experiments a quick one has."""
    yield _duels(max(200, trials // 4))
    yield _paired(world, formulas, trials)
    yield _means(world, formulas, trials)
    yield _unpaired(world, trials)
    yield _ratio(world, trials)
    yield _scale(world, trials)
    # What statsmodels works out one by one takes longer.
    yield from _shares(formulas, trials // 2)
    yield _differences_of_shares(trials // 2)
    yield _limits(trials // 2)
    yield _bounds(world, max(200, trials // 8))
    yield _too_few(world)


def some_duels(trials: int) -> tuple[float, list[Estimate]]:
    """Duels played by the kernels, each on deals of its own: the mean over all their deals together, and each answer.

    At least as many deals are played for the truth as a quick check has.
    """
    game, base = peg_game(load_variant(VARIANT), 2), parse_strategy(BASE)
    measure = DuelCount(game, (parse_strategy(ARM),), base, base, SEED)
    total = measure.count(0, max(trials, DUELS) * SAMPLE)
    truth = Reading(measure, total).effect(0).estimate
    starts = range(0, trials * SAMPLE, SAMPLE)
    return truth, [Reading(measure, measure.count(first, first + SAMPLE)).effect(0) for first in starts]


def _duels(trials: int) -> Check:
    truth, found = some_duels(trials)
    held = sum(holds(one, truth) for one in found)
    what = f"duels of {ARM} with {BASE}, {SAMPLE} duplicates each, played: the interval holds the mean of all"
    return counted("intervals-of-duels", "intervals", what, held, trials, ABOUT_95)


def _paired(world: World, formulas: Formulas, trials: int) -> Check:
    a, b = world.arm(LOOKAHEAD), world.arm(SAFE)
    truth = float((a - b).mean())
    held = sum(holds(formulas.paired(a[of], b[of]), truth) for of in draws(world, trials, SAMPLE, (1,)))
    what = "difference of two arms on the same cards: the paired interval holds the truth"
    return counted("intervals-of-paired-differences", "intervals", what, held, trials, ABOUT_95)


def _means(world: World, formulas: Formulas, trials: int) -> Check:
    values = world.arm(LOOKAHEAD)
    truth = float(values.mean())
    held = sum(holds(formulas.mean(sums_of(values[of])), truth) for of in draws(world, trials, SAMPLE, (2,)))
    what = "mean of duplicates: Student's interval holds the truth"
    return counted("intervals-of-means", "intervals", what, held, trials, ABOUT_95)


def _unpaired(world: World, trials: int) -> Check:
    a, b = world.arm(LOOKAHEAD), world.arm(SAFE)
    truth = float(a.mean() - b.mean())
    both = zip(draws(world, trials, SAMPLE, (3,)), draws(world, trials, SAMPLE // 2, (4,)), strict=True)
    held = sum(holds(stats.difference_of_means(sums_of(a[one]), sums_of(b[other])), truth) for one, other in both)
    what = "difference of two arms on other cards: Welch's interval holds the truth"
    return counted("intervals-of-independent-differences", "intervals", what, held, trials, ABOUT_95)


def _moments(a: IntArray, b: IntArray) -> stats.PairSums:
    some = (a != 0) | (b != 0)
    n, products = int(some.sum()), ((a * a).sum(), (a * b).sum(), (b * b).sum())
    return stats.PairSums(n, int(a.sum()), int(b.sum()), *map(int, products))


def _ratio(world: World, trials: int) -> Check:
    a, b = world.arm(LOOKAHEAD), world.changed[LOOKAHEAD]
    truth = float(a.sum() / b.sum())
    held = sum(holds(stats.ratio_from_sums(_moments(a[of], b[of])), truth) for of in draws(world, trials, SAMPLE, (5,)))
    what = "points for each card changed: the interval of the ratio holds the truth"
    return counted("intervals-of-ratios", "intervals", what, held, trials, ABOUT_95)


def _scale(world: World, trials: int) -> Check:
    """Only scales that are told are counted: without a length there is none."""
    arms = world.values[:3]
    tip, random, best = arms.mean(axis=1)
    truth = float(100 * (tip - random) / (best - random))
    n = 4 * SAMPLE
    found = []
    for of in draws(world, trials, n, (6,)):
        some = arms[:, of]
        found.append(stats.scale_from_paired(n, some.sum(axis=1), some @ some.T))
    told = [one for one in found if one is not None]
    held = sum(holds(one, truth) for one in told)
    what = "place between a random choice and the best known: the interval holds the truth"
    return counted("intervals-of-the-scale", "intervals", what, held, len(told), ABOUT_95)


def _shares(formulas: Formulas, trials: int) -> Iterator[Check]:
    """Shares whose truth is drawn anew for every experiment, over all sizes and among seldom things."""
    for stream, most, n, words in ((7, 1.0, SAMPLE, "any size"), (8, 0.1, FEW, "at most one in ten")):
        generator = np.random.default_rng([SEED, stream])
        truths = generator.uniform(0, most, trials)
        seen = generator.binomial(n, truths)
        held = sum(holds(formulas.share(int(k), n), float(p)) for k, p in zip(seen, truths, strict=True))
        what = f"shares of {words}, of {n} cases: Wilson's interval holds the truth"
        name = "intervals-of-shares" if most == 1 else "intervals-of-seldom-shares"
        yield counted(name, "intervals", what, held, trials, ABOUT_95)
    # Between the upper ends of the exact interval with all its error on this side and with half of it.
    found = formulas.share(0, FEW)
    assert found.high is not None
    least, most = 1 - 0.05 ** (1 / FEW), 1 - 0.025 ** (1 / FEW)
    what = f"none of {FEW}: the upper end lies between the exact limits at 95 and at 97.5 %"
    yield Check("none-of-twenty", "intervals", what, found.high, least, most)


def _differences_of_shares(trials: int) -> Check:
    generator = np.random.default_rng([SEED, 9])
    sizes = SAMPLE, SAMPLE // 4
    truths = generator.uniform(0, 1, (2, trials))
    seen = [generator.binomial(n, p) for n, p in zip(sizes, truths, strict=True)]
    held = sum(
        holds(stats.difference_of_proportions(int(a), sizes[0], int(b), sizes[1]), float(p - q))
        for a, b, p, q in zip(*seen, *truths, strict=True)
    )
    what = "difference of two shares: Newcombe's interval holds the truth"
    return counted("intervals-of-differences-of-shares", "intervals", what, held, trials, ABOUT_95)


def _limits(trials: int) -> Check:
    generator = np.random.default_rng([SEED, 10])
    truths = generator.uniform(0, 0.1, trials)
    seen = generator.binomial(SAMPLE, truths)
    held = sum(stats.share_at_most(int(k), SAMPLE) >= p for k, p in zip(seen, truths, strict=True))
    what = "greatest likely share: it is no less than the truth"
    return counted("limits-of-shares", "intervals", what, held, trials, AT_LEAST_95)


def _bounds(world: World, trials: int) -> Check:
    """Where hardly any duplicate differs: about as many as the least that Student's interval is made from."""
    values = world.squeezed
    truth = float(values.mean())
    n = max(FEWEST, round(FEWEST / 2 / float((values != 0).mean())))
    held = 0
    for of in draws(world, trials, n, (11,)):
        some = values[of]
        extremes = Extremes(int((some > 0).sum()), int((some < 0).sum()), LARGEST)
        held += holds(mean_of_duplicates(sums_of(some), extremes), truth)
    what = f"{n} duplicates of which about {FEWEST // 2} differ: the bound by share and swing holds the truth"
    return counted("bounds-where-few-differ", "intervals", what, held, trials, AT_LEAST_95)


def _too_few(world: World) -> Check:
    """Below FEWEST duplicates no interval is ever given."""
    values = world.arm(LOOKAHEAD)
    given = trials = 0
    for n in range(1, FEWEST):
        for of in draws(world, 20, n, (12, n)):
            some = values[of]
            extremes = Extremes(int((some > 0).sum()), int((some < 0).sum()), LARGEST)
            given += mean_of_duplicates(sums_of(some), extremes).low is not None
            trials += 1
    what = f"fewer than {FEWEST} duplicates: intervals given"
    return Check("no-interval-from-a-few", "intervals", what, given, 0, 0, trials, share=False)
