"""What the games in which melds or sets are laid do alike: take cards up, and write events down."""

from __future__ import annotations

from noddysim.kernels.compiler import kernel


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
