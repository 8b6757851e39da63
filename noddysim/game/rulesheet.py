"""The rules of a variant in words, made from the data alone, and the same data for machines.

Every sentence follows from a value of the record, so the sheet of a variant with odd values is as right as that of
Noddy itself. Nothing here knows a variant by name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from noddysim.game.cards import RANK_NAMES, RANKS
from noddysim.game.readings import (
    LONGEST_RUN,
    OWN,
    READINGS,
    Reading,
    concerns,
    look_up,
    reading_in_force,
    scale_points,
)
from noddysim.game.rulemodels import SEATS, PeggingRules, PlayRules, ShowRules
from noddysim.game.rules import NO_SOURCE, Source, Variant
from noddysim.game.rulewords import (
    NUMBER_WORDS,
    colours_words,
    crib_words,
    dealing_words,
    honours_words,
    joined,
    mogging_words,
    points_words,
    skunk_words,
    three_for_last_words,
    who_plays_words,
)
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
    rules = variant.rules
    parts = [
        _head(variant),
        _section("Players and cards", _players_and_cards(rules)),
        _section("The turned card", _turned_card(rules)),
        *([_section("Mogging", mogging_words(rules))] if rules.mog.exchange != "off" else []),
        _section("The play", _play(rules)),
        _section("The show", _show(rules)),
        _section("The game", _game(rules)),
        _section("Readings in force", _readings(rules), "Questions that the sources leave open, and the answer here."),
        _section("Sources", _sources(variant), "Each value, where it comes from and how far that was read."),
    ]
    return "\n\n".join(parts) + "\n"


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
        "readings": [_reading_json(reading, variant) for reading in READINGS],
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


# --- small words ----------------------------------------------------------------------------------------------------


def _head(variant: Variant) -> str:
    lines = [f"# {variant.title}", "", f"Name: {variant.name}", f"Status: {STATUS_WORDS[variant.status]}"]
    lines += [f"Built on: {variant.base}"] if variant.base else []
    lines += ["", variant.summary] if variant.summary else []
    return "\n".join(lines)


def _section(title: str, lines: Sequence[str], opening: str = "") -> str:
    """A heading and a list; a line that begins with spaces is a point under the one before."""
    points = [f"  - {line.strip()}" if line.startswith(" ") else f"- {line}" for line in lines]
    return "\n".join([f"## {title}", "", *([opening, ""] if opening else []), *points])


def _sum_points(points: int | str, what: str) -> str:
    return f"1 point for each card {what}" if isinstance(points, str) else points_words(points)


def _cards(number: int) -> str:
    return "one card" if number == 1 else f"{NUMBER_WORDS[number]} cards"


def _capital(text: str) -> str:
    """The text with a capital at its beginning and the rest as it is."""
    return text[0].upper() + text[1:]


def _scale(scale: str | Sequence[int], longest: int) -> str:
    """Points of a run by length, up to the longest that can occur (3 or more)."""
    points = [scale_points(scale, n) for n in range(3, longest + 1)]
    if points == list(range(3, longest + 1)):
        return "1 point for each of its cards"
    if not any(points):
        return "nothing"
    return ", ".join(f"of {NUMBER_WORDS[n] if n <= 10 else n} {points_words(p)}" for n, p in enumerate(points, start=3))


def _eldest(rules: PeggingRules) -> str:
    if rules.players == (2,):
        return "the pone"
    return "the eldest" if 2 not in rules.players else "the eldest (the pone)"


# --- the sections ---------------------------------------------------------------------------------------------------


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
        "eldest": f"{_eldest(rules)} pegs",
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


def _play(rules: PeggingRules) -> list[str]:
    play = rules.play
    return [
        *(["The play follows the show: each player takes up his cards again."] if _shown_first(rules) else []),
        f"{_eldest(rules).capitalize()} leads. In turn to the left each player lays one card face up and says the "
        "count, the total of the cards in the pile.",
        f"The count may not pass {play.limit}. A player who holds a card that fits must lay one that fits. "
        "A player who holds cards but none that fits says go and is passed over; a player without cards is passed "
        "over in silence.",
        *_PILES[play.piles](play),
        "Each card laid scores for its player all that it makes, added together:",
        *(f"  {line}" for line in _card_scores(rules)),
        *_combination_memory(rules),
        _last_card(play),
        *_nothing_in_the_play(rules),
    ]


def _shown_first(rules: PeggingRules) -> bool:
    return rules.order.index("show") < rules.order.index("play")


def _many_piles(play: PlayRules) -> list[str]:
    if play.next_lead == "left_of_last":
        lead = "The next player in turn after the one who laid the last card, who still has cards, leads the next pile."
    else:
        lead = (
            "The player who was the first to say go in the pile leads the next one, or, if he has no cards, the next "
            "after him who has. If nobody said go in it, the next in turn after the player of the last card leads."
        )
    return [
        f"A pile closes when the count is exactly {play.limit} or when nobody can add a card. The next pile starts "
        "from nought; so it goes on until all cards are laid.",
        lead,
    ]


def _one_pile(play: PlayRules) -> list[str]:
    return [
        f"There is only one pile. The play ends when the count is exactly {play.limit} or when nobody can add a card; "
        "cards still in hand are not laid."
    ]


def _first_stuck(play: PlayRules) -> list[str]:
    return [
        f"There is only one pile. The play ends when the count is exactly {play.limit}, as soon as a player who holds "
        "cards cannot lay one in his turn, or when all cards are laid; cards still in hand are not laid."
    ]


_PILES: Final[Mapping[str, Callable[[PlayRules], list[str]]]] = {
    "multi": _many_piles,
    "single": _one_pile,
    "single_first_stuck": _first_stuck,
}


def _card_scores(rules: PeggingRules) -> list[str]:
    play = rules.play
    pair, royal, double = (points_words(points) for points in play.same_rank)
    at_limit = "thirty-one (a count of exactly 31)" if play.limit == 31 else f"a count of exactly {play.limit}"
    extra = (
        f", and {points_words(play.thirtyone_extra)} more for closing the pile with it" if play.thirtyone_extra else ""
    )
    lines = [f"fifteen (a count of exactly 15): {_sum_points(play.fifteen, 'in the pile')};"]
    if play.twentyfive != 0 and play.limit >= 25:
        lines.append(f"twenty-five (a count of exactly 25): {_sum_points(play.twentyfive, 'in the pile')};")
    lines.append(f"{at_limit}: {_sum_points(play.thirtyone, 'in the pile')}{extra};")
    if any(play.same_rank):
        lines.append(
            f"a card of the same rank as the one laid just before it, a pair: {pair}; the third in a row, a pair "
            f"royal: {royal}; the fourth in a row, a double pair royal: {double} (only the greatest counts, and ten, "
            "jack, queen and king are different ranks);"
        )
    longest = _longest_row(rules)
    if _in_the_play(rules, play.run):
        lines.append(
            "a run, when the last three or more cards laid are of ranks that follow one another, in any order and "
            f"none twice: {_scale(play.run, longest)} (only the longest counts; king and ace do not meet);"
        )
    if _in_the_play(rules, play.flush):
        lines.append(
            "a flush, when the last three or more cards laid are of one suit: "
            f"{_scale(play.flush, longest)} (only the longest counts);"
        )
    return [*lines[:-1], lines[-1][:-1] + "."]


def _in_the_play(rules: PeggingRules, scale: str | Sequence[int]) -> bool:
    """Whether a run or flush of some length that can be laid scores by this scale."""
    return any(scale_points(scale, n) for n in range(3, _longest_row(rules) + 1))


def _nothing_in_the_play(rules: PeggingRules) -> list[str]:
    """What players may expect to score and does not."""
    play = rules.play
    scoring = {
        "cards of one rank": any(play.same_rank),
        "runs": _longest_row(rules) < 3 or _in_the_play(rules, play.run),
        "cards of one suit": _in_the_play(rules, play.flush),
    }
    nothing = [what for what, scores in scoring.items() if not scores]
    return [f"{_capital(joined(nothing))} score nothing in the play."] if nothing else []


def _longest_row(rules: PeggingRules) -> int:
    """Most cards that a run or flush in the play can have: as many as are dealt and, in one pile, as the limit bears.

    In both a rank comes only once.
    """
    dealt = min(LONGEST_RUN, rules.hand * max(rules.players))
    if rules.play.combo_scope == "deal" and rules.play.piles == "multi":
        return dealt
    counts = itertools.accumulate(min(rank, 10) for rank in range(1, dealt + 1))
    return sum(count <= rules.play.limit for count in counts)


def _combination_memory(rules: PeggingRules) -> list[str]:
    """How far back the cards of a pair, a run or a flush may lie, of those that score here."""
    play = rules.play
    kinds = {
        ("pairs", "a pair"): any(play.same_rank),
        ("runs", "a run"): _in_the_play(rules, play.run),
        ("flushes", "a flush"): _in_the_play(rules, play.flush),
    }
    found = [kind for kind, scores in kinds.items() if scores]
    if not found:
        return []
    groups, group = joined([many for many, _ in found]), joined([one for _, one in found], "or")
    scope = {
        "pile": f"{_capital(groups)} do not use cards of an earlier pile. ",
        "deal": f"{_capital(groups)} may reach back into earlier piles of the deal. ",
    }[play.combo_scope]
    across = scope if play.piles == "multi" else ""
    if play.go_breaks:
        return [f"{across}A go ends the look back: cards laid before it no longer count for {groups}."]
    return [f"{across}A go does not break {group} while the pile is open."]


def _last_card(play: PlayRules) -> str:
    if play.last == 0:
        return "The last card of a pile earns nothing for being last."
    no_final = " The very last card of the deal, when all hands are empty, earns no such point."
    end = "" if play.final_card_point else no_final
    exactly = "" if play.thirtyone_extra else f" A count of exactly {play.limit} earns nothing more for being last."
    below = f"below {play.limit}"
    where = f"a pile that closes {below}" if play.piles == "multi" else f"the pile, if it closes {below},"
    return f"The player who laid the last card of {where} pegs {points_words(play.last)}.{exactly}{end}"


def _show(rules: PeggingRules) -> list[str]:
    show = rules.show
    hand = _cards(rules.hand)
    total = rules.hand + 1
    when = "Before the play" if _shown_first(rules) else "After the play"
    lines = [
        f"{when} each player shows his {hand}, counted together with the starter, {_cards(total)} in all: "
        f"{_eldest(rules)} first, the dealer last.",
        f"Each choice of cards that adds up to fifteen: {_sum_points(show.fifteen, 'in it')}.",
    ]
    if show.twentyfive != 0:
        lines.append(f"Each choice of cards that adds up to twenty-five: {_sum_points(show.twentyfive, 'in it')}.")
    if show.thirtyone != 0:
        lines.append(f"Each choice of cards that adds up to thirty-one: {_sum_points(show.thirtyone, 'in it')}.")
    lines.append(_show_ranks(show, total))
    if total >= 3:
        lines.append(_show_runs(show, total))
    if not (show.colours and show.hand_flush == "off"):  # else colours say all there is to say of suits
        lines.append(_show_flush(show, rules.hand))
    lines += [*honours_words(rules), *colours_words(rules), _nob(show)]
    return [*lines, *crib_words(rules)]


def _nob(show: ShowRules) -> str:
    """What the jack of the starter's suit earns, and that a turned card is a card like any other."""
    turned = "jack turned as starter counts here as a card like any other."
    honours = [bonus.rank for bonus in show.jacks_deuces if bonus.points or bonus.suited]
    if honours and not show.nob:
        return (
            f"Nothing more is paid for his nob. A {turned}" if "J" in honours else f"His nob earns nothing. A {turned}"
        )
    return f"A jack in hand of the starter's suit (his nob): {points_words(show.nob)}. A {turned}"


def _show_ranks(show: ShowRules, total: int) -> str:
    names = ("a pair", "three of a rank (a pair royal)", "four of a rank (a double pair royal)")
    kinds = [f"{name} {points_words(points)}" for name, points in zip(names, show.same_rank, strict=True)]
    return f"Cards of one rank: {', '.join(kinds[: max(1, total - 1)])}."


def _show_runs(show: ShowRules, total: int) -> str:
    worth = _scale(show.run, total)
    if worth == "nothing":
        return "Runs score nothing."
    twice = {
        "each": "If a rank in it is held more than once, the run counts for each way to make it.",
        "once": "It counts once, even if a rank in it is held more than once.",
    }[show.run_multiplicity]
    return f"The longest run, three or more ranks that follow one another (king and ace do not meet): {worth}. {twice}"


def _show_flush(show: ShowRules, hand: int) -> str:
    if show.hand_flush == "off" or hand < 3 or not any(scale_points(show.flush, n) for n in range(3, hand + 2)):
        return "Cards of one suit score nothing."
    return f"Flush: {_FLUSHES[show.hand_flush](show, hand)} The starter and two hand cards of one suit are no flush."


def _flush_points(show: ShowRules, cards: int) -> str:
    return points_words(scale_points(show.flush, cards))


def _whole_flush(show: ShowRules, hand: int) -> str:
    return (
        f"all {NUMBER_WORDS[hand]} cards of the hand of one suit {_flush_points(show, hand)}, "
        f"with the starter of that suit too {_flush_points(show, hand + 1)}."
    )


def _subset_flush(show: ShowRules, hand: int) -> str:
    sizes = [
        f"{NUMBER_WORDS[n]} cards of the hand of one suit {_flush_points(show, n)}, "
        f"with the starter of that suit too {_flush_points(show, n + 1)}"
        for n in range(3, hand + 1)
    ]
    return f"{'; '.join(sizes)}."


def _groves_flush(show: ShowRules, hand: int) -> str:
    sizes = [f"{NUMBER_WORDS[n]} cards of the hand of one suit {_flush_points(show, n)}" for n in range(3, hand + 1)]
    if hand < 4:
        return f"{'; '.join(sizes)}; the starter adds nothing to it."
    whole = f"all {NUMBER_WORDS[hand]} and the starter of one suit {_flush_points(show, hand + 1)}"
    return f"{'; '.join(sizes)}; {whole}; the starter adds nothing to a smaller flush."


_FLUSHES: Final[Mapping[str, Callable[[ShowRules, int], str]]] = {
    "whole": _whole_flush,
    "subset": _subset_flush,
    "groves": _groves_flush,
}


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
        *three_for_last_words(rules, _eldest(rules)),
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
        "eldest": _eldest(rules),
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


def _readings(rules: PeggingRules) -> list[str]:
    data = rules.model_dump()
    return [_reading_line(reading, data) for reading in READINGS if concerns(reading, data)]


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
    return f"{reading.id} {reading.question} Here: {here}. {label}: {'; '.join(others)}."


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
