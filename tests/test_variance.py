"""How much luck duplicates and a control variate take out, against worlds of which the factors are known."""

from __future__ import annotations

import numpy as np
import pytest

from noddysim.engine.measures import DuelCount
from noddysim.game.expressions import parse_strategy
from noddysim.insight import variance
from noddysim.insight.document import TableBlock
from noddysim.insight.estimates import Estimate
from noddysim.insight.trust import _variance_blocks


def normal(deals: int, seed: int = 5) -> dict[str, np.ndarray]:
    """Margins that share a control of variance 1 and have noise of variance 0.25 and an own part of 0.01."""
    rng = np.random.default_rng(seed)
    control, noise = rng.normal(size=deals), rng.normal(scale=0.5, size=deals)
    own = {name: rng.normal(scale=0.1, size=deals) for name in ("arm 0", "arm 1", "base 0", "base 1")}
    signs = {"arm 0": 1, "arm 1": -1, "base 0": 1, "base 1": -1}
    return {**{name: signs[name] * (control + noise) + own[name] for name in own}, "control": control}


def test_known_factors_are_found() -> None:
    columns = normal(20_000)
    assert variance.independent(columns) == pytest.approx(1.26, rel=0.05)
    assert variance.controlled(columns) == pytest.approx(0.26, rel=0.05)
    assert variance.duplicates(columns) == pytest.approx(0.01, rel=0.05)
    assert variance.controlled_duplicates(columns) == pytest.approx(variance.duplicates(columns), rel=0.01)


def test_the_interval_of_a_factor_holds_it_as_often_as_it_says() -> None:
    def gain(some: dict[str, np.ndarray]) -> float:
        return variance.independent(some) / variance.controlled(some)

    found = [variance._with_interval(normal(400, seed), gain).interval for seed in range(100)]
    held = sum(low < 1.26 / 0.26 < high for low, high in found if low is not None and high is not None)
    assert 87 <= held <= 99


def pairs_of(one: variance.Variance) -> Estimate:
    return one.devices[0].factor


def test_duplicates_pay_in_noddy_and_a_control_variate_on_top_does_not() -> None:
    (greedy, lead) = variance.variances(400, 3)
    for one in (greedy, lead):
        pairs, alone, more = one.devices
        assert pairs.factor.low is not None and pairs.factor.low > 5 and pairs.pays == "gains"
        assert alone.factor.low is not None and alone.factor.low > 1.5
        assert more.factor.estimate == pytest.approx(1, abs=0.05)
    assert "playing duplicates in place of independent deals gains, a factor of" in greedy.words(terminal=True)
    page = _variance_blocks((greedy, lead))
    (table,) = [block.table for block in page if isinstance(block, TableBlock)]
    assert len(table.rows) == 6 and table.rows[0][2] == pairs_of(greedy)


def test_the_differences_are_those_of_the_duel() -> None:
    game = variance.peg_game(variance.load_variant("noddy"), 2)
    arm, base, other = map(parse_strategy, ("greedy", "low", "careful"))
    columns = {
        f"{name} {seat}": variance._margins(game, mind, other, seat, 60, 9)
        for name, mind in (("arm", arm), ("base", base))
        for seat in (0, 1)
    }
    rows = DuelCount(game, (arm,), base, other, 9).rows(0, 60)
    assert (2 * variance.difference(columns)).tolist() == rows[0, :, :2].sum(axis=1).tolist()


def test_what_just_misses_is_undecided() -> None:
    wide = Estimate(1.1, 0.9, 1.3, 100, variance.FACTOR, "jackknife")
    assert variance.Device("a", "a", wide).pays == "is undecided"
