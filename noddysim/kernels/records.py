"""The plain tuples and layouts that kernels take: rules as numbers, scratch tables, packed points.

Points are *packed*: one int64 holds the total and its parts, so that adding two packed values adds every part at
once. The widths hold for any rules the loader accepts (a point value is at most 31).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any
"""A numpy array or record; shapes stand in the docstrings."""
StrategyArrays = Any
"""``game.features.StrategyTable``; not imported, since kernels see only their own package."""

TOTAL_MASK = (1 << 12) - 1

PLAY_KINDS = ("fifteen", "twentyfive", "thirtyone", "pair", "run", "last")
PARTS_AT = 12
PLAY_BITS = 8
PLAY_MASK = (1 << PLAY_BITS) - 1
PLAY_SHIFT = tuple(PARTS_AT + PLAY_BITS * kind for kind in range(len(PLAY_KINDS)))

SHOW_KINDS = ("fifteens", "pairs", "runs", "flush", "nob")
SHOW_BITS = 10
SHOW_MASK = (1 << SHOW_BITS) - 1
SHOW_SHIFT = tuple(PARTS_AT + SHOW_BITS * kind for kind in range(len(SHOW_KINDS)))
# A kernel that indexes such a tuple in a loop builds it anew at every turn: it works the shift out instead.

MULTI, SINGLE, SINGLE_FIRST_STUCK = 0, 1, 2
LEFT, RIGHT, SAME, LOWEST, HIGHEST = 0, 1, 2, 3, 4
TO_DEALER, TO_ELDEST, TO_OPPONENTS = 0, 1, 2
HEELS, PLAY, SHOW = 0, 1, 2
FLUSH_OFF, FLUSH_WHOLE, FLUSH_SUBSET, FLUSH_GROVES = 0, 1, 2, 3

NO_TARGET = 1 << 40
"""A target no deal can reach: whole deals are played."""

MAX_SEATS = 4
MAX_HAND = 8
MAX_LAID = 32
COUNTS = 64
MAX_TURNED = 8


class Fields(NamedTuple):
    """One field of a record: its name, its shape (empty for a number) and what it holds."""

    name: str
    shape: tuple[int, ...]
    holds: str


PEG_RULES = (
    Fields("hand", (), "cards dealt to each seat"),
    Fields("limit", (), "the count no card may pass"),
    Fields("piles", (), "MULTI, SINGLE or SINGLE_FIRST_STUCK"),
    Fields("first_go_leads", (), "1: who said go first leads the next pile; 0: left of the last card"),
    Fields("combos_cross_piles", (), "1: pairs and runs look back over closed piles"),
    Fields("go_breaks", (), "1: a go ends the look-back of pairs and runs"),
    Fields("last", (), "points for the last card of a pile below the limit"),
    Fields("final_card_point", (), "1: the last card of the deal earns it too"),
    Fields("limit_extra", (), "points on top of the thirty-one, booked as last"),
    Fields("play_flat", (COUNTS,), "packed points by count"),
    Fields("play_each", (COUNTS,), "packed points by count for each card of the pile"),
    Fields("play_same", (5,), "packed points by number of equal cards"),
    Fields("play_run", (16,), "packed points by length of run"),
    Fields("turned", (), "how many entries the turned card has"),
    Fields("turned_rank", (MAX_TURNED,), "rank that earns, one entry an award"),
    Fields("turned_to", (MAX_TURNED,), "TO_DEALER, TO_ELDEST or TO_OPPONENTS"),
    Fields("turned_points", (MAX_TURNED,), "points of it"),
    Fields("order", (3,), "HEELS, PLAY and SHOW in their order"),
    Fields("target", (), "points that win the game"),
    Fields("next_dealer", (), "LEFT, RIGHT, SAME, LOWEST or HIGHEST"),
    Fields("head_start", (MAX_SEATS,), "points before the first card, by seat of the first deal"),
    Fields("show_flat", (COUNTS,), "packed points by sum"),
    Fields("show_each", (COUNTS,), "packed points by sum for each card of the subset"),
    Fields("show_same", (5,), "packed points by number of equal cards"),
    Fields("show_run", (16,), "packed points by length of run"),
    Fields("run_each", (), "1: a run counts once for every choice of its cards"),
    Fields("flush_kind", (), "FLUSH_OFF, FLUSH_WHOLE, FLUSH_SUBSET or FLUSH_GROVES"),
    Fields("flush_points", (16,), "points by cards of the suit"),
    Fields("nob", (), "points for the jack of the starter's suit in hand"),
)

TABLE = (
    Fields("dealt", (MAX_SEATS, MAX_HAND), "cards as dealt, by seat"),
    Fields("hand", (MAX_SEATS, MAX_HAND), "cards still held, lowest first"),
    Fields("left", (MAX_SEATS,), "how many are held"),
    Fields("script", (MAX_SEATS, MAX_HAND), "the order in which a seat must lay its cards, where one is given"),
    Fields("ranks", (MAX_LAID,), "ranks laid in this deal, in order"),
    Fields("cards", (MAX_LAID,), "the cards"),
    Fields("seats", (MAX_LAID,), "who laid them"),
    Fields("counts", (MAX_LAID,), "the count after each"),
    Fields("points", (MAX_LAID,), "packed points of each, the last-card point included"),
    Fields("gain", (MAX_SEATS,), "packed points of the play by seat"),
    Fields("show", (MAX_SEATS,), "packed points of the show by seat"),
    Fields("heels", (MAX_SEATS,), "points for the turned card by seat"),
    Fields("score", (MAX_SEATS,), "running scores by seat"),
    Fields("person", (MAX_SEATS,), "who sits there"),
    Fields("state", (8,), "small numbers, indices AT_*"),
    Fields("deck", (52,), "the pack in its standing order"),
    Fields("digits", (64,), "swaps of the shuffle"),
    Fields("worth", (MAX_HAND,), "packed points of each card held, if laid now"),
    Fields("alive", (MAX_HAND,), "cards a strategy still hesitates between"),
    Fields("unseen", (13,), "cards of each rank the player has not seen"),
)


def record_type(fields: tuple[Fields, ...]) -> np.dtype:
    """The numpy record type of some fields, all int64. A record goes into a kernel as one pointer, whatever it holds."""
    return np.dtype([(field.name, np.int64, field.shape) for field in fields])


def new_record(fields: tuple[Fields, ...]) -> Array:
    """A record of noughts with the given fields."""
    return np.zeros(1, record_type(fields)).view(np.recarray)[0]


AT_LEADER, AT_LEAD_CHANGES, AT_LAID, AT_CHANGED, AT_STARTER, AT_FAULT_SEAT, AT_FAULT_CARD = range(7)

FINISHED, STOPPED, ILLEGAL = 0, 1, 2


def new_table() -> Array:
    """A fresh scratch table for one thread; nobody has led yet."""
    table = new_record(TABLE)
    table.deck[:] = np.arange(52)
    table.state[AT_LEADER] = -1
    return table


def strategy_records(table: StrategyArrays) -> Array:
    """Strategies as records, one for each: the fields of the table without its first axis."""
    names = table._fields
    columns = [np.asarray(getattr(table, name), np.int64) for name in names]
    kind = np.dtype([(name, np.int64, column.shape[1:]) for name, column in zip(names, columns, strict=True)])
    records = np.zeros(len(columns[0]), kind).view(np.recarray)
    for name, column in zip(names, columns, strict=True):
        records[name] = column
    return records
