"""Whether a type that an author writes agrees with the annotation."""

from __future__ import annotations

from typing import Any

from .._text import quoted
from ..errors import InvalidBlockArgTypeError, Problem
from ..keywords import choices_of, followed, types_of
from ..node import ArgType
from ..types import arg_nullable
from ..validate import problems_in, schema_problems
from .unions import kinds_of


def laid_over(given: ArgType, derived: ArgType, what: str = "the annotation") -> list[Problem]:
    """Return what is wrong with a type *given* in place of the *derived* one: that no value fits both.

    One that is narrower, or has some values in common, is right; null alone is too little.
    """
    if given is derived or given == derived or _share(given, derived):
        return []
    if schema_problems(given):
        return []  # a malformed type agrees with nothing; what is wrong with it is for the registration to tell
    message = f"no value fits both the type {quoted(given)} that is given and {what}, which takes {quoted(derived)}"
    hint = "give a type of what the annotation can take, or change the annotation"
    return [Problem(code=InvalidBlockArgTypeError.code, path="$", message=message, hint=hint)]


def _share(given: ArgType, derived: ArgType) -> bool:
    ours, theirs = kinds_of(given), kinds_of(derived)
    only_null = {"null"} in (ours, theirs)
    if not (ours & theirs if only_null else (ours & theirs) - {"null"}):
        return False
    for one, other in ((given, derived), (derived, given)):
        choices = choices_of(followed(one, one))
        if choices and all((v is None and not only_null) or problems_in(v, other) for v in choices):
            return False
    return True


def narrowed(written: ArgType, derived: ArgType) -> ArgType | None:
    """Return the *written* type where it says the same as the *derived* one, or more; else ``None``."""
    if not _within(written, derived, derived):
        return None
    if "null" in types_of(derived) or any(b == {"type": "null"} for b in derived.get("anyOf", ())):
        return arg_nullable(written)
    return written


def _within(written: Any, derived: Any, whole: ArgType) -> bool:
    derived = followed(whole, derived)
    if not isinstance(derived, dict) or not derived.keys() - {"description", "default"}:
        return True
    if "anyOf" in derived:
        return any(_within(written, b, whole) for b in derived["anyOf"])
    kinds, allowed = set(types_of(written)) - {"null"}, set(types_of(derived)) - {"null"}
    if allowed and not (kinds and all(k in allowed or (k == "integer" and "number" in allowed) for k in kinds)):
        return False
    choices = derived.get("enum", [derived["const"]] if "const" in derived else None)
    if choices is not None and not ("enum" in written and all(v in choices for v in written["enum"])):
        return False
    if kinds == {"array"}:
        return "items" not in derived or _within(written.get("items", {}), derived["items"], whole)
    if kinds == {"object"}:
        return _same_fields(written, derived, whole)
    return True


def _same_fields(written: Any, derived: Any, whole: ArgType) -> bool:
    fields, known = written.get("properties", {}), derived.get("properties", {})
    rest = derived.get("additionalProperties", True)
    for name, node in fields.items():
        if name in known:
            if not _within(node, known[name], whole):
                return False
        elif rest is False or (isinstance(rest, dict) and not _within(node, rest, whole)):
            return False
    return set(derived.get("required", ())) <= set(written.get("required", ()))
