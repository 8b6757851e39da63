"""A small HTML table: how results show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A titled table as HTML. The first column names a row; every text is escaped.

    Raises ValueError for a row that is not as wide as the head.
    """
    for row in rows:
        if len(row) != len(head):
            raise ValueError(f"a row of {len(row)} cells under {len(head)} columns")
    top = "".join(f'<th scope="col">{escape(words)}</th>' for words in head)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[object]) -> str:
    first, *rest = row
    return f'<th scope="row">{escape(str(first))}</th>' + "".join(f"<td>{escape(str(cell))}</td>" for cell in rest)
