"""From a model's call to a block: choose one, decode, inject, call exactly once, and tell what came of it."""

from __future__ import annotations

from .content import Audio, Image, Part, Resource, Text, ToolContent
from .messages import joined_messages
from .run import Call, ToolRun
from .toolset import Toolset

__all__ = [
    "Audio",
    "Call",
    "Image",
    "Part",
    "Resource",
    "Text",
    "ToolContent",
    "ToolRun",
    "Toolset",
    "joined_messages",
]
