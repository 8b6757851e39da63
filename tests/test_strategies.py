"""Strategies and tips as data: exact weights, meanings of the built-in ones, expressions, user files, arrays."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from noddysim.cli import cli
from noddysim.game import features as f
from noddysim.game.cards import RANKS, parse_cards, rank_of
from noddysim.game.errors import InputError
from noddysim.game.strategies import (
    AwayLevel,
    Level,
    Policy,
    Strategy,
    builtin_policies,
    builtin_strategies,
    builtin_tips,
    describe_policy,
    describe_strategy,
    describe_tip,
    encode,
    identity,
    lead_probes,
    parse_strategy,
    policy_json,
    read_strategy_file,
    strategy_files,
    strategy_json,
    tip_json,
    tip_of,
)
from noddysim.game.strategy_data import NO_RANKS, decimal_text
from noddysim.game.strategy_file import micro

ROOT = Path(__file__).resolve().parents[1]

# --- a chooser in plain words, for positions laid out by hand


def _pips(card: int) -> int:
    return min(rank_of(card) + 1, 10)


def _features(card: int, hand: list[int], pile: list[int]) -> dict[str, int]:
    """The features that need no unseen cards; runs and replies are left to the tests of the kernels."""
    count = sum(map(_pips, pile)) + _pips(card)
    trailing = 1
    for laid in reversed(pile):
        if rank_of(laid) != rank_of(card):
            break
        trailing += 1
    parts = {
        "fifteen": 2 * (count == 15),
        "thirtyone": 2 * (count == 31),
        "pair": [0, 2, 6, 12][trailing - 1],
    }
    reserve = [c for c in hand if rank_of(c) == 4 or rank_of(c) >= 9]
    return {
        **parts,
        "points": sum(parts.values()),
        "rank": rank_of(card) + 1,
        "pips": _pips(card),
        "paired": int(sum(rank_of(c) == rank_of(card) for c in hand) > 1),
        "last_reserve": int(reserve == [card]),
    }


def _value(level: Level, card: int, hand: list[int], pile: list[int]) -> int:
    known = _features(card, hand, pile)
    count = sum(map(_pips, pile)) + _pips(card)
    worth = sum(weight * known[name] for name, weight in level.weights)
    return worth + level.ranks[rank_of(card)] + dict(level.counts).get(count, 0)


def _choose(strategy: Strategy, hand_text: str, pile_text: str = "") -> str:
    """Ranks of the cards that the strategy may lay, low to high: one, unless ties go by chance."""
    hand, pile = sorted(parse_cards(hand_text)), parse_cards(pile_text)
    left = [card for card in hand if sum(map(_pips, [*pile, card])) <= 31]
    ties = strategy.ties
    for level in strategy.levels:
        if level.when not in ("any", "follow" if pile else "lead"):
            continue
        values = {card: _value(level, card, hand, pile) for card in left}
        best = max(values.values())
        spared = [card for card in left if level.spares and _features(card, hand, pile)["points"]]
        left = [card for card in left if values[card] == best or card in spared]
        if level.final is not None:
            ties = level.final
            break
    ranks = [rank_of(card) for card in left]
    chosen = {"low": [min(ranks)], "high": [max(ranks)], "random": ranks}[ties]
    return "".join(RANKS[rank] for rank in chosen)


# --- meanings of the built-in strategies


def test_every_strategy_of_the_fixed_list_is_there() -> None:
    fixed = (
        "random low high greedy greedy-high greedy-random greedy-leadhigh save-five greedy-save-five "
        "greedy-save-five-ten greedy-safe lookahead"
    )
    assert set(fixed.split()) <= set(builtin_strategies())


@pytest.mark.parametrize(
    ("expression", "hand", "pile", "laid"),
    [
        ("random", "7C 7D KS", "", "77K"),
        ("random", "7C KS 2S", "KD QD", "27K"),
        ("random", "7C KS 2S", "KD QD 6S", "2"),  # 26 on the table: only the two fits
        ("low", "QC 4D JS", "", "4"),
        ("high", "QC 4D JS", "", "Q"),  # by rank: the queen is above the jack though both count ten
        ("high", "TC JD 4S", "", "J"),
        ("high", "KC 4D 2S", "KD QD 5S", "4"),  # the king does not fit
        ("greedy", "QC 4D JS", "", "4"),
        ("greedy", "QC 4D JS", "JD", "J"),
        ("greedy", "5C TD JS", "KD 5S", "5"),  # a pair; a ten-card would make only 25
        ("greedy", "5C 9D 4S", "TD", "5"),
        ("greedy", "QC KD 2S", "5D", "Q"),  # fifteen with either; the lower
        ("greedy-high", "QC KD 2S", "5D", "K"),
        ("greedy-high", "QC KD 2S", "", "K"),
        ("greedy-random", "QC KD 2S", "5D", "QK"),
        ("greedy-random", "QC KD 2S", "", "2QK"),
        ("greedy-leadhigh", "QC KD 2S", "", "K"),
        ("greedy-leadhigh", "QC KD 2S", "5D", "Q"),
        ("greedy-leadhigh", "QC KD 2S", "7D", "2"),
        ("save-five", "5C 5D KS", "", "K"),
        ("save-five", "5C 5D KS", "TD TS 3C", "5"),  # the king does not fit
        ("save-five", "5C 7D 9S", "TD", "7"),  # fifteen is left lying
        ("greedy-save-five", "5C 7D 9S", "TD", "5"),
        ("greedy-save-five", "5C 7D 9S", "", "7"),
        ("greedy-save-five", "5C TD KS", "", "T"),
        ("greedy-save-five-ten", "5C TD 9S", "", "9"),
        ("greedy-save-five-ten", "KC TD 5S", "", "5"),  # all kept alike: the lowest
        ("greedy-save-five-ten", "KC TD 8S", "2C", "8"),
        # tips
        ("lead-low@greedy-random", "QC KD 2S", "", "2"),
        ("lead-low@greedy-random", "QC 2D 2S", "", "22"),
        ("lead-low@greedy-random", "QC KD 2S", "5D", "QK"),
        ("lead-high@greedy", "QC KD 2S", "", "K"),
        ("lead-ace-three@greedy-random", "AC 3D KS", "", "A3"),
        ("lead-ace-three@greedy-high", "4C 9D KS", "", "K"),
        ("lead-not-ace-three@greedy", "AC 3D KS", "", "K"),
        ("lead-not-ace-three@greedy", "AC 3D 2S", "", "A"),
        ("save-fives@greedy", "5C KD 2S", "TD", "5"),  # a five that makes points is not held back
        ("save-fives@high", "5C 4D 2S", "9D", "4"),
        ("save-fives@high", "5C 4D 2S", "TD", "5"),  # the baseline chooses among all three
        ("save-fives@low", "5C 4D 2S", "TD", "2"),
        ("save-fives-strict@greedy", "5C KD 2S", "TD", "2"),  # even a fifteen is passed by
        ("take-points@save-fives-strict@greedy", "5C KD 2S", "TD", "5"),
        ("take-points@save-fives@high", "5C 4D 2S", "9D", "4"),
        ("refuse-points@greedy", "5C KD 2S", "TD", "2"),
        ("spend-fives@greedy", "5C 6D 2S", "9D", "6"),
        ("spend-fives@low", "5C 6D 2S", "9D", "5"),
        ("spend-fives@high", "5C 6D 7S", "JD", "5"),
        ("save-tens@high", "TC JD 9S", "", "9"),
        ("save-tens@high", "TC JD QS", "", "Q"),
        ("save-tens@greedy", "TC JD 2S", "5D", "T"),
        ("save-tens@greedy", "TC JD 2S", "JS", "J"),  # a pair
        ("spend-tens@low", "2C JD QS", "", "J"),
        ("spend-tens@low", "2C JD 3S", "KD 3C", "2"),
        ("save-fives-tens@high", "5C JD 4S", "", "4"),
        ("save-fives-tens@greedy", "5C JD 4S", "KD", "5"),
        ("spend-fives-tens@low", "5C JD 4S", "", "5"),
        ("spend-fives-tens@low", "5C JD 4S", "AD TS", "4"),
        ("keep-reserve@high", "5C 8D 4S", "", "8"),
        ("keep-reserve@high", "5C KD 4S", "", "K"),  # the five stays in reserve
        ("keep-reserve@high", "5C 3D 4S", "TD", "5"),
        ("keep-reserve@greedy", "5C", "TD", "5"),  # nothing else to lay
        ("drop-reserve@low", "5C 8D 4S", "", "5"),
        ("drop-reserve@low", "5C 2D 4S", "4D KD", "5"),
        ("drop-reserve@low", "5C 2D 4S", "3D KD", "2"),
        ("drop-reserve@low", "5C KD 4S", "", "4"),  # two in reserve: the tip finds no card to act on
        ("lead-from-pair@low", "2C 9D 9S", "", "9"),
        ("lead-from-pair@low", "2C 9D 9S", "5C", "2"),
        ("lead-not-from-pair@high", "2C 9D 9S", "", "2"),
        ("lead-not-from-pair@high", "9C 9D 9S", "", "9"),
        ("hold-nob@high", "JC 9D 2S", "", "J"),
        ("lead-rank-7@low", "7C 9D 2S", "", "7"),
        ("lead-rank-k@low", "7C 9D 2S", "", "2"),
        # parts of strategies
        ("high:lead@greedy", "QC KD 2S", "", "K"),
        ("high:lead@greedy", "QC KD 2S", "5D", "Q"),
        ("random:follow@low", "QC KD 2S", "5D", "2QK"),
        ("random:follow@low", "QC KD 2S", "", "2"),
        ("greedy-high:follow@random", "QC KD 2S", "5D", "K"),
        ("save-fives:lead@low", "5C 9D KS", "", "9"),
        ("save-fives:lead@low", "5C 9D KS", "3D", "5"),
        ("save-fives@high:lead@low", "5C 9D KS", "2C", "9"),
    ],
)
def test_meaning_on_a_position(expression: str, hand: str, pile: str, laid: str) -> None:
    assert _choose(parse_strategy(expression), hand, pile) == laid


def test_levels_that_need_unseen_cards_are_as_named() -> None:
    safe = builtin_strategies()["greedy-safe"]
    assert [level.weights for level in safe.levels] == [(("points", 10**6),), (("offers_run", -(10**6)),)]
    assert safe.levels[1].counts == ((5, -(10**6)), (10, -(10**6)), (21, -(10**6)))
    assert {level.when for level in safe.levels} == {"any"}  # leads too
    assert safe.ties == "low"
    ahead = builtin_strategies()["lookahead"]
    assert ahead.levels == (Level(weights=(("points", 10**6), ("reply", -(10**6)))),)
    assert ahead.ties == "low"
    assert builtin_strategies()["lookahead-random"].levels == ahead.levels
    assert builtin_strategies()["lookahead-random"].ties == "random"


# --- tips


def test_each_tip_has_its_opposite_and_its_contrary_levels() -> None:
    for tip in builtin_tips().values():
        assert tip.opposite is not None
        other = builtin_tips()[tip.opposite]
        assert other.opposite == tip.name.removesuffix("-strict") != other.name
        assert (other.decision, other.seat, other.kind) == (tip.decision, tip.seat, "tip")
        for mine, theirs in zip(tip.levels, other.levels, strict=True):
            assert mine.when == theirs.when
            assert mine.spares == (theirs.spares and not tip.name.endswith("-strict"))
            assert [(name, -weight) for name, weight in mine.weights] == list(theirs.weights)
            assert tuple(-weight for weight in mine.ranks) == theirs.ranks


SUM_OF_CARDS = (("hand", 10**6), ("crib", 10**6))


def test_tips_about_the_cards_laid_away_have_contrary_levels_too() -> None:
    """The sum that a reading by degree weighs against is the same on both sides; only the advice is turned round."""
    for tip in builtin_tips().values():
        other = builtin_tips()[str(tip.opposite)]
        for mine, theirs in zip(tip.away, other.away, strict=True):
            assert mine.when == theirs.when
            (names, advice), (other_names, contrary) = _advice(mine), _advice(theirs)
            assert names == other_names
            signs = [(weight > 0) - (weight < 0) for weight in advice]
            assert any(signs) and [-sign for sign in signs] == [(weight > 0) - (weight < 0) for weight in contrary]
            if not tip.name.endswith("-strict"):
                assert [-weight for weight in advice] == contrary
                assert mine.weights[:2] == theirs.weights[:2] or SUM_OF_CARDS[0] not in mine.weights


def _advice(level: AwayLevel) -> tuple[list[str], list[int]]:
    """What a level weighs beside the sum of hand and crib, and how much."""
    weights = [pair for pair in level.weights if pair not in SUM_OF_CARDS]
    return [name for name, _ in weights], [*(weight for _, weight in weights), *level.ranks]


def test_advice_on_laying_away_is_by_degree_and_by_the_letter() -> None:
    jacks = tuple(500_000 if rank == 10 else 0 for rank in range(13))
    assert builtin_tips()["hold-nob"].away == (AwayLevel(weights=SUM_OF_CARDS, ranks=jacks),)
    assert builtin_tips()["hold-nob-strict"].away == (AwayLevel(ranks=tuple(2 * worth for worth in jacks)),)
    assert builtin_tips()["keep-runs"].away == (
        AwayLevel(weights=(("hand", 10**6), ("crib", 10**6), ("runs", 500_000))),
    )
    fives = tuple(10**6 if rank == 4 else 0 for rank in range(13))
    assert builtin_tips()["no-five-to-theirs"].away == (AwayLevel(when="theirs", ranks=fives),)
    feed = AwayLevel(when="own", weights=(("away_pairs", 10**6),), ranks=tuple(-worth for worth in fives))
    assert builtin_tips()["feed-own-crib"].away == (feed,)
    assert builtin_tips()["mog-offer"].away == (AwayLevel(weights=(("stay", -(10**6)),)),)
    assert builtin_tips()["mog-decline"].away == (AwayLevel(weights=(("stay", 10**6),)),)
    honours = tuple(10**6 if rank in (1, 10) else 0 for rank in range(13))
    assert builtin_tips()["mog-keep-honours"].away == (AwayLevel(ranks=honours),)


def test_advice_to_hold_back_never_holds_back_a_card_that_makes_points() -> None:
    sparing = {tip.name for tip in builtin_tips().values() if any(level.spares for level in tip.levels)}
    assert sparing == {
        "save-fives", "spend-fives", "save-tens", "spend-tens", "save-fives-tens", "spend-fives-tens", "keep-reserve",
        "drop-reserve", "avoid-pairable", "invite-pairs", "avoid-offering-runs", "offer-runs",
    }  # fmt: skip


@pytest.mark.parametrize("name", [name for name in builtin_tips() if f"{name}-strict" in builtin_tips()])
def test_a_strict_tip_is_the_letter_of_the_same_advice(name: str) -> None:
    sense, letter = builtin_tips()[name], builtin_tips()[f"{name}-strict"]
    assert [replace(level, spares=False) for level in sense.levels] == list(letter.levels)
    for by_degree, strict in zip(sense.away, letter.away, strict=True):
        names, advice = _advice(by_degree)
        assert (names, [2 * weight for weight in advice]) == _advice(strict)
        assert strict.weights[:2] != SUM_OF_CARDS == by_degree.weights[:2]
    assert letter.source.startswith(f"the letter of {sense.source}")
    assert letter.rule != sense.rule


def test_decision_agrees_with_the_levels() -> None:
    for tip in [*builtin_tips().values(), *lead_probes().values()]:
        whens = {level.when for level in tip.levels}
        expected = {"lead": {"lead"}, "follow": {"follow"}, "play": {"any"}, "discard": set(), "mog": set()}
        assert whens == expected[tip.decision]
        assert bool(tip.away) == (tip.decision in ("discard", "mog"))
        assert (tip.seat == "eldest") == (tip.decision == "lead")
        # a tip leaves its ties to the baseline
        assert {level.final for level in tip.levels} | {level.final for level in tip.away} == {None}
        allowed = {"discard": f.DISCARD_FEATURES, "mog": f.MOG_FEATURES}.get(tip.decision, ())
        assert {name for level in tip.away for name, _ in level.weights} <= set(allowed)
        assert tip.words
        assert tip.rule.endswith(".")
        assert tip.source


def test_probes_are_thirteen_and_no_tips() -> None:
    assert [name[-1].upper() for name in lead_probes()] == list(RANKS)
    assert {probe.kind for probe in lead_probes().values()} == {"probe"}
    assert not set(lead_probes()) & set(builtin_tips())
    assert lead_probes()["lead-rank-8"].rule == "On an empty pile lay an eight if one is held."


def test_names_of_tips_and_strategies_do_not_meet() -> None:
    assert not set(builtin_strategies()) & {*builtin_tips(), *lead_probes()}
    policies = {*builtin_policies("discard"), *builtin_policies("mog")}
    assert not policies & {*builtin_tips(), *lead_probes()}
    assert policies & set(builtin_strategies()) == {"random"}
    assert not set(builtin_policies("discard")) & set(builtin_policies("mog"))


# --- policies


def _policy(name: str) -> Policy:
    return {**builtin_policies("discard"), **builtin_policies("mog")}[name]


@pytest.mark.parametrize(
    ("name", "levels", "ties"),
    [
        ("random", [], "random"),
        ("keep-best", [{"hand": 1}], "random"),
        ("keep-best-crib", [{"hand": 1, "crib": 1}], "random"),
        ("keep-greedy", [{"fifteens": 1, "pairs": 1, "runs": 1, "flush": 1}], "random"),
        ("mog-never", [{"stay": 1}], "low"),
        ("mog-always", [{"stay": -1}, {"hand": 1, "peg": 1}], "low"),
        ("mog-gain", [{"hand": 1, "peg": 1}], "low"),
        ("mog-gain-guarded", [{"hand": 1, "peg": 1, "gift": -1}], "low"),
        ("mog-random", [], "random"),
    ],
)
def test_built_in_policies(name: str, levels: list[dict[str, int]], ties: str) -> None:
    policy = _policy(name)
    assert policy.kind == ("mog" if name.startswith("mog-") else "discard")
    assert [{feature: weight // 10**6 for feature, weight in level.weights} for level in policy.levels] == levels
    assert {level.when for level in policy.levels} <= {"any"}
    assert all(level.ranks == NO_RANKS and level.final is None for level in policy.levels)
    assert policy.ties == ties
    assert policy.title and policy.summary.endswith(".") and policy.source


def test_order_of_the_features_of_policies_is_fixed() -> None:
    assert " ".join(f.AWAY_FEATURES) == ("hand crib fifteens pairs runs flush away_fifteens away_pairs peg gift stay")
    assert set(f.DISCARD_FEATURES) | set(f.MOG_FEATURES) == set(f.AWAY_FEATURES)
    assert set(f.DISCARD_FEATURES) & set(f.MOG_FEATURES) == {"hand"}


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
    parts: list[Policy | Strategy] = [_policy("keep-best"), _policy("mog-never"), builtin_strategies()["greedy"]]
    assert strategy.title == " + ".join(part.title for part in parts)
    assert strategy.summary == " ".join(part.summary for part in parts)
    assert strategy.source == "; ".join(part.source for part in parts)


def test_a_tip_about_the_cards_laid_away_stands_on_that_policy() -> None:
    strategy = parse_strategy("hold-nob@no-five-to-theirs@keep-best+greedy")
    tips = builtin_tips()
    assert strategy.name == "hold-nob@no-five-to-theirs@keep-best+greedy"
    assert strategy.levels == builtin_strategies()["greedy"].levels
    levels = (*tips["hold-nob"].away, *tips["no-five-to-theirs"].away, *_policy("keep-best").levels)
    assert (strategy.discard.levels, strategy.discard.ties) == (levels, "random")
    assert strategy.discard.name == "hold-nob@no-five-to-theirs@keep-best"
    assert strategy.mog == _policy("mog-gain")
    mogging = parse_strategy("mog-keep-honours@lead-low@mog-always+low")
    assert mogging.mog.levels == (*tips["mog-keep-honours"].away, *_policy("mog-always").levels)
    assert (mogging.mog.kind, mogging.mog.ties, mogging.discard) == ("mog", "low", _policy("keep-best-crib"))
    assert tip_of("hold-nob@greedy+keep-best") == (tips["hold-nob"], "keep-best+greedy")


def test_a_strategy_used_for_some_cards_only_leaves_the_policies_of_the_base(tmp_path: Path) -> None:
    text = "name = 'mine'\nbase = 'high'\n[discard]\npolicy = 'keep-greedy'"
    strategy = parse_strategy(f"{_write(tmp_path, text)}:lead@keep-best+low")
    assert strategy.discard == _policy("keep-best")


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


FIVES_BACK = tuple(-(10**6) if rank == 4 else 0 for rank in range(13))
SPARING = "name = 'sparing'\nties = 'random'\nspares = true\nranks = { 5 = -1 }"


def test_a_limited_strategy_decides_by_itself(tmp_path: Path) -> None:
    part = parse_strategy("greedy-random:lead@high").levels
    assert part == (Level(when="lead", weights=(("points", 10**6),), final="random"),)
    part = parse_strategy("greedy-leadhigh:lead@low").levels  # what stands below its final level is never read
    assert part == (Level(when="lead", final="high"),)
    part = parse_strategy("sparing:follow@high", [_write(tmp_path, SPARING)]).levels
    assert part == (Level(when="follow", ranks=FIVES_BACK, final="random", spares=True),)
    part = parse_strategy("greedy-leadhigh:follow@high").levels
    assert part == (Level(when="follow", weights=(("points", 10**6),), final="low"),)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("lead-low", "lead-low is a tip; a tip needs a baseline, for example lead-low@greedy-random"),
        ("save-fives:lead", "save-fives:lead is a tip"),
        ("greedy@lead-low", "lead-low is a tip"),
        ("greeedy", "'greeedy'; did you mean greedy?; `noddysim strategies` and `noddysim tips`"),
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
        ("keep-bst+greedy", "unknown strategy or tip: 'keep-bst'; did you mean keep-best?"),
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


# --- weights


@pytest.mark.parametrize(
    ("written", "millionths"),
    [
        ("1", 10**6),
        ("0.1", 100_000),
        ("-0.3", -300_000),
        ("0.000001", 1),
        ("1e-6", 1),
        ("1e3", 10**9),
        ("-1000", -(10**9)),
        ("999.999999", 999_999_999),
        ("0.1000000000000000000000000000000000000", 100_000),
        ("'-0.25'", -250_000),
        ("'.5'", 500_000),
        ("0.0", 0),
        ("0e-9999", 0),
    ],
)
def test_weights_are_read_exactly(tmp_path: Path, written: str, millionths: int) -> None:
    strategy = read_strategy_file(_write(tmp_path, f"name = 'mine'\nweights = {{ points = {written} }}"))
    expected = (("points", millionths),) if millionths else ()
    assert strategy.levels == (Level(weights=expected),)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("0.0000001", "1E-7 has more than 6 decimal places"),
        ("1e-7", "has more than 6 decimal places"),
        ("1e-9999", "has more than 6 decimal places"),
        ("0.33333333333333333333333333333333333333", "has more than 6 decimal places"),
        ("1000.000001", "a weight lies between -1000 and 1000"),
        ("1000.0000000000000000000000000000000000001", "a weight lies between -1000 and 1000"),
        ("-1001", "a weight lies between -1000 and 1000"),
        ("1e999999", "a weight lies between -1000 and 1000"),
        ("9" * 4000, "a weight lies between -1000 and 1000"),
        ("1e99999999999999999999", "is not a weight"),
        ("inf", "is not a weight"),
        ("nan", "is not a weight"),
        ("true", "true is not a weight"),
        ("'1/3'", "is not a weight"),
        ("'1_0'", "is not a weight"),
        ("'nan'", "is not a weight"),
        ("' 1'", "is not a weight"),
        ("'١'", "is not a weight"),
        ("[1]", "is not a weight"),
        ("{ of = 1 }", "is not a weight"),
        ("2020-01-01", "is not a weight"),
    ],
)
def test_weights_refused(tmp_path: Path, written: str, words: str) -> None:
    _refused(tmp_path, f"name = 'mine'\n[weights]\npoints = {written}", ":3:1: weights.points: ", words)


@given(st.integers(-(10**9), 10**9))
def test_decimal_text_is_the_inverse_of_reading(millionths: int) -> None:
    text = decimal_text(millionths)
    assert micro(text) == micro(Decimal(text)) == millionths
    assert Decimal(text) * 10**6 == millionths


# --- a user's file


def _write(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _refused(folder: Path, text: str, *words: str) -> None:
    path = _write(folder, text)
    with pytest.raises(InputError) as caught:
        read_strategy_file(path)
    message = str(caught.value)
    assert "mine.toml" in message
    assert "\n" not in message
    for word in words:
        assert word in message


FULL = """
name = "prudent"
summary = '''Saves fives on leads,
  then looks ahead.'''
base = "greedy-random"
ties = "high"

[[levels]]
when = "lead"
ranks = { 5 = -1, "10" = -0.5, k = "-0.25" }
final = "low"

[[levels]]
weights = { reply_pair = -1, points = 1.5 }
spares = true
counts = { 21 = -2, 5 = 0, 4 = 1 }
"""


def test_levels_of_a_file_stand_on_its_base(tmp_path: Path) -> None:
    strategy = read_strategy_file(_write(tmp_path, FULL))
    assert strategy.name == "prudent"
    assert strategy.title == "prudent"
    assert strategy.summary == "Saves fives on leads, then looks ahead."
    assert strategy.source == "the user's file mine.toml"
    assert strategy.ties == "high"
    first, second, base = strategy.levels
    assert (first.when, first.final) == ("lead", "low")
    assert {RANKS[rank]: worth for rank, worth in enumerate(first.ranks) if worth} == {
        "5": -(10**6),
        "T": -500_000,
        "K": -250_000,
    }
    assert second.weights == (("points", 1_500_000), ("reply_pair", -(10**6)))  # in the order of the features
    assert second.counts == ((4, 10**6), (21, -2 * 10**6))
    assert (first.spares, second.spares, base.spares) == (False, True, False)
    assert base == builtin_strategies()["greedy"].levels[0]


def test_one_level_at_the_top_and_ties_of_the_base(tmp_path: Path) -> None:
    text = "name='m'\nbase='lead-low@greedy-random'\n[weights]\npips=1\n[ranks]\nA=1\n[counts]\n15=2\n"
    strategy = read_strategy_file(_write(tmp_path, text))
    assert strategy.ties == "random"
    assert strategy.levels[0] == Level(weights=(("pips", 10**6),), ranks=(10**6, *(0,) * 12), counts=((15, 2 * 10**6),))
    assert strategy.levels[1:] == parse_strategy("lead-low@greedy-random").levels
    sparing = read_strategy_file(_write(tmp_path, SPARING))
    assert sparing.levels == (Level(ranks=FIVES_BACK, spares=True),)
    assert read_strategy_file(_write(tmp_path, SPARING.replace("true", "false"))).levels == (Level(ranks=FIVES_BACK),)


def test_ties_alone_are_a_strategy_and_low_is_their_default(tmp_path: Path) -> None:
    assert read_strategy_file(_write(tmp_path, "name='m'\nties='high'")).levels == ()
    assert read_strategy_file(_write(tmp_path, "name='m'\nweights={points=1}")).ties == "low"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("weights = { points = 1 }", ["name: this key is missing"]),
        ("name = 'm'\nsummry = ''", [":2:1: summry: unknown key; did you mean summary?; allowed are weights,"]),
        (
            "name = 'm'\n[weights]\npoint = 1",
            [":3:1: weights.point: no such feature; did you mean points?", "offers_run"],
        ),
        ("name = 'm'\n[ranks]\n11 = 1", [":3:1: ranks.11: no such rank: '11'"]),
        ("name = 'm'\n[ranks]\nT = 1\n10 = 1", ["ranks: rank '10' is given twice"]),
        ("name = 'm'\n[counts]\n0 = 1", ["counts.0: no such count", "from 1 to 63"]),
        ("name = 'm'\n[counts]\n64 = 1", ["counts.64: no such count"]),
        ("name = 'm'\n[counts]\n'05' = 1", ["counts.05: no such count"]),
        (
            "name = 'm'\nties = 'lowest'",
            [":2:1: ties: \"lowest\" is not allowed; allowed are 'low', 'high' or 'random'"],
        ),
        ("name = 'm'\n[[levels]]\nwhen = 'leads'", ['levels[1].when: "leads" is not allowed']),
        ("name = 'm'\n[[levels]]\nfinal='low'\n[[levels]]\nwen = 1", [":5:1: levels[2].wen: unknown key", "when"]),
        ("name = 'm'\n[[levels]]\nweights = {run = 0.1234567}", ["levels[1].weights.run: ", "6 decimal places"]),
        ("name = 'm'\n[[levels]]\nwhen = 'lead'", [":2:", "levels[1]: says nothing; give weights"]),
        ("name = 'm'\nlevels = 1", ["levels: 1 is not a list of tables"]),
        ("name = 'm'\nlevels = [1]", ["levels[1]: 1 is not a table"]),
        ("name = 'm'\nweights = 1", ["weights: 1 is not a table"]),
        ("name = 'm'\nlevels = [{final='low'}]\n[weights]\nrun = 1", [":3:", "[weights] and [[levels]] cannot stand"]),
        ("name = 'm'\nranks={5=1}\nspares = 1", [":3:1: spares: 1 is not true or false"]),
        ("name = 'm'\n[[levels]]\nranks={5=1}\nspares = 'yes'", ['levels[1].spares: "yes" is not true or false']),
        ("name = 'm'\nspares = true\nties = 'low'", [":2:1: spares: there is nothing here that could"]),
        ("name = 'm'\nspares = true\n[[levels]]\nranks={5=1}", [":2:1: spares and [[levels]] cannot stand together"]),
        ("name = 'm'\n[[levels]]\nfinal='low'\nspares=true", [":4:1: levels[1].spares: there is nothing here"]),
        ("name = 'm'", ["says nothing; give [weights]"]),
        ("name = 'm'\nbase = 'low'", ["says nothing"]),
        ("name = 'm'\nlevels = []", ["says nothing"]),
        ("name = 1\nties = 'low'", ["name: 1 is not a text in quotes"]),
        ("name = 'greedy'\nties = 'low'", [":1:1: name: 'greedy' is a built-in name"]),
        ("name = 'lead-low'\nties = 'low'", ["is a built-in name"]),
        ("name = 'lead-rank-a'\nties = 'low'", ["is a built-in name"]),
        ("name = 'a@b'\nties = 'low'", ["cannot be a name"]),
        ("name = ''\nties = 'low'", ["cannot be a name"]),
        ("name = 'a b'\nties = 'low'", ["cannot be a name"]),
        ("name = 'x.toml'\nties = 'low'", ["cannot be a name"]),
        ('name = "a\\u0007"\nties = "low"', ["cannot be a name"]),
        (f"name = 'm'\nties = 'low'\nsummary = '{'x' * 501}'", ["summary: the text is longer than 500 characters"]),
        (
            "name = 'm'\nties = 'low'\nbase = 'gredy'",
            [":3:1: base: unknown strategy or tip: 'gredy'; did you mean greedy?"],
        ),
        ("name = 'm'\nties = 'low'\nbase = 'lead-low'", ["base: lead-low is a tip"]),
        ("name = 'm'\nties = 'low'\nbase = 'mine.toml'", ["base leads back to itself"]),
        ("name = 'm'\nlevels = [{final='low'}, 2, {final='low'}]", ["levels[2]: 2 is not a table"]),
        ("name = 'm'\n" + "[[levels]]\nweights={run=1}\n" * 9, ["9 levels in one stack; at most 8"]),
        ("name = 'm'\nbase='greedy'\n" + "[[levels]]\nweights={run=1}\n" * 8, ["9 levels in one stack"]),
        ("name = 'm'\nname = 'n'", ["not valid TOML"]),
        ("name = ?", [":1:8: not valid TOML"]),
        ("name = 'keep-best'\nties = 'low'", ["name: 'keep-best' is a built-in name"]),
        ("name = 'mog-gain'\nties = 'low'", ["is a built-in name"]),
        ("name = 'm'\n[discard]\npolicy = 'keep-best'", ["says nothing of the play; give base"]),
        ("name = 'm'\nbase = 'low'\n[discard]", [":3:1: discard: says nothing; give levels, ties or policy"]),
        (
            "name = 'm'\nbase = 'low'\n[mog]\nlevels = [{}]",
            ["mog.levels[1]: says nothing; give weights, ranks or final"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[discard]\npolicy = 'keep-bst'",
            [":4:1: discard.policy: no discard policy is named 'keep-bst'; did you mean keep-best?; they are random,"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[mog]\npolicy = 'keep-best'",
            ["mog.policy: no mog policy is named 'keep-best'", "they are mog-never, mog-always"],
        ),
        ("name = 'm'\nbase = 'low'\n[discard]\npolicy = 1", ["discard.policy: 1 is not a text in quotes"]),
        ("name = 'm'\nbase = 'low'\ndiscard = 'keep-best'", ['discard: "keep-best" is not a table']),
        ("name = 'm'\nbase = 'low'\n[discard]\nties = 'first'", ['discard.ties: "first" is not allowed']),
        (
            "name = 'm'\nbase = 'low'\n[discard]\nlevel = []",
            ["discard.level: unknown key; did you mean levels?; allowed are policy, levels, ties"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[[discard.levels]]\nweight = { hand = 1 }",
            ["unknown key; did you mean weights?; allowed are when, weights, ranks, final"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[[discard.levels]]\nweights = { stay = 1 }",
            [":4:", "weights.stay: no such feature of cards laid away", "features are hand, crib, fifteens"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[[mog.levels]]\nweights = { crib = 1 }",
            ["weights.crib: no such feature of mogging", "features are hand, peg, gift, stay"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[[discard.levels]]\nwhen = 'offer'\nweights = { hand = 1 }",
            ["discard.levels[1].when: \"offer\" is not allowed; allowed are 'any', 'own' or 'theirs'"],
        ),
        (
            "name = 'm'\nbase = 'low'\n[[mog.levels]]\nwhen = 'own'\nweights = { hand = 1 }",
            ["allowed are 'any', 'offer' or 'answer'"],
        ),
        ("name = 'm'\nbase = 'low'\n[[mog.levels]]\nranks = { T = 1, '10' = 2 }", ["rank '10' is given twice"]),
        ("name = 'm'\nbase = 'low'\n[[mog.levels]]\nranks = { T = 1001 }", ["a weight lies between -1000 and 1000"]),
        (
            "name = 'm'\nbase = 'low'\n[discard]\n" + "[[discard.levels]]\nfinal = 'low'\n" * 8,
            ["discard: 9 levels in one stack; at most 8"],
        ),
    ],
)
def test_refused_files_name_place_key_and_what_is_allowed(tmp_path: Path, text: str, words: list[str]) -> None:
    _refused(tmp_path, text, *words)


def test_a_file_says_what_is_done_before_the_play(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        "name = 'mine'\nbase = 'keep-best+greedy'\n"
        "[[discard.levels]]\nwhen = 'theirs'\nweights = { runs = 0.5, hand = 1 }\nranks = { 5 = -0.25 }\n"
        "[mog]\nlevels = [{ weights = { stay = -1 }, final = 'random' }]\npolicy = 'mog-never'\nties = 'high'\n",
    )
    strategy = read_strategy_file(path)
    ranks = tuple(-250_000 if rank == 4 else 0 for rank in range(13))
    own = AwayLevel(when="theirs", weights=(("hand", 10**6), ("runs", 500_000)), ranks=ranks)
    assert strategy.levels == builtin_strategies()["greedy"].levels
    assert strategy.discard.levels == (own, *_policy("keep-best").levels)  # on those of the base, as in the play
    assert (strategy.discard.name, strategy.discard.kind, strategy.discard.ties) == ("mine", "discard", "random")
    passing = AwayLevel(weights=(("stay", -(10**6)),), final="random")
    assert strategy.mog.levels == (passing, *_policy("mog-never").levels)  # on those of the policy named
    assert strategy.mog.ties == "high"
    assert parse_strategy("keep-greedy+mine", [path]).discard == _policy("keep-greedy")
    assert parse_strategy("keep-greedy+mine", [path]).mog == strategy.mog


def test_a_file_may_name_a_policy_or_say_it_all_itself(tmp_path: Path) -> None:
    named = read_strategy_file(_write(tmp_path, "name = 'mine'\nties = 'low'\ndiscard = { policy = 'random' }"))
    assert (named.discard, named.mog) == (_policy("random"), _policy("mog-gain"))
    alone = read_strategy_file(_write(tmp_path, "name = 'mine'\nties = 'low'\ndiscard = { levels = [{ranks={5=1}}] }"))
    assert alone.discard.levels == (AwayLevel(ranks=tuple(10**6 if rank == 4 else 0 for rank in range(13))),)
    assert alone.discard.ties == "low"
    tied = read_strategy_file(_write(tmp_path, "name = 'mine'\nbase = 'low'\nmog = { ties = 'high' }"))
    assert (tied.mog.levels, tied.mog.ties) == (_policy("mog-gain").levels, "high")


def test_paths_may_be_joined_to_policies(tmp_path: Path) -> None:
    folder = tmp_path / "a+b@c"
    folder.mkdir()
    path = _write(folder, "name = 'mine'\nties = 'high'")
    for written in (f"keep-best+{path}", f"{path} + keep-best"):
        strategy = parse_strategy(written)
        assert (strategy.name, strategy.ties, strategy.discard.name) == ("keep-best+mine", "high", "keep-best")
        assert strategy_files([written]) == (path,)
        assert parse_strategy(f"lead-low@{written}").name == "lead-low@keep-best+mine"
    assert parse_strategy(f"{path}:lead@keep-best+{path}").name == "mine:lead@keep-best+mine"


def test_bad_bytes_and_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"name = '\xff'")
    (tmp_path / "folder.toml").mkdir()
    for name in ("bytes.toml", "folder.toml", "none.toml"):
        with pytest.raises(InputError, match=name):
            read_strategy_file(tmp_path / name)


def test_paths_stand_wherever_names_do(tmp_path: Path) -> None:
    folder = tmp_path / "me@home"
    folder.mkdir()
    path = _write(folder, "name = 'mine'\nweights = { fifteen = 1 }\nties = 'high'")
    fifteen = Level(weights=(("fifteen", 10**6),))
    assert parse_strategy(str(path)).levels == (fifteen,)
    assert parse_strategy(str(path)).name == "mine"
    stacked = parse_strategy(f"save-fives@{path}")
    assert stacked.name == "save-fives@mine"
    assert stacked.levels == (*builtin_tips()["save-fives"].levels, fifteen)
    part = parse_strategy(f"{path}:follow@lead-low@greedy")
    assert part.name == "mine:follow@lead-low@greedy"
    assert part.levels[0] == Level(when="follow", weights=fifteen.weights, final="high")
    found = tip_of(f"lead-low@{path}")
    assert found is not None
    assert found[1] == "mine"
    with pytest.raises(InputError, match="mine is a whole strategy"):
        parse_strategy("mine@greedy", search=[path])


def test_a_relative_path_is_looked_up_in_the_search_folders_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        _write(folder, f"name = '{folder.name}'\nties = 'low'")
    monkeypatch.chdir(here)
    assert parse_strategy("mine.toml").name == "here"
    assert parse_strategy("mine.toml", search=[there]).name == "there"
    assert parse_strategy("mine.toml", search=[tmp_path]).name == "here"


def test_names_of_searched_files_serve_like_built_in_ones(tmp_path: Path) -> None:
    one = _write(tmp_path, "name = 'one'\nties = 'high'", "1.toml")
    two = _write(tmp_path, "name = 'two'\nbase = 'save-fives@one'\nweights = { run = 1 }", "2.toml")
    strategy = parse_strategy("lead-low@two", search=[two, one, one])
    assert strategy.name == "lead-low@two"
    assert strategy.ties == "high"
    assert parse_strategy(strategy.name, search=[one, two]) == strategy
    with pytest.raises(InputError, match="did you mean two"):
        parse_strategy("twoo", search=[one, two])
    again = _write(tmp_path, "name = 'one'\nties = 'low'", "3.toml")
    with pytest.raises(InputError, match=r"3\.toml:1:1: name: 'one' is the name in .*1\.toml too"):
        parse_strategy("one", search=[one, again])


def test_bases_that_lead_back_are_refused(tmp_path: Path) -> None:
    one = _write(tmp_path, "name = 'one'\nbase = 'two'\nties = 'low'", "1.toml")
    two = _write(tmp_path, "name = 'two'\nbase = '1.toml'\nties = 'low'", "2.toml")
    for expression in ("one", "two", str(one), f"save-fives@{two}"):
        with pytest.raises(InputError, match="leads back to itself"):
            parse_strategy(expression, search=[one, two])


def test_a_base_path_starts_from_the_files_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    _write(inner, "name = 'low-one'\nties = 'random'", "base.toml")
    path = _write(inner, "name = 'top'\nbase = 'base.toml'\nweights = { run = 1 }")
    monkeypatch.chdir(tmp_path)
    assert read_strategy_file(path).ties == "random"


# --- identity, JSON, words


def test_identity_is_what_decides_and_nothing_else(tmp_path: Path) -> None:
    same = _write(tmp_path, "name = 'x'\nsummary = 'other words'\n[weights]\npoints = 1.0\nrun = 0")
    assert identity(read_strategy_file(same)) == identity(parse_strategy("greedy"))
    for one, other in [
        ("greedy:lead@greedy", "greedy"),
        ("greedy:follow@greedy:lead@random", "greedy"),
        ("hold-nob@low", "low"),
        ("lead-low@lead-low@low", "lead-low@low"),
        ("greedy-leadhigh", "high:lead@greedy"),
        ("low:lead@greedy-random", "low:lead@greedy-random:follow@high"),
    ]:
        assert identity(parse_strategy(one)) == identity(parse_strategy(other))


def test_identity_names_spares_only_where_it_holds() -> None:
    plain, sparing = (identity(parse_strategy(f"{tip}@low")) for tip in ("save-fives-strict", "save-fives"))
    for phase in ("lead", "follow"):
        assert plain[phase]["levels"] == [{"weights": {}, "ranks": list(FIVES_BACK), "counts": []}]
        assert sparing[phase]["levels"] == [{**plain[phase]["levels"][0], "spares": True}]
    idle = Strategy("x", "", "", "", (Level(spares=True),), "low")  # nothing is held back, so nothing is spared
    assert identity(idle) == identity(parse_strategy("low"))


BOTH: frozenset[Literal["discard", "mog"]] = frozenset({"discard", "mog"})


def test_identities_of_different_strategies_differ() -> None:
    names = [*builtin_strategies(), *(f"{name}@greedy-random" for name in [*builtin_tips(), *lead_probes()])]
    names += [f"{name}+greedy" for kind in BOTH for name in builtin_policies(kind)]
    alike = ("take-points@greedy-random", "keep-best-crib+greedy", "mog-gain+greedy")
    names = [name for name in names if name not in alike]
    texts = {json.dumps(identity(parse_strategy(name), BOTH), sort_keys=True) for name in names}
    assert len(texts) == len(names)


def test_identity_tells_of_decisions_that_exist() -> None:
    plain, other = parse_strategy("greedy"), parse_strategy("keep-best+mog-never+greedy")
    assert set(identity(plain)) == {"lead", "follow"}
    assert identity(plain) == identity(other)
    assert set(identity(plain, {"mog"})) == {"lead", "follow", "mog"}
    assert identity(plain, {"discard"}) != identity(other, {"discard"})
    assert identity(plain, BOTH) == identity(parse_strategy("mog-gain+keep-best-crib+greedy"), BOTH)
    assert identity(plain, BOTH)["mog"]["answer"] == {
        "levels": [{"weights": {"hand": 10**6, "peg": 10**6}, "ranks": [0] * 13}],
        "ties": "low",
    }


def test_identity_of_mogging_knows_that_one_is_asked_first_or_second() -> None:
    def told(*whens: Literal["any", "offer", "answer"]) -> dict[str, Any]:
        levels = tuple(AwayLevel(when=when, weights=(("stay", 10**6),)) for when in whens)
        policy = Policy("", "", "", "", "mog", levels, "low")
        return dict(identity(parse_strategy("low").with_policy(policy), {"mog"})["mog"])

    assert set(told("any")) == {"offer", "answer"}
    assert told("any") == told("offer", "answer") == told("answer", "any", "offer")
    assert told("offer") != told("answer")


def test_identity_of_a_policy_is_what_decides_and_nothing_else() -> None:
    hand, fives = AwayLevel(weights=(("hand", 10**6),)), AwayLevel(when="own", ranks=FIVES_BACK)
    final = AwayLevel(when="theirs", final="high")

    def told(*levels: AwayLevel) -> dict[str, Any]:
        policy = Policy("", "", "", "", "discard", levels, "random")
        found = identity(parse_strategy("low").with_policy(policy), {"discard"})["discard"]
        assert set(found) == {"any", "own", "theirs"}
        return dict(found)

    assert told(hand, AwayLevel(), hand) == told(hand)
    assert told(final, hand)["theirs"] == {"levels": [], "ties": "high"}
    assert told(final, hand)["own"] == told(hand)["own"] == told(final, hand)["any"]
    assert [len(told(hand, fives)[when]["levels"]) for when in ("any", "own", "theirs")] == [1, 2, 1]


def test_json_forms_can_be_written_and_read_back(tmp_path: Path) -> None:
    strategy = parse_strategy("save-fives@greedy-leadhigh:lead@greedy-safe")
    data = json.loads(json.dumps(strategy_json(strategy)))
    assert data["name"] == strategy.name
    assert data["levels"][0]["ranks"] == {"5": "-1"}
    lines = [f"name = 'copy'\nties = '{data['ties']}'"]
    for level in data["levels"]:
        lines += ["[[levels]]", f"when = '{level['when']}'"]
        lines += [f"final = '{level['final']}'"] if level["final"] else []
        lines += ["spares = true"] if level["spares"] else []
        for key in ("weights", "ranks", "counts"):
            lines.append(f"{key} = {{ {', '.join(f'{name} = {worth}' for name, worth in level[key].items())} }}")
    copy = read_strategy_file(_write(tmp_path, "\n".join(lines)))
    assert copy.levels == strategy.levels
    assert [level.spares for level in copy.levels] == [True, *[False] * (len(copy.levels) - 1)]
    tip = json.loads(json.dumps(tip_json(builtin_tips()["hold-nob"])))
    assert (tip["decision"], tip["levels"], tip["kind"]) == ("discard", [], "tip")
    sums = {"when": "any", "weights": {"hand": "1", "crib": "1"}, "ranks": {"J": "0.5"}, "final": None}
    assert tip["away"] == [sums]


def test_policies_in_json() -> None:
    data = json.loads(json.dumps(strategy_json(parse_strategy("no-five-to-theirs@mog-never+low"))))
    assert (data["kind"], data["discard"]["kind"], data["mog"]["kind"]) == ("play", "discard", "mog")
    assert data["discard"]["levels"] == [
        {"when": "theirs", "weights": {}, "ranks": {"5": "1"}, "final": None},
        {"when": "any", "weights": {"hand": "1", "crib": "1"}, "ranks": {}, "final": None},
    ]
    assert data["mog"] == policy_json(_policy("mog-never"))
    assert data["mog"].keys() == data.keys() - {"discard", "mog"}


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("low", "Of the legal cards, the lowest rank."),
        ("random", "Of the legal cards, any of them by chance."),
        ("save-five", "First: keep back 5; ties: the lowest rank."),
        (
            "save-fives@low",
            "First: keep back 5, but a card that makes points is never held back; ties: the lowest rank.",
        ),
        (
            "greedy-leadhigh",
            "First: on an empty pile lay the highest rank; then: the most points made by the card; "
            "ties: the lowest rank.",
        ),
        (
            "lookahead",
            "First: the greatest sum: points made by the card less average points the next card would make; "
            "ties: the lowest rank.",
        ),
        (
            "greedy-random:follow@high",
            "First: on a pile already begun the most points made by the card, of equal cards any of them by chance; "
            "ties: the highest rank.",
        ),
        ("keep-best-crib+mog-gain+low", "Of the legal cards, the lowest rank."),  # as without them
        (
            "no-five-to-theirs@keep-best+mog-never+low",
            "Of the legal cards, the lowest rank. Lays away: First: where the crib is the other side's, keep as many "
            "of 5 as can be; then: the most average points of the hand in the show; ties: any of them by chance. "
            "Mogging: First: keep all cards; ties: keep all, else pass the lowest.",
        ),
    ],
)
def test_descriptions_are_made_from_the_data(expression: str, words: str) -> None:
    assert describe_strategy(parse_strategy(expression)) == words


def test_a_sum_of_costs_and_factors_in_words() -> None:
    level = Level(weights=(("pips", -500_000),), ranks=(-(10**6), *(0,) * 12), counts=((21, -(10**6)),))
    words = describe_strategy(Strategy("x", "", "", "", (level,), "low"))
    assert words.startswith("First: the smallest sum: 0.5 × pips plus a card of rank A plus a count of 21; ties")


def test_descriptions_tell_of_the_decisions_asked_for() -> None:
    strategy = parse_strategy("keep-best+low")
    assert describe_strategy(strategy, frozenset()) == "Of the legal cards, the lowest rank."
    assert describe_strategy(parse_strategy("low"), {"discard"}) == (
        "Of the legal cards, the lowest rank. Lays away: " + describe_policy(_policy("keep-best-crib"))
    )


def test_policies_in_words() -> None:
    assert describe_policy(_policy("random")) == "Of all choices, any of them by chance."
    assert describe_policy(_policy("mog-always")) == (
        "First: pass a card; then: the greatest sum: average points of the hand in the show plus points pegged at "
        "once; ties: keep all, else pass the lowest."
    )
    levels = (AwayLevel(when="offer", final="high"), AwayLevel(ranks=FIVES_BACK, final="random"))
    assert describe_policy(Policy("", "", "", "", "mog", levels, "low")) == (
        "First: when asked first, pass the highest; then: part with as many of 5 as can be, of equal choices any "
        "of them by chance; ties: keep all, else pass the lowest."
    )


@pytest.mark.parametrize("name", [name for name, tip in builtin_tips().items() if tip.decision == "discard"])
def test_a_rule_by_degree_names_the_sum_that_it_weighs_against(name: str) -> None:
    tip = builtin_tips()[name]
    by_degree = any(level.weights[:2] == SUM_OF_CARDS for level in tip.away)
    assert by_degree == ("the sum that keep-best-crib weighs" in tip.rule)
    assert SUM_OF_CARDS == _policy("keep-best-crib").levels[0].weights


def test_every_tip_is_described() -> None:
    texts = [describe_tip(tip) for tip in builtin_tips().values()]
    assert len(set(texts)) == len(texts)
    assert all(text.endswith("then as the baseline does.") for text in texts)


def test_records_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        parse_strategy("greedy").ties = "high"  # type: ignore[misc]


# --- the lists that the command line prints


def _printed(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["strategies", *arguments], prog_name="noddysim")
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_policies_are_listed_after_the_plays() -> None:
    listed = {"play": builtin_strategies(), "discard": builtin_policies("discard"), "mog": builtin_policies("mog")}
    names = [(kind, name) for kind, known in listed.items() for name in known]
    found = json.loads(_printed("--json"))
    assert [(entry["kind"], entry["name"]) for entry in found] == names
    keys = {"name", "title", "summary", "source", "description", "levels", "ties", "status", "kind"}
    for entry in found:
        assert entry.keys() == keys | ({"discard", "mog"} if entry["kind"] == "play" else set())
    heads = [line for line in _printed().splitlines() if line in {name for _, name in names}]
    assert heads == [name for _, name in names]


def test_one_policy_or_a_whole_strategy_is_shown() -> None:
    assert json.loads(_printed("keep-best", "--json")) == {**policy_json(_policy("keep-best")), "status": "built-in"}
    shown = _printed("mog-never")
    assert shown.startswith("mog-never: Never mogs\n")
    assert "First: keep all cards; ties: keep all, else pass the lowest." in shown
    assert "mog-never+STRATEGY, for example mog-never+greedy" in shown
    assert json.loads(_printed("hold-nob@keep-best+low", "--json"))["discard"]["name"] == "hold-nob@keep-best"
    assert "Mogging: mog-never. First: keep all cards" in _printed("keep-best+mog-never+low")


def test_the_name_that_is_two_things_is_shown_as_both() -> None:
    shown = _printed("random")
    assert "Rule:    Of the legal cards, any of them by chance." in shown
    assert "Also:    the discard policy random, written random+greedy." in shown
    assert json.loads(_printed("random", "--json"))["kind"] == "play"
    assert "Also:" not in _printed("low") + _printed("random+low")


# --- arrays


def test_shapes_and_codes() -> None:
    table = encode([parse_strategy(name) for name in ("greedy-leadhigh", "lead-low@greedy-random", "low")])
    assert {field: getattr(table, field).shape for field in table._fields} == {
        "weights": (3, 8, 17),
        "ranks": (3, 8, 13),
        "counts": (3, 8, 64),
        "when": (3, 8),
        "final": (3, 8),
        "levels": (3,),
        "ties": (3,),
        "needs": (3, 8),
        "spares": (3, 8),
        "discard": (3,),
        "mog": (3,),
        "away_weights": (2, 8, 11),
        "away_ranks": (2, 8, 13),
        "away_when": (2, 8),
        "away_final": (2, 8),
        "away_levels": (2,),
        "away_ties": (2,),
    }
    assert {str(array.dtype) for array in table} == {"int64"}
    assert table.levels.tolist() == [2, 2, 0]
    assert table.ties.tolist() == [0, 2, 0]
    assert table.when[:, :2].tolist() == [[1, 0], [1, 0], [0, 0]]
    assert table.final[:, :2].tolist() == [[1, -1], [-1, -1], [-1, -1]]
    assert table.weights[0, 1].tolist() == [10**6] + [0] * 16
    assert table.weights.sum() == 2 * 10**6  # the weight of the rank has gone into the table of ranks
    assert table.ranks[1, 0].tolist() == [-(10**6) * rank for rank in range(1, 14)]


def test_rank_and_pips_are_folded_into_ranks(tmp_path: Path) -> None:
    text = "name='m'\nweights={rank=0.5, pips=-2, points=1}\nranks={J=3}\ncounts={31=7}"
    table = encode([read_strategy_file(_write(tmp_path, text))])
    expected = [500_000 * (rank + 1) - 2_000_000 * min(rank + 1, 10) for rank in range(13)]
    expected[10] += 3_000_000
    assert table.ranks[0, 0].tolist() == expected
    assert table.weights[0, 0].nonzero()[0].tolist() == [0]
    assert table.counts[0, 0].nonzero()[0].tolist() == [31]
    assert table.needs[0, 0] == f.NEED_POINTS | f.NEED_RANKS | f.NEED_COUNTS


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("greedy", [1]),
        ("lookahead", [1 | 4]),
        ("greedy-safe", [1, 8 | 128]),
        ("take-runs@low", [1 | 2]),
        ("avoid-pairable@low", [1 | 4, 0]),
        ("avoid-pairable-strict@low", [4]),
        ("lead-from-pair@low", [16]),
        ("keep-reserve@low", [1 | 32]),
        ("save-fives@low", [1 | 64]),
        ("save-fives-strict@low", [64]),
        ("lead-low@low", [64]),
        ("high:lead@low", [0]),
    ],
)
def test_needs(expression: str, expected: list[int]) -> None:
    assert encode([parse_strategy(expression)]).needs[0, : len(expected)].tolist() == expected


def test_a_level_that_spares_needs_points_and_weighs_none() -> None:
    table = encode([parse_strategy(name) for name in ("lead-low@save-fives@greedy", "save-fives-strict@greedy")])
    assert table.spares[:, :4].tolist() == [[0, 1, 0, 0], [0, 0, 0, 0]]
    assert not table.weights[0, 1].any()


def test_policies_that_decide_alike_are_one() -> None:
    names = ("greedy", "keep-best+low", "keep-best+mog-never+greedy", "lead-low@keep-best-crib+high", "hold-nob@low")
    table = encode([parse_strategy(name) for name in names])
    assert table.discard.tolist() == [0, 2, 2, 0, 4]
    assert table.mog.tolist() == [1, 1, 3, 1, 1]
    assert table.away_levels.tolist() == [1, 1, 1, 1, 2]
    assert table.away_ties.tolist() == [2, 0, 2, 0, 2]
    # Without any level both could decide alike, but they are asked for in different games.
    table = encode([parse_strategy("random+mog-random+low")])
    assert (table.discard.tolist(), table.mog.tolist(), table.away_levels.tolist()) == ([0], [1], [0, 0])


def test_levels_of_policies_land_in_their_rows() -> None:
    levels = (
        AwayLevel(when="own", weights=(("crib", 3), ("away_pairs", 5)), ranks=FIVES_BACK),
        AwayLevel(when="theirs", final="high"),
    )
    mogging = (AwayLevel(when="answer", weights=(("gift", 7), ("stay", 9)), final="random"), AwayLevel(when="offer"))
    strategy = parse_strategy("low").with_policy(Policy("", "", "", "", "discard", levels, "high"))
    strategy = strategy.with_policy(Policy("", "", "", "", "mog", mogging, "low"))
    table = encode([strategy])
    assert table.away_weights[0, 0].tolist() == [0, 3, 0, 0, 0, 0, 0, 5, 0, 0, 0]
    assert table.away_weights[1, 0].tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 9]
    assert table.away_ranks[0, 0].tolist() == list(FIVES_BACK)
    assert table.away_when[:, :2].tolist() == [[1, 2], [2, 1]]
    assert table.away_final[:, :3].tolist() == [[-1, 1, -1], [2, -1, -1]]
    assert (table.away_levels.tolist(), table.away_ties.tolist()) == ([2, 2], [1, 0])


def test_order_of_the_features_is_fixed() -> None:
    assert " ".join(f.FEATURES) == (
        "points fifteen twentyfive thirtyone pair run reply reply_fifteen reply_twentyfive reply_thirtyone "
        "reply_pair reply_run offers_run rank pips paired last_reserve"
    )


def test_no_strategy_at_all_is_an_empty_table() -> None:
    assert encode([]).weights.shape == (0, 8, 17)
    assert encode([]).away_weights.shape == (0, 8, 11)


def test_a_stack_too_tall_is_refused_by_the_arrays_too() -> None:
    tall = Strategy("tall", "", "", "", (Level(final="low"),) * 9, "low")
    with pytest.raises(InputError, match="tall: 9 levels"):
        encode([tall])


@given(st.lists(st.sampled_from(["points", "fifteen", "pair", "reply", "offers_run", "paired"]), unique=True))
def test_weights_land_in_their_columns(names: list[str]) -> None:
    level = Level(weights=tuple((name, f.FEATURES.index(name) + 1) for name in names))
    table = encode([Strategy("x", "", "", "", (level,), "low")])
    assert {f.FEATURES[c]: int(w) for c, w in enumerate(table.weights[0, 0]) if w} == dict(level.weights)


def test_kernels_can_import_the_features_without_any_library() -> None:
    code = "import sys, noddysim.game.features; print(*({'numpy', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""
