"""The counts of a stored run as files that other programs read."""

from __future__ import annotations

import csv
import importlib.util
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from noddysim.game.errors import InputError

if TYPE_CHECKING:
    from noddysim.engine.store import Store
    from noddysim.engine.tally import Tally

COLUMNS = ("name", "indices", "count")


def rows(tally: Tally) -> Iterator[tuple[str, str, int]]:
    """One row a count: its name, its place in the array (numbers from 0, parted by spaces), the count. Sorted."""
    for name in sorted(tally.counts):
        array = tally[name]
        for place in np.ndindex(*array.shape):
            yield name, " ".join(map(str, place)), int(array[place])


def counts_csv(tally: Tally) -> str:
    """The counts as CSV text: the same for the same counts."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows(tally))
    return text.getvalue()


def export_run(store: Store, name: str, folder: str | Path) -> list[Path]:
    """Write ``ID.counts.csv``, and ``ID.counts.parquet`` where pyarrow is installed; returns the files, CSV first.

    name : the id of a run or its beginning. Raises InputError if there is no such run, or the folder cannot be made.
    """
    number, whole, _ = store.find(name)
    tally, _ = store.total(number)
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--to {target}: {error.strerror}; give the name of a folder") from error
    table = target / f"{whole}.counts.csv"
    put(table, lambda path: path.write_text(counts_csv(tally), encoding="utf-8", newline="\n"))
    if not has_parquet():
        return [table]
    other = table.with_suffix(".parquet")
    put(other, lambda path: _write_parquet(tally, path))
    return [table, other]


def has_parquet() -> bool:
    """Whether the library for Parquet files is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def _write_parquet(tally: Tally, path: Path) -> None:
    import pandas as pd

    pd.DataFrame(rows(tally), columns=list(COLUMNS)).to_parquet(path, index=False)


def put(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file aside and put it in its place when it is whole. Raises InputError if that cannot be done."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(aside)
        aside.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        aside.unlink(missing_ok=True)
