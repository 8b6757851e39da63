"""Duels in the games in which melds or sets are laid: the measure read as estimates, and the verdict on each arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from noddysim.engine.laying import LayingDuel, deciding
from noddysim.engine.measures import content_id
from noddysim.engine.runner import Runner
from noddysim.engine.tally import Tally
from noddysim.game.experiment import FIXED, Stop
from noddysim.game.laying import DECIDED_BY, decisions_of, read_laid
from noddysim.game.laying_data import Laid, differing_fields
from noddysim.game.meldmodels import MeldRules
from noddysim.game.snitchmodels import SnitchRules
from noddysim.game.strategy_data import Tip
from noddysim.insight import stopping, verdicts
from noddysim.insight.duplicates import Extremes, kept_within, unchanged_long_enough
from noddysim.insight.estimates import CHANCE, POINTS, Estimate, Interval
from noddysim.insight.settings import PLAYED_OTHERWISE, SHARE_OF_DEALS, Duel, Limits, Setting
from noddysim.insight.stats import Sums


def laid_duels(setting: Setting, arms: Sequence[str], amount: int, limits: Limits, runner: Runner) -> list[Duel]:
    """Play several arms over the same duplicates of one setting; one Duel an arm, in order.

    After an interrupt an arm of which nothing was played is left out.
    """
    played = [name for name in dict.fromkeys(arms) if not decides_nothing(name, setting)]
    found = _played(setting, played, amount, limits, runner) if played else {}
    for name in arms:
        if name not in played:
            plain = _read(setting, name).name
            found[name] = Duel(setting, plain, setting.tip(name), "", 0, verdicts.VACUOUS, limits.zone)
    return [found[name] for name in arms if name in found]


def _played(setting: Setting, arms: Sequence[str], amount: int, limits: Limits, runner: Runner) -> dict[str, Duel]:
    """The Duels of arms that have something to decide, by expression."""
    minds = tuple(_read(setting, name) for name in arms)
    base, opponent = _read(setting, setting.baseline), _read(setting, setting.against)
    measure = LayingDuel(setting.variant, setting.players, minds, base, opponent, setting.seed, setting.games)

    def reading(place: int, tally: Tally) -> _Reading:
        return _Reading(measure.only([place]), tally, limits.stop)

    def judged(place: int, tally: Tally) -> Duel:
        return _judged(setting, setting.tip(arms[place]), reading(place, tally), limits)

    def decided(place: int, tally: Tally) -> bool:
        return stopping.may_stop(judged(place, tally), limits.stop)

    def watch(place: int, tally: Tally) -> tuple[str, Estimate]:
        return minds[place].name, reading(place, tally).effect(0)

    tallies = stopping.play(
        measure, amount, limits.stop, decided, runner,
        title=setting.title, labels=[setting.label(mind.name) for mind in minds], watch=watch,
    )  # fmt: skip
    return {arms[place]: judged(place, tally) for place, tally in enumerate(tallies) if tally.counts}


def _read(setting: Setting, expression: str) -> Laid:
    return read_laid(setting.family, expression, setting.files)


def decides_nothing(name: str, setting: Setting) -> bool:
    """Whether an arm has nothing to decide beside the baseline: see ``insight.duels.is_vacuous``."""
    tip = setting.tip(name)
    return bool(unused_fields(name, setting)) or (tip is not None and tip.decision not in _decisions(setting))


def unused_fields(name: str, setting: Setting) -> tuple[str, ...]:
    """The fields in which an arm differs from its baseline, if all are about decisions that do not exist here."""
    differing = differing_fields(_read(setting, name), _read(setting, setting.baseline))
    exist = _decisions(setting)
    unused = {name for name in differing if DECIDED_BY.get(name, "") not in {"", *exist}}
    return tuple(sorted(unused)) if unused == differing else ()


def _decisions(setting: Setting) -> frozenset[str]:
    rules = setting.variant.rules
    assert isinstance(rules, MeldRules | SnitchRules)
    return decisions_of(rules)


@dataclass(frozen=True)
class _Reading:
    """Estimates out of the moments of a LayingDuel."""

    measure: LayingDuel
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
        """Whether an arm is its baseline under another name."""
        variant, one = self.measure.variant, self.measure.arms[arm]
        return deciding(variant, one) == deciding(variant, self.measure.baseline)

    def effect(self, arm: int, confidence: float = 0.95) -> Estimate:
        """Effect over all seats."""
        sums = Sums(self.n, int(self.tally["sums"][arm]), int(self.tally["squares"][arm]))
        differing = int(self.tally["gained"][arm]), int(self.tally["lost"][arm])
        most = self.measure.most * self.measure.players
        found = self._mean(arm, sums, Extremes(*differing, most), self.measure.divisor, confidence)
        if self.measure.games and self.measure.baseline == self.measure.opponent:
            # The baseline then wins one game in all seats together, so the arm can lose no more than that.
            return kept_within(found, -1 / self.measure.players, 1.0)
        return found

    def seat(self, arm: int, seat: int) -> Estimate:
        """Effect in one seat of the first deal, 0 = left of the dealer."""
        sums = Sums(self.n, int(self.tally["seat_sums"][arm, seat]), int(self.tally["seat_squares"][arm, seat]))
        changed = min(int(self.tally["seat_changed"][arm, seat]), sums.squares)
        return self._mean(arm, sums, Extremes(changed, changed, self.measure.most), self.measure.seat_divisor, 0.95)

    def _mean(self, arm: int, sums: Sums, extremes: Extremes, divisor: int, confidence: float) -> Estimate:
        if self.alike(arm):
            return Estimate(0.0, 0.0, 0.0, self.n, self.unit, "one strategy under two names", exact=True)
        return stopping.mean_at_look(self.stop, sums, extremes, divisor, self.unit, confidence=confidence)

    def share(self, name: str, arm: int, unit: str = SHARE_OF_DEALS) -> Estimate:
        """Share of duplicates that were ``gained``, ``lost`` or ``changed``."""
        return stopping.share_at_look(self.stop, int(self.tally[name][arm]), self.n, unit)


def _judged(setting: Setting, tip: Tip | None, reading: _Reading, limits: Limits) -> Duel:
    """One Duel with its verdict, by the chance to win or by points a deal."""
    arm = 0

    def at(confidence: float) -> Interval:
        return reading.effect(arm, confidence).interval

    corrected, equal = stopping.intervals_of_verdict(limits, at)
    never = not reading.tally["changed"][arm] and (reading.alike(arm) or unchanged_long_enough(reading.n))
    return Duel(
        setting=setting,
        arm=reading.measure.arms[arm].name,
        tip=tip,
        id=content_id(reading.measure.identity(arm))[0],
        n=reading.n,
        verdict=verdicts.verdict(corrected, limits.zone, followed=tip is not None and never, equal=equal),
        zone=limits.zone,
        effect=reading.effect(arm),
        seats=tuple(reading.seat(arm, seat) for seat in range(setting.players)),
        changed=reading.share("changed", arm, PLAYED_OTHERWISE),
        gained=reading.share("gained", arm),
        lost=reading.share("lost", arm),
        corrected=corrected,
    )
