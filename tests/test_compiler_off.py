"""With the compiler switched off the same kernels run as plain Python and give the same counts.

What the compiler does to the text of a kernel is thereby checked, and what only it can hide: a whole number that turns
into a float, an overflow, an index past the end of an array (which plain numpy refuses).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import behaviour
import pytest


@pytest.mark.long
def test_the_same_counts_without_the_compiler() -> None:
    plain = subprocess.Popen(
        # Words of 64 bits overflow on purpose; numpy warns of that outside compiled code.
        [sys.executable, "-W", "ignore:overflow encountered:RuntimeWarning", behaviour.__file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        compiled = behaviour.in_full(behaviour.SMALL, **behaviour.FEW)  # meanwhile
        output, errors = plain.communicate(timeout=300)
    finally:
        plain.kill()
        plain.wait()
    assert plain.returncode == 0, errors
    without = json.loads(output)
    assert set(without) == set(behaviour.SMALL)
    for name, kernels in compiled.items():
        assert set(kernels) == {"count_deals", "count_by_lead", "record_games", "duel_deals", "duel_games"}
        assert all(kernels.values()), name
        assert without[name] == kernels, name
