"""Strategies and tips as TOML: the built-in files and a user's own, checked and turned into records.

Weights are decimals. They are read exactly, never as binary fractions, and kept as whole millionths of a point, so
that every machine compares cards alike.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from noddysim.game.cards import rank_from_text
from noddysim.game.errors import InputError
from noddysim.game.features import DISCARD_FEATURES, FEATURES, MAX_COUNT, MAX_LEVELS, MICRO, MOG_FEATURES
from noddysim.game.strategy_data import (
    NO_RANKS,
    AwayLevel,
    Decision,
    DiscardWhen,
    Kind,
    Level,
    MogWhen,
    OwnTies,
    Policy,
    PolicyKind,
    Seat,
    Ties,
    Tip,
    When,
    ordered_away_weights,
    ordered_weights,
)
from noddysim.game.tomlfile import TomlFile, format_path, format_value, read_toml

MAX_WEIGHT: Final = 1000
_DECIMAL: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_NAME: Final = re.compile(r"[^\s@:,+/\\]{1,60}")


def did_you_mean(word: str, allowed: Iterable[str]) -> str:
    """`` (did you mean X?)`` for the nearest allowed word, or nothing if none is near."""
    near = get_close_matches(word, list(allowed), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def read_exact(path: Path, shown: str | None = None) -> TomlFile:
    """A TOML file whose decimals are exact; ``shown`` is its name in messages. Raises InputError that names it."""
    rough = read_toml(path, shown)
    return replace(rough, data=tomllib.loads(rough.text, parse_float=_exact))


def _exact(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        # An exponent of twenty digits. No key of these files takes an infinite number, so it is refused by its key.
        return Decimal("Infinity")


def micro(value: object) -> int:
    """A weight in points (an integer, a decimal or its text) as whole millionths; raises InputError for others."""
    number = _decimal(value)
    if number is None:
        raise InputError(f'{format_value(value)} is not a weight; a weight is a decimal such as 2, -0.5 or "0.25"')
    # Not abs(number): that would round a long number before it is compared.
    if not -MAX_WEIGHT <= number <= MAX_WEIGHT:
        raise InputError(f"a weight lies between -{MAX_WEIGHT} and {MAX_WEIGHT}")
    # The size comes first: a number such as 1e-9999 must not be written out in full.
    exact = Fraction(0) if number == 0 else None if number.adjusted() < -6 else Fraction(number) * MICRO
    if exact is None or exact.denominator != 1:
        raise InputError(f"{format_value(value)} has more than 6 decimal places")
    return exact.numerator


def _decimal(value: object) -> Decimal | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        # A number beyond all bounds stays beyond them; turning it into text could be refused by Python.
        return Decimal(max(-MAX_WEIGHT - 1, min(value, MAX_WEIGHT + 1)))
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    if isinstance(value, str) and _DECIMAL.fullmatch(value):
        return Decimal(value)
    return None


def _one_of(features: Sequence[str], scope: str) -> AfterValidator:
    """A check that a feature is one of those that can be weighed in some place."""

    def check(name: str) -> str:
        if name not in features:
            hint = did_you_mean(name, features)
            raise InputError(f"no such feature{scope}{hint}; features are {', '.join(features)}")
        return name

    return AfterValidator(check)


def _name(name: str) -> str:
    if not _NAME.fullmatch(name) or not name.isprintable() or name.lower().endswith(".toml"):
        raise InputError(
            f"{name!r:.80} cannot be a name; a name is up to 60 characters without spaces or any of @ : , + / \\, "
            "and does not end in .toml"
        )
    return name


def _line(text: str) -> str:
    if len(text) > 500:
        raise InputError("the text is longer than 500 characters")
    return " ".join(text.split())


def _rank(key: str) -> str:
    rank_from_text(key)
    return key


def _count(key: str) -> str:
    if not re.fullmatch(r"[1-9]\d?", key, re.ASCII) or int(key) > MAX_COUNT:
        raise InputError(f"no such count; counts are whole numbers from 1 to {MAX_COUNT}")
    return key


Weight = Annotated[int, BeforeValidator(micro)]
Feature = Annotated[str, _one_of(FEATURES, "")]
DiscardFeature = Annotated[str, _one_of(DISCARD_FEATURES, " of cards laid away")]
MogFeature = Annotated[str, _one_of(MOG_FEATURES, " of mogging")]
Rank = Annotated[str, AfterValidator(_rank)]
Name = Annotated[str, AfterValidator(_name)]
Line = Annotated[str, AfterValidator(_line)]


class StrictRecord(BaseModel):
    """A table of a file: no key that is not known, no value of another kind."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def _ranks_once(ranks: dict[str, int] | None) -> dict[str, int] | None:
    seen: set[int] = set()
    for key in ranks or ():
        rank = rank_from_text(key)
        if rank in seen:
            raise InputError(f"rank {key!r} is given twice")
        seen.add(rank)
    return ranks


Ranks = Annotated[dict[Rank, Weight] | None, AfterValidator(_ranks_once)]


class _Values(StrictRecord):
    """What gives a card its value, as written in a file."""

    weights: dict[Feature, Weight] | None = None
    ranks: Ranks = None
    counts: dict[Annotated[str, AfterValidator(_count)], Weight] | None = None
    spares: bool = False

    @property
    def compares(self) -> bool:
        """Whether the file says anything that gives cards a value here."""
        return not (self.weights is None and self.ranks is None and self.counts is None)


class LevelFile(_Values):
    """One level of a strategy as written in a file."""

    when: When = "any"
    final: OwnTies | None = None


class AwayLevelFile(StrictRecord):
    """What the levels of both kinds of policies have in common."""

    when: DiscardWhen | MogWhen = "any"
    weights: dict[str, Weight] | None = None
    ranks: Ranks = None
    final: OwnTies | None = None


class DiscardLevelFile(AwayLevelFile):
    """One level of a discard policy as written in a file."""

    when: DiscardWhen = "any"
    weights: dict[DiscardFeature, Weight] | None = None


class MogLevelFile(AwayLevelFile):
    """One level of a mog policy as written in a file."""

    when: MogWhen = "any"
    weights: dict[MogFeature, Weight] | None = None


class _BuiltIn(StrictRecord):
    title: Line
    source: Line


class StrategyEntry(_BuiltIn):
    """One table of ``strategies.toml``."""

    summary: Line
    levels: list[LevelFile] = []
    ties: Ties


class _PolicyEntry(_BuiltIn):
    """One policy of ``policies.toml``."""

    summary: Line
    ties: OwnTies


class DiscardEntry(_PolicyEntry):
    """One table under ``discard`` in ``policies.toml``."""

    levels: list[DiscardLevelFile] = []


class MogEntry(_PolicyEntry):
    """One table under ``mog`` in ``policies.toml``."""

    levels: list[MogLevelFile] = []


class PoliciesFile(StrictRecord):
    """``policies.toml``."""

    discard: dict[Name, DiscardEntry]
    mog: dict[Name, MogEntry]

    def policies(self, kind: PolicyKind) -> dict[str, Policy]:
        """The records of one kind by name, in the order of the file."""
        entries: Mapping[str, DiscardEntry | MogEntry] = self.discard if kind == "discard" else self.mog
        return {
            name: Policy(name, entry.title, entry.summary, entry.source, kind, away_levels(entry.levels), entry.ties)
            for name, entry in entries.items()
        }


class TipEntry(_BuiltIn):
    """One table of ``tips.toml``; under ``discard`` and ``mog`` stand levels for what is done before the play."""

    words: Line
    rule: Line
    decision: Decision
    seat: Seat
    opposite: Name
    levels: list[LevelFile] = []
    discard: list[DiscardLevelFile] = []
    mog: list[MogLevelFile] = []

    def tip(self, name: str, kind: Kind = "tip") -> Tip:
        """The record of this entry."""
        return Tip(
            name=name,
            title=self.title,
            words=self.words,
            source=self.source,
            rule=self.rule,
            decision=self.decision,
            seat=self.seat,
            opposite=self.opposite,
            kind=kind,
            levels=tuple(level_of(level) for level in self.levels),
            away=away_levels(self.discard) + away_levels(self.mog),
        )


_SPARES_ALONE: Final = "there is nothing here that could hold a card back; give weights, ranks or counts as well"


class DiscardFile(StrictRecord):
    """The table ``[discard]`` of a user's file: levels, and the policy below them."""

    policy: str | None = None
    levels: list[DiscardLevelFile] = []
    ties: OwnTies | None = None


class MogFile(StrictRecord):
    """The table ``[mog]`` of a user's file: levels, and the policy below them."""

    policy: str | None = None
    levels: list[MogLevelFile] = []
    ties: OwnTies | None = None


PolicyFile = DiscardFile | MogFile


class StrategyFile(_Values):
    """A user's own strategy file: one level at the top, or several under ``[[levels]]``; both may stand on a base.

    ``[discard]`` and ``[mog]`` say what is done before the play.
    """

    name: Name
    family: Literal["pegging"] = "pegging"
    title: Line | None = None
    summary: Line = ""
    source: Line | None = None
    base: str | None = None
    ties: OwnTies | None = None
    levels: list[LevelFile] | None = None
    discard: DiscardFile | None = None
    mog: MogFile | None = None

    def policy(self, kind: PolicyKind) -> PolicyFile | None:
        """What the file says of one kind of decision before the play."""
        return self.discard if kind == "discard" else self.mog

    def own_policy(self, source: TomlFile, kind: PolicyKind) -> PolicyFile | None:
        """The same, refused with an InputError that names file and key if a table or a level says nothing."""
        own = self.policy(kind)
        if own is None:
            return None
        if own.policy is None and own.ties is None and not own.levels:
            raise InputError(f"{source.where((kind,))}: {kind}: says nothing; give levels, ties or policy")
        for place, level in enumerate(own.levels):
            if level.weights is None and level.ranks is None and level.final is None:
                path = (kind, "levels", place)
                words = "says nothing; give weights, ranks or final"
                raise InputError(f"{source.where(path)}: {format_path(path)}: {words}")
        return own

    def own_levels(self, source: TomlFile) -> tuple[Level, ...]:
        """The levels written in this file, without those of the base. Raises InputError that names file and key."""
        single = [key for key in ("weights", "ranks", "counts") if getattr(self, key) is not None]
        if single and self.levels is not None:
            raise InputError(
                f"{source.where((single[0],))}: [{single[0]}] and [[levels]] cannot stand together; "
                f"write [levels.{single[0]}] below the first [[levels]]"
            )
        if self.spares and self.levels is not None:
            raise InputError(
                f"{source.where(('spares',))}: spares and [[levels]] cannot stand together; "
                "write spares = true below the [[levels]] that it belongs to"
            )
        if self.spares and not single:
            raise InputError(f"{source.where(('spares',))}: spares: {_SPARES_ALONE}")
        if not single and not self.levels and self.ties is None:
            self._refuse_silence(source)
        if single:
            return (level_of(self),)
        for place, level in enumerate(self.levels or ()):
            if level.spares and not level.compares:
                inner = ("levels", place, "spares")
                raise InputError(f"{source.where(inner)}: {format_path(inner)}: {_SPARES_ALONE}")
            if not level.compares and level.final is None:
                path = ("levels", place)
                words = "says nothing; give weights, ranks, counts or final"
                raise InputError(f"{source.where(path)}: {format_path(path)}: {words}")
        return tuple(level_of(level) for level in self.levels or ())

    def _refuse_silence(self, source: TomlFile) -> None:
        """Raise InputError unless the file, which says nothing of the play, puts a policy on the play of a base."""
        if self.discard is None and self.mog is None:
            raise InputError(f"{source.shown}: says nothing; give [weights], [ranks], [counts], [[levels]] or ties")
        if self.base is None:
            raise InputError(f"{source.shown}: says nothing of the play; give base, for example base = 'greedy'")


def away_levels(levels: Iterable[AwayLevelFile]) -> tuple[AwayLevel, ...]:
    """The records of a policy's levels as written; weights of nought are left out."""
    return tuple(
        AwayLevel(
            when=level.when,
            weights=ordered_away_weights(dict(level.weights or {})),
            ranks=_by_rank(level.ranks),
            final=level.final,
        )
        for level in levels
    )


def _by_rank(ranks: Mapping[str, int] | None) -> tuple[int, ...]:
    worth = list(NO_RANKS)
    for key, weight in (ranks or {}).items():
        worth[rank_from_text(key)] = weight
    return tuple(worth)


def level_of(values: _Values) -> Level:
    """The record of a level as written; weights of nought are left out."""
    counts = sorted((int(key), weight) for key, weight in (values.counts or {}).items() if weight)
    return Level(
        when=values.when if isinstance(values, LevelFile) else "any",
        weights=ordered_weights(dict(values.weights or {})),
        ranks=_by_rank(values.ranks),
        counts=tuple(counts),
        final=values.final if isinstance(values, LevelFile) else None,
        spares=values.spares,
    )


R = TypeVar("R", bound=StrictRecord)


def checked(model: type[R], source: TomlFile, table: str | None = None) -> R:
    """A file, or one table of it, as a record of the model; raises InputError of one line with file, place and key."""
    data = source.data if table is None else source.data[table]
    try:
        return model.model_validate(data)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        path = (*(() if table is None else (table,)), *(part for part in fault["loc"] if part != "[key]"))
        key = f"{format_path(path)}: " if path else ""
        raise InputError(f"{source.where(path)}: {key}{_complaint(fault, model)}") from error


def refuse_tall(levels: Sequence[Level | AwayLevel], where: str) -> None:
    """Raise InputError if a stack has more levels than a strategy may have."""
    if len(levels) > MAX_LEVELS:
        raise InputError(f"{where}: {len(levels)} levels in one stack; at most {MAX_LEVELS} are allowed")


_INNER: Final[dict[object, type[StrictRecord]]] = {
    ("levels",): LevelFile,
    ("discard",): DiscardFile,
    ("mog",): MogFile,
    ("discard", "levels"): DiscardLevelFile,
    ("mog", "levels"): MogLevelFile,
}
"""The record that stands in each place of a strategy file."""


def _record_at(model: type[StrictRecord], path: tuple[int | str, ...]) -> type[StrictRecord]:
    """The record that an unknown key at a path was written in."""
    return _INNER.get(tuple(part for part in path[:-1] if isinstance(part, str)), model)


_TYPE_WORDS: Final = {
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "dict_type": "a table",
    "list_type": "a list of tables, written [[levels]]",
    "model_type": "a table",
}


def _complaint(fault: ErrorDetails, model: type[StrictRecord]) -> str:
    """What is wrong with a key, and what is allowed."""
    kind, path = fault["type"], fault["loc"]
    if kind == "extra_forbidden":
        allowed = list(_record_at(model, path).model_fields)
        return f"unknown key{did_you_mean(str(path[-1]), allowed)}; allowed are {', '.join(allowed)}"
    if kind == "missing":
        return "this key is missing"
    if kind == "value_error":
        return str(fault["ctx"]["error"])
    if kind == "literal_error":
        return f"{format_value(fault['input'])} is not allowed; allowed are {fault['ctx']['expected']}"
    if kind in _TYPE_WORDS:
        return f"{format_value(fault['input'])} is not {_TYPE_WORDS[kind]}"
    return fault["msg"]
