"""Handicaps, disputed readings switched one at a time, and the search for the fairest rules."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from noddysim.cli import main
from noddysim.commands.balance import fairest_words, sensitivity_words
from noddysim.engine.laying import WHOLE
from noddysim.engine.switches import SwitchCount
from noddysim.game.errors import InputError
from noddysim.game.minds import read_mind
from noddysim.game.rules import load_variant
from noddysim.insight.balance import compare
from noddysim.insight.estimates import CHANCE, Estimate
from noddysim.insight.fairest import MOST_RULES, SAME_LEAD, fairest, rule_sets, usual_space
from noddysim.insight.handicap import Search, handicap
from noddysim.insight.sensitivity import alternatives, sensitivity

NODDY = load_variant("noddy")
GREEDY = read_mind("pegging", "greedy")


def test_each_variant_is_counted_beside_the_base_as_compare_does() -> None:
    other = NODDY.replace(turned_jack="off")
    tally = SwitchCount((NODDY, other), 2, GREEDY, 7).count(0, 2_000)
    found = compare([other, NODDY], games=2_000, seed=7)
    by_metric = {one.metric: one.value for one in found.differences}
    assert tally["pair_sums"][0].tolist() == [0, 0, 0]
    edge, deals, cards = tally["pair_sums"][1] / 2_000
    assert edge / WHOLE == pytest.approx(by_metric["edge"].estimate)
    assert deals == pytest.approx(by_metric["deals"].estimate)
    assert cards == pytest.approx(by_metric["cards"].estimate)
    assert tally["sums"][1, 0] / 2_000 / WHOLE == pytest.approx(found.rows[0].edge.estimate)


# --- handicap -------------------------------------------------------------------------------------------------------


def test_the_search_finds_where_a_falling_chance_passes_nought() -> None:
    asked: list[int] = []

    def play(given: int) -> Estimate:
        asked.append(given)
        middle = 0.1 - 0.04 * given
        return Estimate(middle, middle - 0.02, middle + 0.02, 100, CHANCE, "made up")

    search = Search(play, 30)
    assert search.crossing(lambda found: found.estimate) == pytest.approx(2.5)
    assert search.crossing(lambda found: found.low or 0.0) == pytest.approx(2.0)
    assert search.crossing(lambda found: found.high or 0.0) == pytest.approx(3.0)
    assert len(asked) == len(set(asked)) < 15
    never = Search(lambda given: Estimate(0.5, 0.4, 0.6, 100, CHANCE, "made up"), 30)
    assert never.crossing(lambda found: found.estimate) is None


def test_the_first_deal_is_worth_less_than_a_point_and_skill_several() -> None:
    seats = handicap(NODDY, games=4_000, seed=3)
    assert seats.points is not None and seats.points.low is not None and seats.points.high is not None
    assert 0 < seats.points.low < seats.points.estimate < seats.points.high < 2
    assert seats.chances[0].estimate == pytest.approx(compare([NODDY], games=4_000, seed=3).rows[0].edge.estimate)
    skill = handicap(NODDY, between=("greedy", "random"), games=500)
    assert skill.points is not None and skill.points.estimate > 1
    backwards = handicap(NODDY, between=("random", "greedy"), games=500)
    assert backwards.points is not None and backwards.points.estimate < -1
    alike = handicap(NODDY, between=("low", "low"), games=200)
    assert alike.chances[0].estimate == 0
    assert "of head start that greedy gives random the game is even" in skill.words(terminal=True)


# --- readings -------------------------------------------------------------------------------------------------------


def test_every_other_answer_to_every_question_that_arises_is_tried() -> None:
    found, _ = alternatives(NODDY, 2)
    options = {reading.option for reading, *_ in found}
    assert {"turned_jack", "piles", "show_first", "run_scale", "target", "final_card_point"} <= options
    assert not {"partners", "crib_flush", "mog_first", "must_play"} & options
    jack = [value for reading, value, *_ in found if reading.option == "turned_jack"]
    assert jack == ["dealer2", "opponents2", "off"]
    assert "partners" in {reading.option for reading, *_ in alternatives(NODDY, 4)[0]}
    assert "crib_flush" in {reading.option for reading, *_ in alternatives(load_variant("cribbage"), 2)[0]}
    for variant in map(load_variant, ("innocence", "snitch", "costly-colours")):
        assert alternatives(variant, variant.rules.players[0])[0]


def test_switches_tell_which_disputes_matter() -> None:
    found = sensitivity(NODDY, games=6_000, tips=["lead-low@greedy-random"], deals=3_000)
    by_name = {(one.reading.option, one.value): one for one in found.switches}
    assert by_name["final_card_point", False].verdict == "matters"
    assert by_name["final_card_point", False].edge.estimate < 0
    idle = by_name["hand_flush", "subset"]  # the same rule with three cards
    assert (idle.edge.estimate, idle.deals.estimate, idle.verdict) == (0, 0, "does not matter")
    assert all(one.paired and len(one.tips) == 1 for one in found.switches)
    sizes = [abs(one.edge.estimate) for one in found.switches]
    assert sizes == sorted(sizes, reverse=True)
    assert "no point for the very last card (" in found.words(terminal=True).partition("What matters to neither")[0]
    assert len(found.table) == len(found.switches)


def test_the_terminal_tells_readings_in_words_with_the_option_behind_them() -> None:
    lines = sensitivity_words(sensitivity(NODDY, games=50))
    head = next(line for line in lines if line.endswith("as an option"))
    assert "advice judged otherwise" not in head
    (row,) = [line for line in lines if line.startswith("no point for the very last card  ")]
    assert row.endswith("final_card_point = false")
    asked = sensitivity_words(sensitivity(NODDY, games=50, tips=["lead-low@greedy-random"], deals=20))
    assert any("advice judged otherwise" in line for line in asked)


@pytest.mark.parametrize("tip", ["greedy", "nonsense@greedy"])
def test_what_is_no_advice_is_refused(tip: str) -> None:
    with pytest.raises(InputError):
        sensitivity(NODDY, tips=[tip], games=10)


# --- the fairest rules ----------------------------------------------------------------------------------------------


def test_a_space_is_enumerated_and_its_front_is_played_again() -> None:
    space = {"target": [31, 61], "final_card_point": [True, False], "hand_flush": ["whole", "subset"]}
    found = fairest(NODDY, space=space, games=1_500, skill=100)
    assert len(found.rules) == 4 and found.alike == 4  # with three cards the two flushes are one rule
    assert found.fairest is not None and found.fairest.confirmed
    assert found.fairest.choices["target"] == 31
    lengths = [one.deals.estimate for one in found.front]
    assert lengths == sorted(lengths)
    for one in found.front:
        played = next(other for other in found.rules if other.variant == one.variant)
        assert one.edge.n == 4 * played.edge.n
        assert not np.isclose(one.edge.estimate, played.edge.estimate, rtol=0, atol=1e-12)
    for one in found.rules:
        better = [
            other
            for other in found.rules
            if abs(other.edge.estimate) < abs(one.edge.estimate)
            and other.deals.estimate < one.deals.estimate
            and other.skill.estimate > one.skill.estimate
        ]
        assert not (better and one.variant in [on.variant for on in found.front])
    far = fairest(NODDY, space=space, games=50, skill=10, length=100)
    assert far.fairest is None and "None of them has games of about 100.0 deals" in far.words(terminal=True)


def test_all_five_questions_are_in_the_space_and_two_players_have_one_lead_only() -> None:
    two, three = usual_space(NODDY, 2), usual_space(NODDY, 3)
    assert (
        {"target", "turned_jack", "final_card_point", "play.last", "show_first"}
        == set(two)
        == set(three) - {"next_lead"}
    )
    found = fairest(NODDY, space={"target": [15, 21]}, games=30, skill=10)
    assert found.notes == (SAME_LEAD,) and SAME_LEAD in fairest_words(found)
    leads = fairest(NODDY, space={"next_lead": ["left_of_last", "first_go"]}, games=400, skill=10)
    assert not leads.notes and leads.alike == 1, "both answers are one rule for two"
    with_three = fairest(NODDY, 3, space={"next_lead": ["left_of_last", "first_go"]}, games=400, skill=10)
    assert with_three.alike == 0


def test_spaces_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="the space of rules is empty"):
        rule_sets(NODDY, 2, {})
    with pytest.raises(InputError, match=f"{MOST_RULES:,} are the most"):
        rule_sets(NODDY, 2, {"target": range(2, 2_000), "final_card_point": [True, False]})
    with pytest.raises(InputError, match="say which rules to vary"):
        usual_space(load_variant("snitch"), 3)
    assert "next_lead" in usual_space(NODDY, 3)
    with pytest.raises(InputError):
        fairest(NODDY, space={"colour": [1]}, games=10)


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["handicap", "noddy", "--games", "300"], {"variant", "players", "giver", "points", "chances"}),
        (["sensitivity", "noddy", "--games", "100"], {"edge", "deals", "switches", "tips", "refused"}),
        (
            ["fairest", "noddy", "--games", "100", "--skill", "20", "--vary", "target=15,21"],
            {"base", "front", "rules", "fairest", "space", "wish"},
        ),
    ],
)
def test_commands_answer_in_words_and_in_json(
    arguments: list[str], keys: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--json"]) == 0
    assert keys <= json.loads(capsys.readouterr().out).keys()
    assert main(arguments) == 0
    assert "edge" in capsys.readouterr().out or arguments[0] == "handicap"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["fairest", "noddy", "--vary", "target"], "--vary: 'target' is no rule with values"),
        (["fairest", "noddy", "--vary", "target=15", "--vary", "target=21"], "target is given twice"),
        (["handicap", "noddy", "--between", "greedy"], "--between: 'greedy' is not two strategies"),
        (["sensitivity", "noddy", "--tips", "greedy"], "--tips: greedy is no advice on a baseline"),
        (["compare", "noddy", "--band", "0"], "--band"),
        (["compare", "noddy", "--csv", __file__], "that is a file"),
    ],
)
def test_faulty_arguments_are_refused_in_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[Any]
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert not told.out and says in told.err and told.err.count("\n") <= 2
