"""The plain tuples and layouts that kernels take: rules as numbers, scratch tables, packed points.

Points are *packed*: one int64 holds the total and its parts, so that adding two packed values adds every part at
once. The widths hold for any rules the loader accepts (a point value is at most 31).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Array = Any
"""A numpy array or record; shapes stand in the docstrings."""
StrategyArrays = Any
"""``game.features.StrategyTable``; not imported, since kernels see only their own package."""

TOTAL_MASK = (1 << 12) - 1

PLAY_KINDS = ("fifteen", "twentyfive", "thirtyone", "pair", "run", "flush", "last")
PARTS_AT = 12
PLAY_BITS = 7
PLAY_MASK = (1 << PLAY_BITS) - 1
PLAY_SHIFT = tuple(PARTS_AT + PLAY_BITS * kind for kind in range(len(PLAY_KINDS)))

SHOW_KINDS = ("fifteens", "pairs", "runs", "flush", "nob", "jacks_deuces", "colours")
SHOW_BITS = 7
SHOW_MASK = (1 << SHOW_BITS) - 1
SUMS_SHIFT = PARTS_AT + SHOW_BITS * (len(SHOW_KINDS) - 1)
"""The first kind, sums, can be the largest: it stands on top and has all bits that are left, two more."""
SHOW_SHIFT = (SUMS_SHIFT, *(PARTS_AT + SHOW_BITS * kind for kind in range(len(SHOW_KINDS) - 1)))
# A kernel that indexes such a tuple in a loop builds it anew at every turn: it works the shift out instead.

MULTI, SINGLE, SINGLE_FIRST_STUCK = 0, 1, 2
LEFT, RIGHT, SAME, LOWEST, HIGHEST = 0, 1, 2, 3, 4
TO_DEALER, TO_ELDEST, TO_OPPONENTS = 0, 1, 2
HEELS, PLAY, SHOW, CRIB, START, MOG = 0, 1, 2, 3, 4, 5
FLUSH_OFF, FLUSH_WHOLE, FLUSH_SUBSET, FLUSH_GROVES, FLUSH_ALL = 0, 1, 2, 3, 4
NEVER, FIRST_DEAL, EVERY_DEAL = 0, 1, 2

NEEDS_POINTS, NEEDS_PARTS, NEEDS_REPLY, NEEDS_OFFERS_RUN = 1, 2, 4, 8
NEEDS_PAIRED, NEEDS_RESERVE, NEEDS_RANKS, NEEDS_COUNTS = 16, 32, 64, 128
W_POINTS, W_PARTS, W_REPLY, W_REPLY_PARTS = 0, 1, 6, 7
W_OFFERS_RUN, W_PAIRED, W_RESERVE = 12, 15, 16
PARTS = 5
ANY, LEAD, FOLLOW = 0, 1, 2
OURS, THEIRS = 1, 2
"""When an away level holds: where the crib is one's side's or one is asked first; where it is not."""
LOW, HIGH, RANDOM, SOLVED = 0, 1, 2, 3
"""How equal cards are parted; SOLVED: by the strategy's book, that of the solved play or a user's."""

A_HAND, A_CRIB, A_FIFTEENS, A_PAIRS, A_RUNS, A_FLUSH, A_AWAY_FIFTEENS, A_AWAY_PAIRS, A_PEG, A_GIFT, A_STAY = range(11)
THOUSAND = 1000
"""Cribs are known in thousandths of a point."""

NO_TARGET = 1 << 40
"""A target no deal can reach: whole deals are played."""
NO_RACE = NO_TARGET + 1
"""As NO_TARGET, and nobody looks who leads: the quick way where only points are counted."""

SEAT_MASK, HAND_MASK, LAID_MASK, COUNT_MASK, RANK_MASK = 3, 7, 31, 63, 15
"""The sizes below, less one. An index masked with one of them is seen not to be negative, so numba leaves out the
instructions that let an index count from the end: a third of all instructions of the play."""

PACK = 52
MAX_SEATS = 4
MAX_HAND = 8
MAX_LAID = 32
COUNTS = 64
STATES = 16
MAX_TURNED = 8
MAX_MINDS = 64
MAX_POLICIES = 2 * MAX_MINDS
CHOICES = 16
"""Ways to lay two of six cards away, and one more."""
THREE = 3
"""Points for the last, where a game has them."""
MAX_SHOWS = 1 << 14
"""Different points that the ranks of a show may make."""
SHOW_BLOCK = 1 << 15
"""The table of shows is made up to a multiple of this many places."""
GAPS = 128
"""Points behind, level included, that are told apart; the last place is for all above."""
MAX_STARTS = 512
"""Starts of deals in a game whose gaps are kept."""
NOTES = 509
"""Places for packed points: a prime, so that all parts of a value decide its place."""


class Fields(NamedTuple):
    """One field of a record: its name, its shape (empty for a number) and what it holds."""

    name: str
    shape: tuple[int, ...]
    holds: str


PEG_RULES = (
    Fields("hand", (), "cards that each seat keeps and plays"),
    Fields("dealt", (), "cards dealt to each seat"),
    Fields("discard", (), "how many of them are laid away"),
    Fields("ways", (), "in how many ways cards can be laid away"),
    Fields("way", (CHOICES,), "each of them, one bit a place of the sorted cards, in the order of the places"),
    Fields("to_crib", (), "cards dealt straight to the crib"),
    Fields("crib", (), "cards in the crib that the dealer counts, 0 without a crib"),
    Fields("sides", (), "how many sides play: the seats, or 2 where four are partners; seat s is of side s % sides"),
    Fields("three_for_last", (), "NEVER, FIRST_DEAL or EVERY_DEAL: 3 points for the eldest at its start"),
    Fields("mog", (), "1: a card may be exchanged before the play"),
    Fields("mog_first", (), "seat that is asked first"),
    Fields("mog_refusal", (), "points for the other if one declines"),
    Fields("mog_giver", (), "1: who passes a card pegs what it is worth in hand"),
    Fields("mog_taker", (), "1: who takes it counts that in the show"),
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
    Fields("flushes", (), "1: flushes score in the play"),
    Fields("play_flush", (16,), "packed points by cards of one suit in a row"),
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
    Fields("crib_flush", (), "kind of flush in the crib: FLUSH_OFF, FLUSH_WHOLE or FLUSH_ALL"),
    Fields("honours", (), "1: ranks in hand score for themselves"),
    Fields("honour", (13, 2), "points for a card in hand by rank: of another suit than the starter's, of its suit"),
    Fields("colours", (), "1: colours score"),
    Fields("colour_points", (5,), "three of a colour, three of a suit, four of a colour 2 + 2, 3 + 1, four of a suit"),
    Fields("crib_table", (), "where the table of cribs begins in the table of shows"),
    Fields("crib_worth", (2, 13, 13), "mean crib in thousandths of a point: theirs or ours, by ranks laid away"),
)

TABLE = (
    Fields("dealt", (MAX_SEATS,), "cards dealt to each seat, lowest first, in one integer (kernels.hands)"),
    Fields("away", (MAX_SEATS,), "which of those are laid away, one bit a place"),
    Fields("crib_dealt", (), "cards dealt straight to the crib, in one integer"),
    Fields("crib", (), "cards of the crib, those dealt to it first, in one integer"),
    Fields("cut", (MAX_SEATS, MAX_POLICIES), "what a policy chose in this deal, above it the number of the deal"),
    Fields("passed", (MAX_SEATS,), "place in hand of a card passed on, NOBODY without an exchange"),
    Fields("received", (MAX_SEATS,), "the card taken for it, NOBODY without an exchange"),
    Fields("hand", (MAX_SEATS,), "cards still held, lowest first, in one integer"),
    Fields("left", (MAX_SEATS,), "how many are held"),
    Fields(
        "script",
        (MAX_SEATS, MAX_HAND),
        "the order in which a seat must lay its cards, where one is given; NOBODY: as it likes",
    ),
    Fields("ranks", (MAX_LAID,), "ranks laid in this deal, in order"),
    Fields("cards", (MAX_LAID,), "the cards"),
    Fields("seats", (MAX_LAID,), "who laid them"),
    Fields("counts", (MAX_LAID,), "the count after each"),
    Fields("points", (MAX_LAID,), "packed points of each, the last-card point included"),
    Fields("gain", (MAX_SEATS,), "packed points of the play by seat"),
    Fields("show", (MAX_SEATS,), "packed points of the show by seat"),
    Fields("shown", (MAX_SEATS,), "packed points that each hand makes with the starter, counted or not"),
    Fields("crib_gain", (), "packed points of the crib, the dealer's"),
    Fields("crib_shown", (), "packed points that the crib makes with the starter, counted or not"),
    Fields("mind", (MAX_SEATS,), "which strategy plays in each seat"),
    Fields("heels", (MAX_SEATS,), "points for the turned card by seat"),
    Fields("start", (MAX_SEATS,), "points for the last by seat"),
    Fields("mog", (MAX_SEATS,), "points of the mogging by seat"),
    Fields("mog_due", (MAX_SEATS,), "the same before they are awarded"),
    Fields("score", (MAX_SEATS,), "running scores by side"),
    Fields("person", (MAX_SEATS,), "which side of the game that is"),
    Fields("state", (STATES,), "small numbers, indices AT_*"),
    Fields("deck", (PACK,), "the pack in its standing order"),
    Fields("digits", (64,), "swaps of the shuffle"),
    Fields("worth", (MAX_HAND,), "packed points of each card held, if laid now"),
    Fields("alive", (MAX_HAND,), "cards a strategy still hesitates between"),
    Fields("value", (MAX_HAND,), "what each of those is worth at a level"),
    Fields("choices", (CHOICES,), "choices a policy still hesitates between"),
    Fields("merits", (CHOICES,), "what each of those is worth at a level"),
    Fields("notes", (MAX_SEATS, 3, NOTES, 2), "points of play, show and crib, packed, and how often they came"),
    Fields(
        "worst", (MAX_SEATS,), "by side of the game: the most points that it has been behind the best of the others"
    ),
    Fields("trailing", (MAX_SEATS,), "the deals after the first that it began behind"),
    Fields("last_gap", (MAX_SEATS,), "how far it was behind when the last deal began"),
    Fields("gaps", (MAX_STARTS, MAX_SEATS), "how far it was behind when each deal after the first began"),
    Fields("times", (GAPS,), "scratch: deals of a game begun so far behind"),
    Fields("wins", (GAPS,), "scratch: those of them in games that were won"),
)


@functools.cache
def record_type(fields: tuple[Fields, ...]) -> np.dtype:
    """The numpy record type of some fields, all int64. A record goes into a kernel as one pointer."""
    return np.dtype([(field.name, np.int64, field.shape) for field in fields])


def new_record(fields: tuple[Fields, ...]) -> Array:
    """A record of noughts with the given fields."""
    return np.zeros(1, record_type(fields)).view(np.recarray)[0]


AT_LEADER, AT_LEAD_CHANGES, AT_LAID, AT_CHANGED, AT_STARTER, AT_FAULT_SEAT, AT_FAULT_CARD = range(7)
AT_DEAL, AT_FIRST_DEAL, AT_SUIT, AT_SUITED, AT_FOLLOWED, AT_BEFORE, AT_TAKEN = range(7, 14)

NOBODY = -1
FINISHED, STOPPED, ILLEGAL = 0, 1, 2
ILLEGAL_ORDER = -2
"""Stands for a phase where a script broke the rules."""


def new_table() -> Array:
    """A fresh scratch table for one thread; nobody has led yet."""
    table = new_record(TABLE)
    table.deck[:] = np.arange(PACK)
    table.state[AT_LEADER] = NOBODY
    return table


def show_record(points: Array) -> Array:
    """A table of shows (int64, one-dimensional) as a record: ``points[which[i]]`` is its entry ``i``.

    Few different points occur, so the table is a quarter as long in the processor's cache as the points themselves. A
    record goes into a kernel as one pointer without a count of references, and its type is the same for all games with
    up to four cards in hand and in the crib. Raises OverflowError for more than MAX_SHOWS different points.
    """
    different, which = np.unique(points, return_inverse=True)
    if len(different) > MAX_SHOWS:
        raise OverflowError(f"these rules give more than {MAX_SHOWS} different shows")
    places = -(-len(points) // SHOW_BLOCK) * SHOW_BLOCK
    kind = np.dtype([("points", np.int64, (MAX_SHOWS,)), ("which", np.uint16, (places,))], align=True)
    record = np.zeros(1, kind).view(np.recarray)[0]
    record.points[: len(different)] = different
    record.which[: len(points)] = which
    return record


def strategy_records(table: StrategyArrays, books: Sequence[int] = ()) -> Array:
    """Strategies as one record: the fields of the table, made up to MAX_MINDS strategies, and what speeds them up.

    books : for each strategy the address of the kept book (``kernels.lines``) by which it parts cards, 0 without one;
    left out where none does

    Added are ``blind`` (S,), 1 if a strategy looks at nothing; ``by_points`` (S,), 1 if it looks only at the points of
    a card, the more the better; and ``reply_parts`` (S, 8), 1 for a level that weighs parts of the reply. A record goes
    into a kernel as one pointer without a count of references, and its type is the same for any number of strategies
    up to MAX_MINDS.
    """
    columns = {name: np.asarray(getattr(table, name), np.int64) for name in table._fields}
    columns["blind"] = np.asarray((table.levels == 0) & (table.ties != SOLVED))
    columns["by_points"] = _by_points(table)
    columns["reply_parts"] = np.any(table.weights[:, :, W_REPLY_PARTS : W_REPLY_PARTS + PARTS], axis=2)
    sizes = {name: MAX_POLICIES if name.startswith("away_") else MAX_MINDS for name in columns}
    shapes = {name: (max(len(column), sizes[name]), *column.shape[1:]) for name, column in columns.items()}
    columns["book"] = np.array(books, np.int64)
    shapes["book"] = (shapes["levels"][0],)
    record = new_record(tuple(Fields(name, shape, "") for name, shape in shapes.items()))
    for name, column in columns.items():
        record[name][: len(column)] = column
    return record


def _by_points(table: StrategyArrays) -> Array:
    """Which strategies have one level that holds always and weighs nothing but points, upwards."""
    always = (table.when[:, 0] == ANY) & (table.final[:, 0] < 0)
    points = (table.needs[:, 0] == NEEDS_POINTS) & (table.weights[:, 0, W_POINTS] > 0)
    by_rank = table.ties != SOLVED
    return (table.levels == 1) & always & points & (table.spares[:, 0] == 0) & by_rank
