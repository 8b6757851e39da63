"""The report as files: built aside, then moved into its folder, so that nothing half-written is ever seen there.

Given the same experiments and versions, the files are the same bytes: no clock, no machine and no path goes in.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path, PurePosixPath
from typing import Any, Final

from noddysim.engine.runner import Announce, silent
from noddysim.game.errors import InputError
from noddysim.game.experiment import Experiment
from noddysim.insight import tables
from noddysim.insight.evidence import gather
from noddysim.insight.method import provenance
from noddysim.insight.pages import Book
from noddysim.insight.parts import Parts, Wanted, find
from noddysim.insight.render import to_html, to_markdown
from noddysim.insight.site import site_of
from noddysim.insight.study import check_names

COMMAND: Final = "noddysim report"
RECORD: Final = "provenance.json"
FIRST_FILES: Final = ("index.html", "index.md", RECORD, "verdicts.csv")


def standard_experiments() -> list[Path]:
    """The experiment files of ``experiments/`` in the current folder, or else those that come with the project.

    Raises InputError if there are none anywhere.
    """
    beside = Path(__file__).resolve().parents[2] / "experiments"
    for folder in (Path("experiments"), _packaged(), beside):
        found = sorted(folder.glob("*.toml")) if folder else []
        if found:
            return found
    raise InputError("no experiments here: give the files to report on, or run this where experiments/ stands")


def _packaged() -> Path | None:
    """The folder of experiments in the installed package, if it has one on disk."""
    place = files("noddysim") / "experiments"
    if not place.is_dir():
        return None
    with as_file(place) as folder:
        return folder


def build_report(
    experiments: Sequence[Experiment],
    folder: str | os.PathLike[str] = "reports",
    *,
    wanted: Wanted | None = None,
    workers: int | None = None,
    announce: Announce = silent,
    command: str = COMMAND,
    store: str | None = None,
) -> list[Path]:
    """Run the experiments and write the report on them; returns the files written, sorted.

    experiments : as from ``load_experiment``; folder : where the report goes, made if it is not there; wanted : what
    else shall be in it, nothing if left out; workers : threads, all processors if left out; announce : told of each
    part with its amount of work; command : what repeats this report, as it shall stand in it; store : a file that
    keeps the counts of the experiments, which are then not played twice.

    Raises InputError, before anything is played, for names that do not exist, or a folder that cannot be written or
    holds another's files of the same names. Files of an older report that the new one has not are removed; no other
    file is touched.
    """
    if not experiments:
        raise InputError("a report needs at least one experiment")
    for experiment in experiments:
        check_names(experiment)
    target = Path(folder)
    with _workshop(target) as aside:
        parts = find(experiments, wanted or Wanted(), workers, announce, store)
        for name, text in sorted(report_files(parts, command).items()):
            place = aside / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8", newline="\n")
        return _move_in(aside, target)


def report_files(parts: Parts, command: str = COMMAND) -> dict[str, str]:
    """Every file of the report by its name in the folder (``figures/tip-lead-low.svg``), as text."""
    evidence = gather(parts.studies)
    book = Book(evidence, command)
    menu = site_of(book, parts)
    found = {f"figures/{name}.svg": svg for name, svg in book.figures.items()}
    for page in (page for group in menu for page in group.pages):
        found[f"{page.name}.html"] = to_html(page, book.figures, menu)
        found[f"{page.name}.md"] = to_markdown(page, menu)
        found.update({f"tables/{table.name}.csv": table.to_csv() for table in page.tables()})
    if evidence.cases:
        found["verdicts.csv"] = tables.verdicts_csv(evidence)
    record = {**provenance(evidence, command, [*found, RECORD]), **parts.record()}
    found[RECORD] = json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
    return found


# --- the folder -----------------------------------------------------------------------------------------------------


@contextmanager
def _workshop(target: Path) -> Iterator[Path]:
    """A folder beside the target to build in, gone afterwards. Refuses a target that could not be written later."""
    _check_target(target)
    made = not target.exists()
    aside: Path | None = None
    try:
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=target):
            pass
        near = target.resolve().parent
        place = near if os.access(near, os.W_OK) else target
        aside = Path(tempfile.mkdtemp(prefix=f".{target.resolve().name}-", dir=place))
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror or error}") from error
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        if made and target.is_dir() and not any(target.iterdir()):
            target.rmdir()


def _check_target(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise InputError(f"{target}: this is a file; a report needs a folder")
    own = _own_files(target)
    foreign = [name for name in FIRST_FILES if name not in own and os.path.lexists(target / name)]
    if foreign:
        raise InputError(f"{target / foreign[0]}: this file is of no earlier report; choose another folder with --to")


def _own_files(target: Path) -> set[str]:
    """Files that an earlier report left here by its own record; none if there is no sound record."""
    try:
        record: Any = json.loads((target / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    listed = record.get("files", []) if isinstance(record, dict) else []
    return {name for name in listed if isinstance(name, str) and _stays_inside(name)}


def _stays_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name and ":" not in name


def _move_in(aside: Path, target: Path) -> list[Path]:
    """Put the new files in place and take away those of the older report that are no more; the record goes last."""
    fresh = sorted(path.relative_to(aside).as_posix() for path in aside.rglob("*") if path.is_file())
    stale = _own_files(target) - set(fresh)
    for name in sorted(fresh, key=lambda name: (name == RECORD, name)):
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(aside / name, place)
    for name in sorted(stale):
        (target / name).unlink(missing_ok=True)
    for folder in sorted({target / PurePosixPath(name).parent for name in stale} - {target}):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return [target / name for name in fresh]
