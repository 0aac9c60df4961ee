"""What a model reads about a tool: description, guidance, rules in words, worked examples."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .._text import one_line
from ..errors import Note
from ..spec import Block

EXAMPLES = 2  # worked examples that are told in words
LEAN_LINE = 120  # characters of the one line of a lean entry
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|\n\s*\n")


def line_of(block: Block) -> str:
    """Return *block* in one line, for catalogues."""
    return one_line(block.description or block.name or block.uid, LEAN_LINE)


def described(
    block: Block, told: Sequence[str], examples: Sequence[Mapping[str, Any]], most: int | None
) -> tuple[str, list[Note]]:
    """Return the description of *block* for a model, and what had to be left out to keep it short enough.

    Args:
        block: The block.
        told: Rules that the schema could not say.
        examples: Worked arguments, in the form that the model writes.
        most: Most characters, or ``None``.
    """
    if not (told or examples or block.guidance or most):  # most blocks, where nothing limits them
        return (block.description or "").strip(), []
    rules = [f"{text[:1].upper()}{text[1:]}." for text in told]
    parts = [text.strip() for text in (block.description, block.guidance, *rules) if text and text.strip()]
    base = "\n\n".join(parts)
    shown = [json.dumps(e, ensure_ascii=False) for e in examples][:EXAMPLES]
    text = "\n\n".join([*parts, *(f"Example: {e}" for e in shown)])
    if most is None or len(text) <= most:
        return text, []
    if shown:
        text = base
        note = _note(
            "examples_left_out", len(shown), 0, f"block '{block.uid}': no room for examples in {most} characters"
        )
        if len(text) <= most:
            return text, [note]
    cut = cut_at_sentence(base, most)
    message = f"block '{block.uid}': the description has {len(base)} characters and {most} are taken; it ends after {len(cut)}"
    return cut, [_note("description_cut", len(base), len(cut), message)]


def cut_at_sentence(text: str, most: int) -> str:
    """Return the whole sentences of *text* that fit into *most* characters.

    >>> cut_at_sentence("One two. Three four. Five.", 22)
    'One two. Three four.'
    """
    ends = [m.end() for m in _SENTENCE_END.finditer(text) if m.end() <= most]
    if ends:
        return text[: ends[-1]].rstrip()
    return f"{text[: most - 1].rsplit(None, 1)[0].rstrip()}…"


def _note(rule: str, before: int, after: int, message: str) -> Note:
    return Note(rule=rule, path="$", before=before, after=after, message=message)
