"""``verify``: the statistics of the program tested on themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from noddysim.commands.common import DONE, FAILED, columns, examples, json_option, print_json, say

if TYPE_CHECKING:
    from noddysim.insight.selfcheck import Check
    from noddysim.insight.selfcheck_run import SelfCheck

PLANT_NAMES: Final = ("unpaired", "variance", "normal", "peeking")


@click.command(epilog=examples("noddysim verify --quick", "noddysim verify --plant peeking"))
@click.option("--quick", is_flag=True, help="Fewer experiments: some seconds instead of about a minute.")
@click.option(
    "--plant", type=click.Choice(PLANT_NAMES),
    help="Put a known error in place of the right formula; the check must then fail.",
)  # fmt: skip
@json_option
@click.pass_context
def verify(ctx: click.Context, quick: bool, plant: str | None, as_json: bool) -> None:
    """Check that the verdicts can be trusted.

    Thousands of experiments whose truth is known are made with the program's own functions: intervals must hold the
    truth as often as they say, a strategy against itself must gain exactly nothing, null tips must raise no more false
    alarms than stated, and real effects must be found as often as planned. Exits with 1 if any check fails.
    """
    from noddysim.commands.progress import bars
    from noddysim.insight.selfcheck_run import self_check

    with bars() as announce:
        found = self_check(quick, plant, announce("checks", checks_in(quick)))
    if as_json:
        print_json(found.to_json())
    else:
        say("\n".join(lines_of(found)))
    ctx.exit(DONE if found.ok else FAILED)


def checks_in(quick: bool) -> int:
    """About how many checks there are, for the progress bar."""
    from noddysim.insight.selfcheck_noughts import MORE, QUICK

    return 24 + len(QUICK) + (0 if quick else len(MORE))


def lines_of(found: SelfCheck) -> list[str]:
    """A line a check by family, then the answer."""
    from noddysim.insight.selfcheck import ALARM, FAMILIES, PLANT_WORDS, SEED
    from noddysim.insight.variance import MEANING

    lines = []
    for family, title in FAMILIES.items():
        rows = [(_word(check), *cells_of(check), check.what) for check in found.of(family)]
        lines += [title, *columns(rows, ("", "observed", "allowed", "what"), right=(1,)), ""]
    if found.variance:
        one = found.variance[0]
        lines.append(f"Luck taken out of a duel of {one.deals:,} deals (seed {one.seed}), Noddy, two players")
        lines += [*(f"  {told.words(terminal=True)}" for told in found.variance), MEANING, ""]
    failed = [check.name for check in found.checks if not check.ok]
    if found.plant:
        lines.append(f"Planted on purpose: {PLANT_WORDS[found.plant]}.")
    if failed:
        lines.append(f"FAILED: {', '.join(failed)} ({len(failed)} of {len(found.checks)} checks).")
    else:
        lines.append(
            f"All {len(found.checks)} checks hold. Seed {SEED}; a right program fails with fewer than one seed in "
            f"{round(1 / ALARM):,}."
        )
    return lines


def _word(check: Check) -> str:
    return "ok" if check.ok else "FAIL"


def cells_of(check: Check) -> tuple[str, str]:
    """What was observed and what is allowed, as text."""
    from noddysim.insight.numbers import digits_for

    if check.share:
        ends = f"{100 * check.low:.1f} ... {100 * check.high:.1f} %"
        return f"{100 * check.observed:.2f} %", ends
    if check.low == check.high:
        return f"{check.observed:g}", f"{check.low:g}"
    digits = digits_for((check.high - check.low) / 2)
    ends = f"{check.low:.{digits}f} ... {check.high:.{digits}f}"
    return f"{check.observed:.{digits}f}", ends
