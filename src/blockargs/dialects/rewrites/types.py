"""What a node is about: a type for each, one type at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._text import listing
from ...errors import Note, Problem
from ...keywords import REMARKS, Schema, kind_of, rebuilt, types_of
from ..dialect import RefusedError, Rewrite
from ..marks import MARK, WAS, below
from .facts import BY_TYPE, Result, changed, type_of_all


def fits_something(node: Schema, path: str) -> Result:
    """Refuse what no value fits: a dialect without ``not`` would show it as something that can be given."""
    if "not" in node and (node["not"] is True or node["not"] == {}):
        message, hint = "nothing fits here: every value is refused", "leave it out, or say what it takes"
        raise RefusedError(Problem(code="nothing_fits", path=path, message=message, hint=hint))
    return node, []


def split_types(*, scalars: bool) -> Rewrite:
    """Return the rewrite that makes a list of types an ``anyOf``: each list, or only one with a list or record in it."""

    def rewrite(schema: Schema, path: str) -> Result:
        notes: list[Note] = []

        def visit(node: Any, where: str) -> Any:
            if not isinstance(node, Mapping):
                return node
            kinds = [k for k in types_of(node) if k != "null"]
            if "number" in kinds and "integer" in kinds:
                kinds.remove("integer")
                node = {**node, "type": [k for k in types_of(node) if k != "integer"]}
            if len(kinds) > 1 and (scalars or "object" in kinds or "array" in kinds) and where != path:
                node = _split(node)
                notes.append(
                    changed("types_split", where, kinds, None, f"{listing(kinds, last='or')} stand side by side")
                )
            return rebuilt(node, lambda child, pointer: visit(child, below(where, pointer)))

        return visit(schema, path), notes

    return rewrite


def one_type_each(node: Schema, path: str) -> Result:  # noqa: ARG001 - all rewrites have one signature
    """Write a list of types as an ``anyOf``, null too: the vendor's own helper knows one type a node."""
    if len(types_of(node)) < 2:  # noqa: PLR2004 - a list of types
        return node, []
    return _split(node), []


def _split(node: Schema) -> dict[str, Any]:
    outer = {k: v for k, v in node.items() if k in REMARKS or k == WAS}
    rest = {k: v for k, v in node.items() if k not in outer and k != "type"}
    branches = []
    for kind in types_of(node):
        foreign = frozenset().union(*BY_TYPE.values()) - BY_TYPE.get(kind, frozenset())
        branch = {"type": kind, **{k: v for k, v in rest.items() if k not in foreign and (k != MARK or kind != "null")}}
        if "enum" in rest:
            branch["enum"] = [
                v for v in rest["enum"] if kind_of(v) == kind or (kind, kind_of(v)) == ("number", "integer")
            ]
        if branch.get("enum") != []:
            branches.append(branch)
    return {**outer, "anyOf": branches}


def typed(node: Schema, path: str) -> Result:
    """Give a node without ``type`` the type that its other keywords are about."""
    if any(k in node for k in ("type", "anyOf", "oneOf", "allOf", "$ref", "not")):
        return node, []
    if "const" in node or "enum" in node:
        values = [node["const"]] if "const" in node else node["enum"]
        return {"type": type_of_all(values), **node}, []
    kinds = [k for k, keys in BY_TYPE.items() if k != "integer" and not keys.isdisjoint(node)]
    if len(kinds) != 1:
        return node, []
    note = changed("type_added", path, None, kinds[0], f"what has {kinds[0]} keywords is taken to be of that type")
    return {"type": kinds[0], **node}, [note]
