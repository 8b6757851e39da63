"""The rules of the melding game as a strict record, its named readings, and what each value may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import Field, field_validator

from noddysim.game.readings import Choice, Reading
from noddysim.game.rulemodels import FROM_LIST, MAX_POINTS, TO_LIST, Record

MOST_MELDS: Final = 9
Points = Annotated[int, Field(ge=0, le=MAX_POINTS)]
ThreePoints = Annotated[tuple[Points, Points, Points], FROM_LIST, TO_LIST]
Players = Annotated[tuple[int, ...], FROM_LIST, TO_LIST]


class MeldRules(Record):
    """How the melding game is played; the fields are those of ``MELD_ALLOWED``."""

    players: Players
    target: Annotated[int, Field(ge=1, le=10_000)]
    face_value: Literal["10", "rank"]
    meld_scoring: Literal["single", "whole_set", "all_subsets"]
    sum_value: Literal["face", "flat2", "per_card"]
    must_meld: bool
    melds_per_turn: Annotated[int, Field(ge=1, le=MOST_MELDS)]
    trump_in_melds: bool
    trump_drawable: bool
    stock_out: Literal["redeal", "reshuffle"]
    turned_jack: Literal["opponents2", "dealer2", "dealer1"]
    trump_jack: Literal["meld", "bonus"]
    suit_value: Literal["flat", "per_card"]
    group: ThreePoints
    run: ThreePoints
    rounds: Annotated[int, Field(ge=1, le=1000)]

    @field_validator("players")
    @classmethod
    def _some_of_two_to_four(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if not value or list(value) != sorted(set(value) & {2, 3, 4}):
            raise ValueError("players")
        return value


MELD_ALLOWED: Final[Mapping[str, str]] = {
    "players": "a list of some of 2, 3 and 4, in rising order, each once",
    "target": "a whole number from 1 to 10000",
    "face_value": '"10" or "rank"',
    "meld_scoring": '"single", "whole_set" or "all_subsets"',
    "sum_value": '"face", "flat2" or "per_card"',
    "must_meld": "true or false",
    "melds_per_turn": f"a whole number from 1 to {MOST_MELDS}",
    "trump_in_melds": "true or false",
    "trump_drawable": "true or false",
    "stock_out": '"redeal" or "reshuffle"',
    "turned_jack": '"opponents2", "dealer2" or "dealer1"',
    "trump_jack": '"meld" or "bonus"',
    "suit_value": '"flat" or "per_card"',
    "group": f"a list of three numbers from 0 to {MAX_POINTS}, for two, three and four of a rank",
    "run": f"a list of three numbers from 0 to {MAX_POINTS}, for three, four, and five or more in sequence",
    "rounds": "a whole number from 1 to 1000",
}

MELD_READINGS: Final[tuple[Reading, ...]] = (
    Reading(
        "A1",
        "face_value",
        "What do jack, queen and king add to a sum?",
        (
            Choice("10", "10 each"),
            Choice("rank", "11, 12 and 13"),
        ),
        is_field=True,
    ),
    Reading(
        "A2",
        "meld_scoring",
        "What does one meld score?",
        (
            Choice("single", "the one combination that is declared"),
            Choice("whole_set", "every combination that all its cards make together"),
            Choice("all_subsets", "every combination that any of its cards make"),
        ),
        is_field=True,
    ),
    Reading(
        "A3",
        "sum_value",
        "What are sums of 15, 25 and 31 worth?",
        (
            Choice("face", "15, 25 and 31 points"),
            Choice("flat2", "2 points"),
            Choice("per_card", "1 point a card"),
        ),
        is_field=True,
    ),
    Reading(
        "A4",
        "must_meld",
        "Must a player who holds a combination lay one?",
        (
            Choice(True, "yes, any he likes"),
            Choice(False, "no, he may draw instead"),
        ),
        is_field=True,
    ),
    Reading("A5", "melds_per_turn", "How many melds may be laid on one turn?", (Choice(1, "one"),), is_field=True),
    Reading(
        "A7",
        "trump_in_melds",
        "Does the turned card join melds?",
        (
            Choice(False, "no"),
            Choice(True, "yes, while it lies on the table"),
        ),
        is_field=True,
    ),
    Reading(
        "A8",
        "trump_drawable",
        "May the turned card be drawn?",
        (
            Choice(True, "yes, as the last card of the stock"),
            Choice(False, "no"),
        ),
        is_field=True,
    ),
    Reading(
        "A9",
        "stock_out",
        "What happens when the stock is gone?",
        (
            Choice("redeal", "when all pass in turn the next dealer deals, scores stay"),
            Choice("reshuffle", "the laid cards are shuffled and become the stock"),
        ),
        is_field=True,
    ),
    Reading(
        "A10",
        "turned_jack",
        "What does a jack turned as trump earn?",
        (
            Choice("opponents2", "2 points to each opponent of the dealer"),
            Choice("dealer2", "2 points to the dealer"),
            Choice("dealer1", "1 point to the dealer"),
        ),
        is_field=True,
    ),
    Reading(
        "A12",
        "trump_jack",
        "What is the jack of trumps in hand?",
        (
            Choice("meld", "a meld of one card"),
            Choice("bonus", "1 point on top of a meld that it is part of"),
        ),
        is_field=True,
    ),
    Reading(
        "A13",
        "suit_value",
        "What are three or four cards of a suit worth?",
        (
            Choice("flat", "1 point in all"),
            Choice("per_card", "1 point a card"),
        ),
        is_field=True,
    ),
)
