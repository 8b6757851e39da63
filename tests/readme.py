"""The commands shown in the README, with what they print. ``python tests/readme.py`` writes the outputs in anew."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from click.testing import CliRunner

from noddysim.cli import cli

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def steps(text: str) -> list[tuple[str, str]]:
    """Commands of all console blocks in order, each with the output shown below it."""
    found = []
    for block in BLOCK.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.rstrip("\n")))
    return found


def output_of(command: str) -> str:
    """What a command prints, without the last line end; it must begin with noddysim and end well."""
    name, *arguments = shlex.split(command)
    if name != "noddysim":
        raise ValueError(f"the tour runs noddysim only, not {name}")
    result = CliRunner().invoke(cli, arguments)
    if result.exit_code != 0:
        raise RuntimeError(f"{command}: {result.stderr}")
    return result.stdout.rstrip("\n")


def toml_files(text: str) -> dict[str, str]:
    """The TOML files shown, by the name in their first comment."""
    found = re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", text, re.DOTALL)
    return dict(found)


def renewed(text: str) -> str:
    """The README with every output as it is now."""

    def block(match: re.Match[str]) -> str:
        lines = []
        for command, _ in steps(match.group(0)):
            lines += [f"$ {command}", output_of(command)]
        return "```console\n" + "\n".join(lines) + "\n```"

    return BLOCK.sub(block, text)


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    sys.exit(0)
