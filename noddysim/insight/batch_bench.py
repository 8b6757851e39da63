"""What keeping and sharing out a batch costs on this machine: store, second worker, cluster.

The store's cost is CPU time of the thread that looks after it, beside that of the workers in the same run: while it
waits for the disk the workers go on. The others are wall time. On a busy machine single figures jump, so each is the
median of several rounds; one worker and two are measured in pairs, one right after the other.
"""

from __future__ import annotations

import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noddysim.engine import batch
from noddysim.engine.games import peg_game
from noddysim.engine.measures import DuelCount, duel_chunk
from noddysim.engine.runner import Engine, Runner, open_store
from noddysim.engine.tally import Tally
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.insight.estimates import Estimate
from noddysim.insight.pegging_duels import Reading

PAIRS = 7
TINY_CHUNKS = 200


@dataclass(frozen=True)
class Cost:
    """One figure: its median over the pairs, the least and the most."""

    what: str
    unit: str
    median: float
    least: float
    most: float

    def to_json(self) -> dict[str, Any]:
        """The keys of a row of ``batches`` in ``noddysim bench --json``."""
        return dict(vars(self))


def batch_costs(size: int, pairs: int = PAIRS, cluster: bool = True) -> list[Cost]:
    """Measure everything on batches of about ``size`` duplicates; a cluster only if asked for and its library is there.

    ``size`` should be that of several chunks, or there is nothing to share out; each is measured ``pairs`` times.
    """
    measure = cheap_duel()
    chunk = batch.ready_for(measure, size).chunk
    amount = max(2, size // chunk) * chunk
    batch.run(measure, 64)
    # Two workers take turns badly at the end of a short batch: theirs is a longer one.
    found = [_store(measure, amount, pairs), _second_worker(measure, 4 * amount, pairs)]
    if cluster and importlib.util.find_spec("distributed") is not None:
        found += _cluster(measure)
    return found


def cheap_duel() -> DuelCount:
    """The cheapest duplicates that are played card by card, one arm, in chunks as ``run`` makes them."""
    greedy, low = parse_strategy("greedy-random"), parse_strategy("low")
    return DuelCount(peg_game(load_variant("noddy"), 2), (greedy,), low, low, 1, chunk=duel_chunk(1, False))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _cost(what: str, unit: str, figures: list[float]) -> Cost:
    return Cost(what, unit, statistics.median(figures), min(figures), max(figures))


def _pairs(number: int, one: Callable[[], object], other: Callable[[], object]) -> Iterator[tuple[float, float]]:
    """Times of two pieces of work, one after the other, the first of them in turn."""
    for turn in range(number):
        if turn % 2:
            second = _seconds(other)
            yield _seconds(one), second
        else:
            first = _seconds(one)
            yield first, _seconds(other)


def _store(measure: DuelCount, amount: int, pairs: int) -> Cost:
    """What store, progress and estimates add to the CPU time of the workers."""
    workers = batch.default_workers()
    told: list[Any] = []

    def watch(tally: Tally) -> tuple[str, Estimate]:
        """An estimate, as ``run`` makes one after every chunk for the progress line."""
        return measure.arms[0].name, Reading(measure, tally).effect(0)

    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(str(Path(folder) / "bench.db")) as store,
        Runner(workers, lambda title, total: told.append, store, tell=lambda *what: told.append(what)) as runner,
    ):
        figures = []
        for start in range(0, (pairs + 1) * amount, amount):
            whole, own = time.process_time(), time.thread_time()
            runner.parts(measure, start + amount, start=start, watch=watch)
            whole, own = time.process_time() - whole, time.thread_time() - own
            figures.append(100 * own / (whole - own))
        figures = figures[1:]  # the first loads what is used
    chunk = batch.chunk_for(batch.ready_for(measure, amount).chunk, amount, workers)
    return _cost(f"store and progress, chunks of {chunk:,} duplicates", "% of the workers' CPU time", figures)


def _second_worker(measure: DuelCount, amount: int, pairs: int) -> Cost:
    """How much faster two workers are than one."""

    def by(workers: int) -> Callable[[], object]:
        return lambda: batch.run(measure, amount, workers=workers)

    figures = [one / two for one, two in _pairs(pairs, by(1), by(2))]
    return _cost("two workers against one", "times", figures)


@dataclass(frozen=True)
class Nothing:
    """A measure that takes no time, as large as a real one on its way to a worker."""

    ballast: Any
    chunk: int = 1

    def count(self, start: int, stop: int) -> Tally:
        """As many as were asked for."""
        return Tally({"n": np.array([stop - start])})


def _cluster(measure: DuelCount, rounds: int = 3) -> list[Cost]:
    """What a Dask cluster of two processes on this machine adds to a chunk, and to a chunk as ``run`` makes them."""
    from noddysim.engine.cluster import Cluster

    engine = Cluster(workers=2)
    try:
        nothing = Nothing(measure)
        _through(engine, nothing, 20)
        spent = [_seconds(lambda: _through(engine, nothing, TINY_CHUNKS)) for _ in range(rounds)]
    finally:
        engine.close()
    overheads = [1_000 * seconds / TINY_CHUNKS for seconds in spent]
    size = measure.chunk * Cluster.coarse
    chunk = 1_000 * statistics.median(_seconds(lambda: measure.count(0, size)) for _ in range(rounds))
    # Two workers count two chunks at a time, and the one client looks after both.
    shares = [100 * 2 * overhead / chunk for overhead in overheads]
    return [
        _cost("Dask on this machine, a chunk", "milliseconds", overheads),
        _cost(f"Dask on this machine, chunks of {size:,} duplicates", "% of a run", shares),
    ]


def _through(engine: Engine, measure: Nothing, chunks: int) -> None:
    """Send so many chunks through a cluster, a few at a time, as a runner does."""
    flight: list[Future[Tally]] = []
    for number in range(chunks):
        if len(flight) >= 2 * engine.slots:
            flight.pop(0).result()
        flight.append(engine.submit(measure, number, number + 1))
    for future in flight:
        future.result()
