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
CribFlush = Literal["five", "four_or_five", "off"]
ThreeForLast = Literal["off", "first_deal", "every_deal"]
Exchange = Literal["off", "opponent"]
Asked = Literal["elder", "dealer"]
MogBonus = Literal["giver", "taker", "both"]

MAX_POINTS: Final = 31
SEATS: Final = ("eldest", "second", "third", "dealer")
NUMBERS: Final[Mapping[int, str]] = {2: "two", 3: "three", 4: "four"}
"""Keys of values that differ by the number of players."""
COLOURS: Final = (
    "three of one colour",
    "three of one suit with the fourth of the other colour",
    "four of one colour, two of each suit",
    "four of one colour, three of one suit",
    "four of one suit",
)
"""What the five numbers of ``show.colours`` pay for."""
CRIB_MOST: Final = 4
AWAY_MOST: Final = 2
"""Most cards of a crib, and most that one player lays away."""
LONGEST: Final = 13
"""Cards of the longest run or flush there can be."""


def _tuple_from_list(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _seat_name(value: object) -> object:
    return "eldest" if value == "pone" else value


def _by_number(value: object) -> object:
    """One number for all numbers of players, or a table of some of them; the rest is nought."""
    if isinstance(value, int) and not isinstance(value, bool):
        return dict.fromkeys(NUMBERS.values(), value)
    if isinstance(value, Mapping):
        given: dict[object, object] = {number_name(key): entry for key, entry in value.items()}
        return dict.fromkeys(NUMBERS.values(), 0) | given
    return value


def number_name(key: object) -> object:
    """``two`` for 2 or ``"2"``, and so on; any other key as it is."""
    names = {str(number): name for number, name in NUMBERS.items()}
    return names.get(str(key), key)


def _rank_name(value: object) -> object:
    if not isinstance(value, str):
        return value
    return "T" if value == "10" else value.upper()


FROM_LIST: Final = BeforeValidator(_tuple_from_list)
TO_LIST: Final = PlainSerializer(list)
_ENTRIES_TO_LIST: Final = WrapSerializer(lambda value, dump: list(dump(value)))
Points = Annotated[int, Field(ge=0, le=MAX_POINTS)]
SumPoints = Points | Literal["per_card"]
_Lengths = Annotated[tuple[Points, ...], Field(min_length=1, max_length=11), FROM_LIST, TO_LIST]
Scale = Literal["length", "off"] | _Lengths
ColourPoints = Annotated[tuple[Points, ...], FROM_LIST, TO_LIST]
SameRank = Annotated[tuple[Points, Points, Points], FROM_LIST, TO_LIST]
Start = Annotated[int, Field(ge=0, le=9999)]


class Record(BaseModel):
    """A strict record: no other keys, no other kinds of value, nothing changed afterwards."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)


class HeadStart(Record):
    """Points before the first card, by seat of the first deal; see ``SEATS`` and ``PeggingRules.seats``."""

    eldest: Start
    second: Start
    third: Start
    dealer: Start


class TurnedBonus(Record):
    """Points for a rank turned as starter: to the dealer, to the eldest, or to each opponent of the dealer."""

    rank: Annotated[Rank, BeforeValidator(_rank_name)]
    to: Annotated[Receiver, BeforeValidator(_seat_name)]
    points: Points


class ByPlayers(Record):
    """A number of cards, 0 to 4, by the number of players."""

    two: Annotated[int, Field(ge=0, le=CRIB_MOST)]
    three: Annotated[int, Field(ge=0, le=CRIB_MOST)]
    four: Annotated[int, Field(ge=0, le=CRIB_MOST)]

    def of(self, players: int) -> int:
        """The number for so many players."""
        number: int = getattr(self, NUMBERS[players])
        return number


class LaidAway(ByPlayers):
    """Cards that each player lays away, 0 to 2, by the number of players."""

    two: Annotated[int, Field(ge=0, le=AWAY_MOST)]
    three: Annotated[int, Field(ge=0, le=AWAY_MOST)]
    four: Annotated[int, Field(ge=0, le=AWAY_MOST)]


class RankBonus(Record):
    """Points for each card of a rank in hand: ``suited`` for one of the starter's suit, ``points`` for the others."""

    rank: Annotated[Rank, BeforeValidator(_rank_name)]
    points: Points
    suited: Points


class SkunkBand(Record):
    """A game counts as so many ``games`` if the best of the losers is ``below`` some score."""

    below: Annotated[int, Field(ge=1, le=10000)]
    games: Annotated[int, Field(ge=2, le=9)]


class MogRules(Record):
    """Exchanging a card before the play. The points of a card passed are those of ``show.jacks_deuces``."""

    exchange: Exchange
    first: Asked
    refusal: Points
    bonus: MogBonus


class PlayRules(Record):
    """Rules of the play. Points are 0 to 31; ``per_card`` is 1 point for each card of the pile."""

    limit: Annotated[int, Field(ge=15, le=60)]
    piles: Piles
    fifteen: SumPoints
    twentyfive: SumPoints
    thirtyone: SumPoints
    thirtyone_extra: Points
    same_rank: SameRank
    run: Scale
    flush: Scale
    last: Points
    final_card_point: bool
    next_lead: NextLead
    combo_scope: ComboScope
    go_breaks: bool


class ShowRules(Record):
    """Rules of the show. Points are 0 to 31; ``per_card`` is 1 point for each card of the subset."""

    fifteen: SumPoints
    twentyfive: SumPoints
    thirtyone: SumPoints
    same_rank: SameRank
    run: Scale
    run_multiplicity: Multiplicity
    hand_flush: HandFlush
    flush: Scale
    crib_flush: CribFlush
    nob: Points
    jacks_deuces: Annotated[tuple[RankBonus, ...], FROM_LIST, _ENTRIES_TO_LIST]
    colours: ColourPoints


class Misfit(ValueError):
    """Two values that do not go together; ``paths`` are their keys, the one most likely at fault first."""

    def __init__(self, paths: tuple[KeyPath, ...], text: str) -> None:
        super().__init__(text)
        self.paths = paths


class PeggingRules(Record):
    """All rules of a pegging variant. ``model_dump()`` gives them as plain lists, numbers and words."""

    players: Annotated[tuple[int, ...], Field(min_length=1), FROM_LIST, TO_LIST]
    partners: bool
    hand: Annotated[int, Field(ge=1, le=4)]
    discard: Annotated[LaidAway, BeforeValidator(_by_number)]
    deal_to_crib: Annotated[ByPlayers, BeforeValidator(_by_number)]
    crib: bool
    mog: MogRules
    target: Annotated[int, Field(ge=1, le=10000)]
    head_start: HeadStart
    three_for_last: ThreeForLast
    next_dealer: NextDealer
    order: Annotated[tuple[Phase, ...], FROM_LIST, TO_LIST]
    turned: Annotated[tuple[TurnedBonus, ...], FROM_LIST, _ENTRIES_TO_LIST]
    skunk: Annotated[tuple[SkunkBand, ...], FROM_LIST, _ENTRIES_TO_LIST]
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
        for check in (_starts_fit, _entries_fit, _scales_fit, _cards_fit, _extras_fit):
            check(self)
        return self

    def seats(self, players: int) -> tuple[str, ...]:
        """Names of the seats for a number of players, from the eldest to the dealer."""
        return (*SEATS[: players - 1], "dealer")

    def start_points(self, players: int) -> tuple[int, ...]:
        """Head start of each seat of the first deal, from the eldest to the dealer."""
        return tuple(getattr(self.head_start, seat) for seat in self.seats(players))


def _starts_fit(rules: PeggingRules) -> None:
    for seat in SEATS:
        points = getattr(rules.head_start, seat)
        if points >= rules.target:
            raise Misfit(
                (("head_start", seat), ("target",)),
                f"a head start of {points} is not below the target of {rules.target}",
            )
    if rules.partners and 4 in rules.players:
        for seat, partner in (("eldest", "third"), ("second", "dealer")):
            if getattr(rules.head_start, seat) != getattr(rules.head_start, partner):
                raise Misfit(
                    (("head_start", partner), ("head_start", seat), ("head_start",), ("partners",)),
                    f"partners share one score, so {seat} and {partner} must start with the same points",
                )


def _entries_fit(rules: PeggingRules) -> None:
    """No list names the same thing twice."""
    lists: tuple[tuple[KeyPath, list[tuple[object, ...]], str], ...] = (
        (
            ("turned",),
            [(bonus.rank, bonus.to) for bonus in rules.turned],
            "for rank {0} to {1}; give one with the points added up",
        ),
        (("show", "jacks_deuces"), [(bonus.rank,) for bonus in rules.show.jacks_deuces], "for rank {0}; give one"),
        (("skunk",), [(band.below,) for band in rules.skunk], "for scores below {0}; give one"),
    )
    for path, names, words in lists:
        for number, name in enumerate(names):
            if name in names[:number]:
                raise Misfit(((*path, number),), f"there are two entries {words.format(*name)}")


def _scales_fit(rules: PeggingRules) -> None:
    """A listed scale goes on by one more a card; even thirteen cards may pay no more than any value."""
    for table in ("play", "show"):
        for key in ("run", "flush"):
            scale = getattr(getattr(rules, table), key)
            most = 0 if isinstance(scale, str) else scale[-1] + max(0, LONGEST - 2 - len(scale))
            if most > MAX_POINTS:
                raise Misfit(
                    ((table, key),),
                    f"a list goes on by 1 more a card, so {LONGEST} cards would pay {most}; "
                    f"at most {MAX_POINTS} can be paid",
                )


def _cards_fit(rules: PeggingRules) -> None:
    """What is dealt, laid away and put into the crib goes together for every number of players."""
    for n in rules.players:
        discard, dealt = rules.discard.of(n), rules.deal_to_crib.of(n)
        key: KeyPath = ("discard", NUMBERS[n])
        if not rules.crib and dealt:
            raise Misfit((("deal_to_crib",), ("crib",)), "cards are dealt to the crib, but crib is false")
        if rules.crib and discard == 0:
            raise Misfit((("crib",), key), f"with {n} players nothing is laid away to the crib; give discard")
        if rules.crib and n * discard + dealt > CRIB_MOST:
            raise Misfit(
                (key, ("deal_to_crib", NUMBERS[n]), ("discard",), ("deal_to_crib",), ("crib",), ("players",)),
                f"{n * discard + dealt} cards would come to the crib of {n} players; at most {CRIB_MOST} can "
                "(discard may be a table by number of players)",
            )


def _extras_fit(rules: PeggingRules) -> None:
    """Partners, mogging and colours belong to some numbers of players and cards only."""
    if rules.partners and 4 not in rules.players:
        raise Misfit(
            (("partners",), ("players",)),
            "only four players can play as partners and 4 is not in players; give partners = false",
        )
    mogs = rules.mog.exchange != "off"
    if mogs and rules.players != (2,):
        raise Misfit((("mog", "exchange"), ("players",)), "two players exchange a card; players must be [2]")
    if mogs and rules.discard.two:
        raise Misfit((("mog", "exchange"), ("discard",)), "cards are either laid away or exchanged, not both")
    if rules.show.colours and len(rules.show.colours) != len(COLOURS):
        raise Misfit((("show", "colours"),), f"five numbers are needed, for {'; '.join(COLOURS)}; or [] for none")
    if rules.show.colours and rules.hand != 3:
        raise Misfit(
            (("show", "colours"), ("hand",)), "colours are for hands of three with the starter; hand must be 3"
        )


# --- what is allowed, in words --------------------------------------------------------------------------------------


def either(kind: object) -> str:
    """The words of a Literal as a list for a reader: ``"a", "b" or "c"``."""
    words = [f'"{word}"' for word in get_args(kind)]
    return f"{', '.join(words[:-1])} or {words[-1]}"


POINTS_WORDS: Final = f"a whole number from 0 to {MAX_POINTS}"
_SUM: Final = f'{POINTS_WORDS}, or "per_card"'
_SAME_RANK: Final = f"a list of three numbers from 0 to {MAX_POINTS}, for two, three and four of a rank"
_SCALE: Final = (
    f'"length", "off", or a list of 1 to 11 numbers from 0 to {MAX_POINTS}, for three cards, four cards, ...'
)

_START: Final = "a whole number from 0 to 9999, below the target"
HEAD_START_WORDS: Final = (
    "a table with points for pone (or eldest), second, third, dealer; or, if only one number of players is allowed, "
    "a list from the eldest to the dealer"
)


def _by_players_words(key: str, most: int) -> dict[str, str]:
    """What is allowed for a number of cards by the number of players, as a whole and for each number of players."""
    cards = f"a whole number from 0 to {most}"
    words = {key: f"{cards}, or a table with such numbers for two, three and four players"}
    return words | {f"{key}.{name}": cards for name in NUMBERS.values()}


ALLOWED: Final[Mapping[str, str]] = {
    "players": "a list of some of 2, 3 and 4, in rising order, each once",
    "partners": "true or false",
    "hand": "a whole number from 1 to 4",
    **_by_players_words("discard", AWAY_MOST),
    **_by_players_words("deal_to_crib", CRIB_MOST),
    "crib": "true or false",
    "mog": "a table",
    "mog.exchange": either(Exchange),
    "mog.first": either(Asked),
    "mog.refusal": POINTS_WORDS,
    "mog.bonus": either(MogBonus),
    "target": "a whole number from 1 to 10000",
    "head_start": HEAD_START_WORDS,
    **{f"head_start.{seat}": _START for seat in SEATS},
    "three_for_last": either(ThreeForLast),
    "next_dealer": either(NextDealer),
    "order": 'a list of "heels", "play" and "show", each once, in the order in which they come',
    "turned": 'a list of entries like {rank = "J", to = "dealer", points = 1}',
    "turned.rank": "A, 2 to 9, T, J, Q or K in quotation marks",
    "turned.to": '"dealer", "eldest" (or "pone") or "opponents"',
    "turned.points": POINTS_WORDS,
    "skunk": "a list of entries like {below = 91, games = 2}, or [] for none",
    "skunk.below": "a whole number from 1 to 10000",
    "skunk.games": "a whole number from 2 to 9",
    "play": "a table",
    "play.limit": "a whole number from 15 to 60",
    "play.piles": either(Piles),
    "play.fifteen": _SUM,
    "play.twentyfive": _SUM,
    "play.thirtyone": _SUM,
    "play.thirtyone_extra": f'{POINTS_WORDS}, or "none", "last1" or "double"',
    "play.same_rank": _SAME_RANK,
    "play.run": _SCALE,
    "play.flush": _SCALE,
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
    "show.crib_flush": either(CribFlush),
    "show.nob": POINTS_WORDS,
    "show.jacks_deuces": 'a list of entries like {rank = "J", points = 2, suited = 4}, or [] for none',
    "show.jacks_deuces.rank": "A, 2 to 9, T, J, Q or K in quotation marks",
    "show.jacks_deuces.points": POINTS_WORDS,
    "show.jacks_deuces.suited": POINTS_WORDS,
    "show.colours": f"five numbers from 0 to {MAX_POINTS}, or [] for none",
}
"""What each field takes, for error messages. Dotted keys; entries of ``turned`` without their number."""

TABLES: Final = {
    "play": tuple(PlayRules.model_fields),
    "show": tuple(ShowRules.model_fields),
    "mog": tuple(MogRules.model_fields),
}
ENTRY_LISTS: Final[tuple[KeyPath, ...]] = (("turned",), ("skunk",), ("show", "jacks_deuces"))
"""Keys of the values that are lists of entries, each with keys of its own."""
BY_PLAYERS: Final = ("discard", "deal_to_crib")
