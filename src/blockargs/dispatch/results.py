"""What a constructor returned, as the model reads it: text, JSON of its declared type, parts, or an effect."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .._text import quoted
from ..errors import Note, Problem
from ..types import arg_any
from ..validate import validator_of
from .content import ToolContent
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
        text = outcome if type(outcome) is str else _number(outcome)
        structured = None if prepared.output is None else outcome
        return ToolRun(True, call, outcome, text, outcome, structured, notes=notes, attempts=attempts)
    known: dict[str, Any] = {"outcome": outcome, "notes": notes, "attempts": attempts}
    if isinstance(outcome, BaseException):  # a failure that was returned
        return failed(call, outcome, tells=prepared.tells, notes=notes, attempts=attempts)
    if isinstance(outcome, ToolContent):
        return _explicit(outcome, call, prepared, known)
    try:
        return _encoded(outcome, call, prepared, effects, known)
    except BaseException as fault:  # noqa: BLE001 - an author's encoder or hook may raise anything
        return failed(call, caught(fault), notes=notes, attempts=attempts)


def _explicit(content: ToolContent, call: Call, prepared: Prepared, known: dict[str, Any]) -> ToolRun:
    structured = content.structured
    wanted = prepared.output is not None and not content.is_error
    if problems := prepared.output_problems(structured) if wanted else _json_problems(structured):
        return unsent(call, problems, prepared.output, **known)
    if problems := _json_problems(dict(content.meta)):
        return unsent(call, problems, None, **known)
    return ToolRun(
        ok=not content.is_error,
        call=call,
        text=content.text,
        content=content.text if structured is None else structured,
        structured=structured,
        code="tool_error" if content.is_error else "",
        explicit=content.parts,
        meta=content.meta,
        **known,
    )


def _encoded(
    outcome: Any, call: Call, prepared: Prepared, effects: Mapping[type, EffectHook], known: dict[str, Any]
) -> ToolRun:
    hook = hook_for(effects, outcome) if effects else None
    structured: Any = None
    problems: list[Problem] = []
    if prepared.output is not None:
        structured, problems = _as_json(outcome, prepared)
        problems = problems or prepared.output_problems(structured)
    elif hook is None:
        if prepared.builds and not isinstance(outcome, dict | list | int | float):
            return _built(call, known)
        structured, problems = _as_json(outcome, prepared)
    if problems:
        return unsent(call, problems, prepared.output, **known)
    if hook is not None:
        effect = effect_of(hook, outcome, call)
        record = effect.record()
        if problems := _json_problems(record):
            return unsent(call, problems, None, **known)
        text = f"{effect}\n{json_text(effect.preview)}" if effect.preview is not None else str(effect)
        return ToolRun(ok=True, call=call, text=text, content=record, structured=structured, **known)
    text = structured if isinstance(structured, str) else json_text(structured)
    kept = structured if prepared.output is not None or isinstance(structured, dict | list) else None
    return ToolRun(ok=True, call=call, text=text, content=structured, structured=kept, **known)


def _built(call: Call, known: dict[str, Any]) -> ToolRun:
    """Tell that a block was built: the object itself stays with the host."""
    text = f"Built '{call.uid}' with {json_text(call.arguments)}."
    content = {"block": call.uid, "arguments": call.arguments}
    return ToolRun(ok=True, call=call, text=text, content=content, **known)


def _as_json(outcome: Any, prepared: Prepared) -> tuple[Any, list[Problem]]:
    try:
        value = prepared.encode(outcome)
    except (TypeError, ValueError, OverflowError, RecursionError) as reason:
        message = f"{quoted(outcome)} has no JSON form ({type(reason).__name__})"
        return None, [Problem(code="no_json_form", path="$", message=message)]
    return value, _json_problems(value)


def _json_problems(value: Any) -> list[Problem]:
    return validator_of(ANY_JSON).problems(value)


def _number(value: int) -> str:
    return ("false", "true")[value] if type(value) is bool else str(value)


def json_text(value: Any) -> str:
    """Return *value* as compact JSON that keeps letters readable."""
    return _write(value)
