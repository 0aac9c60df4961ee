"""Values given as JSON text, where a dialect has no type for them."""

# ruff: noqa: ARG001 - all rewrites have one signature
from __future__ import annotations

from typing import Any

from ...keywords import Schema, types_of
from ..marks import CUT, MARK, WAS, marked, stripped
from ..words import phrases, shown
from .facts import Result, changed, is_object

WORDS = {
    "any": "any JSON value, written as JSON text",
    "object": 'a JSON object, written as JSON text such as {"key": 1}',
    "list": "a JSON list, written as JSON text such as [1, 2]",
}
_TYPED = ("type", "anyOf", "oneOf", "$ref", "enum", "const")


def as_text(node: Schema, what: str, words: str = "") -> dict[str, Any]:
    """Return the string node that stands for *node*: its values are given as JSON text."""
    left = {
        k: v
        for k, v in node.items()
        if k not in ("type", "description", "title", "properties", "additionalProperties", "items")
        and (k != "required" or not node.get("properties"))
        and not k.startswith("\0")
        and k not in _TYPED
    }
    told = ", ".join(t for t in (words or WORDS[what], phrases(stripped(left))) if t)
    text = node.get("description")
    description = f"{text} ({told})" if isinstance(text, str) and text.strip() else told[:1].upper() + told[1:]
    kind: Any = ["string", "null"] if "null" in types_of(node) else "string"
    out = marked({"type": kind, "description": description}, json=what)
    return {**out, WAS: node[WAS]} if WAS in node else out


def untyped_as_text(node: Schema, path: str) -> Result:
    """Take any value as JSON text where every node must have a type."""
    if any(k in node for k in _TYPED) or CUT in node:
        return node, []
    return as_text(node, "any"), [changed("json_text", path, node, "string", "any value is given as JSON text")]


def free_objects_as_text(node: Schema, path: str) -> Result:
    """Take an object whose keys and values are free as JSON text; never an object that can only be empty."""
    if not is_object(node) or path == "$" or node.get("properties"):
        return node, []
    further = node.get("additionalProperties", True)
    facts = further.get(MARK, {}) if isinstance(further, dict) else {}
    if further is not True and facts.get("json") != "any":
        return node, []
    return as_text(node, "object"), [
        changed("json_text", path, "object", "string", "a free object is given as JSON text")
    ]


def cut_as_text(node: Schema, path: str) -> Result:
    """Take what lies deeper than a recursion is written out as JSON text."""
    if CUT not in node:
        return node, []
    name = str(node["$ref"]).rsplit("/", 1)[-1]
    words = f"one more {name} of the same form, written as JSON text"
    return as_text({k: v for k, v in node.items() if k != CUT}, "object", words), []


def clashing_branches_as_text(node: Schema, path: str) -> Result:
    """Take a union as JSON text where two branches would be written alike."""
    branches = node.get("anyOf")
    if not branches or len(branches) < 2:  # noqa: PLR2004 - one branch clashes with nothing
        return node, []
    clash = False
    for index, branch in enumerate(branches):
        if not {"json", "map", "record", "values"} & branch.get(MARK, {}).keys():
            continue
        kinds = set(types_of(branch)) - {"null"}
        others = (set(types_of(b)) - {"null"} for i, b in enumerate(branches) if i != index)
        clash = clash or any(kinds & other for other in others)
    if not clash:
        return node, []
    was = [stripped(b.get(WAS, b)) for b in branches]
    words = f"written as JSON text, one of {'; '.join(shown(w) for w in was)}"
    null = any("null" in types_of(b) for b in branches)
    text = as_text({**{k: v for k, v in node.items() if k != "anyOf"}, "type": ["null"] if null else []}, "any", words)
    return text, [
        changed("json_text", path, None, "string", "two forms would be written alike, so the value is JSON text")
    ]
