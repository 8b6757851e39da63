"""Strategies, rules and files of truths that the tests of the slow twin share."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import reference
from bugs_cases import rules_with

TRUTH = Path(__file__).parent / "golden" / "truth"
RANDOM = {"levels": [{"when": "any", "weights": {}, "final": "random"}], "ties": "low"}
LOW: dict[str, Any] = {"levels": [], "ties": "low"}
HIGH: dict[str, Any] = {"levels": [], "ties": "high"}
GREEDY = {"levels": [{"weights": {"points": 1}}], "ties": "low"}
NEVER = {"levels": [{"weights": {"stay": 1}}], "ties": "low"}
ALWAYS = {"levels": [{"weights": {"stay": -1}}], "ties": "low"}
CRIBBAGE = rules_with({
    "hand": 4, "target": 121, "partners": True, "crib": True,
    "discard": {"two": 2, "three": 1, "four": 1}, "deal_to_crib": {"two": 0, "three": 1, "four": 0},
    "turned": [{"rank": "J", "to": "dealer", "points": 2}],
    "skunk": [{"below": 91, "games": 2}, {"below": 61, "games": 3}],
    "show": {"crib_flush": "five"},
})  # fmt: skip
CRIBBAGE_FIVE = rules_with({
    "players": [2], "target": 61, "crib": True, "discard": {"two": 2}, "three_for_last": "first_deal",
    "turned": [{"rank": "J", "to": "dealer", "points": 2}], "play": {"piles": "single"}, "show": {"crib_flush": "five"},
})  # fmt: skip
A_CARD = {"fifteen": "per_card", "twentyfive": "per_card", "thirtyone": "per_card", "same_rank": [2, 9, 18]}
COSTLY = rules_with({
    "players": [2], "target": 61, "mog": {"exchange": "opponent", "first": "elder", "refusal": 1, "bonus": "giver"},
    "turned": [{"rank": rank, "to": "dealer", "points": 4} for rank in ("J", "2")],
    "play": {**A_CARD, "piles": "single", "run": "length"},
    "show": {
        **A_CARD, "run": "off", "hand_flush": "off", "nob": 0, "colours": [2, 3, 4, 5, 6],
        "jacks_deuces": [{"rank": rank, "points": 2, "suited": 4} for rank in ("J", "2")],
    },
})  # fmt: skip


def rows(name: str) -> list[dict[str, str]]:
    with (TRUTH / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def letters(cards: Sequence[int]) -> str:
    return " ".join(reference.RANK_LETTERS[reference.rank(card)] for card in cards)


def changed(rules: Mapping[str, Any], **differences: Any) -> dict[str, Any]:
    """The rules with some values changed; ``play``, ``show`` and ``mog`` may be given in part."""
    return {
        **rules,
        **{key: {**rules[key], **value} if key in ("play", "show", "mog") else value
           for key, value in differences.items()},
    }  # fmt: skip


def laying_away(levels: Sequence[Mapping[str, Any]], ties: str = "low") -> dict[str, Any]:
    return {"levels": levels, "ties": ties}
