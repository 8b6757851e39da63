"""Strategies that are Python functions of the user's: read from a file or handed over, known by name and by content.

A function stands in an expression as ``file.py:name``, or, once it has been handed over in Python, as ``name()``. What
it is asked, and how it becomes the play of two hands of three, is told in ``engine.functions``.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from noddysim.game.errors import InputError
from noddysim.game.strategy_data import Strategy
from noddysim.game.tomlfile import one_line

Function = Callable[..., Any]
ARGUMENTS: Final = ("seat", "hand", "laid", "count", "starter")
PLAIN: Final = (int, float, str, bool, type(None), bytes)
_IN_FILE: Final = re.compile(r"(?P<file>.*\.py):(?P<name>[^\W\d]\w*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class UserFunction:
    """A function, how expressions call it, and sixteen hex digits of what it is; None where that cannot be told."""

    name: str
    call: Function
    identity: str | None


_KNOWN: dict[str, UserFunction] = {}
"""By the key that a strategy carries as its ``book``: strategies are plain data. Kept as long as the process runs."""


def file_of(name: str) -> tuple[str, str] | None:
    """File and function of ``file.py:name``; None for another name."""
    found = _IN_FILE.fullmatch(name)
    return None if found is None else (found["file"], found["name"])


def is_function(name: str) -> bool:
    """Whether a part of an expression names a function: one in a file, or one that has been handed over."""
    return name in _KNOWN or file_of(name) is not None


def function_named(key: str) -> UserFunction:
    """The function that a strategy's ``book`` means; one in a file is read if this process has not met it yet.

    Raises InputError if the file is no longer what it was.
    """
    if key not in _KNOWN:
        place = key.rpartition(":")[0]
        found = file_of(place)
        if found is None:
            words = "a function handed over in Python is known in its own process only; put it into a file"
            raise InputError(f"{one_line(key)}: {words}, FILE.py:NAME")
        if read_function(Path(found[0]), found[1]).book != key:
            raise InputError(f"{one_line(place)}: the file has changed since the run began; begin anew")
    return _KNOWN[key]


def given_function(function: Function) -> Strategy:
    """A function that is handed over in Python as a strategy called ``name()``; another one of that name gets a number.

    Raises InputError for one that does not take what a strategy is asked.
    """
    arguments_of(function)
    plain = getattr(function, "__name__", type(function).__name__)
    number, key = 1, f"{plain}()"
    while key in _KNOWN and _KNOWN[key].call is not function:
        number += 1
        key = f"{plain}(){number}"
    return strategy_of(key, UserFunction(key, function, identity_of(function)), "handed over in Python")


def known_function(name: str) -> Strategy:
    """The strategy of a function that has been handed over, by its name."""
    return strategy_of(name, _KNOWN[name], "handed over in Python")


def read_function(path: Path, name: str) -> Strategy:
    """The strategy of a function in a Python file. The file is run.

    Raises InputError for a file that cannot be read or run, and for what is no function in it.
    """
    shown = one_line(str(path))
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(f"{shown}: cannot be read: {error.strerror}") from error
    mark = hashlib.sha256(text).hexdigest()[:16]
    key = f"{path.resolve()}:{name}:{mark}"
    if key not in _KNOWN:
        function = getattr(_run(path, shown, mark), name, None)
        if not callable(function):
            raise InputError(f"{shown}: it holds no function called {name}")
        try:
            arguments_of(function)
        except InputError as error:
            raise InputError(f"{shown}: {error}") from error
        _KNOWN[key] = UserFunction(f"{path.name}:{name}", function, identity_of(function))
    return strategy_of(key, _KNOWN[key], f"the user's file {path.name}")


def _run(path: Path, shown: str, mark: str) -> ModuleType:
    title = f"_noddysim_user_{mark}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"
    if title in sys.modules:
        return sys.modules[title]
    spec = importlib.util.spec_from_file_location(title, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # The source of a function is looked up by the module's name.
    sys.modules[title] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[title]
        raise InputError(f"{shown}: it cannot be run: {type(error).__name__}: {one_line(str(error))}") from error
    return module


def strategy_of(key: str, found: UserFunction, source: str) -> Strategy:
    """A known function as a strategy: it has no levels, and parts all cards by its book."""
    _KNOWN[key] = found
    words = inspect.getdoc(found.call) or "A function of the user's."
    return Strategy(found.name, found.name, words.splitlines()[0], source, (), "solved", book=key)


def arguments_of(function: Function) -> tuple[str, ...]:
    """The arguments that a function is asked with, with the starter or without; one that has a value keeps that.

    Raises InputError unless they are four or five.
    """
    try:
        given = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        given = ()  # type: ignore[assignment]
    plain = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = tuple(one.name for one in given if one.default is one.empty or one.name == ARGUMENTS[-1])
    others = [one for one in given if one.kind not in plain and one.default is one.empty]
    if others or len(names) not in (len(ARGUMENTS) - 1, len(ARGUMENTS)):
        raise InputError(
            f"{getattr(function, '__name__', function)!s:.60}: a strategy is a function of "
            f"{', '.join(ARGUMENTS[:-1])} and, if it looks at it, the {ARGUMENTS[-1]}"
        )
    return names


# --- what a function is -----------------------------------------------------------------------------------------------


def identity_of(function: Function) -> str | None:
    """Sixteen hex digits of a function's source and of the values that it closes over or reads; None if it has none.

    Other functions that it calls count with their own source. What it reads from its module must be plain values,
    such functions, or numpy and the standard library: else it cannot be told what it does.
    """
    try:
        text = repr(_content(function, ()))
    except (OSError, TypeError, ValueError):
        return None
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _content(function: Function, inside: tuple[Function, ...]) -> tuple[object, ...]:
    """What decides what a function does, as plain data. Raises ValueError where that cannot be told."""
    used = inspect.getclosurevars(function)
    values = {**used.globals, **used.nonlocals}
    defaults = (getattr(function, "__defaults__", None) or (), getattr(function, "__kwdefaults__", None) or {})
    seen = (*inside, function)
    told = [(name, _told(value, seen)) for name, value in sorted(values.items())]
    return inspect.getsource(function), told, [_told(one, seen) for one in defaults[0]], _keyed(defaults[1], seen)


def _keyed(values: dict[str, object], seen: tuple[Function, ...]) -> list[tuple[str, object]]:
    return [(name, _told(value, seen)) for name, value in sorted(values.items())]


def _told(value: object, seen: tuple[Function, ...]) -> object:
    if isinstance(value, tuple):
        return tuple(_told(part, seen) for part in value)
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, ModuleType) and value.__name__.partition(".")[0] in {*sys.stdlib_module_names, "numpy"}:
        return value.__name__
    if inspect.isbuiltin(value) and isinstance(value.__self__, ModuleType):
        return _told(value.__self__, seen), value.__name__
    if inspect.isfunction(value):
        return "itself" if value in seen else _content(value, seen)
    raise ValueError("a value that may be anything")
