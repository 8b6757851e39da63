"""The rule sheet in words: every value of the rules is said, and only what concerns the game is asked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noddysim.game.readings import READINGS
from noddysim.game.rules import load_variant, variant_names
from noddysim.game.rulesheet import rule_sheet, variant_json
from noddysim.game.tomlfile import format_value

SECTIONS = ["Players and cards", "The turned card", "The play", "The show", "The game", "Readings in force", "Sources"]


@pytest.mark.parametrize("name", variant_names("pegging"))
def test_the_sheet_has_its_sections_in_order(name):
    variant = load_variant(name)
    sheet = rule_sheet(variant)
    mogging = ["Mogging"] if variant.rules.mog.exchange == "opponent" else []
    assert [line[3:] for line in sheet.splitlines() if line.startswith("## ")] == [
        *SECTIONS[:2], *mogging, *SECTIONS[2:]
    ]  # fmt: skip
    assert sheet.startswith(f"# {load_variant(name).title}\n")


def test_the_sheet_of_noddy(noddy):
    sheet = rule_sheet(noddy)
    for sentence in (
        "Two, three or four players, each for himself.",
        "Each player gets three cards, face down.",
        "If it is a jack (heels, also called Knave Noddy), the dealer pegs 1 point.",
        "The eldest (the pone) leads.",
        "The count may not pass 31.",
        "A pile closes when the count is exactly 31 or when nobody can add a card.",
        "  - fifteen (a count of exactly 15): 2 points;",
        "  - thirty-one (a count of exactly 31): 2 points;",
        "a pair: 2 points; the third in a row, a pair royal: 6 points; the fourth in a row, a double pair royal: 12",
        "in any order and none twice: 1 point for each of its cards",
        "below 31 pegs 1 point. A count of exactly 31 earns nothing more for being last.",
        "Each choice of cards that adds up to fifteen: 2 points.",
        "all three cards of the hand of one suit 3 points, with the starter of that suit too 4 points.",
        "A jack in hand of the starter's suit (his nob): 1 point.",
        "All players start the game with nothing.",
        "The first player to reach 31 points wins at once",
        "the deal passes to the player on the dealer's left",
        'X1 Does a count at the limit also earn something for the last card? Here: no, nothing on top',
        'Other readings: 1 point on top ("last1"); 2 points on top ("double").',
        "target = 31: seed-b, Objective; Winning (source read whole).",
        "next_lead = \"left_of_last\": seed-b, Pegging Play 3 (inferred, not stated).",
        "PNO: David Parlett, Noddy, http://www.parlettgames.uk/histocs/noddy.html. Seen: part.",
        "WNO: Wikipedia, Noddy (card game), https://en.wikipedia.org/wiki/Noddy_(card_game). Seen: extracts.",
    ):  # fmt: skip
        assert sentence in sheet, sentence
    assert "twenty-five" not in sheet.split("## Readings")[0]
    for reading in READINGS:
        assert (f"\n- {reading.id} {reading.question} " in sheet) == (reading.concerns in ("", "four"))


@pytest.mark.parametrize(("changes", "present", "absent"), [
    ({"turned": [{"rank": "J", "to": "pone", "points": 3}]},
     "If it is a jack (heels, also called Knave Noddy), the eldest (the pone) pegs 3 points.", "the dealer pegs 1"),
    ({"turned": [{"rank": "A", "to": "opponents", "points": 2}]},
     "If it is an ace, each opponent of the dealer, the eldest first, pegs 2 points.", "If it is a jack"),
    ({"turned_jack": "off"}, "a jack turned (heels) scores nothing", "Knave Noddy"),
    ({"players": [2], "head_start": [2, 0]},
     "In the seats of the first deal, the pone starts with 2 points; every other player starts with nothing.",
     "All players start"),
    ({"head_start": {"second": 1, "third": 4}},
     "the second player (with three or four players) starts with 1 point and the third player (with four players) "
     "starts with 4 points", "All players start"),
    ({"players": [3], "head_start": [0, 1, 0]}, "the second player starts with 1 point;", "(the pone)"),
    ({"fifteen": "per_card"}, "fifteen (a count of exactly 15): 1 point for each card in the pile", "exactly 15): 2"),
    ({"show": {"fifteen": "per_card"}}, "adds up to fifteen: 1 point for each card in it.", "up to fifteen: 2"),
    ({"twentyfive": "per_card"}, "twenty-five (a count of exactly 25): 1 point for each card in the pile", "zzz"),
    ({"show": {"twentyfive": 5}}, "adds up to twenty-five: 5 points.", "a count of exactly 25"),
    ({"show": {"thirtyone": "per_card"}}, "adds up to thirty-one: 1 point for each card in it.", "zzz"),
    ({"play": {"limit": 40}}, "a count of exactly 40: 2 points", "thirty-one ("),
    ({"thirtyone_extra": "last1"}, "2 points, and 1 point more for closing the pile with it", "nothing more for being"),
    ({"play": {"last": 0}}, "The last card of a pile earns nothing for being last.", "pegs 1 point. A count"),
    ({"final_card_point": False},
     "The very last card of the deal, when all hands are empty, earns no such point.", "zzz"),
    ({"run_scale": "cotton"}, "of three 2 points, of four 4 points.", "1 point for each of its cards"),
    ({"play": {"run": [0] * 11}}, "Runs and cards of one suit score nothing in the play.", "a run, when"),
    ({"show": {"run": [0, 0]}}, "Runs score nothing.", "each way to make it."),
    ({"run_multiplicity": "once"}, "It counts once, even if a rank in it is held more than once.", "If a rank in it"),
    ({"piles": "single"},
     "There is only one pile. The play ends when the count is exactly 31 or when nobody", "next pile starts"),
    ({"piles": "single_first_stuck"},
     "as soon as a player who holds cards cannot lay one in his turn", "next pile starts"),
    ({"next_lead": "first_go"}, "The player who was the first to say go in the pile leads the next one", "zzz"),
    ({"combo_scope": "deal"}, "Pairs and runs may reach back into earlier piles of the deal.", "do not use cards"),
    ({"go_breaks": True}, "A go ends the look back", "A go does not break"),
    ({"hand_flush": "off"}, "Cards of one suit score nothing.", "Flush:"),
    ({"hand": 2}, "Cards of one suit score nothing.", "Flush:"),
    ({"hand": 4, "hand_flush": "subset"}, "three cards of the hand of one suit 3 points, with the starter of that suit "
     "too 4 points; four cards of the hand of one suit 4 points, with the starter of that suit too 5 points", "zzz"),
    ({"hand": 4, "hand_flush": "groves"}, "all four and the starter of one suit 5 points", "zzz"),
    ({"hand_flush": "groves"}, "three cards of the hand of one suit 3 points; the starter adds nothing to it.", "zzz"),
    ({"show": {"flush": [1, 7]}}, "of one suit 1 point, with the starter of that suit too 7 points", "zzz"),
    ({"show_first": True}, "Before the play each player shows his three cards", "After the play"),
    ({"order": ["play", "heels", "show"]}, "These points are pegged after the play.", "pegged at once, before"),
    ({"order": ["show", "play", "heels"]},
     "These points are pegged last of all in the deal.", "pegged at once, before"),
    ({"next_dealer": "lowest"}, "The player with the fewest points deals next", "passes to"),
    ({"show": {"nob": 0}}, "(his nob): nothing.", "zzz"),
    ({"play": {"same_rank": [1, 0, 3]}},
     "a pair: 1 point; the third in a row, a pair royal: nothing; the fourth", "zzz"),
    ({"target": 1}, "The first player to reach 1 point wins", "zzz"),
    ({"hand": 1, "players": [2]}, "Each player gets one card, face down.", "a run, when"),
    ({"partners": True}, "Two, three or four players, two or three each for himself; four are partners, those who sit "
     "opposite, and partners have one score.", "each for himself.\n"),
    ({"partners": True}, "The first player or side to reach 31 points wins at once", "The first player to"),
    ({"players": [4], "partners": True}, "The first side to reach 31 points wins at once", "player or side"),
    ({"players": [2], "discard": 2, "crib": True}, "Each player gets five cards, face down, lays two cards away and "
     "keeps three.", "Nothing is discarded"),
    ({"players": [2], "discard": 2, "crib": True}, "What is laid away is the crib: it lies face down, and the dealer "
     "counts it after the hands.", "for nobody"),
    ({"players": [2], "discard": 2, "crib": True}, "Last of all the crib is counted for the dealer like a hand. A "
     "flush in the crib: only all four cards of the crib and the starter of one suit, 5 points.", "zzz"),
    ({"players": [2], "discard": 2, "crib": True}, "each point for a last card, each hand shown and the crib.", "zzz"),
    ({"players": [2], "discard": 2, "crib": True, "crib_flush": "four_or_five"}, "A flush in the crib: all four cards "
     "of the crib of one suit 4 points, with the starter of that suit too 5 points.", "only all four"),
    ({"players": [2], "discard": 2, "crib": True, "crib_flush": "off"}, "A flush in the crib: none.", "zzz"),
    ({"players": [3, 4], "discard": 1, "crib": True, "deal_to_crib": {3: 1}}, "With three: each player gets four "
     "cards, face down, lays one card away and keeps three. One card more is dealt straight to the crib.\n- With four: "
     "each player gets four cards, face down, lays one card away and keeps three.\n", "zzz"),
    ({"players": [4], "partners": True, "discard": 1, "crib": True},
     "the crib is counted for the dealer's side", "zzz"),
    ({"discard": 1}, "What is laid away counts for nobody.", "Last of all the crib"),
    ({"three_for_last": "first_deal"}, "At the start of the first deal of a game the eldest (the pone) takes 3 points "
     "for last, before anything else.", "before anything else in the deal, and"),
    ({"three_for_last": "every_deal"},
     "At the start of every deal the eldest (the pone) takes 3 points for last", "zzz"),
    ({"three_for_last": "every_deal"}, "The target is looked at after the points for last, each turned card's", "zzz"),
    ({"three_for_last": "every_deal"}, "V1 Does the pone take three for last? Here: yes, in every deal", "zzz"),
    ({"players": [2], "mog": {"exchange": "opponent"}}, "The elder is asked first. If he declines, the dealer pegs "
     "1 point and hands stay as they are.", "zzz"),
    ({"players": [2], "mog": {"exchange": "opponent", "first": "dealer", "refusal": 0}}, "The dealer is asked first. "
     "If he declines, the elder pegs nothing and hands stay as they are.", "zzz"),
    ({"players": [2], "mog": {"exchange": "opponent"}}, "pegs its points at once, the elder first; who takes it no "
     "longer counts them in the show", "scores for its taker"),
    ({"players": [2], "mog": {"exchange": "opponent", "bonus": "taker"}},
     "A card passed scores for its taker, in the show.", "at once, the elder first"),
    ({"players": [2], "mog": {"exchange": "opponent", "bonus": "both"}},
     "and who takes it counts them in the show too.", "no longer counts"),
    ({"players": [2], "mog": {"exchange": "opponent"}},
     "before anything is laid or shown, the elder (the pone) and the dealer may exchange a card, at most once in a "
     "deal.", "zzz"),
    ({"players": [2], "mog": {"exchange": "opponent"}},
     "in this order: points for the turned card, mogging, the play and then the show.", "zzz"),
    ({"players": [2], "mog": {"exchange": "opponent"}, "order": ["show", "play", "heels"]},
     "in this order: mogging, the show, the play and then points for the turned card.", "zzz"),
    ({"players": [2], "mog": {"exchange": "opponent"}}, "K3 With whom is a card exchanged? Here: with the other player",
     "N7, S2 "),
    ({"show": {"colours": [2, 3, 4, 5, 6]}}, "Colours of the hand and the starter, the best one only: three of one "
     "colour 2 points; three of one suit with the fourth of the other colour 3 points; four of one colour, two of each "
     "suit 4 points; four of one colour, three of one suit 5 points; four of one suit 6 points.", "zzz"),
    ({"show": {"colours": [2, 3, 4, 5, 6], "hand_flush": "off"}}, "Colours of", "Cards of one suit score nothing.\n"),
    ({"show": {"jacks_deuces": [{"rank": "J", "points": 2, "suited": 4}]}},
     "Each jack in hand by itself: 2 points, or 4 points if it is of the starter's suit.", "Each two in hand"),
    ({"show": {"jacks_deuces": [{"rank": "2", "points": 0, "suited": 4}], "nob": 0}},
     "Each two in hand by itself: nothing, or 4 points if it is of the starter's suit.", "(his nob)"),
    ({"skunk": "double_skunk"}, "A game in which the best of the losers has fewer than 91 points counts as 2 games.\n- "
     "A game in which the best of the losers has fewer than 61 points counts as 3 games.\n- If more than one of these "
     "holds, the greatest number of games counts.\n", "zzz"),
    ({"skunk": [{"below": 1, "games": 2}]}, "has fewer than 1 point counts as 2 games.\n", "If more than one"),
    ({"play_flush": True}, "a flush, when the last three or more cards laid are of one suit: 1 point for each of its "
     "cards (only the longest counts).", "Cards of one suit score nothing in the play"),
    ({"play_flush": True}, "Pairs, runs and flushes do not use cards of an earlier pile. A go does not break a pair, a "
     "run or a flush while the pile is open.", "zzz"),
    ({"play": {"flush": [0] * 11}}, "Cards of one suit score nothing in the play.", "a flush, when"),
    ({"play": {"flush": [1, 1, 5]}},
     "laid are of one suit: of three 1 point, of four 1 point, of five 5 points", "zzz"),
    ({"piles": "single"}, "The player who laid the last card of the pile, if it closes below 31, pegs 1 point.", "zzz"),
    ({"play_runs": False}, "Runs and cards of one suit score nothing in the play.", "a run, when"),
    ({"play_runs": False},
     "Pairs do not use cards of an earlier pile. A go does not break a pair while the pile is open.", "or a run while"),
    ({"play_runs": False, "play_flush": True, "go_breaks": True},
     "cards laid before it no longer count for pairs and flushes.", "for pairs, runs"),
    ({"play_pairs": False},
     "Cards of one rank and cards of one suit score nothing in the play.", "laid just before it"),
    ({"play_pairs": False, "play_runs": False},
     "Cards of one rank, runs and cards of one suit score nothing in the play.", "A go does not break"),
    ({"turned_deuce": 4}, "If it is a two, the dealer pegs 4 points.", "zzz"),
    ({"play": {"thirtyone_extra": 9}}, "Here: none of the named answers; play.thirtyone_extra = 9.", "zzz"),
])  # fmt: skip
def test_the_sheet_says_what_the_data_say(noddy, changes, present, absent):
    sheet = rule_sheet(noddy.replace(**changes))
    assert present in sheet
    assert absent not in sheet


CONCERNS = {
    "": variant_names("pegging"),
    "four": [name for name in variant_names("pegging") if not name.startswith("costly") and name != "cribbage-five"],
    "crib": [name for name in variant_names("pegging") if name.startswith("cribbage")],
    "three": [name for name in variant_names("pegging") if name.startswith("cribbage")],
    "mog": [name for name in variant_names("pegging") if name.startswith("costly")],
    "honours": [name for name in variant_names("pegging") if name.startswith("costly")],
    "colours": [name for name in variant_names("pegging") if name.startswith("costly")],
}


@pytest.mark.parametrize("name", variant_names("pegging"))
def test_a_sheet_asks_only_what_concerns_its_game(name):
    variant = load_variant(name)
    sheet = rule_sheet(variant)
    for reading in READINGS:
        asked = f"\n- {reading.id} {reading.question} Here: " in sheet
        assert asked == (name in CONCERNS[reading.concerns]), reading.option
    assert list(variant.readings_in_force) == [reading.option for reading in READINGS]
    assert [entry["option"] for entry in variant_json(variant)["readings"]] == list(variant.readings_in_force)


# --- any rules at all -----------------------------------------------------------------------------------------------

POINTS = st.integers(0, 31)
SUMS = st.one_of(POINTS, st.just("per_card"))
LISTED = st.lists(POINTS, min_size=1, max_size=11).filter(lambda scale: scale[-1] + 11 - len(scale) <= 31)
SCALES = st.one_of(st.sampled_from(["length", "off"]), LISTED)
RANKS3 = st.lists(POINTS, min_size=3, max_size=3)
SEATS = ("eldest", "second", "third", "dealer")
NUMBERS = {2: "two", 3: "three", 4: "four"}
VALUES = st.fixed_dictionaries({
    "players": st.sets(st.sampled_from([2, 3, 4]), min_size=1).map(sorted),
    "partners": st.booleans(),
    "hand": st.integers(1, 4),
    "crib": st.booleans(),
    "mog": st.fixed_dictionaries({
        "exchange": st.sampled_from(["off", "opponent"]), "first": st.sampled_from(["elder", "dealer"]),
        "refusal": POINTS, "bonus": st.sampled_from(["giver", "taker", "both"]),
    }),
    "target": st.integers(31, 10000),
    "head_start": st.fixed_dictionaries(dict.fromkeys(SEATS, st.integers(0, 30))),
    "three_for_last": st.sampled_from(["off", "first_deal", "every_deal"]),
    "next_dealer": st.sampled_from(["left", "right", "same", "lowest", "highest"]),
    "order": st.permutations(["heels", "play", "show"]),
    "turned": st.lists(
        st.fixed_dictionaries({
            "rank": st.sampled_from("A23456789TJQK"), "to": st.sampled_from(["dealer", "eldest", "opponents"]),
            "points": POINTS,
        }), max_size=4, unique_by=lambda entry: (entry["rank"], entry["to"])),
    "skunk": st.lists(
        st.fixed_dictionaries({"below": st.integers(1, 10000), "games": st.integers(2, 9)}), max_size=3,
        unique_by=lambda entry: entry["below"]),
    "play": st.fixed_dictionaries({
        "limit": st.integers(15, 60), "piles": st.sampled_from(["multi", "single", "single_first_stuck"]),
        "fifteen": SUMS, "twentyfive": SUMS, "thirtyone": SUMS, "thirtyone_extra": POINTS, "same_rank": RANKS3,
        "run": SCALES, "flush": SCALES, "last": POINTS, "final_card_point": st.booleans(),
        "next_lead": st.sampled_from(["left_of_last", "first_go"]), "combo_scope": st.sampled_from(["pile", "deal"]),
        "go_breaks": st.booleans(),
    }),
    "show": st.fixed_dictionaries({
        "fifteen": SUMS, "twentyfive": SUMS, "thirtyone": SUMS, "same_rank": RANKS3, "run": SCALES,
        "run_multiplicity": st.sampled_from(["each", "once"]),
        "hand_flush": st.sampled_from(["whole", "subset", "groves", "off"]), "flush": SCALES, "nob": POINTS,
        "crib_flush": st.sampled_from(["five", "four_or_five", "off"]),
        "jacks_deuces": st.lists(
            st.fixed_dictionaries({"rank": st.sampled_from("A23456789TJQK"), "points": POINTS, "suited": POINTS}),
            max_size=3, unique_by=lambda entry: entry["rank"]),
        "colours": st.one_of(st.just([]), st.lists(POINTS, min_size=5, max_size=5)),
    }),
})  # fmt: skip


@st.composite
def any_rules(draw: st.DrawFn) -> dict:
    """Any values, made to go together."""
    rules = draw(VALUES)
    players, start = rules["players"], rules["head_start"]
    rules["partners"] = rules["partners"] and 4 in players
    if rules["partners"]:
        start["third"], start["second"] = start["eldest"], start["dealer"]
    for n, seat in ((3, "second"), (4, "third")):
        start[seat] = start[seat] if max(players) >= n else 0
    rules["discard"], rules["deal_to_crib"] = {}, {}
    for n, name in NUMBERS.items():
        crib = rules["crib"] and n in players
        away = draw(st.integers(1 if crib else 0, 4 // n if crib else 2))
        straight = draw(st.integers(0, 4 - n * away if crib else 0))
        rules["discard"][name], rules["deal_to_crib"][name] = away, straight
    if players != [2] or rules["discard"]["two"]:
        rules["mog"]["exchange"] = "off"
    if rules["hand"] != 3:
        rules["show"]["colours"] = []
    return rules


@settings(max_examples=40, deadline=None)
@given(any_rules())
def test_any_rules_go_through_a_file_and_into_words(tmp_path_factory, rules):
    variant = load_variant("noddy").replace(**rules)
    path = tmp_path_factory.getbasetemp() / "any.toml"
    dump = variant.rules.model_dump()
    text = "".join(f"{key} = {format_value(value, None)}\n" for key, value in dump.items())
    path.write_text('base = "noddy"\n' + text, encoding="utf-8")
    again = load_variant(path)
    assert again.rules == variant.rules
    assert rules == dump
    assert rule_sheet(variant).count("\n## ") == len(SECTIONS) + (rules["mog"]["exchange"] == "opponent")
    assert variant_json(again)["rules"] == dump
