"""The families of games: what the rules of each hold, and which readings its sources leave open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from noddysim.game import rulemodels
from noddysim.game.meldmodels import MELD_ALLOWED, MELD_READINGS, MeldRules
from noddysim.game.readings import NOT_BUILT, READINGS, NotBuilt, Reading
from noddysim.game.rulemodels import ALLOWED, PeggingRules
from noddysim.game.snitchmodels import SNITCH_ALLOWED, SNITCH_READINGS, SnitchRules
from noddysim.game.tomlfile import KeyPath

Rules = PeggingRules | MeldRules | SnitchRules


@dataclass(frozen=True)
class Family:
    """Games that one set of rules describes.

    ``allowed`` says what each value may be, by dotted key; ``tables`` names the keys of the values that are tables.
    """

    name: str
    model: type[Rules]
    readings: tuple[Reading, ...]
    allowed: Mapping[str, str]
    not_built: Mapping[str, NotBuilt]
    example: str
    """A variant that a file of this family can build on."""
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    entry_lists: tuple[KeyPath, ...] = ()
    by_players: tuple[str, ...] = ()

    @cached_property
    def top_fields(self) -> tuple[str, ...]:
        """Keys at the top of the rules."""
        return tuple(self.model.model_fields)

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """Dotted keys of the values that have a source each."""
        parts = ([f"{name}.{sub}" for sub in self.tables.get(name, ())] or [name] for name in self.top_fields)
        return tuple(key for keys in parts for key in keys)

    @cached_property
    def shorthands(self) -> Mapping[str, Reading]:
        """Readings that a file may give at its top level, by option name."""
        return {reading.option: reading for reading in self.readings if reading.built and not reading.is_field}


_NO_STEALING: Final = NotBuilt(("off",), "claiming the sets of others is not built")
_MIN_PLAYERS: Final = NotBuilt((), "write the allowed numbers of players as players = [3, 4]")

FAMILIES: Final[Mapping[str, Family]] = {
    family.name: family
    for family in (
        Family(
            "pegging", PeggingRules, READINGS, ALLOWED, NOT_BUILT, "noddy",
            rulemodels.TABLES, rulemodels.ENTRY_LISTS, rulemodels.BY_PLAYERS,
        ),
        Family("melding", MeldRules, MELD_READINGS, MELD_ALLOWED, {}, "innocence"),
        Family(
            "sets", SnitchRules, SNITCH_READINGS, SNITCH_ALLOWED,
            {"steal": _NO_STEALING, "min_players": _MIN_PLAYERS}, "snitch",
        ),
    )
}  # fmt: skip
PEGGING: Final = FAMILIES["pegging"]


def family_of(rules: Rules) -> Family:
    """The family that rules belong to."""
    return next(family for family in FAMILIES.values() if isinstance(rules, family.model))
