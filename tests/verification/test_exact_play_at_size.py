"""Exact play under other rules and with four cards: what takes too long for the default suite."""

from __future__ import annotations

from pathlib import Path

import pytest

import noddysim as ns
from noddysim.engine import counting, solution
from noddysim.engine.books import DataPlayer
from noddysim.engine.branches import count_branches
from noddysim.engine.rolled import three_each
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant

NODDY = load_variant("noddy")


def test_four_cards() -> None:
    found = ns.exact.play("noddy-four", "greedy", "greedy")
    assert found.pone == pytest.approx(2.368434333, abs=1e-9)
    assert found.dealer == pytest.approx(3.745266311, abs=1e-9)


ODD_RULES = {"combo_scope": "deal", "go_breaks": True, "next_lead": "first_go"}


@pytest.mark.parametrize(
    ("variant", "pone", "dealer"),
    [
        (NODDY, "lookahead", "greedy-safe"),
        (NODDY.replace(play=ODD_RULES), "careful", "lookahead"),
        (NODDY.replace(play={"piles": "single"}), "greedy", "greedy-high"),
    ],
    ids=("noddy", "odd rules", "one pile"),
)
def test_tables_of_pairs_and_lines_agree(variant: ns.Variant, pone: str, dealer: str) -> None:
    """Whole points by the play card by card are those of books at every choice, also where pairs cross piles."""
    game = three_each(variant)
    one, other = parse_strategy(pone), parse_strategy(dealer)
    whole = counting.count_without_chance(game, one, other)
    lines = counting.count_with_chance(game, DataPlayer(game, one), DataPlayer(game, other))
    assert lines.pone == pytest.approx(whole.pone, abs=1e-11)
    assert lines.dealer == pytest.approx(whole.dealer, abs=1e-11)


def test_other_rules_are_solved_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "_kept_file", lambda key: tmp_path / f"{key}.xz")
    variant = NODDY.replace(play={"piles": "single"})
    few = ns.solve(variant, steps=3)
    assert few.low <= few.value <= few.high and few.solution.steps == 3
    kept = solution.from_file((tmp_path / f"{few.solution.key}.xz").read_bytes())
    assert kept is not None and kept.checksum == few.solution.checksum
    assert ns.solve(variant).solution is few.solution
    assert few.low < ns.exact.play(variant, "optimal", "optimal").margin < few.high


@pytest.mark.parametrize("change", [{}, {"next_lead": "first_go"}, {"thirtyone_extra": "last1"}])
def test_branches_are_the_lines_of_hands_of_three_under_other_readings(change: dict[str, object]) -> None:
    variant = NODDY.replace(**change)
    lines = ns.exact.play(variant, "random", "greedy-random")
    found = count_branches(three_each(variant), parse_strategy("random"), parse_strategy("greedy-random"))
    assert (found.pone, found.dealer) == pytest.approx((lines.pone, lines.dealer), abs=1e-10)
