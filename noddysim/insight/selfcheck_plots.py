"""Pictures of the self-check and of ratings, with the marks and settings of all pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from noddysim.insight.plots import (
    BLUE,
    INK,
    ORANGE,
    PALE,
    PAPER,
    QUIET,
    Body,
    Dot,
    Frame,
    draw,
    heights,
    name_panel,
    put,
    room_for,
    rows,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noddysim.insight.estimates import Estimate
    from noddysim.insight.ratings import Ratings
    from noddysim.insight.selfcheck import Check

BAND: Final = "#B9D6E8"
"""Where an observed share may lie."""
PREFIXES: Final = ("intervals-of-", "false-alarms-of-")


def label_of(check: Check) -> str:
    """The name of a check as a row of its family's picture."""
    name = check.name
    for prefix in PREFIXES:
        name = name.removeprefix(prefix)
    return name.replace("-", " ")


def plot_checks(name: str, checks: Sequence[Check], frame: Frame) -> str:
    """What was observed in each check, in per cent, on the band in which it may lie."""
    labels = [label_of(check) for check in checks]

    def fill(axes: Sequence[Axes]) -> None:
        (ax,) = axes
        rows(ax, labels, "")
        for place, check in enumerate(checks):
            ax.hlines(place, 100 * check.low, 100 * check.high, color=BAND, linewidth=7)
            colour, mark = (BLUE, "o") if check.ok else (ORANGE, "X")
            ax.plot([100 * check.observed], [place], marker=mark, color=colour, linestyle="none")

    axis = "share of the experiments, %; band: where a right program lies"
    return draw(name, frame, Body(heights([labels], 0.24), room_for(labels), axis), fill)


CROWD: Final = 12
"""Columns of a matrix above which every other has its number, so that these stay apart."""


def plot_intervals(name: str, found: Sequence[Estimate], truth: float, frame: Frame) -> str:
    """Intervals of single experiments beside each other, those that miss the truth in another colour."""

    def fill(axes: Sequence[Axes]) -> None:
        (ax,) = axes
        for place, one in enumerate(found):
            if one.low is None or one.high is None:
                continue
            held = one.low <= truth <= one.high
            ax.vlines(place, one.low, one.high, color=BLUE if held else ORANGE, linewidth=1.0 if held else 2.0)
        ax.axhline(truth, color=INK, linewidth=0.8)
        name_panel(ax, "Points a deal")
        ax.set_xticks([])

    return draw(
        name, frame, Body((1.9,), 0.5, "a line for each experiment: its 95 % interval; across: the truth"), fill
    )


def plot_ladder(name: str, found: Ratings, frame: Frame) -> str:
    """The ladder: each strategy's mean against all others with its interval."""
    labels = [one for one, _ in found.ladder]
    factor = 100.0 if found.robin.games else 1.0

    def fill(axes: Sequence[Axes]) -> None:
        (ax,) = axes
        rows(ax, labels, "")
        ax.axvline(0, color=QUIET, linewidth=0.8)
        put(ax, [Dot(place, value) for place, (_, value) in enumerate(found.ladder)], factor)

    unit = "chance to win, percentage points" if found.robin.games else found.unit
    axis = f"{unit}, mean against all others, with 95 % interval"
    return draw(name, frame, Body(heights([labels], 0.2), room_for(labels), axis), fill)


def plot_matrix(name: str, found: Ratings, frame: Frame) -> str:
    """Every pair as a field: the redder the more the row loses to the column, the bluer the more it gains.

    A dot marks a field whose interval holds nought.
    """
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    labels = [one for one, _ in found.ladder]
    pairs = [[found.pair(a, b) for b in labels] for a in labels]
    values = np.array([[one.estimate for one in row] for row in pairs])
    most = float(np.abs(values).max()) or 1.0
    colours = LinearSegmentedColormap.from_list("loss and gain", [ORANGE, PAPER, BLUE])

    def fill(axes: Sequence[Axes]) -> None:
        (ax,) = axes
        rows(ax, labels, "")
        ax.grid(visible=False)
        ax.pcolormesh(values, cmap=colours, vmin=-most, vmax=most, edgecolors=PALE, linewidth=0.5,
                      snap=True)  # fmt: skip
        for y, row in enumerate(pairs):
            for x, one in enumerate(row):
                if x != y and (one.low is None or one.high is None or one.low <= 0 <= one.high):
                    ax.plot([x + 0.5], [y + 0.5], marker=".", color=INK, markersize=3, linestyle="none")
        ax.set_yticks([place + 0.5 for place in range(len(labels))], [f"{one}  {n}" for n, one in enumerate(labels, 1)])
        ax.set_ylim(len(labels), 0)
        places = range(0, len(labels), 1 if len(labels) <= CROWD else 2)
        ax.set_xticks([place + 0.5 for place in places], [str(place + 1) for place in places])

    axis = "against the strategy of that number; a dot: not told from nought"
    left = room_for(labels) + 0.25
    return draw(name, frame, Body((0.21 * len(labels) + 0.06,), left, axis), fill)
