"""Functions of the user's as strategies: in deals, in duels, in experiments, and what is refused."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from command_line import answer, call
from functions_setup import FILE, written

import noddysim as ns
from noddysim.engine.games import peg_game
from noddysim.engine.measures import DealCount
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.game.strategy_data import describe_strategy
from noddysim.game.userfiles import strategy_files
from noddysim.game.userfunctions import identity_of, is_function

GAME = peg_game(load_variant("noddy"), 2)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file of functions."""
    return written(tmp_path)


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of functions that no test changes: what is asked of them once is asked for all tests."""
    return written(tmp_path_factory.mktemp("lasting"))


def refused(*arguments: str) -> str:
    """What a command line that is refused says, in one line."""
    result = call(*arguments)
    assert result.exit_code == 2 and not result.stdout, result.output
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


def highest(seat: int, hand: np.ndarray, laid: np.ndarray, count: int) -> int:
    """The highest card that fits."""
    return int(hand[np.flatnonzero(np.minimum(hand + 1, 10) + count <= 31)[-1]])


def test_a_function_lays_in_deals_what_the_data_lays_that_says_the_same(lasting: Path) -> None:
    one, other = parse_strategy(f"{lasting}:low"), parse_strategy(f"{lasting}:high")
    found = DealCount(GAME, (one, other), 3).count(0, 4000)
    data = DealCount(GAME, (parse_strategy("low"), parse_strategy("high")), 3).count(0, 4000)
    assert np.array_equal(found["by_source"], data["by_source"])
    swapped = DealCount(GAME, (other, one), 3).count(0, 4000)
    assert not np.array_equal(found["by_source"], swapped["by_source"])


@pytest.mark.long
def test_a_duel_by_a_function_is_that_by_the_data_that_says_the_same() -> None:
    mine = ns.duel("noddy", highest, "low", deals=3000, seed=4)
    data = ns.duel("noddy", "high", "low", deals=3000, seed=4)
    assert mine.arm == "highest()" and is_function("highest()")
    assert mine.effect == data.effect and mine.seats == data.seats and mine.changed == data.changed
    assert mine.id != data.id
    assert ns.duel("noddy", "high", "low", against=highest, deals=500, seed=4).effect == (
        ns.duel("noddy", "high", "low", against="high", deals=500, seed=4).effect
    )
    other = ns.duel("noddy", lambda seat, hand, laid, count: hand[0], highest, games=200, seed=4)
    assert other.effect == ns.duel("noddy", "low", "high", games=200, seed=4).effect


def test_functions_stand_in_expressions(lasting: Path) -> None:
    files = strategy_files([f"lead-low@{lasting}:turned", "greedy"])
    assert files == (lasting,)
    stacked = parse_strategy(f"lead-low@{lasting}:turned")
    assert stacked.name == "lead-low@mine.py:turned"
    assert parse_strategy(stacked.name, files) == stacked
    assert "the function mine.py:turned lays" in describe_strategy(stacked)
    assert "best play" not in describe_strategy(stacked) and "The rank turned" in stacked.summary
    limited = parse_strategy(f"{lasting}:low:lead@greedy")
    assert limited.book and limited.name == "mine.py:low:lead@greedy"
    deals = [DealCount(GAME, (parse_strategy(name),) * 2, 2).count(0, 2000) for name in (f"{lasting}:low:lead@greedy",
             "low:lead@greedy")]  # fmt: skip
    assert np.array_equal(deals[0]["by_source"], deals[1]["by_source"])


def test_files_of_one_name_are_not_taken_for_each_other(mine: Path, tmp_path: Path) -> None:
    other = tmp_path / "deeper" / "mine.py"
    other.parent.mkdir()
    other.write_text("def low(seat, hand, laid, count):\n    return hand[0]\n", encoding="utf-8")
    assert parse_strategy(f"{mine}:low") != parse_strategy(f"{other}:low")
    with pytest.raises(InputError, match="rename one of these files"):
        ns.duel("noddy", f"{mine}:low", f"{other}:low", deals=1)


@pytest.mark.parametrize(
    ("arm", "says"),
    [
        ("mine.py:heavy", "mine.py:heavy laid T as dealer with A T, after 2 T T (count 22): it would pass the limit"),
        ("mine.py:beyond", "mine.py:beyond failed as pone with A A A, on the lead (count 0): IndexError"),
        ("mine.py:half", "mine.py:half returned 0.0, not the number of a rank from 0 to 12"),
        ("mine.py:nought", "mine.py: it holds no function called nought"),
        ("mine.py:fits", "mine.py: fits: a strategy is a function of seat, hand, laid, count"),
        ("mine.py", "which of its functions? write mine.py:NAME"),
        ("none.py:low", "none.py: cannot be read"),
        ("mine.py:low:lead@optimal", "mine.py:low and optimal play by a book each"),
        ("broken.py:low", "broken.py: it cannot be run: SyntaxError"),
    ],
)
def test_faults_are_one_line(mine: Path, monkeypatch: pytest.MonkeyPatch, arm: str, says: str) -> None:
    (mine.parent / "broken.py").write_text("def low(:\n", encoding="utf-8")
    monkeypatch.chdir(mine.parent)
    assert says in refused("duel", arm, "greedy", "--deals", "10")


@pytest.mark.parametrize(
    ("where", "says"),
    [
        (["--players", "3"], "where only ranks count in the play; here 3 play"),
        (["--variant", "noddy-four"], "here hands have 4 cards"),
        (["--variant", "cribbage"], "here cards are laid away"),
        (["--variant", "snitch"], "a function can play for two players with three cards each"),
    ],
)
def test_games_that_a_function_cannot_play_are_named(mine: Path, where: list[str], says: str) -> None:
    assert says in refused("duel", f"{mine}:low", "greedy", "--deals", "10", *where)


@pytest.mark.long
def test_runs_of_a_function_are_kept_and_resumed(mine: Path) -> None:
    text = (
        'question = "High?"\nkind = "duel"\nvariants = ["noddy"]\nplayers = [2]\ndeals = 2000\nseed = 1\narms = [{}]\n'
    )
    file, store = mine.parent / "mine.toml", str(mine.parent / "kept.db")
    file.write_text(text.format('["mine.py:high", "greedy"]'), encoding="utf-8")
    first, again = (answer("run", str(file), "--store", store)["runs"][0] for _ in range(2))
    assert (first["new"], again["new"]) == (2000, 0)
    assert (
        first["estimate"] == again["estimate"] == ns.duel("noddy", "high", "greedy", deals=2000, seed=1).effect.estimate
    )
    mine.write_text(mine.read_text(encoding="utf-8").replace("best = rank", "best = max(rank, best)"), encoding="utf-8")
    changed = answer("run", str(file), "--store", store)["runs"][0]
    assert changed["new"] == 2000 and changed["id"] != first["id"]
    file.write_text(text.format('["mine.py:forgetful", "greedy"]'), encoding="utf-8")
    assert "mine.py:forgetful reads values that may be anything" in refused("run", str(file), "--store", store)
    assert ns.duel("noddy", f"{mine}:forgetful", "low", deals=500).effect.estimate == 0


def test_what_a_function_calls_and_keeps_is_part_of_it(mine: Path) -> None:
    def made(text: str) -> str | None:
        path = mine.parent / f"f{abs(hash(text))}.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        names: dict[str, object] = {}
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
        return identity_of(names["turned"])  # type: ignore[arg-type]

    whole = made(FILE)
    assert whole is not None and whole == made(FILE + "\n    OTHER = 1\n")
    assert whole != made(FILE.replace("<= 31", "<= 30")), "a function that it calls"
    assert whole != made(FILE.replace("(4, 9)", "(4, 8)")), "a value that it reads"
    assert made(FILE.replace("KEPT = (4, 9)", "KEPT = [4, 9]")) is None

    def kept(seat: int, hand: np.ndarray, laid: np.ndarray, count: int, value: object = 3) -> int:
        return int(hand[0])

    three = identity_of(kept)
    kept.__defaults__ = (4,)
    assert three is not None and three != identity_of(kept)
    kept.__defaults__ = (object(),)
    assert identity_of(kept) is None


def test_a_function_in_a_file_is_found_by_another_process_and_no_other_is(mine: Path) -> None:
    key = parse_strategy(f"{mine}:low").book
    code = (
        "import sys\nfrom noddysim.game.errors import InputError\n"
        "from noddysim.game.userfunctions import function_named\n"
        "try:\n    print(function_named(sys.argv[1]).name)\nexcept InputError as error:\n    print(error)\n"
    )

    def elsewhere(key: str) -> str:
        return subprocess.run([sys.executable, "-c", code, key], capture_output=True, text=True, check=True).stdout

    assert elsewhere(key) == "mine.py:low\n"
    assert "put it into a file" in elsewhere("highest()")
    mine.write_text(mine.read_text(encoding="utf-8") + "\nMORE = 1\n", encoding="utf-8")
    assert "the file has changed since the run began" in elsewhere(key)
