"""A uvicorn server that tells where it listens, and what it changes of its process while it runs."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from socket import socket
from typing import Any

import uvicorn
from sse_starlette.sse import AppStatus

access_log = logging.getLogger("blockargs.access")


class ListeningServer(uvicorn.Server):
    """The server of `http_server`.

    While it runs, and for as long as any other of this class runs, the automatic drain of sse-starlette
    is off for the whole process, and the access log goes to standard error unless the host has given its
    logger a handler. Both are as they were when the last of them has ended.
    """

    def __init__(self, config: uvicorn.Config, *, path: str, access: bool) -> None:
        """Serve *config*; tell the address of *path*, and log each request where *access* is asked for."""
        super().__init__(config)
        self._path = path
        self._shared = (UNDRAINED, LOGGED) if access else (UNDRAINED,)

    async def serve(self, sockets: list[socket] | None = None) -> None:
        """Serve until told to stop."""
        with ExitStack() as meanwhile:
            for shared in self._shared:
                meanwhile.enter_context(shared)
            await super().serve(sockets)

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Start to listen, and tell the address: a free port is known only then."""
        await super().startup(sockets)
        for listening in self.servers:
            for one in listening.sockets:
                where, port = one.getsockname()[:2]
                sys.stderr.write(f"serving MCP on {address(where, port, self._path)}\n")
                sys.stderr.flush()


def address(where: str, port: int, path: str) -> str:
    """Return the address of *path* at *port* of *where*, as a browser reads it."""
    shown = f"[{where}]" if ":" in where else where
    return f"http://{shown}:{port}{path}"


class Shared:
    """A change of the whole process that lasts while anybody needs it: made once, undone by the last."""

    def __init__(self, change: Callable[[], AbstractContextManager[Any]]) -> None:
        """Make *change* for the first who enters."""
        self._change = change
        self._made = ExitStack()
        self._users = 0
        self._turn = threading.Lock()

    def __enter__(self) -> None:
        """Make the change, unless it is made already."""
        with self._turn:
            if not self._users:
                self._made.enter_context(self._change())
            self._users += 1

    def __exit__(self, *_: object) -> None:
        """Undo it, unless another needs it."""
        with self._turn:
            self._users -= 1
            if not self._users:
                self._made.close()


@contextmanager
def _undrained() -> Iterator[None]:
    """Let running calls end: the drain of sse-starlette would cut their answers when a server is told to stop."""
    before = AppStatus.enable_automatic_graceful_drain
    AppStatus.enable_automatic_graceful_drain = False
    try:
        yield
    finally:
        AppStatus.enable_automatic_graceful_drain = before


@contextmanager
def _logged() -> Iterator[None]:
    """Write the access log to standard error; a host that has given it a handler has his own idea."""
    if access_log.handlers:
        yield
        return
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    level, propagate = access_log.level, access_log.propagate
    access_log.addHandler(handler)
    access_log.setLevel(logging.INFO)
    access_log.propagate = False
    try:
        yield
    finally:
        access_log.removeHandler(handler)
        access_log.setLevel(level)
        access_log.propagate = propagate


UNDRAINED, LOGGED = Shared(_undrained), Shared(_logged)
