"""Stopping rules: looks at fixed numbers, the right kind of interval, the same end whatever workers and chunks do."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import answer, call

from noddysim.engine.runner import Runner, open_store
from noddysim.game.errors import InputError
from noddysim.game.experiment import Stop, read_experiment
from noddysim.insight import sequences, stats
from noddysim.insight.duplicates import Extremes
from noddysim.insight.method import _stop_words
from noddysim.insight.stats import Sums
from noddysim.insight.stopping import FIRST_LOOK, looks
from noddysim.insight.study import run_experiment

HEAD = 'question = "?"\nkind = "duel"\nvariants = ["noddy"]\nseed = 3\n'


def experiment(stop: str, arms: str = '[["greedy", "low"]]', most: int = 60_000, folder: Path | None = None) -> str:
    path = (folder or Path()) / "mine.toml"
    path.write_text(f"{HEAD}arms = {arms}\ndeals = {most}\nstop = {stop}\n", encoding="utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def runs_of(*arguments: str) -> list[Any]:
    runs: list[Any] = answer(*arguments)["runs"]
    return runs


def test_looks_are_fixed_numbers_each_about_a_quarter_more_up_to_the_most() -> None:
    found = list(looks(1_000_000))
    assert found[0] == FIRST_LOOK and found[-1] == 1_000_000
    assert all(1.1 < b / a < 1.3 for a, b in itertools.pairwise(found[1:-1]))
    assert list(looks(2_000_000))[: len(found) - 1] == found[:-1]
    assert list(looks(100)) == [100]
    assert list(looks(FIRST_LOOK)) == [FIRST_LOOK]


def test_the_confidence_sequence_is_that_of_an_independent_library() -> None:
    ville = pytest.importorskip("ville")
    values = np.random.default_rng(1).integers(-9, 14, 20_000)
    for alpha, tightest in ((0.05, 5_000), (0.01, 500), (0.05 / 20, 20_000)):
        oracle = ville.AsymptoticCS(alpha=alpha, t_opt=tightest, min_samples=100).fit(values.astype(float))
        for n in (100, 101, 1_000, 4_096, 20_000):
            seen = values[:n]
            ours = sequences.sequence_from_sums(
                n, int(seen.sum()), int((seen * seen).sum()), confidence=1 - alpha, tightest=tightest
            )
            low, high = oracle.lower_[n - 1], oracle.upper_[n - 1]
            assert ours.low == pytest.approx(low, abs=1e-6 * (high - low))
            assert ours.high == pytest.approx(high, abs=1e-6 * (high - low))


def test_looking_after_every_step_does_not_spoil_its_error_rate_as_it_does_that_of_a_plain_interval() -> None:
    runs, steps, size = 250, 40, 100
    values = np.random.default_rng(2).choice([-3, -1, 0, 0, 0, 1, 3], (runs, steps, size))
    totals = values.sum(axis=2).cumsum(axis=1)
    squares = (values * values).sum(axis=2).cumsum(axis=1)
    missed = {"sequence": 0, "plain": 0}
    for run in range(runs):
        intervals: dict[str, list[Any]] = {"sequence": [], "plain": []}
        for step in range(steps):
            sums = (step + 1) * size, int(totals[run, step]), int(squares[run, step])
            intervals["sequence"].append(sequences.sequence_from_sums(*sums, tightest=2_000))
            intervals["plain"].append(stats.mean_from_sums(*sums))
        for kind, found in intervals.items():
            missed[kind] += any(not one.low <= 0 <= one.high for one in found)
    assert missed["sequence"] / runs < 0.05
    assert missed["plain"] / runs > 0.2


def test_where_hardly_any_duplicate_differs_nothing_is_decided() -> None:
    few = Sums(100_000, 99, 99)
    found = sequences.sequence_of_duplicates(few, Extremes(99, 0, 60))
    assert found.method != sequences.METHOD
    assert sequences.sequence_of_duplicates(Sums(100_000, 100, 100), Extremes(100, 0, 60)).method == sequences.METHOD


def test_a_precision_is_reached_at_the_first_look_that_has_it() -> None:
    path = experiment('{ rule = "precision", half_width = 0.011 }')
    (run,) = runs_of("run", path)
    numbers = list(looks(60_000))
    assert run["n"] in numbers[1:-1] and run["complete"] and run["rule"] == "precision"
    assert (run["high"] - run["low"]) / 2 <= 0.011
    before = numbers[numbers.index(run["n"]) - 1]
    alone = runs_of("run", path, "--deals", str(before))[0]
    assert alone["n"] == before and (alone["high"] - alone["low"]) / 2 > 0.011
    assert alone["new"] == 0


def test_a_decision_ends_each_arm_by_itself_and_later_ones_go_on() -> None:
    arms = '[["greedy", "low"], ["random", "random"], ["lead-low@low", "low"], ["save-five", "low"]]'
    path = experiment('{ rule = "sequential", alpha = 0.05, beta = 0.1 }', arms, 8_000)
    found = {run["arm"]: run for run in runs_of("run", path)}
    assert (found["greedy"]["verdict"], found["greedy"]["n"]) == ("helps", FIRST_LOOK)
    assert found["greedy"]["method"] == sequences.METHOD
    assert found["greedy"]["per_occasion"] is None and found["lead-low@low"]["scale"] is None
    assert (found["random"]["verdict"], found["random"]["n"]) == ("no-difference", FIRST_LOOK)
    assert (found["lead-low@low"]["verdict"], found["lead-low@low"]["n"]) == ("already-followed", FIRST_LOOK)
    assert (found["save-five"]["verdict"], found["save-five"]["n"]) == ("undecided", 8_000)
    assert all(run["complete"] for run in found.values())
    again = {run["arm"]: run for run in runs_of("run", path)}
    assert again == {arm: {**run, "new": 0} for arm, run in found.items()}
    listed = call("runs").stdout
    assert f"stopped by its rule at {FIRST_LOOK:,}" in listed
    plain = {run["arm"]: run for run in runs_of("run", experiment('{ rule = "fixed" }', arms, FIRST_LOOK))}
    one, other = found["greedy"], plain["greedy"]
    assert one["estimate"] == other["estimate"]
    assert one["high"] - one["low"] > 1.2 * (other["high"] - other["low"])
    assert plain["greedy"]["new"] == 0


@pytest.mark.parametrize("options", [("--workers", "1"), ("--workers", "3", "--chunk", "700"), ("--chunk", "50000")])
def test_where_it_stops_depends_on_neither_workers_nor_chunks(options: tuple[str, ...]) -> None:
    path = experiment('{ rule = "sequential", beta = 0.2 }', '[["lead-low@greedy-random", "greedy-random"]]', 40_000)
    (run,) = runs_of("run", path, *options)
    without = run_experiment(read_experiment(path)).duels[0]
    assert (run["n"], run["low"], run["verdict"]) == (without.n, without.effect and without.effect.low, without.verdict)
    assert run["n"] in looks(40_000)


def test_a_batch_stopped_between_two_looks_goes_on_to_the_same_end(tmp_path: Path) -> None:
    path = experiment('{ rule = "precision", half_width = 0.014 }')
    whole = run_experiment(read_experiment(path)).duels[0]
    assert whole.n > 8_000

    def stop_soon(done: int) -> None:
        seen.append(done)
        if sum(seen[:-1]) < 6_000 <= sum(seen):
            raise KeyboardInterrupt

    seen: list[int] = []
    with (
        open_store("s.db") as store,
        Runner(1, lambda title, amount: stop_soon, store, chunk=1_000) as runner,
    ):
        partial = run_experiment(read_experiment(path), runner=runner).duels[0]
        assert runner.interrupted and 5_000 <= partial.n < whole.n
        assert not runner.is_complete(partial.id)
    with open_store("s.db") as store, Runner(2, store=store) as runner:
        assert run_experiment(read_experiment(path), runner=runner).duels[0] == whole
        assert runner.new[whole.id] == whole.n - partial.n and runner.is_complete(whole.id)


def test_the_rule_and_the_kind_of_interval_are_said() -> None:
    shown = call("run", experiment('{ rule = "sequential" }', most=5_000)).stdout
    assert "Each arm stops at a decision, or at the number asked for; error rates 0.05" in shown
    found = read_experiment(experiment('{ rule = "precision", half_width = 0.5 }', most=5_000))
    assert "no wider than +/-0.5" in _stop_words(found) and "Student's interval stays right" in _stop_words(found)
    assert found.identity()["stop"] == {"rule": "precision", "half_width": 0.5}
    assert found.model_copy(update={"stop": Stop()}).identity()["stop"] == {"rule": "fixed"}


def test_a_rule_that_does_not_fit_is_refused() -> None:
    balance = HEAD.replace('"duel"', '"balance"') + 'strategies = ["greedy"]\nstop = { rule = "sequential" }\n'
    Path("balance.toml").write_text(balance, encoding="utf-8")
    with pytest.raises(InputError, match=r'rule = "sequential" is for kind = "duel"'):
        read_experiment("balance.toml")
    both = f'{HEAD}arms = [["low", "greedy"]]\ndeals = 9\ngames = 9\nstop = {{ rule = "precision", half_width = 1 }}\n'
    Path("both.toml").write_text(both, encoding="utf-8")
    with pytest.raises(InputError, match="a precision has one unit"):
        read_experiment("both.toml")
