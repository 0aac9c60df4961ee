"""What stands in the brackets of ``enum(…)`` and ``literal(…)``: values, bare or in quotes."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from .fault import Malformed

MAX_DIGITS: Final = 1_000  # of one number
NAME = re.compile(r"[^\W\d][\w-]*")
QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""", re.DOTALL)
_BARE = re.compile(r"""[^\s|(),{}\[\]"']+(?:\s+[^\s|(),{}\[\]"']+)*""")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_ESCAPE = re.compile(r"\\(.)|(\")", re.DOTALL)
_CONSTANTS = {"true": True, "false": False, "null": None}
_BLANKS = re.compile(r"\s*")


def after_blanks(text: str, pos: int) -> int:
    """Return where the next sign stands at or after *pos*."""
    found = _BLANKS.match(text, pos)
    return found.end() if found else pos


def values_in(text: str, pos: int, word: str) -> tuple[list[Any], int]:
    """Read ``a|b)`` from *pos* on; return the values and where they end.

    Raises:
        Malformed: A value is missing, or is none for *word*, or the bracket is never closed.
    """
    values: list[Any] = []
    while True:
        pos = after_blanks(text, pos)
        if found := QUOTED.match(text, pos):
            values.append(unquoted(found.group(), pos))
        elif found := _BARE.match(text, pos):
            values.append(_bare(word, found.group(), pos))
        elif text[pos : pos + 1] in ("|", ")"):
            raise Malformed(pos, f"a value is missing before '{text[pos]}'", f"write {word}(a|b)")
        pos = after_blanks(text, found.end() if found else pos)
        sign = text[pos : pos + 1]
        if sign == "":
            raise Malformed(pos, f"the values of {word} never end", "end them with ')'")
        if sign not in ("|", ")"):
            hint = 'separate values by |, and quote "such, ones"'
            raise Malformed(pos, f"'{sign}' stands among the values of {word}", hint)
        pos += 1
        if sign == ")":
            return values, pos


def _bare(word: str, written: str, pos: int) -> Any:
    if word != "literal":
        return " ".join(written.split())
    if written in _CONSTANTS:
        return _CONSTANTS[written]
    if not _NUMBER.fullmatch(written):
        raise Malformed(pos, f"'{written}' is no JSON scalar", f'write "{written}" in quotes')
    if len(written) > MAX_DIGITS:
        raise Malformed(pos, f"a number of {len(written)} digits is too long", f"at most {MAX_DIGITS} are read")
    return json.loads(written)


def unquoted(written: str, pos: int) -> str:
    """Return the text that stands in quotes of either kind, with the escapes of JSON.

    Raises:
        Malformed: It has an escape that JSON does not know.
    """
    inner = written[1:-1]
    if written[0] == "'":
        inner = _ESCAPE.sub(_as_in_json, inner)
    try:
        found: str = json.loads(f'"{inner}"', strict=False)
    except ValueError:
        raise Malformed(pos, f"{written} has an unknown escape", "write \\\\ for a backslash") from None
    return found


def _as_in_json(found: re.Match[str]) -> str:
    """Write a quote as JSON does: a double one escaped, a single one not."""
    if found.group(2):
        return '\\"'
    return "'" if found.group(1) == "'" else found.group()
