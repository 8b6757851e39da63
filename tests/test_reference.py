"""The slow twin held against the worked examples and the exact values of Noddy, and the way it chooses and plays games.

Everything else is held against the twin, so it is held here against sources that neither it nor the package made.
"""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import bugs_cases
import pytest
import reference
from bugs_cases import NODDY, ChoiceCase, DealCase, LegalCase, PlayCase, SequenceCase, ShowCase, rules_with
from reference_setup import GREEDY, HIGH, LOW, RANDOM, TRUTH, letters, rows

GREEDY_HIGH = {"levels": [{"weights": {"points": 1}}], "ties": "high"}
SAVE_FIVE = {"levels": [{"ranks": {"5": -1}}], "ties": "low"}
GREEDY_RANDOM = {"levels": [{"weights": {"points": 1}}], "ties": "random"}
BY_NAME = {
    "random": RANDOM,
    "low": LOW,
    "high": HIGH,
    "greedy": GREEDY,
    "greedy-high": GREEDY_HIGH,
    "save-five": SAVE_FIVE,
}


def of_ranks(text: str, taken: Sequence[int] = ()) -> list[int]:
    """Cards of the ranks named, with suits found for them that are not taken."""
    cards: list[int] = []
    for letter in text.split():
        rank = reference.RANK_LETTERS.index(letter)
        cards.append(next(4 * rank + suit for suit in range(4) if 4 * rank + suit not in [*cards, *taken]))
    return cards


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
