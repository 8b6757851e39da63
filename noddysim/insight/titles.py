"""A comparison told by the titles of its variants, for pages: what a reader knows a game by, in place of file names."""

from __future__ import annotations

from dataclasses import replace

from noddysim.game.rules import Variant
from noddysim.insight.rows import Comparison


def told_title(variant: Variant) -> str:
    """The title as it can stand in a list: ``Noddy (61 up)`` for "Noddy, 61 up"."""
    name, comma, more = variant.title.partition(", ")
    return f"{name} ({more})" if comma else name


def by_title(found: Comparison) -> Comparison:
    """The same comparison with titles where it had names; two variants of one title keep their names behind it."""
    variants = {row.variant.name: row.variant for row in found.rows}
    titles = {name: told_title(variant) for name, variant in variants.items()}
    shared = [title for title in titles.values() if list(titles.values()).count(title) > 1]
    told = {name: f"{title} [{name}]" if title in shared else title for name, title in titles.items()}

    rows = tuple(
        replace(row, variant=replace(row.variant, name=told[row.variant.name], title=told[row.variant.name]))
        for row in found.rows
    )
    differences = tuple(replace(one, a=told[one.a], b=told[one.b]) for one in found.differences)
    return replace(found, rows=rows, differences=differences)
