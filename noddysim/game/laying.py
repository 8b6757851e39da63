"""The strategies for the games in which melds or sets are laid, from what is written for them.

An expression is a name, the path of a user's file, or ``TIP@BASE``: a tip changes some fields of its baseline. A name
may be a strategy and a tip (``wait-for-sums``): at the end of an expression it is the strategy, before ``@`` the tip.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from noddysim.game.errors import InputError
from noddysim.game.laying_data import GAME_WORDS, MELDING, SETS, Laid, Melder, Setter
from noddysim.game.laying_file import BUILT_IN, OWN, MeldersFile, SettersFile
from noddysim.game.meldmodels import MeldRules
from noddysim.game.snitchmodels import SnitchRules
from noddysim.game.strategy_data import Tip
from noddysim.game.strategy_file import checked, did_you_mean, read_exact
from noddysim.game.tomlfile import TomlFile, format_value
from noddysim.game.userfiles import Files, Search, is_path, parts_of

FIRST_MELDER: Final = "most-points"
FIRST_SETTER: Final = "most-points"
_RECORD: Final[Mapping[str, type[Melder] | type[Setter]]] = {MELDING: Melder, SETS: Setter}


def decisions_of(rules: MeldRules | SnitchRules) -> frozenset[str]:
    """The decisions that exist under some rules: advice on any other is vacuous there.

    ``draw``, to lay nothing although one could, exists where a meld need not be laid and some sum is worth waiting for.
    """
    if isinstance(rules, SnitchRules):
        return frozenset({"set", "throw"})
    waiting = not rules.must_meld and rules.sum_value == "face"
    return frozenset({"meld", "draw"} if waiting else {"meld"})


DECIDED_BY: Final[Mapping[str, str]] = {"sums_only": "draw"}
"""Fields that decide nothing where a decision does not exist."""


@cache
def laid_strategies(family: str) -> Mapping[str, Laid]:
    """The built-in strategies of a family by name, in the order of its file."""
    return {
        name: _RECORD[family](
            name=name, summary=entry.summary, title=entry.title, source=entry.source, **entry.changes()
        )
        for name, entry in _built_in(family).strategies.items()
    }


@cache
def laid_tips(family: str) -> Mapping[str, Tip]:
    """The built-in tips of a family by name, in the order of its file; each has its opposite among them."""
    return {
        name: Tip(
            name=name, title=entry.title, words=entry.words, source=entry.source, rule=entry.rule,
            decision=entry.decision, seat="every", opposite=entry.opposite, kind="tip", family=family,
            changes=tuple(entry.changes().items()),
        )
        for name, entry in _built_in(family).tips.items()
    }  # fmt: skip


def _built_in(family: str) -> MeldersFile | SettersFile:
    name, model = BUILT_IN[family]
    with as_file(files("noddysim.game") / name) as path:
        found = checked(model, read_exact(path, shown=name))
    assert isinstance(found, MeldersFile | SettersFile)
    return found


def melder(name: str | Melder, search: Search = ()) -> Melder:
    """The strategy for the melding game that an expression means. Raises InputError as ``read_laid`` does."""
    found = name if isinstance(name, Melder) else read_laid(MELDING, name, search)
    assert isinstance(found, Melder)
    return found


def setter(name: str | Setter, search: Search = ()) -> Setter:
    """The strategy for Snitch that an expression means. Raises InputError as ``read_laid`` does."""
    found = name if isinstance(name, Setter) else read_laid(SETS, name, search)
    assert isinstance(found, Setter)
    return found


def read_laid(family: str, expression: str, search: Search = ()) -> Laid:
    """The strategy of a family that an expression means; its name is the expression in its plain form.

    Args:
        family: ``melding`` or ``sets``.
        expression: ``NAME``, ``TIP@BASE`` or ``TIP@TIP@BASE``; a NAME may be the path of a user's file.
        search: the user's files, whose names then serve like built-in ones, and folders for relative paths.

    Raises:
        InputError: an unknown name, a tip without a baseline, a faulty file.
    """
    return _Reader(tuple(Path(place) for place in search), family=family).expression(expression)


def laid_tip_of(family: str, expression: str, search: Search = ()) -> tuple[Tip, str] | None:
    """The tip at the head of ``TIP@BASE`` and the expression of the base in its plain form; None without a tip."""
    reader = _Reader(tuple(Path(place) for place in search), family=family)
    reader.expression(expression)
    head, *below = parts_of(expression)
    if not below:
        return None
    return laid_tips(family)[head], reader.expression("@".join(below)).name


@dataclass(frozen=True)
class _Reader(Files):
    """Reads expressions of one family."""

    family: str = MELDING

    def expression(self, text: str) -> Laid:
        """The strategy of a whole expression."""
        *heads, foot = parts_of(text)
        found = self.whole(foot)
        for head in reversed(heads):
            found = with_tip(found, self.tip(head, found))
        return found

    def tip(self, name: str, base: Laid) -> Tip:
        """The tip that stands before ``@``."""
        known = laid_tips(self.family)
        if name in known:
            return known[name]
        if name in laid_strategies(self.family) or is_path(name) or name in self.own():
            raise InputError(f"{name} is a whole strategy and leaves nothing to {base.name}; put a tip there")
        game = GAME_WORDS[self.family]
        near = did_you_mean(name, known)
        raise InputError(f"no tip of {game} is named {name!r}{near}; there are: {', '.join(known)}")

    def whole(self, name: str) -> Laid:
        """The strategy at the end of an expression, by its built-in name, the name in a user's file, or a path."""
        if is_path(name):
            return self.file(self.locate(name))
        known = laid_strategies(self.family)
        if name in known:
            return known[name]
        own = self.own()
        if name in own:
            return self.file(own[name])
        if name in laid_tips(self.family):
            raise InputError(f"{name} is a tip; a tip needs a baseline, for example {name}@{next(iter(known))}")
        game = GAME_WORDS[self.family]
        near = did_you_mean(name, [*known, *own])
        raise InputError(f"no strategy of {game} is named {name!r}{near}; there are: {', '.join(known)}")

    def file(self, path: Path) -> Laid:
        """The strategy of a user's file: its own fields on those of its base."""
        toml = read_exact(path)
        if path.resolve() in self.opened:
            raise InputError(f"{toml.shown}: its base leads back to itself; a base must end in a built-in strategy")
        _check_family(toml, self.family)
        data = checked(OWN[self.family], toml)
        if data.name in laid_strategies(self.family) or data.name in laid_tips(self.family):
            raise InputError(f"{toml.where(('name',))}: name: {data.name!r} is a built-in name; choose another")
        changes = data.changes()
        if not changes:
            fields = ", ".join(laid_fields(self.family))
            raise InputError(f"{toml.shown}: says nothing of its own; give some of {fields}")
        base = None if data.base is None else self.below(toml, path, data.base)
        plain = _RECORD[self.family](data.name, data.summary)
        about = {
            "name": data.name, "title": data.title or data.name, "summary": data.summary,
            "source": data.source or f"the user's file {path.name}",
        }  # fmt: skip
        return _changed(base or plain, {**about, **changes})

    def below(self, toml: TomlFile, path: Path, base: str) -> Laid:
        """The base named in a file; relative paths in it start from the file's folder."""
        inner = _Reader((path.parent, *self.search), (*self.opened, path.resolve()), self.family)
        try:
            return inner.expression(base)
        except InputError as error:
            raise InputError(f"{toml.where(('base',))}: base: {error}") from error


def laid_fields(family: str) -> list[str]:
    """The keys of a user's file that decide anything."""
    about = ("name", "title", "summary", "source", "base", "family")
    return [name for name in OWN[family].model_fields if name not in about]


def _check_family(toml: TomlFile, family: str) -> None:
    """Raise InputError for a file that does not say that it is for this family."""
    given = toml.data.get("family")
    if given == family:
        return
    words = f'a strategy for {GAME_WORDS[family]} says family = "{family}"'
    if given is None:
        raise InputError(f"{toml.shown}: family: this key is missing; {words}")
    raise InputError(f"{toml.where(('family',))}: family: {format_value(given)} is not this game's; {words}")


def with_tip(base: Laid, tip: Tip) -> Laid:
    """A baseline with the fields that a tip sets."""
    about = {
        "name": f"{tip.name}@{base.name}", "title": f"{tip.title}, on {base.title}",
        "summary": f"{tip.rule} Otherwise: {base.summary}", "source": f"{tip.source}; {base.source}",
    }  # fmt: skip
    return _changed(base, {**about, **dict(tip.changes)})


def _changed(base: Laid, changes: Mapping[str, Any]) -> Laid:
    """The fields given in place of the baseline's; of its weights only those that are named."""
    values = dict(changes)
    if "weights" in values and isinstance(base, Melder):
        values["weights"] = {**base.weights, **values["weights"]}
    return replace(base, **values)
