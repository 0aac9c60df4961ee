"""What a docstring says: Google, NumPy and Sphinx style, read without guessing."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

OPENERS = {"(": ")", "[": "]", "{": "}"}
# a type slot counts when it is written with our brackets
OURS = re.compile(r"(?:enum\(|object\{|array\[)")

# the sections that describe arguments or fields
_ARGUMENTS = frozenset(
    "args arguments parameters params parameter keyword args keyword arguments keyword parameters other parameters "
    "attributes fields".split()
) | {"keyword args", "keyword arguments", "keyword parameters", "other args", "other arguments", "other parameters", "key args"}
_OTHERS = frozenset(
    {
        "returns", "return", "yields", "yield", "receives", "raises", "raise", "except", "exceptions", "warns", "warnings",
        "warning", "note", "notes", "example", "examples", "see also", "references", "todo", "methods", "usage", "tip",
        "tips", "hint", "hints", "important", "caution", "danger", "attention", "error", "errors", "deprecated",
        "side effects", "changelog", "version added", "doctest", "tests",
    }
)  # fmt: skip
_HEADER = re.compile(r"([A-Za-z][A-Za-z ]{1,30}?)\s*::?\s*\Z")
_UNDERLINE = re.compile(r"(?:-{3,}|={3,}|~{3,})\Z")
_FIELD = re.compile(r"[:@](param|parameter|arg|argument|key|keyword|kwarg|var|ivar|cvar|attribute|type|vartype|raises|raise|except|exception|returns|return|rtype|yields|yield|ytype|meta|see|note|example|examples|deprecated|versionadded|versionchanged)\b")
_DESCRIBING = frozenset("param parameter arg argument key keyword kwarg var ivar cvar attribute".split())
_NAME = re.compile(r"(?:\\?\*){0,2}[^\W\d]\w*\Z")
_ITEM = re.compile(r"(?:[-*+•]|\d+[.)])\s")


@dataclass(frozen=True, slots=True)
class Docs:
    """What a docstring says.

    Attributes:
        summary: Its first paragraph, on one line.
        text: All paragraphs outside of sections.
        arguments: Name → description; empty descriptions are left out.
        types: Name → what stands in its type slot, where that is written with our brackets.
    """

    summary: str = ""
    text: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)


def docs_of(obj: Any) -> Docs:
    """Return what the docstring of a function or class says."""
    text = getattr(obj, "__doc__", None)
    return parsed(text) if isinstance(text, str) and text.strip() else Docs()


@functools.lru_cache(maxsize=1024)
def docs_of_class(cls: type[Any]) -> Docs:
    """Return what the docstring of *cls* says; arguments also from its ``__init__`` and the classes above.

    The docstrings that dataclasses and named tuples write by themselves say nothing.
    """
    own = docs_of(cls) if _is_written(cls) else Docs()
    arguments: dict[str, str] = {}
    types: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base is object or base.__module__ == "builtins":
            continue
        for docs in (docs_of(base) if _is_written(base) else Docs(), docs_of(base.__dict__.get("__init__"))):
            arguments |= docs.arguments
            types |= docs.types
    return Docs(own.summary, own.text, arguments, types)


def _is_written(cls: type[Any]) -> bool:
    text = cls.__dict__.get("__doc__")
    return isinstance(text, str) and not text.startswith(f"{cls.__name__}(")


@functools.lru_cache(maxsize=4096)
def parsed(text: str) -> Docs:
    """Return what the docstring *text* says.

    >>> parsed("Keep rows.\\n\\nArgs:\\n    n: How many.").arguments
    {'n': 'How many.'}
    """
    lines = inspect.cleandoc(text).split("\n")
    prose: list[str] = []
    entries: list[_Entry] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        if line and not line[0].isspace():
            section = _section(lines, index)
            if section is not None:
                index = section.end
                if section.describes:
                    entries += section.entries(lines)
                continue
            if line[0] in ":@" and (match := _FIELD.match(line)) is not None:
                index = _field(lines, index, match[1], entries)
                continue
        prose.append(line)
        index += 1
    return _docs(prose, entries)


@dataclass(slots=True)
class _Entry:
    names: tuple[str, ...]
    type: str
    lines: list[str]


@dataclass(frozen=True, slots=True)
class _Section:
    describes: bool
    first: int
    end: int
    numpy: bool

    def entries(self, lines: list[str]) -> Iterator[_Entry]:
        body = lines[self.first : self.end]
        return _numpy_entries(body) if self.numpy else _google_entries(body)


def _section(lines: list[str], index: int) -> _Section | None:
    """Return the section whose header is at *index*, if one starts there."""
    line = lines[index]
    below = lines[index + 1] if index + 1 < len(lines) else ""
    if below[:1] in ("-", "=", "~") and _UNDERLINE.match(below.rstrip()) and len(line) < 60:  # noqa: PLR2004 - a title
        title = line.strip().rstrip(":").lower()
        if title in _ARGUMENTS or title in _OTHERS:
            return _Section(title in _ARGUMENTS, index + 2, _numpy_end(lines, index + 2), numpy=True)
    if line.rstrip()[-1:] != ":" or (match := _HEADER.match(line)) is None:
        return None
    title = " ".join(match[1].lower().split())
    if title not in _ARGUMENTS and title not in _OTHERS:
        return None
    end = _google_end(lines, index + 1)
    if end == index + 1 and title not in _ARGUMENTS:
        return None  # "Note:" without a body is prose
    return _Section(title in _ARGUMENTS, index + 1, end, numpy=False)


def _google_end(lines: list[str], index: int) -> int:
    """Return the first line from *index* on that is neither blank nor indented."""
    end = index
    for position in range(index, len(lines)):
        line = lines[position]
        if line and not line[0].isspace():
            break
        if line.strip():
            end = position + 1
    return end


def _numpy_end(lines: list[str], index: int) -> int:
    for position in range(index, len(lines) - 1):
        below = lines[position + 1].rstrip()
        if lines[position].strip() and not lines[position][0].isspace() and below[:1] in ("-", "=") and _UNDERLINE.match(below):
            return position
        if lines[position][:1] in (":", "@") and _FIELD.match(lines[position]):
            return position
    return len(lines)


def _google_entries(body: list[str]) -> Iterator[_Entry]:
    indents = [len(line) - len(line.lstrip()) for line in body if line.strip()]
    if not indents:
        return
    level = indents[0]
    entry: _Entry | None = None
    for line in body:
        indent = len(line) - len(line.lstrip())
        started = _google_header(line.strip()) if line.strip() and indent <= level else None
        if started is not None:
            if entry is not None:
                yield entry
            entry = started
        elif entry is not None:
            entry.lines.append(line)
    if entry is not None:
        yield entry


def _google_header(line: str) -> _Entry | None:
    """Read ``a, b (type): text``; ``None`` when *line* is something else."""
    colon = _outside(line, ":")
    head = line if colon < 0 else line[:colon]
    broken = colon < 0 and (cut := line.find("(")) > 0 and OURS.match(line[cut + 1 :].lstrip())
    if colon < 0 and not broken:
        return None
    slot = ""
    if (start := head.find("(")) > 0 and (broken or head.rstrip().endswith(")")):
        slot = head[start + 1 :].rstrip()
        slot = slot if broken else slot[:-1]
        head = head[:start]
    names = _names(head)
    if not names:
        return None
    return _Entry(names, slot.strip(), [] if colon < 0 else [line[colon + 1 :]])


def _numpy_entries(body: list[str]) -> Iterator[_Entry]:
    entry: _Entry | None = None
    for line in body:
        if line.strip() and not line[0].isspace():
            colon = _outside(line, ":")
            names = _names(line if colon < 0 else line[:colon])
            if names:
                if entry is not None:
                    yield entry
                entry = _Entry(names, "" if colon < 0 else line[colon + 1 :].strip(), [])
                continue
        if entry is not None:
            entry.lines.append(line)
    if entry is not None:
        yield entry


def _field(lines: list[str], index: int, kind: str, entries: list[_Entry]) -> int:
    """Read the Sphinx field at *index* into *entries*; return where it ends."""
    end = index + 1
    while end < len(lines) and lines[end].strip() and not _FIELD.match(lines[end]):
        if not lines[end][0].isspace() and _section(lines, end) is not None:
            break
        end += 1
    while end < len(lines) and (not lines[end].strip() or lines[end][0].isspace()) and _more(lines, end):
        end += 1
    head = lines[index][1:]
    colon = _outside(head, ":")
    if colon < 0:
        return end
    words = head[:colon].strip()
    text = [head[colon + 1 :], *lines[index + 1 : end]]
    rest = words[len(kind) :].strip()
    if kind in _DESCRIBING:
        cut = _outside_last_blank(rest)
        if names := _names(rest[cut:]):
            entries.append(_Entry(names, rest[:cut].strip(), text))
    elif kind in ("type", "vartype") and (names := _names(rest)):
        entries.append(_Entry(names, " ".join(" ".join(text).split()), []))
    return end


def _more(lines: list[str], index: int) -> bool:
    """Tell whether an indented line comes at *index* or after blank ones."""
    for line in lines[index:]:
        if line.strip():
            return line[0].isspace()
    return False


def _outside(text: str, wanted: str) -> int:
    """Return where *wanted* first stands outside of brackets and quotes; -1 when it does not."""
    closers: list[str] = []
    quote = ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and closers:
            quote = char
        elif char in OPENERS:
            closers.append(OPENERS[char])
        elif closers and char == closers[-1]:
            closers.pop()
        elif char == wanted and not closers:
            return index
    return -1


def _outside_last_blank(text: str) -> int:
    """Return where the last word of *text* starts."""
    return len(text) - len(text.rsplit(None, 1)[-1]) if text else 0


def _names(text: str) -> tuple[str, ...]:
    """Return the names in ``a``, ``*args`` or ``a, b``; none when one is no name."""
    names = []
    for part in text.split(","):
        word = part.strip().strip("`")
        if not _NAME.match(word):
            return ()
        names.append(word.lstrip("\\*").replace("\\", ""))
    return tuple(names)


def _docs(prose: list[str], entries: list[_Entry]) -> Docs:
    arguments: dict[str, str] = {}
    types: dict[str, str] = {}
    for entry in entries:
        text = _joined(entry.lines)
        for name in entry.names:
            if text and name not in arguments:
                arguments[name] = text
            if OURS.match(entry.type) and name not in types:
                types[name] = entry.type
    paragraphs = _paragraphs(prose)
    summary = " ".join(paragraphs[0].split()) if paragraphs else ""
    return Docs(summary, "\n\n".join(paragraphs), arguments, types)


def _joined(lines: list[str]) -> str:
    """Return a description: lines of a paragraph joined, list items and paragraphs on lines of their own."""
    out: list[str] = []
    gap = False
    listing = False
    for line in lines:
        text = line.strip()
        if not text:
            gap = bool(out)
            continue
        item = bool(_ITEM.match(text))
        if not out:
            out.append(text)
        elif gap and not item and not listing:
            out.append(f"\n{text}")
        elif item or gap:
            out.append(text)
        else:
            out[-1] += f" {text}"
        listing = item or (listing and not gap)
        gap = False
    return "\n".join(out)


def _paragraphs(lines: list[str]) -> list[str]:
    out: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            out[-1].append(line.rstrip())
        elif out[-1]:
            out.append([])
    made = []
    for paragraph in out:
        if not paragraph:
            continue
        lists = any(line[0].isspace() or _ITEM.match(line) for line in paragraph)
        made.append("\n".join(paragraph) if lists else " ".join(line.strip() for line in paragraph))
    return made
