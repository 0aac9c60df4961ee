"""The quick way: text that is JSON, and arguments that fit as they are, or are at least no call around arguments."""

from __future__ import annotations

import re
from typing import Any

from ..keywords import MAX_DEPTH, MAX_TEXT
from .leaves import PLAIN, too_deep
from .names import fold
from .normal import normal
from .targets import Target

_FLOATS = re.compile(r"[0-9][.eE]").search
_OTHER_SPELLING = re.compile(r"[0-9][.eE]|-0").search  # of -0, as a text, the sign would be lost


def read_json(text: str) -> tuple[Any] | None:
    """Return the value of JSON *text*, in a tuple; ``None`` when it is none, or not to be read the quick way."""
    if len(text) > MAX_TEXT:
        return None
    try:
        value = PLAIN.decode(text)
    except (ValueError, RecursionError):
        return None
    if text.count("{") + text.count("[") > MAX_DEPTH and too_deep(value, MAX_DEPTH):
        return None
    return (value,)


def as_it_is(value: Any, text: str, target: Target) -> tuple[Any] | None:
    """Return *value*, which *text* was read as, in a tuple if it fits as it is."""
    if target.names and isinstance(value, dict) and value and target.declared.keys().isdisjoint(value):
        return None  # it may be a call of this tool
    if not target.validator.fits(value):
        return None
    if target.whole and _FLOATS(text):
        return (normal(value, target.shape),)  # the decoder has refused floats too large to be exact
    return (value,)


def is_bare(value: Any, target: Target, tag: str) -> bool:
    """Tell whether *value* is arguments, whatever is wrong with them, and no call around arguments.

    What has a key like the *tag* beside arguments, or one for a list of calls, is looked at as a whole reply.
    """
    if not isinstance(value, dict) or target.declared.keys().isdisjoint(value):
        return False
    if value.keys() <= target.declared.keys():
        return True
    of_calls = (_LIST_OF_CALLS, fold(tag))
    return all(fold(key) not in of_calls for key in value.keys() - target.declared.keys())


_LIST_OF_CALLS = "toolcalls"
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]").search


def as_written_matters(text: str) -> bool:
    """Tell whether a number in JSON *text* may be written in a way that its value does not show."""
    return _OTHER_SPELLING(text) is not None


def has_half_characters(text: str) -> bool:
    """Tell whether half a character, or what may be one, is in the JSON *text*."""
    return not (text.isascii() and "\\u" not in text) and _HALF_CHARACTER(text) is not None
