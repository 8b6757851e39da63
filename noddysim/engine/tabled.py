"""Tables of the play: where ranks alone decide what is laid, it is looked up instead of played.

That is so for two hands of three, where ranks alone count in the play and no strategy leaves anything to chance. A
table costs as much as playing some ten thousand deals, so it is made for long runs only. What is counted is the same.
"""

from __future__ import annotations

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
from noddysim.kernels.lanes import CLASSES, HANDS, NOB, SUITED, WHOLE
from noddysim.kernels.lookup import Plays, Shows
from noddysim.kernels.tabled import MOST_FIRST, MOST_LAST, NO_CODE

T = TypeVar("T")

DUELS_WORTH_IT: Final = 400_000
"""Duplicates from which on tables pay."""
DEALS_WORTH_IT: Final = 50_000
GAMES_WORTH_IT: Final = 8_192
"""Deals and games from which on a table pays, if nobody looks at the starter."""
KEPT: Final = 6
"""Plays of two strategies that are kept: at most 6 MB each."""
MOST_RESULTS: Final = 1 << 16


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
    """Whether nothing is awarded but heels, play and shows, those by ranks, flush and nob, and one turned card."""
    rules = game.rules
    ranks = [int(rank) for rank in rules.turned_rank[: rules.turned]]
    extras = rules.crib or rules.three_for_last or rules.honours or rules.colours
    return not (extras or len(set(ranks)) < len(ranks))


# --- the play of two strategies ---------------------------------------------------------------------------------------


_PLAYS: dict[str, Plays] = {}
_CODES: dict[str, tuple[np.ndarray, np.ndarray]] = {}


def plays_of(game: PegGame, pone: Strategy, dealer: Strategy) -> Plays:
    """The play of two strategies with every two hands, by starter if anyone looks at it; kept for a while."""
    return _kept(_PLAYS, _key(game, pone, dealer), lambda: _fill_play(game, pone, dealer))


def codes_of(game: PegGame, one: Strategy, other: Strategy) -> tuple[np.ndarray, np.ndarray]:
    """The numbers and codes of the play with person one as pone, then, if they differ, with the other as pone."""
    orders = [(one, other)] if identity(one) == identity(other) else [(one, other), (other, one)]

    def every() -> tuple[np.ndarray, np.ndarray]:
        tables = [plays_of(game, *seats) for seats in orders]
        return _numbered(np.stack([plays.code[plays.number] for plays in tables]))

    return _kept(_CODES, _key(game, one, other), every)


def _numbered(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of the different values, int64, stands at each place, uint16; and these values.

    Raises OverflowError for more than 65,536 different ones; some hundreds occur.
    """
    different = np.unique(values)
    if len(different) > MOST_RESULTS:
        raise OverflowError(f"{len(different)} different results of a play; at most {MOST_RESULTS}")
    return np.searchsorted(different, values).astype(np.uint16), different


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


def _fill_play(game: PegGame, pone: Strategy, dealer: Strategy) -> Plays:
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
    return _numbered_plays(codes.reshape(-1), gains.reshape(-1, 2))


def _numbered_plays(codes: np.ndarray, gains: np.ndarray) -> Plays:
    """Plays as numbers of the different ones: the same cards' points by kind and in the same order."""
    code, codes = _numbered(codes)
    result, points = _numbered(gains)
    bits = MOST_RESULTS.bit_length() - 1
    same = (code.astype(np.int64) << 2 * bits) | (result[:, 0].astype(np.int64) << bits) | result[:, 1]
    number, different = _numbered(same)
    results = np.stack([different >> bits, different], axis=1) & (MOST_RESULTS - 1)
    return Plays(number, codes[different >> 2 * bits], results.astype(np.uint16), points)


@dataclass(frozen=True)
class Known:
    """What is known of every deal of a game, whoever plays."""

    turned: np.ndarray
    """int64 (13, 2): points of pone and dealer for the turned card; at most one of them has any."""
    shows: tuple[Shows, Shows]
    """The results of pone and of dealer."""
    total: np.ndarray
    """uint16 (PLACES,): all points of the show at every place."""


_KNOWN: dict[str, Known] = {}
SUITED_HANDS: Final = {
    0: (0, 5, 10, 15),
    NOB: (41, 4, 10, 13),
    SUITED: (0, 4, 12, 17),
    NOB | SUITED | WHOLE: (40, 0, 4, 16),
    SUITED | WHOLE: (0, 4, 12, 16),
}
"""Three cards and a starter of each class of suits (``kernels.lanes``); those of the other classes cannot be dealt."""


def known_of(game: PegGame) -> Known:
    """What is known of every deal of a game."""
    if game.text not in _KNOWN:
        turned = np.stack([heels_points(game, starter) for starter in range(RANK_COUNT)])
        packed = _packed_shows(game)
        _KNOWN[game.text] = Known(
            turned,
            (_shows_of(packed, turned[:, 0]), _shows_of(packed, turned[:, 1])),
            (packed & rec.TOTAL_MASK).astype(np.uint16).reshape(-1),
        )
    return _KNOWN[game.text]


def _packed_shows(game: PegGame) -> np.ndarray:
    """The packed points of the show of every hand with every starter and class of suits: int64 (455, 13, CLASSES)."""
    from noddysim.kernels.tabled import fill_shows

    base = np.zeros((HANDS, RANK_COUNT), np.int64)
    suits = np.zeros(len(SUITED_HANDS), np.int64)
    fill_shows(game.rules, game.shows, hands_of(3), np.array(list(SUITED_HANDS.values())), base, suits)
    packed = np.repeat(base[:, :, None], CLASSES, axis=2)
    packed[:, :, list(SUITED_HANDS)] += suits
    return packed


def _shows_of(packed: np.ndarray, turned: np.ndarray) -> Shows:
    """The results of a seat that has so many points for the turned card, int64 (13,)."""
    show, shows = _numbered(packed)
    most = int(turned.max()) + 1
    number, different = _numbered(show * np.int64(most) + turned[:, None])
    return Shows(number.reshape(-1), shows[different // most], different % most)


# --- deals and games --------------------------------------------------------------------------------------------------


def count_deals(
    game: PegGame, seats: Sequence[Strategy], table: Any, numbers: tuple[int, int, int], by_source: np.ndarray
) -> int:
    """Count deals into the histograms of ``noddy.count_deals`` by table; how many values had no room there.

    numbers : a seed, and the deals ``start … stop - 1``; by_source : int64 (2, len(SOURCES), W), added to
    """
    from noddysim.kernels.lookup import count_known, spread_known
    from noddysim.kernels.noddy import count_nothing

    seed, start, stop = numbers
    plays, shows = plays_of(game, *seats), known_of(game).shows
    # Narrow, so that more of them stay close to the processor; a chunk is far too small to fill them.
    met = [np.zeros((len(plays.points), len(one.points)), np.uint32) for one in shows]
    count_known(plays, *shows, table, np.uint64(seed), start, stop, *(counts.reshape(-1) for counts in met))
    lost = np.zeros(1, np.int64)
    for seat in range(2):
        spread_known(plays, shows[seat], seat, met[seat], by_source, lost)
    count_nothing(game.rules, by_source, 2, stop - start)
    return int(lost[0])


def record_games(
    game: PegGame, persons: Sequence[Strategy], table: Any, numbers: tuple[int, int, int], rows: np.ndarray
) -> int | None:
    """Fill the rows of games between two persons by table; how many of them nobody wins.

    None, and nothing filled, where the codes do not hold their points: hardly any rules pay so much for a card.
    numbers : a seed, and the games ``start … stop - 1``; rows : int64 (stop - start, len(FIELDS))
    """
    from noddysim.kernels.lookup_games import MOST_SCORE, KnownDeals, record_games_known

    seed, start, stop = numbers
    number, code = codes_of(game, persons[0], persons[1])
    found = known_of(game)
    most = game.rules.target + max(int(found.total.max()), int(found.turned.max()), MOST_FIRST + MOST_LAST)
    if (code == NO_CODE).any() or most > MOST_SCORE:
        return None
    turned = np.stack([found.turned.sum(axis=1), found.turned[:, 1] > 0])
    known = KnownDeals(number, code, found.total, turned)
    return int(record_games_known(game.rules, known, table, np.uint64(seed), start, stop, rows))


# --- duplicates -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DuelTables:
    """Duplicates by the hands of pone and dealer: int16 and uint8 (K, 2, 455, 455), as of ``kernels.tabled``."""

    values: np.ndarray
    changed: np.ndarray

    def moments(self, arm: int, dealt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Sums over the duplicates of an arm, int64 (8,), and by side, (3, 2): see ``kernels.moments``."""
        from noddysim.kernels.moments import add_duplicates

        moments, seats = np.zeros(8, np.int64), np.zeros((3, 2), np.int64)
        add_duplicates(self.values[arm].reshape(2, -1), self.changed[arm].reshape(2, -1), dealt, moments, seats)
        return moments, seats

    def scale(self, arms: Sequence[int], dealt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Sums of the values of three arms, int64 (3,), and of their products, (3, 3)."""
        from noddysim.kernels.moments import add_scale

        sums, products = np.zeros(3, np.int64), np.zeros((3, 3), np.int64)
        add_scale(self.values[list(arms)].reshape(3, 2, -1), dealt, sums, products)
        return sums, products


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


def pairs_dealt(table: Any, seed: int, start: int, stop: int) -> np.ndarray:
    """How often the deals ``start … stop - 1`` bring each two hands of pone and dealer: uint32 (455 * 455,).

    Narrow numbers, so that more of them stay close to the processor; a chunk is far too small to fill them.
    """
    from noddysim.kernels.lookup import count_pairs

    counts = np.zeros(HANDS**2, np.uint32)
    count_pairs(table, np.uint64(seed), start, stop, counts)
    return counts
