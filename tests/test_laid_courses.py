"""Comebacks and head starts in the games in which melds or sets are laid, against their own logs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from table_games import meld_game

from noddysim.engine import melding, sets
from noddysim.engine.courses import GAP_STEP
from noddysim.game.laying import melder, setter
from noddysim.game.rules import load_variant
from noddysim.insight.balance import compare
from noddysim.insight.course_blocks import comeback_tables
from noddysim.insight.handicap import handicap

MELDS, SETS = load_variant("innocence"), load_variant("snitch")
Start = tuple[int, ...]
"""Scores by person."""


def starts_of_melds(players: int, strategy: str, game: int) -> tuple[list[Start], int]:
    """Scores as each round of turns after the first begins, read from the log of a game; and who has won it."""
    events, _ = meld_game(MELDS, [melder(strategy)] * players, 5, game)
    scores, persons = [0] * players, list(range(players))
    found: list[Start] = []
    begins = False
    for event in events:
        name = event[0]
        if name == "deal":
            persons = [(event[2] + 1 + seat) % players for seat in range(players)]
            begins = event[1] > 0
        elif name in ("deal_end", "game"):
            begins = False
        elif name in ("meld", "draw", "pass", "reshuffle") and begins:
            found.append(tuple(scores))
            begins = False
        if name in ("jack", "meld"):
            scores[persons[event[1]]] += event[-1]
        if name in ("draw", "fill", "pass") and event[1] == players - 1:
            begins = True
    return found, events[-1][1]


def counted(games: Sequence[tuple[list[Start], int]], step: int) -> dict[int, list[int]]:
    """Comebacks by place: games, won, times, and the products, worked out from starts and winners."""
    found: dict[int, list[int]] = {}
    for starts, winner in games:
        here: dict[int, list[int]] = {}
        for scores in starts:
            for person, score in enumerate(scores):
                gap = max(other for place, other in enumerate(scores) if place != person) - score
                if gap >= 0:
                    entry = here.setdefault(-(-gap // step), [0, 0])
                    entry[0] += 1
                    entry[1] += person == winner
        for place, (times, won) in here.items():
            new = [1, won, times, won * won, won * times, times * times]
            found[place] = [a + b for a, b in zip(found.get(place, [0] * 6), new, strict=True)]
    return found


def as_dict(comebacks: np.ndarray) -> dict[int, list[int]]:
    return {place: comebacks[place].tolist() for place in np.flatnonzero(comebacks[:, 0]).tolist()}


@pytest.mark.parametrize(("players", "strategy"), [(2, "most-points"), (3, "first"), (4, "fewest-cards")])
def test_comebacks_of_melds_are_those_of_the_log(players: int, strategy: str) -> None:
    games = [starts_of_melds(players, strategy, game) for game in range(150)]
    found = melding.count_games(MELDS, [melder(strategy)] * players, 5, 150)
    assert found.column("winner").tolist() == [winner for _, winner in games]
    assert as_dict(found.comebacks) == counted(games, 1)


def test_comebacks_of_sets_are_those_of_the_scores_after_each_deal() -> None:
    minds = [setter("most-points"), setter("first"), setter("first")]
    games = []
    for number in range(25):
        game = sets.replay_sets(SETS, 5, number, 3, minds, True)
        (winner,) = game.winners
        games.append(([tuple(deal.totals) for deal in game.deals[:-1]], winner - 1))
    assert as_dict(sets.count_games(SETS, minds, 5, 25).comebacks) == counted(games, GAP_STEP)


def test_a_head_start_for_all_is_a_nearer_target() -> None:
    minds = [melder("most-points")] * 3
    shorter = melding.count_games(MELDS.replace(target=21), minds, 3, 200)
    given = melding.count_games(MELDS, minds, 3, 200, head_start=[10] * 3)
    assert np.array_equal(given.column("winner"), shorter.column("winner"))
    assert np.array_equal(given.column("best"), shorter.column("best") + 10)
    players = [setter("most-points")] * 3
    nearer = sets.count_games(SETS.replace(target=600), players, 3, 30)
    ahead = sets.count_games(SETS, players, 3, 30, head_start=[400] * 3)
    assert np.array_equal(ahead.totals, nearer.totals + 400)


def test_a_head_start_by_seat_is_that_of_the_person_who_sits_there() -> None:
    players = [setter("most-points")] * 3
    by_seat = sets.count_games(SETS, players, 3, 40, head_start=[0, 0, 300], by_seat=True)
    for dealer in range(3):
        by_person = sets.count_games(SETS, players, 3, 40, head_start=[300 * (one == dealer) for one in range(3)])
        here = by_seat.column("first_dealer") == dealer
        assert here.any() and np.array_equal(by_seat.totals[here], by_person.totals[here])


def test_fair_handicaps_of_melds_and_sets() -> None:
    seats = handicap(MELDS, 2, games=3_000)
    assert seats.points is not None and seats.points.high is not None and seats.points.high < 0
    assert "points of head start that the pone gives the first dealer the game is even" in seats.words(terminal=True)
    assert "The Innocence" in seats.words()
    alike = handicap(SETS, 3, between=("first", "first"), games=30)
    assert alike.chances[0].estimate == 0
    skill = handicap(MELDS, 3, between=("most-points", "first"), games=1_000)
    assert skill.points is not None and skill.points.estimate > 3
    dealt = handicap(SETS, 3, games=200)
    chances = [dealt.chances[given].estimate for given in (-999, 0, 999)]
    assert chances[0] > 0.5 > chances[1] > chances[2]


def test_the_page_tells_comebacks_of_each_family_in_points_of_its_own() -> None:
    found = compare(["noddy", "innocence", "snitch"], players=[3], games=400)
    tables = comeback_tables(found.rows, "")
    assert [table.name for table in tables] == [
        "balance-comebacks", "balance-comebacks-melding", "balance-comebacks-sets",
    ]  # fmt: skip
    assert tables[2].columns[4].head == "51 to 100 behind"
    rows = {row.variant.name: row.to_json() for row in found.rows}
    assert [rows[name]["comeback_step"] for name in ("noddy", "innocence", "snitch")] == [1, 1, GAP_STEP]
    for name in ("innocence", "snitch"):
        chances = {one["behind"]: one["estimate"] for one in rows[name]["comebacks"]}
        assert chances[min(chances)] > chances[max(chances)]
