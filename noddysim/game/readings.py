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
    concerns: str = ""
    """The kind of rules that the question is about, one of those in ``concerns``; empty for all rules."""

    @property
    def fields(self) -> tuple[str, ...]:
        """Dotted keys of the fields that this reading sets."""
        return tuple(dict.fromkeys(key for choice in self.choices for key, _ in choice.sets))

    def choice(self, value: object) -> Choice | None:
        """The choice with this value (true and 1 are different values), or None."""
        return next((c for c in self.choices if same_value(c.value, value)), None)


@dataclass(frozen=True)
class RankEntries:
    """All entries that a list shall have for one rank, each without it; those of other ranks stay as they are."""

    rank: str
    entries: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class RankPoints:
    """The ``points`` that the entry of one rank in a list shall have. Where there is no entry, the rank has nought."""

    rank: str
    points: int


def _turned(rank: str, *entries: tuple[str, int]) -> tuple[tuple[str, Any], ...]:
    return (("turned", RankEntries(rank, tuple({"to": to, "points": points} for to, points in entries))),)


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
    Reading("X3, S4", "next_lead", "Who leads the next pile?", (
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
        Choice(False, "no", (("play.flush", "off"),)),
        Choice(True, "yes, 1 point a card from three on", (("play.flush", "length"),)),
    )),
    Reading("X8, V2", "must_play", "Must a player who can lay a card do so?", (
        Choice(True, "yes"), Choice(False, "no, he may pass"),
    ), built=False),
    Reading("X9", "muggins", "Can points be overlooked and lost?", (
        Choice(False, "no, every point is pegged"), Choice(True, "yes"),
    ), built=False),
    Reading("N1", "turned_jack", "What does a jack turned as starter earn?", (
        Choice("dealer1", "1 point to the dealer", _turned("J", ("dealer", 1))),
        Choice("dealer2", "2 points to the dealer", _turned("J", ("dealer", 2))),
        Choice("opponents2", "2 points to each opponent of the dealer", _turned("J", ("opponents", 2))),
        Choice("off", "nothing", _turned("J")),
    )),
    Reading("N2, K13", "piles", "How many piles are there?", (
        Choice("multi", "as many as it takes to lay all cards", (("play.piles", "multi"),)),
        Choice("single", "one, until nobody can add a card", (("play.piles", "single"),)),
        Choice("single_first_stuck", "one, until the first player is stuck", (("play.piles", "single_first_stuck"),)),
    )),
    Reading("N3, V5", "show_first", "Are the hands shown before the play?", (
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
    Reading("N6, V3", "run_scale", "What are runs worth, in play and show?", (
        Choice("length", "1 point a card", _both("run", "length")),
        Choice("cotton", "2 for three cards, 4 for four, 5 for five, and so on", _both("run", (2, 4, 5))),
    )),
    Reading("N7, S2", "partners", "Do four players play as partners?", (
        Choice(False, "no, each alone", (("partners", False),)),
        Choice(True, "yes, those who sit opposite", (("partners", True),)),
    ), is_field=True, concerns="four"),
    Reading("N9, F2, S3", "target", "How many points win?", tuple(
        Choice(points, str(points), (("target", points),)) for points in (31, 61, 21, 15, 121)
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
    Reading("S6", "heels_can_win", "Can the points for the turned card win the game?", (
        Choice(True, "yes"), Choice(False, "no"),
    ), built=False),
    Reading("V1", "three_for_last", "Does the pone take three for last?", tuple(
        Choice(value, words, (("three_for_last", value),)) for value, words in (
            ("off", "no"), ("first_deal", "yes, in the first deal of a game"), ("every_deal", "yes, in every deal"),
        )
    ), is_field=True, concerns="three"),
    Reading("V4, S1", "crib_flush", "Which cards make a flush in the crib?", (
        Choice("five", "all of its cards and the starter", (("show.crib_flush", "five"),)),
        Choice("four_or_five", "all of its cards, with or without the starter", (("show.crib_flush", "four_or_five"),)),
        Choice("off", "none", (("show.crib_flush", "off"),)),
    ), concerns="crib"),
    Reading("S5", "skunk", "Does a game won by far count more than once?", (
        Choice("off", "no", (("skunk", ()),)),
        Choice("skunk", "twice if the loser is below 91", (("skunk", ({"below": 91, "games": 2},)),)),
        Choice("double_skunk", "twice if the loser is below 91, three times if he is below 61",
               (("skunk", ({"below": 91, "games": 2}, {"below": 61, "games": 3})),)),
        Choice("lurch", "twice if the loser is below 61", (("skunk", ({"below": 61, "games": 2},)),)),
        Choice("lurch31", "twice if the loser is below 31", (("skunk", ({"below": 31, "games": 2},)),)),
    )),
    Reading("K2", "mog_first", "Who is asked first whether he will mog?", (
        Choice("elder", "the elder", (("mog.first", "elder"),)),
        Choice("dealer", "the dealer", (("mog.first", "dealer"),)),
    ), concerns="mog"),
    Reading("K3", "mog_with", "With whom is a card exchanged?", (
        Choice("opponent", "with the other player"), Choice("stock", "with the stock"),
    ), built=False, concerns="mog"),
    Reading("K4", "mog_bonus", "A jack or deuce is passed: who has its points?", (
        Choice("giver", "the giver, at once", (("mog.bonus", "giver"),)),
        Choice("taker", "the taker, in the show", (("mog.bonus", "taker"),)),
        Choice("both", "both", (("mog.bonus", "both"),)),
    ), concerns="mog"),
    Reading("K5", "turned_deuce", "What does a deuce turned as starter earn?", (
        Choice(4, "4 points to the dealer", _turned("2", ("dealer", 4))),
        Choice(0, "nothing", _turned("2")),
    ), concerns="honours"),
    Reading("K6", "plain_deuce", "What is a deuce in hand worth that is not of the turned suit?", (
        Choice(2, "2 points", (("show.jacks_deuces", RankPoints("2", 2)),)),
        Choice(0, "nothing", (("show.jacks_deuces", RankPoints("2", 0)),)),
    ), concerns="honours"),
    Reading("K7", "jd_pairs", "Do jacks and deuces also pair?", (
        Choice(True, "yes"), Choice(False, "no"),
    ), built=False, concerns="honours"),
    Reading("K9", "play_runs", "Do runs score in the play?", (
        Choice(True, "yes, 1 point a card", (("play.run", "length"),)),
        Choice(False, "no", (("play.run", "off"),)),
    ), concerns="honours"),
    Reading("K10", "play_pairs", "What do two, three and four of a rank earn in the play?", (
        Choice(True, "2, 9 and 18 points", (("play.same_rank", (2, 9, 18)),)),
        Choice(False, "nothing", (("play.same_rank", (0, 0, 0)),)),
    ), concerns="honours"),
    Reading("K11", "colour_stack", "Does three in suit count for three in colour too?", (
        Choice(False, "no, only the best counts"), Choice(True, "yes, both count"),
    ), built=False, concerns="colours"),
    Reading("K12", "go_point", "Does a go earn a point beside that for the last card?", (
        Choice(False, "no"), Choice(True, "yes, 1 point"),
    ), built=False, concerns="honours"),
    Reading("K14", "thirty_scores", "Does a count of thirty score?", (
        Choice(False, "no"), Choice(True, "yes"),
    ), built=False, concerns="honours"),
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


NOT_BUILT: Final[Mapping[str, NotBuilt]] = {
    **_group("when a player may hold back a card that fits has not been written down yet", must_play=(True,)),
    **_group("every point is pegged by itself; players who overlook points are not built yet", muggins=(False,)),
    **_group("what happens to points beyond the target has not been written down yet", exact_finish=(False,)),
    **_group("near the target too, the turned card's points count; a rule against it has not been written down yet",
             heels_can_win=(True,)),
    **_group("jacks and deuces that do not pair are not built", jd_pairs=(True,)),
    **_group("only the best colour counts; adding three in suit to three in colour is not built",
             colour_stack=(False,)),
    **_group("cards are exchanged with the other player; an exchange with the stock is not built",
             mog_with=("opponent",)),
    **_group("a point for the go beside the last card is not built yet", go_point=(False,)),
    **_group("points for a count of thirty are not built yet", thirty_scores=(False,)),
    **_group("this belongs to the melding game, which has a family of its own: build on innocence",
             face_value=(10,), meld_scoring=(), sum_value=(), must_meld=(), melds_per_turn=(), trump_in_melds=(),
             trump_drawable=(), stock_out=(), trump_jack=(), suit_value=()),
    **_group("this belongs to Snitch, which has a family of its own: build on snitch",
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


def apply_reading(rules: dict[str, Any], reading: Reading, value: object) -> None:
    """Set in ``rules`` (a nested dict, changed in place) what the reading says.

    What it says of a rank leaves other ranks alone; the order of play and show leaves the heels in their place.
    ``value`` must be one of the reading's values.
    """
    choice = reading.choice(value)
    if choice is None:
        raise ValueError(f"{reading.option} has no reading {value!r}")
    for key, setting in choice.sets:
        if isinstance(setting, RankEntries):
            _put(rules, key, _with_rank(look_up(rules, key), setting))
        elif isinstance(setting, RankPoints):
            _put(rules, key, [_with_points(entry, setting) for entry in look_up(rules, key)])
        elif key == "order":
            rules["order"] = _in_order(rules.get("order", ("heels", "play", "show")), setting)
        else:
            _put(rules, key, _listed(setting))


def _listed(setting: Any) -> Any:
    """A setting in the form of a file: lists for tuples."""
    return [dict(entry) if isinstance(entry, Mapping) else entry for entry in setting] if _is_list(setting) else setting


def _is_list(setting: object) -> bool:
    return isinstance(setting, list | tuple)


def _with_rank(entries: Sequence[Mapping[str, Any]], setting: RankEntries) -> list[dict[str, Any]]:
    """A list of entries with those of one rank as the setting says, in their old place or at the end.

    The others stay as they were, so that giving the reading which is in force changes nothing.
    """
    ranks = [entry["rank"] for entry in entries]
    place = ranks.index(setting.rank) if setting.rank in ranks else len(ranks)
    others = [[dict(e) for e in part if e["rank"] != setting.rank] for part in (entries[:place], entries[place:])]
    return [*others[0], *({"rank": setting.rank, **entry} for entry in setting.entries), *others[1]]


def _with_points(entry: Mapping[str, Any], setting: RankPoints) -> dict[str, Any]:
    """The entry, with other points if it is for the rank of the setting."""
    return {**entry, "points": setting.points} if entry["rank"] == setting.rank else dict(entry)


def reading_in_force(reading: Reading, rules: Mapping[str, Any]) -> str | bool | int:
    """The value of a reading that the rules follow, or ``own`` if they follow none of its named answers.

    ``rules`` is the full nested dict. A question whose option is a field gives that field's value.
    """
    if reading.is_field:
        value: str | bool | int = rules[reading.option]
        return value
    if not reading.built:
        return reading.choices[0].value
    for choice in reading.choices:
        if all(_matches(key, look_up(rules, key), setting) for key, setting in choice.sets):
            return choice.value
    return OWN


def readings_in_force(all_readings: Sequence[Reading], rules: Mapping[str, Any]) -> dict[str, str | bool | int]:
    """Value in force for every reading of a family, by option name, in the order of their ids."""
    return {reading.option: reading_in_force(reading, rules) for reading in all_readings}


def scale_points(scale: str | Sequence[int], cards: int) -> int:
    """Points of a run or flush of ``cards`` cards (3 or more): ``"length"``, or a list for 3, 4, 5, … cards.

    ``"off"`` pays nothing. Beyond the end of a list each card adds one point.
    """
    if isinstance(scale, str):
        return cards if scale == "length" else 0
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


def _same_rank_entries(value: Sequence[Mapping[str, Any]], setting: RankEntries) -> bool:
    """Whether the entries of the rank say what the setting does; entries of no points say nothing."""
    found = [dict(entry) for entry in value if entry["rank"] == setting.rank and entry["points"] > 0]
    wanted = [{"rank": setting.rank, **entry} for entry in setting.entries]
    return len(found) == len(wanted) and all(entry in wanted for entry in found)


def _same_rank_points(value: Sequence[Mapping[str, Any]], setting: RankPoints) -> bool:
    return next((entry["points"] for entry in value if entry["rank"] == setting.rank), 0) == setting.points


def _same_order(value: Any, setting: Any) -> bool:
    return [phase for phase in value if phase in setting] == list(setting)


def _same_entries(value: Any, setting: Any) -> bool:
    return len(value) == len(setting) and all(entry in value for entry in setting)


def _same_scale(value: Any, setting: Any) -> bool:
    return all(scale_points(value, n) == scale_points(setting, n) for n in range(3, LONGEST_RUN + 1))


_MATCHERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "order": _same_order,
    "play.run": _same_scale,
    "show.run": _same_scale,
    "play.flush": _same_scale,
    "skunk": _same_entries,
}


def _matches(key: str, value: Any, setting: Any) -> bool:
    if isinstance(setting, RankEntries):
        return _same_rank_entries(value, setting)
    if isinstance(setting, RankPoints):
        return _same_rank_points(value, setting)
    if _is_list(setting) and _is_list(value) and key not in _MATCHERS:
        return [*value] == [*setting]
    return _MATCHERS.get(key, same_value)(value, setting)


def concerns(reading: Reading, rules: Mapping[str, Any]) -> bool:
    """Whether the question arises under these rules, the full nested dict."""
    if not reading.concerns:
        return True
    arises = {
        "crib": rules["crib"],
        "three": rules["crib"] or rules["three_for_last"] != "off",
        "four": 4 in rules["players"],
        "mog": rules["mog"]["exchange"] != "off",
        "honours": bool(rules["show"]["jacks_deuces"]),
        "colours": bool(rules["show"]["colours"]),
    }
    return bool(arises[reading.concerns])
