"""The store: one SQLite file that keeps what was asked, what is done, and the counts, so that no work is lost.

A run is named by the hash of everything that changes its counts (``measures.content_id``). Its counts are kept in
chunks: ranges of deal numbers with whole-number counts, no two of which overlap. One chunk, of all the runs that were
counted over it, is one transaction; the file is in write-ahead mode with ``synchronous=FULL``, so after a kill or a
power cut it holds every chunk that was recorded and nothing of one that was not.

Several processes may use one file. Who will count what is settled by claims (``claims.py``).

Nothing in the file tells the time or names a machine: the same runs give the same contents.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from noddysim.engine.ranges import Range, merged
from noddysim.engine.tally import Tally
from noddysim.game.errors import Failure, InputError

APPLICATION: Final = 0x4E4F4444
"""SQLite's mark of whose file it is: "NODD"."""
SCHEMA: Final = 1
"""Version of the tables. A newer one is refused; an older one would be brought up to date here."""
PATIENCE: Final = 120
"""Seconds to wait for another process that is writing."""

TABLES: Final = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
CREATE TABLE asks (
  run INTEGER NOT NULL REFERENCES runs, experiment TEXT NOT NULL, arm TEXT NOT NULL, about TEXT NOT NULL,
  asked INTEGER NOT NULL, ended INTEGER, PRIMARY KEY (run, experiment, arm)
) WITHOUT ROWID;
CREATE TABLE provenance (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE chunks (
  number INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs, start INTEGER NOT NULL, stop INTEGER NOT NULL,
  provenance INTEGER NOT NULL REFERENCES provenance, counts BLOB NOT NULL, CHECK (start < stop)
);
CREATE UNIQUE INDEX chunk_places ON chunks (run, start, stop);
CREATE TABLE owners (token TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE claims (
  run INTEGER NOT NULL REFERENCES runs, start INTEGER NOT NULL, stop INTEGER NOT NULL,
  owner TEXT NOT NULL REFERENCES owners, PRIMARY KEY (run, start)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Ask:
    """What an experiment asked of a run: the words for its arm, and how many deals, duplicates or games."""

    id: str
    experiment: str
    arm: str
    about: Mapping[str, Any]
    asked: int
    ended: int | None
    """Where a stopping rule ended it; None: not yet, or there is no such rule."""
    done: int

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return self.done >= (self.asked if self.ended is None else self.ended)

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim runs --json``."""
        return {
            "id": self.id, "experiment": self.experiment, "arm": self.arm, **self.about, "done": self.done,
            "asked": self.asked, "ended": self.ended, "complete": self.complete,
        }  # fmt: skip


class Store:
    """An open store. Use it from one thread, and as a context manager: ``with Store(path) as store``."""

    def __init__(self, path: str | Path, behaviour: int, *, writing: bool = True) -> None:
        """Open the file, or make it if it is to be written.

        behaviour : the version of what the kernels count; a file that holds counts of another is not written to.
        Raises InputError for a file that is not there, no store, damaged, of a newer version, or read-only.
        """
        self.path = Path(path)
        self.behaviour = behaviour
        self.writing = writing
        _refuse_place(self.path, writing)
        try:
            # Looking comes first: what turns out to be no store of ours must stay as it is.
            fresh = not self.path.exists() or not self.path.stat().st_size
            if not fresh:
                self._refuse_cut_short()
                with closing(self._open(None)) as self.base:
                    self._check()
            self.base = self._open("FULL" if writing else None)
            if fresh:
                self._make()
        except sqlite3.Error as error:
            raise self._unreadable(error) from error

    # --- opening ---------------------------------------------------------------------------------------------------

    def _open(self, synchronous: str | None) -> sqlite3.Connection:
        place = self.path.absolute().as_uri()
        if synchronous is None:
            return self._open_to_read(place)
        base = sqlite3.connect(f"{place}?mode=rwc", uri=True, isolation_level=None, timeout=PATIENCE)
        base.execute("PRAGMA journal_mode=WAL")
        base.execute(f"PRAGMA synchronous={synchronous}")
        return base

    def _open_to_read(self, place: str) -> sqlite3.Connection:
        """A connection that changes nothing. One that might write takes away the files beside the store at its end."""
        for mode in ("rw", "ro"):
            with suppress(sqlite3.OperationalError):
                return self._looked_into(f"{place}?mode={mode}")
        # Reading needs a file beside the store that cannot be made in a folder nobody may write to.
        log = Path(f"{self.path}-wal")
        whole = not log.exists() or not log.stat().st_size
        return self._looked_into(f"{place}?mode=ro{'&immutable=1' if whole else ''}")

    def _looked_into(self, place: str) -> sqlite3.Connection:
        base = sqlite3.connect(place, uri=True, isolation_level=None, timeout=PATIENCE)
        try:
            base.execute("PRAGMA query_only=1")
            base.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            base.close()
            raise
        return base

    def _refuse_cut_short(self) -> None:
        """SQLite does not miss the end of a file; its beginning says how many pages there should be."""
        if Path(f"{self.path}-wal").exists():
            return  # in use, or to be put right by SQLite
        with self.path.open("rb") as file:
            head = file.read(32)
        size = int.from_bytes(head[16:18], "big")
        pages = int.from_bytes(head[28:32], "big")
        if head.startswith(b"SQLite format 3") and self.path.stat().st_size < pages * (65_536 if size == 1 else size):
            raise self._damaged("its end is missing")

    def _check(self) -> None:
        mark, version = (self._pragma(name) for name in ("application_id", "user_version"))
        if mark != APPLICATION:
            raise InputError(f"{self.path} is no store of noddysim; give --store another name")
        if version > SCHEMA:
            raise InputError(
                f"{self.path} was written by a newer noddysim (store version {version}, this one knows {SCHEMA}); "
                "use that one, or give --store another name"
            )
        found = self.base.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise self._damaged(found)
        held = int(self.base.execute("SELECT value FROM facts WHERE name='behaviour'").fetchone()[0])
        if self.writing and held != self.behaviour:
            raise InputError(
                f"{self.path} holds counts made by other rules of play (version of behaviour {held}, this noddysim has "
                f"{self.behaviour}), and the two cannot be added up; give --store another name"
            )

    def _pragma(self, name: str) -> int:
        return int(self.base.execute(f"PRAGMA {name}").fetchone()[0])

    def _make(self) -> None:
        with self.transaction():
            if self._pragma("user_version"):
                return  # another process has just made it
            for statement in filter(str.strip, TABLES.split(";")):
                self.base.execute(statement)
            self.base.execute("INSERT INTO facts VALUES ('behaviour', ?)", (str(self.behaviour),))
            self.base.execute(f"PRAGMA application_id={APPLICATION}")
            self.base.execute(f"PRAGMA user_version={SCHEMA}")

    def claiming(self) -> sqlite3.Connection:
        """A second connection for what need not outlive a power cut: it does not wait for the disk."""
        return self._open("NORMAL")

    def close(self) -> None:
        """Close the file; SQLite then puts everything into the one file."""
        self.base.close()

    def __enter__(self) -> Store:
        """The store itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    # --- errors ----------------------------------------------------------------------------------------------------

    def _damaged(self, what: object) -> InputError:
        words = " ".join(str(what).replace("***", "").split())
        return InputError(
            f"{self.path} is damaged ({words}); nothing was changed; put back a copy, or give --store another name"
        )

    def _unreadable(self, error: sqlite3.Error) -> Exception:
        text = str(error)
        if isinstance(error, sqlite3.OperationalError) and "malformed" not in text:
            return InputError(f"{self.path} cannot be {'written' if self.writing else 'read'}: {text}")
        if "not a database" in text:
            return InputError(
                f"{self.path} is no store of noddysim, or its beginning is lost; give --store another name"
            )
        return self._damaged(text)

    @contextmanager
    def transaction(self, base: sqlite3.Connection | None = None) -> Iterator[None]:
        """All or nothing; raises Failure if the file cannot be written."""
        base = base or self.base
        try:
            base.execute("BEGIN IMMEDIATE")
            try:
                yield
                base.execute("COMMIT")
            except BaseException:
                if base.in_transaction:
                    base.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise Failure(
                f"{self.path} cannot be written ({error}); what was recorded before is kept: when the cause is gone "
                "(is the disk full?), give the same command again"
            ) from error

    # --- writing ---------------------------------------------------------------------------------------------------

    def register(self, runs: Sequence[tuple[str, str]]) -> list[int]:
        """Numbers in this file of runs given as (id, hashed text); InputError if an id has another text there."""
        with self.transaction():
            self.base.executemany("INSERT OR IGNORE INTO runs (id, text) VALUES (?, ?)", runs)
            numbers = []
            for name, text in runs:
                number, held = self.base.execute("SELECT number, text FROM runs WHERE id=?", (name,)).fetchone()
                if held != text:
                    raise InputError(f"{self.path}: run {name} belongs to other rules there; give --store another name")
                numbers.append(int(number))
        return numbers

    def ask(self, asks: Iterable[Ask]) -> None:
        """Keep what an experiment asks of runs that are registered; asking again takes the place of the old answer."""
        with self.transaction():
            self.base.executemany(
                "INSERT INTO asks SELECT number, ?, ?, ?, ?, ? FROM runs WHERE id=? ON CONFLICT DO UPDATE SET "
                "asked=excluded.asked, about=excluded.about, ended=excluded.ended",
                [
                    (one.experiment, one.arm, json.dumps(one.about, sort_keys=True), one.asked, one.ended, one.id)
                    for one in asks
                ],
            )  # fmt: skip

    def provenance_number(self, facts: Mapping[str, str]) -> int:
        """Number of a provenance: what made counts (versions, hashes)."""
        text = json.dumps(facts, sort_keys=True)
        with self.transaction():
            self.base.execute("INSERT OR IGNORE INTO provenance (text) VALUES (?)", (text,))
            return int(self.base.execute("SELECT number FROM provenance WHERE text=?", (text,)).fetchone()[0])

    def record(self, runs: Sequence[int], within: Range, tallies: Sequence[Tally], provenance: int, owner: str) -> int:
        """Keep one chunk of some runs in one transaction, and give up the claims on it. Returns how many were new.

        A chunk that is there already is held against the new counts: a Failure if they differ.
        """
        start, stop = within
        new = 0
        with self.transaction():
            for run, tally in zip(runs, tallies, strict=True):
                held = overlapping(self.base, "chunks", run, within)
                if not held:
                    row = run, start, stop, provenance, packed(tally)
                    self.base.execute("INSERT INTO chunks (run,start,stop,provenance,counts) VALUES (?,?,?,?,?)", row)
                    new += 1
                elif held == [within] and self._chunk(run, within) != tally:
                    raise Failure(
                        f"{self.path}: numbers {start} to {stop - 1} of run {self._name(run)} were counted twice, and "
                        "the counts differ; check this machine's memory and the workers' versions"
                    )
            self.base.executemany(
                "DELETE FROM claims WHERE owner=? AND run=? AND start>=? AND stop<=?",
                [(owner, run, start, stop) for run in runs],
            )  # fmt: skip
        return new

    # --- reading ---------------------------------------------------------------------------------------------------

    def _chunk(self, run: int, within: Range) -> Tally:
        row = self.base.execute(
            "SELECT counts FROM chunks WHERE run=? AND start=? AND stop=?", (run, *within)
        ).fetchone()
        return unpacked(row[0])

    def _name(self, run: int) -> str:
        return str(self.base.execute("SELECT id FROM runs WHERE number=?", (run,)).fetchone()[0])

    def done(self, run: int) -> list[Range]:
        """The deal numbers that have been counted, in as few ranges as there can be."""
        with self._reading():
            return merged(self.base.execute("SELECT start, stop FROM chunks WHERE run=?", (run,)))

    def total(self, run: int, within: Range | None = None) -> tuple[Tally, list[Range]]:
        """Sum of the chunks that lie wholly in a range (None: of all), and the ranges they cover."""
        start, stop = within or (0, 2**63 - 1)
        total, covered = Tally(), []
        query = "SELECT start, stop, counts FROM chunks WHERE run=? AND start>=? AND start<? AND stop<=? ORDER BY start"
        with self._reading(), closing(self.base.execute(query, (run, start, stop, stop))) as rows:
            for first, end, counts in rows:
                total = total + unpacked(counts)
                covered.append((first, end))
        return total, merged(covered)

    def asks(self) -> list[Ask]:
        """Everything that was asked, by experiment in the order of the first asking."""
        query = (
            "SELECT runs.number, id, experiment, arm, about, asked, ended FROM asks JOIN runs ON run=number "
            "ORDER BY experiment, number, arm"
        )
        with self._reading():
            rows = self.base.execute(query).fetchall()
            sizes = dict(self.base.execute("SELECT run, sum(stop - start) FROM chunks GROUP BY run"))
        return [
            Ask(name, experiment, arm, json.loads(about), asked, ended, sizes.get(number, 0))
            for number, name, experiment, arm, about, asked, ended in rows
        ]

    def find(self, name: str) -> tuple[int, str, str]:
        """Number, id and hashed text of the run whose id begins so. Raises InputError if there is not exactly one."""
        with self._reading():
            rows = self.base.execute("SELECT number, id, text FROM runs").fetchall()
        found = [row for row in rows if row[1].startswith(name)] if name else []
        if len(found) != 1:
            many = (
                f"{len(found)} runs begin with {name}; give more of the id" if found else f"no run is called {name!r}"
            )
            raise InputError(f"{self.path}: {many}; `noddysim runs` lists them")
        number, whole, text = found[0]
        return int(number), str(whole), str(text)

    def provenances(self, run: int) -> list[tuple[dict[str, str], int]]:
        """What made the counts of a run, and how many deals, duplicates or games each made."""
        query = (
            "SELECT text, sum(stop - start) FROM chunks JOIN provenance ON provenance=provenance.number "
            "WHERE run=? GROUP BY provenance.number ORDER BY provenance.number"
        )
        with self._reading():
            return [(json.loads(text), int(number)) for text, number in self.base.execute(query, (run,))]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, zlib.error) as error:
            raise self._damaged(error) from error


def _refuse_place(path: Path, writing: bool) -> None:
    """Raise InputError for a path that can hold no store. A file marked read-only is not written, not even by root."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; give --store the name of a file")
    if not path.exists():
        if not writing:
            raise InputError(f"{path}: there is no such store; `noddysim run` makes one")
        if not path.absolute().parent.is_dir():
            raise InputError(f"{path}: the folder {path.parent} does not exist; make it, or give --store another name")
    elif writing and not path.stat().st_mode & 0o222:
        raise InputError(f"{path} is read-only; allow writing, or give --store another name")


def overlapping(base: sqlite3.Connection, table: str, run: int, within: Range) -> list[Range]:
    """Ranges of a run in ``chunks`` or ``claims`` that share numbers with a range.

    None of the table overlap, so going down from the range's end the first that ends before it is the last to look at.
    """
    start, stop = within
    found = []
    query = f"SELECT start, stop FROM {table} WHERE run=? AND start<? ORDER BY start DESC"
    with closing(base.execute(query, (run, stop))) as rows:
        for first, end in rows:
            if end <= start:
                break
            found.append((first, end))
    return found


def packed(tally: Tally) -> bytes:
    """A tally as bytes: names and shapes in a line of JSON, the counts as 64-bit numbers, all of it compressed."""
    shapes = {name: array.shape for name, array in tally.counts.items()}
    arrays = [np.ascontiguousarray(array, "<i8").tobytes() for array in tally.counts.values()]
    return zlib.compress(b"".join([json.dumps(shapes).encode(), b"\n", *arrays]), 1)


def unpacked(raw: bytes) -> Tally:
    """The tally of ``packed``; the compression's own checksum finds damage."""
    head, _, body = zlib.decompress(raw).partition(b"\n")
    counts, place = {}, 0
    for name, shape in json.loads(head).items():
        end = place + 8 * int(np.prod(shape, dtype=np.int64))
        counts[name] = np.frombuffer(body[place:end], "<i8").astype(np.int64).reshape(shape)
        place = end
    return Tally(counts)
