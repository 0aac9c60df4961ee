"""Four tools instead of hundreds: list, find, describe and call blocks.

A long list of tools floods a model's context and makes it choose worse. Above
`LEAN_ABOVE` blocks the model looks for a block first, reads about that one
only, and calls it by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from .._text import did_you_mean, one_line
from ..derive import Arg, derive_block
from ..dispatch import Toolset
from ..dispatch.names import name_of
from ..errors import ToolFailure
from ..search import find_blocks
from ..spec import Block
from ..types import arg_integer, arg_json_object

LEAN_ABOVE = 128  # what clients of OpenAI's kind take at most; choosing gets worse well before
CALL = "call_block"
FEW = arg_integer(minimum=1, maximum=1000)  # rows of one answer
SHORT = 200  # characters of a description in a list

Uid = Annotated[str, Arg("The name of the block, as list_blocks and find_blocks give it.", example="head")]


@dataclass(frozen=True, slots=True)
class BlockCall:
    """The call that `call_block` asks for."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LeanTools:
    """The four tools, each a method, over whatever *offered* returns when it is called."""

    offered: Callable[[], Toolset]

    def list_blocks(
        self,
        category: Annotated[str | None, Arg("Only the blocks of this category.")] = None,
        after: Annotated[str | None, Arg("The last name of the page before.")] = None,
        limit: Annotated[int, Arg("How many to list at most.", example=50, type=FEW)] = 50,
    ) -> dict[str, Any]:
        """List the blocks there are: name, category and what each does."""
        rows = sorted(self.offered().names.items())
        rows = [(name, b) for name, b in rows if category is None or b.category == category]
        rest = [(name, b) for name, b in rows if after is None or name > after]
        shown = rest[:limit]
        out: dict[str, Any] = {"total": len(rows), "blocks": [_row(name, b) for name, b in shown]}
        return {**out, "after": shown[-1][0]} if len(shown) < len(rest) else out

    def find_blocks(
        self,
        query: Annotated[str, Arg("What the block should do, in a few words.", example="keep the first rows")],
        limit: Annotated[int, Arg("How many to return at most.", example=10, type=FEW)] = 10,
    ) -> dict[str, Any]:
        """Find the blocks that fit a question, the best first."""
        toolset = self.offered()
        wire = {block.uid: name for name, block in toolset.names.items()}
        found = find_blocks(query, list(toolset.names.values()), limit=limit)
        return {"blocks": [_row(wire[block.uid], block) for block in found]}

    def describe_block(self, name: Uid) -> dict[str, Any]:
        """Tell all about one block: what it does, how to use it, the schema of its arguments, worked examples."""
        block = known_block(self.offered(), name)
        shown = {
            "name": name_of(block),
            "title": block.name,
            "description": block.description,
            "guidance": block.guidance,
            "category": block.category,
            "arguments": block.input_schema(),
            "examples": list(block.examples) or [e for e in (block.arguments.example(),) if e],
        }
        return {key: value for key, value in shown.items() if value}

    def call_block(
        self,
        name: Uid,
        arguments: Annotated[
            dict[str, Any],
            Arg("Its arguments, as describe_block shows them.", example={"n": 5}, type=arg_json_object()),
        ] = {},  # noqa: B006 - nobody changes it
    ) -> BlockCall:
        """Call one block with its arguments. Read describe_block first."""
        known_block(self.offered(), name)
        return BlockCall(name, arguments)


def lean_blocks(offered: Callable[[], Toolset]) -> list[Block]:
    """Return the four tools over whatever *offered* returns when they are called."""
    tools = LeanTools(offered)
    made = (
        (tools.list_blocks, "list_blocks", "List blocks"),
        (tools.find_blocks, "find_blocks", "Find blocks"),
        (tools.describe_block, "describe_block", "Describe a block"),
        (tools.call_block, CALL, "Call a block"),
    )
    reads = {"read_only": True, "idempotent": True, "open_world": False}
    return [
        derive_block(
            ctor, uid=uid, name=title, kind="tool", output_schema=None, annotations={} if uid == CALL else reads
        )
        for ctor, uid, title in made
    ]


def known_block(toolset: Toolset, name: str) -> Block:
    """Return the block that *name* means to *toolset*.

    Raises:
        ToolFailure: There is none; it names the nearest.
    """
    if (block := toolset.get(name)) is not None:
        return block
    near = did_you_mean(name, toolset.names)
    hint = f"; {near}" if near else "; ask find_blocks or list_blocks"
    raise ToolFailure("unknown_tool", f"no block is called '{one_line(name)}'{hint}")


def _row(name: str, block: Block) -> dict[str, Any]:
    return {"name": name, "category": block.category, "description": one_line(block.description or block.name, SHORT)}
