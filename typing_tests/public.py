"""What a type checker knows of the public functions; a line that must be refused says which error it expects."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any, assert_type

from blockargs import (
    Block,
    MetadataTable,
    Registry,
    Toolset,
    block,
    block_metadata,
    derive_block,
    export_tools,
    find_blocks,
    get_block,
    load_registry,
    register_block,
    tool,
)


@block(category="transform", keywords=["top"])
def head(n: int = 5) -> int:
    return n


@tool
def send(text: str) -> None: ...


assert_type(head(3), int)  # what is decorated stays what it is
assert_type(register_block(head, uid="h", examples=[{"n": 3}], overwrite=True), Block)
assert_type(derive_block(head, description="Keep rows.", tells=(ValueError,)), Block)
register_block(head, descripton="Keep rows.")  # type: ignore[call-arg]
register_block(head, description=3)  # type: ignore[arg-type]
register_block(head, keywords="top")  # type: ignore[arg-type]
register_block("head")  # type: ignore[arg-type]
derive_block(head, kind="chart")  # type: ignore[arg-type]
block(catgory="transform")  # type: ignore[call-overload]

registry = Registry([head, {"constructor": send, "kind": "tool"}])
assert_type(registry["head"], Block)
assert_type(registry.get("head"), Block | None)
assert_type(registry.get("head", 0), Block | int)
load_registry(Path("blocks.yml"), into=registry)
load_registry(5)  # type: ignore[arg-type]
registry.register(head, uid=5)  # type: ignore[arg-type]
get_block("head").keywords.append("x")  # type: ignore[attr-defined]
get_block("head").examples[0]["n"] = 5  # type: ignore[index]

assert_type(find_blocks("rows", [registry, "head", head, get_block("head")]), list[Block])
export_tools([head, "send"], "openai")
Toolset(registry)
export_tools(5)  # type: ignore[arg-type]
Toolset(5)  # type: ignore[arg-type]
find_blocks("rows", deque([head]))
find_blocks("rows", 5)  # type: ignore[arg-type]
find_blocks("rows", [5])  # type: ignore[list-item]

table = block_metadata(registry)
assert_type(table[0], dict[str, Any])
assert_type(table[:2], MetadataTable)
