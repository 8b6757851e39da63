"""The pages of the melding game and of Snitch: what was asked, what came out, and with what certainty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Final

from noddysim.game.laying_data import KIND_WORDS, MELDING, SETS, seat_names
from noddysim.game.rulewords import joined
from noddysim.insight.document import (
    Block,
    Bullets,
    Cell,
    Column,
    Heading,
    Page,
    Table,
    TableBlock,
    Text,
    badge,
    bullets,
    code,
    link,
    paragraph,
)
from noddysim.insight.estimates import Estimate
from noddysim.insight.laying_plots import plot_seats
from noddysim.insight.laying_study import JokerWorth, LayingStudy, Seats
from noddysim.insight.numbers import format_count, format_estimate
from noddysim.insight.pages import Book
from noddysim.insight.plots import Frame
from noddysim.insight.words import anchor, how_known

MELD_PAGE: Final = "innocence"
SET_PAGE: Final = "snitch"


def meld_words(found: LayingStudy) -> Text:
    """What the first page says of the melding game."""
    two = found.melding[0]
    return (
        link("The Innocence", page=MELD_PAGE),
        f": with two players the first to move wins {_percent(two.wins[0])} of the games.",
    )


def set_words(found: LayingStudy) -> Text:
    """What the first page says of Snitch."""
    four = next(one for one in found.sets if one.players == 4)
    return (
        link("Snitch", page=SET_PAGE),
        f": with four players a game takes {_plain(four.facts['deals'])} deals, and a joker dealt is worth "
        f"{_plain(_jokers(found, 4).difference)} points.",
    )


def _percent(value: Estimate) -> str:
    return format_estimate(value, signed=False, percent=True)


def _plain(value: Estimate) -> str:
    return format_estimate(value, signed=False)


def _jokers(found: LayingStudy, players: int) -> JokerWorth:
    return next(one for one in found.jokers if one.players == players)


# --- the melding game -----------------------------------------------------------------------------------------------


def meld_page(book: Book, found: LayingStudy) -> Page:
    """Who wins the melding game, by which melds, and what its disputed readings change."""
    games = format_count(found.extent.meld_games)
    blocks: list[Block] = [
        _meld_lead(found),
        Heading("Who wins, and how soon", "wins"),
        paragraph(
            f"{games} games a row, everybody lays the meld of the most points. Seats are those of the first deal. All "
            "intervals are at 95 %."
        ),
        _wins_figure(
            book, "innocence-wins", found.melding, Frame("Does it matter who moves first?", _meld_reply(found))
        ),
        TableBlock(_wins_table("innocence-wins", "Chance to win by seat", found.melding)),
        TableBlock(_facts_table("innocence-lengths", "Length of a game, and how it ends", found.melding)),
        Heading("Which melds bring the points", "melds"),
        TableBlock(_parts_table("innocence-melds", "Melds and points a game, two players", found.melding[::3], _kind)),
        Heading("What the readings change", "readings"),
        paragraph("Two players, the rules of the page but for one reading."),
        TableBlock(_wins_table("innocence-readings-wins", "Chance to win by seat", found.readings)),
        TableBlock(_facts_table("innocence-readings-lengths", "Length of a game", found.readings)),
        *_advice_blocks(book, MELDING, "innocence-advice"),
    ]
    return Page(MELD_PAGE, "The Innocence", "Combinations laid on the table, 31 points up", tuple(blocks))


def _kind(name: str) -> str:
    return KIND_WORDS.get(name, name)


def _meld_lead(found: LayingStudy) -> Bullets:
    plain, flat, per_card = found.melding[0], found.melding[3], found.melding[6]
    turns, thirty_one = plain.facts["turns"], plain.parts["thirty-one"][0]
    looked_at = (plain, flat, per_card, *found.readings)
    even = [one.label for one in looked_at if _covers(one.wins[0], 0.5, len(looked_at))]
    longest = max(looked_at, key=lambda one: one.facts["turns"].estimate)
    jack = next(one for one in found.readings if "jack" in one.label)
    return bullets(
        f"Sums worth 15, 25 and 31 make a short game: with two players {_plain(turns)} turns, both together. "
        f"{_percent(plain.facts['won by the first meld'])} of the games are won by the first meld that anybody lays, "
        f"{_percent(plain.facts['over in the first round'])} in the first round.",
        f"Who lays the first meld wins {_percent(plain.facts['first melder wins'])} of the games; a sum of 31, which "
        f"wins on the spot, comes {thirty_one:.2f} times a game.",
        f"The first to move wins {_percent(plain.wins[0])}. With sums worth 2 points it is {_percent(flat.wins[0])}, "
        f"with 1 point a card {_percent(per_card.wins[0])}. Even for both, as far as these games can tell: "
        f"{joined(even) if even else 'none of the rules looked at'}.",
        f"The longest game of those looked at, {longest.label}, takes {_plain(longest.facts['turns'])} turns.",
        f"If a turned jack pays the dealer and not his opponent, the first to move wins {_percent(jack.wins[0])}.",
        role="lead",
    )


# --- Snitch ---------------------------------------------------------------------------------------------------------


def set_page(book: Book, found: LayingStudy) -> Page:
    """Who wins at Snitch, by which sets, and what a joker is worth."""
    games = format_count(found.extent.set_games)
    blocks: list[Block] = [
        _set_lead(found),
        Heading("Who wins, and how soon", "wins"),
        paragraph(
            f"{games} games a row, everybody lays the set of the most points and throws his lowest single card. The "
            "first dealer is drawn by lot; seats are those of the first deal. All intervals are at 95 %."
        ),
        _wins_figure(book, "snitch-wins", found.sets, Frame("Are the seats fair?", _seats_words(found))),
        TableBlock(_wins_table("snitch-wins", "Chance to win by seat", found.sets)),
        TableBlock(_facts_table("snitch-lengths", "Length of a game, and how it ends", found.sets)),
        Heading("Which sets bring the points", "sets"),
        TableBlock(_parts_table("snitch-sets", "Sets and points a game, by rank of the set", found.sets, str)),
        Heading("What a joker dealt is worth", "jokers"),
        paragraph(
            "Margin of a deal over the mean of the others, for players who are dealt no joker and for those who are "
            "dealt one. One player of each deal is looked at, so that the cases are independent."
        ),
        TableBlock(_joker_table(found.jokers)),
        *_advice_blocks(book, SETS, "snitch-advice"),
    ]
    return Page(SET_PAGE, "Snitch", "Sets of two cards from two packs with jokers, 1000 points up", tuple(blocks))


def _set_lead(found: LayingStudy) -> Bullets:
    return bullets(
        "Deals to 1000 points: "
        + "; ".join(f"{_plain(one.facts['deals'])} with {one.players} players" for one in found.sets)
        + ".",
        "A joker dealt is worth "
        + "; ".join(f"{_plain(one.difference)} points of margin with {one.players}" for one in found.jokers)
        + ".",
        _seats_words(found),
        role="lead",
    )


def _seats_words(found: LayingStudy) -> str:
    """Whether any seat wins more or less than its share; every seat is looked at, so the intervals are widened."""
    looks = sum(one.players for one in found.sets)
    unfair = [one.players for one in found.sets if not all(_covers(win, 1 / one.players, looks) for win in one.wins)]
    if not unfair:
        return "No seat wins more or less than its share, as far as these games can tell."
    return f"Some seat wins more or less than its share with {' and '.join(map(str, unfair))} players."


def _meld_reply(found: LayingStudy) -> str:
    first = found.melding[0].wins[0]
    return f"With sums worth 15, 25 and 31 the first to move wins {_percent(first)} of the games of two."


def _covers(value: Estimate, share: float, looks: int) -> bool:
    """Whether a share is within the interval, widened so that all of so many together hold at 95 % (Bonferroni)."""
    if value.half_width is None:
        return True
    normal = NormalDist()
    wider = normal.inv_cdf(1 - 0.025 / looks) / normal.inv_cdf(0.975)
    return abs(value.estimate - share) <= wider * value.half_width


def _joker_table(found: Sequence[JokerWorth]) -> Table:
    columns = (
        Column("players", "players", number=True),
        Column("none", "margin without a joker, points a deal", number=True),
        Column("one", "margin with one joker", number=True),
        Column("difference", "worth of the joker", number=True),
    )
    rows = tuple((one.players, one.none, one.one, one.difference) for one in found)
    return Table("snitch-jokers", "Worth of a joker dealt", columns, rows)


# --- tables and pictures of both ------------------------------------------------------------------------------------


def _wins_figure(book: Book, name: str, found: Sequence[Seats], frame: Frame) -> Block:
    names = [seat_names(one.players) for one in found]
    alt = "; ".join(
        f"{one.label}, {one.players} players: {', '.join(_percent(win) for win in one.wins)}" for one in found
    )
    caption = f"{frame.question} Chance to win by seat in the first deal, with 95 % intervals."
    return book.figure(name, plot_seats(name, frame, found, names), alt, caption)


def _wins_table(name: str, title: str, found: Sequence[Seats]) -> Table:
    most = max(one.players for one in found)
    columns = (
        Column("variant", "rules"),
        Column("players", "players", number=True),
        *(
            Column(f"seat_{seat + 1}", f"seat {seat + 1}", number=True, signed=False, percent=True)
            for seat in range(most)
        ),
    )
    rows = []
    for one in found:
        cells: list[Cell] = [one.label, one.players, *one.wins, *[None] * (most - one.players)]
        rows.append(tuple(cells))
    words = ", ".join(seat_names(most)[:-1])
    return Table(
        name,
        f"{title} (seat 1 is left of the dealer, the last the dealer; with {most} players {words}, dealer)",
        columns,
        tuple(rows),
        heads=2,
    )


def _facts_table(name: str, title: str, found: Sequence[Seats]) -> Table:
    facts = list(found[0].facts)
    units = {fact: found[0].facts[fact].unit for fact in facts}
    columns = (
        Column("variant", "rules"),
        Column("players", "players", number=True),
        *(
            Column(fact.replace(" ", "_"), fact, number=True, signed=False, percent=units[fact] == "share of games")
            for fact in facts
        ),
    )
    rows: list[tuple[Cell, ...]] = [(one.label, one.players, *(one.facts[fact] for fact in facts)) for one in found]
    return Table(name, f"{title}; means a game, shares of games", columns, tuple(rows), heads=2)


def _parts_table(name: str, title: str, found: Sequence[Seats], words: Callable[[str], str]) -> Table:
    parts = list(dict.fromkeys(part for one in found for part in one.parts))
    columns: list[Column] = [Column("part", "what is laid")]
    for one in found:
        label = f"{one.label}, {one.players}"
        key = label.replace(", ", "_").replace(" ", "_")
        columns += [
            Column(f"{key}_number", f"number ({label})", number=True, signed=False),
            Column(f"{key}_points", f"points ({label})", number=True, signed=False),
        ]
    rows = []
    for part in parts:
        cells: list[Cell] = [words(part)]
        for one in found:
            cells += one.parts.get(part, (None, None))
        rows.append(tuple(cells))
    return Table(name, title, tuple(columns), tuple(rows))


def _advice_blocks(book: Book, family: str, name: str) -> list[Block]:
    """What the experiments say of advice in games of a family, a row for each baseline and opponent; [] if nothing."""
    evidence = book.evidence
    cases = [case for case in evidence.cases.values() if case.tip.family == family]
    if not cases:
        return []
    rows: list[tuple[Cell, ...]] = []
    for case in cases:
        for duel in case.duels:
            game = duel if duel.setting.games else case.game(duel)
            rows.append(
                (
                    link(case.tip.title, anchor(case.tip.name), "index"), case.panel.variant, case.panel.players,
                    code(duel.setting.baseline), code(duel.setting.against), badge(duel.verdict),
                    None if duel.setting.games else duel.effect, game.effect if game else None, how_known(duel),
                )
            )  # fmt: skip
    columns = (
        Column("advice", "advice"), Column("rules", "rules"), Column("players", "players", number=True),
        Column("given_to", "given to"), Column("against", "against"), Column("verdict", "verdict"),
        Column("worth", "worth, points a deal (95 %)", number=True),
        Column("chance_to_win", "chance to win a game (95 %)", number=True), Column("how_known", "how known"),
    )  # fmt: skip
    told = {case.tip.name: case.tip for case in cases}
    return [
        Heading("Which advice helps", "advice"),
        paragraph(
            "A player with the advice beside the same player without it, in every seat in turn, on the same cards. The "
            "names of the players are explained on ",
            link("the first page", "players", "index"),
            ".",
        ),
        TableBlock(Table(name, "What advice is worth on the same cards", columns, tuple(rows), heads=3)),
        bullets(*((code(tip.name), f": {tip.rule}") for tip in told.values())),
    ]
