"""How a batch is run: by which workers, kept in which store, told to whom. One argument for everything that measures.

Without a store a measure is simply counted. With one, only what the store does not hold yet is counted, chunk by chunk,
and each chunk is kept before the next result is waited for. The answer covers exactly the numbers that are asked for
either way, so it is the same bits with a store and without, whatever the store held before.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, runtime_checkable

from noddysim.engine import batch
from noddysim.engine.games import BEHAVIOUR
from noddysim.engine.measures import content_id
from noddysim.engine.provenance import provenance
from noddysim.engine.ranges import Range, cells, merged, missing, size
from noddysim.engine.store import Ask, Store
from noddysim.engine.tally import Tally
from noddysim.game.errors import InputError

if TYPE_CHECKING:
    from noddysim.engine.claims import Claims, Job

Announce: TypeAlias = Callable[[str, int], batch.Progress]
"""Called with a title and an amount of work before each part; returns where to report progress."""

Progress: TypeAlias = batch.Progress
Tell: TypeAlias = Callable[[str, Any], None]
"""Called with the name of an arm and its current estimate, as far as it has been played."""
Watch: TypeAlias = Callable[[Tally], tuple[str, Any] | None]
"""Makes the name and the current estimate of the first run of a measure out of its tally."""

LONGEST_WAIT: Final = 0.5
"""Seconds after which a wait for a chunk is broken off to see whether the user wants to stop."""
PAUSE: Final = 0.05
"""Seconds between two looks at what another process is doing, where nothing else is left."""


def silent(title: str, amount: int) -> batch.Progress:
    """Report progress to nobody."""
    return lambda done: None


class Unplayed(Exception):
    """A measure of which nothing has been counted, since the batch was interrupted before."""


@runtime_checkable
class Parted(Protocol):
    """A measure of several runs that are counted side by side."""

    @property
    def chunk(self) -> int:
        """Numbers in a chunk by default."""
        ...

    def count(self, start: int, stop: int) -> Tally:
        """Counts of all runs over the numbers ``start … stop - 1``."""
        ...

    def parts(self) -> list[dict[str, Any]]:
        """The identities of its runs."""
        ...

    def only(self, parts: Sequence[int]) -> Parted:
        """The measure of some of its runs."""
        ...

    def split(self, tally: Tally) -> list[Tally]:
        """The tallies of its runs."""
        ...

    def join(self, tallies: Sequence[Tally]) -> Tally:
        """Its tally out of those of its runs."""
        ...


class Single(Protocol):
    """A measure that is one run."""

    @property
    def chunk(self) -> int:
        """Numbers in a chunk by default."""
        ...

    def count(self, start: int, stop: int) -> Tally:
        """Counts over the numbers ``start … stop - 1``."""
        ...

    def identity(self) -> dict[str, Any]:
        """What changes the counts."""
        ...


@dataclass(frozen=True)
class Whole:
    """A single run in the form of several."""

    single: Single
    chunk: int

    def count(self, start: int, stop: int) -> Tally:
        """Counts of the run."""
        return self.single.count(start, stop)

    def parts(self) -> list[dict[str, Any]]:
        """The identity of the run."""
        return [self.single.identity()]

    def only(self, parts: Sequence[int]) -> Whole:
        """The run itself."""
        return self

    def split(self, tally: Tally) -> list[Tally]:
        """The tally itself."""
        return [tally]

    def join(self, tallies: Sequence[Tally]) -> Tally:
        """The tally itself."""
        return tallies[0]


def parted(measure: Parted | Single) -> Parted:
    """A measure as one of several runs."""
    return measure if isinstance(measure, Parted) else Whole(measure, measure.chunk)


class Engine(Protocol):
    """Workers that count chunks."""

    slots: int
    """How many chunks are counted at the same time."""
    coarse: int
    """How many times larger than usual its chunks are, where handing one out costs much."""

    def submit(self, measure: batch.Measure, start: int, stop: int) -> Future[Tally]:
        """Have a chunk counted."""
        ...

    def told(self, error: BaseException) -> BaseException:
        """The error of a chunk, in words where it is one of the workers' own."""
        ...

    def close(self) -> None:
        """Let the workers go, after the chunks under way."""
        ...


class Threads:
    """Threads of this process; the kernels do not hold the interpreter's lock."""

    coarse = 1

    def __init__(self, workers: int | None = None) -> None:
        self.slots = workers or batch.default_workers()
        self.pool = ThreadPoolExecutor(self.slots)

    def submit(self, measure: batch.Measure, start: int, stop: int) -> Future[Tally]:
        """Have a chunk counted."""
        return self.pool.submit(measure.count, start, stop)

    def told(self, error: BaseException) -> BaseException:
        """The error itself."""
        return error

    def close(self) -> None:
        """Let the threads end."""
        self.pool.shutdown(wait=True, cancel_futures=True)


@dataclass
class Runner:
    """Workers, store and listener of a batch. A context manager: it lets its workers go and its claims."""

    workers: int | None = None
    announce: Announce = silent
    store: Store | None = None
    engine: Engine | None = None
    chunk: int | None = None
    """Numbers in a chunk, instead of what each measure proposes."""
    tell: Tell | None = None
    """Who wants to know the current estimate; None: nobody."""
    experiment: str = ""
    """Whose runs are being asked for."""
    interrupted: bool = False
    played: int = 0
    """Deals, duplicates and games that this batch has played for the store, for however many runs at a time."""
    new: dict[str, int] = field(default_factory=dict)
    """By run: how many deals, duplicates or games this batch has added to the store."""
    done: dict[str, int] = field(default_factory=dict)
    """By run: how many the store holds of those asked for."""
    asked: dict[str, int] = field(default_factory=dict)
    """By run: how many were asked for."""
    _claims: Claims | None = None
    _provenance: int = 0

    def __enter__(self) -> Runner:
        """Get ready; claims of processes that have ended are freed first."""
        if self.store is not None:
            from noddysim.engine.claims import Claims

            self.engine = self.engine or Threads(self.workers)
            self._provenance = self.store.provenance_number(provenance())
            self._claims = Claims(self.store)
            self._claims.reap()
        return self

    def __exit__(self, *_: object) -> None:
        """Let everything go."""
        try:
            if self._claims is not None:
                self._claims.__exit__()
        finally:
            if self.engine is not None:
                self.engine.close()

    def is_complete(self, name: str) -> bool:
        """Whether all that was asked of a run is there; what was never asked here is (counted, or vacuous)."""
        return self.done.get(name, 0) >= self.asked.get(name, 0)

    def run(
        self,
        measure: Parted | Single,
        stop: int,
        *,
        title: str = "",
        labels: Sequence[Mapping[str, Any] | None] = (),
        watch: Watch | None = None,
    ) -> Tally:
        """Count a measure over ``0 … stop - 1``; raises Unplayed if an interrupt left nothing of it.

        title : what the progress line says; labels : for each of its runs what ``noddysim runs`` shows, ``arm`` and
        more, or None for a run that only serves another; watch : what to tell of its first run while it is counted.
        """
        whole = parted(measure)
        found = self.parts(whole, stop, labels=labels, title=title, watch=watch)
        numbers = {int(tally["n"][0]) if "n" in tally.counts else bool(tally.counts) for tally in found}
        if not all(tally.counts for tally in found) or len(numbers) != 1:
            raise Unplayed
        return whole.join(found)

    def parts(
        self,
        measure: Parted,
        stop: int,
        *,
        start: int = 0,
        most: int | None = None,
        labels: Sequence[Mapping[str, Any] | None] = (),
        title: str = "",
        advance: batch.Progress | None = None,
        watch: Watch | None = None,
        before: Tally | None = None,
    ) -> list[Tally]:
        """The tally of each run of a measure over ``start … stop - 1``; an interrupt leaves parts, or empty ones.

        most : how many are asked for in the end, if this is a step on the way; advance : where to report progress
        instead of announcing the measure; before : the tally of the first run up to ``start``, for ``watch``. Other
        arguments as for ``run``.
        """
        advance = advance or self.announce(title, stop - start)
        if self.store is None:
            tally = batch.run(measure, stop, start=start, workers=self.workers, chunk=self.chunk, progress=advance)
            return measure.split(tally)
        identities = measure.parts()
        refuse_unknown(identities)
        names = [content_id(identity) for identity in identities]
        runs = self.store.register(names)
        self.asked.update((name, max(most or stop, self.asked.get(name, 0))) for name, _ in names)
        self._ask([name for name, _ in names], most or stop, None, labels)
        firsts = [place for place, one in enumerate(names) if names.index(one) == place]
        if len(firsts) < len(names):  # one run that is told of several times is counted once
            found = self.parts(
                measure.only(firsts), stop, start=start, most=most, advance=advance, watch=watch, before=before
            )
            return [found[firsts.index(names.index(one))] for one in names]
        work = _Work(self, self.store, measure, runs, [name for name, _ in names], (start, stop), advance)
        if self.tell and watch:
            work.watch, work.seen = watch, (before or Tally()) + self.store.total(runs[0], (start, stop))[0]
        if not self.interrupted:
            work.play()
        return work.found()

    def reached(self, measure: Parted, number: int) -> bool:
        """Whether the store holds everything of a measure up to a number."""
        return all(self.done.get(content_id(one)[0], 0) >= number for one in measure.parts())

    def ended(self, measure: Parted, number: int, most: int, labels: Sequence[Mapping[str, Any] | None] = ()) -> None:
        """Keep that a stopping rule ended the runs of a measure at a number."""
        if self.store is not None:
            names = [content_id(identity)[0] for identity in measure.parts()]
            self.asked.update(dict.fromkeys(names, number))
            self._ask(names, most, number, labels)

    def _ask(
        self, names: Sequence[str], asked: int, ended: int | None, labels: Sequence[Mapping[str, Any] | None]
    ) -> None:
        assert self.store is not None
        pairs = zip(names, labels, strict=False)
        self.store.ask(
            Ask(name, self.experiment, str(label["arm"]), _about(label), asked, ended, 0)
            for name, label in pairs
            if label is not None
        )


def _about(label: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in label.items() if key != "arm"}


@contextmanager
def _noticing(runner: Runner) -> Iterator[None]:
    """Let Ctrl-C be a mark on the runner, so that nothing is torn in the middle; a second Ctrl-C tears all the same."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def notice(number: int, frame: object) -> None:
        if runner.interrupted:
            raise KeyboardInterrupt
        runner.interrupted = True

    signal.signal(signal.SIGINT, notice)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass
class _Work:
    """One measure on its way into the store."""

    runner: Runner
    store: Store
    measure: Parted
    runs: list[int]
    names: list[str]
    within: Range
    advance: batch.Progress
    flight: dict[Future[Tally], Job] = field(default_factory=dict)
    ready: Any = None
    """The measure as it is counted: made ready for all that is missing."""
    watch: Watch | None = None
    seen: Tally = field(default_factory=Tally)
    """Of the first run, if somebody watches."""

    def play(self) -> None:
        """Count and keep what is missing. After an interrupt the chunks under way are kept too."""
        engine, claims = self.runner.engine, self.runner._claims
        assert engine is not None and claims is not None
        try:
            with _noticing(self.runner):
                done = self.within[1] - self.within[0] - size(self._gaps())
                if done:
                    self.advance(done)
                # What a cluster is sent must stay small, so its workers count by the plain measure.
                here = isinstance(engine, Threads)
                self.ready = batch.ready_for(self.measure, size(self._gaps())) if here else self.measure
                while self._round(engine, claims):
                    claims.reap()
                    time.sleep(PAUSE)
        except KeyboardInterrupt:
            self.runner.interrupted = True
            for future in [future for future in self.flight if future.cancel()]:
                del self.flight[future]
            while self.flight:
                self._collect()
        except BaseException:
            for future in self.flight:
                future.cancel()
            raise

    def _round(self, engine: Engine, claims: Claims) -> bool:
        """Count everything that is missing and free; True if others are still at work on the rest."""
        held = False
        for cell in self._cells():
            self._stop_if_asked()
            while len(self.flight) >= 2 * engine.slots:
                self._collect()
                self._stop_if_asked()
            jobs, others = claims.take(self.runs, cell)
            held = held or others
            for job in jobs:
                every = len(job.parts) == len(self.runs)
                measure = self.ready if every else self.measure.only(job.parts)
                self.flight[engine.submit(measure, *job.within)] = job
        while self.flight:
            self._collect()
            self._stop_if_asked()
        return held and bool(self._gaps())

    def _stop_if_asked(self) -> None:
        """Stop at a place where nothing is half done."""
        if self.runner.interrupted:
            raise KeyboardInterrupt

    def _gaps(self) -> list[Range]:
        """What at least one run misses."""
        return merged(gap for run in self.runs for gap in missing(self.within, self.store.done(run)))

    def _cells(self) -> Iterator[Range]:
        """The chunks to look at: small enough that every worker has some."""
        engine = self.runner.engine
        assert engine is not None
        usual, amount = self.ready.chunk, self.within[1] - self.within[0]
        step = self.runner.chunk or batch.chunk_for(engine.coarse * usual, amount, engine.slots)
        for gap in self._gaps():
            yield from cells(gap, step)

    def _collect(self) -> None:
        """Keep what has been counted, waiting for a chunk, though not for long at a time."""
        for future in wait(self.flight, timeout=LONGEST_WAIT, return_when=FIRST_COMPLETED).done:
            job = self.flight.pop(future)
            measure = self.measure.only(job.parts)
            claims, engine = self.runner._claims, self.runner.engine
            assert claims is not None and engine is not None
            error = future.exception()
            if error is not None:
                raise engine.told(error) from error
            tallies = measure.split(future.result())
            runs = [self.runs[part] for part in job.parts]
            self.store.record(runs, job.within, tallies, self.runner._provenance, claims.owner)
            length = job.within[1] - job.within[0]
            self.runner.played += length
            for part in job.parts:
                name = self.names[part]
                self.runner.new[name] = self.runner.new.get(name, 0) + length
            if self.watch and job.parts[0] == 0:
                self.seen = self.seen + tallies[0]
                self._tell(self.watch)
            self.advance(length)

    def _tell(self, watch: Watch) -> None:
        """Let the listener know how the first run stands."""
        found = watch(self.seen)
        if found is not None and self.runner.tell is not None:
            self.runner.tell(*found)

    def found(self) -> list[Tally]:
        """The tally of each run over what was asked, or over what there is of it after an interrupt."""
        return [self._found(part) for part in range(len(self.runs))]

    def _found(self, part: int) -> Tally:
        total, covered = self.store.total(self.runs[part], self.within)
        gaps = missing(self.within, covered)
        name, stop = self.names[part], self.within[1]
        if self.runner.interrupted:
            self.runner.done[name] = stop - size(gaps)
            return total
        self.runner.done[name] = stop
        # A chunk may go on beyond the end asked for: then the numbers before the end are counted for this answer alone.
        one = self.measure.only([part])
        for start, stop in gaps:
            total = total + one.split(batch.run(one, stop, start=start, workers=self.runner.workers))[0]
        return total


def refuse_unknown(identity: Any) -> None:
    """Raise InputError for runs of a function that cannot be told from another one: they are played, but not kept."""
    if isinstance(identity, Mapping):
        if identity.get("function", "") is None:
            raise InputError(
                f"{identity['called']} reads values that may be anything, so its runs cannot be told from those of "
                "another function and are not kept in a store; let it read numbers, texts, tuples and functions only, "
                "or play a duel"
            )
        refuse_unknown(list(identity.values()))
    elif isinstance(identity, list | tuple):
        for part in identity:
            refuse_unknown(part)


def open_store(path: str, *, writing: bool = True) -> Store:
    """The store at a path for this version of what the kernels count. Raises InputError as Store does."""
    return Store(path, BEHAVIOUR, writing=writing)
