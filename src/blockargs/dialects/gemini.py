"""Gemini ``functionDeclarations`` with ``parameters``: the OpenAPI form, in capitals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..keywords import Schema, rebuilt, types_of
from .dialect import Dialect, Tool, written
from .limits import GEMINI_NAME, LIMITS
from .names import NameRule
from .rewrites.bounds import compiles, formats, one_example, only, patterns, plain_defaults
from .rewrites.enums import (
    const_as_enum,
    enums_for_types,
    enums_of_one_kind,
    no_boolean_enums,
    no_fraction_enums,
    scalar_enums,
    whole_number_enums,
)
from .rewrites.everywhere import everywhere
from .rewrites.maps import maps_as_pairs, patterns_as_map
from .rewrites.merging import merged_all_of, unions_alone
from .rewrites.nothing import no_booleans
from .rewrites.objects import ANY, declared, extra_fields, legal_names
from .rewrites.refs import written_out
from .rewrites.roots import COMBINATORS, CONDITIONS, VALUES, root_object, root_without
from .rewrites.texts import clashing_branches_as_text, cut_as_text, free_objects_as_text, untyped_as_text
from .rewrites.tuples import same_typed_tuples, tuples_as_typed_lists, with_typed_items
from .rewrites.types import fits_something, split_types, typed
from .rewrites.unions import one_of_as_any_of, union_of_one

NAMES = NameRule("A-Za-z_", "A-Za-z0-9_.:-", GEMINI_NAME)
ARGUMENTS = NameRule("A-Za-z_", "A-Za-z0-9_", 64)
FORMATS = ("enum", "date-time", "float", "double", "int32", "int64")
KEYWORDS = (
    "properties required items anyOf enum title default format pattern minLength maxLength minimum maximum "
    "minItems maxItems minProperties maxProperties example"
).split()
ROOT = (*COMBINATORS, *VALUES, *CONDITIONS)

REWRITES = (
    root_object,
    no_booleans,
    patterns_as_map,
    written_out,
    merged_all_of,
    root_without(*ROOT),
    unions_alone,
    split_types(scalars=True),
    everywhere(
        fits_something,
        one_of_as_any_of,
        typed,
        const_as_enum,
        enums_for_types,
        scalar_enums,
        no_boolean_enums,
        no_fraction_enums,
        enums_of_one_kind,
        whole_number_enums,
        cut_as_text,
        same_typed_tuples,
        tuples_as_typed_lists,
        with_typed_items,
        untyped_as_text,
        free_objects_as_text,
        maps_as_pairs,
        declared(ANY),
        extra_fields,
        clashing_branches_as_text,
        union_of_one,
        plain_defaults,
        one_example,
        patterns(compiles),
        formats(*FORMATS),
        legal_names(ARGUMENTS, nested=True),
        only(KEYWORDS),
    ),
)


def openapi(node: Schema) -> Schema:
    """Return *node* as Gemini writes it: types in capitals, null as ``nullable``, enums of texts."""
    # every record is closed there, and no keyword says it
    said = {k: v for k, v in node.items() if k != "additionalProperties"}
    out = rebuilt(said, lambda child, _: openapi(child) if isinstance(child, Mapping) else child)
    if "anyOf" in out:
        return _union(out)
    kinds = types_of(node)
    plain = [k for k in kinds if k != "null"]
    out["type"] = (plain or ["null"])[0].upper()
    if "null" in kinds and plain:
        out["nullable"] = True
    if not out.get("properties", True):  # an empty table is refused
        del out["properties"]
        out.pop("required", None)
    if "enum" in out:
        out["enum"] = [v if isinstance(v, str) else str(v) for v in out["enum"] if v is not None]
        if not out["enum"]:
            del out["enum"]
    return out


def _union(out: dict[str, Any]) -> dict[str, Any]:
    """Write a union: nothing may stand beside ``anyOf``, so what did stands in each branch."""
    branches = [b for b in out["anyOf"] if b.get("type") != "NULL"]
    null = len(branches) < len(out["anyOf"])
    beside = {k: v for k, v in out.items() if k != "anyOf"}
    if null:
        beside["nullable"] = True
    if len(branches) == 1:
        return _with(branches[0], beside) if "anyOf" in branches[0] else {**branches[0], **beside}
    return {"anyOf": [_with(b, beside) for b in branches]}


def _with(branch: dict[str, Any], beside: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in branch:
        return {"anyOf": [_with(b, beside) for b in branch["anyOf"]]}
    out = {**beside, **branch}
    if "description" in branch and "description" in beside:
        out["description"] = f"{beside['description']}: {branch['description']}"
    return out


def element(tool: Tool, key: str = "parameters") -> dict[str, Any]:
    """Return *tool* as a function declaration, with its schema under *key*; without arguments it has none."""
    out = written(tool, key)
    if not tool.schema.get("properties"):
        del out[key]
    return out


def request(tools: list[Any]) -> dict[str, Any]:
    """Return the part of the request that holds the tools."""
    return {"tools": [{"functionDeclarations": tools}]}


def strict_request(tools: list[Any]) -> dict[str, Any]:
    """Return the same, with the mode that holds every call to its declaration."""
    return {**request(tools), "toolConfig": {"functionCallingConfig": {"mode": "VALIDATED"}}}


DIALECTS = (
    Dialect(
        name="gemini",
        limits=LIMITS["gemini"],
        names=NAMES,
        rewrites=REWRITES,
        notation=openapi,
        element=element,
        request=request,
    ),
    Dialect(
        name="gemini",
        strict=True,
        limits=LIMITS["gemini strict"],
        names=NAMES,
        rewrites=REWRITES,
        notation=openapi,
        element=element,
        request=strict_request,
    ),
)
