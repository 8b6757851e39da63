"""Sentences of the rule sheet about the play: how cards are laid, what they score, and what is left unscored."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from noddysim.game.readings import LONGEST_RUN, scale_points
from noddysim.game.rulemodels import PeggingRules, PlayRules
from noddysim.game.rulewords import (
    capital,
    eldest_words,
    joined,
    points_words,
    scale_words,
    shown_first,
    sum_points_words,
)


def play_words(rules: PeggingRules) -> list[str]:
    """The section on the play; lines that begin with spaces stand under the one before."""
    play = rules.play
    return [
        *(["The play follows the show: each player takes up his cards again."] if shown_first(rules) else []),
        f"{eldest_words(rules).capitalize()} leads. In turn to the left each player lays one card face up and says the "
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
    lines = [f"fifteen (a count of exactly 15): {sum_points_words(play.fifteen, 'in the pile')};"]
    if play.twentyfive != 0 and play.limit >= 25:
        lines.append(f"twenty-five (a count of exactly 25): {sum_points_words(play.twentyfive, 'in the pile')};")
    lines.append(f"{at_limit}: {sum_points_words(play.thirtyone, 'in the pile')}{extra};")
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
            f"none twice: {scale_words(play.run, longest)} (only the longest counts; king and ace do not meet);"
        )
    if _in_the_play(rules, play.flush):
        lines.append(
            "a flush, when the last three or more cards laid are of one suit: "
            f"{scale_words(play.flush, longest)} (only the longest counts);"
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
    return [f"{capital(joined(nothing))} score nothing in the play."] if nothing else []


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
        "pile": f"{capital(groups)} do not use cards of an earlier pile. ",
        "deal": f"{capital(groups)} may reach back into earlier piles of the deal. ",
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
