"""JSON inside a text: a value that was encoded once too often."""

from __future__ import annotations

from typing import Any

from .._text import quoted
from ..errors import InvalidCallError, Problem
from ..keywords import MAX_DEPTH
from .leaves import LEXEMES, Num, Raw, too_deep

MAX_LEVELS = 2


def text_of_reply(given: Any) -> str:
    """Return the text of a reply; bytes are text in UTF-8.

    Raises:
        InvalidCallError: It is neither.
    """
    if isinstance(given, str):
        return given
    if isinstance(given, bytes | bytearray):
        return bytes(given).decode("utf-8", "replace")
    hint = "pass the reply as text; decode_calls takes what a provider's client returns, decode_arguments a value"
    message = f"{quoted(given)} is no text"
    raise InvalidCallError((Problem(code="call_invalid", path="$", message=message, hint=hint),))


def json_text(value: Any) -> Any:
    """Return the object or list that the text *value* is complete JSON of, else ``None``."""
    for _ in range(MAX_LEVELS):
        if not isinstance(value, str) or isinstance(value, Num | Raw) or value.lstrip()[:1] not in ("{", "[", '"'):
            return None
        try:
            value = LEXEMES.decode(value)
        except (ValueError, RecursionError):
            return None
        if isinstance(value, dict | list):
            return None if too_deep(value, MAX_DEPTH) else value
    return None
