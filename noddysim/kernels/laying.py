"""What the games in which melds or sets are laid do alike: take cards up, look who leads, write events down."""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import inlined, kernel
from noddysim.kernels.dealing import mix
from noddysim.kernels.records import GAPS, NOBODY, Fields

MOST_SEATS = 8
"""As many as either of the games has."""
MOST_STARTS = 64
"""Starts of a game whose gaps are kept."""
COURSE_FIELDS = (
    Fields("leader", (), "who was the last to be ahead of all others in this game, or NOBODY"),
    Fields("lead_changes", (), "how often that was another than before"),
    Fields("taken", (), "cards laid in this game when that changed last"),
    Fields("worst", (MOST_SEATS,), "by person: the most points behind the highest score in this game"),
    Fields("trailing", (MOST_SEATS,), "by person: deals after the first that he began behind"),
    Fields("last_gap", (MOST_SEATS,), "by person: how far behind he began the last deal, if it was not the first"),
    Fields("starts", (), "starts, of rounds or of deals, whose gaps have been kept"),
    Fields("gaps", (MOST_STARTS, MOST_SEATS), "by person: how far behind the best of the others at each of them"),
    Fields("times", (GAPS,), "scratch: starts of a game so far behind"),
    Fields("wins", (GAPS,), "scratch: those of them by a winner"),
)
"""How a game went, as far as it has been played. In games of sets scores are made up after each deal."""


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
def look_who_leads(table, n, place, cards):
    """Note that somebody has taken the lead, if he has more points than every other.

    table : a record with ``score`` and ``person`` by place at the table, ``leader``, ``lead_changes`` and ``taken``;
    cards : laid in the game so far
    """
    if table.leader == table.person[place]:
        return
    for other in range(n):
        if other != place and table.score[other] >= table.score[place]:
            return
    table.lead_changes += table.leader != NOBODY
    table.leader = table.person[place]
    table.taken = cards


@kernel
def begin_course(table, n):
    """Nobody is ahead yet, and nobody has been behind; table : a record with the fields of COURSE_FIELDS."""
    table.leader = NOBODY
    table.lead_changes = 0
    table.taken = 0
    table.starts = 0
    for person in range(n):
        table.worst[person] = 0
        table.trailing[person] = 0
        table.last_gap[person] = 0


@kernel
def note_gaps(table, n, between_deals):
    """Note how far everybody is behind the highest score, now; between_deals : another deal follows."""
    best = table.score[0]
    for place in range(1, n):
        best = max(best, table.score[place])
    for place in range(n):
        person = table.person[place]
        gap = best - table.score[place]
        table.worst[person] = max(table.worst[person], gap)
        if between_deals:
            table.trailing[person] += gap > 0
            table.last_gap[person] = gap


@kernel
def note_start(table, n):
    """Keep how far everybody is behind the best of the others, below nought if ahead, as a round or a deal begins."""
    if table.starts == MOST_STARTS:
        return
    for place in range(n):
        best = np.int64(-1)
        for other in range(n):
            if other != place:
                best = max(best, table.score[other])
        table.gaps[table.starts, table.person[place]] = best - table.score[place]
    table.starts += 1


@kernel
def count_starts(table, n, winners, step, comebacks):
    """Add the starts of a finished game by points behind; comebacks : int64 (GAPS, 6), as in ``noddy.COMEBACK``.

    winners : a bit a person; step : points behind that are counted together, so that place k of the comebacks is for
    more than ``(k - 1) * step`` and at most ``k * step``, and place 0 for level scores. A game may have several starts
    alike, and those are no independent evidence: hence the squares and products.
    """
    for number in range(table.starts):
        for person in range(n):
            gap = table.gaps[number, person]
            if gap >= 0:
                place = min((gap + step - 1) // step, GAPS - 1)
                table.times[place] += 1
                table.wins[place] += winners >> person & 1
    for place in range(GAPS):
        times, won = table.times[place], table.wins[place]
        if times:
            comebacks[place, 0] += 1
            comebacks[place, 1] += won
            comebacks[place, 2] += times
            comebacks[place, 3] += won * won
            comebacks[place, 4] += won * times
            comebacks[place, 5] += times * times
            table.times[place] = 0
            table.wins[place] = 0


@inlined
def traced(trace, first, second):
    """The trace of a game (int64) after one more choice, which two whole numbers describe.

    Games in which all choices were the same have the same trace; others have the same by a chance of one in 2**64.
    """
    return np.int64(mix(np.uint64(trace) ^ np.uint64(first), np.uint64(second)))
