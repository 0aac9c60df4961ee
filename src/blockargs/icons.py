"""The names of Bootstrap Icons: what a block's `icon` may be."""

from __future__ import annotations

from functools import cache


@cache
def icon_names() -> frozenset[str]:
    """Return every name of Bootstrap Icons, without the ``bi-`` of its CSS class.

    >>> "table" in icon_names()
    True
    """
    from pathlib import Path  # noqa: PLC0415 - who registers no icon need not load it

    lines = Path(__file__).with_name("icons.txt").read_text(encoding="ascii").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
