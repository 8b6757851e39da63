"""The answers of the page on balance: for each set of rules whether it matters who deals first, before any picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from noddysim.insight.course_blocks import answer_words
from noddysim.insight.document import (
    Block,
    Column,
    Heading,
    Table,
    TableBlock,
    Text,
    bullets,
    link,
    paragraph,
    strong,
)
from noddysim.insight.evidence import Evidence, players_words
from noddysim.insight.numbers import format_count, format_estimate, format_number, format_percent, points_of_chance
from noddysim.insight.rows import FAIR_BAND, Comparison, Difference, Row
from noddysim.insight.titles import by_title
from noddysim.insight.words import and_words, count_words, flipped

SAYS: Final = {
    "fair": "hardly",
    "favours-dealer": "yes, dealing first is an advantage",
    "favours-others": "yes, dealing first is a drawback",
    "undecided": "these games do not tell",
}
FEW: Final = 3
"""Answers up to which each has a sentence of its own."""


class Section(NamedTuple):
    """One experiment on the page: its comparison, what it is called there, and the end of its anchors and file names.

    Where there is one alone it needs no title, and the headings below it stand a level higher.
    """

    comparison: Comparison
    question: str
    title: str
    tail: str

    @property
    def level(self) -> int:
        """Level of the headings inside."""
        return 3 if self.title else 2


def answer_blocks(sections: Sequence[Section]) -> list[Block]:
    """The answers of all experiments, before any table or picture."""
    several = len(sections) > 1
    blocks: list[Block] = [Heading("The answers" if several else "The answer", "balance")]
    for section in sections:
        found = section.comparison.rows
        if several:
            blocks += [Heading(section.title, f"answer{section.tail}", 3), paragraph(section.question)]
        blocks += _answers(first_strategy(found), f"balance-answers{section.tail}")
        changes = [
            one
            for one in section.comparison.differences
            if one.metric == "edge"
            and one.a == found[0].variant.name
            and one.strategy.partition(" and ")[0] == found[0].strategy
        ]
        if changes:
            blocks.append(bullets(*map(_change, changes)))
        blocks += answer_words(section.comparison)
        first = strategies_of(first_strategy(found))
        more = set(strategies_of(found)) > set(first)
        others = " The tables and pictures below show other players too." if more else ""
        here = f"{first[0]} plays" if len(first) == 1 else f"{and_words(first)} play, each the game that it is for,"
        blocks.append(paragraph(f"Here {here} in every seat.{others}", role="note"))
    blocks.append(paragraph(_note(sections), role="note"))
    return blocks


def _note(sections: Sequence[Section]) -> str:
    """How the answers are to be read."""
    hardly = ""
    if any(row.verdict == "fair" for section in sections for row in first_strategy(section.comparison.rows)):
        hardly = (
            "“Hardly” means that the first dealer's whole interval lies within "
            f"{format_number(100 * FAIR_BAND, 0)} percentage point of his fair share. "
        )
    return f"{hardly}Seats are those of the first deal; the deal then passes on."


def opening_words(evidence: Evidence) -> Text | None:
    """One sentence for the first page, on the first variant with the fewest players; None without a comparison."""
    if not evidence.comparisons:
        return None
    row = by_title(evidence.comparisons[0]).rows[0]
    where = f", {row.variant.name} with {players_words(row.players)}: "
    return (link("Who deals first", "balance", "balance"), where, *row_words(row))


def strategies_of(found: Sequence[Row]) -> list[str]:
    """The strategies of some rows, each once."""
    return list(dict.fromkeys(row.strategy for row in found))


def first_strategy(found: Sequence[Row]) -> list[Row]:
    """The rows of the strategy that comes first in each variant."""
    firsts = {row.variant.name: row.strategy for row in reversed(found)}
    return [row for row in found if row.strategy == firsts[row.variant.name]]


def _answers(found: Sequence[Row], name: str) -> list[Block]:
    """The answer for each variant; where there are many, or several numbers of players, by answer and in a table."""
    if len(found) <= FEW and len({row.variant.name for row in found}) == len(found):
        return [bullets(*((strong(f"{row.variant.title}: "), *row_words(row)) for row in found), role="lead")]
    lines: list[Text] = []
    for verdict in dict.fromkeys(row.verdict for row in found):
        some = [row for row in found if row.verdict == verdict]
        titles = dict.fromkeys(row.variant.title for row in some)
        where = [f"{title} with {_numbers([row for row in some if row.variant.title == title])}" for title in titles]
        lines.append((strong(SAYS[verdict][0].upper() + SAYS[verdict][1:]), f": {'; '.join(where)}."))
    return [bullets(*lines, role="lead"), TableBlock(answers_table(found, name))]


def _numbers(found: Sequence[Row]) -> str:
    """``two, three and four players``."""
    return and_words([count_words(row.players) for row in found]) + " players"


def answers_table(found: Sequence[Row], name: str) -> Table:
    """The first dealer's chance to win, a row for each variant and a column for each number of players."""
    counts = sorted({row.players for row in found})
    columns = [Column("game", "game")]
    for players in counts:
        fair = {format_percent(1 / len(row.side_names)) for row in found if row.players == players}
        would = f" ({fair.pop()} is fair)" if len(fair) == 1 else ""
        columns.append(Column(f"players_{players}", f"{players_words(players)}{would}", True, False))
    by_place = {(row.variant.title, row.players): row.counted or row.seat_wins[-1] for row in found}
    titles = dict.fromkeys(row.variant.title for row in found)
    rows = tuple((title, *(by_place.get((title, players)) for players in counts)) for title in titles)
    games = and_words([format_count(number) for number in sorted({row.games for row in found})])
    exact = ", or is counted to win so many of all" if any(row.counted for row in found) else ""
    return Table(name, f"The first dealer wins so many of {games} games{exact}", tuple(columns), rows)


def row_words(row: Row) -> Text:
    """The verdict on one row with the first dealer's share of the games."""
    wins = format_estimate(row.seat_wins[-1], signed=False)
    fair, games = format_percent(1 / len(row.side_names)), format_count(row.games)
    if row.counted:
        told = (
            f"{format_estimate(row.counted, signed=False)} of all games; {fair} would be fair ({games} games: {wins})"
        )
    else:
        told = f"{wins} of the games; {fair} would be fair ({games} games)"
    return (strong(SAYS[row.verdict]), f". The first dealer wins {told}.")


def _change(one: Difference) -> Text:
    """What it does to the first dealer's chance to play by other rules."""
    low, high = one.told.interval
    cards = "" if one.counted or not one.paired else "on the same cards "
    start = f"{one.a} instead of {one.b}, {players_words(one.players)}: {cards}the first dealer wins "
    if low is None or high is None or low <= 0 <= high:
        return (start, strong("neither more nor less, as far as can be told"), f" ({points_of_chance(one.told)}).")
    more = "more" if low > 0 else "less"
    size = one.told if low > 0 else flipped(one.told)
    return (start, strong(f"{more} often"), f", by {points_of_chance(size, signed=False)}.")
