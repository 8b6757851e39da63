"""What the pages of rules claim about Noddy, its melding namesake and Snitch, and what the project makes of each claim.

The claims of each page stand in a file of its own in ``claims/``; the head of ``claims/noddy.toml`` explains the form.
Each claim has either the test that fixes it or a verdict with evidence. This module reads the files and refuses what
does not fit the form, what points to a claim or a source that is not there, and what has no place in its seed. Whether
a named test, tip, experiment or exact fact exists is for the tests of the project to find out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from noddysim.game.errors import InputError
from noddysim.game.tomlfile import KeyPath, TomlFile, format_value, one_line, read_toml

SEEDS: Final = ("a", "b", "c")
PAGES: Final[Mapping[str, str]] = {"b": "noddy", "a": "innocence", "c": "snitch"}
"""The page of rules that each seed is, by the name of the game's variant, in the order in which claims are listed."""
KINDS: Final = ("rule", "tip", "reason", "variation", "history", "glossary")
VERDICTS: Final = (
    "holds", "fails", "depends", "vacuous", "contradicted-by-a-source", "no-source-seen", "a-matter-of-taste", "open",
)  # fmt: skip
STATUSES: Final = (*VERDICTS, "tested")
EVIDENCE: Final = ("tip", "exact", "experiment", "source", "claim")
SEEN: Final = ("whole", "most", "part", "opening")

# What a finding of a report says of the advice: advice that gains nothing worth having has failed too.
_FINDINGS: Final[Mapping[str, str]] = {
    "helps": "holds",
    "hurts": "fails",
    "no-difference": "fails",
    "depends": "depends",
}
_NO_FINDINGS: Final = ("undecided", "already-followed", "vacuous")

_ID: Final = re.compile(r"([abc])-[a-z]+-\d\d")
_TEST: Final = re.compile(r"tests/test_\w+\.py::test_\w+")
_NAME: Final = re.compile(r"[\w.-]+")
_REQUIRED: Final = ("id", "seed", "place", "kind", "says")
_OPTIONAL: Final = ("test", "verdict", "evidence", "remark")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a seed; ``sentences[i]`` is the number of sentences of its item ``i + 1`` (each 1 or more)."""

    seed: str
    name: str
    sentences: tuple[int, ...]

    def places(self) -> tuple[str, ...]:
        """Every place of the section, ``"name, item.sentence"``, in order."""
        return tuple(
            f"{self.name}, {item}.{sentence}"
            for item, number in enumerate(self.sentences, start=1)
            for sentence in range(1, number + 1)
        )


@dataclass(frozen=True, slots=True)
class Source:
    """A source outside the seeds: its key, title and public address, and how much of it was seen (one of `SEEN`)."""

    key: str
    title: str
    address: str
    seen: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim. Either ``test`` is set, or ``verdict`` with at least one piece of ``evidence`` and a ``remark``."""

    id: str
    seed: str
    place: str
    kind: str
    says: str
    test: str | None
    verdict: str | None
    evidence: tuple[str, ...]
    remark: str

    @property
    def page(self) -> str:
        """The page of rules on which the claim stands, one of the names in `PAGES`."""
        return PAGES[self.seed]

    @property
    def section(self) -> str:
        """Name of the seed's section in which the claim stands."""
        return self.place.rpartition(", ")[0]

    @property
    def status(self) -> str:
        """``"tested"`` for a claim that a test fixes, otherwise its verdict."""
        return self.verdict or "tested"

    def named(self, form: str) -> tuple[str, ...]:
        """Names in the evidence of one form of `EVIDENCE`: ``named("tip")`` gives ``("lead-low",)``."""
        return tuple(name for head, _, name in (entry.partition(":") for entry in self.evidence) if head == form)


@dataclass(frozen=True, slots=True)
class ClaimBook:
    """All claims page by page, the sections they come from and the sources they cite."""

    claims: tuple[Claim, ...]
    sections: tuple[Section, ...]
    sources: Mapping[str, Source]

    def places(self, seed: str) -> tuple[str, ...]:
        """Every place of a seed at which a claim can stand, in order; empty if the seed is not there yet."""
        return tuple(place for section in self.sections if section.seed == seed for place in section.places())

    def uncovered(self, seed: str) -> tuple[str, ...]:
        """Places of a seed at which no claim stands."""
        taken = {claim.place for claim in self.claims if claim.seed == seed}
        return tuple(place for place in self.places(seed) if place not in taken)


def load_claims(path: Path | None = None) -> ClaimBook:
    """Read the claims of the package, page by page, or those of another file of the same form.

    Raises InputError, one line that names the file, the line, the claim and the key at fault, if a file cannot be read
    or does not keep to the form.
    """
    tops = [_Entry(file, (), file.data) for file in (_packaged() if path is None else [read_toml(path)])]
    for top in tops:
        top.check_keys(required=("sections", "claims"), optional=("sources",))
    sections = _sections(tops)
    sources = _sources(tops)
    entries = [entry for top in tops for entry in top.tables("claims")]
    ids = [entry.data.get("id") for entry in entries]
    claims: dict[str, Claim] = {}
    for entry in entries:
        claim = _claim(entry, sections)
        if claim.id in claims:
            raise entry.error("id", f"{claim.id} is given twice; each claim has its own")
        _check_cited(entry, claim, ids, sources)
        claims[claim.id] = claim
    return ClaimBook(tuple(claims.values()), sections, sources)


def _packaged() -> list[TomlFile]:
    """The files of the package, one a page."""
    found = []
    for page in PAGES.values():
        with as_file(files("noddysim.game") / "claims" / f"{page}.toml") as inside:
            found.append(read_toml(inside, f"{page}.toml"))
    return found


def select_claims(
    claims: Iterable[Claim],
    *,
    seed: str | None = None,
    page: str | None = None,
    kind: str | None = None,
    status: str | None = None,
    tip: str | None = None,
) -> tuple[Claim, ...]:
    """The claims that fit every filter given, in their order.

    ``seed`` is one of `SEEDS`, ``page`` a name in `PAGES`, ``kind`` one of `KINDS`, ``status`` one of `VERDICTS` or
    ``tested``, ``tip`` the name of a tip in the evidence. Raises InputError for a seed, page, kind or status that does
    not exist; a tip that no claim names gives nothing.
    """
    pages = tuple(PAGES.values())
    given = (("seed", seed, SEEDS), ("page", page, pages), ("kind", kind, KINDS), ("status", status, STATUSES))
    for key, value, allowed in given:
        if value is not None and value not in allowed:
            raise InputError(f"no such {key} of a claim: {value!r}; allowed: {', '.join(allowed)}")
    return tuple(
        claim
        for claim in claims
        if seed in (None, claim.seed)
        and page in (None, claim.page)
        and kind in (None, claim.kind)
        and status in (None, claim.status)
        and (tip is None or tip in claim.named("tip"))
    )


def claims_json(claims: Iterable[Claim]) -> list[dict[str, Any]]:
    """The claims as plain data for JSON.

    Keys: id, seed, page, place, kind, says, status (``tested`` or the verdict), test and verdict (one of them null),
    evidence (a list) and remark (text, may be empty).
    """
    return [
        {
            "id": claim.id,
            "seed": claim.seed,
            "page": claim.page,
            "place": claim.place,
            "kind": claim.kind,
            "says": claim.says,
            "status": claim.status,
            "test": claim.test,
            "verdict": claim.verdict,
            "evidence": list(claim.evidence),
            "remark": claim.remark,
        }
        for claim in claims
    ]


def verdict_from_report(verdicts: Iterable[str]) -> str:
    """The verdict of a claim, one of `VERDICTS`, to which the verdicts of a report on its tip add up.

    ``verdicts``: words of a report (helps, hurts, no-difference, depends, undecided, already-followed, vacuous), one
    for each number of players or opponent. As where the report adds them up itself, different findings make *depends*,
    and what is undecided does not contradict a finding, except that it leaves open whether there is nowhere a
    difference. *Vacuous* needs that nothing else was found, and all the rest is *open*. Raises InputError for any other
    word.
    """
    said = set(verdicts)
    for word in sorted(said - {*_FINDINGS, *_NO_FINDINGS}):
        raise InputError(f"no such verdict of a report: {word!r}; allowed: {', '.join((*_FINDINGS, *_NO_FINDINGS))}")
    findings = said & set(_FINDINGS)
    if len(findings) > 1:
        return "depends"
    if findings and not (findings == {"no-difference"} and "undecided" in said):
        return _FINDINGS[findings.pop()]
    return "vacuous" if said == {"vacuous"} else "open"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A table of the file with the way to it, so that an error can name its line."""

    file: TomlFile
    path: KeyPath
    data: Mapping[str, Any]

    def error(self, key: str | None, words: str) -> InputError:
        """The error to raise for a key of the table, or for the table itself."""
        where = self.file.where(self.path if key is None else (*self.path, key))
        claim = self.data.get("id")
        parts = (where, claim if isinstance(claim, str) else None, key, words)
        return InputError(one_line(": ".join(part for part in parts if part)))

    def check_keys(self, required: Collection[str], optional: Collection[str] = ()) -> None:
        for key in required:
            if key not in self.data:
                raise self.error(None, f"key {key!r} is missing")
        for key in self.data:
            if key not in required and key not in optional:
                raise self.error(key, f"no such key; allowed: {', '.join((*required, *optional))}")

    def tables(self, key: str) -> list[_Entry]:
        """The tables ``[[key]]``, one or more."""
        value = self.data[key]
        if not isinstance(value, list) or not value or not all(isinstance(entry, dict) for entry in value):
            raise self.error(key, f"must be one or more tables [[{key}]]")
        return [_Entry(self.file, (*self.path, key, number), entry) for number, entry in enumerate(value)]

    def named_tables(self, key: str) -> dict[str, _Entry]:
        """The tables ``[key.NAME]`` by name."""
        value = self.data[key]
        if not isinstance(value, dict) or not all(isinstance(entry, dict) for entry in value.values()):
            raise self.error(key, f"must be tables [{key}.NAME]")
        return {name: _Entry(self.file, (*self.path, key, name), entry) for name, entry in value.items()}

    def text(self, key: str, allowed: Collection[str] = ()) -> str:
        """A text of one line that is not blank, and one of ``allowed`` if anything is listed."""
        value = self.data[key]
        if not isinstance(value, str) or not value.strip() or "\n" in value:
            raise self.error(key, f"must be a text of one line, not {format_value(value)}")
        if allowed and value not in allowed:
            raise self.error(key, f"no such value: {format_value(value)}; allowed: {', '.join(allowed)}")
        return value


def _sections(tops: Iterable[_Entry]) -> tuple[Section, ...]:
    """The sections of all files, each of a name of its own: lists of claims go by it."""
    found: dict[str, Section] = {}
    for entry in (entry for top in tops for entry in top.tables("sections")):
        section = _section(entry)
        if section.name in found:
            raise entry.error("name", f"the section {format_value(section.name)} is given twice; each has its own name")
        found[section.name] = section
    return tuple(found.values())


def _sources(tops: Iterable[_Entry]) -> dict[str, Source]:
    """The sources of all files by key; a file may cite those of another."""
    found: dict[str, Source] = {}
    for top in tops:
        for key, entry in (top.named_tables("sources") if "sources" in top.data else {}).items():
            if key in found:
                raise entry.error(None, f"the source {key} is given twice; any file may cite it")
            found[key] = _source(key, entry)
    return found


def _section(entry: _Entry) -> Section:
    entry.check_keys(required=("seed", "name", "sentences"))
    numbers = entry.data["sentences"]
    if not isinstance(numbers, list) or not numbers or not all(type(n) is int and n > 0 for n in numbers):
        raise entry.error("sentences", "must be whole numbers from 1 up, one for each item")
    return Section(entry.text("seed", SEEDS), entry.text("name"), tuple(numbers))


def _source(key: str, entry: _Entry) -> Source:
    entry.check_keys(required=("title", "address", "seen"))
    address = entry.text("address")
    if not address.startswith(("http://", "https://")):
        raise entry.error("address", f"must begin with http:// or https://, not {format_value(address)}")
    return Source(key, entry.text("title"), address, entry.text("seen", SEEN))


def _claim(entry: _Entry, sections: Iterable[Section]) -> Claim:
    entry.check_keys(_REQUIRED, _OPTIONAL)
    claim_id, seed, place = entry.text("id"), entry.text("seed", SEEDS), entry.text("place")
    fits = _ID.fullmatch(claim_id)
    if not fits or fits[1] != seed:
        raise entry.error("id", f"must be the seed, a short name and two digits, such as {seed}-play-05")
    if not any(section.seed == seed and place in section.places() for section in sections):
        raise entry.error("place", f"no such place in seed ({seed}): {format_value(place)}; see [[sections]]")
    return Claim(
        id=claim_id,
        seed=seed,
        place=place,
        kind=entry.text("kind", KINDS),
        says=entry.text("says"),
        test=_test(entry),
        verdict=entry.text("verdict", VERDICTS) if "verdict" in entry.data else None,
        evidence=_evidence(entry),
        remark=entry.text("remark") if "remark" in entry.data else "",
    )


def _test(entry: _Entry) -> str | None:
    """The test of a claim, None if it has a verdict; InputError unless it has exactly one of the two."""
    if ("test" in entry.data) == ("verdict" in entry.data):
        has = "both" if "test" in entry.data else "neither"
        raise entry.error(None, f"must have either a test or a verdict with evidence, and has {has}")
    if "verdict" in entry.data:
        for key in ("evidence", "remark"):
            if key not in entry.data:
                raise entry.error(None, f"key {key!r} is missing; a verdict needs evidence and a remark that says why")
        return None
    if "evidence" in entry.data:
        raise entry.error("evidence", "goes with a verdict; a claim with a test has none")
    test = entry.text("test")
    if not _TEST.fullmatch(test):
        raise entry.error("test", f"must be such as tests/test_show.py::test_name, not {format_value(test)}")
    return test


def _evidence(entry: _Entry) -> tuple[str, ...]:
    """Evidence of a claim, each ``form:name``; empty for a claim that has a test."""
    if "evidence" not in entry.data:
        return ()
    values = entry.data["evidence"]
    if not isinstance(values, list) or not values or not all(isinstance(value, str) for value in values):
        raise entry.error("evidence", f"must be a list of one or more texts, not {format_value(values)}")
    for value in values:
        form, _, name = value.partition(":")
        if form not in EVIDENCE or not _NAME.fullmatch(name):
            forms = ", ".join(f"{form}:NAME" for form in EVIDENCE)
            raise entry.error("evidence", f"{format_value(value)} is none of the forms {forms}")
        if values.count(value) > 1:
            raise entry.error("evidence", f"{format_value(value)} is given twice")
    return tuple(values)


def _check_cited(entry: _Entry, claim: Claim, ids: Collection[object], sources: Mapping[str, Source]) -> None:
    """Refuse a source or a claim that the evidence names and the file does not hold."""
    for key in claim.named("source"):
        if key not in sources:
            raise entry.error("evidence", f"no such source: {key}; listed are {', '.join(sorted(sources))}")
    for cited in claim.named("claim"):
        if cited not in ids or cited == claim.id:
            raise entry.error("evidence", f"no other claim has the id {cited}")
    if claim.verdict in ("contradicted-by-a-source", "no-source-seen") and not claim.named("source"):
        raise entry.error("evidence", f"the verdict {claim.verdict} must name a source, as source:KEY")
