"""The built-in variants as data: each differs from Noddy in what its sources say, and in nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from bugs_cases import NODDY, rules_with
from click.testing import CliRunner

from noddysim.cli import cli
from noddysim.game.readings import look_up
from noddysim.game.rules import load_variant, variant_names

HEELS = {"rank": "J", "to": "dealer", "points": 2}
CRIBBAGE: dict[str, Any] = {
    "hand": 4, "partners": True, "crib": True, "target": 121, "turned": [HEELS],
    "discard": {"two": 2, "three": 1, "four": 1}, "deal_to_crib": {"two": 0, "three": 1, "four": 0},
}  # fmt: skip
COSTLY_PLAY: dict[str, Any] = {
    "piles": "single", "fifteen": "per_card", "twentyfive": "per_card", "thirtyone": "per_card",
    "same_rank": [2, 9, 18],
}  # fmt: skip
COSTLY: dict[str, Any] = {
    "players": [2], "target": 61, "mog": {"exchange": "opponent", "first": "elder", "refusal": 1, "bonus": "giver"},
    "turned": [{"rank": rank, "to": "dealer", "points": 4} for rank in "J2"], "play": COSTLY_PLAY,
    "show": {
        "fifteen": "per_card", "twentyfive": "per_card", "thirtyone": "per_card", "same_rank": [2, 9, 18],
        "run": "off", "hand_flush": "off", "nob": 0, "colours": [2, 3, 4, 5, 6],
        "jacks_deuces": [{"rank": rank, "points": 2, "suited": 4} for rank in "J2"],
    },
}  # fmt: skip
DIFFERENCES: dict[str, dict[str, Any]] = {
    "noddy": {},
    "noddy-15": {"target": 15},
    "noddy-21": {"target": 21},
    "noddy-61": {"target": 61},
    "noddy-no-jack": {"turned": []},
    "noddy-four": {"hand": 4, "show": {"hand_flush": "subset"}},
    "noddy-groves": {
        "hand": 4, "target": 61, "order": ["heels", "show", "play"], "turned": [HEELS],
        "play": {"piles": "single", "fifteen": "per_card", "twentyfive": "per_card", "thirtyone": "per_card",
                 "flush": "length"},
        "show": {"fifteen": "per_card", "hand_flush": "groves"},
    },
    "cribbage-five": {
        "players": [2], "hand": 3, "crib": True, "target": 61, "three_for_last": "first_deal", "turned": [HEELS],
        "discard": {"two": 2, "three": 0, "four": 0}, "play": {"piles": "single"},
    },
    "cribbage": CRIBBAGE,
    "cribbage-61": {**CRIBBAGE, "target": 61},
    "cribbage-alone": {**CRIBBAGE, "partners": False},
    "costly-colours": COSTLY,
    "costly-121": {**COSTLY, "target": 121},
    "costly-1674": {
        **COSTLY, "mog": {**COSTLY["mog"], "bonus": "taker"},
        "play": {**COSTLY_PLAY, "same_rank": [0, 0, 0], "run": "off"},
    },
}  # fmt: skip
"""What each built-in variant changes in Noddy, by the sections of the rule sheet that are its sources."""


def test_every_built_in_variant_stands_in_the_table() -> None:
    assert set(variant_names("pegging")) == set(DIFFERENCES)


@pytest.mark.parametrize("name", variant_names("pegging"))
def test_the_rules_of_a_variant(name: str) -> None:
    variant = load_variant(name)
    rules = variant.rules.model_dump()
    assert rules == rules_with(DIFFERENCES[name])
    # What is not Noddy's is not laid at the door of the page on Noddy.
    for key, source in variant.sources.items():
        if look_up(rules, key) != look_up(NODDY, key):
            assert source.key != "seed-b" or name.startswith("noddy"), key


@pytest.mark.parametrize("name", variant_names("pegging"))
def test_the_command_shows_every_variant(name: str) -> None:
    result = CliRunner().invoke(cli, ["variants", name])
    assert result.exit_code == 0, result.output
    assert result.output.startswith(f"# {load_variant(name).title}\n\nName: {name}\n")
    listed = CliRunner().invoke(cli, ["variants"])
    assert f"{name} " in listed.output


def test_noddy_is_what_every_variant_differs_from() -> None:
    assert load_variant("noddy").rules.model_dump() == NODDY
    assert load_variant("noddy").replace() == load_variant("noddy")
