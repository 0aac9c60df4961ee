"""Text to a parse tree: JSON as JSON, anything else by the tolerant parser."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import Note, Problem
from ..keywords import MAX_DEPTH
from .leaves import LEXEMES, too_deep
from .marks import BrokenError, Open, too_deep_error
from .reader import MAX_NOTES, Reader
from .shape import Shape

_JSON_SPACE = " \t\n\r"


@dataclass(frozen=True, slots=True)
class Parsed:
    """What was read of a text.

    Attributes:
        value: The tree: JSON whose numbers are `Num`, bare text `Raw`, a fault `Bad`; partial when `problem` is set.
        notes: The repairs.
        problem: Why there is no single reading, or ``None``.
        start: Where it begins in the text.
        end: Where it ends.
        opened: The objects whose closing brace is missing, inner ones first.
        begun: Whether at least one key was read.
        faults: The places without single reading, each a `Bad` in the tree.
    """

    value: Any
    notes: tuple[Note, ...] = ()
    problem: Problem | None = None
    start: int = 0
    end: int = 0
    opened: tuple[Open, ...] = field(default=())
    begun: bool = False
    faults: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that keeps the text from being one complete value."""
        left_open = [truncated(one.path) for one in self.opened]
        return (*self.faults, *left_open, *([self.problem] if self.problem else []))


def parse(text: str, shape: Shape | None = None, anchors: frozenset[str] = frozenset()) -> Parsed:
    """Return the one value that the whole of *text* is, nothing before and nothing after it.

    Args:
        text: JSON, or what is nearly JSON.
        shape: What is wanted, if that is known.
        anchors: Every declared property name.
    """
    start = len(text) - len(text.lstrip("\ufeff" + _JSON_SPACE))
    parsed = parse_at(text, start, shape, anchors)
    notes = parsed.notes
    if parsed.problem is None:
        reader = Reader(text, len(text))
        rest = reader.skip(parsed.end)
        notes = (*notes, *reader.notes)
        if rest < len(text):
            problem = reader.broken("unexpected_text", "the value is over, yet the text goes on", rest).problem
            return replace(parsed, notes=notes, problem=problem)
    if "\ufeff" in text[:start]:
        notes = (Note(rule="byte_order_mark", path="$", before="\ufeff", after=None, message="left out a mark"), *notes)
    return replace(parsed, notes=notes)


def parse_at(
    text: str,
    start: int,
    shape: Shape | None = None,
    anchors: frozenset[str] = frozenset(),
    *,
    braced: bool = True,
    json_first: bool = True,
) -> Parsed:
    """Return the value that begins at *start* of *text*, however the text goes on.

    Args:
        text: Any text.
        start: Where the value begins.
        shape: What is wanted, if that is known.
        anchors: Every declared property name.
        braced: Whether the first brace of the object is there.
        json_first: Whether it may be plain JSON.
    """
    try:
        if json_first and braced:
            value, end = LEXEMES.raw_decode(text, start)
            if _nested(text, start, end, value):
                return Parsed(None, problem=too_deep_error(start).problem, start=start, end=end, begun=True)
            return Parsed(value, start=start, end=end, begun=True)
    except ValueError:
        pass
    except RecursionError:
        return Parsed(None, problem=too_deep_error(start).problem, start=start, end=len(text), begun=True)
    reader = Reader(text, len(text), shape, anchors)
    try:
        if braced:
            value, end = reader.value(start, shape, None)
        else:
            value, end = reader.object(start, shape, braced=False)
    except BrokenError as broken:
        begun = broken.problem.code == "too_deep" or bool(reader.trail)
        if reader.seen is not None and reader.trail and isinstance(key := _outermost_key(reader), str):
            reader.seen.setdefault(key, None)  # its value is what could not be read
        faults = tuple(reader.faults)
        end = max(broken.position, start)
        return Parsed(reader.seen, notes_of(reader), broken.problem, start, end, begun=begun, faults=faults)
    return Parsed(value, notes_of(reader), None, start, end, tuple(reader.opened), True, tuple(reader.faults))


def _outermost_key(reader: Reader) -> str | int | None:
    return next((step for step in reader.trail if isinstance(step, str)), None)


def truncated(path: str) -> Problem:
    """Return the problem of an object at *path* that the text does not close."""
    message = "the reply ends before the object does"
    return Problem(code="truncated", path=path, message=message, hint="send it again, complete and shorter")


def ends_early(arguments: Any) -> Problem | None:
    """Return the problem of *arguments* that a response ended in, where they do not show themselves what is missing.

    Text does: it is looked at as what it is. A value was made of the text by somebody
    else, who may have closed what was open, or left it out.
    """
    if isinstance(arguments, str | bytes | bytearray) and arguments.strip():
        return None
    message = "the reply ends in the call, of which something may be missing"
    return Problem(code="truncated", path="$", message=message, hint="send it again, complete and shorter")


def notes_of(reader: Reader) -> tuple[Note, ...]:
    """Return the notes of *reader*, the last of which counts those past the limit."""
    if not reader.dropped_notes:
        return tuple(reader.notes)
    message = f"and {reader.dropped_notes} more repairs of the text"
    more = Note(rule="more", path="$", before=None, after=None, message=message)
    return (*reader.notes[: MAX_NOTES - 1], more)


def _nested(text: str, start: int, end: int, value: Any) -> bool:
    brackets = text.count("{", start, end) + text.count("[", start, end)
    return brackets > MAX_DEPTH and too_deep(value, MAX_DEPTH)
