"""``exact play``, ``exact game`` and ``exact best``: two strategies held against each other, every deal counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from noddysim.commands.common import columns, examples, json_option, print_json, say

if TYPE_CHECKING:
    from noddysim.engine.exactgame import ExactGame
    from noddysim.engine.exactplay import BestResponse, ExactPlay

TWO_SEATS: Final = 2


def _pair_options(pone: str, dealer: str) -> Callable[[Any], Any]:
    """``--pone``, ``--dealer`` and ``--seats`` for both."""

    def add(function: Any) -> Any:
        function = click.option("--seats", metavar="A,B", help="Both at once: pone's and dealer's.")(function)
        function = click.option("--dealer", metavar="B", help=dealer)(function)
        return click.option("--pone", metavar="A", help=pone)(function)

    return add


def _pair(pone: str | None, dealer: str | None, seats: str | None) -> tuple[str, str]:
    """The two strategies; raises UsageError unless each is given once."""
    if seats is not None:
        names = [name.strip() for name in seats.split(",")]
        if pone is not None or dealer is not None:
            raise click.UsageError("give --seats, or --pone and --dealer, not both")
        if len(names) != TWO_SEATS:
            raise click.UsageError(f"--seats: two strategies, pone's and dealer's; {len(names)} given")
        return names[0], names[1]
    if pone is None or dealer is None:
        missing = "--pone" if pone is None else "--dealer"
        raise click.UsageError(f"{missing} is missing: give a strategy for each seat")
    return pone, dealer


@click.command(
    epilog=examples(
        "noddysim exact play noddy --pone greedy --dealer lookahead",
        "noddysim exact play noddy --seats optimal,optimal --json",
        "noddysim exact play noddy --players 3 --seats greedy,low,greedy",
    )
)
@click.argument("variant")
@_pair_options("Strategy of the pone.", "Strategy of the dealer.")
@click.option(
    "--players", type=click.IntRange(2, 3), default=2, show_default=True, metavar="N",
    help="Two or three; three by --seats.",
)  # fmt: skip
@json_option
def play(variant: str, pone: str | None, dealer: str | None, seats: str | None, players: int, as_json: bool) -> None:
    """Count the points of the play of two strategies, or of three, over all deals.

    The play only: no target, no turned card, no show. VARIANT is a name or the path of a file. Strategies without
    chance give whole points, for hands of three or four cards. With chance hands have three; or four, if neither
    strategy looks at the starter (some minutes where many cards are left to chance). `optimal` and functions play
    hands of three. Three players: hands of three, no chance, and no look at the starter.
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.engine.exactplay import play as count

    if players > TWO_SEATS:
        _play_of_three(variant, _three(pone, dealer, seats), as_json)
        return
    names = _pair(pone, dealer, seats)
    note_first_use()
    found = count(variant, *names)
    if as_json:
        print_json(found.to_json())
    else:
        say(_play_words(found))


def _three(pone: str | None, dealer: str | None, seats: str | None) -> list[str]:
    """The strategies of three seats; raises UsageError unless they are given as such."""
    if pone is not None or dealer is not None or seats is None:
        raise click.UsageError("three players are given by --seats A,B,C: eldest's, second's and dealer's strategy")
    return [name.strip() for name in seats.split(",")]


def _play_of_three(variant: str, names: list[str], as_json: bool) -> None:
    from noddysim.commands.progress import note_first_use
    from noddysim.engine.exactseats import play_of_three as count
    from noddysim.engine.games import SEAT_NAMES
    from noddysim.insight.numbers import format_count, format_number

    note_first_use()
    found = count(variant, names)
    if as_json:
        print_json(found.to_json())
        return
    rows = [
        (seat, name, format_number(mean, 9, terminal=True), format_count(points, terminal=True))
        for seat, name, mean, points in zip(
            SEAT_NAMES[len(found.names)], found.names, found.means, found.points, strict=True
        )
    ]
    head = f"The play of {found.variant} by three: all {format_count(found.deals, terminal=True)} deals counted"
    table = columns(rows, ("seat", "strategy", "points a deal", "points in all"), right=(2, 3))
    say("\n".join([head, "", *table]))


def _play_words(found: ExactPlay) -> str:
    from noddysim.insight.numbers import format_count, format_number

    points = found.points.pone_points, found.points.dealer_points
    rows = [
        (
            seat,
            name,
            format_number(mean, 9, terminal=True),
            "-" if whole is None else format_count(whole, terminal=True),
        )
        for seat, name, mean, whole in (
            ("pone", found.pone_name, found.pone, points[0]),
            ("dealer", found.dealer_name, found.dealer, points[1]),
        )
    ]
    return "\n".join(
        [
            f"The play of {found.variant}: all {format_count(found.deals, terminal=True)} deals counted",
            "",
            *columns(rows, ("seat", "strategy", "points a deal", "points in all"), right=(2, 3)),
            "",
            f"Pone less dealer {format_number(found.margin, 9, signed=True, terminal=True)} points a deal (exact)",
        ]
    )


@click.command(
    epilog=examples(
        "noddysim exact game noddy-no-jack --pone greedy --dealer greedy",
        "noddysim exact game noddy --seats low,greedy --json",
        "noddysim exact game my-rules.toml --pone optimal --dealer optimal --to table/",
    )
)
@click.argument("variant")
@_pair_options("Strategy of the first dealer's opponent.", "Strategy of the first dealer.")
@click.option(
    "--to", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Write the table by score as CSV and as a picture into this folder.",
)  # fmt: skip
@json_option
def game(
    variant: str, pone: str | None, dealer: str | None, seats: str | None, folder: Path | None, as_json: bool
) -> None:
    """Count how often the first dealer wins a game to the target.

    Exact for the two strategies: the turned card, the play card by card, and the hands in turn, over all deals. The
    deal alternates, and each keeps his strategy in both seats. VARIANT is a name or the path of a file.
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.engine.exactgame import game as count

    names = _pair(pone, dealer, seats)
    note_first_use()
    found = count(variant, *names)
    files: list[Path] = []
    if folder is not None:
        from noddysim.insight.score_table import write_table

        files = write_table(found, folder)
    if as_json:
        print_json({**found.to_json(), **({"files": [path.as_posix() for path in files]} if files else {})})
    else:
        say(_game_words(found, files))


def _game_words(found: ExactGame, files: list[Path]) -> str:
    from noddysim.insight.numbers import format_percent

    top = found.target
    marks = sorted({0, *(round(top * part / 4) for part in (1, 2, 3)), top - 1})
    rows = [
        (str(mine), *(format_percent(float(found.chances[0, other, mine]), 2, terminal=True) for other in marks))
        for mine in marks
    ]
    return "\n".join(
        [
            f"{found.variant} to {top}: {found.dealer_name} deals first, {found.pone_name} is the other",
            f"The first dealer wins {format_percent(found.first_dealer_wins, 8, terminal=True)} of all games (exact)",
            "",
            "His chance when he deals, by his points (down) and the other's (across):",
            "",
            *columns(rows, ("points", *(str(mark) for mark in marks)), right=range(1, 1 + len(marks))),
            *(["", *(f"Written: {path}" for path in files)] if files else []),
        ]
    )


@click.command(
    epilog=examples(
        "noddysim exact best noddy --against greedy --seat pone",
        "noddysim exact best noddy --against lookahead --seat dealer --json",
    )
)
@click.argument("variant")
@click.option("--against", required=True, metavar="S", help="The strategy to be beaten.")
@click.option("--seat", required=True, type=click.Choice(["pone", "dealer"]), help="Where the perfect opponent sits.")
@json_option
def best(variant: str, against: str, seat: str, as_json: bool) -> None:
    """What a perfect opponent takes from a strategy that he knows.

    His margin over it in the play, in points a deal, and how much of that the strategy gives away by not being best
    play. VARIANT is a name or the path of a file.
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.engine.exactplay import best as answer

    note_first_use()
    found = answer(variant, against, seat)
    if as_json:
        print_json(found.to_json())
    else:
        say(_best_words(found))


def _best_words(found: BestResponse) -> str:
    from noddysim.insight.numbers import format_number

    margin = format_number(found.value, 6, signed=True, terminal=True)
    lines = [
        f"A perfect {found.seat} who knows that the other plays {found.against} ({found.variant}):",
        f"his margin in the play is {margin} points a deal (exact).",
    ]
    if found.gain is not None:
        gain = format_number(found.gain, 6, terminal=True)
        lines.append(f"Best play in the place of {found.against} would save {gain} of them.")
    return "\n".join(lines)
