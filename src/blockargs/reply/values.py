"""Scalars as models write them: each row of `SCALARS` is one reading of a value for one JSON type."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

from .._text import quoted
from ..node import json_key
from .leaves import SAFE_INTEGER, Num, Raw, number_of, plain
from .names import fold, typo_of
from .shape import Shape

NOTHING: Any = object()  # "there is no such reading"
MAX_DIGITS = 80
MAX_SIGNIFICANT = 15  # digits that every float keeps
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?\Z").match
_YES_NO = {"true": True, "yes": True, "false": False, "no": False}
NULL_WORDS = frozenset({"null", "none"})
ABSENT_WORDS = NULL_WORDS | {"undefined", ""}

Reading = Callable[[Any, Shape], Any]


def text_of(value: Any, shape: Shape) -> Any:
    """Return a number's own digits, bare text as text; an object as JSON where the type says it is JSON."""
    if isinstance(value, Num | Raw):
        return str(value)
    if isinstance(value, dict | list):
        is_json = shape.node.get("contentMediaType") == "application/json"
        return _json_of(value) if is_json else NOTHING
    if isinstance(value, bool) or not isinstance(value, int | float):
        return NOTHING
    return NOTHING if isinstance(value, float) and not math.isfinite(value) else json.dumps(value)


def _json_of(tree: Any) -> str:
    """Return *tree* as JSON text, its numbers as they were written."""
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{json.dumps(k, ensure_ascii=False)}: {_json_of(v)}" for k, v in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(_json_of, tree)) + "]"
    return str(tree) if isinstance(tree, Num) else json.dumps(plain(tree), ensure_ascii=False)


def integer_of(value: Any, _: Shape) -> Any:
    """Return the whole number that *value* writes exactly."""
    if not isinstance(value, str) or len(value) > MAX_DIGITS + 2:
        return NOTHING
    found = _NUMBER(value.strip())
    if found is None:
        return NOTHING
    whole, fraction, exponent = found[1], found[2] or "", int(found[3] or 0)
    if found[3] is None:
        if len(whole) > MAX_DIGITS and not isinstance(value, Num):
            return NOTHING
        return int(found[0].partition(".")[0]) if not fraction.strip("0") else NOTHING
    digits = (whole + fraction).lstrip("0")
    shift = exponent - len(fraction)
    if shift > len(str(SAFE_INTEGER)):
        return 0 if not digits else NOTHING
    number = int(digits or "0") * 10 ** max(shift, 0)
    number, rest = divmod(number, 10 ** min(max(-shift, 0), MAX_DIGITS))
    if rest or number > SAFE_INTEGER:
        return NOTHING
    return -number if found[0].startswith("-") else number


def float_of(value: Any, _: Shape) -> Any:
    """Return the number that *value* writes, if a float keeps all its digits."""
    if not isinstance(value, str):
        return NOTHING
    found = _NUMBER(value.strip())
    if found is None:
        return NOTHING
    digits = (found[1] + (found[2] or "").rstrip("0")).lstrip("0")
    if len(digits) > MAX_SIGNIFICANT:
        return NOTHING
    number = number_of(found[0])
    return number if math.isfinite(number) and (number or not digits) else NOTHING


def boolean_of(value: Any, shape: Shape) -> Any:
    """Return what true, false, yes or no says, where nothing but a boolean is wanted; yes and no not beside null."""
    if not isinstance(value, str) or isinstance(value, Num) or shape.types != ("boolean",):
        return NOTHING
    if shape.nullable and says_yes_or_no(value):
        return NOTHING
    return _YES_NO.get(value.strip().casefold(), NOTHING)


def says_yes_or_no(value: Any) -> bool:
    """Tell whether *value* is one of the words that are a boolean only where nothing else is wanted."""
    return isinstance(value, str) and value.strip().casefold() in ("yes", "no")


SCALARS: tuple[tuple[str, str, Reading], ...] = (
    ("string", "to_string", text_of),
    ("integer", "to_integer", integer_of),
    ("number", "to_number", float_of),
    ("boolean", "to_boolean", boolean_of),
)


def option_of(value: Any, shape: Shape) -> tuple[Any, str]:
    """Return the one of the options of *shape* that *value* means and the rule that tells so, else `NOTHING`."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return NOTHING, ""
    options = shape.options or ()
    numbers = shape.numbers
    if numbers and isinstance(value, str) and (number := float_of(value, ANYTHING)) is not NOTHING:
        for member in numbers:
            if json_key(number) == json_key(member):
                return member, "to_number"
    if isinstance(value, Num | int | float) and (written := str(plain(value) if not isinstance(value, str) else value)):
        return (written, "to_string") if written in options else (NOTHING, "")
    words = shape.words
    key = fold(str(value))
    same = [word for word, own in words.items() if own == key]
    if len(same) == 1 and key:
        return same[0], "enum_style"
    if same:
        return NOTHING, ""
    typo = typo_of(key, words)
    return (typo, "enum_typo") if typo is not None else (NOTHING, "")


ANYTHING = Shape({}, {})


def told(before: Any, after: Any, rule: str) -> str:
    """Return the sentence of a note about a scalar."""
    what = _WORDS.get(rule, "as")
    return f"read {quoted(plain(before))} {what} {quoted(after)}"


_WORDS = {
    "to_string": "as the text",
    "to_integer": "as the integer",
    "to_number": "as the number",
    "to_boolean": "as",
    "enum_style": "as the choice",
    "enum_typo": "as the choice",
    "to_null": "as",
}
