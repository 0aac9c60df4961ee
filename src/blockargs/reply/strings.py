"""Where a string ends when its quotes are damaged, and what its escapes mean."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .._text import quoted
from . import grammar as g
from .names import fold

if TYPE_CHECKING:
    from .reader import Fields, Reader

_STRINGS = json.JSONDecoder(strict=False)  # line breaks in a text are noted, not refused
_TYPOGRAPHIC = frozenset(g.QUOTES) - {'"', "'", "`"}
_BRACKETS = frozenset("[]{},:")
_BEFORE_A_TEXT = (",", "[", "{", ":")  # what an empty text, or an empty key, follows
_WORD_IN = re.compile(r"[^\W_]").search
MAX_INNER = 1000  # unescaped quotes inside one string
_ESCAPED_QUOTES = re.compile(r"""(?s)\\(?:(["'])|.)""")
_ESCAPED_AT_END = re.compile(r"""\\["']\s*+\Z""").search
_ESCAPE_OR_QUOTE = re.compile(r"""(?s)\\['`]|(?:\\[^'`])++|\"""")


def read_string(reader: Reader, i: int, closer: str, fields: Fields) -> tuple[Any, int]:
    """Return the string whose opening quote is at *i*, and where it ends."""
    text, end = reader.text, reader.end
    to_quote = g.NEXT_QUOTE[text[i]]
    inner: list[int] = []
    at = i + 1
    while True:
        found = to_quote(text, at, end)
        if found is None or len(inner) >= MAX_INNER:
            close = None
            break
        at = found.end()
        if closes(reader, at, closer, fields):
            close = at - 1
            break
        if not inner and not closer and bare_key(reader, at, fields):
            close = at - 1  # the comma is lost; after inner quotes there would be two readings
            break
        inner.append(at - 1)
    if inner and not closer and (comma := _ends_before_key(reader, i, inner, fields)) is not None:
        return _unclosed(reader, i, comma), comma
    if close is None:
        if inner:
            message = "a text is not closed where it could be"
            raise reader.broken("unclosed_string", message, i, 'escape quotes inside a text as \\"')
        raise reader.cut("a text")
    if text[i] != '"':
        rule = "single_quotes" if text[i] in "'`" else "smart_quotes"
        shown = text[i : close + 1]
        reader.note(rule, shown, shown[1:-1], f"read {text[i]}…{text[close]} as double quotes")
    return _with_inner(reader, i, close, inner, in_list=bool(closer)), close + 1


def _unclosed(reader: Reader, i: int, comma: int) -> Any:
    """Return the text between *i* and the *comma* before the next key, which lacks its closing quote."""
    body = reader.text[i + 1 : comma]
    if not body:
        raise reader.broken("missing_quote", "one quote may begin an empty text, or end one of blanks", i)
    if _ESCAPED_AT_END(body) and sum(map(bool, _ESCAPED_QUOTES.findall(body))) % 2:
        message = f"{quoted(body)} may end with a quote, or with a backslash before its closing quote"
        return reader.bad("mixed_escapes", message, "write each backslash twice")
    reader.note("missing_quote", None, reader.text[i], "put the closing quote of the text before the next argument")
    return unescaped(reader, body)


def _with_inner(reader: Reader, i: int, close: int, inner: list[int], *, in_list: bool) -> Any:
    """Return the text between *i* and *close*, which holds unescaped quotes at *inner*."""
    text = reader.text
    body = text[i + 1 : close]
    if not inner:
        return unescaped(reader, body)
    # what an empty text can follow, or a key, before the doubled quote: it may as well be a lost quote and that text
    doubled = len(inner) == 1 and inner[0] in (i + 1, close - 1) and not body[:-1].rstrip().endswith(_BEFORE_A_TEXT)
    if doubled and (inner[0] == i + 1 or not names_a_key(reader, body)):
        body = body[1:] if inner[0] == i + 1 else body[:-1]
        reader.note("stray_quote", text[i : close + 1], body, "left out a doubled quote")
        return unescaped(reader, body)
    if len(inner) == 2 and inner[0] == i + 1 and inner[1] == close - 1:  # noqa: PLR2004 - a pair
        message = f"{quoted(text[i : close + 1])} may be a text in doubled quotes, or one that holds its quotes"
        return reader.bad("unescaped_quotes", message, 'escape quotes inside a text as \\"')
    is_text = _is_quotation(reader, [text[a + 1 : b] for a, b in pairwise(inner)], in_list=in_list)
    if not is_text or names_a_key(reader, text[inner[0] : close]):
        message = f"{quoted(text[i : close + 1])} holds quotes that have no single reading"
        return reader.bad("unescaped_quotes", message, 'escape quotes inside a text as \\"')
    reader.note("inner_quotes", body, body, "read quotes inside a text as part of it")
    return unescaped(reader, body)


def _is_quotation(reader: Reader, gaps: list[str], *, in_list: bool) -> bool:
    """Tell whether quotes inside a text, with *gaps* between them, can only be part of the text.

    They come in pairs, enclose no declared name, and nothing between them
    looks like the end of one value and the begin of another.
    """
    if len(gaps) % 2 == 0 or not reader.anchors.isdisjoint(gaps[::2]):
        return False
    if any(fold(gap.strip(" \t\r\n,;")) in _folds_of(reader.anchors) for gap in gaps):
        return False  # a key that lost its colon
    if any(not _WORD_IN(gap) or (in_list and _BRACKETS.intersection(gap)) for gap in gaps):
        return False
    # what blanks set off from its quotes stands between two texts: "a" or "b"
    return not any(inside[0].isspace() and inside[-1].isspace() for inside in gaps[::2])


def names_a_key(reader: Reader, words: str) -> bool:
    """Tell whether a declared name and a colon stand in *words*, in any style."""
    if ":" not in words and "=>" not in words:
        return False
    declared = _folds_of(reader.anchors)
    return any(fold(found[1]) in declared for found in g.NAME_COLON.finditer(words))


@lru_cache(maxsize=64)
def _folds_of(names: frozenset[str]) -> frozenset[str]:
    return frozenset(map(fold, names))


def is_comment(reader: Reader, between: str) -> bool:
    """Tell whether the comments *between* two tokens can be nothing else: no text whose quotes are damaged."""
    if names_a_key(reader, between):
        return False
    return all(_has_pairs(line) for line in between.splitlines())


def _has_pairs(line: str) -> bool:
    kinds = Counter(g.CLOSERS[found[0]] for found in g.DELIMITER.finditer(line))
    return all(number % 2 == 0 for number in kinds.values())


def _ends_before_key(reader: Reader, i: int, inner: list[int], fields: Fields) -> int | None:
    """Return the comma before the first declared key inside what looks like one text."""
    text = reader.text
    if len(inner) < 2 or not reader.is_anchor(text[inner[0] + 1 : inner[1]], fields):  # noqa: PLR2004 - a pair
        return None
    before = text[i + 1 : inner[0]].rstrip()
    odd = g.ODD_KEY(text, inner[0], reader.end)
    found = g.KEY(text, inner[0], reader.end) or (odd and odd[4] and len(odd[1]) == len(odd[3]) == 1)
    if not found or not before.endswith(",") or _TYPOGRAPHIC.issuperset(before[:-1].rstrip()[-1:] or "x"):
        return None
    return i + len(before)


def closes(reader: Reader, i: int, closer: str, fields: Fields) -> bool:
    """Tell whether a quote right before *i* can be the closing one.

    It is where a value ends: before a closing bracket, the end of the text, or
    a comma; in an object, a comma that a key follows, or a declared key.
    """
    text, end = reader.text, reader.end
    j = g.after_blanks(text, i, end)
    if reader.ends(j):
        return True
    c = text[j]
    if c in "}]" or c == closer:
        return True
    if c != ",":
        found = None if closer or c != '"' else g.KEY(text, j, end)
        return found is not None and reader.is_anchor(found[1], fields)
    if closer:
        return True
    commas = g.COMMAS(text, j, end)
    j = g.after_blanks(text, commas.end() if commas else j, end)
    return reader.ends(j) or text[j] == "}" or _reads_as_key(reader, j, fields)


def bare_key(reader: Reader, i: int, fields: Fields) -> str:
    """Return the declared key without or in single quotes that stands with its value at *i*, else ``""``."""
    found = g.OTHER_KEY(reader.text, i, reader.end)
    name: str = (found[1] or found[2]) if found else ""
    if not name or not reader.is_anchor(name, fields) or name not in reader.anchors:
        return ""
    return name if g.WHOLE_VALUE(reader.text, found.end() if found else i, reader.end) else ""


def key_beside_text(reader: Reader, i: int, fields: Fields) -> str:
    """Return the declared key at *i* whose text stands right behind it, the colon being lost, else ``""``."""
    found = g.KEY_AND_TEXT(reader.text, i, reader.end)
    name: str = (found[1] or found[2]) if found else ""
    return name if name and reader.is_anchor(name, fields) else ""


def _reads_as_key(reader: Reader, i: int, fields: Fields) -> bool:
    text, end = reader.text, reader.end
    if g.KEY(text, i, end) or g.QUOTED_KEY(text, i, end) or g.CUT_KEY(text, i, end):
        return True
    if g.KEY_AND_COMMENT(text, i, end):
        return True
    if key_beside_text(reader, i, fields):
        return True
    odd = g.ODD_KEY(text, i, end)
    if odd is None:
        return False
    if odd[4] and len(odd[1]) == len(odd[3]) and (odd[1] or g.BARE_KEY(odd[2].strip())):
        return True
    known = reader.is_anchor(odd[2].strip(), fields)
    return known and bool(odd[1] or odd[3]) and bool(odd[4] or g.VALUE_START(text, odd.end(), end))


def unescaped(reader: Reader, body: str) -> Any:
    """Return what the text *body* of a string means; `Bad` when its escapes are half valid."""
    if g.CONTROL(body):
        reader.note("raw_control", body, body, "read line breaks and other control characters in a text as they stand")
    if "\\" not in body:
        return body
    if g.ALL_ESCAPES(body):
        if '"' in body or "'" in body or "`" in body:
            body = _ESCAPE_OR_QUOTE.sub(_as_json, body)
        return _STRINGS.decode(f'"{body}"')
    if g.NO_ESCAPES(body):
        reader.note("literal_backslash", body, body, "read backslashes that begin no escape as themselves")
        return body
    message = f"{quoted(body)} mixes backslashes that are escapes with some that are not"
    return reader.bad("mixed_escapes", message, "write each backslash twice")


def _as_json(found: re.Match[str]) -> str:
    escape = found[0]
    if escape == '"':
        return '\\"'
    return escape[1] if escape[1] in "'`" else escape
