"""Blocks that choose, order and count rows."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from functools import reduce
from typing import Literal, NotRequired, TypedDict

import narwhals.stable.v2 as nw
from narwhals.stable.v2.typing import IntoFrameT

from ..errors import ToolFailure
from .arguments import Column, Count, checked
from .conditions import Condition, asks_nothing, predicate
from .frame import Frame, distinct_names, free_name, passed_through, schema_of


@dataclass(frozen=True, slots=True)
class HeadBlock:
    """Keep the first or the last rows.

    Attributes:
        n: How many rows to keep.
        direction: Whether the first rows are kept or the last.
    """

    n: Count = 6
    direction: Literal["head", "tail"] = "head"

    def __post_init__(self) -> None:
        """Check the arguments."""
        checked(self)

    def __call__(self, data: IntoFrameT) -> IntoFrameT:
        """Return the rows of *data* that are kept."""
        return passed_through(data, self._step)

    def _step(self, frame: Frame) -> Frame:
        if self.direction == "head":
            return frame.head(int(self.n))
        if isinstance(frame, nw.LazyFrame) and frame.implementation is not nw.Implementation.POLARS:
            message = "the rows of this lazy frame have no order, so it has no last ones; collect it, or arrange and take the head"
            raise ToolFailure("no_order", message)
        return frame.tail(int(self.n))


@dataclass(frozen=True, slots=True)
class FilterBlock:
    """Keep the rows that meet conditions.

    Attributes:
        conditions: What a row must meet; without any, every row is kept.
        operator: Whether a row must meet all conditions ("&") or one of them ("|").
    """

    conditions: list[Condition] = field(default_factory=list)
    operator: Literal["&", "|"] = "&"

    def __post_init__(self) -> None:
        """Check the arguments."""
        checked(self)

    def __call__(self, data: IntoFrameT) -> IntoFrameT:
        """Return the rows of *data* that meet the conditions."""
        return passed_through(data, self._step)

    def _step(self, frame: Frame) -> Frame:
        schema = schema_of(frame, (c["column"] for c in self.conditions))
        asked = [predicate(c, schema) for c in self.conditions if not asks_nothing(c)]
        if not asked:
            return frame
        joined = reduce(operator.and_ if self.operator == "&" else operator.or_, asked)
        return frame.filter(joined)


class SortKey(TypedDict):
    """A column to sort by.

    Attributes:
        column: Its name.
        direction: Whether the smallest value comes first or the largest.
    """

    column: Column
    direction: NotRequired[Literal["asc", "desc"]]


@dataclass(frozen=True, slots=True)
class ArrangeBlock:
    """Sort the rows.

    Attributes:
        columns: What to sort by; each further column orders the rows that are equal in those before it.
    """

    columns: list[SortKey] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Check the arguments."""
        checked(self)

    def __call__(self, data: IntoFrameT) -> IntoFrameT:
        """Return *data* sorted; rows that are equal keep their order, where a frame has one."""
        return passed_through(data, self._step)

    def _step(self, frame: Frame) -> Frame:
        schema = schema_of(frame, (key["column"] for key in self.columns))
        keys = {key["column"]: key.get("direction") == "desc" for key in reversed(self.columns)}
        if not keys:
            return frame
        names = list(reversed(keys))
        descending = [keys[name] for name in names]
        if isinstance(frame, nw.LazyFrame):
            return frame.sort(*names, descending=descending, nulls_last=True)
        place = free_name("row", schema)
        ordered = frame.with_row_index(place).sort(*names, place, descending=[*descending, False], nulls_last=True)
        return ordered.drop(place)


@dataclass(frozen=True, slots=True)
class CountBlock:
    """Count the rows of each group.

    Attributes:
        by: The columns whose values make the groups; without any, the rows pass uncounted.
    """

    by: list[Column] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Check the arguments."""
        checked(self)

    def __call__(self, data: IntoFrameT) -> IntoFrameT:
        """Return a row for each group of *data*, sorted, with its count in column ``n``."""
        return passed_through(data, self._step)

    def _step(self, frame: Frame) -> Frame:
        schema_of(frame, self.by)
        names = distinct_names(self.by)
        if not names:
            return frame
        count = free_name("n", names)
        counted = frame.group_by(names).agg(nw.len().alias(count))
        # each library counts in an integer type of its own
        return counted.with_columns(nw.col(count).cast(nw.Int64())).sort(*names, nulls_last=True)
