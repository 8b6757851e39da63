"""Functions of a user: a file of them, good and bad."""

from __future__ import annotations

import textwrap
from pathlib import Path

FILE = """
    import math

    KEPT = (4, 9)
    STATE = []

    def fits(rank, count):
        return count + min(rank + 1, 10) <= 31

    def low(seat, hand, laid, count):
        "The lowest card."
        return hand[0]

    def high(seat, hand, laid, count):
        best = hand[0]
        for rank in hand:
            if fits(rank, count):
                best = rank
        return best

    def turned(seat, hand, laid, count, starter):
        "The rank turned, else the lowest card that is kept, else the highest."
        for rank in hand:
            if rank == starter and fits(rank, count):
                return rank
        for rank in hand:
            if rank in KEPT and fits(rank, count):
                return rank
        return high(seat, hand, laid, count)

    def heavy(seat, hand, laid, count):
        return hand[-1]

    def beyond(seat, hand, laid, count):
        return hand[3]

    def half(seat, hand, laid, count):
        return math.sqrt(hand[0] * hand[0])

    def forgetful(seat, hand, laid, count):
        STATE.append(1)
        return hand[0]
"""


def written(folder: Path) -> Path:
    """The file in a folder."""
    path = folder / "mine.py"
    path.write_text(textwrap.dedent(FILE), encoding="utf-8")
    return path
