"""What comes in, before the SDK reads it: refused where the SDK would say nothing, kept where its reading loses something.

Read as JSON, ``1.10`` is 1.1 and of a key that stands there twice the last one wins.
So the arguments of a call go along as they were written, under a key that nobody outside knows.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from .._text import first_line, folded, one_line
from ..spec import Block

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
WRITTEN = (
    f"blockargs/written-{os.urandom(16).hex()}"  # the key of `_meta` under which arguments go as they were written
)
ENDS = 256  # bytes of either end of a line in which the id of what is no JSON is looked for
NOTHING = "null"  # a message that the SDK refuses over HTTP
_ID = rb'"id"\s*:\s*(\d{1,18}|"[^"\\]{1,128}")\s*'
_HEAD = re.compile(rb'^(?:\xef\xbb\xbf)?\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*' + _ID + rb"[,}]")
# behind an object, or what stands beside it: inside an object it is an argument
_TAIL = re.compile(rb'(?:\}|"(?:method|jsonrpc)"\s*:\s*"[^"\\]*")\s*,\s*' + _ID + rb"\}\s*$")
# a number that can be written in several ways; in a text something like it may stand, as in \u00e9 it must not
_NUMBER = re.compile(r"(?<=[\s,:\[])(?:-?[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)|-0(?![0-9.]))")
_COLON = re.compile(r'"[ \t\n\r]*:')
_BLANK = re.compile(r"[ \t\n\r]*")
_SPANS = json.JSONDecoder(parse_int=str, parse_float=str)  # for where values end, not for what they are
_log = logging.getLogger("blockargs.mcp_server")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer to what is no request.

    Attributes:
        code: As JSON-RPC has it.
        message: What is wrong.
        id: The id of the message, where it is a text or a whole number and could be found.
    """

    code: int
    message: str
    id: str | int | None = None

    def line(self) -> str:
        """Return the answer as it is sent; the log learns of it."""
        _log.warning("a message is refused: %s", self.message)
        return json.dumps({"jsonrpc": "2.0", "id": self.id, "error": {"code": self.code, "message": self.message}})


@dataclass(frozen=True, slots=True)
class Line:
    """A message.

    Attributes:
        message: It, as the SDK shall read it.
        asks: Its id, where it asks for an answer.
        ends: The id of the request that it cancels, which then has no answer.
    """

    message: dict[str, Any]
    asks: Any = None
    ends: Any = None


def received(data: bytes | bytearray) -> Line | Refusal:
    """Return one message as the SDK shall read it, or why it is none."""
    try:
        text, thing = data.decode(), from_json(data)
    except UnicodeDecodeError:
        return Refusal(PARSE_ERROR, "the message is no UTF-8", id_in(data))
    except ValueError as reason:
        words = one_line(first_line(reason), 200)
        return Refusal(PARSE_ERROR, f"the message is no JSON, or none that is read here: {words}", id_in(data))
    if (message := _fault(thing)) is not None:
        found = thing.get("id") if isinstance(thing, dict) else None
        return Refusal(INVALID_REQUEST, message, found if is_id(found) else None)
    told = as_written(text, thing)
    if isinstance(told, Refusal):
        return told
    ends = thing.get("params", {}).get("requestId") if thing.get("method") == "notifications/cancelled" else None
    return Line(told, thing.get("id") if "method" in thing else None, ends if is_id(ends) else None)


def posted(data: bytes, most: int) -> bytes:
    """Return the body *data* as the SDK shall read it; what is wrong with it the SDK tells itself.

    Args:
        data: The whole body.
        most: Bytes that the SDK reads; where a call with its arguments as written is longer, they stay away.
    """
    try:
        thing = from_json(data)
        text = data.decode()
    except ValueError:
        return data
    if not isinstance(thing, dict):
        return data
    found = as_written(text, thing)
    if found is thing:
        return data
    body = (NOTHING if isinstance(found, Refusal) else json.dumps(found)).encode()
    if len(body) <= most:
        return body
    return NOTHING.encode() if _repeats(text) else data


def id_in(data: bytes | bytearray) -> Any:
    """Return the id of a message that is not read, where it stands at one of its ends."""
    found = _HEAD.match(data) or _TAIL.search(data, max(len(data) - ENDS, 0))
    return json.loads(found[1]) if found else None


def is_id(thing: Any) -> bool:
    """Tell whether *thing* may be the id of a request."""
    return isinstance(thing, str | int) and not isinstance(thing, bool)


def _fault(thing: Any) -> str | None:
    """Return what makes *thing*, which is JSON, no message."""
    if not isinstance(thing, dict):
        return "a batch is not taken: send each message for itself" if isinstance(thing, list) else "no message"
    if thing.get("jsonrpc") != "2.0":
        return 'the message has no "jsonrpc": "2.0"'
    if "method" not in thing:
        return None if "result" in thing or "error" in thing else "the message has no method"
    if not isinstance(thing["method"], str):
        return "the method is no text"
    if not isinstance(thing.get("params", {}), dict):
        return "the params are no object"
    return None if is_id(thing.get("id", "")) else "the id is neither a text nor a whole number"


def as_written(text: str, thing: dict[str, Any]) -> dict[str, Any] | Refusal:
    """Return the message *thing*, which was read of *text*, with the arguments of a call as they are written there."""
    params = thing.get("params")
    if thing.get("method") != "tools/call" or not isinstance(params, dict) or _is_plain(text, thing):
        return thing
    spans = members(text)
    inner = members(spans["params"][-1])
    repeats = _repeats(text)
    written = inner.get("arguments", [""])[-1]
    if not repeats and not _loses_digits(written):
        return thing
    for name, values in (*spans.items(), *inner.items()):
        if repeats and len({*values}) > 1 and name not in ("arguments", "_meta"):
            found = thing.get("id")
            return Refusal(INVALID_REQUEST, f"'{one_line(name)}' stands there twice", found if is_id(found) else None)
    meta = params.get("_meta", {})
    if not isinstance(params.get("arguments"), dict) or not isinstance(meta, dict):
        return thing
    return {**thing, "params": {**params, "_meta": {**meta, WRITTEN: written}}}


def members(text: str) -> dict[str, list[str]]:
    """Return the members of a JSON object as they are written: of each key the values, in order."""
    found: dict[str, list[str]] = {}
    at = _skipped(text, text.index("{") + 1)
    while text[at] != "}":
        key, at = _SPANS.raw_decode(text, at)
        start = _skipped(text, _skipped(text, at) + 1)
        _, end = _SPANS.raw_decode(text, start)
        found.setdefault(key, []).append(text[start:end])
        at = _skipped(text, end)
        at = _skipped(text, at + 1) if text[at] == "," else at
    return found


def _skipped(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return at if blank is None else blank.end()


def _is_plain(text: str, thing: Any) -> bool:
    """Tell, without reading *text* again, whether it can have lost nothing: most messages."""
    keys = 0
    stack = [thing]
    may_lose = False
    while stack:
        one = stack.pop()
        kind = type(one)
        if kind is dict:
            keys += len(one)
            stack += one.values()
        elif kind is list:
            stack += one
        elif kind is float or (kind is int and one == 0):  # written with a point or an exponent, or as -0
            may_lose = True
    if may_lose and _loses_digits(text):
        return False
    return keys == _colons(text)  # each key has one, and a text may only have more


def _colons(text: str) -> int:
    """Count the quotation marks that a colon follows, with or without blanks between them."""
    if " :" in text or "\t:" in text or "\n:" in text or "\r:" in text:
        return len(_COLON.findall(text))
    return text.count('":')


def _loses_digits(text: str) -> bool:
    """Tell whether *text* may hold a number that is written otherwise once it was read."""
    return any(repr(float(number)) != number for number in _NUMBER.findall(text))


def _repeats(text: str) -> bool:
    """Tell whether a key stands twice in an object of JSON *text*."""
    found = False

    def paired(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal found
        made = dict(pairs)
        found = found or len(made) < len(pairs)
        return made

    json.JSONDecoder(object_pairs_hook=paired, parse_int=str, parse_float=str).decode(text)
    return found


def given_of(arguments: dict[str, Any], written: Any, block: Block) -> Any:
    """Return what *block* is called with: its arguments as *written*, where they are known, else as they were read.

    Several keys that name none of its arguments go as they were read: written, they could be a call around arguments.
    """
    if not isinstance(written, str):
        return arguments
    declared = {folded(name) for name in block.type.get("properties", {})}
    return arguments if len(arguments) > 1 and declared.isdisjoint(map(folded, arguments)) else written


def inner_of(written: Any, name: str) -> str | None:
    """Return member *name* of an object as *written*, where it is an object itself."""
    if not isinstance(written, str):
        return None
    values = members(written).get(name, [])
    return values[0] if len(values) == 1 and values[0].startswith("{") else None


def written_of(meta: Mapping[str, Any] | None) -> Any:
    """Return the arguments as they were written, of the `_meta` of a call; ``None`` where that makes no difference."""
    return None if meta is None else meta.get(WRITTEN)
