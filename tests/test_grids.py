"""Experiments that span a grid: everything with everything in one batch, and one tidy table of it."""

from __future__ import annotations

import itertools
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from noddysim.cli import cli
from noddysim.game.errors import InputError
from noddysim.game.experiment import read_experiment
from noddysim.game.strategies import builtin_tips
from noddysim.insight.frames import COLUMNS
from noddysim.insight.study import check_names, run_experiment


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(text: str) -> str:
    Path("grid.toml").write_text(f'question = "?"\n{text}', encoding="utf-8")
    return "grid.toml"


BALANCE = """kind = "balance"
variants = ["noddy", "noddy-no-jack"]
players = [2, 3]
targets = [15, 31]
strategies = ["greedy", "low"]
games = 20
"""


def test_variants_players_strategies_and_targets_are_one_grid_and_one_table() -> None:
    table = run_experiment(read_experiment(written(BALANCE))).table
    assert tuple(table.columns) == COLUMNS
    edges = table[table["metric"] == "edge"]
    cells = set(edges[["players", "target", "arm"]].itertuples(index=False, name=None))
    assert cells == set(itertools.product((2, 3), (15, 31), ("greedy", "low")))
    assert len(edges) == 2 * len(cells)
    assert not table.duplicated(["id", "metric"]).any()
    assert set(edges["variant"]) == {"noddy", "noddy+target=15", "noddy-no-jack", "noddy-no-jack+target=15"}


def test_the_command_writes_the_same_table() -> None:
    path = written(BALANCE)
    result = CliRunner().invoke(cli, ["run", path, "--table", "all.csv"])
    assert result.exit_code == 0, result.stderr
    table = run_experiment(read_experiment(path)).table
    pd.testing.assert_frame_equal(pd.read_csv("all.csv")[["id", "metric", "estimate", "n"]], table[["id", "metric",
                                  "estimate", "n"]], check_dtype=False)  # fmt: skip
    refused = CliRunner().invoke(cli, ["run", path, "--table", "no/all.csv"])
    assert refused.exit_code == 2 and "--table no/all.csv: give the name of a file" in refused.stderr


def test_duels_by_games_may_span_targets() -> None:
    text = 'kind = "duel"\nvariants = ["noddy"]\narms = [["greedy", "low"]]\ngames = 30\ntargets = [5, 31]\n'
    study = run_experiment(read_experiment(written(text)))
    assert [duel.setting.variant.rules.target for duel in study.duels] == [5, 31]
    assert study.duels[0].id != study.duels[1].id
    assert set(study.table["of"]) == {"games"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("targets = [15, 31]", "targets = [15, 15]"), "targets[2]: 15 is given twice"),
        (("targets = [15, 31]", "targets = [0]"), "0 is not a target"),
        (('"balance"', '"leads"'), "no meaning"),
    ],
)
def test_a_grid_that_cannot_be_is_refused(change: tuple[str, str], words: str) -> None:
    with pytest.raises(InputError) as error:
        check_names(read_experiment(written(BALANCE.replace(*change))))
    assert words in str(error.value)


def test_targets_do_not_go_with_deals() -> None:
    text = 'kind = "duel"\nvariants = ["noddy"]\narms = [["greedy", "low"]]\ntargets = [5]\n'
    with pytest.raises(InputError, match="whole deals know no target"):
        read_experiment(written(text))


def test_a_file_of_a_hundred_arms_is_one_batch() -> None:
    tips = [tip.name for tip in builtin_tips().values() if tip.decision in ("lead", "play", "follow")]
    pairs = [(f"{tip}@{base}", base) for base in ("greedy-random", "lookahead", "random", "low", "high", "save-five")
             for tip in tips][:100]  # fmt: skip
    assert len(pairs) == 100
    arms = ", ".join(f'["{arm}", "{base}"]' for arm, base in pairs)
    path = written(f'kind = "duel"\nvariants = ["noddy"]\nagainst = ["greedy"]\narms = [{arms}]\ndeals = 60\n')
    result = CliRunner().invoke(cli, ["run", path, "--table", "all.csv"])
    assert result.exit_code == 0, result.stderr
    table = pd.read_csv("all.csv")
    assert len(table[table["metric"] == "effect"]) == 100
    again = CliRunner().invoke(cli, ["run", path])
    assert "Nothing was left to do" in again.stdout
