"""The page on the rules themselves: disputed readings, the fairest rules, and what a head start is worth."""

from __future__ import annotations

from typing import Final

from noddysim.game.answerwords import rule_words
from noddysim.insight import rules_plots
from noddysim.insight.document import (
    Block,
    Bullets,
    Column,
    Fold,
    Heading,
    Page,
    Span,
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
from noddysim.insight.numbers import format_count, points_of_chance
from noddysim.insight.pages import Book
from noddysim.insight.reading_blocks import disputed, lead_items, reading_blocks
from noddysim.insight.rules_study import RulesStudy
from noddysim.insight.sensitivity import MATTERS, NOT

PAGE: Final = "rules"


def rules_page(book: Book, study: RulesStudy) -> Page:
    """The page."""
    readings = lead_items(study.sensitivities).items
    searches = tuple(
        ((strong(f"Fairest rules, {players_words(one.players)}. "), one.words()), ()) for one in study.searches
    )
    blocks: list[Block] = [Bullets((*readings, *searches), "lead")]
    blocks.append(
        paragraph(
            "The sources leave some questions of the rules open. Each answer to such a question is called a reading. "
            "An edge is the first dealer's chance to win less his fair share; a percentage point is one game in a "
            "hundred. Everything is played on the same games, and differences are taken game by game. In brackets 95 % "
            "intervals.",
            role="note",
        )
    )
    for place, one in enumerate(study.sensitivities, 1):
        blocks += reading_blocks(book, one, f"readings-{place}")
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
            f"Head starts: {format_count(extent.games)} duplicates at each head start looked at, of games of sets a "
            "tenth; again with noddysim handicap.",
        ),
    ]
    return Page(PAGE, "Which rules are fair?", "Disputed readings, fairest rules and head starts", tuple(blocks))


def opening_words(study: RulesStudy) -> Text:
    """A sentence for the first page."""
    one = study.sensitivities[0]
    told = [switch for switch in disputed(one) if switch.verdict == MATTERS]
    rest = [switch for switch in disputed(one) if switch.verdict == NOT]
    return (
        link("Disputed rules", "rules", PAGE),
        f": of {len(disputed(one))} other ways to read the rules of {one.variant.title}, {len(told)} move who wins or "
        f"how long a game is by enough to matter, and {len(rest)} do not.",
    )


def _front_blocks(book: Book, one: Fairest, name: str) -> list[Block]:
    base = one.base.variant
    where = f"{base.title}, {players_words(one.players)}"
    reply = one.words()
    alt = f"First dealer's edge and skill against the length of a game for {len(one.rules)} sets of rules. {reply}"
    caption = (
        "Each dot is a set of rules. On the front: no other rules are at once as fair, as short and as much a game of "
        "skill. Skill is how often the best player known beats the weakest."
    )
    return [
        Heading(f"Fairest rules: {where}", name),
        book.figure(name, rules_plots.plot_front(name, one, _short_reply(one)), alt, caption),
        paragraph("All combinations of these rules were played:"),
        bullets(*(_choices_words(one, key) for key in one.space), *one.notes),
        Fold("The rules on the front", (TableBlock(front_table(name, one)),)),
    ]


def _short_reply(one: Fairest) -> str:
    """What stands above the picture."""
    fair = one.fairest
    if fair is None:
        return f"None of {len(one.rules)} sets of rules has games of the wished length"
    return (
        f"The fairest with games as long as now: {points_of_chance(fair.edge)}; "
        f"{one.base.variant.title} itself: {points_of_chance(one.base.edge)}"
    )


def _choices_words(one: Fairest, key: str) -> str:
    readings = one.base.variant.family.readings
    question = next((reading.question for reading in readings if reading.option == key), "")
    answers = [rule_words(readings, key, value) for value in one.space[key]]
    told = "; ".join(answers)
    return f"{question} {told}." if question else f"{told[0].upper()}{told[1:]}."


def front_table(name: str, one: Fairest) -> Table:
    """The rules on the front by their length: what differs from the base in words, then edge, length and skill."""
    base = one.base.variant
    columns = (
        Column("rules", f"rules that differ from {base.title}", wide=True),
        Column("edge", "first dealer's edge", True, False, True), Column("deals", "deals a game", True, False),
        Column("skill", "best player beats the weakest", True, False), Column("options", "as options", wide=True),
    )  # fmt: skip
    rows = tuple(
        (
            "; ".join(candidate.told(base)) or f"none: {base.title} itself", candidate.edge, candidate.deals,
            candidate.skill, Span(candidate.words, "option"),
        )
        for candidate in one.front
    )  # fmt: skip
    where = f"{base.title}, {players_words(one.players)}"
    return Table(name, f"Rules on the front, {where}", columns, rows, stacked=True)


def _handicap_blocks(study: RulesStudy) -> list[Block]:
    columns = (
        Column("variant", "game"), Column("players", "players", number=True), Column("giver", "who gives"),
        Column("receiver", "to whom"),
        Column("points", "points of head start (below nought: the other way)", True, False),
        Column("chance", "edge without it", True, False),
    )  # fmt: skip
    lines = tuple(
        (one.variant.title, one.players, one.giver, one.receiver, one.points, one.chances[0]) for one in study.handicaps
    )
    return [
        Heading("Fair handicaps", "handicaps"),
        bullets(*(one.words() for one in study.handicaps)),
        TableBlock(Table("handicaps", "Head starts that make a game even", columns, lines)),
    ]
