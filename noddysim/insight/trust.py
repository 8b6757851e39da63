"""Two pages of the report: whether its verdicts can be trusted, and the ratings of the strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from noddysim.engine.runner import Announce
from noddysim.game.minds import describe_mind, read_mind
from noddysim.game.rules import load_variant
from noddysim.insight import selfcheck_plots as plots
from noddysim.insight.document import (
    Block,
    Cell,
    Column,
    Fold,
    Heading,
    Page,
    Table,
    TableBlock,
    Terms,
    Text,
    bullets,
    code,
    link,
    paragraph,
    strong,
)
from noddysim.insight.evidence import players_words
from noddysim.insight.numbers import format_count, format_number, format_percent
from noddysim.insight.pages import Book
from noddysim.insight.plots import Frame
from noddysim.insight.ratings import Ratings, ladder_words, ratings, ratings_amount
from noddysim.insight.selfcheck import ALARM, FAMILIES, PLANT_WORDS, SEED, Check, Family, holds
from noddysim.insight.selfcheck_intervals import ARM, BASE, SAMPLE, some_duels
from noddysim.insight.selfcheck_run import SelfCheck, self_check
from noddysim.insight.variance import MEANING, Variance
from noddysim.insight.words import and_words

PAGE: Final = "evidence"
RATINGS_PAGE: Final = "ratings"
SHOWN_DUELS: Final = 100
ROUND_ROBINS: Final = (("noddy", 2), ("noddy", 3), ("cribbage", 2), ("innocence", 2), ("snitch", 4))
"""Variants and numbers of players whose strategies are rated."""
QUESTIONS: Final[Mapping[Family, str]] = {
    "intervals": "Do intervals hold the truth as often as they say?",
    "alarms": "How often is something found where nothing is?",
    "power": "Is what is there found as often as planned?",
}
"""What the picture of each family of shares answers."""
CHECKS: Final = 40
"""About how many checks there are, for the progress bar."""


@dataclass(frozen=True)
class TrustExtent:
    """How much is played: a quick self-check or the full one; deals and games of every pair in the ratings."""

    quick: bool = False
    deals: int | None = None
    games: int | None = None
    seed: int = SEED

    @property
    def work(self) -> int:
        """Parts of the work, for a progress bar."""
        return CHECKS + sum(self.amount(name) for name, _ in ROUND_ROBINS)

    def amount(self, name: str) -> int:
        """Duplicates of every pair in one round robin."""
        return ratings_amount(load_variant(name), self.limits(name).get("deals"), self.limits(name).get("games"))[0]

    def limits(self, name: str) -> Mapping[str, int]:
        """The number given for a round robin, never above the usual one."""
        usual, by_games = ratings_amount(load_variant(name), None, None)
        given = self.games if by_games else self.deals
        return {} if given is None else {"games" if by_games else "deals": min(usual, given)}


def trust_extent(deals: int | None = None, games: int | None = None, seed: int | None = None) -> TrustExtent:
    """The usual extent with what is given in place of it; where less is played the self-check is the quick one."""
    return TrustExtent(deals is not None or games is not None, deals, games, SEED if seed is None else seed)


@dataclass(frozen=True)
class Trust:
    """A self-check and round robins that have been made."""

    extent: TrustExtent
    checked: SelfCheck
    rated: tuple[Ratings, ...]

    def provenance(self) -> dict[str, Any]:
        """What the two pages rest on."""
        played = [
            {"variant": one.robin.variant.name, "players": one.robin.players, "n": one.n, "strategies": one.names}
            for one in self.rated
        ]
        return {"quick": self.extent.quick, "seed": self.extent.seed, "checks_seed": SEED, "ratings": played}


def make_sure(extent: TrustExtent, announce: Announce, *, workers: int | None = None) -> Trust:
    """Make the self-check and play the round robins."""
    checked = self_check(extent.quick, tell=announce("self-check", CHECKS))
    rated = []
    for name, players in ROUND_ROBINS:
        limits, told = extent.limits(name), announce(f"ratings, {name}", extent.amount(name))
        rated.append(
            ratings(
                name, players=players, deals=limits.get("deals"), games=limits.get("games"), seed=extent.seed,
                workers=workers, progress=told,
            )
        )  # fmt: skip
    return Trust(extent, checked, tuple(rated))


def opening_words(found: Trust) -> Text:
    """One sentence for the first page, on the self-check."""
    checks = found.checked.checks
    held = sum(check.ok for check in checks)
    return (
        link("The statistics were tested on themselves", page=PAGE),
        f": {held} of {len(checks)} checks hold.",
    )


def ratings_words(found: Trust) -> Text:
    """One sentence for the first page, on the first round robin."""
    first = found.rated[0]
    return (link("The strategies are rated", page=RATINGS_PAGE), f". {_where(first)}: {_best_words(first)}")


def _best_words(found: Ratings) -> str:
    """Who is best, in a sentence."""
    top = found.groups[0]
    return f"{top[0]} is best." if len(top) == 1 else f"{and_words(top)} share the first place."


# --- evidence -------------------------------------------------------------------------------------------------------


def evidence_page(book: Book, found: SelfCheck) -> Page:
    """The self-check family by family."""
    held = sum(check.ok for check in found.checks)
    failed = [check.name for check in found.checks if not check.ok]
    answer = "Nothing failed." if not failed else f"Failed: {and_words(failed)}."
    blocks: list[Block] = [
        bullets(
            (strong(f"{held} of {len(found.checks)} checks hold."), f" {answer}"),
            "Experiments whose truth is known were made by the thousand with the very functions that make the verdicts "
            "of this report, on duplicates that were really played.",
            f"Each check has bounds that a right program misses less than once in {round(1 / ALARM):,} runs of all of "
            "them. A wrong formula, put in on purpose, misses them by far; the tests try four: "
            f"{'; '.join(PLANT_WORDS.values())}.",
            role="lead",
        ),
        _duels_figure(book),
    ]
    for family, title in FAMILIES.items():
        blocks += _family_blocks(book, found, family, title)
    blocks += _variance_blocks(found.variance)
    command = f"noddysim verify{' --quick' if found.quick else ''}"
    blocks += [
        Heading("Method", "method"),
        paragraph(f"Seed {SEED}, the same whenever the report is built. To repeat it: ", code(command), "."),
    ]
    return Page(
        PAGE, "Can the verdicts be trusted?", "The statistics of this report, tested on themselves", tuple(blocks)
    )


def _variance_blocks(found: Sequence[Variance]) -> list[Block]:
    """How much luck duplicates and a control variate take out of a duel."""
    if not found:
        return []
    columns = (
        Column("duel", "duel", wide=True), Column("device", "what takes luck out"),
        Column("factor", "factor gained", True, False), Column("verdict", "so it"),
    )  # fmt: skip
    rows = tuple((one.duel_words, device.words, device.factor, device.pays) for one in found for device in one.devices)
    what = f"{format_count(found[0].deals)} deals of Noddy for two, seed {found[0].seed}"
    return [
        Heading("How much luck is taken out", "variance"),
        bullets(*(one.words() for one in found)),
        paragraph(MEANING, role="note"),
        TableBlock(Table(f"{PAGE}-variance", f"Factors gained: {what}", columns, rows, heads=2, stacked=True)),
    ]


def _duels_figure(book: Book) -> Block:
    truth, shown = some_duels(SHOWN_DUELS)
    missed = sum(not holds(one, truth) for one in shown)
    reply = f"{SHOWN_DUELS - missed} of {SHOWN_DUELS} intervals hold the truth, {missed} miss it; 5 were to be expected"
    frame = Frame("Does a 95 % interval hold the truth?", reply)
    name = f"{PAGE}-duels"
    alt = f"Intervals of {SHOWN_DUELS} duels of {ARM} with {BASE}. {reply}."
    caption = (
        f"Each line is a duel of {SAMPLE} duplicates of its own, {ARM} with {BASE} in Noddy for two, in points a deal. "
        f"The truth, {format_number(truth, 3)}, is the mean of many such duels together."
    )
    return book.figure(name, plots.plot_intervals(name, shown, truth, frame), alt, caption)


def _family_blocks(book: Book, found: SelfCheck, family: Family, title: str) -> list[Block]:
    checks = found.of(family)
    blocks: list[Block] = [Heading(title, family)]
    shares = [check for check in checks if check.share and check.trials]
    if shares:
        held = sum(check.ok for check in shares)
        reply = f"{held} of {len(shares)} shares lie where they must"
        name = f"{PAGE}-{family}"
        parts = [f"{plots.label_of(check)} {format_percent(check.observed, 2)}" for check in shares]
        frame = Frame(QUESTIONS[family], reply)
        blocks.append(
            book.figure(
                name, plots.plot_checks(name, shares, frame), f"{title}. {reply}: {'; '.join(parts)}.",
                "A dot is what was observed in all experiments of a check together, a band where it may lie.",
            )
        )  # fmt: skip
    blocks.append(TableBlock(checks_table(family, title, checks)))
    return blocks


def checks_table(family: Family, title: str, checks: Sequence[Check]) -> Table:
    """A row for each check."""
    columns = (
        Column("what", "what", wide=True), Column("observed", "observed", number=True),
        Column("low", "at least", number=True), Column("high", "at most", number=True),
        Column("trials", "experiments", number=True), Column("ok", "holds"), Column("name", "name"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            check.what, *(_number(check, value) for value in (check.observed, check.low, check.high)),
            check.trials or None, "yes" if check.ok else strong("no"), code(check.name),
        )
        for check in checks
    ]  # fmt: skip
    return Table(f"{PAGE}-{family}", title, columns, tuple(rows), stacked=True)


def _number(check: Check, value: float) -> str:
    return format_percent(value, 2) if check.share else f"{value:.6g}"


# --- ratings --------------------------------------------------------------------------------------------------------


def ratings_page(book: Book, found: Trust) -> Page:
    """A ladder and a matrix for each round robin."""
    blocks: list[Block] = [
        bullets(
            *((strong(f"{_where(one)}:"), f" {_best_words(one)}") for one in found.rated),
            role="lead",
        ),
        paragraph(
            "Every strategy plays every other on the same deals: it sits in each seat in turn among players of the "
            "other kind, and what it makes there is set beside what one of them makes in its place. The ladder goes by "
            "the mean against all others. A deal with all its plays is one piece of evidence.",
            role="note",
        ),
    ]
    for one in found.rated:
        blocks += _robin_blocks(book, one)
    return Page(RATINGS_PAGE, "Which strategy is best?", "Round robins on common deals", tuple(blocks))


def _where(found: Ratings) -> str:
    return f"{found.robin.variant.title}, {players_words(found.robin.players)}"


def _robin_blocks(book: Book, found: Ratings) -> list[Block]:
    robin = found.robin
    name = f"{RATINGS_PAGE}-{robin.variant.name}-{robin.players}"
    top = [one for one, _ in found.ladder]
    reply = f"from the best, {top[0]}, down to {top[-1]}"
    command = f"noddysim ratings {robin.variant.name} --players {robin.players} --{_kind(found)} {found.n}"
    where = _where(found)
    return [
        Heading(where, name),
        paragraph(ladder_words(found)),
        book.figure(
            f"{name}-ladder", plots.plot_ladder(f"{name}-ladder", found, Frame(f"Who is best? {where}", reply)),
            f"Ladder of strategies, {reply}: {', '.join(top)}.", "Each dot is a mean against all other strategies.",
        ),
        book.figure(
            f"{name}-matrix",
            plots.plot_matrix(f"{name}-matrix", found, Frame(f"Who beats whom? {where}", _beats(found))),
            f"Matrix of strategies. {_beats(found)}. The table below has all figures.",
            "Blue: the row gains against the column; orange: it loses. The table below has the intervals.",
        ),
        TableBlock(ladder_table(name, found)),
        Fold("Who these strategies are", (_who(found),)),
        Fold("Every pair", (TableBlock(pairs_table(name, found)),)),
        paragraph("To repeat it: ", code(f"{command} --seed {robin.seed}"), ".", role="note"),
    ]  # fmt: skip


def _who(found: Ratings) -> Terms:
    """What each strategy does, from the best down."""
    family = found.robin.variant.family.name
    minds = [(name, read_mind(family, name)) for name, _ in found.ladder]
    return Terms(tuple(((code(name),), (mind.summary or describe_mind(mind),)) for name, mind in minds))


def _kind(found: Ratings) -> str:
    return "games" if found.robin.games else "deals"


def _beats(found: Ratings) -> str:
    """Whether anybody lower on the ladder beats somebody higher."""
    names = [name for name, _ in found.ladder]
    upsets = [
        (low, high)
        for place, high in enumerate(names)
        for low in names[place + 1 :]
        if (end := found.pair(low, high).low) is not None and end > 0
    ]
    if not upsets:
        return "nobody beats anyone who stands higher on the ladder"
    low, high = upsets[0]
    more = f", and {len(upsets) - 1} more such pairs" if len(upsets) > 1 else ""
    return f"{low} beats {high}, who stands higher on the ladder{more}"


def ladder_table(name: str, found: Ratings) -> Table:
    """The ladder with what is between each strategy and the next."""
    columns = (
        Column("place", "place", number=True), Column("strategy", "strategy"),
        Column("rating", f"mean against all others, {found.unit}", True),
        Column("ahead", "ahead of the next by", True), Column("told", "told apart from the next"),
    )  # fmt: skip
    below = [*found.neighbours, None]
    rows: list[tuple[Cell, ...]] = [
        (
            place, code(one), value, two.difference if two else None,
            None if two is None else "yes" if two.told_apart else "no",
        )
        for place, ((one, value), two) in enumerate(zip(found.ladder, below, strict=True), 1)
    ]  # fmt: skip
    title = f"{_where(found)}: the ladder ({format_count(found.n)} duplicates of {_kind(found)} a pair)"
    return Table(f"{name}-ladder", title, columns, tuple(rows), heads=2)


def pairs_table(name: str, found: Ratings) -> Table:
    """What every strategy makes against every other."""
    columns = (
        Column("strategy", "strategy"), Column("against", "against"), Column("result", found.unit, True),
    )  # fmt: skip
    names = [one for one, _ in found.ladder]
    rows: list[tuple[Cell, ...]] = [(code(a), code(b), found.pair(a, b)) for a in names for b in names if a != b]
    return Table(f"{name}-pairs", f"{_where(found)}: every pair", columns, tuple(rows), heads=2)
