"""A small corner of the end game, solved as the program does, held against the count of games; and the shipped one."""

from __future__ import annotations

import numpy as np
import pytest

import noddysim as ns
from noddysim.engine.race import ending, race
from noddysim.engine.scoring import as_variant
from noddysim.game.cards import format_card


def test_a_corner_of_two() -> None:
    found = race("noddy", 2, kept=False)
    assert len(found.states) == 4 and found.error < 0.001
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


@pytest.mark.parametrize("needs", [(1, 3), (4, 4), (12, 7)])
def test_shipped_states_are_solved_again(needs: tuple[int, int]) -> None:
    """Each out of the states that it leads to, as they are shipped."""
    shipped = ending(as_variant("noddy"))
    assert shipped is not None
    work = shipped.corner
    wins = float(work.chances[needs])
    again = work.solve(needs)
    assert again.wins == pytest.approx(wins, abs=1e-6)


def test_a_deal_at_even_scores_is_worth_what_its_state_says() -> None:
    """Over sampled hands of the pone, the best chances add up to the chance of the state."""
    shipped = ending(as_variant("noddy"))
    assert shipped is not None
    cards = np.random.default_rng(5)
    found = []
    for _ in range(12):
        *hand, starter = (format_card(int(card)) for card in cards.choice(52, 4, replace=False))
        told = ns.advise("noddy", seat="pone", hand=" ".join(hand), starter=starter, scores=(23, 23))
        assert told.best.chance is not None
        heels = 1 if starter.startswith("J") else 0
        found.append((told.best.chance.estimate, heels))
    wins = np.array([chance for chance, heels in found if not heels])
    error = wins.std(ddof=1) / np.sqrt(len(wins))
    # A turned jack, one deal in thirteen, gives the dealer a point: too rare here to count.
    assert abs(wins.mean() - float(shipped.chances[8, 8])) < 4 * error + 0.02
