"""What rewrites ask about a node, and the small steps they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import Note
from ...keywords import Schema, kind_of, types_of
from ...node import json_key
from ..marks import MARK, marked, stripped
from ..words import with_words

Result = tuple[Schema, list[Note]]

# keywords that say something about one type only
BY_TYPE: dict[str, frozenset[str]] = {
    "string": frozenset("minLength maxLength pattern format contentMediaType contentEncoding contentSchema".split()),
    "number": frozenset("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split()),
    "array": frozenset(
        "items prefixItems contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems".split()
    ),
    "object": frozenset(
        "properties required additionalProperties patternProperties propertyNames minProperties maxProperties "
        "dependentRequired dependentSchemas unevaluatedProperties".split()
    ),
}
BY_TYPE["integer"] = BY_TYPE["number"]
_COMPOUND = ("anyOf", "oneOf", "allOf", "$ref")


def is_object(node: Schema) -> bool:
    """Tell whether *node* is about objects."""
    return "object" in types_of(node)


def is_array(node: Schema) -> bool:
    """Tell whether *node* is about lists."""
    return "array" in types_of(node)


def is_null(node: Any) -> bool:
    """Tell whether *node* accepts null and nothing else."""
    return isinstance(node, Mapping) and (
        node.get("type") == "null" or ("const" in node and node["const"] is None) or node.get("enum") == [None]
    )


def takes_null(node: Schema) -> bool:
    """Tell whether *node* accepts null, as far as its own keywords say."""
    if is_null(node):
        return True
    if "enum" in node and None not in node["enum"]:
        return False
    if kinds := types_of(node):
        return "null" in kinds and "const" not in node
    return "enum" in node or any(takes_null(b) for key in ("anyOf", "oneOf") for b in node.get(key, ()))


def type_of_all(values: Iterable[Any]) -> Any:
    """Return what ``type`` says of *values*: one name, or a list of names."""
    kinds = list(dict.fromkeys(kind_of(v) for v in values))
    if "number" in kinds and "integer" in kinds:
        kinds.remove("integer")
    return kinds[0] if len(kinds) == 1 else kinds


def nullable(node: Schema) -> dict[str, Any]:
    """Return *node* so that it accepts null too."""
    if takes_null(node):
        return dict(node)
    kinds = types_of(node)
    if kinds and not any(k in node for k in (*_COMPOUND, "const", "not", "if")):
        out: dict[str, Any] = {**node, "type": [*kinds, "null"]}
        if "enum" in node:
            out["enum"] = [*node["enum"], None]
        return out
    if kinds and "const" in node:
        rest = {k: v for k, v in node.items() if k not in ("type", "const")}
        return {"type": [*kinds, "null"], **rest, "enum": [node["const"], None]}
    if "anyOf" in node and not kinds:
        return {**node, "anyOf": [*node["anyOf"], {"type": "null"}]}
    outer = {k: v for k, v in node.items() if k == "description"}
    inner = {k: v for k, v in node.items() if k != "description"}
    return {**outer, "anyOf": [inner, {"type": "null"}]}


def bare(node: Any) -> dict[str, Any]:
    """Return *node* without its words and marks: what it accepts."""
    plain: dict[str, Any] = stripped(node)
    return {k: v for k, v in plain.items() if k not in ("description", "title")}


def any_of(nodes: list[Any]) -> dict[str, Any]:
    """Return the one schema that takes what any of *nodes* takes."""
    distinct = list({json_key(bare(n)): n for n in nodes}.values())
    if not distinct or not all(bare(n) for n in distinct):
        return {}
    return dict(bare(distinct[0])) if len(distinct) == 1 else {"anyOf": distinct}


def tell(node: Schema, words: str, path: str) -> dict[str, Any]:
    """Return *node* with *words* for the model: at the root in the tool's description, else in its own."""
    if not words:
        return dict(node)
    if path == "$":
        told = node.get(MARK, {}).get("told", ())
        return marked(node, told=(*told, words))
    return with_words(node, words)


def changed(rule: str, path: str, before: Any, after: Any, message: str) -> Note:
    """Return the note of a rewrite."""
    return Note(rule=rule, path=path, before=stripped(before), after=stripped(after), message=message)


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return *wanted*, with a number where it is taken."""
    names, number, name = set(taken), 1, wanted
    while name in names:
        number += 1
        name = f"{wanted}_{number}"
    return name
