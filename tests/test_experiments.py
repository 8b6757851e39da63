"""Experiment files: what they say, what is refused, and that every one that is shipped runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from noddysim.game.errors import InputError
from noddysim.game.experiment import Experiment, read_experiment
from noddysim.insight.study import Amounts, check_names, load_experiment, load_experiments, run_experiment

FOLDER = Path(__file__).parents[1] / "experiments"
FILES = sorted(FOLDER.glob("*.toml"))
DUEL = """question = "Does it?"
kind = "duel"
variants = ["noddy"]
players = [2]
arms = [["lead-low@greedy-random", "greedy-random"]]
against = ["greedy"]
seed = 1
deals = 100
"""


def write(folder: Path, text: str) -> Path:
    """A file with this text."""
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_shipped_experiment_runs(path: Path) -> None:
    amounts = Amounts(deals=60, games=None, seed=None)
    experiment = load_experiment(str(path), amounts)
    if experiment.games:
        experiment = experiment.model_copy(update={"games": 40})
    study = run_experiment(experiment)
    assert study.duels or study.comparison or study.leads or study.facts
    assert path.read_text(encoding="utf-8").startswith("question")


def test_the_complete_example_of_an_experiment_is_read(tmp_path: Path) -> None:
    text = """question = "Does leading low gain anything?"
kind     = "duel"                     # duel | balance | exact
variants = ["noddy"]
players  = [2, 3]
arms     = [["lead-low@greedy-random", "greedy-random"], ["lead-low@lookahead", "lookahead"]]   # arm, baseline
against  = ["greedy", "lookahead"]
seed     = 1589
deals    = 2_000_000                  # duplicates; or games = …
stop     = { rule = "fixed" }         # fixed | precision | sequential, with its numbers
zone     = 0.02
"""
    found = load_experiment(str(write(tmp_path, text)), Amounts(deals=50))
    study = run_experiment(found)
    assert len(study.duels) == 2 * 2 * 2
    assert {finding.tip.name for finding in study.findings} == {"lead-low"}
    assert {finding.players for finding in study.findings} == {2, 3}


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (('kind = "duel"', 'kind = "dual"'), 2, "kind"),
        (("seed = 1", "seed = 1.5"), 7, "not a seed"),
        (("seed = 1", 'seed = "x"'), 7, "not a seed"),
        (("deals = 100", "deals = 0"), 8, "whole number from 1"),
        (("deals = 100", "dealz = 100"), 8, "did you mean deals"),
        (('arms = [["lead-low@greedy-random", "greedy-random"]]', "arms = [[1, 2]]"), 5, "not an arm"),
        (("deals = 100", 'stop = { rule = "soon" }'), 8, "'fixed', 'precision' or 'sequential'"),
        (("deals = 100", 'stop = { rule = "precision" }'), 8, "needs half_width"),
        (("deals = 100", 'stop = { rule = "precision", half_width = 0 }'), 8, "no precision; give a number above 0"),
        (("deals = 100", 'stop = { rule = "precision", half_width = 1, alpha = 0.1 }'), 8, "alpha has no meaning"),
        (("deals = 100", 'stop = { rule = "fixed", half_width = 1 }'), 8, "it has no numbers of its own"),
        (("deals = 100", 'stop = { rule = "sequential", alpha = 1.5 }'), 8, "no error rate"),
        (("deals = 100", 'stop = { rule = "sequential", betta = 0.1 }'), 8, "did you mean beta"),
        (("deals = 100", "zone = -1"), 8, "zone"),
        (("deals = 100", 'strategies = ["greedy"]'), 1, "no meaning"),
        (('question = "Does it?"', ""), 0, "missing"),
        (("players = [2]", 'players = "2"'), 4, "players"),
        (("players = [2]", "players = []"), 4, "players"),
        (("deals = 100", "name = 'x'"), 8, "named by its file"),
    ],
)
def test_a_faulty_file_is_refused_in_one_line(tmp_path: Path, change: tuple[str, str], line: int, words: str) -> None:
    path = write(tmp_path, DUEL.replace(*change))
    with pytest.raises(InputError) as error:
        read_experiment(path)
    message = str(error.value)
    assert words in message
    assert "mine.toml" in message
    assert "\n" not in message
    if line > 1:
        assert f"mine.toml:{line}:" in message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('["noddy"]', '["nody"]'), '3:13: variants[1]: no variant is named "nody"; did you mean "noddy"?'),
        (("[2]", "[2, 5]"), "4:15: players[2]: noddy is played by 2 or 3 or 4, not by 5"),
        (
            ('["greedy"]', '["low", "gready"]'),
            "6:19: against[2]: unknown strategy or tip: 'gready' (did you mean greedy?)",
        ),
        (('["greedy"]', '["a@@b"]'), "6:12: against[1]: 'a@@b': a name is missing"),
        (("lead-low@", "lead-lo@"), "5:10: arms[1][1]: unknown strategy or tip: 'lead-lo' (did you mean lead-low?)"),
        ((', "greedy-random"', ', "lead-low"'), "5:36: arms[1][2]: lead-low is a tip; a tip needs a baseline"),
        (("deals = 100", 'scale = "best"'), "8:1: scale: unknown strategy or tip: 'best'"),
        # The same name twice, also in another form.
        (('["noddy"]', '["noddy", "noddy"]'), "3:22: variants[2]: noddy is given twice; leave one out, or rename one"),
        (("[2]", "[2, 3, 2]"), "4:18: players[3]: 2 is given twice; leave one out"),
        (('["greedy"]', '["greedy", " greedy"]'), "6:22: against[2]: greedy is given twice; leave one out"),
        (("]]", '], ["lead-low@greedy-random", "greedy-random"]]'), "5:54: arms[2]: lead-low@greedy-random v. greedy-"),
    ],
)
def test_names_are_looked_up_before_anything_is_played(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    experiment = read_experiment(write(tmp_path, DUEL.replace(*change, 1)))
    with pytest.raises(InputError) as error:
        check_names(experiment)
    assert f"mine.toml:{words}" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("kind", "rest", "words"),
    [
        ("exact", 'facts = ["nope"]', "4:10: facts[1]: no such fact: nope; facts are nob-worth, "),
        (
            "exact",
            'facts = ["nob-worht"]',
            "4:10: facts[1]: no such fact: nob-worht (did you mean nob-worth?); facts are",
        ),
        ("exact", 'facts = ["nob-worth", "nob-worth"]', "4:23: facts[2]: nob-worth is given twice; leave one out"),
        ("balance", 'strategies = ["gredy"]', "4:15: strategies[1]: unknown strategy or tip: 'gredy'"),
        ("leads", 'strategies = ["low", "low"]', "4:22: strategies[2]: low is given twice; leave one out"),
    ],
)
def test_names_of_the_other_kinds_are_looked_up_too(tmp_path: Path, kind: str, rest: str, words: str) -> None:
    path = write(tmp_path, f'question = "?"\nkind = "{kind}"\nvariants = ["noddy"]\n{rest}\n')
    with pytest.raises(InputError) as error:
        run_experiment(read_experiment(path))
    assert f"mine.toml:{words}" in str(error.value)


def test_an_experiment_that_is_no_file_is_refused_by_its_key() -> None:
    found = Experiment(question="?", kind="leads", variants=["noddy"], players=[3, 7], strategies=["greedy"])
    with pytest.raises(InputError, match=r"^players\[2\]: noddy is played by 2 or 3 or 4, not by 7$"):
        check_names(found)


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(InputError, match=r"nowhere\.toml"):
        read_experiment("nowhere.toml")


def test_amounts_of_the_command_line_replace_those_of_the_file(tmp_path: Path) -> None:
    path = str(write(tmp_path, DUEL))
    changed = load_experiment(path, Amounts(deals=7, seed=9))
    assert (changed.deals, changed.seed, changed.games) == (7, 9, None)
    assert load_experiment(path, Amounts()).deals == 100


def test_a_leads_table_has_a_row_for_every_rank_led() -> None:
    found = Experiment(
        question="?", kind="leads", variants=["noddy"], players=[2], strategies=["greedy-random"], deals=3_000
    )
    leads = run_experiment(found).leads
    assert [lead.rank for lead in leads] == list("A23456789TJQK")
    assert sum(lead.deals for lead in leads) == 3_000
    for lead in leads:
        assert lead.seats[0]["fifteen"].estimate <= lead.seats[0]["play"].estimate


def test_paths_in_a_file_are_relative_to_it_and_names_stand_in_the_answers(tmp_path: Path) -> None:
    (tmp_path / "style.toml").write_text('name = "style"\nties = "high"\n[weights]\npoints = 1\n', encoding="utf-8")
    (tmp_path / "rules.toml").write_text('base = "noddy"\nname = "rules"\ntarget = 20\n', encoding="utf-8")
    text = DUEL.replace('["noddy"]', '["rules.toml"]').replace('["greedy"]', '["style.toml", "greedy"]')
    text = text.replace('"greedy-random"]]', '"greedy-random"], ["save-fives@style.toml", "style.toml"]]')
    study = run_experiment(read_experiment(write(tmp_path, text)))
    assert {duel.arm for duel in study.duels} == {"lead-low@greedy-random", "save-fives@style"}
    assert {duel.setting.against for duel in study.duels} == {"style", "greedy"}
    assert {duel.setting.variant.name for duel in study.duels} == {"rules"}
    assert {finding.tip.name for finding in study.findings} == {"lead-low", "save-fives"}


BALANCE = 'question = "?"\nkind = "balance"\nvariants = ["noddy"]\nstrategies = ["greedy"]\n'
EXACT = 'question = "?"\nkind = "exact"\nvariants = ["noddy"]\nfacts = ["nob-worth"]\n'
TEXTS = {"q": DUEL, "g": DUEL.replace("deals", "games"), "bal": BALANCE, "exact": EXACT}


def files(folder: Path, names: str) -> list[str]:
    """The paths of some of the files of TEXTS."""
    for name in names.split():
        (folder / f"{name}.toml").write_text(TEXTS[name], encoding="utf-8")
    return [str(folder / f"{name}.toml") for name in names.split()]


def test_a_balance_is_played_in_games_and_takes_no_deals(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'deals has no meaning where kind = "balance"; leave it out'):
        read_experiment(write(tmp_path, f"{BALANCE}deals = 5\n"))


@pytest.mark.parametrize(
    ("names", "amounts", "words"),
    [
        (
            "bal",
            Amounts(deals=7),
            '--deals has no meaning for bal.toml (kind "balance", played in games); leave it out',
        ),
        ("q", Amounts(games=5), '--games has no meaning for q.toml (kind "duel", played in deals); leave it out'),
        ("g", Amounts(deals=5), '--deals has no meaning for g.toml (kind "duel", played in games); leave it out'),
        ("exact", Amounts(seed=5), '--seed has no meaning for exact.toml (kind "exact", counted, not played)'),
        ("g exact", Amounts(deals=5), '(kind "duel", played in games), exact.toml (kind "exact", counted, not played)'),
    ],
)
def test_an_amount_that_bears_on_no_file_is_refused(tmp_path: Path, names: str, amounts: Amounts, words: str) -> None:
    paths = files(tmp_path, names)
    with pytest.raises(InputError) as error:
        load_experiments(paths, amounts)
    assert words in str(error.value).replace(f"{tmp_path}{os.sep}", "")


def test_an_amount_bears_on_the_files_that_are_played_in_it(tmp_path: Path) -> None:
    one, other, balance, counted = load_experiments(files(tmp_path, "q g bal exact"), Amounts(7, 5, 3))
    assert (one.deals, one.games, one.seed) == (7, None, 3)
    assert (other.deals, other.games, other.seed) == (None, 5, 3)
    assert (balance.deals, balance.games, balance.seed) == (None, 5, 3)
    assert (counted.deals, counted.games, counted.seed) == (None, None, 1589)


def test_a_file_given_twice_is_refused(tmp_path: Path) -> None:
    (path,) = files(tmp_path, "q")
    with pytest.raises(InputError, match=r"q\.toml is given twice"):
        load_experiments([path, str(tmp_path / "." / "q.toml")], Amounts())
