"""Experiments on the games in which melds or sets are laid, and variants of several families beside each other."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from command_line import answer

import noddysim
from noddysim.cli import cli
from noddysim.engine import batch, melding, sets
from noddysim.engine.beside import Beside
from noddysim.engine.laying import WHOLE, LaidGames, laid_metrics, play_games
from noddysim.engine.play import replay
from noddysim.game.errors import InputError
from noddysim.game.laying import melder, setter
from noddysim.game.rules import load_variant
from noddysim.insight.balance import compare
from noddysim.insight.evidence import gather
from noddysim.insight.laying_page import meld_page, set_page
from noddysim.insight.laying_study import lay, laying_extent
from noddysim.insight.pages import Book
from noddysim.insight.parts import Parts
from noddysim.insight.report import report_files
from noddysim.insight.study import Amounts, load_experiment, load_experiments, run_experiment, silent


def saved(folder: Path, text: str) -> str:
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    return str(folder / "mine.toml")


TIPS = """\
question = "Do tips help?"
kind = "duel"
variants = ["innocence", "innocence-free"]
arms = [["wait-for-sums@most-points", "most-points"], ["sums-last@most-points", "most-points"], ["first", "random"]]
games = 300
"""

# --- duels


def test_a_file_of_tips_is_answered_like_any_other(tmp_path: Path) -> None:
    path = saved(tmp_path, TIPS)
    runs = answer("run", path)["runs"]
    assert [(run["variant"], run["arm"]) for run in runs] == [
        (variant, arm)
        for variant in ("innocence", "innocence-free")
        for arm in ("wait-for-sums@most-points", "sums-last@most-points", "first")
    ]
    assert [run["verdict"] for run in runs[:2]] == ["vacuous", "hurts"] and runs[3]["verdict"] == "helps"
    assert all(run["unit"] == "chance to win" and run["complete"] for run in runs)
    study = run_experiment(load_experiment(path, Amounts(games=100)))
    assert {duel.n for duel in study.duels} == {0, 100}
    assert [(found.variant, found.tip.name) for found in study.findings] == [
        (variant, tip) for variant in ("innocence", "innocence-free") for tip in ("wait-for-sums", "sums-last")
    ]
    alone = noddysim.duel("innocence", "sums-last@most-points", "most-points", games=300)
    assert (alone.id, alone.effect) == (runs[1]["id"], alone.effect) and runs[1]["estimate"] == alone.effect.estimate


def test_deals_and_games_of_sets_stand_side_by_side(tmp_path: Path) -> None:
    text = 'question = "?"\nkind = "duel"\nvariants = ["snitch"]\nplayers = [3]\ndeals = 60\ngames = 12\nzone = 1\n'
    arms = 'arms = [["throw-high@most-points", "most-points"]]\nagainst = ["first", "most-points"]\n'
    study = run_experiment(load_experiment(saved(tmp_path, text + arms), Amounts()))
    assert [(duel.setting.games, duel.n, duel.setting.against) for duel in study.duels] == [
        (False, 60, "first"), (False, 60, "most-points"), (True, 12, "first"), (True, 12, "most-points"),
    ]  # fmt: skip
    (found,) = study.findings
    assert len(found.deals) == len(found.games) == 2
    assert found.deals[0].zone == 1 and found.games[0].zone == 0.005
    assert found.deals[0].setting.side_names == ("eldest", "second", "dealer")


def test_users_strategies_are_found_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "patient.toml").write_text('family = "melding"\nname = "patient"\nties = "last"\n', encoding="utf-8")
    text = TIPS.replace('["first", "random"]', '["sums-last@patient.toml", "patient.toml"]')
    arms = [run["arm"] for run in answer("run", saved(tmp_path, text), "--games", "20")["runs"]]
    assert arms.count("sums-last@patient") == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("games = 300", "deals = 300"), "3:13: variants[1]: innocence is measured by games won; give games"),
        (("games = 300", ""), "3:13: variants[1]: innocence is measured by games won"),
        (('"first", "random"', '"greedy", "random"'), "arms[3][1]: no strategy of the melding game is named 'greedy'"),
        (("innocence-free", "noddy"), "arms[1][1]: unknown strategy or tip: 'most-points'"),
        (("games = 300", "games = 300\nplayers = [5]"), "players[1]: innocence is played by 2 or 3 or 4, not by 5"),
        (('"duel"', '"leads"'), "variants[1]: innocence has no play of cards to a count"),
        (
            ("games = 300", 'games = 300\nscale = "careful"'),
            "scale: no strategy of the melding game is named 'careful'",
        ),
    ],
)
def test_faults_are_named_with_their_place(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    text = TIPS.replace(*change)
    if "leads" in change[1]:
        text = 'question = "?"\nkind = "leads"\nvariants = ["innocence"]\nstrategies = ["first"]\n'
    done = CliRunner().invoke(cli, ["run", saved(tmp_path, text)])
    assert done.exit_code == 2 and done.output.count("\n") == 1
    assert said in done.output


# --- variants beside each other


def test_the_metrics_of_games_are_those_of_their_replays() -> None:
    for variant, mind in (("innocence", melder("random")), ("snitch", setter("most-points"))):
        played = play_games(load_variant(variant), [mind] * 3, 17, 0, 6)
        names, rows = laid_metrics(load_variant(variant)), played.metrics()
        for game in range(6):
            shown = replay(variant, 17, game=game, players=3, strategies=mind.name)
            events = [event for deal in shown.deals for event in deal.events]
            said = dict(zip(names, rows[game].tolist(), strict=True))
            assert said["deals"] == len(shown.deals)
            laid = [card for event in events if event.event in ("meld", "set") for card in event.cards]
            assert said["cards"] == len(laid)
            assert said["lead_changes"] == _lead_changes(shown)
            totals = sorted(_totals(shown))
            assert said["margin"] == totals[-1] - totals[-2]
            dealer = shown.deals[0].persons[-1]
            winners = getattr(shown, "winners", None) or (shown.winner,)
            assert said["first_dealer"] == (WHOLE // len(winners) if dealer in winners else 0)


def _totals(shown: Any) -> list[int]:
    last = shown.deals[-1]
    return list(last.totals if hasattr(last, "totals") else last.scores)


def _lead_changes(shown: Any) -> int:
    """Over the scores after each award (of games of sets: after each deal): another is ahead of all than before."""
    states = []
    for deal in shown.deals:
        if hasattr(deal, "totals"):
            states.append(dict(enumerate(deal.totals, 1)))
        else:
            states += [dict(zip(deal.persons, event.scores, strict=True)) for event in deal.events]
    ahead = [
        max(state, key=state.__getitem__) for state in states if sorted(state.values())[-1] > sorted(state.values())[-2]
    ]
    return sum(one != other for one, other in itertools.pairwise(ahead))


def test_rows_have_every_metric_and_chances_that_add_up() -> None:
    found = answer("compare", "innocence", "innocence-flat", "--players", "2,3", "--games", "200")
    for row in found["rows"]:
        assert sum(seat["estimate"] for seat in row["seat_wins"]) == pytest.approx(1)
        assert row["edge"]["estimate"] == pytest.approx(row["seat_wins"][-1]["estimate"] - 1 / row["players"])
        assert row["strategy"] == "most-points" and row["id"]
        assert {"deals", "cards", "lead_changes", "margin", "turns", "melds", "stock_out"} <= row.keys()
    metrics = {one["metric"] for one in found["differences"]}
    assert {"edge", "deals", "cards", "lead_changes", "margin", "turns"} <= metrics
    assert all(one["paired"] for one in found["differences"])


def test_a_difference_is_that_of_the_rows() -> None:
    found = compare(["innocence", "innocence-flat", "snitch"], players=[3], games=120, seed=4)
    rows = {row.variant.name: row for row in found.rows}
    for one in found.differences:
        a, b = rows[one.a], rows[one.b]
        values = [row.edge if one.metric == "edge" else row.metrics[one.metric] for row in (a, b)]
        assert one.value.estimate == pytest.approx(values[0].estimate - values[1].estimate)
        assert one.paired == ("snitch" not in (one.a, one.b))
    across = [one.metric for one in found.differences if one.b == "snitch" and one.a == "innocence"]
    assert across == ["edge", "deals", "cards", "lead_changes", "margin"]


def test_packs_that_differ_are_not_called_the_same_cards() -> None:
    snitch = load_variant("snitch")
    two = snitch.replace(jokers=2)
    found = compare([snitch, noddysim_named(two, "two-jokers")], players=[3], games=20)
    assert not any(one.paired for one in found.differences)


def noddysim_named(variant: Any, name: str) -> Any:
    from dataclasses import replace

    return replace(variant, name=name)


def test_noddy_beside_a_game_of_melds_differs_game_by_game() -> None:
    found = compare(["noddy", "innocence"], players=[2], strategies=["greedy", "most-points"], games=400, seed=2)
    plain = compare(["noddy"], players=[2], games=400, seed=2).rows[0]
    assert found.rows[0] == plain
    edge = next(one for one in found.differences if one.metric == "edge")
    games = np.arange(400)
    noddy = [
        noddysim.replay("noddy", 2, game=int(game), players=2, strategies="greedy").winner == 2 for game in games[:60]
    ]
    melds = play_games(load_variant("innocence"), [melder("most-points")] * 2, 2, 0, 60).shares[:, 1] // WHOLE
    few = compare(["noddy", "innocence"], players=[2], games=60, seed=2).differences[0]
    by_game = np.array(noddy, int) - melds
    assert few.value.estimate == pytest.approx(by_game.mean())
    half = few.value.half_width
    assert half is not None
    assert half == pytest.approx(2.001 * by_game.std(ddof=1) / 60**0.5, rel=1e-3)
    assert edge.strategy == "greedy and most-points" and not edge.paired


def test_counts_are_the_same_for_any_chunks() -> None:
    one = LaidGames((load_variant("innocence"), load_variant("innocence-flat")), 3, melder("first"), 3)
    other = LaidGames((load_variant("snitch"),), 3, setter("first"), 3)
    both = Beside((one, other))
    assert batch.run(both, 30, workers=1, chunk=7) == batch.run(both, 30, workers=2, chunk=30)


def test_strategies_go_to_the_games_that_they_are_for(tmp_path: Path) -> None:
    text = 'question = "?"\nkind = "balance"\nvariants = ["noddy", "snitch"]\nplayers = [3]\ngames = 20\nstrategies = '
    study = run_experiment(load_experiment(saved(tmp_path, text + '["greedy", "first", "random"]'), Amounts()))
    assert study.comparison is not None
    assert [(row.variant.name, row.strategy) for row in study.comparison.rows] == [
        ("noddy", "greedy"), ("snitch", "first"), ("noddy", "random"),
    ]  # fmt: skip
    done = CliRunner().invoke(cli, ["run", saved(tmp_path, text + '["greedy"]')])
    assert done.exit_code == 2
    assert 'strategies: none of these is a strategy for Snitch; add one, for example "most-points"' in done.output
    with pytest.raises(InputError, match="greedy: no strategy for Snitch among them"):
        compare(["noddy", "snitch"], players=[3], strategies=["greedy"], games=5)


def test_the_table_of_the_command_line_tells_what_there_is() -> None:
    done = CliRunner().invoke(cli, ["compare", "innocence", "snitch", "--players", "3,4", "--games", "30"])
    assert done.exit_code == 0
    for words in ("won by eldest", "wild cards left in hand a game", "innocence - snitch", "different cards"):
        assert words in done.output


def test_the_first_dealers_share_of_a_shared_game_is_a_part() -> None:
    few = load_variant("snitch").replace(target=1, tie="share")
    shares = play_games(few, [setter("most-points")] * 3, 1, 0, 600)
    (row,) = compare([few], players=[3], games=600, seed=1).rows
    for seat, win in enumerate(row.seat_wins):
        assert win.estimate == pytest.approx(shares.shares[:, seat].mean() / WHOLE)
    assert any(win.method == "t" for win in row.seat_wins)
    assert sets.points_of_packs(few) == 1080
    assert melding.count_games(load_variant("innocence"), [melder("first")] * 2, 1, 5).column("best").min() >= 31


# --- in the report


@pytest.mark.long
def test_advice_on_melds_and_sets_stands_in_the_report_like_any_other(tmp_path: Path) -> None:
    paths = []
    for name, text in {
        "melds": TIPS,
        "sets": 'question = "?"\nkind = "duel"\nvariants = ["snitch"]\nplayers = [3]\ndeals = 12\n'
        'arms = [["spend-wilds@first", "first"], ["feed-freely@first", "first"]]\n',
        "both": 'question = "?"\nkind = "balance"\nvariants = ["snitch", "innocence"]\nplayers = [3, 4]\ngames = 12\n'
        'strategies = ["most-points"]\n',
    }.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
        paths.append(tmp_path / f"{name}.toml")
    studies = [run_experiment(one) for one in load_experiments(paths, Amounts(games=12))]
    files = report_files(Parts(studies))
    verdicts = files["verdicts.csv"].splitlines()
    told = {(line.split(",")[0], line.split(",")[2]) for line in verdicts[1:]}
    assert told == {
        ("innocence", "wait-for-sums"), ("innocence-free", "wait-for-sums"), ("innocence", "sums-last"),
        ("innocence-free", "sums-last"), ("snitch", "spend-wilds"), ("snitch", "feed-freely"),
    }  # fmt: skip
    page = files["index.md"]
    for words in ("Wait for the sums", "Spend wild cards", "Do not watch the next player", "(the melding game)"):
        assert words in page
    assert (
        "The Innocence (Noddy) with three and four players" in files["balance.md"]
        and "points a deal by seat" not in files["balance.md"].lower()
    )
    record = json.loads(files["provenance.json"])
    assert record["strategies of Snitch"]["first"]["rule"]["use"] == "hand" and record["strategies"] == {}
    book, laid = Book(gather(studies), "noddysim report"), lay(laying_extent(games=40), silent)
    melds, sets = meld_page(book, laid), set_page(book, laid)
    assert [table.name for table in melds.tables()][-1] == "innocence-advice"
    assert [row[5].text for row in sets.tables()[-1].rows] == ["already-followed"] * 2
