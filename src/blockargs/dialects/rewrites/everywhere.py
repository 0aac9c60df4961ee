"""`everywhere`: rules about one node, applied to every node in one walk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import Note
from ...keywords import Pointer, Schema, rebuilt
from ..dialect import Rewrite
from ..marks import WAS, below


def everywhere(*rules: Rewrite) -> Rewrite:
    """Return the rewrite that applies *rules* in their order to every node, parts before the whole."""

    def rewrite(schema: Schema, path: str) -> tuple[Schema, list[Note]]:
        notes: list[Note] = []
        return _rewritten(schema, path, rules, notes), notes

    return rewrite


def _rewritten(node: Any, path: str, rules: tuple[Rewrite, ...], notes: list[Note]) -> Any:
    if not isinstance(node, Mapping):
        return node

    def part(child: Any, pointer: Pointer) -> Any:
        out = _rewritten(child, below(path, pointer), rules, notes)
        # decoding may have to ask which branch a value came from
        return {**out, WAS: child} if pointer[0] in ("anyOf", "oneOf") and isinstance(out, dict) else out

    out: Schema = rebuilt(node, part)
    for rule in rules:
        out, more = rule(out, path)
        notes += more
    return out
