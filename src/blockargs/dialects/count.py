"""Counting what schemas hold, against what a dialect takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import Note, Problem
from ..keywords import Schema, children, types_of
from .limits import LONG_ENUM, Limit, Limits

_BOUNDS = frozenset("minimum maximum minLength maxLength pattern minItems maxItems minProperties maxProperties".split())

# what is counted -> how it is called in a sentence
NOUNS = {
    "tools": "tools",
    "strict_tools": "strict tools",
    "properties": "properties",
    "depth": "levels of objects",
    "enum_values": "enum values",
    "text": "characters of names and fixed values",
    "long_enum_text": "characters in one enum of many values",
    "integer_enum_text": "characters of whole numbers in enums",
    "optional": "optional parameters",
    "unions": "parameters of several types",
    "bounds_in_nested_arrays": "bounds inside lists of lists",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much an export holds: what a prompt costs.

    Attributes:
        tools: Tools.
        bytes: Bytes of the request fragment as JSON.
        properties: Properties of all records.
        enum_values: Values of all enums.
        depth: Deepest nesting of objects.
        optional: Parameters that may be left out.
        unions: Parameters of several types.
        text: Characters of property names and fixed values.
    """

    tools: int
    bytes: int
    properties: int
    enum_values: int
    depth: int
    optional: int
    unions: int
    text: int


def counted(schema: Schema) -> dict[str, int]:
    """Return how much *schema* holds of each thing that some dialect limits."""
    total = dict.fromkeys(NOUNS, 0)
    total["tools"] = total["strict_tools"] = 1
    # node, level of objects, lists around it, whether it stands behind a reference
    stack: list[tuple[Any, int, int, bool]] = [(schema, 0, 0, False)]
    while stack:
        node, level, lists, behind = stack.pop()
        if not isinstance(node, Mapping):
            continue
        kinds = types_of(node)
        level += "object" in kinds
        lists += "array" in kinds
        total["depth"] = max(total["depth"], level)
        _add(total, node, behind=behind, nested=lists > 1)
        for pointer, child in children(node):
            inside = pointer[0] == "$defs"
            stack.append((child, 0 if inside else level, 0 if inside else lists, behind or inside))
    return total


def _add(total: dict[str, int], node: Schema, *, behind: bool, nested: bool) -> None:
    fields = node.get("properties", {})
    total["properties"] += len(fields)
    total["text"] += sum(map(len, fields))
    values = node.get("enum", ())
    if values:
        total["enum_values"] += len(values)
        length = sum(len(v) if isinstance(v, str) else len(str(v)) for v in values)
        total["text"] += length
        if len(values) > LONG_ENUM:
            total["long_enum_text"] = max(total["long_enum_text"], length)
        if "integer" in types_of(node):
            total["integer_enum_text"] += length
    if "const" in node:
        total["text"] += len(str(node["const"]))
    if nested:
        total["bounds_in_nested_arrays"] += len(_BOUNDS & node.keys())
    if not behind:
        total["optional"] += sum(n not in node.get("required", ()) for n in fields)
        total["unions"] += "anyOf" in node or len(types_of(node)) > 1


def summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return what all of *counts* hold together; of depths and single enums the largest."""
    total = dict.fromkeys(NOUNS, 0)
    for count in counts:
        for what, number in count.items():
            largest = what in ("depth", "long_enum_text")
            total[what] = max(total[what], number) if largest else total[what] + number
    return total


def over_in_tool(count: Mapping[str, int], limits: Limits, uid: str, dialect: str) -> tuple[list[Problem], list[Note]]:
    """Return what one tool alone has too much of, and what it may have too much of."""
    problems, notes = [], []
    for limit in limits:
        if limit.what not in count or count[limit.what] <= limit.most:
            continue
        message = f"block '{uid}' has {_of(count, limit, dialect)}"
        if limit.advice:
            notes.append(
                Note(rule=f"many_{limit.what}", path="$", before=count[limit.what], after=limit.most, message=message)
            )
        else:
            hint = "split the block, or make its arguments flatter and fewer"
            problems.append(Problem(code=f"too_many_{limit.what}", path="$", message=message, hint=hint))
    return problems, notes


def over_in_request(count: Mapping[str, int], limits: Limits, dialect: str) -> list[Problem]:
    """Return what all tools of a request together have too much of."""
    return [
        Problem(
            code=f"too_many_{limit.what}",
            path="$",
            message=f"the {count['tools']} blocks together have {_of(count, limit, dialect)}",
            hint="offer fewer blocks, offer the lean form first, or search and offer what was found",
        )
        for limit in limits
        if limit.per == "request" and count.get(limit.what, 0) > limit.most
    ]


def _of(count: Mapping[str, int], limit: Limit, dialect: str) -> str:
    return f"{count[limit.what]} {NOUNS[limit.what]}, and {dialect} takes {limit.most} (read {limit.read})"
