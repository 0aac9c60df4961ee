"""What is JSON at all: the scan before any schema is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .._text import quoted
from ..errors import Problem, at
from ..keywords import MAX_DEPTH

MAX_PROBLEMS = 50  # listed for one value; the last one counts the rest
MAX_VALUES = 4_000_000  # a text of 4 MiB cannot hold more
_WIDE = 10_000  # members of one level from which on it is asked whether they are the same
INFINITY = float("inf")

_HINTS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("tuple", "set", "frozenset", "deque", "range", "generator", "dict_keys", "dict_values"), "use a list"),
    (("bytes", "bytearray", "memoryview"), "decode it to a string"),
    (("Decimal", "Fraction", "complex"), "use an int or a float, or write it as a string"),
    (("date", "datetime", "time"), "write it as a string: value.isoformat()"),
    (("mappingproxy", "MappingProxyType", "ChainMap", "UserDict"), "use a dict"),
    (("UUID", "PosixPath", "WindowsPath", "Path"), "write it as a string: str(value)"),
)


def is_text(text: str) -> bool:
    """Tell whether *text* can be written as UTF-8; a lone surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_utf8(text: object) -> bool:
    """Tell whether *text* is a text that can be written, without half a character."""
    return isinstance(text, str) and (text.isascii() or is_text(text))


def is_json(value: Any, depth: int = MAX_DEPTH) -> bool:
    """Tell whether *value* is JSON of plain Python classes, at most *depth* levels deep.

    Goes level by level, so that no nesting, not even a value that contains
    itself, can end it; a subclass of ``str`` and the like is left to `plain_json`.
    """
    level = [value]
    for _ in range(depth):
        inner: list[Any] = []
        if not _is_level(level, inner):
            return False
        if not inner:
            return True
        if len(inner) > _WIDE and (len(inner) > MAX_VALUES or _shares(inner)):
            return False
        level = inner
    # nothing but scalars may lie in the last containers
    return not any(type(item) is dict or type(item) is list for item in level) and _is_level(level, [])


def _is_level(level: list[Any], inner: list[Any]) -> bool:
    """Tell whether all of *level* are JSON; their members go to *inner*."""
    for item in level:
        kind = type(item)
        if kind is str:
            if not (item.isascii() or is_text(item)):
                return False
        elif kind is dict:
            if not _are_keys(item):
                return False
            inner.extend(item.values())
        elif kind is list:
            inner.extend(item)
        elif kind is float:
            if not -INFINITY < item < INFINITY:
                return False
        elif kind is not int and kind is not bool and item is not None:
            return False
    return True


def _are_keys(keys: Iterable[Any]) -> bool:
    for key in keys:  # noqa: SIM110 - a generator costs more than the check
        if type(key) is not str or not (key.isascii() or is_text(key)):
            return False
    return True


def _shares(level: list[Any]) -> bool:
    """Tell whether the same few lists and objects stand in *level* over and over, as in a bomb."""
    boxes = [id(item) for item in level if type(item) is dict or type(item) is list]
    return len(set(boxes)) * 4 < len(boxes)


def plain_json(value: Any, path: str, problems: list[Problem]) -> Any:
    """Return *value* as JSON of plain Python classes; what is not JSON goes to *problems*.

    Members of enumerations and other subclasses of ``str``, ``int``, ``float``,
    ``list`` and ``dict`` become what ``json.dumps`` would write. Where something
    is refused the rest is still returned: a tuple or a set as a list, null for
    anything else.
    """
    if is_json(value):
        return value
    if _size(value, 0, {}) > MAX_VALUES:
        message = f"the value holds more than {MAX_VALUES} values"
        problems.append(Problem(code="too_big", path=path, message=message, hint="send less"))
        return None
    return _Scan(problems).plain(value, path, 0)


def _size(value: Any, depth: int, known: dict[int, int]) -> int:
    """Return how many values *value* is, where one list may stand in it many times."""
    if depth > MAX_DEPTH or not isinstance(value, list | dict):
        return 1
    if id(value) not in known:
        known[id(value)] = 0  # what contains itself is told later
        members = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_size(item, depth + 1, known) for item in members)
    return known[id(value)]


class _Scan:
    __slots__ = ("around", "problems")

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.around: set[int] = set()  # the containers that the current value is in

    def plain(self, value: Any, path: str, depth: int) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.text(str.__str__(value), path)
        if isinstance(value, int):
            return int.__int__(value)
        if isinstance(value, float):
            return self.number(float.__float__(value), path)
        if isinstance(value, list | dict):
            return self.container(value, path, depth)
        self.refused(value, path)
        return self.container(list(value), path, depth) if isinstance(value, tuple | set | frozenset) else None

    def text(self, text: str, path: str) -> str | None:
        if is_text(text):
            return text
        self.add(path, f"{quoted(text)} holds half a character (a lone surrogate)", "write the whole character")
        return None

    def number(self, number: float, path: str) -> float | None:
        if -INFINITY < number < INFINITY:
            return number
        self.add(path, f"'{number}' is no number of JSON", "use null, or leave it out")
        return None

    def container(self, value: Any, path: str, depth: int) -> Any:
        if depth >= MAX_DEPTH:
            self.add(path, f"nested deeper than {MAX_DEPTH} levels", "use fewer levels", code="too_deep")
        elif id(value) in self.around:
            self.add(path, "a value that contains itself is no JSON")
        else:
            self.around.add(id(value))
            out = self.members(value, path, depth)
            self.around.discard(id(value))
            return out
        return None

    def members(self, value: Any, path: str, depth: int) -> Any:
        if isinstance(value, list):
            return [self.plain(item, f"{path}[{index}]", depth + 1) for index, item in enumerate(value)]
        out: dict[str, Any] = {}
        for key, item in value.items():
            if isinstance(key, str):
                name = str.__str__(key)
                shown = name.encode("utf-8", "backslashreplace").decode()
                where = at(path, shown)
                if self.text(name, where) is not None:
                    out[name] = self.plain(item, where, depth + 1)
            else:
                where = at(path, quoted(key, 40).strip("'"))
                self.add(where, f"key {quoted(key, 40)} is {_class_of(key)}, not a string", "keys are strings")
        return out

    def refused(self, value: Any, path: str) -> None:
        name = type(value).__name__
        hint = next((cure for names, cure in _HINTS if name in names), "")
        if not hint and isinstance(value, tuple):
            hint = "use a list"
        elif not hint and isinstance(value, Mapping):
            hint = "use a dict"
        self.add(path, f"{_shown(value)} is {_class_of(value)}, not JSON", hint)

    def add(self, path: str, message: str, hint: str = "", *, code: str = "not_json") -> None:
        self.problems.append(Problem(code=code, path=path, message=message, hint=hint))


def _shown(value: Any) -> str:
    # json would write a tuple as a list, which hides what is wrong
    return quoted(_Repr(value)) if isinstance(value, tuple) else quoted(value)


class _Repr:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


def _class_of(value: Any) -> str:
    name = type(value).__name__
    words = {"int": "a number", "float": "a number", "bool": "a boolean", "NoneType": "null"}
    return words.get(name) or f"{'an' if name[:1] in 'aeiouAEIOU' else 'a'} {name}"
