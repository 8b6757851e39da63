"""Exact points of the play, best play with its proof, best answers, whole games: against truth and plain checks."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import plain_play
import pytest

import noddysim as ns
from noddysim.engine import exactplay, functions, solution, solver
from noddysim.engine.exactplay import card_chances, card_values, player_of
from noddysim.engine.measures import DealCount
from noddysim.engine.rolled import RANK_COUNT, SUITS, all_deals, deals_of, hands_of, lines_of, play_key, three_each
from noddysim.engine.values import Position, Values
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant

TRUTH = Path(__file__).parent / "golden" / "truth"
NODDY = load_variant("noddy")
GAME = three_each(NODDY)


# --- two strategies ---------------------------------------------------------------------------------------------------


def test_weights_count_every_deal() -> None:
    assert SUITS * sum(int(deals_of(3, starter).sum()) for starter in range(RANK_COUNT)) == all_deals(3)
    assert all_deals(3) == 18_729_838_400
    one, other = hands_of(3).tolist().index([4, 4, 9]), hands_of(3).tolist().index([4, 7, 9])
    assert deals_of(3, 4)[one, other] == plain_play.weight((4, 4, 9), (4, 7, 9), 4) == 144


def test_greedy_makes_the_whole_points_of_the_truth() -> None:
    found = ns.exact.play("noddy", "greedy", "greedy")
    assert (found.points.pone_points, found.points.dealer_points) == (25_319_161_024, 50_344_293_360)
    assert found.margin == (25_319_161_024 - 50_344_293_360) / 18_729_838_400


def test_every_pair_of_the_truth_file() -> None:
    with (TRUTH / "noddy_play_exact.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 36
    for row in rows:
        found = ns.exact.play(NODDY, row["pone"], row["dealer"])
        assert abs(found.pone - float(row["pone_points"])) < 1e-9, row
        assert abs(found.dealer - float(row["dealer_points"])) < 1e-9, row
        assert (found.points.pone_points is None) == ("random" in (row["pone"], row["dealer"]))


def test_duel_value_of_the_design() -> None:
    means = [ns.exact.play(NODDY, *pair).margin for pair in (("greedy", "low"), ("low", "greedy"), ("low", "low"))]
    assert (means[0] - means[2] + means[2] - means[1]) / 2 == pytest.approx(0.3213848846, abs=1e-9)


@pytest.mark.parametrize(
    ("pone", "dealer"), [("optimal", "greedy"), ("greedy-random", "optimal"), ("lookahead-random", "random")]
)
def test_sampled_deals_agree(pone: str, dealer: str) -> None:
    exact = ns.exact.play(NODDY, pone, dealer)
    deals = 40_000
    tally = DealCount(GAME, (parse_strategy(pone), parse_strategy(dealer)), 1589).count(0, deals)
    for seat, mean in enumerate((exact.pone, exact.dealer)):
        counts = tally["by_source"][seat, -4]
        points = np.arange(len(counts))
        sampled = (counts * points).sum() / deals
        error = math.sqrt((counts * (points - sampled) ** 2).sum()) / deals
        assert abs(sampled - mean) < 4 * error, (pone, dealer, seat)


@pytest.mark.parametrize(
    ("variant", "pair", "says"),
    [
        ("cribbage", ("greedy", "greedy"), "cards are laid away"),
        ("costly-colours", ("greedy", "greedy"), "a card may be exchanged"),
        ("noddy-groves", ("greedy", "greedy"), "flushes score"),
        ("innocence", ("greedy", "greedy"), "no play of cards"),
        ("noddy-four", ("lookahead-random", "greedy"), "lookahead-random looks at the starter"),
        ("noddy-four", ("optimal", "greedy"), "best play and functions are counted for hands of three"),
        ("noddy", ("gredy", "greedy"), "did you mean greedy"),
    ],
)
def test_what_cannot_be_counted_is_refused(variant: str, pair: tuple[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says.replace("(", r"\(").replace(")", r"\)")):
        ns.exact.play(variant, *pair)


# --- best play --------------------------------------------------------------------------------------------------------


def test_the_shipped_solution_is_proved_from_its_file() -> None:
    found = ns.solve("noddy")
    assert found.low < found.value < found.high
    assert found.high - found.low < 0.0001
    assert found.bounds.exploitability == (found.high - found.low) / 2
    margin = ns.exact.play("noddy", "optimal", "optimal").margin
    assert found.low < margin < found.high
    assert margin == pytest.approx(found.value, abs=1e-12)


@pytest.mark.parametrize("variant", ["noddy-no-jack", "noddy-15", "noddy-21", "noddy-61"])
def test_variants_that_play_like_noddy_share_its_solution(variant: str) -> None:
    game = three_each(load_variant(variant))
    assert play_key(game) == play_key(GAME)
    assert solution.solution_for(game) is solution.solution_for(GAME)


def test_a_damaged_file_counts_as_absent() -> None:
    shipped = Path(solution.__file__).parent / "solutions" / f"{play_key(GAME)}.xz"
    whole = shipped.read_bytes()
    again = solution.from_file(whole)
    assert again is not None and again.checksum == solution.solution_for(GAME).checksum
    assert solution.from_file(whole[:-200]) is None
    middle = len(whole) // 2
    assert solution.from_file(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]) is None


def test_rules_without_a_solution_are_named() -> None:
    with pytest.raises(InputError, match="noddysim solve"):
        ns.exact.play(NODDY.replace(play={"fifteen": 3}), "optimal", "greedy")


@pytest.mark.long
def test_bounds_hold_the_value_of_a_linear_programme() -> None:
    """A pack of four ranks, solved as a tree of histories by other code: the bounds must hold its value."""
    ranks, starter = (0, 4, 9, 10), 4
    value = plain_play.value_of_play(ranks, starter)
    held = np.isin(hands_of(3), ranks).all(axis=1)
    deals = deals_of(3, starter) * np.outer(held, held)
    book = solver.learn_deals(GAME, deals, 150)
    shares = solver.rounded(book, 31) / solver.SHARES
    own, low, high = (part / deals.sum() for part in solver.bounds_of_deals(GAME, deals, shares))
    assert low <= value <= high and low <= own <= high
    assert high - low < 0.002


def test_regret_finds_rock_paper_scissors() -> None:
    beats = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], np.float32)
    strategies = [np.array([[1], [0], [0]], np.float32), np.array([[0], [1], [0]], np.float32)]
    learners = [_Learner(3, 1) for _ in range(2)]
    for step in range(1, 2001):
        for seat in range(2):
            values = beats @ strategies[1 - seat]
            learners[seat].step(step, strategies[seat], values, np.ones(1, np.float32))
    for learner in learners:
        average = learner.average()[:, 0]
        assert np.abs(average - 1 / 3).max() < 0.01
        assert (beats @ average).max() < 0.01


class _Learner:
    """Regrets of one player whose sets have the same number of choices, all legal."""

    def __init__(self, choices: int, sets: int) -> None:
        self.regret, self.sums = (np.zeros((choices, sets), np.float32) for _ in range(2))
        self.even = np.full((choices, sets), 1 / choices, np.float32)
        self.work = np.zeros((2, sets), np.float32)

    def step(self, number: int, strategy: np.ndarray, values: np.ndarray, reach: np.ndarray) -> None:
        from noddysim.kernels.regret import rates_of, regret_step

        rates = rates_of(number, 1, np.array(solver.EXPONENTS), np.float32(0))
        regret_step(
            self.regret, self.sums, strategy, values.astype(np.float32), self.even, reach.astype(np.float32), rates,
            *self.work,
        )  # fmt: skip

    def average(self) -> np.ndarray:
        return np.asarray(self.sums / self.sums.sum(axis=0), np.float64)


def test_regret_finds_the_value_of_kuhn_poker() -> None:
    """Three cards, a bet of one: the first player loses 1/18 a game (Kuhn 1950)."""
    players = [np.full((2, 6), 0.5, np.float32) for _ in range(2)]
    learners = [_Learner(2, 6) for _ in range(2)]
    for step in range(1, 3001):
        for seat in range(2):
            values, reach = _kuhn(players, seat)
            learners[seat].step(step, players[seat], values, reach)
    average = [learner.average().astype(np.float32) for learner in learners]
    assert _kuhn_value(average) == pytest.approx(-1 / 18, abs=0.002)
    low, high = _kuhn_best(average, 1), _kuhn_best(average, 0)
    assert low <= -1 / 18 <= high and high - low < 0.01


SHOWDOWN = {(1, 0): 1, (2, 0): 1, (2, 1): 1, (0, 1): -1, (0, 2): -1, (1, 2): -1}


def _kuhn_ends(players: list[np.ndarray]) -> list[tuple[int, int, list[tuple[int, int, int]], float]]:
    """Cards, choices (player, set, choice) and the first player's gain of every end. Choice 0 checks or folds, 1 bets
    or calls; set c: the first choice with card c; 3 + c: first player's answer to a bet after a check, second player's
    answer to a bet."""
    ends = []
    for (one, two), win in SHOWDOWN.items():
        ends += [
            (one, two, [(0, one, 0), (1, two, 0)], 1.0 * win),
            (one, two, [(0, one, 0), (1, two, 1), (0, 3 + one, 0)], -1.0),
            (one, two, [(0, one, 0), (1, two, 1), (0, 3 + one, 1)], 2.0 * win),
            (one, two, [(0, one, 1), (1, 3 + two, 0)], 1.0),
            (one, two, [(0, one, 1), (1, 3 + two, 1)], 2.0 * win),
        ]
    return ends


def _kuhn(players: list[np.ndarray], seat: int) -> tuple[np.ndarray, np.ndarray]:
    """Values of the choices of a player by set, weighed by how the other reaches it, and his own reach of each set."""
    values, reach = np.zeros((2, 6)), np.ones(6)
    sign = 1 if seat == 0 else -1
    for _, _, choices, gain in _kuhn_ends(players):
        others = math.prod(players[who][choice, where] for who, where, choice in choices if who != seat)
        mine = [(where, choice) for who, where, choice in choices if who == seat]
        for place, (where, choice) in enumerate(mine):
            later = math.prod(players[seat][c, w] for w, c in mine[place + 1 :])
            values[choice, where] += sign * gain * others * later / 6
    if seat == 0:
        reach[3:] = players[0][0, :3]
    return values, reach


def _kuhn_value(players: list[np.ndarray]) -> float:
    return sum(
        gain * math.prod(float(players[who][choice, where]) for who, where, choice in choices) / 6
        for _, _, choices, gain in _kuhn_ends(players)
    )


def _kuhn_best(players: list[np.ndarray], seat: int) -> float:
    """The first player's gain when ``seat`` plays the best of his 64 plain strategies."""
    found = []
    for plan in range(64):
        pure = np.array([[1 - (plan >> where & 1) for where in range(6)], [plan >> where & 1 for where in range(6)]])
        found.append(_kuhn_value([pure, players[1]] if seat == 0 else [players[0], pure]))
    return max(found) if seat == 0 else min(found)


# --- the best answer, and values of cards -----------------------------------------------------------------------------


def test_nobody_takes_anything_from_best_play() -> None:
    bounds = ns.solve("noddy").bounds
    assert ns.exact.best("noddy", "optimal", "pone").value == pytest.approx(bounds.high, abs=1e-12)
    assert ns.exact.best("noddy", "optimal", "dealer").value == pytest.approx(-bounds.low, abs=1e-12)


@pytest.mark.long
def test_best_answer_beats_every_strategy_that_tries() -> None:
    best = ns.exact.best("noddy", "greedy", "pone")
    tried = [ns.exact.play("noddy", name, "greedy").margin for name in ("greedy", "careful", "optimal")]
    assert best.value > max(tried)
    assert best.gain is not None and best.gain == pytest.approx(best.value - ns.solve("noddy").value)
    with pytest.raises(InputError, match="pone or dealer"):
        ns.exact.best("noddy", "greedy", "eldest")


def test_values_of_leads_add_up_to_the_best_answer() -> None:
    """What a perfect pone gets is what the best lead of every hand is worth, weighed by the ways to be dealt it."""
    starter = 6
    low = player_of(GAME, "low")
    values, ways = Values(GAME, 0, starter, low), deals_of(3, starter)
    total = 0.0
    for number, hand in enumerate(map(tuple, hands_of(3).tolist())):
        if len(set(hand)) > 1:
            total += max(one.value or 0.0 for one in values.at(Position(0, hand, starter))) * ways[number].sum()
        else:
            # A lead that is no choice has no value of its own: the sum of all deals with it.
            total += float(values._firsts[0, hand[0] * 91 + 78 + hand[0]]) / SUITS
    assert total == pytest.approx(exactplay.best_sum(GAME, low.book(starter), starter, 0) / SUITS, rel=1e-7)


def test_values_of_a_choice_are_those_of_a_plain_count() -> None:
    """Against a player who lays his lowest card: every hand he can hold, played out in plain words."""
    starter, hand, laid = 7, (8, 12), (4, 2)
    found = {one.rank: one.value for one in card_values(NODDY, Position(0, hand, starter, laid), "low")}
    mine = tuple(sorted((*hand, laid[0])))
    for rank, value in found.items():
        total = deals = 0
        for theirs in map(tuple, hands_of(3).tolist()):
            ways = plain_play.weight(mine, theirs, starter)
            if min(theirs) != laid[1] or not ways:
                continue
            state = plain_play.State((mine, theirs)).lay(laid[0]).lay(laid[1]).lay(rank)
            while state.end() is None:
                ranks = state.legal()
                state = state.lay(ranks[0]) if ranks else state.go()
            total += ways * (state.end() or 0)
            deals += ways
        assert value == pytest.approx(total / deals, abs=1e-6)


def test_chances_of_best_play_add_up() -> None:
    for position in (Position(0, (4, 9, 12), 7), Position(1, (2, 3, 9), 7, (0,)), Position(1, (9, 12), 7, (11, 11, 8))):
        chances = card_chances(NODDY, position)
        assert sum(chances.values()) == pytest.approx(1.0)
        assert set(chances) == set(position.hand)


@pytest.mark.parametrize(
    ("position", "says"),
    [
        ({"seat": 0, "hand": (4, 4, 4), "starter": 4, "laid": (4, 4)}, "there are four"),
        ({"seat": 0, "hand": (13, 4, 4), "starter": 4}, "no rank has the number 13"),
        ({"seat": 2, "hand": (3, 4, 4), "starter": 4}, "the pone is 0"),
        ({"seat": 1, "hand": (3, 4, 4), "starter": 4}, "cannot be the dealer's turn"),
        ({"seat": 1, "hand": (0, 3), "starter": 5, "laid": (9, 10, 4, 2)}, "cannot have laid 3 before it"),
        ({"seat": 1, "hand": (8, 9), "starter": 5, "laid": (9, 10, 11, 2)}, "3 does not fit"),
    ],
)
def test_positions_that_cannot_come_up_are_refused(position: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        card_values(NODDY, Position(**position), "low")  # type: ignore[arg-type]


# --- functions --------------------------------------------------------------------------------------------------------


def lowest(seat: int, hand: np.ndarray, laid: np.ndarray, count: int) -> int:
    return int(hand[0])


def highest(seat: int, hand: np.ndarray, laid: np.ndarray, count: int) -> int:
    return int(hand[-1])


def text(seat: int, hand: np.ndarray, laid: np.ndarray, count: int) -> str:
    return "no rank"


def test_a_function_plays_like_the_data_that_says_the_same() -> None:
    mine, data = ns.exact.play("noddy", lowest, "greedy"), ns.exact.play("noddy", "low", "greedy")
    assert (mine.pone, mine.dealer) == pytest.approx((data.pone, data.dealer), abs=1e-11)
    assert mine.pone_name == "lowest"


def test_a_function_that_breaks_the_rules_is_named_with_its_card() -> None:
    with pytest.raises(InputError, match=r"highest laid . as dealer .*would pass the limit"):
        ns.exact.play("noddy", highest, "greedy")
    with pytest.raises(InputError, match="text returned 'no rank'"):
        ns.exact.play("noddy", text, "greedy")
    with pytest.raises(InputError, match="a strategy is a function of seat, hand, laid, count"):
        ns.exact.play("noddy", lambda hand: hand[0], "greedy")


def test_functions_are_known_by_their_source_and_values() -> None:
    def made(number: int) -> functions.Callable[..., int]:
        def plays(seat: int, hand: np.ndarray, laid: np.ndarray, count: int) -> int:
            return int(hand[0]) + 0 * number

        return plays

    assert functions.identity_of(lowest) == functions.identity_of(lowest) != functions.identity_of(text)
    one, other = (functions.identity_of(made(number)) for number in (1, 2))
    assert one is not None and other is not None and one != other
    assert functions.identity_of(made(object())) is None  # type: ignore[arg-type]


# --- games ------------------------------------------------------------------------------------------------------------


def test_first_dealer_under_greedy_is_the_truth() -> None:
    found = ns.exact.game("noddy", "greedy", "greedy")
    assert found.first_dealer_wins == pytest.approx(0.5275470017, abs=5e-11)
    assert found.chances.shape == (2, 31, 31)
    # With the same strategy in both places, the other's deal is the first dealer's with the scores exchanged.
    assert np.abs(found.chances[1] - (1 - found.chances[0].T)).max() < 1e-12
    assert found.to_csv().count("\n") == 1 + 31 * 31


def test_events_of_a_line_add_up_to_its_points() -> None:
    lines = lines_of(GAME)
    for place in (0, 9 * 2197 + 4 * 169 + 80, 28_000):
        for lane in (0, 77, 100, 168):
            code, gained = int(lines.events[place, lane]), [0, 0]
            for event in code.to_bytes(6, "little"):
                gained[event >> 7] += event & 127
            assert (gained[0], gained[0] - gained[1]) == (lines.pone[place, lane], lines.margin[place, lane])
