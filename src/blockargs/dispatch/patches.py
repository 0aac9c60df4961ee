"""A patch: corrections of a wrong call, each at its path, laid over the arguments as they were read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .._text import folded, listing, quoted
from ..errors import Note, Problem
from ..reply import decode_arguments, decode_reply
from ..reply.envelopes import call_in
from ..reply.leaves import Bad, holds, plain
from ..types import arg_json_object
from .failures import refused
from .run import Call, ToolRun

_ANY_OBJECT = arg_json_object()
_IS_PATH = re.compile(r"\$[.\[]").match
_STEP = re.compile(r"\.([^.\[\]']+)|\[([0-9]{1,9})\]|\['((?:[^'\\]|\\.)*)'\]")
_ELSEWHERE, _NOT_APPLIED = "patch_elsewhere", "patch_not_applied"
_UNKNOWN = "unknown_key"  # of the problem of a key that has no place: null takes it out


def base_of(run: ToolRun) -> dict[str, Any] | None:
    """Return the arguments that corrections of the wrong *run* are laid over; ``None`` where a path cannot say them."""
    tree = run.tree if run.call.arguments is None else run.call.arguments
    asked = _asked_about(run)
    if type(tree) is not dict or not asked or holds(tree, Bad):
        return None
    base: dict[str, Any] = plain(tree)
    return base if all(_place(base, problem.path) is not None for problem in asked) else None


def _asked_about(run: ToolRun) -> list[Problem]:
    """Return what is wrong with the arguments of *run*: of a patch that did not apply there is nothing to correct."""
    return [problem for problem in run.problems if problem.code not in (_ELSEWHERE, _NOT_APPLIED)]


@dataclass(frozen=True, slots=True)
class Patch:
    """Corrections as a model sent them.

    Attributes:
        values: Path -> new value.
        tool: The name of the tool that stands beside them, ``""`` without.
        notes: What had to be repaired to read them.
    """

    values: dict[str, Any]
    tool: str
    notes: tuple[Note, ...]


def patch_in(given: Any, tag: str = "", *, is_reply: bool, strict: bool, complete: bool) -> Patch | None:
    """Return the patch that *given* is; ``None`` if it is none.

    Args:
        given: Arguments, or a text.
        tag: The key that names a tool, ``""`` where none does.
        is_reply: Whether it is a whole reply, in which the patch stands somewhere.
        strict: Whether repairs are refused.
        complete: Whether it ended by itself.
    """
    decoded = (decode_reply if is_reply else decode_arguments)(given, _ANY_OBJECT, strict, complete=complete)
    found = decoded.value
    if not decoded.ok or not isinstance(found, dict):
        return None
    tool = found.get(tag)
    if (call := call_in(found)) is not None and isinstance(call.arguments, dict):
        tool, found = call.name, call.arguments
    values = {path: value for path, value in found.items() if path != tag}
    if not values or not all(map(_IS_PATH, values)):
        return None
    return Patch(values, tool if isinstance(tool, str) else "", tuple(decoded.notes))


@dataclass(frozen=True, slots=True)
class Corrected:
    """Arguments that a patch was laid over.

    Attributes:
        arguments: What they are now.
        notes: What was repaired, before and in the patch, and a note for each correction.
    """

    arguments: dict[str, Any]
    notes: tuple[Note, ...]


def laid_over(call: Call, run: ToolRun, base: dict[str, Any], patch: Patch) -> Corrected | ToolRun:
    """Return *base*, the arguments of the wrong *run*, with the values of *patch* at their paths.

    Only what was wrong may be corrected. Where something does not apply nothing does, and the run of *call* says why.
    """
    asked = _asked_about(run)
    codes = {problem.path: problem.code for problem in asked}
    value: dict[str, Any] = plain(base)
    notes, wrong = [], []
    for path, new in sorted(
        patch.values.items(), key=lambda one: len(_STEP.findall(one[0]))
    ):  # what is around comes first
        if path not in codes:
            message, hint = f"nothing was asked about {quoted(path)}", f"correct {listing(codes)}"
            wrong.append(Problem(code=_ELSEWHERE, path="$", message=message, hint=hint))
        elif (place := _place(value, path)) is None:
            message, hint = f"there is no {quoted(path)} any more", "correct only what is around it"
            wrong.append(Problem(code=_NOT_APPLIED, path=path, message=message, hint=hint))
        else:
            before = _put(*place, new, takes_out=codes[path] == _UNKNOWN and new is None)
            message = f"took {quoted(new)} as the correction of {quoted(before)}"
            notes.append(Note(rule="patched", path=path, before=before, after=new, message=message))
    if wrong:
        return refused(call, [*wrong, *asked], (*run.notes, *patch.notes), base)
    return Corrected(value, (*run.notes, *patch.notes, *notes))


def _place(value: Any, path: str) -> tuple[Any, Any] | None:
    """Return the object or list in *value* that *path* leads into, and the key there; ``None`` where there is none."""
    steps = _steps_of(path)
    if not steps:
        return None
    for step in steps[:-1]:
        if (key := _key_in(value, step)) is None:
            return None
        value = value[key]
    last = steps[-1]
    if type(value) is dict and isinstance(last, str):
        return value, last
    return (value, last) if _key_in(value, last) is not None else None


def _steps_of(path: str) -> list[str | int] | None:
    """Return the keys and indices of *path*, as `errors.at` writes them; ``None`` where it is no such path."""
    steps: list[str | int] = []
    end = 1
    while end < len(path):
        if (found := _STEP.match(path, end)) is None:
            return None
        name, index, escaped = found.groups()
        steps.append(int(index) if index else re.sub(r"\\(.)", r"\1", escaped) if name is None else name)
        end = found.end()
    return steps


def _key_in(holder: Any, step: str | int) -> Any:
    """Return the key of *holder* that *step* means, but for its style; ``None`` where there is none."""
    if type(holder) is list:
        return step if isinstance(step, int) and step < len(holder) else None
    if type(holder) is not dict or isinstance(step, int):
        return None
    if step in holder:
        return step
    alike = [key for key in holder if folded(key) == folded(step)]
    return alike[0] if len(alike) == 1 else None


def _put(holder: Any, step: Any, new: Any, *, takes_out: bool) -> Any:
    """Put *new* where *step* leads in *holder*, or take out what is there; return what was there."""
    key = _key_in(holder, step)
    before = None if key is None else holder[key]
    if type(holder) is list:
        holder[key] = new
        return before
    if key is not None and (takes_out or key != step):  # a key in another style is that key
        del holder[key]
    if not takes_out:
        holder[step] = new
    return before
