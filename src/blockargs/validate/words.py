"""Words for types and values in problems: "a list of strings", "5 is a number"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .._text import one_line, quoted
from ..keywords import kind_of, types_of
from ..sentences import known_keys, missing_key, near, not_in_enum, row, unknown_key, write_one_of

_ARTICLED = {
    "string": "a string",
    "number": "a number",
    "integer": "an integer",
    "boolean": "a boolean",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_WHOLE = "-?(0|[1-9][0-9]*)"
_LONGEST = 80  # characters of a text that is looked at for what it would be without quotes
Cured = tuple[str, str, str]  # the code, the message and the cure


def kind(value: Any) -> str:
    """Return the one JSON type of plain *value* as people say it: 5 is a number."""
    found = kind_of(value)
    return "number" if found == "integer" else found


def is_a(value: Any) -> str:
    """Return what *value* is: ``"'5' is a string"``, ``"null is null"``."""
    return f"{quoted(value)} is {articled(kind(value))}"


def articled(name: str) -> str:
    """Return a JSON type as it stands in a sentence: ``"a list"``."""
    return _ARTICLED.get(name, f"a {name}")


def wanted(node: Any) -> str:
    """Return what *node* asks for, in a few words: ``"a string or null"``."""
    if not isinstance(node, Mapping):
        return "anything" if node else "nothing"
    if isinstance(title := node.get("title"), str) and title:
        return one_line(title, 60)
    if "const" in node:
        return quoted(node["const"], 60)
    if "enum" in node:
        return f"one of {row(node['enum'])}"
    if kinds := types_of(node):
        return either(_kind_of(k, node) for k in kinds)
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            return either(wanted(n) for n in node[keyword])
    if node.get("required"):
        return f"an object with {row(node['required'], most=5)}"
    return "a value of another form" if node else "anything"


def _kind_of(name: str, node: Any) -> str:
    if name == "object" and node.get("properties"):
        return f"an object with {row(node['properties'], most=5)}"
    items = node.get("items")
    if name == "array" and isinstance(items, Mapping) and len(types_of(items)) == 1:
        return f"a list of {types_of(items)[0]}s" if "enum" not in items else "a list of words"
    return articled(name)


def either(given: Any) -> str:
    """Return the texts *given* as alternatives: ``"a, b or c"``."""
    texts = list(dict.fromkeys(given))
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


def cure_of_type(value: Any, kinds: tuple[str, ...]) -> str:
    """Return how to write *value* so that it has one of the types *kinds*."""
    if isinstance(value, str):
        return _unquoted(value.strip(), kinds)
    if "integer" in kinds and isinstance(value, float):
        return "write a whole number"
    if "string" in kinds and kind(value) in ("number", "boolean"):
        return f"write {quoted(value, 60)} in quotes"
    if "array" in kinds and kind(value) in ("number", "boolean", "object"):
        return "put it in a list"
    if isinstance(value, list) and len(value) == 1 and "array" not in kinds:
        return "write the value itself, without the list"
    return ""


def _unquoted(text: str, kinds: tuple[str, ...]) -> str:
    if text[:1] == "[" and "array" in kinds:
        return "write the list itself, not a string that holds it"
    if text[:1] == "{" and "object" in kinds:
        return "write the object itself, not a string that holds it"
    if len(text) <= _LONGEST and (bare := _bare(text, kinds)):
        return f"write {bare} without quotes"
    return "put it in a list" if "array" in kinds else ""


def _bare(text: str, kinds: tuple[str, ...]) -> str:
    """Return *text* as it would stand without quotes, where that has one of the types *kinds*."""
    word = text.lower()
    if (word in ("true", "false") and "boolean" in kinds) or (word == "null" and "null" in kinds):
        return word
    if "number" in kinds:
        return text if re.fullmatch(rf"{_WHOLE}(\.[0-9]+)?", text) else ""
    whole = text.removesuffix(".0")
    return whole if "integer" in kinds and re.fullmatch(_WHOLE, whole) else ""


def of_wrong_type(value: Any, kinds: tuple[str, ...], allowed: Any) -> Cured:
    """Return what is said of *value*, which has none of the types *kinds*; *allowed* are the values it may have."""
    names = either(articled(k) for k in kinds)
    message = f"null is not {names}" if value is None else f"{is_a(value)}, not {names}"
    return "wrong_type", message, cure_of_type(value, kinds) or (write_one_of(allowed) if allowed else "")


def of_no_choice(value: Any, values: Any) -> Cured:
    """Return what is said of *value*, which is none of *values*."""
    return *not_in_enum(value, values), near(value, values) or cure_of_quotes(value, values)


def of_other_constant(value: Any, constant: Any) -> Cured:
    """Return what is said of *value*, which is not the *constant*."""
    return "not_const", f"{quoted(value)} is not {quoted(constant)}", cure_of_quotes(value, [constant])


def cure_of_quotes(value: Any, values: Any) -> str:
    """Return the cure where *value* is one of *values* but for its quotes."""
    for one in values:
        if type(one) is not type(value) and isinstance(one, str) != isinstance(value, str):
            shown = one if isinstance(one, str) else quoted(one)
            if shown == (value if isinstance(value, str) else quoted(value)):
                return f"write {shown} {'in' if isinstance(one, str) else 'without'} quotes"
    return ""


def of_repeated(value: Any, first: str) -> Cured:
    """Return what is said of *value*, which stood at *first* already."""
    return "not_unique", f"{quoted(value)} is already there at {first}", "name each item once"


def of_missing(name: str, node: Any) -> Cured:
    """Return what is said of the missing key *name*, whose value is a *node*."""
    return *missing_key(name), f"give {wanted(node)}" if isinstance(node, Mapping) and node else ""


def of_unknown(key: str, fields: Any, value: Any) -> Cured:
    """Return what is said of *key*, which is none of *fields*."""
    return *unknown_key(key), known_keys(key, fields, value)
