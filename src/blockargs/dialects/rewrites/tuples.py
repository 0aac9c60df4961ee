"""Lists of fixed places: kept, lists of one type, or records of numbered fields."""

# ruff: noqa: ARG001 - all rewrites have one signature
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import Note
from ...keywords import Schema, types_of
from ...node import json_key
from ..marks import marked, stripped
from ..words import phrases, with_words
from .facts import Result, any_of, bare, changed, is_array
from .texts import as_text


def with_items(node: Schema, path: str) -> Result:
    """Give every list its ``items``, empty where anything goes."""
    if not is_array(node) or isinstance(node.get("items"), Mapping):
        return node, []
    if "prefixItems" not in node:
        empty = {"maxItems": 0} if node.get("items") is False else {}
        return {**node, "items": {}, **empty}, []
    return {**node, "items": any_of(_places(node))}, []


def with_typed_items(node: Schema, path: str) -> Result:
    """Give every list its ``items`` with a type: any value is JSON text, and what can never be there is null."""
    if not is_array(node) or "prefixItems" in node or isinstance(node.get("items"), Mapping):
        return node, []
    if node.get("items", True):
        note = changed("json_text", f"{path}[*]", None, "string", "any value is given as JSON text")
        return {**node, "items": as_text({}, "any")}, [note]
    return {**node, "items": {"type": "null"}, "maxItems": 0}, []


def _rest(node: Schema) -> Any:
    """Return the schema of what follows the places, ``False`` where nothing can."""
    places, most = len(node["prefixItems"]), node.get("maxItems")
    rest = node.get("items", True)
    return False if rest is False or (most is not None and most <= places) else {} if rest is True else rest


def _places(node: Schema) -> list[Any]:
    rest = _rest(node)
    return [*node["prefixItems"], *([] if rest is False else [rest])]


def same_typed_tuples(node: Schema, path: str) -> Result:
    """Write a list whose places are all of one type as a list of that type, with its length."""
    if "prefixItems" not in node or not is_array(node):
        return node, []
    places = _places(node)
    if len({json_key(bare(p)) for p in places}) != 1 or any(not bare(p) for p in places):
        return node, []
    return _as_list(node, {k: v for k, v in places[0].items() if k != "description"}, path)


def tuples_as_lists(node: Schema, path: str) -> Result:
    """Write a list of fixed places as a list of any of their types, with its length."""
    if "prefixItems" not in node or not is_array(node):
        return node, []
    return _as_list(node, any_of(_places(node)), path)


def tuples_as_typed_lists(node: Schema, path: str) -> Result:
    """Do the same where every list has typed items: where anything goes, each item is JSON text."""
    if "prefixItems" not in node or not is_array(node):
        return node, []
    if items := any_of(_places(node)):
        return _as_list(node, items, path)
    text = as_text({}, "any")
    places = [
        {**text, **({"description": p["description"]} if "description" in p else {})} for p in node["prefixItems"]
    ]
    out, notes = _as_list({**node, "prefixItems": places, "items": text}, text, path)
    return out, [*notes, changed("json_text", f"{path}[*]", None, "string", "each item is given as JSON text")]


def _as_list(node: Schema, items: Any, path: str) -> Result:
    out = {**{k: v for k, v in node.items() if k not in ("prefixItems", "items")}, "items": items}
    places, rest = tuple(node["prefixItems"]), _rest(node)
    if rest is False:
        out.setdefault("maxItems", len(places))
    if any(told := [p.get("description") for p in places]):
        out = with_words(out, "places: " + ", ".join(str(d) if d else "-" for d in told))
    elif len({json_key(bare(p)) for p in places}) > 1:
        out = with_words(out, "places: " + ", ".join(" or ".join(types_of(p)) or "any" for p in places))
    note = changed(
        "tuple_as_list", path, len(places), None, "a list of fixed places is written as a list with a length"
    )
    return marked(out, places=places, further=None if rest is False else rest), [note]


def tuples_as_records(node: Schema, path: str) -> Result:
    """Write a list of fixed places as a record ``item_1``, ``item_2`` and so on, which holds each place to its type."""
    if "prefixItems" not in node or not is_array(node) or _rest(node) is not False:
        return node, []
    places, least = node["prefixItems"], node.get("minItems", 0)
    names = [f"item_{i + 1}" for i in range(len(places))]
    kind: Any = ["object", "null"] if "null" in types_of(node) else "object"
    told = stripped({k: v for k, v in node.items() if k in ("default", "examples")})
    gone = ("type", "prefixItems", "items", "minItems", "maxItems", *told)
    out: dict[str, Any] = {
        "type": kind,
        **{k: v for k, v in node.items() if k not in gone},
        "properties": dict(zip(names, places, strict=True)),
        "required": names[:least],
        "additionalProperties": False,
    }
    notes: list[Note] = [
        changed(
            "tuple_as_record", path, len(places), names, "a list of fixed places is given as a record of its places"
        )
    ]
    return marked(with_words(out, phrases(told)), record=len(places)), notes
