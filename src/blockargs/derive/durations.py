"""Durations in ISO 8601: ``P1DT2H30M``, ``PT0.5S``, ``-P2W``."""

from __future__ import annotations

import re
from datetime import timedelta

_PARTS = re.compile(
    r"(?P<sign>-)?P(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?"
    r"(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+)(?:\.(?P<fraction>\d+))?S)?)?",
    re.ASCII,
)


def duration_from(text: str) -> timedelta:
    """Return the duration that *text* writes; fractions beyond microseconds are cut.

    >>> duration_from("P1DT2H")
    datetime.timedelta(days=1, seconds=7200)

    Raises:
        ValueError: *text* is no duration, or does not fit into a `timedelta`.
    """
    found = _PARTS.fullmatch(text)
    if found is None or text.endswith(("P", "T")):
        raise ValueError(f"{text[:50]!r} is no duration")
    counts = {k: int(found[k] or 0) for k in ("weeks", "days", "hours", "minutes", "seconds")}
    micro = int(f"{found['fraction'] or '0':0<6}"[:6])
    try:
        made = timedelta(**counts, microseconds=micro)
    except OverflowError:
        raise ValueError(f"{text[:50]!r} is too long") from None
    return -made if found["sign"] else made


def duration_text(value: timedelta) -> str:
    """Return *value* as ISO 8601, in days, hours, minutes and seconds.

    >>> duration_text(timedelta(hours=36, milliseconds=5))
    'P1DT12H0.005S'
    """
    sign = "-" if value < timedelta(0) else ""
    value = abs(value)
    hours, rest = divmod(value.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    fraction = f".{value.microseconds:06d}".rstrip("0") if value.microseconds else ""
    clock = f"{hours}H" if hours else ""
    clock += f"{minutes}M" if minutes else ""
    clock += f"{seconds}{fraction}S" if seconds or fraction or not (clock or value.days) else ""
    return f"{sign}P{f'{value.days}D' if value.days else ''}{'T' if clock else ''}{clock}"
