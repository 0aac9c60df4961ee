"""Threads for constructors that block: kept for the next call, never too few, gone when idle for long."""

from __future__ import annotations

import os
import queue
import threading

import pytest

from blockargs.dispatch import threads
from blockargs.dispatch.threads import in_thread


@pytest.fixture(autouse=True)
def nobody_idle(monkeypatch):
    """No thread of another test waits for work."""
    monkeypatch.setattr(threads, "_idle", [])


def asked(work):
    """What *work* returned in another thread."""
    answer = queue.SimpleQueue()
    in_thread("blockargs test", work, answer.put)
    return answer.get(timeout=5)


def test_the_next_call_finds_the_thread_of_the_last():
    """
    Calls one after the other share a thread, which is not this one.
    """
    idents = {asked(threading.get_ident) for _ in range(20)}

    assert len(idents) == 1
    assert threading.get_ident() not in idents


def test_a_call_that_never_ends_takes_nobodys_turn():
    """
    However many calls block, the next one is made.
    """
    end = threading.Event()
    answers = queue.SimpleQueue()
    for _ in range(50):
        in_thread("blockargs test", end.wait, answers.put)

    assert asked(lambda: "made") == "made"
    end.set()
    assert [answers.get(timeout=5) for _ in range(50)] == [True] * 50


def test_only_some_idle_threads_are_kept():
    """
    After a rush most threads end at once.
    """
    end = threading.Event()
    answers = queue.SimpleQueue()
    for _ in range(50):
        in_thread("blockargs test", end.wait, answers.put)
    end.set()
    for _ in range(50):
        answers.get(timeout=5)

    assert len(threads._idle) <= threads.KEPT + 2


def test_an_idle_thread_ends_after_a_while(monkeypatch):
    """
    Nobody waits for ever.
    """
    monkeypatch.setattr(threads, "PATIENCE", 0.01)
    thread = asked(threading.current_thread)

    thread.join(5)

    assert not thread.is_alive()
    assert threads._idle == []


def test_work_that_comes_in_the_last_moment_is_done():
    """
    A thread that stops waiting while it is being taken still does what it was given.
    """
    box = queue.SimpleQueue()
    given = ("blockargs test", dict, print)
    timer = threading.Timer(0.05, box.put, [given])
    timer.start()

    class Late:
        def get(self, timeout=None):
            if timeout is not None:
                raise queue.Empty
            return box.get(timeout=5)

    assert threads._next(Late()) == given


def test_a_thread_has_the_name_of_its_call():
    """
    Who looks at the threads of a process sees what they do.
    """
    assert asked(lambda: threading.current_thread().name) == "blockargs test"


def test_a_child_process_starts_its_own_threads():
    """
    After a fork nothing is given to threads that are not there.
    """
    asked(dict)
    threads._idle.clear()  # what the hook does in a child

    assert asked(os.getpid) == os.getpid()
