"""The first dealer's chance to win, counted over all deals where that can be done, beside the games that were played.

The games that were played must agree with it: so each is a check of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from noddysim.engine import exactgame
from noddysim.engine.rolled import all_deals, three_each
from noddysim.game.errors import InputError
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy
from noddysim.insight.estimates import CHANCE, Estimate
from noddysim.insight.rows import Difference, Row

STANDARD_ERRORS: Final = 6
"""How far the games may lie from the counted chance before something must be wrong: by luck once in 500 million."""
FEWEST_GAMES: Final = 10_000
"""Fewer games than this are asked for by somebody in a hurry: counting takes a few seconds a variant."""


def with_counted_chances(rows: Sequence[Row], strategy: Strategy) -> list[Row]:
    """The rows of one strategy, with the chance of the first dealer counted where it can be.

    Raises RuntimeError where the games of a row contradict it.
    """
    return [
        replace(row, counted=counted_chance(row, strategy)) if can_count(row.variant, row.players, row.games) else row
        for row in rows
    ]


def can_count(variant: Variant, players: int, games: int) -> bool:
    """Whether the games of a variant can be counted: two players with three cards each, who deal in turn."""
    if players != 2 or games < FEWEST_GAMES:
        return False
    try:
        three_each(variant)
        exactgame.refuse_other_games(variant)
    except InputError:
        return False
    return True


def counted_chance(row: Row, strategy: Strategy) -> Estimate:
    """The chance of the first dealer to win if both play the strategy of a row, exact."""
    chance = exactgame.game(row.variant, strategy, strategy).first_dealer_wins
    error = (chance * (1 - chance) / row.games) ** 0.5
    sampled = row.seat_wins[-1].estimate
    if abs(sampled - chance) > STANDARD_ERRORS * error:
        raise RuntimeError(
            f"{row.variant.name}, {row.strategy}: the first dealer won {sampled:.5f} of {row.games} games, and "
            f"{chance:.5f} is counted; that is more than {STANDARD_ERRORS} standard errors apart"
        )
    return Estimate(chance, chance, chance, all_deals(3), CHANCE, "counted", exact=True)


def with_counted_differences(differences: Sequence[Difference], rows: Sequence[Row]) -> list[Difference]:
    """The differences of the rows of one strategy, those of the edge counted where both chances are."""
    counted = {row.variant.name: row.counted for row in rows}
    return [_counted_difference(one, counted.get(one.a), counted.get(one.b)) for one in differences]


def _counted_difference(one: Difference, a: Estimate | None, b: Estimate | None) -> Difference:
    if one.metric != "edge" or a is None or b is None:
        return one
    value = a.estimate - b.estimate
    return replace(one, counted=replace(a, estimate=value, low=value, high=value))
