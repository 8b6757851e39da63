"""Cards laid in a given order, and what they score: the play of hands that somebody writes down."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from noddysim.engine.games import SEAT_NAMES, PegGame, hands_only, show_game
from noddysim.engine.record import PegRecord
from noddysim.engine.scoring import Cards, as_variant, read_cards
from noddysim.engine.table import by_seat, events, for_seats, gained, lay_in_order, script, sit_down, whole_number
from noddysim.game.cards import format_card, format_cards, pips, rank_of, refuse_repeats
from noddysim.game.errors import InputError
from noddysim.game.rules import Variant
from noddysim.kernels import records as rec
from noddysim.kernels.hands import unpack


def peg(
    hands: str | Sequence[Cards], variant: Variant | str = "noddy", scores: Sequence[int] | None = None
) -> PegRecord:
    """Lay cards in the order given and score the play.

    Args:
        hands: full hands of two to four players, each in the order it is laid, eldest first and dealer last; as text
            ``"7H 3C KD / 8S 5D 2H"``, or one entry a hand.
        variant: a variant, its name or the path of its file.
        scores: scores before the first card by seat, each below the target; nought if left out.

    Raises:
        InputError: a card that does not exist or stands twice, hands of the wrong size, a number of players or scores
            that the rules do not allow, an order in which a card would pass the limit while another one fits.
    """
    rules = as_variant(variant)
    laid = _read_hands(hands, rules)
    game = hands_only(show_game(rules, len(laid)))
    before = _start_scores(scores, game, rules)
    table = rec.new_table()
    sit_down(table, range(game.sides), before)
    script(game, table, laid)
    if lay_in_order(game, table, rules.rules.target) == rec.ILLEGAL:
        raise illegal_order(table, rules, len(laid))
    by_side = by_seat(table.score, game.sides)
    reached = [seat + 1 for seat, score in enumerate(for_seats(by_side, game)) if score >= rules.rules.target]
    return PegRecord(
        variant=rules.name,
        limit=rules.pegging.play.limit,
        events=events(game, table),
        points=gained(game, table),
        scores=for_seats(by_side, game),
        winner=_who_reached(game, table, reached),
        unplayed=tuple(
            tuple(map(format_card, hand[len(hand) - int(table.left[seat]) :])) for seat, hand in enumerate(laid)
        ),
        sides=by_side if game.sides < game.players else (),
    )


def _who_reached(game: PegGame, table: Any, reached: Sequence[int]) -> int | None:
    """The seat, from 1, that reached the target: of two partners the one who laid the last card."""
    last = int(table.seats[table.state[rec.AT_LAID] - 1]) + 1
    return last if last in reached else next(iter(reached), None)


def _read_hands(hands: str | Sequence[Cards], variant: Variant) -> list[list[int]]:
    rules = variant.pegging
    given = hands.split("/") if isinstance(hands, str) else hands
    if not isinstance(given, Iterable):
        raise InputError(f'{hands!r:.80} are no hands; write them as "7H 3C KD / 8S 5D 2H", or as a list of hands')
    laid = [read_cards(hand) for hand in given]
    refuse_repeats(itertools.chain(*laid))
    if len(laid) not in rules.players:
        numbers = " or ".join(map(str, rules.players))
        raise InputError(
            f"{variant.name} is played by {numbers}, and there {'is 1 hand' if len(laid) == 1 else f'are {len(laid)}'}"
            "; write all hands, parted by /"
        )
    size = rules.hand
    for name, hand in zip(SEAT_NAMES[len(laid)], laid, strict=True):
        if len(hand) != size:
            shown = f"{len(hand)} cards: {format_cards(hand)}" if hand else "no card"
            raise InputError(f"a hand of {variant.name} has {size} cards, and the {name} has {shown}")
    return laid


def _start_scores(scores: Sequence[int] | None, game: PegGame, variant: Variant) -> tuple[int, ...]:
    """Scores before the first card by side; partners' scores may be given for each seat, or once a side."""
    players, sides, target = game.players, game.sides, variant.rules.target
    if scores is None:
        return (0,) * sides
    if len(scores) not in (players, sides):
        need = f"{players} scores" if sides == players else f"{sides} scores, one for each side"
        raise InputError(f"{players} hands need {need}, the eldest's first; {len(scores)} given")
    for name, score in zip(SEAT_NAMES[players], scores, strict=False):
        whole_number(f"the score of the {name}, below the target,", score, target - 1)
    if tuple(scores[:sides]) * (len(scores) // sides) != tuple(scores):
        raise InputError("partners share one score: the first and third must be equal, and the second and fourth")
    return tuple(map(int, scores[:sides]))


def illegal_order(table: Any, variant: Variant, players: int) -> InputError:
    """Why the next card of a seat may not be laid: it passes the limit, and another card of the hand fits."""
    seat, card = int(table.state[rec.AT_FAULT_SEAT]), int(table.state[rec.AT_FAULT_CARD])
    count, limit = int(table.counts[table.state[rec.AT_LAID] - 1]), variant.pegging.play.limit
    fits = [format_card(other) for other in unpack(table.hand[seat]) if count + pips(rank_of(other)) <= limit]
    after = count + pips(rank_of(card))
    return InputError(
        f"the {SEAT_NAMES[players][seat]} cannot lay {format_card(card)}: the count would go from {count} to {after}, "
        f"past {limit}; he must lay {' or '.join(fits)}"
    )
