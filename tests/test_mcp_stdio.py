"""The stdio transport on bad days: garbage, half lines, floods, clients that vanish."""

from __future__ import annotations

import asyncio
import io
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from anyio import EndOfStream

from blockargs import Registry
from blockargs.inject import Cancellation, Logger
from blockargs.mcp_server import serve_stdio
from blockargs.mcp_server.incoming import Line
from blockargs.mcp_server.streams import Incoming, Outgoing
from served import shelf
from waiting import LONG, until

SERVED = Path(__file__).parent / "served.py"
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


def line(method, params=None, id=None):
    """One message as it is written."""
    message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
    return json.dumps(message if id is None else {**message, "id": id}).encode() + b"\n"


HELLO = line("initialize", CLIENT, 0) + line("notifications/initialized")
CALL = line("tools/call", {"name": "weather", "arguments": {"city": "Rome"}}, 1)


class Raw:
    """A server process that is spoken to line by line."""

    def __init__(self, *options):
        command = [sys.executable, str(SERVED), "stdio", *options]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, env=ENV, **pipes)

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def answer(self, id):
        """The answer to request *id*; what comes before is passed over."""
        for raw in self.process.stdout:
            message = json.loads(raw)
            if message.get("id") == id and "method" not in message:
                return message
        raise AssertionError("the server ended")


@pytest.fixture(scope="module")
def shared():
    """A server process, greeted."""
    raw = Raw()
    raw.send(HELLO)
    raw.answer(0)
    yield raw
    raw.process.stdin.close()
    raw.process.stdout.close()
    raw.process.stderr.close()
    assert raw.process.wait(LONG) == 0


def still_answers(raw):
    """Whether a call made now is answered."""
    raw.send(CALL)
    return raw.answer(1)["result"]["structuredContent"] == {"temperature": 4, "condition": "cloudy"}


@pytest.mark.parametrize(
    "garbage",
    [
        b"garbage\n",
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b'{"jsonrpc": "2.0", "id": 7, "method"\n',
        b"\xff\xfe\x00\n",
        b"[" * 100_000 + b"\n",
        b'{"jsonrpc":"2.0","id":8,"result":{}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}\n',
        b'{"jsonrpc":"2.0","method":"notifications/unheard"}\n',
    ],
    ids=range(11),
)
def test_garbage_costs_only_itself(shared, garbage):
    """
    A line that is no message takes nothing with it; the next one is answered.
    """
    shared.send(garbage)

    assert still_answers(shared)


@pytest.mark.parametrize(
    "form",
    [
        '{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": %s}',
        '{"method": "tools/call", "params": %s, "jsonrpc": "2.0", "id": 5}',
    ],
)
def test_a_message_of_ten_megabytes_is_refused(shared, form):
    """
    It is answered with an error under its own id, and read no further.
    """
    params = json.dumps({"name": "weather", "arguments": {"city": "x" * 10_000_000}})
    shared.send((form % params).encode() + b"\n")

    error = shared.answer(5)["error"]
    assert error["code"] == -32600
    assert error["message"].endswith("at most 4194304 are read")
    assert still_answers(shared)


def test_an_endless_line_without_an_id_is_refused_too(shared):
    """
    Where no id can be found the answer has none.
    """
    shared.send(b"x" * 5_000_000 + b"\n")

    assert json.loads(shared.process.stdout.readline())["id"] is None
    assert still_answers(shared)


def test_half_a_character_is_answered_and_a_whole_one_is_served(shared):
    """
    What JSON cannot hold is refused under its id; an escaped pair is one character.
    """
    shared.send(line("tools/call", {"name": "refuse", "arguments": {"key": "\ud83d"}}, 4))
    shared.send(line("tools/call", {"name": "refuse", "arguments": {"key": "\U0001f600"}}, 3))

    assert shared.answer(4)["error"]["code"] == -32700
    assert shared.answer(3)["result"]["content"][0]["text"] == "key '\U0001f600' is required"


def test_a_message_just_below_the_limit_is_served(shared):
    """
    Four megabytes are read.
    """
    call = line("tools/call", {"name": "refuse", "arguments": {"key": "x" * 4_000_000}}, 6)
    shared.send(call)

    assert shared.answer(6)["result"]["isError"] is True


def test_a_line_may_arrive_in_pieces(shared):
    """
    A message is whole when its line ends, however it is cut on the way.
    """
    for byte in CALL:
        shared.send(bytes([byte]))

    assert shared.answer(1)["result"]["isError"] is False


def test_a_cancelled_call_gets_no_answer(shared, tmp_path):
    """
    After a cancellation nothing is said of the call, and its work ends.
    """
    shared.send(line("tools/call", {"name": "patient", "arguments": {"folder": str(tmp_path), "label": "x"}}, 9))
    until((tmp_path / "x begun").exists)
    shared.send(line("notifications/cancelled", {"requestId": 9}))
    until((tmp_path / "x ended").exists)
    shared.send(CALL)

    assert json.loads(shared.process.stdout.readline())["id"] == 1


def test_what_is_printed_goes_to_standard_error():
    """
    A constructor's print is found where the host looks, not on the wire.
    """
    raw = Raw()
    raw.send(HELLO + line("tools/call", {"name": "chatty", "arguments": {"words": "look here"}}, 2))
    raw.answer(2)
    rest, errors = raw.process.communicate(timeout=LONG)

    assert rest == b""
    assert errors.decode().count("look here") == 2


def test_a_traceback_is_in_the_hosts_log_only():
    """
    What a stranger's exception says is for the host.
    """
    raw = Raw()
    raw.send(HELLO + line("tools/call", {"name": "crash", "arguments": {"secret": "hunter2"}}, 2))
    answer = raw.answer(2)
    _, errors = raw.process.communicate(timeout=LONG)

    assert "hunter2" not in json.dumps(answer)
    assert "RuntimeError: hunter2" in errors.decode()


def test_half_a_line_at_the_end_is_nobodys_message():
    """
    A client that dies in the middle of a line takes only that line with it.
    """
    raw = Raw()
    raw.send(HELLO + CALL)
    assert raw.answer(1)["result"]
    out, errors = raw.process.communicate(b'{"jsonrpc": "2.0", "id": 3, "meth', timeout=LONG)

    assert (raw.process.returncode, out, errors) == (0, b"", b"")


def test_a_killed_client_ends_the_server(tmp_path):
    """
    When nobody reads any more, the server ends, also while a constructor works.
    """
    raw = Raw()
    raw.send(HELLO + line("tools/call", {"name": "patient", "arguments": {"folder": str(tmp_path), "label": "x"}}, 2))
    raw.answer(0)
    until((tmp_path / "x begun").exists)
    raw.process.stdout.close()
    raw.process.stdin.close()

    assert raw.process.wait(LONG) == 0
    raw.process.stderr.close()


def test_an_interrupt_ends_the_server_quietly():
    """
    Control-C is no accident: no traceback.
    """
    raw = Raw()
    raw.send(HELLO)
    raw.answer(0)
    raw.process.send_signal(signal.SIGINT)
    _, errors = raw.process.communicate(timeout=LONG)

    assert b"Traceback" not in errors


def test_strict_refuses_repairs():
    """
    With strict nothing is put right: the model is told instead.
    """
    raw = Raw("--strict")
    raw.send(HELLO + line("tools/call", {"name": "head", "arguments": {"n": "3"}}, 2))
    result = raw.answer(2)["result"]
    raw.process.communicate(timeout=LONG)

    assert result["isError"] is True
    assert result["content"][0]["text"].splitlines()[1:-1] == [
        "- $.n: it needs a repair, and repairs are refused: read '3' as the integer 3; rule to_integer"
    ]


class Pipe:
    """Two ends of a pipe as binary streams."""

    def __init__(self):
        read, write = os.pipe()
        self.read, self.write = os.fdopen(read, "rb", buffering=0), os.fdopen(write, "wb", buffering=0)

    def close(self):
        self.read.close()
        self.write.close()


@pytest.fixture
def pipes():
    """A pipe to a server, and one from it."""
    to, fro = Pipe(), Pipe()
    yield to, fro
    to.write.close()
    for thread in threading.enumerate():
        if thread.name == "blockargs-stdin":  # else it would read what gets the number of the descriptor next
            thread.join(LONG)
    to.close()
    fro.close()


def answers(data):
    """The messages in *data* by their id."""
    return {m.get("id"): m for m in map(json.loads, data.splitlines())}


def test_a_pipe_is_read_without_a_thread(pipes):
    """
    The loop itself waits for a pipe, so that a message costs no turn of another thread.
    """
    with serving(pipes, shelf()) as (_, lines):
        next(lines)
        names = {thread.name for thread in threading.enumerate()}

    assert "blockargs-stdin" not in names


def test_a_stream_that_the_host_closes_ends_with_the_other_end():
    """
    Who serves reads by a descriptor of his own.
    """
    read, write = os.pipe()
    stream, out = os.fdopen(read, "rb", buffering=0), io.BytesIO()
    server = threading.Thread(target=serve_stdio, args=(shelf(),), kwargs={"stdin": stream, "stdout": out})
    server.start()
    os.write(write, HELLO)
    until(out.getvalue)
    stream.close()
    os.write(write, CALL)
    os.close(write)
    server.join(LONG)

    assert (server.is_alive(), sorted(answers(out.getvalue()))) == (False, [0, 1])


def test_standard_descriptors_that_are_closed_lead_nowhere():
    """
    Without standard error a constructor that prints neither fails nor reaches the wire.
    """
    program = (
        "import os; os.close(2)\n"
        "from blockargs import derive_block\nfrom blockargs.mcp_server import serve_stdio\n"
        "def weather(city: str) -> str:\n    print('garbage'); os.write(1, b'garbage'); return 'sunny'\n"
        "serve_stdio(derive_block(weather, kind='tool'))"
    )
    served = subprocess.run(
        [sys.executable, "-c", program], input=HELLO + CALL, capture_output=True, env=ENV, timeout=LONG, check=True
    )

    assert answers(served.stdout)[1]["result"]["content"] == [{"type": "text", "text": "sunny"}]


def test_a_process_without_standard_output_is_served_all_the_same():
    """
    What is written goes nowhere, and the end of the input is the end.
    """
    program = (
        "import os, sys; os.close(1); sys.stdout = None\n"
        "from blockargs.mcp_server import serve_stdio\nfrom served import shelf\nserve_stdio(shelf())"
    )
    served = subprocess.run([sys.executable, "-c", program], input=HELLO, capture_output=True, env=ENV, timeout=LONG)

    assert (served.returncode, served.stdout, b"Traceback" in served.stderr) == (0, b"", False)


def test_given_streams_are_served():
    """
    Any two binary streams will do, so that a host can serve over its own.
    """
    out = io.BytesIO()

    serve_stdio(shelf(), stdin=io.BytesIO(HELLO + CALL), stdout=out)

    assert answers(out.getvalue())[0]["result"]["protocolVersion"] == "2025-11-25"


def test_where_no_one_says_what_a_pipe_takes_at_once_all_is_served():
    """
    A system without `select.poll` and `select.PIPE_BUF` serves as any other.
    """
    program = (
        "import select; del select.poll, select.PIPE_BUF\n"
        "from blockargs.mcp_server import serve_stdio\nfrom served import shelf\nserve_stdio(shelf())"
    )
    served = subprocess.run(
        [sys.executable, "-c", program], input=HELLO + CALL, capture_output=True, env=ENV, timeout=LONG, check=True
    )

    assert answers(served.stdout)[0]["result"]["protocolVersion"] == "2025-11-25"


def test_the_descriptors_of_the_process_are_lent_and_given_back(pipes):
    """
    While it serves, standard output leads elsewhere; afterwards all is as it was.
    """
    to, fro = pipes
    to.write.write(HELLO)
    to.write.close()
    kept = os.dup(0), os.dup(1)
    held = len([*Path("/dev/fd").iterdir()])
    os.dup2(to.read.fileno(), 0)
    os.dup2(fro.write.fileno(), 1)
    try:
        serve_stdio(shelf())
        os.write(1, b"as it was\n")
        assert len([*Path("/dev/fd").iterdir()]) == held
    finally:
        os.dup2(kept[0], 0)
        os.dup2(kept[1], 1)
        os.close(kept[0])
        os.close(kept[1])

    assert json.loads(fro.read.readline())["id"] == 0
    assert fro.read.readline() == b"as it was\n"


@contextmanager
def serving(pipes, *args, **options):
    """A server in a thread, over two pipes; what is written to it, and its lines."""
    to, fro = pipes
    given = {"stdin": to.read, "stdout": fro.write, **options}
    server = threading.Thread(target=serve_stdio, args=args, kwargs=given)
    server.start()
    to.write.write(HELLO)
    try:
        yield to.write, (json.loads(line) for line in iter(fro.read.readline, b""))
    finally:
        to.write.close()
        server.join(LONG)
    assert not server.is_alive()


def test_long_messages_go_both_ways(pipes):
    """
    A message that fills the pipe waits until it is read; one that is too long is refused.
    """
    long = line("tools/call", {"name": "refuse", "arguments": {"key": "\U0001f600" + "x" * 1_000_000}}, 5)
    with serving(pipes, shelf()) as (to, lines):
        next(lines)
        half = line("ping", {"\ud83d": "\ud83d\ude00"}, 6)
        writer = threading.Thread(target=lambda: to.write(long + half) and to.write(b"x" * 5_000_000 + b"\n" + CALL))
        writer.start()
        got = {message["id"]: message for message in (next(lines), next(lines), next(lines), next(lines))}
        writer.join(LONG)

    assert len(got[5]["result"]["content"][0]["text"]) > 1_000_000
    assert got[None]["error"]["code"] == -32600
    assert got[6]["error"]["code"] == -32700
    assert got[1]["result"]["isError"] is False


@pytest.mark.parametrize("buffered", [False, True])
def test_descriptors_that_do_not_block_are_served(pipes, buffered):
    """
    Some hosts hand over pipes that never block: a long answer waits for room all the same, and nothing is lost.
    """
    to, fro = pipes
    for end in (to.read, fro.write):
        os.set_blocking(end.fileno(), False)
    out = io.BufferedWriter(fro.write) if buffered else fro.write
    source = io.BufferedReader(to.read) if buffered else to.read
    long = line("tools/call", {"name": "refuse", "arguments": {"key": "x" * 1_000_000}}, 5)
    with serving(pipes, shelf(), stdin=source, stdout=out) as (to_server, lines):
        next(lines)
        threading.Thread(target=to_server.write, args=(long + CALL,)).start()
        got = {message["id"]: message for message in (next(lines), next(lines))}
    if buffered:
        out.detach()
        source.detach()

    assert len(got[5]["result"]["content"][0]["text"]) > 1_000_000
    assert got[1]["result"]["isError"] is False


def test_a_line_that_is_begun_is_ended_whoever_is_cancelled(pipes):
    """
    A call is cancelled while its long log line fills the pipe: the line stays whole, and what follows it too.
    """
    stopped = threading.Event()

    def noisy(log: Logger, cancellation: Cancellation) -> str:
        log.info("x" * 300_000)
        until(lambda: cancellation.cancelled)
        stopped.set()
        return "done"

    registry = Registry()
    registry.tool(noisy)
    registry.register(shelf()["weather"])
    with serving(pipes, registry) as (to, lines):
        next(lines)
        to.write(line("tools/call", {"name": "noisy", "arguments": {}}, 5))
        until(lambda: select.select([pipes[1].read], [], [], 0)[0])  # it is begun, and nobody reads
        to.write(line("notifications/cancelled", {"requestId": 5}) + CALL)
        assert stopped.wait(LONG)
        first, second = next(lines), next(lines)

    assert (first["method"], len(first["params"]["data"])) == ("notifications/message", 300_000)
    assert (second["id"], second["result"]["isError"]) == (1, False)


def test_a_client_that_reads_nothing_more_keeps_no_server(pipes):
    """
    The input has ended and an answer fills the pipe: once nothing moves any more the server ends.
    """
    long = line("tools/call", {"name": "refuse", "arguments": {"key": "x" * 1_000_000}}, 5)

    with serving(pipes, shelf()) as (to, lines):
        next(lines)
        threading.Thread(target=to.write, args=(long,)).start()
        until(lambda: select.select([pipes[1].read], [], [], 0)[0])

    # that it has ended is asserted there


def test_what_was_cancelled_is_not_waited_for():
    """
    Nothing is owed to a request that its client gave up, so that the end of the input is the end at once.
    """

    async def ended():
        outgoing = Outgoing(io.BytesIO())
        outgoing.expect(Line({}, asks=5))
        outgoing.expect(Line({}, ends=5))
        with pytest.raises(StopIteration):
            outgoing.settled().send(None)

    asyncio.run(ended())


def test_lines_are_written_in_the_order_in_which_they_were_sent():
    """
    Nobody overtakes a line that waits, however short the own one is.
    """
    read, write = os.pipe()
    texts = ["a" * 200_000, "b", "c" * 5_000, "d"]

    async def sent():
        with os.fdopen(write, "wb", buffering=0) as stream:
            outgoing = Outgoing(stream)
            tasks = [asyncio.create_task(outgoing.write(text)) for text in texts]
            with os.fdopen(read, "rb") as reader:
                found = await asyncio.to_thread(lambda: [reader.readline().decode()[:-1] for _ in texts])
            await asyncio.gather(*tasks)
        return found

    assert asyncio.run(sent()) == texts


def test_a_changed_registry_is_announced(pipes):
    """
    What is registered later is announced, listed and called.
    """
    registry = Registry()
    registry.register(shelf()["weather"])
    with serving(pipes, registry) as (to, lines):
        greeting = next(lines)
        registry.register(shelf()["primes"])
        announced = next(lines)
        to.write(line("tools/list", None, 1))
        listed = next(lines)

    assert greeting["result"]["capabilities"]["tools"] == {"listChanged": True}
    assert announced == {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    assert [t["name"] for t in listed["result"]["tools"]] == ["primes", "weather"]


class Broken(io.BytesIO):
    """A stream that fails as no stream should."""

    def __init__(self, fault):
        super().__init__()
        self.fault = fault

    def write(self, data):
        raise self.fault


@pytest.mark.parametrize("fault", [BrokenPipeError(), ValueError("closed"), KeyboardInterrupt()])
def test_a_reader_that_is_gone_is_no_fault(pipes, fault):
    """
    When nobody reads any more the server ends quietly.
    """
    to, _ = pipes
    to.write.write(HELLO)
    to.write.close()

    serve_stdio(shelf(), stdin=to.read, stdout=Broken(fault))


def test_a_fault_of_a_given_stream_is_told(pipes):
    """
    What a stream of the host's own raises is the host's to see.
    """
    to, _ = pipes
    to.write.write(HELLO)

    with pytest.raises(ExceptionGroup) as caught:
        serve_stdio(shelf(), stdin=to.read, stdout=Broken(RuntimeError("full")))

    assert caught.group_contains(RuntimeError, match="full")
    to.write.write(CALL)  # nobody listens; its reader ends


def test_the_thread_that_reads_for_a_server_that_is_gone_ends(pipes):
    """
    A stream with a buffer is read in a thread, which ends with the next that comes.
    """
    to, _ = pipes
    to.write.write(HELLO)

    with pytest.raises(ExceptionGroup):
        serve_stdio(shelf(), stdin=io.BufferedReader(to.read), stdout=Broken(RuntimeError("full")))

    (reader,) = [thread for thread in threading.enumerate() if thread.name == "blockargs-stdin"]
    to.write.write(CALL)
    reader.join(LONG)
    assert not reader.is_alive()


def test_a_file_is_served_as_a_pipe_is(tmp_path):
    """
    What an event loop cannot wait for is read all the same.
    """
    (tmp_path / "asked.jsonl").write_bytes(HELLO + CALL)
    out = io.BytesIO()

    with (tmp_path / "asked.jsonl").open("rb", buffering=0) as asked:
        serve_stdio(shelf(), stdin=asked, stdout=out)

    assert sorted(answers(out.getvalue())) == [0, 1]


class Torn(io.RawIOBase):
    """A stream that cannot be read any more."""

    def read(self, size=-1):
        raise OSError("torn")


class TornPipe(io.FileIO):
    """A pipe that cannot be read any more."""

    def read(self, size=-1):
        raise OSError("torn")


def torn_pipe():
    """A pipe with something in it that cannot be read."""
    read, write = os.pipe()
    os.write(write, HELLO)
    os.close(write)
    return TornPipe(read, "rb")


def reset():
    """A connection that the other side has broken off."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        ours = socket.create_connection(server.getsockname())
        theirs, _ = server.accept()
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        theirs.close()
    return os.fdopen(ours.detach(), "rb", buffering=0)


def closed(buffering):
    """A stream that is closed."""
    read, write = os.pipe()
    os.close(write)
    stream = os.fdopen(read, "rb", buffering=buffering)
    stream.close()
    return stream


@pytest.mark.parametrize("torn", [Torn, torn_pipe, reset])
def test_an_input_that_breaks_is_the_end(torn):
    """
    A stream that cannot be read any more has ended.
    """
    out = io.BytesIO()
    with torn() as stream:
        serve_stdio(shelf(), stdin=stream, stdout=out)

    assert out.getvalue() == b""


@pytest.mark.parametrize("buffering", [0, 4096])
def test_an_input_that_is_closed_is_the_end(buffering):
    """
    So is a stream that was closed before.
    """
    out = io.BytesIO()
    serve_stdio(shelf(), stdin=closed(buffering), stdout=out)

    assert out.getvalue() == b""


@pytest.mark.parametrize("fault", [RuntimeError("full"), KeyboardInterrupt()])
def test_a_fault_under_a_long_line_is_told_to_who_sends_it(fault):
    """
    It is written in another thread, yet what the stream raises there comes out here; a reader that is gone is none.
    """
    with pytest.raises(type(fault)):
        asyncio.run(Outgoing(Broken(fault)).write("x" * 10_000))
    assert asyncio.run(Outgoing(Broken(BrokenPipeError())).write("x" * 10_000)) is None


def test_an_answer_that_is_none_costs_nothing():
    """
    A line that looks like an answer, but has no result that could be one, is passed over, and so are an empty one and half a one at the end.
    """
    out = io.BytesIO()
    nothing = b'{"jsonrpc": "2.0", "id": 9, "result": 5}\n'

    serve_stdio(shelf(), stdin=io.BytesIO(HELLO + nothing + b" \n" + CALL + b'{"half'), stdout=out)

    assert sorted(answers(out.getvalue())) == [0, 1]


def test_the_sides_of_a_connection_are_streams_as_the_sdk_has_them():
    """
    Message by message they say what comes, and then that there is no more.
    """

    async def received():
        incoming = Incoming(io.BytesIO(HELLO), Outgoing(io.BytesIO()))
        found = [(await incoming.receive()).message.method for _ in range(2)]
        with pytest.raises(EndOfStream):
            await incoming.receive()
        return found

    assert asyncio.run(received()) == ["initialize", "notifications/initialized"]
