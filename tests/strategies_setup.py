"""What the tests of strategies share: weights of some levels, a policy by its name, and a file to write."""

from __future__ import annotations

from pathlib import Path

from noddysim.game.strategies import builtin_policies
from noddysim.game.strategy_data import Policy

SUM_OF_CARDS = (("hand", 10**6), ("crib", 10**6))
FIVES_BACK = tuple(-(10**6) if rank == 4 else 0 for rank in range(13))
SPARING = "name = 'sparing'\nties = 'random'\nspares = true\nranks = { 5 = -1 }"


def policy_of(name: str) -> Policy:
    """The built-in policy of that name, of either kind."""
    return {**builtin_policies("discard"), **builtin_policies("mog")}[name]


def saved(folder: Path, text: str, name: str = "mine.toml") -> Path:
    """The path of a new strategy file with that text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
