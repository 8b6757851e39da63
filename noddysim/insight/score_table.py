"""The table of winning chances by score, as a file and as a picture: what a point is worth."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from noddysim.game.errors import InputError
from noddysim.insight.numbers import format_percent
from noddysim.insight.plots import INK, Body, Frame, draw, name_panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noddysim.engine.exactgame import ExactGame

LEVELS = tuple(part / 10 for part in range(1, 10))


def write_table(found: ExactGame, folder: Path) -> list[Path]:
    """Write ``winning-chances.csv`` and ``winning-chances.svg`` into a folder, which is made if it is not there.

    Raises InputError where nothing can be written.
    """
    picture = plot_table(found)
    table, drawn = folder / "winning-chances.csv", folder / "winning-chances.svg"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in ((table, found.to_csv()), (drawn, picture)):
            unfinished = path.with_name(f"{path.name}.{os.getpid()}")
            unfinished.write_text(text, encoding="utf-8", newline="\n")
            os.replace(unfinished, path)
    except OSError as error:
        raise InputError(f"{folder}: the table cannot be written there: {error.strerror}") from error
    return [table, drawn]


def plot_table(found: ExactGame) -> str:
    """The chance of the first dealer to win, by both scores, when he deals and when the other does: SVG text."""

    def fill(axes: Sequence[Axes]) -> None:
        names = "The first dealer deals", "His opponent deals"
        for ax, chances, name in zip(axes, found.chances, names, strict=True):
            ax.imshow(chances.T, origin="lower", cmap="cividis", vmin=0, vmax=1, aspect="auto")
            lines = ax.contour(chances.T, levels=LEVELS, colors="white", linewidths=0.7)
            ax.clabel(lines, fmt=lambda level: f"{100 * level:.0f} %", fontsize=8)
            ax.set_ylabel("first dealer's points", color=INK)
            name_panel(ax, name)

    chance = format_percent(found.first_dealer_wins, 2)
    frame = Frame(
        f"What is a point worth in a game to {found.target}?",
        f"Chance of the first dealer ({found.dealer_name}) to win against {found.pone_name}, by both scores at the "
        f"start of a deal. He wins {chance} of all games. Counted exactly.",
    )
    axis = "his opponent's points; lines: chance of the first dealer to win"
    return draw("winning-chances", frame, Body((3.6, 3.6), 0.7, axis), fill)
