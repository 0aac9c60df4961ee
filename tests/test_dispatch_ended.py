"""A constructor that ends in something that is no `Exception` ends nothing but its own call."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from dataclasses import dataclass
from typing import Any

import pytest

from blockargs import ToolFailure, Toolset, derive_block
from blockargs.dispatch.ended import Ended, called
from waiting import LONG

CALL = {"name": "fails", "arguments": {"x": 1}}


class Odd(BaseException):
    """Somebody's own."""


FAULTS = [asyncio.CancelledError, GeneratorExit, SystemExit, Odd]


async def cancelled():
    raise asyncio.CancelledError("SECRET")


def own_loop(x: int) -> int:
    """Run a loop of its own, in which something is cancelled."""
    return asyncio.run(cancelled())


def make() -> dict[str, Any]:
    """Work."""
    return {}


def sync(kind):
    def fails(x: int) -> int:
        raise kind("SECRET")

    return fails


def awaited(kind):
    async def fails(x: int) -> int:
        await asyncio.sleep(0)
        raise kind("SECRET")

    return fails


MADE = [
    pytest.param(derive_block(own_loop, uid="fails"), id="own loop"),
    *(pytest.param(derive_block(sync(kind), uid="fails"), id=f"sync {kind.__name__}") for kind in FAULTS),
    *(pytest.param(derive_block(awaited(kind), uid="fails"), id=f"async {kind.__name__}") for kind in FAULTS[1:]),
]


def opaque(run):
    """Whether the model learns only that it happened."""
    return (run.ok, run.code, "nothing more can be said" in run.text, "SECRET" in str(run.record())) == (
        False, "tool_error", True, False,
    )  # fmt: skip


@pytest.mark.parametrize("timeout", [None, LONG])
@pytest.mark.parametrize("made", MADE)
def test_whatever_a_constructor_raises_is_an_opaque_failure(made, timeout, caplog):
    """
    Run it in either way: the host lives on and has the traceback; the model reads that the tool failed.
    """
    toolset = Toolset(made, timeout=timeout)

    runs = [toolset.run(CALL), asyncio.run(toolset.run_async(CALL)), *toolset.run_all([CALL])]

    assert all(map(opaque, runs))
    assert len([r for r in caplog.records if r.exc_info and "SECRET" in str(r.exc_info[1])]) == 3


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("where", ["before", "after", "validators", "effects"])
def test_so_it_is_for_what_stands_around_the_call(where, kind):
    """
    Hooks, checks and effects are strangers' code too, and have no other way out.
    """

    def fails(*_):
        raise kind("SECRET")

    given = {"before": fails, "after": fails, "validators": {"make": fails}, "effects": {dict: fails}}[where]
    toolset = Toolset(make, **{where: given})
    call = {"name": "make", "arguments": {}}

    for run in (toolset.run(call), asyncio.run(toolset.run_async(call))):
        assert (run.code, "SECRET" in str(run.record())) == ("tool_error", False)


@pytest.mark.parametrize("way", [sync, awaited])
def test_an_interrupt_in_the_main_thread_stays_one(way):
    """
    Ctrl-C is for the host: it is not eaten.
    """
    with pytest.raises(KeyboardInterrupt):
        Toolset(derive_block(way(KeyboardInterrupt), uid="fails")).run(CALL)


def test_an_interrupt_raised_in_another_thread_is_a_fault_of_the_call():
    """
    No user pressed anything there.
    """
    assert opaque(asyncio.run(Toolset(derive_block(sync(KeyboardInterrupt), uid="fails")).run_async(CALL)))


def test_a_check_that_meets_a_real_cancellation_passes_it_on():
    """
    A task that was cancelled ends, though the fault came out of somebody's function.
    """

    async def main():
        asyncio.current_task().cancel()
        return Toolset(derive_block(sync(asyncio.CancelledError), uid="fails")).run(CALL)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())


def test_a_coroutine_that_refuses_to_end_holds_nobody_up(caplog):
    """
    Its limit is told while it goes on; its result is dropped.
    """
    gate = threading.Event()

    async def stays() -> None:
        while not gate.is_set():
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                logging.getLogger("stays").info("never")

    run = Toolset(stays).run({"name": "stays", "arguments": {}}, timeout=0.2)
    gate.set()  # only now it ends

    assert run.code == "timed_out"


@pytest.mark.parametrize("kind", FAULTS)
def test_an_argument_whose_class_ends_so_is_a_failed_call(kind):
    """
    Making the arguments is a stranger's code as well.
    """

    @dataclass
    class Made:
        n: int

        def __post_init__(self) -> None:
            raise kind("SECRET")

    def fails(x) -> int:
        return 1

    fails.__annotations__["x"] = Made
    toolset, call = Toolset(fails), {"name": "fails", "arguments": {"x": {"n": 1}}}

    for run in (toolset.run(call), toolset.run(call), asyncio.run(toolset.run_async(call))):
        assert (run.code, "SECRET" in str(run.record())) == ("tool_error", False)


def test_so_it_is_when_a_call_is_made_again():
    """
    A second attempt makes its arguments anew, and that may end in any way too.
    """
    made: list = []

    @dataclass
    class Made:
        n: int

        def __post_init__(self) -> None:
            made.append(self)
            if len(made) > 1:
                raise GeneratorExit("SECRET")

    def fails(x) -> int:
        raise ToolFailure("busy", "not yet", retryable=True)

    fails.__annotations__["x"] = Made
    run = Toolset(fails, retries=1).run({"name": "fails", "arguments": {"x": {"n": 1}}})

    assert (opaque(run), len(made)) == (True, 2)


def test_an_ordinary_exception_goes_through_as_it_is():
    """
    Only what is no `Exception` is carried in one.
    """
    with pytest.raises(ZeroDivisionError):
        called(lambda: 1 // 0)
    with pytest.raises(Ended) as ended:
        called(sys.exit)

    assert isinstance(ended.value.fault, SystemExit)
