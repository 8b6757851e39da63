"""Pages as HTML and as Markdown. Every text is escaped here, in one place for each form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from noddysim.game.cards import RANKS
from noddysim.insight import document
from noddysim.insight.document import (
    Block,
    Bullets,
    Cell,
    Column,
    Figure,
    Fold,
    Group,
    Heading,
    Page,
    Paragraph,
    Span,
    Table,
    TableBlock,
    Terms,
    Text,
    Widget,
)
from noddysim.insight.estimates import Estimate

PACKAGE: Final = "noddysim.insight"
SCRIPTS: Final = ("menu.js", "tables.js")
"""What the pages can do beside being read; each stands for itself, and no page needs them."""


# --- HTML -----------------------------------------------------------------------------------------------------------


def to_html(page: Page, figures: Mapping[str, str], menu: Sequence[Group]) -> str:
    """One page that needs nothing beside itself: ``figures`` are SVG texts by name, ``menu`` groups all pages."""
    place = files(PACKAGE) / "templates"
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters.update(cell=_html_cell, text=_html_text, spans=_row_spans, sort_key=_sort_key)
    environment.filters["widget"] = lambda block: _html_widget(block, environment)
    template = environment.from_string((place / "page.html").read_text(encoding="utf-8"))
    style = Markup((place / "style.css").read_text(encoding="utf-8"))
    script = Markup("".join((place / name).read_text(encoding="utf-8") for name in SCRIPTS))
    drawn = {name: Markup(inline_svg(name, svg, _alt(page, name))) for name, svg in figures.items()}
    return template.render(page=page, style=style, script=script, figures=drawn, menu=menu)


def _html_widget(block: Widget, environment: Environment) -> Markup:
    """A form with its script and its data, all in the page. A ``<`` in the data is written so that it ends nothing."""
    place = files(PACKAGE) / "templates"
    data = json.dumps(dict(block.data), sort_keys=True).replace("<", "\\u003c")
    script = (place / f"{block.name}.js").read_text(encoding="utf-8").replace("__TABLE__", data)
    form = environment.from_string((place / f"{block.name}.html").read_text(encoding="utf-8"))
    return Markup(form.render(script=Markup(script), options=_rank_options))


def _rank_options(chosen: int) -> Markup:
    """The ranks to choose from, numbered from 0 (ace)."""
    return Markup("").join(
        Markup('<option value="{}"{}>{}</option>').format(rank, Markup(" selected") if rank == chosen else "", sign)
        for rank, sign in enumerate(RANKS)
    )


def inline_svg(name: str, svg: str, alt: str) -> str:
    """An SVG file as part of a page: without the head of the file, with ids of its own, and with its words."""
    body = svg[svg.index("<svg") :].strip()
    body = re.sub(r"<metadata>.*?</metadata>\s*", "", body, flags=re.S)
    # Each id gets the figure's name in front; matplotlib refers to ids as "#id" only.
    body = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', body)
    body = re.sub(r'(href="|url\()#', rf"\g<1>#{name}-", body)
    return body.replace("<svg ", str(Markup('<svg role="img" aria-label="{}" ').format(alt)), 1)


def _alt(page: Page, name: str) -> str:
    found = [block.alt for block in document.flat(page.blocks) if isinstance(block, Figure) and block.name == name]
    return found[0] if found else name


def _html_text(text: Text | str | Span) -> Markup:
    if isinstance(text, str):
        return Markup.escape(text)
    if isinstance(text, tuple):
        return Markup("").join(_html_text(piece) for piece in text)
    return _html_span(text)


_TAGS: Final = {"strong": "strong", "em": "em", "code": "code"}


def _html_span(span: Span) -> Markup:
    if span.style == "verdict":
        words = span.text.replace("-", " ")
        shape = document.SHAPES[span.text]
        inner = Markup('<span class="badge {}"><span aria-hidden="true">{}</span> {}</span>').format(
            span.text, shape, words
        )
    elif span.style == "quiet":
        inner = Markup('<span class="quiet">{}</span>').format(span.text)
    elif span.style == "option":
        inner = Markup('<code class="option">{}</code>').format(span.text)
    elif span.style:
        inner = Markup(f"<{_TAGS[span.style]}>{{}}</{_TAGS[span.style]}>").format(span.text)
    else:
        inner = Markup.escape(span.text)
    if not span.links:
        return inner
    place = f"{span.page}.html" if span.page else ""
    return Markup('<a href="{}">{}</a>').format(place + (f"#{span.anchor}" if span.anchor else ""), inner)


def _html_cell(cell: Cell, column: Column) -> Markup:
    if isinstance(cell, Span | tuple):
        return _html_text(cell)
    words = document.shown(cell, column)
    if isinstance(cell, Estimate) and " (" in words:
        value, _, interval = words.partition(" (")
        return Markup('{} <span class="interval">({}</span>').format(value, interval)
    return Markup.escape(words)


def _sort_key(cell: Cell, column: Column) -> Markup:
    """What a cell is sorted by where that is not its words: the number in full, or nothing where there is none."""
    value = cell.estimate if isinstance(cell, Estimate) else cell
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return Markup(' data-value="{}"').format(document.exact_text(value))
    return Markup(' data-value=""') if column.number and value == "" else Markup("")


def _row_spans(table: Table) -> list[tuple[int, ...]]:
    """For each row, how many rows each of its first cells stands for; 0 where it is the one above, said again.

    Cells are joined in the columns that name a row, save the last of them, and only where all to their left are too.
    """
    joined = max(0, table.heads - 1)
    spans = [[1] * joined for _ in table.rows]
    for column in range(joined):
        first = 0
        for place in range(1, len(table.rows)):
            if table.rows[place][: column + 1] == table.rows[first][: column + 1]:
                spans[first][column] += 1
                spans[place][column] = 0
            else:
                first = place
    return [tuple(row) for row in spans]


# --- Markdown -------------------------------------------------------------------------------------------------------


def to_markdown(page: Page, menu: Sequence[Group]) -> str:
    """The same page for reading on a code host, with the figures as files beside it."""
    others = "\n".join(
        f"- {md_escape(group.name)}: " + " · ".join(md_text(_name_of(other, page)) for other in group.pages)
        for group in menu
    )
    parts = [f"# {md_escape(page.title)}", md_escape(page.subtitle), others]
    parts += [_MARKDOWN[block.kind](block) for block in page.blocks]
    return "\n\n".join(part for part in parts if part) + "\n"


def _name_of(other: Page, page: Page) -> Span:
    return document.strong(other.title) if other.name == page.name else document.link(other.title, page=other.name)


def md_escape(text: str, *, first: bool = True) -> str:
    """Text that Markdown shows as it is: no tags, bars or emphasis, and, ``first`` on its line, no list."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", " ")
    text = re.sub(r"([\\`*_{}\[\]|~$#!])", r"\\\1", text)
    return re.sub(r"^(\s*)([-+]|\d+[.)])(?=\s)", r"\1\\\2", text) if first else text


def md_text(text: Text | str | Span) -> str:
    """Inline text."""
    if isinstance(text, str):
        return md_escape(text)
    if isinstance(text, tuple):
        pieces = enumerate(text)
        return "".join(md_escape(p, first=i == 0) if isinstance(p, str) else _md_span(p) for i, p in pieces)
    return _md_span(text)


def _md_span(span: Span) -> str:
    text = md_escape(span.text.replace("-", " ") if span.style == "verdict" else span.text)
    if span.style in ("code", "option"):
        text = _md_code(span.text)
    elif span.style == "verdict":
        text = f"{document.SHAPES[span.text]} {text}"
    elif span.style in ("strong", "em"):
        mark = "**" if span.style == "strong" else "*"
        # A mark beside a space on its inner side is no mark: spaces at the ends stand outside.
        inner = text.strip(" ")
        first = len(text) - len(text.lstrip(" "))
        text = f"{text[:first]}{mark}{inner}{mark}{text[first + len(inner) :]}"
    if not span.links:
        return text
    place = f"{span.page}.md" if span.page else ""
    return f"[{text}]({place}{'#' + span.anchor if span.anchor else ''})"


def _md_code(text: str) -> str:
    """Code, unless a sign in it would end the code or the cell of a table."""
    return md_escape(text) if re.search(r"[`|<>&\n]", text) else f"`{text}`"


def _md_heading(block: Block) -> str:
    assert isinstance(block, Heading)
    anchor = f'<a id="{block.anchor}"></a>\n\n' if block.anchor else ""
    return f"{anchor}{'#' * block.level} {md_escape(block.text)}"


def _md_paragraph(block: Block) -> str:
    assert isinstance(block, Paragraph)
    return md_text(block.text)


def _md_bullets(block: Block) -> str:
    assert isinstance(block, Bullets)
    lines = []
    for item, below in block.items:
        lines.append(f"- {md_text(item)}")
        lines += [f"  - {md_text(text)}" for text in below]
    return "\n".join(lines)


def _md_terms(block: Block) -> str:
    assert isinstance(block, Terms)
    return "\n".join(f"- {md_text(name)}: {md_text(meaning)}" for name, meaning in block.items)


def _md_table(block: Block) -> str:
    assert isinstance(block, TableBlock)
    table = block.table
    lines = [
        "| " + " | ".join(md_escape(column.head) for column in table.columns) + " |",
        "|" + "|".join(" ---: " if column.number else " --- " for column in table.columns) + "|",
    ]
    for row, span in zip(table.rows, _row_spans(table), strict=True):
        cells = [_md_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)]
        cells = ["" if place < len(span) and not span[place] else cell for place, cell in enumerate(cells)]
        lines.append("| " + " | ".join(cells) + " |")
    return f"**{md_escape(table.title)}** ([CSV](tables/{table.name}.csv))\n\n" + "\n".join(lines)


def _md_cell(cell: Cell, column: Column) -> str:
    if isinstance(cell, Span | tuple):
        return md_text(cell)
    return md_escape(document.shown(cell, column))


def _md_figure(block: Block) -> str:
    assert isinstance(block, Figure)
    return f"![{md_escape(block.alt)}](figures/{block.name}.svg)\n\n*{md_escape(block.caption)}*"


def _md_widget(block: Block) -> str:
    assert isinstance(block, Widget)
    return md_escape(block.words)


def _md_fold(block: Block) -> str:
    assert isinstance(block, Fold)
    inner = "\n\n".join(_MARKDOWN[part.kind](part) for part in block.blocks)
    return f"<details>\n<summary>{Markup.escape(block.summary)}</summary>\n\n{inner}\n\n</details>"


_MARKDOWN: Final = {
    "heading": _md_heading,
    "paragraph": _md_paragraph,
    "bullets": _md_bullets,
    "terms": _md_terms,
    "table": _md_table,
    "figure": _md_figure,
    "fold": _md_fold,
    "widget": _md_widget,
}
