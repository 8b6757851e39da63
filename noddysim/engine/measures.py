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

from noddysim.engine import tabled
from noddysim.engine.games import BEHAVIOUR, PHASES, PegGame, deal_alternates
from noddysim.engine.lineups import Lineup, Pairs
from noddysim.engine.minds import book_of, minds_of
from noddysim.engine.tabled import (
    DEALS_WORTH_IT,
    DUELS_WORTH_IT,
    GAMES_WORTH_IT,
    DuelTables,
    duel_tables,
    hands_decide,
    wants_table,
)
from noddysim.engine.tally import Tally, by_prefix, joined, sliced
from noddysim.game.strategy_data import Strategy, identity
from noddysim.kernels import duels, noddy, records
from noddysim.kernels.moments import METRICS, SPREADS, add_games
from noddysim.kernels.noddy import FIELDS, SOURCES

SOURCE_NAMES: tuple[str, ...] = SOURCES
GAME_FIELDS: tuple[str, ...] = FIELDS
LEAD_COLUMNS = ("fifteen", "thirtyone", "play")
WIDTH = 1024
"""Points in a deal that a histogram can hold; no rules the loader accepts reach it."""

ROWS = 2_048
"""Duplicates whose rows are held at a time."""

LOOKED_UP, DEALS_LOOKED_UP, GAMES_LOOKED_UP = 64, 16, 4
"""How many times larger a chunk is in which duplicates, deals or games are looked up: they are that much cheaper."""

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
    game: PegGame, strategies: tuple[Strategy, ...], who: np.ndarray, numbers: tuple[int, int, int], planned: int = 0
) -> np.ndarray:
    """Play games: int64 (games, len(FIELDS)), a row a game in the order of ``GAME_FIELDS``.

    who : int64 (players,), which of the strategies plays for each person; numbers : a seed, and the games
    ``start … stop - 1``; planned : games of the whole batch, if there are more. Raises RuntimeError for a game that
    nobody wins.
    """
    seed, start, stop = numbers
    rows = np.empty((stop - start, len(FIELDS)), np.int64)
    persons = [strategies[mind] for mind in who]
    endless = None
    if deal_alternates(game) and wants_table(game, persons, max(planned, stop - start), GAMES_WORTH_IT):
        endless = tabled.record_games(game, persons, scratch(), numbers, rows)
    if endless is None:
        noddy.record_games(
            game.rules, game.shows, minds_of(game, strategies), who, scratch(), game.players, np.uint64(seed), start,
            stop, rows,
        )  # fmt: skip
        endless = int((rows[:, noddy.WINNER] < 0).sum())
    refuse_endless(endless)
    return rows


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

    planned: int = field(default=0, compare=False, repr=False)
    """Deals of the whole batch: whether a table pays depends on them, and no count does."""

    def for_amount(self, amount: int) -> DealCount:
        """The same measure made ready for so many deals: in larger chunks where they are looked up."""
        if not wants_table(self.game, self.seats, amount, DEALS_WORTH_IT):
            return self
        return replace(self, planned=amount, chunk=DEALS_LOOKED_UP * self.chunk)

    def count(self, start: int, stop: int) -> Tally:
        """Play deals ``start … stop - 1``."""
        n = self.game.players
        by_source = np.zeros((n, len(SOURCES), WIDTH), np.int64)
        lost = np.zeros(1, np.int64)
        rules, seed = self.game.rules, np.uint64(self.seed)
        if wants_table(self.game, self.seats, max(self.planned, stop - start), DEALS_WORTH_IT):
            lost[0] = tabled.count_deals(self.game, self.seats, scratch(), (self.seed, start, stop), by_source)
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


MOMENTS = ("sums", "squares", "changed", "changed_squares", "cross", "occasions", "gained", "lost")
SEAT_MOMENTS = ("seat_sums", "seat_squares", "seat_changed")
"""What is counted of the duplicates of an arm, in all and by side; in the order of ``kernels.moments``."""


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
        dealt = tabled.pairs_dealt(scratch(), self.seed, start, stop)
        counts = {"n": np.array([stop - start])}
        if self.places:
            moments, seats = zip(*(tables.moments(place, dealt) for place in self.places), strict=True)
            counts |= dict(zip(MOMENTS, np.stack(moments, axis=1), strict=True))
            counts |= dict(zip(SEAT_MOMENTS, np.stack(seats, axis=1), strict=True))
        if self.scales:
            sums, products = zip(*(tables.scale(scale, dealt) for scale in self.scales), strict=True)
            counts |= {"scale_sums": np.stack(sums), "scale_products": np.stack(products)}
        return Tally(counts)

    def _moments(self, rows: np.ndarray) -> Tally:
        """The counts of some rows."""
        n = self.game.sides
        every = rows[:, :, :n].sum(axis=2)
        counts = {"n": np.array([rows.shape[1]])}
        if self.places:
            shown = rows[list(self.places)]
            seat_values, seat_changed = shown[:, :, :n], shown[:, :, n:]
            values, changed = every[list(self.places)], seat_changed.sum(axis=2)
            found = (
                values, values * values, changed, changed * changed, values * changed,
                changed > 0, values > 0, values < 0,
            )  # fmt: skip
            counts |= {name: part.sum(axis=1) for name, part in zip(MOMENTS, found, strict=True)}
            by_seat = seat_values, seat_values * seat_values, seat_changed
            counts |= {name: part.sum(axis=1) for name, part in zip(SEAT_MOMENTS, by_seat, strict=True)}
        if self.scales:
            scaled = every[np.array(self.scales)]
            counts["scale_sums"] = scaled.sum(axis=2)
            counts["scale_products"] = np.einsum("sai,sbi->sab", scaled, scaled)
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


SUMMED = ("wins", "phase_wins", "sums", "squares")


@dataclass(frozen=True)
class _Summed:
    """The games of a variant added up: the arrays of ``kernels.moments.add_games``, in its order."""

    wins: np.ndarray
    phase_wins: np.ndarray
    sums: np.ndarray
    squares: np.ndarray
    spreads: np.ndarray
    metrics: np.ndarray

    @classmethod
    def nothing(cls, sides: int, games: int, longest: int) -> _Summed:
        """Nothing added up yet."""
        kinds = len(METRICS)
        shapes = (sides,), (sides, len(PHASES)), (kinds,), (kinds,), (len(SPREADS), longest)
        wins, phase_wins, sums, squares, spreads = (np.zeros(shape, np.int64) for shape in shapes)
        return cls(wins, phase_wins, sums, squares, spreads, np.empty((games, kinds), np.int64))


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
    planned: int = field(default=0, compare=False, repr=False)
    """Games of the whole batch: whether a table pays depends on them, and no count does."""

    def for_amount(self, amount: int) -> GameCount:
        """The same measure made ready for so many games: in larger chunks where they are looked up."""
        known = all(
            deal_alternates(game) and wants_table(game, (self.strategy,), amount, GAMES_WORTH_IT) for game in self.games
        )
        return replace(self, planned=amount, chunk=GAMES_LOOKED_UP * self.chunk if known else self.chunk)

    @property
    def size(self) -> int:
        """How many variants are played."""
        return len(self.games)

    def of(self, played: Sequence[int], shown: tuple[int, ...], pairs: Pairs) -> GameCount:
        """The measure of the variants at some places."""
        return replace(self, games=tuple(self.games[place] for place in played), shown=shown, pairs=pairs)

    def records_of(self, game: PegGame, start: int, stop: int) -> np.ndarray:
        """Rows of ``GAME_FIELDS`` for games ``start … stop - 1``."""
        numbers = self.seed, start, stop
        return game_rows(game, (self.strategy,), np.zeros(game.players, np.int64), numbers, self.planned)

    def counted(self, start: int, stop: int) -> tuple[Tally, np.ndarray]:
        """The counts of games ``start … stop - 1``, and the metrics of every game, int64 (variants, games, K)."""
        every = [self._summed(game, start, stop) for game in self.games]
        metrics = np.stack([summed.metrics for summed in every])
        counts = {"n": np.array([stop - start])}
        if self.places:
            shown = [every[place] for place in self.places]
            counts |= {name: np.stack([getattr(summed, name) for summed in shown]) for name in SUMMED}
            spreads = np.stack([summed.spreads for summed in shown], axis=1)
            counts |= dict(zip(("deals", "lead_changes", "margins"), spreads, strict=True))
        return Tally(counts | self.pair_counts(metrics)), metrics

    def _summed(self, game: PegGame, start: int, stop: int) -> _Summed:
        summed = _Summed.nothing(game.sides, stop - start, self.longest)
        skunks = np.array(game.skunks, np.int64).reshape(-1, 2)
        add_games(self.records_of(game, start, stop), skunks, *vars(summed).values())
        return summed

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
