"""The rules of Snitch as a strict record, its named readings, and what each value may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import Field, field_validator

from noddysim.game.readings import Choice, Reading
from noddysim.game.rulemodels import FROM_LIST, TO_LIST, Record

MOST_PLAYERS: Final = 8
MOST_VALUE: Final = 100
CardPoints = Annotated[int, Field(ge=0, le=MOST_VALUE)]
Players = Annotated[tuple[int, ...], FROM_LIST, TO_LIST]


class SnitchRules(Record):
    """How Snitch is played; the fields are those of ``SNITCH_ALLOWED``."""

    players: Players
    target: Annotated[int, Field(ge=1, le=100_000)]
    jokers: Literal[4, 2]
    joker_pair: bool
    response: Literal["free", "match_only"]
    refill: Literal["turn", "set"]
    max_sets: Annotated[int, Field(ge=0, le=54)]
    discard_then_set: bool
    first_discard: bool
    action4: Literal["stack", "extend"]
    deal_end: Literal["all_pass", "no_set"]
    tie: Literal["play_on", "share"]
    low_points: CardPoints
    high_points: CardPoints
    ace_points: CardPoints
    deuce_points: CardPoints
    joker_points: CardPoints

    @field_validator("players")
    @classmethod
    def _some_of_two_to_eight(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value or list(value) != sorted(set(value) & set(range(2, MOST_PLAYERS + 1))):
            raise ValueError("players")
        return value


_CARD: Final = f"a whole number from 0 to {MOST_VALUE}"

SNITCH_ALLOWED: Final[Mapping[str, str]] = {
    "players": f"a list of some of 2 to {MOST_PLAYERS}, in rising order, each once",
    "target": "a whole number from 1 to 100000",
    "jokers": "4 or 2",
    "joker_pair": "true or false",
    "response": '"free" or "match_only"',
    "refill": '"turn" or "set"',
    "max_sets": "a whole number from 0 (as many as one can) to 54",
    "discard_then_set": "true or false",
    "first_discard": "true or false",
    "action4": '"stack" or "extend"',
    "deal_end": '"all_pass" or "no_set"',
    "tie": '"play_on" or "share"',
    "low_points": _CARD,
    "high_points": _CARD,
    "ace_points": _CARD,
    "deuce_points": _CARD,
    "joker_points": _CARD,
}

SNITCH_READINGS: Final[tuple[Reading, ...]] = (
    Reading(
        "T0",
        "jokers",
        "How many jokers are there?",
        (
            Choice(4, "four, two in each pack"),
            Choice(2, "two in all"),
        ),
        is_field=True,
    ),
    Reading(
        "T2",
        "joker_pair",
        "Are two jokers a set?",
        (
            Choice(False, "no, a set needs a natural card"),
            Choice(True, "yes"),
        ),
        is_field=True,
    ),
    Reading(
        "T3",
        "steal",
        "May the sets of others be claimed?",
        (
            Choice("off", "no"),
            Choice("thief", "yes, as in the game Thief"),
        ),
        built=False,
    ),
    Reading(
        "T4",
        "response",
        "What may be laid after another player's set?",
        (
            Choice("free", "anything"),
            Choice("match_only", "a set of the same rank only"),
        ),
        is_field=True,
    ),
    Reading(
        "T5",
        "refill",
        "When is a hand filled to three cards?",
        (
            Choice("turn", "at the end of the turn"),
            Choice("set", "after each set"),
        ),
        is_field=True,
    ),
    Reading("T6", "max_sets", "How many sets may be laid on one turn?", (Choice(3, "three"),), is_field=True),
    Reading(
        "T7",
        "discard_then_set",
        "May a set be laid after a discard on the same turn?",
        (
            Choice(False, "no"),
            Choice(True, "yes"),
        ),
        is_field=True,
    ),
    Reading(
        "T9",
        "first_discard",
        "Is a card turned for the discards at the start?",
        (
            Choice(False, "no"),
            Choice(True, "yes"),
        ),
        is_field=True,
    ),
    Reading(
        "T10",
        "action4",
        "What may be laid on a set of one's own?",
        (
            Choice("stack", "a set of that rank, of a natural card and a wild one"),
            Choice("extend", "a wild card alone"),
        ),
        is_field=True,
    ),
    Reading(
        "T12",
        "deuce_points",
        "What is a deuce worth?",
        (
            Choice(20, "20 points"),
            Choice(25, "25 points"),
        ),
        is_field=True,
    ),
    Reading(
        "T14",
        "deal_end",
        "When does a deal end?",
        (
            Choice("all_pass", "when hands are empty or all have passed in turn"),
            Choice("no_set", "when nobody holds a set"),
        ),
        is_field=True,
    ),
    Reading(
        "T16",
        "tie",
        "What happens when two are highest?",
        (
            Choice("play_on", "another deal is played"),
            Choice("share", "they share the game"),
        ),
        is_field=True,
    ),
)
