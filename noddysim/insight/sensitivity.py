"""Which disputed readings of the rules matter: each switched alone, on the same games, and what that does.

The readings are those that the sources leave open (``noddysim.game.readings``). What a switch does is told of the first
dealer's edge, of the length of a game, and of the verdict on each piece of advice that is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from noddysim.engine import batch
from noddysim.engine.games import check_players, same_cards
from noddysim.engine.laying import WHOLE, same_layout
from noddysim.engine.runner import Announce, silent
from noddysim.engine.scoring import as_variant
from noddysim.engine.switches import CARDS, DEALS, EDGE, SwitchCount
from noddysim.game.answerwords import answer_words
from noddysim.game.errors import InputError
from noddysim.game.experiment import check_amount, check_seed
from noddysim.game.families import PEGGING
from noddysim.game.laying_data import MELDING
from noddysim.game.minds import USUAL_MINDS, Mind, read_mind, tip_in
from noddysim.game.readings import Reading, concerns
from noddysim.game.rules import Variant
from noddysim.insight import stats
from noddysim.insight.duels import Duel, duel
from noddysim.insight.duplicates import kept_within
from noddysim.insight.estimates import CHANCE, Estimate
from noddysim.insight.numbers import format_estimate, points_of_chance
from noddysim.insight.rows import UNITS
from noddysim.insight.verdicts import UNDECIDED, default_zone
from noddysim.insight.words import and_words, flipped

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.engine.tally import Tally

EDGE_ZONE: Final = default_zone(CHANCE)
"""A change of the edge by less does not matter."""
LENGTH_ZONE: Final = 0.05
"""Nor does a change of the length of a game by less than this share of it."""
TARGET: Final = "target"
"""A target is chosen for its length, so it is no dispute like the others."""
MATTERS, NOT, OPEN = "matters", "does not matter", "undecided"


@dataclass(frozen=True)
class Switch:
    """One reading switched: the rules with it, and what it moves, as they are less the base."""

    reading: Reading
    value: str | bool | int
    words: str
    variant: Variant
    edge: Estimate
    deals: Estimate
    cards: Estimate
    length: float
    """Deals of a game of the base."""
    tips: tuple[Duel, ...]
    changed: tuple[str, ...]
    """Those of the tips whose verdict is another than in the base."""
    paired: bool

    @property
    def label(self) -> str:
        """The answer in words of its own."""
        return answer_words(self.reading, self.value)

    @property
    def moves_edge(self) -> str:
        """MATTERS, NOT or OPEN, as to who wins."""
        return _matters(self.edge, EDGE_ZONE)

    @property
    def moves_length(self) -> str:
        """The same as to the length of a game."""
        return _matters(self.deals, LENGTH_ZONE * self.length)

    @property
    def verdict(self) -> str:
        """Whether the reading matters to the edge or to the length of a game, or to a verdict."""
        parts = [self.moves_edge, self.moves_length]
        if MATTERS in parts:
            return MATTERS
        return NOT if set(parts) == {NOT} else OPEN

    def to_json(self) -> dict[str, Any]:
        """An entry of ``switches``."""
        return {
            "id": self.reading.id, "reading": self.reading.option, "question": self.reading.question,
            "value": self.value, "answer": self.words, "edge": self.edge.to_json(), "deals": self.deals.to_json(),
            "cards": self.cards.to_json(), "verdict": self.verdict, "paired": self.paired,
            "tips": [_tip_json(one) for one in self.tips], "changed": list(self.changed),
        }  # fmt: skip


def _tip_json(found: Duel) -> dict[str, Any]:
    value = found.concerned
    return {"tip": found.arm, "verdict": found.verdict, "effect": value.to_json() if value else None}


def _matters(value: Estimate, zone: float) -> str:
    if value.low is None or value.high is None:
        return NOT if value.estimate == 0 else OPEN
    if -zone <= value.low and value.high <= zone:
        return NOT
    return MATTERS if value.low > zone or value.high < -zone else OPEN


@dataclass(frozen=True)
class Sensitivity:
    """All readings of a variant switched one at a time, what moves the edge most first."""

    variant: Variant
    players: int
    strategy: str
    games: int
    edge: Estimate
    deals: Estimate
    tips: tuple[Duel, ...]
    switches: tuple[Switch, ...]
    refused: tuple[str, ...]
    """Answers that these rules cannot take, with the reason."""

    def to_json(self) -> dict[str, Any]:
        """The JSON of ``noddysim sensitivity``."""
        return {
            "variant": self.variant.name, "players": self.players, "strategy": self.strategy, "games": self.games,
            "edge": self.edge.to_json(), "deals": self.deals.to_json(), "tips": [_tip_json(one) for one in self.tips],
            "switches": [one.to_json() for one in self.switches], "refused": list(self.refused),
        }  # fmt: skip

    @property
    def table(self) -> pd.DataFrame:
        """One row a switch."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "id": one.reading.id, "reading": one.reading.option, "value": one.value, "verdict": one.verdict,
                    **{f"edge_{k}": getattr(one.edge, k) for k in ("estimate", "low", "high")},
                    **{f"deals_{k}": getattr(one.deals, k) for k in ("estimate", "low", "high")},
                    "tips_changed": " ".join(one.changed),
                }
                for one in self.switches
            ]
        )  # fmt: skip

    def words(self, *, terminal: bool = False) -> str:
        """Which disputes matter and which do not, in a paragraph."""
        told_of = [one for one in self.switches if one.reading.option != TARGET]
        by_verdict = {kind: [one for one in told_of if one.verdict == kind] for kind in (MATTERS, NOT, OPEN)}
        parts = []
        if by_verdict[MATTERS]:
            told = [f"{one.label} ({_moves(one, terminal)})" for one in by_verdict[MATTERS]]
            parts.append(f"What matters to the first dealer's edge or the length of a game: {'; '.join(told)}.")
        for verdict, start in ((NOT, "What matters to neither"), (OPEN, "Undecided by these games")):
            if by_verdict[verdict]:
                parts.append(f"{start}: {'; '.join(one.label for one in by_verdict[verdict])}.")
        if len(told_of) < len(self.switches):
            parts.append("Another target changes the length, as it must; what it does to the edge is in the table.")
        turned = [f"{one.label} ({and_words(list(one.changed))})" for one in self.switches if one.changed]
        if turned:
            parts.append(f"The verdict on advice changes with {and_words(turned)}.")
        elif self.tips:
            parts.append("No verdict on the advice asked about changes with any of them.")
        return " ".join(parts)

    def _repr_html_(self) -> str:
        from noddysim.insight.notebook import sensitivity_html

        return sensitivity_html(self)


def _moves(one: Switch, terminal: bool) -> str:
    parts = []
    if one.moves_edge == MATTERS:
        more = "up" if one.edge.estimate > 0 else "down"
        size = one.edge if one.edge.estimate > 0 else flipped(one.edge)
        parts.append(f"edge {more} {points_of_chance(size, signed=False, terminal=terminal)}")
    if one.moves_length == MATTERS:
        parts.append(f"{format_estimate(one.deals, terminal=terminal)} deals")
    return ", ".join(parts)


def alternatives(variant: Variant, players: int) -> tuple[list[tuple[Reading, Any, str, Variant]], list[str]]:
    """Every other answer to every open question that arises, with the variant that follows it; and what is refused."""
    rules = variant.rules.model_dump()
    in_force = variant.readings_in_force
    found, refused = [], []
    for reading in variant.family.readings:
        if not reading.built or not concerns(reading, rules):
            continue
        for choice in reading.choices:
            if choice.value == in_force[reading.option] and type(choice.value) is type(in_force[reading.option]):
                continue
            try:
                other = variant.replace(**{reading.option: choice.value})
                check_players(other, players)
            except InputError as error:
                refused.append(str(error))
                continue
            if other.rules != variant.rules and (reading.option != "partners" or players == 4):
                found.append((reading, choice.value, choice.words, other))
    return found, refused


def sensitivity(
    variant: Variant | str,
    players: int | None = None,
    *,
    strategy: str | Mind | None = None,
    tips: Sequence[str] = (),
    games: int = 50_000,
    deals: int = 50_000,
    seed: int = 1589,
    workers: int | None = None,
    announce: Announce = silent,
) -> Sensitivity:
    """Switch each disputed reading of a variant alone and see what it does.

    players : the fewest that the variant allows if left out; strategy : in every seat, the usual one of the family if
    left out; tips : pieces of advice as ``TIP@BASELINE``, each of which gets its verdict under each reading, from
    ``deals`` duplicates (games where single deals are no measure); announce : told of each part, for its progress.

    Raises InputError for unknown names, numbers that cannot be, or tips that are none.
    """
    check_amount(games)
    check_amount(deals)
    check_seed(seed)
    loaded = as_variant(variant)
    n = loaded.rules.players[0] if players is None else check_players(loaded, players)
    family = loaded.family.name
    mind = read_mind(family, strategy or USUAL_MINDS[family]) if not isinstance(strategy, Mind) else strategy
    based = [_with_baseline(family, tip) for tip in tips]
    others, refused = alternatives(loaded, n)
    measure = SwitchCount((loaded, *(other for *_, other in others)), n, mind, seed)
    tally = batch.run(measure, games, workers=workers, progress=announce(f"{len(others)} readings", games))

    def judged(rules: Variant) -> tuple[Duel, ...]:
        whole = family == MELDING
        amount = None if whole else deals, deals if whole else None
        return tuple(
            duel(
                rules,
                tip,
                base,
                players=n,
                deals=amount[0],
                games=amount[1],
                seed=seed,
                workers=workers,
                progress=announce(tip, deals),
            )
            for tip, base in based
        )

    base_tips = judged(loaded)
    length = _mean(tally, 0, DEALS, pair=False)
    switches = []
    for place, (reading, value, words, other) in enumerate(others, 1):
        own = judged(other)
        changed = tuple(one.arm for one, was in zip(own, base_tips, strict=True) if _turned(one, was))
        paired = same_cards(loaded, other, n) if loaded.family is PEGGING else same_layout(loaded, other)
        edge, more, cards = (_mean(tally, place, column, pair=True) for column in (EDGE, DEALS, CARDS))
        switches.append(Switch(reading, value, words, other, edge, more, cards, length.estimate, own, changed, paired))
    switches.sort(key=lambda one: -abs(one.edge.estimate))
    return Sensitivity(
        loaded, n, mind.name, games, _mean(tally, 0, EDGE, pair=False), length, base_tips, tuple(switches),
        tuple(refused),
    )  # fmt: skip


def _turned(one: Duel, was: Duel) -> bool:
    """Whether a verdict has become another; one that is still undecided has not."""
    return UNDECIDED not in (one.verdict, was.verdict) and one.verdict != was.verdict


def _with_baseline(family: str, tip: str) -> tuple[str, str]:
    """A tip on its baseline and that baseline; raises InputError for what is no tip."""
    found = tip_in(family, tip)
    if found is None:
        raise InputError(f"--tips: {tip} is no advice on a baseline; write for example lead-low@greedy-random")
    return tip, found[1]


def _mean(tally: Tally, place: int, column: int, *, pair: bool) -> Estimate:
    """Mean of one of SWITCHED in a variant, or less the base."""
    start = "pair_" if pair else ""
    n = int(tally["n"][0])
    sums = (n, int(tally[f"{start}sums"][place, column]), int(tally[f"{start}squares"][place, column]))
    if column == EDGE:
        return kept_within(stats.mean_from_sums(*sums, WHOLE, UNITS["edge"]), -1.0, 1.0)
    return stats.mean_from_sums(*sums, unit=UNITS["deals" if column == DEALS else "cards"])
