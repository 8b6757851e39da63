"""The rules of a variant in words, made from the data alone, and the same data for machines.

Every sentence follows from a value of the record, so the sheet of a variant with odd values is as right as that of
Noddy itself. Nothing here knows a variant by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from noddysim.game.cards import RANK_NAMES, RANKS
from noddysim.game.families import Rules
from noddysim.game.meldmodels import MeldRules
from noddysim.game.meldwords import meld_sections
from noddysim.game.playwords import play_words
from noddysim.game.readings import OWN, Reading, concerns, look_up, reading_in_force
from noddysim.game.rulemodels import SEATS, PeggingRules
from noddysim.game.rules import NO_SOURCE, Source, Variant
from noddysim.game.rulewords import (
    NUMBER_WORDS,
    dealing_words,
    eldest_words,
    joined,
    mogging_words,
    points_words,
    skunk_words,
    three_for_last_words,
    who_plays_words,
)
from noddysim.game.showwords import show_words
from noddysim.game.snitchmodels import SnitchRules
from noddysim.game.snitchwords import snitch_sections
from noddysim.game.tomlfile import format_value
from noddysim.game.works import WORKS, Work

STATUS_WORDS: Final[Mapping[str, str]] = {
    "enumerated": "enumerated (every deal or hand was counted and agrees with figures found independently)",
    "verified": "verified (a slow plain program and worked examples agree with it)",
    "provisional": "provisional (not checked beyond the general rules of the program)",
}
SEEN_WORDS: Final[Mapping[str, str]] = {
    "whole": "source read whole",
    "part": "source read in part",
    "extracts": "extracts of the source read",
    "inferred": "inferred, not stated",
    "none": "no source seen",
}


def rule_sheet(variant: Variant) -> str:
    """All rules of a variant in plain words (light Markdown), the readings in force and the sources."""
    parts = [
        _head(variant),
        *(_section(title, lines) for title, lines in _sections(variant.rules)),
        _section(
            "Readings in force", _readings(variant), "Questions that the sources leave open, and the answer here."
        ),
        _section("Sources", _sources(variant), "Each value, where it comes from and how far that was read."),
    ]
    return "\n\n".join(parts) + "\n"


def _sections(rules: Rules) -> list[tuple[str, list[str]]]:
    """Headings of the rules of a family, each with its sentences."""
    if isinstance(rules, MeldRules):
        return meld_sections(rules)
    if isinstance(rules, SnitchRules):
        return snitch_sections(rules)
    return [
        ("Players and cards", _players_and_cards(rules)),
        ("The turned card", _turned_card(rules)),
        *([("Mogging", mogging_words(rules))] if rules.mog.exchange != "off" else []),
        ("The play", play_words(rules)),
        ("The show", show_words(rules)),
        ("The game", _game(rules)),
    ]


def variant_json(variant: Variant) -> dict[str, Any]:
    """The same as plain data: name, title, status, summary, base, rules, readings and sources.

    ``readings`` is a list of ``{id, option, question, value, alternatives, built}``; ``sources`` maps dotted keys to
    ``{from, place, seen, note}``.
    """
    return {
        "name": variant.name,
        "title": variant.title,
        "status": variant.status,
        "summary": variant.summary,
        "base": variant.base,
        "rules": variant.rules.model_dump(),
        "readings": [_reading_json(reading, variant) for reading in variant.family.readings],
        "sources": {
            key: {"from": source.key, "place": source.place, "seen": source.seen, "note": source.note}
            for key, source in variant.sources.items()
        },
    }


def _reading_json(reading: Reading, variant: Variant) -> dict[str, Any]:
    value = variant.readings_in_force[reading.option]
    return {
        "id": reading.id,
        "option": reading.option,
        "question": reading.question,
        "value": value,
        "alternatives": [choice.value for choice in reading.choices if choice.value != value],
        "built": reading.built,
    }


def _head(variant: Variant) -> str:
    lines = [f"# {variant.title}", "", f"Name: {variant.name}", f"Status: {STATUS_WORDS[variant.status]}"]
    lines += [f"Built on: {variant.base}"] if variant.base else []
    lines += ["", variant.summary] if variant.summary else []
    return "\n".join(lines)


def _section(title: str, lines: Sequence[str], opening: str = "") -> str:
    """A heading and a list; a line that begins with spaces is a point under the one before."""
    points = [f"  - {line.strip()}" if line.startswith(" ") else f"- {line}" for line in lines]
    return "\n".join([f"## {title}", "", *([opening, ""] if opening else []), *points])


def _players_and_cards(rules: PeggingRules) -> list[str]:
    return [
        who_plays_words(rules),
        "One pack of 52 cards without jokers. The ace is low and the king high. In counting, an ace is 1, the cards "
        "from two to ten are worth their number, jack, queen and king 10 each.",
        "For the first deal the dealer is cut for: the lowest card deals, equal cards cut again.",
        _seat_names(rules),
        *dealing_words(rules),
        _order_of_deal(rules),
    ]


def _seat_names(rules: PeggingRules) -> str:
    if rules.players == (2,):
        return "The dealer's opponent is called the pone (in lists of seats: the eldest)."
    pone = "; with two players that is the other one, called the pone" if 2 in rules.players else ""
    return f"The player on the dealer's left is the eldest{pone}. The dealer is the last in turn."


def _order_of_deal(rules: PeggingRules) -> str:
    names = {"heels": "points for the turned card", "play": "the play", "show": "the show"}
    parts = [names[phase] for phase in rules.order]
    if rules.mog.exchange != "off":
        parts.insert(next(n for n, phase in enumerate(rules.order) if phase != "heels"), "mogging")
    return f"A deal is scored in this order: {joined(parts, 'and then')}."


def _turned_card(rules: PeggingRules) -> list[str]:
    first = rules.order.index("show") < rules.order.index("play")
    lines = ["The top card of the stock is turned face up as the starter. It is not played; it counts with every hand "
             "in the show."]  # fmt: skip
    bonuses = [bonus for bonus in rules.turned if bonus.points]
    if not bonuses:
        return [*lines, "No card turned as starter earns anything; a jack turned (heels) scores nothing."]
    receivers = {
        "dealer": "the dealer pegs",
        "eldest": f"{eldest_words(rules)} pegs",
        "opponents": "each opponent of the dealer, the eldest first, pegs",
    }
    if rules.players == (2,):
        receivers["opponents"] = "the dealer's opponent pegs"
    for bonus in bonuses:
        rank = RANK_NAMES[RANKS.index(bonus.rank)]
        name = " (heels, also called Knave Noddy)" if bonus.rank == "J" else ""
        article = "an" if rank[0] in "ae" else "a"
        lines.append(f"If it is {article} {rank}{name}, {receivers[bonus.to]} {points_words(bonus.points)}.")
    when = {
        0: f"These points are pegged at once, before {_else_in_the_deal(rules)}, and can win the game.",
        1: f"These points are pegged after the {'show' if first else 'play'}.",
        2: "These points are pegged last of all in the deal.",
    }
    return [*lines, when[rules.order.index("heels")]]


def _else_in_the_deal(rules: PeggingRules) -> str:
    if rules.three_for_last == "off":
        return "anything else in the deal"
    return "anything else in the deal but the points for last"


def _game(rules: PeggingRules) -> list[str]:
    next_dealer = {
        "left": "After each deal the deal passes to the player on the dealer's left.",
        "right": "After each deal the deal passes to the player on the dealer's right.",
        "same": "The same player deals throughout the game.",
        "lowest": "The player with the fewest points deals next; among equals the first to the left of the old dealer.",
        "highest": "The player with the most points deals next; among equals the first to the left of the old dealer.",
    }[rules.next_dealer]
    return [
        *_head_start(rules),
        *three_for_last_words(rules, eldest_words(rules)),
        f"The first {_winner(rules)} to reach {points_words(rules.target)} wins at once, even in the middle of a deal; "
        "what is left of the deal is neither played nor counted.",
        f"The target is looked at after {joined(_awards(rules))}. Points past the target in the same count do no harm.",
        next_dealer,
        *skunk_words(rules),
    ]


def _winner(rules: PeggingRules) -> str:
    if not rules.partners:
        return "player"
    return "side" if rules.players == (4,) else "player or side"


def _awards(rules: PeggingRules) -> list[str]:
    """What is pegged at one time, in the order in which it comes."""
    last = ["the points for last"] if rules.three_for_last != "off" else []
    mog = ["the points that mogging brings to a player"] if rules.mog.exchange != "off" else []
    shown = ["each hand shown", "the crib"] if rules.crib else ["each hand shown"]
    return [
        *last,
        "each turned card's points to a player",
        *mog,
        "each card laid",
        "each point for a last card",
        *shown,
    ]


def _head_start(rules: PeggingRules) -> list[str]:
    names = {
        "eldest": eldest_words(rules),
        "second": f"the second player{_with_players(rules, 3)}",
        "third": f"the third player{_with_players(rules, 4)}",
        "dealer": "the dealer",
    }
    seats = [seat for seat in SEATS if seat in rules.seats(max(rules.players))]
    starts = [(names[seat], getattr(rules.head_start, seat)) for seat in seats]
    given = [f"{name} starts with {points_words(points)}" for name, points in starts if points]
    if not given:
        return ["All players start the game with nothing."]
    return [f"In the seats of the first deal, {joined(given)}; every other player starts with nothing."]


def _with_players(rules: PeggingRules, least: int) -> str:
    """For which numbers of players a seat exists, where that needs saying."""
    numbers = [n for n in rules.players if n >= least]
    if len(numbers) in (0, len(rules.players)):
        return ""
    return f" (with {joined([NUMBER_WORDS[n] for n in numbers], 'or')} players)"


def _readings(variant: Variant) -> list[str]:
    data = variant.rules.model_dump()
    return [_reading_line(reading, data) for reading in variant.family.readings if concerns(reading, data)]


def _reading_line(reading: Reading, data: Mapping[str, Any]) -> str:
    value = reading_in_force(reading, data)
    chosen = reading.choice(value)
    if chosen:
        here = f"{chosen.words} ({reading.option} = {format_value(value)})"
    elif value == OWN:
        fields = ", ".join(f"{key} = {format_value(look_up(data, key), None)}" for key in reading.fields)
        here = f"none of the named answers; {fields}"
    else:
        here = f"{value} ({reading.option} = {format_value(value)})"
    others = [f"{c.words} ({format_value(c.value)})" for c in reading.choices if c is not chosen]
    label = "Other readings" if reading.built else "Not built yet"
    rest = f" {label}: {'; '.join(others)}." if others else ""
    return f"{reading.id} {reading.question} Here: {here}.{rest}"


def _sources(variant: Variant) -> list[str]:
    data = variant.rules.model_dump()
    lines = [_source_line(key, look_up(data, key), source) for key, source in variant.sources.items()]
    named = " ".join(f"{source.key} {source.note}" for source in variant.sources.values())
    used = dict.fromkeys(re.findall(r"[\w-]+", named))
    works = [f"{key}: {_work_words(WORKS[key])}" for key in used if key in WORKS]
    return [*lines, *works]


def _source_line(key: str, value: object, source: Source) -> str:
    note = f" Note: {source.note}." if source.note else ""
    if source.key == NO_SOURCE:
        return f"{key} = {format_value(value, None)}: no source given; {source.place}.{note}"
    return f"{key} = {format_value(value, None)}: {source.key}, {source.place} ({SEEN_WORDS[source.seen]}).{note}"


def _work_words(work: Work) -> str:
    address = f", {work.address}" if work.address else ""
    return f"{work.title}{address}. Seen: {work.seen}."
