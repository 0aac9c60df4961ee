"""`lint_tools`: what each provider and client would make of the blocks, before anything is sent."""

from __future__ import annotations

import json

import pytest

from blockargs.dialects import DIALECTS, lint_tools
from blockargs.errors import UnknownDialectError
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
    lines = str(report).splitlines()
    assert lines[:3] == ["block   mcp      gemini", "head    ok       ok", "tags    ok       notes"]
    assert lines[5] == (
        'mcp: $: block \'broken\' in mcp: the arguments are {"type": "array"}, and a tool takes an object; '
        "make it one argument of a record"
    )
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
    assert "21 strict tools" in report.problems[0].message


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
    assert said(HEAD, "cursor") == []
    assert "letters, digits and '_' only" in said(HEAD.with_(uid="a.b"), "cursor")[0]
    assert "takes '__'" in said(HEAD.with_(uid="a__b"), "cursor")[0]
    assert "61 characters of 60" in said(HEAD.with_(uid="a" * 50), "cursor", server="s" * 11)[0]


def test_claude_code_joins_names_and_cuts_descriptions():
    """The joined name and the argument names must be legal; long descriptions are cut."""
    odd = Block(uid="b", arguments=new_block_args({"a<b": new_block_arg(type=arg_integer())}))

    assert said(HEAD, "claude-code") == []
    assert "'mcp__srv__a.b' does not match" in said(HEAD.with_(uid="a.b"), "claude-code")[0]
    assert "argument 'a<b' does not match" in said(odd, "claude-code")[0]
    assert "cuts the description of 3000 bytes after 2048" in said(HEAD.with_(description="x" * 3000), "claude-code")[0]


def test_vscode_wants_items_and_few_tools():
    """Every list says what it holds, and 128 tools are the most."""
    bare = Block(uid="b", schema=arg_schema({"type": "object", "properties": {"rows": {"type": ["array", "null"]}}}))

    assert "the list at properties/rows has no items" in said(bare, "vscode")[0]
    assert "128 tools in one request, and there are 129" in said([Block(uid=f"b{i}") for i in range(129)], "vscode")[0]


def test_gemini_cli_cuts_long_names():
    """Long names are cut in the middle, so that two may become one."""
    twins = [Block(uid=f"{'a' * 30}_{i}_{'b' * 30}") for i in (1, 2)]

    told = said(twins, "gemini-cli")

    assert "Gemini CLI calls" in told[0]
    assert any("alike" in t for t in told)


def test_clients_are_asked_all_at_once_or_by_name():
    """All clients have a row for each block; an unknown one says what there is."""
    assert [r.target for r in lint_tools(HEAD, dialects=[], clients="all")] == [
        "claude-code",
        "cursor",
        "gemini-cli",
        "vscode",
    ]
    with pytest.raises(UnknownDialectError, match="did you mean 'cursor'"):
        lint_tools(HEAD, clients=["curser"])
