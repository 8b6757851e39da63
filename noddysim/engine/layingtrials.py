"""A turn in the games where melds or sets are laid, tried out on common cards: see ``engine.rollouts``.

The others are taken to hold three cards each, any that are not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noddysim.engine import melding, sets
from noddysim.engine.games import check_players
from noddysim.engine.laying import WHOLE
from noddysim.engine.rolled import in_threads
from noddysim.engine.rollouts import CHUNK, Trial
from noddysim.engine.table import whole_number
from noddysim.game.cards import PACK_SIZE, format_card, parse_cards, refuse_repeats
from noddysim.game.errors import InputError
from noddysim.game.laying_data import Melder, Setter, seat_names
from noddysim.game.rules import Variant
from noddysim.game.snitchmodels import SnitchRules
from noddysim.kernels import melding as melds
from noddysim.kernels import sets as kernel
from noddysim.kernels.melds import MELD_KINDS, new_search
from noddysim.kernels.rollout_laying import DRAW, PASS, THROW, LayingPlan, roll_melds, roll_sets

MOST_OPTIONS: Final = 100
"""Things to do on a turn that are compared."""


@dataclass(frozen=True)
class Turn:
    """A turn as it is asked about, by text: see ``insight.advice.advise``."""

    seat: str
    hand: str
    starter: str | None = None
    laid: str = ""
    discard: str = ""
    own: str = ""
    stock_empty: bool = False
    scores: Sequence[int] | None = None


@dataclass(frozen=True)
class TurnOption:
    """One thing to do: ``act`` is meld, draw, set, throw or pass; ``kind`` that of the meld, or the set's source."""

    row: tuple[int, int, int, int]
    act: str
    cards: tuple[str, ...]
    kind: str
    points: int


@dataclass(frozen=True)
class TurnChoice:
    """A turn checked against the rules, and all that may be done. ``scores`` are by seat, None if none were given."""

    variant: Variant
    players: int
    seat: int
    hand: tuple[str, ...]
    options: tuple[TurnOption, ...]
    plan: LayingPlan
    own_cards: int
    own_ranks: int
    scores: tuple[int, ...] | None


def turn_choice(variant: Variant, turn: Turn, players: int | None = None) -> TurnChoice:
    """A turn as values, with everything that may be done. Raises InputError that names what cannot be."""
    n = variant.rules.players[0] if players is None else check_players(variant, players)
    names = seat_names(n)
    known = {**{name: place for place, name in enumerate(names)}, "eldest": 0}
    if turn.seat.lower() not in known:
        raise InputError(f"no seat of {n} players is called {turn.seat!r}; seats are {', '.join(names)}")
    target = int(variant.rules.target)
    if turn.scores is not None:
        if len(turn.scores) != n:
            raise InputError(f"{n} players have {n} scores, the eldest's first; {len(turn.scores)} given")
        for name, score in zip(names, turn.scores, strict=True):
            whole_number(f"the score of the {name}, below the target,", score, target - 1)
    make = _sets_turn if isinstance(variant.rules, SnitchRules) else _meld_turn
    return make(variant, turn, n, known[turn.seat.lower()])


def _refuse_few(unseen: Sequence[int], players: int) -> None:
    if len(unseen) < 3 * (players - 1):
        raise InputError(f"{len(unseen)} cards are not seen; the others would hold {3 * (players - 1)} of them")


def _refuse_many(options: Sequence[TurnOption]) -> None:
    if len(options) > MOST_OPTIONS:
        raise InputError(f"these cards can be laid in {len(options)} ways; {MOST_OPTIONS} are the most compared")


# --- melds ------------------------------------------------------------------------------------------------------------


def _meld_turn(variant: Variant, turn: Turn, players: int, seat: int) -> TurnChoice:
    for name, given in (("discard", turn.discard), ("own", turn.own), ("stock-empty", turn.stock_empty)):
        if given:
            raise InputError(f"{name} does not belong to {variant.name}; leave it out")
    hand, laid = sorted(parse_cards(turn.hand)), parse_cards(turn.laid.replace("/", " "))
    if not hand:
        raise InputError('no card is held; give the hand as --hand "4H 5C 6D"')
    starter = parse_cards(turn.starter or "")
    if len(starter) != 1:
        raise InputError(f"{variant.name}: give the turned card, which shows trumps, with --starter")
    refuse_repeats([*hand, *laid, *starter])
    rules = melding.rules_record(variant)
    search = new_search()
    search.held, search.trump = len(hand), starter[0]
    search.hand[: len(hand)] = hand
    found = np.zeros((MOST_OPTIONS + 1, 3), np.int64)
    number = melds.list_melds(rules, search, 1, found)
    options = [
        TurnOption((int(mask), int(kind), int(points), 0), "meld", melding.cards_of(hand, int(mask), starter[0]),
                   MELD_KINDS[kind], int(points))
        for mask, kind, points in found[: min(number, len(found))]
    ]  # fmt: skip
    if not rules.must_meld or not options:
        options.append(TurnOption((0, DRAW, 0, 0), "draw", (), "", 0))
    _refuse_many(options)
    seen = {*hand, *laid, *starter}
    unseen = [card for card in range(PACK_SIZE) if card not in seen]
    _refuse_few(unseen, players)
    scores = tuple(turn.scores or (0,) * players)
    plan = _plan(seat, hand, laid, unseen, (starter[0], 1), options, scores)
    names = tuple(map(format_card, hand))
    return TurnChoice(
        variant, players, seat, names, tuple(options), plan, 0, 0, None if turn.scores is None else scores
    )


def _plan(
    seat: int,
    hand: Sequence[int],
    pile: Sequence[int],
    unseen: Sequence[int],
    turned: tuple[int, int],
    options: Sequence[TurnOption],
    scores: Sequence[int],
) -> LayingPlan:
    starter, stock = turned
    cards, piled, rest = (np.array(part, np.int64) for part in (hand, pile, unseen))
    rows = np.array([option.row for option in options], np.int64).reshape(-1, 4)
    held = np.array(scores, np.int64)
    return LayingPlan(np.int64(seat), cards, piled, rest, np.int64(stock), np.int64(starter), rows, held)


# --- sets -------------------------------------------------------------------------------------------------------------


def _sets_turn(variant: Variant, turn: Turn, players: int, seat: int) -> TurnChoice:
    if turn.starter is not None:
        raise InputError(f"starter does not belong to {variant.name}; leave it out")
    packs = sets.Packs(sets.snitch_rules(variant).jokers)
    hand = sorted(packs.read(turn.hand))
    pile, own = packs.read(turn.discard), packs.read(turn.own)
    packs.read(turn.laid.replace("/", " "))
    if not 1 <= len(hand) <= kernel.FULL_HAND:
        raise InputError(f"a hand of {variant.name} has 1 to {kernel.FULL_HAND} cards; {len(hand) or 'none'} given")
    rules = sets.rules_record(variant)
    options = [_set_option(rules, hand, pile, row) for row in _set_rows(rules, hand, pile, turn.stock_empty)]
    if rules.extend and own:
        options += [
            _set_option(rules, hand, pile, (kernel.S_OWN, place, 0))
            for place, card in enumerate(hand)
            if sets.is_wild(card)
        ]
    if not turn.stock_empty:
        options += [
            TurnOption((THROW, place, 0, 0), "throw", (sets.format_set_card(card),), "", 0)
            for place, card in enumerate(hand)
        ]
    elif not options:
        options.append(TurnOption((PASS, 0, 0, 0), "pass", (), "", 0))
    different = {(option.act, option.cards, option.kind): option for option in reversed(options)}
    options = list(reversed(different.values()))
    seen = packs.taken
    unseen = [card for card in range(int(rules.pack)) if card not in seen]
    _refuse_few(unseen, players if not turn.stock_empty else 1)
    scores = tuple(turn.scores or (0,) * players)
    plan = _plan(seat, hand, pile, unseen, (0, int(not turn.stock_empty)), options, scores)
    ranks = 0
    for card in own:
        ranks |= 0 if sets.is_wild(card) else 1 << (card >> 3)
    names = tuple(map(sets.format_set_card, hand))
    given = None if turn.scores is None else scores
    return TurnChoice(variant, players, seat, names, tuple(options), plan, len(own), ranks, given)


def _set_rows(rules: Any, hand: Sequence[int], pile: Sequence[int], empty: bool) -> list[tuple[int, int, int]]:
    """Source and places of every set of a hand, with the top discard too while there is a stock."""
    places = range(len(hand))
    rows = [
        (kernel.S_HAND, one, other)
        for one in places
        for other in places[one + 1 :]
        if kernel.set_rank(rules, hand[one], hand[other]) != kernel.NO_RANK
    ]
    if pile and not empty:
        rows += [
            (kernel.S_DISCARD, one, 0)
            for one in places
            if kernel.set_rank(rules, hand[one], pile[-1]) != kernel.NO_RANK
        ]
    return rows


def _set_option(rules: Any, hand: Sequence[int], pile: Sequence[int], row: tuple[int, int, int]) -> TurnOption:
    source, one, other = row
    cards = [hand[one]]
    if source == kernel.S_HAND:
        cards.append(hand[other])
    elif source == kernel.S_DISCARD:
        cards.append(pile[-1])
    points = sum(int(rules.value[min(card >> 3, kernel.JOKER)]) for card in cards)
    names = tuple(map(sets.format_set_card, cards))
    return TurnOption((source, one, other, points), "set", names, kernel.SOURCES_OF_SETS[source], points)


# --- trying out -------------------------------------------------------------------------------------------------------


def try_turn(choice: TurnChoice, minds: tuple[Any, Any], deals: int, seed: int, race: bool) -> Trial:
    """Play every option on ``deals`` deals of the unseen cards.

    minds : how all others play, and how the chooser goes on; race : whether games of sets are played on to their end,
    as those of melds always are. Melds have no margins: a game is won in the midst of a deal.
    """
    turns = Turns(choice, minds, seed, race)
    margins, wins = turns.more(range(len(choice.options)), deals)
    return Trial(margins, wins if turns.race else None, True, turns.divisor, turns.share)


class Turns:
    """As ``try_turn``, one lot of deals after the other: later ones may leave out options that are settled."""

    believed = True

    def __init__(self, choice: TurnChoice, minds: tuple[Any, Any], seed: int, race: bool) -> None:
        self.choice, self.minds, self.seed = choice, minds, seed
        self.of_sets = isinstance(choice.variant.rules, SnitchRules)
        self.race = race or not self.of_sets
        self.divisor = choice.players - 1
        self.share = WHOLE if self.of_sets else 1
        self._first = 0

    def more(self, places: Sequence[int], amount: int) -> tuple[np.ndarray, np.ndarray]:
        """Margins and wins of the options at some places on the next ``amount`` deals, int64 (amount, places)."""
        plan = self.choice.plan._replace(choices=self.choice.plan.choices[list(places)])
        begin, end = self._first, self._first + amount

        def count(number: int) -> tuple[np.ndarray, np.ndarray]:
            first = begin + number * CHUNK
            return self._count(plan, first, min(first + CHUNK, end))

        parts = in_threads(count, range(-(-amount // CHUNK)))
        self._first = end
        margins, wins = (np.concatenate([part[place] for part in parts]) for place in range(2))
        return margins, wins

    def _count(self, plan: LayingPlan, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        choice, n = self.choice, self.choice.players
        who = np.array([int(other == choice.seat) for other in range(n)], np.int64)
        margins, wins = (np.zeros((last - first, len(plan.choices)), np.int64) for _ in range(2))
        span = np.uint64(self.seed), first, last
        if self.of_sets:
            setters = [mind for mind in self.minds if isinstance(mind, Setter)]
            roll_sets(
                sets.rules_record(choice.variant), sets.setters_record(setters), who, kernel.new_set_table(), n,
                plan, choice.own_cards, choice.own_ranks, self.race, WHOLE, *span, margins, wins,
            )  # fmt: skip
        else:
            melders = [mind for mind in self.minds if isinstance(mind, Melder)]
            roll_melds(
                melding.rules_record(choice.variant), melding.melders_record(melders), who, melds.new_meld_table(),
                new_search(), n, plan, *span, wins,
            )  # fmt: skip
        return margins, wins
