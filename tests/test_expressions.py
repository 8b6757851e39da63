"""Strategies as expressions: policies joined to a play, tips and limits on top of it, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from strategies_setup import FIVES_BACK, SPARING, policy_of, saved

from noddysim.game.errors import InputError
from noddysim.game.expressions import parse_strategy, tip_of
from noddysim.game.strategies import builtin_policies, builtin_strategies, builtin_tips
from noddysim.game.strategy_data import AwayLevel, Level, Policy, Strategy
from noddysim.game.strategy_table import encode

# --- policies joined to a play


@pytest.mark.parametrize(
    ("written", "plain", "discard", "mog", "play"),
    [
        ("greedy", "greedy", "keep-best-crib", "mog-gain", "greedy"),
        ("keep-best+greedy", "keep-best+greedy", "keep-best", "mog-gain", "greedy"),
        (" greedy + keep-best ", "keep-best+greedy", "keep-best", "mog-gain", "greedy"),
        ("low+mog-never+keep-best", "keep-best+mog-never+low", "keep-best", "mog-never", "low"),
        ("keep-best-crib+mog-gain+low", "keep-best-crib+mog-gain+low", "keep-best-crib", "mog-gain", "low"),
        ("random", "random", "keep-best-crib", "mog-gain", "random"),
        ("random+greedy", "random+greedy", "random", "mog-gain", "greedy"),
        ("greedy+random", "random+greedy", "random", "mog-gain", "greedy"),
        ("random+random", "random+random", "random", "mog-gain", "random"),
        ("random+mog-gain", "mog-gain+random", "keep-best-crib", "mog-gain", "random"),
        ("random+mog-random+random", "random+mog-random+random", "random", "mog-random", "random"),
        ("keep-best+random", "keep-best+random", "keep-best", "mog-gain", "random"),
        ("lead-low@keep-best+low", "lead-low@keep-best+low", "keep-best", "mog-gain", "low"),
        ("high:lead@low+keep-best", "high:lead@keep-best+low", "keep-best", "mog-gain", "low"),
    ],
)
def test_policies_are_joined_to_a_play(written: str, plain: str, discard: str, mog: str, play: str) -> None:
    strategy = parse_strategy(written)
    assert strategy.name == plain
    assert strategy.discard == builtin_policies("discard")[discard]
    assert strategy.mog == builtin_policies("mog")[mog]
    own = builtin_strategies()[play]
    assert (strategy.levels[len(strategy.levels) - len(own.levels) :], strategy.ties) == (own.levels, own.ties)
    assert parse_strategy(strategy.name) == strategy


def test_texts_of_joined_parts_tell_of_each() -> None:
    strategy = parse_strategy("mog-never+keep-best+greedy")
    parts: list[Policy | Strategy] = [policy_of("keep-best"), policy_of("mog-never"), builtin_strategies()["greedy"]]
    assert strategy.title == " + ".join(part.title for part in parts)
    assert strategy.summary == " ".join(part.summary for part in parts)
    assert strategy.source == "; ".join(part.source for part in parts)


def test_a_tip_about_the_cards_laid_away_stands_on_that_policy() -> None:
    strategy = parse_strategy("hold-nob@no-five-to-theirs@keep-best+greedy")
    tips = builtin_tips()
    assert strategy.name == "hold-nob@no-five-to-theirs@keep-best+greedy"
    assert strategy.levels == builtin_strategies()["greedy"].levels
    levels = (*tips["hold-nob"].away, *tips["no-five-to-theirs"].away, *policy_of("keep-best").levels)
    assert (strategy.discard.levels, strategy.discard.ties) == (levels, "random")
    assert strategy.discard.name == "hold-nob@no-five-to-theirs@keep-best"
    assert strategy.mog == policy_of("mog-gain")
    mogging = parse_strategy("mog-keep-honours@lead-low@mog-always+low")
    assert mogging.mog.levels == (*tips["mog-keep-honours"].away, *policy_of("mog-always").levels)
    assert (mogging.mog.kind, mogging.mog.ties, mogging.discard) == ("mog", "low", policy_of("keep-best-crib"))
    assert tip_of("hold-nob@greedy+keep-best") == (tips["hold-nob"], "keep-best+greedy")


def test_a_strategy_used_for_some_cards_only_leaves_the_policies_of_the_base(tmp_path: Path) -> None:
    text = "name = 'mine'\nbase = 'high'\n[discard]\npolicy = 'keep-greedy'"
    strategy = parse_strategy(f"{saved(tmp_path, text)}:lead@keep-best+low")
    assert strategy.discard == policy_of("keep-best")


def test_a_policy_stack_too_tall_is_refused() -> None:
    assert len(parse_strategy("@".join(["hold-nob"] * 7 + ["greedy"])).discard.levels) == 8
    with pytest.raises(InputError, match="9 levels in one stack; at most 8"):
        parse_strategy("@".join(["hold-nob"] * 8 + ["greedy"]))
    with pytest.raises(InputError, match="tall: discard: 9 levels"):
        encode([replace(parse_strategy("low"), name="tall", discard=_tall("discard"))])
    with pytest.raises(InputError, match="tall: mog: 9 levels"):
        encode([replace(parse_strategy("low"), name="tall", mog=_tall("mog"))])


def _tall(kind: Literal["discard", "mog"]) -> Policy:
    return Policy("", "", "", "", kind, (AwayLevel(final="low"),) * 9, "low")


# --- expressions


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("greedy", "greedy"),
        (" lead-low @ greedy ", "lead-low@greedy"),
        ("save-fives@lead-low@low", "save-fives@lead-low@low"),
        ("high:lead@low:follow@greedy", "high:lead@low:follow@greedy"),
    ],
)
def test_the_name_is_the_plain_expression(written: str, plain: str) -> None:
    strategy = parse_strategy(written)
    assert strategy.name == plain
    assert parse_strategy(strategy.name) == strategy


def test_expressions_are_read_from_the_right() -> None:
    stacked = parse_strategy("save-fives@lead-low@greedy")
    assert stacked.levels == (
        *builtin_tips()["save-fives"].levels,
        *builtin_tips()["lead-low"].levels,
        *builtin_strategies()["greedy"].levels,
    )


def test_a_limited_strategy_decides_by_itself(tmp_path: Path) -> None:
    part = parse_strategy("greedy-random:lead@high").levels
    assert part == (Level(when="lead", weights=(("points", 10**6),), final="random"),)
    part = parse_strategy("greedy-leadhigh:lead@low").levels  # what stands below its final level is never read
    assert part == (Level(when="lead", final="high"),)
    part = parse_strategy("sparing:follow@high", [saved(tmp_path, SPARING)]).levels
    assert part == (Level(when="follow", ranks=FIVES_BACK, final="random", spares=True),)
    part = parse_strategy("greedy-leadhigh:follow@high").levels
    assert part == (Level(when="follow", weights=(("points", 10**6),), final="low"),)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("lead-low", "lead-low is a tip; a tip needs a baseline, for example lead-low@greedy-random"),
        ("save-fives:lead", "save-fives:lead is a tip"),
        ("greedy@lead-low", "lead-low is a tip"),
        ("greeedy", "'greeedy' (did you mean greedy?); `noddysim strategies` and `noddysim tips`"),
        ("led-low@greedy", "did you mean lead-low?"),
        ("zzz", "unknown strategy or tip: 'zzz'; `noddysim"),
        ("greedy@low", "greedy is a whole strategy"),
        ("greedy:lead", "for example greedy:lead@greedy"),
        ("greedy:leads@low", "'greedy:leads'; after a colon only :lead or :follow"),
        ("lead-low:follow@low", "lead-low:follow: the tip says nothing about"),
        ("hold-nob:lead@low", "hold-nob:lead: the tip says nothing about"),
        ("hold-nob:lead@low", "it is about the cards laid away; use hold-nob without :lead"),
        ("mog-offer:follow@low", "it is about the card passed on"),
        ("keep-best", "a play strategy is missing, keep-best is a discard policy; write for example keep-best+greedy"),
        ("mog-gain", "a play strategy is missing, mog-gain is a mog policy; write for example mog-gain+greedy"),
        ("keep-best+mog-gain", "keep-best is a discard policy and mog-gain is a mog policy; write for example keep-"),
        ("low+high", "low, high are all play strategies; one of each kind"),
        ("keep-best+keep-greedy+low", "keep-best, keep-greedy are all discard policies"),
        ("random+random+random", "random, random are all discard policies"),
        ("mog-gain+mog-never+low", "mog-gain, mog-never are all mog policies"),
        ("hold-nob+greedy", "hold-nob is a tip and cannot be joined by +; a tip stands before @"),
        ("greedy:lead+keep-best", "greedy:lead decides on leads only and cannot be joined by +"),
        ("keep-bst+greedy", "unknown strategy or tip: 'keep-bst' (did you mean keep-best?); `noddysim"),
        ("keep-best@greedy", "keep-best is a discard policy, not a tip; join it by a plus: keep-best+greedy"),
        ("mog-gain:lead@greedy", "mog-gain:lead is a mog policy, not a tip"),
        ("keep-best:lead", "keep-best is a discard policy; it says nothing about leads"),
        ("keep-best+lead-low@greedy", "keep-best+lead-low: parts joined by + are a whole strategy; they stand last"),
        ("keep-best+", "'keep-best+': a name is missing"),
        ("lead-low@+greedy", "a name is missing"),
        ("keep-best+some/folder", "some/folder: a strategy file ends in .toml"),
        ("", "a name is missing"),
        ("@greedy", "a name is missing"),
        ("lead-low@", "a name is missing"),
        ("@".join(["save-fives"] * 8 + ["greedy"]), "9 levels in one stack; at most 8"),
        ("missing.toml", "missing.toml: there is no such file"),
        ("lead-low@some/folder", "some/folder: a strategy file ends in .toml"),
        (r"C:\games\mine.toml:lead@greedy", r"mine.toml: there is no such file"),
        ("nul\0.toml", "nul"),
        ("two\nlines", "unknown strategy"),
    ],
)
def test_refused_expressions_have_one_clear_line(expression: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_strategy(expression)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_eight_levels_are_allowed() -> None:
    assert len(parse_strategy("@".join(["save-fives"] * 7 + ["greedy"])).levels) == 8


def test_tip_of() -> None:
    found = tip_of(" save-fives @ lead-low@greedy")
    assert found == (builtin_tips()["save-fives"], "lead-low@greedy")
    assert tip_of("greedy") is None
    assert tip_of("greedy:lead@low") is None
    probe = tip_of("lead-rank-a@low")
    assert probe is not None
    assert probe[0].kind == "probe"
    limited = tip_of("save-fives:lead@low")
    assert limited is not None
    assert (limited[0].name, limited[0].decision, limited[0].seat) == ("save-fives:lead", "lead", "eldest")
    assert [level.when for level in limited[0].levels] == ["lead"]
    with pytest.raises(InputError, match="a tip needs a baseline"):
        tip_of("lead-low")
