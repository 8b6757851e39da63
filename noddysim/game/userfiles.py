"""Expressions of strategies taken apart (``TIP@BASE``, ``DISCARD+PLAY``, ``NAME:lead@BASE``), and the user's files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

from noddysim.game.errors import InputError
from noddysim.game.strategy_file import read_exact
from noddysim.game.tomlfile import one_line
from noddysim.game.userfunctions import file_of

Search = Sequence[str | Path]


def parts_of(expression: str) -> list[str]:
    """The parts between ``@``; raises InputError if one is empty."""
    parts = split(expression, "@")
    if not all(name for part in parts for name in split(part, "+")):
        raise InputError(
            f"{expression!r}: a name is missing; write NAME, TIP@NAME or DISCARD+NAME, for example "
            "lead-low@greedy-random or keep-best+greedy"
        )
    return parts


def split(text: str, mark: str) -> list[str]:
    """The parts between marks; a part that is a path keeps the marks of its folders.

    It ends where ``.toml`` does, or behind the name of the function in a ``.py``.
    """
    pieces = text.split(mark)
    if not _has_folder(text):
        return [piece.strip() for piece in pieces]
    parts: list[str] = []
    for piece in pieces:
        if parts and _unfinished_path(parts[-1]):
            parts[-1] += mark + piece
        else:
            parts.append(piece)
    return [part.strip() for part in parts]


def _unfinished_path(text: str) -> bool:
    """Whether a path is begun and its end is still to come; parts joined before it by a plus do not count."""
    begun = ""
    for piece in text.split("+"):
        begun = f"{begun}+{piece}" if begun else piece
        if not _begins_path(begun):
            begun = ""
    return bool(begun)


def _begins_path(part: str) -> bool:
    name, _ = limit_of(part.strip())
    return _has_folder(name) and not name.lower().endswith(".toml") and file_of(name) is None


def _has_folder(text: str) -> bool:
    return "/" in text or "\\" in text


def is_path(name: str) -> bool:
    """Whether a name is that of a file."""
    return name.lower().endswith(".toml") or _has_folder(name)


def limit_of(part: str) -> tuple[str, Literal["lead", "follow"] | None]:
    """``greedy:lead`` as its name and its limit; a colon elsewhere (a Windows drive) belongs to the name.

    Behind ``file.py`` stands the name of a function, whatever it is.
    """
    name, _, limit = part.rpartition(":")
    if limit not in ("lead", "follow") or name.lower().endswith(".py"):
        return part, None
    return name, "lead" if limit == "lead" else "follow"


def strategy_files(expressions: Iterable[str], search: Search = ()) -> tuple[Path, ...]:
    """The user's files that some expressions name by their paths, each once, in order.

    Given as ``search`` they let the plain forms of those expressions, which hold names and no paths, be read again.
    """
    files = Files(tuple(Path(place) for place in search))
    names = dict.fromkeys(name for expression in expressions for name in _paths_in(expression))
    return tuple(
        dict.fromkeys(
            files.locate_functions(inside[0]) if (inside := file_of(name)) else files.locate(name) for name in names
        )
    )


@lru_cache(maxsize=1024)
def _paths_in(expression: str) -> tuple[str, ...]:
    # An experiment asks for the files of all its expressions again with each that it reads.
    names = [limit_of(part)[0] for joined in parts_of(expression) for part in split(joined, "+")]
    return tuple(name for name in names if is_path(name) or file_of(name))


@dataclass(frozen=True)
class Files:
    """The user's strategy files, and folders in which paths are looked up; and which files are being read.

    ``opened`` : the files that name the one which is read now as their base; a base must not lead back to them.
    """

    search: tuple[Path, ...] = ()
    opened: tuple[Path, ...] = field(default=())

    def own(self) -> dict[str, Path]:
        """The user's files by the name that each gives its strategy."""
        found: dict[str, Path] = {}
        for path in self.search:
            if path.suffix.lower() != ".toml":
                continue
            # Only the name is read here: the file itself may be the one whose base is looked for.
            toml = read_exact(path)
            name = one_line(str(toml.data.get("name")))
            if name in found and path.resolve() != found[name].resolve():
                where = toml.where(("name",))
                raise InputError(
                    f"{where}: name: {name!r} is the name in {one_line(str(found[name]))} too; rename one of them"
                )
            found[name] = path
        return found

    def locate(self, name: str) -> Path:
        """The file that a path means: as it stands, or in one of the search folders."""
        if not name.lower().endswith(".toml"):
            raise InputError(f"{one_line(name)}: a strategy file ends in .toml")
        for folder in self.search:
            if folder.suffix.lower() != ".toml" and (folder / name).is_file():
                return folder / name
        return Path(name)

    def locate_functions(self, name: str) -> Path:
        """The Python file that a name means: one of the search files or in one of the folders, or as it stands."""
        named = [place for place in self.search if place.suffix.lower() == ".py" and place.name == name]
        if len({place.resolve() for place in named}) > 1:
            raise InputError(f"{one_line(str(named[0]))} and {one_line(str(named[1]))}: rename one of these files")
        inside = [place / name for place in self.search if place.suffix.lower() not in (".py", ".toml")]
        return next((place for place in [*named, *inside] if place.is_file()), Path(name))
