"""The built-in strategies, policies and tips by name, read from the files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files

from noddysim.game import features as f
from noddysim.game.cards import RANK_NAMES, RANKS
from noddysim.game.strategy_data import Level, Policy, PolicyKind, Strategy, Tip
from noddysim.game.strategy_file import PoliciesFile, StrategyEntry, TipEntry, checked, level_of, read_exact
from noddysim.game.tomlfile import TomlFile


@cache
def builtin_strategies() -> Mapping[str, Strategy]:
    """The built-in strategies by name, in the order of ``strategies.toml``."""
    source = _builtin_file("strategies.toml")
    return {name: _strategy(name, checked(StrategyEntry, source, name)) for name in source.data}


@cache
def builtin_policies(kind: PolicyKind) -> Mapping[str, Policy]:
    """The built-in discard or mog policies by name, in the order of ``policies.toml``."""
    return checked(PoliciesFile, _builtin_file("policies.toml")).policies(kind)


@cache
def builtin_tips() -> Mapping[str, Tip]:
    """The built-in tips by name, in the order of ``tips.toml``; each has its opposite among them.

    A tip whose name ends in ``-strict`` shares the opposite of the tip that it is a stricter reading of.
    """
    source = _builtin_file("tips.toml")
    return {name: checked(TipEntry, source, name).tip(name) for name in source.data}


@cache
def lead_probes() -> Mapping[str, Tip]:
    """``lead-rank-a`` … ``lead-rank-k``: to lead a card of that rank when one is held; nobody's advice."""
    return {probe.name: probe for probe in map(_lead_probe, range(13))}


def _builtin_file(name: str) -> TomlFile:
    with as_file(files("noddysim.game") / name) as path:
        return read_exact(path, shown=name)


def _strategy(name: str, entry: StrategyEntry) -> Strategy:
    levels = tuple(level_of(level) for level in entry.levels)
    return Strategy(name, entry.title, entry.summary, entry.source, levels, entry.ties)


def _lead_probe(rank: int) -> Tip:
    article = "an" if RANK_NAMES[rank][0] in "ae" else "a"
    worth = tuple(f.MICRO if place == rank else 0 for place in range(13))
    return Tip(
        name=f"lead-rank-{RANKS[rank].lower()}",
        title=f"Lead {article} {RANK_NAMES[rank]}",
        words=f"Open with {article} {RANK_NAMES[rank]}.",
        source="nobody's advice: made to compare leads rank by rank",
        rule=f"On an empty pile lay {article} {RANK_NAMES[rank]} if one is held.",
        decision="lead",
        seat="eldest",
        opposite=None,
        kind="probe",
        levels=(Level(when="lead", ranks=worth),),
    )


def tip_named(name: str) -> Tip | None:
    """The built-in tip or lead probe of that name; None if there is none."""
    return builtin_tips().get(name) or lead_probes().get(name)
