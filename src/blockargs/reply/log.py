"""What one alignment has changed, and what it could not read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..errors import Note, Problem
from .fits import Known
from .shape import Shape

MAX_NOTES = 200
REFUSED: Any = None  # what stands where a problem was found


ROOT, PROPERTY, ELEMENT = "root", "property", "element"  # where a value stands: lists of one are read at two of them


# brings a value at a path and place into the form of a shape; the log learns of every change
Align = Callable[[Any, Shape, str, str, "Log"], Any]


@dataclass(slots=True)
class Log:
    """The notes and problems of one alignment; a trial has its own.

    Attributes:
        notes: The repairs, in order.
        problems: What has no single reading.
        dropped: How many more notes there were than are listed.
        covered: Places whose problems are told already.
        fitting: Which parts are known to fit.
        known: Trials of a union's branches that were made before.
        room: How many notes are listed.
        is_json: Whether what is aligned is JSON already: numbers are numbers, and every text is whole.
    """

    notes: tuple[Note, ...] = ()
    problems: list[Problem] | tuple[()] = ()  # most of the many trials have none, and need no list
    dropped: int = 0
    covered: list[str] | tuple[()] = ()
    fitting: Known = field(default_factory=dict)
    known: dict[tuple[int, int], tuple[Any, Any, Log]] = field(default_factory=dict)
    room: int = MAX_NOTES
    is_json: bool = False

    @property
    def has_room(self) -> bool:
        """Whether one more note is listed."""
        return len(self.notes) < self.room

    @property
    def count(self) -> int:
        """How many repairs there are."""
        return len(self.notes) + self.dropped

    def noting(self) -> bool:
        """Tell whether one more note is listed; else it is counted, and nothing has to be made ready for it."""
        if len(self.notes) < self.room:
            return True
        self.dropped += 1
        return False

    def note(self, rule: str, path: str, before: Any, after: Any, message: str) -> None:
        """Record one repair; past the limit it is only counted."""
        if self.noting():
            self.notes += (Note(rule=rule, path=path, before=before, after=after, message=message),)

    def listed(self) -> tuple[Note, ...]:
        """Return the notes, the last of which counts those past the limit."""
        if not self.dropped:
            return self.notes
        message = f"and {self.dropped + 1} more repairs"
        more = Note(rule="more", path="$", before=None, after=None, message=message)
        return (*self.notes[: MAX_NOTES - 1], more)

    def problem(self, code: str, path: str, message: str, hint: str = "", *, covers: str = "") -> None:
        """Record one thing that has no single reading; nothing else is told of *covers*, by default its path."""
        self.problems, self.covered = self.problems or [], self.covered or []
        self.problems.append(Problem(code=code, path=path, message=message, hint=hint))
        self.covered.append(covers or path)

    def bad(self, problem: Problem, path: str) -> None:
        """Record what the parser found at *path*."""
        self.problem(problem.code, path, problem.message, problem.hint)

    def trial(self) -> Log:
        """Return an empty log that shares what is known; where no more notes are listed it only counts its own."""
        return Log(known=self.known, fitting=self.fitting, room=self.room if self.has_room else 0, is_json=self.is_json)

    def take(self, other: Log) -> None:
        """Add the notes of *other*, a trial that went well: it has no problems."""
        space = self.room - len(self.notes)
        self.notes += other.notes[:space]
        self.dropped += other.dropped + max(len(other.notes) - space, 0)
