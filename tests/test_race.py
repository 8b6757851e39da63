"""The end of a game: payoffs against the count of whole games, states in their order, resume."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import noddysim as ns
from noddysim.cli import cli
from noddysim.engine import exactgame
from noddysim.engine import race as races
from noddysim.engine.endpay import after_deal, shows_by_own_suits, shows_with
from noddysim.engine.exactplay import Reaches
from noddysim.engine.race import Corner, State, StateBook, in_order, race
from noddysim.engine.rolled import SUITS, deals_of
from noddysim.engine.scoring import as_variant
from noddysim.engine.solution import solution_for
from noddysim.engine.solver import bounds_of_deals

STEPS = 4


@pytest.fixture(scope="module")
def game() -> ns.Variant:
    return races._game(as_variant("noddy"))


@pytest.fixture(scope="module")
def corner(game) -> Corner:
    """The corner of four, its chances anything, so that every place of them matters."""
    work = Corner(game, 4, STEPS)
    work.chances[1:, 1:] = np.random.default_rng(1).random((4, 4))
    return work


@pytest.mark.parametrize("starter", [4, 10], ids=("five", "jack"))
def test_payoffs_are_those_of_the_count_of_whole_games(game, corner, starter: int) -> None:
    """Both play for points: summed over all lines, a payoff is the chance that the race of two strategies gives."""
    needs = 3, 2
    best = solution_for(game)
    won, totals = exactgame._walk_starter(game, Reaches(game, best, best).of(starter), starter, 4)
    won = np.cumsum(np.cumsum(won, axis=1), axis=2)
    later = after_deal(needs, corner.chances)[: needs[0], : needs[1]]
    wanted = won[0, 3, 2] + (totals[:3, :2] * later).sum()
    pay = corner._pay(corner.points, needs, starter, corner._shows_with(starter))
    found = bounds_of_deals(game, deals_of(3, starter) * SUITS, best.book(starter), pay)[0]
    assert found / wanted == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("seat", [0, 1], ids=("pone", "dealer"))
def test_shows_parted_by_own_suits_add_up(game, seat: int) -> None:
    whole, parts = shows_with(game, 3, 12), shows_by_own_suits(game, 3, 12, seat)
    assert np.array_equal(sum(part.deals for part in parts), whole.deals)
    assert np.array_equal(whole.deals, deals_of(3, 3) * SUITS)
    for one, other in np.argwhere(whole.deals > 0)[::5003]:
        mixed = sum(part.chances[part.which[one, other]] * part.deals[one, other] for part in parts)
        assert np.allclose(mixed, whole.chances[whole.which[one, other]] * whole.deals[one, other])


@pytest.mark.long
def test_knowing_ones_suits_never_costs_a_perfect_player(corner: Corner) -> None:
    value, low, high, informed_low, informed_high = corner._solve_starter(corner.points, (3, 3), 9, measured=True)
    assert informed_low <= low <= value <= high <= informed_high
    assert informed_low < low or high < informed_high


def test_what_is_left_after_a_deal_is_the_others_lead() -> None:
    chances = np.arange(25).reshape(5, 5) / 100
    left = after_deal((3, 2), chances)
    assert left.shape == (4, 3)
    assert (left[3] == 1).all() and (left[:3, 2] == 0).all()
    assert left[1, 0] == 1 - chances[2, 2] and left[0, 1] == 1 - chances[1, 3]


def test_states_come_after_those_they_lead_to() -> None:
    order = in_order(3)
    assert len(set(order)) == 9
    for place, (pone, dealer) in enumerate(order):
        leads_to = {(i, j) for i in range(1, dealer + 1) for j in range(1, pone + 1)} - {(dealer, pone), (pone, dealer)}
        assert all(order.index(other) < place for other in leads_to if sum(other) < pone + dealer)


@pytest.mark.long
def test_a_small_corner_is_solved_kept_and_taken_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path))
    solve, solved = Corner.solve, []

    def counted(self: Corner, needs: tuple[int, int]) -> State:
        solved.append(needs)
        return solve(self, needs)

    monkeypatch.setattr(Corner, "solve", counted)
    first = race("noddy", 1, steps=STEPS, suits=False)
    assert solved == [(1, 1)]
    done = CliRunner().invoke(cli, ["solve", "noddy", "--race", "--corner", "1", "--steps", str(STEPS), "--json"])
    assert (done.exit_code, solved) == (0, [(1, 1)]), done.output
    state = first.states[0]
    assert json.loads(done.stdout)["states"][0]["wins"] == state.wins
    assert 0.3 < state.low <= state.wins <= state.high < 0.4
    assert first.error == state.error == max(state.high - state.wins, state.wins - state.low)
    assert state.suits is None and first.suits is None
    assert first.chances[1, 1] == state.wins != first.by_points[1, 1]
    kept = next(tmp_path.rglob("race-*.json"))
    book = StateBook(races._game(as_variant("noddy-61")), STEPS, kept=True)
    assert book.path == kept and list(book.states) == [(1, 1)], "a longer game ends like a short one"
    kept.write_text(kept.read_text(encoding="utf-8").replace('"pone": 1', '"pone": 2'), encoding="utf-8")
    assert not StateBook(races._game(as_variant("noddy")), STEPS, kept=True).states, "a damaged file counts as absent"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["noddy", "--race", "--corner", "0"], "--corner 0: from 1 to the target, 31"),
        (["noddy", "--race", "--steps", "0"], "--steps 0: at least 1"),
        (["noddy", "--corner", "3"], "belong to --race"),
        (["noddy-four", "--race"], "hands have 4 cards"),
    ],
    ids=("corner", "steps", "no race", "four cards"),
)
def test_what_cannot_be_solved_is_refused(arguments: list[str], says: str) -> None:
    done = CliRunner().invoke(cli, ["solve", *arguments])
    assert (done.exit_code, done.stdout) == (2, "") and says in done.stderr


# --- the shipped end --------------------------------------------------------------------------------------------------


@pytest.fixture
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_the_end_of_the_game_is_shipped(game, nothing_kept: None) -> None:
    states = StateBook(game, races.STEPS, True).states
    assert sorted(states) == sorted(in_order(races.CORNER))
    for state in states.values():
        assert 0 <= state.low <= state.wins <= state.high <= 1
        assert (state.suits is None) == (state.pone != state.dealer)
    found = races.ending(as_variant("noddy"))
    assert found is not None and found.error < 0.0025
    chances = found.chances
    assert [chances[needs] for needs in states] == [state.wins for state in states.values()]
    # To need less is better, or no worse (but for rounding) where a game is lost anyhow.
    assert (np.diff(chances[1:, 1:], axis=0) < 1e-12).all() and (np.diff(chances[1:, 1:], axis=1) > -1e-12).all()
    assert races.ending(as_variant("noddy"), steps=races.STEPS + 1) is None, "nobody has solved it so"


def test_who_plays_to_win_is_asked_only_where_both_need_little(nothing_kept: None) -> None:
    found = races.ending(as_variant("noddy"))
    assert found is not None
    assert found.racer((12, 12)) is not None and found.racer((12, 13)) is None and found.racer((0, 5)) is None


@pytest.mark.long
def test_the_end_is_the_same_for_every_target(nothing_kept: None) -> None:
    one, other = races.ending(as_variant("noddy")), races.ending(as_variant("noddy").replace(target=40))
    assert one is not None and other is not None
    assert np.array_equal(one.chances[1:13, 1:13], other.chances[1:13, 1:13])
    assert other.chances[31, 31] == pytest.approx(one.chances[31, 31], abs=1e-12), "needs decide, not points"
