"""What each keyword of JSON Schema asks of a value that is known to be JSON.

A rule is a row: keyword -> function of the node that returns the check. A check
says True of a value of a type that the keyword does not speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..keywords import target, types_of
from .budget import found, pattern_of, step
from .equal import Allowed, first_repeated, json_key

Accept = Callable[[Any], bool]
Compile = Callable[[Any, "Build", int], Accept]

# keywords that only jsonschema decides; where one of them stands, it decides the whole type
FOREIGN = frozenset({"unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$dynamicAnchor"})


class ForeignKeyword(Exception):  # noqa: N818 - it ends a compilation, nobody else sees it
    """The type holds a keyword of `FOREIGN`."""


class NeedsScan(Exception):  # noqa: N818 - it ends a compilation, nobody else sees it
    """How deep a part of the value lies is not known from the type alone."""


class Build:
    """What a compilation carries along.

    Attributes:
        root: Where a local ``$ref`` is looked up.
        trusted: Whether values are known to be JSON and not too deep.
        compile: Compiles a sub-schema, some levels deep in the value.
    """

    __slots__ = ("_refs", "compile", "root", "trusted")

    def __init__(self, root: Any, compile_: Compile, *, trusted: bool, refs: dict[str, list[Accept]] | None = None) -> None:
        self.root = root
        self.compile = compile_
        self.trusted = trusted
        self._refs: dict[str, list[Accept]] = {} if refs is None else refs

    def trusting(self) -> Build:
        """Return the same build for values that are known to be JSON."""
        return self if self.trusted else Build(self.root, self.compile, trusted=True, refs=self._refs)

    def reference(self, ref: str) -> Accept:
        """Return the check of what *ref* points to; a recursive one finds itself at the call."""
        cell = self._refs.get(ref)
        if cell is None:
            cell = self._refs[ref] = []
            cell.append(self.compile(target(self.root, ref), self.trusting(), 0))
        here = cell

        def follow(value: Any) -> bool:
            step()
            return here[0](value)

        return follow


def kinds_of(value: Any) -> tuple[str, ...]:
    """Return the JSON types of plain JSON *value*; ``5.0`` is a number and an integer."""
    kind = type(value)
    if kind is float:
        return ("number", "integer") if value.is_integer() else ("number",)
    return _KINDS.get(kind, ())


_KINDS: dict[type, tuple[str, ...]] = {
    str: ("string",),
    int: ("integer", "number"),
    bool: ("boolean",),
    type(None): ("null",),
    list: ("array",),
    dict: ("object",),
}


def is_number(value: Any) -> bool:
    """Tell whether plain JSON *value* is a number; a bool is none."""
    return type(value) is int or type(value) is float


def is_multiple(value: float, factor: float) -> bool:
    """Tell whether *value* is a whole multiple of *factor*, counted in decimals: 0.3 is one of 0.1."""
    if type(value) is int and type(factor) is int:
        return value % factor == 0
    return (_exact(value) / _exact(factor)).denominator == 1


def _exact(number: float) -> Any:
    from fractions import Fraction  # noqa: PLC0415 - seldom needed

    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def _type(node: Any, build: Build, depth: int) -> Accept:
    kinds = frozenset(types_of(node))
    return lambda v: not kinds.isdisjoint(kinds_of(v))


def _enum(node: Any, build: Build, depth: int) -> Accept:
    return Allowed(node["enum"]).__contains__


def _const(node: Any, build: Build, depth: int) -> Accept:
    key = json_key(node["const"])
    return lambda v: json_key(v) == key


def _number(keyword: str, fits: Callable[[Any, Any], bool]) -> Compile:
    def rule(node: Any, build: Build, depth: int) -> Accept:
        bound = node[keyword]
        return lambda v: not is_number(v) or fits(v, bound)

    return rule


def _size(keyword: str, kind: type, fits: Callable[[Any, Any], bool]) -> Compile:
    def rule(node: Any, build: Build, depth: int) -> Accept:
        bound = node[keyword]
        return lambda v: type(v) is not kind or fits(len(v), bound)

    return rule


def _pattern(node: Any, build: Build, depth: int) -> Accept:
    pattern = pattern_of(node["pattern"])
    return lambda v: type(v) is not str or found(pattern, v)


def _format(node: Any, build: Build, depth: int) -> Accept:
    from ..formats import FORMATS, has_format  # noqa: PLC0415 - not needed where no type has a format

    name = node["format"]
    if name not in FORMATS:
        return lambda v: True
    return lambda v: type(v) is not str or has_format(v, name)


def _unique_items(node: Any, build: Build, depth: int) -> Accept:
    if not node["uniqueItems"]:
        return lambda v: True
    return lambda v: type(v) is not list or first_repeated(v) is None


def _items(node: Any, build: Build, depth: int) -> Accept:
    places = [build.compile(p, build, depth + 1) for p in node.get("prefixItems", ())]
    rest = build.compile(node.get("items", True), build, depth + 1)
    taken = len(places)

    def fits(v: Any) -> bool:
        if type(v) is not list:
            return True
        # map stops at the shorter of the two
        return all(check(item) for check, item in zip(places, v, strict=False)) and all(map(rest, v[taken:]))

    return fits


def _contains(node: Any, build: Build, depth: int) -> Accept:
    wanted = build.compile(node["contains"], build, depth + 1)
    low, high = node.get("minContains", 1), node.get("maxContains", float("inf"))
    return lambda v: type(v) is not list or low <= sum(map(wanted, v)) <= high


def _members(node: Any, build: Build, depth: int) -> Accept:
    """Check ``properties``, ``patternProperties`` and ``additionalProperties``, which share the keys among them."""
    named = {k: build.compile(p, build, depth + 1) for k, p in node.get("properties", {}).items()}
    patterns = [
        (pattern_of(k), build.compile(p, build, depth + 1)) for k, p in node.get("patternProperties", {}).items()
    ]
    rest = build.compile(node.get("additionalProperties", True), build, depth + 1)

    def fits(v: Any) -> bool:
        if type(v) is not dict:
            return True
        for key, item in v.items():
            checks = [check for pattern, check in patterns if found(pattern, key)]
            if key in named:
                checks.append(named[key])
            if not all(check(item) for check in checks or (rest,)):
                return False
        return True

    return fits


def _required(node: Any, build: Build, depth: int) -> Accept:
    needed = tuple(node["required"])
    return lambda v: type(v) is not dict or all(k in v for k in needed)


def _property_names(node: Any, build: Build, depth: int) -> Accept:
    name = build.compile(node["propertyNames"], build, depth)
    return lambda v: type(v) is not dict or all(map(name, v))


def _dependent_required(node: Any, build: Build, depth: int) -> Accept:
    pairs = [(k, tuple(names)) for k, names in node["dependentRequired"].items()]
    return lambda v: type(v) is not dict or all(n in v for k, names in pairs if k in v for n in names)


def _dependent_schemas(node: Any, build: Build, depth: int) -> Accept:
    pairs = [(k, build.compile(s, build, depth)) for k, s in node["dependentSchemas"].items()]
    return lambda v: type(v) is not dict or all(check(v) for k, check in pairs if k in v)


def _all_of(node: Any, build: Build, depth: int) -> Accept:
    parts = [build.compile(s, build, depth) for s in node["allOf"]]
    return lambda v: all(check(v) for check in parts)


def _any_of(node: Any, build: Build, depth: int) -> Accept:
    parts = [build.compile(s, build, depth) for s in node["anyOf"]]
    return lambda v: any(check(v) for check in parts)


def _one_of(node: Any, build: Build, depth: int) -> Accept:
    parts = [build.compile(s, build, depth) for s in node["oneOf"]]
    return lambda v: sum(check(v) for check in parts) == 1


def _not(node: Any, build: Build, depth: int) -> Accept:
    inner = build.compile(node["not"], build, depth)
    return lambda v: not inner(v)


def _if(node: Any, build: Build, depth: int) -> Accept:
    test = build.compile(node["if"], build, depth)
    then = build.compile(node.get("then", True), build, depth)
    other = build.compile(node.get("else", True), build, depth)
    return lambda v: then(v) if test(v) else other(v)


def _ref(node: Any, build: Build, depth: int) -> Accept:
    return build.reference(node["$ref"])


# To take one more keyword add a row here, and one in `explain`.
RULES: Mapping[str, Compile] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "$ref": _ref,
    "minimum": _number("minimum", lambda v, bound: v >= bound),
    "maximum": _number("maximum", lambda v, bound: v <= bound),
    "exclusiveMinimum": _number("exclusiveMinimum", lambda v, bound: v > bound),
    "exclusiveMaximum": _number("exclusiveMaximum", lambda v, bound: v < bound),
    "multipleOf": _number("multipleOf", is_multiple),
    "minLength": _size("minLength", str, lambda size, bound: size >= bound),
    "maxLength": _size("maxLength", str, lambda size, bound: size <= bound),
    "format": _format,
    "pattern": _pattern,
    "minItems": _size("minItems", list, lambda size, bound: size >= bound),
    "maxItems": _size("maxItems", list, lambda size, bound: size <= bound),
    "uniqueItems": _unique_items,
    "items": _items,
    "prefixItems": _items,
    "contains": _contains,
    "minProperties": _size("minProperties", dict, lambda size, bound: size >= bound),
    "maxProperties": _size("maxProperties", dict, lambda size, bound: size <= bound),
    "required": _required,
    "propertyNames": _property_names,
    "dependentRequired": _dependent_required,
    "properties": _members,
    "patternProperties": _members,
    "additionalProperties": _members,
    "dependentSchemas": _dependent_schemas,
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
}
ASSERTIONS = frozenset(RULES)


def every_rule(node: Mapping[str, Any], build: Build, depth: int) -> Accept:
    """Return the check of all keywords of *node*, for values known to be JSON."""
    # keywords that are read together share one rule, which runs once
    rules = dict.fromkeys(rule for keyword, rule in RULES.items() if keyword in node)
    checks = tuple(rule(node, build, depth) for rule in rules)
    return lambda v: all(check(v) for check in checks)
