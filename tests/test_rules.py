"""Rules as data: the built-in variants, variants with values replaced, and the same as plain data."""

from __future__ import annotations

import json
import pickle

import pytest
from bugs_cases import NODDY
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from rules_setup import DEFAULTS, changed_noddy, refusal

from noddysim.game.errors import InputError
from noddysim.game.families import PEGGING
from noddysim.game.rulemodels import PeggingRules
from noddysim.game.rules import NO_SOURCE, load_variant, variant_names
from noddysim.game.rulesheet import rule_sheet, variant_json
from noddysim.game.works import WORKS

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


@pytest.mark.parametrize("name", variant_names("pegging"))
def test_every_value_of_a_built_in_variant_has_a_source(name):
    variant = load_variant(name)
    assert list(variant.sources) == list(PEGGING.leaves)
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
