"""The show: worked examples, every hand of Noddy counted, and what suits and the order of cards may not change."""

from __future__ import annotations

import csv
import itertools
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import bugs_cases
import numpy as np
import pytest
import reference
import table
from bugs_cases import FOUR, FOUR_GROVES, FOUR_WHOLE, NONE, Differences, ShowCase, rules_with
from hypothesis import given, settings
from hypothesis import strategies as st

from noddysim.kernels.hands import pack
from noddysim.kernels.records import SHOW_KINDS
from noddysim.kernels.show import count_every_show, show_from_rules, show_points

TRUTH = Path(__file__).parent / "golden" / "truth"
EXACT = json.loads((TRUTH / "exact_truths.json").read_text(encoding="utf-8"))
NODDY_HANDS = 1_082_900
TOTAL = 4095
FIVE = ("fifteens", "pairs", "runs", "flush", "nob")


def five_kinds(parts: dict[str, int]) -> dict[str, int]:
    """The kinds of Noddy; the two that belong to Costly Colours must be nought."""
    assert set(parts) == set(SHOW_KINDS) and not parts["jacks_deuces"] and not parts["colours"]
    return {kind: parts[kind] for kind in FIVE}


def rows(name: str) -> list[dict[str, str]]:
    with (TRUTH / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# ---------------------------------------------------------------------------------------------------------------------
# Worked examples


@pytest.mark.parametrize("case", bugs_cases.SHOW_CASES, ids=lambda case: case.id)
def test_worked_show_examples(case: ShowCase) -> None:
    game = table.game_with(case.rules, 2)
    hand, starter = reference.read_cards(case.hand), reference.read_card(case.starter)
    for by_table in (True, False):
        counted = table.score_hand(game, hand, starter, by_table)
        assert sum(counted.values()) == case.total
        if case.parts is not None:
            assert five_kinds(counted) == dict(zip(FIVE, case.parts, strict=True))


@pytest.mark.parametrize("case", bugs_cases.SHOW_CASES, ids=lambda case: case.id)
def test_rules_of_the_examples_are_read_as_they_stand(case: ShowCase) -> None:
    assert table.variant_with(case.rules).rules.model_dump() == rules_with(case.rules)


def show(hand: str, starter: str, rules: Differences = NONE) -> dict[str, int]:
    game = table.game_with(rules, 2)
    return five_kinds(table.score_hand(game, reference.read_cards(hand), reference.read_card(starter)))


def test_nob_and_flush_cases() -> None:
    # Three of a suit in hand make 3, the starter makes 4; two in hand and the starter make nothing.
    assert show("2H 9H KH", "4C")["flush"] == 3
    assert show("2H 9H KH", "4H")["flush"] == 4
    assert show("2H 9H KC", "4H")["flush"] == 0
    # His nob: the jack of the starter's suit, in hand. Not another jack, not another card of the suit.
    assert show("JS 4D 5H", "6S")["nob"] == 1
    assert show("JS 4D 5H", "6C")["nob"] == 0
    assert show("QS 4D 5H", "6S")["nob"] == 0
    assert show("JS JD 5H", "6S")["nob"] == 1
    # A starter jack is no nob, whatever is held.
    assert all(show("5S 6S JD", starter)["nob"] == 0 for starter in ("JS", "JH", "JC"))
    # Nob and flush of one suit add.
    assert show("JS 4S 9S", "6S") == {"fifteens": 2, "pairs": 0, "runs": 0, "flush": 4, "nob": 1}
    # Every jack of a hand with every card of its suit, and with no other card.
    for suit in range(4):
        jack = 4 * reference.JACK + suit
        hand = [jack, *[card for card in (0, 1, 2, 3) if card % 4 != suit][:2]]
        for starter in (card for card in range(52) if card not in hand):
            nob = table.score_hand(table.noddy_game(2), hand, starter)["nob"]
            assert nob == int(starter % 4 == suit)


def test_points_of_a_rule_file_reach_the_show() -> None:
    # A rule of one's own for every kind of the show.
    own: Differences = {
        "hand": 4,
        "show": {
            "fifteen": "per_card", "twentyfive": 3, "thirtyone": "per_card", "same_rank": [1, 4, 9], "run": [2, 6],
            "run_multiplicity": "once", "hand_flush": "subset", "flush": [5, 7], "nob": 11,
        },
    }  # fmt: skip
    # 4-2-9 is 15 in three cards; T-4-2-9 and J-4-2-9 are 25; T-J-9-2 is 31 in four cards; 9-T-J is a run of three.
    sums = 3 + 2 * 3 + 4
    assert show("TS JS 4S 2S", "9D", own) == {"fifteens": sums, "pairs": 0, "runs": 2, "flush": 7, "nob": 0}
    # 5-5-5 is 15 in three cards, six fives with a ten-card in two; 5-J-Q three times and 5-5-5-J, 5-5-5-Q are 25.
    sums = 3 + 6 * 2 + 5 * 3
    assert show("5S 5H 5D JC", "QC", own) == {"fifteens": sums, "pairs": 4, "runs": 0, "flush": 0, "nob": 11}


# ---------------------------------------------------------------------------------------------------------------------
# Every hand of Noddy


class Shape(NamedTuple):
    """Hands that differ only by the names of the suits: one of them, how many, and its points with every starter."""

    hand: tuple[int, ...]
    hands: int
    by_table: list[int]
    by_rules: list[int]


@pytest.fixture(scope="module")
def shapes() -> list[Shape]:
    """All 22,100 hands of three, one for each way its suits can lie, with packed points over 49 starters."""
    game = table.noddy_game(2)
    renamings = list(itertools.permutations(range(4)))

    def first_name(hand: tuple[int, ...]) -> tuple[int, ...]:
        return min(tuple(sorted(4 * (card // 4) + names[card % 4] for card in hand)) for names in renamings)

    found = []
    for hand, hands in Counter(map(first_name, itertools.combinations(range(52), 3))).items():
        cards = pack(sorted(hand))
        starters = [starter for starter in range(52) if starter not in hand]
        by_table = [int(show_points(game.rules, game.shows, cards, 3, starter)) for starter in starters]
        by_rules = [int(show_from_rules(game.rules, cards, 3, starter)) for starter in starters]
        found.append(Shape(hand, hands, by_table, by_rules))
    return found


def counted(rules: Differences, size: int, by_table: bool) -> tuple[np.ndarray, np.ndarray]:
    game = table.game_with(rules, 2)
    totals, parts = np.zeros(TOTAL + 1, np.int64), np.zeros((7, 4096), np.int64)
    count_every_show(game.rules, game.shows, size, False, by_table, totals, parts)
    return totals, parts


def test_every_noddy_hand_by_score() -> None:
    published = {int(row["points"]): int(row["hands"]) for row in rows("dist_noddy_3_plus_starter.csv")}
    for by_table in (True, False):
        totals, parts = counted(NONE, 3, by_table)
        assert {points: int(totals[points]) for points in range(21)} == {p: published.get(p, 0) for p in range(21)}
        assert int(totals.sum()) == NODDY_HANDS and not totals[21:].any()
        assert int((totals * np.arange(len(totals))).sum()) == 2_807_256
        # Impossible totals (fault 9).
        assert not totals[16:20].any()
        # Runs of four: ten lowest ranks, a suit for each rank, any of the four cards as starter.
        assert parts[2, 4] == 10 * 4**4 * 4
        # A flush of four: 13 cards of a suit, four of them, one as starter; a flush of three: 39 starters more.
        assert parts[3, 4] == 4 * 715 * 4
        assert parts[3, 3] == 4 * 286 * 39
        assert parts[4, 1] == NODDY_HANDS * 12 // 221 and not parts[4, 2:].any()
        exact = EXACT["noddy_3_plus_starter"]["mean_parts"]
        for kind, counts in zip(SHOW_KINDS, parts, strict=True):
            points = int((counts * np.arange(len(counts))).sum())
            assert Fraction(points, NODDY_HANDS) == Fraction(exact.get(kind, 0))


@pytest.mark.long
def test_the_table_of_the_show_equals_the_rules_hand_by_hand(shapes: list[Shape]) -> None:
    assert sum(shape.hands for shape in shapes) == 22_100
    assert all(shape.by_table == shape.by_rules for shape in shapes)
    totals = np.zeros(TOTAL + 1, np.int64)
    for shape in shapes:
        np.add.at(totals, np.array(shape.by_table) & TOTAL, shape.hands)
    assert np.array_equal(totals, counted(NONE, 3, True)[0])


class Mean:
    """Sums of points and of their squares over cases."""

    def __init__(self) -> None:
        self.cases, self.points, self.squares = 0, 0, 0

    def add(self, shape: Shape) -> None:
        totals = [packed & TOTAL for packed in shape.by_table]
        self.cases += shape.hands * len(totals)
        self.points += shape.hands * sum(totals)
        self.squares += shape.hands * sum(total * total for total in totals)

    @property
    def mean(self) -> Fraction:
        return Fraction(self.points, self.cases)

    @property
    def variance(self) -> Fraction:
        return Fraction(self.squares, self.cases) - self.mean**2


def test_mean_show_of_every_rank_hand(shapes: list[Shape]) -> None:
    by_ranks: dict[str, Mean] = defaultdict(Mean)
    by_suits: dict[tuple[str, int], Mean] = defaultdict(Mean)
    for shape in shapes:
        ranks = "-".join(reference.RANK_LETTERS[reference.rank(card)] for card in shape.hand)
        by_ranks[ranks].add(shape)
        by_suits[ranks, len({reference.suit(card) for card in shape.hand})].add(shape)
    published = rows("noddy_3_expected_by_hand.csv")
    assert len(published) == len(by_ranks) == 455
    for row in published:
        found = by_ranks[row["ranks"]]
        assert found.cases == 49 * int(row["physical_hands"])
        assert found.mean == Fraction(row["mean_fraction"])
        assert float(found.variance) == pytest.approx(float(row["variance"]), abs=1e-7)
        for suits, name in ((1, "mean_one_suit"), (2, "mean_two_suits"), (3, "mean_three_suits")):
            some = by_suits.get((row["ranks"], suits))
            assert (some is not None) == bool(row[name])
            if some is not None:
                assert float(some.mean) == pytest.approx(float(row[name]), abs=1e-8)
    assert (by_ranks["7-7-8"].mean, by_ranks["5-9-9"].mean) == (Fraction(380, 49), Fraction(176, 49))


# ---------------------------------------------------------------------------------------------------------------------
# Every hand of four cards (12,994,800), by table


@pytest.mark.parametrize(
    ("rules", "mean", "some"),
    [
        (FOUR_WHOLE, 4.769152, {0: 1_009_008, 24: 3_680, 28: 76, 29: 4}),
        (FOUR, 5.297892, {0: 816_816, 26: 24, 27: 360}),
        (FOUR_GROVES, 5.263558, {}),
    ],
    ids=["whole", "subset", "groves"],
)
def test_every_four_card_hand(rules: Differences, mean: float, some: dict[int, int]) -> None:
    totals, parts = counted(rules, 4, True)
    assert int(totals.sum()) == 12_994_800
    assert (totals * np.arange(len(totals))).sum() / totals.sum() == pytest.approx(mean, abs=5e-7)
    assert {points: int(totals[points]) for points in some} == some
    if rules is FOUR_WHOLE:
        assert not totals[[19, 25, 26, 27]].any()  # fault 9
        exact = EXACT["cribbage_hand_4_plus_starter"]["mean_parts"]
        for kind, counts in zip(SHOW_KINDS, parts, strict=True):
            points = int((counts * np.arange(len(counts))).sum())
            assert Fraction(points, 12_994_800) == Fraction(exact.get(kind, 0))


# ---------------------------------------------------------------------------------------------------------------------
# Properties, for random rules


POINTS = st.integers(0, 31)
SUMS = st.one_of(POINTS, st.just("per_card"))
SCALES = st.one_of(st.sampled_from(["length", "off"]), st.lists(st.integers(0, 20), min_size=1, max_size=5))
SHOW_RULES = st.fixed_dictionaries(
    {
        "fifteen": SUMS,
        "twentyfive": SUMS,
        "thirtyone": SUMS,
        "same_rank": st.lists(POINTS, min_size=3, max_size=3),
        "run": SCALES,
        "run_multiplicity": st.sampled_from(["each", "once"]),
        "hand_flush": st.sampled_from(["whole", "subset", "groves", "off"]),
        "flush": SCALES,
        "nob": POINTS,
    }
)
DEALT = st.permutations(list(range(52)))


@st.composite
def rule_sets(draw: st.DrawFn) -> Differences:
    # Hands of four are rarer: their table has 371,293 places to fill.
    hand = draw(st.sampled_from([1, 2, 3, 3, 3, 4]))
    return {"hand": hand, "show": draw(SHOW_RULES)}


@settings(max_examples=40)
@given(rule_sets(), st.lists(DEALT, min_size=12, max_size=12))
def test_any_rules_count_as_the_twin_counts(differences: Differences, deals: list[list[int]]) -> None:
    game, rules = table.game_with(differences, 2), rules_with(differences)
    size = differences["hand"]
    for cards in deals:
        hand, starter = cards[:size], cards[size]
        expected = reference.show(hand, starter, rules)
        total = expected.pop("total")
        for by_table in (True, False):
            found = table.score_hand(game, hand, starter, by_table)
            assert found == expected and sum(found.values()) == total


RULES_OF_FOUR = [FOUR, FOUR_WHOLE, FOUR_GROVES, {"hand": 4, "show": {"hand_flush": "off", "run_multiplicity": "once"}}]


@given(DEALT, st.permutations(list(range(4))), st.sampled_from([NONE, *RULES_OF_FOUR]))
def test_suits_may_change_their_names(cards: list[int], names: list[int], differences: Differences) -> None:
    game = table.game_with(differences, 2)
    size = differences.get("hand", 3)
    renamed = [4 * (card // 4) + names[card % 4] for card in cards]
    before = table.score_hand(game, cards[:size], cards[size])
    assert table.score_hand(game, renamed[:size], renamed[size]) == before


@given(DEALT, st.randoms(use_true_random=False), st.sampled_from([NONE, *RULES_OF_FOUR]))
def test_the_order_of_a_hand_does_not_matter(cards: list[int], chance: random.Random, differences: Differences) -> None:
    game = table.game_with(differences, 2)
    size = differences.get("hand", 3)
    hand: Sequence[int] = cards[:size]
    shuffled = list(hand)
    chance.shuffle(shuffled)
    assert table.score_hand(game, shuffled, cards[size], False) == table.score_hand(game, hand, cards[size])
