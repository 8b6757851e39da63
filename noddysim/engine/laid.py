"""Replays of the games in which melds or sets are laid: what both tell alike."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from noddysim.kernels.records import Fields, new_record


@dataclass(frozen=True)
class LaidReplay(ABC):
    """A deal, or a game of several; ``game`` and ``target`` are None where a single deal was played."""

    variant: str
    players: int
    seed: int
    game: int | None
    target: int | None
    strategies: tuple[str, ...]
    deals: tuple[Any, ...]

    @abstractmethod
    def ending(self) -> dict[str, Any]:
        """How a game has ended, under the names that ``--json`` prints."""

    def to_json(self) -> dict[str, Any]:
        """Plain data under the names that ``--json`` prints."""
        head = {"variant": self.variant, "players": self.players, "seed": self.seed}
        if self.game is None:
            return {**head, "strategies": list(self.strategies), **self.deals[0].to_json()}
        return {
            **head, "game": self.game, "target": self.target, "strategies": list(self.strategies),
            "deals": [deal.to_json() for deal in self.deals], **self.ending(),
        }  # fmt: skip


def with_fields(rules: Any, fields: tuple[Fields, ...], **values: Any) -> Any:
    """The same rules for the kernels with some fields changed; of a field of several numbers the first ones."""
    other = new_record(fields)
    for name in rules.dtype.names:
        other[name] = rules[name]
        if name in values and np.ndim(rules[name]):
            other[name][: len(values[name])] = values[name]
        elif name in values:
            other[name] = values[name]
    return other


class LoggedDeal(NamedTuple):
    """One deal of a game's log: its number, who sat in each seat, and its rows."""

    number: int
    persons: list[int]
    rows: np.ndarray


def logged_deals(log: np.ndarray, deal_event: int, players: int) -> Iterator[LoggedDeal]:
    """The deals of a game's log, which begin with an event that names number and dealer; the last row is the end."""
    starts = [*np.flatnonzero(log[:, 0] == deal_event), len(log) - 1]
    for number, (start, stop) in enumerate(itertools.pairwise(starts)):
        dealer = int(log[start, 3])
        yield LoggedDeal(number, [(dealer + 1 + seat) % players for seat in range(players)], log[start + 1 : stop])
