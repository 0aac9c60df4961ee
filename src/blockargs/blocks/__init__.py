"""The bundled data-frame blocks; this door needs narwhals.

A block is a frozen dataclass whose fields are its arguments. It is called with
a data frame (polars, pandas, pyarrow, or a lazy one of polars or DuckDB) and
returns one of the same kind. A block that is asked for nothing passes its
input through, and what cannot be done is a `ToolFailure`.

>>> import polars as pl
>>> HeadBlock(n=2)(pl.DataFrame({"x": [1, 2, 3]}))["x"].to_list()
[1, 2]
"""

from __future__ import annotations

try:
    import narwhals as _  # noqa: F401 - asked for here, so that its absence is said in one line
except ModuleNotFoundError as _missing:
    raise ImportError(
        "the bundled blocks need narwhals: pip install 'blockargs[frames]'", name="narwhals"
    ) from _missing

from .columns import SelectBlock
from .conditions import Comparison, Condition, Null, Range, Values
from .rows import ArrangeBlock, CountBlock, FilterBlock, HeadBlock, SortKey

__all__ = [
    "ArrangeBlock",
    "Comparison",
    "Condition",
    "CountBlock",
    "FilterBlock",
    "HeadBlock",
    "Null",
    "Range",
    "SelectBlock",
    "SortKey",
    "Values",
]
