"""The melding game for people: rules and strategies as the kernels take them, the melds of a hand, replays."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noddysim.engine.laid import LaidReplay, logged_deals, with_fields
from noddysim.engine.scoring import read_cards
from noddysim.game.cards import format_card, format_cards, refuse_repeats
from noddysim.game.errors import InputError
from noddysim.game.laying_data import Melder
from noddysim.game.meldmodels import MeldRules
from noddysim.game.rules import Variant
from noddysim.kernels import melding as kernel
from noddysim.kernels.dealing import deal_key, game_key, mix, restore
from noddysim.kernels.melds import MELD_KINDS, SINGLE, TRUMP_BIT, new_search
from noddysim.kernels.noddy import COMEBACK
from noddysim.kernels.records import GAPS, NO_TARGET, NOBODY, new_record

MOST_MELDS: Final = 200_000
"""Melds of a hand that are listed."""
_SUMS: Final = ("fifteen", "twenty-five", "thirty-one")
_TIES: Final = {"first": 0, "last": 1, "random": 2}


def melding_rules(variant: Variant) -> MeldRules:
    """The rules of a variant of the melding game. Raises InputError for another game."""
    if not isinstance(variant.rules, MeldRules):
        raise InputError(f"{variant.name} is no melding game")
    return variant.rules


@functools.lru_cache(maxsize=64)
def _rules_record(text: str) -> Any:
    data = json.loads(text)
    rules = new_record(kernel.MELDING_RULES)
    for name in ("trump_in_melds", "must_meld", "melds_per_turn", "trump_drawable", "target", "rounds"):
        rules[name] = data[name]
    rules.pips[:] = [rank + 1 if data["face_value"] == "rank" else min(rank + 1, 10) for rank in range(13)]
    rules.sum_flat[:] = {"face": (15, 25, 31), "flat2": (2, 2, 2), "per_card": (0, 0, 0)}[data["sum_value"]]
    rules.sum_each[:] = 1 if data["sum_value"] == "per_card" else 0
    rules.group[2:] = data["group"]
    rules.run[3:] = [data["run"][min(cards, 5) - 3] for cards in range(3, len(rules.run))]
    rules.suit_each = data["suit_value"] == "per_card"
    rules.suit_flat = data["suit_value"] == "flat"
    rules.jack_meld = data["trump_jack"] == "meld"
    rules.jack_bonus = data["trump_jack"] == "bonus"
    rules.scoring = SINGLE + ("single", "whole_set", "all_subsets").index(data["meld_scoring"])
    rules.reshuffle = data["stock_out"] == "reshuffle"
    rules.jack_to_opponents = data["turned_jack"] == "opponents2"
    rules.jack_points = 1 if data["turned_jack"] == "dealer1" else 2
    return rules


def rules_record(variant: Variant, target: int | None = None) -> Any:
    """The rules as the kernels take them; ``target`` in place of the variant's own."""
    rules = _rules_record(json.dumps(melding_rules(variant).model_dump(), sort_keys=True))
    return rules if target is None else with_fields(rules, kernel.MELDING_RULES, target=target)


def melders_record(strategies: Sequence[Melder]) -> Any:
    """Strategies as the kernels take them, in their order."""
    minds = kernel.new_melders()
    for place, one in enumerate(strategies):
        kinds = [one.weights.get("sum" if kind in _SUMS else kind, 0) for kind in MELD_KINDS]
        minds.sums_only[place] = one.sums_only
        minds.points[place] = one.weights.get("points", 0)
        minds.cards[place] = one.weights.get("cards", 0)
        minds.kind[place] = kinds
        minds.keep_trump_jack[place] = one.keep_trump_jack
        minds.ties[place] = _TIES[one.ties]
    return minds


@dataclass(frozen=True)
class MeldCounts:
    """What games of the melding game came to.

    records : int64 (games, len(MELD_FIELDS)), a row a game; melds, points : int64 (players, kinds), by person and kind;
    jack_points : int64 (players,), for turned jacks; comebacks : int64 (GAPS, 6), see ``kernels.laying.count_starts``.
    """

    records: np.ndarray
    melds: np.ndarray
    points: np.ndarray
    jack_points: np.ndarray
    comebacks: np.ndarray

    def column(self, name: str) -> np.ndarray:
        """One of MELD_FIELDS for every game."""
        return np.asarray(self.records[:, kernel.MELD_FIELDS.index(name)])


def count_games(
    variant: Variant,
    strategies: Sequence[Melder],
    seed: int,
    stop: int,
    start: int = 0,
    head_start: Sequence[int] = (),
) -> MeldCounts:
    """Play games ``start … stop - 1`` of a seed, one strategy a person; the same numbers give the same cards.

    head_start : points with which each person begins, none if left out
    """
    n = len(strategies)
    rules = rules_record(variant)
    if head_start:
        rules = with_fields(rules, kernel.MELDING_RULES, head_start=head_start)
    comebacks = np.zeros((GAPS, len(COMEBACK)), np.int64)
    records = np.zeros((stop - start, len(kernel.MELD_FIELDS)), np.int64)
    by_kind, by_jack = np.zeros((n, 2, len(MELD_KINDS)), np.int64), np.zeros(n, np.int64)
    kernel.record_meld_games(
        rules, melders_record(strategies), np.arange(n), kernel.new_meld_table(), new_search(), n, np.uint64(seed),
        start, stop, records, by_kind, by_jack, comebacks,
    )  # fmt: skip
    return MeldCounts(records, by_kind[:, 0], by_kind[:, 1], by_jack, comebacks)


# --- the melds of a hand --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Meld:
    """Cards that may be laid together, the kind they are declared as (one of MELD_KINDS), and their points."""

    cards: tuple[str, ...]
    kind: str
    points: int


@dataclass(frozen=True)
class MeldsResult:
    """All melds of a hand; ``best`` is the most points of one of them, 0 if there is none."""

    variant: str
    hand: tuple[str, ...]
    starter: str
    melds: tuple[Meld, ...]
    best: int

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        melds = [{"cards": list(meld.cards), "kind": meld.kind, "points": meld.points} for meld in self.melds]
        return {
            "variant": self.variant, "hand": list(self.hand), "starter": self.starter, "melds": melds,
            "best": self.best,
        }  # fmt: skip


def melds(cards: str | Sequence[int | str], trump: int | str | None, variant: Variant) -> MeldsResult:
    """Every legal meld of a hand, most points first; the same cards twice if they are of two kinds.

    Args:
        cards: the hand, of any size.
        trump: the turned card, which lies on the table.
        variant: a variant of the melding game.

    Raises:
        InputError: a card that does not exist or comes twice, no turned card, no hand, more than MOST_MELDS melds.
    """
    hand = sorted(read_cards(cards))
    if not hand:
        raise InputError("no cards are given; a hand has one or more")
    if trump is None:
        raise InputError(f"{variant.name}: give the turned card too, which shows trumps, with --starter")
    (turned,) = read_cards([trump])
    refuse_repeats([*hand, turned])
    search = new_search()
    search.held, search.trump = len(hand), turned
    search.hand[: len(hand)] = hand
    rules = rules_record(variant)
    number = kernel.list_melds(rules, search, 1, np.zeros((0, 3), np.int64))
    if number > MOST_MELDS:
        raise InputError(f"these {len(hand)} cards make {number:,} melds; {MOST_MELDS:,} are the most that are listed")
    found = np.zeros((number, 3), np.int64)
    kernel.list_melds(rules, search, 1, found)
    listed = [Meld(cards_of(hand, int(mask), turned), MELD_KINDS[kind], int(points)) for mask, kind, points in found]
    listed.sort(key=lambda meld: -meld.points)
    names = tuple(map(format_card, hand))
    return MeldsResult(
        variant.name, names, format_card(turned), tuple(listed), max((m.points for m in listed), default=0)
    )


def cards_of(hand: Sequence[int], mask: int, turned: int) -> tuple[str, ...]:
    """The cards of a meld by its set, as the kernels write it: a bit a place, and one for the turned card."""
    cards = [format_card(card) for place, card in enumerate(hand) if mask >> place & 1]
    return (*cards, format_card(turned)) if mask >> TRUMP_BIT & 1 else tuple(cards)


# --- replays --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableEvent:
    """What happened on a turn: seats count from 1, the dealer last.

    ``event`` is jack, meld, draw, fill, pass or reshuffle; ``scores`` are those after it, by seat.
    """

    seat: int
    event: str
    cards: tuple[str, ...]
    kind: str
    points: int
    scores: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {
            "seat": self.seat, "event": self.event, "cards": list(self.cards), "kind": self.kind or None,
            "points": self.points, "scores": list(self.scores),
        }  # fmt: skip


@dataclass(frozen=True)
class MeldDeal:
    """One deal: hands as dealt and events in order; ``persons`` says who sat in each seat, the first is 1."""

    number: int
    persons: tuple[int, ...]
    starter: str
    hands: tuple[tuple[str, ...], ...]
    events: tuple[TableEvent, ...]
    scores: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {
            "deal": self.number, "persons": list(self.persons), "starter": self.starter,
            "hands": [list(hand) for hand in self.hands], "events": [event.to_json() for event in self.events],
            "scores": list(self.scores),
        }  # fmt: skip


@dataclass(frozen=True)
class MeldReplay(LaidReplay):
    """A deal, or a game of several; ``winner`` is a person of a game, 0 where a single deal was played."""

    deals: tuple[MeldDeal, ...]
    winner: int

    def ending(self) -> dict[str, Any]:
        """Who has won."""
        return {"winner": self.winner}


LOG_ROWS: Final = 100_000


def replay_melding(
    variant: Variant, seed: int, number: int, players: int, strategies: Sequence[Melder], whole_game: bool
) -> MeldReplay:
    """Play a deal of a seed again, whole and with no target, or a whole game; one strategy for each seat or person."""
    minds = melders_record(strategies)
    table, search = kernel.new_meld_table(), new_search()
    log = np.zeros((LOG_ROWS, kernel.EVENT_COLUMNS), np.int64)
    record = np.zeros(len(kernel.MELD_FIELDS), np.int64)
    sums = np.zeros((players, 2, len(MELD_KINDS)), np.int64), np.zeros(players, np.int64)
    if not whole_game:
        key = np.uint64(deal_key(np.uint64(seed), np.uint64(number)))
        table.person[:players] = table.mind[:players] = range(players)
        rules = rules_record(variant, NO_TARGET)
        kernel.play_meld_deal(rules, minds, table, search, players, key, log, record, *sums)
        deal = _deal(log[: table.logged], _opening(players, key), number, range(players), [0] * players)
        return MeldReplay(variant.name, players, seed, None, None, _names(strategies), (deal,), 0)
    key = np.uint64(game_key(np.uint64(seed), np.uint64(number)))
    rules = rules_record(variant)
    who = np.arange(players)
    kernel.play_meld_game(rules, minds, who, table, search, players, key, log, record, *sums)
    if record[kernel.M_WINNER] == NOBODY or table.logged == LOG_ROWS:
        raise InputError(f"game {number} of seed {seed}: nobody reaches {int(rules.target)}; there is no end to show")
    winner = int(record[kernel.M_WINNER]) + 1
    target = int(rules.target)
    deals = _deals(log[: table.logged], players, key)
    return MeldReplay(variant.name, players, seed, number, target, _names(strategies), deals, winner)


def _names(strategies: Sequence[Melder]) -> tuple[str, ...]:
    return tuple(one.name for one in strategies)


def _deals(log: np.ndarray, players: int, key: np.uint64) -> tuple[MeldDeal, ...]:
    """The deals of a game's log, scores carried from one to the next."""
    scores = [0] * players
    deals: list[MeldDeal] = []
    for number, persons, rows in logged_deals(log, kernel.E_DEAL, players):
        opening = _opening(players, np.uint64(mix(key, np.uint64(number))))
        deals.append(_deal(rows, opening, number, persons, [scores[person] for person in persons]))
        for person, score in zip(persons, deals[-1].scores, strict=True):
            scores[person] = score
    return tuple(deals)


def _opening(players: int, key: np.uint64) -> tuple[int, list[list[int]]]:
    """The turned card and the hands of the deal of a key."""
    table = kernel.new_meld_table()
    kernel.deal_hands(table, players, key)
    hands = [[int(card) for card in table.cards[seat, : table.held[seat]]] for seat in range(players)]
    restore(table.deck, table.digits, table.drawn)
    return int(table.trump), hands


def _deal(
    rows: np.ndarray, opening: tuple[int, list[list[int]]], number: int, persons: Sequence[int], scores: Sequence[int]
) -> MeldDeal:
    """The events of one deal in words of cards, from the log of the kernel."""
    turned, dealt = opening
    hands, now = [list(hand) for hand in dealt], list(scores)
    events = []
    for event, seat, first, second, third, fourth in rows.tolist():
        name = kernel.MELD_EVENTS[event]
        cards: tuple[str, ...] = ()
        kind, points = "", 0
        if event == kernel.E_MELD:
            cards = cards_of(hands[seat], first, turned)
            hands[seat] = [card for place, card in enumerate(hands[seat]) if not first >> place & 1]
            kind, points = MELD_KINDS[second], third
        elif event == kernel.E_JACK:
            points = first
        elif event in (kernel.E_DRAW, kernel.E_FILL):
            drawn = [first] if event == kernel.E_DRAW else [second, third, fourth][:first]
            hands[seat] = sorted([*hands[seat], *drawn])
            cards = tuple(map(format_card, drawn))
        if event in (kernel.E_END, kernel.E_DEAL, kernel.E_GAME) or (event == kernel.E_FILL and not cards):
            continue
        now[seat] += points
        events.append(TableEvent(seat + 1, name, cards, kind, points, tuple(now)))
    return MeldDeal(
        number, tuple(person + 1 for person in persons), format_card(turned),
        tuple(tuple(format_cards(hand).split()) for hand in dealt), tuple(events), tuple(now),
    )  # fmt: skip
