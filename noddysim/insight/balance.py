"""Balance of variants: who wins by seat, how long a game is, where points come from, and what a change of rules moves.

All variants are played on the same game numbers. Where the same cards reach the same seats the differences between
variants are due to the rules alone; they are always taken game by game. Variants of several families of games can stand
beside each other; they differ in what all of them have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeVar

from noddysim.engine.beside import ACROSS, COMMON, Beside, Place, part_of
from noddysim.engine.games import check_players
from noddysim.engine.runner import Runner, Unplayed
from noddysim.engine.scoring import as_variant
from noddysim.game.errors import InputError
from noddysim.game.experiment import check_amount, check_seed, refuse_twice
from noddysim.game.families import PEGGING
from noddysim.game.laying_data import GAME_WORDS
from noddysim.game.minds import USUAL_MINDS, Mind, mind_family, read_for, read_mind
from noddysim.game.strategy_data import Strategy
from noddysim.insight.counted_games import with_counted_chances, with_counted_differences
from noddysim.insight.courses import with_course
from noddysim.insight.estimates import Estimate
from noddysim.insight.laying_balance import LaidCell, difference_by_game
from noddysim.insight.pegging_balance import PeggingCell, by_sides, unlike
from noddysim.insight.rows import FAIR_BAND as FAIR_BAND
from noddysim.insight.rows import LENGTHS as LENGTHS
from noddysim.insight.rows import UNITS as UNITS
from noddysim.insight.rows import Comparison as Comparison
from noddysim.insight.rows import Difference as Difference
from noddysim.insight.rows import Row as Row
from noddysim.insight.skill import check_ladder, ladder_of, with_skill
from noddysim.insight.stats import Sums

if TYPE_CHECKING:
    from noddysim.engine.tally import Tally
    from noddysim.game.rules import Variant

T = TypeVar("T")
Cell = PeggingCell | LaidCell


def compare(
    variants: Sequence[Variant | str],
    *,
    players: Sequence[int] = (2,),
    strategies: Sequence[str | Mind] | None = None,
    games: int = 100_000,
    seed: int = 1589,
    workers: int | None = None,
    runner: Runner | None = None,
    band: float = FAIR_BAND,
    skill: int = 0,
    ladder: Sequence[str | Mind] | None = None,
) -> Comparison:
    """Play ``games`` games of each variant for each number of players and strategy (the same in every seat).

    variants : variants, or their names or paths; strategies : the usual one of the family of each variant if left out.
    Among variants of several families each plays those of the strategies that are for its games; the first of one
    family stands beside the first of the other, and so on. runner : how it is run (workers, store, listener), in place
    of ``workers``. After an interrupt it compares what was played by then.

    band : an edge inside plus or minus this chance is called fair; skill : duplicates of every pair of the ``ladder``
    of strategies, best first (the usual one of each family if left out), 0 for none.

    Variants that are not played by some number are left out there, with a note. Raises InputError if nothing is left,
    for names or numbers that do not exist, and for two variants of one name, whose rows could not be told apart.
    """
    check_amount(games)
    check_seed(seed)
    runner = runner or Runner(workers)
    if not 0 < band < 1:
        raise InputError(f"band: {band:g} is no chance between 0 and 1; write 0.01 for one percentage point")
    loaded = [as_variant(variant) for variant in _listed("variants", variants, '["noddy", "noddy-61"]')]
    players = _listed("players", players, "[2, 3]")
    minds = _minds(loaded, None if strategies is None else _listed("strategies", strategies, '["greedy"]'))
    refuse_twice(
        [variant.name for variant in loaded],
        lambda place: InputError(f"two variants are named {loaded[place].name}; leave one out, or rename one"),
    )
    wanted = Wanted(games, band, skill, _ladders(loaded, ladder) if skill else {}, runner)
    rows: list[Row] = []
    differences: list[Difference] = []
    notes: list[str] = []
    for n in players:
        fit = [variant for variant in loaded if n in variant.rules.players]
        missing = [variant.name for variant in loaded if variant not in fit]
        if missing:
            notes.append(f"{' and '.join(missing)}: not played by {n}")
        if not fit:
            check_players(loaded[0], n)
        notes += unlike([variant for variant in fit if variant.family is PEGGING], n)
        for place in range(max(len(of_family) for of_family in minds.values())):
            cells = _cells(
                fit, n, {family: found[place] for family, found in minds.items() if place < len(found)}, seed
            )
            if not cells:
                continue
            try:
                found, between = _answers(cells, games, runner)
                found, more = _told(cells, found, wanted if place == 0 else replace(wanted, skill=0))
            except Unplayed:
                continue
            rows += found
            differences += [*with_counted_differences(between, found), *more]
    return Comparison(tuple(rows), tuple(differences), tuple(notes), seed)


@dataclass(frozen=True)
class Wanted:
    """What is told besides wins, length and points: with which band, and from how many games and duplicates."""

    games: int
    band: float
    skill: int
    ladders: Mapping[str, Sequence[Mind]]
    runner: Runner


def _ladders(variants: Sequence[Variant], given: Sequence[str | Mind] | None) -> dict[str, Sequence[Mind]]:
    """The ladder of each family of the variants; raises InputError for one that is none."""
    if given is None:
        return {variant.family.name: ladder_of(variant.family.name) for variant in variants}
    return {family: check_ladder(minds) for family, minds in _minds(variants, given).items()}


def _told(cells: Sequence[Cell], rows: Sequence[Row], wanted: Wanted) -> tuple[list[Row], list[Difference]]:
    """The rows of all cells, in their order, with how games went and what skill is worth there."""
    told: list[Row] = []
    differences: list[Difference] = []
    for cell in cells:
        mine = [replace(row, band=wanted.band) for row in rows[len(told) : len(told) + len(cell.variants)]]
        if isinstance(cell, PeggingCell):
            mine = with_counted_chances(mine, cell.strategy)
        # After an interrupt the rows are told as far as they are known.
        with suppress(Unplayed):
            mine, between = with_course(cell, mine, wanted.games, wanted.runner)
            differences += between
        if wanted.skill:
            ladder = wanted.ladders[cell.variants[0].family.name]
            with suppress(Unplayed):
                mine, between = with_skill(cell, mine, ladder, wanted.skill, wanted.runner)
                differences += between
        told += mine
    return told, differences


def _minds(variants: Sequence[Variant], given: Sequence[str | Mind] | None) -> dict[str, list[Mind]]:
    """The strategies of each family of the variants. Raises InputError for a name of none, and a family with none."""
    families = list(dict.fromkeys(variant.family.name for variant in variants))
    if given is None:
        return {family: [read_mind(family, USUAL_MINDS[family])] for family in families}
    found: dict[str, list[Mind]] = {family: [] for family in families}
    for one in given:
        for family, mind in (read_for(families, one) if isinstance(one, str) else {mind_family(one): one}).items():
            found.setdefault(family, []).append(mind)
    for family in families:
        if not found[family]:
            games = GAME_WORDS.get(family, "games with a play of cards to a count")
            names = ", ".join(one if isinstance(one, str) else one.name for one in given)
            raise InputError(f"{names}: no strategy for {games} among them; add one, for example {USUAL_MINDS[family]}")
    return found


def _cells(variants: Sequence[Variant], players: int, minds: dict[str, Mind], seed: int) -> list[Cell]:
    """Variants of one family and with as many sides together, in the order in which they are given."""
    found: list[Cell] = []
    for family, mind in minds.items():
        fit = [variant for variant in variants if variant.family.name == family]
        if not fit:
            continue
        if isinstance(mind, Strategy):
            found += [PeggingCell(tuple(alike), players, mind, seed) for alike in by_sides(fit, players)]
        else:
            found.append(LaidCell(tuple(fit), players, mind, seed))
    return found


def _answers(cells: Sequence[Cell], games: int, runner: Runner) -> tuple[list[Row], list[Difference]]:
    """Rows and differences of cells that are counted on the same numbers. Raises Unplayed as the runner does."""
    beside = Beside(tuple(cell.measure for cell in cells), _across(cells))
    labels: list[dict[str, str] | None] = []
    for cell in cells:
        labels += [{"arm": _words(cell, variant.name), "of": "games"} for variant in cell.variants]
        labels += [None] * len(cell.measure.paired)

    def watch(tally: Tally) -> tuple[str, Estimate]:
        return f"{cells[0].variants[0].name}, edge", cells[0].edge(tally)

    plays = " and ".join(dict.fromkeys(cell.strategy.name for cell in cells))
    title = f"balance, {cells[0].players} players, {plays}: games"
    tally = runner.run(beside, games, title=title, labels=labels, watch=watch)
    rows: list[Row] = []
    differences: list[Difference] = []
    for number, cell in enumerate(cells):
        part = part_of(tally, number)
        rows += [cell.row(place, part, games, runner) for place in range(len(cell.variants))]
        differences += cell.differences(part)
    return rows, [*differences, *_differences_across(cells, beside, tally)]


def _words(cell: Cell, variant: str) -> str:
    return f"{variant}, {cell.players} players, {cell.strategy.name}"


def _across(cells: Sequence[Cell]) -> tuple[tuple[Place, Place], ...]:
    """Every two variants of different families with as many sides: what both have can be subtracted."""
    found: list[tuple[Place, Place]] = []
    for (one, cell), (other, beside) in combinations(enumerate(cells), 2):
        if cell.family != beside.family and cell.sides == beside.sides:
            places = product(range(len(cell.variants)), range(len(beside.variants)))
            found += [((one, a), (other, b)) for a, b in places]
    return tuple(found)


def _differences_across(cells: Sequence[Cell], beside: Beside, tally: Tally) -> list[Difference]:
    """Variants of different families in what both have, game by game."""
    found = []
    for pair, ((group, a), (other, b)) in enumerate(beside.across):
        one, two = cells[group], cells[other]
        plays = " and ".join(dict.fromkeys([one.strategy.name, two.strategy.name]))
        names = one.variants[a].name, two.variants[b].name
        for column, metric in enumerate(COMMON):
            name = "edge" if metric == "first_dealer" else metric
            sums = Sums(int(tally["n"][0]), *(int(tally[moment][pair, column]) for moment in ACROSS))
            found.append(Difference(*names, one.players, plays, name, difference_by_game(name, sums), paired=False))
    return found


def _listed(what: str, given: Sequence[T], example: str) -> list[T]:
    """An argument that is a list of one or more; raises InputError for anything else, a text too."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        shown = repr(given) if isinstance(given, str | int | None) else f"a {type(given).__name__}"
        raise InputError(f"{what}: {shown} is no list; write for example {what}={example}")
    found = list(given)
    if not found:
        raise InputError(f"{what}: the list is empty; write for example {what}={example}")
    return found
