"""``bench``: the speed of the kernels and the memory of a long run on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from noddysim.commands.common import columns, examples, json_option, print_json, say

if TYPE_CHECKING:
    from noddysim.engine.bench import Memory, Timing
    from noddysim.insight.batch_bench import Cost


@click.command(epilog=examples("noddysim bench", "noddysim bench --size 200000 --json"))
@click.option(
    "--size", type=click.IntRange(1_000, 10**9), default=1_000_000, show_default=True, metavar="N",
    help="Deals in a timed round.",
)  # fmt: skip
@click.option("--rounds", type=click.IntRange(1, 99), default=5, show_default=True, metavar="N", help="Timed rounds.")
@click.option(
    "--memory-deals", type=click.IntRange(100_000, 10**10), default=10_000_000, show_default=True, metavar="N",
    help="Deals of the long run whose memory is set beside that of 100,000.",
)  # fmt: skip
@click.option(
    "--cluster/--no-cluster", default=True, show_default=True,
    help="Whether a Dask cluster of two processes is measured, where its library is installed.",
)  # fmt: skip
@json_option
def bench(size: int, rounds: int, memory_deals: int, cluster: bool, as_json: bool) -> None:
    """Measure the speed of this machine.

    CPU seconds are the median of the rounds. Busy machines give other seconds; the ratio to the bare dealing of cards,
    taken in the same run, is what can be set beside another machine's. What a second worker and a
    cluster do is told in wall time: ask an idle machine.
    """
    from noddysim.commands.progress import note_first_use
    from noddysim.engine.bench import block_gain, memory, run_bench, times_rival
    from noddysim.insight.batch_bench import batch_costs

    note_first_use()
    timings = run_bench(size, rounds)
    costs = batch_costs(size, rounds, cluster)
    peaks = memory(memory_deals)
    if as_json:
        found = {
            "timings": [timing.to_json() for timing in timings],
            "times_openspiel": times_rival(timings),
            "block_gain": block_gain(timings),
            "batches": [cost.to_json() for cost in costs],
            "memory": peaks.to_json() if peaks else None,
        }
        print_json(found)
    else:
        tail = [_block_line(block_gain(timings)), _rival_line(times_rival(timings)), _memory_line(peaks)]
        say("\n".join([*_timing_lines(timings), "", *_cost_lines(costs), "", *tail]))


def _timing_lines(timings: list[Timing]) -> list[str]:
    rows = [
        (
            timing.what, f"{timing.amount:,} {timing.kind}",
            f"{timing.seconds:.3f} ({timing.least:.3f} ... {timing.most:.3f})",
            _rate_words(timing.rate), f"{timing.ratio:.3g}",
        )
        for timing in timings
    ]  # fmt: skip
    head = ("what", "amount", "CPU seconds (least ... most)", "a second on one core", "ratio to dealing")
    return columns(rows, head, right=(1, 2, 3, 4))


def _block_line(gain: float) -> str:
    """Whether the compiler works on many deals at once; if not, the results are the same and only slow."""
    from noddysim.engine.bench import LEAST_GAIN

    if gain < LEAST_GAIN:
        return f"Blocks of deals are dealt only {gain:.1f} times as fast as single ones: they are not widened here."
    return f"Blocks of deals are dealt {gain:.1f} times as fast as single ones."


def _rival_line(times: float | None) -> str:
    """Our random cribbage beside that of the fastest general library."""
    from noddysim.engine.rivals import rival_name

    if times is None:
        return "OpenSpiel is not installed (pip install 'noddysim[oracle]'), so our cribbage is not set beside its."
    return f"Random cribbage: {times:.1f} games in the time {rival_name()} takes for one in its own compiled loop."


def _rate_words(rate: float) -> str:
    """Things a second: millions from ten thousand on, below that as they are."""
    return f"{rate / 1e6:.3g} million" if rate >= 10_000 else f"{rate:.3g}"


def _cost_lines(costs: list[Cost]) -> list[str]:
    rows = [
        (cost.what, f"{cost.median:.3g} ({cost.least:.3g} ... {cost.most:.3g})", cost.unit) for cost in costs
    ]  # fmt: skip
    return columns(rows, ("batches, pairs in turn", "median (least ... most)", "unit"), right=(1,))


def _memory_line(peaks: Memory | None) -> str:
    if peaks is None:
        return "Memory: this system does not tell."
    mega = 1024 * 1024
    return (
        f"Peak memory after {peaks.small_deals:,} deals {peaks.small / mega:.0f} MiB, "
        f"after {peaks.large_deals:,} deals {peaks.large / mega:.0f} MiB."
    )
