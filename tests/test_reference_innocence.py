"""The slow twin of the melding game held against worked examples, exact counts and the flow of its deals."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
import reference_innocence as innocence
from reference_cards import RANK_LETTERS, draw, game_deal_key, rank, read_cards, read_hands, shuffle_by_key, suit
from reference_innocence import KINDS, TURNED, Table

RULES: dict[str, Any] = {
    "players": [2, 3, 4], "target": 31, "face_value": "10", "meld_scoring": "single", "sum_value": "face",
    "must_meld": True, "melds_per_turn": 1, "trump_in_melds": False, "trump_drawable": True, "stock_out": "redeal",
    "turned_jack": "opponents2", "trump_jack": "meld", "suit_value": "flat", "group": [2, 6, 12], "run": [2, 4, 10],
    "next_dealer": "left", "rounds": 60,
}  # fmt: skip
POINTS: dict[str, Any] = {"want": "always", "weights": {"points": 1}, "keep_trump_jack": False, "ties": "first"}
SUMS_ONLY = {**POINTS, "want": "sums"}
RANDOM = {**POINTS, "weights": {}, "ties": "random"}
READINGS: dict[str, list[Any]] = {
    "face_value": ["rank"], "meld_scoring": ["whole_set", "all_subsets"], "sum_value": ["flat2", "per_card"],
    "must_meld": [False], "melds_per_turn": [2, 9], "trump_in_melds": [True], "trump_drawable": [False],
    "stock_out": ["reshuffle"], "turned_jack": ["dealer2", "dealer1"], "trump_jack": ["bonus"],
    "suit_value": ["per_card"], "target": [61], "group": [[1, 3, 5]], "run": [[3, 6, 12]], "rounds": [4],
}  # fmt: skip
EACH_READING = [(name, value) for name, values in READINGS.items() for value in values]


def rules(**differences: Any) -> dict[str, Any]:
    return {**RULES, **differences}


def strategy(**differences: Any) -> dict[str, Any]:
    return {**POINTS, **differences}


def melds(hand: str, turned: str = "As", there: bool = True, **differences: Any) -> list[tuple[str, str, int]]:
    """The melds of a hand in words: their cards (``+`` for the turned card), kind and points."""
    cards = sorted(read_cards(hand))
    return [
        (written(innocence.cards_of(cards, mask)) + "+" * bool(mask & TURNED), KINDS[kind], points)
        for mask, kind, points in innocence.melds(rules(**differences), cards, read_cards(turned)[0], there)
    ]


def written(cards: Sequence[int]) -> str:
    return " ".join(RANK_LETTERS[rank(card)] + "cdhs"[suit(card)] for card in cards)


def table(hands: str, turned: str = "2s", stock: str = "", **differences: Any) -> Table:
    """A table at which the eldest is to move; everybody takes the most points."""
    held = [sorted(hand) for hand in read_hands(hands)]
    score = [0] * len(held)
    return Table(rules(**differences), [POINTS] * len(held), 1, score, held, read_cards(stock), read_cards(turned)[0])


def after_turn(start: Table) -> Table:
    innocence.take_turn(start)
    return start


# ---------------------------------------------------------------------------------------------------------------------
# Worked examples

EXAMPLES = [  # id, hand, trump, what is laid, kind, points, hand cards after the turn
    ("M-2", "2h 6c Kd", "As", None, None, 0, 4),
    ("M-4", "4h 5c 6d", "As", "4h 5c 6d", "fifteen", 15, 3),
    ("M-5", "5h 5d 5c", "As", "5c 5d 5h", "fifteen", 15, 3),
    ("M-6", "Jh 4d 8c", "Ah", "Jh", "jack", 1, 3),
    ("M-10", "2h 7h Qh", "Ac", "2h 7h Qh", "suit", 1, 3),
    ("M-11", "9s 9d Kc Qh 8c", "As", "9d 9s", "pair", 2, 3),
]


@pytest.mark.parametrize(("name", "hand", "trump", "laid", "kind", "points", "left"), EXAMPLES, ids=lambda v: str(v))
def test_every_worked_turn(
    name: str, hand: str, trump: str, laid: str | None, kind: str | None, points: int, left: int
) -> None:
    start = table(f"{hand} / 3c 3d 3h", trump, "Tc Td Th Ts", target=100)
    before = start.hands[0]
    after = after_turn(start)
    assert after.scores == [points, 0]
    assert len(after.hands[0]) == left
    if laid is None:
        assert after.events == [("draw", 0, read_cards("Tc")[0])]
    else:
        meld, fill = after.events
        assert written(innocence.cards_of(before, meld[2])) == laid and KINDS[meld[3]] == kind
        assert fill == ("fill", 0, left - len(before) + len(after.laid))


def test_only_the_jack_can_be_laid() -> None:  # M-6
    assert melds("Jh 4d 8c", "Ah") == [("Jh", "jack", 1)]
    assert melds("Jh 4d 8c", "Ac") == []


def test_a_meld_is_one_combination() -> None:  # M-4, M-5
    assert melds("4h 5c 6d") == [("4h 5c 6d", "fifteen", 15), ("4h 5c 6d", "run", 2)]
    assert melds("4h 5c 6d", meld_scoring="whole_set") == [("4h 5c 6d", "fifteen", 17)]
    fives = melds("5h 5d 5c")
    assert fives[-2:] == [("5c 5d 5h", "fifteen", 15), ("5c 5d 5h", "three", 6)]
    assert [kind for _, kind, _ in fives] == ["pair"] * 3 + ["fifteen", "three"]
    assert melds("5h 5d 5c", meld_scoring="whole_set")[-1] == ("5c 5d 5h", "fifteen", 21)
    assert melds("5h 5d 5c", meld_scoring="all_subsets")[-1] == ("5c 5d 5h", "fifteen", 15 + 6 + 3 * 2)


def deal_with(turned: str) -> int:
    """Key of the first deal of seed 1 that turns this rank."""
    wanted = RANK_LETTERS.index(turned)
    keys = (game_deal_key(1, 0, number) for number in itertools.count())
    return next(key for key in keys if rank(shuffle_by_key(key, 52, 1)[0]) == wanted)


def test_a_turned_jack_goes_to_the_opponents() -> None:  # M-12
    start = innocence.new_table(RULES, [POINTS] * 3, deal_with("J"), [0, 0, 0])
    innocence.award_turned_jack(start)
    assert start.events == [("jack", 0, 2), ("jack", 1, 2)] and start.scores == [2, 2, 0]


@pytest.mark.parametrize(("reading", "points"), [("dealer2", 2), ("dealer1", 1)])
def test_a_turned_jack_may_be_the_dealers(reading: str, points: int) -> None:
    start = innocence.new_table(rules(turned_jack=reading), [POINTS] * 3, deal_with("J"), [0, 0, 0])
    innocence.award_turned_jack(start)
    assert start.events == [("jack", 2, points)] and start.scores == [0, 0, points]


def test_another_turned_card_gives_nothing() -> None:
    start = innocence.new_table(RULES, [POINTS] * 3, deal_with("Q"), [0, 0, 0])
    innocence.award_turned_jack(start)
    assert start.events == [] and start.scores == [0, 0, 0]


def test_the_first_clockwise_wins_by_a_turned_jack() -> None:
    after = innocence.play_deal(RULES, [POINTS] * 4, deal_with("J"), [28, 30, 29, 30])
    assert after.events == [("jack", 0, 2), ("jack", 1, 2)]
    assert after.winner == 1 and after.scores == [30, 32, 29, 30] and after.turn == 0


# ---------------------------------------------------------------------------------------------------------------------
# Features


FEATURES = [  # cards, what they are as a whole, readings
    ("7c 8d", {"fifteen": 15}, {}),
    ("5c Kd", {"fifteen": 15}, {}),
    ("5c Kd", {}, {"face_value": "rank"}),
    ("2c Kd", {"fifteen": 15}, {"face_value": "rank"}),
    ("4c Jd", {"fifteen": 15}, {"face_value": "rank"}),
    ("Kc Qd 5h", {"twentyfive": 25}, {}),
    ("Kc Qd", {}, {"face_value": "rank"}),
    ("Jc Qd 2h", {"twentyfive": 25}, {"face_value": "rank"}),
    ("Kc Qd Jh As", {"thirtyone": 31}, {}),
    ("Kc Jd 7h", {}, {"face_value": "rank"}),
    ("Kc Jd 4h 3s", {"thirtyone": 31}, {"face_value": "rank"}),
    ("5c Kd", {"fifteen": 2}, {"sum_value": "flat2"}),
    ("5c Kd Qh", {"twentyfive": 2}, {"sum_value": "flat2"}),
    ("2c 3d 4h 6s", {"fifteen": 4}, {"sum_value": "per_card"}),
    ("Kc Qd Jh As", {"thirtyone": 4}, {"sum_value": "per_card"}),
    ("9c 9d", {"pair": 2}, {}),
    ("9c 9d 9h", {"three": 6}, {}),
    ("9c 9d 9h 9s", {"four": 12}, {}),
    ("9c 9d 9h 9s", {"four": 7}, {"group": [2, 5, 7]}),
    ("Kc Jd", {}, {}),
    ("2h 7h Qh", {"suit": 1}, {}),
    ("2h 7h 9h Qh", {"suit": 1}, {}),
    ("2h 7h 9h Qh", {"suit": 4}, {"suit_value": "per_card"}),
    ("2h 4h 7h 9h Qh", {}, {}),
    ("2h 7h", {}, {}),
    ("6h 7d 8s", {"run": 2}, {}),
    ("6h 7d 8s 9c", {"run": 4}, {}),
    ("6h 7d 8s 9c Tc", {"run": 10}, {}),
    ("6h 7d 8s 9c Tc Jc", {"run": 10}, {}),
    ("6h 7d 8s 9c Tc Jc", {"run": 9}, {"run": [1, 5, 9]}),
    ("Ah Kd Qs", {}, {}),
    ("Ah 2d Ks", {}, {}),
    ("Ah 2d 3s", {"run": 2}, {}),
    ("6h 7d 8s 8c", {}, {}),
    ("6h 7h 8h", {"suit": 1, "run": 2}, {}),
    ("5h", {}, {}),
]


@pytest.mark.parametrize(("cards", "expected", "differences"), FEATURES)
def test_what_cards_are_as_a_whole(cards: str, expected: dict[str, int], differences: dict[str, Any]) -> None:
    found = innocence.features(rules(**differences), read_cards(cards))
    assert {KINDS[kind]: points for kind, points in found.items()} == expected


def test_melds_come_by_mask_and_then_by_kind() -> None:
    hand = "4c 5c 6c 5d Js"
    assert melds(hand, "2s") == [
        ("5c 5d", "pair", 2),
        ("4c 5c 6c", "fifteen", 15), ("4c 5c 6c", "suit", 1), ("4c 5c 6c", "run", 2),
        ("4c 5d 6c", "fifteen", 15), ("4c 5d 6c", "run", 2),
        ("Js", "jack", 1),
        ("5c Js", "fifteen", 15),
        ("5d Js", "fifteen", 15),
        ("4c 5c 6c Js", "twentyfive", 25),
        ("4c 5d 6c Js", "twentyfive", 25),
    ]  # fmt: skip


def test_parts_of_a_group_or_a_suit_may_be_laid() -> None:
    kinds = Counter(kind for _, kind, _ in melds("8c 8d 8h 8s"))
    assert kinds == {"pair": 6, "three": 4, "four": 1}
    kinds = Counter(kind for _, kind, _ in melds("2h 4h 8h Th Qh"))
    assert kinds == {"suit": 10 + 5}


def test_the_jack_of_trumps_as_a_bonus() -> None:
    assert melds("Js Jd 4c", "2s", trump_jack="bonus") == [("Jd Js", "pair", 3)]
    assert melds("Js 4c", "2s", trump_jack="bonus") == []
    assert melds("9s Ts Js", "2s", trump_jack="bonus") == [("9s Ts Js", "suit", 2), ("9s Ts Js", "run", 3)]
    assert melds("9s Ts Js", "2s", trump_jack="bonus", meld_scoring="whole_set") == [("9s Ts Js", "run", 4)]
    assert melds("9s Ts Js", "2s", trump_jack="bonus", meld_scoring="all_subsets") == [("9s Ts Js", "run", 4)]


def test_the_jack_of_trumps_within_a_larger_meld() -> None:
    assert melds("9s Ts Js", "2s", meld_scoring="whole_set") == [("Js", "jack", 1), ("9s Ts Js", "run", 3)]
    assert melds("9s Ts Js", "2s", meld_scoring="all_subsets")[-1] == ("9s Ts Js", "run", 4)


def test_the_turned_card_joins_melds() -> None:
    assert melds("9d Ts", "8c", trump_in_melds=True) == [("9d Ts+", "run", 2)]
    assert melds("9d Ts", "8c", trump_in_melds=False) == []
    assert melds("9d Ts", "8c", there=False, trump_in_melds=True) == []
    assert melds("7d", "8c", trump_in_melds=True) == [("7d+", "fifteen", 15)]
    assert melds("7d", "8c", trump_in_melds=True, sum_value="per_card") == [("7d+", "fifteen", 2)]
    assert melds("2h 7h 9h", "Qh", trump_in_melds=True, suit_value="per_card") == [
        ("2h 7h 9h", "suit", 3), ("2h 7h+", "suit", 3), ("2h 9h+", "suit", 3), ("7h 9h+", "suit", 3),
        ("2h 7h 9h+", "suit", 4),
    ]  # fmt: skip
    assert melds("8d Js", "8s", trump_in_melds=True) == [("Js", "jack", 1), ("8d+", "pair", 2)]


def test_a_turned_jack_is_no_jack_in_hand() -> None:
    for reading in ("meld", "bonus"):
        assert melds("Jd", "Js", trump_in_melds=True, trump_jack=reading) == [("Jd+", "pair", 2)]


def test_subsets_with_the_turned_card() -> None:
    # 7 8 with an 8 turned: each 7-8 is a fifteen, the eights are a pair; all three cards are nothing as a whole.
    shape: dict[str, Any] = {"trump_in_melds": True, "meld_scoring": "all_subsets"}
    assert melds("7d 8s", "8c", **shape) == [
        ("7d 8s", "fifteen", 15), ("7d+", "fifteen", 15), ("8s+", "pair", 2),
    ]  # fmt: skip
    # 6 7 8 with a 9 turned: one run of four, two of three, 7-8 and 6-9 fifteens.
    assert melds("6c 7d 8s", "9c", **shape)[-1] == ("6c 7d 8s+", "run", 4 + 2 + 2 + 15 + 15)


def subsets(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return itertools.chain.from_iterable(itertools.combinations(cards, size) for size in range(1, len(cards) + 1))


@pytest.mark.parametrize("trump_jack", ["meld", "bonus"])
@pytest.mark.parametrize("in_melds", [False, True])
def test_totals_of_subsets_are_sums_over_subsets(trump_jack: str, in_melds: bool) -> None:
    shape = rules(trump_jack=trump_jack, trump_in_melds=in_melds, meld_scoring="all_subsets")
    for number in range(40):
        turned, *pack = shuffle_by_key(game_deal_key(2, 0, number), 52, 7)
        hand, jack = sorted(pack), innocence.jack_of_trumps(turned)
        for mask, kind, points in innocence.melds(shape, hand, turned, True):
            of_hand = innocence.cards_of(hand, mask)
            cards = [*of_hand, turned] if mask & TURNED else of_hand
            features = [innocence.features(shape, subset) for subset in subsets(cards)]
            assert points == sum(sum(found.values()) for found in features) + (jack in of_hand)
            # The longest subset comes last: the whole meld, of whose kinds the best names it.
            assert kind == (max(features[-1], key=lambda k: (features[-1][k], -k)) if features[-1] else 0)


def test_the_turned_card_is_bit_sixty() -> None:
    cards = read_cards("2h 7d")
    assert innocence.melds(rules(trump_in_melds=True), cards, read_cards("8c")[0], True) == [((1 << 60) | 2, 1, 15)]


def test_a_hand_that_is_too_large_is_refused() -> None:
    assert len({mask for mask, _, _ in innocence.melds(RULES, range(16), 51, True)}) > 1000
    with pytest.raises(ValueError, match="17 cards"):
        innocence.melds(RULES, range(17), 51, True)


# ---------------------------------------------------------------------------------------------------------------------
# Exact counts of the opening hand


@cache
def opening_hands() -> Counter[tuple[int, ...]]:
    """How often each three cards are dealt, where hands that differ only in the names of the suits are one."""
    found: Counter[tuple[int, ...]] = Counter()
    for hand in itertools.combinations(range(52), 3):
        names: dict[int, int] = {}
        renamed = [4 * rank(card) + names.setdefault(suit(card), len(names)) for card in hand]
        found[tuple(sorted(renamed))] += 1
    return found


def test_what_the_opening_hand_is_worth() -> None:
    best: Counter[int] = Counter()
    for hand, times in opening_hands().items():
        for trump in range(4):
            # All turned cards of a suit are alike to the hand: of each suit those are left that it does not hold.
            points = [points for _, _, points in innocence.melds(RULES, hand, trump, False)]
            best[max(points, default=0)] += times * (13 - sum(suit(card) == trump for card in hand))
    assert best == {0: 560472, 1: 73000, 2: 187376, 6: 2352, 15: 208740, 25: 50960}
    assert best.total() == 1082900


HELD_TOGETHER = {  # how many of the 22100 hands hold just these, the jack of trumps left out
    (): 12120, ("fifteen",): 3540, ("pair",): 3312, ("fifteen", "twentyfive"): 840, ("suit",): 808, ("run",): 480,
    ("fifteen", "pair"): 288, ("fifteen", "suit"): 236, ("fifteen", "run"): 180, ("fifteen", "twentyfive", "pair"): 96,
    ("fifteen", "twentyfive", "suit"): 56, ("three",): 48, ("twentyfive", "pair"): 48, ("suit", "run"): 32,
    ("fifteen", "suit", "run"): 12, ("fifteen", "three"): 4,
}  # fmt: skip


def test_what_the_opening_hand_holds_together() -> None:
    held: Counter[tuple[str, ...]] = Counter()
    for hand, times in opening_hands().items():
        kinds = {kind for _, kind, _ in innocence.melds(rules(trump_jack="bonus"), hand, 0, False)}
        names = [KINDS[kind] for kind in sorted(kinds)]
        # Three of a rank hold pairs too, which are not counted beside them.
        held[tuple(name for name in names if name != "pair" or "three" not in names)] += times
    assert held == HELD_TOGETHER


# ---------------------------------------------------------------------------------------------------------------------
# Dealing, drawing and the end of the stock


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("drawable", [True, False])
def test_how_the_cards_are_dealt(players: int, drawable: bool) -> None:
    key = game_deal_key(5, 6, 7)
    cards = shuffle_by_key(key, 52, 52)
    start = innocence.new_table(rules(trump_drawable=drawable), [POINTS] * players, key, [0] * players)
    assert start.turned == cards[0]
    assert start.hands[0] == sorted([cards[1], cards[1 + players], cards[1 + 2 * players]])
    assert start.hands[-1] == sorted([cards[players], cards[2 * players], cards[3 * players]])
    assert start.stock == cards[1 + 3 * players :] + cards[:1] * drawable


def test_the_turned_card_joins_no_meld_once_it_is_drawn() -> None:
    after = after_turn(table("4c 8d Qh / 4d 8h Qs", "2s", "2s", trump_in_melds=True))
    assert after.events == [("draw", 0, read_cards("2s")[0])] and not after.turned_there
    assert after_turn(table("4c 8d Qh / 4d 8h Qs", "2s", "Ks", trump_in_melds=True)).turned_there


def test_a_fill_takes_what_is_left() -> None:
    assert after_turn(table("4h 5c 6d / 2c", stock="Ks")).events[1] == ("fill", 0, 1)
    after = after_turn(table("4h 5c 6d / 2c"))
    assert after.events[1] == ("fill", 0, 0) and after.hands[0] == []


def test_all_pass_when_the_stock_is_out() -> None:
    start = table("2h 6c Kd / 7h 9c Qd", stock="Qs", target=100)
    while not innocence.deal_is_over(start):
        innocence.take_turn(start)
    assert start.events == [("draw", 0, read_cards("Qs")[0]), ("pass", 1), ("pass", 0)]
    assert start.scores == [0, 0] and start.winner is None


def test_a_deal_without_a_stock_ends_when_each_has_passed() -> None:
    start = table("2h 6c Kd / 7h 9c Qd")
    while not innocence.deal_is_over(start):
        innocence.take_turn(start)
    assert start.events == [("pass", 0), ("pass", 1)]


def test_a_meld_between_passes_goes_on() -> None:
    start = table("2h 6c Kd / 7h 7c / 2d 6d Kc", target=100)
    while not innocence.deal_is_over(start):
        innocence.take_turn(start)
    # Everybody passes once after the pair, and he who laid it too.
    assert [event[:2] for event in start.events] == [
        ("pass", 0), ("meld", 1), ("fill", 1), ("pass", 2), ("pass", 0), ("pass", 1),
    ]  # fmt: skip


def test_a_reshuffle_in_the_midst_of_a_fill() -> None:
    start = table("4h 5c 6d / 2c", stock="Ks", stock_out="reshuffle", target=100)
    start.laid = read_cards("9h 3h")
    after = after_turn(start)
    pile = read_cards("9h 3h 4h 5c 6d")
    for place in range(4):
        other = place + draw(1, 0x7F00, place, 5 - place)
        pile[place], pile[other] = pile[other], pile[place]
    assert after.events[1:] == [("reshuffle",), ("fill", 0, 3)]
    assert after.hands[0] == sorted([*read_cards("Ks"), *pile[:2]]) and after.stock == pile[2:]


def test_a_reshuffle_keeps_to_its_words() -> None:
    for before in (*range(8), 255, 300):
        start = table("2h 6c Kd / 7h 9c Qd", stock_out="reshuffle")
        start.laid, start.reshuffles = read_cards("4h 5c 6d 9h 3h"), before
        pile = list(start.laid)
        for place in range(4):
            other = place + draw(1, 0x7F00 + min(before, 255), place, 5 - place)
            pile[place], pile[other] = pile[other], pile[place]
        after_turn(start)
        assert start.events == [("reshuffle",), ("draw", 0, pile[0])]
        assert start.stock == pile[1:] and start.laid == [] and start.reshuffles == before + 1


def test_nothing_laid_is_nothing_to_shuffle() -> None:
    assert after_turn(table("2h 6c Kd / 7h 9c Qd", stock_out="reshuffle")).events == [("pass", 0)]


def test_a_deal_has_so_many_rounds() -> None:
    for players in (2, 3, 4):
        short = innocence.play_deal(rules(rounds=2, target=1000), [POINTS] * players, 8, [0] * players)
        assert short.turn == 2 * players and short.events[-1] == ("deal_end",)


def test_a_game_that_nobody_wins_is_given_up() -> None:
    events, scores = innocence.play_game(rules(rounds=0, target=10**6), [POINTS] * 2, 1, 1)
    assert [event[:2] for event in events if event[0] == "deal"] == [("deal", number) for number in range(1000)]
    assert events[-1] == ("game", -1) and max(scores) > 0
    assert all(event[0] in ("deal", "jack", "deal_end", "game") for event in events)


# ---------------------------------------------------------------------------------------------------------------------
# Turns


def test_the_game_ends_within_a_turn() -> None:
    start = table("7d 8s 2h 2c / 3c", stock="Ks Kc Kh", melds_per_turn=5)
    start.scores = [16, 0]
    after = after_turn(start)
    assert after.winner == 0 and after.scores == [31, 0]
    assert [event[0] for event in after.events] == ["meld"]


def test_several_melds_in_a_turn() -> None:
    hand = "7d 8s 2h 2c / 3c"
    for most, laid, drawn in ((1, 1, 1), (2, 2, 3), (5, 2, 3)):
        after = after_turn(table(hand, stock="Ks Kc Kh", melds_per_turn=most, target=100))
        assert [event[0] for event in after.events] == ["meld"] * laid + ["fill"]
        assert after.events[-1] == ("fill", 0, drawn)
        assert after.scores[0] == (15 if laid == 1 else 17)
    assert after_turn(table("4h 8c 6d / 2c", stock="Ks", melds_per_turn=5)).events == [("draw", 0, read_cards("Ks")[0])]


def test_who_may_wait_for_sums() -> None:
    def waits(hand: str, score: int = 0, **differences: Any) -> bool:
        start = table(f"{hand} / 2c", stock="Ks Kc Kh", **differences)
        start.strategies, start.scores = [SUMS_ONLY] * 2, [score, 0]
        return bool(after_turn(start).events[0][0] == "draw")

    free: dict[str, Any] = {"must_meld": False}
    assert waits("7d 7s 2h", **free)
    assert not waits("7d 7s 2h")
    assert not waits("7d 8s 2h", **free)
    assert waits("7d 8s 2h", sum_value="flat2", **free)
    assert waits("7d 7s 2h", 28, **free)
    assert not waits("7d 7s 2h", 29, **free)


# ---------------------------------------------------------------------------------------------------------------------
# Choices


def chosen(hand: str, plan: dict[str, Any], turned: str = "2s", score: int = 0, **differences: Any) -> str | None:
    """The cards and kind that a player with this hand lays."""
    start = table(f"{hand} / 2c", turned, **differences)
    start.strategies, start.scores = [plan] * 2, [score, 0]
    meld = innocence.choose_meld(start, 0, 0)
    return None if meld is None else f"{written(innocence.cards_of(start.hands[0], meld[0]))} {KINDS[meld[1]]}"


def test_what_weights_do() -> None:
    hand = "4c 5c 6c 5d Js"
    assert chosen(hand, strategy()) == "4c 5c 6c Js twentyfive"
    assert chosen(hand, strategy(ties="last")) == "4c 5d 6c Js twentyfive"
    assert chosen(hand, strategy(weights={"cards": -1})) == "Js jack"
    assert chosen(hand, strategy(weights={"points": 1, "cards": -9})) == "5c Js fifteen"
    for kind, cards in (("jack", "Js"), ("pair", "5c 5d"), ("suit", "4c 5c 6c"), ("run", "4c 5c 6c")):
        assert chosen(hand, strategy(weights={kind: 1})) == f"{cards} {kind}"
    assert chosen(hand, strategy(weights={"sum": 1})) == "4c 5c 6c fifteen"
    assert chosen(hand, strategy(weights={"sum": 1}, ties="last")) == "4c 5d 6c Js twentyfive"
    assert chosen("8c 8d 8h 8s", strategy(weights={"three": 1})) == "8c 8d 8h three"
    assert chosen("8c 8d 8h 8s", strategy(weights={"four": 1})) == "8c 8d 8h 8s four"


def test_the_turned_card_is_no_hand_card() -> None:
    plan = strategy(weights={"cards": 1})
    assert chosen("8d 8h", plan, "8s", trump_in_melds=True, trump_drawable=True) == "8d 8h pair"


def test_random_ties_use_the_words_of_the_turn() -> None:
    start = table("8c 8d 8h / 2c")
    start.strategies = [strategy(weights={"pair": 1}, ties="random")] * 2
    pairs = [0b011, 0b101, 0b110]
    masks = []
    for start.turn, laid in itertools.product(range(40), range(2)):
        meld = innocence.choose_meld(start, 0, laid)
        assert meld is not None and meld[0] == pairs[draw(1, start.turn, laid, 3)]
        masks.append(meld[0])
    assert set(masks) == set(pairs)


def test_who_keeps_the_jack_of_trumps() -> None:
    free: dict[str, Any] = {"must_meld": False}
    keep = strategy(keep_trump_jack=True)
    assert chosen("5c Js 7d 7h", strategy()) == "5c Js fifteen"
    assert chosen("5c Js 7d 7h", keep) == "7d 7h pair"
    assert chosen("5c Js 7d 8h", keep) == "7d 8h fifteen"
    assert chosen("5c Js 7d", keep) == "5c Js fifteen"
    assert chosen("5c Js 7d", strategy(keep_trump_jack=True, weights={"cards": -1})) == "5c Js fifteen"
    assert chosen("4c Js 7d", keep) == "Js jack"
    assert chosen("4c Js 7d", keep, **free) is None
    assert chosen("4c Js 7d", keep, score=30, **free) == "Js jack"
    assert chosen("4c Js 7d", strategy(), **free) == "Js jack"
    assert chosen("5c Js 7d", keep, **free) == "5c Js fifteen"
    assert chosen("5c Js 7d", keep, trump_jack="bonus", **free) == "5c Js fifteen"
    # He who waits for sums does not count a pair that he would not lay.
    assert chosen("5c Js 7d 7h", strategy(keep_trump_jack=True, want="sums"), **free) == "5c Js fifteen"


# ---------------------------------------------------------------------------------------------------------------------
# Whole games

PLANS = [POINTS, RANDOM, strategy(weights={"cards": -1}, ties="last"), strategy(keep_trump_jack=True)]


def cards_at(now: Table) -> list[int]:
    under = [] if now.rules["trump_drawable"] else [now.turned]
    return sorted([*itertools.chain.from_iterable(now.hands), *now.stock, *now.laid, *under])


@pytest.mark.parametrize(("name", "value"), [("next_dealer", "left"), *EACH_READING])
def test_no_card_is_lost_at_any_turn(name: str, value: Any) -> None:
    for players, number in itertools.product((2, 3, 4), range(4)):
        shape = rules(target=80, melds_per_turn=1 + number % 2) | {name: value}
        plans = PLANS[:players]
        start = innocence.new_table(shape, plans, game_deal_key(4, players, number), [0] * players)
        innocence.award_turned_jack(start)
        while not innocence.deal_is_over(start):
            before, events = list(start.scores), len(start.events)
            innocence.take_turn(start)
            assert cards_at(start) == list(range(52))
            assert all(hand == sorted(hand) for hand in start.hands)
            gained = sum(event[-1] for event in start.events[events:] if event[0] == "meld")
            assert sum(start.scores) - sum(before) == gained
            if not start.reshuffles:
                assert start.turned_there == (start.turned in start.stock or not shape["trump_drawable"])


def differ(
    one: tuple[dict[str, Any], list[dict[str, Any]]], other: tuple[dict[str, Any], list[dict[str, Any]]]
) -> bool:
    """Whether one of the first games goes another way under other rules or plans."""
    return any(innocence.play_game(*one, 9, game) != innocence.play_game(*other, 9, game) for game in range(300))


def test_a_game_is_the_same_again() -> None:
    first, again = (innocence.play_game(RULES, PLANS[:3], 9, 1) for _ in range(2))
    assert first == again


@pytest.mark.parametrize(("name", "value"), EACH_READING)
def test_every_reading_changes_something(name: str, value: Any) -> None:
    # The rarer things (a stock that runs out, the turned card drawn) happen in long games; a free player must wait.
    base = rules(target=200)
    plans = [SUMS_ONLY, RANDOM] if name == "must_meld" else PLANS[:2]
    assert differ((base, plans), (base | {name: value}, plans))


@pytest.mark.parametrize(
    "differences",
    [{"weights": {"points": -1}}, {"ties": "last"}, {"ties": "random"}, {"keep_trump_jack": True}],
    ids=str,
)
def test_every_part_of_a_strategy_changes_something(differences: dict[str, Any]) -> None:
    long = rules(target=100)
    assert differ((long, [POINTS] * 3), (long, [strategy(**differences)] * 3))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_how_games_go_from_deal_to_deal(players: int) -> None:
    winners = set()
    for game in range(12):
        events, scores = innocence.play_game(rules(target=100), PLANS[:players], 3, game)
        deals = [event for event in events if event[0] == "deal"]
        dealers = [(players - 1 + number) % players for number in range(len(deals))]
        assert deals == [("deal", number, dealer) for number, dealer in enumerate(dealers)]
        assert sum(event == ("deal_end",) for event in events) == len(deals) - 1
        assert events[-1][0] == "game" and events[-1][1] == scores.index(max(scores))
        assert [score >= 100 for score in scores].count(True) == 1
        # The awards of the log, given to persons deal by deal, make the scores.
        counted = [0] * players
        dealer = -1
        for event in events:
            if event[0] == "deal":
                dealer = event[2]
            if event[0] in ("jack", "meld"):
                counted[(dealer + 1 + event[1]) % players] += event[-1]
        assert counted == scores
        winners.add(events[-1][1])
    assert len(winners) > 1


def test_a_thirty_one_wins_on_the_spot() -> None:
    after = after_turn(table("Kc Qd Jh As / 2c", stock="3c"))
    assert after.winner == 0 and after.scores == [31, 0] and len(after.events) == 1
