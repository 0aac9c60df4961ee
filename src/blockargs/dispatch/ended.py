"""What a stranger's function ends with: its fault, or something that is meant for its host."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Ended(Exception):  # noqa: N818 - it carries a fault, whose own name counts
    """A call ended in *fault*, which is no `Exception`: it must end neither the thread nor the loop of its host."""

    def __init__(self, fault: BaseException) -> None:
        super().__init__(fault)
        self.fault = fault


def caught(fault: BaseException) -> Exception:
    """Return *fault* as an `Exception`, which `sys.exit()` and the like become.

    Raises:
        BaseException: *fault* itself: an interrupt in the main thread, or the calling task was cancelled.
    """
    if isinstance(fault, Exception):
        return fault
    interrupt = isinstance(fault, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()
    if interrupt or _is_cancellation(fault):
        raise fault
    return Ended(fault)


def called(function: Callable[[], T]) -> T:
    """Return what *function* returns; all that it raises is as `caught` says."""
    try:
        return function()
    except Exception:
        raise
    except BaseException as fault:  # noqa: BLE001 - a stranger's function may end in any way
        raise caught(fault) from None


def _is_cancellation(fault: BaseException) -> bool:
    """Tell whether *fault* says that the calling task was cancelled; a constructor may raise the same by itself."""
    asyncio = sys.modules.get("asyncio")  # where it is not loaded, nothing of it was raised
    if asyncio is None or not isinstance(fault, asyncio.CancelledError):
        return False
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no event loop runs here
        return False
    return task is not None and task.cancelling() > 0
