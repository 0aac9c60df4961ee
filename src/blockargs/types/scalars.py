"""The types of single values: texts, numbers, booleans, and those out of a fixed set."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from .._text import quoted
from ..errors import InvalidEnumError
from ..keywords import kind_of
from ..node import ArgType, json_key
from ..validate.scan import is_utf8
from .bounds import count, in_order, number_bounds, text
from .making import json_of, made


def arg_string(
    *,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
    format: str | None = None,  # noqa: A002 - the keyword's name in JSON Schema
    default: str | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a text.

    Args:
        min_length: Fewest characters (code points).
        max_length: Most characters.
        pattern: Regular expression that must match somewhere in the text.
        format: ``date``, ``time``, ``date-time``, ``duration``, ``email``, ``uuid``,
            ``uri``, ``ipv4``, ``ipv6`` and ``regex`` are checked; any other is a remark.
        default: Shown as the value used when it is left out.
        description: What it is for.
        required: Whether a record needs it.
        error: The author's failure text.

    Raises:
        InvalidArgTypeError: A bound cannot be, or the default does not fit.
    """
    bounds = {
        "minLength": count(min_length, "min_length"),
        "maxLength": count(max_length, "max_length"),
        "pattern": text(pattern, "pattern"),
        "format": text(format, "format"),
    }
    in_order(bounds, "minLength", "maxLength")
    return made(
        {"type": "string", "description": description, **bounds, "default": default}, required=required, error=error
    )


def arg_number(
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    exclusive_minimum: float | None = None,
    exclusive_maximum: float | None = None,
    multiple_of: float | None = None,
    default: float | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a finite number; a bool is never one.

    Args:
        minimum: Smallest value.
        maximum: Largest value.
        exclusive_minimum: It must be above this.
        exclusive_maximum: It must be below this.
        multiple_of: It must be a whole multiple of this, counted in decimals.
        default: Shown as the value used when it is left out.
        description: What it is for.
        required: Whether a record needs it.
        error: The author's failure text.

    Raises:
        InvalidArgTypeError: A bound cannot be, or the default does not fit.
    """
    bounds = number_bounds(minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of)
    return made(
        {"type": "number", "description": description, **bounds, "default": default}, required=required, error=error
    )


def arg_integer(
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    exclusive_minimum: float | None = None,
    exclusive_maximum: float | None = None,
    multiple_of: float | None = None,
    default: int | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a whole number of any size; ``5.0`` is one, ``True`` is not.

    The bounds are those of `arg_number`.

    Raises:
        InvalidArgTypeError: A bound cannot be, or the default does not fit.
    """
    bounds = number_bounds(minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of)
    return made(
        {"type": "integer", "description": description, **bounds, "default": default}, required=required, error=error
    )


def arg_boolean(
    *,
    default: bool | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of ``true`` and ``false``."""
    return made({"type": "boolean", "description": description, "default": default}, required=required, error=error)


def arg_enum(
    values: Iterable[str],
    *,
    default: str | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of one text out of a fixed set.

    >>> arg_enum(["head", "tail"])
    {'type': 'string', 'enum': ['head', 'tail']}

    Raises:
        InvalidEnumError: *values* is empty, repeats a value, or holds something other than text;
            for numbers and booleans see `arg_literal`.
    """
    words = list(values) if isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping) else None
    if not words:
        raise InvalidEnumError(f"the values of an enum are a non-empty list of texts, not {quoted(values)}")
    for value in words:
        if not is_utf8(value):
            raise InvalidEnumError.of(f"{quoted(value)} is no text", hint="use arg_literal for numbers and booleans")
    words = [str.__str__(word) for word in words]  # of a member of an enumeration, what it stands for
    if twice := _repeated(words):
        raise InvalidEnumError(f"{quoted(twice[0])} is listed twice")
    return made(
        {"type": "string", "description": description, "enum": words, "default": default},
        required=required,
        error=error,
    )


def arg_literal(
    values: Iterable[Any],
    *,
    default: Any = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of one JSON scalar out of a fixed set; ``1`` and ``True`` are two.

    Raises:
        InvalidEnumError: *values* is empty, repeats a value, or holds something other than
            a text, a finite number, a bool or ``None``.
    """
    scalars = list(values) if isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping) else None
    if not scalars:
        raise InvalidEnumError(f"the values of a literal are a non-empty list of scalars, not {quoted(values)}")
    for value in scalars:
        if _kind(value) is None or (isinstance(value, str) and not is_utf8(value)):
            raise InvalidEnumError(f"{quoted(value)} is no JSON scalar")
    scalars = json_of(scalars, "literal")
    if twice := _repeated(scalars):
        raise InvalidEnumError(f"{quoted(twice[0])} is listed twice")
    node = {**_kind_of_all(scalars), "description": description, "enum": scalars, "default": default}
    return made(node, required=required, error=error)


def arg_const(
    value: Any,
    *,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of the one JSON *value*.

    Raises:
        InvalidArgTypeError: *value* is no JSON.
    """
    value = json_of(value, "const")
    kind = _kind(value)
    node = ArgType({**({"type": kind} if kind else {}), "const": value})
    return made({**node, "description": description} if description else node, required=required, error=error)


def arg_any(
    *,
    default: Any = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of any JSON value."""
    return made({"description": description, "default": default}, required=required, error=error)


def arg_column(
    input: str | None = None,  # noqa: A002 - an input is what a block calls the frame it is given
    *,
    default: str | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a text that names a column of an input.

    Args:
        input: Which of the block's inputs has the column; ``None`` where there is one.
        default: Shown as the value used when it is left out.
        description: What it is for.
        required: Whether a record needs it.
        error: The author's failure text.
    """
    mark: Any = True if input is None else text(input, "input")
    node = {"type": "string", "description": description, "x-column": mark, "default": default}
    return made(node, required=required, error=error)


def _kind(value: object) -> str | None:
    """Return the JSON type of a scalar; ``None`` for what is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    kind = kind_of(value)
    return None if kind in ("", "array", "object") else kind


def _kind_of_all(scalars: list[Any]) -> dict[str, Any]:
    kinds = {_kind(v) for v in scalars}
    null = "null" in kinds
    kinds.discard("null")
    if kinds == {"integer", "number"}:
        kinds = {"number"}
    if len(kinds) > 1:
        return {}
    kind = kinds.pop() if kinds else "null"
    return {"type": [kind, "null"] if null and kind != "null" else kind}


def _repeated(values: list[Any]) -> list[Any]:
    first: dict[Any, int] = {}
    return [v for place, v in enumerate(values) if first.setdefault(json_key(v), place) != place]
