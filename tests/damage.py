"""Damage to the text of a correct call: what a slip of the model, or of the wire, makes of it."""

from __future__ import annotations

from collections.abc import Iterator

from blockargs.node import json_key

STRUCTURE = '{}[],:"'


def structural(text: str) -> list[int]:
    """Return where in JSON *text* the structural characters stand: those outside texts, and their quotes."""
    found, inside, i = [], False, 0
    while i < len(text):
        c = text[i]
        if inside and c == "\\":
            i += 1
        elif c == '"' or (not inside and c in STRUCTURE):
            found.append(i)
            inside ^= c == '"'
        i += 1
    return found


def damages(text: str, every: int = 1) -> Iterator[tuple[str, str]]:
    """Yield ``(kind, damaged text)``: each structural character deleted, doubled, and the text cut everywhere."""
    for i in structural(text)[::every]:
        yield "delete", text[:i] + text[i + 1 :]
        yield "double", text[:i] + text[i] + text[i:]
    for i in range(1, len(text), every):
        yield "cut", text[:i]


def outcome(decoded, value) -> str:
    """Return what became of a damaged call: restored, refused, or changed."""
    if not decoded.ok:
        return "refused"
    return "restored" if json_key(decoded.value) == json_key(value) else "changed"
