"""Progress of long work: on standard error, only on a terminal, with the time left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int], None]
Announce = Callable[[str, int], Progress]


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


@contextmanager
def bars(total: int = 0) -> Iterator[Announce]:
    """Give ``announce(title, amount)``, which shows a part of the work and returns what to call with what is done.

    total : the amount of all parts together, for the line that tells the time left for everything; 0: no such line.
    Where standard error is no terminal nothing is written.
    """
    if not on_terminal():
        yield lambda title, amount: lambda done: None
        return
    note_first_use()
    from rich import progress
    from rich.console import Console

    layout = (
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(elapsed_when_finished=True),
    )
    with progress.Progress(*layout, console=Console(stderr=True), transient=True) as lines:
        whole = lines.add_task("everything", total=total) if total else None
        shown: list[progress.TaskID] = []

        def announce(title: str, amount: int) -> Progress:
            while shown:
                lines.remove_task(shown.pop())
            part = lines.add_task(title, total=amount)
            shown.append(part)

            def advance(done: int) -> None:
                lines.advance(part, done)
                if whole is not None:
                    lines.advance(whole, done)

            return advance

        yield announce
