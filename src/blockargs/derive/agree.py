"""Whether the type in a docstring agrees with the annotation."""

from __future__ import annotations

from typing import Any

from ..keywords import followed, types_of
from ..node import ArgType
from ..types import arg_nullable


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
