"""Strategies and tips of any family of games: which reader an expression goes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from noddysim.game import expressions
from noddysim.game.errors import InputError
from noddysim.game.families import PEGGING
from noddysim.game.laying import FIRST_MELDER, FIRST_SETTER, laid_tip_of, laid_tips, read_laid
from noddysim.game.laying_data import (
    MELDING,
    SETS,
    Laid,
    Melder,
    Setter,
    describe_laid,
    family_of_mind,
    laid_tip_json,
    laying_json,
)
from noddysim.game.strategies import builtin_tips
from noddysim.game.strategy_data import Strategy, Tip, describe_strategy, strategy_json, tip_json
from noddysim.game.strategy_file import read_exact
from noddysim.game.userfiles import Search, limit_of, parts_of, split, strategy_files
from noddysim.game.userfunctions import is_function

Mind = Strategy | Laid
"""A strategy of any family."""
LAYING: Final = (MELDING, SETS)
"""The families of games in which melds or sets are laid."""
USUAL_MINDS: Final[Mapping[str, str]] = {PEGGING.name: "greedy", MELDING: FIRST_MELDER, SETS: FIRST_SETTER}
"""By family: who plays where nobody is named."""
BEST_MINDS: Final[Mapping[str, str]] = {PEGGING.name: "careful", MELDING: FIRST_MELDER, SETS: FIRST_SETTER}
"""By family: the strategy that counts as the best known."""


def read_mind(family: str, expression: str, search: Search = ()) -> Mind:
    """The strategy of a family that an expression means. Raises InputError for what does not exist there."""
    if family in LAYING:
        named = [limit_of(part)[0] for joined in parts_of(expression) for part in split(joined, "+")]
        if any(map(is_function, named)):
            words = "a function can play for two players with three cards each, in a play of cards to a count"
            raise InputError(f"{expression}: {words}")
        return read_laid(family, expression, search)
    return expressions.parse_strategy(expression, search)


def read_for(families: Sequence[str], expression: str, search: Search = ()) -> dict[str, Mind]:
    """The strategies that an expression means in those of the families that have it.

    Raises InputError if none has: for a user's file the error of the family that it is for, else that of the first.
    """
    found: dict[str, Mind] = {}
    faults: dict[str, InputError] = {}
    for family in families:
        try:
            found[family] = read_mind(family, expression, search)
        except InputError as error:
            faults[family] = error
    if found:
        return found
    own = [read_exact(path).data.get("family", PEGGING.name) for path in strategy_files([expression], search)]
    raise next((faults[family] for family in own if family in faults), faults[families[0]])


def tip_in(family: str, expression: str, search: Search = ()) -> tuple[Tip, str] | None:
    """The tip at the head of ``TIP@BASE`` and its base in its plain form; None without a tip."""
    if family in LAYING:
        return laid_tip_of(family, expression, search)
    return expressions.tip_of(expression, search)


def all_tips() -> dict[str, Tip]:
    """The built-in tips of all families by name, those of the pegging games first."""
    return {**builtin_tips(), **laid_tips(MELDING), **laid_tips(SETS)}


def mind_family(mind: Mind) -> str:
    """The family of games that a strategy is for."""
    return family_of_mind(mind) if isinstance(mind, Melder | Setter) else PEGGING.name


def mind_json(mind: Mind) -> dict[str, object]:
    """A strategy as plain data."""
    return laying_json(mind) if isinstance(mind, Melder | Setter) else strategy_json(mind)


def describe_mind(mind: Mind) -> str:
    """The whole rule of conduct of a strategy in words, made from its data."""
    return describe_laid(mind) if isinstance(mind, Melder | Setter) else describe_strategy(mind)


def any_tip_json(tip: Tip) -> dict[str, object]:
    """A tip as plain data."""
    return laid_tip_json(tip) if tip.family in LAYING else tip_json(tip)
