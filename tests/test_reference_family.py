"""The slow twin held against worked examples, exact values and games of cribbage and the others of the family."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
import reference
import reference_points
from bugs_cases import NODDY, rules_with
from reference_setup import (
    ALWAYS,
    COSTLY,
    CRIBBAGE,
    CRIBBAGE_FIVE,
    GREEDY,
    HIGH,
    LOW,
    NEVER,
    changed,
    laying_away,
    rows,
)

# ---------------------------------------------------------------------------------------------------------------------
# The other games of the family, as their rules are written in the rule sheet


NODDY_FOUR = rules_with({"hand": 4, "show": {"hand_flush": "subset"}})
OF_VARIANT = {
    "noddy": NODDY, "noddy-four": NODDY_FOUR, "cribbage-five": CRIBBAGE_FIVE, "cribbage": CRIBBAGE,
    "costly-colours": COSTLY,
}  # fmt: skip


def test_rules_that_leave_out_what_is_not_played_are_enough() -> None:
    new = ("partners", "discard", "deal_to_crib", "crib", "mog", "three_for_last", "skunk")
    bare = {key: value for key, value in NODDY.items() if key not in new}
    bare["play"] = {key: value for key, value in NODDY["play"].items() if key != "flush"}
    bare["show"] = {
        key: value for key, value in NODDY["show"].items() if key not in ("crib_flush", "jacks_deuces", "colours")
    }
    for players in (2, 3, 4):
        games = [reference.play_game(5, 1, players, rules, [GREEDY] * players) for rules in (NODDY, bare)]
        assert games[0] == games[1]
        duels = [reference.duplicate(5, 1, GREEDY, LOW, HIGH, rules, players) for rules in (NODDY, bare)]
        assert duels[0] == duels[1]


@pytest.mark.parametrize("row", rows("show_examples.csv"), ids=lambda row: row["id"])
def test_every_worked_show(row: dict[str, str]) -> None:
    count = reference.show if row["what"] == "hand" else reference.show_crib
    counted = count(reference.read_cards(row["hand"]), reference.read_card(row["starter"]), OF_VARIANT[row["variant"]])
    expected = {kind: int(row.get(kind, 0)) for kind in (*reference.SHOW_KINDS, "total")}
    assert counted == expected


@pytest.mark.parametrize("row", rows("costly_show_examples.csv"), ids=lambda row: row["id"])
def test_every_worked_show_of_costly_colours(row: dict[str, str]) -> None:
    counted = reference.show(reference.read_cards(row["hand"]), reference.read_card(row["starter"]), COSTLY)
    found = [counted[kind] for kind in ("fifteens", "pairs", "jacks_deuces", "colours", "total")]
    assert found == [int(row[column]) for column in ("sums", "pairs", "jacks_deuces", "colours", "total")]
    assert counted["runs"] == counted["flush"] == counted["nob"] == 0


@pytest.mark.parametrize("row", rows("play_examples.csv"), ids=lambda row: row["id"])
def test_every_worked_play(row: dict[str, str]) -> None:
    hands, players = reference.read_hands(row["hands"]), row["hands"].count("/") + 1
    # The gains of the examples are each player's own, so nobody has a partner here.
    rules = changed(OF_VARIANT[row["variant"]], partners=False)
    start = [int(score) for score in row["start"].split("-")] if row["start"] else [0] * players
    target = int(row["target"]) if row["target"] else None
    result = reference.play_in_order(hands, rules, start, target)
    assert [event.total for event in result.events] == [int(points) for points in row["points"].split(",")]
    assert result.gains == [int(gain) for gain in row["gain"].split("/")]


def test_partners_share_what_they_peg() -> None:
    # C6-P10, whose remark gives the sides: 8 and 6.
    hands = next(row["hands"] for row in rows("play_examples.csv") if row["id"] == "C6-P10")
    assert reference.play_in_order(reference.read_hands(hands), CRIBBAGE).gains == [8, 6]


CRIBS = [  # crib, starter, as a crib, as a hand: part A of the faults seen in the field
    ("2h 4h 9h Kh", "8s", 2, 6),
    ("2h 4h 9h Kh", "8h", 7, 7),
    ("9s 8s 7s 6s", "5h", 9, 13),
    ("8d 7d 6d 5d", "4d", 14, 14),
    ("As 2d 3h Js", "4s", 9, 9),
    ("5c 5d 5h Js", "5s", 29, 29),
]


@pytest.mark.parametrize(("cards", "starter", "as_crib", "as_hand"), CRIBS)
def test_a_crib_has_a_flush_of_its_own(cards: str, starter: str, as_crib: int, as_hand: int) -> None:
    crib, turned = reference.read_cards(cards), reference.read_card(starter)
    older = changed(CRIBBAGE, show={"crib_flush": "four_or_five"})
    none = changed(CRIBBAGE, show={"crib_flush": "off"})
    assert reference.show_crib(crib, turned, CRIBBAGE)["total"] == as_crib
    assert reference.show(crib, turned, CRIBBAGE)["total"] == as_hand
    assert reference.show_crib(crib, turned, older)["total"] == as_hand
    assert reference.show_crib(crib, turned, none)["flush"] == 0


COLOURS = [
    ("3h 9h Kh", "5h", 6), ("3h 9h Kh", "5d", 5), ("3h 9h Kd", "5d", 4), ("3h 9h Kh", "5s", 3), ("3h 9h Kc", "5h", 3),
    ("3h 9h Kd", "5s", 2), ("3h 9d Ks", "5h", 2), ("3h 9h Kc", "5c", 0), ("3h 9d Kc", "5s", 0), ("3c 9c Ks", "5s", 4),
    ("3c 9c Kc", "5s", 5), ("3c 9s Kd", "5s", 2), ("3s 9s Kd", "5s", 3), ("3s 9s Ks", "5s", 6),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "starter", "points"), COLOURS)
def test_only_the_best_colours_count(hand: str, starter: str, points: int) -> None:
    cards, turned = reference.read_cards(hand), reference.read_card(starter)
    assert reference.show(cards, turned, COSTLY)["colours"] == points
    assert reference.show(cards, turned, NODDY)["colours"] == 0


def test_the_greatest_show_of_costly_colours() -> None:
    # Three jacks, one of the turned suit, with a five: sums 6 + 9, prial 9, jacks 4 + 2 + 2, three of a colour 2.
    counted = reference.show(reference.read_cards("Jh Jd Jc"), reference.read_card("5h"), COSTLY)
    assert counted == {
        "fifteens": 15, "pairs": 9, "runs": 0, "flush": 0, "nob": 0, "jacks_deuces": 8, "colours": 2, "total": 34,
    }  # fmt: skip


def test_jacks_and_deuces_are_for_cards_in_hand() -> None:
    hand, starter = reference.read_cards("2h 2d 9c"), reference.read_card("Jh")
    assert reference.show(hand, starter, COSTLY)["jacks_deuces"] == 4 + 2
    plain = changed(COSTLY, show={"jacks_deuces": [{"rank": "J", "points": 2, "suited": 4}]})
    assert reference.show(hand, starter, plain)["jacks_deuces"] == 0
    assert reference.show_crib(hand, starter, COSTLY)["total"] == reference.show(hand, starter, COSTLY)["pairs"]


@pytest.mark.parametrize(
    ("differences", "cards", "points"),
    [
        ({"play": {"flush": "length"}}, "2h 9h Kh 4h 5c", (0, 0, 3, 4, 0)),
        ({"play": {"flush": "length"}}, "2c 9h 3h 7h", (0, 0, 0, 3)),
        ({"play": {"flush": [1, 5]}}, "2h 8h Kh 4h 6h", (0, 0, 1, 5, 6)),
        ({"play": {"flush": "length"}}, "4h 2h 3h", (0, 0, 6)),
        ({"play": {"flush": "off"}}, "2h 9h Kh", (0, 0, 0)),
        ({}, "2h 9h Kh", (0, 0, 0)),
        ({"play": {"run": "off"}}, "4h 2c 3h", (0, 0, 0)),
    ],
)
def test_flushes_in_the_play(differences: Mapping[str, Any], cards: str, points: tuple[int, ...]) -> None:
    rules = rules_with(differences)
    pile: list[int] = []
    found = []
    for card in reference.read_cards(cards):
        found.append(sum(reference.card_points(pile, card, rules).values()))
        pile.append(card)
    assert tuple(found) == points


@pytest.mark.parametrize(("go_breaks", "points"), [(False, (0, 0, 0, 4)), (True, (0, 0, 0, 1))])
def test_a_go_may_break_a_flush(go_breaks: bool, points: tuple[int, ...]) -> None:
    # J 9 and 8 are 27; the dealer cannot add, the eldest goes on with a heart of his own: three hearts and the last.
    rules = rules_with({"play": {"flush": "length", "go_breaks": go_breaks}})
    events = reference.play_in_order(reference.read_hands("Jc 8h 3h / 9h Kd Qd"), rules).events[:4]
    assert tuple(event.total for event in events) == points


# ---------------------------------------------------------------------------------------------------------------------
# Exact values of the family


SHOWS = [  # rules, cards in hand, whether it is a crib, exact mean, totals that never come
    ("cribbage hand", CRIBBAGE, 4, False, 4.769152, {19, 25, 26, 27}),
    ("cribbage crib", CRIBBAGE, 4, True, 4.734819, {19, 25, 26, 27}),
    ("noddy-four", NODDY_FOUR, 4, False, 5.297892, set()),
    ("groves", changed(NODDY_FOUR, show={"hand_flush": "groves"}), 4, False, 5.263558, set()),
    ("five-card hand", CRIBBAGE_FIVE, 3, False, 2.592350, {16, 17, 18, 19}),
    ("costly", COSTLY, 3, False, 6.059765, {1, 29, 31, 33}),
]


@pytest.mark.parametrize(
    ("rules", "number", "is_crib", "mean", "never"), [case[1:] for case in SHOWS], ids=[case[0] for case in SHOWS]
)
def test_shows_of_random_hands_have_the_exact_mean(
    rules: Mapping[str, Any], number: int, is_crib: bool, mean: float, never: set[int]
) -> None:
    totals = []
    for deal_number in range(4000):
        starter, *hand = reference.shuffle(77, deal_number, places=1 + number)
        count = reference.show_crib if is_crib else reference.show
        totals.append(count(hand, starter, rules)["total"])
    found = sum(totals) / len(totals)
    error = math.sqrt(sum((total - found) ** 2 for total in totals) / len(totals) ** 2)
    assert abs(found - mean) < 4 * error
    assert not never & set(totals)


RANKS_ALONE = (reference_points.show_totals, reference_points.show_pairs, reference_points.show_runs)


def test_ranks_counted_once_and_remembered_are_the_ranks_of_any_suits() -> None:
    for deal_number in range(300):
        cards = reference.shuffle(5, deal_number, places=5)
        counted = reference.show(cards[1:], cards[0], NODDY_FOUR)
        plain = [count(cards, NODDY_FOUR["show"]) for count in RANKS_ALONE]
        assert [counted[kind] for kind in ("fifteens", "pairs", "runs")] == plain


@pytest.mark.parametrize("pair", ["Ac Ad", "5c 5d", "7h 8h", "7h 8c", "Jd Kd", "9s Ts"])
def test_mean_crib_of_a_pair_laid_away_with_any_other_cards(pair: str) -> None:
    laid_away = reference.read_cards(pair)
    others = [card for card in range(52) if card not in laid_away]
    total = 0
    for three in itertools.combinations(others, 3):
        total += sum(reference.show_crib([*laid_away, *drop(three, one)], one, CRIBBAGE)["total"] for one in three)
    ranks = "".join(word[0] for word in pair.split())
    suits = "suited" if pair[1] == pair[4] else "offsuit"
    truth = next(row for row in rows("crib_pair_vs_random.csv") if (row["pair"], row["suits"]) == (ranks, suits))
    assert Fraction(total, 3 * math.comb(50, 3)) == Fraction(truth["mean_fraction"])


def drop(cards: Sequence[int], one: int) -> list[int]:
    return [card for card in cards if card != one]


# ---------------------------------------------------------------------------------------------------------------------
# Games and duplicates of the family


LAY_LOW = {**LOW, "discard": laying_away([]), "mog": NEVER}
LAY_HIGH = {**LOW, "discard": laying_away([], "high"), "mog": ALWAYS}


def test_three_for_last() -> None:
    key = reference.deal_key(1, 2)
    cards = reference.dealt_by_rules(key, 2, CRIBBAGE_FIVE)

    def start(when: str, first: bool) -> int:
        rules = changed(CRIBBAGE_FIVE, three_for_last=when)
        result = reference.play_dealt(cards, rules, [LAY_LOW] * 2, key, first=first)
        assert result.points[1]["start"] == 0
        return result.points[0]["start"]

    assert [start("first_deal", first) for first in (True, False)] == [3, 0]
    assert [start("every_deal", first) for first in (True, False)] == [3, 3]
    assert [start("off", first) for first in (True, False)] == [0, 0]
    result = reference.play_dealt(cards, CRIBBAGE_FIVE, [LAY_LOW] * 2, key, [58, 60], 61, True)
    assert (result.winner, result.phase, result.events) == (0, "start", [])
    for when, deals in (("first_deal", 1), ("every_deal", 0)):
        game = reference.play_game(3, 1, 2, changed(CRIBBAGE_FIVE, three_for_last=when), [LAY_LOW] * 2)
        taken = [points["start"] for points in game.points]
        assert sum(taken) == 3 * (deals or game.deals)


@pytest.mark.parametrize(("second", "games"), [(60, 3), (61, 2), (90, 2), (91, 1), (120, 1), (0, 3)])
def test_skunks(second: int, games: int) -> None:
    assert reference.games_counted(second, CRIBBAGE) == games
    assert reference.games_counted(second, changed(CRIBBAGE, skunk=CRIBBAGE["skunk"][::-1])) == games
    assert reference.games_counted(second, NODDY) == 1


@pytest.mark.parametrize(
    ("rules", "players", "sides"),
    [(CRIBBAGE, 2, 2), (CRIBBAGE, 3, 3), (CRIBBAGE, 4, 2), (changed(CRIBBAGE, partners=False), 4, 4), (COSTLY, 2, 2)],
)
def test_games_of_the_family_add_up(rules: Mapping[str, Any], players: int, sides: int) -> None:
    partners = sides < players
    rules = changed(rules, head_start={"eldest": 2, "second": 3, "third": 2, "dealer": 3 if partners else 1})
    start = [2, 3] if partners else {2: [2, 1], 3: [2, 3, 1], 4: [2, 3, 2, 1]}[players]
    for number in range(6):
        game = reference.play_game(3, number, players, rules, [LAY_LOW, LAY_HIGH, LAY_LOW, LAY_HIGH][:players])
        by_person = [sum(points.values()) for points in game.points]
        assert game.scores == [start[side] + sum(by_person[side::sides]) for side in range(sides)]
        assert game.scores[game.winner] >= rules["target"] > game.second
        assert game.second == max(score for side, score in enumerate(game.scores) if side != game.winner)
        assert game.games == reference.games_counted(game.second, rules)
        assert game.dealers == [(players - 1 + turn) % players for turn in range(game.deals)]


def test_partners_start_with_one_score() -> None:
    with pytest.raises(ValueError, match="different points"):
        reference.head_starts(changed(CRIBBAGE, head_start={"eldest": 1}), 4)
    assert reference.head_starts(changed(CRIBBAGE, head_start={"eldest": 1}, partners=False), 4) == [1, 0, 0, 0]


def test_games_of_partners_are_scored_by_side() -> None:
    rules = changed(CRIBBAGE, next_dealer="right")
    game = reference.play_game(4, 2, 4, rules, [LAY_LOW] * 4)
    scores = [0, 0]
    for turn, dealer in enumerate(game.dealers):
        key = reference.game_deal_key(4, 2, turn)
        result = reference.play_dealt(reference.dealt_by_rules(key, 4, rules), rules, [LAY_LOW] * 4, key,
                                      [scores[(dealer + 1) % 2], scores[dealer % 2]], 121)  # fmt: skip
        scores = result.scores if dealer % 2 else result.scores[::-1]
    assert scores == game.scores


@pytest.mark.parametrize(("players", "changes"), [(2, 4), (3, 3), (4, 4)])
def test_cards_laid_away_otherwise_are_counted(players: int, changes: int) -> None:
    # Lowest against highest cards: each card laid away is another. The play is the same on the same cards.
    for number in range(4):
        result = reference.duplicate(2, number, LAY_LOW, LAY_HIGH, LAY_HIGH, CRIBBAGE, players)
        assert result.changed == changes
        assert len(result.seats) == reference.sides_of(CRIBBAGE, players)
        assert sum(result.seats) == result.value
        same = reference.duplicate(2, number, LAY_LOW, LAY_LOW, LAY_HIGH, CRIBBAGE, players)
        assert (same.value, same.changed) == (0, 0)
        assert same.decisions >= changes


@pytest.mark.parametrize(("flush", "counted"), [("off", (0, 0)), ("length", (1, 1))])
def test_two_cards_of_a_rank_are_a_choice_where_suits_in_a_row_score(flush: str, counted: tuple[int, int]) -> None:
    # The arm leads the seven of hearts, the baseline would lead that of clubs.
    rules = changed(NODDY, play={"flush": flush})
    cards = reference.Dealt(reference.read_card("Ks"), reference.read_hands("7c 7h / 2c 3d"), [])
    watch = reference.Watch(LOW, cards, rules, 1)
    lays = watch.the_play(lambda table, seat: table.hands[seat][-1], [0])
    lays(reference.Table(cards.hands, rules), 0)
    assert (watch.decisions, watch.changed) == counted


def test_only_what_is_asked_in_mogging_is_compared() -> None:
    # The elder is always asked; the dealer only if the elder, who is the opponent then, offers.
    never, always = {**LOW, "mog": NEVER}, {**LOW, "mog": ALWAYS}
    for number in range(10):
        against_always = reference.duplicate(2, number, never, always, always, COSTLY, 2)
        against_never = reference.duplicate(2, number, never, always, never, COSTLY, 2)
        assert (against_always.changed, against_never.changed) == (2, 1)


def test_partners_are_one_arm() -> None:
    # By hand: both seats of a side by the arm, the others by the opponent, less the same with the baseline.
    arm, baseline, against = {**GREEDY, "discard": laying_away([])}, LAY_HIGH, LAY_LOW
    for number in range(3):
        key = reference.deal_key(6, number)
        cards = reference.dealt_by_rules(key, 4, CRIBBAGE)
        values = []
        for side in (0, 1):
            margins = []
            for one in (arm, baseline):
                seats = [one if seat % 2 == side else against for seat in range(4)]
                scores = reference.play_dealt(cards, CRIBBAGE, seats, key).scores
                margins.append(scores[side] - scores[1 - side])
            values.append(margins[0] - margins[1])
        assert reference.duplicate(6, number, arm, baseline, against, CRIBBAGE, 4).seats == values
