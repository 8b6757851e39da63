"""Values of rules: what each field allows, and which do not go together."""

from __future__ import annotations

import pytest
from bugs_cases import NODDY
from pydantic import ValidationError
from rules_setup import refusal

from noddysim.game.errors import InputError
from noddysim.game.families import PEGGING
from noddysim.game.rulemodels import ALLOWED, PeggingRules
from noddysim.game.rules import load_variant

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
    assert set(PEGGING.leaves) <= set(ALLOWED)
    for table in ("play", "show", "mog", "discard", "deal_to_crib", "head_start"):
        assert {f"{table}.{key}" for key in noddy.rules.model_dump()[table]} <= set(ALLOWED)


def test_the_record_by_itself_refuses_what_does_not_fit():
    for change in ({"order": ["play"]}, {"players": [4, 2]}, {"target": 0}, {"extra": 1}, {"hand": True}):
        with pytest.raises(ValidationError):
            PeggingRules(**{**NODDY, **change})
    with pytest.raises(ValidationError, match="not below the target"):
        PeggingRules(**{**NODDY, "head_start": {"eldest": 31, "second": 0, "third": 0, "dealer": 0}})
