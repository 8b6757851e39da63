"""``duel``, ``run`` and ``compare``: strategies, tips and variants beside each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from noddysim.commands.common import (
    AMOUNT,
    GREATEST_SEED,
    Interrupted,
    columns,
    examples,
    json_option,
    players_option,
    print_json,
    say,
    seed_option,
    variant_option,
)
from noddysim.commands.stores import (
    Means,
    check_table,
    chunk_option,
    engine_options,
    progress_options,
    store_option,
    store_words,
    stored_runner,
    table_option,
    write_table,
)
from noddysim.game.errors import InputError

if TYPE_CHECKING:
    from noddysim.engine.runner import Runner
    from noddysim.insight.balance import Comparison, Row
    from noddysim.insight.duels import Duel
    from noddysim.insight.study import Study


class Zone(click.FloatRange):
    """A number in a range, in which *nan* does not lie, though no comparison says so."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, refused in click's words if it is outside."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is no number; give one from {self.min} to {self.max}", param, ctx)
        return number


def workers_option(function: Any) -> Any:
    """``--workers``; the counts are the same for any number."""
    words = "Threads to use; all processors if left out. The counts are the same for any number."
    return click.option("--workers", type=click.IntRange(1, 256), metavar="N", help=words)(function)


@click.command(
    epilog=examples(
        "noddysim duel greedy low --deals 1000000 --seed 1",
        "noddysim duel lead-low@greedy-random greedy-random --against lookahead",
        "noddysim duel lookahead greedy --games 100000 --players 3 --json",
    )
)
@click.argument("a")
@click.argument("b")
@click.option("--against", metavar="O", help="Opponent in all other seats; without one, A and B meet.")
@click.option("--deals", type=AMOUNT, metavar="N", help="Duplicates of deals (default 200,000).")
@click.option("--games", type=AMOUNT, metavar="N", help="Duplicates of whole games instead.")
@players_option
@click.option("--zone", type=Zone(0, 1000), metavar="Z", help="Differences smaller than this do not matter.")
@variant_option
@seed_option
@workers_option
@json_option
def duel(
    a: str,
    b: str,
    against: str | None,
    deals: int | None,
    games: int | None,
    players: int | None,
    zone: float | None,
    variant: str,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """What strategy A gains over strategy B on the same cards.

    Every deal is played with A in each seat in turn and with B in each seat in turn, against the same opponent (a
    duplicate). A and B are names that `noddysim strategies` lists, TIP@BASELINE, or paths of strategy files. Games in
    which melds are laid are measured by whole games, those of sets by deals unless --games is given.
    """
    if deals is not None and games is not None:
        raise click.UsageError("give --deals or --games, not both")
    from noddysim.commands.progress import bars
    from noddysim.game.rules import load_variant
    from noddysim.insight.duels import duel as fight
    from noddysim.insight.duels import usual_amount

    rules = load_variant(variant)
    amount, _ = usual_amount(rules, deals, games)
    with bars() as announce:
        found = fight(
            rules, a, b, against=against, players=players, deals=deals, games=games, seed=seed, zone=zone,
            workers=workers, progress=announce(f"{a} v. {b}", amount),
        )  # fmt: skip
    if as_json:
        print_json(found.to_json())
    else:
        say(duel_words(found))


def duel_words(found: Duel) -> str:
    """A duel as text: first the answer, then the numbers."""
    from noddysim.insight.estimates import CHANCE
    from noddysim.insight.numbers import format_estimate
    from noddysim.insight.settings import PLAYED_OTHERWISE, SHARE_OF_DEALS

    setting = found.setting
    lines = [
        f"{found.arm} beside {setting.baseline}, against {setting.against}: {found.verdict.replace('-', ' ')}",
        f"{setting.variant.name}, {setting.players} players, {_duplicates(found)}, seed {setting.seed}",
    ]
    if found.effect is None:
        return "\n".join([*lines, f"{_nothing_to_decide(found)}: nothing to measure."])
    rows = [("over all seats", found.effect)]
    names = setting.side_names
    rows += [(f"as {name}", seat) for name, seat in zip(names, found.seats, strict=True)]
    changed = "played otherwise" if setting.is_laying else "cards changed"
    extra = (("each card changed", found.occasion), (changed, found.changed), ("place", found.scale))
    rows += [(what, value) for what, value in extra if value is not None]
    signed, shares = {changed, "place"}, (CHANCE, PLAYED_OTHERWISE)
    cells = [
        (
            what,
            format_estimate(value, signed=what not in signed, percent=value.unit.startswith(shares), terminal=True),
            SHARE_OF_DEALS if value.unit == PLAYED_OTHERWISE else value.unit,
        )
        for what, value in rows
    ]
    lines += ["", *columns(cells, ("", "estimate (95 % interval)", "unit"))]
    if found.gained is not None and found.lost is not None:
        gained = format_estimate(found.gained, signed=False, percent=True, terminal=True)
        lost = format_estimate(found.lost, signed=False, percent=True, terminal=True)
        lines += ["", f"Gains in {gained} of the duplicates, loses in {lost}."]
    lines += [f"Zone that does not matter: {_zone_words(found)}. Method: {found.effect.method}. Run {found.id}."]
    return "\n".join(lines)


def _duplicates(found: Duel) -> str:
    from noddysim.insight.numbers import format_count

    unit = "game" if found.setting.games else "deal"
    return (
        f"1 duplicate of a {unit}" if found.n == 1 else f"{format_count(found.n, terminal=True)} duplicates of {unit}s"
    )


_AWAY: Final = {
    "discard": "how they lay cards away", "mog": "how they mog", "sums_only": "whether they wait for a sum",
}  # fmt: skip


def _nothing_to_decide(found: Duel) -> str:
    """Why a duel is vacuous."""
    from noddysim.insight.duels import unused_parts

    parts = unused_parts(found.arm, found.setting)
    if found.tip is not None or not parts:
        return "The decision this advice is about does not exist here"
    return f"The two differ only in {' and in '.join(_AWAY[part] for part in parts)}, and nobody does so here"


def _zone_words(found: Duel) -> str:
    """The zone with the unit of what the verdict looks at."""
    from noddysim.insight.estimates import CHANCE, POINTS

    if found.setting.games:
        return f"+/-{100 * found.zone:g} % {CHANCE}"
    return f"+/-{found.zone:g} {POINTS}{f' as {found.seat_concerned}' if found.concerns_eldest else ''}"


@click.command(
    name="run",
    epilog=examples(
        "noddysim run experiments/leads.toml",
        "noddysim run my.toml --deals 50000 --json",
        "noddysim run my.toml other.toml --store night.db --workers 4",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--deals", type=AMOUNT, metavar="N", help="Instead of the file's number of deals.")
@click.option("--games", type=AMOUNT, metavar="N", help="Instead of the file's number of games.")
@click.option("--seed", type=click.IntRange(0, GREATEST_SEED), metavar="S", help="Instead of the file's seed.")
@store_option
@workers_option
@chunk_option
@engine_options
@progress_options
@table_option
@json_option
def run_files(
    files: tuple[str, ...],
    deals: int | None,
    games: int | None,
    seed: int | None,
    store: str,
    workers: int | None,
    chunk: int | None,
    engine: str,
    scheduler: str | None,
    quiet: bool,
    log: str | None,
    table: str | None,
    as_json: bool,
) -> None:
    """Answer the question of each experiment FILE.

    All files are read and checked before anything is played. --deals, --games and --seed bear on the files that play
    such; an option that bears on none of them is refused.

    Every chunk of the work is kept in the store as soon as it is done. So the same command again does only what is
    missing, more deals add the difference, and Ctrl-C (exit 130) or a crash loses no more than the chunks under way.
    """
    from noddysim.commands.progress import listening
    from noddysim.insight.study import Amounts, amount_of, check_names, load_experiments, run_experiment

    means = Means(store, workers, chunk, engine, scheduler)
    check_table(table)
    experiments = load_experiments(files, Amounts(deals, games, seed))
    for experiment in experiments:
        check_names(experiment)
    total = sum(map(amount_of, experiments))
    with listening(total, quiet=quiet, log=log) as listener, stored_runner(means, listener) as runner:
        studies = [run_experiment(experiment, runner=runner) for experiment in experiments]
    if table is not None:
        write_table(studies, table)
    if as_json:
        data: dict[str, Any] = {"runs": [entry for study in studies for entry in run_entries(study, runner)]}
        print_json({**data, "partial": True} if runner.interrupted else data)
    else:
        say("\n\n".join([*(study_words(study) for study in studies), store_words(runner)]))
    if runner.interrupted:
        raise Interrupted(f"interrupted; what was finished is kept in {store}, and the same command goes on")


def run_entries(study: Study, runner: Runner) -> list[dict[str, Any]]:
    """The entries of ``runs``: one for each arm, variant, lead or fact of an experiment.

    ``new`` is what this batch added to the run, ``complete`` whether the store holds all that was asked.
    """
    return [
        {
            "experiment": study.experiment.name, **entry, "rule": study.experiment.stop.rule,
            "new": runner.new.get(entry["id"], 0),
            "complete": runner.is_complete(entry["id"]),
        }
        for entry in _entries(study)
    ]  # fmt: skip


def _entries(study: Study) -> list[dict[str, Any]]:
    entries = [found.to_json() for found in study.duels]
    if study.comparison is not None:
        for row in study.comparison.rows:
            data = row.to_json()
            entries.append(
                {
                    "id": row.id, "arm": f"{row.variant.name}, {row.players} players, {row.strategy}", **data["edge"],
                    "verdict": row.verdict, "row": data,
                }
            )  # fmt: skip
    for lead in study.leads:
        play = lead.seats[0]["play"]
        arm = f"{lead.rank} led, {lead.variant}, {lead.players} players, {lead.strategy}"
        entries.append({"id": lead.id, "arm": arm, **play.to_json(), "verdict": None})
    for fact in study.facts:
        entries.append({"id": fact.name, "arm": fact.name, "n": None, "verdict": "exact", **fact.to_json()})
    return entries


def study_words(study: Study) -> str:
    """An experiment and its answers as text."""
    stop = study.experiment.stop
    rule = [] if stop.rule == "fixed" else [f"Each arm {stop.words}.", ""]
    head = [study.experiment.question, f"({study.experiment.name})", "", *rule]
    if study.duels:
        return "\n".join([*head, *_duel_table(study.duels)])
    if study.comparison is not None and study.comparison.rows:
        return "\n".join([*head, *comparison_words(study.comparison)])
    if study.leads:
        return "\n".join([*head, *_lead_table(study)])
    if not study.facts:
        return "\n".join([*head, "Nothing was played yet."])
    return "\n".join([*head, *(fact.words for fact in study.facts)])


def _duel_table(found: Sequence[Duel]) -> list[str]:
    from noddysim.insight.numbers import format_count, format_estimate

    rows = [
        (
            one.arm, one.setting.against, f"{one.setting.variant.name}/{one.setting.players}",
            *(("-", "-") if one.concerned is None else (format_estimate(one.concerned, terminal=True), _unit(one))),
            "games" if one.setting.games else "deals", format_count(one.n, terminal=True), one.verdict,
        )
        for one in found
    ]  # fmt: skip
    head = ("arm", "against", "variant/players", "estimate (95 % interval)", "unit", "of", "n", "verdict")
    return columns(rows, head, right=(6,))


def _unit(found: Duel) -> str:
    """The unit of the effect in the seat concerned, with that seat where it is one."""
    assert found.concerned is not None
    one_seat = found.concerns_eldest and not found.setting.games
    return f"{found.concerned.unit} as {found.seat_concerned}" if one_seat else found.concerned.unit


def _lead_table(study: Study) -> list[str]:
    from noddysim.insight.numbers import format_count, format_estimate

    rows = [
        (
            lead.rank, f"{lead.variant}/{lead.players}", format_count(lead.deals, terminal=True),
            *(format_estimate(lead.seats[0][part], signed=False, terminal=True) for part in lead.seats[0]),
        )
        for lead in study.leads
    ]  # fmt: skip
    head = ("led", "variant/players", "deals", "from fifteens", "from thirty-ones", "in the play")
    unit = study.leads[0].seats[0]["play"].unit
    return [
        f"{unit.capitalize()} of the one who leads first, by the card led (95 % interval):",
        *columns(rows, head, (2,)),
    ]


@click.command(
    epilog=examples(
        "noddysim compare noddy noddy-no-jack --players 2 --games 200000",
        "noddysim compare noddy my-rules.toml --players 2,3 --strategy careful,greedy --json",
        "noddysim compare noddy noddy-61 cribbage --skill 20000 --csv tables",
    )
)
@click.argument("variants", nargs=-1, required=True, metavar="VARIANT...")
@click.option("--players", default="2", show_default=True, metavar="N,N", help="Numbers of players, parted by commas.")
@click.option(
    "--strategy",
    metavar="S,S",
    help="Strategy in every seat, parted by commas for several families of games (default greedy; most-points where "
    "melds or sets are laid).",
)
@click.option("--games", type=AMOUNT, default=100_000, show_default=True, metavar="N")
@click.option(
    "--band",
    type=click.FloatRange(0, 50, min_open=True, max_open=True),
    default=1.0,
    show_default=True,
    metavar="P",
    help="Fair is an edge within so many percentage points of nought.",
)
@click.option(
    "--skill",
    type=click.IntRange(0, 10**12),
    metavar="N",
    help="Duplicates of each pair of the ladder of strategies (default a tenth of the games; 0: none).",
)
@click.option("--ladder", metavar="A,B,C", help="Strategies of the ladder, the best first (default the usual ones).")
@click.option("--csv", "folder", metavar="DIR", help="Write all tables into this folder as CSV files too.")
@seed_option
@workers_option
@json_option
def compare(
    variants: tuple[str, ...],
    players: str,
    strategy: str | None,
    games: int,
    band: float,
    skill: int | None,
    ladder: str | None,
    folder: str | None,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """Set variants side by side: who wins, how long a game is and how it goes, where points come from, what skill does.

    All are played on the same cards, the same strategy in every seat. What each number means stands in docs/metrics.md.
    """
    from noddysim.commands.progress import bars
    from noddysim.engine.runner import Runner
    from noddysim.game.rules import load_variant
    from noddysim.insight.balance import compare as weigh
    from noddysim.insight.balance_files import check_folder, write_files

    numbers = _numbers(players)
    check_folder(folder)
    loaded = [load_variant(name) for name in variants]
    with bars() as announce:
        found = weigh(
            loaded, players=numbers, strategies=_names(strategy), games=games, seed=seed,
            runner=Runner(workers, announce), band=band / 100, skill=games // 10 if skill is None else skill,
            ladder=_names(ladder),
        )  # fmt: skip
    if folder is not None:
        write_files(found, folder)
    if as_json:
        print_json(found.to_json())
    else:
        say("\n".join(comparison_words(found)))


def _names(text: str | None) -> list[str] | None:
    """Strategies parted by commas; a comma in the path of a file is not foreseen."""
    return None if text is None else [part.strip() for part in text.split(",")]


def _numbers(text: str) -> list[int]:
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--players: {text!r} is not a list of numbers; write 2 or 2,3,4") from None
    if len(set(numbers)) != len(numbers):
        raise InputError(f"--players: {text!r} names a number twice")
    return numbers


def _more_lines(rows: Sequence[Row], told: Sequence[str]) -> list[str]:
    """What games in which melds or sets are laid have besides: chances by seat, and their other metrics."""
    from noddysim.insight.numbers import format_estimate
    from noddysim.insight.rows import SHARE

    table = []
    for row in rows:
        if not row.phases:  # after an interrupt the points a deal may be missing anywhere
            seats = {f"won by {seat}": win for seat, win in zip(row.side_names, row.seat_wins, strict=True)}
            more = {name.replace("_", " "): value for name, value in row.metrics.items() if name not in told}
            table += [
                (
                    row.variant.name, str(row.players), name,
                    format_estimate(value, signed=False, percent=value.unit == SHARE or None, terminal=True),
                    value.unit,
                )
                for name, value in {**seats, **more}.items()
            ]  # fmt: skip
    return ["", *columns(table, ("variant", "players", "besides", "estimate", "unit"))] if table else []


def _words_of_rows(found: Comparison) -> list[str]:
    """What follows the first sentence on each row: why, how games go, and which band is called fair."""
    from noddysim.insight.balance_words import band_words, course_words, fairness_words, why_words

    lines = []
    for row in found.rows:
        told = [words for words in (why_words(row, terminal=True), course_words(row, terminal=True)) if words]
        if told:
            lines.append(f"  {row.variant.name}, {row.players} players, {row.strategy}: {' '.join(told)}")
    return [*lines, *fairness_words(found), band_words(found.rows[0], terminal=True)]


def comparison_words(found: Comparison) -> list[str]:
    """A comparison as lines of text."""
    from noddysim.insight.balance import UNITS
    from noddysim.insight.balance_words import difference_words, metric_as_percent
    from noddysim.insight.numbers import format_estimate

    lines: list[str] = []
    for row in found.rows:
        lines.append(f"{row.variant.name}, {row.players} players, {row.strategy}: {row.words}")
    lines += _words_of_rows(found)
    names = ("edge", "deals", "cards", "lead_changes", "margin")
    rows = []
    for row in found.rows:
        values = {"edge": row.edge, **row.metrics}
        cells = [format_estimate(values[name], signed=name == "edge", terminal=True) for name in names]
        rows.append((row.variant.name, str(row.players), *cells))
    units = (UNITS[name] for name in ("deals", "cards", "lead_changes"))
    head = ("variant", "players", f"first dealer's edge, {UNITS['edge']}", *units, f"margin, {UNITS['margin']}")
    lines += ["", *columns(rows, head), *_more_lines(found.rows, names), "", "In brackets: 95 % intervals."]
    if found.differences:
        lines += ["", *difference_words(found, terminal=True)]
        table = [
            (
                f"{one.a} - {one.b}", str(one.players), one.metric.replace("_", " "),
                format_estimate(one.value, percent=metric_as_percent(one.value.unit), terminal=True), one.value.unit,
                "same cards" if one.paired else "different cards",
            )
            for one in found.differences
        ]  # fmt: skip
        lines += ["", *columns(table, ("difference", "players", "in", "estimate (95 % interval)", "unit", ""))]
    return [*lines, *([""] if found.notes else []), *found.notes]
