"""The rules of Snitch in plain words, made from the data."""

from __future__ import annotations

from noddysim.game.rulewords import joined, points_words
from noddysim.game.snitchmodels import SnitchRules


def snitch_sections(rules: SnitchRules) -> list[tuple[str, list[str]]]:
    """Headings of the rule sheet, each with its sentences."""
    return [
        ("Players and cards", _cards(rules)),
        ("A turn", _turn(rules)),
        ("When the stock is gone", _end(rules)),
        ("The game", _game(rules)),
    ]


def _cards(rules: SnitchRules) -> list[str]:
    numbers = joined([str(n) for n in rules.players], "or")
    start = "one more is turned for the discards" if rules.first_discard else "there is no discard yet"
    return [
        f"{numbers} play, each alone, with two packs and {rules.jokers} jokers: {104 + rules.jokers} cards.",
        f"Three cards are dealt to each; {start}, and the rest is the stock.",
        "Deuces and jokers are wild.",
        "The first dealer is drawn by lot, then the deal goes round clockwise; left of the dealer begins.",
    ]


def _turn(rules: SnitchRules) -> list[str]:
    most = {0: "as many sets as he can", 1: "one set"}.get(rules.max_sets, f"up to {rules.max_sets} sets")
    pair = ", or two jokers" if rules.joker_pair else ""
    after = (
        "After a discard he may lay sets on the same turn."
        if rules.discard_then_set
        else "A discard ends the turn; after a set there is none."
    )
    own = (
        "A wild card alone may join a set of one's own."
        if rules.action4 == "extend"
        else "On a set of one's own another of that rank may be laid; it scores like any other."
    )
    answer = (
        [] if rules.response == "free" else ["After sets, the next player may lay only the rank of the last of them."]
    )
    filled = "at the end of the turn" if rules.refill == "turn" else "after each set"
    return [
        f"A player lays {most}, or discards a card and draws one.",
        f"A set is two cards of a rank, or a natural card and a wild one{pair}; two wild cards are no set.",
        "One of the two may be the top discard.",
        after,
        own,
        *answer,
        f"Hands are filled to three cards {filled}.",
    ]


def _end(rules: SnitchRules) -> list[str]:
    end = (
        "The deal ends when hands are empty or all have passed in turn."
        if rules.deal_end == "all_pass"
        else "The deal ends when nobody holds a set."
    )
    return ["The discards may no longer be used; a player lays sets of his hand or passes.", end]


def _game(rules: SnitchRules) -> list[str]:
    tie = "another deal is played" if rules.tie == "play_on" else "they share the game"
    return [
        "Every card in a player's sets counts: "
        f"3 to 9 {points_words(rules.low_points)} each, ten to king {points_words(rules.high_points)} each, "
        f"an ace {points_words(rules.ace_points)}, a deuce {points_words(rules.deuce_points)}, "
        f"a joker {points_words(rules.joker_points)}.",
        f"Deals are played until someone has {points_words(rules.target)}; the highest score wins.",
        f"If two are highest, {tie}.",
    ]
