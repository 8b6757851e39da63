"""A user's strategy file: exact weights, its base and policies, paths, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_setup import FIVES_BACK, SPARING, policy_of, saved

from noddysim.game.cards import RANKS
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy, read_strategy_file, strategy_files, tip_of
from noddysim.game.strategies import builtin_strategies, builtin_tips
from noddysim.game.strategy_data import AwayLevel, Level, decimal_text
from noddysim.game.strategy_file import micro

# --- weights


@pytest.mark.parametrize(
    ("written", "millionths"),
    [
        ("1", 10**6),
        ("0.1", 100_000),
        ("-0.3", -300_000),
        ("0.000001", 1),
        ("1e-6", 1),
        ("1e3", 10**9),
        ("-1000", -(10**9)),
        ("999.999999", 999_999_999),
        ("0.1000000000000000000000000000000000000", 100_000),
        ("'-0.25'", -250_000),
        ("'.5'", 500_000),
        ("0.0", 0),
        ("0e-9999", 0),
    ],
)
def test_weights_are_read_exactly(tmp_path: Path, written: str, millionths: int) -> None:
    strategy = read_strategy_file(saved(tmp_path, f"name = 'mine'\nweights = {{ points = {written} }}"))
    expected = (("points", millionths),) if millionths else ()
    assert strategy.levels == (Level(weights=expected),)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("0.0000001", "1E-7 has more than 6 decimal places"),
        ("1e-7", "has more than 6 decimal places"),
        ("1e-9999", "has more than 6 decimal places"),
        ("0.33333333333333333333333333333333333333", "has more than 6 decimal places"),
        ("1000.000001", "a weight lies between -1000 and 1000"),
        ("1000.0000000000000000000000000000000000001", "a weight lies between -1000 and 1000"),
        ("-1001", "a weight lies between -1000 and 1000"),
        ("1e999999", "a weight lies between -1000 and 1000"),
        ("9" * 4000, "a weight lies between -1000 and 1000"),
        ("1e99999999999999999999", "is not a weight"),
        ("inf", "is not a weight"),
        ("nan", "is not a weight"),
        ("true", "true is not a weight"),
        ("'1/3'", "is not a weight"),
        ("'1_0'", "is not a weight"),
        ("'nan'", "is not a weight"),
        ("' 1'", "is not a weight"),
        ("'١'", "is not a weight"),
        ("[1]", "is not a weight"),
        ("{ of = 1 }", "is not a weight"),
        ("2020-01-01", "is not a weight"),
    ],
)
def test_weights_refused(tmp_path: Path, written: str, words: str) -> None:
    _refused(tmp_path, f"name = 'mine'\n[weights]\npoints = {written}", ":3:1: weights.points: ", words)


@given(st.integers(-(10**9), 10**9))
def test_decimal_text_is_the_inverse_of_reading(millionths: int) -> None:
    text = decimal_text(millionths)
    assert micro(text) == micro(Decimal(text)) == millionths
    assert Decimal(text) * 10**6 == millionths


# --- a user's file


def _refused(folder: Path, text: str, *words: str) -> None:
    path = saved(folder, text)
    with pytest.raises(InputError) as caught:
        read_strategy_file(path)
    message = str(caught.value)
    assert "mine.toml" in message
    assert "\n" not in message
    for word in words:
        assert word in message


FULL = """
name = "prudent"
summary = '''Saves fives on leads,
  then looks ahead.'''
base = "greedy-random"
ties = "high"

[[levels]]
when = "lead"
ranks = { 5 = -1, "10" = -0.5, k = "-0.25" }
final = "low"

[[levels]]
weights = { reply_pair = -1, points = 1.5 }
spares = true
counts = { 21 = -2, 5 = 0, 4 = 1 }
"""


def test_levels_of_a_file_stand_on_its_base(tmp_path: Path) -> None:
    strategy = read_strategy_file(saved(tmp_path, FULL))
    assert strategy.name == "prudent"
    assert strategy.title == "prudent"
    assert strategy.summary == "Saves fives on leads, then looks ahead."
    assert strategy.source == "the user's file mine.toml"
    assert strategy.ties == "high"
    first, second, base = strategy.levels
    assert (first.when, first.final) == ("lead", "low")
    assert {RANKS[rank]: worth for rank, worth in enumerate(first.ranks) if worth} == {
        "5": -(10**6),
        "T": -500_000,
        "K": -250_000,
    }
    assert second.weights == (("points", 1_500_000), ("reply_pair", -(10**6)))  # in the order of the features
    assert second.counts == ((4, 10**6), (21, -2 * 10**6))
    assert (first.spares, second.spares, base.spares) == (False, True, False)
    assert base == builtin_strategies()["greedy"].levels[0]


def test_one_level_at_the_top_and_ties_of_the_base(tmp_path: Path) -> None:
    text = "name='m'\nbase='lead-low@greedy-random'\n[weights]\npips=1\n[ranks]\nA=1\n[counts]\n15=2\n"
    strategy = read_strategy_file(saved(tmp_path, text))
    assert strategy.ties == "random"
    assert strategy.levels[0] == Level(weights=(("pips", 10**6),), ranks=(10**6, *(0,) * 12), counts=((15, 2 * 10**6),))
    assert strategy.levels[1:] == parse_strategy("lead-low@greedy-random").levels
    sparing = read_strategy_file(saved(tmp_path, SPARING))
    assert sparing.levels == (Level(ranks=FIVES_BACK, spares=True),)
    assert read_strategy_file(saved(tmp_path, SPARING.replace("true", "false"))).levels == (Level(ranks=FIVES_BACK),)


def test_ties_alone_are_a_strategy_and_low_is_their_default(tmp_path: Path) -> None:
    assert read_strategy_file(saved(tmp_path, "name='m'\nties='high'")).levels == ()
    assert read_strategy_file(saved(tmp_path, "name='m'\nweights={points=1}")).ties == "low"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("weights = { points = 1 }", ["name: this key is missing"]),
        ("name = 'm'\nsummry = ''", [":2:1: summry: unknown key (did you mean summary?); allowed are weights,"]),
        (
            "name = 'm'\n[weights]\npoint = 1",
            [":3:1: weights.point: no such feature (did you mean points?); features are", "offers_run"],
        ),
        ("name = 'm'\n[ranks]\n11 = 1", [":3:1: ranks.11: no such rank: '11'"]),
        ("name = 'm'\n[ranks]\nT = 1\n10 = 1", ["ranks: rank '10' is given twice"]),
        ("name = 'm'\n[counts]\n0 = 1", ["counts.0: no such count", "from 1 to 63"]),
        ("name = 'm'\n[counts]\n64 = 1", ["counts.64: no such count"]),
        ("name = 'm'\n[counts]\n'05' = 1", ["counts.05: no such count"]),
        (
            "name = 'm'\nties = 'lowest'",
            [":2:1: ties: \"lowest\" is not allowed; allowed are 'low', 'high' or 'random'"],
        ),
        ("name = 'm'\n[[levels]]\nwhen = 'leads'", ['levels[1].when: "leads" is not allowed']),
        ("name = 'm'\n[[levels]]\nfinal='low'\n[[levels]]\nwen = 1", [":5:1: levels[2].wen: unknown key", "when"]),
        ("name = 'm'\n[[levels]]\nweights = {run = 0.1234567}", ["levels[1].weights.run: ", "6 decimal places"]),
        ("name = 'm'\n[[levels]]\nwhen = 'lead'", [":2:", "levels[1]: says nothing; give weights"]),
        ("name = 'm'\nlevels = 1", ["levels: 1 is not a list of tables"]),
        ("name = 'm'\nlevels = [1]", ["levels[1]: 1 is not a table"]),
        ("name = 'm'\nweights = 1", ["weights: 1 is not a table"]),
        ("name = 'm'\nlevels = [{final='low'}]\n[weights]\nrun = 1", [":3:", "[weights] and [[levels]] cannot stand"]),
        ("name = 'm'\nranks={5=1}\nspares = 1", [":3:1: spares: 1 is not true or false"]),
        ("name = 'm'\n[[levels]]\nranks={5=1}\nspares = 'yes'", ['levels[1].spares: "yes" is not true or false']),
        ("name = 'm'\nspares = true\nties = 'low'", [":2:1: spares: there is nothing here that could"]),
        ("name = 'm'\nspares = true\n[[levels]]\nranks={5=1}", [":2:1: spares and [[levels]] cannot stand together"]),
        ("name = 'm'\n[[levels]]\nfinal='low'\nspares=true", [":4:1: levels[1].spares: there is nothing here"]),
        ("name = 'm'", ["says nothing; give [weights]"]),
        ("name = 'm'\nbase = 'low'", ["says nothing"]),
        ("name = 'm'\nlevels = []", ["says nothing"]),
        ("name = 1\nties = 'low'", ["name: 1 is not a text in quotes"]),
        ("name = 'greedy'\nties = 'low'", [":1:1: name: 'greedy' is a built-in name"]),
        ("name = 'lead-low'\nties = 'low'", ["is a built-in name"]),
        ("name = 'lead-rank-a'\nties = 'low'", ["is a built-in name"]),
        ("name = 'a@b'\nties = 'low'", ["cannot be a name"]),
        ("name = ''\nties = 'low'", ["cannot be a name"]),
        ("name = 'a b'\nties = 'low'", ["cannot be a name"]),
        ("name = 'x.toml'\nties = 'low'", ["cannot be a name"]),
        ('name = "a\\u0007"\nties = "low"', ["cannot be a name"]),
        (f"name = 'm'\nties = 'low'\nsummary = '{'x' * 501}'", ["summary: the text is longer than 500 characters"]),
        (
            "name = 'm'\nties = 'low'\nbase = 'gredy'",
            [":3:1: base: unknown strategy or tip: 'gredy' (did you mean greedy?); `noddysim"],
        ),
        ("name = 'm'\nties = 'low'\nbase = 'lead-low'", ["base: lead-low is a tip"]),
        ("name = 'm'\nties = 'low'\nbase = 'mine.toml'", ["base leads back to itself"]),
        ("name = 'm'\nlevels = [{final='low'}, 2, {final='low'}]", ["levels[2]: 2 is not a table"]),
        ("name = 'm'\n" + "[[levels]]\nweights={run=1}\n" * 9, ["9 levels in one stack; at most 8"]),
        ("name = 'm'\nbase='greedy'\n" + "[[levels]]\nweights={run=1}\n" * 8, ["9 levels in one stack"]),
        ("name = 'm'\nname = 'n'", ["not valid TOML"]),
        ("name = ?", [":1:8: not valid TOML"]),
        ("name = 'keep-best'\nties = 'low'", ["name: 'keep-best' is a built-in name"]),
        ("name = 'mog-gain'\nties = 'low'", ["is a built-in name"]),
        ("name = 'm'\n[discard]\npolicy = 'keep-best'", ["says nothing of the play; give base"]),
        ("name = 'm'\nbase = 'low'\n[discard]", [":3:1: discard: says nothing; give levels, ties or policy"]),
        (
            "name = 'm'\nbase = 'low'\n[mog]\nlevels = [{}]",
            ["mog.levels[1]: says nothing; give weights, ranks or final"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[discard]\npolicy = 'keep-bst'",
            [":4:1: discard.policy: no discard policy is named 'keep-bst' (did you mean keep-best?); they are random,"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[mog]\npolicy = 'keep-best'",
            ["mog.policy: no mog policy is named 'keep-best'", "they are mog-never, mog-always"],
        ),
        ("name = 'm'\nbase = 'low'\n[discard]\npolicy = 1", ["discard.policy: 1 is not a text in quotes"]),
        ("name = 'm'\nbase = 'low'\ndiscard = 'keep-best'", ['discard: "keep-best" is not a table']),
        ("name = 'm'\nbase = 'low'\n[discard]\nties = 'first'", ['discard.ties: "first" is not allowed']),
        (
            "name = 'm'\nbase = 'low'\n[discard]\nlevel = []",
            ["discard.level: unknown key (did you mean levels?); allowed are policy, levels, ties"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[[discard.levels]]\nweight = { hand = 1 }",
            ["unknown key (did you mean weights?); allowed are when, weights, ranks, final"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[[discard.levels]]\nweights = { stay = 1 }",
            [":4:", "weights.stay: no such feature of cards laid away", "features are hand, crib, fifteens"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[[mog.levels]]\nweights = { crib = 1 }",
            ["weights.crib: no such feature of mogging", "features are hand, peg, gift, stay"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[[discard.levels]]\nwhen = 'offer'\nweights = { hand = 1 }",
            ["discard.levels[1].when: \"offer\" is not allowed; allowed are 'any', 'own' or 'theirs'"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[[mog.levels]]\nwhen = 'own'\nweights = { hand = 1 }",
            ["allowed are 'any', 'offer' or 'answer'"],
        ),
        ("name = 'm'\nbase = 'low'\n[[mog.levels]]\nranks = { T = 1, '10' = 2 }", ["rank '10' is given twice"]),
        ("name = 'm'\nbase = 'low'\n[[mog.levels]]\nranks = { T = 1001 }", ["a weight lies between -1000 and 1000"]),
        (
            "name = 'm'\nbase = 'low'\n[discard]\n" + "[[discard.levels]]\nfinal = 'low'\n" * 8,
            ["discard: 9 levels in one stack; at most 8"],
        ),
    ],
)
def test_refused_files_name_place_key_and_what_is_allowed(tmp_path: Path, text: str, words: list[str]) -> None:
    _refused(tmp_path, text, *words)


def test_a_file_says_what_is_done_before_the_play(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        "name = 'mine'\nbase = 'keep-best+greedy'\n"
        "[[discard.levels]]\nwhen = 'theirs'\nweights = { runs = 0.5, hand = 1 }\nranks = { 5 = -0.25 }\n"
        "[mog]\nlevels = [{ weights = { stay = -1 }, final = 'random' }]\npolicy = 'mog-never'\nties = 'high'\n",
    )
    strategy = read_strategy_file(path)
    ranks = tuple(-250_000 if rank == 4 else 0 for rank in range(13))
    own = AwayLevel(when="theirs", weights=(("hand", 10**6), ("runs", 500_000)), ranks=ranks)
    assert strategy.levels == builtin_strategies()["greedy"].levels
    assert strategy.discard.levels == (own, *policy_of("keep-best").levels)  # on those of the base, as in the play
    assert (strategy.discard.name, strategy.discard.kind, strategy.discard.ties) == ("mine", "discard", "random")
    passing = AwayLevel(weights=(("stay", -(10**6)),), final="random")
    assert strategy.mog.levels == (passing, *policy_of("mog-never").levels)  # on those of the policy named
    assert strategy.mog.ties == "high"
    assert parse_strategy("keep-greedy+mine", [path]).discard == policy_of("keep-greedy")
    assert parse_strategy("keep-greedy+mine", [path]).mog == strategy.mog


def test_a_file_may_name_a_policy_or_say_it_all_itself(tmp_path: Path) -> None:
    named = read_strategy_file(saved(tmp_path, "name = 'mine'\nties = 'low'\ndiscard = { policy = 'random' }"))
    assert (named.discard, named.mog) == (policy_of("random"), policy_of("mog-gain"))
    alone = read_strategy_file(saved(tmp_path, "name = 'mine'\nties = 'low'\ndiscard = { levels = [{ranks={5=1}}] }"))
    assert alone.discard.levels == (AwayLevel(ranks=tuple(10**6 if rank == 4 else 0 for rank in range(13))),)
    assert alone.discard.ties == "low"
    tied = read_strategy_file(saved(tmp_path, "name = 'mine'\nbase = 'low'\nmog = { ties = 'high' }"))
    assert (tied.mog.levels, tied.mog.ties) == (policy_of("mog-gain").levels, "high")


def test_paths_may_be_joined_to_policies(tmp_path: Path) -> None:
    folder = tmp_path / "a+b@c"
    folder.mkdir()
    path = saved(folder, "name = 'mine'\nties = 'high'")
    for written in (f"keep-best+{path}", f"{path} + keep-best"):
        strategy = parse_strategy(written)
        assert (strategy.name, strategy.ties, strategy.discard.name) == ("keep-best+mine", "high", "keep-best")
        assert strategy_files([written]) == (path,)
        assert parse_strategy(f"lead-low@{written}").name == "lead-low@keep-best+mine"
    assert parse_strategy(f"{path}:lead@keep-best+{path}").name == "mine:lead@keep-best+mine"


def test_bad_bytes_and_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"name = '\xff'")
    (tmp_path / "folder.toml").mkdir()
    for name in ("bytes.toml", "folder.toml", "none.toml"):
        with pytest.raises(InputError, match=name):
            read_strategy_file(tmp_path / name)


def test_paths_stand_wherever_names_do(tmp_path: Path) -> None:
    folder = tmp_path / "me@home"
    folder.mkdir()
    path = saved(folder, "name = 'mine'\nweights = { fifteen = 1 }\nties = 'high'")
    fifteen = Level(weights=(("fifteen", 10**6),))
    assert parse_strategy(str(path)).levels == (fifteen,)
    assert parse_strategy(str(path)).name == "mine"
    stacked = parse_strategy(f"save-fives@{path}")
    assert stacked.name == "save-fives@mine"
    assert stacked.levels == (*builtin_tips()["save-fives"].levels, fifteen)
    part = parse_strategy(f"{path}:follow@lead-low@greedy")
    assert part.name == "mine:follow@lead-low@greedy"
    assert part.levels[0] == Level(when="follow", weights=fifteen.weights, final="high")
    found = tip_of(f"lead-low@{path}")
    assert found is not None
    assert found[1] == "mine"
    with pytest.raises(InputError, match="mine is a whole strategy"):
        parse_strategy("mine@greedy", search=[path])


def test_a_relative_path_is_looked_up_in_the_search_folders_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        saved(folder, f"name = '{folder.name}'\nties = 'low'")
    monkeypatch.chdir(here)
    assert parse_strategy("mine.toml").name == "here"
    assert parse_strategy("mine.toml", search=[there]).name == "there"
    assert parse_strategy("mine.toml", search=[tmp_path]).name == "here"


def test_names_of_searched_files_serve_like_built_in_ones(tmp_path: Path) -> None:
    one = saved(tmp_path, "name = 'one'\nties = 'high'", "1.toml")
    two = saved(tmp_path, "name = 'two'\nbase = 'save-fives@one'\nweights = { run = 1 }", "2.toml")
    strategy = parse_strategy("lead-low@two", search=[two, one, one])
    assert strategy.name == "lead-low@two"
    assert strategy.ties == "high"
    assert parse_strategy(strategy.name, search=[one, two]) == strategy
    with pytest.raises(InputError, match="did you mean two"):
        parse_strategy("twoo", search=[one, two])
    again = saved(tmp_path, "name = 'one'\nties = 'low'", "3.toml")
    with pytest.raises(InputError, match=r"3\.toml:1:1: name: 'one' is the name in .*1\.toml too"):
        parse_strategy("one", search=[one, again])


def test_bases_that_lead_back_are_refused(tmp_path: Path) -> None:
    one = saved(tmp_path, "name = 'one'\nbase = 'two'\nties = 'low'", "1.toml")
    two = saved(tmp_path, "name = 'two'\nbase = '1.toml'\nties = 'low'", "2.toml")
    for expression in ("one", "two", str(one), f"save-fives@{two}"):
        with pytest.raises(InputError, match="leads back to itself"):
            parse_strategy(expression, search=[one, two])


def test_a_base_path_starts_from_the_files_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    saved(inner, "name = 'low-one'\nties = 'random'", "base.toml")
    path = saved(inner, "name = 'top'\nbase = 'base.toml'\nweights = { run = 1 }")
    monkeypatch.chdir(tmp_path)
    assert read_strategy_file(path).ties == "random"
