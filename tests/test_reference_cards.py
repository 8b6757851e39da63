"""The slow twin held against the laws of shuffling, dealing and drawing."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import reference
from bugs_cases import NODDY
from reference_setup import RANDOM


def test_words_are_those_of_splitmix64() -> None:
    # The first outputs of the published generator for the seed 1234567.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [reference.mix(1234567, number) for number in range(4)] == published


def test_digits_are_exactly_uniform() -> None:
    # The same arithmetic with words of 10 bits: every word is tried, and every row of digits is met equally often.
    met = Counter(
        tuple(found) for x in range(2**10) if (found := reference.digits(x, [5, 4, 3, 2, 1], bits=10)) is not None
    )
    assert len(met) == 120
    assert set(met.values()) == {8}


def test_every_shuffle_is_the_whole_pack_and_places_do_not_depend_on_how_many_are_asked() -> None:
    for number in range(200):
        deck = reference.shuffle(3, number)
        assert sorted(deck) == list(range(52))
        for places in (1, 7, 8, 13, 17, 50):
            assert reference.shuffle(3, number, places=places) == deck[:places]


def test_places_are_uniform() -> None:
    deals = 5200
    counts = [Counter[int]() for _ in range(52)]
    places: list[int] = [0] * 52
    for number in range(deals):
        for place, card in enumerate(reference.shuffle(17, number)):
            counts[place][card] += 1
            places[card] += place
    # Mean place of each card: 25.5, with a standard deviation of 15.0 for one deal (fault 32).
    assert max(abs(total / deals - 25.5) for total in places) < 4.5 * 15.01 / math.sqrt(deals)
    # Each place: chi-square with 51 degrees of freedom; 102 is passed by one place in thirty thousand.
    for count in counts:
        assert sum((count[card] - deals / 52) ** 2 / (deals / 52) for card in range(52)) < 102


def test_a_pack_of_three_comes_in_six_orders_alike() -> None:
    deals = 6000
    orders = Counter(tuple(reference.shuffle(8, number, pack=3)) for number in range(deals))
    assert len(orders) == 6
    assert all(abs(number - deals / 6) < 4.5 * math.sqrt(deals * 5 / 36) for number in orders.values())


def test_the_deal_goes_round_eldest_first() -> None:
    deck = reference.shuffle(1, 9)
    for players in (2, 3, 4):
        starter, hands = reference.deal(1, 9, players)
        assert starter == deck[0]
        for seat, j in itertools.product(range(players), range(3)):
            assert hands[seat][j] == deck[1 + j * players + seat]
        longer = reference.deal(1, 9, players, hand=4)[1]
        assert [hand[:3] for hand in longer] == hands


def test_seeds_deals_and_games_have_cards_of_their_own() -> None:
    decks = [tuple(reference.shuffle(seed, number)) for seed in range(4) for number in range(50)]
    decks += [
        tuple(reference.shuffle_by_key(reference.game_deal_key(seed, game, number), 52, 52))
        for seed in range(4)
        for game in range(5)
        for number in range(10)
    ]
    assert len(set(decks)) == len(decks)
    assert reference.shuffle(2, 2) == reference.shuffle(2, 2)


def test_a_random_tie_is_uniform_over_cards_not_ranks() -> None:
    # Two sevens and a nine: a seven in two of three. 3000 draws have a standard deviation of 26.
    held = reference.read_cards("7h 7c 9d")
    drawn = Counter(
        reference.choose(RANDOM, reference.Turn(held, [], [], [0], key, 1, 0), NODDY) for key in range(3000)
    )
    assert sorted(drawn) == sorted(held)
    assert all(abs(number - 1000) < 4.5 * 26 for number in drawn.values())


def test_random_choices_depend_on_key_seat_and_cards_laid() -> None:
    held = reference.read_cards("2h 7c 9d Kd")

    def row(seat: int, laid: int) -> list[int]:
        turns = [reference.Turn(held, [], [], [0], key, seat, laid) for key in range(40)]
        return [reference.choose(RANDOM, turn, NODDY) for turn in turns]

    assert row(0, 0) == row(0, 0)
    assert len({tuple(row(seat, laid)) for seat in range(4) for laid in range(4)}) == 16
