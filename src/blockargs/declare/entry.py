"""The keys of a declaration, and what each may hold: one row a key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from .._text import listing, quoted
from ..errors import InvalidDeclarationError, InvalidIconError
from ..icons import icon_names
from ..node import FrozenDict, FrozenList
from ..spec import ConstructorRef
from ..spec.metadata import HINTS, field_problem, hint_fault

_REFERENCE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")


class Unfit(Exception):  # noqa: N818 - never leaves this room
    """A value is not what its key may hold.

    Attributes:
        message: What it is, and is not.
        hint: The cure, or ``""``.
        code: The problem's code.
        names: What it may be, where these are so many that a near one takes time to find.
    """

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        code: str = InvalidDeclarationError.code,
        names: Callable[[], Iterable[str]] | None = None,
    ) -> None:
        super().__init__(message)
        self.message, self.hint, self.code, self.names = message, hint, code, names


def text(value: Any) -> str:
    """Return a text; a number or a bool was meant to stand in quotes."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        raise Unfit(f"{quoted(value)} is no text", "put it in quotes")
    raise Unfit(f"{quoted(value)} is no text")


def words(value: Any) -> list[str]:
    """Return a list of texts; one text is a list of one."""
    if isinstance(value, str):
        return FrozenList([value])
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return FrozenList(value)
    odd = next((word for word in value if not isinstance(word, str)), None) if isinstance(value, list) else value
    hint = "put it in quotes" if isinstance(odd, bool | int | float) else "write [one, two]"
    raise Unfit(f"{quoted(odd)} is no text in a list of texts", hint)


def _field(key: str, read: Callable[[Any], Any] = text) -> Callable[[Any], Any]:
    """Return what reads a value by *read*, and holds it to what a registry takes as the field *key*."""

    def checked(value: Any) -> Any:
        made = read(value)
        if (problem := field_problem(key, made)) is not None:
            # a uid is named by its key here, not by a keyword
            raise Unfit(problem.message, "" if key == "uid" else problem.hint, code=problem.code)
        return made

    return checked


def _icon(value: Any) -> str:
    if text(value) in icon_names():
        return str(value)
    raise Unfit(f"{quoted(value)} is no name of Bootstrap Icons", code=InvalidIconError.code, names=icon_names)


def _constructor(value: Any) -> ConstructorRef:
    if isinstance(value, str) and _REFERENCE.fullmatch(value):
        return ConstructorRef(value)
    raise Unfit(f"{quoted(value)} names no constructor", 'write "package.module:name"')


def _itself(value: Any) -> Any:
    return value


def _hints(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Unfit(f"{quoted(value)} is no mapping", f"its keys are {listing(HINTS)}")
    for key, hint in value.items():
        if (fault := hint_fault(key, hint)) is not None:
            raise Unfit(*fault)
    return FrozenDict(value)


# key -> what reads its value; the order is the one in which they are written
METADATA: dict[str, Callable[[Any], Any]] = {
    "uid": _field("uid"),
    "name": _field("name"),
    "description": _field("description"),
    "details": _field("details"),
    "link": _field("link"),
    "guidance": _field("guidance"),
    "keywords": _field("keywords", words),
    "category": _field("category"),
    "icon": _icon,
    "package": _field("package"),
    "constructor": _constructor,
    "wire_name": _field("wire_name"),
    "kind": _field("kind", _itself),
    "timeout": _field("timeout", _itself),
    "annotations": _hints,
    "inputs": _field("inputs", lambda value: tuple(words(value))),
    "output": _field("output"),
}
SCHEMAS: Final = {"input_schema": "schema", "output_schema": "output_schema"}  # key -> field of a block
ENTRY_KEYS: Final = (*METADATA, *SCHEMAS, "arguments", "examples")
