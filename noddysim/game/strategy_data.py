"""Strategies and tips as frozen records, with the forms they are shown in: words, JSON and identity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, Literal

from noddysim.game.cards import RANKS
from noddysim.game.features import AWAY_FEATURES, DISCARD_WHEN, FEATURES, MICRO, MOG_WHEN

When = Literal["any", "lead", "follow"]
DiscardWhen = Literal["any", "own", "theirs"]
MogWhen = Literal["any", "offer", "answer"]
Ties = Literal["low", "high", "random", "solved"]
"""How equal cards are parted; ``solved``: by the strategy's book, see ``Strategy.book``."""
OwnTies = Literal["low", "high", "random"]
"""What a file of the user's may say of that."""
Decision = Literal["lead", "follow", "play", "discard", "mog", "meld", "draw", "set", "throw"]
PolicyKind = Literal["discard", "mog"]
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
class AwayLevel:
    """One comparison of the choices before the play (cards to lay away, a card to pass): the greatest value stays.

    Value = sum of weight times feature + worth of the rank of each card kept, all weights in millionths of a point.
    """

    when: DiscardWhen | MogWhen = "any"
    weights: tuple[tuple[str, int], ...] = ()
    """(feature, weight), none of them nought, in the order of `AWAY_FEATURES`."""
    ranks: tuple[int, ...] = NO_RANKS
    """13 weights, ace to king."""
    final: OwnTies | None = None

    @property
    def compares(self) -> bool:
        """Whether the level can tell any two choices apart by value."""
        return bool(self.weights or any(self.ranks))


@dataclass(frozen=True)
class Policy:
    """How cards are laid away before the play, or how a card is passed on (mogging). At most 8 levels.

    ``ties``: low takes the first of equal choices, high the last, random any of them. Choices of cards to lay away come
    in the order of the sorted hand, lowest cards first; in mogging, to stay comes first, then to pass each card.
    """

    name: str
    title: str
    summary: str
    source: str
    kind: PolicyKind
    levels: tuple[AwayLevel, ...]
    ties: OwnTies


USUAL: Final[dict[PolicyKind, str]] = {"discard": "keep-best-crib", "mog": "mog-gain"}
"""The policies of a strategy that names none."""


def usual_policy(kind: PolicyKind) -> Policy:
    """The built-in policy of a strategy that names none."""
    # The built-in policies are read by the module that also reads strategies, which needs the records of this one.
    from noddysim.game.strategies import builtin_policies

    return builtin_policies(kind)[USUAL[kind]]


@dataclass(frozen=True)
class Strategy:
    """A stack of levels, read from the first to the last; ``ties`` parts what is still equal. At most 8 levels.

    The two policies say what is done before the play, in games where something is.
    """

    name: str
    """The expression in its plain form, for example ``lead-low@greedy-random``."""
    title: str
    summary: str
    source: str
    levels: tuple[Level, ...]
    ties: Ties
    discard: Policy = field(default_factory=lambda: usual_policy("discard"))
    mog: Policy = field(default_factory=lambda: usual_policy("mog"))
    book: str = ""
    """By which book ``solved`` parts cards: that of best play, or of a function of the user's (``userfunctions``)."""

    @property
    def plays_by_book(self) -> bool:
        """Whether it parts some cards by its book."""
        return "solved" in {self.ties, *(level.final for level in self.levels)}

    def policy(self, kind: PolicyKind) -> Policy:
        """The policy for one kind of decision before the play."""
        return self.discard if kind == "discard" else self.mog

    def with_policy(self, policy: Policy) -> Strategy:
        """The same strategy with another policy in the place of its own of that kind."""
        return replace(self, discard=policy) if policy.kind == "discard" else replace(self, mog=policy)


@dataclass(frozen=True)
class Tip:
    """A piece of advice: levels to be laid on top of a baseline's.

    A tip about the cards laid away (discard) or passed on (mog) has ``away`` levels; it changes no card of the play.
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
    levels: tuple[Level, ...] = ()
    away: tuple[AwayLevel, ...] = ()
    """For the decisions discard and mog: put on top of that policy of the baseline."""
    family: str = "pegging"
    """The family of games that it is for."""
    changes: tuple[tuple[str, Any], ...] = ()
    """In games in which melds or sets are laid, which have no levels: fields of the baseline that it sets."""


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


def identity(strategy: Strategy, kinds: Set[str] = frozenset()) -> dict[str, Any]:
    """What decides the strategy's cards and nothing else, as plain data to be hashed.

    For leads and for other cards: the levels that are read there (weights in millionths of a point) and how ties are
    parted. Names, texts, levels that are never read and levels that repeat an earlier one leave no trace, so
    ``greedy:lead@greedy`` is ``greedy``. The policies leave a trace only for the ``kinds`` asked for: the decisions
    that exist in the game played, out of ``discard`` and ``mog``. The same data are handed out again and again: they
    are for reading only.
    """
    return _identity(strategy, frozenset(kinds))


@lru_cache(maxsize=1024)
def _identity(strategy: Strategy, kinds: frozenset[str]) -> dict[str, Any]:
    # A study asks for the same few strategies with every estimate it reads.
    play = {"lead": _phase(strategy, "lead"), "follow": _phase(strategy, "follow")}
    return {**play, **{kind: _policy_identity(strategy.policy(kind)) for kind in USUAL if kind in kinds}}


def _policy_identity(policy: Policy) -> dict[str, Any]:
    """What decides the policy's choices: its levels by when they hold.

    Cards laid away for nobody, ``any``, are neither one's own crib's nor the other side's. In mogging one is always
    asked first or second, so what would hold at another time decides nothing.
    """
    whens = DISCARD_WHEN if policy.kind == "discard" else MOG_WHEN[1:]
    return {when: _policy_phase(policy, when) for when in whens}


def _policy_phase(policy: Policy, when: str) -> dict[str, Any]:
    read: dict[tuple[object, ...], dict[str, Any]] = {}
    for level in policy.levels:
        if level.when not in ("any", when):
            continue
        if level.compares:
            data = {"weights": dict(level.weights), "ranks": list(level.ranks)}
            read.setdefault((level.weights, level.ranks), data)
        if level.final is not None:
            return {"levels": list(read.values()), "ties": level.final}
    return {"levels": list(read.values()), "ties": policy.ties}


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


def level_json(level: Level | AwayLevel) -> dict[str, Any]:
    """One level in the form of a strategy file: weights are decimals in text, only what is not nought."""
    data = {
        "when": level.when,
        "weights": {name: decimal_text(weight) for name, weight in level.weights},
        "ranks": {RANKS[rank]: decimal_text(weight) for rank, weight in enumerate(level.ranks) if weight},
    }
    if isinstance(level, AwayLevel):
        return {**data, "final": level.final}
    counts = {str(count): decimal_text(weight) for count, weight in level.counts}
    return {**data, "counts": counts, "final": level.final, "spares": level.spares}


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
        "discard": policy_json(strategy.discard),
        "mog": policy_json(strategy.mog),
        "kind": "play",
    }


def policy_json(policy: Policy) -> dict[str, Any]:
    """A policy as plain data for ``--json``, with the keys of a strategy; ``kind`` is discard or mog."""
    return {
        "name": policy.name,
        "title": policy.title,
        "summary": policy.summary,
        "source": policy.source,
        "description": describe_policy(policy),
        "levels": [level_json(level) for level in policy.levels],
        "ties": policy.ties,
        "kind": policy.kind,
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
        "away": [level_json(level) for level in tip.away],
        "family": tip.family,
    }


_OPENING: Final = {
    "any": "",
    "lead": "on an empty pile ",
    "follow": "on a pile already begun ",
    "own": "where the crib is one's own, ",
    "theirs": "where the crib is the other side's, ",
    "offer": "when asked first, ",
    "answer": "when asked second, ",
}

_CHOICE: Final = {
    "low": "the lowest rank",
    "high": "the highest rank",
    "random": "any of them by chance",
    "solved": "the card that best play lays, with its chance",
}

_DISCARD_CHOICE: Final = {
    "low": "lay the lowest away",
    "high": "lay the highest away",
    "random": "any of them by chance",
}

_MOG_CHOICE: Final = {
    "low": "keep all, else pass the lowest",
    "high": "pass the highest",
    "random": "any of them by chance",
}

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
    "hand": "average points of the hand in the show",
    "crib": "average points of the crib (taken away if it is the other side's)",
    "fifteens": "points for fifteens in the cards kept",
    "pairs": "points for pairs in the cards kept",
    "runs": "points for runs in the cards kept",
    "flush": "points for a flush of the cards kept",
    "away_fifteens": "points for fifteens in the cards laid away",
    "away_pairs": "points for pairs in the cards laid away",
    "peg": "points pegged at once",
    "gift": "points given away with the card passed",
}

_YES_NO: Final = {
    "offers_run": "a card that leaves a run open to the next player",
    "paired": "a card held twice or more",
    "last_reserve": "the last 5 or ten-card in hand",
    "stay": "keeping all cards",
}


def describe_strategy(strategy: Strategy, kinds: Set[str] | None = None) -> str:
    """The whole rule of conduct in words, made from the data: ``First: …; then: …; ties: …``.

    What is done before the play follows (``Lays away: …``, ``Mogging: …``) for the ``kinds`` asked for; without them,
    where it is not what a strategy does that says nothing of it.
    """
    if kinds is None:
        kinds = {kind for kind in USUAL if not _decides_alike(strategy.policy(kind), usual_policy(kind))}
    said = [_in_order(strategy.levels, f"ties: {_CHOICE[strategy.ties]}", "of the legal cards, ")]
    said += [f"{_POLICY_WORD[kind]}: {describe_policy(strategy.policy(kind))}" for kind in USUAL if kind in kinds]
    return _function_words(" ".join(said), strategy)


def _function_words(said: str, strategy: Strategy) -> str:
    """The words about a strategy, with its function in the place of best play where it plays by one."""
    if not (strategy.book and strategy.plays_by_book):
        return said
    words = f"the card that the function {strategy.name.rpartition('@')[2]} lays"
    return said.replace(_CHOICE["solved"], words).replace(_CHOICE["solved"].capitalize(), words.capitalize())


_POLICY_WORD: Final[dict[PolicyKind, str]] = {"discard": "Lays away", "mog": "Mogging"}


def _decides_alike(one: Policy, other: Policy) -> bool:
    return (one.levels, one.ties) == (other.levels, other.ties)


def describe_policy(policy: Policy) -> str:
    """What a policy does in words, made from the data."""
    choice = (_DISCARD_CHOICE if policy.kind == "discard" else _MOG_CHOICE)[policy.ties]
    return _in_order(policy.levels, f"ties: {choice}", "of all choices, ", policy.kind)


def describe_tip(tip: Tip) -> str:
    """What the tip adds to a baseline in words, made from the data."""
    kind: PolicyKind = "mog" if tip.decision == "mog" else "discard"
    return _in_order(tip.levels or tip.away, "then as the baseline does", "", kind)


def _in_order(levels: Sequence[Level | AwayLevel], ending: str, of_all: str, kind: PolicyKind = "discard") -> str:
    said = [_level_words(level, kind) for level in levels if level.compares or level.final is not None]
    steps = [f"{'first' if place == 0 else 'then'}: {words}" for place, words in enumerate(said)]
    text = "; ".join([*steps, ending if steps else of_all + ending.removeprefix("ties: ")])
    return f"{text[0].upper()}{text[1:]}."


def _level_words(level: Level | AwayLevel, kind: PolicyKind) -> str:
    words = _value_words(level) if level.compares else ""
    if isinstance(level, Level) and words and level.spares:
        words += ", but a card that makes points is never held back"
    if level.final is not None:
        if isinstance(level, Level):
            words += f"{', of equal cards' if words else 'lay'} {_CHOICE[level.final]}"
        else:
            choice = (_DISCARD_CHOICE if kind == "discard" else _MOG_CHOICE)[level.final]
            words += f", of equal choices {choice}" if words else choice
    return _OPENING[level.when] + words


def _value_words(level: Level | AwayLevel) -> str:
    """The comparison in words: plain where one thing counts, a sum of terms where several do."""
    ranks = {RANKS[rank]: weight for rank, weight in enumerate(level.ranks) if weight}
    counts = {str(count): weight for count, weight in level.counts} if isinstance(level, Level) else {}
    if len(level.weights) == 1 and not ranks and not counts:
        return _one_feature(*level.weights[0])
    if not level.weights and not counts and len(set(ranks.values())) == 1:
        return _one_liking(level, max(ranks.values()), " ".join(ranks))
    if not level.weights and not ranks and len(set(counts.values())) == 1:
        return f"{_liking(max(counts.values()))} a count of {', '.join(counts)}"
    terms = [(weight, _AMOUNT.get(name) or _YES_NO[name]) for name, weight in level.weights]
    card = "a card of rank {}" if isinstance(level, Level) else "each {} kept"
    terms += [(weight, card.format(rank)) for rank, weight in ranks.items()]
    terms += [(weight, f"a count of {count}") for count, weight in counts.items()]
    return _sum_words(terms)


def _one_liking(level: Level | AwayLevel, weight: int, ranks: str) -> str:
    if isinstance(level, Level):
        return f"{'prefer' if weight > 0 else 'keep back'} {ranks}"
    return f"{'keep' if weight > 0 else 'part with'} as many of {ranks} as can be"


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
    if name == "stay":
        return "keep all cards" if weight > 0 else "pass a card"
    if name in _YES_NO:
        return f"{_liking(weight)} {_YES_NO[name]}"
    if name in ("rank", "pips"):
        return f"the {'highest' if weight > 0 else 'lowest'} {_AMOUNT[name]}"
    return f"the {'most' if weight > 0 else 'fewest'} {_AMOUNT[name]}"


def _liking(weight: int) -> str:
    return "prefer" if weight > 0 else "avoid"


def ordered_weights(weights: dict[str, int], order: Iterable[str] = FEATURES) -> tuple[tuple[str, int], ...]:
    """Weights by feature, those that are not nought, in the order of `FEATURES` or of other features given."""
    return tuple((name, weights[name]) for name in order if weights.get(name))


def ordered_away_weights(weights: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """Weights by feature, those that are not nought, in the order of `AWAY_FEATURES`."""
    return ordered_weights(weights, AWAY_FEATURES)
