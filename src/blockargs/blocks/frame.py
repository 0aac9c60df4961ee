"""The data frame a block is called with: taken in, asked for its columns, given back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import narwhals.stable.v2 as nw
from narwhals.exceptions import NarwhalsError
from narwhals.stable.v2.typing import IntoFrame, IntoFrameT

from .._text import close_names, did_you_mean, listing, one_line
from ..errors import ToolFailure

Frame = nw.DataFrame[Any] | nw.LazyFrame[Any]
Schema = dict[str, nw.dtypes.DType]


def passed_through(data: IntoFrameT, step: Callable[[Frame], Frame]) -> IntoFrameT:
    """Return *data* after *step*, as the kind of frame it came as; the very same when *step* left it alone.

    Raises:
        ToolFailure: *data* is no data frame, or *step* cannot be done.
    """
    try:
        frame = _frame_of(data)
        after = step(frame)
    except NarwhalsError as refused:
        raise ToolFailure("frame_refused", one_line(str(refused), 300)) from refused
    if after is frame:
        return data
    native: IntoFrameT = after.to_native()
    return native


def _frame_of(data: IntoFrame) -> Frame:
    try:
        return nw.from_native(data)
    except TypeError:
        message = f"the block is called with a data frame, not with {type(data).__name__}"
        raise ToolFailure("not_a_frame", message) from None


def schema_of(frame: Frame, columns: Iterable[str]) -> Schema:
    """Return name and dtype of every column of *frame*, once each of *columns* is known to be there.

    Raises:
        ToolFailure: A column is missing; all that are stand in the message with their nearest names.
    """
    schema: Schema = dict(frame.collect_schema())
    missing = [name for name in dict.fromkeys(columns) if name not in schema]
    if not missing:
        return schema
    names = [str(name) for name in schema]  # pandas has columns named by numbers
    near = {name: close_names(name, names) for name in missing}
    said = [f"there is no column '{name}'{_suggestion(name, names)}" for name in missing]
    there = f"the columns are {listing(names)}" if names else "the frame has no columns"
    raise ToolFailure(
        "unknown_column",
        f"{'; '.join(said)}; {there}",
        {"missing": missing, "near": near, "columns": names},
    )


def _suggestion(name: str, names: list[str]) -> str:
    hint = did_you_mean(name, names)
    return f", {hint}" if hint else ""


def distinct_names(names: Iterable[str]) -> list[str]:
    """Return *names* in their order, each once: naming a column again adds nothing."""
    return list(dict.fromkeys(names))


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return *wanted*, its first letter doubled until no column of *taken* has the name: ``n``, ``nn``."""
    names = set(taken)
    name = wanted
    while name in names:
        name = f"{wanted[0]}{name}"
    return name
