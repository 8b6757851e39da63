"""What is counted exactly: all shows, means by hand, and the facts that claims rest on."""

from __future__ import annotations

import csv
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import reference
from bugs_cases import rules_with

from noddysim.engine import exact
from noddysim.engine.exact import FACTS, fact, mean_show, mean_show_by_hand, show_distribution
from noddysim.engine.games import peg_game
from noddysim.game.claims import load_claims
from noddysim.game.errors import InputError
from noddysim.game.rules import load_variant
from noddysim.kernels.show import count_every_show

TRUTH = Path(__file__).parent / "golden" / "truth"
TRUTHS = json.loads((TRUTH / "exact_truths.json").read_text(encoding="utf-8"))
NODDY = load_variant("noddy")


def truth_rows(name: str) -> list[dict[str, str]]:
    with (TRUTH / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# --- every show -------------------------------------------------------------------------------------------------------


def test_every_noddy_hand_gives_the_table_of_the_truth_file() -> None:
    found = show_distribution(NODDY)
    assert found.cases == 1_082_900
    assert found.counts == {
        int(row["points"]): int(row["hands"]) for row in truth_rows("dist_noddy_3_plus_starter.csv")
    }


def test_mean_variance_and_parts_are_the_exact_ones() -> None:
    found, truth = show_distribution("noddy"), TRUTHS["noddy_3_plus_starter"]
    assert found.exact_mean == Fraction(truth["mean"])
    assert found.variance == Fraction(truth["variance"])
    assert found.mean_parts == {kind: Fraction(mean) for kind, mean in truth["mean_parts"].items()}
    assert sum(found.mean_parts.values()) == found.exact_mean
    assert f"{found.mean:.6f}" == "2.592350"


def test_json_of_the_shows() -> None:
    data = show_distribution("noddy").to_json()
    assert set(data) == {"variant", "cases", "counts", "mean", "mean_exact", "parts"}
    assert data["variant"] == "noddy" and data["cases"] == 1_082_900
    assert data["counts"]["0"] == 260_220 and data["counts"]["19"] == 0 and data["counts"]["20"] == 4
    assert sum(data["counts"].values()) == data["cases"]
    assert data["mean_exact"] == "701814/270725"


def test_hands_of_four_are_counted_too() -> None:
    # Cribbage's hand is scored by the rules of this family with a flush of the whole hand.
    found = show_distribution(NODDY.replace(hand=4, show={"hand_flush": "whole"}))
    assert found.cases == 12_994_800
    assert found.exact_mean == Fraction(TRUTHS["cribbage_hand_4_plus_starter"]["mean"])


def test_the_table_counts_as_the_rules_do() -> None:
    game = peg_game(NODDY.replace(show={"run": [2, 5], "run_multiplicity": "once", "fifteen": "per_card"}), 2)
    found = []
    for by_table in (True, False):
        totals, parts = np.zeros(4096, np.int64), np.zeros((7, 4096), np.int64)
        count_every_show(game.rules, game.shows, 3, False, by_table, totals, parts)
        found.append((totals.tolist(), parts.tolist()))
    assert found[0] == found[1]


def test_other_rules_are_not_taken_from_memory() -> None:
    plain = show_distribution("noddy")
    without_nob = show_distribution(NODDY.replace(show={"nob": 0}))
    assert without_nob.exact_mean == plain.exact_mean - plain.mean_parts["nob"]
    assert without_nob.mean_parts["nob"] == 0


def test_a_crib_where_there_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="no crib in noddy"):
        show_distribution("noddy", crib=True)


def test_a_count_with_cases_missing_is_never_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def lazy(rules, shows, size, is_crib, by_table, totals, parts) -> None:
        totals[0] = 1
        parts[:, 0] = 1

    monkeypatch.setattr(exact, "count_every_show", lazy)
    monkeypatch.setattr(exact, "_COUNTED", {})
    with pytest.raises(RuntimeError, match="1082900 hands"):
        show_distribution("noddy")


# --- means by hand ----------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_mean_of_all_455_hands() -> None:
    found = mean_show_by_hand("noddy")
    rows = truth_rows("noddy_3_expected_by_hand.csv")
    assert len(found) == len(rows) == 455
    for row in rows:
        hand = found[row["ranks"]]
        assert hand.mean == Fraction(row["mean_fraction"]), row["ranks"]
        assert hand.hands == int(row["physical_hands"]), row["ranks"]


@pytest.mark.long
def test_means_come_best_first_and_average_to_the_whole() -> None:
    found = list(mean_show_by_hand("noddy").values())
    assert found[0].ranks == "5-5-5" and found[0].mean == Fraction(500, 49)
    assert [hand.mean for hand in found] == sorted((hand.mean for hand in found), reverse=True)
    assert sum(hand.mean * hand.hands for hand in found) / 22_100 == show_distribution("noddy").exact_mean


@pytest.mark.parametrize("hand", ["7-7-8", "8 7 7", "778", "7,8,7", "7H 7C 8D"])
def test_mean_of_one_hand(hand: str) -> None:
    assert mean_show(hand) == Fraction(380, 49)


def test_ranks_average_over_suits_and_cards_do_not() -> None:
    assert mean_show("4-5-6") == Fraction(5853, 784)
    assert mean_show("4H 5H 6H") == Fraction(513, 49)
    assert mean_show("10-J-q") == mean_show("T-J-Q")


@pytest.mark.parametrize("hand", ["7-7", "7-7-7-8", "7-7-1", "", "7H 7C", "7H 7H 8C"])
def test_a_hand_that_cannot_be_held_is_refused(hand: str) -> None:
    with pytest.raises(InputError):
        mean_show(hand)


def test_four_card_noddy_scores_as_noddy_does() -> None:
    four = load_variant("noddy-four")
    plain, larger = NODDY.rules.model_dump(), four.rules.model_dump()
    assert {key for key in plain if plain[key] != larger[key]} == {"hand", "show"}
    assert larger["hand"] == 4 and plain["show"] == {**larger["show"], "hand_flush": "whole"}
    # Its flush says nothing else than Noddy's of a hand of three.
    assert show_distribution(four.replace(hand=3)).parts == show_distribution(NODDY).parts


def test_four_of_a_rank_can_be_held() -> None:
    sevens, rules = [24, 25, 26, 27], rules_with({"hand": 4})
    shows = [reference.show(sevens, card, rules)["total"] for card in range(52) if card not in sevens]
    assert mean_show("7-7-7-7", NODDY.replace(hand=4)) == Fraction(sum(shows), 48)


# --- facts ------------------------------------------------------------------------------------------------------------


def test_facts_have_the_values_of_the_truth_file() -> None:
    knave = TRUTHS["knave"]
    assert fact("nob-worth").values["points_a_hand"] == Fraction(knave["p_nob_three_card"]) == Fraction(12, 221)
    assert fact("turned-jack").values == {
        "points_a_deal": Fraction(knave["value_001_dealer_points_per_deal"]),
        "chance": Fraction(knave["p_starter_jack"]),
    }
    hands = fact("seven-seven-eight").values
    assert hands["7-7-8"] == Fraction(TRUTHS["tip_7_7_8"]["mean"])
    assert hands["9-9-5"] == Fraction(TRUTHS["tip_9_9_5"]["mean"])
    assert hands["difference"] == hands["7-7-8"] - hands["9-9-5"]
    # Three of a suit: 4 * C(13, 3) of C(52, 3) hands; the starter is one of the ten left of the suit among 49.
    flush = fact("flush-three").values
    assert flush["chance"] == Fraction(4 * 286, 22_100)
    assert flush["chance_with_starter"] == flush["chance"] * Fraction(10, 49)
    assert flush["points_a_hand"] == Fraction(TRUTHS["noddy_3_plus_starter"]["mean_parts"]["flush"])
    show = fact("show-mean").values
    assert show["mean"] == Fraction(TRUTHS["noddy_3_plus_starter"]["mean"])
    assert show["best"] == 20 and show["chance_of_nothing"] == Fraction(TRUTHS["noddy_3_plus_starter"]["p_zero"])


def test_facts_about_four_cards_have_the_values_of_the_truth_file() -> None:
    flush = TRUTHS["flush"]
    assert fact("flush-four").values == {
        "chance_three_of_four": Fraction(flush["p_some_three_of_a_suit_in_four_card_hand"]),
        "chance_all_four": Fraction(flush["p_four_card_hand_one_suit"]),
        "chance_all_three": Fraction(flush["p_three_card_hand_one_suit"]),
    }
    words = fact("flush-four").words
    assert "17.54 %" in words and "5.18 %" in words and "1.06 %" in words
    nob = Fraction(TRUTHS["knave"]["p_nob_four_card"])
    assert fact("nob-four").values == {"points_a_hand": nob, "chance": nob}
    readings = {reading: f"{float(mean):.6f}" for reading, mean in fact("flush-four-readings").values.items()}
    assert readings == {"subset": "5.297892", "groves": "5.263558", "whole": "4.769152"}


@pytest.mark.parametrize(
    ("name", "mean", "best", "nothing"),
    [
        ("noddy-four", "5.297892", 29, Fraction(816_816, 12_994_800)),
        ("cribbage", "4.769152", 29, Fraction(1_009_008, 12_994_800)),
        ("cribbage-crib", "4.734819", 29, Fraction(1_022_208, 12_994_800)),
        ("cribbage-five", "2.592350", 20, Fraction(260_220, 1_082_900)),
        ("costly-colours", "6.059765", 34, Fraction(61_728, 1_082_900)),
    ],
)
def test_shows_of_the_family(name: str, mean: str, best: int, nothing: Fraction) -> None:
    found = fact(f"show-mean-{name}").values
    assert f"{float(found['mean']):.6f}" == mean
    assert (found["best"], found["chance_of_nothing"]) == (best, nothing)


@pytest.mark.parametrize(
    ("name", "truth"),
    [
        ("show-mean-cribbage", "cribbage_hand_4_plus_starter"),
        ("show-mean-cribbage-crib", "cribbage_crib_4_plus_starter"),
        ("show-mean-cribbage-five", "noddy_3_plus_starter"),
    ],
)
def test_shows_of_cribbage_are_those_of_the_truth_file(name: str, truth: str) -> None:
    row = TRUTHS[truth]
    assert fact(name).values == {
        "mean": Fraction(row["mean"]),
        "variance": Fraction(row["variance"]),
        "chance_of_nothing": Fraction(row["p_zero"]),
        "best": row["max"],
    }


def test_the_show_of_groves_pays_fifteens_by_the_card() -> None:
    # Among five cards any k that make fifteen are met C(5, k) / C(52, k) times, and pay k instead of 2.
    ways = {int(k): ways for k, ways in TRUTHS["subsets_of_the_pack_that_make_15"].items() if k in "2345"}
    more = sum((k - 2) * ways[k] * Fraction(math.comb(5, k), math.comb(52, k)) for k in ways)
    flat = fact("flush-four-readings").values["groves"]
    assert fact("show-mean-noddy-groves").values["mean"] == flat + more


def test_colours_are_those_counted_by_suits() -> None:
    # Four cards of the pack by suits: four of one; three and one of its colour; two and two of a colour; three of one
    # and one of the other colour; two and one of a colour and one of the other.
    three, two = math.comb(13, 3), math.comb(13, 2)
    hands = [4 * math.comb(13, 4), 4 * three * 13, 2 * two**2, 4 * three * 26, 4 * two * 13 * 26]
    points = sum(number * pays for number, pays in zip(hands, [6, 5, 4, 3, 2], strict=True))
    found, cases = fact("colours-share").values, math.comb(52, 4)
    assert found["points_a_hand"] == Fraction(points, cases)
    assert found["chance"] == Fraction(sum(hands), cases)
    assert found["share"] == Fraction(points, cases) / Fraction(6_562_120, 1_082_900)


@pytest.mark.parametrize("name", FACTS)
def test_a_fact_states_its_values_in_words(name: str) -> None:
    found = fact(name)
    assert found.name == name
    assert str(next(iter(found.values.values()))) in found.words
    assert found.words.endswith(".") and "\n" not in found.words
    data = found.to_json()
    assert set(data) == {"name", "estimate", "low", "high", "values", "words"}
    assert data["low"] == data["estimate"] == data["high"]
    assert {key: Fraction(value) for key, value in data["values"].items()} == found.values


def test_facts_are_those_that_claims_name() -> None:
    named = {name for claim in load_claims().claims for name in claim.named("exact")}
    assert named <= set(FACTS)


def test_unknown_fact_is_refused() -> None:
    with pytest.raises(InputError, match="no such exact fact: 'nob'; facts are nob-worth"):
        fact("nob")
