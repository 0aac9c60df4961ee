"""What a constructor may ask for, over a connection: `Context`, `Progress`, `Cancellation`, `Logger`.

Constructors run in threads; what they say is put into an outbox on the event
loop, which sends it in order, and never faster than `INTERVAL` for progress.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from mcp.server import ServerRequestContext
from mcp.types import (
    LOG_LEVEL_META_KEY,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
)

from .._text import plural
from ..inject import LEVELS, Cancellation, Context, Logger, Progress
from .wire import MODERN, loggable

INTERVAL = 0.02  # seconds between two reports of progress; what comes sooner waits, the latest wins
MOST_WAITING = 1000  # messages of one call that wait to be sent; of the rest only the number of log lines is told
PATIENCE = 5.0  # seconds that the last messages of a call may take

RequestContext = ServerRequestContext[Any, Any]


class Outbox:
    """The messages of one call, sent in order while it runs."""

    def __init__(self, ctx: RequestContext, least: str | None) -> None:
        """Send over *ctx*; log lines below level *least*, or all when it is ``None``, are dropped."""
        self._ctx = ctx
        self._levels = () if least is None else LEVELS[LEVELS.index(least) :]
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[tuple[Any, ...] | None] = asyncio.Queue()
        self._pump: asyncio.Task[None] | None = None
        self._count = threading.Lock()  # constructors count in their threads, the loop counts down in its own
        self._waiting = 0
        self._lost = 0  # log lines that found no room

    def log(self, level: str, data: Any) -> None:
        """Send a log line, from any thread."""
        if level in self._levels:
            self._put("log", level, loggable(data))

    def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Send a report of progress, from any thread; one that is no number is dropped."""
        if math.isfinite(progress) and (total is None or math.isfinite(total)):
            self._put("progress", progress, total, loggable(message))

    def _put(self, *item: Any) -> None:
        with self._count:
            if self._waiting >= MOST_WAITING:
                self._lost += item[0] == "log"
                return
            self._waiting += 1
        with suppress(RuntimeError):  # the loop is gone: a constructor outlived its server
            self._loop.call_soon_threadsafe(self._accept, item)

    def _accept(self, item: tuple[Any, ...] | None) -> asyncio.Task[None]:
        self._queue.put_nowait(item)
        if self._pump is None:
            self._pump = self._loop.create_task(self._send_all())
        return self._pump

    async def close(self) -> None:
        """Send what is left, and how much was lost: nothing may follow the result."""
        if self._waiting or self._pump is not None:
            await asyncio.sleep(0)  # so that what was put before is accepted, and only then the end
            if self._lost:
                with self._count:
                    self._waiting += 1
                level = "warning" if "warning" in self._levels else self._levels[0]
                self._accept(("log", level, f"{plural(self._lost, 'log line')} came faster than they were read: lost"))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._accept(None), PATIENCE)

    def abandon(self) -> None:
        """Send nothing more: the caller is gone."""
        with self._count:
            self._waiting = MOST_WAITING
        if self._pump is not None:
            self._pump.cancel()

    async def _send_all(self) -> None:
        held: tuple[Any, ...] | None = None
        sent_at = -INTERVAL
        while True:
            item: tuple[Any, ...] | None
            try:
                pause = None if held is None else max(sent_at + INTERVAL - time.monotonic(), 0)
                item = await asyncio.wait_for(self._queue.get(), pause)
            except TimeoutError:
                item, held = held, None
            if item is None:
                break
            if item[0] == "progress":
                final = item[1] == item[2]
                if not final and time.monotonic() - sent_at < INTERVAL:
                    self._left(held is not None)  # it is overtaken
                    held = item
                    continue
                held, sent_at = None, time.monotonic()
            await self._send(item)
        if held is not None:
            await self._send(held)

    def _left(self, messages: int) -> None:
        with self._count:
            self._waiting -= messages

    async def _send(self, item: tuple[Any, ...]) -> None:
        self._left(1)
        session, related = self._ctx.session, self._ctx.request_id
        if item[0] == "progress":
            await session.report_progress(*item[1:])
        else:
            params = LoggingMessageNotificationParams(level=item[1], data=item[2])
            await session.send_notification(LoggingMessageNotification(params=params), related_request_id=related)


@asynccontextmanager
async def helpers_for(ctx: RequestContext, *, least: str) -> AsyncIterator[dict[type[Any], Any]]:
    """Yield the helpers of one call, working over *ctx*; the dispatcher takes those that a constructor asks for.

    Args:
        ctx: The request.
        least: The level below which the connection wants no log lines (up to 2025-11-25).
    """
    meta = cast("Mapping[str, Any]", ctx.meta or {})  # an open TypedDict
    outbox = Outbox(ctx, meta.get(LOG_LEVEL_META_KEY) if ctx.protocol_version >= MODERN else least)
    cancelled = threading.Event()
    logger = Logger(outbox.log)
    request_id = None if ctx.request_id is None else str(ctx.request_id)
    try:
        yield {
            Context: Context(request_id=request_id, client=_client(ctx), logger=logger),
            Progress: Progress(outbox.progress),  # which the SDK drops where the client asked for none
            Cancellation: Cancellation(cancelled.is_set),
            Logger: logger,
        }
    except asyncio.CancelledError:
        cancelled.set()
        outbox.abandon()
        raise
    await outbox.close()


def _client(ctx: RequestContext) -> dict[str, Any]:
    known = ctx.session.client_params
    return {} if known is None else known.client_info.model_dump(mode="json", by_alias=True, exclude_none=True)
