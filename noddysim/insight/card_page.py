"""The page of the strategy card: first the card itself, to be printed, then the numbers behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from noddysim.engine.met import Margins
from noddysim.engine.rolled import all_deals
from noddysim.insight.card import WORTH_SAYING, CardRule, StrategyCard
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
    code,
    link,
    paragraph,
)
from noddysim.insight.estimates import POINTS, Estimate
from noddysim.insight.numbers import format_count, format_number, format_percent

NAME: Final = "card"
DIGITS: Final = 3
SEATS: Final = (
    Column("mean", "over both seats", number=True, signed=False, digits=DIGITS),
    Column("as_pone", "as pone", number=True, signed=False, digits=DIGITS),
    Column("as_dealer", "as dealer", number=True, signed=False, digits=DIGITS),
)


def card_page(found: StrategyCard, ask: str | None = None) -> Page:
    """The card as a page; ask : the name of the page that answers questions, to be linked."""
    loss = format_number(found.loss.mean, DIGITS)
    blocks: list[Block] = [
        paragraph(
            "For two players with three cards each. Read from the top: the first rule that tells your cards apart "
            f"decides. Who plays by this card loses {loss} points a deal to best play (exact).",
            role="lead",
        ),
        Heading("When you lead", "lead"),
        TableBlock(
            _rules_table(
                "card-lead", "Rules for a card on an empty pile; what each saves in points a deal (exact)", found.leads
            )
        ),
        Heading("When you follow", "follow"),
        TableBlock(
            _rules_table(
                "card-follow", "Rules for a card on a pile; what each saves in points a deal (exact)", found.follows
            )
        ),
        paragraph(
            "“Saves” is what more you lose, in points a deal, if you forget that rule and keep the others. It can be "
            "below nought in one seat where the rule pays in the other. What the rules leave open may be laid by "
            "chance.",
            role="note",
        ),
        Heading("What the card loses", "loss"),
        paragraph(*_loss_words(found)),
        TableBlock(_losses_table(found)),
        Heading("The tips of the rules page, followed always", "tips"),
        paragraph(
            "What it costs a perfect player to follow one tip always, against best play: wherever the tip allows "
            "several cards, he still chooses among them as best play does. A tip can help a weak player and cost a "
            "perfect one; what each does for weaker players stands on ",
            link("the first page", "verdicts", "index"),
            ".",
        ),
        TableBlock(_tips_table(found)),
        Heading("How it was found", "found"),
        paragraph(
            f"{format_count(found.tried)} sets of simple rules were measured against best play, each over all "
            f"{format_count(all_deals(3))} deals, so no number here is sampled. The search puts one rule at a time "
            f"where it saves most and stops when no rule saves {WORTH_SAYING:g} points a deal, the mean of both "
            "seats. It does not prove that no better card "
            "could be written; the loss of this card is exact. Best play itself is proved to lose at most "
            f"{found.exploitability:.7f} points a deal (",
            code(f"noddysim solve {found.variant}"),
            "). Points of the play alone are counted: not the turned card and the hands, and no target.",
        ),
        Fold("How the loss fell, rule by rule", (TableBlock(_steps_table(found)),)),
        paragraph("Again: ", code(f"noddysim exact card {found.variant}"), role="note"),
    ]
    if ask:
        blocks.append(paragraph("For a hand of your own: ", link("ask the page", page=ask), "."))
    subtitle = "The few rules to keep in mind that lose least against best play"
    return Page(NAME, "The strategy card", subtitle, tuple(blocks))


def opening_words(found: StrategyCard) -> Text:
    """What the first page says of the card."""
    rules = len(found.leads) + len(found.follows)
    return (
        link("The strategy card", page=NAME),
        f": {rules} rules that lose {format_number(found.loss.mean, DIGITS)} points a deal to best play; greedy play "
        f"loses {format_number(dict(found.yardsticks)['greedy'].mean, DIGITS)}. Known exactly.",
    )


def _loss_words(found: StrategyCard) -> list[str]:
    random = dict(found.yardsticks)["random"]
    spared = 1 - found.loss.mean / random.mean
    return [
        f"Against best play: {_seats(found.loss)}. Cards laid by chance lose "
        f"{format_number(random.mean, DIGITS)}, so the card makes good {format_percent(spared, 0)} of that. "
        f"To a perfect opponent who knows that you follow it you lose {_seats(found.known)}."
    ]


def _seats(margins: Margins) -> str:
    return (
        f"{format_number(margins.mean, DIGITS)} points a deal ({format_number(margins.pone, DIGITS)} as pone, "
        f"{format_number(margins.dealer, DIGITS)} as dealer)"
    )


def _cells(margins: Margins | None) -> tuple[Cell, ...]:
    if margins is None:
        return None, None, None
    return tuple(counted(value) for value in (margins.mean, margins.pone, margins.dealer))


def counted(value: float) -> Estimate:
    """A number that was counted over all deals of two players with three cards each."""
    return Estimate(value, value, value, all_deals(3), POINTS, "all deals counted", exact=True)


def _rules_table(name: str, title: str, rules: Sequence[CardRule]) -> Table:
    columns = (
        Column("rule", "rule, the first one first", wide=True),
        Column("mean", "saves", number=True, signed=False, digits=DIGITS),
        *SEATS[1:],
    )
    rows = tuple((f"{place}. {one.rule.words}", *_cells(one.saves)) for place, one in enumerate(rules, start=1))
    return Table(name, title, columns, rows)


def _losses_table(found: StrategyCard) -> Table:
    rows: list[tuple[Cell, ...]] = [("this card", *_cells(found.loss))]
    rows.append(("this card, if the opponent knows it", *_cells(found.known)))
    rows += [(code(name), *_cells(loss)) for name, loss in found.yardsticks]
    title = "Points a deal lost against best play (exact)"
    return Table("card-losses", title, (Column("who", "who plays"), *SEATS), tuple(rows))


def _tips_table(found: StrategyCard) -> Table:
    columns = (Column("tip", "tip"), Column("rule", "the rule tested", wide=True), *SEATS)
    rows = []
    for one in sorted(found.tips, key=lambda one: -one.cost.mean if one.cost else 1.0):
        rows.append((one.tip.title, one.tip.rule, *_cells(one.cost)))
    title = "Points a deal that a tip costs a perfect player (exact; a dash: nothing to decide)"
    return Table("card-tips", title, columns, tuple(rows), stacked=True)


def _steps_table(found: StrategyCard) -> Table:
    words = {one.rule.name: one.rule.words for one in (*found.leads, *found.follows)}
    rows: list[tuple[Cell, ...]] = []
    for name, loss in found.steps:
        rows.append((words.get(name, "no rule: any card"), *_cells(loss)))
    title = "How the loss fell, rule by rule, in the order in which they came (exact)"
    return Table("card-steps", title, (Column("added", "rule added", wide=True), *SEATS), tuple(rows))
