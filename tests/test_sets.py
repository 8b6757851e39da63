"""Snitch: the kernel equals the twin, the sets of a hand, replays, and what the command line says."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from typing import Any

import pytest
import table_games
from click.testing import CliRunner
from command_line import answer

from noddysim.cli import cli
from noddysim.engine import sets
from noddysim.engine.play import replay, score
from noddysim.game import laying
from noddysim.game.errors import InputError
from noddysim.game.rules import load_variant
from noddysim.kernels import sets as kernel


def best(hand: str, variant: Any = "snitch", **given: Any) -> int:
    result = score(hand, None, variant, **given)
    assert isinstance(result, sets.SetsResult)
    return result.best


# ---------------------------------------------------------------------------------------------------------------------
# The kernel and the twin


def test_games_equal_the_twin_event_by_event() -> None:
    table_games.compare_set_games(60, seed=1000)


@pytest.mark.parametrize(("joker_pair", "share"), [(False, 91_296), (True, 91_332)])
def test_how_many_opening_hands_hold_a_set(joker_pair: bool, share: int) -> None:
    rules = sets.rules_record(load_variant("snitch").replace(joker_pair=joker_pair))
    pairs = [[kernel.set_rank(rules, one, other) != kernel.NO_RANK for other in range(108)] for one in range(108)]
    held = hands = 0
    for a, b, c in itertools.combinations(range(108), 3):
        hands += 1
        held += pairs[a][b] or pairs[a][c] or pairs[b][c]
    assert hands == 204_156
    if joker_pair:
        assert round(100 * held / hands, 2) == 44.74
    else:
        assert held == share


def test_the_packs_hold_1080_points() -> None:
    rules = sets.rules_record(load_variant("snitch"))
    assert sum(int(rules.value[min(card >> 3, kernel.JOKER)]) for card in range(108)) == 1080


# ---------------------------------------------------------------------------------------------------------------------
# The sets of a hand


def test_no_set_of_eight_three_and_queen() -> None:
    found = answer("score", "8S 3D QC", "--variant", "snitch")
    assert found["sets"] == [] and found["best"] == 0


@pytest.mark.parametrize(
    ("hand", "expected"),
    [("5S 5D 9C", 10), ("8S 2D KC", 30), ("2S 2D 7C", 25), ("4S 9D KC", 0), ("6S 6D 2C", 25), ("X X 4C", 55)],
)
def test_worked_hands(hand: str, expected: int) -> None:
    assert best(hand) == expected


def test_the_top_discard_joins_while_there_is_a_stock() -> None:
    assert best("4S 9D KC", discard="4D") == 10
    assert best("4S 9D KC", discard="4D", stock_empty=True) == 0
    found = answer("score", "6S 6D 2C", "--variant", "snitch", "--discard", "6H")
    assert {"cards": ["6S", "6H"], "points": 10, "from_discard": True} in found["sets"]


def test_a_wild_card_joins_a_set_of_ones_own_where_the_rules_let_it() -> None:
    extend = load_variant("snitch").replace(action4="extend")
    assert best("2S 9D KC") == best("2S 9D KC", own="5S 5D") == 30
    result = score("2S 9D KC", None, extend, own="5S 5D")
    assert isinstance(result, sets.SetsResult)
    assert (("2S",), 20) in [(one.cards, one.points) for one in result.sets]
    assert best("X X 4C", load_variant("snitch").replace(joker_pair=True)) == 100


@pytest.mark.parametrize(
    ("hand", "given", "said"),
    [
        ("8S 8S 8S", {}, "8S"),
        ("X X X", {"discard": "X", "own": "X X"}, "jokers"),
        ("", {}, "1 to 4 cards"),
        ("8S 3D QC KC AC", {}, "5 given"),
        ("8S Z3", {}, "a joker is X"),
        ("8S 3D", {"own": "4S"}, "two cards each"),
        ("8S 3D", {"discard": "4S 5S"}, "top discard"),
    ],
)
def test_bad_hands_are_refused_in_one_line(hand: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        score(hand, None, "snitch", **given)


def test_a_starter_is_refused() -> None:
    done = CliRunner().invoke(cli, ["score", "8S 3D QC", "--variant", "snitch", "--starter", "4S"])
    assert done.exit_code == 2 and "starter does not belong to snitch" in done.output


@pytest.mark.parametrize(
    "command", [["peg", "7H 3C KD / 8S 5D 2H", "--variant", "snitch"], ["exact", "show", "snitch"]]
)
def test_commands_for_pegging_games_say_so(command: list[str]) -> None:
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 2
    assert "snitch has no play of cards to a count" in done.output


# ---------------------------------------------------------------------------------------------------------------------
# Replays


def test_a_deal_reads_like_a_score_sheet() -> None:
    done = CliRunner().invoke(cli, ["replay", "snitch", "--seed", "1", "--deal", "0", "--players", "4"])
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0] == "Deal 0 of seed 1: snitch, 4 players"
    assert any("discards" in line for line in lines) and any("lays" in line for line in lines)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_card_is_in_one_place(players: int) -> None:
    value = sets.rules_record(load_variant("snitch")).value
    for number in range(10):
        shown = replay("snitch", 4, deal=number, players=players, strategies="feed-nothing")
        assert isinstance(shown, sets.SetReplay)
        (deal,) = shown.deals
        hands = [Counter(hand) for hand in deal.hands]
        pile: list[str] = []
        laid: Counter[str] = Counter()
        for event in deal.events:
            hand = hands[event.seat - 1]
            if event.event == "set":
                from_hand = list(event.cards)
                if event.source == "discard":
                    assert pile.pop() == from_hand.pop()
                assert Counter(from_hand) <= hand
                hand -= Counter(from_hand)
                hands[event.seat - 1] = hand
                laid += Counter(event.cards)
            elif event.event == "discard":
                assert hand[event.cards[0]] > 0
                hands[event.seat - 1] = hand - Counter(event.cards)
                pile += event.cards
            else:
                hand.update(event.cards)
            assert hands[event.seat - 1].total() <= 3
        everything = laid + Counter(pile) + sum(hands, Counter())
        assert everything.total() == 108
        assert all(number <= (4 if card == "X" else 2) for card, number in everything.items())
        assert sum(deal.points) == sum(int(value[_rank(card)]) * number for card, number in laid.items()) <= 1080


def _rank(card: str) -> int:
    return kernel.JOKER if card == "X" else "A23456789TJQK".index(card[0])


def test_a_game_is_played_to_its_target() -> None:
    for game in range(5):
        shown = replay("snitch", 2, game=game, players=4)
        assert isinstance(shown, sets.SetReplay)
        totals = shown.deals[-1].totals
        assert len(shown.winners) == 1
        assert max(totals) == totals[shown.winners[0] - 1] >= 1000
        assert all(
            max(deal.totals) < 1000 or sorted(deal.totals)[-2:] == [max(deal.totals)] * 2 for deal in shown.deals[:-1]
        )


def test_strategies_differ() -> None:
    seen = {
        name: replay("snitch", 8, deal=3, players=3, strategies=name).to_json()["events"]
        for name in laying.laid_strategies("sets")
    }
    assert len({json.dumps(events) for events in seen.values()}) >= 5


def test_two_players_only_if_asked_for() -> None:
    with pytest.raises(InputError, match="3 or 4 or 5 or 6"):
        replay("snitch", 1, deal=0, players=2)
    assert replay(load_variant("snitch").replace(players=[2]), 1, deal=0, players=2).players == 2


# ---------------------------------------------------------------------------------------------------------------------
# The end of a deal, when the stock is gone


def passes_and_remainders(players: int, games: int, **changes: Any) -> tuple[int, int]:
    """How often somebody passes with a set in hand, and how many sets are in hands when deals end."""
    variant = load_variant("snitch").replace(**changes)
    rules = sets.rules_record(variant)
    passed = left = 0
    for number in range(games):
        shown = replay(variant, 6, deal=number, players=players, strategies=["most-points", "keep-wilds", "first"])
        assert isinstance(shown, sets.SetReplay)
        hands = [Counter(hand) for hand in shown.deals[0].hands]
        for event in shown.deals[0].events:
            cards = list(event.cards)
            if event.event == "pass":
                passed += holds_a_set(rules, hands[event.seat - 1])
            elif event.event in ("draw", "fill"):
                hands[event.seat - 1].update(cards)
            else:
                hands[event.seat - 1] -= Counter(cards[:1] if event.source == "discard" else cards)
        left += sum(holds_a_set(rules, hand) for hand in hands)
    return passed, left


def holds_a_set(rules: Any, hand: Counter[str]) -> bool:
    cards = [104 if card == "X" else 8 * _rank(card) for card in hand.elements()]
    pairs = itertools.combinations(cards, 2)
    return any(kernel.set_rank(rules, one, other) != kernel.NO_RANK for one, other in pairs)


@pytest.mark.parametrize(
    "changes",
    [{}, {"deal_end": "no_set"}, {"action4": "extend"}, {"max_sets": 1}, {"refill": "set"}, {"joker_pair": True}],
)
def test_nobody_passes_with_a_set_in_hand_where_any_may_be_laid(changes: dict[str, Any]) -> None:
    assert passes_and_remainders(3, 25, **changes) == (0, 0)


def test_who_may_lay_the_last_rank_only_passes_with_another_set_in_hand_and_may_lose_it() -> None:
    # Only so: a player may lay what the player before him has laid, or must decline. Once he has, the next is free.
    passed, left = passes_and_remainders(3, 60, response="match_only")
    assert passed > 30 and left > 5
    # Where a deal goes on while anybody holds a set, he lays it when his turn comes round again.
    passed, left = passes_and_remainders(3, 60, response="match_only", deal_end="no_set")
    assert passed > 30 and left == 0
