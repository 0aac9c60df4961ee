"""`arg_schema`: a hand-written JSON Schema, taken as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain, count
from typing import Any

from ._text import quoted
from .errors import InvalidArgTypeError
from .keywords import MAX_TEXT, Pointer, definition_in, definition_ref, rebuilt, target, walk
from .node import ArgType
from .validate import schema_problems
from .validate.scan import is_utf8
from .validate.schema import cure_of_no_schema


def arg_schema(
    node_or_json_text: Mapping[str, Any] | str,
    *,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a hand-written JSON Schema (draft 2020-12), kept loss-free.

    The type accepts exactly what the schema accepts: unknown keywords stay,
    and an object without ``additionalProperties`` stays open. A field is
    required when its parent's ``required`` list says so; ``x-error`` becomes
    the attribute `error`. A ``$ref`` to a place other than ``$defs`` is made
    one to ``$defs``, so that the type can be a part of another.

    Args:
        node_or_json_text: The schema as a mapping, or as JSON text of at most 4 MiB.
        description: Replaces the description in the schema.
        required: Whether a record needs it as a field.
        error: The author's failure text.

    Raises:
        InvalidArgTypeError: It is no valid schema, is nested deeper than 100
            levels, has a pattern that does not compile, or a ``$ref`` that
            leads out of the document or nowhere; nothing is ever fetched.
    """
    check_marks(description, required, error)
    node = _parsed(node_or_json_text)
    typed = node if isinstance(node, ArgType) else _imported(node)
    if description is not None:
        typed = with_description(typed, description)
    return typed.with_(required=required, error=error)


def _imported(node: Mapping[str, Any]) -> ArgType:
    problems = schema_problems(node)
    if all(p.code == "ref_unresolved" for p in problems) and _has_types_with_definitions(node):
        node = ArgType(node)  # what the references of a part mean is known to that part alone
        problems = schema_problems(node)
    if problems:
        raise InvalidArgTypeError(problems, "JSON Schema")
    return _typed(_with_refs_to_definitions(dict(node)))


def _has_types_with_definitions(node: Mapping[str, Any]) -> bool:
    return any(isinstance(part, ArgType) and "$defs" in part for _, part in walk(node))


def check_marks(description: object, required: object, error: object) -> None:
    """Check what all types take beside their bounds.

    Raises:
        InvalidArgTypeError: A text is none, or a yes or no is neither.
    """
    if description is not None and not is_utf8(description):
        raise InvalidArgTypeError(f"a description is a text, not {quoted(description)}")
    if required is not None and not isinstance(required, bool):
        raise InvalidArgTypeError(f"required is True or False, not {quoted(required)}")
    if error is not None and not is_utf8(error):
        raise InvalidArgTypeError(f"an error text is a text, not {quoted(error)}")


def with_description(node: ArgType, text: str) -> ArgType:
    """Return *node* with *text* as its description, written right after its type."""
    out: dict[str, Any] = {}
    if "type" in node:
        out["type"] = node["type"]
    out["description"] = text
    return ArgType(
        {**out, **{k: v for k, v in node.items() if k not in ("type", "description")}},
        required=node.required,
        error=node.error,
    )


def _parsed(given: Mapping[str, Any] | str) -> Mapping[str, Any]:
    node: Any = given
    if isinstance(given, str):
        if len(given) > MAX_TEXT:
            raise InvalidArgTypeError(f"the schema is {len(given)} characters long; at most {MAX_TEXT} are read")
        try:
            node = json.loads(given, object_pairs_hook=unrepeated)
        except (ValueError, RecursionError) as reason:
            raise InvalidArgTypeError(f"the schema is no JSON: {reason}") from None
    if isinstance(node, bool):
        return {} if node else {"not": {}}
    if not isinstance(node, Mapping):
        raise InvalidArgTypeError.of(f"a schema is an object, not {type(node).__name__}", hint=cure_of_no_schema(node))
    return node


def unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of *pairs*, as a reader of JSON text hands them over.

    Raises:
        ValueError: A key stands twice: who wrote the text did not say which value is meant.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # it adds
        raise ValueError(f"key {quoted(twice)} stands twice in one object")
    return found


def _typed(node: Mapping[str, Any], *, required: bool | None = None) -> ArgType:
    """Make *node* and its parts types, with the facts that JSON can only write beside them."""
    needed = node.get("required")

    def part(child: Any, pointer: tuple[str | int, ...]) -> Any:
        if not isinstance(child, Mapping):
            return child
        if pointer[0] == "properties" and "properties" in node:
            return _typed(child, required=isinstance(needed, list | tuple) and pointer[1] in needed)
        return _typed(child)

    out = rebuilt(node, part)
    error = getattr(node, "error", None)
    if error is None and isinstance(out.get("x-error"), str):
        error = out.pop("x-error")
    return ArgType(out, required=required, error=error)


def _with_refs_to_definitions(root: dict[str, Any]) -> dict[str, Any]:
    """Give each place that a local ``$ref`` names a definition of its own on top, and point there.

    Definitions that stand elsewhere move there too: below the top they would
    belong to a part, and a part may be taken out.
    """
    refs = {n["$ref"] for _, n in walk(root) if isinstance(n.get("$ref"), str)}
    places = {ref: target(root, ref) for ref in sorted(refs) if definition_in(ref) is None}
    nested = [
        body for pointer, node in walk(root) for key, body in _definitions(node) if pointer or key == "definitions"
    ]
    if not places and not nested:
        return root
    defs: dict[str, Any] = dict(root.get("$defs", {}))
    names: dict[int, str] = {id(body): name for name, body in defs.items()}
    for name, body in [*((name, body) for group in nested for name, body in group.items()), *_named(places)]:
        if id(body) not in names:
            names[id(body)] = free = _free(name, defs)
            # the address of the whole document is none of its parts
            defs[free] = {k: v for k, v in root.items() if k not in ("$id", "$schema")} if body is root else body
    renamed = {ref: definition_ref(names[id(found)]) for ref, found in places.items()}

    def pointed(node: Any, pointer: Pointer) -> Any:
        if not isinstance(node, Mapping):
            return node
        below = {k: v for k, v in node.items() if not pointer or k not in ("$defs", "definitions")}
        out = rebuilt(below, pointed)
        if out.get("$ref") in renamed:
            out["$ref"] = renamed[out["$ref"]]
        return out

    rest = {k: v for k, v in root.items() if k not in ("$defs", "definitions")}
    moved: dict[str, Any] = pointed({**rest, "$defs": defs}, ())
    return moved


def _definitions(node: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for key in ("$defs", "definitions"):
        if isinstance(group := node.get(key), Mapping):
            yield key, group


def _named(places: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for ref, found in places.items():
        yield ref.rstrip("/").rpartition("/")[2].lstrip("#") or "root", found


def _free(name: str, taken: Mapping[str, Any]) -> str:
    return next(n for n in chain([name], (f"{name}_{i}" for i in count(2))) if n not in taken)
