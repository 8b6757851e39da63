"""A strategy written as a Python function, made into a book by asking it at every choice there is.

The function is called as ``f(seat, hand, laid, count)`` or ``f(seat, hand, laid, count, starter)`` and returns the rank
that it lays. Ranks are numbers from 0 (ace) to 12 (king); ``seat`` is 0 for the pone and 1 for the dealer; ``hand``
holds the ranks still held, lowest first, ``laid`` those laid so far by both in turn, both as integer arrays; ``count``
is that of the pile, 0 for a new one. A function that does not take the starter cannot look at it. It is compiled where
numba can, and called as it is where not.

The book is what is played, in deals as in exact counts: a function that answers otherwise when asked again, by chance
or because it remembers something, is taken at its first word.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from noddysim.engine.games import PegGame
from noddysim.engine.rolled import RANK_COUNT, book_size, hands_of, lanes, play_key, rolled
from noddysim.engine.solution import Solution, refuse_unsolvable
from noddysim.game.cards import RANKS, pips
from noddysim.game.errors import InputError
from noddysim.game.tomlfile import one_line
from noddysim.game.userfunctions import ARGUMENTS, Function, arguments_of, function_named, identity_of
from noddysim.kernels import lines as at
from noddysim.kernels.compiler import compiled_if_possible

SHARES: Final = 1
"""A function lays one card: it has the whole share."""


class FunctionPlayer:
    """A function of the user's as a player of a game of hands of three.

    ``identity`` is sixteen hex digits of its source and of the values it closes over; None where these cannot be told
    (no source, or values that are not plain): such a function can be played, but nothing of it may be stored.
    """

    def __init__(self, game: PegGame, function: Function, name: str = "") -> None:
        self.game = game
        self.function = function
        self.name = name or getattr(function, "__name__", repr(function))
        self.arguments = arguments_of(function)
        self.blind = len(self.arguments) < len(ARGUMENTS)
        self.identity = identity_of(function)
        self._call: Callable[..., Any] | None = None
        self._books: dict[int, np.ndarray] = {}

    def book(self, starter: int) -> np.ndarray:
        """Filled by calling the function at every choice. Raises InputError for a card that may not be laid."""
        kept = 0 if self.blind else starter
        if kept not in self._books:
            self._books[kept] = self._filled(starter)
        return self._books[kept]

    def _filled(self, starter: int) -> np.ndarray:
        limit = int(self.game.rules.limit)
        book = np.zeros(book_size(limit), np.float64)
        chosen: list[int] = []
        extra = () if self.blind else (starter,)
        for seat, hand, laid, count, places in choices(limit):
            rank = self._asked(seat, np.array(hand), np.array(laid, np.int64), count, *extra)
            if rank not in places or (count + pips(rank) > limit):
                raise InputError(self._refusal(rank, seat, hand, laid, count))
            chosen += places[rank]
        book[chosen] = 1.0
        seconds = book[at.SECOND_AT : at.FIRST_AT].reshape(169, at.LANES)
        replies = book[at.REPLY_AT :].reshape(-1, at.LANES)
        seconds[:, 2 * at.DIFFERENT :] = replies[:, 2 * at.DIFFERENT :] = 1.0
        return book

    def _asked(self, *arguments: Any) -> int:
        try:
            if self._call is None:
                self._call = compiled_if_possible(self.function, arguments)
            found = self._call(*arguments)
        except Exception as error:
            said = f"{type(error).__name__}: {one_line(str(error))}"
            raise InputError(f"{self.name} failed {_where(*arguments[:3])} (count {arguments[3]}): {said}") from error
        try:
            return operator.index(found)
        except TypeError:
            raise InputError(f"{self.name} returned {found!r:.60}, not the number of a rank from 0 to 12") from None

    def _refusal(self, rank: int, seat: int, hand: tuple[int, ...], laid: tuple[int, ...], count: int) -> str:
        what = RANKS[rank] if 0 <= rank < RANK_COUNT else str(rank)
        why = "it would pass the limit" if rank in hand else "it is not held"
        return f"{self.name} laid {what} {_where(seat, hand, laid)} (count {count}): {why}"


def _where(seat: int, hand: Sequence[int], laid: Sequence[int]) -> str:
    held, before = (" ".join(RANKS[card] for card in cards) for cards in (hand, laid))
    return f"as {('pone', 'dealer')[seat]} with {held}, " + (f"after {before}" if before else "on the lead")


_BOOKS: dict[tuple[str, str], Solution] = {}
"""Books by function and play, filled once each and never let go: kernels hold their addresses."""
_FILLING: Final = threading.Lock()


def book_of_function(game: PegGame, key: str) -> Solution:
    """The book of a function for the play of a game, kept as that of best play is.

    key : as a strategy carries it (``game.userfunctions``). Raises InputError for a play in which a function cannot be
    asked everywhere, and for a function that breaks its rules.
    """
    found = function_named(key)
    refuse_unsolvable(game, f"{found.name}: a function can play")
    place = key, play_key(game)
    with _FILLING:
        if place not in _BOOKS:
            _BOOKS[place] = _kept(FunctionPlayer(game, found.call, found.name), place[1])
        return _BOOKS[place]


def _kept(player: FunctionPlayer, play: str) -> Solution:
    limit = int(player.game.rules.limit)
    books = np.stack([player.book(starter) for starter in range(RANK_COUNT)]).astype(np.uint16)
    return Solution(play, limit, SHARES, 0, books, name=player.name, blind=player.blind)


Choice = tuple[int, tuple[int, ...], tuple[int, ...], int, dict[int, list[int]]]
"""Seat, hand, cards laid, count, and the places in a book of each rank that may be named."""


def choices(limit: int) -> Iterator[Choice]:
    """Every choice between different ranks or forced by the limit, once.

    Four cards of each rank allow them all: three in a hand and the lead, or three laid and one of two in a hand.
    """
    yield from _first_choices()
    ordered = lanes().tolist()
    for p1 in range(RANK_COUNT):
        for d1 in range(RANK_COUNT):
            row = at.SECOND_AT + (p1 * RANK_COUNT + d1) * at.LANES
            count = pips(p1) + pips(d1)
            for lane, (low, high) in enumerate(ordered[: at.DIFFERENT]):
                yield 0, (low, high), (p1, d1), count, {low: [row + lane], high: [row + lane + at.DIFFERENT]}
    yield from _replies(limit, ordered)


def _first_choices() -> Iterator[Choice]:
    from noddysim.kernels.lines import pair_of

    for seat, lead in [(0, None), *((1, rank) for rank in range(RANK_COUNT))]:
        start = at.LEAD_AT if lead is None else at.FIRST_AT + lead * RANK_COUNT * at.PAIRS
        laid = () if lead is None else (lead,)
        for hand in map(tuple, hands_of(3).tolist()):
            places = {}
            for rank in set(hand):
                rest = list(hand)
                rest.remove(rank)
                places[rank] = [start + rank * at.PAIRS + int(pair_of(*rest))]
            yield seat, hand, laid, 0 if lead is None else pips(lead), places


def _replies(limit: int, ordered: list[list[int]]) -> Iterator[Choice]:
    starts = rolled(limit).starts.tolist()
    for triple in range(at.TRIPLES):
        three = triple // 169, triple // RANK_COUNT % RANK_COUNT, triple % RANK_COUNT
        count = sum(map(pips, three))
        room = limit - count
        rows = range(starts[triple], starts[triple + 1])
        for lane, (low, high) in enumerate(ordered[: at.DIFFERENT]):
            if pips(low) <= room:
                there = [at.REPLY_AT + row * at.LANES + lane for row in rows]
                yield 1, (low, high), three, count, {low: there, high: [place + at.DIFFERENT for place in there]}
                continue
            for row in rows:
                slot, place = row - rows.start, at.REPLY_AT + row * at.LANES + lane
                laid = (*three, slot) if slot < room else three
                yield 1, (low, high), laid, 0, {low: [place], high: [place + at.DIFFERENT]}
