"""``noddysim report``: answer experiments and write pages, pictures and tables on them."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from noddysim.commands.common import AMOUNT, GREATEST_SEED, examples, json_option, print_json, say


def _named(ctx: click.Context, param: click.Parameter, folder: str) -> str:
    """The name of a folder; an empty one would stand for the current folder, which hardly anybody means by it."""
    if not folder.strip():
        raise click.BadParameter("the name of the folder is empty; for the current folder write .", ctx, param)
    return folder


@click.command(epilog=examples("noddysim report", "noddysim report my-question.toml --to my-report --deals 50000"))
@click.argument("file", nargs=-1, type=click.Path())
@click.option(
    "--to", "folder", default="reports", show_default=True, metavar="FOLDER", callback=_named,
    help="Where the report goes.",
)  # fmt: skip
@click.option("--deals", type=AMOUNT, metavar="N", help="Deals to play instead of what the files say.")
@click.option("--games", type=AMOUNT, metavar="N", help="Games to play instead of what the files say.")
@click.option("--seed", type=click.IntRange(0, GREATEST_SEED), metavar="S", help="Seed instead of that of the files.")
@click.option("--workers", type=click.IntRange(1, 1024), metavar="N", help="Threads; all processors if left out.")
@click.option(
    "--store", metavar="FILE",
    help="Keep the experiments' counts in this file, as run does: what it holds already is not played again.",
)  # fmt: skip
@json_option
def report(
    file: tuple[str, ...],
    folder: str,
    deals: int | None,
    games: int | None,
    seed: int | None,
    workers: int | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Answer the experiments in FILEs and write the report: pages, pictures, tables.

    Without a FILE the standard experiments are taken: those of experiments/ in this folder, or else those that come
    with noddysim, and pages are added that hold our numbers against published ones, test the statistics on themselves
    and rate the strategies. --deals, --games and --seed bear
    on the files that play such; an option that bears on none of the FILEs is refused. The same call gives the same
    files, byte for byte. With --store the work of the experiments outlasts an interrupt.
    """
    from noddysim.commands.progress import bars
    from noddysim.insight.parts import Wanted, everything
    from noddysim.insight.report import build_report, standard_experiments
    from noddysim.insight.study import Amounts, amount_of, load_experiment, load_experiments

    amounts = Amounts(deals, games, seed)
    if file:
        experiments = load_experiments(file, amounts)
    else:  # the page on published numbers is played with them in any case
        experiments = [load_experiment(str(path), amounts) for path in standard_experiments()]
    command = repeat(file, {"deals": deals, "games": games, "seed": seed})
    wanted = Wanted() if file else everything(deals, games, seed)
    with bars(sum(map(amount_of, experiments)) + wanted.work) as announce:
        written = build_report(
            experiments, folder, wanted=wanted, workers=workers, announce=announce, command=command, store=store
        )
    first = [path for path in written if path.name == "index.html"]
    if as_json:
        print_json({"folder": folder, "files": [path.relative_to(folder).as_posix() for path in written]})
    else:
        say(f"{len(written)} files written; open {first[0]}")


def repeat(file: tuple[str, ...], amounts: dict[str, int | None]) -> str:
    """The command that makes the same report again; a file outside this folder stands there by its name alone."""
    names = [path.name if (path := Path(name)).is_absolute() else path.as_posix() for name in file]
    options = [part for key, value in amounts.items() if value is not None for part in (f"--{key}", str(value))]
    return shlex.join(["noddysim", "report", *names, *options])
