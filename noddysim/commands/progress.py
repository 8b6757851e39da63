"""How a long command tells how far it is: lines on a terminal, and lines of JSON in a file for machines.

Where standard error is no terminal nothing is written there. Rates and times left are for the one who waits; no answer
depends on them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from noddysim.game.errors import InputError

if TYPE_CHECKING:
    from noddysim.engine.runner import Announce, Progress, Tell
    from noddysim.insight.estimates import Estimate


def on_terminal() -> bool:
    """Whether somebody is watching standard error."""
    return sys.stderr.isatty()


def note_first_use() -> None:
    """Tell a waiting user that the kernels are being compiled, where that has not been done on this machine."""
    if not on_terminal():
        return
    from noddysim.kernels.compiler import cache_folder

    if next(cache_folder().rglob("*.nbc"), None) is None:
        print("Compiling the kernels for this machine: once only, about a minute.", file=sys.stderr)


@dataclass(frozen=True)
class Listener:
    """Whom a batch tells: of each part with its amount of work, and of the current estimate of an arm."""

    announce: Announce
    tell: Tell | None = None
    """None: nobody listens, and no estimate need be made."""


def _nobody(title: str, amount: int) -> Progress:
    return lambda done: None


@contextmanager
def bars(total: int = 0) -> Iterator[Announce]:
    """Give ``announce(title, amount)``, which shows a part of the work and returns what to call with what is done.

    total : the amount of all parts together, for the line that tells the time left for everything; 0: no such line.
    """
    with listening(total) as listener:
        yield listener.announce


@contextmanager
def listening(total: int = 0, *, quiet: bool = False, log: str | None = None) -> Iterator[Listener]:
    """Show how far a batch is on a terminal (not if ``quiet``) and keep a file of JSON lines, if one is named.

    Raises InputError if the file cannot be written.
    """
    with ExitStack() as stack:
        listeners = []
        if log is not None:
            listeners.append(_Log(stack.enter_context(_opened(log))).listener())
        if on_terminal() and not quiet:
            listeners.append(stack.enter_context(_lines(total)))
        yield _all(listeners)


def _all(listeners: list[Listener]) -> Listener:
    """One listener that passes everything on."""
    if len(listeners) < 2:
        return listeners[0] if listeners else Listener(_nobody)

    def announce(title: str, amount: int) -> Progress:
        each = [one.announce(title, amount) for one in listeners]

        def advance(done: int) -> None:
            for one in each:
                one(done)

        return advance

    def tell(arm: str, estimate: Estimate) -> None:
        for one in listeners:
            if one.tell:
                one.tell(arm, estimate)

    return Listener(announce, tell)


# --- a terminal -----------------------------------------------------------------------------------------------------


@contextmanager
def _lines(total: int) -> Iterator[Listener]:
    """A line for the part under way, with its rate, the time left and the current estimate, and one for everything."""
    note_first_use()
    from rich import progress
    from rich.console import Console

    from noddysim.insight.numbers import format_estimate

    class Rate(progress.ProgressColumn):
        """How many a second."""

        def render(self, task: progress.Task) -> str:
            return f"{task.speed:,.0f} a second" if task.speed else ""

    layout = (
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(bar_width=20),
        progress.MofNCompleteColumn(),
        Rate(),
        progress.TimeRemainingColumn(elapsed_when_finished=True),
        progress.TextColumn("{task.fields[now]}", markup=False),
    )
    console = Console(stderr=True, force_terminal=True)
    with progress.Progress(*layout, console=console, transient=True) as lines:
        whole = lines.add_task("everything", total=total, now="") if total else None
        shown: list[progress.TaskID] = []

        def announce(title: str, amount: int) -> Progress:
            while shown:
                lines.remove_task(shown.pop())
            part = lines.add_task(title, total=amount, now="")
            shown.append(part)

            def advance(done: int) -> None:
                lines.advance(part, done)
                if whole is not None:
                    lines.advance(whole, done)

            return advance

        def tell(arm: str, estimate: Estimate) -> None:
            for part in shown:
                lines.update(part, now=f"{arm}: {format_estimate(estimate, terminal=True)}")

        yield Listener(announce, tell)


# --- a file of JSON lines -------------------------------------------------------------------------------------------


def _opened(path: str) -> IO[str]:
    try:
        return Path(path).open("w", encoding="utf-8", buffering=1)
    except OSError as error:
        raise InputError(f"--log-json {path}: {error.strerror}; give the name of a file that can be written") from error


class _Log:
    """Writes a line of JSON when a part begins and whenever something of it is done."""

    def __init__(self, file: IO[str], clock: Callable[[], float] = time.monotonic) -> None:
        self.file = file
        self.clock = clock
        self.facts: dict[str, Any] = {}
        self.begun = clock()

    def listener(self) -> Listener:
        """What to tell it."""
        return Listener(self.announce, self.tell)

    def announce(self, title: str, amount: int) -> Progress:
        """Begin a part."""
        self.begun = self.clock()
        self.facts = {"part": title, "done": 0, "asked": amount}
        self._write("begin")
        return self.advance

    def advance(self, done: int) -> None:
        """Tell that so much more is done."""
        passed = max(self.clock() - self.begun, 1e-9)
        total = self.facts["done"] + done
        rate = total / passed
        left = max(self.facts["asked"] - total, 0) / rate if rate else None
        self.facts |= {"done": total, "seconds": passed, "a_second": rate, "seconds_left": left}
        self._write("progress")

    def tell(self, arm: str, estimate: Estimate) -> None:
        """Keep the current estimate for the next line."""
        self.facts |= {"arm": arm, **estimate.to_json()}

    def _write(self, event: str) -> None:
        self.file.write(json.dumps({"event": event, **self.facts}) + "\n")
