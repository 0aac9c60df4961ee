"""Calls that wait, overlap, outlive their limit or lose their caller."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import queue
import threading
import time
import weakref
from contextlib import suppress
from types import SimpleNamespace

import pytest

import waiting
from blockargs import Cancellation, Context, ToolFailure, ToolRejected, Toolset, derive_block
from blockargs.errors import RunningLoopError
from waiting import LONG, until_async


def call(name, **arguments):
    return {"name": name, "arguments": arguments}


async def add(a: int, b: int) -> int:
    """Add."""
    await asyncio.sleep(0)
    return a + b


def test_run_takes_an_async_constructor_to_its_end():
    """
    Without an event loop, `run` of an async constructor gives its result.
    """
    run = Toolset(add).run(call("add", a=1, b=2))

    assert (run.ok, run.outcome, run.text) == (True, 3, "3")


def test_run_inside_an_event_loop_names_run_async():
    """
    In a running loop an async constructor cannot be waited for: the error says what to await, and nothing was called.
    """

    async def main():
        with pytest.raises(RunningLoopError, match="event loop is running; await run_async") as caught:
            Toolset(add).run(call("add", a=1, b=2))
        return caught.value.code

    assert asyncio.run(main()) == "event_loop_running"


def test_what_only_turns_out_to_be_async_is_waited_for_too():
    """
    A plain function that returns a coroutine counts as async, the first time and every time.
    """
    toolset = Toolset(derive_block(lambda a, b: add(a, b), uid="add"))

    async def inside():
        with pytest.raises(RunningLoopError):
            toolset.run(call("add", a=1, b=2))
        return (await toolset.run_async(call("add", a=1, b=2))).outcome

    assert [toolset.run(call("add", a=1, b=2)).outcome for _ in range(3)] == [3, 3, 3]
    assert asyncio.run(inside()) == 3


def test_a_coroutine_that_fails_late_is_told_as_any_failure():
    """
    The short way of a plain call tells a late failure in the same words.
    """

    async def fail():
        raise ToolFailure("odd", "odd")

    toolset = Toolset(derive_block(lambda: fail(), uid="fail"))

    assert [toolset.run(call("fail")).text for _ in range(2)] == ["odd", "odd"]


def test_run_async_makes_sync_and_async_calls():
    """
    Both kinds of constructor give the same run.
    """

    def double(n: int) -> int:
        return 2 * n

    async def main():
        toolset = Toolset([add, double])
        return [(await toolset.run_async(c)).outcome for c in (call("add", a=1, b=2), call("double", n=4))]

    assert asyncio.run(main()) == [3, 8]


def test_an_async_generator_gives_its_list():
    """
    What is yielded asynchronously is gathered.
    """

    async def count(n: int):
        for i in range(n):
            yield i

    assert Toolset(derive_block(count, kind="tool")).run(call("count", n=3)).content == [0, 1, 2]


def test_two_hundred_blocking_calls_run_side_by_side():
    """
    Blocking constructors never wait for each other: all two hundred meet at one barrier.
    """
    barrier = threading.Barrier(200, timeout=LONG)

    def meet(n: int) -> int:
        barrier.wait()
        return n

    async def main():
        toolset = Toolset(meet)
        return await asyncio.gather(*(toolset.run_async(call("meet", n=n)) for n in range(200)))

    assert [run.outcome for run in asyncio.run(main())] == list(range(200))


def test_a_blocking_constructor_does_not_stop_the_loop():
    """
    While one call blocks, the loop goes on.
    """
    gate, begun = threading.Event(), threading.Event()

    def wait() -> str:
        begun.set()
        return "opened" if gate.wait(LONG) else "stuck"

    async def main():
        task = asyncio.create_task(Toolset(wait).run_async(call("wait")))
        await until_async(begun.is_set)
        assert not task.done()
        gate.set()
        return (await task).text

    assert asyncio.run(main()) == "opened"


def test_one_toolset_serves_many_threads():
    """
    A toolset never changes: fifty threads get their own answers.
    """
    toolset = Toolset(derive_block(lambda n: n, uid="same", kind="tool"))
    found: dict[int, object] = {}

    def work(n):
        found[n] = toolset.run(call("same", n=n)).outcome

    threads = [threading.Thread(target=work, args=(n,)) for n in range(50)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert found == {n: n for n in range(50)}


VAR: contextvars.ContextVar[str] = contextvars.ContextVar("VAR", default="unset")


@pytest.mark.parametrize("limit", [None, LONG])
def test_context_variables_reach_the_constructor(limit):
    """
    What the caller set in its context is there, in a thread too.
    """
    toolset = Toolset(derive_block(lambda: VAR.get(), uid="peek"), timeout=limit)

    async def main():
        VAR.set("async")
        return (await toolset.run_async(call("peek"))).text

    token = VAR.set("sync")
    assert toolset.run(call("peek")).text == "sync"
    VAR.reset(token)
    assert asyncio.run(main()) == "async"


# ------------------------------------------------------------------ limits


LIMIT = 0.2  # seconds in which a call has surely begun


def until(gate, begun=None):
    def wait(cancellation: Cancellation) -> str:
        """Wait."""
        if begun is not None:
            begun.set()
        while not gate.is_set():
            if cancellation.cancelled:
                gate.set()
            time.sleep(0.001)
        return "late"

    return wait


@pytest.mark.parametrize(
    ("on_toolset", "on_block", "on_call", "told"),
    [
        (LIMIT, None, None, "0.2"),
        (None, 0.25, None, "0.25"),
        (60, 0.25, None, "0.25"),
        (60, 60, LIMIT, "0.2"),
        (LIMIT, None, 60, "0.2"),
    ],
)
def test_a_sync_call_that_outlives_its_limit_is_reported_and_told_to_stop(on_toolset, on_block, on_call, told, caplog):
    """
    The limit of the toolset, of the block, or of this call; its result is dropped and its Cancellation is set.
    """
    gate = threading.Event()
    toolset = Toolset(derive_block(until(gate), uid="wait", timeout=on_block), timeout=on_toolset)

    run = toolset.run(call("wait"), timeout=on_call)

    assert gate.wait(LONG)
    assert (run.ok, run.code, run.attempts) == (False, "timed_out", 1)
    assert run.text == f"The call did not end within {told} seconds, and nobody waits for it any more."


def dropped(caplog, name):
    """Return what the log tells of results of *name* that nobody waited for."""
    return [message for message in caplog.messages if message.startswith(f"'{name}' ended")]


def test_a_late_result_is_dropped_and_the_host_learns_of_it(caplog):
    """
    A thread cannot be killed: when it ends at last, that stands in the log.
    """
    caplog.set_level(logging.WARNING, "blockargs")
    gate = threading.Event()

    Toolset(until(gate), timeout=LIMIT).run(call("wait"))
    waiting.until(lambda: dropped(caplog, "wait"))

    assert dropped(caplog, "wait")[:1] == ["'wait' ended when nobody waited for it any more; its result is dropped"]


class LateGet(queue.SimpleQueue):
    """A queue whose waiting ends just when something has come."""

    def get(self, block=True, timeout=None):
        if timeout is None:
            return super().get()
        waiting.until(lambda: not self.empty())
        raise queue.Empty


def test_a_result_that_comes_in_the_last_moment_is_taken(monkeypatch, caplog):
    """
    When time runs out just as the result is delivered, it is the result: it is neither lost nor told twice.
    """
    monkeypatch.setattr("blockargs.dispatch.steps.queue", SimpleNamespace(SimpleQueue=LateGet, Empty=queue.Empty))

    run = Toolset(derive_block(lambda: 3, uid="three"), timeout=LIMIT).run(call("three"))

    assert (run.outcome, dropped(caplog, "three")) == (3, [])


@pytest.mark.parametrize("ways", ["sync", "async"])
def test_no_result_gets_lost_unseen(ways, caplog):
    """
    However a call's end and its limit meet: either the result is there, or the log tells that it was dropped.
    """
    caplog.set_level(logging.WARNING, "blockargs")
    toolset = Toolset(derive_block(lambda: time.sleep(LIMIT / 20), uid="nap"), timeout=LIMIT / 20)

    async def all_async():
        return [await toolset.run_async(call("nap")) for _ in range(60)]

    runs = [toolset.run(call("nap")) for _ in range(60)] if ways == "sync" else asyncio.run(all_async())
    late = sum(run.code == "timed_out" for run in runs)
    waiting.until(lambda: len(dropped(caplog, "nap")) >= late)

    assert dropped(caplog, "nap") == ["'nap' ended when nobody waited for it any more; its result is dropped"] * late


def test_a_call_within_its_limit_is_not_touched():
    """
    A limit changes nothing for a call that keeps it; its exceptions arrive too.
    """

    def fail() -> str:
        raise ToolFailure("odd", "odd")

    toolset = Toolset([derive_block(lambda: "done", uid="quick"), derive_block(fail)], timeout=LONG)

    assert [toolset.run(call(name)).text for name in ("quick", "fail")] == ["done", "odd"]
    assert [asyncio.run(toolset.run_async(call(name))).text for name in ("quick", "fail")] == ["done", "odd"]


def test_an_async_call_that_outlives_its_limit_is_cancelled():
    """
    The coroutine gets its CancelledError and may clean up.
    """
    events: list = []

    async def sleep() -> str:
        try:
            await asyncio.sleep(2 * LONG)
        finally:
            events.append("cleaned up")
        return "late"

    for run in (
        Toolset(sleep, timeout=LIMIT).run(call("sleep")),
        asyncio.run(Toolset(sleep, timeout=LIMIT).run_async(call("sleep"))),
    ):
        assert (run.code, run.ok) == ("timed_out", False)
    assert events == ["cleaned up"] * 2


@pytest.mark.parametrize(("fails", "grace"), [(True, LONG), (False, 0.05)])
def test_a_coroutine_that_will_not_be_cancelled_is_left_behind(fails, grace, monkeypatch):
    """
    One that swallows its cancellation gets a moment and no more; what it raises then is nobody's.
    """
    monkeypatch.setattr("blockargs.dispatch.loop.GRACE", grace)

    async def stubborn() -> str:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(2 * LONG)
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0 if fails else 2 * LONG)
        raise RuntimeError("too late")

    async def main():
        return (await Toolset(stubborn, timeout=LIMIT).run_async(call("stubborn"))).code

    assert asyncio.run(main()) == "timed_out"


def test_a_sync_call_in_a_loop_that_outlives_its_limit_is_left_behind():
    """
    The loop goes on at once; the thread learns of it by its Cancellation.
    """
    gate = threading.Event()

    run = asyncio.run(Toolset(until(gate), timeout=LIMIT).run_async(call("wait")))

    assert run.code == "timed_out"
    assert gate.wait(LONG)


def test_a_coroutines_own_timeout_error_is_its_own():
    """
    A TimeoutError that the constructor raises is a failure of its own, not our limit.
    """

    async def slow() -> str:
        raise TimeoutError

    run = Toolset(slow, timeout=LONG, tells=TimeoutError).run(call("slow"))

    assert (run.code, run.text) == ("tool_error", "The tool failed: TimeoutError.")


def test_the_limit_covers_all_attempts_together():
    """
    A retryable failure is not tried again when the time is up.
    """

    def flaky() -> str:
        time.sleep(LIMIT / 2)
        raise ToolFailure("busy", "busy", retryable=True)

    run = Toolset(flaky, timeout=LIMIT, retries=1000).run(call("flaky"))

    assert (run.code, run.text) == (
        "timed_out",
        "The call did not end within 0.2 seconds, and nobody waits for it any more.",
    )
    assert run.attempts <= 2


def test_a_context_brings_its_deadline_and_learns_of_ours():
    """
    The nearest end holds: the caller's deadline, or our limit; the constructor can read what is left.
    """

    def left(context: Context) -> float:
        return context.remaining()

    toolset = Toolset(derive_block(left, kind="tool"), timeout=2000)
    soon = Context(deadline=time.monotonic() + 1000)

    assert 1000 < toolset.run(call("left")).outcome <= 2000
    assert 0 < toolset.run(call("left"), helpers={Context: soon}).outcome <= 1000
    over = toolset.run(call("left"), helpers={Context: Context(deadline=time.monotonic() - 1)})
    assert (over.code, over.text) == (
        "timed_out",
        "The call did not end within 0 seconds, and nobody waits for it any more.",
    )


# ------------------------------------------------------------------ cancelled callers


@pytest.mark.parametrize("limit", [None, LONG])
def test_a_cancelled_caller_cancels_its_async_call(limit):
    """
    When nobody waits any more the coroutine ends, after it has cleaned up, and the cancellation goes on up.
    """
    events: list = []

    async def sleep() -> None:
        events.append("begun")
        try:
            await asyncio.sleep(2 * LONG)
        finally:
            events.append("cleaned up")

    async def main():
        task = asyncio.create_task(Toolset(sleep, timeout=limit).run_async(call("sleep")))
        await until_async(lambda: events)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert events == ["begun", "cleaned up"]


@pytest.mark.parametrize("limit", [None, LONG])
def test_a_cancelled_caller_is_told_to_its_blocking_call(limit):
    """
    A thread cannot be cancelled, but its Cancellation says that nobody waits.
    """
    gate, begun = threading.Event(), threading.Event()

    async def main():
        task = asyncio.create_task(Toolset(until(gate, begun), timeout=limit).run_async(call("wait")))
        await until_async(begun.is_set)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert gate.wait(LONG)


def test_a_coroutine_that_cancels_itself_is_a_cancelled_call():
    """
    Its own CancelledError does not look like a cancellation of the host.
    """

    async def leave() -> None:
        raise asyncio.CancelledError

    async def main():
        return await Toolset(leave).run_async(call("leave"))

    assert (asyncio.run(main()).code, Toolset(leave).run(call("leave")).code) == ("cancelled", "cancelled")


# ------------------------------------------------------------------ hooks and several calls


def test_hooks_may_be_async():
    """
    An approval that waits for a person is awaited, before a sync call too.
    """
    seen: list = []

    async def approve(made):
        await asyncio.sleep(0)
        seen.append(made.name)
        if made.arguments.get("n") == 13:
            raise ToolRejected("Unlucky.")

    async def log(run):
        seen.append(run.ok)

    toolset = Toolset(derive_block(lambda n: n, uid="same", kind="tool"), before=approve, after=log)

    assert asyncio.run(toolset.run_async(call("same", n=1))).ok
    assert toolset.run(call("same", n=13)).text == "Tool call rejected. Unlucky."
    assert seen == ["same", True, "same", False]


def test_all_calls_of_a_reply_run_in_order_and_without_blocking():
    """
    `run_all_async` keeps the order, and makes nothing while one call is wrong.
    """
    toolset = Toolset([add, derive_block(lambda n: n, uid="same", kind="tool")])
    calls = [call("add", a=1, b=1), call("same", n=5)]

    assert [r.content for r in asyncio.run(toolset.run_all_async(calls))] == [2, 5]
    wrong = asyncio.run(toolset.run_all_async([*calls, call("add")]))
    assert [r.code for r in wrong] == ["not_made", "not_made", "arguments_invalid"]
    assert asyncio.run(toolset.run_async(call("add"))).code == "arguments_invalid"


def test_a_check_does_not_run_what_is_async():
    """
    Async constructors are never called to check.
    """
    run = Toolset(add).check(call("add", a=1, b=2))

    assert (run.ok, run.attempts) == (True, 0)


def test_a_check_keeps_the_limit():
    """
    A block that takes too long to build fails its check.
    """
    gate = threading.Event()

    run = Toolset(derive_block(until(gate), uid="wait"), timeout=LIMIT).check(call("wait"))

    assert (run.code, run.outcome is None) == ("timed_out", False)


def test_a_result_that_comes_in_the_moment_of_cancelling_is_nobodys():
    """
    A thread that delivers after its caller was cancelled disturbs nothing.
    """
    gate, begun, made = threading.Event(), threading.Event(), []

    class Late:
        pass

    def wait():
        begun.set()
        gate.wait(LONG)
        late = Late()
        made.append(weakref.ref(late))
        return late

    async def main():
        task = asyncio.create_task(Toolset(wait).run_async(call("wait")))
        await until_async(begun.is_set)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        gate.set()
        await until_async(lambda: made and made[0]() is None)  # it was delivered, and let go
        return "undisturbed"

    assert asyncio.run(main()) == "undisturbed"


class Interrupted(queue.SimpleQueue):
    """A queue at which waiting is interrupted from the keyboard."""

    def get(self, block=True, timeout=None):
        raise KeyboardInterrupt


def test_a_caller_that_is_interrupted_gives_the_result_up(monkeypatch, caplog):
    """
    The interrupt ends the program's waiting, and the call learns that nobody waits.
    """
    monkeypatch.setattr("blockargs.dispatch.steps.queue", SimpleNamespace(SimpleQueue=Interrupted, Empty=queue.Empty))
    gate = threading.Event()

    with pytest.raises(KeyboardInterrupt):
        Toolset(derive_block(lambda: gate.wait(LONG), uid="gate"), timeout=LONG).run(call("gate"))
    gate.set()
    waiting.until(lambda: dropped(caplog, "gate"))

    assert len(dropped(caplog, "gate")) == 1


@pytest.fixture
def thread(monkeypatch):
    """A thread that ends when the test says so, in the thread of the event loop: `thread.end()`."""
    held = SimpleNamespace()

    def in_thread(_name, work, deliver):
        held.end = lambda: deliver(work())

    monkeypatch.setattr("blockargs.dispatch.steps.in_thread", in_thread)
    return held


@pytest.mark.parametrize("first", ["cancel", "end"])
def test_an_end_and_a_cancelling_in_one_moment_are_told(thread, first, caplog):
    """
    Whichever comes first, the caller is cancelled, and the log tells once of the result that nobody takes.
    """

    async def main():
        task = asyncio.create_task(Toolset(derive_block(lambda: 3, uid="three")).run_async(call("three")))
        await until_async(lambda: hasattr(thread, "end"))
        for step in (task.cancel, thread.end) if first == "cancel" else (thread.end, task.cancel):
            step()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)

    asyncio.run(main())
    assert dropped(caplog, "three") == ["'three' ended when nobody waited for it any more; its result is dropped"]


def test_a_result_that_comes_after_its_loop_is_told(thread, caplog):
    """
    A host that closed its event loop without waiting reads in the log what came too late for it.
    """
    loop = asyncio.new_event_loop()
    task = loop.create_task(Toolset(derive_block(lambda: 3, uid="three")).run_async(call("three")))
    loop.run_until_complete(until_async(lambda: hasattr(thread, "end")))
    loop.close()
    thread.end()
    task._log_destroy_pending = False  # it is left behind on purpose

    assert not task.done()
    assert dropped(caplog, "three") == ["'three' ended when nobody waited for it any more; its result is dropped"]
