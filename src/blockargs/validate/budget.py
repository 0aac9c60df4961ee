"""How long a value may be looked at: patterns by the clock, references by count."""

from __future__ import annotations

from collections.abc import Callable
from threading import local
from time import perf_counter
from typing import Any

PATTERN_SECONDS = 0.05  # for one text
ALL_PATTERNS_SECONDS = 1.0  # for all texts of one value
STEPS = 200_000  # references followed for one value
_PATIENT = STEPS - 1_000  # that many are followed before what was found is remembered: most values need fewer
MAX_PATTERN = 10_000  # characters of a pattern


class _Budget(local):
    """What is left for the value at hand, in each thread."""

    seconds = ALL_PATTERNS_SECONDS
    steps = STEPS

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], bool] = {}  # the value is alive for as long as this is kept


_budget = _Budget()


def fresh() -> None:
    """Begin with a new value, or let go of the last one."""
    _budget.seconds = ALL_PATTERNS_SECONDS
    _budget.steps = STEPS
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
        found = _budget.known[place] = check[0](value)
    return found


_BOXES = frozenset({dict, list})


def pattern_of(text: str) -> Any:
    """Return *text* compiled by the package ``regex``, which knows a time limit.

    Raises:
        ValueError: It does not compile.
    """
    import regex  # noqa: PLC0415 - not needed where no type has a pattern

    if len(text) > MAX_PATTERN:
        raise ValueError(f"it is longer than {MAX_PATTERN} characters")
    try:
        return regex.compile(text)
    except regex.error as reason:
        raise ValueError(str(reason)) from None
    except (RecursionError, OverflowError, MemoryError):
        raise ValueError("it is nested too deep or repeats too much") from None


def found(pattern: Any, text: str) -> bool:
    """Tell whether compiled *pattern* matches somewhere in *text*.

    Raises:
        TimeoutError: It took too long.
    """
    if _budget.seconds < 0:
        raise TimeoutError
    start = perf_counter()
    try:
        return pattern.search(text, timeout=PATTERN_SECONDS) is not None
    finally:
        _budget.seconds -= perf_counter() - start
