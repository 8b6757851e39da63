"""The honest twin, the play: how a card is chosen, who lays it, and what the board says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reference_cards import (
    FIVE,
    RANK_LETTERS,
    TEN,
    Points,
    Rules,
    Strategy,
    count_of,
    draw,
    millionths,
    pips,
    rank,
    sides_of,
)
from reference_points import PLAY_KINDS, card_points, fits, longest_run_tail

# ---------------------------------------------------------------------------------------------------------------------
# Choosing a card


@dataclass(frozen=True)
class Turn:
    """What a player knows when it is his turn, and the words his random choices use.

    ``held`` are his cards; ``known`` the starter, every card laid in this deal and what he has laid away or passed on
    himself; ``laid`` how many have been laid.
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
    return candidates[draw(turn.key, turn.seat, turn.laid, len(candidates))]


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
    """Scores by side; ``winner`` is a side too. Nobody wins while ``target`` is None."""

    scores: list[int]
    target: int | None = None
    winner: int | None = None
    phase: str | None = None
    awards: list[Award] = field(default_factory=list)

    def award(self, phase: str, seat: int, points: Points) -> bool:
        """Give an award to the side of a seat; True if it ends the game."""
        self.awards.append(Award(phase, seat, dict(points)))
        side = seat % len(self.scores)
        self.scores[side] += sum(points.values())
        if self.target is not None and self.scores[side] >= self.target:
            self.winner, self.phase = side, phase
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
    """The cards on the table during the play, and whose turn it is.

    ``put_out`` are the cards that each seat has laid away or passed on before the play.
    """

    def __init__(
        self, hands: Sequence[Sequence[int]], rules: Rules, put_out: Sequence[Sequence[int]] | None = None
    ) -> None:
        self.rules = rules
        self.put_out = put_out or [[] for _ in hands]
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

    @property
    def room(self) -> int:
        """What may still be added to the pile."""
        return int(self.rules["play"]["limit"]) - self.count

    def legal(self, seat: int) -> list[int]:
        """The cards a seat may lay: all that fit, and he must lay one of them."""
        room = self.room
        return [card for card in self.hands[seat] if pips(card) <= room]

    def anybody_can_add(self) -> bool:
        """Whether some seat has a card that fits."""
        room = self.room
        return any(pips(card) <= room for hand in self.hands for card in hand)

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
    """A play: the cards in order, what each side gained, and whether the target stopped it (``winner``, a side)."""

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
    known = [starter, *table.laid, *table.put_out[seat]]
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
    before = list(scores or [0] * sides_of(rules, len(hands)))
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
    before = list(scores or [0] * sides_of(rules, len(hands)))
    board = Board(list(before), target)
    return played(board, play_out(Table(hands, rules), board, in_order(hands)), before)
