"""A corner of three by three of the end game, solved as the program does, held against the count of whole games."""

from __future__ import annotations

import pytest

import noddysim as ns
from noddysim.engine.race import race


def test_a_corner_of_three() -> None:
    found = race("noddy", 3, kept=False)
    assert len(found.states) == 9 and found.error < 0.001
    for state in found.states:
        assert state.low <= state.wins <= state.high
        assert (state.suits is None) == (state.pone != state.dealer)
        assert state.suits is None or -1e-9 < state.suits < 0.01
    chances = found.chances
    assert all(chances[need, 2] > chances[need + 1, 2] and chances[2, need] < chances[2, need + 1] for need in (1, 2))
    by_count = ns.exact.game("noddy", "optimal", "optimal")
    assert 1 - found.by_points[31, 31] == pytest.approx(by_count.first_dealer_wins, abs=1e-12)
    assert 1 - found.by_points[5, 9] == pytest.approx(by_count.chances[0, 26, 22], abs=1e-12)
    # He who plays to win wins no less often than he who plays for points, against a perfect dealer.
    assert 0 < found.gain < 0.05
