"""The show of one hand: its points by kind, each combination that makes them, and the mean over the unseen starters.

The points come from the kernel. The combinations are listed by going through the cards, and what they add up to must
be what the kernel says: two ways of counting that have to agree on every hand a user asks about.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from noddysim.engine.games import PegGame, show_game
from noddysim.game.cards import (
    PACK_SIZE,
    RANK_NAMES,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    pips,
    rank_from_text,
    rank_of,
    refuse_repeats,
    suit_of,
)
from noddysim.game.errors import InputError
from noddysim.game.readings import scale_points
from noddysim.game.rules import PeggingRules, Variant, load_variant
from noddysim.kernels import records as rec
from noddysim.kernels.hands import pack
from noddysim.kernels.show import crib_from_rules, show_from_rules, show_part

PARTS: Final = rec.SHOW_KINDS
"""Kinds of points in the show, in the order in which they are printed."""

RED_SUITS: Final = (1, 2)
"""Diamonds and hearts."""

SAME_RANK_NAMES: Final = {2: "pair", 3: "pair-royal", 4: "double-pair-royal"}

Cards = str | Iterable[int | str]
"""Cards as text (``"7H 8C 2D"``), or each as its number or its text."""


@dataclass(frozen=True)
class Combination:
    """Cards of a show that score together, and what they score.

    ``kind`` is fifteen, twentyfive, thirtyone, pair, pair-royal, double-pair-royal, run, flush, nob, jack, deuce (or
    another rank that earns in hand) or a colour; ``part`` is the one of `PARTS` to which the points belong.
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

    def _repr_html_(self) -> str:
        from noddysim.engine.notebook import score_html

        return score_html(self)


def score(
    cards: Cards, starter: int | str | None = None, variant: Variant | str = "noddy", crib: bool = False
) -> ScoreResult:
    """Points of a hand or a crib in the show.

    Args:
        cards: the hand, as many cards as are kept in the variant, or the cards of the crib, in any order.
        starter: the turned card; None for the exact mean over all cards not in the hand.
        variant: a variant, its name or the path of its file.
        crib: count the cards as a crib, where the variant has one.

    Raises:
        InputError: a card that does not exist, a card twice, the wrong number of cards, a variant without a crib.
    """
    rules = as_variant(variant)
    game = show_game(rules)
    if crib and not game.rules.crib:
        raise no_crib(rules)
    hand = read_cards(cards)
    turned = None if starter is None else _read_card(starter)
    refuse_repeats(hand if turned is None else [*hand, turned])
    size = int(game.rules.crib if crib else game.rules.hand)
    if len(hand) != size:
        are = "is" if len(hand) == 1 else "are"
        shown = f"{len(hand)} {are} given: {format_cards(hand)}" if hand else "none is given"
        raise InputError(f"a {'crib' if crib else 'hand'} of {rules.name} has {size} cards; {shown}")
    scored = Scored(rules, game, tuple(hand), crib)
    return _mean_over_starters(scored) if turned is None else _with_starter(scored, turned)


@dataclass(frozen=True)
class Scored:
    """What is counted: cards as a hand or as a crib, by the rules of a game."""

    variant: Variant
    game: PegGame
    hand: tuple[int, ...]
    crib: bool

    def parts(self, starter: int) -> dict[str, int]:
        """Points by kind of the game (``shown_parts``), worked out by the kernel and checked card by card."""
        packed = self.packed(starter)
        found = unpack_show(packed)
        _check_sums(found, self.combinations(starter), self.hand, starter)
        return {name: found[kind] for kind, name in shown_parts(self.variant.pegging).items()}

    def packed(self, starter: int) -> int:
        """Packed points, worked out by the kernel from the rules."""
        hand, rules = pack(self.hand), self.game.rules
        if self.crib:
            return int(crib_from_rules(rules, hand, starter))
        return int(show_from_rules(rules, hand, len(self.hand), starter))

    def combinations(self, starter: int) -> tuple[Combination, ...]:
        """Every combination that scores."""
        return combinations(self.variant.pegging, self.hand, starter, self.crib)


def shown_parts(rules: PeggingRules) -> dict[str, str]:
    """The kinds of points in the show of a game, those of `PARTS`, each with the name it has there.

    Games in which ranks or colours score by themselves call fifteens and their like *sums*, and leave out kinds that
    they do not pay; the others have the five kinds of Noddy.
    """
    show = rules.show
    if not (show.jacks_deuces or show.colours):
        return {kind: kind for kind in PARTS if kind not in ("jacks_deuces", "colours")}
    paid = {"runs": show.run != "off", "flush": show.hand_flush != "off", "nob": show.nob > 0}
    return {kind: "sums" if kind == "fifteens" else kind for kind in PARTS if paid.get(kind, True)}


def as_variant(variant: Variant | str) -> Variant:
    """The variant itself, or the one of this name or path. Raises InputError for one that is not there."""
    if isinstance(variant, Variant):
        return variant
    if not isinstance(variant, str | os.PathLike):
        raise InputError(f"{variant!r:.80} is no variant; give a variant, its name or the path of its file")
    return load_variant(variant)


def no_crib(variant: Variant) -> InputError:
    """The error for a crib where none is laid away."""
    return InputError(f"there is no crib in {variant.name}: its players lay no cards away")


def read_cards(cards: Cards) -> list[int]:
    """Cards of one pack as numbers, in the order given; raises InputError for what is no card of the pack."""
    if not isinstance(cards, Iterable):
        raise InputError(f'{cards!r:.80} is no list of cards; cards are a text such as "7H 8C 2D", or a list of cards')
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


def unpack_show(points: int) -> dict[str, int]:
    """The parts of packed points of a show, by name in the order of `PARTS`."""
    return {kind: int(show_part(points, place)) for place, kind in enumerate(PARTS)}


def _with_starter(scored: Scored, starter: int) -> ScoreResult:
    parts = scored.parts(starter)
    total = sum(parts.values())
    return ScoreResult(
        variant=scored.variant.name,
        hand=tuple(map(format_card, scored.hand)),
        starter=format_card(starter),
        crib=scored.crib,
        parts=parts,
        total=total,
        combinations=scored.combinations(starter),
        cases=1,
        exact_mean=Fraction(total),
        counts={total: 1},
    )


def _mean_over_starters(scored: Scored) -> ScoreResult:
    starters = [card for card in range(PACK_SIZE) if card not in scored.hand]
    each = [scored.parts(starter) for starter in starters]
    totals = [sum(parts.values()) for parts in each]
    cases = len(starters)
    return ScoreResult(
        variant=scored.variant.name,
        hand=tuple(map(format_card, scored.hand)),
        starter=None,
        crib=scored.crib,
        parts={kind: sum(parts[kind] for parts in each) / cases for kind in each[0]},
        total=None,
        combinations=(),
        cases=cases,
        exact_mean=Fraction(sum(totals), cases),
        counts={points: totals.count(points) for points in sorted(set(totals))},
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


def combinations(rules: PeggingRules, hand: Sequence[int], starter: int, crib: bool = False) -> tuple[Combination, ...]:
    """Every combination that scores in a hand or crib, by kind in the order of `PARTS`; the starter stands last."""
    cards = [*sorted(hand), starter]
    found = [*_sums(rules, cards), *_pairs(rules, cards), *_runs(rules, cards)]
    found += [*(_crib_flush if crib else _flush)(rules, hand, starter), *_nob(rules, hand, starter)]
    if not crib:
        found += [*_honours(rules, hand, starter), *_colours(rules, cards)]
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


def _crib_flush(rules: PeggingRules, crib: Sequence[int], starter: int) -> list[Combination]:
    """All cards of the crib in one suit, with or, where only that counts, not without the starter."""
    kind = rules.show.crib_flush
    matches = suit_of(starter) == suit_of(crib[0])
    least = len(crib) + 1 if kind == "five" else 3
    suited = [*sorted(crib), starter] if matches else sorted(crib)
    if kind == "off" or len({suit_of(card) for card in crib}) > 1 or len(suited) < max(3, least):
        return []
    return [_made("flush", "flush", suited, scale_points(rules.show.flush, len(suited)))]


def _nob(rules: PeggingRules, hand: Sequence[int], starter: int) -> list[Combination]:
    jacks = [card for card in hand if format_card(card)[0] == "J" and suit_of(card) == suit_of(starter)]
    return [_made("nob", "nob", (jack, starter), rules.show.nob) for jack in jacks]


def _honours(rules: PeggingRules, hand: Sequence[int], starter: int) -> list[Combination]:
    """Ranks that earn by being held, more in the starter's suit."""
    found = []
    for entry in rules.show.jacks_deuces:
        name = RANK_NAMES[rank_from_text(entry.rank)]
        for card in sorted(card for card in hand if rank_of(card) == rank_from_text(entry.rank)):
            suited = suit_of(card) == suit_of(starter)
            found.append(_made(name, "jacks_deuces", (card,), entry.suited if suited else entry.points))
    return found


def _colours(rules: PeggingRules, cards: Sequence[int]) -> list[Combination]:
    """The best of the colours that the hand and the starter make."""
    if not rules.show.colours:
        return []
    three_colour, three_suit, four_two_two, four_three_one, four_suit = rules.show.colours
    by_colour = [[card for card in cards if (suit_of(card) in RED_SUITS) == red] for red in (True, False)]
    colour = max(by_colour, key=len)
    longest = max(sum(suit_of(card) == suit for card in colour) for suit in range(4))
    if len(colour) == 3:
        points = three_suit if longest == 3 else three_colour
    else:
        points = {2: four_two_two, 3: four_three_one, 4: four_suit}.get(longest, 0) if len(colour) == 4 else 0
    return [_made("colours", "colours", colour, points)]
