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
from dataclasses import asdict
from importlib.resources import as_file, files
from pathlib import Path, PurePosixPath
from typing import Any, Final

from noddysim.engine.runner import Announce, silent
from noddysim.game.claims import load_claims
from noddysim.game.errors import InputError
from noddysim.game.experiment import Experiment
from noddysim.insight import tables
from noddysim.insight.balance_page import balance_page
from noddysim.insight.balance_page import opening_words as balance_words
from noddysim.insight.counted import count_studies
from noddysim.insight.document import Block, Bullets, Page, Text
from noddysim.insight.evidence import gather
from noddysim.insight.exact_pages import ExactAnswers, answer, exact_pages
from noddysim.insight.exact_pages import opening_words as exact_words
from noddysim.insight.laying_page import laying_pages
from noddysim.insight.laying_page import opening_words as laying_words
from noddysim.insight.laying_study import LayingExtent, LayingStudy, lay
from noddysim.insight.method import provenance
from noddysim.insight.pages import Book, claims_page, index_page
from noddysim.insight.render import to_html, to_markdown
from noddysim.insight.rules_page import opening_words as rules_words
from noddysim.insight.rules_page import rules_page
from noddysim.insight.rules_study import RulesExtent, RulesStudy, weigh_rules
from noddysim.insight.study import Study, check_names, run_experiment
from noddysim.insight.trust import Trust, TrustExtent, make_sure, trust_pages
from noddysim.insight.trust import opening_words as trust_words
from noddysim.insight.verification import Extent, Verification, verify
from noddysim.insight.verification_page import opening_words as verification_words
from noddysim.insight.verification_page import verification_page

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
    workers: int | None = None,
    announce: Announce = silent,
    command: str = COMMAND,
    extent: Extent | None = None,
    laying: LayingExtent | None = None,
    solved: bool = False,
    rules: RulesExtent | None = None,
    trust: TrustExtent | None = None,
) -> list[Path]:
    """Run the experiments and write the report on them; returns the files written, sorted.

    experiments : as from ``load_experiment``; folder : where the report goes, made if it is not there; announce : told
    of each part with its amount of work; command : what repeats this report, as it shall stand in it; extent : how much
    to play for the page that holds our numbers against published ones; laying : how much for the pages of the games in
    which melds or sets are laid; solved : whether the strategy card and the form that answers are wanted; rules : how
    much for the page on disputed readings, fairest rules and handicaps; trust : how much for the pages of the
    self-check and the ratings. Without them there are no such pages.

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
        played = [run_experiment(one, workers=workers, announce=announce) for one in experiments]
        studies = count_studies(played, announce)
        checked = None if extent is None else verify(extent, workers=workers, announce=announce)
        laid = None if laying is None else lay(laying, announce)
        exact = answer(announce) if solved else None
        weighed = None if rules is None else weigh_rules(rules, announce, workers)
        sure = None if trust is None else make_sure(trust, announce, workers=workers)
        for name, text in sorted(report_files(studies, command, checked, laid, exact, weighed, sure).items()):
            place = aside / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8", newline="\n")
        return _move_in(aside, target)


def report_files(
    studies: Sequence[Study],
    command: str = COMMAND,
    checked: Verification | None = None,
    laid: LayingStudy | None = None,
    exact: ExactAnswers | None = None,
    weighed: RulesStudy | None = None,
    sure: Trust | None = None,
) -> dict[str, str]:
    """Every file of the report by its name in the folder (``figures/tip-lead-low.svg``), as text.

    checked : our numbers beside published ones, for a page of their own; laid : the games in which melds or sets are
    laid, for a page each; exact : what the solution of Noddy says, for the strategy card and the form that answers;
    weighed : what was found of the rules themselves, for a page; sure : the self-check and the ratings, for two.
    """
    evidence = gather(studies)
    book = Book(evidence, command)
    pages = _pages(book, checked, laid, exact, weighed, sure)
    found = {f"figures/{name}.svg": svg for name, svg in book.figures.items()}
    for page in pages:
        found[f"{page.name}.html"] = to_html(page, book.figures, pages)
        found[f"{page.name}.md"] = to_markdown(page, pages)
        found.update({f"tables/{table.name}.csv": table.to_csv() for table in page.tables()})
    if evidence.cases:
        found["verdicts.csv"] = tables.verdicts_csv(evidence)
    record = provenance(evidence, command, [*found, RECORD], checked)
    if laid:
        record["laying"] = asdict(laid.extent)
    if weighed:
        record["rules_weighed"] = asdict(weighed.extent)
    if sure:
        record["evidence"] = sure.provenance()
    if exact:
        record["solved"] = {"variant": exact.card.variant, "exploitability": exact.card.exploitability}
    found[RECORD] = json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"
    return found


def _pages(
    book: Book,
    checked: Verification | None,
    laid: LayingStudy | None,
    exact: ExactAnswers | None,
    weighed: RulesStudy | None,
    sure: Trust | None,
) -> list[Page]:
    first = index_page(book)
    words = [
        *(exact_words(exact) if exact else ()),
        balance_words(book.evidence),
        rules_words(weighed) if weighed else None,
        laying_words(laid) if laid else None,
        verification_words(checked) if checked else None,
        trust_words(sure) if sure else None,
    ]
    found = [_with_opening(first, [text for text in words if text is not None])]
    if exact:
        found += exact_pages(exact)
    balance = balance_page(book)
    if balance:
        found.append(balance)
    if weighed:
        found.append(rules_page(book, weighed))
    if laid:
        found += laying_pages(book, laid)
    if checked:
        found.append(verification_page(book, checked))
    if sure:
        found += trust_pages(book, sure)
    return [*found, claims_page(book, load_claims())]


def _with_opening(page: Page, words: Sequence[Text]) -> Page:
    """The first page with sentences on the other pages among its first ones."""
    if not words:
        return page
    added = tuple((text, ()) for text in words)
    blocks: tuple[Block, ...] = page.blocks
    if blocks and isinstance(blocks[0], Bullets) and blocks[0].role == "lead":
        blocks = (Bullets((*blocks[0].items, *added), "lead"), *blocks[1:])
    else:
        blocks = (Bullets(added, "lead"), *blocks)
    return Page(page.name, page.title, page.subtitle, blocks)


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
