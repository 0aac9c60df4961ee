"""Mistral: the element of OpenAI Chat, with ``strict`` for each tool."""

from __future__ import annotations

from .dialect import Dialect
from .limits import LIMITS
from .openai import NAMES, REWRITES, STRICT_KEYWORDS, element, strict_rewrites

# look-alikes of OpenAI refuse the length of a text in the strict form
_KEYWORDS = [k for k in STRICT_KEYWORDS if k not in ("minLength", "maxLength")]

DIALECTS = (
    Dialect(
        name="mistral",
        limits=LIMITS["mistral"],
        names=NAMES,
        rewrites=REWRITES,
        element=element,
    ),
    Dialect(
        name="mistral",
        strict=True,
        limits=LIMITS["mistral strict"],
        names=NAMES,
        rewrites=strict_rewrites(_KEYWORDS),
        element=element,
    ),
)
