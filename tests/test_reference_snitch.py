"""The slow twin of Snitch held against worked examples, exact counts and the flow of its deals."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
import reference_snitch as snitch
from reference_cards import RANK_LETTERS, draw, game_deal_key, mix, shuffle_by_key, word
from reference_snitch import Table

RULES: dict[str, Any] = {
    "players": [3, 4, 5, 6], "target": 1000, "jokers": 4, "joker_pair": False, "response": "free", "refill": "turn",
    "max_sets": 3, "discard_then_set": False, "first_discard": False, "action4": "stack", "deuce_points": 20,
    "deal_end": "all_pass", "tie": "play_on", "values": {"low": 5, "high": 10, "ace": 15, "joker": 50},
}  # fmt: skip
PLAN: dict[str, Any] = {
    "want": "always", "use": "value", "order": "points", "wild": "free", "discard": "low", "watch": False,
}  # fmt: skip
READINGS: dict[str, list[Any]] = {
    "target": [300], "jokers": [2], "joker_pair": [True], "response": ["match_only"], "refill": ["set"],
    "max_sets": [0, 1], "discard_then_set": [True], "first_discard": [True], "action4": ["extend"],
    "deuce_points": [25], "deal_end": ["no_set"], "tie": ["share"],
    "values": [{"low": 6, "high": 10, "ace": 15, "joker": 50}, {"low": 5, "high": 11, "ace": 15, "joker": 50},
               {"low": 5, "high": 10, "ace": 16, "joker": 50}, {"low": 5, "high": 10, "ace": 15, "joker": 49}],
}  # fmt: skip
EACH_READING = [(name, value) for name, values in READINGS.items() for value in values]


def rules(**differences: Any) -> dict[str, Any]:
    return {**RULES, **differences}


def plan(**differences: Any) -> dict[str, Any]:
    return {**PLAN, **differences}


CAREFUL = plan(use="hand", wild="save_for_aces", discard="unpaired_low", watch=True)
CHANCE = plan(use="discard", order="first", discard="random")
GENEROUS = plan(use="hand", order="first", discard="high")
PLANS = [PLAN, CHANCE, CAREFUL, GENEROUS, plan(watch=True, discard="random"), plan(wild="save_for_aces")]


class Pack:
    """Gives out cards written as ranks, each time another card of the rank."""

    def __init__(self) -> None:
        self.given: Counter[int] = Counter()

    def take(self, text: str) -> list[int]:
        ranks = [13 if word == "X" else RANK_LETTERS.index(word) for word in text.split()]
        cards = []
        for rank in ranks:
            cards.append(8 * rank + self.given[rank])
            self.given[rank] += 1
        return cards


def written(cards: Sequence[int]) -> str:
    return " ".join((RANK_LETTERS + "X")[snitch.rank(card)] for card in cards)


def table(
    hands: str, top: str = "", stock: str = "", plans: Mapping[str, Any] = PLAN, own: str = "", **differences: Any
) -> Table:
    """A table at which the first of three seats is to move; ``own`` is a set that it has already laid."""
    pack = Pack()
    held = [sorted(pack.take(hand)) for hand in f"{hands} / / ".split("/")[:3]]
    discards, left = pack.take(top), pack.take(stock)
    made = Table(rules(**differences), [plans] * 3, 1, held, left, discards)
    if own:
        made.sets[0] = pack.take(own)
        made.ranks[0] = [snitch.set_rank(made.rules, *made.sets[0])]
    return made


def after_turn(start: Table) -> Table:
    snitch.take_turn(start)
    return start


def story(played: Table) -> list[str]:
    """The events of a table in words, without the seat."""

    def told(event: tuple[Any, ...]) -> str:
        if event[0] == "set":
            return f"{event[4]} {written([card for card in event[2:4] if card >= 0])} {event[5]}"
        if event[0] in ("discard", "draw"):
            return f"{event[0]} {written(event[2:])}"
        return " ".join(str(part) for part in (event[0], *event[2:]))

    return [told(event) for event in played.events]


def moves(hand: str, top: str = "", own: bool = False, wanted: int | None = None, **differences: Any) -> list[str]:
    """The moves of a hand in words: where from, and the cards that come into the set."""
    pack = Pack()
    cards = pack.take(hand)
    turned = pack.take(top)[0] if top else None
    found = snitch.set_moves(rules(**differences), cards, turned, own, wanted)
    return [
        f"{move[0]} {written([cards[place] for place in move[1:]])}" + (f" {top}" if move[0] == "T" else "")
        for move in found
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Cards


def test_ranks_and_points_of_the_pack() -> None:
    for jokers, points in ((4, 1080), (2, 980)):
        assert sum(snitch.value(RULES, card) for card in range(104 + jokers)) == points
    by_rank = [snitch.value(RULES, card) for card in range(0, 112, 8)]
    assert by_rank == [15, 20, *[5] * 7, *[10] * 4, 50]
    assert snitch.value(rules(deuce_points=25), 8) == 25
    assert [snitch.rank(card) for card in (0, 7, 8, 103, 104, 107)] == [0, 0, 1, 12, 13, 13]
    assert [card for card in range(108) if snitch.is_wild(card)] == [*range(8, 16), *range(104, 108)]


# ---------------------------------------------------------------------------------------------------------------------
# Worked examples

SN_TURNS = [  # id, hand, top discard, stock, what happens, hand cards left of the old ones, hand cards after the turn
    ("SN-1", "5 5 9", "", "K Q J", ["S 5 5 10", "fill 2"], "9", 3),
    ("SN-4", "2 2 7", "", "K Q J", ["S 2 7 25", "fill 2"], "2", 3),
    ("SN-7", "4 9 K", "7", "Q J T", ["discard 4", "draw Q"], "9 K", 3),
    ("SN-9", "6 6 2", "6", "", ["S 2 6 25", "fill 0"], "6", 1),
    ("SN-11", "X X 4", "", "K Q J", ["S 4 X 55", "fill 2"], "X", 3),
    ("SN-13", "5 2 K", "", "Q J T", ["S 2 K 30", "fill 2"], "5", 3),
]


@pytest.mark.parametrize(("name", "hand", "top", "stock", "told", "kept", "left"), SN_TURNS, ids=lambda v: str(v))
def test_every_worked_turn(name: str, hand: str, top: str, stock: str, told: list[str], kept: str, left: int) -> None:
    start = table(hand, top, stock, own="5 5" if name == "SN-13" else "")
    old = start.hands[0]
    after = after_turn(start)
    assert story(after) == told
    assert written([card for card in old if card in after.hands[0]]) == kept and len(after.hands[0]) == left
    assert after.scores == [sum(event[5] for event in after.events if event[0] == "set"), 0, 0]


WORKED_MOVES = [
    ("SN-1", "5 5 9", "", ["S 5 5"]),
    ("SN-2", "8 2 K", "", ["S 8 2", "S 2 K"]),
    ("SN-4", "2 2 7", "", ["S 2 7", "S 2 7"]),
    ("SN-7", "4 9 K", "7", []),
    ("SN-9", "6 6 2", "", ["S 6 6", "S 6 2", "S 6 2"]),
    ("SN-9 with its discard", "6 6 2", "6", ["S 6 6", "S 6 2", "S 6 2", "T 6 6", "T 6 6", "T 2 6"]),
    ("SN-11", "X X 4", "", ["S X 4", "S X 4"]),
    ("SN-14", "2 9 K", "", ["S 2 9", "S 2 K"]),
    ("8-3", "3 8", "", []),
    ("2-joker", "2 X", "X", []),
    ("wild top discard", "3 2 X", "2", ["S 3 2", "S 3 X", "T 3 2"]),
]


@pytest.mark.parametrize(("name", "hand", "top", "expected"), WORKED_MOVES, ids=lambda v: str(v))
def test_what_may_be_laid(name: str, hand: str, top: str, expected: list[str]) -> None:
    assert moves(hand, top) == expected


def test_a_player_may_choose_the_smaller_set() -> None:  # SN-2, SN-13
    assert story(after_turn(table("8 2 K", stock="Q Q Q"))) == ["S 2 K 30", "fill 2"]
    nine_first = table("8 2 K", stock="Q Q Q", plans=plan(order="first"))
    assert story(after_turn(nine_first)) == ["S 2 8 25", "fill 2"]
    five = table("5 2 K", stock="Q Q Q", plans=plan(order="first"), own="5 5")
    assert story(after_turn(five)) == ["S 2 5 25", "fill 2"]


def test_the_discard_is_dead_when_the_stock_is_gone() -> None:  # SN-9
    start = table("6 6 2", "6", plans=plan(order="first"))
    assert story(after_turn(start)) == ["S 2 6 25", "fill 0"]
    start.turn = 3
    assert story(after_turn(start))[2:] == ["pass"] and len(start.hands[0]) == 1
    assert after_turn(table("6 7 9", "6")).events == [("pass", 0)]


def test_two_jokers() -> None:  # SN-11
    assert moves("X X", "X") == []
    assert moves("X X", "X", joker_pair=True) == ["S X X", "T X X", "T X X"]
    assert moves("2 2 X", "2", joker_pair=True) == []
    assert story(after_turn(table("4 X X", stock="K K K", joker_pair=True))) == ["S X X 100", "fill 2"]


def test_a_wild_card_may_extend_a_set() -> None:  # SN-14
    assert moves("2 9 K", own=True) == ["S 2 9", "S 2 K"]
    assert moves("2 9 X", own=True, action4="extend") == ["S 2 9", "S 9 X", "E 2", "E X"]
    assert moves("2 9 X", own=False, action4="extend") == ["S 2 9", "S 9 X"]
    start = table("2 X", own="5 5", action4="extend")
    assert story(after_turn(start)) == ["E X 50", "E 2 20", "fill 0"]
    assert start.events[0][2:4] == (start.sets[0][2], -1)
    assert start.scores[0] == 70 and len(start.sets[0]) == 4 and start.hands[0] == []
    assert after_turn(table("2 X", own="5 5")).events == [("pass", 0)]


# ---------------------------------------------------------------------------------------------------------------------
# Exact counts


def hands_with_a_set(jokers: int, joker_pair: bool) -> Fraction:
    """The part of all deals of three cards that hold a set: the cards of a rank are alike."""
    shape = rules(jokers=jokers, joker_pair=joker_pair)
    found = 0
    for ranks in itertools.combinations_with_replacement(range(14), 3):
        hand = [8 * rank + number for number, rank in enumerate(ranks)]
        if snitch.set_moves(shape, hand, None, False, None):
            found += math.prod(
                math.comb(jokers if rank == 13 else 8, times) for rank, times in Counter(ranks).items()
            )  # fmt: skip
    return Fraction(found, math.comb(104 + jokers, 3))


def test_how_often_three_cards_hold_a_set() -> None:
    assert hands_with_a_set(4, False) == Fraction(91296, 204156) == Fraction(2536, 5671)
    assert hands_with_a_set(4, True) == Fraction(22837, 51039)
    assert hands_with_a_set(2, False) == Fraction(2004, 4823)
    assert hands_with_a_set(2, True) == Fraction(10021, 24115)


# ---------------------------------------------------------------------------------------------------------------------
# Dealing and the turn


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize(("jokers", "first_discard"), [(4, False), (2, True)])
def test_how_the_cards_are_dealt(players: int, jokers: int, first_discard: bool) -> None:
    key = game_deal_key(5, 6, 7)
    cards = shuffle_by_key(key, 104 + jokers, 104 + jokers)
    start = snitch.new_table(rules(jokers=jokers, first_discard=first_discard), [PLAN] * players, key)
    for seat in range(players):
        assert start.hands[seat] == sorted([cards[seat], cards[seat + players], cards[seat + 2 * players]])
    dealt = 3 * players
    assert start.discards == cards[dealt:][: int(first_discard)]
    assert start.stock == cards[dealt + first_discard :]


def test_three_sets_in_a_turn() -> None:
    # Each hand card meets a new top discard, which leaves the pile; both cards count.
    hand, top, stock = "5 8 K", "5 8 K", "3 4 3 Q J"
    start = table(hand, top, stock)
    assert story(after_turn(start)) == ["T K K 20", "T 8 8 10", "T 5 5 10", "fill 3"]
    assert start.discards == [] and start.scores == [40, 0, 0] and len(start.sets[0]) == 6
    assert story(after_turn(table(hand, top, stock, max_sets=1))) == ["T K K 20", "fill 1"]
    by_set = ["T K K 20", "fill 1", "T 8 8 10", "fill 1", "T 5 5 10", "fill 1"]
    assert story(after_turn(table(hand, top, stock, refill="set"))) == by_set
    no_limit = table(hand, top, stock, refill="set", max_sets=0)
    assert story(after_turn(no_limit)) == [*by_set, "S 3 3 10", "fill 2"]


def test_a_fill_takes_what_is_left() -> None:
    assert story(after_turn(table("5 5 9", stock="K"))) == ["S 5 5 10", "fill 1"]


def test_discard_and_then_a_set() -> None:
    start = ("5 8 K", "", "K Q Q")
    assert story(after_turn(table(*start))) == ["discard 5", "draw K"]
    assert story(after_turn(table(*start, discard_then_set=True))) == ["discard 5", "draw K", "S K K 20", "fill 2"]
    # No discard after a set in the same turn, and nothing to lay is no fill.
    assert story(after_turn(table("5 5 K", "", "T Q Q", discard_then_set=True))) == ["S 5 5 10", "fill 2"]
    assert story(after_turn(table("5 8 K", "", "T Q Q", discard_then_set=True))) == ["discard 5", "draw T"]
    # His own discard lies on top of the pile, also when he drew the last card.
    again = table("5 8 K", "", "5", discard_then_set=True)
    assert story(after_turn(again)) == ["discard 5", "draw 5", "T 5 5 10", "fill 0"]


def test_an_answer_must_match() -> None:
    def turns(hands: str, **differences: Any) -> list[str]:
        played = table(hands, stock="3 4 6 7 8 J", **differences)
        return story(after_turn(after_turn(after_turn(played))))

    kings, fives = "5 5 9 / K K 5 / Q Q 9", "5 5 9 / K 5 5 / Q Q 9"
    assert turns(kings) == ["S 5 5 10", "fill 2", "S K K 20", "fill 2", "S Q Q 20", "fill 2"]
    # Who must not lay his kings discards, and the next is free again.
    assert turns(kings, response="match_only") == [
        "S 5 5 10", "fill 2", "discard 5", "draw 6", "S Q Q 20", "fill 2",
    ]  # fmt: skip
    assert turns(fives, response="match_only") == [
        "S 5 5 10", "fill 2", "S 5 5 10", "fill 2", "discard 9", "draw 8",
    ]  # fmt: skip


def test_what_is_wanted() -> None:
    # Of several sets the last one asks, and a pair of jokers asks for its like.
    start = table("5 K K", "5", "3 4 6 7 8", response="match_only")
    assert story(after_turn(start)) == ["S K K 20", "T 5 5 10", "fill 3"] and start.wanted == 4
    jokers = table("X X / 5 5 X", stock="3 4 6 7 8", joker_pair=True, response="match_only")
    assert after_turn(jokers).wanted == 13
    assert story(after_turn(jokers))[2:] == ["discard 5", "draw 7"] and jokers.wanted is None
    assert after_turn(table("5 K K", "5", "3 4 6 7 8")).wanted is None
    assert moves("X X 2", "5", wanted=13, joker_pair=True) == ["S X X"]
    assert moves("5 5 X K", "5", wanted=4) == ["S 5 5", "S 5 X", "S 5 X", "T 5 5", "T 5 5", "T X 5"]


def test_a_card_that_extends_neither_asks_nor_answers() -> None:
    assert moves("2 9 9", own=True, wanted=4, action4="extend") == []
    start = table("2 7 K", stock="3 4 6", own="5 5", plans=plan(use="hand"), action4="extend", response="match_only")
    start.hands[0] = start.hands[0][:1]
    assert story(after_turn(start)) == ["E 2 20", "fill 3"] and start.wanted is None


def test_an_unanswered_set_leaves_the_next_player_free() -> None:
    start = table("5 5 / K K / Q Q", response="match_only")
    for _ in range(3):
        after_turn(start)
    assert [event[:2] for event in start.events] == [
        ("set", 0), ("fill", 0), ("pass", 1), ("set", 2), ("fill", 2),
    ]  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------------
# Choices


@pytest.mark.parametrize(
    ("hand", "top", "differences", "expected"),
    [
        ("5 5 K", "K", {"use": "hand"}, "S 5 5 10"),
        ("5 5 K", "K", {"use": "discard"}, "T K K 20"),
        ("5 5 K", "K", {"use": "value"}, "T K K 20"),
        ("5 5 K", "K", {"use": "value", "order": "first"}, "S 5 5 10"),
        ("5 8 K", "K", {"use": "hand"}, "T K K 20"),
        ("5 5 K", "9", {"use": "discard"}, "S 5 5 10"),
        ("5 5 K K", "9", {"order": "first"}, "S 5 5 10"),
        ("5 5 K K", "9", {}, "S K K 20"),
        ("A 2 K", "9", {}, "S A 2 35"),
        ("5 5 6 6", "9", {}, "S 5 5 10"),
        ("A 2 K", "9", {"wild": "save_for_aces"}, "S A 2 35"),
        ("5 2 K", "9", {"wild": "save_for_aces"}, "discard 5"),
        ("5 5 2", "9", {"wild": "save_for_aces"}, "S 5 5 10"),
        ("5 5 2", "9", {}, "S 2 5 25"),
        ("5 6 K", "2", {"wild": "save_for_aces"}, "discard 5"),
        ("A 6 K", "2", {"wild": "save_for_aces"}, "T A 2 35"),
        ("2 6 K", "A", {"wild": "save_for_aces"}, "T 2 A 35"),
        ("5 6 2", "2", {"wild": "save_for_aces", "use": "hand"}, "discard 5"),
        ("2 5 6 6", "5", {"wild": "save_for_aces", "use": "hand"}, "S 6 6 10"),
        ("2 5 7 6", "5", {"wild": "save_for_aces", "use": "hand"}, "T 5 5 10"),
    ],
)
def test_which_set_is_laid(hand: str, top: str, differences: dict[str, Any], expected: str) -> None:
    assert story(after_turn(table(hand, top, "J J J", plan(**differences))))[0] == expected


def test_saved_wild_cards_are_free_at_the_end() -> None:
    saving = plan(wild="save_for_aces")
    assert story(after_turn(table("5 2 K", plans=saving)))[0] == "S 2 K 30"
    assert story(after_turn(table("5 2 K", stock="3", plans=saving))) == ["discard 5", "draw 3"]
    # With a refill after each set the stock may run out before the turn does.
    start = table("5 5 X", stock="3 4", plans=saving, refill="set")
    assert story(after_turn(start)) == ["S 5 5 10", "fill 2", "S 3 X 55", "fill 0"]
    waiting: dict[str, Any] = {"joker_pair": True, "action4": "extend", "plans": saving}
    assert story(after_turn(table("5 X X", stock="3 4", own="5 5", **waiting))) == ["discard 5", "draw 3"]
    assert story(after_turn(table("5 X X", own="5 5", **waiting))) == ["S X X 100", "fill 0"]


def test_a_wild_card_extends_after_all_else() -> None:
    # As a pair it is worth more, so only the order of the sources can put the set of the hand off.
    for use, first in (("hand", "S 2 K 30"), ("discard", "S 2 K 30"), ("value", "S 2 K 30")):
        start = table("2 K 6", stock="3 4", own="5 5", plans=plan(use=use), action4="extend")
        assert story(after_turn(start))[0] == first
    start = table("2 6 6", stock="3 4", own="5 5", plans=plan(use="value"), action4="extend")
    assert story(after_turn(start)) == ["S 2 6 25", "fill 2"]
    start = table("X 6 6", stock="3 4", own="5 5", plans=plan(use="hand", order="first"), action4="extend")
    assert story(after_turn(start)) == ["S 6 6 10", "E X 50", "fill 2"]


@pytest.mark.parametrize(
    ("hand", "next_ranks", "differences", "expected"),
    [
        ("5 9 K", [], {}, 0), ("9 5 K", [], {}, 0), ("A K Q", [], {}, 1), ("A 2 4", [], {}, 2), ("2 2 X", [], {}, 0),
        ("2 2 X", [], {"watch": True}, 0), ("X X 2", [], {}, 0),
        ("5 9 K", [], {"discard": "high"}, 2), ("A K Q", [], {"discard": "high"}, 0),
        ("K Q 5", [], {"discard": "high"}, 1), ("A 2 X", [], {"discard": "high"}, 0),
        ("2 2 X", [], {"discard": "high"}, 2), ("2 X X", [], {"discard": "high", "watch": True}, 1),
        ("5 5 K", [], {"discard": "unpaired_low"}, 2), ("5 6 K", [], {"discard": "unpaired_low"}, 0),
        ("5 5 5", [], {"discard": "unpaired_low"}, 0), ("5 5 2", [], {"discard": "unpaired_low"}, 1),
        ("2 2 X", [], {"discard": "unpaired_low"}, 0), ("5 5 K", [], {}, 0),
        ("5 9 K", [4], {}, 0), ("5 9 K", [4], {"watch": True}, 1), ("5 9 K", [4, 8], {"watch": True}, 2),
        ("5 9 K", [4, 8, 12], {"watch": True}, 0), ("5 Q K", [12], {"discard": "high", "watch": True}, 1),
        ("5 2 X", [4], {"watch": True}, 1), ("5 5 K", [12], {"discard": "unpaired_low", "watch": True}, 0),
        ("5 5 K", [4], {"discard": "unpaired_low", "watch": True}, 2), ("A K X", [0], {"watch": True}, 1),
    ],
)  # fmt: skip
def test_which_card_is_discarded(hand: str, next_ranks: list[int], differences: dict[str, Any], expected: int) -> None:
    start = table(hand, stock="J", plans=plan(**differences))
    start.ranks[1] = [*next_ranks]
    # The ranks of the player after the next one play no part.
    start.ranks[2] = [rank for rank in range(13) if rank not in next_ranks]
    assert snitch.choose_discard(start, 0) == start.hands[0][expected]


def test_the_last_seat_is_followed_by_the_first() -> None:
    start = table("/ / 5 9 K", plans=plan(watch=True))
    start.ranks[0] = [4]
    assert snitch.choose_discard(start, 2) == start.hands[2][1]


def test_random_discards_use_the_words_of_the_turn() -> None:
    for watch, places in ((False, [0, 1, 2, 3]), (True, [0, 3])):
        start = table("A 2 5 K", plans=plan(discard="random", watch=watch))
        start.ranks[1] = [4]
        cards = [start.hands[0][place] for place in places]
        seen = set()
        for start.turn in range(40):
            found = snitch.choose_discard(start, 0)
            assert found == cards[draw(1, start.turn, 0, len(cards))]
            seen.add(found)
        assert seen == set(cards)


def test_taken_ranks_are_those_of_the_sets() -> None:
    start = after_turn(table("5 2 / 9 K 4", "K", "3 3 3 3 3", plan(use="discard")))
    assert start.ranks == [[12], [], []]
    assert start.events[0][2:5] == (start.sets[0][0], start.sets[0][1], "T")


# ---------------------------------------------------------------------------------------------------------------------
# The end of deals and games


def play_out(start: Table) -> list[tuple[Any, ...]]:
    while not snitch.deal_is_over(start):
        snitch.take_turn(start)
    return [event[:2] for event in start.events]


def test_a_deal_ends_when_all_pass() -> None:
    passes = [("pass", 1), ("pass", 2), ("pass", 0)]
    assert play_out(table("5 5 9 / K 4 / Q")) == [("set", 0), ("fill", 0), *passes]
    assert play_out(table("5 9 / K 4 / Q")) == [("pass", 0), *passes[:2]]


def test_a_deal_ends_when_all_hands_are_empty() -> None:
    assert play_out(table("5 5 / / ")) == [("set", 0), ("fill", 0)]
    assert play_out(table("5 5 / K K / ")) == [("set", 0), ("fill", 0), ("set", 1), ("fill", 1)]


def test_a_deal_may_end_when_no_set_is_left() -> None:
    assert play_out(table("5 5 9 / K 4 / Q", deal_end="no_set")) == [("set", 0), ("fill", 0)]
    assert play_out(table("5 9 / K 4 / Q", deal_end="no_set")) == []
    assert play_out(table("9 / K 4 / Q Q", deal_end="no_set")) == [
        ("pass", 0), ("pass", 1), ("set", 2), ("fill", 2),
    ]  # fmt: skip
    # A wild card alone may still join a set.
    single: dict[str, Any] = {"own": "5 5", "action4": "extend", "deal_end": "no_set"}
    assert play_out(table("2 / K / Q", **single)) == [("set", 0), ("fill", 0)]
    assert play_out(table("9 / 2 / Q", **single)) == []
    # A rank that is wanted only puts a set off.
    held_up = table("5 5 / K K / 9", response="match_only", deal_end="no_set")
    assert play_out(held_up)[2:] == [("pass", 1), ("pass", 2), ("pass", 0), ("set", 1), ("fill", 1)]


def test_a_deal_does_not_end_while_there_are_cards() -> None:
    assert not snitch.deal_is_over(table("5 9 K / 4 8 Q / 3 7 J", stock="T", deal_end="no_set"))


def test_a_deal_has_so_many_turns() -> None:
    start = table("5 9 K / 4 8 Q / 3 7 J", stock="T")
    start.turn = 399
    assert not snitch.deal_is_over(start)
    start.turn = 400
    assert snitch.deal_is_over(start)


def test_who_has_won() -> None:
    assert snitch.winners(RULES, [999, 998, 3]) == ()
    assert snitch.winners(RULES, [1000, 998, 3]) == (0,)
    assert snitch.winners(RULES, [1000, 998, 1005]) == (2,)
    assert snitch.winners(RULES, [1005, 998, 1005]) == ()
    assert snitch.winners(rules(tie="share"), [1005, 998, 1005]) == (0, 2)
    assert snitch.winners(rules(tie="share"), [995, 995, 995]) == ()


def tie_of(number: int, shape: dict[str, Any]) -> tuple[list[tuple[Any, ...]], list[int]]:
    return snitch.play_game(shape, [PLAN] * 3, 9, number)


def test_ties_are_played_on_or_shared() -> None:
    shared, played_on = rules(target=100, tie="share"), rules(target=100)
    games = (number for number in range(300) if len(tie_of(number, shared)[0][-1][1]) > 1)
    number = next(games)
    events, totals = tie_of(number, shared)
    longer, final = tie_of(number, played_on)
    won = events[-1][1]
    assert {totals[person] for person in won} == {max(totals)} and totals.count(max(totals)) == len(won)
    assert longer[: len(events) - 1] == events[:-1] and len(longer) > len(events)
    assert final.count(max(final)) == 1 and longer[-1] == ("game", (final.index(max(final)),))


def test_a_game_that_nobody_wins_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snitch, "MOST_TURNS", 0)
    events, totals = snitch.play_game(RULES, [PLAN] * 3, 1, 1)
    deals = [event for event in events if event[0] == "deal"]
    assert [number for _, number, _ in deals] == list(range(1000)) and totals == [0, 0, 0]
    assert events[-2:] == [("deal_end", (0, 0, 0)), ("game", ())]


def test_the_first_dealer_is_drawn_by_lot() -> None:
    key = mix(mix(7, 1), 0)
    assert snitch.first_dealer(key, 5) == 5 * word(key, 2, 0) // 2**57
    for players in (3, 4, 5, 6):
        drawn = Counter(snitch.first_dealer(mix(mix(7, 1), game), players) for game in range(600))
        assert sorted(drawn) == list(range(players))
        assert all(abs(times - 600 / players) < 5 * math.sqrt(600 / players) for times in drawn.values())


# ---------------------------------------------------------------------------------------------------------------------
# Whole games


def cards_at(now: Table) -> list[int]:
    return sorted(itertools.chain(*now.hands, *now.sets, now.stock, now.discards))


def turns_of(shape: dict[str, Any], players: int, number: int) -> Iterator[tuple[Table, list[tuple[Any, ...]]]]:
    """The table after each turn of a deal, with what happened in the turn."""
    now = snitch.new_table(shape, PLANS[:players], game_deal_key(4, players, number))
    while not snitch.deal_is_over(now):
        before = len(now.events)
        snitch.take_turn(now)
        yield now, now.events[before:]


@pytest.mark.parametrize(("name", "value"), [("players", [3]), *EACH_READING])
def test_no_card_is_lost_at_any_turn(name: str, value: Any) -> None:
    for players, number in itertools.product((3, 6), range(2)):
        shape = rules(**{name: value})
        for now, happened in turns_of(shape, players, number):
            assert cards_at(now) == list(range(104 + shape["jokers"]))
            assert all(hand == sorted(hand) and len(hand) <= 3 for hand in now.hands)
            assert not now.stock or all(len(hand) == 3 for hand in now.hands)
            kinds = [event[0] for event in happened]
            assert kinds.count("set") <= (shape["max_sets"] or 99)
            assert ("set" in kinds) == ("fill" in kinds)
            assert kinds.count("discard") == kinds.count("draw") == ("discard" in kinds)
            assert ("pass" in kinds) + ("discard" in kinds) + ("set" in kinds) == 1 or shape["discard_then_set"]
            for points, cards in zip(now.scores, now.sets, strict=True):
                assert points == sum(snitch.value(shape, card) for card in cards)


def differ(
    one: tuple[dict[str, Any], list[dict[str, Any]]], other: tuple[dict[str, Any], list[dict[str, Any]]]
) -> bool:
    """Whether one of the first games goes another way under other rules or plans."""
    return any(snitch.play_game(*one, 9, game) != snitch.play_game(*other, 9, game) for game in range(200))


def test_a_game_is_the_same_again() -> None:
    first, again = (snitch.play_game(RULES, PLANS, 9, 1) for _ in range(2))
    assert first == again


@pytest.mark.parametrize(("name", "value"), EACH_READING)
def test_every_reading_changes_something(name: str, value: Any) -> None:
    # Ties come in short games, and more than three sets only with a refill after each.
    base = rules(target=100 if name == "tie" else 1000, refill="set" if name == "max_sets" else "turn")
    plans = [PLAN] * 3 if name in ("tie", "joker_pair") else PLANS[:4]
    assert differ((base, plans), (base | {name: value}, plans))


@pytest.mark.parametrize(
    "differences",
    [
        {"use": "hand"}, {"use": "discard"}, {"order": "first"}, {"wild": "save_for_aces"}, {"discard": "high"},
        {"discard": "random"}, {"discard": "unpaired_low"}, {"watch": True},
    ],
    ids=str,
)  # fmt: skip
def test_every_part_of_a_plan_changes_something(differences: dict[str, Any]) -> None:
    # All wild cards free and every set laid, a pair is never in hand when a card is discarded, unless it may not go.
    base = rules(response="match_only")
    assert differ((base, [PLAN] * 3), (base, [plan(**differences)] * 3))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_how_games_go_from_deal_to_deal(players: int) -> None:
    for game in range(2):
        events, totals = snitch.play_game(RULES, PLANS[:players], 3, game)
        first = snitch.first_dealer(mix(mix(3, 1), game), players)
        deals = [event for event in events if event[0] == "deal"]
        assert deals == [("deal", number, (first + number) % players) for number in range(len(deals))]
        counted, dealer = [0] * players, -1
        for event in events:
            if event[0] == "deal":
                dealer = event[2]
            if event[0] == "set":
                counted[(dealer + 1 + event[1]) % players] += event[5]
            if event[0] == "deal_end":
                assert event[1] == tuple(counted)
        assert counted == totals
        assert events[-1] == ("game", (totals.index(max(totals)),)) and max(totals) >= 1000
        ends = [event[1] for event in events if event[0] == "deal_end"]
        assert all(max(end) < 1000 or end.count(max(end)) > 1 for end in ends[:-1])
