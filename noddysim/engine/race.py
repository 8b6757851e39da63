"""The end of a game: chances to win at every score near the target, with the play solved for winning at each.

Backward induction over what pone and dealer still need at the start of a deal. Where both need at most ``corner``
points, the play is solved for the chance to win (``kernels.regret``; the payoff of a line is the chance that it
leaves, ``engine.endpay``). A deal that nobody wins leads to a state of fewer needs with the seats exchanged. Elsewhere
both play for points (``optimal``), as one may while the end is far.

What is exact: the order of the points, suits in the show (over all their ways), and at each state the two bounds of the
strategy found. What is approximate: the strategy looks at ranks only. A player sees his own suits too and so knows
whether a flush or a nob will count for him; ``suits`` tells how much more a perfect player takes from the strategy for
knowing what his own suits bring. (What his suits tell him of the other's hand is not in it.)
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np

from noddysim.engine import solver
from noddysim.engine.endpay import LinePoints, Shows, payoff, shows_by_own_suits, shows_with
from noddysim.engine.exactgame import kept_ends, refuse_other_games
from noddysim.engine.games import BEHAVIOUR, PegGame, show_game
from noddysim.engine.rolled import RANK_COUNT, SUITS, all_deals, deals_of, in_threads, three_each
from noddysim.engine.scoring import as_variant
from noddysim.engine.solution import refuse_unsolvable, solution_for
from noddysim.game.errors import InputError
from noddysim.game.rules import Variant
from noddysim.kernels import records as rec

CORNER: Final = 12
"""Points that both need at most where the play is solved for winning."""
STEPS: Final = 40
"""Steps of the solver at each state; the bounds tell how good they were."""
Progress = Callable[[int], None]


@dataclass(frozen=True)
class State:
    """One state at the start of a deal: what pone and dealer need, and the pone's chance to win.

    ``wins`` : both play the strategy found; ``low`` : a perfect dealer meets it, ``high`` : a perfect pone does; the
    chances of later states taken as they stand. ``suits`` : what knowing his own suits is worth to a perfect pone or a
    perfect dealer, the greater of the two; None where it was not measured.
    """

    pone: int
    dealer: int
    wins: float
    low: float
    high: float
    suits: float | None = None

    @property
    def error(self) -> float:
        """How far ``wins`` may lie from the chance between perfect players, later states taken as they stand."""
        return max(self.high - self.wins, self.wins - self.low)


@dataclass(frozen=True)
class RaceTable:
    """Chances to win by what both need at the start of a deal.

    ``chances[p, d]`` : float64 (target + 1, target + 1), of a pone who needs p against a dealer who needs d, from 1 on;
    ``by_points`` : the same if both play for points throughout.
    """

    variant: str
    target: int
    corner: int
    steps: int
    states: tuple[State, ...]
    chances: np.ndarray
    by_points: np.ndarray

    @property
    def error(self) -> float:
        """How far any chance of the corner may lie from that between perfect players who look at ranks: proved.

        The error of a state adds to the greatest of those of the states to which it can lead.
        """
        return proved_error(self.states, self.corner)

    @property
    def suits(self) -> float | None:
        """The most that knowing his own suits is worth to a perfect player in a deal, of the states measured."""
        known = [state.suits for state in self.states if state.suits is not None]
        return max(known) if known else None

    @property
    def gain(self) -> float:
        """The greatest difference that playing for the win makes to a chance of the corner."""
        part = np.s_[1 : self.corner + 1, 1 : self.corner + 1]
        return float(np.abs(self.chances[part] - self.by_points[part]).max())

    def to_json(self) -> dict[str, Any]:
        """The keys of ``noddysim solve --race --json``; the table by needs begins with one point needed by both."""
        return {
            "variant": self.variant,
            "target": self.target,
            "corner": self.corner,
            "steps": self.steps,
            "error": self.error,
            "suits": self.suits,
            "gain": self.gain,
            "first_dealer_wins": 1.0 - float(self.chances[self.target, self.target]),
            "states": [asdict(state) for state in self.states],
            "pone_wins_by_needs": self.chances[1:, 1:].tolist(),
        }


def proved_error(states: Iterable[State], corner: int) -> float:
    """The most that a chance of the corner may be wrong: a state's own error and the greatest of those it leads to."""
    whole = np.zeros((corner + 1, corner + 1))
    for state in sorted(states, key=lambda one: one.pone + one.dealer):
        later = whole[: state.dealer + 1, : state.pone + 1].copy()
        later[state.dealer, state.pone] = 0.0
        whole[state.pone, state.dealer] = state.error + later.max()
    return float(whole.max())


def race(
    variant: Variant | str = "noddy",
    corner: int = CORNER,
    *,
    steps: int = STEPS,
    suits: bool = True,
    progress: Progress | None = None,
    kept: bool = True,
) -> RaceTable:
    """Chances to win at every score, the play solved for winning where both need at most ``corner`` points.

    States that were solved before are taken from the package and the user's cache folder, and each new one is kept as
    soon as it is solved (unless ``kept`` is False): an interrupted run goes on where it stopped. suits : whether it is
    measured at equal needs what a player's own suits would tell him; progress : told of each state.

    Raises InputError for a variant whose games cannot be counted or whose play is not solved.
    """
    rules = as_variant(variant)
    target = rules.rules.target
    if not 1 <= corner <= target:
        raise InputError(f"--corner {corner}: from 1 to the target, {target}")
    if steps < 1:
        raise InputError(f"--steps {steps}: at least 1")
    game = _game(rules)
    book = StateBook(game, steps, kept)
    work = Corner(game, corner, steps, suits)
    for needs in in_order(corner):
        state = book.states.get(needs)
        if state is None:
            state = work.solve(needs)
            book.add(state)
        work.take(state)
        if progress:
            progress(1)
    states = tuple(book.states[needs] for needs in in_order(corner))
    chances, by_points = (_from_points(game, target, part) for part in (work.chances, np.zeros((1, 1))))
    return RaceTable(rules.name, target, corner, steps, states, chances, by_points)


def in_order(corner: int) -> list[tuple[int, int]]:
    """The states of a corner, each after all those to which it can lead."""
    needs = range(1, corner + 1)
    return sorted(((pone, dealer) for pone in needs for dealer in needs), key=lambda pair: (sum(pair), pair))


def _game(variant: Variant) -> PegGame:
    three_each(variant)
    refuse_other_games(variant)
    game = show_game(variant, 2)
    refuse_unsolvable(game)
    rules = game.rules
    if [int(phase) for phase in rules.order] != [rec.HEELS, rec.PLAY, rec.SHOW]:
        raise InputError(f"{variant.name}: the end of its games is solved for points in the order heels, play, show")
    if not (rules.last or rules.final_card_point):
        raise InputError(f"{variant.name}: the end of its games cannot be solved: a deal may bring nobody a point")
    return game


class Corner:
    """The states of a corner in the making; to be solved in the order of ``in_order``."""

    def __init__(self, game: PegGame, corner: int, steps: int, suits: bool = True) -> None:
        self.game, self.corner, self.steps, self.suits = game, corner, steps, suits
        self.chances = np.zeros((corner + 1, corner + 1))
        self._points: LinePoints | None = None
        self._shows: dict[int, Shows] = {}

    def take(self, state: State) -> None:
        """Let later states lead to a solved one."""
        self.chances[state.pone, state.dealer] = state.wins

    def solve(self, needs: tuple[int, int]) -> State:
        """Solve the play of one state; at equal needs measure too, if wanted, what own suits would tell a player."""
        points = self.points
        measured = self.suits and needs[0] == needs[1]

        def one(starter: int) -> np.ndarray:
            return self._solve_starter(points, needs, starter, measured)

        sums = np.sum(in_threads(one, range(RANK_COUNT)), axis=0) / all_deals(3)
        value, low, high, best_dealer, best_pone = sums.tolist()
        suits = max(low - best_dealer, best_pone - high) if measured else None
        return State(*needs, value, low, high, suits)

    @property
    def points(self) -> LinePoints:
        """Points along all lines; made when the first state is solved."""
        if self._points is None:
            self._points = LinePoints(self.game)
        return self._points

    def book(self, needs: tuple[int, int], starter: int) -> np.ndarray:
        """The strategy of both seats found for a state and a rank of the starter, float64 (``kernels.lines``)."""
        return self._learned(self._pay(self.points, needs, starter, self._shows_with(starter)), starter)

    def _shows_with(self, starter: int) -> Shows:
        if starter not in self._shows:
            self._shows[starter] = shows_with(self.game, starter, self.corner)
        return self._shows[starter]

    def _pay(self, points: LinePoints, needs: tuple[int, int], starter: int, shows: Shows) -> np.ndarray:
        return payoff(self.game, points, needs, starter, shows, self.chances)

    def _learned(self, pay: np.ndarray, starter: int) -> np.ndarray:
        return solver.learn_deals(self.game, deals_of(3, starter), self.steps, points=pay)

    def _solve_starter(self, points: LinePoints, needs: tuple[int, int], starter: int, measured: bool) -> np.ndarray:
        """Sums over a starter's deals: value, low, high, and low and high against players who know their suits."""
        pay = self._pay(points, needs, starter, self._shows_with(starter))
        book = self._learned(pay, starter)
        found = np.zeros(5)
        found[:3] = solver.bounds_of_deals(self.game, deals_of(3, starter) * SUITS, book, pay)
        if measured:
            for seat, place in ((1, 3), (0, 4)):
                for shows in shows_by_own_suits(self.game, starter, self.corner, seat):
                    known = self._pay(points, needs, starter, shows)
                    bounds = solver.bounds_of_deals(self.game, shows.deals, book, known)
                    found[place] += bounds[2 if seat == 0 else 1]
        return found


@dataclass(frozen=True)
class Racer:
    """A player of either seat who plays to win a game from the needs of pone and dealer at the start of a deal."""

    corner: Corner
    needs: tuple[int, int]
    name: str = "best play to win"
    blind: bool = False

    def book(self, starter: int) -> np.ndarray:
        """His book for a rank of the starter, float64; solved anew, some tenths of a second."""
        return self.corner.book(self.needs, starter)


@dataclass(frozen=True)
class Ending:
    """The end of a game as it was solved before: nothing is solved anew to know it.

    ``chances`` : as of ``RaceTable``, for every score of the game; ``error`` : the most that is proved of those of the
    corner.
    """

    corner: Corner
    chances: np.ndarray
    error: float

    @property
    def size(self) -> int:
        """Points that both need at most where the play is solved for winning."""
        return len(self.corner.chances) - 1

    def racer(self, needs: tuple[int, int]) -> Racer | None:
        """Who plays to win from there, or None where somebody needs too much and both play for points."""
        return Racer(self.corner, needs) if max(needs) <= self.size and min(needs) >= 1 else None


def ending(variant: Variant, corner: int = CORNER, steps: int = STEPS) -> Ending | None:
    """The end of a variant's games, if every state of the corner is shipped or kept; else None."""
    game = _game(variant)
    target = variant.rules.target
    size = min(corner, target)
    known = StateBook(game, steps, True).states
    if not all(needs in known for needs in in_order(size)):
        return None
    states = [known[needs] for needs in in_order(size)]
    work = Corner(game, size, steps, suits=False)
    for state in states:
        work.take(state)
    return Ending(work, _from_points(game, target, work.chances), proved_error(states, size))


def _from_points(game: PegGame, target: int, corner: np.ndarray) -> np.ndarray:
    """The pone's chances at all needs if both play for points, save in the corner given."""
    best = solution_for(game)
    won, totals = kept_ends(game, best, best, target)
    most = int(np.flatnonzero(totals.sum(axis=0) + totals.sum(axis=1)).max()) + 1
    chances = np.zeros((target + 1, target + 1))
    solved = len(corner) - 1
    for pone, dealer in in_order(target):
        if pone <= solved and dealer <= solved:
            chances[pone, dealer] = corner[pone, dealer]
            continue
        mine, theirs = min(most, pone), min(most, dealer)
        # After a deal that nobody wins the dealer leads: his chance is read with the needs that are left.
        later = 1.0 - chances[dealer - theirs + 1 : dealer + 1, pone - mine + 1 : pone + 1][::-1, ::-1].T
        chances[pone, dealer] = won[0, pone, dealer] + float((totals[:mine, :theirs] * later).sum())
    return chances


# --- states that are kept ---------------------------------------------------------------------------------------------


class StateBook:
    """Solved states as they are kept: shipped with the package, or in the user's cache folder, one file for rules."""

    def __init__(self, game: PegGame, steps: int, kept: bool) -> None:
        content = {
            "rules": {**json.loads(game.text), "target": None},
            "solver": [steps, solver.EXPONENTS, solver.TREMBLE],
            "behaviour": BEHAVIOUR,
        }
        self.key = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
        self.kept = kept
        self.states = {(one.pone, one.dealer): one for one in self._read()} if kept else {}

    @property
    def path(self) -> Path:
        """Where new states are kept."""
        import platformdirs

        return Path(platformdirs.user_cache_dir("noddysim")) / "solutions" / self.name

    @property
    def name(self) -> str:
        """The file's name, the same in the package and in the cache folder."""
        return f"race-{self.key}.json"

    def _read(self) -> Iterable[State]:
        shipped = files("noddysim.engine").joinpath(f"solutions/{self.name}")
        for place in (shipped, self.path):
            if place.is_file():
                yield from _states(place.read_bytes(), self.key)

    def add(self, state: State) -> None:
        """Keep a state; the file is replaced whole, or not at all. Where nothing can be written, that is said."""
        self.states[state.pone, state.dealer] = state
        if not self.kept:
            return
        listed = [asdict(one) for _, one in sorted(self.states.items())]
        body = json.dumps(listed, indent=0)
        text = json.dumps({"key": self.key, "sum": _sum(listed), "states": json.loads(body)}, indent=0)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = self.path.with_suffix(f".{os.getpid()}")
            unfinished.write_text(text + "\n", encoding="utf-8")
            os.replace(unfinished, self.path)
        except OSError as error:
            warnings.warn(f"states are not kept in {self.path.parent}: {error.strerror}", stacklevel=2)
            self.kept = False


def _sum(listed: object) -> str:
    return hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()[:16]


def _states(data: bytes, key: str) -> list[State]:
    """The states of a file; none if it is damaged or of other rules."""
    try:
        found = json.loads(data)
        if found["key"] != key or found["sum"] != _sum(found["states"]):
            return []
        return [State(**one) for one in found["states"]]
    except (ValueError, KeyError, TypeError):
        return []
