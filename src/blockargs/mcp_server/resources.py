"""What can be read: the table of blocks, all that is known of one, and how to use them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from ..spec import Block
from ..tables import block_metadata

TABLE = "blockargs://blocks"
ONE = "blockargs://blocks/{uid}"
COLUMNS = ("id", "name", "category", "description", "keywords")  # of the table; the rest is told of one block
PROMPT = "use_a_block"

LISTED: tuple[dict[str, Any], ...] = (
    {
        "uri": TABLE,
        "name": "blocks",
        "title": "All blocks",
        "description": "A table of the blocks of this server: uid, name, category, description, keywords.",
        "mimeType": "text/markdown",
    },
)
TEMPLATES: tuple[dict[str, Any], ...] = (
    {
        "uriTemplate": ONE,
        "name": "block",
        "title": "One block",
        "description": "All that is known of a block: texts, arguments with types and examples, worked configurations.",
        "mimeType": "application/json",
    },
)
PROMPTS: tuple[dict[str, Any], ...] = (
    {
        "name": PROMPT,
        "title": "Use a block",
        "description": "How to pick a block for a task, and how to fill its arguments.",
        "arguments": [{"name": "task", "description": "What is to be done.", "required": False}],
    },
)


def contents_of(uri: str, blocks: Mapping[str, Block]) -> list[dict[str, Any]] | None:
    """Return what *uri* holds, or ``None`` when nothing is there.

    Args:
        uri: `TABLE`, or `ONE` with a uid in it.
        blocks: The blocks by uid.
    """
    if uri == TABLE:
        text = block_metadata(list(blocks.values()), fields=list(COLUMNS)).render("markdown")
        return [{"uri": uri, "mimeType": "text/markdown", "text": text}]
    uid = unquote(uri.removeprefix(f"{TABLE}/")) if uri.startswith(f"{TABLE}/") else ""
    if uid not in blocks:
        return None
    return [{"uri": uri, "mimeType": "application/json", "text": _record(blocks[uid])}]


def prompt_text(task: str | None, *, lean: bool) -> str:
    """Return what `PROMPT` says to the model.

    Args:
        task: What is to be done, in the user's words.
        lean: Whether blocks are reached through `find_blocks` and `call_block`.
    """
    aim = f"The task: {task}\n\n" if task else ""
    return f"{aim}{_LEAN if lean else _DIRECT}\n\n{_FILL}"


_DIRECT = (
    "Each tool of this server is a block: it builds something from named arguments, or does something with them. "
    "Pick the one tool whose description says what the task needs. When none fits, say so instead of bending one."
)
_LEAN = (
    "This server has many blocks: each does one thing with named arguments. "
    "Look for one with find_blocks (a few words of what it should do), read about it with describe_block, "
    "then call it with call_block. When none fits, say so instead of bending one."
)
_FILL = (
    "Fill only arguments that the schema names, with JSON of exactly their types, and leave out optional ones "
    "that the task says nothing about: their defaults apply. Start from the worked examples. "
    "A refused call did nothing: its answer names each wrong argument by path, what was expected and the cure. "
    "Correct these arguments, keep the others, and call again."
)


def _record(block: Block) -> str:
    row = block_metadata([block]).records()[0]
    row["schema"] = block.input_schema()
    return json.dumps(row, ensure_ascii=False, indent=2)
