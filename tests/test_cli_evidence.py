"""``duel``, ``run``, ``compare`` and ``bench`` as a user calls them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import answer, call

from noddysim.engine.rivals import OUR_JOB, RIVAL_JOB

EXPERIMENTS = Path(__file__).parents[1] / "experiments"
TIP = ["lead-low@greedy-random", "greedy-random"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test in an empty folder: ``run`` puts its store there."""
    monkeypatch.chdir(tmp_path)


def test_duel_gives_effect_interval_and_verdict() -> None:
    data = answer("duel", "greedy", "low", "--deals", "20000", "--seed", "1")
    assert {"estimate", "low", "high", "unit", "n", "method", "verdict"} <= data.keys()
    assert data["low"] < 0.3213848846 < data["high"]
    assert data["unit"] == "points a deal"
    assert data["n"] == 20_000
    assert data["verdict"] == "helps"
    assert [seat["seat"] for seat in data["seats"]] == [1, 2]


def test_duel_in_words_says_the_same() -> None:
    result = call("duel", "greedy", "low", "--deals", "2000", "--seed", "1")
    assert result.exit_code == 0
    for words in ("helps", "2,000 duplicates of deals", "seed 1", "95 % interval", "as pone", "as dealer"):
        assert words in result.stdout


def test_a_duel_of_random_with_itself_is_nought() -> None:
    data = answer("duel", "random", "random", "--deals", "500")
    assert data["estimate"] == data["low"] == data["high"] == 0
    assert data["verdict"] == "no-difference"


def test_duel_of_games_is_a_chance_to_win() -> None:
    data = answer("duel", "greedy", "random", "--games", "300", "--players", "4")
    assert data["unit"] == "chance to win"
    assert data["n"] == 300


def test_a_vacuous_tip_is_said_to_be_vacuous() -> None:
    assert answer("duel", "hold-nob@greedy", "greedy")["verdict"] == "vacuous"
    assert "does not exist here" in call("duel", "hold-nob@greedy", "greedy").stdout


def test_strategies_that_differ_in_nothing_that_is_decided_are_said_to_be_vacuous() -> None:
    assert answer("duel", "random+greedy", "keep-best+greedy", "--variant", "noddy-four")["verdict"] == "vacuous"
    shown = call("duel", "random+greedy", "keep-best+greedy", "--variant", "noddy-four").stdout
    assert "The two differ only in how they lay cards away, and nobody does so here: nothing to measure." in shown
    shown = call("duel", "mog-never+greedy", "mog-always+greedy", "--variant", "cribbage").stdout
    assert "The two differ only in how they mog, and nobody does so here: nothing to measure." in shown


def test_one_deal_is_one_duplicate() -> None:
    assert "2 players, 1 duplicate of a deal, seed" in call("duel", "greedy", "low", "--deals", "1").stdout
    assert "2 players, 1 duplicate of a game, seed" in call("duel", "greedy", "low", "--games", "1").stdout


def test_every_number_of_a_duel_has_its_unit() -> None:
    shown = call("duel", "greedy", "random", "--games", "400").stdout
    changed = next(line for line in shown.splitlines() if line.startswith("each card changed"))
    assert re.search(r"\+\d+(\.\d)? % \(.*\) +chance to win an occasion$", changed)
    assert "Zone that does not matter: +/-0.5 % chance to win." in shown
    assert "Zone that does not matter: +/-0.02 points a deal." in call("duel", "greedy", "low", "--deals", "50").stdout
    shown = call("duel", *TIP, "--deals", "50", "--players", "3").stdout
    assert "Zone that does not matter: +/-0.02 points a deal as eldest." in shown


def test_every_number_of_an_experiment_has_its_unit(tmp_path: Path) -> None:
    head = 'question = "?"\nvariants = ["noddy"]\n'
    tip, leads = tmp_path / "tip.toml", tmp_path / "leads.toml"
    arms = 'arms = [["lead-low@low", "low"], ["greedy", "low"]]\n'
    tip.write_text(f'{head}kind = "duel"\nplayers = [3]\n{arms}deals = 50\ngames = 20\n', encoding="utf-8")
    leads.write_text(f'{head}kind = "leads"\nstrategies = ["low"]\ndeals = 50\n', encoding="utf-8")
    lines = call("run", str(tip)).stdout.splitlines()
    assert re.search(r"  estimate \(95 % interval\) +unit  +of ", lines[3])
    assert [re.search(r"(points|chance) .*(?=  (deals|games))", line).group().strip() for line in lines[4:8]] == [
        "points a deal as eldest", "points a deal", "chance to win", "chance to win",
    ]  # fmt: skip
    assert call("run", str(leads)).stdout.splitlines()[3] == (
        "Points a deal of the one who leads first, by the card led (95 % interval):"
    )


def test_every_number_of_a_comparison_has_its_unit() -> None:
    found = answer("compare", "noddy", "noddy-61", "--games", "50")
    shown = call("compare", "noddy", "noddy-61", "--games", "50").stdout
    head = next(line for line in shown.splitlines() if line.startswith("variant "))
    assert f"margin, {found['rows'][0]['margin']['unit']}" in head
    for metric in ("edge", "deals", "cards", "lead_changes"):
        assert found["rows"][0][metric]["unit"] in head
    for one in found["differences"]:
        assert re.search(rf"  {one['metric'].replace('_', ' ')} .*  {one['unit']}  +same cards", shown)
    assert "In brackets: 95 % intervals." in shown


def test_the_same_bytes_for_any_number_of_workers() -> None:
    printed = {
        call("duel", *TIP, "--deals", "20000", "--workers", str(workers), "--json").stdout for workers in (1, 2, 5)
    }
    assert len(printed) == 1


def test_a_users_own_files_work_by_path(tmp_path: Path) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('base = "noddy"\nname = "mine"\nturned_jack = "off"\ntarget = 20\n', encoding="utf-8")
    style = tmp_path / "style.toml"
    style.write_text('name = "style"\nties = "high"\n[weights]\npoints = 1\n', encoding="utf-8")
    data = answer("duel", str(style), "greedy-high", "--variant", str(rules), "--deals", "200")
    assert data["variant"] == "mine"
    assert data["estimate"] == 0
    data = answer("duel", f"lead-low@{style}", str(style), "--against", "greedy", "--deals", "2000")
    assert data["verdict"] in {"helps", "hurts", "undecided", "no-difference"}


def test_run_lists_every_arm_of_every_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'question = "?"\nkind = "duel"\nvariants = ["noddy"]\nplayers = [2]\narms = [["lead-low@greedy", "greedy"], '
        '["save-fives@greedy", "greedy"]]\nagainst = ["low", "greedy"]\ndeals = 100\n',
        encoding="utf-8",
    )
    runs = answer("run", str(path), str(EXPERIMENTS / "exact.toml"), "--deals", "50")["runs"]
    mine = [run for run in runs if run["experiment"] == "mine"]
    assert len(mine) == 4
    for run in mine:
        assert {"id", "experiment", "arm", "n", "estimate", "low", "high", "verdict", "new", "complete"} <= run.keys()
        assert run["n"] == run["new"] == 50
        assert run["complete"] is True
    assert any(run["experiment"] == "exact" and run["arm"] == "nob-worth" for run in runs)
    assert len({run["id"] for run in mine}) == 4


@pytest.mark.parametrize("name", ["leads", "balance", "tips-two-players"])
def test_run_in_words(name: str, tmp_path: Path) -> None:
    amounts = ["--deals", "60"] if name != "balance" else ["--games", "60"]
    if name.startswith("tips"):
        amounts += ["--games", "20"]
    result = call("run", str(EXPERIMENTS / f"{name}.toml"), *amounts)
    assert result.exit_code == 0, result.stderr
    assert f"({name})" in result.stdout


def test_compare_shows_the_edge_with_and_without_the_jack() -> None:
    data = answer("compare", "noddy", "noddy-no-jack", "--players", "2", "--games", "4000")
    assert [row["variant"] for row in data["rows"]] == ["noddy", "noddy-no-jack"]
    edge = next(one for one in data["differences"] if one["metric"] == "edge")
    assert edge["paired"] is True
    assert edge["low"] <= edge["estimate"] <= edge["high"]
    words = call("compare", "noddy", "noddy-no-jack", "--players", "2,3", "--games", "300")
    assert words.exit_code == 0
    for text in ("first dealer's edge", "same cards", "noddy-no-jack"):
        assert text in words.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["duel", "greedy", "low", "--deals", "0"], "--deals"),
        (["duel", "greedy", "low", "--games", "0"], "--games"),
        (["duel", "greedy", "low", "--deals", "1", "--games", "1"], "not both"),
        (["duel", "greedy", "low", "--zone", "nan"], "Invalid value for '--zone': nan is no number"),
        (["duel", "greedy", "low", "--zone", "inf"], "Invalid value for '--zone'"),
        (["duel", "greedy", "low", "--zone", "-1"], "Invalid value for '--zone'"),
        (["duel", "greedy", "gredy"], "'gredy' (did you mean greedy?); `noddysim strategies`"),
        (["compare", "noddy", "noddy"], "two variants are named noddy; leave one out, or rename one"),
        (["run", "--deals", "7", str(EXPERIMENTS / "balance.toml")], "--deals has no meaning for"),
        (["report", "--games", "7", str(EXPERIMENTS / "leads.toml")], '(kind "leads", played in deals)'),
        (["report", str(EXPERIMENTS / "exact.toml"), str(EXPERIMENTS / "exact.toml")], "exact.toml is given twice"),
        (["run", str(EXPERIMENTS / "exact.toml"), str(EXPERIMENTS / "exact.toml")], "exact.toml is given twice"),
        (
            ["report", str(EXPERIMENTS / "exact.toml"), "--to", ""],
            "Invalid value for '--to': the name of the folder is",
        ),
        (
            ["report", str(EXPERIMENTS / "exact.toml"), "--to", " "],
            "Invalid value for '--to': the name of the folder is",
        ),
        (["duel", "greedy", "low", "--seed", "x"], "--seed"),
        (["duel", "greedy", "low", "--seed", "-1"], "--seed"),
        (["duel", "greedy", "low", "--players", "5"], "not by 5"),
        (["duel", "greedy", "lo"], "low"),
        (["duel", "greedy", "low", "--variant", "nody"], "noddy"),
        (["duel", "lead-low", "low"], "baseline"),
        (["duel", "greedy"], "B"),
        (["compare", "noddy", "--players", "5"], "not by 5"),
        (["compare", "noddy", "--players", "two"], "list of numbers"),
        (["compare", "noddy", "--players", "2,2"], "twice"),
        (["compare", "noddy", "--games", "0"], "--games"),
        (["compare", "noddy", "--strategy", "best"], "best"),
        (["compare"], "VARIANT"),
        (["run"], "FILE"),
        (["run", "nowhere.toml"], "nowhere.toml"),
        (["bench", "--size", "0"], "--size"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(arguments: list[str], words: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert words in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_bad_second_file_stops_a_run_before_the_first_is_played(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('question = "?"\nkind = "duel"\nvariants = ["noddy"]\narms = [["x@y", "y"]]\n', encoding="utf-8")
    result = call("run", str(EXPERIMENTS / "leads.toml"), str(bad), "--deals", "1000000000")
    assert result.exit_code == 2
    assert "bad" in result.stderr


@pytest.mark.long
def test_bench_measures_and_says_so() -> None:
    data = answer("bench", "--size", "1000", "--rounds", "1", "--memory-deals", "100000", "--no-cluster")
    store, workers = data["batches"]
    assert store["what"].startswith("store and progress") and store["median"] > 0
    assert workers["unit"] == "times" and workers["least"] <= workers["median"] <= workers["most"]
    assert data["timings"][0]["ratio_to_dealing"] == 1
    for row in data["timings"]:
        assert row["cpu_seconds"] > 0
        assert row["per_second"] == pytest.approx(row["amount"] / row["cpu_seconds"])
    rates = {row["what"]: row["per_second"] for row in data["timings"]}
    ours, rival = (rates.get(name) for name in (OUR_JOB, RIVAL_JOB))
    if rival is None:
        assert data["times_openspiel"] is None
    else:
        assert data["times_openspiel"] == pytest.approx(ours / rival)


@pytest.mark.long
def test_evidence_comes_from_a_real_process_too() -> None:
    command = [sys.executable, "-m", "noddysim", "duel", "greedy", "low", "--deals", "100", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["n"] == 100
    assert done.stderr == ""
