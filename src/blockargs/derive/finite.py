"""NaN and the infinities, which JSON does not have, wherever a Python value holds one."""

from __future__ import annotations

import collections
import math
import sys
from collections.abc import Iterable
from typing import Any

_LISTS = (list, tuple, set, frozenset, collections.deque)


def is_finite(value: Any) -> bool:
    """Tell whether no number in *value* is NaN or infinite: in lists, sets, tables and the fields of records too."""
    seen: set[int] = set()
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, str | bool | int | bytes):
            continue
        if isinstance(one, float) or _is_decimal(one):
            if not math.isfinite(one):
                return False
        elif id(one) not in seen:
            seen.add(id(one))
            todo += _parts(one)
    return True


def _is_decimal(value: Any) -> bool:
    decimal = sys.modules.get("decimal")
    return decimal is not None and isinstance(value, decimal.Decimal)


def _parts(value: Any) -> Iterable[Any]:
    """Return what *value* is put together from, where it is a container or a record."""
    if isinstance(value, dict):
        return (*value, *value.values())
    if isinstance(value, _LISTS):
        return value
    cls = type(value)
    attributes = [a.name for a in getattr(cls, "__attrs_attrs__", ())]
    names = (*getattr(cls, "__dataclass_fields__", ()), *attributes, *getattr(cls, "__pydantic_fields__", ()))
    return [getattr(value, name, None) for name in names]
