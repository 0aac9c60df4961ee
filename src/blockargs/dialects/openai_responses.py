"""OpenAI Responses: the function's fields stand beside ``"type": "function"``."""

from __future__ import annotations

from typing import Any

from .dialect import Dialect, Tool, written
from .limits import LIMITS
from .names import WORD, evenly
from .openai import REWRITES, STRICT_KEYWORDS, strict_rewrites

NAMES = evenly(WORD, 128)


def element(tool: Tool) -> dict[str, Any]:
    """Return *tool* as it stands in ``tools``."""
    # without `strict` the provider tries the strict form by itself: then null would come back unannounced
    out = {**written(tool, "parameters", type="function"), "strict": tool.strict}
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
        defers=True,
    ),
    Dialect(
        name="openai-responses",
        strict=True,
        limits=LIMITS["openai-responses strict"],
        names=NAMES,
        rewrites=strict_rewrites(STRICT_KEYWORDS),
        element=element,
        defers=True,
    ),
)
