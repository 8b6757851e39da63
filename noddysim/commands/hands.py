"""``score``, ``peg`` and ``replay``: single hands, single plays, single deals and games, in words or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import click

from noddysim.commands.common import (
    GREATEST_NUMBER,
    WholeNumber,
    columns,
    examples,
    json_option,
    kind_words,
    players_option,
    print_json,
    say,
    seed_option,
    variant_option,
)
from noddysim.commands.laidwords import laid_words, replayed_words

if TYPE_CHECKING:
    from noddysim.engine.record import DealRecord, Event, PegRecord, ReplayedDeal, ReplayedGame
    from noddysim.engine.scoring import ScoreResult

PHASE_WORDS: Final = {
    "heels": "by the turned card",
    "play": "in the play",
    "show": "in the show",
    "crib": "by the crib",
    "start": "by three for last",
    "mog": "by the mogging",
}
"""How a game was won."""


# --- score ----------------------------------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        'noddysim score "7H 8C 2D" --starter 6S',
        'noddysim score "7H 7D 8C"',
        'noddysim score "5H 5D 5C" --starter 5S --json',
        'noddysim score "4H 5C 6D" --starter 9S --variant innocence',
        'noddysim score "8S 3D X" --variant snitch --discard 3C',
    )
)
@click.argument("cards", nargs=-1, required=True)
@click.option("--starter", default=None, metavar="CARD", help="The turned card; without it, the mean over all.")
@variant_option
@click.option("--crib", is_flag=True, help="Count the cards as a crib, where the rules have one.")
@click.option("--discard", default=None, metavar="CARD", help="The top discard, in a game of sets.")
@click.option("--own", default=None, metavar="CARDS", help="Cards of one's own sets, in a game of sets.")
@click.option("--stock-empty", is_flag=True, help="The stock is gone, in a game of sets.")
@json_option
def score(
    cards: tuple[str, ...],
    starter: str | None,
    variant: str,
    crib: bool,
    discard: str | None,
    own: str | None,
    stock_empty: bool,
    as_json: bool,
) -> None:
    """Score a hand: its show, the melds it may lay, or its sets, with the cards that make each score.

    CARDS are a rank A 2-9 T J Q K and a suit C D H S each; a joker is X. In a show, without --starter the answer is
    the exact mean over all cards that may still be turned.
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.engine.play import score as score_hand
    from noddysim.engine.scoring import ScoreResult

    note_first_use()
    result = score_hand(" ".join(cards), starter, variant, crib, discard=discard, own=own, stock_empty=stock_empty)
    if as_json:
        print_json(result.to_json())
    elif not isinstance(result, ScoreResult):
        say(laid_words(result))
    else:
        say(_score_words(result) if result.total is not None else _mean_words(result))


def _score_words(result: ScoreResult) -> str:
    lines = [f"{' '.join(result.hand)} with {result.starter} turned ({result.variant})", ""]
    rows = [(kind_words(made.kind), " ".join(made.cards), str(made.points)) for made in result.combinations]
    if rows:
        lines += [*columns(rows, right=[2]), ""]
    parts = {kind: int(points) for kind, points in result.parts.items()}
    return "\n".join([*lines, f"Total {result.total}{_parts_in_brackets(parts)}"])


def _mean_words(result: ScoreResult) -> str:
    from noddysim.insight.numbers import format_number, format_percent

    mean = format_number(result.mean, 3, terminal=True)
    made = [
        f"{kind_words(kind)} {format_number(part, 3, terminal=True)}" for kind, part in result.parts.items() if part
    ]
    rows = [
        (str(points), str(number), format_percent(number / result.cases, terminal=True))
        for points, number in result.counts.items()
    ]
    return "\n".join(
        [
            f"{' '.join(result.hand)}, starter not turned yet ({result.variant})",
            "",
            f"Mean {mean} points over the {result.cases} starters ({result.exact_mean}, exact)",
            *([f"Of these: {', '.join(made)}"] if made else []),
            "",
            *columns(rows, head=("points", "starters", "share"), right=range(3)),
        ]
    )


def _parts(parts: Mapping[str, int]) -> str:
    """Kinds that score, with their points: ``fifteen 2, run 3``."""
    return ", ".join(f"{kind_words(kind)} {points}" for kind, points in parts.items() if points)


def _parts_in_brackets(parts: Mapping[str, int]) -> str:
    made = _parts(parts)
    return f" ({made})" if made else ""


# --- peg ------------------------------------------------------------------------------------------------------------


@click.command(
    epilog=examples('noddysim peg "7H 3C KD / 8S 5D 2H"', 'noddysim peg "7H 8D KC / 8S 5C 2D" --scores 29-25 --json')
)
@click.argument("hands", nargs=-1, required=True)
@variant_option
@click.option(
    "--scores",
    default=None,
    metavar="A-B",
    help="Scores before the first card, the eldest's first, parted by hyphens or commas; partners may have "
    "one score a side.",
)
@json_option
def peg(hands: tuple[str, ...], variant: str, scores: str | None, as_json: bool) -> None:
    """Score a play card by card.

    HANDS are whole hands parted by a slash, the eldest's first and the dealer's last, each in the order in which its
    cards are laid. Goes and new piles follow from the rules. The play stops when somebody reaches the target.
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.engine.peg import peg as peg_hands

    note_first_use()
    record = peg_hands(" ".join(hands), variant, None if scores is None else read_scores(scores))
    if as_json:
        print_json(record.to_json())
    else:
        say(_peg_words(record))


def read_scores(text: str) -> list[int]:
    """Scores written ``29-25`` or ``29,25``. Raises click's error for anything but whole numbers."""
    parts = text.replace(",", "-").split("-")
    if not all(part.strip().isascii() and part.strip().isdigit() for part in parts):
        raise click.BadParameter(
            f"{text!r} is no list of scores; write whole numbers parted by hyphens, the eldest's first: 29-25",
            param_hint="'--scores'",
        )
    return [int(part) for part in parts]


def _peg_words(record: PegRecord) -> str:
    names = _seat_names(len(record.points))
    sizes = [sum(event.seat == seat + 1 for event in record.events) for seat in range(len(names))]
    held = [size + len(rest) for size, rest in zip(sizes, record.unplayed, strict=True)]
    lines = _play_lines(record.events, names, held, record.limit)
    lines += [f"{name} keeps {' '.join(rest)}" for name, rest in zip(names, record.unplayed, strict=True) if rest]
    gained = ", ".join(f"{name} {points}" for name, points in zip(names, record.points, strict=True))
    lines += ["", f"Points: {gained}"]
    if record.sides:
        lines.append(
            f"Scores of the sides: {names[0]} and {names[2]} {record.sides[0]}, "
            f"{names[1]} and {names[3]} {record.sides[1]}"
        )
    elif record.scores != record.points:
        lines.append("Scores: " + ", ".join(f"{n} {s}" for n, s in zip(names, record.scores, strict=True)))
    if record.winner is not None:
        lines.append(f"The {names[record.winner - 1]} has reached the target; the play stops here.")
    return "\n".join(lines)


# --- replay ---------------------------------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        "noddysim replay noddy --seed 1589 --deal 7",
        "noddysim replay noddy --seed 1589 --deal 7 --players 3 --strategies greedy,low,lookahead",
        "noddysim replay noddy-61 --seed 1 --game 0 --strategies lookahead,greedy",
        "noddysim replay noddy --seed 1 --game 0 --notation",
        "noddysim replay snitch --seed 1 --deal 0 --players 4",
    )
)
@click.argument("variant")
@seed_option
@click.option("--deal", type=WholeNumber(0, GREATEST_NUMBER), default=None, metavar="I", help="Number of the deal.")
@click.option("--game", type=WholeNumber(0, GREATEST_NUMBER), default=None, metavar="G", help="Number of a game.")
@players_option
@click.option(
    "--strategies",
    default=None,
    metavar="A,B",
    help="One for all, or one for each seat (in a game: person), the eldest's first; left out: greedy, or most-points "
    "where melds or sets are laid.",
)
@click.option("--notation", is_flag=True, help="Write it down as `noddysim analyse` reads it.")
@json_option
def replay(
    variant: str,
    seed: int,
    deal: int | None,
    game: int | None,
    players: int | None,
    strategies: str | None,
    notation: bool,
    as_json: bool,
) -> None:
    """Show one deal, or one whole game, card by card.

    VARIANT is a name or the path of a file. A deal is played out whole; a game is played to the target. The same
    seed and number always give the same cards, the same in every run of this program.
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.engine.play import replay as replay_cards
    from noddysim.engine.record import ReplayedDeal, ReplayedGame

    note_first_use()
    minds = None if strategies is None else [name.strip() for name in strategies.split(",")]
    if notation and as_json:
        raise click.UsageError("--notation and --json are two forms of the answer; give one")
    replayed = replay_cards(variant, seed, deal=deal, game=game, players=players, strategies=minds)
    if notation:
        say(_notation(variant, replayed))
    elif as_json:
        print_json(replayed.to_json())
    elif isinstance(replayed, ReplayedDeal):
        say(_replayed_deal_words(replayed))
    elif isinstance(replayed, ReplayedGame):
        say(_replayed_game_words(replayed))
    else:
        say(replayed_words(replayed))


def _notation(variant: str, replayed: object) -> str:
    from noddysim.engine.notation import written_text
    from noddysim.engine.record import ReplayedDeal, ReplayedGame
    from noddysim.game.errors import InputError

    if not isinstance(replayed, ReplayedDeal | ReplayedGame):
        raise InputError(f"{variant} has no play of cards to a count; its games cannot be written so")
    return written_text(replayed, variant)


def _replayed_deal_words(replayed: ReplayedDeal) -> str:
    deal, names = replayed.deal, _seat_names(replayed.players)
    gained = ", ".join(f"{name} {points}" for name, points in zip(names, deal.points, strict=True))
    return "\n".join(
        [
            f"Deal {deal.number} of seed {replayed.seed}: {replayed.variant}, {replayed.players} players",
            "",
            *_deal_lines(deal, names),
            "",
            f"Points: {gained}",
        ]
    )


def _replayed_game_words(game: ReplayedGame) -> str:
    people = [f"player {person + 1}" for person in range(game.players)]
    seats = _seat_names(game.players)
    lines = [
        f"Game {game.game} of seed {game.seed}: {game.variant}, {game.players} players, {game.target} up",
        *(f"{who} plays {mind}" for who, mind in zip(people, game.strategies, strict=True)),
    ]
    if any(game.start):
        lines.append(_scores_line("Before the first card", people, game.start))
    for deal in game.deals:
        names = [f"{people[person - 1]} ({seat})" for person, seat in zip(deal.persons, seats, strict=True)]
        lines += ["", f"--- Deal {deal.number + 1}: {people[deal.persons[-1] - 1]} deals", ""]
        lines += _deal_lines(deal, names)
        by_person = sorted(zip(deal.persons, deal.scores, strict=True))
        lines += ["", _scores_line("Scores", people, [score for _, score in by_person])]
    phase = PHASE_WORDS[game.deals[-1].ended or ""]
    changes = "once" if game.lead_changes == 1 else f"{game.lead_changes} times"
    deals = "1 deal" if len(game.deals) == 1 else f"{len(game.deals)} deals"
    winner = people[game.winner - 1]
    if game.sides < game.players:
        winner += f" and {people[game.winner - 1 + game.sides]}"
    wins = "wins" if game.sides == game.players else "win"
    lines += ["", f"{winner.capitalize()} {wins} {phase}, after {deals}; the lead changed {changes}."]
    return "\n".join(lines)


def _scores_line(head: str, people: Iterable[str], scores: Iterable[int]) -> str:
    return f"{head}: " + ", ".join(f"{who} {score}" for who, score in zip(people, scores, strict=True))


def _deal_lines(deal: DealRecord, names: Sequence[str]) -> list[str]:
    """A deal in words, phase by phase in the order of the rules, up to where it ended."""
    rows = [(n, " ".join(hand), mind) for n, hand, mind in zip(names, deal.hands, deal.strategies, strict=True)]
    lines = [*columns(rows), f"Starter {deal.starter}"]
    lines += [f"{n} lays away {' '.join(cards)}" for n, cards in zip(names, deal.away, strict=False)]
    lines += [f"For the last: {n} {p}" for n, p in zip(names, deal.start, strict=False) if p]
    if deal.ended == "start":
        return lines
    mogs = _mog_lines(deal, names)
    for phase in deal.order:
        if phase != "heels":
            lines += mogs
            mogs = []
            if deal.ended == "mog":
                break
        if phase == "heels":
            lines += [f"Heels: {n} {p}" for n, p in zip(names, deal.heels, strict=True) if p]
        elif phase == "play":
            held = [len(hand) for hand in deal.hands]
            lines += ["", "The play", *_play_lines(deal.events, names, held, deal.limit)]
        else:
            lines += ["", "The show", *_show_lines(deal, names)]
        if phase == deal.ended or (phase == "show" and deal.ended == "crib"):
            break
    return lines


def _mog_lines(deal: DealRecord, names: Sequence[str]) -> list[str]:
    """What came of the mogging: cards passed, or who declined, and the points."""
    if deal.mog is None:
        return []
    passed = [f"{n} passes {card}" for n, card in zip(names, deal.mog.passed, strict=True) if card]
    points = [f"{n} {p}" for n, p in zip(names, deal.mog.points, strict=True) if p]
    return [f"Mogging: {', '.join(passed) if passed else 'declined'}{'; ' if points else ''}{', '.join(points)}"]


def _show_lines(deal: DealRecord, names: Sequence[str]) -> list[str]:
    rows = [
        (names[shown.seat - 1], " ".join(deal.hands[shown.seat - 1]), str(shown.total), _parts(shown.parts))
        for shown in deal.shows
    ]
    if deal.crib_shown:
        crib = deal.crib_shown
        rows.append((f"crib ({names[crib.seat - 1]})", " ".join(deal.crib), str(crib.total), _parts(crib.parts)))
    return columns(rows, right=[2])


# --- the play in words ----------------------------------------------------------------------------------------------


def _seat_names(players: int) -> list[str]:
    from noddysim.engine.games import SEAT_NAMES

    return list(SEAT_NAMES[players])


def _play_lines(events: Sequence[Event], names: Sequence[str], held: Sequence[int], limit: int) -> list[str]:
    """A line for each card, with goes between them and a rule between piles; ``held`` is the size of each hand."""
    rows = [
        (names[event.seat - 1], event.card, str(event.count), str(event.points or ""), _parts(event.parts))
        for event in events
    ]
    lines: list[str] = []
    between = _between(events, names, held, limit)
    for line, words in zip(columns(rows, right=[2, 3]), between, strict=True):
        lines += [*words, line]
    return lines


def _between(events: Sequence[Event], names: Sequence[str], held: Sequence[int], limit: int) -> Iterator[list[str]]:
    """What is said before each card: who says go, and where a pile ends. Each says go once a pile."""
    left = list(held)
    silent: set[int] = set()
    for before, event in zip([None, *events], events, strict=False):
        words: list[str] = []
        if before is not None:
            new_pile = _begins_pile(event)
            if not (new_pile and before.count == limit):
                # A pile below the limit is closed by all who hold cards, the one who laid the last card too.
                passed = _seats_after(before.seat, before.seat if new_pile else event.seat, len(names), new_pile)
                goes = [seat for seat in passed if left[seat - 1] and seat not in silent]
                words += [f"{names[seat - 1]}: go" for seat in goes]
                silent.update(goes)
            if new_pile:
                words.append("-- new pile")
                silent.clear()
        left[event.seat - 1] -= 1
        yield words


def _begins_pile(event: Event) -> bool:
    from noddysim.game.cards import parse_card, pips, rank_of

    return event.count == pips(rank_of(parse_card(event.card)))


def _seats_after(first: int, last: int, players: int, closing: bool) -> list[int]:
    """Seats clockwise after ``first`` up to ``last``: without it, or with it where a pile is closing."""
    steps = (last - first - 1) % players + 1
    return [(first - 1 + step) % players + 1 for step in range(1, steps + closing)]
