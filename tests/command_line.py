"""Command lines run in this process, as a user calls them."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from noddysim.cli import cli


def call(*arguments: str) -> Result:
    """Run a command line."""
    return CliRunner().invoke(cli, list(arguments), prog_name="noddysim")


def answer(*arguments: str) -> Any:
    """The JSON that a command prints; it must end well and print nothing else."""
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return json.loads(result.stdout)
