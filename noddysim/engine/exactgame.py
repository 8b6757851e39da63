"""The exact chance that the first dealer wins a game, for two fixed strategies and for every score.

Points come in their order: the turned card, the play card by card, the hands in turn. Suits in the show are counted
over all their ways (``kernels.race``). From the chances that a deal ends the game, and from the points of deals that
do not, chances are worked out from the end of the game to its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noddysim.engine.books import DataPlayer, Player
from noddysim.engine.exactplay import Given, Reaches, player_of
from noddysim.engine.games import PegGame, show_game
from noddysim.engine.rolled import (
    RANK_COUNT,
    SUITS,
    all_deals,
    deals_of,
    hands_of,
    heels_points,
    in_threads,
    lines_of,
    rolled,
    three_each,
)
from noddysim.engine.scoring import as_variant
from noddysim.engine.solution import Solution
from noddysim.game.cards import rank_from_text
from noddysim.game.errors import InputError
from noddysim.game.rules import Variant
from noddysim.kernels.race import Suits

MOST_POINTS: Final = 256
"""More than anybody makes in a deal."""
JACK: Final = rank_from_text("J")


@dataclass(frozen=True)
class ExactGame:
    """Exact chances of the first dealer to win a game.

    ``chances[k, i, j]``: he wins when his opponent has i points and he has j at the start of a deal; k = 0: he deals
    it, k = 1: his opponent does.
    """

    variant: str
    pone_name: str
    dealer_name: str
    target: int
    start: tuple[int, int]
    chances: np.ndarray

    @property
    def first_dealer_wins(self) -> float:
        """The chance at the start of the game."""
        opponent, dealer = self.start
        return float(self.chances[0, opponent, dealer])

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim exact game --json``."""
        return {
            "variant": self.variant,
            "strategies": {"pone": self.pone_name, "dealer": self.dealer_name},
            "target": self.target,
            "first_dealer_wins": self.first_dealer_wins,
        }

    def rows(self) -> list[tuple[int, int, float, float]]:
        """The table by score: opponent's points, first dealer's points, his chance if he deals, and if he does not."""
        top = range(self.target)
        return [(i, j, float(self.chances[0, i, j]), float(self.chances[1, i, j])) for i in top for j in top]

    def to_csv(self) -> str:
        """The table by score, one row a score."""
        head = "opponent,first_dealer,wins_if_dealing,wins_if_not_dealing"
        lines = [f"{i},{j},{one!r},{other!r}" for i, j, one, other in self.rows()]
        return "\n".join([head, *lines, ""])

    def _repr_html_(self) -> str:
        from noddysim.engine.notebook import game_html

        return game_html(self)


def game(variant: Variant | str, pone: Given, dealer: Given) -> ExactGame:
    """The exact chance that the first dealer wins a game to the target, by score.

    dealer : the strategy of the first dealer; pone : that of his opponent. The deal alternates. Raises InputError for a
    variant whose games cannot be counted, and for what is no strategy.
    """
    rules = as_variant(variant)
    counted = three_each(rules)
    refuse_other_games(rules)
    opponent, first = player_of(counted, pone), player_of(counted, dealer)
    target = rules.rules.target
    with_shows = show_game(rules, 2)
    seated = (opponent, first), (first, opponent)
    # Where both play alike, both deals are one.
    alike = pone is dealer or (isinstance(pone, str) and pone == dealer)
    found = [kept_ends(with_shows, *pair, target) for pair in seated[: 1 if alike else 2]]
    found = [found[0], found[-1]]
    won, totals = (np.stack([one[part] for one in found]) for part in range(2))
    most = int(np.flatnonzero(totals.sum(axis=(0, 1)) + totals.sum(axis=(0, 2))).max()) + 1
    totals = np.ascontiguousarray(totals[:, :most, :most])
    from noddysim.kernels.race import race

    chances = np.zeros((2, target + 1, target + 1))
    race(won, totals, chances)
    # By points made instead of points needed: nobody has reached the target yet.
    by_points = np.ascontiguousarray(chances[:, :0:-1, :0:-1])
    head = counted.rules.head_start
    return ExactGame(rules.name, opponent.name, first.name, target, (int(head[0]), int(head[1])), by_points)


def refuse_other_games(variant: Variant) -> None:
    """Raise InputError for a variant in which the deal does not alternate, or points are given before it."""
    rules = variant.pegging
    if rules.next_dealer not in ("left", "right"):
        raise InputError(f"{variant.name}: its games cannot be counted: the deal does not alternate")
    if rules.three_for_last != "off":
        raise InputError(f"{variant.name}: its games cannot be counted: points are given before a deal")


_ENDS: dict[tuple[object, ...], tuple[np.ndarray, np.ndarray]] = {}
"""What deals can do between players that are data, by rules, players and target: each takes a second or two, and with
one strategy in both seats, or another question about the same game, it is asked for again."""
MOST_ENDS: Final = 64


def kept_ends(counted: PegGame, pone: Player, dealer: Player, target: int) -> tuple[np.ndarray, np.ndarray]:
    """As ``ends_of_deals``; kept, the oldest making room, unless a player is a function, which may change its mind."""
    known = _known_by(pone), _known_by(dealer)
    if None in known:
        return ends_of_deals(counted, pone, dealer, target)
    key = counted.text, *known, target
    found = _ENDS.get(key)
    if found is None:
        found = ends_of_deals(counted, pone, dealer, target)
        if len(_ENDS) >= MOST_ENDS:
            _ENDS.pop(next(iter(_ENDS)), None)
        _ENDS[key] = found
    return found


def _known_by(player: Player) -> object:
    """What decides all cards of a player, to be compared by; None where nothing does."""
    if isinstance(player, DataPlayer):
        return player.strategy
    return player.checksum if isinstance(player, Solution) else None


def ends_of_deals(counted: PegGame, pone: Player, dealer: Player, target: int) -> tuple[np.ndarray, np.ndarray]:
    """What one deal can do: shares in which pone or dealer wins it by needs (2, T + 1, T + 1), and points else (P, P).

    The points are those of all deals; a deal counts as undecided only where both needs are greater.
    """
    reach = Reaches(counted, pone, dealer)
    parts = in_threads(lambda starter: _walk_starter(counted, reach.of(starter), starter, target), range(RANK_COUNT))
    won, totals = (np.sum([part[place] for part in parts], axis=0) / all_deals(3) for place in range(2))
    won = np.cumsum(np.cumsum(won, axis=1), axis=2)[:, : target + 1, : target + 1]
    return won, totals


FIRST_ROOM: Final = 2048
"""Codes for which there is room at first: under the rules of Noddy 1,127 occur."""


def _walk_starter(
    counted: PegGame, reach: tuple[np.ndarray, np.ndarray], starter: int, target: int
) -> tuple[np.ndarray, np.ndarray]:
    from noddysim.kernels.race import Met, award_met, fill_base, walk

    rules = counted.rules
    base = np.zeros(len(hands_of(3)), np.int64)
    fill_base(rules, counted.shows, hands_of(3), starter, base)
    suits, lines = suits_with(counted, starter), lines_of(counted)
    shown = int(base.max() + max(suits.own.max(), suits.other.max())) + 1
    room, known = FIRST_ROOM, -1
    while known < 0:
        met = Met(np.zeros(4 * room, np.int64), np.zeros(room, np.int64), np.zeros((room, shown, shown)))
        known = walk(rolled(int(rules.limit)), lines.events, *reach, base, suits, met)
        room *= 2
    won = np.zeros((2, target + 2, target + 2))
    totals = np.zeros((MOST_POINTS, MOST_POINTS))
    award_met(met, known, np.array(rules.order), heels_points(counted, starter), won, totals)
    return won, totals


_SUITS: dict[tuple[str, int], Suits] = {}
_WAYS: dict[tuple[str, int], np.ndarray] = {}
"""Ways to give suits, int64 (E, E), by rules and pattern: patterns come again with other starters."""


def suits_with(counted: PegGame, starter: int) -> Suits:
    """What suits add; kept, since every game of two strategies asks for it twice."""
    key = counted.text, starter
    if key not in _SUITS:
        _SUITS[key] = _count_suits(counted, starter)
    return _SUITS[key]


def _count_suits(counted: PegGame, starter: int) -> Suits:
    from noddysim.kernels.race import patterns

    hands, deals = hands_of(3), deals_of(3, starter)
    codes = np.zeros(deals.shape, np.int64)
    patterns(hands, starter, _special(counted), codes)
    held = deals > 0
    different = np.unique(codes[held])
    which = np.searchsorted(different, codes[held])
    first = np.zeros(len(different), np.int64)
    first[which[::-1]] = np.arange(len(which))[::-1]
    places = np.argwhere(held)[first]
    ways = np.stack(
        [_ways(counted, int(code), place, starter) for code, place in zip(different, places.tolist(), strict=True)]
    )
    for number, (one, other) in enumerate(places.tolist()):
        if ways[number].sum() != SUITS * deals[one, other]:
            raise RuntimeError(f"{ways[number].sum()} ways to give suits, not {SUITS * deals[one, other]}")
    numbers = np.full(deals.shape, -1, np.int64)
    numbers[held] = which
    pattern, own, other = np.nonzero(ways)
    start = np.searchsorted(pattern, np.arange(len(ways) + 1))
    return Suits(
        numbers,
        ways.sum(axis=(1, 2)).astype(np.float64),
        start,
        own,
        other,
        ways[pattern, own, other].astype(np.float64),
    )


def _ways(counted: PegGame, code: int, place: Sequence[int], starter: int) -> np.ndarray:
    """The ways of one pattern, worked out for the two hands at a place."""
    from noddysim.kernels.race import MOST_EXTRA, suits_of

    key = counted.text, code
    if key not in _WAYS:
        hands = hands_of(3)
        joint = np.zeros((MOST_EXTRA, MOST_EXTRA), np.int64)
        most = suits_of(counted.rules, counted.shows, hands[place[0]], hands[place[1]], starter, joint)
        if most >= MOST_EXTRA:
            raise OverflowError("these rules give more points for suits than can be counted")
        _WAYS[key] = joint
    return _WAYS[key]


def _special(counted: PegGame) -> np.ndarray:
    """What marks a rank for which suits may count in the show, int64 (13,): jacks, ranks that score for themselves."""
    honour = np.asarray(counted.rules.honour)
    marks: dict[tuple[int, ...], int] = {}
    out = np.zeros(RANK_COUNT, np.int64)
    for rank in range(RANK_COUNT):
        kind = (int(rank == JACK), *(int(points) for points in honour[rank]))
        out[rank] = marks.setdefault(kind, len(marks))
    return out
