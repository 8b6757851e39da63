"""A comparison as CSV files: one row an estimate, one a difference, one a length of games, one a comeback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from noddysim.game.errors import InputError
from noddysim.insight.estimates import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.insight.rows import Comparison, Row

FILES: Final = ("rows", "points", "lengths", "comebacks", "ladder", "differences")
"""Names of the files, without their ``.csv``; one that would have no line is not written."""


def check_folder(path: str | None) -> None:
    """Raise InputError, before anything is played, for a folder that files cannot be put into."""
    if path is not None and Path(path).exists() and not Path(path).is_dir():
        raise InputError(f"--csv {path}: that is a file; give a folder, which is made if it is not there")


def write_files(found: Comparison, path: str) -> list[Path]:
    """Write the files into a folder, made if it is not there, and return them. Raises InputError if it cannot be."""
    folder = Path(path)
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in frames(found).items():
            if not table.empty:
                table.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
                written.append(folder / f"{name}.csv")
    except OSError as error:
        raise InputError(f"--csv {path}: {error.strerror or error}") from None
    return written


def frames(found: Comparison) -> dict[str, pd.DataFrame]:
    """The tables by name of file."""
    import pandas as pd

    return {"rows": found.table, **{name: pd.DataFrame(_lines(found, name)) for name in FILES[1:]}}


def _lines(found: Comparison, name: str) -> list[dict[str, Any]]:
    if name == "differences":
        return [one.to_json() for one in found.differences]
    of_row = {"points": _points, "lengths": _lengths, "comebacks": _comebacks, "ladder": _ladder}[name]
    return [
        {"variant": row.variant.name, "players": row.players, "strategy": row.strategy, **line}
        for row in found.rows
        for line in of_row(row)
    ]


def _points(row: Row) -> Iterator[dict[str, Any]]:
    for place, sources in enumerate(row.points, 1):
        for source, value in sources.items():
            yield {"seat": place, "source": source, **_numbers(value)}


def _lengths(row: Row) -> Iterator[dict[str, Any]]:
    for name, spread in row.course.spreads.items() if row.course else ():
        for length, games in spread.counts.items():
            yield {"of": name, "length": length, "games": games}


def _comebacks(row: Row) -> Iterator[dict[str, Any]]:
    for gap, chance in row.course.comebacks.items() if row.course else ():
        yield {"behind": gap, **_numbers(chance)}


def _ladder(row: Row) -> Iterator[dict[str, Any]]:
    for rung in row.skill.rungs if row.skill else ():
        yield {"better": rung.better, "worse": rung.worse, **_numbers(rung.chance)}


def _numbers(value: Estimate) -> dict[str, Any]:
    return {"estimate": value.estimate, "low": value.low, "high": value.high, "n": value.n}
