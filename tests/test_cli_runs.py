"""``run`` with its store, and ``runs``, as a user calls them; real kills and real interrupts."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from command_line import answer, call
from run_setup import EXPERIMENT, SLOW, chunks, experiment, exported, start, wait_for_chunks

SMALL = EXPERIMENT.replace("120_000", "3_000")


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small experiment in the current folder, which is otherwise empty."""
    monkeypatch.chdir(tmp_path)
    return experiment(tmp_path, SMALL)


def test_the_second_run_says_that_nothing_was_left_to_do() -> None:
    first = call("run", "greed.toml")
    assert "3,000 deals, duplicates or games were played and are kept in noddysim.db." in first.stdout
    second = call("run", "greed.toml")
    assert second.stdout.splitlines()[-1] == "Nothing was left to do: noddysim.db held all of it."
    assert second.stdout.splitlines()[:-1] == first.stdout.splitlines()[:-1]
    assert [path.name for path in sorted(Path().iterdir())] == ["greed.toml", "noddysim.db"]


def test_json_says_what_is_new_and_what_is_complete() -> None:
    runs = answer("run", "greed.toml")["runs"]
    assert {"id", "experiment", "arm", "n", "estimate", "low", "high", "verdict", "new", "complete"} <= runs[0].keys()
    assert [(run["arm"], run["n"], run["new"], run["complete"]) for run in runs] == [
        ("greedy", 3_000, 3_000, True), ("lead-low@low", 3_000, 3_000, True),
    ]  # fmt: skip
    again = answer("run", "greed.toml")["runs"]
    assert again == [{**run, "new": 0} for run in runs]
    more = answer("run", "greed.toml", "--deals", "4000")["runs"]
    assert [(run["n"], run["new"]) for run in more] == [(4_000, 1_000)] * 2
    fewer = answer("run", "greed.toml")["runs"]
    assert fewer == again
    listed = answer("runs")["runs"]
    keys = ("id", "experiment", "arm", "done", "asked", "complete")
    assert [[one[key] for key in keys] for one in listed] == [
        [run["id"], "greed", run["arm"], 4_000, 3_000, True] for run in runs
    ]


def test_a_run_in_another_file_under_another_title_is_the_same_run() -> None:
    first = answer("run", "greed.toml")["runs"]
    text = SMALL.replace("Is greed any good?", "What of greed?").replace(', ["lead-low@low", "low"]', "")
    Path("other.toml").write_text(text, encoding="utf-8")
    (other,) = answer("run", "other.toml")["runs"]
    assert other == {**first[0], "experiment": "other", "new": 0}


@pytest.mark.parametrize("workers", ["1", "2", "7"])
def test_the_same_bytes_for_any_workers_and_chunks_and_without_a_store(workers: str) -> None:
    answers = [
        answer("run", "greed.toml", "--workers", workers, "--chunk", chunk, "--store", f"{chunk}.db")
        for chunk in ("170", "3000")
    ]
    assert answers[0] == answers[1]
    assert len({tuple(exported(Path(), f"{chunk}.db").items()) for chunk in (170, 3000)}) == 1
    (alone,) = [answer("duel", "greedy", "low", "--deals", "3000", "--seed", "3", "--workers", workers)]
    run = answers[0]["runs"][0]
    assert {key: run[key] for key in ("estimate", "low", "high", "id")} == {
        key: alone[key] for key in ("estimate", "low", "high", "id")
    }


def test_show_prints_identity_progress_provenance_and_the_hashed_text() -> None:
    run = answer("run", "greed.toml")["runs"][0]
    found = answer("runs", "show", run["id"])
    assert found["done"] == 3_000 and found["ranges"] == [[0, 3_000]]
    assert json.loads(found["text"])["seed"] == 3
    assert {"noddysim", "python", "numba", "numpy", "source", "kernels", "n"} == found["provenance"][0].keys()
    shown = call("runs", "show", run["id"][:6]).stdout
    for words in (run["id"], "3,000 asked, complete", "numbers 0 to 2,999", found["text"], "counted by noddysim"):
        assert words in shown
    listed = call("runs").stdout
    assert "greedy against low, noddy/2, deals" in listed and "complete" in listed


def test_export_is_read_by_pandas_and_holds_the_counts() -> None:
    run = answer("run", "greed.toml")["runs"][0]
    files = answer("runs", "export", run["id"][:8], "--to", "deep/out")["files"]
    assert files[0] == f"deep/out/{run['id']}.counts.csv"
    table = pd.read_csv(files[0])
    assert list(table.columns) == ["name", "indices", "count"]
    places = zip(table["name"], table["indices"].astype(str), strict=True)
    counts = dict(zip(places, table["count"], strict=True))
    assert counts["n", "0"] == 3_000
    assert counts["sums", "0"] / 3_000 / 2 == pytest.approx(run["estimate"])
    assert list(table["name"]) == sorted(table["name"])
    if len(files) == 2:
        pd.testing.assert_frame_equal(pd.read_parquet(files[1]).astype(object), table.astype(object))
    else:
        assert "install pyarrow" in call("runs", "export", run["id"], "--to", "out").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["runs"], "noddysim.db: there is no such store"),
        (["runs", "show", "3f", "--store", "none.db"], "none.db: there is no such store"),
        (["run", "greed.toml", "--store", "greed.toml"], "greed.toml is no store of noddysim"),
        (["run", "greed.toml", "--store", "no/s.db"], "the folder no does not exist"),
        (["runs", "export", "3f"], "Missing option '--to'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(arguments: list[str], words: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert words in result.stderr and result.stderr.count("\n") == 1


def test_an_id_that_is_not_there_is_refused() -> None:
    call("run", "greed.toml")
    result = call("runs", "show", "xyz")
    assert result.exit_code == 2 and "no run is called 'xyz'; `noddysim runs` lists them" in result.stderr


@pytest.mark.long
def test_stopped_by_ctrl_c_then_killed_then_resumed_it_has_the_same_bytes_as_unbroken(tmp_path: Path) -> None:
    broken, unbroken = tmp_path / "broken", tmp_path / "unbroken"
    for folder in (broken, unbroken):
        experiment(folder, SLOW)
    store = broken / "noddysim.db"
    process = start(broken, "--json")
    wait_for_chunks(process, store, 6)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert err == "noddysim: interrupted; what was finished is kept in noddysim.db, and the same command goes on\n"
    found = json.loads(out)
    assert found["partial"] is True
    for run in found["runs"]:
        assert run["complete"] is False and 0 < run["n"] == run["new"] < 600_000
    process = start(broken)
    wait_for_chunks(process, store, chunks(store) + 5)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert 11 <= chunks(store) < 600
    for folder in (broken, unbroken):
        result = call("run", str(folder / "greed.toml"), "--store", str(folder / "noddysim.db"))
        assert result.exit_code == 0 and "were played and are kept" in result.stdout
    assert exported(broken) == exported(unbroken)
    assert len(exported(broken)) == 2
    assert sorted(path.name for path in broken.iterdir()) == ["greed.toml", "noddysim.db", "out"]


def test_an_interrupt_is_said_in_words_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from noddysim.engine.measures import DuelCount

    counted = DuelCount.count

    def stopped(self: DuelCount, start: int, stop: int) -> Any:
        if start >= 2_000:
            raise KeyboardInterrupt
        return counted(self, start, stop)

    monkeypatch.setattr(DuelCount, "count", stopped)
    result = call("run", "greed.toml", "--chunk", "1000", "--workers", "1")
    assert result.exit_code == 130
    assert result.stdout.splitlines()[-1].startswith("Partial: interrupted before all was played.")
    assert "2,000" in result.stdout or "1,000" in result.stdout
    assert "partial" in call("runs").stdout


@pytest.mark.long
def test_a_report_with_a_store_is_interrupted_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from noddysim.engine.measures import DuelCount

    def pages(folder: str) -> dict[str, bytes]:
        return {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}

    counted, played = DuelCount.count, []

    def some(self: DuelCount, start: int, stop: int) -> Any:
        played.append((start, stop))
        if len(played) == 2:
            raise KeyboardInterrupt
        return counted(self, start, stop)

    deals = ("--deals", "150000", "--workers", "2")
    command = ("report", "greed.toml", "--store", "kept.db", *deals)
    with monkeypatch.context() as while_stopped:
        while_stopped.setattr(DuelCount, "count", some)
        stopped = call(*command, "--to", "half")
    assert stopped.exit_code == 130 and not Path("half").exists()
    assert stopped.stderr == (
        "noddysim: interrupted; what was finished is kept in kept.db, and the same command goes on\n"
    )
    assert [run["done"] for run in answer("runs", "--store", "kept.db")["runs"]] != [150_000] * 2
    assert call(*command, "--to", "whole").exit_code == 0
    assert [run["done"] for run in answer("runs", "--store", "kept.db")["runs"]] == [150_000] * 2
    assert call("report", "greed.toml", *deals, "--to", "plain").exit_code == 0
    assert pages("whole") == pages("plain") and len(pages("whole")) > 5


# --- progress -------------------------------------------------------------------------------------------------------


def test_nothing_is_shown_where_nobody_watches_and_a_file_for_machines_is_kept() -> None:
    result = call("run", "greed.toml", "--log-json", "log.jsonl", "--chunk", "500")
    assert result.exit_code == 0 and result.stderr == ""
    lines = [json.loads(line) for line in Path("log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines[0]["event"] == "begin" and lines[0]["asked"] == 3_000
    assert [line["done"] for line in lines[1:7]] == [500, 1_000, 1_500, 2_000, 2_500, 3_000]
    run = answer("run", "greed.toml")["runs"][0]
    assert lines[6]["arm"] == "greedy" and lines[6]["seconds_left"] == 0
    assert [lines[6][key] for key in ("estimate", "low", "high", "n")] == [
        run[key] for key in ("estimate", "low", "high", "n")
    ]
    refused = call("run", "greed.toml", "--log-json", "no/log.jsonl")
    assert refused.exit_code == 2 and "--log-json no/log.jsonl: No such file or directory" in refused.stderr


def test_a_terminal_shows_rate_time_left_and_the_current_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    from noddysim.commands import progress

    monkeypatch.setattr(progress, "on_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "xterm")
    shown = call("run", "greed.toml", "--chunk", "500").stderr
    for words in ("noddy, 2 players, low v. low: deals", "/3000", "a second", "greedy: +0."):
        assert words in shown
    assert call("run", "greed.toml", "--store", "other.db", "--quiet").stderr == ""
