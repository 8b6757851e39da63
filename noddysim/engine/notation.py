"""Games written down: a line for each deal in the notation of ``peg``, behind a short head (``docs/notation.md``).

Reading checks every card and says where a fault stands; what is written is read back as the same cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from noddysim.engine.games import SEAT_NAMES, PegGame, check_players, peg_game
from noddysim.engine.record import DealRecord, Mogging, ReplayedDeal, ReplayedGame
from noddysim.engine.replay import GivenDeal, GivenMogging, Setup, play_given
from noddysim.engine.situation import scores_by_side
from noddysim.engine.table import FIRST_STRATEGY, by_seat, for_seats, sit_down
from noddysim.game.cards import format_card, parse_cards, refuse_repeats
from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import PeggingRules, Variant, load_variant
from noddysim.kernels import noddy
from noddysim.kernels import records as rec

HEAD: Final = ("variant", "players", "scores", "target")
PARTS: Final = ("away", "crib", "mog")
STAY: Final = "stay"
NOTHING: Final = "-"
"""In a mogging: who declines, and a seat whose card is not told."""
NO_TARGET: Final = "none"
_DEAL: Final = re.compile(r"deal\s+(\S+)\s*:(.*)", re.IGNORECASE)


@dataclass(frozen=True)
class WrittenDeal:
    """A deal and the line on which it stands."""

    line: int
    deal: GivenDeal


@dataclass(frozen=True)
class WrittenGame:
    """A game as it was written: names by person (the eldest of the first deal first), scores before it by side."""

    source: str
    variant: Variant
    names: tuple[str, ...]
    scores: tuple[int, ...]
    whole_deals: bool
    deals: tuple[WrittenDeal, ...]


@dataclass
class _Draft:
    """What has been read so far: the head, and of each deal its line and its texts."""

    head: dict[str, tuple[int, str]] = field(default_factory=dict)
    deals: list[tuple[int, dict[str, tuple[int, str]]]] = field(default_factory=list)


def read_game(path: str | Path) -> WrittenGame:
    """A game out of a file. Raises InputError that names the file, the line and what is wrong there."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise InputError(f"{path}: cannot be read: {reason}") from error
    return game_from_text(text, str(path))


def game_from_text(text: str, source: str = "text") -> WrittenGame:
    """A game out of text; ``source`` is what faults call it."""
    draft = _Draft()
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].strip()
        if words:
            with at_line(source, number):
                _read_line(draft, number, words)
    if not draft.deals:
        raise InputError(f"{source}: no deal is written; one is a line such as deal 8S: 7H 3C KD / 8D 5D 2H")
    return _game(draft, source)


@contextmanager
def at_line(source: str, line: int) -> Iterator[None]:
    """A fault of the input found inside gets file and line in front."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{source}, line {line}: {error}" if line else f"{source}: {error}") from error


def _read_line(draft: _Draft, number: int, words: str) -> None:
    found = _DEAL.fullmatch(words)
    if found:
        draft.deals.append((number, {"starter": (number, found[1]), "hands": (number, found[2])}))
        return
    key, colon, value = (part.strip() for part in words.partition(":"))
    key = key.lower()
    if not colon or key not in (*HEAD, *PARTS):
        raise InputError(
            f"{words[:40]!r} is not understood; a line is a deal (deal 8S: 7H 3C KD / 8D 5D 2H) or one of "
            f"{', '.join((*HEAD, *PARTS))}, a colon and what it is"
        )
    if key in HEAD:
        place = draft.head
        if draft.deals:
            raise InputError(f"{key} belongs before the first deal")
    else:
        if not draft.deals:
            raise InputError(f"{key} belongs behind a deal")
        place = draft.deals[-1][1]
    if key in place:
        raise InputError(f"{key} is given twice; it stands on line {place[key][0]} already")
    place[key] = number, value


def _game(draft: _Draft, source: str) -> WrittenGame:
    line, name = draft.head.get("variant", (0, "noddy"))
    with at_line(source, line):
        variant = load_variant(name)
        if not isinstance(variant.rules, PeggingRules):
            raise InputError(f"{variant.name} has no play of cards to a count; its games cannot be written so")
    first_line, first = draft.deals[0]
    line, given = draft.head.get("players", (first_line, ""))
    names = tuple(name.strip() for name in given.split(",")) if given else _usual_names(first["hands"][1])
    with at_line(source, line):
        _check_names(names, variant)
    game = peg_game(variant, len(names))
    line, text = draft.head.get("scores", (0, ""))
    with at_line(source, line):
        scores = _scores(text, game, variant) if line else _head_start(game)
    line, target = draft.head.get("target", (0, NO_TARGET))
    with at_line(source, line):
        if target.lower() != NO_TARGET:
            raise InputError(f"target is {NO_TARGET}, for deals played whole, or left out; not {target!r}")
    deals = []
    for at, parts in draft.deals:
        with at_line(source, at):
            deals.append(WrittenDeal(at, _deal(parts, game, variant)))
    return WrittenGame(source, variant, names, scores, bool(line), tuple(deals))


def _usual_names(hands: str) -> tuple[str, ...]:
    return tuple(f"player {person}" for person in range(1, hands.count("/") + 2))


def _check_names(names: Sequence[str], variant: Variant) -> None:
    check_players(variant, len(names))
    if len(set(names)) != len(names) or not all(names):
        raise InputError("players are names that differ, parted by commas, the eldest of the first deal first")


def _head_start(game: PegGame) -> tuple[int, ...]:
    return tuple(int(points) for points in game.rules.head_start[: game.sides])


def _scores(text: str, game: PegGame, variant: Variant) -> tuple[int, ...]:
    parts = text.replace(",", "-").split("-")
    if not all(part.strip().isascii() and part.strip().isdigit() for part in parts):
        raise InputError(f"{text!r} are no scores; write them by player, parted by hyphens: 12-20")
    return scores_by_side([int(part) for part in parts], game, variant)


def _deal(parts: dict[str, tuple[int, str]], game: PegGame, variant: Variant) -> GivenDeal:
    rules, n = game.rules, game.players
    starter = parse_cards(parts["starter"][1])
    hands = tuple(tuple(parse_cards(text)) for text in parts["hands"][1].split("/"))
    if len(starter) != 1:
        raise InputError("one card stands between deal and the colon: the starter")
    if len(hands) != n:
        raise InputError(f"{n} play, and there are {len(hands)} hands; write all hands, parted by /")
    _check_sizes("a hand", hands, int(rules.hand), n)
    away: tuple[tuple[int, ...], ...] = ()
    if rules.discard:
        if "away" not in parts:
            raise InputError(f"cards are laid away in {variant.name}: write them behind the deal, away: 9C KC / 2D 3S")
        away = tuple(tuple(parse_cards(text)) for text in parts["away"][1].split("/"))
        if len(away) != n:
            raise InputError(f"{n} lay cards away, and there are {len(away)} parts; write all, parted by /")
        _check_sizes("away", away, int(rules.discard), n)
    elif "away" in parts:
        raise InputError(f"nothing is laid away in {variant.name}; leave away out")
    crib = tuple(parse_cards(parts["crib"][1])) if "crib" in parts else ()
    if len(crib) != int(rules.to_crib):
        raise InputError(f"{int(rules.to_crib)} cards are dealt to the crib of {variant.name}; {len(crib)} given")
    refuse_repeats([*starter, *crib, *(card for part in (*hands, *away) for card in part)])
    return GivenDeal(starter[0], hands, away, crib, _mogging(parts, hands, game, variant))


def _mogging(
    parts: dict[str, tuple[int, str]], hands: Sequence[Sequence[int]], game: PegGame, variant: Variant
) -> GivenMogging | None:
    """What came of the mogging, where there is one."""
    if not game.rules.mog:
        if "mog" in parts:
            raise InputError(f"no card is exchanged in {variant.name}; leave mog out")
        return None
    ways = f"mog: 7H / 3C for cards passed, mog: {STAY} / {NOTHING} if the {SEAT_NAMES[game.players][0]} declines"
    if "mog" not in parts:
        raise InputError(f"a card may be exchanged in {variant.name}: write behind the deal {ways}")
    told = [part.strip().lower() for part in parts["mog"][1].split("/")]
    if len(told) != game.players:
        raise InputError(f"{parts['mog'][1]!r} is no mogging: write {ways}")
    if all(part in (STAY, NOTHING) for part in told):
        if told.count(STAY) == len(told):
            raise InputError("one of the two declines, and then the other is not asked or has his point")
        return GivenMogging(None, told.index(STAY) if STAY in told else None)
    words = any(part in (STAY, NOTHING) for part in told)
    passed = [] if words else [parse_cards(part) for part in told]
    if words or not all(len(cards) == 1 for cards in passed):
        raise InputError(f"{parts['mog'][1]!r} is no mogging: write {ways}")
    for seat, cards in enumerate(passed):
        if cards[0] not in hands[1 - seat]:
            giver, taker = SEAT_NAMES[game.players][seat], SEAT_NAMES[game.players][1 - seat]
            raise InputError(f"the {giver} passes {format_card(cards[0])}, so the {taker} has it to lay; he does not")
    return GivenMogging(tuple(cards[0] for cards in passed))


def _check_sizes(what: str, parts: Sequence[Sequence[int]], size: int, players: int) -> None:
    for name, part in zip(SEAT_NAMES[players], parts, strict=True):
        if len(part) != size:
            raise InputError(f"{what} has {size} cards; the {name} has {len(part) or 'none'}")


# --- playing ----------------------------------------------------------------------------------------------------------


def play_written(written: WrittenGame) -> tuple[DealRecord, ...]:
    """Play all deals of a written game, to its target unless deals are whole.

    Raises InputError, with file and line, for an illegal order and for deals behind the end of the game.
    """
    variant, n = written.variant, len(written.names)
    game = peg_game(variant, n)
    nobody = parse_strategy(FIRST_STRATEGY)
    setup = Setup(variant, game, written.names, (nobody,) * n)
    target = rec.NO_TARGET if written.whole_deals else variant.rules.target
    table = rec.new_table()
    table.state[rec.AT_FIRST_DEAL] = 1
    totals = np.zeros(rec.MAX_SEATS, np.int64)
    totals[: game.sides] = written.scores
    dealer, played = n - 1, list[DealRecord]()
    for number, one in enumerate(written.deals):
        if played and played[-1].ended:
            raise InputError(
                f"{written.source}, line {one.line}: the game has ended: the target was reached in the deal before"
            )
        persons = [(dealer + 1 + seat) % n for seat in range(n)]
        sides = [person % game.sides for person in persons[: game.sides]]
        sit_down(table, sides, [int(totals[side]) for side in sides])
        with at_line(written.source, one.line):
            record = play_given(setup, table, persons, number, one.deal, target)
            _refuse_untold(game, one.deal, record)
        played.append(record)
        table.state[rec.AT_FIRST_DEAL] = 0
        for side, score in zip(sides, by_seat(table.score, game.sides), strict=True):
            totals[side] = score
        dealer = int(noddy.next_dealer(game.rules, n, dealer, totals))
    return tuple(played)


def _refuse_untold(game: PegGame, deal: GivenDeal, record: DealRecord) -> None:
    """Raise InputError where it is not told who declined to mog, though that has earned the other something."""
    untold = deal.mog is not None and deal.mog.passed is None and deal.mog.declined is None
    if untold and game.rules.mog_refusal and record.ended not in ("start", "heels"):
        raise InputError(
            f"mog: say who declines, {STAY} / {NOTHING} or {NOTHING} / {STAY}: the other has points for it"
        )


def scores_after(written: WrittenGame, played: Sequence[DealRecord]) -> tuple[int, ...]:
    """Scores at the end by person."""
    if not played:
        return for_seats(written.scores, peg_game(written.variant, len(written.names)))
    last = played[-1]
    by_person = dict(zip(last.persons, last.scores, strict=True))
    return tuple(by_person[person] for person in sorted(by_person))


# --- writing ----------------------------------------------------------------------------------------------------------


def written_text(replayed: ReplayedGame | ReplayedDeal, source: str) -> str:
    """A replayed deal or game in the notation.

    source : the variant as it was named, so that the text finds its rules again.
    """
    whole = isinstance(replayed, ReplayedDeal)
    deals = (replayed.deal,) if isinstance(replayed, ReplayedDeal) else replayed.deals
    lines = [f"variant: {source}"]
    if isinstance(replayed, ReplayedGame):
        names = [f"player {person} ({mind})" for person, mind in enumerate(replayed.strategies, start=1)]
        lines.append(f"players: {', '.join(name.replace(',', ' ') for name in names)}")
    lines += ["target: none"] if whole else []
    for deal in deals:
        lines.append(f"deal {deal.starter}: {' / '.join(' '.join(hand) for hand in _in_order(deal))}")
        if deal.away:
            lines.append(f"  away: {' / '.join(' '.join(cards) for cards in deal.away)}")
            dealt = [card for card in deal.crib if not any(card in cards for cards in deal.away)]
            lines += [f"  crib: {' '.join(dealt)}"] if dealt else []
        if deal.mog is not None:
            lines.append(f"  mog: {' / '.join(_mog_words(deal.mog))}")
    return "\n".join(lines)


def _mog_words(mog: Mogging) -> list[str]:
    """The cards passed, or who declined: the one whose refusal has earned the other something."""
    if None not in mog.passed:
        return [str(card) for card in mog.passed]
    return [STAY if mog.points[1 - seat] else NOTHING for seat in range(len(mog.passed))]


def _in_order(deal: DealRecord) -> list[list[str]]:
    """Hands in the order laid; cards that were not laid come last, lowest first."""
    hands = []
    for seat, hand in enumerate(deal.hands, start=1):
        laid = [event.card for event in deal.events if event.seat == seat]
        hands.append([*laid, *(card for card in hand if card not in laid)])
    return hands
