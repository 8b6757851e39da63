"""What the report asks of rules: which disputed readings matter, which are fairest, what the first deal is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from noddysim.engine.runner import Announce
from noddysim.game.laying_data import SETS
from noddysim.game.rules import load_variant
from noddysim.insight.fairest import Fairest, fairest
from noddysim.insight.handicap import Handicap, handicap
from noddysim.insight.sensitivity import Sensitivity, sensitivity

TIPS: Final = ("lead-low@greedy-random", "save-fives@greedy-random", "avoid-pairable@greedy-random")
"""Advice whose verdict is asked under each reading."""
CRIBBAGE_TIPS: Final = ("lead-low@lookahead", "feed-own-crib@lookahead")
SWITCHED: Final = (
    ("noddy", 2, TIPS), ("noddy", 3, ()), ("cribbage", 2, CRIBBAGE_TIPS), ("cribbage-five", 2, ()),
    ("costly-colours", 2, ()),
)  # fmt: skip
SEARCHED: Final = (("noddy", 2), ("noddy", 3))
EVENED: Final = (
    ("noddy", 2, None), ("noddy-61", 2, None), ("cribbage", 2, None), ("innocence", 2, None), ("snitch", 3, None),
    ("noddy", 2, ("careful", "greedy")), ("noddy-61", 2, ("careful", "greedy")),
    ("innocence", 2, ("most-points", "first")),
)  # fmt: skip
SLOWER: Final = 10
"""Games of sets take so much longer that fewer are played, by this factor."""


@dataclass(frozen=True)
class RulesExtent:
    """How much is played: games of each set of rules, fewer in a search, and duplicates of each tip."""

    games: int = 20_000
    searched: int = 4_000
    skill: int = 500
    deals: int = 20_000
    seed: int = 1589

    @property
    def work(self) -> int:
        """Parts of the work, for a progress bar."""
        return len(SWITCHED) + len(SEARCHED) + len(EVENED)


def rules_extent(deals: int | None = None, games: int | None = None, seed: int | None = None) -> RulesExtent:
    """The usual extent with what is given in place of it."""
    usual = RulesExtent()
    return RulesExtent(
        games=games or usual.games,
        searched=min(games or usual.searched, usual.searched),
        skill=min(games or usual.skill, usual.skill),
        deals=deals or usual.deals,
        seed=usual.seed if seed is None else seed,
    )


@dataclass(frozen=True)
class RulesStudy:
    """All that the page on rules tells."""

    extent: RulesExtent
    sensitivities: tuple[Sensitivity, ...]
    searches: tuple[Fairest, ...]
    handicaps: tuple[Handicap, ...]


def weigh_rules(extent: RulesExtent, announce: Announce, workers: int | None = None) -> RulesStudy:
    """Play it all."""
    advance = announce("readings, fairest rules and handicaps", extent.work)
    sensitivities, searches, handicaps = [], [], []
    for variant, players, tips in SWITCHED:
        sensitivities.append(
            sensitivity(
                variant, players, tips=tips, games=extent.games, deals=extent.deals, seed=extent.seed, workers=workers
            )
        )
        advance(1)
    for variant, players in SEARCHED:
        searches.append(
            fairest(variant, players, games=extent.searched, skill=extent.skill, seed=extent.seed, workers=workers)
        )
        advance(1)
    for variant, players, between in EVENED:
        rules = load_variant(variant)
        games = max(1, extent.games // SLOWER) if rules.family.name == SETS else extent.games
        handicaps.append(handicap(rules, players, between=between, games=games, seed=extent.seed, workers=workers))
        advance(1)
    return RulesStudy(extent, tuple(sensitivities), tuple(searches), tuple(handicaps))
