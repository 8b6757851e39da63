"""Pictures: dots with intervals, never bars, in colours and marks that can be told apart in print and by everyone.

A picture is drawn on a bare matplotlib Figure, with settings of its own, so that neither a user's settings nor another
picture can change it; its SVG text is the same bytes on every run.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from noddysim.engine.games import SEAT_NAMES
from noddysim.game.cards import RANKS
from noddysim.insight import verdicts
from noddysim.insight.estimates import Estimate
from noddysim.insight.evidence import Case, Panel, panel_words, players_words
from noddysim.insight.words import answer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from noddysim.insight.duels import Duel
    from noddysim.insight.rows import Comparison
    from noddysim.insight.study import Lead

# Okabe and Ito's colours and two dark ones: told apart by people with any kind of colour blindness. Greys differ too.
BLUE: Final = "#0072B2"
ORANGE: Final = "#D55E00"
GREEN: Final = "#009E73"
PURPLE: Final = "#A3518A"
BLACK: Final = "#000000"
MAROON: Final = "#7A1F1F"
INK: Final = "#222222"
QUIET: Final = "#666666"
PALE: Final = "#E8E6E0"
PAPER: Final = "#FFFDF8"

MARKS: Final = (("o", BLUE), ("D", ORANGE), ("s", GREEN), ("^", PURPLE), ("P", BLACK), ("X", MAROON))
"""Mark and colour of the first, second … series of a picture."""

HIDDEN: Final = "where no line shows it is narrower than the mark"
"""Said of intervals wherever some are likely to lie behind their marks."""

LONGEST_LABEL: Final = 30
WIDTH: Final = 4.8
"""Inches. Narrow enough that the words can still be read when a telephone shrinks the picture."""

SETTINGS: Final[dict[str, Any]] = {
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.unicode_minus": True,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.size": 0.0,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    "lines.markersize": 4.0,
    "svg.fonttype": "none",
    "figure.dpi": 100.0,
    "savefig.dpi": 100.0,
}


def settings() -> AbstractContextManager[Any]:
    """Matplotlib's defaults with ours on top, until the end of the block."""
    import matplotlib as mpl

    values: dict[Any, Any] = {key: value for key, value in mpl.rcParamsDefault.items() if key not in _LEFT_ALONE}
    values.update(SETTINGS)
    return mpl.rc_context(values)


_LEFT_ALONE: Final = ("backend", "backend_fallback", "interactive", "toolbar", "timezone", "webagg.address")


@dataclass(frozen=True)
class Frame:
    """What stands round a picture: the question above it, the answer below that, and the names of its marks."""

    question: str
    reply: str
    names: tuple[str, ...] = ()
    hollow: tuple[bool, ...] = ()

    @property
    def lines(self) -> tuple[list[str], list[str]]:
        """Question and answer, broken where they would run out of the picture."""
        return textwrap.wrap(self.question, 46), textwrap.wrap(self.reply, 62)

    @property
    def columns(self) -> int:
        """Names of marks beside each other."""
        return max(1, min(len(self.names), 60 // (max(map(len, self.names), default=1) + 8)))

    @property
    def head(self) -> float:
        """Height of question and answer in inches."""
        title, words = self.lines
        return 0.12 + 0.2 * len(title) + 0.17 * len(words)

    @property
    def foot(self) -> float:
        """Height of the names of the marks in inches."""
        return 0.08 + 0.2 * -(-len(self.names) // self.columns) if self.names else 0.0


@dataclass(frozen=True)
class Body:
    """Axes below each other: their heights, and what they need beside and below them, in inches."""

    heights: tuple[float, ...]
    left: float
    axis: str
    shared: bool = True

    TITLE: ClassVar[float] = 0.29
    TICKS: ClassVar[float] = 0.22

    @property
    def axis_lines(self) -> list[str]:
        """The name of the lower axis, in lines that fit beside long row names."""
        return textwrap.wrap(self.axis, int((WIDTH - self.left) / 0.082))

    @property
    def height(self) -> float:
        """Height of all axes with their titles, ticks and the name of the lower axis."""
        between = self.TITLE + (0.0 if self.shared else self.TICKS)
        below = (self.TICKS if self.shared else 0.0) + 0.17 * len(self.axis_lines) + 0.06
        return sum(self.heights) + between * len(self.heights) + below


def draw(name: str, frame: Frame, body: Body, fill: Callable[[Sequence[Axes]], None]) -> str:
    """The SVG text of a picture: ``fill`` draws on its axes, from the top down. ``name`` makes its ids its own."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    height = frame.head + body.height + frame.foot
    with settings():
        mpl.rcParams["svg.hashsalt"] = name
        figure = Figure(figsize=(WIDTH, height))
        axes: list[Axes] = []
        top = height - frame.head
        for one in body.heights:
            top -= body.TITLE
            rect = (body.left / WIDTH, (top - one) / height, (WIDTH - body.left - 0.15) / WIDTH, one / height)
            axes.append(figure.add_axes(rect, sharex=axes[0] if axes and body.shared else None))
            top -= one + (0.0 if body.shared else body.TICKS)
        fill(axes)
        for ax in axes[:-1] if body.shared else []:
            ax.tick_params(axis="x", labelbottom=False, length=0)
        axes[-1].set_xlabel("\n".join(body.axis_lines), labelpad=2)
        _write_frame(figure, frame, height)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _write_frame(figure: Figure, frame: Frame, height: float) -> None:
    from matplotlib.lines import Line2D

    title, words = frame.lines
    y = height - 0.07
    for text, size, weight, colour, step in (
        (title, 11.0, "bold", INK, 0.2),
        (words, 9.5, "normal", QUIET, 0.17),
    ):
        for line in text:
            figure.text(0.012, y / height, line, va="top", fontsize=size, fontweight=weight, color=colour)
            y -= step
    handles = []
    for place, name in enumerate(frame.names):
        mark, colour = MARKS[place % len(MARKS)]
        face = PAPER if place < len(frame.hollow) and frame.hollow[place] else colour
        handles.append(Line2D([], [], color=colour, marker=mark, markerfacecolor=face, linewidth=1.3, label=name))
    if handles:
        figure.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.0, 0.0), ncols=frame.columns)


@dataclass(frozen=True)
class Dot:
    """One estimate in a row of a picture, in series ``series``, ``shift`` rows below the middle of its row."""

    row: float
    value: Estimate
    series: int = 0
    shift: float = 0.0
    hollow: bool = False


def put(ax: Axes, dots: Sequence[Dot], factor: float = 1.0) -> None:
    """Draw dots with their intervals lying in rows."""
    for series, hollow in sorted({(dot.series, dot.hollow) for dot in dots}):
        some = [dot for dot in dots if (dot.series, dot.hollow) == (series, hollow)]
        mark, colour = MARKS[series % len(MARKS)]
        ys = [dot.row + dot.shift for dot in some]
        lows, highs = zip(*(_ends(dot.value, factor) for dot in some), strict=True)
        ax.hlines(ys, lows, highs, color=colour, linewidth=1.3)
        xs = [dot.value.estimate * factor for dot in some]
        face = PAPER if hollow else colour
        ax.plot(xs, ys, marker=mark, color=colour, markerfacecolor=face, linestyle="none")


def _ends(value: Estimate, factor: float = 1.0) -> tuple[float, float]:
    """The interval, or the estimate twice where there is none."""
    if value.low is None or value.high is None:
        return value.estimate * factor, value.estimate * factor
    return value.low * factor, value.high * factor


def rows(ax: Axes, labels: Sequence[str], title: str) -> None:
    """Name the rows from the top down, with a fine line for each."""
    ax.set_yticks(range(len(labels)), [short(label) for label in labels])
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.grid(axis="y", color=PALE, linewidth=0.6)
    ax.set_axisbelow(True)
    name_panel(ax, title)


def name_panel(ax: Axes, title: str) -> None:
    """The title of one of several axes."""
    ax.set_title(title, loc="left", fontsize=9.5, fontweight="bold", y=1.0, pad=4)


def short(label: str) -> str:
    """A row name, each of its lines cut where it would leave no room for the picture."""
    lines = label.split("\n")
    return "\n".join(line if len(line) <= LONGEST_LABEL else line[: LONGEST_LABEL - 1] + "…" for line in lines)


def in_lines(label: str) -> str:
    """A long row name in as few lines as leave room for the picture, none of them much shorter than another."""
    lines = textwrap.wrap(label, LONGEST_LABEL, break_on_hyphens=False)
    widths = range(len(label) // len(lines), LONGEST_LABEL)
    tried = (textwrap.wrap(label, n, break_long_words=False, break_on_hyphens=False) for n in widths)
    return "\n".join(next((even for even in tried if len(even) == len(lines)), lines))


def row_height(labels: Sequence[str]) -> float:
    """Inches that a row needs in which the tallest of some names stands."""
    return 0.215 + 0.135 * max((label.count("\n") for label in labels), default=0)


def room_for(labels: Sequence[str]) -> float:
    """Inches that the longest of some row names needs."""
    return 0.16 + 0.08 * max(len(line) for label in labels for line in short(label).split("\n"))


# --- tips -----------------------------------------------------------------------------------------------------------


def plot_tip(name: str, cases: Sequence[Case], opposites: Sequence[Case], panels: Sequence[Panel]) -> str:
    """The effect of a tip in the seat concerned, against each opponent on each baseline, its opposite beside it."""
    shown = [case for case in cases if case.finding.verdict != verdicts.VACUOUS]
    against = {case.panel: case for case in opposites}
    labels = [[f"{baseline} v. {other}" for baseline, other in _pairs(case)] for case in shown]

    def fill(axes: Sequence[Axes]) -> None:
        for ax, case, names in zip(axes, shown, labels, strict=True):
            rows(ax, names, panel_words(case.panel, panels))
            _tip_panel(ax, case, against.get(case.panel))

    title = cases[0].tip.title
    marks = (title, opposites[0].tip.title) if opposites else (title,)
    frame = Frame(f"“{title}”: does it help?", answer(cases, panels), marks, (False, True))
    body = Body(heights(labels, 0.24), room_for([label for some in labels for label in some]), _tip_axis(shown[0]))
    return draw(name, frame, body, fill)


def heights(labels: Sequence[Sequence[object]], row: float) -> tuple[float, ...]:
    """Heights of axes, in inches, for rows ``row`` inches high."""
    return tuple(row * len(some) + 0.06 for some in labels)


def _tip_axis(case: Case) -> str:
    if case.duels[0].setting.games:
        return "change in the chance to win a game, percentage points"
    seat = "deals as the leader" if case.duels[0].concerns_eldest else "every seat"
    return f"points a deal ({seat}), with 95 % interval; grey: too small to matter"


def _pairs(case: Case) -> list[tuple[str, str]]:
    return list(dict.fromkeys((duel.setting.baseline, duel.setting.against) for duel in case.duels))


def _tip_panel(ax: Axes, case: Case, other: Case | None) -> None:
    pairs = _pairs(case)
    factor = 100.0 if case.duels[0].setting.games else 1.0
    zone = case.duels[0].zone * factor
    ax.axvspan(-zone, zone, color=PALE, linewidth=0)
    ax.axvline(0, color=QUIET, linewidth=0.8)
    dots = []
    for series, side in enumerate((case, other)):
        for duel in side.duels if side else ():
            pair = duel.setting.baseline, duel.setting.against
            if pair in pairs:
                dots += _tip_dots(ax, duel, pairs.index(pair), series)
    if dots:
        put(ax, dots, factor)


def _tip_dots(ax: Axes, duel: Duel, row: int, series: int) -> list[Dot]:
    """The dot of one duel; where nothing was changed that is written instead."""
    shift = -0.17 if series == 0 else 0.19
    if duel.verdict == verdicts.ALREADY_FOLLOWED:
        words = "already followed" if series == 0 else "the opposite is followed already"
        ax.annotate(words, (0, row + shift), xytext=(8, 0), textcoords="offset points", va="center", fontsize=9,
                    color=QUIET)  # fmt: skip
        return []
    effect = duel.effect if duel.setting.games else duel.concerned
    return [Dot(row, effect, series, shift, hollow=series == 1)] if effect else []


def plot_duel(duel: Duel, ax: Axes | None = None) -> Axes:
    """Draw the effect of one duel by seat and over all seats, with its intervals; returns the matplotlib axes.

    ``ax`` is drawn on if given; else new axes are made with pyplot.
    """
    ax = _new_axes() if ax is None else ax
    names = [f"as {name}" for name in duel.setting.side_names] if duel.seats else []
    factor = 100.0 if duel.setting.games else 1.0
    ax.axvspan(-duel.zone * factor, duel.zone * factor, color=PALE, linewidth=0)
    ax.axvline(0, color=QUIET, linewidth=0.8)
    rows(ax, ["all seats", *names], f"{duel.arm} beside {duel.setting.baseline}: {duel.verdict.replace('-', ' ')}")
    if duel.effect is not None:
        put(ax, [Dot(0, duel.effect), *(Dot(place, seat, 1) for place, seat in enumerate(duel.seats, 1))], factor)
    unit = "chance to win, percentage points" if duel.setting.games else "points a deal"
    ax.set_xlabel(f"{unit}, against {duel.setting.against}, with 95 % interval")
    return ax


def plot_comparison(found: Comparison, ax: Axes | None = None) -> Axes:
    """Draw the first dealer's edge by variant, number of players and strategy; returns the matplotlib axes.

    ``ax`` is drawn on if given; else new axes are made with pyplot. Grey is the band that is called fair.
    """
    ax = _new_axes() if ax is None else ax
    many = len({(row.players, row.strategy) for row in found.rows}) > 1
    labels = [f"{row.variant.name}, {row.players}, {row.strategy}" if many else row.variant.name for row in found.rows]
    band = 100 * found.rows[0].band
    ax.axvspan(-band, band, color=PALE, linewidth=0)
    ax.axvline(0, color=QUIET, linewidth=0.8)
    rows(ax, labels, "Is it an advantage to deal first?")
    put(ax, [Dot(place, row.edge) for place, row in enumerate(found.rows)], 100.0)
    ax.set_xlabel("first dealer's edge, percentage points, with 95 % interval; grey: fair")
    return ax


def _new_axes() -> Axes:
    from matplotlib import pyplot as plt

    return plt.figure(figsize=(7, 2.8), layout="constrained").add_subplot()


# --- leads ----------------------------------------------------------------------------------------------------------


def plot_leads(name: str, leads: Sequence[Lead], panel: Panel, reply: str) -> str:
    """Points from fifteens and from thirty-ones in the play by the rank led, for every seat."""
    seats = SEAT_NAMES[panel.players]

    def fill(axes: Sequence[Axes]) -> None:
        for ax, kind, words in zip(axes, ("fifteen", "thirtyone"), ("fifteens", "thirty-ones"), strict=True):
            for series in range(panel.players):
                _lead_series(ax, leads, kind, series, (series - (panel.players - 1) / 2) * 0.17)
            name_panel(ax, f"Points a deal from {words}")
            ax.set_ylim(bottom=0)
            ax.grid(axis="y", color=PALE, linewidth=0.6)
            ax.set_axisbelow(True)
        axes[-1].set_xticks(range(len(RANKS)), list(RANKS))

    axis = f"card led by the {seats[0]}, with 95 % interval; {HIDDEN}"
    frame = Frame(f"What does each lead leave for later? {players_words(panel.players).capitalize()}", reply, seats)
    return draw(name, frame, Body((1.6, 1.6), 0.45, axis), fill)


def _lead_series(ax: Axes, leads: Sequence[Lead], kind: str, series: int, shift: float) -> None:
    mark, colour = MARKS[series]
    xs = [RANKS.index(lead.rank) + shift for lead in leads]
    values = [lead.seats[series][kind] for lead in leads]
    lows, highs = zip(*map(_ends, values), strict=True)
    ax.vlines(xs, [max(0.0, low) for low in lows], highs, color=colour, linewidth=1.2)
    estimates = [value.estimate for value in values]
    ax.plot(xs, estimates, marker=mark, markersize=3.5, color=colour, linestyle="none", clip_on=False)
