"""``variants``, ``strategies``, ``tips`` and ``claims``: what the program knows, as lists and one by one."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from noddysim.commands.common import F, columns, examples, json_option, print_json, say
from noddysim.game.claims import KINDS, PAGES, SEEDS, STATUSES

if TYPE_CHECKING:
    from noddysim.game.claims import Claim
    from noddysim.game.laying_data import Laid
    from noddysim.game.minds import Mind
    from noddysim.game.rules import Variant
    from noddysim.game.strategy_data import Policy, Strategy, Tip

WIDTH: Final = 100
INDENT: Final = "    "
BUILT_IN: Final = "built-in"


# --- variants -------------------------------------------------------------------------------------------------------


@click.command(
    epilog=examples("noddysim variants", "noddysim variants noddy", "noddysim variants my-rules.toml --json")
)
@click.argument("name", required=False)
@json_option
def variants(name: str | None, as_json: bool) -> None:
    """List the variants, or print the rule sheet of one.

    NAME is a built-in variant or the path of a TOML file. The sheet is made from the data that the program plays by,
    with the readings in force and the source of each value.
    """
    from noddysim.game.rules import load_variant, variant_names
    from noddysim.game.rulesheet import rule_sheet, variant_json

    if name is not None:
        variant = load_variant(name)
        if as_json:
            print_json(variant_json(variant))
        else:
            say(rule_sheet(variant).rstrip("\n"))
        return
    known = [load_variant(built_in) for built_in in variant_names()]
    if as_json:
        print_json([_variant_entry(variant) for variant in known])
    else:
        rows = [(v.name, v.status, f"{v.title}. {v.summary}") for v in known]
        say(_listing(rows) + "\n\nThe rules of one, with their sources: noddysim variants NAME")


def _variant_entry(variant: Variant) -> dict[str, Any]:
    return {
        "name": variant.name,
        "title": variant.title,
        "status": variant.status,
        "source": _works(variant),
        "summary": variant.summary,
        "base": variant.base,
        "players": list(variant.rules.players),
        "target": variant.rules.target,
    }


def _works(variant: Variant) -> list[str]:
    """Keys of the works from which the values come, the most used first."""
    keys = [source.key for source in variant.sources.values()]
    return sorted(set(keys), key=lambda key: (-keys.count(key), key))


# --- strategies and tips --------------------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        "noddysim strategies",
        "noddysim strategies lookahead",
        "noddysim strategies keep-best",
        "noddysim strategies lead-low@keep-best+greedy",
    )
)
@click.argument("name", required=False)
@json_option
def strategies(name: str | None, as_json: bool) -> None:
    """List the strategies, or describe one in words.

    NAME is a built-in strategy, a tip on a baseline (TIP@BASELINE), or the path of a strategy file. What is done before
    the play is said by policies, listed below the strategies: how cards are laid away, and whether one is passed on
    (mogging). NAME may be a policy too. Joined by a plus they make a full strategy, keep-best+greedy; a strategy that
    names none lays away by keep-best-crib and mogs by mog-gain. The name random is a strategy and a discard policy: if
    two parts of an expression could both be the strategy, the first is the discard, as in random+greedy. The games in
    which melds or sets are laid have strategies of their own, listed last.
    """
    from noddysim.game.laying import laid_strategies
    from noddysim.game.laying_data import MELDING, SETS, laying_json
    from noddysim.game.strategies import builtin_strategies
    from noddysim.game.strategy_data import policy_json, strategy_json

    policies = _builtin_policies()
    if name is not None:
        policy = next((policy for policy in policies if policy.name == name), None)
        if policy is not None and name not in builtin_strategies():
            if as_json:
                print_json({**policy_json(policy), "status": BUILT_IN})
            else:
                say(_policy_words(policy))
            return
        _show_minds(name, as_json)
        return
    known = builtin_strategies().values()
    if as_json:
        entries = [*map(strategy_json, known), *map(policy_json, policies)]
        entries += [laying_json(one) for family in (MELDING, SETS) for one in laid_strategies(family).values()]
        print_json([{**entry, "status": BUILT_IN} for entry in entries])
    else:
        lists: dict[str, Iterable[Strategy | Policy]] = {"The play": known}
        lists |= {word: [p for p in policies if p.kind == kind] for kind, word in _POLICY_LISTS.items()}
        parts = [f"{word}\n\n{_listing([(one.name, one.summary) for one in ones])}" for word, ones in lists.items()]
        laid = {word: laid_strategies(family).values() for family, word in _LAID_LISTS.items()}
        parts += [f"{word}\n\n{_listing([(one.name, one.summary) for one in ones])}" for word, ones in laid.items()]
        ending = "One in full: noddysim strategies NAME. A tip on a baseline: noddysim strategies TIP@NAME"
        say("\n\n".join([*parts, ending]))


_LAID_LISTS: Final = {"melding": "The melding game (innocence)", "sets": "Sets of two cards (snitch)"}
_POLICY_LISTS: Final = {
    "discard": "Cards laid away before the play, joined to a play by a plus (keep-best+greedy)",
    "mog": "Cards passed on before the play (mogging), joined to a play by a plus (mog-never+greedy)",
}


def _show_minds(name: str, as_json: bool) -> None:
    """Print the strategy of an expression, or one for each family of games if several have it."""
    from noddysim.game.families import FAMILIES
    from noddysim.game.minds import mind_json, read_for

    found = read_for(list(FAMILIES), name)
    if as_json:
        entries = [{**mind_json(mind), "status": _status_of_strategy(mind)} for mind in found.values()]
        print_json({**entries[0], **({"also": entries[1:]} if entries[1:] else {})})
    else:
        say("\n\n".join(map(_mind_words, found.values())))


def _builtin_policies() -> list[Policy]:
    from noddysim.game.strategies import builtin_policies

    return [*builtin_policies("discard").values(), *builtin_policies("mog").values()]


def _status_of_strategy(mind: Mind) -> str:
    from noddysim.game.laying import laid_strategies
    from noddysim.game.minds import LAYING, mind_family
    from noddysim.game.strategies import builtin_strategies

    family = mind_family(mind)
    known = laid_strategies(family) if family in LAYING else builtin_strategies()
    return BUILT_IN if mind.name in known else "made up from parts"


def _mind_words(mind: Mind) -> str:
    from noddysim.game.strategy_data import Strategy

    return _strategy_words(mind) if isinstance(mind, Strategy) else _laid_words(mind)


def _laid_words(one: Laid) -> str:
    from noddysim.game.laying_data import GAME_WORDS, describe_laid, family_of_mind

    facts = {
        "Meaning": one.summary,
        "Rule": describe_laid(one),
        "Plays": GAME_WORDS[family_of_mind(one)],
        "Source": one.source,
    }
    return _sheet(one.name, one.title, facts)


def _strategy_words(strategy: Strategy) -> str:
    from noddysim.game.strategy_data import describe_policy, describe_strategy

    facts = {
        "Meaning": strategy.summary,
        "Rule": describe_strategy(strategy, frozenset()),
        "Discard": f"{strategy.discard.name}. {describe_policy(strategy.discard)}",
        "Mogging": f"{strategy.mog.name}. {describe_policy(strategy.mog)}",
        "Source": strategy.source,
    }
    for policy in _builtin_policies():
        if policy.name == strategy.name:
            facts["Also"] = f"the {policy.kind} policy {policy.name}, written {policy.name}+greedy. {policy.summary}"
    return _sheet(strategy.name, strategy.title, facts)


def _policy_words(policy: Policy) -> str:
    from noddysim.game.strategy_data import describe_policy

    facts = {
        "Meaning": policy.summary,
        "Rule": describe_policy(policy),
        "Concerns": _DECISIONS[policy.kind],
        "Source": policy.source,
        "Use": f"{policy.name}+STRATEGY, for example {policy.name}+greedy",
    }
    return _sheet(policy.name, policy.title, facts)


@click.command(epilog=examples("noddysim tips", "noddysim tips lead-low"))
@click.argument("name", required=False)
@json_option
def tips(name: str | None, as_json: bool) -> None:
    """List the tips that are tested, or explain one.

    A tip is one rule laid on top of a baseline, written TIP@BASELINE wherever a strategy may stand. Its status is what
    `noddysim claims` says of it.
    """
    from noddysim.game.minds import all_tips, any_tip_json

    statuses = _status_of_tips()
    known = list(all_tips().values()) if name is None else [_named_tip(name)]
    entries = [{**any_tip_json(tip), "status": statuses.get(tip.name, NO_CLAIM)} for tip in known]
    if as_json:
        print_json(entries if name is None else entries[0])
    elif name is not None:
        say(_tip_words(known[0], statuses.get(known[0].name, NO_CLAIM)))
    else:
        lists = {word: [one for one in known if one.family == family] for family, word in _TIP_LISTS.items()}
        parts = [
            f"{word}\n\n{_listing([(one.name, statuses.get(one.name, NO_CLAIM), one.words) for one in ones])}"
            for word, ones in lists.items()
        ]
        say("\n\n".join([*parts, "One in full: noddysim tips NAME"]))


_TIP_LISTS: Final = {"pegging": "The play, and what is laid away or passed on before it", **_LAID_LISTS}


NO_CLAIM: Final = "not claimed"
"""Status of a tip that no source gives: the opposite of another, or a rule made for a comparison."""


def _named_tip(name: str) -> Tip:
    from noddysim.game.errors import InputError
    from noddysim.game.minds import all_tips
    from noddysim.game.rulecheck import did_you_mean
    from noddysim.game.strategies import lead_probes
    from noddysim.game.tomlfile import format_value

    known = {**all_tips(), **lead_probes()}
    if name not in known:
        hint = did_you_mean(name, known) or f"; tips are: {', '.join(all_tips())}"
        raise InputError(f"no tip is named {format_value(name)}{hint}")
    return known[name]


def _status_of_tips() -> dict[str, str]:
    """Status of each tip that a claim of the seeds names."""
    from noddysim.game.claims import load_claims

    found: dict[str, list[str]] = {}
    for claim in load_claims().claims:
        for tip in claim.named("tip"):
            found.setdefault(tip, []).append(claim.status)
    return {tip: ", ".join(dict.fromkeys(said)) for tip, said in found.items()}


def _tip_words(tip: Tip, status: str) -> str:
    from noddysim.game.laying_data import describe_changes
    from noddysim.game.strategy_data import describe_tip

    laid = tip.family != "pegging"
    base = "most-points" if laid else "greedy-random"
    seats = {"eldest": "the eldest, who leads", "every": "every seat"}
    facts = {
        "Advice": tip.words,
        "Rule": tip.rule,
        **({"Fields": describe_changes(dict(tip.changes))} if laid else {"In steps": describe_tip(tip)}),
        "Concerns": f"{_DECISIONS[tip.decision]}; {seats[tip.seat]}",
        "Opposite": tip.opposite or "none",
        "Status": status,
        "Source": tip.source,
        "Use": f"{tip.name}@BASELINE, for example {tip.name}@{base}",
    }
    return _sheet(tip.name, tip.title, facts)


_DECISIONS: Final = {
    "lead": "the card led to an empty pile",
    "follow": "the card laid on a pile already begun",
    "play": "every card laid",
    "discard": "the cards laid away before the play",
    "mog": "the card passed on before the play, or none",
    "meld": "which meld is laid",
    "draw": "whether a meld is laid or a card drawn",
    "set": "which set is laid",
    "throw": "the card discarded",
}


def _choice(option: str, allowed: Sequence[str], metavar: str, words: str) -> Callable[[F], F]:
    """An option with a fixed list of words, all of which its help names."""
    return click.option(option, type=click.Choice(allowed), metavar=metavar, help=f"{words}: {', '.join(allowed)}.")


# --- claims ---------------------------------------------------------------------------------------------------------


@click.command(epilog=examples("noddysim claims --page noddy --verdict fails", "noddysim claims --tip lead-low --json"))
@_choice("--page", tuple(PAGES.values()), "NAME", "Only the claims of one page of rules")
@_choice("--seed", SEEDS, "LETTER", "The same by the letter with which its claims are numbered")
@_choice("--verdict", STATUSES, "WORD", "Only those with this verdict")
@_choice("--kind", KINDS, "KIND", "Only this kind")
@click.option("--tip", default=None, metavar="NAME", help="Only those whose evidence names this tip.")
@json_option
def claims(
    page: str | None, seed: str | None, verdict: str | None, kind: str | None, tip: str | None, as_json: bool
) -> None:
    """List what the pages of rules say about their games, claim by claim, and what became of each.

    There are three pages: on Noddy, on the melding game The Innocence, and on Snitch. A claim is either fixed by a test
    or has a verdict with its evidence.
    """
    from noddysim.game.claims import claims_json, load_claims, select_claims

    book = load_claims()
    if tip is not None:
        _named_tip(tip)
    found = select_claims(book.claims, seed=seed, page=page, kind=kind, status=verdict, tip=tip)
    if as_json:
        print_json(
            [{**entry, "source": _seed_place(claim)} for entry, claim in zip(claims_json(found), found, strict=True)]
        )
        return
    counted = f"{len(found)} of {len(book.claims)} claims"
    say("\n".join([*map(_claim_words, found), counted]))


def _seed_place(claim: Claim) -> str:
    return f"seed ({claim.seed}), {claim.place}"


def _claim_words(claim: Claim) -> str:
    evidence = claim.test or ", ".join(claim.evidence)
    lines = [f"{claim.id}  {claim.status}  ({claim.kind}; {claim.place})", *_wrapped(claim.says)]
    if claim.remark:
        lines += _wrapped(claim.remark)
    return "\n".join([*lines, *_wrapped(f"[{evidence}]"), ""])


# --- text -----------------------------------------------------------------------------------------------------------


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)


def _listing(rows: Iterable[tuple[str, ...]]) -> str:
    """One entry for each row: its short cells in columns, the last cell below."""
    table = list(rows)
    heads = columns(row[:-1] for row in table)
    return "\n".join("\n".join([head, *_wrapped(row[-1])]) for head, row in zip(heads, table, strict=True))


def _sheet(name: str, title: str, facts: Mapping[str, str]) -> str:
    """A name with its title, and facts below it, each behind its word."""
    width = max(map(len, facts)) + 2
    lines = [f"{name}: {title}", ""]
    for word, text in facts.items():
        head = f"{word}:".ljust(width)
        lines += textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * width, break_on_hyphens=False)
    return "\n".join(lines)
