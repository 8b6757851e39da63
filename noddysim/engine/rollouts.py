"""Choices tried out: the unseen cards are dealt many times, and every candidate is played on the same cards.

All others play by one strategy, and so does the chooser after his choice. Hands count only if they explain what their
seats have laid; where a strategy would never have laid so, every hand that allows it counts alike, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from noddysim.engine.games import PegGame, hands_only, peg_game, show_game, with_rules
from noddysim.engine.minds import minds_of
from noddysim.engine.record import Event
from noddysim.engine.rolled import in_threads
from noddysim.engine.situation import Situation
from noddysim.engine.table import events
from noddysim.game.cards import PACK_SIZE, RANKS, format_card, pips, rank_of
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import records as rec
from noddysim.kernels.rollout import AWAY, LAY, MOG, REJECTED, TAKEN, Plan, lay_once, play_given, roll_out

CHUNK: Final = 250
MOST_TRIES: Final = 200
"""Deals tried for each that is asked for, before hands are no longer asked to explain what was laid."""


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen: ``code`` for the kernel, the cards it is about, and what is done with them.

    ``act`` is lay, lay away, pass or stay.
    """

    code: int
    act: str
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Trial:
    """What came of every option on the same deals.

    margins : int64 (n, C), points of one's own side less the others', times ``divisor``: of the play where a card is
    laid, of the whole deal where one is laid away or passed; wins : int64 (n, C) in games won, times ``share``, None if
    they were not played on; believed : whether hands had to explain what was laid
    """

    margins: np.ndarray
    wins: np.ndarray | None
    believed: bool
    divisor: int
    share: int = 1


def options_of(situation: Situation) -> tuple[Option, ...]:
    """Everything that may be chosen, in the order of the cards."""
    game = show_game(situation.variant, situation.players)
    hand = situation.hand
    if situation.kind == AWAY:
        ways = [int(way) for way in game.rules.way[: int(game.rules.ways)]]
        return tuple(Option(way, "lay away", _names(hand, way)) for way in ways)
    if situation.kind == MOG:
        passing = [Option(1 + place, "pass", (format_card(card),)) for place, card in enumerate(hand)]
        return Option(0, "stay", ()), *passing
    room = int(game.rules.limit) - situation.count
    return tuple(Option(card, "lay", (format_card(card),)) for card in hand if pips(rank_of(card)) <= room)


def _names(hand: Sequence[int], places: int) -> tuple[str, ...]:
    return tuple(format_card(card) for place, card in enumerate(hand) if places >> place & 1)


def plan_of(situation: Situation, codes: Sequence[int], race: bool, sides: int) -> Plan:
    """A situation as the kernels take it."""
    n = situation.players
    known = np.zeros((n, rec.MAX_HAND), np.int64)
    number = np.zeros(n, np.int64)
    laid = list(zip(situation.laid, situation.seats, strict=True))
    for seat in range(n):
        cards = [card for card, who in laid if who == seat]
        cards += situation.hand if seat == situation.seat else ()
        known[seat, : len(cards)], number[seat] = cards, len(cards)
    unseen = [card for card in range(PACK_SIZE) if card not in situation.seen]
    scores = situation.scores if situation.scores is not None else (0,) * sides
    return Plan(
        np.int64(situation.kind),
        np.int64(situation.seat),
        np.int64(rec.NOBODY if situation.starter is None else situation.starter),
        known,
        number,
        np.array(situation.away, np.int64),
        np.array(unseen, np.int64),
        np.array(situation.laid, np.int64),
        np.array(situation.seats, np.int64),
        np.array(codes, np.int64),
        np.array(scores, np.int64),
        np.int64(race),
    )


def try_out(
    situation: Situation,
    options: Sequence[Option],
    minds: tuple[Strategy, Strategy],
    deals: int,
    seed: int,
    race: bool = False,
) -> Trial:
    """Play every option on ``deals`` deals of the unseen cards.

    minds : how all others play, and how the chooser goes on; race : whether to play games on to their end. Only
    where hands that explain what was laid are very rare, fewer deals come together.
    """
    game = peg_game(situation.variant, situation.players)
    plan = plan_of(situation, [option.code for option in options], race, game.sides)
    for believing in (True, False):
        margins, wins, _ = _deal_out(game, situation, plan, minds, (believing, deals, seed, 0))
        if len(margins) >= min(deals, 2):
            return Trial(margins[:deals], wins[:deals] if race else None, believing, game.sides - 1)
    raise RuntimeError(NO_DEAL)


class Rollouts:
    """As ``try_out``, one lot of deals after the other: later ones may leave out options that are settled.

    ``believed`` says, once deals have been played, whether hands had to explain what was laid.
    """

    share = 1

    def __init__(
        self,
        situation: Situation,
        options: Sequence[Option],
        minds: tuple[Strategy, Strategy],
        seed: int,
        race: bool,
    ) -> None:
        self.game = peg_game(situation.variant, situation.players)
        self.situation, self.options, self.minds = situation, options, minds
        self.seed, self.race = seed, race
        self.divisor = self.game.sides - 1
        self.believed = True
        self._first = 0

    def more(self, places: Sequence[int], amount: int) -> tuple[np.ndarray, np.ndarray]:
        """Margins and wins of the options at some places on the next deals, int64 (n, places).

        At least ``amount`` deals, and a few more where not every deal explains what was laid.
        """
        plan = plan_of(self.situation, [self.options[place].code for place in places], self.race, self.game.sides)
        for believing in [True, False] if self._first == 0 else [self.believed]:
            how = believing, amount, self.seed, self._first
            margins, wins, after = _deal_out(self.game, self.situation, plan, self.minds, how)
            if self._first or len(margins) >= min(amount, 2):
                self.believed, self._first = believing, after
                return margins, wins
        raise RuntimeError(NO_DEAL)


NO_DEAL: Final = "no deal of the unseen cards allows what has been laid"


def _deal_out(
    game: PegGame, situation: Situation, plan: Plan, minds: tuple[Strategy, Strategy], how: tuple[bool, int, int, int]
) -> tuple[np.ndarray, np.ndarray, int]:
    """Margins and wins of the next deals that are taken, and the chunk that comes after them.

    how : whether hands must explain what was laid, how many deals are wanted, the seed, the first chunk
    """
    believing, deals, seed, begin = how
    # Where cards are laid already, an exchange is past, and nothing of it is known.
    rules = with_rules(game, mog=0).rules if situation.kind == LAY and game.rules.mog else game.rules
    records = minds_of(game, minds)
    who = np.array([int(seat == situation.seat) for seat in range(game.players)], np.int64)

    def count(number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        shape = CHUNK, len(plan.choices)
        status, margins, wins = np.zeros(CHUNK, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        roll_out(
            rules, game.rules, game.shows, records, who, rec.new_table(), game.players, plan, believing,
            np.uint64(seed), number * CHUNK, (number + 1) * CHUNK, status, margins, wins,
        )  # fmt: skip
        taken = status == TAKEN
        return status, margins[taken], wins[taken]

    found: list[tuple[np.ndarray, np.ndarray]] = []
    first, taken, most = begin, 0, begin + -(-deals // CHUNK) * MOST_TRIES
    step = max(1, -(-deals // CHUNK))
    while taken < deals and first < most:
        for status, margins, wins in in_threads(count, range(first, min(first + step, most))):
            found.append((margins, wins))
            taken += int((status != REJECTED).sum())
        first += step
        step *= 2
    margins, wins = (np.concatenate([part[place] for part in found]) for place in range(2))
    return margins, wins, min(first, most)


# --- what a card scores and lays open ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """What cards of a rank would score for the next player, laid at once; ``unseen`` is how many there are."""

    rank: str
    points: int
    parts: tuple[str, ...]
    unseen: int


@dataclass(frozen=True)
class Reason:
    """What a card makes at once, kind by kind, and the answers that score against it."""

    parts: dict[str, int]
    answers: tuple[Answer, ...]


def reason_of(situation: Situation, card: int) -> Reason:
    """What laying a card makes and lays open, by the rules of the game; the point for a last card is left out."""
    laid = _lay(situation, card)
    own = _parts(laid, len(situation.laid))
    following = next(
        (
            (situation.seat + step) % situation.players
            for step in range(1, situation.players)
            if _left(situation, (situation.seat + step) % situation.players)
        ),
        None,
    )
    limit = situation.variant.pegging.play.limit
    count = situation.count + pips(rank_of(card))
    if following is None or count == limit:
        return Reason(own, ())
    unseen = [other for other in range(PACK_SIZE) if other not in situation.seen]
    after = _after(situation, card, situation.seat)
    answers = []
    for rank, name in enumerate(RANKS):
        of_rank = [other for other in unseen if rank_of(other) == rank]
        if not of_rank or count + pips(rank) > limit:
            continue
        parts = _parts(_lay(after, of_rank[0], following), len(after.laid))
        if points := sum(parts.values()):
            answers.append(Answer(name, points, tuple(parts), len(of_rank)))
    return Reason(own, tuple(answers))


def _left(situation: Situation, seat: int) -> int:
    return situation.variant.pegging.hand - situation.seats.count(seat)


def _after(situation: Situation, card: int, seat: int) -> Situation:
    held = tuple(one for one in situation.hand if one != card)
    count = situation.count + pips(rank_of(card))
    laid, seats = (*situation.laid, card), (*situation.seats, seat)
    return replace(situation, hand=held, laid=laid, seats=seats, count=count)


def _lay(situation: Situation, card: int, seat: int | None = None) -> tuple[Event, ...]:
    """The cards laid and one more, as events of a whole play: what comes behind it is any."""
    after = _after(situation, card, situation.seat if seat is None else seat)
    game = hands_only(show_game(situation.variant, situation.players))
    plan = plan_of(replace(after, kind=LAY, away=()), [0], False, game.sides)
    minds = minds_of(game, (_any_strategy(),))
    who = np.zeros(game.players, np.int64)
    for key in range(MOST_TRIES):
        table = rec.new_table()
        lay_once(game.rules, game.shows, minds, who, table, game.players, plan, np.uint64(key))
        if tuple(int(one) for one in table.cards[: len(after.laid)]) == after.laid:
            return events(game, table)
    return ()


def _any_strategy() -> Strategy:
    from noddysim.game.expressions import parse_strategy

    return parse_strategy("low")


def _parts(laid: Sequence[Event], place: int) -> dict[str, int]:
    if place >= len(laid):
        return {}
    return {kind: points for kind, points in laid[place].parts.items() if kind != "last"}


# --- hands that are known ---------------------------------------------------------------------------------------------


def worth_of_hands(
    game: PegGame, starter: int, hands: Sequence[Sequence[int]], by: Strategy, deals: int, seed: int
) -> np.ndarray:
    """Mean margin of every seat with hands that are known, all seats playing by one strategy: float64 (n,).

    Points of play, show and turned card, over ``deals`` rounds of chance. Cribs are left out, and so is an exchange.
    """
    bare: Any = hands_only(game)
    margins = np.zeros((deals, game.players), np.int64)
    play_given(
        bare.rules, bare.shows, minds_of(bare, (by,)), np.zeros(game.players, np.int64), rec.new_table(), game.players,
        np.int64(starter), np.array(hands, np.int64), np.uint64(seed), 0, deals, margins,
    )  # fmt: skip
    return np.asarray(margins.mean(axis=0) / (game.sides - 1))
