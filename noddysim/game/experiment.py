"""Experiments: one question a file, read from TOML into a checked record.

The kinds: ``duel`` (arms against baselines), ``balance`` (variants beside each other), ``leads`` (points by the card
led) and ``exact`` (facts that are counted, not sampled).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from noddysim.game.errors import InputError
from noddysim.game.strategy_file import did_you_mean
from noddysim.game.tomlfile import KeyPath, TomlFile, format_path, format_value, read_toml

MAX_SEED: Final = 2**64 - 1
MAX_DEALS: Final = 10**12
DEFAULT_DEALS: Final = 200_000
DEFAULT_GAMES: Final = 100_000

Kind = Literal["duel", "balance", "leads", "exact"]


def check_seed(seed: object) -> int:
    """A seed as a whole number from 0 to 2**64 - 1; raises InputError for anything else."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise InputError(f"{format_value(seed)} is not a seed; a seed is a whole number from 0 to 2**64 - 1")
    return seed


def check_amount(amount: object) -> int:
    """A number of deals or games, 1 or more; raises InputError for anything else."""
    if isinstance(amount, bool) or not isinstance(amount, int) or not 1 <= amount <= MAX_DEALS:
        raise InputError(f"{format_value(amount)} is not allowed; give a whole number from 1 to {MAX_DEALS}")
    return amount


def check_zone(value: object) -> float:
    """A zone as a number from 0 to 1000; raises InputError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1000:
        raise InputError(f"{format_value(value)} is not a zone; a zone is a number from 0 to 1000")
    return float(value)


def refuse_twice(entries: Iterable[Hashable], fault: Callable[[int], InputError]) -> None:
    """Raise ``fault(place)`` for the first entry that stands in a list for the second time."""
    seen: set[Hashable] = set()
    for place, entry in enumerate(entries):
        if entry in seen:
            raise fault(place)
        seen.add(entry)


def _line(text: str) -> str:
    if not text.strip() or "\n" in text:
        raise InputError("give one line of text")
    return text


def check_target(value: object) -> int:
    """A target: a whole number from 1 to 10,000; raises InputError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10_000:
        raise InputError(f"{format_value(value)} is not a target; give a whole number from 1 to 10000")
    return value


Seed = Annotated[int, BeforeValidator(check_seed)]
Amount = Annotated[int, BeforeValidator(check_amount)]
Target = Annotated[int, BeforeValidator(check_target)]
Zone = Annotated[float, BeforeValidator(check_zone)]
Line = Annotated[str, AfterValidator(_line)]


class _Record(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


STOP_KEYS: Final = {"fixed": (), "precision": ("half_width",), "sequential": ("alpha", "beta", "tightest")}
"""What each rule may say besides its name."""


def check_share(value: object) -> float:
    """An error rate: a number between 0 and 1/2; raises InputError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 0.5:
        raise InputError(f"{format_value(value)} is no error rate; give a number between 0 and 0.5, such as 0.05")
    return float(value)


def check_half_width(value: object) -> float:
    """Half the width that an interval shall have; raises InputError for anything but a number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1000:
        raise InputError(f"{format_value(value)} is no precision; give a number above 0, such as 0.002")
    return float(value)


class Stop(_Record):
    """When to stop, said before the run: after the number asked for, at a precision, or at a decision.

    ``deals`` and ``games`` are the most that is played under every rule.
    """

    rule: Literal["fixed", "precision", "sequential"] = "fixed"
    half_width: Annotated[float, BeforeValidator(check_half_width)] | None = None
    """Of *precision*: half the width of the 95 % interval, in points a deal (as a chance to win for games)."""
    alpha: Annotated[float, BeforeValidator(check_share)] = 0.05
    """Of *sequential*: how often at most it may say that an arm helps or hurts which is worth nought."""
    beta: Annotated[float, BeforeValidator(check_share)] = 0.05
    """Of *sequential*: how often at most it may say "no difference" of an arm whose worth lies outside the zone."""
    tightest: Annotated[int, BeforeValidator(check_amount)] = 100_000
    """Of *sequential*: the number of duplicates at which its intervals are tightest."""

    @model_validator(mode="after")
    def _fits(self) -> Stop:
        for key in sorted(self.model_fields_set - {"rule"}):
            if key not in STOP_KEYS[self.rule]:
                known = STOP_KEYS[self.rule]
                allowed = f"it has {' and '.join(known)}" if known else "it has no numbers of its own"
                raise InputError(f'{key} has no meaning where rule = "{self.rule}"; {allowed}')
        if self.rule == "precision" and self.half_width is None:
            raise InputError('rule = "precision" needs half_width, for example half_width = 0.002')
        return self

    @property
    def words(self) -> str:
        """The rule in one line."""
        if self.rule == "precision":
            return f"stops when the 95 % interval is no wider than +/-{self.half_width:g}, or at the number asked for"
        if self.rule == "sequential":
            return (
                f"stops at a decision, or at the number asked for; error rates {self.alpha:g} (helps or hurts, though "
                f"worth nought) and {self.beta:g} (no difference, though outside the zone)"
            )
        return "stops at the number asked for"


FIXED: Final = Stop()


class Arm(_Record):
    """A strategy that is tested and the baseline it is held against, as expressions."""

    arm: str
    baseline: str


def _arms(value: object) -> object:
    if not isinstance(value, list):
        return value
    pairs = []
    for entry in value:
        if not (isinstance(entry, list) and len(entry) == 2 and all(isinstance(name, str) for name in entry)):
            raise InputError(f'{format_value(entry)} is not an arm; an arm is ["TIP@BASELINE", "BASELINE"]')
        pairs.append(Arm(arm=entry[0], baseline=entry[1]))
    return pairs


class Experiment(_Record):
    """One question and how it is to be answered. Names are not looked up here but where the experiment is run."""

    question: Line
    kind: Kind
    variants: Annotated[list[str], Field(min_length=1)]
    players: Annotated[list[int], Field(min_length=1)] = [2]
    targets: list[Target] = []
    """Every variant is played to each of these; none: to its own target."""
    arms: Annotated[list[Arm], BeforeValidator(_arms)] = []
    against: list[str] = []
    strategies: list[str] = []
    facts: list[str] = []
    scale: str | None = None
    """The strategy that counts as the best; None for the best known of the family of games."""
    seed: Seed = 1589
    deals: Amount | None = None
    games: Amount | None = None
    skill: Amount | None = None
    """Duplicates of each pair of the ladder of strategies, where variants are compared."""
    stop: Stop = FIXED
    zone: Zone = 0.02
    name: str = ""
    folder: Annotated[Path | None, Field(exclude=True)] = None
    """Where the file stands: paths in it are relative to this folder. No part of what the experiment is."""
    _source: TomlFile | None = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _complete(self) -> Experiment:
        if self.kind == "duel" and not self.arms:
            raise InputError('a duel needs arms, for example arms = [["lead-low@greedy-random", "greedy-random"]]')
        if self.kind in ("balance", "leads") and not self.strategies:
            raise InputError(f'kind = "{self.kind}" needs strategies, for example strategies = ["greedy"]')
        if self.kind == "exact" and not self.facts:
            raise InputError('kind = "exact" needs facts, for example facts = ["nob-worth"]')
        unused = {
            "duel": ("strategies", "facts", "skill"),
            "balance": ("arms", "against", "facts", "deals"),
            "leads": ("arms", "against", "facts", "games", "targets", "skill"),
            "exact": ("arms", "against", "strategies", "deals", "games", "targets", "skill"),
        }[self.kind]
        if self.targets and self.kind == "duel" and (self.deals or not self.games):
            raise InputError("targets: whole deals know no target; give games, and no deals")
        if self.stop.rule != "fixed" and self.kind != "duel":
            raise InputError(f'stop: rule = "{self.stop.rule}" is for kind = "duel"; here it is "fixed"')
        if self.stop.rule == "precision" and self.deals and self.games:
            raise InputError("stop: a precision has one unit; put deals and games into two files")
        for key in unused:
            if getattr(self, key):
                raise InputError(f'{key} has no meaning where kind = "{self.kind}"; leave it out')
        return self

    @property
    def played_in(self) -> tuple[str, ...]:
        """In what it is played: ``deals``, ``games`` or both; nothing where all is counted."""
        if self.kind == "duel":
            return tuple(unit for unit in ("deals", "games") if getattr(self, unit)) or ("deals",)
        return {"balance": ("games",), "leads": ("deals",), "exact": ()}[self.kind]

    def variant_names(self) -> list[str]:
        """The variants, with paths as seen from the current folder."""
        return [self._located(name) for name in self.variants]

    def _located(self, name: str) -> str:
        beside = None if self.folder is None else self.folder / name
        return str(beside) if name.endswith(".toml") and beside is not None and beside.is_file() else name

    def names(self) -> Iterator[tuple[KeyPath, str]]:
        """Every strategy expression of the experiment with the place where it is given."""
        for place, arm in enumerate(self.arms):
            yield ("arms", place, 0), arm.arm
            yield ("arms", place, 1), arm.baseline
        for key, given in (("against", self.against), ("strategies", self.strategies)):
            yield from (((key, place), name) for place, name in enumerate(given))
        if self.scale is not None:
            yield ("scale",), self.scale

    def at(self, path: KeyPath, fault: object) -> InputError:
        """The error to raise for what stands at a place: with file, line, column and key, or without a file the key."""
        where = self.name if self._source is None else self._source.where(path)
        return InputError(": ".join(part for part in (where, format_path(path), str(fault)) if part))

    def identity(self) -> dict[str, Any]:
        """The experiment as plain data; of the stopping rule only what bears on it."""
        stop = {key: getattr(self.stop, key) for key in ("rule", *STOP_KEYS[self.stop.rule])}
        found = {**self.model_dump(mode="json"), "stop": stop}
        return {key: value for key, value in found.items() if key != "targets" or value}


def read_experiment(path: str | Path) -> Experiment:
    """Read one file; raises InputError of one line that names file, place and key. The name is that of the file."""
    path = Path(path)
    source = read_toml(path, str(path))
    if "name" in source.data:
        raise InputError(f"{source.where(('name',))}: name: an experiment is named by its file; leave this key out")
    if "folder" in source.data:
        raise InputError(f"{source.where(('folder',))}: folder: unknown key; leave it out")
    found = _checked({**source.data, "name": path.stem, "folder": path.parent}, source)
    found._source = source
    return found


def _checked(data: dict[str, Any], source: TomlFile) -> Experiment:
    try:
        return Experiment.model_validate(data)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = fault["loc"]
        key = f"{format_path(place)}: " if place else ""
        raise InputError(f"{source.where(place)}: {key}{_complaint(dict(fault))}") from error


def _complaint(fault: dict[str, Any]) -> str:
    kind = fault["type"]
    if kind == "extra_forbidden":
        inside = Stop.model_fields if fault["loc"][0] == "stop" else Experiment.model_fields
        allowed = [name for name in inside if name not in ("name", "folder")]
        return f"unknown key{did_you_mean(str(fault['loc'][-1]), allowed)}; allowed are {', '.join(allowed)}"
    if kind == "missing":
        return "this key is missing"
    if kind == "value_error":
        return str(fault["ctx"]["error"])
    if kind == "literal_error":
        return f"{format_value(fault['input'])} is not allowed; allowed are {fault['ctx']['expected']}"
    return f"{format_value(fault['input'])}: {fault['msg']}"
