"""Pictures of the games in which melds or sets are laid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from noddysim.insight.plots import QUIET, Body, Dot, Frame, draw, heights, put, room_for, rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noddysim.insight.laying_study import Seats


def plot_seats(name: str, frame: Frame, found: Sequence[Seats], names: Sequence[Sequence[str]]) -> str:
    """Chance to win by seat: axes for each entry, a row a seat, with an equal share as an upright line.

    names : those of the seats, for each entry
    """

    def fill(axes: Sequence[Axes]) -> None:
        for ax, one, seats in zip(axes, found, names, strict=True):
            rows(ax, seats, f"{one.label}, {one.players} players")
            ax.axvline(100 / one.players, color=QUIET, linewidth=0.9, linestyle=(0, (4, 2)))
            put(ax, [Dot(place, win) for place, win in enumerate(one.wins)], 100.0)

    left = room_for([seat for seats in names for seat in seats])
    axis = "chance to win a game, %, with 95 % interval; broken line: an equal share"
    return draw(name, frame, Body(heights(names, 0.215), left, axis), fill)
