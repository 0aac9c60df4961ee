"""Anthropic Messages: ``input_schema``, and worked examples in a field of their own."""

from __future__ import annotations

from typing import Any

from ..keywords import Schema
from .count import counted
from .dialect import Dialect, Rewrite, Tool, written
from .limits import LIMITS
from .names import DOTTED, WORD, evenly
from .rewrites.bounds import formats, length_of_one, only
from .rewrites.enums import enums_for_types, scalar_enums
from .rewrites.everywhere import everywhere
from .rewrites.maps import maps_as_pairs, patterns_as_map
from .rewrites.merging import merged_all_of, unions_alone
from .rewrites.nothing import no_booleans
from .rewrites.objects import ANY, closed, declared, extra_fields, legal_names
from .rewrites.refs import recursion_written_out, used_definitions
from .rewrites.roots import COMBINATORS, CONDITIONS, root_object, root_without, with_required_properties
from .rewrites.texts import clashing_branches_as_text, cut_as_text, free_objects_as_text, untyped_as_text
from .rewrites.tuples import same_typed_tuples, tuples_as_records, tuples_as_typed_lists, with_typed_items
from .rewrites.types import fits_something, one_type_each, split_types, typed
from .rewrites.unions import one_of_as_any_of, union_of_one

NAMES = evenly(WORD, 128)
ARGUMENTS = evenly(DOTTED, 64)
FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid")
# a simple pattern is taken too, but the vendor's own helper moves it into the description
STRICT_KEYWORDS = "properties required additionalProperties items anyOf enum const $ref title format minItems".split()


def _fits(schema: Schema) -> bool:
    """Tell whether one tool of *schema* stays within the limits of a request."""
    count = counted(schema)
    return all(count[limit.what] <= limit.most for limit in LIMITS["anthropic strict"])


def strict_rewrites(*rules: Rewrite) -> tuple[Rewrite, ...]:
    """Return the rewrites of the strict form, with *rules* of one provider at the end of those for each node."""
    return (
        root_object,
        no_booleans,
        patterns_as_map,
        recursion_written_out(_fits),
        merged_all_of,
        root_without(*COMBINATORS, "not", *CONDITIONS),
        unions_alone,
        split_types(scalars=False),
        everywhere(
            fits_something,
            one_of_as_any_of,
            typed,
            enums_for_types,
            scalar_enums,
            cut_as_text,
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
            length_of_one,
            formats(*FORMATS),
            *rules,
            one_type_each,
        ),
        used_definitions,
    )


def element(tool: Tool) -> dict[str, Any]:
    """Return *tool* as it stands in ``tools``."""
    out = written(tool, "input_schema")
    if tool.examples:
        out["input_examples"] = list(tool.examples)
    if tool.strict:
        out["strict"] = True
    if tool.deferred:
        out["defer_loading"] = True
    return out


DIALECTS = (
    Dialect(
        name="anthropic",
        limits=LIMITS["anthropic"],
        names=NAMES,
        rewrites=(
            root_object,
            root_without(*COMBINATORS),
            with_required_properties,
            legal_names(ARGUMENTS, nested=False),
        ),
        element=element,
        examples="field",
        defers=True,
    ),
    Dialect(
        name="anthropic",
        strict=True,
        limits=LIMITS["anthropic strict"],
        names=NAMES,
        rewrites=strict_rewrites(legal_names(ARGUMENTS, nested=False), only(STRICT_KEYWORDS)),
        element=element,
        examples="field",
        defers=True,
    ),
)
