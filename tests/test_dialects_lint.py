"""`lint_tools`: what each provider and client would make of the blocks, before anything is sent."""

from __future__ import annotations

import json

import pytest

from blockargs.dialects import DIALECTS, lint_tools
from blockargs.errors import InvalidOptionError, Problem, UnknownDialectError
from blockargs.imported import arg_schema
from blockargs.spec import Block, new_block_arg, new_block_args
from blockargs.types import arg_integer, arg_map, arg_string

HEAD = Block(uid="head", description="Keep rows.", arguments=new_block_args(n=new_block_arg(type=arg_integer())))
TAGS = Block(uid="tags", description="Tag.", arguments=new_block_args(t=new_block_arg(type=arg_map(arg_string()))))
BROKEN = Block(uid="broken", schema=arg_schema({"type": "array", "items": {}}))


def test_the_matrix_shows_blocks_and_dialects():
    """Each block has a word for each dialect; problems stand below, each with its place."""
    report = lint_tools([HEAD, TAGS, BROKEN], dialects=["mcp", "gemini"])

    assert report.matrix() == {
        "head": {"mcp": "ok", "gemini": "ok"},
        "tags": {"mcp": "ok", "gemini": "notes"},
        "broken": {"mcp": "refused", "gemini": "refused"},
    }
    why = 'the arguments are {"type": "array"}, and a tool takes an object; make it one argument of a record'
    assert str(report).splitlines() == [
        "block   mcp      gemini",
        "head    ok       ok",
        "tags    ok       notes",
        "broken  refused  refused",
        "",
        f"mcp: $: block 'broken' in mcp: {why}",
        f"gemini: $: block 'broken' in gemini: {why}",
    ]
    assert repr(report) == "<LintReport 3 ok, 1 notes, 2 refused>"


def test_a_report_is_a_sequence_of_rows():
    """Rows can be counted, indexed and written as JSON."""
    report = lint_tools([HEAD, TAGS], dialects="gemini")

    assert (len(report), report.ok, report[0].uid, [r.uid for r in report[1:]]) == (2, True, "head", ["tags"])
    assert json.loads(json.dumps(report.records()))[1]["notes"][0]["rule"] == "map_listed"
    assert [n.rule for n in report.notes] == ["map_listed"]
    assert lint_tools([], dialects="gemini").render() == "nothing to lint"


def test_all_dialects_are_asked_by_default():
    """Without a choice there is a column for each; strict is meant where there is such a form."""
    assert [r.target for r in lint_tools(HEAD)] == list(DIALECTS)
    assert [r.target for r in lint_tools(HEAD, dialects=["ollama", "openai"], strict=True)] == [
        "ollama",
        "openai strict",
    ]


def test_what_is_about_all_blocks_has_a_row_of_its_own():
    """A limit of the request is no fault of one block."""
    report = lint_tools([Block(uid=f"b{i}") for i in range(21)], dialects="anthropic", strict=True)

    assert [(r.uid, r.status) for r in report if r.status != "ok"] == [("*", "refused")]
    assert [p.message for p in report.problems] == [
        "the 21 blocks together have 21 strict tools, and anthropic strict takes 20 (read 2026-02)"
    ]


def test_numbers_that_doubles_cannot_hold_are_told():
    """A whole number beyond 2**53 is rounded by many clients: text is safer."""
    large = Block(uid="b", arguments=new_block_args(id=new_block_arg(type=arg_integer(maximum=2**60), default=1)))

    rules = [n.rule for n in lint_tools(large, dialects="mcp").notes]

    assert rules == ["inexact_integer"]


def test_many_bounds_in_lists_of_lists_are_told_for_gemini():
    """Nested lists with many bounds may be too much for its grammar, which no figure says exactly."""
    cell = {
        "type": "object",
        "properties": {f"p{i}": {"type": "integer", "minimum": 0, "maximum": 9} for i in range(13)},
    }
    rows = {"type": "array", "items": {"type": "array", "items": cell}}
    block = Block(uid="b", schema=arg_schema({"type": "object", "properties": {"rows": rows}}))

    assert [n.rule for n in lint_tools(block, dialects="gemini").notes] == ["many_bounds_in_nested_arrays"]


def said(block, client, server="srv"):
    """Return what a client says, as text."""
    blocks = block if isinstance(block, list) else [block]
    rows = lint_tools(blocks, dialects=[], clients=client, server=server)
    return [str(p) for r in rows for p in (*r.problems, *r.notes)]


def test_cursor_wants_plain_short_names():
    """Letters, digits and '_' only, no '__', and at most 60 characters with the server's name."""
    names = ["head", "a.b", "a__b"]
    told = [said(HEAD.with_(uid=uid), "cursor") for uid in names]
    long = said(HEAD.with_(uid="a" * 50), "cursor", server="s" * 11)

    assert told == [
        [],
        ["$: Cursor hides the tool 'a.b': a name has letters, digits and '_' only; give it a wire_name of those"],
        ["$: Cursor takes '__' in 'a__b' for the end of the server's name; use one '_'"],
    ]
    assert long == [
        (
            f"$: Cursor hides the tool '{'a' * 50}': with the server's name it has 61 characters of 60; "
            "shorten the server's or the tool's name"
        )
    ]


def test_claude_code_joins_names_and_cuts_descriptions():
    """The joined name and the argument names must be legal; long descriptions are cut."""
    odd = Block(uid="b", arguments=new_block_args({"a<b": new_block_arg(type=arg_integer())}))
    blocks = [HEAD, HEAD.with_(uid="a.b"), odd, HEAD.with_(description="x" * 3000)]

    silent = "$: Claude Code leaves the tool out in silence: "
    assert [said(b, "claude-code") for b in blocks] == [
        [],
        [
            (
                f"{silent}'mcp__srv__a.b' does not match ^[a-zA-Z0-9_-][a-zA-Z0-9_-]{{0,127}}$; "
                "shorten it, or give it a wire_name of letters, digits, '_' and '-'"
            )
        ],
        [f"{silent}argument 'a<b' does not match ^[a-zA-Z0-9_.-][a-zA-Z0-9_.-]{{0,63}}$; rename the argument"],
        ["$: Claude Code cuts the description of 3000 bytes after 2048"],
    ]


def test_vscode_wants_items_and_few_tools():
    """Every list says what it holds, and 128 tools are the most."""
    bare = Block(uid="b", schema=arg_schema({"type": "object", "properties": {"rows": {"type": ["array", "null"]}}}))
    many = [Block(uid=f"b{i}") for i in range(129)]

    assert [said(blocks, "vscode") for blocks in (bare, many)] == [
        ["$: VS Code refuses the whole request: the list at properties/rows has no items; say what its items are"],
        [
            (
                "$: VS Code takes 128 tools in one request, and there are 129; "
                "offer fewer blocks, or search and offer what was found"
            )
        ],
    ]


def test_gemini_cli_cuts_long_names():
    """Long names are cut in the middle, so that two may become one."""
    one, two = (f"{'a' * 30}_{i}_{'b' * 30}" for i in (1, 2))
    cut = f"mcp_srv_{'a' * 22}...{'b' * 30}"

    assert said([Block(uid=one), Block(uid=two)], "gemini-cli") == [
        f"$: Gemini CLI calls '{one}' '{cut}'",
        f"$: Gemini CLI calls '{two}' and '{one}' alike: '{cut}'; let the names differ at their beginning or end",
        f"$: Gemini CLI calls '{two}' '{cut}'",
    ]


def test_clients_are_asked_all_at_once_or_by_name():
    """All clients of which rules are known have a row for each block."""
    every = [r.target for r in lint_tools(HEAD, dialects=[], clients="all")]

    assert every == ["claude-code", "cursor", "gemini-cli", "vscode"]
    assert [r.target for r in lint_tools(HEAD, dialects=[], clients=["vscode", "cursor"])] == ["vscode", "cursor"]


@pytest.mark.parametrize(
    ("client", "message", "hint"),
    [
        (
            "curser",
            "'curser' is no client; there are 'claude-code', 'cursor', 'gemini-cli' and 'vscode'",
            "did you mean 'cursor'?",
        ),
        (
            "claude-desktop",
            "no rule of the client 'claude-desktop' is known",
            "there are rules of 'claude-code', 'cursor', 'gemini-cli' and 'vscode'",
        ),
    ],
)
def test_a_client_without_rules_is_named(client, message, hint):
    """An unknown one says what there is; so does one whose settings can be printed, but whose rules nobody knows."""
    with pytest.raises(InvalidOptionError) as caught:
        lint_tools(HEAD, clients=[client])

    assert caught.value.problems == (Problem(code="option_invalid", path="$.clients", message=message, hint=hint),)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"clients": 3}, "$.clients: 3 is no client; there are 'claude-code', 'cursor', 'gemini-cli' and 'vscode'"),
        ({"clients": [[]]}, "$.clients: [] is no client; there are 'claude-code', 'cursor', 'gemini-cli' and 'vscode'"),
        ({"server": 3, "clients": "all"}, "$.server: 3 is no name of a server; pass a text"),
        ({"dialects": 3}, "3 is no dialect; there are 'openai', "),
        ({"dialects": [[]]}, "[] is no dialect; there are 'openai', "),
    ],
)
def test_what_is_no_name_is_told(given, says):
    """A number or a list where a name belongs is a wrong option like any other."""
    with pytest.raises((InvalidOptionError, UnknownDialectError)) as caught:
        lint_tools(HEAD, **given)

    assert str(caught.value).startswith(says)


def test_a_required_key_that_nothing_describes_is_told_of_every_dialect():
    """Where it is sent as it is, the advice says where, and whether any call can give it."""
    inner = {"type": "object", "properties": {}, "required": ["c"], "additionalProperties": False}
    schema = {"type": "object", "properties": {"a": {"anyOf": [inner, {"type": "null"}]}}, "required": ["b"]}
    block = Block(uid="f", schema=arg_schema(schema))

    report = lint_tools(block, ["mcp", "anthropic"])

    assert report.matrix() == {"f": {"mcp": "notes", "anthropic": "notes"}}
    assert [(n.rule, n.message) for n in report[0].notes] == [
        ("required_unlisted", "'b' is required and none of the properties: some providers refuse that; describe it"),
        (
            "required_unlisted",
            "'c' at properties/a/anyOf/0 is required and none of the properties: no call can give it; describe it",
        ),
    ]
    assert [(n.rule, n.before) for n in report[1].notes] == [("required_listed", None), ("required_unlisted", "c")]
