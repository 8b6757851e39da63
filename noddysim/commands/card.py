"""``exact card``: the few rules that lose least against best play, each with its price."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from noddysim.commands.common import columns, examples, json_option, print_json, say

if TYPE_CHECKING:
    from noddysim.engine.met import Margins
    from noddysim.insight.card import StrategyCard

DIGITS = 4


@click.command(epilog=examples("noddysim exact card noddy"))
@click.argument("variant")
@json_option
def card(variant: str, as_json: bool) -> None:
    """Find the few rules to keep in mind that lose least against best play.

    Some hundred sets of simple rules are measured, over all deals each; about a minute. Losses are in points a deal
    of the play, and exact. The tips of the rules page stand beside them: what it costs a perfect player to follow each
    always. VARIANT is a name or the path of a file; its play must be solved.
    """
    from noddysim.commands.progress import bars
    from noddysim.insight.card import search_work, strategy_card

    with bars() as announce:
        found = strategy_card(variant, advance=announce("measuring rules", search_work()))
    if as_json:
        print_json(found.to_json())
    else:
        say(_words(found))


def _words(found: StrategyCard) -> str:
    lines = [f"Strategy card for {found.variant}: the first rule that tells cards apart decides", ""]
    for title, rules in (("On the lead", found.leads), ("On a pile", found.follows)):
        rows = [
            (f"{place}.", one.rule.words, *_numbers(one.saves)) for place, one in enumerate(rules, start=1)
        ]  # fmt: skip
        lines += [*columns(rows, ("", title, "saves", "as pone", "as dealer"), right=(2, 3, 4)), ""]
    lost = [("the card", *_numbers(found.loss)), ("the card, if the other knows it", *_numbers(found.known))]
    lost += [(name, *_numbers(loss)) for name, loss in found.yardsticks]
    lines += [*columns(lost, ("what is lost against best play", "mean", "as pone", "as dealer"), right=(1, 2, 3)), ""]
    costs = [
        (one.tip.name, "nothing to decide", "", "") if one.cost is None else (one.tip.name, *_numbers(one.cost))
        for one in found.tips
    ]
    lines += [*columns(costs, ("following a tip always costs", "mean", "as pone", "as dealer"), right=(1, 2, 3)), ""]
    lines.append("Points a deal of the play, every deal counted (exact). Saves: what is lost more without that rule.")
    return "\n".join(lines)


def _numbers(margins: Margins) -> tuple[str, str, str]:
    from noddysim.insight.numbers import format_number

    mean, pone, dealer = (
        format_number(value, DIGITS, terminal=True) for value in (margins.mean, margins.pone, margins.dealer)
    )
    return mean, pone, dealer
