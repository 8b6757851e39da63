"""Deals as pure functions of seed and number: the published generator, exact uniformity, and the cut for deal.

Whether cards fall evenly is asked by functions that return a p-value, and each of them is also given a shuffle with a
known fault, which it must find: a check that cannot fail says nothing. The faults are public cases (project list, 31
to 37).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable

import evenness
import numpy as np
import pytest
import reference
import table
from evenness import ALARM, p_value
from hypothesis import given
from hypothesis import strategies as st

from noddysim.kernels import dealing
from noddysim.kernels.cutting import cut_for_deal
from noddysim.kernels.hands import unpack
from noddysim.kernels.pegging import deal_cards
from noddysim.kernels.records import AT_STARTER, new_table

WORD = 2**64
SEEDS = [0, 1, 1589, 2**32, 2**63 - 1, 2**63, 2**64 - 1]
KEYS = st.integers(0, WORD - 1)


# ---------------------------------------------------------------------------------------------------------------------
# The generator


def test_the_published_values_of_splitmix64() -> None:
    # The first outputs for the seed 1234567, as printed with other implementations of the generator.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [int(dealing.mix(np.uint64(1234567), np.uint64(number))) for number in range(4)] == published


@given(KEYS, KEYS)
def test_mix_equals_the_twin(a: int, b: int) -> None:
    assert int(dealing.mix(np.uint64(a), np.uint64(b))) == reference.mix(a, b)


@given(st.sampled_from(SEEDS) | KEYS, st.integers(0, 2**40) | KEYS)
def test_keys_equal_the_twin(seed: int, number: int) -> None:
    assert int(dealing.deal_key(np.uint64(seed), np.uint64(number))) == reference.deal_key(seed, number)
    game = np.uint64(dealing.game_key(np.uint64(seed), np.uint64(number)))
    for deal in (0, 1, 7):
        assert int(dealing.mix(game, np.uint64(deal))) == reference.game_deal_key(seed, number, deal)


@given(KEYS, st.integers(1, 52))
def test_below_equals_the_twin(key: int, size: int) -> None:
    for purpose, counter in ((1, 0), (1, 256), (2, 1 << 16)):
        drawn = reference.digits(reference.word(key, purpose, counter), [size])
        assert [dealing.below(np.uint64(key), np.uint64(purpose), np.uint64(counter), size)] == drawn


# ---------------------------------------------------------------------------------------------------------------------
# The shuffle


def test_a_deal_is_an_order_of_the_pack() -> None:
    for seed in SEEDS:
        for number in range(50):
            cards = table.deck(reference.deal_key(seed, number), 52)
            assert sorted(cards) == list(range(52))


@pytest.mark.parametrize("seed", SEEDS)
def test_shuffles_equal_the_twin(seed: int) -> None:
    for number in [*range(40), 2**31, 2**32, 2**40]:
        key = reference.deal_key(seed, number)
        assert table.deck(key, 52) == reference.shuffle(seed, number)


@pytest.mark.parametrize("pack", [1, 2, 3, 8, 36, 104])
def test_other_packs_equal_the_twin(pack: int) -> None:
    for key in range(30):
        assert table.deck(key, pack, pack) == reference.shuffle_by_key(key, pack, pack)


@given(KEYS)
def test_a_place_does_not_depend_on_how_many_are_asked(key: int) -> None:
    whole = table.deck(key, 52)
    for places in range(1, 52):
        assert table.deck(key, places) == whole[:places]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cards_reach_the_seats_in_turn(players: int) -> None:
    short, long = table.noddy_game(players), table.game_with({"hand": 4}, players)
    for number in range(100):
        key = reference.deal_key(3, number)
        deck = table.deck(key, 52)
        starter, hands = table.dealt(short, key)
        assert starter == deck[0]
        for seat in range(players):
            assert hands[seat] == sorted(deck[1 + j * players + seat] for j in range(3))
        assert hands == [sorted(hand) for hand in reference.deal(3, number, players)[1]]
        # What is left is the stock: no card of it is in a hand, and the starter comes from it.
        assert len({starter, *itertools.chain(*hands)}) == 1 + 3 * players
        # A longer hand is the shorter one and one more where there are as many players.
        assert table.dealt(long, key)[0] == starter
        for hand, longer in zip(hands, table.dealt(long, key)[1], strict=True):
            assert len(longer) == 4 and set(hand) < set(longer)


def test_a_table_deals_the_same_whatever_it_dealt_before() -> None:
    game = table.noddy_game(4)
    used = new_table()
    for number in range(300):
        deal_cards(game.rules, used, 4, np.uint64(reference.deal_key(8, number)))
    assert list(used.deck) == list(range(52))
    starter, hands = reference.deal(8, 299, 4)
    assert int(used.state[AT_STARTER]) == starter
    assert [unpack(cards) for cards in used.dealt[:4]] == [sorted(hand) for hand in hands]


def test_seeds_numbers_and_games_have_cards_of_their_own() -> None:
    keys = [reference.deal_key(seed, number) for seed in range(8) for number in range(50)]
    keys += [reference.game_deal_key(seed, game, deal) for seed in range(8) for game in range(5) for deal in range(10)]
    # Seeds and numbers that agree in their lower 32 bits are different, too: 2**32 seeds would be too few (fault 37).
    keys += [reference.deal_key(2**32 + 1, 1), reference.deal_key(1, 2**32 + 1), reference.deal_key(2**63 + 1, 1)]
    assert len({tuple(table.deck(key, 52)) for key in keys}) == len(keys)


# ---------------------------------------------------------------------------------------------------------------------
# Refused words. They are so rare that no sample meets one, so keys are made that draw the very words at the edge.


def unshift(z: int, by: int) -> int:
    """The number from which ``x ^ (x >> by)`` made z."""
    x = z
    for _ in range(64 // by):
        x = z ^ (x >> by)
    return x


def key_that_draws(word: int, purpose: int, counter: int) -> int:
    """The key whose word of this purpose and counter has ``word`` in its upper 57 bits: the generator run backwards."""
    z = unshift(word << 7, 31)
    z = unshift(z * pow(0x94D049BB133111EB, -1, WORD) % WORD, 27)
    z = unshift(z * pow(0xBF58476D1CE4E5B9, -1, WORD) % WORD, 30)
    return (z - reference.GAMMA * (((purpose << 32) | counter) + 1)) % WORD


def words_at_the_edge(ways: int) -> tuple[int, int]:
    """A word that must be refused and one that must not, as near to each other's remainder as can be."""
    size = 2**57
    step = math.gcd(ways, size)
    inverse = pow(ways // step, -1, size // step)
    least = size % ways  # remainders below this are refused; all remainders are multiples of `step`
    refused, taken = (least - 1) // step * step, -(-least // step) * step
    return tuple(remainder // step * inverse % (size // step) for remainder in (refused, taken))  # type: ignore[return-value]


Shuffle = Callable[[int, int], list[int]]


def keeps_to_the_edge(shuffle: Shuffle) -> bool:
    """Whether a shuffle (key, places) refuses and takes words at the edge as it must, in every block of the pack."""
    for block in range(8):
        places = range(7 * block, min(7 * block + 7, 52))
        refused, taken = words_at_the_edge(math.prod(52 - place for place in places))
        for word in (refused, taken, 0):
            key = key_that_draws(word, 0, block << 8)
            assert reference.word(key, 0, block << 8) == word
            if shuffle(key, 52) != reference.shuffle_by_key(key, 52, 52):
                return False
    return True


def shuffle_that_takes_every_word(key: int, places: int) -> list[int]:
    """The same shuffle with fault 36: no word is refused, so some orders are a little likelier."""
    deck = list(range(52))
    for place in range(places):
        block, first = place // 7, place // 7 * 7
        x = reference.word(key, 0, block << 8)
        for p in range(first, place + 1):
            x *= 52 - p
            step = x >> 57
            x %= 2**57
        deck[place], deck[place + step] = deck[place + step], deck[place]
    return deck[:places]


def test_words_at_the_edge_are_refused_and_taken() -> None:
    assert keeps_to_the_edge(table.deck)
    # Away from the edge the faulty shuffle is the same, so no sample would tell the two apart.
    assert all(shuffle_that_takes_every_word(key, 52) == table.deck(key, 52) for key in range(50))
    assert not keeps_to_the_edge(shuffle_that_takes_every_word)


@pytest.mark.parametrize("size", [3, 5, 6, 7, 13, 52])
def test_below_refuses_words_at_the_edge(size: int) -> None:
    for word in (*words_at_the_edge(size), 0):
        key = key_that_draws(word, 1, 512)
        first = reference.digits(word, [size])
        drawn = first or reference.digits(reference.word(key, 1, 513), [size])
        assert [dealing.below(np.uint64(key), dealing.CHOICE, np.uint64(512), size)] == drawn
    assert reference.digits(words_at_the_edge(size)[0], [size]) is None


def test_a_remainder_prefers_the_first_cards_and_a_split_word_does_not() -> None:
    # Fault 36: of 32,768 values the remainder by 52 gives the first eight cards 631 and the others 630.
    by_remainder = Counter(value % 52 for value in range(2**15))
    assert [by_remainder[card] for card in range(52)] == [631] * 8 + [630] * 44
    split = Counter(tuple(found) for value in range(2**15) if (found := reference.digits(value, [52], bits=15)))
    assert set(split.values()) == {630} and len(split) == 52


# ---------------------------------------------------------------------------------------------------------------------
# Uniformity


PLACES = 16
PAIRS = [(0, 1), (0, 6), (0, 7), (1, 2), (1, 3), (1, 4), (5, 6), (6, 7), (7, 8), (8, 14), (12, 13), (3, 15)]
NEIGHBOURS = [(0, 0), (0, 1), (1, 1), (6, 7), (7, 0), (13, 0), (12, 12)]


@pytest.fixture(scope="module")
def many() -> np.ndarray:
    """The first places of 40,000 deals."""
    return table.decks(1589, 0, 40_000, PLACES)


def test_every_place_is_uniform(many: np.ndarray) -> None:
    assert min(evenness.of_places(many)) > ALARM
    # The whole pack on fewer deals, and the mean place of each card: 25.5, with a deviation of 15.01 for one deal.
    whole = table.decks(7, 0, 5_000, 52)
    assert min(evenness.of_places(whole)) > ALARM
    mean_places = np.argsort(whole, axis=1).mean(axis=0)
    assert np.abs(mean_places - 25.5).max() < 4.5 * 15.01 / math.sqrt(len(whole))


def test_cards_of_the_first_seat_are_uniform(many: np.ndarray) -> None:
    for players in (2, 3, 4):
        seat = np.concatenate([many[:, 1 + j * players] for j in range(3)])
        assert p_value(np.bincount(seat, minlength=52)) > ALARM


def test_pairs_of_places_are_uniform(many: np.ndarray) -> None:
    assert min(evenness.of_pairs(many, PAIRS)) > ALARM


def test_a_deal_tells_nothing_of_the_next(many: np.ndarray) -> None:
    assert min(evenness.of_neighbours(many, NEIGHBOURS)) > ALARM


def test_a_deal_tells_nothing_of_the_same_deal_of_the_next_seed() -> None:
    first, second = (table.decks(seed, 0, 20_000, 8) for seed in (4, 5))
    for one, other in NEIGHBOURS[:5]:
        assert p_value(evenness.together(first[:, one], second[:, other])) > ALARM


@pytest.mark.parametrize("kind", ["seeds", "keys"])
def test_32_neighbours_share_no_more_cards_than_chance(kind: str) -> None:
    deals = 2_000
    if kind == "seeds":
        starters = np.stack([table.decks(seed, 0, deals, 1)[:, 0] for seed in range(32)])
    else:
        # The keys themselves side by side, as a careless caller might choose them.
        starters = np.array([[table.deck(32 * deal + key, 1)[0] for deal in range(deals)] for key in range(32)])
    pairs = list(itertools.combinations(range(32), 2))
    agree = np.array([(starters[one] == starters[other]).sum() for one, other in pairs])
    # Each pair agrees in deals/52 starters on average: 496 pairs, so five deviations are an alarm.
    deviation = math.sqrt(deals / 52 * 51 / 52)
    assert np.abs(agree - deals / 52).max() < 5 * deviation
    assert abs(agree.sum() - len(pairs) * deals / 52) < 5 * deviation * math.sqrt(len(pairs))
    assert p_value(np.bincount(starters.ravel(), minlength=52)) > ALARM


def repeats(decks: np.ndarray, players: int = 2) -> int:
    """How often the first seat gets the very hand that it had in the deal before."""
    hands = np.sort(decks[:, [1 + j * players for j in range(3)]], axis=1)
    return int((hands[1:] == hands[:-1]).all(axis=1).sum())


def test_a_hand_comes_back_no_oftener_than_chance(many: np.ndarray) -> None:
    # Fault 35: in 1,000 deals 0.045 repeats are to be expected, and two are an alarm.
    for seed in range(3):
        assert repeats(table.decks(seed, 0, 1_000, 7)) < 2
    # In 40,000 deals 1.8; ten or more come by chance once in 20,000.
    assert repeats(many) < 10
    stuck = np.tile(table.decks(1, 0, 1, 7), (1_000, 1))
    assert repeats(stuck) == 999


# --- shuffles with a known fault


def swap_with_any(chance: np.random.Generator, pack: int) -> list[int]:
    """Fault 31: each place swaps with any place at all."""
    deck = list(range(pack))
    for place in range(pack):
        other = int(chance.integers(pack))
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def never_stays(chance: np.random.Generator, pack: int) -> list[int]:
    """Fault 32: each place swaps with a later one, never with itself."""
    deck = list(range(pack))
    for place in range(pack - 1):
        other = int(chance.integers(place + 1, pack))
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def sort_by_coin(chance: np.random.Generator, pack: int) -> list[int]:
    """Fault 33: a sort (by insertion) that tosses a coin at each comparison."""
    deck: list[int] = []
    for card in range(pack):
        place = len(deck)
        while place and chance.random() < 0.5:
            place -= 1
        deck.insert(place, card)
    return deck


def weighted_draw(chance: np.random.Generator, pack: int) -> list[int]:
    """Fault 36, made large: each step is a remainder of one of a hundred values."""
    deck = list(range(pack))
    for place in range(pack):
        other = place + int(chance.integers(100)) % (pack - place)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


FAULTY = [swap_with_any, never_stays, sort_by_coin, weighted_draw]


def faulty_decks(shuffle: Callable[[np.random.Generator, int], list[int]], deals: int, pack: int = 52) -> np.ndarray:
    chance = np.random.default_rng(5)
    return np.array([shuffle(chance, pack) for _ in range(deals)])


@pytest.mark.parametrize("shuffle", FAULTY, ids=lambda shuffle: shuffle.__name__)
def test_the_check_of_places_finds_a_faulty_shuffle(shuffle: Callable[[np.random.Generator, int], list[int]]) -> None:
    assert min(evenness.of_places(faulty_decks(shuffle, 2_000))) < ALARM


def orders_of_three(decks: np.ndarray) -> np.ndarray:
    """How often each of the six orders of three cards came."""
    met = Counter(map(tuple, decks.tolist()))
    return np.array([met[order] for order in itertools.permutations(range(3))])


def test_three_cards_come_in_six_orders_alike() -> None:
    deals = 9_000
    fair = np.array([table.deck(reference.deal_key(2, number), 3, 3) for number in range(deals)])
    assert p_value(orders_of_three(fair)) > ALARM
    # Fault 31 makes them 4, 5, 5, 5, 4, 4 of 27; fault 32 makes only two of them; fault 33 favours some.
    any_place = orders_of_three(faulty_decks(swap_with_any, deals, 3))
    assert p_value(any_place) < ALARM
    assert np.abs(any_place - deals * np.array([4, 5, 5, 5, 4, 4]) / 27).max() < 4.5 * math.sqrt(deals * 5 / 27)
    assert (orders_of_three(faulty_decks(never_stays, deals, 3)) > 0).sum() == 2
    assert p_value(orders_of_three(faulty_decks(sort_by_coin, deals, 3))) < ALARM


def test_the_checks_of_pairs_and_neighbours_find_their_faults(many: np.ndarray) -> None:
    # The fourth card a fixed step above the third; and each deal the one before it, cards moved up by one.
    tied = many.copy()
    tied[:20_000, 4] = (tied[:20_000, 3] + 7) % 52
    assert min(evenness.of_places(tied)) > ALARM
    assert min(evenness.of_pairs(tied, [(3, 4)])) < ALARM
    echo = many.copy()
    echo[1::2] = (echo[0:-1:2] + 1) % 52
    assert min(evenness.of_neighbours(echo, [(0, 0)])) < ALARM


# ---------------------------------------------------------------------------------------------------------------------
# The cut for deal


def cut_as_told(key: int, players: int) -> list[dict[int, int]]:
    """The cut in plain words: the rounds, each with the card that every player still in it drew."""
    rounds: list[dict[int, int]] = []
    still_in = list(range(players))
    while len(still_in) > 1:
        pack = list(range(52))
        drawn: dict[int, int] = {}
        for j, player in enumerate(still_in):
            other = j + draw_of_cut(key, len(rounds), j)
            pack[j], pack[other] = pack[other], pack[j]
            drawn[player] = pack[j]
        rounds.append(drawn)
        lowest = min(map(reference.rank, drawn.values()))
        still_in = [player for player in still_in if reference.rank(drawn[player]) == lowest]
    return rounds


def draw_of_cut(key: int, turn: int, j: int) -> int:
    """The step of draw j (of 52 - j cards) in a round; purpose 2 belongs to the cut."""
    attempt = 0
    while (found := reference.digits(reference.word(key, 2, (turn << 16) | (j << 8) | attempt), [52 - j])) is None:
        attempt += 1
    return found[0]


def cut(key: int, players: int) -> tuple[int, list[int]]:
    """Who deals by the kernel, and the last card that each player drew."""
    drawn = np.full(players, -1)
    return int(cut_for_deal(np.uint64(key), players, drawn)), drawn.tolist()


CUTS = 3_000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cut_for_deal(players: int) -> None:
    dealt, tied = [0] * players, 0
    for key in range(CUTS):
        dealer, drawn = cut(key, players)
        rounds = cut_as_told(key, players)
        assert drawn == [[cards[player] for cards in rounds if player in cards][-1] for player in range(players)]
        # Nobody draws a card that another holds; the lowest rank of the last round deals, and is there once.
        assert all(len(set(cards.values())) == len(cards) for cards in rounds)
        ranks = {player: reference.rank(card) for player, card in rounds[-1].items()}
        assert [player for player in ranks if ranks[player] == min(ranks.values())] == [dealer]
        dealt[dealer] += 1
        tied += len(rounds) > 1
    assert p_value(np.array(dealt)) > ALARM
    # Two players tie in 3 of 51 cuts; more players more often (deviation 13).
    assert abs(tied - CUTS * 3 / 51) < 4.5 * 13 if players == 2 else tied > CUTS * 3 / 51


def test_any_lower_rank_deals() -> None:
    # Fault 27: ace beats two, nine beats ten, ten beats jack, queen beats king; texts of ranks are never compared.
    met: dict[tuple[int, int], set[bool]] = {}
    by_text = 0
    for key in range(CUTS):
        dealer, drawn = cut(key, 2)
        if len(cut_as_told(key, 2)) == 1:
            lower, higher = sorted(map(reference.rank, drawn))
            met.setdefault((lower, higher), set()).add(reference.rank(drawn[dealer]) == lower)
            texts = [reference.RANK_LETTERS[reference.rank(card)] for card in drawn]
            by_text += texts.index(min(texts)) != dealer
    assert set(met) == set(itertools.combinations(range(13), 2))
    assert all(lower_deals == {True} for lower_deals in met.values())
    assert by_text > 0


def test_a_cut_equal_in_rank_is_cut_again_by_the_equal_only() -> None:
    key = next(key for key in itertools.count() if len(cut_as_told(key, 3)) == 3)
    rounds = cut_as_told(key, 3)
    dealer, drawn = cut(key, 3)
    again = set(rounds[1])
    assert dealer in again
    assert all(drawn[player] == rounds[0][player] for player in range(3) if player not in again)


def test_a_cut_shares_no_word_with_the_shuffle() -> None:
    # The first card drawn and the starter of the same key agree as often as two packs do: 1 in 52 (deviation 7.5).
    agree = sum(cut(key, 2)[1][0] == table.deck(key, 1)[0] for key in range(CUTS))
    assert abs(agree - CUTS / 52) < 4.5 * 7.5


def test_32_000_deal_numbers_are_32_000_different_whole_shuffles() -> None:
    decks = table.decks(11, 0, 32_000, 52)
    assert len(np.unique(decks, axis=0)) == 32_000
    assert (np.sort(decks, axis=1) == np.arange(52)).all()
    # Fault 37: a seed of 14 bits for each deal would give no more than 16,384 of them.
    assert len(np.unique(decks[np.arange(32_000) % 2**14], axis=0)) == 2**14
