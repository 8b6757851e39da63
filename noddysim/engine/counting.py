"""Exact points of the play for any two players: every deal counted once.

Two strategies without chance make one table of points for every two hands (a table for each rank of the starter, where
one looks at it), weighed by whole numbers of deals. Where chance plays, every line is weighed by how both play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noddysim.engine.books import DataPlayer, Player, has_chance, is_blind
from noddysim.engine.games import PegGame
from noddysim.engine.minds import minds_of
from noddysim.engine.rolled import (
    RANK_COUNT,
    SUITS,
    all_deals,
    deals_of,
    hands_of,
    in_threads,
    lines_of,
    rolled,
    spread_weights,
)
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import lines as at
from noddysim.kernels import records as rec


@dataclass(frozen=True)
class PlayPoints:
    """Points of the play over all deals: means of both seats, and whole numbers where no chance plays."""

    deals: int
    pone: float
    dealer: float
    pone_points: int | None = None
    dealer_points: int | None = None

    @property
    def margin(self) -> float:
        """Pone's mean less dealer's."""
        if self.pone_points is None or self.dealer_points is None:
            return self.pone - self.dealer
        return float(Fraction(self.pone_points - self.dealer_points, self.deals))


# --- strategies without chance ----------------------------------------------------------------------------------------


def pair_tables(game: PegGame, pone: Strategy, dealer: Strategy) -> np.ndarray:
    """Points of both seats for every two hands, uint8 (S, H, H, 2): one table, or one for each rank of the starter.

    Hands are numbered as in ``hands_of``. Both strategies must be without chance, and the game one of ``two_hands``.
    """
    if has_chance(pone) or has_chance(dealer):
        raise ValueError("a table of pairs holds one result for two hands: no chance may play")
    from noddysim.kernels.unrolled import fill_pairs

    minds = minds_of(game, (pone, dealer))
    hands = hands_of(int(game.rules.hand))
    starters = 1 if is_blind(pone) and is_blind(dealer) else RANK_COUNT
    points = np.zeros((starters, len(hands), len(hands), 2), np.uint8)
    who = np.arange(2)
    part = -(-len(hands) // RANK_COUNT)

    def fill(number: int) -> None:
        starter, first = number // RANK_COUNT, number % RANK_COUNT * part
        last = min(first + part, len(hands))
        fill_pairs(game.rules, minds, who, rec.new_table(), starter, hands, first, last, points[starter])

    in_threads(fill, range(starters * RANK_COUNT))
    return points


def count_without_chance(game: PegGame, pone: Strategy, dealer: Strategy) -> PlayPoints:
    """Whole points of both seats over all deals."""
    tables = pair_tables(game, pone, dealer)
    size = int(game.rules.hand)
    totals = [0, 0]
    for starter in range(RANK_COUNT):
        points = tables[starter % len(tables)]
        ways = deals_of(size, starter)
        for seat in range(2):
            totals[seat] += SUITS * int(np.einsum("ij,ij->", ways, points[:, :, seat], dtype=np.int64))
    deals = all_deals(size)
    return PlayPoints(deals, totals[0] / deals, totals[1] / deals, *totals)


# --- strategies with chance -------------------------------------------------------------------------------------------


def reach_of_pone(book: np.ndarray) -> np.ndarray:
    """How a pone plays, (169, 169) by p1 * 13 + d1 and lane."""
    from noddysim.kernels.regret import pone_reach

    reach = np.zeros((169, at.LANES), book.dtype)
    pone_reach(book, book.dtype.type(0), reach)
    return reach


def reach_of_dealer(limit: int, book: np.ndarray) -> np.ndarray:
    """How a dealer plays, (R, 169) by row and lane."""
    from noddysim.kernels.regret import dealer_reach

    found = rolled(limit)
    reach = np.zeros((int(found.starts[-1]), at.LANES), book.dtype)
    dealer_reach(found, book, book.dtype.type(0), reach)
    return reach


def starter_weights(starters: Sequence[int]) -> Any:
    """Deals by pone's hand, d1 and dealer's lane, float64, of all starters of some ranks."""
    return spread_weights(sum(deals_of(3, starter) for starter in starters) * SUITS, np.float64)  # type: ignore[arg-type]


def values_for_pone(game: PegGame, points: np.ndarray, weights: np.ndarray, dealer: np.ndarray) -> np.ndarray:
    """Points of every way to play of the pone against a dealer's book: sums over deals, float64 (169, 169)."""
    from noddysim.kernels.regret import pone_values

    values = np.zeros((169, at.LANES), np.float64)
    limit = int(game.rules.limit)
    pone_values(rolled(limit), points, weights, reach_of_dealer(limit, dealer), values)
    return values


def values_for_dealer(game: PegGame, points: np.ndarray, weights: np.ndarray, pone: np.ndarray) -> np.ndarray:
    """Points of every reply of the dealer against a pone's book: sums over deals, float64 (R, 169)."""
    from noddysim.kernels.regret import dealer_values

    found = rolled(int(game.rules.limit))
    values = np.zeros((int(found.starts[-1]), at.LANES), np.float64)
    dealer_values(found, points, weights, reach_of_pone(pone), values)
    return values


def starters_of(*players: Player) -> list[list[int]]:
    """Ranks of the starter, those together for which all players play alike."""
    ranks = list(range(RANK_COUNT))
    return [ranks] if all(player.blind for player in players) else [[rank] for rank in ranks]


def count_with_chance(game: PegGame, pone: Player, dealer: Player) -> PlayPoints:
    """Mean points of both seats over all deals, each line weighed by how both play."""
    lines = lines_of(game)
    groups = starters_of(pone, dealer)

    def count(number: int) -> tuple[float, float]:
        starters = groups[number]
        weights = starter_weights(starters)
        reach, book = reach_of_pone(pone.book(starters[0])), dealer.book(starters[0])
        parts = (values_for_pone(game, points, weights, book) for points in (lines.pone, lines.margin))
        own, margin = (float((reach * values).sum()) for values in parts)
        return own, own - margin

    found = in_threads(count, range(len(groups)))
    deals = all_deals(3)
    own, other = (sum(part[seat] for part in found) / deals for seat in range(2))
    return PlayPoints(deals, own, other)


def count_play(game: PegGame, pone: Strategy, dealer: Strategy) -> PlayPoints:
    """Exact points of the play for two strategies that are data; with chance the hands must be of three."""
    if has_chance(pone) or has_chance(dealer):
        return count_with_chance(game, DataPlayer(game, pone), DataPlayer(game, dealer))
    return count_without_chance(game, pone, dealer)
