"""Patterns, run by a package that knows a time limit: each text has its own, and all texts of one value share one."""

from __future__ import annotations

from threading import local
from time import thread_time
from typing import Any

PATTERN_SECONDS = 0.05  # for one text
ALL_PATTERNS_SECONDS = 1.0  # for all texts of one value
MAX_PATTERN = 10_000  # characters of a pattern
# patterns of ours; for durations, years and months have no fixed length
DURATION = r"^-?P(?:[0-9]+W|(?:[0-9]+D)?(?:T(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+(?:\.[0-9]+)?S)?)?)$"
DECIMAL = r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
CLOCK = r"^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?$"
# and what they ask for, in words
ASKED_FOR = {
    DURATION: "an ISO 8601 duration such as PT5M",
    DECIMAL: "a decimal number such as 12.50",
    CLOCK: "a time such as 14:30:00",
}


class _Clock(local):
    """What is left for all texts of the value at hand, in each thread; nothing runs where no value is at hand."""

    left: float | None = None


_clock = _Clock()


def wound_up() -> bool:
    """Start the clock of a value; return whether it did: inside another value that one's clock goes on."""
    if _clock.left is not None:
        return False
    _clock.left = ALL_PATTERNS_SECONDS
    return True


def run_down() -> None:
    """Stop the clock."""
    _clock.left = None


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

    Time is that of the processor, as the package counts its own limit: a machine that
    is busy with something else makes no value slow.

    Raises:
        TimeoutError: It took too long.
    """
    left = _clock.left
    if left is None:
        return pattern.search(text, timeout=PATTERN_SECONDS) is not None
    if left < 0:
        raise TimeoutError
    start = thread_time()
    try:
        return pattern.search(text, timeout=PATTERN_SECONDS) is not None
    finally:
        _clock.left = left - (thread_time() - start)
