"""Sentences of the rule sheet about the show: what a hand counts together with the starter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from noddysim.game.readings import scale_points
from noddysim.game.rulemodels import PeggingRules, ShowRules
from noddysim.game.rulewords import (
    NUMBER_WORDS,
    cards_words,
    colours_words,
    crib_words,
    eldest_words,
    honours_words,
    points_words,
    scale_words,
    shown_first,
    sum_points_words,
)


def show_words(rules: PeggingRules) -> list[str]:
    """The section on the show, with the crib where there is one."""
    show = rules.show
    hand = cards_words(rules.hand)
    total = rules.hand + 1
    when = "Before the play" if shown_first(rules) else "After the play"
    lines = [
        f"{when} each player shows his {hand}, counted together with the starter, {cards_words(total)} in all: "
        f"{eldest_words(rules)} first, the dealer last.",
        f"Each choice of cards that adds up to fifteen: {sum_points_words(show.fifteen, 'in it')}.",
    ]
    if show.twentyfive != 0:
        lines.append(f"Each choice of cards that adds up to twenty-five: {sum_points_words(show.twentyfive, 'in it')}.")
    if show.thirtyone != 0:
        lines.append(f"Each choice of cards that adds up to thirty-one: {sum_points_words(show.thirtyone, 'in it')}.")
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
    worth = scale_words(show.run, total)
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
