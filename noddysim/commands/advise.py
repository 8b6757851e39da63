"""``advise``: what everything that may be chosen is worth, what each choice loses, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from noddysim.commands.common import (
    AMOUNT,
    columns,
    examples,
    json_option,
    kind_words,
    players_option,
    print_json,
    say,
    seed_option,
)

if TYPE_CHECKING:
    from noddysim.engine.rollouts import Answer, Reason
    from noddysim.insight.advice import Advice, Choice
    from noddysim.insight.estimates import Estimate


@click.command(
    epilog=examples(
        'noddysim advise noddy --seat pone --hand "5H KD KC" --starter 8S',
        'noddysim advise --seat dealer --hand "5H 4D" --starter 8S --laid "KC 5D KS" --scores 20-25',
        'noddysim advise noddy --players 3 --seat second --hand "7H 8D 3C" --starter JS --laid 8C --deals 2000',
        'noddysim advise cribbage --seat dealer --hand "5H 5D JS 9C 2D KH" --deals 500',
        'noddysim advise costly-colours --seat pone --hand "7H 7D 3C" --starter JS --mog --deals 500',
        'noddysim advise innocence --seat pone --hand "4H 5C 6D" --starter 9S --scores 7-9 --deals 500',
        'noddysim advise snitch --seat eldest --hand "8S 3D X" --discard 3C --deals 500',
    )
)
@click.argument("variant", required=False)
@click.option("--variant", "named", default=None, metavar="NAME", help="The rules, if not given as VARIANT; or noddy.")
@click.option("--seat", required=True, metavar="SEAT", help="pone or dealer; eldest, second, third or dealer.")
@click.option("--hand", required=True, metavar="CARDS", help="Cards held, or all that were dealt.")
@click.option("--starter", default=None, metavar="CARD", help="The turned card.")
@click.option(
    "--laid", default="", metavar="CARDS",
    help="Cards laid in this deal, in order; / closes a pile, go is said by who cannot lay. Needed only where it is "
    "not clear who laid a card. In games of melds and sets: the cards on the table.",
)  # fmt: skip
@click.option("--scores", default=None, metavar="A-B", help="Scores as they stand now, the eldest's first.")
@players_option
@click.option("--against", default=None, metavar="NAME", help="How the others play; best play where it is known.")
@click.option("--then", default=None, metavar="NAME", help="How you go on; as well as can be counted, or as they do.")
@click.option("--away", default="", metavar="CARDS", help="Cards you have laid away to the crib.")
@click.option("--mog", is_flag=True, help="Ask about the exchange of a card.")
@click.option("--discard", default="", metavar="CARDS", help="The discards in a game of sets, the top one last.")
@click.option("--own", default="", metavar="CARDS", help="Cards of your own sets.")
@click.option("--stock-empty", is_flag=True, help="The stock is gone, in a game of sets.")
@click.option(
    "--deals", type=AMOUNT, default=None, metavar="N", help="Try all on N deals, even where values can be counted."
)
@seed_option
@json_option
def advise(variant: str | None, named: str | None, scores: str | None, as_json: bool, **given: Any) -> None:
    """Rank everything that may be chosen in a position.

    For two players with three cards each the values are counted over all hands that the other one can hold, against
    best play or any strategy, with one's own later cards laid as well as can be. Elsewhere every choice is tried on the
    same deals of the unseen cards until the best is settled, and intervals say what can be told apart. A hand as it is
    dealt asks what to lay away. VARIANT is a name or the path of a file; noddy if left out.
    """
    from noddysim.commands.hands import read_scores
    from noddysim.commands.progress import note_first_use
    from noddysim.insight.advice import advise as ask

    if variant and named and variant != named:
        raise click.UsageError(f"two variants are given, {variant!r} and {named!r}; give one")
    note_first_use()
    standing = None if scores is None else read_scores(scores)
    found = ask(variant or named or "noddy", scores=standing, **given)
    if as_json:
        print_json(found.to_json())
    else:
        say(advice_words(found))


def advice_words(found: Advice) -> str:
    """Advice as text: the position, the choices from the best down, and what was taken for granted."""
    has_value = any(choice.value for choice in found.choices)
    has_chance = any(choice.chance for choice in found.choices)
    why = [_why(choice) for choice in found.choices]
    head = ["choice", *(["points a deal", "loss"] if has_value else []), *(["wins", "loss"] if has_chance else [])]
    rows = []
    for choice, words in zip(found.choices, why, strict=True):
        cells = [_choice_words(choice)]
        if has_value:
            cells += [_number(choice.value, True), _loss(choice.loss)]
        if has_chance:
            cells += [_number(choice.chance, False), _loss(choice.chance_loss)]
        rows.append([*cells, words])
    lines = [_head(found), _basis(found), "", *columns(rows, [*head, "why"])]
    alike = [choice for choice in found.choices[1:] if not choice.apart]
    if found.method != "counted" and alike:
        names = ", ".join(_choice_words(choice) for choice in alike)
        lines += ["", f"Not to be told from the best on so many deals: {names}."]
    return "\n".join([*lines, *(["", *found.notes] if found.notes else [])])


def _head(found: Advice) -> str:
    turned = f", {found.starter} turned" if found.starter else ""
    laid = f", after {' '.join(found.laid)}" if found.laid else ""
    scores = f", at {'-'.join(map(str, found.scores))}" if found.scores else ""
    players = f" of {found.players}" if found.players > 2 else ""
    return f"{found.variant}: the {found.seat_name}{players} holds {' '.join(found.hand)}{turned}{laid}{scores}"


def _basis(found: Advice) -> str:
    from noddysim.insight.numbers import format_count

    number = format_count(found.n, terminal=True)
    if found.method == "counted":
        later = (
            f"your later cards as {found.then} lays them" if found.then else "your later cards laid as well as can be"
        )
        return f"Counted over the {number} hands the other can hold, against {found.against}; {later}."
    settled = ", until the best was settled" if found.most is not None and found.n < found.most else ""
    return (
        f"Tried on {number} deals of the unseen cards{settled} (seed {found.seed}) against {found.against}, you going "
        f"on as {found.then}; 95 % intervals."
    )


def _choice_words(choice: Choice) -> str:
    words = {"lay away": "away ", "pass": "pass ", "throw": "throw ", "lay": "", "meld": "", "set": ""}
    return (words.get(choice.act, f"{choice.act} ") + " ".join(choice.cards)).strip()


def _number(estimate: Estimate | None, signed: bool) -> str:
    from noddysim.insight.numbers import format_estimate, format_number, format_percent

    if estimate is None:
        return "-"
    if not estimate.exact:
        return format_estimate(estimate, signed=signed, terminal=True)
    if estimate.unit == "chance to win":
        return format_percent(estimate.estimate, 3, terminal=True)
    return format_number(estimate.estimate, 4, signed=signed, terminal=True)


def _loss(estimate: Estimate | None) -> str:
    if estimate is not None and estimate.estimate == 0:
        return "best" if estimate.low is None or estimate.exact else _number(estimate, False)
    return _number(estimate, False)


def _why(choice: Choice) -> str:
    if choice.reason is None:
        return ""
    made = ", ".join(f"{_kind(choice, kind)} {points}" for kind, points in choice.reason.parts.items())
    return "; ".join(part for part in (made, _answers(choice.reason)) if part)


def _kind(choice: Choice, kind: str) -> str:
    """What makes points: a kind of the play, of a meld, or where a set comes from."""
    from noddysim.commands.laidwords import SOURCE_WORDS
    from noddysim.game.laying_data import KIND_WORDS

    if choice.act == "set":
        return f"set {SOURCE_WORDS[kind]}".strip()
    return KIND_WORDS.get(kind, kind_words(kind))


def _answers(reason: Reason) -> str:
    """What the next player may score at once: ranks that score alike together."""
    alike: dict[tuple[int, tuple[str, ...]], list[Answer]] = {}
    for answer in reason.answers:
        alike.setdefault((answer.points, answer.parts), []).append(answer)
    parts = [
        f"{' '.join(one.rank for one in answers)} ({' and '.join(map(kind_words, kinds))} {points})"
        for (points, kinds), answers in sorted(alike.items(), key=lambda item: -item[0][0])
    ]
    return f"open to {', '.join(parts)}" if parts else ""
