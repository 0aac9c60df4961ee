"""JSON values as YAML text: one form a value, and texts that every YAML reader takes for texts.

PyYAML's own emitter is not used: it leaves bare what only YAML 1.1 takes for a text (``1e3`` and
``0o7`` are numbers to a reader of 1.2) and ``y`` and ``n``, which YAML 1.1 reads as booleans; it folds a long
list anywhere on the line, where one item a line is what a diff can show; and what it writes differs
between its two implementations, where a file that is collected again must be the same bytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final

from .._text import quoted
from .loader import MAX_DIGITS

WIDTH: Final = 100  # of a line that holds more than one value
_LONGEST_KEY: Final = 200  # characters of a key that stands before its colon
# a text of these signs, that starts like a word, is read as itself everywhere
_PLAIN = re.compile(r"[^\W\d](?:[^\s:#]|:(?=[^\s:])|(?<=[^\s])#| (?=[^\s#]))*")
_NOT_IN_FLOW = re.compile(r"[,\[\]{}:?]")
# YAML 1.1 or 1.2 take these for something else, whatever their case
_RESERVED = frozenset("y n yes no on off true false null".split())
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Unwritable(Exception):  # noqa: N818 - never leaves this room
    """YAML cannot hold a value."""


def lines_of(key: str, value: Any, indent: int) -> list[str]:
    """Return ``key: value`` as lines that start at *indent*."""
    return _after(f"{' ' * indent}{_key(key)}", value, indent)


def _key(key: str) -> str:
    shown = scalar(key, flow=False)
    return f"{shown}:" if len(shown) <= _LONGEST_KEY else f"? {shown}\n:"


def _after(start: str, value: Any, indent: int) -> list[str]:
    """Return the lines of *value* that follow *start*, which ends in a colon at *indent*."""
    if "\n" in start:
        start = start.replace("\n", f"\n{' ' * indent}")
    if isinstance(value, str) and _is_literal(value):
        mark = "|" if value.endswith("\n") else "|-"
        return [
            f"{start} {mark}",
            *(f"{' ' * (indent + 2)}{line}" if line else "" for line in value.removesuffix("\n").split("\n")),
        ]
    if not isinstance(value, Mapping | list) or not value:
        return [f"{start} {scalar(value, flow=False)}"]
    if isinstance(value, Mapping):
        return [start, *(line for k, v in value.items() for line in lines_of(k, v, indent + 2))]
    has_records = any(isinstance(item, Mapping) and item for item in value)  # they read best one a line
    if not has_records and (short := _in_flow(value, WIDTH - len(start))) is not None:
        return [f"{start} {short}"]
    return [start, *(line for item in value for line in _item(item, indent + 2))]


def _item(value: Any, indent: int) -> list[str]:
    """Return the lines of one item of a list, the first of which starts with a dash."""
    dash = f"{' ' * indent}-"
    if not isinstance(value, Mapping | list) or not value:
        return _after(dash, value, indent)
    if (short := _in_flow(value, WIDTH - len(dash))) is not None:
        return [f"{dash} {short}"]
    if isinstance(value, Mapping):
        inner = [line for k, v in value.items() for line in lines_of(k, v, indent + 2)]
    else:
        inner = [line for item in value for line in _item(item, indent + 2)]
    return [f"{dash} {inner[0].lstrip(' ')}", *inner[1:]]


def _in_flow(value: Any, room: int) -> str | None:
    """Return *value* on one line, or ``None`` where that is longer than *room* or holds a text of several lines."""
    if isinstance(value, str):
        shown = None if "\n" in value else scalar(value, flow=True)
    elif isinstance(value, Mapping):
        shown = _joined("{}", [(f"{scalar(k, flow=True)}: ", v) for k, v in value.items()], room)
    elif isinstance(value, list):
        shown = _joined("[]", [("", item) for item in value], room)
    else:
        shown = scalar(value, flow=True)
    return shown if shown is not None and len(shown) <= room else None


def _joined(brackets: str, parts: list[tuple[str, Any]], room: int) -> str | None:
    shown = []
    for start, value in parts:
        text = _in_flow(value, room)
        if text is None:
            return None
        shown.append(start + text)
        room -= len(shown[-1])
    return f"{brackets[0]}{', '.join(shown)}{brackets[1]}"


def scalar(value: Any, *, flow: bool) -> str:
    """Return a scalar, or an empty list or mapping, as it is written; a text is quoted where it needs be.

    Raises:
        Unwritable: It is no JSON, or has what YAML cannot hold.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.isprintable() and value.lower() not in _RESERVED
        return value if plain and not (flow and _NOT_IN_FLOW.search(value)) else in_quotes(value)
    if isinstance(value, int):
        if abs(value) >= 10**MAX_DIGITS:
            raise Unwritable(f"a number of more than {MAX_DIGITS} digits")
        return int.__repr__(value)
    if isinstance(value, float) and math.isfinite(value):
        shown = float.__repr__(value)
        # YAML 1.1 knows a number with an exponent by its point
        return shown if "." in shown else shown.replace("e", ".0e")
    if isinstance(value, Mapping | list) and not value:
        return "[]" if isinstance(value, list) else "{}"
    raise Unwritable(f"{quoted(value)}, which is no JSON")


def in_quotes(text: str) -> str:
    """Return *text* in double quotes, with what is not to be seen as escapes."""
    return f'"{"".join(_escaped(sign) for sign in text)}"'


def _escaped(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if sign.isprintable():
        return sign
    code = ord(sign)
    if 0xD800 <= code <= 0xDFFF:  # noqa: PLR2004 - the surrogates
        raise Unwritable(f"the lone surrogate {quoted(sign)}")
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004 - lengths of escapes


def _is_literal(text: str) -> bool:
    """Tell whether *text* is best written line by line, and comes back as it was."""
    lines = text.removesuffix("\n").split("\n")
    return (
        "\n" in text
        and all(line.isprintable() and not (line and line.isspace()) for line in lines)
        and lines[0][:1] not in ("", " ")
        and lines[-1] != ""
    )
