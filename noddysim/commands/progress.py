"""Progress of long work: on standard error, only on a terminal, with the rate and the time left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int], None]
Announce = Callable[[str, int], Progress]


@contextmanager
def bars() -> Iterator[Announce]:
    """Give ``announce(title, amount)``, which starts a line of progress and returns what to call with what is done.

    Where standard error is no terminal nothing is written.
    """
    if not sys.stderr.isatty():
        yield lambda title, amount: lambda done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars

    layout = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(elapsed_when_finished=True))
    with Bars(*layout, console=Console(stderr=True), transient=True) as lines:

        def announce(title: str, amount: int) -> Progress:
            task = lines.add_task(title, total=amount)
            return lambda done: lines.advance(task, done)

        yield announce
