"""The bodies of requests over HTTP, as the SDK shall read them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from .incoming import posted

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
App = Callable[[MutableMapping[str, Any], Receive, Callable[[Message], Awaitable[None]]], Awaitable[None]]


class Bodies:
    """A layer of an application: each body passes through `posted`, once the layers below ask for it."""

    def __init__(self, app: App, most: int) -> None:
        """Pass requests on to *app*; of a body of more than *most* bytes nothing is looked at."""
        self._app = app
        self._most = most

    async def __call__(
        self, scope: MutableMapping[str, Any], receive: Receive, send: Callable[[Message], Awaitable[None]]
    ) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        kept: list[Message] = []
        is_read = False

        async def receiving() -> Message:
            nonlocal is_read
            if kept:
                return kept.pop(0)
            if is_read:
                return await receive()
            is_read = True
            first, *rest = await self._read(receive)
            kept.extend(rest)
            return first

        await self._app(scope, receiving, send)

    async def _read(self, receive: Receive) -> list[Message]:
        """Return the body in one message; in pieces what is too long, or ends before its end."""
        data = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return [{"type": "http.request", "body": bytes(data), "more_body": True}, message]
            data += message.get("body", b"")
            more = message.get("more_body", False)
            if len(data) > self._most:
                return [{"type": "http.request", "body": bytes(data), "more_body": more}]
            if not more:
                return [{"type": "http.request", "body": posted(bytes(data), self._most), "more_body": False}]
