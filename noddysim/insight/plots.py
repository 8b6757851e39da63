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
from typing import TYPE_CHECKING, Any, Final

from noddysim.engine.games import SEAT_NAMES
from noddysim.game.cards import RANKS
from noddysim.insight import stats
from noddysim.insight.evidence import Case, Panel, panel_words, players_words
from noddysim.insight.stats import Estimate
from noddysim.insight.words import answer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from noddysim.insight.balance import Difference, Row
    from noddysim.insight.duels import Duel
    from noddysim.insight.study import Lead

# Okabe and Ito's colours: told apart by people with any kind of colour blindness. Their greys differ too.
BLUE: Final = "#0072B2"
ORANGE: Final = "#D55E00"
GREEN: Final = "#009E73"
PURPLE: Final = "#A3518A"
INK: Final = "#222222"
QUIET: Final = "#666666"
PALE: Final = "#E8E6E0"

MARKS: Final = (("o", BLUE), ("D", ORANGE), ("s", GREEN), ("^", PURPLE))
"""Mark and colour of the first, second … series of a picture."""

WIDTH: Final = 5.4
"""Inches. Narrow enough that the words can still be read when a telephone shrinks the picture."""

SETTINGS: Final[dict[str, Any]] = {
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.unicode_minus": True,
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.size": 0.0,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.markersize": 5.0,
    "svg.fonttype": "none",
    "figure.dpi": 100.0,
    "savefig.dpi": 100.0,
}


def settings() -> AbstractContextManager[Any]:
    """Matplotlib's defaults with ours on top, until the end of the block."""
    import matplotlib as mpl

    return mpl.rc_context({**{k: v for k, v in mpl.rcParamsDefault.items() if k not in _LEFT_ALONE}, **SETTINGS})


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
        return textwrap.wrap(self.question, 52), textwrap.wrap(self.reply, 76)

    @property
    def columns(self) -> int:
        """Names of marks beside each other."""
        return max(1, min(len(self.names), 72 // (max(map(len, self.names), default=1) + 8)))

    @property
    def head(self) -> float:
        """Height of question and answer in inches."""
        title, words = self.lines
        return 0.12 + 0.2 * len(title) + 0.165 * len(words)

    @property
    def foot(self) -> float:
        """Height of the names of the marks in inches."""
        return 0.08 + 0.2 * -(-len(self.names) // self.columns) if self.names else 0.0


def draw(name: str, body: float, frame: Frame, fill: Callable[[Figure], None]) -> str:
    """The SVG text of a picture: ``fill`` draws on a figure whose axes get ``body`` inches of height.

    ``name`` makes the ids of the picture its own.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    height = body + frame.head + frame.foot
    with settings():
        mpl.rcParams["svg.hashsalt"] = name
        figure = Figure(figsize=(WIDTH, height))
        rect = (0.0, frame.foot / height, 1.0, body / height)
        figure.set_layout_engine("constrained", rect=rect, h_pad=0.03, w_pad=0.03)
        fill(figure)
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
        (words, 9.0, "normal", QUIET, 0.165),
    ):
        for line in text:
            figure.text(0.012, y / height, line, va="top", fontsize=size, fontweight=weight, color=colour)
            y -= step
    handles = []
    for place, name in enumerate(frame.names):
        mark, colour = MARKS[place % len(MARKS)]
        face = "white" if place < len(frame.hollow) and frame.hollow[place] else colour
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
    for dot in dots:
        mark, colour = MARKS[dot.series % len(MARKS)]
        value = dot.value
        low = value.estimate if value.low is None else value.low
        high = value.estimate if value.high is None else value.high
        y = dot.row + dot.shift
        ax.plot([low * factor, high * factor], [y, y], color=colour, linewidth=1.3, solid_capstyle="butt")
        face = "white" if dot.hollow else colour
        ax.plot([value.estimate * factor], [y], marker=mark, color=colour, markerfacecolor=face, linestyle="none")


def rows(ax: Axes, labels: Sequence[str], title: str) -> None:
    """Name the rows from the top down, with a fine line for each."""
    ax.set_yticks(range(len(labels)), labels)
    ax.set_ylim(len(labels) - 0.4, -0.6)
    for place in range(len(labels)):
        ax.axhline(place, color=PALE, linewidth=0.6, zorder=0)
    ax.set_title(title, loc="left", fontsize=9, fontweight="bold")


# --- tips -----------------------------------------------------------------------------------------------------------


def plot_tip(name: str, cases: Sequence[Case], opposites: Sequence[Case], panels: Sequence[Panel]) -> str:
    """The effect of a tip in the seat concerned, against each opponent on each baseline, its opposite beside it."""
    shown = [case for case in cases if case.finding.verdict != stats.VACUOUS]
    against = {case.panel: case for case in opposites}
    heights = [len(_pairs(case)) for case in shown]

    def fill(figure: Figure) -> None:
        axes = figure.subplots(len(shown), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
        for ax, case in zip(axes, shown, strict=True):
            _tip_panel(ax, case, against.get(case.panel), panels)
        axes[-1].set_xlabel(_tip_axis(shown[0]))

    title = cases[0].tip.title
    names = (title, opposites[0].tip.title) if opposites else (title,)
    frame = Frame(f"“{title}”: does it help?", answer(cases, panels), names, (False, True))
    return draw(name, 0.55 + 0.24 * sum(heights) + 0.34 * len(shown), frame, fill)


def _tip_axis(case: Case) -> str:
    if case.duels[0].setting.games:
        return "change in the chance to win a game, percentage points"
    seat = "the eldest's deals" if case.duels[0].concerns_eldest else "every seat"
    return f"points a deal ({seat}), with 95 % interval; grey: too small to matter"


def _pairs(case: Case) -> list[tuple[str, str]]:
    return list(dict.fromkeys((duel.setting.baseline, duel.setting.against) for duel in case.duels))


def _tip_panel(ax: Axes, case: Case, other: Case | None, panels: Sequence[Panel]) -> None:
    pairs = _pairs(case)
    factor = 100.0 if case.duels[0].setting.games else 1.0
    zone = case.duels[0].zone * factor
    ax.axvspan(-zone, zone, color=PALE, linewidth=0)
    ax.axvline(0, color=QUIET, linewidth=0.8)
    rows(ax, [f"{baseline} v. {against}" for baseline, against in pairs], panel_words(case.panel, panels))
    for series, side in enumerate((case, other)):
        for duel in side.duels if side else ():
            pair = duel.setting.baseline, duel.setting.against
            if pair in pairs and duel.concerned is not None:
                _tip_dot(ax, duel, pairs.index(pair), series, factor)


def _tip_dot(ax: Axes, duel: Duel, row: int, series: int, factor: float) -> None:
    shift = -0.16 if series == 0 else 0.2
    if duel.verdict == stats.ALREADY_FOLLOWED:
        words = "already followed" if series == 0 else "the opposite is followed already"
        ax.annotate(words, (0, row + shift), xytext=(6, 0), textcoords="offset points", va="center", fontsize=7.5,
                    color=QUIET)  # fmt: skip
    elif duel.concerned is not None:
        put(ax, [Dot(row, duel.concerned, series, shift, hollow=series == 1)], factor)


def plot_duel(duel: Duel, ax: Axes | None = None) -> Axes:
    """Draw the effect of one duel by seat and over all seats, with its intervals; returns the matplotlib axes.

    ``ax`` is drawn on if given; else new axes are made with pyplot.
    """
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.figure(layout="constrained").add_subplot()
    names = [f"as {name}" for name in SEAT_NAMES[duel.setting.players]] if duel.seats else []
    factor = 100.0 if duel.setting.games else 1.0
    ax.axvspan(-duel.zone * factor, duel.zone * factor, color=PALE, linewidth=0)
    ax.axvline(0, color=QUIET, linewidth=0.8)
    rows(ax, ["all seats", *names], f"{duel.arm} beside {duel.setting.baseline}: {duel.verdict.replace('-', ' ')}")
    if duel.effect is not None:
        put(ax, [Dot(0, duel.effect), *(Dot(place, seat, 1) for place, seat in enumerate(duel.seats, 1))], factor)
    unit = "chance to win, percentage points" if duel.setting.games else "points a deal"
    ax.set_xlabel(f"{unit}, against {duel.setting.against}, with 95 % interval")
    return ax


# --- leads ----------------------------------------------------------------------------------------------------------


def plot_leads(name: str, leads: Sequence[Lead], panel: Panel, reply: str) -> str:
    """Points from fifteens and from thirty-ones in the play by the rank led, for every seat."""
    seats = SEAT_NAMES[panel.players]

    def fill(figure: Figure) -> None:
        axes = figure.subplots(2, 1, sharex=True)
        for ax, kind, words in zip(axes, ("fifteen", "thirtyone"), ("fifteens", "thirty-ones"), strict=True):
            for series in range(panel.players):
                _lead_series(ax, leads, kind, series, (series - (panel.players - 1) / 2) * 0.17)
            ax.set_title(f"Points a deal from {words}", loc="left", fontsize=9, fontweight="bold")
            ax.set_ylim(bottom=0)
            ax.grid(axis="y", color=PALE, linewidth=0.6)
            ax.set_axisbelow(True)
            ax.tick_params(axis="y", length=0)
        axes[-1].set_xticks(range(len(RANKS)), list(RANKS))
        axes[-1].set_xlabel("card led by the " + seats[0] + ", with 95 % interval")

    frame = Frame(f"What does each lead leave for later? {players_words(panel.players).capitalize()}", reply, seats)
    return draw(name, 4.3, frame, fill)


def _lead_series(ax: Axes, leads: Sequence[Lead], kind: str, series: int, shift: float) -> None:
    mark, colour = MARKS[series]
    for lead in leads:
        value = lead.seats[series][kind]
        x = RANKS.index(lead.rank) + shift
        if value.low is not None and value.high is not None:
            ax.plot([x, x], [max(0.0, value.low), value.high], color=colour, linewidth=1.2, solid_capstyle="butt")
        ax.plot([x], [value.estimate], marker=mark, markersize=4.5, color=colour, linestyle="none")


# --- balance --------------------------------------------------------------------------------------------------------


def plot_wins(name: str, found: Sequence[Row], reply: str) -> str:
    """Chance to win by seat in the first deal, a panel for each number of players, one scale for all."""
    numbers = sorted({row.players for row in found})
    strategies = list(dict.fromkeys(row.strategy for row in found))
    labels = {n: _seat_labels(found, n) for n in numbers}

    def fill(figure: Figure) -> None:
        axes = figure.subplots(
            len(numbers), 1, sharex=True, squeeze=False, height_ratios=[len(labels[n]) + 1 for n in numbers]
        )[:, 0]
        for ax, n in zip(axes, numbers, strict=True):
            rows(ax, [f"{variant}: {seat}" for variant, seat in labels[n]], players_words(n).capitalize())
            ax.axvline(100 / n, color=QUIET, linewidth=0.9, linestyle=(0, (4, 2)))
            for row in found:
                if row.players == n:
                    series = strategies.index(row.strategy)
                    put(ax, list(_win_dots(row, labels[n], series, len(strategies))), 100.0)
        axes[-1].set_xlabel("chance to win a game, %, with 95 % interval; broken line: a fair share")

    names = tuple(f"{strategy} in every seat" for strategy in strategies)
    body = 0.5 + sum(0.215 * len(labels[n]) + 0.34 for n in numbers)
    return draw(name, body, Frame("Does it matter who deals first?", reply, names), fill)


def _seat_labels(found: Sequence[Row], players: int) -> list[tuple[str, str]]:
    """Variant and seat of each row of a panel, the first dealer last."""
    variants = list(dict.fromkeys(row.variant.name for row in found if row.players == players))
    return [(variant, seat) for variant in variants for seat in SEAT_NAMES[players]]


def _spread(series: int, number: int) -> float:
    """How far below its row a series lies, so that intervals do not cover each other."""
    return (series - (number - 1) / 2) * 0.3 if number > 1 else 0.0


def _win_dots(row: Row, labels: Sequence[tuple[str, str]], series: int, number: int) -> list[Dot]:
    seats = zip(SEAT_NAMES[row.players], row.seat_wins, strict=True)
    shift = _spread(series, number)
    return [Dot(labels.index((row.variant.name, seat)), value, series, shift) for seat, value in seats]


POINT_KINDS: Final = ("play", "show", "heels")


def plot_points(name: str, found: Sequence[Row], reply: str) -> str:
    """Points a deal by seat and source, a panel for each number of players; ``found`` is of one strategy."""
    numbers = sorted({row.players for row in found})
    labels = {n: _seat_labels(found, n) for n in numbers}

    def fill(figure: Figure) -> None:
        axes = figure.subplots(
            len(numbers), 1, sharex=True, squeeze=False, height_ratios=[len(labels[n]) + 1 for n in numbers]
        )[:, 0]
        for ax, n in zip(axes, numbers, strict=True):
            rows(ax, [f"{variant}: {seat}" for variant, seat in labels[n]], players_words(n).capitalize())
            for row in found:
                if row.players == n:
                    put(ax, _point_dots(row, labels[n]))
        axes[-1].set_xlim(left=-0.1)
        axes[-1].set_xlabel("points a deal, with 95 % interval")

    body = 0.5 + sum(0.215 * len(labels[n]) + 0.34 for n in numbers)
    frame = Frame("Where do the points come from?", reply, tuple(f"from the {kind}" for kind in POINT_KINDS))
    return draw(name, body, frame, fill)


def _point_dots(row: Row, labels: Sequence[tuple[str, str]]) -> list[Dot]:
    dots = []
    for seat, sources in zip(SEAT_NAMES[row.players], row.points, strict=True):
        place = labels.index((row.variant.name, seat))
        dots += [Dot(place, sources[kind], series) for series, kind in enumerate(POINT_KINDS) if kind in sources]
    return dots


LENGTHS: Final = (("deals", "Deals in a game"), ("cards", "Cards laid in a game"), ("lead_changes", "Changes of lead"))


def plot_lengths(name: str, found: Sequence[Row], reply: str) -> str:
    """Deals, cards and lead changes of a game, by variant and number of players."""
    strategies = list(dict.fromkeys(row.strategy for row in found))
    labels = list(dict.fromkeys((row.variant.name, row.players) for row in found))

    def fill(figure: Figure) -> None:
        axes = figure.subplots(len(LENGTHS), 1, squeeze=False)[:, 0]
        for ax, (metric, title) in zip(axes, LENGTHS, strict=True):
            rows(ax, [f"{variant}: {players} players" for variant, players in labels], title)
            for row in found:
                series = strategies.index(row.strategy)
                place = labels.index((row.variant.name, row.players))
                put(ax, [Dot(place, row.metrics[metric], series, _spread(series, len(strategies)))])
            ax.set_xlim(left=0)
        axes[-1].set_xlabel("mean of a game, with 95 % interval")

    names = tuple(f"{strategy} in every seat" for strategy in strategies)
    body = 0.5 + len(LENGTHS) * (0.215 * len(labels) + 0.5)
    return draw(name, body, Frame("How long is a game?", reply, names), fill)


def plot_differences(name: str, found: Sequence[Difference], reply: str) -> str:
    """What a change of rules does to the first dealer's chance to win, game by game."""
    strategies = list(dict.fromkeys(one.strategy for one in found))
    labels = list(dict.fromkeys((one.a, one.b, one.players) for one in found))

    def fill(figure: Figure) -> None:
        ax = figure.subplots()
        ax.axvline(0, color=QUIET, linewidth=0.8)
        rows(ax, [f"{a} − {b}: {players}" for a, b, players in labels], "Variants, and number of players")
        for one in found:
            series = strategies.index(one.strategy)
            place = labels.index((one.a, one.b, one.players))
            put(ax, [Dot(place, one.value, series, _spread(series, len(strategies)))], 100.0)
        ax.set_xlabel("difference, percentage points, with 95 % interval")

    names = tuple(f"{strategy} in every seat" for strategy in strategies)
    question = "How far do the rules move the first dealer's chance?"
    return draw(name, 0.85 + 0.24 * len(labels), Frame(question, reply, names), fill)
