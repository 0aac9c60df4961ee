"""Whole floats as integers where an integer is wanted: a change of form, not of value."""

from __future__ import annotations

from typing import Any

from .fits import Known, fits
from .leaves import SAFE_INTEGER, InexactError
from .shape import Shape


def normal(value: Any, shape: Shape, *, any_size: bool = True, known: Known | None = None) -> Any:
    """Return the valid *value* with ``5`` for ``5.0`` where an integer is wanted; itself when nothing changes.

    Args:
        value: A valid value.
        shape: What it is valid for.
        any_size: Whether a float past 2**53 may become an integer.
        known: Which parts are known to fit.

    Raises:
        InexactError: Without *any_size*, a float stands for an integer too large to be exact.
    """
    kind = type(value)
    if kind is float:
        return _whole(value, shape, any_size=any_size)
    if kind is not dict and kind is not list:
        return value
    known = {} if known is None else known
    if shape.branches:
        branch = next((b for b in shape.branches if fits(value, b, known)), None)
        return value if branch is None else normal(value, branch, any_size=any_size, known=known)
    if kind is dict:
        changed = {
            key: new
            for key, item in value.items()
            if (wanted := shape.fields.get(key, shape.extra)) is not None
            and (new := normal(item, wanted, any_size=any_size, known=known)) is not item
        }
        return {**value, **changed} if changed else value
    items = [
        item if wanted is None else normal(item, wanted, any_size=any_size, known=known)
        for item, wanted in (
            (v, shape.prefix[i] if i < len(shape.prefix) else shape.element) for i, v in enumerate(value)
        )
    ]
    return items if any(a is not b for a, b in zip(items, value, strict=True)) else value


def _whole(value: float, shape: Shape, *, any_size: bool) -> float:
    if not _wants_integer(value, shape):
        return value
    if not any_size and abs(value) >= SAFE_INTEGER:
        raise InexactError
    return int(value)


def _wants_integer(value: float, shape: Shape) -> bool:
    if not value.is_integer():
        return False
    if shape.branches:
        fitting = [b for b in shape.branches if b.accepts(value)]
        return bool(fitting) and all(_wants_integer(value, b) for b in fitting)
    return "integer" in shape.types and "number" not in shape.types
