"""Duels and pages of the games in which melds or sets are laid."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from command_line import answer

from noddysim.cli import cli
from noddysim.engine import sets
from noddysim.engine.laying import WHOLE, LayingDuel, play_deals, play_games
from noddysim.engine.play import replay
from noddysim.game.errors import InputError
from noddysim.game.laying import melder, setter
from noddysim.game.rules import load_variant
from noddysim.insight.document import Group
from noddysim.insight.duels import duel
from noddysim.insight.evidence import gather
from noddysim.insight.laying_page import meld_page, set_page
from noddysim.insight.laying_study import LayingStudy, lay, laying_extent
from noddysim.insight.pages import Book
from noddysim.insight.render import to_html, to_markdown

# ---------------------------------------------------------------------------------------------------------------------
# Duels


@pytest.mark.parametrize("variant", ["innocence", "snitch"])
def test_a_strategy_gains_nothing_on_itself(variant: str) -> None:
    found = duel(load_variant(variant), "most-points", "most-points", against="first", games=300)
    assert found.effect.estimate == 0
    assert found.gained.estimate == found.lost.estimate == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_somebody_wins_every_game(players: int) -> None:
    rows = play_games(load_variant("innocence"), [melder("random")] * players, 5, 0, 500).shares
    assert rows.shape == (500, players)
    assert (rows.sum(axis=1) == WHOLE).all() and (rows.max(axis=1) == WHOLE).all()


def test_a_shared_game_is_shared() -> None:
    few = load_variant("snitch").replace(target=1, tie="share")
    rows = play_games(few, [setter("most-points")] * 3, 1, 0, 4_000).shares
    assert (rows.sum(axis=1) == WHOLE).all()
    assert set(np.unique(rows)) == {0, WHOLE // 2, WHOLE} or set(np.unique(rows)) == {0, WHOLE // 3, WHOLE // 2, WHOLE}


def test_margins_cancel_out() -> None:
    rows, _ = play_deals(load_variant("snitch"), [setter("first"), *[setter("most-points")] * 3], 3, 0, 200)
    assert rows.shape == (200, 4) and (rows.sum(axis=1) == 0).all()


def test_values_are_those_of_games_one_by_one() -> None:
    plain = load_variant("innocence")
    one, base = melder("fewest-cards"), melder("most-points")
    values, other = LayingDuel(plain, 3, (base, one), base, base, 11, True).values(0, 60)
    assert not values[0].any() and not other[0].any() and other[1].any()
    for person in range(3):
        minds = [base] * 3
        minds[person] = one
        tried, plainly = (play_games(plain, who, 11, 0, 60).shares[:, person] for who in (minds, [base] * 3))
        assert np.array_equal(values[1][:, person], tried - plainly)


def test_values_are_by_seat_in_the_first_deal() -> None:
    snitch, one, base = load_variant("snitch"), setter("first"), setter("most-points")
    values, _ = LayingDuel(snitch, 3, (one,), base, base, 7, True).values(0, 12)
    for game in range(12):
        dealer = replay("snitch", 7, game=game, players=3).deals[0].persons[-1] - 1
        for person in range(3):
            minds = [one if place == person else base for place in range(3)]
            won, plain = (
                sets.count_games(snitch, who, 7, game + 1, game).column("winners")[0] >> person & 1
                for who in (minds, [base] * 3)
            )
            seat = (person - dealer - 1) % 3
            assert values[0, game, seat] == WHOLE * (won - plain)


def test_chunks_add_up() -> None:
    minds = (setter("first"), setter("throw-high")), setter("most-points"), setter("first")
    whole = LayingDuel(load_variant("snitch"), 4, *minds, 2, False)
    parts = whole.count(0, 40) + whole.count(40, 100)
    assert parts == whole.count(0, 100)


def test_the_answer_of_the_command_line() -> None:
    found = answer("duel", "most-points", "first", "--variant", "innocence", "--players", "3", "--games", "2000")
    assert found["unit"] == "chance to win" and found["n"] == 2000 and found["verdict"] == "helps"
    assert found["low"] < found["estimate"] < found["high"]
    assert [seat["seat"] for seat in found["seats"]] == [1, 2, 3]
    found = answer("duel", "keep-wilds", "most-points", "--variant", "snitch", "--deals", "400")
    assert found["players"] == 3 and found["unit"] == "points a deal" and found["verdict"] == "hurts"


def test_few_duplicates_decide_nothing() -> None:
    found = duel(load_variant("innocence"), "most-points", "first", games=3)
    assert found.effect.low is None and found.verdict == "undecided"
    found = duel(load_variant("innocence"), "keep-trump-jack", "most-points", games=20)
    assert found.verdict == "undecided"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"deals": 5}, "games"),
        ({"players": 5}, "2 or 3 or 4"),
        ({"games": 0}, "whole number"),
        ({"zone": float("nan")}, "zone"),
    ],
)
def test_bad_numbers_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        duel(load_variant("innocence"), "first", "random", **given)


def test_strategies_of_another_game_are_refused() -> None:
    done = CliRunner().invoke(cli, ["duel", "greedy", "low", "--variant", "snitch"])
    assert done.exit_code == 2 and "no strategy of Snitch is named 'greedy'" in done.output


# ---------------------------------------------------------------------------------------------------------------------
# Pages


@pytest.fixture(scope="module")
def study() -> LayingStudy:
    return lay(laying_extent(games=120), lambda title, amount: lambda done: None)


def test_both_pages_answer_their_questions(study: LayingStudy) -> None:
    book = Book(gather([]), "noddysim report")
    melding, sets = meld_page(book, study), set_page(book, study)
    menu = [Group("Other games", (melding, sets))]
    assert [melding.name, sets.name] == ["innocence", "snitch"]
    assert set(book.figures) == {"innocence-wins", "snitch-wins"}
    told = to_markdown(melding, menu)
    for words in ("won by the first meld", "first to move wins", "longest game", "61 up"):
        assert words in told
    told = to_markdown(sets, menu)
    for words in ("Deals to 1000 points", "joker dealt is worth", "with 6 players"):
        assert words in told
    for page in (melding, sets):
        assert "</html>" in to_html(page, book.figures, menu)


def test_the_study_is_the_same_again(study: LayingStudy) -> None:
    assert lay(study.extent, lambda title, amount: lambda done: None) == study


def test_shares_of_a_game_add_up(study: LayingStudy) -> None:
    for one in (*study.melding, *study.readings, *study.sets):
        assert sum(win.estimate for win in one.wins) == pytest.approx(1)
        assert sum(points for _, points in one.parts.values()) > 0


def test_points_by_kind_reach_the_target(study: LayingStudy) -> None:
    plain = study.melding[0]
    assert 31 <= sum(points for _, points in plain.parts.values()) <= 62 + 31
