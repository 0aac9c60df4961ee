"""Why a value does not fit: every problem, with the JSONPath of the very key.

The value is plain JSON here. Each keyword has a row: keyword -> function of
(walk, node, value, path). A part that fits is passed over by its compiled check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from .._text import plural, quoted
from ..errors import Problem, at
from ..keywords import target, types_of
from ..patterns import ASKED_FOR, PATTERN_SECONDS, found, pattern_of
from ..sentences import Told, missing_beside, no_match, no_multiple, of_wrong_size, out_of_bounds, too_slow
from .accept import compiled
from .budget import step
from .equal import is_one_of, repeated
from .rules import Accept, Build, is_multiple, is_number, kinds_of, simple_rule
from .scan import MAX_PROBLEMS
from .unions import any_of, one_of
from .words import (
    Cured,
    of_missing,
    of_no_choice,
    of_other_constant,
    of_repeated,
    of_unknown,
    of_wrong_type,
    wanted,
)

Explain = Callable[["Walk", Any, Any, str], None]


class Walk:
    """One walk along a value that was refused.

    Attributes:
        root: The whole type, where a ``$ref`` is looked up.
        problems: What was found, at most `MAX_PROBLEMS`.
        count: How many there are in all.
    """

    __slots__ = ("_build", "_checks", "_covered", "_known", "_path", "_plans", "_text", "count", "problems", "root")

    def __init__(
        self,
        root: Any,
        checks: dict[int, tuple[Any, Accept]],
        told: Sequence[Problem],
        places: Iterable[str],
        plans: dict[int, Plan],
    ) -> None:
        self.root = root
        self.problems = list(told[:MAX_PROBLEMS])
        self.count = len(told)
        self._covered = frozenset(places)  # of these values, and of what is in them, everything is said
        self._known: set[str] = set()  # of these values themselves everything is said
        self._text: str | None = None  # the author's text of the node at hand
        self._path = ""  # where that node stands
        self._build: Build | None = None  # made for the first part that was never asked before
        self._checks = checks
        self._plans = plans

    def fits(self, node: Any, value: Any, path: str, key: str | int | None = None) -> bool:
        """Tell whether *value* fits *node*; a pattern that takes too long is a problem at *path*, or at its *key*."""
        kept = self._checks.get(id(node))
        if kept is None:
            build = self._build = self._build or Build(self.root, compiled, trusted=True)
            # the node is kept beside its check, so that its id stays its own
            kept = self._checks[id(node)] = (node, compiled(node, build, 0))
        try:
            return kept[1](value)
        except TimeoutError:
            self.slow(path if key is None else at(path, key))
            return False

    def member(self, node: Any, value: Any, path: str, key: str | int) -> None:
        """Add what is wrong with *value*, which stands under *key* at *path*: where it fits, no path is made."""
        if not self.fits(node, value, path, key):
            self.look(node, value, at(path, key), refused=True)

    def slow(self, path: str) -> None:
        """Add, once, that the value at *path* took too long."""
        if not any(p.code == "too_slow" and p.path == path for p in self.problems):
            self.add(path, lambda: too_slow(PATTERN_SECONDS))

    def take(self, known: Iterable[Problem]) -> None:
        """Add what is *known* of values that are no JSON; nothing more is said of them."""
        new = [p for p in known if not self._is_covered(p.path)]
        self._known.update(p.path for p in new)
        self.count += len(new)
        self.problems += new[: MAX_PROBLEMS - len(self.problems)]

    def _is_covered(self, path: str) -> bool:
        places = self._covered
        return bool(places) and (path in places or any(c in ".[" and path[:i] in places for i, c in enumerate(path)))

    def add(self, path: str, told: Callable[[], Told | Cured]) -> None:
        """Add a problem; what is *told* of it, its code, message and perhaps a cure, is only made where it is listed."""
        if path in self._known or self._is_covered(path):
            return
        self.count += 1
        if len(self.problems) < MAX_PROBLEMS:
            code, message, *cure = told()
            hint = cure[0] if cure else ""
            if self._text:
                hint = f"{self._text}; {hint}" if hint else self._text
            self.problems.append(Problem(code=code, path=path, message=message, hint=hint))

    def listed(self, path: str) -> list[Problem]:
        """Return the problems; where there are too many the last one counts the rest."""
        if self.count <= MAX_PROBLEMS:
            return self.problems
        rest = self.count - MAX_PROBLEMS + 1
        more = Problem(code="more_problems", path=path, message=f"{plural(rest, 'more problem')}")
        return [*self.problems[: MAX_PROBLEMS - 1], more]

    def look(self, node: Any, value: Any, path: str, *, refused: bool = False) -> None:
        """Add what is wrong with *value* as a *node*, unless it fits; *refused* says that it does not."""
        if not refused and self.fits(node, value, path):
            return
        while not isinstance(node, bool) and len(node) == 1 and "$ref" in node:
            step()
            node = target(self.root, node["$ref"])  # without a frame, of which a deep value takes many
        if isinstance(node, bool):
            if not node:
                self.add(path, lambda: ("not_allowed", f"{quoted(value)} is not allowed here", "leave it out"))
            return
        plan = self._plans.get(id(node)) or self._plans.setdefault(id(node), Plan(node))
        outer_text, outer_path = self._text, self._path
        # a variant without a text of its own is spoken of with that of its union
        self._text = plan.text or (outer_text if path == outer_path else None)
        self._path = path
        if plan.types is not None and set(plan.types).isdisjoint(kinds_of(value)):
            self.wrong_type(value, plan.types, path, node.get("enum", ()))
        elif not plan.fixed or not self._wrong_choice(node, value, path):
            for explain in plan.rows:
                explain(self, node, value, path)
        self._text, self._path = outer_text, outer_path

    def wrong_type(self, value: Any, kinds: tuple[str, ...], path: str, allowed: Any = ()) -> None:
        """Add that *value* has none of the types *kinds*."""
        self.add(path, lambda: of_wrong_type(value, kinds, allowed))

    def _wrong_choice(self, node: Any, value: Any, path: str) -> bool:
        """Add the one problem of a value outside a fixed set: no other keyword matters then."""
        if "const" in node and not is_one_of(value, [node["const"]]):
            self.add(path, lambda: of_other_constant(value, node["const"]))
            return True
        if "enum" in node and not is_one_of(value, node["enum"]):
            self.add(path, lambda: of_no_choice(value, node["enum"]))
            return True
        return False


class Plan:
    """What has to be asked about a value of one node, worked out once.

    Attributes:
        node: The node, kept so that its id stays its own.
        text: The author's failure text.
        types: The types that it names, ``None`` where it names none.
        fixed: Whether its values are fixed.
        rows: Those of `EXPLANATIONS` that it needs.
    """

    __slots__ = ("fixed", "node", "rows", "text", "types")

    def __init__(self, node: Any) -> None:
        self.node = node
        self.text = author_text(node)
        self.types = types_of(node) if "type" in node else None
        self.fixed = "const" in node or "enum" in node
        self.rows = tuple(explain for keyword, explain in EXPLANATIONS.items() if keyword in node)


def author_text(node: Any) -> str | None:
    """Return the author's failure text of *node*."""
    text = getattr(node, "error", None)
    if text is None:
        text = node.get("x-error")
    return text if isinstance(text, str) and text else None


def _bound(keyword: str) -> Explain:
    def explain(walk: Walk, node: Any, value: Any, path: str) -> None:
        if not _fits(keyword, node, value):
            walk.add(path, lambda: out_of_bounds(keyword, value, node[keyword]))

    return explain


def _fits(keyword: str, node: Any, value: Any) -> bool:
    return simple_rule(keyword, node)(value)


def _size(keyword: str) -> Explain:
    def explain(walk: Walk, node: Any, value: Any, path: str) -> None:
        if not _fits(keyword, node, value):
            walk.add(path, lambda: of_wrong_size(keyword, value, len(value), node[keyword]))

    return explain


def _multiple_of(walk: Walk, node: Any, value: Any, path: str) -> None:
    if is_number(value) and not is_multiple(value, node["multipleOf"]):
        walk.add(path, lambda: no_multiple(value, node["multipleOf"]))


def _pattern(walk: Walk, node: Any, value: Any, path: str) -> None:
    if type(value) is not str:
        return
    text = node["pattern"]
    try:
        matches = found(pattern_of(text), value)
    except TimeoutError:
        walk.slow(path)
    else:
        if not matches:
            walk.add(path, lambda: no_match(value, text, ASKED_FOR.get(text)))


def _format(walk: Walk, node: Any, value: Any, path: str) -> None:
    from ..formats import FORMATS, cure_of  # noqa: PLC0415 - not needed where no type has a format

    if not _fits("format", node, value):
        _, name, _ = FORMATS[node["format"]]
        walk.add(path, lambda: ("wrong_format", f"{quoted(value)} is not {name}", cure_of(value, node["format"])))


def _unique_items(walk: Walk, node: Any, value: Any, path: str) -> None:
    if node["uniqueItems"] and type(value) is list:
        for first, again in repeated(value):
            walk.add(at(path, again), partial(of_repeated, value[again], at(path, first)))


def _items(walk: Walk, node: Any, value: Any, path: str) -> None:
    if type(value) is not list:
        return
    places = node.get("prefixItems", ())
    for index, (place, item) in enumerate(zip(places, value, strict=False)):
        walk.member(place, item, path, index)
    rest = node.get("items", True)
    surplus = len(value) - len(places)
    if rest is False:
        if surplus > 0 and _fits_optional("maxItems", node, value):
            walk.add(path, lambda: of_wrong_size("maxItems", value, len(value), len(places)))
        return
    for index in range(len(places), len(value)):
        walk.member(rest, value[index], path, index)


def _fits_optional(keyword: str, node: Any, value: Any) -> bool:
    return keyword not in node or _fits(keyword, node, value)


def _contains(walk: Walk, node: Any, value: Any, path: str) -> None:
    if type(value) is not list:
        return
    inner = node["contains"]
    count = sum(walk.fits(inner, item, at(path, index)) for index, item in enumerate(value))
    low, high = node.get("minContains", 1), node.get("maxContains")
    named = f"the list has {plural(count, 'item')} that fit {wanted(inner)}"
    if count < low:
        walk.add(path, lambda: ("missing_item", f"{named}, at least {low} are needed"))
    elif high is not None and count > high:
        walk.add(path, lambda: ("too_many_items", f"{named}, at most {high} are allowed"))


def _required(walk: Walk, node: Any, value: Any, path: str) -> None:
    if type(value) is dict:
        fields = node.get("properties", {})
        for name in node["required"]:
            if name not in value:
                walk.add(at(path, name), partial(of_missing, name, fields.get(name)))


def _members(walk: Walk, node: Any, value: Any, path: str) -> None:
    if type(value) is not dict:
        return
    fields = node.get("properties", {})
    patterns = node.get("patternProperties", {})
    rest = node.get("additionalProperties", True)
    for key, item in value.items():
        if not patterns and key in fields:  # nearly every key
            walk.member(fields[key], item, path, key)
            continue
        where = at(path, key)
        checks = [part for pattern, part in patterns.items() if _matches(walk, pattern, key, where)]
        if key in fields:
            checks.append(fields[key])
        if not checks and rest is False:
            walk.add(where, partial(of_unknown, key, fields, value))
        for check in checks or (() if rest is False else (rest,)):
            walk.look(check, item, where)


def _matches(walk: Walk, pattern: str, key: str, path: str) -> bool:
    try:
        return found(pattern_of(pattern), key)
    except TimeoutError:
        walk.slow(path)
        return False


def _property_names(walk: Walk, node: Any, value: Any, path: str) -> None:
    if type(value) is dict:
        for key in value:
            walk.look(node["propertyNames"], key, at(path, key))


def _dependent_required(walk: Walk, node: Any, value: Any, path: str) -> None:
    if type(value) is not dict:
        return
    for key, names in node["dependentRequired"].items():
        for name in names if key in value else ():
            if name not in value:
                walk.add(at(path, name), partial(missing_beside, name, key))


def _dependent_schemas(walk: Walk, node: Any, value: Any, path: str) -> None:
    if type(value) is dict:
        for key, part in node["dependentSchemas"].items():
            if key in value:
                walk.look(part, value, path)


def _ref(walk: Walk, node: Any, value: Any, path: str) -> None:
    walk.look(target(walk.root, node["$ref"]), value, path)


def _all_of(walk: Walk, node: Any, value: Any, path: str) -> None:
    for part in node["allOf"]:
        walk.look(part, value, path)


def _not(walk: Walk, node: Any, value: Any, path: str) -> None:
    inner = node["not"]
    if walk.fits(inner, value, path):
        walk.add(path, lambda: ("not_allowed", f"{quoted(value)} is not allowed here: {wanted(inner)}"))


def _if(walk: Walk, node: Any, value: Any, path: str) -> None:
    chosen = "then" if walk.fits(node["if"], value, path) else "else"
    if chosen in node:
        walk.look(node[chosen], value, path)


# The order in which a value's problems are told. type, enum and const come before all of them.
EXPLANATIONS: Mapping[str, Explain] = {
    "$ref": _ref,
    "minimum": _bound("minimum"),
    "maximum": _bound("maximum"),
    "exclusiveMinimum": _bound("exclusiveMinimum"),
    "exclusiveMaximum": _bound("exclusiveMaximum"),
    "multipleOf": _multiple_of,
    "minLength": _size("minLength"),
    "maxLength": _size("maxLength"),
    "format": _format,
    "pattern": _pattern,
    "minItems": _size("minItems"),
    "maxItems": _size("maxItems"),
    "uniqueItems": _unique_items,
    "items": _items,
    "prefixItems": lambda walk, node, value, path: None if "items" in node else _items(walk, node, value, path),
    "contains": _contains,
    "minProperties": _size("minProperties"),
    "maxProperties": _size("maxProperties"),
    "properties": _members,
    "patternProperties": lambda w, n, v, p: None if "properties" in n else _members(w, n, v, p),
    "additionalProperties": lambda w, n, v, p: (
        None if "properties" in n or "patternProperties" in n else _members(w, n, v, p)
    ),
    "required": _required,
    "propertyNames": _property_names,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependent_schemas,
    "allOf": _all_of,
    "anyOf": any_of,
    "oneOf": one_of,
    "not": _not,
    "if": _if,
}
