"""Read the short spelling: one pass, left to right."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NoReturn

from .._text import did_you_mean, listing, quoted
from ..errors import BlockArgsError, InvalidArgTypeError
from ..keywords import MAX_DEPTH
from ..node import ArgType, json_key
from ..types import (
    NULL,
    arg_any,
    arg_array,
    arg_boolean,
    arg_column,
    arg_enum,
    arg_integer,
    arg_json_array,
    arg_json_object,
    arg_literal,
    arg_map,
    arg_number,
    arg_object,
    arg_string,
    arg_tuple,
    arg_union,
)
from .fault import MAX_LENGTH, Malformed, problem_of
from .values import NAME, QUOTED, after_blanks, unquoted, values_in

_CACHED_LENGTH = 200  # spellings up to this length are parsed once

_SCALARS: dict[str, ArgType] = {
    "any": arg_any(),
    "boolean": arg_boolean(),
    "integer": arg_integer(),
    "json_array": arg_json_array(),
    "json_object": arg_json_object(),
    "null": NULL,
    "number": arg_number(),
    "string": arg_string(),
}
_SYNONYMS = {
    "bool": "boolean",
    "character": "string",
    "dict": "map",
    "float": "number",
    "int": "integer",
    "list": "array",
    "logical": "boolean",
    "none": "null",
    "numeric": "number",
    "str": "string",
}
# word -> the brackets it may open
_OPENERS = {
    "array": "[",
    "column": "(",
    "enum": "(",
    "literal": "(",
    "map": "[",
    "object": "{",
    "tuple": "([",
}
_FORMS = {
    "array": "array[string] or json_array",
    "column": "column or column(left)",
    "enum": "enum(a|b)",
    "literal": "literal(1|2)",
    "map": "map[string] or json_object",
    "object": "object{name: string} or json_object",
    "tuple": "tuple(string, integer)",
}
_CLOSER = {"(": ")", "[": "]", "{": "}"}

_WORD = re.compile(r"[^\W\d]\w*")
_ANYTHING = re.compile(r"[\w.-]+|\S|$")
_KEY = re.compile(r"\s*(?:string|str)\s*,", re.IGNORECASE)


def parse_type(text: str, *, path: str = "", function: str = "", file: str = "") -> ArgType:
    """Return the type that *text* spells.

    >>> parse_type("object{x: number, tags?: string[]}")["required"]
    ['x']

    Args:
        text: The spelling, at most 10,000 characters and 100 levels deep.
        path: The parameter it belongs to, for the message: ``query``.
        function: The function it belongs to, for the message.
        file: The file it stands in, for the message.

    Raises:
        InvalidArgTypeError: The spelling is malformed. The one problem tells the column, what
            stands there, and where in the parameter: ``query.filter.dir``.
    """
    try:
        if not isinstance(text, str):
            raise Malformed(0, f"a spelling is a text, not {quoted(text)}")
        if len(text) > MAX_LENGTH:
            raise Malformed(0, f"the spelling is {len(text)} characters long; at most {MAX_LENGTH} are read")
        return _remembered(text) if len(text) <= _CACHED_LENGTH else _Parser(text).parsed()
    except Malformed as fault:
        raise InvalidArgTypeError((problem_of(fault, text, path, function, file),)) from None


@lru_cache(maxsize=4096)
def _remembered(text: str) -> ArgType:
    return _Parser(text).parsed()


@dataclass(slots=True)
class _Level:
    """An open bracket, and what was read inside it."""

    word: str  # "array", "object", …; "(" for parentheses, "" for the whole
    closer: str
    column: int
    variants: list[tuple[ArgType, int]] = field(default_factory=list)  # of the union being read, with heights
    parts: list[ArgType] = field(default_factory=list)
    fields: dict[str, ArgType] = field(default_factory=dict)
    name: str = ""  # the field that is being read
    optional: bool = False
    height: int = 0  # of the highest part so far

    @property
    def step(self) -> str:
        """The step it adds to the path of what is read inside it."""
        return "[]" if self.closer == "]" or self.word == "tuple" else self.name


class _Parser:
    """One pass from left to right with its own stack, so that no nesting can exhaust Python's."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.stack = [_Level("", "", 0)]

    def parsed(self) -> ArgType:
        """Return the type, or raise `Malformed`."""
        while True:
            found = self._atom()
            if found is None:
                continue  # a bracket was opened: what stands in it comes first
            while found is not None:
                level = self.stack[-1]
                level.variants.append(self._with_suffixes(*found))
                if self._peek() == "|":
                    self.pos += 1
                    break
                kind, height = self._union(level)
                if level.word == "" and self._peek() == "":
                    return kind
                found = self._ended(level, kind, height)

    # -- reading

    def _blanks(self) -> None:
        self.pos = after_blanks(self.text, self.pos)

    def _peek(self) -> str:
        self._blanks()
        return self.text[self.pos : self.pos + 1]

    def _fail(self, what: str, hint: str = "", column: int | None = None) -> NoReturn:
        inner = tuple(level.step for level in self.stack if level.step)
        raise Malformed(self.pos if column is None else column, what, hint, inner)

    def _here(self) -> str:
        """Return what stands here, as a message shows it."""
        self._blanks()
        found = _ANYTHING.match(self.text, self.pos)
        return f"'{found.group()}'" if found and found.group() else "the end"

    def _atom(self) -> tuple[ArgType, int] | None:
        """Return the type that starts here and its height; ``None`` where it opened a bracket."""
        if self._peek() == "(":
            self._open("(", "(")
            return None
        start = self.pos
        found = _WORD.match(self.text, self.pos)
        if found is None:
            hint = (
                "write enum(a|b) for a choice of texts" if self._peek() in ("'", '"') else "write a type such as string"
            )
            self._fail(f"a type is missing before {self._here()}", hint)
        written = found.group()
        word = _SYNONYMS.get(written.lower(), written.lower())
        self.pos = found.end()
        bracket = self.text[self.pos : self.pos + 1]
        after = after_blanks(self.text, self.pos)
        if after > self.pos and self.text[after : after + 1] in tuple("([{"):
            self._fail(f"a blank stands before '{self.text[after]}'", f"write {written}{self.text[after]}", self.pos)
        if word in _OPENERS and bracket and bracket in _OPENERS[word] and self.text[self.pos : self.pos + 2] != "[]":
            return self._opened(word, bracket)
        if word == "column" and bracket not in ("(", "{"):
            return arg_column(), 1
        if word in _OPENERS:
            self._fail(f"'{written}' alone is no type", f"write {_FORMS[word]}", start)
        if word not in _SCALARS:
            known = sorted({*_SCALARS, *_SYNONYMS, *_OPENERS})
            near = did_you_mean(written, known)
            self._fail(f"'{written}' is no type", near or f"types are {listing(sorted({*_SCALARS, *_OPENERS}))}", start)
        if (bracket and bracket in "({") or (bracket == "[" and not self._is_suffix()):
            self._fail(
                f"'{written}' takes no '{bracket}'",
                "write enum(a|b) for a choice of texts, object{a: string} for a record",
            )
        return _SCALARS[word], 1

    def _opened(self, word: str, bracket: str) -> tuple[ArgType, int] | None:
        if word in _VALUES:
            start = self.pos
            try:
                values, self.pos = values_in(self.text, self.pos + 1, word)
                return _VALUES[word](values), 1
            except Malformed as fault:
                self._fail(fault.what, fault.hint, fault.column)
            except BlockArgsError as reason:
                self._fail(reason.problems[0].message, reason.problems[0].hint, start)
        self._open(word, bracket)
        if word == "object":
            self._field()
        elif word == "map":
            self._map_key()
        return None

    def _open(self, word: str, bracket: str) -> None:
        if len(self.stack) > MAX_DEPTH:
            self._fail(f"the type is nested deeper than {MAX_DEPTH} levels")
        self.stack.append(_Level(word, _CLOSER[bracket], self.pos))
        self.pos += 1

    def _is_suffix(self) -> bool:
        after = after_blanks(self.text, self.pos + 1)
        return self.text[self.pos : self.pos + 1] == "[" and self.text[after : after + 1] == "]"

    def _with_suffixes(self, kind: ArgType, height: int) -> tuple[ArgType, int]:
        while self._is_suffix():
            self.pos = self.text.index("]", self.pos) + 1
            kind, height = arg_array(kind), height + 1
            self._bounded(height)
        if self.text[self.pos : self.pos + 1] in ("[", "(", "{"):
            self._fail(f"{self._here()} opens nothing here", "write T[] for a list of T")
        return kind, height

    def _bounded(self, height: int) -> None:
        if height > MAX_DEPTH:
            self._fail(f"the type is nested deeper than {MAX_DEPTH} levels")

    # -- unions, and what ends them

    def _union(self, level: _Level) -> tuple[ArgType, int]:
        """Return the type of the variants just read, which are done with, and its height."""
        read, level.variants = level.variants, []
        kinds = [kind for kind, _ in read]
        if len({json_key(kind) for kind in kinds}) < len(kinds):
            self._fail("a union has the same type twice", "keep one")
        height = max(height for _, height in read) + (len(kinds) - (NULL in kinds) > 1)
        self._bounded(height)
        return (arg_union(*kinds), height) if len(kinds) > 1 else read[0]

    def _ended(self, level: _Level, kind: ArgType, height: int) -> tuple[ArgType, int] | None:
        """Take what stands after a whole type: a comma, or the closing bracket."""
        sign = self._peek()
        level.height = max(level.height, height)
        if level.word == "object":
            level.fields[level.name] = kind.with_(required=False) if level.optional else kind
        else:
            level.parts.append(kind)
        if sign == "," and level.word in ("object", "tuple"):
            self.pos += 1
            if level.word == "tuple":
                return None
            if self._peek() != "}":
                self._field()
                return None
            sign = "}"
        if sign == "" or sign != level.closer:
            self._unended(level, sign)
        self.pos += 1
        self.stack.pop()
        height = level.height + (level.word != "(")
        self._bounded(height)
        return _BUILT[level.word](level), height

    def _unended(self, level: _Level, sign: str) -> NoReturn:
        if sign and sign in "([{" and self.text[self.pos - 1].isspace():
            self._fail(f"a blank stands before '{sign}'", "write it without the blank")
        if level.word == "":
            self._fail(f"{self._here()} is left over", "join types with |, and put a choice of texts into enum(a|b)")
        if sign == "":
            opener = self.text[level.column]
            self._fail(f"'{opener}' of column {level.column + 1} is never closed", f"end it with '{level.closer}'")
        self._fail(f"{self._here()} stands where '{level.closer}' should")

    # -- what stands in brackets

    def _field(self) -> None:
        level = self.stack[-1]
        level.name = ""
        sign = self._peek()
        start = self.pos
        if found := QUOTED.match(self.text, self.pos) or NAME.match(self.text, self.pos):
            self.pos = found.end()
            try:
                name = unquoted(found.group(), start) if sign in ("'", '"') else found.group()
            except Malformed as fault:
                self._fail(fault.what, fault.hint, fault.column)
        else:
            hint = (
                "write name: type, or json_object for any fields"
                if sign == "}"
                else "a name with other signs goes in quotes"
            )
            self._fail(f"the name of a field is missing before {self._here()}", hint)
        if not name:
            self._fail("the name of a field is empty", column=start)
        if name in level.fields:
            level.name = name
            self._fail(f"field '{name}' is given twice", column=start)
        level.name = name
        level.optional = self.text[self.pos : self.pos + 1] == "?"
        self.pos += level.optional
        if self._peek() != ":":
            self._fail(f"field '{name}' has no type: ':' is missing before {self._here()}", f"write {name}: string")
        self.pos += 1

    def _map_key(self) -> None:
        """Skip the key's type of ``dict[string, T]``: keys are always texts."""
        if found := _KEY.match(self.text, self.pos):
            self.pos = found.end()


def _column(values: list[Any]) -> ArgType:
    if len(values) > 1:
        raise InvalidArgTypeError("a column is of one input")
    return arg_column(values[0])


_VALUES: dict[str, Callable[[list[Any]], ArgType]] = {
    "column": _column,
    "enum": arg_enum,
    "literal": arg_literal,
}
_BUILT: dict[str, Callable[[_Level], ArgType]] = {
    "(": lambda level: level.parts[0],
    "array": lambda level: arg_array(level.parts[0]),
    "map": lambda level: arg_map(level.parts[0]),
    "object": lambda level: arg_object(level.fields),
    "tuple": lambda level: arg_tuple(*level.parts),
}
