"""The categories that are suggested, and the icon of each."""

from __future__ import annotations

from collections.abc import Mapping

CATEGORIES: Mapping[str, str] = {  # the suggested categories, each with the icon of a block that names none
    "input": "upload",
    "transform": "magic",
    "structured": "asterisk",
    "plot": "file-bar-graph",
    "table": "table",
    "model": "gear",
    "output": "save",
    "utility": "tools",
    "uncategorized": "question-square",
}


def category_icon(category: str) -> str:
    """Return the icon of a block in *category* that names none."""
    return CATEGORIES.get(category, CATEGORIES["uncategorized"])
