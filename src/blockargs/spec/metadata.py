"""The fields of a block besides its arguments: what each may hold, one row a field."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any

from .._text import did_you_mean, listing, quoted
from ..categories import CATEGORIES
from ..errors import InvalidBlockError, InvalidIconError, Problem, at
from ..icons import icon_names
from ..node import thawed
from ..validate import problems_in
from ..validate.scan import is_text
from .block import KINDS, UID, Block

HINTS = ("title", "read_only", "destructive", "idempotent", "open_world")
_LINK = re.compile(r"https?://[^\s/]+\S*\Z")


def metadata_problems(block: Block) -> Iterator[Problem]:
    """Yield a problem for each field of *block* that is not what it may be, but for its icon."""
    for key, unsaid in _UNSAID.items():
        value = getattr(block, key)
        if value is unsaid:
            continue
        if (problem := field_problem(key, value)) is not None:
            yield problem
        elif key == "annotations":
            yield from _hint_problems(value)
    for name, arg in block.arguments.items():
        for text in (name, arg.description, arg.error, *arg.aliases):
            if text is not None and not is_text(text):
                message = f"{quoted(text)} is not text that can be written as UTF-8"
                yield Problem(code=InvalidBlockError.code, path=at("$.arguments", name), message=message)


def field_problem(key: str, value: Any) -> Problem | None:
    """Return what is wrong with *value* as the field *key* of a block."""
    fits, wanted, hint = FIELDS[key]
    if fits(value):
        return None
    return Problem(
        code=InvalidBlockError.code, path=at("$", key), message=f"{quoted(value)} is not {wanted}", hint=hint
    )


def hint_fault(key: str, value: Any) -> tuple[str, str] | None:
    """Return what is wrong with a hint for clients, and the cure; ``None`` where nothing is."""
    if key not in HINTS:
        return f"{quoted(key)} is no hint for clients", did_you_mean(key, HINTS) or f"they are {listing(HINTS)}"
    if not isinstance(value, str if key == "title" else bool):
        return f"{quoted(value)} is no {'text' if key == 'title' else 'bool'} for {quoted(key)}", ""
    return None


def _hint_problems(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Check the hints of a block; one that is ``None`` says nothing, and icons come with the tools of others."""
    for key, value in given.items():
        if value is None or (key == "icons" and isinstance(value, list) and all(isinstance(i, Mapping) for i in value)):
            continue
        if (fault := hint_fault(key, value)) is not None:
            path = at("$.annotations", key)
            yield Problem(code=InvalidBlockError.code, path=path, message=fault[0], hint=fault[1])


def icon_problems(block: Block) -> Iterator[Problem]:
    """Yield a problem when the icon of *block* is no name of Bootstrap Icons."""
    icon = block.icon
    if icon is not None and (not isinstance(icon, str) or icon not in icon_names()):
        message = f"{quoted(icon)} is no name of Bootstrap Icons"
        hint = did_you_mean(icon, icon_names())
        yield Problem(code=InvalidIconError.code, path="$.icon", message=message, hint=hint)


def _is_uid(value: Any) -> bool:
    return isinstance(value, str) and UID.fullmatch(value) is not None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and is_text(value)


def _is_line(value: Any) -> bool:
    return _is_text(value) and value.strip() != "" and "\n" not in value


def _is_link(value: Any) -> bool:
    return _is_text(value) and _LINK.match(value) is not None


def _is_seconds(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0 and math.isfinite(value)


def _is_record(value: Any) -> bool:
    return isinstance(value, Mapping) and not (value and problems_in(thawed(value), {}))


def _is_failure(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _is_check(value: Any) -> bool:
    return callable(value) and not _is_async(value)


def _is_async(value: Any) -> bool:
    import inspect  # noqa: PLC0415 - few blocks have validators

    called = getattr(type(value), "__call__", None)  # noqa: B004 - that of its class is the one that is called
    return any(inspect.iscoroutinefunction(f) or inspect.isasyncgenfunction(f) for f in (value, called))


def _or_none(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


def _each(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list | tuple) and all(map(fits, value))


_UID_WORDS = "1 to 128 of letters, digits, '_', '.' and '-'"
# field: whether a value is right, what is wanted, the cure
FIELDS: dict[str, tuple[Callable[[Any], bool], str, str]] = {
    "uid": (_is_uid, _UID_WORDS, "pass uid=…"),
    "wire_name": (_or_none(_is_uid), _UID_WORDS, ""),
    "name": (_is_line, "a line of text", ""),
    "description": (_or_none(_is_text), "text", ""),
    "details": (_or_none(_is_text), "text", ""),
    "guidance": (_or_none(_is_text), "text", ""),
    "package": (_or_none(_is_line), "a line of text", ""),
    "output": (_or_none(_is_line), "a line of text", ""),
    "category": (_is_line, "a line of text", f"use one of {listing(CATEGORIES, last='or')}"),
    "link": (_or_none(_is_link), "a web address", "write https://…"),
    "keywords": (_each(_is_line), "a list of words", "write ['one', 'two']"),
    "inputs": (_each(_is_line), "a list of names", "write ['data']"),
    "kind": (KINDS.__contains__, "'block' or 'tool'", ""),
    "validators": (
        _each(_is_check),
        "a list of functions, none of them async",
        "let a validator look at the arguments alone, and await what it needs in the constructor",
    ),
    "tells": (_each(_is_failure), "a list of exception classes", "write (ValueError,)"),
    "timeout": (_or_none(_is_seconds), "a number of seconds above 0", ""),
    "annotations": (_is_record, "a JSON object of hints", "write {'read_only': True}"),
}
# field: what stands there where nothing was said, if that may be; most fields of most blocks
_NAMED = {f.name: f.default if f.default_factory is MISSING else f.default_factory() for f in fields(Block)}
_UNSAID = {key: _NAMED[key] if FIELDS[key][0](_NAMED[key]) else MISSING for key in FIELDS}
