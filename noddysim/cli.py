"""The command line: a table of commands, each imported only when it is run or its own help is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import click

from noddysim import __version__
from noddysim.commands.common import PROGRAM, Group, examples


class Entry(NamedTuple):
    """Where a command stands, and the line that ``noddysim --help`` prints for it."""

    module: str
    attribute: str
    help: str


COMMANDS: Final[Mapping[str, Entry]] = {
    "score": Entry("noddysim.commands.hands", "score", "Score a hand in the show."),
    "peg": Entry("noddysim.commands.hands", "peg", "Score a play whose cards are given in order."),
    "replay": Entry("noddysim.commands.hands", "replay", "Show a deal or a whole game card by card."),
    "duel": Entry("noddysim.commands.evidence", "duel", "Measure one strategy or tip against another."),
    "run": Entry("noddysim.commands.evidence", "run_files", "Run experiment files."),
    "runs": Entry("noddysim.commands.runs", "runs", "List, show or export what a store holds."),
    "compare": Entry("noddysim.commands.evidence", "compare", "Compare the balance of variants."),
    "handicap": Entry("noddysim.commands.balance", "handicap", "Find the head start that makes a game even."),
    "sensitivity": Entry(
        "noddysim.commands.balance", "sensitivity", "See which disputed readings of the rules matter."
    ),
    "fairest": Entry("noddysim.commands.balance", "fairest", "Search a space of rules for the fairest."),
    "plan": Entry("noddysim.commands.plan", "plan", "How much to play for a wished precision."),
    "ratings": Entry("noddysim.commands.ratings", "ratings", "Rate strategies by a round robin."),
    "exact": Entry("noddysim.commands.exact", "exact", "Count instead of sampling."),
    "solve": Entry("noddysim.commands.solve", "solve", "Best play of two, with its proof."),
    "advise": Entry("noddysim.commands.advise", "advise", "What every card is worth, and what it loses."),
    "analyse": Entry("noddysim.commands.analyse", "analyse", "What the choices of a recorded game have lost."),
    "report": Entry("noddysim.commands.report", "report", "Build the strategy report."),
    "variants": Entry("noddysim.commands.lists", "variants", "List variants, or print the rules of one."),
    "strategies": Entry("noddysim.commands.lists", "strategies", "List strategies, or describe one."),
    "tips": Entry("noddysim.commands.lists", "tips", "List the tips, or explain one."),
    "claims": Entry("noddysim.commands.lists", "claims", "List what the sources claim, with verdicts."),
    "verify": Entry("noddysim.commands.verify", "verify", "Check that the verdicts can be trusted."),
    "bench": Entry("noddysim.commands.bench", "bench", "Measure the speed of this machine."),
}


class LazyGroup(Group):
    """A group that knows its commands by the table and imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None if the table has none of this name."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = getattr(importlib.import_module(entry.module), entry.attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{entry.module}.{entry.attribute} is not a command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, importing none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    click.echo(f"{PROGRAM} {__version__}")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        'noddysim score "5H 5D 5C" --starter 5S',
        "noddysim duel lead-low@greedy-random greedy-random --deals 200000",
        "noddysim report",
    ),
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Version.")
def cli() -> None:
    """Ask what advice and rules of Noddy, the old English card game, are worth.

    Answers come with their interval, or exactly where counting is possible. Every command has --help with an example;
    most take --json.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit.

    ``arguments`` are those of the process if left out. Exits: 0 done, 1 failed midway, 2 usage or input refused,
    130 interrupted.
    """
    given: Any = None if arguments is None else list(arguments)
    return cli.main(given, PROGRAM, standalone_mode=False)
