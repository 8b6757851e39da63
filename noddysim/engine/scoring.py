"""The show of one hand: its points by kind, each combination that makes them, and the mean over the unseen starters.

The points come from the kernel. The combinations are listed by going through the cards, and what they add up to must
be what the kernel says: two ways of counting that have to agree on every hand a user asks about.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from noddysim.engine.games import PegGame, peg_game
from noddysim.game.cards import (
    PACK_SIZE,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    pips,
    rank_of,
    refuse_repeats,
    suit_of,
)
from noddysim.game.errors import InputError
from noddysim.game.readings import scale_points
from noddysim.game.rules import PeggingRules, Variant, load_variant
from noddysim.kernels import records as rec
from noddysim.kernels.show import show_from_rules

PARTS: Final = rec.SHOW_KINDS
"""Kinds of points in the show, in the order in which they are printed."""

SAME_RANK_NAMES: Final = {2: "pair", 3: "pair-royal", 4: "double-pair-royal"}

Cards = str | Iterable[int | str]
"""Cards as text (``"7H 8C 2D"``), or each as its number or its text."""


@dataclass(frozen=True)
class Combination:
    """Cards of a show that score together, and what they score.

    ``kind`` is fifteen, twentyfive, thirtyone, pair, pair-royal, double-pair-royal, run, flush or nob; ``part`` is the
    one of `PARTS` to which the points belong.
    """

    kind: str
    part: str
    cards: tuple[str, ...]
    points: int


@dataclass(frozen=True)
class ScoreResult:
    """The show of a hand with its starter, or its exact mean over all starters it leaves unseen.

    With a starter ``parts`` holds whole points by kind, ``total`` their sum, ``combinations`` what makes them, and
    ``cases`` is 1. Without one ``total`` is None, ``parts`` holds means, and ``counts`` says how many of the ``cases``
    starters give each number of points.
    """

    variant: str
    hand: tuple[str, ...]
    starter: str | None
    crib: bool
    parts: Mapping[str, float]
    total: int | None
    combinations: tuple[Combination, ...]
    cases: int
    exact_mean: Fraction
    counts: Mapping[int, int]

    @property
    def mean(self) -> float:
        """Mean points over the cases; the total itself where the starter is known."""
        return float(self.exact_mean)

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        given = {"variant": self.variant, "hand": list(self.hand), "starter": self.starter, "crib": self.crib}
        if self.total is not None:
            return {**given, "parts": dict(self.parts), "total": self.total}
        return {
            **given,
            "cases": self.cases,
            "mean": self.mean,
            "mean_exact": str(self.exact_mean),
            "parts": dict(self.parts),
            "counts": {str(points): number for points, number in self.counts.items()},
        }


def score(
    cards: Cards, starter: int | str | None = None, variant: Variant | str = "noddy", crib: bool = False
) -> ScoreResult:
    """Points of a hand in the show.

    Args:
        cards: the hand, as many cards as the variant deals, in any order.
        starter: the turned card; None for the exact mean over all cards not in the hand.
        variant: a variant, its name or the path of its file.
        crib: count the cards as a crib. No pegging variant has one yet, so this is refused.

    Raises:
        InputError: a card that does not exist, a card twice, the wrong number of cards, a variant without a crib.
    """
    rules = as_variant(variant)
    if crib:
        raise no_crib(rules)
    hand = read_cards(cards)
    turned = None if starter is None else _read_card(starter)
    refuse_repeats(hand if turned is None else [*hand, turned])
    if len(hand) != rules.rules.hand:
        shown = f"{len(hand)} are given: {format_cards(hand)}" if hand else "none is given"
        raise InputError(f"a hand of {rules.name} has {rules.rules.hand} cards; {shown}")
    game = peg_game(rules, rules.rules.players[0])
    if turned is None:
        return _mean_over_starters(rules, game, hand)
    return _with_starter(rules, game, hand, turned)


def as_variant(variant: Variant | str) -> Variant:
    """The variant itself, or the one of this name or path. Raises InputError for one that is not there."""
    return variant if isinstance(variant, Variant) else load_variant(variant)


def no_crib(variant: Variant) -> InputError:
    """The error for a crib where none is laid away."""
    return InputError(f"there is no crib in {variant.name}: its players lay no cards away")


def read_cards(cards: Cards) -> list[int]:
    """Cards of one pack as numbers, in the order given; raises InputError for what is no card of the pack."""
    found = parse_cards(cards) if isinstance(cards, str) else [_read_card(card) for card in cards]
    for card in found:
        _refuse_joker(card)
    return found


def _read_card(card: int | str) -> int:
    if isinstance(card, str):
        number = parse_card(card)
        _refuse_joker(number)
        return number
    if isinstance(card, bool) or not isinstance(card, int | np.integer) or not 0 <= card < PACK_SIZE:
        raise InputError(f"no such card: {card!r}; a card is a text such as 5H, or a whole number from 0 to 51")
    return int(card)


def _refuse_joker(card: int) -> None:
    if card >= PACK_SIZE:
        raise InputError(f"card {format_card(card)}: there is no joker in this pack of 52")


# --- the points -----------------------------------------------------------------------------------------------------


def hand_parts(game: PegGame, hand: Sequence[int], starter: int) -> dict[str, int]:
    """Points of a hand with its starter by kind (`PARTS`), worked out by the kernel from the rules."""
    points = int(show_from_rules(game.rules, np.array(hand, np.int64), len(hand), starter))
    return unpack_show(points)


def unpack_show(points: int) -> dict[str, int]:
    """The parts of packed points of a show, by name in the order of `PARTS`."""
    parts = zip(PARTS, rec.SHOW_SHIFT, strict=True)
    return {kind: points >> shift & rec.SHOW_MASK for kind, shift in parts}


def _with_starter(variant: Variant, game: PegGame, hand: list[int], starter: int) -> ScoreResult:
    parts = hand_parts(game, hand, starter)
    found = combinations(variant.rules, hand, starter)
    _check_sums(parts, found, hand, starter)
    total = sum(parts.values())
    return ScoreResult(
        variant=variant.name,
        hand=tuple(map(format_card, hand)),
        starter=format_card(starter),
        crib=False,
        parts=parts,
        total=total,
        combinations=found,
        cases=1,
        exact_mean=Fraction(total),
        counts={total: 1},
    )


def _mean_over_starters(variant: Variant, game: PegGame, hand: list[int]) -> ScoreResult:
    sums = dict.fromkeys(PARTS, 0)
    counts: dict[int, int] = {}
    starters = [card for card in range(PACK_SIZE) if card not in hand]
    for starter in starters:
        parts = hand_parts(game, hand, starter)
        _check_sums(parts, combinations(variant.rules, hand, starter), hand, starter)
        for kind, points in parts.items():
            sums[kind] += points
        total = sum(parts.values())
        counts[total] = counts.get(total, 0) + 1
    cases = len(starters)
    return ScoreResult(
        variant=variant.name,
        hand=tuple(map(format_card, hand)),
        starter=None,
        crib=False,
        parts={kind: points / cases for kind, points in sums.items()},
        total=None,
        combinations=(),
        cases=cases,
        exact_mean=Fraction(sum(sums.values()), cases),
        counts=dict(sorted(counts.items())),
    )


def _check_sums(parts: Mapping[str, int], found: Iterable[Combination], hand: Sequence[int], starter: int) -> None:
    listed = dict.fromkeys(PARTS, 0)
    for combination in found:
        listed[combination.part] += combination.points
    if listed != dict(parts):
        raise RuntimeError(
            f"{format_cards(hand)} with {format_card(starter)}: the kernel counts {dict(parts)}, "
            f"the combinations add up to {listed}"
        )


# --- the combinations -----------------------------------------------------------------------------------------------


def combinations(rules: PeggingRules, hand: Sequence[int], starter: int) -> tuple[Combination, ...]:
    """Every combination that scores in the show, by kind in the order of `PARTS`; the starter stands last."""
    cards = [*sorted(hand), starter]
    found = [*_sums(rules, cards), *_pairs(rules, cards), *_runs(rules, cards)]
    found += [*_flush(rules, hand, starter), *_nob(rules, hand, starter)]
    return tuple(combination for combination in found if combination.points)


def _made(kind: str, part: str, cards: Iterable[int], points: int) -> Combination:
    return Combination(kind, part, tuple(map(format_card, cards)), points)


def _sums(rules: PeggingRules, cards: Sequence[int]) -> list[Combination]:
    """Fifteens, and twenty-fives and thirty-ones where the show pays them; fewer cards first."""
    show = rules.show
    worth = {15: ("fifteen", show.fifteen), 25: ("twentyfive", show.twentyfive), 31: ("thirtyone", show.thirtyone)}
    found = []
    for size in range(2, len(cards) + 1):
        for chosen in itertools.combinations(cards, size):
            total = sum(pips(rank_of(card)) for card in chosen)
            if total in worth:
                kind, points = worth[total]
                found.append(_made(kind, "fifteens", chosen, size if points == "per_card" else int(points)))
    return found


def _by_rank(cards: Iterable[int]) -> dict[int, list[int]]:
    held: dict[int, list[int]] = {}
    for card in cards:
        held.setdefault(rank_of(card), []).append(card)
    return dict(sorted(held.items()))


def _pairs(rules: PeggingRules, cards: Sequence[int]) -> list[Combination]:
    groups = [group for group in _by_rank(cards).values() if len(group) > 1]
    worth = rules.show.same_rank
    return [_made(SAME_RANK_NAMES[len(group)], "pairs", group, worth[len(group) - 2]) for group in groups]


def _runs(rules: PeggingRules, cards: Sequence[int]) -> list[Combination]:
    """The longest runs; each choice of cards is a run of its own unless the rules count it once."""
    held = _by_rank(cards)
    stretches: list[list[int]] = []
    for rank in held:
        if stretches and stretches[-1][-1] == rank - 1:
            stretches[-1].append(rank)
        else:
            stretches.append([rank])
    longest = max(map(len, stretches))
    if longest < 3:
        return []
    points = scale_points(rules.show.run, longest)
    found = []
    for stretch in (stretch for stretch in stretches if len(stretch) == longest):
        ways = list(itertools.product(*(held[rank] for rank in stretch)))
        if rules.show.run_multiplicity == "once":
            ways = ways[:1]
        found += [_made("run", "runs", way, points) for way in ways]
    return found


def _flush(rules: PeggingRules, hand: Sequence[int], starter: int) -> list[Combination]:
    kind = rules.show.hand_flush
    suit = max(range(4), key=lambda suit: sum(suit_of(card) == suit for card in hand))
    suited = sorted(card for card in hand if suit_of(card) == suit)
    whole = len(suited) == len(hand)
    if kind == "off" or len(suited) < 3 or (kind == "whole" and not whole):
        return []
    if suit_of(starter) == suit and (kind != "groves" or (whole and len(hand) > 3)):
        suited.append(starter)
    return [_made("flush", "flush", suited, scale_points(rules.show.flush, len(suited)))]


def _nob(rules: PeggingRules, hand: Sequence[int], starter: int) -> list[Combination]:
    jacks = [card for card in hand if format_card(card)[0] == "J" and suit_of(card) == suit_of(starter)]
    return [_made("nob", "nob", (jack, starter), rules.show.nob) for jack in jacks]
