"""What each keyword of JSON Schema asks of a value that is known to be JSON.

A rule is a row: keyword -> function of the node that returns the check. A check
says True of a value of a type that the keyword does not speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from functools import partial
from typing import Any

from ..keywords import json_key, target, types_of
from ..patterns import found, pattern_of
from .budget import asked_once
from .equal import Allowed, repeated

Accept = Callable[[Any], bool]

# keywords that only jsonschema decides; where one of them stands, it decides the whole type
FOREIGN = frozenset({"unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$dynamicAnchor"})


class ForeignKeyword(Exception):  # noqa: N818 - it ends a compilation, nobody else sees it
    """The type holds a keyword of `FOREIGN`."""


class NeedsScan(Exception):  # noqa: N818 - it ends a compilation, nobody else sees it
    """How deep a part of the value lies is not known from the type alone."""


class Build:
    """What one compilation carries along.

    Attributes:
        root: Where a local ``$ref`` is looked up.
        trusted: Whether values are known to be JSON and not too deep.
        timed: Whether a part was compiled that spends of the budget.
        compile: Compiles a node that lies some levels deep in the value.
    """

    __slots__ = ("_refs", "compile", "root", "timed", "trusted")

    def __init__(self, root: Any, compile_: Callable[[Any, Build, int], Accept], *, trusted: bool) -> None:
        self.root = root
        self.compile = compile_
        self.trusted = trusted
        self.timed = False
        self._refs: dict[str, list[Accept]] = {}

    def reference(self, ref: str) -> Accept:
        """Return the check of what *ref* points to; a recursive one finds itself at the call."""
        self.timed = True
        cell = self._refs.get(ref)
        if cell is None:
            cell = self._refs[ref] = []
            cell.append(self.compile(target(self.root, ref), self, 0))
        return partial(asked_once, cell)

    def pattern(self, text: str) -> Any:
        """Return *text* compiled."""
        self.timed = True
        return pattern_of(text)


class Part:
    """One node on its way to a check.

    Attributes:
        node: The node itself.
        keys: Those of its keywords that a rule speaks of.
        build: The compilation.
        depth: How many lists and objects its values lie in.
    """

    __slots__ = ("build", "depth", "keys", "node")

    def __init__(self, node: Any, build: Build, depth: int) -> None:
        self.node = node
        self.keys = ASSERTIONS.intersection(node)
        self.build = build
        self.depth = depth

    def same(self, node: Any) -> Accept:
        """Compile *node*, which speaks of the same value."""
        return self.build.compile(node, self.build, self.depth)

    def inside(self, node: Any) -> Accept:
        """Compile *node*, which speaks of a member of the value."""
        return self.build.compile(node, self.build, self.depth + 1)


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
_ALL_KINDS = frozenset(kind for row in _KINDS.values() for kind in row)


def is_number(value: Any) -> bool:
    """Tell whether plain JSON *value* is a number; a bool is none."""
    return type(value) is int or type(value) is float


def is_multiple(value: float, factor: float) -> bool:
    """Tell whether *value* is a whole multiple of *factor*, counted in decimals: 0.3 is one of 0.1."""
    if type(value) is int and type(factor) is int:
        return value % factor == 0
    ratio = _exact(value) / _exact(factor)
    return bool(ratio.denominator == 1)


def _exact(number: float) -> Any:
    from fractions import Fraction  # noqa: PLC0415 - seldom needed

    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


Rule = Callable[[Part], Accept]


def all_fit(checks: list[Accept]) -> Accept:
    """Return the check that all of *checks* agree to; a deep value has few frames to spare, hence the loops."""
    if len(checks) == 1:
        return checks[0]

    def fits(v: Any) -> bool:
        for check in checks:  # noqa: SIM110 - a generator takes a frame
            if not check(v):
                return False
        return True

    return fits


def one_fits(checks: list[Accept]) -> Accept:
    """Return the check that one of *checks* agrees to."""
    if len(checks) == 2:  # noqa: PLR2004 - by far the most frequent
        first, second = checks
        return lambda v: first(v) or second(v)

    def fits(v: Any) -> bool:
        for check in checks:  # noqa: SIM110 - a generator takes a frame
            if check(v):
                return True
        return False

    return fits


def just_one_fits(checks: list[Accept]) -> Accept:
    """Return the check that exactly one of *checks* agrees to."""

    def fits(v: Any) -> bool:
        count = 0
        for check in checks:
            count += check(v)
        return count == 1

    return fits


def _always(_value: Any) -> bool:
    return True


def _type(part: Part) -> Accept:
    kinds = frozenset(types_of(part.node))
    if not kinds or not kinds <= _ALL_KINDS:
        raise ValueError("no type of JSON")
    return lambda v: not kinds.isdisjoint(kinds_of(v))


def _enum(part: Part) -> Accept:
    return Allowed(part.node["enum"]).__contains__


def _const(part: Part) -> Accept:
    key = json_key(part.node["const"])
    return lambda v: json_key(v) == key


def _number(keyword: str, fits: Callable[[Any, Any], bool]) -> Rule:
    def rule(part: Part) -> Accept:
        bound = part.node[keyword]
        return lambda v: not is_number(v) or fits(v, bound)

    return rule


def _size(keyword: str, kind: type[Sized], fits: Callable[[Any, Any], bool]) -> Rule:
    def rule(part: Part) -> Accept:
        bound = part.node[keyword]
        return lambda v: type(v) is not kind or fits(len(v), bound)

    return rule


def _pattern(part: Part) -> Accept:
    pattern = part.build.pattern(part.node["pattern"])
    return lambda v: type(v) is not str or found(pattern, v)


def _format(part: Part) -> Accept:
    from ..formats import FORMATS, has_format  # noqa: PLC0415 - not needed where no type has a format

    name = part.node["format"]
    if name not in FORMATS:
        return _always
    return lambda v: type(v) is not str or has_format(v, name)


def _unique_items(part: Part) -> Accept:
    if not part.node["uniqueItems"]:
        return _always
    return lambda v: type(v) is not list or next(repeated(v), None) is None


def _items(part: Part) -> Accept:
    places = [part.inside(p) for p in part.node.get("prefixItems", ())]
    rest = part.inside(part.node.get("items", True))
    taken = len(places)

    def fits(v: Any) -> bool:
        if type(v) is not list:
            return True
        for check, item in zip(places, v, strict=False):  # the shorter of the two ends it
            if not check(item):
                return False
        return all(map(rest, v[taken:] if taken else v))

    return fits


def _contains(part: Part) -> Accept:
    wanted = part.inside(part.node["contains"])
    low, high = part.node.get("minContains", 1), part.node.get("maxContains", float("inf"))
    return lambda v: type(v) is not list or low <= sum(map(wanted, v)) <= high


def _members(part: Part) -> Accept:
    """Check ``properties``, ``patternProperties`` and ``additionalProperties``, which share the keys among them."""
    named = {k: part.inside(p) for k, p in part.node.get("properties", {}).items()}
    patterns = [(part.build.pattern(k), part.inside(p)) for k, p in part.node.get("patternProperties", {}).items()]
    rest = part.inside(part.node.get("additionalProperties", True))

    def fits(v: Any) -> bool:
        if type(v) is not dict:
            return True
        for key, item in v.items():
            checks = [check for pattern, check in patterns if found(pattern, key)]
            if key in named:
                checks.append(named[key])
            for check in checks or (rest,):
                if not check(item):
                    return False
        return True

    return fits


def _required(part: Part) -> Accept:
    needed = tuple(part.node["required"])
    return lambda v: type(v) is not dict or all(k in v for k in needed)


def _property_names(part: Part) -> Accept:
    name = part.same(part.node["propertyNames"])
    return lambda v: type(v) is not dict or all(map(name, v))


def _dependent_required(part: Part) -> Accept:
    pairs = [(k, tuple(names)) for k, names in part.node["dependentRequired"].items()]
    return lambda v: type(v) is not dict or all(n in v for k, names in pairs if k in v for n in names)


def _dependent_schemas(part: Part) -> Accept:
    pairs = [(k, part.same(s)) for k, s in part.node["dependentSchemas"].items()]
    return lambda v: type(v) is not dict or all(check(v) for k, check in pairs if k in v)


def _all_of(part: Part) -> Accept:
    return all_fit([part.same(s) for s in part.node["allOf"]])


def _any_of(part: Part) -> Accept:
    return one_fits([part.same(s) for s in part.node["anyOf"]])


def _one_of(part: Part) -> Accept:
    return just_one_fits([part.same(s) for s in part.node["oneOf"]])


def _not(part: Part) -> Accept:
    inner = part.same(part.node["not"])
    return lambda v: not inner(v)


def _if(part: Part) -> Accept:
    test = part.same(part.node["if"])
    then = part.same(part.node.get("then", True))
    other = part.same(part.node.get("else", True))
    return lambda v: then(v) if test(v) else other(v)


def _ref(part: Part) -> Accept:
    return part.build.reference(part.node["$ref"])


# To take one more keyword add a row here, and one in `explain`.
RULES: Mapping[str, Rule] = {
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
_OF_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
# JSON type -> the keywords that speak of it alone
SPEAKS_OF: Mapping[str, tuple[str, ...]] = {
    "string": ("minLength", "maxLength", "format", "pattern"),
    "integer": _OF_NUMBERS,
    "number": _OF_NUMBERS,
    "array": (
        *("minItems", "maxItems", "uniqueItems", "items", "prefixItems"),
        *("contains", "minContains", "maxContains"),
    ),
    "object": (
        *("minProperties", "maxProperties", "required", "propertyNames", "dependentRequired", "dependentSchemas"),
        *("properties", "patternProperties", "additionalProperties"),
    ),
}


def every_rule(part: Part) -> Accept:
    """Return the check of all keywords of *part*, for values known to be JSON."""
    # keywords that are read together share one rule, which runs once
    rules = dict.fromkeys(rule for keyword, rule in RULES.items() if keyword in part.keys)
    return all_fit([rule(part) for rule in rules])


def simple_rule(keyword: str, node: Mapping[str, Any]) -> Accept:
    """Return the check of one keyword that holds no sub-schema."""
    return RULES[keyword](Part(node, _ALONE, 0))


_ALONE = Build({}, lambda *_: _always, trusted=True)
