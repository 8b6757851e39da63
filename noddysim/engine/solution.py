"""Solutions of the play as they are kept: shipped with the package, or in the user's cache folder.

A file is compressed. It holds a line of JSON (what was solved, and how), then for every choice that is one the share of
its first card, starter by starter, and ends in the SHA-256 of all that: a damaged file counts as absent. The solution
of Noddy's play is shipped and serves every variant that plays the same way; ``noddysim solve`` works others out.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np

from noddysim.engine import solver
from noddysim.engine.games import BEHAVIOUR, PegGame
from noddysim.engine.rolled import LEAST_LIMIT, RANK_COUNT, book_size, first_places, in_threads, play_key, rolled
from noddysim.game.errors import InputError
from noddysim.kernels import lines as at

NAME: Final = "optimal"
FORMAT: Final = 1


@dataclass(frozen=True)
class Solution:
    """A kept strategy of both seats: whole shares of ``shares`` for every card at every choice.

    ``key`` names the play that it solves (``rolled.play_key``); ``books`` is uint16 (13, places), laid out as
    ``kernels.lines`` says; ``kept`` is the same behind the rows' header, for the kernels.
    """

    key: str
    limit: int
    shares: int
    steps: int
    books: np.ndarray
    kept: np.ndarray = field(init=False, repr=False)
    name: str = NAME
    blind: bool = False

    def __post_init__(self) -> None:
        """Lay the books out as kernels look them up."""
        found = rolled(self.limit)
        header = np.concatenate([found.starts[:-1], found.starts[-1:]]).astype(np.uint16)
        object.__setattr__(self, "kept", np.concatenate([header, self.books.reshape(-1)]))
        self.kept.setflags(write=False)

    @property
    def address(self) -> int:
        """Where ``kept`` lies in memory. It lies there as long as this solution is alive."""
        return int(self.kept.ctypes.data)

    @property
    def checksum(self) -> str:
        """Sixteen hex digits that change with any share."""
        return hashlib.sha256(self.kept.astype("<u2").tobytes()).hexdigest()[:16]

    def book(self, starter: int) -> np.ndarray:
        """The chances at every choice for a rank of the starter, float64."""
        return np.asarray(self.books[starter] / self.shares)


def solution_for(game: PegGame) -> Solution:
    """The solution of the play of a game: the one shipped, or one worked out before on this machine.

    Raises InputError if the play cannot be solved, or has not been.
    """
    refuse_unsolvable(game)
    key = play_key(game)
    with _READING:
        return _known(key)


def _known(key: str) -> Solution:
    if key not in _READ:
        found = _shipped(key) or _read(_kept_file(key), key)
        if found is None:
            raise InputError(
                f"the play of these rules has not been solved yet, so {NAME} is not known; "
                "`noddysim solve VARIANT` does it once, in some minutes"
            )
        _READ[key] = found
    return _READ[key]


_READ: dict[str, Solution] = {}
"""Solutions that have been read, once each and never let go: kernels hold their addresses."""
_READING: Final = threading.Lock()


def refuse_unsolvable(game: PegGame, what: str = f"best play ({NAME}) is solved") -> None:
    """Raise InputError that says why the play of a game has no solution, if it has none, nor another book."""
    rules = game.rules
    reasons = {
        f"{game.players} play": game.players != 2,
        "cards are laid away": rules.discard,
        "a card may be exchanged": rules.mog,
        "flushes score in the play": rules.flushes,
        f"hands have {int(rules.hand)} cards": rules.hand != 3,
        f"the play ends at {int(rules.limit)}, below {LEAST_LIMIT}": rules.limit < LEAST_LIMIT,
    }
    for reason, holds in reasons.items():
        if holds:
            raise InputError(
                f"{what} for two players with three cards each, where only ranks count in the play; here {reason}"
            )


def solve(game: PegGame, steps: int = solver.STEPS, progress: solver.Progress | None = None) -> Solution:
    """Solve the play of a game from nothing; two to four minutes on one processor."""
    refuse_unsolvable(game)
    limit = int(game.rules.limit)

    def one(starter: int) -> np.ndarray:
        return solver.rounded(solver.learn_starter(game, starter, steps, progress), limit)

    books = np.stack(in_threads(one, range(RANK_COUNT)))
    # What is not kept in a file is set as a file would give it back: the certificate is that of the kept strategy.
    return from_bytes(_body(play_key(game), limit, solver.SHARES, steps, books))


def keep(solution: Solution) -> Path:
    """Keep a solution in the user's cache folder, whole or not at all; where nothing can be written, say so."""
    path = _kept_file(solution.key)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(to_bytes(solution))
        os.replace(unfinished, path)
    except OSError as error:
        warnings.warn(f"the solution is not kept in {path.parent}: {error.strerror}", stacklevel=2)
    with _READING:
        _READ.setdefault(solution.key, solution)
    return path


# --- files ------------------------------------------------------------------------------------------------------------


def to_bytes(solution: Solution) -> bytes:
    """What a file holds."""
    body = _body(solution.key, solution.limit, solution.shares, solution.steps, solution.books)
    return lzma.compress(body + hashlib.sha256(body).digest(), preset=9)


def _body(key: str, limit: int, shares: int, steps: int, books: np.ndarray) -> bytes:
    about = {"format": FORMAT, "key": key, "limit": limit, "shares": shares, "steps": steps}
    # Beside each other stand the same choice's shares for all starters: they are alike, and compress well.
    entries = np.ascontiguousarray(_entries(books, limit).T).astype("<u2")
    return json.dumps(about).encode() + b"\n" + entries.tobytes()


def from_file(data: bytes) -> Solution | None:
    """The solution that a file holds; None if it is not whole."""
    try:
        raw = lzma.decompress(data)
        body, digest = raw[:-32], raw[-32:]
        return from_bytes(body) if hashlib.sha256(body).digest() == digest else None
    except (lzma.LZMAError, ValueError, KeyError):
        return None


def from_bytes(body: bytes) -> Solution:
    """The solution of what stands in a file before its digest; ValueError or KeyError if there is none."""
    line, _, raw = body.partition(b"\n")
    about: Mapping[str, Any] = json.loads(line)
    if about["format"] != FORMAT:
        raise ValueError("a solution of another format")
    limit, shares = int(about["limit"]), int(about["shares"])
    entries = np.frombuffer(raw, "<u2").reshape(-1, RANK_COUNT).T
    return Solution(str(about["key"]), limit, shares, int(about["steps"]), _books(entries, limit, shares))


def _entries(books: np.ndarray, limit: int) -> np.ndarray:
    """The shares that have to be kept, uint16 (13, entries): first cards, and the lower card of every two."""
    rows = []
    kept = solver.kept_lanes(limit)
    there = first_places()[1] >= 0
    for book in books:
        firsts = [solver.get_first(part)[there] for part in solver.first_parts(book)]
        seconds, replies = solver.lane_parts(book)
        rows.append(np.concatenate([*firsts, seconds[:, : at.DIFFERENT].reshape(-1), replies[:, : at.DIFFERENT][kept]]))
    return np.stack(rows)


def _books(entries: np.ndarray, limit: int, shares: int) -> np.ndarray:
    """Books out of what was kept of them; a choice that cannot come up is made evenly."""
    found, kept = rolled(limit), solver.kept_lanes(limit)
    there = first_places()[1] >= 0
    size = int(there.sum())
    firsts, half = size * (RANK_COUNT + 1), at.DIFFERENT
    if entries.shape != (RANK_COUNT, firsts + 169 * half + int(kept.sum())):
        raise ValueError("a solution of another play")
    even = solver.rounded(solver.empty_book(limit), limit, shares)
    books = np.tile(even, (RANK_COUNT, 1))
    for book, row in zip(books, entries, strict=True):
        for number, part in enumerate(solver.first_parts(book)):
            chances = np.zeros(there.shape, np.uint16)
            chances[there] = row[number * size : (number + 1) * size]
            solver.put_first(part, chances)
        seconds, replies = solver.lane_parts(book)
        seconds[:, :half] = row[firsts : firsts + 169 * half].reshape(169, half)
        seconds[:, half : 2 * half] = shares - seconds[:, :half]
        replies[:, :half][kept] = row[firsts + 169 * half :]
        replies[:, half : 2 * half][kept] = shares - replies[:, :half][kept]
        _repeat_shared(replies, found)
    return books


def _repeat_shared(replies: np.ndarray, found: Any) -> None:
    """Copy choices that lie in several rows from the first of them."""
    first = np.repeat(found.starts[:-1], np.diff(found.starts))
    shared = found.counted == 0
    replies[shared] = replies[first][shared]


def _shipped(key: str) -> Solution | None:
    source = files("noddysim.engine").joinpath(f"solutions/{key}.xz")
    return from_file(source.read_bytes()) if source.is_file() else None


def _kept_file(key: str) -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("noddysim")) / "solutions" / f"{key}-{BEHAVIOUR}.xz"


def _read(path: Path, key: str) -> Solution | None:
    """The solution kept in a file; None if there is none, it is not whole, or it is of another play."""
    try:
        found = from_file(path.read_bytes())
    except OSError:
        return None
    return found if found is not None and found.key == key and book_size(found.limit) == found.books.shape[1] else None
