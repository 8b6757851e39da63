"""Who counts what, where several processes use one store: nobody counts a chunk that another is counting.

A claim is a row in the store that names its owner, a process. Every owner holds a lock on a file of its own beside the
store for as long as it lives; the system lets go of the lock when the process ends, however it ends. So whether a claim
still holds is asked of the system, never of a clock.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from filelock import FileLock, Timeout

from noddysim.engine.ranges import Range, merged, missing, shared_out
from noddysim.engine.store import overlapping
from noddysim.game.errors import Failure

if TYPE_CHECKING:
    from noddysim.engine.store import Store


class Job(NamedTuple):
    """A chunk to count: a range, and the places of the runs that miss it."""

    within: Range
    parts: tuple[int, ...]


class Claims:
    """The claims of this process on one store; a context manager that gives them all up at the end."""

    def __init__(self, store: Store) -> None:
        """Take a lock on a new file beside the store, then become known as an owner."""
        self.store = store
        self.owner = secrets.token_hex(8)
        self.lock = self._lock(self.owner)
        self.lock.acquire(timeout=0)
        self.base = store.claiming()
        with store.transaction(self.base):
            self.base.execute("INSERT INTO owners VALUES (?)", (self.owner,))

    def _lock(self, owner: str) -> FileLock:
        return FileLock(f"{self.store.path}-{owner}.lock", thread_local=False)

    def __enter__(self) -> Claims:
        """The claims themselves."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give up every claim and the lock. Where nothing can be written any more, the lock's end alone does it."""
        try:
            with contextlib.suppress(Failure), self.store.transaction(self.base):
                self._forget(self.owner)
        finally:
            self.base.close()
            self.lock.release()
            self._remove(self.owner)

    def _forget(self, owner: str) -> None:
        self.base.execute("DELETE FROM claims WHERE owner=?", (owner,))
        self.base.execute("DELETE FROM owners WHERE token=?", (owner,))

    def _remove(self, owner: str) -> None:
        with contextlib.suppress(OSError):  # Windows keeps open files; what stays is empty and harms nobody
            Path(self.lock.lock_file).with_name(f"{self.store.path.name}-{owner}.lock").unlink(missing_ok=True)

    def take(self, runs: Sequence[int], within: Range) -> tuple[list[Job], bool]:
        """Claim what nobody has counted or claimed of a range, and say whether others hold some of it."""
        held = False
        with self.store.transaction(self.base):
            free: list[list[Range]] = []
            for run in runs:
                done = overlapping(self.base, "chunks", run, within)
                claimed = overlapping(self.base, "claims", run, within)
                held = held or bool(missing(within, done) and claimed)
                free.append(missing(within, [*done, *claimed]))
            jobs = [Job(piece, tuple(places)) for piece, places in shared_out([merged(one) for one in free])]
            self.base.executemany(
                "INSERT INTO claims VALUES (?, ?, ?, ?)",
                [(runs[place], *job.within, self.owner) for job in jobs for place in job.parts],
            )
        return jobs, held

    def reap(self) -> None:
        """Free the claims of processes that have ended."""
        owners = [row[0] for row in self.base.execute("SELECT token FROM owners WHERE token<>?", (self.owner,))]
        for owner in owners:
            lock = self._lock(owner)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                continue  # alive
            try:
                with self.store.transaction(self.base):
                    self._forget(owner)
            finally:
                lock.release()
                self._remove(owner)
