"""The pages of the report: what stands where, in the order in which a reader wants to know it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from noddysim.game.claims import ClaimBook, verdict_from_report
from noddysim.game.laying_data import GAME_WORDS
from noddysim.game.minds import describe_mind
from noddysim.game.strategy_data import Tip
from noddysim.insight import overview, plots, tables, verdicts, words
from noddysim.insight.document import (
    Block,
    Bullets,
    Cell,
    Column,
    Figure,
    Fold,
    Heading,
    Page,
    Span,
    Table,
    TableBlock,
    Terms,
    Text,
    badge,
    bullets,
    code,
    fraction_cell,
    link,
    paragraph,
    strong,
)
from noddysim.insight.evidence import Case, Evidence, from_source, players_words
from noddysim.insight.lead_words import room_answer, room_table, room_words
from noddysim.insight.method import method_blocks, rules_blocks
from noddysim.insight.study import Lead

FACT_PLACES: Final = {"nob-worth": ("hold-nob", "drop-nob"), "seven-seven-eight": ("avoid-pairable", "invite-pairs")}
"""Exact facts that answer the reason given for a tip."""

VERDICT_MEANINGS: Final = (
    (verdicts.HELPS, "the whole interval lies above nought and not all of it in the zone that is too small to matter"),
    (verdicts.HURTS, "the same below nought"),
    (verdicts.NO_DIFFERENCE, "the whole interval lies inside that zone"),
    (verdicts.DEPENDS, "the findings differ by who follows the advice or who is met"),
    (verdicts.UNDECIDED, "more deals would be needed to tell"),
    (verdicts.ALREADY_FOLLOWED, "the advice never changes a card, since its player lays those cards anyway; this is "
     "not the same as no difference"),
    (verdicts.VACUOUS, "the decision does not exist under these rules"),
)  # fmt: skip


@dataclass
class Book:
    """Pages in the making, with the pictures drawn for them: SVG text by name."""

    evidence: Evidence
    command: str
    figures: dict[str, str] = field(default_factory=dict)

    def figure(self, name: str, svg: str, alt: str, caption: str) -> Figure:
        """Keep a picture and give the block that shows it."""
        self.figures[name] = svg
        return Figure(name, alt, caption)


def index_page(book: Book) -> Page:
    """Verdicts first, then a section for each tip, then rules and method."""
    evidence = book.evidence
    blocks: list[Block] = []
    if evidence.panels:
        blocks.append(bullets(*words.opening(evidence), role="lead"))
        shown = overview.shown_cases(evidence)
        if len(shown) >= overview.FEWEST:
            picture = overview.plot_overview(shown, evidence)
            blocks.append(book.figure(overview.NAME, picture, overview.alt_of(shown), overview.CAPTION))
        blocks += _verdict_blocks(evidence)
        for tip in evidence.subjects:
            blocks += _tip_blocks(book, tip)
    if evidence.others:
        blocks.append(Heading("Strategies beside each other", "others"))
        blocks.append(bullets(*[tables.duel_words(duel) for duel in evidence.others]))
        blocks.append(TableBlock(tables.others_table(evidence.others)))
    if evidence.leads and not any(tip.decision == "lead" for tip in evidence.subjects):
        blocks += [Heading("Points by the card led", "leads"), *_lead_blocks(book)]
    blocks += _fact_blocks(evidence)
    blocks.append(Heading("Rules and method", "method"))
    blocks += rules_blocks(evidence)
    blocks += method_blocks(evidence, book.command)
    subtitle = "What the advice given for the old card game of Noddy is worth, measured card by card"
    return Page("index", "Does the advice help?", subtitle, tuple(blocks))


# --- verdicts -------------------------------------------------------------------------------------------------------


def _verdict_blocks(evidence: Evidence) -> list[Block]:
    panels = evidence.panels
    blocks: list[Block] = [Heading("Verdicts", "verdicts")]
    blocks.append(
        paragraph(
            "“Worth” is in points a deal, in the seat that the advice concerns: how much better a player does who "
            "follows it than the same player without it, against the same opponents, on the same cards. In brackets "
            "the 95\N{NO-BREAK SPACE}% interval. The scale puts a card chosen by chance at 0 and the best player known "
            "at 100. A verdict allows for all the advice that was tested together, so it can stay undecided where the "
            "interval just misses nought. The names of the players are explained ",
            link("below the tables", "players"),
            ".",
            role="note",
        )
    )
    if any(duel.sampled for case in evidence.cases.values() for duel in case.duels):
        blocks.append(
            paragraph(
                "“Counted”: with two players what advice is worth in points was added up over all deals, so it has no "
                "interval. The deals that were played stand beside it; they agree, or there would be no report.",
                role="note",
            )
        )
    first = tables.verdict_table(evidence, panels[0], source=True) or tables.verdict_table(
        evidence, panels[0], source=False
    )
    if first:
        blocks.append(TableBlock(first))
    summary, *others = map(TableBlock, tables.summary_tables(evidence))
    blocks.append(summary)
    if others:
        blocks.append(Fold("All verdicts in the other games", tuple(others)))
    blocks += [Heading("Who plays", "players", level=3), _who_plays(evidence)]
    blocks.append(Fold("What the verdicts mean", (Terms(tuple(((badge(v),), (m,)) for v, m in VERDICT_MEANINGS)),)))
    rest = [tables.verdict_table(evidence, panel, source) for panel in panels for source in (True, False)]
    more = tuple(TableBlock(table) for table in rest if table is not None and table != first)
    if more:
        blocks.append(Fold("The same with numbers: other advice, other numbers of players", more))
    return blocks


def _who_plays(evidence: Evidence) -> Terms:
    names = [
        (case.duels[0].setting.family, name)
        for case in evidence.cases.values()
        for name in (*case.baselines, *case.opponents)
    ]
    found: list[tuple[Text, Text]] = []
    for family, name in dict.fromkeys(names):
        mind = evidence.minds[family, name]
        game = f" ({GAME_WORDS[family]})" if family in GAME_WORDS else ""
        found.append(((code(name), game), (mind.summary or describe_mind(mind),)))
    return Terms(tuple(found))


# --- one tip --------------------------------------------------------------------------------------------------------


def _tip_blocks(book: Book, tip: Tip) -> list[Block]:
    evidence = book.evidence
    panels = evidence.panels
    cases = evidence.of(tip)
    opposite = evidence.opposite(tip)
    against = evidence.of(opposite) if opposite else []
    blocks: list[Block] = [Heading(tip.title, words.anchor(tip.name))]
    head = "The rules page says. " if from_source(tip) else "Not advice of the rules page. "
    blocks.append(paragraph(strong(head), tip.words, f" ({words.source_words(tip.source)}.)"))
    blocks.append(paragraph(strong("Tested as. "), tip.rule, " ", code(tip.name)))
    blocks.append(Bullets(tuple(words.verdict_line(case, panels) for case in cases)))
    for name, places in FACT_PLACES.items():
        if tip.name in places and name in evidence.facts:
            blocks.append(paragraph(strong("Known exactly. "), evidence.facts[name].words))
    if any(case.finding.verdict != verdicts.VACUOUS for case in cases):
        blocks.append(_tip_figure(book, tip, cases, against))
        noticed = [text for case in cases if (text := words.notice(case, panels))]
        if noticed:
            blocks += [Heading("What a player would notice", level=3), Bullets(tuple(noticed))]
            blocks.append(paragraph(words.NOTICE_NOTE, role="note"))
        blocks += _lead_part(book, tip)
        blocks.append(Fold(f"Every number for “{tip.title}”", (TableBlock(tables.effects_table(cases, panels)),)))
    if opposite and against:
        blocks += _opposite_blocks(evidence, opposite, against)
    return blocks


def _tip_figure(book: Book, tip: Tip, cases: Sequence[Case], against: Sequence[Case]) -> Figure:
    name = tables.slug("tip", tip.name)
    shown = [case for case in cases if case.finding.verdict != verdicts.VACUOUS]
    alt = f"Effect of “{tip.title}” by opponent. " + " ".join(words.alt_words(case) for case in shown)
    caption = (
        "Each row is a player with the advice beside himself without it (before “v.”), and whom he meets (after it). "
        f"Dots are estimates, lines 95 % intervals ({plots.HIDDEN}); right of nought the advice gains."
    )
    return book.figure(name, plots.plot_tip(name, cases, against, book.evidence.panels), alt, caption)


def _opposite_blocks(evidence: Evidence, tip: Tip, cases: Sequence[Case]) -> list[Block]:
    kind = words.source_words(tip.source)
    blocks: list[Block] = [Heading(f"The opposite: {tip.title.lower()}", words.anchor(tip.name), level=3)]
    blocks.append(paragraph(tip.rule, " ", code(tip.name), f" ({kind}.)"))
    if all(case.finding.verdict == verdicts.VACUOUS for case in cases):
        blocks.append(paragraph("It has nothing to decide either."))
        return blocks
    blocks.append(bullets(*[words.opposite_line(case, evidence.panels) for case in cases]))
    table = tables.effects_table(cases, evidence.panels)
    blocks.append(Fold(f"Every number for “{tip.title}”", (TableBlock(table),)))
    return blocks


# --- leads ----------------------------------------------------------------------------------------------------------


def _lead_part(book: Book, tip: Tip) -> list[Block]:
    """Points by the card led, in the section of the first tip on leads; the others point there."""
    leading = [other for other in book.evidence.subjects if other.decision == "lead"]
    if not book.evidence.leads or tip not in leading:
        return []
    if tip is not leading[0]:
        return [paragraph("What each card led leaves for later: see ", link("points by the card led", "leads"), ".")]
    return [Heading("Points by the card led", "leads", level=3), *_lead_blocks(book)]


def _lead_blocks(book: Book) -> list[Block]:
    leads = book.evidence.leads
    panels = [panel for panel, _ in leads]
    strategies = list(dict.fromkeys(strategy for _, strategy in leads))
    blocks: list[Block] = [
        paragraph(
            "Low leads are said to leave more room for fifteen and thirty-one later. Here is what each card led left, "
            f"with {words.and_words(strategies)} in every seat. No lead scores by itself, so all these points come "
            "later in the deal."
        ),
        bullets(*[room_words(found, panel, panels) for (panel, _), found in leads.items()]),
    ]
    blocks.append(TableBlock(room_table([(panel, found) for (panel, _), found in leads.items()], panels)))
    for (panel, strategy), found in leads.items():
        name = tables.slug("leads", *panel, strategy)
        reply = room_answer(found, panel)
        caption = f"Points a deal by the rank of the first card, {strategy} in every seat; lines are 95 % intervals."
        svg = plots.plot_leads(name, found, panel, reply)
        blocks.append(book.figure(name, svg, _lead_alt(found, panel.players, reply), caption))
    full = [TableBlock(tables.leads_table(found, panel, strategy)) for (panel, strategy), found in leads.items()]
    blocks.append(Fold("Every number by the card led", tuple(full)))
    return blocks


def _lead_alt(leads: Sequence[Lead], players: int, reply: str) -> str:
    parts = []
    for kind, name in (("fifteen", "fifteens"), ("thirtyone", "thirty-ones")):
        best = max(leads, key=lambda lead: lead.seats[0][kind].estimate)
        parts.append(f"most from {name} after {best.rank} ({best.seats[0][kind].estimate:.2f})")
    return f"Points by card led, {players_words(players)}. {reply}; the leader makes {' and '.join(parts)}."


# --- facts ----------------------------------------------------------------------------------------------------------


def _fact_blocks(evidence: Evidence) -> list[Block]:
    if not evidence.facts:
        return []
    columns = (Column("fact", "fact"), Column("value", "value"), Column("exactly", "exactly", number=True))
    rows: list[tuple[Cell, ...]] = [
        (name, value.replace("_", " "), fraction_cell(number))
        for name, fact in evidence.facts.items()
        for value, number in fact.values.items()
    ]
    return [
        Heading("Counted exactly", "exact"),
        paragraph("Nothing here is sampled: every hand with every starter was counted."),
        bullets(*[fact.words for fact in evidence.facts.values()]),
        TableBlock(Table("exact-facts", "Exact facts", columns, tuple(rows), heads=2)),
    ]


# --- claims ---------------------------------------------------------------------------------------------------------


def claims_page(book: Book, claims: ClaimBook) -> Page:
    """What the rules pages claim, sentence by sentence, with verdicts and evidence."""
    blocks: list[Block] = [
        paragraph(
            "Every sentence of three rules pages, on pegging Noddy, on the melding game “The Innocence” and on "
            "“Snitch”, that states a rule, a tip, a reason, a variation or a piece of history, in our own words, and "
            "what became of it. “Tested” means that a test of this project "
            "fixes it as a rule of the game played here. Where a claim waits for a number, the verdict is the one that "
            "this very report finds."
        )
    ]
    blocks.insert(0, _claims_lead(book.evidence, claims))
    sections = list(dict.fromkeys(claim.section for claim in claims.claims))
    columns = (
        Column("id", "claim"),
        Column("kind", "kind"),
        Column("says", "it says", wide=True),
        Column("status", "verdict"),
        Column("evidence", "evidence", wide=True),
    )
    for section in sections:
        rows: list[tuple[Cell, ...]] = []
        for claim in claims.claims:
            if claim.section != section:
                continue
            found, where = _claim_answer(book.evidence, claim.verdict, claim.named("tip"), claim.named("experiment"))
            status = f"{found} (this report)" if found else words.spaced(claim.status)
            proof = where + _claim_proof(claim.evidence, claim.test, claim.remark, bool(where))
            rows.append((code(claim.id), claim.kind, claim.says, status, proof))
        blocks.append(Heading(section, tables.title_slug(f"claims-{section}")))
        name, title = tables.title_slug(f"claims-{section}"), f"What “{section}” claims"
        blocks.append(TableBlock(Table(name, title, columns, tuple(rows), stacked=True)))
    blocks.append(Heading("Sources", "sources"))
    blocks.append(
        Terms(tuple(((source.key,), (f"{source.title}. {source.address} (seen: {source.seen})",))
                    for source in claims.sources.values()))
    )  # fmt: skip
    return Page("claims", "Claims and verdicts", "What the rules pages say, sentence by sentence", tuple(blocks))


def _claims_lead(evidence: Evidence, claims: ClaimBook) -> Bullets:
    """How many claims came to what."""
    number: Counter[str] = Counter()
    for claim in claims.claims:
        found, _ = _claim_answer(evidence, claim.verdict, claim.named("tip"), claim.named("experiment"))
        number[found or words.spaced(claim.status)] += 1
    told = "; ".join(f"{status} {count}" for status, count in number.most_common())
    return bullets((strong(f"{len(claims.claims)} claims. "), f"What became of them: {told}."), role="lead")


def _claim_answer(
    evidence: Evidence, verdict: str | None, tips: Sequence[str], experiments: Sequence[str]
) -> tuple[str, Text]:
    """For an open claim: the verdict of this report, if it has one, and links to where it is found."""
    if verdict != "open":
        return "", ()
    tested = [tip for tip in evidence.tips if tip.name in tips]
    if tested:
        said = [case.finding.verdict for tip in tested for case in evidence.of(tip)]
        links: list[str | Span] = []
        for tip in tested:
            links += [link(tip.title, words.anchor(tip.name), "index"), ". "]
        return verdict_from_report(said).replace("-", " "), tuple(links)
    if "balance.toml" in experiments and evidence.comparisons:
        return "", (link("Numbers on the balance page", "balance", "balance"), ". ")
    if "leads.toml" in experiments and evidence.leads:
        return "", (link("Points by the card led", "leads", "index"), ". ")
    return "", ()


def _claim_proof(evidence: Sequence[str], test: str | None, remark: str, linked: bool) -> Text:
    pieces: list[str | Span] = []
    said = remark.strip()
    if linked and said.startswith("measured in the report"):
        said = said.removeprefix("measured in the report").lstrip(":. ")
    if said:
        pieces.append(said[0].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".") + " ")
    if test:
        pieces.append(Span(test, "option"))
    elif evidence:
        names = [entry.removesuffix(".toml").removeprefix("source:") for entry in evidence]
        pieces.append(Span(", ".join(names), "quiet"))
    return tuple(pieces)
