"""The two sides of a connection as the SDK's server reads and writes them: one line a message, in and out.

What is too long to be read, or is no request, is answered here, and costs only itself.
"""

from __future__ import annotations

import asyncio
import select
import selectors
from collections.abc import AsyncIterator
from contextlib import suppress
from types import TracebackType
from typing import Any, BinaryIO, Self

from anyio import CancelScope, EndOfStream
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from ..keywords import MAX_TEXT
from .chunks import chunks_of
from .incoming import ENDS, INVALID_REQUEST, Line, Refusal, id_in, received

GRACE = 1.0  # seconds that running calls have when the client has sent all; its own patience is two
AT_ONCE = getattr(select, "PIPE_BUF", 0)  # bytes that a pipe takes whole or not at all; where no one says, none


class _Side:
    """What the SDK asks of both sides."""

    async def aclose(self) -> None:
        """Do nothing: whose the stream is, closes it."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class Outgoing(_Side):
    """The messages to the client: written in turn, by whoever sends them, and which answers are still owed."""

    def __init__(self, stream: BinaryIO) -> None:
        """Write to *stream*."""
        self._stream = stream
        self._turn = asyncio.Lock()
        self._takes_at_once = _ready_check(stream)
        self._owed: set[Any] = set()  # ids of requests that are not answered yet
        self._answered = asyncio.Event()

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message of the SDK's."""
        message = item.message
        await self.write(message.model_dump_json(by_alias=True, exclude_unset=True))
        if not hasattr(message, "method"):  # it is an answer
            self._owed.discard(message.id)
            self._answered.set()

    async def write(self, text: str) -> None:
        """Write *text* as a line, without ever blocking the loop; a reader that is gone is no fault."""
        data = f"{text}\n".encode()
        if len(data) <= AT_ONCE and not self._turn.locked() and self._takes_at_once():
            with suppress(OSError, ValueError):
                _write(self._stream, data)
            return
        async with self._turn:
            with CancelScope(shield=True), suppress(OSError, ValueError):  # half a line would spoil the next
                await asyncio.to_thread(_write, self._stream, data)

    def expect(self, line: Line) -> None:
        """Remember that the answer that *line* asks for is owed."""
        if line.asks is not None:
            self._owed.add(line.asks)
        self._owed.discard(line.ends)

    async def settled(self) -> None:
        """Wait a moment for the answers that are owed: the SDK ends what runs when the input ends."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                while self._owed:
                    self._answered.clear()
                    await self._answered.wait()


class Incoming(_Side):
    """The messages from the client."""

    def __init__(self, stream: BinaryIO, outgoing: Outgoing) -> None:
        """Read *stream*; lines that are no requests are answered on *outgoing*."""
        self._stream = stream
        self._outgoing = outgoing
        self._messages = self._all()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return await anext(self._messages)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message.

        Raises:
            EndOfStream: There is none.
        """
        try:
            return await anext(self._messages)
        except StopAsyncIteration:
            raise EndOfStream from None

    async def _all(self) -> AsyncIterator[SessionMessage | Exception]:
        async for data in self._lines():
            found = received(data)
            if isinstance(found, Refusal):
                await self._outgoing.write(found.line())
                continue
            try:
                message = jsonrpc_message_adapter.validate_python(found.message, by_name=False)
            except ValueError as reason:  # an answer that is none: the SDK's to tell its log
                yield reason
                continue
            self._outgoing.expect(found)
            yield SessionMessage(message)
        await self._outgoing.settled()

    async def _lines(self) -> AsyncIterator[bytearray]:
        """Yield the lines until the stream ends; half a message at the end is nobody's."""
        rest = bytearray()
        over = 0  # bytes of a line that is too long
        async for chunk in chunks_of(self._stream):
            *whole, tail = chunk.split(b"\n")
            for part in whole:
                size = (over or len(rest)) + len(part)
                rest += part
                if size > MAX_TEXT:
                    message = f"a message of {size} bytes; at most {MAX_TEXT} are read"
                    await self._outgoing.write(Refusal(INVALID_REQUEST, message, id_in(rest)).line())
                elif rest.strip():
                    yield rest
                rest.clear()
                over = 0
            size = (over or len(rest)) + len(tail)
            rest += tail
            if size > MAX_TEXT:
                over = size
                del rest[ENDS:-ENDS]
        if rest and not over and isinstance(received(rest), Line):  # a last line without its end
            yield rest


def _ready_check(stream: BinaryIO) -> Any:
    """Return a function that tells whether a short write to *stream* would not block."""
    try:
        poll = select.poll()
        poll.register(stream.fileno(), select.POLLOUT)
    except (OSError, ValueError, AttributeError):  # no descriptor: a stream in memory never blocks
        return lambda: True
    return lambda: any(event & select.POLLOUT for _, event in poll.poll(0))


def _write(stream: BinaryIO, data: bytes) -> None:
    """Write all of *data*, however long that takes: a descriptor that does not block takes what it has room for."""
    view = memoryview(data)
    while view:
        try:
            taken: int | None = stream.write(view)
        except BlockingIOError as full:  # what a buffer says; the descriptor itself says None
            taken = full.characters_written
        if not taken:
            _wait_for_room(stream)
        view = view[taken or 0 :]
    while not _flushed(stream):
        _wait_for_room(stream)


def _flushed(stream: BinaryIO) -> bool:
    try:
        stream.flush()
    except BlockingIOError:
        return False
    return True


def _wait_for_room(stream: BinaryIO) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_WRITE)
        selector.select()
