"""The built-in strategies, tips and policies: their meanings on positions, their opposites, and the lists of them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from strategies_setup import SUM_OF_CARDS, policy_of

from noddysim.cli import cli
from noddysim.game import features as f
from noddysim.game.cards import RANKS, parse_cards, rank_of
from noddysim.game.expressions import parse_strategy
from noddysim.game.laying import laid_strategies
from noddysim.game.strategies import builtin_policies, builtin_strategies, builtin_tips, lead_probes
from noddysim.game.strategy_data import NO_RANKS, AwayLevel, Level, Strategy, policy_json

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
    policy = policy_of(name)
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


# --- the lists that the command line prints


def _printed(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["strategies", *arguments], prog_name="noddysim")
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_policies_are_listed_after_the_plays() -> None:
    listed = {"play": builtin_strategies(), "discard": builtin_policies("discard"), "mog": builtin_policies("mog")}
    names = [(kind, name) for kind, known in listed.items() for name in known]
    whole = json.loads(_printed("--json"))
    found = whole[: len(names)]
    laid = [(kind, name) for kind, family in (("meld", "melding"), ("set", "sets")) for name in laid_strategies(family)]
    assert [(entry["kind"], entry["name"]) for entry in whole[len(names) :]] == laid
    assert [(entry["kind"], entry["name"]) for entry in found] == names
    keys = {"name", "title", "summary", "source", "description", "levels", "ties", "status", "kind"}
    for entry in found:
        assert entry.keys() == keys | ({"discard", "mog"} if entry["kind"] == "play" else set())
    told, _, others = _printed().partition("The melding game")
    assert all(f"\n{name}\n" in others for _, name in laid)
    heads = [line for line in told.splitlines() if line in {name for _, name in names}]
    assert heads == [name for _, name in names]


def test_one_policy_or_a_whole_strategy_is_shown() -> None:
    assert json.loads(_printed("keep-best", "--json")) == {**policy_json(policy_of("keep-best")), "status": "built-in"}
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
