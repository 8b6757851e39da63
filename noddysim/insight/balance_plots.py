"""Pictures of the balance of variants, with the marks and settings of all pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from noddysim.engine.games import SEAT_NAMES
from noddysim.insight.evidence import players_words
from noddysim.insight.plots import QUIET, Body, Dot, Frame, draw, heights, put, room_for, rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noddysim.insight.balance import Difference, Row


def plot_wins(name: str, found: Sequence[Row], reply: str) -> str:
    """Chance to win by seat in the first deal, axes for each number of players, one scale for all."""
    strategies = list(dict.fromkeys(row.strategy for row in found))

    def dots(row: Row, labels: Sequence[tuple[str, str]]) -> list[Dot]:
        series = strategies.index(row.strategy)
        shift = _spread(series, len(strategies))
        places = [labels.index((row.variant.name, seat)) for seat in SEAT_NAMES[row.players]]
        return [Dot(place, value, series, shift) for place, value in zip(places, row.seat_wins, strict=True)]

    names = tuple(f"{strategy} in every seat" for strategy in strategies)
    axis = "chance to win a game, %, with 95 % interval; broken line: a fair share"
    frame = Frame("Does it matter who deals first?", reply, names)
    return _by_seat(name, frame, found, dots, axis, factor=100.0, fair=True)


POINT_KINDS: Final = ("play", "show", "heels")


def plot_points(name: str, found: Sequence[Row], reply: str) -> str:
    """Points a deal by seat and source, axes for each number of players; ``found`` is of one strategy."""

    def dots(row: Row, labels: Sequence[tuple[str, str]]) -> list[Dot]:
        made: list[Dot] = []
        for seat, sources in zip(SEAT_NAMES[row.players], row.points, strict=True):
            place = labels.index((row.variant.name, seat))
            made += [Dot(place, sources[kind], series) for series, kind in enumerate(POINT_KINDS) if kind in sources]
        return made

    frame = Frame("Where do the points come from?", reply, ("the play", "the show", "the turned card"))
    return _by_seat(name, frame, found, dots, "points a deal, with 95 % interval")


def _by_seat(
    name: str,
    frame: Frame,
    found: Sequence[Row],
    dots: Callable[[Row, Sequence[tuple[str, str]]], list[Dot]],
    axis: str,
    *,
    factor: float = 1.0,
    fair: bool = False,
) -> str:
    """Axes for each number of players, with a row for each variant and seat, the first dealer last."""
    numbers = sorted({row.players for row in found})
    labels = [_seat_labels(found, n) for n in numbers]

    def fill(axes: Sequence[Axes]) -> None:
        for ax, n, some in zip(axes, numbers, labels, strict=True):
            rows(ax, [f"{variant}: {seat}" for variant, seat in some], players_words(n).capitalize())
            if fair:
                ax.axvline(factor / n, color=QUIET, linewidth=0.9, linestyle=(0, (4, 2)))
            put(ax, [dot for row in found if row.players == n for dot in dots(row, some)], factor)

    left = room_for([f"{variant}: {seat}" for some in labels for variant, seat in some])
    return draw(name, frame, Body(heights(labels, 0.215), left, axis), fill)


def _seat_labels(found: Sequence[Row], players: int) -> list[tuple[str, str]]:
    variants = list(dict.fromkeys(row.variant.name for row in found if row.players == players))
    return [(variant, seat) for variant in variants for seat in SEAT_NAMES[players]]


def _spread(series: int, number: int) -> float:
    """How far below its row a series lies, so that intervals do not cover each other."""
    return (series - (number - 1) / 2) * 0.3 if number > 1 else 0.0


LENGTHS: Final = (("deals", "Deals in a game"), ("cards", "Cards laid in a game"), ("lead_changes", "Changes of lead"))


def plot_lengths(name: str, found: Sequence[Row], reply: str) -> str:
    """Deals, cards and lead changes of a game, by variant and number of players."""
    strategies = list(dict.fromkeys(row.strategy for row in found))
    places = list(dict.fromkeys((row.variant.name, row.players) for row in found))
    labels = [f"{variant}: {players} players" for variant, players in places]

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
    tall = heights([labels] * len(LENGTHS), 0.215)
    return draw(name, frame, Body(tall, room_for(labels), "mean of a game, with 95 % interval", shared=False), fill)


def plot_differences(name: str, found: Sequence[Difference], reply: str) -> str:
    """What a change of rules does to the first dealer's chance to win, game by game."""
    strategies = list(dict.fromkeys(one.strategy for one in found))
    places = list(dict.fromkeys((one.a, one.b, one.players) for one in found))
    labels = [f"{a} less {b}: {players}" for a, b, players in places]

    def fill(axes: Sequence[Axes]) -> None:
        (ax,) = axes
        ax.axvline(0, color=QUIET, linewidth=0.8)
        rows(ax, labels, "Variants, and number of players")
        dots = []
        for one in found:
            series = strategies.index(one.strategy)
            place = places.index((one.a, one.b, one.players))
            dots.append(Dot(place, one.value, series, _spread(series, len(strategies))))
        put(ax, dots, 100.0)

    names = tuple(f"{strategy} in every seat" for strategy in strategies)
    frame = Frame("How far do the rules move the first dealer's chance?", reply, names)
    axis = "difference, percentage points, with 95 % interval"
    return draw(name, frame, Body(heights([labels], 0.24), room_for(labels), axis), fill)
