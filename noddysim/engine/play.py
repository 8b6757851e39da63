"""One hand scored, one deal or game played again, whatever the family of games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from noddysim.engine import melding, sets
from noddysim.engine import replay as pegging
from noddysim.engine.games import check_players
from noddysim.engine.melding import MeldReplay, MeldsResult
from noddysim.engine.record import ReplayedDeal, ReplayedGame
from noddysim.engine.scoring import Cards, ScoreResult, as_variant
from noddysim.engine.scoring import score as score_show
from noddysim.engine.sets import SetReplay, SetsResult
from noddysim.engine.table import FIRST_STRATEGY, whole_number
from noddysim.game import laying
from noddysim.game.errors import InputError
from noddysim.game.meldmodels import MeldRules
from noddysim.game.rules import Variant
from noddysim.game.snitchmodels import SnitchRules
from noddysim.game.strategy_data import Strategy

Scored = ScoreResult | MeldsResult | SetsResult
Replayed = ReplayedDeal | ReplayedGame | MeldReplay | SetReplay
Mind = TypeVar("Mind")


def score(
    cards: Cards,
    starter: int | str | None = None,
    variant: Variant | str = "noddy",
    crib: bool = False,
    *,
    discard: str | None = None,
    own: str | None = None,
    stock_empty: bool = False,
) -> Scored:
    """What a hand makes: points of a show, the melds it may lay, or its sets, by the variant's family of games.

    Args:
        cards: the hand, in any order.
        starter: the turned card; in a show None for the exact mean over all cards not in the hand.
        variant: a variant, its name or the path of its file.
        crib: count the cards as a crib, where the variant has one.
        discard: the top discard, in a game of sets; own: cards of one's own sets there; stock_empty: no stock is left.

    Raises:
        InputError: a card that does not exist or comes too often, the wrong number of cards, an argument that does not
            belong to the game.
    """
    rules = as_variant(variant)
    of_sets = {"discard": discard is not None, "own": own is not None, "stock-empty": stock_empty}
    if not isinstance(rules.rules, SnitchRules):
        _refuse(rules, of_sets)
    if isinstance(rules.rules, MeldRules):
        _refuse(rules, {"crib": crib})
        return melding.melds(cards if isinstance(cards, str) else list(cards), starter, rules)
    if isinstance(rules.rules, SnitchRules):
        _refuse(rules, {"crib": crib, "starter": starter is not None})
        text = cards if isinstance(cards, str) else " ".join(map(str, cards))
        return sets.sets(text, rules, discard, own, stock_empty)
    return score_show(cards, starter, rules, crib)


def _refuse(variant: Variant, given: dict[str, bool]) -> None:
    """Raise InputError for what was given and does not belong to a game."""
    for name, is_given in given.items():
        if is_given:
            raise InputError(f"{name} does not belong to {variant.name}; leave it out")


def replay(
    variant: Variant | str,
    seed: int,
    *,
    deal: int | None = None,
    game: int | None = None,
    players: int | None = None,
    strategies: str | Strategy | Sequence[str | Strategy] | None = None,
) -> Replayed:
    """Play a deal or a whole game again: the same seed and number always give the same cards.

    Args:
        variant: a variant, its name or the path of its file.
        seed: 0 to 2^64 - 1.
        deal: number of a deal, which is played whole; game: number of a game. One of the two must be given.
        players: how many play; the fewest that the variant allows if left out.
        strategies: one for all, or one for each seat of a deal or person of a game, eldest first.

    Raises:
        InputError: anything that does not exist or is out of range.
    """
    rules = as_variant(variant)
    if isinstance(rules.rules, MeldRules | SnitchRules):
        if (deal is None) == (game is None):
            raise InputError("give the number of a deal or the number of a game, one of the two")
        whole_number("the seed", seed, pegging.GREATEST_SEED)
        number = game if deal is None else deal
        whole_number("the number of the deal or game", number, pegging.GREATEST_NUMBER)
        n = rules.rules.players[0] if players is None else check_players(rules, players)
        at, whole = (seed, int(number or 0), n), game is not None
        if isinstance(rules.rules, MeldRules):
            return melding.replay_melding(
                rules, *at, _minds(strategies or laying.FIRST_MELDER, n, laying.melder), whole
            )
        return sets.replay_sets(rules, *at, _minds(strategies or laying.FIRST_SETTER, n, laying.setter), whole)
    minds = FIRST_STRATEGY if strategies is None else strategies
    return pegging.replay(rules, seed, deal=deal, game=game, players=players, strategies=minds)


def _minds(given: object, players: int, named: Callable[[str], Mind]) -> list[Mind]:
    """One strategy for each seat or person."""
    names = [given] if isinstance(given, str) else list(given)  # type: ignore[call-overload]
    if len(names) not in (1, players):
        raise InputError(f"{players} players need {players} strategies, or one for all; {len(names)} given")
    minds = [named(name) for name in names]
    return minds * players if len(minds) == 1 else minds
