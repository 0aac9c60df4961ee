"""What a reply's parse tree is made of, beyond plain JSON: numbers as written, bare text, faults."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

from ..errors import Problem
from ..imported import unrepeated

MAX_INT_DIGITS = 4000  # below the interpreter's own limit of 4,300
SAFE_INTEGER = 2**53


class Num(str):
    """A JSON number as it was written: ``1.10`` is still ``1.10`` when a text is wanted."""

    __slots__ = ()


class Raw(str):
    """Text without quotes that is no JSON: ``02139``, ``5 km``, ``2024-02-03``."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Bad:
    """A place whose text has no single reading."""

    problem: Problem


class InexactError(ValueError):
    """A number is so large that a float loses digits of it."""


def _exact(text: str) -> float:
    number = float(text)
    if not -SAFE_INTEGER < number < SAFE_INTEGER:
        raise InexactError
    return number


def _no_constant(text: str) -> Any:
    raise ValueError(text)  # NaN and Infinity are not JSON


class Unlined(str):
    """A text of whose lines JSON errors take no count.

    Each would look through all of the text before it, and in hostile text there are very many; nobody asks for the
    line. Slices of it are texts as ever.
    """

    __slots__ = ()

    def count(self, sub: str, *span: Any) -> int:
        """Return how often *sub* is there; of line breaks, none."""
        return 0 if sub == "\n" else super().count(sub, *span)

    def rfind(self, sub: str, *span: Any) -> int:
        """Return where *sub* is there last; of line breaks, nowhere."""
        return -1 if sub == "\n" else super().rfind(sub, *span)


# numbers as Python numbers: the quick way, for replies that are right
PLAIN = json.JSONDecoder(object_pairs_hook=unrepeated, parse_float=_exact, parse_constant=_no_constant)
# numbers as they were written: for everything that may need a repair
LEXEMES = json.JSONDecoder(object_pairs_hook=unrepeated, parse_int=Num, parse_float=Num, parse_constant=_no_constant)

_WHOLE = re.compile(r"-?[0-9]+(?:\.0+)?\Z").match


def number_of(text: str) -> int | float:
    """Return the number that a JSON number's *text* writes; infinite when none can hold it.

    A whole number written with a fraction of noughts stays exact past 2**53.
    """
    if len(text) > MAX_INT_DIGITS:
        return math.inf
    if text.lstrip("-").isdecimal():
        return int(text)
    number = float(text)
    if abs(number) >= SAFE_INTEGER and _WHOLE(text):
        return int(text.partition(".")[0])
    return number


_LEAVES = frozenset({str, bool, int, float, type(None)})  # of these, a tree is JSON


def flat(items: list[Any]) -> list[Any] | None:
    """Return *items* as JSON, all at once, where they are plain scalars or whole numbers as written; else ``None``."""
    kinds = set(map(type, items))
    if kinds <= _LEAVES:
        return items.copy()
    if kinds == _NUMS and all(map(str.isdecimal, items)) and max(map(len, items)) <= MAX_INT_DIGITS:
        return list(map(int, items))
    return None


_NUMS = {Num}


def plain(tree: Any) -> Any:
    """Return *tree* as JSON: numbers are numbers, bare text is text, a fault is ``None``."""
    kind = type(tree)
    if kind is dict:
        return {key: plain(value) for key, value in tree.items()}
    if kind is list:
        known = flat(tree)
        return [plain(value) for value in tree] if known is None else known
    if kind is Num:
        return number_of(tree)
    if kind is Raw:
        return str(tree)
    return None if kind is Bad else tree


def sure(tree: Any) -> Any:
    """Return *tree* as JSON when every part of it was written as JSON.

    Raises:
        ValueError: There is bare text, or a fault.
    """
    kind = type(tree)
    if kind is dict:
        return {key: sure(value) for key, value in tree.items()}
    if kind is list:
        known = flat(tree)
        return [sure(value) for value in tree] if known is None else known
    if kind is Num:
        return number_of(tree)
    if kind is Raw or kind is Bad:
        raise ValueError(tree)
    return tree


def holds(value: Any, *wanted: type) -> bool:
    """Tell whether a scalar of the *wanted* classes is in *value*; level by level, so that no nesting is too deep."""
    level = [value]
    while level:
        kinds = set(map(type, level))
        if not kinds.isdisjoint(wanted):
            return True
        if dict not in kinds and list not in kinds:
            return False
        inner: list[Any] = []
        for holder in level:
            if type(holder) is dict:
                inner += holder.values()
            elif type(holder) is list:
                inner += holder
        level = inner
    return False


def texts_for_keys(value: Any) -> bool:
    """Tell whether every key in *value*, which is not too deep, is a text."""
    stack, seen = [value], set()
    while stack:
        holder = stack.pop()
        if not isinstance(holder, dict | list) or id(holder) in seen:
            continue
        seen.add(id(holder))
        if isinstance(holder, dict) and not all(isinstance(key, str) for key in holder):
            return False
        stack += holder.values() if isinstance(holder, dict) else holder
    return True


def too_deep(value: Any, limit: int) -> bool:
    """Tell whether lists and objects are nested deeper than *limit* in *value*; never by recursion."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        if not level:
            return False
        inner = {
            id(member): member  # what stands in two places is looked at once
            for outer in level
            for member in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(member, dict | list)
        }
        level = list(inner.values())
    return bool(level)
