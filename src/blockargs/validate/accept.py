"""The compiled accept path: a closure per node, tight for the shapes that are common.

A closure says True only of values that are JSON of plain Python classes and
fit; whoever gets False asks `explain`, which also knows subclasses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..keywords import MAX_DEPTH, SCALARS, fixed_values, tag_of
from .budget import begun, over
from .equal import Allowed, plain
from .rules import (
    FOREIGN,
    RULES,
    SPEAKS_OF,
    Accept,
    Build,
    ForeignKeyword,
    NeedsScan,
    Part,
    all_fit,
    every_rule,
    just_one_fits,
    one_fits,
)
from .scan import INFINITY, is_json, is_text

Shape = Callable[[Part], Accept | None]

_LENGTHS = frozenset({"type", "minLength", "maxLength"})
_BOUNDS = frozenset({"type", "minimum", "maximum"})
_LIST = frozenset({"type", "items", "minItems", "maxItems"})
_RECORD = frozenset({"type", "properties", "required", "additionalProperties"})
_NUMBERS = frozenset({"type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_TEXTS = frozenset({"type", "minLength", "maxLength", "pattern", "format"})
_COMBINED = frozenset({"enum", "const", "$ref", "not", "if", "allOf", "anyOf", "oneOf"})


def accept_path(node: Any) -> Accept:
    """Return the check of a whole type: True means that a value is JSON and fits.

    Raises:
        ForeignKeyword: The type holds a keyword that only jsonschema decides.
        LookupError: A ``$ref`` leads nowhere.
    """
    build = Build(node, compiled, trusted=False)
    try:
        check = compiled(node, build, 0)
    except NeedsScan:
        build = Build(node, compiled, trusted=True)
        fits = compiled(node, build, 0)
        check = lambda v: is_json(v) and fits(v)  # noqa: E731 - one of two
    if not build.timed:
        return check

    def timed(value: Any) -> bool:
        new = begun()
        try:
            return check(value)
        finally:
            if new:
                over()

    return timed


def compiled(node: Any, build: Build, depth: int) -> Accept:
    """Return the check of *node*, for values that lie *depth* levels deep."""
    if isinstance(node, bool):
        return _anything(build, depth) if node else _nothing
    if not isinstance(node, dict | Mapping):  # dict first, for it is found out faster
        raise TypeError("a schema is an object or a boolean")
    if not FOREIGN.isdisjoint(node):
        raise ForeignKeyword
    part = Part(node, build, depth)
    if "$ref" in part.keys and not build.trusted:
        raise NeedsScan
    kind = node.get("type")
    for shape in SHAPES[kind] if isinstance(kind, str) else _OTHER_SHAPES:
        check = shape(part)
        if check is not None:
            return check
    if build.trusted:
        return every_rule(part)
    # a value that is looked at by several rules is known to be JSON before the first
    build.trusted = True
    try:
        check = every_rule(part)
    finally:
        build.trusted = False
    left = MAX_DEPTH - depth
    return lambda v: is_json(v, left) and check(v)


def _nothing(_value: Any) -> bool:
    return False


def _everything(_value: Any) -> bool:
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


def _free(part: Part) -> Accept | None:
    return None if part.keys else _anything(part.build, part.depth)


def _reference(part: Part) -> Accept | None:
    return part.build.reference(part.node["$ref"]) if part.keys == {"$ref"} else None


def _words(part: Part) -> Accept | None:
    if part.keys != {"type", "enum"}:
        return None
    words = frozenset(v for v in part.node["enum"] if isinstance(v, str))
    return lambda v: type(v) is str and v in words


def _fixed(part: Part) -> Accept | None:
    """An enum or const: the values that fit the other keywords are known beforehand."""
    if not part.keys <= {"enum", "const", "type"} or part.keys.isdisjoint({"enum", "const"}):
        return None
    values = list(part.node["enum"]) if "enum" in part.keys else [part.node["const"]]
    rest = [RULES[k](part) for k in part.keys if k != "enum"]
    allowed = Allowed([v for v in map(plain, values) if all(fits(v) for fits in rest)])
    texts = allowed.texts
    if texts is not None and not allowed.null:
        return lambda v: type(v) is str and v in texts
    if texts is not None:
        return lambda v: v is None or (type(v) is str and v in texts)
    if (scalars := allowed.scalars) is not None:
        bools = allowed.bools
        return lambda v: v in bools if type(v) is bool else type(v) in SCALARS and v in scalars
    left = MAX_DEPTH - part.depth
    return lambda v: is_json(v, left) and v in allowed


def _bare(part: Part) -> Accept | None:
    return _BARE[part.node["type"]] if len(part.keys) == 1 else None


def _bounded_text(part: Part) -> Accept | None:
    if not part.keys <= _LENGTHS:
        return _narrowed(_text, part, _TEXTS)
    low, high = part.node.get("minLength", 0), part.node.get("maxLength", INFINITY)
    return lambda v: type(v) is str and low <= len(v) <= high and (v.isascii() or is_text(v))


def _bounded_number(part: Part) -> Accept | None:
    bare = _BARE[part.node["type"]]
    if not part.keys <= _BOUNDS:
        return _narrowed(bare, part, _NUMBERS)
    low, high = part.node.get("minimum", -INFINITY), part.node.get("maximum", INFINITY)
    return lambda v: bare(v) and low <= v <= high


def _narrowed(bare: Accept, part: Part, own: frozenset[str]) -> Accept | None:
    if not part.keys <= own:
        return None
    check = all_fit([RULES[k](part) for k in RULES if k in part.keys and k != "type"])
    return lambda v: bare(v) and check(v)


def _list(part: Part) -> Accept | None:
    if not part.keys <= _LIST or "items" not in part.keys:
        return None
    item = part.inside(part.node["items"])
    low, high = part.node.get("minItems", 0), part.node.get("maxItems", INFINITY)
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


def _record(part: Part) -> Accept | None:
    if not part.keys <= _RECORD:
        return None
    fields = {k: part.inside(p) for k, p in part.node.get("properties", {}).items()}
    needed = tuple(part.node.get("required", ()))
    extra = part.node.get("additionalProperties", True)
    if extra is not False:
        return _open_record(fields, needed, part.inside(extra))
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


def _several(part: Part) -> Accept | None:
    """``type: [T, null]`` and the like: what fits the same node with one of the types."""
    kinds = part.node.get("type")
    if not kinds or not isinstance(kinds, list | tuple) or not part.keys.isdisjoint(_COMBINED):
        return None
    rest = [k for k in kinds if k != "null"]
    inner = [part.same(_of_kind(part.node, kind)) for kind in rest]
    if len(inner) == 1 and len(kinds) > 1:
        only = inner[0]
        return lambda v: v is None or only(v)
    if "null" in kinds:
        inner.append(_null)
    return one_fits(inner)


def _of_kind(node: Any, kind: str) -> dict[str, Any]:
    """Return *node* with its one type *kind* and the keywords that speak of it, so that no part is compiled twice."""
    own = SPEAKS_OF.get(kind, ())
    return {"type": kind, **{k: v for k, v in node.items() if k in own}}


def _union(part: Part) -> Accept | None:
    if part.keys == {"anyOf"}:
        return one_fits([part.same(s) for s in part.node["anyOf"]])
    if part.keys == {"oneOf"}:
        parts = [part.same(s) for s in part.node["oneOf"]]
        return _by_tag(part.node["oneOf"], parts) or just_one_fits(parts)
    return None


def _by_tag(variants: Any, parts: list[Accept]) -> Accept | None:
    """Where every variant is a record with its own required constants, texts all of them, these decide."""
    if not variants or not all(isinstance(v, Mapping) and v.get("type") == "object" for v in variants):
        return None
    tag = tag_of(variants)
    if tag is None or any(tag not in v.get("required", ()) for v in variants):
        return None
    rows = [(word, part) for v, part in zip(variants, parts, strict=True) for word in fixed_values(v, tag)]
    if not all(isinstance(word, str) for word, _ in rows):
        return None
    find = dict(rows).get
    return lambda v: type(v) is dict and type(t := v.get(tag)) is str and find(t, _nothing)(v)


# JSON type -> shapes, of which the first match wins; what has none is checked keyword by keyword
SHAPES: Mapping[str, tuple[Shape, ...]] = {
    "string": (_bare, _words, _bounded_text, _fixed),
    "integer": (_bare, _bounded_number, _fixed),
    "number": (_bare, _bounded_number, _fixed),
    "boolean": (_bare, _fixed),
    "null": (_bare, _fixed),
    "array": (_list, _fixed),
    "object": (_record, _fixed),
}
_OTHER_SHAPES: tuple[Shape, ...] = (_free, _reference, _fixed, _several, _union)
