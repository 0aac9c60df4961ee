"""Marks: what a rewrite leaves in a node, so that values can be led the way there and back.

A mark is a key that no JSON Schema has. Marks travel with their node through
later rewrites and are taken out before anything is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import at
from ..keywords import Pointer, Schema, rebuilt

MARK = "\0way"  # facts about how the node's values are written
WAS = "\0was"  # a branch of a union, as it was before it was rewritten
AROUND = "\0around"  # the keys that the node around a branch describes
CUT = "\0cut"  # a $ref at which writing out a recursion stopped


def marked(node: Schema, **facts: Any) -> dict[str, Any]:
    """Return *node* with *facts* added to its mark."""
    return {**node, MARK: {**node.get(MARK, {}), **facts}}


def stripped(node: Any) -> Any:
    """Return *node* without its marks, all the way down."""
    if not isinstance(node, Mapping):
        return node
    plain = {k: v for k, v in node.items() if not k.startswith("\0")}
    return rebuilt(plain, lambda child, _: stripped(child))


def below(path: str, pointer: Pointer) -> str:
    """Return the JSONPath of the values that the sub-schema at *pointer* is about."""
    keyword = pointer[0]
    if keyword == "properties":
        return at(path, pointer[1])
    if keyword == "prefixItems":
        return f"{path}[{pointer[1]}]"
    if keyword in ("items", "contains", "unevaluatedItems"):
        return f"{path}[*]"
    if keyword in ("additionalProperties", "patternProperties", "unevaluatedProperties"):
        return f"{path}.*"
    if keyword in ("$defs", "definitions"):
        return f"#/$defs/{pointer[1]}"
    return path
