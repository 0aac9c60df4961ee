"""Waiting for what another task, thread or process does: how fast it is counts for nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

LONG = 120.0  # seconds after which what is waited for never comes; no test that passes takes them


def until(come: Callable[[], object]) -> None:
    """Block until *come* says yes.

    Raises:
        TimeoutError: It never did.
    """
    end = time.monotonic() + LONG
    while not come():
        if time.monotonic() > end:
            raise TimeoutError("what was waited for never came")
        time.sleep(0.005)


async def until_async(come: Callable[[], object]) -> None:
    """Wait until *come* says yes, without blocking the event loop.

    Raises:
        TimeoutError: It never did.
    """
    async with asyncio.timeout(LONG):
        while not come():  # noqa: ASYNC110 - what comes may come from another thread or process
            await asyncio.sleep(0.005)
