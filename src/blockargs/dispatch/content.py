"""`ToolContent`: what a constructor says to the model when text or JSON is not enough."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .._text import quoted
from ..errors import InvalidContentError
from .characters import whole_text


@dataclass(frozen=True, slots=True)
class Text:
    """A part that is text.

    Attributes:
        text: What the reader reads.
        audience: Who it is for, of ``"user"`` and ``"assistant"``; nobody named means both.
    """

    __explicit_content__: ClassVar[bool] = True  # a return annotation of it has no schema
    text: str
    audience: tuple[str, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        """Check the text, and who it is for.

        Raises:
            InvalidContentError: The text is none, or the audience is nobody we know.
        """
        _set(self, "text", _text(self.text, "a text"))
        _set(self, "audience", _audience(self.audience))

    def record(self) -> dict[str, Any]:
        """Return the part as MCP writes it."""
        return _addressed({"type": "text", "text": self.text}, self.audience)

    def words(self) -> str:
        """Return what a channel that carries text only shows."""
        return self.text


@dataclass(frozen=True, slots=True, init=False)
class _Bytes:
    """A part whose bytes the channel itself carries.

    Attributes:
        data: Its bytes in base64; bytes are encoded for you.
        mime_type: What they are.
        audience: Who it is for.
    """

    __explicit_content__: ClassVar[bool] = True  # a return annotation of it has no schema
    kind: ClassVar[str]
    data: str
    mime_type: str
    audience: tuple[str, ...] = field(kw_only=True)

    def __init__(self, data: bytes | str, mime_type: str, *, audience: tuple[str, ...] = ()) -> None:
        """Take raw bytes, or text that is base64.

        Raises:
            InvalidContentError: It is neither bytes nor base64, *mime_type* is no MIME type, or the
                audience is nobody we know.
        """
        _set(self, "mime_type", _mime_type(mime_type))
        _set(self, "data", _base64(data))
        _set(self, "audience", _audience(audience))

    def record(self) -> dict[str, Any]:
        """Return the part as MCP writes it."""
        return _addressed({"type": self.kind, "data": self.data, "mimeType": self.mime_type}, self.audience)

    def words(self) -> str:
        """Return what a channel that carries text only shows."""
        return _left_out(f"{self.kind} {self.mime_type}", self.data)


@dataclass(frozen=True, slots=True, init=False)
class Image(_Bytes):
    """A part that is a picture.

    Attributes:
        data: Its bytes in base64; bytes are encoded for you.
        mime_type: ``"image/png"``.
        audience: Who it is for.
    """

    kind: ClassVar[str] = "image"


@dataclass(frozen=True, slots=True, init=False)
class Audio(_Bytes):
    """A part that is sound.

    Attributes:
        data: Its bytes in base64; bytes are encoded for you.
        mime_type: ``"audio/wav"``.
        audience: Who it is for.
    """

    kind: ClassVar[str] = "audio"


@dataclass(frozen=True, slots=True)
class Resource:
    """A part that is a document with an address: its text, its bytes, or only a link to it.

    Attributes:
        uri: Its address.
        text: The whole document, where it is text.
        data: The whole document in base64, where it is not; bytes are encoded for you.
        name: What a link calls it.
        description: What it holds, shown with a link.
        mime_type: ``"text/csv"``.
        audience: Who it is for.
    """

    __explicit_content__: ClassVar[bool] = True  # a return annotation of it has no schema
    uri: str
    text: str | None = None
    data: str | None = field(default=None, kw_only=True)
    name: str | None = field(default=None, kw_only=True)
    description: str | None = field(default=None, kw_only=True)
    mime_type: str | None = field(default=None, kw_only=True)
    audience: tuple[str, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        """Encode bytes; a document is text or bytes, never both.

        Raises:
            InvalidContentError: It is both, a field is no such thing, or the audience is nobody we know.
        """
        if self.text is not None and self.data is not None:
            raise InvalidContentError("a resource is text or data, not both")
        _set(self, "uri", _text(self.uri, "an address"))
        for name, what in (("text", "a text"), ("name", "a name"), ("description", "a description")):
            if getattr(self, name) is not None:
                _set(self, name, _text(getattr(self, name), what))
        if self.mime_type is not None:
            _set(self, "mime_type", _mime_type(self.mime_type))
        if self.data is not None:
            _set(self, "data", _base64(self.data))
        _set(self, "audience", _audience(self.audience))

    def record(self) -> dict[str, Any]:
        """Return the part as MCP writes it: embedded, or a link where only the address is known."""
        kind: dict[str, Any] = {} if self.mime_type is None else {"mimeType": self.mime_type}
        if self.text is not None:
            body: dict[str, Any] = {"type": "resource", "resource": {"uri": self.uri, "text": self.text, **kind}}
        elif self.data is not None:
            body = {"type": "resource", "resource": {"uri": self.uri, "blob": self.data, **kind}}
        else:
            said = {} if self.description is None else {"description": self.description}
            body = {"type": "resource_link", "uri": self.uri, "name": self.name or self.uri, **said, **kind}
        return _addressed(body, self.audience)

    def words(self) -> str:
        """Return what a channel that carries text only shows."""
        if self.text is not None:
            return self.text
        if self.data is not None:
            kind = self.mime_type or "application/octet-stream"
            return _left_out(f"resource {self.uri}, {kind}", self.data)
        return f"[{self.name or self.uri}]({self.uri})"


Part = Text | Image | Audio | Resource


@dataclass(frozen=True, slots=True, init=False)
class ToolContent:
    """An explicit result: text, images, audio and resources, in this order.

    >>> ToolContent("Rows:", Resource("data:rows", "a,b", mime_type="text/csv")).text.splitlines()
    ['Rows:', 'a,b']

    Attributes:
        parts: What the model and the user see.
        structured: JSON that goes beside the parts, or ``None``.
        is_error: Whether the call failed, as the constructor sees it.
        meta: Facts for the client program, never shown to the model.
    """

    __explicit_content__: ClassVar[bool] = True  # a return annotation of it has no schema
    parts: tuple[Part, ...]
    structured: Any
    is_error: bool
    meta: Mapping[str, Any]

    def __init__(
        self, *parts: Part | str, structured: Any = None, is_error: bool = False, meta: Mapping[str, Any] | None = None
    ) -> None:
        """Take parts in order; a bare text is a `Text`.

        Raises:
            InvalidContentError: One of *parts* is neither a part nor text, *is_error* is neither True
                nor False, or *meta* is no mapping.
        """
        made: list[Part] = []
        for part in parts:
            if not isinstance(part, str | Part):
                raise InvalidContentError(f"{quoted(part)} is no content; use text, Text, Image, Audio or Resource")
            made.append(Text(part) if isinstance(part, str) else part)
        if not isinstance(is_error, bool):
            raise InvalidContentError(f"is_error={quoted(is_error)} is neither True nor False")
        if not isinstance(meta, Mapping | None):
            raise InvalidContentError(f"meta={quoted(meta)} is no mapping of names to JSON")
        _set(self, "parts", tuple(made))
        _set(self, "structured", structured)
        _set(self, "is_error", is_error)
        _set(self, "meta", dict(meta or {}))

    @property
    def text(self) -> str:
        """All parts as a channel that carries text only shows them."""
        return "\n".join(part.words() for part in self.parts)


def content_of(result: Any) -> ToolContent | None:
    """Return *result* where it is content: a `ToolContent`, a part, or a list of parts and texts with a part in it."""
    if type(result) is dict:  # most are
        return None
    if isinstance(result, ToolContent):
        return result
    if isinstance(result, Part):
        return ToolContent(result)
    if not isinstance(result, list | tuple) or not all(isinstance(one, str | Part) for one in result):
        return None
    return ToolContent(*result) if any(isinstance(one, Part) for one in result) else None


_set = object.__setattr__  # of a frozen object that is being made


def _text(given: Any, what: str) -> str:
    if not isinstance(given, str):
        raise InvalidContentError(f"{quoted(given)} is no text; {what} of a part is one")
    return whole_text(given)


def _mime_type(given: Any) -> str:
    if not isinstance(given, str) or "/" not in given:
        raise InvalidContentError(f"{quoted(given)} is no MIME type; write it like 'image/png'")
    return given


def _base64(data: Any) -> str:
    if isinstance(data, bytes | bytearray | memoryview):
        return b64encode(data).decode("ascii")
    if not isinstance(data, str):
        raise InvalidContentError(f"{quoted(data, 20)} is neither bytes nor base64")
    try:
        b64decode(data, validate=True)
    except (binascii.Error, ValueError) as reason:
        message = f"{quoted(data, 20)} is not base64 ({reason}); pass the bytes themselves"
        raise InvalidContentError(message) from None
    return data


def _audience(given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidContentError(f"audience {quoted(given)} is no tuple; write it like ('user',)")
    named = tuple(given)
    for one in named:
        if one not in ("user", "assistant"):
            raise InvalidContentError(f"audience {quoted(one)} is neither 'user' nor 'assistant'")
    return named


def _addressed(record: dict[str, Any], audience: tuple[str, ...]) -> dict[str, Any]:
    return {**record, "annotations": {"audience": list(audience)}} if audience else record


def _left_out(what: str, data: str) -> str:
    """Return what stands for the base64 *data* of *what* where only text can stand."""
    size = len(data) * 3 // 4 - data[-2:].count("=")
    return f"[{what}, {size} bytes; this channel carries text only]"
