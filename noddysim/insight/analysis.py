"""A recorded game looked at choice by choice: what each has lost, and what was luck.

For two players with three cards each every loss is counted against best play; elsewhere it is measured by rollouts
against a named strategy. Luck is told apart deal by deal: what the seat is worth, what the cards dealt were worth if
both had played alike, what choices have lost, and the rest, which is how the cards met.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from noddysim.engine.exactplay import Reaches, player_of, values_for
from noddysim.engine.exactplay import play as count_play
from noddysim.engine.games import PegGame, peg_game, show_game
from noddysim.engine.notation import WrittenGame, play_written, read_game, scores_after
from noddysim.engine.record import DealRecord
from noddysim.engine.replay import GivenDeal
from noddysim.engine.rolled import RANK_COUNT, lines_of, rolled, three_each
from noddysim.engine.rollouts import Option, options_of, try_out, worth_of_hands
from noddysim.engine.situation import Situation
from noddysim.engine.values import Position, Values, lane
from noddysim.game.cards import format_cards, parse_card, pips, rank_of
from noddysim.game.experiment import check_amount, check_seed
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import Variant
from noddysim.insight.advice import COUNTED, ROLLOUTS, can_count, usual_opponent
from noddysim.kernels import lines as at
from noddysim.kernels import noddy
from noddysim.kernels import records as rec
from noddysim.kernels.rollout import AWAY, LAY, MOG

DEALS: Final = 1_000
"""Deals tried for a choice, where it cannot be counted."""
SEAT_DEALS: Final = 20_000
"""Deals from which the worth of a seat is taken there."""
ROUNDS: Final = 64
"""Rounds of chance over which known hands are played there."""
WORST: Final = 5
SMALL: Final = 0.0005
"""Points a deal that nobody would print: best play leaves such losses, since its chances are rounded."""


@dataclass(frozen=True)
class Decision:
    """A choice that was one: what was chosen, what was best, and what that lost, in points a deal.

    ``low`` and ``high`` are the ends of its 95 % interval, equal where it is counted; ``deal`` and ``person`` count
    from 1.
    """

    deal: int
    person: int
    seat: int
    act: str
    after: tuple[str, ...]
    chosen: tuple[str, ...]
    best: tuple[str, ...]
    loss: float
    low: float
    high: float

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {
            "deal": self.deal,
            "person": self.person,
            "seat": self.seat,
            "act": self.act,
            "after": list(self.after),
            "chosen": list(self.chosen),
            "best": list(self.best),
            "loss": self.loss,
            "low": self.low,
            "high": self.high,
        }


@dataclass(frozen=True)
class Luck:
    """Points of whole deals over the mean of the others, by person, and what they came from; the parts add up to won.

    ``seat``: what the seats are worth; ``cards``: what the hands dealt were worth over that, with all playing alike;
    ``choices``: what the others' choices lost less one's own; ``rest``: how the cards met.
    """

    won: tuple[float, ...]
    seat: tuple[float, ...]
    cards: tuple[float, ...]
    choices: tuple[float, ...]
    rest: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {name: list(getattr(self, name)) for name in ("won", "seat", "cards", "choices", "rest")}


@dataclass(frozen=True)
class Analysis:
    """A recorded game: its deals as they were played, every decision, and luck over all whole deals (None if none)."""

    source: str
    variant: str
    names: tuple[str, ...]
    scores: tuple[int, ...]
    against: str
    method: str
    n: int | None
    seed: int | None
    deals: tuple[DealRecord, ...]
    decisions: tuple[Decision, ...]
    luck: Luck | None
    no_luck: str | None = None
    """Why luck is not told apart, where it is not."""

    def losses(self) -> tuple[float, ...]:
        """What each person's choices have lost, in points."""
        return tuple(
            sum(one.loss for one in self.decisions if one.person == person) for person in range(1, len(self.names) + 1)
        )

    def worst(self, number: int = WORST) -> tuple[Decision, ...]:
        """The choices that lost most; none whose loss is not told from nought, or below SMALL."""
        told = [one for one in self.decisions if one.low > 0 and one.loss >= SMALL]
        return tuple(sorted(told, key=lambda one: -one.loss)[:number])

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim analyse --json``."""
        return {
            "file": self.source,
            "variant": self.variant,
            "names": list(self.names),
            "scores": list(self.scores),
            "against": self.against,
            "method": self.method,
            "n": self.n,
            "seed": self.seed,
            "deals": [deal.to_json() for deal in self.deals],
            "decisions": [one.to_json() for one in self.decisions],
            "losses": list(self.losses()),
            "worst": [one.to_json() for one in self.worst()],
            "luck": None if self.luck is None else self.luck.to_json(),
            "no_luck": self.no_luck,
        }

    def _repr_html_(self) -> str:
        from noddysim.insight.notebook import analysis_html

        return analysis_html(self)


def analyse(
    game: str | Path | WrittenGame, *, against: str | None = None, deals: int = DEALS, seed: int = 1589
) -> Analysis:
    """What each choice of a recorded game has lost, and what was luck.

    Args:
        game: the path of a file in the notation of docs/notation.md, or what ``engine.notation`` made of one.
        against: by what strategy all others are taken to play; best play where it is known.
        deals: deals tried for each choice where it cannot be counted.
        seed: of those.

    Raises:
        InputError: a fault in the file, with its line; a strategy that the game does not know.
    """
    check_amount(deals)
    check_seed(seed)
    written = game if isinstance(game, WrittenGame) else read_game(game)
    played = play_written(written)
    situations = [
        _situations(written, record, one.deal) for record, one in zip(played, written.deals, strict=True)
    ]  # fmt: skip
    first = _first_situation(written, played[0])
    name = against or usual_opponent(first)
    judge = _Counted(written, name) if can_count(first) else _Tried(written, name, deals, seed)
    decisions = tuple(
        judge.decision(record, situation, chosen)
        for record, choices in zip(played, situations, strict=True)
        for situation, chosen in choices
    )
    whole = [record for record in played if record.ended is None]
    no_luck = _no_luck(written, whole)
    return Analysis(
        source=written.source,
        variant=written.variant.name,
        names=written.names,
        scores=scores_after(written, played),
        against=name,
        method=judge.method,
        n=judge.n,
        seed=None if judge.method == COUNTED else seed,
        deals=played,
        decisions=decisions,
        luck=None if no_luck else _luck(judge, whole, decisions),
        no_luck=no_luck,
    )


def _no_luck(written: WrittenGame, whole: Sequence[DealRecord]) -> str | None:
    if not whole:
        return "No deal was played whole, so luck cannot be told from skill."
    if show_game(written.variant, len(written.names)).rules.mog:
        return "Luck is not told from skill where a card is exchanged: the hands played are not those that were dealt."
    return None


# --- choices ----------------------------------------------------------------------------------------------------------


def _first_situation(written: WrittenGame, record: DealRecord) -> Situation:
    starter = parse_card(record.starter)
    hand = tuple(map(parse_card, record.hands[0]))
    return Situation(written.variant, len(written.names), 0, LAY, hand, starter)


def _situations(written: WrittenGame, record: DealRecord, deal: GivenDeal) -> list[tuple[Situation, tuple[int, ...]]]:
    """Every choice between different cards in a deal, as its chooser saw it, and what he chose."""
    variant, n = written.variant, len(written.names)
    found: list[tuple[Situation, tuple[int, ...]]] = []
    away = [tuple(map(parse_card, cards)) for cards in record.away] or [()] * n
    hands = [tuple(map(parse_card, hand)) for hand in record.hands]
    for seat in range(n):
        if away[seat]:
            dealt = tuple(sorted((*hands[seat], *away[seat])))
            found.append((Situation(variant, n, seat, AWAY, dealt, None), tuple(sorted(away[seat]))))
    starter = parse_card(record.starter)
    rules = show_game(variant, n).rules
    found += _moggings(variant, deal, starter, int(rules.mog_first))
    laid: list[int] = []
    seats: list[int] = []
    for event in record.events:
        seat, card = event.seat - 1, parse_card(event.card)
        held = tuple(sorted(set(hands[seat]) - set(laid)))
        count = event.count - pips(rank_of(card))
        situation = Situation(variant, n, seat, LAY, held, starter, tuple(laid), tuple(seats), count, away[seat])
        cards = {parse_card(option.cards[0]) for option in options_of(situation)}
        if len(cards if rules.flushes else set(map(rank_of, cards))) > 1:
            found.append((situation, (card,)))
        laid.append(card)
        seats.append(seat)
    return found


def _moggings(variant: Variant, deal: GivenDeal, starter: int, first: int) -> list[tuple[Situation, tuple[int, ...]]]:
    """The choices of a mogging that are told: what a seat would have passed, had the other one not declined, is not."""
    mog = deal.mog
    if mog is None:
        return []
    passed: dict[int, tuple[int, ...]] = {}
    if mog.passed is not None:
        passed = {seat: (card,) for seat, card in enumerate(mog.passed)}
    elif mog.declined is not None:
        passed = {mog.declined: ()}
    return [
        (Situation(variant, len(deal.hands), seat, MOG, deal.dealt(seat), starter), passed[seat])
        for seat in sorted(passed, key=lambda seat: seat != first)
    ]


def _decision(record: DealRecord, situation: Situation, option: Option, best: Option) -> dict[str, Any]:
    """What a decision is told by, but for its loss."""
    return {
        "deal": record.number + 1,
        "person": record.persons[situation.seat],
        "seat": situation.seat + 1,
        "act": option.act,
        "after": tuple(format_cards(situation.laid).split()),
        "chosen": option.cards,
        "best": best.cards,
    }


def _chosen(options: Sequence[Option], cards: tuple[int, ...]) -> int:
    wanted = tuple(format_cards(cards).split())
    return next(place for place, option in enumerate(options) if option.cards == wanted)


class _Counted:
    """Losses and worths of the play of two with three cards each, counted."""

    method = COUNTED
    n = None

    def __init__(self, written: WrittenGame, against: str) -> None:
        self.variant = written.variant
        self.game = three_each(written.variant)
        self.against = against
        player = player_of(self.game, against)
        self._reaches = Reaches(self.game, player, player)
        self._values: dict[tuple[int, int], Values] = {}

    def decision(self, record: DealRecord, situation: Situation, cards: tuple[int, ...]) -> Decision:
        """The loss of a choice against the best one, with best later cards."""
        options = options_of(situation)
        starter = rank_of(situation.starter or 0)
        key = situation.seat, starter
        if key not in self._values:
            self._values[key] = values_for(self.game, *key, self.against)
        hand, laid = tuple(map(rank_of, situation.hand)), tuple(map(rank_of, situation.laid))
        values = {
            one.rank: one.value or 0.0
            for one in self._values[key].at(Position(situation.seat, hand, starter, laid))
        }  # fmt: skip
        best = max(options, key=lambda option: values[_rank(option)])
        option = options[_chosen(options, cards)]
        loss = values[_rank(best)] - values[_rank(option)]
        return Decision(**_decision(record, situation, option, best), loss=loss, low=loss, high=loss)

    def worth(self, record: DealRecord) -> np.ndarray:
        """Margin of both seats with these hands, if both play by the strategy: play, shows and turned card."""
        starter = rank_of(parse_card(record.starter))
        pone, dealer = ([rank_of(parse_card(card)) for card in hand] for hand in record.hands)
        own, reach = self._reaches.of(starter)
        lines, row_of = lines_of(self.game), rolled(int(self.game.rules.limit)).row_of
        total = 0.0
        for mine in _orders(pone):
            for theirs in _orders(dealer):
                place = (mine[0] * RANK_COUNT + theirs[0]) * at.LANES + lane(*mine[1:])
                dealers = lane(*theirs[1:])
                chance = own[place // at.LANES, place % at.LANES] * reach[row_of[place], dealers]
                total += float(chance) * float(lines.margin[place, dealers])
        total += _margin(record.heels) + _margin([shown.total for shown in record.shows])
        return np.array([total, -total])

    def seat_worth(self) -> np.ndarray:
        """Margin of both seats over all deals; shows are worth the same to both."""
        margin = count_play(self.variant, self.against, self.against).margin + _mean_turned(self.variant)
        return np.array([margin, -margin])


class _Tried:
    """Losses and worths measured on deals of the unseen cards."""

    method = ROLLOUTS

    def __init__(self, written: WrittenGame, against: str, deals: int, seed: int) -> None:
        self.variant, self.players = written.variant, len(written.names)
        self.game: PegGame = peg_game(written.variant, self.players)
        self.mind = parse_strategy(against)
        self.n, self.seed = deals, seed

    def decision(self, record: DealRecord, situation: Situation, cards: tuple[int, ...]) -> Decision:
        """The loss of a choice against the best one, on the same deals."""
        from noddysim.insight.stats import mean_from_sums

        options = options_of(situation)
        found = try_out(situation, options, (self.mind, self.mind), self.n, self.seed)
        place, best = _chosen(options, cards), int(np.argmax(found.margins.sum(axis=0)))
        lost = found.margins[:, best] - found.margins[:, place]
        loss = mean_from_sums(len(lost), int(lost.sum()), int((lost * lost).sum()), found.divisor)
        low = loss.estimate if loss.low is None else loss.low
        high = loss.estimate if loss.high is None else loss.high
        told = _decision(record, situation, options[place], options[best])
        return Decision(**told, loss=loss.estimate, low=low, high=high)

    def worth(self, record: DealRecord) -> np.ndarray:
        """Margin of all seats with these hands, all playing by the strategy; a crib counts as it was."""
        hands = [[parse_card(card) for card in hand] for hand in record.hands]
        starter = parse_card(record.starter)
        margins = worth_of_hands(self.game, starter, hands, self.mind, ROUNDS, self.seed)
        crib = 0 if record.crib_shown is None else record.crib_shown.total
        return np.asarray(margins + _margins([0] * (self.players - 1) + [crib], self.game.sides))

    def seat_worth(self) -> np.ndarray:
        """Margin of all seats over many deals, all playing by the strategy."""
        from noddysim.engine.minds import minds_of

        n = self.players
        by_source = np.zeros((n, len(noddy.SOURCES), 512), np.int64)
        lost = np.zeros(1, np.int64)
        noddy.count_deals(
            self.game.rules, self.game.shows, minds_of(self.game, (self.mind,)), np.zeros(n, np.int64),
            rec.new_table(), n, np.uint64(self.seed), 0, SEAT_DEALS, by_source, lost,
        )  # fmt: skip
        if lost[0]:
            raise OverflowError("these rules give more points in a deal than can be counted")
        means = by_source[:, noddy.AT_DEAL_TOTAL] @ np.arange(by_source.shape[2]) / SEAT_DEALS
        return _margins(means.tolist(), self.game.sides)


def _rank(option: Option) -> int:
    return rank_of(parse_card(option.cards[0]))


def _orders(ranks: Sequence[int]) -> list[tuple[int, ...]]:
    return sorted(set(itertools.permutations(ranks)))


def _margin(points: Sequence[int]) -> float:
    return float(points[0] - points[1]) if points else 0.0


def _margins(points: Sequence[float], sides: int) -> np.ndarray:
    """Points by seat as those of a seat's side over the mean of the other sides."""
    by_side = np.array([sum(points[side::sides]) for side in range(sides)], float)
    margins = (sides * by_side - by_side.sum()) / (sides - 1)
    return np.array([margins[seat % sides] for seat in range(len(points))])


def _mean_turned(variant: Any) -> float:
    """What a turned card brings the pone more than the dealer, over all starters."""
    total = 0
    for entry in variant.pegging.turned:
        total += -entry.points if entry.to == "dealer" else entry.points
    return total / RANK_COUNT


# --- luck -------------------------------------------------------------------------------------------------------------


def _luck(judge: _Counted | _Tried, whole: Sequence[DealRecord], decisions: Sequence[Decision]) -> Luck:
    """Points of whole deals, parted by what they came from."""
    people = len(whole[0].persons)
    sides = show_game(judge.variant, people).sides
    seats = judge.seat_worth()
    sums: Mapping[str, np.ndarray] = {name: np.zeros(people) for name in ("won", "seat", "cards", "choices")}
    for record in whole:
        worth = judge.worth(record)
        won = _margins(record.points, sides)
        lost = [0.0] * people
        for one in decisions:
            if one.deal == record.number + 1:
                lost[one.seat - 1] -= one.loss
        chosen = _margins(lost, sides)
        for seat, person in enumerate(record.persons):
            sums["won"][person - 1] += won[seat]
            sums["seat"][person - 1] += seats[seat]
            sums["cards"][person - 1] += worth[seat] - seats[seat]
            sums["choices"][person - 1] += chosen[seat]
    rest = sums["won"] - sums["seat"] - sums["cards"] - sums["choices"]
    return Luck(**{name: tuple(map(float, values)) for name, values in sums.items()}, rest=tuple(map(float, rest)))
