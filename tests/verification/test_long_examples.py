"""The examples of the help that the default tests leave out since they take long."""

from __future__ import annotations

import shlex

import pytest
from click.testing import CliRunner
from long_examples import LONG_EXAMPLES

from noddysim.cli import cli


@pytest.mark.parametrize("line", LONG_EXAMPLES)
def test_the_example_works(line: str) -> None:
    result = CliRunner().invoke(cli, shlex.split(line)[1:], catch_exceptions=False)
    assert result.exit_code == 0 and result.stdout.strip(), result.stderr
