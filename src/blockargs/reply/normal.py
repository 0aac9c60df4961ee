"""Whole floats as integers where an integer is wanted: a change of form, not of value."""

from __future__ import annotations

from typing import Any

from .._text import quoted
from ..errors import Problem, at
from .fits import Known, fits
from .leaves import SAFE_INTEGER, InexactError, holds
from .shape import Shape


def normal(value: Any, shape: Shape, *, written: bool = False) -> Any:
    """Return the valid *value* with ``5`` for ``5.0`` where an integer is wanted; itself when nothing changes.

    Args:
        value: A valid value.
        shape: What it is valid for.
        written: Whether its floats were read from a text, where they may have had more digits.

    Raises:
        InexactError: A float that was *written* stands for an integer too large to be exact.
    """
    return _normal(value, shape, {}, written) if shape.whole and holds(value, float) else value


def _normal(value: Any, shape: Shape, known: Known, written: bool) -> Any:  # noqa: FBT001 - as `normal` has it
    """Return what `normal` does; *known* says which parts are known to fit."""
    kind = type(value)
    if kind is float:
        return _whole(value, shape, written=written)
    if (kind is not dict and kind is not list) or not shape.whole:
        return value
    if shape.branches:
        branch = next((b for b in shape.branches if _is_of(value, b, known)), None)
        return value if branch is None else _normal(value, branch, known, written)
    if kind is dict:
        changed = {
            key: new
            for key, item in value.items()
            if (wanted := shape.fields.get(key, shape.extra)) is not None
            and (new := _normal(item, wanted, known, written)) is not item
        }
        return {**value, **changed} if changed else value
    if shape.element is not None and shape.element.free and not shape.prefix and float not in set(map(type, value)):
        return value
    items = [
        item if wanted is None else _normal(item, wanted, known, written)
        for item, wanted in (
            (v, shape.prefix[i] if i < len(shape.prefix) else shape.element) for i, v in enumerate(value)
        )
    ]
    return items if any(a is not b for a, b in zip(items, value, strict=True)) else value


def _is_of(value: Any, branch: Shape, known: Known) -> bool:
    """Tell whether *value*, which is JSON, fits *branch*."""
    return fits(value, branch, known) if branch.recursive else branch.accepts(value)


def _whole(value: float, shape: Shape, *, written: bool) -> float:
    if not _wants_integer(value, shape):
        return value
    if written and abs(value) >= SAFE_INTEGER:
        raise InexactError
    return int(value)


def inexact(value: Any, shape: Shape, path: str = "$") -> Problem:
    """Return the problem of the written *value* at *path*, of which `normal` cannot make integers."""
    while isinstance(value, dict | list):
        if shape.branches:
            shape = next(b for b in shape.branches if fits(value, b, {}))
            continue
        path, value, shape = _inexact_part(value, shape, path)
    message = f"{quoted(value)} cannot be read exactly"
    return Problem(code="inexact", path=path, message=message, hint="write every digit of it")


def _inexact_part(value: dict[str, Any] | list[Any], shape: Shape, path: str) -> tuple[str, Any, Shape]:
    """Return the first member of *value* that holds the number."""
    if isinstance(value, dict):
        members = [(key, item, shape.fields.get(key, shape.extra)) for key, item in value.items()]
        return next((at(path, k), v, s) for k, v, s in members if s is not None and not _is_exact(v, s))
    first = len(shape.prefix)
    items = [(i, item, shape.prefix[i] if i < first else shape.element) for i, item in enumerate(value)]
    return next((at(path, i), v, s) for i, v, s in items if s is not None and not _is_exact(v, s))


def _is_exact(value: Any, shape: Shape) -> bool:
    try:
        normal(value, shape, written=True)
    except InexactError:
        return False
    return True


def _wants_integer(value: float, shape: Shape) -> bool:
    if not value.is_integer():
        return False
    if shape.branches:
        fitting = [b for b in shape.branches if b.accepts(value)]
        return bool(fitting) and all(_wants_integer(value, b) for b in fitting)
    return "integer" in shape.types and "number" not in shape.types
