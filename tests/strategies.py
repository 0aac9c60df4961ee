"""Hypothesis strategies over the whole closed vocabulary of argument types.

`arg_types` draws a type, `values_for` a value that fits it by construction (our
own validator is never asked), `values_near` one with a single wrong place,
`json_values` any JSON, `tricky_values` what looks like JSON and may not be.
"""

from __future__ import annotations

import enum
import math
from collections import OrderedDict
from decimal import Decimal
from functools import cache

from hypothesis import strategies as st

from blockargs.keywords import followed, types_of
from blockargs.node import FrozenDict, FrozenList, json_key
from blockargs.types import (
    arg_any,
    arg_array,
    arg_boolean,
    arg_column,
    arg_const,
    arg_enum,
    arg_integer,
    arg_json_array,
    arg_json_object,
    arg_literal,
    arg_map,
    arg_nullable,
    arg_number,
    arg_object,
    arg_schema,
    arg_string,
    arg_tuple,
    arg_union,
)

PATTERNS = ["^[a-z]+$", "[0-9]{2}", "^a|b$", "^(x|y)*z", "é"]
FORMATS = {
    "date": ["2024-02-29", "1999-12-31"],
    "time": ["12:30:00Z", "23:59:60Z", "00:00:00.5+01:00"],
    "date-time": ["2024-01-31T12:30:00Z", "2024-01-31t00:00:00-00:30"],
    "duration": ["P1DT12H", "PT5S", "P3W"],
    "email": ["joe@example.com"],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000"],
    "uri": ["https://example.com/a?b#c", "urn:x:y"],
    "ipv4": ["192.0.2.1"],
    "ipv6": ["2001:db8::1", "::"],
    "regex": ["^a+$"],
    "no-such-format": ["anything"],
}
FACTORS = [1, 2, 3, 0.1, 0.25, 1e-3, 2.5]
# recursive types: a tree, a list made of pairs, two types that know each other
RECURSIVE = [
    {
        "$ref": "#/$defs/tree",
        "$defs": {
            "tree": {
                "type": "object",
                "properties": {
                    "value": {"type": "integer"},
                    "kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
                },
                "required": ["value"],
                "additionalProperties": False,
            }
        },
    },
    {
        "anyOf": [{"type": "null"}, {"$ref": "#/$defs/pair"}],
        "$defs": {
            "pair": {
                "type": "object",
                "properties": {
                    "head": {"type": "string"},
                    "tail": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/pair"}]},
                },
                "required": ["head", "tail"],
                "additionalProperties": False,
            }
        },
    },
]

names = st.sampled_from(["a", "b", "n", "type", "kind", "required", "description", "two words", "naïve", "x-y"])
texts = st.text(max_size=8)


@cache
def arg_types(*, max_leaves: int = 8, recursive: bool = True):
    """Draw an argument type; *recursive* says whether types that contain themselves are among them."""
    return st.recursive(_leaves(recursive), _combined, max_leaves=max_leaves).flatmap(_marked)


@st.composite
def values_for(draw, arg_type):
    """Draw a value that fits *arg_type*, by construction."""
    return _fitting(draw, arg_type, arg_type, 4)


@st.composite
def values_near(draw, arg_type):
    """Draw a value that fits *arg_type* but for one place, which holds anything."""
    value = _fitting(draw, arg_type, arg_type, 4)
    places = list(_places(value))
    place = places[draw(_whole(0, len(places) - 1))]
    return _replaced(value, place, draw(tricky_values() if draw(BOOLEANS) else json_values()))


@cache
def json_values(*, max_leaves: int = 6):
    """Draw any JSON."""
    return st.recursive(_scalars(), _nested, max_leaves=max_leaves)


@cache
def tricky_values(*, max_leaves: int = 5):
    """Draw what looks like JSON: subclasses, NaN, tuples, half characters, keys that are no strings."""
    return st.recursive(_scalars() | _tricky_scalars(), _tricky_nested, max_leaves=max_leaves)


@st.composite
def schemas(draw, *, max_leaves=6):
    """Draw a JSON Schema as a stranger may write it, with any keyword that we decide ourselves."""
    root = draw(_schemas(max_leaves))
    if isinstance(root, dict):
        root = {**root, "$defs": {"a": draw(_schemas(2)), "b": draw(_schemas(3))}}
    return root


@cache
def _schemas(max_leaves):
    return st.recursive(_schema_leaves(), _schema_nodes, max_leaves=max_leaves)


def _schema_leaves():
    size = st.integers(0, 3)
    number = st.sampled_from([0, 1, 2, 2.5, -1, 5.0])
    kinds = st.sampled_from(["string", "number", "integer", "boolean", "null", "array", "object"])
    words = st.lists(st.sampled_from(["a", "b", "n"]), max_size=2, unique=True)
    keywords = {
        "type": kinds | st.lists(kinds, min_size=1, max_size=3, unique=True),
        "enum": st.lists(_scalars() | json_values(max_leaves=2), min_size=1, max_size=3),
        "const": json_values(max_leaves=2),
        "$ref": st.sampled_from(["#/$defs/a", "#/$defs/b", "#"]),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), number),
        "multipleOf": st.sampled_from(FACTORS),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), size),
        "pattern": st.sampled_from(PATTERNS),
        "format": st.sampled_from(sorted(FORMATS)),
        "uniqueItems": st.booleans(),
        "required": words,
        "dependentRequired": st.dictionaries(st.sampled_from(["a", "b"]), words, max_size=2),
        "title": st.just("Title"),
        "x-mark": json_values(max_leaves=2),
    }
    return st.booleans() | _some(keywords)


def _schema_nodes(inner):
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(st.sampled_from(["a", "b", "n"]), inner, max_size=3)
    keywords = {
        **dict.fromkeys(
            ("items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"), inner
        ),
        **dict.fromkeys(("anyOf", "oneOf", "allOf", "prefixItems"), several),
        **dict.fromkeys(("properties", "dependentSchemas"), named),
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$", "."]), inner, max_size=2),
        **dict.fromkeys(("minContains", "maxContains"), st.integers(0, 2)),
        "type": st.sampled_from(["object", "array"]),
        "required": st.lists(st.sampled_from(["a", "b"]), max_size=1),
    }
    return _some(keywords) | st.builds(lambda a, b: {**a, **b} if isinstance(a, dict) else b, inner, _some(keywords))


def _some(keywords):
    """Draw a few of *keywords* with their values."""
    pairs = st.one_of(*(st.tuples(st.just(key), value) for key, value in keywords.items()))
    return st.lists(pairs, max_size=3).map(dict)


class Level(enum.IntEnum):
    """A number that is a member of an enumeration."""

    FIVE = 5


class Word(enum.StrEnum):
    """A text that is a member of an enumeration."""

    HEAD = "head"


class Text(str):
    """A text that is more than a text."""

    __slots__ = ()


class Whole(int):
    """A whole number that is more than one."""


class Real(float):
    """A number that is more than one."""


class Row(dict):
    """An object that is more than one."""


class Rows(list):
    """A list that is more than one."""


def _scalars():
    return st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-10, 10),
        st.sampled_from([0, 1, 5, 0.0, -0.0, 1.0, 5.0, 0.3, 2.5, 1e20, 1e308, 2**53 + 1, 2**64, 10**400]),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from(["", "5", "true", "head", "2024-02-29", "é", "😀", "\x00", "null"]),
        texts,
    )


def _nested(inner):
    return st.lists(inner, max_size=4) | st.dictionaries(names | texts, inner, max_size=4)


def _tricky_scalars():
    return st.sampled_from(
        [
            math.nan,
            math.inf,
            -math.inf,
            Decimal("1.5"),
            1 + 2j,
            b"bytes",
            "\ud800",
            "a\udfffb",
            Level.FIVE,
            Word.HEAD,
            Text("head"),
            Text("\ud800"),
            Whole(5),
            Real(2.5),
            Real("nan"),
            (),
            {1, 2},
            range(3),
            object,
        ]
    )


def _tricky_nested(inner):
    return st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.lists(inner, max_size=3).map(Rows),
        st.lists(inner, max_size=3).map(FrozenList),
        st.dictionaries(
            names | texts | st.sampled_from([1, None, True, Word.HEAD, "\ud800", Text("a")]), inner, max_size=3
        ),
        st.dictionaries(names, inner, max_size=3).map(Row),
        st.dictionaries(names, inner, max_size=3).map(OrderedDict),
        st.dictionaries(names, inner, max_size=3).map(FrozenDict),
    )


def _leaves(recursive):
    bound = st.integers(0, 4)
    leaves = [
        st.builds(arg_string),
        st.builds(lambda low, more: arg_string(min_length=low, max_length=low + more), bound, bound),
        st.sampled_from(PATTERNS).map(lambda p: arg_string(pattern=p)),
        st.sampled_from(sorted(FORMATS)).map(lambda f: arg_string(format=f)),
        st.builds(lambda low, more: arg_integer(minimum=low, maximum=low + more), bound, bound),
        st.builds(lambda low: arg_integer(exclusive_minimum=low), bound),
        st.sampled_from([1, 2, 3]).map(lambda f: arg_integer(multiple_of=f)),
        st.builds(arg_number),
        st.builds(lambda low, more: arg_number(minimum=low + 0.5, exclusive_maximum=low + more + 1), bound, bound),
        st.sampled_from(FACTORS).map(lambda f: arg_number(multiple_of=f)),
        st.builds(arg_boolean),
        st.lists(texts, min_size=1, max_size=4, unique=True).map(arg_enum),
        st.lists(_scalars(), min_size=1, max_size=4, unique_by=json_key).map(arg_literal),
        json_values(max_leaves=3).map(arg_const),
        st.just(arg_any()),
        st.just(arg_json_object()),
        st.just(arg_json_array()),
        st.just(arg_column()),
    ]
    if recursive:
        leaves.append(st.sampled_from(RECURSIVE).map(arg_schema))
    return st.one_of(leaves)


def _combined(inner):
    sizes = st.integers(0, 2)
    fields = st.dictionaries(
        names, st.tuples(inner, st.booleans()).map(lambda p: p[0].with_(required=p[1])), max_size=4
    )
    return st.one_of(
        st.builds(lambda items, low, more: arg_array(items, min_items=low, max_items=low + more), inner, sizes, sizes),
        st.builds(arg_array, inner),
        st.sampled_from([arg_string(), arg_integer(), arg_any()]).map(
            lambda items: arg_array(items, unique_items=True)
        ),
        st.lists(inner, max_size=3).map(lambda types: arg_tuple(*types)),
        st.builds(lambda f, extra: arg_object(f, extra=extra), fields, st.booleans() | inner),
        st.builds(arg_object, fields),
        st.builds(arg_map, inner),
        st.lists(inner, min_size=1, max_size=3).map(lambda types: arg_union(*types)),
        st.lists(fields, min_size=2, max_size=3).map(_tagged),
        st.builds(arg_nullable, inner),
    )


def _tagged(variants):
    tags = ["one", "two", "three"]
    types = [arg_object({**f, "kind": arg_const(tag)}) for f, tag in zip(variants, tags, strict=False)]
    return arg_union(*types, tag="kind")


def _marked(arg_type):
    """Sometimes add what says nothing about values."""
    mark = st.sampled_from([{}, {}, {"description": "What it is for."}, {"x-unit": "cm", "title": "Size"}])
    return st.builds(
        lambda extra, error, required: (arg_type | extra).with_(error=error, required=required),
        mark,
        st.sampled_from([None, None, "ask your doctor"]),
        st.sampled_from([None, True, False]),
    )


def _fitting(draw, root, node, depth):
    """Draw step by step: to build strategies of strategies would cost ten times as much."""
    node = followed(root, node)
    if node is True or (not isinstance(node, bool) and not _asserts(node)):
        return draw(json_values(max_leaves=3))
    if "const" in node:
        return _thawed(node["const"])
    if "enum" in node:
        return _thawed(node["enum"][draw(_whole(0, len(node["enum"]) - 1))])
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            return _fitting(draw, root, _one_variant(draw, root, node[keyword], depth), depth)
    kinds = types_of(node)
    kind = "null" if depth <= 0 and "null" in kinds else draw(_choice(kinds))
    return _OF_KIND[kind](draw, root, node, depth)


def _one_variant(draw, root, variants, depth):
    # the shallow ones end a recursion
    flat = [v for v in variants if "object" not in types_of(followed(root, v))] if depth <= 0 else []
    several = flat or list(variants)
    return several[draw(_whole(0, len(several) - 1))]


def _asserts(node):
    return any(k in node for k in ("type", "enum", "const", "anyOf", "oneOf"))


@cache
def _choice(options):
    return st.sampled_from(options)


@cache
def _whole(low, high):
    return st.integers(low, high)


@cache
def _text(low, high):
    return st.text(min_size=low, max_size=high)


@cache
def _matching(pattern):
    return st.from_regex(pattern)


@cache
def _real(low, high):
    if high is None:
        return st.floats(allow_nan=False, allow_infinity=False) | st.integers()
    return st.floats(low, high, exclude_max=True)


def _string(draw, root, node, depth):
    if "pattern" in node:
        return draw(_matching(node["pattern"]))
    if "format" in node:
        return draw(_choice(tuple(FORMATS[node["format"]])))
    return draw(_text(node.get("minLength", 0), node.get("maxLength", 12)))


def _integer(draw, root, node, depth):
    if (factor := node.get("multipleOf")) is not None:
        return factor * draw(_choice((0, 1, -7, 1000, 10**400)))
    low = node.get("minimum", node["exclusiveMinimum"] + 1 if "exclusiveMinimum" in node else -1000)
    whole = draw(_whole(low, node.get("maximum", low + 2000)))
    return float(whole) if draw(BOOLEANS) else whole


def _number(draw, root, node, depth):
    if (factor := node.get("multipleOf")) is not None:
        return float(draw(_whole(-1000, 1000)) * Decimal(str(factor)))
    return draw(_real(node.get("minimum"), node.get("exclusiveMaximum")))


def _array(draw, root, node, depth):
    places = node.get("prefixItems", ())
    if places or node.get("items") is False:
        return [_fitting(draw, root, p, depth - 1) for p in places]
    low = node.get("minItems", 0)
    size = draw(_whole(low, node.get("maxItems", 3))) if depth > 0 else low
    items = [_fitting(draw, root, node["items"], depth - 1) for _ in range(size)]
    return list({json_key(i): i for i in items}.values()) if node.get("uniqueItems") else items


def _object(draw, root, node, depth):
    fields = node.get("properties", {})
    needed = node.get("required", ())
    chosen = [k for k in fields if k in needed or (depth > 0 and draw(BOOLEANS))]
    out = {k: _fitting(draw, root, fields[k], depth - 1) for k in chosen}
    extra = node.get("additionalProperties", True)
    if extra is not False and depth > 0:
        for key in draw(EXTRA_KEYS):
            if key not in fields:
                out[key] = _fitting(draw, root, extra, depth - 1)
    return out


BOOLEANS = st.booleans()
EXTRA_KEYS = st.lists(names | texts, max_size=2)

_OF_KIND = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": lambda draw, root, node, depth: draw(BOOLEANS),
    "null": lambda draw, root, node, depth: None,
    "array": _array,
    "object": _object,
}


def _thawed(value):
    if isinstance(value, dict):
        return {k: _thawed(v) for k, v in value.items()}
    return [_thawed(v) for v in value] if isinstance(value, list) else value


def _places(value, path=()):
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield from _places(item, (*path, key))


def _replaced(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(copy[path[0]], path[1:], new)
    return copy
