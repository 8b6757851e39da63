"""The table of mean cribs by what is laid away, which players who look beyond their own hand weigh.

What a pair is worth in the crib depends on what the others lay away, and they look at the same table. So it is worked
out in rounds: everybody lays away by a table, beginning with an empty one, and what comes of it corrects that table
half way (all the way, players would run after each other without end: laying sixes away pays while few do it). It has
settled when what comes of it is nowhere more than ``SETTLED`` from the table itself. Where it goes on swaying, since
near ties turn over together, later rounds are averaged and the table says how far apart the two remain. All rounds use
the same deals, so that only the table moves; the last one uses many more.

The tables of the built-in variants are shipped in ``cribs.json``, and so are those that other answers to disputed
questions need where two play; those of other rules are worked out at their first use (about a minute) and kept in the
user's cache folder. A table goes by its content, so rules that show and lay away alike share one.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np

from noddysim.engine import batch
from noddysim.engine.games import BEHAVIOUR, PegGame, with_crib_worth
from noddysim.engine.tally import Tally
from noddysim.game.cards import RANKS
from noddysim.game.expressions import parse_strategy
from noddysim.game.strategy_table import encode
from noddysim.kernels import cribs as kernel
from noddysim.kernels import records as rec

POLICY: Final = "keep-best-crib+low"
"""By what everybody lays away."""
SEED: Final = 1632
"""Cribbage is first named in print in that year."""
ROUND_DEALS: Final = 200_000
FINAL_DEALS: Final = 2_000_000
MOST_ROUNDS: Final = 24
COARSE_ROUNDS: Final = 10
"""Rounds that correct the table half way; later ones take a third, a quarter and so on, for what still sways."""
SETTLED: Final = 30
"""Thousandths of a point by which no cell may differ from what comes of it."""
FIELDS: Final = ("points", "tries", "squares", "cross", "tries_squared", "chosen")


@dataclass(frozen=True)
class CribTable:
    """Mean cribs as integer counts, each int64 (2, 13, 13) as in ``kernels.cribs.count_cribs``.

    ``starters`` is how many starters each try was counted with, ``deals`` how many deals were played in the last round,
    ``rounds`` how many rounds there were, and ``gap`` the most, in thousandths of a point, by which a cell differs from
    the table by which everybody laid away.
    """

    counts: Tally
    starters: int
    deals: int
    rounds: int
    gap: int

    @property
    def worth(self) -> np.ndarray:
        """Means in thousandths of a point, int64 (2, 13, 13), nought where nothing can be laid away."""
        points, tries = self.counts["points"], self.counts["tries"] * self.starters
        return np.where(tries > 0, (2 * rec.THOUSAND * points + tries) // np.maximum(2 * tries, 1), 0)

    def to_json(self) -> dict[str, Any]:
        """Plain data to be kept in a file."""
        counts = {name: self.counts[name].tolist() for name in FIELDS}
        return {"starters": self.starters, "deals": self.deals, "rounds": self.rounds, "gap": self.gap, **counts}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CribTable:
        """The table that plain data hold; raises KeyError or ValueError for data that hold none."""
        counts = {name: np.array(data[name], np.int64) for name in FIELDS}
        if any(array.shape != (2, 13, 13) for array in counts.values()):
            raise ValueError("a table of cribs is of 2 x 13 x 13 numbers")
        return cls(Tally(counts), int(data["starters"]), int(data["deals"]), int(data["rounds"]), int(data["gap"]))


@dataclass(frozen=True)
class _CribCount:
    """One round, as something to be counted over ranges of deals."""

    game: PegGame
    seed: int
    chunk: int = 10_000

    def count(self, start: int, stop: int) -> Tally:
        """Deals ``start … stop - 1``."""
        counts = np.zeros((len(FIELDS), 2, 13, 13), np.int64)
        minds = rec.strategy_records(encode([parse_strategy(POLICY)]))
        starters = kernel.count_cribs(
            self.game.rules, self.game.shows, minds, rec.new_table(), self.game.players,
            np.uint64(self.seed), start, stop, counts,
        )  # fmt: skip
        return Tally({**dict(zip(FIELDS, counts, strict=True)), "starters": np.array([starters * (stop - start)])})


def key_of(game: PegGame) -> str:
    """Name of all that a table of cribs depends on: how cards are dealt and laid away, and what shows are worth."""
    data = json.loads(game.text)
    rules = game.rules
    deal = [int(rules[name]) for name in ("hand", "dealt", "discard", "to_crib", "crib", "sides")]
    content = {"show": data["show"], "players": game.players, "deal": deal}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def crib_table(game: PegGame) -> CribTable:
    """The table of a game with a crib: the one shipped, the one kept from an earlier use, or worked out now."""
    key = key_of(game)
    if key in _shipped():
        return CribTable.from_json(_shipped()[key])
    path = _kept_file(key)
    kept = _read_kept(path)
    if kept is None:
        kept = work_out(game)
        _keep(path, kept)
    return kept


def work_out(
    game: PegGame, *, round_deals: int = ROUND_DEALS, final_deals: int = FINAL_DEALS, workers: int | None = None
) -> CribTable:
    """Work the table of a game out from nothing."""
    worth = np.zeros((2, 13, 13), np.int64)
    for number in range(1, MOST_ROUNDS + 1):
        found = _one_round(game, worth, round_deals, number, workers)
        if found.gap <= SETTLED:
            break
        worth = worth + (found.worth - worth) // max(2, number - COARSE_ROUNDS)
    return _one_round(game, worth, final_deals, number, workers)


def _one_round(game: PegGame, worth: np.ndarray, deals: int, number: int, workers: int | None) -> CribTable:
    """What comes of it when everybody lays away by the table ``worth``."""
    tally = batch.run(_CribCount(with_crib_worth(game, worth), SEED), deals, workers=workers)
    counts = Tally({name: tally[name] for name in FIELDS})
    table = CribTable(counts, int(tally["starters"][0]) // deals, deals, number, 0)
    return replace(table, gap=int(np.abs(table.worth - worth).max()))


# --- files ----------------------------------------------------------------------------------------------------------


@functools.cache
def _shipped() -> Mapping[str, Mapping[str, Any]]:
    data: Mapping[str, Mapping[str, Any]] = json.loads(files("noddysim.engine").joinpath("cribs.json").read_text())
    return data


def shipped_text(tables: Mapping[str, CribTable]) -> str:
    """What ``cribs.json`` should hold for some tables by key: one line a table."""
    lines = [f'"{key}": {json.dumps(table.to_json(), separators=(",", ":"))}' for key, table in tables.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _kept_file(key: str) -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("noddysim")) / "cribs" / f"{key}-{BEHAVIOUR}-{FINAL_DEALS}.json"


def _read_kept(path: Path) -> CribTable | None:
    """The table kept in a file; None if there is none or it is not whole."""
    try:
        return CribTable.from_json(json.loads(path.read_text()))
    except (OSError, ValueError, KeyError):
        return None


def _keep(path: Path, table: CribTable) -> None:
    """Keep a table for the next time, whole or not at all; where nothing can be written, say so and go on."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(json.dumps(table.to_json()))
        os.replace(unfinished, path)
    except OSError as error:
        warnings.warn(f"the table of cribs is not kept in {path.parent}: {error.strerror}", stacklevel=2)


def laid_away(discard: int) -> Sequence[tuple[str, tuple[int, int]]]:
    """Name and place in the table of everything that can be laid away: ``A-A``, ``A-2`` … or single ranks."""
    if discard == 1:
        return [(RANKS[rank], (rank, 0)) for rank in range(13)]
    return [(f"{RANKS[low]}-{RANKS[high]}", (low, high)) for low in range(13) for high in range(low, 13)]
