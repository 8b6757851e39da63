"""The slow twin held against what is expected of laying away and of mogging, and exact means of what is kept."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import reference
from bugs_cases import NODDY
from reference_setup import ALWAYS, COSTLY, CRIBBAGE, CRIBBAGE_FIVE, LOW, NEVER, TRUTH, changed, laying_away, letters

# ---------------------------------------------------------------------------------------------------------------------
# Laying away


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
