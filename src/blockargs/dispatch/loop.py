"""Steps and event loops: what is awaited, cancelled when it outlives its limit, or waited for from a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from ..errors import RunningLoopError
from ..inject import CancelledCall
from .ended import called, caught
from .steps import CAUGHT, Step, Steps, TimedOut, dropped, start_thread

GRACE = 0.5  # seconds that a cancelled coroutine has to clean up


async def perform_async(steps: Steps) -> Any:
    """Carry out *steps* without blocking the event loop; return what they return."""
    try:
        step = next(steps)
        while True:
            try:
                value = await _awaited(step)
            except CAUGHT as fault:
                step = steps.throw(fault)
            else:
                step = steps.send(value)
    except StopIteration as end:
        return end.value
    finally:
        steps.close()


def loop_is_running() -> bool:
    """Tell whether this thread runs an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def in_own_loop(step: Step, started: Awaitable[Any] | None) -> Any:
    """Run what *step* starts, or has *started*, to its end in an event loop of its own.

    Raises:
        RunningLoopError: This thread runs an event loop already.
    """
    if loop_is_running():
        if started is not None and hasattr(started, "close"):
            started.close()  # else Python warns of a coroutine that was never awaited
        raise RunningLoopError(f"{step.subject} is async and an event loop is running; await run_async(…) instead")
    runner = asyncio.Runner()
    late = False
    try:
        return runner.run(_finished(step, started))
    except TimedOut:
        late = True
        raise
    finally:
        _closed(runner, step, late=late)


def _closed(runner: asyncio.Runner, step: Step, *, late: bool) -> None:
    """Close *runner*; what was *late*, and may refuse to end, is waited for where nobody else waits."""
    if not late:
        runner.close()
        return
    asyncio.set_event_loop(None)  # it is another thread's now
    start_thread(Step(runner.close, step.subject), lambda _: None)


async def _finished(step: Step, started: Awaitable[Any] | None) -> Any:
    return await _limited(step, step.function() if started is None else started)


async def _awaited(step: Step) -> Any:
    if step.is_async:
        return await _limited(step, called(step.function))
    value = await _from_thread(step)
    return await _limited(step, value) if hasattr(value, "__await__") else value


async def _from_thread(step: Step) -> Any:
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Any] = loop.create_future()

    def settle(found: tuple[bool, Any]) -> None:
        if answer.cancelled():
            dropped(step)
        else:
            answer.set_result(found)

    def deliver(found: tuple[bool, Any]) -> None:
        try:
            loop.call_soon_threadsafe(settle, found)
        except RuntimeError:  # the loop is closed: nobody waits
            dropped(step)

    given_up = start_thread(step, deliver)
    try:
        await asyncio.wait({answer}, timeout=step.limit)
        if not answer.done() and given_up():
            raise TimedOut(step.limit or 0.0)
        ok, value = await answer  # it is there, or came in this very moment
    except asyncio.CancelledError:
        if not given_up() and not answer.cancel():
            dropped(step)  # it was there already
        raise
    if ok:
        return value
    raise value


async def _limited(step: Step, started: Awaitable[Any]) -> Any:
    """Await *started*, and cancel it when it outlives its limit or its caller is gone."""
    task = asyncio.ensure_future(_held(started))
    try:
        done, _ = await asyncio.wait({task}, timeout=step.limit)
    except asyncio.CancelledError:
        await _let_go(step, task)
        raise
    if not done:
        await _let_go(step, task)
        raise TimedOut(step.limit or 0.0)
    if task.cancelled():  # by itself: nobody cancelled us
        raise CancelledCall("the call was cancelled")
    ok, value = task.result()
    if ok:
        return value
    raise value


async def _held(started: Awaitable[Any]) -> tuple[bool, Any]:
    """Return what *started* gives, or its fault: some of them would end the event loop."""
    try:
        return True, await started
    except asyncio.CancelledError:
        raise
    except BaseException as fault:  # noqa: BLE001 - it is raised again where the answer is awaited
        return False, caught(fault)


async def _let_go(step: Step, task: asyncio.Future[Any]) -> None:
    """Cancel *task*, and give it a moment to clean up."""
    step.stop.set()
    task.cancel()
    await asyncio.wait({task}, timeout=GRACE)
    if task.done() and not task.cancelled():
        task.exception()  # looked at, so that asyncio does not report it once more
