"""What the code of an author raises while it makes a value, as a misfit: nothing else leaves a decoding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .._text import first_line, one_line, quoted, without_paths
from ..errors import BlockArgsError
from ..sentences import Told, missing_key, no_match, no_multiple, of_wrong_size, out_of_bounds, unknown_key
from .codec import Change, Fault, Misfit

_LENGTH = 500  # of what one exception says
_MEANT = (ValueError, AssertionError)  # what is raised in order to refuse a value


def misfit_of(reason: Exception, words: str) -> Misfit:
    """Return *reason* as a misfit that begins with *words*, and keeps it as its cause.

    What is raised in order to refuse says so itself, without paths of the host; of anything
    else the class alone is told, for its text was not meant for callers.
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
    """Return what *reason* says on one line, where it was raised in order to refuse; else the name of its class."""
    text = ""
    if isinstance(reason, _MEANT):
        try:
            text = _told_safely(first_line(reason))
        except Exception:  # noqa: BLE001 - a stranger's words may fail as well
            text = ""
    return text or type(reason).__name__


def _told_safely(text: str) -> str:
    return without_paths(one_line(text, _LENGTH))


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
    text = _told_safely(str(error["msg"]).removeprefix("Value error, ").removeprefix("Assertion failed, "))
    code, message = _told(error, text)
    return Fault(list(reversed(error["loc"])), code, message)


def _told(error: Any, text: str) -> Told:
    """Return the code and the sentence of what pydantic says in its own words; the code that an author gave stays."""
    kind, context = str(error["type"]), error.get("ctx") or {}
    if "url" not in error:  # pydantic documents its own kinds, not those of an author
        return kind, text
    if kind in _BOUNDS:
        name, keyword = _BOUNDS[kind]
        return out_of_bounds(keyword, error["input"], context[name])
    if kind in _SIZES:
        name, parts = _SIZES[kind]
        return _of_size(error["input"], parts, name, context)
    if kind in _SENTENCES:
        return _SENTENCES[kind](error, context)
    return next((code for end, code in _CODES if kind.endswith(end)), "refused"), text


def _of_size(value: Any, parts: str, name: str, context: Any) -> Told:
    size = context.get("actual_length") or (len(value) if hasattr(value, "__len__") else 0)
    if not parts:
        parts = "Length" if isinstance(value, str) else "Properties" if isinstance(value, Mapping) else "Items"
    return of_wrong_size(name.partition("_")[0] + parts, value, size, context[name])


# what pydantic calls it: the name in its context, and the keyword of the schema that says the same
_BOUNDS = {
    "greater_than": ("gt", "exclusiveMinimum"),
    "greater_than_equal": ("ge", "minimum"),
    "less_than": ("lt", "exclusiveMaximum"),
    "less_than_equal": ("le", "maximum"),
}
_SIZES = {
    "string_too_short": ("min_length", "Length"),
    "string_too_long": ("max_length", "Length"),
    "bytes_too_short": ("min_length", "Length"),
    "bytes_too_long": ("max_length", "Length"),
    "too_short": ("min_length", ""),
    "too_long": ("max_length", ""),
}
_SENTENCES: dict[str, Callable[[Any, Any], Told]] = {
    "multiple_of": lambda error, context: no_multiple(error["input"], context["multiple_of"]),
    "string_pattern_mismatch": lambda error, context: no_match(error["input"], context["pattern"]),
    "missing": lambda error, _: missing_key(str(error["loc"][-1])),
    "extra_forbidden": lambda error, _: unknown_key(str(error["loc"][-1])),
}
# how a kind ends, and our code for it; its words stay. What is in no table is `refused`
_CODES = (
    ("literal_error", "not_in_enum"),
    ("enum", "not_in_enum"),
    ("union_tag_invalid", "not_in_enum"),
    ("union_tag_not_found", "missing_key"),
    ("_type", "wrong_type"),
    ("none_required", "wrong_type"),
    ("int_from_float", "wrong_type"),
    ("bool_parsing", "wrong_type"),
    ("int_parsing", "wrong_type"),
    ("float_parsing", "wrong_type"),
    ("_parsing", "wrong_format"),
)
