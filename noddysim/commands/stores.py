"""What ``run`` and ``runs`` share: the option that names the store, and the runner that uses it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from noddysim.engine.runner import Announce, Runner

STORE: Final = "noddysim.db"


def store_option(function: Any) -> Any:
    """``--store``, a file; ``noddysim.db`` in the current folder if left out."""
    words = "The file that keeps the counts."
    return click.option("--store", default=STORE, show_default=True, metavar="FILE", help=words)(function)


def chunk_option(function: Any) -> Any:
    """``--chunk``; the counts are the same for any."""
    words = "How many are played between two savings of the work; the counts are the same for any."
    return click.option("--chunk", type=click.IntRange(1, 10**9), metavar="N", help=words)(function)


@contextmanager
def stored_runner(store: str, workers: int | None, announce: Announce, chunk: int | None) -> Iterator[Runner]:
    """A runner that keeps its counts in a store."""
    from noddysim.engine.runner import Runner, open_store

    with open_store(store) as opened, Runner(workers, announce, opened, chunk=chunk) as runner:
        yield runner


def store_words(runner: Runner) -> str:
    """What a batch has done to its store, in one line."""
    assert runner.store is not None
    path = runner.store.path
    if runner.interrupted:
        return f"Partial: interrupted before all was played. What was finished is in {path}; the same command goes on."
    if not runner.played:
        return f"Nothing was left to do: {path} held all of it."
    return f"{runner.played:,} deals, duplicates or games were played and are kept in {path}."
