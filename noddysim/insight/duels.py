"""Duels: what a strategy, or a piece of advice, is worth beside a baseline, on the same cards.

Evidence comes from duplicates: the same deal (or the same stream of deals of a game) with the arm in each seat in turn
and then the baseline in each seat in turn, each against the same opponent. Without an opponent the two meet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noddysim.engine import batch
from noddysim.engine.games import decisions, peg_game, show_game
from noddysim.engine.measures import MAX_ARMS, DuelCount, content_id
from noddysim.engine.scoring import as_variant
from noddysim.game.experiment import check_amount, check_seed, check_zone
from noddysim.game.expressions import parse_strategy, strategy_files, tip_of
from noddysim.game.strategy_data import USUAL, PolicyKind, Strategy, Tip, identity
from noddysim.insight import stats, verdicts
from noddysim.insight.duplicates import FEWEST, Extremes, kept_within, mean_of_duplicates, unchanged_long_enough
from noddysim.insight.estimates import CHANCE, NO_INTERVAL, PER_OCCASION, POINTS, POINTS_IN_SEAT, Estimate
from noddysim.insight.stats import Sums
from noddysim.insight.swings import largest_swing

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.engine.tally import Tally
    from noddysim.game.rules import Variant

CARDS_A_DEAL = "cards changed a deal"
SHARE_OF_DEALS = "share of duplicates"
DECISIONS = {"lead": ":lead", "follow": ":follow", "play": ""}
"""How a strategy is confined to a decision: the suffix of its name in an expression."""


@dataclass(frozen=True)
class Setting:
    """Where duels are fought: a variant, a number of players, the baseline, the opponent, the seed."""

    variant: Variant
    players: int
    baseline: str
    against: str
    seed: int
    games: bool = False
    files: tuple[Path, ...] = ()
    """The user's strategy files whose names the expressions use."""

    @property
    def side_names(self) -> tuple[str, ...]:
        """Names of the sides, the eldest's first: seats where everybody is alone, else pairs of partners."""
        return show_game(self.variant, self.players).side_names

    def read(self, expression: str) -> Strategy:
        """The strategy of an expression, the user's own by name too."""
        return parse_strategy(expression, self.files)


@dataclass(frozen=True)
class Duel:
    """The answer to one comparison. Every Estimate comes from the same duplicates; None where there is none."""

    setting: Setting
    arm: str
    tip: Tip | None
    id: str
    n: int
    verdict: str
    zone: float
    effect: Estimate | None = None
    """Per deal (or the chance to win a game) over all sides."""
    seats: tuple[Estimate, ...] = ()
    """The same at each side, the eldest's first; without partners a side is a seat."""
    occasion: Estimate | None = None
    """For each card that the arm lays otherwise than the baseline."""
    changed: Estimate | None = None
    """How many cards a deal (or a game) a player lays otherwise."""
    gained: Estimate | None = None
    lost: Estimate | None = None
    scale: Estimate | None = None
    """Where the arm stands from 0 (any card at that decision) to 100 (the best strategy known)."""
    corrected: tuple[float | None, float | None] = NO_INTERVAL
    """The interval that the verdict looks at, widened for the number of arms tested together."""
    sampled: Estimate | None = None
    """Where the effects were counted over all deals: what the deals played gave in the seat concerned, as a check."""

    @property
    def concerned(self) -> Estimate | None:
        """The effect in the seat concerned: eldest for advice on the lead, else (and for games) that over all seats."""
        in_seat = self.seats and self.concerns_eldest and not self.setting.games
        return self.seats[0] if in_seat else self.effect

    @property
    def concerns_eldest(self) -> bool:
        """Whether the advice bears on one seat only."""
        return self.tip is not None and self.tip.seat == "eldest"

    @property
    def seat_concerned(self) -> str:
        """Name of the seat concerned."""
        return self.setting.side_names[0] if self.concerns_eldest else "every seat"

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim duel --json``; seats are numbered from 1 = eldest."""
        head = self.effect.to_json() if self.effect else {
            "estimate": None, "low": None, "high": None, "unit": CHANCE if self.setting.games else POINTS,
            "n": self.n, "method": "nothing to measure", "exact": False, "confidence": 0.95,
        }  # fmt: skip
        return {
            **head,
            "verdict": self.verdict,
            "id": self.id,
            "variant": self.setting.variant.name,
            "players": self.setting.players,
            "arm": self.arm,
            "baseline": self.setting.baseline,
            "against": self.setting.against,
            "seed": self.setting.seed,
            "zone": self.zone,
            "seats": [{"seat": place + 1, **seat.to_json()} for place, seat in enumerate(self.seats)],
            "seat_concerned": self.seat_concerned,
            "in_seat_concerned": _json(self.concerned),
            "per_occasion": _json(self.occasion),
            "changed": _json(self.changed),
            "gained": _json(self.gained),
            "lost": _json(self.lost),
            "scale": _json(self.scale),
        }

    @property
    def table(self) -> pd.DataFrame:
        """One row an estimate: what, estimate, low, high, unit, n."""
        import pandas as pd

        rows = {"all seats": self.effect, "seat concerned": self.concerned}
        names = self.setting.side_names
        rows.update({f"as {name}": seat for name, seat in zip(names, self.seats, strict=False)})
        rows.update({"per occasion": self.occasion, "cards changed": self.changed, "scale": self.scale})
        found = [{"what": what, **value.to_json()} for what, value in rows.items() if value is not None]
        return pd.DataFrame(found, columns=["what", "estimate", "low", "high", "unit", "n"])

    def plot(self, ax: Any = None) -> Any:
        """Draw the effect by seat with its intervals; returns the matplotlib axes."""
        from noddysim.insight.plots import plot_duel

        return plot_duel(self, ax)

    def _repr_html_(self) -> str:
        return str(self.table.to_html(index=False))


def _json(value: Estimate | None) -> dict[str, Any] | None:
    return None if value is None else value.to_json()


def duel(
    variant: Variant | str,
    arm: str,
    baseline: str,
    *,
    against: str | None = None,
    players: int = 2,
    deals: int | None = None,
    games: int | None = None,
    seed: int = 1589,
    zone: float | None = None,
    workers: int | None = None,
    progress: batch.Progress | None = None,
) -> Duel:
    """Hold ``arm`` against ``baseline`` on duplicates and return effect, interval and verdict.

    variant : as from ``noddysim.variant``, or its name or path; arm, baseline, against : strategy expressions (without
    ``against`` the two meet); deals or games : duplicates to play (default 200,000 deals); zone : what is too small to
    matter, in points a deal in the seat concerned, or as a chance to win. Raises InputError for names or numbers that
    do not exist.
    """
    names = arm, baseline, against or baseline
    files = strategy_files(names)
    one, base, opponent = (parse_strategy(name, files).name for name in names)
    setting = Setting(as_variant(variant), players, base, opponent, check_seed(seed), games is not None, files)
    amount = check_amount(games if games is not None else deals if deals is not None else 200_000)
    unit = CHANCE if setting.games else POINTS_IN_SEAT
    limits = Limits(verdicts.default_zone(unit) if zone is None else check_zone(zone))
    return duels(setting, [one], amount, limits, workers=workers, progress=progress)[0]


@dataclass(frozen=True)
class Limits:
    """How verdicts are given: the zone that does not matter, and how many arms are tested together."""

    zone: float
    family: int = 1


def duels(
    setting: Setting,
    arms: Sequence[str],
    amount: int,
    limits: Limits,
    *,
    scale: str | None = "careful",
    workers: int | None = None,
    progress: batch.Progress | None = None,
) -> list[Duel]:
    """Play several arms over the same duplicates of one setting; one Duel an arm, in order.

    ``scale`` names the best strategy known, for the place between it and a random choice (None: no scale).
    """
    room = MAX_ARMS - 2 * len(DECISIONS)
    if len(arms) > room:
        parts = [arms[first : first + room] for first in range(0, len(arms), room)]
        return [
            one
            for part in parts
            for one in duels(setting, part, amount, limits, scale=scale, workers=workers, progress=progress)
        ]
    strategies = {name: setting.read(name) for name in arms}
    tips = {name: tip for name in arms if (tip := _tip(name, setting))}
    vacuous = [name for name in arms if is_vacuous(name, setting)]
    played = [name for name in arms if name not in vacuous]
    decided = sorted({tips[name].decision for name in played if name in tips}) if scale else []
    marks = {kind: tuple(_mark(name, kind, setting) for name in ("random", str(scale))) for kind in decided}
    parsed = list(
        dict.fromkeys([strategies[name] for name in played] + [one for pair in marks.values() for one in pair])
    )
    game = peg_game(setting.variant, setting.players)
    found: dict[str, Duel] = {}
    if played:
        opponents = setting.read(setting.baseline), setting.read(setting.against)
        measure = DuelCount(game, tuple(parsed), *opponents, setting.seed, setting.games)
        tally = batch.run(measure, amount, workers=workers, progress=progress)
        reading = Reading(measure, tally)
        for name in played:
            tip, place = tips.get(name), parsed.index(strategies[name])
            pair = marks.get(tip.decision) if tip else None
            scaled = reading.scale(place, *(parsed.index(mark) for mark in pair)) if pair else None
            found[name] = _judged(setting, strategies[name].name, tip, reading, place, scaled, limits)
    for name in vacuous:
        found[name] = Duel(setting, strategies[name].name, tips.get(name), "", 0, verdicts.VACUOUS, limits.zone)
    return [found[name] for name in arms]


def is_vacuous(name: str, setting: Setting) -> bool:
    """Whether an arm has nothing to decide beside the baseline of the setting.

    So it is with a tip on a decision that the variant does not have with that many players, and with two strategies
    that differ in such decisions alone: in how they lay away, or mog, where nobody does.
    """
    tip = _tip(name, setting)
    exist = decisions(setting.variant, setting.players)
    return bool(unused_parts(name, setting)) or (tip is not None and tip.decision not in exist)


def unused_parts(name: str, setting: Setting) -> tuple[PolicyKind, ...]:
    """The policies in which an arm differs from its baseline, if it differs in nothing else and none is ever asked.

    Empty for two strategies that play alike everywhere: they are compared like any others.
    """
    one, other = (identity(setting.read(part), frozenset(USUAL)) for part in (name, setting.baseline))
    differing = {part for part in one if one[part] != other[part]}
    exist = decisions(setting.variant, setting.players)
    return tuple(kind for kind in USUAL if kind in differing) if differing.isdisjoint(exist) else ()


def _tip(name: str, setting: Setting) -> Tip | None:
    """The tip of ``TIP@BASELINE`` if it stands on this very baseline."""
    parts = tip_of(name, setting.files)
    return parts[0] if parts and parts[1] == setting.baseline else None


def _mark(name: str, decision: str, setting: Setting) -> Strategy:
    """A strategy at one decision only, the baseline elsewhere."""
    baseline = setting.read(setting.baseline)
    if decision == "discard":
        whole = f"{name}+low" if name == "random" else name
        return replace(baseline, name=f"{name}, laying away", discard=setting.read(whole).discard)
    if decision == "mog":
        whole = "mog-random+low" if name == "random" else name
        return replace(baseline, name=f"{name}, mogging", mog=setting.read(whole).mog)
    suffix = DECISIONS[decision]
    one = setting.read(f"{name}{suffix}@{setting.baseline}" if suffix else name)
    return replace(one, discard=baseline.discard, mog=baseline.mog)


@dataclass(frozen=True)
class Reading:
    """Estimates out of the moments of a DuelCount."""

    measure: DuelCount
    tally: Tally

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
        sums = Sums(self.n, int(self.tally["sums"][arm]), int(self.tally["products"][arm, arm]))
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
        return mean_of_duplicates(sums, extremes, divisor, self.unit, confidence=confidence)

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
        found = stats.mean_from_sums(*sums, divisor=self.measure.game.players, unit=unit, method="t")
        return kept_within(found, 0.0, math.inf)

    def occasion(self, arm: int) -> Estimate | None:
        """Effect for each card changed."""
        moments = stats.PairSums(
            int(self.tally["occasions"][arm]),
            int(self.tally["sums"][arm]),
            int(self.tally["changed"][arm]),
            int(self.tally["products"][arm, arm]),
            int(self.tally["cross"][arm]),
            int(self.tally["changed_squares"][arm]),
        )
        unit = "chance to win an occasion" if self.measure.games else PER_OCCASION
        found = stats.ratio_from_sums(moments, self.measure.seat_divisor, unit=unit)
        return None if found is None else kept_within(found, -self.swing, self.swing)

    def share(self, name: str, arm: int) -> Estimate:
        """Share of duplicates that were ``gained`` or ``lost``."""
        return stats.proportion(int(self.tally[name][arm]), self.n, SHARE_OF_DEALS)

    def scale(self, arm: int, zero: int, hundred: int) -> Estimate | None:
        """Place of an arm between two others, from 0 to 100; None with too few duplicates to tell them apart."""
        if self.n < FEWEST:
            return None
        places = [arm, zero, hundred]
        sums = [int(self.tally["sums"][place]) for place in places]
        products = [[int(self.tally["products"][a, b]) for b in places] for a in places]
        return stats.scale_from_paired(self.n, sums, products)


def _judged(
    setting: Setting, name: str, tip: Tip | None, reading: Reading, arm: int, scale: Estimate | None, limits: Limits
) -> Duel:
    """One Duel with its verdict: by the chance to win for games, else by points in the seat concerned."""
    confidence = stats.family_confidence(limits.family)
    in_seat = tip is not None and tip.seat == "eldest" and not setting.games
    corrected = (reading.seat(arm, 0, confidence) if in_seat else reading.effect(arm, confidence)).interval
    never = not reading.tally["changed"][arm] and (reading.alike(arm) or unchanged_long_enough(reading.n))
    return Duel(
        setting=setting,
        arm=name,
        tip=tip,
        id=content_id(reading.measure.identity(arm))[0],
        n=reading.n,
        verdict=verdicts.verdict(corrected, limits.zone, followed=tip is not None and never),
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
