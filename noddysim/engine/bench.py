"""Speed of the kernels on this machine, in CPU seconds, and how it stands to the bare dealing of cards.

Machines differ and are busy, so the figures that travel are the ratios: each kernel's cost in deals dealt, measured in
the same run. The median of several rounds is given; the rounds of all rows are interleaved.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noddysim.engine import batch, melding, sets
from noddysim.engine.books import DataPlayer
from noddysim.engine.counting import count_play, count_with_chance
from noddysim.engine.exactplay import best_sum
from noddysim.engine.games import PegGame, hands_only, peg_game
from noddysim.engine.measures import DealCount, DuelCount, GameCount
from noddysim.engine.rivals import OUR_JOB, RIVAL_JOB, has_rival, rival_games
from noddysim.engine.rolled import three_each
from noddysim.engine.solver import learn_starter
from noddysim.engine.tabled import DEALS_WORTH_IT, DUELS_WORTH_IT, GAMES_WORTH_IT
from noddysim.game import laying
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.kernels.bench import deal_blocks, deal_only, show_only
from noddysim.kernels.records import new_table

ROUNDS = 5
UNIT = "dealing, 2 players"
BLOCKS = "dealing in blocks, 2 players"
LEAST_GAIN = 5.0
"""How many times faster than plain dealing the blocks must be: else the compiler has not made them wide."""


@dataclass(frozen=True)
class Timing:
    """One row: work of ``amount`` things of one ``kind``, its median CPU seconds, and its spread."""

    what: str
    kind: str
    amount: int
    seconds: float
    least: float
    most: float
    ratio: float
    """Cost of one thing in bare deals of the same run."""

    @property
    def rate(self) -> float:
        """Things a second."""
        return self.amount / self.seconds

    def to_json(self) -> dict[str, Any]:
        """The keys of a row of ``noddysim bench --json``."""
        return {
            "what": self.what, "kind": self.kind, "amount": self.amount, "cpu_seconds": self.seconds,
            "least": self.least, "most": self.most, "per_second": self.rate, "ratio_to_dealing": self.ratio,
        }  # fmt: skip


@dataclass(frozen=True)
class Job:
    """Something to time."""

    what: str
    kind: str
    amount: int
    work: Callable[[int], object]
    first: int = 1
    """The amount of the warm-up: so much that all that is timed has been compiled."""


def jobs(size: int) -> list[Job]:
    """What is timed; ``size`` scales all amounts."""
    noddy = load_variant("noddy")
    two = peg_game(noddy, 2)
    seed = np.uint64(1)
    table = new_table()
    found = [
        Job(UNIT, "deals", 10 * size, lambda n: deal_only(two.rules, table, 2, seed, n)),
        Job("the show, 2 hands", "deals", 10 * size, lambda n: show_only(*_shows(two), table, 2, n)),
    ]
    for name in ("greedy", "random", "lookahead"):
        for players in (2, 3, 4):
            if name == "greedy" or players == 2:
                seats = (parse_strategy(name),) * players
                measure = DealCount(peg_game(noddy, players), seats, 1)
                work = _played(measure, DEALS_WORTH_IT - 1)
                found.append(Job(f"deals, {players} players, {name}", "deals", size, work))
    greedy, low = parse_strategy("greedy"), parse_strategy("low")
    found.append(
        Job("duplicates, greedy v. low", "duplicates", size // 4, _whole(DuelCount(two, (greedy,), low, low, 1)))
    )
    games = _played(GameCount((two,), greedy, 1), GAMES_WORTH_IT - 1)
    found.append(Job("games to 31, greedy", "games", size // 8, games))
    cribbage, blind = peg_game(load_variant("cribbage"), 2), parse_strategy("random+random")
    found.append(
        Job("cribbage, the show, 2 hands", "deals", 10 * size, lambda n: show_only(*_shows(cribbage), table, 2, n))
    )
    found.append(Job(OUR_JOB, "games", size // 40, _whole(GameCount((cribbage,), blind, 1))))
    if has_rival():
        found.append(Job(RIVAL_JOB, "games", size // 1_000, rival_games))
    return found + _counted(size) + _games_of_the_table(size)


def _counted(size: int) -> list[Job]:
    """What is counted or solved, and duplicates by table. Few are enough: a pair is all its deals."""
    noddy = load_variant("noddy")
    game, two, table = three_each(noddy), peg_game(noddy, 2), new_table()
    random = DataPlayer(game, parse_strategy("random"))
    greedy, low = parse_strategy("greedy"), parse_strategy("low")
    deals = DealCount(two, (greedy, greedy), 1)
    tables = DuelCount(two, (greedy,), low, low, 1).for_amount(DUELS_WORTH_IT)
    return [
        Job("exact play, greedy v. low", "pairs", 4, _some(4, lambda: count_play(game, greedy, low))),
        Job("exact play, random v. random", "pairs", 2, _some(2, lambda: count_with_chance(game, random, random))),
        Job("best response, one starter", "responses", 4, _some(4, lambda: best_sum(game, random.book(0), 0, 0))),
        Job("regret, one starter", "steps", 25, lambda n: learn_starter(game, 0, min(n, 25))),
        Job(BLOCKS, "deals", 10 * size, lambda n: deal_blocks(table, np.uint64(1), n)),
        Job("deals by table, greedy", "deals", 40 * size, _whole(deals), DEALS_WORTH_IT),
        Job("duplicates by table, greedy v. low", "duplicates", 40 * size, _whole(tables)),
        Job("games to 31 by table, greedy", "games", 4 * size, _whole(GameCount((two,), greedy, 1)), GAMES_WORTH_IT),
    ]


def _some(most: int, work: Callable[[], object]) -> Callable[[int], object]:
    """Do something some times, but never more than ``most``."""
    return lambda amount: [work() for _ in range(min(amount, most))]


def _games_of_the_table(size: int) -> list[Job]:
    """The games in which melds and sets are laid; a game of sets to one point is one deal."""
    innocence, snitch = load_variant("innocence"), load_variant("snitch").replace(target=1)
    melder, setter = laying.melder(laying.FIRST_MELDER), laying.setter(laying.FIRST_SETTER)
    return [
        Job(
            "melding to 31, 2 players", "games", size // 8, lambda n: melding.count_games(innocence, [melder] * 2, 1, n)
        ),
        Job("sets, 4 players", "deals", size // 40, lambda n: sets.count_games(snitch, [setter] * 4, 1, n)),
    ]


def _shows(game: PegGame) -> tuple[Any, Any]:
    """Rules and table of the show, for hands as they are dealt."""
    return hands_only(game).rules, game.shows


def _whole(measure: batch.Measure) -> Callable[[int], object]:
    return lambda amount: batch.run(measure, amount, workers=1)


def _played(measure: batch.Measure, piece: int) -> Callable[[int], object]:
    """Count in pieces for which no table is made, so that every card is played."""
    return lambda amount: [measure.count(first, last) for first, last in batch.chunks(0, amount, piece)]


def run_bench(size: int = 1_000_000, rounds: int = ROUNDS) -> list[Timing]:
    """Time every job ``rounds`` times, in turn, after a warm-up of one thing each, which compiles."""
    todo = jobs(size)
    for job in todo:
        job.work(job.first)
    spent: dict[str, list[float]] = {job.what: [] for job in todo}
    for _ in range(rounds):
        for job in todo:
            start = time.process_time()
            job.work(job.amount)
            spent[job.what].append(time.process_time() - start)
    unit = statistics.median(spent[UNIT]) / todo[0].amount
    return [_timing(job, spent[job.what], unit) for job in todo]


def _timing(job: Job, spent: list[float], unit: float) -> Timing:
    middle = statistics.median(spent)
    return Timing(job.what, job.kind, job.amount, middle, min(spent), max(spent), middle / job.amount / unit)


def times_rival(timings: Sequence[Timing]) -> float | None:
    """How many of our random games of cribbage are played in the time of one of OpenSpiel's; None without it."""
    rates = {timing.what: timing.rate for timing in timings}
    return rates[OUR_JOB] / rates[RIVAL_JOB] if RIVAL_JOB in rates else None


def block_gain(timings: Sequence[Timing]) -> float:
    """How many deals are dealt in blocks in the time of one dealt by itself, by the quickest round of each."""
    least = {timing.what: timing.least / timing.amount for timing in timings}
    return least[UNIT] / least[BLOCKS]


def peak_memory() -> int | None:
    """Most memory this process has used so far, in bytes; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024


@dataclass(frozen=True)
class Memory:
    """Peak memory after a small and after a large run of the same kind, in bytes."""

    small_deals: int
    small: int
    large_deals: int
    large: int

    def to_json(self) -> dict[str, int]:
        """The keys of ``memory`` in ``noddysim bench --json``."""
        return vars(self) | {"growth": self.large - self.small}


def memory(large: int) -> Memory | None:
    """Peak memory of a hundred thousand deals and of ``large`` deals, two workers; None where it cannot be told."""
    small = 100_000
    measure = DealCount(peg_game(load_variant("noddy"), 2), (parse_strategy("greedy"),) * 2, 1)
    batch.run(measure, small, workers=2)
    before = peak_memory()
    batch.run(measure, large, workers=2)
    after = peak_memory()
    return None if before is None or after is None else Memory(small, before, large, after)
