"""How long a value may be looked at: references by count, patterns by their clock."""

from __future__ import annotations

from collections.abc import Callable
from threading import local
from typing import Any

from ..patterns import run_down, wound_up

STEPS = 200_000  # references followed for one value
_PATIENT = STEPS - 1_000  # that many are followed before what was found is remembered: most values need fewer


class _Budget(local):
    """What is left for the value at hand, in each thread."""

    steps = STEPS

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], tuple[bool, Any, Any]] = {}


_budget = _Budget()


def begun() -> bool:
    """Begin with a value; return whether it is a new one: what is looked at inside another has that one's budget.

    Who is told that it began, and nobody else, says when it is `over`.
    """
    if not wound_up():
        return False
    _budget.steps = STEPS
    return True


def over() -> None:
    """Let go of the value."""
    run_down()
    if _budget.known:
        _budget.known = {}


def step(cost: int = 1) -> None:
    """Count one reference that is followed.

    Raises:
        TimeoutError: There were too many for one value.
    """
    _budget.steps -= cost
    if _budget.steps < 0:
        raise TimeoutError


def asked_once(check: list[Callable[[Any], bool]], value: Any) -> bool:
    """Return what the one *check* of a reference says of *value*.

    Where a type asks twice at each level, the work doubles with each: so past some
    steps no list and no object is asked the same again.

    Raises:
        TimeoutError: Too many references were followed for one value.
    """
    step()
    if _budget.steps > _PATIENT or type(value) not in _BOXES:
        return check[0](value)
    place = id(check), id(value)
    found = _budget.known.get(place)
    if found is None:
        # both are kept beside what was found, so that their ids stay their own
        found = _budget.known[place] = (check[0](value), check, value)
    return found[0]


_BOXES = frozenset({dict, list})
