"""Choices tried until the best is settled: what stops, what goes on, and whether the intervals stay right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from command_line import answer, call

import noddysim as ns
from noddysim.insight.settling import FIRST_LOOK, Settling


class Dice:
    """A source whose truth is known: options that win with given chances, on words that they share."""

    divisor = share = 1
    race = True
    believed = True

    def __init__(self, chances: Sequence[float], seed: int) -> None:
        self.chances, self.random = np.array(chances), np.random.default_rng(seed)

    def more(self, places: Sequence[int], amount: int) -> tuple[np.ndarray, np.ndarray]:
        words = self.random.random((amount, 1)) * 0.7 + self.random.random((amount, len(self.chances))) * 0.3
        wins = (words < self.chances)[:, list(places)].astype(np.int64)
        return wins * 2, wins


def chance_of(mark: float) -> float:
    """The chance that 0.7 u + 0.3 v is below a mark, for u and v between 0 and 1."""
    steps = (np.arange(20_000) + 0.5) / 20_000
    return float(np.clip((mark - 0.7 * steps) / 0.3, 0, 1).mean())


def test_a_clear_choice_is_settled_at_the_first_look_and_an_equal_one_is_not_waited_for() -> None:
    clear = Settling(Dice([0.2, 0.8], 1), 2, True, True)
    found = clear.play(8_000)
    assert clear.deals == FIRST_LOOK and [one.apart for one in found] == [True, False]
    close = Settling(Dice([0.2, 0.5, 0.51], 1), 3, True, True)
    found = close.play(4_000)
    assert close.deals == 4_000
    assert found[0].chance is not None and found[0].chance.n == FIRST_LOOK
    assert not found[1].apart or not found[2].apart


def test_with_a_number_given_one_looks_once() -> None:
    once = Settling(Dice([0.2, 0.8], 1), 2, True, False)
    found = once.play(1_234)
    assert once.deals == 1_234 and all(one.chance is not None and one.chance.n == 1_234 for one in found)


def test_intervals_hold_the_truth_although_one_stops_by_what_one_sees() -> None:
    marks = [0.45, 0.5, 0.53]
    truth = [chance_of(mark) for mark in marks]
    runs, missed, wrong = 300, 0, 0
    for seed in range(runs):
        found = Settling(Dice(marks, seed), 3, True, True).play(4_000)
        for one, chance in zip(found, truth, strict=True):
            assert one.chance is not None and one.chance.low is not None and one.chance.high is not None
            missed += not one.chance.low <= chance <= one.chance.high
        wrong += found[2].apart
    # Each interval misses in at most 5 of 100; three standard errors of 900 looks that are not independent.
    assert missed / (3 * runs) < 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5
    assert wrong / runs < 0.05


@pytest.mark.long
def test_ordinary_intervals_at_the_same_looks_would_mislead(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check above can fail: without sequences, equal choices are told apart far too often."""
    from noddysim.insight import sequences, stats

    def plain(n: int, total: int, squares: int, divisor: int = 1, unit: str = "", **_: object) -> object:
        return stats.mean_from_sums(n, total, squares, divisor, unit)

    runs = 300
    shares = []
    for instead in (sequences.sequence_from_sums, plain):
        monkeypatch.setattr(sequences, "sequence_from_sums", instead)
        told = sum(any(one.apart for one in Settling(Dice([0.5] * 4, seed), 4, True, True).play(4_000))
                   for seed in range(runs))  # fmt: skip
        shares.append(told / runs)
    assert shares[0] < 0.12 and shares[1] > 0.2


@pytest.mark.parametrize(
    "arguments",
    [
        ["snitch", "--seat", "eldest", "--hand", "8S 3D X", "--discard", "3C", "--scores", "10-20-30"],
        ["snitch", "--players", "4", "--seat", "dealer", "--hand", "8S 8D 2H", "--scores", "0-0-0-0"],
        ["innocence", "--seat", "pone", "--hand", "4H 5C 9D", "--starter", "9S", "--scores", "7-9"],
    ],
)
def test_scores_are_taken_in_games_of_melds_and_sets(arguments: list[str]) -> None:
    found = answer("advise", *arguments)
    chances = [choice["chance"] for choice in found["choices"]]
    assert all(0 <= one["low"] <= one["estimate"] <= one["high"] <= 1 for one in chances)
    assert found["n"] <= found["most"]
    assert found["choices"][0]["chance_loss"]["estimate"] == 0
    assert chances[0]["estimate"] == max(one["estimate"] for one in chances if one)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["snitch", "--seat", "eldest", "--hand", "8S 3D X", "--scores", "1-2"], "3 players have 3 scores"),
        (["snitch", "--seat", "eldest", "--hand", "8S 3D X", "--scores", "1-2-5000"], "below the target"),
        (["snitch", "--seat", "eldest", "--hand", "8S 8S 8S"], "8S"),
        (["innocence", "--seat", "pone", "--hand", "4H 4H 6D", "--starter", "9S"], "card 4H is given twice"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(arguments: list[str], says: str) -> None:
    result = call("advise", *arguments)
    assert result.exit_code == 2 and says in result.stderr and len(result.stderr.splitlines()) == 1


def test_advice_that_is_settled_says_so() -> None:
    found = ns.advise("noddy-four", seat="pone", hand="5H 7D KC 2S", starter="8S")
    assert found.most is not None and found.n < found.most
    assert all(one.apart for one in found.choices[1:])
    result = call("advise", "noddy-four", "--seat", "pone", "--hand", "5H 7D KC 2S", "--starter", "8S")
    assert "until the best was settled" in result.stdout
