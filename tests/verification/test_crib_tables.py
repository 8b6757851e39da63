"""A table of mean cribs that is shipped, worked out once more from nothing: every count is the same (half a minute)."""

from __future__ import annotations

import numpy as np

from noddysim.engine.cribs import FIELDS, SETTLED, crib_table, work_out
from noddysim.engine.games import show_game
from noddysim.game.rules import load_variant


def test_the_table_of_cribbage_is_worked_out_again() -> None:
    game = show_game(load_variant("cribbage"), 2)
    shipped, found = crib_table(game), work_out(game)
    assert (found.rounds, found.gap, found.starters) == (shipped.rounds, shipped.gap, shipped.starters)
    for name in FIELDS:
        assert np.array_equal(found.counts[name], shipped.counts[name]), name
    assert found.gap < 4 * SETTLED
