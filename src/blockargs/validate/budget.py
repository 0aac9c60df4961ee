"""How long a value may be looked at: patterns by the clock, references by count."""

from __future__ import annotations

from threading import local
from time import perf_counter
from typing import Any

PATTERN_SECONDS = 0.05  # for one text
ALL_PATTERNS_SECONDS = 1.0  # for all texts of one value
STEPS = 200_000  # references followed for one value
MAX_PATTERN = 10_000  # characters of a pattern


class _Budget(local):
    """What is left for the value at hand, in each thread."""

    seconds = ALL_PATTERNS_SECONDS
    steps = STEPS


_budget = _Budget()


def fresh() -> None:
    """Begin with a new value."""
    _budget.seconds = ALL_PATTERNS_SECONDS
    _budget.steps = STEPS


def step(cost: int = 1) -> None:
    """Count one reference that is followed.

    Raises:
        TimeoutError: There were too many for one value.
    """
    _budget.steps -= cost
    if _budget.steps < 0:
        raise TimeoutError


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
