"""What is measured, as HTML tables for a notebook: estimates with their intervals, no more digits than these allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from noddysim.engine.notebook import fact_html
from noddysim.game.htmltable import html_table
from noddysim.insight.estimates import CHANCE, Estimate
from noddysim.insight.numbers import format_count, format_estimate, format_number, format_percent
from noddysim.insight.rows import LENGTHS

if TYPE_CHECKING:
    from noddysim.insight.advice import Advice, Choice
    from noddysim.insight.analysis import Analysis
    from noddysim.insight.fairest import Fairest
    from noddysim.insight.handicap import Handicap
    from noddysim.insight.ratings import Ratings
    from noddysim.insight.rows import Comparison
    from noddysim.insight.sensitivity import Sensitivity
    from noddysim.insight.settings import Duel
    from noddysim.insight.study import Study

COUNTED_DIGITS: Final = 4
MADE: Final = ("fifteen", "thirtyone")
"""What the points after a lead are made of, in the table of leads."""


def number(value: Estimate | None, *, signed: bool = True) -> str:
    """An estimate with its interval; what was counted with the same number of places throughout; a dash for none."""
    if value is None:
        return "–"
    if not value.exact:
        return format_estimate(value, signed=signed)
    if value.unit == CHANCE:
        return format_percent(value.estimate, COUNTED_DIGITS - 1, signed=signed)
    return format_number(value.estimate, COUNTED_DIGITS, signed=signed)


def duel_html(found: Duel) -> str:
    """What an arm is worth, by seat, with the verdict above."""
    values = {"all seats": found.effect}
    values |= {f"as {name}": seat for name, seat in zip(found.setting.side_names, found.seats, strict=False)}
    values |= {"each card changed": found.occasion, "cards changed": found.changed, "place on the scale": found.scale}
    rows = [(what, number(value), value.unit) for what, value in values.items() if value is not None]
    where = found.setting
    title = (
        f"{found.arm} beside {where.baseline}, against {where.against}: {found.verdict.replace('-', ' ')} "
        f"({where.variant.name}, {where.players} players, {format_count(found.n)} "
        f"duplicates of {'games' if where.games else 'deals'})"
    )
    return html_table(title, ("", "estimate (95 % interval)", "unit"), rows)


def comparison_html(found: Comparison) -> str:
    """A row for every variant, and below it one for every difference."""
    kinds = ("edge", *LENGTHS)
    rows = [
        (row.variant.name, row.players, row.strategy, what, number(value, signed=what == "edge"), value.unit)
        for row in found.rows
        for what, value in {"edge": row.edge, **row.metrics}.items()
        if what in kinds
    ]
    rows += [
        (f"{one.a} less {one.b}", one.players, one.strategy, one.metric, number(one.value), one.value.unit)
        for one in found.differences
        if one.metric in kinds
    ]
    head = ("variant", "players", "strategy", "what", "estimate (95 % interval)", "unit")
    return html_table("Variants beside each other; edge: the first dealer's", head, rows)


def ratings_html(found: Ratings) -> str:
    """The ladder."""
    rows = [(place, name, number(value), value.unit) for place, (name, value) in enumerate(found.ladder, 1)]
    title = f"{found.robin.variant.title}, {found.robin.players} players: every strategy against every other"
    return html_table(title, ("place", "strategy", "against all others (95 % interval)", "unit"), rows)


def advice_html(found: Advice) -> str:
    """Everything that may be chosen, the best first."""
    values = any(one.value for one in found.choices)
    chances = any(one.chance for one in found.choices)
    head = ["choice", *(["points a deal", "loss"] if values else []), *(["wins", "loss of chance"] if chances else [])]
    rows = []
    for one in found.choices:
        cells = [f"{one.act} {' '.join(one.cards)}".strip()]
        cells += [number(one.value), _lost(one, one.loss)] if values else []
        cells += [number(one.chance, signed=False), _lost(one, one.chance_loss)] if chances else []
        rows.append(cells)
    basis = "counted over" if found.method == "counted" else "tried on"
    what = "hands of the other" if found.method == "counted" else "deals of the unseen cards"
    title = (
        f"{found.variant}: the {found.seat_name} holds {' '.join(found.hand)}; {basis} {format_count(found.n)} {what}, "
        f"against {found.against}"
    )
    return html_table(title, head, rows)


def _lost(choice: Choice, loss: Estimate | None) -> str:
    if loss is not None and loss.estimate == 0:
        return "best"
    words = number(loss, signed=False)
    return words if choice.apart else f"{words}, not told from the best"


def analysis_html(found: Analysis) -> str:
    """The choices that lost most."""
    rows = [
        (one.deal, found.names[one.person - 1], " ".join(one.chosen), " ".join(one.best), f"{one.loss:.3f}")
        for one in found.worst()
    ]
    lost = ", ".join(f"{name} {loss:.2f}" for name, loss in zip(found.names, found.losses(), strict=True))
    title = f"{found.source}: points lost by choices: {lost}"
    return html_table(title, ("deal", "who", "chose", "better", "points lost"), rows)


def handicap_html(found: Handicap) -> str:
    """The head start, and the chances that were looked at."""
    rows = [(given, number(chance)) for given, chance in sorted(found.chances.items())]
    return html_table(found.words(), ("points given", f"chance of {found.giver} above the fair share"), rows)


def sensitivity_html(found: Sensitivity) -> str:
    """Every reading switched alone."""
    rows = [
        (one.label, format_estimate(one.edge, percent=True), number(one.deals), one.verdict) for one in found.switches
    ]
    title = f"{found.variant.title}, {found.players} players: each disputed reading switched alone"
    return html_table(title, ("the other reading", "edge moves by", "deals a game, more", "verdict"), rows)


def fairest_html(found: Fairest) -> str:
    """The rules on the front."""
    base = found.base.variant
    rows = [
        ("; ".join(one.told(base)) or f"{base.title} itself", format_estimate(one.edge, percent=True),
         number(one.deals, signed=False), number(one.skill, signed=False))
        for one in found.front
    ]  # fmt: skip
    return html_table(found.words(), ("rules", "edge", "deals a game", "best player over the weakest"), rows)


def study_html(found: Study) -> str:
    """All answers of an experiment."""
    parts = [duel_html(one) for one in found.duels]
    parts += [comparison_html(found.comparison)] if found.comparison else []
    parts += [fact_html(one) for one in found.facts]
    if found.leads:
        rows = [
            (
                one.rank,
                one.variant,
                one.players,
                one.strategy,
                *(number(one.seats[0][kind], signed=False) for kind in MADE),
            )
            for one in found.leads
        ]
        head = ("card led", "variant", "players", "strategy", "the leader's fifteens", "his thirty-ones")
        parts.append(html_table(f"{found.experiment.question} (points a deal)", head, rows))
    return "".join(parts)
