"""Duels of two players counted over all deals, with what was sampled beside them as a check of both.

What a tip is worth in the play of two is a difference of exact margins: the shows and the turned card are the same
with and without it. So the exact value takes the place of the estimate, and its interval is gone; the deals that were
played stay beside it, and must agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Final

import numpy as np

from noddysim.engine.books import DataPlayer
from noddysim.engine.exactplay import player_of
from noddysim.engine.met import margins_of_all
from noddysim.engine.rolled import all_deals, play_key, three_each
from noddysim.engine.runner import Announce, silent
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.strategy_data import Strategy
from noddysim.insight import verdicts
from noddysim.insight.duels import Duel
from noddysim.insight.estimates import Estimate
from noddysim.insight.study import Study

STANDARD_ERRORS: Final = 4
"""How far a sampled value may lie from the counted one before something must be wrong."""
IDLE: Final = (verdicts.VACUOUS, verdicts.ALREADY_FOLLOWED)


def count_studies(studies: Sequence[Study], announce: Announce = silent) -> list[Study]:
    """Studies whose duels are counted wherever they can be; every other answer as it was.

    Raises RuntimeError if a counted value lies more than four standard errors from the sampled one.
    """
    duels = [duel for study in studies for duel in study.duels]
    found = dict(zip(map(id, duels), count_duels(duels, announce), strict=True))
    return [replace(study, duels=tuple(found[id(duel)] for duel in study.duels)) for study in studies]


def count_duels(duels: Sequence[Duel], announce: Announce = silent) -> list[Duel]:
    """The duels, those of deals of two with three cards each by their exact values."""
    groups: dict[str, list[int]] = {}
    for place, duel in enumerate(duels):
        if can_be_counted(duel):
            groups.setdefault(play_key(three_each(duel.setting.variant)), []).append(place)
    out = list(duels)
    progress = announce("counting duels of two", len(groups)) if groups else None
    for places in groups.values():
        for place, duel in zip(places, _count([duels[place] for place in places]), strict=True):
            out[place] = duel
        if progress:
            progress(1)
    return out


def can_be_counted(duel: Duel) -> bool:
    """Whether a duel is one of deals whose play can be rolled out, and has anything to count."""
    setting = duel.setting
    if (
        setting.is_laying
        or setting.games
        or setting.players != 2
        or duel.verdict in IDLE
        or duel.effect is None
        or duel.effect.exact
    ):
        return False
    try:
        three_each(setting.variant)
    except InputError:
        return False
    return True


def _count(duels: Sequence[Duel]) -> list[Duel]:
    """Duels of variants that play alike."""
    game = three_each(duels[0].setting.variant)
    sides = [(_read(duel, duel.arm), _read(duel, duel.setting.baseline)) for duel in duels]
    met = [_read(duel, duel.setting.against) for duel in duels]
    players = list(dict.fromkeys(strategy for pair in sides for strategy in pair))
    opponents = list(dict.fromkeys(met))
    margins = margins_of_all(
        game, [DataPlayer(game, one) for one in players], [player_of(game, one) for one in opponents]
    )
    found = []
    for duel, (arm, baseline), other in zip(duels, sides, met, strict=True):
        column = margins[:, opponents.index(other)]
        found.append(_counted(duel, column[players.index(arm)] - column[players.index(baseline)]))
    return found


def _read(duel: Duel, expression: str) -> Strategy:
    return parse_strategy(expression, duel.setting.files)


def _counted(duel: Duel, gains: np.ndarray) -> Duel:
    """A duel with its exact gains as pone and as dealer in the place of its estimates."""
    assert duel.effect is not None
    pairs = [(duel.effect, float(gains.mean())), *zip(duel.seats, gains.tolist(), strict=True)]
    for sampled, value in pairs:
        refuse_disagreement(duel, sampled, value)
    effect, *seats = (_exact(sampled.unit, value) for sampled, value in pairs)
    exact = replace(duel, effect=effect, seats=tuple(seats), sampled=duel.concerned)
    value = exact.concerned.interval if exact.concerned else (None, None)
    return replace(exact, corrected=value, verdict=verdicts.verdict(value, duel.zone))


def _exact(unit: str, value: float) -> Estimate:
    return Estimate(value, value, value, all_deals(3), unit, "all deals counted", exact=True)


def refuse_disagreement(duel: Duel, sampled: Estimate, value: float) -> None:
    """Raise RuntimeError if a sampled value lies too far from the counted one: one of the two must then be wrong."""
    if sampled.half_width is None:
        return
    error = sampled.half_width / NormalDist().inv_cdf((1 + sampled.confidence) / 2)
    if abs(sampled.estimate - value) > STANDARD_ERRORS * error:
        setting = duel.setting
        raise RuntimeError(
            f"{duel.arm} beside {setting.baseline} against {setting.against} ({setting.variant.name}): sampled "
            f"{sampled.estimate:.6f}, counted {value:.6f}, standard error {error:.6f}"
        )
