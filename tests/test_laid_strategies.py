"""Strategies and tips of the games in which melds or sets are laid: as data, as differences, as users' own files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from command_line import answer

from noddysim.cli import cli
from noddysim.engine.play import replay
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.laying import decisions_of, laid_strategies, laid_tip_of, laid_tips, melder, read_laid, setter
from noddysim.game.laying_data import MELDING, SETS, differing_fields, laid_identity
from noddysim.game.meldmodels import MeldRules
from noddysim.game.minds import read_for
from noddysim.game.rules import load_variant
from noddysim.game.snitchmodels import SnitchRules

MICRO = 1_000_000


def saved(folder: Path, text: str, name: str = "mine.toml") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


# --- built-in strategies and tips


def test_the_strategies_that_players_would_name_are_there() -> None:
    assert list(laid_strategies(MELDING))[:1] == ["first"]
    assert {"first", "most-points", "fewest-cards", "wait-for-sums", "keep-trump-jack"} <= set(laid_strategies(MELDING))
    assert {"first", "most-points", "keep-wilds", "feed-nothing", "discard-first"} <= set(laid_strategies(SETS))
    assert melder("wait-for-sums").sums_only and not melder("most-points").sums_only
    assert dict(melder("fewest-cards").weights) == {"points": MICRO, "cards": -100 * MICRO}
    assert (setter("first").use, setter("first").most, setter("first").discard) == ("hand", False, "low")


@pytest.mark.parametrize("family", [MELDING, SETS])
def test_each_tip_has_an_opposite_on_the_same_decision_that_sets_the_same_fields(family: str) -> None:
    tips = laid_tips(family)
    for tip in tips.values():
        assert tip.opposite is not None and (tip.family, tip.kind, tip.seat) == (family, "tip", "every")
        other = tips[tip.opposite]
        assert (other.opposite, other.decision) == (tip.name, tip.decision)
        assert tip.changes and dict(tip.changes) != dict(other.changes)
        assert {name for name, _ in other.changes} <= {name for name, _ in tip.changes} | {"weights"}


def test_a_tip_changes_some_fields_of_its_baseline_and_no_others() -> None:
    base, told = melder("most-points"), melder("keep-trump-jack@most-points")
    assert differing_fields(base, told) == {"keep_trump_jack"}
    assert laid_identity(told) == laid_identity(melder("keep-trump-jack"))
    few = melder("fewest-cards@random")
    assert (dict(few.weights), few.ties) == ({"cards": -1000 * MICRO}, "random")
    both = melder("sums-last@fewest-cards@most-points")
    assert dict(both.weights) == {"points": MICRO, "cards": -1000 * MICRO, "sum": -1000 * MICRO}
    assert both.name == "sums-last@fewest-cards@most-points"
    assert laid_identity(setter("hand-first@most-points")) == laid_identity(setter("hand-first"))
    assert differing_fields(setter("feed-freely@most-points"), setter("most-points")) == set()


def test_the_tip_of_an_expression() -> None:
    found = laid_tip_of(MELDING, "sums-last@fewest-cards@first")
    assert found is not None and (found[0].name, found[1]) == ("sums-last", "fewest-cards@first")
    assert laid_tip_of(MELDING, "wait-for-sums") is None


def test_decisions_that_exist() -> None:
    def exist(name: str, **changes: Any) -> set[str]:
        rules = load_variant(name).replace(**changes).rules
        assert isinstance(rules, MeldRules | SnitchRules)
        return set(decisions_of(rules))

    assert exist("innocence") == {"meld"}
    assert exist("innocence", must_meld=False) == exist("innocence-free") == {"meld", "draw"}
    assert exist("innocence-free", sum_value="flat2") == {"meld"}
    assert exist("snitch") == {"set", "throw"}


@pytest.mark.parametrize(
    ("family", "expression", "said"),
    [
        (MELDING, "greedy", "no strategy of the melding game is named 'greedy'; there are: first"),
        (MELDING, "most-point", r"'most-point' \(did you mean most-points\?\)"),
        (SETS, "keep-wild@first", r"no tip of Snitch is named 'keep-wild' \(did you mean keep-wilds\?\)"),
        (MELDING, "sums-last", "sums-last is a tip; a tip needs a baseline"),
        (MELDING, "first@most-points", "first is a whole strategy and leaves nothing to most-points"),
        (SETS, "throw-low@", "a name is missing"),
        (SETS, "first+first", "no strategy of Snitch is named 'first.first'"),
    ],
)
def test_bad_expressions_are_refused(family: str, expression: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_laid(family, expression)


# --- users' own files


def test_a_file_stands_on_its_base(tmp_path: Path) -> None:
    saved(tmp_path, 'family = "melding"\nname = "below"\nties = "last"\n[weights]\nrun = 0.5\n', "below.toml")
    path = saved(
        tmp_path,
        'family = "melding"\nname = "mine"\nbase = "keep-trump-jack@below.toml"\nsums_only = true\n'
        "weights = { run = 0, cards = -0.25 }\n",
    )
    mine = melder(path)
    assert (mine.name, mine.ties, mine.sums_only, mine.keep_trump_jack) == ("mine", "last", True, True)
    assert laid_identity(mine)["weights"] == {"cards": -250_000}
    assert melder("sums-last@mine", [path]).name == "sums-last@mine"
    path = saved(tmp_path, 'family = "sets"\nname = "thrower"\nbase = "feed-nothing@first"\ndiscard = "high"\n')
    assert differing_fields(setter(path), setter("feed-nothing@first")) == {"discard"}
    assert replay("snitch", 1, deal=0, strategies=[path, "first", "keep-wilds@first"]).strategies[0] == "thrower"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name = "mine"\nties = "last"', 'mine.toml: family: this key is missing; .* says family = "melding"'),
        ('family = "sets"\nname = "mine"', 'mine.toml:1:1: family: "sets" is not this game\'s'),
        ('family = "melding"\nname = "mine"\nbase = "first"', "says nothing of its own; give some of weights, ties"),
        ('family = "melding"\nname = "first"\nties = "last"', "mine.toml:2:1: name: 'first' is a built-in name"),
        ('family = "melding"\nname = "sums-last"\nties = "last"', "2:1: name: 'sums-last' is a built-in name"),
        ('family = "melding"\nname = "m"\nties = "low"', "3:1: ties: \"low\" is not allowed; allowed are 'first'"),
        ('family = "melding"\nname = "m"\nsums_only = 1', "3:1: sums_only: 1 is not true or false"),
        ('family = "melding"\nname = "m"\nuse = "hand"', "3:1: use: unknown key; allowed are weights, ties"),
        (
            'family = "melding"\nname = "m"\nweights = { rum = 1 }',
            r"weights.rum: no such weight \(did you mean sum\?\)",
        ),
        ('family = "melding"\nname = "m"\nweights = { run = 1001 }', "a weight lies between -1000 and 1000"),
        ('family = "melding"\nname = "m"\nbase = "greedy"\nties = "last"', "3:1: base: no strategy of the melding"),
        ('family = "melding"\nname = "m"\nbase = "mine.toml"\nties = "last"', "its base leads back to itself"),
    ],
)
def test_faults_are_named_with_file_place_and_key(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        melder(saved(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_file_for_another_game_is_refused_as_such(tmp_path: Path) -> None:
    path = saved(tmp_path, 'family = "melding"\nname = "mine"\n[weights]\ncards = 1\n')
    with pytest.raises(InputError, match='1:1: family: "melding" is not this game\'s'):
        parse_strategy(path)
    with pytest.raises(InputError, match='family: "melding" is not this game\'s'):
        setter(path)
    assert list(read_for(["pegging", MELDING, SETS], path)) == [MELDING]
    bad = saved(tmp_path, 'family = "melding"\nname = "mine"\n[weights]\ncard = 1\n')
    with pytest.raises(InputError, match=r"weights.card: no such weight \(did you mean cards\?\)"):
        read_for(["pegging", MELDING], bad)
    plain = saved(tmp_path, 'family = "pegging"\nname = "mine"\nties = "high"\n')
    assert parse_strategy(plain).ties == "high"


# --- what the command line lists


def test_tips_are_listed_with_their_family() -> None:
    found = {entry["name"]: entry for entry in answer("tips")}
    assert found["lead-low"]["family"] == "pegging"
    for family in (MELDING, SETS):
        for name, tip in laid_tips(family).items():
            assert (found[name]["family"], found[name]["opposite"]) == (family, tip.opposite)
            assert found[name]["changes"].keys() == dict(tip.changes).keys()
    assert answer("tips", "fewest-cards")["description"] == (
        "Sets weights.cards = -1000; all else as the baseline does."
    )
    told = CliRunner().invoke(cli, ["tips", "keep-wilds"]).output
    assert "Sets save_wilds = true" in told and "keep-wilds@most-points" in told


def test_strategies_are_shown_one_by_one(tmp_path: Path) -> None:
    path = saved(tmp_path, 'family = "melding"\nname = "mine"\nbase = "first"\nties = "random"\n')
    found = answer("strategies", path)
    assert (found["name"], found["family"], found["description"]) == ("mine", MELDING, "Lays any meld, all alike.")
    assert answer("strategies", "most-points")["also"][0]["family"] == SETS
    assert answer("strategies", "wait-for-sums@first")["rule"]["sums_only"] is True
    done = CliRunner().invoke(cli, ["strategies", "no-such"])
    assert done.exit_code == 2 and done.output.count("\n") == 1


def test_a_decision_that_does_not_exist_makes_a_duel_vacuous() -> None:
    for arm in ("wait-for-sums@most-points", "lay-at-once@most-points", "wait-for-sums"):
        found = answer("duel", arm, "most-points", "--variant", "innocence", "--games", "20")
        assert (found["verdict"], found["estimate"], found["n"]) == ("vacuous", None, 0)
    found = answer("duel", "wait-for-sums@most-points", "most-points", "--variant", "innocence-free", "--games", "2000")
    assert (found["verdict"], found["changed"]["unit"]) == ("helps", "share of duplicates played otherwise")


def test_a_tip_that_never_changes_anything_is_already_followed() -> None:
    given = ("--variant", "innocence", "--games", "2000")
    for arm in ("sums-first@most-points", "lay-at-once@first"):
        found = answer("duel", arm, arm.partition("@")[2], *given)
        assert found["verdict"] == ("already-followed" if arm.startswith("sums") else "vacuous")
    found = answer("duel", "feed-freely@first", "first", "--variant", "snitch", "--deals", "30")
    assert (found["verdict"], found["exact"], found["changed"]["estimate"]) == ("already-followed", True, 0.0)
    few = answer("duel", "sums-first@most-points", "most-points", "--variant", "innocence", "--games", "20")
    assert few["verdict"] == "undecided"
