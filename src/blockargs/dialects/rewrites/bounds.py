"""Keywords that a dialect does not take: moved into the description in words, or dropped with a note."""

# ruff: noqa: ARG001 - all rewrites have one signature
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sized
from typing import Any

from ..._text import listing
from ...keywords import Schema, types_of, walk
from ..dialect import Rewrite
from ..marks import MARK, stripped
from ..words import phrases
from .facts import Result, changed, tell

# they say nothing that a model needs
SILENT = frozenset("title $schema $id $comment discriminator writeOnly contentSchema $anchor".split())
ALWAYS = frozenset({"type", "description", "$defs"})
# dropping these loses nothing that is not told elsewhere, or checked when decoding
_STRUCTURE = frozenset({"required", "additionalProperties", "properties", "items", "prefixItems"})


def only(keywords: Iterable[str]) -> Rewrite:
    """Return the rule that keeps *keywords* and tells every other in words."""
    kept = frozenset(keywords) | ALWAYS

    def rewrite(node: Schema, path: str) -> Result:
        gone = {k: v for k, v in node.items() if k not in kept and not k.startswith("\0")}
        if not gone:
            return node, []
        return _told(node, gone, path)

    return rewrite


def _told(node: Schema, gone: dict[str, Any], path: str) -> Result:
    rest = {k: v for k, v in node.items() if k not in gone}
    silent = {k for k in gone if k in SILENT or k in _STRUCTURE or (k.startswith("x-") and k != "x-column")}
    told = stripped({k: v for k, v in gone.items() if k not in silent})
    dropped = sorted(silent - _STRUCTURE)
    notes = []
    if told:
        notes.append(
            changed("told_in_words", path, told, None, f"{listing(told)} {_are(told)} told in the description")
        )
    if dropped:
        notes.append(
            changed(
                "dropped", path, {k: gone[k] for k in dropped}, None, f"{listing(dropped)} {_are(dropped)} left out"
            )
        )
    return tell(rest, phrases(told), path), notes


def _are(names: Sized) -> str:
    return "is" if len(names) == 1 else "are"


def told_where(keyword: str, refused: Callable[[Any, Schema], bool]) -> Rewrite:
    """Return the rule that tells *keyword* in words where *refused* says so of its value and node."""

    def rewrite(node: Schema, path: str) -> Result:
        if keyword not in node or not refused(node[keyword], node):
            return node, []
        return _told(node, {keyword: node[keyword]}, path)

    return rewrite


def formats(*taken: str) -> Rewrite:
    """Return the rule that keeps the formats *taken*."""
    return told_where("format", lambda value, _: value not in taken)


def patterns(fits: Callable[[str], bool]) -> Rewrite:
    """Return the rule that keeps a pattern where it *fits*."""
    return told_where("pattern", lambda value, _: not fits(value))


def compiles(pattern: str) -> bool:
    """Tell whether Python's own ``re`` takes *pattern*; it is compiled here, never run."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


_LOOKS = re.compile(r"\(\?(?:[=!]|<[=!])")
_BACK = re.compile(r"\\[1-9]|\\k<|\(\?P=")
_EDGE = re.compile(r"\\[bB]")


def without_looks(pattern: str) -> bool:
    """Tell whether *pattern* compiles and looks neither ahead nor back."""
    return compiles(pattern) and not _LOOKS.search(_unescaped(pattern))


def without_backreferences(pattern: str) -> bool:
    """Tell whether *pattern* compiles, has no look-around and no back-reference."""
    return without_looks(pattern) and not _BACK.search(_unescaped(pattern))


def without_edges(pattern: str) -> bool:
    r"""Tell whether *pattern* is one that Claude's strict mode takes: also without ``\b``."""
    return without_backreferences(pattern) and not _EDGE.search(_unescaped(pattern))


def anchored(pattern: str) -> bool:
    """Tell whether *pattern* is about the whole text."""
    return without_edges(pattern) and pattern.startswith("^") and _unescaped(pattern).endswith("$")


def _unescaped(pattern: str) -> str:
    r"""Return *pattern* without escaped backslashes, brackets and dollars, so that ``\\b`` is no word edge."""
    return re.sub(r"\\[\\(\[$]", "..", pattern)


def whole_number_bounds(node: Schema, path: str) -> Result:
    """Keep bounds of whole numbers only."""
    kinds = set(types_of(node)) - {"null"}
    bounds = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
    gone = {k: node[k] for k in bounds if k in node}
    if not gone or (kinds == {"integer"} and all(isinstance(v, int) for v in gone.values())):
        return node, []
    return _told(node, gone, path)


def length_of_one(node: Schema, path: str) -> Result:
    """Keep ``minItems`` where it is 0 or 1, and tell other lengths of a list in words."""
    gone = {k: node[k] for k in ("minItems", "maxItems") if k in node and (k == "maxItems" or node[k] > 1)}
    return _told(node, gone, path) if gone else (node, [])


def plain_defaults(node: Schema, path: str) -> Result:
    """Tell a default or example in words where a part of it is written in another form."""
    gone = {k: node[k] for k in ("default", "examples") if isinstance(node.get(k), Mapping | list) and node[k]}
    if not gone or not any(MARK in part for _, part in walk(node)):
        return node, []
    return _told(node, gone, path)


def one_example(node: Schema, path: str) -> Result:
    """Write the first of ``examples`` as ``example``."""
    if not isinstance(node.get("examples"), list) or not node["examples"]:
        return node, []
    out = {k: v for k, v in node.items() if k != "examples"}
    return {**out, "example": node["examples"][0]}, []
