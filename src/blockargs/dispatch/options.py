"""What a host may ask of a toolset: each option is looked at before anything is done with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .._text import listing, one_line
from ..errors import InvalidToolsetError
from ..inject import HELPERS
from .effects import EffectHook

Helpers = Mapping[type[Any], Any]


def flag(name: str, value: object) -> bool:
    """Return *value*, which is True or False.

    Raises:
        InvalidToolsetError: It is something else.
    """
    if isinstance(value, bool):
        return value
    raise _wrong(name, value, "neither True nor False")


def count(name: str, value: object, *, least: int = 0) -> int:
    """Return *value*, which is a whole number of *least* or more.

    Raises:
        InvalidToolsetError: It is something else.
    """
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    raise _wrong(name, value, "no count", f"give {least}, {least + 1}, {least + 2}, …")


def seconds(name: str, value: object, *, over: bool = False) -> float | None:
    """Return *value*, which is a number of seconds above 0, or ``None``; *over* takes a time that is over too.

    Raises:
        InvalidToolsetError: It is something else.
    """
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and (value > 0 or (over and value <= 0)):
        return value
    raise _wrong(name, value, f"no number of seconds{'' if over else ' above 0'}")


def key(name: str, value: object) -> str:
    """Return *value*, which is a text that may be a key.

    Raises:
        InvalidToolsetError: It is something else.
    """
    if isinstance(value, str) and value:
        return value
    raise _wrong(name, value, "no name of a key", "give a text")


def mapping(name: str, value: object, of: str) -> Mapping[Any, Any]:
    """Return *value*, which is a mapping, or ``None`` for an empty one.

    Raises:
        InvalidToolsetError: It is something else.
    """
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return value
    raise _wrong(name, value, "no mapping", f"give {of}")


def exceptions(name: str, value: Any) -> tuple[type[BaseException], ...]:
    """Return *value*, one class of exceptions or several, as a tuple.

    Raises:
        InvalidToolsetError: One of them is something else.
    """
    several = isinstance(value, Iterable) and not isinstance(value, type | str)
    listed = tuple(value) if several else (value,)
    for one in listed:
        if not isinstance(one, type) or not issubclass(one, BaseException):
            raise InvalidToolsetError(f"{one!r} of {name}= is no class of exceptions; give (ValueError,)")
    return listed


def helpers_of(value: object) -> Helpers:
    """Return *value*, the helpers of one call by their classes.

    Raises:
        InvalidToolsetError: It is something else.
    """
    found = mapping("helpers", value, "{Context: context, Progress: progress}")
    for cls, helper in found.items():
        if cls not in HELPERS:
            raise InvalidToolsetError(f"helpers= names {cls!r}; there are {listing(c.__name__ for c in HELPERS)}")
        if not isinstance(helper, cls):
            raise InvalidToolsetError(f"{helper!r} of helpers= is no {cls.__name__}")
    return found


def export_of(value: Any) -> Any:
    """Return *value*, an export or ``None``; it is known by what it does, for its own room is not loaded here.

    Raises:
        InvalidToolsetError: It is something else.
    """
    if value is None or (
        callable(getattr(value, "decode", None)) and isinstance(getattr(value, "names", None), Mapping)
    ):
        return value
    raise _wrong("export", value, "no export", "give what export_tools() returned")


def hooks(name: str, value: object) -> dict[type, EffectHook]:
    """Return *value*, a mapping of classes to callables, or ``None`` for an empty one.

    Raises:
        InvalidToolsetError: It is something else.
    """
    found = dict(mapping(name, value, "a class and its hook: {Frame: table_effect}"))
    for cls, hook in found.items():
        if not isinstance(cls, type):
            raise InvalidToolsetError(f"{cls!r} of {name}= is no class")
        if not callable(hook):
            raise InvalidToolsetError(f"{hook!r}, the hook of {name}= for {cls.__name__}, cannot be called")
    return found


def _wrong(name: str, value: object, what: str, cure: str = "") -> InvalidToolsetError:
    return InvalidToolsetError(f"{name}={one_line(repr(value))} is {what}{f'; {cure}' if cure else ''}")
