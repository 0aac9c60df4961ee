"""`everywhere`: rules about one node, applied to every node in one walk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import Note
from ...keywords import Pointer, Schema, rebuilt
from ..dialect import Rewrite
from ..marks import WAS, below
from .objects import BESIDE, below_it

# told in words in most dialects, and so as the author wrote them: their values are never written in another form
IN_WORDS = frozenset({"not", "if", "then", "else", "contains", "dependentSchemas"})


def everywhere(*rules: Rewrite, spared: frozenset[str] = IN_WORDS) -> Rewrite:
    """Return the rewrite that applies *rules* in their order to every node, parts before the whole.

    What stands under a keyword of *spared* stays as it is.
    """

    def rewrite(schema: Schema, path: str) -> tuple[Schema, list[Note]]:
        notes: list[Note] = []
        return _rewritten(schema, path, rules, notes, spared), notes

    return rewrite


def _rewritten(node: Any, path: str, rules: tuple[Rewrite, ...], notes: list[Note], spared: frozenset[str]) -> Any:
    if not isinstance(node, Mapping):
        return node

    def part(child: Any, pointer: Pointer) -> Any:
        if pointer[0] in spared:
            return child
        given = below_it(node, pointer, child) if pointer[0] in BESIDE else child
        out = _rewritten(given, below(path, pointer), rules, notes, spared)
        # decoding may have to ask which branch a value came from
        return {**out, WAS: child} if pointer[0] in ("anyOf", "oneOf") and isinstance(out, dict) else out

    out: Schema = rebuilt(node, part)
    for rule in rules:
        out, more = rule(out, path)
        notes += more
    return out
