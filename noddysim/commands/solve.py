"""``solve``: best play of two for points, with two bounds that prove how good the saved strategy is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from noddysim.commands.common import columns, examples, json_option, print_json, say
from noddysim.commands.race import run as solve_race

if TYPE_CHECKING:
    from noddysim.engine.exactplay import Solved


@click.command(
    epilog=examples("noddysim solve noddy", "noddysim solve noddy-61 --json", "noddysim solve noddy --race --corner 3")
)
@click.argument("variant")
@click.option("--again", is_flag=True, help="Solve from nothing instead of reading what is kept; some minutes.")
@click.option("--race", is_flag=True, help="Near the end of the game: solve for the win, score by score.")
@click.option("--corner", type=int, metavar="N", help="With --race: both need at most N points; 12 if left out.")
@click.option("--steps", type=int, metavar="N", help="With --race: steps of the solver for each score.")
@json_option
def solve(variant: str, again: bool, race: bool, corner: int | None, steps: int | None, as_json: bool) -> None:
    """Best play of two players with three cards each, for points.

    The deal is solved for points, pone less dealer in the play; that is not the same as the chance to win a game. Two
    perfect opponents of the saved strategy are worked out, so the value lies between the two bounds. The strategy is
    called optimal. VARIANT is a name or the path of a file; rules whose play is like Noddy's share its solution,
    others are solved once and kept.

    With --race: the chance to win by both scores near the end, each solved from the last points backwards. Scores that
    were solved are kept, so an interrupted run goes on where it stopped.
    """
    if race:
        if again:
            raise click.UsageError("--again and --race cannot be given together")
        solve_race(variant, corner, steps, as_json)
        return
    if corner is not None or steps is not None:
        raise click.UsageError("--corner and --steps belong to --race")
    from noddysim.commands.progress import bars
    from noddysim.engine.exactplay import solve as find
    from noddysim.engine.solver import STEPS

    with bars() as announce:
        found = find(variant, again=again, progress=announce(f"solving {variant}", 13 * STEPS))
    if as_json:
        print_json(found.to_json())
    else:
        say(_words(found))


def _words(found: Solved) -> str:
    from noddysim.insight.numbers import format_number

    bounds = found.bounds
    rows = [
        ("both play the saved strategy", bounds.value),
        ("a perfect dealer against the saved pone", bounds.low),
        ("a perfect pone against the saved dealer", bounds.high),
    ]
    cells = [(what, format_number(value, 7, signed=True, terminal=True)) for what, value in rows]
    return "\n".join(
        [
            f"Best play of {found.variant} for points: pone less dealer in the play, points a deal",
            "",
            *columns(cells, right=(1,)),
            "",
            f"So the value of the play lies between {cells[1][1]} and {cells[2][1]},",
            f"and the strategy `optimal` loses at most {bounds.exploitability:.7f} points a deal, over both seats.",
        ]
    )
