"""The parts of a reply in which a model thinks aloud; they are no part of its answer."""

from __future__ import annotations

import json
import re

from ..errors import Note

_TAGS = "think|thinking|reasoning|scratchpad|analysis"
# what matters for telling a tag from a text that holds one: brackets, and the texts inside them
_TOKEN = re.compile(
    rf"""(?is)<(?P<open>{_TAGS})(?=[\s>])[^<>\n]{{0,100}}(?<!/)>"""
    r"""|(?P<channel><\|channel\|>analysis(?![^<{]*\bto=)(?:[^<]|<\|constrain\|>){0,100}<\|message\|>)"""
    r"""|</(?P<close>think|thinking|reasoning)\s*>"""
    r"""|(?P<parameter><parameter\b[^<>\n]{1,200}>)"""
    r"""|(?P<escape>\\.)|(?P<text>"(?:[^"\\\n]|\\.)*+"|(?<=[\s:,=(\[{])'(?:[^'\\\n]|\\.)*+')"""
    r"""|(?P<opener>[{\[]|(?<=\w)\((?=\s*+\w{1,100}\s*+=))|(?P<closer>[}\]]|\))"""
)
_CHANNEL_END = re.compile(r"<\|(?:end|start|channel|return|call)\|>")
_ADDRESSED = re.compile(r"\bto=\S{1,128}\s*\Z").search  # a call that is written where a model thinks
_END = {name: re.compile(rf"(?i)</{name}\s*>") for name in _TAGS.split("|")}


def without_thinking(text: str) -> tuple[str, tuple[Note, ...]]:
    """Return *text* without the parts in which a model thinks aloud.

    A block that is not closed takes the rest. What ends without a beginning
    was begun in the prompt: everything before it goes. Inside the texts of an
    object, a list or a call, tags are text.
    """
    if "<" not in text:
        return text, ()
    kept = _kept(text)
    if kept == [(0, len(text))]:
        return text, ()
    parts: list[str] = []
    for start, end in kept:
        if start < end:
            glued = bool(parts) and not parts[-1][-1].isspace() and not text[start].isspace()
            parts.append(f" {text[start:end]}" if glued else text[start:end])
    return "".join(parts), (
        Note(rule="thinking", path="$", before=None, after=None, message="left out what was thought aloud"),
    )


_ESCAPED_CALL = re.compile(r"\bcall:\s*[\w.-]{1,128}\{")
_ESCAPED = re.compile(r"(?s)(?<=[:,\[{])(\s*+)<escape>((?:[^<]|<(?!escape>)){0,100000}+)<escape>(?=\s*+[,}\]])")


def without_escapes(text: str) -> tuple[str, tuple[Note, ...]]:
    """Return *text* with the marks ``<escape>`` around the texts of a call read as quotes."""
    if "<escape>" not in text or _ESCAPED_CALL.search(text) is None:
        return text, ()
    read = _ESCAPED.sub(lambda found: found[1] + json.dumps(found[2], ensure_ascii=False), text)
    note = Note(rule="escape_marks", path="$", before="<escape>", after='"', message="read <escape> marks as quotes")
    return read, ((note,) if read != text else ())


def _kept(text: str) -> list[tuple[int, int]]:
    """Return the places of *text* that are no thinking."""
    kept: list[tuple[int, int]] = []
    start = position = depth = 0
    last = text.rfind("</parameter>")
    while (found := _TOKEN.search(text, position)) is not None:
        kind, position = found.lastgroup, found.end()
        if kind == "opener":
            depth += 1
        elif kind == "closer":
            depth = max(depth - 1, 0)
        elif kind == "text" and not depth:
            position = found.start() + 1  # quotes in prose come in no order
        elif kind == "parameter":
            stop = text.find("</parameter>", position) if position <= last else -1
            position = max(stop, position)
        elif kind == "channel" and _ADDRESSED(text[max(0, found.start() - 150) : found.start()]):
            continue
        elif kind in ("open", "channel"):
            kept.append((start, found.start()))
            ending = _CHANNEL_END if kind == "channel" else _END[found["open"].lower()]
            end = ending.search(text, position)
            if end is None:
                return kept
            start = position = end.end()
        elif kind == "close":
            kept, start, depth = [], position, 0
    return [*kept, (start, len(text))]
