"""From a model's call to a block: choose one, decode, inject, call exactly once, and tell what came of it."""

from __future__ import annotations

from .ask import Report
from .content import Audio, Image, Part, Resource, Text, ToolContent
from .conversation import Attempt
from .effects import Effect, table_effect
from .extract import answer_block, extract, extract_async
from .messages import joined_messages
from .run import Call, ToolRun
from .toolset import Toolset

__all__ = [
    "Attempt",
    "Audio",
    "Call",
    "Effect",
    "Image",
    "Part",
    "Report",
    "Resource",
    "Text",
    "ToolContent",
    "ToolRun",
    "Toolset",
    "answer_block",
    "extract",
    "extract_async",
    "joined_messages",
    "table_effect",
]
