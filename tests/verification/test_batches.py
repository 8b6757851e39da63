"""Batches that are really killed, starved, doubled and spread over processes: the counts are those of an unbroken one.

Everything here starts ``noddysim run`` from the shell, as a user does.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from run_setup import EXPERIMENT, SLOW, chunks, experiment, exported, finish, start, wait_for_chunks

LONG = SLOW.replace("600_000", "900_000")
KILLS = 20


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The exported counts of a run that nothing disturbs."""
    folder = tmp_path_factory.mktemp("unbroken")
    experiment(folder, LONG)
    finish(folder)
    return exported(folder)


def test_killed_twenty_times_at_random_moments_it_has_the_counts_of_an_unbroken_run(
    tmp_path: Path, unbroken: dict[str, bytes]
) -> None:
    experiment(tmp_path, LONG)
    store, chance = tmp_path / "noddysim.db", random.Random(1)
    killed = 0
    for _ in range(KILLS):
        process = start(tmp_path)
        wait_for_chunks(process, store, chunks(store) + chance.randrange(6))
        time.sleep(chance.random() / 10)
        killed += process.poll() is None
        process.kill()
        process.communicate()
    assert killed == KILLS
    kept = chunks(store)
    finish(tmp_path)
    assert 0 < kept < chunks(store)
    assert exported(tmp_path) == unbroken
    assert not list(tmp_path.glob("*.lock"))


def test_two_runs_at_once_do_every_chunk_once(tmp_path: Path, unbroken: dict[str, bytes]) -> None:
    experiment(tmp_path, LONG)
    processes = [start(tmp_path, "--workers", "1") for _ in range(2)]
    outputs = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    played = [re.search(r"^([\d,]+) deals, duplicates or games were played", out, re.M) for out, _ in outputs]
    assert sum(int(found.group(1).replace(",", "")) for found in played if found) == 900_000
    tables = [out.splitlines()[:-1] for out, _ in outputs]
    assert tables[0] == tables[1]
    assert exported(tmp_path) == unbroken


def test_one_of_two_runs_killed_leaves_its_chunks_to_the_other(tmp_path: Path, unbroken: dict[str, bytes]) -> None:
    experiment(tmp_path, LONG)
    first, second = (start(tmp_path, "--workers", "1") for _ in range(2))
    wait_for_chunks(first, tmp_path / "noddysim.db", 20)
    first.kill()
    _, err = second.communicate()
    assert second.returncode == 0, err
    first.communicate()
    assert exported(tmp_path) == unbroken


def test_a_disk_that_fills_up_ends_in_one_line_and_the_same_command_goes_on(
    tmp_path: Path, unbroken: dict[str, bytes]
) -> None:
    resource = pytest.importorskip("resource")
    experiment(tmp_path, LONG)
    limit = 150_000
    command = [
        sys.executable, "-c",
        f"import resource as r; r.setrlimit(r.RLIMIT_FSIZE, ({limit}, {limit}));"
        "from noddysim.cli import main; raise SystemExit(main(['run', 'greed.toml', '--chunk', '2000', '--json']))",
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path[1:]])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, text=True, capture_output=True)
    assert resource.RLIMIT_FSIZE is not None
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    assert re.fullmatch(
        r"noddysim: failed: noddysim\.db cannot be written \(.*\); what was recorded before is kept: .*\n", done.stderr
    )
    before = chunks(tmp_path / "noddysim.db")
    assert 0 < before < 400
    finish(tmp_path)
    assert exported(tmp_path) == unbroken


def test_memory_does_not_grow_with_the_number_of_deals(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    leads = EXPERIMENT.replace('"duel"', '"leads"').replace("120_000", "10_000_000")
    leads = re.sub(r"arms = .*", 'strategies = ["greedy"]', leads)
    experiment(tmp_path, leads)
    finish(tmp_path, "--deals", "100000", "--store", "small.db")
    small = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    finish(tmp_path, "--chunk", "50000")
    grown = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - small
    assert grown * (1 if sys.platform == "darwin" else 1_024) < 20_000_000


# --- a cluster ------------------------------------------------------------------------------------------------------

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="the extra cluster is not installed"
)


@needs_dask
def test_a_local_cluster_exports_the_same_bytes_as_threads(tmp_path: Path, unbroken: dict[str, bytes]) -> None:
    experiment(tmp_path, LONG)
    finish(tmp_path, "--engine", "dask", "--workers", "2")
    assert exported(tmp_path) == unbroken


@contextlib.contextmanager
def shell_cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """A scheduler and two workers, each a process of its own, as docs/cluster.md starts them."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path[1:]])}

    def launch(*words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]], cwd=folder, env=environment, text=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    file = folder / "scheduler.json"
    processes = [
        launch("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    ]
    try:
        while not file.exists() or not file.read_text(encoding="utf-8").strip().endswith("}"):
            assert processes[0].poll() is None
            time.sleep(0.05)
        address = str(json.loads(file.read_text(encoding="utf-8"))["address"])
        for _ in range(2):
            processes.append(
                launch("dask_worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard")
            )
        yield address, processes[1:]
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@needs_dask
def test_a_worker_killed_in_the_midst_changes_nothing(tmp_path: Path, unbroken: dict[str, bytes]) -> None:
    from distributed import Client

    experiment(tmp_path, LONG)
    with shell_cluster(tmp_path) as (address, workers):
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=120)
        process = start(tmp_path, "--engine", "dask", "--scheduler", address)
        wait_for_chunks(process, tmp_path / "noddysim.db", 20)
        assert process.poll() is None
        workers[0].kill()
        _, err = process.communicate()
        assert process.returncode == 0, err
        assert workers[0].wait() == -signal.SIGKILL and workers[1].poll() is None
    assert exported(tmp_path) == unbroken
