"""Variants: named rules with the source of each value, read from TOML files.

A variant is a TOML file: a ``base`` and the differences from it, each value with its source beside it. Nothing here
knows how the game is played; the records only hold values that make sense together. Errors are one line each and name
the file, the place and what is allowed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

from noddysim.game import readings
from noddysim.game.errors import InputError
from noddysim.game.families import FAMILIES, Family, Rules, family_of
from noddysim.game.rulecheck import META, Given, Problems, did_you_mean, differences, rules_with
from noddysim.game.rulemodels import PeggingRules, Seen, Status, either
from noddysim.game.tomlfile import KeyPath, TomlFile, format_path, format_value, one_line, read_toml

__all__ = ["NO_SOURCE", "PeggingRules", "Source", "Variant", "load_variant", "variant_names"]


@dataclass(frozen=True)
class Source:
    """Where a value comes from: key of the source, place in it, and how far the source was seen for this value."""

    key: str
    place: str
    seen: Seen
    note: str = ""


NO_SOURCE: Final = "own"
"""Key of the source of a value for which none was given."""


@dataclass(frozen=True)
class Variant:
    """A named set of rules with the source of each value. Made by ``load_variant`` and ``replace``, always checked."""

    name: str
    title: str
    status: Status
    summary: str
    base: str | None
    origin: str
    rules: Rules
    source_items: tuple[tuple[str, Source], ...] = field(repr=False)
    replaced_from: Variant | None = field(default=None, repr=False, compare=False)

    @property
    def sources(self) -> dict[str, Source]:
        """Source of every value, by dotted key (``play.fifteen``)."""
        return dict(self.source_items)

    @property
    def family(self) -> Family:
        """The family of games it belongs to."""
        return family_of(self.rules)

    @property
    def pegging(self) -> PeggingRules:
        """Its rules, if it is a game with a play of cards to a count. Raises InputError if it is not."""
        if not isinstance(self.rules, PeggingRules):
            raise InputError(f"{self.name} has no play of cards to a count, as Noddy has; this is not for it")
        return self.rules

    @property
    def readings_in_force(self) -> dict[str, str | bool | int]:
        """Named readings that the rules follow, by option; ``own`` where they follow none of the named ones."""
        return readings.readings_in_force(self.family.readings, self.rules.model_dump())

    def replace(self, **changes: Any) -> Variant:
        """The same rules with some fields or readings changed; tables (play, show, head_start) are merged.

        ``replace(target=61)``, ``replace(turned_jack="off")``, ``replace(play={"fifteen": 3})``. The name of the
        result says what differs. Raises InputError if the result is not allowed.
        """
        rules = rules_with(self.rules, changes, Problems(Given(self.name, changes), self.family))
        root = self.replaced_from or self
        if rules == root.rules:
            return root
        words = differences(self.family, root.rules.model_dump(), rules.model_dump())
        sources = _carry_sources(root, rules, f"changed in {root.name}")
        return replace(
            root,
            name=root.name + "".join(f"+{word}" for word in words),
            title=f"{root.title} ({', '.join(words)})",
            status="provisional",
            summary=f"{root.title} with these changes: {', '.join(words)}.",
            base=root.name,
            rules=rules,
            source_items=tuple(sources.items()),
            replaced_from=root,
        )


# --- files ----------------------------------------------------------------------------------------------------------

_TEXTS: Final = {"name": 60, "title": 120, "summary": 400}
_FAMILY: Final = "pegging"
"""The family of a file that has no base and names none."""
_FOLDER: Final = Path(__file__).parent / "variants"


@cache
def variant_names(family: str | None = None) -> tuple[str, ...]:
    """Names of the built-in variants, sorted; of one family of games if its name is given."""
    names = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))
    return names if family is None else tuple(name for name in names if _built_in(name).family.name == family)


def load_variant(name_or_path: str | os.PathLike[str]) -> Variant:
    """The built-in variant of this name, or the variant in the file at this path.

    A text is a path if it ends in ``.toml``, holds a path separator, or names an existing file and no built-in
    variant. Raises InputError, one line, for an unknown name or a file that is not a sound variant.
    """
    text = os.fspath(name_or_path)
    if not _is_path(text, None):
        if text not in variant_names():
            raise InputError(_no_such_variant(text))
        return _built_in(text)
    return _read_variant(Path(text), one_line(text), ())


@cache
def _built_in(name: str) -> Variant:
    return _read_variant(_FOLDER / f"{name}.toml", f"{name}.toml (built in)", ())


def _is_path(text: str, folder: Path | None) -> bool:
    if text.endswith(".toml") or "/" in text or os.sep in text or (os.altsep is not None and os.altsep in text):
        return True
    return text not in variant_names() and os.path.isfile(text if folder is None else folder / text)


def _no_such_variant(text: str) -> str:
    names = variant_names()
    hint = did_you_mean(text, names) or "."
    return (
        f"no variant is named {format_value(text)}{hint} "
        f"Variants are: {', '.join(names)}; a file of your own is given by a path that ends in .toml"
    )


Opened = tuple[tuple[Path, str], ...]
"""Files being read, outermost first: the resolved path and the name shown."""


def _read_variant(path: Path, shown: str, opened: Opened) -> Variant:
    file = read_toml(path, shown)
    data = file.data
    problems = Problems(file)
    _check_meta(data, problems)
    if not problems.found.keys().isdisjoint((("base",), ("family",))):  # without these the rest cannot be judged
        problems.raise_any()
    base = _read_base(file, (*opened, (path.resolve(), shown))) if "base" in data else None
    problems.family = FAMILIES[data.get("family", base.family.name if base else _FAMILY)]
    if base and base.family is not problems.family:
        problems.refuse(("family",), data["family"], f'"{base.family.name}", the family of its base {base.name}')
        problems.raise_any()
    sources = _given_sources(data.get("sources", {}), problems)
    given = {key: value for key, value in data.items() if key not in META}
    rules = rules_with(base.rules if base else None, given, problems)
    place = f"set in {shown}"
    carried = (
        _carry_sources(base, rules, place)
        if base
        else dict.fromkeys(problems.family.leaves, Source(NO_SOURCE, place, "none"))
    )
    name = data.get("name", one_line(path.stem))
    if name in variant_names() and path.resolve().parent != _FOLDER.resolve():
        raise InputError(_built_in_name(file, name))
    changes = differences(base.family, base.rules.model_dump(), rules.model_dump()) if base else []
    default_summary = f"{base.title} with these changes: {', '.join(changes) or 'none'}." if base else ""
    return Variant(
        name=name,
        title=data.get("title", name),
        status=data.get("status", "provisional"),
        summary=data.get("summary", default_summary),
        base=base.name if base else None,
        origin=shown,
        rules=rules,
        source_items=tuple({**carried, **sources}.items()),
    )


def _built_in_name(file: TomlFile, name: str) -> str:
    """What to say of a user's file that would be taken for a built-in variant."""
    if "name" in file.data:
        return f"{file.where(('name',))}: name = {format_value(name)} is a built-in name; choose another"
    return f"{file.shown}: without a name it is named after its file, and {name} is a built-in name; give it a name"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _check_meta(data: dict[str, Any], problems: Problems) -> None:
    """Name, title, summary, status, base and family of a file."""
    for key, longest in _TEXTS.items():
        value = data.get(key, "-")
        if not (isinstance(value, str) and value.strip() and value.isprintable() and len(value) <= longest):
            problems.refuse((key,), value, f"a text of 1 to {longest} characters on one line")
    if not _is_text(data.get("base", "-")):
        problems.refuse(("base",), data["base"], "the name of a variant, or a path to a file as seen from this one")
    if data.get("status", "provisional") not in get_args(Status):
        problems.refuse(("status",), data["status"], either(Status))
    if str(data.get("family", _FAMILY)) not in FAMILIES:
        problems.refuse(("family",), data["family"], " or ".join(f'"{name}"' for name in FAMILIES))


def _read_base(file: TomlFile, opened: Opened) -> Variant:
    """The variant that a file builds on; ``opened`` ends with the file itself."""
    text = file.data["base"]
    folder, shown_folder = opened[-1][0].parent, os.path.dirname(file.shown)

    def refuse(reason: str) -> InputError:
        return InputError(f"{file.where(('base',))}: base = {format_value(text)}: {reason}")

    if not _is_path(text, folder):
        if text not in variant_names():
            raise refuse(_no_such_variant(text))
        return _built_in(text)
    path = folder / text
    if not os.path.isfile(path):
        names = [name for name in variant_names() if text in (f"{name}.toml", f"./{name}.toml")]
        hint = f'; for the built-in variant write base = "{names[0]}"' if names else ""
        reason = "this is a folder; a TOML file is needed" if os.path.isdir(path) else "there is no such file"
        raise refuse(reason + hint)
    if path.resolve() in [earlier for earlier, _ in opened]:
        raise refuse(f"the bases go round in a circle: {' -> '.join([*(shown for _, shown in opened), text])}")
    return _read_variant(path, one_line(os.path.join(shown_folder, text)), opened)


# --- sources --------------------------------------------------------------------------------------------------------

_SOURCE_KEYS: Final = ("from", "place", "seen", "note")
_SOURCE_WORDS: Final = 'a table like {from = "seed-b", place = "Pegging Play 5", seen = "whole"}'


def _given_sources(table: Any, problems: Problems) -> dict[str, Source]:
    """Sources of a file by dotted key; a reading's name stands for all fields that the reading sets."""
    if not isinstance(table, dict):
        problems.refuse(("sources",), table, "a table of sources by dotted key")
        return {}
    found: dict[str, Source] = {}
    for path, entry in _source_entries(problems.family, table):
        key = ".".join(path)
        family = problems.family
        by_reading = {r.option: r.fields for r in family.readings if r.built and r.option not in family.leaves}
        if key not in family.leaves and key not in by_reading:
            hint = did_you_mean(key, (*family.leaves, *by_reading)) or "; a source belongs to a field or a reading"
            problems.add(("sources", *path), f"sources: no value is called {format_value(key)}{hint}")
        elif source := _source(("sources", *path), entry, problems):
            # A field named by itself knows better than the reading that sets it.
            found.update({leaf: source for leaf in by_reading.get(key, ()) if leaf not in found})
            found.update({key: source} if key in family.leaves else {})
    return found


def _source_entries(family: Family, table: dict[str, Any]) -> list[tuple[tuple[str, ...], Any]]:
    """Entries with their keys: ``"play.fifteen" = {…}`` and ``play.fifteen = {…}`` are the same."""
    entries: list[tuple[tuple[str, ...], Any]] = []
    for key, value in table.items():
        if key in family.tables and isinstance(value, dict) and not isinstance(value.get("from"), str):
            entries.extend(((key, sub), entry) for sub, entry in value.items())
        else:
            entries.append(((key,), value))
    return entries


def _source(path: KeyPath, entry: Any, problems: Problems) -> Source | None:
    if not isinstance(entry, dict):
        problems.refuse(path, entry, _SOURCE_WORDS)
        return None
    before = len(problems.found)
    for key in entry:
        if key not in _SOURCE_KEYS:
            problems.unknown((*path, key), _SOURCE_KEYS)
    for key in _SOURCE_KEYS:
        value = entry.get(key, "-" if key == "note" else None)
        if value is None:
            problems.add((*path, key), f"{format_path(path)}: {key} is missing; a source is {_SOURCE_WORDS}")
        elif not (isinstance(value, str) and value.strip() and value.isprintable()):
            problems.refuse((*path, key), value, "a text on one line")
        elif key == "seen" and value not in get_args(Seen):
            problems.refuse((*path, key), value, either(Seen))
    if len(problems.found) > before:
        return None
    return Source(entry["from"], entry["place"], entry["seen"], entry.get("note", ""))


def _carry_sources(base: Variant, rules: Rules, place: str) -> dict[str, Source]:
    """The base's sources for unchanged values; the rest is marked as having none."""
    old, new = base.rules.model_dump(), rules.model_dump()
    kept = base.sources
    own = Source(NO_SOURCE, place, "none")
    return {k: kept[k] if readings.look_up(old, k) == readings.look_up(new, k) else own for k in base.family.leaves}
