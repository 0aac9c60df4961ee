"""Words for people: names that look alike, lists in a sentence, text cut to a line."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

_SHORT = 10**18  # a number below it is shown whole
QUOTED_LENGTH = 200  # what one message shows of a value; reference: the retry rules


_REMEMBERED = 64  # characters of a name that is remembered: names come again and again


def folded(name: str) -> str:
    """Return *name* without case, accents' encodings, blanks, ``_``, ``-`` and ``.``.

    Two names that fold alike differ in style only.
    """
    return _short_folded(name) if len(name) <= _REMEMBERED else _folded(name)


@lru_cache(maxsize=1024)
def _short_folded(name: str) -> str:
    return _folded(name)


def _folded(name: str) -> str:
    if name.isascii():  # nearly every name is, and in ASCII both steps below are one table
        return name.lower().translate(_NO_STYLE)
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in plain if c not in "_-." and not c.isspace())


_NEAR = 0.6  # the part of the letters of both that near names share
_ALMOST = 0.59  # the same for a first look, which must not lose one for a rounding
_NO_STYLE = dict.fromkeys(i for i in range(128) if chr(i) in "_-." or chr(i).isspace())


def close_names(name: str, names: Iterable[str], *, most: int = 3) -> list[str]:
    """Return those of *names* that *name* was probably meant to be, nearest first."""
    key = folded(name)
    shared = set(key).__contains__
    styled: list[str] = []
    by_key: dict[str, str] = {}
    for given in dict.fromkeys(names):
        own = folded(given)
        if own == key:
            by_key.setdefault(own, given)
            if given != name:
                styled.append(given)
        elif own not in by_key:
            # most share too few letters to be near, which is found out in no time
            enough = _ALMOST * (len(key) + len(own)) / 2
            if sum(map(shared, own)) >= enough and sum(map(own.__contains__, key)) >= enough:
                by_key[own] = given
    if styled:
        return styled[:most]
    if not by_key:
        return []
    if not 0 < len(key) <= _SHORT_NAME or max(map(len, by_key)) > _SHORT_NAME:
        import difflib  # noqa: PLC0415 - few names are long

        return [by_key[k] for k in difflib.get_close_matches(key, by_key, n=most, cutoff=_NEAR)]
    alike = sorted(((2 * _shared(own, key) / (len(own) + len(key)), own) for own in by_key), reverse=True)
    return [by_key[own] for part, own in alike[:most] if part >= _NEAR]


_SHORT_NAME = 64  # letters up to which the search below is faster than that of difflib


def _shared(a: str, b: str) -> int:
    """Return how many letters *a* and *b* share in order: their longest common part, and so on beside it.

    What difflib's `SequenceMatcher` counts, whose way takes far more time for names.
    """
    start = size = 0  # of the longest part, the first of several
    for i in range(len(a)):
        while i + size < len(a) and a[i : i + size + 1] in b:
            start, size = i, size + 1
    if not size:
        return 0
    place = b.find(a[start : start + size])
    before = _shared(a[:start], b[:place]) if start and place else 0
    return before + size + _shared(a[start + size :], b[place + size :])


def did_you_mean(name: object, names: Iterable[str]) -> str:
    """Return ``"did you mean 'x'?"``, or ``""`` when nothing is near, as nothing is to what is no text."""
    near = close_names(name, names) if isinstance(name, str) else []
    return f"did you mean {listing(near, last='or')}?" if near else ""


def listing(names: Iterable[str], *, last: str = "and", most: int = 20) -> str:
    """Return *names* quoted, as a list in a sentence: ``'a', 'b' and 'c'``."""
    quoted = [f"'{n}'" for n in names]
    if len(quoted) > most:
        rest = len(quoted) - most
        return f"{', '.join(quoted[:most])} {last} {rest} more"
    if len(quoted) > 1:
        return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"
    return "".join(quoted)


def unhumped(name: str, between: str) -> str:
    """Return *name* with *between* where a word starts by a capital: ``HeadBlock`` → ``Head_Block``."""
    return _HUMP.sub(between, name)


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def first_line(reason: object) -> str:
    """Return the first line of what *reason*, an exception, says."""
    return str(reason).partition("\n")[0]


def one_line(text: str, width: int = 80) -> str:
    """Return *text* on one line of at most *width* characters, ending in ``…`` when cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= width else f"{flat[: max(width - 1, 0)].rstrip()}…"


def plural(count: int, noun: str) -> str:
    """Return ``"1 block"`` or ``"2 blocks"``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


_PATH = re.compile(r"(?<![\w:/.~])(?:~|[A-Za-z]:)?[\\/](?:[^\s'\":,;()\\/]+[\\/])+[^\s'\":,;()]*")


def without_paths(text: str) -> str:
    """Return *text* with an ellipsis for each path of a file: those of the host are nobody else's affair.

    >>> without_paths("there is no '/home/joe/blocks.yml'")
    "there is no '…'"
    """
    return _PATH.sub("…", text)


def quoted(value: object, length: int = QUOTED_LENGTH) -> str:
    """Return *value* as it is shown in a message: in quotes, one line, cut at *length*.

    Text is shown in single quotes, other JSON as JSON, anything else as its
    ``repr``; a value whose ``repr`` fails is shown by its class.
    """
    if isinstance(value, str):
        shown = value[: length + 1]  # enough of the text to show, never all of a megabyte
        if shown.isascii():
            shown = shown.translate(_CONTROLS)
        elif not shown.isprintable():
            whole = shown.encode("utf-8", "backslashreplace").decode()
            shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in whole)
        return f"'{_cut(shown, length)}'"
    if type(value) is int and -_SHORT < value < _SHORT:
        return str(value)  # what the encoder would write, which has to be made first
    try:
        return _cut(_as_json(value, length), length)
    except (TypeError, ValueError, RecursionError, OverflowError):
        pass
    try:
        return _cut(" ".join(repr(value).split()), length)
    except Exception:  # noqa: BLE001 - a stranger's repr may raise anything
        return f"<{type(value).__name__}>"


def _as_json(value: object, length: int) -> str:
    if _is_small(value, length):
        return _ENCODER.encode(value).encode("utf-8", "backslashreplace").decode()
    parts: list[str] = []
    size = 0
    for part in _ENCODER.iterencode(value):
        parts.append(part)
        size += len(part)
        if size > length:
            break
    return "".join(parts).encode("utf-8", "backslashreplace").decode()


_CONTROLS = {i: chr(i).encode("unicode_escape").decode() for i in (*range(32), 127)}  # in ASCII, all that is not shown
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_SMALL = 20  # members of what is written at once, where of more only the beginning is made


def _is_small(value: object, length: int) -> bool:
    """Tell whether *value* is an object or a list of few short members, which the encoder surely writes."""
    if type(value) is dict:
        members: list[Any] = [*value, *value.values()]
    elif type(value) is list:
        members = value
    else:
        return False
    if len(members) > _SMALL:
        return False
    for member in members:
        kind = type(member)
        if kind is str:
            if len(member) > length:
                return False
        elif kind is int:
            if not -_SHORT < member < _SHORT:
                return False
        elif ((kind is dict or kind is list) and member) or kind not in _SURE:
            return False
    return True


_SURE = frozenset({bool, type(None), dict, list})


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}…"
