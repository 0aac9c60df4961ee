"""Blocks that choose columns."""

from __future__ import annotations

from dataclasses import dataclass, field

import narwhals.stable.v2 as nw
from narwhals.stable.v2.typing import IntoFrameT

from ..errors import ToolFailure
from .arguments import Column, checked
from .frame import Frame, distinct_names, passed_through, schema_of


@dataclass(frozen=True, slots=True)
class SelectBlock:
    """Keep or drop columns.

    Attributes:
        columns: The columns, in the order they are to stand; without any, all columns are kept.
        exclude: Whether the columns named are dropped instead.
        distinct: Whether only the first of equal rows is kept.
    """

    columns: list[Column] = field(default_factory=list)
    exclude: bool = False
    distinct: bool = False

    def __post_init__(self) -> None:
        """Check the arguments."""
        checked(self)

    def __call__(self, data: IntoFrameT) -> IntoFrameT:
        """Return *data* with the columns that are kept."""
        return passed_through(data, self._step)

    def _step(self, frame: Frame) -> Frame:
        names = distinct_names(self.columns)
        schema = schema_of(frame, names)
        if not names and not self.distinct:
            return frame
        kept = [name for name in schema if name not in names] if self.exclude or not names else names
        if not kept:
            raise ToolFailure("no_columns", "that drops every column; keep at least one", {"columns": list(schema)})
        chosen = frame.select(*kept)
        if not self.distinct:
            return chosen
        if isinstance(chosen, nw.LazyFrame):
            return chosen.unique()
        return chosen.unique(keep="first", maintain_order=True)
