"""Records: closed, every field required, legal names, and a place for further keys."""

# ruff: noqa: ARG001 - all rewrites have one signature
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..._text import quoted
from ...errors import Note, Problem, at
from ...keywords import Pointer, Schema, children
from ...validate import validator_of
from ..dialect import RefusedError, Rewrite
from ..marks import AROUND, MARK, marked
from ..names import NameRule, wire_names
from .facts import Result, changed, free_name, is_object, nullable, takes_null
from .texts import as_text

ANY = as_text({}, "any")  # what takes any value, where every node has a type
# keywords whose parts are about the same value as the node that they stand in
BESIDE = frozenset({"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentSchemas"})
EXTRA = "extra"  # the field that takes further keys, where records are closed


def with_properties(node: Schema, path: str) -> Result:
    """Give every object its ``properties``; without the key a model never fills it."""
    if not is_object(node) or "properties" in node:
        return node, []
    return {**node, "properties": {}}, []


def open_said(node: Schema, path: str) -> Result:
    """Say of an object without fields that it is open, where the provider takes silence for closed."""
    if not is_object(node) or "additionalProperties" in node:
        return node, []
    if node.get("properties"):
        return node, [changed("closed", path, None, False, "further keys cannot be given here")]
    return {**node, "additionalProperties": True}, []


def closed(node: Schema, path: str) -> Result:
    """Close an object: what says nothing of further keys takes none."""
    if not is_object(node) or (node.get("additionalProperties") is False and "properties" in node):
        return node, []
    out = {**node, "properties": node.get("properties", {}), "additionalProperties": False}
    if node.get("additionalProperties") is False:
        return out, []
    return out, [changed("closed", path, node.get("additionalProperties"), False, "further keys cannot be given here")]


def extra_fields(node: Schema, path: str) -> Result:
    """Give a record that takes further keys a field for them: a list of key and value."""
    further = node.get("additionalProperties", False)
    if not is_object(node) or further is False or (path != "$" and not node.get("properties")):
        return node, []
    value = further if isinstance(further, Mapping) else ANY
    fields = dict(node.get("properties", {}))
    name = free_name(EXTRA, fields)
    fields[name] = {
        "type": "array",
        "description": "Further keys, each with its value and each key once",
        "items": pairs(value, node.get("propertyNames")),
    }
    rest = {k: v for k, v in node.items() if k != "propertyNames"}
    out = marked({**rest, "properties": fields, "additionalProperties": False}, extra=name)
    return out, [
        changed("extra_keys_listed", path, further, None, f"further keys are given in {quoted(name)}, as a list")
    ]


def undeclared(node: Schema) -> list[str]:
    """Return the keys that the record *node* requires, and that are none of its properties."""
    fields = node.get("properties", ())
    names = [name for name in node.get("required", ()) if name not in fields]
    return names if names and ("properties" in node or is_object(node)) else []


def described_in(node: Schema) -> frozenset[str]:
    """Return the keys that *node* describes for what stands `BESIDE` it."""
    parts = (node, *(b for b in node.get("allOf", ()) if isinstance(b, Mapping)))
    return frozenset(name for part in parts for name in part.get("properties", ())).union(node.get(AROUND, ()))


def undeclared_in(schema: Schema) -> Iterator[tuple[Pointer, str, bool]]:
    """Yield each required key of *schema* that nothing describes: where, its name, and whether it can be given."""
    stack: list[tuple[Pointer, Schema]] = [((), schema)]
    while stack:
        pointer, node = stack.pop()
        for name in undeclared(node):
            possible = further(node, name) is not False
            if not possible or name not in node.get(AROUND, ()):
                yield pointer, name, possible
        inner = [((*pointer, *step), below_it(node, step, part)) for step, part in children(node)]
        stack += [(place, part) for place, part in reversed(inner) if isinstance(part, Mapping)]


def below_it(node: Schema, step: Pointer, part: Any) -> Any:
    """Return the *part* of *node* with what is described around it, where it is about the same record."""
    if step[0] not in BESIDE or not isinstance(part, Mapping):
        return part
    if "properties" not in node and "allOf" not in node and AROUND not in node:  # as most
        return part
    return {**part, AROUND: described_in(node)}


def declared(untyped: Schema) -> Rewrite:
    """Return the rewrite that lists each required key among the properties: providers refuse one that is not there.

    A key of which nothing is said takes what *untyped* takes.
    """

    def rewrite(node: Schema, path: str) -> Result:
        if "required" not in node or not (names := undeclared(node)):
            return node, []
        fields = dict(node.get("properties", {}))
        notes = []
        for name in names:
            if name in node.get(AROUND, ()):
                continue
            found = further(node, name)
            if found is False and path == "$":
                raise RefusedError(never_given(name, path))
            if found is False:  # of a part that a call may do without
                notes.append(changed("required_never", at(path, name), None, None, f"{quoted(name)} cannot be given"))
                continue
            fields[name] = field = dict(found if isinstance(found, Mapping) and found else untyped)
            message = f"{quoted(name)} is required, and so is listed, though nothing describes it"
            notes.append(changed("required_listed", at(path, name), None, field, message))
        return ({**node, "properties": fields}, notes) if notes else (node, [])

    return rewrite


def never_given(name: str, path: str) -> Problem:
    """Return the problem of a record at *path* that requires the key *name*, and takes no such key."""
    message = f"{quoted(name)} is required, and can never be given: the record takes no such key"
    hint = "describe it among the properties, or do not require it"
    return Problem(code="nothing_fits", path=at(path, name), message=message, hint=hint)


def further(node: Schema, name: str) -> Any:
    """Return the schema of a key *name* that is no property of the record *node*; it may be a bool."""
    found = [
        schema
        for pattern, schema in node.get("patternProperties", {}).items()
        if validator_of({"type": "string", "pattern": pattern}).accepts(name)
    ]
    if not found:
        return node.get("additionalProperties", True)
    return False if False in found else found[0] if len(found) == 1 else True


def pairs(value: Any, keys: Any = None) -> dict[str, Any]:
    """Return the record of one key and its value."""
    key = {"type": "string", **(keys if isinstance(keys, Mapping) else {})}
    return {
        "type": "object",
        "properties": {"key": key, "value": value},
        "required": ["key", "value"],
        "additionalProperties": False,
    }


def all_required(node: Schema, path: str) -> Result:
    """Require every field; one that may be left out may be null instead."""
    fields = node.get("properties", {})
    if not is_object(node):
        return node, []
    needed = node.get("required", ())
    notes = []
    out = dict(fields)
    for name, field in fields.items():
        if name in needed:
            continue
        out[name] = nullable(field)
        before, after = field.get("type"), out[name].get("type")
        if takes_null(field):
            message = f"null for {quoted(name)} now means that it is left out; as a value it cannot be given"
            notes.append(changed("null_is_left_out", at(path, name), before, after, message))
        else:
            message = f"{quoted(name)} may be left out, which is written as null"
            notes.append(changed("null_for_left_out", at(path, name), before, after, message))
    optional = tuple(n for n in fields if n not in needed)
    rest = {**node, "properties": out, "required": list(fields)}
    return (marked(rest, optional=optional) if optional else rest), notes


def legal_names(rule: NameRule, *, nested: bool) -> Rewrite:
    """Return the rewrite that gives fields names of *rule*: of the root, or of every record."""

    def rewrite(node: Schema, path: str) -> Result:
        fields = node.get("properties")
        if not isinstance(fields, Mapping) or not (nested or path == "$") or all(map(rule.legal, fields)):
            return node, []
        wire = wire_names(fields, rule)
        notes: list[Note] = [
            changed("field_renamed", at(path, old), old, new, f"{quoted(old)} is called {quoted(new)} on the wire")
            for old, new in wire.items()
            if old != new
        ]
        out = dict(node)
        out["properties"] = {wire[name]: field for name, field in fields.items()}
        if "required" in node:
            out["required"] = [wire.get(n, n) for n in node["required"]]
        for key in ("dependentRequired", "dependentSchemas"):
            if key in node:
                out[key] = {wire.get(n, n): _renamed(v, wire) for n, v in node[key].items()}
        facts = node.get(MARK, {})
        if "extra" in facts:
            out = marked(out, extra=wire[facts["extra"]])
        return marked(out, names={new: old for old, new in wire.items() if old != new}), notes

    return rewrite


def _renamed(value: Any, wire: Mapping[str, str]) -> Any:
    return [wire.get(n, n) for n in value] if isinstance(value, list) else value
