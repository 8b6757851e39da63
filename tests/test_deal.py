"""Whole deals and games: heels, play and show in order, the target looked at after each award, and who deals next."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import bugs_cases
import numpy as np
import pytest
import reference
import table
from bugs_cases import NODDY, NONE, DealCase, Differences, rules_with
from hypothesis import given
from hypothesis import strategies as st

from noddysim.kernels.noddy import (
    CARDS,
    FIELDS,
    LEAD_CHANGES,
    MARGIN,
    N_DEALS,
    PHASE,
    SOURCES,
    WINNER,
    WINNER_SEAT,
    next_dealer,
)
from noddysim.kernels.records import PLAY_KINDS, SHOW_KINDS

Result = tuple[list[int], int | None, str | None]
DealFunction = Callable[[DealCase], Result]


def by_kernel(case: DealCase) -> Result:
    """Scores, winner and phase of a case by the kernels."""
    hands = reference.read_hands(case.hands)
    game = table.game_with(case.rules, len(hands))
    result = table.in_order(game, hands, reference.read_card(case.starter), case.before, case.target)
    return result.scores, result.winner, result.phase


class DeafBoard(reference.Board):
    """Fault 24: the show is counted to its end, and then the lowest seat at the target is the winner."""

    def award(self, phase: str, seat: int, points: reference.Points) -> bool:
        if phase != "show":
            return super().award(phase, seat, points)
        self.scores[seat] += sum(points.values())
        at_target = [seat for seat, score in enumerate(self.scores) if self.target and score >= self.target]
        if seat == len(self.scores) - 1 and at_target:
            self.winner, self.phase = at_target[0], phase
        return False


def past_the_target(case: DealCase) -> Result:
    """The same by the faulty twin."""
    hands = reference.read_hands(case.hands)
    board = DeafBoard(list(case.before), case.target)
    chooser = reference.in_order(hands)
    reference.play_deal_with(hands, reference.read_card(case.starter), rules_with(case.rules), board, chooser)
    return board.scores, board.winner, board.phase


def agrees(case: DealCase, deal: DealFunction) -> bool:
    """Whether a way to deal gives what the case says."""
    scores, winner, phase = deal(case)
    return (tuple(scores), winner, phase) == (case.after, case.winner, case.phase)


@pytest.mark.parametrize("case", bugs_cases.DEAL_CASES, ids=lambda case: case.id)
def test_stops_at_the_point_that_reaches_the_target(case: DealCase) -> None:
    assert agrees(case, by_kernel)


def test_a_show_counted_past_the_target_is_found_out() -> None:
    wrong = {case.id for case in bugs_cases.DEAL_CASES if not agrees(case, past_the_target)}
    assert wrong == {"B24 show first", "B24 play first"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_target_stops_a_deal_at_the_award_that_reaches_it(players: int) -> None:
    game = table.noddy_game(players)
    strategies = ["greedy-random", "high", "greedy-safe", "low"][:players]
    for number in range(12):
        starter, hands = reference.deal(2, number, players)
        key = reference.deal_key(2, number)
        board = reference.Board([0] * players)
        chooser = reference.by_strategies([table.as_data(one) for one in strategies], starter, key)
        whole = reference.play_deal_with(hands, starter, NODDY, board, chooser)
        for target in range(1, max(whole.scores) + 1):
            scores = [0] * players
            for award in whole.awards:
                scores[award.seat] += sum(award.points.values())
                if scores[award.seat] >= target:
                    break
            result = table.by_strategies(game, hands, starter, strategies, key, target=target)
            assert (result.scores, result.winner, result.phase) == (scores, award.seat, award.phase)
        result = table.by_strategies(game, hands, starter, strategies, key, target=max(whole.scores) + 1)
        assert (result.scores, result.winner, result.phase) == (whole.scores, None, None)


# ---------------------------------------------------------------------------------------------------------------------
# Heels and the show


TWO, THREE, FOUR = (
    "5h 2s 2c / 4c 6d 5c",
    "5h 2s 2c / 4c 6d 5c / 9h 9d 9s",
    "5h 2s 2c / 4c 6d 5c / 9h 9d 9s / Ks Qs Ts",
)


def heels(turned: Sequence[dict[str, object]], hands: str, starter: str) -> list[int]:
    cards = reference.read_hands(hands)
    differences: Differences = {"turned": list(turned)}
    return table.in_order(table.game_with(differences, len(cards)), cards, reference.read_card(starter)).heels


def test_heels_go_to_the_dealer() -> None:
    for hands in (TWO, THREE, FOUR):
        n = hands.count("/") + 1
        for starter in ("JC", "JD", "JH", "JS"):
            assert heels(NODDY["turned"], hands, starter) == [0] * (n - 1) + [1]
        for starter in ("TC", "QD", "KH", "5S", "AS"):
            assert heels(NODDY["turned"], hands, starter) == [0] * n
    # At once: a dealer who is one short wins before a card is laid.
    result = table.in_order(
        table.noddy_game(2), reference.read_hands(TWO), reference.read_card("JD"), scores=(30, 30), target=31
    )
    assert (result.winner, result.phase, result.laid, result.scores) == (1, "heels", [], [30, 31])


def test_heels_may_go_to_others() -> None:
    def jack(to: str, points: int) -> dict[str, object]:
        return {"rank": "J", "to": to, "points": points}

    assert heels([jack("eldest", 3)], TWO, "JC") == [3, 0]
    assert heels([jack("eldest", 3)], FOUR, "JC") == [3, 0, 0, 0]
    assert heels([jack("opponents", 2)], TWO, "JC") == [2, 0]
    assert heels([jack("opponents", 2)], THREE, "JC") == [2, 2, 0]
    assert heels([jack("opponents", 2)], FOUR, "JC") == [2, 2, 2, 0]
    # Several at once, and another rank beside the jack.
    both = [jack("dealer", 4), jack("eldest", 1), {"rank": "2", "to": "dealer", "points": 5}]
    assert heels(both, THREE, "JC") == [1, 0, 4]
    assert heels(both, THREE, "2D") == [0, 0, 5]
    assert heels(both, THREE, "3D") == [0, 0, 0]
    # Each opponent's points are an award: the eldest wins first.
    game = table.game_with({"turned": [jack("opponents", 2)]}, 3)
    hands = reference.read_hands(THREE)
    result = table.in_order(game, hands, reference.read_card("JD"), scores=(28, 29, 0), target=31)
    assert (result.winner, result.scores) == (1, [30, 31, 0])


def test_jack_turned_is_no_nob() -> None:
    # Nob is for a jack in hand; the turned jack still pairs, runs and makes fifteens.
    hands = reference.read_hands("5h 2s Jc / Tc Qd Kc")
    result = table.in_order(table.noddy_game(2), hands, reference.read_card("JD"))
    assert result.heels == [0, 1]
    nothing = dict.fromkeys(SHOW_KINDS, 0)
    assert result.shows[0] == {**nothing, "fifteens": 4, "pairs": 2}
    assert result.shows[1] == {**nothing, "runs": 4}


def test_show_goes_from_eldest_to_dealer() -> None:
    # With the king the hands make 4, 7 and 6. Each seat in turn is the first who can reach the target in the show.
    hands, starter = reference.read_hands(THREE), reference.read_card("KD")
    shown = table.in_order(table.noddy_game(3), hands, starter)
    totals = [sum(show.values()) for show in shown.shows]
    assert totals == [4, 7, 6]
    played = [sum(gain.values()) for gain in shown.gains]
    for winner in range(3):
        before = [31 - played[seat] - (totals[seat] if seat >= winner else totals[seat] + 1) for seat in range(3)]
        result = table.in_order(table.noddy_game(3), hands, starter, scores=before, target=31)
        assert (result.winner, result.phase) == (winner, "show")
        after = [before[seat] + played[seat] + (totals[seat] if seat <= winner else 0) for seat in range(3)]
        assert result.scores == after


@pytest.mark.parametrize("order", list(itertools.permutations(["heels", "play", "show"])), ids="-".join)
def test_order_is_a_rule(order: tuple[str, str, str]) -> None:
    # Everybody needs one point more than nothing, so the first phase that pays the dealer ends the deal.
    game = table.game_with({"order": list(order)}, 2)
    hands = reference.read_hands("2h 4s 6c / 5h Jc 5d")
    result = table.in_order(game, hands, reference.read_card("JD"), scores=(0, 30), target=31)
    assert (result.winner, result.phase) == (1, order[0])
    rest = {"heels": result.heels[1], "play": sum(result.gains[1].values()), "show": sum(result.shows[1].values())}
    assert [phase for phase, points in rest.items() if points] == [order[0]]


def test_sources_add_up() -> None:
    counts = table.count_deals(table.noddy_game(3), ["greedy", "lookahead", "random"], 7, 0, 3_000)
    sums = (counts * np.arange(counts.shape[2])).sum(axis=2)
    by_name = dict(zip(SOURCES, sums.T, strict=True))
    assert (counts.sum(axis=2) == 3_000).all()
    assert (by_name["play"] == sum(by_name[kind] for kind in PLAY_KINDS)).all()
    assert (by_name["show"] == sum(by_name[f"show_{kind}"] for kind in SHOW_KINDS)).all()
    assert (by_name["deal"] == by_name["heels"] + by_name["play"] + by_name["show"]).all()


def test_points_by_lead_are_points_of_the_play() -> None:
    game, strategies = table.noddy_game(3), ["random", "greedy", "lookahead"]
    by_lead = table.count_by_lead(game, strategies, 5, 0, 4_000).reshape(13, 3, 3, -1)
    by_source = table.count_deals(game, strategies, 5, 0, 4_000)
    for column, source in enumerate(("fifteen", "thirtyone", "play")):
        assert np.array_equal(by_lead[:, :, column].sum(axis=0), by_source[:, SOURCES.index(source)])
    # Rank by rank, from the deals themselves.
    expected = np.zeros_like(by_lead)
    for number in range(300):
        key = reference.deal_key(5, number)
        starter, hands = table.dealt(game, key)
        result = table.by_strategies(game, hands, starter, strategies, key)
        for seat, gain in enumerate(result.gains):
            row = expected[result.laid[0].card // 4, seat]
            for column, points in enumerate((gain["fifteen"], gain["thirtyone"], sum(gain.values()))):
                row[column, points] += 1
    assert np.array_equal(table.count_by_lead(game, strategies, 5, 0, 300).reshape(by_lead.shape), expected)


# ---------------------------------------------------------------------------------------------------------------------
# Games


def twin_rows(seed: int, number: int, players: int, rules: Differences, strategies: Sequence[str]) -> list[list[int]]:
    """What the kernel should record, by the twin: all columns but the cards changed, which nobody watches here."""
    rows = []
    for game in range(number):
        twin = reference.play_game(seed, game, players, rules_with(rules), [table.as_data(one) for one in strategies])
        second = max(score for person, score in enumerate(twin.scores) if person != twin.winner)
        row = {
            "winner": twin.winner,
            "deals": twin.deals,
            "cards": twin.cards,
            "lead_changes": twin.lead_changes,
            "phase": table.PHASES.index(twin.phase),
            "margin": twin.scores[twin.winner] - second,
            "changed": 0,
            "winner_seat": (twin.winner - twin.dealers[-1] - 1) % players,
            "second": twin.second,
        }
        rows.append([row[name] for name in FIELDS])
    return rows


HEAD_START: Differences = {"head_start": {"eldest": 3, "second": 1, "third": 0, "dealer": 2}}
GAMES: list[tuple[str, Differences]] = [
    ("noddy", NONE),
    ("deal passes to the right", {"next_dealer": "right", "target": 15}),
    ("one dealer", {"next_dealer": "same"}),
    ("lowest deals", {"next_dealer": "lowest", "target": 25}),
    ("highest deals", {"next_dealer": "highest", "target": 25}),
    ("head start", {**HEAD_START, "target": 21}),
    ("head start to the pone", {"head_start": {"eldest": 12}, "next_dealer": "lowest", "target": 13}),
    ("jack to the opponents", {"turned": [{"rank": "J", "to": "opponents", "points": 2}], "target": 9}),
    ("show first", {"order": ["heels", "show", "play"], "target": 61}),
    ("four cards, one pile", {"hand": 4, "play": {"piles": "single", "thirtyone_extra": 2}, "target": 61}),
]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("name", "rules"), GAMES, ids=[name for name, _ in GAMES])
def test_games_equal_the_twin(name: str, rules: Differences, players: int) -> None:
    strategies = ["greedy-random", "low", "random", "greedy-high"][:players]
    number = 12
    rows = table.record_games(table.game_with(rules, players), strategies, 31, 0, number)
    assert rows.tolist() == twin_rows(31, number, players, rules, strategies)


def test_head_start_counts_by_seat_of_the_first_deal() -> None:
    # One point short of the target: eldest of three has it before the others in nearly every game.
    rules: Differences = {"head_start": {"second": 30}}
    rows = table.record_games(table.game_with(rules, 3), ["greedy"] * 3, 2, 0, 2_000)
    assert np.bincount(rows[:, WINNER], minlength=3)[1] > 1_900
    assert rows[:, N_DEALS].max() <= 3
    # With two players there is no second seat, and its start reaches nobody.
    two = [table.record_games(table.game_with(one, 2), ["greedy"] * 2, 2, 0, 200) for one in (NONE, rules)]
    assert np.array_equal(*two)


@given(
    st.lists(st.integers(0, 6), min_size=2, max_size=4), st.sampled_from(["left", "right", "same", "lowest", "highest"])
)
def test_who_deals_next(scores: list[int], way: str) -> None:
    n = len(scores)
    rules = table.game_with({"next_dealer": way}, n).rules
    for dealer in range(n):
        found = next_dealer(rules, n, dealer, np.array(scores))
        assert found == reference.next_dealer({"next_dealer": way}, dealer, scores)


def test_of_equal_scores_the_first_clockwise_deals() -> None:
    for way, scores, dealer, next_one in (
        ("lowest", [4, 4, 9, 4], 1, 3),
        ("lowest", [9, 4, 9, 9], 1, 1),
        ("lowest", [5, 5, 5, 5], 3, 0),
        ("highest", [9, 4, 9, 4], 0, 2),
        ("highest", [9, 4, 4, 4], 0, 0),
    ):
        rules = table.game_with({"next_dealer": way}, 4).rules
        assert next_dealer(rules, 4, dealer, np.array(scores)) == next_one


@pytest.mark.parametrize("players", [2, 3, 4])
def test_deal_passes_to_the_left(players: int) -> None:
    # Nobody but the dealer can win here, by the turned card, so who wins deal d tells who dealt it.
    # (Lists of eleven, since a run longer than its list pays one more a card.)
    rules: Differences = {
        "target": 1,
        "play": {"fifteen": 0, "thirtyone": 0, "same_rank": [0, 0, 0], "run": [0] * 11, "last": 0},
        "show": {
            "fifteen": 0, "same_rank": [0, 0, 0], "run": [0] * 11, "hand_flush": "off", "nob": 0,
        },
    }  # fmt: skip
    for way, step in (("left", 1), ("right", -1), ("same", 0)):
        game = table.game_with({**rules, "next_dealer": way}, players)
        rows = table.record_games(game, ["low"] * players, 4, 0, 300)
        dealers = (players - 1 + step * (rows[:, N_DEALS] - 1)) % players
        assert np.array_equal(rows[:, WINNER], dealers)
        assert (rows[:, WINNER_SEAT] == players - 1).all() and (rows[:, PHASE] == 0).all()
        assert (rows[:, MARGIN] == 1).all() and (rows[:, LEAD_CHANGES] == 0).all()
        assert np.array_equal(rows[:, CARDS], 3 * players * (rows[:, N_DEALS] - 1))
        assert len(set(rows[:, N_DEALS])) > 10


def test_lead_changes_of_a_deal() -> None:
    # The last card, 1 to the dealer; then the shows, 4 to the pone and 7 to the dealer. A tie leaves the leader.
    hands, starter = reference.read_hands(TWO), reference.read_card("KD")
    for before in ((0, 0), (1, 0), (0, 1), (5, 3), (3, 9)):
        result = table.in_order(table.noddy_game(2), hands, starter, scores=before)
        board = reference.Board(list(before))
        twin = reference.play_deal_with(hands, starter, NODDY, board, reference.in_order(hands))
        scores, leaders = list(before), []
        for award in [None, *twin.awards]:
            if award is not None:
                scores[award.seat] += sum(award.points.values())
            if scores[0] != scores[1]:
                leaders.append(scores.index(max(scores)))
        assert result.lead_changes == sum(one != other for one, other in itertools.pairwise(leaders))
