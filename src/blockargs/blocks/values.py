"""JSON values beside the values of a column: which may be compared, and as what.

A text column takes text and nothing else, so that ``"007"`` stays ``"007"``;
a column of numbers takes numbers, and text that spells one in JSON; booleans
take ``true`` and ``false``, also as text; dates and times take ISO 8601 text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

import narwhals.stable.v2 as nw

from .._text import quoted
from ..errors import ToolFailure

Scalar = str | float | bool
DType = nw.dtypes.DType
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,999})(?:\.[0-9]{1,999})?(?:[eE][-+]?[0-9]{1,9})?")  # as JSON spells it
_LEAST, _MOST = -(2**63), 2**63 - 1  # whole numbers that every data frame can compare with
_TEXTS = (nw.String, nw.Categorical, nw.Enum)


def comparable(column: str, dtype: DType) -> nw.Expr:
    """Return *column* as it can be compared: categories are compared as text."""
    expression = nw.col(column)
    return expression.cast(nw.String()) if isinstance(dtype, nw.Categorical | nw.Enum) else expression


def is_missing(column: str, dtype: DType) -> nw.Expr:
    """Return whether *column* has no value: null, and NaN too, which pandas does not tell from null."""
    expression = nw.col(column)
    return expression.is_null() | expression.is_nan() if dtype.is_float() else expression.is_null()


def held_together(dtype: DType, values: Iterable[Any]) -> list[Any]:
    """Return those of *values* that a column of *dtype* can hold, all of one kind.

    Data frames refuse lists of mixed kinds; a value left out equals none of the column.
    """
    if dtype.is_float():
        return [_as_float(v) for v in values]
    if isinstance(dtype, nw.Decimal):
        return [Decimal(str(v)) for v in values if math.isfinite(v)]
    if not dtype.is_integer():
        return list(values)
    bits = int("".join(c for c in str(dtype) if c.isdigit()))
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if dtype.is_signed_integer() else (0, 2**bits - 1)
    whole = [int(v) for v in values if isinstance(v, int) or (math.isfinite(v) and v.is_integer())]
    return [v for v in whole if least <= v <= most]


def needs_order(column: str, dtype: DType) -> None:
    """Check that the values of *column* are smaller and larger than each other.

    Raises:
        ToolFailure: They are booleans.
    """
    if isinstance(dtype, nw.Boolean):
        message = f"column '{column}' holds true and false, which have no order; use '==' or '!='"
        raise ToolFailure("no_order", message, {"column": column})


def as_held_by(column: str, dtype: DType, value: Scalar) -> Any:
    """Return *value* as a value of *column*, whose type is *dtype*.

    Raises:
        ToolFailure: The two cannot be compared; the message says what the column takes.
    """
    kinds = [(kind, read) for applies, kind, read in _KINDS if applies(dtype)]
    if not kinds:
        message = f"column '{column}' holds {dtype} values, which are not compared here; give it a plainer type first"
        raise ToolFailure("not_comparable", message, {"column": column, "dtype": str(dtype)})
    kind, read = kinds[0]
    try:
        return read(value, dtype)
    except ValueError as reason:
        message = f"column '{column}' holds {kind}; {quoted(value)} is {_kind(value)}: {reason}"
        raise ToolFailure("wrong_type", message, {"column": column, "dtype": str(dtype), "value": value}) from None


def _kind(value: Scalar) -> str:
    return "a boolean" if isinstance(value, bool) else "text" if isinstance(value, str) else "a number"


def _text(value: Scalar, _: DType) -> str:
    if isinstance(value, str):
        return value
    raise ValueError("write it in quotes, as the column has it")


def _number(value: Scalar, dtype: DType) -> float:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value) if any(c in value for c in ".eE") else int(value)
    if isinstance(value, bool | str):
        raise ValueError("write a number")  # noqa: TRY004 - a value of the caller's, not a type of ours
    most = 2**64 - 1 if isinstance(dtype, nw.UInt64) else _MOST
    if isinstance(value, float) or _LEAST <= value <= most:
        return value
    if dtype.is_integer():  # rounded it might equal what the column holds; beyond all of that it is in any case
        return math.inf if value > 0 else -math.inf
    return _as_float(value)


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _boolean(value: Scalar, _: DType) -> bool:
    if isinstance(value, str) and value.casefold() in ("true", "false"):
        return value.casefold() == "true"
    if isinstance(value, bool):
        return value
    raise ValueError("write true or false")


def _date(value: Scalar, _: DType) -> date:
    try:
        return date.fromisoformat(_text(value, _))
    except ValueError:
        raise ValueError("write a date like '2024-05-31'") from None


def _datetime(value: Scalar, dtype: DType) -> datetime:
    try:
        moment = datetime.fromisoformat(_text(value, dtype))  # its zone is settled below
    except ValueError:
        raise ValueError("write a date and time like '2024-05-31T14:30:00'") from None
    zone = getattr(dtype, "time_zone", None)
    if zone is None and moment.tzinfo is not None:
        raise ValueError("the column has no time zone, so leave it out")
    if zone is None:
        return moment
    here = ZoneInfo(zone)
    return moment.replace(tzinfo=here) if moment.tzinfo is None else moment.astimezone(here)


def _time(value: Scalar, _: DType) -> time:
    try:
        return time.fromisoformat(_text(value, _))
    except ValueError:
        raise ValueError("write a time like '14:30:00'") from None


# (which columns, what they hold in a word, how a JSON value is read for them); the first that applies
_KINDS: Final[tuple[tuple[Callable[[DType], bool], str, Callable[[Scalar, DType], Any]], ...]] = (
    (lambda dtype: isinstance(dtype, _TEXTS), "text", _text),
    (lambda dtype: dtype.is_numeric(), "numbers", _number),
    (lambda dtype: isinstance(dtype, nw.Boolean), "true and false", _boolean),
    (lambda dtype: isinstance(dtype, nw.Date), "dates", _date),
    (lambda dtype: isinstance(dtype, nw.Datetime), "dates with times", _datetime),
    (lambda dtype: isinstance(dtype, nw.Time), "times", _time),
)
