"""Deals and games card by card, for people to read: cards laid in a given order, or replayed from seed and number.

The kernels play; this module only reads their table. A replayed game is played deal by deal with the keys of the
game kernel, and must end as that kernel says it ends.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noddysim.engine.games import (
    PHASES,
    SEAT_NAMES,
    PegGame,
    check_players,
    hands_only,
    peg_game,
    show_game,
    with_rules,
)
from noddysim.engine.scoring import SAME_RANK_NAMES, Cards, as_variant, read_cards, shown_parts, unpack_show
from noddysim.game.cards import format_card, format_cards, pips, rank_of, refuse_repeats
from noddysim.game.errors import InputError
from noddysim.game.rules import Variant
from noddysim.game.strategies import Strategy, encode, parse_strategy
from noddysim.kernels import noddy
from noddysim.kernels import records as rec
from noddysim.kernels.dealing import deal_key, game_key, mix
from noddysim.kernels.pegging import deal_by_phases, deal_cards, look_at_shows, pick_up, play, take_seats

GREATEST_SEED: Final = 2**64 - 1
GREATEST_NUMBER: Final = 2**63 - 1
FIRST_STRATEGY: Final = "greedy"

EVENT_KINDS: Final = (
    "fifteen", "twentyfive", "thirtyone", "pair", "pair-royal", "double-pair-royal", "run", "flush", "last",
)  # fmt: skip
"""What a card laid can score for. ``last`` is the last card of a pile, and what some rules add to a thirty-one."""

_PAIR: Final = rec.PLAY_KINDS.index("pair")

Strategies = str | Strategy | Sequence[str | Strategy]


# --- records --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Event:
    """One card laid: by which seat (from 1), the count after it, its points, and what it scores them for.

    ``parts`` maps kinds of `EVENT_KINDS` to points; the last-card point is among them.
    """

    seat: int
    card: str
    count: int
    points: int
    parts: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """Plain data: seat, card, count, points, and the kinds under ``for``."""
        return {
            "seat": self.seat,
            "card": self.card,
            "count": self.count,
            "points": self.points,
            "for": list(self.parts),
        }


@dataclass(frozen=True)
class PegRecord:
    """A play whose cards were laid in a given order. ``points`` gained and ``scores`` at the end by seat, eldest first.

    ``winner`` is the seat (from 1) that reached the target, at which the play stops; ``unplayed`` are the cards that
    each seat then still holds, or does because its rules have one pile only. ``sides`` are the scores by side where
    partners share one: that of the first and third seat, then that of the second and fourth; else empty.
    """

    variant: str
    limit: int
    events: tuple[Event, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    winner: int | None
    unplayed: tuple[tuple[str, ...], ...]
    sides: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {
            "events": [event.to_json() for event in self.events],
            "points": list(self.points),
            "scores": list(self.scores),
            "winner": self.winner,
            **({"sides": list(self.sides)} if self.sides else {}),
        }


@dataclass(frozen=True)
class Shown:
    """One hand counted in the show: its seat (from 1), points by kind, and their sum."""

    seat: int
    parts: Mapping[str, int]
    total: int

    def to_json(self) -> dict[str, Any]:
        """Plain data: seat, parts and total."""
        return {"seat": self.seat, "parts": dict(self.parts), "total": self.total}


@dataclass(frozen=True)
class Mogging:
    """What came of the mogging: the card that each seat passed, None without an exchange, and points by seat."""

    passed: tuple[str | None, ...]
    points: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data: passed, points."""
        return {"passed": list(self.passed), "points": list(self.points)}


@dataclass(frozen=True)
class Before:
    """What is settled before the first point: hands as they are played, cards laid away by seat, and the crib.

    ``crib`` and ``away`` are empty in games without.
    """

    hands: tuple[tuple[str, ...], ...]
    away: tuple[tuple[str, ...], ...] = ()
    crib: tuple[str, ...] = ()
    passed: tuple[str | None, ...] | None = None


@dataclass(frozen=True)
class DealRecord:
    """A deal as it was played. Everything "by seat" runs from the eldest to the dealer; partners have one score.

    ``persons`` says who sits there: in a game, the seat (from 1) in which he began. ``order`` names the phases in the
    order of the rules, ``ended`` the phase in which the target was reached, None for a whole deal. ``away`` holds the
    cards laid away by seat and ``crib`` all that came to the crib, ``crib_shown`` what the dealer counted of it;
    ``start`` are points for the last, ``mog`` what came of the mogging. They are empty in games without.
    """

    number: int
    persons: tuple[int, ...]
    strategies: tuple[str, ...]
    limit: int
    order: tuple[str, ...]
    starter: str
    hands: tuple[tuple[str, ...], ...]
    heels: tuple[int, ...]
    events: tuple[Event, ...]
    shows: tuple[Shown, ...]
    before: tuple[int, ...]
    scores: tuple[int, ...]
    ended: str | None
    points: tuple[int, ...]
    """Points gained in the deal by seat."""
    start: tuple[int, ...] = ()
    away: tuple[tuple[str, ...], ...] = ()
    crib: tuple[str, ...] = ()
    crib_shown: Shown | None = None
    mog: Mogging | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {
            "deal": self.number,
            "persons": list(self.persons),
            "strategies": list(self.strategies),
            "starter": self.starter,
            "hands": [list(hand) for hand in self.hands],
            "heels": list(self.heels),
            "events": [event.to_json() for event in self.events],
            "show": [shown.to_json() for shown in self.shows],
            "points": list(self.points),
            "scores": list(self.scores),
            "ended": self.ended,
            **({"start": list(self.start)} if any(self.start) else {}),
            **({"away": [list(cards) for cards in self.away]} if self.away else {}),
            **({"crib": list(self.crib)} if self.crib else {}),
            **({"crib_show": self.crib_shown.to_json()} if self.crib_shown else {}),
            **({"mog": self.mog.to_json()} if self.mog else {}),
        }


@dataclass(frozen=True)
class ReplayedDeal:
    """Deal number ``deal.number`` of a seed, played out with no target."""

    variant: str
    players: int
    seed: int
    deal: DealRecord

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {"variant": self.variant, "players": self.players, "seed": self.seed, **self.deal.to_json()}


@dataclass(frozen=True)
class ReplayedGame:
    """A whole game of a seed. ``strategies``, ``start`` and ``scores`` are by person, numbered by the first seats.

    ``winner`` is a person, from 1. Where ``sides`` is 2 and four play, partners (1 and 3, 2 and 4) have one score, and
    the winner is the first of the two.
    """

    variant: str
    players: int
    seed: int
    game: int
    target: int
    strategies: tuple[str, ...]
    start: tuple[int, ...]
    deals: tuple[DealRecord, ...]
    scores: tuple[int, ...]
    winner: int
    lead_changes: int
    sides: int

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {
            "variant": self.variant,
            "players": self.players,
            "seed": self.seed,
            "game": self.game,
            "target": self.target,
            "strategies": list(self.strategies),
            "start": list(self.start),
            "deals": [record.to_json() for record in self.deals],
            "scores": list(self.scores),
            "winner": self.winner,
            "lead_changes": self.lead_changes,
        }


# --- cards laid in a given order ------------------------------------------------------------------------------------


def peg(
    hands: str | Sequence[Cards], variant: Variant | str = "noddy", scores: Sequence[int] | None = None
) -> PegRecord:
    """Lay cards in the order given and score the play.

    Args:
        hands: full hands of two to four players, each in the order it is laid, eldest first and dealer last; as text
            ``"7H 3C KD / 8S 5D 2H"``, or one entry a hand.
        variant: a variant, its name or the path of its file.
        scores: scores before the first card by seat, each below the target; nought if left out.

    Raises:
        InputError: a card that does not exist or stands twice, hands of the wrong size, a number of players or scores
            that the rules do not allow, an order in which a card would pass the limit while another one fits.
    """
    rules = as_variant(variant)
    laid = _read_hands(hands, rules)
    game = hands_only(show_game(rules, len(laid)))
    before = _start_scores(scores, game, rules)
    table = rec.new_table()
    _sit_down(table, range(game.sides), before)
    _script(game, table, laid)
    if _lay_in_order(game, table, rules.rules.target) == rec.ILLEGAL:
        raise _illegal_order(table, rules, len(laid))
    by_side = _by_seat(table.score, game.sides)
    reached = [seat + 1 for seat, score in enumerate(_for_seats(by_side, game)) if score >= rules.rules.target]
    return PegRecord(
        variant=rules.name,
        limit=rules.rules.play.limit,
        events=_events(game, table),
        points=_gained(game, table),
        scores=_for_seats(by_side, game),
        winner=_who_reached(game, table, reached),
        unplayed=tuple(
            tuple(map(format_card, hand[len(hand) - int(table.left[seat]) :])) for seat, hand in enumerate(laid)
        ),
        sides=by_side if game.sides < game.players else (),
    )


def _who_reached(game: PegGame, table: Any, reached: Sequence[int]) -> int | None:
    """The seat, from 1, that reached the target: of two partners the one who laid the last card."""
    last = int(table.seats[table.state[rec.AT_LAID] - 1]) + 1
    return last if last in reached else next(iter(reached), None)


def _read_hands(hands: str | Sequence[Cards], variant: Variant) -> list[list[int]]:
    given = hands.split("/") if isinstance(hands, str) else hands
    laid = [read_cards(hand) for hand in given]
    refuse_repeats(itertools.chain(*laid))
    if len(laid) not in variant.rules.players:
        numbers = " or ".join(map(str, variant.rules.players))
        raise InputError(
            f"{variant.name} is played by {numbers}, and there {'is 1 hand' if len(laid) == 1 else f'are {len(laid)}'}"
            "; write all hands, parted by /"
        )
    size = variant.rules.hand
    for name, hand in zip(SEAT_NAMES[len(laid)], laid, strict=True):
        if len(hand) != size:
            shown = f"{len(hand)} cards: {format_cards(hand)}" if hand else "no card"
            raise InputError(f"a hand of {variant.name} has {size} cards, and the {name} has {shown}")
    return laid


def _start_scores(scores: Sequence[int] | None, game: PegGame, variant: Variant) -> tuple[int, ...]:
    """Scores before the first card by side; partners' scores may be given for each seat, or once a side."""
    players, sides, target = game.players, game.sides, variant.rules.target
    if scores is None:
        return (0,) * sides
    if len(scores) not in (players, sides):
        need = f"{players} scores" if sides == players else f"{sides} scores, one for each side,"
        raise InputError(f"{players} hands need {need} the eldest's first; {len(scores)} given")
    for name, score in zip(SEAT_NAMES[players], scores, strict=False):
        _whole_number(f"the score of the {name}, below the target,", score, target - 1)
    if tuple(scores[:sides]) * (len(scores) // sides) != tuple(scores):
        raise InputError("partners share one score: the first and third must be equal, and the second and fourth")
    return tuple(map(int, scores[:sides]))


def _illegal_order(table: Any, variant: Variant, players: int) -> InputError:
    """Why the next card of a seat may not be laid: it passes the limit, and another card of the hand fits."""
    seat, card = int(table.state[rec.AT_FAULT_SEAT]), int(table.state[rec.AT_FAULT_CARD])
    count, limit = int(table.counts[table.state[rec.AT_LAID] - 1]), variant.rules.play.limit
    held = map(int, table.hand[seat, : table.left[seat]])
    fits = [format_card(other) for other in held if count + pips(rank_of(other)) <= limit]
    after = count + pips(rank_of(card))
    return InputError(
        f"the {SEAT_NAMES[players][seat]} cannot lay {format_card(card)}: the count would go from {count} to {after}, "
        f"past {limit}; he must lay {' or '.join(fits)}"
    )


# --- replays --------------------------------------------------------------------------------------------------------


def replay(
    variant: Variant | str,
    seed: int,
    *,
    deal: int | None = None,
    game: int | None = None,
    players: int | None = None,
    strategies: Strategies = FIRST_STRATEGY,
) -> ReplayedDeal | ReplayedGame:
    """Play a deal or a game again: `replay_deal` or `replay_game`, by which of the two numbers is given.

    Raises InputError unless exactly one of them is.
    """
    if deal is not None and game is None:
        return replay_deal(variant, seed, deal, players, strategies)
    if game is not None and deal is None:
        return replay_game(variant, seed, game, players, strategies)
    raise InputError("give the number of a deal or the number of a game, one of the two")


def replay_deal(
    variant: Variant | str, seed: int, number: int, players: int | None = None, strategies: Strategies = FIRST_STRATEGY
) -> ReplayedDeal:
    """Play deal ``number`` of a seed again, whole, with no target.

    Args:
        variant: a variant, its name or the path of its file.
        seed: 0 to 2^64 - 1.
        number: number of the deal, 0 to 2^63 - 1.
        players: how many play; the fewest that the variant allows if left out.
        strategies: one for all seats, or one for each seat, eldest first.

    Raises:
        InputError: anything that does not exist or is out of range.
    """
    setup = _Setup.of(variant, seed, number, players, strategies)
    n = setup.game.players
    table = rec.new_table()
    _sit_down(table, range(setup.game.sides), (0,) * setup.game.sides)
    key = np.uint64(deal_key(np.uint64(seed), np.uint64(number)))
    return ReplayedDeal(setup.variant.name, n, seed, _play_deal(setup, table, range(n), number, key, rec.NO_TARGET))


def replay_game(
    variant: Variant | str, seed: int, number: int, players: int | None = None, strategies: Strategies = FIRST_STRATEGY
) -> ReplayedGame:
    """Play game ``number`` of a seed again, deal by deal, to the target.

    Arguments are as in `replay_deal`; ``strategies`` are by person, each named by his seat in the first deal, whose
    last seat deals first. Raises InputError also for a game in which nobody ever reaches the target.
    """
    setup = _Setup.of(variant, seed, number, players, strategies)
    game, n, target = setup.game, setup.game.players, setup.variant.rules.target
    expected = _record_of_game(setup, seed, number)
    if expected["winner"] == rec.NOBODY:
        raise InputError(
            f"game {number} of seed {seed}: nobody reaches {target} in {noddy.MAX_DEALS} deals; there is no end to show"
        )
    table = rec.new_table()
    scores = np.zeros(rec.MAX_SEATS, np.int64)
    noddy.start_game(game.rules, table, scores)
    start = _for_seats(_by_seat(scores, game.sides), game)
    table.state[rec.AT_FIRST_DEAL] = 1
    dealer, deals = n - 1, list[DealRecord]()
    while not deals or deals[-1].ended is None:
        persons = [(dealer + 1 + seat) % n for seat in range(n)]
        _sit_down(table, persons[: game.sides], [scores[person % game.sides] for person in persons[: game.sides]])
        table.person[: game.sides] %= game.sides
        key = np.uint64(mix(np.uint64(game_key(np.uint64(seed), np.uint64(number))), np.uint64(len(deals))))
        deals.append(_play_deal(setup, table, persons, len(deals), key, target))
        table.state[rec.AT_FIRST_DEAL] = 0
        for side in range(game.sides):
            scores[table.person[side]] = table.score[side]
        dealer = int(noddy.next_dealer(game.rules, n, dealer, scores))
    after = _by_seat(scores, game.sides)
    record = ReplayedGame(
        variant=setup.variant.name,
        players=n,
        seed=seed,
        game=number,
        target=target,
        strategies=setup.names,
        start=start,
        deals=tuple(deals),
        scores=_for_seats(after, game),
        winner=next(person + 1 for person, score in enumerate(after) if score >= target),
        lead_changes=int(table.state[rec.AT_LEAD_CHANGES]),
        sides=game.sides,
    )
    _check_game(record, expected)
    return record


@dataclass(frozen=True)
class _Setup:
    """What a replay is played with: rules, and the strategy of each seat (deal) or person (game)."""

    variant: Variant
    game: PegGame
    names: tuple[str, ...]
    minds: tuple[Strategy, ...]

    @classmethod
    def of(cls, variant: Variant | str, seed: int, number: int, players: int | None, strategies: Strategies) -> _Setup:
        rules = as_variant(variant)
        _whole_number("the seed", seed, GREATEST_SEED)
        _whole_number("the number of the deal or game", number, GREATEST_NUMBER)
        game = peg_game(rules, rules.rules.players[0] if players is None else check_players(rules, players))
        minds = _minds(strategies, game.players)
        return cls(rules, game, tuple(mind.name for mind in minds), minds)


def _whole_number(what: str, number: object, greatest: int) -> None:
    try:
        value = -1 if isinstance(number, bool) else operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        value = -1
    if not 0 <= value <= greatest:
        raise InputError(f"{what} must be a whole number from 0 to {greatest}, not {number!r}")


def _minds(strategies: Strategies, players: int) -> tuple[Strategy, ...]:
    given = [strategies] if isinstance(strategies, str | Strategy) else list(strategies)
    if len(given) not in (1, players):
        raise InputError(f"{players} players need {players} strategies, or one for all; {len(given)} given")
    minds = [mind if isinstance(mind, Strategy) else parse_strategy(mind) for mind in given]
    return tuple(minds * players if len(minds) == 1 else minds)


def _play_deal(
    setup: _Setup, table: Any, persons: Sequence[int], number: int, key: np.uint64, target: int
) -> DealRecord:
    """Deal and play one deal at a table where scores and persons are in place, and read what happened."""
    game, n = setup.game, setup.game.players
    scores = _for_seats(_by_seat(table.score, game.sides), game)
    strategies, who, table, _ = _at_the_table(setup.minds, persons, table)
    deal_cards(game.rules, table, n, key)
    take_seats(who, table, n)
    noddy.prepare(game.rules, game.shows, strategies, table, n, key, rec.NOBODY, 0)
    look_at_shows(game.rules, game.shows, table, n)
    before = _before(game, table)
    phase = int(deal_by_phases(game.rules, strategies, table, n, key, target, rec.NOBODY, 0, False))
    after = _by_seat(table.score, game.sides)
    order = tuple(PHASES[int(code)] for code in game.rules.order)
    ended = PHASES[phase] if phase >= 0 else None
    reached = [score >= target for score in _for_seats(after, game)]
    return DealRecord(
        number=number,
        persons=tuple(person + 1 for person in persons),
        strategies=tuple(setup.names[person] for person in persons),
        limit=int(game.rules.limit),
        order=order,
        starter=format_card(int(table.state[rec.AT_STARTER])),
        hands=before.hands,
        heels=_by_seat(table.heels, n),
        events=_events(game, table),
        shows=_shows(setup, table, order, ended, reached),
        before=scores,
        scores=_for_seats(after, game),
        ended=ended,
        points=_gained(game, table),
        start=_by_seat(table.start, n),
        away=before.away,
        crib=before.crib,
        crib_shown=_crib_shown(setup, table, order, ended),
        mog=None if before.passed is None else Mogging(before.passed, _by_seat(table.mog, n)),
    )


def _before(game: PegGame, table: Any) -> Before:
    """Hands, cards laid away and crib as they lie when all is decided and nothing is laid."""
    n, rules = game.players, game.rules
    hands = tuple(tuple(map(format_card, map(int, hand[: rules.hand]))) for hand in table.hand[:n])
    away: tuple[tuple[str, ...], ...] = ()
    if rules.discard:
        away = tuple(
            tuple(format_card(int(table.sorted[seat, j])) for j in range(rules.dealt) if int(table.away[seat]) >> j & 1)
            for seat in range(n)
        )
    crib = tuple(format_card(int(card)) for card in table.crib[: rules.crib])
    passed: tuple[str | None, ...] | None = None
    if rules.mog:
        # What a seat has passed is what the other one has received.
        taken = [int(card) for card in table.received[:n]]
        passed = tuple(None if card == rec.NOBODY else format_card(card) for card in reversed(taken))
    return Before(hands, away, crib, passed)


def _reached_phase(phase: str, order: Sequence[str], ended: str | None) -> bool:
    """Whether a deal that ended in some phase had begun another."""
    if ended is None or ended == phase:
        return True
    if ended == "start":
        return False
    if ended == "crib":
        return order.index(phase) <= order.index("show")
    if ended == "mog":
        return phase == "heels" and order[0] == "heels"
    return order.index(phase) < order.index(ended)


def _shows(
    setup: _Setup, table: Any, order: Sequence[str], ended: str | None, reached: Sequence[bool]
) -> tuple[Shown, ...]:
    """The hands that were counted: all of them, those up to the winner's, or none if the deal ended before."""
    counted = len(reached) if _reached_phase("show", order, ended) else 0
    if ended == "show":
        # Of two partners the one whose hand was counted last has reached the target.
        counted = 1 + max(seat for seat in range(counted) if reached[seat] and table.show[seat])
    return tuple(_shown(setup, seat, int(table.show[seat])) for seat in range(counted))


def _shown(setup: _Setup, seat: int, packed: int) -> Shown:
    """A hand or crib counted: its points by the kinds that the game has."""
    parts, names = unpack_show(packed), shown_parts(setup.variant.rules)
    return Shown(seat + 1, {name: parts[kind] for kind, name in names.items()}, packed & rec.TOTAL_MASK)


def _crib_shown(setup: _Setup, table: Any, order: Sequence[str], ended: str | None) -> Shown | None:
    """The crib, if it was counted."""
    counted = _reached_phase("show", order, ended) and ended != "show"
    if not setup.game.rules.crib or not counted:
        return None
    return _shown(setup, setup.game.players - 1, int(table.crib_gain))


def _gained(game: PegGame, table: Any) -> tuple[int, ...]:
    """Points of the deal by seat, all sources together."""
    n = game.players
    columns = (table.start, table.heels, table.mog, table.gain & rec.TOTAL_MASK, table.show & rec.TOTAL_MASK)
    points = [sum(int(column[seat]) for column in columns) for seat in range(n)]
    points[n - 1] += int(table.crib_gain) & rec.TOTAL_MASK
    return tuple(points)


def _record_of_game(setup: _Setup, seed: int, number: int) -> dict[str, int]:
    """What the game kernel makes of the same game, by name of its fields."""
    n = setup.game.players
    record = np.zeros((1, len(noddy.FIELDS)), np.int64)
    seated = _at_the_table(setup.minds, range(n), rec.new_table())
    noddy.record_games(setup.game.rules, setup.game.shows, *seated, np.uint64(seed), number, number + 1, record)
    return dict(zip(noddy.FIELDS, map(int, record[0]), strict=True))


def _check_game(record: ReplayedGame, expected: Mapping[str, int]) -> None:
    """Raise RuntimeError unless the replay ended as the game kernel says."""
    last = record.deals[-1]
    second = max(score for person, score in enumerate(record.scores) if (person - record.winner + 1) % record.sides)
    found = {
        "winner": record.winner - 1,
        "deals": len(record.deals),
        "cards": sum(len(played.events) for played in record.deals),
        "lead_changes": record.lead_changes,
        "phase": PHASES.index(last.ended or ""),
        "margin": record.scores[record.winner - 1] - second,
        "winner_seat": last.persons.index(record.winner) % record.sides,
        "second": second,
    }
    if any(expected[name] != value for name, value in found.items()):
        raise RuntimeError(f"the replay of game {record.game} gives {found}, the game kernel {dict(expected)}")


# --- the kernels' table ---------------------------------------------------------------------------------------------


def _at_the_table(minds: Sequence[str | Strategy], who: Sequence[int], table: Any) -> tuple[Any, Any, Any, int]:
    """Strategies, which of them each seat or person plays, the table, and how many play: as all kernels take them."""
    strategies = [mind if isinstance(mind, Strategy) else parse_strategy(mind) for mind in minds]
    return rec.strategy_records(encode(strategies)), np.array(list(who), np.int64), table, len(who)


def _lay_in_order(game: PegGame, table: Any, target: int) -> int:
    """Lay the cards of the script; the status of the kernel. The strategy given is never asked."""
    seated = _at_the_table([FIRST_STRATEGY], [0] * game.players, table)
    return int(play(game.rules, *seated, np.uint64(0), target, rec.NOBODY, 0, True))


def _by_seat(column: Any, players: int) -> tuple[int, ...]:
    return tuple(int(column[seat]) for seat in range(players))


def _for_seats(by_side: Sequence[int], game: PegGame) -> tuple[int, ...]:
    """The score of each seat's side."""
    return tuple(int(by_side[seat % game.sides]) for seat in range(game.players))


def _sit_down(table: Any, persons: Sequence[int], scores: Sequence[int]) -> None:
    """Put sides of a game and their scores at the sides of the table."""
    for seat, (person, score) in enumerate(zip(persons, scores, strict=True)):
        table.person[seat] = person
        table.score[seat] = score


def _script(game: PegGame, table: Any, laid: Sequence[Sequence[int]]) -> None:
    """Deal the hands and write down the order in which each is to be laid."""
    for seat, hand in enumerate(laid):
        table.dealt[seat, : len(hand)] = hand
        table.script[seat, : len(hand)] = hand
    pick_up(game.rules, table, game.players)


def _events(game: PegGame, table: Any) -> tuple[Event, ...]:
    """The cards laid at a table, with their points by kind."""
    laid = int(table.state[rec.AT_LAID])
    same = _equal_cards(game, table)
    return tuple(
        Event(
            seat=int(table.seats[i]) + 1,
            card=format_card(int(table.cards[i])),
            count=int(table.counts[i]),
            points=int(table.points[i]) & rec.TOTAL_MASK,
            parts=_parts(int(table.points[i]), same[i]),
        )
        for i in range(laid)
    )


def _parts(points: int, same: int) -> dict[str, int]:
    """Kinds that scored, in the order of `EVENT_KINDS`; ``same`` equal cards make the pair what it is called."""
    found = {}
    for kind, shift in zip(rec.PLAY_KINDS, rec.PLAY_SHIFT, strict=True):
        if part := points >> shift & rec.PLAY_MASK:
            found[SAME_RANK_NAMES[same] if kind == "pair" else kind] = part
    return found


def _equal_cards(game: PegGame, table: Any) -> list[int]:
    """How many equal cards each card laid completes (0 or 2 to 4), by the kernel's own look-back.

    The points do not tell, since rules may pay a pair and a pair royal alike. So the same cards are laid once more
    under rules that differ in one thing: equal cards score their number.
    """
    n, laid = game.players, int(table.state[rec.AT_LAID])
    shift = rec.PLAY_SHIFT[_PAIR]
    seats, cards = [int(seat) for seat in table.seats[:laid]], [int(card) for card in table.cards[:laid]]
    orders = []
    for seat in range(n):
        first = [card for who, card in zip(seats, cards, strict=True) if who == seat]
        held = [int(card) for card in table.hand[seat, : table.left[seat]]]
        orders.append(first + held)
    again = rec.new_table()
    equal = np.array([number | number << shift for number in (0, 0, 2, 3, 4)], np.int64)
    probe = with_rules(hands_only(game), play_same=equal)
    _script(probe, again, orders)
    # Where the target stopped the play, the rest of this order may break the rules: only what was laid counts.
    _lay_in_order(probe, again, rec.NO_TARGET)
    if [int(card) for card in again.cards[:laid]] != cards:
        raise RuntimeError(f"the cards {format_cards(cards)} were not laid in the same order again")
    return [int(points) >> shift & rec.PLAY_MASK for points in again.points[:laid]]
