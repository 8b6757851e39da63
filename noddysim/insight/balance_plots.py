"""Pictures of the balance of variants, with the marks and settings of all pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from noddysim.engine.games import SEAT_NAMES
from noddysim.insight.evidence import players_words
from noddysim.insight.plots import (
    HIDDEN,
    QUIET,
    Body,
    Dot,
    Frame,
    draw,
    heights,
    in_lines,
    put,
    room_for,
    row_height,
    rows,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noddysim.insight.rows import Difference, Row


def plot_wins(name: str, found: Sequence[Row], reply: str) -> str:
    """Chance to win by seat in the first deal, axes for each number of players, one scale for all."""
    strategies = list(dict.fromkeys(row.strategy for row in found))

    def dots(row: Row, labels: Sequence[tuple[str, str]]) -> list[Dot]:
        series = strategies.index(row.strategy)
        shift = _spread(series, len(strategies))
        places = [labels.index((row.variant.name, side)) for side in row.side_names]
        return [Dot(place, value, series, shift) for place, value in zip(places, row.seat_wins, strict=True)]

    names = tuple(f"{strategy} in every seat" for strategy in strategies)
    axis = f"chance to win a game, %, with 95 % interval ({HIDDEN}); broken line: a fair share"
    frame = Frame("Does it matter who deals first?", reply, names)
    return _by_place(name, frame, found, Places(lambda row: row.side_names, dots, axis, 100.0, fair=True))


POINT_KINDS: Final[Mapping[str, str]] = {
    "play": "the play",
    "show": "the show",
    "heels": "the turned card",
    "crib": "the crib",
    "mog": "mogging",
    "start": "three for last",
}
"""Sources of points, and what a reader calls them; the last three only where a variant has them."""


def plot_points(name: str, found: Sequence[Row], reply: str) -> str:
    """Points a deal by seat and source, axes for each number of players; ``found`` is of one strategy."""

    def dots(row: Row, labels: Sequence[tuple[str, str]]) -> list[Dot]:
        made: list[Dot] = []
        for seat, sources in zip(SEAT_NAMES[row.players], row.points, strict=True):
            place = labels.index((row.variant.name, seat))
            made += [Dot(place, sources[kind], series) for series, kind in enumerate(kinds) if kind in sources]
        return made

    kinds = [kind for kind in POINT_KINDS if any(kind in sources for row in found for sources in row.points)]
    frame = Frame("Where do the points come from?", reply, tuple(POINT_KINDS[kind] for kind in kinds))
    places = Places(lambda row: SEAT_NAMES[row.players], dots, f"points a deal, with 95 % interval; {HIDDEN}")
    return _by_place(name, frame, found, places)


@dataclass(frozen=True)
class Places:
    """What stands in the rows of a picture by seat or side, the dots in them, and the words and unit of the axis."""

    of: Callable[[Row], Sequence[str]]
    dots: Callable[[Row, Sequence[tuple[str, str]]], list[Dot]]
    axis: str
    factor: float = 1.0
    fair: bool = False


def _by_place(name: str, frame: Frame, found: Sequence[Row], places: Places) -> str:
    """Axes for each number of players, with a row for each variant and seat (or side), the first dealer last."""
    numbers = sorted({row.players for row in found})
    by_number = [[row for row in found if row.players == n] for n in numbers]
    labels = [
        list(dict.fromkeys((row.variant.name, who) for row in some for who in places.of(row))) for some in by_number
    ]

    named = [[in_lines(f"{variant}: {seat}") for variant, seat in some] for some in labels]
    every = [label for some in named for label in some]

    def fill(axes: Sequence[Axes]) -> None:
        for ax, n, of_number, some, names in zip(axes, numbers, by_number, labels, named, strict=True):
            rows(ax, names, players_words(n).capitalize())
            for share in sorted({1 / len(row.seat_wins) for row in of_number}) if places.fair else ():
                ax.axvline(places.factor * share, color=QUIET, linewidth=0.9, linestyle=(0, (4, 2)))
            put(ax, [dot for row in of_number for dot in places.dots(row, some)], places.factor)

    return draw(name, frame, Body(heights(labels, row_height(every)), room_for(every), places.axis), fill)


def _spread(series: int, number: int) -> float:
    """How far below its row a series lies, so that intervals do not cover each other."""
    return (series - (number - 1) / 2) * 0.3 if number > 1 else 0.0


LENGTHS: Final = (("deals", "Deals in a game"), ("cards", "Cards laid in a game"), ("lead_changes", "Changes of lead"))


def plot_lengths(name: str, found: Sequence[Row], reply: str) -> str:
    """Deals, cards and lead changes of a game, by variant and number of players."""
    strategies = list(dict.fromkeys(row.strategy for row in found))
    places = list(dict.fromkeys((row.variant.name, row.players) for row in found))
    labels = [in_lines(f"{variant}: {players} players") for variant, players in places]

    def dot(row: Row, metric: str) -> Dot:
        series = strategies.index(row.strategy)
        place = places.index((row.variant.name, row.players))
        return Dot(place, row.metrics[metric], series, _spread(series, len(strategies)))

    def fill(axes: Sequence[Axes]) -> None:
        for ax, (metric, title) in zip(axes, LENGTHS, strict=True):
            rows(ax, labels, title)
            put(ax, [dot(row, metric) for row in found])
            ax.set_xlim(left=0)

    frame = Frame("How long is a game?", reply, tuple(f"{strategy} in every seat" for strategy in strategies))
    axis = f"mean of a game, with 95 % interval; {HIDDEN}"
    tall = heights([labels] * len(LENGTHS), row_height(labels))
    return draw(name, frame, Body(tall, room_for(labels), axis, shared=False), fill)


def plot_differences(name: str, found: Sequence[Difference], reply: str) -> str:
    """What a change of rules does to the first dealer's chance to win, game by game."""
    strategies = list(dict.fromkeys(one.strategy for one in found))
    places = list(dict.fromkeys((one.a, one.b, one.players) for one in found))
    labels = [in_lines(f"{a} less {b}: {players}") for a, b, players in places]

    def fill(axes: Sequence[Axes]) -> None:
        (ax,) = axes
        ax.axvline(0, color=QUIET, linewidth=0.8)
        rows(ax, labels, "Variants and players")
        dots = []
        for one in found:
            series = strategies.index(one.strategy)
            place = places.index((one.a, one.b, one.players))
            dots.append(Dot(place, one.value, series, _spread(series, len(strategies))))
        put(ax, dots, 100.0)

    names = tuple(f"{strategy} in every seat" for strategy in strategies)
    frame = Frame("How far do the rules move the first dealer's chance?", reply, names)
    axis = f"difference, percentage points, with 95 % interval; {HIDDEN}"
    return draw(name, frame, Body(heights([labels], row_height(labels)), room_for(labels), axis), fill)
