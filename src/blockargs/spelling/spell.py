"""Write a type in its short spelling, where it has one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..errors import InvalidArgTypeError
from ..keywords import MAX_DEPTH, types_of, walk
from .parse import parse_type
from .values import MAX_DIGITS, NAME

NONE: Final = "schema"  # what is shown where a type has no short spelling
_REFUSED = frozenset({"$ref", "$dynamicRef", "allOf", "not", "if", "then", "else"})
_TOO_LONG = 10**MAX_DIGITS
Rule = Callable[[Mapping[str, Any], int], "str | None"]


def spell(arg_type: Mapping[str, Any], *, exact: bool = True) -> str:
    """Return the short spelling of a type, or ``"schema"`` where it has none.

    What comes back is read again as the same node: ``parse_type(spell(t)) == t``.

    >>> spell({"type": ["integer", "null"]})
    'integer | null'

    Args:
        arg_type: An ``arg_*()`` type or a plain node.
        exact: A type with what the spelling cannot say (bounds, descriptions, defaults, failure
            texts, open records, references) is ``"schema"``. With ``False`` these are left out,
            for tables: a part that cannot be spelled is shown as ``schema`` in its place.
    """
    text = _spelled(arg_type, MAX_DEPTH) or NONE
    return text if text == NONE or not exact or _says_it_all(text, arg_type) else NONE


def _says_it_all(text: str, arg_type: Mapping[str, Any]) -> bool:
    """Tell whether *text* is read as *arg_type* with nothing left out."""
    try:
        if parse_type(text) != arg_type:
            return False
    except InvalidArgTypeError:
        return False
    return all(getattr(node, "error", None) is None for _, node in walk(arg_type))


def _spelled(node: object, levels: int) -> str | None:
    """Return the spelling of what can be spelled of *node*; ``None`` for nothing."""
    if not isinstance(node, Mapping) or levels <= 0 or _REFUSED & node.keys():
        return None
    for keyword, rule in _BY_KEYWORD.items():
        if keyword in node:
            return rule(node, levels)
    kinds = types_of(node)
    if not kinds:
        return "any"
    return _joined([_BY_TYPE[kind](node, levels) if kind in _BY_TYPE else kind for kind in kinds])


class _Union(str):
    """A spelling with a ``|`` in it, which needs brackets where it is a part."""

    __slots__ = ()


def _joined(texts: list[str | None]) -> str:
    """Return the union of variants, null last."""
    shown = [f"({text})" if isinstance(text, _Union) else text or NONE for text in texts if text != "null"]
    if "null" in texts:
        shown.append("null")
    return _Union(" | ".join(shown)) if len(shown) > 1 else shown[0]


def _variants(node: Mapping[str, Any], levels: int) -> str | None:
    variants = node.get("anyOf", node.get("oneOf"))
    return _joined([_spelled(v, levels - 1) for v in variants]) if isinstance(variants, list) and variants else None


def _enum(node: Mapping[str, Any], _: int) -> str | None:
    """Spell a choice: of texts, of other scalars, or of the one value of a const."""
    values = node.get("enum", [node.get("const")])
    if not isinstance(values, list) or not values or any(isinstance(v, list | dict) for v in values):
        return None
    if any(isinstance(v, int) and abs(v) >= _TOO_LONG for v in values):
        return None
    null = len(values) > 1 and values[-1] is None
    words = values[:-1] if null else values
    if not all(isinstance(w, str) for w in words):
        return f"literal({'|'.join(json.dumps(v) for v in values)})"
    text = f"enum({'|'.join(w if NAME.fullmatch(w) else _in_quotes(w) for w in words)})"
    return _joined([text, "null"]) if null else text


def _in_quotes(text: str) -> str:
    shown = json.dumps(text, ensure_ascii=False)
    return shown if shown.isprintable() else json.dumps(text)


def _array(node: Mapping[str, Any], levels: int) -> str:
    if isinstance(places := node.get("prefixItems"), list):
        return f"tuple({', '.join(_spelled(p, levels - 1) or NONE for p in places)})"
    items = node.get("items", {})
    if items in ({}, True):
        return "json_array"
    inner = _spelled(items, levels - 1) or NONE
    return f"array[{inner}]" if isinstance(inner, _Union) else f"{inner}[]"


def _object(node: Mapping[str, Any], levels: int) -> str | None:
    needed = node.get("required", ())
    fields = [
        f"{name if NAME.fullmatch(name) else _in_quotes(name)}{'' if name in needed else '?'}: "
        f"{_spelled(kind, levels - 1) or NONE}"
        for name, kind in node.get("properties", {}).items()
    ]
    if fields:
        return f"object{{{', '.join(fields)}}}"
    extra = node.get("additionalProperties", True)
    if extra is False:
        return None
    return "json_object" if extra is True else f"map[{_spelled(extra, levels - 1) or NONE}]"


def _string(node: Mapping[str, Any], _: int) -> str:
    mark = node.get("x-column")
    if isinstance(mark, str):
        return f"column({mark if NAME.fullmatch(mark) else _in_quotes(mark)})"
    return "column" if mark is True else "string"


# the first keyword that is there decides
_BY_KEYWORD: dict[str, Rule] = {"anyOf": _variants, "oneOf": _variants, "enum": _enum, "const": _enum}
_BY_TYPE: dict[str, Rule] = {"array": _array, "object": _object, "string": _string}
