"""What each line of play brings in chances to win, for players who need so many points: the payoff of the end game.

The awards of a line come card by card, so it is known who reaches his need first in the play. Where nobody does, the
hands are shown, the pone's first; what they bring depends on the ranks of both hands and the starter, and on suits,
which are counted over all their ways. What then is left is a later state of the game, whose chances are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from noddysim.engine.exactgame import suits_with
from noddysim.engine.games import PegGame
from noddysim.engine.rolled import RANK_COUNT, first_places, hands_of, heels_points, lanes, lines_of
from noddysim.kernels import lines as at

CARDS: Final = 6
KEPT_ENDS: Final = 4


@dataclass(frozen=True)
class Shows:
    """The shows of every two hands with one rank of the starter: how likely which points are for both.

    ``which`` : int64 (455, 455), the row of two hands; ``chances`` : float64 (rows, S, S), by points of pone and
    dealer, S - 1 standing for that and more; ``deals`` : int64 (455, 455), ways to deal them.
    """

    which: np.ndarray
    chances: np.ndarray
    deals: np.ndarray


def shows_with(game: PegGame, starter: int, most: int) -> Shows:
    """The shows with a rank of the starter, points from ``most`` on counted as ``most``."""
    return _shows(game, starter, most, None)[0]


def shows_by_own_suits(game: PegGame, starter: int, most: int, seat: int) -> list[Shows]:
    """The shows parted by what suits bring a seat's own hand (0 pone, 1 dealer): one for each amount that occurs."""
    return _shows(game, starter, most, seat)


def _shows(game: PegGame, starter: int, most: int, seat: int | None) -> list[Shows]:
    from noddysim.kernels.race import fill_base

    base = np.zeros(len(hands_of(3)), np.int64)
    fill_base(game.rules, game.shows, hands_of(3), starter, base)
    suits = suits_with(game, starter)
    held = suits.which >= 0
    mine, theirs = np.nonzero(held)
    codes = (suits.which[held] * 64 + base[mine]) * 64 + base[theirs]
    different, rows = np.unique(codes, return_inverse=True)
    own = np.zeros(len(suits.number), np.int64) if seat is None else (suits.own, suits.other)[seat]
    pattern, first, second = different // 4096, different // 64 % 64, different % 64
    # Every row beside every way of its pattern to give suits.
    number = np.diff(suits.start)[pattern]
    row = np.repeat(np.arange(len(different)), number)
    entry = (
        np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number) + np.repeat(suits.start[pattern], number)
    )
    points = np.minimum(first[row] + suits.own[entry], most), np.minimum(second[row] + suits.other[entry], most)
    place = (row * (most + 1) + points[0]) * (most + 1) + points[1]
    shape = len(different), most + 1, most + 1
    of_pattern = np.repeat(np.arange(len(suits.ways)), np.diff(suits.start))
    which = np.zeros(held.shape, np.int64)
    which[held] = rows
    found = []
    for amount in np.unique(own):
        counted = np.where(own == amount, suits.number, 0.0)
        ways = np.bincount(of_pattern, counted, len(suits.ways))
        chances = np.bincount(place, counted[entry], int(np.prod(shape))).reshape(shape)
        chances = chances / np.maximum(ways, 1.0)[pattern][:, None, None]
        deals = np.zeros(held.shape, np.int64)
        deals[held] = np.rint(ways[suits.which[held]]).astype(np.int64)
        found.append(Shows(which, chances, deals))
    return found


class LinePoints:
    """Points of both seats along every line, card by card: int8 (6, lines), what each has made after so many cards."""

    def __init__(self, game: PegGame) -> None:
        events = lines_of(game).events.reshape(-1)
        self.made = np.zeros((2, CARDS, events.size), np.int8)
        self._ends: dict[tuple[int, int], np.ndarray] = {}
        for card in range(CARDS):
            event = (events >> (8 * card) & 255).astype(np.uint8)
            points = (event & 127).astype(np.int8)
            for seat in range(2):
                before = self.made[seat, card - 1] if card else 0
                self.made[seat, card] = before + np.where(event >> 7 == seat, points, 0)

    def ends(self, pone: int, dealer: int) -> np.ndarray:
        """How each line ends for players who need that much, int32: pone's points times dealer's need plus dealer's.

        Where the pone wins in the play, the number after the last of these; where the dealer does, the one after that.
        """
        key = pone, dealer
        found = self._ends.get(key)
        if found is None:
            found = self._work_out(pone, dealer)
            # A state asks for the same again with every starter, save where the turned card has paid somebody.
            if len(self._ends) >= KEPT_ENDS:
                self._ends.clear()
            self._ends[key] = found
        return found

    def _work_out(self, pone: int, dealer: int) -> np.ndarray:
        first, second = ((self.made[seat] < need).sum(axis=0) for seat, need in ((0, pone), (1, dealer)))
        last = self.made[:, -1].astype(np.int32)
        still = last[0] * dealer + last[1]
        won = np.where(first < second, pone * dealer, np.where(second < first, pone * dealer + 1, still))
        return won.astype(np.int32)


def after_deal(needs: tuple[int, int], chances: np.ndarray) -> np.ndarray:
    """The pone's chance to win by what both have made in the deal, the pone's points first: (pone + 1, dealer + 1).

    chances : float64, the pone's chance at the start of a deal by what pone and dealer need then; the seats change
    """
    pone, dealer = needs
    out = np.ones((pone + 1, dealer + 1))
    # His own show comes first, so the pone's need is looked at first.
    out[:pone, dealer] = 0.0
    out[:pone, :dealer] = 1.0 - chances[1 : dealer + 1, 1 : pone + 1][::-1, ::-1].T
    return out


_PLACES: list[np.ndarray] = []


def _hand_pairs() -> np.ndarray:
    """The two hands of every line, int32 (lines,): pone's times 455 plus dealer's."""
    if not _PLACES:
        hand_of = first_places()[0]
        pair = np.concatenate([np.arange(at.DIFFERENT), np.arange(at.PAIRS)])
        hands = hand_of[:, pair]
        assert hands.shape == (RANK_COUNT, len(lanes()))
        both = hands[:, None, :, None] * at.SETS + hands[None, :, None, :]
        _PLACES.append(both.astype(np.int32).reshape(-1))
    return _PLACES[0]


def payoff(
    game: PegGame, points: LinePoints, needs: tuple[int, int], starter: int, shows: Shows, chances: np.ndarray
) -> np.ndarray:
    """The pone's chance to win by line, float32 (28561, 169), for a rank of the starter."""
    heels = heels_points(game, starter)
    pone, dealer = needs[0] - int(heels[0]), needs[1] - int(heels[1])
    shape = RANK_COUNT**4, at.LANES
    if pone <= 0 or dealer <= 0:
        return np.full(shape, 1.0 if pone <= 0 else 0.0, np.float32)
    # As needs have shrunk by the turned card, what is made from here on is looked at.
    left = after_deal(needs, chances)[int(heels[0]) :, int(heels[1]) :]
    most = shows.chances.shape[1]
    made = [np.minimum(np.arange(most)[:, None] + np.arange(need), need) for need in (pone, dealer)]
    table = left[made[0][:, None, :, None], made[1][None, :, None, :]].reshape(most * most, pone * dealer)
    by_end = np.ones((len(shows.chances), pone * dealer + 2), np.float32)
    by_end[:, :-2] = shows.chances.reshape(len(shows.chances), -1) @ table
    by_end[:, -1] = 0.0
    rows = shows.which.reshape(-1)[_hand_pairs()]
    lines: np.ndarray = by_end.reshape(-1)[rows * by_end.shape[1] + points.ends(pone, dealer)]
    return lines.reshape(shape)
