"""The way of a whole schema, read from the marks that the rewrites left in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..keywords import Schema, types_of, walk
from ..node import ArgType
from ..validate import validator_of
from .marks import MARK, WAS, stripped
from .rewrites.facts import is_null
from .ways import (
    Branch,
    Items,
    JsonText,
    KeyedList,
    Member,
    MixedValues,
    Named,
    Numbered,
    Record,
    Union,
    Values,
    Way,
)

_JSON = JsonText()


def way_of(marked: Schema, canonical: Schema) -> Way | None:
    """Return the way of the values of *marked*; ``None`` where values are written as they are.

    Args:
        marked: The rewritten schema, with its marks.
        canonical: The block's own schema, whose definitions the branches of unions may name.
    """
    if not any(MARK in node and set(node[MARK]) - {"told"} for _, node in walk(marked)):
        return None
    return _Ways(marked, canonical).whole()


class _Ways:
    """Reads the ways of the nodes of one schema."""

    def __init__(self, marked: Schema, canonical: Schema) -> None:
        self._root = marked
        self._defs = stripped(marked.get("$defs", {}))
        self._own_defs = canonical.get("$defs", {})
        self._table: dict[str, Way | None] = {}

    def whole(self) -> Way | None:
        for name, body in self._root.get("$defs", {}).items():
            self._table[name] = self._way(body)
        return self._way({k: v for k, v in self._root.items() if k != "$defs"})

    def _way(self, node: Any) -> Way | None:
        if not isinstance(node, Mapping):
            return None
        facts = node.get(MARK, {})
        for fact, reader in _READERS.items():
            if fact in facts:
                return reader(self, node, facts)
        if "$ref" in node:
            return Named(str(node["$ref"]).rsplit("/", 1)[-1], self._table)
        if "anyOf" in node or "oneOf" in node:
            return self._union([*node.get("anyOf", ()), *node.get("oneOf", ())])
        if isinstance(node.get("properties"), Mapping) or isinstance(node.get("additionalProperties"), Mapping):
            return self._record(node, facts)
        if "prefixItems" in node or isinstance(node.get("items"), Mapping):
            return self._list(node.get("prefixItems", ()), node.get("items"))
        return None

    def _list(self, places: Any, rest: Any) -> Way | None:
        ways = tuple(self._way(p) for p in places)
        further = self._way(rest)
        return Items(ways, further) if further is not None or any(w is not None for w in ways) else None

    def _positions(self, _: Schema, facts: Mapping[str, Any]) -> Way | None:
        return self._list(facts["places"], facts["further"])

    def _keyed(self, node: Schema, _: Mapping[str, Any]) -> Way:
        return KeyedList(self._way(node["items"]["properties"]["value"]))

    def _numbered(self, node: Schema, facts: Mapping[str, Any]) -> Way:
        places = tuple(self._way(node["properties"][f"item_{i + 1}"]) for i in range(facts["record"]))
        return Numbered(places, frozenset(facts.get("optional", ())))

    def _record(self, node: Schema, facts: Mapping[str, Any]) -> Way | None:
        names, optional = facts.get("names", {}), facts.get("optional", ())
        members = {
            wire: Member(names.get(wire, wire), self._way(field), wire in optional)
            for wire, field in node.get("properties", {}).items()
        }
        extra = facts.get("extra")
        if extra is not None:
            value = members[extra].way
            keyed = value.rest if isinstance(value, Items) else None
            inner = keyed.members["value"].way if isinstance(keyed, Record) else None
            members[extra] = Member(extra, KeyedList(inner), extra in optional)
        further = self._way(node.get("additionalProperties"))
        plain = further is None and extra is None and not names and not optional
        if plain and all(m.way is None for m in members.values()):
            return None
        return Record(members, extra, further)

    def _union(self, branches: list[Any]) -> Way | None:
        given = [b for b in branches if not is_null(b)]
        ways = [self._way(b) for b in given]
        if all(w is None for w in ways):
            return None
        if len(given) == 1:
            return ways[0]
        return Union(
            tuple(
                Branch(way, self._check(stripped(b), self._defs), self._check(stripped(b.get(WAS, b)), self._own_defs))
                for way, b in zip(ways, given, strict=True)
            )
        )

    def _check(self, node: Schema, defs: Mapping[str, Any]) -> Callable[[Any], bool]:
        made: list[Callable[[Any], bool]] = []

        def fits(value: Any) -> bool:
            if not made:  # most unions never have to be asked
                made.append(validator_of(ArgType({**node, "$defs": defs} if defs else node)).accepts)
            return made[0](value)

        return fits


_READERS: dict[str, Callable[[_Ways, Schema, Mapping[str, Any]], Way | None]] = {
    "json": lambda *_: _JSON,
    "values": lambda _, node, facts: _values(node, facts["values"]),
    "map": _Ways._keyed,  # noqa: SLF001 - its own class
    "record": _Ways._numbered,  # noqa: SLF001 - its own class
    "places": _Ways._positions,  # noqa: SLF001 - its own class
}


def _values(node: Schema, pairs: tuple[tuple[str, Any], ...]) -> Way:
    mixed = "string" in types_of(node) and any(not isinstance(v, str) for _, v in pairs)
    return MixedValues(pairs) if mixed else Values(pairs)
