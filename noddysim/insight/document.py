"""A page as plain data: headings, paragraphs, tables and figures, before anything is HTML, Markdown or CSV.

The same blocks make every form of a page, so that a reader of one form misses nothing of another.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from noddysim.insight import verdicts
from noddysim.insight.estimates import Estimate
from noddysim.insight.numbers import format_count, format_estimate, format_number
from noddysim.insight.stats import ALIKE

Style = Literal["", "strong", "em", "code", "option", "verdict", "quiet"]


@dataclass(frozen=True)
class Span:
    """A piece of text with a style, or a link. ``page`` names another page of the report, ``anchor`` a place in it."""

    text: str
    style: Style = ""
    page: str = ""
    anchor: str = ""

    @property
    def links(self) -> bool:
        """Whether this is a link."""
        return bool(self.page or self.anchor)


Text: TypeAlias = tuple[str | Span, ...]
Cell: TypeAlias = str | int | float | Estimate | Span | Text | None


def strong(text: str) -> Span:
    """Text that stands out."""
    return Span(text, "strong")


def code(text: str) -> Span:
    """The name of a strategy, a file or a command."""
    return Span(text, "code")


def link(text: str, anchor: str = "", page: str = "") -> Span:
    """A link to a place of this page, or of another."""
    return Span(text, page=page, anchor=anchor)


SHAPES: Final = {
    verdicts.VACUOUS: "○",
    verdicts.ALREADY_FOLLOWED: "✓",
    verdicts.NO_DIFFERENCE: "=",
    verdicts.HELPS: "▲",
    verdicts.HURTS: "▼",
    verdicts.UNDECIDED: "?",
    verdicts.DEPENDS: "◆",
}
"""A shape beside the word of each verdict, so that it can be told at a glance and without colours."""


def badge(verdict: str) -> Span:
    """A verdict as its word, with its shape and colour in the page."""
    return Span(verdict, "verdict")


def plain(text: Text | str | Span) -> str:
    """The words alone."""
    if isinstance(text, str):
        return text
    if isinstance(text, Span):
        return text.text.replace("-", " ") if text.style == "verdict" else text.text
    return "".join(plain(piece) for piece in text)


# --- tables ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of a table: the key in the CSV, the words above it, and how its estimates are printed."""

    key: str
    head: str
    number: bool = False
    signed: bool = True
    percent: bool | None = None
    wide: bool = False
    """Holds sentences, and needs room for them even on a telephone."""
    digits: int | None = None
    """Places after the point of all its values, which are exact, as the title of the table says once for all."""


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns. The first ``heads`` columns name a row; ``name`` is that of its CSV file.

    In all of those but the last, a cell that repeats the one above it is joined with it in the page.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    heads: int = 1
    stacked: bool = False
    """Whether the cells of a row stand below each other on a telephone, each with the words above its column."""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: a row of {len(row)} cells under {len(self.columns)} columns")

    def to_csv(self) -> str:
        """All numbers in full. An estimate takes six columns: itself, low, high, unit, n and how it is known."""
        wide = [any(isinstance(row[i], Estimate) for row in self.rows) for i in range(len(self.columns))]
        lines = [[key for column, more in zip(self.columns, wide, strict=True) for key in _keys(column.key, more)]]
        for row in self.rows:
            lines.append([text for cell, more in zip(row, wide, strict=True) for text in _values(cell, more)])
        return csv_text(lines)


def csv_text(lines: Sequence[Sequence[str]]) -> str:
    """Rows of text as CSV with plain line ends."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()


def _keys(key: str, wide: bool) -> list[str]:
    return [key, *(f"{key}_{end}" for end in ("low", "high", "unit", "n", "method"))] if wide else [key]


def _values(cell: Cell, wide: bool) -> list[str]:
    if isinstance(cell, Estimate):
        method = "exact, " + cell.method if cell.exact else cell.method
        return [*map(exact_text, (cell.estimate, cell.low, cell.high)), cell.unit, str(cell.n), method]
    return [csv_cell(cell), *[""] * (5 if wide else 0)]


def csv_cell(cell: Cell) -> str:
    """One cell in words or figures; nothing for None, a verdict by its name."""
    if isinstance(cell, Span):
        return cell.text
    if isinstance(cell, str | tuple):
        return plain(cell)
    if isinstance(cell, Estimate):
        return exact_text(cell.estimate)
    return "" if cell is None else exact_text(cell)


def exact_text(value: float | int | None) -> str:
    """A number that reads back as itself; nothing for None."""
    return "" if value is None else repr(value)


def shown(cell: Cell, column: Column) -> str:
    """A cell as a reader sees it; a dash where there is nothing."""
    if cell is None:
        return "–"
    if isinstance(cell, Estimate) and cell.exact and column.digits is not None:
        return format_number(cell.estimate, column.digits, signed=column.signed)
    if isinstance(cell, Estimate):
        text = format_estimate(cell, signed=column.signed, percent=column.percent)
        alike = cell.low is None and cell.method.startswith(ALIKE)
        return f"{text.partition(' (')[0]} (alike in all {format_count(cell.n)})" if alike else text
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return format_count(cell)
    if isinstance(cell, float):
        return f"{cell:g}"
    return plain(cell)


def fraction_cell(value: Fraction) -> str:
    """A fraction with its decimal value: ``12/221 = 0.0543``."""
    return str(value) if value.denominator == 1 else f"{value} ≈ {float(value):.4f}"


# --- blocks ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Heading:
    """A heading of level 2 to 4 with the name by which links find it."""

    text: str
    anchor: str = ""
    level: int = 2
    kind: str = "heading"


@dataclass(frozen=True)
class Paragraph:
    """Running text; ``role`` is ``lead`` for what comes first, ``note`` for small print."""

    text: Text
    role: Literal["", "lead", "note"] = ""
    kind: str = "paragraph"


@dataclass(frozen=True)
class Bullets:
    """A list; an item may hold a list of its own."""

    items: tuple[tuple[Text, tuple[Text, ...]], ...]
    role: Literal["", "lead"] = ""
    kind: str = "bullets"


@dataclass(frozen=True)
class Terms:
    """Names and what they mean."""

    items: tuple[tuple[Text, Text], ...]
    kind: str = "terms"


@dataclass(frozen=True)
class TableBlock:
    """A table in its place."""

    table: Table
    kind: str = "table"


@dataclass(frozen=True)
class Figure:
    """A picture by the name of its file, with words for those who cannot see it and a caption for all."""

    name: str
    alt: str
    caption: str
    kind: str = "figure"


@dataclass(frozen=True)
class Fold:
    """Blocks that are folded away until asked for."""

    summary: str
    blocks: tuple[Block, ...]
    kind: str = "fold"


@dataclass(frozen=True)
class Widget:
    """A form that works in the page by a script: ``NAME.html`` and ``NAME.js`` among the templates, and its data.

    ``words`` stand in its place where there is no script.
    """

    name: str
    data: Mapping[str, str]
    words: str
    kind: str = "widget"


Block: TypeAlias = Heading | Paragraph | Bullets | Terms | TableBlock | Figure | Fold | Widget


@dataclass(frozen=True)
class Page:
    """A page: its file name without ending, its title, a line below it, and its blocks."""

    name: str
    title: str
    subtitle: str
    blocks: tuple[Block, ...]

    def tables(self) -> list[Table]:
        """All tables, folded ones too, in order."""
        return [block.table for block in flat(self.blocks) if isinstance(block, TableBlock)]


@dataclass(frozen=True)
class Group:
    """Pages that stand together in the menu, under one short name."""

    name: str
    pages: tuple[Page, ...]


def flat(blocks: Sequence[Block]) -> list[Block]:
    """The blocks in order with those of folds in place."""
    found: list[Block] = []
    for block in blocks:
        found.append(block)
        if isinstance(block, Fold):
            found += flat(block.blocks)
    return found


def bullets(*items: Text | str, role: Literal["", "lead"] = "") -> Bullets:
    """A plain list."""
    return Bullets(tuple(((item,) if isinstance(item, str) else item, ()) for item in items), role)


def paragraph(*pieces: str | Span, role: Literal["", "lead", "note"] = "") -> Paragraph:
    """A paragraph from its pieces."""
    return Paragraph(tuple(pieces), role)


def sheet_blocks(sheet: str, level: int = 4) -> list[Block]:
    """The light Markdown of a rule sheet (title, ``##`` headings, lists, paragraphs) as blocks, without its title."""
    found: list[Block] = []
    items: list[tuple[Text, tuple[Text, ...]]] = []

    def close() -> None:
        if items:
            found.append(Bullets(tuple(items)))
            items.clear()

    for line in sheet.splitlines():
        if line.startswith("  - ") and items:
            text, below = items[-1]
            items[-1] = (text, (*below, (line[4:],)))
        elif line.startswith("- "):
            items.append(((line[2:],), ()))
        elif line.strip():
            close()
            if line.startswith("## "):
                found.append(Heading(line[3:], level=level))
            elif not line.startswith("# "):
                found.append(paragraph(line))
    close()
    return found
