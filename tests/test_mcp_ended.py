"""A call that ends in a way of its own ends no connection."""

from __future__ import annotations

import asyncio

import pytest

from blockargs import Toolset
from blockargs.mcp_server import build_server
from mcp import Client
from waiting import LONG


async def cancelled():
    raise asyncio.CancelledError("SECRET")


def own_loop() -> int:
    """Run a loop of its own, in which something is cancelled."""
    return asyncio.run(cancelled())


def interrupt() -> int:
    """Raise what a user's Ctrl-C raises."""
    raise KeyboardInterrupt("SECRET")


def closes() -> int:
    """Raise what ends a generator."""
    raise GeneratorExit("SECRET")


async def leaves() -> int:
    """Leave the program."""
    raise SystemExit("SECRET")


async def closes_later() -> int:
    """Raise what ends a generator, in the event loop."""
    raise GeneratorExit("SECRET")


def fine() -> int:
    """Work."""
    return 5


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
@pytest.mark.parametrize("fails", [own_loop, interrupt, closes, leaves, closes_later])
def test_the_next_call_is_answered(fails, era):
    """
    The failing call is a result that tells nothing of its fault; the connection goes on.
    """

    async def main():
        async with Client(build_server(Toolset([fails, fine])), mode=era) as client:
            return [await asyncio.wait_for(client.call_tool(f.__name__, {}), LONG) for f in (fails, fine)]

    failed, well = asyncio.run(main())

    assert (failed.is_error, "SECRET" in failed.model_dump_json()) == (True, False)
    assert (well.is_error, well.content[0].text) == (False, "5")
