"""The tables of mean cribs that are shipped: worked out from nothing for every built-in variant with a crib.

    python tests/crib_tables.py --renew

writes ``noddysim/engine/cribs.json`` anew (some minutes). tests/verification/test_crib_tables.py works one of them out
again and compares every count.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

SHIPPED = Path(__file__).parent.parent / "noddysim" / "engine" / "cribs.json"

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent.parent)]

from noddysim.engine.cribs import CribTable, key_of, shipped_text, work_out  # noqa: E402 (the folder is made known first)
from noddysim.engine.games import PegGame, show_game  # noqa: E402
from noddysim.game.rules import load_variant, variant_names  # noqa: E402


def games_with_cribs() -> Iterator[tuple[str, PegGame]]:
    """Every built-in variant and number of players with a crib, by key; variants that share a table come once."""
    found: dict[str, PegGame] = {}
    for name in variant_names("pegging"):
        variant = load_variant(name)
        for players in variant.rules.players:
            game = show_game(variant, players)
            if game.rules.crib:
                found.setdefault(key_of(game), game)
    yield from found.items()


def main() -> None:
    """Work all tables out and write the file."""
    if sys.argv[1:] != ["--renew"]:
        raise SystemExit(__doc__)
    tables: dict[str, CribTable] = {}
    for key, game in games_with_cribs():
        tables[key] = work_out(game)
        print(f"{key}: {game.players} players, {tables[key].rounds} rounds, gap {tables[key].gap}", flush=True)
    SHIPPED.write_text(shipped_text(tables))


if __name__ == "__main__":
    main()
