"""References: kept, copied to where they are used, or written out to a stated depth."""

# ruff: noqa: ARG001 - all rewrites have one signature
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..._text import listing
from ...errors import Note, Problem, at
from ...keywords import REMARKS, Schema, rebuilt, target, walk
from ..dialect import RefusedError, Rewrite
from ..limits import MAX_LEVELS, MAX_WRITTEN_OUT, UNROLLED
from ..marks import CUT, below
from .facts import Result, changed
from .merging import merged


def used_definitions(schema: Schema, path: str) -> Result:
    """Leave out the definitions that nothing points to."""
    if "$defs" not in schema:
        return schema, []
    defs, used = schema["$defs"], set[str]()
    waiting: list[Any] = [{k: v for k, v in schema.items() if k != "$defs"}]
    while waiting:
        for name in _names(waiting.pop()):
            if name not in used and name in defs:
                used.add(name)
                waiting.append(defs[name])
    rest = {k: v for k, v in schema.items() if k != "$defs"}
    return ({**rest, "$defs": {n: d for n, d in defs.items() if n in used}} if used else rest), []


def _names(node: Any) -> set[str]:
    return {n["$ref"].split("/")[2] for _, n in walk(node) if str(n.get("$ref", "")).startswith("#/$defs/")}


def recursive_definitions(schema: Schema) -> set[str]:
    """Return the names of the definitions that lead back to themselves."""
    defs = schema.get("$defs", {})
    to = {name: _names(body) & defs.keys() for name, body in defs.items()}
    found = set()
    for name, leads in to.items():
        seen: set[str] = set()
        waiting = list(leads)
        while waiting:
            if (one := waiting.pop()) not in seen:
                seen.add(one)
                waiting += to[one]
        if name in seen:
            found.add(name)
    return found


def refs_alone(schema: Schema, path: str) -> Result:
    """Let nothing stand beside a ``$ref``: what it points to is copied, nearer words win."""
    if "$defs" not in schema:
        return schema, []
    notes: list[Note] = []

    def visit(node: Any, where: str, stack: frozenset[str]) -> Any:
        if not isinstance(node, Mapping):
            return node
        ref = node.get("$ref")
        if isinstance(ref, str):
            beside = {k: v for k, v in node.items() if k != "$ref"}
            body = _pointed(schema, ref)
            chain = isinstance(body, Mapping) and "$ref" in body
            if not beside and not chain:
                return node
            if ref in stack or not isinstance(body, Mapping):
                notes.append(
                    changed("beside_ref", where, beside, None, "what stood beside a recursive '$ref' is left out")
                )
                return {"$ref": ref}
            notes.append(changed("ref_copied", where, ref, None, f"{ref!r} is copied to where it is used"))
            return visit(_laid_over(body, beside), where, stack | {ref})
        return rebuilt(node, lambda child, pointer: visit(child, below(where, pointer), stack))

    return visit(schema, path, frozenset()), notes


def _pointed(root: Schema, ref: str) -> Any:
    try:
        return target(root, ref)
    except LookupError:
        return None


def _laid_over(body: Schema, beside: dict[str, Any]) -> dict[str, Any]:
    if not beside or set(beside) <= REMARKS or "$ref" in body:
        return {**body, **beside}
    both = merged(body, beside)
    return {**body, **{k: v for k, v in beside.items() if k in REMARKS}, "allOf": [beside]} if both is None else both


def written_out(schema: Schema, path: str) -> Result:
    """Copy each definition to where it is used; a recursion is written out three deep, and deeper as JSON text."""
    return _written_out(schema, path, lambda _: True)


def recursion_written_out(fits: Callable[[Schema], bool]) -> Rewrite:
    """Return the rewrite that does so only where there is a recursion, as deep as *fits*; other references stay."""

    def rewrite(schema: Schema, path: str) -> Result:
        return _written_out(schema, path, fits) if recursive_definitions(schema) else (schema, [])

    return rewrite


def _written_out(schema: Schema, path: str, fits: Callable[[Schema], bool]) -> Result:
    if "$defs" not in schema:
        return schema, []
    looping = recursive_definitions(schema)
    depth, out = _written_as_deep(schema, fits, UNROLLED if looping else 1)
    notes = []
    for name in sorted(looping):
        message = f"{name!r} holds itself: it is written out {depth} deep, and what lies deeper is given as JSON text"
        notes.append(changed("recursion_written_out", path, {"$ref": f"#/$defs/{name}"}, None, message))
    if plain := sorted(schema["$defs"].keys() - looping):
        notes.append(
            changed(
                "ref_copied",
                path,
                None,
                None,
                f"{listing(plain)} copied to where it is used"
                if len(plain) == 1
                else f"{listing(plain)} copied to where they are used",
            )
        )
    return out, notes


def _written_as_deep(schema: Schema, fits: Callable[[Schema], bool], deepest: int) -> tuple[int, Schema]:
    """Return the deepest of the forms that fit, or the flattest."""
    for depth in range(deepest, 1, -1):
        try:
            out = _Writer(schema, depth).written()
        except RefusedError:
            continue
        if fits(out):
            return depth, out
    return 1, _Writer(schema, 1).written()


class _Writer:
    """Writes references out, and stops at a bounded size."""

    def __init__(self, root: Schema, depth: int) -> None:
        self._root, self._depth, self._size = root, depth, 0

    def written(self) -> dict[str, Any]:
        plain = {k: v for k, v in self._root.items() if k != "$defs"}
        out: dict[str, Any] = self._copy(plain, (), 0)
        return out

    def _copy(self, node: Any, stack: tuple[str, ...], level: int) -> Any:
        if not isinstance(node, Mapping):
            return node
        self._size += 1
        if self._size > MAX_WRITTEN_OUT or level > MAX_LEVELS:
            raise _too_much(level)
        ref = node.get("$ref")
        if not isinstance(ref, str):
            return rebuilt(node, lambda child, _: self._copy(child, stack, level + 1))
        if stack.count(ref) >= self._depth:
            return {**{k: v for k, v in node.items() if k in ("$ref", "description")}, CUT: True}
        beside = {k: v for k, v in node.items() if k != "$ref"}
        body = _pointed(self._root, ref)
        if not isinstance(body, Mapping):
            return _laid_over({} if body is not False else {"not": {}}, beside)
        return self._copy(_laid_over(body, beside), (*stack, ref), level + 1)


def _too_much(level: int) -> RefusedError:
    deep = level > MAX_LEVELS
    what = f"{MAX_LEVELS} levels" if deep else f"{MAX_WRITTEN_OUT} nodes"
    return RefusedError(
        Problem(
            code="too_deep" if deep else "too_big",
            path="$",
            message=f"with its references written out the schema has more than {what}",
            hint="make the definitions smaller, or choose a dialect that keeps references",
        )
    )


def recursion_optional(schema: Schema, path: str) -> Result:
    """Let a recursion run only through fields that may be left out."""
    looping = recursive_definitions(schema)
    if not looping:
        return schema, []
    notes: list[Note] = []

    def visit(node: Any, where: str) -> Any:
        if not isinstance(node, Mapping):
            return node
        needed = node.get("required", ())
        if isinstance(node.get("properties"), Mapping):
            inside = where.startswith("#")  # a definition: what only leads to one may stay required
            freed = [n for n in needed if inside and _names(node["properties"].get(n)) & looping]
            for name in freed:
                message = f"{name!r} leads to a recursion, so it may be left out here; decoding asks for it"
                notes.append(changed("recursion_optional", at(where, name), True, False, message))
            node = {**node, "required": [n for n in needed if n not in freed]} if freed else node
        return rebuilt(node, lambda child, pointer: visit(child, below(where, pointer)))

    return visit(schema, path), notes
