"""The format of declarations as a JSON Schema for editors (draft-07, which they know)."""

from __future__ import annotations

import json
from typing import Any

from ..categories import CATEGORIES
from ..spec import KINDS, UID
from ..spec.metadata import HINTS

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_FLAG: Schema = {"type": "boolean"}
_WORDS: Schema = {"type": ["array", "string"], "items": {"type": "string"}}
_CONFIGURATION: Schema = {"type": "object"}
_KINDS_OF_JSON = ("string", "number", "integer", "boolean", "object", "array", "null")
_NODE: Schema = {"$ref": "#/definitions/node"}
_TYPE: Schema = {"$ref": "#/definitions/type"}

_ENTRY: dict[str, tuple[Schema, str]] = {
    "uid": ({**_TEXT, "pattern": f"^{UID.pattern}$"}, "Its uid, where that is not the key without a leading new_."),
    "name": (_TEXT, "Its name, for display."),
    "description": (_TEXT, "One short text for everybody."),
    "details": (_TEXT, "A long text for people."),
    "link": ({**_TEXT, "pattern": "^https?://"}, "Where to read more."),
    "guidance": (_TEXT, "A text for the model: do, don't, pitfalls."),
    "keywords": (_WORDS, "Words to find it by."),
    "category": (
        {**_TEXT, "examples": list(CATEGORIES)},
        "What kind of block it is.",
    ),
    "icon": (_TEXT, "A name of Bootstrap Icons: table."),
    "package": (_TEXT, "The package it comes from."),
    "constructor": (
        {**_TEXT, "pattern": "^[^\\s:]+:[^\\s:]+$"},
        "What builds it, package.module:name; imported when it is needed.",
    ),
    "wire_name": ({**_TEXT, "pattern": f"^{UID.pattern}$"}, "The name a model sees, where it is not the uid."),
    "kind": ({"enum": list(KINDS)}, "A block builds something; a tool does something, and is never called to check."),
    "timeout": ({"type": "number", "exclusiveMinimum": 0}, "Seconds one call may take."),
    "annotations": (
        {
            "type": "object",
            "properties": {hint: _TEXT if hint == "title" else _FLAG for hint in HINTS},
            "additionalProperties": False,
        },
        "Hints for MCP clients.",
    ),
    "inputs": (_WORDS, "Names of the inputs it is called with."),
    "output": (_TEXT, "What calling it gives, in a word."),
    "input_schema": (_NODE, "A whole input schema that replaces the one made of the arguments."),
    "output_schema": (_NODE, "The JSON Schema of what the constructor returns."),
    "arguments": (
        {
            "anyOf": [
                {"type": "object", "additionalProperties": {"$ref": "#/definitions/argument"}},
                {"type": "array", "maxItems": 0},
            ]
        },
        "Its arguments by name, in order.",
    ),
    "examples": (
        {"type": "array", "items": _CONFIGURATION},
        "Worked configurations; without any, the examples of the arguments make one.",
    ),
}
_ARGUMENT: dict[str, tuple[Schema, str]] = {
    "description": (_TEXT, "What it is, for people and models."),
    "example": ({}, "One worked value."),
    "type": (_TYPE, "The short spelling, or a JSON Schema node."),
    "required": (_FLAG, "Whether a call must give it."),
    "default": ({}, "The value used when it is left out."),
    "error": (_TEXT, "Shown besides the reason when a value does not fit: use an ISO country code."),
    "hidden": (_FLAG, "Never shown to a model; needs a default."),
    "aliases": (_WORDS, "Other names a model may use for it."),
    "header": (_TEXT, "Name of its x-mcp-header."),
}


def declaration_schema() -> Schema:
    """Return the JSON Schema (draft-07) of a file of declarations: ``registry/block.schema.json``."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Declarations of blocks",
        "description": "A mapping of uid to what is declared of the block.",
        "type": "object",
        "propertyNames": {"pattern": f"^{UID.pattern}$"},
        "additionalProperties": {"$ref": "#/definitions/block"},
        "definitions": {
            "block": _record(_ENTRY),
            "argument": {
                "anyOf": [
                    {"type": "string", "description": "What it is: a description alone."},
                    {"type": "null", "description": "It is hidden."},
                    _record(_ARGUMENT),
                ]
            },
            "type": {
                "anyOf": [
                    {
                        "type": "string",
                        "description": "The short spelling.",
                        "examples": ["string", "integer[]", "enum(head|tail)", "object{x: number, y?: number}"],
                    },
                    _NODE,
                ]
            },
            "node": _node(),
        },
    }


def _record(rows: dict[str, tuple[Schema, str]]) -> Schema:
    properties = {key: {**schema, "description": text} for key, (schema, text) in rows.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _node() -> Schema:
    """Return what is known of a JSON Schema node; further keywords are allowed."""
    kinds = {"enum": list(_KINDS_OF_JSON)}
    table: Schema = {"type": "object", "additionalProperties": _NODE}
    return {
        "type": "object",
        "description": "A JSON Schema node (draft 2020-12).",
        "properties": {
            "type": {"anyOf": [kinds, {"type": "array", "items": kinds, "minItems": 1}]},
            "description": _TEXT,
            "enum": {"type": "array", "minItems": 1},
            "const": {},
            "items": {"anyOf": [_FLAG, _NODE]},
            "prefixItems": {"type": "array", "items": _NODE},
            "properties": table,
            "required": {"type": "array", "items": _TEXT},
            "additionalProperties": {"anyOf": [_FLAG, _NODE]},
            "anyOf": {"type": "array", "items": _NODE, "minItems": 1},
            "oneOf": {"type": "array", "items": _NODE, "minItems": 1},
            "$defs": table,
            "default": {},
            "x-error": _TEXT,
            "x-column": {"type": ["boolean", "string"]},
        },
    }


def schema_text() -> str:
    """Return the text of ``registry/block.schema.json``."""
    return json.dumps(declaration_schema(), indent=2, ensure_ascii=False) + "\n"
