"""The commands that open a door: serve over MCP, and call a bundled block."""

from __future__ import annotations

import runpy
import socket
import sys

import narwhals
import pytest

import mcp
from blockargs import __main__ as program
from blockargs.cli import main

DOORS = (mcp, narwhals)  # what these commands need


@pytest.fixture
def run(capsys):
    """Run a command line; give its exit code, stdout and stderr."""

    def run_(*args):
        code = main([str(a) for a in args])
        out, err = capsys.readouterr()
        return code, out, err

    return run_


def test_serve_ends_when_its_input_ends(run):
    """Over stdio, with nobody there; the registry is read first."""
    assert run("serve", "--tools", "lean", "--page-size", "2")[0] == 0
    assert run("serve", "no/such/place")[0] == 2


def test_serve_over_http_needs_a_good_token(run, tmp_path):
    """A short one is refused before anything listens."""
    token = tmp_path / "token"
    token.write_text("abc\n")

    code, _, err = run("serve", "--transport", "http", "--port", "0", "--token-file", token)

    assert (code, err.count("\n")) == (2, 1)
    assert "token" in err


def test_serve_over_http_needs_a_free_port(run):
    """One that is taken ends the program."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()

        assert run("serve", "--transport", "http", "--port", taken.getsockname()[1])[0] == 1


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
