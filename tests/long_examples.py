"""Examples of the help that take a minute or more, or resemble another: the verification runs them, the default tests
leave them out."""

from __future__ import annotations

LONG_EXAMPLES = (
    "noddysim exact best noddy --against lookahead --seat dealer --json",
    "noddysim exact card noddy",
    "noddysim exact play noddy --players 3 --seats greedy,low,greedy",
    "noddysim solve noddy --race --corner 3",
)
