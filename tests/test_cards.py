"""Cards as numbers and as text."""

from __future__ import annotations

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

from noddysim.game.cards import (
    JOKER,
    PACK_SIZE,
    RANK_NAMES,
    RANKS,
    SUITS,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    pips,
    rank_from_text,
    rank_of,
    refuse_repeats,
    suit_of,
)
from noddysim.game.errors import InputError

PACK = range(PACK_SIZE)


def test_ranks_run_from_ace_to_king() -> None:
    words = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    clubs = parse_cards(words)
    assert clubs == sorted(clubs)
    assert [rank_of(card) for card in clubs] == list(range(13))
    assert RANK_NAMES[0] == "ace" and RANK_NAMES[10:] == ("jack", "queen", "king")
    # Rank decides before suit: the highest ace is below the lowest two.
    assert parse_card("AS") < parse_card("2C")


def test_pips() -> None:
    worth = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10, "J": 10, "Q": 10, "K": 10}
    assert {RANKS[rank]: pips(rank) for rank in range(13)} == worth


def test_the_pack_has_every_rank_in_every_suit_once() -> None:
    assert PACK_SIZE == 52
    every = [(rank, suit) for rank in range(13) for suit in range(4)]
    assert [(rank_of(card), suit_of(card)) for card in PACK] == every
    assert SUITS == "CDHS"
    assert [format_card(card) for card in (0, 3, 17, 51)] == ["AC", "AS", "5D", "KS"]
    assert JOKER == PACK_SIZE


def test_text_and_number_agree_with_the_twin() -> None:
    for card in PACK:
        text = format_card(card)
        assert parse_card(text) == card == reference.read_card(text)
        assert (rank_of(card), suit_of(card), pips(rank_of(card))) == (
            reference.rank(card),
            reference.suit(card),
            reference.pips(card),
        )


@pytest.mark.parametrize(
    ("text", "card"),
    [("th", "TH"), ("10H", "TH"), ("10h", "TH"), (" 5d ", "5D"), ("aS", "AS"), ("x", "X"), ("joker", "X")],
)
def test_text_is_read_in_either_case(text: str, card: str) -> None:
    assert format_card(parse_card(text)) == card


@given(st.permutations(list(PACK)).map(lambda cards: cards[:5]), st.sampled_from([" ", ", ", ",", "  "]))
def test_lists_of_cards_keep_their_order(cards: list[int], between: str) -> None:
    assert parse_cards(between.join(map(format_card, cards))) == cards
    assert parse_cards(format_cards(cards)) == cards


# Two letters of the translated seeds are among them: a Cyrillic Т (their ace) and B (their jack).
@pytest.mark.parametrize("text", ["", "5", "H", "1H", "0D", "11S", "100C", "5X", "HH", "H5", "5HH", "Т5", "BH", "5 H"])
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(InputError, match="no such card") as refused:
        parse_card(text)
    assert repr(text) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_one_bad_card_among_good_ones_is_named() -> None:
    with pytest.raises(InputError, match="'7Z'"):
        parse_cards("5H 7Z KD")


def test_a_card_given_twice_is_refused() -> None:
    with pytest.raises(InputError, match="5H is given twice"):
        refuse_repeats(parse_cards("5H 5D 5h"))
    refuse_repeats(PACK)


def test_ranks_by_name() -> None:
    assert [rank_from_text(letter) for letter in RANKS] == list(range(13))
    assert rank_from_text("10") == rank_from_text("t") == 9
    for wrong in ("", "1", "11", "AS", "Z"):
        with pytest.raises(InputError, match="no such rank"):
            rank_from_text(wrong)
