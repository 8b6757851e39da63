"""Another library's random cribbage beside ours, timed in the same rounds.

OpenSpiel (Lanctot et al. 2019) is the fastest general library of games with cribbage in it that we know. It comes with
the extra ``oracle``. Its random bots play whole games in its own compiled loop, so Python costs it nothing; a game to
121 by two random players is the same work for both.
"""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec
from typing import Final

PACKAGE: Final = "open_spiel"
RIVAL_JOB: Final = "cribbage to 121, random, OpenSpiel"
OUR_JOB: Final = "cribbage to 121, random"


def has_rival() -> bool:
    """Whether OpenSpiel is installed."""
    return find_spec("pyspiel") is not None


def rival_name() -> str:
    """OpenSpiel with its version."""
    return f"OpenSpiel {version(PACKAGE)}"


def rival_games(games: int) -> None:
    """Play whole games of two-player cribbage between OpenSpiel's uniformly random bots."""
    import pyspiel

    cribbage = pyspiel.load_game("cribbage", {"players": 2})
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(2)]
    for number in range(games):
        pyspiel.evaluate_bots(cribbage.new_initial_state(), bots, number)
