"""The page that holds our numbers against published ones, figure by figure, with a reason wherever they differ."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from noddysim.engine.scoring import as_variant
from noddysim.game.rulesheet import rule_sheet
from noddysim.insight import stats
from noddysim.insight import verification_plots as plots
from noddysim.insight.document import (
    Block,
    Bullets,
    Cell,
    Column,
    Fold,
    Heading,
    Page,
    Table,
    TableBlock,
    Text,
    bullets,
    code,
    link,
    paragraph,
    sheet_blocks,
    strong,
)
from noddysim.insight.numbers import format_count, format_estimate, format_number
from noddysim.insight.pages import Book
from noddysim.insight.plots import Frame
from noddysim.insight.published import CRIB, PERCENT, Section, Whose
from noddysim.insight.rare_hands import KEPT, RARE
from noddysim.insight.verification import (
    AGREES,
    DEALS_FOR_ONE,
    DEALT,
    DIFFERS,
    SHOWS,
    STRATEGIES,
    STRATEGY,
    Check,
    CribCheck,
    Verification,
)
from noddysim.insight.words import and_words
from noddysim.kernels.records import THOUSAND

PAGE: Final = "verification"
SECTION_WORDS: Final[dict[Section, str]] = {
    "counted": "Counted exactly",
    "deal": "Cribbage by the deal",
    "game": "Who wins at cribbage",
}
UNIT_WORDS: Final = {"points": "points", PERCENT: "%", "deals": "deals", "hands": "hands"}
DEAL_WORDS: Final = {
    "dealer.deal": "dealer, all told", "pone.deal": "pone, all told", "dealer.play": "dealer, in the play",
    "pone.play": "pone, in the play", "dealer.show": "dealer’s hand", "pone.show": "pone’s hand",
    "dealer.crib": "the crib",
}  # fmt: skip


NOT_SHOWN: Final = (
    "Not shown here: whether the advice and the balance of this report are right. For Noddy and Costly Colours no "
    "published figures were seen; in the tests they are held against a second program, written from the rules alone. "
    "Of cribbage, what was seen published on three and four players is the odds of a 29 alone; the margin at the end "
    "of a game, odds of single discards and results of tournaments are not compared."
)


def verification_page(book: Book, found: Verification) -> Page:
    """The whole page; its pictures go into the book."""
    blocks: list[Block] = [_lead(found), _differing(found), _note(found), paragraph(NOT_SHOWN, role="note")]
    blocks += _counted_blocks(found)
    blocks += _deal_blocks(book, found)
    blocks += _game_blocks(found)
    blocks += _crib_blocks(book, found)
    blocks += [Heading("Sources", "sources"), TableBlock(sources_table(found))]
    blocks += [Heading("Rules and method", "method"), *_rules(), _method(book, found)]
    subtitle = "Our numbers beside those that others have counted, measured or printed"
    return Page(PAGE, "Does it agree with what is known?", subtitle, tuple(blocks))


def opening_words(found: Verification) -> Text:
    """One sentence for the first page."""
    agreeing, asked = _agreeing(found.checks)
    halves = sum(check.verdict == AGREES for check in found.cribs)
    return (
        link("Checked against what is known", page=PAGE),
        f": {agreeing} of {asked} published figures on cribbage agree with ours, and {halves} of {len(found.cribs)} "
        "published lists of mean cribs do so in every pair.",
    )


# --- the answer -----------------------------------------------------------------------------------------------------


def _agreeing(checks: Sequence[Check]) -> tuple[int, int]:
    return sum(check.verdict == AGREES for check in checks), len(checks)


def _lead(found: Verification) -> Bullets:
    lines: list[Text | str] = []
    for section, words in SECTION_WORDS.items():
        agreeing, asked = _agreeing(found.of(section))
        lines.append((strong(f"{words}:"), f" {agreeing} of {asked} published figures agree."))
    halves = sum(check.verdict == AGREES for check in found.cribs)
    pairs = [check.agreeing for check in found.cribs], [len(check.printed) for check in found.cribs]
    lines.append(
        (
            strong("Mean cribs:"),
            f" {halves} of {len(found.cribs)} published lists agree in every pair of cards laid away, and "
            f"{format_count(sum(pairs[0]))} of all {format_count(sum(pairs[1]))} means do.",
        )
    )
    return bullets(*lines, role="lead")


def _differing(found: Verification) -> Block:
    """Every figure and list that differs, with the reason."""
    lines: list[Text | str] = []
    for check in found.checks:
        if check.verdict == DIFFERS:
            work = found.published.works[check.figure.work].title
            lines.append(
                (
                    strong(f"{_capital(check.figure.says)}:"),
                    f" {_printed(check)} in {work}, ours {format_estimate(check.ours, signed=False)}. {check.reason}",
                )
            )
    for crib in found.cribs:
        if crib.verdict == DIFFERS:
            lines.append((strong(f"{_table_words(crib)}:"), f" {_far_words(crib)}{_beside(found, crib)} {crib.reason}"))
    if not lines:
        return paragraph("Nothing differs.")
    return Bullets(
        ((("What differs, and why:",), tuple((line,) if isinstance(line, str) else line for line in lines)),)
    )


def _note(found: Verification) -> Block:
    allowed = found.published.allowed
    return paragraph(
        "A figure agrees if it lies within our 95\N{NO-BREAK SPACE}% interval, widened by what its own rounding may "
        "have taken away or added. Figures of play come from other players than ours, so one that misses by a little "
        f"still agrees: by {allowed['points']} points a deal, {allowed[PERCENT]} percentage point of games, "
        f"{allowed['deals']} deals a game, or {allowed[CRIB]} points in a mean crib, if the row names no other amount. "
        "The tables say where that was needed. Counts must be the same.",
        role="note",
    )


def _printed(check: Check) -> str:
    unit = UNIT_WORDS[check.figure.unit]
    return f"{check.figure.value}\N{NO-BREAK SPACE}{unit}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


# --- tables of figures ----------------------------------------------------------------------------------------------

CHECK_COLUMNS: Final = (
    Column("what", "what"),
    Column("published", "published", number=True),
    Column("unit", "unit"),
    Column("ours", "ours (95\N{NO-BREAK SPACE}%)", number=True, signed=False),
    Column("difference", "published less ours", number=True),
    Column("verdict", "verdict"),
    Column("source", "source", wide=True),
    Column("remark", "remark", wide=True),
)


def check_table(found: Verification, section: Section) -> Table:
    """The figures of one section beside ours."""
    rows = [
        (
            check.figure.says,
            check.figure.value,
            UNIT_WORDS[check.figure.unit],
            check.ours,
            check.difference,
            _verdict_cell(check.verdict),
            link(found.published.works[check.figure.work].title, "sources"),
            _remark(check),
        )
        for check in found.of(section)
    ]
    return Table(
        f"{PAGE}-{section}", f"{SECTION_WORDS[section]}: published and ours", CHECK_COLUMNS, tuple(rows), stacked=True
    )


def _verdict_cell(verdict: str) -> Cell:
    return strong(verdict) if verdict == DIFFERS else verdict


def _remark(check: Check) -> str:
    if check.verdict == DIFFERS:
        return check.reason
    if not check.by_tolerance:
        return ""
    allowed = f"{check.allowed_printed} {UNIT_WORDS[check.figure.unit]}"
    return f"outside our interval by less than the {allowed} allowed"


# --- counts ---------------------------------------------------------------------------------------------------------


def _counted_blocks(found: Verification) -> list[Block]:
    same = sum(ours == given for _, ours, given in found.counts)
    work = found.published.works[found.published.distribution.work].title
    return [
        Heading(SECTION_WORDS["counted"], "counted"),
        paragraph(
            "Every hand with every starter was counted, so there is nothing to estimate. Of the "
            f"{len(found.counts)} numbers of hands by points that {work} gives, {same} are ours too. For Noddy and "
            "Costly Colours no published count was seen; ours stand here for others to check."
        ),
        TableBlock(check_table(found, "counted")),
        TableBlock(shows_table(found)),
        paragraph(
            "The rarest hands of cribbage: how many deals there are for one in which the best four cards, with the "
            "starter, score 28 or 29. Whoever does not know the starter yet may have laid such a hand away."
        ),
        TableBlock(odds_table(found)),
        Fold("Every number of cribbage hands by points", (TableBlock(counts_table(found)),)),
    ]


def shows_table(found: Verification) -> Table:
    """Mean, share of nought and greatest score of every show that was counted."""
    columns = (
        Column("show", "show"), Column("cases", "hands and starters", number=True),
        Column("mean", "mean, points", True, False), Column("nothing", "show nothing", True, False),
        Column("most", "the most", number=True), Column("most_hands", "hands of the most", number=True),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for name, (words, _, _) in SHOWS.items():
        show = found.shows[name]
        most = max(show.counts)
        mean, nothing = (found.numbers[f"{name}.{key}"] for key in ("mean", "share-of-nothing"))
        rows.append((_capital(words), show.cases, mean, nothing, most, show.counts[most]))
    return Table(f"{PAGE}-shows", "Every show that was counted", columns, tuple(rows))


def odds_table(found: Verification) -> Table:
    """In how many deals a hand of 28 and one of 29 is met once, by the number of cards dealt."""
    columns = (
        Column("dealt", "cards dealt"), *(Column(f"one_{points}", f"one {points} in", True, False) for points in RARE),
    )  # fmt: skip
    show = found.shows["hand"]
    four = [stats.counted(show.cases, show.counts[points], DEALS_FOR_ONE) for points in RARE]
    rows: list[tuple[Cell, ...]] = [(f"{KEPT}, all kept", *four)]
    rows += [
        (f"{dealt}, the best {KEPT} kept", *(found.numbers[f"{name}.odds-{points}"] for points in RARE))
        for name, dealt in DEALT.items()
    ]
    return Table(f"{PAGE}-odds", "Deals for one hand of 28 or 29 at cribbage", columns, tuple(rows))


def counts_table(found: Verification) -> Table:
    """Cribbage hands by points, ours and the published ones."""
    columns = (
        Column("points", "points", number=True), Column("ours", "ours", number=True),
        Column("published", "published", number=True), Column("verdict", "verdict"),
    )  # fmt: skip
    rows = [
        (points, ours, given, _verdict_cell(AGREES if ours == given else DIFFERS))
        for points, ours, given in found.counts
    ]
    title = f"Cribbage hands by points: ours and {found.published.works[found.published.distribution.work].title}"
    return Table(f"{PAGE}-hands", title, columns, tuple(rows))


# --- deals and games ------------------------------------------------------------------------------------------------


def _deal_blocks(book: Book, found: Verification) -> list[Block]:
    # Figures over two deals have a tolerance of their own and would need another scale.
    single = [check for check in found.of("deal") if check.figure.allowed is None]
    agreeing, asked = _agreeing(single)
    widest = max(single, key=lambda check: abs(check.difference.estimate))
    reply = (
        f"{agreeing} of {asked} figures on single deals agree; the furthest is {_printed(widest)} for "
        f"“{widest.figure.says}”, ours {format_estimate(widest.ours, signed=False)}"
    )
    name = f"{PAGE}-deal"
    labels = _labels(single)
    axis = "published less ours, points a deal, with our 95 % interval and the rounding; grey: allowed"
    frame = Frame("Do our players score what is published?", reply)
    parts = [
        f"{check.figure.says} {check.figure.value}, ours {format_estimate(check.ours, signed=False)}"
        for check in single
    ]
    return [
        Heading(SECTION_WORDS["deal"], "deal"),
        paragraph("Two players, whole deals, ", code(STRATEGY), " in both seats."),
        book.figure(
            name, plots.plot_differences(name, single, labels, frame, axis),
            f"Published points a deal less ours. {reply}. {'; '.join(parts)}.",
            "Each row is a published figure. A mark to the right of nought says that it is higher than ours."
            + _left_out(found.of("deal"), single),
        ),
        TableBlock(check_table(found, "deal")),
        paragraph(_players_words(found)),
        TableBlock(players_table(found)),
    ]  # fmt: skip


def _labels(checks: Sequence[Check]) -> list[str]:
    """Row names of a picture: what it is and the figure, with its source where two would be alike."""
    names = [f"{check.figure.says}: {check.figure.value}" for check in checks]
    return [
        f"{name} ({_capital(check.figure.work)})" if names.count(name) > 1 else name
        for name, check in zip(names, checks, strict=True)
    ]


def _left_out(checks: Sequence[Check], shown: Sequence[Check]) -> str:
    """Which figures of a section a picture leaves out."""
    missing = [f"“{check.figure.says}” {check.figure.value}" for check in checks if check not in shown]
    return f" Left out, since they need another scale: {and_words(missing)}; see the table." if missing else ""


def _players_words(found: Verification) -> str:
    """What our other players do on the same deals, and how the published figures lie to all of them."""
    asked = [check for check in found.of("deal") if check.figure.ours.endswith(".play")]
    between = 0
    for check in asked:
        ours = [numbers[check.figure.ours].estimate for numbers in found.by_strategy.values()]
        between += min(ours) <= check.theirs.high and check.theirs.low <= max(ours)
    return (
        "How much of this is due to who plays: the same deals by other players of ours, who lay away alike and differ "
        f"in the play alone. {between} of the {len(asked)} published figures of the play lie between the lowest and "
        "the highest of them, as far as their rounding tells."
    )


def players_table(found: Verification) -> Table:
    """Points a deal by each of our players."""
    columns = (
        Column("what", "points a deal"),
        *(Column(f"player_{place}", name, True, False) for place, name in enumerate(STRATEGIES, 1)),
    )
    rows: list[tuple[Cell, ...]] = [
        (words, *(found.by_strategy[strategy][name] for strategy in STRATEGIES)) for name, words in DEAL_WORDS.items()
    ]
    return Table(f"{PAGE}-players", "The same deals by several of our players", columns, tuple(rows))


def _game_blocks(found: Verification) -> list[Block]:
    return [
        Heading(SECTION_WORDS["game"], "games"),
        paragraph("Two players, games to 121 points, ", code(STRATEGY), " in both seats; the deal alternates."),
        TableBlock(check_table(found, "game")),
    ]


# --- cribs ----------------------------------------------------------------------------------------------------------


def _crib_blocks(book: Book, found: Verification) -> list[Block]:
    name = f"{PAGE}-cribs"
    agreeing = [check for check in found.cribs if check.verdict == AGREES]
    pairs = sum(check.agreeing for check in found.cribs)
    asked = sum(len(check.printed) for check in found.cribs)
    reply = f"{pairs} of {asked} means agree; {len(agreeing)} of {len(found.cribs)} lists agree in every pair"
    parts = [
        f"{_table_words(check)}: {check.agreeing} of {len(check.printed)}, furthest at {check.furthest}"
        for check in found.cribs
    ]
    full = tuple(TableBlock(cribs_table(found, whose)) for whose in plots.SIDES)
    return [
        Heading("What two cards laid away are worth in the crib", "cribs"),
        paragraph(
            "Several players and programs have published what a crib comes to on average by the two cards that one "
            "lays away oneself. They differ from each other too, since the other two cards depend on who lays them."
        ),
        bullets(*(f"{_table_words(check)}: {_far_words(check)}" for check in found.cribs)),
        book.figure(
            name, plots.plot_cribs(name, found.cribs, reply), f"Published mean cribs less ours. {reply}. "
            f"{'; '.join(parts)}.",
            "Our own intervals are narrower than the marks. The pair furthest from nought is named.",
        ),
        TableBlock(crib_summary(found)),
        Fold("Every mean crib, ours and the published ones", full),
    ]  # fmt: skip


def _table_words(check: CribCheck) -> str:
    return f"{check.table.name}, {plots.WHOSE_WORDS[check.whose]}"


def _far_words(check: CribCheck) -> str:
    """How a list lies to ours, and where it is furthest away."""
    mean = check.mean_difference
    size = format_number(abs(mean), 2)
    side = "higher" if mean > 0 else "lower"
    lies = f"on average {size} points {side} than ours" if float(size) else "on average as high as ours"
    ours = check.ours[check.furthest]
    return (
        f"{lies}; furthest at {check.furthest}, "
        f"{check.printed[check.furthest]} against {format_number(ours.estimate, 2)}."
    )


def _beside(found: Verification, check: CribCheck) -> str:
    """What the other lists have where one lies furthest away."""
    others = [
        other.printed[check.furthest] for other in found.cribs if other.whose == check.whose and other is not check
    ]
    if not others:
        return ""
    return f" The other lists have {min(others, key=float)} to {max(others, key=float)} there."


def crib_summary(found: Verification) -> Table:
    """One row for each half of a published table."""
    columns = (
        Column("table", "list"), Column("crib", "crib"), Column("source", "source", wide=True),
        Column("pairs", "pairs", number=True), Column("agree", "agree", number=True),
        Column("mean_difference", "mean difference", number=True), Column("furthest", "furthest at"),
        Column("published", "published", number=True), Column("ours", "ours (95\N{NO-BREAK SPACE}%)", True, False),
        Column("verdict", "verdict"), Column("remark", "remark", wide=True),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for check in found.cribs:
        work = check.table.work(check.whose)
        assert work is not None  # there is a check only where there is a work
        rows.append(
            (
                check.table.name, plots.WHOSE_WORDS[check.whose], link(found.published.works[work].title, "sources"),
                len(check.printed), check.agreeing, format_number(check.mean_difference, 3, signed=True),
                check.furthest, check.printed[check.furthest], check.ours[check.furthest],
                _verdict_cell(check.verdict), check.reason if check.verdict == DIFFERS else "",
            )
        )  # fmt: skip
    return Table(f"{PAGE}-cribs", "Published lists of mean cribs beside ours", columns, tuple(rows), heads=2)


def cribs_table(found: Verification, whose: Whose) -> Table:
    """Every pair of one half, ours with its interval and the published means."""
    checks = [check for check in found.cribs if check.whose == whose]
    columns = [Column("laid", "laid away"), Column("ours", "ours (95\N{NO-BREAK SPACE}%)", True, False)]
    for check in checks:
        key = check.table.name.lower().replace(" ", "_")
        columns += [Column(key, check.table.name, number=True)]
    columns.append(Column("differing", "differ"))
    rows: list[tuple[Cell, ...]] = []
    for laid, ours in checks[0].ours.items():
        differing = [check.table.name for check in checks if check.verdict_of(laid) == DIFFERS]
        rows.append((laid, ours, *(check.printed[laid] for check in checks), ", ".join(differing)))
    title = f"Mean cribs, {plots.WHOSE_WORDS[whose]}"
    return Table(f"{PAGE}-cribs-{whose}", title, tuple(columns), tuple(rows))


# --- sources and method ---------------------------------------------------------------------------------------------


def sources_table(found: Verification) -> Table:
    """Every work that a figure or a list was read in, with its address."""
    columns = (Column("source", "source", wide=True), Column("address", "address"), Column("figures", "figures", True))
    used: dict[str, int] = {}
    lists = [check.table.work(check.whose) for check in found.cribs]
    for work in [check.figure.work for check in found.checks] + [work for work in lists if work]:
        used[work] = used.get(work, 0) + 1
    rows = [(found.published.works[work].title, found.published.works[work].address, n) for work, n in used.items()]
    return Table(f"{PAGE}-sources", "Where the published figures and lists were read", columns, tuple(rows))


def _rules() -> list[Block]:
    variants = [as_variant(variant) for variant in dict.fromkeys(variant for _, variant, _ in SHOWS.values())]
    return [
        Fold(f"Rules in force: {variant.title} ({variant.name})", tuple(sheet_blocks(rule_sheet(variant))))
        for variant in variants
    ]


def _method(book: Book, found: Verification) -> Block:
    extent, table = found.extent, found.table
    gap = Fraction(table.gap, THOUSAND)
    lines = bullets(
        f"{format_count(extent.deals)} deals by each player and {format_count(extent.games)} games, seed "
        f"{extent.seed}; the same strategy in both seats.",
        f"Our mean cribs were worked out in {table.rounds} rounds: everybody lays away by a table, and what comes of "
        "it corrects the table, until the two hardly differ. The last round had "
        f"{format_count(table.deals)} deals; what came of it lies at most {format_number(float(gap), 3)} points from "
        "the table by which its cards were laid away.",
        "Intervals are Student’s for means, Wilson’s for shares of games, and that of a ratio for mean cribs. Where "
        "two seats are added, so are their intervals, which can only make them wider than need be.",
        "A published number is taken to have been rounded to its last digit, except for counts and for figures that "
        "came with an interval of their own.",
        "The published figures stand as data in the package, in published.toml, each with its source.",
    )
    return Fold("How it was checked", (lines, paragraph("To repeat all this: ", code(book.command), ".")))
