"""Gemini ``functionDeclarations`` with ``parametersJsonSchema``."""

from __future__ import annotations

from functools import partial

from .dialect import Dialect
from .gemini import NAMES, ROOT, request, strict_request
from .gemini import element as declaration
from .limits import LIMITS
from .rewrites.bounds import only
from .rewrites.enums import const_as_enum, enums_for_types, no_boolean_enums, scalar_enums
from .rewrites.everywhere import everywhere
from .rewrites.maps import patterns_as_map
from .rewrites.merging import merged_all_of, unions_alone
from .rewrites.nothing import no_booleans
from .rewrites.objects import declared
from .rewrites.refs import recursion_optional, refs_alone, used_definitions
from .rewrites.roots import root_object, root_without
from .rewrites.texts import clashing_branches_as_text
from .rewrites.types import fits_something
from .rewrites.unions import one_of_as_any_of, union_of_one

KEYWORDS = (
    "properties required additionalProperties items prefixItems anyOf enum $ref minItems maxItems minimum maximum"
).split()


element = partial(declaration, key="parametersJsonSchema")

REWRITES = (
    root_object,
    no_booleans,
    patterns_as_map,
    refs_alone,
    merged_all_of,
    recursion_optional,
    root_without(*ROOT),
    unions_alone,
    everywhere(
        fits_something,
        one_of_as_any_of,
        const_as_enum,
        enums_for_types,
        scalar_enums,
        no_boolean_enums,
        clashing_branches_as_text,
        union_of_one,
        declared({}),
        only(KEYWORDS),
    ),
    used_definitions,
)

DIALECTS = (
    Dialect(
        name="gemini-json",
        limits=LIMITS["gemini-json"],
        names=NAMES,
        rewrites=REWRITES,
        element=element,
        request=request,
    ),
    Dialect(
        name="gemini-json",
        strict=True,
        limits=LIMITS["gemini-json strict"],
        names=NAMES,
        rewrites=REWRITES,
        element=element,
        request=strict_request,
    ),
)
