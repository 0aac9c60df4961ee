"""One schema for what two schemas accept both: ``allOf``, and what stands beside a union."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...errors import Note
from ...keywords import REMARKS, Schema, followed, rebuilt, types_of
from ...node import json_key
from ..marks import below
from ..words import phrase
from .facts import Result, changed, tell

_LARGER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"})
_SMALLER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"})
_BESIDE_UNION = REMARKS | {"anyOf", "oneOf", "$defs"}


def merged(a: Schema, b: Schema) -> dict[str, Any] | None:
    """Return a schema of the values that both *a* and *b* accept; ``None`` where no one schema says it.

    What stands in *b* is nearer: of two descriptions or defaults it is the one kept.
    """
    out: dict[str, Any] = dict(a)
    for key, value in b.items():
        if key not in out or json_key(out[key]) == json_key(value):
            out[key] = value
            continue
        step = _STEPS.get(key)
        if step is not None:
            both = step(out[key], value)
            if both is None:
                return None
            out[key] = both
        elif key in REMARKS:
            out[key] = value
        else:
            return None
    return _agreeing(a, b, out)


def _agreeing(a: Schema, b: Schema, out: dict[str, Any]) -> dict[str, Any] | None:
    """Take out of a merged record what a closed half forbids, and out of its enum what the other half does."""
    if "properties" in out:
        kept = {n: s for n, s in out["properties"].items() if _allows(a, n) and _allows(b, n)}
        if any(n not in kept for n in out.get("required", ()) if n in out["properties"]):
            return None
        out["properties"] = kept
    if any(not _allows(half, n) for half in (a, b) for n in out.get("required", ())):
        return None
    if "const" in out and "enum" in out:
        if json_key(out["const"]) not in {json_key(v) for v in out["enum"]}:
            return None
        del out["enum"]
    return out


def _allows(half: Schema, name: str) -> bool:
    return (
        name in half.get("properties", ())
        or half.get("additionalProperties") is not False
        or "patternProperties" in half
    )


def _types(a: Any, b: Any) -> Any:
    left, right = types_of({"type": a}), types_of({"type": b})
    both = [k for k in left if k in right or (k == "integer" and "number" in right)]
    both += [k for k in right if k == "integer" and "number" in left and k not in left]
    if not both:
        return None
    return both[0] if len(both) == 1 else both


def _named(a: Any, b: Any) -> Any:
    out = dict(a)
    for name, node in b.items():
        both = _nodes(out[name], node) if name in out else node
        if both is None:
            return None
        out[name] = both
    return out


def _nodes(a: Any, b: Any) -> Any:
    if isinstance(a, bool):
        return b if a else False
    if isinstance(b, bool):
        return a if b else False
    return merged(a, b)


def _common(a: Any, b: Any) -> Any:
    keys = {json_key(v) for v in b}
    return [v for v in a if json_key(v) in keys] or None


_STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "properties": _named,
    "required": lambda a, b: list(dict.fromkeys([*a, *b])),
    "enum": _common,
    "items": _nodes,
    "additionalProperties": _nodes,
    "propertyNames": _nodes,
    "uniqueItems": lambda a, b: a or b,
    "$defs": lambda a, b: {**a, **b},
    **dict.fromkeys(_LARGER, max),
    **dict.fromkeys(_SMALLER, min),
}


def merged_all_of(schema: Schema, path: str) -> Result:
    """Write each ``allOf`` as one schema; what cannot be merged is told in words."""
    notes: list[Note] = []

    def visit(node: Any, where: str, stack: frozenset[str]) -> Any:
        if not isinstance(node, Mapping):
            return node
        if "allOf" in node:
            node = _one_of_all(schema, node, where, stack, notes, visit)
        return rebuilt(node, lambda child, pointer: visit(child, below(where, pointer), stack))

    return visit(schema, path, frozenset()), notes


def _one_of_all(
    root: Schema, node: Schema, path: str, stack: frozenset[str], notes: list[Note], visit: Callable[..., Any]
) -> dict[str, Any]:
    out: dict[str, Any] = {k: v for k, v in node.items() if k != "allOf"}
    left: list[Any] = []
    for part in node["allOf"]:
        if part is True:
            continue
        ref = part.get("$ref") if isinstance(part, Mapping) else None
        body = part if ref is None or ref in stack else _body(root, part)
        if not isinstance(body, Mapping) or "$ref" in body:
            left.append(part)
            continue
        inner = visit(body, path, stack | {ref} if ref else stack)
        # the parts come first, so that what stands beside them is nearer
        both = merged(inner, out)
        if both is None:
            left.append(part)
        else:
            out = both
    if left:
        out = tell(out, phrase("allOf", left), path)
    message = "'allOf' is written as one schema" + (", what is left of it in words" if left else "")
    notes.append(changed("all_of_merged", path, node["allOf"], None, message))
    return out


def _body(root: Schema, node: Schema) -> Any:
    found = followed(root, node)
    return {k: v for k, v in found.items() if k != "$defs"} if isinstance(found, Mapping) else found


def unions_alone(schema: Schema, path: str) -> Result:
    """Put what stands beside a union into each of its branches; a branch that then fits nothing is left out."""
    notes: list[Note] = []

    def visit(node: Any, where: str) -> Any:
        if not isinstance(node, Mapping):
            return node
        key = next((k for k in ("anyOf", "oneOf") if k in node), None)
        beside = {k: v for k, v in node.items() if k not in _BESIDE_UNION and not k.startswith("\0")}
        if key is not None and beside:
            node = _spread(schema, node, key, beside, where, notes)
        return rebuilt(node, lambda child, pointer: visit(child, below(where, pointer)))

    return visit(schema, path), notes


def _spread(
    root: Schema, node: Schema, key: str, beside: dict[str, Any], path: str, notes: list[Note]
) -> Mapping[str, Any]:
    branches = []
    for branch in node[key]:
        body = _body(root, branch) if isinstance(branch, Mapping) else branch
        both = _nodes(beside, body)
        if isinstance(both, Mapping):
            branches.append(both)
    rest = {k: v for k, v in node.items() if k not in beside and k != key}
    if not branches:
        message = f"no branch of {key!r} fits what stands beside it: it is told in words"
        notes.append(changed("union_in_words", path, node[key], None, message))
        return tell({k: v for k, v in node.items() if k != key}, phrase(key, node[key]), path)
    message = f"what stood beside {key!r} stands in each branch"
    notes.append(changed("union_alone", path, beside, None, message))
    return {**rest, key: branches}
