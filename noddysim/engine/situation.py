"""A choice that somebody asks about: what he sees, checked against the rules.

The words of an asker (cards, seats, scores) become plain values here; nothing that cannot happen at a table gets past.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noddysim.engine.games import SEAT_NAMES, PegGame, check_players, show_game
from noddysim.engine.table import whole_number
from noddysim.engine.turns import read_tokens, turns_of
from noddysim.game.cards import format_cards, parse_cards, refuse_repeats
from noddysim.game.errors import InputError
from noddysim.game.rules import Variant
from noddysim.kernels.rollout import AWAY, LAY, MOG


@dataclass(frozen=True)
class Asked:
    """A question as it was written. ``scores`` are those that stand now, the eldest's first."""

    seat: str
    hand: str
    starter: str | None = None
    laid: str = ""
    away: str = ""
    scores: Sequence[int] | None = None
    mog: bool = False


@dataclass(frozen=True)
class Situation:
    """A choice in a game of the pegging family, as its chooser sees it.

    ``kind`` is LAY, AWAY or MOG (``kernels.rollout``); ``hand`` the cards that he can choose among, lowest first;
    ``starter`` None before it is turned; ``laid`` and ``seats`` the cards laid and who laid them; ``mine`` those among
    them that are his; ``away`` what he has laid away, if he said; ``scores`` by side.
    """

    variant: Variant
    players: int
    seat: int
    kind: int
    hand: tuple[int, ...]
    starter: int | None
    laid: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    count: int = 0
    away: tuple[int, ...] = ()
    scores: tuple[int, ...] | None = None

    @property
    def mine(self) -> tuple[int, ...]:
        """Cards that the chooser has laid, in order."""
        return tuple(card for card, seat in zip(self.laid, self.seats, strict=True) if seat == self.seat)

    @property
    def seen(self) -> frozenset[int]:
        """All cards that he knows."""
        turned = () if self.starter is None else (self.starter,)
        return frozenset((*self.hand, *self.laid, *self.away, *turned))


def situation(variant: Variant, asked: Asked, players: int | None = None) -> Situation:
    """A question of the pegging family as values. Raises InputError that names what cannot be, and what would be."""
    n = variant.rules.players[0] if players is None else check_players(variant, players)
    game = show_game(variant, n)
    seat = seat_number(asked.seat, n)
    hand = parse_cards(asked.hand)
    if not hand:
        raise InputError('no card is held; give the hand as --hand "5H KD KC"')
    tokens = read_tokens(asked.laid)
    laid = [token for token in tokens if isinstance(token, int)]
    away = parse_cards(asked.away)
    starter = _one_card(asked.starter)
    refuse_repeats([*hand, *away, *([] if starter is None else [starter])])
    refuse_repeats([*laid, *away, *([] if starter is None else [starter])])
    whole = len(hand) == int(game.rules.hand)
    if not whole:
        refuse_repeats([*hand, *laid])
    kind = _kind(game, variant, asked, hand)
    scores = None if asked.scores is None else scores_by_side(asked.scores, game, variant)
    given = Situation(variant, n, seat, kind, tuple(sorted(hand)), starter, away=tuple(sorted(away)), scores=scores)
    if kind == AWAY:
        return _before_play(given, game, tokens or away, "cards are laid away before the starter is turned")
    if starter is None:
        raise InputError("the starter is missing; give the turned card with --starter, for example --starter 8S")
    if kind == MOG:
        if tokens:
            raise InputError("the exchange comes before the first card; leave --laid out, or --mog")
        return given
    if away and len(away) != int(game.rules.discard):
        raise InputError(f"{int(game.rules.discard)} cards are laid away in {variant.name}; {len(away)} given")
    turns = turns_of(game, seat, hand, tokens)
    held = tuple(sorted(set(hand) - set(turns.cards)))
    return Situation(
        variant, n, seat, LAY, held, starter, turns.cards, turns.seats, turns.count, tuple(sorted(away)), scores
    )


def _before_play(given: Situation, game: PegGame, other: object, reason: str) -> Situation:
    if other or given.starter is not None:
        raise InputError(f"{reason}: a hand of {int(game.rules.dealt)} cards goes with nothing else")
    return given


def _one_card(text: str | None) -> int | None:
    if text is None:
        return None
    cards = parse_cards(text)
    if len(cards) != 1:
        raise InputError(f"one card is the starter; {format_cards(cards) or 'none'} given")
    return cards[0]


def _kind(game: PegGame, variant: Variant, asked: Asked, hand: Sequence[int]) -> int:
    """What is to be chosen, by the size of the hand."""
    rules = game.rules
    size, dealt = int(rules.hand), int(rules.dealt)
    if asked.mog:
        if not rules.mog:
            raise InputError(f"{variant.name}: no card is exchanged; leave --mog out")
        if len(hand) != size:
            raise InputError(f"the exchange is chosen with {size} cards in hand; {len(hand)} given")
        return MOG
    if len(hand) > size:
        if len(hand) == dealt:
            return AWAY
        sizes = f"{size} cards" if dealt == size else f"{size} cards, {dealt} before some are laid away"
        raise InputError(f"a hand of {variant.name} has {sizes}; {len(hand)} given: {format_cards(hand)}")
    return LAY


def seat_number(name: str, players: int) -> int:
    """The number of a seat by its name, from 0 for the eldest. Raises InputError naming the seats there are."""
    names = SEAT_NAMES[players]
    known = {**{one: place for place, one in enumerate(names)}, "eldest": 0}
    if players == 2:
        known["pone"] = 0
    if name.lower() not in known:
        raise InputError(f"no seat of {players} players is called {name!r}; seats are {', '.join(names)}")
    return known[name.lower()]


def scores_by_side(scores: Sequence[int], game: PegGame, variant: Variant) -> tuple[int, ...]:
    """Scores given by seat, or by side, as scores by side. Raises InputError for any that no game has."""
    sides, players, target = game.sides, game.players, variant.rules.target
    if len(scores) not in (players, sides):
        raise InputError(f"{players} players have {sides} scores, the eldest's first; {len(scores)} given")
    for name, score in zip(SEAT_NAMES[players], scores, strict=False):
        whole_number(f"the score of the {name}, below the target,", score, target - 1)
    if tuple(scores[:sides]) * (len(scores) // sides) != tuple(scores):
        raise InputError("partners share one score: the first and third must be equal, and the second and fourth")
    return tuple(map(int, scores[:sides]))
