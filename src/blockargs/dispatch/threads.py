"""Threads for functions that block: kept for the next one, and never fewer than are needed.

A call that never ends takes its own thread with it and no other's turn, which a
pool of a fixed size could not promise. Starting a thread costs more than most
calls, so that idle ones wait a while for more work.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from typing import Any

KEPT = 16  # idle threads that wait for work
PATIENCE = 30.0  # seconds that they wait

Work = Callable[[], Any]
Deliver = Callable[[Any], None]
Box = queue.SimpleQueue[tuple[str, Work, Deliver]]

_idle: list[Box] = []  # its methods are atomic, so that it needs no lock


def in_thread(name: str, work: Work, deliver: Deliver) -> None:
    """Call *work* in another thread called *name*, then *deliver* with what it returned."""
    try:
        box = _idle.pop()
    except IndexError:
        threading.Thread(target=_live, args=((name, work, deliver),), daemon=True).start()
    else:
        box.put((name, work, deliver))


def _live(first: tuple[str, Work, Deliver]) -> None:
    box: Box = queue.SimpleQueue()
    given: tuple[str, Work, Deliver] | None = first
    while given is not None:
        name, work, deliver = given
        threading.current_thread().name = name
        found = work()
        kept = len(_idle) < KEPT
        if kept:
            _idle.append(box)  # before the answer, so that who asks again at once finds this thread
        deliver(found)
        del work, deliver, found  # what a call held is not kept while waiting
        given = _next(box) if kept else None


def _next(box: Box) -> tuple[str, Work, Deliver] | None:
    try:
        return box.get(timeout=PATIENCE)
    except queue.Empty:
        try:
            _idle.remove(box)
        except ValueError:  # somebody took it in this very moment
            return box.get()
        return None


if hasattr(os, "register_at_fork"):  # pragma: no branch - processes that do not fork need no hook
    os.register_at_fork(after_in_child=_idle.clear)  # a child process has none of its parent's threads
