"""``plan``: how much must be played for a wished precision or power, and how long that takes on this machine."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from noddysim.commands.common import (
    examples,
    json_option,
    players_option,
    print_json,
    say,
    seed_option,
    variant_option,
)
from noddysim.commands.evidence import workers_option

if TYPE_CHECKING:
    from noddysim.insight.planning import Plan


@click.command(
    epilog=examples(
        "noddysim plan greedy low --precision 0.005",
        "noddysim plan lead-low@greedy-random greedy-random --effect 0.02 --power 0.9",
        "noddysim plan lookahead greedy --games --effect 0.005 --json",
    )
)
@click.argument("arm")
@click.argument("baseline")
@click.option("--against", metavar="O", help="Opponent in all other seats; without one, the two meet.")
@click.option("--precision", type=float, metavar="P", help="Wished: an interval of at most P to each side.")
@click.option("--effect", type=float, metavar="E", help="Wished: a true effect of E is found.")
@click.option("--power", type=float, default=0.9, show_default=True, metavar="C", help="Chance of finding it.")
@click.option("--games", is_flag=True, help="Plan whole games instead of deals.")
@players_option
@variant_option
@seed_option
@workers_option
@json_option
def plan(
    arm: str,
    baseline: str,
    against: str | None,
    precision: float | None,
    effect: float | None,
    power: float,
    games: bool,
    players: int | None,
    variant: str,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """Say how many duplicates a wished precision or power needs.

    A short pilot, on deals that no run reaches, shows how much duplicates of ARM and BASELINE differ and what one costs
    on this machine. P and E are in points a deal in the seat concerned, or as a chance to win with --games (0.005 is
    half a percentage point).
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.insight.planning import Wish
    from noddysim.insight.planning import plan as make

    wish = Wish(precision, effect, power)
    note_first_use()
    found = make(
        variant, arm, baseline, wish, against=against, players=players, games=games, seed=seed, workers=workers
    )
    if as_json:
        print_json(found.to_json())
    else:
        say(plan_words(found))


def plan_words(found: Plan) -> str:
    """A plan as text: the answer, its uncertainty, the time, the command."""
    setting, pilot = found.comparison.setting, found.pilot
    what = "games" if setting.games else "deals"
    seat = "" if found.comparison.seat_concerned == "every seat" else f" as {found.comparison.seat_concerned}"
    if found.precision is not None:
        wish = f"An interval of +/-{found.precision:g} {found.unit}{seat}"
    else:
        assert found.power is not None
        wish = f"To find an effect of {found.effect:g} {found.unit}{seat} with a chance of {100 * found.power:g} %"
    ends = pilot.deviation_ends
    return "\n".join(
        [
            f"{found.comparison.arm} beside {setting.baseline}, against {setting.against}: "
            f"{setting.variant.name}, {setting.players} players",
            f"{wish} takes about {found.duplicates:,} duplicates of {what} ({found.low:,} ... {found.high:,}, 95 %).",
            f"Time to play them here: {time_words(found.cpu_seconds)} on one processor, {time_words(found.seconds)} "
            f"with {found.workers} workers that have one each.",
            f"Pilot: {pilot.n:,} duplicates, {pilot.differing:,} differ; standard deviation {pilot.deviation:.4g} "
            f"({ends[0]:.4g} ... {ends[1]:.4g}); {pilot.cpu_seconds:.2g} CPU seconds.",
            f"To play it: {shlex.join(found.command)}",
        ]
    )


def time_words(seconds: float) -> str:
    """A time with two figures: seconds, minutes, hours or days."""
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.2g} {unit}" if seconds < 100 * size else f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.2g} seconds" if seconds < 99.5 else f"{seconds:.0f} seconds"
