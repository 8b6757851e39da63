"""What every first card is worth against best play: each lead of the pone, each answer of the dealer to a lead.

The table that a page carries with it: ranks only, since suits do not count in the play.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noddysim.engine.exactplay import Given, player_of
from noddysim.engine.rolled import RANK_COUNT, first_places, in_threads, three_each
from noddysim.engine.scoring import as_variant
from noddysim.engine.solution import NAME
from noddysim.engine.values import DEALER, PONE, Values
from noddysim.game.rules import Variant


@dataclass(frozen=True)
class FirstCards:
    """Margins of the deal by the first card, of the seat that lays it, in points; NaN where there is no such card.

    leads : (13 starters, 455 hands, 3 cards); replies : (13 starters, 13 cards led, 455 hands, 3 cards). Hands are
    numbered as in ``hands_of(3)``, the cards of a hand are its different ranks, lowest first.
    """

    variant: str
    leads: np.ndarray
    replies: np.ndarray


def first_cards(variant: Variant | str = "noddy", against: Given = NAME) -> FirstCards:
    """The values of all first cards, the other player being best play or any strategy; about ten seconds.

    Raises InputError for a variant whose play cannot be rolled out, or is not solved.
    """
    rules = as_variant(variant)
    game = three_each(rules)
    other = player_of(game, against)

    def one(starter: int) -> tuple[np.ndarray, np.ndarray]:
        leads, replies = (Values(game, seat, starter, other).first_values() for seat in (PONE, DEALER))
        return _by_hand(leads)[0], _by_hand(replies)

    found = in_threads(one, range(RANK_COUNT))
    return FirstCards(rules.name, *(np.stack([part[seat] for part in found]) for seat in range(2)))


def _by_hand(values: np.ndarray) -> np.ndarray:
    """Values (rows, 1183) by rank and pair as (rows, 455, 3) by hand and card."""
    place = first_places()[1]
    return np.where(place.T >= 0, values[:, np.maximum(place.T, 0)], np.nan)
