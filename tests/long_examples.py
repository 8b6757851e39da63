"""Examples of the help that take a minute or more: the verification runs them, the default tests leave them out."""

from __future__ import annotations

LONG_EXAMPLES = (
    "noddysim exact card noddy",
    "noddysim exact play noddy --players 3 --seats greedy,low,greedy",
    "noddysim solve noddy --race --corner 3",
)
