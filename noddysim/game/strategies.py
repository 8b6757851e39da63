"""Strategies and tips by name: the built-in ones, expressions such as ``lead-low@greedy-random``, and a user's files.

An expression is read from the right: ``a@b@c`` is a on top of (b on top of c). The last part is a whole strategy; a
part before it is a tip, or a whole strategy used only on leads (``NAME:lead``) or only on other cards
(``NAME:follow``). Wherever a strategy's name may stand, the path of a strategy file may stand too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final, Literal

from noddysim.game import features as f
from noddysim.game.cards import RANK_NAMES, RANKS, pips
from noddysim.game.errors import InputError
from noddysim.game.features import StrategyTable
from noddysim.game.strategy_data import (
    NO_RANKS,
    Level,
    Strategy,
    Tip,
    describe_strategy,
    describe_tip,
    identity,
    restrict,
    strategy_json,
    tip_json,
)
from noddysim.game.strategy_file import (
    StrategyEntry,
    StrategyFile,
    TipEntry,
    checked,
    did_you_mean,
    level_of,
    read_exact,
    refuse_tall,
)
from noddysim.game.tomlfile import TomlFile, one_line

__all__ = [
    "Level",
    "Strategy",
    "StrategyTable",
    "Tip",
    "builtin_strategies",
    "builtin_tips",
    "describe_strategy",
    "describe_tip",
    "encode",
    "identity",
    "lead_probes",
    "parse_strategy",
    "read_strategy_file",
    "strategy_json",
    "tip_json",
    "tip_of",
]

Search = Sequence[str | Path]

_WHERE_LISTED: Final = "`noddysim strategies` and `noddysim tips` list the names"


@cache
def builtin_strategies() -> Mapping[str, Strategy]:
    """The built-in strategies by name, in the order of ``strategies.toml``."""
    source = _builtin_file("strategies.toml")
    return {name: _strategy(name, checked(StrategyEntry, source, name)) for name in source.data}


@cache
def builtin_tips() -> Mapping[str, Tip]:
    """The built-in tips by name, in the order of ``tips.toml``; each has its opposite among them.

    A tip whose name ends in ``-strict`` shares the opposite of the tip that it is a stricter reading of.
    """
    source = _builtin_file("tips.toml")
    return {name: checked(TipEntry, source, name).tip(name) for name in source.data}


@cache
def lead_probes() -> Mapping[str, Tip]:
    """``lead-rank-a`` … ``lead-rank-k``: to lead a card of that rank when one is held; nobody's advice."""
    return {probe.name: probe for probe in map(_lead_probe, range(13))}


def _builtin_file(name: str) -> TomlFile:
    with as_file(files("noddysim.game") / name) as path:
        return read_exact(path, shown=name)


def _strategy(name: str, entry: StrategyEntry) -> Strategy:
    levels = tuple(level_of(level) for level in entry.levels)
    return Strategy(name, entry.title, entry.summary, entry.source, levels, entry.ties)


def _lead_probe(rank: int) -> Tip:
    article = "an" if RANK_NAMES[rank][0] in "ae" else "a"
    worth = tuple(f.MICRO if place == rank else 0 for place in range(13))
    return Tip(
        name=f"lead-rank-{RANKS[rank].lower()}",
        title=f"Lead {article} {RANK_NAMES[rank]}",
        words=f"Open with {article} {RANK_NAMES[rank]}.",
        source="nobody's advice: made to compare leads rank by rank",
        rule=f"On an empty pile lay {article} {RANK_NAMES[rank]} if one is held.",
        decision="lead",
        seat="eldest",
        opposite=None,
        kind="probe",
        levels=(Level(when="lead", ranks=worth),),
    )


def _tip(name: str) -> Tip | None:
    return builtin_tips().get(name) or lead_probes().get(name)


# --- expressions


def parse_strategy(expression: str, search: Search = ()) -> Strategy:
    """The strategy that an expression means; its name is the expression in its plain form.

    Args:
        expression: ``NAME``, ``TIP@BASE``, ``NAME:lead@BASE``, ``NAME:follow@BASE``; a NAME may be the path of a
            strategy file (``.toml``), and a TIP may be limited in the same way (``save-fives:lead@BASE``).
        search: the user's strategy files, whose names then serve like built-in ones, and folders in which relative
            paths are looked up before the current folder.

    Raises:
        InputError: an unknown name, a tip without a baseline, a faulty file, more than 8 levels.
    """
    return _Reader(tuple(Path(place) for place in search)).expression(expression)


def tip_of(expression: str, search: Search = ()) -> tuple[Tip, str] | None:
    """The tip at the head of ``TIP@BASE`` and the expression of the base in its plain form; None without a tip.

    Raises InputError as `parse_strategy` does.
    """
    reader = _Reader(tuple(Path(place) for place in search))
    reader.expression(expression)
    head, *below = _parts(expression)
    name, when = _limit(head)
    tip = _tip(name)
    if tip is None:
        return None
    return _limited_tip(tip, when), reader.expression("@".join(below)).name


def strategy_files(expressions: Iterable[str], search: Search = ()) -> tuple[Path, ...]:
    """The user's files that some expressions name by their paths, each once, in order.

    Given as ``search`` they let the plain forms of those expressions, which hold names and no paths, be read again.
    """
    reader = _Reader(tuple(Path(place) for place in search))
    names = [_limit(part)[0] for expression in expressions for part in _parts(expression)]
    return tuple(dict.fromkeys(reader.locate(name) for name in names if _is_path(name)))


def read_strategy_file(path: str | Path, search: Search = ()) -> Strategy:
    """The strategy of a user's file. Raises InputError that names the file, the key and what is allowed."""
    return _Reader(tuple(Path(place) for place in search)).file(Path(path))


def _parts(expression: str) -> list[str]:
    """The parts between ``@``; a part that is a path keeps the ``@`` of its folders: it ends where ``.toml`` does."""
    parts: list[str] = []
    for piece in expression.split("@"):
        if parts and _unfinished_path(parts[-1]):
            parts[-1] += "@" + piece
        else:
            parts.append(piece)
    parts = [part.strip() for part in parts]
    if not all(parts):
        raise InputError(
            f"{expression!r}: a name is missing; write NAME or TIP@NAME, for example lead-low@greedy-random"
        )
    return parts


def _unfinished_path(part: str) -> bool:
    name, _ = _limit(part)
    return ("/" in name or "\\" in name) and not name.lower().endswith(".toml")


def _is_path(name: str) -> bool:
    return name.lower().endswith(".toml") or "/" in name or "\\" in name


def _limit(part: str) -> tuple[str, Literal["lead", "follow"] | None]:
    """``greedy:lead`` as its name and its limit; a colon elsewhere (a Windows drive) belongs to the name."""
    if part.endswith(":lead"):
        return part.removesuffix(":lead"), "lead"
    if part.endswith(":follow"):
        return part.removesuffix(":follow"), "follow"
    return part, None


def _limited_tip(tip: Tip, when: Literal["lead", "follow"] | None) -> Tip:
    if when is None:
        return tip
    levels = restrict(tip.levels, when)
    if not levels:
        raise InputError(
            f"{tip.name}:{when}: the tip says nothing about {_LIMIT_WORDS[when]}; use {tip.name} without :{when}"
        )
    rule = f"{tip.rule} Only for {_LIMIT_WORDS[when]}."
    seat: Literal["eldest", "every"] = "eldest" if when == "lead" else "every"
    title = f"{tip.title} ({_LIMIT_WORDS[when]} only)"
    return replace(tip, name=f"{tip.name}:{when}", title=title, rule=rule, decision=when, seat=seat, levels=levels)


_LIMIT_WORDS: Final = {"lead": "leads", "follow": "cards on a pile already begun"}


@dataclass(frozen=True)
class _Reader:
    """Reads expressions; knows the user's files and which files are being read (a base must not lead back to them)."""

    search: tuple[Path, ...] = ()
    opened: tuple[Path, ...] = field(default=())

    def expression(self, text: str) -> Strategy:
        """The strategy of a whole expression."""
        parts = _parts(text)
        result = self.whole(parts[-1])
        for part in reversed(parts[:-1]):
            result = self.on_top(part, result)
            refuse_tall(result.levels, result.name)
        return result

    def whole(self, part: str) -> Strategy:
        """The strategy at the foot of a stack."""
        name, when = _limit(part)
        if _tip(name) is not None:
            raise InputError(f"{part} is a tip; a tip needs a baseline, for example {part}@greedy-random")
        strategy = self.named(name)
        if when is not None:
            raise InputError(
                f"{part} decides on {_LIMIT_WORDS[when]} only and needs a baseline for the rest, "
                f"for example {part}@greedy"
            )
        return strategy

    def on_top(self, part: str, base: Strategy) -> Strategy:
        """A tip, or a strategy limited to leads or other cards, stacked on a base."""
        name, when = _limit(part)
        tip = _tip(name)
        if tip is not None:
            tip = _limited_tip(tip, when)
            return _stacked(base, tip.name, tip.title, tip.rule, tip.source, tip.levels)
        upper = self.named(name)
        if when is None:
            raise InputError(
                f"{part} is a whole strategy and leaves nothing to {base.name}; "
                f"write {part}:lead@… or {part}:follow@…, or put a tip there"
            )
        levels = restrict(upper.levels, when, upper.ties)
        title = f"{upper.title} ({_LIMIT_WORDS[when]} only)"
        summary = f"For {_LIMIT_WORDS[when]}: {upper.summary}"
        return _stacked(base, f"{upper.name}:{when}", title, summary, upper.source, levels)

    def named(self, name: str) -> Strategy:
        """A strategy by its built-in name, the name in a user's file, or a path."""
        if _is_path(name):
            return self.file(self.locate(name))
        built_in = builtin_strategies()
        if name in built_in:
            return built_in[name]
        own = self.own()
        if name in own:
            return self.file(own[name])
        if ":" in name:
            raise InputError(f"unknown strategy: {name!r}; after a colon only :lead or :follow may stand")
        near = did_you_mean(name, [*built_in, *own, *builtin_tips(), *lead_probes()])
        raise InputError(f"unknown strategy or tip: {name!r}{near}; {_WHERE_LISTED}")

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

    def file(self, path: Path) -> Strategy:
        """The strategy of a user's file, its base below its own levels."""
        toml = read_exact(path)
        if path.resolve() in self.opened:
            raise InputError(f"{toml.shown}: its base leads back to itself; a base must end in a built-in strategy")
        data = checked(StrategyFile, toml)
        if data.name in builtin_strategies() or _tip(data.name) is not None:
            raise InputError(f"{toml.where(('name',))}: name: {data.name!r} is a built-in name; choose another")
        levels = data.own_levels(toml)
        ties = data.ties
        if data.base is not None:
            base = self.below(toml, path, data.base)
            levels += base.levels
            ties = ties or base.ties
        refuse_tall(levels, toml.shown)
        source = data.source or f"the user's file {path.name}"
        return Strategy(data.name, data.title or data.name, data.summary, source, levels, ties or "low")

    def below(self, toml: TomlFile, path: Path, base: str) -> Strategy:
        """The base named in a file; relative paths in it start from the file's folder."""
        inner = _Reader((path.parent, *self.search), (*self.opened, path.resolve()))
        try:
            return inner.expression(base)
        except InputError as error:
            raise InputError(f"{toml.where(('base',))}: base: {error}") from error


def _stacked(base: Strategy, name: str, title: str, rule: str, source: str, levels: tuple[Level, ...]) -> Strategy:
    return Strategy(
        name=f"{name}@{base.name}",
        title=f"{title}, on {base.title}",
        summary=f"{rule} Otherwise: {base.summary}",
        source=f"{source}; {base.source}",
        levels=levels + base.levels,
        ties=base.ties,
    )


# --- arrays for the kernels


def encode(strategies: Sequence[Strategy]) -> StrategyTable:
    """Strategies as the integer arrays that the kernels read; see `StrategyTable` for shapes and codes.

    The weights of ``rank`` and ``pips`` go into the table of ranks.
    """
    import numpy as np  # here, so that reading strategies stays quick

    size, tall = len(strategies), f.MAX_LEVELS
    table = StrategyTable(
        weights=np.zeros((size, tall, len(f.FEATURES)), dtype=np.int64),
        ranks=np.zeros((size, tall, 13), dtype=np.int64),
        counts=np.zeros((size, tall, f.MAX_COUNT + 1), dtype=np.int64),
        when=np.zeros((size, tall), dtype=np.int64),
        final=np.full((size, tall), f.NO_FINAL, dtype=np.int64),
        levels=np.zeros(size, dtype=np.int64),
        ties=np.zeros(size, dtype=np.int64),
        needs=np.zeros((size, tall), dtype=np.int64),
        spares=np.zeros((size, tall), dtype=np.int64),
    )
    for s, strategy in enumerate(strategies):
        refuse_tall(strategy.levels, strategy.name)
        table.levels[s] = len(strategy.levels)
        table.ties[s] = f.TIES.index(strategy.ties)
        for place, level in enumerate(strategy.levels):
            _fill(table, s, place, level)
    return table


def _fill(table: StrategyTable, s: int, place: int, level: Level) -> None:
    """Write one level into row ``[s, place]`` of the arrays."""
    weights = dict(level.weights)
    by_rank, by_pips = weights.pop("rank", 0), weights.pop("pips", 0)
    for name, weight in weights.items():
        table.weights[s, place, f.FEATURES.index(name)] = weight
    for rank, weight in enumerate(level.ranks):
        table.ranks[s, place, rank] = weight + by_rank * (rank + 1) + by_pips * pips(rank)
    for count, weight in level.counts:
        table.counts[s, place, count] = weight
    table.when[s, place] = f.WHEN.index(level.when)
    table.final[s, place] = f.NO_FINAL if level.final is None else f.TIES.index(level.final)
    table.needs[s, place] = needs(level)
    table.spares[s, place] = level.spares


def needs(level: Level) -> int:
    """The sum of the ``NEED_…`` marks of a level: which kinds of features it has to compute."""
    names = {name for name, _ in level.weights}
    marks = {
        f.NEED_POINTS: level.spares or names & {"points", *f.PARTS},
        f.NEED_PARTS: names & {*f.PARTS},
        f.NEED_REPLY: names & {*f.REPLIES},
        f.NEED_OFFERS_RUN: names & {"offers_run"},
        f.NEED_PAIRED: names & {"paired"},
        f.NEED_LAST_RESERVE: names & {"last_reserve"},
        f.NEED_RANKS: level.ranks != NO_RANKS or names & {"rank", "pips"},
        f.NEED_COUNTS: level.counts,
    }
    return sum(mark for mark, wanted in marks.items() if wanted)
