"""The formats that are checked, each by a function of a text; any other format is a remark."""

from __future__ import annotations

import re
from collections.abc import Callable

from .patterns import pattern_of

_DATE = r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
_TIME = (
    r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?:\.[0-9]+)?"
    r"(?:[Zz]|(?P<sign>[+-])(?P<off_hour>[0-9]{2}):(?P<off_minute>[0-9]{2}))"
)
_DAY_TIME = r"T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
_DAYS = r"(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
_DURATION = rf"P(?:{_DAYS}(?:{_DAY_TIME})?|{_DAY_TIME}|[0-9]+W)"  # RFC 3339, appendix A
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_EMAIL = (
    rf"(?P<local>{_ATOM}(?:\.{_ATOM})*|\"(?:[ !#-\[\]-~]|\\[ -~])*\")"
    rf"@(?:(?P<domain>{_LABEL}(?:\.{_LABEL})*)|\[(?P<literal>[^\[\]]+)\])"
)
_UUID = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_CHAR = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_URI = (  # RFC 3986
    r"[A-Za-z][A-Za-z0-9+.-]*:"
    rf"(?://(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{{2}})*@)?"
    r"(?:\[(?P<host>[^\[\]]+)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::[0-9]*)?"
    rf"(?:/{_CHAR}*)*|/?(?:{_CHAR}+(?:/{_CHAR}*)*)?)"
    rf"(?:\?(?:{_CHAR}|[/?])*)?(?:\#(?:{_CHAR}|[/?])*)?"
)
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_BYTE}(?:\.{_BYTE}){{3}}"
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LAST_MINUTE = 23 * 60 + 59
MAX_LENGTH = 10_000  # characters that are looked at; no checked format needs more


def is_date(text: str) -> bool:
    """Tell whether *text* is a full date of RFC 3339: ``2024-01-31``."""
    found = re.fullmatch(_DATE, text)
    return found is not None and _is_day(int(found["year"]), int(found["month"]), int(found["day"]))


def is_time(text: str) -> bool:
    """Tell whether *text* is a time of RFC 3339, which has an offset: ``12:30:00Z``."""
    found = re.fullmatch(_TIME, text)
    return found is not None and _is_clock(found)


def is_date_time(text: str) -> bool:
    """Tell whether *text* is a date and time of RFC 3339: ``2024-01-31T12:30:00+01:00``."""
    found = re.fullmatch(rf"{_DATE}[Tt]{_TIME}", text)
    if found is None or not _is_clock(found):
        return False
    return _is_day(int(found["year"]), int(found["month"]), int(found["day"]))


def is_duration(text: str) -> bool:
    """Tell whether *text* is a duration of RFC 3339, appendix A: ``P1DT12H``."""
    return re.fullmatch(_DURATION, text) is not None


def is_email(text: str) -> bool:
    """Tell whether *text* is one address, without a name: ``joe@example.com``."""
    found = re.fullmatch(_EMAIL, text)
    if found is None or len(found["local"]) > 64:  # noqa: PLR2004 - RFC 5321
        return False
    literal = found["literal"]
    if literal is None:
        return len(found["domain"]) <= 253  # noqa: PLR2004 - RFC 1035
    return is_ipv6(literal[5:]) if literal[:5].lower() == "ipv6:" else is_ipv4(literal)


def is_uuid(text: str) -> bool:
    """Tell whether *text* is a UUID with its four hyphens."""
    return re.fullmatch(_UUID, text) is not None


def is_uri(text: str) -> bool:
    """Tell whether *text* is an absolute URI of RFC 3986: a scheme, no blanks, only ASCII."""
    found = re.fullmatch(_URI, text)
    if found is None:
        return False
    host = found["host"]
    return (
        host is None
        or is_ipv6(host)
        or re.fullmatch(r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+", host) is not None
    )


def is_ipv4(text: str) -> bool:
    """Tell whether *text* is four numbers from 0 to 255 without leading zeros."""
    return re.fullmatch(_IPV4, text) is not None


def is_ipv6(text: str) -> bool:
    """Tell whether *text* is an IPv6 address without a zone."""
    import ipaddress  # noqa: PLC0415 - seldom needed

    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return "%" not in text and "/" not in text


def is_regex(text: str) -> bool:
    """Tell whether *text* compiles as a regular expression."""
    try:
        pattern_of(text)
    except ValueError:
        return False
    return True


# name -> (the check, what it is called, an example): to check one more format, add a row
FORMATS: dict[str, tuple[Callable[[str], bool], str, str]] = {
    "date": (is_date, "a date", "2024-01-31"),
    "time": (is_time, "a time with its offset", "12:30:00Z"),
    "date-time": (is_date_time, "a date and time with its offset", "2024-01-31T12:30:00Z"),
    "duration": (is_duration, "a duration", "P1DT12H"),
    "email": (is_email, "an email address", "joe@example.com"),
    "uuid": (is_uuid, "a UUID", "123e4567-e89b-12d3-a456-426614174000"),
    "uri": (is_uri, "a URI", "https://example.com/page"),
    "ipv4": (is_ipv4, "an IPv4 address", "192.0.2.1"),
    "ipv6": (is_ipv6, "an IPv6 address", "2001:db8::1"),
    "regex": (is_regex, "a regular expression", "^[a-z]+$"),
}


def has_format(text: str, name: str) -> bool:
    """Tell whether *text* is written as format *name* asks; an unknown format asks nothing."""
    row = FORMATS.get(name)
    return row is None or (len(text) <= MAX_LENGTH and row[0](text))


def cure_of(text: str, name: str) -> str:
    """Return what makes *text*, which is not written as the checked format *name* asks, such a text."""
    if name in ("date-time", "time") and has_format(f"{text}Z", name):
        return "add Z or an offset such as +01:00"
    return f"write it like '{FORMATS[name][2]}'"


def _is_day(year: int, month: int, day: int) -> bool:
    if not (1 <= month <= 12 and 1 <= day <= _MONTH_DAYS[month - 1]):  # noqa: PLR2004 - months
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return leap or (month, day) != (2, 29)


def _is_clock(found: re.Match[str]) -> bool:
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"])
    off_hour, off_minute = int(found["off_hour"] or 0), int(found["off_minute"] or 0)
    if hour > 23 or minute > 59 or second > 60 or off_hour > 23 or off_minute > 59:  # noqa: PLR2004 - a clock
        return False
    if second < 60:  # noqa: PLR2004 - a clock
        return True
    # a leap second is the last one of a day in UTC
    offset = (off_hour * 60 + off_minute) * (-1 if found["sign"] == "-" else 1)
    return (hour * 60 + minute - offset) % (24 * 60) == _LAST_MINUTE
