"""What can be counted instead of sampled: every hand of the show with every starter, and facts that follow from it.

All values are whole numbers or fractions. ``FACTS`` names the facts that the claims of the project rest on; each is
computed when it is asked for, none is written down here.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from noddysim.engine.exactgame import game as game
from noddysim.engine.exactplay import best as best
from noddysim.engine.exactplay import play as play
from noddysim.engine.exactseats import play_of_three as play_of_three
from noddysim.engine.games import PegGame, show_game
from noddysim.engine.scoring import PARTS, as_variant, no_crib, score, shown_parts
from noddysim.game.cards import PACK_SIZE, RANKS, rank_from_text
from noddysim.game.errors import InputError
from noddysim.game.rules import Variant
from noddysim.kernels import records as rec
from noddysim.kernels.hands import pack
from noddysim.kernels.pegging import heels, pick_up
from noddysim.kernels.show import count_every_show, show_points

SUITS_IN_PACK: Final = 4


# --- every show -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ShowDistribution:
    """Every hand with every starter, counted by points.

    ``counts[p]`` is the number of the ``cases`` that score p points, with noughts up to the greatest score;
    ``parts[kind][p]`` the same for the points of one kind of the show.
    """

    variant: str
    cases: int
    counts: Mapping[int, int]
    parts: Mapping[str, Mapping[int, int]]

    @property
    def exact_mean(self) -> Fraction:
        """Mean points of a hand."""
        return _mean(self.counts)

    @property
    def mean(self) -> float:
        """Mean points of a hand, as the nearest float."""
        return float(self.exact_mean)

    @property
    def variance(self) -> Fraction:
        """Variance of the points of a hand."""
        squares = sum(points * points * number for points, number in self.counts.items())
        return Fraction(squares, self.cases) - self.exact_mean**2

    @property
    def mean_parts(self) -> dict[str, Fraction]:
        """Mean points of each kind; they add up to the mean."""
        return {kind: _mean(counts) for kind, counts in self.parts.items()}

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        return {
            "variant": self.variant,
            "cases": self.cases,
            "counts": {str(points): number for points, number in self.counts.items()},
            "mean": self.mean,
            "mean_exact": str(self.exact_mean),
            "parts": {kind: float(mean) for kind, mean in self.mean_parts.items()},
        }

    def _repr_html_(self) -> str:
        from noddysim.engine.notebook import show_html

        return show_html(self)


def show_distribution(variant: Variant | str = "noddy", crib: bool = False) -> ShowDistribution:
    """Count every hand of the variant with every starter; about a second for hands of four.

    Raises InputError for an unknown variant, or if a crib is asked for where there is none.
    """
    rules = as_variant(variant)
    game = show_game(rules)
    if crib and not game.rules.crib:
        raise no_crib(rules)
    totals, parts = _count_shows(game, crib)
    counted = dict(zip(PARTS, parts, strict=True))
    return ShowDistribution(
        rules.name,
        sum(totals),
        dict(enumerate(totals)),
        {name: dict(enumerate(counted[kind])) for kind, name in shown_parts(rules.pegging).items()},
    )


Counts = tuple[int, ...]
_COUNTED: Final[dict[tuple[str, bool], tuple[Counts, tuple[Counts, ...]]]] = {}


def _count_shows(game: PegGame, crib: bool) -> tuple[Counts, tuple[Counts, ...]]:
    """Hands (or cribs) by total and by each part; kept, since several facts ask for the same rules."""
    if (game.text, crib) not in _COUNTED:
        totals = np.zeros(rec.TOTAL_MASK + 1, np.int64)
        parts = np.zeros((len(PARTS), rec.TOTAL_MASK + 1), np.int64)
        size = int(game.rules.crib if crib else game.rules.hand)
        count_every_show(game.rules, game.shows, size, crib, True, totals, parts)
        cases = math.comb(PACK_SIZE, size) * (PACK_SIZE - size)
        if {int(totals.sum()), *map(int, parts.sum(axis=1))} != {cases}:
            raise RuntimeError(f"{cases} hands with their starters exist, not {int(totals.sum())}")
        _COUNTED[game.text, crib] = (_up_to_last(totals), tuple(map(_up_to_last, parts)))
    return _COUNTED[game.text, crib]


def _up_to_last(counts: np.ndarray) -> Counts:
    """The counts up to the last that is not nought."""
    return tuple(int(number) for number in counts[: int(np.flatnonzero(counts)[-1]) + 1])


def _mean(counts: Mapping[int, int]) -> Fraction:
    return Fraction(sum(points * number for points, number in counts.items()), sum(counts.values()))


# --- means by hand --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HandMean:
    """Mean show of all hands of the same ranks over all starters; ``hands`` is how many such hands there are."""

    ranks: str
    hands: int
    mean: Fraction


def mean_show_by_hand(variant: Variant | str = "noddy") -> dict[str, HandMean]:
    """The exact mean show of every set of ranks that can be held, the best hand first.

    Keys are ranks from low to high, parted by hyphens: ``"7-7-8"``. A hand of three has 455 of them.
    Raises InputError for an unknown variant.
    """
    rules = as_variant(variant)
    game = show_game(rules)
    held = itertools.combinations_with_replacement(range(len(RANKS)), rules.pegging.hand)
    found = [_hand_mean(game, ranks) for ranks in held if _can_be_held(ranks)]
    return {hand.ranks: hand for hand in sorted(found, key=lambda hand: -hand.mean)}


def mean_show(hand: str, variant: Variant | str = "noddy") -> Fraction:
    """The exact mean show over all unseen starters, of one hand of cards or of all hands of the given ranks.

    ``hand`` is cards (``"7H 7C 8D"``) or ranks (``"7-7-8"``, ``"7 7 8"``, ``"778"``). Raises InputError for a wrong
    number of cards or ranks, five of a rank, or an unknown variant.
    """
    rules = as_variant(variant)
    if re.search(r"[CDHS]", hand.upper()):
        return score(hand, variant=rules).exact_mean
    ranks = tuple(sorted(map(rank_from_text, re.findall(r"10|[^\s,-]", hand))))
    if len(ranks) != rules.pegging.hand or not _can_be_held(ranks):
        raise InputError(
            f"{hand!r}: a hand of {rules.name} has {rules.pegging.hand} ranks, none of them more than four times"
        )
    return _hand_mean(show_game(rules), ranks).mean


def _can_be_held(ranks: Sequence[int]) -> bool:
    return all(ranks.count(rank) <= SUITS_IN_PACK for rank in ranks)


def _hand_mean(game: PegGame, ranks: tuple[int, ...]) -> HandMean:
    """Mean over all ways to give the ranks suits and over all starters.

    Suits are alike in all rules of the show, so one of all hands that differ by renaming suits stands for the others.
    """
    total, hands = 0, 0
    for suits, ways in _suit_patterns(len(ranks)).items():
        cards = {4 * rank + suit for rank, suit in zip(ranks, suits, strict=True)}
        if len(cards) < len(ranks):
            continue
        hands += ways
        hand = pack(sorted(cards))
        starters = (card for card in range(PACK_SIZE) if card not in cards)
        shows = (show_points(game.rules, game.shows, hand, len(ranks), starter) for starter in starters)
        total += ways * sum(int(points) & rec.TOTAL_MASK for points in shows)
    # A hand with two of a rank is met once for each order of their suits, in the sum and in the number alike.
    orders = math.prod(math.factorial(ranks.count(rank)) for rank in set(ranks))
    mean = Fraction(total, hands * (PACK_SIZE - len(ranks)))
    return HandMean("-".join(RANKS[rank] for rank in ranks), hands // orders, mean)


@functools.cache
def _suit_patterns(size: int) -> dict[tuple[int, ...], int]:
    """Suits of ``size`` cards up to renaming, each with the number of ways to name them: (0, 0, 1) stands for 12."""
    patterns: dict[tuple[int, ...], int] = {}
    for suits in itertools.product(range(SUITS_IN_PACK), repeat=size):
        names = list(dict.fromkeys(suits))
        pattern = tuple(names.index(suit) for suit in suits)
        patterns[pattern] = patterns.get(pattern, 0) + 1
    return patterns


# --- facts ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fact:
    """Something about Noddy that is known exactly: its values by name, and a sentence that states them.

    The first of the ``values`` is the one that the fact is named for.
    """

    name: str
    values: Mapping[str, Fraction]
    words: str

    def to_json(self) -> dict[str, Any]:
        """Plain data: the first value as estimate, low and high, all values as exact fractions, and the sentence."""
        first = float(next(iter(self.values.values())))
        values = {name: str(value) for name, value in self.values.items()}
        return {
            "name": self.name,
            "estimate": first,
            "low": first,
            "high": first,
            "values": values,
            "words": self.words,
        }

    def _repr_html_(self) -> str:
        from noddysim.engine.notebook import fact_html

        return fact_html(self)


def fact(name: str) -> Fact:
    """Compute one of the `FACTS`. Raises InputError for a name that is not there."""
    if name not in FACTS:
        raise InputError(f"no such exact fact: {name!r}; facts are {', '.join(FACTS)}")
    return FACTS[name](name)


def _nob_worth(name: str, variant: str) -> Fact:
    rules, shows = as_variant(variant), show_distribution(variant)
    worth, chance = shows.mean_parts["nob"], _chance(shows, "nob")
    words = (
        f"A nob is worth {_with_float(worth)} of a point in a hand of {rules.pegging.hand} cards as dealt: "
        f"{_percent(chance)} of all such hands hold it."
    )
    return Fact(name, {"points_a_hand": worth, "chance": chance}, words)


def _seven_seven_eight(name: str) -> Fact:
    values = {hand: mean_show(hand) for hand in ("7-7-8", "9-9-5")}
    (rich, rich_mean), (poor, poor_mean) = values.items()
    words = (
        f"A hand of {rich} shows {_with_float(rich_mean)} points on average over all starters, "
        f"one of {poor} {_with_float(poor_mean)}: {_with_float(rich_mean - poor_mean)} more."
    )
    return Fact(name, {"difference": rich_mean - poor_mean, **values}, words)


def _flush_three(name: str) -> Fact:
    shows = show_distribution("noddy")
    chance = _chance(shows, "flush")
    with_starter = Fraction(shows.parts["flush"][4], shows.cases)
    worth = shows.mean_parts["flush"]
    words = (
        f"{_percent(chance)} of all hands of three are of one suit ({chance}), and {_percent(with_starter)} match the "
        f"starter too ({with_starter}); flushes bring {_with_float(worth)} of a point a hand."
    )
    return Fact(name, {"chance": chance, "chance_with_starter": with_starter, "points_a_hand": worth}, words)


def _flush_four(name: str) -> Fact:
    three = _chance(show_distribution("noddy"), "flush")
    some, whole = (_chance(_four_cards(reading), "flush") for reading in ("subset", "whole"))
    words = (
        f"If three suited cards of four are enough, {_percent(some, 2)} of all hands of four have a flush ({some}), "
        f"against {_percent(three, 2)} of all hands of three ({three}): {_times(some / three)} the share. If all four "
        f"must be of one suit, it is {_percent(whole, 2)} ({whole}), {_times(three / whole)} rarer than with three."
    )
    values = {"chance_three_of_four": some, "chance_all_four": whole, "chance_all_three": three}
    return Fact(name, values, words)


def _flush_readings(name: str) -> Fact:
    means = {reading: _four_cards(reading).exact_mean for reading in ("subset", "groves", "whole")}
    subset, groves, whole = map(_with_float, means.values())
    words = (
        f"A hand of Four-Card Noddy shows {subset} points on average if three suited cards are enough and the starter "
        f"adds one, {groves} if the starter adds only to four, and {whole} if all four must be of one suit."
    )
    return Fact(name, means, words)


def _four_cards(reading: str) -> ShowDistribution:
    """The shows of Four-Card Noddy by one reading of its flush."""
    return show_distribution(as_variant("noddy-four").replace(show={"hand_flush": reading}))


def _colours_share(name: str) -> Fact:
    shows = show_distribution("costly-colours")
    worth, chance = shows.mean_parts["colours"], _chance(shows, "colours")
    share = worth / shows.exact_mean
    words = (
        f"Colours make {_percent(share)} of the mean show of Costly Colours ({share}): {_with_float(worth)} of "
        f"{_with_float(shows.exact_mean)} points a hand, and {_percent(chance)} of all hands have some."
    )
    return Fact(name, {"share": share, "points_a_hand": worth, "chance": chance}, words)


def _turned_jack(name: str) -> Fact:
    variant = as_variant("noddy")
    points, times = _heels_of_every_starter(show_game(variant))
    chance, worth = Fraction(times, PACK_SIZE), Fraction(points, PACK_SIZE)
    words = (
        f"A jack is turned in {_percent(chance)} of all deals ({chance}), which is worth {_with_float(worth)} of a "
        f"point a deal to the dealer."
    )
    return Fact(name, {"points_a_deal": worth, "chance": chance}, words)


def _heels_of_every_starter(game: PegGame) -> tuple[int, int]:
    """Points the dealer gets for the turned card over all 52 starters, and how many of the starters bring any."""
    table = rec.new_table()
    points = times = 0
    for starter in range(PACK_SIZE):
        pick_up(game.rules, table, game.players)
        table.state[rec.AT_STARTER] = starter
        heels(game.rules, table, game.players, rec.NO_TARGET)
        gained = int(table.heels[game.players - 1])
        points += gained
        times += gained > 0
    return points, times


def _show_mean(name: str, variant: str, crib: bool = False) -> Fact:
    shows, title = show_distribution(variant, crib), as_variant(variant).title
    what = "crib" if crib else "hand"
    best = max(shows.counts)
    nothing = Fraction(shows.counts[0], shows.cases)
    words = (
        f"A {what} of {title} shows {_with_float(shows.exact_mean)} points on average over all {shows.cases:,} "
        f"{what}s and starters; {_percent(nothing)} show nothing, the best {best}."
    )
    values = {"mean": shows.exact_mean, "variance": shows.variance, "chance_of_nothing": nothing}
    return Fact(name, {**values, "best": Fraction(best)}, words)


def _with_float(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.3f})"


def _percent(share: Fraction, places: int = 1) -> str:
    return f"{100 * float(share):.{places}f} %"


def _times(ratio: Fraction) -> str:
    return f"{float(ratio):.1f} times"


def _chance(shows: ShowDistribution, kind: str) -> Fraction:
    """Chance that a hand has any points of a kind."""
    return 1 - Fraction(shows.parts[kind][0], shows.cases)


FACTS: Final[Mapping[str, Callable[[str], Fact]]] = {
    "nob-worth": functools.partial(_nob_worth, variant="noddy"),
    "seven-seven-eight": _seven_seven_eight,
    "flush-three": _flush_three,
    "turned-jack": _turned_jack,
    "show-mean": functools.partial(_show_mean, variant="noddy"),
    "nob-four": functools.partial(_nob_worth, variant="noddy-four"),
    "flush-four": _flush_four,
    "flush-four-readings": _flush_readings,
    "colours-share": _colours_share,
    "show-mean-noddy-four": functools.partial(_show_mean, variant="noddy-four"),
    "show-mean-noddy-groves": functools.partial(_show_mean, variant="noddy-groves"),
    "show-mean-cribbage": functools.partial(_show_mean, variant="cribbage"),
    "show-mean-cribbage-crib": functools.partial(_show_mean, variant="cribbage", crib=True),
    "show-mean-cribbage-five": functools.partial(_show_mean, variant="cribbage-five"),
    "show-mean-costly-colours": functools.partial(_show_mean, variant="costly-colours"),
}
"""Facts that claims of ``game/claims/`` name as ``exact:NAME``, each with the function that computes it."""
