"""What the games in which melds or sets are laid do alike: take cards up, look who leads, write events down."""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import inlined, kernel
from noddysim.kernels.dealing import mix
from noddysim.kernels.records import NOBODY


@kernel
def take_up(table, seat, card):
    """Put a card into a hand, which stays sorted; table : a record with ``cards`` (seats, places) and ``held``."""
    place = table.held[seat]
    while place > 0 and table.cards[seat, place - 1] > card:
        table.cards[seat, place] = table.cards[seat, place - 1]
        place -= 1
    table.cards[seat, place] = card
    table.held[seat] += 1


@kernel
def log_event(table, log, event, seat):
    """Write an event and its seat down, as far as the log has rows; returns its row for the rest of it, or -1."""
    if table.logged < log.shape[0]:
        row = table.logged
        log[row, 0] = event
        log[row, 1] = seat
        table.logged += 1
        return row
    return -1


@kernel
def look_who_leads(table, n, place):
    """Note that somebody has taken the lead, if he has more points than every other.

    table : a record with ``score`` and ``person`` by place at the table, ``leader`` and ``lead_changes``
    """
    if table.leader == table.person[place]:
        return
    for other in range(n):
        if other != place and table.score[other] >= table.score[place]:
            return
    table.lead_changes += table.leader != NOBODY
    table.leader = table.person[place]


@inlined
def traced(trace, first, second):
    """The trace of a game (int64) after one more choice, which two whole numbers describe.

    Games in which all choices were the same have the same trace; others have the same by a chance of one in 2**64.
    """
    return np.int64(mix(np.uint64(trace) ^ np.uint64(first), np.uint64(second)))
