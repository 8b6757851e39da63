"""The kernels at one table: a single deal with every card it laid, and chunks of deals, duplicates and games as arrays.

Tests call the kernels through these functions only, always with the same kinds of arguments, so that each kernel is
compiled once. Strategies are expressions (``lead-low@greedy``) or strategies; rules are what differs from Noddy.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from reference import millionths

from noddysim.engine.games import PHASES, PegGame, hands_only, peg_game
from noddysim.game.cards import RANKS
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import Variant, load_variant
from noddysim.game.strategy_data import (
    AwayLevel,
    Level,
    Policy,
    PolicyKind,
    Strategy,
    level_json,
    ordered_away_weights,
    ordered_weights,
)
from noddysim.game.strategy_table import encode
from noddysim.kernels import dealing, duels, noddy, pegging, records, show
from noddysim.kernels import hands as packs

JACK = 10
WIDTH = 1024

AnyStrategy = str | Strategy


class IllegalOrder(Exception):
    """A seat should lay a card that does not fit while another of its cards does."""

    def __init__(self, seat: int, card: int) -> None:
        super().__init__(f"seat {seat} may not lay card {card}")
        self.seat, self.card = seat, card


class Laid(NamedTuple):
    """One card: who laid it, the count after it, its points by kind with the last-card point."""

    seat: int
    card: int
    count: int
    points: dict[str, int]

    @property
    def total(self) -> int:
        """All points of the card."""
        return sum(self.points.values())


class Outcome(NamedTuple):
    """A deal as far as it went: cards laid, points by seat, scores by side; the phase and side that won, if any.

    ``away`` and ``passed`` are what each seat laid away or passed on (None where nothing was), ``crib`` the dealer's.
    """

    laid: list[Laid]
    gains: list[dict[str, int]]
    shows: list[dict[str, int]]
    heels: list[int]
    scores: list[int]
    phase: str | None
    winner: int | None
    lead_changes: int
    start: list[int]
    mog: list[int]
    crib: dict[str, int]
    away: list[list[int]]
    passed: list[int | None]

    def points(self, seat: int) -> list[int]:
        """Points of a seat by source, in the order of ``kernels.noddy.SOURCES`` without the totals."""
        crib = self.crib if seat == len(self.gains) - 1 else dict.fromkeys(self.crib, 0)
        kinds = [*self.gains[seat].values(), *self.shows[seat].values(), *crib.values()]
        return [self.heels[seat], *kinds, self.start[seat], self.mog[seat]]


# ---------------------------------------------------------------------------------------------------------------------
# Rules and strategies


def variant_with(differences: Mapping[str, Any]) -> Variant:
    """Noddy with some values changed."""
    return load_variant("noddy").replace(**differences)


def game_with(differences: Mapping[str, Any], players: int) -> PegGame:
    """What the kernels take of Noddy with some values changed."""
    return peg_game(variant_with(differences), players)


def noddy_game(players: int) -> PegGame:
    """What the kernels take of Noddy itself."""
    return game_with({}, players)


def strategy(one: AnyStrategy) -> Strategy:
    """The strategy itself, or what an expression means."""
    return parse_strategy(one) if isinstance(one, str) else one


def strategy_of(data: Mapping[str, Any]) -> Strategy:
    """The strategy that plain data in the form of the twin mean."""
    levels = tuple(_level(level) for level in data["levels"])
    strategy = Strategy("of the test", "", "", "", levels, data["ties"])
    kinds: tuple[PolicyKind, ...] = ("discard", "mog")
    for kind in kinds:
        if kind in data:
            away = tuple(_away_level(level) for level in data[kind]["levels"])
            strategy = strategy.with_policy(Policy("of the test", "", "", "", kind, away, data[kind]["ties"]))
    return strategy


def _away_level(data: Mapping[str, Any]) -> AwayLevel:
    return AwayLevel(
        when=data.get("when", "any"),
        weights=ordered_away_weights(_weights(data)),
        ranks=_by_rank(data),
        final=data.get("final"),
    )


def _weights(data: Mapping[str, Any]) -> dict[str, int]:
    return {name: millionths(weight) for name, weight in data.get("weights", {}).items()}


def _by_rank(data: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(millionths(data.get("ranks", {}).get(letter, "0")) for letter in RANKS)


def _level(data: Mapping[str, Any]) -> Level:
    counts = {int(count): millionths(weight) for count, weight in data.get("counts", {}).items()}
    return Level(
        when=data.get("when", "any"),
        weights=ordered_weights(_weights(data)),
        ranks=_by_rank(data),
        counts=tuple(sorted(counts.items())),
        final=data.get("final"),
        spares=data.get("spares", False),
    )


def as_data(one: AnyStrategy) -> dict[str, Any]:
    """A strategy as the plain data that the twin reads."""
    found = strategy(one)
    stacks = {"discard": found.discard, "mog": found.mog}
    return {**_stack(found), **{kind: _stack(policy) for kind, policy in stacks.items()}}


def _stack(found: Strategy | Policy) -> dict[str, Any]:
    return {"levels": [level_json(level) for level in found.levels], "ties": found.ties}


@functools.cache
def _records(strategies: tuple[Strategy, ...]) -> Any:
    return records.strategy_records(encode(strategies))


def strategy_records(strategies: Sequence[AnyStrategy]) -> Any:
    """Strategies as the kernels read them."""
    return _records(tuple(strategy(one) for one in strategies))


# ---------------------------------------------------------------------------------------------------------------------
# One deal


def play_parts(packed: int) -> dict[str, int]:
    """Points of the play by kind, the last-card point among them; the total they carry must be their sum."""
    mask = records.PLAY_MASK
    found = {
        kind: int(packed) >> shift & mask for kind, shift in zip(records.PLAY_KINDS, records.PLAY_SHIFT, strict=True)
    }
    assert int(packed) & records.TOTAL_MASK == sum(found.values())
    return found


def show_parts(packed: int) -> dict[str, int]:
    """Points of the show by kind; the total they carry must be their sum."""
    found = {kind: int(show.show_part(int(packed), place)) for place, kind in enumerate(records.SHOW_KINDS)}
    assert int(packed) & records.TOTAL_MASK == sum(found.values())
    return found


def score_hand(game: PegGame, hand: Sequence[int], starter: int, by_table: bool = True) -> dict[str, int]:
    """Points of a hand by kind, by table or worked out from the rules."""
    cards = packs.pack(sorted(hand) if by_table else hand)
    if by_table:
        return show_parts(show.show_points(game.rules, game.shows, cards, len(hand), starter))
    return show_parts(show.show_from_rules(game.rules, cards, len(hand), starter))


def plain_starter(hands: Sequence[Sequence[int]]) -> int:
    """A starter that nobody holds and that brings no heels."""
    held = {card for hand in hands for card in hand}
    return next(card for card in range(52) if card not in held and card // 4 != JACK)


def in_order(
    game: PegGame,
    hands: Sequence[Sequence[int]],
    starter: int | None = None,
    scores: Sequence[int] | None = None,
    target: int | None = None,
) -> Outcome:
    """A deal in which each hand is laid in the order given; raises IllegalOrder if that breaks the rules."""
    turned = plain_starter(hands) if starter is None else starter
    return _deal(game, hands, turned, ("low",) * game.players, 0, scores, target, True)


def by_strategies(
    game: PegGame,
    hands: Sequence[Sequence[int]],
    starter: int,
    strategies: Sequence[AnyStrategy],
    key: int = 0,
    scores: Sequence[int] | None = None,
    target: int | None = None,
) -> Outcome:
    """A deal in which each seat plays by its strategy."""
    return _deal(game, hands, starter, strategies, key, scores, target, False)


def _deal(
    game: PegGame,
    hands: Sequence[Sequence[int]],
    starter: int,
    strategies: Sequence[AnyStrategy],
    key: int,
    scores: Sequence[int] | None,
    target: int | None,
    scripted: bool,
) -> Outcome:
    game = hands_only(game)
    table = _new_table(game, scores)
    for seat, hand in enumerate(hands):
        table["dealt"][seat] = packs.pack(sorted(hand))
        table["script"][seat, : len(hand)] = hand
    table["state"][records.AT_STARTER] = starter
    return _play(game, table, strategies, key, target, scripted)


def by_key(
    game: PegGame,
    strategies: Sequence[AnyStrategy],
    key: int,
    scores: Sequence[int] | None = None,
    target: int | None = None,
) -> Outcome:
    """The deal of a key, each seat by its strategy, what is laid away and passed on included."""
    table = _new_table(game, scores)
    pegging.deal_cards(game.rules, table, game.players, np.uint64(key))
    return _play(game, table, strategies, key, target, False)


def _new_table(game: PegGame, scores: Sequence[int] | None) -> Any:
    """A table with scores by side before the deal."""
    table = records.new_table()
    before = list(scores or [0] * game.sides)
    table["score"][: game.sides] = before
    table["person"][: game.sides] = range(game.sides)
    best = max(before)
    table["state"][records.AT_LEADER] = before.index(best) if before.count(best) == 1 else records.NOBODY
    return table


def _play(
    game: PegGame, table: Any, strategies: Sequence[AnyStrategy], key: int, target: int | None, scripted: bool
) -> Outcome:
    """Play the cards that lie dealt on a table."""
    n, minds = game.players, strategy_records(strategies)
    wanted = records.NO_TARGET if target is None else target
    pegging.take_seats(np.arange(n), table, n)
    noddy.prepare(game.rules, game.shows, minds, table, n, np.uint64(key), records.NOBODY, 0)
    pegging.look_at_shows(game.rules, game.shows, table, n)
    phase = pegging.deal_by_phases(
        game.rules, minds, table, n, np.uint64(key), wanted, records.NOBODY, 0, np.bool_(scripted)
    )
    if phase == records.ILLEGAL_ORDER:
        raise IllegalOrder(int(table["state"][records.AT_FAULT_SEAT]), int(table["state"][records.AT_FAULT_CARD]))
    return _outcome(game, table, int(phase), wanted)


def _outcome(game: PegGame, table: Any, phase: int, target: int) -> Outcome:
    n, rules = game.players, game.rules
    laid = int(table["state"][records.AT_LAID])
    seats, cards, counts, points = (table[name][:laid].tolist() for name in ("seats", "cards", "counts", "points"))
    gains, shows, heels, start, mog = (table[name][:n].tolist() for name in ("gain", "show", "heels", "start", "mog"))
    scores = table["score"][: game.sides].tolist()
    received = [int(card) for card in table["received"][:n]]
    return Outcome(
        laid=[
            Laid(seat, card, count, play_parts(packed))
            for seat, card, count, packed in zip(seats, cards, counts, points, strict=True)
        ],
        gains=[play_parts(packed) for packed in gains],
        shows=[show_parts(packed) for packed in shows],
        heels=heels,
        scores=scores,
        phase=None if phase < 0 else PHASES[phase],
        winner=None if phase < 0 else next(side for side in range(game.sides) if scores[side] >= target),
        lead_changes=int(table["state"][records.AT_LEAD_CHANGES]),
        start=start,
        mog=mog,
        crib=show_parts(int(table["crib_gain"])),
        away=[_laid_away(game, table, seat) for seat in range(n)],
        # What a seat has passed is what the other one has received.
        passed=[None if not rules["mog"] or card == records.NOBODY else card for card in reversed(received)],
    )


def _laid_away(game: PegGame, table: Any, seat: int) -> list[int]:
    if not game.rules["discard"]:
        return []
    return [
        card for place, card in enumerate(packs.unpack(table["dealt"][seat])) if int(table["away"][seat]) >> place & 1
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Dealing


def deck(key: int, places: int, pack: int = 52) -> list[int]:
    """The first places of the pack that a key shuffles."""
    out = np.empty(places, np.int64)
    dealing.shuffled(np.uint64(key), pack, places, out)
    return [int(card) for card in out]


def decks(seed: int, start: int, stop: int, places: int) -> np.ndarray:
    """The first places of deals ``start … stop - 1``, a row a deal."""
    out = np.empty((stop - start, places), np.int64)
    for number in range(start, stop):
        key = dealing.deal_key(np.uint64(seed), np.uint64(number))
        dealing.shuffled(np.uint64(key), 52, places, out[number - start])
    return out


def first_decks_of_games(seed: int, start: int, stop: int, places: int) -> np.ndarray:
    """The first places of the first deal of games ``start … stop - 1``, a row a game."""
    out = np.empty((stop - start, places), np.int64)
    for number in range(start, stop):
        key = dealing.mix(np.uint64(dealing.game_key(np.uint64(seed), np.uint64(number))), np.uint64(0))
        dealing.shuffled(np.uint64(key), 52, places, out[number - start])
    return out


def dealt(game: PegGame, key: int) -> tuple[int, list[list[int]]]:
    """Starter and hands (sorted) of the deal of a key."""
    table = records.new_table()
    pegging.deal_cards(game.rules, table, game.players, np.uint64(key))
    return int(table["state"][records.AT_STARTER]), [packs.unpack(cards) for cards in table["dealt"][: game.players]]


# ---------------------------------------------------------------------------------------------------------------------
# Chunks


def count_deals(game: PegGame, strategies: Sequence[AnyStrategy], seed: int, start: int, stop: int) -> np.ndarray:
    """Deals by seat, source and points, int64 (n, K, W)."""
    n = game.players
    counts = np.zeros((n, len(noddy.SOURCES), WIDTH), np.int64)
    lost = np.zeros(1, np.int64)
    noddy.count_deals(
        game.rules, game.shows, strategy_records(strategies), np.arange(n), records.new_table(), n,
        np.uint64(seed), start, stop, counts, lost,
    )  # fmt: skip
    assert lost[0] == 0
    return counts


def count_by_lead(game: PegGame, strategies: Sequence[AnyStrategy], seed: int, start: int, stop: int) -> np.ndarray:
    """Deals by rank led and seat, column (fifteen, thirty-one, the play) and points, int64 (13 n, 3, W)."""
    n = game.players
    counts = np.zeros((13 * n, 3, WIDTH), np.int64)
    lost = np.zeros(1, np.int64)
    noddy.count_by_lead(
        game.rules, game.shows, strategy_records(strategies), np.arange(n), records.new_table(), n,
        np.uint64(seed), start, stop, counts, lost,
    )  # fmt: skip
    assert lost[0] == 0
    return counts


def duel_deals(
    game: PegGame, arm: AnyStrategy, baseline: AnyStrategy, opponent: AnyStrategy, seed: int, start: int, stop: int
) -> np.ndarray:
    """Rows of duplicates: value by seat, then cards changed by side, int64 (N, 2 U)."""
    return duel_deals_of_arms(game, [arm], baseline, opponent, seed, start, stop)[0]


def duel_deals_of_arms(
    game: PegGame, arms: Sequence[AnyStrategy], baseline: AnyStrategy, opponent: AnyStrategy,
    seed: int, start: int, stop: int,
) -> np.ndarray:  # fmt: skip
    """The same for several arms beside one baseline, int64 (K, N, 2 U)."""
    n = game.players
    rows = np.empty((len(arms), stop - start, 2 * game.sides), np.int64)
    duels.duel_deals(
        game.rules, game.shows, strategy_records([opponent, baseline, *arms]), records.new_table(), n,
        np.uint64(seed), start, stop, rows,
    )  # fmt: skip
    return rows


def duel_games(
    game: PegGame, arm: AnyStrategy, baseline: AnyStrategy, opponent: AnyStrategy, seed: int, start: int, stop: int
) -> np.ndarray:
    """Rows of duplicates of games: won by the arm less won by the baseline, by seat, then cards changed by seat."""
    return duel_games_of_arms(game, [arm], baseline, opponent, seed, start, stop)[0]


def duel_games_of_arms(
    game: PegGame, arms: Sequence[AnyStrategy], baseline: AnyStrategy, opponent: AnyStrategy,
    seed: int, start: int, stop: int,
) -> np.ndarray:  # fmt: skip
    """The same for several arms beside one baseline, int64 (K, N, 2 U)."""
    n = game.players
    rows = np.empty((len(arms), stop - start, 2 * game.sides), np.int64)
    endless = duels.duel_games(
        game.rules, game.shows, strategy_records([opponent, baseline, *arms]), records.new_table(), n,
        np.uint64(seed), start, stop, rows,
    )  # fmt: skip
    assert endless == 0
    return rows


def record_games(game: PegGame, strategies: Sequence[AnyStrategy], seed: int, start: int, stop: int) -> np.ndarray:
    """Rows of games, one strategy a person, columns as in ``noddy.FIELDS``, int64 (N, 9)."""
    n = game.players
    rows = np.empty((stop - start, len(noddy.FIELDS)), np.int64)
    noddy.record_games(
        game.rules, game.shows, strategy_records(strategies), np.arange(n), records.new_table(), n,
        np.uint64(seed), start, stop, rows,
    )  # fmt: skip
    assert (rows[:, noddy.WINNER] >= 0).all()
    return rows


def mean_and_error(histogram: np.ndarray) -> tuple[float, float]:
    """Mean of a histogram of points and its standard error."""
    number = int(histogram.sum())
    points = np.arange(len(histogram))
    mean = float((histogram * points).sum()) / number
    variance = float((histogram * (points - mean) ** 2).sum()) / (number - 1)
    return mean, (variance / number) ** 0.5
