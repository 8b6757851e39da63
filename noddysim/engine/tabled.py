"""Tables of the play: where ranks alone decide what is laid, it is looked up instead of played.

That is so for two hands of three, where ranks alone count in the play and no strategy leaves anything to chance. A
table costs as much as playing some ten thousand deals, so it is made for long runs only. What is counted is the same.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np

from noddysim.engine.books import has_chance, is_blind
from noddysim.engine.games import PegGame
from noddysim.engine.minds import minds_of
from noddysim.engine.rolled import RANK_COUNT, hands_of, heels_points, in_threads
from noddysim.game.strategy_data import Strategy, identity
from noddysim.kernels import records as rec
from noddysim.kernels.tabled import NO_CODE, Known

T = TypeVar("T")

DUELS_WORTH_IT: Final = 400_000
"""Duplicates from which on tables pay."""
DEALS_WORTH_IT: Final = 50_000
GAMES_WORTH_IT: Final = 8_192
"""Deals and games from which on a table pays, if nobody looks at the starter."""
KEPT: Final = 6
"""Plays of two strategies that are kept: at most 65 MB each."""


def applies(game: PegGame, strategies: Sequence[Strategy]) -> bool:
    """Whether two hands and the starter's rank decide what all these strategies make of a deal."""
    rules = game.rules
    plain = game.players == 2 and rules.hand == 3 and not (rules.discard or rules.mog or rules.flushes)
    return bool(plain) and not any(has_chance(one) for one in strategies)


def hands_decide(game: PegGame, strategies: Sequence[Strategy]) -> bool:
    """Whether two hands alone do: nobody looks at the starter."""
    return applies(game, strategies) and all(is_blind(one) for one in strategies)


def wants_table(game: PegGame, strategies: Sequence[Strategy], amount: int, worth: int) -> bool:
    """Whether deals or games of such a run are to be looked up; ``worth`` is the amount from which on that pays."""
    enough = worth if all(is_blind(one) for one in strategies) else RANK_COUNT * worth
    return amount >= enough and applies(game, strategies) and _awards_are_plain(game)


def _awards_are_plain(game: PegGame) -> bool:
    """Whether nothing is awarded but heels, play and shows, one award at a time for a turned card."""
    rules = game.rules
    ranks = [int(rank) for rank in rules.turned_rank[: rules.turned]]
    return not (rules.crib or rules.three_for_last or len(set(ranks)) < len(ranks))


# --- the play of two strategies ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlayTable:
    """The play of every two hands: codes, int64 (1 or 13, 455, 455), and points, int64 (1 or 13, 455, 455, 2)."""

    codes: np.ndarray
    gains: np.ndarray


_TABLES: dict[str, PlayTable] = {}
_CODES: dict[str, np.ndarray | None] = {}


def play_table(game: PegGame, pone: Strategy, dealer: Strategy) -> PlayTable:
    """The play of two strategies, made once for rules and strategies and kept for a while."""
    return _kept(_TABLES, _key(game, pone, dealer), lambda: _fill_play(game, pone, dealer))


def game_codes(game: PegGame, one: Strategy, other: Strategy) -> np.ndarray | None:
    """The codes of both persons as pone, int64 (2, 1 or 13, 455, 455), kept likewise.

    None where the codes do not hold all points: hardly any rules pay so much for a card.
    """

    def both() -> np.ndarray | None:
        codes = np.stack([play_table(game, one, other).codes, play_table(game, other, one).codes])
        return None if (codes == NO_CODE).any() else codes

    return _kept(_CODES, _key(game, one, other), both)


def _key(game: PegGame, one: Strategy, other: Strategy) -> str:
    return json.dumps([game.text, identity(one), identity(other)], sort_keys=True)


def _kept(kept: dict[str, T], key: str, make: Callable[[], T]) -> T:
    """What is kept under a key, or made now; the oldest makes room. Two threads may make the same, and no harm done."""
    try:
        return kept[key]
    except KeyError:  # never made, or pushed out by another thread
        found = kept[key] = make()
    while len(kept) > KEPT:
        kept.pop(next(iter(kept)), None)
    return found


def _fill_play(game: PegGame, pone: Strategy, dealer: Strategy) -> PlayTable:
    from noddysim.kernels.tabled import fill_play

    minds, hands = minds_of(game, (pone, dealer)), hands_of(3)
    starters = 1 if is_blind(pone) and is_blind(dealer) else RANK_COUNT
    codes = np.zeros((starters, len(hands), len(hands)), np.int64)
    gains = np.zeros((*codes.shape, 2), np.int64)
    who = np.arange(2)

    def fill(part: int) -> None:
        starter, piece = divmod(part, RANK_COUNT)
        first, last = (len(hands) * place // RANK_COUNT for place in (piece, piece + 1))
        fill_play(
            game.rules, minds, who, rec.new_table(), starter, hands, first, last, codes[starter], gains[starter]
        )  # fmt: skip

    in_threads(fill, range(starters * RANK_COUNT))
    return PlayTable(codes, gains)


_KNOWN: dict[str, Known] = {}


def known_of(game: PegGame) -> Known:
    """What is known of every deal of a game."""
    if game.text not in _KNOWN:
        from noddysim.kernels.tabled import fill_shown

        base = np.zeros((len(hands_of(3)), RANK_COUNT), np.int64)
        fill_shown(game.shows, hands_of(3), base)
        turned = np.stack([heels_points(game, starter) for starter in range(RANK_COUNT)])
        _KNOWN[game.text] = Known(number_of(), turned, base)
    return _KNOWN[game.text]


@functools.cache
def number_of() -> np.ndarray:
    """The number of the hand of three ranks in any order, int16 (2197,)."""
    first, second, third = np.indices((RANK_COUNT,) * 3).reshape(3, -1)
    ordered = np.sort(np.stack([first, second, third], axis=1), axis=1)
    numbers = {tuple(ranks): number for number, ranks in enumerate(hands_of(3).tolist())}
    return np.array([numbers[tuple(ranks)] for ranks in ordered.tolist()], np.int16)


# --- duplicates -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DuelTables:
    """Duplicates by the hands of pone and dealer: int16 and uint8 (K, 2, 455, 455), as of ``kernels.tabled``."""

    values: np.ndarray
    changed: np.ndarray


def duel_tables(game: PegGame, arms: Sequence[Strategy], baseline: Strategy, opponent: Strategy) -> DuelTables:
    """The tables of some arms beside a baseline against an opponent; ``hands_decide`` must hold for all."""
    from noddysim.kernels.tabled import fill_duel

    minds = minds_of(game, (opponent, baseline, *arms))
    hands = hands_of(3)
    values = np.zeros((len(arms), 2, len(hands), len(hands)), np.int16)
    changed = np.zeros(values.shape, np.uint8)

    def fill(number: int) -> None:
        arm, side = divmod(number, 2)
        fill_duel(game.rules, minds, rec.new_table(), hands, side, 2 + arm, values[arm, side], changed[arm, side])

    in_threads(fill, range(2 * len(arms)))
    return DuelTables(values, changed)


def pairs_dealt(game: PegGame, table: Any, seed: int, start: int, stop: int) -> np.ndarray:
    """How often the deals ``start … stop - 1`` bring each two hands of pone and dealer: int64 (455 * 455,)."""
    from noddysim.kernels.tabled import count_pairs

    # Narrow, so that more of them stay close to the processor; a chunk is far too small to fill them.
    counts = np.zeros(len(hands_of(3)) ** 2, np.uint32)
    count_pairs(known_of(game), table, np.uint64(seed), start, stop, counts)
    return counts.astype(np.int64)
