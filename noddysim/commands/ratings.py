"""``ratings``: every strategy against every other, as a ladder and a matrix."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from noddysim.commands.common import (
    AMOUNT,
    columns,
    examples,
    json_option,
    players_option,
    print_json,
    say,
    seed_option,
)
from noddysim.commands.evidence import workers_option
from noddysim.game.errors import InputError

if TYPE_CHECKING:
    from noddysim.insight.ratings import Ratings


@click.command(
    epilog=examples(
        "noddysim ratings noddy --deals 20000",
        "noddysim ratings noddy --players 3 --strategies greedy,low,careful --csv ratings.csv",
        "noddysim ratings innocence --games 2000 --json",
    )
)
@click.argument("variant")
@players_option
@click.option("--strategies", metavar="A,B,...", help="Whom to rate; all built-in strategies of the game if left out.")
@click.option("--deals", type=AMOUNT, metavar="N", help="Duplicates of deals of every pair (default 20,000).")
@click.option("--games", type=AMOUNT, metavar="N", help="Duplicates of whole games instead.")
@click.option(
    "--csv", "file", type=click.Path(dir_okay=False), metavar="FILE", help="Write ladder and pairs there too."
)
@seed_option
@workers_option
@json_option
def ratings(
    variant: str,
    players: int | None,
    strategies: str | None,
    deals: int | None,
    games: int | None,
    file: str | None,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """Rate the strategies of a VARIANT by a round robin on common deals.

    Every strategy meets every other in all seats on the same cards; the ladder goes by the mean result against all
    others, and says which neighbours cannot be told apart.
    """
    if deals is not None and games is not None:
        raise click.UsageError("give --deals or --games, not both")
    if file is not None and not Path(file).absolute().parent.is_dir():
        raise InputError(f"--csv: {file}: there is no folder {Path(file).parent}")
    from noddysim.commands.progress import bars
    from noddysim.game.rules import load_variant
    from noddysim.insight.ratings import ratings as rate
    from noddysim.insight.ratings import ratings_amount

    rules = load_variant(variant)
    names = None if strategies is None else [part.strip() for part in strategies.split(",")]
    amount, _ = ratings_amount(rules, deals, games)
    with bars() as announce:
        found = rate(
            rules, names, players=players, deals=deals, games=games, seed=seed, workers=workers,
            progress=announce("round robin", amount),
        )  # fmt: skip
    if file is not None:
        Path(file).write_text(found.to_csv(), encoding="utf-8", newline="\n")
    if as_json:
        print_json(found.to_json())
    else:
        say("\n".join(ratings_lines(found)))


def ratings_lines(found: Ratings) -> list[str]:
    """A round robin as text: the answer, the ladder, the matrix."""
    from noddysim.insight.numbers import format_estimate, format_number
    from noddysim.insight.ratings import ladder_words

    robin = found.robin
    what = "games" if robin.games else "deals"
    lines = [
        ladder_words(found),
        f"{robin.variant.name}, {robin.players} players, {found.n:,} duplicates of {what} a pair, seed {robin.seed}",
        "",
    ]
    ladder = [
        (str(place), name, format_estimate(value, terminal=True)) for place, (name, value) in enumerate(found.ladder, 1)
    ]
    lines += columns(ladder, ("", "strategy", f"mean against all others, {found.unit} (95 % interval)"), right=(0,))
    names = [name for name, _ in found.ladder]
    factor, digits = (100, 1) if robin.games else (1, 3)
    unit = "percentage points of the chance to win" if robin.games else found.unit
    lines += ["", f"What the row makes against the column, {unit} (in brackets: not told from nought):"]
    rows = []
    for a in names:
        cells = []
        for b in names:
            value = found.pair(a, b)
            text = format_number(factor * value.estimate, digits, signed=True, terminal=True)
            sure = value.low is not None and value.high is not None and not value.low <= 0 <= value.high
            cells.append("." if a == b else text if sure else f"({text})")
        rows.append((f"{names.index(a) + 1} {a}", *cells))
    numbers = [str(place) for place in range(1, len(names) + 1)]
    return [*lines, *columns(rows, ("", *numbers), right=range(1, len(names) + 1))]
