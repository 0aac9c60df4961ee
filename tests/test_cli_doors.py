"""The commands that open a door: serve over MCP, and call a bundled block."""

from __future__ import annotations

import runpy
import socket
import sys

import narwhals
import pytest

import mcp
from blockargs import __main__ as program

DOORS = (mcp, narwhals)  # what these commands need


def test_serve_ends_when_its_input_ends(run):
    """Over stdio, with nobody there; the registry is read first."""
    assert run("serve", "--tools", "lean", "--page-size", "2")[0] == 0
    assert run("serve", "no/such/place")[0] == 2


@pytest.mark.parametrize(
    ("text", "holds"),
    [("abc\n", "3 characters"), ("", "0 characters"), ("sixteen letters or more", "23 characters and blanks")],
)
def test_serve_over_http_needs_a_good_token(run, tmp_path, text, holds):
    """A short one is refused before anything listens, and is never shown."""
    token = tmp_path / "token"
    token.write_text(text)

    code, _, err = run("serve", "--transport", "http", "--port", "0", "--token-file", token)

    cure = "write one line of at least 16 characters without blanks"
    assert (code, err) == (2, f"blockargs: $.token: the token file holds {holds}, which is no token; {cure}\n")


def test_serve_over_http_needs_a_free_port(run):
    """One that is taken is wrong use; which could be taken is said."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        code, _, err = run("serve", "--transport", "http", "--port", port)

    cure = "choose another --port; 0 takes a free one"
    said = f"nothing can listen on port {port} of '127.0.0.1': Address already in use; {cure}"
    assert (code, err) == (2, f"blockargs: {said}\n")


@pytest.mark.parametrize("option", ["--allow-host", "--allow-origin"])
def test_serve_over_http_takes_names_that_can_come(run, option):
    """A name that no header could say is refused before anything listens; one that can is served."""
    code, _, err = run("serve", "--transport", "http", "--port", "0", option, "tools.example.org/")

    place = {"--allow-host": "hosts", "--allow-origin": "origins"}[option]
    assert (code, err.partition(";")[0]) == (
        2,
        f"blockargs: $.{place}: 'tools.example.org/' is no such header, or no list of them",
    )


def test_serve_over_http_needs_a_host_of_this_machine(run):
    """A name that nobody knows is wrong use too."""
    code, _, err = run("serve", "--transport", "http", "--host", "no.such.host.invalid", "--port", "0")

    assert (code, err.count("\n")) == (2, 1)
    assert "check --host" in err


def test_beyond_the_loopback_a_token_is_asked_for(run):
    """Before anybody is served."""
    code, _, err = run("serve", "--transport", "http", "--host", "0.0.0.0", "--port", "0")

    assert (code, err.count("\n")) == (2, 1)
    assert "give a token" in err


@pytest.mark.parametrize("stream", ["stdin", "stdout"])
def test_serve_over_a_closed_stream_is_wrong_use(run, monkeypatch, stream):
    """As `>&-` leaves it: nobody could be answered."""
    monkeypatch.setattr(sys, stream, None)

    code, _, err = run("serve")

    assert (code, err) == (
        2,
        "blockargs: a client speaks over standard input and output, and one of them is closed\n",
    )


def test_a_bundled_block_is_built(run):
    """And told in a word."""
    assert run("call", "head_block", '{"n": 2}') == (0, "Built 'head_block' with {\"n\": 2}.\n", "")


def test_the_module_is_the_command_line(capsys, monkeypatch):
    """`python -m blockargs`."""
    monkeypatch.setattr(sys, "argv", ["blockargs", "--version"])
    monkeypatch.delitem(sys.modules, "blockargs.__main__", raising=False)

    with pytest.raises(SystemExit) as ended:
        runpy.run_module("blockargs", run_name="__main__")

    assert ended.value.code == 0
    with pytest.raises(SystemExit):
        program.main()
    assert capsys.readouterr().out.count("blockargs ") == 2
