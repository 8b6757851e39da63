"""Duels in the games in which melds or sets are laid: what one strategy gains over another on the same cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from noddysim.engine import batch
from noddysim.engine.games import check_players
from noddysim.engine.laying import LayingDuel, Mind, deals_allowed
from noddysim.engine.measures import content_id
from noddysim.game.experiment import check_amount, check_seed, check_zone
from noddysim.game.laying import melder, setter
from noddysim.game.meldmodels import MeldRules
from noddysim.game.rules import Variant
from noddysim.insight import stats, verdicts
from noddysim.insight.duplicates import Extremes, mean_of_duplicates
from noddysim.insight.estimates import CHANCE, POINTS, Estimate
from noddysim.insight.stats import Sums

MOST_IN_A_DEAL: Final = 1080
"""Points in two packs with four jokers: no margin is greater."""
USUAL_GAMES: Final = 50_000
USUAL_DEALS: Final = 10_000


@dataclass(frozen=True)
class LaidDuel:
    """The answer to one comparison; ``persons`` holds the effect by person, whose numbers begin with 1."""

    measure: LayingDuel
    id: str
    verdict: str
    zone: float
    effect: Estimate
    persons: tuple[Estimate, ...]
    gained: Estimate
    lost: Estimate

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim duel --json`` that a game without a play of cards has."""
        measure = self.measure
        return {
            **self.effect.to_json(),
            "verdict": self.verdict,
            "id": self.id,
            "variant": measure.variant.name,
            "players": measure.players,
            "arm": measure.arm.name,
            "baseline": measure.baseline.name,
            "against": measure.opponent.name,
            "seed": measure.seed,
            "zone": self.zone,
            "seats": [{"seat": place + 1, **one.to_json()} for place, one in enumerate(self.persons)],
            "gained": self.gained.to_json(),
            "lost": self.lost.to_json(),
        }


def mind_named(variant: Variant, name: str | Mind) -> Mind:
    """The strategy of a name for the family of a variant. Raises InputError for a name that there is not."""
    if isinstance(variant.rules, MeldRules):
        return melder(name)  # type: ignore[arg-type]
    return setter(name)  # type: ignore[arg-type]


def laying_duel(
    variant: Variant,
    arm: str | Mind,
    baseline: str | Mind,
    *,
    against: str | Mind | None = None,
    players: int | None = None,
    deals: int | None = None,
    games: int | None = None,
    seed: int = 1589,
    zone: float | None = None,
    workers: int | None = None,
    progress: batch.Progress | None = None,
) -> LaidDuel:
    """Hold ``arm`` against ``baseline`` on duplicates: each in the place of every person in turn, on the same cards.

    Without ``against`` the two meet. Games are measured by the chance to win, single deals (of games of sets only) by
    points a deal. Raises InputError for names or numbers that do not exist.
    """
    n = variant.rules.players[0] if players is None else check_players(variant, players)
    if deals is not None:
        deals_allowed(variant)
    by_games = deals is None and (games is not None or isinstance(variant.rules, MeldRules))
    usual = USUAL_GAMES if by_games else USUAL_DEALS
    amount = check_amount(games if games is not None else deals if deals is not None else usual)
    one, base = mind_named(variant, arm), mind_named(variant, baseline)
    opponent = base if against is None else mind_named(variant, against)
    measure = LayingDuel(variant, n, one, base, opponent, check_seed(seed), by_games)
    unit = CHANCE if by_games else POINTS
    limit = verdicts.default_zone(unit) if zone is None else check_zone(zone)
    tally = batch.run(measure, amount, workers=workers, progress=progress)
    number = int(tally["n"][0])
    gained, lost = int(tally["gained"][0]), int(tally["lost"][0])
    swing = 1 if by_games else MOST_IN_A_DEAL
    sums = Sums(number, int(tally["sums"][0]), int(tally["squares"][0]))
    effect = mean_of_duplicates(sums, Extremes(gained, lost, swing * measure.divisor), measure.divisor, unit)
    persons = tuple(
        mean_of_duplicates(
            Sums(number, int(tally["person_sums"][person]), int(tally["person_squares"][person])),
            Extremes(gained + lost, gained + lost, swing * measure.person_divisor),
            measure.person_divisor,
            unit,
        )
        for person in range(n)
    )
    return LaidDuel(
        measure,
        content_id(measure.identity())[0],
        verdicts.verdict(effect.interval, limit),
        limit,
        effect,
        persons,
        stats.proportion(gained, number, "share of duplicates"),
        stats.proportion(lost, number, "share of duplicates"),
    )
