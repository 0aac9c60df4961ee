"""The HTTP transport: who is let in, how much is read, what is logged, how it ends."""

from __future__ import annotations

import asyncio
import http.client
import io
import json
import logging.handlers
import os
import re
import signal
import subprocess
import sys
import threading
import warnings
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from sse_starlette.sse import AppStatus

from blockargs.errors import InvalidOptionError, Problem
from blockargs.mcp_server import http_app, http_server, read_token, serve_http
from blockargs.mcp_server.http import access_log
from blockargs.mcp_server.listening import address
from mcp import Client
from served import shelf
from waiting import LONG, until

SERVED = Path(__file__).parent / "served.py"
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
TOKEN = "correct-horse-battery-staple"
MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Asked:
    """Requests to a server at a port."""

    def __init__(self, port):
        self.port = port

    def post(self, body, headers=None, path="/mcp"):
        """Status and decoded answer of one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        given = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request("POST", path, raw, {k: v for k, v in {**given, **(headers or {})}.items() if v is not None})
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        events = re.findall(r"data: (\{.*)", text)
        return response.status, json.loads(events[-1]) if events else json.loads(text) if text[:1] == "{" else text

    def get(self, path="/mcp"):
        """Status of a request for a stream of the server's own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}", "Accept": "text/event-stream"})
        status = connection.getresponse().status
        connection.close()
        return status


class Server(Asked):
    """A server process and the requests made to it."""

    def __init__(self, *options):
        command = [sys.executable, str(SERVED), "http", *options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ENV)
        self.log = ""
        while not (found := re.search(r"http://127.0.0.1:(\d+)/mcp", self.log)):
            line = self.process.stderr.readline()
            assert line, f"the server ended: {self.log}"
            self.log += line
        super().__init__(int(found[1]))

    def end(self):
        """The rest of the log, after the process has ended."""
        self.process.send_signal(signal.SIGTERM)
        self.log += self.process.communicate(timeout=LONG)[1]
        return self.log


@pytest.fixture(scope="module")
def server():
    """A server that asks for a token."""
    started = Server("--token", TOKEN)
    yield started
    started.end()


def legacy(method, params=None, **headers):
    """A request of the old era, and its headers."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    return body, {"Authorization": f"Bearer {TOKEN}", "MCP-Protocol-Version": "2025-11-25", **headers}


def modern(name, arguments, **headers):
    """A call of the newest era, and its headers."""
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments, "_meta": META},
    }
    named = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": name}
    return body, {"Authorization": f"Bearer {TOKEN}", **named, **headers}


ROME = {"name": "weather", "arguments": {"city": "Rome"}}


def test_a_request_stands_alone(server):
    """
    A call is answered without any greeting before it, in both eras.
    """
    old = server.post(*legacy("tools/call", ROME))
    new = server.post(*modern("weather", {"city": "Rome"}))

    assert [answer["result"]["structuredContent"]["temperature"] for _, answer in (old, new)] == [4, 4]


@pytest.mark.parametrize(
    "shown",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong-wrong-wrong-wrong",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Basic {TOKEN}",
        TOKEN,
    ],
)
def test_a_wrong_token_is_refused(server, shown):
    """
    Without the token nothing is read: 401, and how to do it better.
    """
    status, _ = server.post(legacy("ping")[0], {"Authorization": shown})

    assert status == 401


def test_the_scheme_of_a_token_may_be_written_in_any_case(server):
    """
    HTTP compares the word Bearer without case.
    """
    body, headers = legacy("ping")

    assert server.post(body, {**headers, "Authorization": f"bearer {TOKEN}"})[0] == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "http://localhost.evil.example:80",
        "http://localhost:80@evil.example",
    ],
)
def test_a_foreign_origin_is_refused(server, origin):
    """
    A page that a browser shows cannot reach the server: 403.
    """
    assert server.post(*legacy("tools/call", ROME, Origin=origin))[0] == 403
    assert server.post(*modern("weather", {"city": "Rome"}, Origin=origin))[0] == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "127.0.0.1.evil.example:1", "127.0.0.1:80@evil.example", "127.0.0.1:1/"],
)
def test_a_foreign_host_is_refused(server, host):
    """
    A name that was bent to the loopback is not served: 421.
    """
    assert server.post(*legacy("tools/call", ROME, Host=host))[0] == 421


@pytest.mark.parametrize(
    ("header", "values", "status"),
    [
        (b"host", [b"127.0.0.1", b"127.0.0.1"], 421),
        (b"host", [b"127.0.0.1:80@evil.example"], 421),
        (b"host", [b"localhost:x.evil.example"], 421),
        (b"host", [b"LocalHost:8000"], 200),
        (b"origin", [b"http://127.0.0.1", b"http://127.0.0.1"], 403),
        (b"origin", [b"http://localhost:80@evil.example"], 403),
        (b"origin", [b"https://localhost"], 200),
    ],
)
def test_a_place_that_is_several_or_could_mislead_is_refused(header, values, status):
    """
    Whatever server stands before the application: of two Hosts or Origins nobody knows which counts.
    """
    headers = {b"host": [b"127.0.0.1"], header: values}
    given = [(key, value) for key, found in headers.items() for value in found]

    assert asyncio.run(status_of(http_app(shelf()), given)) == status


async def status_of(app, headers):
    """Status of a ping sent straight to an ASGI application."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    kinds = [(b"content-type", b"application/json"), (b"accept", b"application/json, text/event-stream")]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": [*headers, *kinds], "query_string": b""}
    sent, received = [], [{"type": "http.request", "body": body, "more_body": False}]

    async def receive():
        return received.pop(0) if received else await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    async with app_lifespan(app):
        await app({**scope, "http_version": "1.1", "scheme": "http", "server": ("127.0.0.1", 80)}, receive, send)
    return sent[0]["status"]


@asynccontextmanager
async def app_lifespan(app):
    """The life of an ASGI application, as a server drives it."""
    asked: asyncio.Queue = asyncio.Queue()
    told: asyncio.Queue = asyncio.Queue()
    life = asyncio.create_task(app({"type": "lifespan"}, asked.get, told.put))
    for step in ("startup", "shutdown"):
        await asked.put({"type": f"lifespan.{step}"})
        assert (await told.get())["type"] == f"lifespan.{step}.complete"
        if step == "startup":
            yield
    await life


@pytest.mark.parametrize(
    ("option", "given", "shown"),
    [
        ("hosts", "tools.example.org", "'tools.example.org'"),
        ("hosts", ["*"], "'*'"),
        ("hosts", ["https://tools.example.org"], "'https://tools.example.org'"),
        ("hosts", [None], "null"),
        ("origins", ["tools.example.org"], "'tools.example.org'"),
        ("origins", ["https://tools.example.org/page"], "'https://tools.example.org/page'"),
    ],
)
def test_a_host_that_never_comes_is_refused(option, given, shown):
    """
    What no header could ever say is told when the application is made.
    """
    example = "'tools.example.org:*'" if option == "hosts" else "'https://tools.example.org'"
    with refused(f"$.{option}", f"{shown} is no such header, or no list of them", f"write [{example}]"):
        http_app([], **{option: given})


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:5173"])
def test_a_page_of_this_machine_is_served(server, origin):
    """
    Tools that run in a browser on this machine may ask.
    """
    assert server.post(*legacy("ping", Origin=origin))[0] == 200


def test_ten_megabytes_are_refused(server):
    """
    More than four megabytes are not read: 413, and the server still answers.
    """
    body, headers = legacy("tools/call", {"name": "weather", "arguments": {"city": "x" * 10_000_000}})
    try:
        status, _ = server.post(body, headers)
    except (BrokenPipeError, ConnectionResetError):  # answered before all was sent
        status = 413

    assert status == 413
    assert server.post(*legacy("ping"))[0] == 200


@pytest.mark.parametrize("body", [b"garbage", b"", b"[]", b"[" * 100_000, b'{"jsonrpc": "2.0", "id"', b"\xff\xfe"])
def test_garbage_is_a_bad_request(server, body):
    """
    What is no message is answered with 400 in both eras.
    """
    assert server.post(body, legacy("ping")[1])[0] == 400
    assert server.post(body, modern("weather", {})[1])[0] == 400


def test_a_header_that_repeats_an_argument_is_compared(server):
    """
    A header that is missing, or tells otherwise than the body, is refused before the block runs.
    """
    good = server.post(*modern("routed", {"region": "eu"}, **{"Mcp-Param-Region": "eu"}))
    encoded = server.post(*modern("routed", {"region": "é"}, **{"Mcp-Param-Region": "=?base64?w6k=?="}))
    bad = [
        server.post(*modern("routed", {"region": "eu"}, **headers))
        for headers in ({}, {"Mcp-Param-Region": "us"}, {"Mcp-Param-Region": "=?base64?!?="})
    ]

    assert [answer["result"]["isError"] for _, answer in (good, encoded)] == [False, False]
    assert [(status, answer["error"]["code"]) for status, answer in bad] == [(400, -32020)] * 3


def test_an_unknown_tool_is_an_error_of_the_protocol(server):
    """
    Over HTTP too it is -32602.
    """
    assert server.post(*legacy("tools/call", {"name": "nothing"}))[1]["error"]["code"] == -32602
    assert server.post(*modern("nothing", {}))[1]["error"]["code"] == -32602


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_session_to_listen_to_or_to_end(server, method):
    """
    Requests stand alone: a stream of the server's own, or the end of a session, is 405.
    """
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONG)
    connection.request(method, "/mcp", headers={"Authorization": f"Bearer {TOKEN}", "Accept": "text/event-stream"})
    response = connection.getresponse()
    response.read()
    connection.close()

    assert (response.status, response.getheader("Allow")) == (405, "POST")


def test_another_path_is_not_there(server):
    """
    Only the one path is served.
    """
    assert server.post(*legacy("ping"), path="/")[0] == 404


def test_two_processes_serve_the_same_blocks():
    """
    Behind a balancer each request may reach another process: lists agree, cursors too, calls are answered.
    """
    one, other = Server("--token", TOKEN), Server("--token", TOKEN)
    try:
        lists = [s.post(*legacy("tools/list"))[1]["result"] for s in (one, other)]
        calls = [s.post(*legacy("tools/call", ROME))[1]["result"]["isError"] for s in (one, other) * 3]
    finally:
        one.end()
        other.end()

    assert lists[0] == lists[1]
    assert calls == [False] * 6


def test_the_access_log_tells_no_arguments_and_the_end_is_graceful(tmp_path):
    """
    Method, path, status and time are logged; a running call ends before the server does.
    """
    started = Server()
    started.post(*legacy("tools/call", {"name": "weather", "arguments": {"city": "hunter2"}}), path="/mcp?key=hunter2")
    work = {"folder": str(tmp_path), "label": "slept"}
    body, headers = legacy("tools/call", {"name": "patient", "arguments": work})
    connection = http.client.HTTPConnection("127.0.0.1", started.port, timeout=LONG)
    accept = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", json.dumps(body), {**headers, **accept})
    until((tmp_path / "slept begun").exists)
    started.process.send_signal(signal.SIGTERM)
    (tmp_path / "go").touch()
    log = started.end()
    answer = connection.getresponse().read().decode()
    connection.close()

    assert re.search(r"POST /mcp 200 [\d.]+ ms", log)
    assert "hunter2" not in log
    assert "slept" in answer
    assert "Traceback" not in log


@contextmanager
def running(blocks, **options):
    """A server in a thread of this process; its port."""
    server = http_server(blocks, port=0, **options)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started or not thread.is_alive())
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(LONG)
    assert not thread.is_alive()


@pytest.fixture
def lines():
    """The lines of the access log, which a host has turned to himself."""
    caught = logging.handlers.BufferingHandler(1000)
    access_log.addHandler(caught)
    access_log.setLevel("INFO")
    yield caught.buffer
    access_log.removeHandler(caught)
    access_log.setLevel("NOTSET")


def test_a_host_may_run_and_stop_the_server_itself(lines, capsys):
    """
    In a process of the host's own it starts, answers, logs and ends.
    """
    with running(shelf(), token=TOKEN, path="/blocks") as port:
        asked = Asked(port)
        statuses = [
            asked.post(*legacy("tools/call", ROME), path="/blocks")[0],
            asked.post(legacy("ping")[0], path="/blocks")[0],
            asked.post(*modern("routed", {"region": "eu"}, **{"Mcp-Param-Region": "us"}), path="/blocks")[0],
            asked.get("/blocks"),
        ]

    assert statuses == [200, 401, 400, 405]
    logged = [r.getMessage().rsplit(" ", 2)[0] for r in lines]
    assert sorted(logged) == ["GET /blocks 405", "POST /blocks 200", "POST /blocks 400", "POST /blocks 401"]
    assert re.search(r"serving MCP on http://127.0.0.1:\d+/blocks", capsys.readouterr().err)


def test_without_a_session_there_is_nothing_to_listen_to():
    """
    In the old era a client asks for a stream of the server's own, and does without it.
    """

    async def ask(address):
        async with Client(address, mode="legacy") as client:
            await client.set_logging_level("error")
            return await client.call_tool("weather", {"city": "Rome"})

    with warnings.catch_warnings(), running(shelf(), access=False) as port:
        warnings.simplefilter("ignore")
        result = asyncio.run(ask(f"http://127.0.0.1:{port}/mcp"))

    assert result.structured_content["temperature"] == 4


def test_an_interrupt_ends_the_server_quietly(monkeypatch):
    """
    Control-C is no accident.
    """

    class Interrupts(io.StringIO):
        def write(self, text):
            if text.startswith("serving MCP on "):
                os.kill(os.getpid(), signal.SIGINT)
            return super().write(text)

    told = Interrupts()
    monkeypatch.setattr(sys, "stderr", told)
    serve_http(shelf(), port=0, access=False)

    assert re.fullmatch(r"serving MCP on http://127.0.0.1:\d+/mcp\n", told.getvalue())


def test_an_address_of_the_sixth_version_is_told_as_a_browser_reads_it():
    """
    Such an address stands in brackets.
    """
    shown = [address(where, 8000, "/mcp") for where in ("127.0.0.1", "::1")]

    assert shown == ["http://127.0.0.1:8000/mcp", "http://[::1]:8000/mcp"]


def test_the_process_is_as_it_was_when_the_last_server_has_ended():
    """
    While a server runs the access log goes to standard error, and nothing cuts the answers of running calls.
    """

    def changed():
        drain = AppStatus.enable_automatic_graceful_drain
        return len(access_log.handlers), access_log.level, access_log.propagate, drain

    before = changed()
    with running(shelf()):
        with running(shelf(), access=False):
            both = changed()
        one = changed()

    assert (before, both, one) == ((0, 0, True, True), *[(1, logging.INFO, False, False)] * 2)
    assert changed() == before


@contextmanager
def refused(path, message, hint):
    """Expect the refusal of an option."""
    with pytest.raises(InvalidOptionError) as caught:
        yield
    assert caught.value.problems == (Problem(code="option_invalid", path=path, message=message, hint=hint),)


def test_beyond_the_loopback_a_token_is_asked_for():
    """
    Nobody opens his blocks to a network by accident.
    """
    with refused("$.host", "'0.0.0.0' is reachable from elsewhere", "give a token too, or listen on 127.0.0.1"):
        serve_http([], "0.0.0.0")


@pytest.mark.parametrize("token", ["", "short"])
def test_a_token_that_is_guessed_is_refused(token):
    """
    A short token is no token.
    """
    with refused("$.token", f"a token of {len(token)} characters is guessed", "take at least 16, at random"):
        http_app([], token=token)


@pytest.mark.parametrize("token", ["ü" * 16, "sixteen or more words", "sixteen-and\tmore-letters"])
def test_a_token_that_not_every_client_can_send_is_refused(token):
    """
    Not every client could show it; RFC 6750 says which characters a token has.
    """
    message = "the token holds blanks, or characters beyond ASCII, which not every client can send"
    with refused("$.token", message, "take letters, digits and any of -._~+/ (RFC 6750, section 2.1)"):
        http_app([], token=token)


def test_a_token_file_whose_token_not_every_client_can_send_is_refused(tmp_path):
    """
    A file is no better place for such a token.
    """
    file = tmp_path / "token"
    file.write_text("ü" * 16, encoding="utf-8")

    message = "the token holds blanks, or characters beyond ASCII, which not every client can send"
    with refused("$.token", message, "take letters, digits and any of -._~+/ (RFC 6750, section 2.1)"):
        read_token(file)


def test_a_token_is_read_from_a_file(tmp_path):
    """
    The file holds one line; blanks around it do not count.
    """
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")

    assert read_token(file) == TOKEN


@pytest.mark.parametrize(
    ("content", "held"),
    [
        ("", "0 characters"),
        ("short", "5 characters"),
        ("two words that are long enough", "30 characters and blanks"),
    ],
)
def test_a_token_file_that_holds_no_token_is_refused(tmp_path, content, held):
    """
    What the file holds is never shown, nor where it lies.
    """
    file = tmp_path / "secret-place"
    file.write_text(content)

    message = f"the token file holds {held}, which is no token"
    with refused("$.token", message, "write one line of at least 16 characters without blanks"):
        read_token(file)


def test_a_token_file_that_cannot_be_read_is_refused(tmp_path):
    """
    Why is told, and not where it lies.
    """
    with refused("$.token", "the token file cannot be read: FileNotFoundError", "name a readable file"):
        read_token(tmp_path / "secret-place")
