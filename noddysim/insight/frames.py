"""The answers of experiments as one tidy table: one row an estimate, the same columns for every kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.game.rules import Variant
    from noddysim.insight.duels import Duel
    from noddysim.insight.estimates import Estimate
    from noddysim.insight.study import Study

COLUMNS: Final = (
    "experiment", "kind", "id", "variant", "players", "target", "arm", "baseline", "against", "of", "metric",
    "estimate", "low", "high", "unit", "n", "method", "exact", "confidence", "verdict",
)  # fmt: skip


def studies_frame(studies: Sequence[Study]) -> pd.DataFrame:
    """One row for each estimate of each study: what was played, the metric, the estimate with its interval.

    ``arm`` is the strategy where all seats play the same. What a kind does not have is left empty.
    """
    import pandas as pd

    rows = [
        {"experiment": study.experiment.name, "kind": study.experiment.kind, **row}
        for study in studies
        for row in _rows(study)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _rows(study: Study) -> Iterator[dict[str, Any]]:
    for duel in study.duels:
        yield from _of_duel(duel)
    for row in study.comparison.rows if study.comparison else ():
        head = {"id": row.id, **_played(row.variant, row.players), "arm": row.strategy, "of": "games"}
        wins = {f"wins as {name}": share for name, share in zip(row.side_names, row.seat_wins, strict=True)}
        counted = {"wins counted": row.counted} if row.counted else {}
        for metric, value in {"edge": row.edge, **wins, **counted, **row.metrics}.items():
            yield {**head, "metric": metric, **value.to_json(), "verdict": row.verdict if metric == "edge" else None}
    for lead in study.leads:
        head = {"id": lead.id, "variant": lead.variant, "players": lead.players, "arm": lead.strategy, "of": "deals"}
        for seat, columns in enumerate(lead.seats, 1):
            for metric, value in columns.items():
                yield {**head, "metric": f"{metric} of seat {seat}, {lead.rank} led", **value.to_json()}
    for fact in study.facts:
        yield {"id": fact.name, "metric": fact.name, **fact.to_json(), "verdict": "exact"}


def _of_duel(duel: Duel) -> Iterator[dict[str, Any]]:
    setting = duel.setting
    head = {
        "id": duel.id or None, **_played(setting.variant, setting.players), "arm": duel.arm,
        "baseline": setting.baseline, "against": setting.against, "of": "games" if setting.games else "deals",
    }  # fmt: skip
    if duel.effect is None:
        yield {**head, "metric": "effect", "verdict": duel.verdict}
        return
    seats = {f"as {name}": seat for name, seat in zip(setting.side_names, duel.seats, strict=True)}
    changed = "played otherwise" if setting.is_laying else "cards changed"
    more: dict[str, Estimate | None] = {"per occasion": duel.occasion, changed: duel.changed}
    for metric, value in {"effect": duel.effect, **seats, **more, "scale": duel.scale}.items():
        if value is not None:
            verdict = duel.verdict if metric == "effect" else None
            yield {**head, "metric": metric, **value.to_json(), "verdict": verdict}


def _played(variant: Variant, players: int) -> dict[str, Any]:
    return {"variant": variant.name, "players": players, "target": variant.rules.target}
