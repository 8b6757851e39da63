"""The kernels' table for one deal: what is put on it before they play, and what it says for people afterwards."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from noddysim.engine.games import PegGame, hands_only, with_rules
from noddysim.engine.minds import minds_of
from noddysim.engine.record import Event
from noddysim.engine.scoring import SAME_RANK_NAMES
from noddysim.game.cards import format_card, format_cards
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import records as rec
from noddysim.kernels.hands import pack, unpack
from noddysim.kernels.pegging import pick_up, play

FIRST_STRATEGY: Final = "greedy"
_PAIR: Final = rec.PLAY_KINDS.index("pair")


def whole_number(what: str, number: object, greatest: int) -> None:
    """Raise InputError unless ``number`` is a whole number from 0 to ``greatest``, which the kernels can then hold."""
    try:
        value = -1 if isinstance(number, bool) else operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        value = -1
    if not 0 <= value <= greatest:
        raise InputError(f"{what} must be a whole number from 0 to {greatest}, not {number!r}")


def at_the_table(
    game: PegGame, minds: Sequence[str | Strategy], who: Sequence[int], table: Any
) -> tuple[Any, Any, Any, int]:
    """Strategies, which of them each seat or person plays, the table, and how many play: as all kernels take them."""
    strategies = [mind if isinstance(mind, Strategy) else parse_strategy(mind) for mind in minds]
    return minds_of(game, strategies), np.array(list(who), np.int64), table, len(who)


def sit_down(table: Any, persons: Sequence[int], scores: Sequence[int]) -> None:
    """Put sides of a game and their scores at the sides of the table."""
    for seat, (person, score) in enumerate(zip(persons, scores, strict=True)):
        table.person[seat] = person
        table.score[seat] = score


def script(game: PegGame, table: Any, laid: Sequence[Sequence[int]]) -> None:
    """Deal the hands and write down the order in which each is to be laid."""
    for seat, hand in enumerate(laid):
        table.dealt[seat] = pack(sorted(hand))
        table.script[seat, : len(hand)] = hand
    pick_up(game.rules, table, game.players)


def lay_in_order(game: PegGame, table: Any, target: int) -> int:
    """Lay the cards of the script; the status of the kernel. The strategy given is never asked."""
    seated = at_the_table(game, [FIRST_STRATEGY], [0] * game.players, table)
    return int(play(game.rules, *seated, np.uint64(0), target, rec.NOBODY, 0, True))


def by_seat(column: Any, players: int) -> tuple[int, ...]:
    """The entries of the seats that are taken, of a column of the table with one for each seat."""
    return tuple(int(column[seat]) for seat in range(players))


def for_seats(by_side: Sequence[int], game: PegGame) -> tuple[int, ...]:
    """The score of each seat's side."""
    return tuple(int(by_side[seat % game.sides]) for seat in range(game.players))


def gained(game: PegGame, table: Any) -> tuple[int, ...]:
    """Points of the deal by seat, all sources together."""
    n = game.players
    columns = (table.start, table.heels, table.mog, table.gain & rec.TOTAL_MASK, table.show & rec.TOTAL_MASK)
    points = [sum(int(column[seat]) for column in columns) for seat in range(n)]
    points[n - 1] += int(table.crib_gain) & rec.TOTAL_MASK
    return tuple(points)


def events(game: PegGame, table: Any) -> tuple[Event, ...]:
    """The cards laid at a table, with their points by kind."""
    laid = int(table.state[rec.AT_LAID])
    same = _equal_cards(game, table)
    return tuple(
        Event(
            seat=int(table.seats[i]) + 1,
            card=format_card(int(table.cards[i])),
            count=int(table.counts[i]),
            points=int(table.points[i]) & rec.TOTAL_MASK,
            parts=_parts(int(table.points[i]), same[i]),
        )
        for i in range(laid)
    )


def _parts(points: int, same: int) -> dict[str, int]:
    """Kinds that scored, in the order of `EVENT_KINDS`; ``same`` equal cards make the pair what it is called."""
    found = {}
    for kind, shift in zip(rec.PLAY_KINDS, rec.PLAY_SHIFT, strict=True):
        if part := points >> shift & rec.PLAY_MASK:
            found[SAME_RANK_NAMES[same] if kind == "pair" else kind] = part
    return found


def _equal_cards(game: PegGame, table: Any) -> list[int]:
    """How many equal cards each card laid completes (0 or 2 to 4), by the kernel's own look-back.

    The points do not tell, since rules may pay a pair and a pair royal alike. So the same cards are laid once more
    under rules that differ in one thing: equal cards score their number.
    """
    n, laid = game.players, int(table.state[rec.AT_LAID])
    shift = rec.PLAY_SHIFT[_PAIR]
    seats, cards = [int(seat) for seat in table.seats[:laid]], [int(card) for card in table.cards[:laid]]
    orders = []
    for seat in range(n):
        first = [card for who, card in zip(seats, cards, strict=True) if who == seat]
        held = unpack(table.hand[seat])
        orders.append(first + held)
    again = rec.new_table()
    equal = np.array([number | number << shift for number in (0, 0, 2, 3, 4)], np.int64)
    probe = with_rules(hands_only(game), play_same=equal)
    script(probe, again, orders)
    # Where the target stopped the play, the rest of this order may break the rules: only what was laid counts.
    lay_in_order(probe, again, rec.NO_TARGET)
    if [int(card) for card in again.cards[:laid]] != cards:
        raise RuntimeError(f"the cards {format_cards(cards)} were not laid in the same order again")
    return [int(points) >> shift & rec.PLAY_MASK for points in again.points[:laid]]
