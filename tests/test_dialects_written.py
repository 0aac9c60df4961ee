"""Listings as bytes: the same as the request, whatever stands in it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from blockargs.dialects import DIALECTS, STRICT, export_tools
from blockargs.types import arg_integer
from exported import block


@pytest.mark.parametrize("dialect", ["mcp", "openai"])
@pytest.mark.parametrize("text", ["\0", '"\0"', "a \0 b", '"\\u0000"'])
def test_no_text_of_an_author_is_taken_for_the_place_of_a_schema(dialect, text):
    """A zero character in a description is sent as it is."""
    export = export_tools([block(), block().with_(uid="other", description=text)], dialect)

    assert json.loads(export.json()) == export.request()


def test_an_element_of_ones_own_may_read_the_schema():
    """What stands for the schema while it is written reads like it."""
    seen = []

    def element(tool):
        seen.append((dict(tool.schema), len(tool.schema), tool.schema["type"]))
        return {"name": tool.name, "takes": tool.schema}

    export = export_tools(block(), replace(DIALECTS["mcp"], element=element))

    assert json.loads(export.json()) == {"tools": [{"name": block().uid, "takes": block().input_schema()}]}
    assert seen == [(block().input_schema(), len(block().input_schema()), "object")]


def test_half_a_character_is_still_sent_as_json():
    """A lone surrogate in a text is escaped, never a crash."""
    for dialect in ("openai", "mcp"):
        export = export_tools(block().with_(description="half \ud800"), dialect)

        assert json.loads(export.json()) == export.request()


def numbered(count):
    """Return this many blocks."""
    return [block(f"step_{n}", n=arg_integer()) for n in range(count)]


@pytest.mark.parametrize("dialect", [*DIALECTS.values(), *STRICT.values()], ids=str)
@pytest.mark.parametrize("count", [0, 1, 100, 101, 250])
def test_a_listing_of_any_length_is_the_request(dialect, count):
    """Tools are written a hundred at a time, and no seam is seen."""
    export = export_tools(numbered(count), dialect)

    assert len(export.tools) == count
    assert export.json() == json.dumps(export.request(), separators=(",", ":")).encode()


@pytest.mark.parametrize("at", [0, 99, 100, 249])
@pytest.mark.parametrize("text", ["\0", "half \ud800"])
def test_a_text_that_needs_care_may_stand_anywhere(at, text):
    """One description decides nothing about the other tools."""
    blocks = numbered(250)
    blocks[at] = blocks[at].with_(description=text)

    export = export_tools(blocks, "mcp")

    assert export.json() == json.dumps(export.request(), separators=(",", ":")).encode()


@pytest.mark.parametrize(
    "request_of",
    [
        lambda tools: {"tools": [*tools], "x": "\0"},
        lambda tools: {"tools": [*tools], "\0": "\0"},
        lambda tools: {"tools": tools, "count": len(tools), "\0": "\0"},
        lambda tools: {"tools": [*tools, {"type": "search"}]},
        lambda tools: {"first": tools, "again": tools},
        lambda tools: {"by_name": {t["name"]: t for t in tools}},
        lambda tools: tools + [{"type": "search"}],  # noqa: RUF005 - what an author may write
        lambda tools: tools.append({"type": "search"}) or {"inner": [1, {"tools": tools}]},
    ],
    ids=["elsewhere", "elsewhere, by key", "beside", "unpacked", "twice", "by name", "added", "appended"],
)
@pytest.mark.parametrize("text", ["Last.", "\0"])
def test_a_request_of_ones_own_may_do_what_it_likes_with_the_list(request_of, text):
    """The list is a list: put elsewhere, lengthened, taken apart."""
    blocks = [*numbered(101), block("last", n=arg_integer()).with_(description=text)]
    export = export_tools(blocks, replace(DIALECTS["mcp"], request=request_of))

    assert export.json() == json.dumps(export.request(), separators=(",", ":")).encode()
