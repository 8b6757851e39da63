"""Strategies for the games in which melds or sets are laid, as frozen records with the forms they are shown in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from noddysim.game.strategy_data import Tip, decimal_text

MELDING: Final = "melding"
SETS: Final = "sets"
GAME_WORDS: Final = {MELDING: "the melding game", SETS: "Snitch"}
SEAT_WORDS: Final = ("eldest", "second", "third", "fourth", "fifth", "sixth", "seventh")
KIND_WORDS: Final = {"trump-jack": "jack of trumps", "three": "three of a rank", "four": "four of a rank"}
"""Kinds of melds whose name in the data is not what a player calls them."""
WEIGHT_WORDS: Final = {
    "points": "the points of the meld", "cards": "each card of it", "sum": "a sum", "pair": "a pair",
    "three": "three of a rank", "four": "four of a rank", "suit": "cards of a suit", "run": "a run",
    "trump-jack": "the jack of trumps",
}  # fmt: skip
"""What a strategy for the melding game may weigh."""


def seat_names(players: int) -> list[str]:
    """Names of the seats, the dealer's last."""
    if players == 2:
        return ["pone", "dealer"]
    return [*SEAT_WORDS[: players - 1], "dealer"]


@dataclass(frozen=True)
class Melder:
    """A strategy for the melding game: what it gives for a meld, and whether it waits.

    ``weights`` are worths, in millionths, of a point (``points``), of a card (``cards``) and of each kind of meld;
    ``sums_only`` draws, where it may, unless it holds a sum of 15 points or more or a meld that wins.
    """

    name: str
    summary: str
    weights: Mapping[str, int] = field(default_factory=dict)
    ties: str = "first"
    sums_only: bool = False
    keep_trump_jack: bool = False
    title: str = ""
    source: str = ""


@dataclass(frozen=True)
class Setter:
    """A strategy for Snitch.

    ``use`` says where it looks first for a set: by value anywhere, in the hand, or at the discards; ``most`` takes the
    set of the most points, else the first; ``save_wilds`` keeps wild cards for aces while there is a stock; ``discard``
    is the natural card it throws away (low, high, random, or the lowest of a rank held once); ``watch`` throws no rank
    of which the next player has laid a set.
    """

    name: str
    summary: str
    use: str = "value"
    most: bool = True
    save_wilds: bool = False
    discard: str = "unpaired"
    watch: bool = False
    title: str = ""
    source: str = ""


Laid = Melder | Setter
RULE_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    MELDING: ("weights", "ties", "sums_only", "keep_trump_jack"),
    SETS: ("use", "most", "save_wilds", "discard", "watch"),
}
"""The fields of a strategy that decide anything, by family."""


def family_of_mind(one: Laid) -> str:
    """The family of games that a strategy is for."""
    return MELDING if isinstance(one, Melder) else SETS


def laid_identity(one: Laid) -> dict[str, Any]:
    """What decides the strategy's choices and nothing else, as plain data to be hashed: weights of nought are none."""
    found = {name: getattr(one, name) for name in RULE_FIELDS[family_of_mind(one)]}
    if isinstance(one, Melder):
        found["weights"] = {name: one.weights[name] for name in WEIGHT_WORDS if one.weights.get(name)}
    return found


def differing_fields(one: Laid, other: Laid) -> set[str]:
    """The fields in which two strategies of a family decide otherwise."""
    a, b = laid_identity(one), laid_identity(other)
    return {name for name in a if a[name] != b.get(name)}


# --- words and plain data -------------------------------------------------------------------------------------------


def describe_laid(one: Laid) -> str:
    """The whole rule of conduct in words, made from the data."""
    return _describe_melder(one) if isinstance(one, Melder) else _describe_setter(one)


def _describe_melder(one: Melder) -> str:
    weights = laid_identity(one)["weights"]
    ties = {"first": "that of the lowest cards", "last": "that of the highest cards", "random": "any of them by chance"}
    if not weights:
        choice = {
            "first": "lays the meld of the lowest cards",
            "last": "lays the meld of the highest cards",
            "random": "lays any meld, all alike",
        }[one.ties]
    elif set(weights) == {"points"} and weights["points"] > 0:
        choice = f"lays the meld of the most points; of equal ones {ties[one.ties]}"
    else:
        choice = f"lays the meld of the greatest worth ({_sum_of(weights)}); of equal ones {ties[one.ties]}"
    said = [choice]
    if one.keep_trump_jack:
        said.append("parts with the jack of trumps only if no other meld is there")
    if one.sums_only:
        said.append("where it may, draws unless it holds a sum worth 15 points or more, or a meld that wins")
    return _sentence(said)


def _sum_of(weights: Mapping[str, int]) -> str:
    return ", ".join(f"{decimal_text(weight)} for {WEIGHT_WORDS[name]}" for name, weight in weights.items())


_USE_WORDS: Final = {
    "value": "of hand and top discard alike", "hand": "of the hand before the top discard",
    "discard": "with the top discard before those of the hand",
}  # fmt: skip
_THROW_WORDS: Final = {
    "low": "the lowest natural card", "high": "the highest natural card", "random": "any card by chance",
    "unpaired": "the lowest natural card of a rank held once",
}  # fmt: skip


def _describe_setter(one: Setter) -> str:
    which = "the set of the most points" if one.most else "the first set it finds"
    said = [f"lays {which}, {_USE_WORDS[one.use]}", f"throws {_THROW_WORDS[one.discard]}"]
    if one.save_wilds:
        said.append("lays deuces and jokers with aces only while there is a stock")
    if one.watch:
        said.append("throws no rank of which the next player has laid a set, and no wild card, while there is another")
    return _sentence(said)


def _sentence(said: list[str]) -> str:
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}."


def describe_changes(changes: Mapping[str, Any]) -> str:
    """What a tip sets, in the words of a strategy file: ``weights.cards = -1000, ties = "last"``."""
    said = []
    for name, value in changes.items():
        if isinstance(value, Mapping):
            said += [f"{name}.{key} = {decimal_text(weight)}" for key, weight in value.items()]
        elif isinstance(value, bool):
            said.append(f"{name} = {str(value).lower()}")
        else:
            said.append(f'{name} = "{value}"')
    return "Sets " + ", ".join(said) + "; all else as the baseline does."


def laying_json(one: Laid) -> dict[str, Any]:
    """A strategy as plain data, with the family of games that it is for; weights are decimals in text."""
    family = family_of_mind(one)
    rule = {name: getattr(one, name) for name in RULE_FIELDS[family]}
    if isinstance(one, Melder):
        rule["weights"] = {name: decimal_text(weight) for name, weight in laid_identity(one)["weights"].items()}
    return {
        "name": one.name, "title": one.title or one.name, "kind": _KINDS[family], "family": family,
        "summary": one.summary, "description": describe_laid(one), "source": one.source, "rule": rule,
    }  # fmt: skip


_KINDS: Final = {MELDING: "meld", SETS: "set"}


def laid_tip_json(tip: Tip) -> dict[str, Any]:
    """A tip as plain data, with the keys of other tips, its family of games, and the fields that it sets."""
    changes = {
        name: {key: decimal_text(weight) for key, weight in value.items()} if isinstance(value, Mapping) else value
        for name, value in tip.changes
    }
    return {
        **{one.name: getattr(tip, one.name) for one in fields(tip) if one.name not in ("changes", "levels", "away")},
        "description": describe_changes(dict(tip.changes)), "levels": [], "away": [], "changes": changes,
    }  # fmt: skip
