"""The bytes of a stream as they come, without ever blocking the event loop."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import AsyncIterator
from typing import BinaryIO

CHUNK = 1 << 16
WAITING = 64  # chunks that a thread may read ahead: a flood is read no faster than it is served


async def chunks_of(stream: BinaryIO) -> AsyncIterator[bytes]:
    """Yield the bytes of *stream* until it ends, or is closed under us."""
    chunks = _polled(stream) if _can_be_polled(stream) else _read_ahead(stream)
    async for chunk in chunks:
        yield chunk


def _can_be_polled(stream: BinaryIO) -> bool:
    """Tell whether the loop itself can wait for *stream*: a pipe, a socket or a terminal, without a buffer on it."""
    if not isinstance(stream, io.FileIO):
        return False
    loop = asyncio.get_running_loop()
    try:
        loop.add_reader(stream.fileno(), int)
        loop.remove_reader(stream.fileno())
    except (OSError, ValueError, NotImplementedError):  # a file on a disk, a closed one, a loop that cannot
        return False
    return True


async def _polled(stream: BinaryIO) -> AsyncIterator[bytes]:
    while True:
        try:
            await _ready(stream.fileno())
            chunk = stream.read(CHUNK)
        except (OSError, ValueError):  # the client is gone, or the stream was closed under us
            return
        if chunk is None:  # somebody else has read it, and the descriptor does not block
            continue
        if not chunk:
            return
        yield chunk


async def _ready(descriptor: int) -> None:
    """Wait until something can be read."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)


async def _read_ahead(stream: BinaryIO) -> AsyncIterator[bytes]:
    """Yield what a thread reads, which is a daemon: nothing can wake it up."""
    loop = asyncio.get_running_loop()
    read = getattr(stream, "read1", stream.read)
    room = threading.Semaphore(WAITING)
    chunks: asyncio.Queue[bytes] = asyncio.Queue()

    def read_all() -> None:
        chunk = b"-"
        while chunk:
            try:
                chunk = read(CHUNK) or b""
            except (OSError, ValueError):  # closed under us: the client is gone
                chunk = b""
            room.acquire()
            try:
                loop.call_soon_threadsafe(chunks.put_nowait, chunk)
            except RuntimeError:  # the loop is gone
                return

    threading.Thread(target=read_all, name="blockargs-stdin", daemon=True).start()
    while chunk := await chunks.get():
        room.release()
        yield chunk
