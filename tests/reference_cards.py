"""The honest twin, its cards: how they are read, shuffled and dealt.

A *card* is ``4 * rank + suit`` (rank 0 the ace to 12 the king; suits clubs, diamonds, hearts, spades). A deal is a
pure function of a seed and a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

Rules = Mapping[str, Any]
Strategy = Mapping[str, Any]
Points = dict[str, int]

RANK_LETTERS = "A23456789TJQK"
FIVE, TEN, JACK = 4, 9, 10


# ---------------------------------------------------------------------------------------------------------------------
# Cards


def rank(card: int) -> int:
    """Rank of a card, 0 (ace) to 12 (king)."""
    return card // 4


def suit(card: int) -> int:
    """Suit of a card, 0 to 3."""
    return card % 4


PIPS = [min(rank(card) + 1, 10) for card in range(52)]
"""What each card adds to the count: ace 1, two to ten their number, jack, queen and king 10."""


def pips(card: int) -> int:
    """What a card adds to the count."""
    return PIPS[card]


def count_of(cards: Sequence[int]) -> int:
    """What the cards add up to."""
    return sum([PIPS[card] for card in cards])


def read_card(text: str) -> int:
    """The card written as rank letter and suit letter, for example ``5h`` or ``TC``."""
    return 4 * RANK_LETTERS.index(text[0].upper()) + "CDHS".index(text[1].upper())


def read_cards(text: str) -> list[int]:
    """Cards written with spaces between them, in that order."""
    return [read_card(word) for word in text.split()]


def read_hands(text: str) -> list[list[int]]:
    """Hands written with `` / `` between them, eldest first."""
    return [read_cards(part) for part in text.split("/")]


# ---------------------------------------------------------------------------------------------------------------------
# Shuffling and dealing: a pure function of the seed and the number of the deal

WORD = 2**64
GAMMA = 0x9E3779B97F4A7C15
SHUFFLE, CHOICE = 0, 1
BITS = 57
PLACES_OF_A_WORD = 7


def stir(z: int) -> int:
    """Mix the bits of one 64-bit number so that near numbers land far apart."""
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 % WORD
    z ^= z >> 27
    z = z * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def mix(a: int, b: int) -> int:
    """A 64-bit number made of two; every step is taken modulo 2^64."""
    return stir((a + GAMMA * (b + 1)) % WORD)


def deal_key(seed: int, deal_number: int) -> int:
    """The number from which every word of a single deal is drawn."""
    return mix(mix(seed, 0), deal_number)


def game_deal_key(seed: int, game: int, deal_number: int) -> int:
    """The same for deal ``deal_number`` (from 0) of a game."""
    return mix(mix(mix(seed, 1), game), deal_number)


def word(key: int, purpose: int, number: int) -> int:
    """Random word ``number`` of a purpose, as a number below 2^57."""
    return mix(key, (purpose << 32) | number) >> (64 - BITS)


def digits(x: int, choices: Sequence[int], bits: int = BITS) -> list[int] | None:
    """Split one word ``x`` below 2^bits into one digit for each number of choices, or None if the word is refused.

    The refused words are just so many that every row of digits is left with equally many words.
    """
    found = []
    product = 1
    for choice in choices:
        x *= choice
        found.append(x >> bits)
        x %= 2**bits
        product *= choice
    return None if x < 2**bits % product else found


def shuffle_by_key(key: int, pack: int, places: int) -> list[int]:
    """The first ``places`` cards of the shuffled pack: each place swaps with itself or a later one."""
    deck = list(range(pack))
    for block in range(-(-places // PLACES_OF_A_WORD)):
        first = block * PLACES_OF_A_WORD
        block_places = range(first, min(first + PLACES_OF_A_WORD, pack))
        attempt = 0
        while (steps := digits(word(key, SHUFFLE, (block << 8) | attempt), [pack - p for p in block_places])) is None:
            attempt += 1
        for place, step in zip(block_places, steps, strict=True):
            deck[place], deck[place + step] = deck[place + step], deck[place]
    return deck[:places]


def shuffle(seed: int, deal_number: int, pack: int = 52, places: int | None = None) -> list[int]:
    """The pack of a deal as it lies after the shuffle, or its first ``places`` cards."""
    return shuffle_by_key(deal_key(seed, deal_number), pack, pack if places is None else places)


@dataclass(frozen=True)
class Dealt:
    """A deal as it lies on the table: the starter, the cards of each seat, and those dealt straight to the crib."""

    starter: int
    hands: list[list[int]]
    crib: list[int]


def dealt(key: int, players: int, hand: int, to_crib: int = 0) -> Dealt:
    """Deal ``hand`` cards a seat: the first card is the starter, then one card to each seat in turn, eldest first.

    When every seat has its cards, the crib gets its own.
    """
    first_of_crib = 1 + players * hand
    cards = shuffle_by_key(key, 52, first_of_crib + to_crib)
    hands = [cards[1 + seat : first_of_crib : players] for seat in range(players)]
    return Dealt(cards[0], hands, cards[first_of_crib:])


def dealt_by_rules(key: int, players: int, rules: Rules) -> Dealt:
    """The deal of a key: each seat gets the cards it keeps and those it will lay away."""
    hand = int(rules["hand"]) + by_players(rules, "discard", players)
    return dealt(key, players, hand, by_players(rules, "deal_to_crib", players))


def deal_by_key(key: int, players: int, hand: int) -> tuple[int, list[list[int]]]:
    """Starter and hands where nothing is dealt to a crib."""
    cards = dealt(key, players, hand)
    return cards.starter, cards.hands


def deal(seed: int, deal_number: int, players: int, hand: int = 3) -> tuple[int, list[list[int]]]:
    """Starter and hands (in the order received) of a single deal."""
    return deal_by_key(deal_key(seed, deal_number), players, hand)


def deal_of_game(seed: int, game: int, deal_number: int, players: int, hand: int = 3) -> tuple[int, list[list[int]]]:
    """Starter and hands of deal ``deal_number`` of a game."""
    return deal_by_key(game_deal_key(seed, game, deal_number), players, hand)


# ---------------------------------------------------------------------------------------------------------------------
# Random choices


def draw(key: int, seat: int, moment: int, choices: int) -> int:
    """One of so many choices, 0 the first, all alike; ``moment`` tells the choices of a seat in a deal apart."""
    attempt = 0
    while (drawn := digits(word(key, CHOICE, (seat << 16) | (moment << 8) | attempt), [choices])) is None:
        attempt += 1
    return drawn[0]


# ---------------------------------------------------------------------------------------------------------------------
# Players, sides and weights


def by_players(rules: Rules, name: str, players: int) -> int:
    """A number of cards that rules give by the number of players; none where they do not speak of it."""
    return int(rules.get(name, {}).get({2: "two", 3: "three", 4: "four"}[players], 0))


def sides_of(rules: Rules, players: int) -> int:
    """How many sides play: four partners are two sides, else everybody is a side alone.

    Seat (or person) ``s`` belongs to side ``s`` modulo the number of sides.
    """
    return 2 if rules.get("partners", False) and players == 4 else players


@cache
def millionths(weight: str | int | float) -> int:
    """A weight written as a decimal, as a whole number of millionths of a point; ValueError if it is finer."""
    exact = Fraction(str(weight)) * 10**6
    if exact.denominator != 1:
        raise ValueError(f"weight {weight} has more than six places")
    return int(exact)
