"""Rules as data: the built-in variants, readings, files of one's own, errors, and the sheet in words."""

from __future__ import annotations

import builtins
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from bugs_cases import NODDY
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from noddysim.game import tomlfile
from noddysim.game.errors import InputError
from noddysim.game.readings import NOT_BUILT, READINGS, SHORTHANDS, scale_points
from noddysim.game.rulemodels import ALLOWED, LEAVES, PeggingRules
from noddysim.game.rules import NO_SOURCE, Variant, load_variant, variant_names
from noddysim.game.rulesheet import WORKS, rule_sheet, variant_json
from noddysim.game.tomlfile import format_value, parse_toml, read_toml

DEFAULTS = {
    "thirtyone_extra": "none", "final_card_point": True, "next_lead": "left_of_last", "combo_scope": "pile",
    "go_breaks": False, "run_multiplicity": "each", "play_flush": False, "must_play": True, "muggins": False,
    "turned_jack": "dealer1", "piles": "multi", "show_first": False, "fifteen": "flat2", "twentyfive": "off",
    "run_scale": "length", "partners": False, "target": 31, "exact_finish": False, "hand_flush": "whole",
    "heels_can_win": True, "three_for_last": "off", "crib_flush": "five", "skunk": "off", "mog_first": "elder",
    "mog_with": "opponent", "mog_bonus": "giver", "turned_deuce": 0, "plain_deuce": 0, "jd_pairs": True,
    "play_runs": True, "play_pairs": "own", "colour_stack": False, "go_point": False, "thirty_scores": False,
}  # fmt: skip


@pytest.fixture
def noddy() -> Variant:
    return load_variant("noddy")


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file in an empty folder, which becomes the current one; gives its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(text: str, name: str = "my.toml") -> str:
        Path(name).write_text(text, encoding="utf-8")
        return name

    return write_file


def refusal(text_or_call) -> str:
    """The message of the InputError; one line."""
    with pytest.raises(InputError) as caught:
        load_variant(text_or_call) if isinstance(text_or_call, str) else text_or_call()
    message = str(caught.value)
    assert "\n" not in message
    return message


# --- built-in variants ----------------------------------------------------------------------------------------------


def test_noddy_is_the_game_of_the_seed(noddy):
    assert noddy.rules.model_dump() == NODDY
    assert json.loads(noddy.rules.model_dump_json()) == NODDY
    assert list(noddy.rules.model_dump()) == list(NODDY)
    assert noddy.readings_in_force == DEFAULTS
    assert (noddy.name, noddy.base, noddy.origin) == ("noddy", None, "noddy.toml (built in)")


def test_the_dump_can_be_read_back(noddy):
    assert PeggingRules(**noddy.rules.model_dump()) == noddy.rules


def test_built_in_names():
    assert {"noddy", "noddy-61", "noddy-no-jack"} <= set(variant_names())
    assert list(variant_names()) == sorted(variant_names())


@pytest.mark.parametrize(
    ("name", "changed", "reading"),
    [("noddy-61", {"target": 61}, {"target": 61}), ("noddy-no-jack", {"turned": []}, {"turned_jack": "off"})],
)
def test_differences_of_the_built_in_variants(name, changed, reading):
    variant = load_variant(name)
    assert variant.rules.model_dump() == {**NODDY, **changed}
    assert variant.readings_in_force == {**DEFAULTS, **reading}
    assert variant.base == "noddy"
    assert variant.sources[next(iter(changed))].key == "seed-b"


@pytest.mark.parametrize("name", variant_names())
def test_every_value_of_a_built_in_variant_has_a_source(name):
    variant = load_variant(name)
    assert list(variant.sources) == list(LEAVES)
    for key, source in variant.sources.items():
        # That four play cribbage each alone is in no source seen; the variant says so.
        assert source.key in WORKS or (name, key, source.seen) == ("cribbage-alone", "partners", "none"), key
        assert source.place
    assert variant.summary
    assert variant.title


def test_records_cannot_be_changed(noddy):
    with pytest.raises(AttributeError):
        noddy.name = "x"
    with pytest.raises(ValidationError):
        noddy.rules.target = 5
    with pytest.raises(ValidationError):
        noddy.rules.play.fifteen = 5
    noddy.rules.model_dump()["players"].append(5)
    noddy.sources.clear()
    assert noddy.rules.model_dump() == NODDY
    assert noddy.sources


def test_records_can_be_hashed_and_sent_to_another_process(noddy):
    again = pickle.loads(pickle.dumps(noddy.replace(target=61)))
    assert again == noddy.replace(target=61)
    assert hash(again) == hash(noddy.replace(target=61))
    assert len({noddy, noddy.replace(target=61), again}) == 2


def test_seats_and_head_starts_by_number_of_players(noddy):
    rules = noddy.replace(head_start={"pone": 4, "second": 3, "third": 2, "dealer": 1}).rules
    assert rules.seats(2) == ("eldest", "dealer")
    assert rules.start_points(2) == (4, 1)
    assert rules.start_points(3) == (4, 3, 1)
    assert rules.start_points(4) == (4, 3, 2, 1)


# --- readings -------------------------------------------------------------------------------------------------------

JACK = {"rank": "J", "to": "dealer", "points": 1}
READING_CASES = [
    ("thirtyone_extra", "none", {"play.thirtyone_extra": 0}),
    ("thirtyone_extra", "last1", {"play.thirtyone_extra": 1}),
    ("thirtyone_extra", "double", {"play.thirtyone_extra": 2}),
    ("final_card_point", True, {"play.final_card_point": True}),
    ("final_card_point", False, {"play.final_card_point": False}),
    ("next_lead", "left_of_last", {"play.next_lead": "left_of_last"}),
    ("next_lead", "first_go", {"play.next_lead": "first_go"}),
    ("combo_scope", "pile", {"play.combo_scope": "pile"}),
    ("combo_scope", "deal", {"play.combo_scope": "deal"}),
    ("go_breaks", False, {"play.go_breaks": False}),
    ("go_breaks", True, {"play.go_breaks": True}),
    ("run_multiplicity", "each", {"show.run_multiplicity": "each"}),
    ("run_multiplicity", "once", {"show.run_multiplicity": "once"}),
    ("turned_jack", "dealer1", {"turned": [JACK]}),
    ("turned_jack", "dealer2", {"turned": [{**JACK, "points": 2}]}),
    ("turned_jack", "opponents2", {"turned": [{**JACK, "to": "opponents", "points": 2}]}),
    ("turned_jack", "off", {"turned": []}),
    ("piles", "multi", {"play.piles": "multi"}),
    ("piles", "single", {"play.piles": "single"}),
    ("piles", "single_first_stuck", {"play.piles": "single_first_stuck"}),
    ("show_first", False, {"order": ["heels", "play", "show"]}),
    ("show_first", True, {"order": ["heels", "show", "play"]}),
    ("fifteen", "flat2", {"play.fifteen": 2, "show.fifteen": 2}),
    ("fifteen", "per_card", {"play.fifteen": "per_card", "show.fifteen": "per_card"}),
    ("twentyfive", "off", {"play.twentyfive": 0, "show.twentyfive": 0}),
    ("twentyfive", "per_card", {"play.twentyfive": "per_card", "show.twentyfive": 0}),
    ("run_scale", "length", {"play.run": "length", "show.run": "length"}),
    ("run_scale", "cotton", {"play.run": [2, 4, 5], "show.run": [2, 4, 5]}),
    ("hand_flush", "whole", {"show.hand_flush": "whole"}),
    ("hand_flush", "subset", {"show.hand_flush": "subset"}),
    ("hand_flush", "groves", {"show.hand_flush": "groves"}),
    ("hand_flush", "off", {"show.hand_flush": "off"}),
    ("play_flush", False, {"play.flush": "off"}),
    ("play_flush", True, {"play.flush": "length"}),
    ("crib_flush", "five", {"show.crib_flush": "five"}),
    ("crib_flush", "four_or_five", {"show.crib_flush": "four_or_five"}),
    ("crib_flush", "off", {"show.crib_flush": "off"}),
    ("skunk", "off", {"skunk": []}),
    ("skunk", "skunk", {"skunk": [{"below": 91, "games": 2}]}),
    ("skunk", "double_skunk", {"skunk": [{"below": 91, "games": 2}, {"below": 61, "games": 3}]}),
    ("skunk", "lurch", {"skunk": [{"below": 61, "games": 2}]}),
    ("skunk", "lurch31", {"skunk": [{"below": 31, "games": 2}]}),
    ("mog_first", "elder", {"mog.first": "elder"}),
    ("mog_first", "dealer", {"mog.first": "dealer"}),
    ("mog_bonus", "giver", {"mog.bonus": "giver"}),
    ("mog_bonus", "taker", {"mog.bonus": "taker"}),
    ("mog_bonus", "both", {"mog.bonus": "both"}),
    ("turned_deuce", 4, {"turned": [JACK, {"rank": "2", "to": "dealer", "points": 4}]}),
    ("turned_deuce", 0, {"turned": [JACK]}),
    ("plain_deuce", 0, {"show.jacks_deuces": []}),
    ("play_runs", True, {"play.run": "length"}),
    ("play_runs", False, {"play.run": "off"}),
    ("play_pairs", True, {"play.same_rank": [2, 9, 18]}),
    ("play_pairs", False, {"play.same_rank": [0, 0, 0]}),
]
NOT_FOR_NODDY = {("plain_deuce", 2)}
"""Readings of entries that Noddy does not have."""
# Two questions are about runs in the play: a scale of one's own is no plain yes or no, and no runs are no scale.
FOLLOWS = {("play_runs", False): {"run_scale": "own"}, ("run_scale", "cotton"): {"play_runs": "own"}}
"""Other readings in force that change with one."""


def changed_noddy(changes: dict) -> dict:
    """Noddy's rules with some dotted keys changed."""
    rules = json.loads(json.dumps(NODDY))
    for key, value in changes.items():
        table, _, name = key.rpartition(".")
        (rules[table] if table else rules)[name] = value
    return rules


def test_the_table_of_readings_is_complete():
    assert {(option, value) for option, value, _ in READING_CASES} == {
        (reading.option, choice.value) for reading in SHORTHANDS.values() for choice in reading.choices
    } - NOT_FOR_NODDY


OPTIONS_OF_THE_RULE_BOOK = {
    "X1": "thirtyone_extra", "X2": "final_card_point", "X3": "next_lead", "X4": "combo_scope", "X5": "go_breaks",
    "X6": "run_multiplicity", "X7": "play_flush", "X8": "must_play", "X9": "muggins", "N1": "turned_jack",
    "N2": "piles", "N3": "show_first", "N4": "fifteen", "N5": "twentyfive", "N6": "run_scale", "N7": "partners",
    "N9": "target", "N10": "exact_finish", "F1": "hand_flush", "F2": "target", "V1": "three_for_last",
    "V2": "must_play", "V3": "run_scale", "V4": "crib_flush", "V5": "show_first", "S1": "crib_flush",
    "S2": "partners", "S3": "target", "S4": "next_lead", "S5": "skunk", "S6": "heels_can_win", "K2": "mog_first",
    "K3": "mog_with", "K4": "mog_bonus", "K5": "turned_deuce", "K6": "plain_deuce", "K7": "jd_pairs",
    "K9": "play_runs", "K10": "play_pairs", "K11": "colour_stack", "K12": "go_point", "K13": "piles",
    "K14": "thirty_scores",
}  # fmt: skip
"""Open questions of the rule book that have an option; N8, F3, V6, K1, K8 and K15 are settled or are two variants."""


def test_every_option_of_the_rule_book_is_built_or_refused_by_name():
    found = {key: reading for reading in READINGS for key in reading.id.split(", ")}
    assert {key: reading.option for key, reading in found.items()} == OPTIONS_OF_THE_RULE_BOOK
    for reading in READINGS:
        assert reading.built != (reading.option in NOT_BUILT)


@pytest.mark.parametrize("name", variant_names())
def test_a_reading_can_be_taken_back(name):
    """The reading in force changes nothing, and after any other it leads back to the same rules."""
    variant = load_variant(name)
    for option, reading in SHORTHANDS.items():
        here = variant.readings_in_force[option]
        if here == "own":
            continue
        assert variant.replace(**{option: here}) is variant, option
        for choice in reading.choices:
            if option != "plain_deuce" or variant.rules.show.jacks_deuces:
                other = variant.replace(**{option: choice.value})
                assert other.readings_in_force[option] == choice.value
                assert other.replace(**{option: here}) is variant, option


@pytest.mark.parametrize(("option", "value", "fields"), READING_CASES)
def test_reading_in_a_call(noddy, option, value, fields):
    variant = noddy.replace(**{option: value})
    assert variant.rules.model_dump() == changed_noddy(fields)
    in_force = variant.readings_in_force
    assert in_force == {**DEFAULTS, option: value, **FOLLOWS.get((option, value), {})}
    assert type(in_force[option]) is type(value)
    words = str(value).lower() if isinstance(value, bool) else value
    assert variant.name == ("noddy" if DEFAULTS[option] == value else f"noddy+{option}={words}")
    assert noddy.replace(**fields_of_a_call(fields)) == variant


def fields_of_a_call(fields: dict) -> dict:
    """Dotted keys as the arguments of a call."""
    found: dict = {}
    for key, value in fields.items():
        table, _, name = key.rpartition(".")
        (found.setdefault(table, {}) if table else found)[name] = value
    return found


@pytest.mark.parametrize(("option", "value", "fields"), READING_CASES)
def test_reading_in_a_file(write, option, value, fields):
    variant = load_variant(write(f'base = "noddy"\n{option} = {format_value(value)}\n'))
    assert variant.rules.model_dump() == changed_noddy(fields)
    assert variant.readings_in_force[option] == value


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ('[play]\nthirtyone_extra = "last1"', "thirtyone_extra", 1),
        ('[play]\nthirtyone_extra = "double"', "thirtyone_extra", 2),
        ('[play]\nfifteen = "flat2"', "fifteen", 2),
        ('[play]\ntwentyfive = "off"', "twentyfive", 0),
        ('[play]\npiles = "single"', "piles", "single"),
        ("[play]\nthirtyone_extra = 7", "thirtyone_extra", 7),
    ],
)
def test_a_reading_may_stand_in_its_own_table(write, text, key, value):
    assert load_variant(write(f'base = "noddy"\n{text}\n')).rules.model_dump()["play"][key] == value


def test_the_readings_of_a_preset_together(write):
    text = 'base = "noddy"\nhand = 4\ntarget = 61\nfifteen = "per_card"\ntwentyfive = "per_card"\nshow_first = true\n'
    text += 'turned_jack = "dealer2"\npiles = "single"\nhand_flush = "groves"\nplay.thirtyone = "per_card"\n'
    variant = load_variant(write(text))
    expected = {"hand": 4, "target": 61, "order": ["heels", "show", "play"], "turned": [{**JACK, "points": 2}]}
    expected |= {"play.fifteen": "per_card", "play.twentyfive": "per_card", "play.thirtyone": "per_card"}
    expected |= {"play.piles": "single", "show.fifteen": "per_card", "show.hand_flush": "groves"}
    assert variant.rules.model_dump() == changed_noddy(expected)


def test_the_jack_reading_leaves_other_ranks_alone(noddy):
    deuce = {"rank": "2", "to": "dealer", "points": 4}
    both = noddy.replace(turned=[deuce, {**JACK, "points": 4}])
    assert both.readings_in_force["turned_jack"] == "own"
    assert both.replace(turned_jack="off").rules.model_dump()["turned"] == [deuce]
    assert both.replace(turned_jack="dealer2").rules.model_dump()["turned"] == [deuce, {**JACK, "points": 2}]
    one_more = noddy.replace(turned=[JACK, deuce, {**JACK, "to": "eldest"}])
    assert one_more.replace(turned_jack="dealer1").rules.model_dump()["turned"] == [JACK, deuce]


def test_a_plain_deuce_has_points_where_deuces_score():
    costly = load_variant("costly-colours")
    jack, deuce = ({"rank": rank, "points": 2, "suited": 4} for rank in "J2")
    assert costly.readings_in_force["plain_deuce"] == 2
    nothing = costly.replace(plain_deuce=0)
    assert nothing.rules.model_dump()["show"]["jacks_deuces"] == [jack, {**deuce, "points": 0}]
    assert nothing.readings_in_force["plain_deuce"] == 0
    assert nothing.name == "costly-colours+plain_deuce=0"
    assert nothing.replace(plain_deuce=2) == costly
    three = costly.replace(show={"jacks_deuces": [jack, {**deuce, "points": 3}]})
    assert three.readings_in_force["plain_deuce"] == "own"
    assert three.name == "costly-colours+show.jacks_deuces=J:2:4,2:3:4"


def test_a_turned_deuce_leaves_the_jack_alone():
    costly = load_variant("costly-colours")
    assert costly.readings_in_force["turned_deuce"] == 4
    without = costly.replace(turned_deuce=0)
    assert without.rules.model_dump()["turned"] == [{**JACK, "points": 4}]
    assert without.name == "costly-colours+turned_deuce=0"
    assert costly.replace(turned_deuce=4) is without.replace(turned_deuce=4) is costly
    assert costly.replace(turned=[{**JACK, "rank": "2"}]).readings_in_force["turned_deuce"] == "own"


@pytest.mark.parametrize("value", [True, False])
def test_partners_are_a_field_and_a_reading(noddy, write, value):
    assert noddy.replace(partners=value).readings_in_force["partners"] is value
    words = format_value(value)
    variant = load_variant(write(f'base = "noddy"\npartners = {words}\n'))
    assert variant.rules.partners is value
    assert noddy.replace(partners=value).name == ("noddy+partners=true" if value else "noddy")


@pytest.mark.parametrize("value", ["off", "first_deal", "every_deal"])
def test_three_for_last_is_a_field_and_a_reading(noddy, value):
    assert noddy.replace(three_for_last=value).readings_in_force["three_for_last"] == value
    assert load_variant("cribbage-five").replace(three_for_last=value).rules.three_for_last == value


def test_the_order_of_skunks_does_not_matter(noddy):
    bands = [{"below": 61, "games": 3}, {"below": 91, "games": 2}]
    assert noddy.replace(skunk=bands).readings_in_force["skunk"] == "double_skunk"
    own = noddy.replace(skunk=[{"below": 45, "games": 2}])
    assert own.readings_in_force["skunk"] == "own"
    assert own.name == "noddy+skunk=45:2"


def test_show_first_leaves_the_heels_in_their_place(noddy):
    late = noddy.replace(order=["play", "heels", "show"])
    assert late.readings_in_force["show_first"] is False
    assert late.replace(show_first=True).rules.order == ("show", "heels", "play")


def test_other_numbers_are_readings_of_ones_own(noddy):
    assert noddy.replace(play={"fifteen": 3}).readings_in_force["fifteen"] == "own"
    assert noddy.replace(play={"thirtyone_extra": 3}).readings_in_force["thirtyone_extra"] == "own"
    assert noddy.replace(play={"run": [3]}, show={"run": [3, 4]}).readings_in_force["run_scale"] == "length"
    assert noddy.replace(turned=[{**JACK, "points": 0}]).readings_in_force["turned_jack"] == "off"
    assert noddy.replace(target=99).readings_in_force["target"] == 99


@pytest.mark.parametrize(("option", "text"), [
    ("thirtyone_extra", 'thirtyone_extra = "last1"\n[play]\nthirtyone_extra = 2'),
    ("fifteen", 'fifteen = "per_card"\n[show]\nfifteen = 2'),
    ("turned_jack", 'turned_jack = "off"\nturned = [{rank = "J", to = "dealer", points = 1}]'),
    ("show_first", 'show_first = true\norder = ["heels", "play", "show"]'),
    ("final_card_point", "final_card_point = false\n[play]\nfinal_card_point = true"),
    ("run_scale", 'run_scale = "cotton"\n[play]\nrun = "length"'),
    ("hand_flush", 'hand_flush = "off"\n[show]\nhand_flush = "subset"'),
    ("play_flush", 'play_flush = true\nplay.flush = "off"'),
    ("crib_flush", 'crib_flush = "off"\nshow.crib_flush = "five"'),
    ("turned_deuce", "turned_deuce = 4\nturned = []"),
    ("mog_first", 'mog_first = "dealer"\nmog.first = "elder"'),
    ("play_runs", "play_runs = false\nplay.run = [3]"),
    ("plain_deuce", 'plain_deuce = 2\nshow.jacks_deuces = [{rank = "2", points = 1, suited = 4}]'),
    ("run_scale", 'run_scale = "cotton"\nplay_runs = false'),
    ("run_scale", 'run_scale = "length"\nplay_runs = false'),
    ("run_scale", 'run_scale = "cotton"\nplay_runs = true'),
])  # fmt: skip
def test_a_reading_and_a_field_that_contradict_are_refused(write, option, text):
    message = refusal(write(f'base = "noddy"\n{text}\n'))
    assert message.startswith(f"my.toml:2:1: {option} = ")
    assert "contradicts" in message


@pytest.mark.parametrize("text", [
    'thirtyone_extra = "last1"\n[play]\nthirtyone_extra = 1',
    'turned_jack = "off"\nturned = []',
    'turned_jack = "off"\nturned = [{rank = "2", to = "dealer", points = 4}]',
    'run_scale = "length"\n[show]\nrun = [3, 4]',
    'show_first = true\norder = ["show", "play", "heels"]',
    'run_scale = "length"\nplay_runs = true',
    "play_flush = true\nplay.flush = [3, 4]",
    "play_flush = false\nplay.flush = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]",
    'plain_deuce = 2\nshow.jacks_deuces = [{rank = "2", points = 2, suited = 4}]',
    'turned_deuce = 4\nturned = [{rank = "2", to = "dealer", points = 4}]',
])  # fmt: skip
def test_a_reading_and_a_field_that_agree_are_accepted(write, text):
    assert load_variant(write(f'base = "noddy"\n{text}\n')).base == "noddy"


def test_scale_of_runs_goes_on_one_point_a_card():
    assert [scale_points("length", n) for n in (3, 4, 7)] == [3, 4, 7]
    assert [scale_points([2, 4, 5], n) for n in (3, 4, 5, 6, 8)] == [2, 4, 5, 6, 8]
    assert [scale_points([2], n) for n in (3, 4, 5)] == [2, 3, 4]


# --- known, but not built -------------------------------------------------------------------------------------------

AS_NOW = [(name, value) for name, entry in NOT_BUILT.items() for value in entry.accepted]
REFUSED = [
    ("must_play", "false"), ("muggins", "true"), ("exact_finish", "true"), ("heels_can_win", "false"),
    ("mog_with", '"stock"'), ("jd_pairs", "false"), ("colour_stack", "true"), ("go_point", "true"),
    ("thirty_scores", "true"), ("face_value", '"rank"'), ("meld_scoring", '"single"'),
    ("sum_value", '"face"'), ("must_meld", "true"), ("melds_per_turn", "1"), ("trump_in_melds", "true"),
    ("trump_drawable", "true"), ("stock_out", '"redeal"'), ("trump_jack", '"bonus"'), ("suit_value", '"flat"'),
    ("jokers", "4"), ("joker_pair", "true"), ("steal", '"thief"'), ("response", '"match_only"'),
    ("refill", '"turn"'), ("max_sets", "3"), ("discard_then_set", "true"), ("first_discard", "true"),
    ("action4", '"stack"'), ("deuce_points", "20"), ("deal_end", '"all_pass"'), ("tie", '"share"'),
    ("min_players", "3"),
]  # fmt: skip


def test_every_name_that_is_not_built_has_a_refusal():
    assert {name for name, _ in REFUSED} == set(NOT_BUILT)


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_what_is_not_built_is_refused_with_the_reason(write, name, value):
    message = refusal(write(f'base = "noddy"\n{name} = {value}\n'))
    assert message.startswith(f"my.toml:2:1: {name} = {value} is refused: ")
    assert NOT_BUILT[name].reason in message


@pytest.mark.parametrize(("name", "value"), AS_NOW)
def test_the_value_that_means_as_now_is_accepted(write, name, value):
    rules = load_variant(write(f'base = "noddy"\n{name} = {format_value(value)}\n')).rules
    assert rules.model_dump() == NODDY


def test_what_is_not_built_is_refused_in_its_table_too(write):
    message = refusal(write('base = "noddy"\n[play]\ngo_point = true\n[show]\njd_pairs = false\n'))
    assert message.startswith("my.toml:3:1: play.go_point = true is refused: ")
    assert message.endswith("(and 1 more)")


def test_what_is_not_built_is_a_question_of_the_sheet_too():
    """Names of this family stand among the readings; those of the other games do not."""
    asked = {reading.option for reading in READINGS if not reading.built}
    assert asked == {option for option, value in REFUSED[:9]} <= set(NOT_BUILT)
    for reading in READINGS:
        if not reading.built:
            assert (reading.choices[0].value,) == NOT_BUILT[reading.option].accepted


def test_true_is_not_one(write):
    assert "refused" in refusal(write('base = "noddy"\nmust_play = 1\n'))
    assert "not allowed" in refusal(write('base = "noddy"\nfinal_card_point = 1\n'))


# --- values ---------------------------------------------------------------------------------------------------------

GOOD = [
    ("players = [2]", "players", [2]),
    ("players = [2, 4]", "players", [2, 4]),
    ("hand = 1", "hand", 1),
    ("hand = 4", "hand", 4),
    ("target = 1", "target", 1),
    ("target = 10000", "target", 10000),
    ('next_dealer = "lowest"', "next_dealer", "lowest"),
    ('order = ["show", "heels", "play"]', "order", ["show", "heels", "play"]),
    ('turned = [{rank = "10", to = "pone", points = 31}]', "turned", [{"rank": "T", "to": "eldest", "points": 31}]),
    ("turned = []", "turned", []),
    ("head_start = {pone = 2}", "head_start", {"eldest": 2, "second": 0, "third": 0, "dealer": 0}),
    ("head_start.dealer = 30", "head_start", {"eldest": 0, "second": 0, "third": 0, "dealer": 30}),
    ("partners = true", "partners", True),
    ("discard = 2", "discard", {"two": 2, "three": 2, "four": 2}),
    ("discard = {two = 2, 3 = 1}", "discard", {"two": 2, "three": 1, "four": 0}),
    ("discard.four = 1", "discard", {"two": 0, "three": 0, "four": 1}),
    ("mog.refusal = 31", "mog", {**NODDY["mog"], "refusal": 31}),
    ('mog = {first = "dealer", bonus = "both"}', "mog", {**NODDY["mog"], "first": "dealer", "bonus": "both"}),
    ('three_for_last = "every_deal"', "three_for_last", "every_deal"),
    ("skunk = [{below = 10000, games = 9}]", "skunk", [{"below": 10000, "games": 9}]),
    ("skunk = []", "skunk", []),
    ('[play]\nflush = "length"', "play", {**NODDY["play"], "flush": "length"}),
    ("[play]\nflush = [0, 5, 23]", "play", {**NODDY["play"], "flush": [0, 5, 23]}),
    ('[play]\nrun = "off"', "play", {**NODDY["play"], "run": "off"}),
    ('[show]\nrun = "off"\nflush = "off"', "show", {**NODDY["show"], "run": "off", "flush": "off"}),
    ('[show]\ncrib_flush = "four_or_five"', "show", {**NODDY["show"], "crib_flush": "four_or_five"}),
    ("[show]\ncolours = [2, 3, 4, 5, 31]", "show", {**NODDY["show"], "colours": [2, 3, 4, 5, 31]}),
    (
        '[show]\njacks_deuces = [{rank = "10", points = 0, suited = 31}]',
        "show",
        {**NODDY["show"], "jacks_deuces": [{"rank": "T", "points": 0, "suited": 31}]},
    ),
    ("[play]\nlimit = 15", "play", {**NODDY["play"], "limit": 15}),
    ("[play]\nlimit = 60", "play", {**NODDY["play"], "limit": 60}),
    ("[play]\nrun = [0]", "play", {**NODDY["play"], "run": [0]}),
    ("[play]\nsame_rank = [0, 31, 5]", "play", {**NODDY["play"], "same_rank": [0, 31, 5]}),
    ("[show]\nflush = [1, 2, 3]", "show", {**NODDY["show"], "flush": [1, 2, 3]}),
    ('[show]\nthirtyone = "per_card"\nnob = 0', "show", {**NODDY["show"], "thirtyone": "per_card", "nob": 0}),
]


@pytest.mark.parametrize(("text", "key", "value"), GOOD)
def test_values_that_are_allowed(write, text, key, value):
    assert load_variant(write(f'base = "noddy"\n{text}\n')).rules.model_dump() == {**NODDY, key: value}


@pytest.mark.parametrize(("players", "points", "seats"), [
    ([2], [1, 2], (1, 0, 0, 2)),
    ([3], [1, 2, 3], (1, 2, 0, 3)),
    ([4], [1, 2, 3, 4], (1, 2, 3, 4)),
])  # fmt: skip
def test_head_start_as_a_list_from_eldest_to_dealer(noddy, write, players, points, seats):
    expected = dict(zip(("eldest", "second", "third", "dealer"), seats, strict=True))
    variant = noddy.replace(players=players, head_start=points)
    assert variant.rules.model_dump()["head_start"] == expected
    from_file = load_variant(write(f'base = "noddy"\nplayers = {players}\nhead_start = {points}\n'))
    assert from_file.rules == variant.rules
    assert variant.rules.start_points(players[0]) == tuple(points)


BAD = [
    ("players = [1, 2]", "2:1", "players"), ("players = [2, 5]", "2:1", "players"), ("players = []", "2:1", "players"),
    ("players = [3, 2]", "2:1", "players"), ("players = [2, 2]", "2:1", "players"), ("players = 2", "2:1", "players"),
    ("players = [true, 2]", "2:1", "players"), ('players = ["2"]', "2:1", "players"), ("hand = 0", "2:1", "hand"),
    ("hand = 5", "2:1", "hand"), ("hand = 3.0", "2:1", "hand"), ("target = 0", "2:1", "target"),
    ("target = -31", "2:1", "target"), ("target = 10001", "2:1", "target"), ("target = true", "2:1", "target"),
    ('target = "31"', "2:1", "target"), ("target = 1979-05-27", "2:1", "target"),
    ('next_dealer = "random"', "2:1", "next_dealer"), ('order = ["play", "show"]', "2:1", "order"),
    ('order = ["heels", "play", "play"]', "2:1", "order"), ('order = "play"', "2:1", "order"),
    ('turned = "J"', "2:1", "turned"), ("turned = [5]", "2:11", "turned[1]"),
    ('turned = [{rank = "X", to = "dealer", points = 1}]', "2:12", "turned[1].rank"),
    ('turned = [{rank = "J", to = "nobody", points = 1}]', "2:24", "turned[1].to"),
    ('turned = [{rank = "J", to = "dealer", points = true}]', "2:39", "turned[1].points"),
    ('turned = [{rank = "J", to = "dealer", points = 32}]', "2:39", "turned[1].points"),
    ("head_start = [1]", "2:1", "head_start"), ("head_start = [0, 1]", "2:1", "head_start"),
    ("head_start = 3", "2:1", "head_start"), ("head_start = {eldest = -1}", "2:15", "head_start.eldest"),
    ("head_start = {dealer = true}", "2:15", "head_start.dealer"),
    ("[play]\nlimit = 14", "3:1", "play.limit"), ("[play]\nlimit = 61", "3:1", "play.limit"),
    ("[play]\nfifteen = 32", "3:1", "play.fifteen"), ("[play]\nfifteen = -1", "3:1", "play.fifteen"),
    ("[play]\nfifteen = true", "3:1", "play.fifteen"), ("[play]\nfifteen = 2.0", "3:1", "play.fifteen"),
    ('[play]\nfifteen = "two"', "3:1", "play.fifteen"), ("[play]\nlast = false", "3:1", "play.last"),
    ('[play]\nlast = "per_card"', "3:1", "play.last"), ("[play]\nsame_rank = [2, 6]", "3:1", "play.same_rank"),
    ("[play]\nsame_rank = [2, 6, true]", "3:1", "play.same_rank"), ("[play]\nrun = []", "3:1", "play.run"),
    ('[play]\nrun = "cotton"', "3:1", "play.run"), ("[play]\nrun = 3", "3:1", "play.run"),
    ("[play]\nrun = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]", "3:1", "play.run"),
    ("[play]\nfinal_card_point = 1", "3:1", "play.final_card_point"), ('[play]\npiles = "many"', "3:1", "play.piles"),
    ("[show]\nnob = 99", "3:1", "show.nob"), ('[show]\nhand_flush = "all"', "3:1", "show.hand_flush"),
    ("[show]\nflush = [99]", "3:1", "show.flush"), ("play = 3", "2:1", "play"), ("show = [1]", "2:1", "show"),
    ("partners = 1", "2:1", "partners"), ("discard = 3", "2:1", "discard"), ("discard = -1", "2:1", "discard"),
    ("discard = true", "2:1", "discard"), ("discard = {three = 3}", "2:12", "discard.three"),
    ('discard = {two = "2"}', "2:12", "discard.two"), ("deal_to_crib = 5", "2:1", "deal_to_crib"),
    ("deal_to_crib = {four = -1}", "2:17", "deal_to_crib.four"), ("crib = 1", "2:1", "crib"),
    ("mog = true", "2:1", "mog"), ('mog.exchange = "stock"', "2:1", "mog.exchange"),
    ('mog.first = "pone"', "2:1", "mog.first"), ("mog.refusal = 32", "2:1", "mog.refusal"),
    ('mog.bonus = "nobody"', "2:1", "mog.bonus"), ("three_for_last = true", "2:1", "three_for_last"),
    ('three_for_last = "last_deal"', "2:1", "three_for_last"), ("skunk = 91", "2:1", "skunk"),
    ('skunk = "triple"', "2:1", "skunk"), ("skunk = [{below = 91, games = 1}]", "2:23", "skunk[1].games"),
    ("skunk = [{below = 91, games = 10}]", "2:23", "skunk[1].games"),
    ("skunk = [{below = 0, games = 2}]", "2:11", "skunk[1].below"), ("skunk = [91]", "2:10", "skunk[1]"),
    ('[play]\nflush = "whole"', "3:1", "play.flush"), ("[play]\nflush = []", "3:1", "play.flush"),
    ('[show]\ncrib_flush = "four"', "3:1", "show.crib_flush"), ("[show]\ncolours = 3", "3:1", "show.colours"),
    ("[show]\ncolours = [2, 3, 4, 5, 32]", "3:1", "show.colours"),
    ("[show]\njacks_deuces = [2, 4]", "3:17", "show.jacks_deuces[1]"),
    ('[show]\njacks_deuces = [{rank = "1", points = 2, suited = 4}]', "3:18", "show.jacks_deuces[1].rank"),
    ('[show]\njacks_deuces = [{rank = "J", points = 2, suited = 32}]', "3:42", "show.jacks_deuces[1].suited"),
    ("crib_flush = 4", "2:1", "crib_flush"), ("play_flush = 1", "2:1", "play_flush"),
    ('play_runs = "off"', "2:1", "play_runs"), ("turned_deuce = 2", "2:1", "turned_deuce"),
    ("turned_deuce = false", "2:1", "turned_deuce"), ("plain_deuce = 1", "2:1", "plain_deuce"),
    ('turned_jack = "dealer3"', "2:1", "turned_jack"), ("show_first = 1", "2:1", "show_first"),
    ('name = ""', "2:1", "name"), ("title = 3", "2:1", "title"), ('name = "a\\nb"', "2:1", "name"),
    ('status = "good"', "2:1", "status"), ('family = "snitch"', "2:1", "family"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "key"), BAD)
def test_values_that_are_refused(write, text, place, key):
    message = refusal(write(f'base = "noddy"\n{text}\n'))
    assert message.startswith(f"my.toml:{place}: {key} = ")
    assert "is not allowed; allowed: " in message


@pytest.mark.parametrize(("text", "message"), [
    ("target = 0", "target = 0 is not allowed; allowed: a whole number from 1 to 10000"),
    ('play.fifteen = "lots"',
     'play.fifteen = "lots" is not allowed; allowed: a whole number from 0 to 31, or "per_card"'),
    ("fifteen = 3",
     'fifteen = 3 is not allowed; allowed: "flat2" or "per_card"; for other points set play.fifteen and show.fifteen'),
    ("target = 5\nhead_start.pone = 5",
     "head_start.eldest: a head start of 5 is not below the target of 5"),
    ("players = [2]\nhead_start = {second = 1}", "head_start.second: with at most 2 players there is no such seat"),
    ("head_start = {pone = 1, eldest = 2}", "head_start: pone and eldest are one seat; give one of the two"),
    ("tarket = 3", 'unknown key tarket; did you mean "target"?'),
    ("turned_jacks = 3", 'unknown key turned_jacks; did you mean "turned_jack"?'),
    ("play.fiften = 3", 'unknown key play.fiften; did you mean "fifteen"?'),
    ("head_start = {ponie = 3}", 'unknown key head_start.ponie; did you mean "pone"?'),
    ('turned = [{rank = "J", to = "dealer", pints = 1, points = 2}]',
     'unknown key turned[1].pints; did you mean "points"?'),
    ('turned = [{rank = "J", to = "dealer"}]', "turned[1].points is missing; allowed: a whole number from 0 to 31"),
    ('turned = [{rank = "J", to = "dealer", points = 1}, {rank = "j", to = "dealer", points = 2}]',
     "turned[2]: there are two entries for rank J to dealer; give one with the points added up"),
    ("discard = {two = 1, 2 = 2}", "discard: two is given twice, as a word and as a figure; give one of the two"),
    ('run_scale = "cotton"\nplay_runs = false', 'run_scale = "cotton" contradicts play_runs given beside it; give one'),
    ("discard.five = 1", "unknown key discard.five; keys in discard are: two, three, four"),
    ("mog.furst = 1", 'unknown key mog.furst; did you mean "first"?'),
    ('skunk = [{bellow = 1, below = 2, games = 3}]', 'unknown key skunk[1].bellow; did you mean "below"?'),
    ('show.jacks_deuces = [{rank = "J", points = 2}]',
     "show.jacks_deuces[1].suited is missing; allowed: a whole number from 0 to 31"),
    ('show.jacks_deuces = [{rank = "J", pints = 1, points = 2, suited = 4}]',
     'unknown key show.jacks_deuces[1].pints; did you mean "points"?'),
    ("discard = 3", "discard = 3 is not allowed; allowed: a whole number from 0 to 2, or a table with such numbers for "
     "two, three and four players"),
    ('skunk = "x"', 'skunk = "x" is not allowed; allowed: "off", "skunk", "double_skunk", "lurch" or "lurch31", or a '
     "list of entries like {below = 91, games = 2}, or [] for none"),
    ("plain_deuce = 2", "plain_deuce = 2 has nothing to set; give show.jacks_deuces with an entry for it"),
    ("colours = []", "colours belongs in [show], not in the top of the file"),
    ("show.refusal = 1", "refusal belongs in [mog], not in [show]"),
    ("play.partners = true", "partners belongs at the top of the file, not in [play]"),
    ("nob = 2", "nob belongs in [show], not in the top of the file"),
    ("play.nob = 2", "nob belongs in [show], not in [play]"),
    ("last = 2", "last belongs in [play], not in the top of the file"),
    ("play.target = 2", "target belongs at the top of the file, not in [play]"),
    ("same_rank = 2", "same_rank belongs in [play] or [show], not in the top of the file"),
    ("show.zzz = 1", "unknown key show.zzz; keys in show are: fifteen, twentyfive, thirtyone, same_rank, run, "
     "run_multiplicity, hand_flush, flush, crib_flush, nob, jacks_deuces, colours"),
    ("sources = 3", "sources = 3 is not allowed; allowed: a table of sources by dotted key"),
    ('[sources]\n"play.fiften" = {from = "x", place = "y", seen = "whole"}',
     'sources: no value is called "play.fiften"; did you mean "play.fifteen"?'),
    ('[sources]\ntarget = {from = "x", place = "y", seen = "all"}', 'sources.target.seen = "all" is not allowed; '
     'allowed: "whole", "part", "extracts", "inferred" or "none"'),
    ('[sources]\ntarget = {from = "x", seen = "part"}', 'sources.target: place is missing; a source is a table like '
     '{from = "seed-b", place = "Pegging Play 5", seen = "whole"}'),
])  # fmt: skip
def test_texts_of_errors(write, text, message):
    found = refusal(write(f'base = "noddy"\n{text}\n'))
    assert found.partition(": ")[2] == message


MISFITS = [
    ("players = [2, 3]\npartners = true", "3:1",
     "partners: only four players can play as partners and 4 is not in players; give partners = false"),
    ("partners = true\nhead_start = {pone = 3}", "3:1",
     "head_start.third: partners share one score, so eldest and third must start with the same points"),
    ("partners = true\nhead_start.dealer = 3", "3:1",
     "head_start.dealer: partners share one score, so second and dealer must start with the same points"),
    ("deal_to_crib = 1", "2:1", "deal_to_crib: cards are dealt to the crib, but crib is false"),
    ("crib = true", "2:1", "crib: with 2 players nothing is laid away to the crib; give discard"),
    ("crib = true\ndiscard = {two = 2, three = 1}", "2:1",
     "crib: with 4 players nothing is laid away to the crib; give discard"),
    ("discard = 2\ncrib = true", "2:1",
     "discard.three: 6 cards would come to the crib of 3 players; at most 4 can (discard may be a table by "
     "number of players)"),
    ("players = [2]\ncrib = true\ndiscard = 2\ndeal_to_crib = 1", "4:1",
     "discard.two: 5 cards would come to the crib of 2 players; at most 4 can (discard may be a table by number "
     "of players)"),
    ('players = [4]\nmog.exchange = "opponent"', "3:1",
     "mog.exchange: two players exchange a card; players must be [2]"),
    ('mog.exchange = "opponent"', "2:1", "mog.exchange: two players exchange a card; players must be [2]"),
    ('players = [2]\ndiscard = 1\nmog.exchange = "opponent"', "4:1",
     "mog.exchange: cards are either laid away or exchanged, not both"),
    ("show.colours = [2, 3, 4]", "2:1",
     "show.colours: five numbers are needed, for three of one colour; three of one suit with the fourth of the "
     "other colour; four of one colour, two of each suit; four of one colour, three of one suit; four of one "
     "suit; or [] for none"),
    ("hand = 4\nshow.colours = [2, 3, 4, 5, 6]", "3:1",
     "show.colours: colours are for hands of three with the starter; hand must be 3"),
    ("play.flush = [22]", "2:1",
     "play.flush: a list goes on by 1 more a card, so 13 cards would pay 32; at most 31 can be paid"),
    ("play.run = [3, 23]", "2:1",
     "play.run: a list goes on by 1 more a card, so 13 cards would pay 32; at most 31 can be paid"),
    ("show.run = [31]", "2:1",
     "show.run: a list goes on by 1 more a card, so 13 cards would pay 41; at most 31 can be paid"),
    ("show.flush = [31]", "2:1",
     "show.flush: a list goes on by 1 more a card, so 13 cards would pay 41; at most 31 can be paid"),
    ("skunk = [{below = 91, games = 2}, {below = 91, games = 3}]", "2:35",
     "skunk[2]: there are two entries for scores below 91; give one"),
    ('show.jacks_deuces = [{rank = "J", points = 2, suited = 4}, {rank = "j", points = 1, suited = 1}]', "2:60",
     "show.jacks_deuces[2]: there are two entries for rank J; give one"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "message"), MISFITS)
def test_values_that_do_not_go_together(write, text, place, message):
    assert refusal(write(f'base = "noddy"\n{text}\n')) == f"my.toml:{place}: {message}"


def test_without_four_players_cribbage_has_no_partners():
    cribbage = load_variant("cribbage")
    assert refusal(lambda: cribbage.replace(players=[2])) == (
        "cribbage: players: only four players can play as partners and 4 is not in players; give partners = false"
    )
    assert cribbage.replace(players=[2], partners=False).name == "cribbage+players=2+partners=false"


def test_only_the_allowed_numbers_of_players_must_fit(noddy):
    two = noddy.replace(players=[2], discard=2, crib=True)
    assert two.rules.discard.of(2) == 2
    assert two.replace(deal_to_crib={"three": 4}).rules.deal_to_crib.of(3) == 4
    # The longest crib for each number of players.
    fits = {2: (2, 0), 3: (1, 1), 4: (1, 0)}
    for n, (discard, dealt) in fits.items():
        one = noddy.replace(players=[n], discard=discard, crib=True, deal_to_crib=dealt)
        assert n * one.rules.discard.of(n) + one.rules.deal_to_crib.of(n) == 4
        with pytest.raises(InputError, match="5 cards would come to the crib"):
            one.replace(deal_to_crib=dealt + 1)


def test_cards_may_be_laid_away_for_nobody(noddy):
    variant = noddy.replace(discard={3: 1})
    assert variant.rules.model_dump() == {**NODDY, "discard": {"two": 0, "three": 1, "four": 0}}
    assert variant.name == "noddy+discard=0:1:0"


def test_the_first_mistake_in_the_file_is_reported_with_the_number_of_others(write):
    text = 'base = "noddy"\n\n[show]\nnob = 99\n[play]\nfiften = 3\nmuggins = true\n'
    assert refusal(write(text)) == (
        "my.toml:4:1: show.nob = 99 is not allowed; allowed: a whole number from 0 to 31 (and 2 more)"
    )


def test_every_field_says_what_it_allows(noddy):
    assert set(LEAVES) <= set(ALLOWED)
    for table in ("play", "show", "mog", "discard", "deal_to_crib", "head_start"):
        assert {f"{table}.{key}" for key in noddy.rules.model_dump()[table]} <= set(ALLOWED)


def test_the_record_by_itself_refuses_what_does_not_fit():
    for change in ({"order": ["play"]}, {"players": [4, 2]}, {"target": 0}, {"extra": 1}, {"hand": True}):
        with pytest.raises(ValidationError):
            PeggingRules(**{**NODDY, **change})
    with pytest.raises(ValidationError, match="not below the target"):
        PeggingRules(**{**NODDY, "head_start": {"eldest": 31, "second": 0, "third": 0, "dealer": 0}})


# --- files ----------------------------------------------------------------------------------------------------------


def test_a_designers_file(write):
    path = write(
        'name = "pone-joy"\ntitle = "Pone\'s joy"\nstatus = "provisional"\nsummary = "Heels 3 to the pone."\n'
        'base = "noddy"\nplayers = [2]\nturned = [{rank = "J", to = "pone", points = 3}]\nhead_start = [2, 0]\n'
        '[sources]\nturned = {from = "my uncle", place = "by word of mouth", seen = "none", note = "1950s"}\n'
    )
    variant = load_variant(path)
    assert (variant.name, variant.title, variant.base, variant.origin) == ("pone-joy", "Pone's joy", "noddy", "my.toml")
    assert variant.rules.model_dump()["turned"] == [{"rank": "J", "to": "eldest", "points": 3}]
    assert variant.sources["turned"].key == "my uncle"
    assert variant.sources["turned"].note == "1950s"
    assert variant.sources["head_start"].key == NO_SOURCE
    assert variant.sources["play.fifteen"].key == "seed-b"


def test_what_a_file_may_leave_out(write):
    variant = load_variant(write('base = "noddy"\ntarget = 61\n', "long.toml"))
    assert (variant.name, variant.title, variant.status) == ("long", "long", "provisional")
    assert variant.summary == "Noddy with these changes: target=61."


def test_a_source_for_a_reading_stands_for_its_fields(write):
    entry = '{from = "GRO", place = "scores", seen = "whole"}'
    variant = load_variant(
        write(f'base = "noddy"\nfifteen = "per_card"\nsources.show.fifteen = {entry.replace("GRO", "IVE")}\n'
              f"sources.fifteen = {entry}\n")
    )  # fmt: skip
    assert variant.sources["play.fifteen"].key == "GRO"
    assert variant.sources["show.fifteen"].key == "IVE"


def test_a_whole_file_needs_no_base(write, noddy):
    built_in = Path(tomlfile.__file__).parent / "variants" / "noddy.toml"
    variant = load_variant(write(built_in.read_text(encoding="utf-8"), "copy.toml"))
    assert variant.rules == noddy.rules
    assert variant.sources == noddy.sources


def test_a_file_without_base_must_be_whole(write):
    assert refusal(write("target = 31\n")) == (
        'my.toml: no base: write base = "noddy" and then only the differences, or give all of: '
        "players, partners, hand, discard, deal_to_crib, crib and 9 more"
    )


def test_bases_may_be_chained_from_folder_to_folder(write):
    Path("inner").mkdir()
    write('base = "noddy-61"\nhand = 4\n', "four.toml")
    write('base = "../four.toml"\nfifteen = "per_card"\n', "inner/five.toml")
    variant = load_variant("inner/five.toml")
    expected = {"target": 61, "hand": 4, "play.fifteen": "per_card", "show.fifteen": "per_card"}
    assert variant.rules.model_dump() == changed_noddy(expected)
    assert variant.base == "four"


def test_an_error_in_a_base_names_the_base(write):
    Path("inner").mkdir()
    write('base = "noddy"\nhand = 9\n', "inner/four.toml")
    assert refusal(write('base = "inner/four.toml"\n')).startswith("inner/four.toml:2:1: hand = 9 ")


def test_circles_of_bases_are_refused(write):
    write('base = "b.toml"\n', "a.toml")
    write('base = "./a.toml"\n', "b.toml")
    assert refusal("a.toml") == (
        'b.toml:1:1: base = "./a.toml": the bases go round in a circle: a.toml -> b.toml -> ./a.toml'
    )
    write('base = "c.toml"\n', "c.toml")
    assert "circle" in refusal("c.toml")


def test_what_is_a_path_and_what_is_a_name(write, noddy):
    write('base = "noddy"\ntarget = 21\n', "plain")
    assert load_variant("plain").rules.target == 21
    assert load_variant("./plain").rules.target == 21
    assert load_variant(Path("plain")).rules.target == 21
    assert load_variant(os.path.abspath("plain")).name == "plain"
    write("nonsense", "noddy")  # a file cannot take the place of a built-in variant by chance
    assert load_variant("noddy") is noddy


@pytest.mark.parametrize(("name", "message"), [
    ("nody", 'no variant is named "nody"; did you mean "noddy"? Variants are: '),
    ("noddy-16", 'no variant is named "noddy-16"; did you mean "noddy-61"? Variants are: '),
    ("", 'no variant is named "". Variants are: '),
    ("qqqqq", 'no variant is named "qqqqq". Variants are: '),
    ("none.toml", "none.toml: there is no such file"),
    ("some/where", "some/where: there is no such file"),
    ("folder/", "folder/: this is a folder; a TOML file is needed"),
    ("nul\0.toml", "nul\\x00.toml: cannot be read: embedded null byte"),
    ("a" * 400 + ".toml", "a" * 400 + ".toml: cannot be read: file name too long"),
])  # fmt: skip
def test_names_and_paths_that_lead_nowhere(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    assert refusal(name).startswith(message)


@pytest.mark.parametrize(("text", "message"), [
    ('base = "nody"', 'my.toml:1:1: base = "nody": no variant is named "nody"; did you mean "noddy"? Variants are: '),
    ('base = "gone.toml"', 'my.toml:1:1: base = "gone.toml": there is no such file'),
    ('base = "noddy.toml"', 'my.toml:1:1: base = "noddy.toml": there is no such file; for the built-in variant write '
     'base = "noddy"'),
    ('base = "./"', 'my.toml:1:1: base = "./": this is a folder; a TOML file is needed'),
    ("base = 3", "my.toml:1:1: base = 3 is not allowed; allowed: the name of a variant, or a path to a file"),
    ('base = ""', 'my.toml:1:1: base = "" is not allowed'),
    ('base = "noddy"\ntarget =\n', "my.toml:2:9: not valid TOML: invalid value"),
    ('base = "noddy"\ntarget =', "my.toml:2:9: not valid TOML: invalid value"),
    ('base = "noddy"\nhand = 3\nhand = 4\n', "my.toml:3:9: not valid TOML: a key is given twice"),
    ("x = " + "[" * 3000, "my.toml: not valid TOML: brackets are nested too deeply"),
    ("target = " + "9" * 5000, "my.toml: not valid TOML: a number has thousands of digits"),
    ('base = "noddy"\ntarget = ' + "9" * 300, "my.toml:2:1: target = a number of more than 50 digits is not allowed"),
])  # fmt: skip
def test_files_that_cannot_be_used(write, text, message):
    assert refusal(write(text)).startswith(message)


def test_text_that_is_not_utf8(write):
    Path("latin.toml").write_bytes('base = "noddy"\ntitle = "Naïf"\n'.encode("latin-1"))
    assert refusal("latin.toml") == "latin.toml:2: not UTF-8 text; save the file as UTF-8"


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(write):
    Path("bom.toml").write_bytes(b'\xef\xbb\xbfbase = "noddy"\r\ntarget = 61\r\n')
    assert load_variant("bom.toml").rules.target == 61
    Path("bom.toml").write_bytes(b'\xef\xbb\xbfbase = "noddy"\r\ntarget = 0\r\n')
    assert refusal("bom.toml").startswith("bom.toml:2:1: target = 0 ")


# --- places in a TOML file ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "place"), [
    (("a",), (1, 1)), (("b", "c"), (2, 1)), (("b",), (2, 1)), (("list", 1), (4, 5)), (("list", 0), (3, 9)),
    (("t", "ü x"), (6, 3)), (("t", "in", "k"), (7, 8)), (("rows", 0, "r"), (9, 1)), (("rows", 1, "r"), (12, 1)),
    (("rows", 1, "sub", "s"), (14, 1)), (("rows", 1, "absent", "s"), (11, 1)), (("é",), (15, 1)),
    (("é", "late"), (15, 8)), (("absent",), None), ((), None),
])  # fmt: skip
def test_places_of_keys(path, place):
    text = (
        'a = 1\nb.c = 2\nlist = [1, # one\n    2]\n[t]\n  "ü x" = 3\nin = { k = 1 }\n'
        "[[rows]]\nr = 1\n\n[[rows]]\nr = 2\n[rows.sub]\ns = 1\n"
    )
    text = "" if path and path[0] == "é" else text
    text += "\n" * 14 + '"é" = {late = 1}\n' if not text else ""
    assert parse_toml(text, "x.toml").position(path) == place


def test_columns_count_letters_not_bytes():
    assert parse_toml('t = { "éé" = 1, b = 2 }', "x").where(("t", "b")) == "x:1:17"


def test_without_a_grammar_errors_still_name_file_and_key(write, monkeypatch):
    real = builtins.__import__

    def no_tree_sitter(name, *args, **kwargs):
        if name.startswith("tree_sitter"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_tree_sitter)
    assert refusal(write('base = "noddy"\ntarget = 0\n')).startswith("my.toml: target = 0 is not allowed")


def test_a_sound_file_is_read_without_the_grammar():
    code = (
        "import sys; from noddysim.game.rules import load_variant; load_variant('noddy-61');"
        "print(sorted({'numba', 'pandas', 'numpy', 'tree_sitter', 'difflib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_read_toml_shows_the_name_it_is_given(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("a = 1\n")
    assert read_toml(path, "shown.toml").where(("a",)) == "shown.toml:1:1"
    assert read_toml(path).data == {"a": 1}


# --- replace --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("changes", "name"), [
    ({"target": 61}, "noddy+target=61"),
    ({"target": 31}, "noddy"),
    ({"turned_jack": "off"}, "noddy+turned_jack=off"),
    ({"turned": []}, "noddy+turned_jack=off"),
    ({"play": {"fifteen": 3}}, "noddy+play.fifteen=3"),
    ({"play": {"fifteen": "per_card"}}, "noddy+play.fifteen=per_card"),
    ({"fifteen": "per_card"}, "noddy+fifteen=per_card"),
    ({"play": {"run": [2, 4, 5]}}, "noddy+play.run=2,4,5"),
    ({"head_start": {"pone": 2}}, "noddy+head_start.eldest=2"),
    ({"turned": ({"rank": "J", "to": "pone", "points": 3},)}, "noddy+turned=J:eldest:3"),
    ({"players": (2, 3), "target": 61}, "noddy+players=2,3+target=61"),
    ({"final_card_point": False}, "noddy+final_card_point=false"),
    ({"order": ["show", "heels", "play"]}, "noddy+order=show,heels,play"),
    ({"partners": True}, "noddy+partners=true"),
    ({"players": [2], "discard": 2, "crib": True}, "noddy+players=2+discard=2:2:2+crib=true"),
    ({"players": [3], "discard": 1, "crib": True, "deal_to_crib": {"three": 1}},
     "noddy+players=3+discard=1:1:1+deal_to_crib=0:1:0+crib=true"),
    ({"players": [2], "mog": {"exchange": "opponent", "bonus": "both", "refusal": 2}},
     "noddy+mog_bonus=both+players=2+mog.exchange=opponent+mog.refusal=2"),
    ({"three_for_last": "every_deal"}, "noddy+three_for_last=every_deal"),
    ({"skunk": "double_skunk"}, "noddy+skunk=double_skunk"),
    ({"skunk": [{"below": 91, "games": 3}]}, "noddy+skunk=91:3"),
    ({"play": {"flush": "length"}}, "noddy+play_flush=true"),
    ({"play": {"flush": [1, 2]}}, "noddy+play.flush=1,2"),
    ({"play": {"run": "off"}, "show": {"run": "off"}}, "noddy+play_runs=false+show.run=off"),
    ({"show": {"crib_flush": "off", "jacks_deuces": [{"rank": "2", "points": 2, "suited": 4}]}},
     "noddy+crib_flush=off+show.jacks_deuces=2:2:4"),
    ({"show": {"colours": [2, 3, 4, 5, 6]}}, "noddy+show.colours=2,3,4,5,6"),
])  # fmt: skip
def test_the_name_of_a_changed_variant_says_what_changed(noddy, changes, name):
    variant = noddy.replace(**changes)
    assert variant.name == name
    assert variant.base == (None if name == "noddy" else "noddy")


def test_replace_merges_into_tables_and_adds_up(noddy):
    once = noddy.replace(play={"fifteen": 3})
    twice = once.replace(play={"last": 2}, target=61)
    assert twice.rules.model_dump() == changed_noddy({"play.fifteen": 3, "play.last": 2, "target": 61})
    assert twice.name == "noddy+target=61+play.fifteen=3+play.last=2"
    assert twice == noddy.replace(target=61, play={"last": 2, "fifteen": 3})
    assert once.replace(play={"fifteen": 2}) == noddy
    assert noddy.rules.model_dump() == NODDY


def test_a_changed_variant_owns_up_to_its_changes(noddy):
    variant = noddy.replace(target=61)
    assert variant.status == "provisional"
    assert variant.title == "Noddy (target=61)"
    assert variant.sources["target"].key == NO_SOURCE
    assert variant.sources["hand"] == noddy.sources["hand"]


@pytest.mark.parametrize(("changes", "message"), [
    ({"target": 0}, "noddy: target = 0 is not allowed; allowed: a whole number from 1 to 10000"),
    ({"tarket": 3}, 'noddy: unknown key tarket; did you mean "target"?'),
    ({"name": "x"}, "noddy: name is not a rule; replace changes fields and readings of the rules only"),
    ({"play": {"fiften": 1}}, 'noddy: unknown key play.fiften; did you mean "fifteen"?'),
    ({"turned_jack": "x", "target": -1},
     'noddy: turned_jack = "x" is not allowed; allowed: "dealer1", "dealer2", "opponents2" or "off" (and 1 more)'),
    ({"muggins": True}, "noddy: muggins = true is refused: every point is pegged by itself; players who overlook "
     "points are not built yet; allowed: false"),
    ({"fifteen": "flat2", "play": {"fifteen": 3}}, 'noddy: fifteen = "flat2" contradicts play.fifteen given beside it; '
     "give one"),
])  # fmt: skip
def test_replace_refuses_with_a_clear_line(noddy, changes, message):
    assert refusal(lambda: noddy.replace(**changes)) == message


# --- the sheet: more in test_rulesheet ------------------------------------------------------------------------------


def test_an_unsourced_value_is_shown_as_such(write):
    sheet = rule_sheet(load_variant(write('base = "noddy"\ntarget = 61\n')))
    assert "target = 61: no source given; set in my.toml." in sheet


def test_plain_data_for_machines(noddy):
    data = json.loads(json.dumps(variant_json(noddy)))
    assert list(data) == ["name", "title", "status", "summary", "base", "rules", "readings", "sources"]
    assert data["rules"] == NODDY
    assert data["readings"][0] == {
        "id": "X1", "option": "thirtyone_extra",
        "question": "Does a count at the limit also earn something for the last card?",
        "value": "none", "alternatives": ["last1", "double"], "built": True,
    }  # fmt: skip
    assert {entry["option"]: entry["value"] for entry in data["readings"]} == DEFAULTS
    assert data["sources"]["play.fifteen"]["from"] == "seed-b"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_variant_or_one_clear_line(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "text.toml"
    path.write_text('base = "noddy"\n' + text, encoding="utf-8", newline="")
    try:
        outcome = load_variant(path).title
    except InputError as error:
        outcome = str(error)
    assert len(outcome.splitlines()) == 1


def test_noddy_has_the_values_of_the_seed() -> None:
    rules = load_variant("noddy").rules.model_dump()
    assert (rules["players"], rules["hand"], rules["target"]) == ([2, 3, 4], 3, 31)
    assert rules["order"] == ["heels", "play", "show"]
    assert rules["turned"] == [{"rank": "J", "to": "dealer", "points": 1}]
    assert rules["next_dealer"] == "left"
    assert set(rules["head_start"].values()) == {0}
    play, show = rules["play"], rules["show"]
    assert (play["limit"], play["fifteen"], play["thirtyone"], play["last"]) == (31, 2, 2, 1)
    assert (play["twentyfive"], play["thirtyone_extra"], play["piles"]) == (0, 0, "multi")
    assert play["same_rank"] == show["same_rank"] == [2, 6, 12]
    assert play["run"] == show["run"] == show["flush"] == "length"
    assert (show["fifteen"], show["thirtyone"], show["nob"], show["hand_flush"]) == (2, 0, 1, "whole")
