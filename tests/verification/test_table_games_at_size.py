"""The melding game and Snitch equal their twins, event by event: 20,000 random games of the one, 5,000 of the other.

About two minutes on two cores, nearly all of it the twins. With NODDYSIM_VERIFY=full (make verify-full) it is 20,000 of
each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import table_games
import twin_work
import twins

PIECES = 40


@pytest.fixture(scope="module")
def pool() -> Iterator[Any]:
    with twin_work.workers() as pool:
        yield pool


def test_20_000_games_of_the_melding_game_equal_the_twin(pool: Any) -> None:
    skipped = pool.starmap(table_games.compare_meld_games, [(520, 1_000 + piece) for piece in range(PIECES)], 1)
    assert len(skipped) == PIECES
    assert 520 * PIECES - sum(skipped) >= 20_000


def test_games_of_snitch_equal_the_twin(pool: Any) -> None:
    games = twins.at_size(125, 500)
    done = pool.starmap(table_games.compare_set_games, [(games, 2_000 + piece) for piece in range(PIECES)], 1)
    assert len(done) == PIECES
