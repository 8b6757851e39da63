"""What disputed readings change, told so that a player who knows no option's name understands it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from noddysim.game.answerwords import answer_words, option_words
from noddysim.game.minds import tip_in
from noddysim.game.readings import OWN
from noddysim.game.rulemodels import PeggingRules
from noddysim.insight import rules_plots
from noddysim.insight.document import (
    Block,
    Bullets,
    Cell,
    Column,
    Fold,
    Heading,
    Span,
    Table,
    TableBlock,
    Text,
    code,
    paragraph,
    strong,
)
from noddysim.insight.estimates import Estimate
from noddysim.insight.evidence import players_words
from noddysim.insight.numbers import format_estimate, format_percent, points_of_chance
from noddysim.insight.pages import Book
from noddysim.insight.sensitivity import MATTERS, NOT, OPEN, TARGET, Sensitivity, Switch
from noddysim.insight.words import and_words, count_words, flipped

VERDICT_WORDS: Final = (
    f"“{MATTERS.capitalize()}”: the edge moves by more than half a percentage point, or the length by more than "
    f"5 per cent, whole interval; “{NOT}”: both by less; else “{OPEN}”: more games would be needed to tell."
)
CRIB_NOTE: Final = (
    "Where another reading changes what hands or cribs are worth, everybody lays away by a table of mean cribs worked "
    "out for it. All other readings share one table."
)
IN_FULL: Final = 4
"""Readings that move the edge and are told one by one at the top of the page."""


def where(one: Sensitivity) -> str:
    """The game and how many play it."""
    return f"{one.variant.title}, {players_words(one.players)}"


def disputed(one: Sensitivity) -> list[Switch]:
    """All that is a dispute; a target is chosen for its length."""
    return [switch for switch in one.switches if switch.reading.option != TARGET]


def has_crib(one: Sensitivity) -> bool:
    """Whether cards are laid away to a crib in the game."""
    return isinstance(one.variant.rules, PeggingRules) and bool(one.variant.rules.crib)


# --- sentences ------------------------------------------------------------------------------------------------------


def _edge_words(switch: Switch) -> str:
    value = switch.edge
    if switch.moves_edge == NOT:
        return "who wins hardly changes"
    if switch.moves_edge == OPEN:
        return f"whether it moves who wins is open: {points_of_chance(value)}"
    falls = value.estimate < 0
    size = points_of_chance(flipped(value) if falls else value, signed=False)
    return f"the first dealer's edge {'falls' if falls else 'grows'} by {size}"


def _length_words(switch: Switch) -> str:
    value = switch.deals
    if switch.moves_length == NOT:
        return "a game is about as long"
    shorter = value.estimate < 0
    size: Estimate = flipped(value) if shorter else value
    share = format_percent(size.estimate / switch.length, 0)
    more = f"{format_estimate(size, signed=False)} deals {'shorter' if shorter else 'longer'}, by {share}"
    return f"a game is {more}" if switch.moves_length == MATTERS else f"a game is {more}, perhaps too little to matter"


def change_words(switch: Switch, family: str) -> str:
    """What another answer changes: who wins, how long a game is, which advice is judged otherwise."""
    if not any(value.estimate or value.low for value in (switch.edge, switch.deals, switch.cards)):
        first = "Nothing changed in any of these games"
    else:
        first = f"{_edge_words(switch)}; {_length_words(switch)}"
    found = first[0].upper() + first[1:] + "."
    if switch.changed:
        found += f" The verdict turns on {and_words(tip_titles(family, switch.changed))}."
    return found


def tip_titles(family: str, tips: Sequence[str]) -> list[str]:
    """Pieces of advice by what they say."""
    titles = [f"“{found[0].title}”" for tip in tips if (found := tip_in(family, tip))]
    return list(dict.fromkeys(titles))


def lead_item(one: Sensitivity) -> tuple[Text, tuple[Text, ...]]:
    """The answer for one game at the top of the page: what moves who wins, what moves only the length."""
    told = disputed(one)
    edge = [switch for switch in told if switch.moves_edge == MATTERS]
    length = [switch for switch in told if switch.verdict == MATTERS and switch not in edge]
    unsure = [switch for switch in told if switch.verdict == OPEN]
    head: Text = (
        strong(f"{where(one)}. "),
        f"Dealing first is worth {points_of_chance(one.edge)}. Of {count_words(len(told))} other ways to read the ",
        f"rules {count_words(len(edge) + len(length))} matter{'s' if len(edge) + len(length) == 1 else ''}"
        + (f", and {count_words(len(unsure))} {'is' if len(unsure) == 1 else 'are'} undecided." if unsure else "."),
    )
    below: list[Text] = [
        (switch.label[0].upper() + switch.label[1:], f": {_edge_words(switch)}, {_length_words(switch)}.")
        for switch in edge[:IN_FULL]
    ]
    if edge[IN_FULL:]:
        below.append((f"Who wins moves too with: {'; '.join(switch.label for switch in edge[IN_FULL:])}.",))
    for sign, words in ((-1, "shorter"), (1, "longer")):
        some = [switch.label for switch in length if sign * switch.deals.estimate > 0]
        if some:
            below.append((f"What shows is the length alone, a {words} game, with: {'; '.join(some)}.",))
    turned = [switch for switch in told if switch.changed]
    if one.tips:
        asked = and_words(tip_titles(one.variant.family.name, [tip.arm for tip in one.tips]))
        by = "; ".join(switch.label for switch in turned)
        below.append(
            (f"The verdict on {asked} turns with: {by}." if turned else f"None turns the verdict on {asked}.",)
        )
    return head, tuple(below)


# --- the section of one game ----------------------------------------------------------------------------------------


def reading_blocks(book: Book, one: Sensitivity, name: str) -> list[Block]:
    """Picture, what each reading changes in words, and every number."""
    matter = [switch for switch in one.switches if switch.verdict != NOT]
    rest = [switch for switch in one.switches if switch.verdict == NOT]
    title = f"What each other reading changes: {where(one)}"
    blocks: list[Block] = [
        Heading(f"Disputed readings: {where(one)}", name),
        paragraph(
            f"As the rules stand here, with {one.strategy} play in every seat, the first dealer's edge is "
            f"{points_of_chance(one.edge)}, and a game takes "
            f"{format_estimate(one.deals, signed=False)} deals. Each other reading was switched alone.",
        ),
    ]
    if has_crib(one):
        blocks.append(paragraph(CRIB_NOTE, role="note"))
    if rules_plots.shown_switches(one):
        blocks.append(_figure(book, one, name))
    if matter:
        blocks.append(TableBlock(words_table(f"{name}-words", title, one, matter)))
    if rest:
        lesser = words_table(f"{name}-rest", f"Readings that do not matter: {where(one)}", one, rest)
        blocks.append(Fold(f"The other {count_words(len(rest))}, which do not matter", (TableBlock(lesser),)))
    numbers: list[Block] = [TableBlock(numbers_table(name, one)), paragraph(VERDICT_WORDS, role="note")]
    if one.refused:
        numbers.append(paragraph("Answers that these rules cannot take: " + " · ".join(one.refused)))
    return [*blocks, Fold("Every number", tuple(numbers))]


def _figure(book: Book, one: Sensitivity, name: str) -> Block:
    reply = f"{where(one)}: the edge is {points_of_chance(one.edge)} as the rules stand"
    widest = "; ".join(
        f"{switch.label}: {points_of_chance(switch.edge)}" for switch in rules_plots.shown_switches(one)[:3]
    )
    alt = (
        f"What each disputed reading adds to the first dealer's edge and to a game's length. {reply}. Widest: {widest}."
    )
    caption = (
        "Readings that matter or are undecided; the rest, and other targets, are in the tables. Left of nought: the "
        "first dealer wins less often, or the game is shorter."
    )
    return book.figure(name, rules_plots.plot_readings(name, one, reply), alt, caption)


def words_table(name: str, title: str, one: Sensitivity, switches: Sequence[Switch]) -> Table:
    """A sentence for each reading, under its question and the answer that the rules give here."""
    family, in_force = one.variant.family.name, one.variant.readings_in_force
    columns = (
        Column("question", "the question", wide=True), Column("here", "as played here"),
        Column("answer", "the other answer", wide=True), Column("change", "what that changes", wide=True),
        Column("verdict", "verdict"),
    )  # fmt: skip
    questions = list(dict.fromkeys(switch.reading.id for switch in switches))
    rows: list[tuple[Cell, ...]] = []
    for switch in sorted(switches, key=lambda switch: questions.index(switch.reading.id)):
        reading = switch.reading
        now = in_force[reading.option]
        here = "an answer of its own" if now == OWN else answer_words(reading, now)
        option = Span(option_words(reading.option, switch.value), "option")
        rows.append((reading.question, here, (switch.label, " ", option), change_words(switch, family), switch.verdict))
    return Table(name, title, columns, tuple(rows), heads=3, stacked=True)


def numbers_table(name: str, one: Sensitivity) -> Table:
    """Every reading with its numbers, what moves the edge most first."""
    columns = (
        Column("id", "id"), Column("reading", "option"), Column("answer", "the other answer", wide=True),
        Column("edge", "first dealer's edge moves by", True, False, True),
        Column("deals", "deals a game, more", True, False), Column("cards", "cards laid a game, more", True, False),
        Column("verdict", "verdict"),
        *((Column("advice", "advice judged otherwise"),) if one.tips else ()),
        Column("same_cards", "on the same cards"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for switch in one.switches:
        advice = (", ".join(switch.changed) or "none",) if one.tips else ()
        rows.append(
            (
                switch.reading.id, code(switch.reading.option), switch.label, switch.edge, switch.deals, switch.cards,
                switch.verdict, *advice, "yes" if switch.paired else "no",
            )
        )  # fmt: skip
    return Table(name, f"Each reading of {where(one)} switched alone", columns, tuple(rows))


def lead_items(found: Sequence[Sensitivity]) -> Bullets:
    """The answers of all games that were asked about."""
    return Bullets(tuple(map(lead_item, found)), "lead")
