"""The tolerant parser: reads what is nearly JSON, notes each repair, and stops where two readings are left.

It is linear, limited in depth, and knows the declared property names: they
are the anchors that leave one reading of a lost quote, comma or bracket.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .._text import quoted
from ..errors import Note, Problem, at
from ..keywords import MAX_DEPTH
from ..node import json_key
from . import grammar as g
from .leaves import LEXEMES, Bad, Num, plain
from .marks import BrokenError, Open, too_deep_error
from .members import after_member, read_key
from .odd import odd_value
from .shape import Shape
from .strings import is_comment, read_string

MAX_NOTES = 50
LATER = 40  # characters after which members are tried all at once again
# repairs of which one member takes one: two of them have a second reading
_MENDS = frozenset({"missing_quote", "stray_quote", "missing_colon", "odd_colon", "unquoted_value"})
_BETWEEN = frozenset(" \t\n\r\\/#\f\v\xa0")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None, "undefined": None}
# names of a call's own keys: anchors where the declared ones are not
CALL_KEYS = frozenset("name arguments input parameters args function type id tool action action_input".split())


Fields = Mapping[str, Shape] | None  # the declared names of one object; None where its level is not known


@dataclass(slots=True)
class Reader:
    """One reading of one text: where it is, and what it has repaired so far."""

    text: str
    end: int
    root: Shape | None = None
    anchors: frozenset[str] = frozenset()
    trail: list[str | int] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    dropped_notes: int = 0
    mended: int = 0
    faults: list[Problem] = field(default_factory=list)
    opened: list[Open] = field(default_factory=list)
    seen: dict[str, Any] | None = None  # the outermost object so far

    # ------------------------------------------------------------ what it tells

    def path(self, *more: str | int) -> str:
        """Return the JSONPath of where it is."""
        path = "$"
        for step in (*self.trail, *more):
            path = at(path, step)
        return path

    def noting(self) -> bool:
        """Tell whether one more note is listed; else it is counted, and nothing has to be made ready for it."""
        if len(self.notes) < MAX_NOTES:
            return True
        self.dropped_notes += 1
        return False

    def note(self, rule: str, before: Any, after: Any, message: str, *member: str) -> None:
        """Record one repair here, or of *member* here; past the limit it is only counted."""
        if rule in _MENDS:
            self.mended += 1
        if self.noting():
            self.notes.append(Note(rule=rule, path=self.path(*member), before=before, after=after, message=message))

    def broken(self, code: str, message: str, position: int, hint: str = "") -> BrokenError:
        """Return the error of a text without single reading at *position*."""
        near = self.text[max(position - 20, 0) : position + 30]
        whole = f"{message} near {quoted(near)}" if near.strip() else message
        return BrokenError(Problem(code=code, path=self.path(), message=whole, hint=hint), position)

    def cut(self, what: str) -> BrokenError:
        """Return the error of a text that ends inside *what*."""
        problem = Problem(
            code="truncated",
            path=self.path(),
            message=f"the reply ends inside {what}",
            hint="send it again, complete and shorter",
        )
        return BrokenError(problem, self.end)

    def bad(self, code: str, message: str, hint: str) -> Bad:
        """Return a leaf for a text without single reading, which ends where it seems to end."""
        problem = Problem(code=code, path=self.path(), message=message, hint=hint)
        self.faults.append(problem)
        return Bad(problem)

    # ------------------------------------------------------------ between tokens

    def skip(self, i: int) -> int:
        """Return the next position that is no white space and no comment."""
        j = g.after_blanks(self.text, i, self.end)
        if j > i:
            between = self.text[i:j]
            if g.COMMENT.search(between):
                if not is_comment(self, between):
                    message = "a comment may be part of a text whose quotes are damaged"
                    raise self.broken("unclear_comment", message, i, "send JSON without comments")
                self.note("comment", between.strip(), None, "left out a comment")
            elif between.strip(" \t\n\r"):
                self.mended += "\\" in between
                self.note("odd_space", between, " ", "read what stands between tokens as white space")
        return j

    def ends(self, i: int) -> bool:
        """Tell whether the text ends at *i*."""
        return g.END(self.text, i, self.end) is not None

    def is_anchor(self, name: str, fields: Fields) -> bool:
        """Tell whether *name* is a declared one here; any level counts where the level is not known."""
        return name in fields if fields is not None else name in self.anchors or name in CALL_KEYS

    # ------------------------------------------------------------ values

    def value(self, i: int, shape: Shape | None, fields: Fields, closer: str = "") -> tuple[Any, int]:
        """Return the value at *i* and where it ends.

        Args:
            i: Where its first character is.
            shape: What is wanted there, ``None`` where that is not known.
            fields: The declared names of the object it is in.
            closer: The bracket that closes the list it is in, ``""`` in an object.
        """
        text, end = self.text, self.end
        c = text[i : i + 1]
        if c == '"':
            found = (g.ITEM if closer else g.MEMBER)(text, i, end)
            return (found[1], found.end()) if found else read_string(self, i, closer, fields)
        if c == "{":
            return self.object(i, shape)
        if c == "'" and (found := (g.OTHER_ITEM if closer else g.OTHER_MEMBER)(text, i, end)):
            if self.noting():
                self.note("single_quotes", found[0], found[1], "read '…' as double quotes")
            return found[1], found.end()
        if c == "[":
            return self.items(i + 1, "]", shape, fields)
        if found := g.NUMBER(text, i, end):
            return Num(found[0]), found.end()
        if found := g.WORD(text, i, end):
            return self.word(found[0]), found.end()
        return odd_value(self, i, shape, fields, closer)

    def word(self, word: str) -> Any:
        """Return the constant that *word* names."""
        value = _WORDS[word]
        if word[0] in "TFNu":
            self.note("python_literal", word, value, f"read {word} as {quoted(value)}")
        return value

    def object(self, i: int, shape: Shape | None, *, braced: bool = True) -> tuple[dict[str, Any], int]:
        """Return the object at *i* and where it ends; without *braced* its first brace is missing."""
        if len(self.trail) >= MAX_DEPTH:
            raise too_deep_error(i)
        text, end = self.text, self.end
        doubled = text.startswith("{{", i) and braced
        i += (2 if doubled else 1) if braced else 0
        out: dict[str, Any] = {}
        if self.seen is None:
            self.seen = out
        known = shape.fields if shape is not None and (shape.fields or shape.closed) else None
        fields = None if shape is self.root else known  # the first key tells whether it is a call
        trail = self.trail
        past = i + 1  # the first key is looked at by itself
        while True:
            i, past = self._many(g.MEMBERS, i, out, past)
            mended = self.mended
            key, i = self._key(i, out, fields)
            if key is None:
                break
            if not out and shape is self.root:
                is_call = key in CALL_KEYS and key not in (known or ())
                shape, fields = (None, None) if is_call else (shape, known)
            trail.append(key)
            value, i = self.value(i, self.inner(key, shape), fields)
            if self.mended - mended > 1 and not isinstance(value, dict | list):
                raise self.broken("two_repairs", "a key and its value are both damaged", i)
            out[key] = value if key not in out else self._twice(out[key], value)
            trail.pop()
            delimiter = g.NEXT(text, i, end)
            if delimiter is not None and (c := delimiter[1]) == ",":
                i = delimiter.end()
            elif delimiter is not None and c == "}":
                i = delimiter.end()
                break
            else:
                i, more = after_member(self, i, value, shape, out, fields)
                if not more:
                    break
        return out, (self._second_brace(i) if doubled else i)

    def _many(
        self, pattern: Callable[..., re.Match[str] | None], i: int, out: dict[str, Any] | list[Any], past: int
    ) -> tuple[int, int]:
        """Add to *out* what many members at *i* are all at once; return where they end, and *past* what to look again.

        What has the form of *pattern* needs no repair. Where that is only part of the truth, as of a key that comes
        twice, the members are left to be read one by one.
        """
        if i < past:
            return i, past
        found = pattern(self.text, i, self.end) if len(self.trail) < MAX_DEPTH - 2 else None
        if found is None:
            return i, i + LATER
        written, end = self.text[i : found.end() - 1], found.end()
        try:
            many = LEXEMES.decode(f"[{written}]" if isinstance(out, list) else f"{{{written}}}")
        except ValueError:  # a key comes twice in one of them
            return i, end
        if isinstance(out, list):
            out += many
            self.seen = self.seen if self.seen is not None else next((one for one in many if type(one) is dict), None)
        elif out.keys().isdisjoint(many):
            out.update(many)
        else:
            return i, end
        return end, end

    def _key(self, i: int, out: dict[str, Any], fields: Fields) -> tuple[str | None, int]:
        """Return the key at *i* and where its value starts; ``None`` where the object ends instead."""
        found = g.KEY(self.text, i, self.end)
        if found and (found[1] in self.anchors or (":" not in found[1] and found[1])):
            return found[1], found.end()
        if other := g.OTHER_KEY(self.text, i, self.end):
            return self._other_key(other), other.end()
        return read_key(self, i, out, fields)

    def inner(self, key: str, shape: Shape | None) -> Shape | None:
        """Return what is wanted under *key*; under a call's own key, the arguments."""
        if shape is None:
            return self.root if key in CALL_KEYS else None
        if key in shape.fields:
            return shape.fields[key]
        if shape is self.root:
            return self.root if key in CALL_KEYS else None
        return shape.extra

    def _other_key(self, found: re.Match[str]) -> str:
        """Return a key in single quotes, or without any."""
        quoted_key, bare = found[1], found[2]
        key = bare if quoted_key is None else quoted_key
        if self.noting():
            rule = "unquoted_key" if quoted_key is None else "single_quotes"
            self.note(rule, found[0].strip(" \t\r\n:"), key, f"read it as the key '{key}'", key)
        return key

    def _second_brace(self, i: int) -> int:
        if not self.text.startswith("}", i):
            raise self.broken("mismatched_bracket", "'{{' is not closed by '}}'", i)
        self.note("doubled_brace", "{{", "{", "read the doubled braces of a template as one")
        return i + 1

    def _twice(self, old: Any, new: Any) -> Any:
        if isinstance(old, Bad):
            return old
        if json_key(plain(old)) == json_key(plain(new)) and not isinstance(new, Bad):
            self.note("duplicate_key", [plain(old), plain(new)], plain(old), "took the same value, given twice, once")
            return old
        message = f"the key is there twice, with {quoted(plain(old))} and {quoted(plain(new))}"
        return self.bad("duplicate_key", message, "give it once")

    def items(self, i: int, closer: str, shape: Shape | None, fields: Fields) -> tuple[list[Any], int]:
        """Return the list whose first item is at *i*, and where it ends."""
        if len(self.trail) >= MAX_DEPTH:
            raise too_deep_error(i)
        text, trail = self.text, self.trail
        out: list[Any] = []
        element = shape.element if shape is not None else None
        past = i
        while True:
            i, past = self._many(g.ITEMS, i, out, past)
            if text[i : i + 1] in _BETWEEN:
                i = self.skip(i)
            if text[i : i + 1] == closer and (closer == "]" or out):
                if out and closer == "]":
                    self.note("trailing_comma", ",", None, "left out a comma after the last item")
                return self._listed(out, closer), i + 1
            if out and self._is_key_of(i, element, fields):
                self.note("missing_bracket", None, "]", "closed the list before the next argument")
                return out, text.rindex(",", 0, i)
            trail.append(len(out))
            value, i = self.value(i, element, fields, closer)
            trail.pop()
            out.append(value)
            i, more = self._after_item(i, closer)
            if not more:
                if closer == ")" and len(out) == 1:
                    raise self.broken("unexpected_text", "a bracket around one value", i)
                return self._listed(out, closer), i

    def _after_item(self, i: int, closer: str) -> tuple[int, bool]:
        """Return where the text goes on after an item, and whether another item follows."""
        delimiter = g.NEXT(self.text, i, self.end)
        if delimiter is not None and (c := delimiter[1]):
            i = delimiter.end()
        else:
            i = self.skip(i)
            if self.ends(i):
                raise self.cut("a list")
            c = self.text[i]
            i += 1
        if c not in (",", closer):
            hint = f"close the list with '{closer}'"
            raise self.broken("mismatched_bracket", f"a list goes on with {quoted(c)}", i - 1, hint)
        return i, c == ","

    def _listed(self, out: list[Any], closer: str) -> list[Any]:
        if closer == ")":
            self.note("tuple", "(…)", "[…]", "read a tuple as a list")
        return out

    def _is_key_of(self, i: int, element: Shape | None, fields: Fields) -> bool:
        """Tell whether a key of the object around the list stands where an item should."""
        found = g.KEY(self.text, i, self.end)
        if found is None or fields is None or found[1] not in fields:
            return False
        return element is not None and found[1] not in element.fields and element.holds_no_list
