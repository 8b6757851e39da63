"""The README does what it says: its tour, its Python, its files, its commands."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
import readme
from click.testing import CliRunner

from noddysim.cli import COMMANDS, cli

TEXT = readme.README.read_text(encoding="utf-8")
STEPS = readme.steps(TEXT)


@pytest.mark.parametrize(("command", "shown"), STEPS, ids=[command for command, _ in STEPS])
def test_the_tour_prints_what_is_shown(command: str, shown: str) -> None:
    assert shown, "the README shows no output: run python tests/readme.py"
    assert readme.output_of(command) == shown


def test_the_python_of_the_tour_gives_what_is_shown() -> None:
    block = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert block is not None
    test = doctest.DocTestParser().get_doctest(block.group(1), {}, "README", str(readme.README), 0)
    assert len(test.examples) > 5
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_the_files_shown_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = readme.toml_files(TEXT)
    assert set(shown) == {"my-rules.toml", "my-style.toml", "my-question.toml"}
    for name, text in shown.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ["compare", "noddy", "my-rules.toml", "--games", "50"],
        ["variants", "my-rules.toml"],
        ["duel", "my-style.toml", "lookahead", "--deals", "100"],
        ["duel", "save-fives@my-style.toml", "my-style.toml", "--deals", "100"],
        ["run", "my-question.toml", "--deals", "50"],
        ["report", "my-question.toml", "--to", "my-report", "--deals", "50"],
    ):
        result = CliRunner().invoke(cli, arguments)
        assert result.exit_code == 0, (arguments, result.stderr)
    assert (tmp_path / "my-report" / "index.html").is_file()


def test_every_make_target_and_link_of_the_readme_exists() -> None:
    makefile = (readme.README.parent / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", TEXT, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for link in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (readme.README.parent / link).exists(), link


def test_every_command_named_exists() -> None:
    named = re.findall(r"(?:`|\$ |bin/)noddysim (\w+)", TEXT)
    assert len(named) > 10
    assert set(named) <= set(COMMANDS)
