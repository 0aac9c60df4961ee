"""What comes in, before the SDK reads it: refused where nobody would answer, and kept as it was written."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blockargs import Toolset
from blockargs.mcp_server import build_server, http_app, serve_stdio
from blockargs.mcp_server.bodies import Bodies
from blockargs.mcp_server.incoming import NOTHING, WRITTEN, Refusal, inner_of, members, posted, received
from strategies import json_values


def request(params: str, method: str = "tools/call", id: str = "1") -> bytes:
    """One request as it is written."""
    return f'{{"jsonrpc": "2.0", "id": {id}, "method": "{method}", "params": {params}}}'.encode()


def call(arguments: str, name: str = "echo") -> bytes:
    """One call as it is written."""
    return request(f'{{"name": "{name}", "arguments": {arguments}}}')


@pytest.mark.parametrize(
    ("data", "code", "id", "message"),
    [
        (
            b"garbage",
            -32700,
            None,
            "the message is no JSON, or none that is read here: expected value at line 1 column 1",
        ),
        (call('{"text": "\\ud800"}'), -32700, 1, None),
        (call('{"text": ' + "9" * 5000 + "}"), -32700, 1, None),
        (call("[" * 5000 + "]" * 5000), -32700, 1, None),
        (b'\xef\xbb\xbf{"jsonrpc": "2.0", "id": 1, "method": "ping"}', -32700, 1, None),
        (b'{"method": "ping", "x": "\xff", "jsonrpc": "2.0", "id": "a"}', -32700, "a", "the message is no UTF-8"),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"', -32700, None, None),
        (b'{"jsonrpc":"2.0","id":1234567890123456789012,"method":"ping"', -32700, None, None),
        (b'{"jsonrpc":"2.0","method":"notifications/x","params":{"id":7}', -32700, None, None),
        (b'{"jsonrpc":"2.0","method":"ping","params":{"x":1,},"id":7}', -32700, 7, None),
        (b'[{"jsonrpc": "2.0"}]', -32600, None, "a batch is not taken: send each message for itself"),
        (b"5", -32600, None, "no message"),
        (b'{"id": 9, "method": "ping"}', -32600, 9, 'the message has no "jsonrpc": "2.0"'),
        (b'{"id": "x", "jsonrpc": "2.0"}', -32600, "x", "the message has no method"),
        (b'{"id": 9, "jsonrpc": "2.0", "method": 5}', -32600, 9, "the method is no text"),
        (request("[]"), -32600, 1, "the params are no object"),
        (request("{}", id="null"), -32600, None, "the id is neither a text nor a whole number"),
        (request("{}", id="true"), -32600, None, "the id is neither a text nor a whole number"),
        (request("{}", id="1.5"), -32600, None, "the id is neither a text nor a whole number"),
        (request('{"name": "a", "name": "b", "arguments": {}}'), -32600, 1, "'name' stands there twice"),
        (
            b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "tools/call", "params": {}}',
            -32600,
            2,
            "'id' stands there twice",
        ),
    ],
)
def test_what_is_no_request_is_refused_under_its_id(data, code, id, message):
    """
    JSON-RPC has a code for what is no JSON and one for what is no request; the id is there where it can be had.
    """
    found = received(data)

    assert (found.code, found.id, isinstance(found.id, bool)) == (code, id, False)
    assert message in (None, found.message)
    assert len(found.message) < 300


@pytest.mark.parametrize(
    "data",
    [
        call('{"text": "a"}'),
        call('{"number": 12345678901234567890}'),
        call('{"number": 1.5, "other": [-2.25, 1e+100]}'),
        call('{"text": "a\\": b"}'),
        call('{"text" : "a", "number"\t:0}'),
        call('{"text": "h\\u00e9llo"}'),
        request('{"name": "a", "arguments": {"n": 1.5}, "_meta": {"v": 1.10}}'),
        request('{"name": "a", "arguments": [1.10]}'),
        call('{"text": "a", "text": "b"}', "x").replace(b"tools/call", b"tools/list"),
        request('{"name": "a", "arguments": 5}'),
        request('{"name": "a", "arguments": {"n": 1.5}, "_meta": 5}'),
        request('{"name": "a"}'),
        request("{}", "ping"),
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc": "2.0", "id": 8, "result": {}}',
        b'{"jsonrpc": "2.0", "id": 8, "error": {}}',
    ],
)
def test_what_the_sdk_reads_without_loss_goes_on_as_it_is(data):
    """
    Nearly every message is left alone, byte by byte.
    """
    assert received(data).message == json.loads(data)
    assert posted(data, 1000) is data


@pytest.mark.parametrize(
    "arguments",
    [
        '{"text": 1.10}',
        '{"text":1E5}',
        '{"n": -0}',
        '{"text": "a", "text": "b"}',
        '{"text" : "a", "text"\n: "b"}',
        '{"a": [{"b": 1, "b": 1}]}',
        '{"é": 2e1}',
    ],
)
def test_arguments_that_reading_would_change_go_along_as_they_are_written(arguments):
    """
    They stand in `_meta`, under a key that no client knows; all else is as it was.
    """
    read = json.loads(call(arguments))

    for message in (received(call(arguments)).message, json.loads(posted(call(arguments), 1000))):
        assert message == {**read, "params": {**read["params"], "_meta": {WRITTEN: arguments}}}


def test_a_body_that_would_grow_too_long_is_sent_as_it_is_or_not_at_all():
    """
    The SDK reads so many bytes: then numbers are read as JSON is, but a key that stands twice is still refused.
    """
    number, twice = call('{"text": 1.10}'), call('{"text": "a", "text": "b"}')

    assert (posted(number, 100), posted(twice, 100)) == (number, NOTHING.encode())
    assert posted(request('{"name": "a", "name": "b"}'), 1000) == NOTHING.encode()


@pytest.mark.parametrize("data", [b"", b"garbage", b"[]", b"5", b'{"x": "\xff"}'])
def test_a_body_that_is_no_request_is_left_to_the_sdk(data):
    """
    Over HTTP the SDK answers it.
    """
    assert posted(data, 1000) is data


@given(st.dictionaries(st.text(), json_values(), max_size=5), st.sampled_from([None, 1]))
def test_members_are_found_as_they_are_written(value, indent):
    """
    Whatever stands in an object, each member is the text between its colon and the next comma.
    """
    text = json.dumps(value, indent=indent)

    assert {key: [json.loads(one) for one in found] for key, found in members(text).items()} == {
        key: [json.loads(json.dumps(one))] for key, one in value.items()
    }


def echo(text: str) -> str:
    """Return the text."""
    return text


def count(n: int) -> int:
    """Return the number."""
    return n


CLIENT = '{"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}'
HELLO = request(CLIENT, "initialize", "0") + b'\n{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'


class Open(io.RawIOBase):
    """A stream that ends once as many lines as *wanted* are answered on *sink*."""

    def __init__(self, data, sink, wanted):
        self.data, self.sink, self.wanted = data, sink, wanted

    def read(self, size=-1):
        """Give all at once, then wait for the answers."""
        given, self.data = self.data, b""
        while not given and self.sink.getvalue().count(b"\n") < self.wanted:
            time.sleep(0.001)
        return given


def over_stdio(data, wanted=2, end=b"\n", **options):
    """The answer to *data*, the line after a greeting."""
    sink = io.BytesIO()
    served = build_server(Toolset([echo, count]), **options)
    serve_stdio(served, stdin=Open(HELLO + data + end, sink, wanted), stdout=sink)
    return next(m for m in map(json.loads, sink.getvalue().splitlines()) if m.get("id") != 0)


def over_http(data, headers=()):
    """The status of, and the answer to, the body *data*, sent in two pieces."""
    sent: list = []
    middle = len(data) // 2
    pieces = [
        {"type": "http.request", "body": data[:middle], "more_body": True},
        {"type": "http.request", "body": data[middle:]},
    ]

    async def receive():
        return pieces.pop(0) if pieces else await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    async def ask():
        app = http_app(Toolset([echo, count]))
        given = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json"), *headers]
        given.append((b"accept", b"application/json, text/event-stream"))
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/mcp",
            "headers": given,
            "query_string": b"",
            "http_version": "1.1",
        }
        async with lifespan(app):
            await app(scope | {"scheme": "http", "server": ("127.0.0.1", 80), "root_path": ""}, receive, send)

    asyncio.run(ask())
    body = b"".join(m.get("body", b"") for m in sent).decode()
    return sent[0]["status"], json.loads(body[body.index("{") : body.rindex("}") + 1])


class lifespan:
    """The time in which an application runs."""

    def __init__(self, app):
        self.app, self.inbox, self.outbox = app, asyncio.Queue(), asyncio.Queue()

    async def __aenter__(self):
        self.task = asyncio.ensure_future(self.app({"type": "lifespan"}, self.inbox.get, self.outbox.put))
        await self.inbox.put({"type": "lifespan.startup"})
        await self.outbox.get()

    async def __aexit__(self, *_):
        await self.inbox.put({"type": "lifespan.shutdown"})
        await self.task


MODERN = [
    (b"mcp-protocol-version", b"2026-07-28"),
    (b"mcp-method", b"tools/call"),
    (b"mcp-name", b"echo"),
]
META = '{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}'
DOORS = {
    "stdio": over_stdio,
    "http": lambda data: over_http(data)[1],
    "http-2026": lambda data: over_http(data[:-2] + b', "_meta": ' + META.encode() + b"}}", MODERN)[1],
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"text": 1.10}', "1.10"),
        ('{"text": 1E5}', "1E5"),
        ('{"text": 12345678901234567890.123}', "12345678901234567890.123"),
        ('{"Text": 100.0}', "100.0"),
    ],
)
def test_a_number_where_a_text_is_asked_for_is_the_text_that_was_written(door, arguments, text):
    """
    The digits are those of the client, through every door.
    """
    result = DOORS[door](call(arguments))["result"]

    assert (result["isError"], result["content"][0]["text"]) == (False, text)


def test_a_large_whole_number_written_with_a_point_is_exact():
    """
    9007199254740993.0 is no float.
    """
    assert over_stdio(call('{"n": 9007199254740993.0}', "count"))["result"]["content"][0]["text"] == "9007199254740993"


@pytest.mark.parametrize("door", DOORS)
def test_a_key_that_stands_twice_with_two_values_is_refused(door):
    """
    Nobody guesses which of two values is meant.
    """
    result = DOORS[door](call('{"text": "a", "text": "b"}'))["result"]

    assert (result["isError"], result["_meta"]["blockargs/problems"][0]["code"]) == (True, "duplicate_key")


def test_a_call_through_call_block_keeps_its_digits_too():
    """
    Its arguments are those of the block.
    """
    wrapped = call('{"name": "Echo", "arguments": {"text": 1.10}}', "call_block")

    assert over_stdio(wrapped, tools="lean")["result"]["content"][0]["text"] == "1.10"


def test_what_looks_like_a_call_around_arguments_is_not_opened():
    """
    Arguments of a call go as given: only text of a model is searched for a call.
    """
    wrapped = over_stdio(call('{"arguments": {"text": 1.10}}'))["result"]
    around = over_stdio(call('{"name": "echo", "arguments": {"text": 1.10}}'))["result"]

    assert (wrapped["content"][0]["text"], around["isError"]) == ("1.10", True)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"garbage", -32700),
        (b"[]", -32600),
        (request("[]"), -32600),
        (call('{"text": "\\ud800"}'), -32700),
    ],
)
def test_a_line_that_is_no_request_is_answered_and_logged_once(data, code, caplog):
    """
    The client learns of it, and so does the log, in one line.
    """
    with caplog.at_level(logging.WARNING, "blockargs.mcp_server"):
        answer = over_stdio(data)

    assert (answer["error"]["code"], len(caplog.records)) == (code, 1)


def test_a_body_that_is_no_utf8_is_refused():
    """
    A byte that is no character never reaches a tool.
    """
    status, answer = over_http(call('{"text": "?"}').replace(b"?", b"\xff"))

    assert (status, answer["error"]["code"]) == (400, -32700)


def test_a_last_line_without_its_end_is_answered():
    """
    A client may close the stream right after its last request.
    """
    assert over_stdio(call('{"text": "last"}'), wanted=1, end=b"")["result"]["content"][0]["text"] == "last"


@pytest.mark.parametrize("arguments", ["[1.10]", '"1.10"', "5"])
def test_arguments_of_a_lean_call_that_are_no_object_go_as_they_were_read(arguments):
    """
    Only an object can be the arguments of a block.
    """
    wrapped = call(f'{{"name": "echo", "arguments": {arguments}, "x": 1.5}}', "call_block")

    assert over_stdio(wrapped, tools="lean")["result"]["isError"]


def test_of_a_member_only_an_object_is_found_as_it_is_written():
    """
    A text that holds JSON, a list, what stands there twice and what is not there are none.
    """
    written = '{"a": {"n": 1.10}, "b": "{}", "c": {}, "c": {}}'

    assert [inner_of(written, name) for name in "abcd"] == ['{"n": 1.10}', None, None, None]
    assert inner_of(None, "a") is None


def test_a_body_that_breaks_off_or_is_too_long_passes_in_pieces():
    """
    What the SDK refuses by its length, and a client that is gone, are its own to see.
    """
    for messages, shown in (
        ([{"type": "http.request", "body": b"ab", "more_body": True}, {"type": "http.disconnect"}], ["ab", None]),
        (
            [{"type": "http.request", "body": b"x" * 9, "more_body": True}, {"type": "http.request", "body": b"y"}],
            ["x" * 9, "y"],
        ),
    ):
        assert asyncio.run(bodies_of(messages)) == shown


async def bodies_of(messages):
    """What an application sees of *messages*, of which a body has at most 5 bytes."""
    seen: list = []

    async def app(scope, receive, send):
        seen.extend([await receive(), await receive()])

    async def receive():
        return messages.pop(0)

    await Bodies(app, 5)({"type": "http"}, receive, None)
    return [m["body"].decode() if m["type"] == "http.request" else None for m in seen]


def test_a_refusal_is_a_line():
    """
    What is sent is JSON-RPC.
    """
    assert json.loads(Refusal(-32600, "no", "a").line()) == {
        "jsonrpc": "2.0",
        "id": "a",
        "error": {"code": -32600, "message": "no"},
    }
