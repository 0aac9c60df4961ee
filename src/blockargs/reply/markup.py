"""Calls written as tags: their parameters are text, whose type only the schema tells."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

from .._text import quoted
from ..errors import Problem, at
from .leaves import LEXEMES

MARKUP_START = r"(?:antml:)?invoke\s|function=|function\sname="
_OPEN = re.compile(
    r"""<(?:(?:antml:)?invoke\s+name=["']([^"'<>]{1,128})["']\s*|function(?:=|\sname=)["']?([\w./\\-]{1,128})["']?\s*)>"""
).match
_PARAMETER = re.compile(
    r"""\s*<(?:antml:)?parameter(?:\s+name=["']([^"'<>]{1,128})["']|=["']?([^"'<>]{1,128}?)["']?)(?:\s[^<>]{0,100})?>"""
).match
_BEGINS = re.compile(r"<(?:antml:)?parameter[\s=]").search
_BLANKS = re.compile(r"\s*+").match
_END_PARAMETER = re.compile(r"</(?:antml:)?parameter\s*>")
_END = re.compile(r"\s*</(?:(?:antml:)?invoke|function)\s*>").match


@dataclass(frozen=True, slots=True)
class Markup:
    """A call in tags: its name, its arguments, where it ends, and what is wrong with its form."""

    name: str
    tree: Any
    end: int
    problem: Problem | None = None


def markup_at(text: str, start: int) -> Markup | None:
    """Return the call whose opening tag stands at *start* of *text*, ``None`` where no tag does."""
    opened = _OPEN(text, start)
    if opened is None:
        return None
    name = html.unescape(opened[1] or opened[2]).replace("\\_", "_")
    position = opened.end()
    out: dict[str, Any] = {}
    while parameter := _PARAMETER(text, position):
        key = html.unescape(parameter[1] or parameter[2]).strip()
        closing = _END_PARAMETER.search(text, parameter.end())
        if closing is None:
            return Markup(name, out, len(text), _cut(f"the parameter '{key}'"))
        value = _text(text[parameter.end() : closing.start()])
        if _BEGINS(value):
            message = f"the parameter '{key}' seems to hold another one: {quoted(value)}"
            hint = "close each parameter with </parameter>"
            problem = Problem(code="unclosed_parameter", path=at("$", key), message=message, hint=hint)
            return Markup(name, out, closing.end(), problem)
        if out.setdefault(key, value) != value:
            message = f"the parameter '{key}' is given twice, with different values"
            return Markup(name, out, closing.end(), Problem(code="duplicate_key", path="$", message=message))
        position = closing.end()
    if (ended := _END(text, position)) is not None:
        return Markup(name, out, ended.end())
    return _json_inside(name, text, position) if not out else Markup(name, out, len(text), _cut("a call"))


def _text(inside: str) -> str:
    """Return a parameter's text without the line breaks that only set it off from its tags."""
    inside = inside.removeprefix("\n")
    return inside.removesuffix("\n")


def _json_inside(name: str, text: str, position: int) -> Markup:
    """Return the call whose arguments are one JSON object between the tags."""
    blanks = _BLANKS(text, position)
    start = position if blanks is None else blanks.end()
    try:
        tree, end = LEXEMES.raw_decode(text, start)
    except (ValueError, RecursionError):
        return Markup(name, {}, len(text), _cut("a call"))
    ended = _END(text, end)
    return Markup(name, tree, ended.end() if ended else end)


def _cut(what: str) -> Problem:
    message = f"the reply ends inside {what}"
    return Problem(code="truncated", path="$", message=message, hint="send it again, complete and shorter")
