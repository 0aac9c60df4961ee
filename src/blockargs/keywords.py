"""Where schemas sit inside a JSON Schema (draft 2020-12), and what a local ``$ref`` points to.

A walker that asks here never takes an argument called ``properties`` or
``items`` for the keyword of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]  # a node; its values are any JSON
Pointer = tuple[str | int, ...]

ONE = frozenset(
    "items contains additionalProperties propertyNames not if then else "
    "unevaluatedItems unevaluatedProperties contentSchema".split()
)
MANY = frozenset({"prefixItems", "anyOf", "oneOf", "allOf"})
NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"})
WITH_PARTS = ONE | MANY | NAMED  # what may hold further schemas
# keywords that say nothing about which values are valid
REMARKS = frozenset(
    "title description default deprecated readOnly writeOnly examples $comment $schema $id "
    "contentMediaType contentEncoding discriminator".split()
)
MAX_DEPTH = 100  # levels of schemas, lists and objects inside one another
MAX_TEXT = 4 * 1024 * 1024  # characters, or bytes, of one text that is read: a reply, a file, a message


def children(node: Schema) -> Iterator[tuple[Pointer, Any]]:
    """Yield ``(pointer, schema)`` for each schema directly inside *node*; a schema may be a bool."""
    for key, value in node.items():
        if key in ONE:
            if isinstance(value, Mapping | bool):
                yield (key,), value
        elif key in MANY:
            if isinstance(value, list | tuple):
                for index, child in enumerate(value):
                    yield (key, index), child
        elif key in NAMED and isinstance(value, Mapping):
            for name, child in value.items():
                yield (key, name), child


def rebuilt(node: Schema, change: Callable[[Any, Pointer], Any]) -> dict[str, Any]:
    """Return a copy of *node* whose direct sub-schemas are ``change(schema, pointer)``."""
    out: dict[str, Any] = {}
    for key, value in node.items():
        if key in ONE and isinstance(value, Mapping | bool):
            out[key] = change(value, (key,))
        elif key in MANY and isinstance(value, list | tuple):
            out[key] = [change(child, (key, index)) for index, child in enumerate(value)]
        elif key in NAMED and isinstance(value, Mapping):
            out[key] = {name: change(child, (key, name)) for name, child in value.items()}
        else:
            out[key] = value
    return out


def walk(node: Any) -> Iterator[tuple[Pointer, Schema]]:
    """Yield ``(pointer, schema)`` for *node* and every object schema in it, parents first.

    Iterative, so that no depth of nesting can end it.
    """
    stack: list[tuple[Pointer, Any]] = [((), node)]
    while stack:
        pointer, current = stack.pop()
        if isinstance(current, Mapping):
            yield pointer, current
            inner = [((*pointer, *step), child) for step, child in children(current)]
            stack.extend(reversed(inner))


def is_local(ref: str) -> bool:
    """Tell whether *ref* points into its own document."""
    return ref.startswith("#")


def definition_in(ref: str) -> str | None:
    """Return the name in *ref* where it is ``#/$defs/<name>`` and goes no deeper, else ``None``."""
    if not ref.startswith("#/$defs/") or ref.count("/") != 2:  # noqa: PLR2004 - "#", keyword, name
        return None
    return _unescaped(_decoded(ref[len("#/$defs/") :]))


def definition_ref(name: str) -> str:
    """Return the ``$ref`` to the definition *name*, escaped as JSON Pointer and URI ask."""
    from urllib.parse import quote  # noqa: PLC0415 - seldom needed

    return f"#/$defs/{quote(name.replace('~', '~0').replace('/', '~1'), safe='!$&()*+,;=:@~')}"


def target(root: Schema, ref: str) -> Any:
    """Return what the local *ref* points to in *root*.

    Raises:
        LookupError: *ref* is not local, or nothing is there.
    """
    if not is_local(ref):
        raise LookupError(ref)
    fragment = _decoded(ref[1:])
    if fragment and not fragment.startswith("/"):
        for _, node in walk(root):
            if node.get("$anchor") == fragment:
                return node
        raise LookupError(ref)
    current: Any = root
    for token in fragment.split("/")[1:]:
        key = _unescaped(token)
        if isinstance(current, Mapping) and key in current:
            current = current[key]
        elif isinstance(current, list | tuple) and key.isdecimal() and int(key) < len(current):
            current = current[int(key)]
        else:
            raise LookupError(ref)
    return current


def _decoded(fragment: str) -> str:
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote  # noqa: PLC0415 - seldom needed

    return unquote(fragment)


def _unescaped(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~")


def followed(root: Schema, node: Any) -> Any:
    """Return *node*, or where its chain of ``$ref`` ends; keywords beside a ``$ref`` are laid over it.

    A chain that bites its own tail, or leads nowhere, ends where it stands.
    """
    seen: set[str] = set()
    while isinstance(node, Mapping) and isinstance(ref := node.get("$ref"), str) and ref not in seen:
        seen.add(ref)
        try:
            found = target(root, ref)
        except LookupError:
            return node
        beside = {k: v for k, v in node.items() if k != "$ref"}
        node = {**found, **beside} if beside and isinstance(found, Mapping) else found
    return node


def types_of(node: Schema) -> tuple[str, ...]:
    """Return the JSON types that *node*'s ``type`` names; none when it has no such keyword."""
    kind = node.get("type")
    if isinstance(kind, str):
        return (kind,)
    return tuple(kind) if isinstance(kind, list | tuple) else ()


def choices_of(node: Any) -> list[Any]:
    """Return the values that *node*'s ``const`` or ``enum`` allows; none where it has neither."""
    if not isinstance(node, Mapping):
        return []
    return [node["const"]] if "const" in node else list(node.get("enum", ()))


def fixed_values(record: Any, name: str) -> list[Any]:
    """Return the values that the field *name* of *record* may have, where they are fixed; else none."""
    return choices_of(record.get("properties", {}).get(name)) if isinstance(record, Mapping) else []


def tag_of(records: Sequence[Any], named: Any = None, *, repeats: bool = False) -> str | None:
    """Return the field whose fixed values tell *records* apart, references followed; ``None`` where there is none.

    Of several fields it is the one of the fewest values, then the first: a const is there
    to tell apart, an enum does so by chance.

    Args:
        records: What the variants of a union ask of an object.
        named: What the union itself calls its tag (the ``discriminator``): that is it, where one of them fixes it.
        repeats: Whether a field of one value each will do where no other does, though two have the same value.
    """
    if isinstance(named, Mapping) and isinstance(name := named.get("propertyName"), str):
        return name if any(fixed_values(record, name) for record in records) else None
    best: tuple[bool, int] | None = None
    tag = None
    first = records[0] if records else None
    for name in first.get("properties", ()) if isinstance(first, Mapping) else ():
        values = [fixed_values(record, name) for record in records]
        count = sum(map(len, values))
        doubles = not tells_apart(values)
        if not all(values) or (doubles and not (repeats and count == len(records))):
            continue
        if best is None or (doubles, count) < best:
            best, tag = (doubles, count), name
    return tag


def tells_apart(values: Iterable[Iterable[Any]]) -> bool:
    """Tell whether no value stands in two of the rows *values*, nor twice in one."""
    keys = [json_key(value) for row in values for value in row]
    return len(set(keys)) == len(keys)


SCALARS = frozenset(
    {str, int, float, bool, type(None)}
)  # most values are of these: nobody can change them, they hold none


def json_key(value: Any) -> Any:
    """Return a hashable key that is equal for equal JSON: ``1`` and ``1.0`` are, ``1`` and ``true`` are not."""
    if isinstance(value, bool):
        return (bool, value)  # the class itself stands in no JSON, so no list can look like this pair
    if type(value) in SCALARS:
        return value
    if isinstance(value, Mapping):
        return frozenset((k, json_key(v)) for k, v in value.items())
    if isinstance(value, list | tuple):
        return tuple(json_key(v) for v in value)
    return value


def kind_of(value: Any) -> str:
    """Return the narrowest JSON type that *value* has; ``""`` where it is no JSON.

    A whole number is an integer however it is written, as JSON Schema has it; a
    bool is never a number.

    >>> [kind_of(v) for v in (None, True, 5, 5.0, 0.5, "x", [1], (1,), {"a": 1}, b"")]
    ['null', 'boolean', 'integer', 'integer', 'number', 'string', 'array', 'array', 'object', '']
    """
    if (plain := _PLAIN_KINDS.get(type(value))) is not None:
        return plain
    for classes, kind in _KINDS:
        if isinstance(value, classes):
            return "integer" if kind == "number" and value.is_integer() else kind
    return ""


# Python classes -> the JSON type they stand for; a bool is asked for before an int
_KINDS: tuple[tuple[Any, str], ...] = (
    (str, "string"),
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (type(None), "null"),
    (list | tuple, "array"),
    (Mapping, "object"),
)
# the same for what is no subclass, in one step; of a float the value decides
_PLAIN_KINDS = {str: "string", bool: "boolean", int: "integer", type(None): "null", list: "array", dict: "object"}
