"""Snitch for people: rules and strategies as the kernels take them, the sets of a hand, replays."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noddysim.engine.laid import LaidReplay, logged_deals, with_fields
from noddysim.game.cards import SUITS, parse_card, rank_of, suit_of
from noddysim.game.errors import InputError
from noddysim.game.laying_data import Setter
from noddysim.game.rules import Variant
from noddysim.game.snitchmodels import SnitchRules
from noddysim.kernels import sets as kernel
from noddysim.kernels.dealing import deal_key, game_key, mix, restore
from noddysim.kernels.noddy import COMEBACK
from noddysim.kernels.records import GAPS, new_record

JOKER_TEXTS: Final = ("X", "JOKER")
MOST_GIVEN: Final = kernel.MOST_HELD
_USES: Final = {"value": kernel.BY_VALUE, "hand": kernel.HAND_FIRST, "discard": kernel.DISCARD_FIRST}
_DISCARDS: Final = {
    "low": kernel.D_LOW, "high": kernel.D_HIGH, "random": kernel.D_RANDOM, "unpaired": kernel.D_UNPAIRED,
}  # fmt: skip


def snitch_rules(variant: Variant) -> SnitchRules:
    """The rules of a variant of Snitch. Raises InputError for another game."""
    if not isinstance(variant.rules, SnitchRules):
        raise InputError(f"{variant.name} is no game of sets")
    return variant.rules


@functools.lru_cache(maxsize=64)
def _rules_record(text: str) -> Any:
    data = json.loads(text)
    rules = new_record(kernel.SET_RULES)
    for name in ("joker_pair", "max_sets", "discard_then_set", "first_discard", "target"):
        rules[name] = data[name]
    rules.pack = kernel.NATURALS + data["jokers"]
    rules.match_only = data["response"] == "match_only"
    rules.refill_each = data["refill"] == "set"
    rules.extend = data["action4"] == "extend"
    rules.no_set_ends = data["deal_end"] == "no_set"
    rules.share = data["tie"] == "share"
    low, high = [data["low_points"]] * 7, [data["high_points"]] * 4
    rules.value[:] = [data["ace_points"], data["deuce_points"], *low, *high, data["joker_points"]]
    return rules


def rules_record(variant: Variant) -> Any:
    """The rules as the kernels take them."""
    return _rules_record(json.dumps(snitch_rules(variant).model_dump(), sort_keys=True))


def setters_record(strategies: Sequence[Setter]) -> Any:
    """Strategies as the kernels take them, in their order."""
    minds = kernel.new_setters()
    for place, one in enumerate(strategies):
        minds.use[place] = _USES[one.use]
        minds.most[place] = one.most
        minds.save_wilds[place] = one.save_wilds
        minds.discard[place] = _DISCARDS[one.discard]
        minds.watch[place] = one.watch
    return minds


@dataclass(frozen=True)
class SetCounts:
    """What games of Snitch came to.

    records : int64 (games, len(SET_FIELDS)), a row a game; totals : int64 (games, players), final scores by person;
    sets, points : int64 (players, ranks), by person and rank of the set, the joker last; sources : int64 (players, 3),
    sets by where their second card came from; comebacks : int64 (GAPS, 6), see ``kernels.laying.count_starts``.
    """

    records: np.ndarray
    totals: np.ndarray
    sets: np.ndarray
    points: np.ndarray
    sources: np.ndarray
    comebacks: np.ndarray

    def column(self, name: str) -> np.ndarray:
        """One of SET_FIELDS for every game."""
        return np.asarray(self.records[:, kernel.SET_FIELDS.index(name)])


def count_games(
    variant: Variant,
    strategies: Sequence[Setter],
    seed: int,
    stop: int,
    start: int = 0,
    head_start: Sequence[int] = (),
    *,
    by_seat: bool = False,
) -> SetCounts:
    """Play games ``start … stop - 1`` of a seed, one strategy a person; the same numbers give the same cards.

    head_start : points with which each person begins, or with ``by_seat`` each seat of the first deal; none if left out
    """
    n = len(strategies)
    rules = rules_record(variant)
    if head_start:
        rules = with_fields(rules, kernel.SET_RULES, head_start=head_start, head_by_seat=by_seat)
    comebacks = np.zeros((GAPS, len(COMEBACK)), np.int64)
    records = np.zeros((stop - start, len(kernel.SET_FIELDS)), np.int64)
    totals = np.zeros((stop - start, n), np.int64)
    by_rank, by_source = np.zeros((n, kernel.N_RANKS, 2), np.int64), np.zeros((n, 3), np.int64)
    kernel.record_set_games(
        rules, setters_record(strategies), np.arange(n), kernel.new_set_table(), n, np.uint64(seed), start, stop,
        records, totals, by_rank, by_source, comebacks,
    )  # fmt: skip
    return SetCounts(records, totals, by_rank[:, :, 0], by_rank[:, :, 1], by_source, comebacks)


def points_of_packs(variant: Variant) -> int:
    """The points of all cards of the packs, which no deal can exceed."""
    rules = rules_record(variant)
    return sum(int(rules.value[min(card >> 3, kernel.JOKER)]) for card in range(int(rules.pack)))


def jokers_dealt(variant: Variant, players: int, seed: int, stop: int) -> np.ndarray:
    """Jokers among the three cards that each person is dealt in the first deal of games ``0 … stop - 1`` of a seed.

    Returns int64 (games, players), by person as in ``count_games``.
    """
    rules, table = rules_record(variant), kernel.new_set_table()
    found = np.zeros((stop, players), np.int64)
    kernel.count_jokers(rules, table, players, np.uint64(seed), stop, found)
    return found


# --- cards ----------------------------------------------------------------------------------------------------------


def format_set_card(card: int) -> str:
    """A card of two packs as text: ``8S``, or ``X`` for a joker; both copies of a card read alike."""
    if card >= kernel.NATURALS:
        return "X"
    return "A23456789TJQK"[card >> 3] + SUITS[card >> 1 & 3]


class Packs:
    """Reads cards of two packs with jokers; each is there twice, a joker as often as the rules say."""

    def __init__(self, jokers: int) -> None:
        self.jokers = jokers
        self.taken: set[int] = set()

    def read(self, text: str) -> list[int]:
        """The cards of a text. Raises InputError for one that does not exist or comes too often."""
        return [self._card(word) for word in text.replace(",", " ").split()]

    def _card(self, word: str) -> int:
        if word.upper() in JOKER_TEXTS:
            copies = range(kernel.NATURALS, kernel.NATURALS + self.jokers)
            name, number = "jokers", self.jokers
        else:
            try:
                card = parse_card(word)
            except InputError as error:
                raise InputError(f"{error}; a joker is X") from error
            first = 8 * rank_of(card) + 2 * suit_of(card)
            copies, name, number = range(first, first + 2), word, 2
        free = [copy for copy in copies if copy not in self.taken]
        if not free:
            raise InputError(f"{name}: there are {number} in the two packs, and more are given")
        self.taken.add(free[0])
        return free[0]


# --- the sets of a hand ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CardSet:
    """Cards that may be laid as a set, their points, and whether one of them is the top discard."""

    cards: tuple[str, ...]
    points: int
    from_discard: bool


@dataclass(frozen=True)
class SetsResult:
    """All sets that a hand may lay; ``best`` is the most points of one of them, 0 if there is none."""

    variant: str
    hand: tuple[str, ...]
    sets: tuple[CardSet, ...]
    best: int

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        sets = [{"cards": list(s.cards), "points": s.points, "from_discard": s.from_discard} for s in self.sets]
        return {"variant": self.variant, "hand": list(self.hand), "sets": sets, "best": self.best}


def sets(
    cards: str, variant: Variant, discard: str | None = None, own: str | None = None, stock_empty: bool = False
) -> SetsResult:
    """Every set that a hand may lay, most points first; of cards that read alike only once.

    Args:
        cards: the hand, one to four cards; a joker is X.
        variant: a variant of Snitch.
        discard: the top discard.
        own: cards in sets that the player has laid, two for each.
        stock_empty: the stock is gone, so the discards may not be used.

    Raises:
        InputError: a card that does not exist or comes too often, or the wrong number of cards.
    """
    packs = Packs(snitch_rules(variant).jokers)
    hand = sorted(packs.read(cards))
    laid = packs.read(own or "")
    top = packs.read(discard or "")
    if not 1 <= len(hand) <= MOST_GIVEN:
        raise InputError(f"a hand of {variant.name} has 1 to {MOST_GIVEN} cards; {len(hand) or 'none'} given")
    if len(laid) % 2:
        raise InputError(f"sets of one's own are two cards each; {len(laid)} given")
    if discard is not None and len(top) != 1:
        raise InputError(f"one card is the top discard; {len(top) or 'none'} given")
    rules = rules_record(variant)
    pairs = [(one, other, False) for i, one in enumerate(hand) for other in hand[i + 1 :]]
    pairs += [(one, top[0], True) for one in hand if top and not stock_empty]
    found: dict[tuple[tuple[str, ...], bool], int] = {}
    for one, other, from_discard in pairs:
        if kernel.set_rank(rules, one, other) != kernel.NO_RANK:
            names = (format_set_card(one), format_set_card(other))
            found[names, from_discard] = _value(rules, one) + _value(rules, other)
    if rules.extend and laid:
        found.update({((format_set_card(card),), False): _value(rules, card) for card in hand if is_wild(card)})
    listed = [CardSet(names, points, from_discard) for (names, from_discard), points in found.items()]
    listed.sort(key=lambda one: -one.points)
    best = max((one.points for one in listed), default=0)
    return SetsResult(variant.name, tuple(map(format_set_card, hand)), tuple(listed), best)


def _value(rules: Any, card: int) -> int:
    return int(rules.value[min(card >> 3, kernel.JOKER)])


def is_wild(card: int) -> bool:
    """Whether a card may stand for another."""
    return card >> 3 == kernel.DEUCE or card >= kernel.NATURALS


# --- replays --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetEvent:
    """What happened on a turn: seats count from 1, the dealer last.

    ``event`` is discard, draw, set, fill or pass; ``source`` says of a set where its second card came from (hand,
    discard, or own for a wild card that joined a set); ``scores`` are those of the deal after it, by seat.
    """

    seat: int
    event: str
    cards: tuple[str, ...]
    source: str
    points: int
    scores: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {
            "seat": self.seat, "event": self.event, "cards": list(self.cards), "source": self.source or None,
            "points": self.points, "scores": list(self.scores),
        }  # fmt: skip


@dataclass(frozen=True)
class SetDeal:
    """One deal: hands as dealt, events in order, points by seat; ``totals`` are those of the game by person."""

    number: int
    persons: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    events: tuple[SetEvent, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {
            "deal": self.number, "persons": list(self.persons), "hands": [list(hand) for hand in self.hands],
            "events": [event.to_json() for event in self.events], "points": list(self.points),
            "totals": list(self.totals),
        }  # fmt: skip


@dataclass(frozen=True)
class SetReplay(LaidReplay):
    """A deal, or a game of several; ``winners`` are persons of a game, none where a single deal was played."""

    deals: tuple[SetDeal, ...]
    winners: tuple[int, ...]

    def ending(self) -> dict[str, Any]:
        """Who has won."""
        return {"winners": list(self.winners)}


LOG_ROWS: Final = 1_000_000


def replay_sets(
    variant: Variant, seed: int, number: int, players: int, strategies: Sequence[Setter], whole_game: bool
) -> SetReplay:
    """Play a deal of a seed again, or a whole game; one strategy for each seat or person."""
    minds, rules, table = setters_record(strategies), rules_record(variant), kernel.new_set_table()
    names = tuple(one.name for one in strategies)
    log = np.zeros((LOG_ROWS if whole_game else 10_000, kernel.SET_COLUMNS), np.int64)
    record = np.zeros(len(kernel.SET_FIELDS), np.int64)
    sums = np.zeros((players, kernel.N_RANKS, 2), np.int64), np.zeros((players, 3), np.int64)
    if not whole_game:
        key = np.uint64(deal_key(np.uint64(seed), np.uint64(number)))
        table.person[:players] = table.mind[:players] = range(players)
        kernel.play_set_deal(rules, minds, table, players, key, log, record, *sums)
        deal = _deal(log[: table.logged], _opening(rules, players, key), number, range(players), [0] * players)
        return SetReplay(variant.name, players, seed, None, None, names, (deal,), ())
    key = np.uint64(game_key(np.uint64(seed), np.uint64(number)))
    kernel.play_set_game(rules, minds, np.arange(players), table, players, key, log, record, *sums)
    won = int(record[kernel.S_WINNERS])
    if not won or table.logged == LOG_ROWS:
        raise InputError(f"game {number} of seed {seed}: nobody reaches {int(rules.target)}; there is no end to show")
    winners = tuple(person + 1 for person in range(players) if won >> person & 1)
    deals = _deals(log[: table.logged], rules, players, key)
    return SetReplay(variant.name, players, seed, number, int(rules.target), names, deals, winners)


def _deals(log: np.ndarray, rules: Any, players: int, key: np.uint64) -> tuple[SetDeal, ...]:
    totals = [0] * players
    deals: list[SetDeal] = []
    for number, persons, rows in logged_deals(log, kernel.S_DEAL, players):
        opening = _opening(rules, players, np.uint64(mix(key, np.uint64(number))))
        deals.append(_deal(rows, opening, number, persons, totals))
        totals = list(deals[-1].totals)
    return tuple(deals)


def _opening(rules: Any, players: int, key: np.uint64) -> list[list[int]]:
    """The hands of the deal of a key."""
    table = kernel.new_set_table()
    kernel.deal_sets(rules, table, players, key)
    hands = [[int(card) for card in table.cards[seat, : table.held[seat]]] for seat in range(players)]
    restore(table.deck, table.digits, table.drawn)
    return hands


def _deal(
    rows: np.ndarray, hands: list[list[int]], number: int, persons: Sequence[int], totals: Sequence[int]
) -> SetDeal:
    """The events of one deal in words of cards, from the log of the kernel."""
    now = [0] * len(persons)
    events = []
    for event, seat, *rest in rows.tolist():
        given: list[int] = []
        source, points = "", 0
        if event in (kernel.S_THROW, kernel.S_DRAW):
            given = rest[:1]
        elif event == kernel.S_FILL:
            given = rest[1 : 1 + rest[0]]
        elif event == kernel.S_SET:
            given = [card for card in rest[:2] if card != kernel.NO_CARD]
            source, points = kernel.SOURCES_OF_SETS[rest[2]], rest[3]
        if event in (kernel.S_DEAL, kernel.S_END, kernel.S_GAME) or (event == kernel.S_FILL and not given):
            continue
        now[seat] += points
        cards = tuple(map(format_set_card, given))
        events.append(SetEvent(seat + 1, kernel.SET_EVENTS[event], cards, source, points, tuple(now)))
    after = list(totals)
    for person, points in zip(persons, now, strict=True):
        after[person] += points
    dealt = tuple(tuple(map(format_set_card, hand)) for hand in hands)
    return SetDeal(number, tuple(person + 1 for person in persons), dealt, tuple(events), tuple(now), tuple(after))
