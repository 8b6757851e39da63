"""The one table from a game's name to what is needed to play it: rules as numbers, limits, kernels.

Nothing else in the project turns a variant into kernel input.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from noddysim.game.cards import rank_from_text
from noddysim.game.errors import InputError
from noddysim.game.rulemodels import SEATS
from noddysim.kernels import records as rec

if TYPE_CHECKING:
    from noddysim.game.rules import Variant

SEAT_NAMES: dict[int, tuple[str, ...]] = {
    2: ("pone", "dealer"),
    3: ("eldest", "second", "dealer"),
    4: ("eldest", "second", "third", "dealer"),
}

_PILES = {"multi": rec.MULTI, "single": rec.SINGLE, "single_first_stuck": rec.SINGLE_FIRST_STUCK}
_NEXT_DEALER = {"left": rec.LEFT, "right": rec.RIGHT, "same": rec.SAME, "lowest": rec.LOWEST, "highest": rec.HIGHEST}
_TO = {"dealer": rec.TO_DEALER, "eldest": rec.TO_ELDEST, "opponents": rec.TO_OPPONENTS}
_PHASE = {"heels": rec.HEELS, "play": rec.PLAY, "show": rec.SHOW}
_FLUSH = {"off": rec.FLUSH_OFF, "whole": rec.FLUSH_WHOLE, "subset": rec.FLUSH_SUBSET, "groves": rec.FLUSH_GROVES}
BEHAVIOUR = 1
"""Version of what the kernels count. A change that moves any count raises it; a golden count guards it."""

PHASES = ("heels", "play", "show")


def check_players(variant: Variant, players: int) -> int:
    """Return ``players`` if the variant allows it; raises InputError naming what is allowed."""
    allowed = variant.rules.players
    if players not in allowed:
        numbers = " or ".join(str(n) for n in allowed)
        raise InputError(f"{variant.name} is played by {numbers}, not by {players}")
    return players


class PegGame(NamedTuple):
    """Rules of a pegging variant for one number of players, as the kernels take them.

    rules : record of ``kernels.records.PEG_RULES``; shows : int64 (13 ** (hand + 1),), the table of the show;
    text : the rules as canonical JSON, by which runs are named
    """

    rules: Any
    shows: np.ndarray
    players: int
    text: str


def peg_game(variant: Variant, players: int) -> PegGame:
    """The kernel input of a variant; raises InputError if it is not played by that many."""
    check_players(variant, players)
    return _peg_game(variant.rules.model_dump_json(), players)


@functools.lru_cache(maxsize=64)
def _peg_game(text: str, players: int) -> PegGame:
    from noddysim.kernels.show import fill_show_table

    rules = _rules_record(json.loads(text), players)
    shows = np.zeros(13 ** (int(rules.hand) + 1), np.int64)
    fill_show_table(rules, shows)
    return PegGame(rules, shows, players, text)


def _rules_record(data: Mapping[str, Any], players: int) -> Any:
    play, show, turned = data["play"], data["show"], data["turned"]
    play_flat, play_each = _by_count(play, play["limit"], rec.PLAY_SHIFT)
    show_flat, show_each = _by_count(show, 31, (rec.SHOW_SHIFT[0],) * 3)
    values = {
        "hand": data["hand"],
        "limit": play["limit"],
        "piles": _PILES[play["piles"]],
        "first_go_leads": play["next_lead"] == "first_go",
        "combos_cross_piles": play["combo_scope"] == "deal",
        "go_breaks": play["go_breaks"],
        "last": play["last"],
        "final_card_point": play["final_card_point"],
        "limit_extra": play["thirtyone_extra"],
        "play_flat": play_flat,
        "play_each": play_each,
        "play_same": _packed(_same(play["same_rank"]), rec.PLAY_SHIFT[3]),
        "play_run": _packed(_by_length(play["run"]), rec.PLAY_SHIFT[4]),
        "turned": len(turned),
        "turned_rank": _padded([rank_from_text(entry["rank"]) for entry in turned], rec.MAX_TURNED),
        "turned_to": _padded([_TO[entry["to"]] for entry in turned], rec.MAX_TURNED),
        "turned_points": _padded([entry["points"] for entry in turned], rec.MAX_TURNED),
        "order": [_PHASE[phase] for phase in data["order"]],
        "target": data["target"],
        "next_dealer": _NEXT_DEALER[data["next_dealer"]],
        "head_start": _padded([data["head_start"][name] for name in (*SEATS[: players - 1], "dealer")], rec.MAX_SEATS),
        "show_flat": show_flat,
        "show_each": show_each,
        "show_same": _packed(_same(show["same_rank"]), rec.SHOW_SHIFT[1]),
        "show_run": _packed(_by_length(show["run"]), rec.SHOW_SHIFT[2]),
        "run_each": show["run_multiplicity"] == "each",
        "flush_kind": _FLUSH[show["hand_flush"]],
        "flush_points": _by_length(show["flush"]),
        "nob": show["nob"],
    }
    record = rec.new_record(rec.PEG_RULES)
    for field in rec.PEG_RULES:
        record[field.name] = values[field.name]
    return record


def _padded(numbers: Sequence[int], size: int) -> list[int]:
    """The numbers, filled up with noughts to a fixed size."""
    return [*numbers, *[0] * (size - len(numbers))]


def _packed(points: np.ndarray, shift: int) -> np.ndarray:
    """Points in the total and in the part that begins at bit ``shift``."""
    packed: np.ndarray = points | (points << shift)
    return packed


def _by_count(section: Mapping[str, Any], limit: int, shifts: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Packed points by count (or sum), flat and for each card, each int64 (64,)."""
    flat = np.zeros(rec.COUNTS, np.int64)
    each = np.zeros(rec.COUNTS, np.int64)
    for name, count, shift in zip(("fifteen", "twentyfive", "thirtyone"), (15, 25, limit), shifts, strict=False):
        value = section[name]
        where, points = (each, 1) if value == "per_card" else (flat, value)
        where[count] += points | (points << shift)
    return flat, each


def _same(points: list[int]) -> np.ndarray:
    """Points by number of equal cards, int64 (5,): nothing for none or one."""
    return np.array([0, 0, *points], np.int64)


def _by_length(points: str | list[int]) -> np.ndarray:
    """Points by length, int64 (16,): from three cards on; beyond a list one more a card."""
    table = np.zeros(16, np.int64)
    for length in range(3, 16):
        if points == "length":
            table[length] = length
        elif length - 3 < len(points):
            table[length] = int(points[length - 3])
        else:
            table[length] = table[length - 1] + 1
    return table


def decisions(variant: Variant) -> frozenset[str]:
    """The kinds of decision that exist in a variant: advice on any other kind is vacuous there."""
    return frozenset({"lead", "follow", "play"})


def same_cards(one: Variant, other: Variant) -> bool:
    """Whether the same cards reach the same seats in both, so that a difference is due to the rules alone."""
    return one.rules.hand == other.rules.hand
