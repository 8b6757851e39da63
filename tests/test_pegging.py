"""The play card by card: worked examples, the faults of the field, and each rule that a variant may change.

Every deal here is laid in a given order, so that no strategy stands between the rule and what it pays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import bugs_cases
import pytest
import reference
import table
from bugs_cases import FOUR, NONE, ChoiceCase, Differences, LegalCase, PlayCase, SequenceCase, rules_with
from hypothesis import given
from hypothesis import strategies as st
from table import IllegalOrder, Outcome

from noddysim.kernels.records import MAX_LAID, PLAY_KINDS


def laid_out(hands: str, differences: Differences = NONE) -> Outcome:
    """The deal in which hands are laid in the order given."""
    cards = reference.read_hands(hands)
    return table.in_order(table.game_with(differences, len(cards)), cards)


def gains(hands: str, differences: Differences = NONE) -> list[int]:
    return [sum(gain.values()) for gain in laid_out(hands, differences).gains]


def points(hands: str, differences: Differences = NONE) -> list[int]:
    return [laid.total for laid in laid_out(hands, differences).laid]


def seats(hands: str, differences: Differences = NONE) -> list[int]:
    return [laid.seat for laid in laid_out(hands, differences).laid]


def counts(hands: str, differences: Differences = NONE) -> list[int]:
    return [laid.count for laid in laid_out(hands, differences).laid]


# ---------------------------------------------------------------------------------------------------------------------
# Worked examples


@pytest.mark.parametrize("case", bugs_cases.PLAY_CASES, ids=lambda case: case.id)
def test_worked_play_examples(case: PlayCase) -> None:
    hands = reference.read_hands(case.hands)
    game = table.game_with(case.rules, len(hands))
    result = table.in_order(game, hands, scores=case.start, target=case.target)
    assert tuple(laid.total for laid in result.laid) == case.points
    assert tuple(sum(gain.values()) for gain in result.gains) == case.gain
    assert result.winner == case.winner
    assert result.phase == (None if case.winner is None else "play")
    if case.seats is not None:
        assert tuple(laid.seat for laid in result.laid) == case.seats
    # The eldest, left of the dealer, leads; the count is told after each card.
    assert result.laid[0].seat == 0
    twin = reference.play_in_order(hands, rules_with(case.rules), case.start, case.target)
    assert [(laid.seat, laid.card, laid.count, laid.points) for laid in result.laid] == [
        (event.seat, event.card, event.count, event.points) for event in twin.events
    ]


@pytest.mark.parametrize("case", bugs_cases.PLAY_CASES, ids=lambda case: case.id)
def test_rules_of_the_examples_are_read_as_they_stand(case: PlayCase) -> None:
    assert table.variant_with(case.rules).rules.model_dump() == rules_with(case.rules)


# ---------------------------------------------------------------------------------------------------------------------
# The faults of the field, part B: cards in a given order, what may be laid, and what a greedy player lays


def of_ranks(text: str, taken: Sequence[int] = ()) -> list[int]:
    """Cards of the ranks named, in suits that are not taken."""
    cards: list[int] = []
    for letter in text.split():
        rank = reference.RANK_LETTERS.index(letter)
        cards.append(next(4 * rank + suit for suit in range(4) if 4 * rank + suit not in [*cards, *taken]))
    return cards


def fillers(number: int, taken: Sequence[int], forbidden: Sequence[int]) -> list[int]:
    """Cards for the rest of a hand, high ones first, none of the ranks of the cards forbidden."""
    ranks = {card // 4 for card in forbidden}
    return [card for card in range(51, -1, -1) if card not in taken and card // 4 not in ranks][:number]


def dealt_in_turn(cards: Sequence[int], players: int, hand: int = 3) -> list[list[int]]:
    """Hands whose first cards fall in this order when the turn goes round, filled up with high cards."""
    hands = [list(cards[seat::players]) for seat in range(players)]
    taken = list(cards)
    for held in hands:
        held += fillers(hand - len(held), taken, [])
        taken += held
    return hands


@pytest.mark.parametrize("case", bugs_cases.SEQUENCE_CASES, ids=lambda case: case.id)
def test_bugs_part_b(case: SequenceCase) -> None:
    cards = of_ranks(case.cards.replace("|", ""))
    players = 2 if len(cards) <= 6 else 4
    laid = table.in_order(table.game_with(case.rules, players), dealt_in_turn(cards, players)).laid[: len(cards)]
    assert [one.card for one in laid] == cards
    assert tuple(one.total - one.points["last"] for one in laid) == case.points
    # A pile was closed where the case says so, and nowhere else.
    piles = [len(pile.split()) for pile in case.cards.split("|")]
    leads = [place for place, one in enumerate(laid) if one.count == reference.pips(one.card)]
    assert leads == [sum(piles[:number]) for number in range(len(piles))]


def may_lay(pile: list[int], card: int, others: list[int]) -> bool:
    """Whether the player after the pile may lay this card of his hand on it: the cards of the pile fall one a seat."""
    players = max(len(pile) + 1, 2)
    hands = [*([one] for one in pile), [card, *others], *([] for _ in range(players - len(pile) - 1))]
    taken = [*pile, card, *others]
    for hand in hands:
        hand += fillers(3 - len(hand), taken, [])
        taken += hand
    try:
        laid = table.in_order(table.game_with({}, players), hands).laid[len(pile)]
    except IllegalOrder as refused:
        if (refused.seat, refused.card) != (len(pile), card):
            raise
        return False
    # A player without a card that fits says go, and this card is laid on a later pile.
    return (laid.seat, laid.card, laid.count) == (len(pile), card, reference.count_of([*pile, card]))


@pytest.mark.parametrize("case", bugs_cases.LEGAL_CASES, ids=lambda case: case.id)
def test_bugs_part_b_what_may_be_laid(case: LegalCase) -> None:
    pile = of_ranks(case.pile)
    held = of_ranks(case.hand, pile)
    legal = [card for card in held if may_lay(pile, card, [other for other in held if other != card])]
    assert legal == of_ranks(case.legal, pile)


def chosen(strategy: Mapping[str, Any], pile: list[int], hand: list[int], starter: int) -> int:
    """The card a strategy lays on a pile: the seats before it hold the cards of the pile and wish to lay them first."""
    players = max(len(pile) + 1, 2)
    hands, strategies = [], []
    taken = [*pile, *hand, starter]
    for card in pile:
        rest = fillers(len(hand) - 1, taken, [card])
        taken += rest
        hands.append([card, *rest])
        strategies.append(table.strategy_of({"levels": [{"ranks": {letter(card): 1}}], "ties": "low"}))
    hands.append(hand)
    strategies.append(table.strategy_of(strategy))
    for _ in range(players - len(hands)):
        hands.append(fillers(len(hand), taken, []))
        strategies.append(table.strategy("low"))
    laid = table.by_strategies(table.game_with({"hand": len(hand)}, players), hands, starter, strategies).laid
    assert [one.card for one in laid[: len(pile)]] == pile
    assert laid[len(pile)].seat == len(pile)
    return laid[len(pile)].card


def letter(card: int) -> str:
    return reference.RANK_LETTERS[card // 4]


@pytest.mark.parametrize(
    "case", [case for case in bugs_cases.CHOICE_CASES if not case.earlier], ids=lambda case: case.id
)
def test_bugs_part_b_what_is_laid(case: ChoiceCase) -> None:
    hand, starter = reference.read_cards(case.hand), reference.read_card(case.starter)
    assert letter(chosen(case.strategy, of_ranks(case.pile, [*hand, starter]), hand, starter)) == case.lays


def test_lookahead_remembers_earlier_piles() -> None:
    # 9 9 T A A A make 31, so that all aces but one are laid when the third player leads from ace and four: nothing can
    # score on the ace, a four can on the four.
    (case,) = [case for case in bugs_cases.CHOICE_CASES if case.earlier]
    hands = reference.read_hands("9h Ac 2s / 9d As Kc / Td Ad 4h / Ah Qc Qd")
    wish = table.strategy_of({"levels": [{"ranks": {"9": 2, "A": 1}}], "ties": "low"})
    # On a pile already begun his highest card, the ten; his lead by looking ahead.
    third = {"levels": [{"when": "follow", "final": "high"}, *case.strategy["levels"]], "ties": "low"}
    strategies = [wish, wish, table.strategy_of(third), wish]
    starter = reference.read_card("Kd")
    laid = table.by_strategies(table.noddy_game(4), hands, starter, strategies).laid
    assert [letter(one.card) for one in laid[:6]] == ["9", "9", "T", "A", "A", "A"]
    assert laid[5].count == 31
    assert (laid[6].seat, letter(laid[6].card)) == (2, case.lays) == (2, "A")
    # With the other aces out and a four turned it is the four: two fours can pair it, three aces the ace.
    assert letter(chosen(case.strategy, [], reference.read_cards("4h Ad Qs"), reference.read_card("4s"))) == "4"


# ---------------------------------------------------------------------------------------------------------------------
# The rules of Noddy


def test_pile_closes_at_the_limit() -> None:
    # At exactly 31 a new pile begins at nought at once.
    result = laid_out("Th 9h 2h / Qd 2d As")
    assert [laid.count for laid in result.laid] == [10, 20, 29, 31, 2, 3]
    assert result.laid[3].points == {kind: 2 if kind == "thirtyone" else 0 for kind in PLAY_KINDS}
    # Or when nobody can add: 28 with kings and queens left.
    assert counts("Th 8h Kh / Qd Kd Qs") == [10, 20, 28, 10, 20, 30]
    # An ace held by the player of the last card still fits: he goes on alone.
    assert counts("Th 8h Ah / Qd Kd Qs") == [10, 20, 28, 29, 10, 20]
    # Every card is laid, and no count passes the limit.
    for number in range(200):
        starter, hands = reference.deal(17, number, 4)
        game = table.noddy_game(4)
        laid = table.by_strategies(game, hands, starter, ["greedy", "high", "low", "lookahead"]).laid
        assert sorted(one.card for one in laid) == sorted(card for hand in hands for card in hand)
        assert max(one.count for one in laid) <= 31


def test_a_player_who_can_must_play() -> None:
    # At 29 the dealer may not keep back the two.
    with pytest.raises(IllegalOrder) as refused:
        laid_out("Th 9c Ad / Kc 9d 2c")
    assert (refused.value.seat, refused.value.card) == (1, reference.read_card("9d"))
    assert seats("Th 9c Ad / Kc 2c 9d") == [0, 1, 0, 1, 0, 1]
    # Who holds no card that fits misses his turn only, and play moves on to the left.
    assert seats("Th Kd 9s / Kc 9d 8d / 9h Ac 2s") == [0, 1, 2, 2, 0, 1, 2, 0, 1]


def test_who_leads_after_a_go() -> None:
    # The player after the one who laid the last card; a seat without cards is passed over, and the lead may come back.
    hands = "Th 4d 6s / Kc 8h 9d / 5s Ac Qd"
    assert seats(hands) == [0, 1, 2, 0, 2, 0, 1, 2, 1]
    assert seats("Th 8d As Ad / Kc 9c 9h 9d", FOUR) == [0, 1, 0, 0, 0, 1, 1, 1]
    # first_go: who said go first in the pile leads the next one.
    first_go = {"play": {"next_lead": "first_go"}}
    assert seats(hands, first_go) == [0, 1, 2, 0, 2, 1, 2, 0, 1]
    # A pile closed at 31 in which somebody had said go follows the same rule.
    hands = "Th 9h 9s / Kc 5d 8h / 6s 9c 9d"
    assert seats(hands) == [0, 1, 2, 1, 2, 0, 1, 2, 0]
    assert seats(hands, first_go) == [0, 1, 2, 1, 0, 1, 2, 0, 2]
    # And a pile in which nobody said go is followed by the player to the left.
    hands = "Th 9h 2h / Qd 2d As"
    assert seats(hands, first_go) == seats(hands) == [0, 1, 0, 1, 0, 1]


def test_last_card_point() -> None:
    # 1 for the last card of each pile below 31, the last card of the deal among them; at 31 the 2 and no more.
    assert points("7h 3c Kd / 8s 5d 2h") == [0, 2, 0, 0, 1, 1]
    assert points("4h 6h 3c / 9d 2s 6d") == [0, 0, 0, 0, 0, 1]
    assert points("4h 6h 3c / 9d 2s 7d") == [0, 0, 0, 0, 0, 2]
    last = laid_out("4h 6h 3c / 9d 2s 6d").laid[-1].points
    assert last == {kind: 1 if kind == "last" else 0 for kind in PLAY_KINDS}
    # Runs and the last card add.
    assert points("5h 4c 7s / 6d 3h Jd") == [0, 0, 5, 4, 6, 1]


# ---------------------------------------------------------------------------------------------------------------------
# Rules that a variant may change


def play(**changes: Any) -> Differences:
    return {"play": changes}


def test_thirty_one_may_earn_more() -> None:
    at_31, below = "4h 6h 3c / 9d 2s 7d", "4h 6h 3c / 9d 2s 6d"
    for extra in (0, 1, 2, 31):
        laid = laid_out(at_31, play(thirtyone_extra=extra)).laid
        assert laid[-1].points["thirtyone"] == 2
        assert laid[-1].points["last"] == extra
        assert points(below, play(thirtyone_extra=extra))[-1] == 1


def test_the_extra_for_thirty_one_is_an_award_of_its_own() -> None:
    # The dealer's 31 brings 2 and then 2: at 29 the first wins, and the extra is not counted.
    hands = reference.read_hands("4h 6h 3c / 9d 2s 7d")
    game = table.game_with(play(thirtyone_extra=2), 2)
    for before, after in ((29, 31), (28, 32), (27, 31), (30, 32)):
        result = table.in_order(game, hands, scores=(0, before), target=31)
        assert (result.winner, result.scores[1], result.phase) == (1, after, "play")


def test_last_card_points_and_none_for_the_last_of_the_deal() -> None:
    hands = "7h 3c Kd / 8s 5d 2h"
    assert points(hands, play(last=3)) == [0, 2, 0, 0, 3, 3]
    assert points(hands, play(last=0)) == [0, 2, 0, 0, 0, 0]
    assert points(hands, play(last=3, final_card_point=False)) == [0, 2, 0, 0, 3, 0]
    # A pile closed by the last card of the deal at 31 pays its 31 and its extra all the same.
    at_31 = play(final_card_point=False, thirtyone_extra=1)
    assert points("4h 6h 3c / 9d 2s 7d", at_31)[-1] == 3


def test_one_pile_only() -> None:
    hands = "7h 3c Kd / 8s 5d 2h"
    assert points(hands, play(piles="single")) == [0, 2, 0, 0, 1]
    # At 31 the play is over as well; the cards left are not laid.
    assert points("Th 9h 2h / Qd 2d As", play(piles="single")) == [0, 0, 0, 2]
    # All until stuck: the pone lays two more cards before the pile is closed.
    assert points("Kh 4c 4d / Qs Jd Td", play(piles="single")) == [0, 0, 0, 3]


def test_one_pile_until_the_first_is_stuck() -> None:
    stuck = play(piles="single_first_stuck")
    # The dealer, to play at 24 with ten-cards, is stuck: the pone's four was the last card.
    assert points("Kh 4c 4d / Qs Jd Td", stuck) == [0, 0, 1]
    assert points("Th 9h 2h / Qd 2d As", stuck) == [0, 0, 0, 2]
    # The play ends at the first who holds cards and cannot play at his turn, not at one who is out of cards.
    assert seats("2h 3d Ac / 4s 2c As / 6h Ad 3c", stuck) == [0, 1, 2] * 3
    assert points("Th Kd 9s / Kc 9d 8d / 9h Ac 2s", stuck) == [0, 0, 1]
    # The last card of the deal closes the pile without anybody stuck.
    assert points("2h 3d 4c / 6s 2c 8s", {**stuck})[-1] == 1
    assert points("2h 3d 4c / 6s 2c 8s", play(piles="single_first_stuck", final_card_point=False))[-1] == 0


def test_pairs_and_runs_over_closed_piles() -> None:
    hands = "Kh 7d 5c / Qs 4h 6s"
    assert points(hands) == [0, 0, 0, 2, 0, 1]
    assert points(hands, play(combo_scope="deal")) == [0, 0, 0, 2, 0, 5]
    # Flat totals still belong to the pile.
    assert counts(hands, play(combo_scope="deal")) == counts(hands)


def test_a_go_may_break_pairs_and_runs() -> None:
    hands = "Kh 4c 4d / Qs Jd Td"
    assert points(hands, play(go_breaks=True)) == [0, 0, 0, 1, 0, 1]
    # A go that closes a pile is not said inside it: T Q K | K pairs where pairs reach over piles.
    over = play(combo_scope="deal", go_breaks=True)
    assert gains("Th Kd 3c / Qs Kc 9h", over) == [1, 3]
    # A go said inside the pile still breaks, also for the piles after it: the fours do not pair, and no later card
    # reaches back beyond them.
    assert points(hands, over) == [0, 0, 0, 1, 0, 1]


def test_points_by_the_card() -> None:
    assert points("3h 3d 9c / 3s 3c Tc", play(fifteen="per_card", thirtyone="per_card")) == [0, 2, 6, 12, 0, 6]
    assert points("5h 4c 7s / 6d 3h Jd", play(fifteen="per_card"))[2] == 3 + 3
    assert points("5h 4c 7s / 6d 3h Jd", play(twentyfive="per_card"))[4] == 5 + 6
    assert points("5h 4c 7s / 6d 3h Jd", play(twentyfive=7))[4] == 7 + 6
    assert points("5h 4c 7s / 6d 3h Jd", play(fifteen=0, run=[1]))[2:5] == [1, 2, 4]


def test_another_limit() -> None:
    # To 21: thirty-one is what exactly the limit pays.
    result = laid_out("Th 9h Kh / 8d 3d Kd", play(limit=21, thirtyone=5))
    assert [laid.count for laid in result.laid] == [10, 18, 21, 9, 19, 10]
    assert [laid.points["thirtyone"] for laid in result.laid] == [0, 0, 5, 0, 0, 0]
    # At a limit of 15 a fifteen is both.
    both = laid_out("Th 9h Kh / 5d 3d Kd", play(limit=15, thirtyone=5)).laid[1]
    assert (both.points["fifteen"], both.points["thirtyone"]) == (2, 5)


def test_kinds_add_up_to_gains() -> None:
    result = laid_out("3h 3d 9c / 3s 3c Tc")
    for seat, gain in enumerate(result.gains):
        laid = [one for one in result.laid if one.seat == seat]
        assert gain == {kind: sum(one.points[kind] for one in laid) for kind in PLAY_KINDS}
    assert result.gains[1]["pair"] == 2 + 12 and result.gains[1]["thirtyone"] == 2


# ---------------------------------------------------------------------------------------------------------------------
# Properties


DEALT = st.permutations(list(range(52)))
SCALES = st.one_of(
    st.sampled_from(["length", "off"]),
    st.lists(st.integers(0, 20), min_size=1, max_size=11),
)
PLAY_RULES = st.fixed_dictionaries(
    {
        "limit": st.sampled_from([15, 21, 31, 31, 31, 60]),
        "piles": st.sampled_from(["multi", "multi", "single", "single_first_stuck"]),
        "fifteen": st.one_of(st.integers(0, 31), st.just("per_card")),
        "twentyfive": st.one_of(st.integers(0, 31), st.just("per_card")),
        "thirtyone": st.one_of(st.integers(0, 31), st.just("per_card")),
        "thirtyone_extra": st.integers(0, 31),
        "same_rank": st.lists(st.integers(0, 31), min_size=3, max_size=3),
        "run": SCALES,
        "flush": SCALES,
        "last": st.integers(0, 31),
        "final_card_point": st.booleans(),
        "next_lead": st.sampled_from(["left_of_last", "first_go"]),
        "combo_scope": st.sampled_from(["pile", "deal"]),
        "go_breaks": st.booleans(),
    }
)


@given(PLAY_RULES, DEALT, st.integers(2, 4), st.integers(1, 3))
def test_any_rules_pay_as_the_twin_pays(rules: Differences, cards: list[int], players: int, hand: int) -> None:
    differences = {"hand": hand, "play": rules}
    hands = [cards[seat * hand : (seat + 1) * hand] for seat in range(players)]
    game = table.game_with(differences, players)
    try:
        twin = reference.play_in_order(hands, rules_with(differences))
    except ValueError:
        with pytest.raises(IllegalOrder):
            table.in_order(game, hands, cards[51])
        return
    laid = table.in_order(game, hands, cards[51]).laid
    assert [(one.seat, one.card, one.count, one.points) for one in laid] == [
        (event.seat, event.card, event.count, event.points) for event in twin.events
    ]


@given(DEALT, st.permutations(list(range(4))), st.integers(2, 4))
def test_suits_mean_nothing_in_the_play(cards: list[int], names: list[int], players: int) -> None:
    def ranks_and_points(pack: list[int]) -> list[tuple[int, int, int]]:
        hands = [pack[1 + seat : 1 + 3 * players : players] for seat in range(players)]
        laid = table.by_strategies(table.noddy_game(players), hands, pack[0], ["lookahead"] * players).laid
        return [(one.seat, one.card // 4, one.total) for one in laid]

    renamed = [4 * (card // 4) + names[card % 4] for card in cards]
    assert ranks_and_points(renamed) == ranks_and_points(cards)


def test_the_largest_table_has_room() -> None:
    assert 4 * 4 < MAX_LAID
    hands = [[4 * rank + seat for rank in range(4)] for seat in range(4)]
    assert len(table.in_order(table.game_with({"hand": 4}, 4), hands).laid) == 16
