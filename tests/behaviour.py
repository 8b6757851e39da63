"""Small counts of every chunk kernel: what the version of behaviour stands for.

``golden/behaviour.json`` holds the counts that belong to ``noddysim.engine.games.BEHAVIOUR``. The ids of runs depend on
that number, so a change of the kernels that moves any count must raise it. When test_twin.py says that counts have
moved, first find out why; if the change is meant, raise BEHAVIOUR by one and write the file anew:

    python tests/behaviour.py --renew

The script refuses to do so while the number in the file is the number in the package. With ``--all`` it prints what
the golden file should hold (tests/verification/test_bounds_checked.py), without either a few counts in full
(test_compiler_off.py).
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

GOLDEN = Path(__file__).parent / "golden" / "behaviour.json"

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import table  # noqa: E402 (the two folders are made known first)

from noddysim.engine.games import BEHAVIOUR  # noqa: E402


class Setting(NamedTuple):
    """Rules as they differ from Noddy, a strategy of MINDS for each seat, and three as arm, baseline and opponent."""

    rules: Mapping[str, Any]
    seats: tuple[str, ...]
    duel: tuple[str, str, str]


# Written out here, so that no change of a built-in strategy moves these counts: a strategy is in a run's id by itself.
MINDS: Mapping[str, Mapping[str, Any]] = {
    "random": {"levels": [], "ties": "random"},
    "high": {"levels": [], "ties": "high"},
    "greedy": {"levels": [{"weights": {"points": 1}}], "ties": "low"},
    "greedy-random": {"levels": [{"weights": {"points": 1}}], "ties": "random"},
    "lookahead": {"levels": [{"weights": {"points": 1, "reply": -1}}], "ties": "random"},
    "careful": {
        "levels": [
            {"weights": {"points": 1, "paired": "0.25", "last_reserve": "-0.5"}},
            {"when": "follow", "weights": {"offers_run": -1}, "counts": {5: -1, 10: -1, 21: -1}},
        ],
        "ties": "low",
    },
    "leads high": {"levels": [{"when": "lead", "final": "high"}, {"ranks": {"5": -1}}], "ties": "random"},
    "sparing": {
        "levels": [
            {"ranks": {"5": -1, "T": -1, "J": -1, "Q": -1, "K": -1}, "spares": True},
            {"weights": {"reply_pair": -1, "points": "0.5"}, "spares": True, "final": "random"},
        ],
        "ties": "low",
    },
    "by kinds": {
        "levels": [
            {"weights": {"fifteen": 1, "run": "0.5", "pair": 2, "reply_pair": "-1.5", "reply_run": -1, "pips": "0.01"}},
            {"weights": {"thirtyone": 1, "reply_fifteen": "0.000001"}, "final": "random"},
        ],
        "ties": "low",
    },
}


ODD_PLAY: Mapping[str, Any] = {
    "piles": "multi", "next_lead": "first_go", "combo_scope": "deal", "go_breaks": True, "thirtyone_extra": 1,
    "twentyfive": "per_card", "run": [2, 4, 5], "final_card_point": False,
}  # fmt: skip

# Hands of two in all but one: without the compiler, filling the table of the show takes long for longer hands.
SMALL: Mapping[str, Setting] = {
    "noddy, 2 players": Setting({}, ("random", "lookahead"), ("by kinds", "greedy-random", "random")),
    "two cards, 3 players": Setting(
        {"hand": 2, "next_dealer": "lowest", "target": 11, "show": {"hand_flush": "subset"}},
        ("careful", "random", "by kinds"),
        ("leads high", "random", "greedy"),
    ),
    "two cards, 2 players, sparing": Setting(
        {"hand": 2, "target": 11}, ("sparing", "random"), ("sparing", "greedy-random", "random")
    ),
    "two cards, 4 players, other play": Setting(
        {"hand": 2, "target": 9, "play": ODD_PLAY, "turned": [{"rank": "A", "to": "opponents", "points": 2}]},
        ("by kinds", "greedy-random", "random", "high"),
        ("careful", "random", "lookahead"),
    ),
}
LARGE: Mapping[str, Setting] = {
    "noddy, 3 players": Setting({}, ("greedy", "lookahead", "random"), ("careful", "greedy-random", "lookahead")),
    "noddy, 4 players": Setting(
        {}, ("greedy", "lookahead", "random", "careful"), ("by kinds", "random", "greedy")
    ),
    "four cards, 2 players, stuck": Setting(
        {
            "hand": 4, "order": ["show", "heels", "play"], "play": {"piles": "single_first_stuck"},
            "show": {"hand_flush": "groves"},
        },
        ("lookahead", "leads high"),
        ("leads high", "lookahead", "greedy-random"),
    ),
}  # fmt: skip
FEW = {"deals": 25, "games": 6}


def arrays(setting: Setting, deals: int, games: int) -> Iterator[tuple[str, np.ndarray]]:
    """Name and counts of each chunk kernel over a few numbers."""
    game = table.game_with(setting.rules, len(setting.seats))
    seats = [table.strategy_of(MINDS[name]) for name in setting.seats]
    duel = [table.strategy_of(MINDS[name]) for name in setting.duel]
    yield "count_deals", table.count_deals(game, seats, 1589, 0, deals)
    yield "count_by_lead", table.count_by_lead(game, seats, 1589, 0, deals)
    yield "record_games", table.record_games(game, seats, 1589, 0, games)
    yield "duel_deals", table.duel_deals(game, *duel, 2**64 - 1, 0, deals)
    yield "duel_games", table.duel_games(game, *duel, 2**64 - 1, 0, games)


def in_full(settings: Mapping[str, Setting], deals: int, games: int) -> dict[str, Any]:
    """Every count that is not nought, with its place in the array."""
    return {
        name: {
            kernel: [[*map(int, place), int(counts[tuple(place)])] for place in np.argwhere(counts)]
            for kernel, counts in arrays(setting, deals, games)
        }
        for name, setting in settings.items()
    }


def in_short() -> dict[str, Any]:
    """Sums that can be read, and a hash that misses nothing, for a few thousand deals of every setting.

    For deals: points of each seat from each source; for rows: the sum of each column.
    """
    found: dict[str, Any] = {}
    for name, setting in {**SMALL, **LARGE}.items():
        found[name] = {}
        for kernel, counts in arrays(setting, 2_000, 200):
            sums = counts.sum(axis=0) if counts.ndim == 2 else (counts * np.arange(counts.shape[-1])).sum(axis=-1)
            digest = hashlib.sha256(np.ascontiguousarray(counts, "<i8").tobytes()).hexdigest()[:16]
            found[name][kernel] = {"sums": sums.tolist(), "hash": digest}
    return found


def renew() -> None:
    """Write the golden file for a new version of behaviour."""
    counts = in_short()
    if GOLDEN.exists():
        golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
        if golden["behaviour"] == BEHAVIOUR and golden["counts"] != counts:
            sys.exit(f"the counts have moved: raise BEHAVIOUR (now {BEHAVIOUR}) in noddysim/engine/games.py first")
    text = json.dumps({"behaviour": BEHAVIOUR, "counts": counts}, indent=1)
    GOLDEN.write_text(_short_lists(text) + "\n", encoding="utf-8")


def _short_lists(text: str) -> str:
    """Lists of numbers on one line each, so that a change of a count is a line of a diff."""
    return re.sub(r"\[\s+([\d\s,-]+?)\s+\]", lambda found: "[" + " ".join(found[1].split()) + "]", text)


if __name__ == "__main__":
    if sys.argv[1:] == ["--renew"]:
        renew()
    elif sys.argv[1:] == ["--all"]:
        json.dump(in_short(), sys.stdout)
    else:
        json.dump(in_full(SMALL, **FEW), sys.stdout)
