"""Tables of the report, each also a CSV file with every number in full."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from noddysim.engine.games import SEAT_NAMES
from noddysim.insight import verdicts
from noddysim.insight.document import Cell, Column, Span, Table, Text, badge, code, csv_cell, csv_text, exact_text, link
from noddysim.insight.duels import Duel
from noddysim.insight.estimates import Estimate
from noddysim.insight.evidence import Case, Evidence, Panel, from_source, panel_words, players_words
from noddysim.insight.study import Lead
from noddysim.insight.words import anchor, and_words, effect_words, exceptions, how_known, stands_in

IN_SEAT: Final = Column("worth", "worth, points a deal in the seat concerned (95\N{NO-BREAK SPACE}%)", number=True)
CHANCE: Final = Column("chance_to_win", "chance to win a game (95\N{NO-BREAK SPACE}%)", number=True)
SCALE: Final = Column("scale", "scale, 0\N{NO-BREAK SPACE}–\N{NO-BREAK SPACE}100", number=True)


def slug(*parts: object) -> str:
    """A plain file name from names that may hold anything; other names never give the same."""
    text = "-".join(str(part) for part in parts)
    plain = title_slug(text)
    return plain if plain == text else f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def title_slug(title: str) -> str:
    """A title as a file name; other titles may give the same."""
    kept = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in title.lower())
    return "-".join(part for part in kept.split("-") if part) or "table"


# --- verdicts -------------------------------------------------------------------------------------------------------

VERDICT_COLUMNS: Final = (
    Column("advice", "advice"),
    Column("verdict", "verdict"),
    Column("given_to", "given to"),
    IN_SEAT,
    CHANCE,
    SCALE,
    Column("against", "against"),
    Column("how_known", "how known", wide=True),
)


def verdict_table(evidence: Evidence, panel: Panel, source: bool) -> Table | None:
    """The verdicts of one panel on the advice of the source, or on all other advice; None if there is none."""
    cases = [
        evidence.cases[panel, tip.name]
        for tip in evidence.tips
        if (panel, tip.name) in evidence.cases and from_source(tip) == source
    ]
    if not cases:
        return None
    rows = [row for case in cases for row in _verdict_rows(case)]
    what = "The advice of the rules page" if source else "Advice that the rules page does not give"
    name = slug("verdicts" if source else "verdicts-other-advice", panel.variant, panel.players)
    title = f"{what}: {panel_words(panel, evidence.panels).lower()}"
    return Table(name, title, VERDICT_COLUMNS, tuple(rows), heads=3, stacked=True)


def _verdict_rows(case: Case) -> list[tuple[Cell, ...]]:
    advice = link(case.tip.title, anchor(case.tip.name))
    whole = badge(case.finding.verdict)
    if case.finding.verdict == verdicts.VACUOUS:
        return [(advice, whole, "anybody", None, None, None, "anybody", "from the rules: nothing to decide")]
    rows: list[tuple[Cell, ...]] = []
    for baseline in case.baselines:
        duel = case.main(baseline)
        here = not stands_in(case, [duel]) and duel.verdict == verdicts.UNDECIDED
        verdict: Cell = (whole, "; here undecided") if here else whole
        if case.finding.verdict == verdicts.DEPENDS and (against := exceptions(case, baseline)):
            verdict = (whole, f"; {against}")
        if duel.verdict == verdicts.ALREADY_FOLLOWED:
            how = f"never changes a card in {how_known(duel)}"
            rows.append((advice, verdict, code(baseline), None, None, None, code(duel.setting.against), how))
            continue
        game = case.game(duel)
        rows.append(
            (
                advice, verdict, code(baseline), None if duel.setting.games else duel.concerned,
                game.effect if game else duel.effect if duel.setting.games else None,
                duel.scale, code(duel.setting.against), how_known(duel),
            )
        )  # fmt: skip
    return rows


def summary_tables(evidence: Evidence) -> list[Table]:
    """Every tip by number of players, verdicts only: a table for each variant, with the tips that were tested there."""
    found = []
    for variant in dict.fromkeys(panel.variant for panel in evidence.panels):
        panels = [panel for panel in evidence.panels if panel.variant == variant]
        columns = [Column("advice", "advice")]
        columns += [Column(slug(*panel), players_words(panel.players)) for panel in panels]
        columns += [Column("from_the_rules_page", "from the rules page")]
        rows = []
        for tip in evidence.tips:
            cases = [evidence.cases.get((panel, tip.name)) for panel in panels]
            if any(cases):
                told = [badge(case.finding.verdict) if case else None for case in cases]
                rows.append((link(tip.title, anchor(tip.name)), *told, "yes" if from_source(tip) else "no"))
        title = next(one.title for one in evidence.variants if one.name == variant)
        found.append(Table(slug("verdicts-by-players", variant), f"All verdicts: {title}", tuple(columns), tuple(rows)))
    return found


def verdicts_csv(evidence: Evidence) -> str:
    """``verdicts.csv``: one row a finding, its numbers those of the duel that stands for it, in full."""
    measures = ("worth", "per_deal", "per_occasion", "changed", "chance_to_win", "scale")
    head = ["variant", "players", "tip", "title", "from_the_rules_page", "verdict", "on_what", "given_to", "against"]
    head += [f"{name}{end}" for name in measures for end in ("", "_low", "_high", "_unit")]
    head += ["seat", "zone", "n", "n_games", "how_known"]
    lines = [head]
    for panel in evidence.panels:
        for tip in evidence.tips:
            if (panel, tip.name) in evidence.cases:
                lines.append(_verdict_line(evidence.cases[panel, tip.name]))
    return csv_text(lines)


def _verdict_line(case: Case) -> list[str]:
    duel = case.headline
    game = duel if duel.setting.games else case.game(duel)
    points = None if duel.setting.games else duel
    values: list[Estimate | None] = [
        points.concerned if points else None, points.effect if points else None, points.occasion if points else None,
        points.changed if points else None, game.effect if game else None, duel.scale,
    ]  # fmt: skip
    line = [
        case.panel.variant, str(case.panel.players), case.tip.name, case.tip.title,
        csv_cell("yes" if from_source(case.tip) else "no"), case.finding.verdict, case.finding.on_what,
        duel.setting.baseline, duel.setting.against,
    ]  # fmt: skip
    for value in values:
        line += [*map(exact_text, (value.estimate, value.low, value.high)), value.unit] if value else [""] * 4
    n = (str(points.n) if points else "", str(game.n) if game else "")
    return [*line, duel.seat_concerned, exact_text(duel.zone), *n, how_known(duel)]


# --- one tip --------------------------------------------------------------------------------------------------------

EFFECT_COLUMNS: Final = (
    Column("where", "players"),
    Column("given_to", "given to"),
    Column("against", "against"),
    Column("verdict", "verdict"),
    Column("in_seat", "points a deal, seat concerned", number=True),
    Column("all_seats", "points a deal, all seats", number=True),
    Column("per_occasion", "points an occasion", number=True),
    Column("changed", "cards changed a deal", number=True, signed=False),
    Column("chance_to_win", "chance to win a game", number=True),
    Column("scale", "scale, 0\N{NO-BREAK SPACE}–\N{NO-BREAK SPACE}100", number=True),
    Column("n", "deals both ways", number=True),
    Column("games", "games both ways", number=True),
)


def effects_table(cases: Sequence[Case], panels: Sequence[Panel]) -> Table:
    """Every number of one tip: a row for each number of players, baseline and opponent."""
    tip = cases[0].tip
    rows: list[tuple[Cell, ...]] = []
    for case in cases:
        if case.finding.verdict == verdicts.VACUOUS:
            who = and_words(case.baselines), and_words(case.opponents)
            rows.append((panel_words(case.panel, panels), *who, badge(verdicts.VACUOUS), *[None] * 8))
            continue
        rows += [_effect_row(case, duel, panels) for duel in case.duels]
    return Table(slug("effects", tip.name), f"{tip.title}: every number", EFFECT_COLUMNS, tuple(rows), heads=3)


def _effect_row(case: Case, duel: Duel, panels: Sequence[Panel]) -> tuple[Cell, ...]:
    game = duel if duel.setting.games else case.game(duel)
    head = (panel_words(case.panel, panels), code(duel.setting.baseline), code(duel.setting.against))
    if duel.setting.games:
        return (*head, badge(duel.verdict), None, None, None, None, duel.effect, duel.scale, None, duel.n)
    return (
        *head, badge(duel.verdict), duel.concerned, duel.effect, duel.occasion, duel.changed,
        game.effect if game else None, duel.scale, duel.n, game.n if game else None,
    )  # fmt: skip


def others_table(duels: Sequence[Duel]) -> Table:
    """Comparisons of strategies that are no tips."""
    columns = (
        Column("variant", "variant"), Column("players", "players", number=True), Column("arm", "strategy"),
        Column("baseline", "beside"), Column("against", "against"), Column("verdict", "verdict"),
        Column("effect", "effect, all seats", number=True), Column("unit", "unit"), Column("n", "n", number=True),
    )  # fmt: skip
    rows = [
        (
            duel.setting.variant.name, duel.setting.players, code(duel.arm), code(duel.setting.baseline),
            code(duel.setting.against), badge(duel.verdict), duel.effect,
            duel.effect.unit if duel.effect else None, duel.n,
        )
        for duel in duels
    ]  # fmt: skip
    return Table("other-comparisons", "Strategies beside each other", columns, tuple(rows))


def duel_words(duel: Duel) -> Text:
    """One comparison of strategies in a sentence."""
    where = f"{duel.setting.variant.name}, {players_words(duel.setting.players)}: "
    beside: tuple[str | Span, ...] = (code(duel.arm), " beside ", code(duel.setting.baseline))
    return (where, *beside, f", against {duel.setting.against}, {effect_words(duel)} ({how_known(duel)}).")


# --- leads ----------------------------------------------------------------------------------------------------------


def leads_table(leads: Sequence[Lead], panel: Panel, strategy: str) -> Table:
    """Points by the rank led and by seat."""
    names = SEAT_NAMES[panel.players]
    columns = [Column("rank", "card led"), Column("deals", "deals", number=True)]
    for kind, words in (("fifteen", "from fifteens"), ("thirtyone", "from thirty-ones"), ("play", "in the play")):
        columns += [Column(f"{kind}_{seat}", f"{seat}, {words}", number=True, signed=False) for seat in names]
    rows = []
    for lead in leads:
        cells: list[Cell] = [lead.rank, lead.deals]
        cells += [seat[kind] for kind in ("fifteen", "thirtyone", "play") for seat in lead.seats]
        rows.append(tuple(cells))
    title = f"Points a deal by the card led: {panel.variant}, {players_words(panel.players)}, {strategy} in every seat"
    return Table(slug("leads", *panel, strategy), title, tuple(columns), tuple(rows))
