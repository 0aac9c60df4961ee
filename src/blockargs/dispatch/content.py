"""`ToolContent`: what a constructor says to the model when text or JSON is not enough."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from .._text import quoted


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
        """Check who it is for.

        Raises:
            ValueError: The audience is nobody we know.
        """
        _check_audience(self.audience)

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
            ValueError: The text is not base64, *mime_type* is no MIME type, or the audience is nobody we know.
        """
        if "/" not in mime_type:
            raise ValueError(f"{quoted(mime_type)} is no MIME type; write it like 'image/png'")
        _check_audience(audience)
        set_ = object.__setattr__
        set_(self, "data", _base64(data))
        set_(self, "mime_type", mime_type)
        set_(self, "audience", audience)

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
            ValueError: It is both, its data is not base64, or the audience is nobody we know.
        """
        if self.text is not None and self.data is not None:
            raise ValueError("a resource is text or data, not both")
        if self.data is not None:
            object.__setattr__(self, "data", _base64(self.data))
        _check_audience(self.audience)

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
            TypeError: One of *parts* is neither a part nor text.
        """
        made: list[Part] = []
        for part in parts:
            if not isinstance(part, str | Text | Image | Audio | Resource):
                raise TypeError(f"{quoted(part)} is no content; use text, Text, Image, Audio or Resource")
            made.append(Text(part) if isinstance(part, str) else part)
        set_ = object.__setattr__
        set_(self, "parts", tuple(made))
        set_(self, "structured", structured)
        set_(self, "is_error", is_error)
        set_(self, "meta", dict(meta or {}))

    @property
    def text(self) -> str:
        """All parts as a channel that carries text only shows them."""
        return "\n".join(part.words() for part in self.parts)


def _base64(data: bytes | str) -> str:
    if isinstance(data, bytes | bytearray | memoryview):
        return b64encode(data).decode("ascii")
    try:
        b64decode(data, validate=True)
    except (binascii.Error, ValueError) as reason:
        raise ValueError(f"{quoted(data, 20)} is not base64 ({reason}); pass the bytes themselves") from None
    return data


def _check_audience(audience: tuple[str, ...]) -> None:
    if strangers := set(audience) - {"user", "assistant"}:
        raise ValueError(f"audience {quoted(min(strangers))} is neither 'user' nor 'assistant'")


def _addressed(record: dict[str, Any], audience: tuple[str, ...]) -> dict[str, Any]:
    return {**record, "annotations": {"audience": list(audience)}} if audience else record


def _left_out(what: str, data: str) -> str:
    """Return what stands for the base64 *data* of *what* where only text can stand."""
    size = len(data) * 3 // 4 - data[-2:].count("=")
    return f"[{what}, {size} bytes; this channel carries text only]"
