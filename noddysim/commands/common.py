"""What all commands share: options, errors as one line, JSON, and text that any terminal can show.

Only the standard library and click are imported here, since every start of the program imports this module.
"""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import click

from noddysim.game.errors import Failure, InputError

PROGRAM: Final = "noddysim"
DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
"""Exits: all done; failed midway; usage or input refused before anything started; interrupted."""

DEBUG: Final = "NODDYSIM_DEBUG"
"""Environment variable: set to 1, an unexpected failure prints its traceback."""

DEFAULT_SEED: Final = 1589
GREATEST_SEED: Final = 2**64 - 1
GREATEST_NUMBER: Final = 2**63 - 1
AMOUNT: Final = click.IntRange(1, 10**12)
"""A number of deals or games on the command line."""

F = TypeVar("F", bound=Callable[..., Any])


# --- options --------------------------------------------------------------------------------------------------------


class WholeNumber(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A whole number from ``least`` to ``greatest`` (None: no end), refused in words if it is anything else."""

    name = "whole number"

    def __init__(self, least: int, greatest: int | None = None) -> None:
        self.least = least
        self.greatest = greatest

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; thousands may be set apart by underscores, as in a file of experiments."""
        try:
            number = int(value)
        except ValueError:
            number = self.least - 1
        if number < self.least or (self.greatest is not None and number > self.greatest):
            end = " up" if self.greatest is None else f" to {self.greatest}"
            self.fail(f"{value!r} must be a whole number from {self.least}{end}", param, ctx)
        return number


def json_option(function: F) -> F:
    """``--json``, passed on as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")(function)


def variant_option(function: F) -> F:
    """``--variant``, a name or the path of a file; ``noddy`` if left out."""
    words = "Rules: a name that `noddysim variants` lists, or the path of a TOML file."
    return click.option("--variant", default="noddy", show_default=True, metavar="NAME", help=words)(function)


def players_option(function: F) -> F:
    """``--players``, a number or None; whether the variant allows it is for the call to say."""
    words = "How many play; the fewest the rules allow if left out."
    return click.option("--players", type=int, default=None, metavar="N", help=words)(function)


def seed_option(function: F) -> F:
    """``--seed``, from 0 to 2^64 - 1."""
    return click.option(
        "--seed",
        type=WholeNumber(0, GREATEST_SEED),
        default=DEFAULT_SEED,
        show_default=True,
        metavar="S",
        help="Whole number that fixes all deals.",
    )(function)


def examples(*lines: str) -> str:
    """The end of a help text: commands to try, each on a line of its own."""
    head = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join(["\b", head, *(f"  {line}" for line in lines)])


# --- output ---------------------------------------------------------------------------------------------------------


def print_json(data: object) -> None:
    """Write data as JSON, indented, in plain ASCII, so that no terminal and no pipe can garble it."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=True, allow_nan=False))


def say(text: str) -> None:
    """Write text for people. Commands call this once all is computed: after an error nothing has been printed."""
    click.echo(text)


def columns(rows: Iterable[Sequence[str]], head: Sequence[str] = (), right: Iterable[int] = ()) -> list[str]:
    """Lines of text in columns two spaces apart; the columns numbered in ``right`` end flush."""
    table = [tuple(head), *map(tuple, rows)] if head else list(map(tuple, rows))
    flush = set(right)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [
            cell.rjust(width) if place in flush else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


_PLAIN: Final[Mapping[str, str]] = {
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{NO-BREAK SPACE}": " ",
    "\N{NARROW NO-BREAK SPACE}": " ",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHTWARDS ARROW}": "->",
}


def _plain_signs(error: UnicodeError) -> tuple[str, int]:
    """Stand-ins for signs that an encoding does not have; a question mark where there is none."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_PLAIN.get(sign, "?") for sign in lost), error.end


def prepare_streams() -> None:
    """Let standard output and error print signs that their encoding lacks in a plain form instead of failing."""
    codecs.register_error(PROGRAM, _plain_signs)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PROGRAM)


KIND_WORDS: Final[Mapping[str, str]] = {
    "twentyfive": "twenty-five",
    "thirtyone": "thirty-one",
    "pair-royal": "pair royal",
    "double-pair-royal": "double pair royal",
    "jacks_deuces": "jacks and deuces",
}
"""Kinds of points whose name in the data is not what a player calls them."""


def kind_words(kind: str) -> str:
    """A kind of points as a player calls it."""
    return KIND_WORDS.get(kind, kind)


# --- errors ---------------------------------------------------------------------------------------------------------


class Interrupted(Exception):
    """The user stopped a command. A text says what became of it."""


class Group(click.Group):
    """A group of commands whose failures are one line on standard error and an exit of their own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("no_args_is_help", False)
        super().__init__(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; nothing at all asks for help."""
        return super().parse_args(ctx, args or ["--help"])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the sub-command; for a name that does not exist, say which one is near."""
        name = args[0]
        if not name.startswith("-") and name not in self.list_commands(ctx):
            raise click.UsageError(f"no command is called {name!r}{self._near(ctx, name)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the sub-command; an interrupt is kept from click, which would write an empty line for it."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise Interrupted(str(stop)) from stop

    def _near(self, ctx: click.Context, name: str) -> str:
        import difflib

        known = self.list_commands(ctx)
        close = difflib.get_close_matches(name.lower(), known, n=1)
        return f"; did you mean {close[0]!r}?" if close else f"; commands are {', '.join(known)}"

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> int:
        """Run a command line and return its exit; ends the process instead if ``standalone_mode``."""
        prepare_streams()
        code = self._exit_of(args, prog_name or PROGRAM, extra)
        if standalone_mode:
            sys.exit(code)
        return code

    def _exit_of(self, args: Sequence[str] | None, prog_name: str, extra: Mapping[str, Any]) -> int:
        try:
            code = super().main(args, prog_name, standalone_mode=False, **extra)
            sys.stdout.flush()
            return code if isinstance(code, int) else DONE
        except InputError as error:
            return _refuse(str(error), REFUSED)
        except click.ClickException as error:
            return _refuse(_usage_words(error), error.exit_code)
        except Failure as error:
            return _refuse(f"failed: {error}", FAILED)
        except (click.Abort, KeyboardInterrupt, Interrupted) as stop:
            if sys.stderr.isatty():  # the terminal has written ^C, and the line goes on behind it
                click.echo(err=True)
            words = str(stop) if isinstance(stop, Interrupted) else ""
            return _refuse(words or "interrupted", INTERRUPTED)
        except SystemExit as end:  # click ends so when the reader of a pipe has gone
            return end.code if isinstance(end.code, int) else FAILED
        except OSError as error:
            return _nobody_reads() if _is_broken_pipe(error) else _failed(error)
        except Exception as error:
            return _failed(error)


def _refuse(message: str, code: int) -> int:
    click.echo(f"{PROGRAM}: {' '.join(message.split())}", err=True)
    return code


def _usage_words(error: click.ClickException) -> str:
    """What click found wrong, in one line, and where to read on."""
    message = error.format_message().rstrip()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        end = "" if message.endswith((".", "?", "!")) else "."
        return f"{message}{end} See: {error.ctx.command_path} --help"
    return message


def _failed(error: Exception) -> int:
    if os.environ.get(DEBUG) == "1":
        traceback.print_exc()
    message = str(error) or "no more is known"
    hint = "" if os.environ.get(DEBUG) == "1" else f" ({DEBUG}=1 shows where)"
    return _refuse(f"failed: {type(error).__name__}: {message}{hint}", FAILED)


def _is_broken_pipe(error: OSError) -> bool:
    """Whether the reader of the output has gone; Windows calls that an invalid argument and names no file."""
    on_windows = os.name == "nt" and error.errno == errno.EINVAL and error.filename is None
    return on_windows or isinstance(error, BrokenPipeError)


def _nobody_reads() -> int:
    """End quietly, and leave nothing to write when the interpreter shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED
