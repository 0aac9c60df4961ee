"""MCP over standard input and output, or over given streams.

A line is a message. What is too long to be read, or is no request, is answered
with an error and costs only itself. While serving, what constructors and their children print goes to
standard error: nothing but messages reaches the wire.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import select
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, Unpack

from anyio import BrokenResourceError, ClosedResourceError
from mcp.server import Server
from mcp.server.stdio import stdio_server

from ..keywords import MAX_TEXT
from .incoming import ENDS, INVALID_REQUEST, Line, Refusal, id_in, received
from .options import StdioOptions
from .server import server_of

CHUNK = 1 << 16
ENDINGS = (BrokenResourceError, ClosedResourceError, asyncio.CancelledError, KeyboardInterrupt)
GRACE = 1.0  # seconds that running calls have when the client has sent all; its own patience is two
_ANSWER = re.compile(r'\{"jsonrpc": ?"2\.0", ?"id": ?(-?[0-9]+|"(?:[^"\\]|\\.)*")')
AT_ONCE = getattr(select, "PIPE_BUF", 0)  # bytes that a pipe takes whole or not at all; where no one says, none


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
        OSError: A stream that was given fails.
    """
    server = server_of(blocks, name=name, version=version, **options)
    with _wire(stdin, stdout) as (source, sink), suppress(KeyboardInterrupt):
        try:
            asyncio.run(run_stdio(server, source, sink))
        except BaseExceptionGroup as group:  # a stream that closed while something was on its way is the end, no fault
            if (rest := group.split(ENDINGS)[1]) is not None:
                raise rest from None


async def run_stdio(server: Server[Any], stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve *server* over two binary streams until the first ends."""
    sink = Sink(stdout)
    source: Any = Lines(stdin, sink)
    writer: Any = sink
    async with stdio_server(source, writer) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


@contextmanager
def _wire(stdin: BinaryIO | None, stdout: BinaryIO | None) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Yield the streams of the wire; the process's own descriptors lead elsewhere meanwhile."""
    if stdin is not None and stdout is not None:
        yield stdin, stdout
        return
    sys.stdout.flush()
    kept_in, kept_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    source = os.fdopen(kept_in, "rb", buffering=0, closefd=False)
    sink = os.fdopen(kept_out, "wb", buffering=0, closefd=False)
    try:
        yield stdin or source, stdout or sink
    finally:
        sys.stdout.flush()
        os.dup2(kept_in, 0)
        os.dup2(kept_out, 1)


class Lines:
    """The lines of a stream, read in a thread: what the SDK iterates over."""

    def __init__(self, stream: BinaryIO, sink: Sink) -> None:
        """Read *stream*; lines that are no requests are answered on *sink*."""
        self._stream = stream
        self._sink = sink
        self._room = threading.Semaphore(64)  # chunks that may wait: a flood is read no faster than it is served

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield the lines until the stream ends; half a message at the end is nobody's."""
        loop = asyncio.get_running_loop()
        chunks: asyncio.Queue[bytes] = asyncio.Queue()
        threading.Thread(target=self._read, args=(loop, chunks), name="blockargs-stdin", daemon=True).start()
        rest = bytearray()
        over = 0  # bytes of a line that is too long
        while chunk := await chunks.get():
            self._room.release()
            *whole, tail = chunk.split(b"\n")
            for part in whole:
                size = (over or len(rest)) + len(part)
                rest += part
                if size > MAX_TEXT:
                    message = f"a message of {size} bytes; at most {MAX_TEXT} are read"
                    await self._sink.write(Refusal(INVALID_REQUEST, message, id_in(rest)).line() + "\n")
                elif rest.strip():
                    found = received(rest)
                    if isinstance(found, Line):
                        yield self._sink.expecting(found)
                    else:
                        await self._sink.write(found.line() + "\n")
                rest.clear()
                over = 0
            size = (over or len(rest)) + len(tail)
            rest += tail
            if size > MAX_TEXT:
                over = size
                del rest[ENDS:-ENDS]
        if rest and not over and isinstance(found := received(rest), Line):  # a last line without its end
            yield self._sink.expecting(found)
        await self._sink.settled()

    def _read(self, loop: asyncio.AbstractEventLoop, chunks: asyncio.Queue[bytes]) -> None:
        read = getattr(self._stream, "read1", self._stream.read)
        chunk = b"-"
        while chunk:
            try:
                chunk = read(CHUNK) or b""
            except (OSError, ValueError):  # closed under us: the client is gone
                chunk = b""
            self._room.acquire()
            try:
                loop.call_soon_threadsafe(chunks.put_nowait, chunk)
            except RuntimeError:  # the loop is gone
                return


class Sink:
    """Where lines are written, in turn: what the SDK writes to, and what knows which answers are still owed."""

    def __init__(self, stream: BinaryIO) -> None:
        """Write to *stream*."""
        self._stream = stream
        self._turn = asyncio.Lock()
        self._at_once = _ready_check(stream)
        self._owed: set[Any] = set()  # ids of requests that are not answered yet
        self._written = asyncio.Event()

    def expecting(self, line: Line) -> str:
        """Return the text of *line*; the answer that it asks for is owed."""
        if line.asks is not None:
            self._owed.add(line.asks)
        self._owed.discard(line.ends)
        return line.text

    async def settled(self) -> None:
        """Wait a moment for the answers that are owed: the SDK ends what runs when the input ends."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                while self._owed:
                    self._written.clear()
                    await self._written.wait()

    async def write(self, text: str) -> None:
        """Write *text*, without ever blocking the loop; a reader that is gone is no fault."""
        data = text.encode()
        async with self._turn:
            with suppress(OSError, ValueError):
                if len(data) <= AT_ONCE and self._at_once():
                    _write(self._stream, data)
                else:
                    await asyncio.to_thread(_write, self._stream, data)
        if (found := _ANSWER.match(text)) is not None:
            self._owed.discard(json.loads(found[1]))
            self._written.set()

    async def flush(self) -> None:
        """Do nothing: what is written is sent."""


def _ready_check(stream: BinaryIO) -> Any:
    """Return a function that tells whether a short write to *stream* would not block."""
    try:
        poll = select.poll()
        poll.register(stream.fileno(), select.POLLOUT)
    except (OSError, ValueError, AttributeError):  # no descriptor: a stream in memory never blocks
        return lambda: True
    return lambda: any(event & select.POLLOUT for _, event in poll.poll(0))


def _write(stream: BinaryIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[stream.write(view) :]
    stream.flush()
