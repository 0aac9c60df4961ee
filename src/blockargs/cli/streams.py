"""What a command reads and prints; what others print while it runs goes elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import IO, Any

import click

from .._standard import fill_standard
from .._text import did_you_mean, quoted
from ..keywords import MAX_TEXT

OUT, ERR = 1, 2  # file descriptors


class Command(click.Command):
    """A command that runs the code of authors, if only by importing it: what that prints is not its output."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; `tell` prints for it."""
        with aside() as ctx.obj:
            return super().invoke(ctx)


@contextmanager
def aside() -> Iterator[IO[str] | None]:
    """Yield the stream for our own output; what anybody else prints, a child too, goes to standard error."""
    fill_standard()
    own = sys.stdout
    with redirect_stdout(sys.stderr):
        if _descriptor(own) != OUT:  # a stream in memory, or a closed one: no child prints there
            yield own
            return
        own.flush()
        kept = os.dup(OUT)
        os.dup2(ERR, OUT)
        stream = os.fdopen(kept, "w", encoding=own.encoding, errors=own.errors)
        try:
            yield stream
        finally:
            own.flush()  # somebody may have kept it
            os.dup2(kept, OUT)
            stream.close()


def tell(text: str, *, nl: bool = True) -> None:
    """Print *text*, which is what the command was run for."""
    click.echo(text, nl=nl, file=click.get_current_context().obj)


def read_text(name: str, most: int | None = MAX_TEXT) -> str:
    """Return the text of the file *name*, or of standard input for ``-``.

    Of one that has more than *most* bytes so much is read that whoever takes
    no more than *most* characters sees that it is too long.
    """
    raw = _bytes_of(name, -1 if most is None else most + 1)
    if most is not None and len(raw) > most:
        return raw.decode("latin-1")  # as many characters as bytes; nobody reads them
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as reason:
        raise click.UsageError(f"{_shown(name)}: byte {reason.start} is not UTF-8; give a text") from None


def missing(reason: OSError, name: str) -> str:
    """Return *reason*, why the file *name* could not be had, with the nearest name where there is none."""
    near = near_file(name) if isinstance(reason, FileNotFoundError) else ""
    return f"{reason.strerror}; {near}" if near else str(reason.strerror)


def near_file(name: str) -> str:
    """Return what *name*, a file that is not there, was probably meant to be."""
    path = Path(name)
    while not path.parent.is_dir():  # a folder may be missing as well
        path = path.parent
    try:
        beside = [one.name for one in path.parent.iterdir()]
    except OSError:  # nobody may look
        beside = []
    return did_you_mean(path.name, beside)


def _bytes_of(name: str, most: int) -> bytes:
    try:
        if name != "-":
            with Path(name).open("rb") as file:
                return file.read(most)
        if sys.stdin is None:
            raise click.UsageError("standard input is closed; give a file")
        return sys.stdin.buffer.read(most)
    except OSError as reason:
        raise click.UsageError(f"{_shown(name)}: {missing(reason, name)}") from None


def _shown(name: str) -> str:
    return "standard input" if name == "-" else quoted(name)


def _descriptor(stream: Any) -> int | None:
    try:
        found: int = stream.fileno()
    except (AttributeError, OSError, ValueError):
        return None
    return found
