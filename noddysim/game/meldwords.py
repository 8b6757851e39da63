"""The rules of the melding game in plain words, made from the data."""

from __future__ import annotations

from noddysim.game.meldmodels import MeldRules
from noddysim.game.rulewords import joined, points_words


def meld_sections(rules: MeldRules) -> list[tuple[str, list[str]]]:
    """Headings of the rule sheet, each with its sentences."""
    return [
        ("Players and cards", _cards(rules)),
        ("The turned card", _turned(rules)),
        ("A turn", _turn(rules)),
        ("Melds", _melds(rules)),
        ("The game", _game(rules)),
    ]


def _cards(rules: MeldRules) -> list[str]:
    numbers = joined([str(n) for n in rules.players], "or")
    courts = "10 each" if rules.face_value == "10" else "11, 12 and 13"
    return [
        f"{numbers} play, each alone, with one pack of 52 cards.",
        "Three cards are dealt to each, the next card is turned and shows trumps.",
        f"In sums an ace counts 1, other cards their number, jack, queen and king {courts}.",
        "Left of the dealer begins; the turn goes round clockwise, and so does the deal.",
    ]


def _turned(rules: MeldRules) -> list[str]:
    to = {
        "opponents2": "pays 2 points to each opponent of the dealer, the next clockwise first",
        "dealer2": "pays the dealer 2 points",
        "dealer1": "pays the dealer 1 point",
    }[rules.turned_jack]
    drawn = "is the last card of the stock" if rules.trump_drawable else "is never drawn"
    joins = "may join a meld while it lies on the table" if rules.trump_in_melds else "joins no meld"
    return [f"A jack turned {to}.", f"The turned card {drawn} and {joins}."]


def _turn(rules: MeldRules) -> list[str]:
    most = "one meld" if rules.melds_per_turn == 1 else f"up to {rules.melds_per_turn} melds"
    must = (
        f"Who holds a meld must lay one, any he likes; {most} may be laid on a turn."
        if rules.must_meld
        else f"Who holds a meld may lay it or draw instead; {most} may be laid on a turn."
    )
    end = (
        "When the stock is gone, a player without a meld passes; when all have passed in turn, the next dealer deals "
        "and the scores stay."
        if rules.stock_out == "redeal"
        else "When the stock is gone, the laid cards are shuffled and become the stock."
    )
    return [
        must,
        "A player who lays nothing draws one card.",
        "After a meld the hand is filled up to three cards.",
        end,
    ]


def _melds(rules: MeldRules) -> list[str]:
    worth = {
        "face": ("15 points", "25 points", "31 points"),
        "flat2": ("2 points",) * 3,
        "per_card": ("1 point a card",) * 3,
    }[rules.sum_value]
    two, three, four = rules.group
    suit = "1 point" if rules.suit_value == "flat" else "1 point a card"
    scoring = {
        "single": "A meld scores one combination, the one declared.",
        "whole_set": "A meld scores every combination that all its cards make together.",
        "all_subsets": "A meld scores every combination that any of its cards make.",
    }[rules.meld_scoring]
    jack = (
        "The jack of trumps: 1 point, laid by itself."
        if rules.trump_jack == "meld"
        else "The jack of trumps: 1 point on top of a meld that it is part of."
    )
    return [
        f"Two cards or more that add up to 15: {worth[0]}.",
        f"Three cards or more that add up to 25: {worth[1]}.",
        f"Four cards or more that add up to 31: {worth[2]}.",
        f"Two of a rank: {points_words(two)}; three: {points_words(three)}; four: {points_words(four)}.",
        f"Three or four cards of a suit: {suit}.",
        f"Three cards in sequence: {points_words(rules.run[0])}; four: {points_words(rules.run[1])}; "
        f"five or more: {points_words(rules.run[2])}. The ace is low, suits do not matter.",
        jack,
        scoring,
    ]


def _game(rules: MeldRules) -> list[str]:
    return [
        f"Who first has {points_words(rules.target)} or more wins, at once.",
        f"A deal of more than {rules.rounds} rounds is ended without a winner; the next dealer deals.",
    ]
