"""Plays in a given order and replayed deals and games, card by card, held against the worked examples and the twin."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pytest
import reference
from bugs_cases import PLAY_CASES, PlayCase, rules_with
from hypothesis import given, settings
from hypothesis import strategies as st
from table import as_data

from noddysim.engine import replay as replays
from noddysim.engine.peg import peg
from noddysim.engine.record import EVENT_KINDS, PegRecord
from noddysim.engine.replay import replay, replay_deal, replay_game
from noddysim.game.cards import format_card
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant

NODDY = load_variant("noddy")


def kinds(played: PegRecord) -> list[list[str]]:
    """What each card scored for."""
    return [list(event.parts) for event in played.events]


# --- cards in a given order -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", PLAY_CASES, ids=lambda case: case.id)
def test_worked_play_examples(case: PlayCase) -> None:
    target = {} if case.target is None else {"target": case.target}
    played = peg(case.hands, NODDY.replace(**{**case.rules, **target}), case.start)
    assert tuple(event.points for event in played.events) == case.points
    assert played.points == case.gain
    assert played.winner == (None if case.winner is None else case.winner + 1)
    if case.seats is not None:
        assert tuple(event.seat - 1 for event in played.events) == case.seats
    before = case.start or (0,) * len(case.gain)
    assert played.scores == tuple(a + b for a, b in zip(before, case.gain, strict=True))
    for event in played.events:
        assert sum(event.parts.values()) == event.points
        assert set(event.parts) <= set(EVENT_KINDS)


def test_json_of_a_play() -> None:
    data = peg("7H 3C KD / 8S 5D 2H").to_json()
    assert data["events"] == [
        {"seat": 1, "card": "7H", "count": 7, "points": 0, "for": []},
        {"seat": 2, "card": "8S", "count": 15, "points": 2, "for": ["fifteen"]},
        {"seat": 1, "card": "3C", "count": 18, "points": 0, "for": []},
        {"seat": 2, "card": "5D", "count": 23, "points": 0, "for": []},
        {"seat": 2, "card": "2H", "count": 25, "points": 1, "for": ["last"]},
        {"seat": 1, "card": "KD", "count": 10, "points": 1, "for": ["last"]},
    ]
    assert {key: data[key] for key in data if key != "events"} == {"points": [1, 3], "scores": [1, 3], "winner": None}


def test_kinds_have_the_names_of_the_game() -> None:
    assert kinds(peg("3H 3D 9C / 3S 3C TC")) == [[], ["pair"], ["pair-royal"], ["double-pair-royal"], [], ["thirtyone"]]
    assert kinds(peg("5H 8C KS / 5S 7D 2H / 5D 6C JH"))[2] == ["fifteen", "pair-royal"]
    assert kinds(peg("5H 4C 7S / 6D 3H JD"))[2:] == [["fifteen", "run"], ["run"], ["run", "last"], ["last"]]


def test_twentyfive_and_the_extra_for_thirtyone_are_named() -> None:
    rules = NODDY.replace(play={"twentyfive": "per_card", "thirtyone_extra": 1})
    assert peg("5H 4C 7S / 6D 3H JD", rules).events[4].parts == {"twentyfive": 5, "run": 5, "last": 1}
    assert peg("3H 3D 9C / 3S 3C TC", rules).events[-1].parts == {"thirtyone": 2, "last": 1}


def test_a_pair_royal_is_one_even_where_it_pays_as_a_pair() -> None:
    rules = NODDY.replace(play={"same_rank": [2, 2, 2]})
    assert kinds(peg("3H 3D 9C / 3S 3C TC", rules))[1:4] == [["pair"], ["pair-royal"], ["double-pair-royal"]]
    unpaid = NODDY.replace(play={"same_rank": [0, 6, 12]})
    assert kinds(peg("3H 3D 9C / 3S 3C TC", unpaid))[1:4] == [[], ["pair-royal"], ["double-pair-royal"]]


def test_equal_cards_are_named_by_the_look_back_of_the_rules() -> None:
    # At 24 the dealer cannot add to the pile, so the pone lays both his fours; a go that breaks leaves no pair.
    hands = "KH 4C 4D / QS JD TD"
    assert kinds(peg(hands))[3] == ["pair", "last"]
    assert kinds(peg(hands, NODDY.replace(play={"go_breaks": True})))[3] == ["last"]
    # Across piles: K at 30 ends the first pile, the next begins with a king.
    hands = "TH KD 3C / QS KC 9H"
    assert kinds(peg(hands))[3] == []
    assert kinds(peg(hands, NODDY.replace(play={"combo_scope": "deal"})))[3] == ["pair"]


def test_the_play_stops_at_the_target() -> None:
    played = peg("7h 8d Kc / 8s 5c 2d", scores=[29, 25])
    assert len(played.events) == 3
    assert played.winner == 1 and played.scores == (31, 27) and played.points == (2, 2)
    assert played.unplayed == (("KC",), ("5C", "2D"))


def test_what_one_pile_leaves_is_unplayed() -> None:
    played = peg("7H 3C KD / 8S 5D 2H", NODDY.replace(play={"piles": "single"}))
    assert played.unplayed == (("KD",), ())
    assert len(played.events) == 5


def test_hands_may_be_lists() -> None:
    assert peg([["7H", "3C", "KD"], "8S 5D 2H"]) == peg("7H 3C KD / 8S 5D 2H")


@pytest.mark.parametrize(
    ("hands", "scores", "says"),
    [
        ("7H KH 2D / 8S TC 5C", None, "cannot lay TC: the count would go from 25 to 35, past 31; he must lay 5C"),
        ("7H 3C KD", None, "noddy is played by 2 or 3 or 4, and there is 1 hand"),
        ("7H 3C KD / 8S 5D 2H / 2D 3D 4D / 5H 6H 9H / TC JC QC", None, "and there are 5"),
        ("7H 3C / 8S 5D 2H", None, "the pone has 2 cards: 7H 3C"),
        ("7H 3C KD / 8S 5D 2H 4C", None, "the dealer has 4 cards: 8S 5D 2H 4C"),
        ("7H 3C KD / / 8S 5D 2H", None, "the second has no card"),
        ("7H 3C KD / 8S 5D 7H", None, "card 7H is given twice"),
        ("7H 3C KD / 8S 5D 2Y", None, "no such card: '2Y'"),
        ("7H 3C X / 8S 5D 2H", None, "no joker"),
        ("7H 3C KD / 8S 5D 2H", [1], "2 hands need 2 scores, the eldest's first; 1 given"),
        (None, None, "None are no hands"),
        ("7H 3C KD / 8S 5D 2H", [31, 0], "the score of the pone"),
        ("7H 3C KD / 8S 5D 2H", [0, -1], "score of the dealer, below the target, must be a whole number from 0 to 30"),
        ("7H 3C KD / 8S 5D 2H", [0, 1.5], "not 1.5"),
    ],
)  # fmt: skip
def test_bad_plays_are_refused(hands: str, scores: list[int] | None, says: str) -> None:
    with pytest.raises(InputError) as caught:
        peg(hands, scores=scores)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@given(cards=st.permutations(range(52)), players=st.integers(2, 4))
@settings(max_examples=60)
def test_any_order_is_scored_or_refused_as_by_the_twin(cards: list[int], players: int) -> None:
    hands = [cards[3 * seat : 3 * seat + 3] for seat in range(players)]
    try:
        expected = reference.play_in_order(hands, rules_with({}))
    except ValueError:
        with pytest.raises(InputError, match="cannot lay"):
            peg(hands)
        return
    played = peg(hands)
    assert [(e.seat - 1, e.card, e.count, e.points) for e in played.events] == [
        (e.seat, format_card(e.card), e.count, e.total) for e in expected.events
    ]
    assert list(played.points) == expected.gains


# --- replayed deals ---------------------------------------------------------------------------------------------------

REPLAYS: list[tuple[Mapping[str, Any], int, list[str]]] = [
    ({}, 2, ["greedy", "lookahead"]),
    ({}, 3, ["greedy-random", "random", "lead-low@greedy-random"]),
    ({"order": ["heels", "show", "play"], "play": {"piles": "single"}}, 4, ["low", "high", "greedy-safe", "random"]),
]


@pytest.mark.parametrize(("rules", "players", "names"), REPLAYS, ids=str)
def test_a_replayed_deal_is_the_twins(rules: Mapping[str, Any], players: int, names: list[str]) -> None:
    for number in range(12):
        played = replay_deal(NODDY.replace(**rules), 1589, number, players, names).deal
        starter, hands = reference.deal(1589, number, players)
        twins = [as_data(name) for name in names]
        key = reference.deal_key(1589, number)
        expected = reference.play_deal(hands, starter, rules_with(rules), twins, key)
        assert played.starter == format_card(starter)
        assert [set(hand) for hand in played.hands] == [set(map(format_card, hand)) for hand in hands]
        assert [(e.seat - 1, e.card, e.count, e.points) for e in played.events] == [
            (e.seat, format_card(e.card), e.count, e.total) for e in expected.events
        ]
        assert list(played.points) == expected.scores
        assert list(played.heels) == [points["heels"] for points in expected.points]
        for shown in played.shows:
            source = expected.points[shown.seat - 1]
            assert shown.parts == {kind: source[f"show.{kind}"] for kind in shown.parts}
            assert shown.total == sum(shown.parts.values())
        assert len(played.shows) == players and played.ended is None


def test_json_of_a_replayed_deal() -> None:
    data = replay_deal("noddy", 1589, 7).to_json()
    assert set(data) == {
        "variant", "players", "seed", "deal", "persons", "strategies", "starter", "hands", "heels", "events", "show",
        "points", "scores", "ended",
    }  # fmt: skip
    assert (data["variant"], data["players"], data["seed"], data["deal"]) == ("noddy", 2, 1589, 7)
    assert data["strategies"] == ["greedy", "greedy"] and data["persons"] == [1, 2]
    assert len(data["events"]) == 6 and [shown["seat"] for shown in data["show"]] == [1, 2]


def test_one_strategy_serves_all_seats() -> None:
    assert replay_deal("noddy", 3, 4, 3, "low") == replay_deal("noddy", 3, 4, 3, ["low"] * 3)
    assert replay_deal("noddy", 3, 4, 3, [parse_strategy("low")]) == replay_deal("noddy", 3, 4, 3, "low")


def test_the_greatest_seed_and_number_have_a_deal() -> None:
    played = replay_deal("noddy", 2**64 - 1, 2**63 - 1)
    starter, _ = reference.deal(2**64 - 1, 2**63 - 1, 2)
    assert played.deal.starter == format_card(starter)


# --- replayed games ---------------------------------------------------------------------------------------------------

GAMES: list[tuple[Mapping[str, Any], int, list[str]]] = [
    ({}, 2, ["lookahead", "greedy"]),
    ({}, 3, ["greedy-random", "low", "high"]),
    ({"next_dealer": "lowest", "target": 61}, 4, ["greedy", "greedy", "random", "low"]),
    ({"next_dealer": "same", "head_start": {"eldest": 5, "dealer": 2}, "order": ["heels", "show", "play"]}, 2,
     ["greedy", "random"]),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "players", "names"), GAMES, ids=str)
def test_a_replayed_game_is_the_twins(rules: Mapping[str, Any], players: int, names: list[str]) -> None:
    for number in range(4):
        played = replay_game(NODDY.replace(**rules), 7, number, players, names)
        expected = reference.play_game(7, number, players, rules_with(rules), [as_data(name) for name in names])
        assert played.winner == expected.winner + 1
        assert list(played.scores) == expected.scores
        assert len(played.deals) == expected.deals
        assert played.lead_changes == expected.lead_changes
        assert played.deals[-1].ended == expected.phase
        assert [deal.persons[-1] - 1 for deal in played.deals] == expected.dealers
        assert sum(len(deal.events) for deal in played.deals) == expected.cards


def test_deals_of_a_game_follow_on_each_other() -> None:
    played = replay_game("noddy", 1, 0, 3)
    for earlier, later in itertools.pairwise(played.deals):
        assert dict(zip(earlier.persons, earlier.scores, strict=True)) == dict(
            zip(later.persons, later.before, strict=True)
        )
        assert earlier.ended is None
    assert max(played.scores) >= 31 and played.scores.index(max(played.scores)) == played.winner - 1


def test_a_game_stops_in_the_middle_of_a_show() -> None:
    # Of the hands behind the winner's none is counted.
    for number in range(40):
        last = replay_game("noddy", 1, number).deals[-1]
        if last.ended == "show" and last.scores[0] >= 31:
            assert [shown.seat for shown in last.shows] == [1]
            return
    raise AssertionError("no game of the forty was won by the pone's show")


def test_json_of_a_replayed_game() -> None:
    data = replay_game("noddy", 1, 0).to_json()
    assert set(data) == {
        "variant", "players", "seed", "game", "target", "strategies", "start", "deals", "scores", "winner",
        "lead_changes",
    }  # fmt: skip
    assert [deal["deal"] for deal in data["deals"]] == list(range(len(data["deals"])))
    assert data["target"] == 31 and data["start"] == [0, 0]


def test_a_replay_that_ends_otherwise_than_the_game_kernel_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = replays._record_of_game
    for name in ("winner", "deals", "cards", "lead_changes", "phase", "margin", "winner_seat"):
        monkeypatch.setattr(
            replays, "_record_of_game", lambda *given, name=name: {**honest(*given), name: honest(*given)[name] + 1}
        )
        with pytest.raises(RuntimeError, match="the game kernel"):
            replay_game("noddy", 1, 0)


def test_a_game_without_end_is_refused() -> None:
    nothing = {"fifteen": 0, "thirtyone": 0, "same_rank": [0, 0, 0], "run": [0] * 11}
    rules = NODDY.replace(turned=[], play={**nothing, "last": 0}, show={**nothing, "hand_flush": "off", "nob": 0})
    with pytest.raises(InputError, match="nobody reaches 31"):
        replay_game(rules, 1, 0)


# --- either, and what is refused --------------------------------------------------------------------------------------


def test_replay_takes_a_deal_or_a_game() -> None:
    assert replay("noddy", 1, deal=2) == replay_deal("noddy", 1, 2)
    assert replay("noddy", 1, game=2, strategies="low") == replay_game("noddy", 1, 2, strategies="low")
    for numbers in ({}, {"deal": 1, "game": 1}):
        with pytest.raises(InputError, match="one of the two"):
            replay("noddy", 1, **numbers)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"variant": "nody"}, "no variant is named"),
        ({"seed": -1}, "the seed must be a whole number from 0 to 18446744073709551615, not -1"),
        ({"seed": 2**64}, "the seed must be"),
        ({"seed": "1"}, "not '1'"),
        ({"seed": 1.5}, "not 1.5"),
        ({"seed": True}, "not True"),
        ({"number": -1}, "the number of the deal or game must be"),
        ({"number": 2**63}, "the number of the deal or game must be"),
        ({"players": 5}, "noddy is played by 2 or 3 or 4, not by 5"),
        ({"players": 1}, "not by 1"),
        ({"strategies": "greddy"}, "unknown strategy or tip: 'greddy'"),
        ({"strategies": "lead-low"}, "lead-low is a tip"),
        ({"strategies": ["low", "low", "low"]}, "2 players need 2 strategies, or one for all; 3 given"),
        ({"strategies": []}, "0 given"),
    ],
)
def test_bad_replays_are_refused(changes: dict[str, Any], says: str) -> None:
    arguments = {"variant": "noddy", "seed": 1, "number": 0, **changes}
    for replayed in (replay_deal, replay_game):
        with pytest.raises(InputError) as caught:
            replayed(**arguments)
        assert says in str(caught.value)
