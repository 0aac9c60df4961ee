"""Maps: lists of key and value where a dialect has none, or told in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import Note
from ...keywords import Schema, rebuilt, types_of
from ..marks import below, marked, stripped
from ..words import phrases, shown, with_words
from .facts import Result, any_of, changed, is_object, tell
from .objects import pairs


def patterns_as_map(schema: Schema, path: str) -> Result:
    """Let further keys take what any pattern of keys takes, where the keyword for patterns is refused."""
    notes: list[Note] = []

    def visit(node: Any, where: str) -> Any:
        if not isinstance(node, Mapping):
            return node
        out = rebuilt(node, lambda child, pointer: visit(child, below(where, pointer)))
        patterns = out.pop("patternProperties", None)
        if not patterns:
            return out
        further = node.get("additionalProperties", True)
        values = [*patterns.values(), *([out["additionalProperties"]] if isinstance(further, Mapping) else [])]
        out["additionalProperties"] = True if further is True else any_of(values)
        if further is False and not out.get("properties") and len(patterns) == 1:
            out.setdefault("propertyNames", {"pattern": next(iter(patterns))})
        told = {"patternProperties": node["patternProperties"]}
        notes.append(changed("told_in_words", where, told, None, "values by pattern of their key are told in words"))
        return tell(out, phrases(told), where)

    return visit(schema, path), notes


def maps_as_pairs(node: Schema, path: str) -> Result:
    """Write a map as a list of records, each with a key and its value."""
    value = node.get("additionalProperties")
    if not is_object(node) or path == "$" or node.get("properties") or not isinstance(value, Mapping):
        return node, []
    kind = ["array", "null"] if "null" in types_of(node) else "array"
    counts = {"minItems": node.get("minProperties"), "maxItems": node.get("maxProperties")}
    gone = ("type", "additionalProperties", "propertyNames", "minProperties", "maxProperties", "properties", "required")
    told = {k: v for k, v in node.items() if k in ("required", "default", "examples")}
    rest = {k: v for k, v in node.items() if k not in gone and k not in told}
    items = pairs(value, node.get("propertyNames"))
    out = {"type": kind, **rest, "items": items, **{k: v for k, v in counts.items() if v is not None}}
    words = ", ".join(t for t in ("a list of key and value, each key once", phrases(stripped(told))) if t)
    note = changed("map_listed", path, "object", "array", "a map is given as a list of records with key and value")
    return marked(with_words(out, words), map=True), [note]


def maps_in_words(node: Schema, path: str) -> Result:
    """Say in the description what further keys hold, where the keyword is dropped."""
    value = node.get("additionalProperties", False)
    if not is_object(node) or value is False or (value is True and not node.get("properties")):
        return node, []
    told = "further keys are free" if node.get("properties") else "keys are free"
    if isinstance(value, Mapping) and stripped(value):
        told += f", each value is {shown(stripped(value))}"
    out = tell({k: v for k, v in node.items() if k != "additionalProperties"}, told, path)
    gone = {"additionalProperties": value}
    return out, [changed("told_in_words", path, gone, None, "what further keys hold is told in words")]


def fields_in_words(node: Schema, path: str) -> Result:
    """Name the fields of a nested record in its description, where a client drops them."""
    fields = node.get("properties")
    if not is_object(node) or not fields or path == "$" or "[*]" in path:
        return node, []
    needed = node.get("required", ())
    told = [f"{n}: {_kind(f)}{'' if n in needed else ', optional'}" for n, f in fields.items()]
    note = changed("told_in_words", path, None, None, "the fields of the record are told in words too")
    return with_words(node, f"fields {'; '.join(told)}"), [note]


def _kind(field: object) -> str:
    kinds = types_of(field) if isinstance(field, Mapping) else ()
    return " or ".join(kinds) or "any"
