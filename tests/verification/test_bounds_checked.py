"""All chunk kernels compiled with bounds checks: no index leaves its array, and the counts stay the same.

Compiled code reads past the end of an array without a word (a public fault of many programs), so this is asked apart.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import behaviour
import pytest

READ_PAST_THE_END = """
import numpy as np
from noddysim.kernels.dealing import shuffled
shuffled(np.uint64(1), 52, 52, np.zeros(10, np.int64))
"""


@pytest.fixture(scope="module")
def checked_environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment whose kernels check their indices and are kept apart from the others."""
    folder = str(tmp_path_factory.mktemp("checked"))
    tests = str(Path(behaviour.__file__).parent)
    paths = os.pathsep.join([tests, str(Path(tests).parent)])
    return {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": folder, "PYTHONPATH": paths}


def run(arguments: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, timeout=900)


def test_the_check_is_on(checked_environment: dict[str, str]) -> None:
    done = run(["-c", READ_PAST_THE_END], checked_environment)
    assert done.returncode == 1
    assert "IndexError" in done.stderr


def test_no_index_leaves_its_array(checked_environment: dict[str, str]) -> None:
    done = run([behaviour.__file__, "--all"], checked_environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(behaviour.GOLDEN.read_text(encoding="utf-8"))["counts"]
