"""Duels in games with a play of cards to a count: the measure read as estimates, and the verdict on each arm."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from noddysim.engine.games import decisions, peg_game
from noddysim.engine.measures import MAX_ARMS, DuelCount, content_id, duel_chunk
from noddysim.engine.runner import Runner
from noddysim.game.experiment import FIXED, Stop
from noddysim.game.expressions import parse_strategy
from noddysim.game.strategy_data import USUAL, PolicyKind, Strategy, Tip, identity
from noddysim.insight import sequences, stats, stopping, verdicts
from noddysim.insight.duplicates import FEWEST, Extremes, kept_within, unchanged_long_enough
from noddysim.insight.estimates import CHANCE, PER_OCCASION, POINTS, Estimate, Interval
from noddysim.insight.settings import CARDS_A_DEAL, SHARE_OF_DEALS, Duel, Limits, Setting
from noddysim.insight.stats import Sums
from noddysim.insight.swings import largest_swing

if TYPE_CHECKING:
    from noddysim.engine.tally import Tally

DECISIONS: Final = {"lead": ":lead", "follow": ":follow", "play": ""}
"""How a strategy is confined to a decision: the suffix of its name in an expression."""


def pegging_duels(
    setting: Setting,
    arms: Sequence[str],
    amount: int,
    limits: Limits,
    runner: Runner,
    *,
    scale: str | None = "careful",
) -> list[Duel]:
    """Play several arms over the same duplicates of one setting; one Duel an arm, in order.

    ``scale`` names the best strategy known, for the place between it and a random choice (None: no scale). After an
    interrupt an arm of which nothing was played is left out.
    """
    room = MAX_ARMS - 2 * len(DECISIONS)
    if len(arms) > room:
        parts = [arms[first : first + room] for first in range(0, len(arms), room)]
        return [one for part in parts for one in pegging_duels(setting, part, amount, limits, runner, scale=scale)]
    strategies = {name: _read(setting, name) for name in arms}
    vacuous = [name for name in arms if decides_nothing(name, setting)]
    played = {name: strategies[name] for name in arms if name not in vacuous}
    found = _played(setting, played, amount, limits, runner, scale) if played else {}
    for name in vacuous:
        found[name] = Duel(setting, strategies[name].name, setting.tip(name), "", 0, verdicts.VACUOUS, limits.zone)
    return [found[name] for name in arms if name in found]


def _played(
    setting: Setting, arms: Mapping[str, Strategy], amount: int, limits: Limits, runner: Runner, scale: str | None
) -> dict[str, Duel]:
    """The Duels of arms that have something to decide, by expression."""
    tips = {name: tip for name in arms if (tip := setting.tip(name))}
    measure = _measure(setting, arms, {name: tip.decision for name, tip in tips.items()} if scale else {}, str(scale))
    shown = [measure.arms[place] for place in measure.places]
    places = {name: shown.index(strategy) for name, strategy in arms.items()}

    def judged(name: str, tally: Tally, scaled: Estimate | None = None) -> Duel:
        reading = Reading(measure.only([places[name]]), tally, limits.stop)
        return _judged(setting, arms[name].name, tips.get(name), reading, scaled, limits)

    def decided(place: int, tally: Tally) -> bool:
        names = [name for name in arms if places[name] == place]
        return all(stopping.may_stop(judged(name, tally), limits.stop) for name in names)

    def watch(place: int, tally: Tally) -> tuple[str, Estimate]:
        return shown[place].name, Reading(measure.only([place]), tally, limits.stop).effect(0)

    tallies = stopping.play(
        measure, amount, limits.stop, decided, runner,
        title=setting.title, labels=[setting.label(arm.name) for arm in shown], watch=watch,
    )  # fmt: skip
    scaled = {}
    if not stopping.is_sequential(limits.stop):
        by_arm = {one[0]: scale_of(tallies[len(shown) + place]) for place, one in enumerate(measure.scales)}
        scaled = {name: by_arm.get(places[name]) for name in tips}
    return {
        name: judged(name, tallies[places[name]], scaled.get(name)) for name in arms if tallies[places[name]].counts
    }


def _measure(setting: Setting, arms: Mapping[str, Strategy], decisions_of: Mapping[str, str], best: str) -> DuelCount:
    """What is counted: the arms, each once, and a scale for each whose decision is named."""
    kinds = sorted(set(decisions_of.values()))
    marks = {kind: tuple(_mark(name, kind, setting) for name in ("random", best)) for kind in kinds}
    shown = list(dict.fromkeys(arms.values()))
    parsed = list(dict.fromkeys([*shown, *(one for pair in marks.values() for one in pair)]))
    scales = [
        (parsed.index(arms[name]), *(parsed.index(mark) for mark in marks[kind])) for name, kind in decisions_of.items()
    ]
    return DuelCount(
        peg_game(setting.variant, setting.players), tuple(parsed), _read(setting, setting.baseline),
        _read(setting, setting.against), setting.seed, setting.games, duel_chunk(len(parsed), setting.games),
        tuple(range(len(shown))), tuple(dict.fromkeys((arm, zero, hundred) for arm, zero, hundred in scales)),
    )  # fmt: skip


def decides_nothing(name: str, setting: Setting) -> bool:
    """Whether an arm has nothing to decide beside the baseline of the setting.

    So it is with a tip on a decision that the variant does not have with that many players, and with two strategies
    that differ in such decisions alone: in how they lay away, or mog, where nobody does.
    """
    tip = setting.tip(name)
    exist = decisions(setting.variant, setting.players)
    return bool(unused_policies(name, setting)) or (tip is not None and tip.decision not in exist)


def unused_policies(name: str, setting: Setting) -> tuple[PolicyKind, ...]:
    """The policies in which an arm differs from its baseline, if it differs in nothing else and none is ever asked.

    Empty for two strategies that play alike everywhere: they are compared like any others.
    """
    one, other = (identity(_read(setting, part), frozenset(USUAL)) for part in (name, setting.baseline))
    differing = {part for part in one if one[part] != other[part]}
    exist = decisions(setting.variant, setting.players)
    return tuple(kind for kind in USUAL if kind in differing) if differing.isdisjoint(exist) else ()


def _read(setting: Setting, expression: str) -> Strategy:
    return parse_strategy(expression, setting.files)


def _mark(name: str, decision: str, setting: Setting) -> Strategy:
    """A strategy at one decision only, the baseline elsewhere."""
    baseline = _read(setting, setting.baseline)
    if decision == "discard":
        whole = f"{name}+low" if name == "random" else name
        return replace(baseline, name=f"{name}, laying away", discard=_read(setting, whole).discard)
    if decision == "mog":
        whole = "mog-random+low" if name == "random" else name
        return replace(baseline, name=f"{name}, mogging", mog=_read(setting, whole).mog)
    suffix = DECISIONS[decision]
    one = _read(setting, f"{name}{suffix}@{setting.baseline}" if suffix else name)
    return replace(one, discard=baseline.discard, mog=baseline.mog)


@dataclass(frozen=True)
class Reading:
    """Estimates out of the moments of a DuelCount."""

    measure: DuelCount
    tally: Tally
    stop: Stop = FIXED
    """After a decision the intervals are those of a confidence sequence."""

    @property
    def n(self) -> int:
        """Duplicates played."""
        return int(self.tally["n"][0])

    @property
    def unit(self) -> str:
        """Unit of the effects."""
        return CHANCE if self.measure.games else POINTS

    def alike(self, arm: int) -> bool:
        """Whether an arm is its baseline under another name: then it differs in nothing, and no deal need be played."""
        what = self.measure.identity(arm)
        return bool(what["arm"] == what["baseline"])

    def effect(self, arm: int, confidence: float = 0.95) -> Estimate:
        """Effect over all seats."""
        sums = Sums(self.n, int(self.tally["sums"][arm]), int(self.tally["squares"][arm]))
        differing = int(self.tally["gained"][arm]), int(self.tally["lost"][arm])
        return self._mean(arm, sums, differing, self.measure.divisor, confidence)

    def seat(self, arm: int, seat: int, confidence: float = 0.95) -> Estimate:
        """Effect in one seat, 0 = eldest."""
        sums = Sums(self.n, int(self.tally["seat_sums"][arm, seat]), int(self.tally["seat_squares"][arm, seat]))
        return self._mean(arm, sums, self._differing(arm, seat, sums), self.measure.seat_divisor, confidence)

    def _mean(self, arm: int, sums: Sums, differing: tuple[int, int], divisor: int, confidence: float) -> Estimate:
        if self.alike(arm):
            return self._nought(self.unit)
        extremes = Extremes(*differing, self.swing * divisor)
        return stopping.mean_at_look(self.stop, sums, extremes, divisor, self.unit, confidence=confidence)

    def _nought(self, unit: str) -> Estimate:
        return Estimate(0.0, 0.0, 0.0, self.n, unit, "one strategy under two names", exact=True)

    @property
    def swing(self) -> int:
        """The most that a value can be in printed units: a game, or what the rules allow of points a deal."""
        return 1 if self.measure.games else largest_swing(self.measure.game)

    def _differing(self, arm: int, seat: int, sums: Sums) -> tuple[int, int]:
        """How many duplicates gained and lost in a seat, or no fewer than that."""
        changed = self.tally["seat_changed"][arm]
        if changed[seat] == changed.sum():
            return int(self.tally["gained"][arm]), int(self.tally["lost"][arm])
        if self.measure.games:  # each is -1, 0 or 1
            return (sums.squares + sums.total) // 2, (sums.squares - sums.total) // 2
        most = min(int(self.tally["occasions"][arm]), int(changed[seat]), sums.squares)
        return most, most

    def changed(self, arm: int) -> Estimate:
        """Cards changed a deal (a game) by one player."""
        sums = Sums(self.n, int(self.tally["changed"][arm]), int(self.tally["changed_squares"][arm]))
        unit = CARDS_A_DEAL.replace("deal", "game") if self.measure.games else CARDS_A_DEAL
        if self.alike(arm):
            return self._nought(unit)
        players = self.measure.game.players
        if stopping.is_sequential(self.stop):
            found = sequences.sequence_from_sums(*sums, players, unit, tightest=self.stop.tightest)
        else:
            found = stats.mean_from_sums(*sums, divisor=players, unit=unit, method="t")
        return kept_within(found, 0.0, math.inf)

    def occasion(self, arm: int) -> Estimate | None:
        """Effect for each card changed; none after a decision, where no interval for it would be right."""
        if stopping.is_sequential(self.stop):
            return None
        moments = stats.PairSums(
            int(self.tally["occasions"][arm]),
            int(self.tally["sums"][arm]),
            int(self.tally["changed"][arm]),
            int(self.tally["squares"][arm]),
            int(self.tally["cross"][arm]),
            int(self.tally["changed_squares"][arm]),
        )
        unit = "chance to win an occasion" if self.measure.games else PER_OCCASION
        found = stats.ratio_from_sums(moments, self.measure.seat_divisor, unit=unit)
        return None if found is None else kept_within(found, -self.swing, self.swing)

    def share(self, name: str, arm: int) -> Estimate:
        """Share of duplicates that were ``gained`` or ``lost``."""
        return stopping.share_at_look(self.stop, int(self.tally[name][arm]), self.n, SHARE_OF_DEALS)


def scale_of(tally: Tally) -> Estimate | None:
    """Place of an arm between two others, from 0 to 100; None with too few duplicates to tell them apart."""
    if not tally.counts or (n := int(tally["n"][0])) < FEWEST:
        return None
    return stats.scale_from_paired(n, tally["scale_sums"][0].tolist(), tally["scale_products"][0].tolist())


def _judged(
    setting: Setting, name: str, tip: Tip | None, reading: Reading, scale: Estimate | None, limits: Limits
) -> Duel:
    """One Duel with its verdict: by the chance to win for games, else by points in the seat concerned."""
    arm = 0
    in_seat = tip is not None and tip.seat == "eldest" and not setting.games

    def at(confidence: float) -> Interval:
        return (reading.seat(arm, 0, confidence) if in_seat else reading.effect(arm, confidence)).interval

    corrected, equal = stopping.intervals_of_verdict(limits, at)
    never = not reading.tally["changed"][arm] and (reading.alike(arm) or unchanged_long_enough(reading.n))
    return Duel(
        setting=setting,
        arm=name,
        tip=tip,
        id=content_id(reading.measure.identity(arm))[0],
        n=reading.n,
        verdict=verdicts.verdict(corrected, limits.zone, followed=tip is not None and never, equal=equal),
        zone=limits.zone,
        effect=reading.effect(arm),
        seats=tuple(reading.seat(arm, seat) for seat in range(len(setting.side_names))),
        occasion=reading.occasion(arm),
        changed=reading.changed(arm),
        gained=reading.share("gained", arm),
        lost=reading.share("lost", arm),
        scale=scale,
        corrected=corrected,
    )
