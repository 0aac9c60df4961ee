"""What the code of an author raises while it makes a value, as a misfit: nothing else leaves a decoding."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .._text import one_line, quoted
from ..errors import BlockArgsError
from .codec import Change, Fault, Misfit

_LENGTH = 500  # of what one exception says
_MEANT = (ValueError, ArithmeticError, AssertionError)  # what is raised in order to refuse a value
_PATH = re.compile(r"(?<![\w:/.~])(?:~|[A-Za-z]:)?[\\/](?:[^\s'\":,;()\\/]+[\\/])+[^\s'\":,;()]*")


def misfit_of(reason: Exception, words: str) -> Misfit:
    """Return *reason* as a misfit that begins with *words*, and keeps it as its cause.

    What is raised in order to refuse says so itself; of anything else the class is told
    as well, and no path of the host.
    """
    if isinstance(reason, Misfit):
        return reason
    if isinstance(reason, BlockArgsError):
        faults = list(Misfit.of(reason.problems).faults)
    elif type(reason).__name__ == "ValidationError" and (listed := getattr(reason, "errors", None)) is not None:
        faults = [_of_pydantic(error) for error in listed()]
    else:
        faults = [Fault([], "refused", f"{words}: {said(reason)}")]
    for fault in faults:
        fault.cause = reason
    return Misfit(*faults)


def said(reason: Exception) -> str:
    """Return what *reason* says, on one line."""
    try:
        text = one_line(str(reason).partition("\n")[0], _LENGTH)
    except Exception:  # noqa: BLE001 - a stranger's words may fail as well
        text = ""
    if isinstance(reason, _MEANT) and text:
        return text
    if isinstance(reason, OSError) and reason.strerror:
        text = reason.strerror  # without the file
    name = type(reason).__name__
    return f"{name}: {_PATH.sub('…', text)}" if text else name


def refused(value: Any) -> str:
    """Return how the refusal of one value begins."""
    return f"{quoted(value)} is refused"


def refusing(decode: Change, words: Callable[[Any], str]) -> Change:
    """Return *decode*, of which whatever it raises is a misfit that begins with *words* of the value."""

    def checked(value: Any) -> Any:
        try:
            return decode(value)
        except Misfit:
            raise
        except Exception as reason:
            raise misfit_of(reason, words(value)) from reason

    return checked


def _of_pydantic(error: Any) -> Fault:
    text = str(error["msg"]).removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return Fault(list(reversed(error["loc"])), str(error["type"]), text)
