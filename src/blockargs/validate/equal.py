"""JSON equality: ``1`` and ``1.0`` are equal, ``1`` and ``true`` are not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def json_key(value: Any) -> Any:
    """Return a hashable key that is equal for equal JSON: ``1`` and ``1.0`` are, ``1`` and ``true`` are not."""
    if isinstance(value, bool):
        return (bool, value)  # the class itself stands in no JSON, so no list can look like this pair
    if isinstance(value, Mapping):
        return frozenset((k, json_key(v)) for k, v in value.items())
    if isinstance(value, list | tuple):
        return tuple(json_key(v) for v in value)
    return value


def first_repeated(values: list[Any]) -> tuple[int, int] | None:
    """Return the places ``(first, again)`` of the first value that stands twice in *values*."""
    seen: dict[Any, int] = {}
    for index, value in enumerate(values):
        first = seen.setdefault(json_key(value), index)
        if first != index:
            return first, index
    return None


def plain(value: Any) -> Any:
    """Return JSON *value* out of a type as ordinary lists and dicts."""
    if isinstance(value, Mapping):
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list | tuple) else value


class Allowed:
    """A fixed set of JSON values, asked by JSON equality.

    Attributes:
        null: Whether null is one of them.
        texts: The others, where all of them are texts, else ``None``.
    """

    __slots__ = ("_keys", "null", "texts")

    def __init__(self, values: Iterable[Any]) -> None:
        given = list(values)
        self._keys = frozenset(json_key(v) for v in given)
        self.null = None in self._keys
        rest = [v for v in given if v is not None]
        self.texts: frozenset[str] | None = frozenset(rest) if all(isinstance(v, str) for v in rest) else None

    def __contains__(self, value: Any) -> bool:
        return json_key(value) in self._keys
