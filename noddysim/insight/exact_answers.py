"""What the solution of Noddy says to players, found once: for the strategy card, and for the form that answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from noddysim.engine.firsts import FirstCards, first_cards
from noddysim.engine.runner import Announce
from noddysim.insight.card import StrategyCard, search_work, strategy_card

VARIANT: Final = "noddy"
WORK: Final = search_work() + 1
"""Parts of the work, for a progress bar."""


@dataclass(frozen=True)
class ExactAnswers:
    """What the pages are made from."""

    card: StrategyCard
    firsts: FirstCards


def answer(announce: Announce) -> ExactAnswers:
    """Find the card and the values of all first cards of Noddy; about a minute."""
    advance = announce("what best play says", WORK)
    firsts = first_cards(VARIANT)
    advance(1)
    return ExactAnswers(strategy_card(VARIANT, advance=advance), firsts)
