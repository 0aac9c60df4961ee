"""What a constructor returned, as the model reads it: text, JSON of its declared type, parts, or an effect."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import Enum
from numbers import Integral
from typing import Any

from .._text import quoted
from ..derive.scalars import is_known_class
from ..errors import Note, Problem
from ..registry.checks import owned
from ..spec import Block
from ..types import arg_any
from ..validate import validator_of
from .characters import whole, whole_text
from .content import ToolContent, content_of
from .effects import EffectHook, effect_of, hook_for
from .ended import caught
from .failures import failed
from .prepared import Prepared
from .run import Call, ToolRun
from .unsent import unsent

_PLAIN = frozenset({str, bool})  # a result of these is its own JSON
_SHORT = 10**18  # so is a number below it
ANY_JSON = arg_any()
_write = json.JSONEncoder(ensure_ascii=False).encode  # made once: json.dumps makes one a call


def delivered(
    outcome: Any,
    call: Call,
    prepared: Prepared,
    effects: Mapping[type, EffectHook],
    notes: tuple[Note, ...] = (),
    attempts: int = 1,
) -> ToolRun:
    """Return the run of a *call* that returned *outcome*; what does not fit its declared type is not sent."""
    if outcome is None and prepared.output is None:
        return ToolRun(True, call, None, notes=notes, attempts=attempts)
    if (
        (type(outcome) in _PLAIN or (type(outcome) is int and -_SHORT < outcome < _SHORT))
        and not effects
        and not prepared.output_problems(outcome)
    ):
        if type(outcome) is str:
            content = text = outcome if outcome.isascii() else whole_text(outcome)
        else:
            content, text = outcome, _number(outcome)
        structured = None if prepared.output is None else content
        return ToolRun(True, call, outcome, text, content, structured, notes=notes, attempts=attempts)
    known: dict[str, Any] = {"outcome": outcome, "notes": notes, "attempts": attempts}
    if isinstance(outcome, BaseException):  # a failure that was returned
        return failed(call, outcome, tells=prepared.tells, notes=notes, attempts=attempts)
    try:
        if (explicit := content_of(outcome)) is not None:
            return _explicit(explicit, call, prepared, known)
        return _encoded(outcome, call, prepared, effects, known)
    except BaseException as fault:  # noqa: BLE001 - an author's encoder or hook may raise anything
        return failed(call, caught(fault), notes=notes, attempts=attempts)


def _explicit(content: ToolContent, call: Call, prepared: Prepared, known: dict[str, Any]) -> ToolRun:
    wanted = prepared.output is not None and not content.is_error
    structured, problems = _checked(content.structured, prepared.output_problems if wanted else _json_problems)
    if problems:
        return unsent(call, problems, prepared.output, **known)
    meta, problems = _checked(dict(content.meta), _json_problems)
    if problems:
        return unsent(call, problems, None, **known)
    return ToolRun(
        ok=not content.is_error,
        call=call,
        text=content.text,
        content=content.text if structured is None else structured,
        structured=structured,
        code="tool_error" if content.is_error else "",
        explicit=content.parts,
        meta=meta,
        **known,
    )


def _encoded(
    outcome: Any, call: Call, prepared: Prepared, effects: Mapping[type, EffectHook], known: dict[str, Any]
) -> ToolRun:
    hook = hook_for(effects, outcome) if effects else None
    structured: Any = None
    problems: list[Problem] = []
    if prepared.output is not None:
        structured, problems = _as_json(outcome, prepared, prepared.output_problems)
    elif hook is None:
        if prepared.builds and not is_told(outcome, prepared.block):
            return _built(call, known)
        structured, problems = _as_json(outcome, prepared)
    if problems:
        return unsent(call, problems, prepared.output, **known)
    if hook is not None:
        effect = effect_of(hook, outcome, call)
        record, problems = _checked(effect.record(), _json_problems)
        if problems:
            return unsent(call, problems, None, **known)
        text = whole_text(f"{effect}\n{json_text(effect.preview)}" if effect.preview is not None else str(effect))
        return ToolRun(ok=True, call=call, text=text, content=record, structured=structured, **known)
    text = structured if isinstance(structured, str) else json_text(structured)
    kept = structured if prepared.output is not None or isinstance(structured, dict | list) else None
    return ToolRun(ok=True, call=call, text=text, content=structured, structured=kept, **known)


def _built(call: Call, known: dict[str, Any]) -> ToolRun:
    """Tell that a block was built: the object itself stays with the host."""
    text = f"Built '{call.uid}' with {json_text(call.arguments)}."
    content = {"block": call.uid, "arguments": owned(call.arguments)}
    return ToolRun(ok=True, call=call, text=text, content=content, **known)


_TOLD = (str, int, float, bytes, bytearray, list, tuple, dict, set, frozenset, Enum, Integral)


def is_told(outcome: Any, block: Block) -> bool:
    """Tell whether the *outcome* of a *block* without a declared type is told as JSON.

    So is what Python itself has for values: texts, numbers, dates, lists and the like.
    Objects of other classes, and what a class among them makes, stay with the host.
    """
    cls = type(outcome)
    if cls in (list, dict) or isinstance(outcome, int | float):
        return True
    is_own = hasattr(outcome, "_fields") or isinstance(block.load(), type)
    return not is_own and (isinstance(outcome, _TOLD) or is_known_class(cls))


Check = Callable[[Any], list[Problem]]


def _checked(value: Any, check: Check) -> tuple[Any, list[Problem]]:
    """Return *value* and what *check* finds wrong with it; half a character in a text is replaced."""
    problems = check(value)
    if any(p.code == "not_json" for p in problems):
        mended = whole(value)
        if not (left := check(mended)):
            return mended, left
    return value, problems


def _as_json(outcome: Any, prepared: Prepared, check: Check | None = None) -> tuple[Any, list[Problem]]:
    try:
        value = prepared.encode(outcome)
        value = str.__str__(value) if isinstance(value, str) else value  # a member of a StrEnum is its text
    except (TypeError, ValueError, OverflowError, RecursionError) as reason:
        message = f"{quoted(outcome)} has no JSON form ({type(reason).__name__})"
        return None, [Problem(code="no_json_form", path="$", message=message)]
    if check is not None and not check(value):  # what fits a type is JSON
        return value, []
    value, problems = _checked(value, _json_problems)
    return (value, problems) if problems or check is None else (value, check(value))


def _json_problems(value: Any) -> list[Problem]:
    return validator_of(ANY_JSON).problems(value)


def _number(value: int) -> str:
    return ("false", "true")[value] if type(value) is bool else str(value)


def json_text(value: Any) -> str:
    """Return *value* as compact JSON that keeps letters readable."""
    return _write(value)
