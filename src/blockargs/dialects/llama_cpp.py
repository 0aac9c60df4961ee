"""The llama.cpp server: the element of OpenAI Chat, whose schema becomes a grammar."""

from __future__ import annotations

from .dialect import Dialect
from .limits import LIMITS
from .ollama import NAMES, ROOT
from .openai import element
from .rewrites.bounds import anchored, formats, only, patterns, whole_number_bounds
from .rewrites.enums import enums_for_types
from .rewrites.everywhere import everywhere
from .rewrites.maps import patterns_as_map
from .rewrites.merging import merged_all_of, unions_alone
from .rewrites.nothing import no_booleans
from .rewrites.objects import declared, open_said
from .rewrites.refs import written_out
from .rewrites.roots import root_object, root_without, with_properties
from .rewrites.texts import clashing_branches_as_text, cut_as_text
from .rewrites.tuples import same_typed_tuples, tuples_as_lists, with_items
from .rewrites.types import fits_something
from .rewrites.unions import one_of_as_any_of, union_of_one

# unsupported keywords are skipped in silence there, so here they are told in words
KEYWORDS = (
    "properties required additionalProperties items anyOf enum const default title minLength maxLength pattern format "
    "minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems examples"
).split()

DIALECTS = (
    Dialect(
        name="llama-cpp",
        limits=LIMITS["llama-cpp"],
        names=NAMES,
        rewrites=(
            root_object,
            with_properties,
            no_booleans,
            patterns_as_map,
            written_out,
            merged_all_of,
            root_without(*ROOT),
            unions_alone,
            everywhere(
                fits_something,
                one_of_as_any_of,
                enums_for_types,
                cut_as_text,
                same_typed_tuples,
                tuples_as_lists,
                with_items,
                clashing_branches_as_text,
                union_of_one,
                declared({}),
                open_said,
                whole_number_bounds,
                patterns(anchored),
                formats("date", "time", "date-time", "uuid"),
                only(KEYWORDS),
            ),
        ),
        element=element,
    ),
)
