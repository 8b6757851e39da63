"""Readings: named answers to open questions, in a call and in a file, and those that are not built."""

from __future__ import annotations

import pytest
from bugs_cases import NODDY
from rules_setup import DEFAULTS, changed_noddy, refusal

from noddysim.game.answerwords import ANSWERS, LONGEST, answer_words, rule_words
from noddysim.game.families import FAMILIES
from noddysim.game.readings import NOT_BUILT, READINGS, SHORTHANDS, Reading, scale_points
from noddysim.game.rules import load_variant, variant_names
from noddysim.game.tomlfile import format_value

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


@pytest.mark.parametrize("name", variant_names("pegging"))
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


# --- answers in words -----------------------------------------------------------------------------------------------

EVERY = [(family.name, reading) for family in FAMILIES.values() for reading in family.readings]


@pytest.mark.parametrize(("family", "reading"), EVERY, ids=lambda one: getattr(one, "option", one))
def test_every_answer_has_words_that_stand_alone(family: str, reading: Reading) -> None:
    told = [answer_words(reading, choice.value) for choice in reading.choices]
    assert len(set(told)) == len(told)
    assert len(ANSWERS.get(reading.id, ANSWERS.get(reading.option, ()))) == len(reading.choices), family
    for words, choice in zip(told, reading.choices, strict=True):
        assert len(words.split()) > 1 and len(words) <= LONGEST, "a few words, two lines of a picture"
        assert "_" not in words and words not in (reading.option, str(choice.value))
        assert not words.lower().startswith(("yes", "no,")) and not words.endswith(".")


def test_no_words_are_for_a_reading_that_does_not_exist() -> None:
    known = {name for _, reading in EVERY for name in (reading.option, reading.id)}
    assert set(ANSWERS) <= known


def test_words_of_rules_of_a_search() -> None:
    readings = load_variant("noddy").family.readings
    assert rule_words(readings, "turned_jack", "off") == "nothing for a turned jack"
    assert rule_words(readings, "target", 41) == "41 points up"
    assert rule_words(readings, "play.last", 0) == "nothing for the last card of a pile"
    assert rule_words(readings, "play.last", 1) == "1 point for the last card of a pile"
    assert rule_words(readings, "play.limit", 25) == "play.limit = 25"
    target = next(reading for reading in readings if reading.option == "target")
    with pytest.raises(ValueError, match="has no answer"):
        answer_words(target, "far")
