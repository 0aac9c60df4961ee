"""Bedrock Converse: ``{"toolSpec": {…, "inputSchema": {"json": …}}}``."""

from __future__ import annotations

from typing import Any

from .anthropic import STRICT_KEYWORDS, strict_rewrites
from .dialect import Dialect, Tool, written
from .limits import LIMITS
from .names import WORD, evenly
from .rewrites.bounds import only, patterns, plain_defaults, without_backreferences
from .rewrites.roots import COMBINATORS, root_object, root_without, with_required_properties

NAMES = evenly(WORD, 64)
# as Claude's strict form, but a pattern and a default stay and a title goes
_KEYWORDS = [*(k for k in STRICT_KEYWORDS if k != "title"), "pattern", "default"]


def element(tool: Tool) -> dict[str, Any]:
    """Return *tool* as it stands in ``toolConfig.tools``."""
    spec = written(tool, "inputSchema")  # an empty description would be refused
    spec["inputSchema"] = {"json": tool.schema}
    if tool.strict:
        spec["strict"] = True
    return {"toolSpec": spec}


def request(tools: list[Any]) -> dict[str, Any]:
    """Return the part of the request that holds the tools."""
    return {"toolConfig": {"tools": tools}} if tools else {}  # at least one tool, or no toolConfig


DIALECTS = (
    Dialect(
        name="bedrock",
        limits=LIMITS["bedrock"],
        names=NAMES,
        rewrites=(root_object, root_without(*COMBINATORS), with_required_properties),
        element=element,
        request=request,
    ),
    Dialect(
        name="bedrock",
        strict=True,
        limits=LIMITS["bedrock strict"],
        names=NAMES,
        rewrites=strict_rewrites(plain_defaults, patterns(without_backreferences), only(_KEYWORDS)),
        element=element,
        request=request,
    ),
)
