"""Experiment files: what they say, what is refused, and that every one that is shipped runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from noddysim.game.errors import InputError
from noddysim.game.experiment import Experiment, read_experiment
from noddysim.insight.study import Amounts, check_names, load_experiment, run_experiment

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
        (("deals = 100", 'stop = { rule = "sequential" }'), 8, "not built yet"),
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
        (('"noddy"', '"nody"'), "noddy"),
        (("[2]", "[5]"), "not by 5"),
        (('"greedy"]', '"gready"]'), "greedy"),
        (("lead-low@", "lead-lo@"), "lead-low"),
    ],
)
def test_names_that_do_not_exist_are_refused_before_anything_is_played(
    tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    experiment = read_experiment(write(tmp_path, DUEL.replace(*change)))
    with pytest.raises(InputError, match=words) as error:
        check_names(experiment)
    assert "mine" in str(error.value)


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
