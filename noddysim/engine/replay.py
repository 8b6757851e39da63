"""Deals and games played again card by card from seed and number.

The kernels play; this module only reads their table. A replayed game is played deal by deal with the keys of the
game kernel, and must end as that kernel says it ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noddysim.engine.games import PHASES, PegGame, check_players, peg_game
from noddysim.engine.peg import illegal_order
from noddysim.engine.record import Before, DealRecord, Mogging, ReplayedDeal, ReplayedGame, Shown
from noddysim.engine.scoring import as_variant, shown_parts, unpack_show
from noddysim.engine.table import (
    FIRST_STRATEGY,
    at_the_table,
    by_seat,
    events,
    for_seats,
    gained,
    sit_down,
    whole_number,
)
from noddysim.game.cards import format_card
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy
from noddysim.kernels import noddy
from noddysim.kernels import records as rec
from noddysim.kernels.away import exchange
from noddysim.kernels.dealing import deal_key, game_key, mix
from noddysim.kernels.hands import pack, parted, unpack
from noddysim.kernels.pegging import deal_by_phases, deal_cards, look_at_shows, pick_up, take_seats

GREATEST_SEED: Final = 2**64 - 1
GREATEST_NUMBER: Final = 2**63 - 1

Strategies = str | Strategy | Sequence[str | Strategy]


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
    setup = Setup.of(variant, seed, number, players, strategies)
    n = setup.game.players
    table = rec.new_table()
    sit_down(table, range(setup.game.sides), (0,) * setup.game.sides)
    key = np.uint64(deal_key(np.uint64(seed), np.uint64(number)))
    return ReplayedDeal(setup.variant.name, n, seed, _play_deal(setup, table, range(n), number, key, rec.NO_TARGET))


def replay_game(
    variant: Variant | str, seed: int, number: int, players: int | None = None, strategies: Strategies = FIRST_STRATEGY
) -> ReplayedGame:
    """Play game ``number`` of a seed again, deal by deal, to the target.

    Arguments are as in `replay_deal`; ``strategies`` are by person, each named by his seat in the first deal, whose
    last seat deals first. Raises InputError also for a game in which nobody ever reaches the target.
    """
    setup = Setup.of(variant, seed, number, players, strategies)
    game, n, target = setup.game, setup.game.players, setup.variant.rules.target
    expected = _record_of_game(setup, seed, number)
    if expected["winner"] == rec.NOBODY:
        raise InputError(
            f"game {number} of seed {seed}: nobody reaches {target} in {noddy.MAX_DEALS} deals; there is no end to show"
        )
    table = rec.new_table()
    scores = np.zeros(rec.MAX_SEATS, np.int64)
    noddy.start_game(game.rules, table, scores)
    start = for_seats(by_seat(scores, game.sides), game)
    table.state[rec.AT_FIRST_DEAL] = 1
    dealer, deals = n - 1, list[DealRecord]()
    while not deals or deals[-1].ended is None:
        persons = [(dealer + 1 + seat) % n for seat in range(n)]
        sit_down(table, persons[: game.sides], [scores[person % game.sides] for person in persons[: game.sides]])
        table.person[: game.sides] %= game.sides
        key = np.uint64(mix(np.uint64(game_key(np.uint64(seed), np.uint64(number))), np.uint64(len(deals))))
        deals.append(_play_deal(setup, table, persons, len(deals), key, target))
        table.state[rec.AT_FIRST_DEAL] = 0
        for side in range(game.sides):
            scores[table.person[side]] = table.score[side]
        dealer = int(noddy.next_dealer(game.rules, n, dealer, scores))
    after = by_seat(scores, game.sides)
    record = ReplayedGame(
        variant=setup.variant.name,
        players=n,
        seed=seed,
        game=number,
        target=target,
        strategies=setup.names,
        start=start,
        deals=tuple(deals),
        scores=for_seats(after, game),
        winner=next(person + 1 for person, score in enumerate(after) if score >= target),
        lead_changes=int(table.state[rec.AT_LEAD_CHANGES]),
        sides=game.sides,
    )
    _check_game(record, expected)
    return record


@dataclass(frozen=True)
class Setup:
    """What a replay is played with: rules, and the strategy of each seat (deal) or person (game)."""

    variant: Variant
    game: PegGame
    names: tuple[str, ...]
    minds: tuple[Strategy, ...]

    @classmethod
    def of(cls, variant: Variant | str, seed: int, number: int, players: int | None, strategies: Strategies) -> Setup:
        """Check what a replay is asked for. Raises InputError for anything that does not exist or is out of range."""
        rules = as_variant(variant)
        whole_number("the seed", seed, GREATEST_SEED)
        whole_number("the number of the deal or game", number, GREATEST_NUMBER)
        game = peg_game(rules, rules.rules.players[0] if players is None else check_players(rules, players))
        minds = _minds(strategies, game.players)
        return cls(rules, game, tuple(mind.name for mind in minds), minds)


def _minds(strategies: Strategies, players: int) -> tuple[Strategy, ...]:
    given = [strategies] if isinstance(strategies, str | Strategy) else list(strategies)
    if len(given) not in (1, players):
        raise InputError(f"{players} players need {players} strategies, or one for all; {len(given)} given")
    minds = [mind if isinstance(mind, Strategy) else parse_strategy(mind) for mind in given]
    return tuple(minds * players if len(minds) == 1 else minds)


def _play_deal(
    setup: Setup, table: Any, persons: Sequence[int], number: int, key: np.uint64, target: int
) -> DealRecord:
    """Deal and play one deal at a table where scores and persons are in place, and read what happened."""
    game, n = setup.game, setup.game.players
    scores = for_seats(by_seat(table.score, game.sides), game)
    strategies, who, table, _ = at_the_table(game, setup.minds, persons, table)
    deal_cards(game.rules, table, n, key)
    take_seats(who, table, n)
    noddy.prepare(game.rules, game.shows, strategies, table, n, key, rec.NOBODY, 0)
    look_at_shows(game.rules, game.shows, table, n)
    before = _before(game, table)
    phase = int(deal_by_phases(game.rules, strategies, table, n, key, target, rec.NOBODY, 0, False))
    return _record_of(setup, table, persons, number, (before, scores, target, phase))


def _record_of(
    setup: Setup, table: Any, persons: Sequence[int], number: int, played: tuple[Before, tuple[int, ...], int, int]
) -> DealRecord:
    """What happened at a table. played : what was settled before, the scores then, the target, the phase that ended."""
    game, n = setup.game, setup.game.players
    before, scores, target, phase = played
    after = by_seat(table.score, game.sides)
    order = tuple(PHASES[int(code)] for code in game.rules.order)
    ended = PHASES[phase] if phase >= 0 else None
    reached = [score >= target for score in for_seats(after, game)]
    return DealRecord(
        number=number,
        persons=tuple(person + 1 for person in persons),
        strategies=tuple(setup.names[person] for person in persons),
        limit=int(game.rules.limit),
        order=order,
        starter=format_card(int(table.state[rec.AT_STARTER])),
        hands=before.hands,
        heels=by_seat(table.heels, n),
        events=events(game, table),
        shows=_shows(setup, table, order, ended, reached),
        before=scores,
        scores=for_seats(after, game),
        ended=ended,
        points=gained(game, table),
        start=by_seat(table.start, n),
        away=before.away,
        crib=before.crib,
        crib_shown=_crib_shown(setup, table, order, ended),
        mog=None if before.passed is None else Mogging(before.passed, by_seat(table.mog, n)),
    )


@dataclass(frozen=True)
class GivenMogging:
    """A mogging that is written down: the cards passed by seat, or None and the seat that declined, if it is known."""

    passed: tuple[int, ...] | None
    declined: int | None = None


@dataclass(frozen=True)
class GivenDeal:
    """A deal that is written down: starter, hands in the order laid, cards laid away, cards dealt to the crib.

    By seat, eldest first; ``away`` is empty where nothing is laid away, ``mog`` None where no card may be exchanged.
    Hands are those that are played: after an exchange they hold the cards taken.
    """

    starter: int
    hands: tuple[tuple[int, ...], ...]
    away: tuple[tuple[int, ...], ...] = ()
    crib: tuple[int, ...] = ()
    mog: GivenMogging | None = None

    def dealt(self, seat: int) -> tuple[int, ...]:
        """The cards that a seat was dealt, lowest first."""
        hand = [*self.hands[seat], *(self.away[seat] if self.away else ())]
        if self.mog is not None and self.mog.passed is not None:
            hand.remove(self.mog.passed[1 - seat])
            hand.append(self.mog.passed[seat])
        return tuple(sorted(hand))


def play_given(
    setup: Setup, table: Any, persons: Sequence[int], number: int, deal: GivenDeal, target: int
) -> DealRecord:
    """Play a deal whose cards and order are given, at a table where scores and persons are in place.

    Raises InputError for a card laid that does not fit while another one does.
    """
    game, n = setup.game, setup.game.players
    scores = for_seats(by_seat(table.score, game.sides), game)
    strategies, who, table, _ = at_the_table(game, setup.minds, persons, table)
    table.state[rec.AT_STARTER] = deal.starter
    table.crib_dealt = pack(sorted(deal.crib))
    for seat, hand in enumerate(deal.hands):
        dealt = deal.dealt(seat)
        table.dealt[seat] = pack(dealt)
        if deal.away:
            table.away[seat] = sum(1 << place for place, card in enumerate(dealt) if card not in hand)
        table.script[seat, : len(hand)] = hand
    take_seats(who, table, n)
    pick_up(game.rules, table, n)
    if deal.mog is not None:
        _mog_as_written(game, table, deal, deal.mog)
    look_at_shows(game.rules, game.shows, table, n)
    before = _before(game, table)
    phase = int(deal_by_phases(game.rules, strategies, table, n, np.uint64(0), target, rec.NOBODY, 0, True))
    if phase == rec.ILLEGAL_ORDER:
        raise illegal_order(table, setup.variant, n)
    return _record_of(setup, table, persons, number, (before, scores, target, phase))


def _mog_as_written(game: PegGame, table: Any, deal: GivenDeal, mog: GivenMogging) -> None:
    """Let the cards written down change hands, or one seat decline, as ``kernels.away.mogging`` does."""
    for seat in range(game.players):
        table.mog_due[seat], table.passed[seat], table.received[seat] = 0, rec.NOBODY, rec.NOBODY
    if mog.passed is not None:
        for seat, card in enumerate(mog.passed):
            table.passed[seat] = deal.dealt(seat).index(card)
        exchange(game.rules, table)
    elif mog.declined is not None:
        table.mog_due[1 - mog.declined] = game.rules.mog_refusal


def _before(game: PegGame, table: Any) -> Before:
    """Hands, cards laid away and crib as they lie when all is decided and nothing is laid."""
    n, rules = game.players, game.rules
    hands = tuple(tuple(map(format_card, unpack(hand))) for hand in table.hand[:n])
    away: tuple[tuple[str, ...], ...] = ()
    if rules.discard:
        gone = [parted(table.dealt[seat], table.away[seat])[1] for seat in range(n)]
        away = tuple(tuple(map(format_card, unpack(cards))) for cards in gone)
    crib = tuple(map(format_card, unpack(table.crib)))
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
    setup: Setup, table: Any, order: Sequence[str], ended: str | None, reached: Sequence[bool]
) -> tuple[Shown, ...]:
    """The hands that were counted: all of them, those up to the winner's, or none if the deal ended before."""
    counted = len(reached) if _reached_phase("show", order, ended) else 0
    if ended == "show":
        # Of two partners the one whose hand was counted last has reached the target.
        counted = 1 + max(seat for seat in range(counted) if reached[seat] and table.show[seat])
    return tuple(_shown(setup, seat, int(table.show[seat])) for seat in range(counted))


def _shown(setup: Setup, seat: int, packed: int) -> Shown:
    """A hand or crib counted: its points by the kinds that the game has."""
    parts, names = unpack_show(packed), shown_parts(setup.variant.pegging)
    return Shown(seat + 1, {name: parts[kind] for kind, name in names.items()}, packed & rec.TOTAL_MASK)


def _crib_shown(setup: Setup, table: Any, order: Sequence[str], ended: str | None) -> Shown | None:
    """The crib, if it was counted."""
    counted = _reached_phase("show", order, ended) and ended != "show"
    if not setup.game.rules.crib or not counted:
        return None
    return _shown(setup, setup.game.players - 1, int(table.crib_gain))


def _record_of_game(setup: Setup, seed: int, number: int) -> dict[str, int]:
    """What the game kernel makes of the same game, by name of its fields."""
    n = setup.game.players
    record = np.zeros((1, len(noddy.FIELDS)), np.int64)
    seated = at_the_table(setup.game, setup.minds, range(n), rec.new_table())
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
