"""The commands on the balance of rules: handicaps, what disputed readings do, and the fairest rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

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
    from noddysim.insight.fairest import Fairest
    from noddysim.insight.sensitivity import Sensitivity

F = TypeVar("F", bound=Callable[..., Any])


def games_option(default: int) -> Callable[[F], F]:
    """``--games``."""
    return click.option("--games", type=AMOUNT, default=default, show_default=True, metavar="N", help="Games of each.")


def listed(text: str) -> list[str]:
    """Names parted by commas."""
    return [part.strip() for part in text.split(",")]


@click.command(
    epilog=examples("noddysim handicap noddy", "noddysim handicap noddy-61 --between careful,greedy --games 20000")
)
@click.argument("variant", metavar="VARIANT")
@players_option
@click.option(
    "--strategy", metavar="S", help="Strategy in every seat (default greedy; most-points for melds and sets)."
)
@click.option("--between", metavar="A,B", help="Two strategies: the head start that a player of A gives those of B.")
@games_option(50_000)
@seed_option
@workers_option
@json_option
def handicap(
    variant: str,
    players: int | None,
    strategy: str | None,
    between: str | None,
    games: int,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """Find the head start in points that makes a game even, between the seats or between two strategies.

    In games of sets, which take a hundred times as long as others, some thousand --games will do.
    """
    from noddysim.commands.progress import bars
    from noddysim.insight.handicap import handicap as find

    pair = None
    if between is not None:
        if strategy is not None:
            raise click.UsageError("--strategy and --between exclude each other")
        names = listed(between)
        if len(names) != 2:
            raise InputError(f"--between: {between!r} is not two strategies; write careful,greedy")
        pair = names[0], names[1]
    with bars() as announce:
        found = find(
            variant, players, strategy=strategy, between=pair, games=games, seed=seed, workers=workers,
            announce=announce,
        )  # fmt: skip
    if as_json:
        print_json(found.to_json())
        return
    rows = [(str(given), _percent(chance)) for given, chance in sorted(found.chances.items())]
    say(
        "\n".join(
            [found.words(terminal=True), "", *columns(rows, ("points given", "chance above the fair share"), (0,))]
        )
    )


def _percent(value: object) -> str:
    from noddysim.insight.estimates import Estimate
    from noddysim.insight.numbers import format_estimate

    assert isinstance(value, Estimate)
    return format_estimate(value, percent=True, terminal=True)


@click.command(
    epilog=examples(
        "noddysim sensitivity noddy --games 50000",
        "noddysim sensitivity cribbage --tips lead-low@greedy-random --games 5000 --json",
    )
)
@click.argument("variant", metavar="VARIANT")
@players_option
@click.option(
    "--strategy", metavar="S", help="Strategy in every seat (default greedy; most-points for melds and sets)."
)
@click.option(
    "--tips", metavar="T,T", help="Pieces of advice, TIP@BASELINE, whose verdict is asked under each reading."
)
@games_option(50_000)
@click.option("--deals", type=AMOUNT, default=50_000, show_default=True, metavar="N", help="Duplicates for each tip.")
@seed_option
@workers_option
@json_option
def sensitivity(
    variant: str,
    players: int | None,
    strategy: str | None,
    tips: str | None,
    games: int,
    deals: int,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """Switch each disputed reading of the rules alone: what it does to the first dealer's edge, length and advice.

    All are played on the same games, and differences are taken game by game.
    """
    from noddysim.commands.progress import bars
    from noddysim.insight.sensitivity import sensitivity as switch

    with bars() as announce:
        found = switch(
            variant, players, strategy=strategy, tips=listed(tips) if tips else (), games=games, deals=deals,
            seed=seed, workers=workers, announce=announce,
        )  # fmt: skip
    if as_json:
        print_json(found.to_json())
    else:
        say("\n".join(sensitivity_words(found)))


def sensitivity_words(found: Sensitivity) -> list[str]:
    """What the readings do, as lines of text."""
    from noddysim.game.answerwords import option_words
    from noddysim.insight.numbers import format_estimate

    lines = [
        f"{found.variant.name}, {found.players} players, {found.strategy} in every seat: the first dealer's edge is "
        f"{_percent(found.edge)}, a game takes {format_estimate(found.deals, signed=False, terminal=True)} deals.",
        found.words(terminal=True),
        "",
    ]
    rows = [
        (
            one.label, _percent(one.edge), format_estimate(one.deals, terminal=True), one.verdict,
            *([", ".join(one.changed) or "-"] if found.tips else []), option_words(one.reading.option, one.value),
        )
        for one in found.switches
    ]  # fmt: skip
    asked = ["advice judged otherwise"] if found.tips else []
    head = ("instead of what is played here", "edge moves by", "deals a game more", "verdict", *asked, "as an option")
    return [*lines, *columns(rows, head), "", "In brackets: 95 % intervals.", *found.refused]


@click.command(
    epilog=examples(
        "noddysim fairest noddy --games 5000",
        "noddysim fairest noddy --vary target=31,61 --vary turned_jack=dealer1,opponents2 --length 8 --json",
    )
)
@click.argument("variant", metavar="VARIANT")
@players_option
@click.option(
    "--strategy", metavar="S", help="Strategy in every seat (default greedy; most-points for melds and sets)."
)
@click.option(
    "--vary",
    multiple=True,
    metavar="RULE=V,V",
    help="A reading or a field of the rules (play.last) with its values; once for each rule of the space.",
)
@click.option("--length", type=float, metavar="D", help="Wished deals of a game (default those of the variant).")
@games_option(20_000)
@click.option("--skill", type=AMOUNT, default=1_000, show_default=True, metavar="N", help="Duplicates for the skill.")
@seed_option
@workers_option
@json_option
def fairest(
    variant: str,
    players: int | None,
    strategy: str | None,
    vary: tuple[str, ...],
    length: float | None,
    games: int,
    skill: int,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """Search a space of rules for the least edge of the first dealer at a wished length.

    Every set of rules is played on the same games; what is told of the best is played again on fresh ones.
    """
    from noddysim.commands.progress import bars
    from noddysim.insight.fairest import fairest as search

    with bars() as announce:
        found = search(
            variant, players, space=_space(vary) if vary else None, strategy=strategy, length=length, games=games,
            skill=skill, seed=seed, workers=workers, announce=announce,
        )  # fmt: skip
    if as_json:
        print_json(found.to_json())
    else:
        say("\n".join(fairest_words(found)))


def _space(given: tuple[str, ...]) -> dict[str, list[Any]]:
    """Rules and their values, read as those of a TOML file: a number, true or false, else a word."""
    space: dict[str, list[Any]] = {}
    for text in given:
        key, sign, values = text.partition("=")
        if not sign or not key or not values:
            raise InputError(f"--vary: {text!r} is no rule with values; write target=31,61")
        if key in space:
            raise InputError(f"--vary: {key} is given twice; write all its values in one")
        space[key] = [_read_value(value) for value in listed(values)]
    return space


def _read_value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else text


def fairest_words(found: Fairest) -> list[str]:
    """A search as lines of text."""
    from noddysim.insight.numbers import format_estimate

    rows = [
        (
            _percent(one.edge), format_estimate(one.deals, signed=False, terminal=True),
            format_estimate(one.skill, signed=False, terminal=True), one.words,
        )
        for one in found.front
    ]  # fmt: skip
    head = ("edge", "deals a game", "best over weakest", "rules")
    lines = [
        found.words(terminal=True),
        "",
        "The front: no other set of rules is at once as fair, as short and as much",
    ]
    lines += ["a game of skill (edge and length on fresh games).", "", *columns(rows, head)]
    return [*lines, "", "In brackets: 95 % intervals.", *found.notes, *found.refused]
