"""The strategies for the games in which melds or sets are laid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from noddysim.game.errors import InputError

FIRST_MELDER: Final = "most-points"
FIRST_SETTER: Final = "most-points"
SEAT_WORDS: Final = ("eldest", "second", "third", "fourth", "fifth", "sixth", "seventh")
KIND_WORDS: Final = {"trump-jack": "jack of trumps", "three": "three of a rank", "four": "four of a rank"}
"""Kinds of melds whose name in the data is not what a player calls them."""


def seat_names(players: int) -> list[str]:
    """Names of the seats, the dealer's last."""
    if players == 2:
        return ["pone", "dealer"]
    return [*SEAT_WORDS[: players - 1], "dealer"]


@dataclass(frozen=True)
class Melder:
    """A strategy for the melding game: what it gives for a meld, and whether it waits.

    ``weights`` are worths of a point (``points``), of a card (``cards``) and of each kind of meld; ``sums_only`` draws,
    where it may, unless it holds a sum of 15 points or more or a meld that wins.
    """

    name: str
    what: str
    weights: Mapping[str, int] = field(default_factory=dict)
    ties: str = "first"
    sums_only: bool = False
    keep_trump_jack: bool = False


MELDERS: Final[Mapping[str, Melder]] = {
    one.name: one
    for one in (
        Melder("first", "Lays the first meld it finds: of the lowest cards."),
        Melder("random", "Lays any of its melds, all alike.", ties="random"),
        Melder("most-points", "Lays the meld of the most points; of equal ones that of the lowest cards.",
               {"points": 1}),
        Melder("most-points-fewest-cards", "Lays the meld of the most points; of equal ones that of the fewest cards.",
               {"points": 100, "cards": -1}),
        Melder("fewest-cards", "Lays the meld of the fewest cards; of equal ones that of the most points.",
               {"points": 1, "cards": -100}),
        Melder("wait-for-sums", "Draws until it holds a sum of 15, 25 or 31, or a meld that wins, where the rules let "
               "it; then lays the meld of the most points.", {"points": 1}, sums_only=True),
        Melder("keep-trump-jack", "Lays the meld of the most points, but parts with the jack of trumps last.",
               {"points": 1}, keep_trump_jack=True),
    )
}  # fmt: skip


def melder(name: str | Melder) -> Melder:
    """The strategy of this name. Raises InputError for a name that there is not."""
    if isinstance(name, Melder):
        return name
    if name not in MELDERS:
        raise InputError(f"no strategy of the melding game is named {name!r}; there are: {', '.join(MELDERS)}")
    return MELDERS[name]


@dataclass(frozen=True)
class Setter:
    """A strategy for Snitch.

    ``use`` says where it looks first for a set: by value anywhere, in the hand, or at the discards; ``most`` takes the
    set of the most points, else the first; ``save_wilds`` keeps wild cards for aces while there is a stock; ``discard``
    is the natural card it throws away (low, high, random, or the lowest of a rank held once); ``watch`` throws no rank
    of which the next player has laid a set.
    """

    name: str
    what: str
    use: str = "value"
    most: bool = True
    save_wilds: bool = False
    discard: str = "unpaired"
    watch: bool = False


SETTERS: Final[Mapping[str, Setter]] = {
    one.name: one
    for one in (
        Setter("first", "Lays the first set it finds, of the hand before the top discard; throws its lowest card.",
               use="hand", most=False, discard="low"),
        Setter("most-points", "Lays the set of the most points; throws its lowest card of a rank that it holds once."),
        Setter("random-discards", "Lays the set of the most points; throws any card.", discard="random"),
        Setter("keep-wilds", "As most-points, but lays deuces and jokers with aces only while there is a stock.",
               save_wilds=True),
        Setter("feed-nothing", "As most-points, but throws no rank of which the next player has laid a set, while it "
               "can, and no wild card.", watch=True),
        Setter("discard-first", "As most-points, but looks at the top discard before its hand.", use="discard"),
        Setter("hand-first", "As most-points, but lays sets of its hand before it takes the top discard.", use="hand"),
        Setter("throw-high", "As most-points, but throws its highest card.", discard="high"),
    )
}  # fmt: skip


def setter(name: str | Setter) -> Setter:
    """The strategy of this name. Raises InputError for a name that there is not."""
    if isinstance(name, Setter):
        return name
    if name not in SETTERS:
        raise InputError(f"no strategy of Snitch is named {name!r}; there are: {', '.join(SETTERS)}")
    return SETTERS[name]


def laying_json(family: str, one: Melder | Setter) -> dict[str, Any]:
    """A strategy as plain data, with the family of games that it is for."""
    return {
        "name": one.name, "title": one.name, "kind": _KINDS[family], "family": family, "summary": one.what,
        "description": one.what, "source": "this project",
    }  # fmt: skip


_KINDS: Final = {"melding": "meld", "sets": "set"}
