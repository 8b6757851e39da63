"""Exact points where chance plays in hands of four, and of three players: against plain counts, truth and samples."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import plain_play
import pytest
from command_line import call

import noddysim as ns
from noddysim.engine.branches import count_branches, count_weighed
from noddysim.engine.rolled import hands_of, three_each, two_hands
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant

FOUR = two_hands(load_variant("noddy-four"))
Mover = Callable[[plain_play.State, list[int]], list[int]]
"""Which of the cards that fit may be laid, one entry for each card: each is as likely."""


# --- chance in the play -----------------------------------------------------------------------------------------------


def any_card(state: plain_play.State, cards: list[int]) -> list[int]:
    return cards


def most_points(state: plain_play.State, cards: list[int]) -> list[int]:
    points = [plain_play.card_points((*state.pile, card)) for card in cards]
    return [card for card, made in zip(cards, points, strict=True) if made == max(points)]


PLAIN: dict[str, Mover] = {"random": any_card, "greedy-random": most_points}


def plain_margin(state: plain_play.State, movers: tuple[Mover, Mover]) -> float:
    """Pone's points less dealer's on average, every way to play followed."""
    end = state.end()
    if end is not None:
        return float(end)
    legal = state.legal()
    if not legal:
        return plain_margin(state.go(), movers)
    cards = [card for card in state.hands[state.turn] if card in legal]
    chosen = movers[state.turn](state, cards)
    return sum(chosen.count(card) / len(chosen) * plain_margin(state.lay(card), movers) for card in sorted(set(chosen)))


@pytest.mark.parametrize("ranks", [(3, 4, 5), (0, 6, 9)])
@pytest.mark.parametrize("names", [("random", "greedy-random"), ("greedy-random", "random")])
def test_hands_of_four_from_a_small_pack_are_those_of_a_plain_count(
    ranks: tuple[int, ...], names: tuple[str, str]
) -> None:
    hands = hands_of(4)
    ways = np.zeros((len(hands), len(hands)), np.int64)
    numbers = [place for place, hand in enumerate(hands.tolist()) if set(hand) <= set(ranks)]
    total = 0.0
    movers = PLAIN[names[0]], PLAIN[names[1]]
    for one, other in itertools.product(numbers, numbers):
        pair = tuple(hands[one].tolist()), tuple(hands[other].tolist())
        # Any starter will do: no card of the small pack is turned.
        ways[one, other] = plain_play.weight(*pair, starter=12)
        if ways[one, other]:
            total += ways[one, other] * plain_margin(plain_play.State(pair), movers)
    found = count_weighed(FOUR, parse_strategy(names[0]), parse_strategy(names[1]), ways)
    assert found.deals == ways.sum() > 1000
    assert found.margin == pytest.approx(total / ways.sum(), abs=1e-10)


# The other readings are followed in the verification.
@pytest.mark.long
@pytest.mark.parametrize("change", [{"combo_scope": "deal", "go_breaks": True}, {"piles": "single"}])
def test_branches_are_the_lines_of_hands_of_three_under_readings_of_piles(change: dict[str, object]) -> None:
    variant = load_variant("noddy").replace(**change)
    game, pair = three_each(variant), ("random", "greedy-random")
    lines = ns.exact.play(variant, *pair)
    found = count_branches(game, *map(parse_strategy, pair))
    assert (found.pone, found.dealer) == pytest.approx((lines.pone, lines.dealer), abs=1e-10)


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        (("lookahead-random", "greedy"), "lookahead-random looks at the starter"),
        (("optimal", "greedy"), "best play"),
        ((lambda seat, hand, laid, count: hand[0], "greedy"), "functions are counted for hands of three"),
    ],
)
def test_what_cannot_be_followed_in_hands_of_four_is_refused(pair: tuple[object, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        ns.exact.play("noddy-four", *pair)  # type: ignore[arg-type]


# --- three players ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["noddy", "--players", "3", "--seats", "greedy,low"], "3 players need 3 strategies"),
        (["noddy", "--players", "3", "--seats", "greedy,low,random"], "random leaves cards to chance"),
        (["noddy", "--players", "3", "--seats", "greedy,low,lookahead"], "lookahead looks at the starter"),
        (["noddy", "--players", "3", "--pone", "greedy"], "three players are given by --seats A,B,C"),
        (["noddy-four", "--players", "3", "--seats", "greedy"], "hands have 4 cards"),
        (["cribbage", "--players", "3", "--seats", "greedy"], "cards are laid away before it"),
        (["costly-colours", "--players", "3", "--seats", "greedy"], "it is not a game for three"),
    ],
)
def test_what_cannot_be_counted_for_three_is_refused(arguments: list[str], says: str) -> None:
    result = call("exact", "play", *arguments)
    assert result.exit_code == 2 and says in result.stderr and len(result.stderr.splitlines()) == 1
