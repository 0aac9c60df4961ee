"""Effect and preview: what a model learns of a result that is no text and no JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .._text import listing, plural
from ..registry.checks import owned
from .run import Call

MOST_ROWS = 5  # of a preview
MOST_COLUMNS = 50
LONGEST = 200  # characters of one cell; the mark … tells that more is there


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a call did, or would do, in a sentence and a glimpse.

    Attributes:
        effect: One sentence: ``"5 rows of 3 columns"``.
        preview: JSON: the first rows, the columns, a picture's size; ``None`` for none.
        unchanged: Whether the result equals what was there before, so that the call had no effect.
    """

    effect: str
    preview: Any = None
    unchanged: bool = False

    def record(self) -> dict[str, Any]:
        """Return the effect as JSON: ``effect``, ``preview`` where there is one, ``unchanged`` where it is so."""
        out: dict[str, Any] = {"effect": self.effect}
        if self.preview is not None:
            out["preview"] = self.preview
        if self.unchanged:
            out["unchanged"] = True
        return out

    def __str__(self) -> str:
        """Return the sentence, which says so when nothing changed."""
        return f"UNCHANGED: {self.effect}" if self.unchanged else self.effect


EffectHook = Callable[
    [Any, Call], Any
]  # (what the constructor returned, its call) -> Effect, its record, or a sentence


def hook_for(effects: Mapping[type, EffectHook], outcome: Any) -> EffectHook | None:
    """Return the hook of the class of *outcome*, or of the nearest class above it."""
    for cls in type(outcome).__mro__:
        if (hook := effects.get(cls)) is not None:
            return hook
    return None


def effect_of(hook: EffectHook, outcome: Any, call: Call) -> Effect:
    """Return what *hook* says of *outcome*.

    Raises:
        TypeError: It says something else than an effect, its record, or a sentence.
    """
    said = hook(outcome, replace(call, arguments=owned(call.arguments)))
    if isinstance(said, Effect):
        return said
    if isinstance(said, str):
        return Effect(effect=said)
    if isinstance(said, Mapping) and isinstance(said.get("effect"), str):
        return Effect(effect=said["effect"], preview=said.get("preview"), unchanged=said.get("unchanged") is True)
    raise TypeError(f"an effect hook returned {type(said).__name__}; return an Effect or a sentence")


def table_effect(after: Any, before: Any = None, *, most: int = MOST_ROWS) -> Effect:
    """Return the effect of a table: its rows and columns, its first rows, and whether it is as it was.

    Args:
        after: A list of records, or an eager frame of polars, pandas or narwhals.
        before: The table before the call, where it is known.
        most: How many rows the preview shows.
    """
    columns, height, first = _looked_at(after, most)
    preview = {"columns": columns[:MOST_COLUMNS], "rows": first}
    size = f"{plural(height, 'row')} of {plural(len(columns), 'column')}"
    if before is None:
        return Effect(effect=size, preview=preview)
    old_columns, old_height, _ = _looked_at(before, 0)
    if old_columns == columns and old_height == height and _same(before, after):
        return Effect(effect=size, preview=preview, unchanged=True)
    changes = [f"before: {plural(old_height, 'row')} of {plural(len(old_columns), 'column')}"]
    if added := [c for c in columns if c not in old_columns]:
        changes.append(f"new: {listing(added)}")
    if gone := [c for c in old_columns if c not in columns]:
        changes.append(f"gone: {listing(gone)}")
    return Effect(effect=f"{size} ({'; '.join(changes)})", preview=preview)


def _looked_at(table: Any, most: int) -> tuple[list[str], int, list[dict[str, Any]]]:
    """Return the columns, the number of rows, and the first rows of *table*."""
    if isinstance(table, Sequence):
        columns = list(dict.fromkeys(key for row in table for key in row))
        return columns, len(table), [_shown_row(row) for row in table[:most]]
    head = table.head(most)
    rows = head.to_dict("records") if hasattr(head, "iloc") else head.rows(named=True)
    return [str(c) for c in table.columns], int(table.shape[0]), [_shown_row(row) for row in rows]


def _shown_row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {str(column): _shown(value) for column, value in row.items()}


def _shown(value: Any) -> Any:
    """Return *value* as a preview shows it: JSON scalars as they are, dates in ISO form, the rest in words."""
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if callable(write := getattr(value, "isoformat", None)):
        return str(write())
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _same(before: Any, after: Any) -> bool:
    if isinstance(before, Sequence):
        return bool(before == after)
    native = [frame.to_native() if hasattr(frame, "to_native") else frame for frame in (before, after)]
    return bool(native[0].equals(native[1]))
