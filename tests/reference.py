"""The honest twin: pegging Noddy again, slow and plain, in the words of the rule book.

This file is meant to be read. It shares no code and no table with the package and imports nothing but the standard
library, so that agreement between the two means something. Every hand is counted by listing its subsets, every run by
looking at the last cards of the pile, every choice by asking each card for its features.

Words: a *card* is ``4 * rank + suit`` (rank 0 the ace to 12 the king; suits clubs, diamonds, hearts, spades). A *seat*
is 0 for the eldest hand, who leads, to ``n - 1`` for the dealer. A *person* keeps his number through a game: his seat
in the first deal. An *award* is one heels, one card laid with all it makes, one last-card point, one hand; the target
is looked at after each. ``rules`` and strategies are the plain dicts a variant file and a strategy file end as.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

Rules = Mapping[str, Any]
Strategy = Mapping[str, Any]
Points = dict[str, int]

RANK_LETTERS = "A23456789TJQK"
PLAY_KINDS = ("fifteen", "twentyfive", "thirtyone", "pair", "run")
SHOW_KINDS = ("fifteens", "pairs", "runs", "flush", "nob")
SOURCES = ("heels", *(f"play.{kind}" for kind in (*PLAY_KINDS, "last")), *(f"show.{kind}" for kind in SHOW_KINDS))
FIVE, TEN, JACK = 4, 9, 10


# ---------------------------------------------------------------------------------------------------------------------
# Cards


def rank(card: int) -> int:
    """Rank of a card, 0 (ace) to 12 (king)."""
    return card // 4


def suit(card: int) -> int:
    """Suit of a card, 0 to 3."""
    return card % 4


def pips(card: int) -> int:
    """What a card adds to the count: ace 1, two to ten their number, jack, queen and king 10."""
    return min(rank(card) + 1, 10)


def count_of(cards: Sequence[int]) -> int:
    """What the cards add up to."""
    return sum(map(pips, cards))


def read_card(text: str) -> int:
    """The card written as rank letter and suit letter, for example ``5h`` or ``TC``."""
    return 4 * RANK_LETTERS.index(text[0].upper()) + "CDHS".index(text[1].upper())


def read_cards(text: str) -> list[int]:
    """Cards written with spaces between them, in that order."""
    return [read_card(word) for word in text.split()]


def read_hands(text: str) -> list[list[int]]:
    """Hands written with `` / `` between them, eldest first."""
    return [read_cards(part) for part in text.split("/")]


# ---------------------------------------------------------------------------------------------------------------------
# Shuffling and dealing: a pure function of the seed and the number of the deal

WORD = 2**64
GAMMA = 0x9E3779B97F4A7C15
SHUFFLE, CHOICE = 0, 1
BITS = 57
PLACES_OF_A_WORD = 7


def stir(z: int) -> int:
    """Mix the bits of one 64-bit number so that near numbers land far apart."""
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 % WORD
    z ^= z >> 27
    z = z * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def mix(a: int, b: int) -> int:
    """A 64-bit number made of two; every step is taken modulo 2^64."""
    return stir((a + GAMMA * (b + 1)) % WORD)


def deal_key(seed: int, deal_number: int) -> int:
    """The number from which every word of a single deal is drawn."""
    return mix(mix(seed, 0), deal_number)


def game_deal_key(seed: int, game: int, deal_number: int) -> int:
    """The same for deal ``deal_number`` (from 0) of a game."""
    return mix(mix(mix(seed, 1), game), deal_number)


def word(key: int, purpose: int, number: int) -> int:
    """Random word ``number`` of a purpose, as a number below 2^57."""
    return mix(key, (purpose << 32) | number) >> (64 - BITS)


def digits(x: int, choices: Sequence[int], bits: int = BITS) -> list[int] | None:
    """Split one word ``x`` below 2^bits into one digit for each number of choices, or None if the word is refused.

    The refused words are just so many that every row of digits is left with equally many words.
    """
    found = []
    product = 1
    for choice in choices:
        x *= choice
        found.append(x >> bits)
        x %= 2**bits
        product *= choice
    return None if x < 2**bits % product else found


def shuffle_by_key(key: int, pack: int, places: int) -> list[int]:
    """The first ``places`` cards of the shuffled pack: each place swaps with itself or a later one."""
    deck = list(range(pack))
    for block in range(-(-places // PLACES_OF_A_WORD)):
        first = block * PLACES_OF_A_WORD
        block_places = range(first, min(first + PLACES_OF_A_WORD, pack))
        attempt = 0
        while (steps := digits(word(key, SHUFFLE, (block << 8) | attempt), [pack - p for p in block_places])) is None:
            attempt += 1
        for place, step in zip(block_places, steps, strict=True):
            deck[place], deck[place + step] = deck[place + step], deck[place]
    return deck[:places]


def shuffle(seed: int, deal_number: int, pack: int = 52, places: int | None = None) -> list[int]:
    """The pack of a deal as it lies after the shuffle, or its first ``places`` cards."""
    return shuffle_by_key(deal_key(seed, deal_number), pack, pack if places is None else places)


def deal_by_key(key: int, players: int, hand: int) -> tuple[int, list[list[int]]]:
    """Starter and hands: the first card is the starter, then one card to each seat in turn, eldest first."""
    cards = shuffle_by_key(key, 52, 1 + players * hand)
    return cards[0], [cards[1 + seat :: players] for seat in range(players)]


def deal(seed: int, deal_number: int, players: int, hand: int = 3) -> tuple[int, list[list[int]]]:
    """Starter and hands (in the order received) of a single deal."""
    return deal_by_key(deal_key(seed, deal_number), players, hand)


def deal_of_game(seed: int, game: int, deal_number: int, players: int, hand: int = 3) -> tuple[int, list[list[int]]]:
    """Starter and hands of deal ``deal_number`` of a game."""
    return deal_by_key(game_deal_key(seed, game, deal_number), players, hand)


# ---------------------------------------------------------------------------------------------------------------------
# What things are worth


def total_points(worth: int | str, cards: int) -> int:
    """Points for a total of fifteen, twenty-five or thirty-one: flat, or one for each card in it."""
    return cards if worth == "per_card" else int(worth)


def length_points(worth: Sequence[int] | str, length: int) -> int:
    """Points for a run or flush of ``length`` (3 or more) cards.

    ``length`` pays one a card; a list pays its entries for 3, 4, 5 … and one more for each card beyond its end.
    """
    if worth == "length":
        return length
    listed = [int(points) for points in worth]
    longest_listed = 2 + len(listed)
    return listed[length - 3] if length <= longest_listed else listed[-1] + length - longest_listed


def are_a_run(cards: Sequence[int]) -> bool:
    """Three or more cards of different ranks that follow each other, in any order; no corner is turned at the ace."""
    if len(cards) < 3:
        return False
    ranks = sorted(map(rank, cards))
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


# ---------------------------------------------------------------------------------------------------------------------
# The show


def subsets(cards: Sequence[int]) -> list[tuple[int, ...]]:
    """Every choice of at least one of the cards."""
    return [choice for size in range(1, len(cards) + 1) for choice in combinations(cards, size)]


def show_totals(cards: Sequence[int], show_rules: Rules) -> int:
    """Points for all choices of cards that add up to 15, to 25 and to 31."""
    points = 0
    for choice in subsets(cards):
        total = count_of(choice)
        for wanted, name in ((15, "fifteen"), (25, "twentyfive"), (31, "thirtyone")):
            if total == wanted:
                points += total_points(show_rules[name], len(choice))
    return points


def show_pairs(cards: Sequence[int], show_rules: Rules) -> int:
    """Points for two, three or four cards of a rank, for each rank that is there more than once."""
    points = 0
    for one_rank in range(13):
        present = sum(1 for card in cards if rank(card) == one_rank)
        if present >= 2:
            points += int(show_rules["same_rank"][present - 2])
    return points


def show_runs(cards: Sequence[int], show_rules: Rules) -> int:
    """Points for the longest run there is: once for each choice of cards that makes it, or once for its ranks."""
    runs = [choice for choice in subsets(cards) if are_a_run(choice)]
    if not runs:
        return 0
    longest = max(len(run) for run in runs)
    runs = [run for run in runs if len(run) == longest]
    if show_rules["run_multiplicity"] == "once":
        times = len({min(rank(card) for card in run) for run in runs})
    else:
        times = len(runs)
    return times * length_points(show_rules["run"], longest)


def show_flush(hand: Sequence[int], starter: int, show_rules: Rules) -> int:
    """Points for cards of one suit in the hand, with what the starter may add to them."""
    kind = show_rules["hand_flush"]
    if kind == "off":
        return 0
    points = 0
    for one_suit in range(4):
        held = sum(1 for card in hand if suit(card) == one_suit)
        all_held = held == len(hand)
        if held < 3 or (kind == "whole" and not all_held):
            continue
        starter_joins = suit(starter) == one_suit
        if kind == "groves":  # the starter only completes a flush of five
            starter_joins = starter_joins and all_held and len(hand) >= 4
        points += length_points(show_rules["flush"], held + starter_joins)
    return points


def show_nob(hand: Sequence[int], starter: int, show_rules: Rules) -> int:
    """Points for the jack in the hand that has the starter's suit."""
    return int(show_rules["nob"]) if 4 * JACK + suit(starter) in hand else 0


def show(hand: Sequence[int], starter: int, rules: Rules) -> Points:
    """Count a hand with the starter: ``fifteens`` (all totals), ``pairs``, ``runs``, ``flush``, ``nob``, ``total``."""
    cards = [*hand, starter]
    show_rules = rules["show"]
    parts = {
        "fifteens": show_totals(cards, show_rules),
        "pairs": show_pairs(cards, show_rules),
        "runs": show_runs(cards, show_rules),
        "flush": show_flush(hand, starter, show_rules),
        "nob": show_nob(hand, starter, show_rules),
    }
    return {**parts, "total": sum(parts.values())}


# ---------------------------------------------------------------------------------------------------------------------
# One card of the play


def same_rank_tail(cards: Sequence[int]) -> int:
    """How many of the last cards, without a gap, have the rank of the last one."""
    number = 0
    for card in reversed(cards):
        if rank(card) != rank(cards[-1]):
            break
        number += 1
    return number


def longest_run_tail(cards: Sequence[int]) -> int:
    """The largest number (3 or more) of last cards that make a run, or 0."""
    for length in range(len(cards), 2, -1):
        if are_a_run(cards[-length:]):
            return length
    return 0


def fits(pile: Sequence[int], card: int, rules: Rules) -> bool:
    """Whether a card may be laid on the pile: the count may not pass the limit."""
    return count_of(pile) + pips(card) <= int(rules["play"]["limit"])


def card_points(pile: Sequence[int], card: int, rules: Rules, lookback: Sequence[int] | None = None) -> Points:
    """Points of a card laid on a pile, by kind; the last-card point is not among them.

    ``lookback`` are the earlier cards that pairs and runs may use, when they are not just the pile. Raises ValueError
    if the card does not fit.
    """
    if not fits(pile, card, rules):
        raise ValueError(f"card {card} would pass the limit")
    play_rules = rules["play"]
    count = count_of(pile) + pips(card)
    cards = len(pile) + 1
    tail = [*(pile if lookback is None else lookback), card]
    points = dict.fromkeys(PLAY_KINDS, 0)
    if count == 15:
        points["fifteen"] = total_points(play_rules["fifteen"], cards)
    if count == 25:
        points["twentyfive"] = total_points(play_rules["twentyfive"], cards)
    if count == play_rules["limit"]:
        points["thirtyone"] = total_points(play_rules["thirtyone"], cards)
    alike = same_rank_tail(tail)
    if alike >= 2:
        points["pair"] = int(play_rules["same_rank"][alike - 2])
    run = longest_run_tail(tail)
    if run:
        points["run"] = length_points(play_rules["run"], run)
    return points


# ---------------------------------------------------------------------------------------------------------------------
# Choosing a card


@dataclass(frozen=True)
class Turn:
    """What a player knows when it is his turn, and the words his random choices use.

    ``held`` are his cards, ``known`` the starter and every card laid in this deal, ``laid`` how many have been laid.
    """

    held: Sequence[int]
    pile: Sequence[int]
    lookback: Sequence[int]
    known: Sequence[int]
    key: int = 0
    seat: int = 0
    laid: int = 0


def choose(strategy: Strategy, turn: Turn, rules: Rules) -> int:
    """The card a strategy lays: level after level keeps the best cards, then a tie is broken."""
    candidates = [card for card in sorted(turn.held) if fits(turn.pile, card, rules)]
    if len(candidates) == 1:
        return candidates[0]
    for level in strategy["levels"]:
        if not level_speaks(level, turn):
            continue
        values = [level_value(level, card, turn, rules) for card in candidates]
        best = max(values)
        candidates = [
            card
            for card, value in zip(candidates, values, strict=True)
            if value == best or (level.get("spares") and feature("points", card, turn, rules) > 0)
        ]
        if level.get("final") is not None:
            return break_tie(level["final"], candidates, turn)
    return break_tie(strategy["ties"], candidates, turn)


def level_speaks(level: Mapping[str, Any], turn: Turn) -> bool:
    """Whether a level is about this turn: leads, follows, or any."""
    when = level.get("when", "any")
    return bool(when == "any" or when == ("follow" if turn.pile else "lead"))


@cache
def millionths(weight: str | int | float) -> int:
    """A weight written as a decimal, as a whole number of millionths of a point; ValueError if it is finer."""
    exact = Fraction(str(weight)) * 10**6
    if exact.denominator != 1:
        raise ValueError(f"weight {weight} has more than six places")
    return int(exact)


def level_value(level: Mapping[str, Any], card: int, turn: Turn, rules: Rules) -> int:
    """What one level thinks of a card, as an integer.

    A level that uses a mean over the unseen cards is multiplied through by their number, so that no division is left.
    """
    weights = level.get("weights", {})
    unseen: list[int] = []
    scale = 1
    if any(name.startswith("reply") for name in weights):
        unseen = [other for other in range(52) if other not in turn.known and other not in turn.held]
        scale = len(unseen)
    count = count_of(turn.pile) + pips(card)
    value = 0
    for name, weight in weights.items():
        if name.startswith("reply"):
            value += millionths(weight) * reply_sum(name, card, unseen, turn, rules)
        else:
            value += millionths(weight) * scale * feature(name, card, turn, rules)
    for letter, weight in level.get("ranks", {}).items():
        if RANK_LETTERS.index(letter) == rank(card):
            value += millionths(weight) * scale
    for number, weight in level.get("counts", {}).items():
        if int(number) == count:
            value += millionths(weight) * scale
    return value


def feature(name: str, card: int, turn: Turn, rules: Rules) -> int:
    """One feature of a card; the features that look at the reply are in `reply_sum`."""
    others = list(turn.held)
    others.remove(card)
    if name == "points":
        return sum(card_points(turn.pile, card, rules, turn.lookback).values())
    if name in PLAY_KINDS:
        return card_points(turn.pile, card, rules, turn.lookback)[name]
    if name == "offers_run":
        return offers_run(card, turn, rules)
    if name == "rank":
        return rank(card) + 1
    if name == "pips":
        return pips(card)
    if name == "paired":
        return int(any(rank(other) == rank(card) for other in others))
    if name == "last_reserve":
        return int(is_reserve(card) and not any(is_reserve(other) for other in others))
    raise ValueError(f"no such feature: {name}")


def is_reserve(card: int) -> bool:
    """A five or a ten-card."""
    return rank(card) == FIVE or rank(card) >= TEN


def offers_run(card: int, turn: Turn, rules: Rules) -> int:
    """1 if a card of some rank, left or not, could be laid next and make a run; a full pile offers nothing."""
    pile = [*turn.pile, card]
    if count_of(pile) == rules["play"]["limit"]:
        return 0
    for next_rank in range(13):
        reply = 4 * next_rank
        if fits(pile, reply, rules) and longest_run_tail([*turn.lookback, card, reply]):
            return 1
    return 0


def reply_sum(name: str, card: int, unseen: Sequence[int], turn: Turn, rules: Rules) -> int:
    """Points the unseen cards would score if laid next, added up; ``reply`` for all kinds, ``reply_pair`` … for one."""
    pile = [*turn.pile, card]
    if count_of(pile) == rules["play"]["limit"]:
        return 0
    kinds = PLAY_KINDS if name == "reply" else (name.removeprefix("reply_"),)
    total = 0
    for reply in unseen:
        if fits(pile, reply, rules):
            points = card_points(pile, reply, rules, [*turn.lookback, card])
            total += sum(points[kind] for kind in kinds)
    return total


def break_tie(way: str, candidates: Sequence[int], turn: Turn) -> int:
    """One of the cards that are equally good: the lowest rank, the highest, or any by the choice word."""
    if way == "low":
        return min(candidates)
    if way == "high":
        return min(card for card in candidates if rank(card) == rank(max(candidates)))
    if way != "random":
        raise ValueError(f"no such way to break a tie: {way}")
    attempt = 0
    while True:
        number = (turn.seat << 16) | (turn.laid << 8) | attempt
        drawn = digits(word(turn.key, CHOICE, number), [len(candidates)])
        if drawn is not None:
            return candidates[drawn[0]]
        attempt += 1


# ---------------------------------------------------------------------------------------------------------------------
# The board


@dataclass(frozen=True)
class Award:
    """Points given at one stroke: in which phase, to which seat, for what."""

    phase: str
    seat: int
    points: Points


@dataclass
class Board:
    """Scores by seat. Nobody wins while ``target`` is None."""

    scores: list[int]
    target: int | None = None
    winner: int | None = None
    phase: str | None = None
    awards: list[Award] = field(default_factory=list)

    def award(self, phase: str, seat: int, points: Points) -> bool:
        """Give an award; True if it ends the game."""
        self.awards.append(Award(phase, seat, dict(points)))
        self.scores[seat] += sum(points.values())
        if self.target is not None and self.scores[seat] >= self.target:
            self.winner, self.phase = seat, phase
        return self.winner is not None


# ---------------------------------------------------------------------------------------------------------------------
# The play


@dataclass
class Event:
    """One card laid: by which seat, the count after it, its points by kind with ``last``."""

    seat: int
    card: int
    count: int
    points: Points

    @property
    def total(self) -> int:
        """All points of the card."""
        return sum(self.points.values())


class Table:
    """The cards on the table during the play, and whose turn it is."""

    def __init__(self, hands: Sequence[Sequence[int]], rules: Rules) -> None:
        self.rules = rules
        self.hands = [sorted(hand) for hand in hands]
        self.laid: list[int] = []
        self.pile: list[int] = []
        self.lookback: list[int] = []
        self.turn = 0
        self.first_go: int | None = None
        self.over = not any(self.hands)

    @property
    def count(self) -> int:
        """The running total of the pile."""
        return count_of(self.pile)

    def legal(self, seat: int) -> list[int]:
        """The cards a seat may lay: all that fit, and he must lay one of them."""
        return [card for card in self.hands[seat] if fits(self.pile, card, self.rules)]

    def anybody_can_add(self) -> bool:
        """Whether some seat has a card that fits."""
        return any(self.legal(seat) for seat in range(len(self.hands)))

    def seat_to_lay(self) -> int | None:
        """The seat that lays the next card, after those before it have said go; None when the play is over."""
        while not self.over and self.anybody_can_add():
            if self.legal(self.turn):
                return self.turn
            if self.hands[self.turn]:
                self.say_go(self.turn)
            self.turn = (self.turn + 1) % len(self.hands)
        return None

    def say_go(self, seat: int) -> None:
        """A player with cards, none of which fits, is passed over while the pile is still open."""
        if self.first_go is None:
            self.first_go = seat
        if self.rules["play"]["go_breaks"]:
            self.lookback = []

    def lay(self, seat: int, card: int) -> tuple[Event, int]:
        """Lay a card. Gives the event, its last-card points still 0, and those points, which are an award apart."""
        points = card_points(self.pile, card, self.rules, self.lookback)
        self.hands[seat].remove(card)
        self.laid.append(card)
        self.pile.append(card)
        self.lookback.append(card)
        event = Event(seat, card, self.count, {**points, "last": 0})
        if not self.pile_is_closed(seat):
            self.turn = (seat + 1) % len(self.hands)
            return event, 0
        last = self.last_points()
        self.close_pile(seat)
        return event, last

    def next_with_cards(self, seat: int) -> int | None:
        """The first seat clockwise, from ``seat`` itself on, that still has cards."""
        for step in range(len(self.hands)):
            candidate = (seat + step) % len(self.hands)
            if self.hands[candidate]:
                return candidate
        return None

    def pile_is_closed(self, seat: int) -> bool:
        """Whether the card just laid by ``seat`` closes the pile."""
        if self.count == self.rules["play"]["limit"]:
            return True
        if not self.anybody_can_add():
            return True
        if self.rules["play"]["piles"] == "single_first_stuck":
            follower = self.next_with_cards(seat + 1)
            return follower is not None and not self.legal(follower)
        return False

    def last_points(self) -> int:
        """What the last card of a pile earns for being last: the extra at the limit, the last-card point below it."""
        play_rules = self.rules["play"]
        if self.count == play_rules["limit"]:
            return int(play_rules["thirtyone_extra"])
        last_of_the_deal = not any(self.hands)
        if last_of_the_deal and not play_rules["final_card_point"]:
            return 0
        return int(play_rules["last"])

    def close_pile(self, last_seat: int) -> None:
        """Turn the pile down and find who leads the next one, if there is one."""
        play_rules = self.rules["play"]
        seat_asked = last_seat + 1
        if play_rules["next_lead"] == "first_go" and self.first_go is not None:
            seat_asked = self.first_go
        leader = self.next_with_cards(seat_asked)
        if leader is None or play_rules["piles"] != "multi":
            self.over = True
        else:
            self.turn = leader
        self.pile = []
        self.first_go = None
        if play_rules["combo_scope"] == "pile":
            self.lookback = []


Chooser = Callable[[Table, int], int]


def play_out(table: Table, board: Board, chooser: Chooser) -> list[Event]:
    """Play until the cards are out or the target is reached; the last-card point is an award of its own."""
    events = []
    while (seat := table.seat_to_lay()) is not None:
        event, last = table.lay(seat, chooser(table, seat))
        events.append(event)
        if board.award("play", seat, event.points):
            break
        if last:
            event.points["last"] = last
            if board.award("play", seat, {"last": last}):
                break
    return events


@dataclass(frozen=True)
class Played:
    """A play: the cards in order, what each seat gained, and whether the target stopped it (``winner``)."""

    events: list[Event]
    gains: list[int]
    stopped: bool
    winner: int | None
    scores: list[int]


def played(board: Board, events: list[Event], before: Sequence[int]) -> Played:
    """Put the result of a play together."""
    gains = [after - start for after, start in zip(board.scores, before, strict=True)]
    return Played(events, gains, board.winner is not None, board.winner, board.scores)


def by_strategies(strategies: Sequence[Strategy], starter: int, key: int) -> Chooser:
    """A chooser that asks the strategy of the seat."""

    def chooser(table: Table, seat: int) -> int:
        return choose(strategies[seat], turn_of(table, seat, starter, key), table.rules)

    return chooser


def turn_of(table: Table, seat: int, starter: int, key: int) -> Turn:
    """The turn of a seat at a table, as the player sees it."""
    known = [starter, *table.laid]
    return Turn(table.hands[seat], table.pile, table.lookback, known, key, seat, len(table.laid))


def play(
    hands: Sequence[Sequence[int]],
    starter: int,
    rules: Rules,
    strategies: Sequence[Strategy],
    key: int,
    scores: Sequence[int] | None = None,
    target: int | None = None,
) -> Played:
    """The play of one deal, each seat by its strategy; with a target it stops at the point that reaches it."""
    before = list(scores or [0] * len(hands))
    board = Board(list(before), target)
    events = play_out(Table(hands, rules), board, by_strategies(strategies, starter, key))
    return played(board, events, before)


def in_order(hands: Sequence[Sequence[int]]) -> Chooser:
    """A chooser that lays each hand in the order given, and raises ValueError when that breaks the rules."""
    waiting = [list(hand) for hand in hands]

    def chooser(table: Table, seat: int) -> int:
        card = waiting[seat].pop(0)
        if card not in table.legal(seat):
            raise ValueError(f"seat {seat} may not lay card {card} at {table.count}; another card of the hand fits")
        return card

    return chooser


def play_in_order(
    hands: Sequence[Sequence[int]],
    rules: Rules,
    scores: Sequence[int] | None = None,
    target: int | None = None,
) -> Played:
    """The play of hands that are each laid in the order given; ValueError if a card is laid that does not fit."""
    before = list(scores or [0] * len(hands))
    board = Board(list(before), target)
    return played(board, play_out(Table(hands, rules), board, in_order(hands)), before)


# ---------------------------------------------------------------------------------------------------------------------
# A whole deal


@dataclass(frozen=True)
class Deal:
    """A deal as far as it went: points by seat and source, scores after it, and who won in which phase, if anybody."""

    points: list[Points]
    scores: list[int]
    winner: int | None
    phase: str | None
    events: list[Event]
    awards: list[Award]


def heels_awards(starter: int, rules: Rules, seats: int) -> list[tuple[int, int]]:
    """Seat and points of each award the starter brings, in order."""
    awards = []
    for turned in rules["turned"]:
        if RANK_LETTERS.index(turned["rank"]) != rank(starter):
            continue
        receivers = {
            "dealer": [seats - 1],
            "eldest": [0],
            "pone": [0],
            "opponents": list(range(seats - 1)),
        }[turned["to"]]
        awards += [(seat, int(turned["points"])) for seat in receivers]
    return awards


def deal_out(hands: Sequence[Sequence[int]], starter: int, rules: Rules, board: Board, chooser: Chooser) -> list[Event]:
    """Heels, play and show in the order of the rules, award by award, until the board has a winner."""
    events: list[Event] = []
    for phase in rules["order"]:
        if phase == "heels":
            for seat, points in heels_awards(starter, rules, len(hands)):
                if board.award("heels", seat, {"heels": points}):
                    return events
        elif phase == "play":
            events = play_out(Table(hands, rules), board, chooser)
            if board.winner is not None:
                return events
        elif phase == "show":
            for seat, hand in enumerate(hands):
                parts = show(hand, starter, rules)
                del parts["total"]
                if board.award("show", seat, parts):
                    return events
        else:
            raise ValueError(f"no such phase: {phase}")
    return events


def points_by_source(awards: Sequence[Award], seats: int) -> list[Points]:
    """What each seat was awarded for what: ``heels``, ``play.fifteen`` …, ``show.fifteens`` …."""
    points = [dict.fromkeys(SOURCES, 0) for _ in range(seats)]
    for award in awards:
        for kind, number in award.points.items():
            points[award.seat]["heels" if kind == "heels" else f"{award.phase}.{kind}"] += number
    return points


def play_deal_with(hands: Sequence[Sequence[int]], starter: int, rules: Rules, board: Board, chooser: Chooser) -> Deal:
    """A whole deal on a board that is brought along, each card by the chooser."""
    events = deal_out(hands, starter, rules, board, chooser)
    points = points_by_source(board.awards, len(hands))
    return Deal(points, board.scores, board.winner, board.phase, events, board.awards)


def play_deal(
    hands: Sequence[Sequence[int]],
    starter: int,
    rules: Rules,
    strategies: Sequence[Strategy],
    key: int,
    scores: Sequence[int] | None = None,
    target: int | None = None,
) -> Deal:
    """A whole deal: by seat, strategies included. Without a target nothing stops it."""
    board = Board(list(scores or [0] * len(hands)), target)
    return play_deal_with(hands, starter, rules, board, by_strategies(strategies, starter, key))


# ---------------------------------------------------------------------------------------------------------------------
# A whole game


@dataclass(frozen=True)
class Game:
    """A game: everything by person, who is numbered by his seat in the first deal."""

    winner: int
    scores: list[int]
    deals: int
    cards: int
    lead_changes: int
    phase: str
    points: list[Points]
    dealers: list[int]


def head_starts(rules: Rules, players: int) -> list[int]:
    """Points before the first card by person."""
    seats = {2: ("eldest", "dealer"), 3: ("eldest", "second", "dealer"), 4: ("eldest", "second", "third", "dealer")}
    return [int(rules["head_start"].get(seat, 0)) for seat in seats[players]]


def next_dealer(rules: Rules, dealer: int, scores: Sequence[int]) -> int:
    """The person who deals next; of equal scores the first to the left of the old dealer, who is asked last himself."""
    players = len(scores)
    way = rules["next_dealer"]
    if way == "same":
        return dealer
    if way == "right":
        return (dealer - 1) % players
    if way == "left":
        return (dealer + 1) % players
    wanted = {"lowest": min, "highest": max}[way](scores)
    from_the_left = [(dealer + step) % players for step in range(1, players + 1)]
    return next(person for person in from_the_left if scores[person] == wanted)


def sole_leader(scores: Sequence[int]) -> int | None:
    """The person who is ahead of all others, or None."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def play_game(seed: int, game: int, players: int, rules: Rules, strategies: Sequence[Strategy]) -> Game:
    """A game up to ``rules["target"]``, one strategy a person."""
    scores = head_starts(rules, players)
    running = list(scores)  # the same scores, brought up to date award by award, to see who leads
    points = [dict.fromkeys(SOURCES, 0) for _ in range(players)]
    dealers = [players - 1]
    cards = lead_changes = 0
    leader = sole_leader(running)  # a head start may give the lead before the first card
    while True:
        dealer = dealers[-1]
        persons = [(dealer + 1 + seat) % players for seat in range(players)]
        key = game_deal_key(seed, game, len(dealers) - 1)
        starter, hands = deal_by_key(key, players, int(rules["hand"]))
        seat_strategies = [strategies[person] for person in persons]
        seat_scores = [scores[person] for person in persons]
        result = play_deal(hands, starter, rules, seat_strategies, key, seat_scores, int(rules["target"]))
        cards += len(result.events)
        for award in result.awards:
            running[persons[award.seat]] += sum(award.points.values())
            ahead = sole_leader(running)
            if ahead is not None and ahead != leader:
                lead_changes += leader is not None
                leader = ahead
        for seat, person in enumerate(persons):
            scores[person] = result.scores[seat]
            for source, number in result.points[seat].items():
                points[person][source] += number
        if result.winner is not None and result.phase is not None:
            winner = persons[result.winner]
            return Game(winner, scores, len(dealers), cards, lead_changes, result.phase, points, dealers)
        dealers.append(next_dealer(rules, dealer, scores))


# ---------------------------------------------------------------------------------------------------------------------
# A duplicate


@dataclass(frozen=True)
class Duplicate:
    """A against B on one deal: by seat and in all; and how often A chose, and B would have chosen another rank."""

    value: int
    seats: list[int]
    decisions: int
    changed: int


def margin(scores: Sequence[int], seat: int) -> int:
    """(n - 1) times a seat's own points, less the points of the others."""
    return len(scores) * scores[seat] - sum(scores)


def duplicate(
    seed: int, deal_number: int, arm: Strategy, baseline: Strategy, against: Strategy, rules: Rules, players: int
) -> Duplicate:
    """The same deal with ``arm`` and then ``baseline`` in each seat in turn, ``against`` in all other seats.

    A decision is a turn of the arm at which he may lay cards of at least two ranks. No target stops the deal.
    """
    key = deal_key(seed, deal_number)
    starter, hands = deal_by_key(key, players, int(rules["hand"]))
    decisions = changed = 0
    seats = []
    for seat in range(players):
        with_arm = [arm if other == seat else against for other in range(players)]
        with_baseline = [baseline if other == seat else against for other in range(players)]
        ask_arm = by_strategies(with_arm, starter, key)

        def watched(table: Table, turn_seat: int, seat: int = seat, ask_arm: Chooser = ask_arm) -> int:
            nonlocal decisions, changed
            card = ask_arm(table, turn_seat)
            if turn_seat == seat and len({rank(one) for one in table.legal(seat)}) >= 2:
                decisions += 1
                other = choose(baseline, turn_of(table, seat, starter, key), rules)
                changed += rank(other) != rank(card)
            return card

        arm_scores = play_deal_with(hands, starter, rules, Board([0] * players), watched).scores
        baseline_scores = play_deal(hands, starter, rules, with_baseline, key).scores
        seats.append(margin(arm_scores, seat) - margin(baseline_scores, seat))
    return Duplicate(sum(seats), seats, decisions, changed)
