"""The page on the rules themselves: disputed readings, the fairest rules, and what a head start is worth."""

from __future__ import annotations

from typing import Final

from noddysim.insight import rules_plots
from noddysim.insight.document import (
    Block,
    Cell,
    Column,
    Fold,
    Heading,
    Page,
    Table,
    TableBlock,
    Text,
    bullets,
    link,
    paragraph,
    strong,
)
from noddysim.insight.evidence import players_words
from noddysim.insight.fairest import Fairest
from noddysim.insight.numbers import format_count, format_estimate
from noddysim.insight.pages import Book
from noddysim.insight.rules_study import RulesStudy
from noddysim.insight.sensitivity import MATTERS, NOT, OPEN, Sensitivity

PAGE: Final = "rules"


def rules_page(book: Book, study: RulesStudy) -> Page:
    """The page."""
    lead: list[Text | str] = [_reading_answer(one) for one in study.sensitivities]
    lead += [(strong(f"Fairest rules, {players_words(one.players)}: "), one.words()) for one in study.searches]
    blocks: list[Block] = [bullets(*lead, role="lead")]
    blocks.append(
        paragraph(
            "An edge is the first dealer's chance to win less his fair share. Everything is played on the same games, "
            "and differences are taken game by game.",
            role="note",
        )
    )
    for place, one in enumerate(study.sensitivities, 1):
        blocks += _reading_blocks(book, one, f"readings-{place}")
    for place, search in enumerate(study.searches, 1):
        blocks += _front_blocks(book, search, f"fairest-{place}")
    blocks += _handicap_blocks(study)
    extent = study.extent
    blocks += [
        Heading("How this was found", "rules-method"),
        bullets(
            f"Readings: {format_count(extent.games)} games of each set of rules and {format_count(extent.deals)} "
            f"duplicates of each tip, seed {extent.seed}; again with noddysim sensitivity.",
            f"Fairest rules: {format_count(extent.searched)} games of every set of rules, four times as many fresh "
            "ones for those on the front; again with noddysim fairest.",
            f"Head starts: {format_count(extent.games)} duplicates at each head start looked at; again with noddysim "
            "handicap.",
        ),
    ]
    return Page(PAGE, "Which rules are fair?", "Disputed readings, fairest rules and head starts", tuple(blocks))


def opening_words(study: RulesStudy) -> Text:
    """A sentence for the first page."""
    one = study.sensitivities[0]
    told = [switch for switch in one.switches if switch.verdict == MATTERS]
    rest = [switch for switch in one.switches if switch.verdict == NOT]
    return (
        link("Disputed rules", "rules", PAGE),
        f": of the {len(one.switches)} other answers that the sources allow for {one.variant.name}, {len(told)} move "
        f"who wins or how long a game is by enough to matter, and {len(rest)} do not.",
    )


def _where(one: Sensitivity) -> str:
    return f"{one.variant.name}, {players_words(one.players)}"


def _reading_answer(one: Sensitivity) -> Text:
    return (strong(f"{_where(one)}: "), one.words())


def _reading_blocks(book: Book, one: Sensitivity, name: str) -> list[Block]:
    reply = (
        f"{_where(one)}, {one.strategy} in every seat: the edge is "
        f"{format_estimate(one.edge, percent=True)} as the rules stand"
    )
    widest = ", ".join(
        f"{rules_plots.switch_label(switch)} {format_estimate(switch.edge, percent=True)}"
        for switch in rules_plots.shown_switches(one)[:3]
    )
    alt = (
        f"What each disputed reading adds to the first dealer's edge and to a game's length. {reply}. Widest: {widest}."
    )
    caption = "Other targets are in the table below; readings that change nothing at all are left out."
    tips = [tip.arm for tip in one.tips]
    columns = (
        Column("id", "question"), Column("reading", "reading"), Column("answer", "answer"),
        Column("edge", "edge moves by", True, False, True), Column("deals", "deals more", True, False),
        Column("cards", "cards more", True, False), Column("verdict", "verdict"),
        *((Column("advice", "advice judged otherwise"),) if tips else ()), Column("same_cards", "same cards"),
    )  # fmt: skip
    lines = []
    for switch in one.switches:
        advice = (", ".join(switch.changed) or "none",) if tips else ()
        lines.append(
            (
                switch.reading.id, switch.reading.option, switch.words, switch.edge, switch.deals, switch.cards,
                switch.verdict, *advice, "yes" if switch.paired else "no",
            )
        )  # fmt: skip
    table = Table(name, f"Each reading of {_where(one)} switched alone", columns, tuple(lines))
    more: list[Block] = (
        [paragraph("Answers that these rules cannot take: " + " · ".join(one.refused))] if one.refused else []
    )
    verdict_words = (
        f"“{MATTERS.capitalize()}”: the edge moves by more than half a percentage point, or the length by more than "
        f"5 per cent, whole interval; “{NOT}”: both by less; else “{OPEN}”."
    )
    return [
        Heading(f"Disputed readings: {_where(one)}", name),
        book.figure(name, rules_plots.plot_readings(name, one, reply), alt, caption),
        Fold("Every reading in a table", (TableBlock(table), paragraph(verdict_words, role="note"), *more)),
    ]


def _front_blocks(book: Book, one: Fairest, name: str) -> list[Block]:
    where = f"{one.base.variant.name}, {players_words(one.players)}"
    reply = one.words()
    alt = f"First dealer's edge and skill against the length of a game for {len(one.rules)} sets of rules. {reply}"
    keys = list(one.space)
    columns = (
        *(Column(key.replace(".", "_"), key) for key in keys), Column("edge", "edge", True, False, True),
        Column("deals", "deals", True, False), Column("skill", "best over weakest", True, False),
    )  # fmt: skip
    lines = []
    for candidate in one.front:
        cells: list[Cell] = [_value(candidate.choices[key]) for key in keys]
        lines.append((*cells, candidate.edge, candidate.deals, candidate.skill))
    table = Table(name, f"Rules on the front, {where}", columns, tuple(lines))
    space = "; ".join(f"{key}: {', '.join(map(_value, values))}" for key, values in one.space.items())
    return [
        Heading(f"Fairest rules: {where}", name),
        book.figure(name, rules_plots.plot_front(name, one, reply), alt,
                    "On the front: no other rules are at once as fair, as short and as much a game of skill."),
        paragraph(f"The space that was searched: {space}.", role="note"),
        Fold("The rules on the front", (TableBlock(table),)),
    ]  # fmt: skip


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _handicap_blocks(study: RulesStudy) -> list[Block]:
    columns = (
        Column("variant", "variant"), Column("giver", "who gives"), Column("receiver", "to whom"),
        Column("points", "points of head start", True, False), Column("chance", "edge without it", True, False),
    )  # fmt: skip
    lines = tuple((one.variant.name, one.giver, one.receiver, one.points, one.chances[0]) for one in study.handicaps)
    return [
        Heading("Fair handicaps", "handicaps"),
        bullets(*(one.words() for one in study.handicaps)),
        TableBlock(Table("handicaps", "Head starts that make a game even", columns, lines)),
    ]
