"""Strategies and tips as frozen records, with the forms they are shown in: words, JSON and identity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from noddysim.game.cards import RANKS
from noddysim.game.features import FEATURES, MICRO

When = Literal["any", "lead", "follow"]
Ties = Literal["low", "high", "random"]
Decision = Literal["lead", "follow", "play", "discard"]
Seat = Literal["eldest", "every"]
Kind = Literal["tip", "probe"]

NO_RANKS: Final = (0,) * 13


@dataclass(frozen=True)
class Level:
    """One comparison of the legal cards: those of the greatest value stay.

    Value = sum of weight times feature + worth of the card's rank + worth of the count after the card, all weights in
    millionths of a point. With ``spares`` every card that makes points itself as laid stays too, whatever its value.
    ``final`` parts equal cards at once and leaves the levels below unread.
    """

    when: When = "any"
    weights: tuple[tuple[str, int], ...] = ()
    """(feature, weight), none of them nought, in the order of `FEATURES`."""
    ranks: tuple[int, ...] = NO_RANKS
    """13 weights, ace to king."""
    counts: tuple[tuple[int, int], ...] = ()
    """(count after the card, weight), none of them nought, by rising count."""
    final: Ties | None = None
    spares: bool = False
    """Whether cards that make points stay in any case; the greatest value is still that of all the cards."""

    @property
    def compares(self) -> bool:
        """Whether the level can tell any two cards apart by value."""
        return bool(self.weights or self.counts or any(self.ranks))


@dataclass(frozen=True)
class Strategy:
    """A stack of levels, read from the first to the last; ``ties`` parts what is still equal. At most 8 levels."""

    name: str
    """The expression in its plain form, for example ``lead-low@greedy-random``."""
    title: str
    summary: str
    source: str
    levels: tuple[Level, ...]
    ties: Ties


@dataclass(frozen=True)
class Tip:
    """A piece of advice: levels to be laid on top of a baseline's.

    A tip without levels never changes a card of the play: its decision is of another kind (a discard).
    """

    name: str
    title: str
    words: str
    """The advice of the source in short."""
    source: str
    rule: str
    """The precise rule that is tested, one sentence."""
    decision: Decision
    seat: Seat
    """``eldest`` for advice on the lead, which the eldest has in every deal; else ``every``."""
    opposite: str | None
    """Name of the tip that advises the contrary; only probes have none."""
    kind: Kind
    """``tip``, or ``probe`` for a rule that nobody advises, used to tabulate by the card led."""
    levels: tuple[Level, ...]


def restrict(levels: Sequence[Level], when: Literal["lead", "follow"], ties: Ties | None = None) -> tuple[Level, ...]:
    """The levels as they act on leads only, or on other cards only.

    Levels below a ``final`` one are never read and left out. With ``ties`` the result decides by itself: it ends in a
    ``final`` level, so nothing is left for the levels of a baseline below.
    """
    kept: list[Level] = []
    for level in levels:
        if level.when in ("any", when):
            kept.append(replace(level, when=when))
            if level.final is not None:
                return tuple(kept)
    if ties is None:
        return tuple(kept)
    last = kept.pop() if kept else Level(when=when)
    return (*kept, replace(last, final=ties))


def identity(strategy: Strategy) -> dict[str, Any]:
    """What decides the strategy's cards and nothing else, as plain data to be hashed.

    For leads and for other cards: the levels that are read there (weights in millionths of a point) and how ties are
    parted. Names, texts, levels that are never read and levels that repeat an earlier one leave no trace, so
    ``greedy:lead@greedy`` is ``greedy``.
    """
    return {"lead": _phase(strategy, "lead"), "follow": _phase(strategy, "follow")}


def _phase(strategy: Strategy, when: Literal["lead", "follow"]) -> dict[str, Any]:
    levels = restrict(strategy.levels, when, strategy.ties)
    bare = dict.fromkeys(replace(level, final=None) for level in levels if level.compares)
    return {
        "levels": [
            {
                "weights": dict(level.weights),
                "ranks": list(level.ranks),
                "counts": [list(pair) for pair in level.counts],
                # Only where it holds, so that levels without it are known by what they always were.
                **({"spares": True} if level.spares else {}),
            }
            for level in bare
        ],
        "ties": levels[-1].final,
    }


def decimal_text(micro: int) -> str:
    """A weight in points as an exact decimal: 1500000 gives ``1.5``."""
    whole, part = divmod(abs(micro), MICRO)
    text = f"{whole}.{part:06d}".rstrip("0").rstrip(".")
    return f"-{text}" if micro < 0 else text


def level_json(level: Level) -> dict[str, Any]:
    """One level in the form of a strategy file: weights are decimals in text, only what is not nought."""
    return {
        "when": level.when,
        "weights": {name: decimal_text(weight) for name, weight in level.weights},
        "ranks": {RANKS[rank]: decimal_text(weight) for rank, weight in enumerate(level.ranks) if weight},
        "counts": {str(count): decimal_text(weight) for count, weight in level.counts},
        "final": level.final,
        "spares": level.spares,
    }


def strategy_json(strategy: Strategy) -> dict[str, Any]:
    """A strategy as plain data for ``--json``; ``description`` is made from the levels, ``summary`` is the author's."""
    return {
        "name": strategy.name,
        "title": strategy.title,
        "summary": strategy.summary,
        "source": strategy.source,
        "description": describe_strategy(strategy),
        "levels": [level_json(level) for level in strategy.levels],
        "ties": strategy.ties,
    }


def tip_json(tip: Tip) -> dict[str, Any]:
    """A tip as plain data for ``--json``."""
    return {
        "name": tip.name,
        "title": tip.title,
        "kind": tip.kind,
        "words": tip.words,
        "source": tip.source,
        "rule": tip.rule,
        "description": describe_tip(tip),
        "decision": tip.decision,
        "seat": tip.seat,
        "opposite": tip.opposite,
        "levels": [level_json(level) for level in tip.levels],
    }


_OPENING: Final = {"any": "", "lead": "on an empty pile ", "follow": "on a pile already begun "}

_CHOICE: Final = {"low": "the lowest rank", "high": "the highest rank", "random": "any of them by chance"}

_AMOUNT: Final = {
    "points": "points made by the card",
    "fifteen": "points for fifteen",
    "twentyfive": "points for twenty-five",
    "thirtyone": "points for thirty-one",
    "pair": "points for pairs",
    "run": "points for a run",
    "reply": "average points the next card would make",
    "reply_fifteen": "average points the next card would make for fifteen",
    "reply_twentyfive": "average points the next card would make for twenty-five",
    "reply_thirtyone": "average points the next card would make for thirty-one",
    "reply_pair": "average points the next card would make for pairs",
    "reply_run": "average points the next card would make for runs",
    "rank": "rank",
    "pips": "pips",
}

_YES_NO: Final = {
    "offers_run": "a card that leaves a run open to the next player",
    "paired": "a card held twice or more",
    "last_reserve": "the last 5 or ten-card in hand",
}


def describe_strategy(strategy: Strategy) -> str:
    """The whole rule of conduct in words, made from the data: ``First: …; then: …; ties: …``."""
    return _in_order(strategy.levels, f"ties: {_CHOICE[strategy.ties]}")


def describe_tip(tip: Tip) -> str:
    """What the tip adds to a baseline in words, made from the data."""
    if not tip.levels:
        return "Never changes a card of the play."
    return _in_order(tip.levels, "then as the baseline does")


def _in_order(levels: Sequence[Level], ending: str) -> str:
    said = [_level_words(level) for level in levels if level.compares or level.final is not None]
    steps = [f"{'first' if place == 0 else 'then'}: {words}" for place, words in enumerate(said)]
    text = "; ".join([*steps, ending if steps else "of the legal cards, " + ending.removeprefix("ties: ")])
    return f"{text[0].upper()}{text[1:]}."


def _level_words(level: Level) -> str:
    words = _value_words(level) if level.compares else ""
    if words and level.spares:
        words += ", but a card that makes points is never held back"
    if level.final is not None:
        words += f"{', of equal cards' if words else 'lay'} {_CHOICE[level.final]}"
    return _OPENING[level.when] + words


def _value_words(level: Level) -> str:
    """The comparison in words: plain where one thing counts, a sum of terms where several do."""
    ranks = {RANKS[rank]: weight for rank, weight in enumerate(level.ranks) if weight}
    counts = {str(count): weight for count, weight in level.counts}
    if len(level.weights) == 1 and not ranks and not counts:
        return _one_feature(*level.weights[0])
    if not level.weights and not counts and len(set(ranks.values())) == 1:
        return f"{'prefer' if max(ranks.values()) > 0 else 'keep back'} {' '.join(ranks)}"
    if not level.weights and not ranks and len(set(counts.values())) == 1:
        return f"{_liking(max(counts.values()))} a count of {', '.join(counts)}"
    terms = [(weight, _AMOUNT.get(name) or _YES_NO[name]) for name, weight in level.weights]
    terms += [(weight, f"a card of rank {rank}") for rank, weight in ranks.items()]
    terms += [(weight, f"a count of {count}") for count, weight in counts.items()]
    return _sum_words(terms)


def _sum_words(terms: Sequence[tuple[int, str]]) -> str:
    """``the greatest sum: A less 2 × B``; where every term is a cost, the smallest sum of the costs."""
    costs = all(weight < 0 for weight, _ in terms)
    words = f"the {'smallest' if costs else 'greatest'} sum:"
    for place, (weight, thing) in enumerate(terms):
        less = weight < 0 and not costs
        sign = (" less" if less else "") if place == 0 else (" less" if less else " plus")
        factor = "" if abs(weight) == MICRO else f"{decimal_text(abs(weight))} × "
        words += f"{sign} {factor}{thing}"
    return words


def _one_feature(name: str, weight: int) -> str:
    if name in _YES_NO:
        return f"{_liking(weight)} {_YES_NO[name]}"
    if name in ("rank", "pips"):
        return f"the {'highest' if weight > 0 else 'lowest'} {_AMOUNT[name]}"
    return f"the {'most' if weight > 0 else 'fewest'} {_AMOUNT[name]}"


def _liking(weight: int) -> str:
    return "prefer" if weight > 0 else "avoid"


def ordered_weights(weights: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """Weights by feature, those that are not nought, in the order of `FEATURES`."""
    return tuple((name, weights[name]) for name in FEATURES if weights.get(name))
