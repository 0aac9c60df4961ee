"""What stops the tolerant parser, and what it leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import Problem
from ..keywords import MAX_DEPTH
from .shape import Shape


class BrokenError(Exception):
    """The text at `position` has no single reading."""

    def __init__(self, problem: Problem, position: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.position = position


@dataclass(frozen=True, slots=True)
class Open:
    """An object whose closing brace is not there."""

    path: str
    value: dict[str, Any]
    shape: Shape | None


def too_deep_error(position: int) -> BrokenError:
    """Return the error of a text that is nested too deeply."""
    message = f"the reply is nested deeper than {MAX_DEPTH} levels"
    return BrokenError(Problem(code="too_deep", path="$", message=message, hint="send a flatter value"), position)
