"""Strict YAML: text to JSON values, where everything means what it looks like."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from .._text import listing, one_line, quoted
from ..errors import InvalidOptionError
from ..keywords import MAX_DEPTH, MAX_TEXT, Pointer
from .placed import MAX_PROBLEMS, LineFault, declaration_error

VERSIONS: Final = ("1.2", "1.1")
MAX_DIGITS: Final = 1_000  # of one number
MAX_ALIASED: Final = 100_000  # values that aliases repeat, all together


_WORDS: dict[str, Any] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
}
_WORDS_1_1: dict[str, Any] = {
    **_WORDS,
    **dict.fromkeys(("yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("no", "No", "NO", "off", "Off", "OFF"), False),
}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)")
NOT_IN_YAML = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# what the parser says, and what cures it most often
_CURES = (
    ("mapping values are not allowed", "put a text that holds ': ' in quotes"),
    ("cannot start any token", "indent with blanks, and put a text that starts with @, ` or % in quotes"),
    ("expected <block end>", "give the members of a mapping the same indent, or quote the text"),
    ("expected ':'", "write key: value"),
)
_NO_KEY: Final = object()  # a mapping waits for a key
_DROPPED: Final = object()  # the key of a value that is read, but not kept


# one character above U+FFFF as JSON escapes it, which YAML's parser does not know
_PAIR = r"\\(u[dD][89abAB][0-9a-fA-F]{2})\\(u[dD][c-fC-F][0-9a-fA-F]{2})"
_ESCAPED = re.compile(rf"{_PAIR}|\\.", re.DOTALL)  # of two backslashes, the second starts no pair
_PRIVATE = range(0xE000, 0xF900)  # characters that seldom stand in a text
_PRIVATE_ESCAPED = re.compile(r"\\(?:u|U0000)([eEfF][0-9a-fA-F]{3})")


@dataclass(slots=True)
class _Level:
    """A list or mapping that is being read."""

    value: Any  # list[Any] or dict[str, Any]
    anchor: str | None
    line: int
    key: Any = _NO_KEY
    lines: dict[str, int] = field(default_factory=dict)  # of the keys of a mapping
    size: int = 1  # values in it, all the way down
    height: int = 1


class _Stop(Exception):  # noqa: N818 - never leaves this file
    """The rest cannot be read."""


@dataclass(slots=True)
class Composed:
    """What a file holds, and everything that is wrong with it as YAML."""

    value: Any
    faults: list[LineFault]
    keys: dict[str, int]  # line of each key of the outermost mapping


def load_yaml(text: str, *, file: str = "", yaml: str = "1.2") -> Any:
    """Return what the YAML *text* holds, as JSON values.

    Only ``true``, ``false``, ``null`` (in three cases) and JSON numbers are read as such; dates, ``no``,
    ``010`` and ``12:30`` are texts. Tags, keys that are no texts, and repeated keys are refused.

    Args:
        text: The text of one file.
        file: Its name, for messages.
        yaml: ``"1.1"`` reads unquoted yes/no and on/off as booleans.

    Raises:
        InvalidDeclarationError: It is no such YAML; every problem names its line.
        InvalidOptionError: *yaml* is neither.
    """
    composed = compose(text, yaml_1_1=is_yaml_1_1(yaml))
    if composed.faults:
        raise declaration_error(composed.faults, file)
    return composed.value


def is_yaml_1_1(version: str) -> bool:
    """Tell which of the two versions of YAML is meant.

    Raises:
        InvalidOptionError: Neither.
    """
    if version not in VERSIONS:
        raise InvalidOptionError(f"yaml is {listing(VERSIONS, last='or')}, not {quoted(version)}")
    return version == "1.1"


def compose(text: str, *, yaml_1_1: bool = False) -> Composed:
    """Read *text*."""
    composer = _Composer(_WORDS_1_1 if yaml_1_1 else _WORDS)
    with contextlib.suppress(_Stop):
        composer.read(text)
    return Composed(composer.result, composer.faults, composer.keys)


def lines_in(text: str, wanted: Collection[Pointer], *, yaml_1_1: bool = False) -> dict[Pointer, int]:
    """Return the lines of the values of *text*, read as far as to know those of all *wanted*."""
    lines: dict[Pointer, int] = {}
    composer = _Composer(_WORDS_1_1 if yaml_1_1 else _WORDS, lines, wanted)
    with contextlib.suppress(_Stop):
        composer.read(text)
    return lines


def _free_mark(text: str) -> str | None:
    """Return a character that stands nowhere in *text*, neither as it is nor as an escape."""
    escaped = {chr(int(code, 16)) for code in _PRIVATE_ESCAPED.findall(text)}
    return min(set(map(chr, _PRIVATE)).difference(text, escaped), default=None)


def _with_marked_pairs(text: str, mark: str) -> str:
    """Return *text* with a *mark* in place of the backslashes of each pair: which texts are quoted is not known yet."""
    return _ESCAPED.sub(lambda found: f"{mark}{found[1]}{mark}{found[2]}" if found[1] else found[0], text)


def _with_pairs(event: Any, mark: str) -> Any:
    """Return the *event* of a scalar with its marked pairs: one character each in double quotes, else as they stand."""
    if mark in event.value:
        parts = event.value.split(mark)  # beside the first, each begins with one half of a pair
        if event.style == '"':
            pairs = zip(parts[1::2], parts[2::2], strict=True)
            halves = (bytes.fromhex(high[1:] + low[1:5]).decode("utf-16-be") + low[5:] for high, low in pairs)
            event.value = "".join([parts[0], *halves])
        else:
            event.value = "\\".join(parts)
    return event


class _Composer:
    """Builds values from the parser's events with its own stack, so that no nesting can exhaust Python's."""

    def __init__(
        self, words: dict[str, Any], lines: dict[Pointer, int] | None = None, wanted: Iterable[Pointer] = ()
    ) -> None:
        self.words = words
        self.lines = lines
        self.wanted = set(wanted)  # whose lines are asked for
        self.faults: list[LineFault] = []
        self.result: Any = None
        self.stack: list[_Level] = []
        self.anchors: dict[str, tuple[Any, int, int]] = {}
        self.aliased = 0
        self.documents = 0
        self.keys: dict[str, int] = {}

    def read(self, text: str) -> None:
        """Read all of *text*, or raise `_Stop`."""
        import yaml  # noqa: PLC0415 - the only room that reads YAML, and only when asked

        if len(text) > MAX_TEXT:
            self.stop(1, f"the text is {len(text)} characters long; at most {MAX_TEXT} are read")
        text = text.removeprefix("\ufeff")
        if found := NOT_IN_YAML.search(text):
            line = text.count("\n", 0, found.start()) + 1
            self.stop(line, f"{quoted(found.group())} cannot stand in YAML", 'write it as an escape in "double quotes"')
        rules: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self.scalar,
            yaml.MappingStartEvent: self.opened,
            yaml.MappingEndEvent: self.closed,
            yaml.SequenceStartEvent: self.opened,
            yaml.SequenceEndEvent: self.closed,
            yaml.AliasEvent: self.alias,
            yaml.DocumentStartEvent: self.document,
        }
        if re.search(_PAIR, text) and (mark := _free_mark(text)) is not None:
            text = _with_marked_pairs(text, mark)
            rules[yaml.ScalarEvent] = lambda event: self.scalar(_with_pairs(event, mark))
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        try:
            while not isinstance(event := loader.get_event(), yaml.StreamEndEvent):
                if rule := rules.get(type(event)):
                    rule(event)
        except yaml.YAMLError as reason:
            self.syntax(reason, text.count("\n") + (not text.endswith("\n")))
        finally:
            loader.dispose()

    # -- what goes wrong

    def fault(self, line: int, message: str, hint: str = "") -> None:
        if len(self.faults) == MAX_PROBLEMS - 1:  # a file may hold a million, which nobody reads
            self.faults.append(LineFault(line, f"after {MAX_PROBLEMS - 1} problems the rest is not read, from here on"))
            self.result = None
            raise _Stop
        self.faults.append(LineFault(line, message, hint))

    def stop(self, line: int, message: str, hint: str = "") -> NoReturn:
        self.fault(line, message, hint)
        self.result = None
        raise _Stop

    def syntax(self, reason: Any, last: int) -> NoReturn:
        """Say in one line what the parser says in several; the text ends on the line *last*."""
        mark = getattr(reason, "problem_mark", None) or getattr(reason, "context_mark", None)
        said = " ".join(part for part in (getattr(reason, "problem", None), getattr(reason, "context", None)) if part)
        hint = next((cure for words, cure in _CURES if words in said), "")
        self.stop(
            min(mark.line + 1, last) if mark else 1, f"this is no YAML: {one_line(said or str(reason), 200)}", hint
        )

    # -- events

    def document(self, event: Any) -> None:
        line = event.start_mark.line + 1
        self.documents += 1
        if self.documents > 1:
            self.stop(line, "a second document starts here", "write one document a file")
        if event.tags:
            self.fault(line, "tags are not read", "leave %TAG out")
        if event.version == (1, 1):
            self.words = _WORDS_1_1

    def scalar(self, event: Any) -> None:
        text = event.value
        plain = event.implicit[0]
        level = self.stack[-1] if self.stack else None
        if event.tag is not None:
            self.refuse_tag(event)
        if level is not None and level.key is _NO_KEY and level.value.__class__ is dict:
            self.key(level, text, event, plain=plain)
            return
        value = self.meaning(text, event) if plain else text
        if event.anchor is not None:
            self.anchor(event.anchor, value, 1, 0, event)
        self.place(value, 1, 0, event.start_mark.line + 1 if self.lines is not None else 0)

    def key(self, level: _Level, text: str, event: Any, *, plain: bool) -> None:
        line = event.start_mark.line + 1
        if event.anchor is not None:
            self.anchor(event.anchor, text, 1, 0, event)
        if plain and (text in _WORDS or _NUMBER.fullmatch(text)):
            self.fault(line, f"the key {text or 'without a text'} is no text", f'write "{text}" in quotes')
            level.key = _DROPPED
            return
        if text in level.lines:
            self.fault(
                line, f"the key {quoted(text)} stands here again; the first is on line {level.lines[text]}", "keep one"
            )
            level.key = _DROPPED
            return
        level.lines[text] = line
        level.key = text

    def meaning(self, text: str, event: Any) -> Any:
        """Return what an unquoted *text* means."""
        if text in self.words:
            return self.words[text]
        if text[0] not in "-0123456789":
            return text
        found = _NUMBER.fullmatch(text)
        if found is None:
            return text
        if len(text) > MAX_DIGITS + 1:
            self.fault(
                event.start_mark.line + 1,
                f"a number of {len(text)} digits is too long",
                f"at most {MAX_DIGITS} are read",
            )
            return 0
        if not found.group(1):
            return int(text)
        number = float(text)
        if math.isinf(number):
            self.fault(
                event.start_mark.line + 1,
                f"the number {one_line(text, 40)} is too large",
                "write it in quotes as a text",
            )
        return number

    def opened(self, event: Any) -> None:
        line = event.start_mark.line + 1
        if event.tag is not None:
            self.refuse_tag(event)
        if len(self.stack) >= MAX_DEPTH:
            self.stop(line, f"lists and mappings are nested deeper than {MAX_DEPTH} levels")
        level = self.stack[-1] if self.stack else None
        if level is not None and level.key is _NO_KEY and level.value.__class__ is dict:
            self.stop(line, "a key is a text, not a list or mapping", "write key: value")
        value: Any = {} if event.__class__.__name__ == "MappingStartEvent" else []
        self.stack.append(_Level(value, event.anchor, line))

    def closed(self, event: Any) -> None:
        level = self.stack.pop()
        if not self.stack:
            self.keys = level.lines
        if level.anchor is not None:
            self.anchor(level.anchor, level.value, level.size, level.height, event)
        self.place(level.value, level.size, level.height, level.line)

    def alias(self, event: Any) -> None:
        line = event.start_mark.line + 1
        level = self.stack[-1] if self.stack else None
        if level is not None and level.key is _NO_KEY and level.value.__class__ is dict:
            self.fault(line, "a key is a text, not an alias", "write key: value")
            level.key = _DROPPED
            return
        if event.anchor not in self.anchors:
            self.stop(line, f"the alias *{one_line(event.anchor, 40)} repeats nothing that ends before it")
        value, size, height = self.anchors[event.anchor]
        self.aliased += size
        if self.aliased > MAX_ALIASED:
            self.stop(line, f"aliases repeat more than {MAX_ALIASED} values", "write them out")
        if len(self.stack) + height > MAX_DEPTH:
            self.stop(line, f"lists and mappings are nested deeper than {MAX_DEPTH} levels")
        self.place(value, size, height, line)

    def anchor(self, name: str, value: Any, size: int, height: int, event: Any) -> None:
        if name in self.anchors:
            self.fault(event.start_mark.line + 1, f"the anchor &{one_line(name, 40)} is given twice", "rename one")
        self.anchors[name] = (value, size, height)

    def refuse_tag(self, event: Any) -> None:
        self.fault(
            event.start_mark.line + 1,
            f"the tag {one_line(event.tag, 60)} is not read",
            "leave it out; quote what is a text",
        )

    # -- where values go

    def place(self, value: Any, size: int, height: int, line: int) -> None:
        if not self.stack:
            self.result = value
            return
        level = self.stack[-1]
        level.size += size
        if height >= level.height:
            level.height = height + 1
        if level.value.__class__ is list:
            if self.lines is not None:
                self.stands(self.lines, (*self.pointer(), len(level.value)), line)
            level.value.append(value)
            return
        if level.key is not _DROPPED:
            if self.lines is not None:
                self.stands(self.lines, (*self.pointer(), level.key), level.lines[level.key])
            level.value[level.key] = value
        level.key = _NO_KEY

    def stands(self, lines: dict[Pointer, int], pointer: Pointer, line: int) -> None:
        """Keep the *line* of what stands at *pointer*; the rest need not be read where it was the last asked for."""
        lines[pointer] = line
        if pointer in self.wanted:
            self.wanted.remove(pointer)
            if not self.wanted:
                raise _Stop

    def pointer(self) -> Pointer:
        return tuple(level.key if level.value.__class__ is dict else len(level.value) for level in self.stack[:-1])
