"""Maps: lists of key and value where a dialect has none, or told in words."""

from __future__ import annotations

from collections.abc import Mapping

from ...keywords import Schema, types_of
from ..marks import marked, stripped
from ..words import phrases, shown, with_words
from .facts import Result, changed, is_object
from .objects import pairs


def _is_map(node: Schema, path: str) -> bool:
    further = isinstance(node.get("additionalProperties"), Mapping) or bool(node.get("patternProperties"))
    return is_object(node) and path != "$" and not node.get("properties") and further


def maps_as_pairs(node: Schema, path: str) -> Result:
    """Write a map as a list of records, each with a key and its value."""
    if not _is_map(node, path):
        return node, []
    patterns = node.get("patternProperties") or {}
    further = node.get("additionalProperties")
    value = further if isinstance(further, Mapping) else next(iter(patterns.values()))
    keys = node.get("propertyNames")
    kind = ["array", "null"] if "null" in types_of(node) else "array"
    counts = {"minItems": node.get("minProperties"), "maxItems": node.get("maxProperties")}
    gone = ("type", "additionalProperties", "propertyNames", "minProperties", "maxProperties", "properties", "required")
    told = {k: v for k, v in node.items() if k in ("default", "patternProperties", "examples")}
    rest = {k: v for k, v in node.items() if k not in gone and k not in told}
    out = {"type": kind, **rest, "items": pairs(value, keys), **{k: v for k, v in counts.items() if v is not None}}
    words = ", ".join(t for t in ("a list of key and value, each key once", phrases(stripped(told))) if t)
    note = changed("map_listed", path, "object", "array", "a map is given as a list of records with key and value")
    return marked(with_words(out, words), map=True), [note]


def maps_in_words(node: Schema, path: str) -> Result:
    """Say in the description what the values of a map are, where the keyword is dropped."""
    if not _is_map(node, path):
        return node, []
    gone = {k: node[k] for k in ("additionalProperties", "patternProperties", "propertyNames") if k in node}
    value = gone.get("additionalProperties")
    told = (
        f"keys are free, each value is {shown(stripped(value))}"
        if isinstance(value, Mapping)
        else phrases(stripped(gone))
    )
    out = with_words({k: v for k, v in node.items() if k not in gone}, told)
    return out, [changed("told_in_words", path, gone, None, "what the values of the map are is told in words")]


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
