"""Every answer to every question that the sources leave open, in words that can stand without the question.

A reading (``noddysim.game.readings`` and the models of the other families) gives its answers to its question: "no",
"yes, 1 point a card". Where answers of many questions stand side by side, in a picture or a sentence, that is not
enough; here is what a player would say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from noddysim.game.readings import Reading, same_value
from noddysim.game.rulewords import points_words
from noddysim.game.tomlfile import format_value

LONGEST: Final = 60
"""Letters that an answer may take: two lines of a picture."""

ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    # the play of cards to a count
    "thirtyone_extra": (
        "nothing on top for a count at the limit",
        "1 point on top for a count at the limit",
        "2 points on top for a count at the limit",
    ),
    "final_card_point": ("the very last card counts as a last card", "no point for the very last card"),
    "next_lead": ("the next after the last card leads a new pile", "who said go first leads a new pile"),
    "combo_scope": ("pairs and runs within a pile only", "pairs and runs may reach back into earlier piles"),
    "go_breaks": ("a go breaks no pair or run", "a go breaks pairs and runs"),
    "run_multiplicity": ("a run with a pair counts for each way to make it", "a run with a pair counts once"),
    "play_flush": ("no flushes in the play", "flushes in the play, 1 point a card"),
    "must_play": ("who can lay a card must", "who can lay a card may pass"),
    "muggins": ("every point is pegged", "points overlooked are lost"),
    "turned_jack": (
        "1 point to the dealer for a turned jack",
        "2 points to the dealer for a turned jack",
        "2 points to each opponent of the dealer for a turned jack",
        "nothing for a turned jack",
    ),
    "piles": (
        "piles until all cards are laid",
        "one pile only, until nobody can add a card",
        "one pile only, until the first player is stuck",
    ),
    "show_first": ("the play before the show", "the show before the play"),
    "fifteen": ("a fifteen is worth 2 points", "a fifteen is worth 1 point a card"),
    "twentyfive": ("nothing for a count of twenty-five", "twenty-five in the play, 1 point a card"),
    "run_scale": ("runs are worth 1 point a card", "runs are worth 2 for three cards, 4 for four"),
    "partners": ("four play each for himself", "four play as partners"),
    "target": ("31 points up", "61 points up", "21 points up", "15 points up", "121 points up"),
    "exact_finish": ("passing the target wins too", "the target must be reached exactly"),
    # the show
    "hand_flush": (
        "a flush in the show takes the whole hand",
        "three cards of a hand make a flush, and then the starter",
        "three cards of a hand make a flush, the starter only a fifth",
        "no flushes in the show",
    ),
    "heels_can_win": ("the turned card can win the game", "the turned card cannot win the game"),
    "three_for_last": (
        "no three for last",
        "3 points to the pone in the first deal (three for last)",
        "3 points to the pone in every deal (three for last)",
    ),
    "crib_flush": (
        "a flush in the crib needs the starter too",
        "a flush in the crib needs no starter",
        "no flushes in the crib",
    ),
    "skunk": (
        "every game counts once",
        "a game counts twice if the loser is below 91",
        "twice if the loser is below 91, three times below 61",
        "a game counts twice if the loser is below 61",
        "a game counts twice if the loser is below 31",
    ),
    # mogging and honours
    "mog_first": ("the elder is asked first to mog", "the dealer is asked first to mog"),
    "mog_with": ("cards are exchanged between players", "cards are exchanged with the stock"),
    "mog_bonus": (
        "a jack or deuce passed scores for the giver",
        "a jack or deuce passed scores for the taker",
        "a jack or deuce passed scores for both",
    ),
    "turned_deuce": ("4 points to the dealer for a turned deuce", "nothing for a turned deuce"),
    "plain_deuce": ("a deuce of another suit is worth 2 points", "a deuce of another suit is worth nothing"),
    "jd_pairs": ("jacks and deuces pair too", "jacks and deuces do not pair"),
    "play_runs": ("runs score in the play", "no runs in the play"),
    "play_pairs": ("pairs score in the play", "no pairs in the play"),
    "colour_stack": ("only the best colour counts", "three in suit counts for three in colour too"),
    "go_point": ("a go earns nothing", "a go earns a point"),
    "thirty_scores": ("a count of thirty earns nothing", "a count of thirty scores"),
    # the melding game
    "face_value": ("jack, queen and king add 10 each", "jack, queen and king add 11, 12 and 13"),
    "meld_scoring": (
        "a meld scores the one combination declared",
        "a meld scores all that its cards make together",
        "a meld scores all that any of its cards make",
    ),
    "sum_value": (
        "sums are worth 15, 25 and 31 points",
        "sums are worth 2 points",
        "sums are worth 1 point a card",
    ),
    "must_meld": ("who holds a combination must lay one", "who holds a combination may draw instead"),
    "melds_per_turn": ("one meld on a turn",),
    "trump_in_melds": ("the turned card joins no meld", "the turned card joins melds"),
    "trump_drawable": ("the turned card is drawn last", "the turned card is never drawn"),
    "stock_out": ("a new deal when all pass without a stock", "laid cards become the stock again"),
    "A10": (
        "2 points to each opponent for a jack turned as trump",
        "2 points to the dealer for a jack turned as trump",
        "1 point to the dealer for a jack turned as trump",
    ),
    "trump_jack": ("the jack of trumps is a meld of its own", "the jack of trumps adds 1 point to its meld"),
    "suit_value": ("cards of a suit are worth 1 point in all", "cards of a suit are worth 1 point each"),
    # Snitch
    "jokers": ("four jokers", "two jokers"),
    "joker_pair": ("two jokers are no set", "two jokers are a set"),
    "steal": ("sets of others stay theirs", "sets of others may be claimed"),
    "response": ("anything may be laid after a set", "only the same rank may be laid after a set"),
    "refill": ("a hand is filled at the end of the turn", "a hand is filled after each set"),
    "max_sets": ("three sets on a turn at most",),
    "discard_then_set": ("no set after a discard", "a set may follow a discard"),
    "first_discard": ("the discards begin empty", "a card is turned for the discards"),
    "action4": ("a set may be laid on one's own set", "a wild card may be laid on one's own set"),
    "deuce_points": ("a deuce is worth 20 points", "a deuce is worth 25 points"),
    "deal_end": ("a deal ends when all pass or hands are empty", "a deal ends when nobody holds a set"),
    "tie": ("two that are highest play on", "two that are highest share the game"),
}
"""By the option of a reading, in the order of its answers; by its id where another family has that option too."""

AMOUNTS: Final[Mapping[str, str]] = {
    "target": "{} points up",
    "play.last": "{} for the last card of a pile",
    "mog.refusal": "{} for a refusal to mog",
}
"""Rules that are amounts, which a search may set to any value."""


def answer_words(reading: Reading, value: object) -> str:
    """An answer in words of its own: "no point for the very last card".

    Raises ValueError for a value that is none of the reading's answers and no amount.
    """
    for place, choice in enumerate(reading.choices):
        if same_value(choice.value, value):
            return ANSWERS.get(reading.id, ANSWERS.get(reading.option, ()))[place]
    if reading.option in AMOUNTS and isinstance(value, int):
        return AMOUNTS[reading.option].format(value)
    raise ValueError(f"{reading.option} has no answer {value!r}")


def rule_words(readings: Sequence[Reading], key: str, value: object) -> str:
    """A rule in words, by the name of a reading or the dotted key of a field; key and value where there are none."""
    for reading in readings:
        if reading.option == key and (reading.choice(value) or key in AMOUNTS):
            return answer_words(reading, value)
    if key in AMOUNTS and isinstance(value, int):
        return AMOUNTS[key].format(points_words(value))
    return option_words(key, value)


def option_words(key: str, value: object) -> str:
    """A rule as it is written in a file: ``turned_jack = "off"``."""
    return f"{key} = {format_value(value)}"
