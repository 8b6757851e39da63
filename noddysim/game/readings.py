"""The named readings of the pegging family: what each one sets, which ones the rules now follow, which are refused.

A reading is a short name for an answer to a question that the sources leave open. It sets one field of the rules or
several. Which readings are *in force* is worked out from the fields, so a sheet cannot say one thing and the game
play another. Names of rules that this program cannot play yet are listed too, with the reason, so that none of them
is ever passed over in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

OWN: Final = "own"
"""Value of a reading when the fields follow none of its named answers."""

LONGEST_RUN: Final = 13


@dataclass(frozen=True)
class Choice:
    """One answer: its ``value`` in a file, the answer in ``words``, and the fields it ``sets`` (dotted key, value)."""

    value: str | bool | int
    words: str
    sets: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Reading:
    """One open question. ``choices`` begins with the default; ``built`` is False if only the default can be played.

    ``is_field`` marks a question whose option is itself a field of the rules, where any allowed value will do.
    """

    id: str
    option: str
    question: str
    choices: tuple[Choice, ...]
    built: bool = True
    is_field: bool = False

    @property
    def fields(self) -> tuple[str, ...]:
        """Dotted keys of the fields that this reading sets."""
        return tuple(dict.fromkeys(key for choice in self.choices for key, _ in choice.sets))

    def choice(self, value: object) -> Choice | None:
        """The choice with this value (true and 1 are different values), or None."""
        return next((c for c in self.choices if same_value(c.value, value)), None)


def _jack(to: str, points: int) -> tuple[tuple[str, Any], ...]:
    return (("turned", ({"rank": "J", "to": to, "points": points},)),)


def _both(field: str, value: object) -> tuple[tuple[str, Any], ...]:
    return ((f"play.{field}", value), (f"show.{field}", value))


READINGS: Final[tuple[Reading, ...]] = (
    Reading("X1", "thirtyone_extra", "Does a count at the limit also earn something for the last card?", (
        Choice("none", "no, nothing on top", (("play.thirtyone_extra", 0),)),
        Choice("last1", "1 point on top", (("play.thirtyone_extra", 1),)),
        Choice("double", "2 points on top", (("play.thirtyone_extra", 2),)),
    )),
    Reading("X2", "final_card_point", "Does the very last card of the deal count as a last card?", (
        Choice(True, "yes", (("play.final_card_point", True),)),
        Choice(False, "no", (("play.final_card_point", False),)),
    )),
    Reading("X3", "next_lead", "Who leads the next pile?", (
        Choice("left_of_last", "the next after the player of the last card", (("play.next_lead", "left_of_last"),)),
        Choice("first_go", "the player who said go first", (("play.next_lead", "first_go"),)),
    )),
    Reading("X4", "combo_scope", "May pairs and runs use cards of an earlier pile?", (
        Choice("pile", "no", (("play.combo_scope", "pile"),)),
        Choice("deal", "yes", (("play.combo_scope", "deal"),)),
    )),
    Reading("X5", "go_breaks", "Does a go inside an open pile break a pair or a run?", (
        Choice(False, "no", (("play.go_breaks", False),)),
        Choice(True, "yes", (("play.go_breaks", True),)),
    )),
    Reading("X6", "run_multiplicity", "How does a run with a rank held twice count in the show?", (
        Choice("each", "once for each way to make it", (("show.run_multiplicity", "each"),)),
        Choice("once", "once only", (("show.run_multiplicity", "once"),)),
    )),
    Reading("X7", "play_flush", "Do cards of one suit score in the play?", (
        Choice(False, "no"), Choice(True, "yes, from three cards on"),
    ), built=False),
    Reading("X8", "must_play", "Must a player who can lay a card do so?", (
        Choice(True, "yes"), Choice(False, "no, he may pass"),
    ), built=False),
    Reading("X9", "muggins", "Can points be overlooked and lost?", (
        Choice(False, "no, every point is pegged"), Choice(True, "yes"),
    ), built=False),
    Reading("N1", "turned_jack", "What does a jack turned as starter earn?", (
        Choice("dealer1", "1 point to the dealer", _jack("dealer", 1)),
        Choice("dealer2", "2 points to the dealer", _jack("dealer", 2)),
        Choice("opponents2", "2 points to each opponent of the dealer", _jack("opponents", 2)),
        Choice("off", "nothing", (("turned", ()),)),
    )),
    Reading("N2", "piles", "How many piles are there?", (
        Choice("multi", "as many as it takes to lay all cards", (("play.piles", "multi"),)),
        Choice("single", "one, until nobody can add a card", (("play.piles", "single"),)),
        Choice("single_first_stuck", "one, until the first player is stuck", (("play.piles", "single_first_stuck"),)),
    )),
    Reading("N3", "show_first", "Are the hands shown before the play?", (
        Choice(False, "no", (("order", ("play", "show")),)),
        Choice(True, "yes", (("order", ("show", "play")),)),
    )),
    Reading("N4", "fifteen", "What is a fifteen worth, in play and show?", (
        Choice("flat2", "2 points", _both("fifteen", 2)),
        Choice("per_card", "1 point a card", _both("fifteen", "per_card")),
    )),
    Reading("N5", "twentyfive", "Does a count of twenty-five score in the play?", (
        Choice("off", "no", (("play.twentyfive", 0),)),
        Choice("per_card", "1 point a card", (("play.twentyfive", "per_card"),)),
    )),
    Reading("N6", "run_scale", "What are runs worth, in play and show?", (
        Choice("length", "1 point a card", _both("run", "length")),
        Choice("cotton", "2 for three cards, 4 for four, 5 for five, and so on", _both("run", (2, 4, 5))),
    )),
    Reading("N7", "partners", "Do four players play as partners?", (
        Choice(False, "no, each alone"), Choice(True, "yes"),
    ), built=False),
    Reading("N9", "target", "How many points win?", tuple(
        Choice(points, str(points), (("target", points),)) for points in (31, 61, 21, 15)
    ), is_field=True),
    Reading("N10", "exact_finish", "Must the target be reached exactly?", (
        Choice(False, "no, passing it wins too"), Choice(True, "yes"),
    ), built=False),
    Reading("F1", "hand_flush", "Which cards make a flush in the show?", (
        Choice("whole", "the whole hand, and then the starter", (("show.hand_flush", "whole"),)),
        Choice("subset", "three or more hand cards, and then the starter", (("show.hand_flush", "subset"),)),
        Choice("groves", "three or more hand cards; the starter only completes a whole hand of four",
               (("show.hand_flush", "groves"),)),
        Choice("off", "none", (("show.hand_flush", "off"),)),
    )),
)  # fmt: skip

SHORTHANDS: Final[Mapping[str, Reading]] = {r.option: r for r in READINGS if r.built and not r.is_field}
"""Readings that a file may give at its top level, by option name."""


# --- what is not built ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NotBuilt:
    """A known rule that cannot be played yet: values that mean "as now" (``accepted``) and why the rest is refused."""

    accepted: tuple[object, ...]
    reason: str


def _group(reason: str, **accepted: tuple[object, ...]) -> dict[str, NotBuilt]:
    return {name: NotBuilt(values, reason) for name, values in accepted.items()}


_NONE: Final = (False, 0, "off", "none")

NOT_BUILT: Final[Mapping[str, NotBuilt]] = {
    **_group("flushes in the play are not built yet", play_flush=(False,)),
    **_group("when a player may hold back a card that fits has not been written down yet", must_play=(True,)),
    **_group("every point is pegged by itself; players who overlook points are not built yet", muggins=(False,)),
    **_group("each player plays alone; partners are not built yet", partners=(False,)),
    **_group("what happens to points beyond the target has not been written down yet", exact_finish=(False,)),
    **_group("near the target too, the turned card's points count; a rule against it is not written down yet",
             heels_can_win=(True,)),
    **_group("variants with a crib and discards are not built yet",
             crib=_NONE, crib_flush=_NONE, discard=_NONE, deal_to_crib=_NONE),
    **_group("three for last is not built yet; head_start gives points to a seat of the first deal",
             three_for_last=_NONE),
    **_group("only won and lost games are counted; skunks are not built yet", skunk=_NONE),
    **_group("exchanging a card (mogging) is not built yet",
             mog=_NONE, mog_first=(), mog_with=(), mog_bonus=()),
    **_group("points for jacks and deuces in hand are not built yet",
             jacks_deuces=_NONE, plain_deuce=(0,), jd_pairs=(True,)),
    **_group('write it as an entry of turned, for example {rank = "2", to = "dealer", points = 4}', turned_deuce=()),
    **_group("points for colours are not built yet", colours=_NONE, colour_stack=(False,)),
    **_group("say it with points: [play] run = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]", play_runs=()),
    **_group("say it with points: [play] same_rank = [0, 0, 0]", play_pairs=()),
    **_group("a point for the go beside the last card is not built yet", go_point=(False,)),
    **_group("points for a count of thirty are not built yet", thirty_scores=(False,)),
    **_group("this belongs to the melding game, which is not built yet",
             face_value=(10,), meld_scoring=(), sum_value=(), must_meld=(), melds_per_turn=(), trump_in_melds=(),
             trump_drawable=(), stock_out=(), trump_jack=(), suit_value=()),
    **_group("this belongs to Snitch, which is not built yet",
             jokers=(0,), joker_pair=(), steal=("off",), response=(), refill=(), max_sets=(), discard_then_set=(),
             first_discard=(), action4=(), deuce_points=(), deal_end=(), tie=()),
    **_group("write the allowed numbers of players as players = [2, 3, 4]", min_players=()),
}  # fmt: skip


# --- from readings to fields, and back ------------------------------------------------------------------------------

_WORDS_FOR_NUMBERS: Final[Mapping[str, Mapping[str, int]]] = {
    "thirtyone_extra": {"none": 0, "last1": 1, "double": 2},
    "fifteen": {"flat2": 2},
    "twentyfive": {"off": 0},
}


def number_for_word(field: str, value: object) -> object:
    """The number behind a reading's word given inside its table (``thirtyone_extra = "last1"``); else the value."""
    words = _WORDS_FOR_NUMBERS.get(field, {})
    return words.get(value, value) if isinstance(value, str) else value


def same_value(one: object, other: object) -> bool:
    """Equal in value and in kind: ``True`` is not 1 here."""
    return type(one) is type(other) and one == other


def apply_reading(rules: dict[str, Any], option: str, value: object) -> None:
    """Set in ``rules`` (a nested dict, changed in place) what the reading says.

    The jack's bonus leaves bonuses for other ranks alone; the order of play and show leaves the heels in their place.
    ``value`` must be one of the reading's values.
    """
    choice = SHORTHANDS[option].choice(value)
    if choice is None:
        raise ValueError(f"{option} has no reading {value!r}")
    for key, setting in choice.sets:
        if key == "turned":
            others = [entry for entry in rules.get("turned", ()) if entry["rank"] != "J"]
            rules["turned"] = [*(dict(entry) for entry in setting), *others]
        elif key == "order":
            rules["order"] = _in_order(rules.get("order", ("heels", "play", "show")), setting)
        else:
            _put(rules, key, list(setting) if isinstance(setting, tuple) else setting)


def reading_in_force(reading: Reading, rules: Mapping[str, Any]) -> str | bool | int:
    """The value of a reading that the rules follow, or ``own`` if they follow none of its named answers.

    ``rules`` is the full nested dict. A question whose option is a field gives that field's value.
    """
    if reading.is_field:
        value: int = rules[reading.option]
        return value
    if not reading.built:
        return reading.choices[0].value
    for choice in reading.choices:
        if all(_matches(key, look_up(rules, key), setting) for key, setting in choice.sets):
            return choice.value
    return OWN


def readings_in_force(rules: Mapping[str, Any]) -> dict[str, str | bool | int]:
    """Value in force for every reading, by option name, in the order of their ids."""
    return {reading.option: reading_in_force(reading, rules) for reading in READINGS}


def scale_points(scale: str | Sequence[int], cards: int) -> int:
    """Points of a run or flush of ``cards`` cards (3 or more): ``"length"``, or a list for 3, 4, 5, … cards.

    Beyond the end of a list each card adds one point.
    """
    if isinstance(scale, str):
        return cards
    points = list(scale)
    beyond = max(0, cards - 2 - len(points))
    return points[min(cards - 3, len(points) - 1)] + beyond


def look_up(rules: Mapping[str, Any], key: str) -> Any:
    """Value at a dotted key of a nested dict."""
    value: Any = rules
    for part in key.split("."):
        value = value[part]
    return value


def _put(rules: dict[str, Any], key: str, value: object) -> None:
    *tables, last = key.split(".")
    for table in tables:
        rules = rules.setdefault(table, {})
    rules[last] = value


def _in_order(order: Sequence[str], first_then: Sequence[str]) -> list[str]:
    """The order with play and show put in the given order, in the two places that they hold."""
    wanted = iter(first_then)
    return [next(wanted) if phase in first_then else phase for phase in order]


def _same_jack(value: Any, setting: Any) -> bool:
    found = {(e["to"], e["points"]) for e in value if e["rank"] == "J" and e["points"] > 0}
    return found == {(e["to"], e["points"]) for e in setting}


def _same_order(value: Any, setting: Any) -> bool:
    return [phase for phase in value if phase in setting] == list(setting)


def _same_scale(value: Any, setting: Any) -> bool:
    return all(scale_points(value, n) == scale_points(setting, n) for n in range(3, LONGEST_RUN + 1))


_MATCHERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "turned": _same_jack,
    "order": _same_order,
    "play.run": _same_scale,
    "show.run": _same_scale,
}


def _matches(key: str, value: Any, setting: Any) -> bool:
    return _MATCHERS.get(key, same_value)(value, setting)
