"""One word for one comparison: whether a tip helps, hurts or makes no difference, against one opponent or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from noddysim.insight.estimates import CHANCE, POINTS, POINTS_IN_SEAT, Interval

# What is too small to matter, unless the experiment file says otherwise (DESIGN.md section 5).
DEFAULT_ZONES: Final[Mapping[str, float]] = {POINTS: 0.02, POINTS_IN_SEAT: 0.02, CHANCE: 0.005}

VACUOUS: Final = "vacuous"
ALREADY_FOLLOWED: Final = "already-followed"
NO_DIFFERENCE: Final = "no-difference"
HELPS: Final = "helps"
HURTS: Final = "hurts"
UNDECIDED: Final = "undecided"
DEPENDS: Final = "depends"

VERDICTS: Final = (VACUOUS, ALREADY_FOLLOWED, NO_DIFFERENCE, HELPS, HURTS, UNDECIDED, DEPENDS)
"""All verdicts, in the order in which they are tried."""


def default_zone(unit: str) -> float:
    """The zone inside which a difference does not matter; raises KeyError for a unit that has none."""
    return DEFAULT_ZONES[unit]


class Combined(NamedTuple):
    """A verdict over several opponents, and a sentence fragment that says on what it rests ("" if all agree)."""

    verdict: str
    on_what: str


def verdict(
    interval: Interval, zone: float, *, vacuous: bool = False, followed: bool = False, equal: Interval | None = None
) -> str:
    """One word for one comparison, tried in the order of VERDICTS.

    ``interval`` and ``zone`` (half-width of what does not matter, its ends included) are in the same unit. ``vacuous``
    says that the decision does not exist under these rules, ``followed`` that a tip never changed its baseline's card
    and that this was looked at long enough; the interval is then not looked at. Without an interval (NO_INTERVAL) a
    comparison is undecided. An interval that only touches nought does not exclude it. ``equal`` is the interval that
    must lie inside the zone for *no-difference*, where that is not the same one: with an error rate of its own.
    """
    if not zone >= 0:
        raise ValueError(f"a zone is a number from nought up, not {zone}")
    if vacuous:
        return VACUOUS
    if followed:
        return ALREADY_FOLLOWED
    low, high = interval
    if low is None or high is None:
        return UNDECIDED
    if low > high:
        raise ValueError(f"an interval runs from low to high, not from {low} to {high}")
    least, most = interval if equal is None else equal
    if least is not None and most is not None and -zone <= least and most <= zone:
        return NO_DIFFERENCE
    if low > 0:
        return HELPS
    return HURTS if high < 0 else UNDECIDED


def combine(verdicts: Mapping[str, str], word: str = "against") -> Combined:
    """One verdict from those against each opponent (or, with another ``word``, "for" each seat, "on" each baseline).

    * *vacuous* and *already-followed* bring no evidence: they decide only where there is nothing else.
    * *helps*, *hurts* and *no-difference* are findings. Two different findings, or a *depends*: it *depends*.
    * *undecided* does not contradict a finding, so *helps* against two and *undecided* against a third is *helps*, and
      the fragment names the undecided one. But a finding is to stand for the whole: where no more have it than are
      undecided, all together are *undecided*. And *no-difference* claims that nowhere is anything to be gained, and
      an undecided opponent leaves that open: together they are *undecided*.

    The fragment lists who gave which verdict, e.g. "helps against greedy; undecided against lookahead"; it is empty if
    all agree. Raises ValueError if there is none, or for a word that is no verdict.
    """
    unknown = [given for given in verdicts.values() if given not in VERDICTS]
    if unknown or not verdicts:
        raise ValueError(f"not a verdict: {unknown[0]}" if unknown else "no verdict to combine")
    said = set(verdicts.values())
    groups = [(given, [name for name, v in verdicts.items() if v == given]) for given in VERDICTS if given in said]
    fragment = "; ".join(f"{given.replace('-', ' ')} {word} {_and(names)}" for given, names in groups)
    return Combined(_overall(list(verdicts.values())), fragment if len(groups) > 1 else "")


def _overall(said: Sequence[str]) -> str:
    findings = [given for given in said if given in (HELPS, HURTS, NO_DIFFERENCE, DEPENDS)]
    if not findings:
        return next(given for given in (UNDECIDED, ALREADY_FOLLOWED, VACUOUS) if given in said)
    if len(set(findings)) > 1:
        return DEPENDS
    undecided = said.count(UNDECIDED)
    stands = not undecided if findings[0] == NO_DIFFERENCE else undecided < len(findings)
    return findings[0] if stands else UNDECIDED


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
