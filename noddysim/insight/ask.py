"""The page that answers: a form that works from disk, with the values of all first cards in the page itself."""

from __future__ import annotations

from typing import Final

import numpy as np

from noddysim.engine.firsts import FirstCards
from noddysim.insight.document import Block, Heading, Page, Text, Widget, code, link, paragraph
from noddysim.insight.numbers import format_count

NAME: Final = "ask"
SIGNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
STEP: Final = 0.01
"""Points between two values of the table; a value is off by half of that at most."""
NOUGHT: Final = 2048
"""The code of no points. Code 0 stands where there is no card."""


def packed(values: np.ndarray) -> str:
    """Values in points as text, two signs a value, in their order; NaN as code 0.

    Raises ValueError for a value that two signs cannot hold.
    """
    flat = values.reshape(-1)
    there = ~np.isnan(flat)
    codes = np.zeros(flat.shape, np.int64)
    codes[there] = np.rint(flat[there] / STEP).astype(np.int64) + NOUGHT
    if codes[there].size and not (codes[there].min() > 0 and codes[there].max() < len(SIGNS) ** 2):
        raise ValueError("points that a table of two signs a value cannot hold")
    signs = np.frombuffer(SIGNS.encode("ascii"), np.uint8)
    pairs = np.stack([signs[codes // len(SIGNS)], signs[codes % len(SIGNS)]], axis=1)
    return pairs.tobytes().decode("ascii")


def unpacked(text: str) -> np.ndarray:
    """The values back out of the text, float64; NaN for code 0."""
    places = np.array([SIGNS.index(sign) for sign in text], np.int64).reshape(-1, 2)
    codes = places[:, 0] * len(SIGNS) + places[:, 1]
    return np.where(codes > 0, (codes - NOUGHT) * STEP, np.nan)


def ask_page(found: FirstCards) -> Page:
    """The form, and what its numbers mean."""
    table = {"leads": packed(found.leads), "replies": packed(found.replies)}
    size = sum(map(len, table.values()))
    blocks: tuple[Block, ...] = (
        paragraph(
            "Three cards and a starter: what is each lead worth, and each answer of the dealer? Two players, three "
            "cards each.",
            role="lead",
        ),
        Widget("ask", table, "The form stands in the page ask.html, which works from disk without a network."),
        Heading("What the numbers are", "numbers"),
        paragraph(
            "A value is the margin of the whole play of the deal, your points less the other's, if he plays as best "
            "play does and you play on as well as can be. What he may hold is believed exactly, by the cards that he "
            "has laid. The hands that are shown afterwards are left out: no card you lay changes them. Cards whose "
            "values are alike may all be right: best play often chooses among them by chance.",
        ),
        paragraph(
            f"The page holds {format_count(found.leads.shape[0] * found.leads.shape[1])} hands with their starters, "
            f"and each of the thirteen cards that can be led to them: {format_count(round(size / 1000))} kilobytes, "
            f"values to {STEP:g} points. Later choices, scores and other games: ",
            code('noddysim advise noddy --seat pone --hand "5H KD KC" --starter 8S'),
            ".",
            role="note",
        ),
    )
    return Page(NAME, "Ask the page", "What each first card is worth against best play", blocks)


def opening_words() -> Text:
    """What the first page says of the form."""
    return (link("Ask the page", page=NAME), ": your three cards and the starter, and what each lead is worth.")
