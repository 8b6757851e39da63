"""Exact answers on the play of two: points of two strategies, the best answer to one, best play and its proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from noddysim.engine import solution as solutions
from noddysim.engine import solver
from noddysim.engine.books import DataPlayer, Player, has_chance
from noddysim.engine.branches import branching, count_branches, needs_branches
from noddysim.engine.counting import (
    PlayPoints,
    count_with_chance,
    count_without_chance,
    reach_of_dealer,
    reach_of_pone,
    starter_weights,
    values_for_dealer,
    values_for_pone,
)
from noddysim.engine.functions import FunctionPlayer
from noddysim.engine.games import PegGame
from noddysim.engine.minds import kept_book
from noddysim.engine.rolled import RANK_COUNT, all_deals, in_threads, lines_of, rolled, three_each, two_hands
from noddysim.engine.scoring import as_variant
from noddysim.engine.solution import Solution, solution_for
from noddysim.engine.values import DEALER, PONE, CardValue, Position, Values, chances_at
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import lines as at

Seat = Literal["pone", "dealer"]
SEATS: Final[dict[str, int]] = {"pone": PONE, "dealer": DEALER}
Given = str | Strategy | Player | Callable[..., Any]
"""A strategy by its expression, as data, as a player with a book, or as a function of the user's own."""


# --- two strategies ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExactPlay:
    """Exact points of the play: no target, no turned card, no show."""

    variant: str
    pone_name: str
    dealer_name: str
    points: PlayPoints

    @property
    def deals(self) -> int:
        """How many deals there are, each counted once."""
        return self.points.deals

    @property
    def pone(self) -> float:
        """Pone's mean points."""
        return self.points.pone

    @property
    def dealer(self) -> float:
        """Dealer's mean points."""
        return self.points.dealer

    @property
    def margin(self) -> float:
        """Pone's mean points less dealer's."""
        return self.points.margin

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim exact play --json``."""
        found = self.points
        return {
            "variant": self.variant,
            "strategies": {"pone": self.pone_name, "dealer": self.dealer_name},
            "deals": found.deals,
            "pone": found.pone,
            "dealer": found.dealer,
            "margin": found.margin,
            "pone_points": found.pone_points,
            "dealer_points": found.dealer_points,
        }

    def _repr_html_(self) -> str:
        from noddysim.engine.notebook import play_html

        return play_html(self)


def play(variant: Variant | str, pone: Given, dealer: Given) -> ExactPlay:
    """The exact points of the play of both seats, all deals of a two-player variant counted.

    Two strategies without chance: whole numbers, for hands of three or four. With chance: for hands of three, and for
    hands of four if neither looks at the starter. Best play (``optimal``) and functions of the user's own (see
    `FunctionPlayer`): for hands of three. Raises InputError for a variant whose play cannot be counted, and for what
    is no strategy.
    """
    rules = as_variant(variant)
    one, other = _strategy(pone), _strategy(dealer)
    if isinstance(one, Strategy) and isinstance(other, Strategy) and not (has_chance(one) or has_chance(other)):
        game = two_hands(rules)
        return ExactPlay(rules.name, one.name, other.name, count_without_chance(game, one, other))
    game = two_hands(rules)
    if needs_branches(game):
        pair = branching(game, one), branching(game, other)
        return ExactPlay(rules.name, pair[0].name, pair[1].name, count_branches(game, *pair))
    game = _game_with_chance(rules, one, other)
    mine, theirs = player_of(game, one), player_of(game, other)
    return ExactPlay(rules.name, mine.name, theirs.name, count_with_chance(game, mine, theirs))


def _game_with_chance(rules: Variant, *given: Strategy | Player | Callable[..., Any]) -> PegGame:
    game = two_hands(rules)
    for one in given:
        if isinstance(one, Strategy) and one.plays_by_book:
            kept_book(game, one)
    return three_each(rules)


def _strategy(given: Given) -> Strategy | Player | Callable[..., Any]:
    return parse_strategy(given) if isinstance(given, str) else given


def player_of(game: PegGame, given: Given) -> Player:
    """Whatever is given as somebody whose play can be counted. Raises InputError for what is none of these."""
    one = _strategy(given)
    if isinstance(one, Strategy):
        if one.plays_by_book and not one.levels:
            return kept_book(game, one)
        return DataPlayer(game, one)
    if hasattr(one, "book"):
        return one  # type: ignore[return-value]
    if callable(one):
        return FunctionPlayer(game, one)
    raise InputError(f"{given!r:.80} is no strategy; give an expression, a strategy or a function")


# --- the best answer --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BestResponse:
    """What a perfect opponent in a seat takes from a strategy in the other one.

    ``value`` is the opponent's margin (own points less the strategy's) in points a deal; ``gain`` is how much that is
    more than what the strategy lets best play have, at the value of the game (``value_of_game``, the pone's margin
    between best players; from the kept solution). Without a solution of the play, ``gain`` is None.
    """

    variant: str
    against: str
    seat: str
    value: float
    value_of_game: float | None

    @property
    def gain(self) -> float | None:
        """What the strategy loses by not being best play, in points a deal."""
        if self.value_of_game is None:
            return None
        return self.value - (self.value_of_game if self.seat == "pone" else -self.value_of_game)

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim exact best --json``."""
        return {
            "variant": self.variant,
            "against": self.against,
            "seat": self.seat,
            "value": self.value,
            "gain": self.gain,
            "value_of_game": self.value_of_game,
        }

    def _repr_html_(self) -> str:
        from noddysim.engine.notebook import best_html

        return best_html(self)


def best(variant: Variant | str, against: Given, seat: str) -> BestResponse:
    """The margin that a perfect player in ``seat`` gets from a strategy in the other seat, and what that one loses.

    Raises InputError for a variant that cannot be rolled out, for what is no strategy, and for another seat.
    """
    if seat not in SEATS:
        raise InputError(f"seat {seat!r}: it is pone or dealer")
    rules = as_variant(variant)
    given = _strategy(against)
    game = _game_with_chance(rules, given)
    other = player_of(game, given)
    margin = margin_of_best(game, other, SEATS[seat])
    try:
        value = certificate(solution_for(game), game).value
    except InputError:
        value = None
    return BestResponse(rules.name, other.name, seat, margin, value)


def margin_of_best(game: PegGame, other: Player, seat: int) -> float:
    """The margin in points a deal of a perfect player in a seat (0 pone, 1 dealer) against another."""
    sums = in_threads(lambda starter: best_sum(game, other.book(starter), starter, seat), range(RANK_COUNT))
    total = sum(sums) / all_deals(3)
    return total if seat == PONE else -total


def best_sum(game: PegGame, book: np.ndarray, starter: int, seat: int) -> float:
    """Pone's points less dealer's over all deals of a rank of the starter, with a perfect player in a seat."""
    from noddysim.kernels.response import best_dealer, best_pone

    found, margin, weights = rolled(int(game.rules.limit)), lines_of(game).margin, starter_weights([starter])
    size = RANK_COUNT * at.PAIRS
    if seat == PONE:
        values = values_for_pone(game, margin, weights, book)
        return float(best_pone(found, values, np.zeros((1, size)), np.zeros_like(book)))
    values = values_for_dealer(game, margin, weights, book)
    return float(best_dealer(found, values, np.zeros((RANK_COUNT, size)), np.zeros_like(book)))


# --- best play --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Solved:
    """Best play for points and its proof: the value of the game lies between ``low`` and ``high``."""

    variant: str
    solution: Solution
    bounds: solver.Bounds
    path: Path | None = None

    @property
    def value(self) -> float:
        """Pone's points less dealer's when both play the saved strategy, in points a deal."""
        return self.bounds.value

    @property
    def low(self) -> float:
        """What is left to the saved pone by a perfect dealer."""
        return self.bounds.low

    @property
    def high(self) -> float:
        """What a perfect pone gets from the saved dealer."""
        return self.bounds.high

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim solve --json``."""
        found = self.bounds
        return {
            "variant": self.variant,
            "value": found.value,
            "low": found.low,
            "high": found.high,
            "exploitability": found.exploitability,
            "steps": self.solution.steps,
            "shares": self.solution.shares,
            "checksum": self.solution.checksum,
        }

    def _repr_html_(self) -> str:
        from noddysim.engine.notebook import solved_html

        return solved_html(self)


def solve(
    variant: Variant | str = "noddy",
    *,
    again: bool = False,
    steps: int = solver.STEPS,
    progress: solver.Progress | None = None,
) -> Solved:
    """Best play of a two-player variant for points, with two bounds that prove how good the saved strategy is.

    The solution shipped or kept is read, or worked out and kept; ``again`` works it out from nothing and keeps nothing.
    Raises InputError that says why a variant cannot be solved.
    """
    rules = as_variant(variant)
    game = two_hands(rules)
    solutions.refuse_unsolvable(game)
    three_each(rules)
    if again:
        found = solutions.solve(game, steps, progress)
    else:
        try:
            found = solution_for(game)
        except InputError:
            found = solutions.solve(game, steps, progress)
            solutions.keep(found)
    return Solved(rules.name, found, certificate(found, game))


_CERTIFIED: dict[tuple[str, str], solver.Bounds] = {}


def certificate(found: Solution, game: PegGame) -> solver.Bounds:
    """The bounds of a kept solution, worked out from it as it is kept; once in a process."""
    key = found.key, found.checksum
    if key not in _CERTIFIED:
        _CERTIFIED[key] = solver.certify(game, found.book)
    return _CERTIFIED[key]


# --- values of cards --------------------------------------------------------------------------------------------------


def card_values(variant: Variant | str, position: Position, against: Given = solutions.NAME) -> tuple[CardValue, ...]:
    """What every card that may be laid is worth: the margin of the deal with perfect play from there on.

    ``against`` is how the other player plays and has played: best play, or any strategy. Values are margins of the seat
    to lay (own points less the other's over the whole play). Raises InputError for a position that cannot come up.
    """
    game = three_each(as_variant(variant))
    return values_for(game, position.seat, position.starter, against).at(position)


def card_chances(variant: Variant | str, position: Position, by: Given = solutions.NAME) -> dict[int, float]:
    """With what chance a player lays each rank at a position: best play, or any strategy."""
    game = three_each(as_variant(variant))
    return chances_at(player_of(game, by).book(position.starter), position, int(game.rules.limit))


def values_for(game: PegGame, seat: int, starter: int, against: Given = solutions.NAME) -> Values:
    """Values of all positions of a seat and a rank of the starter; a sweep, so keep it for many positions."""
    return Values(game, seat, starter, player_of(game, against))


class Reaches:
    """How two players play, by rank of the starter; of one who never looks at it the same is used again."""

    def __init__(self, game: PegGame, pone: Player, dealer: Player) -> None:
        limit = int(game.rules.limit)
        self._pone: Callable[[int], np.ndarray] = lambda starter: reach_of_pone(pone.book(starter))
        self._dealer: Callable[[int], np.ndarray] = lambda starter: reach_of_dealer(limit, dealer.book(starter))
        if pone.blind:
            own = self._pone(0)
            self._pone = lambda _: own
        if dealer.blind:
            reach = self._dealer(0)
            self._dealer = lambda _: reach

    def of(self, starter: int) -> tuple[np.ndarray, np.ndarray]:
        """To the end of every line: (169, 169) of the pone, (R, 169) of the dealer (``kernels.lines``)."""
        return self._pone(starter), self._dealer(starter)
