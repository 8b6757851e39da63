"""The fair handicap: the head start that makes a game even, between the seats or between two strategies.

The chance to win falls with every point that is given away, and the same games are played throughout. So the place
where it passes the fair share is found by halving.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from noddysim.engine import batch
from noddysim.engine.games import check_players, peg_game
from noddysim.engine.laying import WHOLE
from noddysim.engine.runner import Announce, silent
from noddysim.engine.scoring import as_variant
from noddysim.engine.skill import HandicapCount, LaidHandicapCount
from noddysim.game.experiment import check_amount, check_seed
from noddysim.game.minds import USUAL_MINDS, Mind, read_mind
from noddysim.game.rules import Variant
from noddysim.game.strategy_data import Strategy
from noddysim.insight import stats
from noddysim.insight.duplicates import kept_within
from noddysim.insight.estimates import CHANCE, Estimate
from noddysim.insight.numbers import format_estimate
from noddysim.insight.titles import told_title
from noddysim.insight.words import flipped

HEAD_START: Final = "points of head start"
OTHERS: Final = "the others"


@dataclass(frozen=True)
class Handicap:
    """Points that one side gives every other so that the game is even; below nought it must be given them.

    ``points`` is None where no head start below the target makes it even. ``chances`` are the chances to win less the
    fair share that were looked at, by points given.
    """

    variant: Variant
    players: int
    giver: str
    receiver: str
    points: Estimate | None
    chances: dict[int, Estimate]

    def to_json(self) -> dict[str, Any]:
        """The JSON of ``noddysim handicap``."""
        return {
            "variant": self.variant.name, "players": self.players, "giver": self.giver, "receiver": self.receiver,
            "points": self.points.to_json() if self.points else None,
            "chances": [{"given": given, **chance.to_json()} for given, chance in sorted(self.chances.items())],
        }  # fmt: skip

    def words(self, *, terminal: bool = False) -> str:
        """The answer in a sentence or two."""
        if self.points is None:
            return f"No head start makes {self.variant.name} even between {self.giver} and {self.receiver}."
        turned = self.points.estimate < 0
        size = format_estimate(flipped(self.points) if turned else self.points, signed=False, terminal=terminal)
        even = format_estimate(self.chances[0], terminal=terminal)
        gives = f"{self.giver} gives {self.receiver}"
        if turned:
            gives = f"{self.receiver} {'give' if self.receiver == OTHERS else 'gives'} {self.giver}"
        name = self.variant.name if terminal else told_title(self.variant)
        return (
            f"{name}, {self.players} players: with {size} points of head start that {gives} the game is even. With "
            f"none, the chance of {self.giver} is {even} from the fair share."
        )

    def _repr_html_(self) -> str:
        from noddysim.insight.notebook import handicap_html

        return handicap_html(self)


@dataclass
class Search:
    """Chances looked at so far; each is played once."""

    play: Callable[[int], Estimate]
    most: int
    seen: dict[int, Estimate] = field(default_factory=dict)

    def at(self, given: int) -> Estimate:
        """The chance above the fair share with so many points given away."""
        if given not in self.seen:
            self.seen[given] = self.play(given)
        return self.seen[given]

    def crossing(self, end: Callable[[Estimate], float]) -> float | None:
        """Where an end of the interval (or its middle) passes nought, between whole points by a straight line.

        None if it does not between ``-most`` and ``most``.
        """
        low, high = -self.most, self.most
        if end(self.at(low)) < 0 or end(self.at(high)) >= 0:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            if end(self.at(middle)) >= 0:
                low = middle
            else:
                high = middle
        above, below = end(self.at(low)), end(self.at(high))
        return low + above / (above - below)


@dataclass(frozen=True)
class Asked:
    """Between whom a head start is sought, and how the games for it are counted."""

    variant: Variant
    players: int
    pair: tuple[Mind, Mind]
    seed: int
    seats: bool

    @property
    def sides(self) -> int:
        """How many sides play."""
        return peg_game(self.variant, self.players).sides if isinstance(self.pair[0], Strategy) else self.players

    @property
    def whole(self) -> int:
        """A game won, as the measure counts it."""
        return 1 if isinstance(self.pair[0], Strategy) else WHOLE

    def measure(self, given: int) -> HandicapCount | LaidHandicapCount:
        """Games in which so many points are given."""
        one, other = self.pair
        if isinstance(one, Strategy):
            assert isinstance(other, Strategy)
            return HandicapCount(peg_game(self.variant, self.players), (one, other), given, self.seed, self.seats)
        assert not isinstance(other, Strategy)
        return LaidHandicapCount(self.variant, self.players, (one, other), given, self.seed, self.seats)


def handicap(
    variant: Variant | str,
    players: int | None = None,
    *,
    strategy: str | Mind | None = None,
    between: tuple[str | Mind, str | Mind] | None = None,
    games: int = 50_000,
    seed: int = 1589,
    workers: int | None = None,
    announce: Announce = silent,
) -> Handicap:
    """The head start that makes a game even.

    players : the fewest that the variant allows if left out; strategy : in every seat, for the handicap that the first
    dealer gives; between : in its place a strategy and that of the others, in every seat in turn; games : duplicates
    at each head start looked at; announce : told of each of them, for its progress.

    Raises InputError for unknown names, or numbers that cannot be.
    """
    check_amount(games)
    check_seed(seed)
    loaded = as_variant(variant)
    n = loaded.rules.players[0] if players is None else check_players(loaded, players)
    family = loaded.family.name
    pair = between or (strategy or USUAL_MINDS[family],) * 2
    one, other = (read_mind(family, mind) if isinstance(mind, str) else mind for mind in pair)
    seats = between is None
    asked = Asked(loaded, n, (one, other), seed, seats)
    places = 1 if seats else asked.sides

    def play(given: int) -> Estimate:
        measure = asked.measure(given)
        tally = batch.run(measure, games, workers=workers, progress=announce(f"head start of {given}", games))
        n, total, squares = (int(tally[name][0]) for name in ("n", "sums", "squares"))
        # In parts of 1 / sides, so that the fair share is whole.
        sides, fair = asked.sides, places * asked.whole
        sums = (n, sides * total - n * fair, sides**2 * squares - 2 * sides * fair * total + n * fair**2)
        return kept_within(stats.mean_from_sums(*sums, sides * fair, CHANCE), -1.0, 1.0)

    search = Search(play, loaded.rules.target - 1)
    search.at(0)
    middle = search.crossing(lambda found: found.estimate)
    low = search.crossing(lambda found: found.estimate if found.low is None else found.low)
    high = search.crossing(lambda found: found.estimate if found.high is None else found.high)
    points = None
    if middle is not None and low is not None and high is not None:
        points = Estimate(middle, min(low, middle), max(high, middle), games, HEAD_START, "test inverted")
    names = ("the first dealer", OTHERS if n > 2 else "the pone") if seats else (one.name, other.name)
    return Handicap(loaded, n, *names, points, search.seen)
