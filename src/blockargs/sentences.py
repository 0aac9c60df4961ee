"""The code and the sentence of a fault that several rooms find: one fault, one code, one sentence."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ._text import did_you_mean, plural, quoted

_SHOWN = 20  # of a row of values
_SEARCHED = 200  # names that are searched for a near one
_LONGEST = 80  # characters of a name that is searched for
_LITTLE = 400  # letters in a row that is remembered
_TEXT = frozenset({str})
Told = tuple[str, str]  # the code and the message

# keyword -> the code, and how the value stands to the bound
BOUNDS: Mapping[str, Told] = {
    "minimum": ("too_small", "below the minimum"),
    "maximum": ("too_large", "above the maximum"),
    "exclusiveMinimum": ("too_small", "not above"),
    "exclusiveMaximum": ("too_large", "not below"),
}
# keyword -> the code, what is counted, and what is asked
SIZES: Mapping[str, tuple[str, str, str]] = {
    "minLength": ("too_short", "character", "at least {} are needed"),
    "maxLength": ("too_long", "character", "at most {} are allowed"),
    "minItems": ("too_few_items", "item", "at least {} are needed"),
    "maxItems": ("too_many_items", "item", "at most {} are allowed"),
    "minProperties": ("too_few_keys", "key", "at least {} are needed"),
    "maxProperties": ("too_many_keys", "key", "at most {} are allowed"),
}


def out_of_bounds(keyword: str, value: Any, bound: Any) -> Told:
    """Return what is said of a *value* beyond its *bound*: a number, or a date and the like."""
    code, phrase = BOUNDS[keyword]
    return code, f"{quoted(value)} is {phrase} {_plainly(bound)}"


def of_wrong_size(keyword: str, value: Any, size: int, bound: Any) -> Told:
    """Return what is said of a *value* that has *size* parts, too many or too few."""
    code, noun, phrase = SIZES[keyword]
    return code, f"{quoted(value, 60)} has {plural(size, noun)}, {phrase.format(quoted(bound))}"


def not_in_enum(value: Any, allowed: Sequence[Any]) -> Told:
    """Return what is said of a *value* that is none of those *allowed*."""
    return "not_in_enum", f"{quoted(value)} is not one of {row(allowed)}"


def no_multiple(value: Any, step: Any) -> Told:
    """Return what is said of a *value* that is no whole multiple of *step*."""
    return "not_multiple", f"{quoted(value)} is no multiple of {_plainly(step)}"


def no_match(value: Any, pattern: str, asked: str | None = None) -> Told:
    """Return what is said of a *value* that a *pattern* does not find; what that has *asked* for, where it has words."""
    if asked is not None:
        return "pattern_mismatch", f"{quoted(value)} is not {asked}"
    return "pattern_mismatch", f"{quoted(value)} does not match the pattern {quoted(pattern)}"


def too_slow(seconds: float) -> tuple[str, str, str]:
    """Return what is said of a value whose check took longer than *seconds*, and the cure."""
    return "too_slow", f"the check took more than {seconds * 1000:.0f} ms", "send a shorter value"


def missing_key(name: str) -> Told:
    """Return what is said where the required key *name* is not given."""
    return "missing_key", f"the required key {quoted(name)} is missing"


def unknown_key(name: str) -> Told:
    """Return what is said of a key *name* that nothing takes."""
    return "unknown_key", f"{quoted(name)} is no known key"


def known_keys(name: str, names: Iterable[str], given: Container[str] = ()) -> str:
    """Return the cure for the unknown key *name*: the nearest of *names* that is not *given*, else all of them."""
    listed = list(names)
    free = [one for one in listed if one not in given] if given else listed
    return near(name, free) or (f"known keys: {row(listed)}" if listed else "no keys are known here")


def missing_beside(name: str, other: str) -> Told:
    """Return what is said where the key *name* is not given, which is needed with the *other*."""
    return "missing_key", f"the key {quoted(name)} is missing, and is needed with {quoted(other)}"


def write_one_of(values: Sequence[Any]) -> str:
    """Return the cure where one of a few fixed *values* is wanted."""
    return f"write one of {row(values)}"


def near(name: Any, names: Iterable[Any]) -> str:
    """Return ``"did you mean 'x'?"`` where one of *names* is near the text *name*, else ``""``."""
    if not isinstance(name, str) or len(name) > _LONGEST:
        return ""
    return did_you_mean(name, [one for one in names if isinstance(one, str)][:_SEARCHED])


def undescribed(name: str) -> Told:
    """Return what is said of an argument *name* of which nobody says what it is for."""
    return "missing_description", f"{quoted(name)} has no description"


def undocumented(name: str) -> Told:
    """Return what is said of a parameter *name* of the constructor that is no argument of the block."""
    return "undocumented_parameter", f"parameter {quoted(name)} of the constructor is not documented"


def row(values: Iterable[Any], most: int = _SHOWN) -> str:
    """Return *values* quoted and in a row, cut after *most*."""
    given = tuple(values)
    if len(given) <= most and _TEXT.issuperset(map(type, given)) and len("".join(given)) <= _LITTLE:
        return _row_of_texts(given)
    shown = ", ".join(quoted(one, 60) for one in given[:most])
    return f"{shown} and {len(given) - most} more" if len(given) > most else shown


@lru_cache(maxsize=256)
def _row_of_texts(values: tuple[str, ...]) -> str:
    """Return `row` of a few short texts: the choices of an argument are told again and again."""
    return ", ".join(quoted(one, 60) for one in values)


def _plainly(bound: Any) -> str:
    """Return *bound* as JSON where it is, else (a date, a Decimal) as it is printed."""
    return quoted(bound) if isinstance(bound, str | int | float) else str(bound)
