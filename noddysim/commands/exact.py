"""``exact``: answers that are counted, not sampled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from noddysim.commands.common import Group, columns, examples, json_option, print_json, say

if TYPE_CHECKING:
    from noddysim.engine.exact import ShowDistribution


@click.group(cls=Group, epilog=examples("noddysim exact show noddy"))
def exact() -> None:
    """Count instead of sampling: every case once, no error."""


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
        f"{kind} {format_number(float(mean), 6, terminal=True)}" for kind, mean in found.mean_parts.items()
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
