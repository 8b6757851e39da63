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
from noddysim.engine.measures import MAX_ARMS, DuelCount, content_id, duel_chunk
from noddysim.engine.runner import Runner
from noddysim.engine.scoring import as_variant
from noddysim.game.experiment import FIXED, Stop, check_amount, check_seed, check_zone
from noddysim.game.expressions import parse_strategy, strategy_files, tip_of
from noddysim.game.strategy_data import USUAL, PolicyKind, Strategy, Tip, identity
from noddysim.insight import sequences, stats, stopping, verdicts
from noddysim.insight.duplicates import FEWEST, Extremes, kept_within, mean_of_duplicates, unchanged_long_enough
from noddysim.insight.estimates import CHANCE, NO_INTERVAL, PER_OCCASION, POINTS, POINTS_IN_SEAT, Estimate, Interval
from noddysim.insight.stats import Sums
from noddysim.insight.swings import largest_swing

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.engine.tally import Tally
    from noddysim.game.rules import Variant

ALPHA = 0.05
"""Error rate of a verdict where the number of duplicates was fixed beforehand."""
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
    return duels(setting, [one], amount, limits, runner=Runner(workers, lambda title, total: progress or _unheard))[0]


def _unheard(done: int) -> None:
    """Report progress to nobody."""


@dataclass(frozen=True)
class Limits:
    """How verdicts are given: the zone that does not matter, how many arms are tested together, when they stop."""

    zone: float
    family: int = 1
    stop: Stop = FIXED


def duels(
    setting: Setting,
    arms: Sequence[str],
    amount: int,
    limits: Limits,
    *,
    scale: str | None = "careful",
    runner: Runner | None = None,
) -> list[Duel]:
    """Play several arms over the same duplicates of one setting; one Duel an arm, in order.

    ``scale`` names the best strategy known, for the place between it and a random choice (None: no scale). After an
    interrupt an arm of which nothing was played is left out.
    """
    runner = runner or Runner()
    room = MAX_ARMS - 2 * len(DECISIONS)
    if len(arms) > room:
        parts = [arms[first : first + room] for first in range(0, len(arms), room)]
        return [one for part in parts for one in duels(setting, part, amount, limits, scale=scale, runner=runner)]
    strategies = {name: setting.read(name) for name in arms}
    tips = {name: tip for name in arms if (tip := _tip(name, setting))}
    vacuous = [name for name in arms if is_vacuous(name, setting)]
    played = [name for name in arms if name not in vacuous]
    decided = sorted({tips[name].decision for name in played if name in tips}) if scale else []
    marks = {kind: tuple(_mark(name, kind, setting) for name in ("random", str(scale))) for kind in decided}
    shown = list(dict.fromkeys(strategies[name] for name in played))
    parsed = list(dict.fromkeys([*shown, *(one for pair in marks.values() for one in pair)]))
    scales: dict[str, tuple[int, int, int]] = {}
    for name in played:
        if name in tips and tips[name].decision in marks:
            zero, hundred = (parsed.index(mark) for mark in marks[tips[name].decision])
            scales[name] = parsed.index(strategies[name]), zero, hundred
    game = peg_game(setting.variant, setting.players)
    found: dict[str, Duel] = {}
    if played:
        opponents = setting.read(setting.baseline), setting.read(setting.against)
        measure = DuelCount(
            game, tuple(parsed), *opponents, setting.seed, setting.games, duel_chunk(len(parsed), setting.games),
            tuple(range(len(shown))), tuple(dict.fromkeys(scales.values())),
        )  # fmt: skip
        labels = [_label(setting, arm) for arm in shown]
        places = {name: parsed.index(strategies[name]) for name in played}

        def judged(name: str, tally: Tally, scaled: Estimate | None = None) -> Duel:
            reading = Reading(measure.only([places[name]]), tally, limits.stop)
            return _judged(setting, strategies[name].name, tips.get(name), reading, scaled, limits)

        def may_stop(place: int, tally: Tally) -> bool:
            names = [name for name in played if places[name] == place]
            return all(_may_stop(judged(name, tally), limits.stop) for name in names)

        def watch(place: int, tally: Tally) -> tuple[str, Estimate]:
            return shown[place].name, Reading(measure.only([place]), tally, limits.stop).effect(0)

        tallies = stopping.play(
            measure, amount, limits.stop, may_stop, runner, title=_title(setting), labels=labels, watch=watch
        )
        for name in played:
            if tallies[places[name]].counts:
                scaled = None
                if name in scales and limits.stop.rule != "sequential":
                    scaled = scale_of(tallies[len(shown) + measure.scales.index(scales[name])])
                found[name] = judged(name, tallies[places[name]], scaled)
    for name in vacuous:
        found[name] = Duel(setting, strategies[name].name, tips.get(name), "", 0, verdicts.VACUOUS, limits.zone)
    return [found[name] for name in arms if name in found]


def _title(setting: Setting) -> str:
    """What a progress line says of the duels of a setting."""
    what = "games" if setting.games else "deals"
    return f"{setting.variant.name}, {setting.players} players, {setting.baseline} v. {setting.against}: {what}"


def _may_stop(found: Duel, stop: Stop) -> bool:
    """Whether a stopping rule ends a comparison that looks like this."""
    seen = found.concerned
    if stop.rule == "precision":
        return seen is not None and seen.half_width is not None and seen.half_width <= (stop.half_width or 0)
    # A bound is right for one look only, and decides nothing before the last.
    sure = seen is not None and (seen.exact or seen.method == sequences.METHOD)
    return found.verdict == verdicts.ALREADY_FOLLOWED or (sure and found.verdict != verdicts.UNDECIDED)


def _label(setting: Setting, arm: Strategy) -> dict[str, Any]:
    """What ``noddysim runs`` shows of an arm."""
    return {
        "arm": arm.name, "variant": setting.variant.name, "players": setting.players, "baseline": setting.baseline,
        "against": setting.against, "of": "games" if setting.games else "deals",
    }  # fmt: skip


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
    stop: Stop = FIXED
    """After a decision the intervals are those of a confidence sequence."""

    @property
    def sequential(self) -> bool:
        """Whether the number of duplicates was decided by looking at the effect."""
        return self.stop.rule == "sequential"

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
        if self.sequential:
            return sequences.sequence_of_duplicates(
                sums, extremes, divisor, self.unit, confidence=confidence, tightest=self.stop.tightest
            )
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
        players = self.measure.game.players
        if self.sequential:
            found = sequences.sequence_from_sums(*sums, players, unit, tightest=self.stop.tightest)
        else:
            found = stats.mean_from_sums(*sums, divisor=players, unit=unit, method="t")
        return kept_within(found, 0.0, math.inf)

    def occasion(self, arm: int) -> Estimate | None:
        """Effect for each card changed; none after a decision, where no interval for it would be right."""
        if self.sequential:
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
        if self.sequential:
            seen = int(self.tally[name][arm])
            found = sequences.sequence_from_sums(self.n, seen, seen, unit=SHARE_OF_DEALS, tightest=self.stop.tightest)
            return kept_within(found, 0.0, 1.0)
        return stats.proportion(int(self.tally[name][arm]), self.n, SHARE_OF_DEALS)


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

    def corrected(alpha: float) -> Interval:
        confidence = stats.family_confidence(limits.family, 1 - alpha)
        return (reading.seat(arm, 0, confidence) if in_seat else reading.effect(arm, confidence)).interval

    alpha, beta = (limits.stop.alpha, limits.stop.beta) if reading.sequential else (ALPHA, ALPHA)
    looked_at = corrected(alpha)
    never = not reading.tally["changed"][arm] and (reading.alike(arm) or unchanged_long_enough(reading.n))
    return Duel(
        setting=setting,
        arm=name,
        tip=tip,
        id=content_id(reading.measure.identity(arm))[0],
        n=reading.n,
        verdict=verdicts.verdict(
            looked_at, limits.zone, followed=tip is not None and never, equal=corrected(beta) if beta != alpha else None
        ),
        zone=limits.zone,
        effect=reading.effect(arm),
        seats=tuple(reading.seat(arm, seat) for seat in range(len(setting.side_names))),
        occasion=reading.occasion(arm),
        changed=reading.changed(arm),
        gained=reading.share("gained", arm),
        lost=reading.share("lost", arm),
        scale=scale,
        corrected=looked_at,
    )
