"""The root of a schema: an object of its own, without combinators."""

# ruff: noqa: ARG001 - all rewrites have one signature
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._text import quoted
from ...errors import Note, Problem
from ...keywords import Schema, followed, types_of
from ...node import json_key
from ..dialect import RefusedError, Rewrite
from ..words import phrase
from .facts import Result, changed, tell, type_of_all
from .merging import merged, merged_all_of
from .objects import declared
from .types import fits_something

# what providers refuse at a root, one family after the other
COMBINATORS = ("anyOf", "oneOf", "allOf")
VALUES = ("enum", "const", "not")
CONDITIONS = ("if", "then", "else")


def root_object(schema: Schema, path: str) -> Result:
    """Make the root an object with ``properties``; where it is a ``$ref``, copy what it points to."""
    notes: list[Note] = []
    if "$ref" in schema:
        found = followed(schema, {k: v for k, v in schema.items() if k not in ("$defs", "$schema", "$id")})
        if not isinstance(found, Mapping) or "$ref" in found:
            raise _no_object(schema, path)
        kept = {k: schema[k] for k in ("$schema", "$id") if k in schema}
        notes.append(
            changed("root_copied", path, schema["$ref"], None, f"{quoted(schema['$ref'])} is copied to the root")
        )
        schema = {**kept, **{k: v for k, v in found.items() if k != "$defs"}, "$defs": schema.get("$defs", {})}
    if schema.get("type") == "object":
        return schema, notes
    kinds = types_of(schema)
    if (kinds and "object" not in kinds) or _refuses_objects(schema):
        raise _no_object(schema, path)
    if kinds:
        notes.append(changed("root_object", path, list(kinds), "object", "the root is an object, and nothing else"))
    return {"type": "object", **{k: v for k, v in schema.items() if k != "type"}}, notes


def with_properties(schema: Schema, path: str) -> Result:
    """Give the root its ``properties``, empty where it has none."""
    return (schema if "properties" in schema else {**schema, "properties": {}}), []


def with_required_properties(schema: Schema, path: str) -> Result:
    """Give the root its ``properties``: none where it has none, and one for each key that it requires."""
    out, _ = with_properties(schema, path)
    return _DECLARED(out, path) if "required" in out else (out, [])


_DECLARED = declared({})


def _refuses_objects(schema: Schema) -> bool:
    values = [schema["const"]] if "const" in schema else schema.get("enum", ())
    return bool(values) and not any(isinstance(v, Mapping) for v in values)


def _no_object(schema: Schema, path: str) -> RefusedError:
    shown = quoted({k: v for k, v in schema.items() if k in ("type", "$ref", "enum", "const")})
    return RefusedError(
        Problem(
            code="root_not_object",
            path=path,
            message=f"the arguments are {shown}, and a tool takes an object",
            hint="make it one argument of a record",
        )
    )


def root_without(*keywords: str) -> Rewrite:
    """Return the rewrite that takes *keywords* off the root: unions of records become one record, the rest is told."""

    def rewrite(schema: Schema, path: str) -> Result:
        found = [k for k in keywords if k in schema]
        if not found:
            return schema, []
        notes: list[Note] = []
        if "allOf" in found:
            rest = {k: v for k, v in schema.items() if k not in ("anyOf", "oneOf")}
            unions = {k: v for k, v in schema.items() if k in ("anyOf", "oneOf")}
            one, notes = merged_all_of(rest, path)
            schema = {**one, **unions}
        for key in ("anyOf", "oneOf"):
            if key in found and key in schema:
                schema, more = _flattened(schema, key, path)
                notes += more
        for key in found:
            if key in schema:
                fits_something({key: schema[key]}, path)
                words = phrase(key, schema[key])
                notes.append(changed("root_combinator", path, {key: schema[key]}, None, f"{key!r} is told in words"))
                schema = tell({k: v for k, v in schema.items() if k != key}, words, path)
        return schema, notes

    return rewrite


def _flattened(schema: Schema, key: str, path: str) -> Result:
    """Write a union of records at the root as one record, with words on what goes together."""
    bodies = [_record(schema, branch) for branch in schema[key]]
    rest = {k: v for k, v in schema.items() if k not in (key, "discriminator")}
    words = phrase(key, schema[key])
    if any(bodies):
        rest |= _one_record(rest, bodies)
    if any(b.get("properties") for b in bodies):
        words = _together(bodies, key)
    message = f"{key!r} at the root is written as one record; what goes together is told in words"
    note = changed("root_flattened", path, {key: schema[key]}, None, message)
    return tell(rest, words, path), [note]


def _one_record(rest: Schema, bodies: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the fields of all *bodies* with those of *rest*; required is what each of them requires."""
    own = dict(rest.get("properties", {}))
    for name in dict.fromkeys(n for b in bodies for n in b.get("properties", {})):
        given = [b["properties"][name] for b in bodies if name in b.get("properties", {})]
        if name not in own:
            own[name] = _either(given)
        elif len(given) == len(bodies):  # else a branch that does not speak of it leaves it as it is
            own[name] = _both(_either(given), own[name])
    needed = set(bodies[0].get("required", ())).intersection(*(b.get("required", ()) for b in bodies))
    out: dict[str, Any] = {"properties": own}
    wanted = (*rest.get("required", ()), *(n for n in bodies[0].get("required", ()) if n in needed))
    if required := [*(n for n in own if n in wanted), *dict.fromkeys(n for n in wanted if n not in own)]:
        out["required"] = required
    if all(b.get("additionalProperties") is False for b in bodies):
        out["additionalProperties"] = False
    return out


def _both(branch: Any, own: Any) -> Any:
    if not isinstance(branch, Mapping) or not isinstance(own, Mapping) or "anyOf" in branch:
        return own
    return merged(branch, own) or own


def _record(root: Schema, branch: Any) -> dict[str, Any]:
    """Return what *branch* of a root union says of its fields; nothing where it is about something else."""
    found = followed(root, branch)
    if not isinstance(found, Mapping) or types_of(found) not in ((), ("object",)):
        return {}
    one, _ = merged_all_of({**found, "$defs": root.get("$defs", {})}, "$")
    return {k: one[k] for k in ("properties", "required", "additionalProperties") if k in one}


def _either(nodes: list[Any]) -> Any:
    distinct = list({json_key(n): n for n in nodes}.values())
    if len(distinct) == 1:
        return distinct[0]
    if all(map(_is_const, distinct)):
        values = [n["const"] for n in distinct]
        return {"type": type_of_all(values), "enum": values}
    return {"anyOf": distinct}


def _together(bodies: list[dict[str, Any]], key: str) -> str:
    told = []
    for body in bodies:
        fields = body.get("properties", {})
        fixed = [
            f"{n} {phrase('const', s['const'])}" for n, s in fields.items() if isinstance(s, Mapping) and "const" in s
        ]
        free = [n if n in body.get("required", ()) else f"{n} (optional)" for n in fields if not _is_const(fields[n])]
        told.append(", ".join([*fixed, *free]) or "nothing")
    lead = "Give the fields of exactly one of these" if key == "oneOf" else "Give the fields of one of these"
    return f"{lead}: {'; '.join(told)}"


def _is_const(node: Any) -> bool:
    return isinstance(node, Mapping) and "const" in node
