"""Strategies as records: identity, JSON and words."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any, Literal

import pytest
from strategies_setup import FIVES_BACK, SUM_OF_CARDS, policy_of, saved

from noddysim.game.expressions import parse_strategy, read_strategy_file
from noddysim.game.strategies import builtin_policies, builtin_strategies, builtin_tips, lead_probes
from noddysim.game.strategy_data import (
    AwayLevel,
    Level,
    Policy,
    Strategy,
    describe_policy,
    describe_strategy,
    describe_tip,
    identity,
    policy_json,
    strategy_json,
    tip_json,
)


def test_identity_is_what_decides_and_nothing_else(tmp_path: Path) -> None:
    same = saved(tmp_path, "name = 'x'\nsummary = 'other words'\n[weights]\npoints = 1.0\nrun = 0")
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
    copy = read_strategy_file(saved(tmp_path, "\n".join(lines)))
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
    assert data["mog"] == policy_json(policy_of("mog-never"))
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
        "Of the legal cards, the lowest rank. Lays away: " + describe_policy(policy_of("keep-best-crib"))
    )


def test_policies_in_words() -> None:
    assert describe_policy(policy_of("random")) == "Of all choices, any of them by chance."
    assert describe_policy(policy_of("mog-always")) == (
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
    assert SUM_OF_CARDS == policy_of("keep-best-crib").levels[0].weights


def test_every_tip_is_described() -> None:
    texts = [describe_tip(tip) for tip in builtin_tips().values()]
    assert len(set(texts)) == len(texts)
    assert all(text.endswith("then as the baseline does.") for text in texts)


def test_records_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        parse_strategy("greedy").ties = "high"  # type: ignore[misc]
