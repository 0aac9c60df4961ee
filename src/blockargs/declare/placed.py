"""Problems of a file: each with the line it stands on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ..errors import InvalidDeclarationError, Problem

MAX_PROBLEMS: Final = 1_000  # of one file that are listed; a last one counts the rest


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclarationProblem(Problem):
    """A `Problem` of a declaration, in a file or in code.

    Attributes:
        source: Where it stands: ``rows.yml:7``.
        uid: The block it is about, or the name of its constructor; ``""`` where it is about the file.
    """

    source: str
    uid: str = ""

    def __str__(self) -> str:
        """``rows.yml:7: head_block: $.arguments.n.type: …``."""
        said = f"{self.message}; {self.hint}" if self.hint else self.message
        return ": ".join(filter(None, (self.source, self.uid, self.path if self.path != "$" else "", said)))

    def told(self) -> str:
        """Return it as a line of an error: it says by itself where it stands."""
        return str(self)


def source_at(file: str, line: int) -> str:
    """Return ``file:line``, or ``line 7`` where there is no file."""
    return f"{file}:{line}" if file else f"line {line}"


@dataclass(frozen=True, slots=True)
class LineFault:
    """What is wrong in a file, before its place is turned into words.

    Attributes:
        line: Counted from 1.
        message: What stands there, and what was expected.
        hint: The cure, or ``""``.
        path: JSONPath inside the block's entry.
        uid: The block, or ``""``.
        code: The problem's code.
    """

    line: int
    message: str
    hint: str = ""
    path: str = "$"
    uid: str = ""
    code: str = InvalidDeclarationError.code


def declaration_error(faults: Iterable[LineFault], file: str, further: int = 0) -> InvalidDeclarationError:
    """Return the one error for all *faults* of *file*, in the order of its lines, and *further* ones."""
    listed = sorted(faults, key=lambda fault: fault.line)
    if len(listed) + further > MAX_PROBLEMS:
        rest = len(listed) + further - MAX_PROBLEMS + 1
        listed[MAX_PROBLEMS - 1 :] = [LineFault(listed[MAX_PROBLEMS - 1].line, f"{rest} further problems from here on")]
    return InvalidDeclarationError(_placed(fault, file) for fault in listed)


def _placed(fault: LineFault, file: str) -> DeclarationProblem:
    return DeclarationProblem(
        code=fault.code,
        path=fault.path,
        message=fault.message,
        hint=fault.hint,
        source=source_at(file, fault.line),
        uid=fault.uid,
    )
