"""The fairest rules: every set of rules of a stated space played, and those on the front of edge, length and skill.

The space is small, so it is enumerated. A set of rules is on the *front* if no other has at once an edge as near to
nought, games as short and skill that counts as much (Pareto). The least of many estimates is too good to be true, so
what is told of the front is played once more on games that the search has not seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from noddysim.engine import batch
from noddysim.engine.games import check_players
from noddysim.engine.laying import WHOLE
from noddysim.engine.runner import Announce, silent
from noddysim.engine.scoring import as_variant
from noddysim.engine.skill import LaidSkill, PegSkill
from noddysim.engine.switches import CARDS, DEALS, EDGE, SwitchCount
from noddysim.game.answerwords import option_words, rule_words
from noddysim.game.errors import InputError
from noddysim.game.experiment import check_amount, check_seed
from noddysim.game.families import PEGGING
from noddysim.game.minds import USUAL_MINDS, Mind, read_mind
from noddysim.game.readings import look_up, same_value
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy
from noddysim.insight import stats
from noddysim.insight.duplicates import kept_within
from noddysim.insight.estimates import Estimate
from noddysim.insight.numbers import format_count, format_number, points_of_chance
from noddysim.insight.rows import FAIR_BAND, UNITS
from noddysim.insight.skill import Moments, ladder_of

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.engine.tally import Tally

Space = Mapping[str, Sequence[Any]]
USUAL_SPACE: Final[Space] = {
    "target": (31, 41, 51, 61),
    "turned_jack": ("dealer1", "dealer2", "opponents2", "off"),
    "final_card_point": (True, False),
    "play.last": (0, 1),
    "show_first": (False, True),
}
"""For games with a play of cards to a count; who leads the next pile is added where more than two play."""
LEADS: Final = ("left_of_last", "first_go")
SAME_LEAD: Final = (
    "Who leads a new pile is no choice with two players: the one who said go first is also the next after the player "
    "of the last card."
)
MOST_RULES: Final = 2_000
LENGTH_SHARE: Final = 0.2
"""A game is as long as wished if its mean length is no further from the wish than this share of it."""


@dataclass(frozen=True)
class Candidate:
    """One set of rules of the space: what differs from the base, and what came of it."""

    choices: Mapping[str, Any]
    variant: Variant
    edge: Estimate
    deals: Estimate
    cards: Estimate
    skill: Estimate
    confirmed: bool = False
    """Whether edge and length are those of fresh games."""

    @property
    def words(self) -> str:
        """The choices as they are written in a file."""
        return ", ".join(option_words(key, value) for key, value in self.choices.items())

    def told(self, base: Variant) -> list[str]:
        """The choices that differ from the rules of ``base``, each in words."""
        readings, rules, in_force = base.family.readings, base.rules.model_dump(), base.readings_in_force
        return [
            rule_words(readings, key, value)
            for key, value in self.choices.items()
            if not same_value(value, in_force[key] if key in in_force else look_up(rules, key))
        ]

    def to_json(self) -> dict[str, Any]:
        """An entry of ``rules`` or ``front``."""
        return {
            "choices": dict(self.choices), "edge": self.edge.to_json(), "deals": self.deals.to_json(),
            "cards": self.cards.to_json(), "skill": self.skill.to_json(), "confirmed": self.confirmed,
        }  # fmt: skip


@dataclass(frozen=True)
class Fairest:
    """A search: the base, all that was played, the front, and the fairest of the wished length."""

    base: Candidate
    players: int
    strategy: str
    space: Space
    games: int
    wish: float
    """Deals of a game."""
    rules: tuple[Candidate, ...]
    """Every set of rules once, those that play alike under the first of them."""
    front: tuple[Candidate, ...]
    """By length; edge and length from fresh games."""
    fairest: Candidate | None
    """None if no set of rules has games of the wished length; from fresh games."""
    alike: int
    refused: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON of ``noddysim fairest``."""
        return {
            "variant": self.base.variant.name, "players": self.players, "strategy": self.strategy,
            "games": self.games, "wish": self.wish, "space": {key: list(values) for key, values in self.space.items()},
            "base": self.base.to_json(), "fairest": self.fairest.to_json() if self.fairest else None,
            "front": [one.to_json() for one in self.front], "rules": [one.to_json() for one in self.rules],
            "alike": self.alike, "refused": list(self.refused), "notes": list(self.notes),
        }  # fmt: skip

    @property
    def notes(self) -> tuple[str, ...]:
        """Rules that one might expect in the space, and why they are not there."""
        same = self.players == 2 and self.base.variant.family is PEGGING and "next_lead" not in self.space
        return (SAME_LEAD,) if same else ()

    @property
    def table(self) -> pd.DataFrame:
        """One row a set of rules."""
        import pandas as pd

        front = {one.variant.name for one in self.front}
        return pd.DataFrame(
            [
                {
                    **one.choices, "edge": one.edge.estimate, "edge_low": one.edge.low, "edge_high": one.edge.high,
                    "deals": one.deals.estimate, "skill": one.skill.estimate, "front": one.variant.name in front,
                }
                for one in self.rules
            ]
        )  # fmt: skip

    def words(self, *, terminal: bool = False) -> str:
        """What was searched and what was found, in a paragraph."""

        def edge(one: Candidate) -> str:
            return points_of_chance(one.edge, terminal=terminal)

        number = format_count(len(self.rules), terminal=terminal)
        start = (
            f"{number} sets of rules that play differently were tried. {self.base.variant.title} itself: the first "
            f"dealer's edge is {edge(self.base)}."
        )
        wish = format_number(self.wish, 1, terminal=terminal)
        if self.fairest is None:
            return f"{start} None of them has games of about {wish} deals."
        low, high = self.fairest.edge.interval
        fair = low is not None and high is not None and low >= -FAIR_BAND and high <= FAIR_BAND
        band = "which is fair" if fair else "which is not shown to be fair"
        return (
            f"{start} Of those with games of about {wish} deals the fairest {self._differs(self.fairest)}. On fresh "
            f"games its edge is {edge(self.fairest)}, {band} within one percentage point."
        )

    def _differs(self, one: Candidate) -> str:
        told = one.told(self.base.variant)
        title = self.base.variant.title
        return f"has: {'; '.join(told)}; the rest as in {title}" if told else f"is {title} itself"

    def _repr_html_(self) -> str:
        from noddysim.insight.notebook import fairest_html

        return fairest_html(self)


def fairest(
    variant: Variant | str,
    players: int | None = None,
    *,
    space: Space | None = None,
    strategy: str | Mind | None = None,
    length: float | None = None,
    games: int = 20_000,
    skill: int = 1_000,
    seed: int = 1589,
    workers: int | None = None,
    announce: Announce = silent,
) -> Fairest:
    """Play every set of rules of a space and tell the fairest.

    players : the fewest that the variant allows if left out; space : values of each rule, by the name of a reading or
    the dotted key of a field; strategy : in every seat; length : the wished deals of a game, those of the variant
    itself if left out; games : of each set of rules, and four times as many fresh ones for the front; skill :
    duplicates of the best known strategy over the weakest of the ladder; announce : told of each part as it goes on.

    Raises InputError for rules or values that do not exist, a space of more than MOST_RULES sets, no usual space.
    """
    check_amount(games)
    check_amount(skill)
    check_seed(seed)
    if length is not None and not length > 0:
        raise InputError(f"--length: {length:g} deals is no length of a game")
    loaded = as_variant(variant)
    n = loaded.rules.players[0] if players is None else check_players(loaded, players)
    mind = (
        strategy
        if isinstance(strategy, Mind)
        else read_mind(loaded.family.name, strategy or USUAL_MINDS[loaded.family.name])
    )
    searched = usual_space(loaded, n) if space is None else space
    sets, refused = rule_sets(loaded, n, searched)
    seen = Played(loaded, n, mind, seed, workers, announce)
    found = seen.all_of([{}, *(choices for choices, _ in sets)], [loaded, *(one for _, one in sets)], games, skill)
    base, *rest = found
    told, alike = _once(rest or [base])
    wish = base.deals.estimate if length is None else length
    front = [one for one in told if not any(_beats(other, one) for other in told)]
    wished = [one for one in told if abs(one.deals.estimate - wish) <= LENGTH_SHARE * wish]
    best = min(wished, key=lambda one: abs(one.edge.estimate), default=None)
    fresh = seen.again([base, *front, *([best] if best else [])], games)
    front = sorted(fresh[1 : 1 + len(front)], key=lambda one: one.deals.estimate)
    return Fairest(
        fresh[0], n, mind.name, searched, games, wish, tuple(told), tuple(front), fresh[-1] if best else None, alike,
        tuple(refused),
    )  # fmt: skip


def usual_space(variant: Variant, players: int) -> Space:
    """The space that is searched where none is given. Raises InputError for a family that has none."""
    if variant.family is not PEGGING:
        raise InputError(f"{variant.name}: say which rules to vary, for example --vary target=31,61")
    target = variant.pegging.target
    targets = USUAL_SPACE["target"] if target in USUAL_SPACE["target"] else (target,)
    return {**USUAL_SPACE, "target": targets, **({"next_lead": LEADS} if players > 2 else {})}


def rule_sets(variant: Variant, players: int, space: Space) -> tuple[list[tuple[dict[str, Any], Variant]], list[str]]:
    """Every set of rules of a space with its choices, and those that the rules refuse, with the reason."""
    if not space or not all(space.values()):
        raise InputError("the space of rules is empty; write for example --vary target=31,61")
    number = 1
    for values in space.values():
        number *= len(values)
    if number > MOST_RULES:
        raise InputError(f"the space has {number:,} sets of rules; {MOST_RULES:,} are the most that are played")
    found: list[tuple[dict[str, Any], Variant]] = []
    refused: list[str] = []
    for values in product(*space.values()):
        choices = dict(zip(space, values, strict=True))
        try:
            other = variant.replace(**_nested(choices))
            check_players(other, players)
        except InputError as error:
            refused.append(str(error))
            continue
        found.append((choices, other))
    if not found:
        raise InputError(refused[0])
    return found, list(dict.fromkeys(refused))


def _nested(choices: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted keys as tables: ``play.last`` goes into ``play``."""
    changes: dict[str, Any] = {}
    for key, value in choices.items():
        table, _, name = key.rpartition(".")
        if table:
            changes.setdefault(table, {})[name] = value
        else:
            changes[key] = value
    return changes


@dataclass(frozen=True)
class Played:
    """How sets of rules are played: who plays, with which seed."""

    variant: Variant
    players: int
    mind: Mind
    seed: int
    workers: int | None
    announce: Announce

    def all_of(
        self, choices: Sequence[Mapping[str, Any]], variants: Sequence[Variant], games: int, skill: int
    ) -> list[Candidate]:
        """Every set of rules on the same games."""
        advance = self.announce(f"{len(variants)} sets of rules", games)
        tally = batch.run(self._measure(variants), games, workers=self.workers, progress=advance)
        skilled = self._skill(variants, skill)
        return [
            Candidate(chosen, one, *_outcome(tally, place), skilled[place])
            for place, (chosen, one) in enumerate(zip(choices, variants, strict=True))
        ]

    def again(self, found: Sequence[Candidate], games: int) -> list[Candidate]:
        """The same sets of rules on four times as many games that were not played before."""
        measure = self._measure([one.variant for one in found])
        advance = self.announce("fresh games of the fairest", 4 * games)
        tally = batch.run(measure, 5 * games, start=games, workers=self.workers, progress=advance)
        told = []
        for place, one in enumerate(found):
            edge, deals, cards = _outcome(tally, place)
            told.append(replace(one, edge=edge, deals=deals, cards=cards, confirmed=True))
        return told

    def _measure(self, variants: Sequence[Variant]) -> SwitchCount:
        return SwitchCount(tuple(variants), self.players, self.mind, self.seed)

    def _skill(self, variants: Sequence[Variant], games: int) -> list[Estimate]:
        """The best known strategy over the weakest of the ladder, one variant at a time."""
        best, *_, worst = ladder_of(self.variant.family.name)
        advance = self.announce("skill", games * len(variants))
        found = []
        for one in variants:
            measure: PegSkill | LaidSkill
            if isinstance(best, Strategy) and isinstance(worst, Strategy):
                measure = PegSkill((one,), self.players, ((best, worst),), self.seed)
            else:
                assert not isinstance(best, Strategy) and not isinstance(worst, Strategy)
                measure = LaidSkill((one,), self.players, ((best, worst),), self.seed)
            tally = batch.run(measure, games, workers=self.workers, progress=advance)
            found.append(Moments(tally, 1, measure.sides).chance(0, 0))
        return found


def _outcome(tally: Tally, place: int) -> tuple[Estimate, Estimate, Estimate]:
    n = int(tally["n"][0])

    def sums(column: int) -> tuple[int, int, int]:
        return n, int(tally["sums"][place, column]), int(tally["squares"][place, column])

    edge = kept_within(stats.mean_from_sums(*sums(EDGE), WHOLE, UNITS["edge"], method="t"), -1.0, 1.0)
    deals = stats.mean_from_sums(*sums(DEALS), unit=UNITS["deals"], method="t")
    return edge, deals, stats.mean_from_sums(*sums(CARDS), unit=UNITS["cards"], method="t")


def _once(found: Sequence[Candidate]) -> tuple[list[Candidate], int]:
    """Sets of rules of which all numbers agree play alike: the first of them stands for all."""
    told: dict[tuple[Estimate, ...], Candidate] = {}
    for one in found:
        told.setdefault((one.edge, one.deals, one.cards, one.skill), one)
    return list(told.values()), len(found) - len(told)


def _beats(one: Candidate, other: Candidate) -> bool:
    """Whether one is no worse in edge, length and skill, and better in one of them."""
    a, b = ((-abs(it.edge.estimate), -it.deals.estimate, it.skill.estimate) for it in (one, other))
    return all(x >= y for x, y in zip(a, b, strict=True)) and a != b
