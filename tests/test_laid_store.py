"""Games of melds and sets, and variants of several families, in the store: kept, resumed, shared, stopped by a rule."""

from __future__ import annotations

import json
import pickle
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from noddysim.cli import cli
from noddysim.commands.evidence import comparison_words
from noddysim.engine import batch
from noddysim.engine.beside import ACROSS, COMMON, Beside
from noddysim.engine.games import peg_game
from noddysim.engine.laying import LAID_METRICS, WHOLE, LaidGames, LayingDuel
from noddysim.engine.measures import GameCount
from noddysim.engine.runner import Parted, Runner, open_store
from noddysim.game.expressions import parse_strategy
from noddysim.game.laying import melder, setter
from noddysim.game.rules import load_variant
from noddysim.insight import sequences
from noddysim.insight.balance import Comparison, compare
from noddysim.insight.stopping import FIRST_LOOK
from noddysim.insight.study import Amounts, Study, amount_of, load_experiment, run_experiment
from noddysim.kernels.moments import METRICS

INNOCENCE, FLAT, SNITCH = (load_variant(name) for name in ("innocence", "innocence-flat", "snitch"))
ARMS = (melder("first"), melder("fewest-cards"), melder("random"))
TIPS = """question = "Do tips help?"
kind = "duel"
variants = ["innocence", "innocence-free"]
arms = [["wait-for-sums@most-points", "most-points"], ["first", "random"]]
"""
MIXED = """question = "Is it fair?"
kind = "balance"
variants = ["noddy", "innocence", "innocence-flat"]
strategies = ["greedy", "most-points"]
"""


def mixed() -> Beside:
    """Noddy beside two games of melds."""
    noddy = GameCount((peg_game(load_variant("noddy"), 2),), parse_strategy("greedy"), 4)
    melds = LaidGames((INNOCENCE, FLAT), 2, melder("most-points"), 4)
    return Beside((noddy, melds), (((0, 0), (1, 0)), ((0, 0), (1, 1))))


SETTERS = (setter("first"), setter("random-discards"))
MEASURES: dict[str, Parted] = {
    "duel of melds": LayingDuel(INNOCENCE, 2, ARMS, ARMS[0], ARMS[2], 3, True),
    "duel of sets": LayingDuel(SNITCH, 3, SETTERS, *SETTERS, 3, False),
    "games": LaidGames((INNOCENCE, FLAT, load_variant("innocence-per-card")), 2, melder("first"), 3),
    "several families": mixed(),
}


def saved(folder: Path, text: str) -> str:
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return str(folder / "mine.toml")


def study(path: str, runner: Runner | None = None) -> Study:
    return run_experiment(load_experiment(path, Amounts()), runner=runner)


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_is_its_runs_side_by_side(name: str) -> None:
    measure = MEASURES[name]
    tally = measure.count(0, 12)
    parts = measure.split(tally)
    assert measure.join(parts) == tally and len(parts) == len(measure.parts())
    texts = {json.dumps(identity, sort_keys=True) for identity in measure.parts()}
    assert len(texts) == len(parts)
    for place, part in enumerate(parts):
        one = measure.only([place])
        assert one.parts() == [measure.parts()[place]]
        assert one.split(one.count(0, 12)) == [part]
    last = [len(parts) - 2, len(parts) - 1]
    assert measure.only(last).split(measure.only(last).count(0, 12)) == [parts[place] for place in last]
    assert pickle.loads(pickle.dumps(measure)).count(0, 12) == tally  # as another machine gets it


def test_variants_are_the_same_runs_alone_and_beside_those_of_other_families() -> None:
    beside, tally = mixed(), mixed().count(0, 50)
    found = beside.split(tally)
    for group, (first, last) in zip(beside.groups, ((0, 1), (1, 4)), strict=True):
        assert group.parts() == beside.parts()[first:last]
        assert group.split(group.count(0, 50)) == found[first:last]
    noddy, melds = found[0]["sums"][0], found[1]["sums"][0]
    less = {name: int(noddy[METRICS.index(name)] - melds[LAID_METRICS.index(name)]) for name in COMMON}
    won = int(noddy[METRICS.index("first_dealer")])
    less["first_dealer"] = WHOLE * won - int(melds[LAID_METRICS.index("first_dealer")])
    assert tally[ACROSS[0]][0].tolist() == list(less.values())


@pytest.mark.parametrize(("text", "option", "few", "more"), [(TIPS, "--games", 150, 200), (MIXED, "--games", 100, 130)])
def test_the_second_run_adds_nothing_and_more_add_the_difference(
    tmp_path: Path, text: str, option: str, few: int, more: int
) -> None:
    command = ["run", saved(tmp_path, text + "games = 5\n"), "--store", str(tmp_path / "s.db"), option]
    answers = []
    for number in (few, few, more):
        done = CliRunner().invoke(cli, [*command, str(number), "--json"])
        assert done.exit_code == 0, done.output
        answers.append(json.loads(done.stdout)["runs"])
    first, again, last = answers
    played = [run for run in first if run["id"]]
    assert len({run["id"] for run in played}) == len(played) == 3
    assert all(run["new"] == few and run["complete"] for run in played)
    assert again == [{**run, "new": 0} for run in first]
    assert [run["new"] for run in last if run["id"]] == [more - few] * len(played)
    listed = json.loads(CliRunner().invoke(cli, ["runs", "--store", command[3], "--json"]).stdout)["runs"]
    assert {one["id"]: one["done"] for one in listed} == {run["id"]: more for run in played}


def interrupting(after: int) -> Any:
    """An announcer whose listener presses Ctrl-C when so much has been done."""
    seen = []

    def advance(done: int) -> None:
        seen.append(done)
        if sum(seen[:-1]) < after <= sum(seen):
            raise KeyboardInterrupt

    return lambda title, amount: advance


@pytest.mark.parametrize("text", [TIPS, MIXED])
def test_interrupted_and_resumed_it_has_the_answer_of_an_unbroken_run(tmp_path: Path, text: str) -> None:
    path, store = saved(tmp_path, text + "games = 300\n"), str(tmp_path / "s.db")
    whole = study(path)
    with open_store(store) as opened, Runner(1, interrupting(100), opened, chunk=50) as runner:
        partial = study(path, runner)
    assert runner.interrupted
    if partial.comparison is not None:
        assert [row.variant.name for row in partial.comparison.rows] == ["noddy", "innocence", "innocence-flat"]
        assert all(100 <= row.games < 300 for row in partial.comparison.rows)
        words = "\n".join(comparison_words(partial.comparison))
        besides = words.partition("besides")[2].partition("In brackets")[0]
        assert not partial.comparison.rows[0].points
        assert "innocence-flat" in besides and "noddy" not in besides
    else:
        assert 100 <= partial.duels[-1].n < 300
    with open_store(store) as opened, Runner(2, store=opened) as runner:
        assert study(path, runner) == whole
        assert runner.new and all(0 < new <= 300 for new in runner.new.values())


def test_two_at_once_do_no_chunk_twice(tmp_path: Path) -> None:
    path = str(tmp_path / "s.db")
    open_store(path).close()
    both = threading.Barrier(2)
    found: list[Any] = []
    played: list[int] = []

    def one() -> None:
        with open_store(path) as store, Runner(1, store=store, chunk=20) as runner:
            both.wait()
            found.append(runner.run(mixed(), 400))
            played.append(runner.played)

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [batch.run(mixed(), 400)] * 2
    assert sum(played) == 400


def test_rules_for_stopping_hold_where_melds_are_laid(tmp_path: Path) -> None:
    arms = 'arms = [["most-points", "random"], ["first", "random"], ["random", "random"]]\n'
    text = f'question = "?"\nkind = "duel"\nvariants = ["innocence"]\n{arms}games = 5_200\n'
    path = saved(tmp_path, text + 'stop = { rule = "sequential", alpha = 0.05, beta = 0.1 }\n')
    store = str(tmp_path / "s.db")
    with open_store(store) as opened, Runner(store=opened) as runner:
        found = {duel.arm: duel for duel in study(path, runner).duels}
    assert (found["most-points"].verdict, found["most-points"].n) == ("helps", FIRST_LOOK)
    assert found["most-points"].effect is not None and found["most-points"].effect.method == sequences.METHOD
    assert (found["random"].verdict, found["random"].n) == ("no-difference", FIRST_LOOK)
    assert study(path).duels == tuple(found.values())
    plain = study(saved(tmp_path, text.replace("5_200", str(FIRST_LOOK)))).duels[0].effect
    seen = found["most-points"].effect
    assert plain is not None and plain.estimate == seen.estimate and plain.half_width and seen.half_width
    assert seen.half_width > 1.2 * plain.half_width
    path = saved(tmp_path, text + 'stop = { rule = "precision", half_width = 0.05 }\n')
    with open_store(store) as opened, Runner(store=opened) as runner:
        assert {duel.n for duel in study(path, runner).duels} == {FIRST_LOOK}
        assert not runner.new


def test_the_same_rules_under_two_names_are_one_run(tmp_path: Path) -> None:
    (tmp_path / "copy.toml").write_text('base = "innocence"\nname = "copy"\ntitle = "A copy"\n', encoding="utf-8")
    variants = ["innocence", str(tmp_path / "copy.toml"), "innocence-flat"]

    def found(runner: Runner) -> Comparison:
        return compare(variants, players=[2], games=80, seed=2, runner=runner)

    with open_store(str(tmp_path / "s.db")) as store, Runner(store=store) as runner:
        kept = found(runner)
        # Two variants, the copy beside its model, either beside the third, and how the games of all went.
        assert len(runner.new) == 5
    assert kept == found(Runner())
    assert kept.rows[0].id == kept.rows[1].id


def test_the_work_announced_is_the_work_done(tmp_path: Path) -> None:
    done: list[int] = []
    path = saved(tmp_path, MIXED.replace('"greedy"', '"greedy", "low"') + "games = 30\n")
    experiment = load_experiment(path, Amounts())
    run_experiment(experiment, runner=Runner(1, lambda title, amount: done.append))
    assert sum(done) == amount_of(experiment) == 30 * 7


def test_the_listener_hears_how_the_first_run_stands(tmp_path: Path) -> None:
    heard: list[str] = []
    with (
        open_store(str(tmp_path / "s.db")) as store,
        Runner(1, store=store, tell=lambda arm, _: heard.append(arm)) as runner,
    ):
        study(saved(tmp_path, TIPS + "games = 20\n"), runner)
        study(saved(tmp_path, MIXED + "games = 20\n"), runner)
    assert set(heard) == {"first", "wait-for-sums@most-points", "noddy, edge"}
