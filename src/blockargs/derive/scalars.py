"""Plain classes: each a row of type, JSON -> Python, Python -> JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._text import first_line, quoted
from ..node import ArgType
from ..patterns import CLOCK, DECIMAL, DURATION
from ..types import arg_any, arg_boolean, arg_integer, arg_number, arg_schema, arg_string
from .codec import Change, Codec, is_instance, misfit
from .durations import duration_from, duration_text
from .refusals import refused, refusing
from .site import Site


def whole(value: Any) -> Any:
    """Return a whole JSON number as an int: ``5.0`` is ``5``."""
    return value if type(value) is int else int(value)


def real(value: Any) -> float:
    """Return a JSON number as a float."""
    try:
        return float(value)
    except OverflowError:
        raise misfit(f"{quoted(value)} is too large for a float", "give a smaller number") from None


def _index(value: Any) -> Any:
    """Return numpy's whole numbers as int; a bool is none."""
    if type(value) is int or isinstance(value, bool) or not hasattr(value, "__index__"):
        return value
    return value.__index__()


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_none(value: Any) -> bool:
    return value is None


def _is_anything(_: Any) -> bool:
    return True


_NULL = Codec(ArgType({"type": "null"}), None, None, _is_none)
_ANY = Codec(arg_any(), None, None, _is_anything)
PLAIN: dict[Any, Codec] = {
    str: Codec(arg_string(), None, None, is_instance(str)),
    int: Codec(arg_integer(), whole, _index, _is_whole),
    float: Codec(arg_number(), real, None, _is_number),
    bool: Codec(arg_boolean(), None, None, is_instance(bool)),
    None: _NULL,
    type(None): _NULL,
    Any: _ANY,
    object: _ANY,
}

# a class is known by its name, so that nobody pays for importing what he does not use
_Row = tuple[ArgType, Callable[[type[Any]], Change], Callable[[Any], Any]]


def _datetime(cls: type[Any]) -> Change:
    return lambda text: cls.fromisoformat(text.upper())


def _datetime_text(value: Any) -> str:
    if value.utcoffset() is None:
        raise misfit(f"{value.isoformat()} has no time zone", "give it one, such as tzinfo=datetime.UTC")
    return _iso_text(value)


def _iso(cls: type[Any]) -> Change:
    return cls.fromisoformat  # type: ignore[no-any-return]  # of date and time


def _iso_text(value: Any) -> str:
    return str(value.isoformat()).replace("+00:00", "Z")


def _itself(cls: type[Any]) -> Change:
    return cls


def _bytes(cls: type[Any]) -> Change:
    def decode(text: str) -> Any:
        import base64  # noqa: PLC0415 - seldom needed
        import binascii  # noqa: PLC0415 - seldom needed

        try:
            return cls(base64.b64decode(text.encode("ascii"), validate=True))
        except (binascii.Error, UnicodeEncodeError):
            raise misfit(
                f"{quoted(text, 50)} is no base64", "encode the bytes in base64", code="wrong_encoding"
            ) from None

    return decode


def _bytes_text(value: bytes) -> str:
    import base64  # noqa: PLC0415 - seldom needed

    return base64.b64encode(value).decode("ascii")


def _pattern(_: type[Any]) -> Change:
    import re  # noqa: PLC0415 - at hand already

    def decode(text: str) -> Any:
        try:
            return re.compile(text)
        except (
            re.error,
            OverflowError,
            RecursionError,
        ) as reason:  # what our own check of the format reads, re may not
            message = f"{quoted(text)} is no regular expression of Python: {first_line(reason)}"
            raise misfit(message, "correct the pattern", code="wrong_format") from None

    return decode


def _decimal(cls: type[Any]) -> Change:
    def decode(text: str) -> Any:
        try:
            return cls(text)
        except ArithmeticError:
            message = f"{quoted(text)} is too large or too small for a decimal number"
            raise misfit(message, "give a smaller exponent") from None

    return decode


def _pattern_text(value: Any) -> Any:
    return value.pattern


def _like(pattern: str, error: str) -> ArgType:
    # arg_string would compile the pattern here and now, and load the package regex for it
    return ArgType({"type": "string", "pattern": pattern}, error=error)


def _same(value: Any) -> Any:
    return value


_PATH: _Row = (arg_string(), _itself, str)
_BYTES: _Row = (arg_schema({"type": "string", "contentEncoding": "base64"}), _bytes, _bytes_text)
# class: type, JSON -> Python, Python -> JSON. To understand one more class, add a row
CLASSES: dict[str, _Row] = {
    "datetime.date": (arg_string(format="date"), _iso, _iso_text),
    "datetime.datetime": (arg_string(format="date-time"), _datetime, _datetime_text),
    "datetime.time": (_like(CLOCK, "write a time such as 14:30:00"), _iso, _iso_text),
    "datetime.timedelta": (
        _like(DURATION, "write an ISO 8601 duration of weeks, days, hours … such as P1DT2H30M"),
        lambda _: duration_from,
        duration_text,
    ),
    "uuid.UUID": (arg_string(format="uuid"), _itself, str),
    "decimal.Decimal": (
        _like(DECIMAL, 'write a decimal number in quotes, such as "19.90"'),
        _decimal,
        str,
    ),
    **{
        f"{module}.{name}": _PATH
        for module in ("pathlib", "pathlib._local")
        for name in ("Path", "PurePath", "PosixPath", "PurePosixPath", "PureWindowsPath", "WindowsPath")
    },
    "builtins.bytes": _BYTES,
    "builtins.bytearray": _BYTES,
    "re.Pattern": (arg_string(format="regex"), _pattern, _pattern_text),
    "ipaddress.IPv4Address": (arg_string(format="ipv4"), _itself, str),
    "ipaddress.IPv6Address": (arg_string(format="ipv6"), _itself, str),
    "numbers.Integral": (arg_integer(), lambda _: whole, _index),
    "numbers.Real": (arg_number(), lambda _: _same, _same),
    "collections.abc.Hashable": (arg_schema({"type": ["string", "number", "boolean", "null"]}), lambda _: _same, _same),
}


def is_known_class(annotation: Any) -> bool:
    """Tell whether *annotation* is a class of the table."""
    return isinstance(annotation, type) and f"{annotation.__module__}.{annotation.__qualname__}" in CLASSES


def class_codec(cls: type[Any], _: Site) -> Codec:
    """Return the codec of a class of the table."""
    name = f"{cls.__module__}.{cls.__qualname__}"
    type_, decode, encode = CLASSES[name]
    holds = _HOLDS.get(name, is_instance)(cls)
    return Codec(type_, _passing(refusing(decode(cls), refused), cls), _only_if(holds, encode), holds)


def _is_day(date: type[Any]) -> Callable[[Any], bool]:
    """A datetime is a date in Python; nobody means it so."""
    return lambda value: isinstance(value, date) and not hasattr(value, "hour")


def _is_number_of(cls: type[Any]) -> Callable[[Any], bool]:
    """A bool is an int in Python; it never is a number here."""
    return lambda value: isinstance(value, cls) and not isinstance(value, bool)


# class: the test for its instances, where more is asked than that they are of it
_HOLDS = {"datetime.date": _is_day, "numbers.Integral": _is_number_of, "numbers.Real": _is_number_of}


def _only_if(holds: Callable[[Any], bool], encode: Change) -> Change:
    return lambda value: encode(value) if holds(value) else value


def _passing(decode: Change, cls: type[Any]) -> Change:
    """Return *decode* for text (and numbers); a value that already is of *cls* stays."""
    return lambda value: value if isinstance(value, cls) else decode(value)
