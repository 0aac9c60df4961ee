"""Type words of Python, Java and Gemini in place of JSON Schema's, translated with a note each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .._text import quoted
from ..errors import Note, at
from ..keywords import MANY, MAX_DEPTH, NAMED, ONE, types_of
from .marks import below

# word in lower case -> JSON Schema's; "any" says nothing
WORDS: dict[str, str] = {
    "dict": "object", "dictionary": "object", "map": "object", "hashmap": "object", "mapping": "object", "record": "object",
    "struct": "object", "list": "array", "tuple": "array", "set": "array", "arraylist": "array", "sequence": "array",
    "int": "integer", "long": "integer", "bigint": "integer", "short": "integer", "byte": "integer", "int32": "integer",
    "int64": "integer", "float": "number", "double": "number", "decimal": "number", "str": "string", "text": "string",
    "char": "string", "bool": "boolean", "none": "null", "nonetype": "null", "any": "", "object": "object", "array": "array",
    "integer": "integer", "number": "number", "string": "string", "boolean": "boolean", "null": "null",
}  # fmt: skip

_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_WHOLE = re.compile(r"-?[0-9]{1,80}")


def plain_words(schema: Mapping[str, Any]) -> tuple[dict[str, Any], list[Note]]:
    """Return *schema* in the words of JSON Schema, with a note for each that was another.

    Gemini's ``nullable``, and enums and bounds of whole numbers as texts, are translated too, and
    a field that says ``required: true`` of itself is listed where it belongs.
    """
    notes: list[Note] = []
    out = _node(schema, "$", notes, 0)
    if "type" not in out and not any(k in out for k in ("$ref", "anyOf", "oneOf", "allOf")):
        out = {"type": "object", **out}
    return out, notes


def _node(node: Any, path: str, notes: list[Note], level: int) -> Any:
    if not isinstance(node, Mapping) or level > MAX_DEPTH:  # what is deeper is refused by who checks the schema
        return node
    out: dict[str, Any] = {str(k): v for k, v in node.items()}
    _typed(out, path, notes)
    _null(out, path, notes)
    _values(out, path, notes)
    _counts(out, path, notes)
    _needed(out, path, notes)

    def part(child: Any, *pointer: str | int) -> Any:
        return _node(child, below(path, pointer), notes, level + 1)

    for key, value in list(out.items()):
        if key in ONE:
            out[key] = part(value, key)
        elif key in MANY and isinstance(value, list | tuple):
            out[key] = [part(child, key, i) for i, child in enumerate(value)]
        elif key in NAMED and isinstance(value, Mapping):
            out[key] = {name: part(child, key, name) for name, child in value.items()}
    return out


def _typed(out: dict[str, Any], path: str, notes: list[Note]) -> None:
    given = out.get("type")
    if isinstance(given, str):
        word = _word(given)
        if word is None or word == given:
            return
        if word:
            out["type"] = word
        else:
            del out["type"]
        notes.append(_translated(path, given, word or None))
    elif isinstance(given, list | tuple):
        words = [t if (word := _word(t)) is None else word for t in given]
        if words == list(given):
            return
        if "" in words:
            del out["type"]
        else:
            out["type"] = list(dict.fromkeys(words))
        notes.append(_translated(path, list(given), out.get("type")))


def _word(given: Any) -> str | None:
    return WORDS.get(given.strip().lower()) if isinstance(given, str) else None


def _null(out: dict[str, Any], path: str, notes: list[Note]) -> None:
    """Translate ``nullable: true``."""
    if not isinstance(out.get("nullable"), bool):
        return
    nullable = out.pop("nullable")
    notes.append(_note("nullable_translated", path, nullable, None, "'nullable' is written as a type beside null"))
    if not nullable:
        return
    if isinstance(out.get("type"), str):
        out["type"] = [out["type"], "null"]
        if isinstance(out.get("enum"), list):
            out["enum"] = [*out["enum"], None]
    elif isinstance(out.get("anyOf"), list):
        out["anyOf"] = [*out["anyOf"], {"type": "null"}]


def _values(out: dict[str, Any], path: str, notes: list[Note]) -> None:
    """Translate texts in an enum of whole numbers."""
    kinds = types_of(out)
    values = out.get("enum")
    if "integer" not in kinds or "string" in kinds or not isinstance(values, list):
        return
    read = [int(v) if isinstance(v, str) and _WHOLE.fullmatch(v.strip()) else v for v in values]
    if read != values:
        out["enum"] = read
        notes.append(_note("enum_translated", path, values, read, "whole numbers in an enum were written as texts"))


def _counts(out: dict[str, Any], path: str, notes: list[Note]) -> None:
    """Translate bounds that count: Gemini's requests write 64-bit numbers as texts."""
    for key in _COUNTS:
        given = out.get(key)
        if isinstance(given, str) and _WHOLE.fullmatch(given.strip()):
            out[key] = int(given)
            message = f"{key!r} is a whole number, and was written as text"
            notes.append(_note("number_translated", path, {key: given}, {key: out[key]}, message))


def _needed(out: dict[str, Any], path: str, notes: list[Note]) -> None:
    """List the fields that say ``required: true`` of themselves."""
    fields = out.get("properties")
    if not isinstance(fields, Mapping):
        if isinstance(out.get("required"), bool):
            del out["required"]
        return
    said = {
        n: f["required"] for n, f in fields.items() if isinstance(f, Mapping) and isinstance(f.get("required"), bool)
    }
    if not said:
        return
    listed = [n for n in out.get("required") or () if n not in said] if isinstance(out.get("required"), list) else []
    out["properties"] = {
        n: {k: v for k, v in f.items() if k != "required"} if n in said else f for n, f in fields.items()
    }
    out["required"] = [*listed, *(n for n, needed in said.items() if needed)]
    message = "whether a field is needed is said by its record"
    notes += [_note("required_translated", at(path, name), needed, None, message) for name, needed in said.items()]


def _translated(path: str, before: Any, after: Any) -> Note:
    message = f"the type {quoted(before)} is read as {quoted(after) if after else 'any value'}"
    return _note("type_word_translated", path, before, after, message)


def _note(rule: str, path: str, before: Any, after: Any, message: str) -> Note:
    return Note(rule=rule, path=path, before=before, after=after, message=message)
