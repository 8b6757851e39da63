"""Chunks counted by a Dask cluster: one on this machine for trying, or one that runs already.

The client alone writes to the store; workers only count. A chunk is a pure function of its numbers, so it does no harm
when the scheduler gives it to another worker because the first has died, or to two. Counts are only taken from workers
that run the very source the client runs: this is asked of every worker at the beginning, and again with every chunk,
since workers may come and go.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from typing import Any, Final

from noddysim.engine import batch
from noddysim.engine.provenance import provenance
from noddysim.engine.tally import Tally
from noddysim.game.errors import Failure, InputError

ALIKE: Final = ("noddysim", "source", "kernels")
"""What must be the same on client and worker. The hash of the kernels holds the versions of numba and numpy too."""

PATIENCE: Final = 30
"""Seconds to wait for a scheduler to answer, and for its first worker."""


LENT: Final = 16
"""Measures that the cluster holds at a time."""


class Mismatch(RuntimeError):
    """A worker that runs another version than the client; raised on the worker."""


def count_alike(expected: dict[str, str], measure: batch.Measure, start: int, stop: int) -> Tally:
    """Count a chunk on a worker; raises Mismatch if what it runs is not what is expected."""
    here = provenance()
    other = [f"{name} {here[name]} (here {expected[name]})" for name in ALIKE if here[name] != expected[name]]
    if other:
        raise Mismatch(", ".join(other))
    return measure.count(start, stop)


def _same(measure: batch.Measure) -> batch.Measure:
    """The measure itself, to be held by a worker."""
    return measure


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes that are started here never hear of Ctrl-C: a terminal sends it to all, and the client tells them."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what becomes of a signal
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Cluster:
    """The workers of a Dask cluster."""

    coarse = 8

    def __init__(self, scheduler: str | None = None, workers: int | None = None, *, client: Any = None) -> None:
        """Connect, and ask every worker what it runs.

        scheduler : address of a cluster that runs, such as ``tcp://127.0.0.1:8786``; without one a cluster of
        ``workers`` processes is started on this machine, which listens to this machine only. client : a client that is
        connected already, for programs that have one. Raises InputError if nothing answers or the versions differ.
        """
        self.cluster: Any = None
        self.client = client
        self.lent: deque[tuple[batch.Measure, Any]] = deque(maxlen=LENT)
        try:
            if client is None:
                self._connect(scheduler, workers)
            self._refuse_others()
            self.slots = sum(self.client.nthreads().values())
            self.executor = self.client.get_executor(pure=False, retries=3)
        except BaseException:
            self._disconnect()
            raise

    def _connect(self, scheduler: str | None, workers: int | None) -> None:
        try:
            from distributed import Client, LocalCluster
        except ImportError as error:
            raise InputError(
                "--engine dask needs the library distributed: pip install 'noddysim[cluster]', here and on every worker"
            ) from error
        if scheduler is None:
            with _uninterrupted():
                self.cluster = LocalCluster(
                    n_workers=workers or batch.default_workers(), threads_per_worker=1, processes=True,
                    host="127.0.0.1", dashboard_address=None, silence_logs=logging.CRITICAL,
                )  # fmt: skip
        else:
            # What becomes of workers is for the scheduler to log; here it would break into the progress lines.
            logging.getLogger("distributed").setLevel(logging.CRITICAL)
        try:
            self.client = Client(self.cluster or scheduler, timeout=PATIENCE, set_as_default=False)
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, TimeoutError, ValueError) as error:
            what = "no worker has come" if self.client is not None else f"no Dask scheduler answers ({error})"
            raise InputError(f"--scheduler {scheduler}: {what}; start one, or leave --scheduler out") from error

    def _refuse_others(self) -> None:
        """Raise InputError for a worker that runs something else."""
        mine = provenance()
        try:
            found = self.client.run(provenance)
        except ImportError as error:
            raise InputError(
                f"the workers cannot load noddysim ({error}); install noddysim {mine['noddysim']} on every worker"
            ) from error
        for worker, facts in sorted(found.items()):
            for name in ALIKE:
                if facts[name] != mine[name]:
                    what = name if name == "noddysim" else f"hash of the {name}"
                    raise InputError(
                        f"worker {worker} runs something else than this client: {what} {facts[name]}, "
                        f"here {mine[name]}; install the same noddysim, numba and numpy on both"
                    )

    def submit(self, measure: batch.Measure, start: int, stop: int) -> Future[Tally]:
        """Have a chunk counted."""
        found: Future[Tally] = self.executor.submit(count_alike, provenance(), self._lent(measure), start, stop)
        return found

    def _lent(self, measure: batch.Measure) -> Any:
        """A measure as the cluster holds it, so that its tables do not travel with every chunk.

        It is the result of a task, which the scheduler can have done again if every worker that holds it dies.
        """
        for known, lent in self.lent:
            if known is measure:
                return lent
        self.lent.append((measure, self.client.submit(_same, measure, pure=False)))
        return self.lent[-1][1]

    def told(self, error: BaseException) -> BaseException:
        """An error of a chunk, in words if it is one of the cluster's own."""
        kept = "what was recorded before is kept: the same command goes on"
        if isinstance(error, Mismatch):
            return Failure(f"a worker runs something else than this client: {error}; {kept}")
        if isinstance(error, CancelledError):
            return Failure(f"the cluster has dropped the work; {kept}")
        if type(error).__name__ in ("KilledWorker", "CommClosedError"):
            return Failure(f"the workers died again and again, or cannot be reached ({error}); {kept}")
        return error

    def close(self) -> None:
        """Let the cluster go; one that was running before goes on running."""
        self.executor.shutdown(wait=False)
        self._disconnect()

    def _disconnect(self) -> None:
        if self.client is not None:
            self.client.close()
        if self.cluster is not None:
            self.cluster.close()
