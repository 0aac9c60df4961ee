"""The compiled accept path: a closure per node, tight for the shapes that are common.

A closure says True only of values that are JSON of plain Python classes and
fit; whoever gets False asks `explain`, which also knows subclasses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .equal import Allowed, plain
from .rules import ASSERTIONS, FOREIGN, RULES, Accept, Build, ForeignKeyword, NeedsScan, every_rule
from .scan import INFINITY, MAX_DEPTH, is_json, is_text

Shape = Callable[[Any, frozenset[str], Build, int], Accept | None]

_LENGTHS = frozenset({"type", "minLength", "maxLength"})
_BOUNDS = frozenset({"type", "minimum", "maximum"})
_LIST = frozenset({"type", "items", "minItems", "maxItems"})
_RECORD = frozenset({"type", "properties", "required", "additionalProperties"})
_NUMBERS = frozenset({"type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_TEXTS = frozenset({"type", "minLength", "maxLength", "pattern", "format"})


def accept_path(node: Any) -> Accept:
    """Return the check of a whole type: True means that a value is JSON and fits.

    Raises:
        ForeignKeyword: The type holds a keyword that only jsonschema decides.
        LookupError: A ``$ref`` leads nowhere.
    """
    try:
        return compiled(node, Build(node, compiled, trusted=False), 0)
    except NeedsScan:
        fits = compiled(node, Build(node, compiled, trusted=True), 0)
        return lambda v: is_json(v) and fits(v)


def compiled(node: Any, build: Build, depth: int) -> Accept:
    """Return the check of *node*, for values that lie *depth* levels deep."""
    if isinstance(node, bool):
        return _anything(build, depth) if node else _nothing
    if not isinstance(node, Mapping):
        raise TypeError("a schema is an object or a boolean")
    if not FOREIGN.isdisjoint(node):
        raise ForeignKeyword
    keys = ASSERTIONS.intersection(node)
    for shape in SHAPES:
        check = shape(node, keys, build, depth)
        if check is not None:
            return check
    check = every_rule(node, build.trusting(), depth)
    if build.trusted:
        return check
    left = MAX_DEPTH - depth
    return lambda v: is_json(v, left) and check(v)


def _nothing(value: Any) -> bool:
    return False


def _everything(value: Any) -> bool:
    return True


def _anything(build: Build, depth: int) -> Accept:
    if build.trusted:
        return _everything
    left = MAX_DEPTH - depth
    return lambda v: is_json(v, left)


def _text(value: Any) -> bool:
    return type(value) is str and (value.isascii() or is_text(value))


def _integer(value: Any) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


def _finite(value: Any) -> bool:
    return type(value) is int or (type(value) is float and -INFINITY < value < INFINITY)


def _boolean(value: Any) -> bool:
    return value is True or value is False


def _null(value: Any) -> bool:
    return value is None


_BARE: dict[str, Accept] = {
    "string": _text,
    "integer": _integer,
    "number": _finite,
    "boolean": _boolean,
    "null": _null,
}


def _free(node: Any, keys: frozenset[str], build: Build, depth: int) -> Accept | None:
    return None if keys else _anything(build, depth)


def _reference(node: Any, keys: frozenset[str], build: Build, depth: int) -> Accept | None:
    if "$ref" not in keys:
        return None
    if not build.trusted:
        raise NeedsScan
    return build.reference(node["$ref"]) if len(keys) == 1 else None


def _fixed(node: Any, keys: frozenset[str], build: Build, depth: int) -> Accept | None:
    """An enum or const: the values that fit the other keywords are known beforehand."""
    if not keys <= {"enum", "const", "type"} or keys <= {"type"}:
        return None
    values = list(node["enum"]) if "enum" in node else [node["const"]]
    rest = [RULES[k](node, build, depth) for k in keys if k != "enum"]
    allowed = Allowed([v for v in map(plain, values) if all(fits(v) for fits in rest)])
    texts = allowed.texts
    if texts is not None and not allowed.null:
        return lambda v: type(v) is str and v in texts
    if texts is not None:
        return lambda v: v is None or (type(v) is str and v in texts)
    left = MAX_DEPTH - depth
    return lambda v: is_json(v, left) and v in allowed


def _scalar(node: Any, keys: frozenset[str], build: Build, depth: int) -> Accept | None:
    kind = node.get("type")
    bare = _BARE.get(kind) if isinstance(kind, str) else None
    if bare is None:
        return None
    if len(keys) == 1:
        return bare
    if kind == "string":
        return _bounded_text(node, keys) or _narrowed(bare, node, keys, _TEXTS, build, depth)
    if kind in ("integer", "number"):
        return _bounded_number(bare, node, keys) or _narrowed(bare, node, keys, _NUMBERS, build, depth)
    return None


def _bounded_text(node: Any, keys: frozenset[str]) -> Accept | None:
    if not keys <= _LENGTHS:
        return None
    low, high = node.get("minLength", 0), node.get("maxLength", INFINITY)
    return lambda v: type(v) is str and low <= len(v) <= high and (v.isascii() or is_text(v))


def _bounded_number(bare: Accept, node: Any, keys: frozenset[str]) -> Accept | None:
    if not keys <= _BOUNDS:
        return None
    low, high = node.get("minimum", -INFINITY), node.get("maximum", INFINITY)
    return lambda v: bare(v) and low <= v <= high


def _narrowed(
    bare: Accept, node: Any, keys: frozenset[str], own: frozenset[str], build: Build, depth: int
) -> Accept | None:
    if not keys <= own:
        return None
    checks = [RULES[k](node, build, depth) for k in RULES if k in keys and k != "type"]
    if len(checks) == 1:
        check = checks[0]
        return lambda v: bare(v) and check(v)
    return lambda v: bare(v) and all(check(v) for check in checks)


def _list(node: Any, keys: frozenset[str], build: Build, depth: int) -> Accept | None:
    if node.get("type") != "array" or not keys <= _LIST or "items" not in keys:
        return None
    item = build.compile(node["items"], build, depth + 1)
    low, high = node.get("minItems", 0), node.get("maxItems", INFINITY)
    every = _QUICK.get(item, _each)(item)
    if low == 0 and high == INFINITY:
        return lambda v: type(v) is list and every(v)
    return lambda v: type(v) is list and low <= len(v) <= high and every(v)


def _each(item: Accept) -> Accept:
    def every(v: Any) -> bool:
        for i in v:  # noqa: SIM110 - a generator costs more than the check
            if not item(i):
                return False
        return True

    return every


_INT, _STR = {int}, {str}


def _each_integer(item: Accept) -> Accept:
    rest = _each(item)
    return lambda v: _INT.issuperset(map(type, v)) or rest(v)


def _each_text(item: Accept) -> Accept:
    rest = _each(item)
    return lambda v: _STR.issuperset(map(type, v)) and (all(map(str.isascii, v)) or rest(v))


# items that are checked all at once
_QUICK: dict[Accept, Callable[[Accept], Accept]] = {_integer: _each_integer, _finite: _each_integer, _text: _each_text}


def _record(node: Any, keys: frozenset[str], build: Build, depth: int) -> Accept | None:
    if node.get("type") != "object" or not keys <= _RECORD:
        return None
    fields = {k: build.compile(p, build, depth + 1) for k, p in node.get("properties", {}).items()}
    needed = tuple(node.get("required", ()))
    extra = node.get("additionalProperties", True)
    if extra is not False:
        return _open_record(fields, needed, build.compile(extra, build, depth + 1))
    if set(needed) == fields.keys():
        return _full_record(fields)
    return _closed_record(fields, needed)


def _full_record(fields: dict[str, Accept]) -> Accept:
    find, size = fields.get, len(fields)

    def fits(v: Any) -> bool:
        if type(v) is not dict or len(v) != size:
            return False
        for key, item in v.items():
            check = find(key)
            if check is None or not check(item):
                return False
        return True

    return fits


def _closed_record(fields: dict[str, Accept], needed: tuple[str, ...]) -> Accept:
    find = fields.get

    def fits(v: Any) -> bool:
        if type(v) is not dict:
            return False
        for key, item in v.items():
            check = find(key)
            if check is None or not check(item):
                return False
        for key in needed:  # noqa: SIM110 - a generator costs more than the check
            if key not in v:
                return False
        return True

    return fits


def _open_record(fields: dict[str, Accept], needed: tuple[str, ...], rest: Accept) -> Accept:
    find = fields.get

    def fits(v: Any) -> bool:
        if type(v) is not dict:
            return False
        for key, item in v.items():
            if type(key) is not str or not (key.isascii() or is_text(key)):
                return False
            if not find(key, rest)(item):
                return False
        for key in needed:  # noqa: SIM110 - a generator costs more than the check
            if key not in v:
                return False
        return True

    return fits


def _several(node: Any, keys: frozenset[str], build: Build, depth: int) -> Accept | None:
    """``type: [T, null]`` and the like: what fits the same node with one of the types."""
    kinds = node.get("type")
    if not isinstance(kinds, list | tuple) or not keys.isdisjoint({"enum", "const", "$ref", "not", "if", "allOf", "anyOf", "oneOf"}):
        return None
    rest = [k for k in kinds if k != "null"]
    inner = [build.compile({**_without_marks(node), "type": kind}, build, depth) for kind in rest]
    if len(inner) == 1 and len(kinds) > 1:
        only = inner[0]
        return lambda v: v is None or only(v)
    if "null" in kinds:
        inner.append(_null)
    return _one_fits(inner)


def _without_marks(node: Any) -> dict[str, Any]:
    return {k: v for k, v in node.items() if k in ASSERTIONS or k in ("minContains", "maxContains")}


def _one_fits(checks: list[Accept]) -> Accept:
    if len(checks) == 2:  # noqa: PLR2004 - by far the most frequent
        first, second = checks
        return lambda v: first(v) or second(v)

    def fits(v: Any) -> bool:
        for check in checks:  # noqa: SIM110 - a generator costs more than the check
            if check(v):
                return True
        return False

    return fits


def _union(node: Any, keys: frozenset[str], build: Build, depth: int) -> Accept | None:
    if keys == {"anyOf"}:
        return _one_fits([build.compile(s, build, depth) for s in node["anyOf"]])
    if keys == {"oneOf"}:
        parts = [build.compile(s, build, depth) for s in node["oneOf"]]
        return _by_tag(node["oneOf"], parts) or (lambda v: sum(check(v) for check in parts) == 1)
    return None


def _by_tag(variants: Any, parts: list[Accept]) -> Accept | None:
    """Where every variant is a record with its own required constant, that one decides."""
    if not variants or not all(isinstance(v, Mapping) and v.get("type") == "object" for v in variants):
        return None
    for tag in variants[0].get("required", ()):
        fields = [v.get("properties", {}).get(tag) for v in variants if tag in v.get("required", ())]
        tags = [f["const"] for f in fields if isinstance(f, Mapping) and isinstance(f.get("const"), str)]
        if len(set(tags)) == len(variants):
            find = dict(zip(tags, parts, strict=True)).get
            return lambda v: type(v) is dict and type(t := v.get(tag)) is str and find(t, _nothing)(v)
    return None


# first match wins; what has none of these shapes is checked keyword by keyword
SHAPES: tuple[Shape, ...] = (_free, _reference, _fixed, _scalar, _record, _list, _several, _union)
