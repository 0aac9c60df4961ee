"""Ollama: the element of OpenAI Chat, of whose schema few keywords reach the model."""

from __future__ import annotations

from .dialect import Dialect
from .limits import LIMITS
from .names import DOTTED, evenly
from .openai import element
from .rewrites.bounds import only
from .rewrites.enums import const_as_enum
from .rewrites.everywhere import everywhere
from .rewrites.maps import fields_in_words, maps_in_words, patterns_as_map
from .rewrites.merging import merged_all_of, unions_alone
from .rewrites.nothing import no_booleans
from .rewrites.objects import declared
from .rewrites.refs import written_out
from .rewrites.roots import COMBINATORS, CONDITIONS, VALUES, root_object, root_without, with_properties
from .rewrites.texts import clashing_branches_as_text, cut_as_text
from .rewrites.tuples import same_typed_tuples, tuples_as_lists, with_items
from .rewrites.types import fits_something, typed
from .rewrites.unions import one_of_as_any_of, union_of_one

NAMES = evenly(DOTTED, 128)  # no rule is known; it must survive the chat template
KEYWORDS = "properties required items anyOf enum".split()
ROOT = (*COMBINATORS, *VALUES, *CONDITIONS)

DIALECTS = (
    Dialect(
        name="ollama",
        limits=LIMITS["ollama"],
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
                typed,
                const_as_enum,
                cut_as_text,
                same_typed_tuples,
                tuples_as_lists,
                with_items,
                declared({}),
                maps_in_words,
                clashing_branches_as_text,
                union_of_one,
                fields_in_words,
                only(KEYWORDS),
            ),
        ),
        element=element,
    ),
)
