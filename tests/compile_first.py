"""Compiling before the tests begin: two processes that do not do the same, where two test workers would.

Without it both workers of ``pytest -n 2`` come to the same kernels at once and compile each of them twice. A mark in
the folder of the compiled code, which is named after the text of the kernels, says that nothing need be done.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable


def deals() -> None:
    """Deals and duplicates of deals of the pegging family."""
    from noddysim.engine.games import peg_game
    from noddysim.engine.measures import DealCount, DuelCount
    from noddysim.game.expressions import parse_strategy
    from noddysim.game.rules import load_variant

    game, one, other = peg_game(load_variant("noddy"), 2), parse_strategy("greedy"), parse_strategy("low")
    DealCount(game, (one, other), 1).count(0, 1)
    DuelCount(game, (one,), other, other, 1).count(0, 1)


def games() -> None:
    """The games of melds and sets, then whole games of the pegging family and duplicates of them."""
    from noddysim.engine import melding, sets
    from noddysim.engine.games import peg_game
    from noddysim.engine.measures import DuelCount, GameCount
    from noddysim.game.expressions import parse_strategy
    from noddysim.game.laying import melder, setter
    from noddysim.game.rules import load_variant

    melding.count_games(load_variant("innocence"), [melder("first")] * 2, 1, 1)
    sets.count_games(load_variant("snitch"), [setter("first")] * 4, 1, 1)
    game, one, other = peg_game(load_variant("noddy"), 2), parse_strategy("greedy"), parse_strategy("low")
    GameCount((game,), one, 1).count(0, 1)
    DuelCount(game, (one,), other, other, 1, games=True).count(0, 1)


SHARES: dict[str, Callable[[], None]] = {"deals": deals, "games": games}


def compile_all() -> None:
    """Run each share in a process of its own unless that was done; raises CalledProcessError if one fails."""
    from noddysim.kernels import compiler

    mark = compiler.cache_folder() / "compiled-first"
    if compiler.config.DISABLE_JIT or mark.exists():
        return
    running = [subprocess.Popen([sys.executable, __file__, share]) for share in SHARES]
    for process in running:
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, process.args)
    mark.touch()


if __name__ == "__main__":
    SHARES[sys.argv[1]]()
