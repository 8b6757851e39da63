"""Advice: what everything that may be chosen is worth, what each choice loses against the best, and why.

Where the play is solved, or the other player is fixed, values are counted; everywhere else they come from deals of the
unseen cards on which every candidate is tried (``engine.rollouts``), with paired intervals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from noddysim.engine import exactgame
from noddysim.engine.continuation import Continuation, Race
from noddysim.engine.exactplay import player_of, values_for
from noddysim.engine.games import PegGame, show_game
from noddysim.engine.layingtrials import Turn, TurnChoice, TurnOption, Turns, turn_choice
from noddysim.engine.race import Ending, ending
from noddysim.engine.rolled import LEAST_LIMIT, heels_points, three_each
from noddysim.engine.rollouts import Option, Reason, Rollouts, options_of, reason_of
from noddysim.engine.scoring import as_variant
from noddysim.engine.situation import Asked, Situation, situation
from noddysim.engine.solution import NAME as OPTIMAL
from noddysim.engine.solution import solution_for
from noddysim.engine.values import Position
from noddysim.game.cards import format_card, parse_card, rank_of
from noddysim.game.errors import InputError
from noddysim.game.experiment import check_amount, check_seed
from noddysim.game.expressions import parse_strategy
from noddysim.game.laying import FIRST_MELDER, FIRST_SETTER, melder, setter
from noddysim.game.laying_data import seat_names
from noddysim.game.meldmodels import MeldRules
from noddysim.game.rules import Variant
from noddysim.game.snitchmodels import SnitchRules
from noddysim.insight.estimates import CHANCE, POINTS, Estimate
from noddysim.insight.numbers import format_percent
from noddysim.insight.settling import Measured, Settling
from noddysim.kernels.rollout import LAY

USUAL: Final = "lookahead"
"""Against whom choices are tried out where best play is not known."""
DEALS: Final = 8_000
GAMES: Final = 2_000
"""The most deals tried if no number is asked for: without scores, and with games played on to their end."""
COUNTED: Final = "counted"
ROLLOUTS: Final = "rollouts"


@dataclass(frozen=True)
class Choice:
    """One thing that may be chosen.

    ``act`` is lay, lay away, pass, stay, meld, draw, set, throw or pass. ``value`` is in points: own less the others'
    mean, in the play of the deal (in the whole deal for cards laid away or passed), the best of all later choices; None
    where only games are played. ``loss`` is what it is less than the best; ``chance`` that to win the game, if scores
    were given, ``chance_loss`` likewise. ``apart`` is False for a choice that cannot be told from the best. ``reason``
    says what a card makes, ``kind`` what a meld or set is.
    """

    act: str
    cards: tuple[str, ...]
    value: Estimate | None
    loss: Estimate | None
    chance: Estimate | None
    chance_loss: Estimate | None
    apart: bool
    reason: Reason | None = None
    kind: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        why = self.reason
        answers = [] if why is None else why.answers
        return {
            "act": self.act,
            "cards": list(self.cards),
            "value": _json(self.value),
            "loss": _json(self.loss),
            "chance": _json(self.chance),
            "chance_loss": _json(self.chance_loss),
            "apart": self.apart,
            "makes": {} if why is None else dict(why.parts),
            "answers": [
                {"rank": one.rank, "points": one.points, "for": list(one.parts), "unseen": one.unseen}
                for one in answers
            ],
            "kind": self.kind or None,
        }


def _json(estimate: Estimate | None) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    return {"estimate": estimate.estimate, "low": estimate.low, "high": estimate.high}


@dataclass(frozen=True)
class Advice:
    """All that may be chosen, the best first.

    ``method`` is counted or rollouts; ``n`` the hands or deals behind it, ``most`` those that would have been tried had
    the best not been settled before; ``seat`` counts from 1 = eldest; ``notes`` say what was taken for granted.
    """

    variant: str
    players: int
    seat: int
    seat_name: str
    hand: tuple[str, ...]
    starter: str | None
    laid: tuple[str, ...]
    scores: tuple[int, ...] | None
    against: str
    then: str | None
    method: str
    n: int
    seed: int | None
    choices: tuple[Choice, ...]
    notes: tuple[str, ...] = ()
    most: int | None = None

    @property
    def best(self) -> Choice:
        """The best choice."""
        return self.choices[0]

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim advise --json``."""
        return {
            "variant": self.variant,
            "players": self.players,
            "seat": self.seat,
            "seat_name": self.seat_name,
            "hand": list(self.hand),
            "starter": self.starter,
            "laid": list(self.laid),
            "scores": None if self.scores is None else list(self.scores),
            "against": self.against,
            "then": self.then,
            "method": self.method,
            "n": self.n,
            "most": self.most,
            "seed": self.seed,
            "choices": [choice.to_json() for choice in self.choices],
            "best": list(self.best.cards),
            "notes": list(self.notes),
        }

    def _repr_html_(self) -> str:
        from noddysim.insight.notebook import advice_html

        return advice_html(self)


def advise(
    variant: Variant | str = "noddy",
    *,
    seat: str,
    hand: str,
    starter: str | None = None,
    laid: str = "",
    scores: Sequence[int] | None = None,
    players: int | None = None,
    against: str | None = None,
    then: str | None = None,
    away: str = "",
    mog: bool = False,
    discard: str = "",
    own: str = "",
    stock_empty: bool = False,
    deals: int | None = None,
    seed: int = 1589,
) -> Advice:
    """What every choice is worth in a position, and what it loses against the best.

    Args:
        variant: a variant, its name or the path of its file.
        seat: pone or dealer; eldest, second, … dealer.
        hand: the cards held, or the whole hand; as many as are dealt to ask what to lay away.
        starter: the turned card.
        laid: all cards laid in this deal in order, ``/`` where a pile is closed, ``go`` where somebody could not lay.
            In games of melds and sets: cards on the table.
        scores: as they stand now, the eldest's first; then chances to win are told too.
        players: how many play; the fewest that the variant allows if left out.
        against: how all others play; best play where it is known, else a usual strategy.
        then: how the asker goes on after his choice; as well as he can where that can be counted, else as the others.
        away: cards the asker has laid away to the crib.
        mog: ask whether to exchange a card, and which.
        discard: the discards in a game of sets, the top one last; own: cards in one's own sets; stock_empty: no stock
            is left.
        deals: number of deals for rollouts, which are then used even where values can be counted; if left out, choices
            are tried until they can be told from the best, at most on DEALS deals or GAMES games.
        seed: of the rollouts.

    Raises:
        InputError: a position that cannot come up, or that the rules or strategies do not answer.
    """
    rules = as_variant(variant)
    check_seed(seed)
    if deals is not None:
        check_amount(deals)
    how = How(against, then, deals, seed)
    if isinstance(rules.rules, MeldRules | SnitchRules):
        _refuse({"away": bool(away), "mog": mog}, rules)
        return _advise_turn(rules, Turn(seat, hand, starter, laid, discard, own, stock_empty, scores), players, how)
    _refuse({"discard": bool(discard), "own": bool(own), "stock-empty": stock_empty}, rules)
    return advise_on(situation(rules, Asked(seat, hand, starter, laid, away, scores, mog), players), how)


def _refuse(given: dict[str, bool], variant: Variant) -> None:
    for name, is_given in given.items():
        if is_given:
            raise InputError(f"{name} does not belong to {variant.name}; leave it out")


@dataclass(frozen=True)
class How:
    """By what means a question is answered: see ``advise``."""

    against: str | None = None
    then: str | None = None
    deals: int | None = None
    seed: int = 1589


def advise_on(asked: Situation, how: How) -> Advice:
    """As ``advise``, for a situation of the pegging family that is already checked."""
    options = options_of(asked)
    against = how.against or usual_opponent(asked)
    if how.deals is None and can_count(asked):
        choices, notes = _counted(asked, options, against, how.then)
        unseen = 52 - len(asked.seen)
        theirs = asked.variant.pegging.hand - (len(asked.laid) - len(asked.mine))
        advice = _advice(asked, choices, (against, how.then), COUNTED, math.comb(unseen, theirs))
        return replace(advice, notes=(*_notes(asked, True), *notes))
    then = how.then or against
    race = asked.scores is not None
    deals = how.deals or (GAMES if race else DEALS)
    source = Rollouts(asked, options, (parse_strategy(against), parse_strategy(then)), how.seed, race)
    settling = Settling(source, len(options), True, how.deals is None)
    choices = [
        _choice(option, found, reason=_why(asked, option))
        for option, found in zip(options, settling.play(deals), strict=True)
    ]
    advice = _advice(asked, choices, (against, then), ROLLOUTS, settling.deals)
    return replace(advice, seed=how.seed, most=deals, notes=tuple(_notes(asked, source.believed)))


def _choice(option: Option | TurnOption, found: Measured, **more: Any) -> Choice:
    numbers = found.value, found.loss, found.chance, found.chance_loss
    return Choice(option.act, option.cards, *numbers, found.apart, **more)


def usual_opponent(asked: Situation) -> str:
    """Best play where it is known, else a usual strategy."""
    if not can_count(asked):
        return USUAL
    try:
        solution_for(show_game(asked.variant, 2))
    except InputError:  # nobody has solved this play yet
        return USUAL
    return OPTIMAL


def can_count(asked: Situation) -> bool:
    """Whether values of a choice can be counted: the play of two with three cards each."""
    if asked.players != 2 or asked.kind != LAY:
        return False
    rules = show_game(asked.variant, 2).rules
    simple = not (rules.discard or rules.mog or rules.flushes)
    counted = simple and int(rules.hand) == 3 and int(rules.limit) >= LEAST_LIMIT
    return counted and (asked.scores is None or _alternates(asked.variant))


def _alternates(variant: Variant) -> bool:
    return variant.pegging.next_dealer in ("left", "right") and variant.pegging.three_for_last == "off"


def _notes(asked: Situation, believed: bool) -> list[str]:
    found = []
    if not believed:
        found.append("The strategy of the others would never have laid these cards: every hand counts alike.")
    rules = show_game(asked.variant, asked.players).rules
    if asked.kind == LAY and rules.mog:
        found.append("What an exchange has told of the other hand is not used.")
    if asked.kind == LAY and rules.discard and not asked.away:
        found.append("The cards laid away were not given (--away): they are taken to be any unseen ones.")
    return found


def _why(asked: Situation, option: Option) -> Reason | None:
    return reason_of(asked, option.code) if option.act == "lay" else None


def _advice(asked: Situation, choices: Sequence[Choice], minds: tuple[str, str | None], method: str, n: int) -> Advice:
    return Advice(
        variant=asked.variant.name,
        players=asked.players,
        seat=asked.seat + 1,
        seat_name=seat_names(asked.players)[asked.seat],
        hand=tuple(map(format_card, asked.hand)),
        starter=None if asked.starter is None else format_card(asked.starter),
        laid=tuple(map(format_card, asked.laid)),
        scores=asked.scores,
        against=minds[0],
        then=minds[1],
        method=method,
        n=n,
        seed=None,
        choices=tuple(sorted(choices, key=_order)),
    )


def _order(choice: Choice) -> float:
    found = choice.chance or choice.value
    return -found.estimate if found else 0.0


# --- counted ----------------------------------------------------------------------------------------------------------


def _counted(
    asked: Situation, options: Sequence[Option], against: str, then: str | None
) -> tuple[list[Choice], tuple[str, ...]]:
    """Every choice with its values, and what is to be said of them."""
    game: PegGame = three_each(asked.variant)
    players = player_of(game, then or against), player_of(game, against)
    tree = Continuation(show_game(asked.variant, 2), asked, *players)
    ranks = [rank_of(parse_card(option.cards[0])) for option in options]
    values = {rank: tree.margin(rank) for rank in set(ranks)} if then else _best_values(game, asked, against, tree)
    chances: dict[int, float] = {}
    notes: tuple[str, ...] = ()
    if asked.scores is not None:
        tree, race, notes = _race(asked, tree, against, then)
        chances = {rank: tree.chance(rank, race) for rank in set(ranks)}
    best, likeliest = max(values.values()), max(chances.values(), default=0.0)
    found = []
    for option, rank in zip(options, ranks, strict=True):
        loss = best - values[rank]
        chance_loss = likeliest - chances[rank] if chances else loss
        found.append(
            Choice(
                option.act, option.cards, _exact(values[rank], POINTS), _exact(loss, POINTS),
                _exact(chances[rank], CHANCE) if chances else None, _exact(chance_loss, CHANCE) if chances else None,
                chance_loss > 0, _why(asked, option),
            )
        )  # fmt: skip
    return found, notes


def _race(
    asked: Situation, tree: Continuation, against: str, then: str | None
) -> tuple[Continuation, Race, tuple[str, ...]]:
    """How the deal goes on if the game is to be won, the chances behind it, and what is to be said of them."""
    assert asked.scores is not None
    target, scores = asked.variant.rules.target, (asked.scores[0], asked.scores[1])
    known = solved_end(asked.variant) if against == OPTIMAL and then is None else None
    if known is None:
        table = exactgame.game(asked.variant, against, then or against).chances
        # Whoever deals now does not deal next; the first dealer of that table is the one who asks.
        by_scores = table[0] if asked.seat == 0 else table[1]
        return tree, Race(target, scores, np.ascontiguousarray(by_scores.T)), ()
    # By own score and the other's, at the start of the next deal, in which the seats are exchanged.
    by_needs = known.chances[:0:-1, :0:-1]
    own = np.ascontiguousarray(1.0 - by_needs.T if asked.seat == 0 else by_needs)
    race = Race(target, scores, own)
    racer = known.racer(needs_at_start(asked, tree))
    if racer is None:
        return tree, race, (f"Chances: both play for points until both need at most {known.size}, and then to win.",)
    error = format_percent(known.error, 2, terminal=True)
    note = f"Chances: both play to win; best play by ranks is proved to {error}. Points a deal: of play for points."
    return Continuation(tree.game, asked, racer, racer), race, (note,)


def needs_at_start(asked: Situation, tree: Continuation) -> tuple[int, int]:
    """What pone and dealer needed when the deal began: the scores now less what the deal has brought so far."""
    assert asked.scores is not None and asked.starter is not None
    heels, made, target = heels_points(tree.game, rank_of(asked.starter)), tree.made(), asked.variant.rules.target
    pone, dealer = (target - score + int(heels[seat]) + made[seat] for seat, score in enumerate(asked.scores))
    return pone, dealer


_ENDS: dict[str, Ending | None] = {}
"""Ends of games by variant's rules, as far as they were solved before."""


def solved_end(variant: Variant) -> Ending | None:
    """The end of a variant's games, each player playing to win, if it is known; None if it is not."""
    key = show_game(variant, 2).text
    if key not in _ENDS:
        try:
            _ENDS[key] = ending(variant)
        except InputError:  # games of other kinds, whose end nobody can solve
            _ENDS[key] = None
    return _ENDS[key]


def _best_values(game: PegGame, asked: Situation, against: str, tree: Continuation) -> dict[int, float]:
    """Values with the best later choices; where there is none, what the one card leads to."""
    hand, laid = tuple(map(rank_of, asked.hand)), tuple(map(rank_of, asked.laid))
    starter = rank_of(asked.starter or 0)
    found = values_for(game, asked.seat, starter, against).at(Position(asked.seat, hand, starter, laid))
    return {one.rank: tree.margin(one.rank) if one.value is None else one.value for one in found}


def _exact(value: float, unit: str) -> Estimate:
    return Estimate(value, value, value, 1, unit, COUNTED, exact=True)


# --- melds and sets ---------------------------------------------------------------------------------------------------


def _advise_turn(variant: Variant, turn: Turn, players: int | None, how: How) -> Advice:
    asked = turn_choice(variant, turn, players)
    of_sets = isinstance(variant.rules, SnitchRules)
    named: Any = setter if of_sets else melder
    against = how.against or (FIRST_SETTER if of_sets else FIRST_MELDER)
    then = how.then or against
    race = not of_sets or asked.scores is not None
    deals = how.deals or (GAMES if race else DEALS)
    source = Turns(asked, (named(against), named(then)), how.seed, race)
    settling = Settling(source, len(asked.options), of_sets, how.deals is None)
    choices = [
        _choice(option, found, kind=option.kind, reason=_made(option))
        for option, found in zip(asked.options, settling.play(deals), strict=True)
    ]
    return Advice(
        variant=variant.name,
        players=asked.players,
        seat=asked.seat + 1,
        seat_name=seat_names(asked.players)[asked.seat],
        hand=asked.hand,
        starter=turn.starter.upper() if turn.starter else None,
        laid=tuple(turn.laid.upper().split()),
        scores=asked.scores,
        against=against,
        then=then,
        method=ROLLOUTS,
        n=settling.deals,
        seed=how.seed,
        most=deals,
        choices=tuple(sorted(choices, key=_order)),
        notes=tuple(_turn_notes(asked, race)),
    )


def _made(option: TurnOption) -> Reason | None:
    return Reason({option.kind: option.points}, ()) if option.points else None


def _turn_notes(asked: TurnChoice, race: bool) -> list[str]:
    notes = ["The others are taken to hold three cards each, any that are not seen."]
    if race and asked.scores is None:
        notes.append("No scores were given (--scores): all are taken to be nought.")
    return notes
