"""The slow twin held against the worked examples, the exact values and the laws of dealing.

Everything else is held against the twin, so it is held here against sources that neither it nor the package made.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import bugs_cases
import pytest
import reference
import reference_points
from bugs_cases import NODDY, ChoiceCase, DealCase, LegalCase, PlayCase, SequenceCase, ShowCase, rules_with

TRUTH = Path(__file__).parent / "golden" / "truth"
RANDOM = {"levels": [{"when": "any", "weights": {}, "final": "random"}], "ties": "low"}
LOW: dict[str, Any] = {"levels": [], "ties": "low"}
HIGH: dict[str, Any] = {"levels": [], "ties": "high"}
GREEDY = {"levels": [{"weights": {"points": 1}}], "ties": "low"}
GREEDY_HIGH = {"levels": [{"weights": {"points": 1}}], "ties": "high"}
SAVE_FIVE = {"levels": [{"ranks": {"5": -1}}], "ties": "low"}
GREEDY_RANDOM = {"levels": [{"weights": {"points": 1}}], "ties": "random"}
LOOKAHEAD = {"levels": [{"weights": {"points": 1, "reply": -1}}], "ties": "low"}
BY_NAME = {
    "random": RANDOM,
    "low": LOW,
    "high": HIGH,
    "greedy": GREEDY,
    "greedy-high": GREEDY_HIGH,
    "save-five": SAVE_FIVE,
}


def rows(name: str) -> list[dict[str, str]]:
    with (TRUTH / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def of_ranks(text: str, taken: Sequence[int] = ()) -> list[int]:
    """Cards of the ranks named, with suits found for them that are not taken."""
    cards: list[int] = []
    for letter in text.split():
        rank = reference.RANK_LETTERS.index(letter)
        cards.append(next(4 * rank + suit for suit in range(4) if 4 * rank + suit not in [*cards, *taken]))
    return cards


def letters(cards: Sequence[int]) -> str:
    return " ".join(reference.RANK_LETTERS[reference.rank(card)] for card in cards)


# ---------------------------------------------------------------------------------------------------------------------
# Worked examples


@pytest.mark.parametrize("case", bugs_cases.SHOW_CASES, ids=lambda case: case.id)
def test_show_case(case: ShowCase) -> None:
    hand, starter = reference.read_cards(case.hand), reference.read_card(case.starter)
    counted = reference.show(hand, starter, rules_with(case.rules))
    assert counted["total"] == case.total
    if case.parts is not None:
        assert tuple(counted[kind] for kind in reference.SHOW_KINDS) == (*case.parts, 0, 0)


@pytest.mark.parametrize("case", bugs_cases.PLAY_CASES, ids=lambda case: case.id)
def test_play_case(case: PlayCase) -> None:
    result = reference.play_in_order(reference.read_hands(case.hands), rules_with(case.rules), case.start, case.target)
    assert tuple(event.total for event in result.events) == case.points
    assert tuple(result.gains) == case.gain
    assert result.winner == case.winner
    assert result.stopped == (case.winner is not None)
    if case.seats is not None:
        assert tuple(event.seat for event in result.events) == case.seats


@pytest.mark.parametrize("case", bugs_cases.SEQUENCE_CASES, ids=lambda case: case.id)
def test_sequence_case(case: SequenceCase) -> None:
    rules = rules_with(case.rules)
    pile: list[int] = []
    lookback: list[int] = []
    points = []
    laid: list[int] = []
    for word in case.cards.split():
        if word == "|":
            pile = []
            lookback = lookback if rules["play"]["combo_scope"] == "deal" else []
            continue
        card = of_ranks(word, laid)[0]
        points.append(sum(reference.card_points(pile, card, rules, lookback).values()))
        pile, lookback, laid = [*pile, card], [*lookback, card], [*laid, card]
    assert tuple(points) == case.points


@pytest.mark.parametrize("case", bugs_cases.LEGAL_CASES, ids=lambda case: case.id)
def test_legal_case(case: LegalCase) -> None:
    table = reference.Table([of_ranks(case.hand), []], NODDY)
    table.pile = of_ranks(case.pile)
    assert letters(table.legal(0)) == case.legal


@pytest.mark.parametrize("case", bugs_cases.CHOICE_CASES, ids=lambda case: case.id)
def test_choice_case(case: ChoiceCase) -> None:
    held, starter = reference.read_cards(case.hand), reference.read_card(case.starter)
    earlier = reference.read_cards(case.earlier)
    pile = of_ranks(case.pile, [*held, starter, *earlier])
    turn = reference.Turn(held, pile, pile, [starter, *earlier, *pile])
    assert letters([reference.choose(case.strategy, turn, NODDY)]) == case.lays


@pytest.mark.parametrize("case", bugs_cases.DEAL_CASES, ids=lambda case: case.id)
def test_deal_case(case: DealCase) -> None:
    hands, starter = reference.read_hands(case.hands), reference.read_card(case.starter)
    board = reference.Board(list(case.before), case.target)
    result = reference.play_deal_with(hands, starter, rules_with(case.rules), board, reference.in_order(hands))
    assert (tuple(result.scores), result.winner, result.phase) == (case.after, case.winner, case.phase)
    gained = [after - before for after, before in zip(case.after, case.before, strict=True)]
    assert [sum(points.values()) for points in result.points] == gained


def test_every_noddy_row_of_the_worked_examples_is_a_case() -> None:
    shown = {case.id: case for case in bugs_cases.SHOW_CASES}
    for row in rows("show_examples.csv"):
        if row["what"] == "hand":
            case = shown[row["id"]]
            parts = tuple(int(row[kind]) for kind in reference.SHOW_KINDS[:5])
            assert (case.hand, case.starter, case.parts, case.total) == (
                row["hand"], row["starter"], parts, int(row["total"]),
            )  # fmt: skip
    laid = {one.id: one for one in bugs_cases.PLAY_CASES}
    for row in rows("play_examples.csv"):
        play_case = laid[row["id"]]
        points = tuple(int(number) for number in row["points"].split(","))
        gain = tuple(int(number) for number in row["gain"].split("/"))
        start = tuple(int(number) for number in row["start"].split("-")) if row["start"] else None
        target = int(row["target"]) if row["target"] else None
        assert (play_case.hands, play_case.points, play_case.gain) == (row["hands"], points, gain)
        assert (play_case.start, play_case.target) == (start, target)


def test_an_order_that_hides_a_card_that_fits_is_refused() -> None:
    # At 29 the dealer's next card would be the nine; he must lay the two, which fits.
    with pytest.raises(ValueError, match="may not lay"):
        reference.play_in_order(reference.read_hands("Th 9c Ad / Kc 9d 2c"), NODDY)
    assert gains({}, "Th 9c Ad / Kc 2c 9d") == [0, 3]


def test_a_card_over_the_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="pass the limit"):
        reference.card_points(of_ranks("T T 5"), reference.read_card("7h"), NODDY)


def test_a_weight_finer_than_a_millionth_is_refused() -> None:
    assert reference.millionths("-0.000001") == -1
    with pytest.raises(ValueError, match="six places"):
        reference.millionths("0.0000001")


# ---------------------------------------------------------------------------------------------------------------------
# Exact values


def all_hands_of_ranks(text: str) -> Iterator[tuple[int, ...]]:
    """Every hand of three cards with these ranks."""
    wanted = Counter(reference.RANK_LETTERS.index(letter) for letter in text.split("-"))
    choices = [itertools.combinations(range(4 * rank, 4 * rank + 4), number) for rank, number in wanted.items()]
    for choice in itertools.product(*choices):
        yield tuple(itertools.chain.from_iterable(choice))


EXPECTED = rows("noddy_3_expected_by_hand.csv")
# Every 25th row from the best to the worst, and the hands that advice is about.
SAMPLE = {row["ranks"]: row for row in EXPECTED[::25]} | {
    row["ranks"]: row for row in EXPECTED if row["ranks"] in ("7-7-8", "5-9-9", "5-5-J", "4-5-6", "J-Q-K")
}


def test_sample_of_rank_hands_is_large() -> None:
    assert len(EXPECTED) == 455
    assert len(SAMPLE) >= 20
    exact = json.loads((TRUTH / "exact_truths.json").read_text(encoding="utf-8"))
    assert SAMPLE["7-7-8"]["mean_fraction"] == exact["tip_7_7_8"]["mean"] == "380/49"
    assert SAMPLE["5-9-9"]["mean_fraction"] == exact["tip_9_9_5"]["mean"] == "176/49"


@pytest.mark.parametrize("ranks", SAMPLE)
def test_mean_show_of_a_rank_hand(ranks: str) -> None:
    totals = []
    for hand in all_hands_of_ranks(ranks):
        totals += [reference.show(hand, starter, NODDY)["total"] for starter in range(52) if starter not in hand]
    row = SAMPLE[ranks]
    assert len(totals) == 49 * int(row["physical_hands"])
    mean = Fraction(sum(totals), len(totals))
    assert mean == Fraction(row["mean_fraction"])
    variance = Fraction(sum(total * total for total in totals), len(totals)) - mean**2
    assert float(variance) == pytest.approx(float(row["variance"]), abs=1e-7)


def test_shows_of_random_deals_follow_the_exact_distribution() -> None:
    truth = {
        int(row["points"]): Fraction(int(row["hands"]), int(row["of"])) for row in rows("dist_noddy_3_plus_starter.csv")
    }
    assert sum(truth.values()) == 1
    deals = 4000
    found: Counter[int] = Counter()
    for number in range(deals):
        starter, hands = reference.deal(11, number, 2)
        found[reference.show(hands[0], starter, NODDY)["total"]] += 1
    assert not [points for points in found if truth[points] == 0]
    # Chi-square with the rare totals put together: 8 degrees of freedom, and 26.1 is passed once in a thousand times.
    groups = [[0], [1], [2], [3], [4], [5], [6], [7, 8], [points for points in truth if points > 8]]
    chi_square = 0.0
    for group in groups:
        expected = deals * float(sum(truth[points] for points in group))
        chi_square += (sum(found[points] for points in group) - expected) ** 2 / expected
    assert chi_square < 26.1


def mean_play(strategies: Sequence[Mapping[str, Any]], deals: int, seed: int) -> list[tuple[float, float]]:
    """Mean and standard error of the points of each seat in the play."""
    gains = []
    for number in range(deals):
        starter, hands = reference.deal(seed, number, len(strategies))
        gains.append(reference.play(hands, starter, NODDY, strategies, reference.deal_key(seed, number)).gains)
    result = []
    for seat in range(len(strategies)):
        column = [gain[seat] for gain in gains]
        mean = sum(column) / deals
        variance = sum((number - mean) ** 2 for number in column) / (deals - 1)
        result.append((mean, math.sqrt(variance / deals)))
    return result


@pytest.mark.parametrize(
    "pair",
    [("random", "random"), ("low", "high"), ("greedy", "greedy"), ("greedy-high", "save-five"), ("save-five", "low")],
    ids="-".join,
)
def test_mean_play_is_near_the_exact_mean(pair: tuple[str, str]) -> None:
    truth = next(row for row in rows("noddy_play_exact.csv") if (row["pone"], row["dealer"]) == pair)
    (pone, pone_error), (dealer, dealer_error) = mean_play([BY_NAME[name] for name in pair], 800, seed=5)
    assert abs(pone - float(truth["pone_points"])) < 4 * pone_error
    assert abs(dealer - float(truth["dealer_points"])) < 4 * dealer_error


def test_mean_play_of_three_is_near_the_exact_mean() -> None:
    # Greedy in every seat, all deals counted: the truth folder's README.
    exact = (1.144952394, 2.103153289, 3.090107277)
    for (mean, error), truth in zip(mean_play([GREEDY] * 3, 600, seed=6), exact, strict=True):
        assert abs(mean - truth) < 4 * error


# ---------------------------------------------------------------------------------------------------------------------
# Shuffling and dealing


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


# ---------------------------------------------------------------------------------------------------------------------
# Strategies, duplicates and games


def test_levels_for_leads_and_a_final_level_shut_out_the_rest() -> None:
    held = reference.read_cards("2h 7c Kd")
    on_top = {"levels": [{"when": "lead", "weights": {}, "final": "high"}, {"weights": {"rank": -1}}], "ties": "high"}
    lead = reference.Turn(held, [], [], [0])
    follow = reference.Turn(held, of_ranks("9"), of_ranks("9"), [0, *of_ranks("9")])
    assert letters([reference.choose(on_top, lead, NODDY)]) == "K"
    assert letters([reference.choose(on_top, follow, NODDY)]) == "2"


def test_reply_is_a_mean_compared_in_whole_numbers() -> None:
    # Fifteen ten-cards are unseen, the king being held, and three of each rank held.
    held = reference.read_cards("5h 9d Kc")
    turn = reference.Turn(held, [], [], reference.read_cards("2s"))
    unseen = [card for card in range(52) if card not in [*held, *turn.known]]
    five, nine, king = held
    assert len(unseen) == 48
    assert reference.reply_sum("reply", five, unseen, turn, NODDY) == 2 * (15 + 3)
    assert reference.reply_sum("reply_fifteen", five, unseen, turn, NODDY) == 2 * 15
    assert reference.reply_sum("reply", nine, unseen, turn, NODDY) == 2 * (3 + 4)
    assert reference.reply_sum("reply", king, unseen, turn, NODDY) == 2 * (3 + 3)
    # The king is better than the nine by 2/48 of a point; 0.041666 a card of rank more than that is too little to
    # see in the sixth place, 0.041667 is enough.
    for bonus, lays in (("0.041666", "K"), ("0.041667", "9")):
        strategy = {"levels": [{"weights": {"reply": -1}, "ranks": {"9": bonus}}], "ties": "low"}
        assert letters([reference.choose(strategy, turn, NODDY)]) == lays


@pytest.mark.parametrize("strategy", [RANDOM, GREEDY_RANDOM, LOW], ids=["random", "greedy-random", "low"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_strategy_is_worth_nothing_against_itself(strategy: Mapping[str, Any], players: int) -> None:
    for number in range(25):
        result = reference.duplicate(4, number, strategy, strategy, strategy, NODDY, players)
        assert (result.value, result.changed, set(result.seats)) == (0, 0, {0})
        assert result.decisions > 0


def test_duplicates_of_greedy_and_low_are_near_the_exact_worth() -> None:
    deals = 300
    values = [reference.duplicate(1, number, GREEDY, LOW, LOW, NODDY, 2).value / 2 for number in range(deals)]
    mean = sum(values) / deals
    error = math.sqrt(sum((value - mean) ** 2 for value in values) / (deals - 1) / deals)
    assert abs(mean - 0.3213848846) < 4 * error


def test_decisions_that_change_the_card() -> None:
    # Highest card instead of the lowest: every decision changes the card, and a hand of one rank holds none.
    for number in range(50):
        result = reference.duplicate(6, number, HIGH, LOW, GREEDY, NODDY, 3)
        assert result.changed == result.decisions > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_add_up(players: int) -> None:
    rules = rules_with({"head_start": {"eldest": 2, "dealer": 1}})
    for number in range(40):
        game = reference.play_game(3, number, players, rules, [GREEDY_RANDOM] * players)
        start = [2, *[0] * (players - 2), 1]
        assert game.scores == [s + sum(points.values()) for s, points in zip(start, game.points, strict=True)]
        assert game.scores[game.winner] >= 31
        assert all(score < 31 for person, score in enumerate(game.scores) if person != game.winner)
        assert game.dealers == [(players - 1 + turn) % players for turn in range(game.deals)]
        assert (game.deals - 1) * 3 * players <= game.cards <= game.deals * 3 * players


def test_who_deals_next() -> None:
    for way, dealers in {"left": 0, "right": 2, "same": 3, "lowest": 1, "highest": 0}.items():
        assert reference.next_dealer({"next_dealer": way}, 3, [9, 4, 9, 4]) == dealers
    # Of equals the first to the left of the old dealer, who comes last himself.
    assert reference.next_dealer({"next_dealer": "lowest"}, 1, [4, 4, 9, 4]) == 3
    assert reference.next_dealer({"next_dealer": "lowest"}, 1, [9, 4, 9, 9]) == 1


def test_the_first_dealer_of_a_game_wins_as_often_as_counted() -> None:
    # Greedy against greedy to 31: the first dealer wins 0.5275470017 of all games, exactly.
    games = 300
    won = sum(reference.play_game(21, number, 2, NODDY, [GREEDY, GREEDY]).winner for number in range(games))
    assert abs(won / games - 0.5275470017) < 4 * math.sqrt(0.25 / games)


@pytest.mark.parametrize("ahead", [0, 3])
def test_lead_changes(ahead: int) -> None:
    # Each change of the sole leader is found again from the awards of the deals themselves.
    rules = rules_with({"target": 21, "next_dealer": "same", "head_start": {"eldest": ahead}})
    for number in range(30):
        game = reference.play_game(9, number, 2, rules, [LOW, LOW])
        scores, leaders = [ahead, 0], [0] if ahead else []
        for turn in range(game.deals):
            key = reference.game_deal_key(9, number, turn)
            starter, hands = reference.deal_by_key(key, 2, 3)
            result = reference.play_deal(hands, starter, rules, [LOW, LOW], key, scores, 21)
            for award in result.awards:
                scores[award.seat] += sum(award.points.values())
                if scores[0] != scores[1]:
                    leaders.append(scores.index(max(scores)))
        assert scores == game.scores
        assert game.lead_changes == sum(a != b for a, b in itertools.pairwise(leaders))


# ---------------------------------------------------------------------------------------------------------------------
# Settings that meet each other


def gains(differences: Mapping[str, Any], hands: str) -> list[int]:
    return reference.play_in_order(reference.read_hands(hands), rules_with(differences)).gains


def test_a_go_inside_a_pile_is_not_one_that_closes_it() -> None:
    # Pairs reach over a closed pile (deal) but not over a go: T Q K closes at 30 with nobody able to add, so no go is
    # said inside the pile and the king led next pairs the king below it.
    play = {"combo_scope": "deal", "go_breaks": True}
    assert gains({"play": play}, "Th Kd 3c / Qs Kc 9h") == [1, 3]


def seats_of(differences: Mapping[str, Any], hands: str) -> list[int]:
    events = reference.play_in_order(reference.read_hands(hands), rules_with(differences)).events
    return [event.seat for event in events]


def test_a_pile_closed_at_the_limit_follows_its_first_go() -> None:
    # T K 6 make 26; the eldest cannot add his nine (go), the second makes 31 with a five. The dealer leads the next
    # pile, or the eldest, who said go.
    hands = "Th 9h 9s / Kc 5d 8h / 6s 9c 9d"
    assert seats_of({}, hands) == [0, 1, 2, 1, 2, 0, 1, 2, 0]
    assert seats_of({"play": {"next_lead": "first_go"}}, hands) == [0, 1, 2, 1, 0, 1, 2, 0, 2]


def test_a_run_list_goes_on_by_one_a_card() -> None:
    assert [reference.length_points([2, 4, 5], length) for length in range(3, 8)] == [2, 4, 5, 6, 7]
    assert [reference.length_points("length", length) for length in range(3, 8)] == [3, 4, 5, 6, 7]


# ---------------------------------------------------------------------------------------------------------------------
# The other games of the family, as their rules are written in the rule sheet

CRIBBAGE = rules_with({
    "hand": 4, "target": 121, "partners": True, "crib": True,
    "discard": {"two": 2, "three": 1, "four": 1}, "deal_to_crib": {"two": 0, "three": 1, "four": 0},
    "turned": [{"rank": "J", "to": "dealer", "points": 2}],
    "skunk": [{"below": 91, "games": 2}, {"below": 61, "games": 3}],
    "show": {"crib_flush": "five"},
})  # fmt: skip
CRIBBAGE_FIVE = rules_with({
    "players": [2], "target": 61, "crib": True, "discard": {"two": 2}, "three_for_last": "first_deal",
    "turned": [{"rank": "J", "to": "dealer", "points": 2}], "play": {"piles": "single"}, "show": {"crib_flush": "five"},
})  # fmt: skip
NODDY_FOUR = rules_with({"hand": 4, "show": {"hand_flush": "subset"}})
A_CARD = {"fifteen": "per_card", "twentyfive": "per_card", "thirtyone": "per_card", "same_rank": [2, 9, 18]}
COSTLY = rules_with({
    "players": [2], "target": 61, "mog": {"exchange": "opponent", "first": "elder", "refusal": 1, "bonus": "giver"},
    "turned": [{"rank": rank, "to": "dealer", "points": 4} for rank in ("J", "2")],
    "play": {**A_CARD, "piles": "single", "run": "length"},
    "show": {
        **A_CARD, "run": "off", "hand_flush": "off", "nob": 0, "colours": [2, 3, 4, 5, 6],
        "jacks_deuces": [{"rank": rank, "points": 2, "suited": 4} for rank in ("J", "2")],
    },
})  # fmt: skip
OF_VARIANT = {
    "noddy": NODDY, "noddy-four": NODDY_FOUR, "cribbage-five": CRIBBAGE_FIVE, "cribbage": CRIBBAGE,
    "costly-colours": COSTLY,
}  # fmt: skip


def changed(rules: Mapping[str, Any], **differences: Any) -> dict[str, Any]:
    """The rules with some values changed; ``play``, ``show`` and ``mog`` may be given in part."""
    return {
        **rules,
        **{key: {**rules[key], **value} if key in ("play", "show", "mog") else value
           for key, value in differences.items()},
    }  # fmt: skip


def test_rules_that_leave_out_what_is_not_played_are_enough() -> None:
    new = ("partners", "discard", "deal_to_crib", "crib", "mog", "three_for_last", "skunk")
    bare = {key: value for key, value in NODDY.items() if key not in new}
    bare["play"] = {key: value for key, value in NODDY["play"].items() if key != "flush"}
    bare["show"] = {
        key: value for key, value in NODDY["show"].items() if key not in ("crib_flush", "jacks_deuces", "colours")
    }
    for players in (2, 3, 4):
        games = [reference.play_game(5, 1, players, rules, [GREEDY] * players) for rules in (NODDY, bare)]
        assert games[0] == games[1]
        duels = [reference.duplicate(5, 1, GREEDY, LOW, HIGH, rules, players) for rules in (NODDY, bare)]
        assert duels[0] == duels[1]


@pytest.mark.parametrize("row", rows("show_examples.csv"), ids=lambda row: row["id"])
def test_every_worked_show(row: dict[str, str]) -> None:
    count = reference.show if row["what"] == "hand" else reference.show_crib
    counted = count(reference.read_cards(row["hand"]), reference.read_card(row["starter"]), OF_VARIANT[row["variant"]])
    expected = {kind: int(row.get(kind, 0)) for kind in (*reference.SHOW_KINDS, "total")}
    assert counted == expected


@pytest.mark.parametrize("row", rows("costly_show_examples.csv"), ids=lambda row: row["id"])
def test_every_worked_show_of_costly_colours(row: dict[str, str]) -> None:
    counted = reference.show(reference.read_cards(row["hand"]), reference.read_card(row["starter"]), COSTLY)
    found = [counted[kind] for kind in ("fifteens", "pairs", "jacks_deuces", "colours", "total")]
    assert found == [int(row[column]) for column in ("sums", "pairs", "jacks_deuces", "colours", "total")]
    assert counted["runs"] == counted["flush"] == counted["nob"] == 0


@pytest.mark.parametrize("row", rows("play_examples.csv"), ids=lambda row: row["id"])
def test_every_worked_play(row: dict[str, str]) -> None:
    hands, players = reference.read_hands(row["hands"]), row["hands"].count("/") + 1
    # The gains of the examples are each player's own, so nobody has a partner here.
    rules = changed(OF_VARIANT[row["variant"]], partners=False)
    start = [int(score) for score in row["start"].split("-")] if row["start"] else [0] * players
    target = int(row["target"]) if row["target"] else None
    result = reference.play_in_order(hands, rules, start, target)
    assert [event.total for event in result.events] == [int(points) for points in row["points"].split(",")]
    assert result.gains == [int(gain) for gain in row["gain"].split("/")]


def test_partners_share_what_they_peg() -> None:
    # C6-P10, whose remark gives the sides: 8 and 6.
    hands = next(row["hands"] for row in rows("play_examples.csv") if row["id"] == "C6-P10")
    assert reference.play_in_order(reference.read_hands(hands), CRIBBAGE).gains == [8, 6]


CRIBS = [  # crib, starter, as a crib, as a hand: part A of the faults seen in the field
    ("2h 4h 9h Kh", "8s", 2, 6),
    ("2h 4h 9h Kh", "8h", 7, 7),
    ("9s 8s 7s 6s", "5h", 9, 13),
    ("8d 7d 6d 5d", "4d", 14, 14),
    ("As 2d 3h Js", "4s", 9, 9),
    ("5c 5d 5h Js", "5s", 29, 29),
]


@pytest.mark.parametrize(("cards", "starter", "as_crib", "as_hand"), CRIBS)
def test_a_crib_has_a_flush_of_its_own(cards: str, starter: str, as_crib: int, as_hand: int) -> None:
    crib, turned = reference.read_cards(cards), reference.read_card(starter)
    older = changed(CRIBBAGE, show={"crib_flush": "four_or_five"})
    none = changed(CRIBBAGE, show={"crib_flush": "off"})
    assert reference.show_crib(crib, turned, CRIBBAGE)["total"] == as_crib
    assert reference.show(crib, turned, CRIBBAGE)["total"] == as_hand
    assert reference.show_crib(crib, turned, older)["total"] == as_hand
    assert reference.show_crib(crib, turned, none)["flush"] == 0


COLOURS = [
    ("3h 9h Kh", "5h", 6), ("3h 9h Kh", "5d", 5), ("3h 9h Kd", "5d", 4), ("3h 9h Kh", "5s", 3), ("3h 9h Kc", "5h", 3),
    ("3h 9h Kd", "5s", 2), ("3h 9d Ks", "5h", 2), ("3h 9h Kc", "5c", 0), ("3h 9d Kc", "5s", 0), ("3c 9c Ks", "5s", 4),
    ("3c 9c Kc", "5s", 5), ("3c 9s Kd", "5s", 2), ("3s 9s Kd", "5s", 3), ("3s 9s Ks", "5s", 6),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "starter", "points"), COLOURS)
def test_only_the_best_colours_count(hand: str, starter: str, points: int) -> None:
    cards, turned = reference.read_cards(hand), reference.read_card(starter)
    assert reference.show(cards, turned, COSTLY)["colours"] == points
    assert reference.show(cards, turned, NODDY)["colours"] == 0


def test_the_greatest_show_of_costly_colours() -> None:
    # Three jacks, one of the turned suit, with a five: sums 6 + 9, prial 9, jacks 4 + 2 + 2, three of a colour 2.
    counted = reference.show(reference.read_cards("Jh Jd Jc"), reference.read_card("5h"), COSTLY)
    assert counted == {
        "fifteens": 15, "pairs": 9, "runs": 0, "flush": 0, "nob": 0, "jacks_deuces": 8, "colours": 2, "total": 34,
    }  # fmt: skip


def test_jacks_and_deuces_are_for_cards_in_hand() -> None:
    hand, starter = reference.read_cards("2h 2d 9c"), reference.read_card("Jh")
    assert reference.show(hand, starter, COSTLY)["jacks_deuces"] == 4 + 2
    plain = changed(COSTLY, show={"jacks_deuces": [{"rank": "J", "points": 2, "suited": 4}]})
    assert reference.show(hand, starter, plain)["jacks_deuces"] == 0
    assert reference.show_crib(hand, starter, COSTLY)["total"] == reference.show(hand, starter, COSTLY)["pairs"]


@pytest.mark.parametrize(
    ("differences", "cards", "points"),
    [
        ({"play": {"flush": "length"}}, "2h 9h Kh 4h 5c", (0, 0, 3, 4, 0)),
        ({"play": {"flush": "length"}}, "2c 9h 3h 7h", (0, 0, 0, 3)),
        ({"play": {"flush": [1, 5]}}, "2h 8h Kh 4h 6h", (0, 0, 1, 5, 6)),
        ({"play": {"flush": "length"}}, "4h 2h 3h", (0, 0, 6)),
        ({"play": {"flush": "off"}}, "2h 9h Kh", (0, 0, 0)),
        ({}, "2h 9h Kh", (0, 0, 0)),
        ({"play": {"run": "off"}}, "4h 2c 3h", (0, 0, 0)),
    ],
)
def test_flushes_in_the_play(differences: Mapping[str, Any], cards: str, points: tuple[int, ...]) -> None:
    rules = rules_with(differences)
    pile: list[int] = []
    found = []
    for card in reference.read_cards(cards):
        found.append(sum(reference.card_points(pile, card, rules).values()))
        pile.append(card)
    assert tuple(found) == points


@pytest.mark.parametrize(("go_breaks", "points"), [(False, (0, 0, 0, 4)), (True, (0, 0, 0, 1))])
def test_a_go_may_break_a_flush(go_breaks: bool, points: tuple[int, ...]) -> None:
    # J 9 and 8 are 27; the dealer cannot add, the eldest goes on with a heart of his own: three hearts and the last.
    rules = rules_with({"play": {"flush": "length", "go_breaks": go_breaks}})
    events = reference.play_in_order(reference.read_hands("Jc 8h 3h / 9h Kd Qd"), rules).events[:4]
    assert tuple(event.total for event in events) == points


# ---------------------------------------------------------------------------------------------------------------------
# Exact values of the family


SHOWS = [  # rules, cards in hand, whether it is a crib, exact mean, totals that never come
    ("cribbage hand", CRIBBAGE, 4, False, 4.769152, {19, 25, 26, 27}),
    ("cribbage crib", CRIBBAGE, 4, True, 4.734819, {19, 25, 26, 27}),
    ("noddy-four", NODDY_FOUR, 4, False, 5.297892, set()),
    ("groves", changed(NODDY_FOUR, show={"hand_flush": "groves"}), 4, False, 5.263558, set()),
    ("five-card hand", CRIBBAGE_FIVE, 3, False, 2.592350, {16, 17, 18, 19}),
    ("costly", COSTLY, 3, False, 6.059765, {1, 29, 31, 33}),
]


@pytest.mark.parametrize(
    ("rules", "number", "is_crib", "mean", "never"), [case[1:] for case in SHOWS], ids=[case[0] for case in SHOWS]
)
def test_shows_of_random_hands_have_the_exact_mean(
    rules: Mapping[str, Any], number: int, is_crib: bool, mean: float, never: set[int]
) -> None:
    totals = []
    for deal_number in range(4000):
        starter, *hand = reference.shuffle(77, deal_number, places=1 + number)
        count = reference.show_crib if is_crib else reference.show
        totals.append(count(hand, starter, rules)["total"])
    found = sum(totals) / len(totals)
    error = math.sqrt(sum((total - found) ** 2 for total in totals) / len(totals) ** 2)
    assert abs(found - mean) < 4 * error
    assert not never & set(totals)


RANKS_ALONE = (reference_points.show_totals, reference_points.show_pairs, reference_points.show_runs)


def test_ranks_counted_once_and_remembered_are_the_ranks_of_any_suits() -> None:
    for deal_number in range(300):
        cards = reference.shuffle(5, deal_number, places=5)
        counted = reference.show(cards[1:], cards[0], NODDY_FOUR)
        plain = [count(cards, NODDY_FOUR["show"]) for count in RANKS_ALONE]
        assert [counted[kind] for kind in ("fifteens", "pairs", "runs")] == plain


@pytest.mark.parametrize("pair", ["Ac Ad", "5c 5d", "7h 8h", "7h 8c", "Jd Kd", "9s Ts"])
def test_mean_crib_of_a_pair_laid_away_with_any_other_cards(pair: str) -> None:
    laid_away = reference.read_cards(pair)
    others = [card for card in range(52) if card not in laid_away]
    total = 0
    for three in itertools.combinations(others, 3):
        total += sum(reference.show_crib([*laid_away, *drop(three, one)], one, CRIBBAGE)["total"] for one in three)
    ranks = "".join(word[0] for word in pair.split())
    suits = "suited" if pair[1] == pair[4] else "offsuit"
    truth = next(row for row in rows("crib_pair_vs_random.csv") if (row["pair"], row["suits"]) == (ranks, suits))
    assert Fraction(total, 3 * math.comb(50, 3)) == Fraction(truth["mean_fraction"])


def drop(cards: Sequence[int], one: int) -> list[int]:
    return [card for card in cards if card != one]


def test_every_show_of_costly_colours() -> None:
    # All suits of the starter are alike, so clubs stand for them: a quarter of the 1,082,900 hands.
    totals: Counter[int] = Counter()
    for starter in range(0, 52, 4):
        for hand in itertools.combinations(drop(range(52), starter), 3):
            totals[reference.show(hand, starter, COSTLY)["total"]] += 4
    assert sum(totals.values()) == 1_082_900
    assert sum(points * hands for points, hands in totals.items()) == 6_562_120
    assert (totals[0], totals[34], max(totals)) == (61_728, 8, 34)
    assert not totals.keys() & {1, 29, 31, 33}


# ---------------------------------------------------------------------------------------------------------------------
# Laying away


def laying_away(levels: Sequence[Mapping[str, Any]], ties: str = "low") -> dict[str, Any]:
    return {"levels": levels, "ties": ties}


def laid_away(
    levels: Sequence[Mapping[str, Any]], cards: str, rules: Mapping[str, Any], seat: int = 0, players: int = 2,
    ties: str = "low",
) -> str:  # fmt: skip
    """The ranks a policy lays away."""
    way = reference.lay_away(laying_away(levels, ties), reference.read_cards(cards), seat, players, rules, 1)
    assert sorted([*way.out, *way.kept]) == sorted(reference.read_cards(cards))
    return letters(way.out)


NO_CRIB = changed(CRIBBAGE, crib=False)
CARDS = "Kd 4h 9c Ac 7s Qh"  # sorted A 4 7 9 Q K


def test_ways_to_lay_away_come_in_the_order_of_places() -> None:
    ways = reference.ways_to_lay_away(reference.read_cards(CARDS), 2)
    places = ["A4", "A7", "A9", "AQ", "AK", "47", "49", "4Q", "4K", "79", "7Q", "7K", "9Q", "9K", "QK"]
    assert [letters(way.out).replace(" ", "") for way in ways] == places
    assert letters(ways[7].kept) == "A 7 9 K"
    assert len(reference.ways_to_lay_away(reference.read_cards("Ac 2c 3c 4c 5c"), 1)) == 5


def test_ties_of_laying_away() -> None:
    assert laid_away([], CARDS, NO_CRIB) == "A 4"
    assert laid_away([], CARDS, NO_CRIB, ties="high") == "Q K"
    assert laid_away([{"final": "high"}, {"ranks": {"A": -1}}], CARDS, NO_CRIB) == "Q K"
    assert laid_away([{"ranks": {"A": -1}}], CARDS, NO_CRIB, ties="high") == "A K"
    drawn = Counter(
        reference.lay_away(laying_away([], "random"), reference.read_cards(CARDS), 0, 2, NO_CRIB, key).out
        for key in range(3000)
    )
    assert len(drawn) == 15
    assert all(abs(number - 200) < 4.5 * 14 for number in drawn.values())


def test_a_random_choice_before_the_play_has_a_word_of_its_own() -> None:
    def row(seat: int, moment: int) -> tuple[int, ...]:
        return tuple(reference.draw(key, seat, moment, 15) for key in range(30))

    assert len({row(seat, moment) for seat in range(4) for moment in (0, 11, 254, 255)}) == 16
    for key in range(30):
        way = reference.lay_away(laying_away([], "random"), reference.read_cards(CARDS), 1, 2, NO_CRIB, key)
        ways = reference.ways_to_lay_away(reference.read_cards(CARDS), 2)
        assert way == ways[row(1, 255)[key]]


def test_parts_of_the_cards_kept_and_laid_away() -> None:
    hand = reference.read_cards("5h 6h 7h Jh 8c 8d")
    question = reference.Question(CRIBBAGE, hand, 0, {"any"}, 0, 255)
    ways = {letters(way.out): way for way in reference.ways_to_lay_away(hand, 2)}

    def part(name: str, out: str) -> float:
        return reference.discard_feature(name, ways[out], question) / (46 * 1000)

    # Kept 5 6 7 J of hearts: fifteen J-5, a run, a flush; laid away a pair of eights.
    assert [part(name, "8 8") for name in ("fifteens", "pairs", "runs", "flush")] == [2, 0, 3, 4]
    assert [part(name, "8 8") for name in ("away_fifteens", "away_pairs")] == [0, 2]
    # Kept 6 7 8 8: 7-8 twice, a pair, two runs; laid away J-5.
    assert [part(name, "5 J") for name in ("fifteens", "pairs", "runs", "flush")] == [4, 2, 6, 0]
    assert [part(name, "5 J") for name in ("away_fifteens", "away_pairs")] == [2, 0]
    with pytest.raises(ValueError, match="no such feature"):
        part("stay", "5 J")


def table_of(worth: Mapping[tuple[str, str], int]) -> list[list[int]]:
    """A table of cribs in which only some pairs are worth anything."""
    table = [[0] * 13 for _ in range(13)]
    for (low, high), thousandths in worth.items():
        table[reference.RANK_LETTERS.index(low)][reference.RANK_LETTERS.index(high)] = thousandths
    return table


def test_the_crib_is_added_or_taken_away() -> None:
    cribs = {"own": table_of({("4", "9"): 3, ("7", "K"): 2}), "theirs": table_of({("A", "4"): 1, ("Q", "K"): -1})}
    rules = {**CRIBBAGE, "cribs": cribs}
    crib = [{"weights": {"crib": 1}}]
    assert laid_away(crib, CARDS, rules, seat=1) == "4 9"
    assert laid_away(crib, CARDS, rules, seat=0) == "Q K"
    assert laid_away([{"weights": {"crib": -1}}], CARDS, rules, seat=0) == "A 4"
    # Whose the crib is, levels may ask too; where there is none, they are never asked.
    asks = [{"when": "own", "ranks": {"A": -1}}, {"when": "theirs", "ranks": {"K": -1}}]
    assert [laid_away(asks, CARDS, rules, seat) for seat in (0, 1)] == ["A K", "A 4"]
    assert [laid_away(asks, CARDS, NO_CRIB, seat) for seat in (0, 1)] == ["A 4", "A 4"]
    assert laid_away(crib, CARDS, NO_CRIB) == "A 4"
    with pytest.raises(ValueError, match="cribs"):
        laid_away(crib, CARDS, CRIBBAGE)


def test_the_crib_is_the_dealers_sides() -> None:
    asks = [{"when": "own", "final": "high"}]
    five = "Ac 4h 7s 9c Kd"
    assert [laid_away(asks, five, CRIBBAGE, seat, 4) for seat in range(4)] == ["A", "K", "A", "K"]
    alone = changed(CRIBBAGE, partners=False)
    assert [laid_away(asks, five, alone, seat, 4) for seat in range(4)] == ["A", "A", "A", "K"]
    assert [laid_away(asks, five, CRIBBAGE, seat, 3) for seat in range(3)] == ["A", "A", "K"]


@pytest.mark.parametrize(("thousandths", "lays"), [(479, "9"), (480, "5"), (481, "5")])
def test_hand_and_crib_are_weighed_in_whole_numbers(thousandths: int, lays: str) -> None:
    # One card kept of two. A five is worth 2 with sixteen ten-cards and three fives, 38 over the 50 starters; a nine
    # with four sixes and three nines 14. The difference is 0.48; at a crib of just that the first way is taken.
    rules = changed(CRIBBAGE, hand=1, discard={"two": 1})
    cribs = [[0] * 13 for _ in range(13)]
    cribs[4][0] = thousandths
    weighs = [{"weights": {"hand": 1, "crib": 1}}]
    assert laid_away(weighs, "5h 9c", {**rules, "cribs": {"own": cribs, "theirs": cribs}}, seat=1) == lays
    # The same by a word for the nine kept, finer than any crib.
    held = [{"weights": {"hand": 1}, "ranks": {"9": f"0.{thousandths}"}}]
    assert laid_away(held, "5h 9c", rules) == lays
    assert laid_away([{**held[0], "ranks": {"9": "0.479999"}}], "5h 9c", rules, ties="high") == "9"


def mean_kept(policy: Mapping[str, Any], rules: Mapping[str, Any], deals: int) -> tuple[float, float]:
    """Mean show of the cards kept over all starters not seen, and its standard error."""
    means = []
    for number in range(deals):
        cards = reference.shuffle(31, number, places=int(rules["hand"]) + 2)
        kept = reference.lay_away(policy, cards, 0, 2, rules, number).kept
        shows = [reference.show(kept, starter, rules)["total"] for starter in range(52) if starter not in cards]
        means.append(sum(shows) / len(shows))
    mean = sum(means) / deals
    return mean, math.sqrt(sum((one - mean) ** 2 for one in means)) / deals


BEST_KEEP = json.loads((TRUTH / "best_keep.json").read_text(encoding="utf-8"))
KEEP_BEST = laying_away([{"weights": {"hand": 1}}], "random")
KEEP_GREEDY = laying_away([{"weights": dict.fromkeys(("fifteens", "pairs", "runs", "flush"), 1)}], "random")


@pytest.mark.parametrize(
    ("rules", "game"), [(CRIBBAGE, "six_card_cribbage_keep_4_of_6"), (CRIBBAGE_FIVE, "five_card_cribbage_keep_3_of_5")]
)
@pytest.mark.parametrize(
    ("policy", "exact", "deals"),
    [(KEEP_BEST, "mean_best_expectation", 150), (KEEP_GREEDY, "mean_precut_ties_even", 1200)],
)
def test_what_is_kept_has_the_exact_mean(
    policy: Mapping[str, Any], exact: str, deals: int, rules: Mapping[str, Any], game: str
) -> None:
    mean, error = mean_kept(policy, rules, deals)
    assert abs(mean - BEST_KEEP[game][exact]) < 4 * error


def test_what_is_laid_away_is_out_of_the_play_and_makes_the_crib() -> None:
    lay_low = {**LOW, "discard": laying_away([])}
    for players, crib in ((2, 4), (3, 4), (4, 4)):
        key = reference.deal_key(8, players)
        cards = reference.dealt_by_rules(key, players, CRIBBAGE)
        assert [len(hand) for hand in cards.hands] == [6 if players == 2 else 5] * players
        assert len(cards.crib) == (1 if players == 3 else 0)
        result = reference.play_dealt(cards, CRIBBAGE, [lay_low] * players, key)
        assert all(letters(away) == letters(sorted(hand)[: len(away)]) for away, hand in
                   zip(result.prepared.away, cards.hands, strict=True))  # fmt: skip
        every_card = [*result.prepared.crib, *(card for hand in result.prepared.hands for card in hand)]
        assert len(result.prepared.crib) == crib and len(set(every_card)) == crib + 4 * players
        assert sorted(event.card for event in result.events) == sorted(every_card[crib:])
        crib_points = reference.show_crib(result.prepared.crib, cards.starter, CRIBBAGE)["total"]
        of_cribs = [sum(number for source, number in points.items() if source.startswith("crib.")) for points in
                    result.points]  # fmt: skip
        assert of_cribs == [*[0] * (players - 1), crib_points]


def test_own_cards_laid_away_are_seen() -> None:
    # Two eights are laid away and one is turned: the eldest knows that nobody can pair his.
    hands, away = reference.read_hands("8c 9c / Kd Kh"), reference.read_hands("8d 8h / 2c 2d")
    starter = reference.read_card("8s")

    def pairs(put_out: Sequence[Sequence[int]] | None) -> int:
        turn = reference.turn_of(reference.Table(hands, NODDY, put_out), 0, starter, 1)
        unseen = [card for card in range(52) if card not in [*turn.known, *turn.held]]
        return reference.reply_sum("reply_pair", hands[0][0], unseen, turn, NODDY)

    assert (pairs(away), pairs(None)) == (0, 4)


def test_a_whole_deal_of_cribbage() -> None:
    # C6-P1 with the hands of C6-S3 to C6-S5: the dealer pegs 6, shows 9 and has a crib of 6, the pone pegs 3.
    hands = reference.read_hands("Jh 7c 6d 4h / 5s 6h 2s 4s")
    crib, starter = reference.read_cards("7h 8h 2d 8d"), reference.read_card("3d")
    board = reference.Board([0, 0])
    result = reference.play_deal_with(hands, starter, CRIBBAGE, board, reference.in_order(hands), crib)
    assert result.scores == [3, 21]
    assert [award.phase for award in result.awards[-3:]] == ["show", "show", "crib"]
    assert (result.points[1]["crib.fifteens"], result.points[1]["crib.pairs"]) == (4, 2)
    # At 115 the dealer, and at 100, is out by hand or only by his crib.
    for before, phase in ((106, "show"), (105, "crib"), (100, "crib"), (99, None)):
        board = reference.Board([0, before], 121)
        deal = reference.play_deal_with(hands, starter, CRIBBAGE, board, reference.in_order(hands), crib)
        assert (deal.phase, deal.winner) == (phase, None if phase is None else 1)


def test_the_pone_shows_first_and_wins() -> None:
    # Target 121, both at 119 when the hands are shown; the pone's is worth 2, the dealer's is not counted.
    hands, starter = reference.read_hands("9h 6c Kd As / 5h 5d Qc Js"), reference.read_card("3d")
    rules = changed(CRIBBAGE, order=["heels", "show", "play"])
    assert [reference.show(hand, starter, rules)["total"] for hand in hands] == [2, 10]
    result = reference.play_deal_with(
        hands, starter, rules, reference.Board([119, 119], 121), reference.in_order(hands)
    )
    assert (result.scores, result.winner, result.phase) == ([121, 119], 0, "show")


def test_a_jack_turned_and_a_crib_are_for_the_dealers_side() -> None:
    hands = reference.read_hands("Ac 3c 7d 9d / Ad 3d 7c 9c / Ah 3h 7s 9s / As 3s 7h 9h")
    starter, crib = reference.read_card("Jh"), reference.read_cards("2c 4d 6h 8s")
    board = reference.Board([0, 0])
    result = reference.play_deal_with(hands, starter, CRIBBAGE, board, reference.in_order(hands), crib)
    assert (result.points[3]["heels"], len(result.scores)) == (2, 2)
    by_seat = [sum(points.values()) for points in result.points]
    assert result.scores == [by_seat[0] + by_seat[2], by_seat[1] + by_seat[3]]
    opponents = changed(CRIBBAGE, turned=[{"rank": "J", "to": "opponents", "points": 2}])
    assert reference.heels_awards(starter, opponents, 4) == [(0, 2), (2, 2)]
    assert reference.heels_awards(starter, changed(opponents, partners=False), 4) == [(0, 2), (1, 2), (2, 2)]


# ---------------------------------------------------------------------------------------------------------------------
# Mogging


NEVER = {"levels": [{"weights": {"stay": 1}}], "ties": "low"}
ALWAYS = {"levels": [{"weights": {"stay": -1}}], "ties": "low"}


def passes(rank: str) -> dict[str, Any]:
    """A policy that passes a card of this rank."""
    return {"levels": [{"weights": {"stay": -100}, "ranks": {rank: -1}}], "ties": "low"}


def mogged(rules: Mapping[str, Any], hands: str, starter: str, *policies: Mapping[str, Any]) -> reference.Prepared:
    cards = reference.Dealt(reference.read_card(starter), reference.read_hands(hands), [])
    return reference.prepare(cards, rules, [{**LOW, "mog": policy} for policy in policies], 1)


def test_who_declines_pays_and_hands_stay() -> None:
    hands = "3c 7d Kh / 4s 8c Qd"
    for policies, pegged, asked in (
        ((NEVER, ALWAYS), [(1, 1)], [0]),
        ((ALWAYS, NEVER), [(0, 1)], [0, 1]),
        ((NEVER, NEVER), [(1, 1)], [0]),
    ):
        found = mogged(COSTLY, hands, "9h", *policies)
        assert (found.pegged, [seat for seat, _ in found.asked]) == (pegged, asked)
        assert [letters(sorted(hand)) for hand in found.hands] == ["3 7 K", "4 8 Q"]
    dealer_first = changed(COSTLY, mog={"first": "dealer", "refusal": 3})
    assert mogged(dealer_first, hands, "9h", ALWAYS, NEVER).pegged == [(0, 3)]
    assert mogged(dealer_first, hands, "9h", NEVER, ALWAYS).pegged == [(1, 3)]
    assert [seat for seat, _ in mogged(dealer_first, hands, "9h", NEVER, ALWAYS).asked] == [1, 0]


# With 9h turned the dealer passes the jack of hearts for a king; the elder then holds jack, king and three: 3 and
# nothing for the jack where the giver pegs, four in all where the taker counts it.
JACK_PASSED = "3c Kd Js / 4s Jh Qd"


@pytest.mark.parametrize(
    ("bonus", "pegged", "in_hand"), [("giver", [(1, 4)], 2), ("taker", [], 2 + 4), ("both", [(1, 4)], 2 + 4)]
)
def test_whose_a_jack_passed_is(bonus: str, pegged: list[tuple[int, int]], in_hand: int) -> None:
    rules = changed(COSTLY, mog={"bonus": bonus})
    found = mogged(rules, JACK_PASSED, "9h", passes("K"), passes("J"))
    assert [letters(sorted(hand)) for hand in found.hands] == ["3 J J", "4 Q K"]
    assert (found.pegged, found.given) == (pegged, reference.read_cards("Kd Jh"))
    strategies = [{**LOW, "mog": passes("K")}, {**LOW, "mog": passes("J")}]
    hands = reference.read_hands(JACK_PASSED)
    result = reference.play_deal(hands, reference.read_card("9h"), rules, strategies, 1)
    assert result.points[1]["mog"] == sum(points for _, points in pegged)
    # The jack still pairs, whoever counts it for itself.
    assert (result.points[0]["show.pairs"], result.points[0]["show.jacks_deuces"]) == (2, in_hand)
    # Both cards are known to who passed them.
    assert [out for out in result.prepared.put_out] == [[card] for card in reference.read_cards("Kd Jh")]


def test_both_peg_for_honours_passed_the_elder_first() -> None:
    found = mogged(COSTLY, "2c Kd Qs / 4s Jh Qd", "9h", passes("2"), passes("J"))
    assert found.pegged == [(0, 2), (1, 4)]
    strategies = [{**LOW, "mog": passes("2")}, {**LOW, "mog": passes("J")}]
    hands, starter = reference.read_hands("2c Kd Qs / 4s Jh Qd"), reference.read_card("9h")
    result = reference.play_deal(hands, starter, COSTLY, strategies, 1, [59, 60], 61)
    assert (result.winner, result.phase, result.scores, result.events) == (0, "mog", [61, 60], [])
    # A jack turned comes first.
    turned = reference.read_card("Jd")
    result = reference.play_deal(hands, turned, COSTLY, strategies, 1, [59, 60], 61)
    assert (result.winner, result.phase) == (1, "heels")


def test_what_a_player_weighs_in_mogging() -> None:
    hand, starter = reference.read_cards("2h 7d Kc"), reference.read_card("9h")
    unseen = [card for card in range(52) if card not in [*hand, starter]]
    for bonus, peg, gift in (("giver", 4, 0), ("taker", 0, 4), ("both", 4, 4)):
        rules = changed(COSTLY, mog={"bonus": bonus, "refusal": 3})
        question = reference.Question(rules, hand, 0, {"any", "offer"}, 0, 254, starter)
        stay, pass_two, pass_seven, _ = reference.ways_to_mog(hand)

        def weighed(name: str, way: reference.Way, question: reference.Question = question) -> float:
            return reference.mog_feature(name, way, question) / 48_000

        assert [weighed(name, stay) for name in ("peg", "gift", "stay")] == [-3, 0, 1]
        assert [weighed(name, pass_two) for name in ("peg", "gift", "stay")] == [peg, gift, 0]
        assert [weighed(name, pass_seven) for name in ("peg", "gift", "stay")] == [0, 0, 0]
        assert weighed("hand", stay) == reference.show(hand, starter, rules)["total"]
        with pytest.raises(ValueError, match="no such feature"):
            weighed("crib", stay)
        # A card received counts for jacks and deuces only where its giver does not take that.
        received = [reference.show([*pass_seven.kept, card], starter, rules) for card in unseen]
        in_hand = sum(one["jacks_deuces"] for one in received)
        own = 48 * 4
        assert in_hand > own
        plain = sum(one["total"] for one in received) - in_hand
        assert round(48 * weighed("hand", pass_seven)) == plain + (own if bonus == "giver" else in_hand)


def test_levels_ask_who_is_asked_first() -> None:
    policy = {
        "levels": [{"when": "offer", "weights": {"stay": -1}}, {"when": "answer", "final": "low"}],
        "ties": "high",
    }
    hands = "3c 7d Kh / 4s 8c Qd"
    # Asked first he passes the last of the cards that are left, asked second he stays.
    found = mogged(COSTLY, hands, "9h", policy, policy)
    assert [letters(way.out) for _, way in found.asked] == ["K", ""]
    assert found.pegged == [(0, 1)]


def test_a_strategy_that_says_nothing_keeps_the_best_and_mogs_to_gain() -> None:
    hand, starter = reference.read_cards("2h 7d Kc"), reference.read_card("9h")
    assert reference.mog_policy(LOW) == reference.MOG_GAIN
    way = reference.answer_mog(reference.mog_policy(LOW), hand, starter, 0, True, COSTLY, 1)
    question = reference.Question(COSTLY, hand, 0, {"any"}, 0, 254, starter)
    worth = [
        reference.mog_feature("hand", one, question) + reference.mog_feature("peg", one, question)
        for one in reference.ways_to_mog(hand)
    ]
    assert way == reference.ways_to_mog(hand)[worth.index(max(worth))]
    assert reference.discard_policy(LOW) == reference.KEEP_BEST_CRIB
    with pytest.raises(ValueError, match="cribs"):
        reference.play_deal(reference.read_hands("Ac 2c 3c 4c 5c 6c / Ad 2d 3d 4d 5d 6d"), 51, CRIBBAGE, [LOW] * 2, 1)


# ---------------------------------------------------------------------------------------------------------------------
# Games and duplicates of the family


LAY_LOW = {**LOW, "discard": laying_away([]), "mog": NEVER}
LAY_HIGH = {**LOW, "discard": laying_away([], "high"), "mog": ALWAYS}


def test_three_for_last() -> None:
    key = reference.deal_key(1, 2)
    cards = reference.dealt_by_rules(key, 2, CRIBBAGE_FIVE)

    def start(when: str, first: bool) -> int:
        rules = changed(CRIBBAGE_FIVE, three_for_last=when)
        result = reference.play_dealt(cards, rules, [LAY_LOW] * 2, key, first=first)
        assert result.points[1]["start"] == 0
        return result.points[0]["start"]

    assert [start("first_deal", first) for first in (True, False)] == [3, 0]
    assert [start("every_deal", first) for first in (True, False)] == [3, 3]
    assert [start("off", first) for first in (True, False)] == [0, 0]
    result = reference.play_dealt(cards, CRIBBAGE_FIVE, [LAY_LOW] * 2, key, [58, 60], 61, True)
    assert (result.winner, result.phase, result.events) == (0, "start", [])
    for when, deals in (("first_deal", 1), ("every_deal", 0)):
        game = reference.play_game(3, 1, 2, changed(CRIBBAGE_FIVE, three_for_last=when), [LAY_LOW] * 2)
        taken = [points["start"] for points in game.points]
        assert sum(taken) == 3 * (deals or game.deals)


@pytest.mark.parametrize(("second", "games"), [(60, 3), (61, 2), (90, 2), (91, 1), (120, 1), (0, 3)])
def test_skunks(second: int, games: int) -> None:
    assert reference.games_counted(second, CRIBBAGE) == games
    assert reference.games_counted(second, changed(CRIBBAGE, skunk=CRIBBAGE["skunk"][::-1])) == games
    assert reference.games_counted(second, NODDY) == 1


@pytest.mark.parametrize(
    ("rules", "players", "sides"),
    [(CRIBBAGE, 2, 2), (CRIBBAGE, 3, 3), (CRIBBAGE, 4, 2), (changed(CRIBBAGE, partners=False), 4, 4), (COSTLY, 2, 2)],
)
def test_games_of_the_family_add_up(rules: Mapping[str, Any], players: int, sides: int) -> None:
    partners = sides < players
    rules = changed(rules, head_start={"eldest": 2, "second": 3, "third": 2, "dealer": 3 if partners else 1})
    start = [2, 3] if partners else {2: [2, 1], 3: [2, 3, 1], 4: [2, 3, 2, 1]}[players]
    for number in range(6):
        game = reference.play_game(3, number, players, rules, [LAY_LOW, LAY_HIGH, LAY_LOW, LAY_HIGH][:players])
        by_person = [sum(points.values()) for points in game.points]
        assert game.scores == [start[side] + sum(by_person[side::sides]) for side in range(sides)]
        assert game.scores[game.winner] >= rules["target"] > game.second
        assert game.second == max(score for side, score in enumerate(game.scores) if side != game.winner)
        assert game.games == reference.games_counted(game.second, rules)
        assert game.dealers == [(players - 1 + turn) % players for turn in range(game.deals)]


def test_partners_start_with_one_score() -> None:
    with pytest.raises(ValueError, match="different points"):
        reference.head_starts(changed(CRIBBAGE, head_start={"eldest": 1}), 4)
    assert reference.head_starts(changed(CRIBBAGE, head_start={"eldest": 1}, partners=False), 4) == [1, 0, 0, 0]


def test_games_of_partners_are_scored_by_side() -> None:
    rules = changed(CRIBBAGE, next_dealer="right")
    game = reference.play_game(4, 2, 4, rules, [LAY_LOW] * 4)
    scores = [0, 0]
    for turn, dealer in enumerate(game.dealers):
        key = reference.game_deal_key(4, 2, turn)
        result = reference.play_dealt(reference.dealt_by_rules(key, 4, rules), rules, [LAY_LOW] * 4, key,
                                      [scores[(dealer + 1) % 2], scores[dealer % 2]], 121)  # fmt: skip
        scores = result.scores if dealer % 2 else result.scores[::-1]
    assert scores == game.scores


@pytest.mark.parametrize(("players", "changes"), [(2, 4), (3, 3), (4, 4)])
def test_cards_laid_away_otherwise_are_counted(players: int, changes: int) -> None:
    # Lowest against highest cards: each card laid away is another. The play is the same on the same cards.
    for number in range(4):
        result = reference.duplicate(2, number, LAY_LOW, LAY_HIGH, LAY_HIGH, CRIBBAGE, players)
        assert result.changed == changes
        assert len(result.seats) == reference.sides_of(CRIBBAGE, players)
        assert sum(result.seats) == result.value
        same = reference.duplicate(2, number, LAY_LOW, LAY_LOW, LAY_HIGH, CRIBBAGE, players)
        assert (same.value, same.changed) == (0, 0)
        assert same.decisions >= changes


@pytest.mark.parametrize(("flush", "counted"), [("off", (0, 0)), ("length", (1, 1))])
def test_two_cards_of_a_rank_are_a_choice_where_suits_in_a_row_score(flush: str, counted: tuple[int, int]) -> None:
    # The arm leads the seven of hearts, the baseline would lead that of clubs.
    rules = changed(NODDY, play={"flush": flush})
    cards = reference.Dealt(reference.read_card("Ks"), reference.read_hands("7c 7h / 2c 3d"), [])
    watch = reference.Watch(LOW, cards, rules, 1)
    lays = watch.the_play(lambda table, seat: table.hands[seat][-1], [0])
    lays(reference.Table(cards.hands, rules), 0)
    assert (watch.decisions, watch.changed) == counted


def test_only_what_is_asked_in_mogging_is_compared() -> None:
    # The elder is always asked; the dealer only if the elder, who is the opponent then, offers.
    never, always = {**LOW, "mog": NEVER}, {**LOW, "mog": ALWAYS}
    for number in range(10):
        against_always = reference.duplicate(2, number, never, always, always, COSTLY, 2)
        against_never = reference.duplicate(2, number, never, always, never, COSTLY, 2)
        assert (against_always.changed, against_never.changed) == (2, 1)


def test_partners_are_one_arm() -> None:
    # By hand: both seats of a side by the arm, the others by the opponent, less the same with the baseline.
    arm, baseline, against = {**GREEDY, "discard": laying_away([])}, LAY_HIGH, LAY_LOW
    for number in range(3):
        key = reference.deal_key(6, number)
        cards = reference.dealt_by_rules(key, 4, CRIBBAGE)
        values = []
        for side in (0, 1):
            margins = []
            for one in (arm, baseline):
                seats = [one if seat % 2 == side else against for seat in range(4)]
                scores = reference.play_dealt(cards, CRIBBAGE, seats, key).scores
                margins.append(scores[side] - scores[1 - side])
            values.append(margins[0] - margins[1])
        assert reference.duplicate(6, number, arm, baseline, against, CRIBBAGE, 4).seats == values
