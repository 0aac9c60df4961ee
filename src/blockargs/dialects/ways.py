"""Ways: how a value goes to the form that a rewrite gave its schema, and back again.

Each class undoes one kind of rewrite. ``back`` never raises: what it cannot
read it hands on as it came, for decoding to judge with its own schema.
"""

# ruff: noqa: ARG002 - all ways have one signature
from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from .._text import quoted
from ..errors import Note, Problem, at
from ..imported import unrepeated
from ..keywords import MAX_TEXT
from ..node import json_key


@dataclass(slots=True)
class Undoing:
    """What was changed, and what has two readings, on the way back."""

    notes: list[Note] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class Way(Protocol):
    """The way of one node's values."""

    def back(self, value: Any, path: str, undoing: Undoing) -> Any:
        """Return *value* as the block's own schema has it."""

    def forth(self, value: Any) -> Any:
        """Return *value* as the export's schema has it."""


def read_json(text: str) -> Any:
    """Return the value of JSON *text*; no key may come twice, no number may be infinite.

    Raises:
        ValueError: It is no such text.
    """
    if len(text) > MAX_TEXT:
        raise ValueError(f"it is {len(text)} characters long; at most {MAX_TEXT} are read")

    def finite(word: str) -> Any:
        raise ValueError(f"{word} is no JSON number")

    try:
        return json.loads(text, object_pairs_hook=unrepeated, parse_constant=finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


@dataclass(frozen=True, slots=True)
class JsonText:
    """A value that is given as JSON text."""

    def back(self, value: Any, path: str, undoing: Undoing) -> Any:
        """Read the text; what is no JSON stays the text it is."""
        if not isinstance(value, str):
            return value
        try:
            out = read_json(value)
        except ValueError as reason:
            message = f"{quoted(value)} is no JSON text ({reason}); it is taken as the text itself"
            undoing.notes.append(Note(rule="json_text_kept", path=path, before=value, after=value, message=message))
            return value
        return out

    def forth(self, value: Any) -> Any:
        """Write the value as JSON text."""
        return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Values:
    """Fixed values that are listed as texts."""

    pairs: tuple[tuple[str, Any], ...]  # text, value

    def back(self, value: Any, path: str, undoing: Undoing) -> Any:
        """Return the value that the text stands for."""
        return next((v for text, v in self.pairs if text == value), value) if isinstance(value, str) else value

    def forth(self, value: Any) -> Any:
        """Return the text that stands for the value; whole numbers stay numbers."""
        key = json_key(value)
        return next((text for text, v in self.pairs if json_key(v) == key and not isinstance(v, int)), value)


@dataclass(frozen=True, slots=True)
class MixedValues(Values):
    """Fixed values of several kinds, all of them listed as texts."""

    def forth(self, value: Any) -> Any:
        """Return the text that stands for the value."""
        key = json_key(value)
        return next((text for text, v in self.pairs if json_key(v) == key), value)


@dataclass(frozen=True, slots=True)
class KeyedList:
    """A map that is given as a list of records with key and value."""

    way: Way | None

    def back(self, value: Any, path: str, undoing: Undoing) -> Any:
        """Make the list a map again; a key that comes twice is a problem."""
        if isinstance(value, Mapping):  # a model that knows better
            return {k: _back(self.way, v, at(path, k), undoing) for k, v in value.items()}
        if not isinstance(value, list) or not all(_is_pair(p) for p in value):
            return value
        out: dict[str, Any] = {}
        for pair in value:
            key = pair["key"]
            _once(out, key, path, undoing)
            out[key] = _back(self.way, pair["value"], at(path, key), undoing)
        return out

    def forth(self, value: Any) -> Any:
        """Make the map a list."""
        if not isinstance(value, Mapping):
            return value
        return [{"key": k, "value": _forth(self.way, v)} for k, v in value.items()]


@dataclass(frozen=True, slots=True)
class Member:
    """One field of a record on the wire."""

    name: str
    way: Way | None = None
    optional: bool = False  # null stands for "left out"


@dataclass(frozen=True, slots=True)
class Record:
    """A record: other names, null for what is left out, a list of further keys."""

    members: Mapping[str, Member]  # by wire name
    extra: str | None = None  # wire name of the list of further keys
    further: Way | None = None  # of keys that are no field

    def back(self, value: Any, path: str, undoing: Undoing) -> Any:
        """Return the record under its own names, without what was left out."""
        if not isinstance(value, Mapping):
            return value
        out: dict[str, Any] = {}
        for wire, one in value.items():
            member = self.members.get(wire)
            if wire == self.extra or (member is not None and member.optional and one is None):
                continue
            name, way = (wire, self.further) if member is None else (member.name, member.way)
            _once(out, name, path, undoing)
            out[name] = _back(way, one, at(path, name), undoing)
        if self.extra is not None:
            self._spread(value.get(self.extra), out, path, undoing)
        return out

    def _spread(self, given: Any, out: dict[str, Any], path: str, undoing: Undoing) -> None:
        if given is None:
            return
        more = _back(self.members[self.extra or ""].way, given, path, undoing)
        if not isinstance(more, Mapping):
            out[self.extra or ""] = more
            return
        for key, one in more.items():
            _once(out, key, path, undoing)
            out[key] = one

    def forth(self, value: Any) -> Any:
        """Return the record as it is written on the wire."""
        if not isinstance(value, Mapping):
            return value
        out: dict[str, Any] = {}
        known = set()
        for wire, member in self.members.items():
            if wire == self.extra:
                continue
            known.add(member.name)
            if member.name in value:
                out[wire] = _forth(member.way, value[member.name])
            elif member.optional:
                out[wire] = None
        more = {k: v for k, v in value.items() if k not in known}
        if self.extra is None:
            return {**out, **{k: _forth(self.further, v) for k, v in more.items()}}
        extra = self.members[self.extra]
        if more or extra.optional:
            out[self.extra] = _forth(extra.way, more) if more else None
        return out


@dataclass(frozen=True, slots=True)
class Items:
    """A list: places with ways of their own, and what follows them."""

    places: tuple[Way | None, ...]
    rest: Way | None

    def back(self, value: Any, path: str, undoing: Undoing) -> Any:
        """Lead each member back."""
        if not isinstance(value, list):
            return value
        return [_back(self._way(i), v, at(path, i), undoing) for i, v in enumerate(value)]

    def forth(self, value: Any) -> Any:
        """Lead each member forth."""
        return [_forth(self._way(i), v) for i, v in enumerate(value)] if isinstance(value, list) else value

    def _way(self, index: int) -> Way | None:
        return self.places[index] if index < len(self.places) else self.rest


@dataclass(frozen=True, slots=True)
class Numbered:
    """A list of fixed places that is given as the record of ``item_1``, ``item_2`` and so on."""

    places: tuple[Way | None, ...]
    optional: frozenset[str] = frozenset()

    def back(self, value: Any, path: str, undoing: Undoing) -> Any:
        """Make the record a list again, up to the first place that is left out."""
        if not isinstance(value, Mapping):
            return Items(self.places, None).back(value, path, undoing)
        names = [f"item_{i + 1}" for i in range(len(self.places))]
        given = [n for n in names if n in value and not (n in self.optional and value[n] is None)]
        if given != names[: len(given)] or not value.keys() <= set(names):
            return value
        return [_back(self.places[i], value[n], at(path, i), undoing) for i, n in enumerate(given)]

    def forth(self, value: Any) -> Any:
        """Make the list a record."""
        if not isinstance(value, list) or len(value) > len(self.places):
            return value
        out = {f"item_{i + 1}": _forth(self.places[i], v) for i, v in enumerate(value)}
        return {**out, **{n: None for n in sorted(self.optional) if n not in out}}


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a union."""

    way: Way | None
    fits: Callable[[Any], bool]  # whether a value on the wire is of this branch
    was: Callable[[Any], bool]  # whether a value of the block's own schema is


@dataclass(frozen=True, slots=True)
class Union:
    """A union: the branch decides the way."""

    branches: tuple[Branch, ...]

    def back(self, value: Any, path: str, undoing: Undoing) -> Any:
        """Lead the value back by the branch it fits; two branches that disagree are a problem."""
        found: dict[Any, tuple[Any, Undoing]] = {}
        for branch in self.branches:
            if branch.fits(value):
                own = Undoing()
                out = _back(branch.way, value, path, own)
                if branch.was(out):
                    found.setdefault(json_key(out), (out, own))
        if not found:  # decoding names what is wrong
            return value
        if len(found) > 1:
            readings = " and ".join(quoted(out, 80) for out, _ in found.values())
            message = f"{quoted(value)} has more than one reading: {readings}"
            undoing.problems.append(Problem(code="ambiguous", path=path, message=message))
        out, own = next(iter(found.values()))
        undoing.notes += own.notes
        undoing.problems += own.problems
        return out

    def forth(self, value: Any) -> Any:
        """Lead the value forth by the branch it is of."""
        for branch in self.branches:
            if branch.was(value):
                return _forth(branch.way, value)
        return value


@dataclass(slots=True)
class Named:
    """The way of a definition, found when it is walked."""

    name: str
    table: dict[str, Way | None]

    def back(self, value: Any, path: str, undoing: Undoing) -> Any:
        """Go the definition's way."""
        return _back(self.table.get(self.name), value, path, undoing)

    def forth(self, value: Any) -> Any:
        """Go the definition's way."""
        return _forth(self.table.get(self.name), value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, Mapping) and value.keys() == {"key", "value"} and isinstance(value["key"], str)


def _once(out: Mapping[str, Any], key: str, path: str, undoing: Undoing) -> None:
    """Say that *key* was given under two names, or twice."""
    if key in out:
        message = f"{quoted(key)} is given twice"
        undoing.problems.append(Problem(code="duplicate_key", path=at(path, key), message=message, hint="give it once"))


def _back(way: Way | None, value: Any, path: str, undoing: Undoing) -> Any:
    return value if way is None else way.back(value, path, undoing)


def _forth(way: Way | None, value: Any) -> Any:
    return value if way is None else way.forth(value)
