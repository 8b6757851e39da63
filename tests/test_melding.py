"""The melding game: the kernel equals the twin, the melds of a hand, replays, and what the command line says."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
import table_games
from click.testing import CliRunner
from command_line import answer

from noddysim.cli import cli
from noddysim.engine import melding
from noddysim.engine.play import replay, score
from noddysim.game import laying
from noddysim.game.errors import InputError
from noddysim.game.rules import load_variant
from noddysim.kernels import melding as kernel
from noddysim.kernels.melds import MELD_KINDS, TRUMP_BIT, new_search

# ---------------------------------------------------------------------------------------------------------------------
# The kernel and the twin


def test_games_equal_the_twin_event_by_event() -> None:
    assert table_games.compare_meld_games(500, seed=31) < 30


def melds_of(hand: list[int], trump: int, **changes: Any) -> list[tuple[int, int, int]]:
    search = new_search()
    search.held, search.trump = len(hand), trump
    search.hand[: len(hand)] = hand
    out = np.zeros((5_000, 3), np.int64)
    variant = load_variant("innocence").replace(**changes) if changes else load_variant("innocence")
    number = kernel.list_melds(melding.rules_record(variant), search, 1, out)
    assert number <= len(out)
    return [(int(mask), int(kind), int(points)) for mask, kind, points in out[:number]]


@pytest.mark.parametrize("scoring", ["single", "whole_set", "all_subsets"])
@pytest.mark.parametrize("joins", [False, True])
def test_melds_of_large_hands_equal_the_twin(scoring: str, joins: bool) -> None:
    import reference_innocence as twin

    rules = load_variant("innocence").replace(meld_scoring=scoring, trump_in_melds=joins)
    data = table_games.meld_twin_rules(rules)
    rnd = np.random.default_rng(25)
    for size in (1, 2, 3, 5, 8, 10):
        for _ in range(6):
            trump, *hand = (int(card) for card in rnd.permutation(52)[: size + 1])
            changes = {"meld_scoring": scoring, "trump_in_melds": joins}
            assert melds_of(sorted(hand), trump, **changes) == twin.melds(data, sorted(hand), trump, True)


def test_melds_come_in_order_and_the_turned_card_is_told_apart() -> None:
    found = melds_of([0, 16, 20, 24], 28, trump_in_melds=True)
    assert found == sorted(found)
    assert any(mask >> TRUMP_BIT & 1 for mask, _, _ in found)


def test_the_opening_hand_is_worth_what_it_must_be() -> None:
    """Best single meld of three cards with a card turned: all 1,082,900 cases, by renaming suits."""
    best: Counter[int] = Counter()
    rank_sets = itertools.combinations(range(52), 3)
    suits_of = {}
    for hand in rank_sets:
        names: dict[int, int] = {}
        shape = tuple((card // 4, names.setdefault(card % 4, len(names))) for card in hand)
        suits_of.setdefault(shape, [hand, 0])[1] += 1
    for hand, ways in suits_of.values():
        without = max((points for _, kind, points in melds_of(list(hand), _no_trump(hand)) if kind), default=0)
        for trump in range(52):
            if trump not in hand:
                jack = 40 + trump % 4 in hand
                best[max(without, int(jack))] += ways
    assert best == {0: 560_472, 1: 73_000, 2: 187_376, 6: 2_352, 15: 208_740, 25: 50_960}


def _no_trump(hand: tuple[int, ...]) -> int:
    """Some card that is not in a hand."""
    return next(card for card in range(52) if card not in hand)


# ---------------------------------------------------------------------------------------------------------------------
# The melds of a hand


def test_fifteen_and_run_of_one_hand() -> None:
    found = answer("score", "4H 5C 6D", "--starter", "9S", "--variant", "innocence")
    assert found["best"] == 15
    assert [(meld["kind"], meld["points"]) for meld in found["melds"]] == [("fifteen", 15), ("run", 2)]
    assert all(meld["cards"] == ["4H", "5C", "6D"] for meld in found["melds"])


@pytest.mark.parametrize(
    ("hand", "starter", "best", "kinds"),
    [
        ("2H 6C KD", "AS", 0, []),
        ("5H 5D 5C", "AS", 15, ["fifteen", "pair", "pair", "pair", "three"]),
        ("JH 4D 8C", "AH", 1, ["trump-jack"]),
        ("2H 7H QH", "AC", 1, ["suit"]),
        ("9S 9D KC QH 8C", "2C", 2, ["pair"]),
    ],
)
def test_worked_hands(hand: str, starter: str, best: int, kinds: list[str]) -> None:
    result = score(hand, starter, "innocence")
    assert isinstance(result, melding.MeldsResult)
    assert result.best == best
    assert sorted(meld.kind for meld in result.melds) == sorted(kinds)


def test_named_variants_change_the_sums_only() -> None:
    for name, points in (("innocence", 15), ("innocence-flat", 2), ("innocence-per-card", 3)):
        result = score("4H 5C 6D", "9S", name)
        assert isinstance(result, melding.MeldsResult)
        assert {meld.kind: meld.points for meld in result.melds} == {"fifteen": points, "run": 2}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("4H 5C 6D", None), "--starter"),
        (("4H 5C 4H", "9S"), "4H"),
        (("4H 5C 9S", "9S"), "9S"),
        (("", "9S"), "no cards"),
        (("4H 5C Z9", "9S"), "Z9"),
    ],
)
def test_bad_hands_are_refused_in_one_line(arguments: tuple[str, str | None], said: str) -> None:
    with pytest.raises(InputError, match=said):
        score(*arguments, "innocence")


@pytest.mark.parametrize("option", [["--crib"], ["--discard", "9S"], ["--own", "9S"], ["--stock-empty"]])
def test_options_of_other_games_are_refused(option: list[str]) -> None:
    given = ["score", "4H 5C 6D", "--starter", "8S", "--variant", "innocence", *option]
    done = CliRunner().invoke(cli, given)
    assert done.exit_code == 2
    assert option[0].lstrip("-") in done.output and done.output.count("\n") == 1


@pytest.mark.parametrize("command", [["peg", "7H 3C KD / 8S 5D 2H"], ["exact", "show"]])
def test_commands_for_pegging_games_say_so(command: list[str]) -> None:
    given = [*command, "innocence"] if command[0] == "exact" else [*command, "--variant", "innocence"]
    done = CliRunner().invoke(cli, given)
    assert done.exit_code == 2
    assert "innocence has no play of cards to a count" in done.output


# ---------------------------------------------------------------------------------------------------------------------
# Replays


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_played_again_is_the_game_of_the_kernel(players: int) -> None:
    for game in range(20):
        shown = replay("innocence", 5, game=game, players=players, strategies="random")
        assert isinstance(shown, melding.MeldReplay)
        minds = [laying.melder("random")] * players
        events, scores = table_games.meld_game(load_variant("innocence"), minds, 5, game)
        assert shown.winner - 1 == events[-1][1]
        last = shown.deals[-1]
        assert [score for _, score in sorted(zip(last.persons, last.scores, strict=True))] == scores
        assert max(scores) >= 31 and scores.index(max(scores)) == shown.winner - 1
        told = [event for deal in shown.deals for event in deal.events if event.event == "meld"]
        assert [event.points for event in told] == [event[4] for event in events if event[0] == "meld"]


def test_every_card_is_in_one_place() -> None:
    for number in range(30):
        shown = replay("innocence", 9, deal=number, players=3, strategies=["first", "most-points", "fewest-cards"])
        assert isinstance(shown, melding.MeldReplay)
        (deal,) = shown.deals
        hands = [set(hand) for hand in deal.hands]
        laid: set[str] = set()
        for event in deal.events:
            hand = hands[event.seat - 1]
            if event.event == "meld":
                assert set(event.cards) <= hand
                hand -= set(event.cards)
                laid |= set(event.cards)
            else:
                assert not any(card in other for card in event.cards for other in (*hands, laid))
                hand |= set(event.cards)
        seen = [*laid, *itertools.chain(*hands)]
        assert len(seen) == len(set(seen)) <= 52


def test_a_replay_reads_like_a_score_sheet() -> None:
    done = CliRunner().invoke(cli, ["replay", "innocence", "--seed", "1", "--game", "0"])
    assert done.exit_code == 0
    assert "Trump" in done.output and "lays" in done.output and "wins after 1 deal." in done.output


def test_unknown_strategies_are_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"'greedy'.*most-points"):
        replay("innocence", 1, deal=0, strategies="greedy")


def test_wait_for_sums_draws_where_it_may() -> None:
    kinds: Counter[str] = Counter()
    for game in range(200):
        shown = replay(load_variant("innocence").replace(must_meld=False), 3, game=game, strategies="wait-for-sums")
        assert isinstance(shown, melding.MeldReplay)
        kinds.update(event.kind for deal in shown.deals for event in deal.events if event.event == "meld")
    sums = kinds["fifteen"] + kinds["twenty-five"] + kinds["thirty-one"]
    assert sums > 0.9 * kinds.total()
    assert set(kinds) <= set(MELD_KINDS)


def test_no_field_of_a_table_has_the_name_of_something_that_arrays_have() -> None:
    """Without the compiler tables are numpy records: there such a name would mean the array's own (its size, say)."""
    from noddysim.kernels import melds, records, sets

    tables = (
        kernel.MELD_TABLE, kernel.MELDING_RULES, kernel.MELDERS, melds.SEARCH, sets.SET_TABLE, sets.SET_RULES,
        sets.SETTERS, records.PEG_RULES,
    )  # fmt: skip
    names = [one.name for table in tables for one in table]
    assert "held" in names and not [name for name in names if hasattr(np.ndarray, name)]
