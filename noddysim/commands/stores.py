"""What ``run`` and ``runs`` share: the option that names the store, and the runner that uses it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from noddysim.game.errors import InputError

if TYPE_CHECKING:
    from noddysim.commands.progress import Listener
    from noddysim.engine.runner import Engine, Runner
    from noddysim.insight.study import Study

STORE: Final = "noddysim.db"


def store_option(function: Any) -> Any:
    """``--store``, a file; ``noddysim.db`` in the current folder if left out."""
    words = "The file that keeps the counts."
    return click.option("--store", default=STORE, show_default=True, metavar="FILE", help=words)(function)


def chunk_option(function: Any) -> Any:
    """``--chunk``; the counts are the same for any."""
    words = "How many are played between two savings of the work; the counts are the same for any."
    return click.option("--chunk", type=click.IntRange(1, 10**9), metavar="N", help=words)(function)


def engine_options(function: Any) -> Any:
    """``--engine`` and ``--scheduler``."""
    words = "Who counts: threads, or the workers of a Dask cluster (one of --workers on this machine if no scheduler)."
    address = "Address of the scheduler of a Dask cluster that runs, such as tcp://127.0.0.1:8786."
    function = click.option("--scheduler", metavar="ADDRESS", help=address)(function)
    return click.option("--engine", type=click.Choice(["threads", "dask"]), default="threads", help=words)(function)


def progress_options(function: Any) -> Any:
    """``--quiet`` and ``--log-json``."""
    words = "Keep a line of JSON for each step of the work in this file."
    function = click.option("--log-json", "log", metavar="FILE", help=words)(function)
    return click.option("--quiet", "-q", is_flag=True, help="Show no progress, not even on a terminal.")(function)


def table_option(function: Any) -> Any:
    """``--table``."""
    words = "Write all estimates into this CSV file as well, one a row."
    return click.option("--table", metavar="FILE", help=words)(function)


def check_table(path: str | None) -> None:
    """Raise InputError, before anything is played, for a table that could not be written."""
    if path is not None and (Path(path).is_dir() or not Path(path).absolute().parent.is_dir()):
        raise InputError(f"--table {path}: give the name of a file in a folder that exists")


def write_table(studies: Sequence[Study], path: str) -> None:
    """Write the answers as one CSV file. Raises InputError if that cannot be done."""
    from noddysim.insight.export import put
    from noddysim.insight.frames import studies_frame

    text = studies_frame(studies).to_csv(index=False, lineterminator="\n")
    put(Path(path), lambda aside: aside.write_text(text, encoding="utf-8", newline="\n"))


@dataclass(frozen=True)
class Means:
    """How a batch is to be run."""

    store: str
    workers: int | None
    chunk: int | None
    engine: str
    scheduler: str | None

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        if self.scheduler is not None and self.engine != "dask":
            raise click.UsageError("--scheduler goes with --engine dask")
        if self.scheduler is not None and self.workers is not None:
            raise click.UsageError("--workers has no meaning with --scheduler: the cluster has the workers it has")


@contextmanager
def stored_runner(means: Means, listener: Listener) -> Iterator[Runner]:
    """A runner that keeps its counts in a store."""
    from noddysim.engine.runner import Runner, open_store

    with open_store(means.store) as opened:
        runner = Runner(means.workers, listener.announce, opened, _engine(means), means.chunk, listener.tell)
        with runner:
            yield runner


def _engine(means: Means) -> Engine | None:
    if means.engine == "threads":
        return None
    from noddysim.engine.cluster import Cluster

    return Cluster(means.scheduler, means.workers)


def store_words(runner: Runner) -> str:
    """What a batch has done to its store, in one line."""
    assert runner.store is not None
    path = runner.store.path
    if runner.interrupted:
        return f"Partial: interrupted before all was played. What was finished is in {path}; the same command goes on."
    if not runner.played:
        return f"Nothing was left to do: {path} held all of it."
    return f"{runner.played:,} deals, duplicates or games were played and are kept in {path}."
