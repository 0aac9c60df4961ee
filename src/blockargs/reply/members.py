"""Keys as models write them, and what may stand after a member of an object."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .._text import quoted
from . import grammar as g
from .marks import Open
from .shape import Shape
from .strings import bare_key, key_beside_text, unescaped

if TYPE_CHECKING:
    from .reader import Fields, Reader


def read_key(reader: Reader, i: int, out: dict[str, Any], fields: Fields) -> tuple[str | None, int]:
    """Return the key at *i* and where its value starts; ``None`` where the object ends instead."""
    text = reader.text
    i = reader.skip(i)
    if out and text.startswith(",", i) and (commas := g.COMMAS(text, i, reader.end)):
        reader.note("doubled_comma", ",,", ",", "read a doubled comma as one")
        i = reader.skip(commas.end())
    if text.startswith("}", i):
        if out:
            reader.note("trailing_comma", ",", None, "left out a comma after the last member")
        return None, i + 1
    if reader.ends(i):
        raise reader.cut("an object")
    if g.CUT_KEY(text, i, reader.end):
        raise reader.cut("a key")
    if found := g.KEY_AND_COMMENT(text, i, reader.end):
        return _commented_key(reader, found), reader.skip(found.end())
    odd = g.ODD_KEY(text, i, reader.end)
    whole = g.QUOTED_KEY(text, i, reader.end)
    if whole and not (odd and odd[4] and reader.is_anchor(odd[2].strip(), fields)):
        return _quoted_key(reader, whole), reader.skip(whole.end())
    if name := key_beside_text(reader, i, fields):
        end = i + len(name) + 2  # its quotes
        written = text[i:end]
        reader.note("missing_colon", written, f"{written}:", f"put a colon after the key '{name}'", name)
        return name, end
    if odd is None:
        raise reader.broken("bad_key", "a key should stand here", i, "write each key in double quotes")
    return _odd_key(reader, i, odd, fields), odd.end()


def _commented_key(reader: Reader, found: re.Match[str]) -> str:
    """Return the key between which and its colon a comment stands."""
    written = found[1]
    key = written.strip(written[0]) if written[0] in "\"'" else written
    if not key:
        raise reader.broken("bad_key", "a key should stand here", found.start(), "write each key in double quotes")
    if key is written or written[0] == "'":
        rule = "unquoted_key" if key is written else "single_quotes"
        reader.note(rule, written, key, f"read it as the key '{key}'", key)
    reader.trail.append(key)
    reader.skip(found.end(1))  # notes the comment
    reader.trail.pop()
    return key


def _quoted_key(reader: Reader, found: re.Match[str]) -> str:
    """Return the key in quotes of one kind that *found* is, with its colon."""
    written, colon, end = found[1], found[0][len(found[1]) :].strip(), found.end()
    key = unescaped(reader, written[1:-1])
    if not isinstance(key, str) or (":" in key and "," in key):  # two members whose quotes were lost look like this
        raise reader.broken("bad_key", f"{quoted(written)} has no single reading", end)
    if colon == "::" and not g.WHOLE_VALUE(reader.text, end, reader.end):
        raise reader.broken("bad_key", f"what follows {quoted(found[0])} has no single reading", end)
    if written[0] == "'":
        reader.note("single_quotes", written, key, "read single quotes as double quotes", key)
    _note_colon(reader, colon, key)
    reader.mended += not key  # two quotes side by side may be one of them doubled
    return key


def _note_colon(reader: Reader, colon: str, key: str) -> None:
    if colon != ":":
        reader.note("odd_colon", colon, ":", f"read {quoted(colon)} as a colon", key)


def _odd_key(reader: Reader, i: int, found: re.Match[str], fields: Fields) -> str:
    """Return the key that *found* is: quotes, name, quotes, colon; note each oddity."""
    opening, inside, closing, colon = found[1], found[2], found[3], found[4] or ""
    name = inside if opening and closing else inside.strip()
    written = f"{opening}{inside}{closing}".strip()
    declared = reader.is_anchor(name, fields)
    if len(opening) == len(closing) == 1 and closing in g.CLOSERS[opening]:
        if opening != '"':
            rule = "single_quotes" if opening in "'`" else "smart_quotes"
            reader.note(rule, written, name, f"read {opening}…{closing} as double quotes", name)
    elif not opening and not closing and (declared or g.BARE_KEY(name)) and colon:
        reader.note("unquoted_key", name, name, f"read it as the key '{name}'", name)
    elif declared:
        rule = "stray_quote" if len(opening) + len(closing) > 2 else "missing_quote"  # noqa: PLR2004 - one on each side
        reader.note(rule, written, name, f"read {written} as the key '{name}'", name)
    else:
        raise reader.broken("bad_key", f"{quoted(written)} is no key", i, "write each key in double quotes")
    if (len(closing) > 1 or colon in ("", "::")) and not g.WHOLE_VALUE(reader.text, found.end(), reader.end):
        raise reader.broken("bad_key", f"what follows {quoted(written)} has no single reading", i)
    if colon:
        _note_colon(reader, colon, name)
    elif declared:
        reader.note("missing_colon", written, f"{written}:", f"put a colon after the key '{name}'", name)
    else:
        raise reader.broken("bad_key", f"no colon after {quoted(written)}", i)
    return name


def after_member(
    reader: Reader, i: int, value: Any, shape: Shape | None, out: dict[str, Any], fields: Fields
) -> tuple[int, bool]:
    """Return where an object goes on after a member, and whether another member follows."""
    text = reader.text
    i = reader.skip(i)
    c = text[i : i + 1] if i < reader.end else ""
    if c and c in ",}":
        return i + 1, c == ","
    if reader.ends(i):
        reader.opened.append(Open(reader.path(), out, shape))
        return i, False
    if c == "]" and isinstance(value, list) and _holds_no_lists(reader, out, shape):
        j = reader.skip(i + 1)
        if text[j : j + 1] in (",", "}"):
            reader.note("stray_bracket", "]", None, "left out a bracket that closes nothing")
            return j + 1, text[j] == ","
    found = g.KEY(text, i, reader.end)
    if found and reader.is_anchor(found[1], fields):
        reader.note("missing_comma", None, ",", f"put a comma before '{found[1]}'", found[1])
        return i, True
    if name := bare_key(reader, i, fields):
        reader.note("missing_comma", None, ",", f"put a comma before '{name}'", name)
        return i, True
    raise reader.broken("unexpected_text", "an object goes on in a way that has no single reading", i)


def _holds_no_lists(reader: Reader, out: dict[str, Any], shape: Shape | None) -> bool:
    """Tell whether the last list read is one whose items cannot be lists."""
    last = next(reversed(out))
    wanted = reader.inner(last, shape)
    element = wanted.element if wanted is not None else None
    return element is not None and element.holds_no_list
