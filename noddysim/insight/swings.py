"""How far one deal can swing: what an honest interval reckons with where hardly anything was seen to happen.

The measure is made from the rules alone: the best card there is, the best hand and the best crib, all in one deal, and
all of them lost again when the same cards are played by another. It is no proof that nothing can be greater, since in
theory a side might lay several such cards. But in six million duplicates of Noddy for two the greatest swing was 19
points, where this reckons with 30; in half a million of cribbage 44, where it reckons with 186 and more.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from noddysim.engine.games import PegGame
from noddysim.kernels.records import TOTAL_MASK

FIRST_LENGTH: Final = 3
"""Runs and flushes begin with so many cards."""


def largest_swing(game: PegGame) -> int:
    """The most points by which a side's margin in one deal is reckoned to depend on who plays its cards.

    A margin is the side's points less the mean of the others', so it lies between plus and minus what a side makes, and
    two margins differ by at most twice that. What the turned card brings does not depend on who plays; nor does the
    show where nobody parts with a card.
    """
    rules = game.rules
    most = most_for_a_card(game)
    if rules.discard or rules.mog:
        seats = game.players // game.sides
        most += seats * (_most_in_hand(game) + _most_by_mogging(game)) + _most_in_crib(game)
    return 2 * most


def most_for_a_card(game: PegGame) -> int:
    """A bound on what one card can score as it is laid, with the point for the last card."""
    rules = game.rules
    cards = game.players * int(rules.hand)
    by_count = int(((rules.play_flat & TOTAL_MASK) + cards * (rules.play_each & TOTAL_MASK)).max())
    # The last two cards are of one rank or they are not: no card makes a pair and a run at once.
    pair = int((rules.play_same & TOTAL_MASK).max())
    run = _longest(rules.play_run & TOTAL_MASK, cards)
    flush = _longest(rules.play_flush & TOTAL_MASK, cards) if rules.flushes else 0
    return by_count + max(pair, run) + flush + int(rules.last) + int(rules.limit_extra)


def _longest(points: npt.NDArray[np.int64], cards: int) -> int:
    """The most by length, up to so many cards."""
    return int(points[FIRST_LENGTH : cards + 1].max(initial=0))


def _most_in_hand(game: PegGame) -> int:
    """A bound on a hand in the show: what its ranks make at best, and all that suits can add."""
    rules = game.rules
    honours = int(rules.hand) * int(rules.honour.max())
    colours = int(rules.colour_points.max()) if rules.colours else 0
    return _most_by_ranks(game) + _most_by_flush(game, int(rules.hand)) + int(rules.nob) + honours + colours


def _most_in_crib(game: PegGame) -> int:
    rules = game.rules
    if not rules.crib:
        return 0
    return _most_by_ranks(game) + _most_by_flush(game, int(rules.crib)) + int(rules.nob)


def _most_by_ranks(game: PegGame) -> int:
    """The greatest entry of the table of shows, which holds every set of ranks."""
    return int((game.shows.points & TOTAL_MASK).max())


def _most_by_flush(game: PegGame, cards: int) -> int:
    """All cards of one suit and the starter too."""
    return int(game.rules.flush_points[: cards + 2].max()) + 1


def _most_by_mogging(game: PegGame) -> int:
    rules = game.rules
    return int(rules.mog_refusal) + int(rules.honour.max()) if rules.mog else 0
