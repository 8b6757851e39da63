"""Exact points of the play of three hands, without chance and for strategies that do not look at the starter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noddysim.engine.books import has_chance, is_blind
from noddysim.engine.games import SEAT_NAMES, PegGame, show_game
from noddysim.engine.minds import minds_of
from noddysim.engine.rolled import RANK_COUNT, SUITS, hands_of, in_threads
from noddysim.engine.scoring import as_variant
from noddysim.game.cards import PACK_SIZE
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import records as rec

PLAYERS: Final = 3
HAND: Final = 3


@dataclass(frozen=True)
class ExactSeats:
    """Exact points of the play of three: no target, no turned card, no show. By seat, eldest first."""

    variant: str
    names: tuple[str, ...]
    deals: int
    points: tuple[int, ...]

    @property
    def means(self) -> tuple[float, ...]:
        """Mean points by seat."""
        return tuple(points / self.deals for points in self.points)

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim exact play --players 3 --json``, seats by their names."""
        seats = SEAT_NAMES[PLAYERS]
        return {
            "variant": self.variant,
            "strategies": dict(zip(seats, self.names, strict=True)),
            "deals": self.deals,
            **dict(zip(seats, self.means, strict=True)),
            **{f"{seat}_points": points for seat, points in zip(seats, self.points, strict=True)},
        }


def play_of_three(variant: Variant | str, strategies: Sequence[str | Strategy]) -> ExactSeats:
    """The exact points of the play of three seats, all deals of a three-player variant counted.

    strategies : one for all seats, or one for each, eldest first. Raises InputError for a variant whose play cannot be
    counted so, for strategies that leave something to chance, and for those that look at the starter.
    """
    rules = as_variant(variant)
    game = _three_hands(rules)
    minds = [_without_chance(one) for one in strategies]
    if len(minds) not in (1, PLAYERS):
        raise InputError(f"{PLAYERS} players need {PLAYERS} strategies, or one for all; {len(minds)} given")
    minds = minds * PLAYERS if len(minds) == 1 else minds
    deals, points = _counted(game, minds)
    return ExactSeats(rules.name, tuple(one.name for one in minds), deals, points)


def _three_hands(variant: Variant) -> PegGame:
    if PLAYERS not in variant.pegging.players:
        raise InputError(f"{variant.name}: its play cannot be counted for three: it is not a game for three")
    game = show_game(variant, PLAYERS)
    rules = game.rules
    reasons = {
        "cards are laid away before it": rules.discard,
        "flushes score in it, and only ranks can be looked at": rules.flushes,
        f"hands have {int(rules.hand)} cards, and three hands of {HAND} can be counted": rules.hand != HAND,
    }
    for reason, holds in reasons.items():
        if holds:
            raise InputError(f"{variant.name}: its play cannot be counted for three: {reason}")
    return game


def _without_chance(given: str | Strategy) -> Strategy:
    one = parse_strategy(given) if isinstance(given, str) else given
    if has_chance(one):
        raise InputError(f"{one.name} leaves cards to chance; the play of three is counted for strategies that do not")
    if not is_blind(one):
        raise InputError(f"{one.name} looks at the starter; the play of three is counted for strategies that do not")
    return one


def _counted(game: PegGame, minds: Sequence[Strategy]) -> tuple[int, tuple[int, ...]]:
    """The number of deals, and whole points by seat over all of them."""
    from noddysim.kernels.seats import add_triples

    hands = hands_of(HAND)
    held = np.stack([(hands == rank).sum(axis=1) for rank in range(RANK_COUNT)], axis=1)
    choose = np.array([[math.comb(left, taken) for taken in range(SUITS + 1)] for left in range(SUITS + 1)], np.int64)
    records, who = minds_of(game, tuple(minds)), np.arange(PLAYERS)

    def count(first: int) -> np.ndarray:
        totals = np.zeros(PLAYERS + 1, np.int64)
        add_triples(game.rules, records, who, rec.new_table(), hands, held, choose, first, first + 1, totals)
        return totals

    totals = np.sum(in_threads(count, range(len(hands))), axis=0)
    # Whatever the hands, any card of the rest may be turned.
    starters = PACK_SIZE - PLAYERS * HAND
    return starters * int(totals[PLAYERS]), tuple(starters * int(points) for points in totals[:PLAYERS])
