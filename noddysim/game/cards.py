"""Cards as small integers and as text.

A card is ``4 * rank + suit``: rank 0 is the ace, 12 the king, 13 the joker; suits are clubs, diamonds, hearts and
spades in that order. Text is one rank letter and one suit letter (``AS``, ``TH``); ``10H`` is read as ``TH``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from noddysim.game.errors import InputError

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
JOKER: Final = 52
PACK_SIZE: Final = 52

RANK_NAMES: Final = (
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
)  # fmt: skip


def rank_of(card: int) -> int:
    """Rank of a card, 0 (ace) to 12 (king), 13 for the joker."""
    return card // 4


def suit_of(card: int) -> int:
    """Suit of a card, 0 to 3 for clubs, diamonds, hearts, spades."""
    return card % 4


def pips(rank: int) -> int:
    """What a rank adds to the count: ace 1, two to ten their number, jack, queen and king 10."""
    return min(rank + 1, 10)


def rank_from_text(text: str) -> int:
    """Rank number of ``A 2 … 9 T J Q K`` (also ``10``); raises InputError for anything else."""
    letter = "T" if text == "10" else text.upper()
    if len(letter) != 1 or letter not in RANKS:
        raise InputError(f"no such rank: {text!r}; ranks are A 2 3 4 5 6 7 8 9 T J Q K")
    return RANKS.index(letter)


def parse_card(text: str) -> int:
    """Read one card; case does not matter. Raises InputError that names the text."""
    word = text.strip().upper()
    if word in ("X", "JOKER"):
        return JOKER
    rank, suit = word[:-1], word[-1:]
    rank = "T" if rank == "10" else rank
    if len(rank) != 1 or rank not in RANKS or suit not in SUITS:
        raise InputError(f"no such card: {text!r}; a card is a rank A 2-9 T J Q K and a suit C D H S, for example 5H")
    return 4 * RANKS.index(rank) + SUITS.index(suit)


def parse_cards(text: str) -> list[int]:
    """Read cards parted by spaces or commas, in the order given. Raises InputError."""
    return [parse_card(word) for word in text.replace(",", " ").split()]


def refuse_repeats(cards: Iterable[int]) -> None:
    """Raise InputError if a card of one pack stands twice."""
    seen: set[int] = set()
    for card in cards:
        if card in seen:
            raise InputError(f"card {format_card(card)} is given twice; there is one of each in the pack")
        seen.add(card)


def format_card(card: int) -> str:
    """Text of one card: upper case, ``T`` for ten, ``X`` for a joker."""
    if card >= JOKER:
        return "X"
    return RANKS[card // 4] + SUITS[card % 4]


def format_cards(cards: Iterable[int]) -> str:
    """Text of several cards, parted by spaces."""
    return " ".join(format_card(int(card)) for card in cards)
