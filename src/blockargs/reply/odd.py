"""Values that are no JSON tokens: bare words and numbers, other brackets, a lost opening quote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._text import quoted
from . import grammar as g
from .leaves import Num, Raw
from .shape import Shape
from .strings import closes, read_string, unescaped

if TYPE_CHECKING:
    from .reader import Fields, Reader


def odd_value(reader: Reader, i: int, shape: Shape | None, fields: Fields, closer: str) -> tuple[Any, int]:
    """Return the value at *i*, which starts like no JSON token, and where it ends."""
    text = reader.text
    j = reader.skip(i)
    if j > i:
        return reader.value(j, shape, fields, closer)
    if reader.ends(i):
        raise reader.cut("a list" if closer else "an object")
    c = text[i]
    if c == ":" and not closer and text[i + 1 : i + 2] != ":":
        if not g.WHOLE_VALUE(text, i + 1, reader.end):
            raise reader.broken("missing_value", "a doubled colon, or a text that begins with one", i)
        reader.note("odd_colon", "::", ":", "read a doubled colon as one")
        return reader.value(i + 1, shape, fields, closer)
    if c in g.CLOSERS:
        return read_string(reader, i, closer, fields)
    if c == "(":
        return reader.items(i + 1, ")", shape, fields)
    if c in ":,}])":
        raise reader.broken("missing_value", "a value should stand here", i)
    if text.startswith(g.ELIDED, i):
        raise reader.broken("elided", "'...' stands for values that are not there", i, "write every value out")
    return (
        _without_opening_quote(reader, i, fields, closer)
        or _loose(reader, i, fields, closer)
        or _bare(reader, i, shape, fields, closer)
    )


def _without_opening_quote(reader: Reader, i: int, fields: Fields, closer: str) -> tuple[Any, int] | None:
    found = None if closer else g.TO_QUOTE(reader.text, i, reader.end)
    if found is None or not closes(reader, found.end(), "", fields):
        kind = "" if closer else _quote_of_key(reader, i)
        found = g.TO_CLOSER[kind](reader.text, i, reader.end) if kind else None
    if found is None or not closes(reader, found.end(), "", fields):
        return None
    words = found[0][:-1]
    if not _is_gap(reader, i):
        raise reader.broken("missing_quote", "a text without its opening quote may begin with a blank", i)
    if g.NUMBER(words + ",") or g.WORD(words + ","):
        reader.note("missing_quote", found[0], words, "left out a quote at one end only")
        return Raw(words), found.end()
    reader.note("missing_quote", found[0], f'"{found[0]}', "put the opening quote of the text")
    return unescaped(reader, words), found.end()


def _quote_of_key(reader: Reader, i: int) -> str:
    """Return the quote that closes the key before the value at *i*; ``""`` where there is none but a double one."""
    before = reader.text[max(0, i - g.MAX_WORDS) : i].rstrip(" \t\r\n:=>")[-1:]
    return before if before in g.CLOSERS and before != '"' else ""


def _is_gap(reader: Reader, i: int) -> bool:
    """Tell whether the blanks before *i* are those between a colon and a value, and none of them is text."""
    text = reader.text
    colon = i - 1
    while text[colon] in " \t\r\n":
        colon -= 1
    gaps = {
        found[1]
        for found in g.GAP.finditer(text, 0, min(reader.end, colon + g.MAX_WORDS))
        if found.start(1) != colon + 1
    }
    return text[colon] in ":>" and text[colon + 1 : i] in (gaps or {"", " "})


def _loose(reader: Reader, i: int, fields: Fields, closer: str) -> tuple[Any, int] | None:
    """Return the number or word at *i* that no ordinary delimiter follows."""
    number = g.LOOSE_NUMBER(reader.text, i, reader.end)
    found = number or g.LOOSE_WORD(reader.text, i, reader.end)
    if found is None:
        return None
    stop = found.end()
    if stop >= reader.end or reader.ends(stop):
        raise reader.cut("a number" if number else "a word")
    if not follows(reader, stop, fields, closer):
        return None
    return (Num(found[0]) if number else reader.word(found[0])), stop


def _bare(reader: Reader, i: int, shape: Shape | None, fields: Fields, closer: str) -> tuple[Any, int]:
    found = g.BARE(reader.text, i, reader.end)
    words = found[0] if found else ""
    if comment := g.BARE_COMMENT.search(words):
        message = f"{quoted(words)} may be one text, or {quoted(words[: comment.start()])} and a comment"
        raise reader.broken("unclear_comment", message, i, "put the text in double quotes")
    stop = i + len(words)
    words = words.rstrip()
    if stop >= reader.end and words:
        raise reader.cut("a word")
    texts_only = shape is not None and shape.types == ("string",)
    several = bool(closer) and not texts_only and g.BEGINS_AS_JSON(words)  # a comma may be lost
    half = words[-1:] in g.CLOSERS  # a quote at one end only
    unclear = not words or half or several or len(words) > g.MAX_WORDS or g.COLON_INSIDE(words)
    if unclear or not follows(reader, stop, fields, closer) or not _ends_here(reader, stop, fields, closer):
        raise reader.broken("unquoted_text", "text without quotes has no clear end", i, "put the text in double quotes")
    reader.note("unquoted_value", words, words, "read text without quotes as it stands")
    return Raw(words), stop


def _ends_here(reader: Reader, stop: int, fields: Fields, closer: str) -> bool:
    """Tell whether bare text ends at *stop*: in an object, a comma after it has to be one before a key."""
    j = g.after_blanks(reader.text, stop, reader.end)
    return bool(closer) or not reader.text.startswith(",", j) or closes(reader, stop, "", fields)


def follows(reader: Reader, i: int, fields: Fields, closer: str) -> bool:
    """Tell whether what stands after position *i* can follow a complete value."""
    j = g.after_blanks(reader.text, i, reader.end)
    if reader.ends(j) or reader.text[j] in (",", closer or "}"):
        return True
    found = None if closer else g.KEY(reader.text, j, reader.end)
    return found is not None and reader.is_anchor(found[1], fields)
