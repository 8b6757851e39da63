"""The rules of conduct from which the strategy card is chosen: each can be said in a line and followed at a table.

All of them are levels of a strategy (``game.strategy_data``), so the card is a strategy like any other. Nothing that
asks for reckoning over the cards not seen is among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from noddysim.game.cards import RANKS, rank_from_text
from noddysim.game.features import MICRO
from noddysim.game.strategy_data import Level, ordered_weights


@dataclass(frozen=True)
class Rule:
    """A rule of the space: its name, what a player is told, and the level that does so."""

    name: str
    words: str
    level: Level

    @property
    def when(self) -> str:
        """``lead`` (a card on an empty pile) or ``follow``."""
        return self.level.when


def _rule(
    when: Literal["lead", "follow"],
    name: str,
    words: str,
    weights: Mapping[str, int] | None = None,
    ranks: Mapping[str, int] | None = None,
    counts: Mapping[int, int] | None = None,
) -> Rule:
    """A rule from whole points; a level reads millionths of a point."""
    worth = [0] * len(RANKS)
    for signs, points in (ranks or {}).items():
        for sign in signs:
            worth[rank_from_text(sign)] = points * MICRO
    weighed = ordered_weights({feature: points * MICRO for feature, points in (weights or {}).items()})
    counted = tuple((count, points * MICRO) for count, points in sorted((counts or {}).items()))
    return Rule(name, words, Level(when=when, weights=weighed, ranks=tuple(worth), counts=counted))


LEADS: Final = (
    _rule("lead", "lead-no-five", "Do not lead a 5.", ranks={"5": -1}),
    _rule("lead", "lead-pair", "Lead one of a pair.", {"paired": 1}),
    _rule("lead", "lead-no-pair", "Lead no card of a pair.", {"paired": -1}),
    _rule("lead", "lead-small", "Lead a card below 5.", ranks={"A234": 1}),
    _rule("lead", "lead-ace-three", "Lead an ace, 2 or 3.", ranks={"A23": 1}),
    _rule("lead", "lead-middle", "Lead a card from 6 to 9.", ranks={"6789": 1}),
    _rule("lead", "lead-ten-card", "Lead a ten-card.", ranks={"TJQK": 1}),
    _rule("lead", "lead-no-ten-card", "Do not lead a ten-card.", ranks={"TJQK": -1}),
    _rule(
        "lead", "lead-highest-small", "Lead your highest card below 5; without one, your lowest that is no 5.",
        ranks={"4": 12, "3": 11, "2": 10, "A": 9, "6": 8, "7": 7, "8": 6, "9": 5, "T": 4, "J": 3, "Q": 2, "K": 1},
    ),
    _rule("lead", "lead-high", "Lead your highest card.", {"rank": 1}),
    _rule("lead", "lead-low", "Lead your lowest card.", {"rank": -1}),
)  # fmt: skip

FOLLOWS: Final = (
    _rule("follow", "take-points", "Make the most points you can.", {"points": 1}),
    _rule("follow", "take-pairs", "Make a pair.", {"pair": 1}),
    _rule("follow", "take-fifteen", "Make fifteen.", {"fifteen": 1}),
    _rule("follow", "take-runs", "Make a run.", {"run": 1}),
    _rule("follow", "take-thirty-one", "Make thirty-one.", {"thirtyone": 1}),
    _rule("follow", "no-five", "Keep 5s.", ranks={"5": -1}),
    _rule("follow", "no-ten-card", "Keep ten-cards.", ranks={"TJQK": -1}),
    _rule("follow", "no-run-open", "Leave no run open to the next card.", {"offers_run": -1}),
    _rule("follow", "not-twenty-one", "Do not leave a count of 21.", counts={21: -1}),
    _rule(
        "follow", "not-for-ten-cards", "Do not leave a count of 5 or 21, where a ten-card scores.",
        counts={5: -1, 21: -1},
    ),
    _rule(
        "follow", "past-fifteen", "Bring the count past 15 or leave it below 5, so that no card makes fifteen.",
        counts=dict.fromkeys((*range(1, 5), *range(15, 32)), 1),
    ),
    _rule(
        "follow", "past-twenty-one", "Past 21, bring the count as near to 31 as you can.",
        counts={count: count - 21 for count in range(22, 32)},
    ),
    _rule("follow", "keep-pairs", "Do not break a pair.", {"paired": -1}),
    _rule("follow", "break-pairs", "Lay one of a pair.", {"paired": 1}),
    _rule("follow", "high", "Lay your highest card.", {"rank": 1}),
    _rule("follow", "low", "Lay your lowest card.", {"rank": -1}),
)  # fmt: skip
