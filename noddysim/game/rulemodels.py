"""The frozen records that hold the rules of a pegging variant, and what each value may be.

The records are strict: a value of the wrong kind, a key too many or two values that do not fit are refused. Loading,
merging and the wording of errors live in ``rules`` and ``rulecheck``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WrapSerializer,
    field_validator,
    model_validator,
)

from noddysim.game.tomlfile import KeyPath

# --- the records ----------------------------------------------------------------------------------------------------

Status = Literal["enumerated", "verified", "provisional"]
Seen = Literal["whole", "part", "extracts", "inferred", "none"]
Rank = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
Receiver = Literal["dealer", "eldest", "opponents"]
Phase = Literal["heels", "play", "show"]
NextDealer = Literal["left", "right", "same", "lowest", "highest"]
Piles = Literal["multi", "single", "single_first_stuck"]
NextLead = Literal["left_of_last", "first_go"]
ComboScope = Literal["pile", "deal"]
Multiplicity = Literal["each", "once"]
HandFlush = Literal["whole", "subset", "groves", "off"]

MAX_POINTS: Final = 31
SEATS: Final = ("eldest", "second", "third", "dealer")


def _tuple_from_list(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _seat_name(value: object) -> object:
    return "eldest" if value == "pone" else value


def _rank_name(value: object) -> object:
    if not isinstance(value, str):
        return value
    return "T" if value == "10" else value.upper()


_FROM_LIST: Final = BeforeValidator(_tuple_from_list)
_TO_LIST: Final = PlainSerializer(list)
_ENTRIES_TO_LIST: Final = WrapSerializer(lambda value, dump: list(dump(value)))
Points = Annotated[int, Field(ge=0, le=MAX_POINTS)]
SumPoints = Points | Literal["per_card"]
_Lengths = Annotated[tuple[Points, ...], Field(min_length=1, max_length=11), _FROM_LIST, _TO_LIST]
Scale = Literal["length"] | _Lengths
SameRank = Annotated[tuple[Points, Points, Points], _FROM_LIST, _TO_LIST]
Start = Annotated[int, Field(ge=0, le=9999)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)


class HeadStart(_Record):
    """Points before the first card, by seat of the first deal; see ``SEATS`` and ``PeggingRules.seats``."""

    eldest: Start
    second: Start
    third: Start
    dealer: Start


class TurnedBonus(_Record):
    """Points for a rank turned as starter: to the dealer, to the eldest, or to each opponent of the dealer."""

    rank: Annotated[Rank, BeforeValidator(_rank_name)]
    to: Annotated[Receiver, BeforeValidator(_seat_name)]
    points: Points


class PlayRules(_Record):
    """Rules of the play. Points are 0 to 31; ``per_card`` is 1 point for each card of the pile."""

    limit: Annotated[int, Field(ge=15, le=60)]
    piles: Piles
    fifteen: SumPoints
    twentyfive: SumPoints
    thirtyone: SumPoints
    thirtyone_extra: Points
    same_rank: SameRank
    run: Scale
    last: Points
    final_card_point: bool
    next_lead: NextLead
    combo_scope: ComboScope
    go_breaks: bool


class ShowRules(_Record):
    """Rules of the show. Points are 0 to 31; ``per_card`` is 1 point for each card of the subset."""

    fifteen: SumPoints
    twentyfive: SumPoints
    thirtyone: SumPoints
    same_rank: SameRank
    run: Scale
    run_multiplicity: Multiplicity
    hand_flush: HandFlush
    flush: Scale
    nob: Points


class Misfit(ValueError):
    """Two values that do not go together; ``paths`` are their keys, the one most likely at fault first."""

    def __init__(self, paths: tuple[KeyPath, ...], text: str) -> None:
        super().__init__(text)
        self.paths = paths


class PeggingRules(_Record):
    """All rules of a pegging variant. ``model_dump()`` gives them as plain lists, numbers and words."""

    players: Annotated[tuple[int, ...], Field(min_length=1), _FROM_LIST, _TO_LIST]
    hand: Annotated[int, Field(ge=1, le=4)]
    target: Annotated[int, Field(ge=1, le=10000)]
    head_start: HeadStart
    next_dealer: NextDealer
    order: Annotated[tuple[Phase, ...], _FROM_LIST, _TO_LIST]
    turned: Annotated[tuple[TurnedBonus, ...], _FROM_LIST, _ENTRIES_TO_LIST]
    play: PlayRules
    show: ShowRules

    @field_validator("players")
    @classmethod
    def _players_rise(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if any(n not in (2, 3, 4) for n in value) or list(value) != sorted(set(value)):
            raise ValueError("some of 2, 3, 4 in rising order")
        return value

    @field_validator("order")
    @classmethod
    def _each_phase_once(cls, value: tuple[Phase, ...]) -> tuple[Phase, ...]:
        if sorted(value) != sorted(get_args(Phase)):
            raise ValueError("each phase once")
        return value

    @model_validator(mode="after")
    def _values_fit(self) -> PeggingRules:
        for seat in SEATS:
            points = getattr(self.head_start, seat)
            if points >= self.target:
                raise Misfit(
                    (("head_start", seat), ("target",)),
                    f"a head start of {points} is not below the target of {self.target}",
                )
        pairs = [(bonus.rank, bonus.to) for bonus in self.turned]
        for number, pair in enumerate(pairs):
            if pair in pairs[:number]:
                text = f"there are two entries for rank {pair[0]} to {pair[1]}; give one with the points added up"
                raise Misfit((("turned", number),), text)
        return self

    def seats(self, players: int) -> tuple[str, ...]:
        """Names of the seats for a number of players, from the eldest to the dealer."""
        return (*SEATS[: players - 1], "dealer")

    def start_points(self, players: int) -> tuple[int, ...]:
        """Head start of each seat of the first deal, from the eldest to the dealer."""
        return tuple(getattr(self.head_start, seat) for seat in self.seats(players))


# --- what is allowed, in words --------------------------------------------------------------------------------------


def either(kind: object) -> str:
    """The words of a Literal as a list for a reader: ``"a", "b" or "c"``."""
    words = [f'"{word}"' for word in get_args(kind)]
    return f"{', '.join(words[:-1])} or {words[-1]}"


POINTS_WORDS: Final = f"a whole number from 0 to {MAX_POINTS}"
_SUM: Final = f'{POINTS_WORDS}, or "per_card"'
_SAME_RANK: Final = f"a list of three numbers from 0 to {MAX_POINTS}, for two, three and four of a rank"
_SCALE: Final = f'"length", or a list of 1 to 11 numbers from 0 to {MAX_POINTS}, for three cards, four cards, ...'
_START: Final = "a whole number from 0 to 9999, below the target"
HEAD_START_WORDS: Final = (
    "a table with points for pone (or eldest), second, third, dealer; or, if only one number of players is allowed, "
    "a list from the eldest to the dealer"
)

ALLOWED: Final[Mapping[str, str]] = {
    "players": "a list of some of 2, 3 and 4, in rising order, each once",
    "hand": "a whole number from 1 to 4",
    "target": "a whole number from 1 to 10000",
    "head_start": HEAD_START_WORDS,
    **{f"head_start.{seat}": _START for seat in SEATS},
    "next_dealer": either(NextDealer),
    "order": 'a list of "heels", "play" and "show", each once, in the order in which they come',
    "turned": 'a list of entries like {rank = "J", to = "dealer", points = 1}',
    "turned.rank": "A, 2 to 9, T, J, Q or K in quotation marks",
    "turned.to": '"dealer", "eldest" (or "pone") or "opponents"',
    "turned.points": POINTS_WORDS,
    "play": "a table",
    "play.limit": "a whole number from 15 to 60",
    "play.piles": either(Piles),
    "play.fifteen": _SUM,
    "play.twentyfive": _SUM,
    "play.thirtyone": _SUM,
    "play.thirtyone_extra": f'{POINTS_WORDS}, or "none", "last1" or "double"',
    "play.same_rank": _SAME_RANK,
    "play.run": _SCALE,
    "play.last": POINTS_WORDS,
    "play.final_card_point": "true or false",
    "play.next_lead": either(NextLead),
    "play.combo_scope": either(ComboScope),
    "play.go_breaks": "true or false",
    "show": "a table",
    "show.fifteen": _SUM,
    "show.twentyfive": _SUM,
    "show.thirtyone": _SUM,
    "show.same_rank": _SAME_RANK,
    "show.run": _SCALE,
    "show.run_multiplicity": either(Multiplicity),
    "show.hand_flush": either(HandFlush),
    "show.flush": _SCALE,
    "show.nob": POINTS_WORDS,
}
"""What each field takes, for error messages. Dotted keys; entries of ``turned`` without their number."""

TABLES: Final = {"play": tuple(PlayRules.model_fields), "show": tuple(ShowRules.model_fields)}
TOP_FIELDS: Final = tuple(PeggingRules.model_fields)
LEAVES: Final = tuple(
    key
    for name in TOP_FIELDS
    for key in ([f"{name}.{sub}" for sub in TABLES[name]] if name in TABLES else [name])
)  # fmt: skip
"""Dotted keys of the values that have a source each."""
