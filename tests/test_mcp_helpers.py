"""What constructors say over a connection: log lines, progress, and what cannot be said."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest
from mcp.server import CacheHint

from blockargs import Registry, ToolFailure, derive_block
from blockargs.errors import InvalidToolsetError
from blockargs.inject import Context, Logger, Progress
from blockargs.mcp_server import build_server, helpers
from blockargs.mcp_server.helpers import MOST_WAITING
from blockargs.mcp_server.offer import Catalogue
from blockargs.mcp_server.server import Door, own_version
from blockargs.mcp_server.wire import loggable
from blockargs.node import ArgType
from blockargs.spec import Block
from mcp import Client
from served import shelf
from waiting import LONG, until, until_async

FLOOD = MOST_WAITING * 50  # lines, far more than are read meanwhile
HALF = "\ud800"  # half of a character pair, which UTF-8 cannot write


async def floods(logger: Logger) -> str:
    """Log without end, and without a pause in which a line could be read."""
    for line in range(FLOOD):
        logger.info(line)
    return "done"


def odd(logger: Logger) -> str:
    """Log what is no JSON, and what is no UTF-8."""
    logger.info(object)
    logger.info({"half": HALF, "number": float("nan"), "deep": [{1: (2, None)}]})
    return "done"


HEARD: list[float] = []  # the progress that a client has heard


def uneven(progress: Progress) -> str:
    """Report two steps at once, wait until the second is heard, then report three more at the end."""
    progress.report(1, 10)
    progress.report(2, 10)
    until(lambda: 2 in HEARD)
    progress.report(3, 10)
    progress.report(4, 10)
    progress.report(5, 10)
    return "done"


def endless(progress: Progress) -> str:
    """Report what is no number."""
    progress.report(float("inf"))
    return "done"


def half(whole: bool) -> str:
    """Fail with what UTF-8 cannot write."""
    if whole:
        return "whole"
    raise ToolFailure("half", f"half of {HALF}", details={"half": HALF})


async def lingers(logger: Logger) -> str:
    """Log, then wait for long."""
    logger.info("here")
    await asyncio.sleep(2 * LONG)
    return "done"


def timed(ctx: Context) -> float:
    """Tell how much time is left."""
    return ctx.remaining() or 0.0


@pytest.fixture(scope="module")
def server():
    """A server of the blocks above."""
    registry = Registry()
    for constructor in (floods, odd, uneven, endless, half, lingers):
        registry.register(constructor, kind="tool")
    registry.register(timed, kind="tool", timeout=LONG)
    registry.register(shelf()["audit"])
    return build_server(registry)


def told(server, question, era="2026-07-28", lines=None):
    """What *question* answers, and the log lines that came."""
    lines = [] if lines is None else lines

    async def log(params):
        lines.append(params.data)

    async def go():
        level = "debug" if era != "legacy" else None
        async with Client(server, mode=era, logging_callback=log, log_level=level, read_timeout_seconds=LONG) as client:
            return await question(client)

    return asyncio.run(go()), lines


def progress_of(server, name):
    """The progress that a call of *name* reports."""

    async def progress(done, total, message):
        HEARD.append(done)

    HEARD.clear()
    told(server, lambda c: c.call_tool(name, progress_callback=progress))
    return HEARD


@pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")
def test_a_client_that_wants_warnings_hears_no_less():
    """
    Up to 2025-11-25 a connection says below which level it wants nothing.
    """

    async def quietly(client):
        await client.set_logging_level("warning")
        return await client.call_tool("audit", {"message": "hello"})

    assert told(build_server(shelf()), quietly, "legacy")[1] == ["careful"]


def test_a_flood_of_lines_is_cut(server, monkeypatch):
    """
    Who logs faster than a client reads loses lines, not the call, and the last line says how many.
    """
    monkeypatch.setattr(helpers, "PATIENCE", LONG)
    result, lines = told(server, lambda c: c.call_tool("floods"))

    lost = f"{FLOOD - MOST_WAITING} log lines came faster than they were read: lost"
    assert result.content[0].text == "done"
    assert lines == [*range(MOST_WAITING), lost]


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
def test_what_is_no_json_is_logged_as_it_is_shown(server, era):
    """
    No line ends the connection, whatever it holds.
    """
    _, lines = told(server, lambda c: c.call_tool("odd"), era)

    assert lines == ["<type>", {"half": "\ufffd", "number": "nan", "deep": [{"1": [2, None]}]}]


def test_progress_that_waits_is_told_in_time(server):
    """
    A report that came too soon is told a little later, and the last one before the result.
    """
    seen = progress_of(server, "uneven")

    assert seen == sorted(set(seen))
    assert seen[0] == 1
    assert 2 in seen
    assert seen[-1] == 5


def test_progress_that_is_no_number_is_dropped(server):
    """
    Infinity is no progress.
    """
    assert progress_of(server, "endless") == []


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
def test_a_failure_that_utf8_cannot_write_is_still_told(server, era):
    """
    Half a character is replaced, also in what programs read, and the connection lives on.
    """

    async def twice(client):
        return [await client.call_tool("half", {"whole": whole}) for whole in (False, True)]

    results, _ = told(server, twice, era)

    assert [r.content[0].text for r in results] == ["half of \ufffd", "whole"]
    assert results[0].meta["blockargs/details"] == {"half": "\ufffd"}


def test_a_cancelled_call_says_no_more(server):
    """
    What was still to be said of a call is dropped with it.
    """

    lines = []

    async def cancelled(client):
        call = asyncio.ensure_future(client.call_tool("lingers"))
        await until_async(lambda: lines)
        call.cancel()
        await asyncio.wait([call])
        return call.cancelled(), await client.call_tool("half", {"whole": True})

    (gone, result), _ = told(server, cancelled, "legacy", lines)

    assert gone
    assert not result.is_error
    assert lines == ["here"]


def test_a_constructor_knows_how_much_time_is_left(server):
    """
    The limit of its block is its deadline.
    """
    result, _ = told(server, lambda c: c.call_tool("timed"))

    assert 0 < result.structured_content <= LONG


def test_a_client_that_fails_at_a_message_still_gets_its_result(server):
    """
    A message that is lost never ends a call.
    """

    HEARD.clear()

    async def fails(done, total, message):
        HEARD.append(done)
        raise RuntimeError("no room for progress")

    result, _ = told(server, lambda c: c.call_tool("uneven", progress_callback=fails))

    assert result.content[0].text == "done"


def test_a_line_deeper_than_json_is_read_is_cut(server):
    """
    What is nested beyond all bounds is shown, not sent.
    """
    deep = []
    for _ in range(10_000):
        deep = [deep]

    assert loggable(["flat", 1]) == ["flat", 1]
    assert len(json.dumps(loggable(deep))) < 10_000


class Guarded:
    """Its `repr` tells what nobody may know."""

    def __repr__(self):
        return "<Guarded hunter2>"


def test_an_object_in_a_line_is_named_by_its_class():
    """
    What an object says of itself is the host's: neither a value nor a key sends it.
    """
    assert loggable({"a": [Guarded()], Guarded(): 1, 2: None}) == {"a": ["<Guarded>"], "<Guarded>": 1, "2": None}


def test_a_block_that_has_no_form_in_the_protocol_is_left_out(caplog):
    """
    Arguments that are no object cannot be sent, and the host learns of it.
    """
    odd_one = Block(uid="odd_one", schema=ArgType({"type": "string"}))

    result, _ = told(build_server([odd_one, shelf()["weather"]]), lambda c: c.list_tools())

    assert [tool.name for tool in result.tools] == ["weather"]
    assert "a block is not offered: " in caplog.text


def test_the_server_tells_the_version_of_this_package():
    """
    Without a version of its own the server has ours.
    """
    assert build_server([]).version == own_version()
    assert own_version("mcp").startswith("2.")
    assert own_version("a-package-that-is-not-installed") == "0"


def test_a_block_that_no_client_could_read_is_left_out(caplog):
    """
    A description that UTF-8 cannot write spoils no list, and the host learns of it.
    """
    blocks = [derive_block(half, kind="tool"), derive_block(timed, kind="tool", annotations={"title": HALF})]

    result, _ = told(build_server(blocks), lambda c: c.list_tools())

    assert [tool.name for tool in result.tools] == ["half"]
    assert "tool 'timed' is left out" in caplog.text


ODD = (  # what a block may hold that nobody has checked: it is registered nowhere
    {"output_schema": {"type": "object", "$schema": 5}},
    {"output_schema": {"type": "object", "required": "a"}},
    {"output_schema": {"type": "object", "properties": None}},
    {"output_schema": {"type": "object", "minProperties": float("nan")}},
    {"schema": ArgType({"type": "object", "required": "a"})},
    {"annotations": {"read_only": "yes"}},
    {"annotations": {"idempotent": 1}},
    {"annotations": {"icons": [{"src": "https://tools.example.org/a.png", "mimeType": None}]}},
)


@pytest.mark.parametrize("fields", ODD, ids=str)
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_block_that_strict_clients_refuse_spoils_no_list(fields, mode, caplog):
    """
    It is left out, the others are listed, and the host learns of it.
    """
    odd = Block(uid="odd", constructor=half, kind="tool", **fields)

    result, _ = told(build_server([odd, derive_block(half, kind="tool")]), lambda c: c.list_tools(), mode)

    assert [tool.name for tool in result.tools] == ["half"]
    assert "tool 'odd' is left out" in caplog.text or "a block is not offered: " in caplog.text


def test_a_schema_that_says_yes_or_no_is_written_as_an_object():
    """
    Up to 2025-11-25 a property is described by an object; true is an empty one, false the contrary.
    """
    either = {"type": "object", "properties": {"a": True, "b": False, "c": {"type": "string"}}}
    odd = Block(uid="odd", constructor=half, schema=ArgType(either), output_schema=ArgType(either), kind="tool")

    (tool,) = told(build_server([odd]), lambda c: c.list_tools(), "legacy")[0].tools

    properties = {"a": {}, "b": {"not": {}}, "c": {"type": "string"}}
    assert tool.input_schema["properties"] == tool.output_schema["properties"] == properties


class Breaking(Registry):
    """A registry that is sound until it is broken."""

    broken = False

    @property
    def version(self):
        if self.broken:
            raise RuntimeError("it is broken")
        return super().version


def test_a_fault_of_the_door_itself_is_opaque(caplog):
    """
    What goes wrong in the server is in its log, not on the wire.
    """
    registry = Breaking()
    registry.register(half, kind="tool")
    server = build_server(registry)

    async def ask(client):
        registry.broken = True
        with pytest.raises(Exception) as caught:
            await client.call_tool("half", {"whole": True})
        return str(caught.value)

    message, _ = told(server, ask, "legacy")

    assert message == "Internal server error"
    assert "(tools/call) failed" in caplog.text


def test_a_registry_that_cannot_be_offered_any_more_is_offered_as_it_was(caplog):
    """
    Two blocks of one wire name cannot stand together; what was good goes on.
    """
    registry = Registry()
    registry.register(half, kind="tool", wire_name="one")
    server = build_server(registry)
    registry.register(timed, kind="tool", wire_name="one")

    result, _ = told(server, lambda c: c.list_tools())

    assert [tool.name for tool in result.tools] == ["one"]
    assert "the offer is as it was" in caplog.text
    with pytest.raises(InvalidToolsetError):
        build_server(registry)


def test_a_list_that_cannot_be_announced_once_is_announced_the_next_time(caplog):
    """
    A client that is gone for a moment does not end the watching, and the host learns of it.
    """
    heard = []

    class Session:
        async def send_tool_list_changed(self):
            heard.append(len(registry))
            if len(heard) == 1:
                raise OSError("the wire is gone")

    registry = Registry()

    async def go():
        async with Door(Catalogue(registry), 1, CacheHint()).lifespan(None) as connected:
            connected.session = Session()
            await asyncio.sleep(0)  # the watching begins
            for block in (derive_block(timed), derive_block(half)):
                registry.register(block)
                await until_async(lambda: heard[-1:] == [len(registry)])

    asyncio.run(go())

    assert heard == [1, 2]
    assert "a changed list could not be announced" in caplog.text


def test_a_change_is_announced_to_a_client_that_gets_ready_later():
    """
    What changes between the greeting and the client's word that it is ready is not lost.
    """
    heard, looked = [], []

    class Session:
        async def send_tool_list_changed(self):
            heard.append(len(registry))

    registry = Registry()
    door = Door(Catalogue(registry), 1, CacheHint())
    door.bus.subscribe(looked.append)

    async def go():
        async with door.lifespan(None) as connected:
            await asyncio.sleep(0)  # the watching begins
            registry.register(derive_block(timed))
            await until_async(lambda: looked)
            assert heard == []
            connected.session = Session()
            await until_async(lambda: heard)

    asyncio.run(go())

    assert heard == [1]


def test_log_lines_of_the_door_are_the_hosts(caplog):
    """
    The door says little while all is well.
    """
    with caplog.at_level(logging.INFO, logger="blockargs.mcp_server"):
        told(build_server(shelf()), lambda c: c.list_tools())

    assert [r for r in caplog.records if r.name == "blockargs.mcp_server"] == []
