"""A TOML file with the place of each key, so that an error can name file, line and column.

Values come from ``tomllib`` alone. Places come from a second reading by tree-sitter, which is done only when an error
has to be reported: a file without mistakes never pays for it.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noddysim.game.errors import InputError

if TYPE_CHECKING:
    from tree_sitter import Node

KeyPath = tuple[str | int, ...]
"""Way to a value: table keys as text, places in arrays as numbers from 0."""

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True)
class TomlFile:
    """What one file holds: ``shown`` is its name in messages, ``text`` its words, ``data`` its values."""

    shown: str
    text: str
    data: dict[str, Any]

    @cached_property
    def positions(self) -> dict[KeyPath, tuple[int, int]]:
        """Line and column, both from 1, of each key and array entry; empty if the grammar cannot be loaded."""
        return _find_positions(self.text)

    def position(self, path: KeyPath) -> tuple[int, int] | None:
        """Place of ``path``, or of the nearest table or array round it that this file names; None if it has none."""
        for length in range(len(path), 0, -1):
            found = self.positions.get(path[:length])
            if found is not None:
                return found
        return None

    def where(self, path: KeyPath) -> str:
        """``file:line:column`` of a path, or the file alone if the path has no place in it."""
        found = self.position(path)
        return self.shown if found is None else f"{self.shown}:{found[0]}:{found[1]}"


def read_toml(path: Path, shown: str | None = None) -> TomlFile:
    """Read one TOML file; ``shown`` is its name in messages (default: the path as given).

    Raises InputError, one line, for a file that is missing, a folder, unreadable, not UTF-8 or not TOML.
    """
    name = one_line(str(path) if shown is None else shown)
    return parse_toml(_read_text(path, name), name)


def parse_toml(text: str, shown: str) -> TomlFile:
    """Read TOML from a text. Raises InputError that names ``shown``, line and column."""
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise InputError(f"{shown}: not valid TOML: brackets are nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(_syntax_message(shown, text, str(error))) from None
    except ValueError:  # Python refuses to read a whole number of more than 4300 digits
        raise InputError(f"{shown}: not valid TOML: a number has thousands of digits") from None
    return TomlFile(shown, text, data)


def format_path(path: Iterable[str | int]) -> str:
    """A path for a reader: ``play.fifteen``, ``turned[1].rank`` (entries of an array are counted from 1)."""
    words = ""
    for part in path:
        if isinstance(part, int):
            words += f"[{part + 1}]"
        else:
            words += f".{part}" if words else part
    return one_line(words)


def format_value(value: object, longest: int | None = 60) -> str:
    """A value as it would stand in TOML, on one line, cut to ``longest`` characters (None: not cut)."""
    words = one_line(_toml_words(value))
    return words if longest is None or len(words) <= longest else words[: longest - 3] + "..."


def one_line(text: str) -> str:
    """The text with line breaks and other unprintable characters written out, so that a message stays one line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode("ascii") for c in text)


def _toml_words(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml_words(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml_words(entry) for entry in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**50:
        return "a number of more than 50 digits"
    return str(value)


def _read_text(path: Path, shown: str) -> str:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{shown}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{shown}: this is a folder; a TOML file is needed") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a null character
        # Windows reports a folder as a lack of permission.
        folder = os.path.isdir(path)
        reason = "this is a folder; a TOML file is needed" if folder else f"cannot be read: {_reason(error)}"
        raise InputError(f"{shown}: {reason}") from None
    try:
        return raw.decode("utf-8-sig")  # some editors put a byte order mark in front
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(f"{shown}:{line}: not UTF-8 text; save the file as UTF-8") from None


def _reason(error: OSError | ValueError) -> str:
    text = error.strerror if isinstance(error, OSError) else None
    return one_line((text or str(error)).lower())


def _syntax_message(shown: str, text: str, error: str) -> str:
    found = _PLACE.search(error)
    last_line = text.rpartition("\n")[2]
    line, column = (found[1], found[2]) if found and found[1] else (text.count("\n") + 1, len(last_line) + 1)
    where = f"{shown}:{line}:{column}"
    words = error if found is None else error[: found.start()]
    if words.startswith("Cannot overwrite"):
        words = "a key is given twice"
    return f"{where}: not valid TOML: {one_line(words[:1].lower() + words[1:])}"


# --- places ---------------------------------------------------------------------------------------------------------


def _find_positions(text: str) -> dict[KeyPath, tuple[int, int]]:
    try:
        import tree_sitter_toml
        from tree_sitter import Language, Parser

        parser = Parser(Language(tree_sitter_toml.language()))
    except (ImportError, ValueError):
        # A grammar that is absent, or too old for the parser, costs line numbers and nothing else.
        return {}
    return _Index(text.encode()).read(parser.parse(text.encode()).root_node)


class _Index:
    """Walks a syntax tree once and notes where each path begins."""

    def __init__(self, source: bytes) -> None:
        self.lines = source.split(b"\n")
        self.found: dict[KeyPath, tuple[int, int]] = {}
        self.array_lengths: dict[KeyPath, int] = {}

    def read(self, root: Node) -> dict[KeyPath, tuple[int, int]]:
        for node in root.children:
            if node.type == "pair":
                self.pair(node, ())
            elif node.type in ("table", "table_array_element"):
                self.table(node)
        return self.found

    def table(self, node: Node) -> None:
        header = node.children[1]
        path = self.resolve(_keys(header), node.type == "table_array_element")
        self.note(path, node)
        for child in node.children:
            if child.type == "pair":
                self.pair(child, path)

    def resolve(self, keys: list[str], opens_entry: bool) -> KeyPath:
        """Path of a table header: a step into an array of tables goes to its last entry."""
        path: KeyPath = ()
        for number, key in enumerate(keys):
            path += (key,)
            if opens_entry and number == len(keys) - 1:
                self.array_lengths[path] = self.array_lengths.get(path, 0) + 1
            if path in self.array_lengths:
                path += (self.array_lengths[path] - 1,)
        return path

    def pair(self, node: Node, prefix: KeyPath) -> None:
        path = prefix + tuple(_keys(node.children[0]))
        self.note(path, node)
        self.value(node.children[-1], path)

    def value(self, node: Node, path: KeyPath) -> None:
        if node.type == "inline_table":
            for child in node.children:
                if child.type == "pair":
                    self.pair(child, path)
        elif node.type == "array":
            entries = (child for child in node.children if child.is_named and child.type != "comment")
            for number, child in enumerate(entries):
                self.note((*path, number), child)
                self.value(child, (*path, number))

    def note(self, path: KeyPath, node: Node) -> None:
        row, column = node.start_point  # the column counts bytes
        place = row + 1, len(self.lines[row][:column].decode(errors="replace")) + 1
        for length in range(1, len(path) + 1):
            self.found.setdefault(path[:length], place)


def _keys(node: Node) -> list[str]:
    return [_key_text(leaf) for leaf in _leaves(node)]


def _leaves(node: Node) -> Iterator[Node]:
    """The single keys of a dotted key, left to right, without recursion: a key may have thousands of dots."""
    stack = [node]
    while stack:
        top = stack.pop()
        if top.type == "dotted_key":
            stack.extend(reversed(top.children))
        elif top.type in ("bare_key", "quoted_key"):
            yield top


def _key_text(node: Node) -> str:
    text = (node.text or b"").decode()
    return next(iter(tomllib.loads(f"{text} = 0"))) if node.type == "quoted_key" else text
