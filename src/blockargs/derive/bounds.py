"""Bounds beside a type: written into the schema where it has words for them, else checked when decoding."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from .._text import quoted
from ..keywords import types_of
from ..node import ArgType
from .codec import Codec, misfit
from .remarks import Remarks

Test = tuple[Callable[[Any], Any], str]  # and the words of what it asks

_NUMBERS = {
    "gt": "exclusiveMinimum",
    "ge": "minimum",
    "lt": "exclusiveMaximum",
    "le": "maximum",
    "multiple_of": "multipleOf",
}
_LENGTHS = {
    ("min_length", "string"): "minLength",
    ("max_length", "string"): "maxLength",
    ("min_length", "array"): "minItems",
    ("max_length", "array"): "maxItems",
    ("min_length", "object"): "minProperties",
    ("max_length", "object"): "maxProperties",
}
_TIGHTER: dict[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}
_TESTS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "gt": (operator.gt, "above"),
    "ge": (operator.ge, "at least"),
    "lt": (operator.lt, "below"),
    "le": (operator.le, "at most"),
    "multiple_of": (lambda value, step: value % step == 0, "a multiple of"),
    "min_length": (lambda value, count: len(value) >= count, "of a length of at least"),
    "max_length": (lambda value, count: len(value) <= count, "of a length of at most"),
    "pattern": (lambda value, pattern: re.search(pattern, str(value)) is not None, "written as"),
}


def bounded(codec: Codec, remarks: Remarks) -> Codec:
    """Return *codec* with the bounds and checks of *remarks*."""
    node = codec.type
    tests: list[Test] = [*(_test(name, value) for name, value in remarks.bounds), *remarks.checks]
    left: list[Test] = list(remarks.checks)
    text = codec.decode is None
    for name, value in remarks.bounds:
        changed = _written(node, name, value, text=text)
        if changed is None:
            left.append(_test(name, value))
        else:
            node = changed
    holds = codec.holds
    return Codec(
        node,
        _checked(codec, left),
        codec.encode,
        lambda value: holds(value) and (value is None or all(_passes(test, value) for test, _ in tests)),
    )


def _written(node: ArgType, name: str, value: Any, *, text: bool) -> ArgType | None:
    """Return *node* with the bound in it; ``None`` where its words do not reach."""
    if "anyOf" in node:
        branches = [_written(b, name, value, text=text) or b for b in node["anyOf"]]
        return node | {"anyOf": branches} if branches != list(node["anyOf"]) else None
    kinds = set(types_of(node)) - {"null"}
    keyword = None
    if name in _NUMBERS and kinds and kinds <= {"integer", "number"} and _is_finite(value):
        keyword = _NUMBERS[name]
    elif len(kinds) == 1 and (kind := kinds.pop()) and (kind != "string" or text):
        keyword = "pattern" if (name, kind) == ("pattern", "string") else _LENGTHS.get((name, kind))
    if keyword is None or (keyword == "pattern" and "pattern" in node):
        return None
    if keyword in node and keyword in _TIGHTER:
        value = _TIGHTER[keyword](node[keyword], value)
    return node | {keyword: value}


def _is_finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _test(name: str, bound: Any) -> Test:
    test, words = _TESTS[name]
    return lambda value: test(value, bound), f"must be {words} {_said(bound)}"


def _said(bound: Any) -> str:
    return quoted(bound) if isinstance(bound, str | int | float) else str(bound)


def _checked(codec: Codec, tests: Sequence[Test]) -> Any:
    if not tests:
        return codec.decode

    def decode(value: Any) -> Any:
        made = codec.to_python(value)
        for test, words in tests:
            if made is not None and not _passes(test, made):
                raise misfit(f"{quoted(value)} {words}", code="out_of_range")
        return made

    return decode


def _passes(test: Callable[[Any], Any], value: Any) -> bool:
    try:
        return bool(test(value))
    except Exception:  # noqa: BLE001 - a test that fails is one that is not passed
        return False
