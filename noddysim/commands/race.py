"""``solve --race``: chances to win near the end of a game, the play solved for winning at each score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noddysim.commands.common import columns, print_json, say

if TYPE_CHECKING:
    from noddysim.engine.race import RaceTable

MOST_COLUMNS = 12


def run(variant: str, corner: int | None, steps: int | None, as_json: bool) -> None:
    """Solve or look up the states of the corner, and print their chances."""
    from noddysim.commands.progress import bars
    from noddysim.engine.race import CORNER, STEPS, race

    size = CORNER if corner is None else corner
    with bars() as announce:
        progress = announce(f"{variant}: states of the end game", max(size, 1) ** 2)
        found = race(variant, size, steps=STEPS if steps is None else steps, progress=progress)
    if as_json:
        print_json(found.to_json())
    else:
        say(_words(found))


def _words(found: RaceTable) -> str:
    from noddysim.insight.numbers import format_percent

    def percent(chance: float, digits: int = 2) -> str:
        return format_percent(chance, digits, terminal=True)

    needs = range(1, min(found.corner, MOST_COLUMNS) + 1)
    rows = [
        (str(found.target - pone), *(percent(float(found.chances[pone, dealer])) for dealer in needs))
        for pone in range(1, found.corner + 1)
    ]
    head = ("pone has", *(str(found.target - dealer) for dealer in needs))
    lines = [
        f"{found.variant} to {found.target}: the pone's chance to win by the scores at the start of a deal",
        "(down: the pone's points; across: the dealer's)",
        "",
        *columns(rows, head, right=range(1, len(head))),
        "",
        f"Both play to win. For players who look at ranks, each is proved to {percent(found.error, 4)}.",
        f"To play for points throughout would change a chance here by {percent(found.gain)} at most.",
    ]
    if found.suits is not None:
        lines += [
            "Not in it: a player sees his own suits. Knowing what they bring is worth",
            f"{percent(found.suits, 4)} at most, a deal, to a perfect player against this play (at equal scores).",
        ]
    return "\n".join(lines)
