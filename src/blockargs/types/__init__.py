"""The argument types: ``arg_string()`` and its brothers.

Each returns a JSON Schema node (draft 2020-12) that is checked here and now.
All take the keywords ``description``, ``required`` (whether a record needs it
as a field; ``None`` counts as yes) and ``error`` (the author's text, shown
besides the reason when a value does not fit).
"""

from __future__ import annotations

from ..imported import arg_schema
from ..node import ArgType, same_type
from .containers import arg_array, arg_json_array, arg_json_object, arg_map, arg_object, arg_tuple
from .scalars import (
    arg_any,
    arg_boolean,
    arg_column,
    arg_const,
    arg_enum,
    arg_integer,
    arg_literal,
    arg_number,
    arg_string,
)
from .unions import NULL, arg_nullable, arg_union

__all__ = [
    "NULL",
    "ArgType",
    "arg_any",
    "arg_array",
    "arg_boolean",
    "arg_column",
    "arg_const",
    "arg_enum",
    "arg_integer",
    "arg_json_array",
    "arg_json_object",
    "arg_literal",
    "arg_map",
    "arg_nullable",
    "arg_number",
    "arg_object",
    "arg_schema",
    "arg_string",
    "arg_tuple",
    "arg_union",
    "same_type",
]
