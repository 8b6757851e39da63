"""``exact``: answers that are counted, not sampled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from noddysim.commands.card import card
from noddysim.commands.common import Group, columns, examples, json_option, kind_words, players_option, print_json, say
from noddysim.commands.exactplay import best, game, play

if TYPE_CHECKING:
    from noddysim.engine.exact import ShowDistribution
    from noddysim.insight.discards import Discards


@click.group(
    cls=Group,
    epilog=examples("noddysim exact show noddy", "noddysim exact play noddy --pone greedy --dealer lookahead"),
)
def exact() -> None:
    """Count instead of sampling: every case once, no error. What is sampled all the same says so."""


for command in (play, game, best, card):
    exact.add_command(command)


@exact.command(epilog=examples("noddysim exact show noddy", "noddysim exact show noddy --json"))
@click.argument("variant")
@click.option("--crib", is_flag=True, help="Count cribs, where the rules have one.")
@json_option
def show(variant: str, crib: bool, as_json: bool) -> None:
    """Count the show of every hand with every starter.

    VARIANT is a name or the path of a file.
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.engine.exact import show_distribution

    note_first_use()
    found = show_distribution(variant, crib)
    if as_json:
        print_json(found.to_json())
    else:
        say(_show_words(found))


def _show_words(found: ShowDistribution) -> str:
    from noddysim.insight.numbers import format_count, format_number, format_percent

    rows = []
    at_least = found.cases
    for points, number in found.counts.items():
        shares = (format_percent(share / found.cases, 4, terminal=True) for share in (number, at_least))
        rows.append((str(points), format_count(number, terminal=True), *shares))
        at_least -= number
    parts = ", ".join(
        f"{kind_words(kind)} {format_number(float(mean), 6, terminal=True)}" for kind, mean in found.mean_parts.items()
    )
    return "\n".join(
        [
            f"The show of {found.variant}: all {format_count(found.cases, terminal=True)} hands with their starters",
            "",
            *columns(rows, head=("points", "hands", "share", "this or more"), right=range(4)),
            "",
            f"Mean {format_number(found.mean, 6, terminal=True)} ({found.exact_mean}, exact)",
            f"Of these: {parts}",
        ]
    )


@exact.command(
    epilog=examples("noddysim exact discards cribbage", "noddysim exact discards cribbage --players 3 --json")
)
@click.argument("variant")
@players_option
@click.option("--again", is_flag=True, help="Work the table out from nothing instead of printing the one kept.")
@json_option
def discards(variant: str, players: int | None, again: bool, as_json: bool) -> None:
    """Print what a crib is worth on average by the cards laid away.

    What the others lay away is part of it, and they weigh the same table: it was worked out in rounds until it settled.
    Every choice is counted with every starter, in sampled deals: so there is an interval.
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.insight.discards import discards as table_of

    note_first_use()
    found = table_of(variant, players, again)
    if as_json:
        print_json(found.to_json())
    else:
        say(_discards_words(found))


def _discards_words(found: Discards) -> str:
    from noddysim.insight.numbers import format_count, format_estimate, format_percent

    rows = [
        (
            row.laid,
            format_estimate(row.own, signed=False, terminal=True),
            format_estimate(row.theirs, signed=False, terminal=True),
            format_percent(row.own_share, 2, terminal=True),
            format_percent(row.theirs_share, 2, terminal=True),
        )
        for row in found.rows
    ]
    head = ("laid away", "to one's own crib", "to the other's", "as dealer", "else")
    return "\n".join(
        [
            f"Mean crib by what is laid away: {found.variant}, {found.players} players",
            f"{format_count(found.deals, terminal=True)} deals, every choice with every starter.",
            f"It was settled to {found.gap:.3f} after {found.rounds} rounds.",
            "The last two columns: how often a good player lays it away.",
            "",
            *columns(rows, head, right=(3, 4)),
        ]
    )
