"""Pictures of published figures beside ours, with the marks and settings of all pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from noddysim.insight.estimates import Estimate
from noddysim.insight.plots import MARKS, PALE, QUIET, Body, Dot, Frame, draw, heights, put, room_for, rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noddysim.insight.verification import Check, CribCheck

WHOSE_WORDS: Final = {"own": "one's own crib", "theirs": "the other's crib"}
SIDES: Final = ("own", "theirs")


def plot_differences(name: str, checks: Sequence[Check], labels: Sequence[str], frame: Frame, axis: str) -> str:
    """Published figures less ours, a row each; a line is our interval and the published one's rounding together.

    Figures in percent are drawn in percentage points.
    """
    factor = 100.0 if checks[0].figure.unit == "percent" else 1.0
    allowed = min(check.allowed for check in checks)

    def fill(axes: Sequence[Axes]) -> None:
        (ax,) = axes
        ax.axvspan(-allowed * factor, allowed * factor, color=PALE, linewidth=0)
        ax.axvline(0, color=QUIET, linewidth=0.8)
        rows(ax, labels, "")
        put(ax, [Dot(place, _with_rounding(check)) for place, check in enumerate(checks)], factor)

    return draw(name, frame, Body(heights([labels], 0.24), room_for(labels), axis), fill)


def _with_rounding(check: Check) -> Estimate:
    """The difference with the width of both sides."""
    found, theirs = check.difference, check.theirs
    if found.low is None or found.high is None:
        return found
    low, high = found.low - float(theirs.value - theirs.low), found.high + float(theirs.high - theirs.value)
    return Estimate(found.estimate, low, high, found.n, found.unit, found.method)


def plot_cribs(name: str, checks: Sequence[CribCheck], reply: str) -> str:
    """How far every mean of the published tables of cribs lies from ours: a row for each half of a table."""
    labels = [f"{check.table.name}, {check.whose if check.whose == 'own' else 'other’s'} crib" for check in checks]
    allowed = checks[0].allowed

    def fill(axes: Sequence[Axes]) -> None:
        (ax,) = axes
        ax.axvspan(-allowed, allowed, color=PALE, linewidth=0)
        ax.axvline(0, color=QUIET, linewidth=0.8)
        rows(ax, labels, "Published table")
        for place, check in enumerate(checks):
            _strip(ax, place, check)

    frame = Frame(
        "Do the published tables of cribs agree with ours?", reply, tuple(WHOSE_WORDS[side] for side in SIDES)
    )
    axis = "published mean less ours, points in the crib; a mark for each pair laid away, grey: allowed"
    return draw(name, frame, Body(heights([labels], 0.34), room_for(labels), axis), fill)


def _strip(ax: Axes, place: int, check: CribCheck) -> None:
    """The differences of one half of a table, with the pair furthest away named."""
    mark, colour = MARKS[SIDES.index(check.whose)]
    differences = [check.difference(laid) for laid in check.printed]
    ax.plot(differences, [place] * len(differences), marker=mark, color=colour, markersize=3.5, alpha=0.45,
            markeredgewidth=0, linestyle="none")  # fmt: skip
    far = check.difference(check.furthest)
    ax.annotate(check.furthest, (far, place), xytext=(0, 5), textcoords="offset points", ha="center", fontsize=9,
                color=colour)  # fmt: skip
