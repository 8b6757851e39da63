"""The honest twin, what things are worth: a hand and a crib in the show, one card in the play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

from reference_cards import JACK, RANK_LETTERS, Points, Rules, count_of, pips, rank, suit

PLAY_KINDS = ("fifteen", "twentyfive", "thirtyone", "pair", "run", "flush")
SHOW_KINDS = ("fifteens", "pairs", "runs", "flush", "nob", "jacks_deuces", "colours")


# ---------------------------------------------------------------------------------------------------------------------
# What things are worth


def total_points(worth: int | str, cards: int) -> int:
    """Points for a total of fifteen, twenty-five or thirty-one: flat, or one for each card in it."""
    return cards if worth == "per_card" else int(worth)


def length_points(worth: Sequence[int] | str, length: int) -> int:
    """Points for a run or flush of ``length`` cards; fewer than three are none.

    ``length`` pays one a card; a list pays its entries for 3, 4, 5 … and one more for each card beyond its end.
    """
    if worth == "off" or length < 3:
        return 0
    if worth == "length":
        return length
    listed = [int(points) for points in worth]
    longest_listed = 2 + len(listed)
    return listed[length - 3] if length <= longest_listed else listed[-1] + length - longest_listed


def are_a_run(cards: Sequence[int]) -> bool:
    """Three or more cards of different ranks that follow each other, in any order; no corner is turned at the ace."""
    ranks = {rank(card) for card in cards}
    all_differ = len(ranks) == len(cards)
    return len(cards) >= 3 and all_differ and max(ranks) - min(ranks) == len(cards) - 1


# ---------------------------------------------------------------------------------------------------------------------
# The show


def subsets(cards: Sequence[int]) -> list[tuple[int, ...]]:
    """Every choice of at least one of the cards."""
    return [choice for size in range(1, len(cards) + 1) for choice in combinations(cards, size)]


def show_totals(cards: Sequence[int], show_rules: Rules) -> int:
    """Points for all choices of cards that add up to 15, to 25 and to 31."""
    points = 0
    for choice in subsets(cards):
        total = count_of(choice)
        for wanted, name in ((15, "fifteen"), (25, "twentyfive"), (31, "thirtyone")):
            if total == wanted:
                points += total_points(show_rules[name], len(choice))
    return points


def show_pairs(cards: Sequence[int], show_rules: Rules) -> int:
    """Points for two, three or four cards of a rank, for each rank that is there more than once."""
    points = 0
    for one_rank in range(13):
        present = sum(1 for card in cards if rank(card) == one_rank)
        if present >= 2:
            points += int(show_rules["same_rank"][present - 2])
    return points


def show_runs(cards: Sequence[int], show_rules: Rules) -> int:
    """Points for the longest run there is: once for each choice of cards that makes it, or once for its ranks."""
    runs = [choice for choice in subsets(cards) if are_a_run(choice)]
    if not runs:
        return 0
    longest = max(len(run) for run in runs)
    runs = [run for run in runs if len(run) == longest]
    if show_rules["run_multiplicity"] == "once":
        times = len({min(rank(card) for card in run) for run in runs})
    else:
        times = len(runs)
    return times * length_points(show_rules["run"], longest)


def show_flush(hand: Sequence[int], starter: int, show_rules: Rules) -> int:
    """Points for cards of one suit in the hand, with what the starter may add to them."""
    kind = show_rules["hand_flush"]
    if kind == "off":
        return 0
    points = 0
    for one_suit in range(4):
        held = sum(1 for card in hand if suit(card) == one_suit)
        all_held = held == len(hand)
        if held < 3 or (kind == "whole" and not all_held):
            continue
        starter_joins = suit(starter) == one_suit
        if kind == "groves":  # the starter only completes a flush of five
            starter_joins = starter_joins and all_held and len(hand) >= 4
        points += length_points(show_rules["flush"], held + starter_joins)
    return points


def crib_flush(crib: Sequence[int], starter: int, show_rules: Rules) -> int:
    """Points for a crib of one suit: ``five`` only with the starter, ``four_or_five`` with it or without."""
    kind = show_rules.get("crib_flush", "off")
    if kind == "off" or len({suit(card) for card in crib}) != 1:
        return 0
    starter_joins = suit(starter) == suit(crib[0])
    if kind == "five" and not starter_joins:
        return 0
    return length_points(show_rules["flush"], len(crib) + starter_joins)


def show_nob(hand: Sequence[int], starter: int, show_rules: Rules) -> int:
    """Points for the jack in the hand that has the starter's suit."""
    return int(show_rules["nob"]) if 4 * JACK + suit(starter) in hand else 0


def honour_points(card: int, starter: int, show_rules: Rules) -> int:
    """What a card in hand earns by itself (jacks and deuces): more if it has the starter's suit."""
    points = 0
    for honour in show_rules.get("jacks_deuces", []):
        if RANK_LETTERS.index(honour["rank"]) == rank(card):
            points += int(honour["suited"] if suit(card) == suit(starter) else honour["points"])
    return points


def is_red(card: int) -> bool:
    """Diamonds and hearts are red, clubs and spades black."""
    return suit(card) in (1, 2)


def show_colours(hand: Sequence[int], starter: int, show_rules: Rules) -> int:
    """Points for the colours of three cards in hand and the starter; only the best that they make."""
    if not show_rules.get("colours"):
        return 0
    three_of_a_colour, three_of_a_suit, four_two_and_two, four_three_and_one, four_of_a_suit = show_rules["colours"]
    cards = [*hand, starter]
    reds = sum(map(is_red, cards))
    suits = [sum(1 for card in cards if suit(card) == one_suit) for one_suit in range(4)]
    if max(suits) == 4:
        return int(four_of_a_suit)
    if reds in (0, 4):
        return int(four_three_and_one if max(suits) == 3 else four_two_and_two)
    if max(suits) == 3:
        return int(three_of_a_suit)
    return int(three_of_a_colour) if reds in (1, 3) else 0


@cache
def rank_points(ranks: tuple[int, ...], rank_rules: tuple[tuple[str, Any], ...]) -> tuple[int, int, int]:
    """Points of totals, pairs and runs. They know no suits, so each set of ranks is counted once and remembered."""
    cards = [4 * one_rank for one_rank in ranks]
    show_rules = dict(rank_rules)
    return show_totals(cards, show_rules), show_pairs(cards, show_rules), show_runs(cards, show_rules)


RANK_RULES = ("fifteen", "twentyfive", "thirtyone", "same_rank", "run", "run_multiplicity")


def ranks_alone(cards: Sequence[int], show_rules: Rules) -> tuple[int, int, int]:
    """Points of totals, pairs and runs of these cards and no others."""
    lists_fixed = [
        (name, tuple(rule)) if isinstance(rule := show_rules[name], list) else (name, rule) for name in RANK_RULES
    ]
    return rank_points(tuple(sorted(map(rank, cards))), tuple(lists_fixed))


def with_total(parts: Points) -> Points:
    """The parts of a count with their sum beside them."""
    return {**parts, "total": sum(parts.values())}


def show(hand: Sequence[int], starter: int, rules: Rules, taken: int | None = None) -> Points:
    """Count a hand with the starter, by SHOW_KINDS (``fifteens`` are all totals) and in ``total``.

    ``taken`` is a card of the hand for which its giver has pegged already: it earns nothing by itself.
    """
    show_rules = rules["show"]
    fifteens, pairs, runs = ranks_alone([*hand, starter], show_rules)
    return with_total({
        "fifteens": fifteens,
        "pairs": pairs,
        "runs": runs,
        "flush": show_flush(hand, starter, show_rules),
        "nob": show_nob(hand, starter, show_rules),
        "jacks_deuces": sum(honour_points(card, starter, show_rules) for card in hand if card != taken),
        "colours": show_colours(hand, starter, show_rules),
    })  # fmt: skip


def show_crib(crib: Sequence[int], starter: int, rules: Rules) -> Points:
    """Count a crib with the starter: as a hand, but with a flush of its own, and nothing for jacks, deuces, colours."""
    show_rules = rules["show"]
    fifteens, pairs, runs = ranks_alone([*crib, starter], show_rules)
    return with_total({
        "fifteens": fifteens,
        "pairs": pairs,
        "runs": runs,
        "flush": crib_flush(crib, starter, show_rules),
        "nob": show_nob(crib, starter, show_rules),
        "jacks_deuces": 0,
        "colours": 0,
    })  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------------
# One card of the play


def same_rank_tail(cards: Sequence[int]) -> int:
    """How many of the last cards, without a gap, have the rank of the last one."""
    number = 0
    for card in reversed(cards):
        if rank(card) != rank(cards[-1]):
            break
        number += 1
    return number


def longest_run_tail(cards: Sequence[int]) -> int:
    """The largest number (3 or more) of last cards that make a run, or 0."""
    for length in range(len(cards), 2, -1):
        if are_a_run(cards[-length:]):
            return length
    return 0


def flush_tail(cards: Sequence[int]) -> int:
    """How many of the last cards, without a gap, have the suit of the last one."""
    number = 0
    for card in reversed(cards):
        if suit(card) != suit(cards[-1]):
            break
        number += 1
    return number


def fits(pile: Sequence[int], card: int, rules: Rules) -> bool:
    """Whether a card may be laid on the pile: the count may not pass the limit."""
    return count_of(pile) + pips(card) <= int(rules["play"]["limit"])


def card_points(pile: Sequence[int], card: int, rules: Rules, lookback: Sequence[int] | None = None) -> Points:
    """Points of a card laid on a pile, by kind; the last-card point is not among them.

    ``lookback`` are the earlier cards that pairs, runs and flushes may use, when they are not just the pile. Raises
    ValueError if the card does not fit.
    """
    play_rules = rules["play"]
    count = count_of(pile) + pips(card)
    if count > play_rules["limit"]:
        raise ValueError(f"card {card} would pass the limit")
    cards = len(pile) + 1
    tail = [*(pile if lookback is None else lookback), card]
    points = dict.fromkeys(PLAY_KINDS, 0)
    if count == 15:
        points["fifteen"] = total_points(play_rules["fifteen"], cards)
    if count == 25:
        points["twentyfive"] = total_points(play_rules["twentyfive"], cards)
    if count == play_rules["limit"]:
        points["thirtyone"] = total_points(play_rules["thirtyone"], cards)
    alike = same_rank_tail(tail)
    if alike >= 2:
        points["pair"] = int(play_rules["same_rank"][alike - 2])
    run = longest_run_tail(tail)
    if run:
        points["run"] = length_points(play_rules["run"], run)
    points["flush"] = length_points(play_rules.get("flush", "off"), flush_tail(tail))
    return points
