"""What is wrong with a spelling, and how that is told."""

from __future__ import annotations

from typing import Final

from .._text import quoted
from ..errors import Problem, at

MAX_LENGTH: Final = 10_000  # characters of one spelling
_SHOWN_LENGTH = 400  # what a message shows of a spelling


class Malformed(Exception):  # noqa: N818 - never leaves this room
    """What is wrong at *column* (counted from 0), inside the fields *inner*."""

    def __init__(self, column: int, what: str, hint: str = "", inner: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.column, self.what, self.hint, self.inner = column, what, hint, inner


def problem_of(fault: Malformed, text: object, path: str, function: str, file: str) -> Problem:
    """Return *fault* as a problem: with its place in *text*, and the parameter, function and file."""
    named = path
    for step in fault.inner:
        named += (step if named else "") if step == "[]" else f".{step}" if named else step
    where = " of ".join(part for part in (named, f"{function}()" if function else "") if part)
    where = " in ".join(part for part in (where, file) if part)
    message = fault.what
    if isinstance(text, str) and len(text) <= MAX_LENGTH:
        message += f", at column {fault.column + 1} of {_shown(text, fault.column)}"
    json_path = f"$.{path}" if path else "$"
    for step in fault.inner:
        json_path = f"{json_path}[*]" if step == "[]" else at(json_path, step)
    message += f" ({where})" if where else ""
    return Problem(code="arg_type_invalid", path=json_path, message=message, hint=fault.hint)


def _shown(text: str, column: int) -> str:
    """Return *text* in quotes as it is written; of a long one, what stands around *column*."""
    if len(text) > _SHOWN_LENGTH:
        start = max(column - _SHOWN_LENGTH // 2, 0)
        text = ("…" if start else "") + text[start : start + _SHOWN_LENGTH] + "…"
    return f"'{text}'" if text.isprintable() else quoted(text, 2 * _SHOWN_LENGTH)
