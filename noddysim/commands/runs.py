"""``runs``: what a store holds, run by run, and its counts as files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from noddysim.commands.common import Group, columns, examples, json_option, print_json, say
from noddysim.commands.stores import STORE, store_option

if TYPE_CHECKING:
    from noddysim.engine.store import Ask, Store


MADE_BY: Final = ("noddysim", "python", "numba", "numpy", "source", "kernels")
"""What made counts, in the order in which it is told."""


class Listing(Group):
    """A group that does something by itself: without a sub-command it lists."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments as they are."""
        return click.Group.parse_args(self, ctx, args)


@click.group(
    cls=Listing,
    invoke_without_command=True,
    epilog=examples(
        "noddysim runs", "noddysim runs show 3f2a", "noddysim runs export 3f2a --to counts", "noddysim runs --json"
    ),
)
@store_option
@json_option
@click.pass_context
def runs(ctx: click.Context, store: str, as_json: bool) -> None:
    """List the runs of a store: what was asked and how much is done.

    `noddysim run` fills the store. A run is named by its id; its beginning will do.
    """
    ctx.obj = store
    if ctx.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError(f"--json stands behind {ctx.invoked_subcommand}")
        return
    from noddysim.engine.runner import open_store

    with open_store(store, writing=False) as opened:
        asks = opened.asks()
    if as_json:
        print_json({"runs": [ask.to_json() for ask in asks]})
    else:
        say("\n".join(_list(asks)) if asks else f"{store} holds no runs yet.")


def _list(asks: list[Ask]) -> list[str]:
    from noddysim.insight.numbers import format_count

    rows = [
        (
            ask.id, ask.experiment, _arm_words(ask), format_count(ask.done, terminal=True),
            format_count(ask.asked, terminal=True), _state(ask),
        )
        for ask in asks
    ]  # fmt: skip
    return columns(rows, ("id", "experiment", "arm", "done", "asked", "state"), right=(3, 4))


def _arm_words(ask: Ask) -> str:
    """The arm with what tells it from others of the same name."""
    about = ask.about
    if "against" not in about:
        return ask.arm
    return f"{ask.arm} against {about['against']}, {about['variant']}/{about['players']}, {about['of']}"


def _state(ask: Ask) -> str:
    if not ask.complete:
        return "partial"
    return "complete" if ask.ended is None or ask.ended >= ask.asked else f"stopped by its rule at {ask.ended:,}"


def _store_of(ctx: click.Context, given: str | None) -> str:
    """The store named behind the sub-command, or before it."""
    return given or ctx.obj or STORE


def _inner_store(function: Any) -> Any:
    return click.option("--store", metavar="FILE", help=f"The store (default {STORE}).")(function)


@runs.command(epilog=examples("noddysim runs show 3f2a", "noddysim runs show 3f2a --store night.db --json"))
@click.argument("run", metavar="ID")
@_inner_store
@json_option
@click.pass_context
def show(ctx: click.Context, run: str, store: str | None, as_json: bool) -> None:
    """Show one run: what it is, how far it is, what made it, and the text its id is a hash of."""
    from noddysim.engine.runner import open_store

    with open_store(_store_of(ctx, store), writing=False) as opened:
        found = _facts(opened, run)
    if as_json:
        print_json(found)
    else:
        say(_show_words(found))


def _facts(store: Store, name: str) -> dict[str, Any]:
    number, whole, text = store.find(name)
    done = store.done(number)
    return {
        "id": whole,
        "asks": [ask.to_json() for ask in store.asks() if ask.id == whole],
        "done": sum(stop - start for start, stop in done),
        "ranges": [list(one) for one in done],
        "provenance": [{**facts, "n": n} for facts, n in store.provenances(number)],
        "text": text,
    }


def _show_words(found: dict[str, Any]) -> str:
    lines = [f"Run {found['id']}"]
    for ask in found["asks"]:
        about = ", ".join(f"{key} {ask[key]}" for key in ("variant", "players", "baseline", "against") if key in ask)
        state = "complete" if ask["complete"] else "partial"
        rest = f" ({about})" if about else ""
        lines.append(f"{ask['arm']}{rest}, in {ask['experiment']}: {ask['asked']:,} asked, {state}")
    spans = ", ".join(f"{start:,} to {stop - 1:,}" for start, stop in found["ranges"]) or "none"
    lines += [f"Done: {found['done']:,} (numbers {spans})", ""]
    for made in found["provenance"]:
        facts = ", ".join(f"{key} {made[key]}" for key in MADE_BY if key in made)
        lines.append(f"{made['n']:,} counted by {facts}")
    return "\n".join([*lines, "", "The id is a hash of this text:", found["text"]])


@runs.command(epilog=examples("noddysim runs export 3f2a --to counts"))
@click.argument("run", metavar="ID")
@click.option("--to", "folder", required=True, metavar="DIR", help="Where the files go; made if it is not there.")
@_inner_store
@json_option
@click.pass_context
def export(ctx: click.Context, run: str, folder: str, store: str | None, as_json: bool) -> None:
    """Write the counts of one run: ID.counts.csv, and ID.counts.parquet where pyarrow is installed.

    Columns: name, indices, count. The same counts give the same bytes of CSV, whoever counted them.
    """
    from noddysim.engine.runner import open_store
    from noddysim.insight.export import export_run

    with open_store(_store_of(ctx, store), writing=False) as opened:
        files = export_run(opened, run, folder)
    if as_json:
        print_json({"files": [path.as_posix() for path in files]})
        return
    say("\n".join(path.as_posix() for path in files))
    if len(files) == 1:
        say("No Parquet: install pyarrow for it (pip install 'noddysim[parquet]').")
