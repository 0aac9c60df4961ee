"""Semantic validators: an author's checks of complete arguments, and the many ways to say what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .._text import did_you_mean, listing
from ..errors import BlockArgsError, InvalidToolsetError, Problem, ToolFailure
from ..spec import Block

Check = Callable[[Any], Any]
CODE = "semantic"  # of a problem that a validator put in words only
_PATH = re.compile(r"\S*")  # a sentence has blanks, a path written by hand has none


def checks_of(given: Any, kind: str = "validator") -> tuple[Check, ...]:
    """Return *given*, one callable or several, as a tuple.

    Raises:
        InvalidToolsetError: One of them cannot be called.
    """
    several = isinstance(given, Iterable) and not callable(given) and not isinstance(given, str)
    listed = tuple(given) if several else (given,)
    for one in listed:
        if not callable(one):
            raise InvalidToolsetError(f"{kind} {one!r} cannot be called; give a function, or several")
    return listed


def by_name(validators: Mapping[str, Any], blocks: Mapping[str, Block]) -> dict[str, tuple[Check, ...]]:
    """Return the validators of each block, by uid.

    Raises:
        InvalidToolsetError: A key names no block.
    """
    found: dict[str, tuple[Check, ...]] = {}
    for name, given in validators.items():
        block = blocks.get(name)
        if block is None:
            wanted = (isinstance(name, str) and did_you_mean(name, blocks)) or f"the blocks are {listing(blocks)}"
            raise InvalidToolsetError(f"validators= names {name!r}, which is no block here; {wanted}")
        found[block.uid] = (*found.get(block.uid, ()), *checks_of(given))
    return found


def violations(check: Check, arguments: Mapping[str, Any]) -> list[Problem]:
    """Return what *check* finds wrong with *arguments*.

    It may return or yield problems, ``(path, message)`` pairs, sentences, a mapping
    of path to message, one of these, or nothing; a `ValueError` or a
    `ToolFailure` that it raises counts as a problem.
    """
    try:
        return list(_problems(check(arguments)))
    except ToolFailure as fault:
        return [Problem(code=fault.code, path="$", message=fault.message)]
    except BlockArgsError as fault:
        return list(fault.problems)
    except ValueError as fault:
        return [Problem(code=CODE, path="$", message=str(fault) or "the arguments are refused")]


def _problems(said: Any) -> Iterable[Problem]:
    if said is None or said is True or said == "":
        return
    for fits, meaning in _ANSWERS:
        if fits(said):
            yield from meaning(said)
            return
    if not isinstance(said, Iterable):
        kind = type(said).__name__
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
    (lambda said: said is False, lambda _: [_said("the arguments are refused")]),
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
