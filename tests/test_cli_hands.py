"""The command line: start-up, exits, errors as one line, and the commands that look at single hands and at lists."""

from __future__ import annotations

import importlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from command_line import answer, call
from long_examples import LONG_EXAMPLES

from noddysim import __version__
from noddysim.cli import COMMANDS, cli, main
from noddysim.commands import common
from noddysim.commands.common import Group, WholeNumber, columns, prepare_streams
from noddysim.game.claims import KINDS, SEEDS, STATUSES
from noddysim.game.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
MINE = ("score", "peg", "replay", "exact", "solve", "variants", "strategies", "tips", "claims")


def text(*arguments: str) -> str:
    """What a command prints for people."""
    result = call(*arguments)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def refused(*arguments: str) -> str:
    """The one line of a command line that is refused: exit 2, nothing on standard output."""
    result = call(*arguments)
    assert result.exit_code == 2, (result.exit_code, result.stdout, result.stderr)
    assert result.stdout == ""
    assert result.stderr.startswith("noddysim: ") and result.stderr.count("\n") == 1
    return result.stderr


def process(*arguments: str, **changes: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m noddysim`` with some of the environment changed."""
    command = [sys.executable, "-m", "noddysim", *arguments]
    return subprocess.run(command, capture_output=True, cwd=ROOT, env={**os.environ, **changes})


def walk(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """A command and all commands below it, with the words that call each."""
    yield path, command
    if isinstance(command, Group):
        with click.Context(command) as ctx:
            for name in command.list_commands(ctx):
                if path or name in MINE:
                    below = command.get_command(ctx, name)
                    assert below is not None
                    yield from walk(below, (*path, name))


ALL_HELP = list(walk(cli))


# --- start-up and help ------------------------------------------------------------------------------------------------


def test_help_names_every_command_without_importing_any() -> None:
    script = (
        "import json, sys; from noddysim.cli import main\n"
        "for arguments in json.loads(sys.argv[1]):\n"
        "  assert main(arguments) == 0, arguments\n"
        "  loaded = set(sys.modules)\n"
        "  heavy = {'numba', 'numpy', 'pandas', 'scipy', 'pydantic', 'matplotlib', 'rich', 'jinja2'} & loaded\n"
        "  own = [m for m in loaded if m.startswith(('noddysim.kernels', 'noddysim.engine', 'noddysim.insight'))]\n"
        "  assert not heavy and not own, (arguments, heavy, own)\n"
    )
    asked = [[], ["--help"], ["--version"], *([name, "--help"] for name in MINE), ["exact", "show", "--help"]]
    run = subprocess.run([sys.executable, "-c", script, json.dumps(asked)], capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    _, without, with_help = run.stdout.split("Commands:\n")[:3]
    for shown in (without, with_help):
        assert [line.split()[0] for line in shown.splitlines()[: len(COMMANDS)]] == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_is_there(name: str) -> None:
    entry = COMMANDS[name]
    command = getattr(importlib.import_module(entry.module), entry.attribute)
    assert isinstance(command, click.Command)
    assert command.name == name
    assert entry.help.endswith(".") and len(entry.help) < 60
    assert "Example" in (command.epilog or "")


def test_a_command_whose_module_is_missing_breaks_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = {**COMMANDS, "duel": COMMANDS["duel"]._replace(module="noddysim.commands.nowhere")}
    monkeypatch.setattr("noddysim.cli.COMMANDS", lost)
    assert "duel" in text("--help")
    assert text("score", "5H 5D 5C", "--starter", "5S")
    result = call("duel")
    assert result.exit_code == 1 and "noddysim.commands.nowhere" in result.stderr


@pytest.mark.parametrize(
    ("path", "command"), ALL_HELP, ids=lambda value: " ".join(value) if type(value) is tuple else ""
)
def test_every_help_has_an_example_that_calls_it(path: tuple[str, ...], command: click.Command) -> None:
    shown = text(*path, "--help")
    assert shown.startswith(f"Usage: {' '.join(('noddysim', *path))} ")
    assert f"  {' '.join(('noddysim', *path))}" in shown.split("Example")[1]
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{path}: {parameter.name}"


def examples_of(command: click.Command) -> list[str]:
    lines = (command.epilog or "").splitlines()
    return [line.strip() for line in lines if line.startswith("  noddysim") and not re.search("my-(rules|game)", line)]


EXAMPLES = [line for path, command in ALL_HELP if path for line in examples_of(command)]


def test_long_examples_are_examples() -> None:
    assert set(LONG_EXAMPLES) < set(EXAMPLES)


@pytest.mark.parametrize("line", [line for line in EXAMPLES if line not in LONG_EXAMPLES])
def test_the_examples_of_the_help_work(line: str) -> None:
    assert text(*shlex.split(line)[1:]).strip()


def test_version() -> None:
    assert text("--version") == f"noddysim {__version__}\n"


def test_no_command_prints_help() -> None:
    assert text() == text("--help")
    assert text("exact") == text("exact", "--help")


# --- exits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["scroe"], "no command is called 'scroe'; did you mean 'score'?"),
        (["Score"], "did you mean 'score'?"),
        (["zzz"], "commands are score, peg, replay"),
        (["exact", "shw"], "did you mean 'show'? See: noddysim exact --help"),
        (["score"], "Missing argument 'CARDS...'. See: noddysim score --help"),
        (["score", "7H 8C 2D", "--stater", "6S"], "No such option"),
        (["--frob"], "No such option"),
        (["exact", "show"], "Missing argument 'VARIANT'"),
        (["exact", "show", "noddy", "noddy"], "unexpected extra argument"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(arguments: list[str], says: str) -> None:
    assert says in refused(*arguments)


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let ``noddysim score`` end with an error of one's choice."""

    def arrange(error: BaseException) -> None:
        def score(*_: object, **__: object) -> None:
            raise error

        monkeypatch.setattr("noddysim.engine.play.score", score)

    return arrange


def test_interrupt_is_130(fails: Any) -> None:
    fails(KeyboardInterrupt())
    result = call("score", "7H 8C 2D", "--json")
    assert result.exit_code == 130 and result.stdout == ""
    assert result.stderr == "noddysim: interrupted\n"
    assert call("exact", "show", "noddy").exit_code == 0
    fails(click.Abort())
    assert call("score", "7H 8C 2D").stderr == "noddysim: interrupted\n"


def test_unexpected_failure_is_one_line_and_exit_1(fails: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NODDYSIM_DEBUG", raising=False)
    fails(RuntimeError("two ways\nof counting differ"))
    result = call("score", "7H 8C 2D", "--json")
    assert result.exit_code == 1 and result.stdout == ""
    assert result.stderr == (
        "noddysim: failed: RuntimeError: two ways of counting differ (NODDYSIM_DEBUG=1 shows where)\n"
    )


def test_debug_shows_the_traceback(fails: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODDYSIM_DEBUG", "1")
    fails(OSError(28, "No space left on device"))
    result = call("score", "7H 8C 2D")
    assert result.exit_code == 1 and result.stdout == ""
    assert "Traceback" in result.stderr and "noddysim: failed: OSError" in result.stderr


def test_main_returns_the_exit(capsys: pytest.CaptureFixture[str], fails: Any) -> None:
    assert main(["variants", "nody"]) == 2
    assert capsys.readouterr().err.startswith("noddysim: no variant is named")
    assert main(["--version"]) == 0
    fails(InputError("card 7H is wrong\nin two lines"))
    capsys.readouterr()
    assert main(["score", "7H 8C 2D"]) == 2
    assert capsys.readouterr() == ("", "noddysim: card 7H is wrong in two lines\n")


def test_exits_of_a_real_process() -> None:
    done = process("score", "5H 5D 5C", "--starter", "5S", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["total"] == 20
    bad = process("variants", "nody", "--json")
    assert bad.returncode == 2 and bad.stdout == b""
    assert bad.stderr.startswith(b"noddysim: no variant is named") and bad.stderr.count(b"\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_a_reader_that_leaves_is_no_traceback() -> None:
    line = f"{shlex.quote(sys.executable)} -m noddysim claims --json | true"
    run = subprocess.run(["bash", "-c", f"{line}; exit ${{PIPESTATUS[0]}}"], capture_output=True, cwd=ROOT)
    assert run.stderr == b""
    assert run.returncode in (0, 1)  # whether the reader had gone in time is up to the machine


# --- encodings --------------------------------------------------------------------------------------------------------


ASKED = (["variants", "noddy"], ["claims"], ["strategies", "lookahead"], ["tips", "--json"])


def test_no_encoding_stops_the_output_of_a_real_process() -> None:
    """The poorest of encodings; the commands behind each other in one process."""
    script = (
        "import json, sys; from noddysim.cli import main\n"
        "for arguments in json.loads(sys.argv[1]):\n"
        "  assert main(arguments) == 0, arguments\n"
        "  print('\\f', end='')\n"
    )
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [sys.executable, "-c", script, json.dumps(ASKED)]
    run = subprocess.run(command, capture_output=True, cwd=ROOT, env=environment)
    assert run.returncode == 0, run.stderr
    *shown, rest = run.stdout.decode("ascii").split("\f")
    assert len(shown) == len(ASKED) and all(shown) and not rest


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "cp1252", "latin-1", "utf-8"])
def test_no_encoding_stops_the_output(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in ASKED:
        raw = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
        assert main(arguments) == 0
        sys.stdout.flush()
        assert raw.getvalue().decode(encoding)


def test_signs_that_an_encoding_lacks_have_stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    prepare_streams()
    sys.stdout.write("2 \N{MULTIPLICATION SIGN} 3 \N{HORIZONTAL ELLIPSIS} \N{MINUS SIGN}5 \N{SNOWMAN}")
    sys.stdout.flush()
    assert raw.getvalue() == b"2 x 3 ... -5 ?"


def test_bad_input_of_any_letters_is_refused_in_any_encoding() -> None:
    run = process("variants", "nöddy\N{SNOWMAN}", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert run.returncode == 2 and run.stdout == b""
    assert run.stderr.startswith(b"noddysim: no variant is named")


# --- helpers ----------------------------------------------------------------------------------------------------------


def test_columns() -> None:
    assert columns([("a", "1"), ("bcd", "20")], head=("x", "n"), right=[1]) == ["x     n", "a     1", "bcd  20"]
    assert columns([("a", ""), ("bcd", "20")]) == ["a", "bcd  20"]
    assert columns([]) == []


@pytest.mark.parametrize("value", ["-1", "11", "1.5", "x", "", "1e1"])
def test_whole_numbers(value: str) -> None:
    assert WholeNumber(0, 10).convert("10", None, None) == 10
    assert WholeNumber(0).convert("999", None, None) == 999
    with pytest.raises(click.BadParameter, match="must be a whole number from 0 to 10"):
        WholeNumber(0, 10).convert(value, None, None)


def test_json_has_no_number_that_json_lacks() -> None:
    with pytest.raises(ValueError):
        common.print_json(float("nan"))


# --- score ------------------------------------------------------------------------------------------------------------


def test_score_json() -> None:
    assert answer("score", "7H 8C 2D", "--starter", "6S") == {
        "variant": "noddy",
        "hand": ["7H", "8C", "2D"],
        "starter": "6S",
        "crib": False,
        "parts": {"fifteens": 4, "pairs": 0, "runs": 3, "flush": 0, "nob": 0},
        "total": 7,
    }
    assert answer("score", "5H", "5d", "5c", "--starter", "5s")["total"] == 20


def test_score_explains_by_kind_bug_10() -> None:
    shown = text("score", "7H 8C 2D", "--starter", "6S").splitlines()
    assert "fifteen  7H 8C     2" in shown
    assert "fifteen  2D 7H 6S  2" in shown
    assert "run      6S 7H 8C  3" in shown
    assert shown[-1] == "Total 7 (fifteens 4, runs 3)"
    assert text("score", "2H 4D 6C", "--starter", "8S").splitlines()[-1] == "Total 0"
    assert "double pair royal" in text("score", "5H 5D 5C", "--starter", "5S")


def test_score_without_starter_is_exact_bug_77() -> None:
    data = answer("score", "7H 7D 8C")
    assert (data["starter"], data["crib"], data["cases"], data["mean_exact"]) == (None, False, 49, "380/49")
    assert data["mean"] == pytest.approx(380 / 49)
    shown = text("score", "7H 7D 8C")
    assert "Mean 7.755 points over the 49 starters (380/49, exact)" in shown
    assert "points  starters" in shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["7H 8C 2Z"], "no such card: '2Z'"),
        (["7H 8C 7H"], "card 7H is given twice"),
        (["7H 8C 2D", "--starter", "2d"], "card 2D is given twice"),
        (["7H 8C"], "3 cards; 2 are given"),
        (["7H 8C 2D 9S"], "3 cards; 4 are given"),
        (["7H 8C X"], "no joker"),
        (["7H 8C 2D", "--starter", "6S", "--crib"], "no crib in noddy"),
        (["7H 8C 2D", "--variant", "nody"], 'did you mean "noddy"'),
        (["7H 8C 2D", "--variant", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_score_refuses(arguments: list[str], says: str) -> None:
    assert says in refused("score", *arguments)
    assert says in refused("score", *arguments, "--json")


def test_jacks_and_deuces_are_called_so() -> None:
    costly = ("--variant", "costly-colours")
    shown = text("score", "JH JD 5C", "--starter", "2S", *costly)
    assert shown.splitlines()[-1] == "Total 13 (sums 7, pairs 2, jacks and deuces 4)"
    assert "jacks_deuces" in answer("score", "JH JD 5C", "--starter", "2S", *costly)["parts"]
    replayed = text("replay", "costly-colours", "--seed", "1", "--deal", "0")
    assert "jacks and deuces 6" in replayed
    means = text("score", "JH JD 5C", *costly)
    assert "jacks and deuces 4.980" in means
    counted = text("exact", "show", "costly-colours")
    assert "jacks and deuces 1.140" in counted
    assert not any("jacks_deuces" in said for said in (shown, replayed, means, counted))


def test_score_by_rules_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "noddy"\nshow.nob = 5\n', encoding="utf-8")
    assert answer("score", "JS 4D 5H", "--starter", "6S", "--variant", str(file))["parts"]["nob"] == 5


# --- peg --------------------------------------------------------------------------------------------------------------


def test_peg_json() -> None:
    data = answer("peg", "3H 3D 9C / 3S 3C TC")
    assert set(data) == {"events", "points", "scores", "winner"}
    assert data["points"] == [6, 16] and data["scores"] == [6, 16] and data["winner"] is None
    assert data["events"][3] == {"seat": 2, "card": "3C", "count": 12, "points": 12, "for": ["double-pair-royal"]}


def test_peg_stops_at_the_target() -> None:
    data = answer("peg", "7h 8d Kc / 8s 5c 2d", "--scores", "29-25")
    assert data["winner"] == 1 and data["points"] == [2, 2] and data["scores"] == [31, 27]
    assert len(data["events"]) == 3
    assert answer("peg", "7h 8d Kc", "/", "8s 5c 2d", "--scores", "29,25") == data
    said = " ".join(text("peg", "--help").split())
    assert "the eldest's first, parted by hyphens or commas; partners may have one score a side." in said
    shown = text("peg", "7h 8d Kc / 8s 5c 2d", "--scores", "29-25")
    assert "pone keeps KC" in shown and "Scores: pone 31, dealer 27" in shown and "The pone has reached" in shown


def test_peg_in_words() -> None:
    assert text("peg", "7H 3C KD / 8S 5D 2H").splitlines() == [
        "pone    7H   7",
        "dealer  8S  15  2  fifteen 2",
        "pone    3C  18",
        "dealer  5D  23",
        "pone: go",
        "dealer  2H  25  1  last 1",
        "-- new pile",
        "pone    KD  10  1  last 1",
        "",
        "Points: pone 1, dealer 3",
    ]


def test_goes_of_three_players_in_words() -> None:
    lines = text("peg", "TH 4D 6S / KC 8H 9D / 5S AC QD").splitlines()
    # Each says go once a pile, in turn; whoever has no cards left says nothing.
    assert [line for line in lines if "go" in line or "--" in line] == [
        "second: go", "eldest: go", "dealer: go", "-- new pile", "second: go", "-- new pile",
    ]  # fmt: skip


def test_a_pile_at_the_limit_closes_without_goes() -> None:
    lines = text("peg", "KH 7D 5C / QS 4H 6S").splitlines()
    assert lines[3:5] == ["dealer  4H  31  2  thirty-one 2", "-- new pile"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["7H KH 2D / 8S TC 5C"],
            "the dealer cannot lay TC: the count would go from 25 to 35, past 31; he must lay 5C",
        ),
        (["7H 3C KD"], "there is 1 hand"),
        (["7H 3C KD / 8S 5D"], "the dealer has 2 cards: 8S 5D"),
        (["7H 3C KD / 8S 5D 3C"], "card 3C is given twice"),
        (["7H 3C KD / 8S 5D 1C"], "no such card: '1C'"),
        (["7H 3C KD / 8S 5D 2H", "--scores", "31-0"], "the score of the pone"),
        (["7H 3C KD / 8S 5D 2H", "--scores", "1"], "2 hands need 2 scores, the eldest's first; 1 given"),
        (["7H 3C KD / 8S 5D 2H", "--scores", "3-x"], "'3-x' is no list of scores"),
        (["7H 3C KD / 8S 5D 2H", "--scores", "-3-5"], "'-3-5' is no list of scores"),
        (["7H 3C KD / 8S 5D 2H", "--variant", "crib"], "no variant is named"),
    ],
)
def test_peg_refuses(arguments: list[str], says: str) -> None:
    assert says in refused("peg", *arguments)
    assert says in refused("peg", *arguments, "--json")


# --- replay -----------------------------------------------------------------------------------------------------------


def test_replay_of_a_deal() -> None:
    data = answer("replay", "noddy", "--seed", "1589", "--deal", "7")
    assert (data["variant"], data["players"], data["seed"], data["deal"]) == ("noddy", 2, 1589, 7)
    assert data == answer("replay", "noddy", "--deal", "7")  # the seed that is taken if none is given
    shown = text("replay", "noddy", "--seed", "1589", "--deal", "7").splitlines()
    assert shown[0] == "Deal 7 of seed 1589: noddy, 2 players"
    for event in data["events"]:
        assert any(event["card"] in line and str(event["count"]) in line for line in shown)
    assert f"Starter {data['starter']}" in shown
    assert shown.index("The play") < shown.index("The show")
    assert shown[-1] == f"Points: pone {data['points'][0]}, dealer {data['points'][1]}"


def test_replay_follows_the_order_of_the_rules(tmp_path: Path) -> None:
    file = tmp_path / "show-first.toml"
    file.write_text('base = "noddy"\norder = ["heels", "show", "play"]\n', encoding="utf-8")
    shown = text("replay", str(file), "--deal", "7").splitlines()
    assert shown.index("The show") < shown.index("The play")


def test_replay_tells_of_heels() -> None:
    for number in range(200):
        data = answer("replay", "noddy", "--deal", str(number))
        if data["starter"].startswith("J"):
            assert data["heels"] == [0, 1]
            assert "Heels: dealer 1" in text("replay", "noddy", "--deal", str(number))
            return
    raise AssertionError("no jack was turned in 200 deals")


def test_replay_of_a_game() -> None:
    arguments = ["replay", "noddy", "--seed", "1", "--game", "0", "--players", "3", "--strategies", "greedy, low,high"]
    data = answer(*arguments)
    assert data["strategies"] == ["greedy", "low", "high"] and data["game"] == 0
    assert len(data["scores"]) == 3 and data["scores"][data["winner"] - 1] >= 31
    shown = text(*arguments)
    assert "player 2 plays low" in shown and "--- Deal 1: player 3 deals" in shown
    assert f"Player {data['winner']} wins" in shown.splitlines()[-1]
    assert shown.count("--- Deal") == len(data["deals"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["noddy"], "one of the two"),
        (["noddy", "--deal", "1", "--game", "1"], "one of the two"),
        (["noddy", "--deal", "x"], "'x' must be a whole number from 0"),
        (["noddy", "--deal", "-1"], "must be a whole number from 0"),
        (["noddy", "--game", "1.5"], "must be a whole number from 0"),
        (["noddy", "--deal", "1", "--seed", "one"], "'one' must be a whole number from 0 to 18446744073709551615"),
        (["noddy", "--deal", "1", "--seed", "-1"], "must be a whole number from 0"),
        (["noddy", "--deal", "1", "--seed", str(2**64)], "must be a whole number from 0"),
        (["noddy", "--deal", "1", "--players", "5"], "not by 5"),
        (["noddy", "--deal", "1", "--players", "two"], "'two'"),
        (["noddy", "--deal", "1", "--strategies", "greddy"], "unknown strategy or tip: 'greddy'"),
        (["noddy", "--deal", "1", "--strategies", "low,low,low"], "3 given"),
        (["noddy", "--deal", "1", "--strategies", "hold-nob"], "needs a baseline"),
        (["nody", "--deal", "1"], "no variant is named"),
    ],
)
def test_replay_refuses(arguments: list[str], says: str) -> None:
    assert says in refused("replay", *arguments)
    assert says in refused("replay", *arguments, "--json")


# --- exact show -------------------------------------------------------------------------------------------------------


def test_exact_show() -> None:
    data = answer("exact", "show", "noddy")
    assert data["variant"] == "noddy" and data["cases"] == 1_082_900
    assert data["counts"]["20"] == 4 and round(data["mean"], 6) == 2.592350
    shown = text("exact", "show", "noddy")
    assert "260,220  24.0299 %" in shown
    assert "Mean 2.592350 (701814/270725, exact)" in shown


@pytest.mark.parametrize(("arguments", "says"), [(["noddy", "--crib"], "no crib in noddy"), (["nody"], "no variant")])
def test_exact_show_refuses(arguments: list[str], says: str) -> None:
    assert says in refused("exact", "show", *arguments)
    assert says in refused("exact", "show", *arguments, "--json")


# --- lists ------------------------------------------------------------------------------------------------------------


def test_variants() -> None:
    found = {entry["name"]: entry for entry in answer("variants")}
    assert set(found) >= {"noddy", "noddy-61", "noddy-no-jack"}
    for entry in found.values():
        assert set(entry) == {"name", "title", "status", "source", "summary", "base", "players", "target"}
    assert found["noddy"]["status"] == "enumerated" and found["noddy"]["source"][0] == "seed-b"
    assert found["noddy-61"]["target"] == 61
    shown = text("variants")
    assert all(name in shown for name in found)


def test_one_variant(tmp_path: Path) -> None:
    assert text("variants", "noddy").startswith("# Noddy\n")
    data = answer("variants", "noddy-61")
    assert data["rules"]["target"] == 61 and data["sources"]["target"]["from"] == "seed-b"
    file = tmp_path / "mine.toml"
    file.write_text('base = "noddy"\ntarget = 61\nmuggins = true\n', encoding="utf-8")
    said = refused("variants", str(file))
    assert "mine.toml" in said and "muggins" in said


def test_strategies() -> None:
    found = answer("strategies")
    assert [entry["name"] for entry in found][:4] == ["random", "low", "high", "greedy"]
    for entry in found:
        assert entry["status"] == "built-in" and entry["source"] and entry["description"].endswith(".")
    assert "lookahead" in text("strategies")


def test_one_strategy_in_words() -> None:
    shown = text("strategies", "lead-low@greedy-random")
    assert "Rule:    First: on an empty pile the lowest rank" in shown
    assert answer("strategies", "lead-low@greedy-random")["ties"] == "random"
    assert "is a tip; a tip needs a baseline" in refused("strategies", "lead-low")
    assert "did you mean" in refused("strategies", "greddy")


def test_tips() -> None:
    found = {entry["name"]: entry for entry in answer("tips")}
    assert found["hold-nob"]["status"] == "vacuous"
    assert found["lead-low"]["source"] and found["lead-low"]["rule"] and found["lead-low"]["opposite"] == "lead-high"
    assert all(entry["status"] for entry in found.values())
    shown = text("tips")
    assert all(name in shown for name in found)
    assert "lead-low@BASELINE" in text("tips", "lead-low")
    assert answer("tips", "lead-low")["name"] == "lead-low"
    assert answer("tips", "lead-rank-5")["kind"] == "probe"
    assert 'did you mean "lead-low"' in refused("tips", "lead-lo")
    assert "tips are: lead-low" in refused("tips", "zzz")


def test_the_help_of_claims_names_every_word_that_is_allowed() -> None:
    said = "".join(text("claims", "--help").split())
    for allowed in (SEEDS, STATUSES, KINDS):
        assert f":{','.join(allowed)}." in said
    for kind in KINDS:
        assert {entry["kind"] for entry in answer("claims", "--kind", kind)} <= {kind}


def test_claims() -> None:
    found = answer("claims", "--seed", "b", "--verdict", "fails")
    assert found and {entry["status"] for entry in found} == {"fails"}
    for entry in found:
        assert entry["source"].startswith("seed (b), ") and entry["evidence"]
    assert len(answer("claims")) > len(answer("claims", "--kind", "tip")) > 0
    assert {tip for entry in answer("claims", "--tip", "lead-low") for tip in entry["evidence"]} >= {"tip:lead-low"}
    assert {entry["page"] for entry in answer("claims", "--seed", "a")} == {"innocence"}
    shown = text("claims", "--verdict", "vacuous")
    assert "b-tips-16  vacuous" in shown and f"of {len(answer('claims'))} claims" in shown.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--seed", "z"], "Invalid value for '--seed': 'z' is not one of 'a', 'b', 'c'."),
        (["--verdict", "maybe"], "Invalid value for '--verdict': 'maybe' is not one of 'holds', 'fails',"),
        (["--kind", "song"], "Invalid value for '--kind': 'song' is not one of 'rule', 'tip',"),
        (["--kind", "rules"], "Invalid value for '--kind': 'rules' is not one of 'rule', 'tip',"),
        (["--tip", "lead-lw"], 'did you mean "lead-low"'),
    ],
)
def test_claims_refuse(arguments: list[str], says: str) -> None:
    assert says in refused("claims", *arguments)


# --- exact play, game, best and solve ---------------------------------------------------------------------------------


def test_exact_play_prints_whole_points() -> None:
    data = answer("exact", "play", "noddy", "--pone", "greedy", "--dealer", "greedy")
    assert (data["pone_points"], data["dealer_points"]) == (25_319_161_024, 50_344_293_360)
    assert data["deals"] == 18_729_838_400
    assert data["margin"] == (25_319_161_024 - 50_344_293_360) / 18_729_838_400
    assert answer("exact", "play", "noddy", "--seats", "greedy,greedy") == data
    assert "greedy      1.351808835  25,319,161,024" in text("exact", "play", "noddy", "--seats", "greedy,greedy")


def test_best_play_lies_between_its_bounds() -> None:
    solved = answer("solve", "noddy")
    played = answer("exact", "play", "noddy", "--pone", "optimal", "--dealer", "optimal")
    assert played["pone_points"] is None and played["dealer_points"] is None
    assert solved["low"] < played["margin"] < solved["high"] < solved["low"] + 0.0001


def test_exact_game_writes_its_table(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    data = answer("exact", "game", "noddy-no-jack", "--seats", "greedy,greedy", "--to", str(folder))
    assert data["first_dealer_wins"] == pytest.approx(0.5259635399, abs=1e-9)
    rows = (folder / "winning-chances.csv").read_text().splitlines()
    assert rows[0] == "opponent,first_dealer,wins_if_dealing,wins_if_not_dealing"
    assert rows[1].startswith(f"0,0,{data['first_dealer_wins']!r},") and len(rows) == 1 + 31 * 31
    assert (folder / "winning-chances.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "noddy", "--pone", "greedy"], "--dealer is missing"),
        (["play", "noddy", "--seats", "greedy"], "two strategies, pone's and dealer's; 1 given"),
        (["play", "noddy", "--seats", "greedy,low", "--pone", "low"], "not both"),
        (["play", "cribbage", "--seats", "greedy,low"], "cribbage: its play cannot be counted: cards are laid away"),
        (["play", "noddy-four", "--seats", "lookahead-random,low"], "lookahead-random looks at the starter"),
        (["game", "noddy-four", "--seats", "low,low"], "noddy-four: hands have 4 cards"),
        (["best", "noddy", "--against", "low", "--seat", "eldest"], "'eldest' is not one of"),
        (["best", "noddy", "--seat", "pone"], "Missing option '--against'"),
    ],
)
def test_exact_play_refuses(arguments: list[str], says: str) -> None:
    assert says in refused("exact", *arguments)
    assert says in refused("exact", *arguments, "--json")


def test_solve_refuses_what_has_no_solution() -> None:
    assert "cribbage: its play cannot be counted" in refused("solve", "cribbage")
    assert "here hands have 4 cards" in refused("solve", "noddy-four")
    assert "here 3 play" in refused("duel", "optimal", "greedy", "--players", "3", "--deals", "100")
