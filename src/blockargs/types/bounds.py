"""Bounds as authors give them: each is checked, and none contradicts another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .._text import quoted
from ..errors import InvalidArgTypeError
from ..validate import schema_problems
from ..validate.scan import is_utf8


def count(value: int | None, name: str) -> int | None:
    """Return *value* when it counts something, or is left out."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise InvalidArgTypeError(f"{name} is a whole number from 0, not {quoted(value)}")
    return value


def text(value: str | None, name: str) -> str | None:
    """Return *value* when it is a text, or is left out; a pattern must compile."""
    if value is not None and not is_utf8(value):
        raise InvalidArgTypeError(f"{name} is a text, not {quoted(value)}")
    if name == "pattern" and value is not None and (problems := schema_problems({"pattern": value})):
        raise InvalidArgTypeError(problems)
    return value


def flag(value: bool | None, name: str) -> bool | None:  # noqa: FBT001 - the value that is checked
    """Return *value* when it is a bool, or is left out."""
    if value is not None and not isinstance(value, bool):
        raise InvalidArgTypeError(f"{name} is True or False, not {quoted(value)}")
    return value


def number_bounds(
    minimum: float | None,
    maximum: float | None,
    exclusive_minimum: float | None,
    exclusive_maximum: float | None,
    multiple_of: float | None,
) -> dict[str, Any]:
    """Return the bounds of a number by their keywords."""
    bounds = {
        "minimum": minimum,
        "maximum": maximum,
        "exclusiveMinimum": exclusive_minimum,
        "exclusiveMaximum": exclusive_maximum,
        "multipleOf": multiple_of,
    }
    for key, value in bounds.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value)):
            raise InvalidArgTypeError(f"{key} is a finite number, not {quoted(value)}")
    if multiple_of is not None and multiple_of <= 0:
        raise InvalidArgTypeError(f"multipleOf is above 0, not {quoted(multiple_of)}")
    in_order(bounds, "minimum", "maximum")
    return bounds


def _finite(value: float) -> bool:
    return isinstance(value, int) or math.isfinite(value)


def in_order(bounds: Mapping[str, Any], low: str, high: str) -> None:
    """Check that the lower of two bounds is not above the upper."""
    if bounds[low] is not None and bounds[high] is not None and bounds[low] > bounds[high]:
        raise InvalidArgTypeError(f"{low} {bounds[low]} is above {high} {bounds[high]}")
