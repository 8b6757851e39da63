"""What each card led leaves for fifteen and thirty-one later, gathered into low leads and all others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from noddysim.engine.games import SEAT_NAMES
from noddysim.insight.document import Cell, Column, Table, Text, strong
from noddysim.insight.estimates import POINTS, Estimate
from noddysim.insight.evidence import Panel, panel_words
from noddysim.insight.numbers import format_estimate
from noddysim.insight.study import Lead
from noddysim.insight.words import and_words

LOW: Final = ("A", "2", "3")
KINDS: Final = (("fifteen", "fifteens"), ("thirtyone", "thirty-ones"))


class Room(NamedTuple):
    """Points a deal of one seat from one kind of count: after low leads, after all others, and the difference."""

    low: Estimate
    other: Estimate
    difference: Estimate

    @property
    def verdict(self) -> str:
        """``more``, ``fewer`` or ``no fewer or more that could be told`` after low leads."""
        low, high = self.difference.interval
        if low is not None and low > 0:
            return "more"
        return "fewer" if high is not None and high < 0 else "alike"


def room(leads: Sequence[Lead], seat: int, kind: str) -> Room | None:
    """Low leads against the others, in one seat; None if either was never led."""
    low = [lead for lead in leads if lead.rank in LOW]
    other = [lead for lead in leads if lead.rank not in LOW]
    if not low or not other:
        return None
    first, second = (_pooled([(lead.deals, lead.seats[seat][kind]) for lead in side]) for side in (low, other))
    return Room(first, second, _difference(first, second))


def _pooled(parts: Sequence[tuple[int, Estimate]]) -> Estimate:
    """The mean over ranks, each weighed by how often it was led. The ranks were led in different deals: independent."""
    n = sum(deals for deals, _ in parts)
    mean = sum(deals * value.estimate for deals, value in parts) / n
    halves = [value.half_width for _, value in parts]
    if any(half is None for half in halves):
        return Estimate(mean, None, None, n, POINTS, "mean over the ranks led")
    reach = math.sqrt(sum((deals * (half or 0.0)) ** 2 for (deals, _), half in zip(parts, halves, strict=True))) / n
    return Estimate(mean, mean - reach, mean + reach, n, POINTS, "mean over the ranks led, each t")


def _difference(a: Estimate, b: Estimate) -> Estimate:
    middle, n = a.estimate - b.estimate, min(a.n, b.n)
    if a.half_width is None or b.half_width is None:
        return Estimate(middle, None, None, n, POINTS, "unpaired")
    reach = math.hypot(a.half_width, b.half_width)
    return Estimate(middle, middle - reach, middle + reach, n, POINTS, "unpaired, each t")


def room_words(leads: Sequence[Lead], panel: Panel, panels: Sequence[Panel]) -> Text:
    """Whether low leads leave the leader more room, and what they leave the next player, with the numbers."""
    names = SEAT_NAMES[panel.players]
    parts = [_seat_words(leads, seat, names[seat]) for seat in (0, 1)]
    numbers = "; ".join(part for part in parts if part)
    where = strong(f"{panel_words(panel, panels)}.")
    return (where, f" {room_answer(leads, panel)}. ", numbers and f"In points a deal: {numbers}.")


def _seat_words(leads: Sequence[Lead], seat: int, name: str) -> str:
    parts = []
    for kind, words in KINDS:
        found = room(leads, seat, kind)
        if found:
            low, other = (format_estimate(value, signed=False) for value in (found.low, found.other))
            parts.append(f"{low} from {words} instead of {other}")
    return f"the {name} {and_words(parts)}" if parts else ""


def room_answer(leads: Sequence[Lead], panel: Panel) -> str:
    """The answer in one line, for the head of the plot."""
    found = {name: room(leads, 0, kind) for kind, name in KINDS}
    groups: dict[str, list[str]] = {}
    for name, one in found.items():
        if one:
            groups.setdefault(one.verdict, []).append(name)
    said = {"more": "more from {}", "fewer": "less from {}", "alike": "no more or less from {} that could be told"}
    parts = [said[verdict].format(and_words(names)) for verdict, names in groups.items()]
    seat = SEAT_NAMES[panel.players][0]
    if not parts:
        return "Too few leads were seen to tell"
    return f"After a low lead (ace to three) the {seat} makes {', and '.join(parts)}"


def room_table(leads_by_panel: Sequence[tuple[Panel, Sequence[Lead]]], panels: Sequence[Panel]) -> Table:
    """Low leads against all others for every seat."""
    columns = (
        Column("players", "players"), Column("seat", "seat"), Column("kind", "points from"),
        Column("low", "after an ace, two or three", number=True, signed=False),
        Column("other", "after other leads", number=True, signed=False),
        Column("difference", "difference", number=True),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for panel, leads in leads_by_panel:
        for seat, name in enumerate(SEAT_NAMES[panel.players]):
            for kind, words in KINDS:
                found = room(leads, seat, kind)
                if found:
                    rows.append((panel_words(panel, panels), name, words, found.low, found.other, found.difference))
    title = "What low leads leave for fifteens and thirty-ones, points a deal"
    return Table("leads-low-and-other", title, columns, tuple(rows), heads=2)
