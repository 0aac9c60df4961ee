"""OpenAI Responses: the function's fields stand beside ``"type": "function"``."""

from __future__ import annotations

from typing import Any

from .dialect import Dialect, Tool
from .limits import LIMITS
from .names import NameRule
from .openai import REWRITES, STRICT_KEYWORDS, request, strict_rewrites

NAMES = NameRule("a-zA-Z0-9_-", "a-zA-Z0-9_-", 128)


def element(tool: Tool) -> dict[str, Any]:
    """Return *tool* as it stands in ``tools``."""
    out: dict[str, Any] = {"type": "function", "name": tool.name}
    if tool.description:
        out["description"] = tool.description
    # without the key the provider tries the strict form by itself: then null would come back unannounced
    out |= {"parameters": tool.schema, "strict": tool.strict}
    if tool.deferred:
        out["defer_loading"] = True
    return out


DIALECTS = (
    Dialect(
        name="openai-responses",
        limits=LIMITS["openai-responses"],
        names=NAMES,
        rewrites=REWRITES,
        element=element,
        request=request,
        defers=True,
    ),
    Dialect(
        name="openai-responses",
        strict=True,
        limits=LIMITS["openai-responses strict"],
        names=NAMES,
        rewrites=strict_rewrites(STRICT_KEYWORDS),
        element=element,
        request=request,
        defers=True,
    ),
)
