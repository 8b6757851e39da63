"""Duels: what a strategy, or a piece of advice, is worth beside a baseline, on the same cards.

Evidence comes from duplicates: the same deal (or the same stream of deals of a game) with the arm in each seat in turn
and then the baseline in each seat in turn, each against the same opponent. Without an opponent the two meet. What is
counted, and how it is read, depends on the family of games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from noddysim.engine import batch
from noddysim.engine.games import check_players
from noddysim.engine.laying import deals_allowed
from noddysim.engine.runner import Runner
from noddysim.engine.scoring import as_variant
from noddysim.game.experiment import check_amount, check_seed, check_zone
from noddysim.game.laying_data import MELDING, SETS
from noddysim.game.minds import read_mind
from noddysim.game.userfiles import strategy_files
from noddysim.game.userfunctions import Function, given_function
from noddysim.insight import laying, pegging_duels, verdicts
from noddysim.insight.estimates import CHANCE, POINTS_IN_SEAT
from noddysim.insight.settings import Duel as Duel
from noddysim.insight.settings import Limits as Limits
from noddysim.insight.settings import Setting as Setting

if TYPE_CHECKING:
    from noddysim.game.rules import Variant

USUAL_DEALS: Final = 200_000
USUAL_MELDING_GAMES: Final = 50_000
USUAL_SET_DEALS: Final = 10_000


def usual_amount(variant: Variant, deals: int | None, games: int | None) -> tuple[int, bool]:
    """How many duplicates are played where a number is given or none, and whether they are whole games.

    Raises InputError for deals of a game that is measured by games alone.
    """
    if deals is not None:
        if variant.family.name == MELDING:
            deals_allowed(variant)
        return deals, False
    if games is not None:
        return games, True
    if variant.family.name == MELDING:
        return USUAL_MELDING_GAMES, True
    return USUAL_SET_DEALS if variant.family.name == SETS else USUAL_DEALS, False


def duel(
    variant: Variant | str,
    arm: str | Function,
    baseline: str | Function,
    *,
    against: str | Function | None = None,
    players: int | None = None,
    deals: int | None = None,
    games: int | None = None,
    seed: int = 1589,
    zone: float | None = None,
    workers: int | None = None,
    progress: batch.Progress | None = None,
) -> Duel:
    """Hold ``arm`` against ``baseline`` on duplicates and return effect, interval and verdict.

    variant : as from ``noddysim.variant``, or its name or path; arm, baseline, against : strategy expressions, or
    functions of one's own for two players with three cards each (``engine.functions``; without ``against`` the two
    meet); players : the fewest that the variant allows if left out; deals or games : duplicates to
    play (default 200,000 deals; 50,000 games where melds are laid, 10,000 deals where sets are); zone : what is too
    small to matter, in points a deal in the seat concerned, or as a chance to win. Raises InputError for names or
    numbers that do not exist.
    """
    rules = as_variant(variant)
    n = rules.rules.players[0] if players is None else check_players(rules, players)
    names = [_expression(given) for given in (arm, baseline, against or baseline)]
    files = strategy_files(names)
    one, base, opponent = (read_mind(rules.family.name, name, files).name for name in names)
    amount, by_games = usual_amount(rules, deals if games is None else None, games)
    setting = Setting(rules, n, base, opponent, check_seed(seed), by_games, files)
    unit = CHANCE if setting.games else POINTS_IN_SEAT
    limits = Limits(verdicts.default_zone(unit) if zone is None else check_zone(zone))
    runner = Runner(workers, lambda title, total: progress or _unheard)
    return duels(setting, [one], check_amount(amount), limits, runner=runner)[0]


def _expression(given: str | Function) -> str:
    return given if isinstance(given, str) else given_function(given).name


def _unheard(done: int) -> None:
    """Report progress to nobody."""


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

    ``scale`` names the best strategy known, for the place between it and a random choice (None: no scale, and there is
    none where melds or sets are laid). After an interrupt an arm of which nothing was played is left out.
    """
    runner = runner or Runner()
    if setting.is_laying:
        return laying.laid_duels(setting, arms, amount, limits, runner)
    return pegging_duels.pegging_duels(setting, arms, amount, limits, runner, scale=scale)


def is_vacuous(name: str, setting: Setting) -> bool:
    """Whether an arm has nothing to decide beside the baseline of the setting.

    So it is with a tip on a decision that the variant does not have with that many players, and with two strategies
    that differ in such decisions alone.
    """
    if setting.is_laying:
        return laying.decides_nothing(name, setting)
    return pegging_duels.decides_nothing(name, setting)


def unused_parts(name: str, setting: Setting) -> tuple[str, ...]:
    """The parts in which an arm differs from its baseline, if it differs in nothing else and none is ever asked.

    Empty for two strategies that play alike everywhere: they are compared like any others.
    """
    if setting.is_laying:
        return laying.unused_fields(name, setting)
    return pegging_duels.unused_policies(name, setting)
