"""Games in which melds or sets are laid, in words: a hand's melds or sets, and replays like a score sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from noddysim.commands.common import columns
from noddysim.game.laying_data import KIND_WORDS, seat_names

if TYPE_CHECKING:
    from noddysim.engine.melding import MeldDeal, MeldReplay, MeldsResult, TableEvent
    from noddysim.engine.sets import SetDeal, SetEvent, SetReplay, SetsResult

SOURCE_WORDS: Final = {"hand": "", "discard": "with the top discard", "own": "to a set of his own"}


def laid_words(result: MeldsResult | SetsResult) -> str:
    """The melds or sets of a hand, most points first."""
    from noddysim.engine.melding import MeldsResult

    if isinstance(result, MeldsResult):
        head = f"{' '.join(result.hand)}, {result.starter} turned ({result.variant})"
        rows = [(KIND_WORDS.get(m.kind, m.kind), " ".join(m.cards), str(m.points)) for m in result.melds]
        none = "No meld: he draws a card."
    else:
        head = f"{' '.join(result.hand)} ({result.variant})"
        rows = [
            ("with the top discard" if s.from_discard else "set", " ".join(s.cards), str(s.points)) for s in result.sets
        ]
        none = "No set."
    if not rows:
        return f"{head}\n\n{none}"
    return "\n".join([head, "", *columns(rows, right=[2]), "", f"Best {result.best}"])


def replayed_words(replayed: MeldReplay | SetReplay) -> str:
    """A deal, or a game deal by deal."""
    if replayed.game is None:
        (deal,) = replayed.deals
        names = seat_names(replayed.players)
        head = f"Deal {deal.number} of seed {replayed.seed}: {replayed.variant}, {replayed.players} players"
        minds = [f"  {name} plays {mind}" for name, mind in zip(names, replayed.strategies, strict=True)]
        return "\n".join([head, *minds, "", *_deal_lines(deal, names)])
    people = [f"player {person + 1}" for person in range(replayed.players)]
    lines = [
        f"Game {replayed.game} of seed {replayed.seed}: {replayed.variant}, {replayed.players} players, "
        f"{replayed.target} up",
        *(f"  {who} plays {mind}" for who, mind in zip(people, replayed.strategies, strict=True)),
    ]
    for deal in replayed.deals:
        seats = seat_names(replayed.players)
        names = [f"{people[person - 1]} ({seat})" for person, seat in zip(deal.persons, seats, strict=True)]
        lines += [
            "",
            f"--- Deal {deal.number + 1}: {people[deal.persons[-1] - 1]} deals",
            "",
            *_deal_lines(deal, names),
        ]
        totals = _totals(deal)
        lines += ["", "Scores: " + ", ".join(f"{who} {score}" for who, score in zip(people, totals, strict=True))]
    number = "1 deal" if len(replayed.deals) == 1 else f"{len(replayed.deals)} deals"
    return "\n".join([*lines, "", f"{_winners(replayed, people)} after {number}."])


def _winners(replayed: MeldReplay | SetReplay, people: Sequence[str]) -> str:
    won = getattr(replayed, "winners", None) or (getattr(replayed, "winner", 0),)
    names = [people[person - 1] for person in won]
    if len(names) == 1:
        return f"{names[0].capitalize()} wins"
    return f"{', '.join(names[:-1]).capitalize()} and {names[-1]} share the game"


def _totals(deal: MeldDeal | SetDeal) -> list[int]:
    """Scores of the game by person."""
    totals = getattr(deal, "totals", None)
    if totals is not None:
        return list(totals)
    by_seat = zip(deal.persons, getattr(deal, "scores", ()), strict=True)
    return [score for _, score in sorted(by_seat)]


def _deal_lines(deal: MeldDeal | SetDeal, names: Sequence[str]) -> list[str]:
    """Hands, then a line an event: who, what, points, and the scores after it."""
    rows = [(name, " ".join(hand)) for name, hand in zip(names, deal.hands, strict=True)]
    lines = columns(rows)
    starter = getattr(deal, "starter", None)
    if starter:
        lines.append(f"Trump {starter}")
    table = [
        (names[event.seat - 1], _event_words(event), str(event.points or ""), "-".join(map(str, event.scores)))
        for event in deal.events
    ]
    return [*lines, "", *columns(table, head=("", "", "points", "scores"), right=[2])]


def _event_words(event: TableEvent | SetEvent) -> str:
    cards = " ".join(event.cards)
    kind = getattr(event, "kind", "")
    source = SOURCE_WORDS.get(getattr(event, "source", ""), "")
    words = {
        "meld": f"lays {cards}: {KIND_WORDS.get(kind, kind)}",
        "set": f"lays {cards} {source}".rstrip(),
        "draw": f"draws {cards}",
        "fill": f"fills up with {cards}",
        "discard": f"discards {cards}",
        "pass": "passes",
        "jack": "for the turned jack",
        "reshuffle": "the laid cards are shuffled and become the stock",
    }
    return words[event.event]
