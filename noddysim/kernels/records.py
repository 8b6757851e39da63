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

NEEDS_POINTS, NEEDS_PARTS, NEEDS_REPLY, NEEDS_OFFERS_RUN = 1, 2, 4, 8
NEEDS_PAIRED, NEEDS_RESERVE, NEEDS_RANKS, NEEDS_COUNTS = 16, 32, 64, 128
W_POINTS, W_PARTS, W_REPLY, W_REPLY_PARTS = 0, 1, 6, 7
W_OFFERS_RUN, W_PAIRED, W_RESERVE = 12, 15, 16
PARTS = 5
ANY, LEAD, FOLLOW = 0, 1, 2
LOW, HIGH, RANDOM = 0, 1, 2

NO_TARGET = 1 << 40
"""A target no deal can reach: whole deals are played."""
NO_RACE = NO_TARGET + 1
"""As NO_TARGET, and nobody looks who leads: the quick way where only points are counted."""

SEAT_MASK, HAND_MASK, LAID_MASK, COUNT_MASK, RANK_MASK = 3, 7, 31, 63, 15
"""The sizes below, less one. An index masked with one of them is seen not to be negative, so numba leaves out the
instructions that let an index count from the end: a third of all instructions of the play."""

MAX_SEATS = 4
MAX_HAND = 8
MAX_LAID = 32
COUNTS = 64
MAX_TURNED = 8
MAX_MINDS = 64
NOTES = 509
"""Places for packed points: a prime, so that all parts of a value decide its place."""


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
    Fields("shown", (MAX_SEATS,), "packed points that each dealt hand makes with the starter, counted or not"),
    Fields("mind", (MAX_SEATS,), "which strategy plays in each seat"),
    Fields("heels", (MAX_SEATS,), "points for the turned card by seat"),
    Fields("score", (MAX_SEATS,), "running scores by seat"),
    Fields("person", (MAX_SEATS,), "who sits there"),
    Fields("state", (8,), "small numbers, indices AT_*"),
    Fields("deck", (52,), "the pack in its standing order"),
    Fields("digits", (64,), "swaps of the shuffle"),
    Fields("worth", (MAX_HAND,), "packed points of each card held, if laid now"),
    Fields("alive", (MAX_HAND,), "cards a strategy still hesitates between"),
    Fields("value", (MAX_HAND,), "what each of those is worth at a level"),
    Fields("notes", (MAX_SEATS, 2, NOTES, 2), "points of play and of show, packed, and how often they came"),
)


def record_type(fields: tuple[Fields, ...]) -> np.dtype:
    """The numpy record type of some fields, all int64. A record goes into a kernel as one pointer."""
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
    """Strategies as one record: the fields of the table, made up to MAX_MINDS strategies, and what speeds them up.

    Added are ``by_points`` (S,), 1 if a strategy looks at nothing or only at the points of a card, the more the better,
    and ``reply_parts`` (S, 8), 1 for a level that weighs parts of the reply. A record goes into a kernel as one pointer
    without a count of references, and its type is the same for any number of strategies up to MAX_MINDS.
    """
    columns = {name: np.asarray(getattr(table, name), np.int64) for name in table._fields}
    columns["by_points"] = _by_points(table)
    columns["reply_parts"] = np.any(table.weights[:, :, W_REPLY_PARTS : W_REPLY_PARTS + PARTS], axis=2)
    given = len(table.levels)
    size = max(given, MAX_MINDS)
    record = new_record(tuple(Fields(name, (size, *column.shape[1:]), "") for name, column in columns.items()))
    for name, column in columns.items():
        record[name][:given] = column
    return record


def _by_points(table: StrategyArrays) -> Array:
    """Which strategies have no level, or one that holds always and weighs nothing but points, upwards."""
    always = (table.when[:, 0] == ANY) & (table.final[:, 0] < 0)
    points = (table.needs[:, 0] == NEEDS_POINTS) & (table.weights[:, 0, W_POINTS] > 0)
    plain = always & points & (table.spares[:, 0] == 0)
    return (table.levels == 0) | ((table.levels == 1) & plain)
