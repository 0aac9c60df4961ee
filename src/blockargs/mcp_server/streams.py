"""The two sides of a connection as the SDK's server reads and writes them: one line a message, in and out.

What is too long to be read, or is no request, is answered here, and costs only itself.
"""

from __future__ import annotations

import asyncio
import select
import selectors
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from types import TracebackType
from typing import Any, BinaryIO, Self

from anyio import EndOfStream
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from ..dispatch.threads import in_thread
from ..keywords import MAX_TEXT
from .chunks import chunks_of
from .incoming import ENDS, INVALID_REQUEST, Line, Refusal, id_in, received

GRACE = 1.0  # seconds without any news that running calls have when the client has sent all; its own patience is two
PIECE = 1 << 16  # bytes that are written at a time
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
    """The messages to the client: one line after the other, and which answers are still owed."""

    def __init__(self, stream: BinaryIO) -> None:
        """Write to *stream*."""
        self._stream = stream
        self._takes_at_once = _ready_check(stream)
        self._waiting: deque[tuple[bytes, asyncio.Future[None]]] = deque()  # lines that wait for their turn
        self._pump: asyncio.Task[None] | None = None
        self._moved = 0  # grows whenever something of a line was taken
        self._owed: set[Any] = set()  # ids of requests that are not answered yet
        self._news = asyncio.Event()  # an answer was written, or nothing waits any more

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message of the SDK's."""
        message = item.message
        await self.write(message.model_dump_json(by_alias=True, exclude_unset=True))
        if not hasattr(message, "method"):  # it is an answer
            self._owed.discard(message.id)
            self._news.set()

    async def write(self, text: str) -> None:
        """Write *text* as a line, without ever blocking the loop; a reader that is gone is no fault.

        Where the caller is cancelled before the line has its turn, it is not written; a line that is begun is ended.
        """
        data = f"{text}\n".encode()
        if self._pump is None and len(data) <= AT_ONCE and self._takes_at_once():
            with suppress(OSError, ValueError):
                _write(self._stream, data)
            return
        line = data, asyncio.get_running_loop().create_future()
        self._waiting.append(line)
        if self._pump is None:
            self._pump = asyncio.create_task(self._write_all())
        try:
            await line[1]
        except asyncio.CancelledError:
            with suppress(ValueError):  # it has its turn already
                self._waiting.remove(line)
            raise

    async def _write_all(self) -> None:
        """Write what waits: in a task of its own, which nobody cancels in the middle of a line."""
        while self._waiting:
            data, written = self._waiting.popleft()
            fault = await self._taken(data)
            if written.done():  # its caller was cancelled meanwhile
                continue
            if fault is None:
                written.set_result(None)
            else:
                written.set_exception(fault)
        self._pump = None
        self._news.set()

    async def _taken(self, data: bytes) -> BaseException | None:
        """Write *data* in a thread, which may block for as long as the reader likes; return what went wrong."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[BaseException | None] = loop.create_future()

        def work() -> BaseException | None:
            try:
                for start in range(0, len(data), PIECE):
                    _write(self._stream, data[start : start + PIECE])
                    self._moved += 1
            except (OSError, ValueError):  # the reader is gone
                return None
            except BaseException as fault:  # noqa: BLE001 - a stream of the host's own may fail in any way
                return fault
            return None

        def deliver(fault: BaseException | None) -> None:
            with suppress(RuntimeError):  # the loop is closed: an interrupt ended the server
                loop.call_soon_threadsafe(ended.set_result, fault)

        in_thread("blockargs-stdout", work, deliver)
        return await ended

    def expect(self, line: Line) -> None:
        """Remember that the answer that *line* asks for is owed."""
        if line.asks is not None:
            self._owed.add(line.asks)
        self._owed.discard(line.ends)

    async def settled(self) -> None:
        """Wait for the answers that are owed, until for a moment nothing of them comes: then the SDK ends what runs."""
        while self._owed or self._pump is not None:
            before = self._moved
            self._news.clear()
            try:
                async with asyncio.timeout(GRACE):
                    await self._news.wait()
            except TimeoutError:
                if self._moved == before:
                    return


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
        async for data, is_whole in self._lines():
            found = received(data)
            if isinstance(found, Refusal):
                if is_whole:  # half a message at the end is nobody's
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

    async def _lines(self) -> AsyncIterator[tuple[bytearray, bool]]:
        """Yield the lines until the stream ends, and whether each has its end."""
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
                    yield rest, True
                rest.clear()
                over = 0
            size = (over or len(rest)) + len(tail)
            rest += tail
            if size > MAX_TEXT:
                over = size
                del rest[ENDS:-ENDS]
        if rest and not over:
            yield rest, False


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
