"""Pages of a sorted list, and the cursors that lead from one to the next.

A cursor holds the last name of its page. It stays good when entries come and go
meanwhile, and in every process that serves the same blocks.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_right
from collections.abc import Sequence

MARK = "blockargs.1:"  # tells our cursors from anybody else's, and their format
LONGEST = 1024  # characters of a cursor that are looked at; a name has at most 128


class BadCursorError(ValueError):
    """The cursor was not made here."""


def page_after(names: Sequence[str], cursor: str | None, size: int) -> tuple[Sequence[str], str | None]:
    """Return the page of sorted *names* that follows *cursor*, and the cursor of the next page.

    Args:
        names: All names, sorted.
        cursor: What the page before came with; ``None`` for the first page.
        size: Names on a page; 0 puts all on one.

    Raises:
        BadCursorError: *cursor* was not made here.
    """
    start = 0 if cursor is None else bisect_right(names, _name_in(cursor))
    found = names[start:] if size <= 0 else names[start : start + size]
    more = start + len(found) < len(names)
    return found, _cursor_of(found[-1]) if more else None


def _cursor_of(name: str) -> str:
    return urlsafe_b64encode(f"{MARK}{name}".encode()).decode("ascii").rstrip("=")


def _name_in(cursor: str) -> str:
    if len(cursor) > LONGEST:
        raise BadCursorError(f"a cursor has at most {LONGEST} characters")
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except ValueError:
        raise BadCursorError("the cursor cannot be read") from None
    name = text.removeprefix(MARK)
    if name == text or _cursor_of(name) != cursor:  # the second reading catches letters that base64 ignores
        raise BadCursorError("the cursor was not made by this server")
    return name
