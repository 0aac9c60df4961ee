"""What nothing fits: ``false``, and a record that requires what it does not take; and no bare ``true`` and ``false``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._text import listing, quoted
from ...errors import Note, at
from ...keywords import REMARKS, Pointer, Schema, children, definition_in, rebuilt, types_of, walk
from ..dialect import RefusedError
from ..marks import below
from .facts import BY_TYPE, Result, changed
from .objects import BESIDE, further, never_given, undeclared

_NO_RECORDS = ["null", "boolean", "number", "string", "array"]
_CHOICES = frozenset({"anyOf", "oneOf", "allOf", "$ref", "const", "enum", "not", "if"})


def no_booleans(schema: Schema, path: str) -> Result:
    """Write the schemas ``true`` and ``false`` as objects; a field that can never be given is left out.

    What refuses everything in another spelling is ``false`` too.

    Raises:
        RefusedError: A record that every call needs requires a key which it does not take.
    """
    notes: list[Note] = []
    if not _has_booleans(schema):
        return schema, notes
    nothing = Nothing(schema)
    nothing.refuse_needed(schema, path)

    def part(child: Any, pointer: Pointer, node: Schema, where: str, *, needed: bool) -> Any:
        inside = below(where, pointer)
        needed = needed and pointer[0] == "properties" and pointer[1] in node.get("required", ())
        if nothing.fits(child) and not (needed and _is_record(child)):
            child = False
        if isinstance(child, Mapping):
            own = child if pointer[0] in BESIDE and "type" not in child else _narrowed(child, inside, nothing, notes)
            return visit(own, inside, needed=needed)
        if _may_be_bare(pointer, child):
            return child
        return {} if child else {"not": {}}

    def visit(node: Schema, where: str, *, needed: bool) -> dict[str, Any]:
        out = rebuilt(node, lambda child, pointer: part(child, pointer, node, where, needed=needed))
        return _without(out, node, where, notes, nothing)

    out = visit(schema, path, needed=True)
    if nothing.definitions:  # nothing leads there any more
        out["$defs"] = {n: d for n, d in out["$defs"].items() if n not in nothing.definitions}
    return out, notes


class Nothing:
    """Knows which nodes of a schema nothing fits.

    Attributes:
        definitions: The names of the definitions that are such, also where one only leads to another.
    """

    def __init__(self, schema: Schema) -> None:
        self._defs: Mapping[str, Any] = schema.get("$defs", {})
        self._known: dict[int, bool] = {}  # by node: all of them live as long as the schema
        self.definitions: set[str] = set()
        leading: dict[str | None, list[str]] = {}  # name -> the definitions that lead there
        for name, body in self._defs.items():
            for inner in {_definition(node) for _, node in walk(body)}:
                leading.setdefault(inner, []).append(name)
        waiting = list(self._defs)
        while waiting:
            name = waiting.pop()
            self._known.clear()
            if name not in self.definitions and self.fits(self._defs[name]):
                self.definitions.add(name)
                waiting += leading.get(name, ())
        self._known.clear()

    def fits(self, node: Any) -> bool:
        """Tell whether nothing fits *node*."""
        if not isinstance(node, Mapping):
            return node is False
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = self._found(node)
        return known

    def _found(self, node: Schema) -> bool:
        if is_never(node) or _definition(node) in self.definitions or any(map(self.fits, node.get("allOf", ()))):
            return True
        if any(node.get(key) and all(map(self.fits, node[key])) for key in ("anyOf", "oneOf")):
            return True
        return _is_record(node) and self.no_record(node)

    def no_record(self, node: Schema) -> bool:
        """Tell whether no record fits *node*: it requires a key of which no value fits."""
        fields = node.get("properties", {})
        if any(name in fields and self.fits(fields[name]) for name in node.get("required", ())):
            return True
        return self.missing(node) is not None

    def missing(self, node: Schema) -> str | None:
        """Return a key that the record *node* requires, does not describe, and does not take."""
        return next((name for name in undeclared(node) if self.fits(further(node, name))), None)

    def refuse_needed(self, schema: Schema, path: str) -> None:
        """Refuse a record that requires such a key, and is itself required, up to the root."""
        waiting: list[tuple[Any, str]] = [(schema, path)]
        seen: set[str] = set()
        while waiting:
            node, where = waiting.pop()
            while isinstance(node, Mapping) and (name := _definition(node)) is not None and name not in seen:
                seen.add(name)
                node = self._defs.get(name)
            if not isinstance(node, Mapping) or not _is_record(node):
                continue
            if (key := self.missing(node)) is not None:
                raise RefusedError(never_given(key, where))
            fields = node.get("properties", {})
            waiting += [(fields[n], at(where, n)) for n in node.get("required", ()) if n in fields]


def _definition(node: Schema) -> str | None:
    ref = node.get("$ref")
    return definition_in(ref) if isinstance(ref, str) else None


def _is_record(node: Any) -> bool:
    return isinstance(node, Mapping) and node.get("type") == "object"


def _narrowed(node: Schema, where: str, nothing: Nothing, notes: list[Note]) -> Schema:
    """Return *node* without its record, where no record fits but values of other types do."""
    kinds = list(types_of(node))
    left = [k for k in kinds if k != "object"] if kinds else _NO_RECORDS
    if "required" not in node or not left or left == kinds or not (kinds or _CHOICES.isdisjoint(node)):
        return node
    if not nothing.no_record(node):
        return node
    message = f"no record can be given here, only {listing(left, last='or')}"
    notes.append(changed("record_never", where, kinds or None, left, message))
    rest = {k: v for k, v in node.items() if k not in BY_TYPE["object"]}
    return {**rest, "type": left if len(left) > 1 else left[0]}


def _without(out: dict[str, Any], node: Schema, where: str, notes: list[Note], nothing: Nothing) -> dict[str, Any]:
    """Leave the branches, places and optional fields of *node* that nothing fits out of what is made of it."""
    out = _with_branches_that_fit(out, node, nothing)
    if "propertyNames" in node and nothing.fits(node["propertyNames"]):
        out = {**{k: v for k, v in out.items() if k != "propertyNames"}, "maxProperties": 0}
    places = node.get("prefixItems", ())
    if (count := next((i for i, place in enumerate(places) if nothing.fits(place)), None)) is not None:
        out = {**out, "prefixItems": out["prefixItems"][:count], "items": False}
        if not count:
            del out["prefixItems"]
    needed = node.get("required", ())
    for name in [n for n, s in node.get("properties", {}).items() if n not in needed and nothing.fits(s)]:
        del out["properties"][name]
        notes.append(changed("field_never", at(where, name), False, None, f"{quoted(name)} can never be given"))
    return out


def _with_branches_that_fit(out: dict[str, Any], node: Schema, nothing: Nothing) -> dict[str, Any]:
    for key in ("anyOf", "oneOf"):
        if not any(map(nothing.fits, node.get(key, ()))):
            continue
        left = [b for b, old in zip(out[key], node[key], strict=True) if not nothing.fits(old)]
        out = {**out, key: left} if left else {**{k: v for k, v in out.items() if k != key}, "not": {}}
    return out


def _may_be_bare(pointer: Pointer, child: Any) -> bool:
    """Tell whether a bare schema stays: closing an object or a list is a matter of its own."""
    return pointer[0] in ("additionalProperties", "unevaluatedProperties") or (
        pointer[0] in ("items", "unevaluatedItems") and not child
    )


def _has_booleans(node: Any) -> bool:
    stack: list[Any] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, bool):
            return True
        # nearly every node is told by two keys that it has not
        if ("not" in current and is_never(current)) or ("required" in current and asks_the_impossible(current)):
            return True
        for pointer, child in children(current):
            if isinstance(child, Mapping) or not _may_be_bare(pointer, child):
                stack.append(child)
    return False


def is_never(node: Schema) -> bool:
    """Tell whether *node* refuses every value, and says so outright."""
    return "not" in node and (node["not"] is True or node["not"] == {}) and node.keys() - REMARKS == {"not"}


def asks_the_impossible(node: Schema) -> bool:
    """Tell whether *node* requires a key of records which it takes none of."""
    closed = node.get("additionalProperties") is False or "patternProperties" in node
    return closed and any(further(node, name) is False for name in undeclared(node))
