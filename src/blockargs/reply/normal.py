"""Whole floats as integers where an integer is wanted: a change of form, not of value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import at
from .leaves import SAFE_INTEGER, InexactError
from .shape import Shape


def normal(value: Any, shape: Shape) -> Any:
    """Return the valid *value* with ``5`` for ``5.0`` where an integer is wanted; itself when nothing changes.

    Raises:
        InexactError: A float stands for an integer too large to be exact.
    """
    kind = type(value)
    if kind is float:
        return _whole(value, shape)
    if kind is not dict and kind is not list:
        return value
    if shape.branches:
        branch = next((b for b in shape.branches if b.accepts(value)), None)
        return value if branch is None else normal(value, branch)
    if kind is dict:
        changed = {
            key: new
            for key, item in value.items()
            if (wanted := shape.fields.get(key, shape.extra)) is not None and (new := normal(item, wanted)) is not item
        }
        return {**value, **changed} if changed else value
    items = [
        item if wanted is None else normal(item, wanted)
        for item, wanted in (
            (v, shape.prefix[i] if i < len(shape.prefix) else shape.element) for i, v in enumerate(value)
        )
    ]
    return items if any(a is not b for a, b in zip(items, value, strict=True)) else value


def _whole(value: float, shape: Shape) -> float:
    if not _wants_integer(value, shape):
        return value
    if abs(value) >= SAFE_INTEGER:
        raise InexactError
    return int(value)


def _wants_integer(value: float, shape: Shape) -> bool:
    if not value.is_integer():
        return False
    if shape.branches:
        fitting = [b for b in shape.branches if b.accepts(value)]
        return bool(fitting) and all(_wants_integer(value, b) for b in fitting)
    return "integer" in shape.types and "number" not in shape.types


def inexact_places(value: Any, shape: Shape, path: str = "$") -> Iterator[str]:
    """Yield the path of each float that stands for an integer too large to be exact."""
    if isinstance(value, float):
        if abs(value) >= SAFE_INTEGER and _wants_integer(value, shape):
            yield path
    elif shape.branches:
        yield from (p for b in shape.branches if b.accepts(value) for p in inexact_places(value, b, path))
    elif isinstance(value, dict):
        for key, item in value.items():
            if (wanted := shape.fields.get(key, shape.extra)) is not None:
                yield from inexact_places(item, wanted, at(path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            wanted = shape.prefix[i] if i < len(shape.prefix) else shape.element
            if wanted is not None:
                yield from inexact_places(item, wanted, at(path, i))
