"""The strategy card: the few rules that lose least against best play, found by measuring every candidate exactly.

Rules are put on the card one at a time, each at the place where the loss against best play falls furthest; rules for
cards laid on a pile first, then rules for the lead. A rule that would save less than `WORTH_SAYING` is left out. The
search is greedy: what it proves is the loss of the card that it finds, not that no other card is better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from noddysim.engine.books import DataPlayer
from noddysim.engine.exactplay import certificate, margin_of_best
from noddysim.engine.games import PegGame, decisions
from noddysim.engine.met import Margins, Met
from noddysim.engine.rolled import three_each
from noddysim.engine.scoring import as_variant
from noddysim.engine.solution import NAME as BEST_PLAY
from noddysim.engine.solution import solution_for
from noddysim.engine.values import DEALER, PONE
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import Variant
from noddysim.game.strategies import builtin_tips
from noddysim.game.strategy_data import Strategy, Tip, level_json
from noddysim.insight.card_rules import FOLLOWS, LEADS, Rule
from noddysim.insight.evidence import from_source

WORTH_SAYING: Final = 0.005
"""Points a deal that a rule must save, over both seats, to be put on the card."""
MOST_LEADS: Final = 3
MOST_FOLLOWS: Final = 5
"""More rules than that nobody keeps in mind (and a strategy has at most eight levels)."""
YARDSTICKS: Final = ("random", "low", "greedy", "greedy-safe", "lookahead", "careful")
"""Strategies whose loss is told beside that of the card."""

Advance = Callable[[int], None]
Step = tuple[str, Margins]


@dataclass(frozen=True)
class CardRule:
    """A rule of the card: ``saves`` is how much more is lost by one who forgets this rule alone, points a deal."""

    rule: Rule
    saves: Margins


@dataclass(frozen=True)
class TipCost:
    """What it costs a perfect player to follow a tip always, against best play, in points a deal; None: vacuous."""

    tip: Tip
    cost: Margins | None


@dataclass(frozen=True)
class StrategyCard:
    """The card with its losses against best play (points a deal by seat), every one of them counted over all deals."""

    variant: str
    value: float
    """Pone's points less dealer's between two best players."""
    exploitability: float
    """What best play itself may lose at most, proved."""
    leads: tuple[CardRule, ...]
    follows: tuple[CardRule, ...]
    loss: Margins
    """What the card loses against best play."""
    known: Margins
    """What it loses against a perfect opponent who knows that it is followed."""
    steps: tuple[Step, ...]
    """Losses while the card grew: the rule added, and the loss with it; first without any rule, then follows, leads."""
    yardsticks: tuple[tuple[str, Margins], ...]
    tips: tuple[TipCost, ...]
    tried: int
    """How many strategies were measured."""

    @property
    def strategy(self) -> Strategy:
        """The card as a strategy."""
        return card_strategy([one.rule for one in (*self.leads, *self.follows)])

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim exact card --json``."""

        def by_seat(margins: Margins | None) -> dict[str, float] | None:
            return None if margins is None else {**margins._asdict(), "mean": margins.mean}

        def listed(rules: Sequence[CardRule]) -> list[dict[str, Any]]:
            return [
                {
                    "name": one.rule.name,
                    "words": one.rule.words,
                    "saves": by_seat(one.saves),
                    "level": level_json(one.rule.level),
                }
                for one in rules
            ]

        return {
            "variant": self.variant,
            "value": self.value,
            "exploitability": self.exploitability,
            "leads": listed(self.leads),
            "follows": listed(self.follows),
            "loss": by_seat(self.loss),
            "loss_if_known": by_seat(self.known),
            "steps": [{"rule": name, "loss": by_seat(loss)} for name, loss in self.steps],
            "strategies": [{"name": name, "loss": by_seat(loss)} for name, loss in self.yardsticks],
            "tips": [{"tip": one.tip.name, "cost": by_seat(one.cost)} for one in self.tips],
            "tried": self.tried,
        }


def card_strategy(rules: Sequence[Rule]) -> Strategy:
    """Rules in their order as a strategy; what they leave equal is laid by chance."""
    summary = " ".join(rule.words for rule in rules)
    return Strategy("card", "Strategy card", summary, "this project", tuple(rule.level for rule in rules), "random")


def search_work() -> int:
    """The most strategies that a search can measure, for a progress bar."""
    return _work(len(FOLLOWS), MOST_FOLLOWS) + _work(len(LEADS), MOST_LEADS) + MOST_LEADS + MOST_FOLLOWS


def _work(number: int, most: int) -> int:
    return sum((number - placed) * (placed + 1) for placed in range(min(most, number)))


class _Search:
    """A search on its way: measures cards against best play, each once."""

    def __init__(self, game: PegGame, advance: Advance) -> None:
        self.game, self.advance = game, advance
        best = solution_for(game)
        self.met = Met(game, best)
        self.best = self.met.margins(best)
        self._losses: dict[tuple[str, ...], Margins] = {}

    @property
    def tried(self) -> int:
        return len(self._losses)

    def loss(self, rules: Sequence[Rule]) -> Margins:
        """What the rules lose against best play."""
        key = tuple(rule.name for rule in rules)
        if key not in self._losses:
            self._losses[key] = self.loss_of(card_strategy(rules))
            self.advance(1)
        return self._losses[key]

    def loss_of(self, strategy: Strategy) -> Margins:
        """What a strategy loses against best play."""
        return self.best.less(self.met.margins(DataPlayer(self.game, strategy)))

    def grow(self, space: Sequence[Rule], below: Sequence[Rule], most: int) -> tuple[list[Rule], list[Step]]:
        """Rules put one at a time before those ``below``, each at its best place, and the losses on the way."""
        chosen: list[Rule] = []
        steps: list[Step] = []
        loss = self.loss(below)
        while len(chosen) < most:
            trials = [
                (rule, [*chosen[:place], rule, *chosen[place:]])
                for rule in space
                if rule not in chosen
                for place in range(len(chosen) + 1)
            ]
            if not trials:
                break
            # The first of equals: an earlier rule of the space, at an earlier place.
            added, found = min(trials, key=lambda trial: self.loss([*trial[1], *below]).mean)
            before, loss = loss, self.loss([*found, *below])
            if before.mean - loss.mean < WORTH_SAYING:
                break
            chosen = found
            steps.append((added.name, loss))
        return chosen, steps


def strategy_card(
    variant: Variant | str = "noddy",
    leads: Sequence[Rule] = LEADS,
    follows: Sequence[Rule] = FOLLOWS,
    *,
    yardsticks: Sequence[str] = YARDSTICKS,
    tips: Sequence[str] | None = None,
    advance: Advance = lambda done: None,
) -> StrategyCard:
    """Find the card of a variant whose play is solved.

    leads, follows : the rules to choose from; yardsticks : strategies whose loss is told beside the card;
    tips : whose cost is told there too (those of the rules page); advance : told of every strategy measured.

    Raises InputError for a variant without a solution.
    """
    rules = as_variant(variant)
    game = three_each(rules)
    search = _Search(game, advance)
    following, steps = search.grow(follows, [], MOST_FOLLOWS)
    leading, more = search.grow(leads, following, MOST_LEADS)
    card = [*leading, *following]
    player = DataPlayer(game, card_strategy(card))
    known = Margins(
        search.best.pone + margin_of_best(game, player, DEALER), search.best.dealer + margin_of_best(game, player, PONE)
    )
    return StrategyCard(
        variant=rules.name,
        value=search.best.pone,
        exploitability=certificate(solution_for(game), game).exploitability,
        leads=tuple(CardRule(rule, _saves(search, card, rule)) for rule in leading),
        follows=tuple(CardRule(rule, _saves(search, card, rule)) for rule in following),
        loss=search.loss(card),
        known=known,
        steps=(("", search.loss([])), *steps, *more),
        yardsticks=tuple((name, search.loss_of(parse_strategy(name))) for name in yardsticks),
        tips=tuple(_cost(search, tip, rules) for tip in _tips(tips)),
        tried=search.tried,
    )


def _saves(search: _Search, card: Sequence[Rule], rule: Rule) -> Margins:
    return search.loss([other for other in card if other is not rule]).less(search.loss(card))


def _tips(names: Sequence[str] | None) -> list[Tip]:
    known = builtin_tips()
    return [known[name] for name in names] if names is not None else [tip for tip in known.values() if from_source(tip)]


def _cost(search: _Search, tip: Tip, variant: Variant) -> TipCost:
    if tip.decision not in decisions(variant, 2):
        return TipCost(tip, None)
    return TipCost(tip, search.loss_of(parse_strategy(f"{tip.name}@{BEST_PLAY}")))
