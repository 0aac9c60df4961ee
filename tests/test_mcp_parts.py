"""Parts of the MCP door that need no server: pages, forms by revision, the snippets for clients."""

from __future__ import annotations

import json
import shlex

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blockargs.dialects.clients import CLIENTS as LINTED
from blockargs.dialects.clients import UNRULED
from blockargs.errors import InvalidOptionError, Problem
from blockargs.mcp_server import client_config, wire_tool
from blockargs.mcp_server.clients import CLIENTS
from blockargs.mcp_server.paging import BadCursorError, page_after

ERAS = ("2025-06-18", "2025-11-25", "2026-07-28")
NAMES = st.lists(st.text("aAbZ09_.-", min_size=1, max_size=5), unique=True, max_size=20).map(sorted)


@given(NAMES, st.integers(0, 7))
def test_pages_together_are_the_whole_list(names, size):
    """
    Following the cursors to the end gives each name once, in order.
    """
    seen, cursor = [], None
    while True:
        page, cursor = page_after(names, cursor, size)
        seen += page
        if cursor is None:
            break

    assert seen == names


@given(NAMES.filter(lambda names: len(names) > 2), st.data())
def test_a_cursor_stays_good_when_entries_come_and_go(names, data):
    """
    A page that follows starts after the last name that was seen, whatever happened to the others.
    """
    page, cursor = page_after(names, None, 1)
    left = sorted(data.draw(st.sets(st.sampled_from(names))))

    rest, _ = page_after(left, cursor, 0)

    assert rest == [name for name in left if name > page[-1]]


@pytest.mark.parametrize("cursor", ["", "zz", "!", "x" * 5000, "ü", "YmxvY2thcmdzLjI6YQ", "YmxvY2thcmdzLjE6Y!Q", "\n"])
def test_a_foreign_cursor_is_refused(cursor):
    """
    What was not handed out here leads nowhere, an empty cursor among them.
    """
    with pytest.raises(BadCursorError):
        page_after(["a", "b"], cursor, 1)


@given(st.text(max_size=20))
def test_any_cursor_is_read_or_refused(text):
    """
    No cursor makes paging fail in another way.
    """
    try:
        page_after(["a", "b"], text, 1)
    except BadCursorError:
        return
    assert text == page_after(["a", "b"], None, 1)[1]


LIST = {"type": "array", "items": {"type": "integer"}}
RECORD = {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("output", "wrapped"),
    [
        (RECORD, (False, False, False)),
        (LIST, (True, True, False)),
        ({"type": "string"}, (True, True, False)),
        ({"anyOf": [RECORD, LIST]}, (True, True, False)),
        ({"type": ["object", "null"]}, (True, True, True)),
        ({"type": ["string", "null"]}, (True, True, True)),
        ({}, (True, True, True)),
    ],
)
def test_an_output_is_put_into_an_object_where_it_must_be(output, wrapped):
    """
    Older clients take objects only; no client can tell null from nothing.
    """
    tool = {"name": "t", "inputSchema": {"type": "object"}, "outputSchema": output}

    shown = [wire_tool(tool, era)["outputSchema"] for era in ERAS]

    assert [schema != output for schema in shown] == list(wrapped)
    assert all(schema == output or schema["required"] == ["result"] for schema in shown)
    assert all(schema.get("type") == "object" for schema in shown[:2])


@pytest.mark.parametrize(
    ("output", "good", "bad"),
    [
        ({"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "integer"}}}, [1], ["x"]),
        ({"type": "array", "items": {"$ref": "#"}}, [[[]]], [1]),
        ({"type": "array", "items": {"anyOf": [{"$ref": "#/items/anyOf/1"}, {"type": "null"}]}}, [None], [1]),
        ({"$ref": "#/definitions/n", "definitions": {"n": {"type": "integer"}}}, 1, "x"),
    ],
)
def test_references_still_lead_where_they_led(output, good, bad):
    """
    The wrapped schema accepts and refuses what the plain one did.
    """
    tool = {"name": "t", "inputSchema": {"type": "object"}, "outputSchema": output}

    checked = jsonschema.Draft202012Validator(wire_tool(tool, "2025-11-25")["outputSchema"])

    assert checked.is_valid({"result": good})
    assert not checked.is_valid({"result": bad})


def test_icons_are_left_out_where_they_are_not_known():
    """
    Icons came with 2025-11-25.
    """
    tool = {"name": "t", "inputSchema": {"type": "object"}, "icons": [{"src": "https://example.org/x.svg"}]}

    assert ["icons" in wire_tool(tool, era) for era in ERAS] == [False, True, True]


def test_the_snippet_of_each_client_starts_the_command():
    """
    Every client is told the command and its words.
    """
    command = "blockargs serve 'my registry' --tools lean"
    shown = {client: client_config(client, command, name="mine") for client in CLIENTS}

    started = {"command": "blockargs", "args": ["serve", "my registry", "--tools", "lean"]}
    assert shlex.split(shown["claude-code"]) == [
        "claude",
        "mcp",
        "add",
        "--transport",
        "stdio",
        "mine",
        "--",
        *shlex.split(command),
    ]
    assert json.loads(shown["claude-desktop"]) == {"mcpServers": {"mine": started}}
    assert json.loads(shown["cursor"]) == {"mcpServers": {"mine": started}}
    assert json.loads(shown["gemini-cli"]) == {"mcpServers": {"mine": started}}
    assert json.loads(shown["vscode"]) == {"servers": {"mine": {"type": "stdio", **started}}}


def test_the_snippet_of_each_client_reaches_an_address():
    """
    Over HTTP every client is told the address and the token.
    """
    url, token = "http://127.0.0.1:8000/mcp", "secret of the house"
    shown = {client: client_config(client, name="mine", url=url, token=token) for client in CLIENTS}

    header = f"Authorization: Bearer {token}"
    entry = {"url": url, "headers": {"Authorization": f"Bearer {token}"}}
    assert shlex.split(shown["claude-code"])[3:] == ["--transport", "http", "mine", url, "--header", header]
    assert json.loads(shown["claude-desktop"])["mcpServers"]["mine"]["args"] == [
        "-y",
        "mcp-remote",
        url,
        "--header",
        header,
    ]
    assert json.loads(shown["cursor"]) == {"mcpServers": {"mine": entry}}
    assert json.loads(shown["gemini-cli"]) == {
        "mcpServers": {"mine": {"httpUrl": url, "headers": entry["headers"]}},
    }
    assert json.loads(shown["vscode"]) == {"servers": {"mine": {"type": "http", **entry}}}


@pytest.mark.parametrize("client", sorted(CLIENTS))
def test_without_a_token_no_header_is_written(client):
    """
    A server without a token is reached without one.
    """
    assert "Authorization" not in client_config(client, url="http://127.0.0.1:8000/mcp")


def test_an_unknown_client_is_named():
    """
    The clients that are known are listed, and the nearest is suggested.
    """
    with pytest.raises(InvalidOptionError) as caught:
        client_config("vscod")

    assert caught.value.problems == (
        Problem(
            code="option_invalid",
            path="$.client",
            message="'vscod' is none of the clients 'claude-code', 'claude-desktop', 'cursor', 'gemini-cli' and 'vscode'",
            hint="did you mean 'vscode'?",
        ),
    )


def test_clients_are_the_same_wherever_they_are_named():
    """
    Each client whose settings can be printed has rules that `lint_tools` knows, or is known to have none told.
    """
    assert sorted(CLIENTS) == sorted([*LINTED, *UNRULED])


def test_the_door_says_what_it_has():
    """
    A name that the door does not have is an AttributeError, as for any module.
    """
    from blockargs import mcp_server

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        mcp_server.nothing
    assert "serve_stdio" in dir(mcp_server)
