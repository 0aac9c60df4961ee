"""OpenAI Chat Completions: ``{"type": "function", "function": {…}}``."""

from __future__ import annotations

from typing import Any

from .dialect import Dialect, Rewrite, Tool, written
from .limits import LIMITS
from .names import WORD, evenly
from .rewrites.bounds import compiles, formats, only, patterns, without_looks
from .rewrites.enums import enums_for_types, scalar_enums
from .rewrites.everywhere import everywhere
from .rewrites.maps import maps_as_pairs, patterns_as_map
from .rewrites.merging import merged_all_of, unions_alone
from .rewrites.nothing import no_booleans
from .rewrites.objects import ANY, all_required, closed, declared, extra_fields, with_properties
from .rewrites.refs import refs_alone, used_definitions
from .rewrites.roots import COMBINATORS, CONDITIONS, VALUES, root_object, root_without
from .rewrites.texts import clashing_branches_as_text, free_objects_as_text, untyped_as_text
from .rewrites.tuples import same_typed_tuples, tuples_as_records, tuples_as_typed_lists, with_items, with_typed_items
from .rewrites.types import fits_something, split_types, typed
from .rewrites.unions import one_of_as_any_of, union_of_one

NAMES = evenly(WORD, 64)
FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")
STRICT_KEYWORDS = (
    "properties required additionalProperties items anyOf enum const $ref minLength maxLength pattern format "
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems"
).split()
ROOT = (*COMBINATORS, *VALUES)

REWRITES: tuple[Rewrite, ...] = (
    root_object,
    no_booleans,
    root_without(*ROOT),
    everywhere(same_typed_tuples, with_items, with_properties, declared({}), patterns(compiles), spared=frozenset()),
    used_definitions,
)


def strict_rewrites(keywords: list[str]) -> tuple[Rewrite, ...]:
    """Return the rewrites of a strict form that takes *keywords*."""
    return (
        root_object,
        no_booleans,
        patterns_as_map,
        refs_alone,
        merged_all_of,
        root_without(*ROOT, *CONDITIONS),
        unions_alone,
        split_types(scalars=False),
        everywhere(
            fits_something,
            one_of_as_any_of,
            typed,
            enums_for_types,
            scalar_enums,
            same_typed_tuples,
            tuples_as_records,
            tuples_as_typed_lists,
            with_typed_items,
            untyped_as_text,
            free_objects_as_text,
            maps_as_pairs,
            declared(ANY),
            extra_fields,
            clashing_branches_as_text,
            union_of_one,
            closed,
            all_required,
            patterns(without_looks),
            formats(*FORMATS),
            only(keywords),
        ),
        used_definitions,
    )


def element(tool: Tool) -> dict[str, Any]:
    """Return *tool* as it stands in ``tools``."""
    function = written(tool, "parameters")
    if tool.strict:
        function["strict"] = True
    return {"type": "function", "function": function}


DIALECTS = (
    Dialect(
        name="openai",
        limits=LIMITS["openai"],
        names=NAMES,
        rewrites=REWRITES,
        element=element,
    ),
    Dialect(
        name="openai",
        strict=True,
        limits=LIMITS["openai strict"],
        names=NAMES,
        rewrites=strict_rewrites(STRICT_KEYWORDS),
        element=element,
    ),
)
