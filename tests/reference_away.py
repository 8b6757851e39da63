"""The honest twin, before the play: which cards are laid away, and whether a card is exchanged (mogging).

A *way* is one thing a player can do: which cards go out of his hand and which he keeps. A policy is a stack of levels
like a strategy's; it compares whole ways. Everything here is decided before a point is scored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

from reference_cards import (
    RANK_LETTERS,
    Dealt,
    Rules,
    Strategy,
    by_players,
    draw,
    millionths,
    rank,
    sides_of,
    suit,
)
from reference_points import honour_points, length_points, ranks_alone, show

# What a strategy does that says nothing of laying away or of mogging.
KEEP_BEST_CRIB: Strategy = {"levels": [{"weights": {"hand": 1, "crib": 1}}], "ties": "random"}
MOG_GAIN: Strategy = {"levels": [{"weights": {"hand": 1, "peg": 1}}], "ties": "low"}

DISCARD_MOMENT, MOG_MOMENT = 255, 254
THOUSAND = 1000


# ---------------------------------------------------------------------------------------------------------------------
# Choosing a way


@dataclass(frozen=True)
class Way:
    """Cards that go out of the hand, and those that stay in it, both in the order of the sorted hand."""

    out: tuple[int, ...]
    kept: tuple[int, ...]


@dataclass(frozen=True)
class Question:
    """What a player is asked before the play, and all he knows: his cards, and the starter if it is turned already.

    ``holds`` are the words of levels that speak to him: ``any``, and whose the crib is or whether he is asked first.
    """

    rules: Rules
    cards: Sequence[int]
    seat: int
    holds: Collection[str]
    key: int
    moment: int
    starter: int | None = None

    @cached_property
    def unseen(self) -> list[int]:
        """The cards he has not seen."""
        seen = [*self.cards] if self.starter is None else [*self.cards, self.starter]
        return [card for card in range(52) if card not in seen]


Feature = Callable[[str, Way, Question], int]


def best_way(policy: Strategy, ways: Sequence[Way], question: Question, feature: Feature) -> Way:
    """The way a policy takes: level after level keeps the best ways, then a tie is broken."""
    for level in policy["levels"]:
        if level.get("when", "any") not in question.holds:
            continue
        values = [way_value(level, way, question, feature) for way in ways]
        best = max(values)
        ways = [way for way, value in zip(ways, values, strict=True) if value == best]
        if level.get("final") is not None:
            return part_ways(level["final"], ways, question)
    return part_ways(policy["ties"], ways, question)


def way_value(level: Mapping[str, Any], way: Way, question: Question, feature: Feature) -> int:
    """What one level thinks of a way, in whole numbers.

    All is multiplied through by the number of unseen cards and by a thousand, so that neither a mean over unseen cards
    nor the thousandths of a point in a table of cribs leave a fraction.
    """
    scale = len(question.unseen) * THOUSAND
    value = sum(millionths(weight) * feature(name, way, question) for name, weight in level.get("weights", {}).items())
    for letter, weight in level.get("ranks", {}).items():
        kept = sum(1 for card in way.kept if rank(card) == RANK_LETTERS.index(letter))
        value += millionths(weight) * scale * kept
    return value


def part_ways(how: str, ways: Sequence[Way], question: Question) -> Way:
    """One of the ways that are equally good: the first in order, the last, or any by the choice word."""
    if how == "low":
        return ways[0]
    if how == "high":
        return ways[-1]
    if how != "random":
        raise ValueError(f"no such way to break a tie: {how}")
    return ways[draw(question.key, question.seat, question.moment, len(ways))]


# ---------------------------------------------------------------------------------------------------------------------
# Laying away


def ways_to_lay_away(cards: Sequence[int], number: int) -> list[Way]:
    """Every choice of so many places of the sorted hand, the first places first."""
    hand = sorted(cards)
    return [
        Way(out, tuple(card for card in hand if card not in out))
        for out in combinations(hand, number)  # the order of the places is that of the cards: the hand is sorted
    ]


def lay_away(policy: Strategy, cards: Sequence[int], seat: int, players: int, rules: Rules, key: int) -> Way:
    """What a seat lays away of the cards it was dealt; the starter is not turned yet."""
    holds = {"any"}
    if rules.get("crib", False):
        holds.add("own" if is_dealers_side(seat, players, rules) else "theirs")
    question = Question(rules, cards, seat, holds, key, DISCARD_MOMENT)
    ways = ways_to_lay_away(cards, by_players(rules, "discard", players))
    return best_way(policy, ways, question, discard_feature)


def is_dealers_side(seat: int, players: int, rules: Rules) -> bool:
    """Whether a seat is the dealer's, who sits last, or his partner's."""
    sides = sides_of(rules, players)
    return seat % sides == (players - 1) % sides


def discard_feature(name: str, way: Way, question: Question) -> int:
    """One feature of a way to lay away, times the number of unseen cards and a thousand."""
    if name == "hand":
        shows = [show(way.kept, starter, question.rules)["total"] for starter in question.unseen]
        return THOUSAND * sum(shows)
    if name == "crib":
        return len(question.unseen) * mean_crib(way.out, question)
    return len(question.unseen) * THOUSAND * cards_alone(name, way, question.rules["show"])


def cards_alone(name: str, way: Way, show_rules: Rules) -> int:
    """Points that the cards kept, or those laid away, make by themselves without a starter."""
    kept = dict(zip(("fifteens", "pairs", "runs"), ranks_alone(way.kept, show_rules), strict=True))
    if name in kept:
        return kept[name]
    if name == "flush":
        return flush_alone(way.kept, show_rules)
    away = dict(zip(("away_fifteens", "away_pairs"), ranks_alone(way.out, show_rules), strict=False))
    if name in away:
        return away[name]
    raise ValueError(f"no such feature of laying away: {name}")


def flush_alone(cards: Sequence[int], show_rules: Rules) -> int:
    """Points for all these cards being of one suit; none where the show pays no flush of a hand."""
    if show_rules["hand_flush"] == "off" or len({suit(card) for card in cards}) != 1:
        return 0
    return length_points(show_rules["flush"], len(cards))


def mean_crib(out: Sequence[int], question: Question) -> int:
    """The mean crib with these cards in it, in thousandths of a point; less than nought if it is the other side's.

    Without a crib it is nought. ``rules["cribs"]`` holds the means by ranks, the lower rank first; a ValueError says
    that it is missing.
    """
    if not question.rules.get("crib", False):
        return 0
    if "cribs" not in question.rules:
        raise ValueError("to weigh the crib, the rules must bring the table of mean cribs as cribs")
    low, high = rank(out[0]), rank(out[1]) if len(out) == 2 else 0
    if "own" in question.holds:
        return int(question.rules["cribs"]["own"][low][high])
    return -int(question.rules["cribs"]["theirs"][low][high])


# ---------------------------------------------------------------------------------------------------------------------
# Mogging


def ways_to_mog(cards: Sequence[int]) -> list[Way]:
    """To stay, then to pass each card, the lowest first."""
    hand = sorted(cards)
    passing = [Way((card,), tuple(other for other in hand if other != card)) for card in hand]
    return [Way((), tuple(hand)), *passing]


def answer_mog(
    policy: Strategy, cards: Sequence[int], starter: int, seat: int, first: bool, rules: Rules, key: int
) -> Way:
    """What a seat does when asked for a card, first or second; the starter lies turned."""
    holds = {"any", "offer" if first else "answer"}
    question = Question(rules, cards, seat, holds, key, MOG_MOMENT, starter)
    return best_way(policy, ways_to_mog(cards), question, mog_feature)


def mog_feature(name: str, way: Way, question: Question) -> int:
    """One feature of staying or of passing a card, times the number of unseen cards and a thousand."""
    if name == "hand":
        return THOUSAND * hand_after_mog(way, question)
    mog, show_rules, starter = question.rules["mog"], question.rules["show"], turned(question)
    stays = not way.out
    if name == "peg":
        value = -int(mog["refusal"]) if stays else giver_points(way.out[0], starter, question.rules)
    elif name == "gift":
        value = 0 if stays or mog["bonus"] == "giver" else honour_points(way.out[0], starter, show_rules)
    elif name == "stay":
        value = int(stays)
    else:
        raise ValueError(f"no such feature of mogging: {name}")
    return len(question.unseen) * THOUSAND * value


def turned(question: Question) -> int:
    """The starter, which lies turned when cards are exchanged."""
    if question.starter is None:
        raise ValueError("in mogging the starter is known")
    return question.starter


def hand_after_mog(way: Way, question: Question) -> int:
    """The show of the hand, added up over all cards that may come for the one passed (staying: as often the same)."""
    starter = turned(question)
    if not way.out:
        return len(question.unseen) * show(way.kept, starter, question.rules)["total"]
    total = 0
    for card in question.unseen:
        barren = card if giver_takes_it(question.rules) else None
        total += show([*way.kept, card], starter, question.rules, barren)["total"]
    return total


def giver_takes_it(rules: Rules) -> bool:
    """Whether the points of a card passed are the giver's only, and not the taker's."""
    return bool(rules["mog"]["bonus"] == "giver")


def giver_points(card: int, starter: int, rules: Rules) -> int:
    """What the giver pegs at once for a card he passes."""
    return 0 if rules["mog"]["bonus"] == "taker" else honour_points(card, starter, rules["show"])


# ---------------------------------------------------------------------------------------------------------------------
# All that comes before the play


@dataclass(frozen=True)
class Prepared:
    """The cards as they are when the play begins.

    ``hands`` are kept, ``crib`` is all of it (empty where there is none), ``away`` what each seat laid away, ``given``
    and ``taken`` the card each seat passed on and received. ``asked`` are the questions of the mogging and their
    answers, as seat and way; ``pegged`` the awards it brings, as seat and points.
    """

    hands: list[list[int]]
    crib: list[int]
    away: list[list[int]]
    given: list[int | None]
    taken: list[int | None]
    asked: list[tuple[int, Way]] = field(default_factory=list)
    pegged: list[tuple[int, int]] = field(default_factory=list)

    @property
    def put_out(self) -> list[list[int]]:
        """What each seat knows to be gone, because it held it: cards laid away, a card passed on."""
        passed = [[] if card is None else [card] for card in self.given]
        return [[*away, *card] for away, card in zip(self.away, passed, strict=True)]


def as_they_are(hands: Sequence[Sequence[int]], crib: Sequence[int] = ()) -> Prepared:
    """Hands from which nothing more is laid away or passed on, with a crib if there is one."""
    nothing: list[int | None] = [None] * len(hands)
    return Prepared([list(hand) for hand in hands], list(crib), [[] for _ in hands], nothing, nothing)


def prepare(cards: Dealt, rules: Rules, strategies: Sequence[Strategy], key: int) -> Prepared:
    """Lay away, or mog, each seat by its strategy; where the rules know neither, the hands stay as dealt."""
    if by_players(rules, "discard", len(cards.hands)):
        return all_lay_away(cards, rules, strategies, key)
    if rules.get("mog", {}).get("exchange", "off") != "off":
        return mogging(cards, rules, strategies, key)
    return as_they_are(cards.hands)


def all_lay_away(cards: Dealt, rules: Rules, strategies: Sequence[Strategy], key: int) -> Prepared:
    """Every seat lays cards away; they are the crib, with what was dealt to it, or nobody's."""
    players = len(cards.hands)
    ways = [
        lay_away(discard_policy(strategies[seat]), hand, seat, players, rules, key)
        for seat, hand in enumerate(cards.hands)
    ]
    crib = [*cards.crib, *(card for way in ways for card in way.out)] if rules.get("crib", False) else []
    nothing: list[int | None] = [None] * players
    return Prepared([list(way.kept) for way in ways], crib, [list(way.out) for way in ways], nothing, nothing)


def mogging(cards: Dealt, rules: Rules, strategies: Sequence[Strategy], key: int) -> Prepared:
    """Two players may exchange a card: one is asked, and if he offers, the other; who declines pays for it."""
    prepared = as_they_are(cards.hands)
    first = {"elder": 0, "dealer": 1}[rules["mog"]["first"]]
    for seat, other in ((first, 1 - first), (1 - first, first)):
        way = answer_mog(
            mog_policy(strategies[seat]), cards.hands[seat], cards.starter, seat, seat == first, rules, key
        )
        prepared.asked.append((seat, way))
        if not way.out:
            prepared.pegged.append((other, int(rules["mog"]["refusal"])))
            return prepared
    return exchange(prepared, cards.starter, rules)


def exchange(prepared: Prepared, starter: int, rules: Rules) -> Prepared:
    """Both pass their card at the same moment; what the givers peg is pegged elder first."""
    ways = [way for _, way in sorted(prepared.asked, key=lambda asked: asked[0])]
    given: list[int | None] = [way.out[0] for way in ways]
    taken = given[::-1]
    hands = [sorted([*way.kept, *other.out]) for way, other in zip(ways, ways[::-1], strict=True)]
    pegged = [(seat, giver_points(way.out[0], starter, rules)) for seat, way in enumerate(ways)]
    return Prepared(hands, [], prepared.away, given, taken, prepared.asked, [one for one in pegged if one[1]])


def discard_policy(strategy: Strategy) -> Strategy:
    """How a strategy lays away."""
    policy: Strategy = strategy.get("discard", KEEP_BEST_CRIB)
    return policy


def mog_policy(strategy: Strategy) -> Strategy:
    """How a strategy mogs."""
    policy: Strategy = strategy.get("mog", MOG_GAIN)
    return policy
