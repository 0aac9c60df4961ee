"""Threads for constructors that block: kept for the next call, never too few, gone when idle for long."""

from __future__ import annotations

import importlib.util
import queue
import subprocess
import sys
import threading

import pytest

from waiting import LONG


@pytest.fixture
def threads():
    """The module anew, so that no thread of another test comes back to it, however late it ends."""
    spec = importlib.util.find_spec("blockargs.dispatch.threads")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def asked(threads):
    """A function that gives what its argument returned in another thread."""

    def asked_(work):
        answer = queue.SimpleQueue()
        threads.in_thread("blockargs test", work, answer.put)
        return answer.get(timeout=LONG)

    return asked_


def test_the_next_call_finds_the_thread_of_the_last(asked):
    """
    Calls one after the other share a thread, which is not this one.
    """
    idents = {asked(threading.get_ident) for _ in range(20)}

    assert len(idents) == 1
    assert threading.get_ident() not in idents


def test_a_call_that_never_ends_takes_nobodys_turn(threads, asked):
    """
    However many calls block, the next one is made.
    """
    end = threading.Event()
    answers = queue.SimpleQueue()
    for _ in range(50):
        threads.in_thread("blockargs test", end.wait, answers.put)

    assert asked(lambda: "made") == "made"
    end.set()
    assert [answers.get(timeout=LONG) for _ in range(50)] == [True] * 50


def test_only_some_idle_threads_are_kept(threads):
    """
    After a rush most threads end at once.
    """
    ends = [threading.Event() for _ in range(50)]
    answers = queue.SimpleQueue()
    for end in ends:
        threads.in_thread("blockargs test", lambda end=end: end.wait(LONG) and threading.current_thread(), answers.put)
    ended = []
    for end in ends:
        end.set()
        ended.append(answers.get(timeout=LONG))
    for thread in ended[threads.KEPT :]:
        thread.join(LONG)

    assert len(threads._idle) == threads.KEPT
    assert [thread.is_alive() for thread in ended] == [True] * threads.KEPT + [False] * (50 - threads.KEPT)


def test_an_idle_thread_ends_after_a_while(threads, asked):
    """
    Nobody waits for ever.
    """
    threads.PATIENCE = 0.01
    thread = asked(threading.current_thread)

    thread.join(LONG)

    assert not thread.is_alive()
    assert threads._idle == []


def test_work_that_comes_in_the_last_moment_is_done(threads):
    """
    A thread that stops waiting while it is being taken still does what it was given.
    """
    given = ("blockargs test", dict, print)

    class Late:
        def get(self, timeout=None):
            if timeout is not None:
                raise queue.Empty
            return given

    assert threads._next(Late()) == given


def test_a_thread_has_the_name_of_its_call(asked):
    """
    Who looks at the threads of a process sees what they do.
    """
    assert asked(lambda: threading.current_thread().name) == "blockargs test"


FORKED = """
import os, queue, signal
from blockargs.dispatch.threads import _idle, in_thread

def asked(work):
    answer = queue.SimpleQueue()
    in_thread("blockargs test", work, answer.put)
    return answer.get()

asked(dict)
assert len(_idle) == 1
if child := os.fork():
    print("the child ended with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
else:
    signal.alarm(20)
    os._exit(7 if asked(os.getpid) == os.getpid() else 1)
"""


def test_a_child_process_starts_its_own_threads():
    """
    After a fork nothing is given to threads that are not there.
    """
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=True)

    assert done.stdout == "the child ended with 7\n"
