"""Whose cards lie on the table: the turns of a play of which one hand is known, and all cards laid, in order.

Goes need not be written down. A go that is not is said only where it must be, and one that no hand allows is refused:
whoever says go can lay none of the cards that he lays later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from noddysim.engine.games import SEAT_NAMES, PegGame
from noddysim.game.cards import format_card, parse_card, pips, rank_of
from noddysim.game.errors import InputError
from noddysim.kernels import records as rec

GO: Final = "go"
CLOSE: Final = "/"
MOST_PIPS: Final = 10
Token = int | str
"""A card, GO or CLOSE."""


@dataclass(frozen=True)
class Turns:
    """Who has laid what, and the count that meets the one whose turn it is."""

    seats: tuple[int, ...]
    cards: tuple[int, ...]
    count: int


def read_tokens(text: str) -> list[Token]:
    """Cards, ``/`` where a pile is closed, and ``go``, in the order written. Raises InputError."""
    words = text.replace(",", " ").replace(CLOSE, f" {CLOSE} ").split()
    return [word.lower() if word.lower() in (GO, CLOSE) else parse_card(word) for word in words]


@dataclass(frozen=True)
class _State:
    """The table before a turn.

    ``goes`` are the goes said: seat, cards laid before it, and count; ``unsaid`` is how many of them are not written.
    """

    at: int = 0
    seat: int = 0
    count: int = 0
    silent: int = 0
    first_go: int = -1
    last_seat: int = -1
    seats: tuple[int, ...] = ()
    goes: tuple[tuple[int, int, int], ...] = ()
    unsaid: int = 0


class _Reader:
    """Finds all ways in which the cards can have been laid."""

    def __init__(self, game: PegGame, seat: int, hand: Sequence[int], tokens: Sequence[Token]) -> None:
        self.rules: Any = game.rules
        self.n, self.seat, self.tokens = game.players, seat, list(tokens)
        self.hand = list(hand)
        self.names = SEAT_NAMES[game.players]
        self.limit = int(game.rules.limit)
        self.whole = len(hand) == int(game.rules.hand)
        self.faults: list[tuple[int, str]] = []

    def left(self, state: _State, seat: int) -> int:
        return int(self.rules.hand) - state.seats.count(seat)

    def cards(self, state: _State) -> list[int]:
        return [token for token in self.tokens[: state.at] if isinstance(token, int)]

    def held(self, state: _State) -> list[int]:
        """The cards that the known hand still holds when all is laid, or now if it was given whole."""
        laid = set(self.cards(state))
        return [card for card in self.hand if card not in laid]

    def fault(self, state: _State, words: str) -> None:
        self.faults.append((state.at, words))

    def next(self, state: _State) -> Token | None:
        return self.tokens[state.at] if state.at < len(self.tokens) else None

    def ways(self, state: _State) -> Iterator[_State]:
        """All states in which every card is laid and the known hand is to lay the next."""
        token = self.next(state)
        seat = state.seat
        if self.left(state, seat) == 0:
            if sum(self.left(state, other) for other in range(self.n)) == 0:
                self.fault(state, "all cards are laid: there is nothing to choose")
                return
            yield from self.ways_after_silence(replace(state, silent=state.silent + 1), False)
            return
        if token is None and seat == self.seat and self.fits(state, self.held(state)):
            if self.left(state, seat) != len(self.held(state)):
                mine = int(self.rules.hand) - self.left(state, seat)
                self.fault(
                    state,
                    f"the {self.names[seat]} has laid {mine} of {int(self.rules.hand)} cards and holds "
                    f"{len(self.held(state))}",
                )
                return
            if self.goes_hold(state):
                yield state
            return
        if isinstance(token, int):
            yield from self.ways_laying(state, token)
        if state.count + MOST_PIPS > self.limit:
            yield from self.ways_of_go(state, token)
        elif token == GO:
            self.fault(state, f"the {self.names[seat]} cannot say go at {state.count}: any card fits")
        elif token == CLOSE:
            self.fault(state, f"a pile cannot be closed at {state.count}: the {self.names[seat]} can lay any card")
        elif token is None:
            self.fault(
                state, f"after these cards it is the {self.names[seat]}'s turn, not the {self.names[self.seat]}'s"
            )

    def fits(self, state: _State, cards: Sequence[int]) -> bool:
        return any(state.count + pips(rank_of(card)) <= self.limit for card in cards)

    def ways_laying(self, state: _State, card: int) -> Iterator[_State]:
        seat, name = state.seat, self.names[state.seat]
        after = state.count + pips(rank_of(card))
        if after > self.limit:
            step = f"from {state.count} to {after}, past {self.limit}"
            self.fault(state, f"{format_card(card)} does not fit: the count would go {step}")
            return
        mine = card in self.hand
        if self.whole and mine != (seat == self.seat):
            other = "is in the hand given" if mine else "is not in the hand given"
            self.fault(state, f"it is the {name}'s turn to lay {format_card(card)}, which {other}")
            return
        laid = replace(state, at=state.at + 1, count=after, silent=0, last_seat=seat, seats=(*state.seats, seat))
        if after == self.limit:
            yield from self.ways_in_new_pile(laid, at_limit=True)
        else:
            yield from self.ways(replace(laid, seat=(seat + 1) % self.n))

    def ways_of_go(self, state: _State, token: Token | None) -> Iterator[_State]:
        said = token == GO
        went = replace(
            state,
            at=state.at + said,
            unsaid=state.unsaid + (not said),
            silent=state.silent + 1,
            first_go=state.seat if state.first_go < 0 else state.first_go,
            goes=(*state.goes, (state.seat, len(state.seats), state.count)),
        )
        yield from self.ways_after_silence(went, True)

    def ways_after_silence(self, state: _State, stuck: bool) -> Iterator[_State]:
        if state.silent == self.n or (stuck and self.rules.piles == rec.SINGLE_FIRST_STUCK):
            yield from self.ways_in_new_pile(state, at_limit=False)
        else:
            yield from self.ways(replace(state, seat=(state.seat + 1) % self.n))

    def ways_in_new_pile(self, state: _State, at_limit: bool) -> Iterator[_State]:
        if self.rules.piles != rec.MULTI:
            self.fault(state, "the play has ended: there is one pile only")
            return
        seat = (state.last_seat + 1) % self.n
        while self.left(state, seat) == 0 and seat != state.last_seat:
            seat = (seat + 1) % self.n
        if (
            self.rules.first_go_leads
            and state.first_go >= 0
            and not (at_limit and self.left(state, state.first_go) == 0)
        ):
            seat = state.first_go
        closed = state.at + (self.next(state) == CLOSE)
        yield from self.ways(replace(state, at=closed, seat=seat, count=0, silent=0, first_go=-1))

    def goes_hold(self, state: _State) -> bool:
        """Whether nobody who said go could have laid a card: one that he laid later, or holds."""
        cards = self.cards(state)
        for seat, number, count in state.goes:
            later = [card for card, who in zip(cards[number:], state.seats[number:], strict=True) if who == seat]
            for card in [*later, *(self.held(state) if seat == self.seat else [])]:
                if count + pips(rank_of(card)) <= self.limit:
                    self.fault(
                        state, f"the {self.names[seat]} cannot have said go at {count} with {format_card(card)} in hand"
                    )
                    return False
        return True


def turns_of(game: PegGame, seat: int, hand: Sequence[int], tokens: Sequence[Token]) -> Turns:
    """Who has laid each card, if the one in ``seat`` is to lay the next.

    hand : the cards that he still holds, or his whole hand; tokens : as from ``read_tokens``. Raises InputError that
    says what cannot be, or that it is not clear who laid what.
    """
    reader = _Reader(game, seat, hand, tokens)
    found = list(reader.ways(_State()))
    if not found:
        if not reader.faults:
            raise InputError("these cards cannot have been laid so")
        furthest = max(at for at, _ in reader.faults)
        raise InputError(next(words for at, words in reader.faults if at == furthest))
    least = min(state.unsaid for state in found)
    ways = {state.seats: state for state in found if state.unsaid == least}
    if len(ways) > 1:
        raise InputError("it is not clear who laid which card; write go where a player could not lay one")
    (state,) = ways.values()
    return Turns(state.seats, tuple(reader.cards(state)), state.count)
