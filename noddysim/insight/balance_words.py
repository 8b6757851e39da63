"""A comparison in words: which variants are fair and why, what differs between them and what does not.

Every function takes ``terminal=True`` for plain ASCII, as in ``insight.numbers``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from noddysim.insight.estimates import CHANCE, Estimate
from noddysim.insight.numbers import format_estimate, format_number, format_percent
from noddysim.insight.rows import SHARE, Comparison, Difference, Row
from noddysim.insight.words import and_words, count_words, flipped

MORE: Final[dict[str, tuple[str, str]]] = {
    "edge": ("the first dealer wins more often", "the first dealer wins less often"),
    "deals": ("games take more deals", "games take fewer deals"),
    "cards": ("more cards are laid in a game", "fewer cards are laid in a game"),
    "lead_changes": ("the lead changes more often", "the lead changes less often"),
    "margin": ("games are won by more points", "games are won by fewer points"),
    "drama": ("winners have been further behind", "winners have not been as far behind"),
    "decided": ("the lead is settled later", "the lead is settled earlier"),
    "from_behind": (
        "more games are won from behind in the last deal", "fewer games are won from behind in the last deal",
    ),
    "skill": ("the best player wins more over the weakest", "the best player wins less over the weakest"),
    "skill_share": ("skill explains more of who wins", "skill explains less of who wins"),
}  # fmt: skip
"""By metric: what it says of the first of two variants, with more of it and with less, compared with the second."""
ALIKE: Final[dict[str, str]] = {
    "edge": "the first dealer's chance to win", "deals": "deals in a game", "cards": "cards laid in a game",
    "lead_changes": "changes of the lead", "margin": "the winner's margin", "drama": "how far winners were behind",
    "decided": "when the lead is settled", "from_behind": "games won from behind in the last deal",
    "skill": "the best player's chance over the weakest", "skill_share": "the share of winning that skill explains",
}  # fmt: skip
TENTHS: Final = ("edge", "from_behind", "skill", "skill_share", "decided")
"""Told in percentage points."""
FEWEST_POINTS: Final = 0.005
"""Sources of points that part the seats by less are passed over in words."""
SOURCES: Final[dict[str, str]] = {
    "heels": "from the turned card", "play": "in the play", "show": "in the show", "crib": "from the crib",
    "start": "as three for last", "mog": "by mogging",
}  # fmt: skip


def size_words(value: Estimate, metric: str, *, signed: bool = False, terminal: bool = False) -> str:
    """A difference with its interval, in percentage points where it is one of shares."""
    if metric not in TENTHS:
        return format_estimate(value, signed=signed, terminal=terminal)
    text = format_estimate(value, signed=signed, percent=True, terminal=terminal)
    middle, _, interval = text.partition(" %" if terminal else "\N{NO-BREAK SPACE}%")
    return f"{middle} percentage points{interval}"


def difference_words(found: Comparison, *, terminal: bool = False) -> list[str]:
    """For each two variants, number of players and strategy a paragraph: what differs, and what does not."""
    groups: dict[tuple[str, str, int], list[Difference]] = {}
    firsts: dict[tuple[str, str, int], str] = {}
    for one in found.differences:
        key = one.a, one.b, one.players
        if one.strategy == "ladder" or firsts.setdefault(key, one.strategy) == one.strategy:
            groups.setdefault(key, []).append(one)
    return [_paragraph(*key, group, terminal) for key, group in groups.items()]


def _paragraph(a: str, b: str, players: int, group: Sequence[Difference], terminal: bool) -> str:
    told, alike = [], []
    for one in group:
        if one.metric not in MORE:
            continue
        low, high = one.told.interval
        if low is None or high is None or low <= 0 <= high:
            alike.append(ALIKE[one.metric])
            continue
        more, less = MORE[one.metric]
        value = one.told if low > 0 else flipped(one.told)
        told.append(f"{more if low > 0 else less}, by {size_words(value, one.metric, terminal=terminal)}")
    start = f"{a} beside {b}, {players} players"
    cards = "on the same cards" if group[0].paired else "on other cards, for the two deal or lay them otherwise"
    differs = f"In {a} {'; '.join(told)}." if told else "Nothing differs that these games can tell."
    same = f" No difference shows in {and_words(alike)}." if alike else ""
    return f"{start} ({cards}): {differs}{same}"


def fairness_words(found: Comparison) -> list[str]:
    """For each variant and number of players that several strategies played: with which of them it is fair."""
    groups: dict[tuple[str, int], list[Row]] = {}
    for row in found.rows:
        groups.setdefault((row.variant.name, row.players), []).append(row)
    lines = []
    for (variant, players), rows in groups.items():
        if len(rows) < 2:
            continue
        by_verdict: dict[str, list[str]] = {}
        for row in rows:
            by_verdict.setdefault(VERDICTS[row.verdict], []).append(row.strategy)
        parts = [f"{verdict} with {and_words(names)}" for verdict, names in by_verdict.items()]
        lines.append(f"{variant}, {players} players: {'; '.join(parts)}.")
    return lines


VERDICTS: Final = {
    "fair": "fair", "favours-dealer": "favours the first dealer", "favours-others": "favours the others",
    "undecided": "undecided",
}  # fmt: skip


def band_words(row: Row, *, terminal: bool = False) -> str:
    """Which band is called fair."""
    low, high = row.edge.interval
    assert low is not None and high is not None
    points = format_number(100 * row.band, 1, terminal=terminal).removesuffix(".0")
    return (
        f"Fair means: the whole interval of the first dealer's edge lies within {points} percentage "
        f"point{'' if points == '1' else 's'} of nought."
    )


def source_gaps(row: Row) -> dict[str, Estimate]:
    """Points a deal of the dealer less the mean of the others, by source.

    Seats of the same deals are not independent, and only their own spreads are known. So the interval is as wide as it
    can be for any dependence: the half-widths are added.
    """
    if not row.points:
        return {}
    *others, dealer = row.points
    found = {}
    for source in dict.fromkeys(source for seat in row.points for source in seat):
        seats = [seat[source] for seat in others if source in seat]
        value = _estimate(dealer, source) - sum(one.estimate for one in seats) / len(others)
        reach = (dealer[source].half_width or 0.0 if source in dealer else 0.0) + sum(
            one.half_width or 0.0 for one in seats
        ) / len(others)
        some = next(seat[source] for seat in row.points if source in seat)
        found[source] = Estimate(value, value - reach, value + reach, some.n, some.unit, "widths of the seats added")
    return found


def _estimate(seat: dict[str, Estimate], source: str) -> float:
    return seat[source].estimate if source in seat else 0.0


def why_words(row: Row, *, terminal: bool = False) -> str:
    """Where the dealer of a deal makes more than the others, and where less; empty where no points are counted."""
    gaps = source_gaps(row)
    parts = []
    for source, words in SOURCES.items():
        gap = gaps.get(source)
        if gap is None or gap.low is None or gap.high is None or gap.low <= 0 <= gap.high:
            continue
        if abs(gap.estimate) >= FEWEST_POINTS:
            more = "more" if gap.estimate > 0 else "fewer"
            size = format_estimate(gap if gap.estimate > 0 else flipped(gap), signed=False, terminal=terminal)
            parts.append(f"{size} {more} {words}")
    if not parts:
        return ""
    others = "the pone" if len(row.points) == 2 else "the others on average"
    return f"In a deal the dealer makes {and_words(parts)} than {others}."


def course_words(row: Row, *, terminal: bool = False) -> str:
    """How long games are, how they go and what skill is worth, in a few sentences."""
    sentences = []
    if row.course:
        deals = row.course.spreads["deals"].percentiles
        low, high = (int(deals[p].estimate) for p in (5, 95))
        length = (
            f"Nine games in ten take {low} to {high} deals"
            if low < high
            else f"Nine games in ten take {count_words(low)} deal{'' if low == 1 else 's'}"
        )
        drama = format_estimate(row.metrics["drama"], signed=False, terminal=terminal)
        decided = format_estimate(row.metrics["decided"], signed=False, percent=True, terminal=terminal)
        sentences.append(
            f"{length}. At the worst moment of a game its winner was behind by {drama} points on average, and he took "
            f"the lead for good after {decided} of the cards laid."
        )
    if row.skill:
        rung = row.skill.widest
        chance = format_estimate(rung.chance, signed=False, terminal=terminal)
        share = format_estimate(row.skill.share, signed=False, percent=True, terminal=terminal)
        fair = format_percent(row.skill.fair, terminal=terminal)
        sentences.append(
            f"{rung.better} among {rung.worse} wins {chance}, {fair} would be luck alone; skill explains {share} of "
            "who wins."
        )
    return " ".join(sentences)


def metric_as_percent(unit: str) -> bool | None:
    """Whether a metric of this unit is told in per cent; None leaves it to ``format_estimate``."""
    return True if unit in (SHARE, CHANCE) or unit.startswith("share of") else None
