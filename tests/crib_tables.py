"""The tables of mean cribs that are shipped: worked out from nothing for every built-in variant with a crib.

Where two play, so is the table of each other answer to a disputed question that changes what shows are worth, or how
cards are laid away. All other answers leave the table as it is, and share it.

    python tests/crib_tables.py --renew     works all of them out anew (a quarter of an hour)
    python tests/crib_tables.py --add       works out those that are missing

Both write ``noddysim/engine/cribs.json``. tests/verification/test_crib_tables.py works one of them out again and
compares every count.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

SHIPPED = Path(__file__).parent.parent / "noddysim" / "engine" / "cribs.json"

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent.parent)]

from noddysim.engine.cribs import CribTable, key_of, shipped_text, work_out  # noqa: E402 (the folder is made known first)
from noddysim.engine.games import PegGame, show_game  # noqa: E402
from noddysim.game.rules import Variant, load_variant, variant_names  # noqa: E402
from noddysim.insight.sensitivity import alternatives  # noqa: E402


def games_with_cribs() -> Iterator[tuple[str, PegGame]]:
    """Every game that a table is shipped for, by key; games that share a table come once."""
    found: dict[str, PegGame] = {}
    for variant, players in (*_built_in(), *_readings_of_two()):
        game = show_game(variant, players)
        if game.rules.crib:
            found.setdefault(key_of(game), game)
    yield from found.items()


def _built_in() -> Iterator[tuple[Variant, int]]:
    for variant in map(load_variant, variant_names("pegging")):
        yield from ((variant, players) for players in variant.rules.players)


def _readings_of_two() -> Iterator[tuple[Variant, int]]:
    for variant, players in _built_in():
        if players == 2 and variant.pegging.crib:
            yield from ((other, players) for *_, other in alternatives(variant, players)[0])


def main() -> None:
    """Work tables out and write the file."""
    if sys.argv[1:] not in (["--renew"], ["--add"]):
        raise SystemExit(__doc__)
    kept = json.loads(SHIPPED.read_text()) if sys.argv[1] == "--add" else {}
    tables: dict[str, CribTable] = {}
    for key, game in games_with_cribs():
        if key in kept:
            tables[key] = CribTable.from_json(kept[key])
        else:
            tables[key] = work_out(game)
            print(f"{key}: {game.players} players, {tables[key].rounds} rounds, gap {tables[key].gap}", flush=True)
    SHIPPED.write_text(shipped_text(tables))


if __name__ == "__main__":
    main()
