"""noddysim: Monte Carlo strategy analysis of Noddy, the 16th-century ancestor of cribbage, and its family.

The names below are the whole public interface. They are looked up when first used, so importing
noddysim costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "InputError": ("noddysim.game.errors", "InputError"),
    "variant": ("noddysim.game.rules", "load_variant"),
    "variant_names": ("noddysim.game.rules", "variant_names"),
    "Variant": ("noddysim.game.rules", "Variant"),
    "rule_sheet": ("noddysim.game.rulesheet", "rule_sheet"),
    "strategy": ("noddysim.game.expressions", "parse_strategy"),
    "strategies": ("noddysim.game.strategies", "builtin_strategies"),
    "tips": ("noddysim.game.minds", "all_tips"),
    "claims": ("noddysim.game.claims", "load_claims"),
    "experiment": ("noddysim.game.experiment", "read_experiment"),
    "score": ("noddysim.engine.play", "score"),
    "peg": ("noddysim.engine.peg", "peg"),
    "replay": ("noddysim.engine.play", "replay"),
    "solve": ("noddysim.engine.exactplay", "solve"),
    "advise": ("noddysim.insight.advice", "advise"),
    "analyse": ("noddysim.insight.analysis", "analyse"),
    "duel": ("noddysim.insight.duels", "duel"),
    "compare": ("noddysim.insight.balance", "compare"),
    "ratings": ("noddysim.insight.ratings", "ratings"),
    "self_check": ("noddysim.insight.selfcheck_run", "self_check"),
    "run": ("noddysim.insight.study", "run_experiment"),
    "report": ("noddysim.insight.report", "build_report"),
    "Estimate": ("noddysim.insight.estimates", "Estimate"),
}
_MODULES = {"exact": "noddysim.engine.exact"}

__all__ = [*sorted(_WHERE), *sorted(_MODULES), "__version__"]

if TYPE_CHECKING:
    from noddysim.engine import exact as exact
    from noddysim.engine.exactplay import solve as solve
    from noddysim.engine.peg import peg as peg
    from noddysim.engine.play import replay as replay
    from noddysim.engine.play import score as score
    from noddysim.game.claims import load_claims as claims
    from noddysim.game.errors import InputError as InputError
    from noddysim.game.experiment import read_experiment as experiment
    from noddysim.game.expressions import parse_strategy as strategy
    from noddysim.game.minds import all_tips as tips
    from noddysim.game.rules import Variant as Variant
    from noddysim.game.rules import load_variant as variant
    from noddysim.game.rules import variant_names as variant_names
    from noddysim.game.rulesheet import rule_sheet as rule_sheet
    from noddysim.game.strategies import builtin_strategies as strategies
    from noddysim.insight.advice import advise as advise
    from noddysim.insight.analysis import analyse as analyse
    from noddysim.insight.balance import compare as compare
    from noddysim.insight.duels import duel as duel
    from noddysim.insight.estimates import Estimate as Estimate
    from noddysim.insight.ratings import ratings as ratings
    from noddysim.insight.report import build_report as report
    from noddysim.insight.selfcheck_run import self_check as self_check
    from noddysim.insight.study import run_experiment as run


def __getattr__(name: str) -> Any:
    """Import a public name the first time it is used."""
    if name in _WHERE:
        module, attribute = _WHERE[name]
        value = getattr(importlib.import_module(module), attribute)
    elif name in _MODULES:
        value = importlib.import_module(_MODULES[name])
    else:
        raise AttributeError(f"module 'noddysim' has no name {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE, *_MODULES})
