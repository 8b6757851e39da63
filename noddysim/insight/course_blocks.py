"""The part of the balance page on how games go and what skill is worth there, and the words on what differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from noddysim.engine.courses import GAP_STEP
from noddysim.game.families import PEGGING
from noddysim.game.laying_data import MELDING, SETS
from noddysim.insight.balance_words import course_words, difference_words, fairness_words, why_words
from noddysim.insight.document import Block, Column, Fold, Heading, Table, TableBlock, Text, bullets, code, strong
from noddysim.insight.evidence import players_words
from noddysim.insight.numbers import format_estimate
from noddysim.insight.plots import HIDDEN, Body, Dot, Frame, draw, heights, in_lines, put, room_for, row_height, rows
from noddysim.insight.rows import Comparison, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noddysim.insight.estimates import Estimate
    from noddysim.insight.pages import Book

PANELS: Final = (
    ("drama", "Winner's worst gap, points", 1.0),
    ("decided", "Lead settled, % of cards", 100.0),
    ("from_behind", "Won from behind, %", 100.0),
    ("skill", "Best over weakest, %", 100.0),
    ("skill_share", "Explained by skill, %", 100.0),
)
CAPTION: Final = (
    "From the top: by how much the winner was behind at the worst moment; when he took the lead for good; games in "
    "which he was behind as the last deal began; how often the best player known wins among the weakest; the share of "
    "winning that skill explains."
)
GAPS: Final = {PEGGING.name: (1, 2, 3, 5, 7, 10), MELDING: (2, 4, 6, 10, 15, 20), SETS: (50, 100, 200, 300, 400, 500)}
"""Points behind for which comeback chances are in the table, by family of games."""
BEGINS: Final = {
    PEGGING.name: "when a deal begins", MELDING: "when a round of turns begins",
    SETS: f"when a deal begins, {GAP_STEP} points together",
}  # fmt: skip


def answer_words(found: Comparison) -> list[Block]:
    """Why the dealer has his edge, with whom it is fair, and what differs between variants, folded below the answer."""
    firsts = _firsts(found.rows)
    why = [(strong(f"{_name(row)}: "), why_words(row)) for row in firsts if why_words(row)]
    blocks: list[Block] = []
    fair = fairness_words(found)
    if fair:
        blocks.append(Fold("Over all the strategies that were tried", (bullets(*fair),)))
    if why:
        blocks.append(Fold("Where the dealer's edge comes from", (bullets(*why),)))
    differs = difference_words(found)
    if differs:
        blocks.append(Fold("What differs between the variants, and what does not", (bullets(*differs),)))
    return blocks


def _firsts(found: Sequence[Row]) -> list[Row]:
    firsts = {row.variant.name: row.strategy for row in reversed(found)}
    return [row for row in found if row.strategy == firsts[row.variant.name]]


def _name(row: Row) -> str:
    return f"{row.variant.name}, {players_words(row.players)}"


def course_blocks(book: Book, found: Comparison, tail: str, level: int) -> list[Block]:
    """How games go: the picture, a sentence a variant, and comeback chances."""
    told = [row for row in _firsts(found.rows) if row.course]
    if not told:
        return []
    name = f"balance-course{tail}"
    first = told[0]
    decided = format_estimate(first.metrics["decided"], signed=False, percent=True)
    reply = f"{_name(first)}: the lead is settled after {decided} of the cards"
    alt = f"How games go and what skill is worth, by variant and number of players. {reply}."
    lines: list[Text | str] = [(strong(f"{_name(row)}: "), course_words(row)) for row in told]
    blocks: list[Block] = [
        Heading("How a game goes, and what skill is worth", f"course{tail}", level),
        book.figure(name, plot_courses(name, told, reply), alt, CAPTION),
        Fold("The same in words", (bullets(*lines),)),
    ]
    tables = comeback_tables(told, tail)
    if tables:
        blocks.append(Fold("Chance to win when behind", tuple(map(TableBlock, tables))))
    ladders = [row for row in told if row.skill]
    if ladders:
        blocks.append(Fold("The ladder of strategies", (TableBlock(ladder_table(ladders, tail)),)))
    return blocks


def comeback_tables(told: Sequence[Row], tail: str) -> list[Table]:
    """Chance to win by points behind, a table for each family of games."""
    found = []
    for family, gaps in GAPS.items():
        rows = [row for row in told if row.variant.family.name == family and row.course and row.course.comebacks]
        if rows:
            found.append(_comeback_table(rows, gaps, f"{tail}-{family}" if family != PEGGING.name else tail))
    return found


def _comeback_table(told: Sequence[Row], gaps: Sequence[int], tail: str) -> Table:
    """One of them, a column for each number of points."""
    begins = BEGINS[told[0].variant.family.name]
    columns = (
        Column("variant", "game"), Column("players", "players", number=True), Column("strategy", "strategy"),
        *(Column(f"behind_{gap}", f"{_up_to(told[0], gap)} behind", True, False) for gap in gaps),
    )  # fmt: skip
    lines = tuple(
        (row.variant.name, row.players, code(row.strategy), *(row.course.comebacks.get(gap) for gap in gaps))
        for row in told
        if row.course and row.course.comebacks
    )
    return Table(f"balance-comebacks{tail}", f"Chance to win by points behind {begins}", columns, lines)


def _up_to(row: Row, gap: int) -> str:
    """``5``, or ``251 to 300`` where several numbers of points are told together."""
    assert row.course is not None
    return str(gap) if row.course.step == 1 else f"{gap - row.course.step + 1} to {gap}"


def ladder_table(told: Sequence[Row], tail: str) -> Table:
    """How often each strategy of the ladder wins among those behind it."""
    columns = (
        Column("variant", "game"), Column("players", "players", number=True), Column("better", "one player of"),
        Column("worse", "among"), Column("chance", "wins", True, False),
    )  # fmt: skip
    lines = tuple(
        (row.variant.name, row.players, code(rung.better), code(rung.worse), rung.chance)
        for row in told
        if row.skill
        for rung in row.skill.rungs
    )
    return Table(f"balance-ladder{tail}", "Better strategies among worse ones", columns, lines)


def plot_courses(name: str, told: Sequence[Row], reply: str) -> str:
    """Small multiples: a part for each metric, a row for each variant and number of players."""
    labels = [in_lines(f"{row.variant.name}: {row.players} players") for row in told]
    panels = [panel for panel in PANELS if any(_value(row, panel[0]) for row in told)]

    def fill(axes: Sequence[Axes]) -> None:
        for ax, (metric, title, factor) in zip(axes, panels, strict=True):
            rows(ax, labels, title)
            values = [(place, _value(row, metric)) for place, row in enumerate(told)]
            put(ax, [Dot(place, value) for place, value in values if value is not None], factor)
            ax.set_xlim(left=0)

    frame = Frame("How does a game go?", reply)
    tall = heights([labels] * len(panels), row_height(labels))
    return draw(name, frame, Body(tall, room_for(labels), f"with 95 % interval; {HIDDEN}", shared=False), fill)


def _value(row: Row, metric: str) -> Estimate | None:
    if metric in ("skill", "skill_share"):
        if row.skill is None:
            return None
        return row.skill.widest.chance if metric == "skill" else row.skill.share
    return row.metrics.get(metric)
