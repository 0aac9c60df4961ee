"""Words for types and values in problems: "a list of strings", "5 is a number"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .._text import did_you_mean, one_line, quoted
from ..keywords import kind_of, types_of

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
_MOST_WORDS = 20
_MOST_NAMES = 200  # names that are searched for a near one
_LONGEST_NAME = 80


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
        return f"one of {words(node['enum'])}"
    if kinds := types_of(node):
        return either(_kind_of(k, node) for k in kinds)
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            return either(wanted(n) for n in node[keyword])
    if node.get("required"):
        return f"an object with {words(node['required'], most=5)}"
    return "a value of another form" if node else "anything"


def _kind_of(name: str, node: Any) -> str:
    if name == "object" and node.get("properties"):
        return f"an object with {words(node['properties'], most=5)}"
    items = node.get("items")
    if name == "array" and isinstance(items, Mapping) and len(types_of(items)) == 1:
        return f"a list of {types_of(items)[0]}s" if "enum" not in items else "a list of words"
    return articled(name)


def either(given: Any) -> str:
    """Return the texts *given* as alternatives: ``"a, b or c"``."""
    texts = list(dict.fromkeys(given))
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


def words(values: Any, *, most: int = _MOST_WORDS) -> str:
    """Return *values* quoted and in a row, cut after *most*."""
    given = list(values)
    shown = ", ".join(quoted(v, 60) for v in given[:most])
    return f"{shown} and {len(given) - most} more" if len(given) > most else shown


def near(name: Any, names: Any) -> str:
    """Return ``"did you mean 'x'?"`` where one of *names* is near, else ``""``."""
    texts = [n for n in names if isinstance(n, str)][:_MOST_NAMES]
    return did_you_mean(name, texts) if isinstance(name, str) and len(name) <= _LONGEST_NAME else ""


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
    if len(text) <= _LONGEST_NAME and (bare := _bare(text, kinds)):
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


def of_wrong_type(value: Any, kinds: tuple[str, ...], allowed: Any) -> tuple[str, str]:
    """Return what is said of *value*, which has none of the types *kinds*; *allowed* are the values it may have."""
    names = either(articled(k) for k in kinds)
    message = f"null is not {names}" if value is None else f"{is_a(value)}, not {names}"
    hint = cure_of_type(value, kinds) or (f"write one of {words(allowed)}" if allowed else "")
    return message, hint


def of_no_choice(value: Any, values: Any) -> tuple[str, str]:
    """Return what is said of *value*, which is none of *values*."""
    return f"{quoted(value)} is not one of {words(values)}", near(value, values) or cure_of_quotes(value, values)


def cure_of_quotes(value: Any, values: Any) -> str:
    """Return the cure where *value* is one of *values* but for its quotes."""
    for one in values:
        if type(one) is not type(value) and isinstance(one, str) != isinstance(value, str):
            shown = one if isinstance(one, str) else quoted(one)
            if shown == (value if isinstance(value, str) else quoted(value)):
                return f"write {shown} {'in' if isinstance(one, str) else 'without'} quotes"
    return ""


def of_repeated(value: Any, first: str) -> tuple[str, str]:
    """Return what is said of *value*, which stood at *first* already."""
    return f"{quoted(value)} is already there at {first}", "name each item once"


def of_missing(name: str, node: Any) -> tuple[str, str]:
    """Return what is said of the missing key *name*, whose value is a *node*."""
    hint = f"give {wanted(node)}" if isinstance(node, Mapping) and node else ""
    return f"the required key {quoted(name)} is missing", hint


def of_unknown(key: str, fields: Any, value: Any) -> tuple[str, str]:
    """Return what is said of *key*, which is none of *fields*."""
    free = [name for name in fields if name not in value]
    message = f"{quoted(key)} is no known key"
    if hint := near(key, free):
        return message, hint
    return message, f"known keys: {words(fields)}" if fields else "no keys are known here"


def of_missing_beside(name: str, key: str) -> tuple[str, str]:
    """Return what is said of the missing key *name*, which is needed with *key*."""
    return f"the key {quoted(name)} is missing, and is needed with {quoted(key)}", ""
