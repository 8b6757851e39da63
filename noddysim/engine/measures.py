"""What can be counted of a pegging game: deals, leads, duels, games. Each measure is plain data with ``count``."""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from noddysim.engine.games import BEHAVIOUR, PHASES, PegGame, deal_alternates
from noddysim.engine.lineups import Lineup, Pairs
from noddysim.engine.minds import book_of, minds_of
from noddysim.engine.tabled import (
    DEALS_WORTH_IT,
    DUELS_WORTH_IT,
    GAMES_WORTH_IT,
    DuelTables,
    duel_tables,
    game_codes,
    hands_decide,
    known_of,
    pairs_dealt,
    play_table,
    wants_table,
)
from noddysim.engine.tally import Tally, by_prefix, joined, sliced
from noddysim.game.strategy_data import Strategy, identity
from noddysim.kernels import duels, noddy, records
from noddysim.kernels.noddy import FIELDS, SOURCES

SOURCE_NAMES: tuple[str, ...] = SOURCES
GAME_FIELDS: tuple[str, ...] = FIELDS
LEAD_COLUMNS = ("fifteen", "thirtyone", "play")
WIDTH = 1024
"""Points in a deal that a histogram can hold; no rules the loader accepts reach it."""

ROWS = 2_048
"""Duplicates whose rows are held at a time."""

LOOKED_UP = 64
"""How many times larger a chunk of duplicates is that are looked up: they are that much cheaper."""

MAX_ARMS = records.MAX_MINDS - 2
"""Arms that are played side by side: the kernels hold them with their baseline and opponent."""

_local = threading.local()


def scratch() -> Any:
    """The scratch table of this thread."""
    if not hasattr(_local, "table"):
        _local.table = records.new_table()
    return _local.table


def content_id(content: dict[str, Any]) -> tuple[str, str]:
    """The id of a run and the text it is a hash of: all that changes its counts, and nothing else."""
    text = json.dumps({"behaviour": BEHAVIOUR, **content}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16], text


def _rules_of(game: PegGame) -> dict[str, Any]:
    """The rules of a run, and the table of mean cribs that its strategies weigh."""
    return {"rules": game.text, **({"cribs": game.cribs} if game.cribs else {})}


def _identity(game: PegGame, strategy: Strategy) -> dict[str, Any]:
    """What decides a strategy's cards in a game: decisions that do not exist there leave no trace."""
    kinds = [kind for kind, exists in (("discard", game.rules.discard), ("mog", game.rules.mog)) if exists]
    return {**identity(strategy, frozenset(kinds)), **book_of(game, strategy)}


def _refuse_lost(lost: int, what: str) -> None:
    if lost:
        raise OverflowError(f"{lost} {what}: these rules give more points than can be counted")


def refuse_endless(endless: int) -> None:
    """Raise RuntimeError if there are games with a play of cards to a count that nobody has won."""
    if endless:
        raise RuntimeError(
            f"{endless} games had no winner after {noddy.MAX_DEALS} deals: under these rules hardly anybody scores"
        )


def game_rows(
    game: PegGame, strategies: tuple[Strategy, ...], who: np.ndarray, numbers: tuple[int, int, int]
) -> np.ndarray:
    """Play games: int64 (games, len(FIELDS)), a row a game in the order of ``GAME_FIELDS``.

    who : int64 (players,), which of the strategies plays for each person; numbers : a seed, and the games
    ``start … stop - 1``. Raises RuntimeError for a game that nobody wins.
    """
    seed, start, stop = numbers
    rows = np.empty((stop - start, len(FIELDS)), np.int64)
    if not _games_by_table(game, [strategies[mind] for mind in who], numbers, rows):
        noddy.record_games(
            game.rules, game.shows, minds_of(game, strategies), who, scratch(), game.players, np.uint64(seed), start,
            stop, rows,
        )  # fmt: skip
    refuse_endless(int((rows[:, noddy.WINNER] < 0).sum()))
    return rows


def _games_by_table(game: PegGame, persons: list[Strategy], numbers: tuple[int, int, int], rows: np.ndarray) -> bool:
    """Fill the rows of many games by table, if the game and the strategies of its persons are of that kind."""
    seed, start, stop = numbers
    if not (deal_alternates(game) and wants_table(game, persons, stop - start, GAMES_WORTH_IT)):
        return False
    codes = game_codes(game, *persons)
    if codes is None:
        return False
    from noddysim.kernels.tabled import record_games_known

    record_games_known(game.rules, known_of(game), codes, scratch(), np.uint64(seed), start, stop, rows)
    return True


@dataclass(frozen=True)
class _Seated:
    """Whole deals with a strategy in each seat."""

    game: PegGame
    seats: tuple[Strategy, ...]
    seed: int
    chunk: int = 400_000

    def identity(self) -> dict[str, Any]:
        """What changes the counts."""
        return {
            "measure": type(self).__name__,
            **_rules_of(self.game),
            "players": self.game.players,
            "seats": [_identity(self.game, strategy) for strategy in self.seats],
            "seed": self.seed,
        }


@dataclass(frozen=True)
class DealCount(_Seated):
    """Whole deals by seat and source. Tally: ``by_source`` (n, K, W), deals by points from each of SOURCE_NAMES."""

    def count(self, start: int, stop: int) -> Tally:
        """Play deals ``start … stop - 1``."""
        n = self.game.players
        by_source = np.zeros((n, len(SOURCES), WIDTH), np.int64)
        lost = np.zeros(1, np.int64)
        rules, seed = self.game.rules, np.uint64(self.seed)
        if wants_table(self.game, self.seats, stop - start, DEALS_WORTH_IT):
            from noddysim.kernels.tabled import count_deals_known

            gains = play_table(self.game, *self.seats).gains
            count_deals_known(rules, known_of(self.game), gains, scratch(), seed, start, stop, by_source, lost)
        else:
            minds = minds_of(self.game, self.seats)
            noddy.count_deals(
                rules, self.game.shows, minds, np.arange(n), scratch(), n, seed, start, stop, by_source, lost
            )  # fmt: skip
        _refuse_lost(int(lost[0]), "deals did not fit")
        return Tally({"by_source": by_source})


@dataclass(frozen=True)
class LeadCount(_Seated):
    """Points in the play by the rank eldest leads first. Tally: ``by_lead`` (13, n, 3, W), columns LEAD_COLUMNS."""

    def count(self, start: int, stop: int) -> Tally:
        """Play deals ``start … stop - 1``."""
        n = self.game.players
        by_lead = np.zeros((13 * n, len(LEAD_COLUMNS), WIDTH), np.int64)
        lost = np.zeros(1, np.int64)
        noddy.count_by_lead(
            self.game.rules, self.game.shows, minds_of(self.game, self.seats), np.arange(n), scratch(), n,
            np.uint64(self.seed), start, stop, by_lead, lost,
        )  # fmt: skip
        _refuse_lost(int(lost[0]), "deals did not fit")
        return Tally({"by_lead": by_lead.reshape(13, n, len(LEAD_COLUMNS), WIDTH)})


def duel_chunk(strategies: int, games: bool) -> int:
    """Duplicates in a chunk of a DuelCount with so many arms: a few tenths of a second of work, a power of two."""
    most = 2**14 if games else 2**18
    return max(2**10, most >> (strategies.bit_length()))


@dataclass(frozen=True)
class DuelCount:
    """Duplicates of several arms against one opponent, each beside the same baseline, on the same deals or games.

    Every arm shown is a run of its own, with an id of its own (``identity``), and so is every scale: the place of an
    arm between two others, (arm, zero, hundred) by their places in ``arms``. With K arms shown, S scales and n sides (a
    player alone, or two partners) the tally holds integer moments: ``n`` (1,) duplicates; for each arm ``sums``,
    ``squares`` (K,) of the values of its duplicates, ``changed``, ``changed_squares`` and ``cross`` (K,) of the cards
    changed and of value times cards; ``occasions`` (K,) duplicates in which a card changed; ``gained`` and ``lost``
    (K,) duplicates above and below nought; by side ``seat_sums``, ``seat_squares``, ``seat_changed`` (K, n); and for
    each scale ``scale_sums`` (S, 3) and ``scale_products`` (S, 3, 3), left out where there is none.

    A value is the sum over the sides of the kernels' values: margins times n - 1 for deals, wins for games.
    At most MAX_ARMS arms go into one measure.
    """

    game: PegGame
    arms: tuple[Strategy, ...]
    baseline: Strategy
    opponent: Strategy
    seed: int
    games: bool = False
    chunk: int = 16_384
    shown: tuple[int, ...] | None = None
    """Places of the arms that are counted for themselves; None: all. The others serve the scales only."""
    scales: tuple[tuple[int, int, int], ...] = ()
    tables: DuelTables | None = field(default=None, compare=False, repr=False)
    """Duplicates by the hands, for long runs; what is counted is the same with and without."""

    def for_amount(self, amount: int) -> DuelCount:
        """The same measure made ready for so many duplicates: with tables where they apply and pay."""
        strategies = self.opponent, self.baseline, *self.arms
        if self.games or self.tables or amount < DUELS_WORTH_IT or not hands_decide(self.game, strategies):
            return self
        tables = duel_tables(self.game, self.arms, self.baseline, self.opponent)
        return replace(self, tables=tables, chunk=LOOKED_UP * self.chunk)

    def __post_init__(self) -> None:
        """Refuse more arms than the kernels hold at a time."""
        if len(self.arms) > MAX_ARMS:
            raise ValueError(f"{len(self.arms)} arms in one measure; at most {MAX_ARMS}")

    @property
    def places(self) -> tuple[int, ...]:
        """Places of the arms shown."""
        return tuple(range(len(self.arms))) if self.shown is None else self.shown

    @property
    def divisor(self) -> int:
        """What a value is divided by to give points a deal over all sides (or a chance to win)."""
        n = self.game.sides
        return n if self.games else n * (n - 1)

    @property
    def seat_divisor(self) -> int:
        """What a seat value is divided by."""
        return 1 if self.games else self.game.sides - 1

    def rows(self, start: int, stop: int) -> np.ndarray:
        """The kernel's rows (arms, stop - start, 2 n)."""
        n = self.game.players
        rows = np.empty((len(self.arms), stop - start, 2 * self.game.sides), np.int64)
        minds = minds_of(self.game, (self.opponent, self.baseline, *self.arms))
        numbers = np.uint64(self.seed), start, stop
        rules, shows = self.game.rules, self.game.shows
        if self.games:
            refuse_endless(int(duels.duel_games(rules, shows, minds, scratch(), n, *numbers, rows)))
        else:
            duels.duel_deals(rules, shows, minds, scratch(), n, *numbers, rows)
        return rows

    def count(self, start: int, stop: int) -> Tally:
        """Play duplicates ``start … stop - 1`` of every arm, a few at a time so that their rows need little memory."""
        if self.tables:
            return self._looked_up(self.tables, start, stop)
        total = Tally()
        for first in range(start, stop, ROWS):
            total = total + self._moments(self.rows(first, min(first + ROWS, stop)))
        return total

    def _looked_up(self, tables: DuelTables, start: int, stop: int) -> Tally:
        """The same counts out of how often every two hands are dealt: that does not depend on the arms."""
        dealt = pairs_dealt(self.game, scratch(), self.seed, start, stop)
        met = np.flatnonzero(dealt)
        arms = len(self.arms)
        parts = (table.reshape(arms, 2, -1)[:, :, met] for table in (tables.values, tables.changed))
        rows = np.concatenate(list(parts), axis=1, dtype=np.int64).transpose(0, 2, 1)
        return self._moments(rows, dealt[met])

    def _moments(self, rows: np.ndarray, times: np.ndarray | None = None) -> Tally:
        """The counts of some rows; ``times``, if given, is how often each of them occurs."""
        n = self.game.sides
        every = rows[:, :, :n].sum(axis=2)
        if times is None:
            times = np.ones(rows.shape[1], np.int64)
        counts = {"n": np.array([times.sum()])}
        if self.places:
            shown = rows[list(self.places)]
            seat_values, seat_changed = shown[:, :, :n], shown[:, :, n:]
            values, changed = every[list(self.places)], seat_changed.sum(axis=2)
            counts |= {
                "sums": values @ times,
                "squares": (values * values) @ times,
                "changed": changed @ times,
                "changed_squares": (changed * changed) @ times,
                "cross": (values * changed) @ times,
                "occasions": (changed > 0) @ times,
                "gained": (values > 0) @ times,
                "lost": (values < 0) @ times,
                "seat_sums": times @ seat_values,
                "seat_squares": times @ (seat_values * seat_values),
                "seat_changed": times @ seat_changed,
            }
        if self.scales:
            scaled = every[np.array(self.scales)]
            counts["scale_sums"] = scaled @ times
            counts["scale_products"] = np.einsum("sai,sbi,i->sab", scaled, scaled, times)
        return Tally(counts)

    def identity(self, arm: int = 0) -> dict[str, Any]:
        """What changes the counts of one arm."""
        return {
            "measure": "duel-games" if self.games else "duel-deals",
            "arm": _identity(self.game, self.arms[arm]),
            **self._setting(),
        }

    def _setting(self) -> dict[str, Any]:
        return {
            **_rules_of(self.game),
            "players": self.game.players,
            "baseline": _identity(self.game, self.baseline),
            "opponent": _identity(self.game, self.opponent),
            "seed": self.seed,
        }

    def parts(self) -> list[dict[str, Any]]:
        """The identities of its runs: one for each arm shown, then one for each scale."""
        what = "duel-games-scale" if self.games else "duel-deals-scale"
        scales = [
            {"measure": what, "arms": [_identity(self.game, self.arms[place]) for place in scale], **self._setting()}
            for scale in self.scales
        ]
        return [*(self.identity(place) for place in self.places), *scales]

    def only(self, parts: Sequence[int]) -> DuelCount:
        """The measure of some of its runs, by their places in ``parts()`` in rising order; it plays no arm in vain."""
        shown = [self.places[part] for part in parts if part < len(self.places)]
        scales = [self.scales[part - len(self.places)] for part in parts if part >= len(self.places)]
        played = list(dict.fromkeys([*shown, *itertools.chain.from_iterable(scales)]))
        return replace(
            self,
            tables=None,
            arms=tuple(self.arms[place] for place in played),
            shown=tuple(range(len(shown))),
            scales=tuple((played.index(a), played.index(b), played.index(c)) for a, b, c in scales),
        )

    def split(self, tally: Tally) -> list[Tally]:
        """The tallies of its runs, in the order of ``parts()``; each as that of ``only`` that run."""
        arms, scales = by_prefix(tally, "scale_")
        found = [sliced(tally, arms, place) for place in range(len(self.places))]
        return found + [sliced(tally, scales, place) for place in range(len(self.scales))]

    def join(self, tallies: Sequence[Tally]) -> Tally:
        """The tally of all its runs out of theirs: ``split`` undone."""
        return joined(tallies)


METRICS = ("first_dealer", "deals", "cards", "lead_changes", "margin", "games")
"""What is looked at in a game. ``first_dealer`` is 1 if the first dealer's side wins; ``games`` is how many games the
game counts as, by the rule on skunks. Differences use these."""


@dataclass(frozen=True)
class GameCount(Lineup):
    """Games of several variants on the same cards, the same strategy in every seat.

    Every variant shown is a run of its own, and so is every pair of variants, by their places in ``games``, whose
    differences are asked for. With M variants of n sides shown, Q pairs and K = len(METRICS): ``n`` (1,); ``wins``
    (M, n) by side in the first deal; ``phase_wins`` (M, n, P) by side in the last deal and phase; ``sums``, ``squares``
    (M, K) of the metrics; ``deals``, ``lead_changes`` and ``margins`` (M, D) histograms, the last place for all above;
    and ``pair_sums``, ``pair_squares`` (Q, K) of the metrics of the first less those of the second, for paired
    differences, left out where there is no pair.
    """

    games: tuple[PegGame, ...]
    strategy: Strategy
    seed: int
    chunk: int = 32_768
    longest: int = 256
    shown: tuple[int, ...] | None = None
    pairs: Pairs | None = None

    @property
    def size(self) -> int:
        """How many variants are played."""
        return len(self.games)

    def of(self, played: Sequence[int], shown: tuple[int, ...], pairs: Pairs) -> GameCount:
        """The measure of the variants at some places."""
        return replace(self, games=tuple(self.games[place] for place in played), shown=shown, pairs=pairs)

    def records_of(self, game: PegGame, start: int, stop: int) -> np.ndarray:
        """Rows of ``GAME_FIELDS`` for games ``start … stop - 1``."""
        return game_rows(game, (self.strategy,), np.zeros(game.players, np.int64), (self.seed, start, stop))

    def counted(self, start: int, stop: int) -> tuple[Tally, np.ndarray]:
        """The counts of games ``start … stop - 1``, and the metrics of every game, int64 (variants, games, K)."""
        n = self.games[0].sides
        every = [self.records_of(game, start, stop) for game in self.games]
        metrics = np.stack([_metrics(row, n, game.skunks) for row, game in zip(every, self.games, strict=True)])
        counts = {"n": np.array([stop - start])}
        if self.places:
            rows, shown = [every[place] for place in self.places], metrics[list(self.places)]
            counts |= {
                "wins": np.stack([np.bincount(row[:, noddy.WINNER], minlength=n) for row in rows]),
                "phase_wins": np.stack([_phase_wins(row, n) for row in rows]),
                "sums": shown.sum(axis=1),
                "squares": (shown * shown).sum(axis=1),
                "deals": self._histograms(rows, noddy.N_DEALS),
                "lead_changes": self._histograms(rows, noddy.LEAD_CHANGES),
                "margins": self._histograms(rows, noddy.MARGIN),
            }
        return Tally(counts | self.pair_counts(metrics)), metrics

    def _histograms(self, rows: Sequence[np.ndarray], column: int) -> np.ndarray:
        top = self.longest - 1
        return np.stack([np.bincount(np.minimum(row[:, column], top), minlength=self.longest) for row in rows])

    def identity(self) -> dict[str, Any]:
        """What changes the counts."""
        return {
            "measure": "games",
            "rules": [_rules_of(game) for game in self.games],
            "players": self.games[0].players,
            "strategy": [_identity(game, self.strategy) for game in self.games],
            "seed": self.seed,
        }

    def variant_identity(self, place: int) -> dict[str, Any]:
        """What changes the counts of one variant."""
        return self.of([place], (0,), ()).identity()

    def pair_identity(self, one: int, other: int) -> dict[str, Any]:
        """What changes the counts of one pair."""
        return {**self.of([one, other], (), ((0, 1),)).identity(), "measure": "games-paired"}


def skunk_games(second: np.ndarray, skunks: Sequence[tuple[int, int]]) -> np.ndarray:
    """How many games each game counts as, int64, by the best score of its losers: the most of the bands it is below."""
    games = np.ones_like(second)
    for below, worth in skunks:
        games = np.where(second < below, np.maximum(games, worth), games)
    return games


def _metrics(row: np.ndarray, n: int, skunks: Sequence[tuple[int, int]]) -> np.ndarray:
    """One column for each of METRICS, int64 (games, K)."""
    columns = (noddy.N_DEALS, noddy.CARDS, noddy.LEAD_CHANGES, noddy.MARGIN)
    won = row[:, noddy.WINNER] == n - 1
    games = skunk_games(row[:, noddy.SECOND], skunks)
    return np.column_stack([won, *(row[:, column] for column in columns), games]).astype(np.int64)


def _phase_wins(row: np.ndarray, n: int) -> np.ndarray:
    """Games by the winner's side in the last deal and by phase, int64 (n, P)."""
    phases = len(PHASES)
    index = row[:, noddy.WINNER_SEAT] * phases + row[:, noddy.PHASE]
    return np.bincount(index, minlength=phases * n).reshape(n, phases)
