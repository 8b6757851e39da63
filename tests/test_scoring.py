"""Scoring one hand: the parts, the combinations that make them, the mean over unseen starters, and what is refused."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest
import reference
from bugs_cases import SHOW_CASES, ShowCase, rules_with
from hypothesis import given
from hypothesis import strategies as st

from noddysim.engine import scoring
from noddysim.engine.games import show_game
from noddysim.engine.scoring import score
from noddysim.game.errors import InputError
from noddysim.game.rules import load_variant

TRUTH = Path(__file__).parent / "golden" / "truth"
NODDY = load_variant("noddy")

ODD_RULES = [
    {},
    {"hand": 4, "show": {"hand_flush": "subset"}},
    {"hand": 4, "show": {"hand_flush": "groves", "fifteen": "per_card", "twentyfive": 3, "thirtyone": "per_card"}},
    {"show": {"run": [2, 4], "run_multiplicity": "once", "same_rank": [0, 5, 5], "nob": 3, "flush": [1]}},
    {"hand": 2, "show": {"hand_flush": "off", "nob": 0}},
]


@pytest.mark.parametrize("case", SHOW_CASES, ids=lambda case: case.id)
def test_worked_show_examples(case: ShowCase) -> None:
    result = score(case.hand, case.starter, NODDY.replace(**case.rules))
    assert result.total == case.total
    if case.parts is not None:
        assert result.parts == dict(zip(("fifteens", "pairs", "runs", "flush", "nob"), case.parts, strict=True))


def test_every_score_can_be_shown_by_kind_bug_10() -> None:
    result = score("JS 4D 5H", "6S")
    assert result.to_json() == {
        "variant": "noddy",
        "hand": ["JS", "4D", "5H"],
        "starter": "6S",
        "crib": False,
        "parts": {"fifteens": 4, "pairs": 0, "runs": 3, "flush": 0, "nob": 1},
        "total": 8,
    }
    assert [(made.kind, made.cards, made.points) for made in result.combinations] == [
        ("fifteen", ("5H", "JS"), 2),
        ("fifteen", ("4D", "5H", "6S"), 2),
        ("run", ("4D", "5H", "6S"), 3),
        ("nob", ("JS", "6S"), 1),
    ]


@pytest.mark.parametrize("rules", ODD_RULES, ids=str)
@given(data=st.data())
def test_parts_and_combinations_agree_with_the_twin(rules: dict, data: st.DataObject) -> None:
    full = rules_with(rules)
    size = full["hand"] + 1
    # A narrow pack, so that most hands hold pairs, runs and flushes.
    cards = data.draw(st.lists(st.integers(12, 51) | st.integers(12, 31), min_size=size, max_size=size, unique=True))
    result = score(cards[1:], cards[0], NODDY.replace(**rules))
    expected = reference.show(cards[1:], cards[0], full)
    assert {**expected, **result.parts, "total": result.total} == expected
    assert not expected["jacks_deuces"] and not expected["colours"]
    assert sum(made.points for made in result.combinations) == result.total


def test_a_count_that_disagrees_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "combinations", lambda *_: ())
    with pytest.raises(RuntimeError, match="the kernel counts"):
        score("5H 5D 5C", "5S")
    with pytest.raises(RuntimeError, match="add up to"):
        score("5H 5D 5C")


# --- the mean over unseen starters ------------------------------------------------------------------------------------


def test_unknown_starter_is_counted_not_sampled_bug_77() -> None:
    result = score("7H 7D 8C")
    assert result.cases == 49 == sum(result.counts.values())
    assert result.total is None and result.combinations == ()
    assert result.exact_mean == Fraction(380, 49)
    data = result.to_json()
    assert set(data) == {"variant", "hand", "starter", "crib", "cases", "mean", "mean_exact", "parts", "counts"}
    assert data["starter"] is None and data["crib"] is False and data["cases"] == 49
    assert data["mean"] == pytest.approx(380 / 49)
    assert data["mean_exact"] == "380/49"
    assert sum(data["parts"].values()) == pytest.approx(380 / 49)
    assert sum(int(points) * number for points, number in data["counts"].items()) == 380


def test_mean_is_the_mean_of_all_starters_by_the_twin() -> None:
    hand = reference.read_cards("Jh 5h 2h")
    shows = [reference.show(hand, card, rules_with({}))["total"] for card in range(52) if card not in hand]
    result = score(hand)
    assert result.exact_mean == Fraction(sum(shows), 49)
    assert result.counts == {points: shows.count(points) for points in sorted(set(shows))}


def test_mean_depends_on_suits_as_the_truth_file_says() -> None:
    with (TRUTH / "noddy_3_expected_by_hand.csv").open(encoding="utf-8", newline="") as file:
        row = next(row for row in csv.DictReader(file) if row["ranks"] == "4-5-6")
    assert score("4H 5H 6H").mean == pytest.approx(float(row["mean_one_suit"]), abs=1e-8)
    assert score("4H 5H 6D").mean == pytest.approx(float(row["mean_two_suits"]), abs=1e-8)
    assert score("4H 5C 6D").mean == pytest.approx(float(row["mean_three_suits"]), abs=1e-8)


# --- input ------------------------------------------------------------------------------------------------------------


def test_cards_may_be_text_or_numbers() -> None:
    by_text = score("7h 8c 10d", "6s")
    assert by_text == score([26, 28, "TD"], 23)
    assert by_text.hand == ("7H", "8C", "TD")


@pytest.mark.parametrize(
    ("cards", "starter", "says"),
    [
        ("7H 8C 2Z", "6S", "no such card: '2Z'"),
        ("7H 8C 1D", None, "no such card: '1D'"),
        ("7H 8C 7H", "6S", "card 7H is given twice"),
        ("7H 8C 2D", "2D", "card 2D is given twice"),
        ("7H 8C", "6S", "a hand of noddy has 3 cards; 2 are given: 7H 8C"),
        ("7H 8C 2D 9S", None, "a hand of noddy has 3 cards; 4 are given: 7H 8C 2D 9S"),
        ("5H", None, "a hand of noddy has 3 cards; 1 is given: 5H"),
        (None, None, 'None is no list of cards; cards are a text such as "7H 8C 2D", or a list of cards'),
        (5, "6S", "5 is no list of cards"),
        ("", None, "none is given"),
        ("7H 8C X", "6S", "no joker"),
        ("7H 8C 2D", "JOKER", "no joker"),
        ("7H 8C 2D", "6S 7S", "no such card: '6S 7S'"),
        ("7H 8C 2D", "", "no such card: ''"),
        ([7, 8, 52], None, "no such card: 52"),
        ([7, 8, -1], None, "no such card: -1"),
        ([7, 8, True], None, "no such card: True"),
        ([7, 8, 2.5], None, "no such card: 2.5"),
    ],
)
def test_bad_cards_are_refused_by_name(cards: object, starter: str | None, says: str) -> None:
    with pytest.raises(InputError) as caught:
        score(cards, starter)  # type: ignore[arg-type]
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_crib_where_there_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="no crib in noddy-61"):
        score("7H 8C 2D", "6S", "noddy-61", crib=True)


def test_unknown_variant_is_refused() -> None:
    with pytest.raises(InputError, match='no variant is named "nody"; did you mean "noddy"'):
        score("7H 8C 2D", "6S", "nody")


def test_variants_that_show_alike_share_a_table_and_others_have_their_own() -> None:
    noddy = load_variant("noddy")
    one, other = (show_game(noddy.replace(target=target), 2) for target in (71, 72))
    assert one.shows is other.shows and one.rules.target != other.rules.target
    pairs_for_nothing = show_game(noddy.replace(show={"same_rank": [0, 0, 0]}), 2)
    assert (pairs_for_nothing.shows.points != one.shows.points).any()
    assert (show_game(noddy.replace(hand=4), 2).shows.which != one.shows.which).any()
