"""Deals and games card by card, for people to read: what was dealt and laid, and what it scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

EVENT_KINDS: Final = (
    "fifteen", "twentyfive", "thirtyone", "pair", "pair-royal", "double-pair-royal", "run", "flush", "last",
)  # fmt: skip
"""What a card laid can score for. ``last`` is the last card of a pile, and what some rules add to a thirty-one."""


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
