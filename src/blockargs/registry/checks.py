"""Semantic validators: an author's checks of complete arguments, and the many ways to say what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..errors import BlockArgsError, InvalidArgumentsError, Problem, ToolFailure
from ..keywords import SCALARS

Check = Callable[[Any], Any]
CODE = "semantic"  # of a problem that a validator put in words only
REFUSED = "the arguments are refused"  # where it said no word
_PATH = re.compile(r"\S*")  # a sentence has blanks, a path written by hand has none


def violations(check: Check, arguments: Mapping[str, Any]) -> list[Problem]:
    """Return what *check* finds wrong with *arguments*.

    It may return or yield problems, ``(path, message)`` pairs, sentences, a mapping of
    path to message, one of these, or nothing. What it raises counts as a problem, and
    is told, where that is a `ValueError`, a `ToolFailure` or an `InvalidArgumentsError`.

    Raises:
        ToolRejected: It rejects the call.
        BaseException: What else it raises: the check itself is at fault.
    """
    try:
        return list(_problems(check(arguments)))
    except ToolFailure as fault:
        return [Problem(code=fault.code, path="$", message=fault.message)]
    except InvalidArgumentsError as fault:
        return list(fault.problems)
    except BlockArgsError:  # many of which are ValueErrors too: they are about something else than the arguments
        raise
    except ValueError as fault:
        return [_said(str(fault) or REFUSED)]


def found_by(checks: Iterable[Check], arguments: Mapping[str, Any]) -> list[Problem]:
    """Return what all *checks* find wrong with *arguments*; each has a copy of them, which it may change.

    Raises:
        BaseException: As `violations`.
    """
    return [problem for check in checks for problem in violations(check, owned(arguments))]


def owned(arguments: Any) -> Any:
    """Return a copy of JSON *arguments*, so that nobody who sees them can change what is called."""
    if isinstance(arguments, dict):
        return {k: v if type(v) in SCALARS else owned(v) for k, v in arguments.items()}
    if isinstance(arguments, list):
        return [v if type(v) in SCALARS else owned(v) for v in arguments]
    return arguments


def _problems(said: Any) -> Iterable[Problem]:
    if said is None or said is True or said == "":
        return
    for fits, meaning in _ANSWERS:
        if fits(said):
            yield from meaning(said)
            return
    if not isinstance(said, Iterable):
        kind = type(said).__name__
        if callable(close := getattr(said, "close", None)):
            close()  # a coroutine, of which Python would warn that it was never awaited
        raise TypeError(f"a validator returned {kind}; return problems, (path, message) pairs, a sentence or nothing")
    for one in said:
        yield from _problems(one)


def _said(message: str, path: str = "$") -> Problem:
    return Problem(code=CODE, path=json_path(path), message=message)


def _is_pair(said: Any) -> bool:
    if not (isinstance(said, tuple) and len(said) == 2 and all(isinstance(s, str) for s in said)):  # noqa: PLR2004 - a pair
        return False
    return said[0].startswith("$") or _PATH.fullmatch(said[0]) is not None


# what a validator may say, and what it means; the first that fits
_ANSWERS: tuple[tuple[Callable[[Any], bool], Callable[[Any], list[Problem]]], ...] = (
    (lambda said: isinstance(said, Problem), lambda said: [said]),
    (lambda said: said is False, lambda _: [_said(REFUSED)]),
    (lambda said: isinstance(said, str), lambda said: [_said(said)]),
    (lambda said: isinstance(said, Mapping), lambda said: [_said(str(why), path) for path, why in said.items()]),
    (_is_pair, lambda said: [_said(said[1], said[0])]),
)


def json_path(path: str) -> str:
    """Return *path* as JSONPath from the root.

    >>> [json_path(p) for p in ("$.minutes", "minutes", "[0].op", "")]
    ['$.minutes', '$.minutes', '$[0].op', '$']
    """
    if not path or path.startswith("$"):
        return path or "$"
    return f"${path}" if path[0] in ".[" else f"$.{path}"
