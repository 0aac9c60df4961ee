"""MCP over standard input and output, or over given streams.

While serving, what constructors and their children print goes to standard error: nothing but messages reaches the wire.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, Unpack

from anyio import BrokenResourceError, ClosedResourceError
from mcp.server import Server

from .._standard import fill_standard
from .options import StdioOptions
from .server import server_of
from .streams import Incoming, Outgoing

ENDINGS = (BrokenResourceError, ClosedResourceError, asyncio.CancelledError, KeyboardInterrupt)


def serve_stdio(
    blocks: Any = None,
    *,
    name: str = "blockargs",
    version: str | None = None,
    stdin: BinaryIO | None = None,
    stdout: BinaryIO | None = None,
    **options: Unpack[StdioOptions],
) -> None:
    """Serve *blocks* over standard input and output until the client closes them.

    Args:
        blocks: A `Registry`, a `Toolset`, a block, or several; the default registry when left out.
            A server that `build_server` made is served as it is.
        name: What the server calls itself.
        version: Its version.
        stdin: A binary stream to read instead.
        stdout: A binary stream to write instead.
        **options: See `build_server`.

    Raises:
        InvalidOptionError: An option cannot be as given.
        InvalidToolsetError: The blocks cannot be offered together, or not with these options.
        ExceptionGroup: A stream that was given fails otherwise than with an `OSError` or a `ValueError`, which end it.
    """
    server = server_of(blocks, name=name, version=version, **options)
    with _wire(stdin, stdout) as (source, sink), suppress(KeyboardInterrupt):
        try:
            asyncio.run(run_stdio(server, source, sink))
        except BaseExceptionGroup as group:  # an interrupt while something was on its way is the end, no fault
            if (rest := group.split(ENDINGS)[1]) is not None:
                raise rest from None


async def run_stdio(server: Server[Any], stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve *server* over two binary streams until the first ends."""
    outgoing = Outgoing(stdout)
    await server.run(Incoming(stdin, outgoing), outgoing, server.create_initialization_options())


@contextmanager
def _wire(stdin: BinaryIO | None, stdout: BinaryIO | None) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Yield the streams of the wire; the process's own descriptors lead elsewhere meanwhile."""
    if stdin is not None and stdout is not None:
        yield stdin, stdout
        return
    fill_standard()
    _flush()
    kept_in, kept_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    source = os.fdopen(kept_in, "rb", buffering=0)
    sink = os.fdopen(kept_out, "wb", buffering=0)
    try:
        yield stdin or source, stdout or sink
    finally:
        _flush()
        os.dup2(kept_in, 0)
        os.dup2(kept_out, 1)
        source.close()
        sink.close()  # what is still written to it by a thread fails, and goes nowhere else


def _flush() -> None:
    if sys.stdout is not None:  # it is where the process began without
        sys.stdout.flush()
