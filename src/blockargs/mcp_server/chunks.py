"""The bytes of a stream as they come, without ever blocking the event loop."""

from __future__ import annotations

import asyncio
import io
import os
import sys
import threading
from collections.abc import AsyncIterator
from typing import BinaryIO

CHUNK = 1 << 16
WAITING = 64  # chunks that a thread may read ahead: a flood is read no faster than it is served


async def chunks_of(stream: BinaryIO) -> AsyncIterator[bytes]:
    """Yield the bytes of *stream* until it ends; where the host closes it, until the other end is closed too."""
    if _never_blocks(stream) and (buffered := stream.read1(CHUNK)):  # type: ignore[attr-defined]  # it has a buffer
        yield buffered
    descriptor = _polled_descriptor(stream)
    chunks = _read_ahead(stream) if descriptor is None else _polled(descriptor)
    async for chunk in chunks:
        yield chunk


def _never_blocks(stream: BinaryIO) -> bool:
    """Tell whether *stream* is a buffer on a descriptor that does not block: no data and the end look alike there."""
    if sys.platform == "win32" or not isinstance(stream, io.BufferedReader):
        return False
    try:
        return type(stream.raw) is io.FileIO and not os.get_blocking(stream.fileno())
    except (OSError, ValueError):  # it is closed
        return False


def _polled_descriptor(stream: BinaryIO) -> int | None:
    """Return a descriptor of our own for *stream* where the loop itself can wait for it, else ``None``.

    It can for a pipe, a socket or a terminal, where no buffer lies in between or that is empty; on Windows for
    nothing of the kind.
    """
    if sys.platform == "win32" or (type(stream) is not io.FileIO and not _never_blocks(stream)):
        return None
    loop = asyncio.get_running_loop()
    try:
        descriptor = os.dup(stream.fileno())
    except (OSError, ValueError):  # it is closed
        return None
    try:
        loop.add_reader(descriptor, _nothing)
    except (OSError, NotImplementedError):  # a file on a disk, or a loop that cannot
        os.close(descriptor)
        return None
    loop.remove_reader(descriptor)
    return descriptor


def _nothing() -> None:
    """Be called when something can be read, while it is tried whether the loop would tell."""


async def _polled(descriptor: int) -> AsyncIterator[bytes]:
    try:
        while True:
            await _ready(descriptor)
            try:
                chunk = os.read(descriptor, CHUNK)
            except BlockingIOError:  # somebody else has read it
                continue
            except OSError:  # the client is gone
                return
            if not chunk:
                return
            yield chunk
    finally:
        os.close(descriptor)


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
