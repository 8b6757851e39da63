"""What can be counted of the games in which melds or sets are laid: games, variants beside each other, and duels.

Everything is told by seat in the first deal of a game, left of the dealer first and the dealer last; in games of sets
the first dealer is drawn by lot, which depends on the number of the game alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from noddysim.engine import melding, sets
from noddysim.engine.lineups import Lineup, Pairs
from noddysim.engine.tally import Tally, joined, sliced
from noddysim.game.errors import InputError
from noddysim.game.laying import DECIDED_BY, decisions_of
from noddysim.game.laying_data import Laid, Melder, Setter, laid_identity
from noddysim.game.meldmodels import MeldRules
from noddysim.game.rules import Variant
from noddysim.game.snitchmodels import SnitchRules

WHOLE: Final = math.lcm(*range(1, 9))
"""A game won, in parts that equal winners can share."""
LAID_METRICS: Final = ("first_dealer", "deals", "cards", "lead_changes", "margin", "turns")
"""What is counted of every game of both families; ``first_dealer`` is his part of the game, in parts of WHOLE."""
MELD_METRICS: Final = (
    "melds", "draws", "passes", "first_melder_wins", "won_by_first_meld", "first_round", "stock_out", "by_jack",
)  # fmt: skip
"""Of games of melds besides; the last five are 0 or 1."""
SET_METRICS: Final = ("passes", "wilds_left", "cards_left", "best")
"""Of games of sets besides."""


def is_laying(variant: Variant) -> bool:
    """Whether melds or sets are laid in a game, so that this module counts it."""
    return isinstance(variant.rules, MeldRules | SnitchRules)


def laid_metrics(variant: Variant) -> tuple[str, ...]:
    """The metrics of the games of a variant."""
    return (*LAID_METRICS, *(MELD_METRICS if isinstance(variant.rules, MeldRules) else SET_METRICS))


def same_layout(one: Variant, other: Variant) -> bool:
    """Whether the same cards reach the same seats in both, so that a difference is due to the rules alone."""
    a, b = one.rules, other.rules
    if isinstance(a, SnitchRules) and isinstance(b, SnitchRules):
        return (a.jokers, a.first_discard) == (b.jokers, b.first_discard)
    return isinstance(a, MeldRules) and isinstance(b, MeldRules)


@dataclass(frozen=True)
class Played:
    """Games that have been played, a row a game.

    shares : int64 (games, seats), what each seat of the first deal has of the game, WHOLE for one won alone; trace :
    int64 (games,), alike where all choices were alike; counts : what the kernels wrote down.
    """

    shares: np.ndarray
    trace: np.ndarray
    counts: melding.MeldCounts | sets.SetCounts

    def metrics(self) -> np.ndarray:
        """Metrics of every game, int64 (games, metrics), in the order of ``laid_metrics``."""
        column = self.counts.column
        found = [self.shares[:, -1], column("deals"), column("cards"), column("lead_changes")]
        found += [column("best") - column("second"), column("turns")]
        if isinstance(self.counts, melding.MeldCounts):
            found += [column(name) for name in ("melds", "draws", "passes")]
            found += [column("winner") == column("first_melder"), column("melds") == 1, column("first_round")]
            found += [column("empty") > 0, column("by_jack")]
        else:
            found += [column(name) for name in SET_METRICS]
        return np.stack([values.astype(np.int64) for values in found], axis=1)


def play_games(
    variant: Variant,
    minds: Sequence[Laid],
    seed: int,
    start: int,
    stop: int,
    head_start: Sequence[int] = (),
    *,
    seated: bool = False,
) -> Played:
    """Play games ``start … stop - 1`` of a seed, one strategy a person (of games of melds: a seat of the first deal).

    head_start : points with which each person begins, or with ``seated`` each seat of the first deal

    Raises RuntimeError for a game that nobody wins.
    """
    if isinstance(variant.rules, MeldRules):
        melders = [mind for mind in minds if isinstance(mind, Melder)]
        melds = melding.count_games(variant, melders, seed, stop, start, head_start)
        return Played(won_by_melds(melds, len(minds)), melds.column("trace"), melds)
    setters = [mind for mind in minds if isinstance(mind, Setter)]
    found = sets.count_games(variant, setters, seed, stop, start, head_start, by_seat=seated)
    return Played(by_seat(found, won_by_sets(found, len(minds))), found.column("trace"), found)


def by_seat(counts: sets.SetCounts, rows: np.ndarray) -> np.ndarray:
    """Columns by person put by seat in the first deal, whose dealer is drawn by lot."""
    dealer = counts.column("first_dealer")
    players = rows.shape[1]
    seats = (dealer[:, None] + 1 + np.arange(players)) % players
    return np.asarray(np.take_along_axis(rows, seats, axis=1))


def seats_of(counts: melding.MeldCounts | sets.SetCounts, person: int, players: int) -> np.ndarray:
    """In which seat of the first deal a person sat in each game, int64 (games,)."""
    if isinstance(counts, melding.MeldCounts):
        return np.full(len(counts.records), person)
    return np.asarray((person - counts.column("first_dealer") - 1) % players)


def won_by_melds(counts: melding.MeldCounts, players: int) -> np.ndarray:
    """What each person has of games of melds that have been played, int64 (games, persons)."""
    winner = counts.column("winner")
    _refuse_endless(int((winner < 0).sum()))
    return np.asarray((winner[:, None] == np.arange(players)) * np.int64(WHOLE))


def won_by_sets(counts: sets.SetCounts, players: int) -> np.ndarray:
    """As ``won_by_melds``, of games of sets that have been played."""
    bits = counts.column("winners")
    _refuse_endless(int((bits == 0).sum()))
    shares = bits[:, None] >> np.arange(players) & 1
    return np.asarray(shares * (WHOLE // shares.sum(axis=1, keepdims=True)))


def play_deals(variant: Variant, minds: Sequence[Laid], seed: int, start: int, stop: int) -> tuple[np.ndarray, Played]:
    """Margins in single deals over the mean of the others, times persons - 1, int64 (deals, seats); and the deals.

    Only games of sets have deals of their own; a game to one point is one deal.
    """
    one_deal = variant.replace(target=1, tie="share")
    played = play_games(one_deal, minds, seed, start, stop)
    assert isinstance(played.counts, sets.SetCounts)
    totals = by_seat(played.counts, played.counts.totals)
    return np.asarray(len(minds) * totals - totals.sum(axis=1, keepdims=True)), played


def _refuse_endless(games: int) -> None:
    if games:
        raise RuntimeError(f"{games} games had no winner: under these rules hardly anybody scores")


def deciding(variant: Variant, one: Laid) -> dict[str, Any]:
    """What decides a strategy's choices in a variant: fields of decisions that do not exist there leave no trace."""
    assert isinstance(variant.rules, MeldRules | SnitchRules)
    exist = decisions_of(variant.rules)
    return {name: value for name, value in laid_identity(one).items() if DECIDED_BY.get(name, "") in {"", *exist}}


# --- variants beside each other -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LaidGames(Lineup):
    """Games of variants of one family on the same numbers, one strategy in every seat.

    Every variant shown is a run of its own, and so is every pair. With V variants of n seats shown, Q pairs and M
    metrics the tally holds ``n`` (1,) games; ``wins`` and ``win_squares`` (V, n) in parts of WHOLE by seat in the first
    deal; ``sums`` and ``squares`` (V, M) of the metrics; and ``pair_sums`` and ``pair_squares`` (Q, M), left out where
    there is no pair.
    """

    variants: tuple[Variant, ...]
    players: int
    mind: Laid
    seed: int
    shown: tuple[int, ...] | None = None
    pairs: Pairs | None = None

    @property
    def chunk(self) -> int:
        """Some tenths of a second of work."""
        return 8_192 if isinstance(self.mind, Melder) else 256

    @property
    def size(self) -> int:
        """How many variants are played."""
        return len(self.variants)

    def of(self, played: Sequence[int], shown: tuple[int, ...], pairs: Pairs) -> LaidGames:
        """The measure of the variants at some places."""
        return replace(self, variants=tuple(self.variants[place] for place in played), shown=shown, pairs=pairs)

    def counted(self, start: int, stop: int) -> tuple[Tally, np.ndarray]:
        """The counts of games ``start … stop - 1``, and the metrics of every game, int64 (variants, games, M)."""
        minds = [self.mind] * self.players
        played = [play_games(variant, minds, self.seed, start, stop) for variant in self.variants]
        metrics = np.stack([one.metrics() for one in played])
        counts = {"n": np.array([stop - start])}
        if self.places:
            shares, shown = np.stack([played[place].shares for place in self.places]), metrics[list(self.places)]
            counts |= {
                "wins": shares.sum(axis=1),
                "win_squares": (shares * shares).sum(axis=1),
                "sums": shown.sum(axis=1),
                "squares": (shown * shown).sum(axis=1),
            }
        return Tally(counts | self.pair_counts(metrics)), metrics

    def variant_identity(self, place: int) -> dict[str, Any]:
        """What changes the counts of one variant."""
        variant = self.variants[place]
        return {
            "measure": "laid-games",
            "rules": variant.rules.model_dump(),
            "players": self.players,
            "strategy": deciding(variant, self.mind),
            "seed": self.seed,
        }

    def pair_identity(self, one: int, other: int) -> dict[str, Any]:
        """What changes the counts of one pair."""
        return {"measure": "laid-games-paired", "games": [self.variant_identity(place) for place in (one, other)]}


# --- duels ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LayingDuel:
    """Duplicates of arms and a baseline: each in the place of every person in turn, the opponent in all others.

    Every arm is a run of its own. With A arms and n seats the tally holds ``n`` (1,) duplicates, ``sums`` and
    ``squares`` (A,) of their values, ``gained`` and ``lost`` (A,) above and below nought, ``changed`` (A,) in which an
    arm made any other choice than the baseline, and ``seat_sums``, ``seat_squares`` and ``seat_changed`` (A, n). A
    value is the sum over the seats of what the arm has there less what the baseline has: parts of a game, or margins of
    a deal.
    """

    variant: Variant
    players: int
    arms: tuple[Laid, ...]
    baseline: Laid
    opponent: Laid
    seed: int
    games: bool

    @property
    def places(self) -> tuple[int, ...]:
        """Places of the arms."""
        return tuple(range(len(self.arms)))

    @property
    def scales(self) -> tuple[tuple[int, int, int], ...]:
        """Nothing is known as the best here, so no arm has a place on a scale."""
        return ()

    @property
    def chunk(self) -> int:
        """Some tenths of a second of work."""
        if isinstance(self.variant.rules, MeldRules):
            return 4_096
        return 64 if self.games else 1_024

    @property
    def divisor(self) -> int:
        """What a value is divided by to give a chance to win, or points a deal, over all seats."""
        return self.players * self.seat_divisor

    @property
    def seat_divisor(self) -> int:
        """What the value of one seat is divided by."""
        return WHOLE if self.games else self.players - 1

    @cached_property
    def most(self) -> int:
        """The most that a value of one seat can be: a game, or all points of the packs won instead of lost."""
        if self.games:
            return WHOLE
        return 2 * sets.points_of_packs(self.variant) * (self.players - 1)

    def values(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        """Values of duplicates ``start … stop - 1``, int64 (arms, duplicates, seats), and where choices differ."""
        base = self._sides(self.baseline, start, stop)
        found, other = [], []
        for arm in self.arms:
            rows, traces = self._sides(arm, start, stop)
            found.append(rows - base[0])
            other.append(traces != base[1])
        return np.stack(found), np.stack(other)

    def _sides(self, mind: Laid, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        """What one strategy has in each seat, and the traces of these games, each int64 (duplicates, seats)."""
        seats = np.arange(self.players)
        results: list[np.ndarray] = []
        traces: list[np.ndarray] = []
        for person in range(self.players):
            if person and mind == self.opponent:  # all persons play alike, so these are the same games
                results.append(results[0])
                traces.append(traces[0])
                continue
            minds = [mind if place == person else self.opponent for place in range(self.players)]
            if self.games:
                played = play_games(self.variant, minds, self.seed, start, stop)
                results.append(played.shares)
            else:
                margins, played = play_deals(self.variant, minds, self.seed, start, stop)
                results.append(margins)
            traces.append(played.trace)
            counts = played.counts
        dealer = np.full(stop - start, self.players - 1)
        if isinstance(counts, sets.SetCounts):
            dealer = counts.column("first_dealer")
        whole = np.stack(results)
        # In the seat s of the first deal sits person dealer + 1 + s: of each seat, the game in which he was tried.
        tried = (dealer[:, None] + 1 + seats) % self.players
        rows = np.arange(stop - start)[:, None]
        return whole[tried, rows, seats], np.stack(traces)[tried, rows]

    def count(self, start: int, stop: int) -> Tally:
        """Play duplicates ``start … stop - 1``."""
        rows, other = self.values(start, stop)
        whole = rows.sum(axis=2)
        return Tally(
            {
                "n": np.array([stop - start]),
                "sums": whole.sum(axis=1),
                "squares": (whole * whole).sum(axis=1),
                "gained": (whole > 0).sum(axis=1),
                "lost": (whole < 0).sum(axis=1),
                "changed": other.any(axis=2).sum(axis=1),
                "seat_sums": rows.sum(axis=1),
                "seat_squares": (rows * rows).sum(axis=1),
                "seat_changed": other.sum(axis=1),
            }
        )

    def parts(self) -> list[dict[str, Any]]:
        """The identities of its runs: one for each arm."""
        return [self.identity(arm) for arm in self.places]

    def only(self, parts: Sequence[int]) -> LayingDuel:
        """The measure of some of its arms, by their places in rising order."""
        return replace(self, arms=tuple(self.arms[part] for part in parts))

    def split(self, tally: Tally) -> list[Tally]:
        """The tallies of its arms."""
        names = [name for name in tally.counts if name != "n"]
        return [sliced(tally, names, arm) for arm in self.places]

    def join(self, tallies: Sequence[Tally]) -> Tally:
        """The tally of all its arms out of theirs: ``split`` undone."""
        return joined(tallies)

    def identity(self, arm: int = 0) -> dict[str, Any]:
        """What changes the counts of one arm."""
        minds = {"arm": self.arms[arm], "baseline": self.baseline, "opponent": self.opponent}
        return {
            "measure": "laying-games" if self.games else "laying-deals",
            "rules": self.variant.rules.model_dump(),
            "players": self.players,
            **{name: deciding(self.variant, mind) for name, mind in minds.items()},
            "seed": self.seed,
        }


def deals_allowed(variant: Variant) -> None:
    """Raise InputError where single deals are no measure: a melding game is won in the midst of a deal."""
    if not isinstance(variant.rules, SnitchRules):
        raise InputError(f"{variant.name} is measured by games won; give a number of games, and none of deals")
