"""What a node is about: a type for each, one type at a time, no bare ``true`` and ``false``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..._text import listing
from ...errors import Note, Problem, at
from ...keywords import REMARKS, Pointer, Schema, children, definition_in, kind_of, rebuilt, types_of
from ..dialect import RefusedError, Rewrite
from ..marks import MARK, WAS, below
from .facts import BY_TYPE, Result, changed, type_of_all
from .objects import further, undeclared


def no_booleans(schema: Schema, path: str) -> Result:
    """Write the schemas ``true`` and ``false`` as objects; a field that can never be given is left out.

    What refuses everything in another spelling is ``false`` too.
    """
    notes: list[Note] = []
    refused = _refused_definitions(schema)

    def never(node: Any) -> bool:
        return is_never(node) or _leads_to(node, refused)

    def part(child: Any, pointer: Pointer, where: str) -> Any:
        if never(child):
            child = False
        if isinstance(child, Mapping):
            return visit(child, below(where, pointer))
        if _may_be_bare(pointer, child):
            return child
        return {} if child else {"not": {}}

    def visit(node: Schema, where: str) -> dict[str, Any]:
        out = rebuilt(node, lambda child, pointer: part(child, pointer, where))
        return _without(out, node, where, notes, lambda part: never(part) or asks_the_impossible(part))

    if not _has_booleans(schema):
        return schema, notes
    out = visit(schema, path)
    if refused:  # nothing leads there any more
        out["$defs"] = {n: d for n, d in out["$defs"].items() if n not in refused}
    return out, notes


def _without(
    out: dict[str, Any], node: Schema, where: str, notes: list[Note], barred: Callable[[Any], bool]
) -> dict[str, Any]:
    """Leave the branches and the optional fields of *node* that are *barred* out of what is made of it."""
    out = _with_branches_that_fit(out, node, barred)
    gone = [n for n, s in node.get("properties", {}).items() if barred(s) and n not in node.get("required", ())]
    for name in gone:
        del out["properties"][name]
        notes.append(changed("field_never", at(where, name), False, None, f"{name!r} can never be given"))
    return out


def _with_branches_that_fit(out: dict[str, Any], node: Schema, never: Callable[[Any], bool]) -> dict[str, Any]:
    for key in ("anyOf", "oneOf"):
        if not any(never(b) for b in node.get(key, ())):
            continue
        left = [b for b, old in zip(out[key], node[key], strict=True) if not never(old)]
        out = {**out, key: left} if left else {**{k: v for k, v in out.items() if k != key}, "not": {}}
    return out


def _may_be_bare(pointer: Pointer, child: Any) -> bool:
    """Tell whether a bare schema stays: closing an object or a list is a matter of its own."""
    return pointer[0] in ("additionalProperties", "unevaluatedProperties") or (pointer[0] == "items" and not child)


def _has_booleans(node: Any) -> bool:
    stack: list[Any] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, bool):
            return True
        # nearly every node is told by two keys that it has not
        if ("not" in current or "required" in current) and (is_never(current) or asks_the_impossible(current)):
            return True
        for pointer, child in children(current):
            if isinstance(child, Mapping) or not _may_be_bare(pointer, child):
                stack.append(child)
    return False


def _refused_definitions(schema: Schema) -> frozenset[str]:
    """Return the names of the definitions that nothing fits, also where one only leads to another."""
    definitions = schema.get("$defs", {})
    found: frozenset[str] = frozenset()
    while True:
        more = frozenset(n for n, d in definitions.items() if is_never(d) or _leads_to(d, found))
        if more == found:
            return found
        found = more


def _leads_to(node: Any, names: frozenset[str]) -> bool:
    ref = node.get("$ref") if names and isinstance(node, Mapping) else None
    return isinstance(ref, str) and definition_in(ref) in names


def is_never(node: Any) -> bool:
    """Tell whether *node* refuses every value, and says so outright."""
    if isinstance(node, Mapping):
        return "not" in node and (node["not"] is True or node["not"] == {}) and node.keys() - REMARKS == {"not"}
    return node is False


def asks_the_impossible(node: Any) -> bool:
    """Tell whether *node* is a record that requires a key which it takes none of."""
    if not isinstance(node, Mapping) or node.get("additionalProperties") is not False or node.get("type") != "object":
        return False
    return any(further(node, name) is False for name in undeclared(node))


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
