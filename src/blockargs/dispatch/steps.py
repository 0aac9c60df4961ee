"""One call of a stranger's function: inline, in a thread, or awaited, and at most so long.

Dispatch is written once, as a generator that yields steps; `perform` here and `perform_async` in `loop` carry them out.
"""

from __future__ import annotations

import contextvars
import logging
import queue
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from ..errors import RunningLoopError
from .ended import caught
from .threads import in_thread

LOG = logging.getLogger("blockargs")


class TimedOut(Exception):  # noqa: N818 - it ends a call, it is no fault of ours
    """A call outlived its limit."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.limit = limit


@dataclass(slots=True)
class Step:
    """One function to call.

    Attributes:
        function: Called without arguments; what it returns is awaited where it can be.
        subject: What it is, for the log.
        limit: Seconds it may take, or ``None``.
        is_async: Whether it is known to return an awaitable at once.
        stop: Set when nobody waits for the answer any more.
    """

    function: Callable[[], Any]
    subject: str
    limit: float | None = None
    is_async: bool = False
    stop: threading.Event = field(default_factory=threading.Event)


Steps = Generator[Step, Any, Any]
CAUGHT = Exception  # what a step may end in, when `caught` has looked at it


def perform(steps: Steps) -> Any:
    """Carry out *steps* in this thread; return what they return."""
    try:
        step = next(steps)
        while True:
            try:
                value = _done(step)
            except RunningLoopError:  # the host's mistake, not the call's
                raise
            except BaseException as fault:  # noqa: BLE001 - a stranger's function may end in any way
                step = steps.throw(caught(fault))
            else:
                step = steps.send(value)
    except StopIteration as end:
        return end.value
    finally:
        steps.close()


def _done(step: Step) -> Any:
    value = None
    if not step.is_async:
        value = step.function() if step.limit is None else _in_thread(step, step.limit)
        if not hasattr(value, "__await__"):
            return value
    from .loop import in_own_loop  # noqa: PLC0415 - asyncio is loaded for what is async only

    return in_own_loop(step, value)


def _in_thread(step: Step, limit: float) -> Any:
    box: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
    given_up = start_thread(step, box.put)
    try:
        ok, value = box.get(timeout=limit)
    except queue.Empty:
        if given_up():
            raise TimedOut(limit) from None
        ok, value = box.get()  # it came in this very moment
    except BaseException:
        given_up()
        raise
    if ok:
        return value
    raise value


def start_thread(step: Step, deliver: Callable[[tuple[bool, Any]], None]) -> Callable[[], bool]:
    """Call the function in another thread, of which there are never too few.

    Returns:
        What gives the result up and tells the function to stop: true where the result is dropped, with a line
        in the log, as soon as it is there; false where it is delivered already, or is being delivered.
    """
    context = contextvars.copy_context()
    undecided = [True]  # who takes it out, in one atomic step, decides

    def work() -> tuple[bool, Any]:
        try:
            return True, context.run(step.function)
        except BaseException as fault:  # noqa: BLE001 - it is raised again where the answer is awaited
            return False, caught(fault)

    def ended(found: tuple[bool, Any]) -> None:
        if _taken(undecided):
            deliver(found)
        else:
            dropped(step)

    def given_up() -> bool:
        step.stop.set()
        return _taken(undecided)

    in_thread(f"blockargs {step.subject}", work, ended)
    return given_up


def _taken(undecided: list[bool]) -> bool:
    try:
        return undecided.pop()
    except IndexError:
        return False


def dropped(step: Step) -> None:
    """Tell the log that the result of *step* comes too late for anybody."""
    LOG.warning("%s ended when nobody waited for it any more; its result is dropped", step.subject)
