"""The conditions of `FilterBlock`: records told apart by `type`, each one a predicate."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any, Final, Literal, NotRequired, TypedDict

import narwhals.stable.v2 as nw

from .arguments import Column
from .frame import Schema
from .values import Scalar, as_held_by, comparable, held_together, is_missing, needs_order


class Values(TypedDict):
    """Rows whose value is one of a list, or is none of it.

    Attributes:
        type: Says that this condition lists values.
        column: The column to look at.
        values: The values; null stands for a missing one.
        mode: Whether rows with these values are kept or dropped.
    """

    type: Literal["values"]
    column: Column
    values: list[str | float | bool | None]
    mode: NotRequired[Literal["include", "exclude"]]


class Comparison(TypedDict):
    """Rows whose value compares as asked with one value; a missing one never does.

    Attributes:
        type: Says that this condition compares.
        column: The column to look at.
        op: How to compare.
        value: What to compare with.
    """

    type: Literal["comparison"]
    column: Column
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    value: str | float | bool


class Range(TypedDict):
    """Rows whose value lies between two bounds, both included; a missing one never does.

    Attributes:
        type: Says that this condition is a range.
        column: The column to look at.
        min: The smallest value kept; without it there is no lower bound.
        max: The largest value kept; without it there is no upper bound.
    """

    type: Literal["range"]
    column: Column
    min: NotRequired[str | float]
    max: NotRequired[str | float]


class Null(TypedDict):
    """Rows whose value is missing, or is not.

    Attributes:
        type: Says that this condition asks for missing values.
        column: The column to look at.
        is_null: Whether rows with a missing value are kept; false keeps the others.
    """

    type: Literal["null"]
    column: Column
    is_null: NotRequired[bool]


Condition = Values | Comparison | Range | Null

Compare = Callable[[nw.Expr, Any], nw.Expr]
_OPERATORS: Final[dict[str, Compare]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def predicate(condition: Condition, schema: Schema) -> nw.Expr:
    """Return what *condition* asks of a row: true or false, never missing.

    Raises:
        ToolFailure: A value cannot be compared with what the column holds.
    """
    return _PREDICATES[condition["type"]](condition, schema[condition["column"]])


def _values(condition: Values, dtype: nw.dtypes.DType) -> nw.Expr:
    column, given = condition["column"], condition["values"]
    held = held_together(dtype, [as_held_by(column, dtype, value) for value in given if value is not None])
    missing = is_missing(column, dtype)
    found = comparable(column, dtype).is_in(held) & ~missing if held else missing & ~missing
    if None in given:
        found = found | missing
    return ~found if condition.get("mode") == "exclude" else found


def _comparison(condition: Comparison, dtype: nw.dtypes.DType) -> nw.Expr:
    column, op = condition["column"], condition["op"]
    if op not in ("==", "!="):
        needs_order(column, dtype)
    return _compared(column, dtype, _OPERATORS[op], condition["value"])


def _range(condition: Range, dtype: nw.dtypes.DType) -> nw.Expr:
    column = condition["column"]
    needs_order(column, dtype)
    bounds: list[tuple[Compare, Scalar | None]] = [
        (operator.ge, condition.get("min")),
        (operator.le, condition.get("max")),
    ]
    sides = [_compared(column, dtype, compare, bound) for compare, bound in bounds if bound is not None]
    return reduce(operator.and_, sides)


def _null(condition: Null, dtype: nw.dtypes.DType) -> nw.Expr:
    missing = is_missing(condition["column"], dtype)
    return missing if condition.get("is_null", True) else ~missing


def _compared(column: str, dtype: nw.dtypes.DType, compare: Compare, value: Scalar) -> nw.Expr:
    # "!=" holds for a missing value in pandas and not elsewhere: ask, instead of relying on it
    return compare(comparable(column, dtype), as_held_by(column, dtype, value)) & ~is_missing(column, dtype)


def asks_nothing(condition: Condition) -> bool:
    """Tell whether *condition* is a range without a bound: it lets every row pass."""
    return condition["type"] == "range" and condition.get("min") is None and condition.get("max") is None


# how a condition becomes a predicate, by its `type`; a further kind of condition is a row here
_PREDICATES: Final[dict[str, Callable[[Any, nw.dtypes.DType], nw.Expr]]] = {
    "values": _values,
    "comparison": _comparison,
    "range": _range,
    "null": _null,
}
