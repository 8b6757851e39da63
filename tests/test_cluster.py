"""The cluster engine, with threads of this process as workers: the same counts, and none of other versions."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from store_setup import Remainders, count
from test_store import duel_of

from noddysim.cli import cli
from noddysim.engine import batch, cluster
from noddysim.engine.runner import Runner, open_store
from noddysim.game.errors import Failure, InputError

distributed = pytest.importorskip("distributed", reason="the extra cluster is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        local = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
        with local, distributed.Client(local, set_as_default=False) as found:
            yield found


class Borrowed(cluster.Cluster):
    """The cluster of the fixture, which outlives the batch."""

    def _disconnect(self) -> None:
        pass


def test_the_same_counts_as_with_threads(client: Any, tmp_path: Path) -> None:
    engine = Borrowed(client=client)
    assert engine.slots == 2
    with open_store(str(tmp_path / "s.db")) as store, Runner(store=store, engine=engine, chunk=50) as runner:
        measure = duel_of("low", "greedy", "random", "lookahead", scales=((0, 2, 3),), shown=2)
        assert runner.run(measure, 400) == batch.run(measure, 400)
    found, _ = count(tmp_path / "t.db", Remainders(), 1_000, engine=Borrowed(client=client))
    assert found == Remainders().count(0, 1_000)


def test_workers_of_another_source_are_refused_before_anything_starts(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = cluster.provenance()
    answers = iter([{**real, "source": "0" * 16}])
    monkeypatch.setattr(cluster, "provenance", lambda: next(answers, real))
    with pytest.raises(InputError, match=r"worker .* runs something else than this client: hash of the source"):
        Borrowed(client=client)


def test_a_worker_that_comes_later_with_another_source_counts_nothing(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Borrowed(client=client)
    monkeypatch.setattr(engine, "submit", lambda measure, start, stop: engine.executor.submit(
        cluster.count_alike, {**cluster.provenance(), "noddysim": "9.9"}, measure, start, stop))  # fmt: skip
    with pytest.raises(Failure, match=r"a worker runs something else .* \(here 9\.9\).*the same command goes on"):
        count(tmp_path / "s.db", Remainders(), 1_000, engine=engine)


def test_a_scheduler_that_does_not_answer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with pytest.raises(InputError, match=r"--scheduler tcp://127\.0\.0\.1:9: no Dask scheduler answers"):
        cluster.Cluster("tcp://127.0.0.1:9")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--scheduler", "tcp://127.0.0.1:9"], "--scheduler goes with --engine dask"),
        (["--engine", "dask", "--scheduler", "x", "--workers", "2"], "--workers has no meaning with --scheduler"),
        (["--engine", "rays"], "'rays' is not one of 'threads', 'dask'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: list[str], words: str) -> None:
    result = CliRunner().invoke(cli, ["run", "any.toml", *options])
    assert result.exit_code == 2 and words in result.stderr
