"""Advice: values against enumeration by hand, rollouts against counted values, and positions that cannot be."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

import noddysim as ns
from noddysim.cli import cli
from noddysim.engine.games import show_game
from noddysim.engine.turns import read_tokens, turns_of
from noddysim.game.cards import PACK_SIZE, format_card, parse_card, parse_cards
from noddysim.game.errors import InputError

REPLY = {"seat": "dealer", "hand": "5H 4D", "starter": "8S", "laid": "KC 5D KS"}
"""The dealer's choice when one card of the pone is unknown: 46 hands."""


def unseen(*texts: str) -> list[str]:
    seen = {card for text in texts for card in parse_cards(text)}
    return [format_card(card) for card in range(PACK_SIZE) if card not in seen]


def lines(first: str, second: str) -> list[Any]:
    """The play for every third card of the pone, each as likely as any if he lays at random."""
    return [ns.peg(f"KC KS {card} / 5D {first} {second}") for card in unseen("KC KS 5D 5H 4D 8S")]


@pytest.mark.parametrize(("first", "second"), [("5H", "4D"), ("4D", "5H")])
def test_a_reply_is_worth_the_mean_over_all_hands_of_the_other(first: str, second: str) -> None:
    found = ns.advise(**REPLY, against="random")
    margins = [played.points[1] - played.points[0] for played in lines(first, second)]
    choice = next(one for one in found.choices if one.cards == (first,))
    assert choice.value is not None and choice.value.exact
    assert choice.value.estimate == pytest.approx(sum(margins) / len(margins), abs=1e-6)
    assert found.method == "counted" and found.n == len(margins) == 46


def test_the_chance_to_win_is_that_of_every_line_the_shows_and_the_next_deals() -> None:
    scores, target = (20, 25), 31
    table = ns.exact.game("noddy", "high", "high").chances

    def wins(played: Any) -> float:
        now = list(scores)
        for event in played.events[3:]:
            now[event.seat - 1] += event.points
            if now[event.seat - 1] >= target:
                return float(event.seat == 2)
        third = next(event.card for event in reversed(played.events) if event.seat == 1)
        for seat, hand in enumerate((f"KC KS {third}", "5D 5H 4D")):
            now[seat] += int(ns.score(hand, "8S").total or 0)
            if now[seat] >= target:
                return float(seat == 1)
        return float(table[1, now[0], now[1]])

    found = ns.advise(**REPLY, against="high", scores=scores)
    choice = next(one for one in found.choices if one.cards == ("4D",))
    # He lays kings first. Of three kings these two came first in one order of six, of two in one of two.
    weighed = [(1 / 3 if third.startswith("K") else 1, third) for third in unseen("KC KS 5D 5H 4D 8S")]
    expected = sum(
        weight * wins(played) for (weight, _), played in zip(weighed, lines("4D", "5H"), strict=True)
    )  # fmt: skip
    assert choice.chance is not None
    assert choice.chance.estimate == pytest.approx(expected / sum(weight for weight, _ in weighed), abs=1e-6)


LEAD = {"seat": "pone", "hand": "5H KD KC", "starter": "8S"}


@pytest.mark.long
def test_far_from_the_end_the_solved_end_changes_chances_a_little() -> None:
    # The pone's lead, which takes longer, is asked so in the verification.
    scores = (6, 8)
    to_win, by_points = ns.advise(**REPLY, scores=scores), ns.advise(**REPLY, scores=scores, then="optimal")
    assert to_win.notes[-1].startswith("Chances: both play for points until both need at most 12")
    assert by_points.notes == ()
    other = {one.cards: one.chance.estimate for one in by_points.choices if one.chance}
    changes = [one.chance.estimate - other[one.cards] for one in to_win.choices if one.chance]
    assert len(changes) == len(other) and 0 < max(map(abs, changes)) < 0.013


@pytest.mark.long
def test_near_the_end_both_play_to_win() -> None:
    """Nobody can be sure of the play for points to win as often as the play for the win."""
    close = ns.advise(**LEAD, scores=(25, 27))
    assert close.notes[-1].startswith("Chances: both play to win; best play by ranks is proved to 0.21")
    assert close.best.cards in (("KC",), ("KD",)) and close.best.chance is not None
    assert all(one.chance is not None and 0 <= one.chance.estimate <= 1 for one in close.choices)


def test_the_leads_are_ranked_and_equal_ranks_are_worth_the_same() -> None:
    found = ns.advise("noddy", seat="pone", hand="5H KD KC", starter="8S")
    assert [one.cards for one in found.choices] == [("KC",), ("KD",), ("5H",)]
    first, second, five = (one.loss.estimate for one in found.choices if one.loss)
    assert first == second == 0 < five
    reason = found.choices[2].reason
    assert reason is not None and not reason.parts
    assert {(one.rank, one.points) for one in reason.answers} == {("5", 2), ("T", 2), ("J", 2), ("Q", 2), ("K", 2)}
    assert found.against == "optimal"


def test_going_on_by_a_strategy_is_worth_no_more_than_going_on_as_well_as_can_be() -> None:
    asked = {"seat": "dealer", "hand": "5H 4D 9C", "starter": "8S", "laid": "6C"}
    best = {one.cards: one.value for one in ns.advise(**asked, against="greedy").choices}
    fixed = {one.cards: one.value for one in ns.advise(**asked, against="greedy", then="low").choices}
    gaps = [best[cards].estimate - fixed[cards].estimate for cards in best]  # type: ignore[union-attr]
    assert min(gaps) >= -1e-9 and max(gaps) > 0.01


def test_rollouts_find_what_is_counted() -> None:
    counted = ns.advise(**REPLY, against="optimal")
    tried = ns.advise(**REPLY, against="optimal", deals=600)
    assert tried.method == "rollouts" and tried.n == 600
    for one in counted.choices:
        other = next(choice for choice in tried.choices if choice.cards == one.cards)
        for exact, sampled in ((one.value, other.value), (one.loss, other.loss)):
            assert exact is not None and sampled is not None
            assert abs(exact.estimate - sampled.estimate) <= 2 * (sampled.half_width or 1e-9)


def test_every_candidate_meets_the_same_cards_whatever_is_asked_beside_it() -> None:
    once, again = (ns.advise("noddy", seat="second", hand="7H 8D 3C", starter="JS", laid="8C", players=3, deals=300)
                   for _ in range(2))  # fmt: skip
    assert once == again
    assert once.best.cards == ("8D",)
    assert all(one.loss is not None and one.loss.estimate >= 0 for one in once.choices)


def test_six_cards_ask_what_to_lay_away() -> None:
    found = ns.advise("cribbage", seat="dealer", hand="5H 5D JS 9C 2D KH", deals=300)
    assert len(found.choices) == 15
    assert found.best.act == "lay away" and found.best.cards == ("2D", "9C")


# --- turns ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "players", "seat", "hand", "laid", "seats"),
    [
        ("noddy", 2, 0, "3H", "KC QC 9D 8S", (0, 1, 0, 1)),
        # After 29 the dealer, who holds a three, says go; the pone lays an ace.
        ("noddy", 2, 1, "3D 4D", "KC QC 9D AS", (0, 1, 0, 0)),
        ("noddy", 2, 1, "3D 4D", "KC QC 9D go AS", (0, 1, 0, 0)),
        ("noddy", 3, 0, "3S", "KC QC 9D / 8H JD 3H", (0, 1, 2, 0, 1, 2)),
        # Thirty-one closes a pile by itself.
        ("cribbage", 2, 1, "2H 9C", "KC QC KD AH 8H", (0, 1, 0, 1, 0)),
    ],
)
def test_who_laid_which_card(
    variant: str, players: int, seat: int, hand: str, laid: str, seats: tuple[int, ...]
) -> None:
    found = turns_of(show_game(ns.variant(variant), players), seat, parse_cards(hand), read_tokens(laid))
    assert found.seats == seats
    assert found.cards == tuple(parse_card(word) for word in laid.replace("/", "").replace("go", "").split())


BAD: list[tuple[dict[str, Any], str]] = [
    ({"seat": "pone", "hand": "5H KD 5H", "starter": "8S"}, "5H is given twice"),
    ({"seat": "pone", "hand": "5H KD KC", "starter": "KC"}, "KC is given twice"),
    ({"seat": "dealer", "hand": "5H 5D JS", "starter": "2S", "laid": "TC 5C"}, "dealer's turn to lay 5C"),
    ({"seat": "pone", "hand": "5H 5D JS", "starter": "2S", "laid": "TC 9C"}, "pone's turn to lay TC"),
    ({"seat": "pone", "hand": "5H 5D", "starter": "2S", "laid": "TC 9C 3D"}, "laid 2 of 3 cards and holds 2"),
    ({"seat": "dealer", "hand": "5H 5D JS", "starter": "2S"}, "pone's turn, not the dealer's"),
    ({"seat": "dealer", "hand": "5H", "starter": "2S", "laid": "KC QC KD KH"}, "pone's turn, not the dealer's"),
    ({"seat": "dealer", "hand": "5H 5D", "starter": "2S", "laid": "KC / QC KD"}, "pile cannot be closed at 10"),
    ({"seat": "dealer", "hand": "5H 5D", "starter": "2S", "laid": "KC go QC"}, "cannot say go at 10"),
    ({"seat": "dealer", "hand": "2H 3D", "starter": "2S", "laid": "KC QC 7D go AS"}, "cannot have said go at 27"),
    ({"seat": "north", "hand": "5H 5D JS", "starter": "2S"}, "seats are pone, dealer"),
    ({"seat": "pone", "hand": "5H 5D JS"}, "starter is missing"),
    ({"seat": "pone", "hand": "5H 5D JS 4C", "starter": "2S"}, "has 3 cards; 4 given"),
    ({"seat": "pone", "hand": "5H 5D JS", "starter": "2S", "scores": (31, 0)}, "below the target"),
    ({"seat": "pone", "hand": "5H 5D JS", "starter": "2S", "mog": True}, "no card is exchanged"),
    ({"seat": "pone", "hand": "5H 5D JS", "starter": "2S", "discard": "9C"}, "discard does not belong"),
    ({"seat": "pone", "hand": "5H 5D JS", "starter": "2S", "players": 7}, "is played by"),
    ({"variant": "cribbage", "seat": "pone", "hand": "5H 5D JS 4C 3C 2C", "starter": "2S"}, "goes with nothing else"),
    ({"variant": "noddy-four", "seat": "pone", "hand": "5H 5D JS 4C", "starter": "2S", "against": "optimal"},
     "hands have 4 cards"),
    ({"variant": "innocence", "seat": "pone", "hand": "4H 5C 6D"}, "turned card"),
    ({"variant": "innocence", "seat": "pone", "hand": "4H 5C 6D", "starter": "9S", "against": "greedy"},
     "no strategy of the melding game"),
    ({"variant": "snitch", "seat": "eldest", "hand": "8S 3D X", "scores": (1, 2)}, "3 players have 3 scores"),
    ({"variant": "snitch", "seat": "eldest", "hand": "8S 8S 8S"}, "there are 2 in the two packs"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "words"), BAD, ids=[words for _, words in BAD])
def test_what_cannot_be_is_refused_with_the_reason(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        ns.advise(**{"variant": "noddy", **asked})
    assert "\n" not in str(caught.value)


# --- the command ------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["advise", *arguments])


def test_the_command_answers_in_words_and_as_json() -> None:
    asked = ["--seat", "dealer", "--hand", "5H 4D", "--starter", "8S", "--laid", "KC 5D KS"]
    words = run("noddy", *asked)
    assert words.exit_code == 0
    assert "thirty-one 2" in words.stdout
    data = json.loads(run("--variant", "noddy", *asked, "--json").stdout)
    assert data["best"] == data["choices"][0]["cards"]
    assert data["choices"][0]["loss"]["estimate"] == 0
    assert data["seat"] == 2 and data["method"] == "counted"


@pytest.mark.parametrize(
    "arguments",
    [
        ("noddy", "--seat", "pone", "--hand", "5H 5H KC", "--starter", "8S", "--json"),
        ("noddy", "--variant", "cribbage", "--seat", "pone", "--hand", "5H 5D KC", "--starter", "8S"),
        ("noddy", "--seat", "pone", "--hand", "5H 5D KC", "--starter", "8S", "--scores", "many"),
    ],
)
def test_a_refusal_is_one_line_and_exit_2(arguments: tuple[str, ...]) -> None:
    found = run(*arguments)
    assert found.exit_code == 2
    assert found.stdout == "" and len(found.stderr.splitlines()) == 1
