"""Bounds beside a type: written into the schema where it has words for them, else checked when decoding."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .._text import quoted
from ..errors import InvalidArgTypeError
from ..keywords import kind_of, types_of
from ..node import ArgType, json_key
from ..patterns import PATTERN_SECONDS, found, pattern_of
from ..sentences import Told, no_match, no_multiple, not_in_enum, of_wrong_size, out_of_bounds, too_slow
from ..types import arg_literal
from ..types.bounds import count, in_order, number_bounds
from ..types.bounds import text as sound_text
from .codec import Codec, Misfit, misfit
from .remarks import Remarks
from .site import unsupported


@dataclass(frozen=True, slots=True)
class _Test:
    """What is asked of the Python value, and the code and sentence of one that fails: of its JSON and of itself."""

    passes: Callable[[Any], Any]
    told: Callable[[Any, Any], Told]


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
_PAIRS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
# how many parts a Python value has, by the JSON type that it comes from
_COUNTED = (((str, bytes, bytearray), "string"), (Mapping, "object"), (object, "array"))


def _compared(compare: Callable[[Any, Any], bool], name: str) -> Callable[[Any], _Test]:
    return lambda bound: _Test(
        lambda value: compare(value, bound),
        lambda given, _: out_of_bounds(_NUMBERS[name], given, bound),
    )


def _counted(compare: Callable[[Any, Any], bool], name: str) -> Callable[[Any], _Test]:
    def told(given: Any, made: Any, bound: Any) -> Told:
        kind = next(kind for classes, kind in _COUNTED if isinstance(made, classes))
        return of_wrong_size(_LENGTHS[name, kind], given, len(made), bound)

    return lambda bound: _Test(lambda value: compare(len(value), bound), lambda given, made: told(given, made, bound))


def _stepped(step: Any) -> _Test:
    return _Test(lambda value: value % step == 0, lambda given, _: no_multiple(given, step))


def _matched(pattern: Any) -> _Test:
    def passes(value: Any) -> bool:
        try:
            return found(pattern_of(pattern), str(value))
        except TimeoutError:
            code, message, hint = too_slow(PATTERN_SECONDS)
            raise misfit(message, hint, code=code) from None

    return _Test(passes, lambda given, _: no_match(given, pattern))


def _chosen(options: Any) -> _Test:
    return _Test(lambda value: value in options, lambda given, _: not_in_enum(given, options))


# bound -> the test of a Python value
_TESTS: dict[str, Callable[[Any], _Test]] = {
    "gt": _compared(operator.gt, "gt"),
    "ge": _compared(operator.ge, "ge"),
    "lt": _compared(operator.lt, "lt"),
    "le": _compared(operator.le, "le"),
    "multiple_of": _stepped,
    "min_length": _counted(operator.ge, "min_length"),
    "max_length": _counted(operator.le, "max_length"),
    "pattern": _matched,
    "one_of": _chosen,
}


def bounded(codec: Codec, remarks: Remarks) -> Codec:
    """Return *codec* with the bounds and checks of *remarks*.

    Raises:
        UnsupportedAnnotationError: A bound cannot be: no schema may hold it, or no value is compared with it.
    """
    try:
        return _bounded(codec, remarks)
    except InvalidArgTypeError as reason:
        problem = reason.problems[0]
        raise unsupported(problem.message, problem.hint or "correct the bound") from None


def _bounded(codec: Codec, remarks: Remarks) -> Codec:
    node = codec.type
    for name, value in remarks.bounds:
        _check(name, value, codec)
    checks = [_of_author(test, words) for test, words in remarks.checks]
    tests = [*(_TESTS[name](value) for name, value in remarks.bounds), *checks]
    left = list(checks)
    text = codec.decode is None
    for name, value in remarks.bounds:
        changed = _written(node, name, value, text=text)
        if changed is None:
            left.append(_TESTS[name](value))
        elif "anyOf" in node and name != "pattern":  # not every branch may have words for it; any value has a text
            left.append(_where_it_applies(_TESTS[name](value)))
        node = node if changed is None else changed
    holds = codec.holds
    return Codec(
        node,
        _checked(codec, left),
        codec.encode,
        lambda value: holds(value) and (value is None or _all_pass(tests, value)),
    )


def _written(node: ArgType, name: str, value: Any, *, text: bool) -> ArgType | None:
    """Return *node* with the bound in it; ``None`` where its words do not reach."""
    if name == "one_of":
        return _with_choices(node, value, text=text)
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
    made = node | {keyword: value}
    for low, high in _PAIRS:
        in_order({low: made.get(low), high: made.get(high)}, low, high)
    return made


def _check(name: str, value: Any, codec: Codec) -> None:
    """Refuse a bound as the constructor of a type refuses it.

    Raises:
        InvalidArgTypeError: It cannot be.
    """
    if name in ("min_length", "max_length"):
        count(value, name)
    elif name == "pattern":
        sound_text(value, name)
    elif name == "multiple_of" and isinstance(value, int | float):
        number_bounds(None, None, None, None, value)
    elif name == "multiple_of":
        _compare(name, lambda: value > value - value, value)  # a Decimal, a timedelta
    elif name in _NUMBERS:
        kinds = set(types_of(codec.type)) - {"null"}
        like = 0 if kinds and kinds <= {"integer", "number"} else value
        _compare(name, lambda: like <= value or like >= value, value)  # NaN is neither


def _compare(name: str, holds: Callable[[], Any], value: Any) -> None:
    try:
        right = bool(holds())
    except Exception:  # noqa: BLE001 - a stranger's comparison may raise anything
        right = False
    if not right:
        what = "above 0" if name == "multiple_of" else "something that values are compared with"
        raise InvalidArgTypeError(f"{name} is {what}, not {quoted(value)}")


def _with_choices(node: ArgType, options: tuple[Any, ...], *, text: bool) -> ArgType | None:
    """Return *node* with the fixed set of its values; ``None`` where these stand for something else in Python."""
    kinds = set(types_of(node))
    if not {"enum", "const", "$ref", "anyOf"}.isdisjoint(node) or ("string" in kinds and not text):
        return None
    wide = kinds | {"integer"} if "number" in kinds else kinds
    kept = {json_key(v): v for v in options if not node or kind_of(v) in wide}
    return node | arg_literal(kept.values()) if kept else None


def _is_finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _where_it_applies(test: _Test) -> _Test:
    """Return *test*, which a value passes that it can say nothing of: a text has no minimum."""

    def passes(value: Any) -> Any:
        try:
            return test.passes(value)
        except TypeError:
            return True

    return _Test(passes, test.told)


def _of_author(test: Callable[[Any], Any], words: str) -> _Test:
    return _Test(test, lambda given, _: ("refused", f"{quoted(given)} {words}"))


def _checked(codec: Codec, tests: Sequence[_Test]) -> Any:
    if not tests:
        return codec.decode

    def decode(value: Any) -> Any:
        made = codec.to_python(value)
        for test in tests:
            if made is not None and not _passes(test, made):
                code, message = test.told(value, made)
                raise misfit(message, code=code)
        return made

    return decode


def _passes(test: _Test, value: Any) -> bool:
    try:
        return bool(test.passes(value))
    except Misfit:
        raise
    except Exception:  # noqa: BLE001 - a test that fails is one that is not passed
        return False


def _all_pass(tests: Sequence[_Test], value: Any) -> bool:
    try:
        return all(_passes(test, value) for test in tests)
    except Misfit:
        return False
