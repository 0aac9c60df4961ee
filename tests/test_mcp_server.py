"""The MCP door, seen by the official client: in memory, over stdio and over HTTP, in both eras.

One file for all: what a client is promised does not depend on how it is connected.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import jsonschema
import pytest
from anyio.from_thread import start_blocking_portal

from blockargs import Toolset, export_tools
from blockargs.dispatch.run import META
from blockargs.mcp_server import build_server
from blockargs.mcp_server.helpers import INTERVAL
from mcp import Client, MCPError, StdioServerParameters
from served import shelf
from waiting import LONG, until, until_async

SERVED = Path(__file__).parent / "served.py"
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
MODERN = "2026-07-28"
CONNECTIONS = [(where, era) for where in ("memory", "stdio", "http") for era in ("legacy", MODERN)]


@contextmanager
def http_server(*options):
    """A server process over HTTP; its address."""
    command = [sys.executable, str(SERVED), "http", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ENV) as process:
        try:
            address = None
            while address is None:
                line = process.stderr.readline()
                assert line, "the server ended"
                address = re.search(r"http://\S+", line)
            yield address[0]
        finally:
            process.terminate()
            process.stderr.read()


class Asker:
    """A client on the portal's loop, asked from the test's thread."""

    def __init__(self, portal, client, logs):
        self.portal, self.client, self.logs = portal, client, logs

    def call(self, name, /, progress_callback=None, **arguments):
        return self.portal.call(lambda: self.client.call_tool(name, arguments, progress_callback=progress_callback))

    def __getattr__(self, name):
        return lambda *args, **kwargs: self.portal.call(lambda: getattr(self.client, name)(*args, **kwargs))


@pytest.fixture(scope="module")
def portal():
    """An event loop in a thread of its own."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="module", params=CONNECTIONS, ids=lambda c: f"{c[0]}-{c[1]}")
def client(request, portal):
    """A connected client: each transport in each era."""
    where, era = request.param
    logs = []

    async def log(params):
        logs.append((params.level, params.data))

    def connected(target):
        level = "debug" if era == MODERN else None
        mode = "auto" if era == MODERN else era
        opened = Client(target, mode=mode, logging_callback=log, log_level=level, read_timeout_seconds=LONG)
        return portal.wrap_async_context_manager(opened)

    if where == "memory":
        with connected(build_server(Toolset(shelf()), name="shelf", version="1")) as opened:
            yield Asker(portal, opened, logs)
    elif where == "stdio":
        with connected(StdioServerParameters(command=sys.executable, args=[str(SERVED), "stdio"], env=ENV)) as opened:
            yield Asker(portal, opened, logs)
    else:
        with http_server() as address, connected(address) as opened:
            yield Asker(portal, opened, logs)


@pytest.fixture
def modern(client, request):
    """Whether the client speaks the newest revision."""
    return request.node.callspec.params["client"][1] == MODERN


def not_made(name, *problems):
    """What a model reads of a wrong call of *name*."""
    listed = "".join(f"- {problem}\n" for problem in problems)
    return (
        f"The call of '{name}' was not made, and nothing was applied:\n{listed}"
        "Correct this and send the complete arguments again."
    )


def text_of(result):
    """The text that the model reads."""
    return "\n".join(part.text for part in result.content if part.type == "text")


def test_tools_are_listed_in_the_order_of_their_names(client):
    """
    The same list, in the same order, each time.
    """
    first, again = client.list_tools(cache_mode="bypass"), client.list_tools(cache_mode="bypass")

    assert [t.name for t in first.tools] == sorted(shelf())
    assert first.tools == again.tools
    assert first.next_cursor is None


def test_a_tool_has_the_schema_of_its_block(client):
    """
    What is listed is the schema of the export, with nothing lost on the way.
    """
    listed = {tool.name: tool.input_schema for tool in client.list_tools().tools}

    assert listed == {tool["name"]: tool["inputSchema"] for tool in export_tools(shelf(), "mcp").tools}


def test_a_tool_tells_what_it_is(client):
    """
    Title, description and guidance reach the model.
    """
    head = next(t for t in client.list_tools().tools if t.name == "head")

    assert head.title == "Head"
    assert "Keep the first or the last rows." in head.description
    assert "Not for sampling." in head.description


def test_hints_are_written_in_the_words_of_the_protocol(client):
    """
    read_only becomes readOnlyHint, and so on.
    """
    weather = next(t for t in client.list_tools().tools if t.name == "weather")

    assert weather.annotations.model_dump(by_alias=True, exclude_none=True) == {
        "title": "The weather",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }


def test_no_local_path_is_shown(client):
    """
    Where the blocks come from is nobody's business.
    """
    shown = client.list_tools().model_dump_json() + client.read_resource("blockargs://blocks").model_dump_json()

    assert str(Path(__file__).parent) not in shown
    assert "served.py" not in shown


def test_a_call_returns_text_and_structure(client):
    """
    The text is the JSON of the structured result.
    """
    result = client.call("weather", city="Rome")

    assert not result.is_error
    assert result.structured_content == {"temperature": 4, "condition": "cloudy"}
    assert json.loads(text_of(result)) == result.structured_content


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("primes", {"below": 10}, [2, 3, 5, 7]),
        ("total", {"values": [1, 2.5]}, 3.5),
        ("waits", {"seconds": 0}, "waited"),
    ],
)
def test_an_output_that_is_no_object_reaches_every_client(client, modern, name, arguments, value):
    """
    Older clients get it in an object, newer ones as it is; both as their schema says.
    """
    tool = next(t for t in client.list_tools().tools if t.name == name)
    result = client.call(name, **arguments)

    assert result.structured_content == (value if modern else {"result": value})
    jsonschema.validate(result.structured_content, tool.output_schema)


@pytest.mark.parametrize(("found", "value"), [(True, "word"), (False, None)])
def test_null_is_a_result(client, found, value):
    """
    An output that may be null arrives, null or not.
    """
    assert client.call("maybe", found=found).structured_content == {"result": value}


def test_an_output_of_which_no_type_is_known_is_text(client):
    """
    What was not declared is told in words only.
    """
    result = client.call("untyped")

    assert json.loads(text_of(result)) == [1, 2]
    assert result.structured_content is None


def test_explicit_content_arrives_in_parts(client):
    """
    Text and image arrive as what they are, with the structure beside them.
    """
    result = client.call("picture")

    assert [part.type for part in result.content] == ["text", "image"]
    assert result.structured_content == {"dots": 1}


def test_wrong_arguments_are_explained_to_the_model(client):
    """
    The model reads each wrong argument by path with the cure; programs read the problems in _meta.
    """
    result = client.call("head", n="many", direction="up", rows=1)

    problems = {p["path"]: p["code"] for p in result.meta[f"{META}problems"]}
    assert result.is_error
    assert problems == {"$.n": "wrong_type", "$.direction": "not_in_enum", "$.rows": "unknown_key"}
    assert text_of(result) == not_made(
        "head",
        "$.n: 'many' is a string, not an integer",
        "$.direction: 'up' is not one of 'head', 'tail'",
        "$.rows: 'rows' is no known key; known keys: 'n', 'direction'",
    )
    assert result.structured_content is None


def test_a_missing_argument_is_named(client):
    """
    What is required and was left out stands in the answer.
    """
    result = client.call("weather")

    assert result.is_error
    assert [p["path"] for p in result.meta[f"{META}problems"]] == ["$.city"]


def test_a_validator_speaks_to_the_model(client):
    """
    Checks beyond types are told like the others.
    """
    result = client.call("meeting", attendees=["a"], minutes=0)

    assert result.is_error
    assert text_of(result) == not_made("meeting", "$.minutes: a meeting takes time; give at least 1 minute")


def test_a_declared_failure_is_told_as_it_is(client):
    """
    The message is the text; code and details are for programs.
    """
    result = client.call("refuse", key="k")

    assert result.is_error
    assert text_of(result) == "key 'k' is required"
    assert (result.meta[f"{META}code"], result.meta[f"{META}details"]) == ("missing_key", {"key": "k"})


def test_an_error_that_may_be_told_is_told(client):
    """
    The author named ValueError: its text reaches the model.
    """
    result = client.call("told", number=3)

    assert result.is_error
    assert text_of(result) == "3 is odd"


def test_an_undeclared_failure_is_opaque(client):
    """
    Neither the text of a stranger's exception nor a path leaves the host.
    """
    result = client.call("crash", secret="hunter2")

    shown = result.model_dump_json()
    assert result.is_error
    assert not any(word in shown for word in ("hunter2", "served.py", "RuntimeError", "Traceback"))


def test_an_unknown_tool_is_an_error_of_the_protocol(client):
    """
    A tool that is not there is -32602, with the nearest name.
    """
    with pytest.raises(MCPError) as caught:
        client.call("wether")

    assert caught.value.code == -32602
    assert caught.value.message == "Unknown tool: wether; did you mean 'weather'?"


def test_repairs_are_made_and_reported(client):
    """
    A text that is a number, a key in another style: put right, and told in _meta.
    """
    result = client.call("head", N="3")

    assert not result.is_error
    assert json.loads(text_of(result)) == {"n": 3, "direction": "head"}
    assert [note["message"] for note in result.meta[f"{META}repairs"]] == [
        "read '3' as the integer 3",
        "read the key 'N' as 'n'",
    ]


def test_helpers_are_filled_in_and_never_shown(client):
    """
    Context, Progress and Logger work over the connection; the schema holds only what the model gives.
    """
    tool = next(t for t in client.list_tools().tools if t.name == "audit")
    seen = []

    async def progress(done, total, message):
        seen.append((done, total, message))

    client.logs.clear()
    result = client.call("audit", progress, message="hello")

    assert list(tool.input_schema["properties"]) == ["message"]
    assert seen[-1] == (3, 3, "step 3")
    assert client.logs == [("info", {"message": "hello"}), ("warning", "careful"), ("debug", "a detail")]
    assert result.structured_content["request"]


def test_the_client_is_known_where_it_says_who_it_is(client, request):
    """
    The context carries the client's name; over HTTP in the old era requests stand alone.
    """
    where, era = request.node.callspec.params["client"]
    who = client.call("audit", message="hello").structured_content["client"]

    assert who.get("name") == (None if (where, era) == ("http", "legacy") else "mcp")


def test_progress_only_grows_and_is_throttled(client):
    """
    A thousand small steps are told in a few messages, in order, the last among them.
    """
    seen = []

    async def progress(done, total, message):
        seen.append(done)

    began = time.monotonic()
    client.call("steps", progress, count=1000)
    most = (time.monotonic() - began) / INTERVAL + 2  # the first is told at once, and so is the last

    assert seen == sorted(set(seen))
    assert seen[-1] == 1000
    assert len(seen) <= most


def test_without_a_token_no_progress_is_sent(client):
    """
    Who does not ask for progress hears none, and the work is the same.
    """
    assert client.call("steps", count=3).content[0].text == "3"


def test_what_is_printed_stays_off_the_wire(client):
    """
    A constructor that prints disturbs nobody.
    """
    result = client.call("chatty", words='{"jsonrpc": "2.0", "id": 1, "result": {}}')

    assert not result.is_error
    assert client.call("weather", city="Bern").structured_content["temperature"] == 4


def test_a_timeout_is_told(client):
    """
    A block that may take 0.1 seconds is answered then, with the limit.
    """
    result = client.call("hasty", seconds=1)

    assert result.is_error
    assert text_of(result) == "The call did not end within 0.1 seconds, and nobody waits for it any more."
    assert result.meta[f"{META}code"] == "timed_out"


def test_a_blocking_call_stops_no_other(client, tmp_path):
    """
    While a constructor blocks, others are answered.
    """

    async def both():
        slow = asyncio.ensure_future(client.client.call_tool("patient", {"folder": str(tmp_path), "label": "slept"}))
        await until_async((tmp_path / "slept begun").exists)
        quick = [await client.client.call_tool("weather", {"city": "Rome"}) for _ in range(5)]
        ended = slow.done()
        (tmp_path / "go").touch()
        return ended, quick, await slow

    ended, quick, slow = client.portal.call(both)

    assert not ended
    assert not any(r.is_error for r in quick)
    assert text_of(slow) == "slept"


def test_resources_tell_of_the_blocks(client):
    """
    A table of all blocks, and everything about one.
    """
    (listed,) = client.list_resources().resources
    (template,) = client.list_resource_templates().resource_templates
    table = client.read_resource("blockargs://blocks").contents[0]
    head = client.read_resource("blockargs://blocks/head").contents[0]

    record = json.loads(head.text)
    assert (str(listed.uri), template.uri_template) == ("blockargs://blocks", "blockargs://blocks/{uid}")
    assert (table.mime_type, head.mime_type) == ("text/markdown", "application/json")
    assert all(uid in table.text for uid in shelf())
    assert (record["name"], record["schema"]) == ("Head", shelf()["head"].input_schema())


@pytest.mark.parametrize("uri", ["blockargs://blocks/nothing", "blockargs://blocks/", "file:///etc/passwd", "x:y"])
def test_a_resource_that_is_not_there_is_an_error(client, modern, uri):
    """
    Nothing else can be read, and each era has its code for that.
    """
    with pytest.raises(MCPError) as caught:
        client.read_resource(uri)

    assert caught.value.code == (-32602 if modern else -32002)


def test_a_prompt_explains_how_to_use_a_block(client):
    """
    The prompt tells how to pick and fill a block, and repeats the task.
    """
    (prompt,) = client.list_prompts().prompts
    said = client.get_prompt(prompt.name, {"task": "keep ten rows"}).messages[0].content.text

    assert "The task: keep ten rows" in said
    assert "Each tool of this server is a block" in said


def test_an_unknown_prompt_is_an_error(client):
    """
    A prompt that is not there is -32602.
    """
    with pytest.raises(MCPError) as caught:
        client.get_prompt("nothing")

    assert caught.value.code == -32602


def test_a_foreign_cursor_is_an_error(client):
    """
    A cursor that was not handed out is -32602.
    """
    with pytest.raises(MCPError) as caught:
        client.list_tools(cursor="zz")

    assert caught.value.code == -32602


def test_the_server_says_who_it_is(client, modern):
    """
    Name, version and instructions are told.
    """
    assert (client.client.server_info.name, client.client.server_info.version) == ("shelf", "1")
    assert client.client.protocol_version == (MODERN if modern else "2025-11-25")
    assert client.client.instructions.startswith(f"This server has {len(shelf())} blocks")


def test_two_hundred_calls_at_once_with_twenty_slow_ones(client):
    """
    Nothing is lost, nothing is mixed up, and the quick ones do not wait for the slow ones.
    """

    async def one(index):
        if index % 10 == 0:
            return await client.client.call_tool("slow", {"seconds": 0.3, "label": str(index)})
        return await client.client.call_tool("refuse", {"key": str(index)})

    async def all_of_them():
        return await asyncio.gather(*(one(i) for i in range(200)))

    results = client.portal.call(all_of_them)

    expected = [str(i) if i % 10 == 0 else f"key '{i}' is required" for i in range(200)]
    assert [text_of(r) for r in results] == expected


def test_fifty_cancelled_calls_leave_nothing_behind(client, request, tmp_path):
    """
    Cancelled calls end at once, the server still answers, and no thread is left.

    Over HTTP in the old era requests stand alone: a cancellation reaches nobody, and work ends by itself.
    """
    unheard = request.node.callspec.params["client"] == ("http", "legacy")
    labels = [str(i) for i in range(50)]

    def all_are(told):
        return lambda: all((tmp_path / f"{label} {told}").exists() for label in labels)

    async def cancelled():
        calls = [
            asyncio.ensure_future(client.client.call_tool("patient", {"folder": str(tmp_path), "label": label}))
            for label in labels
        ]
        await until_async(all_are("begun"))
        for call in calls:
            call.cancel()
        return await asyncio.gather(*calls, return_exceptions=True)

    before = int(text_of(client.call("threads")))  # in memory, other tests of this process have left idle ones
    outcomes = client.portal.call(cancelled)
    if unheard:
        (tmp_path / "go").touch()

    assert all(isinstance(o, asyncio.CancelledError) for o in outcomes)
    assert not client.call("weather", city="Rome").is_error
    until(all_are("ended"))
    until(lambda: int(text_of(client.call("threads"))) <= before + 20)  # some wait a while for more work
