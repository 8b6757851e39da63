"""Worked cases as plain data: the rule book's examples and the faults seen in the field.

Both the slow twin and the package are held against these tables, so that neither is judged by the other alone. The
ids name the source: ``N-``, ``F-``, ``C5-``, ``C6-`` and ``CC-`` are the worked examples of ``golden/truth``, where
the option is written behind a colon; ``B2`` … ``B24`` are cases of the project's list of public faults.

``NODDY`` is the full set of rules every case starts from; each case says only what differs. Games that are not Noddy
stand here with the part of them that is pegging core: their cards are laid and counted by the same rules.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, NamedTuple

Differences = Mapping[str, Any]

NODDY: dict[str, Any] = {
    "players": [2, 3, 4],
    "partners": False,
    "hand": 3,
    "discard": {"two": 0, "three": 0, "four": 0},
    "deal_to_crib": {"two": 0, "three": 0, "four": 0},
    "crib": False,
    "mog": {"exchange": "off", "first": "elder", "refusal": 1, "bonus": "giver"},
    "target": 31,
    "head_start": {"eldest": 0, "second": 0, "third": 0, "dealer": 0},
    "three_for_last": "off",
    "next_dealer": "left",
    "order": ["heels", "play", "show"],
    "turned": [{"rank": "J", "to": "dealer", "points": 1}],
    "skunk": [],
    "play": {
        "limit": 31,
        "piles": "multi",
        "fifteen": 2,
        "twentyfive": 0,
        "thirtyone": 2,
        "thirtyone_extra": 0,
        "same_rank": [2, 6, 12],
        "run": "length",
        "flush": "off",
        "last": 1,
        "final_card_point": True,
        "next_lead": "left_of_last",
        "combo_scope": "pile",
        "go_breaks": False,
    },
    "show": {
        "fifteen": 2,
        "twentyfive": 0,
        "thirtyone": 0,
        "same_rank": [2, 6, 12],
        "run": "length",
        "run_multiplicity": "each",
        "hand_flush": "whole",
        "flush": "length",
        "crib_flush": "five",
        "nob": 1,
        "jacks_deuces": [],
        "colours": [],
    },
}


def rules_with(differences: Differences) -> dict[str, Any]:
    """Noddy's rules with some values changed; ``play`` and ``show`` may be given in part."""
    rules = copy.deepcopy(NODDY)
    for key, value in differences.items():
        if key in ("play", "show", "head_start"):
            rules[key] = {**rules[key], **value}
        else:
            rules[key] = value
    return rules


NONE: Differences = {}
FOUR: Differences = {"hand": 4, "show": {"hand_flush": "subset"}}
FOUR_WHOLE: Differences = {"hand": 4, "show": {"hand_flush": "whole"}}
FOUR_GROVES: Differences = {"hand": 4, "show": {"hand_flush": "groves"}}
# The pegging core of five-card cribbage, of cribbage and of Costly Colours.
CRIBBAGE_FIVE: Differences = {"target": 61, "play": {"piles": "single"}}
CRIBBAGE: Differences = {"hand": 4, "target": 121}
_COSTLY = {
    "piles": "single",
    "fifteen": "per_card",
    "twentyfive": "per_card",
    "thirtyone": "per_card",
    "same_rank": [2, 9, 18],
}
COSTLY: Differences = {"target": 61, "play": _COSTLY}
COTTON: Differences = {"target": 61, "play": {**_COSTLY, "same_rank": [0, 0, 0], "run": [0, 0, 0, 0, 0]}}


class ShowCase(NamedTuple):
    """A hand with its starter. ``parts`` in the order fifteens, pairs, runs, flush, nob; None where none are given."""

    id: str
    rules: Differences
    hand: str
    starter: str
    parts: tuple[int, int, int, int, int] | None
    total: int


class PlayCase(NamedTuple):
    """Hands each in the order laid, eldest first, and what each card made with the last-card point.

    ``gain`` by seat; ``seats`` who laid each card where that is the point; ``start``, ``target`` and ``winner`` (seat)
    where the play is stopped.
    """

    id: str
    rules: Differences
    hands: str
    points: tuple[int, ...]
    gain: tuple[int, ...]
    start: tuple[int, ...] | None = None
    target: int | None = None
    winner: int | None = None
    seats: tuple[int, ...] | None = None


class SequenceCase(NamedTuple):
    """Ranks in the order laid, ``|`` where a pile was closed, and what each card made, without the last-card point."""

    id: str
    rules: Differences
    cards: str
    points: tuple[int, ...]


class LegalCase(NamedTuple):
    """Ranks of a pile and of a hand, and the ranks of the hand that may be laid."""

    id: str
    pile: str
    hand: str
    legal: str


class ChoiceCase(NamedTuple):
    """A strategy on its turn: ranks of the pile, cards held, starter, cards laid in earlier piles, the rank it lays."""

    id: str
    strategy: Mapping[str, Any]
    pile: str
    hand: str
    starter: str
    earlier: str
    lays: str


class DealCase(NamedTuple):
    """A whole deal whose hands are laid in the order given, with scores before and after it, and who won and when."""

    id: str
    rules: Differences
    hands: str
    starter: str
    before: tuple[int, ...]
    target: int
    after: tuple[int, ...]
    winner: int | None
    phase: str | None


# fmt: off
SHOW_CASES: list[ShowCase] = [
    # Noddy
    ShowCase("N-S2", NONE, "7h 7d 8c", "8s", (8, 4, 0, 0, 0), 12),
    ShowCase("N-S3", NONE, "5h 5d Js", "5s", (8, 6, 0, 0, 1), 15),
    ShowCase("N-S4", NONE, "5h 5d 5c", "5s", (8, 12, 0, 0, 0), 20),
    ShowCase("N-S5", NONE, "2h 9h Kh", "4c", (2, 0, 0, 3, 0), 5),
    ShowCase("N-S6", NONE, "2h 9h Kh", "4h", (2, 0, 0, 4, 0), 6),
    ShowCase("N-S7", NONE, "4h 5c 6d", "6s", (4, 2, 6, 0, 0), 12),
    ShowCase("N-S11", NONE, "2h 4d 6c", "8s", (0, 0, 0, 0, 0), 0),
    ShowCase("N-S12", NONE, "Qh Kd Ac", "2s", (0, 0, 0, 0, 0), 0),
    ShowCase("N-S7:run_multiplicity=once", {"show": {"run_multiplicity": "once"}}, "4h 5c 6d", "6s",
             (4, 2, 3, 0, 0), 9),
    ShowCase("N-S7:run_scale=cotton", {"show": {"run": [2, 4, 5]}}, "4h 5c 6d", "6s", (4, 2, 4, 0, 0), 10),
    ShowCase("N-S6:hand_flush=groves", {"show": {"hand_flush": "groves"}}, "2h 9h Kh", "4h", (2, 0, 0, 3, 0), 5),
    ShowCase("N-S6:hand_flush=subset", {"show": {"hand_flush": "subset"}}, "2h 9h Kh", "4h", (2, 0, 0, 4, 0), 6),
    ShowCase("N-S6:fifteen=per_card", {"show": {"fifteen": "per_card"}}, "2h 9h Kh", "4h", (3, 0, 0, 4, 0), 7),
    ShowCase("N-S4:fifteen=per_card", {"show": {"fifteen": "per_card"}}, "5h 5d 5c", "5s", (12, 12, 0, 0, 0), 24),
    # Four-Card Noddy, with the readings of its flush
    ShowCase("F-S3", FOUR, "2h 4h 6h 8h", "Kc", (0, 0, 0, 4, 0), 4),
    ShowCase("F-S4", FOUR, "2h 4h 6h 8h", "Kh", (0, 0, 0, 5, 0), 5),
    ShowCase("F-S4:hand_flush=groves", FOUR_GROVES, "2h 4h 6h 8h", "Kh", (0, 0, 0, 5, 0), 5),
    ShowCase("F-S5", FOUR, "2h 4h 6h 8c", "Kd", (0, 0, 0, 3, 0), 3),
    ShowCase("F-S5:hand_flush=whole", FOUR_WHOLE, "2h 4h 6h 8c", "Kd", (0, 0, 0, 0, 0), 0),
    ShowCase("F-S5:hand_flush=groves", FOUR_GROVES, "2h 4h 6h 8c", "Kd", (0, 0, 0, 3, 0), 3),
    ShowCase("F-S6", FOUR, "2h 4h 6h 8c", "Kh", (0, 0, 0, 4, 0), 4),
    ShowCase("F-S6:hand_flush=whole", FOUR_WHOLE, "2h 4h 6h 8c", "Kh", (0, 0, 0, 0, 0), 0),
    ShowCase("F-S6:hand_flush=groves", FOUR_GROVES, "2h 4h 6h 8c", "Kh", (0, 0, 0, 3, 0), 3),
    ShowCase("F-S8", FOUR, "3h 3d 3c 4s", "5h", (6, 6, 9, 0, 0), 21),
    ShowCase("F-S9", FOUR, "9h 9d 9c 9s", "6h", (8, 12, 0, 0, 0), 20),
    ShowCase("F-S10", FOUR, "Th Jd Qc Ks", "9h", (0, 0, 5, 0, 0), 5),
    ShowCase("F-S11", FOUR, "Jh 3d 4c 8s", "7h", (4, 0, 0, 0, 1), 5),
    ShowCase("F-S12", FOUR, "2h 4d 6c 8s", "Th", (0, 0, 0, 0, 0), 0),
    # Hands of five-card and of six-card cribbage (no cribs: Noddy has none)
    ShowCase("C5-S1", NONE, "6h 7s 8d", "Qc", (2, 0, 3, 0, 0), 5),
    ShowCase("C5-S2", NONE, "Th Tc 5s", "Qc", (6, 2, 0, 0, 0), 8),
    ShowCase("C5-S4", NONE, "8h 8d 7s", "6d", (4, 2, 6, 0, 0), 12),
    ShowCase("C5-S5", NONE, "Th 5d 3s", "6d", (2, 0, 0, 0, 0), 2),
    ShowCase("C5-S7", NONE, "2h 9h Kh", "4c", (2, 0, 0, 3, 0), 5),
    ShowCase("C5-S11", NONE, "4h 5d 6c", "6s", (4, 2, 6, 0, 0), 12),
    ShowCase("C6-S2", FOUR_WHOLE, "5h 5d 5c 5s", "Jd", (16, 12, 0, 0, 0), 28),
    ShowCase("C6-S3", FOUR_WHOLE, "5s 4s 2s 6h", "3d", (4, 0, 5, 0, 0), 9),
    ShowCase("C6-S4", FOUR_WHOLE, "6d Jh 4h 7c", "3d", (0, 0, 0, 0, 0), 0),
    ShowCase("C6-S9", FOUR_WHOLE, "9c Tc Jc Qc", "Kc", (0, 0, 5, 5, 1), 11),
    # Faults of the field, part A
    ShowCase("B2a", FOUR_WHOLE, "2h 4h 6h Tc", "Kh", (0, 0, 0, 0, 0), 0),
    ShowCase("B2b", NONE, "2h 6h 9s", "Kh", (2, 0, 0, 0, 0), 2),
    ShowCase("B2c", NONE, "2h 6h 9h", "Kc", (2, 0, 0, 3, 0), 5),
    ShowCase("B2d", NONE, "2h 6h 9h", "Kh", (2, 0, 0, 4, 0), 6),
    ShowCase("B3 as a hand", FOUR_WHOLE, "2h 4h 9h Kh", "8s", (2, 0, 0, 4, 0), 6),
    ShowCase("B3 five of a suit", FOUR_WHOLE, "2h 4h 9h Kh", "8h", (2, 0, 0, 5, 0), 7),
    ShowCase("B4a", FOUR_WHOLE, "Tc Jd Qh Qs", "Kc", (0, 2, 8, 0, 0), 10),
    ShowCase("B4b", FOUR_WHOLE, "3c 3d 4h 5s", "9c", (4, 2, 6, 0, 0), 12),
    ShowCase("B4c", FOUR_WHOLE, "4c 4d 5h 5s", "6c", (8, 4, 12, 0, 0), 24),
    ShowCase("B4d", FOUR_WHOLE, "Ac Ad 2h 3s", "2c", (0, 4, 12, 0, 0), 16),
    ShowCase("B4e", NONE, "4c 5d 6h", "5s", (4, 2, 6, 0, 0), 12),
    ShowCase("B6", FOUR_WHOLE, "Ac 2d 7h 9s", "Qc", (0, 0, 0, 0, 0), 0),
    ShowCase("B8a", FOUR_WHOLE, "5c 5d 5h Js", "5s", (16, 12, 0, 0, 1), 29),
    ShowCase("B8b", NONE, "5c 5d 5h", "5s", (8, 12, 0, 0, 0), 20),
    ShowCase("B9a", FOUR_WHOLE, "5s 5h 5d Js", "Ks", None, 21),
    ShowCase("B9b", FOUR_WHOLE, "Jd 3c 4h 5h", "5s", None, 12),
    ShowCase("B9c", FOUR_WHOLE, "9s 8s 7s 6s", "5h", None, 13),
    ShowCase("B9d", FOUR_WHOLE, "8d 7d 6d 5d", "4d", None, 14),
    ShowCase("B9e", FOUR_WHOLE, "As 2d 3h Js", "4s", (4, 0, 4, 0, 1), 9),
    ShowCase("B9f", FOUR_WHOLE, "Ad Kd 3c Qd", "6d", (0, 0, 0, 0, 0), 0),
    ShowCase("B10", NONE, "Js 4d 5h", "6s", (4, 0, 3, 0, 1), 8),
]

PLAY_CASES: list[PlayCase] = [
    # Noddy
    PlayCase("N-P1", NONE, "7h 3c Kd / 8s 5d 2h", (0, 2, 0, 0, 1, 1), (1, 3)),
    PlayCase("N-P3", NONE, "3h 3d 9c / 3s 3c Tc", (0, 2, 6, 12, 0, 2), (6, 16)),
    PlayCase("N-P4", NONE, "5h 4c 7s / 6d 3h Jd", (0, 0, 5, 4, 6, 1), (11, 5)),
    PlayCase("N-P7", NONE, "Kh 7d 5c / Qs 4h 6s", (0, 0, 0, 2, 0, 1), (0, 3)),
    PlayCase("N-P8", NONE, "Kh 4c 4d / Qs Jd Td", (0, 0, 0, 3, 0, 1), (3, 1)),
    PlayCase("N-P9", NONE, "5h 8c Ks / 5s 7d 2h / 5d 6c Jh", (0, 2, 8, 0, 1, 0, 0, 0, 1), (0, 3, 9)),
    PlayCase("N-P10", NONE, "Th 4d 6s / Kc 8h 9d / 5s Ac Qd", (0, 0, 0, 0, 1, 0, 0, 1, 1), (0, 1, 2),
             seats=(0, 1, 2, 0, 2, 0, 1, 2, 1)),
    PlayCase("N-P11", NONE, "2h 9c 6d / 4s 8h Kd / 3c 7s Jd / 6h 5d Qc", (0, 0, 3, 2, 0, 2, 0, 0, 0, 1, 0, 1),
             (0, 1, 6, 2)),
    PlayCase("N-P12", NONE, "7h 8d Kc / 8s 5c 2d", (0, 2, 2), (2, 2), (29, 25), 31, 0),
    # The same with an option named
    PlayCase("N-P1:piles=single", {"play": {"piles": "single"}}, "7h 3c Kd / 8s 5d 2h", (0, 2, 0, 0, 1), (0, 3)),
    PlayCase("N-P3:thirtyone_extra=last1", {"play": {"thirtyone_extra": 1}}, "3h 3d 9c / 3s 3c Tc",
             (0, 2, 6, 12, 0, 3), (6, 17)),
    PlayCase("N-P3:thirtyone_extra=double", {"play": {"thirtyone_extra": 2}}, "3h 3d 9c / 3s 3c Tc",
             (0, 2, 6, 12, 0, 4), (6, 18)),
    PlayCase("N-P7:combo_scope=deal", {"play": {"combo_scope": "deal"}}, "Kh 7d 5c / Qs 4h 6s",
             (0, 0, 0, 2, 0, 5), (0, 7)),
    PlayCase("N-P8:go_breaks=true", {"play": {"go_breaks": True}}, "Kh 4c 4d / Qs Jd Td", (0, 0, 0, 1, 0, 1), (1, 1)),
    PlayCase("N-P8:piles=single_first_stuck", {"play": {"piles": "single_first_stuck"}}, "Kh 4c 4d / Qs Jd Td",
             (0, 0, 1), (1, 0)),
    PlayCase("N-P8:final_card_point=false", {"play": {"final_card_point": False}}, "Kh 4c 4d / Qs Jd Td",
             (0, 0, 0, 3, 0, 0), (3, 0)),
    PlayCase("N-P3:final_card_point=false", {"play": {"final_card_point": False}}, "3h 3d 9c / 3s 3c Tc",
             (0, 2, 6, 12, 0, 2), (6, 16)),
    PlayCase("N-P10:next_lead=first_go", {"play": {"next_lead": "first_go"}},
             "Th 4d 6s / Kc 8h 9d / 5s Ac Qd", (0, 0, 0, 0, 1, 0, 0, 1, 1), (1, 1, 1),
             seats=(0, 1, 2, 0, 2, 1, 2, 0, 1)),
    PlayCase("N-P4:run_scale=cotton", {"play": {"run": [2, 4, 5]}}, "5h 4c 7s / 6d 3h Jd", (0, 0, 4, 4, 6, 1), (10, 5)),
    PlayCase("N-P3:fifteen=per_card", {"play": {"fifteen": "per_card", "thirtyone": "per_card"}},
             "3h 3d 9c / 3s 3c Tc", (0, 2, 6, 12, 0, 6), (6, 20)),
    PlayCase("N-P4:twentyfive=per_card", {"play": {"twentyfive": "per_card"}}, "5h 4c 7s / 6d 3h Jd",
             (0, 0, 5, 4, 11, 1), (16, 5)),
    # Four-Card Noddy
    PlayCase("F-P1", FOUR, "7h 3c 2s Kd / 8s 5d 4h Qc", (0, 2, 0, 0, 0, 5, 0, 1), (0, 8)),
    PlayCase("F-P2", FOUR, "9h 9d As 4c / 9s 2d 3h Kd", (0, 2, 6, 0, 1, 0, 0, 1), (7, 3)),
    PlayCase("F-P3", FOUR, "2h 2d 8c Jd / 2s 2c Kh 9s", (0, 2, 6, 12, 0, 1, 0, 1), (6, 16)),
    PlayCase("F-P4", FOUR, "3h 5c 7d Kc / 4s 6h 2d Qs", (0, 0, 3, 4, 5, 7, 0, 1), (8, 12)),
    PlayCase("F-P6", FOUR, "5h 5s Ad 9c / 5d Th 4c Kc", (0, 2, 8, 0, 0, 1, 0, 1), (8, 4)),
    PlayCase("F-P7", FOUR, "6h 9d Qc 2c / 7s 8h 3d Jd / 8c Th 4s Kd", (0, 0, 3, 5, 0, 0, 0, 2, 0, 0, 0, 1), (5, 2, 4)),
    PlayCase("F-P8", FOUR, "Ah 5c 9h Qd / 2d 6s Tc Kh / 3s 7h Jc 8d / 4c 8s Qs 5d",
             (0, 0, 3, 4, 7, 6, 8, 0, 0, 4, 0, 0, 3, 0, 0, 1), (10, 10, 11, 5)),
    PlayCase("F-P9", FOUR, "Th Kd 4c 5s / Qs Kc 9d 6h", (0, 0, 1, 0, 0, 0, 1, 1), (2, 1)),
    PlayCase("F-P10", FOUR, "4h 5s 4d Kc / 6c 6h 5d Qd", (0, 0, 5, 0, 3, 4, 0, 1), (8, 5)),
    PlayCase("F-P11", FOUR, "Th 3d 2c Ad / Kc Qd Js 9s", (0, 0, 0, 0, 4, 0, 0, 1), (4, 1)),
    PlayCase("F-P11:go_breaks=true", {**FOUR, "play": {"go_breaks": True}}, "Th 3d 2c Ad / Kc Qd Js 9s",
             (0, 0, 0, 0, 1, 0, 0, 1), (1, 1)),
    # Five-card cribbage after the discard: one pile
    PlayCase("C5-P1", CRIBBAGE_FIVE, "7h 3c Kd / 8s 5d 2h", (0, 2, 0, 0, 1), (0, 3)),
    PlayCase("C5-P3", CRIBBAGE_FIVE, "8h 8d 7s / Th 5d 3s", (0, 0, 0, 2), (0, 2)),
    PlayCase("C5-P4", CRIBBAGE_FIVE, "6h 6d Ks / 6c 9d 4s", (0, 2, 6, 0, 2), (6, 4)),
    PlayCase("C5-P7", CRIBBAGE_FIVE, "Kh 4c 4d / Qs Jd Td", (0, 0, 0, 3), (3, 0)),
    PlayCase("C5-P8", CRIBBAGE_FIVE, "4h 5s 4d / 6c 6h 2s", (0, 0, 5, 0, 3, 1), (8, 1)),
    PlayCase("C5-P9", CRIBBAGE_FIVE, "Th Kd 8s / Qs Kc 9h", (0, 0, 1), (1, 0)),
    PlayCase("C5-P11", CRIBBAGE_FIVE, "8h Kc 2d / 7s Qd 3h", (0, 2), (0, 2), (60, 59), 61, 1),
    PlayCase("C5-P12", CRIBBAGE_FIVE, "2h Ac 9s / 3d 4c Kh", (0, 0, 3, 4, 0, 1), (3, 5)),
    # Cribbage after the discard
    PlayCase("C6-P1", CRIBBAGE, "Jh 7c 6d 4h / 5s 6h 2s 4s", (0, 2, 0, 3, 1, 0, 0, 3), (3, 6)),
    PlayCase("C6-P2", CRIBBAGE, "7c 5s Ts 4s / 7d 5c Th 3d / 7s 8h Kd 9d", (0, 2, 6, 0, 4, 0, 0, 2, 2, 0, 0, 1),
             (0, 10, 7)),
    PlayCase("C6-P4", CRIBBAGE, "2h 5c Ad 4s / 3d 6s 7h 2c", (0, 0, 0, 0, 0, 0, 7, 8), (7, 8)),
    PlayCase("C6-P6", CRIBBAGE, "Kd 8c 2h 2d / 9s Tc Jh Qs", (0, 0, 0, 0, 4, 0, 0, 4), (4, 4)),
    PlayCase("C6-P8", CRIBBAGE, "Kd Jh 7c 5s / Qh 4d 9c 6s", (0, 0, 4, 0, 0, 0, 0, 2), (4, 2)),
    PlayCase("C6-P10", CRIBBAGE, "8h 2s 5c Kd / 7d 9s 3h Jc / 9c 6d Qs 4h / 5d 8c Th As",
             (0, 2, 3, 0, 2, 0, 2, 0, 0, 2, 0, 0, 0, 2, 0, 1), (2, 4, 6, 2)),
    PlayCase("C6-P12", CRIBBAGE, "4c Ad 9h 9d / Ts 6s 2d 3d", (0, 0, 2), (2, 0), (120, 120), 121, 0),
    # Costly Colours after the mogging: totals at a point a card, one pile
    PlayCase("CC-P2", COSTLY, "7d 6s 3c / 8h Td 4c", (0, 2, 3, 4), (3, 6)),
    PlayCase("CC-P3", COSTLY, "Kh 5s 9c / Td 6h Ac", (0, 0, 3, 4), (3, 4)),
    PlayCase("CC-P5", COSTLY, "4h 4d 9s / 4s 4c Jh", (0, 2, 9, 18, 6), (15, 20)),
    PlayCase("CC-P6", COSTLY, "Th Kd 8s / Qs Jc 9h", (0, 0, 1), (1, 0)),
    PlayCase("CC-P7", COSTLY, "6h 4c Qd / 5s 3d 2s", (0, 0, 6, 4, 0, 1), (6, 5)),
    PlayCase("CC-P9", COSTLY, "9h 7d Ks / 9s As 8c", (0, 2, 3, 1), (3, 3)),
    PlayCase("CC-P10", COSTLY, "Kh 2c 2d / Qs Jd Td", (0, 0, 0, 3), (3, 0)),
    PlayCase("CC-P11", COSTLY, "Th 6d 5c / Js 5h 9c", (0, 0, 0, 4), (0, 4)),
    PlayCase("CC-P12", COSTLY, "8h 3c Kd / 4d 9s 2s", (0, 0, 3), (3, 0), (58, 60), 61, 0),
    PlayCase("CC-P2:cotton1674", COTTON, "7d 6s 3c / 8h Td 4c", (0, 2, 0, 4), (0, 6)),
    PlayCase("CC-P3:cotton1674", COTTON, "Kh 5s 9c / Td 6h Ac", (0, 0, 3, 4), (3, 4)),
    PlayCase("CC-P5:cotton1674", COTTON, "4h 4d 9s / 4s 4c Jh", (0, 0, 0, 0, 6), (6, 0)),
    PlayCase("CC-P6:cotton1674", COTTON, "Th Kd 8s / Qs Jc 9h", (0, 0, 1), (1, 0)),
    PlayCase("CC-P7:cotton1674", COTTON, "6h 4c Qd / 5s 3d 2s", (0, 0, 3, 0, 0, 1), (3, 1)),
    # Faults of the field, part B, as whole plays
    PlayCase("B18a", NONE, "Th Kd 3c / Qs 9d 9h", (0, 0, 1, 0, 0, 1), (1, 1)),
    PlayCase("B18b", NONE, "Th Kd 3c / Qs Kc 9h", (0, 0, 1, 0, 0, 1), (1, 1)),
    PlayCase("B21 at 31", NONE, "4h 6h 3c / 9d 2s 7d", (0, 0, 0, 0, 0, 2), (0, 2)),
    PlayCase("B21 at 30", NONE, "4h 6h 3c / 9d 2s 6d", (0, 0, 0, 0, 0, 1), (0, 1)),
    # Worked by hand: at 28 the dealer can lay none of his nines, so the eldest lays two aces (pair 2, last 1); then the
    # dealer lays three nines alone (pair 2; pair royal 6 and last 1).
    PlayCase("H1", FOUR, "Th 8d As Ad / Kc 9c 9h 9d", (0, 0, 0, 0, 3, 0, 2, 7), (3, 9),
             seats=(0, 1, 0, 0, 0, 1, 1, 1)),
]

SEQUENCE_CASES: list[SequenceCase] = [
    SequenceCase("B11", NONE, "6 5 6 5", (0, 0, 0, 0)),
    SequenceCase("B12a", NONE, "4 6 5", (0, 0, 5)),
    SequenceCase("B12b", NONE, "5 5 5", (0, 2, 8)),
    SequenceCase("B15", NONE, "4 2 6 3 5 2 4 3 A A", (0, 0, 0, 2, 5, 0, 5, 4, 5, 4)),
    SequenceCase("B17a", NONE, "3 3 2 A A", (0, 2, 0, 3, 2)),
    SequenceCase("B17b", NONE, "3 2 A A", (0, 0, 3, 2)),
    SequenceCase("B18a", NONE, "T Q K | 9", (0, 0, 0, 0)),
    SequenceCase("B18b", NONE, "T Q K | K", (0, 0, 0, 0)),
    SequenceCase("B18c", NONE, "T J A 4 4 | 4", (0, 0, 0, 0, 2, 0)),
    SequenceCase("B18a:combo_scope=deal", {"play": {"combo_scope": "deal"}}, "T Q K | J", (0, 0, 0, 4)),
    SequenceCase("B18b:combo_scope=deal", {"play": {"combo_scope": "deal"}}, "T Q K | K", (0, 0, 0, 2)),
    SequenceCase("B18c:combo_scope=deal", {"play": {"combo_scope": "deal"}}, "T J A 4 4 | 4", (0, 0, 0, 0, 2, 6)),
    SequenceCase("X1 run of seven", NONE, "A 5 2 6 3 7 4", (0, 0, 0, 0, 0, 0, 7)),
    SequenceCase("X2 no corner", NONE, "Q K A", (0, 0, 0)),
    SequenceCase("X3 no corner", NONE, "K A 2", (0, 0, 0)),
    SequenceCase("X4 cotton", {"play": {"run": [2, 4, 5]}}, "A 2 3 4 5 6 7", (0, 0, 2, 4, 7, 6, 7)),
    SequenceCase("X5 pairs by rank only", NONE, "T J Q", (0, 0, 3)),
]

LEGAL_CASES: list[LegalCase] = [
    LegalCase("B22a", "T T 5", "7 9", ""),
    LegalCase("B22b", "T T 5", "6 9", "6"),
    LegalCase("B22c", "", "7 9", "7 9"),
]

_GREEDY = {"levels": [{"when": "any", "weights": {"points": "1"}}], "ties": "low"}
_SAVE_FIVE = {"levels": [{"when": "any", "ranks": {"5": "-1"}}], "ties": "low"}
_SPARE_FIVE = {"levels": [{"when": "any", "ranks": {"5": "-1"}, "spares": True}], "ties": "high"}
_SPEND_FIVE = {"levels": [{"ranks": {"5": "1"}, "spares": True}], "ties": "low"}
_SPARE_LAST = {"levels": [{"ranks": {"5": "-1"}, "spares": True, "final": "low"}], "ties": "high"}
_SPARE_PAIRED = {"levels": [{"weights": {"reply_pair": -1}, "spares": True}, {"weights": {"rank": -1}}], "ties": "low"}
_SAFE = {
    "levels": [
        {"weights": {"points": "1"}},
        {"weights": {"offers_run": "-1"}, "counts": {5: "-1", 10: "-1", 21: "-1"}},
    ],
    "ties": "low",
}
_LOOKAHEAD = {"levels": [{"weights": {"points": "1", "reply": "-1"}}], "ties": "low"}
_LEAD_HIGH = {"levels": [{"when": "lead", "weights": {}, "final": "high"}, {"weights": {"points": 1}}], "ties": "low"}
_KEEP_RESERVE = {"levels": [{"weights": {"points": 1}}, {"weights": {"last_reserve": "-0.5"}}], "ties": "high"}
_LEAD_PAIR = {"levels": [{"when": "lead", "weights": {"paired": "1"}}], "ties": "low"}

CHOICE_CASES: list[ChoiceCase] = [
    ChoiceCase("B14", _GREEDY, "8", "7h 2c Td 4s", "Ks", "", "7"),
    ChoiceCase("greedy leads low", _GREEDY, "", "7h 2c Td", "Ks", "", "2"),
    ChoiceCase("greedy may not pass 31", _GREEDY, "T T 4", "8h 7c Td", "Ks", "", "7"),
    ChoiceCase("fives are saved", _SAVE_FIVE, "", "5h 5c Kd", "Ks", "", "K"),
    ChoiceCase("a five if nothing else is legal", _SAVE_FIVE, "T T 4", "5h Qc Kd", "As", "", "5"),
    ChoiceCase("a five that makes points is not held back", _SPARE_FIVE, "T", "2h 4c 5d", "Ks", "", "5"),
    ChoiceCase("a five that makes none is", _SPARE_FIVE, "9", "2h 4c 5d", "Ks", "", "4"),
    ChoiceCase("two fives, and only fives", _SPARE_FIVE, "T T 2", "5h 5c Kd", "Ks", "", "5"),
    # The two makes fifteen and stays beside the five; then it is the lower.
    ChoiceCase("a card that makes points stays beside the five", _SPEND_FIVE, "Q 3", "2h 5c 6d", "Ks", "", "2"),
    ChoiceCase("one that makes none goes", _SPEND_FIVE, "9", "2h 5c 6d", "Ks", "", "5"),
    ChoiceCase("the best value may be that of a card that makes points", _SPEND_FIVE, "T", "2h 5c 9d", "Ks", "", "5"),
    ChoiceCase("a level that spares may part ties itself", _SPARE_LAST, "T", "7h 5c 9d", "Ks", "", "5"),
    # The king, of which two are left, is the hardest to pair. The six makes fifteen, the two nothing.
    ChoiceCase("spared cards go on to the next level", _SPARE_PAIRED, "9", "2h 6c Kd", "Ks", "", "6"),
    # Leads of 5 and T make 5 and 10; the nine offers no run of three by itself.
    ChoiceCase("safe lead", _SAFE, "", "5h 9c Td", "Ks", "", "9"),
    # On a 6 nothing scores (4: 10, 8: 14, Q: 16). Four is at 10; 6-8 offers the seven; the queen is safe.
    ChoiceCase("safe reply", _SAFE, "6", "4h 8c Qd", "Ks", "", "Q"),
    # What the 48 unseen cards would score: on a four two fours make 4; on an ace three aces make 6; on a five three
    # fives make 6 and sixteen ten-cards 32.
    ChoiceCase("lookahead counts what is left", _LOOKAHEAD, "", "4h 5c Ad", "4s", "", "4"),
    # The other aces were laid in an earlier pile: nothing scores on the ace, three fours on the four.
    ChoiceCase("lookahead remembers earlier piles", _LOOKAHEAD, "", "4h Ad", "Kd", "As Ah Ac 9d", "A"),
    ChoiceCase("highest lead", _LEAD_HIGH, "", "2h Jc Qd", "Ks", "", "Q"),
    ChoiceCase("highest lead, then greedy", _LEAD_HIGH, "8", "2h 7c Qd", "Ks", "", "7"),
    ChoiceCase("the last ten-card is kept", _KEEP_RESERVE, "", "2h 7c Qd", "Ks", "", "7"),
    ChoiceCase("one of two may go", _KEEP_RESERVE, "", "5h 7c Qd", "Ks", "", "Q"),
    ChoiceCase("lead from a pair", _LEAD_PAIR, "", "2h 7c 7d", "Ks", "", "7"),
    ChoiceCase("only leads come from a pair", _LEAD_PAIR, "9", "2h 7c 7d", "Ks", "", "2"),
]

_SHOW_FIRST: Differences = {"order": ["heels", "show", "play"]}
_NO_JACK: Differences = {"turned": []}
_JACK_TO_OPPONENTS: Differences = {"turned": [{"rank": "J", "to": "opponents", "points": 2}]}
_JACK_TO_ELDEST: Differences = {"turned": [{"rank": "J", "to": "eldest", "points": 3}]}
# The play 5 4 2 6 2 5 makes nothing but the dealer's last card. With the king the hands count 4 (K-5, pair) and 7
# (K-5, 4-5-6, run); with a jack of diamonds the same.
_TWO = "5h 2s 2c / 4c 6d 5c"
# 5 4 9, 2 6 make 26, the nine of the dealer does not fit, 2 makes 28 and nobody else can add: 1 to the eldest. Then 5
# and 9 and 9: pair 2 and the last card 1 to the dealer.
_THREE = "5h 2s 2c / 4c 6d 5c / 9h 9d 9s"

DEAL_CASES: list[DealCase] = [
    # The pone's four reach the target, so the dealer's seven are not counted (the fault paid 32 to 37).
    DealCase("B24 show first", _SHOW_FIRST, _TWO, "Kd", (28, 30), 31, (32, 30), 0, "show"),
    DealCase("B24 play first", NONE, _TWO, "Kd", (28, 29), 31, (32, 30), 0, "show"),
    DealCase("the last card beats the pone's show", NONE, _TWO, "Kd", (28, 30), 31, (28, 31), 1, "play"),
    DealCase("a turned jack ends the game", NONE, _TWO, "Jd", (30, 30), 31, (30, 31), 1, "heels"),
    DealCase("a turned jack", NONE, _TWO, "Jd", (0, 0), 31, (4, 9), None, None),
    DealCase("turned_jack=off", _NO_JACK, _TWO, "Jd", (0, 0), 31, (4, 8), None, None),
    DealCase("turned_jack=opponents2", _JACK_TO_OPPONENTS, _TWO, "Jd", (0, 0), 31, (6, 8), None, None),
    DealCase("jack 3 to the pone", _JACK_TO_ELDEST, _TWO, "Jd", (28, 30), 31, (31, 30), 0, "heels"),
    DealCase("the first opponent wins by the jack", _JACK_TO_OPPONENTS, _THREE, "Jd", (29, 29, 0), 31, (31, 29, 0), 0,
             "heels"),
    DealCase("three players", NONE, _THREE, "Kd", (0, 0, 0), 31, (5, 7, 9), None, None),
    DealCase("heels after the play", {"order": ["play", "heels", "show"]}, _TWO, "Jd", (30, 29), 31, (30, 31), 1,
             "heels"),
]
# fmt: on
