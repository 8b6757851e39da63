"""What the tests of rules share: the readings of Noddy, its rules with some values changed, and refusals."""

from __future__ import annotations

import json

import pytest
from bugs_cases import NODDY

from noddysim.game.errors import InputError
from noddysim.game.rules import load_variant

DEFAULTS = {
    "thirtyone_extra": "none", "final_card_point": True, "next_lead": "left_of_last", "combo_scope": "pile",
    "go_breaks": False, "run_multiplicity": "each", "play_flush": False, "must_play": True, "muggins": False,
    "turned_jack": "dealer1", "piles": "multi", "show_first": False, "fifteen": "flat2", "twentyfive": "off",
    "run_scale": "length", "partners": False, "target": 31, "exact_finish": False, "hand_flush": "whole",
    "heels_can_win": True, "three_for_last": "off", "crib_flush": "five", "skunk": "off", "mog_first": "elder",
    "mog_with": "opponent", "mog_bonus": "giver", "turned_deuce": 0, "plain_deuce": 0, "jd_pairs": True,
    "play_runs": True, "play_pairs": "own", "colour_stack": False, "go_point": False, "thirty_scores": False,
}  # fmt: skip


def refusal(text_or_call) -> str:
    """The message of the InputError; one line."""
    with pytest.raises(InputError) as caught:
        load_variant(text_or_call) if isinstance(text_or_call, str) else text_or_call()
    message = str(caught.value)
    assert "\n" not in message
    return message


def changed_noddy(changes: dict) -> dict:
    """Noddy's rules with some dotted keys changed."""
    rules = json.loads(json.dumps(NODDY))
    for key, value in changes.items():
        table, _, name = key.rpartition(".")
        (rules[table] if table else rules)[name] = value
    return rules
