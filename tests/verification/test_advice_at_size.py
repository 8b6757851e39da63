"""Advice at size: chances to win from rollouts beside counted ones, and turns of melds and sets that are plain."""

from __future__ import annotations

import pytest

import noddysim as ns


@pytest.mark.parametrize(
    "asked",
    [
        {"seat": "dealer", "hand": "5H 4D", "starter": "8S", "laid": "KC 5D KS"},
        {"seat": "pone", "hand": "5H KD KC", "starter": "8S"},
        {"seat": "pone", "hand": "7H 2D", "starter": "JS", "laid": "8C 7D"},
    ],
    ids=["reply", "lead", "second"],
)
def test_chances_from_rollouts_are_those_counted(asked: dict[str, str]) -> None:
    names = {"against": "optimal", "then": "optimal", "scores": (20, 25)}
    counted = ns.advise(**asked, **names)
    tried = ns.advise(**asked, **names, deals=20_000)
    for one in counted.choices:
        other = next(choice for choice in tried.choices if choice.cards == one.cards)
        for exact, sampled in ((one.value, other.value), (one.chance, other.chance)):
            assert exact is not None and sampled is not None
            assert abs(exact.estimate - sampled.estimate) <= 2 * (sampled.half_width or 1e-9)


LEAD = {"seat": "pone", "hand": "5H KD KC", "starter": "8S"}


def test_far_from_the_end_the_solved_end_changes_the_chances_of_a_lead_a_little() -> None:
    to_win, by_points = ns.advise(**LEAD, scores=(6, 8)), ns.advise(**LEAD, scores=(6, 8), then="optimal")
    assert to_win.notes[-1].startswith("Chances: both play for points until both need at most 12")
    other = {one.cards: one.chance.estimate for one in by_points.choices if one.chance}
    changes = [one.chance.estimate - other[one.cards] for one in to_win.choices if one.chance]
    assert by_points.notes == () and len(changes) == len(other) and 0 < max(map(abs, changes)) < 0.013


def test_a_dealer_who_needs_one_point_wins_more_often_than_one_who_needs_four() -> None:
    """He needs no more than to lay a card for the last."""
    close, lost = (ns.advise(**LEAD, scores=scores) for scores in ((25, 27), (25, 30)))
    assert close.best.chance is not None and lost.best.chance is not None
    assert lost.best.chance.estimate < close.best.chance.estimate
    assert all(one.chance is not None and 0 <= one.chance.estimate <= 1 for one in lost.choices)


def test_a_meld_that_wins_is_laid_and_wins() -> None:
    found = ns.advise("innocence", seat="pone", hand="4H 5C 6D", starter="9S", scores=(20, 9), deals=500)
    assert found.best.act == "meld"
    assert found.best.chance is not None and found.best.chance.estimate == 1


def test_a_joker_is_not_thrown_away() -> None:
    found = ns.advise("snitch", seat="eldest", hand="8S 3D X", discard="3C", deals=500)
    assert found.choices[-1].act == "throw" and found.choices[-1].cards == ("X",)
