"""MCP ``tools/list``: plain JSON Schema, with what is known of the result and of effects."""

from __future__ import annotations

from typing import Any

from ..spec import Block
from .dialect import Dialect, Tool
from .limits import LIMITS
from .names import DOTTED, evenly
from .rewrites.roots import root_object

NAMES = evenly(DOTTED, 128)
# our word -> the protocol's
HINTS = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}


def element(tool: Tool) -> dict[str, Any]:
    """Return *tool* as it stands in ``tools``."""
    block = tool.block
    out: dict[str, Any] = {"name": tool.name}
    if block.name and block.name.replace(" ", "_") != tool.name:
        out["title"] = block.name
    if tool.description:
        out["description"] = tool.description
    out["inputSchema"] = tool.schema
    # a client that checks the listing drops all of it for one result that is no object
    if block.output_schema is not None and block.output_schema.get("type") == "object":
        out["outputSchema"] = block.output_schema
    if told := hints(block):
        out["annotations"] = told
    if icons := block.annotations.get("icons"):
        out["icons"] = icons
    return out


def hints(block: Block) -> dict[str, Any]:
    """Return what is known of the block's effects, in the protocol's words."""
    given = block.annotations
    if not given:
        return {}
    told = {wire: given[word] for word, wire in HINTS.items() if given.get(word) is not None}
    return {"title": given["title"], **told} if given.get("title") else told


DIALECTS = (
    Dialect(
        name="mcp",
        limits=LIMITS["mcp"],
        names=NAMES,
        rewrites=(root_object,),
        element=element,
        examples="arguments",
    ),
)
