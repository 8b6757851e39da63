"""Strategies from what is written for them: expressions such as ``lead-low@greedy-random``, and a user's files.

An expression is read from the right: ``a@b@c`` is a on top of (b on top of c). The last part is a whole strategy; a
part before it is a tip, or a whole strategy used only on leads (``NAME:lead``) or only on other cards
(``NAME:follow``). Wherever a strategy's name may stand, the path of a strategy file may stand too, or
``file.py:function``, a function of the user's in a Python file.

The last part may join a discard policy, a mog policy and a play with plus signs: ``keep-best+greedy``. A play alone
lays away by ``keep-best-crib`` and mogs by ``mog-gain``, in games where that is done. ``random`` is a play and a
discard policy: if two parts of an expression could both be the play, the first is the discard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from noddysim.game.errors import InputError
from noddysim.game.strategies import builtin_policies, builtin_strategies, builtin_tips, lead_probes, tip_named
from noddysim.game.strategy_data import USUAL, Level, Policy, PolicyKind, Strategy, Ties, Tip, restrict, usual_policy
from noddysim.game.strategy_file import StrategyFile, away_levels, checked, did_you_mean, read_exact, refuse_tall
from noddysim.game.tomlfile import TomlFile, format_value
from noddysim.game.userfiles import Files, Search, is_path, limit_of, parts_of, split
from noddysim.game.userfiles import strategy_files as strategy_files
from noddysim.game.userfunctions import file_of, is_function, known_function, read_function

PEGGING_FAMILY: Final = "pegging"
_WHERE_LISTED: Final = "`noddysim strategies` and `noddysim tips` list the names"


def parse_strategy(expression: str, search: Search = ()) -> Strategy:
    """The strategy that an expression means; its name is the expression in its plain form.

    Args:
        expression: ``NAME``, ``TIP@BASE``, ``NAME:lead@BASE``, ``NAME:follow@BASE``; a NAME may be the path of a
            strategy file (``.toml``), and a TIP may be limited in the same way (``save-fives:lead@BASE``). The last
            NAME may be ``DISCARD+NAME``, ``MOG+NAME`` or all three, in any order.
        search: the user's strategy files, whose names then serve like built-in ones, and folders in which relative
            paths are looked up before the current folder.

    Raises:
        InputError: an unknown name, a tip without a baseline, a faulty file, more than 8 levels, policies without a
            play or two of a kind.
    """
    return _Reader(tuple(Path(place) for place in search)).expression(expression)


def tip_of(expression: str, search: Search = ()) -> tuple[Tip, str] | None:
    """The tip at the head of ``TIP@BASE`` and the expression of the base in its plain form; None without a tip.

    Raises InputError as `parse_strategy` does.
    """
    reader = _Reader(tuple(Path(place) for place in search))
    reader.expression(expression)
    head, *below = parts_of(expression)
    name, when = limit_of(head)
    tip = tip_named(name)
    if tip is None:
        return None
    return _limited_tip(tip, when), reader.expression("@".join(below)).name


def read_strategy_file(path: str | Path, search: Search = ()) -> Strategy:
    """The strategy of a user's file. Raises InputError that names the file, the key and what is allowed."""
    return _Reader(tuple(Path(place) for place in search)).file(Path(path))


def _limited_tip(tip: Tip, when: Literal["lead", "follow"] | None) -> Tip:
    if when is None:
        return tip
    levels = restrict(tip.levels, when)
    if not levels:
        matter = f", it is about {_MATTER[tip.decision]}" if tip.decision in _MATTER else ""
        words = f"the tip says nothing about {_LIMIT_WORDS[when]}{matter}"
        raise InputError(f"{tip.name}:{when}: {words}; use {tip.name} without :{when}")
    rule = f"{tip.rule} Only for {_LIMIT_WORDS[when]}."
    seat: Literal["eldest", "every"] = "eldest" if when == "lead" else "every"
    title = f"{tip.title} ({_LIMIT_WORDS[when]} only)"
    return replace(tip, name=f"{tip.name}:{when}", title=title, rule=rule, decision=when, seat=seat, levels=levels)


_LIMIT_WORDS: Final = {"lead": "leads", "follow": "cards on a pile already begun"}
_MATTER: Final = {"discard": "the cards laid away", "mog": "the card passed on"}
_POLICY_NAMES: Final[dict[PolicyKind, str]] = {"discard": "a discard policy", "mog": "a mog policy"}


@dataclass(frozen=True)
class _Reader(Files):
    """Reads expressions."""

    def expression(self, text: str) -> Strategy:
        """The strategy of a whole expression."""
        parts = parts_of(text)
        result = self.foot(parts[-1])
        for part in reversed(parts[:-1]):
            result = self.on_top(part, result)
            for levels in (result.levels, result.discard.levels, result.mog.levels):
                refuse_tall(levels, result.name)
        return result

    def foot(self, joined: str) -> Strategy:
        """The whole strategy at the foot of a stack: a play, with the policies that are joined to it by a plus."""
        parts = split(joined, "+")
        roles = _roles(parts)
        # Unknown names and tips are refused as such before parts of one kind are counted.
        plays = [self.whole(part, len(parts) == 1) for part, role in zip(parts, roles, strict=True) if role == "play"]
        for role in roles:
            alike = [part for part, other in zip(parts, roles, strict=True) if other == role]
            if len(alike) > 1:
                what = "play strategies" if role == "play" else f"{role} policies"
                raise InputError(f"{joined}: {', '.join(alike)} are all {what}; one of each kind can be joined")
        if not plays:
            raise InputError(
                f"{joined}: a play strategy is missing, {_what_it_is(parts, roles)}; write for example {joined}+greedy"
            )
        policies = {kind: builtin_policies(kind)[parts[roles.index(kind)]] for kind in USUAL if kind in roles}
        return _joined(plays[0], policies) if policies else plays[0]

    def whole(self, part: str, alone: bool = True) -> Strategy:
        """The play at the foot of a stack; in an expression with a plus it is not ``alone``."""
        name, when = limit_of(part)
        if not alone and tip_named(name) is not None:
            raise InputError(
                f"{part} is a tip and cannot be joined by +; a tip stands before @, for example {part}@greedy"
            )
        if not alone and when is not None:
            raise InputError(
                f"{part} decides on {_LIMIT_WORDS[when]} only and cannot be joined by +; "
                f"write it before @, for example {part}@keep-best+greedy"
            )
        if tip_named(name) is not None:
            raise InputError(f"{part} is a tip; a tip needs a baseline, for example {part}@greedy-random")
        strategy = self.named(name)
        if when is not None:
            raise InputError(
                f"{part} decides on {_LIMIT_WORDS[when]} only and needs a baseline for the rest, "
                f"for example {part}@greedy"
            )
        return strategy

    def on_top(self, part: str, base: Strategy) -> Strategy:
        """A tip, or a strategy limited to leads or other cards, stacked on a base."""
        if len(split(part, "+")) > 1:
            raise InputError(f"{part}: parts joined by + are a whole strategy; they stand last, after every @")
        name, when = limit_of(part)
        tip = tip_named(name)
        if tip is not None:
            tip = _limited_tip(tip, when)
            stacked = _stacked(base, tip.name, tip.title, tip.rule, tip.source, tip.levels)
            return _with_away(stacked, tip) if tip.away else stacked
        kind = _policy_kind(name)
        if kind is not None and name not in builtin_strategies():
            raise InputError(f"{part} is {_POLICY_NAMES[kind]}, not a tip; join it by a plus: {name}+{base.name}")
        upper = self.named(name)
        if when is None:
            raise InputError(
                f"{part} is a whole strategy and leaves nothing to {base.name}; "
                f"write {part}:lead@… or {part}:follow@…, or put a tip there"
            )
        levels = restrict(upper.levels, when, upper.ties)
        title = f"{upper.title} ({_LIMIT_WORDS[when]} only)"
        summary = f"For {_LIMIT_WORDS[when]}: {upper.summary}"
        below = replace(base, book=_one_book(upper, base))
        return _stacked(below, f"{upper.name}:{when}", title, summary, upper.source, levels)

    def named(self, name: str) -> Strategy:
        """A strategy by its built-in name, the name in a user's file, a path, or a function of the user's."""
        if is_function(name):
            inside = file_of(name)
            return read_function(self.locate_functions(inside[0]), inside[1]) if inside else known_function(name)
        if name.lower().endswith(".py"):
            raise InputError(f"{name}: which of its functions? write {name}:NAME")
        if is_path(name):
            return self.file(self.locate(name))
        built_in = builtin_strategies()
        if name in built_in:
            return built_in[name]
        own = self.own()
        if name in own:
            return self.file(own[name])
        if ":" in name:
            raise InputError(f"unknown strategy: {name!r}; after a colon only :lead or :follow may stand")
        kind = _policy_kind(name)
        if kind is not None:
            raise InputError(f"{name} is {_POLICY_NAMES[kind]}; it says nothing about leads or other cards of the play")
        policies = [policy for kind in USUAL for policy in builtin_policies(kind)]
        near = did_you_mean(name, [*built_in, *own, *builtin_tips(), *lead_probes(), *policies])
        raise InputError(f"unknown strategy or tip: {name!r}{near}; {_WHERE_LISTED}")

    def file(self, path: Path) -> Strategy:
        """The strategy of a user's file, its base below its own levels."""
        toml = read_exact(path)
        if path.resolve() in self.opened:
            raise InputError(f"{toml.shown}: its base leads back to itself; a base must end in a built-in strategy")
        given = toml.data.get("family", PEGGING_FAMILY)
        if given != PEGGING_FAMILY:
            words = f'a strategy for a play of cards to a count says family = "{PEGGING_FAMILY}", or leaves it out'
            raise InputError(f"{toml.where(('family',))}: family: {format_value(given)} is not this game's; {words}")
        data = checked(StrategyFile, toml)
        if data.name in builtin_strategies() or tip_named(data.name) is not None or _policy_kind(data.name) is not None:
            raise InputError(f"{toml.where(('name',))}: name: {data.name!r} is a built-in name; choose another")
        levels = data.own_levels(toml)
        ties: Ties | None = data.ties
        base = None if data.base is None else self.below(toml, path, data.base)
        if base is not None:
            levels += base.levels
            ties = ties or base.ties
        refuse_tall(levels, toml.shown)
        source = data.source or f"the user's file {path.name}"
        discard, mog = (_own_policy(toml, data, kind, base) for kind in USUAL)
        title = data.title or data.name
        book = "" if base is None else base.book
        return Strategy(data.name, title, data.summary, source, levels, ties or "low", discard, mog, book)

    def below(self, toml: TomlFile, path: Path, base: str) -> Strategy:
        """The base named in a file; relative paths in it start from the file's folder."""
        inner = _Reader((path.parent, *self.search), (*self.opened, path.resolve()))
        try:
            return inner.expression(base)
        except InputError as error:
            raise InputError(f"{toml.where(('base',))}: base: {error}") from error


def _one_book(upper: Strategy, base: Strategy) -> str:
    """The book by which two strategies part cards, one on top of the other. Raises InputError for two books."""
    if not upper.plays_by_book:
        return base.book
    if base.plays_by_book and upper.book != base.book:
        raise InputError(f"{upper.name} and {base.name} play by a book each; one of the two must have none")
    return upper.book


def _policy_kind(name: str) -> PolicyKind | None:
    """The kind of a built-in policy's name; None for other names."""
    return next((kind for kind in USUAL if name in builtin_policies(kind)), None)


def _roles(parts: Sequence[str]) -> list[PolicyKind | Literal["play"]]:
    """What each of the parts joined by a plus is.

    A name that is both a policy and a play (random) is the play if no other part can be, and the last such name; any
    other is the policy.
    """
    both = [place for place, part in enumerate(parts) if _policy_kind(part) and part in builtin_strategies()]
    roles: list[PolicyKind | Literal["play"]] = [_policy_kind(part) or "play" for part in parts]
    if both and "play" not in roles:
        roles[both[-1]] = "play"
    return roles


def _what_it_is(parts: Sequence[str], roles: Sequence[PolicyKind | Literal["play"]]) -> str:
    said = [f"{part} is {_POLICY_NAMES[role]}" for part, role in zip(parts, roles, strict=True) if role != "play"]
    return " and ".join(said)


def _joined(play: Strategy, policies: Mapping[PolicyKind, Policy]) -> Strategy:
    """A play with the policies that an expression joins to it, in the order discard, mog, play."""
    parts: list[Policy | Strategy] = [*policies.values(), play]
    return replace(
        play,
        name="+".join(part.name for part in parts),
        title=" + ".join(part.title for part in parts),
        summary=" ".join(part.summary for part in parts if part.summary),
        source="; ".join(part.source for part in parts),
        discard=policies.get("discard", play.discard),
        mog=policies.get("mog", play.mog),
    )


def _own_policy(source: TomlFile, data: StrategyFile, kind: PolicyKind, base: Strategy | None) -> Policy:
    """What a user's file does before the play: its own levels on those of the policy it names, or of its base."""
    own = data.own_policy(source, kind)
    below = None if base is None else base.policy(kind)
    if own is None:
        return below or usual_policy(kind)
    if own.policy is not None:
        known = builtin_policies(kind)
        if own.policy not in known:
            words = f"no {kind} policy is named {own.policy!r}{did_you_mean(own.policy, known)}"
            raise InputError(f"{source.where((kind, 'policy'))}: {kind}.policy: {words}; they are {', '.join(known)}")
        below = known[own.policy]
        if not own.levels and own.ties is None:
            return below
    levels = away_levels(own.levels) + (below.levels if below else ())
    refuse_tall(levels, f"{source.shown}: {kind}")
    ties = own.ties or (below.ties if below else "low")
    return Policy(data.name, data.title or data.name, data.summary, data.source or source.shown, kind, levels, ties)


def _with_away(strategy: Strategy, tip: Tip) -> Strategy:
    """The strategy with a tip's levels on top of the policy that the tip is about."""
    kind: PolicyKind = "mog" if tip.decision == "mog" else "discard"
    below = strategy.policy(kind)
    above = Policy(
        name=f"{tip.name}@{below.name}",
        title=f"{tip.title}, on {below.title}",
        summary=f"{tip.rule} Otherwise: {below.summary}",
        source=f"{tip.source}; {below.source}",
        kind=kind,
        levels=tip.away + below.levels,
        ties=below.ties,
    )
    return strategy.with_policy(above)


def _stacked(base: Strategy, name: str, title: str, rule: str, source: str, levels: tuple[Level, ...]) -> Strategy:
    return replace(
        base,
        name=f"{name}@{base.name}",
        title=f"{title}, on {base.title}",
        summary=f"{rule} Otherwise: {base.summary}",
        source=f"{source}; {base.source}",
        levels=levels + base.levels,
    )
