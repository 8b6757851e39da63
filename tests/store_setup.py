"""A measure whose counts anybody can check: how often each remainder comes up among whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noddysim.engine.runner import Runner, open_store
from noddysim.engine.store import Store
from noddysim.engine.tally import Tally


@dataclass(frozen=True)
class Remainders:
    """Numbers by their remainder; ``before`` is called with each chunk."""

    divisor: int = 7
    chunk: int = 100
    before: Callable[[int, int], None] | None = None

    def count(self, start: int, stop: int) -> Tally:
        if self.before:
            self.before(start, stop)
        numbers = np.arange(start, stop)
        return Tally({"n": np.array([stop - start]), "by": np.bincount(numbers % self.divisor, minlength=self.divisor)})

    def identity(self) -> dict[str, Any]:
        return {"measure": "remainders", "divisor": self.divisor}


LABEL = {"arm": "remainders"}


def count(path: Path, measure: Remainders, stop: int, **settings: Any) -> tuple[Tally, Runner]:
    """Count through a store, which is opened and closed for it."""
    with open_store(str(path)) as store, Runner(store=store, experiment="test", **settings) as runner:
        return runner.run(measure, stop, labels=[LABEL]), runner


def stored(path: Path) -> dict[str, Tally]:
    """The total of every run in a store, by id."""
    with open_store(str(path), writing=False) as store:
        rows = store.base.execute("SELECT number, id FROM runs").fetchall()
        return {name: store.total(number)[0] for number, name in rows}


def no_files_left(store: Store | Path) -> bool:
    """Whether nothing but the store itself is left in its folder."""
    path = store.path if isinstance(store, Store) else store
    return [one.name for one in path.parent.glob(f"{path.name}*")] == [path.name]
