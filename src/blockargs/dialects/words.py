"""Keywords in words, for a description, where a dialect has no keyword for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._text import listing, one_line

LONGEST_JSON = 300  # characters of a schema or value that are shown inside a description

# told besides the description, in this order; any other keyword is shown as compact JSON
PHRASES: dict[str, Callable[[Any], str]] = {
    "const": lambda v: f"always {shown(v)}",
    "enum": lambda v: f"one of {', '.join(shown(x) for x in v)}",
    "minimum": lambda v: f"at least {shown(v)}",
    "exclusiveMinimum": lambda v: f"above {shown(v)}",
    "maximum": lambda v: f"at most {shown(v)}",
    "exclusiveMaximum": lambda v: f"below {shown(v)}",
    "multipleOf": lambda v: f"a multiple of {shown(v)}",
    "minLength": lambda v: f"at least {_count(v, 'character')}",
    "maxLength": lambda v: f"at most {_count(v, 'character')}",
    "pattern": lambda v: f"matches the regular expression {v}",
    "format": lambda v: f"format: {v}",
    "minItems": lambda v: f"at least {_count(v, 'item')}",
    "maxItems": lambda v: f"at most {_count(v, 'item')}",
    "uniqueItems": lambda v: "no two items are equal" if v else "",
    "contains": lambda v: f"some item is {shown(v)}",
    "minContains": lambda v: f"at least {v} of those",
    "maxContains": lambda v: f"at most {v} of those",
    "required": lambda v: f"with {'the key' if len(v) == 1 else 'the keys'} {listing(v)}" if v else "",
    "minProperties": lambda v: f"at least {_count(v, 'key')}",
    "maxProperties": lambda v: f"at most {_count(v, 'key')}",
    "propertyNames": lambda v: f"each key is {shown(v)}",
    "patternProperties": lambda v: f"values by pattern of their key: {shown(v)}",
    "dependentRequired": lambda v: "; ".join(f"with {shown(k)} also {listing(names)}" for k, names in v.items()),
    "not": lambda v: f"not {shown(v)}",
    "anyOf": lambda v: alternatives(v, "at least one of"),
    "oneOf": lambda v: alternatives(v, "exactly one of"),
    "allOf": lambda v: f"all of {shown(v)}",
    "default": lambda v: f"default: {shown(v)}",
    "examples": lambda v: f"for example {', '.join(shown(x) for x in v)}" if v else "",
    "deprecated": lambda v: "deprecated" if v else "",
    "readOnly": lambda v: "read-only" if v else "",
    "contentMediaType": lambda v: f"content: {v}",
    "contentEncoding": lambda v: f"encoding: {v}",
    "x-column": lambda v: "the name of a column" if v is True else f"the name of a column of {v}",
}


def shown(value: Any) -> str:
    """Return *value* as compact JSON, cut when it is long."""
    return one_line(json.dumps(value, ensure_ascii=False), LONGEST_JSON)


def phrase(keyword: str, value: Any) -> str:
    """Return *keyword* with *value* in words."""
    told = PHRASES.get(keyword)
    return f"{keyword}: {shown(value)}" if told is None else told(value)


_ORDER = {key: i for i, key in enumerate(PHRASES)}
# where both are the same number, there is one way to say it
_EXACT = (
    ("minLength", "maxLength", "character"),
    ("minItems", "maxItems", "item"),
    ("minProperties", "maxProperties", "key"),
)


def phrases(keywords: Mapping[str, Any]) -> str:
    """Return all of *keywords* in words: ``"at least 1, at most 10"``."""
    left = dict(keywords)
    told = []
    for low, high, noun in _EXACT:
        if low in left and left[low] == left.get(high):
            told.append(f"exactly {_count(left.pop(low), noun)}")
            del left[high]
    keys = sorted(left, key=lambda k: _ORDER.get(k, len(_ORDER)))
    return ", ".join([*told, *(text for key in keys if (text := phrase(key, left[key])))])


def with_words(node: Mapping[str, Any], words: str) -> dict[str, Any]:
    """Return *node* with *words* added to its description, in brackets."""
    if not words:
        return dict(node)
    text = node.get("description")
    told = f"{text} ({words})" if isinstance(text, str) and text.strip() else words
    if "description" in node:
        return {**node, "description": told}
    kind = {"type": node["type"]} if "type" in node else {}
    return {**kind, "description": told, **{k: v for k, v in node.items() if k != "type"}}


def alternatives(branches: Sequence[Any], lead: str) -> str:
    """Return a combinator in words; branches that only ask for keys are told by those keys."""
    told = [_branch(b) for b in branches]
    return f"{lead}: {'; '.join(told)}"


def _branch(branch: Any) -> str:
    if (
        isinstance(branch, Mapping)
        and branch.keys() <= {"required", "type", "description", "title"}
        and "required" in branch
    ):
        return listing(branch["required"])
    return shown(branch)


def _count(value: Any, noun: str) -> str:
    return f"{shown(value)} {noun}" if value == 1 else f"{shown(value)} {noun}s"
