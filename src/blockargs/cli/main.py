"""``blockargs``: finds the command, runs it, and says in a line what went wrong."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import click

from .._text import did_you_mean, listing, quoted
from ..errors import (
    BlockArgsError,
    InvalidOptionError,
    MissingDependencyError,
    UnknownBlockError,
    UnknownDialectError,
    UnknownSourceError,
)
from .streams import missing

# command -> the module that has it, so that `table` need not load the server
COMMANDS: dict[str, str] = {
    "call": "answers",
    "check": "authors",
    "collect": "authors",
    "decode": "answers",
    "lint": "schemas",
    "list": "readers",
    "schema": "schemas",
    "serve": "serving",
    "show": "readers",
    "table": "readers",
}
WRONG_USE = 2  # exit code, as click's
# what the command was told to look at, or to do, is not there; faults of the blocks themselves are problems
WRONG_USE_ERRORS = (
    InvalidOptionError,
    MissingDependencyError,
    UnknownBlockError,
    UnknownDialectError,
    UnknownSourceError,
)


class Commands(click.Group):
    """Loads a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands, sorted."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command called *cmd_name*; of a wrong name the nearest is told, but for completion."""
        if cmd_name not in COMMANDS and not ctx.resilient_parsing:
            hint = did_you_mean(cmd_name, COMMANDS) or f"there are {listing(COMMANDS)}"
            raise click.UsageError(f"No such command {quoted(cmd_name)}; {hint}", ctx)
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"{__package__}.{COMMANDS[cmd_name]}")
        found: click.Command = getattr(module, f"{cmd_name}_command")
        return found

    def make_context(self, *args: Any, **given: Any) -> click.Context:
        """Read the command line; it may ask for help, which is printed."""
        with _reader_may_leave():
            return super().make_context(*args, **given)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _reader_may_leave():
            return super().invoke(ctx)


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """End well when the reader of stdout has gone: that is no fault."""
    try:
        yield
    except BrokenPipeError:
        # stdout must lead somewhere, or flushing it at exit fails again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(0) from None


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="blockargs", message="%(prog)s %(version)s")
def blockargs() -> None:
    """Describe the arguments of blocks once: tables, checks, tool schemas, decoding, an MCP server."""


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, 1 for problems found, 2 for wrong use."""
    try:
        code: Any = blockargs.main(args=args, prog_name="blockargs", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as usage:
        click.echo(usage.format_message())
        return WRONG_USE
    except click.ClickException as wrong:
        return _say(" ".join(_told(wrong).split()), WRONG_USE)
    except BlockArgsError as error:
        missed = any(p.code == UnknownSourceError.code for p in error.problems)  # among other problems
        wrong_use = missed or isinstance(error, WRONG_USE_ERRORS)
        return _say(str(error), WRONG_USE if wrong_use else 1)
    except SystemExit:  # a block's own code tried to end the program
        return 1
    except OSError as error:
        return _say(
            f"{error.filename}: {missing(error, str(error.filename))}" if error.filename else str(error), WRONG_USE
        )
    except (KeyboardInterrupt, click.Abort):
        return 130
    return code if isinstance(code, int) else 0


def _told(wrong: click.ClickException) -> str:
    """Return what is wrong, with the cure."""
    if isinstance(wrong, click.NoSuchOption) and not wrong.possibilities and wrong.ctx is not None:
        there = [name for option in wrong.ctx.command.params for name in option.opts if name.startswith("-")]
        return f"{wrong.format_message()} There are {listing([*there, '--help'])}."
    return wrong.format_message()


def _say(message: str, code: int) -> int:
    with suppress(BrokenPipeError):  # nobody reads it, but the code counts
        click.echo(f"blockargs: {message}", err=True)
    return code
