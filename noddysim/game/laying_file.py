"""Strategies of the games in which melds or sets are laid as TOML: the built-in files and a user's own, checked."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator

from noddysim.game.errors import InputError
from noddysim.game.laying_data import MELDING, SETS, WEIGHT_WORDS
from noddysim.game.strategy_data import Decision
from noddysim.game.strategy_file import Line, Name, StrictRecord, Weight, did_you_mean


def _weighed(name: str) -> str:
    if name not in WEIGHT_WORDS:
        raise InputError(f"no such weight{did_you_mean(name, WEIGHT_WORDS)}; weights are {', '.join(WEIGHT_WORDS)}")
    return name


class MeldFields(StrictRecord):
    """What decides the choices of a strategy for the melding game; None where a file says nothing."""

    weights: dict[Annotated[str, AfterValidator(_weighed)], Weight] | None = None
    ties: Literal["first", "last", "random"] | None = None
    sums_only: bool | None = None
    keep_trump_jack: bool | None = None

    def changes(self) -> dict[str, Any]:
        """The fields that are given."""
        return {name: value for name in MeldFields.model_fields if (value := getattr(self, name)) is not None}


class SetFields(StrictRecord):
    """The same for Snitch."""

    use: Literal["value", "hand", "discard"] | None = None
    most: bool | None = None
    save_wilds: bool | None = None
    discard: Literal["low", "high", "random", "unpaired"] | None = None
    watch: bool | None = None

    def changes(self) -> dict[str, Any]:
        """The fields that are given."""
        return {name: value for name in SetFields.model_fields if (value := getattr(self, name)) is not None}


class _BuiltIn(StrictRecord):
    title: Line
    source: Line


class _Tip(_BuiltIn):
    words: Line
    rule: Line
    opposite: Name
    decision: Decision


class MeldEntry(_BuiltIn, MeldFields):
    """One strategy of ``melders.toml``."""

    summary: Line


class MeldTip(_Tip, MeldFields):
    """One tip of ``melders.toml``."""


class SetEntry(_BuiltIn, SetFields):
    """One strategy of ``setters.toml``."""

    summary: Line


class SetTip(_Tip, SetFields):
    """One tip of ``setters.toml``."""


class MeldersFile(StrictRecord):
    """``melders.toml``."""

    strategies: dict[Name, MeldEntry]
    tips: dict[Name, MeldTip]


class SettersFile(StrictRecord):
    """``setters.toml``."""

    strategies: dict[Name, SetEntry]
    tips: dict[Name, SetTip]


class _OwnFile(StrictRecord):
    name: Name
    title: Line | None = None
    summary: Line = ""
    source: Line | None = None
    base: str | None = None


class MeldFile(_OwnFile, MeldFields):
    """A user's own strategy for the melding game, perhaps on a base."""

    family: Literal["melding"]


class SetFile(_OwnFile, SetFields):
    """A user's own strategy for Snitch, perhaps on a base."""

    family: Literal["sets"]


FIELD_WORDS: Final[dict[str, dict[str, tuple[str, str, str]]]] = {
    MELDING: {
        "weights": ("a table of weights", "none", "worth of a meld: for "
                    + ", ".join(f"{words} (`{name}`)" for name, words in WEIGHT_WORDS.items())),
        "ties": ('"first", "last" or "random"', '"first"', "which of equal melds: that of the lowest cards, of the "
                 "highest, any"),
        "sums_only": ("true or false", "false", "draw, where the rules let one, until a sum worth 15 points or more, "
                      "or a meld that wins, is held"),
        "keep_trump_jack": ("true or false", "false", "part with the jack of trumps only if no other meld is held"),
    },
    SETS: {
        "use": ('"value", "hand" or "discard"', '"value"', "where a set is looked for first: anywhere, in the hand, at "
                "the top discard"),
        "most": ("true or false", "true", "the set of the most points, not the first that is found"),
        "save_wilds": ("true or false", "false", "deuces and jokers go with aces only, while there is a stock"),
        "discard": ('"low", "high", "random" or "unpaired"', '"unpaired"', "the natural card thrown: the lowest, the "
                    "highest, any, the lowest of a rank held once"),
        "watch": ("true or false", "false", "throw no rank of which the next player has laid a set, and no wild card, "
                  "while there is another"),
    },
}  # fmt: skip
"""By family and field: what is allowed, what holds where nothing is said, and what it does."""
BUILT_IN: Final[dict[str, tuple[str, type[MeldersFile] | type[SettersFile]]]] = {
    MELDING: ("melders.toml", MeldersFile),
    SETS: ("setters.toml", SettersFile),
}
"""By family: the file of its strategies and tips, and what is in it."""
OWN: Final[dict[str, type[MeldFile] | type[SetFile]]] = {MELDING: MeldFile, SETS: SetFile}
