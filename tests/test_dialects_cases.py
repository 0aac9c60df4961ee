"""Stories of single tools: what each provider is sent, what is said about it, and how calls go there and back."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from blockargs.dialects import export_tools
from blockargs.dialects.render import rendering
from blockargs.imported import arg_schema
from blockargs.node import ArgType
from blockargs.spec import Block, new_block_arg
from blockargs.spec import new_block_args as block_args
from blockargs.validate import problems_in

FOLDER = Path(__file__).parent / "cases/dialects"
STORIES = sorted(FOLDER.glob("*/*.yaml"))


def block_of(given):
    """Return the block that a story describes."""
    given = dict(given)
    arguments = {name: new_block_arg(**arg) for name, arg in given.pop("arguments", {}).items()}
    times = given.pop("repeat", 1)
    for key in ("schema", "output_schema"):
        if key in given:
            given[key] = arg_schema(given[key])
    if times > 1:
        given["description"] = " ".join([given["description"]] * times)
    return Block(**{"uid": "tool", **given}, arguments=block_args(arguments))


def told(story):
    """Return the export of the story's block."""
    return export_tools(block_of(story["block"]), story["dialect"], strict=story.get("strict", False))


@pytest.mark.parametrize("file", STORIES, ids=lambda f: f"{f.parent.name}/{f.stem}")
def test_a_story(file):
    """The tool is sent as the story says, with its notes, and calls go there and back."""
    story = yaml.safe_load(file.read_text(encoding="utf-8"))
    export = told(story)

    assert export.problems == []
    assert export.tools == [story["tool"]]
    assert [f"{n.rule} {n.path}" for n in export.notes] == story.get("notes", [])
    schema = ArgType(rendering(block_of(story["block"]), export.dialect).plain)
    for call in story.get("calls", []):
        assert export.encode("tool", call["value"]) == call["wire"]
        assert problems_in(call["wire"], schema) == []
        decoded = export.decode(next(iter(export.names)), call["wire"])
        assert (decoded.ok, decoded.value, decoded.uid) == (True, call["value"], "tool")
