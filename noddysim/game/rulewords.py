"""Words of the rule sheet: numbers, points and lists, and what differs most from game to game.

The second are sentences about who plays, dealing, cribs, mogging and extras. Each function makes its lines from the
rules alone and gives none where there is nothing to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from noddysim.game.cards import RANK_NAMES, RANKS
from noddysim.game.readings import scale_points
from noddysim.game.rulemodels import COLOURS, PeggingRules

NUMBER_WORDS: Final = ("nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
THREE: Final = 3


def points_words(points: int) -> str:
    """``nothing``, ``1 point``, ``2 points`` …"""
    if points == 0:
        return "nothing"
    return "1 point" if points == 1 else f"{points} points"


def joined(words: Sequence[str], joint: str = "and") -> str:
    """Words as a list in a sentence."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"


def cards_words(number: int) -> str:
    """``one card``, ``two cards`` …"""
    return "one card" if number == 1 else f"{NUMBER_WORDS[number]} cards"


def sum_points_words(points: int | str, what: str) -> str:
    """What fifteens or the like bring: so many points, or 1 for each card ``what`` (in the pile, in the choice)."""
    return f"1 point for each card {what}" if isinstance(points, str) else points_words(points)


def capital(text: str) -> str:
    """The text with a capital at its beginning and the rest as it is."""
    return text[0].upper() + text[1:]


def scale_words(scale: str | Sequence[int], longest: int) -> str:
    """Points of a run by length, up to the longest that can occur (3 or more)."""
    points = [scale_points(scale, n) for n in range(3, longest + 1)]
    if points == list(range(3, longest + 1)):
        return "1 point for each of its cards"
    if not any(points):
        return "nothing"
    return ", ".join(f"of {NUMBER_WORDS[n] if n <= 10 else n} {points_words(p)}" for n, p in enumerate(points, start=3))


def eldest_words(rules: PeggingRules) -> str:
    """Who leads: the eldest, who is called the pone if two play."""
    if rules.players == (2,):
        return "the pone"
    return "the eldest" if 2 not in rules.players else "the eldest (the pone)"


def shown_first(rules: PeggingRules) -> bool:
    """Whether the hands are shown before the play."""
    return rules.order.index("show") < rules.order.index("play")


def who_plays_words(rules: PeggingRules) -> str:
    """How many play, and whether with partners."""
    who = joined([NUMBER_WORDS[n] for n in rules.players], "or").capitalize()
    if not rules.partners:
        return f"{who} players, each for himself."
    alone = [n for n in rules.players if n != max(rules.players)]
    each = f", {joined([NUMBER_WORDS[n] for n in alone], 'or')} each for himself" if alone else ""
    return f"{who} players{each}; four are partners, those who sit opposite, and partners have one score."


def dealing_words(rules: PeggingRules) -> list[str]:
    """How many cards each gets, what he lays away, and what becomes of it."""
    ways: dict[tuple[int, int], list[int]] = {}
    for n in rules.players:
        ways.setdefault((rules.discard.of(n), rules.deal_to_crib.of(n)), []).append(n)
    if list(ways) == [(0, 0)]:
        hand = cards_words(rules.hand)
        return [
            f"Each player gets {hand}, face down. Nothing is discarded and there is no crib. The rest is the stock."
        ]
    lines = [_one_way(rules, discard, straight, numbers) for (discard, straight), numbers in ways.items()]
    if rules.crib:
        lines.append(
            "What is laid away is the crib: it lies face down, and the dealer counts it after the hands. Cards are "
            "laid away before the starter is turned."
        )
    else:
        lines.append("What is laid away counts for nobody. It is laid away before the starter is turned.")
    return [*lines, "The rest is the stock."]


def _one_way(rules: PeggingRules, discard: int, straight: int, numbers: Sequence[int]) -> str:
    who = "" if len(numbers) == len(rules.players) else f"With {joined([NUMBER_WORDS[n] for n in numbers], 'or')}: "
    away = f"lays {cards_words(discard)} away and keeps {NUMBER_WORDS[rules.hand]}" if discard else "keeps them all"
    more = f" {cards_words(straight).capitalize()} more is dealt straight to the crib." if straight == 1 else ""
    more = f" {cards_words(straight).capitalize()} more are dealt straight to the crib." if straight > 1 else more
    text = f"each player gets {cards_words(rules.hand + discard)}, face down, {away}.{more}"
    return who + (text if who else capital(text))


def three_for_last_words(rules: PeggingRules, eldest: str) -> list[str]:
    """The points of him who does not deal first."""
    when = {"off": "", "first_deal": "the first deal of a game", "every_deal": "every deal"}[rules.three_for_last]
    return [f"At the start of {when} {eldest} takes {THREE} points for last, before anything else."] if when else []


def mogging_words(rules: PeggingRules) -> list[str]:
    """How a card is exchanged, and what it brings."""
    first, second = ("the elder", "the dealer") if rules.mog.first == "elder" else ("the dealer", "the elder")
    refusal = points_words(rules.mog.refusal)
    bonus = {
        "giver": "Who passes a card that scores by itself in hand pegs its points at once, the elder first; who takes "
        "it no longer counts them in the show, but it pairs and adds like any card.",
        "taker": "A card passed scores for its taker, in the show.",
        "both": "Who passes a card that scores by itself in hand pegs its points at once, and who takes it counts them "
        "in the show too.",
    }[rules.mog.bonus]
    return [
        "With the starter turned, and before anything is laid or shown, the elder (the pone) and the dealer may "
        "exchange a card, at most once in a deal.",
        f"{first.capitalize()} is asked first. If he declines, {second} pegs {refusal} and hands stay as they are.",
        f"If he offers, {second} is asked. If he declines, {first} pegs {refusal}; if he accepts, each chooses a card "
        "and both pass it face down at the same moment.",
        bonus,
    ]


def honours_words(rules: PeggingRules) -> list[str]:
    """Ranks that score by being held."""
    lines = []
    for entry in rules.show.jacks_deuces:
        name = RANK_NAMES[RANKS.index(entry.rank)]
        plain, suited = points_words(entry.points), points_words(entry.suited)
        lines.append(f"Each {name} in hand by itself: {plain}, or {suited} if it is of the starter's suit.")
    return lines


def colours_words(rules: PeggingRules) -> list[str]:
    """What colours pay."""
    if not rules.show.colours:
        return []
    kinds = [f"{what} {points_words(points)}" for what, points in zip(COLOURS, rules.show.colours, strict=True)]
    return [f"Colours of the hand and the starter, the best one only: {'; '.join(kinds)}."]


def crib_words(rules: PeggingRules) -> list[str]:
    """How the crib is counted."""
    if not rules.crib:
        return []
    whose = "the dealer's side" if rules.partners else "the dealer"
    sizes = {n * rules.discard.of(n) + rules.deal_to_crib.of(n) for n in rules.players}
    flushes = []
    for size in sorted(sizes):
        whole, all_of_them = (points_words(scale_points(rules.show.flush, n)) for n in (size, size + 1))
        flushes.append(
            {
                "five": f"only all {NUMBER_WORDS[size]} cards of the crib and the starter of one suit, {all_of_them}",
                "four_or_five": f"all {NUMBER_WORDS[size]} cards of the crib of one suit {whole}, with the starter of "
                f"that suit too {all_of_them}",
                "off": "none",
            }[rules.show.crib_flush]
        )
    flush = joined(list(dict.fromkeys(flushes)), "or")
    return [f"Last of all the crib is counted for {whose} like a hand. A flush in the crib: {flush}."]


def skunk_words(rules: PeggingRules) -> list[str]:
    """Games that count more than once."""
    lines = [
        f"A game in which the best of the losers has fewer than {points_words(band.below)} counts as {band.games} "
        "games."
        for band in rules.skunk
    ]
    return (
        [*lines, "If more than one of these holds, the greatest number of games counts."] if len(lines) > 1 else lines
    )
