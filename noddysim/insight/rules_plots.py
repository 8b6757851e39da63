"""Pictures of what rules do: disputed readings by what they move, and the front of edge, length and skill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from noddysim.insight.plots import (
    BLUE,
    HIDDEN,
    PALE,
    QUIET,
    Body,
    Dot,
    Frame,
    draw,
    heights,
    in_lines,
    name_panel,
    put,
    room_for,
    rows,
)
from noddysim.insight.sensitivity import NOT, TARGET

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noddysim.insight.fairest import Candidate, Fairest
    from noddysim.insight.sensitivity import Sensitivity, Switch


def shown_switches(found: Sensitivity) -> list[Switch]:
    """Those in the picture: targets would dwarf the rest, and what does not matter needs no row."""
    return [one for one in found.switches if one.reading.option != TARGET and one.verdict != NOT]


def switch_label(one: Switch) -> str:
    """The answer in words, in lines that leave room for the picture."""
    return in_lines(one.label)


def plot_readings(name: str, found: Sensitivity, reply: str) -> str:
    """A tornado: what each reading moves, the widest first; edge above, length below, in the same order."""
    shown = shown_switches(found)
    labels = [switch_label(one) for one in shown]
    row = 0.22 + 0.15 * max(label.count("\n") for label in labels)

    def fill(axes: Sequence[Axes]) -> None:
        for ax, title, factor, column in (
            (axes[0], "Edge, percentage points", 100.0, "edge"),
            (axes[1], "Deals in a game", 1.0, "deals"),
        ):
            ax.axvline(0, color=QUIET, linewidth=0.8)
            rows(ax, labels, title)
            put(ax, [Dot(place, getattr(one, column)) for place, one in enumerate(shown)], factor)

    axis = f"what this reading adds, with 95 % interval; {HIDDEN}"
    body = Body(heights([labels, labels], row), room_for(labels), axis, shared=False)
    return draw(name, Frame("Which disputed readings matter?", reply), body, fill)


def plot_front(name: str, found: Fairest, reply: str) -> str:
    """Edge and skill against length: every set of rules pale, those on the front with their intervals."""

    def fill(axes: Sequence[Axes]) -> None:
        for ax, title, column in (
            (axes[0], "First dealer's edge, percentage points", "edge"),
            (axes[1], "Best player over the weakest, % of games", "skill"),
        ):
            name_panel(ax, title)
            ax.grid(color=PALE, linewidth=0.6)
            ax.set_axisbelow(True)
            if column == "edge":
                ax.axhline(0, color=QUIET, linewidth=0.8)
            for one in found.rules:
                ax.plot(one.deals.estimate, _percent(one, column)[1], "o", color=QUIET, alpha=0.35, markersize=3)
            for one in found.front:
                low, middle, high = _percent(one, column)
                ax.vlines([one.deals.estimate], [low], [high], color=BLUE, linewidth=1.3)
                ax.plot(one.deals.estimate, middle, "D", color=BLUE)

    axis = "deals in a game; blue: on the front, with 95 % interval; grey: all other rules that were tried"
    return draw(name, Frame("Which rules are fairest?", reply), Body((2.0, 1.6), 0.5, axis), fill)


def _percent(one: Candidate, column: str) -> tuple[float, float, float]:
    value = one.edge if column == "edge" else one.skill
    middle = 100 * value.estimate
    if value.low is None or value.high is None:
        return middle, middle, middle
    return 100 * value.low, middle, 100 * value.high
