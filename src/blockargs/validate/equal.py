"""JSON equality: ``1`` and ``1.0`` are equal, ``1`` and ``true`` are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..keywords import json_key


def repeated(values: list[Any]) -> Iterator[tuple[int, int]]:
    """Yield the places ``(first, again)`` of each of *values* that stood there before."""
    seen: dict[Any, int] = {}
    for index, value in enumerate(values):
        first = seen.setdefault(json_key(value), index)
        if first != index:
            yield first, index


def plain(value: Any) -> Any:
    """Return JSON *value* out of a type as ordinary lists and dicts."""
    if isinstance(value, Mapping):
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list | tuple) else value


def is_one_of(value: Any, values: Sequence[Any]) -> bool:
    """Tell whether plain JSON *value* is one of *values*."""
    return value in values if type(value) is str else value in Allowed(values)  # text equals nothing but text


class Allowed:
    """A fixed set of JSON values, asked by JSON equality.

    Attributes:
        null: Whether null is one of them.
        texts: The others, where all of them are texts, else ``None``.
        bools: Those that are true or false.
        scalars: The others, where none of them is a list or an object, else ``None``.
    """

    __slots__ = ("_keys", "bools", "null", "scalars", "texts")

    def __init__(self, values: Iterable[Any]) -> None:
        given = list(values)
        self._keys = frozenset(json_key(v) for v in given)
        self.null = None in self._keys
        self.bools = frozenset(v for v in given if isinstance(v, bool))
        rest = [v for v in given if not isinstance(v, bool)]
        flat = not any(isinstance(v, list | dict) for v in rest)
        self.scalars: frozenset[Any] | None = frozenset(rest) if flat else None
        only_texts = not self.bools and all(v is None or isinstance(v, str) for v in rest)
        self.texts: frozenset[str] | None = frozenset(v for v in rest if v is not None) if only_texts else None

    def __contains__(self, value: Any) -> bool:
        return json_key(value) in self._keys
