"""``analyse``: what the choices of a recorded game have lost, and what was luck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from noddysim.commands.common import AMOUNT, columns, examples, json_option, print_json, say, seed_option

if TYPE_CHECKING:
    from noddysim.insight.analysis import Analysis, Decision


@click.command(epilog=examples("noddysim analyse my-game.txt", "noddysim analyse my-game.txt --deals 5000 --json"))
@click.argument("file")
@click.option("--against", default=None, metavar="NAME", help="How all are taken to play; best play where it is known.")
@click.option("--deals", type=AMOUNT, default=1000, show_default=True, metavar="N", help="Deals tried for a choice.")
@seed_option
@json_option
def analyse(file: str, against: str | None, deals: int, seed: int, as_json: bool) -> None:
    """Look at a recorded game choice by choice.

    FILE is text: a head, then a line for each deal with its starter and all hands in the order they were laid, as
    `noddysim replay ... --notation` writes it and docs/notation.md describes it. For two players with three cards each
    losses are counted; in other games every choice is tried on deals of the unseen cards.
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.insight.analysis import analyse as look

    note_first_use()
    found = look(file, against=against, deals=deals, seed=seed)
    if as_json:
        print_json(found.to_json())
    else:
        say(_words(found))


def _words(found: Analysis) -> str:
    from noddysim.insight.numbers import format_number

    def number(value: float, signed: bool = False) -> str:
        return format_number(value, 3, signed=signed, terminal=True)

    people = len(found.names)
    scores = ", ".join(f"{name} {score}" for name, score in zip(found.names, found.scores, strict=True))
    deals = "1 deal" if len(found.deals) == 1 else f"{len(found.deals)} deals"
    lines = [f"{found.variant}, {deals}: {scores}", _basis(found), ""]
    rows = [
        (name, str(sum(one.person == person for one in found.decisions)), number(loss))
        for person, (name, loss) in enumerate(zip(found.names, found.losses(), strict=True), start=1)
    ]
    lines += columns(rows, ("player", "choices", "points lost"), right=(1, 2))
    if found.worst():
        lines += ["", "The worst choices", *columns([_worst(found, one, number(one.loss)) for one in found.worst()])]
    if found.luck is None:
        return "\n".join([*lines, "", str(found.no_luck)])
    luck = found.luck
    table = [
        (found.names[person], *(number(part[person], True) for part in (luck.won, luck.seat, luck.cards, luck.choices,
                                                                        luck.rest)))
        for person in range(people)
    ]  # fmt: skip
    head = ("player", "won", "seat", "cards", "choices", "rest")
    what = "points more than the other" if people == 2 else "points more than the mean of the others"
    cut = "" if all(deal.ended is None for deal in found.deals) else "; the last deal, cut short, is left out"
    lines += ["", f"Luck and skill: {what}, over whole deals{cut}", *columns(table, head, right=range(1, 6))]
    lines += ["Seat: what its place is worth. Cards: what the hands were worth with all playing alike.",
              "Choices: what the others have lost less one's own. Rest: how the cards met."]  # fmt: skip
    return "\n".join(lines)


def _basis(found: Analysis) -> str:
    if found.method == "counted":
        return f"Losses in points a deal are counted against {found.against}, with the best later cards."
    return (
        f"Losses in points a deal come from {found.n} deals of the unseen cards for each choice (seed {found.seed}), "
        f"all playing as {found.against}; they are never less than nought, so small ones say little."
    )


def _worst(found: Analysis, one: Decision, loss: str) -> tuple[str, ...]:
    after = f"after {' '.join(one.after)}" if one.after else "before any card is laid"
    return (
        f"deal {one.deal}", found.names[one.person - 1], after, f"{one.act} {' '.join(one.chosen)}",
        f"best {' '.join(one.best)}", f"loses {loss}",
    )  # fmt: skip
