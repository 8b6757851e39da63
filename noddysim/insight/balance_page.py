"""The page on balance: whether it matters who deals first, where points come from, and how long a game is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from noddysim.engine.games import SEAT_NAMES
from noddysim.game.laying_data import SEAT_WORDS
from noddysim.insight import balance_plots
from noddysim.insight.balance_answers import SAYS, Section, answer_blocks, first_strategy
from noddysim.insight.balance_words import metric_as_percent
from noddysim.insight.course_blocks import course_blocks
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
    code,
)  # fmt: skip
from noddysim.insight.evidence import Evidence, players_words
from noddysim.insight.method import method_blocks, rules_blocks
from noddysim.insight.numbers import format_estimate, points_of_chance
from noddysim.insight.pages import Book
from noddysim.insight.rows import LENGTHS, UNITS, Comparison, Difference, Row
from noddysim.insight.titles import by_title
from noddysim.insight.words import and_words, count_words

METRIC_WORDS: Final = {
    "edge": "first dealer's chance to win", "deals": "deals in a game", "cards": "cards laid in a game",
    "lead_changes": "changes of lead in a game", "margin": "points between winner and next",
    "games": "games that a game counts as", "turns": "turns in a game", "melds": "melds in a game",
    "draws": "draws in a game", "passes": "passes in a game", "first_melder_wins": "games won by the first melder",
    "won_by_first_meld": "games won by the first meld", "first_round": "games over in the first round",
    "stock_out": "games in which the stock runs out", "by_jack": "games won by a turned jack",
    "wilds_left": "wild cards left in hand in a game", "cards_left": "cards left in hand in a game",
    "best": "points of the winner", "drama": "points that the winner was behind at worst",
    "decided": "cards laid when the winner took the lead for good",
    "from_behind": "games won from behind in the last deal",
    "trailing": "deals begun behind by the winner", "skill": "best player over the weakest",
    "skill_share": "share that skill explains",
}  # fmt: skip
WON: Final = {
    "heels": "at the heels", "play": "at the play", "show": "at the show", "crib": "by the crib",
    "start": "by three for last", "mog": "by mogging",
}  # fmt: skip
SOURCE_WORDS: Final = {
    "heels": "turned card", "play": "the play", "show": "the show", "deal": "all together", "fifteen": "play: fifteens",
    "twentyfive": "play: twenty-fives", "thirtyone": "play: thirty-ones", "pair": "play: pairs", "run": "play: runs",
    "flush": "play: flushes", "last": "play: last card", "start": "three for last", "mog": "mogging",
    "crib": "the crib",
    **{
        f"{where}_{kind}": f"{where}: {words}"
        for where in ("show", "crib")
        for kind, words in {
            "fifteens": "fifteens and their like", "pairs": "pairs", "runs": "runs", "flush": "flushes",
            "nob": "his nob", "jacks_deuces": "jacks and deuces", "colours": "colours",
        }.items()
    },
}  # fmt: skip


def balance_page(book: Book) -> Page | None:
    """The page, or None if no experiment compares variants."""
    evidence = book.evidence
    if not evidence.comparisons:
        return None
    sections = _sections(evidence)
    blocks = answer_blocks(sections)
    for section in sections:
        blocks += _comparison_blocks(book, section)
    blocks.append(Heading("Rules and method", "method"))
    blocks += rules_blocks(evidence)
    blocks += method_blocks(evidence, book.command)
    subtitle = "How fair the game is between the seats, and what a change of rules does to it"
    return Page("balance", "Does it matter who deals first?", subtitle, tuple(blocks))


def _sections(evidence: Evidence) -> list[Section]:
    """The experiments that compare variants, each by the variants in it."""
    found = [(study.experiment, by_title(study.comparison)) for study in evidence.studies if study.comparison]
    names = [_variants_words(comparison) for _, comparison in found]
    sections = []
    for place, ((experiment, comparison), name) in enumerate(zip(found, names, strict=True), 1):
        alone = f"{name} ({experiment.name})" if names.count(name) > 1 else name
        title = alone if len(found) > 1 else ""
        sections.append(Section(comparison, experiment.question, title, "" if place == 1 else f"-{place}"))
    return sections


def _variants_words(comparison: Comparison) -> str:
    """The variants compared, the first two of many."""
    names = list(dict.fromkeys(row.variant.name for row in comparison.rows))
    return and_words(names if len(names) <= 3 else [*names[:2], f"{count_words(len(names) - 2)} others"])


def _comparison_blocks(book: Book, section: Section) -> list[Block]:
    """Pictures and tables of one experiment."""
    found = section.comparison.rows
    name = f"balance-wins{section.tail}"
    caption = "Broken line: a fair share. Seats are those of the first deal."
    svg = balance_plots.plot_wins(name, found, _short(found))
    blocks: list[Block] = [Heading(section.title, f"experiment{section.tail}")] if section.title else []
    return [
        *blocks,
        Heading("Chance to win", f"wins{section.tail}", section.level),
        book.figure(name, svg, _wins_alt(found), caption),
        TableBlock(wins_table(found, name)),
        *_points_blocks(book, section),
        *_length_blocks(book, section),
        *course_blocks(book, section.comparison, section.tail, section.level),
        *_difference_blocks(book, section),
    ]


def _short(found: Sequence[Row]) -> str:
    """The verdicts of the first variant in one line."""
    first = [row for row in first_strategy(found) if row.variant.name == found[0].variant.name]
    parts = [f"{players_words(row.players)}: {SAYS[row.verdict]}" for row in first]
    return f"{found[0].variant.name} with {'; '.join(parts)}"


def _wins_alt(found: Sequence[Row]) -> str:
    parts = [
        f"{row.variant.name} with {players_words(row.players)}: {format_estimate(row.seat_wins[-1], signed=False)}"
        for row in first_strategy(found)
    ]
    who = f"The first dealer, {found[0].strategy} in every seat"
    return f"Chance to win by seat in the first deal. {who}: {'; '.join(parts)}."


# --- tables and pictures --------------------------------------------------------------------------------------------

HEAD: Final = (Column("variant", "game"), Column("players", "players", number=True), Column("strategy", "strategy"))


def _head(row: Row) -> tuple[Cell, ...]:
    return (row.variant.name, row.players, code(row.strategy))


def wins_table(found: Sequence[Row], name: str) -> Table:
    """Chance to win by seat, and the first dealer's edge."""
    seats = list(dict.fromkeys(seat for row in found for seat in _side_columns(row)))
    order = sorted(seats, key=SIDE_ORDER.index)
    columns = [*HEAD, *(Column(seat, seat + (" (pone)" if seat == "eldest" else ""), True, False) for seat in order)]
    columns += [Column("edge", "dealer's edge", number=True), Column("games", "games", number=True)]
    counted = any(row.counted for row in found)
    columns += [Column("counted", "dealer, counted", True, False)] if counted else []
    rows = []
    for row in found:
        shares = dict(zip(_side_columns(row), row.seat_wins, strict=True))
        rows.append(
            (
                *_head(row),
                *(shares.get(seat) for seat in order),
                row.edge,
                row.games,
                *([row.counted] if counted else []),
            )
        )
    return Table(name, "Chance to win by seat in the first deal", tuple(columns), tuple(rows))


SIDE_ORDER: Final = (*SEAT_WORDS, "dealer", "eldest and third", "second and dealer")


def _side_columns(row: Row) -> list[str]:
    return ["eldest" if side == "pone" else side for side in row.side_names]


def _points_blocks(book: Book, section: Section) -> list[Block]:
    """Where the points of a deal come from, in games with a play of cards to a count."""
    found, tail = [row for row in section.comparison.rows if row.points], section.tail
    if not found:
        return []
    first = first_strategy(found)
    name = f"balance-points{tail}"
    row = first[0]
    play, show = (row.points[-1][kind] for kind in ("play", "show"))
    reply = (
        f"{row.variant.name}, {players_words(row.players)}: the dealer makes "
        f"{format_estimate(play, signed=False)} in the play and {format_estimate(show, signed=False)} in the show"
    )
    parts = []
    for seat, sources in zip(SEAT_NAMES[row.players], row.points, strict=True):
        parts.append(f"{seat} {format_estimate(sources['deal'], signed=False)}")
    alt = f"Points a deal by seat and source. {reply}. All together, {row.variant.name}: {', '.join(parts)}."
    caption = (
        f"Whole deals, no target, {row.strategy} in every seat. Variants that differ in the target alone are alike "
        "here."
    )
    return [
        Heading("Points a deal", f"points{tail}", section.level),
        book.figure(name, balance_plots.plot_points(name, first, reply), alt, caption),
        Fold("Points a deal by seat and source", (TableBlock(points_table(found, name)),)),
    ]


def points_table(found: Sequence[Row], name: str) -> Table:
    """Points a deal by seat and source."""
    columns = (*HEAD, Column("seat", "seat"), Column("source", "from"), Column("points", "points a deal", True, False))
    rows = [
        (*_head(row), seat, SOURCE_WORDS.get(source, source.replace("_", " ")), value)
        for row in found
        for seat, sources in zip(SEAT_NAMES[row.players], row.points, strict=True)
        for source, value in sources.items()
    ]
    return Table(name, "Points a deal by seat and source", columns, tuple(rows))


def _length_blocks(book: Book, section: Section) -> list[Block]:
    found, tail = section.comparison.rows, section.tail
    name = f"balance-lengths{tail}"
    first = first_strategy(found)
    parts = [
        f"{players_words(row.players)} {format_estimate(row.metrics['deals'], signed=False)}"
        for row in first
        if row.variant.name == first[0].variant.name
    ]
    reply = f"Deals in a game of {first[0].variant.name}: {'; '.join(parts)}"
    alt = f"Length of a game in deals and cards, and changes of lead, by variant and number of players. {reply}."
    phases = [phase for phase in WON if any(phase in row.phases for row in found)]
    more = [
        metric
        for metric in METRIC_WORDS
        if metric not in (*LENGTHS, "games") and any(metric in row.metrics for row in found)
    ]
    more_of = (*LENGTHS, *more)
    columns = (
        *HEAD,
        *(Column(metric, METRIC_WORDS[metric], True, False, metric_as_percent(UNITS[metric])) for metric in more_of),
        *(Column(f"won_{phase}", f"games won {WON[phase]}, %", True, False, True) for phase in phases),
        Column("games", "games", number=True),
    )  # fmt: skip
    rows = [
        (
            *_head(row),
            *(row.metrics.get(metric) for metric in more_of),
            *(row.phases.get(phase) for phase in phases),
            row.games,
        )
        for row in found
    ]
    caption = "Means of whole games; a change of lead is counted when another player than before comes to be ahead."
    return [
        Heading("Length of a game", f"length{tail}", section.level),
        book.figure(name, balance_plots.plot_lengths(name, found, reply), alt, caption),
        TableBlock(Table(name, "Length of a game, and where it is won", columns, tuple(rows))),
    ]


def _difference_blocks(book: Book, section: Section) -> list[Block]:
    comparison, tail = section.comparison, section.tail
    if not comparison.differences:
        return []
    name = f"balance-differences{tail}"
    edges = [one for one in comparison.differences if one.metric == "edge"]
    first = edges[0]
    reply = f"{first.a} less {first.b}, {players_words(first.players)}: {points_of_chance(first.value)}"
    parts = [
        f"{one.a} less {one.b}, {players_words(one.players)}: {points_of_chance(one.value)}"
        for one in edges
        if one.strategy == first.strategy
    ]
    alt = f"Difference of the first dealer's chance to win between variants. {'; '.join(parts)}."
    pairs = {(one.a, one.b): one.paired for one in comparison.differences}
    same = [f"{a} and {b}" for (a, b), paired in pairs.items() if paired]
    notes: list[Text | str] = list(comparison.notes)
    if same:
        notes.insert(0, f"The same cards reach the same seats in {and_words(same)}: what differs is due to the rules.")
    return [
        Heading("What a change of rules does", f"differences{tail}", section.level),
        bullets(*notes),
        book.figure(name, balance_plots.plot_differences(name, edges, reply), alt,
                    "The same game numbers in all variants, differences taken game by game."),
        TableBlock(differences_table(comparison.differences, name)),
    ]  # fmt: skip


def difference_column(metric: str) -> Column:
    """A column of differences in a metric, those of shares in per cent."""
    return Column(metric, METRIC_WORDS[metric], number=True, percent=metric_as_percent(UNITS[metric]))


def differences_table(found: Sequence[Difference], name: str) -> Table:
    """Every pair of variants in every metric."""
    metrics = list(dict.fromkeys(one.metric for one in found))
    columns = (
        Column("a", "game"), Column("b", "less"), Column("players", "players", number=True),
        Column("strategy", "strategy"), *(difference_column(metric) for metric in metrics),
        Column("same_cards", "same cards"), Column("n", "games", number=True),
    )  # fmt: skip
    groups: dict[tuple[str, str, int, str], dict[str, Difference]] = {}
    for one in found:
        groups.setdefault((one.a, one.b, one.players, one.strategy), {})[one.metric] = one
    rows: list[tuple[Cell, ...]] = []
    for (a, b, players, strategy), by_metric in groups.items():
        some = next(iter(by_metric.values()))
        values = [by_metric[metric].value if metric in by_metric else None for metric in metrics]
        rows.append((a, b, players, code(strategy), *values, "yes" if some.paired else "no", some.value.n))
    return Table(name, "Differences between variants, game by game", columns, tuple(rows))
