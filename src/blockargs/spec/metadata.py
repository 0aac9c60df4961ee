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

_LINK = re.compile(r"https?://[^\s/]+\S*\Z")


def metadata_problems(block: Block) -> Iterator[Problem]:
    """Yield a problem for each field of *block* that is not what it may be, but for its icon."""
    for key, unsaid in _UNSAID.items():
        value = getattr(block, key)
        if value is not unsaid and (problem := field_problem(key, value)) is not None:
            yield problem
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


def icon_problems(block: Block) -> Iterator[Problem]:
    """Yield a problem when the icon of *block* is no name of Bootstrap Icons."""
    icon = block.icon
    if icon is not None and (not isinstance(icon, str) or icon not in icon_names()):
        message = f"{quoted(icon)} is no name of Bootstrap Icons"
        hint = did_you_mean(icon, icon_names()) if isinstance(icon, str) else ""
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
    "validators": (_each(callable), "a list of functions", ""),
    "tells": (_each(_is_failure), "a list of exception classes", "write (ValueError,)"),
    "timeout": (_or_none(_is_seconds), "a number of seconds above 0", ""),
    "annotations": (_is_record, "a JSON object of hints", "write {'read_only': True}"),
}
# field: what stands there where nothing was said, if that may be; most fields of most blocks
_NAMED = {f.name: f.default if f.default_factory is MISSING else f.default_factory() for f in fields(Block)}
_UNSAID = {key: _NAMED[key] if FIELDS[key][0](_NAMED[key]) else MISSING for key in FIELDS}
