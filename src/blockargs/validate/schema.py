"""Whether a node is a JSON Schema (draft 2020-12) that can be taken, and every reason why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .._text import did_you_mean, quoted
from ..errors import Problem, at
from ..keywords import MANY, MAX_DEPTH, NAMED, ONE, Pointer, children, is_local, target
from ..patterns import pattern_of
from .rules import is_multiple
from .scan import INFINITY, plain_json
from .words import kind

MAX_NODES = 100_000
TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
_LATEST = "https://json-schema.org/draft/2020-12/schema"
_EARLIER = (
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
)
# keywords of earlier drafts that draft 2020-12 does not know
_RETIRED = {
    "additionalItems": "use prefixItems and items",
    "dependencies": "use dependentRequired or dependentSchemas",
    "$recursiveRef": "use $ref",
    "$recursiveAnchor": "use $ref",
}
_PYTHON_NAMES = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "list": "array",
    "tuple": "array",
    "dict": "object",
    "record": "object",
    "None": "null",
    "none": "null",
}

Wrong = str | tuple[str, str] | None  # what is wrong with a keyword's value, perhaps with a hint


def schema_problems(node: Any) -> list[Problem]:
    """Return everything that keeps *node* from being taken as a schema; nothing when it can be.

    It must be JSON, valid by the meta-schema of draft 2020-12 (an earlier one
    may be named where no keyword in it changed its meaning) and without an empty
    ``enum``, which most providers refuse with the whole request, at most 100
    schemas deep and 100,000 in all, with patterns that compile, and each
    ``$ref`` must lead to a place inside it. Nothing is ever fetched. Paths lead
    into the schema. Codes: ``keyword_invalid, type_unknown, pattern_invalid,
    ref_not_local, ref_unresolved, ref_circular, id_nested, draft_unsupported,
    not_json, too_deep, too_big``.
    """
    return _Inspection(node).done()


def cure_of_no_schema(given: Any) -> str:
    """Return where the schema is that was meant by *given*, a mapping or not; ``""`` where its class does not know."""
    cure: str = getattr(type(given), "_no_schema", "")
    return cure


class _Inspection:
    __slots__ = ("anchors", "count", "ids", "nodes", "problems", "refs", "root")

    def __init__(self, root: Any) -> None:
        self.root = root
        self.count = 0
        self.problems: list[Problem] = []
        self.nodes: dict[int, tuple[str, Any]] = {}  # id -> path and node, so that each is looked at once
        self.refs: list[tuple[str, Any]] = []  # nodes with a reference
        self.anchors: dict[str, Any] = {}
        self.ids: list[str] = []  # paths of the nested $id

    def done(self) -> list[Problem]:
        self.walk("$", self.root)
        if self.problems:
            return self.problems
        dialect = self.root.get("$schema") if isinstance(self.root, Mapping) else None
        if dialect is not None:
            self.dialect(dialect)
        index = 0
        while index < len(self.refs):  # what a reference leads to may hold further ones
            self.reference(*self.refs[index])
            index += 1
        for path in self.ids:
            if any(where.startswith(path) for where, _ in self.refs):
                self.add(
                    "id_nested", at(path, "$id"), "a nested $id changes what each $ref below it means", "leave it out"
                )
        if not self.problems:
            self.loops()
        return self.problems

    def add(self, code: str, path: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(code=code, path=path, message=message, hint=hint))

    def walk(self, path: str, start: Any) -> None:
        stack: list[tuple[str, Any, int]] = [(path, start, 0)]
        while stack:
            here, node, depth = stack.pop()
            if not isinstance(node, dict):  # nearly every node is one
                if isinstance(node, bool):
                    continue
                cure = cure_of_no_schema(node)
                if cure or not isinstance(node, Mapping):
                    hint = cure or "a schema is an object or a boolean"
                    self.add("keyword_invalid", here, f"{quoted(node)} is no schema", hint)
                    continue
            if depth > MAX_DEPTH:
                self.add("too_deep", here, f"schemas are nested deeper than {MAX_DEPTH} levels", "use fewer levels")
                return
            self.nodes[id(node)] = here, node
            self.count += 1
            if self.count > MAX_NODES:
                self.add("too_big", here, f"there are more than {MAX_NODES} schemas", "use fewer")
                return
            self.keywords(here, node)
            inner = [(_below(here, pointer), child, depth + 1) for pointer, child in children(node)]
            stack.extend(reversed(inner))

    def keywords(self, path: str, node: Mapping[str, Any]) -> None:
        for key, value in node.items():
            if not isinstance(key, str):
                self.add("not_json", path, f"key {quoted(key)} is not a string", "keys are strings")
                continue
            check = KEYWORDS.get(key)
            if check is None:
                plain_json(value, at(path, key), self.problems)
                continue
            where = at(path, key)
            wrong = check(value)
            if wrong is None:
                continue
            message, hint = wrong if isinstance(wrong, tuple) else (wrong, "")
            code = {"type": "type_unknown", "pattern": "pattern_invalid", "patternProperties": "pattern_invalid"}.get(
                key
            )
            self.add(code or "keyword_invalid", where, message, hint)
        if path != "$" and isinstance(node.get("$id"), str):
            self.ids.append(path)
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(name := node.get(key), str):
                self.anchors.setdefault(name, node)
        if "$ref" in node or "$dynamicRef" in node:
            self.refs.append((path, node))

    def reference(self, path: str, node: Any) -> None:
        for key in ("$ref", "$dynamicRef"):
            ref = node.get(key)
            if not isinstance(ref, str):
                continue
            where = at(path, key)
            if not is_local(ref):
                self.add(
                    "ref_not_local", where, f"{quoted(ref)} leads out of the schema", "put what it names into $defs"
                )
                continue
            found = self.found(ref)
            if not isinstance(found, Mapping | bool):
                known = [f"#/$defs/{name}" for name in self.definitions()]
                self.add("ref_unresolved", where, f"{quoted(ref)} leads nowhere", did_you_mean(ref, known))
            elif id(found) not in self.nodes:
                self.walk(where, found)

    def definitions(self) -> Any:
        defs = self.root.get("$defs", {})
        return list(defs)[:200] if isinstance(defs, Mapping) else ()

    def found(self, ref: str) -> Any:
        name = ref[1:]
        if name and not name.startswith("/"):
            return self.anchors.get(name)
        try:
            return target(self.root, ref)
        except LookupError:
            return None

    def loops(self) -> None:
        """Find references that come back to where they stand without a step into the value."""
        done: set[int] = set()
        for path, node in self.refs:
            trail: dict[int, str] = {}
            stack: list[tuple[str, Any, bool]] = [(path, node, False)]
            while stack:
                here, current, left = stack.pop()
                key = id(current)
                if left:
                    trail.pop(key, None)
                    done.add(key)
                elif key in trail:
                    self.add(
                        "ref_circular", here, "a $ref leads back to itself", "let it lead into a property or an item"
                    )
                    return
                elif key not in done:
                    trail[key] = here
                    stack.append((here, current, True))
                    stack.extend((p, n, False) for p, n in self.same_place(here, current))

    def same_place(self, path: str, node: Any) -> list[tuple[str, Any]]:
        out = [
            (_below(path, pointer), child)
            for pointer, child in children(node)
            if pointer[0] in _SAME_PLACE and isinstance(child, Mapping)
        ]
        refs = [(at(path, key), self.found(node[key])) for key in ("$ref", "$dynamicRef") if key in node]
        return out + [(where, found) for where, found in refs if isinstance(found, Mapping)]

    def dialect(self, name: str) -> None:
        given = name.rstrip("#")
        if given == _LATEST:
            return
        if given not in _EARLIER:
            self.add("draft_unsupported", "$['$schema']", f"{quoted(name)} is not supported", f"use '{_LATEST}'")
            return
        for path, node in self.nodes.values():
            self.retired(path, node)
            if given != _EARLIER[0] and "$ref" in node and not node.keys().isdisjoint(_ASSERTED):
                message = "keywords beside $ref count in draft 2020-12, and did not in the draft that is named"
                self.add("draft_unsupported", path, message, "leave out $schema, or the keywords beside $ref")

    def retired(self, path: str, node: Any) -> None:
        for key in _RETIRED.keys() & node.keys():
            message = f"draft 2020-12 does not know {quoted(key)}"
            self.add("draft_unsupported", at(path, key), message, _RETIRED[key])


_SAME_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})


def _below(path: str, pointer: Pointer) -> str:
    for key in pointer:
        path = at(path, key)
    return path


def _schema(value: Any) -> Wrong:
    if isinstance(value, Mapping | bool):
        return None
    if isinstance(value, list):
        return "a list of schemas does not stand here", "use prefixItems for the types of single places"
    return f"{quoted(value)} is no schema"


def _schemas(value: Any) -> Wrong:
    return None if isinstance(value, list | tuple) and value else f"{quoted(value)} is no list of schemas"


def _named_schemas(value: Any) -> Wrong:
    if not isinstance(value, Mapping):
        return f"{quoted(value)} is no object of schemas"
    return next((f"key {quoted(key)} is not a string" for key in value if not isinstance(key, str)), None)


def _pattern_schemas(value: Any) -> Wrong:
    return _named_schemas(value) or next((w for key in value if (w := _pattern(key))), None)


def _number(value: Any) -> Wrong:
    if kind(value) != "number" or abs(value) == INFINITY or value != value:  # noqa: PLR0124 - NaN is not itself
        return f"{quoted(value)} is no finite number"
    return None


def _positive(value: Any) -> Wrong:
    return _number(value) or (None if value > 0 else f"{quoted(value)} is not above 0")


def _count(value: Any) -> Wrong:
    return (
        None
        if not _number(value) and value >= 0 and is_multiple(value, 1)
        else f"{quoted(value)} is no whole number from 0"
    )


def _text(value: Any) -> Wrong:
    if not isinstance(value, str):
        return f"{quoted(value)} is no string"
    return _json(value)


def _flag(value: Any) -> Wrong:
    return None if isinstance(value, bool) else f"{quoted(value)} is neither true nor false"


def _json(value: Any) -> Wrong:
    problems: list[Problem] = []
    plain_json(value, "$", problems)
    return f"{problems[0].message} (at {problems[0].path})" if problems else None


def _list(value: Any) -> Wrong:
    return _json(value) if isinstance(value, list | tuple) else f"{quoted(value)} is no list"


def _choices(value: Any) -> Wrong:
    return _list(value) or (None if value else "an enum needs at least one value")


def _names(value: Any) -> Wrong:
    if not isinstance(value, list | tuple):
        return f"{quoted(value)} is no list of names"
    for one in value:
        if wrong := _text(one):
            return wrong
    return None if len(set(value)) == len(value) else "a name is listed twice"


def _named_names(value: Any) -> Wrong:
    if not isinstance(value, Mapping):
        return f"{quoted(value)} is no object of lists of names"
    return next((wrong for names in value.values() if (wrong := _names(names))), None)


def _pattern(value: Any) -> Wrong:
    if wrong := _text(value):
        return wrong
    try:
        pattern_of(value)
    except ValueError as reason:
        return f"{quoted(value)} is no regular expression: {reason}"
    return None


def _type(value: Any) -> Wrong:
    names = value if isinstance(value, list | tuple) else [value]
    for name in names:
        if not isinstance(name, str) or name not in TYPES:
            meant = _PYTHON_NAMES.get(name) if isinstance(name, str) else None
            hint = f"write '{meant}'" if meant else did_you_mean(name, TYPES)
            return f"{quoted(name)} is no type of JSON", hint or f"the types are {', '.join(TYPES)}"
    if not names:
        return "the list of types is empty"
    return None if len(set(names)) == len(names) else "a type is listed twice"


def _anchor(value: Any) -> Wrong:
    import re  # noqa: PLC0415 - seldom needed

    fits = isinstance(value, str) and re.fullmatch(r"[A-Za-z_][-A-Za-z0-9._]*", value)
    return None if fits else f"{quoted(value)} is no name for an anchor"


def _id(value: Any) -> Wrong:
    wrong = _text(value)
    return wrong or (f"{quoted(value)} has a fragment" if "#" in value.rstrip("#") else None)


# What the meta-schema asks of the value of each keyword; sub-schemas are walked, not asked here.
KEYWORDS: Mapping[str, Callable[[Any], Wrong]] = {
    **dict.fromkeys(ONE, _schema),
    **dict.fromkeys(MANY, _schemas),
    **dict.fromkeys(NAMED, _named_schemas),
    "patternProperties": _pattern_schemas,
    "type": _type,
    "enum": _choices,
    "const": _json,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _number),
    "multipleOf": _positive,
    **dict.fromkeys(
        "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains".split(), _count
    ),
    "uniqueItems": _flag,
    "pattern": _pattern,
    "required": _names,
    "dependentRequired": _named_names,
    **dict.fromkeys(
        "$schema $ref $dynamicRef $comment title description format contentEncoding contentMediaType".split(), _text
    ),
    "$id": _id,
    "$anchor": _anchor,
    "$dynamicAnchor": _anchor,
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly"), _flag),
    "examples": _list,
    "default": _json,
}
_ASSERTED = frozenset(KEYWORDS) - frozenset(
    "$schema $ref $id $comment $defs definitions title description default examples deprecated readOnly writeOnly "
    "contentEncoding contentMediaType contentSchema".split()
)
