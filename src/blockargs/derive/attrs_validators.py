"""What validators of attrs say that a schema can say too; the class itself runs them all the same."""

from __future__ import annotations

import functools
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..keywords import kind_of
from .remarks import source_of

Bound = tuple[str, Any]  # a name of `bounds`, and the bound; "type" says what the value is an instance of


def said_by(validator: Any) -> dict[str, list[Any]]:
    """Return the bounds that *validator* and those inside of it say, by name; what a schema cannot say is left out."""
    found: dict[str, list[Any]] = {}
    for name, bound in _said(validator):
        found.setdefault(name, []).append(bound)
    return found


def _said(validator: Any) -> Iterator[Bound]:
    for made, read in _rows():
        if type(validator) is made:
            yield from read(validator)
            return


@functools.cache
def _rows() -> tuple[tuple[type[Any], Callable[[Any], Iterable[Bound]]], ...]:
    """Return the class of each validator, and what reads it; to understand one more, add a row."""
    v: Any = sys.modules["attr"].validators
    return (
        (type(v.and_()), _all),
        (type(v.optional(v.ge(0))), _optional),
        (type(v.deep_iterable(v.ge(0))), lambda one: _said(getattr(one, "iterable_validator", None))),
        (type(v.instance_of(int)), lambda one: [("type", one.type)]),
        (type(v.in_(())), _one_of),
        (type(v.ge(0)), _compared),
        (type(v.min_len(0)), lambda one: [("min_length", one.min_length)]),
        (type(v.max_len(0)), lambda one: [("max_length", one.max_length)]),
        (type(v.matches_re("")), _matched),
    )


_COMPARED = {">": "gt", ">=": "ge", "<": "lt", "<=": "le"}
_ANCHORED = {"search": "{}", "match": "^(?:{})", "fullmatch": "^(?:{})$"}


def _all(one: Any) -> Iterator[Bound]:
    for part in getattr(one, "_validators", ()):
        yield from _said(part)


def _optional(one: Any) -> Iterator[Bound]:
    for name, bound in _said(one.validator):
        if name == "one_of":
            yield name, (*bound, None)
        else:
            yield (name, bound | None) if name == "type" and isinstance(bound, type) else (name, bound)


def _one_of(one: Any) -> Iterator[Bound]:
    given = getattr(one, "_original_options", one.options)
    if not isinstance(given, list | tuple | set | frozenset | Mapping):
        return  # of a text any part fits; whatever else there is may have rules of its own
    options = sorted(given, key=repr) if isinstance(given, set | frozenset) else list(given)
    if options and all(map(_is_scalar, options)):
        yield "one_of", tuple(options)


def _is_scalar(value: Any) -> bool:
    return kind_of(value) in _SCALARS and (not isinstance(value, float) or math.isfinite(value))


_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})


def _compared(one: Any) -> Iterator[Bound]:
    if one.compare_op in _COMPARED:
        yield _COMPARED[one.compare_op], one.bound


def _matched(one: Any) -> Iterator[Bound]:
    form = _ANCHORED.get(getattr(one.match_func, "__name__", ""))
    if form is not None and isinstance(one.pattern.pattern, str) and not one.pattern.flags & (re.VERBOSE | re.ASCII):
        yield "pattern", form.format(source_of(one.pattern))
